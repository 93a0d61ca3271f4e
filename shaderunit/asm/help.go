package asm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// Texts about the words of the language, for the documentation and the editor's
// hover and completion.

// directiveDocs are the rows of the table of directives.
var directiveDocs = map[string][2]string{
	"alias":   {".alias name register", "a name for a register, with swizzle and sign"},
	"bool":    {".bool name, name[size], ...", "bool uniforms"},
	"constf":  {".constf name(x, y, z, w)", "a float uniform with a value"},
	"constfa": {".constfa name[size] ... .end", "an array of them; each element is `.constfa (x, y, z, w)`"},
	"consti":  {".consti name(x, y, z, w)", "an int uniform with a value"},
	"else":    {".else", "the other part of an if"},
	"end":     {".end", "ends a procedure, an if, a loop or an array"},
	"entry":   {".entry procedure", "where the executable starts; `main` without it"},
	"fvec":    {".fvec name, name[size], ...", "float uniforms"},
	"gsh":     {".gsh point first · .gsh variable first vertices · .gsh fixed first start vertices", "makes a geometry shader; first is where its uniforms start. Without parameters: the former way, sharing the vertex shaders' uniforms"},
	"in":      {".in name [register]", "an input"},
	"ivec":    {".ivec name, name[size], ...", "int uniforms"},
	"nodvle":  {".nodvle", "no executable for this source: procedures for others"},
	"options": {".options word, word, ...", "what the source needs, before all other statements: no-nop, extended for itself, object, lines, picasso for the program; the flags of asm by these names"},
	"out":     {".out name property[.mask] · .out name property register[.mask]", "an output and what it means; `-` for no name"},
	"proc":    {".proc name", "starts a procedure"},
	"setb":    {".setb register value", "a value for a bool uniform: true, false, on, off, 1 or 0"},
	"setf":    {".setf register(x, y, z, w)", "a value for a float uniform that is declared elsewhere"},
	"seti":    {".seti register(x, y, z, w)", "a value for an int uniform that is declared elsewhere"},
}

// syntaxOf returns the operands of an instruction as text.
func syntaxOf(row shaderunit.OpInfo) string {
	n := row.Name
	switch row.Format {
	case shaderunit.Format0:
		return n
	case shaderunit.Format1:
		if row.Inverted != shaderunit.NoOpcode {
			return n + " d, w, n`<br>`" + n + " d, n, w"
		}
		return n + " d, w, n"
	case shaderunit.Format1u:
		if row.WritesAddress() {
			return n + " a0.xy, w"
		}
		return n + " d, w"
	case shaderunit.Format1c:
		return n + " w, op, op, n"
	case shaderunit.Format5:
		return n + " d, n, w, n`<br>`" + n + " d, n, n, w"
	case shaderunit.Format4:
		return n + " vertex[, prim inv]"
	case shaderunit.Format2:
		return n + map[shaderunit.Opcode]string{shaderunit.OpCALL: " procedure", shaderunit.OpCALLC: " condition, procedure", shaderunit.OpJMPC: " condition, label",
			shaderunit.OpIFC: " condition ... .end", shaderunit.OpBREAKC: " condition"}[row.Op]
	}
	return n + map[shaderunit.Opcode]string{shaderunit.OpCALLU: " bool, procedure", shaderunit.OpJMPU: " [!]bool, label",
		shaderunit.OpIFU: " bool ... .end", shaderunit.OpLOOP: " int ... .end"}[row.Op]
}

// registerDocs describe the registers, by their letter.
var registerDocs = []struct{ letter, text string }{
	{"o", "output, written only; o0-o6 reach the rasterizer, o7 on can only be dummy outputs. Each component is to be written once"},
	{"v", "input, read only; one input register in an instruction, as often as it likes"},
	{"r", "temporary, four float24 numbers; nothing is in it before it is written"},
	{"c", "float uniform, four float24 numbers; one in an instruction, in its wide source, which can be addressed relatively"},
	{"i", "int uniform: x + 1 rounds, aL from y in steps of z; i0-i3 exist"},
	{"b", "bool uniform, for ifu, callu and jmpu"},
}

// wordDocs describe the other words of operands.
var wordDocs = map[string]string{
	"a0":    "address register a0.x, set by mova",
	"a0.x":  "address register, set by mova; c8[a0.x+2] adds it to the number of a float uniform",
	"a0.y":  "address register, set by mova",
	"a0.xy": "both address registers, for mova",
	"al":    "loop counter, set by for",
	"lcnt":  "former name of aL, the loop counter",
	"cmp.x": "flag of cmp and litp",
	"cmp.y": "flag of cmp and litp",
}

// Help describes a word of the language in Markdown: a mnemonic, directive,
// register, component or keyword. It returns "" for other words, also for names
// that a source declares.
func Help(word string) string {
	name := lower(word)
	if row := mnemonics[name]; row != nil {
		return instructionHelp(row)
	}
	if d, ok := directiveDocs[strings.TrimPrefix(name, ".")]; ok && strings.HasPrefix(name, ".") {
		return fmt.Sprintf("```pica\n%s\n```\n%s.", strings.ReplaceAll(d[0], " · ", "\n"), d[1])
	}
	if d := wordDocs[name]; d != "" {
		return fmt.Sprintf("`%s`: %s.", word, d)
	}
	base, _, _ := strings.Cut(name, ".")
	if len(base) > 1 && picasso.IsDigit(base[1]) && word[0] == base[0] {
		for _, r := range registerDocs {
			if strings.HasPrefix(base, r.letter) && strings.Trim(base[1:], "0123456789") == "" {
				return fmt.Sprintf("`%s`: %s.", base, r.text)
			}
		}
	}
	for _, o := range outputNames {
		if o.long == name || o.short == name {
			return fmt.Sprintf("`%s`: meaning of an output; the rasterizer reads %d components of it.", o.long, o.typ.Components())
		}
	}
	return ""
}

func instructionHelp(row *shaderunit.OpInfo) string {
	number := fmt.Sprintf("0x%02X", uint8(row.Op))
	if row.Inverted != shaderunit.NoOpcode {
		number += fmt.Sprintf(", or 0x%02X for a uniform in a later place", uint8(row.Inverted))
	}
	text := fmt.Sprintf("```pica\n%s\n```\n%s\n\nOpcode %s, format %s.", strings.ReplaceAll(syntaxOf(*row), "`<br>`", "\n"), row.Semantics, number, row.Format)
	if row.Format.Wide() >= 0 {
		text += " `d` is a destination, `w` a wide source (`c`, `v`, `r`, relative addressing), `n` a narrow one (`v`, `r`)."
	}
	return text
}

// Mnemonics returns the names of all instructions, sorted.
func Mnemonics() []string { return slices.Sorted(maps.Keys(mnemonics)) }

// Directives returns the names of all directives with their periods, sorted.
func Directives() []string { return directiveNames(directives) }

func directiveNames(table map[string]func(*assembler, *statement)) (names []string) {
	for _, n := range slices.Sorted(maps.Keys(table)) {
		names = append(names, "."+n)
	}
	return names
}

// OutputMeanings returns the possible meanings of an output, as used after
// .out.
func OutputMeanings() (names []string) {
	for _, o := range outputNames {
		names = append(names, o.long)
	}
	return names
}

// Comparisons returns the operators of cmp.
func Comparisons() []string { return compareNames }

// OptionWords returns the words that .options accepts.
func OptionWords() (names []string) {
	for _, o := range sourceOptions {
		names = append(names, o.name)
	}
	return names
}
