package asm

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pica200/internal/quote"
)

// Severity is the severity of a diagnostic.
type Severity uint8

const (
	Warning Severity = iota // the output is still made
	Error                   // no output is made
)

func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Pos is a position in a source. Line and Col count from 1, Col in bytes. Len is
// the number of bytes marked, at least 1 if Col is set. Col 0 means the whole
// line, Line 0 the whole file.
type Pos struct {
	File      string
	Line, Col int
	Len       int
}

func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Diagnostic is one finding about a source.
type Diagnostic struct {
	Pos
	Severity Severity
	Msg      string // what is wrong
	Expected string // what the assembler expected there; may be empty
	Hint     string // what to write instead; may be empty
	Rule     string // the lint rule, empty for errors of the language
	Source   string // the source line, empty for findings about a whole file
	Again    []Pos  // further positions with the same cause, in order
}

// Error returns the diagnostic on one line: file:line:col: error: message.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", d.Pos, d.Severity, quote.Lines(d.Msg))
	if n := len(d.Again); n > 0 {
		fmt.Fprintf(&b, ", in %d places, the last in line %d", n+1, d.Again[n-1].Line)
	}
	if d.Expected != "" {
		fmt.Fprintf(&b, "; expected %s", quote.Lines(d.Expected))
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, " (%s)", quote.Lines(d.Hint))
	}
	if d.Rule != "" {
		fmt.Fprintf(&b, " [%s]", d.Rule)
	}
	return b.String()
}

// Instead returns the replacement that the hint suggests for the marked words,
// or "".
func (d *Diagnostic) Instead() string {
	text, ok := strings.CutPrefix(d.Hint, meant)
	if name, end := strings.CutSuffix(text, "?"); ok && end && d.Col > 0 {
		return name
	}
	return ""
}

// Print writes the diagnostic, its source line and a line with carets under it.
func (d *Diagnostic) Print(w io.Writer) {
	fmt.Fprintln(w, d.Error())
	if d.Source == "" || d.Line == 0 {
		return
	}
	source, start := quote.Around(d.Source, d.Col-1)
	fmt.Fprintf(w, "%5d | %s\n", d.Line, printable(source))
	if d.Col == 0 {
		return
	}
	var b strings.Builder
	for i, c := range source {
		if start+i >= d.Col-1 {
			break
		}
		if c == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteByte('^')
	b.WriteString(strings.Repeat("~", max(0, min(d.Len, start+len(source)-d.Col+1)-1)))
	fmt.Fprintf(w, "      | %s\n", b.String())
}

// printable replaces control characters, which could change the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

// Diagnostics are all diagnostics of a run, sorted by file and line. As a Go
// error they hold at least one Error.
type Diagnostics []Diagnostic

// Errors counts the diagnostics of severity Error.
func (ds Diagnostics) Errors() int {
	n := 0
	for i := range ds {
		if ds[i].Severity == Error {
			n++
		}
	}
	return n
}

// Err returns ds if it contains an error, else nil.
func (ds Diagnostics) Err() error {
	if ds.Errors() == 0 {
		return nil
	}
	return ds
}

// Error returns one line per error.
func (ds Diagnostics) Error() string {
	var lines []string
	for i := range ds {
		if ds[i].Severity == Error {
			lines = append(lines, ds[i].Error())
		}
	}
	return strings.Join(lines, "\n")
}

// Print writes every diagnostic with its source line and carets.
func (ds Diagnostics) Print(w io.Writer) {
	for i := range ds {
		ds[i].Print(w)
	}
}

// sortBy sorts by source file, line and column; equal positions keep their order.
func (ds Diagnostics) sortBy(fileOrder map[string]int) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(fileOrder[a.File]-fileOrder[b.File], a.Line-b.Line, a.Col-b.Col)
	})
}
