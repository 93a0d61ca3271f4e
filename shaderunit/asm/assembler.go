package asm

import (
	"bytes"
	"fmt"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// Source is one .pica file.
type Source struct {
	Name string // for diagnostics and line tables
	Text []byte
}

// Options change how sources are assembled.
type Options struct {
	// NoNop omits the NOPs that separate the ends of nested blocks, and warns at
	// each position.
	NoNop bool
	// Object keeps calls to undefined procedures as relocations, for an unlinked
	// object. Without it they are errors.
	Object bool
	// Extended allows directives that the reference assembler does not know, for
	// programs made by other tools: .word VALUE, .opdesc VALUE[, FLAGS], and @N
	// after an instruction to choose its operand descriptor.
	Extended bool
	// Lines writes the source line of each instruction and the names of the sources
	// into the program. The reference assembler writes neither.
	Lines bool
	// Picasso accepts what the reference assembler accepts and this one refuses:
	// blocks that are too long for their instruction (see shaderunit.BlockLength) are written in
	// its way, with a warning, and padding NOPs and one more instruction may follow
	// the end of the vertex shaders' code memory.
	Picasso bool
	// Nihstro makes what nihstro-assemble makes of its language.
	Nihstro *Nihstro
}

// Nihstro are the options of nihstro-assemble, in whose language every source then is, whatever its lines
// look like. The file is that program's, with its mistakes.
type Nihstro struct {
	Entry    string                            // label at which the program starts, instead of main
	Geometry bool                              // a geometry shader
	Include  func(name string) ([]byte, error) // reads a file that a source includes
}

// blockKind is what .end closes.
type blockKind uint8

const (
	blockProc blockKind = iota
	blockFor
	blockIf
	blockArray
	blockBad // opened by a statement with an error; its .end is accepted silently
)

// block is an open .proc, for, if or .constfa.
type block struct {
	kind   blockKind
	start  int  // word at which it starts
	elseAt int  // of an if: word after its .else, 0 without one
	name   word // of a procedure or array
	line   string
	pos    Pos
	at     int // source line, for the index
	size   int // of an array: declared size, -1 without one
	bad    bool
	elems  [][4]float32
}

// proc is a procedure: its position in the code in words.
type proc struct {
	start, size int
	pos         Pos
	line        string // the source line at pos
}

// reloc is an instruction that names its target.
type reloc struct {
	at   int // word
	name string
	pos  Pos
	line string
}

// executable collects one DVLE: the settings of one source file.
type executable struct {
	file      string
	entry     string
	entryPos  Pos
	entryLine string
	noDVLE    bool
	geometry  bool
	legacy    bool // geometry shader that shares the vertex shaders' uniforms
	merge     bool
	inMask    uint16
	outMask   uint16
	gshMode   uint8
	gshStart  uint8
	gshVarNum uint8
	gshFixNum uint8
	uniforms  []picasso.Uniform
	constants []constant
	outputs   []output
	outUsed   uint32
	labels    []shbin.Label     // extended language
	fields    map[string]uint32 // extended language
}

type constant struct {
	reg int
	typ picasso.UniformType
	f   [4]float32
	i   [4]uint8
	b   bool
	pos Pos // of its directive
}

type output struct {
	name    string // "" if the source has none
	meaning shbin.OutputType
	reg     int
	mask    uint8 // bit 0 = x
}

// addOutput adds an output that the statement at w declares.
func (a *assembler) addOutput(e *executable, w word, o output) {
	if len(e.outputs) == picasso.MaxOutputs {
		a.err(w, "too many outputs", fmt.Sprintf("at most %d", picasso.MaxOutputs), "")
		return
	}
	e.outputs = append(e.outputs, o)
	e.outMask |= 1 << o.reg
}

// outputRegisters returns the number of output registers that can be named.
func (e *executable) outputRegisters() int {
	if e.geometry {
		return 7
	}
	return 16
}

// ownUniforms reports whether the shader has its own uniforms, not the vertex
// shaders'.
func (e *executable) ownUniforms() bool { return e.geometry && !e.legacy }

// assembler is the state of one run over all sources.
type assembler struct {
	opt   Options // the current options: base and those of .options
	base  Options // the caller's options
	diags Diagnostics
	alien bool   // a source is in another language, so missing names are not reported
	cut   bool   // some findings were dropped, see maxFindings
	exact bool   // operations share an operand descriptor only if it is identical
	idle  uint32 // with exact: bits of the next descriptor that no operand uses

	code      []uint32
	at        []Pos // per word: its statement
	desc      descriptorTable
	descFull  bool // reported once
	descFlags []uint32
	procs     map[string]proc
	procOrder []string
	calls     []reloc
	uniforms  []picasso.Uniform
	pools     [2]picasso.Pools // vertex (and legacy geometry), geometry
	dvles     []*executable
	dvleCount int
	blocks    []block
	// afterEnd is set if the last statement that emits code closed a for or an if,
	// so that a block closed directly after it needs a NOP. It carries over to the
	// next file.
	afterEnd  bool
	labels    []Label // of all files
	fileOrder map[string]int
	notes     Diagnostics // findings for lint rules that need the source
	allowed   allowances
	index     *indexer // nil unless the caller asked for symbols

	// Of the current file.
	file       string
	lineNo     int
	raw        string // the current line, unchanged
	cur        *executable
	aliases    map[string]alias
	fileLabels map[string]int
	labelPos   map[string]Pos
	fileJumps  []reloc
	outside    bool // the statement before was reported as outside of all blocks
	started    bool // a statement other than .options was seen
	tooLong    bool // full code memory was reported
	suspect    *suspect
}

func (a *assembler) pos(w word) Pos {
	return Pos{a.file, a.lineNo, w.off + 1, max(1, len(w.text))}
}

// maxFindings limits the findings of one run, so that a file that is not a
// source cannot fill memory with them.
const maxFindings = 10000

func (a *assembler) report(d Diagnostic) {
	if len(a.diags) >= maxFindings {
		// Even when the list is full, remember that there are errors.
		if a.cut || d.Severity != Error {
			return
		}
		a.cut = true
		d = Diagnostic{Pos: d.Pos, Severity: Error, Msg: fmt.Sprintf("more than %d findings; the rest is left out", maxFindings)}
	}
	a.diags = append(a.diags, d)
}

func (a *assembler) err(w word, msg, expected, hint string) {
	a.report(Diagnostic{Pos: a.pos(w), Severity: Error, Msg: msg, Expected: expected, Hint: hint, Source: a.raw})
}

func (a *assembler) warn(w word, msg, hint string) {
	a.report(Diagnostic{Pos: a.pos(w), Severity: Warning, Msg: msg, Hint: hint, Source: a.raw})
}

// dvle returns the executable of the current file; it creates it at the first
// statement that needs it.
func (a *assembler) dvle() *executable {
	if a.cur == nil {
		a.cur = &executable{file: a.file, entry: "main", fields: map[string]uint32{}}
		a.dvles = append(a.dvles, a.cur)
		a.dvleCount++
	}
	return a.cur
}

// pool returns the pool for a type in the current file.
func (a *assembler) pool(t picasso.UniformType) *picasso.Pool {
	if a.dvle().ownUniforms() {
		return &a.pools[1][t]
	}
	return &a.pools[0][t]
}

func newAssembler(opt Options) *assembler {
	return &assembler{
		opt:       opt,
		base:      opt,
		procs:     map[string]proc{},
		pools:     [2]picasso.Pools{picasso.VertexPools(), picasso.VertexPools()},
		fileOrder: map[string]int{},
	}
}

// source assembles one file into the program.
func (a *assembler) source(src Source) {
	if _, seen := a.fileOrder[src.Name]; !seen {
		a.fileOrder[src.Name] = len(a.fileOrder)
	}
	a.file, a.lineNo = src.Name, 1
	a.cur = nil
	a.aliases = map[string]alias{}
	a.fileLabels = map[string]int{}
	a.labelPos = map[string]Pos{}
	a.fileJumps = a.fileJumps[:0]
	a.outside, a.started = false, false
	a.suspect = nil
	errors, first := a.diags.Errors(), len(a.diags)
	a.opt.NoNop, a.opt.Extended, a.exact, a.desc.zitrus = a.base.NoNop, a.base.Extended, false, false
	for t := range a.pools[0] {
		a.pools[0][t].ForgetConstants()
	}
	text := src.Text
	if nul := bytes.IndexByte(text, 0); nul >= 0 {
		text = text[:nul]
	}
	rest := string(text)
	var front frontEnd
	found, at := detect(rest)
	if a.opt.Nihstro != nil {
		found = nihstroDialect()
	}
	if found != nil && found.read != nil {
		front = found.read(a, src)
	}
	physical := 0
	for more := true; more && !a.cut; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		if a.index != nil {
			a.index.line = physical
			physical++
		}
		if front != nil {
			a.foreignLine(found, front, line)
			if more {
				a.lineNo++
			}
		} else if !a.line(line) && more {
			a.lineNo++
		}
	}
	if front != nil {
		front.finish()
	}
	a.unclosed()
	a.blocks = a.blocks[:0]
	a.fixJumps()
	switch {
	case a.diags.Errors() == errors:
	case front == nil:
		a.reportDialect(src, first)
	default:
		a.report(Diagnostic{Pos: Pos{File: src.Name, Line: at}, Severity: Warning, Msg: "this line makes the source one in " + found.name + ", as which it is read"})
	}
}

// suspect is a block that probably lacks its .end and was closed by the .end of
// an outer block.
type suspect struct {
	block block
	hint  string
}

// unclosed reports the blocks that are open at the end of the file. An .end
// closes the innermost block, so the open block is rarely the one whose .end is
// missing. More likely that is one closed by an .end with the indentation of an
// outer block, or one in which a procedure starts.
func (a *assembler) unclosed() {
	for i := range a.blocks {
		b := &a.blocks[i]
		if b.kind == blockBad {
			continue
		}
		if _, known := a.procs[b.name.text]; b.kind == blockProc && !known {
			a.procs[b.name.text] = proc{start: b.start, pos: b.pos, line: b.line} // so that calls to it are not errors
		}
		d := Diagnostic{Pos: b.pos, Severity: Error, Msg: "this block has no .end", Expected: ".end before the end of the file", Source: b.line}
		if i == 0 && a.suspect != nil {
			d.Pos, d.Source, d.Hint = a.suspect.block.pos, a.suspect.block.line, a.suspect.hint
		}
		a.report(d)
	}
}

// suspectEnd checks whether an .end closes another block than its indentation
// suggests.
func (a *assembler) suspectEnd(st *statement, b *block) {
	if a.suspect != nil || b.pos.Line == a.lineNo || b.pos.File != a.file {
		return
	}
	end := a.pos(st.name)
	if b.pos.Col == end.Col {
		return
	}
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if outer := &a.blocks[i]; outer.pos.Col == end.Col && outer.pos.File == b.pos.File {
			a.suspect = &suspect{*b, fmt.Sprintf("the .end in line %d, which stands below line %d, closes this block", end.Line, outer.pos.Line)}
			return
		}
	}
}

// line assembles one line. It returns true for a preprocessor's line marker,
// which sets the number of the next line.
func (a *assembler) line(raw string) bool {
	a.raw = strings.TrimRight(raw, "\r")
	text, comment, commented := strings.Cut(raw, ";")
	w := word{text, 0}.trim()
	if commented && strings.Contains(comment, allowMark) {
		a.allow(word{comment, len(text) + 1}, w.text == "")
	}
	for {
		colon := strings.IndexByte(w.text, ':')
		if colon < 0 {
			break
		}
		a.label(w.to(colon))
		w = w.from(colon + 1).trim()
	}
	if w.text == "" {
		return false
	}
	if w.text[0] == '#' {
		a.marker(w.from(1).trim())
		return true
	}
	a.statement(w)
	return false
}

func (a *assembler) label(w word) {
	if !picasso.ValidIdentifier(w.text) {
		hint := ""
		if t := w.trim(); t.text != w.text && picasso.ValidIdentifier(t.text) {
			hint = "the colon follows the name directly: " + t.text + ":"
		}
		a.err(w, fmt.Sprintf("invalid label name %q", w.text), "letters, digits, '_' and '$', no digit first", hint)
		return
	}
	if before, dup := a.labelPos[w.text]; dup {
		a.err(w, fmt.Sprintf("duplicate label %q", w.text), "", "first at "+before.String())
		return
	}
	a.index.declares(w, a.physical(), SymbolLabel, "")
	a.fileLabels[w.text] = len(a.code)
	a.labelPos[w.text] = a.pos(w)
	a.labels = append(a.labels, Label{Name: w.text, Addr: len(a.code), File: a.file})
}

// marker reads a line marker of the C preprocessor: # line "file".
func (a *assembler) marker(w word) {
	end := strings.IndexAny(w.text, " \t")
	if end < 0 {
		a.lineNo = int(atoi(w.text))
		return
	}
	a.lineNo = int(atoi(w.text[:end]))
	name := w.from(end).trim().text
	if strings.HasPrefix(name, `"`) {
		name = name[1:]
		if len(name) > 0 {
			name = name[:len(name)-1]
		}
	}
	a.file = name
	if _, seen := a.fileOrder[name]; !seen {
		a.fileOrder[name] = len(a.fileOrder)
	}
}

// physical returns the line number as an editor counts it, from 0, for the
// index.
func (a *assembler) physical() int {
	if a.index == nil {
		return 0
	}
	return a.index.line
}

// statement assembles a directive or an instruction.
func (a *assembler) statement(w word) {
	st := &statement{a: a, cursor: cursor{w}, forced: -1}
	if at := strings.IndexByte(w.text, '@'); a.opt.Extended && at >= 0 {
		n, ok := a.integer(w.from(at+1).trim(), 0, shaderunit.Descriptors-1)
		if !ok {
			return
		}
		st.forced = n
		st.cursor = cursor{w.to(at).trim()}
	}
	st.name, _ = st.argBlank()
	name := lower(st.name.text)
	if strings.HasPrefix(name, ".") {
		a.directive(st, name[1:])
		return
	}
	a.instruction(st, name)
}

// statement is a directive or instruction with its arguments still to be read.
type statement struct {
	cursor
	a    *assembler
	name word
	// forced is the operand descriptor that the source asks for, -1 for none.
	forced int
	last   word // the last argument, or the first word of it
}

// missing reports a missing argument.
func (st *statement) missing(expected string) {
	end := st.rest
	st.a.err(word{"", end.off}, fmt.Sprintf("%s: missing parameter", st.name.text), expected, commaHint(st.last))
}

// need reads an argument of a comma-separated list, and reports if it is
// missing.
func (st *statement) need(expected string) (word, bool) {
	w, ok := st.arg()
	if !ok {
		st.missing(expected)
	}
	if len(strings.Fields(st.last.text)) < 2 {
		st.last = w
	}
	return w, ok
}

// needBlank reads an argument of a blank-separated list, and reports if it is
// missing.
func (st *statement) needBlank(expected string) (word, bool) {
	w, ok := st.argBlank()
	if !ok {
		st.missing(expected)
	}
	return w, ok
}

// done reports text after the last argument.
func (st *statement) done() bool {
	w, more := st.arg()
	if more {
		hint := ""
		if strings.Contains(w.text, "//") || strings.Contains(st.last.text, "//") {
			hint = commentHint
		}
		st.a.err(w, fmt.Sprintf("%s: too many parameters", st.name.text), "the end of the line", hint)
	}
	return !more
}

// args reads exactly len(expected) arguments separated by commas.
func (st *statement) args(expected ...string) ([]word, bool) {
	list := make([]word, 0, 4)
	for _, e := range expected {
		w, ok := st.need(e)
		if !ok {
			return nil, false
		}
		list = append(list, w)
	}
	return list, st.done()
}

// emit appends an instruction word.
func (a *assembler) emit(w uint32, st *statement) {
	a.code = append(a.code, w)
	a.at = append(a.at, a.pos(st.name))
}

// placeholder emits a NOP for an instruction with an error, so that blocks keep
// their length.
func (a *assembler) placeholder(st *statement) {
	a.emit(uint32(shaderunit.OpNOP)<<26, st)
}

// padding emits the NOP that the end of a block needs.
func (a *assembler) padding(st *statement) {
	if a.opt.NoNop {
		a.warn(st.name, "a padding NOP is required here", "")
		return
	}
	if !a.opt.Picasso && !a.room(st, "with the padding NOP that is required here") {
		return
	}
	a.emit(uint32(shaderunit.OpNOP)<<26, st)
}

// push opens a block.
func (a *assembler) push(b block, st *statement) bool {
	if len(a.blocks) == picasso.MaxBlocks {
		a.err(st.name, "too many nested blocks", fmt.Sprintf("at most %d", picasso.MaxBlocks), "")
		return false
	}
	b.pos, b.line, b.at = a.pos(st.name), a.raw, a.physical()
	a.blocks = append(a.blocks, b)
	return true
}

func (a *assembler) fixJumps() {
	for _, r := range a.fileJumps {
		dst, ok := a.fileLabels[r.name]
		if !ok {
			a.report(Diagnostic{Pos: r.pos, Severity: Error, Msg: fmt.Sprintf("label %q is not defined in this file", r.name),
				Hint: suggestFrom(a, r.name, a.fileLabels), Source: r.line})
			continue
		}
		a.code[r.at] = a.code[r.at]&^(0xFFF<<10) | uint32(dst)<<10
	}
}
