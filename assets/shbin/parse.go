package shbin

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"pica200/assets/tree"
)

var le = binary.LittleEndian

// Magics of the sections.
const (
	MagicDVLB = "DVLB"
	magicDVLP = "DVLP"
	magicDVLE = "DVLE"
	MagicDVOJ = "DVOJ" // of an unlinked object
)

// maxOverlap bounds the total size of all tables to this multiple of the file,
// so that a small file whose executables share a large table cannot use much
// memory. Real files do not share tables.
const maxOverlap = 8

// maxName bounds the length of a symbol, so that many entries that share a long
// one cannot use much memory.
const maxName = 1024

// Error is an error or oddity of Parse: the offset in the file and what was
// expected.
type Error struct {
	Offset int
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("shbin: offset 0x%X: %s", e.Offset, e.Msg) }

// reader returns parts of the file and records which bytes were read. After the
// first error, which it keeps, it returns no more parts.
type reader struct {
	err     error
	data    []byte
	covered []bool // nil if the bytes outside of tables do not matter
	end     int    // of what was read
	budget  int
	unusual []Error
}

// fail keeps an error if it is the first.
func (r *reader) fail(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{offset, fmt.Sprintf(format, args...)}
	}
}

// array returns n entries of size bytes at base+offset. what names the table in
// errors.
func (r *reader) array(base int, offset, n uint32, size int, what string) []byte {
	at := uint64(base) + uint64(offset)
	length := uint64(n) * uint64(size)
	if n == 0 || r.err != nil {
		return nil
	}
	if at > uint64(len(r.data)) || length > uint64(len(r.data))-at {
		r.fail(base, "%s: %d entries of %d bytes at 0x%X, but the file has 0x%X bytes", what, n, size, at, len(r.data))
		return nil
	}
	if r.budget -= int(length); r.budget < 0 {
		r.fail(base, "%s: the tables overlap more than %d times, expected tables of their own", what, maxOverlap)
		return nil
	}
	overlap := false
	for i := at; i < at+length && r.covered != nil; i++ {
		overlap = overlap || r.covered[i]
		r.covered[i] = true
	}
	r.end = max(r.end, int(at+length))
	if overlap {
		r.unusual = append(r.unusual, Error{int(at), fmt.Sprintf("%s: the bytes of another table", what)})
	}
	return r.data[at : at+length]
}

func (r *reader) magic(at int, want string) {
	if at > len(r.data) || len(r.data)-at < 4 {
		r.fail(at, "%s expected, but the file ends at 0x%X", want, len(r.data))
	} else if got := r.data[at : at+4]; string(got) != want {
		r.fail(at, "%s expected, found %q", want, got)
	}
}

// most fails if the number at an offset exceeds its limit.
func (r *reader) most(at int, n, limit uint32, what string) {
	if n > limit {
		r.fail(at, "%d %s, expected at most %d", n, what, limit)
	}
}

// Extent returns the size of the DVLB or DVOJ that data begins with: the end of
// its last table, rounded up to a word if zeros follow, as writers of these
// files do. It is false if there is none.
func Extent(data []byte) (size int, ok bool) {
	r := &reader{data: data, budget: maxOverlap * len(data)}
	if bytes.HasPrefix(data, []byte(MagicDVOJ)) {
		r.object()
	} else {
		r.file()
	}
	for r.end%4 != 0 && r.end < len(data) && data[r.end] == 0 {
		r.end++
	}
	return r.end, r.err == nil
}

// Parse reads a DVLB. It keeps no reference to data.
func Parse(data []byte) (*File, error) {
	r := &reader{data: data, budget: maxOverlap * len(data), covered: make([]bool, len(data))}
	f := r.file()
	if r.err != nil {
		return nil, r.err
	}
	f.gaps = r.gaps()
	f.Unusual = append(r.unusual, unusualGaps(f.gaps, len(data))...)
	return f, nil
}

func (r *reader) file() *File {
	data := r.data
	r.magic(0, MagicDVLB)
	if len(data) < dvlbHeader.Size {
		r.fail(4, "number of executables expected, but the file ends at 0x%X", len(data))
		return nil
	}
	list := table{at: uint32(dvlbHeader.Size)}
	dvlbHeader.Read(data, &list.n)
	r.most(4, list.n, MaxExecutables, "executables")
	r.array(0, 0, 1, dvlbHeader.Size, "header")
	executables := parse(r, offsets, 0, list, "table of executables")
	if r.err != nil {
		return nil
	}
	f := &File{size: len(data), Executables: make([]Executable, list.n)}
	f.Program.short = programHeader(data) == dvlpShort.Size
	r.program(&f.Program, dvlbHeader.Size+offsets.Size*int(list.n))
	for i, at := range executables {
		if uint64(at) > uint64(len(data)) {
			r.fail(dvlbHeader.Size+offsets.Size*i, "executable %d at 0x%X, but the file has 0x%X bytes", i, at, len(data))
		}
		r.executable(&f.Executables[i], int(at), i, len(f.Program.Code))
	}
	return f
}

// programHeader returns the size of the DVLP's header, from the number and
// places of the executables at the start of a DVLB: nihstro's assembler puts
// the executable where others have the header's last words.
func programHeader(data []byte) int {
	n := int(min(le.Uint32(data[4:]), MaxExecutables))
	program := dvlbHeader.Size + offsets.Size*n
	for i := dvlbHeader.Size; i < program && program <= len(data); i += offsets.Size {
		short := program + dvlpShort.Size
		if le.Uint32(data[i:]) == uint32(short) && bytes.HasPrefix(data[min(short, len(data)):], []byte(magicDVLE)) {
			return dvlpShort.Size
		}
	}
	return dvlpHeader.Size
}

// header returns the description of the DVLP's header, which may be short.
func (p *Program) header() tree.Record[Program] {
	if p.short {
		return dvlpShort
	}
	return dvlpHeader
}

func (r *reader) program(p *Program, at int) {
	r.magic(at, magicDVLP)
	h := r.array(at, 0, 1, p.header().Size, "DVLP header")
	if r.err != nil {
		return
	}
	p.offset = at
	p.header().Read(h, p)
	r.most(at+0xC, p.code.n, MaxCode, "instructions")
	r.most(at+0x14, p.descriptors.n, maxDescriptors, "operand descriptors")
	p.Code = parse(r, words, at, p.code, "code")
	p.Descriptors = parse(r, descriptors, at, p.descriptors, "operand descriptors")
	p.Symbols = bytes.Clone(r.array(at, p.names.at, p.names.n, 1, "file names"))
	p.Lines = parse(r, lines, at, p.lines, "line numbers")
	for i := range p.Lines {
		p.Lines[i].File, _ = SymbolAt(p.Symbols, p.Lines[i].Symbol) // an invalid name does not make the shader invalid
	}
}

func (r *reader) executable(e *Executable, at, index, words int) {
	what := func(s string) string { return fmt.Sprintf("executable %d, %s", index, s) }
	r.magic(at, magicDVLE)
	h := r.array(at, 0, 1, dvleHeader.Size, what("DVLE header"))
	if r.err != nil {
		return
	}
	e.offset = at
	dvleHeader.Read(h, e)
	if uint64(e.Main) >= uint64(words) {
		r.fail(at+8, "executable %d, entry point 0x%X, but the code has 0x%X words", index, e.Main, words)
	}
	r.tables(e, at, what)
}

// tables reads the tables that an object has too.
func (r *reader) tables(e *Executable, at int, what func(string) string) {
	e.Symbols = bytes.Clone(r.array(at, e.symbols.at, e.symbols.n, 1, what("symbols")))
	e.Constants = parse(r, constants, at, e.constants, what("constants"))
	for i, c := range e.Constants {
		where := at + int(e.constants.at) + constants.Size*i
		if c.Kind > ConstantFloat {
			r.fail(where, "%s %d: type %d, expected 0 (bool), 1 (int) or 2 (float)", what("constant"), i, c.Kind)
		} else if int(c.Reg) >= c.Kind.limit() {
			r.fail(where+2, "%s %d: %s register %d, expected at most %d", what("constant"), i, c.Kind, c.Reg, c.Kind.limit()-1)
		}
	}
	e.Labels = parse(r, labels, at, e.labels, what("labels"))
	for i := range e.Labels {
		e.Labels[i].Name = r.name(e.Symbols, e.Labels[i].Symbol, at+int(e.labels.at)+labels.Size*i+12, what("label"), i)
	}
	e.Outputs = parse(r, outputs, at, e.outputs, what("outputs"))
	e.Uniforms = parse(r, uniforms, at, e.uniforms, what("uniforms"))
	for i := range e.Uniforms {
		e.Uniforms[i].Name = r.name(e.Symbols, e.Uniforms[i].Symbol, at+int(e.uniforms.at)+uniforms.Size*i, what("uniform"), i)
	}
}

// name returns the name of entry i of a table. offset is where the entry has
// its symbol.
func (r *reader) name(symbols []byte, symbol uint32, offset int, what string, i int) string {
	name, err := SymbolAt(symbols, symbol)
	if err != nil {
		r.fail(offset, "%s %d: %v", what, i, err)
	}
	return name
}

// SymbolAt returns the name at an offset of a symbol table, "" for noSymbol. It
// fails if the offset is outside of the table or the name has no end.
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

// unusualGaps describes the bytes outside of tables.
func unusualGaps(gaps []gap, size int) (unusual []Error) {
	for _, g := range gaps {
		where := "between the tables"
		if g.offset+len(g.data) == size {
			where = "after the last table"
		}
		unusual = append(unusual, Error{g.offset, fmt.Sprintf("%d bytes %s", len(g.data), where)})
	}
	return unusual
}

// gaps collects the bytes outside of tables, except zeros.
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
