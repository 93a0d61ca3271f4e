//go:build goexperiment.simd

package simd

// Widen makes words of 16 bytes: the first eight and the others.
func Widen(x Bytes) (lo, hi Words) { return x.ExtendLo8ToUint16(), x.ExtendHi8ToUint16() }

func high4(x Words) Dwords { return x.ExtendHi4ToUint32() }

var evenLow = Order{0, 2, 4, 6, 8, 10, 12, 14, None, None, None, None, None, None, None, None}
var evenHigh = Order{None, None, None, None, None, None, None, None, 0, 2, 4, 6, 8, 10, 12, 14}

// Narrow joins the low bytes of 16 words.
func Narrow(lo, hi Words) Bytes {
	return Shuffle(lo.ReshapeToUint8s(), &evenLow).Or(Shuffle(hi.ReshapeToUint8s(), &evenHigh))
}

// Choose returns x where m is set, and y elsewhere.
func Choose(m Mask, x, y Floats) Floats {
	return x.ToBits().BitSelect(y.ToBits(), m.ToInt32x4().ToBits()).BitsToFloat32()
}

// Differ is where x and y are not equal.
func Differ(x, y Floats) Mask { return x.NotEqual(y) }

var evenFirst = Order{0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}

// EvenOdd takes every other element of both, from the first on and from the second on.
func EvenOdd(x, y Dwords) (even, odd Dwords) {
	return Halves(Shuffle(x.ReshapeToUint8s(), &evenFirst).ReshapeToUint32s(), Shuffle(y.ReshapeToUint8s(), &evenFirst).ReshapeToUint32s())
}

// interleave takes the elements of the lower halves in turn, and of the upper ones.
func interleave(x, y Dwords) (lo, hi Dwords) {
	return x.ExtendLo2ToUint64().Or(y.ExtendLo2ToUint64().ShiftAllLeft(32)).ReshapeToUint32s(),
		x.ExtendHi2ToUint64().Or(y.ExtendHi2ToUint64().ShiftAllLeft(32)).ReshapeToUint32s()
}
