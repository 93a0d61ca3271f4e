package lsp

import (
	"cmp"
	"slices"
	"strings"

	"pica200/shaderunit/asm"
)

// highlights returns the positions of the name or register at a position.
func (s *Server) highlights(d *document, p position) any {
	list := []documentHighlight{}
	if sym, _ := d.symbolAt(p); sym != nil {
		if sym.Declared {
			list = append(list, documentHighlight{d.rangeOf(sym.Decl), highlightWrite})
		}
		for _, use := range sym.Uses {
			list = append(list, documentHighlight{d.rangeOf(use), highlightRead})
		}
		return list
	}
	word, _ := d.wordAt(p)
	register, _, _ := strings.Cut(word, ".")
	if !isRegister(register) {
		return list
	}
	for line, text := range d.lines {
		code, _, _ := strings.Cut(text, ";")
		for _, at := range words().FindAllStringIndex(code, -1) {
			if name, _, _ := strings.Cut(code[at[0]:at[1]], "."); name == register {
				list = append(list, documentHighlight{textRange{d.position(line, at[0]), d.position(line, at[0]+len(name))}, highlightText})
			}
		}
	}
	return list
}

// isRegister reports whether a word is the name of a register.
func isRegister(word string) bool {
	return len(word) > 1 && strings.Contains("orvcib", word[:1]) && strings.Trim(word[1:], "0123456789") == ""
}

// Token types of a source's names, for the editor's colours: a grammar cannot
// distinguish them.
var (
	tokenTypes     = []string{"variable", "parameter", "property", "function", "macro", "label"}
	tokenModifiers = []string{"declaration", "readonly"}
	tokenOf        = map[asm.SymbolKind]struct{ kind, modifiers int }{
		asm.SymbolUniform: {0, 0}, asm.SymbolConstant: {0, 2}, asm.SymbolInput: {1, 2}, asm.SymbolOutput: {2, 0},
		asm.SymbolProcedure: {3, 0}, asm.SymbolAlias: {4, 0}, asm.SymbolLabel: {5, 0},
	}
)

// semanticTokens returns every name of a source in the protocol's numbers:
// lines and characters since the last token, length, type and modifiers.
func (s *Server) semanticTokens(d *document) any {
	type token struct {
		at              textRange
		kind, modifiers int
	}
	var list []token
	for i := range d.symbols {
		sym := &d.symbols[i]
		t := tokenOf[sym.Kind]
		if sym.Declared {
			list = append(list, token{d.rangeOf(sym.Decl), t.kind, t.modifiers | 1})
		}
		for _, use := range sym.Uses {
			list = append(list, token{d.rangeOf(use), t.kind, t.modifiers})
		}
	}
	slices.SortStableFunc(list, func(a, b token) int {
		return cmp.Or(a.at.Start.Line-b.at.Start.Line, a.at.Start.Character-b.at.Start.Character)
	})
	data := []int{}
	last := position{}
	for i, t := range list {
		if i > 0 && t.at.Start == list[i-1].at.Start {
			continue // the same word with two meanings
		}
		line, character := t.at.Start.Line-last.Line, t.at.Start.Character
		if line == 0 {
			character -= last.Character
		}
		data = append(data, line, character, t.at.End.Character-t.at.Start.Character, t.kind, t.modifiers)
		last = t.at.Start
	}
	return map[string]any{"data": data}
}

// inlayHints shows after a declaration which register it is, if the line does
// not say so.
func (s *Server) inlayHints(d *document, r textRange) any {
	list := []inlayHint{}
	for i := range d.symbols {
		sym := &d.symbols[i]
		if !sym.Declared || sym.Kind >= asm.SymbolLabel || sym.Decl.Line < r.Start.Line || sym.Decl.Line > r.End.Line {
			continue
		}
		register, _, _ := strings.Cut(sym.Detail, " ")
		register, _, _ = strings.Cut(strings.TrimSuffix(register, ","), ".")
		code, _, _ := strings.Cut(d.lines[sym.Decl.Line], ";")
		if register == "" || sym.Kind == asm.SymbolAlias || slices.Contains(strings.FieldsFunc(code, func(r rune) bool { return r == '.' || !words().MatchString(string(r)) }), register) {
			continue
		}
		list = append(list, inlayHint{d.position(sym.Decl.Line, sym.Decl.End), ": " + register, hintType, "the register of the " + sym.Kind.String()})
	}
	return list
}
