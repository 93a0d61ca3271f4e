package lsp_test

import (
	"fmt"
	"log"
	"strings"

	"pica200/shaderunit/lsp"
)

// A server answers an editor's messages one by one.
func ExampleServer_Serve() {
	var in, out strings.Builder
	for _, content := range []string{
		`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}`,
		`{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///a.pica", "text": ".out o position\n.proc main\n\tmov o, v0\n\tend\n.end\n"}}}`,
		`{"jsonrpc": "2.0", "id": 2, "method": "textDocument/definition", "params": {"textDocument": {"uri": "file:///a.pica"}, "position": {"line": 2, "character": 5}}}`,
		`{"jsonrpc": "2.0", "id": 3, "method": "shutdown"}`,
		`{"jsonrpc": "2.0", "method": "exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(content), content)
	}
	if err := lsp.NewServer("example").Serve(strings.NewReader(in.String()), &out); err != nil {
		log.Fatal(err)
	}
	for _, answer := range strings.Split(out.String(), "Content-Length: ")[2:] {
		_, content, _ := strings.Cut(answer, "\r\n\r\n")
		fmt.Println(content)
	}
	// Output:
	// {"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.pica","diagnostics":[]}}
	// {"jsonrpc":"2.0","id":2,"result":[{"uri":"file:///a.pica","range":{"start":{"line":0,"character":5},"end":{"line":0,"character":6}}}]}
	// {"jsonrpc":"2.0","id":3,"result":null}
}
