package fragment

import (
	"encoding/binary"

	"pica200/internal/simd"
	"pica200/raster"
)

// Blocks along the edges of triangles contain quads without pixels. A long
// program runs only over the other quads, which are copied together into one
// batch. The results are copied back to the blocks, which are then tested and
// written.

// compacted is the batch of quads that have pixels.
type compacted struct {
	batch raster.Batch
	from  [raster.BatchQuads]uint8 // its quad i is quad from[i] of whole
	whole *raster.Batch            // batch of the blocks, while batch is replaced
	_     [56]byte                 // to the end of a cache line
}

// When compacting pays: an op over a block takes about as long as copying a
// quad there and back.
var compacting = struct {
	ops  int // least number of ops of a program
	cost int // cost of copying a quad, in ops over a block
}{12, 2}

// compact makes the compacted batch if that pays, and reports whether any quad
// has pixels.
func (p *program) compact(m *machine, b *raster.Batch) (any bool) {
	if b.Packed || p.work < compacting.ops {
		return true
	}
	quads := b.LiveQuads()
	saved := b.Blocks - (quads+3)/4
	if saved*p.work < compacting.cost*quads {
		return true
	}
	if quads == 0 {
		return false
	}
	c := &m.compacted
	b.Compact(&c.batch, &c.from)
	gatherQuads(m.with, &c.batch, b, &c.from)
	c.whole, m.b, m.n = b, &c.batch, c.batch.N()
	return true
}

// gatherQuads copies the planes of quads from[...] of b to a batch.
func gatherQuads(with simd.Kernels, to, b *raster.Batch, from *[raster.BatchQuads]uint8) {
	if simd.Assembly && with.AVX2() {
		gatherQuadsVector(&to.W0[0], &b.W0[0], &from[0], to.Quads)
		return
	}
	planes := [...][2]*raster.Plane{{&to.W0, &b.W0}, {&to.W1, &b.W1}, {&to.W2, &b.W2}, {&to.Depth, &b.Depth}}
	for _, p := range planes {
		for q, at := range from[:to.Quads] {
			copy(p[0][q*raster.QuadPixels:], p[1][int(at)*raster.QuadPixels:][:raster.QuadPixels])
		}
	}
}

// scatterQuads copies bytes of quads to quads from[...].
func scatterQuads(with simd.Kernels, dst, src *Bytes, from *[raster.BatchQuads]uint8, quads int) {
	if simd.Assembly && with.AVX2() {
		scatterQuadsVector(&dst[0], &src[0], &from[0], quads)
		return
	}
	for q, at := range from[:quads] {
		binary.LittleEndian.PutUint32(dst[int(at)*raster.QuadPixels:], binary.LittleEndian.Uint32(src[q*raster.QuadPixels:]))
	}
}

// runCompacted is run for a batch that compact made.
func (o *output) runCompacted(m *machine) {
	c := &m.compacted
	b, color := c.whole, o.color
	c.whole, m.b, m.n = nil, b, b.N()
	if o.tested {
		var alive [raster.BatchBlocks]uint16
		for q, at := range c.from[:c.batch.Quads] {
			alive[at/4%raster.BatchBlocks] |= c.batch.Mask[q/4%raster.BatchBlocks] >> (q % 4 * 4) & 0xF << (at % 4 * 4)
		}
		for i := range b.Mask {
			b.Mask[i] &= alive[i]
		}
	}
	if o.writeColor {
		for ch, ref := range color {
			if !isConstant(ref.reg) {
				color[ch] = planeRef{cUnpacked, uint8(ch)}
				scatterQuads(m.with, m.plane(color[ch]), m.plane(ref), &c.from, c.batch.Quads)
			}
		}
	}
	o.blocks(m, color)
}

// isConstant reports whether a colour register has the same colour in all
// lanes.
func isConstant(reg uint8) bool {
	return reg >= firstConst && reg < firstConst+numConsts || reg == cZero || reg == cOpaque
}
