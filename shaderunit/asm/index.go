package asm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// SymbolKind is the kind of thing that a name denotes.
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

// space returns the namespace of the kind: labels, procedures or registers.
func (k SymbolKind) space() SymbolKind {
	if k < SymbolLabel {
		return SymbolAlias
	}
	return k
}

// Span is a word of a source. Line counts lines of the text from 0, ignoring
// line markers; Start and End are byte offsets in the line.
type Span struct {
	Source           int // index of the source
	Line, Start, End int
}

// Symbol is a name that a source declares, or uses without a declaration, with
// all its positions.
type Symbol struct {
	Name   string
	Kind   SymbolKind
	Detail string // what it is: "c0-c3, float uniforms", "o1, color", "-c5.xxxx"
	// Decl is the declaration; Declared is false for a procedure of another source.
	Decl     Span
	Declared bool
	Uses     []Span // all other positions, in order
}

// indexer collects names while a source is assembled.
type indexer struct {
	source  int
	line    int // line of the text
	symbols []Symbol
	known   map[symbolKey]int // symbols by name
}

// symbolKey identifies a symbol. Procedures are visible in all sources, so
// source is not set for them.
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

func (x *indexer) span(w word, line int) Span {
	return Span{x.source, line, w.off, w.off + len(w.text)}
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

// declares notes a declaration in a line of the text; the first declaration of
// a name counts.
func (x *indexer) declares(w word, line int, kind SymbolKind, detail string) {
	if x == nil || w.text == "" {
		return
	}
	s := x.symbol(kind, w.text)
	if s.Declared {
		s.Uses = append(s.Uses, x.span(w, line))
		return
	}
	s.Kind, s.Detail, s.Decl, s.Declared = kind, detail, x.span(w, line), true
}

// uses notes a use. A label or procedure may be used before its declaration.
func (x *indexer) uses(w word, kind SymbolKind) {
	if x == nil || w.text == "" {
		return
	}
	s := x.symbol(kind, w.text)
	s.Uses = append(s.Uses, x.span(w, x.line))
}

// Index is Assemble that also returns every name in the sources with its
// places, sorted by declaration or first use.
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
		slices.SortFunc(list[i].Uses, compareSpans)
	}
	slices.SortStableFunc(list, func(a, b Symbol) int { return compareSpans(a.first(), b.first()) })
	return list, prog, diags
}

func (s *Symbol) first() Span {
	if s.Declared || len(s.Uses) == 0 {
		return s.Decl
	}
	return s.Uses[0]
}

func compareSpans(a, b Span) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Start, b.Start))
}

// registersText describes size registers from reg.
func registersText(kind byte, reg, size int) string {
	letter, n := picasso.Letter(reg)
	if kind == 'o' {
		letter = 'o'
	}
	if size > 1 {
		return fmt.Sprintf("%c%d-%c%d", letter, n, letter, n+size-1)
	}
	return fmt.Sprintf("%c%d", letter, n)
}

// aliasText describes the operand of an alias.
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

// checkNewName returns an error if a register, label or procedure cannot have
// this name.
func checkNewName(kind SymbolKind, name string) error {
	switch {
	case name == "" || !picasso.ValidIdentifier(name):
		return fmt.Errorf("%q is not a name: %s", name, identifierRule)
	case kind.space() == SymbolAlias && len(name) > 1 && strings.IndexByte("ovrcib", name[0]|0x20) >= 0 && picasso.IsDigit(name[1]):
		return fmt.Errorf("%q is the name of a register", name)
	}
	return nil
}

// CheckRename returns an error if a symbol cannot have the new name: it must be
// valid, and no other symbol of the same namespace may have it in the same
// source (for procedures, in any source).
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
