package picasso

import "pica200/shaderunit"

// Bit masks of the parts of an operand descriptor.
const (
	DescDst  uint32 = 0xF
	DescSrc1 uint32 = 0x1FF << 4
	DescSrc2 uint32 = 0x1FF << 13
	DescSrc3 uint32 = 0x1FF << 22
)

// SwizzleHole returns the selector bits of component i (0 = x) for source src
// (from 0).
func SwizzleHole(src, i int) uint32 {
	return 3 << (6 - 2*i) << (5 + 9*src)
}

// Relax removes the selectors of components that the operation does not read
// from the mask needed. The choice of operations is the reference assembler's.
func Relax(op shaderunit.Opcode, desc, needed uint32) uint32 {
	info := op.Info()
	for n := range info.Format.Sources() {
		if !info.Relaxed(n) {
			continue
		}
		read := info.Reads(uint8(desc&DescDst), n)
		for i := range 4 {
			if read>>i&1 == 0 {
				needed &^= SwizzleHole(n, i)
			}
		}
	}
	return needed
}
