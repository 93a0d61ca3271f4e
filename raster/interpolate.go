package raster

import "pica200/pica"

// Interpolate fills dst with the perspective-correct value of component s for
// every lane in use: v + W0*(v0-v) + W1*(v1-v) + W2*(v2-v) with the v of slopes.
// What is the same at two vertices comes out unchanged on the edge between them,
// and what is the same at all three everywhere.
func (b *Batch) Interpolate(s pica.Semantic, dst *Plane) {
	place := b.layout.Place(s)
	if b.Packed {
		b.interpolateQuads(place, dst)
		return
	}
	runs, first := b.Runs(), 0
	for i, n := range runs {
		b.planes[i] = b.slopes(&b.Block[first].V, place)
		first += int(n)
	}
	if b.Kernels.AVX2() {
		interpolateAVX2(&b.planes[0][0], &runs[0], &b.W0[0], &dst[0], len(runs))
		return
	}
	at := 0
	for i, n := range runs {
		v, lanes := &b.planes[i], int(n)*BlockPixels
		w0, w1, w2, d := b.W0[at:][:lanes], b.W1[at:][:lanes], b.W2[at:][:lanes], dst[at:][:lanes]
		for j := range d {
			d[j] = v[0] + float32(w0[j]*v[1]) + float32(w1[j]*v[2]) + float32(w2[j]*v[3])
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
				p[i] = [4]float32{1}
			}
		} else {
			slopesAVX2(&b.attributes[0], b.first+place, b.layout.N, &b.faces[0][0], &p[0][0], b.used)
		}
		interpolateQuadsAVX2(&p[0][0], &b.face[0], &b.W0[0], &dst[0], quads)
		return
	}
	for i := range b.faces[:b.used] {
		p[i] = b.slopes(&b.faces[i], place)
	}
	for i, f := range b.face[:quads] {
		v := &p[f%BatchQuads]
		w0 := (*[QuadPixels]float32)(b.W0[i*QuadPixels:])
		w1 := (*[QuadPixels]float32)(b.W1[i*QuadPixels:])
		w2 := (*[QuadPixels]float32)(b.W2[i*QuadPixels:])
		d := (*[QuadPixels]float32)(dst[i*QuadPixels:])
		for j := range d {
			d[j] = v[0] + float32(w0[j]*v[1]) + float32(w1[j]*v[2]) + float32(w2[j]*v[3])
		}
	}
}
