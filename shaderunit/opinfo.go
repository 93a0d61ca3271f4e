package shaderunit

import (
	"math/bits"
	"slices"
	"strings"
)

// OpInfo is one row of the instruction table (optable.go). Everything else uses
// it: decoding, the assembler and its descriptors, the disassembler, the
// interpreter, the batch engine, the linter, and the random programs of the
// tests.
type OpInfo struct {
	Op     Opcode
	Name   string // mnemonic in lower case as the picasso assembler spells it
	Format Format
	// Semantics says what the instruction does, in the notation of the public
	// documentation: s1..s3 are the sources after swizzle and negation, d is the
	// destination under the mask.
	Semantics string
	// Inverted is the opcode of the form with inverted operands, format 1i (5i), or
	// NoOpcode. For an inverted form it is the plain one.
	Inverted Opcode
	Flow     FlowKind // how it changes flow
	Test     TestKind // what flow depends on

	traits traits
	reads  reads
	kernel kernel      // nil without a destination register
	flags  flagsKernel // nil if it does not set cmp
	lower  lowerFunc   // nil: the batch engine runs the kernel lane by lane
}

// Flow returns how the opcode changes the flow of the program; FlowNext for an
// unknown opcode.
func (op Opcode) Flow() FlowKind {
	if info := op.Info(); info != nil {
		return info.Flow
	}
	return FlowNext
}

// HasTarget reports whether instructions of this kind have a destination in the
// code.
func (k FlowKind) HasTarget() bool {
	return k == FlowJump || k == FlowCall || k == FlowIf || k == FlowLoop
}

// NoOpcode is the value of OpInfo.Inverted if there is no other form.
const NoOpcode Opcode = 0xFF

// FlowKind is how an instruction changes the flow of the program.
type FlowKind uint8

// The kinds of flow control.
const (
	FlowNext  FlowKind = iota // continues with the next instruction
	FlowJump                  // to Dest
	FlowCall                  // runs Num instructions at Dest and returns
	FlowIf                    // runs up to Dest, or else Num instructions from Dest on
	FlowLoop                  // repeats up to and including Dest, as often as the int uniform says
	FlowBreak                 // leaves the innermost loop
	FlowEnd                   // ends the program
)

// TestKind is the condition under which an instruction changes the flow.
type TestKind uint8

// The kinds of conditions.
const (
	TestNone  TestKind = iota // always
	TestFlags                 // cmp.x and cmp.y (format 2)
	TestBool                  // a bool uniform (format 3); a jump's bit 0 of Num inverts it
)

// traits are properties of an operation. An operation without copies and
// compares is arithmetic: its subnormal sources count as 0.
type traits uint8

const (
	copies       traits = 1 << iota // copies sources unchanged
	compares                        // compares sources unchanged
	commutes                        // sources 1 and 2 can be exchanged
	unrelaxed                       // the reference assembler treats all selectors as used
	relaxedFirst                    // it does so for all sources but the first
	writesA0                        // writes a0.x and a0.y under the mask, no register
	geometryOnly                    // an error in a vertex shader
)

// WritesFlags reports whether the operation sets cmp.x and cmp.y.
func (o *OpInfo) WritesFlags() bool { return o.flags != nil }

// WritesAddress reports whether the operation writes a0.x and a0.y under the
// mask, not a destination register.
func (o *OpInfo) WritesAddress() bool { return o.traits&writesA0 != 0 }

// WritesDst reports whether the operation writes its destination register.
func (o *OpInfo) WritesDst() bool { return o.kernel != nil }

// Commutes reports whether sources 1 and 2 can be exchanged.
func (o *OpInfo) Commutes() bool { return o.traits&commutes != 0 }

// Relaxed reports whether, in the reference assembler, instructions of this
// operation can share descriptors that differ only in selectors of source n
// (0-based) that the operation does not read.
func (o *OpInfo) Relaxed(n int) bool {
	return o.traits&unrelaxed == 0 && (n == 0 || o.traits&relaxedFirst == 0)
}

// GeometryOnly reports whether only geometry shaders may use the operation.
func (o *OpInfo) GeometryOnly() bool { return o.traits&geometryOnly != 0 }

// Reads returns the components (bit 0 = x) of source n (0-based), after its
// swizzle, that the operation reads to write the components of mask (bit 3 = x,
// as in descriptors).
func (o *OpInfo) Reads(mask uint8, n int) uint8 {
	if o.reads == nil || n >= o.Format.Sources() {
		return 0
	}
	return o.reads(bits.Reverse8(mask)>>4, n)
}

// reads returns the components (bit 0 = x) of source n that an operation reads
// to write those in written.
type reads func(written uint8, n int) uint8

func readsWritten(written uint8, _ int) uint8 { return written }
func readsX(uint8, int) uint8                 { return 1 }
func readsXY(uint8, int) uint8                { return 3 }
func readsXYZ(uint8, int) uint8               { return 7 }
func readsAll(uint8, int) uint8               { return 15 }

// readsHomogenous: w of source 1 is replaced by 1.
func readsHomogenous(_ uint8, n int) uint8 {
	if n == 0 {
		return 7
	}
	return 15
}

// readsDistance: (1, s1.y*s2.y, s1.z, s2.w).
func readsDistance(written uint8, n int) uint8 {
	if n == 0 {
		return written & 6
	}
	return written & 10
}

// readsLit: x and w also set the flags, z is 0.
func readsLit(written uint8, _ int) uint8 { return 9 | written&2 }

func readsAddress(written uint8, _ int) uint8 { return written & 3 }

// table is the instruction set in the order of opcodes. byOpcode maps the upper
// six bits of a word to a row of it.
var (
	table    []OpInfo
	byOpcode [64]*OpInfo
)

func init() {
	for _, row := range rows {
		if row.Format.Sources() == 0 {
			row.Inverted = NoOpcode
		}
		table = append(table, row)
		if row.Inverted == NoOpcode {
			continue
		}
		row.Op, row.Inverted = row.Inverted, row.Op
		switch row.Format {
		case Format1:
			row.Format = Format1i
		case Format5:
			row.Format = Format5i
		default:
			panic("shaderunit: " + row.Name + " has no inverted format")
		}
		table = append(table, row)
	}
	slices.SortFunc(table, func(a, b OpInfo) int { return int(a.Op) - int(b.Op) })
	for i := range table {
		row := &table[i]
		for n := range Opcode(1) << formats[row.Format].short {
			if byOpcode[row.Op+n] != nil {
				panic("shaderunit: two rows for opcode " + row.Op.String())
			}
			byOpcode[row.Op+n] = row
		}
	}
}

// Instructions returns the instruction table in the order of opcodes. The slice
// is shared and must not be changed.
func Instructions() []OpInfo { return table }

// DocName returns the documentation's name of the operation: upper case, with
// the I of inverted forms ("MADI"), and LOOP for picasso's "for".
func (o *OpInfo) DocName() string {
	if o.Flow == FlowLoop {
		return "LOOP"
	}
	name := strings.ToUpper(o.Name)
	if o.Format == Format1i || o.Format == Format5i {
		name += "I"
	}
	return name
}
