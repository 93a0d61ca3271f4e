package lsp

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
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
