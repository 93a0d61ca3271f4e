package shaderunit

import "math"

// Arithmetic of the shader unit. A value is a float32 that is exactly
// representable as float24 (1 sign bit, 7 exponent bits with bias 63, 16
// mantissa bits); float24 subnormals are normal float32 numbers.
// docs/accuracy/shaderunit.md lists the rules with their sources:
//
//   - the float32 result (round to nearest) of an operation is truncated to 16
//     mantissa bits; magnitudes below 2^-62 become +0, from 2^64 on infinity;
//   - sources below 2^-62 count as +0 in arithmetic, but not in MOV, MAX, MIN,
//     SGE, SLT and CMP;
//   - there is no -0: whatever would write it writes +0;
//   - inf * 0 = 0, also inside MAD and the dot products;
//   - a NaN that arithmetic makes is the positive quiet NaN, so that results
//     are the same bits on all CPUs.
const (
	minNormalBits = (127 - 62) << 23 // 2^-62, the smallest normal float24
	overflowBits  = (127 + 64) << 23 // 2^64, the first magnitude beyond float24
	signBit       = 1 << 31
	absMask       = signBit - 1
	infBits       = 0xFF << 23
	mantissaCut   = 1<<7 - 1 // mantissa bits that float24 does not have
	quietNaN      = 0x7FC00000
)

var nan = math.Float32frombits(quietNaN)

// round24 rounds the result of an operation to float24.
func round24(x float32) float32 {
	b := math.Float32bits(x) &^ mantissaCut
	if b&absMask-minNormalBits < overflowBits-minNormalBits {
		return math.Float32frombits(b)
	}
	return outOfRange(x)
}

// outOfRange is round24 for results that are not normal float24 numbers.
func outOfRange(x float32) float32 {
	b := math.Float32bits(x)
	switch a := b & absMask; {
	case a < minNormalBits:
		return 0
	case a > infBits:
		return nan
	default:
		return math.Float32frombits(b&signBit | infBits)
	}
}

// flush returns a source of arithmetic: float24 subnormals and -0 become +0.
func flush(x float32) float32 {
	if math.Float32bits(x)&absMask < minNormalBits {
		return 0
	}
	return x
}

// noNegZero turns -0 into +0, as moves do.
func noNegZero(x float32) float32 {
	if x == 0 {
		return 0
	}
	return x
}

// product is x * y with inf * 0 = 0, not rounded yet. The sources are flushed.
func product(x, y float32) float32 {
	p := x * y
	if p != p && x == x && y == y {
		return 0
	}
	return p
}

func mul24(x, y float32) float32 { return round24(product(flush(x), flush(y))) }

func add24(x, y float32) float32 { return round24(flush(x) + flush(y)) }

// mad24 rounds the product before it adds (3dbrew: MAD is not fused).
func mad24(x, y, z float32) float32 {
	return round24(mul24(x, y) + flush(z))
}

// dot3 and dot4 are the dot products. How the console sums is unknown. Here
// products and sums are float32, in the order x, y, z, w, with one truncation
// at the end. (Azahar sums in this order without truncating; a tree of float24
// adders would give (x+y)+(z+w).)
func dot3(a, b *vec4) float32 {
	s := float32(product(flush(a[0]), flush(b[0]))) + float32(product(flush(a[1]), flush(b[1])))
	s = float32(s) + float32(product(flush(a[2]), flush(b[2])))
	return round24(s)
}

func dot4(a, b *vec4) float32 {
	s := float32(product(flush(a[0]), flush(b[0]))) + float32(product(flush(a[1]), flush(b[1])))
	s = float32(s) + float32(product(flush(a[2]), flush(b[2])))
	s = float32(s) + float32(product(flush(a[3]), flush(b[3])))
	return round24(s)
}

// doth is dot4 with 1 in place of a.w.
func doth(a, b *vec4) float32 {
	h := vec4{a[0], a[1], a[2], 1}
	return dot4(&h, b)
}

// max24 and min24 are written so that NaN gives the console's results: max(0,
// NaN) = NaN, max(NaN, 0) = 0 (aroulin/3ds-gpu-tests).
func max24(x, y float32) float32 {
	if x > y {
		return noNegZero(x)
	}
	return noNegZero(y)
}

func min24(x, y float32) float32 {
	if x < y {
		return noNegZero(x)
	}
	return noNegZero(y)
}

// sge24 and slt24 give 0 when an operand is NaN (aroulin/3ds-gpu-tests).
func sge24(x, y float32) float32 {
	if x >= y {
		return 1
	}
	return 0
}

func slt24(x, y float32) float32 {
	if x < y {
		return 1
	}
	return 0
}

// compare is one half of CMP. NaN is not equal, less or greater.
func compare(op CompareOp, x, y float32) bool {
	switch op {
	case CompareEQ:
		return x == y
	case CompareNE:
		return x != y
	case CompareLT:
		return x < y
	case CompareLE:
		return x <= y
	case CompareGT:
		return x > y
	case CompareGE:
		return x >= y
	}
	return true
}

// truncInt is MOVA's conversion. Values out of range, and NaN, become the
// smallest integer, which as an address offset counts as 0.
func truncInt(x float32) int32 {
	if x > -2147483904 && x < 2147483648 {
		return int32(x)
	}
	return math.MinInt32
}

// uniformIndex returns the index of the float uniform that c(index) with an
// address offset reads. If ok is false, (1, 1, 1, 1) is read (3dbrew, "Relative
// addressing").
func uniformIndex(index int, offset int32) (i int, ok bool) {
	if offset < -128 || offset > 127 {
		offset = 0
	}
	i = (index + int(offset)) & 0x7F
	return i, i < 96
}
