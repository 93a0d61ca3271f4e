// Package texture converts between the 14 texel layouts of the PICA200 and
// plain RGBA images, and reads and writes the files textures come in: t3x (of
// devkitPro's tex3ds) and PNG.
//
// # How texels lie in memory
//
// A texture is a row of tiles of 8x8 texels after the other. Inside a tile the
// texels follow a Z-order (Morton) curve: bit i of x is bit 2i of the texel's
// number and bit i of y is bit 2i+1. ETC1 tiles are four compressed blocks of
// 4x4 in the same order.
//
// The first texel in memory is that at the left and at the top of the picture,
// where the texture coordinates are s = 0 and t = 1: t runs against the memory.
// (For a render target, whose first texel in memory is at the same place, this
// means that what was drawn at the top of the viewport is sampled near t = 1.)
//
// # Decoded texels
//
// A decoded texture is one uint32 a texel, red in the lowest byte, alpha in the
// highest, row by row from t = 0 up: row r holds the texels of memory row
// height-1-r. Bytes in that order are R, G, B, A on little-endian machines.
//
// The layouts are those of 3dbrew, "GPU/Internal Registers" (texture formats)
// and of citro3d's and tex3ds's encoders; ETC1 is the Khronos data format of
// OES_compressed_ETC1_RGB8_texture, stored as one little-endian 64-bit number.
package texture

import (
	"fmt"

	"pica200/pica"
)

// Format is the layout of texels in memory, as in the texture registers.
type Format = pica.TextureFormat

const numFormats = int(pica.TextureFormatETC1A4) + 1

// MaxSize is the greatest width and height of a texture, MinSize the least and
// the granularity of both.
const (
	MaxSize = 1024
	MinSize = 8
)

var formatBits = [numFormats]uint8{
	pica.TextureFormatRGBA8: 32, pica.TextureFormatRGB8: 24,
	pica.TextureFormatRGB5A1: 16, pica.TextureFormatRGB565: 16, pica.TextureFormatRGBA4: 16,
	pica.TextureFormatIA8: 16, pica.TextureFormatRG8: 16,
	pica.TextureFormatI8: 8, pica.TextureFormatA8: 8, pica.TextureFormatIA4: 8,
	pica.TextureFormatI4: 4, pica.TextureFormatA4: 4,
	pica.TextureFormatETC1: 4, pica.TextureFormatETC1A4: 8,
}

// Bits is the number of bits a texel takes, 0 for a format that does not exist.
func Bits(f Format) int {
	if int(f) >= numFormats {
		return 0
	}
	return int(formatBits[f])
}

// Size is the number of bytes a w by h texture (one level) takes in memory.
func Size(f Format, w, h int) int { return w * h * Bits(f) / 8 }

// MaxLevels is the number of levels of detail a w by h texture can have: each
// halves both sides, and none is smaller than a tile.
func MaxLevels(w, h int) int {
	n := 1
	for w >= 2*MinSize && h >= 2*MinSize {
		w, h, n = w/2, h/2, n+1
	}
	return n
}

// SizeLevels is the number of bytes the first n levels take, one after the
// other from the largest.
func SizeLevels(f Format, w, h, n int) int {
	size := 0
	for l := range n {
		size += Size(f, max(w>>l, MinSize), max(h>>l, MinSize))
	}
	return size
}

func checkSize(f Format, w, h int) error {
	if int(f) >= numFormats {
		return fmt.Errorf("texture format %d does not exist, the last is %d", f, numFormats-1)
	}
	if w < MinSize || w > MaxSize || w%MinSize != 0 || h < MinSize || h > MaxSize || h%MinSize != 0 {
		return fmt.Errorf("texture of %dx%d texels: width and height must be multiples of %d up to %d", w, h, MinSize, MaxSize)
	}
	return nil
}

// decodeTile decodes the 64 texels of a tile in memory order. It is a switch
// and not a table of functions so that the caller's tile stays on its stack.
func decodeTile(dst *[64]uint32, src []byte, f Format) {
	switch f {
	case pica.TextureFormatRGBA8:
		decodeRGBA8(dst, src)
	case pica.TextureFormatRGB8:
		decodeRGB8(dst, src)
	case pica.TextureFormatRGB5A1:
		decodeRGB5A1(dst, src)
	case pica.TextureFormatRGB565:
		decodeRGB565(dst, src)
	case pica.TextureFormatRGBA4:
		decodeRGBA4(dst, src)
	case pica.TextureFormatIA8:
		decodeIA8(dst, src)
	case pica.TextureFormatRG8:
		decodeRG8(dst, src)
	case pica.TextureFormatI8:
		decodeI8(dst, src)
	case pica.TextureFormatA8:
		decodeA8(dst, src)
	case pica.TextureFormatIA4:
		decodeIA4(dst, src)
	case pica.TextureFormatI4:
		decodeI4(dst, src)
	case pica.TextureFormatA4:
		decodeA4(dst, src)
	case pica.TextureFormatETC1:
		decodeETC1(dst, src)
	case pica.TextureFormatETC1A4:
		decodeETC1A4(dst, src)
	}
}

// Decode decodes one level of w by h texels from src to dst, which has room
// for w*h words; longer slices are fine. It allocates nothing.
func Decode(dst []uint32, src []byte, f Format, w, h int) error {
	if err := checkSize(f, w, h); err != nil {
		return err
	}
	if n := Size(f, w, h); len(src) < n {
		return fmt.Errorf("texture of %dx%d %v: %d bytes of texels, want %d", w, h, f, len(src), n)
	}
	if len(dst) < w*h {
		return fmt.Errorf("texture of %dx%d: room for %d texels, want %d", w, h, len(dst), w*h)
	}
	tileBytes := Size(f, 8, 8)
	var tile [64]uint32
	for y := h; y > 0; y -= 8 {
		strip := dst[(y-8)*w : y*w]
		for x := 0; x < w; x += 8 {
			decodeTile(&tile, src[:tileBytes:tileBytes], f)
			src = src[tileBytes:]
			scatter(strip[x:], w, &tile)
		}
	}
	return nil
}

// pairY and pairX give the number in a tile of a row's first texel and, in a
// row, of each pair of neighbours.
var (
	pairY = [8]uint8{0x00, 0x02, 0x08, 0x0A, 0x20, 0x22, 0x28, 0x2A}
	pairX = [4]uint8{0x00, 0x04, 0x10, 0x14}
)

// scatter puts a tile in memory order into 8 rows of dst, w words apart, the
// first in memory last.
func scatter(dst []uint32, w int, tile *[64]uint32) {
	for y := 7; y >= 0; y-- {
		row := (*[8]uint32)(dst)
		at := pairY[y]
		// The masks let the compiler see that no index leaves the tile.
		row[0], row[1] = tile[at&63], tile[(at+1)&63]
		row[2], row[3] = tile[(at+4)&63], tile[(at+5)&63]
		row[4], row[5] = tile[(at+16)&63], tile[(at+17)&63]
		row[6], row[7] = tile[(at+20)&63], tile[(at+21)&63]
		if y > 0 {
			dst = dst[w:]
		}
	}
}

// gather is the inverse of scatter.
func gather(tile *[64]uint32, src []uint32, w int) {
	for y := 7; y >= 0; y-- {
		row := (*[8]uint32)(src)
		for i, x := range pairX {
			at := pairY[y] + x
			tile[at&63], tile[(at+1)&63] = row[2*i], row[2*i+1]
		}
		if y > 0 {
			src = src[w:]
		}
	}
}
