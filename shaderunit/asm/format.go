package asm

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Format formats a source: a tab per block, labels at the margin, one blank
// after a mnemonic and after commas, mnemonics and directives in lower case,
// and comments after statements aligned. It keeps the lines, so line numbers
// and the assembled program do not change, byte for byte. Formatting again
// changes nothing. A line that it cannot parse keeps its words; a text with a
// NUL, which ends a source, or in the language of another assembler stays
// unchanged.
func Format(text []byte) []byte {
	if bytes.IndexByte(text, 0) >= 0 {
		return text
	}
	if found, _ := detect(string(text)); found != nil && found.read != nil {
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
	blocks []bool // open blocks; true for an array of constants
	group  []formatted
}

// formatted is a line whose comment is not placed yet.
type formatted struct{ text, comment string }

// tabWidth is the width of a tab for aligning comments.
const tabWidth = 8

// flush writes a group of lines with their comments aligned.
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
		// Keep line markers unchanged: the assembler reads every byte of them.
		f.plain(strings.TrimRight(raw, " \t\r\v\f"))
		return
	case labels == "" && rest == "":
		if strings.HasPrefix(raw, ";") || !commented {
			f.plain(comment) // a comment at the margin stays there
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

// takeApart splits a line into its labels, statement and comment.
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

// Block is a procedure, an if, a loop or an array of constants: the lines, from
// 0, of its first statement, of its .else (-1 without one) and of its .end.
type Block struct{ First, Else, Last int }

// Blocks returns the closed blocks of a source, in the order of their ends.
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

// plain writes a line without a comment after a statement, which ends the
// group.
func (f *formatter) plain(text string) {
	f.flush()
	f.out = append(append(f.out, text...), '\n')
}

// statement tracks the open blocks and returns the indentation of a statement.
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

// splitName splits off the first word of a statement, like the assembler.
func splitName(text string) (name, args string) {
	at := strings.IndexAny(text, " \t")
	if at < 0 {
		return text, ""
	}
	return text[:at], word{text[at+1:], 0}.trim().text
}

// blankSeparated are the directives whose arguments are separated by blanks.
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

// isVector reports whether four numbers in parentheses stand after a directive.
func isVector(name string) bool {
	switch name {
	case ".constf", ".consti", ".constfa", ".setf", ".seti":
		return true
	}
	return false
}
