// Package texture converts between the texel layouts of the PICA200 and
// plain RGBA images, and reads and writes the files textures come in: t3x (of
// devkitPro's tex3ds) and PNG.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
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
// (For a render target, whose first texel in memory is at the same position, this
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

	"pica200/internal/simd"
	"pica200/pica"
)

// Format is the layout of texels in memory, as in the texture registers.
type Format = pica.TextureFormat

// MaxSize is the greatest width and height of a texture, MinSize the least and
// the granularity of both.
const (
	MaxSize = 1024
	MinSize = 8
)

// layout describes a format. Where there are vector kernels (vector.go), twin or
// rows is set.
type layout struct {
	bits   uint8                                             // of a texel
	encode func(dst []byte, src *[64]uint32)                 // a tile in the order of memory
	search func(dst []byte, src *[64]uint32)                 // encode, slower and better; nil if there is none
	decode func(dst *[64]uint32, src []byte)                 // the same; nil for the formats of colour buffers, which package pixels decodes
	twin   func(dst *uint32, src *byte, n int)               // decode for n texels of whole tiles
	rows   func(dst *uint32, step int, src *byte, tiles int) // tiles beside each other to rows of texels, step bytes apart
}

var layouts = [...]layout{
	pica.TextureFormatRGBA8:  {bits: 32, encode: encodeRGBA8},
	pica.TextureFormatRGB8:   {bits: 24, encode: encodeRGB8},
	pica.TextureFormatRGB5A1: {bits: 16, encode: encodeColor16(pica.ColorFormatRGB5A1)},
	pica.TextureFormatRGB565: {bits: 16, encode: encodeColor16(pica.ColorFormatRGB565)},
	pica.TextureFormatRGBA4:  {bits: 16, encode: encodeColor16(pica.ColorFormatRGBA4)},
	pica.TextureFormatIA8:    {bits: 16, encode: encodeIA8, decode: decodeIA8},
	pica.TextureFormatRG8:    {bits: 16, encode: encodeRG8, decode: decodeRG8},
	pica.TextureFormatI8:     {bits: 8, encode: encodeI8, decode: decodeI8},
	pica.TextureFormatA8:     {bits: 8, encode: encodeA8, decode: decodeA8},
	pica.TextureFormatIA4:    {bits: 8, encode: encodeIA4, decode: decodeIA4},
	pica.TextureFormatI4:     {bits: 4, encode: encodeI4, decode: decodeI4},
	pica.TextureFormatA4:     {bits: 4, encode: encodeA4, decode: decodeA4},
	pica.TextureFormatETC1:   {bits: 4, encode: encodeETC1(false), search: encodeETC1(true), decode: decodeETC1},
	pica.TextureFormatETC1A4: {bits: 8, encode: encodeETC1A4(false), search: encodeETC1A4(true), decode: decodeETC1A4},
}

// Bits is the number of bits a texel takes, 0 for a format that does not exist.
func Bits(f Format) int {
	if int(f) >= len(layouts) {
		return 0
	}
	return int(layouts[f].bits)
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
	if Bits(f) == 0 {
		return fmt.Errorf("texture format %d does not exist, the last is %d", f, len(layouts)-1)
	}
	if w < MinSize || w > MaxSize || w%MinSize != 0 || h < MinSize || h > MaxSize || h%MinSize != 0 {
		return fmt.Errorf("texture of %dx%d texels: width and height must be multiples of %d up to %d", w, h, MinSize, MaxSize)
	}
	return nil
}

// Decode decodes one level of w by h texels from src to dst, which must have at
// least w*h words. It allocates nothing.
func Decode(dst []uint32, src []byte, f Format, w, h int) error {
	return DecodeRows(simd.Best, dst, src, f, w, h, 0, h)
}

// DecodeRows is Decode of the rows from to to-1 in memory order, both multiples
// of MinSize, so that parts of a texture can be decoded concurrently. It is
// internal to this module: with is the form of the kernels.
func DecodeRows(with simd.Kernels, dst []uint32, src []byte, f Format, w, h, from, to int) error {
	if err := checkSize(f, w, h); err != nil {
		return err
	}
	if n := Size(f, w, h); len(src) < n {
		return fmt.Errorf("texture of %dx%d %v: %d bytes of texels, want %d", w, h, f, len(src), n)
	}
	if len(dst) < w*h {
		return fmt.Errorf("texture of %dx%d: room for %d texels, want %d", w, h, len(dst), w*h)
	}
	if from < 0 || from%MinSize != 0 || to%MinSize != 0 || from > to || to > h {
		return fmt.Errorf("texture of %dx%d: there are no rows of tiles from %d to %d", w, h, from, to)
	}
	tiles := scratch.Get().(*tileTexels)
	defer scratch.Put(tiles)
	rowBytes := Size(f, w, MinSize)
	for y := from; y < to; y += MinSize {
		// Rows are reversed in memory.
		strip := dst[(h-y-MinSize)*w : (h-y)*w]
		decodeStrip(with, strip, src[y/MinSize*rowBytes:][:rowBytes], f, w, tiles)
	}
	return nil
}
