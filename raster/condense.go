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

// liveQuads has the first bit of each quad of a block's mask that has pixels.
func liveQuads(mask uint16) uint16 {
	mask |= mask >> 1
	return (mask | mask>>2) & 0x1111
}

// quadsOf has, for each set of the four quads of a block, those that are in it, in their order, a
// byte each.
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

// Condense makes of a batch of blocks a packed one, of the quads that have pixels, but for its
// planes. All its pixels are alive. from tells which quad of b each is. Where they lie is left out:
// the batch cannot be written.
func (b *Batch) Condense(to *Batch, from *[BatchQuads]uint8) {
	const each = 0x01010101
	runs := b.Runs()
	to.vertices, to.Kernels = b.vertices, b.Kernels
	to.used = copy(to.faces[:], b.faces[:len(runs)])
	q, block := 0, 0
	for face, n := range runs {
		for range n {
			live := uint32(liveQuads(b.Mask[block%BatchBlocks]))
			set := live * (1<<12 | 1<<9 | 1<<6 | 1<<3) >> 12 & 0xF // the four bits beside each other
			// What is written behind the last quad is written again, or not in use.
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
