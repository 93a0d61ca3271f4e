//go:build goexperiment.simd && (arm64 || wasm)

package texture

import (
	"math/bits"

	"pica200/internal/simd"
	"pica200/pica"
)

// The portable forms of the kernels, on vectors of 128 bits. The arguments are those of the
// AVX2 forms.

// orders makes four orders of bytes, each for four texels.
func orders(f func(texel, channel int) int8) (o [4]simd.Order) {
	for texel := range 16 {
		for channel := range 4 {
			o[texel/4][texel%4*4+channel] = f(texel, channel)
		}
	}
	return o
}

// channels makes orders that fill channels of 16 texels with a byte of each.
func channels(set [4]bool) [4]simd.Order {
	return orders(func(texel, channel int) int8 {
		if set[channel] {
			return int8(texel)
		}
		return simd.None
	})
}

var (
	ofColor = channels([4]bool{true, true, true, false})
	ofAlpha = channels([4]bool{false, false, false, true})
	ofAll   = channels([4]bool{true, true, true, true})
)

// put writes 16 texels with the bytes of color in their colours, and those of alpha as alpha.
func put(dst *uint32, i int, color, alpha simd.Bytes) {
	simd.StoreDwords(dst, i, simd.Shuffle(color, &ofColor[0]).Or(simd.Shuffle(alpha, &ofAlpha[0])).ReshapeToUint32s())
	simd.StoreDwords(dst, i+4, simd.Shuffle(color, &ofColor[1]).Or(simd.Shuffle(alpha, &ofAlpha[1])).ReshapeToUint32s())
	simd.StoreDwords(dst, i+8, simd.Shuffle(color, &ofColor[2]).Or(simd.Shuffle(alpha, &ofAlpha[2])).ReshapeToUint32s())
	simd.StoreDwords(dst, i+12, simd.Shuffle(color, &ofColor[3]).Or(simd.Shuffle(alpha, &ofAlpha[3])).ReshapeToUint32s())
}

func decodeIA8Vector(dst *uint32, src *byte, n int) {
	for i := 0; i < n; i += 8 { // A, I
		x := simd.LoadBytes(src, 2*i)
		simd.StoreDwords(dst, i, simd.Shuffle(x, &ofIA8[0]).ReshapeToUint32s())
		simd.StoreDwords(dst, i+4, simd.Shuffle(x, &ofIA8[1]).ReshapeToUint32s())
	}
}

func decodeRG8Vector(dst *uint32, src *byte, n int) {
	alpha := simd.Dword(opaque)
	for i := 0; i < n; i += 8 { // G, R
		x := simd.LoadBytes(src, 2*i)
		simd.StoreDwords(dst, i, simd.Shuffle(x, &ofRG8[0]).ReshapeToUint32s().Or(alpha))
		simd.StoreDwords(dst, i+4, simd.Shuffle(x, &ofRG8[1]).ReshapeToUint32s().Or(alpha))
	}
}

// Of the first four texels of two bytes, and the others.
var (
	ofIA8 = [2]simd.Order{{1, 1, 1, 0, 3, 3, 3, 2, 5, 5, 5, 4, 7, 7, 7, 6}, {9, 9, 9, 8, 11, 11, 11, 10, 13, 13, 13, 12, 15, 15, 15, 14}}
	ofRG8 = [2]simd.Order{{1, 0, -1, -1, 3, 2, -1, -1, 5, 4, -1, -1, 7, 6, -1, -1}, {9, 8, -1, -1, 11, 10, -1, -1, 13, 12, -1, -1, 15, 14, -1, -1}}
)

func decodeI8Vector(dst *uint32, src *byte, n int) {
	alpha := simd.Byte(255)
	for i := 0; i < n; i += 16 {
		put(dst, i, simd.LoadBytes(src, i), alpha)
	}
}

func decodeA8Vector(dst *uint32, src *byte, n int) {
	black := simd.Byte(0)
	for i := 0; i < n; i += 16 {
		put(dst, i, black, simd.LoadBytes(src, i))
	}
}

// lowHalves and highHalves widen four bits of each byte to eight.
func lowHalves(x simd.Bytes) simd.Bytes {
	x = x.And(simd.Byte(15))
	return x.Or(x.ShiftAllLeft(4))
}

func highHalves(x simd.Bytes) simd.Bytes {
	x = x.And(simd.Byte(0xF0))
	return x.Or(x.ShiftAllRight(4))
}

func decodeIA4Vector(dst *uint32, src *byte, n int) {
	for i := 0; i < n; i += 16 {
		x := simd.LoadBytes(src, i)
		put(dst, i, highHalves(x), lowHalves(x))
	}
}

// inTurn doubles eight bytes, the first of them or the others.
var inTurn = [2]simd.Order{{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}, {8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15}}

// nibbles widens 16 texels of four bits, the first of two in the low ones.
func nibbles(x simd.Bytes, half int) simd.Bytes {
	x = simd.Shuffle(x, &inTurn[half])
	odd := simd.Word(0xFF00).ReshapeToUint8s()
	return lowHalves(x).AndNot(odd).Or(highHalves(x).And(odd))
}

func decodeI4Vector(dst *uint32, src *byte, n int) {
	alpha := simd.Byte(255)
	for i := 0; i < n; i += 32 {
		x := simd.LoadBytes(src, i/2)
		put(dst, i, nibbles(x, 0), alpha)
		put(dst, i+16, nibbles(x, 1), alpha)
	}
}

func decodeA4Vector(dst *uint32, src *byte, n int) {
	black := simd.Byte(0)
	for i := 0; i < n; i += 32 {
		x := simd.LoadBytes(src, i/2)
		put(dst, i, black, nibbles(x, 0))
		put(dst, i+16, black, nibbles(x, 1))
	}
}

// An ETC1 block is decoded row by row: texel i of 16 is that of column i%4 and row i/4, whose
// bits have the number bitOf. A colour is one of eight words in two vectors, the halves'.
var (
	modifierUp, modifierDown = modifierBytes()
	magnitudeAt, signAt      = bitBytes(0), bitBytes(2)
	magnitudeBit             = bitMasks()
	halfAt                   = halfBytes()
	alphaAt, alphaOdd        = alphaBytes()
	channelOf                = simd.Order{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}
)

func bitOf(texel int) int { return texel%4*4 + texel/4 }

// modifierBytes are what each table adds to the four colours of a half and takes off.
func modifierBytes() (up, down [8][16]uint8) {
	for t, m := range etc1Modifiers {
		for channel := range 3 {
			up[t][channel], up[t][4+channel] = uint8(m[0]), uint8(m[1])
			down[t][8+channel], down[t][12+channel] = uint8(m[0]), uint8(m[1])
		}
	}
	return up, down
}

// bitBytes is the byte of a block that has each texel's bit, bits from byte first on.
func bitBytes(first int) (o simd.Order) {
	for i := range o {
		o[i] = int8(first + bitOf(i)/8)
	}
	return o
}

func bitMasks() (m [16]uint8) {
	for i := range m {
		m[i] = 1 << (bitOf(i) % 8)
	}
	return m
}

// halfBytes has, for flip 0 and 1, 16 for the texels of half 1: where its colours begin.
func halfBytes() (h [2][16]uint8) {
	for flip := range h {
		for i := range h[flip] {
			h[flip][i] = uint8(etc1Half[flip]>>bitOf(i)&1) * 16
		}
	}
	return h
}

// alphaBytes locates each texel's alpha: its byte, and 255 if it is the high half.
func alphaBytes() (at simd.Order, odd [16]uint8) {
	for i := range at {
		at[i], odd[i] = int8(bitOf(i)/2), uint8(0)-uint8(bitOf(i)&1)
	}
	return at, odd
}

// etc1Colors are both base colours of a block, four times each with alpha 0: etc1Bases.
func etc1Colors(high uint32) (first, second simd.Bytes) {
	rgb := bits.ReverseBytes32(high) & 0xFFFFFF
	if high&2 != 0 {
		a := rgb >> 3 & 0x1F1F1F
		b := (a + (rgb&0x070707 ^ 0x040404) + 0x1C1C1C) & 0x1F1F1F // it wraps
		return everywhere(a<<3 | a>>2&0x070707), everywhere(b<<3 | b>>2&0x070707)
	}
	return everywhere(rgb >> 4 & 0x0F0F0F * 0x11), everywhere(rgb & 0x0F0F0F * 0x11)
}

func everywhere(word uint32) simd.Bytes { return simd.Dword(word).ReshapeToUint8s() }

// etc1Block writes a block's texels to four rows; colours are combined with alpha.
func etc1Block(dst *uint32, to, step int, block, alpha simd.Bytes) {
	high := block.ReshapeToUint32s().GetElem(1)
	first, second := etc1Colors(high)
	ta, tb, flip := int(high>>5&7), int(high>>2&7), int(high&1)
	first = first.AddSaturated(simd.LoadBytes(&modifierUp[ta][0], 0)).SubSaturated(simd.LoadBytes(&modifierDown[ta][0], 0))
	second = second.AddSaturated(simd.LoadBytes(&modifierUp[tb][0], 0)).SubSaturated(simd.LoadBytes(&modifierDown[tb][0], 0))
	bit := simd.LoadBytes(&magnitudeBit[0], 0)
	large := simd.Shuffle(block, &magnitudeAt).And(bit).Equal(bit).ToInt8x16().ToBits().And(simd.Byte(4))
	negative := simd.Shuffle(block, &signAt).And(bit).Equal(bit).ToInt8x16().ToBits().And(simd.Byte(8))
	at := large.Or(negative).Or(simd.LoadBytes(&halfAt[flip][0], 0))
	etc1Row(dst, to, 0, at, first, second, alpha)
	etc1Row(dst, to+step, 1, at, first, second, alpha)
	etc1Row(dst, to+2*step, 2, at, first, second, alpha)
	etc1Row(dst, to+3*step, 3, at, first, second, alpha)
}

func etc1Row(dst *uint32, to, row int, at, first, second, alpha simd.Bytes) {
	i := simd.Shuffle(at, &ofAll[row]).Add(simd.LoadBytes(simd.As[uint8](&channelOf[0]), 0))
	color := simd.Pick(first, i).Or(simd.Pick(second, i.Sub(simd.Byte(16))))
	simd.StoreDwords(dst, to, color.Or(simd.Shuffle(alpha, &ofAlpha[row])).ReshapeToUint32s())
}

func decodeETC1Vector(dst *uint32, step int, src *byte, tiles int) {
	step /= 4
	alpha := simd.Byte(255)
	for i := range 2 * tiles { // two blocks beside each other
		to, pair := i/2*pica.TileSize+i%2*4*step, simd.LoadBytes(src, 16*i)
		etc1Block(dst, to, step, pair, alpha)
		etc1Block(dst, to+4, step, simd.Shuffle(pair, &upperHalf), alpha)
	}
}

var upperHalf = simd.Order{8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1}

func decodeETC1A4Vector(dst *uint32, step int, src *byte, tiles int) {
	step /= 4
	odd := simd.LoadBytes(&alphaOdd[0], 0)
	for i := range 4 * tiles {
		x := simd.LoadBytes(src, 16*i)
		alpha := simd.Shuffle(x, &alphaAt)
		alpha = lowHalves(alpha).AndNot(odd).Or(highHalves(alpha).And(odd))
		etc1Block(dst, i/4*pica.TileSize+i%4/2*4*step+i%2*4, step, simd.Shuffle(x, &upperHalf), alpha)
	}
}
