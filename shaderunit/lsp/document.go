package lsp

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"pica200/internal/lazy"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/lint"
)

// document is a source that the editor has open.
type document struct {
	uri     string
	version *int
	text    string
	lines   []string // without line ends
	utf8    bool     // positions count bytes, not UTF-16 code units

	extended bool // as in asm.Options

	symbols []asm.Symbol
	found   asm.Diagnostics
}

func newDocument(id documentID, text string, utf8 bool) *document {
	d := &document{uri: id.URI, version: id.Version, utf8: utf8}
	d.set(text)
	return d
}

// maxText limits the size of a source, in bytes. It is a thousand times that of
// the largest program that the shader unit can hold.
const maxText = 4 << 20

// set replaces the text and assembles it: as an object, because other sources
// may define the procedures that it calls.
func (d *document) set(text string) {
	d.text = text
	d.lines = strings.Split(text, "\n")
	if len(text) > maxText {
		d.symbols = nil
		d.found = asm.Diagnostics{{Severity: asm.Error, Msg: fmt.Sprintf("the text has %d bytes and is not looked at; sources have at most %d", len(text), maxText)}}
		return
	}
	src := asm.Source{Name: path.Base(d.uri), Text: []byte(text)}
	symbols, prog, found := asm.Index(asm.Options{Object: true, Extended: d.extended}, src)
	d.symbols, d.found = symbols, found
	if prog != nil {
		d.found = append(d.found, lint.Program(prog, []asm.Source{src})...)
	}
}

// change applies a change of the editor to a range or to the whole text.
func (d *document) change(r *textRange, text string) error {
	if r == nil {
		d.text = text
		d.lines = strings.Split(text, "\n")
		return nil
	}
	start, ok1 := d.offset(r.Start)
	end, ok2 := d.offset(r.End)
	if !ok1 || !ok2 || end < start {
		return fmt.Errorf("a change of lines %d to %d, but the document has %d", r.Start.Line, r.End.Line, len(d.lines))
	}
	d.text = d.text[:start] + text + d.text[end:]
	d.lines = strings.Split(d.text, "\n")
	return nil
}

// offset returns the byte offset of a position. The line after the last one is
// the end of the text.
func (d *document) offset(p position) (int, bool) {
	if p.Line == len(d.lines) && p.Character == 0 {
		return len(d.text), true
	}
	if p.Line < 0 || p.Line >= len(d.lines) || p.Character < 0 {
		return 0, false
	}
	at := 0
	for _, l := range d.lines[:p.Line] {
		at += len(l) + 1
	}
	return at + d.column(p), true
}

// column returns the byte of its line at a position, at most the end of the
// line.
func (d *document) column(p position) int {
	if p.Line < 0 || p.Line >= len(d.lines) {
		return 0
	}
	line := strings.TrimSuffix(d.lines[p.Line], "\r") // which belongs to the line end
	if d.utf8 {
		return min(max(0, p.Character), len(line))
	}
	units := 0
	for i, r := range line {
		if units >= p.Character {
			return i
		}
		units += utf16Length(r)
	}
	return len(line)
}

// position returns the position of a byte of a line.
func (d *document) position(line, column int) position {
	if line < 0 || line >= len(d.lines) {
		return position{Line: max(0, line)}
	}
	text := d.lines[line][:min(max(0, column), len(d.lines[line]))]
	if d.utf8 {
		return position{line, len(text)}
	}
	units := 0
	for _, r := range text {
		units += utf16Length(r)
	}
	return position{line, units}
}

func utf16Length(r rune) int {
	if r > 0xFFFF && r <= utf8.MaxRune {
		return 2
	}
	return 1
}

func (d *document) rangeOf(p asm.Span) textRange {
	return textRange{d.position(p.Line, p.Start), d.position(p.Line, p.End)}
}

// diagnostics converts the findings for the editor. A finding about a line
// marks the whole line; one about the file, or about another file that a line
// marker names, marks the first line.
func (d *document) diagnostics() []diagnostic {
	list := []diagnostic{}
	name := path.Base(d.uri)
	for i := range d.found {
		f := &d.found[i]
		out := diagnostic{Severity: severityWarning, Source: "pica200", Code: f.RuleID(), Message: f.Msg}
		if f.Severity == asm.Error {
			out.Severity = severityError
		}
		if f.Expected != "" {
			out.Message += "; expected " + f.Expected
		}
		if f.Hint != "" {
			out.Message += " (" + f.Hint + ")"
		}
		line := f.Line - 1
		if f.File != name || line < 0 || line >= len(d.lines) {
			if f.File != name && f.File != "" {
				out.Message = f.Pos.String() + ": " + out.Message
			}
			out.Range.End = d.position(0, len(d.lines[0]))
			list = append(list, out)
			continue
		}
		start, end := 0, len(strings.TrimRight(d.lines[line], "\r"))
		if f.Col > 0 {
			start = f.Col - 1
			end = start + f.Len
		}
		out.Range = textRange{d.position(line, start), d.position(line, end)}
		if strings.Contains(f.Msg, d.textIn(out.Range)) { // a line marker gives another place than that of the words
			out.Instead = f.Instead()
		}
		for _, at := range f.Again {
			if line := at.Line - 1; at.File == name && line >= 0 && line < len(d.lines) {
				out.Related = append(out.Related, relatedInformation{location{d.uri, textRange{d.position(line, at.Col-1), d.position(line, at.Col-1+at.Len)}}, "here too"})
			}
		}
		list = append(list, out)
	}
	return list
}

// symbolAt returns the symbol at a position, and its position.
func (d *document) symbolAt(p position) (*asm.Symbol, asm.Span) {
	column := d.column(p)
	covers := func(at asm.Span) bool { return at.Line == p.Line && at.Start <= column && column <= at.End }
	for i := range d.symbols {
		s := &d.symbols[i]
		if s.Declared && covers(s.Decl) {
			return s, s.Decl
		}
		for _, use := range s.Uses {
			if covers(use) {
				return s, use
			}
		}
	}
	return nil, asm.Span{}
}

// wordAt returns the word at a position, including the period of a directive or
// the components of a register.
func (d *document) wordAt(p position) (string, textRange) {
	if p.Line < 0 || p.Line >= len(d.lines) {
		return "", textRange{}
	}
	line, column := d.lines[p.Line], d.column(p)
	start, end := column, column
	for _, at := range words().FindAllStringIndex(line, -1) {
		if at[0] <= column && column <= at[1] {
			start, end = at[0], at[1]
		}
	}
	return line[start:end], textRange{d.position(p.Line, start), d.position(p.Line, end)}
}

// words matches the words of a source.
var words = lazy.Regexp(`[\w$.]+`)
