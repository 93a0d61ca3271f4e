package mbs

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Disassemble writes the code of every shader as text: for each instruction its
// number and raw words, then one operation on each line. What has no known
// meaning is shown as a number, and the raw words are always complete, so
// nothing is lost.
//
// In vertex code acc0 acc1 mul0 mul1 pass complex are the results of the units,
// with [-1] and [-2] those of the previous instructions; a are attributes, u
// uniforms (or temporaries), v varyings, r registers, t temporaries. In
// fragment code r are registers and const0 const1 texture uniform vmul smul the
// results of earlier units of the instruction.
func (f *File) Disassemble(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i, s := range f.Shaders {
		if i > 0 {
			fmt.Fprintln(b)
		}
		kind := "fragment"
		if s.Vertex {
			kind = "vertex"
		}
		fmt.Fprintf(b, "; %s shader, %v, %d bytes of code\n", kind, s.Version, len(s.Code))
		for _, t := range []*Table{s.Uniforms, s.Attributes, s.Varyings} {
			t.describe(b)
		}
		for in := range s.Disassembly() {
			fmt.Fprintf(b, "%03d: %s\n", in.Index, in.Raw)
			for _, line := range in.Lines {
				fmt.Fprintf(b, "     %s\n", line)
			}
		}
	}
	return b.Flush()
}

// describe lists the positions of the symbols of a table, by their names in the
// disassembly.
func (t *Table) describe(w io.Writer) {
	if t == nil {
		return
	}
	for i := range t.Symbols {
		s := &t.Symbols[i]
		at := "not placed"
		if s.Location != Unplaced {
			at = locationString(int(s.Location), 0)
			if s.ComponentCount == 4 || s.Type == Matrix {
				at = fmt.Sprint(s.Location / 4)
			}
			at = [...]string{"uniform ", "varying ", "u", "a", "v"}[t.Storage] + at
			if t.Storage == PPUniform && s.Type.sampler() {
				at = fmt.Sprintf("sampler %d", s.Location)
			}
		}
		member := ""
		if s.Parent != NoParent {
			member = fmt.Sprintf(", in symbol %d", s.Parent)
		}
		fmt.Fprintf(w, "; %s %v %s: %s%s", strings.TrimSuffix(t.Storage.word(), "s"), s.Precision, s.TypeName(), s.Name, member)
		fmt.Fprintf(w, " at %s", at)
		for j, v := range s.Init {
			if j == 0 {
				fmt.Fprint(w, " =")
			}
			fmt.Fprintf(w, " %g", v)
		}
		fmt.Fprintln(w)
	}
}

func (s Storage) word() string {
	return [...]string{"uniforms", "varyings", "uniforms", "attributes", "varyings"}[s]
}

// Instruction is an instruction of either processor as text.
type Instruction struct {
	Index  int
	Offset int    // in the code, in bytes
	Size   int    // in bytes
	Raw    string // its words in hexadecimal
	Lines  []string
}

// Disassembly returns the instructions of the shader. Bytes that are no
// instruction come last, as one with the line "data".
func (s *Shader) Disassembly() iter.Seq[Instruction] {
	if s.Vertex {
		return s.vertexDisassembly
	}
	return s.fragmentDisassembly
}

func (s *Shader) vertexDisassembly(yield func(Instruction) bool) {
	n := len(s.Code) / gpInstructionSize
	var previous *gpInstruction
	for i := range n {
		g := gpInstruction(s.Code[i*gpInstructionSize:])
		if !yield(Instruction{i, i * gpInstructionSize, gpInstructionSize, rawWords(g[:]), g.lines(previous)}) {
			return
		}
		previous = &g
	}
	if rest := s.Code[n*gpInstructionSize:]; len(rest) > 0 {
		yield(Instruction{n, n * gpInstructionSize, len(rest), rawWords(rest), []string{"data: not a whole instruction"}})
	}
}

func (s *Shader) fragmentDisassembly(yield func(Instruction) bool) {
	n, stopped := 0, false
	rest, err := ppInstructions(s.Code, func(i int, p *ppInstruction) bool {
		n = i + 1
		stopped = !yield(Instruction{i, p.offset, len(p.raw), rawWords(p.raw), p.lines()})
		return !stopped
	})
	at := len(s.Code) - len(rest)
	for len(rest) > 0 && err != nil && !stopped { // in pieces: there may be a lot
		k := min(len(rest), dataPiece)
		stopped = !yield(Instruction{n, at, k, rawWords(rest[:k]), []string{"data: " + err.Error()}})
		rest, at, n = rest[k:], at+k, n+1
	}
}

// dataPiece is how many bytes that are no instruction are shown at once.
const dataPiece = 64

// rawWords prints little-endian words, and bytes after the last whole one.
func rawWords(b []byte) string {
	var s strings.Builder
	for len(b) >= 4 {
		fmt.Fprintf(&s, "%08x ", binary.LittleEndian.Uint32(b))
		b = b[4:]
	}
	for _, x := range b {
		fmt.Fprintf(&s, "%02x ", x)
	}
	return strings.TrimRight(s.String(), " ")
}
