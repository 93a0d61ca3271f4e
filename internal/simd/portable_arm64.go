//go:build goexperiment.simd

package simd

// Widen makes words of 16 bytes: the first eight and the others.
func Widen(x Bytes) (lo, hi Words) { return x.ExtendLo8ToUint16(), x.HiToLo().ExtendLo8ToUint16() }

func high4(x Words) Dwords { return x.HiToLo().ExtendLo4ToUint32() }

// Narrow joins the low bytes of 16 words.
func Narrow(lo, hi Words) Bytes { return lo.ReshapeToUint8s().ConcatEven(hi.ReshapeToUint8s()) }

// Choose returns x where m is set, and y elsewhere.
func Choose(m Mask, x, y Floats) Floats { return x.IfElse(m, y) }

// Differ is where x and y are not equal.
func Differ(x, y Floats) Mask { return x.Equal(y).Not() }

// EvenOdd takes every other element of both, from the first on and from the second on.
func EvenOdd(x, y Dwords) (even, odd Dwords) { return x.ConcatEven(y), x.ConcatOdd(y) }

// interleave takes the elements of the lower halves in turn, and of the upper ones.
func interleave(x, y Dwords) (lo, hi Dwords) { return x.InterleaveLo(y), x.InterleaveHi(y) }
