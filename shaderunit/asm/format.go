package asm

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Format lays a source out in one way: a tab for every block, labels at the margin, one
// blank behind a mnemonic and behind commas, mnemonics and directives in lower case,
// comments behind statements in a column. Lines stay lines, so that line numbers and the
// assembled program are the same, byte for byte, and what Format wrote it leaves as it is.
// A line that it cannot take apart keeps its words as they are, and a text with a NUL,
// which ends a source, or in the language of another assembler all of it.
func Format(text []byte) []byte {
	if bytes.IndexByte(text, 0) >= 0 {
		return text
	}
	if told, _, _ := tell(string(text)); told != nil && told.read != nil {
		return text
	}
	f := formatter{}
	lines := strings.Split(string(text), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	for _, l := range lines {
		f.line(l)
	}
	f.flush()
	return f.out
}

// formatter is the state of Format.
type formatter struct {
	out    []byte
	blocks []bool // open ones; true for an array of constants
	group  []formatted
}

// formatted is a line whose comment is still to be placed.
type formatted struct{ text, comment string }

// tabWidth is what a tab counts for where comments are aligned.
const tabWidth = 8

// flush writes the lines of a group, the comments behind the longest of them.
func (f *formatter) flush() {
	width := 0
	for _, l := range f.group {
		width = max(width, textWidth(l.text))
	}
	for _, l := range f.group {
		f.out = append(f.out, l.text...)
		for n := textWidth(l.text); n <= width; n++ {
			f.out = append(f.out, ' ')
		}
		f.out = append(append(f.out, l.comment...), '\n')
	}
	f.group = f.group[:0]
}

func textWidth(s string) int {
	tabs := strings.Count(s, "\t")
	return utf8.RuneCountInString(s) - tabs + tabs*tabWidth
}

func (f *formatter) line(raw string) {
	labels, rest, comment, commented := takeApart(raw)
	switch {
	case strings.HasPrefix(rest, "#"):
		// A line marker: the assembler looks at every byte of it.
		f.plain(strings.TrimRight(raw, " \t\r\v\f"))
		return
	case labels == "" && rest == "":
		if strings.HasPrefix(raw, ";") || !commented {
			f.plain(comment) // at the margin it stays there
		} else {
			f.plain(strings.Repeat("\t", len(f.blocks)) + comment)
		}
		return
	}
	text := labels
	if rest != "" {
		indent := f.statement(rest)
		switch {
		case labels != "":
			text += "\t"
		default:
			text = strings.Repeat("\t", indent)
		}
		text += tidy(rest)
	}
	if !commented {
		f.plain(text)
		return
	}
	f.group = append(f.group, formatted{text, comment})
}

// takeApart gives the labels of a line, its statement and its comment.
func takeApart(raw string) (labels, rest, comment string, commented bool) {
	code, comment, commented := strings.Cut(raw, ";")
	rest = word{code, 0}.trim().text
	if commented {
		comment = ";" + strings.TrimRight(comment, " \t\r\v\f")
	}
	for {
		colon := strings.IndexByte(rest, ':')
		if colon < 0 {
			return labels, rest, comment, commented
		}
		if labels != "" {
			labels += " "
		}
		labels += rest[:colon+1]
		rest = word{rest[colon+1:], 0}.trim().text
	}
}

// Block is a procedure, an if, a loop or an array of constants: the lines of its first
// statement and of its end, from 0, and between them that of its .else, -1 without one.
type Block struct{ First, Else, Last int }

// Blocks gives the blocks of a source that are closed, in the order of their ends.
func Blocks(text []byte) (list []Block) {
	var f formatter
	var open []Block
	for i, raw := range strings.Split(string(text), "\n") {
		_, rest, _, _ := takeApart(raw)
		if rest == "" || strings.HasPrefix(rest, "#") {
			continue
		}
		before := len(f.blocks)
		f.statement(rest)
		name, _ := splitName(rest)
		switch after := len(f.blocks); {
		case after > before:
			open = append(open, Block{First: i, Else: -1})
		case after < before:
			b := open[after]
			b.Last, open = i, open[:after]
			list = append(list, b)
		case lower(name) == ".else" && after > 0:
			open[after-1].Else = i
		}
	}
	return list
}

// plain writes a line without a comment behind a statement, which ends a group.
func (f *formatter) plain(text string) {
	f.flush()
	f.out = append(append(f.out, text...), '\n')
}

// statement keeps count of the blocks and gives the indentation of a statement.
func (f *formatter) statement(text string) int {
	name, args := splitName(text)
	depth := len(f.blocks)
	switch lower(name) {
	case ".proc", "for", "ifu", "ifc":
		f.blocks = append(f.blocks, false)
	case ".constfa":
		if (depth == 0 || !f.blocks[depth-1]) && !strings.HasPrefix(args, "(") {
			f.blocks = append(f.blocks, true)
		}
	case ".else":
		return max(0, depth-1)
	case ".end":
		if depth > 0 {
			f.blocks = f.blocks[:depth-1]
		}
		return max(0, depth-1)
	}
	return depth
}

// splitName cuts the first word off a statement, as the assembler does.
func splitName(text string) (name, args string) {
	at := strings.IndexAny(text, " \t")
	if at < 0 {
		return text, ""
	}
	return text[:at], word{text[at+1:], 0}.trim().text
}

// blankSeparated are the directives whose arguments stand between blanks.
var blankSeparated = map[string]bool{".alias": true, ".in": true, ".out": true, ".entry": true, ".gsh": true, ".setb": true, ".dvle": true}

// tidy writes a statement with single blanks.
func tidy(text string) string {
	if strings.ContainsAny(text, "\v\f\r") {
		return text
	}
	name, args := splitName(text)
	name = lower(name)
	switch {
	case args == "":
		return name
	case blankSeparated[name]:
		return name + " " + strings.Join(strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == '\t' }), " ")
	}
	parts := strings.Split(args, ",")
	for i, p := range parts {
		parts[i] = strings.Trim(p, " \t")
	}
	if open, last := strings.IndexByte(parts[0], '('), len(parts)-1; open >= 0 && last > 0 && isVector(name) {
		parts[0] = strings.TrimRight(parts[0][:open], " \t") + "(" + strings.TrimLeft(parts[0][open+1:], " \t")
		if end := strings.IndexByte(parts[last], ')'); end >= 0 && end == len(parts[last])-1 {
			parts[last] = strings.TrimRight(parts[last][:end], " \t") + ")"
		}
	}
	return name + " " + strings.Join(parts, ", ")
}

// isVector says whether four numbers in parentheses stand behind a directive.
func isVector(name string) bool {
	switch name {
	case ".constf", ".consti", ".constfa", ".setf", ".seti":
		return true
	}
	return false
}
