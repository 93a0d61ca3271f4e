package lsp

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// client is a scripted editor.
type client struct {
	t    *testing.T
	in   *bufio.Reader
	out  io.WriteCloser
	id   int
	done chan error
	// findings are the last diagnostics of each document.
	findings map[string][]diagnostic
}

// newClient starts a server and a client, without initialize.
func newClient(t *testing.T) *client {
	fromServer, toClient := io.Pipe()
	fromClient, toServer := io.Pipe()
	c := &client{t: t, in: bufio.NewReader(fromServer), out: toServer, done: make(chan error, 1), findings: map[string][]diagnostic{}}
	go func() {
		c.done <- NewServer("test").Serve(fromClient, toClient)
		toClient.Close()
	}()
	return c
}

// start is newClient with initialize.
func start(t *testing.T, encodings ...string) *client {
	c := newClient(t)
	c.call("initialize", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": encodings}}})
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) write(m map[string]any) {
	m["jsonrpc"] = "2.0"
	content := testkit.Must(json.Marshal(m))(c.t)
	_, err := c.out.Write([]byte("Content-Length: " + itoa(len(content)) + "\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n" + string(content)))
	require.NoError(c.t, err)
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func (c *client) notify(method string, params any) {
	c.write(map[string]any{"method": method, "params": params})
}

// read reads the next message.
func (c *client) read() (m struct {
	ID     *int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *rpcError
}) {
	content := testkit.Must(readMessage(c.in))(c.t)
	require.NoError(c.t, json.Unmarshal(content, &m), string(content))
	if m.Method == "textDocument/publishDiagnostics" {
		var p publishDiagnostics
		require.NoError(c.t, json.Unmarshal(m.Params, &p))
		c.findings[p.URI] = p.Diagnostics
	}
	return m
}

// ask sends a request and returns its result as JSON, or its error.
func (c *client) ask(method string, params any) (json.RawMessage, *rpcError) {
	c.id++
	c.write(map[string]any{"id": c.id, "method": method, "params": params})
	for {
		m := c.read()
		if m.Method != "" {
			continue
		}
		require.NotNil(c.t, m.ID)
		require.Equal(c.t, c.id, *m.ID)
		return m.Result, m.Error
	}
}

// call is ask without an error.
func (c *client) call(method string, params any) json.RawMessage {
	c.t.Helper()
	result, err := c.ask(method, params)
	require.Nil(c.t, err, method)
	return result
}

// get is call with a decoded result.
func get[T any](c *client, method string, params any) (v T) {
	c.t.Helper()
	require.NoError(c.t, json.Unmarshal(c.call(method, params), &v))
	return v
}

// open opens a document and waits for its findings.
func (c *client) open(uri, text string) {
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "pica", "version": 1, "text": text}})
	c.published()
}

func (c *client) published() {
	require.Equal(c.t, "textDocument/publishDiagnostics", c.read().Method)
}

func (c *client) at(uri string, line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": line, "character": character}}
}

// leave ends the session.
func (c *client) leave() {
	require.Equal(c.t, "null", string(c.call("shutdown", nil)))
	c.notify("exit", nil)
	require.NoError(c.t, <-c.done)
}
