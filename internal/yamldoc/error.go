package yamldoc

import (
	"fmt"
	"strings"

	"pica200/internal/quote"
)

// Error is one mistake in a document, with its position.
type Error struct {
	File         string
	Line, Column int // counted from 1
	Msg          string
	excerpt      string // the line quoted, with a caret under the column
	cause        error  // wrapped error of Msg
}

// Unwrap returns the wrapped error, so that a cancelled context is not taken
// for a mistake of the document.
func (e *Error) Unwrap() error { return e.cause }

// Error returns "file:line:column: message" and, below, the line itself.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, quote.Lines(e.Msg))
	if e.excerpt != "" {
		s += "\n" + e.excerpt
	}
	return s
}

// Errors is all mistakes in a document, in order of position, never empty.
type Errors []*Error

// Error joins the messages, a line (and its quotation) each.
func (e Errors) Error() string {
	var b strings.Builder
	for i, one := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.Error())
	}
	return b.String()
}

// maxQuoted is the longest piece of a line that an excerpt repeats.
const maxQuoted = 120

func excerpt(src []byte, line, col int) string {
	text := ""
	for n, rest := 1, string(src); ; n++ {
		i := strings.IndexByte(rest, '\n')
		if n == line {
			if i >= 0 {
				rest = rest[:i]
			}
			text = strings.TrimRight(rest, "\r")
			break
		}
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
	}
	runes := []rune(text)
	if len(runes) > maxQuoted {
		runes = append(runes[:maxQuoted], '…')
	}
	for i, r := range runes {
		if r == '\t' || r < ' ' {
			runes[i] = ' '
		}
	}
	col = max(1, min(col, len(runes)+1))
	return fmt.Sprintf("%5d | %s\n      | %s^", line, string(runes), strings.Repeat(" ", col-1))
}

// Nearest returns the name in names that is closest to name by edit distance,
// or "" if none is near enough to be meant: at most a third of the letters may
// change. Among equally near names the first one wins.
func Nearest(name string, names []string) string {
	best, bestDist := "", 1<<30
	low := strings.ToLower(name)
	for _, n := range names {
		if d := editDistance(low, strings.ToLower(n)); d < bestDist {
			best, bestDist = n, d
		}
	}
	if bestDist > max(2, len(name)/3) {
		return ""
	}
	return best
}

// editDistance is the optimal string alignment distance: insertions,
// deletions, substitutions, and exchanges of two neighbours count 1.
func editDistance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return 1 << 29
	}
	prev2 := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
