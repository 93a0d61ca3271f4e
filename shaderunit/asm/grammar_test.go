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

// grammar is a TextMate grammar of the language, its words from the assembler's tables. The
// patterns keep to what all engines of regular expressions have.
func grammar() map[string]any {
	var directiveWords, operations, flow []string
	for _, d := range append(Directives(), sortedExtended()...) {
		directiveWords = append(directiveWords, strings.TrimPrefix(d, "."))
	}
	for _, m := range Mnemonics() {
		if row := mnemonics[m]; row.Format.Sources() == 0 {
			flow = append(flow, m)
		} else {
			operations = append(operations, m)
		}
	}
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
			{"support.constant.pica", `\b` + either(append(OutputMeanings(), append(Comparisons(), "point", "variable", "fixed", "true", "false", "on", "off", "prim", "inv")...)) + `\b`},
			{"variable.language.pica", `\b(?:[orvcib][0-9]+|a0|aL|cmp)\b`},
			{"constant.numeric.pica", `-?\b(?:0[xX][0-9A-Fa-f.]+(?:[pP][-+]?[0-9]+)?|[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?f?)\b`},
			{"variable.other.member.pica", `\.[xyzwrgbastpq]{1,4}\b`},
		},
	}
}

func sortedExtended() (names []string) {
	for n := range extendedDirectives {
		names = append(names, "."+n)
	}
	return sorted(names)
}

// The grammar for editors knows the words of the assembler.
func TestGrammar(t *testing.T) {
	want, err := json.MarshalIndent(grammar(), "", "  ")
	require.NoError(t, err)
	testkit.Golden(t, grammarFile, append(want, '\n'))

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
