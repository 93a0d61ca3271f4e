package lsp

import (
	"slices"
	"strings"

	"pica200/shaderunit/asm"
)

// documentSymbols lists what a source declares: procedures with their bodies
// and the labels in them.
func (s *Server) documentSymbols(d *document) any {
	list := []documentSymbol{}
	blocks := d.blocks()
	for i := range d.symbols {
		sym := &d.symbols[i]
		if !sym.Declared {
			continue
		}
		out := d.symbol(sym)
		if at := slices.IndexFunc(blocks, func(b asm.Block) bool { return b.First == sym.Decl.Line }); at >= 0 {
			out.Range = textRange{d.position(blocks[at].First, 0), d.lineEnd(blocks[at].Last)}
		}
		inside := func(o documentSymbol) bool {
			return o.Kind == symbolFunction && o.Range.Start.Line <= sym.Decl.Line && sym.Decl.Line <= o.Range.End.Line
		}
		if at := slices.IndexFunc(list, inside); at >= 0 && sym.Kind == asm.SymbolLabel {
			list[at].Children = append(list[at].Children, out)
			continue
		}
		list = append(list, out)
	}
	return list
}

// symbolKinds maps to the protocol's kinds; all others are variables.
var symbolKinds = map[asm.SymbolKind]int{asm.SymbolProcedure: symbolFunction, asm.SymbolConstant: symbolConstant, asm.SymbolLabel: symbolKey}

func (d *document) symbol(sym *asm.Symbol) documentSymbol {
	kind := symbolVariable
	if k := symbolKinds[sym.Kind]; k != 0 {
		kind = k
	}
	r := d.rangeOf(sym.Decl)
	return documentSymbol{Name: sym.Name, Detail: strings.TrimSpace(sym.Kind.String() + " " + sym.Detail), Kind: kind, Range: r, SelectionRange: r}
}

// blocks returns the blocks of the text, outer ones first.
func (d *document) blocks() []asm.Block {
	if len(d.text) > maxText {
		return nil
	}
	list := asm.Blocks([]byte(d.text))
	slices.SortFunc(list, func(a, b asm.Block) int { return a.First - b.First })
	return list
}

func (d *document) lineEnd(line int) position {
	return d.position(line, len(strings.TrimSuffix(d.lines[line], "\r")))
}

// workspaceSymbols finds names in all open sources that contain the letters of
// the query in order.
func (s *Server) workspaceSymbols(query string) any {
	list := []symbolInformation{}
	for _, d := range s.ordered() {
		for i := range d.symbols {
			if sym := &d.symbols[i]; sym.Declared && hasLetters(strings.ToLower(sym.Name), strings.ToLower(query)) {
				out := d.symbol(sym)
				list = append(list, symbolInformation{out.Name, out.Kind, location{d.uri, out.SelectionRange}, sym.Kind.String()})
			}
		}
	}
	return list
}

func hasLetters(name, query string) bool {
	for _, r := range query {
		at := strings.IndexRune(name, r)
		if at < 0 {
			return false
		}
		name = name[at+len(string(r)):]
	}
	return true
}

// foldingRanges are the blocks of a source, with .else separate, and runs of
// comments.
func (s *Server) foldingRanges(d *document) any {
	list := []foldingRange{}
	add := func(first, last int, kind string) {
		if last > first {
			list = append(list, foldingRange{first, last, kind})
		}
	}
	for _, b := range d.blocks() {
		first := b.First
		if b.Else >= 0 {
			add(first, b.Else-1, "")
			first = b.Else
		}
		add(first, b.Last-1, "")
	}
	first := -1
	for i := range len(d.lines) + 1 {
		comment := i < len(d.lines) && strings.HasPrefix(strings.TrimLeft(d.lines[i], " \t"), ";")
		switch {
		case comment && first < 0:
			first = i
		case !comment && first >= 0:
			add(first, i-1, "comment")
			first = -1
		}
	}
	slices.SortStableFunc(list, func(a, b foldingRange) int { return a.StartLine - b.StartLine })
	return list
}
