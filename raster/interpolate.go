package raster

import "pica200/pica"

// Interpolate fills dst with the perspective-correct value of component s for
// every lane in use: v0 + W1*(v1-v0) + W2*(v2-v0). A component that is the
// same at all three vertices comes out unchanged.
func (b *Batch) Interpolate(s pica.Semantic, dst *Plane) {
	place := b.layout.Place(s)
	if b.Packed {
		b.interpolateQuads(place, dst)
		return
	}
	if b.Kernels.AVX2() {
		p := &b.planes
		for i := range b.Block[:b.Blocks] {
			if i > 0 && b.Block[i].V == b.Block[i-1].V {
				p[i] = p[i-1]
				continue
			}
			a, d1, d2 := b.slopes(&b.Block[i].V, place)
			p[i] = [4]float32{a, d1, d2}
		}
		interpolateAVX2(&p[0][0], &b.W1[0], &b.W2[0], &dst[0], b.Blocks)
		return
	}
	for i := range b.Block[:b.Blocks] {
		a0, d1, d2 := b.slopes(&b.Block[i].V, place)
		w1 := (*[BlockPixels]float32)(b.W1[i*BlockPixels:])
		w2 := (*[BlockPixels]float32)(b.W2[i*BlockPixels:])
		d := (*[BlockPixels]float32)(dst[i*BlockPixels:])
		for j := range d {
			d[j] = a0 + float32(w1[j]*d1) + float32(w2[j]*d2)
		}
	}
}

// interpolateQuads is Interpolate for a packed batch.
func (b *Batch) interpolateQuads(place int, dst *Plane) {
	p := &b.planes
	for i := range b.faces[:b.used] {
		a, d1, d2 := b.slopes(&b.faces[i], place)
		p[i] = [4]float32{a, d1, d2}
	}
	quads := b.Blocks * (BlockPixels / QuadPixels)
	if b.Kernels.AVX2() {
		interpolateQuadsAVX2(&p[0][0], &b.face[0], &b.W1[0], &b.W2[0], &dst[0], quads)
		return
	}
	for i, f := range b.face[:quads] {
		v := &p[f%BatchQuads]
		w1 := (*[QuadPixels]float32)(b.W1[i*QuadPixels:])
		w2 := (*[QuadPixels]float32)(b.W2[i*QuadPixels:])
		d := (*[QuadPixels]float32)(dst[i*QuadPixels:])
		for j := range d {
			d[j] = v[0] + float32(w1[j]*v[1]) + float32(w2[j]*v[2])
		}
	}
}
