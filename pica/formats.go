package pica

import (
	"math"
	"math/bits"
)

// FloatFormat is a floating point format with one sign bit, laid out as in IEEE
// 754: the exponent is biased by half its range, the greatest exponent is
// infinity or NaN, and exponent 0 is zero and subnormals. There is no -0: it
// reads as +0. The format keeps subnormals; flushing them is a rule of the
// shader's arithmetic.
type FloatFormat struct {
	Exp, Man uint8 // bits of exponent and mantissa
}

// The floating point formats of the register map.
var (
	Float31 = FloatFormat{7, 23}
	Float24 = FloatFormat{7, 16}
	Float20 = FloatFormat{7, 12}
	Float16 = FloatFormat{5, 10}
)

// width returns the number of bits of a value.
func (f FloatFormat) width() uint8 { return 1 + f.Exp + f.Man }

// Decode converts the low 1+Exp+Man bits of raw to a number. The conversion is
// exact.
func (f FloatFormat) Decode(raw uint32) float32 {
	bias := int32(1)<<(f.Exp-1) - 1
	exp := int32(raw >> f.Man & (1<<f.Exp - 1))
	man := raw & (1<<f.Man - 1)
	sign := raw >> (f.Man + f.Exp) & 1 << 31
	switch {
	case exp == 0 && man == 0:
		return 0
	case exp == 0: // man * 2^(1-bias-Man), a normal float32
		shift := uint8(bits.LeadingZeros32(man)) - (31 - f.Man)
		exp, man = 1-int32(shift), man<<shift&(1<<f.Man-1)
	case exp == int32(1)<<f.Exp-1:
		return math.Float32frombits(sign | 0xFF<<23 | man<<(23-f.Man))
	}
	return math.Float32frombits(sign | uint32(exp-bias+127)<<23 | man<<(23-f.Man))
}

// Encode converts x to the format. It truncates the mantissa; numbers too small
// for a subnormal become +0, too large ones infinity, and a NaN stays a NaN.
func (f FloatFormat) Encode(x float32) uint32 {
	b := math.Float32bits(x)
	sign := b >> 31 << (f.Man + f.Exp)
	man := b & (1<<23 - 1)
	top := int32(1)<<f.Exp - 1
	exp := int32(b>>23&0xFF) - 127 + int32(1)<<(f.Exp-1) - 1
	switch {
	case b>>23&0xFF == 0xFF && man != 0: // must not turn into infinity
		return sign | uint32(top)<<f.Man | man>>(23-f.Man) | 1<<(f.Man-1)
	case exp >= top:
		return sign | uint32(top)<<f.Man
	case exp <= 0:
		man = (1<<23 | man) >> min(uint32(1-exp), 31) >> (23 - f.Man)
		if man == 0 || b>>23&0xFF == 0 {
			return 0
		}
		return sign | man
	}
	return sign | uint32(exp)<<f.Man | man>>(23-f.Man)
}

// Decode4 decodes four numbers.
func (f FloatFormat) Decode4(raw [4]uint32) (v [4]float32) {
	for i, w := range raw {
		v[i] = f.Decode(w)
	}
	return v
}

// PackFloat24 makes the three words of a vector of float24, as registers take
// them: WWWWWWZZ ZZZZYYYY YYXXXXXX.
func PackFloat24(v [4]float32) []uint32 {
	var f [4]uint32
	for k, x := range v {
		f[k] = Float24.Encode(x)
	}
	return []uint32{f[3]<<8 | f[2]>>16, f[2]<<16 | f[1]>>8, f[1]<<24 | f[0]}
}

// UnpackFloat24 reads the three words of a vector of float24.
func UnpackFloat24(a, b, c uint32) [4]float32 {
	return Float24.Decode4([4]uint32{c, c>>24 | b<<8, b>>16 | a<<16, a >> 8})
}

// FixedFormat is a fixed point format, in two's complement if signed.
type FixedFormat struct {
	Signed    bool
	Int, Frac uint8 // bits before and after the point, without the sign
}

// The fixed point formats of the register map, and that of window positions.
var (
	FixedS4_8  = FixedFormat{true, 4, 8}
	FixedS3_12 = FixedFormat{true, 3, 12}
	FixedS1_11 = FixedFormat{true, 1, 11}
	FixedS0_11 = FixedFormat{true, 0, 11}
	Fixed0_11  = FixedFormat{false, 0, 11}
	Fixed0_12  = FixedFormat{false, 0, 12}
	Fixed0_23  = FixedFormat{false, 0, 23}
	Fixed16_8  = FixedFormat{false, 16, 8}
	FixedS12_4 = FixedFormat{true, 12, 4}
)

// width returns the number of bits of a value.
func (f FixedFormat) width() uint8 {
	if f.Signed {
		return 1 + f.Int + f.Frac
	}
	return f.Int + f.Frac
}

// Decode converts the low bits of raw to a number. It is exact for formats of
// up to 24 bits.
func (f FixedFormat) Decode(raw uint32) float32 {
	w := f.width()
	if f.Signed {
		return float32(int32(raw<<(32-w))>>(32-w)) / float32(uint32(1)<<f.Frac)
	}
	return float32(raw&(1<<w-1)) / float32(uint32(1)<<f.Frac)
}

// Encode converts x to the format, truncated toward zero and clamped to its
// range. NaN becomes 0.
func (f FixedFormat) Encode(x float32) uint32 {
	w := f.width()
	v := float64(x) * float64(uint32(1)<<f.Frac)
	if f.Signed {
		half := float64(uint32(1) << (w - 1))
		return uint32(int32(clamp(v, -half, half-1))) & (1<<w - 1)
	}
	return uint32(clamp(v, 0, float64(uint32(1)<<w-1)))
}

// clamp limits v to lo..hi; NaN becomes 0.
func clamp(v, lo, hi float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, lo), hi)
}
