package asm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pica200/shaderunit"
)

// SymbolKind is what a name stands for.
type SymbolKind uint8

// The kinds of symbols.
const (
	SymbolAlias SymbolKind = iota
	SymbolUniform
	SymbolConstant
	SymbolInput
	SymbolOutput
	SymbolLabel
	SymbolProcedure
)

func (k SymbolKind) String() string {
	return [...]string{"alias", "uniform", "constant", "input", "output", "label", "procedure"}[k]
}

// space keeps names apart that do not meet: labels, procedures and names of registers.
func (k SymbolKind) space() SymbolKind {
	if k < SymbolLabel {
		return SymbolAlias
	}
	return k
}

// Place is a word of a source: Line counts from 0, Start and End in bytes of the line as
// it stands, line markers or not.
type Place struct {
	Source           int // index of the source
	Line, Start, End int
}

// Symbol is a name that a source declares, or that is used without being declared, with
// all the places where it stands.
type Symbol struct {
	Name   string
	Kind   SymbolKind
	Detail string // what it is: "c0-c3, float uniforms", "o1, color", "-c5.xxxx"
	// Decl is where it is declared; Declared is false for a procedure of another source.
	Decl     Place
	Declared bool
	Uses     []Place // all others, in order
}

// indexer notes names while a source is assembled.
type indexer struct {
	source  int
	line    int // physical
	symbols []Symbol
	known   map[symbolKey]int // symbols by name
}

// symbolKey names a symbol: procedures are known in all sources.
type symbolKey struct {
	source int
	space  SymbolKind
	name   string
}

func (x *indexer) key(kind SymbolKind, name string) symbolKey {
	k := symbolKey{x.source, kind.space(), name}
	if kind == SymbolProcedure {
		k.source = -1
	}
	return k
}

func (x *indexer) place(w word, line int) Place {
	return Place{x.source, line, w.off, w.off + len(w.text)}
}

func (x *indexer) symbol(kind SymbolKind, name string) *Symbol {
	k := x.key(kind, name)
	i, ok := x.known[k]
	if !ok {
		i = len(x.symbols)
		x.known[k] = i
		x.symbols = append(x.symbols, Symbol{Name: name, Kind: kind})
	}
	return &x.symbols[i]
}

// declares notes a declaration in a physical line; the first one of a name holds.
func (x *indexer) declares(w word, line int, kind SymbolKind, detail string) {
	if x == nil || w.text == "" {
		return
	}
	s := x.symbol(kind, w.text)
	if s.Declared {
		s.Uses = append(s.Uses, x.place(w, line))
		return
	}
	s.Kind, s.Detail, s.Decl, s.Declared = kind, detail, x.place(w, line), true
}

// uses notes a use. Where labels and procedures are concerned it may stand before the
// declaration.
func (x *indexer) uses(w word, kind SymbolKind) {
	if x == nil || w.text == "" {
		return
	}
	s := x.symbol(kind, w.text)
	s.Uses = append(s.Uses, x.place(w, x.line))
}

// Index assembles sources and gives every name in them with its places, ordered by the
// place where it is declared or first used, beside what Assemble gives.
func Index(opt Options, sources ...Source) ([]Symbol, *Program, Diagnostics) {
	a := newAssembler(opt)
	a.index = &indexer{known: map[symbolKey]int{}}
	for i, src := range sources {
		a.index.source = i
		a.source(src)
	}
	prog, diags := a.finish(len(sources))
	list := a.index.symbols
	for i := range list {
		slices.SortFunc(list[i].Uses, comparePlaces)
	}
	slices.SortStableFunc(list, func(a, b Symbol) int { return comparePlaces(a.first(), b.first()) })
	return list, prog, diags
}

func (s *Symbol) first() Place {
	if s.Declared || len(s.Uses) == 0 {
		return s.Decl
	}
	return s.Uses[0]
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Start, b.Start))
}

// registersText words the registers from reg on.
func registersText(kind byte, reg, size int) string {
	letter, n := letter(reg)
	if kind == 'o' {
		letter = 'o'
	}
	if size > 1 {
		return fmt.Sprintf("%c%d-%c%d", letter, n, letter, n+size-1)
	}
	return fmt.Sprintf("%c%d", letter, n)
}

// aliasText words what an alias stands for.
func aliasText(op operand) string {
	s := registersText(op.kind, op.reg, 1)
	if op.negate {
		s = "-" + s
	}
	if op.swizzle != shaderunit.SwizzleXYZW {
		s += "."
		for i := range 4 {
			s += "xyzw"[op.swizzle>>(6-2*i)&3:][:1]
		}
	}
	return s
}

// checkNewName says why a name cannot be given to a register, a label or a procedure, nil
// if it can.
func checkNewName(kind SymbolKind, name string) error {
	switch {
	case name == "" || !validIdentifier(name):
		return fmt.Errorf("%q is not a name: %s", name, identifierRule)
	case kind.space() == SymbolAlias && len(name) > 1 && strings.IndexByte("ovrcib", name[0]|0x20) >= 0 && isDigit(name[1]):
		return fmt.Errorf("%q is the name of a register", name)
	}
	return nil
}

// CheckRename says why a symbol cannot get a new name, nil if it can: it must be a name,
// and none that another symbol of the same space has in its source, or anywhere in the
// case of procedures.
func CheckRename(symbols []Symbol, s *Symbol, name string) error {
	if err := checkNewName(s.Kind, name); err != nil {
		return err
	}
	for i := range symbols {
		o := &symbols[i]
		if o.Name == name && o.Kind.space() == s.Kind.space() && (s.Kind == SymbolProcedure || o.first().Source == s.first().Source) && o.Name != s.Name {
			return fmt.Errorf("%q is the name of another %s", name, o.Kind)
		}
	}
	return nil
}
