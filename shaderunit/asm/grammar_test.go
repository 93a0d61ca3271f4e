package asm

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pica200/tests/testkit"

	"github.com/stretchr/testify/require"
)

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
