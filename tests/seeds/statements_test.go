// Package seeds holds what the five documents say that this project was made from,
// statement by statement, and makes docs/SEEDS.md of it: which test holds a statement,
// why it is read otherwise, or what would be seen if it were modelled.
//
// The statements stand in the .txt files beside this one, a line each:
//
//	key | statement | held | tests
//	key | statement | otherwise | tests | reason and source
//	key | statement | not modelled | | what would be seen
//
// A key names the row of a table in the document ("DVLP 0x18", "opcode 2C"), or is "-"
// for a sentence. "## Title" begins a part; "@..." asks for the rows of one of our own
// tables, of which a line with the same key takes the place.
package seeds

import (
	"fmt"
	"strings"
)

// The ways in which a statement is met.
const (
	Held        = "held"
	Otherwise   = "otherwise"
	NotModelled = "not modelled"
)

// Statement is a line of docs/SEEDS.md.
type Statement struct {
	Key    string
	What   string // in words of our own
	How    string
	Tests  []string
	Reason string
}

// Part is a part of a document.
type Part struct {
	Title      string
	Statements []Statement
}

// Document is one of the five.
type Document struct {
	File, Title string // of the file here, and of the document
	Parts       []Part
}

// parse reads a file of statements.
func parse(name, text string) (d Document, err error) {
	d.File = name
	var generated, written []Statement
	flush := func() {
		if len(d.Parts) == 0 {
			return
		}
		p := &d.Parts[len(d.Parts)-1]
		for _, g := range generated {
			replaced := false
			for _, w := range written {
				replaced = replaced || w.Key == g.Key
			}
			if !replaced {
				p.Statements = append(p.Statements, g)
			}
		}
		p.Statements = append(p.Statements, written...)
		generated, written = nil, nil
	}
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", name, i+1, fmt.Sprintf(format, args...))
		}
		switch {
		case line == "":
		case strings.HasPrefix(line, "# "):
			d.Title = line[2:]
		case strings.HasPrefix(line, "## "):
			flush()
			d.Parts = append(d.Parts, Part{Title: line[3:]})
		case len(d.Parts) == 0:
			return d, fail("a statement before the first part")
		case strings.HasPrefix(line, "@"):
			rows, err := generate(line[1:])
			if err != nil {
				return d, fail("%v", err)
			}
			generated = append(generated, rows...)
		default:
			cells := strings.Split(line, "|")
			for k := range cells {
				cells[k] = strings.TrimSpace(cells[k])
			}
			if len(cells) < 4 {
				return d, fail("%d cells, expected at least 4", len(cells))
			}
			s := Statement{Key: cells[0], What: cells[1], How: cells[2]}
			if cells[3] != "" {
				s.Tests = strings.Split(cells[3], ", ")
			}
			if len(cells) > 4 {
				s.Reason = strings.Join(cells[4:], "|")
			}
			written = append(written, s)
		}
	}
	flush()
	return d, nil
}

// problems says what a statement lacks.
func (s *Statement) problems() (list []string) {
	switch s.How {
	case Held:
		if len(s.Tests) == 0 {
			list = append(list, "held by no test")
		}
	case Otherwise:
		if s.Reason == "" {
			list = append(list, "read otherwise without a reason")
		}
	case NotModelled:
		if s.Reason == "" {
			list = append(list, "does not say what would be seen")
		}
	default:
		list = append(list, fmt.Sprintf("%q is none of held, otherwise, not modelled", s.How))
	}
	if s.What == "" {
		list = append(list, "says nothing")
	}
	return list
}
