package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
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

const uri = "file:///work/a.v.pica"

const source = `; ähnlich
.fvec projection[4], bones[60]
.constf k(0.0, 1.0, -1.0, 0.5)
.alias one k.yyyy
.in pos v0
.out outpos position
.proc main
	mov r0.xyz, pos
	mov r0.w, one
	dp4 outpos.x, projection[0], r0
	dp4 outpos.y, projection[1], r0
	dp4 outpos.z, projection[2], r0
	dp4 outpos.w, projection[3], r0
	jmpc cmp.x, done
	call helper
done:
	end
.end
`

func rangeAt(line, start, end int) textRange {
	return textRange{position{line, start}, position{line, end}}
}

func TestSession(t *testing.T) {
	c := start(t)
	c.open(uri, source)
	require.Equal(t, []diagnostic{{rangeAt(13, 1, 5), severityWarning, "read-unwritten", "pica200", "cmp.x is tested, but nothing set it", nil, ""}}, c.findings[uri])

	// Hover.
	text := func(line, character int) string {
		t.Helper()
		h := get[*hover](c, "textDocument/hover", c.at(uri, line, character))
		if h == nil {
			return ""
		}
		require.Equal(t, "markdown", h.Contents.Kind)
		return h.Contents.Value
	}
	require.Contains(t, text(9, 2), "dp4 d, w, n")
	require.Contains(t, text(9, 2), "Opcode 0x02, format 1.")
	require.Contains(t, text(7, 6), "`r0`: temporary")
	require.Equal(t, "`projection`: uniform, `c0-c3`", text(9, 18))
	require.Equal(t, "`one`: alias, `c95.yyyy`", text(8, 12))
	require.Equal(t, "`k`: constant, `c95 = (0.0, 1.0, -1.0, 0.5)`", text(2, 8))
	require.Equal(t, "`outpos`: output, `o0.xyzw, position`", text(5, 7))
	require.Equal(t, "`pos`: input, `v0`", text(7, 14))
	require.Equal(t, "`helper`: procedure", text(14, 8))
	require.Contains(t, text(5, 14), "the rasterizer reads 4 components")
	require.Contains(t, text(6, 2), "starts a procedure")
	require.Contains(t, text(13, 8), "flag of cmp")
	require.Empty(t, text(0, 3), "no hover text in a comment")
	require.Empty(t, text(99, 0))

	// Definitions.
	where := func(line, character int) []location {
		return get[[]location](c, "textDocument/definition", c.at(uri, line, character))
	}
	require.Equal(t, []location{{uri, rangeAt(3, 7, 10)}}, where(8, 11))
	require.Equal(t, []location{{uri, rangeAt(15, 0, 4)}}, where(13, 13))
	require.Equal(t, []location{{uri, rangeAt(1, 6, 16)}}, where(12, 20))
	require.Empty(t, where(14, 7), "a name without an open definition")
	refs := c.at(uri, 1, 8)
	refs["context"] = map[string]any{"includeDeclaration": true}
	require.Len(t, get[[]location](c, "textDocument/references", refs), 5)

	// A second document has the procedure.
	lib := "file:///work/lib.pica"
	c.open(lib, ".nodvle\n.proc helper\n\tcall helper2\n\tnop\n.end\n.proc helper2\n\tnop\n.end\n")
	require.Empty(t, c.findings[lib])
	require.Equal(t, []location{{lib, rangeAt(1, 6, 12)}}, where(14, 7))

	// Renaming in both documents.
	renaming := c.at(uri, 14, 7)
	require.Equal(t, rangeAt(14, 6, 12), get[textRange](c, "textDocument/prepareRename", renaming))
	renaming["newName"] = "assist"
	require.Equal(t, workspaceEdit{map[string][]textEdit{uri: {{rangeAt(14, 6, 12), "assist"}}, lib: {{rangeAt(1, 6, 12), "assist"}}}},
		get[workspaceEdit](c, "textDocument/rename", renaming))
	for name, want := range map[string]string{"helper2": "another procedure", "1st": "is not a name", "main": "another procedure"} {
		renaming["newName"] = name
		_, err := c.ask("textDocument/rename", renaming)
		require.ErrorContains(t, err, want)
	}
	alias := c.at(uri, 3, 8)
	alias["newName"] = "unit"
	edit := get[workspaceEdit](c, "textDocument/rename", alias)
	require.Equal(t, []textEdit{{rangeAt(3, 7, 10), "unit"}, {rangeAt(8, 11, 14), "unit"}}, edit.Changes[uri])
	for name, want := range map[string]string{"k": "another constant", "c7": "name of a register", "": "is not a name"} {
		alias["newName"] = name
		_, err := c.ask("textDocument/rename", alias)
		require.ErrorContains(t, err, want)
	}
	_, err := c.ask("textDocument/rename", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": 16, "character": 2}, "newName": "x"})
	require.ErrorContains(t, err, "no name of this source")
	require.Equal(t, "null", string(c.call("textDocument/prepareRename", c.at(uri, 16, 2))))

	// Findings follow changes.
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2},
		"contentChanges": []any{map[string]any{"range": rangeAt(8, 11, 14), "text": "onne"}}})
	c.published()
	require.Len(t, c.findings[uri], 1, "lint findings appear once the source assembles")
	require.Equal(t, rangeAt(8, 11, 15), c.findings[uri][0].Range)
	require.Equal(t, severityError, c.findings[uri][0].Severity)
	require.Contains(t, c.findings[uri][0].Message, "did you mean one?")
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 3},
		"contentChanges": []any{map[string]any{"text": ".proc  main\nend\n.end\n"}}})
	c.published()
	require.Equal(t, "no-output", c.findings[uri][0].Code)
	edits := get[[]textEdit](c, "textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}, "options": map[string]any{"tabSize": 8}})
	require.Equal(t, []textEdit{{textRange{position{0, 0}, position{3, 0}}, ".proc main\n\tend\n.end\n"}}, edits)
	symbols := get[[]documentSymbol](c, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": lib}})
	require.Equal(t, []string{"helper", "helper2"}, []string{symbols[0].Name, symbols[1].Name})

	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
	c.published()
	require.Empty(t, c.findings[uri])
	_, err = c.ask("textDocument/hover", c.at(uri, 0, 0))
	require.ErrorContains(t, err, "is not open")
	c.leave()
}

// Completion offers only what is valid at the cursor.
func TestCompletion(t *testing.T) {
	c := start(t)
	c.open(uri, source)
	for _, x := range []struct{ line, want, never string }{
		{"\t", "mov .fvec .proc", "projection"},
		{"\td", "dp4 dph", "one"},
		{"label: ", "mov", "projection"},
		{"\tmov ", "outpos r0 one", "projection dp4"},
		{"\tmov r0, ", "pos projection k one r15", "outpos mov"},
		{"\tmov r0, bones[", "aL a0.x", ""},
		{"\tcmp ", "pos k", "eq"},
		{"\tcmp k, ", "eq ge", "pos"},
		{"\tcall ", "main", "done projection"},
		{"\tcallc cmp.x, ", "main", "cmp.x"},
		{"\tjmpc ", "cmp.x !cmp.y", "done"},
		{"\tjmpc cmp.x, ", "done", "main"},
		{"\tjmpu b0, ", "done", "b0"},
		{"\tifu ", "b0 b15", "r0"},
		{"\tfor ", "i0 i3", "i4"},
		{"\tmova ", "a0.x a0.xy", "r0"},
		{"\tsetemit 0, ", "prim inv", "r0"},
		{"\tend ", "", "r0 mov"},
		{".out name ", "position texcoord0w", "o0"},
		{".out name color ", "o0 o15", "position"},
		{".options ", "extended no-nop", ""},
		{".gsh ", "point fixed", ""},
		{".entry ", "main", "done"},
		{".setf ", "projection", "outpos"},
		{".fvec ", "", "projection"},
		{"\tmov r0, ; ", "", "pos"},
	} {
		text := source + x.line
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": text}}})
		c.published()
		got := map[string]bool{}
		for _, item := range get[[]completionItem](c, "textDocument/completion", c.at(uri, strings.Count(text, "\n"), len(x.line))) {
			require.NotZero(t, item.Kind)
			require.False(t, got[item.Label], "%q twice in %q", item.Label, x.line)
			got[item.Label] = true
		}
		for _, w := range strings.Fields(x.want) {
			require.True(t, got[w], "%q in %q", w, x.line)
		}
		for _, w := range strings.Fields(x.never) {
			require.False(t, got[w], "%q in %q", w, x.line)
		}
	}
	c.leave()
}

// Columns count UTF-16 code units, or bytes if the editor supports it.
func TestPositionEncodings(t *testing.T) {
	const text = ".alias x r0 ; 𝄞\n/*ä𝄞*/ y\n.proc main\n\tmov x, x ; ä\n\tend\n.end\n"
	for encoding, want := range map[string]textRange{"utf-16": rangeAt(1, 0, 7), "utf-8": rangeAt(1, 0, 10)} {
		c := newClient(t)
		result := c.call("initialize", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-32", encoding}}}})
		require.Contains(t, string(result), `"positionEncoding":"`+encoding+`"`)
		c.open(uri, text)
		require.Equal(t, want, c.findings[uri][0].Range, encoding)
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2},
			"contentChanges": []any{map[string]any{"range": want, "text": ";"}, map[string]any{"range": rangeAt(4, 0, 0), "text": "\tnop ; 𝄞\n"}}})
		c.published()
		require.Len(t, c.findings[uri], 1)
		require.Equal(t, "no-output", c.findings[uri][0].Code)
		require.Equal(t, rangeAt(0, 0, map[string]int{"utf-16": 16, "utf-8": 18}[encoding]), c.findings[uri][0].Range, "findings of the whole file are at its first line")
		c.leave()
	}
}

// With Windows line ends the carriage return belongs to the line end, also if an editor's position is after it.
func TestCarriageReturns(t *testing.T) {
	c := start(t)
	c.open(uri, strings.ReplaceAll(source, "\n", "\r\n"))
	require.Equal(t, []diagnostic{{rangeAt(13, 1, 5), severityWarning, "read-unwritten", "pica200", "cmp.x is tested, but nothing set it", nil, ""}}, c.findings[uri])
	require.Equal(t, []location{{uri, rangeAt(3, 7, 10)}}, get[[]location](c, "textDocument/definition", c.at(uri, 8, 11)))
	change := func(r textRange, text string) {
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2},
			"contentChanges": []any{map[string]any{"range": r, "text": text}}})
		c.published()
	}
	change(rangeAt(13, 99, 99), " ; lint: allow read-unwritten") // at the end of the line
	require.Empty(t, c.findings[uri])
	change(textRange{position{11, 99}, position{12, 0}}, "\r\n\tnop\r\n") // between two lines
	require.Empty(t, c.findings[uri])
	edits := get[[]textEdit](c, "textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}})
	for _, e := range edits {
		require.NotContains(t, strings.ReplaceAll(e.NewText, "\r\n", ""), "\r")
	}
	symbols := get[[]documentSymbol](c, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}})
	last := symbols[len(symbols)-1]
	require.Equal(t, rangeAt(16, 0, 4), last.Children[len(last.Children)-1].Range, "the inserted line is counted")
	c.leave()
}

// A position beyond a line's end is its end, before the carriage return; one within a character is after it.
func TestColumnsBeyondLineEnd(t *testing.T) {
	for _, c := range []struct{ line, character, units, bytes int }{
		{0, 2, 2, 2}, {0, 3, 3, 3}, {0, 4, 3, 3}, {0, 99, 3, 3}, {0, -1, 0, 0},
		{1, 1, 4, 1}, {1, 2, 4, 2}, {1, 5, 5, 5}, {1, 6, 5, 5},
		{2, 0, 0, 0}, {2, 1, 0, 0}, {3, 1, 1, 1}, {3, 2, 1, 1}, {4, 0, 0, 0}, {-1, 3, 0, 0},
	} {
		for _, utf8 := range []bool{false, true} {
			d := newDocument(documentID{}, "nop\r\n𝄞x\r\n\r\ny", utf8)
			want := c.units
			if utf8 {
				want = c.bytes
			}
			require.Equal(t, want, d.column(position{c.line, c.character}), "%+v, bytes: %v", c, utf8)
		}
	}
}

// Aliases of aliases and of array parts, with components, in conditions of loops and as index: renaming keeps the code.
func TestRenamingAliases(t *testing.T) {
	const text = ".fvec m[4]\n.alias row m[1]\n.alias part row.wzyx\n.alias t r3\n.alias u t.xyz\n.consti n(3, 0, 1, 0)\n.out o position\n" +
		".proc main\n\tmov t, part\n\tfor n\n\t\tadd u, m[aL], -t.x\n\t\tadd u, -part.x, t\n\t\tnop\n\t.end\n\tmov o, t\n\tmov o.xy, t.xy ; lint: allow output-twice\n\tend\n.end\n"
	before, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(text)})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	c := start(t)
	c.open(uri, text)
	for _, name := range []string{"m", "row", "part", "t", "u", "n", "o"} {
		line, column := 0, 0
		for i, l := range strings.Split(text, "\n") { // its declaration
			if f := strings.Fields(strings.NewReplacer("[", " ", "(", " ").Replace(l)); len(f) > 1 && f[1] == name && f[0][0] == '.' {
				line, column = i, strings.Index(l, " "+name)+1
				break
			}
		}
		at := c.at(uri, line, column)
		at["newName"] = "renamed"
		edits := get[workspaceEdit](c, "textDocument/rename", at).Changes[uri]
		require.Greater(t, len(edits), 1, name)
		d := newDocument(documentID{URI: uri}, text, false)
		for k := len(edits) - 1; k >= 0; k-- {
			require.Equal(t, name, d.lines[edits[k].Range.Start.Line][edits[k].Range.Start.Character:edits[k].Range.End.Character])
			require.NoError(t, d.change(&edits[k].Range, edits[k].NewText))
		}
		after, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(d.text)})
		require.Zero(t, diags.Errors(), "%s: %v", name, diags)
		require.Equal(t, before.File.Program, after.File.Program, name)
	}
	c.leave()
}

// Renaming changes only names, not the code.
func TestRenamingKeepsTheProgram(t *testing.T) {
	words := func(text string) []uint32 {
		prog, diags := asm.Assemble(asm.Options{Object: true}, asm.Source{Name: "x", Text: []byte(text)})
		require.NoError(t, diags.Err())
		return prog.File.Program.Code
	}
	want := words(source)
	d := newDocument(documentID{URI: uri}, source, false)
	require.Len(t, d.symbols, 9)
	for i := range d.symbols {
		s := NewServer("")
		s.documents[uri] = d
		sym := &d.symbols[i]
		at := append(append([]asm.Span{}, sym.Uses...), sym.Decl)[0]
		edit := testkit.Must(s.rename(d, renameParams{positionParams{documentParams{documentID{URI: uri}}, d.position(at.Line, at.Start)}, "renamed"}))(t)
		after := newDocument(documentID{URI: uri}, source, false)
		edits := edit.(workspaceEdit).Changes[uri]
		for k := len(edits) - 1; k >= 0; k-- { // from the end, since an edit shifts later positions
			require.NoError(t, after.change(&edits[k].Range, edits[k].NewText))
		}
		text := after.text
		if sym.Name == "main" {
			text = ".entry renamed\n" + text
		}
		require.Equal(t, want, words(text), sym.Name)
		require.NotContains(t, strings.ReplaceAll(text, "renamed", ""), " "+sym.Name+" ")
	}
}

func TestRequestErrors(t *testing.T) {
	c := newClient(t)
	_, err := c.ask("textDocument/hover", c.at(uri, 0, 0))
	require.Equal(t, serverNotInitialized, err.Code)
	c.call("initialize", map[string]any{})
	for _, x := range []struct {
		method string
		params any
		code   int
	}{
		{"workspace/nothing", nil, methodNotFound},
		{"textDocument/hover", "text", invalidParams},
		{"textDocument/hover", c.at("file:///nowhere", 0, 0), invalidParams},
		{"textDocument/rename", []int{1}, invalidParams},
		{"initialize", 7, invalidParams},
	} {
		_, err := c.ask(x.method, x.params)
		require.NotNil(t, err, x.method)
		require.Equal(t, x.code, err.Code, x.method)
	}
	// Invalid notifications are ignored.
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": "file:///nowhere"}})
	c.notify("$/setTrace", nil)
	c.open(uri, "nop\n")
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri}, "contentChanges": []any{map[string]any{"range": rangeAt(7, 0, 9), "text": "x"}}})
	_, raw := c.out.Write([]byte("Content-Length: 5\r\n\r\n{\"a\":"))
	require.NoError(t, raw)
	m := c.read()
	require.Equal(t, parseError, m.Error.Code)
	c.call("shutdown", nil)
	_, err = c.ask("textDocument/hover", c.at(uri, 0, 0))
	require.Equal(t, invalidRequest, err.Code)
	c.notify("exit", nil)
	require.NoError(t, <-c.done)

	for text, want := range map[string]string{
		"":                                "disconnected without shutdown",
		"Content-Length: 10\r\n\r\n{}":    "unexpected EOF",
		"Content-Length: -1\r\n\r\n":      "expected 0 to",
		"Content-Length: 1e9\r\n\r\n":     "expected 0 to",
		"Content-Length: 99999999999\n\n": "expected 0 to",
		"Content-Type: x\r\n\r\n":         "without Content-Length",
		"GET / HTTP/1.1\r\n\r\n":          "expected NAME: VALUE",
		"Content-Len":                     "unexpected EOF",
		strings.Repeat("x", 1<<17):        "header without end",
		strings.Repeat("A: b\r\n", 200) + "Content-Length: 1\r\n\r\n1": "header without end",
		frame(`{"jsonrpc":"2.0","method":"exit"}`):                     "exit without shutdown",
	} {
		err := NewServer("").Serve(strings.NewReader(text), io.Discard)
		require.ErrorContains(t, err, want, "%.40q", text)
	}
}

// Requests about a document require an open one and valid parameters.
func TestEveryRequestWantsItsDocument(t *testing.T) {
	s := NewServer("")
	for _, method := range []string{"foldingRange", "semanticTokens/full", "inlayHint", "codeAction", "hover", "definition", "prepareRename", "completion",
		"documentSymbol", "formatting", "references", "rename", "documentHighlight", "signatureHelp"} {
		for _, params := range []string{`{"textDocument": {"uri": "file:///nowhere"}}`, `[1]`, `{"textDocument": 7}`} {
			answer, err := s.request("textDocument/"+method, json.RawMessage(params))
			var said *rpcError
			require.ErrorAs(t, err, &said, method)
			require.Equal(t, invalidParams, said.Code, "%s %s", method, params)
			require.Nil(t, answer)
		}
	}
	_, err := s.request("workspace/symbol", json.RawMessage(`[1]`))
	require.Error(t, err)
}

// A message may be empty. A message that cannot be encoded writes nothing.
func TestStreamMessages(t *testing.T) {
	r := bufio.NewReader(strings.NewReader(frame("") + frame("{}") + "content-length:  3 \nX: y\n\nabcd"))
	for _, want := range []string{"", "{}", "abc"} {
		got := testkit.Must(readMessage(r))(t)
		require.Equal(t, want, string(got))
	}
	var b strings.Builder
	require.Error(t, writeMessage(&b, &message{Result: make(chan int)}))
	require.Empty(t, b.String())
	require.NoError(t, writeMessage(&b, &message{Result: 7}))
	require.Equal(t, frame(`{"jsonrpc":"2.0","result":7}`), b.String())
}

func frame(content string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

// FuzzStream sends any bytes to the server.
func FuzzStream(f *testing.F) {
	f.Add([]byte(frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`) + frame(`{"method":"exit"}`)))
	f.Add([]byte("Content-Length: 2\n\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		require.Error(t, NewServer("").Serve(bytes.NewReader(data), io.Discard))
	})
}

// FuzzDocument opens any text, changes it and sends every request at any position. All positions in answers are in the text.
func FuzzDocument(f *testing.F) {
	f.Add(source, "x", 9, 18, 9, 20)
	f.Add("# 7 \"a\"\n\xff𝄞:a: nop\r\n.proc 𝄞\n", "\n", 1, 2, 1, 3)
	f.Fuzz(func(t *testing.T, text, insert string, line, character, toLine, toCharacter int) {
		var out bytes.Buffer
		s := NewServer("")
		s.out = &out
		say := func(method string, id int, params any) {
			raw := testkit.Must(json.Marshal(params))(t)
			m := message{Method: method, Params: raw}
			if id > 0 {
				m.ID = json.RawMessage(itoa(id))
			}
			content := testkit.Must(json.Marshal(m))(t)
			require.NoError(t, s.handle(content))
		}
		say("initialize", 1, map[string]any{})
		say("textDocument/didOpen", 0, map[string]any{"textDocument": map[string]any{"uri": uri, "text": text}})
		at := map[string]any{"textDocument": map[string]any{"uri": uri}, "position": position{line, character}, "newName": "fresh_name"}
		for i := range 2 {
			for k, method := range []string{"hover", "definition", "references", "prepareRename", "rename", "completion", "documentSymbol", "formatting", "documentHighlight", "foldingRange", "semanticTokens/full", "inlayHint", "codeAction", "signatureHelp"} {
				say("textDocument/"+method, 10*i+k+2, at)
			}
			say("textDocument/didChange", 0, map[string]any{"textDocument": map[string]any{"uri": uri}, "contentChanges": []any{
				map[string]any{"range": textRange{position{line, character}, position{toLine, toCharacter}}, "text": insert}}})
		}
		d := s.documents[uri]
		inside := func(r textRange) {
			start, ok1 := d.offset(r.Start)
			end, ok2 := d.offset(r.End)
			require.True(t, ok1 && ok2 && start <= end, "%v in %q", r, d.text)
		}
		for _, x := range d.diagnostics() {
			inside(x.Range)
		}
		for i := range d.symbols {
			for _, p := range append([]asm.Span{d.symbols[i].Decl}, d.symbols[i].Uses...) {
				inside(d.rangeOf(p))
				require.Equal(t, p.Start < p.End && p.End <= len(d.lines[p.Line]) && d.lines[p.Line][p.Start:p.End] == d.symbols[i].Name, p != asm.Span{} || d.symbols[i].Declared, "%q", d.symbols[i].Name)
			}
		}
	})
}

// A document beyond maxText is not analysed until it is small again.
func TestLargeDocument(t *testing.T) {
	c := start(t)
	c.open(uri, strings.Repeat("x\n", maxText/2+1))
	require.Len(t, c.findings[uri], 1)
	require.Contains(t, c.findings[uri][0].Message, "is not looked at")
	require.Empty(t, get[[]completionItem](c, "textDocument/completion", c.at(uri, 5, 0))[0].Detail)
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": source}}})
	c.published()
	require.Equal(t, "read-unwritten", c.findings[uri][0].Code)
	c.leave()
}
