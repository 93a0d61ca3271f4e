package raster

import (
	"fmt"

	"pica200/pica"
)

// Target is the pair of buffers that a draw renders to, in the PICA200's
// layout: tiles of 8x8 pixels in Morton order (GPUREG_FRAMEBUFFER_BLOCK32 = 0)
// or of 32x32 (1), so that every block of 4x4 pixels is contiguous.
type Target struct {
	Width, Height int32
	ColorFormat   pica.ColorFormat
	DepthFormat   pica.DepthFormat
	Block32       bool

	// Color and Depth are the memory of the buffers, from their first byte.
	// Either may be nil when the draw neither reads nor writes it.
	Color, Depth []byte
}

// Bytes is the number of bytes that a buffer of the target takes at the given
// size of a pixel, counting whole tiles.
func (t *Target) Bytes(pixel int) int {
	tile := t.tile()
	rows := (t.Height + tile - 1) / tile
	// A width that is no multiple of the tile shortens the step from a row of
	// tiles to the next, not the tile: the last one runs into the next row.
	last := (t.Width + tile - 1) / tile * tile * tile
	return int((rows-1)*t.Width*tile+last) * pixel
}

// Aliases reports whether different pixels of the target share memory: a
// width that is no multiple of the tile makes the last tile of a row run into
// the first of the next.
func (t *Target) Aliases() bool { return t.Width%t.tile() != 0 && t.Height > t.tile() }

// tile is the side of a tile in pixels.
func (t *Target) tile() int32 {
	if t.Block32 {
		return 32
	}
	return 8
}

// Check says what is wrong with the target's sizes or memory, or nil.
func (t *Target) Check() error {
	if t.Width <= 0 || t.Height <= 0 {
		return fmt.Errorf("render target of %dx%d pixels: both sides must be 1 or more", t.Width, t.Height)
	}
	if t.Color != nil {
		n := ColorBytes(t.ColorFormat)
		if n == 0 {
			return fmt.Errorf("colour format %d of the render target is none of the five known ones", t.ColorFormat)
		}
		if need := t.Bytes(n); len(t.Color) < need {
			return fmt.Errorf("colour buffer has %d bytes, %dx%d pixels of %v need %d", len(t.Color), t.Width, t.Height, t.ColorFormat, need)
		}
	}
	if t.Depth != nil {
		n := DepthBytes(t.DepthFormat)
		if n == 0 {
			return fmt.Errorf("depth format %d of the render target is none of D16, D24, D24S8", t.DepthFormat)
		}
		if need := t.Bytes(n); len(t.Depth) < need {
			return fmt.Errorf("depth buffer has %d bytes, %dx%d pixels of %v need %d", len(t.Depth), t.Width, t.Height, t.DepthFormat, need)
		}
	}
	return nil
}

// BlockIndex is the number, in memory order, of the first pixel of the block
// that starts at column x and row y (multiples of 4).
func (t *Target) BlockIndex(x, y int32) int {
	bx, by := uint32(x)>>2, uint32(y)>>2
	if t.Block32 {
		m := bx&1 | by&1<<1 | bx&2<<1 | by&2<<2 | bx&4<<2 | by&4<<3
		return int(by>>3)*int(t.Width)*32 + int(bx>>3)*1024 + int(m)*16
	}
	return int(by>>1)*int(t.Width)*8 + int(bx>>1)*64 + int(by&1<<1|bx&1)*16
}

// PixelIndex is the number, in memory order, of the pixel at column x and row y.
func (t *Target) PixelIndex(x, y int32) int {
	m := x&1 | y&1<<1 | x&2<<1 | y&2<<2
	return t.BlockIndex(x&^3, y&^3) + int(m)
}

// ColorBytes is the size of a pixel of the format in bytes, 0 for a format
// that does not exist.
func ColorBytes(f pica.ColorFormat) int {
	switch f {
	case pica.ColorFormatRGBA8:
		return 4
	case pica.ColorFormatRGB8:
		return 3
	case pica.ColorFormatRGB5A1, pica.ColorFormatRGB565, pica.ColorFormatRGBA4:
		return 2
	}
	return 0
}

// DepthBytes is the size of a pixel of the format in bytes, 0 for a format
// that does not exist.
func DepthBytes(f pica.DepthFormat) int {
	switch f {
	case pica.DepthFormatD16:
		return 2
	case pica.DepthFormatD24:
		return 3
	case pica.DepthFormatD24S8:
		return 4
	}
	return 0
}

// DepthMax is the greatest depth value of the format: what depth 1 becomes.
func DepthMax(f pica.DepthFormat) uint32 {
	if f == pica.DepthFormatD16 {
		return 0xFFFF
	}
	return 0xFFFFFF
}
