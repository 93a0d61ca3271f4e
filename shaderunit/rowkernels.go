package shaderunit

import "math"

// The row kernels in plain Go: an operation over the first n lanes. They are
// the definition for the AVX2 twins and give the bits of the scalar functions
// in float24.go, if sources are neither subnormal nor -0.
//
// Bit 31 of sign negates the result before it is rounded. Normal numbers take
// the fast path; zeros, infinities and NaN do not.

const normalSpan = overflowBits - minNormalBits

func goCopy(d, a *Row, n int) { copy(d[:n], a[:n]) }

func goFill(d *Row, x float32, n int) {
	ds := d[:n]
	for i := range ds {
		ds[i] = x
	}
}

// goNeg and goFlush prepare sources.
func goNeg(d, a *Row, n int) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		ds[i] = 0 - as[i]
	}
}

func goFlush(d, a *Row, n int) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		ds[i] = flush(as[i])
	}
}

func goAddVV(d, a, b *Row, n int, sign uint32) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]+bs[i]) ^ sign
		ds[i] = round24(math.Float32frombits(w))
	}
}

func goSubVV(d, a, b *Row, n int) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		ds[i] = round24(as[i] - bs[i])
	}
}

func goAddVS(d, a *Row, s float32, n int, sign uint32) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]+s) ^ sign
		ds[i] = round24(math.Float32frombits(w))
	}
}

// mulSettle computes a product that is not a normal number.
func mulSettle(x, y float32, sign uint32) float32 {
	return outOfRange(math.Float32frombits(math.Float32bits(product(x, y)) ^ sign))
}

func goMulVV(d, a, b *Row, n int, sign uint32) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]*bs[i]) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = mulSettle(as[i], bs[i], sign)
		}
	}
}

func goMulVS(d, a *Row, s float32, n int, sign uint32) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]*s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = mulSettle(as[i], s, sign)
		}
	}
}

// goMadVVV is a*b + c. signs has the sign of the product in bit 31 and that of
// c in bit 30.
func goMadVVV(d, a, b, c *Row, n int, signs uint32) {
	sp, sc := signs&signBit, signs<<1&signBit
	ds := d[:n]
	as, bs, cs := a[:len(ds)], b[:len(ds)], c[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]*bs[i]) ^ sp
		p := math.Float32frombits(w &^ mantissaCut)
		if w&absMask-minNormalBits >= normalSpan {
			p = mulSettle(as[i], bs[i], sp)
		}
		ds[i] = round24(p + math.Float32frombits(math.Float32bits(cs[i])^sc))
	}
}

// goMadVSV is a*s + c.
func goMadVSV(d, a *Row, s float32, c *Row, n int, signs uint32) {
	sp, sc := signs&signBit, signs<<1&signBit
	ds := d[:n]
	as, cs := a[:len(ds)], c[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]*s) ^ sp
		p := math.Float32frombits(w &^ mantissaCut)
		if w&absMask-minNormalBits >= normalSpan {
			p = mulSettle(as[i], s, sp)
		}
		ds[i] = round24(p + math.Float32frombits(math.Float32bits(cs[i])^sc))
	}
}

// goMadVVS is a*b + s; s includes its sign.
func goMadVVS(d, a, b *Row, s float32, n int, sign uint32) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		w := math.Float32bits(as[i]*bs[i]) ^ sign
		p := math.Float32frombits(w &^ mantissaCut)
		if w&absMask-minNormalBits >= normalSpan {
			p = mulSettle(as[i], bs[i], sign)
		}
		ds[i] = round24(p + s)
	}
}

func goMaxVV(d, a, b *Row, n int) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		x := bs[i]
		if as[i] > x {
			x = as[i]
		}
		ds[i] = x
	}
}

func goMinVV(d, a, b *Row, n int) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		x := bs[i]
		if as[i] < x {
			x = as[i]
		}
		ds[i] = x
	}
}

func goSgeVV(d, a, b *Row, n int) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		x := float32(0)
		if as[i] >= bs[i] {
			x = 1
		}
		ds[i] = x
	}
}

func goSltVV(d, a, b *Row, n int) {
	ds := d[:n]
	as, bs := a[:len(ds)], b[:len(ds)]
	for i := range ds {
		x := float32(0)
		if as[i] < bs[i] {
			x = 1
		}
		ds[i] = x
	}
}

func goFlr(d, a *Row, n int) { goUnary(d, a, n, flr24) }
func goRcp(d, a *Row, n int) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		ds[i] = round24(1 / as[i])
	}
}

func goRsq(d, a *Row, n int) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		ds[i] = round24(1 / float32(math.Sqrt(float64(as[i]))))
	}
}
func goEx2(d, a *Row, n int) { goUnary(d, a, n, ex224) }
func goLg2(d, a *Row, n int) { goUnary(d, a, n, lg224) }

// goMaxZero and goClampLit are the x, w and y of LITP.
func goMaxZero(d, a *Row, n int)  { goUnary(d, a, n, litpMax) }
func goClampLit(d, a *Row, n int) { goUnary(d, a, n, litpClamp) }

func goUnary(d, a *Row, n int, f func(float32) float32) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		ds[i] = f(as[i])
	}
}

// goSelect copies the lanes of a that are in mask to d.
func goSelect(d, a *Row, n int, mask uint64) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		if mask>>uint(i)&1 != 0 {
			ds[i] = as[i]
		}
	}
}

// The comparisons return the lanes in which they hold.

func goCmpEQ(a, b *Row, n int) (m uint64) {
	as := a[:n]
	bs := b[:len(as)]
	for i := range as {
		m |= lane(as[i] == bs[i]) << uint(i)
	}
	return m
}

func goCmpNE(a, b *Row, n int) (m uint64) {
	as := a[:n]
	bs := b[:len(as)]
	for i := range as {
		m |= lane(as[i] != bs[i]) << uint(i)
	}
	return m
}

func goCmpLT(a, b *Row, n int) (m uint64) {
	as := a[:n]
	bs := b[:len(as)]
	for i := range as {
		m |= lane(as[i] < bs[i]) << uint(i)
	}
	return m
}

func goCmpLE(a, b *Row, n int) (m uint64) {
	as := a[:n]
	bs := b[:len(as)]
	for i := range as {
		m |= lane(as[i] <= bs[i]) << uint(i)
	}
	return m
}

func goTrunc(d *[Lanes]int32, a *Row, n int) {
	ds := d[:n]
	as := a[:len(ds)]
	for i := range ds {
		ds[i] = truncInt(as[i])
	}
}

func lane(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
