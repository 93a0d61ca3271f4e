package shaderunit

// OpDesc is an operand descriptor: the destination mask, and the swizzle and
// negation of each source. Bits 0-3 are the mask (bit 3 = x). Source n has its
// negation in bit 4+9n and its component selector from bit 5+9n on. Bit 31 has
// no known function and is preserved.
type OpDesc uint32

// SwizzleXYZW is the selector of the identity.
const SwizzleXYZW uint8 = 0x1B

// MaskXYZW is the mask that writes all components.
const MaskXYZW uint8 = 0xF

// MakeOpDesc builds a descriptor from the mask (bit 3 = x), the selectors and
// the negations.
func MakeOpDesc(mask uint8, sel [3]uint8, neg [3]bool) OpDesc {
	d := OpDesc(mask & 0xF)
	for n := range sel {
		d |= OpDesc(sel[n]) << (5 + 9*n)
		if neg[n] {
			d |= 1 << (4 + 9*n)
		}
	}
	return d
}

// Mask returns the destination mask, bit 3 = x, bit 0 = w.
func (d OpDesc) Mask() uint8 { return uint8(d & 0xF) }

// Writes reports whether component i (0 = x) of the destination is written.
func (d OpDesc) Writes(i int) bool { return d>>(3-uint(i))&1 != 0 }

// Neg reports whether source n (0-based) is negated.
func (d OpDesc) Neg(n int) bool { return d>>(4+9*uint(n))&1 != 0 }

// Swizzle returns the component selector of source n (0-based): component 0 in
// bits 6-7, component 3 in bits 0-1.
func (d OpDesc) Swizzle(n int) uint8 { return uint8(d >> (5 + 9*uint(n))) }

// Sel returns which component of the register (0 = x) becomes component i of
// source n.
func (d OpDesc) Sel(n, i int) int { return int(d.Swizzle(n)>>(6-2*uint(i))) & 3 }

// MaskText formats the mask, such as "xyz"; an empty mask is "".
func (d OpDesc) MaskText() string {
	var b [4]byte
	n := 0
	for i := range 4 {
		if d.Writes(i) {
			b[n] = "xyzw"[i]
			n++
		}
	}
	return string(b[:n])
}

// SwizzleText formats the selector of source n, such as "xyzw".
func (d OpDesc) SwizzleText(n int) string {
	var b [4]byte
	for i := range b {
		b[i] = "xyzw"[d.Sel(n, i)]
	}
	return string(b[:])
}
