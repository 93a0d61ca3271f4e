package asm

import (
	"fmt"
	"slices"
	"strings"

	"pica200/shaderunit/internal/rules"
)

// A source can disable a rule: "; lint: allow output-missing, two-inputs" after
// a statement for its line, on a line of its own for the whole source.

// allowMark starts such a comment.
const allowMark = "lint:"

// allowances are the rules that sources disable.
type allowances struct {
	files map[string]map[string]bool     // by source
	lines map[sourceLine]map[string]bool // by line
}

type sourceLine struct {
	file string
	line int
}

func (a *allowances) has(at Pos, rule string) bool {
	return a.files[at.File][rule] || a.lines[sourceLine{at.File, at.Line}][rule]
}

// Without returns the findings that are not of one of these rules.
func (ds Diagnostics) Without(rules ...string) Diagnostics {
	return slices.DeleteFunc(slices.Clone(ds), func(d Diagnostic) bool { return d.Rule != "" && slices.Contains(rules, d.RuleID()) })
}

// RuleID returns the lint rule of the finding, "" for errors of the language
// itself.
func (d *Diagnostic) RuleID() string {
	id, _, _ := strings.Cut(d.Rule, ":")
	return id
}

// Findings adds what the assembler noticed to findings about the program, leaves
// out those that the sources allow, and sorts them by position. A finding at several
// places stays at those where it is not allowed.
func (p *Program) Findings(ds Diagnostics, sources []Source) Diagnostics {
	text := map[string][]string{}
	order := map[string]int{}
	for i, s := range sources {
		text[s.Name], order[s.Name] = strings.Split(string(s.Text), "\n"), i
	}
	var remaining Diagnostics
	for _, d := range append(ds, p.notes...) {
		positions := slices.DeleteFunc(append([]Pos{d.Pos}, d.Again...), func(at Pos) bool { return p.allowed.has(at, d.RuleID()) })
		if len(positions) == 0 {
			continue
		}
		d.Pos, d.Again = positions[0], positions[1:]
		if lines := text[d.File]; d.Line >= 1 && d.Line <= len(lines) {
			d.Source = strings.TrimRight(lines[d.Line-1], "\r")
		}
		remaining = append(remaining, d)
	}
	remaining = remaining.Unique()
	remaining.sortBy(order)
	return remaining
}

// allow reads the comment of a line if it is one of these. alone reports that
// the line has nothing else.
func (a *assembler) allow(comment word, alone bool) {
	c := comment.trim()
	if !strings.HasPrefix(c.text, allowMark) {
		return
	}
	c = c.from(len(allowMark)).trim()
	verb, rest, _ := strings.Cut(c.text, " ")
	if verb != "allow" || strings.TrimSpace(rest) == "" {
		a.warn(c, "this comment says nothing to the linter", "; lint: allow RULE, RULE")
		return
	}
	list := cursor{c.from(len(verb))}
	for {
		w, more := list.arg()
		if !more {
			return
		}
		switch names := rules.Names(); {
		case !slices.Contains(names, w.text):
			a.warn(w, fmt.Sprintf("no lint rule %q", w.text), didYouMean(w.text, names))
		case alone:
			put(&a.allowed.files, a.file, w.text)
		default:
			put(&a.allowed.lines, sourceLine{a.file, a.lineNo}, w.text)
		}
	}
}

func put[K comparable](m *map[K]map[string]bool, key K, rule string) {
	if *m == nil {
		*m = map[K]map[string]bool{}
	}
	if (*m)[key] == nil {
		(*m)[key] = map[string]bool{}
	}
	(*m)[key][rule] = true
}

// lintNote adds a finding of a rule that needs the source.
func (a *assembler) lintNote(rule string, w word, format string, args ...any) {
	r := rules.Get(rule)
	if len(a.notes) >= maxFindings {
		return
	}
	a.notes = append(a.notes, Diagnostic{Pos: a.pos(w), Severity: Warning, Msg: fmt.Sprintf(format, args...), Rule: r.ID + ": " + r.Source})
}
