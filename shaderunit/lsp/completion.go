package lsp

import (
	"fmt"
	"slices"
	"strings"

	"pica200/shaderunit/asm"
)

// completion returns what can be written at a position: a mnemonic or directive
// at the start of a statement, otherwise an operand of the statement.
func (s *Server) completion(d *document, p position) any {
	c := &candidates{s: s, d: d, items: []completionItem{}}
	name, operands, ok := d.statementAt(p)
	switch {
	case !ok:
		return c.items
	case operands == "":
		c.words(kindKeyword, asm.Directives()...)
		c.words(kindFunction, asm.Mnemonics()...)
		return c.items
	}
	c.operands = operands
	at := operandAt(name, c.operands)
	for i := range expected {
		if e := &expected[i]; e.takes(name) && (e.at == anywhere || e.at == at) {
			e.give(c)
			break
		}
	}
	return c.items
}

// statementAt returns the name in lower case and the operands of the statement up to a
// position; operands is "" if the position is in the name, and starts with a blank
// otherwise. It is not ok in a comment.
func (d *document) statementAt(p position) (name, operands string, ok bool) {
	if p.Line < 0 || p.Line >= len(d.lines) {
		return "", "", false
	}
	before := d.lines[p.Line][:d.column(p)]
	if strings.Contains(before, ";") {
		return "", "", false
	}
	statement := strings.TrimLeft(before[strings.LastIndexByte(before, ':')+1:], " \t")
	end := strings.IndexAny(statement, " \t")
	if end < 0 {
		end = len(statement)
	}
	return strings.ToLower(statement[:end]), statement[end:], true
}

// operandAt returns the number of the operand at the position, from 0; for a
// directive, that of the word.
func operandAt(name, operands string) int {
	if !strings.HasPrefix(name, ".") {
		return strings.Count(operands, ",")
	}
	words := len(strings.Fields(operands))
	if strings.HasSuffix(operands, " ") || strings.HasSuffix(operands, "\t") {
		return words
	}
	return words - 1
}

const anywhere = -1

// expected lists what mnemonics and directives take at each position; the first
// row that matches counts. A star matches any rest of a name.
var expected = []expectation{
	{".out", 1, func(c *candidates) { c.words(kindProperty, asm.OutputMeanings()...) }},
	{".out", anywhere, func(c *candidates) { c.registers("o", 16) }},
	{".in", 1, func(c *candidates) { c.registers("v", 15) }},
	{".options", anywhere, func(c *candidates) { c.words(kindValue, asm.OptionWords()...) }},
	{".gsh", anywhere, func(c *candidates) { c.words(kindValue, "point", "variable", "fixed") }},
	{".entry", anywhere, (*candidates).procedures},
	{".setb", 1, func(c *candidates) { c.words(kindValue, "true", "false") }},
	{".setb", anywhere, func(c *candidates) { c.names(asm.SymbolUniform) }},
	{".set* .alias", anywhere, func(c *candidates) {
		c.names(asm.SymbolUniform, asm.SymbolConstant, asm.SymbolAlias, asm.SymbolInput)
	}},
	{".*", anywhere, nothing}, // a new name, or numbers
	{"call", anywhere, (*candidates).procedures},
	{"callc callu", 1, (*candidates).procedures},
	{"jmpc jmpu", 1, func(c *candidates) { c.names(asm.SymbolLabel) }},
	{"callc jmpc ifc breakc", anywhere, func(c *candidates) { c.words(kindValue, "cmp.x", "cmp.y", "!cmp.x", "!cmp.y") }},
	{"callu jmpu ifu", anywhere, func(c *candidates) { c.names(asm.SymbolUniform); c.registers("b", 16) }},
	{"for", anywhere, func(c *candidates) { c.names(asm.SymbolUniform, asm.SymbolConstant); c.registers("i", 4) }},
	{"cmp", 0, (*candidates).source},
	{"cmp", 1, (*candidates).comparison},
	{"cmp", 2, (*candidates).comparison},
	{"mova", 0, func(c *candidates) { c.words(kindVariable, "a0.x", "a0.y", "a0.xy") }},
	{"setemit", 1, func(c *candidates) { c.words(kindValue, "prim", "inv") }},
	{"setemit emit nop end break", anywhere, nothing},
	{"*", 0, func(c *candidates) { c.names(asm.SymbolOutput, asm.SymbolAlias); c.registers("r", 16) }},
	{"*", anywhere, (*candidates).source},
}

// expectation is a row of expected.
type expectation struct {
	names string // separated by blanks
	at    int    // as in operandAt
	give  func(c *candidates)
}

func (e *expectation) takes(name string) bool {
	for n := range strings.FieldsSeq(e.names) {
		if start, ok := strings.CutSuffix(n, "*"); ok && strings.HasPrefix(name, start) || n == name {
			return true
		}
	}
	return false
}

// candidates collects what can be written at a position.
type candidates struct {
	s        *Server
	d        *document
	operands string // the text after the name
	items    []completionItem
}

func nothing(*candidates) {}

// words adds words of the language, with their help.
func (c *candidates) words(kind int, list ...string) {
	for _, w := range list {
		item := completionItem{Label: w, Kind: kind}
		if help := asm.Help(w); help != "" {
			item.Documentation = &markup{"markdown", help}
		}
		c.items = append(c.items, item)
	}
}

// names adds the document's symbols of some kinds.
func (c *candidates) names(kinds ...asm.SymbolKind) {
	for i := range c.d.symbols {
		sym := &c.d.symbols[i]
		if slices.Contains(kinds, sym.Kind) && (sym.Declared || sym.Kind == asm.SymbolProcedure) {
			c.items = append(c.items, completionItem{Label: sym.Name, Kind: itemKind(sym.Kind), Detail: strings.TrimSpace(sym.Kind.String() + " " + sym.Detail)})
		}
	}
}

// registers adds the registers of a letter.
func (c *candidates) registers(letter string, count int) {
	for i := range count {
		c.items = append(c.items, completionItem{Label: fmt.Sprintf("%s%d", letter, i), Kind: kindVariable})
	}
}

func (c *candidates) comparison() { c.words(kindValue, asm.Comparisons()...) }

// source adds what a source operand can be, and in brackets what can be an
// index.
func (c *candidates) source() {
	c.names(asm.SymbolInput, asm.SymbolUniform, asm.SymbolConstant, asm.SymbolAlias)
	c.registers("r", 16)
	if strings.LastIndexByte(c.operands, '[') > strings.LastIndexByte(c.operands, ']') {
		c.words(kindVariable, "aL", "a0.x", "a0.y")
	}
}

// procedures adds the procedures of all open documents, each once.
func (c *candidates) procedures() {
	seen := map[string]bool{}
	for _, d := range c.s.ordered() {
		for i := range d.symbols {
			if sym := &d.symbols[i]; sym.Kind == asm.SymbolProcedure && sym.Declared && !seen[sym.Name] {
				seen[sym.Name] = true
				c.items = append(c.items, completionItem{Label: sym.Name, Kind: kindFunction, Detail: "procedure"})
			}
		}
	}
}

func itemKind(k asm.SymbolKind) int {
	switch k {
	case asm.SymbolConstant:
		return kindConstant
	case asm.SymbolProcedure, asm.SymbolLabel:
		return kindFunction
	}
	return kindVariable
}
