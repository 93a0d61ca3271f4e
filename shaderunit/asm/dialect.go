package asm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pica200/internal/lazy"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// A front end reads sources in the language of another assembler and makes the
// same things from each line: labels, declarations, instruction words.
// Diagnostics, line tables and symbols are therefore those of any source.

// frontEnd reads the lines of one source. Its words are slices of the unchanged
// line.
type frontEnd interface {
	statement(w word) // a line without its comment and its label
	finish()          // after the last line
}

// dialect is another shader language that the assembler recognizes.
type dialect struct {
	name string
	mark func() *regexp.Regexp // matches a typical line, without leading blanks
	more string                // how it differs from .pica
	// For languages that can be assembled: what starts a comment, and how to read
	// lines.
	comment func() *regexp.Regexp
	read    func(*assembler, Source) frontEnd
}

// dialects are recognized by lines that are not valid here. They are tried in
// this order.
var dialects []dialect

const nihstroName = "the language of nihstro-assemble"

func nihstroDialect() *dialect {
	return &dialects[slices.IndexFunc(dialects, func(d dialect) bool { return d.name == nihstroName })]
}

func init() {
	dialects = []dialect{
		{name: "GLSL", mark: lazy.Regexp(`^(#version\b|void\s+main\s*\(|(uniform|attribute|varying|in|out|layout)\b.*\b(vec[234]|mat[34]|float)\b.*;|gl_Position\b)`), more: "there is no compiler for it here"},
		{name: "an ARB program", mark: lazy.Regexp(`^(!!ARB(vp|fp)|(ATTRIB|PARAM|TEMP|OUTPUT)\s+\w+.*;)`)},
		{name: "Direct3D's shader assembly", mark: lazy.Regexp(`^([vp]s[._][1-3][._][0-9x]\b|dcl_\w+\s)`), more: "declare with .in, .out and .constf"},
		{name: nihstroName, mark: lazy.Regexp(`^\.\s*alias\s+\w+\s+[^;/#]+\bas\s`), more: "declare outputs with .out and procedures with .proc",
			comment: lazy.Regexp(`//|[#;]`), read: newNihstro},
		{name: "the language of zitrus", mark: lazy.Regexp(`^\.(entry\s+\w+\s+(vertex|geometry)\b|out\s+\w+\s+o\d+(\.[xyzw]+)?\s+[a-z]|set\s+\w+\s+[fib]\d+\s)`), more: "declare with .constf, .out and .fvec, and procedures with .proc",
			comment: lazy.Regexp(`;`), read: newZitrus},
		{name: "the shader assembly of the Wii U", mark: lazy.Regexp(`^[0-9]+\s+(CALL_FS|ALU\w*|TEX|VTX|EXP\w*)\b`), more: "which has another GPU"},
		{name: "the language of aemstro_as", mark: lazy.Regexp(`^(\.(const\s+c\d+\s*,|out\s+o\d+\s*,\s*result\.|uniform\s+[bci]\d+)|result\.\w+\s|end(main)?:)`), more: "declare with .constf, .out and .fvec, and procedures with .proc",
			comment: lazy.Regexp(`;`), read: newAemstro},
	}
}

// detect recognizes the language of a text by its first typical line, and returns
// the number of that line, from 1. nil is .pica, and any text with a procedure as in it.
func detect(text string) (found *dialect, at int) {
	for line := range strings.Lines(text) {
		if t := strings.TrimSpace(line); len(t) > 5 && sameFold(t[:5], ".proc") {
			return nil, 0
		}
	}
	for line := range strings.Lines(text) {
		at++
		line = strings.TrimSpace(strings.TrimPrefix(line, byteOrderMark))
		for i := range dialects {
			if dialects[i].mark().MatchString(line) {
				return &dialects[i], at
			}
		}
	}
	return nil, 0
}

// foreignLine reads a line of another language.
func (a *assembler) foreignLine(d *dialect, f frontEnd, raw string) {
	a.raw = strings.TrimRight(raw, "\r")
	w := word{a.raw, 0}
	if strings.HasPrefix(w.text, byteOrderMark) {
		w = w.from(len(byteOrderMark))
	}
	if at := d.comment().FindStringIndex(w.text); at != nil {
		w = w.to(at[0])
	}
	w = w.trim()
	if colon := strings.IndexByte(w.text, ':'); colon >= 0 {
		a.label(w.to(colon).trim())
		w = w.from(colon + 1).trim()
	}
	if w.text != "" {
		a.afterEnd = a.afterEnd && strings.HasPrefix(lower(w.text), "end")
		f.statement(w)
	}
}

// stretch is the code between two labels that an instruction runs: a procedure
// of .pica.
type stretch struct {
	at          int // the instruction that calls it
	from, until word
	pos         Pos // position of that instruction
	line        string
}

func (a *assembler) stretch(st *statement, from, until word) stretch {
	a.index.uses(from, SymbolLabel)
	a.index.uses(until, SymbolLabel)
	return stretch{len(a.code), from, until, a.pos(st.name), a.raw}
}

// ends finds the start and the end of a stretch.
func (a *assembler) ends(s *stretch) (start, end int, ok bool) {
	at := func(w word) int {
		n, known := a.fileLabels[w.text]
		if !known {
			a.report(Diagnostic{Pos: Pos{a.file, s.pos.Line, w.off + 1, max(1, len(w.text))}, Severity: Error,
				Msg: fmt.Sprintf("label %q is not defined in this file", w.text), Hint: suggestFrom(a, w.text, a.fileLabels), Source: s.line})
			return -1
		}
		return n
	}
	start, end = at(s.from), at(s.until)
	return start, end, start >= 0 && end >= 0
}

// targets completes ifs and loops: they go to the first label, and from there run up to the second.
func (a *assembler) targets(blocks []stretch) {
	for i := range blocks {
		s := &blocks[i]
		dest, end, ok := a.ends(s)
		if !ok {
			continue
		}
		if shaderunit.Opcode(a.code[s.at]>>26) == shaderunit.OpLOOP {
			dest, end = dest-1, dest-1
		}
		if dest <= s.at || end < dest || end-dest > shaderunit.BlockLength {
			a.report(Diagnostic{Pos: s.pos, Severity: Error, Msg: "this block ends before it starts, or has too much in its other part", Expected: fmt.Sprintf("labels after it, %q at most %d instructions after %q", s.until.text, shaderunit.BlockLength, s.from.text), Source: s.line})
			continue
		}
		a.code[s.at] |= uint32(dest)<<10 | uint32(end-dest)
	}
}

// procedures makes procedures of the called stretches, named by the first
// label. If stretches with the same start have several ends, the second label
// is appended.
func (a *assembler) procedures(calls []stretch) {
	for i := range calls {
		s := &calls[i]
		start, end, ok := a.ends(s)
		if !ok {
			continue
		}
		if end <= start {
			a.report(Diagnostic{Pos: s.pos, Severity: Error, Msg: fmt.Sprintf("%q does not come after %q", s.until.text, s.from.text), Expected: "the label after the last instruction", Source: s.line})
			continue
		}
		name := s.from.text
		if p, known := a.procs[name]; known && (p.start != start || p.size != end-start) {
			name += "_" + s.until.text
		}
		a.procedure(name, start, end, s.pos, s.line)
		a.calls = append(a.calls, reloc{s.at, name, s.pos, s.line})
	}
}

func (a *assembler) procedure(name string, start, end int, pos Pos, line string) {
	if before, known := a.procs[name]; !known {
		a.procOrder = append(a.procOrder, name)
		a.procs[name] = proc{start, end - start, pos, line}
	} else if before.start != start {
		a.report(Diagnostic{Pos: pos, Severity: Error, Msg: fmt.Sprintf("procedure %q exists already", name), Expected: "another name", Hint: "first at " + before.pos.String(), Source: line})
	}
}

// number reads a register: one of letters and a number.
func (a *assembler) number(w word, letters string) (kind byte, n int, ok bool) {
	if len(w.text) < 2 || strings.IndexByte(letters, w.text[0]) < 0 || len(w.text) > 4 {
		return 0, 0, false
	}
	for _, c := range []byte(w.text[1:]) {
		if !picasso.IsDigit(c) {
			return 0, 0, false
		}
		n = 10*n + int(c-'0')
	}
	return w.text[0], n, n < map[byte]int{'v': 16, 'o': 16, 'r': 16, 'c': 96, 'i': shaderunit.IntUniforms, 'b': 16}[w.text[0]]
}

// register returns the number of a register in the space of alloc.go.
func register(kind byte, n int) int {
	return n + map[byte]int{'r': picasso.RegTemp, 'c': picasso.RegFloat, 'i': picasso.RegInt, 'b': picasso.RegBool}[kind]
}

// flags returns the bits of a condition on cmp.x and cmp.y: the wanted values,
// and how they combine.
func flags(op shaderunit.CondOp, x, y bool) uint32 {
	w := uint32(op) << flowCond
	if x {
		w |= flowRefX
	}
	if y {
		w |= flowRefY
	}
	return w
}
