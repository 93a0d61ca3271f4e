package raster

import (
	"fmt"

	"pica200/internal/simd"
	"pica200/pica"
)

// Target is the pair of buffers that a draw renders to, in the PICA200's
// layout: tiles of 8x8 pixels in Morton order (GPUREG_FRAMEBUFFER_BLOCK32 = 0),
// or of 32x32 (1). In both, every block of 4x4 pixels is contiguous.
type Target struct {
	Width, Height int32
	ColorFormat   pica.ColorFormat
	DepthFormat   pica.DepthFormat
	Block32       bool
	Kernels       simd.Kernels // the form of the kernels that load and store

	// Color and Depth are the memory of the buffers, from their first byte. Either
	// may be nil if the draw does not use it.
	Color, Depth []byte
}

// Tiling returns the layout of both buffers.
func (t *Target) Tiling() pica.Tiling {
	if t.Block32 {
		return pica.Tiled32
	}
	return pica.Tiled8
}

// Bytes returns the size of a buffer in whole tiles, for the given size of a
// pixel.
func (t *Target) Bytes(pixel int) int {
	w, h := uint64(t.Width), uint64(t.Height)
	return int(t.Tiling().Bytes(w, w, h, uint64(pixel)))
}

// Aliases reports whether different pixels share memory. If the width is no
// multiple of the tile, the last tile of a row runs into the first of the next.
func (t *Target) Aliases() bool {
	tile := int32(t.Tiling())
	return t.Width%tile != 0 && t.Height > tile
}

// Check returns an error if the target's size, formats or memory are invalid.
func (t *Target) Check() error {
	if t.Width <= 0 || t.Height <= 0 {
		return fmt.Errorf("render target of %dx%d pixels: both sides must be 1 or more", t.Width, t.Height)
	}
	if t.Color != nil {
		n := t.ColorFormat.Bytes()
		if n == 0 {
			return fmt.Errorf("colour format %d of the render target does not exist", t.ColorFormat)
		}
		if need := t.Bytes(n); len(t.Color) < need {
			return fmt.Errorf("colour buffer has %d bytes, %dx%d pixels of %v need %d", len(t.Color), t.Width, t.Height, t.ColorFormat, need)
		}
	}
	if t.Depth != nil {
		n := t.DepthFormat.Bytes()
		if n == 0 {
			return fmt.Errorf("depth format %d of the render target does not exist: want D16, D24 or D24S8", t.DepthFormat)
		}
		if need := t.Bytes(n); len(t.Depth) < need {
			return fmt.Errorf("depth buffer has %d bytes, %dx%d pixels of %v need %d", len(t.Depth), t.Width, t.Height, t.DepthFormat, need)
		}
	}
	return nil
}

// PixelIndex returns the index, in memory order, of the pixel at column x and
// row y. If both are multiples of 4, it is that of the first pixel of their
// block.
func (t *Target) PixelIndex(x, y int32) int {
	return int(t.Tiling().Index(uint32(t.Width), uint32(x), uint32(y)))
}

// BlockIndices are the pixel indices of a batch's blocks in a target.
type BlockIndices struct {
	index [BatchBlocks]int32 // index of the first pixel
	end   int                // greater than the index of every pixel
}

// Put sets the indices of the blocks of a batch.
func (p *BlockIndices) Put(t *Target, b *Batch) {
	p.end = 0
	blocks := b.Block[:b.Blocks]
	if simd.Assembly && t.Kernels.AVX2() && !t.Block32 && len(blocks) > 0 {
		p.end = blockIndicesVector(&blocks[0].X, &p.index[0], int(t.Width), len(blocks)) + BlockPixels
		return
	}
	for i := range blocks {
		var index int
		if x, y := blocks[i].X, blocks[i].Y; t.Block32 {
			index = t.PixelIndex(x, y)
		} else { // the same, without the Morton order inside blocks
			index = int(y&^7)*int(t.Width) + int(x&^7)*8 + int(x&4)<<2 + int(y&4)<<3
		}
		p.index[i] = int32(index)
		p.end = max(p.end, index+BlockPixels)
	}
}

// Index returns the index of the first pixel of block i.
func (p *BlockIndices) Index(i int) int { return int(p.index[i]) }

// First is where the indices of the blocks lie, one after the other, for kernels.
func (p *BlockIndices) First() *int32 { return &p.index[0] }

// End is greater than the index of every pixel.
func (p *BlockIndices) End() int { return p.end }
