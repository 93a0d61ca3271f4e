package fragment

import (
	"math"

	"pica200/internal/simd"
	"pica200/raster"
)

// The quads of a packed batch are put back into blocks of 4x4 pixels before
// they are tested and written. In a mesh of small triangles the pixels of a
// block come from many triangles; so the block is loaded, tested, blended and
// stored only once.
//
// The drawing order of each pixel is kept: a quad joins the last block that was
// opened at its position if no earlier quad drew the same pixels there, otherwise
// it opens a new block.

// numBuckets is the number of positions that are remembered.
const numBuckets = 64

// quadCopy is a quad of a packed batch and its position among the unpacked blocks.
type quadCopy struct {
	// The kernels depend on the order of these fields.
	from, to, pixels uint8
	_                uint8
}

// runPacked is run for a packed batch.
func (o *output) runPacked(m *machine) {
	packed, b := m.b, &m.unpacked
	var buckets [numBuckets]uint8 // last block opened at positions with a given hash, plus one
	var moves [quads]quadCopy
	n := 0
	b.Blocks = 0
	for q := range packed.Quads {
		pixels := packed.Mask[q/4] >> (q % 4 * 4) & 0xF
		if pixels == 0 {
			continue
		}
		at := &packed.Quad[q]
		x, y := at.X&^3, at.Y&^3
		quad := uint(at.X>>1&1 | at.Y&2) // number of the quad in its block
		p := &buckets[(x>>2^y>>2*5)&(numBuckets-1)]
		i := int(*p) - 1
		if i < 0 || b.Block[i].X != x || b.Block[i].Y != y || b.Mask[i]>>(4*quad)&pixels != 0 {
			if b.Blocks == raster.BatchBlocks {
				o.runUnpacked(m, moves[:n])
				clear(buckets[:])
				n = 0
			}
			i = b.Blocks
			b.Blocks++
			b.Block[i] = raster.Block{X: x, Y: y, Triangle: uint32(i)}
			b.Mask[i] = 0
			*p = uint8(i + 1)
		}
		b.Mask[i] |= pixels << (4 * quad)
		moves[n%quads] = quadCopy{from: uint8(q), to: uint8(4*i) + uint8(quad), pixels: uint8(pixels)}
		n++
	}
	o.runUnpacked(m, moves[:n])
}

// copyDepths copies the depths of the pixels of quads, without branches.
func copyDepths(with simd.Kernels, dst, src *raster.Plane, moves []quadCopy) {
	if simd.Assembly && with.AVX2() {
		copyDepthsVector(&dst[0], &src[0], &moves[0].from, len(moves))
		return
	}
	for _, q := range moves {
		to := (*[raster.QuadPixels]float32)(dst[int(q.to)*raster.QuadPixels&(raster.Lanes-1):])
		for j, z := range (*[raster.QuadPixels]float32)(src[int(q.from)*raster.QuadPixels&(raster.Lanes-1):]) {
			old := math.Float32bits(to[j])
			to[j] = math.Float32frombits(old ^ (old^math.Float32bits(z))&-(uint32(q.pixels)>>j&1))
		}
	}
}

// copyBytes copies bytes in the same way.
func copyBytes(with simd.Kernels, dst, src *Bytes, moves []quadCopy) {
	if simd.Assembly && with.AVX2() {
		copyBytesVector(&dst[0], &src[0], &moves[0].from, len(moves))
		return
	}
	for _, q := range moves {
		to := (*[raster.QuadPixels]uint8)(dst[int(q.to)*raster.QuadPixels&(raster.Lanes-1):])
		for j, v := range (*[raster.QuadPixels]uint8)(src[int(q.from)*raster.QuadPixels&(raster.Lanes-1):]) {
			to[j] ^= (to[j] ^ v) & -(q.pixels >> j & 1)
		}
	}
}

// runUnpacked fills the unpacked blocks with their quads, tests and writes them, and
// clears them.
func (o *output) runUnpacked(m *machine, moves []quadCopy) {
	packed := m.b
	if len(moves) > 0 {
		copyDepths(m.with, &m.unpacked.Depth, &packed.Depth, moves)
		if o.writeColor {
			for ch, ref := range o.color {
				copyBytes(m.with, &m.c[cUnpacked][ch], m.plane(ref), moves)
			}
		}
	}
	m.b = &m.unpacked
	o.blocks(m, wholeRef(cUnpacked))
	m.b = packed
	m.unpacked.Blocks = 0
}
