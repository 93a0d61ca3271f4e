// Package accuracy reads the rules of docs/accuracy, for the test that holds
// each of them to the test that it names, and counts them.
package accuracy

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Rule is a row of a table of docs/accuracy.
type Rule struct {
	Page       string // file name
	Line       int    // from 1
	Feature    string
	Confidence string   // one of Classes
	Tests      []string // names of Go tests, "package.TestName" or "TestName"
}

// Classes are the confidences of docs/ACCURACY.md, the best first.
var Classes = []string{
	"hardware-tested", "seen in games", "documentation", "file", "other implementation", "guess", "choice", "not modelled",
}

// header is how the table of a page with rules begins; other tables are of no
// concern here.
var header = []string{"feature", "rule", "source", "confidence", "test"}

// Read reads the rules of all pages of a folder.
func Read(folder string) (rules []Rule, err error) {
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return nil, err
	}
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		page, err := parse(filepath.Base(path), text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, page...)
	}
	return rules, nil
}

func parse(page string, text []byte) (rules []Rule, err error) {
	in := false
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "|") {
			in = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", page, i+1, fmt.Sprintf(format, args...))
		}
		switch {
		case !in && slices.Contains(cells, "confidence") && cells[0] == "feature":
			if !slices.Equal(cells, header) {
				return nil, fail("columns %q: a table of rules has %q", cells, header)
			}
			in = true
		case in && strings.HasPrefix(cells[0], "---"):
		case in:
			if len(cells) != len(header) {
				return nil, fail("%d columns instead of %q", len(cells), header)
			}
			r := Rule{Page: page, Line: i + 1, Feature: cells[0]}
			if r.Confidence = class(cells[3]); r.Confidence == "" {
				return nil, fail("%s: confidence %q begins with none of %q", r.Feature, cells[3], Classes)
			}
			for t := range strings.SplitSeq(cells[4], ",") {
				if t = strings.TrimSpace(t); t != "-" && t != "" {
					r.Tests = append(r.Tests, t)
				}
			}
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// class finds the confidence that a cell begins with: "guess for the
// threshold" is a guess.
func class(cell string) string {
	for _, c := range Classes {
		if rest, ok := strings.CutPrefix(cell, c); ok && (rest == "" || strings.ContainsRune(" ,;(", rune(rest[0]))) {
			return c
		}
	}
	return ""
}

// Counts writes the page that counts the rules by page and confidence.
func Counts(rules []Rule) []byte {
	var pages []string
	count := map[[2]string]int{}
	for _, r := range rules {
		if !slices.Contains(pages, r.Page) {
			pages = append(pages, r.Page)
		}
		count[[2]string{r.Page, r.Confidence}]++
		count[[2]string{"", r.Confidence}]++
	}
	slices.SortFunc(pages, cmp.Compare[string])
	var b bytes.Buffer
	fmt.Fprintf(&b, "# How many rules stand on what\n\n")
	fmt.Fprintf(&b, "Made by `PICA200_UPDATE=1 go test ./tests/accuracy` from the tables of this folder. A rule with several\n")
	fmt.Fprintf(&b, "confidences counts as the one that stands first. docs/ACCURACY.md says what they mean.\n\n")
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	row(append(append([]string{"page"}, Classes...), "all")...)
	row(slices.Repeat([]string{"---"}, len(Classes)+2)...)
	line := func(name, page string) {
		cells, sum := []string{name}, 0
		for _, c := range Classes {
			n := count[[2]string{page, c}]
			cells, sum = append(cells, fmt.Sprint(n)), sum+n
		}
		row(append(cells, fmt.Sprint(sum))...)
	}
	for _, p := range pages {
		line(fmt.Sprintf("[%s](%s)", strings.TrimSuffix(p, ".md"), p), p)
	}
	line("all", "")
	fmt.Fprintf(&b, "\n## Guesses\n\nWhat nothing published decides. [CONSOLE.md](../CONSOLE.md) asks a console about much of it.\n\n")
	for _, r := range rules {
		if r.Confidence == "guess" {
			fmt.Fprintf(&b, "- %s: %s\n", strings.TrimSuffix(r.Page, ".md"), r.Feature)
		}
	}
	return b.Bytes()
}
