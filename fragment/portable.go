//go:build goexperiment.simd && (arm64 || wasm)

package fragment

import (
	"pica200/internal/simd"
	"pica200/raster"
)

// The portable forms of the hottest kernels process 16 lanes at a time on
// vectors of 128 bits, with the same bits as the plain ones. Their arguments
// are those of the AVX2 forms.

// operandBytes are 16 lanes of an operand of a combiner or of blending.
func operandBytes(p *uint8, i int, xor simd.Bytes) (lo, hi simd.Words) {
	return simd.Widen(simd.LoadBytes(p, i).Xor(xor))
}

// divide255 divides words of at most 255*255 by 255, rounded.
func divide255(x simd.Words, rounding uint16) simd.Words {
	x = x.Add(simd.Word(rounding))
	return x.Add(x.ShiftAllRight(8)).Add(simd.Word(1)).ShiftAllRight(8)
}

// storeShifted stores min(words << shift, 255). A word is at most 510.
func storeShifted(d *uint8, i int, lo, hi simd.Words, shift uint64) {
	top := simd.Word(255)
	simd.StoreBytes(d, i, simd.Narrow(lo.ShiftAllLeft(shift).Min(top), hi.ShiftAllLeft(shift).Min(top)))
}

func combineReplaceVector(d, a *uint8, xa, shift uint64, n int) {
	x := simd.Byte(uint8(xa))
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		storeShifted(d, i, al, ah, shift)
	}
}

func combineModulateVector(d, a, b *uint8, xa, xb, shift uint64, n int) {
	x, y := simd.Byte(uint8(xa)), simd.Byte(uint8(xb))
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		storeShifted(d, i, divide255(al.Mul(bl), texEnvRounding), divide255(ah.Mul(bh), texEnvRounding), shift)
	}
}

func combineAddVector(d, a, b *uint8, xa, xb, shift uint64, n int) {
	x, y := simd.Byte(uint8(xa)), simd.Byte(uint8(xb))
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		storeShifted(d, i, al.Add(bl), ah.Add(bh), shift)
	}
}

func combineAddSignedVector(d, a, b *uint8, xa, xb, shift uint64, n int) {
	x, y, half := simd.Byte(uint8(xa)), simd.Byte(uint8(xb)), simd.Word(128)
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		storeShifted(d, i, al.Add(bl).SubSaturated(half), ah.Add(bh).SubSaturated(half), shift)
	}
}

func combineSubtractVector(d, a, b *uint8, xa, xb, shift uint64, n int) {
	x, y := simd.Byte(uint8(xa)), simd.Byte(uint8(xb))
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		storeShifted(d, i, al.SubSaturated(bl), ah.SubSaturated(bh), shift)
	}
}

func combineInterpolateVector(d, a, b, c *uint8, xa, xb, xc, shift uint64, n int) {
	x, y, z, one := simd.Byte(uint8(xa)), simd.Byte(uint8(xb)), simd.Byte(uint8(xc)), simd.Word(255)
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		cl, ch := operandBytes(c, i, z)
		lo := divide255(al.Mul(cl).Add(bl.Mul(one.Sub(cl))), texEnvRounding)
		hi := divide255(ah.Mul(ch).Add(bh.Mul(one.Sub(ch))), texEnvRounding)
		storeShifted(d, i, lo, hi, shift)
	}
}

func combineMultiplyAddVector(d, a, b, c *uint8, xa, xb, xc, shift uint64, n int) {
	x, y, z := simd.Byte(uint8(xa)), simd.Byte(uint8(xb)), simd.Byte(uint8(xc))
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		cl, ch := operandBytes(c, i, z)
		storeShifted(d, i, divide255(al.Mul(bl), texEnvRounding).Add(cl), divide255(ah.Mul(bh), texEnvRounding).Add(ch), shift)
	}
}

func combineAddMultiplyVector(d, a, b, c *uint8, xa, xb, xc, shift uint64, n int) {
	x, y, z, one := simd.Byte(uint8(xa)), simd.Byte(uint8(xb)), simd.Byte(uint8(xc)), simd.Word(255)
	for i := 0; i < n; i += 16 {
		al, ah := operandBytes(a, i, x)
		bl, bh := operandBytes(b, i, y)
		cl, ch := operandBytes(c, i, z)
		lo := divide255(al.Add(bl).Min(one).Mul(cl), texEnvRounding)
		hi := divide255(ah.Add(bh).Min(one).Mul(ch), texEnvRounding)
		storeShifted(d, i, lo, hi, shift)
	}
}

// blendProducts computes 16 lanes of both products of blending.
func blendProducts(s, sf, t, tf *uint8, i int, x, y simd.Bytes) (al, ah, bl, bh simd.Words) {
	sl, sh := simd.Widen(simd.LoadBytes(s, i))
	fl, fh := operandBytes(sf, i, x)
	tl, th := simd.Widen(simd.LoadBytes(t, i))
	gl, gh := operandBytes(tf, i, y)
	return sl.Mul(fl), sh.Mul(fh), tl.Mul(gl), th.Mul(gh)
}

func blendAddVector(d, s, sf, t, tf *uint8, sx, tx uint64, n int) {
	x, y := simd.Byte(uint8(sx)), simd.Byte(uint8(tx))
	top := simd.Word(255 * 255) // greater values give 255 too
	for i := 0; i < n; i += 16 {
		al, ah, bl, bh := blendProducts(s, sf, t, tf, i, x, y)
		lo := divide255(al.AddSaturated(bl).Min(top), blendRounding)
		hi := divide255(ah.AddSaturated(bh).Min(top), blendRounding)
		simd.StoreBytes(d, i, simd.Narrow(lo, hi))
	}
}

func blendSubtractVector(d, s, sf, t, tf *uint8, sx, tx uint64, n int) {
	x, y := simd.Byte(uint8(sx)), simd.Byte(uint8(tx))
	for i := 0; i < n; i += 16 {
		al, ah, bl, bh := blendProducts(s, sf, t, tf, i, x, y)
		lo, hi := divide255(al.SubSaturated(bl), blendRounding), divide255(ah.SubSaturated(bh), blendRounding)
		simd.StoreBytes(d, i, simd.Narrow(lo, hi))
	}
}

// colorOf converts a colour 0..1 to a byte, rounded to nearest.
func colorOf(x simd.Floats) simd.Ints {
	x, top := simd.Positive(x.Mul(simd.Float(255)).Add(simd.Float(0.5))), simd.Float(255)
	return simd.Choose(top.Greater(x), x, top).ConvertToInt32()
}

func toBytesVector(src *float32, dst *uint8, n int) {
	for i := 0; i < n; i += 16 {
		simd.StoreBytes(dst, i, simd.JoinBytes(colorOf(simd.LoadFloats(src, i)), colorOf(simd.LoadFloats(src, i+4)),
			colorOf(simd.LoadFloats(src, i+8)), colorOf(simd.LoadFloats(src, i+12))))
	}
}

func unpackVector(src *uint32, c0, c1, c2, c3 *uint8, n int) {
	for i := 0; i < n; i += 4 {
		x := simd.Shuffle(simd.LoadDwords(src, i).ReshapeToUint8s(), &simd.Planes).ReshapeToUint32s()
		simd.PutAs(c0, i, x.GetElem(0))
		simd.PutAs(c1, i, x.GetElem(1))
		simd.PutAs(c2, i, x.GetElem(2))
		simd.PutAs(c3, i, x.GetElem(3))
	}
}

// fogged mixes four colours 0..255 with the fog colour; t is the colours'
// share.
func fogged(x simd.Ints, t, fog simd.Floats) simd.Ints {
	return t.Mul(x.ConvertToFloat32()).Add(simd.Float(1).Sub(t).Mul(fog)).Add(simd.Float(fogRounding)).ConvertToInt32()
}

func fogMixVector(d, s *uint8, t *float32, fog float32, n int) {
	color := simd.Float(fog)
	for i := 0; i < n; i += 16 {
		x, y, z, w := simd.WidenInts(simd.LoadBytes(s, i))
		simd.StoreBytes(d, i, simd.JoinBytes(fogged(x, simd.LoadFloats(t, i), color), fogged(y, simd.LoadFloats(t, i+4), color),
			fogged(z, simd.LoadFloats(t, i+8), color), fogged(w, simd.LoadFloats(t, i+12), color)))
	}
}

// clampUnit clamps x to 0..1; NaN gives 0.
func clampUnit(x simd.Floats) simd.Floats {
	x = simd.Positive(x)
	return simd.Choose(simd.Float(1).Greater(x), x, simd.Float(1))
}

func lookup128Vector(d, x *float32, t *float32, n int) {
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, lut128Of(simd.LoadFloats(x, i), t))
	}
}

// lut128Of is lut128At for four inputs.
func lut128Of(x simd.Floats, t *float32) simd.Floats {
	top := simd.Float(128)
	x = simd.Positive(x.Mul(top))
	x = simd.Choose(top.Greater(x), x, top)
	k := x.ConvertToInt32().Min(simd.Int(127))
	value, diff := simd.Pairs(t, k)
	return clampUnit(value.Add(diff.Mul(x.Sub(k.ConvertToFloat32()))))
}

// positions is texelPosition for four coordinates.
func positions(x, size simd.Floats) simd.Ints {
	low, high := simd.Float(-1<<29), simd.Float(1<<29)
	x = x.Mul(size).Mul(simd.Float(texelUnit))
	x = simd.Choose(x.Greater(low), x, low)
	x = simd.Choose(high.GreaterEqual(x), x, high)
	return x.Round().ConvertToInt32()
}

// wrapVector are the wrap parameters of one side of a level, see vectorLevels.
type wrapVector struct{ mask, flip, max, top, low, high simd.Ints }

// of returns the texels that indices read, and where the border is read
// instead.
func (w *wrapVector) of(i simd.Ints) (texel simd.Ints, border simd.Mask) {
	border = w.low.Greater(i).Or(i.Greater(w.high))
	i = i.Min(w.top).And(w.mask)
	return i.Min(i.Xor(w.flip)).Max(simd.Int(0)).Min(w.max), border
}

// loadTexels reads texels at four positions.
func loadTexels(t *uint32, i simd.Ints) simd.Dwords {
	return simd.Dword(simd.Get(t, int(i.GetElem(0)))).SetElem(1, simd.Get(t, int(i.GetElem(1)))).
		SetElem(2, simd.Get(t, int(i.GetElem(2)))).SetElem(3, simd.Get(t, int(i.GetElem(3))))
}

var (
	lowTexels   = simd.Order{0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1, 7, -1}
	highTexels  = simd.Order{8, -1, 9, -1, 10, -1, 11, -1, 12, -1, 13, -1, 14, -1, 15, -1}
	lowWeights  = simd.Order{0, -1, 0, -1, 0, -1, 0, -1, 4, -1, 4, -1, 4, -1, 4, -1}
	highWeights = simd.Order{8, -1, 8, -1, 8, -1, 8, -1, 12, -1, 12, -1, 12, -1, 12, -1}
)

// mixWords mixes t/256 of b with the rest of a, rounded.
func mixWords(a, b, t simd.Words) simd.Words {
	return a.ShiftAllLeft(8).Add(b.Sub(a).Mul(t)).Add(simd.Word(128)).ShiftAllRight(8)
}

func mixVector(a, b *uint32, t *uint8, n int) {
	for i := 0; i < n; i += 4 {
		share := simd.Word(uint16(simd.Get(t, i/4)))
		al, ah := simd.Widen(simd.LoadDwords(a, i).ReshapeToUint8s())
		bl, bh := simd.Widen(simd.LoadDwords(b, i).ReshapeToUint8s())
		simd.StoreDwords(a, i, simd.Narrow(mixWords(al, bl, share), mixWords(ah, bh, share)).ReshapeToUint32s())
	}
}

// levelVector is a level of detail in the form that sampling kernels use.
type levelVector struct {
	s, t           wrapVector
	width, height  simd.Floats
	stride, offset simd.Ints
}

func (l *levelVector) set(p *vectorLevels, i uint8) {
	i &= 7
	l.s = wrapVector{simd.Int(p.maskS[i]), simd.Int(p.flipS[i]), simd.Int(p.maxS[i]), simd.Int(p.topS[i]), simd.Int(p.lowS[i]), simd.Int(p.highS[i])}
	l.t = wrapVector{simd.Int(p.maskT[i]), simd.Int(p.flipT[i]), simd.Int(p.maxT[i]), simd.Int(p.topT[i]), simd.Int(p.lowT[i]), simd.Int(p.highT[i])}
	l.width, l.height = simd.Float(p.width[i]), simd.Float(p.height[i])
	l.stride, l.offset = simd.Int(p.stride[i]), simd.Int(p.offset[i])
}

// fetchVector is fetch by the portable kernels.
func (s bound) fetchVector(linear bool, from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	if linear {
		s.bilinearVector(from, to, u, v, level, out)
	} else {
		s.nearestVector(from, to, u, v, level, out)
	}
}

func (s bound) bilinearVector(from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	p, texels, border := s.vector, &s.texels[0], simd.Dword(s.border)
	half, one, fraction := simd.Int(halfTexel), simd.Int(1), simd.Int(texelUnit-1)
	var l levelVector
	for i := from; i < to; i += 4 {
		if i == from || level[i/4] != level[i/4-1] {
			l.set(p, level[i/4])
		}
		fx, fy := positions(simd.LoadFloats(&u[0], i), l.width).Sub(half), positions(simd.LoadFloats(&v[0], i), l.height).Sub(half)
		x0, y0 := fx.ShiftAllRight(texelBits), fy.ShiftAllRight(texelBits)
		x1, right := l.s.of(x0.Add(one))
		y1, below := l.t.of(y0.Add(one))
		x0, left := l.s.of(x0)
		y0, above := l.t.of(y0)
		r0, r1 := l.offset.Add(y0.Mul(l.stride)), l.offset.Add(y1.Mul(l.stride))
		t00, t10 := loadTexels(texels, r0.Add(x0)), loadTexels(texels, r0.Add(x1))
		t01, t11 := loadTexels(texels, r1.Add(x0)), loadTexels(texels, r1.Add(x1))
		if p.all {
			t00, t10 = simd.ChooseDwords(above.Or(left), border, t00), simd.ChooseDwords(above.Or(right), border, t10)
			t01, t11 = simd.ChooseDwords(below.Or(left), border, t01), simd.ChooseDwords(below.Or(right), border, t11)
		}
		a, b := fx.And(fraction).ToBits().ReshapeToUint8s(), fy.And(fraction).ToBits().ReshapeToUint8s()
		t00l, t00h := simd.Widen(t00.ReshapeToUint8s())
		t10l, t10h := simd.Widen(t10.ReshapeToUint8s())
		t01l, t01h := simd.Widen(t01.ReshapeToUint8s())
		t11l, t11h := simd.Widen(t11.ReshapeToUint8s())
		al, ah := simd.Shuffle(a, &lowWeights).ReshapeToUint16s(), simd.Shuffle(a, &highWeights).ReshapeToUint16s()
		bl, bh := simd.Shuffle(b, &lowWeights).ReshapeToUint16s(), simd.Shuffle(b, &highWeights).ReshapeToUint16s()
		lo := mixWords(mixWords(t00l, t10l, al), mixWords(t01l, t11l, al), bl)
		hi := mixWords(mixWords(t00h, t10h, ah), mixWords(t01h, t11h, ah), bh)
		simd.StoreDwords(&out[0], i, simd.Narrow(lo, hi).ReshapeToUint32s())
	}
}

func (s bound) nearestVector(from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	p, texels, border, fraction := s.vector, &s.texels[0], simd.Dword(s.border), simd.Int(texelUnit-1)
	var l levelVector
	for i := from; i < to; i += 4 {
		if i == from || level[i/4] != level[i/4-1] {
			l.set(p, level[i/4])
		}
		fx, fy := positions(simd.LoadFloats(&u[0], i), l.width), positions(simd.LoadFloats(&v[0], i), l.height)
		x, y := owners(fx, fraction, s.flip), owners(fy, fraction, s.flip)
		x, beside := l.s.of(x)
		y, above := l.t.of(y)
		t := loadTexels(texels, l.offset.Add(y.Mul(l.stride)).Add(x))
		if p.all {
			t = simd.ChooseDwords(beside.Or(above), border, t)
		}
		simd.StoreDwords(&out[0], i, t)
	}
}

// owners is texel for a quad, see TexelOwner.
func owners(p, fraction simd.Ints, flip bool) simd.Ints {
	corner := p.GetElem(0)
	on := p.GetElem(1) - corner
	if on == 0 {
		on = corner - p.GetElem(2)
		if flip {
			on = -on
		}
	}
	if on < 0 {
		p = p.Add(p.And(fraction).Equal(simd.Int(0)).ToInt32x4())
	}
	return p.ShiftAllRight(texelBits)
}

func combineDot3Vector(d, a0, a1, a2, b0, b1, b2 *uint8, xa, xb, shift uint64, n int) {
	a, b := [3]*uint8{a0, a1, a2}, [3]*uint8{b0, b1, b2}
	var x, y [3]simd.Bytes
	for ch := range x {
		x[ch], y[ch] = simd.Byte(uint8(xa>>(8*ch))), simd.Byte(uint8(xb>>(8*ch)))
	}
	for i := 0; i < n; i += 16 {
		var lo, hi simd.Words
		for ch := range a {
			al, ah := operandBytes(a[ch], i, x[ch])
			bl, bh := operandBytes(b[ch], i, y[ch])
			lo, hi = lo.Add(dot3Words(al, bl)), hi.Add(dot3Words(ah, bh))
		}
		storeShifted(d, i, positive(lo), positive(hi), shift)
	}
}

// dot3Words is dot3Product of eight channels, as signed 16-bit words.
func dot3Words(a, b simd.Words) simd.Words {
	one := simd.Word(255)
	a, b = a.Add(a).Sub(one), b.Add(b).Sub(one)
	s, t := a.BitsToInt16().ShiftAllRight(15).ToBits(), b.BitsToInt16().ShiftAllRight(15).ToBits()
	return divide255(a.Xor(s).Mul(b.Xor(t)), roundNearest).Xor(s).Xor(t)
}

// positive replaces negative signed 16-bit words with 0.
func positive(x simd.Words) simd.Words {
	return x.And(x.BitsToInt16().ShiftAllRight(15).ToBits().Not())
}
