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
// opened at its place if no earlier quad drew the same pixels there, otherwise
// it opens a new block.

// numPlaces is the number of places that are remembered.
const numPlaces = 64

// quadMove is a quad of a packed batch and its place among the placed blocks.
type quadMove struct {
	// The kernels depend on the order of these fields.
	from, to, pixels uint8
	_                uint8
}

// runPacked is run for a packed batch.
func (o *output) runPacked(m *machine) {
	packed, b := m.b, &m.placed
	var place [numPlaces]uint8 // last block opened at places with a given hash, plus one
	var moves [quads]quadMove
	n := 0
	b.Blocks = 0
	for q := range packed.Quads {
		pixels := packed.Mask[q/4] >> (q % 4 * 4) & 0xF
		if pixels == 0 {
			continue
		}
		at := &packed.Quad[q]
		x, y := at.X&^3, at.Y&^3
		part := uint(at.X>>1&1 | at.Y&2) // number of the quad in its block
		p := &place[(x>>2^y>>2*5)&(numPlaces-1)]
		i := int(*p) - 1
		if i < 0 || b.Block[i].X != x || b.Block[i].Y != y || b.Mask[i]>>(4*part)&pixels != 0 {
			if b.Blocks == raster.BatchBlocks {
				o.runPlaced(m, moves[:n])
				clear(place[:])
				n = 0
			}
			i = b.Blocks
			b.Blocks++
			b.Block[i] = raster.Block{X: x, Y: y, Triangle: uint32(i)}
			b.Mask[i] = 0
			*p = uint8(i + 1)
		}
		b.Mask[i] |= pixels << (4 * part)
		moves[n%quads] = quadMove{from: uint8(q), to: uint8(4*i) + uint8(part), pixels: uint8(pixels)}
		n++
	}
	o.runPlaced(m, moves[:n])
}

// placeDepths copies the depths of the pixels of quads, without branches.
func placeDepths(with simd.Kernels, dst, src *raster.Plane, moves []quadMove) {
	if simd.Assembly && with.AVX2() {
		placeDepthsVector(&dst[0], &src[0], &moves[0].from, len(moves))
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

// placeBytes copies bytes in the same way.
func placeBytes(with simd.Kernels, dst, src *Bytes, moves []quadMove) {
	if simd.Assembly && with.AVX2() {
		placeBytesVector(&dst[0], &src[0], &moves[0].from, len(moves))
		return
	}
	for _, q := range moves {
		to := (*[raster.QuadPixels]uint8)(dst[int(q.to)*raster.QuadPixels&(raster.Lanes-1):])
		for j, v := range (*[raster.QuadPixels]uint8)(src[int(q.from)*raster.QuadPixels&(raster.Lanes-1):]) {
			to[j] ^= (to[j] ^ v) & -(q.pixels >> j & 1)
		}
	}
}

// runPlaced fills the placed blocks with their quads, tests and writes them, and
// clears them.
func (o *output) runPlaced(m *machine, moves []quadMove) {
	packed := m.b
	if len(moves) > 0 {
		placeDepths(m.with, &m.placed.Depth, &packed.Depth, moves)
		if o.writeColor {
			for ch, ref := range o.color {
				placeBytes(m.with, &m.c[cPlaced][ch], m.plane(ref), moves)
			}
		}
	}
	m.b = &m.placed
	o.blocks(m, wholeRef(cPlaced))
	m.b = packed
	m.placed.Blocks = 0
}
