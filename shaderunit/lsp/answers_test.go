package lsp

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// everywhere is a document with all features of the language, a second one that it calls, and one with mistakes in many lines.
var everywhere = [3]string{`; every kind of name, and words of all kinds
.alias short r3 as (xyz) ; an alias
.alias half c90
.fvec matrix[4], 𝒮cale
.fvec scale, rest[2]
.ivec steps
.bool lit, dark
.constf one(1.0, 0x1.8p3, -1e-3, nan)
.constfa table[] (0, 1, 2, 3)
.constfa (4, 5, 6, 7)
.end
.consti three(2, 0, 1, 0)
.setf c88(1, 2, 3, 4)
.setb b7 true
.in place
.in tint v3
.out at position o0
.out color color.rgba o2.wzyx
.out - texcoord0 o1.xy
.entry start
.proc start
	dp4 at.x, matrix[0], place
	dp4 at.y, matrix[1], place.xyzw
	mova a0.xy, place.zw
	mul r0.xz, matrix[a0.x + 1], -place.wzyx ; 𝒮 ends
	mov short, one
	cmp place.xy, gt, le, one
	ifc cmp.x && !cmp.y
		add color, tint, r0
	.else
		mov color.w, tint.x
	.end
	ifu lit
		call away
		call outside
	.end
	for three
		mad r1, tint, one, r0
		breakc cmp.x | cmp.y
	.end
skip:	jmpu !dark, skip
	end
.end
.proc away
	mov r2.xyz, scale
.end
`, `.nodvle
.fvec scale
.proc outside
	mov o1, scale
.end
.proc away
	nop
.end
`, `.alias x
.fvec a[0], c95x
.constf one(1, 2
.in v17
.out odd nothing
.proc main
	mov r16, v0
	mov r0.q, v99
	add r0, c1, c2
	call nowhere
	jump main
	.else
	ifc cmp.z
	for b0
label
label:
label:
`}

// Golden file: checksums of all answers at every position of some documents, and for single words of the language.
func TestAnswerChecksums(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Checksums of answers by document, line and what is asked. Written by go test ./shaderunit/lsp -run TestAnswerChecksums -update\n")
	for _, encoding := range []string{"utf-8", "utf-16"} {
		s := NewServer("test")
		s.out = io.Discard
		call := func(method string, p any) string {
			raw := testkit.Must(json.Marshal(p))(t)
			answer, err := s.call(method, raw)
			text, jsonErr := json.Marshal(answer)
			require.NoError(t, jsonErr)
			return fmt.Sprint(string(text), err)
		}
		fmt.Fprintf(&b, "%s\n", call("initialize", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{encoding}}}}))
		texts := everywhere[:]
		if encoding != "utf-8" {
			texts = texts[:1]
		}
		uri := func(n int) string { return fmt.Sprintf("file:///%d.pica", n) }
		for n, text := range texts {
			call("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri(n), "text": text}})
		}
		for n, text := range texts {
			document := map[string]any{"uri": uri(n)}
			findings := testkit.Must(json.Marshal(s.documents[uri(n)].diagnostics()))(t)
			fmt.Fprintf(&b, "%s %08x\n", uri(n), sum(string(findings)+call("textDocument/documentSymbol", map[string]any{"textDocument": document})+call("textDocument/formatting", map[string]any{"textDocument": document})))
			for line, text := range strings.Split(text+"\n", "\n") {
				fmt.Fprintf(&b, "%d:", line)
				for _, method := range []string{"hover", "definition", "prepareRename", "completion", "references", "rename"} {
					all, step := "", 2
					if method == "completion" {
						step = 11
					}
					for column := 0; column <= len(text)+1; column += step {
						all += call("textDocument/"+method, map[string]any{"textDocument": document, "position": position{line, column},
							"newName": fmt.Sprintf("name%d", column), "context": map[string]any{"includeDeclaration": column&1 == 0}})
					}
					fmt.Fprintf(&b, " %08x", sum(all))
				}
				b.WriteString("\n")
			}
		}
	}
	for _, words := range [][]string{asm.Mnemonics(), asm.Directives(), asm.OptionWords()} {
		s := NewServer("test")
		s.documents["x"] = newDocument(documentID{URI: "x"}, strings.Join(words, ".x\n"), true)
		all := ""
		for line := range words {
			answer := testkit.Must(json.Marshal(s.hover(s.documents["x"], position{line, 1})))(t)
			all += string(answer)
		}
		fmt.Fprintf(&b, "words %08x\n", sum(all))
	}
	testkit.Golden(t, "testdata/answers.txt", []byte(b.String()))
}

func sum(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

// Ask answers without a session as the server answers an editor.
func TestAskWithoutSession(t *testing.T) {
	other := "; ähnlich\n.proc helper\n\tnop\n.end\n"
	ask := func(what string, line, character int) any {
		t.Helper()
		got := testkit.Must(Ask(Question{Texts: map[string]string{"a.v.pica": source, "b.pica": other}, Name: "a.v.pica", What: what, Line: line, Character: character}))(t)
		return got
	}
	require.Contains(t, ask("hover", 9, 2).(hover).Contents.Value, "dp4 d, w, n")
	require.Nil(t, ask("hover", 0, 4))
	labels := func(list any) (names []string) {
		for _, i := range list.([]completionItem) {
			names = append(names, i.Label)
		}
		return names
	}
	require.Equal(t, []string{"main", "helper"}, labels(ask("completion", 14, 6)), "completion offers labels of all texts")
	require.Contains(t, labels(ask("completion", 9, 1)), "mov")
	require.Equal(t, []diagnostic{{rangeAt(13, 1, 5), severityWarning, "read-unwritten", "pica200", "cmp.x is tested, but nothing set it", nil, ""}}, ask("diagnostics", 0, 0))
	tokens := ask("semanticTokens", 0, 0).(map[string]any)
	require.Equal(t, "variable", tokens["types"].([]string)[tokens["data"].([]int)[3]])
	require.Equal(t, []int{1, 6, 10, 0, 1}, tokens["data"].([]int)[:5], "the first token: projection in the second line")
	untidy := Question{Texts: map[string]string{"a": "MOV  r0,r1"}, Name: "a", What: "formatting"}
	require.Equal(t, []textEdit{{rangeAt(0, 0, 10), "mov r0, r1\n"}}, testkit.Must(Ask(untidy))(t))
	for want, q := range map[string]Question{"there is no": {Texts: map[string]string{"a": ""}, Name: "b", What: "hover"}, "unknown question": {Texts: map[string]string{"a": ""}, Name: "a", What: "guess"}} {
		_, err := Ask(q)
		require.ErrorContains(t, err, want)
	}
	odd := Question{Texts: map[string]string{"a": "\tmov r0@x, r1\n"}, Name: "a", What: "diagnostics"}
	plain := testkit.Must(Ask(odd))(t)
	odd.Extended = true
	extended := testkit.Must(Ask(odd))(t)
	require.NotEqual(t, plain, extended)
}

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
