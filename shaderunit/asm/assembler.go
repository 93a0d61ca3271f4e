package asm

import (
	"bytes"
	"fmt"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// Source is one .pica file.
type Source struct {
	Name string // for diagnostics and line tables
	Text []byte
}

// Options change how sources are assembled.
type Options struct {
	// NoNop leaves out the NOPs that keep flow control from standing at the end of
	// another block; each place is reported as a warning instead.
	NoNop bool
	// Object keeps calls to procedures that no source defines as relocations, for
	// writing an unlinked object. Without it they are errors.
	Object bool
	// Extended adds what the reference assembler does not know, for programs that
	// other tools made: .word VALUE, .opdesc VALUE[, FLAGS], and @N behind an
	// instruction for its operand descriptor.
	Extended bool
	// Lines writes the source line of each instruction and the names of the sources into
	// the program, which the reference assembler does not.
	Lines bool
	// Picasso does as the reference assembler where this one is stricter: blocks that
	// are too long for their instruction (see maxLength) are written as it writes them,
	// with a warning, and padding NOPs and one more instruction may lie behind the code
	// memory of vertex shaders.
	Picasso bool
}

// blockKind is what .end closes.
type blockKind uint8

const (
	blockProc blockKind = iota
	blockFor
	blockIf
	blockArray
	blockBad // opened by a statement in error; its .end is taken without a word
)

// block is an open .proc, for, if or .constfa.
type block struct {
	kind   blockKind
	start  int  // word at which it starts
	elseAt int  // of an if: word after its .else, 0 without one
	name   word // of a procedure or array
	line   string
	pos    Pos
	at     int // physical line, for the index
	size   int // of an array: declared size, -1 without one
	bad    bool
	elems  [][4]float32
}

// proc is a procedure: its place in the code in words.
type proc struct {
	start, size int
	pos         Pos
	line        string // of the source, at pos
}

// reloc is an instruction whose target is a name.
type reloc struct {
	at   int // word
	name string
	pos  Pos
	line string
}

// executable is what becomes a DVLE: the settings of one source file.
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
	uniforms  []uniform
	constants []constant
	outputs   []output
	named     []namedOutput // the same with their names
	outUsed   uint32
	labels    []shbin.Label     // extended language
	fields    map[string]uint32 // extended language
}

type constant struct {
	reg int
	typ uniformType
	f   [4]float32
	i   [4]uint8
	b   bool
	pos Pos // of its directive
}

type output struct {
	typ, reg int
	mask     uint8
}

// outputRegisters gives the number of output registers that can be named.
func (e *executable) outputRegisters() int {
	if e.geometry {
		return 7
	}
	return 16
}

// ownUniforms says whether the shader does not share the vertex shaders' uniforms.
func (e *executable) ownUniforms() bool { return e.geometry && !e.legacy }

// assembler is the state of one run over all sources.
type assembler struct {
	opt   Options // in force here: those asked for and those of .options
	base  Options // asked for
	diags Diagnostics
	alien bool   // a source is in another language, so that nothing is said of what lacks
	cut   bool   // there are more findings than are kept
	exact bool   // operand descriptors are shared by operations with the same one alone
	idle  uint32 // with exact: bits of the next descriptor that no operand has

	code      []uint32
	at        []Pos // per word: the statement it came from
	desc      descriptorTable
	descFull  bool // reported once
	descFlags []uint32
	procs     map[string]proc
	procOrder []string
	calls     []reloc
	jumps     []reloc // of all files, resolved
	uniforms  []uniform
	pools     [2]pools // vertex (and legacy geometry), geometry
	dvles     []*executable
	dvleCount int
	blocks    []block
	// afterEnd says that the last statement that counts closed a for or an if, so
	// that a block closed right there needs a NOP. It is carried across files.
	afterEnd  bool
	labels    []Label // of all files
	fileOrder map[string]int
	notes     Diagnostics // findings of lint rules that need the source
	allowed   allowances
	index     *indexer // nil unless names are asked for

	// Of the current file.
	file       string
	lineNo     int
	raw        string // the line as it stands
	cur        *executable
	aliases    map[string]alias
	fileLabels map[string]int
	labelPos   map[string]Pos
	fileJumps  []reloc
	outside    bool // an instruction outside of all blocks was reported just before
	started    bool // a statement other than .options was there
	tooLong    bool // the code memory being full was reported
	suspect    *suspect
}

func (a *assembler) pos(w word) Pos {
	return Pos{a.file, a.lineNo, w.off + 1, max(1, len(w.text))}
}

// maxFindings bounds the findings of a run. Nobody reads more, and a file that is no source
// would fill the memory with them.
const maxFindings = 10000

func (a *assembler) report(d Diagnostic) {
	if len(a.diags) >= maxFindings {
		// That there are errors is not forgotten.
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

// dvle gives the executable of the current file, making it at the first statement
// that needs it.
func (a *assembler) dvle() *executable {
	if a.cur == nil {
		a.cur = &executable{file: a.file, entry: "main"}
		a.dvles = append(a.dvles, a.cur)
		a.dvleCount++
	}
	return a.cur
}

// pool gives the registers of a type that the current file draws from.
func (a *assembler) pool(t uniformType) *pool {
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
		pools:     [2]pools{vertexPools(), vertexPools()},
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
	a.opt.NoNop, a.opt.Extended, a.exact = a.base.NoNop, a.base.Extended, false
	for t := range a.pools[0] {
		a.pools[0][t].forgetConstants()
	}
	text := src.Text
	if nul := bytes.IndexByte(text, 0); nul >= 0 {
		text = text[:nul]
	}
	rest := string(text)
	var front frontEnd
	told, at, _ := tell(rest)
	if told != nil && told.read != nil {
		front = told.read(a, src)
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
			a.foreignLine(told, front, line)
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
		a.foreign(src, first)
	default:
		a.report(Diagnostic{Pos: Pos{File: src.Name, Line: at}, Severity: Warning, Msg: "this line makes the source one in " + told.name + ", as which it is read"})
	}
}

// suspect is a block that probably lacks its .end, which a later one's closed.
type suspect struct {
	block block
	hint  string
}

// unclosed reports the blocks that are open at the end of the file. An .end closes the
// innermost block, so that the open one is rarely that whose .end is missing: that is the
// one that an .end with the indentation of an outer one closed, or in which a procedure
// starts.
func (a *assembler) unclosed() {
	for i := range a.blocks {
		b := &a.blocks[i]
		if b.kind == blockBad {
			continue
		}
		if _, known := a.procs[b.name.text]; b.kind == blockProc && !known {
			a.procs[b.name.text] = proc{start: b.start, pos: b.pos, line: b.line} // calls of it are no error
		}
		d := Diagnostic{Pos: b.pos, Severity: Error, Msg: "this block has no .end", Expected: ".end before the end of the file", Source: b.line}
		if i == 0 && a.suspect != nil {
			d.Pos, d.Source, d.Hint = a.suspect.block.pos, a.suspect.block.line, a.suspect.hint
		}
		a.report(d)
	}
}

// suspectEnd looks whether an .end closes another block than the one that it is meant for.
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

// line assembles one line. It returns true for a line marker of a preprocessor,
// which sets the number of the line behind it.
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
	if !validIdentifier(w.text) {
		hint := ""
		if t := w.trim(); t.text != w.text && validIdentifier(t.text) {
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

// marker takes a line marker as the C preprocessor writes it: # line "file".
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

// physical gives the line as an editor counts it, from 0, for the index.
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
		n, ok := a.integer(w.from(at+1).trim(), 0, maxDescriptors-1)
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
	last   word // the last argument, or the first one of several words
}

// missing reports an argument that is not there.
func (st *statement) missing(expected string) {
	end := st.rest
	st.a.err(word{"", end.off}, fmt.Sprintf("%s: missing parameter", st.name.text), expected, commaHint(st.last))
}

// need takes an argument of a list with commas, reporting if there is none.
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

// needBlank takes an argument of a list with blanks, reporting if there is none.
func (st *statement) needBlank(expected string) (word, bool) {
	w, ok := st.argBlank()
	if !ok {
		st.missing(expected)
	}
	return w, ok
}

// done reports what stands behind the last argument.
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

// args takes exactly len(expected) arguments separated by commas.
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

// placeholder stands for an instruction in error, so that blocks keep a length.
func (a *assembler) placeholder(st *statement) {
	a.emit(uint32(shaderunit.OpNOP)<<26, st)
}

// padding inserts the NOP that the end of a block needs.
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
	if len(a.blocks) == maxBlocks {
		a.err(st.name, "too many nested blocks", fmt.Sprintf("at most %d", maxBlocks), "")
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
	a.jumps = append(a.jumps, a.fileJumps...)
}
