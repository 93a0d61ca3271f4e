//go:build goexperiment.simd && (arm64 || wasm)

package geometry

import (
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/shaderunit"
)

// The portable forms of the loops over vertices, four at a time on vectors of 128 bits. The
// arguments are those of the AVX2 forms.

const (
	absMask      = 1<<31 - 1
	leastNormal  = (127 - 62) << 23 // of float24
	leastTooHigh = (127 + 64) << 23
)

// below reports whether none of the ids is above top.
func below(ids *uint32, n int, top uint32) bool {
	most := simd.Dword(top)
	for i := 0; i < n; i += 4 {
		most = most.Max(simd.LoadDwords(ids, i))
	}
	return !simd.Any(most.Greater(simd.Dword(top)))
}

// vertex returns the address of a vertex in an array that starts with vertex
// first.
func vertex(data *byte, stride, first uint32, ids *uint32, i int) *byte {
	return simd.At(data, int((simd.Get(ids, i)-first)*stride))
}

// put writes component c of four vertices. parts has the values of missing
// components.
func put(rows *float32, c, i int, x simd.Dwords, parts *uint32) {
	simd.StoreFloats(rows, shaderunit.Lanes*c+i, x.Or(simd.LoadDwords(parts, eight*(4+c))).BitsToFloat32())
}

// toFloat24 converts normal float24 numbers and 0. The mask has the lanes that
// are neither.
func toFloat24(x simd.Dwords) (simd.Dwords, simd.Mask) {
	abs := x.And(simd.Dword(absMask)).BitsToInt32()
	low := simd.Int(leastNormal).Greater(abs)
	bad := abs.GreaterEqual(simd.Int(leastTooHigh)).Or(abs.Greater(simd.Int(0)).And(low))
	return x.And(simd.Dword(1<<32 - 1<<7)).AndNot(low.ToInt32x4().ToBits()), bad
}

func fetchFloatVector(rows *float32, data *byte, stride, first, top uint32, ids *uint32, n int, parts *uint32) uint32 {
	if !below(ids, n, top) {
		return 1
	}
	bad := simd.Int(0)
	for i := 0; i < n; i += 4 {
		x, y, z, w := simd.Transpose(
			simd.LoadIntBytes(vertex(data, stride, first, ids, i), 0).ToBits(), simd.LoadIntBytes(vertex(data, stride, first, ids, i+1), 0).ToBits(),
			simd.LoadIntBytes(vertex(data, stride, first, ids, i+2), 0).ToBits(), simd.LoadIntBytes(vertex(data, stride, first, ids, i+3), 0).ToBits())
		x, mx := toFloat24(x.And(simd.LoadDwords(parts, 0)))
		y, my := toFloat24(y.And(simd.LoadDwords(parts, eight)))
		z, mz := toFloat24(z.And(simd.LoadDwords(parts, 2*eight)))
		w, mw := toFloat24(w.And(simd.LoadDwords(parts, 3*eight)))
		bad = bad.Or(mx.Or(my).Or(mz.Or(mw)).ToInt32x4())
		put(rows, 0, i, x, parts)
		put(rows, 1, i, y, parts)
		put(rows, 2, i, z, parts)
		put(rows, 3, i, w, parts)
	}
	if simd.AnyBit(bad) {
		return 1
	}
	return 0
}

// words loads the word at byte from of four vertices.
func words(data *byte, stride, first uint32, ids *uint32, i, from int) simd.Dwords {
	return simd.Dword(simd.GetAs[uint32](vertex(data, stride, first, ids, i), from)).
		SetElem(1, simd.GetAs[uint32](vertex(data, stride, first, ids, i+1), from)).
		SetElem(2, simd.GetAs[uint32](vertex(data, stride, first, ids, i+2), from)).
		SetElem(3, simd.GetAs[uint32](vertex(data, stride, first, ids, i+3), from))
}

// putInts is put of integers.
func putInts(rows *float32, c, i int, x simd.Ints, parts *uint32) {
	put(rows, c, i, x.And(simd.LoadDwords(parts, eight*c).BitsToInt32()).ConvertToFloat32().ToBits(), parts)
}

func fetchShortVector(rows *float32, data *byte, stride, first, top uint32, ids *uint32, n int, parts *uint32) uint32 {
	if !below(ids, n, top) {
		return 1
	}
	for i := 0; i < n; i += 4 {
		xy, zw := words(data, stride, first, ids, i, 0).BitsToInt32(), words(data, stride, first, ids, i, 4).BitsToInt32()
		putInts(rows, 0, i, xy.ShiftAllLeft(16).ShiftAllRight(16), parts)
		putInts(rows, 1, i, xy.ShiftAllRight(16), parts)
		putInts(rows, 2, i, zw.ShiftAllLeft(16).ShiftAllRight(16), parts)
		putInts(rows, 3, i, zw.ShiftAllRight(16), parts)
	}
	return 0
}

func fetchByteVector(rows *float32, data *byte, stride, first, top uint32, ids *uint32, n int, parts *uint32) uint32 {
	if !below(ids, n, top) {
		return 1
	}
	for i := 0; i < n; i += 4 {
		v := words(data, stride, first, ids, i, 0).BitsToInt32()
		putInts(rows, 0, i, v.ShiftAllLeft(24).ShiftAllRight(24), parts)
		putInts(rows, 1, i, v.ShiftAllLeft(16).ShiftAllRight(24), parts)
		putInts(rows, 2, i, v.ShiftAllLeft(8).ShiftAllRight(24), parts)
		putInts(rows, 3, i, v.ShiftAllRight(24), parts)
	}
	return 0
}

func fetchUByteVector(rows *float32, data *byte, stride, first, top uint32, ids *uint32, n int, parts *uint32) uint32 {
	if !below(ids, n, top) {
		return 1
	}
	for i := 0; i < n; i += 4 {
		v, low := words(data, stride, first, ids, i, 0), simd.Dword(255)
		putInts(rows, 0, i, v.And(low).BitsToInt32(), parts)
		putInts(rows, 1, i, v.ShiftAllRight(8).And(low).BitsToInt32(), parts)
		putInts(rows, 2, i, v.ShiftAllRight(16).And(low).BitsToInt32(), parts)
		putInts(rows, 3, i, v.ShiftAllRight(24).BitsToInt32(), parts)
	}
	return 0
}

func storeRowsVector(dst *float32, stride int, x, y, z, w *float32, n int) {
	to := (*byte)(unsafe.Pointer(dst))
	for i := 0; i < n; i += 4 {
		a, b, c, d := simd.Transpose(simd.LoadFloats(x, i).ToBits(), simd.LoadFloats(y, i).ToBits(), simd.LoadFloats(z, i).ToBits(), simd.LoadFloats(w, i).ToBits())
		simd.StoreIntBytes(to, stride*i, a.BitsToInt32())
		simd.StoreIntBytes(to, stride*(i+1), b.BitsToInt32())
		simd.StoreIntBytes(to, stride*(i+2), c.BitsToInt32())
		simd.StoreIntBytes(to, stride*(i+3), d.BitsToInt32())
	}
}

func saturateVector(dst, src *float32) {
	one := simd.Float(1)
	for i := 0; i < shaderunit.Lanes; i += 4 {
		x := simd.LoadFloats(src, i).ToBits().And(simd.Dword(absMask)).BitsToFloat32()
		simd.StoreFloats(dst, i, simd.Choose(one.Greater(x), x, one))
	}
}

// where returns bit b in the lanes of m.
func where(m simd.Mask, b uint32) simd.Ints { return simd.Int(int32(b)).Masked(m) }

// outcodes is userPlane.outcode of four positions.
func outcodes(x, y, z, w simd.Floats, p *placing) simd.Ints {
	zero := simd.Float(0)
	code := where(zero.Greater(w.Sub(x)), outRight).Or(where(zero.Greater(w.Add(x)), outLeft)).
		Or(where(zero.Greater(w.Sub(y)), outTop)).Or(where(zero.Greater(w.Add(y)), outBottom)).
		Or(where(z.Greater(simd.Float(depthTolerance)), outFar)).Or(where(simd.Float(-depthTolerance).Greater(z.Add(w)), outNear)).
		Or(where(simd.Float(minW).Greater(w), outEye))
	if p.userOn != 0 {
		u := &p.user
		d := x.Mul(simd.Float(u[0])).Add(y.Mul(simd.Float(u[1]))).Add(z.Mul(simd.Float(u[2]))).Add(w.Mul(simd.Float(u[3])))
		code = code.Or(where(d.GreaterEqual(zero), outUser).Xor(simd.Int(int32(outUser))))
	}
	invalid := simd.Differ(x.Sub(x).Add(y.Sub(y)).Add(z.Sub(z)).Add(w.Sub(w)), zero)
	return simd.ChooseInts(invalid, simd.Int(int32(outInvalid)), code)
}

// toSubpixels is toSubpixel of four coordinates.
func toSubpixels(x, inv, half, from simd.Floats) simd.Ints {
	const limit = guardPixels * subpixels
	x = x.Mul(inv).Add(simd.Float(1)).Mul(half).Add(from).Mul(simd.Float(subpixels))
	low, high := simd.Float(-limit), simd.Float(limit)
	x = simd.Choose(x.Greater(low), x, low)
	x = simd.Choose(x.Greater(high), high, x)
	return x.Add(simd.Float(0.5)).Floor().ConvertToInt32()
}

func locateVector(x, y, z, w, numbers *float32, offsets, positions *int32, n int) {
	v := (*placing)(unsafe.Pointer(numbers))
	for i := 0; i < n; i += 4 {
		px, py, pz, pw := simd.LoadFloats(x, i), simd.LoadFloats(y, i), simd.LoadFloats(z, i), simd.LoadFloats(w, i)
		code := outcodes(px, py, pz, pw, v).ToBits()
		inv, zero, low := simd.Float(1).Div(pw), simd.Float(0), simd.Float(-1)
		sx := toSubpixels(px, inv, simd.Float(v.halfW), simd.Float(v.x)).ToBits()
		sy := toSubpixels(py, inv, simd.Float(v.halfH), simd.Float(v.y)).ToBits()
		depth := pz.Mul(inv)
		depth = simd.Choose(depth.Greater(zero), zero, depth)
		depth = simd.Choose(low.Greater(depth), low, depth)
		a, b, c, d := simd.Transpose(sx, sy, depth.ToBits(), inv.ToBits())
		const size = int(unsafe.Sizeof(pica.ScreenPosition{})) / 4
		simd.StoreInts(offsets, size*i, a.BitsToInt32())
		simd.StoreInts(offsets, size*(i+1), b.BitsToInt32())
		simd.StoreInts(offsets, size*(i+2), c.BitsToInt32())
		simd.StoreInts(offsets, size*(i+3), d.BitsToInt32())
		to := (*[4]position)(unsafe.Pointer(simd.At(positions, int(unsafe.Sizeof(position{}))/4*i)))
		to[0] = position{int32(a.GetElem(0)), int32(a.GetElem(1)), code.GetElem(0)}
		to[1] = position{int32(b.GetElem(0)), int32(b.GetElem(1)), code.GetElem(1)}
		to[2] = position{int32(c.GetElem(0)), int32(c.GetElem(1)), code.GetElem(2)}
		to[3] = position{int32(d.GetElem(0)), int32(d.GetElem(1)), code.GetElem(3)}
	}
}
