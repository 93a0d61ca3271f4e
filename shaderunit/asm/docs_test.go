package asm

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit"
)

var updateDocs = flag.Bool("update-docs", false, "write the tables of docs/ASSEMBLER.md")

const docsFile = "../../docs/ASSEMBLER.md"

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

func directiveTable() string {
	var names []string
	for n := range directives {
		names = append(names, n)
	}
	sort.Strings(names)
	out := "| directive | meaning |\n|---|---|\n"
	for _, n := range names {
		out += fmt.Sprintf("| `%s` | %s |\n", strings.ReplaceAll(directiveDocs[n][0], " · ", "`<br>`"), directiveDocs[n][1])
	}
	return out
}

// syntaxOf writes the operands of an instruction.
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

func instructionTable() string {
	out := "| instruction | opcode | meaning |\n|---|---|---|\n"
	for _, row := range shaderunit.Instructions() {
		if row.Format == shaderunit.Format1i || row.Format == shaderunit.Format5i {
			continue
		}
		number := fmt.Sprintf("%02X", uint8(row.Op))
		if row.Inverted != shaderunit.NoOpcode {
			number += fmt.Sprintf(", %02X", uint8(row.Inverted))
		}
		meaning := strings.ReplaceAll(row.Semantics, "|", "\\|")
		if strings.ContainsAny(meaning, "*[=") {
			meaning = "`" + meaning + "`"
		}
		out += fmt.Sprintf("| `%s` | %s | %s |\n", syntaxOf(row), number, meaning)
	}
	return out
}

func ruleTable() string {
	out := "| rule | what it finds | source |\n|---|---|---|\n"
	for _, r := range LintRules() {
		out += fmt.Sprintf("| %s | %s | %s |\n", r.ID, r.Title, r.Source)
	}
	return out
}

// The tables of the page are those of the code.
func TestDocumentedTables(t *testing.T) {
	for name := range directives {
		require.Contains(t, directiveDocs, name, "directive without a row")
	}
	require.Len(t, directiveDocs, len(directives))
	page, err := os.ReadFile(docsFile)
	require.NoError(t, err)
	text := string(page)
	for name, table := range map[string]string{"directives": directiveTable(), "instructions": instructionTable(), "rules": ruleTable()} {
		place := regexp.MustCompile(`(?s)(<!-- ` + name + `: written by a test -->\n).*?(<!-- end -->)`)
		m := place.FindStringSubmatchIndex(text)
		require.NotNil(t, m, name)
		if *updateDocs {
			text = text[:m[3]] + table + text[m[4]:]
			continue
		}
		require.Equal(t, table, text[m[3]:m[4]], "run go test -update-docs for the table of %s", name)
	}
	if *updateDocs {
		require.NoError(t, os.WriteFile(docsFile, []byte(text), 0o644))
	}
}

// Every example of the page assembles without a word.
func TestDocumentedExamples(t *testing.T) {
	page, err := os.ReadFile(docsFile)
	require.NoError(t, err)
	examples := regexp.MustCompile("(?s)```pica\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.GreaterOrEqual(t, len(examples), 7)
	for _, m := range examples {
		_, diags := Assemble(Options{}, Source{"example", []byte(m[1])})
		require.Empty(t, diags, m[1])
	}
}

// Every field of .dvle and directive of the extended language is on the page.
func TestDocumentedExtensions(t *testing.T) {
	page, err := os.ReadFile(docsFile)
	require.NoError(t, err)
	for name := range extendedDirectives {
		require.Contains(t, string(page), "`."+name+" ")
	}
	for _, f := range dvleFields {
		require.Contains(t, string(page), f)
	}
}
