package fragment

import (
	"encoding/binary"

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

// spreadNibble expands each bit of its index to a byte of ones.
var spreadNibble = func() (t [16]uint32) {
	for i := range t {
		for bit := range 4 {
			t[i] |= uint32(i) >> bit & 1 * 0xFF << (8 * bit)
		}
	}
	return t
}()

// runPacked is run for a packed batch.
func (o *output) runPacked(m *machine) {
	packed, b := m.b, &m.placed
	var place [numPlaces]uint8 // last block opened at places with a given hash, plus one
	b.Blocks = 0
	var planes [4]*Bytes // of the fragments' colour
	if o.writeColor {
		for ch, ref := range o.color {
			planes[ch] = m.plane(ref)
		}
	}
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
				o.runPlaced(m)
				clear(place[:])
			}
			i = b.Blocks
			b.Blocks++
			b.Block[i] = raster.Block{X: x, Y: y, Triangle: uint32(i)}
			b.Mask[i] = 0
			*p = uint8(i + 1)
		}
		whole := b.Mask[i]>>(4*part)&0xF == 0 // nothing to keep
		b.Mask[i] |= pixels << (4 * part)
		from, to := q*raster.QuadPixels, i*raster.BlockPixels+int(part)*raster.QuadPixels
		m.moveQuad(&planes, from, to, pixels, whole)
	}
	o.runPlaced(m)
}

// moveQuad copies depth and colour, unless that has no planes, of a quad from a lane of the
// packed batch to one of the placed blocks.
func (m *machine) moveQuad(planes *[4]*Bytes, from, to int, pixels uint16, whole bool) {
	from, to = from&(raster.Lanes-raster.QuadPixels), to&(raster.Lanes-raster.QuadPixels)
	src := (*[raster.QuadPixels]float32)(m.b.Depth[from:])
	dst := (*[raster.QuadPixels]float32)(m.placed.Depth[to:])
	color := &m.c[cPlaced]
	if whole {
		*dst = *src
		if planes[0] != nil {
			for ch, p := range planes {
				*(*[raster.QuadPixels]uint8)(color[ch][to:]) = *(*[raster.QuadPixels]uint8)(p[from:])
			}
		}
		return
	}
	for j := range dst {
		if pixels>>j&1 != 0 {
			dst[j] = src[j]
		}
	}
	if planes[0] == nil {
		return
	}
	keep := ^spreadNibble[pixels&15]
	for ch, p := range planes {
		s, d := p[from:][:raster.QuadPixels], color[ch][to:][:raster.QuadPixels]
		binary.LittleEndian.PutUint32(d, binary.LittleEndian.Uint32(d)&keep|binary.LittleEndian.Uint32(s)&^keep)
	}
}

// runPlaced tests and writes the placed blocks, and clears them.
func (o *output) runPlaced(m *machine) {
	packed := m.b
	m.b = &m.placed
	o.blocks(m, wholeRef(cPlaced))
	m.b = packed
	m.placed.Blocks = 0
}
