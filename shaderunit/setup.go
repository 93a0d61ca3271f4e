package shaderunit

import "math"

// CodeWords is the address space of the code memory. Vertex shaders are known
// to have 512 words of it.
const CodeWords = 4096

// Setup is what a shader unit is loaded with: program, uniforms, entry point.
// The pipeline fills it from the FIFO registers. Use the Set methods for code
// and operand descriptors, or call Changed after writing to them directly, so
// that compiled forms are made anew.
type Setup struct {
	Code  [CodeWords]uint32
	Desc  [128]uint32
	Entry uint16 // word at which the program starts

	// Float holds c0-c95. The values are float24 numbers: use ToFloat24 for
	// what comes as float32.
	Float [96][4]float32
	Int   [4][4]uint8 // i0-i3
	Bool  uint16      // bit n: b(n)

	// OutMask names the output registers that the next stage reads (bit n:
	// o(n)). The batch engine need not fill the others.
	OutMask uint16

	generation uint64
}

// Changed tells that Code or Desc were written to.
func (s *Setup) Changed() { s.generation++ }

// SetCode writes a word of the program. Addresses beyond the code memory are
// ignored, as there is nothing there.
func (s *Setup) SetCode(addr int, w uint32) {
	if uint(addr) < CodeWords && s.Code[addr] != w {
		s.Code[addr] = w
		s.generation++
	}
}

// SetDesc writes an operand descriptor.
func (s *Setup) SetDesc(addr int, w uint32) {
	if uint(addr) < uint(len(s.Desc)) && s.Desc[addr] != w {
		s.Desc[addr] = w
		s.generation++
	}
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
