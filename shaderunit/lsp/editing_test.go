package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// shape has every kind of name, nested blocks and comments.
const shape = `; a shader
; of two lines
.fvec projection[4], bones[60]
.constf k(0.0, 1.0, -1.0, 0.5)
.alias one k.yyyy ; ones
.in pos v0
.in tint
.out outpos position
.bool lit
.constfa table[2]
.constfa (1, 2, 3, 4)
.constfa (5, 6, 7, 8)
.end
.proc main
	mov r1, tint
	ifu lit
		mov r1.w, one ; r1 here is none
	.else
		mov r1, table[1]
		call helper
	.end
done:
	mov outpos, r1
	end
.end
.proc helper
	nop
.end
`

func ofDocument(uri string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}}
}

func TestDocumentOutline(t *testing.T) {
	c := start(t)
	c.open(uri, shape)
	list := get[[]documentSymbol](c, "textDocument/documentSymbol", ofDocument(uri))
	spans := map[string][4]int{}
	for _, s := range list {
		spans[s.Name] = [4]int{s.Range.Start.Line, s.Range.End.Line, s.SelectionRange.Start.Line, s.SelectionRange.Start.Character}
	}
	require.Equal(t, [4]int{13, 24, 13, 6}, spans["main"], "a procedure spans from .proc to .end")
	require.Equal(t, [4]int{25, 27, 25, 6}, spans["helper"])
	require.Equal(t, [4]int{9, 12, 9, 9}, spans["table"])
	require.Equal(t, [4]int{8, 8, 8, 6}, spans["lit"])
	require.NotContains(t, spans, "done")
	for _, s := range list {
		if s.Name == "main" {
			require.Len(t, s.Children, 1)
			require.Equal(t, "done", s.Children[0].Name)
			require.Equal(t, position{24, 4}, s.Range.End)
		}
	}

	// Symbols of all documents.
	other := "file:///work/b.pica"
	c.open(other, ".nodvle\n.proc Project\n\tnop\n.end\n")
	find := func(query string) (names []string) {
		for _, s := range get[[]symbolInformation](c, "workspace/symbol", map[string]any{"query": query}) {
			names = append(names, s.Name)
			require.NotEmpty(t, s.Location.URI)
		}
		return names
	}
	require.Equal(t, []string{"projection", "Project"}, find("prj"))
	require.Equal(t, []string{"Project"}, find("PROJECT")[1:])
	require.Empty(t, find("ejorp"), "a search needs the letters in order")
	require.Len(t, find(""), len(list)+2)

	require.Equal(t, []foldingRange{{0, 1, "comment"}, {9, 11, ""}, {13, 23, ""}, {15, 16, ""}, {17, 19, ""}, {25, 26, ""}},
		get[[]foldingRange](c, "textDocument/foldingRange", ofDocument(uri)))
	c.leave()
}

func TestHighlightsAndSemanticTokens(t *testing.T) {
	for _, encoding := range []string{"utf-16", "utf-8"} {
		c := start(t, encoding)
		c.open(uri, shape)
		light := func(line, character int) (list []documentHighlight) {
			return get[[]documentHighlight](c, "textDocument/documentHighlight", c.at(uri, line, character))
		}
		require.Equal(t, []documentHighlight{{rangeAt(4, 7, 10), highlightWrite}, {rangeAt(16, 12, 15), highlightRead}}, light(16, 13), "a name")
		require.Equal(t, []documentHighlight{{rangeAt(14, 5, 7), highlightText}, {rangeAt(16, 6, 8), highlightText}, {rangeAt(18, 6, 8), highlightText}, {rangeAt(22, 13, 15), highlightText}}, light(16, 7), "a register, not in a comment")
		require.Empty(t, light(22, 2), "an instruction")
		require.Empty(t, light(99, 2))

		// Semantic tokens, decoded as editors do.
		data := get[struct{ Data []int }](c, "textDocument/semanticTokens/full", ofDocument(uri)).Data
		require.Zero(t, len(data)%5)
		type token struct {
			text, kind string
			modifiers  int
		}
		lines := strings.Split(shape, "\n")
		var list []token
		line, character := 0, 0
		for ; len(data) > 0; data = data[5:] {
			if data[0] > 0 {
				character = 0
			}
			line, character = line+data[0], character+data[1]
			list = append(list, token{lines[line][character:][:data[2]], tokenTypes[data[3]], data[4]})
		}
		require.Equal(t, []token{{"projection", "variable", 1}, {"bones", "variable", 1}, {"k", "variable", 3}, {"one", "macro", 1}, {"k", "variable", 2}, {"pos", "parameter", 3}}, list[:6])
		require.Contains(t, list, token{"outpos", "property", 0})
		require.Contains(t, list, token{"done", "label", 1})
		require.Contains(t, list, token{"helper", "function", 0})

		// Inlay hints show the registers of declarations without one.
		hints := map[string]position{}
		for _, h := range get[[]inlayHint](c, "textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": rangeAt(2, 0, 0)}) {
			hints[h.Label] = h.Position
		}
		require.Equal(t, map[string]position{": c0-c3": {2, 16}, ": c4-c63": {2, 26}}, hints, "hints for the requested lines only")
		all := rangeAt(0, 0, 0)
		all.End.Line = 99
		clear(hints)
		for _, h := range get[[]inlayHint](c, "textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": all}) {
			hints[h.Label] = h.Position
		}
		require.Equal(t, position{6, 8}, hints[": v1"])
		require.Equal(t, position{7, 11}, hints[": o0"])
		require.Equal(t, position{3, 9}, hints[": c95"])
		require.NotContains(t, hints, ": v0", "no hint where the line already names the register")
		c.leave()
	}
}

func TestSignatureHelp(t *testing.T) {
	c := start(t)
	c.open(uri, ".out \n.proc main\nagain: SGE o0.x, c0, \n\tnop\n\tend ; mov r0,\n.end\n")
	ask := func(line, character int) *signatureHelp {
		return get[*signatureHelp](c, "textDocument/signatureHelp", c.at(uri, line, character))
	}
	h := ask(2, 21)
	require.Equal(t, []string{"sge d, w, n", "sge d, n, w"}, []string{h.Signatures[0].Label, h.Signatures[1].Label})
	require.Equal(t, 2, h.ActiveParameter)
	require.Equal(t, []parameter{{[2]int{4, 5}}, {[2]int{7, 8}}, {[2]int{10, 11}}}, h.Signatures[0].Parameters)
	require.Contains(t, h.Signatures[0].Documentation.Value, "Opcode 0x0")
	require.Equal(t, 0, ask(2, 12).ActiveParameter)
	require.Equal(t, 1, ask(2, 17).ActiveParameter)
	require.Equal(t, ".out name property[.mask]", ask(0, 5).Signatures[0].Label)
	require.Equal(t, []parameter{{[2]int{5, 9}}, {[2]int{10, 25}}}, ask(0, 5).Signatures[0].Parameters)
	require.Nil(t, ask(2, 9), "no signature on the mnemonic itself")
	require.Nil(t, ask(4, 14), "no signature in a comment")
	require.Nil(t, ask(99, 0))
	c.leave()
}

// Every "did you mean" has a quick fix that removes the finding.
func TestQuickFixesRemoveFindings(t *testing.T) {
	names := testkit.Must(filepath.Glob("../asm/testdata/*.pica"))(t)
	texts := []string{
		".fvec projection[4]\n.proc main\n\tmov o0, projektion\n\tmvo r0, v0\n\tend\n.end\n",
		".proc main\n\tjmpu b0, dnoe\ndone:\n\tend\n.end\n",
		".out p postion\n.alais x v0\n.proc main\n\tcmp v0, qe, eq, v0\n\tend\n.end\n",
		".fvecs a\n.out a colour\n.proc main\n\tcmp r0, equal, ne, r1\n\tmov r0, q1\n\tend\n.end\n",
		"; ähnlich €\n.proc main\n\tmov r0, v0 ; é\n\tcal main\n\tend\n.end\n",
	}
	for _, name := range names {
		text := testkit.Must(os.ReadFile(name))(t)
		texts = append(texts, string(text))
	}
	fixed := map[bool]int{}
	for _, utf8 := range []bool{false, true} {
		for _, text := range texts {
			s := NewServer("test")
			d := newDocument(documentID{URI: uri}, text, utf8)
			all := textRange{End: position{Line: len(d.lines)}}
			for _, a := range s.codeActions(d, all).([]codeAction) {
				changed := newDocument(documentID{URI: uri}, text, utf8)
				edit := a.Edit.Changes[uri][0]
				require.NoError(t, changed.change(&edit.Range, edit.NewText))
				changed.set(changed.text)
				for _, f := range changed.diagnostics() {
					require.NotEqual(t, a.Diagnostics[0].Message, f.Message, "%s: %s", a.Title, text)
				}
				require.Equal(t, "quickfix", a.Kind)
				fixed[utf8]++
			}
			hints := 0
			for i := range d.found {
				if strings.HasPrefix(d.found[i].Hint, "did you mean ") {
					hints++
				}
			}
			require.Len(t, s.codeActions(d, all), hints, "a fix for each hint: %s", text)
			require.Empty(t, s.codeActions(d, textRange{position{len(d.lines) + 1, 0}, position{len(d.lines) + 2, 0}}))
		}
	}
	require.GreaterOrEqual(t, fixed[true], 8)
	require.Equal(t, fixed[true], fixed[false])
}

// After a line marker, findings have other line numbers, so that no fix is offered.
func TestNoFixAfterLineMarkers(t *testing.T) {
	d := newDocument(documentID{URI: uri}, "; the first line\n# 1 \"a.v.pica\"\n.proc main\n\tmvo r0, v0\n\tend\n.end\n", true)
	require.NotEmpty(t, d.found)
	require.Equal(t, "mov", d.found[0].Instead())
	require.Empty(t, NewServer("test").codeActions(d, textRange{End: position{9, 0}}))
}

// Other positions with the same cause are related information.
func TestRelatedInformation(t *testing.T) {
	c := start(t)
	c.open(uri, ".out pos position\n.proc main\n\tadd r0, r1, r1\n\tadd r2, r1, r0\n\tmov pos, r2\n\tend\n.end\n")
	require.Len(t, c.findings[uri], 1)
	require.Equal(t, rangeAt(2, 1, 4), c.findings[uri][0].Range)
	require.Equal(t, []relatedInformation{{location{uri, rangeAt(3, 1, 4)}, "here too"}}, c.findings[uri][0].Related)
	c.leave()
}
