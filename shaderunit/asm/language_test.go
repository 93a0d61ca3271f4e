package asm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
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

const grammarFile = "../../docs/editors/vscode/pica.tmLanguage.json"

// rule is a pattern of a TextMate grammar.
type rule struct {
	Name  string `json:"name"`
	Match string `json:"match"`
}

// grammar is the TextMate grammar of the language, with words from the assembler's tables. Its patterns use only common regexp
// syntax.
func grammar() map[string]any {
	directiveWords, operations, flow := grammarWords()
	either := func(words []string) string { return "(?:" + strings.Join(words, "|") + ")" }
	return map[string]any{
		"$schema":   "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
		"name":      "PICA200 shader",
		"scopeName": "source.pica",
		"fileTypes": []string{"pica"},
		"patterns": []rule{
			{"comment.line.semicolon.pica", `;.*$`},
			{"meta.preprocessor.pica", `^\s*#.*$`},
			{"keyword.other.directive.pica", `(?i)\.` + either(directiveWords) + `\b`},
			{"entity.name.label.pica", `^\s*[A-Za-z_$][A-Za-z0-9_$]*:`},
			{"keyword.control.pica", `(?i)\b` + either(flow) + `\b`},
			{"support.function.pica", `(?i)\b` + either(operations) + `\b`},
			{"support.constant.pica", `\b` + either(otherWords()) + `\b`},
			{"variable.language.pica", `\b(?:[orvcib][0-9]+|a0|aL|cmp)\b`},
			{"constant.numeric.pica", `-?\b(?:0[xX][0-9A-Fa-f.]+(?:[pP][-+]?[0-9]+)?|[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?f?)\b`},
			{"variable.other.member.pica", `\.[xyzwrgbastpq]{1,4}\b`},
		},
	}
}

// grammarWords are the words of directives, of operations and of flow control.
func grammarWords() (directiveWords, operations, flow []string) {
	for _, d := range append(Directives(), directiveNames(extendedDirectives)...) {
		directiveWords = append(directiveWords, strings.TrimPrefix(d, "."))
	}
	for _, m := range Mnemonics() {
		if row := mnemonics[m]; row.Format.Sources() == 0 {
			flow = append(flow, m)
		} else {
			operations = append(operations, m)
		}
	}
	return directiveWords, operations, flow
}

// otherWords are the words with a meaning as an operand.
func otherWords() []string {
	return append(OutputMeanings(), append(Comparisons(), "point", "variable", "fixed", "true", "false", "on", "off", "prim", "inv")...)
}

const vimFile = "../../docs/editors/vim/syntax/pica.vim"

// vimSyntax is the same grammar for Vim and Neovim.
func vimSyntax() string {
	directiveWords, operations, flow := grammarWords()
	either := func(words []string) string { return `\%(` + strings.Join(words, `\|`) + `\)` }
	return `" Vim syntax file: shaders of the PICA200 in the language of picasso.
" The words are from the assembler's tables; go test ./shaderunit/asm -run Grammar -update writes this file.
if exists("b:current_syntax")
  finish
endif
syn case ignore
syn keyword picaFlow ` + strings.Join(flow, " ") + `
syn keyword picaOperation ` + strings.Join(operations, " ") + `
syn keyword picaConstant ` + strings.Join(otherWords(), " ") + `
syn match picaDirective /\.` + either(directiveWords) + `\>/
syn match picaLabel /^\s*[A-Za-z_$][A-Za-z0-9_$]*:/
syn match picaRegister /\<\%([orvcib][0-9]\+\|a0\|al\)\>/
syn match picaNumber /\%(-\|\<\)\%(0x[0-9a-f.]\+\%(p[-+]\=[0-9]\+\)\=\|[0-9]\+\.\=[0-9]*\%(e[-+]\=[0-9]\+\)\=f\=\)\>/
syn match picaMember /\.[xyzwrgbastpq]\{1,4}\>/
syn match picaPreProc /^\s*#.*$/
syn match picaComment /;.*$/ contains=@Spell
hi def link picaFlow Statement
hi def link picaOperation Function
hi def link picaConstant Constant
hi def link picaDirective PreProc
hi def link picaLabel Label
hi def link picaRegister Identifier
hi def link picaNumber Number
hi def link picaMember Special
hi def link picaPreProc PreProc
hi def link picaComment Comment
let b:current_syntax = "pica"
`
}

// The grammars for editors have the words of the assembler's tables.
func TestGrammar(t *testing.T) {
	want := testkit.Must(json.MarshalIndent(grammar(), "", "  "))(t)
	testkit.Golden(t, grammarFile, append(want, '\n'))
	testkit.Golden(t, vimFile, []byte(vimSyntax()))

	rules := grammar()["patterns"].([]rule)
	scope := func(line string) string { // of the first word
		best, name := len(line), ""
		for _, r := range rules {
			if at := regexp.MustCompile(r.Match).FindStringIndex(line); at != nil && at[0] < best {
				best, name = at[0], r.Name
			}
		}
		return name
	}
	for _, m := range Mnemonics() {
		require.Contains(t, []string{"keyword.control.pica", "support.function.pica"}, scope("\t"+m+" r0"), m)
	}
	for _, d := range Directives() {
		require.Equal(t, "keyword.other.directive.pica", scope(d+" x"), d)
	}
	for line, want := range map[string]string{
		"; mov": "comment.line.semicolon.pica", "done:": "entity.name.label.pica", "# 3 \"a\"": "meta.preprocessor.pica",
		"position": "support.constant.pica", "r15.xyz": "variable.language.pica", "0x1.8p3": "constant.numeric.pica", "1.5e3": "constant.numeric.pica",
		".wzyx": "variable.other.member.pica", "movement": "", "projection": "",
	} {
		require.Equal(t, want, scope(line), line)
	}
}

// A number is the longest prefix that Go parses as one. Unlike strtod and strtoll, Go allows no leading blanks and requires an
// exponent in hexadecimal numbers.
func TestNumberPrefixes(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	random := func(letters string) string {
		b := []byte(strings.Repeat(" \t", rng.Intn(8)/7))
		for range 1 + rng.Intn(7) {
			b = append(b, letters[rng.Intn(len(letters))])
		}
		return string(b)
	}
	longest := func(s string, number func(string) bool) int {
		for n := len(s); n > 0; n-- {
			if number(s[:n]) {
				return n
			}
		}
		return 0
	}
	for range 20000 {
		s := random("00189xXafFpPeE..+-g")
		plain := strings.TrimLeft(s, " \t")
		want := 0.0
		n := longest(plain, func(p string) bool {
			for _, text := range []string{p, p + "p0"} {
				if v, err := strconv.ParseFloat(text, 64); err == nil || errors.Is(err, strconv.ErrRange) {
					want = v
					return true
				}
			}
			return false
		})
		v, tail, ok := parseFloat(s)
		require.Equal(t, n > 0, ok, "%q", s)
		if !ok {
			require.Equal(t, s, tail)
			continue
		}
		require.Equal(t, math.Float64bits(want), math.Float64bits(v), "%q", s)
		require.Equal(t, plain[n:], tail, "%q", s)
	}
	for range 20000 {
		s, base := random("001789xXafFg+-"), 10*rng.Intn(2)
		if rng.Intn(20) == 0 {
			s += "77777777777777777777"
		}
		plain := strings.TrimLeft(s, " \t")
		want := int64(0)
		n := longest(plain, func(p string) bool {
			v, err := strconv.ParseInt(p, base, 64)
			want = v
			return err == nil || errors.Is(err, strconv.ErrRange)
		})
		v, tail, ok := parseLong(s, base)
		require.Equal(t, n > 0, ok, "%q", s)
		if !ok {
			require.Equal(t, s, tail)
			continue
		}
		require.Equal(t, want, v, "%q in base %d", s, base)
		require.Equal(t, plain[n:], tail, "%q in base %d", s, base)
		if base == 10 {
			require.Equal(t, int32(want), atoi(s), "%q", s)
		}
	}
	for _, c := range []struct {
		text string
		want float64
		tail string
	}{
		{"inf", math.Inf(1), ""}, {"-INFx", math.Inf(-1), "x"}, {"+infinity1", math.Inf(1), "1"}, {"-Infinit", math.Inf(-1), "init"},
		{"nan", math.NaN(), ""}, {"-NaN2", math.NaN(), "2"}, {"nan(a_9)z", math.NaN(), "z"}, {"nan()", math.NaN(), ""}, {"nan(a", math.NaN(), "(a"}, {"nan(a-)", math.NaN(), "(a-)"}, {" nan x", math.NaN(), " x"},
	} {
		v, tail, ok := parseFloat(c.text)
		require.True(t, ok, c.text)
		require.Equal(t, c.tail, tail, c.text)
		require.Equal(t, math.IsNaN(c.want), math.IsNaN(v), c.text)
		require.Equal(t, strings.HasPrefix(c.text, "-"), math.Signbit(v), c.text)
		if !math.IsNaN(v) {
			require.Equal(t, c.want, v, c.text)
		}
	}
}

// A descriptor chosen by number gets the bits that the next instruction needs and keeps those of the others.
func TestNumberedDescriptors(t *testing.T) {
	d := &descriptorTable{}
	_, err := d.find(0x0F, 0x0F)
	require.NoError(t, err)
	for _, c := range []struct {
		desc, needed, word uint32
		fits               bool
	}{{0x30, 0xF0, 0x3F, true}, {0x2F, 0xF0, 0x3F, false}, {0xA30, 0xF00 | 0x30, 0xA3F, true}, {0, 0x1000, 0xA3F, true}, {0x1000, 0x1000, 0xA3F, false}} {
		_, err := d.take(0, c.desc, c.needed, 1)
		require.Equal(t, c.fits, err == nil, "%x: %v", c.desc, err)
		require.Equal(t, c.word, d.words[0], "%x", c.desc)
	}
}
