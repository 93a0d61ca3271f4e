//go:build goexperiment.simd && (arm64 || wasm)

package pixels

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// The portable forms of the kernels, on vectors of 128 bits. The arguments are those of the
// AVX2 forms.

var (
	inOrder  = simd.Order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	reversed = simd.Order{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12}
	// Four pixels of three bytes, from the first byte or the fifth one on, as words with
	// alpha 0, and back: the first twelve bytes, the last four and the eight before them.
	fromRGB8 = [2]simd.Order{{2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1}, {6, 5, 4, -1, 9, 8, 7, -1, 12, 11, 10, -1, 15, 14, 13, -1}}
	toRGB8   = simd.Order{2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1}
	toRGB8s  = [2]simd.Order{{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 1, 0, 6}, {5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1, -1, -1, -1, -1}}
)

func loadWords(p *uint32, i int) simd.Bytes     { return simd.LoadDwords(p, i).ReshapeToUint8s() }
func storeWords(p *uint32, i int, x simd.Bytes) { simd.StoreDwords(p, i, x.ReshapeToUint32s()) }

func decodeRGBA8Vector(dst *uint32, src *byte, n int) {
	for i := 0; i < n; i += 4 {
		storeWords(dst, i, simd.Shuffle(simd.LoadBytes(src, 4*i), &reversed))
	}
}

func decodeRGB8Vector(dst *uint32, src *byte, n int) {
	alpha := simd.Dword(0xFF000000)
	for i := 0; i < n; i += step {
		a, b := simd.LoadBytes(src, 3*i), simd.LoadBytes(src, 3*i+8) // the second one reads no byte too many
		simd.StoreDwords(dst, i, simd.Shuffle(a, &fromRGB8[0]).ReshapeToUint32s().Or(alpha))
		simd.StoreDwords(dst, i+4, simd.Shuffle(b, &fromRGB8[1]).ReshapeToUint32s().Or(alpha))
	}
}

// pixels16 are eight pixels of 16 bits.
func pixels16(src *byte, i int) (lo, hi simd.Dwords) {
	a, b := simd.WidenWords(simd.LoadBytes(src, 2*i).ReshapeToUint16s())
	return a.ToBits(), b.ToBits()
}

// The conversions of four pixels of 16 bits: see pica/pixel.go.

func fromRGB5A1(v simd.Dwords) simd.Dwords {
	rgb := v.ShiftAllRight(11).And(simd.Dword(0x1F)).Or(v.ShiftAllLeft(2).And(simd.Dword(0x1F00))).Or(v.ShiftAllLeft(15).And(simd.Dword(0x1F0000)))
	alpha := simd.Dword(0).Sub(v.And(simd.Dword(1))).ShiftAllLeft(24)
	return rgb.ShiftAllLeft(3).Or(rgb.ShiftAllRight(2).And(simd.Dword(0x070707))).Or(alpha)
}

func fromRGB565(v simd.Dwords) simd.Dwords {
	rb, g := v.ShiftAllRight(11).And(simd.Dword(0x1F)).Or(v.ShiftAllLeft(16).And(simd.Dword(0x1F0000))), v.ShiftAllLeft(3).And(simd.Dword(0x3F00))
	rb = rb.ShiftAllLeft(3).Or(rb.ShiftAllRight(2).And(simd.Dword(0x070007)))
	return g.ShiftAllLeft(2).Or(g.ShiftAllRight(4).And(simd.Dword(0x0300))).Or(rb).Or(simd.Dword(0xFF000000))
}

func fromRGBA4(v simd.Dwords) simd.Dwords {
	v = v.ShiftAllRight(12).And(simd.Dword(15)).Or(v.And(simd.Dword(0xF00))).
		Or(v.ShiftAllLeft(12).And(simd.Dword(0xF0000))).Or(v.ShiftAllLeft(24).And(simd.Dword(0xF000000)))
	return v.Or(v.ShiftAllLeft(4))
}

func decodeRGB5A1Vector(dst *uint32, src *byte, n int) {
	for i := 0; i < n; i += step {
		lo, hi := pixels16(src, i)
		simd.StoreDwords(dst, i, fromRGB5A1(lo))
		simd.StoreDwords(dst, i+4, fromRGB5A1(hi))
	}
}

func decodeRGB565Vector(dst *uint32, src *byte, n int) {
	for i := 0; i < n; i += step {
		lo, hi := pixels16(src, i)
		simd.StoreDwords(dst, i, fromRGB565(lo))
		simd.StoreDwords(dst, i+4, fromRGB565(hi))
	}
}

func decodeRGBA4Vector(dst *uint32, src *byte, n int) {
	for i := 0; i < n; i += step {
		lo, hi := pixels16(src, i)
		simd.StoreDwords(dst, i, fromRGBA4(lo))
		simd.StoreDwords(dst, i+4, fromRGBA4(hi))
	}
}

func encodeRGBA8Vector(dst *byte, src *uint32, n int) {
	for i := 0; i < n; i += 4 {
		simd.StoreBytes(dst, 4*i, simd.Shuffle(loadWords(src, i), &reversed))
	}
}

func encodeRGB8Vector(dst *byte, src *uint32, n int) {
	for i := 0; i < n; i += step {
		a, b := loadWords(src, i), loadWords(src, i+4)
		simd.StoreBytes(dst, 3*i, simd.Shuffle(a, &toRGB8).Or(simd.Shuffle(b, &toRGB8s[0])))
		simd.PutAs(dst, 3*i+16, simd.Shuffle(b, &toRGB8s[1]).ReshapeToUint64s().GetElem(0))
	}
}

// store16 writes eight pixels of 16 bits, the low halves of words.
func store16(dst *byte, i int, lo, hi simd.Dwords) {
	simd.StoreBytes(dst, 2*i, simd.NarrowInts(lo.BitsToInt32(), hi.BitsToInt32()).ReshapeToUint8s())
}

func toRGB5A1(c simd.Dwords) simd.Dwords {
	return c.ShiftAllLeft(8).And(simd.Dword(0xF800)).Or(c.ShiftAllRight(5).And(simd.Dword(0x7C0))).
		Or(c.ShiftAllRight(18).And(simd.Dword(0x3E))).Or(c.ShiftAllRight(31))
}

func toRGB565(c simd.Dwords) simd.Dwords {
	return c.ShiftAllLeft(8).And(simd.Dword(0xF800)).Or(c.ShiftAllRight(5).And(simd.Dword(0x7E0))).Or(c.ShiftAllRight(19).And(simd.Dword(0x1F)))
}

func toRGBA4(c simd.Dwords) simd.Dwords {
	return c.ShiftAllLeft(8).And(simd.Dword(0xF000)).Or(c.ShiftAllRight(4).And(simd.Dword(0xF00))).
		Or(c.ShiftAllRight(16).And(simd.Dword(0xF0))).Or(c.ShiftAllRight(28))
}

func encodeRGB5A1Vector(dst *byte, src *uint32, n int) {
	for i := 0; i < n; i += step {
		store16(dst, i, toRGB5A1(simd.LoadDwords(src, i)), toRGB5A1(simd.LoadDwords(src, i+4)))
	}
}

func encodeRGB565Vector(dst *byte, src *uint32, n int) {
	for i := 0; i < n; i += step {
		store16(dst, i, toRGB565(simd.LoadDwords(src, i)), toRGB565(simd.LoadDwords(src, i+4)))
	}
}

func encodeRGBA4Vector(dst *byte, src *uint32, n int) {
	for i := 0; i < n; i += step {
		store16(dst, i, toRGBA4(simd.LoadDwords(src, i)), toRGBA4(simd.LoadDwords(src, i+4)))
	}
}

// halfRows is how much of two rows half a tile fills, in words, and eighth how many words of
// a tile are the left half of two rows.
const halfRows, eighth = pica.TileSize / 2, pica.TilePixels / 8

// untile puts tiles of words into rows that lie step words apart, the bytes of each word in
// an order.
func untile(dst *uint32, step int, src *uint32, tiles int, order *simd.Order) {
	for t := range tiles {
		for pair := range 4 { // of rows
			to, from := 2*pair*step+t*pica.TileSize, t*pica.TilePixels+pair&1*eighth+pair>>1*4*eighth
			untileHalf(dst, to, step, simd.LoadDwords(src, from), simd.LoadDwords(src, from+4), order)
			untileHalf(dst, to+halfRows, step, simd.LoadDwords(src, from+2*eighth), simd.LoadDwords(src, from+2*eighth+4), order)
		}
	}
}

// untileHalf does eight words of it, a and b, which are half of two rows.
func untileHalf(dst *uint32, to, step int, a, b simd.Dwords, order *simd.Order) {
	upper, lower := simd.Halves(a, b)
	storeWords(dst, to, simd.Shuffle(upper.ReshapeToUint8s(), order))
	storeWords(dst, to+step, simd.Shuffle(lower.ReshapeToUint8s(), order))
}

// tile is the inverse of untile.
func tile(dst *uint32, src *uint32, step int, tiles int, order *simd.Order) {
	for t := range tiles {
		for pair := range 4 {
			from, to := 2*pair*step+t*pica.TileSize, t*pica.TilePixels+pair&1*eighth+pair>>1*4*eighth
			tileHalf(dst, to, simd.LoadDwords(src, from), simd.LoadDwords(src, from+step), order)
			tileHalf(dst, to+2*eighth, simd.LoadDwords(src, from+halfRows), simd.LoadDwords(src, from+halfRows+step), order)
		}
	}
}

func tileHalf(dst *uint32, to int, upper, lower simd.Dwords, order *simd.Order) {
	a, b := simd.Halves(upper, lower)
	storeWords(dst, to, simd.Shuffle(a.ReshapeToUint8s(), order))
	storeWords(dst, to+4, simd.Shuffle(b.ReshapeToUint8s(), order))
}

func untileVector(dst *uint32, step int, src *uint32, tiles int) {
	untile(dst, step/4, src, tiles, &inOrder)
}

func tileVector(dst *uint32, src *uint32, step int, tiles int) {
	tile(dst, src, step/4, tiles, &inOrder)
}

func untileRGBA8Vector(dst *uint32, step int, src *byte, tiles int) {
	untile(dst, step/4, simd.As[uint32](src), tiles, &reversed)
}

func tileRGBA8Vector(dst *byte, src *uint32, step int, tiles int) {
	tile(simd.As[uint32](dst), src, step/4, tiles, &reversed)
}

// neighbours are the even and the odd ones of eight words.
func neighbours(row *uint32, i int) (even, odd simd.Bytes) {
	a, b := simd.EvenOdd(simd.LoadDwords(row, i), simd.LoadDwords(row, i+4))
	return a.ReshapeToUint8s(), b.ReshapeToUint8s()
}

func mean2Vector(dst, row *uint32, n int) {
	for i := 0; i < n; i += 4 {
		a, b := neighbours(row, 2*i)
		storeWords(dst, i, a.And(b).Add(a.Xor(b).ShiftAllRight(1)))
	}
}

func mean4Vector(dst, upper, lower *uint32, n int) {
	for i := 0; i < n; i += 4 {
		a, b := neighbours(upper, 2*i)
		c, d := neighbours(lower, 2*i)
		al, ah := simd.Widen(a)
		bl, bh := simd.Widen(b)
		cl, ch := simd.Widen(c)
		dl, dh := simd.Widen(d)
		storeWords(dst, i, simd.Narrow(al.Add(bl).Add(cl).Add(dl).ShiftAllRight(2), ah.Add(bh).Add(ch).Add(dh).ShiftAllRight(2)))
	}
}
