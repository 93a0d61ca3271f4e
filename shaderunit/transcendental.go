package shaderunit

import "math"

// RCP, RSQ, EX2 and LG2. The last bits of the console's results are unknown.
// Here they are computed in float32, with correctly rounded operations only (+,
// -, *, /, sqrt, each rounded explicitly), so that every CPU gives the same
// bits. They are accurate to about 2^-23 before the truncation to float24.

// rcp24 is 1/x: rcp(+-0) = +inf, rcp(+-inf) = 0 (aroulin/3ds-gpu-tests).
func rcp24(x float32) float32 { return round24(1 / flush(x)) }

// rsq24 is 1/sqrt(x): rsq(+-0) = +inf, rsq(+inf) = 0, NaN for what is negative.
func rsq24(x float32) float32 {
	return round24(1 / float32(math.Sqrt(float64(flush(x)))))
}

// flr24 is floor(x). A subnormal source counts as 0, as in other arithmetic.
func flr24(x float32) float32 {
	x = flush(x)
	if !(x > -1<<23 && x < 1<<23) { // integers, infinities and NaN
		return round24(x)
	}
	t := float32(int32(x))
	if t > x {
		t--
	}
	return round24(t)
}

// Coefficients of 2^f on 0 <= f < 1: the polynomial that equals (2^f - 1)/f at
// six Chebyshev nodes, so that integer exponents give exact powers. Its
// relative error is at most 2^-27, less than the precision of float32.
const (
	ex2c1 = 0.693147170864
	ex2c2 = 0.240227204181
	ex2c3 = 0.055496023564
	ex2c4 = 0.009652195056
	ex2c5 = 0.001269216606
	ex2c6 = 0.000208179150
)

// ex2Limit bounds the magnitude of the exponent: beyond it the result is 0 or
// infinity, so the source is clamped.
const ex2Limit = 127

// ex224 is 2^x: ex2(-inf) = 0 (aroulin/3ds-gpu-tests).
func ex224(x float32) float32 {
	x = flush(x)
	if x != x {
		return nan
	}
	if !(x > -ex2Limit) {
		return 0
	}
	if !(x < ex2Limit) {
		return math.Float32frombits(infBits)
	}
	whole := int32(x)
	if float32(whole) > x {
		whole--
	}
	f := x - float32(whole)
	p := float32(ex2c6*f) + ex2c5
	p = float32(p*f) + ex2c4
	p = float32(p*f) + ex2c3
	p = float32(p*f) + ex2c2
	p = float32(p*f) + ex2c1
	p = float32(p*f) + 1
	return round24(p * math.Float32frombits(uint32(whole+127)<<23))
}

// lg224 is log2(x): lg2(0) = -inf, NaN for what is negative
// (aroulin/3ds-gpu-tests). With x = m * 2^e and m near 1 it is
// e + 2/ln(2) * atanh((m-1)/(m+1)).
func lg224(x float32) float32 {
	x = flush(x)
	if !(x > 0) {
		if x == 0 {
			return math.Float32frombits(signBit | infBits)
		}
		return nan
	}
	b := math.Float32bits(x)
	if b >= infBits {
		return x
	}
	// The mantissa range is sqrt(1/2) to sqrt(2).
	const sqrtHalf = 0x3F3504F3
	e := int32(b-sqrtHalf) >> 23
	m := math.Float32frombits(b - uint32(e)<<23)
	s := float32(m-1) / float32(m+1)
	z := s * s
	p := float32(lg2c9*z) + lg2c7
	p = float32(p*z) + lg2c5
	p = float32(p*z) + lg2c3
	p = float32(p*z) + lg2c1
	return round24(float32(p*s) + float32(e))
}

// Coefficients of the series 2/ln(2) * atanh(s)/s in s*s.
const (
	lg2c1 = 2.88539008177792681472
	lg2c3 = lg2c1 / 3
	lg2c5 = lg2c1 / 5
	lg2c7 = lg2c1 / 7
	lg2c9 = lg2c1 / 9
)
