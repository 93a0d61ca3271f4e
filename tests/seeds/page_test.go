package seeds

import (
	"fmt"
	"strings"
)

// head is how docs/SEEDS.md begins.
const head = `# The five documents, statement by statement

This page is made by ` + "`PICA200_UPDATE=1 go test ./tests/seeds`" + ` from our own tables and from tests/seeds/*.txt; do not
edit it. The project was made from five public documents. What each of them says stands here in a few words of our own:

- **held**: the tests named hold it;
- **otherwise**: read otherwise, with the reason and the source that says so;
- **not modelled**: with what would be seen.

A test checks that every test named here exists and, where the documents lie beside the repository, that every row of
their tables has its line. FORMATS.md says where documents and real files differ, ACCURACY.md what rests on what.

`

// Page makes the page.
func Page(docs []Document) string {
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("| document | statements | held | otherwise | not modelled |\n|---|---|---|---|---|\n")
	var all [4]int
	for i := range docs {
		n := docs[i].count()
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", docs[i].Title, n[0], n[1], n[2], n[3])
		for k := range all {
			all[k] += n[k]
		}
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d |\n", all[0], all[1], all[2], all[3])
	for i := range docs {
		d := &docs[i]
		fmt.Fprintf(&b, "\n## %s\n", d.Title)
		for _, p := range d.Parts {
			fmt.Fprintf(&b, "\n### %s\n\n| row | statement | | tests | reason, source or what would be seen |\n|---|---|---|---|---|\n", p.Title)
			for _, s := range p.Statements {
				key := s.Key
				if key == "-" {
					key = ""
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", key, escape(s.What), s.How, strings.Join(s.Tests, ", "), escape(s.Reason))
			}
		}
	}
	return b.String()
}

func escape(s string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_").Replace(s)
}

// count gives the number of statements: all, held, otherwise, not modelled.
func (d *Document) count() (n [4]int) {
	for _, p := range d.Parts {
		for _, s := range p.Statements {
			n[0]++
			n[map[string]int{Held: 1, Otherwise: 2, NotModelled: 3}[s.How]]++
		}
	}
	return n
}
