package lsp

import (
	"fmt"
	"strings"

	"pica200/shaderunit/asm"
)

// completion gives what can stand at a position: a mnemonic or directive at the start of a
// statement, behind it what that takes there.
func (s *Server) completion(d *document, p position) any {
	items := []completionItem{}
	if p.Line < 0 || p.Line >= len(d.lines) {
		return items
	}
	before := d.lines[p.Line][:d.column(p)]
	if strings.Contains(before, ";") {
		return items // a comment
	}
	if colon := strings.LastIndexByte(before, ':'); colon >= 0 {
		before = before[colon+1:]
	}
	statement := strings.TrimLeft(before, " \t")
	words := func(kind int, list []string) {
		for _, w := range list {
			item := completionItem{Label: w, Kind: kind}
			if help := asm.Help(w); help != "" {
				item.Documentation = &markup{"markdown", help}
			}
			items = append(items, item)
		}
	}
	names := func(kinds ...asm.SymbolKind) {
		for i := range d.symbols {
			sym := &d.symbols[i]
			for _, k := range kinds {
				if sym.Kind == k && (sym.Declared || k == asm.SymbolProcedure) {
					items = append(items, completionItem{Label: sym.Name, Kind: itemKind(k), Detail: strings.TrimSpace(k.String() + " " + sym.Detail)})
				}
			}
		}
	}
	end := strings.IndexAny(statement, " \t")
	if end < 0 {
		words(kindKeyword, asm.Directives())
		words(kindFunction, asm.Mnemonics())
		return items
	}
	name := strings.ToLower(statement[:end])
	operands := statement[end:]
	n := strings.Count(operands, ",") // of the operand that is being written
	blanks := len(strings.Fields(operands))
	if strings.HasSuffix(operands, " ") || strings.HasSuffix(operands, "\t") {
		blanks++
	}
	registers := func(letter string, count int) {
		for i := range count {
			items = append(items, completionItem{Label: fmt.Sprintf("%s%d", letter, i), Kind: kindVariable})
		}
	}
	switch {
	case name == ".out" && blanks == 2:
		words(kindProperty, asm.OutputMeanings())
	case name == ".out":
		registers("o", 16)
	case name == ".in" && blanks == 2:
		registers("v", 15)
	case name == ".options":
		words(kindValue, asm.OptionWords())
	case name == ".gsh":
		words(kindValue, []string{"point", "variable", "fixed"})
	case name == ".entry":
		s.procedures(&items)
	case name == ".setb" && blanks == 2:
		words(kindValue, []string{"true", "false"})
	case name == ".setb":
		names(asm.SymbolUniform)
	case strings.HasPrefix(name, ".set") || name == ".alias":
		names(asm.SymbolUniform, asm.SymbolConstant, asm.SymbolAlias, asm.SymbolInput)
	case strings.HasPrefix(name, "."):
		// A new name, or numbers.
	case name == "call" || (name == "callc" || name == "callu") && n == 1:
		s.procedures(&items)
	case (name == "jmpc" || name == "jmpu") && n == 1:
		names(asm.SymbolLabel)
	case name == "callc" || name == "jmpc" || name == "ifc" || name == "breakc":
		words(kindValue, []string{"cmp.x", "cmp.y", "!cmp.x", "!cmp.y"})
	case name == "callu" || name == "jmpu" || name == "ifu":
		names(asm.SymbolUniform)
		registers("b", 16)
	case name == "for":
		names(asm.SymbolUniform, asm.SymbolConstant)
		registers("i", 4)
	case name == "cmp" && (n == 1 || n == 2):
		words(kindValue, asm.Comparisons())
	case name == "mova" && n == 0:
		words(kindVariable, []string{"a0.x", "a0.y", "a0.xy"})
	case name == "setemit" && n == 1:
		words(kindValue, []string{"prim", "inv"})
	case name == "setemit" || name == "emit" || name == "nop" || name == "end" || name == "break":
	case n == 0 && name != "cmp": // a destination
		names(asm.SymbolOutput, asm.SymbolAlias)
		registers("r", 16)
	default:
		names(asm.SymbolInput, asm.SymbolUniform, asm.SymbolConstant, asm.SymbolAlias)
		registers("r", 16)
		if strings.LastIndexByte(operands, '[') > strings.LastIndexByte(operands, ']') {
			words(kindVariable, []string{"aL", "a0.x", "a0.y"})
		}
	}
	return items
}

// procedures adds those of all open documents, each once.
func (s *Server) procedures(items *[]completionItem) {
	seen := map[string]bool{}
	for _, d := range s.ordered() {
		for i := range d.symbols {
			if sym := &d.symbols[i]; sym.Kind == asm.SymbolProcedure && sym.Declared && !seen[sym.Name] {
				seen[sym.Name] = true
				*items = append(*items, completionItem{Label: sym.Name, Kind: kindFunction, Detail: "procedure"})
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
