// Package seeds holds the project to the five documents that it was made from: a table a document, a row a
// statement in a few words of our own, with a check that runs. docs/SEEDS.md is made of the rows that are read
// otherwise than they stand, and of those that are not modelled.
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

// reading is how a statement is met.
type reading string

const (
	held        reading = ""             // as it stands
	otherwise   reading = "otherwise"    // differently, by a source that knows better
	ours        reading = "ours"         // as this project guesses: the document asks, and no source answers
	notModelled reading = "not modelled" // nothing is there that it could be about
)

// row is a statement.
type row struct {
	key   string // the row of the document's table, "DVLP 0x18", or "" for a sentence
	says  string
	how   reading
	why   string // reason and source; of what is not modelled, what would be seen
	check func(t *testing.T)
}

// part is a part of a document.
type part struct {
	title string
	rows  []row
}

// document is one of the five.
type document struct {
	title string
	parts []part
}

func documents() []document {
	return []document{gbatekFiles(), dbrewFiles(), mbsDocument(), uniformDocument(), instructionSet()}
}

// rows joins lists of rows.
func rows(lists ...[]row) []row { return slices.Concat(lists...) }

// says makes a row of a sentence that is met as it stands.
func says(what string, check func(t *testing.T)) row { return row{says: what, check: check} }

// but changes how rows of a table are met: each change names the key of one, and the check stays where it has none.
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

// Every statement that the project meets is run.
func TestStatements(t *testing.T) {
	for _, d := range documents() {
		t.Run(d.title, func(t *testing.T) {
			t.Parallel()
			for _, p := range d.parts {
				for _, r := range p.rows {
					require.NotEmpty(t, r.says, "%s: %s", p.title, r.key)
					require.Equal(t, r.how == held, r.why == "", "%s: %s: only what is not held as it stands has a reason", p.title, r.says)
					require.Equal(t, r.how == notModelled, r.check == nil, "%s: %s: what is modelled has a check", p.title, r.says)
					if r.check != nil {
						t.Run(p.title+": "+strings.TrimSpace(r.key+" "+r.says), r.check)
					}
				}
			}
		})
	}
}

// docs/SEEDS.md is made of the tables.
func TestPage(t *testing.T) {
	testkit.Golden(t, filepath.Join(testkit.Repository(t), "docs", "SEEDS.md"), []byte(page(documents())))
}

const pageHead = `# The five documents

The project was made from five public documents. ` + "`tests/seeds`" + ` holds a table for each: a row is a statement in a few words of
our own, with a check that runs. This page is made of these tables by ` + "`go test ./tests/seeds -run Page -update`" + `. It lists what
is not met as it stands:

- **otherwise**: read differently, with the reason and the source that knows better;
- **ours**: the document asks or is silent, and no source answers; the project's own choice;
- **not modelled**: nothing is there that it could be about.

A uniform is held by the bits of registers that it sets, and by a picture: the colour stands in the table, and a model of a few
lines, which knows the uniforms by name and sees no register, must come to it within 2 of 255. docs/UNIFORMS.md has the bits of each.

`

// page writes the page: how many statements there are, and those that are not held as they stand.
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
			for _, r := range p.rows {
				if r.how != held {
					fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", p.title, r.key, escape(r.says), r.how, escape(r.why))
				}
			}
		}
	}
	return b.String()
}
