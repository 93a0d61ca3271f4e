package shaderunit

import (
	"math"
	"sync/atomic"
)

// CodeWords is the address space of the code memory, in words. Vertex shaders
// have 512 words of it.
const CodeWords = 4096

// VertexCodeWords is the size of the vertex shader unit's program memory in
// words. Writes after it are ignored (libctru, Azahar). The geometry shader's
// limit is that of the code transfer index.
const VertexCodeWords = 512

// Further limits of a shader unit.
const (
	Descriptors    = 128 // operand descriptors
	DescriptorsMAD = 32  // of these, the first that a MAD can name with its five bits
	IntUniforms    = 4   // i0-i3; the encoding has names for i0-i7
	// BlockLength is the largest number of instructions of a procedure or an .else
	// part: their NUM field has eight bits. The reference assembler lets longer
	// ones overflow into the bits above, which the hardware ignores.
	BlockLength = 255
)

// Setup is what a shader unit is loaded with: program, uniforms, entry point.
// The pipeline fills it from the FIFO registers. The zero value is an empty
// unit. Uniforms and entry point may be written at any time between runs. Code
// and operand descriptors change only through methods, which invalidate
// compiled forms. Setups may be copied.
type Setup struct {
	code  [CodeWords]uint32
	used  int // words of code up to the last that is not 0
	desc  [Descriptors]uint32
	Entry uint16 // word at which the program starts

	// Float holds c0-c95 as float24 numbers; convert float32 values with ToFloat24.
	Float [96][4]float32
	Int   [4][4]uint8 // i0-i3
	Bool  uint16      // bit n: b(n)

	// OutMask selects the output registers that the next stage reads (bit n: o(n)).
	// The batch engine may leave the others undefined.
	OutMask uint16

	// content identifies the contents of code and desc: setups with the same number
	// have the same contents. It is 0 for an empty unit.
	content uint64
}

// contents counts the changes of all setups, so that different contents never
// get the same number.
var contents atomic.Uint64

// Code returns a word of the program, 0 for addresses outside of the code
// memory.
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

// SetCode writes a word of the program. Addresses outside of the code memory
// are ignored.
func (s *Setup) SetCode(addr int, w uint32) {
	if uint(addr) < CodeWords && s.code[addr] != w {
		s.code[addr] = w
		s.use(max(s.used, addr+1))
	}
}

// SetDesc writes an operand descriptor. Numbers out of range are ignored.
func (s *Setup) SetDesc(n int, w uint32) {
	if uint(n) < Descriptors && s.desc[n] != w {
		s.desc[n] = w
		s.content = contents.Add(1)
	}
}

// Load writes the first words of the code memory and the first operand
// descriptors. The rest stays unchanged, and words that do not fit are ignored.
func (s *Setup) Load(code, desc []uint32) {
	copy(s.code[:], code)
	copy(s.desc[:], desc)
	s.use(CodeWords)
}

// use notes that the code has changed; from word n on it is 0.
func (s *Setup) use(n int) {
	for n > 0 && s.code[n-1] == 0 {
		n--
	}
	s.used = n
	s.content = contents.Add(1)
}

// repeats reports whether an instruction is one of those of 0 at the end of the
// memory, outside of procedures and loops. They add v0 to v0: one leaves the
// same as all that follow.
func (s *Setup) repeats(pc uint16, next *Flow) bool {
	return int(pc) >= s.used && next.NumCall+next.NumIf+next.NumLp == 0
}

// BoolUniform returns b(n).
func (s *Setup) BoolUniform(n uint8) bool { return s.Bool>>(n&15)&1 != 0 }

// ToFloat24 converts a float32 to float24 by truncation, for attributes and
// uniforms that arrive as float32. Too large values become infinity, values
// below the normal float24 numbers +0, so every result is a valid input of a
// Batch.
func ToFloat24(x float32) float32 { return round24(x) }

// uniform returns a component of a float uniform, with +0 for -0.
func (s *Setup) uniform(index, comp int) float32 {
	return noNegZero(s.Float[index][comp])
}

// isSubnormal reports whether the value is a float24 subnormal.
func isSubnormal(x float32) bool {
	return math.Float32bits(x)<<1-1 < minNormalBits<<1-1 // not for 0
}
