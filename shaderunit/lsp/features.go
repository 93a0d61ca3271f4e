package lsp

import (
	"fmt"
	"strings"

	"pica200/shaderunit/asm"
)

// hover describes what is at a position: a name of the source or a word of the
// language.
func (s *Server) hover(d *document, p position) any {
	column := d.column(p)
	if p.Line >= 0 && p.Line < len(d.lines) {
		if semi := strings.IndexByte(d.lines[p.Line], ';'); semi >= 0 && semi < column {
			return nil // in a comment
		}
	}
	if sym, at := d.symbolAt(p); sym != nil {
		text := fmt.Sprintf("`%s`: %s", sym.Name, sym.Kind)
		if sym.Detail != "" {
			text += ", `" + sym.Detail + "`"
		}
		r := d.rangeOf(at)
		return hover{markup{"markdown", text}, &r}
	}
	word, r := d.wordAt(p)
	help := asm.Help(word)
	if name, _, dotted := strings.Cut(word, "."); help == "" && dotted {
		help = asm.Help(name)
	}
	if help == "" {
		return nil
	}
	return hover{markup{"markdown", help}, &r}
}

// locations returns the positions of a symbol: in its document, and for a procedure
// in all documents.
func (s *Server) locations(d *document, sym *asm.Symbol, declarations, uses bool) (list []location) {
	add := func(d *document, sym *asm.Symbol) {
		if declarations && sym.Declared {
			list = append(list, location{d.uri, d.rangeOf(sym.Decl)})
		}
		if uses {
			for _, p := range sym.Uses {
				list = append(list, location{d.uri, d.rangeOf(p)})
			}
		}
	}
	if sym.Kind != asm.SymbolProcedure {
		add(d, sym)
		return list
	}
	for _, o := range s.ordered() {
		for i := range o.symbols {
			if t := &o.symbols[i]; t.Kind == asm.SymbolProcedure && t.Name == sym.Name {
				add(o, t)
			}
		}
	}
	return list
}

func (s *Server) definition(d *document, p position) any {
	sym, _ := d.symbolAt(p)
	if sym == nil {
		return []location{}
	}
	return append([]location{}, s.locations(d, sym, true, false)...)
}

func (s *Server) references(d *document, p referenceParams) any {
	sym, _ := d.symbolAt(p.Position)
	if sym == nil {
		return []location{}
	}
	return append([]location{}, s.locations(d, sym, p.Context.IncludeDeclaration, true)...)
}

// prepareRename returns the range that a renaming would change.
func (s *Server) prepareRename(d *document, p position) any {
	sym, at := d.symbolAt(p)
	if sym == nil {
		return nil
	}
	return d.rangeOf(at)
}

func (s *Server) rename(d *document, p renameParams) (any, error) {
	sym, _ := d.symbolAt(p.Position)
	if sym == nil {
		return nil, &rpcError{requestFailed, "there is no name of this source here"}
	}
	for _, o := range s.ordered() {
		if o != d && sym.Kind != asm.SymbolProcedure {
			continue
		}
		if err := asm.CheckRename(o.symbols, sym, p.NewName); err != nil {
			return nil, &rpcError{requestFailed, err.Error()}
		}
	}
	edit := workspaceEdit{map[string][]textEdit{}}
	for _, l := range s.locations(d, sym, true, true) {
		edit.Changes[l.URI] = append(edit.Changes[l.URI], textEdit{l.Range, p.NewName})
	}
	return edit, nil
}

// formatting formats the whole document.
func (s *Server) formatting(d *document) any {
	tidy := string(asm.Format([]byte(d.text)))
	if tidy == d.text {
		return []textEdit{}
	}
	last := len(d.lines) - 1
	return []textEdit{{textRange{End: d.position(last, len(d.lines[last]))}, tidy}}
}
