// Package pixels converts whole lines and tiles of pixels between layouts, for
// transfers and textures. Package pica defines the conversions and is the plain
// form; the AVX2 kernels here give the same bits.
//
// The package is internal to pica200 and may change at any time.
package pixels

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// step is the number of pixels that the kernels convert at a time.
const step = 8

// Decode converts len(dst) contiguous pixels like pica.ColorFormat.Decode. A
// format that does not exist leaves dst unchanged.
func Decode(with simd.Kernels, f pica.ColorFormat, dst []uint32, src []byte) {
	bytes := f.Bytes()
	src = src[:len(dst)*bytes]
	if n := len(dst) &^ (step - 1); n > 0 && bytes > 0 && simd.Vectors && with.Vector() {
		d, s := &dst[0], &src[0]
		switch f {
		case pica.ColorFormatRGBA8:
			decodeRGBA8Vector(d, s, n)
		case pica.ColorFormatRGB8:
			decodeRGB8Vector(d, s, n)
		case pica.ColorFormatRGB5A1:
			decodeRGB5A1Vector(d, s, n)
		case pica.ColorFormatRGB565:
			decodeRGB565Vector(d, s, n)
		case pica.ColorFormatRGBA4:
			decodeRGBA4Vector(d, s, n)
		}
		dst, src = dst[n:], src[n*bytes:]
		if len(dst) == 0 {
			return
		}
	}
	f.Decode(dst, src)
}

// Encode converts len(src) contiguous pixels like pica.ColorFormat.Encode. A
// format that does not exist leaves dst unchanged.
func Encode(with simd.Kernels, f pica.ColorFormat, dst []byte, src []uint32) {
	bytes := f.Bytes()
	dst = dst[:len(src)*bytes]
	if n := len(src) &^ (step - 1); n > 0 && bytes > 0 && simd.Vectors && with.Vector() {
		d, s := &dst[0], &src[0]
		switch f {
		case pica.ColorFormatRGBA8:
			encodeRGBA8Vector(d, s, n)
		case pica.ColorFormatRGB8:
			encodeRGB8Vector(d, s, n)
		case pica.ColorFormatRGB5A1:
			encodeRGB5A1Vector(d, s, n)
		case pica.ColorFormatRGB565:
			encodeRGB565Vector(d, s, n)
		case pica.ColorFormatRGBA4:
			encodeRGBA4Vector(d, s, n)
		}
		dst, src = dst[n*bytes:], src[n:]
		if len(src) == 0 {
			return
		}
	}
	f.Encode(dst, src)
}

// A tile holds 8x8 pixels, tileBytes as RGBA8 and as words.
const tileBytes = 4 * pica.TilePixels

// span panics if n adjacent tiles exceed rows. The first row begins at first,
// and each next one step words later; step may be negative.
func span(rows []uint32, first, step, n int) {
	last := first + (pica.TileSize-1)*step
	_ = rows[min(first, last)]
	_ = rows[max(first, last)+n*pica.TileSize-1]
}

// Untile copies n adjacent tiles, words in memory order, to rows: row y begins
// at dst[first+y*step] (pica.Untile).
func Untile(with simd.Kernels, dst []uint32, first, step int, tiles []uint32, n int) {
	if n == 0 {
		return
	}
	tiles = tiles[:n*pica.TilePixels]
	if simd.Vectors && with.Vector() {
		span(dst, first, step, n)
		untileVector(&dst[first], 4*step, &tiles[0], n)
		return
	}
	for i := range n {
		pica.Untile(dst, first+i*pica.TileSize, step, (*[pica.TilePixels]uint32)(tiles[i*pica.TilePixels:]))
	}
}

// DecodeTiles is Decode and Untile of n tiles of pixels as they are in memory.
// scratch has room for their words.
func DecodeTiles(with simd.Kernels, f pica.ColorFormat, dst []uint32, first, step int, src []byte, n int, scratch []uint32) {
	if n > 0 && f == pica.ColorFormatRGBA8 && simd.Vectors && with.Vector() {
		src = src[:n*tileBytes]
		span(dst, first, step, n)
		untileRGBA8Vector(&dst[first], 4*step, &src[0], n)
		return
	}
	scratch = scratch[:n*pica.TilePixels]
	Decode(with, f, scratch, src)
	Untile(with, dst, first, step, scratch, n)
}

// TilesToRGB8 converts n adjacent tiles of RGBA8, as they are in memory, to
// rows of RGB8: row y begins at byte dst[first+y*step]. It is DecodeTiles, and
// Encode of each row. scratch holds twice as many words as there are pixels.
func TilesToRGB8(with simd.Kernels, dst []byte, first, step int, src []byte, n int, scratch []uint32) {
	if n == 0 {
		return
	}
	const bytes = 3
	width := n * pica.TileSize
	last := first + (pica.TileSize-1)*step
	_, _ = dst[min(first, last)], dst[max(first, last)+width*bytes-1]
	if simd.Assembly && with.AVX2() {
		src = src[:n*tileBytes]
		untileRGB8Vector(&dst[first], step, &src[0], n)
		return
	}
	DecodeTiles(with, pica.ColorFormatRGBA8, scratch, 0, width, src, n, scratch[n*pica.TilePixels:])
	for y := range pica.TileSize {
		Encode(with, pica.ColorFormatRGB8, dst[first+y*step:][:width*bytes], scratch[y*width:][:width])
	}
}

// EncodeTiles is the inverse of DecodeTiles.
func EncodeTiles(with simd.Kernels, f pica.ColorFormat, dst []byte, src []uint32, first, step int, n int, scratch []uint32) {
	if n == 0 {
		return
	}
	dst = dst[:n*pica.TilePixels*f.Bytes()]
	if simd.Vectors && with.Vector() {
		span(src, first, step, n)
		if f == pica.ColorFormatRGBA8 {
			tileRGBA8Vector(&dst[0], &src[first], 4*step, n)
			return
		}
		tileVector(&scratch[:n*pica.TilePixels][0], &src[first], 4*step, n)
	} else {
		for i := range n {
			pica.Tile((*[pica.TilePixels]uint32)(scratch[i*pica.TilePixels:]), src, first+i*pica.TileSize, step)
		}
	}
	Encode(with, f, dst, scratch[:n*pica.TilePixels])
}

// Mean2 sets each pixel of dst to the mean of two neighbours in row, for each
// channel, rounded down.
func Mean2(with simd.Kernels, dst, row []uint32) {
	row = row[:2*len(dst)]
	if n := len(dst) &^ (step - 1); n > 0 && simd.Vectors && with.Vector() {
		mean2Vector(&dst[0], &row[0], n)
		dst, row = dst[n:], row[2*n:]
	}
	for i := range dst {
		a, b := row[2*i], row[2*i+1]
		dst[i] = a&b + (a^b)&0xFEFEFEFE>>1
	}
}

// Mean4 sets each pixel of dst to the mean of a 2x2 square in two rows, for
// each channel, rounded down.
func Mean4(with simd.Kernels, dst, upper, lower []uint32) {
	upper, lower = upper[:2*len(dst)], lower[:2*len(dst)]
	if n := len(dst) &^ (step - 1); n > 0 && simd.Vectors && with.Vector() {
		mean4Vector(&dst[0], &upper[0], &lower[0], n)
		dst, upper, lower = dst[n:], upper[2*n:], lower[2*n:]
	}
	for i := range dst {
		dst[i] = mean4(upper[2*i], upper[2*i+1], lower[2*i], lower[2*i+1])
	}
}

func mean4(a, b, c, d uint32) uint32 {
	const low = 0x00FF00FF
	even := a&low + b&low + c&low + d&low
	odd := a>>8&low + b>>8&low + c>>8&low + d>>8&low
	return even>>2&low | odd>>2&low<<8
}
