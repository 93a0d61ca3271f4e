package asm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit"
	"pica200/tests/testkit"
)

const docsFile = "../../docs/ASSEMBLER.md"

func directiveTable() string {
	var names []string
	for n := range directives {
		names = append(names, n)
	}
	slices.Sort(names)
	out := "directive | meaning\n---|---\n"
	for _, n := range names {
		out += fmt.Sprintf("`%s` | %s\n", strings.ReplaceAll(directiveDocs[n][0], " · ", "`<br>`"), directiveDocs[n][1])
	}
	return out
}

func instructionTable() string {
	out := "instruction | opcode | meaning\n---|---|---\n"
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
		out += fmt.Sprintf("`%s` | %s | %s\n", syntaxOf(row), number, meaning)
	}
	return out
}

// The tables in the documents are generated from the code.
func TestDocumentedTables(t *testing.T) {
	for name := range directives {
		require.Contains(t, directiveDocs, name, "directive without a row")
	}
	require.Len(t, directiveDocs, len(directives))
	for name, table := range map[string]string{"directives": directiveTable(), "instructions": instructionTable()} {
		testkit.GoldenPart(t, docsFile, name, table)
	}
}

// Every example in the page assembles without findings.
func TestDocumentedExamples(t *testing.T) {
	page := testkit.Read(t, docsFile)
	examples := regexp.MustCompile("(?s)```pica\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.GreaterOrEqual(t, len(examples), 7)
	for _, m := range examples {
		_, diags := Assemble(Options{}, Source{"example", []byte(m[1])})
		require.Empty(t, diags, m[1])
	}
}

// Every field of .dvle and every extended directive is in the page.
func TestDocumentedExtensions(t *testing.T) {
	page := testkit.Read(t, docsFile)
	for name := range extendedDirectives {
		require.Contains(t, string(page), "`."+name+" ")
	}
	for _, f := range dvleFields {
		require.Contains(t, string(page), f)
	}
}
