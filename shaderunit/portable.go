//go:build goexperiment.simd && (arm64 || wasm)

package shaderunit

import (
	"math"

	"pica200/internal/simd"
)

// kernelsFor returns the kernels of a choice.
func kernelsFor(k simd.Kernels) *kernelSet {
	if k.Vector() {
		return &vectorKernels
	}
	return &goKernels
}

// vectorKernels are the portable kernels. Rarely used and one-lane operations
// use plain Go.
var vectorKernels = kernelSet{
	copy: goCopy, neg: negVector, flush: goFlush, fill: fillVector,
	addVV: addVVVector, mulVV: mulVVVector, subVV: subVVVector,
	maxVV: maxVVVector, minVV: minVVVector, sgeVV: sgeVVVector, sltVV: sltVVVector,
	addVS: addVSVector, mulVS: mulVSVector,
	madVVV: madVVVVector, madVSV: madVSVVector, madVVS: madVVSVector,
	flr: goFlr, rcp: rcpVector, rsq: rsqVector, ex2: goEx2, lg2: goLg2, maxZero: goMaxZero, clampLit: goClampLit,
	dot4VV: dot4VVVector, dot3VV: dot3VVVector, dot4VS: dot4VSVector, dot3VS: dot3VSVector, dphVV: dphVVVector, dphVS: dphVSVector,
	gather: goGather, dot4G: dot4GVector, dot3G: dot3GVector,
	trunc: goTrunc, cmpEQ: cmpEQVector, cmpNE: cmpNEVector, cmpLT: cmpLTVector, cmpLE: cmpLEVector, sel: selectVector,
}

// The kernels work on four lanes at a time. Lanes after the n-th, up to a
// multiple of four, get undefined values.

func load(r *Row, i int) simd.Floats     { return simd.LoadFloats(&r[0], i) }
func store(r *Row, i int, x simd.Floats) { simd.StoreFloats(&r[0], i, x) }

// signed xors x with sign.
func signed(x simd.Floats, sign simd.Dwords) simd.Floats {
	return x.ToBits().Xor(sign).BitsToFloat32()
}

// rounding holds the constants of round24. Kernels make it before their loops,
// because the compiler would leave constants inside.
type rounding struct{ overflow, subnormal, infinity, nan simd.Ints }

func newRounding() rounding {
	return rounding{simd.Int(overflowBits), simd.Int(minNormalBits - 1), simd.Int(infBits), simd.Int(quietNaN)}
}

// of is round24: too small values become 0, too large ones infinity.
func (k rounding) of(x simd.Floats) simd.Floats {
	w, a := x.ToBits().BitsToInt32(), x.Abs().ToBits().BitsToInt32()
	finite := k.overflow.Greater(a).ToInt32x4()
	normal := w.ShiftAllRight(7).ShiftAllLeft(7).And(a.Greater(k.subnormal).ToInt32x4()).And(finite)
	r := w.Xor(a).Or(k.infinity).AndNot(finite).Or(normal)
	return simd.ChooseInts(x.Equal(x), r, k.nan).ToBits().BitsToFloat32()
}

// times is product: inf * 0 is 0.
func times(x, y simd.Floats) simd.Floats {
	p := x.Mul(y)
	if bad := simd.Differ(p, p); simd.Any(bad) {
		return simd.Choose(bad.And(x.Equal(x)).And(y.Equal(y)), simd.Float(0), p)
	}
	return p
}

func negVector(d, a *Row, n int) {
	for i := 0; i < n; i += 4 {
		store(d, i, simd.Float(0).Sub(load(a, i)))
	}
}

func fillVector(d *Row, x float32, n int) {
	for i := 0; i < n; i += 4 {
		store(d, i, simd.Float(x))
	}
}

func addVVVector(d, a, b *Row, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(signed(load(a, i).Add(load(b, i)), signMask)))
	}
}

func subVVVector(d, a, b *Row, n int) {
	k := newRounding()
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(load(a, i).Sub(load(b, i))))
	}
}

func addVSVector(d, a *Row, s float32, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	factor := simd.Float(s)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(signed(load(a, i).Add(factor), signMask)))
	}
}

func mulVVVector(d, a, b *Row, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(signed(times(load(a, i), load(b, i)), signMask)))
	}
}

func mulVSVector(d, a *Row, s float32, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	factor := simd.Float(s)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(signed(times(load(a, i), factor), signMask)))
	}
}

func madVVVVector(d, a, b, c *Row, n int, signs uint32) {
	k, first, second := newRounding(), simd.Dword(signs&signBit), simd.Dword(signs<<1&signBit)
	for i := 0; i < n; i += 4 {
		p := k.of(signed(times(load(a, i), load(b, i)), first))
		store(d, i, k.of(p.Add(signed(load(c, i), second))))
	}
}

func madVSVVector(d, a *Row, s float32, c *Row, n int, signs uint32) {
	k, first, second := newRounding(), simd.Dword(signs&signBit), simd.Dword(signs<<1&signBit)
	factor := simd.Float(s)
	for i := 0; i < n; i += 4 {
		p := k.of(signed(times(load(a, i), factor), first))
		store(d, i, k.of(p.Add(signed(load(c, i), second))))
	}
}

func madVVSVector(d, a, b *Row, s float32, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	factor := simd.Float(s)
	for i := 0; i < n; i += 4 {
		p := k.of(signed(times(load(a, i), load(b, i)), signMask))
		store(d, i, k.of(p.Add(factor)))
	}
}

func maxVVVector(d, a, b *Row, n int) {
	for i := 0; i < n; i += 4 {
		x, y := load(a, i), load(b, i)
		store(d, i, simd.Choose(x.Greater(y), x, y))
	}
}

func minVVVector(d, a, b *Row, n int) {
	for i := 0; i < n; i += 4 {
		x, y := load(a, i), load(b, i)
		store(d, i, simd.Choose(y.Greater(x), x, y))
	}
}

func sgeVVVector(d, a, b *Row, n int) {
	for i := 0; i < n; i += 4 {
		store(d, i, simd.Choose(load(a, i).GreaterEqual(load(b, i)), simd.Float(1), simd.Float(0)))
	}
}

func sltVVVector(d, a, b *Row, n int) {
	for i := 0; i < n; i += 4 {
		store(d, i, simd.Choose(load(b, i).Greater(load(a, i)), simd.Float(1), simd.Float(0)))
	}
}

func rcpVector(d, a *Row, n int) {
	k := newRounding()
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(simd.Float(1).Div(load(a, i))))
	}
}

func rsqVector(d, a *Row, n int) {
	k := newRounding()
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(simd.Float(1).Div(load(a, i).Sqrt())))
	}
}

// sumOf4 is a dot product of four components with a sign.
func sumOf4(ax, ay, az, aw, bx, by, bz, bw simd.Floats, sign simd.Dwords) simd.Floats {
	s := ax.Mul(bx).Add(ay.Mul(by)).Add(az.Mul(bz)).Add(aw.Mul(bw))
	if simd.Any(simd.Differ(s, s)) {
		s = timesOf4(ax, ay, az, aw, bx, by, bz, bw)
	}
	return signed(s, sign)
}

// timesOf4 is the sum for the case that inf * 0, which counts as 0, may be in
// it.
//
//go:noinline
func timesOf4(ax, ay, az, aw, bx, by, bz, bw simd.Floats) simd.Floats {
	return times(ax, bx).Add(times(ay, by)).Add(times(az, bz)).Add(times(aw, bw))
}

// sumOf3 is a dot product of three components with a sign.
func sumOf3(ax, ay, az, bx, by, bz simd.Floats, sign simd.Dwords) simd.Floats {
	s := ax.Mul(bx).Add(ay.Mul(by)).Add(az.Mul(bz))
	if simd.Any(simd.Differ(s, s)) {
		s = timesOf3(ax, ay, az, bx, by, bz)
	}
	return signed(s, sign)
}

//go:noinline
func timesOf3(ax, ay, az, bx, by, bz simd.Floats) simd.Floats {
	return times(ax, bx).Add(times(ay, by)).Add(times(az, bz))
}

func dot4VVVector(d, ax, ay, az, aw, bx, by, bz, bw *Row, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(sumOf4(load(ax, i), load(ay, i), load(az, i), load(aw, i), load(bx, i), load(by, i), load(bz, i), load(bw, i), signMask)))
	}
}

func dot3VVVector(d, ax, ay, az, bx, by, bz *Row, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(sumOf3(load(ax, i), load(ay, i), load(az, i), load(bx, i), load(by, i), load(bz, i), signMask)))
	}
}

func dot4VSVector(d, ax, ay, az, aw *Row, b *vec4, n int, sign uint32) {
	bx, by, bz, bw := simd.Float(b[0]), simd.Float(b[1]), simd.Float(b[2]), simd.Float(b[3])
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(sumOf4(load(ax, i), load(ay, i), load(az, i), load(aw, i), bx, by, bz, bw, signMask)))
	}
}

func dot3VSVector(d, ax, ay, az *Row, b *vec4, n int, sign uint32) {
	bx, by, bz := simd.Float(b[0]), simd.Float(b[1]), simd.Float(b[2])
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(sumOf3(load(ax, i), load(ay, i), load(az, i), bx, by, bz, signMask)))
	}
}

func dphVVVector(d, ax, ay, az, bx, by, bz, bw *Row, h float32, n int, sign uint32) {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(sumOf4(load(ax, i), load(ay, i), load(az, i), simd.Float(h), load(bx, i), load(by, i), load(bz, i), load(bw, i), signMask)))
	}
}

func dphVSVector(d, ax, ay, az *Row, b *vec4, h float32, n int, sign uint32) {
	bx, by, bz, bw := simd.Float(b[0]), simd.Float(b[1]), simd.Float(b[2]), simd.Float(b[3])
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		store(d, i, k.of(sumOf4(load(ax, i), load(ay, i), load(az, i), simd.Float(h), bx, by, bz, bw, signMask)))
	}
}

// uniformsAt returns the components of c(base+off) for four lanes.
func uniformsAt(f *[96]vec4, base int, off *[4]int32) (x, y, z, w simd.Floats) {
	a, b, c, d := simd.Transpose(
		simd.LoadFloats(&uniformAt(f, base, off[0])[0], 0).ToBits(), simd.LoadFloats(&uniformAt(f, base, off[1])[0], 0).ToBits(),
		simd.LoadFloats(&uniformAt(f, base, off[2])[0], 0).ToBits(), simd.LoadFloats(&uniformAt(f, base, off[3])[0], 0).ToBits())
	return a.BitsToFloat32(), b.BitsToFloat32(), c.BitsToFloat32(), d.BitsToFloat32()
}

func dot4GVector(d, ax, ay, az, aw *Row, f *[96]vec4, off *[Lanes]int32, base, n int, sign uint32) bool {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		x, y, z, w := uniformsAt(f, base, (*[4]int32)(off[i:]))
		store(d, i, k.of(sumOf4(load(ax, i), load(ay, i), load(az, i), load(aw, i), x, y, z, w, signMask)))
	}
	return true
}

func dot3GVector(d, ax, ay, az *Row, f *[96]vec4, off *[Lanes]int32, base, n int, sign uint32) bool {
	k, signMask := newRounding(), simd.Dword(sign)
	for i := 0; i < n; i += 4 {
		x, y, z, _ := uniformsAt(f, base, (*[4]int32)(off[i:]))
		store(d, i, k.of(sumOf3(load(ax, i), load(ay, i), load(az, i), x, y, z, signMask)))
	}
	return true
}

// below keeps the bits of the first n lanes.
func below(m uint64, n int) uint64 { return m & (math.MaxUint64 >> (64 - n)) }

func cmpEQVector(a, b *Row, n int) (m uint64) {
	for i := 0; i < n; i += 4 {
		m |= uint64(simd.Lanes(load(a, i).Equal(load(b, i)))) << i
	}
	return below(m, n)
}

func cmpNEVector(a, b *Row, n int) (m uint64) {
	for i := 0; i < n; i += 4 {
		m |= uint64(simd.Lanes(simd.Differ(load(a, i), load(b, i)))) << i
	}
	return below(m, n)
}

func cmpLTVector(a, b *Row, n int) (m uint64) {
	for i := 0; i < n; i += 4 {
		m |= uint64(simd.Lanes(load(b, i).Greater(load(a, i)))) << i
	}
	return below(m, n)
}

func cmpLEVector(a, b *Row, n int) (m uint64) {
	for i := 0; i < n; i += 4 {
		m |= uint64(simd.Lanes(load(b, i).GreaterEqual(load(a, i)))) << i
	}
	return below(m, n)
}

func selectVector(d, a *Row, n int, mask uint64) {
	for i := 0; i < n; i += 4 {
		store(d, i, simd.Choose(simd.FromLanes(uint32(mask>>i)&15), load(a, i), load(d, i)))
	}
}
