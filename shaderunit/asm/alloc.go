package asm

import (
	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// The assembler numbers all registers in one space. Inputs and outputs share
// their numbers, as in the encoding; the operand's place in the instruction
// tells which is meant.
const (
	regInput = 0x00 // v0-v15 as a source, o0-o15 as a destination
	regTemp  = 0x10 // r0-r15
	regFloat = 0x20 // c0-c95
	regInt   = 0x80 // i0-i7 can be written; i0-i3 exist
	regBool  = 0x88 // b0-b15
	regEnd   = 0x98
)

// Limits of the reference assembler's tables. They decide which sources it rejects.
const (
	maxBlocks         = 32
	maxUniforms       = 96 // of all files together, and of each DVLE
	maxConstants      = 96 // of one DVLE
	maxOutputs        = 16
	maxVertexCode     = shbin.VertexCode
	maxUniformsOfFile = 1 << 16 // limits a table that grows with repeated declarations
)

// uniformType is the type of a uniform, with the numbers of the constant table.
type uniformType uint8

const (
	typeBool uniformType = iota
	typeInt
	typeFloat
)

// typeOf is the type of registers by their letter.
var typeOf = map[byte]uniformType{'v': typeFloat, 'c': typeFloat, 'i': typeInt, 'b': typeBool}

func (t uniformType) String() string {
	return [...]string{".bool", ".ivec", ".fvec"}[t]
}

// base returns the first register of the type.
func (t uniformType) base() int {
	return [...]int{regBool, regInt, regFloat}[t]
}

// pool allocates uniform registers of one type: uniforms from the bottom up,
// shared by all files; constants from the top down, again for each file. bound
// is the lowest constant of any file so far; uniforms must stay below it.
type pool struct {
	start, end, bound, top int
}

func newPool(start, end int) pool { return pool{start, end, end, end} }

// forgetConstants frees the registers of constants for the next file.
func (p *pool) forgetConstants() { p.end = p.top }

func (p *pool) uniform(size int) (reg int, ok bool) {
	if size > p.bound-p.start {
		return 0, false
	}
	reg = p.start
	p.start += size
	return reg, true
}

func (p *pool) constant(size int) (reg int, ok bool) {
	if size > p.end-p.start {
		return 0, false
	}
	p.end -= size
	p.bound = min(p.bound, p.end)
	return p.end, true
}

// free returns the number of registers left for uniforms.
func (p *pool) free() int { return max(0, p.bound-p.start) }

// pools are the registers of one shader unit, indexed by uniformType.
type pools [3]pool

func vertexPools() pools {
	return pools{
		typeFloat: newPool(regFloat, regInt),
		typeInt:   newPool(regInt, regInt+shaderunit.IntUniforms),
		typeBool:  newPool(regBool, regEnd),
	}
}

// geometryPools returns the pools of a geometry shader, without the registers
// below firstFloat and without b15, which the hardware sets after each run of a
// geometry shader.
func geometryPools(firstFloat int) pools {
	p := vertexPools()
	p[typeFloat] = newPool(firstFloat, regInt)
	p[typeBool] = newPool(regBool, regEnd-1)
	return p
}

// uniform is a named range of registers.
type uniform struct {
	name string
	reg  int
	size int
	typ  uniformType
}
