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
	runs, first := b.Runs(), 0
	for i, n := range runs {
		a, d1, d2 := b.slopes(&b.Block[first].V, place)
		b.planes[i] = [4]float32{a, d1, d2}
		first += int(n)
	}
	if b.Kernels.AVX2() {
		interpolateAVX2(&b.planes[0][0], &runs[0], &b.W1[0], &b.W2[0], &dst[0], len(runs))
		return
	}
	at := 0
	for i, n := range runs {
		v, lanes := &b.planes[i], int(n)*BlockPixels
		w1, w2, d := b.W1[at:][:lanes], b.W2[at:][:lanes], dst[at:][:lanes]
		for j := range d {
			d[j] = v[0] + float32(w1[j]*v[1]) + float32(w2[j]*v[2])
		}
		at += lanes
	}
}

// interpolateQuads is Interpolate for a packed batch.
func (b *Batch) interpolateQuads(place int, dst *Plane) {
	p := &b.planes
	quads := b.Blocks * (BlockPixels / QuadPixels)
	if b.Kernels.AVX2() {
		if place < 0 {
			for i := range b.used {
				p[i] = [4]float32{1, 0, 0}
			}
		} else {
			slopesAVX2(&b.attributes[0], b.first+place, b.layout.N, &b.faces[0][0], &p[0][0], b.used)
		}
		interpolateQuadsAVX2(&p[0][0], &b.face[0], &b.W1[0], &b.W2[0], &dst[0], quads)
		return
	}
	for i := range b.faces[:b.used] {
		a, d1, d2 := b.slopes(&b.faces[i], place)
		p[i] = [4]float32{a, d1, d2}
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
