package lsp

import (
	"strings"
	"unicode/utf16"

	"pica200/shaderunit/asm"
)

// codeActions returns the quick fixes in a range: the replacements that
// findings suggest.
func (s *Server) codeActions(d *document, r textRange) any {
	list := []codeAction{}
	findings := d.diagnostics()
	for i, f := range findings {
		if f.Instead == "" || f.Range.End.Line < r.Start.Line || f.Range.Start.Line > r.End.Line {
			continue
		}
		list = append(list, codeAction{
			Title: "Replace with " + f.Instead, Kind: "quickfix", Diagnostics: findings[i : i+1], IsPreferred: true,
			Edit: workspaceEdit{map[string][]textEdit{d.uri: {{f.Range, f.Instead}}}},
		})
	}
	return list
}

// textIn returns the text of a range in one line.
func (d *document) textIn(r textRange) string {
	if r.Start.Line != r.End.Line || r.Start.Line >= len(d.lines) {
		return ""
	}
	start, end := d.column(r.Start), d.column(r.End)
	return d.lines[r.Start.Line][start:max(start, end)]
}

// signatureHelp returns the forms of the instruction or directive at the
// position, and the operand that the position is in.
func (s *Server) signatureHelp(d *document, p position) any {
	name, operands, _ := d.statementAt(p)
	if operands == "" {
		return nil
	}
	_, rest, found := strings.Cut(asm.Help(name), "```pica\n")
	forms, text, _ := strings.Cut(rest, "\n```\n")
	if !found {
		return nil
	}
	help := signatureHelp{ActiveParameter: max(0, operandAt(name, operands))}
	for _, form := range strings.Split(forms, "\n") {
		sig := signature{Label: form, Documentation: markup{"markdown", text}, Parameters: []parameter{}}
		separator := ", "
		if strings.HasPrefix(name, ".") {
			separator = " "
		}
		at := strings.IndexByte(form, ' ') + 1
		for at > 0 {
			n := strings.Index(form[at:], separator)
			if n < 0 {
				sig.Parameters = append(sig.Parameters, parameter{[2]int{units(form[:at]), units(form)}})
				break
			}
			sig.Parameters = append(sig.Parameters, parameter{[2]int{units(form[:at]), units(form[:at+n])}})
			at += n + len(separator)
		}
		help.Signatures = append(help.Signatures, sig)
	}
	return help
}

// units returns the length of a text in UTF-16 code units, which labels of
// parameters use whatever positions count in.
func units(s string) int { return len(utf16.Encode([]rune(s))) }
