package seeds

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// load reads the statements of all documents, in order.
func load(t *testing.T) (docs []Document) {
	t.Helper()
	rows, err := os.ReadFile(filepath.Join(testkit.Repository(t), "frontend/dmp/testdata/uniforms.tsv"))
	require.NoError(t, err)
	for _, line := range strings.Split(string(rows), "\n") {
		if c := strings.Split(line, "\t"); len(c) == 6 && !strings.HasPrefix(line, "#") {
			id, err := strconv.ParseUint(c[0], 0, 16)
			require.NoError(t, err)
			reasons[id] = c[5]
		}
	}
	files, err := filepath.Glob("*.txt")
	require.NoError(t, err)
	require.Len(t, files, 5)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		d, err := parse(name, string(text))
		require.NoError(t, err)
		docs = append(docs, d)
	}
	return docs
}

// The page is made from the statements and our tables.
func TestSeedsPage(t *testing.T) {
	path := filepath.Join(testkit.Repository(t), "docs", "SEEDS.md")
	page := Page(load(t))
	if os.Getenv("PICA200_UPDATE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(page), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, page == string(have), "docs/SEEDS.md is not current: PICA200_UPDATE=1 go test ./tests/seeds")
}

// Every statement says how it is met, and every test that it names exists.
func TestEveryStatementNamesItsTest(t *testing.T) {
	declared := testkit.Declared(t)
	n := [4]int{}
	for _, d := range load(t) {
		for k, c := range d.count() {
			n[k] += c
		}
		for _, p := range d.Parts {
			for _, s := range p.Statements {
				for _, x := range s.problems() {
					t.Errorf("%s, %s: %q: %s", d.File, p.Title, s.What, x)
				}
				for _, name := range s.Tests {
					pkg, test, qualified := strings.Cut(name, ".")
					if !qualified {
						test = name
					}
					packages := declared[test]
					switch {
					case len(packages) == 0 || qualified && !strings.Contains(" "+strings.Join(packages, " ")+" ", " "+pkg+" "):
						t.Errorf("%s, %s: %q: there is no test %s", d.File, p.Title, s.What, name)
					case !qualified && len(packages) > 1:
						t.Errorf("%s, %s: %q: %s stands in %s: write package.Test", d.File, p.Title, s.What, name, strings.Join(packages, ", "))
					}
				}
			}
		}
	}
	t.Logf("%d statements: %d held, %d otherwise, %d not modelled", n[0], n[1], n[2], n[3])
}

// A line with a fault is found.
func TestFaultsOfStatements(t *testing.T) {
	for text, want := range map[string]string{
		"- | a | held | T":       "before the first part",
		"## P\n- | a | held":     "3 cells",
		"## P\n@structure BOGUS": `no structure "BOGUS"`,
		"## P\n@bogus":           `no table "bogus"`,
	} {
		_, err := parse("x", text)
		require.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{
		"- | a | held | ":         "held by no test",
		"- | a | otherwise | T":   "without a reason",
		"- | a | not modelled | ": "what would be seen",
		"- | a | perhaps | T":     "none of",
		"- |  | held | T":         "says nothing",
	} {
		d, err := parse("x", "## P\n"+text)
		require.NoError(t, err)
		require.Contains(t, strings.Join(d.Parts[0].Statements[0].problems(), " "), want)
	}
}
