//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// An editor session with the language server over standard input and output.
func TestLanguageServer(t *testing.T) {
	cmd := program(t, "lsp", "--stdio")
	cmd.Stderr = os.Stderr
	in := testkit.Must(cmd.StdinPipe())(t)
	pipe := testkit.Must(cmd.StdoutPipe())(t)
	require.NoError(t, cmd.Start())
	out := bufio.NewReader(pipe)
	send := func(content string) {
		testkit.Must(fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(content), content))(t)
	}
	receive := func() (m map[string]any) {
		header := testkit.Must(textproto.NewReader(out).ReadMIMEHeader())(t)
		n := testkit.Must(strconv.Atoi(header.Get("Content-Length")))(t)
		content := make([]byte, n)
		testkit.Must(io.ReadFull(out, content))(t)
		require.NoError(t, json.Unmarshal(content, &m))
		return m
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	info := receive()["result"].(map[string]any)["serverInfo"].(map[string]any)
	require.Equal(t, "pica200", info["name"])
	require.Contains(t, info["version"], "go1")
	send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.v.pica","text":".out o position\n.proc main\n\tmvo o, v0\n\tend\n.end\n"}}}`)
	found := receive()["params"].(map[string]any)["diagnostics"].([]any)
	require.Len(t, found, 1)
	require.Equal(t, `unknown instruction "mvo" (did you mean mov?)`, found[0].(map[string]any)["message"])
	send(`{"jsonrpc":"2.0","id":"two","method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x.v.pica"},"position":{"line":3,"character":2}}}`)
	answer := receive()
	require.Equal(t, "two", answer["id"])
	require.Contains(t, answer["result"].(map[string]any)["contents"].(map[string]any)["value"], "ends the program")
	send(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`)
	require.Contains(t, receive(), "result")
	send(`{"jsonrpc":"2.0","method":"exit"}`)
	require.NoError(t, cmd.Wait())
	require.Zero(t, cmd.ProcessState.ExitCode())
}

// The exit status tells how the session ended, and standard output has only answers.
func TestLanguageServerStatus(t *testing.T) {
	frame := func(contents ...string) (all []byte) {
		for _, c := range contents {
			all = fmt.Appendf(all, "Content-Length: %d\r\n\r\n%s", len(c), c)
		}
		return all
	}
	const begin, end, leave = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`
	for _, c := range []struct {
		in     []byte
		status int
		says   string
	}{
		{frame(begin, end, leave), exitDone, ""},
		{frame(begin, leave), exitFailed, "exit without shutdown"},
		{frame(begin), exitFailed, "disconnected without shutdown"},
		{frame(begin, end), exitDone, ""},
		{append(frame(begin), "Content-Length: 4000000000\r\n\r\n{}"...), exitFailed, "expected 0 to"},
		{append(frame(begin), "Content-Length: 60000000\r\n\r\n{}"...), exitFailed, "unexpected EOF"},
		{frame(begin, `{"jsonrpc":"2.0","id":3,"method":"$/none"}`, `{"jsonrpc":"2.0","method":"$/none"}`, end, leave), exitDone, ""},
	} {
		status, stdout, stderr := invokeWith(t, c.in, "lsp")
		require.Equal(t, c.status, status, "%.200s: %s", c.in, stderr)
		require.Contains(t, stderr, c.says)
		require.True(t, strings.HasPrefix(stdout, "Content-Length: "), stdout)
	}
}
