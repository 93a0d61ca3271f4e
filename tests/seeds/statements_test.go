// Package seeds checks the project against its five source documents: one table per document, one row per statement in our own
// words, with a check that runs. Rows that do not hold as written or are not modelled give the reason.
package seeds

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// chapter is a part of a document.
type chapter struct {
	title string
	rows  []row
}

// document is the table of one source document.
type document struct {
	title string
	parts []chapter
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
