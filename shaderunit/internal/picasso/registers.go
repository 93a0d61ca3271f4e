// Package picasso has what assembler and disassembler must both know of the reference
// assembler: how it numbers and allocates registers, shares operand descriptors, sorts
// and converts numbers.
package picasso

import "pica200/shaderunit"

// The assembler numbers all registers in one space. Inputs and outputs share
// their numbers, as in the encoding; the operand's position in the instruction
// tells which is meant.
const (
	RegInput = 0x00 // v0-v15 as a source, o0-o15 as a destination
	RegTemp  = 0x10 // r0-r15
	RegFloat = 0x20 // c0-c95
	RegInt   = 0x80 // i0-i7 can be written; i0-i3 exist
	RegBool  = 0x88 // b0-b15
	RegEnd   = 0x98
)

// Limits of the reference assembler's tables. They decide which sources it rejects.
const (
	MaxBlocks         = 32
	MaxUniforms       = 96 // of all files together, and of each DVLE
	MaxConstants      = 96 // of one DVLE
	MaxOutputs        = 16
	MaxUniformsOfFile = 1 << 16 // limits a table that grows with repeated declarations
)

// UniformType is the type of a uniform, with the numbers of the constant table.
type UniformType uint8

const (
	TypeBool UniformType = iota
	TypeInt
	TypeFloat
)

// TypeOf is the type of registers by their letter.
var TypeOf = map[byte]UniformType{'v': TypeFloat, 'c': TypeFloat, 'i': TypeInt, 'b': TypeBool}

func (t UniformType) String() string {
	return [...]string{".bool", ".ivec", ".fvec"}[t]
}

// Base returns the first register of the type.
func (t UniformType) Base() int {
	return [...]int{RegBool, RegInt, RegFloat}[t]
}

// Pool allocates uniform registers of one type: uniforms from the bottom up,
// shared by all files; constants from the top down, again for each file. bound
// is the lowest constant of any file so far; uniforms must stay below it.
type Pool struct {
	Start, End, Bound, top int
}

func newPool(start, end int) Pool { return Pool{start, end, end, end} }

// ForgetConstants frees the registers of constants for the next file.
func (p *Pool) ForgetConstants() { p.End = p.top }

func (p *Pool) Uniform(size int) (reg int, ok bool) {
	if size > p.Bound-p.Start {
		return 0, false
	}
	reg = p.Start
	p.Start += size
	return reg, true
}

func (p *Pool) Constant(size int) (reg int, ok bool) {
	if size > p.End-p.Start {
		return 0, false
	}
	p.End -= size
	p.Bound = min(p.Bound, p.End)
	return p.End, true
}

// Free returns the number of registers left for uniforms.
func (p *Pool) Free() int { return max(0, p.Bound-p.Start) }

// Pools are the registers of one shader unit, indexed by UniformType.
type Pools [3]Pool

func VertexPools() Pools {
	return Pools{
		TypeFloat: newPool(RegFloat, RegInt),
		TypeInt:   newPool(RegInt, RegInt+shaderunit.IntUniforms),
		TypeBool:  newPool(RegBool, RegEnd),
	}
}

// GeometryPools returns the pools of a geometry shader, without the registers
// below firstFloat and without b15, which the hardware sets after each run of a
// geometry shader.
func GeometryPools(firstFloat int) Pools {
	p := VertexPools()
	p[TypeFloat] = newPool(firstFloat, RegInt)
	p[TypeBool] = newPool(RegBool, RegEnd-1)
	return p
}

// Uniform is a named range of registers.
type Uniform struct {
	Name string
	Reg  int
	Size int
	Type UniformType
}

// Letter returns the letter and the number of a register.
func Letter(reg int) (byte, int) {
	switch {
	case reg < RegTemp:
		return 'v', reg
	case reg < RegFloat:
		return 'r', reg - RegTemp
	case reg < RegInt:
		return 'c', reg - RegFloat
	case reg < RegBool:
		return 'i', reg - RegInt
	}
	return 'b', reg - RegBool
}
