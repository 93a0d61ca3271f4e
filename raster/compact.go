package raster

import (
	"encoding/binary"
	"math/bits"
)

// LiveQuads counts the quads that have pixels.
func (b *Batch) LiveQuads() (n int) {
	for _, mask := range b.Mask[:b.Blocks] {
		n += bits.OnesCount16(liveQuads(mask))
	}
	return n
}

// liveQuads returns the first bit of each quad of a block's mask that has
// pixels.
func liveQuads(mask uint16) uint16 {
	mask |= mask >> 1
	return (mask | mask>>2) & 0x1111
}

// quadsOf lists, for each set of the four quads of a block, the quads in it, in
// order, one byte each.
var quadsOf = func() (t [16]uint32) {
	for set := range t {
		at := 0
		for q := range 4 {
			if set>>q&1 != 0 {
				t[set] |= uint32(q) << at
				at += 8
			}
		}
	}
	return t
}()

// Compact copies the quads of b that have pixels to a packed batch, without
// planes and positions: the result can be shaded but not written. All its pixels
// are drawn. It sets from to the quad of b that each came from.
func (b *Batch) Compact(to *Batch, from *[BatchQuads]uint8) {
	const each = 0x01010101
	runs := b.Runs()
	to.vertices, to.Kernels = b.vertices, b.Kernels
	to.used = copy(to.faces[:], b.faces[:len(runs)])
	q, block := 0, 0
	for face, n := range runs {
		for range n {
			live := uint32(liveQuads(b.Mask[block%BatchBlocks]))
			set := live * (1<<12 | 1<<9 | 1<<6 | 1<<3) >> 12 & 0xF // moves the four bits together
			// Bytes after the last quad are overwritten later or unused.
			binary.LittleEndian.PutUint32(from[q:], uint32(block)*(4*each)+quadsOf[set])
			binary.LittleEndian.PutUint32(to.face[q:], uint32(face)*each)
			q += bits.OnesCount32(live)
			block++
		}
	}
	to.Packed, to.Quads, to.Blocks = true, q, (q+3)/4
	for i := range to.Mask {
		to.Mask[i] = 0xFFFF
	}
}
