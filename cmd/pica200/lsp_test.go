//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// An editor's session with the program, over its standard input and output.
func TestLanguageServer(t *testing.T) {
	cmd := exec.Command(os.Args[0], "lsp", "--stdio")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	out := bufio.NewReader(pipe)
	send := func(content string) {
		_, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(content), content)
		require.NoError(t, err)
	}
	receive := func() (m map[string]any) {
		header, err := textproto.NewReader(out).ReadMIMEHeader()
		require.NoError(t, err)
		n, err := strconv.Atoi(header.Get("Content-Length"))
		require.NoError(t, err)
		content := make([]byte, n)
		_, err = io.ReadFull(out, content)
		require.NoError(t, err)
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
