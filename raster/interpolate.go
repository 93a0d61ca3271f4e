package raster

import "pica200/pica"

// Interpolate fills dst with the perspective-correct value of component s for
// every lane in use: v0 + W1*(v1-v0) + W2*(v2-v0). A component that is the
// same at all three vertices comes out unchanged.
func (b *Batch) Interpolate(s pica.Semantic, dst *Plane) {
	s &= 31
	if s >= 24 {
		s = 0
	}
	if b.Kernels.AVX2() {
		var p [BatchBlocks][3]float32
		for i := range b.Block[:b.Blocks] {
			v := &b.Block[i].V
			a := v[0].Vertex[s]
			p[i] = [3]float32{a, v[1].Vertex[s] - a, v[2].Vertex[s] - a}
		}
		interpolateAVX2(&p[0][0], &b.W1[0], &b.W2[0], &dst[0], b.Blocks)
		return
	}
	for i := range b.Block[:b.Blocks] {
		v := &b.Block[i].V
		a0 := v[0].Vertex[s]
		d1 := v[1].Vertex[s] - a0
		d2 := v[2].Vertex[s] - a0
		w1 := (*[BlockPixels]float32)(b.W1[i*BlockPixels:])
		w2 := (*[BlockPixels]float32)(b.W2[i*BlockPixels:])
		d := (*[BlockPixels]float32)(dst[i*BlockPixels:])
		for j := range d {
			d[j] = a0 + float32(w1[j]*d1) + float32(w2[j]*d2)
		}
	}
}
