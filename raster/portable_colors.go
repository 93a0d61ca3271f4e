//go:build goexperiment.simd && (arm64 || wasm)

package raster

import (
	"pica200/internal/simd"
)

func loadRGBA8Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		if simd.Get(masks, b) == 0 {
			continue
		}
		v, i := loadWhole(simd.At(buffer, 4*int(simd.Get(index, b)))), BlockPixels*b
		putPixels(v.a, red, green, blue, alpha, i)
		putPixels(v.b, red, green, blue, alpha, i+4)
		putPixels(v.c, red, green, blue, alpha, i+8)
		putPixels(v.d, red, green, blue, alpha, i+12)
	}
}

// putPixels splits four pixels into planes, getPixels is the inverse.
func putPixels(v simd.Ints, red, green, blue, alpha *uint8, i int) {
	x := simd.Shuffle(v.ToBits().ReshapeToUint8s(), &simd.Planes).ReshapeToUint32s()
	simd.PutAs(alpha, i, x.GetElem(0))
	simd.PutAs(blue, i, x.GetElem(1))
	simd.PutAs(green, i, x.GetElem(2))
	simd.PutAs(red, i, x.GetElem(3))
}

func getPixels(red, green, blue, alpha *uint8, i int) simd.Ints {
	x := simd.Dword(simd.GetAs[uint32](alpha, i)).SetElem(1, simd.GetAs[uint32](blue, i)).
		SetElem(2, simd.GetAs[uint32](green, i)).SetElem(3, simd.GetAs[uint32](red, i))
	// Planes is its own inverse: it transposes 4x4 bytes.
	return simd.Shuffle(x.ReshapeToUint8s(), &simd.Planes).ReshapeToUint32s().BitsToInt32()
}

func storeRGBA8Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		mask := uint32(simd.Get(masks, b))
		if mask == 0 {
			continue
		}
		p, i := simd.At(buffer, 4*int(simd.Get(index, b))), BlockPixels*b
		v := ints{getPixels(red, green, blue, alpha, i), getPixels(red, green, blue, alpha, i+4),
			getPixels(red, green, blue, alpha, i+8), getPixels(red, green, blue, alpha, i+12)}
		if mask != 1<<BlockPixels-1 {
			v = v.ifElse(mask, loadWhole(p))
		}
		v.store(p)
	}
}

func loadRGB8Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	one := simd.Int(255)
	for b := range n {
		if simd.Get(masks, b) == 0 {
			continue
		}
		v, i := loadD24(simd.At(buffer, 3*int(simd.Get(index, b)))).raised(), BlockPixels*b
		putPixels(v.a.Or(one), red, green, blue, alpha, i)
		putPixels(v.b.Or(one), red, green, blue, alpha, i+4)
		putPixels(v.c.Or(one), red, green, blue, alpha, i+8)
		putPixels(v.d.Or(one), red, green, blue, alpha, i+12)
	}
}

func storeRGB8Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		mask := uint32(simd.Get(masks, b))
		if mask == 0 {
			continue
		}
		p, i := simd.At(buffer, 3*int(simd.Get(index, b))), BlockPixels*b
		v := ints{getPixels(red, green, blue, alpha, i), getPixels(red, green, blue, alpha, i+4),
			getPixels(red, green, blue, alpha, i+8), getPixels(red, green, blue, alpha, i+12)}
		if mask != 1<<BlockPixels-1 {
			v = v.ifElse(mask, loadD24(p).raised())
		}
		v.storeHigh24(p)
	}
}

// load16 reads a block of pixels of 16 bits.
func load16(p *byte) (lo, hi simd.Words) { return simd.LoadWords(p, 0), simd.LoadWords(p, 16) }

// widen4, widen5 and widen6 extract a channel of that many bits, from bit shift
// on, and widen it to eight bits.
func widen4(x simd.Words, shift uint64) simd.Words {
	x = x.ShiftAllRight(shift).And(simd.Word(15))
	return x.ShiftAllLeft(4).Or(x)
}

func widen5(x simd.Words, shift uint64) simd.Words {
	x = x.ShiftAllRight(shift).And(simd.Word(31))
	return x.ShiftAllLeft(3).Or(x.ShiftAllRight(2))
}

func widen6(x simd.Words, shift uint64) simd.Words {
	x = x.ShiftAllRight(shift).And(simd.Word(63))
	return x.ShiftAllLeft(2).Or(x.ShiftAllRight(4))
}

func loadRGB5A1Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		if simd.Get(masks, b) == 0 {
			continue
		}
		lo, hi := load16(simd.At(buffer, 2*int(simd.Get(index, b))))
		simd.StoreBytes(red, BlockPixels*b, simd.Narrow(widen5(lo, 11), widen5(hi, 11)))
		simd.StoreBytes(green, BlockPixels*b, simd.Narrow(widen5(lo, 6), widen5(hi, 6)))
		simd.StoreBytes(blue, BlockPixels*b, simd.Narrow(widen5(lo, 1), widen5(hi, 1)))
		one, null := simd.Word(1), simd.Byte(0)
		simd.StoreBytes(alpha, BlockPixels*b, null.Sub(simd.Narrow(lo.And(one), hi.And(one))))
	}
}

func loadRGB565Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		if simd.Get(masks, b) == 0 {
			continue
		}
		lo, hi := load16(simd.At(buffer, 2*int(simd.Get(index, b))))
		simd.StoreBytes(red, BlockPixels*b, simd.Narrow(widen5(lo, 11), widen5(hi, 11)))
		simd.StoreBytes(green, BlockPixels*b, simd.Narrow(widen6(lo, 5), widen6(hi, 5)))
		simd.StoreBytes(blue, BlockPixels*b, simd.Narrow(widen5(lo, 0), widen5(hi, 0)))
		simd.StoreBytes(alpha, BlockPixels*b, simd.Byte(255))
	}
}

func loadRGBA4Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		if simd.Get(masks, b) == 0 {
			continue
		}
		lo, hi := load16(simd.At(buffer, 2*int(simd.Get(index, b))))
		simd.StoreBytes(red, BlockPixels*b, simd.Narrow(widen4(lo, 12), widen4(hi, 12)))
		simd.StoreBytes(green, BlockPixels*b, simd.Narrow(widen4(lo, 8), widen4(hi, 8)))
		simd.StoreBytes(blue, BlockPixels*b, simd.Narrow(widen4(lo, 4), widen4(hi, 4)))
		simd.StoreBytes(alpha, BlockPixels*b, simd.Narrow(widen4(lo, 0), widen4(hi, 0)))
	}
}

// store16 writes the pixels of mask to a block of pixels of 16 bits.
func store16(p *byte, mask uint16, lo, hi simd.Words) {
	m, first, last := simd.Word(mask), simd.LoadWords(&wordBits[0], 0), simd.LoadWords(&wordBits[0], 16)
	simd.StoreWords(p, 0, simd.ChooseWords(m.And(first).Equal(first).ToInt16x8().ToBits(), lo, simd.LoadWords(p, 0)))
	simd.StoreWords(p, 16, simd.ChooseWords(m.And(last).Equal(last).ToInt16x8().ToBits(), hi, simd.LoadWords(p, 16)))
}

// upper returns the upper bits of channels, selected by top, moved to bit at.
func upper(x simd.Words, top uint16, at uint64) simd.Words {
	return x.And(simd.Word(top)).ShiftAllLeft(8).ShiftAllRight(16 - at)
}

// channel says where a channel is in a 16-bit pixel: which of its upper bits
// are stored, and the position of the first of them, from 1.
type channel struct {
	top uint16
	at  uint64
}

// store16s stores 16-bit pixels. A channel that the format lacks has no bits.
func store16s(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int, r, g, b, a channel) {
	for k := range n {
		mask, i := simd.Get(masks, k), BlockPixels*k
		if mask == 0 {
			continue
		}
		rl, rh := simd.Widen(simd.LoadBytes(red, i))
		gl, gh := simd.Widen(simd.LoadBytes(green, i))
		bl, bh := simd.Widen(simd.LoadBytes(blue, i))
		al, ah := simd.Widen(simd.LoadBytes(alpha, i))
		store16(simd.At(buffer, 2*int(simd.Get(index, k))), mask,
			upper(rl, r.top, r.at).Or(upper(gl, g.top, g.at)).Or(upper(bl, b.top, b.at)).Or(upper(al, a.top, a.at)),
			upper(rh, r.top, r.at).Or(upper(gh, g.top, g.at)).Or(upper(bh, b.top, b.at)).Or(upper(ah, a.top, a.at)))
	}
}

func storeRGB5A1Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	store16s(buffer, index, masks, red, green, blue, alpha, n, channel{0xF8, 16}, channel{0xF8, 11}, channel{0xF8, 6}, channel{0x80, 1})
}

func storeRGB565Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	store16s(buffer, index, masks, red, green, blue, alpha, n, channel{0xF8, 16}, channel{0xFC, 11}, channel{0xF8, 5}, channel{0, 1})
}

func storeRGBA4Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	store16s(buffer, index, masks, red, green, blue, alpha, n, channel{0xF0, 16}, channel{0xF0, 12}, channel{0xF0, 8}, channel{0xF0, 4})
}
