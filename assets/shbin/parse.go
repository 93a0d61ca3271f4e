package shbin

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

var le = binary.LittleEndian

// Sizes of the fixed structures in bytes.
const (
	dvlbHeader    = 8
	dvlpHeader    = 0x28
	dvlpShort     = 0x1C // of nihstro's assembler: no lines, no length of the names
	dvleHeader    = 0x40
	constantBytes = 20
	labelBytes    = 16
	outputBytes   = 8
	uniformBytes  = 8
	descBytes     = 8
)

// Magics of the sections.
const (
	MagicDVLB = "DVLB"
	MagicDVLP = "DVLP"
	MagicDVLE = "DVLE"
)

// maxOverlap bounds the bytes of all tables together to this many times the
// file, so that a small file whose executables share a large table cannot ask
// for much memory. Real files do not share.
const maxOverlap = 8

// maxName bounds the length of a symbol, so that many entries that share a long one
// do not ask for much memory.
const maxName = 1024

// Error is what Parse reports: the offset in the file and what was expected.
type Error struct {
	Offset int
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("shbin: offset 0x%X: %s", e.Offset, e.Msg) }

func fail(offset int, format string, args ...any) error {
	return &Error{offset, fmt.Sprintf(format, args...)}
}

// reader hands out parts of the file and remembers which bytes were covered.
type reader struct {
	data    []byte
	covered []bool
	budget  int
	odd     []Error
}

// part gives n entries of size bytes at base+offset. what names the table.
func (r *reader) part(base int, offset, n uint32, size int, what string) ([]byte, error) {
	at := uint64(base) + uint64(offset)
	length := uint64(n) * uint64(size)
	if n == 0 {
		return nil, nil
	}
	if at > uint64(len(r.data)) || length > uint64(len(r.data))-at {
		return nil, fail(base, "%s: %d entries of %d bytes at 0x%X, but the file has 0x%X bytes", what, n, size, at, len(r.data))
	}
	if r.budget -= int(length); r.budget < 0 {
		return nil, fail(base, "%s: the tables overlap more than %d times, expected tables of their own", what, maxOverlap)
	}
	overlap := false
	for i := at; i < at+length; i++ {
		overlap = overlap || r.covered[i]
		r.covered[i] = true
	}
	if overlap {
		r.odd = append(r.odd, Error{int(at), fmt.Sprintf("%s: the bytes of another table", what)})
	}
	return r.data[at : at+length], nil
}

func (r *reader) magic(at int, want string) error {
	if at > len(r.data) || len(r.data)-at < 4 {
		return fail(at, "%s expected, but the file ends at 0x%X", want, len(r.data))
	}
	if got := r.data[at : at+4]; string(got) != want {
		return fail(at, "%s expected, found %q", want, got)
	}
	return nil
}

// Parse reads a DVLB. It keeps no reference to data.
func Parse(data []byte) (*File, error) {
	r := &reader{data: data, budget: maxOverlap * len(data)}
	if err := r.magic(0, MagicDVLB); err != nil {
		return nil, err
	}
	if len(data) < dvlbHeader {
		return nil, fail(4, "number of executables expected, but the file ends at 0x%X", len(data))
	}
	n := le.Uint32(data[4:])
	if n > MaxExecutables {
		return nil, fail(4, "%d executables, expected at most %d", n, MaxExecutables)
	}
	r.covered = make([]bool, len(data))
	if _, err := r.part(0, 0, 1, dvlbHeader, "header"); err != nil {
		return nil, err
	}
	table, err := r.part(0, dvlbHeader, n, 4, "table of executables")
	if err != nil {
		return nil, err
	}
	f := &File{size: len(data)}
	program := dvlbHeader + 4*int(n)
	f.Program.header = ProgramHeader(data)
	if err := r.program(&f.Program, program); err != nil {
		return nil, err
	}
	f.Executables = make([]Executable, n)
	for i := range f.Executables {
		at := le.Uint32(table[4*i:])
		if uint64(at) > uint64(len(data)) {
			return nil, fail(dvlbHeader+4*i, "executable %d at 0x%X, but the file has 0x%X bytes", i, at, len(data))
		}
		if err := r.executable(&f.Executables[i], int(at), i, len(f.Program.Code)); err != nil {
			return nil, err
		}
	}
	f.gaps = r.gaps()
	f.Odd = append(r.odd, oddGaps(f.gaps, len(data))...)
	return f, nil
}

// ProgramHeader gives how many bytes the header of the DVLP has, from the number and the
// places of the executables at the start of a DVLB: nihstro's assembler puts the
// executable where others have the header's last words.
func ProgramHeader(data []byte) int {
	n := int(min(le.Uint32(data[4:]), MaxExecutables))
	program := dvlbHeader + 4*n
	for i := dvlbHeader; i < program && program <= len(data); i += 4 {
		short := program + dvlpShort
		if le.Uint32(data[i:]) == uint32(short) && bytes.HasPrefix(data[min(short, len(data)):], []byte(MagicDVLE)) {
			return dvlpShort
		}
	}
	return dvlpHeader
}

func (r *reader) program(p *Program, at int) error {
	if err := r.magic(at, MagicDVLP); err != nil {
		return err
	}
	h, err := r.part(at, 0, 1, p.header, "DVLP header")
	if err != nil {
		return err
	}
	p.offset = at
	p.Version = le.Uint32(h[4:])
	p.codeOffset, p.descOffset = le.Uint32(h[8:]), le.Uint32(h[0x10:])
	var lineCount, nameBytes uint32
	if p.Short() {
		p.symbolsOffset = le.Uint32(h[0x18:])
	} else {
		p.lineOffset, lineCount = le.Uint32(h[0x18:]), le.Uint32(h[0x1C:])
		p.symbolsOffset, nameBytes = le.Uint32(h[0x20:]), le.Uint32(h[0x24:])
	}
	words, descs := le.Uint32(h[0xC:]), le.Uint32(h[0x14:])
	if words > MaxCode {
		return fail(at+0xC, "%d instructions, expected at most %d", words, MaxCode)
	}
	if descs > maxDescriptors {
		return fail(at+0x14, "%d operand descriptors, expected at most %d", descs, maxDescriptors)
	}
	code, err := r.part(at, p.codeOffset, words, 4, "code")
	if err != nil {
		return err
	}
	p.Code = make([]uint32, words)
	for i := range p.Code {
		p.Code[i] = le.Uint32(code[4*i:])
	}
	table, err := r.part(at, p.descOffset, descs, descBytes, "operand descriptors")
	if err != nil {
		return err
	}
	p.Descriptors = make([]Descriptor, descs)
	for i := range p.Descriptors {
		p.Descriptors[i] = Descriptor{le.Uint32(table[8*i:]), le.Uint32(table[8*i+4:])}
	}
	symbols, err := r.part(at, p.symbolsOffset, nameBytes, 1, "file names")
	if err != nil {
		return err
	}
	p.Symbols = bytes.Clone(symbols)
	lines, err := r.part(at, p.lineOffset, lineCount, lineBytes, "line numbers")
	if err != nil {
		return err
	}
	p.Lines = make([]Line, len(lines)/lineBytes)
	for i := range p.Lines {
		l := Line{Symbol: le.Uint32(lines[lineBytes*i:]), Line: le.Uint32(lines[lineBytes*i+4:])}
		l.File, _ = SymbolAt(p.Symbols, l.Symbol) // a bad name does not make a bad shader
		p.Lines[i] = l
	}
	return nil
}

func (r *reader) executable(e *Executable, at, index, words int) error {
	if err := r.magic(at, MagicDVLE); err != nil {
		return err
	}
	what := func(s string) string { return fmt.Sprintf("executable %d, %s", index, s) }
	h, err := r.part(at, 0, 1, dvleHeader, what("DVLE header"))
	if err != nil {
		return err
	}
	e.offset = at
	e.Version, e.Type, e.Merge = le.Uint16(h[4:]), ShaderType(h[6]), h[7]
	e.Main, e.EndMain = le.Uint32(h[8:]), le.Uint32(h[0xC:])
	e.InputMask, e.OutputMask = le.Uint16(h[0x10:]), le.Uint16(h[0x12:])
	e.Geometry = Geometry{GeometryMode(h[0x14]), h[0x15], h[0x16], h[0x17]}
	if uint64(e.Main) >= uint64(words) {
		return fail(at+8, "executable %d, entry point 0x%X, but the code has 0x%X words", index, e.Main, words)
	}
	e.constOffset, e.labelOffset = le.Uint32(h[0x18:]), le.Uint32(h[0x20:])
	e.outputOffset, e.uniformOffset = le.Uint32(h[0x28:]), le.Uint32(h[0x30:])
	e.symbolsTableStart = le.Uint32(h[0x38:])

	symbols, err := r.part(at, e.symbolsTableStart, le.Uint32(h[0x3C:]), 1, what("symbols"))
	if err != nil {
		return err
	}
	e.Symbols = bytes.Clone(symbols)
	if err := r.constants(e, at, le.Uint32(h[0x1C:]), what); err != nil {
		return err
	}
	if err := r.labels(e, at, le.Uint32(h[0x24:]), what); err != nil {
		return err
	}
	outputs, err := r.part(at, e.outputOffset, le.Uint32(h[0x2C:]), outputBytes, what("outputs"))
	if err != nil {
		return err
	}
	e.Outputs = make([]Output, len(outputs)/outputBytes)
	for i := range e.Outputs {
		b := outputs[outputBytes*i:]
		e.Outputs[i] = Output{OutputType(le.Uint16(b)), le.Uint16(b[2:]), le.Uint16(b[4:]), le.Uint16(b[6:])}
	}
	return r.uniforms(e, at, le.Uint32(h[0x34:]), what)
}

func (r *reader) constants(e *Executable, at int, n uint32, what func(string) string) error {
	table, err := r.part(at, e.constOffset, n, constantBytes, what("constants"))
	if err != nil {
		return err
	}
	e.Constants = make([]Constant, len(table)/constantBytes)
	for i := range e.Constants {
		b := table[constantBytes*i:]
		c := Constant{Kind: ConstantKind(b[0]), Pad1: b[1], Reg: b[2], Pad3: b[3], Data: [16]byte(b[4:20])}
		where := at + int(e.constOffset) + constantBytes*i
		if c.Kind > ConstantFloat {
			return fail(where, "%s %d: type %d, expected 0 (bool), 1 (int) or 2 (float)", what("constant"), i, c.Kind)
		}
		if int(c.Reg) >= c.Kind.limit() {
			return fail(where+2, "%s %d: %s register %d, expected at most %d", what("constant"), i, c.Kind, c.Reg, c.Kind.limit()-1)
		}
		e.Constants[i] = c
	}
	return nil
}

func (r *reader) labels(e *Executable, at int, n uint32, what func(string) string) error {
	table, err := r.part(at, e.labelOffset, n, labelBytes, what("labels"))
	if err != nil {
		return err
	}
	e.Labels = make([]Label, len(table)/labelBytes)
	for i := range e.Labels {
		b := table[labelBytes*i:]
		l := Label{ID: le.Uint16(b), Unknown: le.Uint16(b[2:]), Addr: le.Uint32(b[4:]), Size: le.Uint32(b[8:]), Symbol: le.Uint32(b[12:])}
		if l.Name, err = SymbolAt(e.Symbols, l.Symbol); err != nil {
			return fail(at+int(e.labelOffset)+labelBytes*i+12, "%s %d: %v", what("label"), i, err)
		}
		e.Labels[i] = l
	}
	return nil
}

func (r *reader) uniforms(e *Executable, at int, n uint32, what func(string) string) error {
	table, err := r.part(at, e.uniformOffset, n, uniformBytes, what("uniforms"))
	if err != nil {
		return err
	}
	e.Uniforms = make([]Uniform, len(table)/uniformBytes)
	for i := range e.Uniforms {
		b := table[uniformBytes*i:]
		u := Uniform{Symbol: le.Uint32(b), Start: le.Uint16(b[4:]), End: le.Uint16(b[6:])}
		if u.Name, err = SymbolAt(e.Symbols, u.Symbol); err != nil {
			return fail(at+int(e.uniformOffset)+uniformBytes*i, "%s %d: %v", what("uniform"), i, err)
		}
		e.Uniforms[i] = u
	}
	return nil
}

// SymbolAt gives the name at an offset of a symbol table, "" for noSymbol. It
// fails when the offset is outside the table or the name has no end.
func SymbolAt(symbols []byte, offset uint32) (string, error) {
	if offset == noSymbol {
		return "", nil
	}
	if uint64(offset) >= uint64(len(symbols)) {
		return "", fmt.Errorf("symbol at 0x%X, but the symbols have 0x%X bytes", offset, len(symbols))
	}
	s := symbols[offset:]
	end := bytes.IndexByte(s, 0)
	if end < 0 {
		return "", fmt.Errorf("symbol at 0x%X has no terminating NUL", offset)
	}
	if end > maxName {
		return "", fmt.Errorf("symbol at 0x%X has %d characters, expected at most %d", offset, end, maxName)
	}
	return string(s[:end]), nil
}

// oddGaps words the bytes that nothing covers.
func oddGaps(gaps []gap, size int) (odd []Error) {
	for _, g := range gaps {
		where := "between the tables"
		if g.offset+len(g.data) == size {
			where = "behind the last table"
		}
		odd = append(odd, Error{g.offset, fmt.Sprintf("%d bytes %s", len(g.data), where)})
	}
	return odd
}

// gaps collects the bytes that nothing covered, zeros left out.
func (r *reader) gaps() []gap {
	var gaps []gap
	for i := 0; i < len(r.data); {
		if r.covered[i] {
			i++
			continue
		}
		start, zero := i, true
		for ; i < len(r.data) && !r.covered[i]; i++ {
			zero = zero && r.data[i] == 0
		}
		if !zero {
			gaps = append(gaps, gap{start, bytes.Clone(r.data[start:i])})
		}
	}
	return gaps
}
