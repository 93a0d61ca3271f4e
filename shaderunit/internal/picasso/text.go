package picasso

import "math"

func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func IsAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// ValidIdentifier reports whether s is a C identifier; '$' is allowed. Like the
// reference assembler, it accepts the empty string.
func ValidIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !IsAlpha(c) && c != '_' && c != '$' && (i == 0 || !IsDigit(c)) {
			return false
		}
	}
	return true
}

// Float24 converts like the reference assembler: it truncates the mantissa;
// too small numbers become a zero of the same sign, too large ones and NaN
// become infinity. -0 stays -0 in the file; only arithmetic removes it.
func Float24(f float32) uint32 {
	i := math.Float32bits(f)
	mantissa := (i & 0x7FFFFF) >> 7
	exponent := int32(i>>23&0xFF) - 127 + 63
	sign := i >> 31
	switch {
	case exponent < 0:
		return sign << 23
	case exponent > 0x7F:
		return sign<<23 | 0x7F<<16
	}
	return sign<<23 | uint32(exponent)<<16 | mantissa
}
