// Package seeds checks the project against its five source documents: one table per document, one row per statement in our own
// words, with a check that runs. docs/SEEDS.md is generated from the rows that do not hold as written or are not modelled.
package seeds

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// reading says how the project treats a statement.
type reading string

const (
	held        reading = ""             // as written
	otherwise   reading = "otherwise"    // differently, according to a better source
	ours        reading = "ours"         // by our guess: the document leaves it open and no source answers
	notModelled reading = "not modelled" // the project has nothing it applies to
)

// row is a statement.
type row struct {
	key   string // row of the document's table ("DVLP 0x18"), or "" for a sentence
	says  string
	how   reading
	why   string // reason and source; for what is not modelled, the visible consequence
	check func(t *testing.T)
}

// part is a part of a document.
type part struct {
	title string
	rows  []row
}

// document is the table of one source document.
type document struct {
	title string
	parts []part
}

func documents() []document {
	return []document{gbatekFiles(), dbrewFiles(), mbsDocument(), uniformDocument(), instructionSet()}
}

// rows concatenates lists of rows.
func rows(lists ...[]row) []row { return slices.Concat(lists...) }

// says makes a row of a statement that holds as written.
func says(what string, check func(t *testing.T)) row { return row{says: what, check: check} }

// but replaces the reading of rows in a list: each change names the key of its row and keeps the check if it has none.
func but(list []row, changes ...row) []row {
	list = slices.Clone(list)
	for _, c := range changes {
		i := slices.IndexFunc(list, func(r row) bool { return r.key == c.key })
		if i < 0 {
			panic("no row " + c.key)
		}
		if c.says == "" {
			c.says = list[i].says
		}
		if c.check == nil && c.how != notModelled {
			c.check = list[i].check
		}
		list[i] = c
	}
	return list
}

// Every statement with a check passes.
func TestStatements(t *testing.T) {
	for _, d := range documents() {
		t.Run(d.title, func(t *testing.T) {
			t.Parallel()
			for _, p := range d.parts {
				for _, r := range p.rows {
					require.NotEmpty(t, r.says, "%s: %s", p.title, r.key)
					require.Equal(t, r.how == held, r.why == "", "%s: %s: exactly the statements that do not hold have a reason", p.title, r.says)
					require.Equal(t, r.how == notModelled, r.check == nil, "%s: %s: exactly the modelled statements have a check", p.title, r.says)
					if r.check != nil {
						t.Run(p.title+": "+strings.TrimSpace(r.key+" "+r.says), r.check)
					}
				}
			}
		})
	}
}

// docs/SEEDS.md equals the page generated from the tables.
func TestPage(t *testing.T) {
	testkit.Golden(t, filepath.Join(testkit.Repository(t), "docs", "SEEDS.md"), []byte(page(documents())))
}

const pageHead = `# The five source documents

This page is generated (` + "`go test ./tests/seeds -run Page -update`" + `); do not edit it. It lists where pica200 differs from the five public
documents that it was made from. ` + "`tests/seeds`" + ` has a table for each document: a row is a statement in our own words with a check that runs.
Statements that hold are only counted. The others are:

- **otherwise**: read differently, with the reason and the better source;
- **ours**: the document is open or silent and no source answers; the project's own choice;
- **not modelled**: pica200 has nothing that the statement is about.

Uniforms are checked by their register bits and by a picture that must match a small independent model within 2 of 255.
[UNIFORMS.md](UNIFORMS.md) has the bits of each.

`

// page writes the page: counts of statements, and those that do not hold as written.
func page(docs []document) string {
	var b strings.Builder
	b.WriteString(pageHead + "| document | statements | held | otherwise | ours | not modelled |\n|---|---|---|---|---|---|\n")
	count := func(title string, docs ...document) {
		n := map[reading]int{}
		for _, d := range docs {
			for _, p := range d.parts {
				for _, r := range p.rows {
					n[r.how]++
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", title, n[held]+n[otherwise]+n[ours]+n[notModelled], n[held], n[otherwise], n[ours], n[notModelled])
	}
	for _, d := range docs {
		count(d.title, d)
	}
	count("all", docs...)
	escape := strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_").Replace
	for _, d := range docs {
		fmt.Fprintf(&b, "\n## %s\n\n| part | row | statement | | reason, source or what would be seen |\n|---|---|---|---|---|\n", d.title)
		for _, p := range d.parts {
			for _, g := range sameReason(p.rows) {
				var keys, says []string
				for _, r := range g {
					if r.key != "" {
						keys = append(keys, r.key)
					}
					says = append(says, escape(r.says))
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", p.title, strings.Join(keys, ", "), strings.Join(says, "; "), g[0].how, escape(g[0].why))
			}
		}
	}
	return b.String()
}

// sameReason groups the rows that do not hold by reason, in order of first occurrence.
func sameReason(rows []row) (groups [][]row) {
	at := map[string]int{}
	for _, r := range rows {
		if r.how == held {
			continue
		}
		reason := fmt.Sprint(r.how, r.why)
		if _, seen := at[reason]; !seen {
			at[reason] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[reason]] = append(groups[at[reason]], r)
	}
	return groups
}
