package accuracy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/hardware"
	"pica200/tests/testkit"
)

const (
	root   = "../.."
	folder = root + "/docs/accuracy"
	counts = "counts.md" // made from the others
)

// problems says what is wrong with the tests that a rule names.
func problems(r *Rule, tests map[string][]string) (list []string) {
	if len(r.Tests) == 0 && r.Confidence != "not modelled" {
		list = append(list, "names no test")
	}
	for _, name := range r.Tests {
		pkg, test, qualified := strings.Cut(name, ".")
		if !qualified {
			test = name
		}
		switch packages := tests[test]; {
		case len(packages) == 0:
			list = append(list, name+" does not exist")
		case qualified && !strings.Contains(" "+strings.Join(packages, " ")+" ", " "+pkg+" "):
			list = append(list, name+" does not exist; packages with a "+test+": "+strings.Join(packages, ", "))
		case !qualified && len(packages) > 1:
			list = append(list, name+" stands in several packages ("+strings.Join(packages, ", ")+"): write package.Test")
		}
	}
	return list
}

// TestEveryRuleNamesItsTest finds the tests that the rules of docs/accuracy
// name.
func TestEveryRuleNamesItsTest(t *testing.T) {
	rules, err := Read(folder)
	require.NoError(t, err)
	require.Greater(t, len(rules), 200)
	tests := testkit.Declared(t)
	for i := range rules {
		for _, p := range problems(&rules[i], tests) {
			t.Errorf("docs/accuracy/%s:%d: %s: %s", rules[i].Page, rules[i].Line, rules[i].Feature, p)
		}
	}
}

// TestCountsOfRules holds the page of counts to the tables.
func TestCountsOfRules(t *testing.T) {
	rules, err := Read(folder)
	require.NoError(t, err)
	want := Counts(rules)
	name := filepath.Join(folder, counts)
	if os.Getenv("PICA200_UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, want, 0o644))
	}
	have, err := os.ReadFile(name)
	require.NoError(t, err)
	require.True(t, string(want) == string(have), "the tables have changed: PICA200_UPDATE=1 go test ./tests/accuracy")
}

// TestConsoleProgramsAskAboutRules finds the rules that the programs for a
// console name.
func TestConsoleProgramsAskAboutRules(t *testing.T) {
	rules, err := Read(folder)
	require.NoError(t, err)
	known := map[string]bool{}
	for i := range rules {
		known[strings.TrimSuffix(rules[i].Page, ".md")+": "+rules[i].Feature] = true
	}
	for i := range hardware.Programs {
		p := &hardware.Programs[i]
		for _, q := range p.Questions {
			if !known[q.Rule] {
				t.Errorf("%s: no rule is %q", p.Name, q.Rule)
			}
		}
	}
}

// TestWrongRulesAreFound tries the checks on tables with faults.
func TestWrongRulesAreFound(t *testing.T) {
	const head = "| feature | rule | source | confidence | test |\n|---|---|---|---|---|\n"
	for text, want := range map[string]string{
		"| feature | rule | source | confidence |\n":    "p.md:1: columns",
		head + "| a | b | c | guess |\n":                "p.md:3: 4 columns",
		head + "| a | b | c | perhaps | TestA |\n":      `p.md:3: a: confidence "perhaps"`,
		head + "| a | b | c | guesswork | TestA |\n":    "guesswork",
		head + "| a | b | c | hardware-tested | -|-|\n": "6 columns",
	} {
		_, err := parse("p.md", []byte(text))
		require.ErrorContains(t, err, want)
	}
	tests := map[string][]string{"TestA": {"one"}, "TestB": {"one", "two"}}
	for cell, want := range map[string]string{
		"-": "names no test", "TestC": "does not exist", "TestB": "several packages", "three.TestB": "one, two", "TestA, one.TestC": "one.TestC",
		"TestA": "", "two.TestB, TestA": "",
	} {
		rules, err := parse("p.md", []byte(head+"| a | b | c | guess for the most | "+cell+" |\n"))
		require.NoError(t, err)
		require.Len(t, rules, 1)
		require.Equal(t, "guess", rules[0].Confidence)
		got := strings.Join(problems(&rules[0], tests), "; ")
		if want == "" {
			require.Empty(t, got)
			continue
		}
		require.Contains(t, got, want)
	}
	rules, err := parse("p.md", []byte(head+"| a | b | c | not modelled, nothing is seen | - |\n\n| other | table |\n|---|---|\n| x | y |\n"))
	require.NoError(t, err)
	require.Len(t, rules, 1)
	require.Empty(t, problems(&rules[0], tests))
}
