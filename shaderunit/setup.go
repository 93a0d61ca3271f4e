package shaderunit

import (
	"math"
	"sync/atomic"
)

// CodeWords is the address space of the code memory. Vertex shaders are known
// to have 512 words of it.
const CodeWords = 4096

// VertexCodeWords is the program memory of the vertex shader unit, in words;
// what is written behind it is ignored (libctru, Azahar). The geometry shader's
// limit is that of the code transfer index.
const VertexCodeWords = 512

// Descriptors is the number of operand descriptors that a shader unit holds.
const Descriptors = 128

// Setup is what a shader unit is loaded with: program, uniforms, entry point.
// The pipeline fills it from the FIFO registers. The zero value is an empty
// unit. Uniforms and entry point may be written to at any time between runs;
// code and operand descriptors change through methods, so that compiled forms
// are made anew. Setups may be copied.
type Setup struct {
	code  [CodeWords]uint32
	desc  [Descriptors]uint32
	Entry uint16 // word at which the program starts

	// Float holds c0-c95. The values are float24 numbers: use ToFloat24 for
	// what comes as float32.
	Float [96][4]float32
	Int   [4][4]uint8 // i0-i3
	Bool  uint16      // bit n: b(n)

	// OutMask names the output registers that the next stage reads (bit n:
	// o(n)). The batch engine need not fill the others.
	OutMask uint16

	// content stands for what code and desc hold: setups with the same number
	// hold the same. It is 0 for an empty unit.
	content uint64
}

// contents counts the changes of all setups, so that no two different contents
// get the same number.
var contents atomic.Uint64

// Code returns a word of the program, 0 for addresses beyond the code memory.
func (s *Setup) Code(addr int) uint32 {
	if uint(addr) >= CodeWords {
		return 0
	}
	return s.code[addr]
}

// Desc returns an operand descriptor, 0 if there is no such number.
func (s *Setup) Desc(n int) OpDesc {
	if uint(n) >= Descriptors {
		return 0
	}
	return OpDesc(s.desc[n])
}

// SetCode writes a word of the program. Addresses beyond the code memory are
// ignored, as there is nothing there.
func (s *Setup) SetCode(addr int, w uint32) {
	if uint(addr) < CodeWords && s.code[addr] != w {
		s.code[addr] = w
		s.content = contents.Add(1)
	}
}

// SetDesc writes an operand descriptor. Numbers of which there is none are
// ignored.
func (s *Setup) SetDesc(n int, w uint32) {
	if uint(n) < Descriptors && s.desc[n] != w {
		s.desc[n] = w
		s.content = contents.Add(1)
	}
}

// Load writes the beginning of the code memory and the first operand
// descriptors. What lies behind stays as it is, and words for which there is no
// room are ignored.
func (s *Setup) Load(code, desc []uint32) {
	copy(s.code[:], code)
	copy(s.desc[:], desc)
	s.content = contents.Add(1)
}

// BoolUniform gives b(n).
func (s *Setup) BoolUniform(n uint8) bool { return s.Bool>>(n&15)&1 != 0 }

// ToFloat24 converts a float32 to the nearest float24 towards zero, as for
// attributes and uniforms that arrive as float32. What is too large becomes
// infinity; what is below the normal numbers of float24 becomes +0, so that
// everything converted is fit for Batch.
func ToFloat24(x float32) float32 { return round24(x) }

// uniform gives a float uniform's component, zero without a sign.
func (s *Setup) uniform(index, comp int) float32 {
	return noNegZero(s.Float[index][comp])
}

// isSubnormal says whether the value is a float24 subnormal.
func isSubnormal(x float32) bool {
	return math.Float32bits(x)<<1-1 < minNormalBits<<1-1 // not for 0
}
