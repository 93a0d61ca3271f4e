//go:build goexperiment.simd && (arm64 || wasm)

package fragment

import (
	"pica200/internal/simd"
	"pica200/raster"
)

// The portable forms of the kernels of gas, cube maps, levels of detail and masks, see
// portable.go.

// fromHalf is halfToFloat for integers below 2^16.
func fromHalf(h simd.Ints) simd.Floats {
	const lift = 112 << 23
	mag := h.And(simd.Int(0x7FFF))
	normal := mag.ShiftAllLeft(13).Add(simd.Int(lift)).Add(simd.Int(lift).Masked(mag.Greater(simd.Int(halfInfinity - 1))))
	small := mag.ConvertToFloat32().Mul(simd.Float(1.0 / (1 << 24))).ToBits().BitsToInt32()
	sign := h.Xor(mag).ShiftAllLeft(16).Masked(mag.Greater(simd.Int(0)))
	return simd.ChooseInts(mag.Greater(simd.Int(0x3FF)), normal, small).Or(sign).ToBits().BitsToFloat32()
}

// toHalf is floatToHalf.
func toHalf(x simd.Floats) simd.Ints {
	b := x.ToBits().And(simd.Dword(1<<31 - 1)).BitsToInt32()
	h := b.Add(simd.Int(0xFFF)).Add(b.ShiftAllRight(13).And(simd.Int(1))).Min(simd.Int(143 << 23)).Sub(simd.Int(112 << 23)).ShiftAllRight(13)
	h = simd.ChooseInts(b.Greater(simd.Int(255<<23)), simd.Int(0x7E00), h)
	// The sum aligns the lowest bits to units of 2^-24, rounded the same way.
	small := b.ToBits().BitsToFloat32().Add(simd.Float(0.5)).ToBits().BitsToInt32().Sub(simd.Int(126 << 23))
	h = simd.ChooseInts(simd.Int(113<<23).Greater(b), small, h)
	sign := x.ToBits().ShiftAllRight(31).ShiftAllLeft(15).BitsToInt32()
	return h.Or(sign.Masked(h.Greater(simd.Int(0))))
}

func gasDensityVector(d *float32, high, low *uint8, n int) {
	for i := 0; i < n; i += 16 {
		hl, hh := simd.Widen(simd.LoadBytes(high, i))
		ll, lh := simd.Widen(simd.LoadBytes(low, i))
		a, b := simd.WidenWords(hl.ShiftAllLeft(8).Or(ll))
		simd.StoreFloats(d, i, fromHalf(a))
		simd.StoreFloats(d, i+4, fromHalf(b))
		a, b = simd.WidenWords(hh.ShiftAllLeft(8).Or(lh))
		simd.StoreFloats(d, i+8, fromHalf(a))
		simd.StoreFloats(d, i+12, fromHalf(b))
	}
}

// truncated is truncate8, as integers.
func truncated(x simd.Floats) simd.Ints {
	x, top := simd.Positive(x), simd.Float(255)
	return simd.Choose(top.Greater(x), x, top).ConvertToInt32()
}

// gasAlphaOf is gasAlpha of four densities.
func gasAlphaOf(d2 simd.Floats, attenuation simd.Floats, t *float32) simd.Ints {
	return truncated(lut128Of(d2.Mul(attenuation), t).Mul(simd.Float(255)))
}

func gasAlphaVector(d *uint8, d2, t *float32, attenuation float32, n int) {
	k := simd.Float(attenuation)
	for i := 0; i < n; i += 16 {
		a, b := gasAlphaOf(simd.LoadFloats(d2, i), k, t), gasAlphaOf(simd.LoadFloats(d2, i+4), k, t)
		c, e := gasAlphaOf(simd.LoadFloats(d2, i+8), k, t), gasAlphaOf(simd.LoadFloats(d2, i+12), k, t)
		simd.StoreBytes(d, i, simd.JoinBytes(a, b, c, e))
	}
}

// gasLightOf is gasLight of four densities.
func gasLightOf(d *float32, i int, planar simd.Ints, p *[7]float32) {
	one, x := simd.Float(1), simd.LoadFloats(d, i)
	a := planar.ConvertToFloat32().Div(simd.Float(255)).Mul(one.Sub(simd.Float(p[2]).Mul(x)))
	b := simd.Float(p[6]).Mul(one.Sub(simd.Float(p[5]).Mul(x)))
	xy := simd.Float(p[1]).Mul(a).Add(simd.Float(p[0]).Mul(one.Sub(a)))
	z := simd.Float(p[4]).Mul(b).Add(simd.Float(p[3]).Mul(one.Sub(b)))
	simd.StoreFloats(d, i, xy.Add(z))
}

func gasLightVector(d *float32, planar *uint8, p *float32, n int) {
	k := simd.As[[7]float32](p)
	for i := 0; i < n; i += 16 {
		a, b, c, e := simd.WidenInts(simd.LoadBytes(planar, i))
		gasLightOf(d, i, a, k)
		gasLightOf(d, i+4, b, k)
		gasLightOf(d, i+8, c, k)
		gasLightOf(d, i+12, e, k)
	}
}

// pickFloats selects the floats whose byte offsets are in at from a table of
// eight.
func pickFloats(table *float32, at simd.Bytes) simd.Floats {
	lo, hi := simd.LoadFloats(table, 0).ToBits().ReshapeToUint8s(), simd.LoadFloats(table, 4).ToBits().ReshapeToUint8s()
	return simd.Pick(lo, at).Or(simd.Pick(hi, at.Sub(simd.Byte(16)))).ReshapeToUint32s().BitsToFloat32()
}

// gasIndex is the position of four densities in the colour table: byte offsets of
// the entries, and the fractions after them.
func gasIndex(x simd.Floats) (at simd.Bytes, share simd.Floats) {
	top := simd.Float(8)
	x = simd.Positive(x.Mul(top))
	x = simd.Choose(top.Greater(x), x, top)
	k := x.ConvertToInt32().Min(simd.Int(7))
	return k.Mul(simd.Int(0x04040404)).Add(simd.Int(0x03020100)).ToBits().ReshapeToUint8s(), x.Sub(k.ConvertToFloat32())
}

// gasColorOf is one channel of gasColor for four densities.
func gasColorOf(table *[6][8]float32, ch int, at simd.Bytes, share simd.Floats) simd.Ints {
	return truncated(pickFloats(&table[ch][0], at).Add(pickFloats(&table[3+ch][0], at).Mul(share)).Mul(simd.Float(255)))
}

func gasColorVector(d *uint8, t, table *float32, n int) {
	k := simd.As[[6][8]float32](table)
	for i := 0; i < n; i += 16 {
		a, as := gasIndex(simd.LoadFloats(t, i))
		b, bs := gasIndex(simd.LoadFloats(t, i+4))
		c, cs := gasIndex(simd.LoadFloats(t, i+8))
		e, es := gasIndex(simd.LoadFloats(t, i+12))
		for ch := range 3 {
			simd.StoreBytes(d, ch*len(Bytes{})+i, simd.JoinBytes(gasColorOf(k, ch, a, as), gasColorOf(k, ch, b, bs), gasColorOf(k, ch, c, cs), gasColorOf(k, ch, e, es)))
		}
	}
}

// Byte shuffles: the densities of four pixels of a gas buffer, and the bytes of
// both densities interleaved.
var (
	gasFirst  = simd.Order{1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12, -1, -1}
	gasSecond = simd.Order{3, 2, -1, -1, 7, 6, -1, -1, 11, 10, -1, -1, 15, 14, -1, -1}
	gasSwap   = simd.Order{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}
)

// gasQuad adds the densities of four pixels of a block, and returns the
// greatest that it wrote.
func gasQuad(buffer *uint8, surface *uint32, z *float32, i int, density simd.Ints, p *[5]float32, m simd.Mask, top simd.Ints) simd.Ints {
	one, x := simd.Float(1), density.ConvertToFloat32().Div(simd.Float(255))
	s := simd.LoadDwords(surface, i).And(simd.Dword(0xFFFFFF)).BitsToInt32().ConvertToFloat32()
	a := s.Mul(simd.Float(p[0])).Add(s.Mul(simd.Float(p[1]))).Sub(simd.LoadFloats(z, i)).Mul(simd.Float(p[2]))
	a = simd.Positive(a)
	a = simd.Choose(one.Greater(a), a, one)
	y := x.Mul(simd.Float(p[3]).Add(simd.Float(p[4]).Mul(a)))
	old := simd.LoadBytes(buffer, 4*i)
	d1 := toHalf(fromHalf(simd.Shuffle(old, &gasFirst).ReshapeToUint32s().BitsToInt32()).Add(x))
	d2 := toHalf(fromHalf(simd.Shuffle(old, &gasSecond).ReshapeToUint32s().BitsToInt32()).Add(y))
	now := simd.Shuffle(d1.Or(d2.ShiftAllLeft(16)).ToBits().ReshapeToUint8s(), &gasSwap).ReshapeToUint32s()
	simd.StoreBytes(buffer, 4*i, simd.ChooseDwords(m, now, old.ReshapeToUint32s()).ReshapeToUint8s())
	return d1.Masked(m).Masked(simd.Int(halfInfinity).GreaterEqual(d1)).Max(top)
}

func gasBlocksVector(color *uint8, index *int32, masks *uint16, surface *uint8, tiled uint64, z *float32, density *uint8, p *float32, n int) uint32 {
	k, top := simd.As[[5]float32](p), simd.Int(0)
	for i := range n {
		mask := uint32(simd.Get(masks, i))
		if mask == 0 {
			continue
		}
		at := i * raster.BlockPixels
		offset := 4 * int(simd.Get(index, i))
		buffer, from := simd.At(color, offset), 4*at
		if tiled != 0 {
			from = offset
		}
		a, b, c, d := simd.WidenInts(simd.LoadBytes(density, at))
		ma, mb, mc, md := simd.FromBlockLanes(mask)
		s, depth := simd.As[uint32](simd.At(surface, from)), simd.At(z, at)
		top = gasQuad(buffer, s, depth, 0, a, k, ma, top)
		top = gasQuad(buffer, s, depth, 4, b, k, mb, top)
		top = gasQuad(buffer, s, depth, 8, c, k, mc, top)
		top = gasQuad(buffer, s, depth, 12, d, k, md, top)
	}
	return uint32(max(top.GetElem(0), top.GetElem(1), top.GetElem(2), top.GetElem(3)))
}

// faceOf is cubeFace of four directions.
func faceOf(x, y, z simd.Floats) simd.Ints {
	a, b, c := x.Abs(), y.Abs(), z.Abs()
	isX, isY := a.Greater(b).And(a.Greater(c)), b.Greater(c)
	along := simd.Choose(isX, x, simd.Choose(isY, y, z))
	face := simd.ChooseInts(isX, simd.Int(0), simd.ChooseInts(isY, simd.Int(2), simd.Int(4)))
	return face.Add(simd.Int(1)).Add(along.Greater(simd.Float(0)).ToInt32x4())
}

// faceBits has the bit of each face.
var faceBits = [16]uint8{1, 2, 4, 8, 16, 32}

func cubeFaceVector(d *uint8, x, y, z *float32, n int) uint64 {
	seen, bits := simd.Byte(0), simd.LoadBytes(&faceBits[0], 0)
	for i := 0; i < n; i += 16 {
		a := faceOf(simd.LoadFloats(x, i), simd.LoadFloats(y, i), simd.LoadFloats(z, i))
		b := faceOf(simd.LoadFloats(x, i+4), simd.LoadFloats(y, i+4), simd.LoadFloats(z, i+4))
		c := faceOf(simd.LoadFloats(x, i+8), simd.LoadFloats(y, i+8), simd.LoadFloats(z, i+8))
		e := faceOf(simd.LoadFloats(x, i+12), simd.LoadFloats(y, i+12), simd.LoadFloats(z, i+12))
		face := simd.JoinBytes(a, b, c, e)
		simd.StoreBytes(d, i, face)
		seen = seen.Or(simd.Pick(bits, face))
	}
	s := seen.ReshapeToUint64s().GetElem(0) | seen.ReshapeToUint64s().GetElem(1)
	s |= s >> 32
	s |= s >> 16
	return (s | s>>8) & 63
}

func cubeCoordinatesVector(du, dv, a, u, v *float32, su, sv float32, n int) {
	half, ku, kv := simd.Float(0.5), simd.Float(su), simd.Float(sv)
	for i := 0; i < n; i += 4 {
		length := simd.LoadFloats(a, i).Abs()
		simd.StoreFloats(du, i, half.Mul(ku.Mul(simd.LoadFloats(u, i))).Div(length).Add(half))
		simd.StoreFloats(dv, i, half.Mul(kv.Mul(simd.LoadFloats(v, i))).Div(length).Add(half))
	}
}

func chooseVector(d, src, key *uint8, k uint32, n int) {
	wanted := simd.Byte(uint8(k))
	for i := 0; i < n; i += 16 {
		simd.StoreBytes(d, i, simd.ChooseBytes(simd.LoadBytes(key, i).Equal(wanted).ToInt8x16().ToBits(), simd.LoadBytes(src, i), simd.LoadBytes(d, i)))
	}
}

func projectVector(du, dv, u, v, w *float32, n int) {
	for i := 0; i < n; i += 4 {
		by := simd.LoadFloats(w, i)
		simd.StoreFloats(du, i, simd.LoadFloats(u, i).Div(by))
		simd.StoreFloats(dv, i, simd.LoadFloats(v, i).Div(by))
	}
}

// derivatives are the absolute differences of a coordinate, times k, across and
// down in four quads.
func derivatives(p *float32, i int, k simd.Floats) (across, down simd.Floats) {
	a, b, c, _ := simd.Transpose(simd.LoadFloats(p, i).ToBits(), simd.LoadFloats(p, i+4).ToBits(), simd.LoadFloats(p, i+8).ToBits(), simd.LoadFloats(p, i+12).ToBits())
	return b.BitsToFloat32().Sub(a.BitsToFloat32()).Mul(k).Abs(), c.BitsToFloat32().Sub(a.BitsToFloat32()).Mul(k).Abs()
}

// log2Of is log2.
func log2Of(x simd.Floats) simd.Floats {
	b := x.ToBits()
	e := b.ShiftAllRight(23).And(simd.Dword(0xFF)).BitsToInt32().Sub(simd.Int(127)).ConvertToFloat32()
	f := b.And(simd.Dword(0x7FFFFF)).Or(simd.Dword(0x3F800000)).BitsToFloat32().Sub(simd.Float(1))
	p := f.Mul(simd.Float(0.044243741)).Add(simd.Float(-0.19126251))
	p = f.Mul(p).Add(simd.Float(0.41355505))
	p = f.Mul(p).Add(simd.Float(-0.70837215))
	p = f.Mul(p).Add(simd.Float(1.4418359))
	return e.Add(f.Mul(p))
}

// lodOf is the level of detail, unclamped, of four quads from lane i on.
func lodOf(u, v *float32, i int, p *lodParams) simd.Floats {
	ux, uy := derivatives(u, i, simd.Float(p.width[0]))
	vx, vy := derivatives(v, i, simd.Float(p.height[0]))
	across, down := simd.Choose(ux.Greater(vx), ux, vx), simd.Choose(uy.Greater(vy), uy, vy)
	return log2Of(simd.Choose(across.Greater(down), across, down)).Add(simd.Float(p.bias[0]))
}

// within clamps to low..high; there must be no NaN.
func within(x, low, high simd.Floats) simd.Floats {
	x = simd.Choose(x.Greater(low), x, low)
	return simd.Choose(high.Greater(x), x, high)
}

// putBytes stores the low bytes of four integers at p[i] and returns them.
func putBytes(p *uint8, i int, x simd.Ints) uint32 {
	b := simd.Shuffle(x.ToBits().ReshapeToUint8s(), &simd.Planes).ReshapeToUint32s().GetElem(0)
	simd.PutAs(p, i, b)
	return b
}

func levelsLinearVector(u, v, params *float32, level, next, share, small *uint8, n int) uint64 {
	p := simd.As[lodParams](params)
	low, high, two := simd.Float(p.minLevel[0]), simd.Float(p.maxLevel[0]), uint32(0)
	for i := 0; i < n; i += 16 {
		lod := lodOf(u, v, i, p)
		putBytes(small, i/4, simd.Int(1).Masked(lod.Greater(simd.Float(0))))
		lod = within(lod, low, high)
		whole := lod.Floor()
		putBytes(level, i/4, whole.ConvertToInt32())
		above := whole.Add(simd.Float(1))
		putBytes(next, i/4, simd.Choose(high.Greater(above), above, high).ConvertToInt32())
		two |= putBytes(share, i/4, lod.Sub(whole).Mul(simd.Float(256)).ConvertToInt32())
	}
	return uint64(two)
}

func levelsNearestVector(u, v, params *float32, level, _, _, small *uint8, n int) uint64 {
	p := simd.As[lodParams](params)
	low, high := simd.Float(p.minLevel[0]), simd.Float(p.maxLevel[0])
	for i := 0; i < n; i += 16 {
		lod := lodOf(u, v, i, p)
		putBytes(small, i/4, simd.Int(1).Masked(lod.Greater(simd.Float(0))))
		whole := simd.Float(0).Sub(simd.Float(0.5).Sub(within(lod, low, high)).Floor())
		putBytes(level, i/4, within(whole, low, high).ConvertToInt32())
	}
	return 0
}

func masksEqualVector(a *uint8, ref uint64, masks *uint16, n int) {
	x := simd.Byte(uint8(ref))
	for i := 0; i < n; i += 16 {
		simd.Put(masks, i/16, simd.ByteLanes(simd.LoadBytes(a, i).Equal(x).ToInt8x16().ToBits()))
	}
}

func masksAtLeastVector(a *uint8, ref uint64, masks *uint16, n int) {
	x := simd.Byte(uint8(ref))
	for i := 0; i < n; i += 16 {
		simd.Put(masks, i/16, simd.ByteLanes(simd.LoadBytes(a, i).GreaterEqual(x).ToInt8x16().ToBits()))
	}
}

func masksAtMostVector(a *uint8, ref uint64, masks *uint16, n int) {
	x := simd.Byte(uint8(ref))
	for i := 0; i < n; i += 16 {
		simd.Put(masks, i/16, simd.ByteLanes(x.GreaterEqual(simd.LoadBytes(a, i)).ToInt8x16().ToBits()))
	}
}

func partVector(alpha *uint8, write, apart *uint16, opaque, transparent uint64) (blended uint16) {
	for i := range raster.BatchBlocks {
		a, w := simd.LoadBytes(alpha, i*raster.BlockPixels), simd.Get(write, i)
		pixels := func(ref uint8, asked uint64) uint16 {
			return simd.ByteLanes(a.Equal(simd.Byte(ref)).ToInt8x16().ToBits()) & uint16(asked)
		}
		replaced, left := none(w&^pixels(255, opaque)), none(w&^pixels(0, transparent))
		mixed := (1 - replaced) & (1 - left)
		simd.Put(write, i, w&-replaced) // nothing branches, since it is as good as random
		simd.Put(apart, i, w&-mixed)
		blended |= mixed << i
	}
	return blended
}

// none is 1 of 0 and 0 of everything else.
func none(x uint16) uint16 { return uint16((uint32(x) - 1) >> 31) }

func blendMinVector(d, s, sf, t, tf *uint8, sx, tx uint64, n int) {
	x, y := simd.Byte(uint8(sx)), simd.Byte(uint8(tx))
	for i := 0; i < n; i += 16 {
		al, ah, bl, bh := blendProducts(s, sf, t, tf, i, x, y)
		simd.StoreBytes(d, i, simd.Narrow(divide255(al.Min(bl), blendRounding), divide255(ah.Min(bh), blendRounding)))
	}
}

func blendMaxVector(d, s, sf, t, tf *uint8, sx, tx uint64, n int) {
	x, y := simd.Byte(uint8(sx)), simd.Byte(uint8(tx))
	for i := 0; i < n; i += 16 {
		al, ah, bl, bh := blendProducts(s, sf, t, tf, i, x, y)
		simd.StoreBytes(d, i, simd.Narrow(divide255(al.Max(bl), blendRounding), divide255(ah.Max(bh), blendRounding)))
	}
}

func logicVector(d, s, t *uint8, both, source, dest, always uint64, n int) {
	kb, ks, kd, ka := simd.Byte(uint8(both)), simd.Byte(uint8(source)), simd.Byte(uint8(dest)), simd.Byte(uint8(always))
	for i := 0; i < n; i += 16 {
		a, b := simd.LoadBytes(s, i), simd.LoadBytes(t, i)
		simd.StoreBytes(d, i, a.And(b).And(kb).Xor(a.And(ks)).Xor(b.And(kd)).Xor(ka))
	}
}

func stencilTestVector(old *uint8, ref, read uint64) uint64 {
	mask := simd.Byte(uint8(read))
	x, y := simd.LoadBytes(old, 0).And(mask), simd.Byte(uint8(ref)).And(mask)
	less, equal := simd.ByteLanes(x.Greater(y).ToInt8x16().ToBits()), simd.ByteLanes(x.Equal(y).ToInt8x16().ToBits())
	return uint64(less) | uint64(equal)<<16
}

func stencilUpdateVector(old, now, steps *uint8, write uint64) {
	p, written, o := simd.As[[5]uint8](steps), simd.Byte(uint8(write)), simd.LoadBytes(old, 0)
	x := o.And(simd.Byte(p[0])).AddSaturated(simd.Byte(p[1])).SubSaturated(simd.Byte(p[2])).Add(simd.Byte(p[3])).Xor(simd.Byte(p[4]))
	simd.StoreBytes(now, 0, x.And(written).Or(o.AndNot(written)))
}
