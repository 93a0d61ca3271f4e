package raster

import "pica200/internal/simd"

// gradient is a value that is linear over the screen: at + dx*x + dy*y for the
// centre of pixel (x, y). It is kept in float64 and rounded once a block, so
// that a large triangle is as exact at its far corner as at its near one.
type gradient struct {
	at, dx, dy float64
}

// block gives the value at the first pixel of a block and the steps inside it.
func (g *gradient) block(x, y int32) (at, dx, dy float32) {
	v := float64(g.dx*float64(x)) + float64(g.dy*float64(y))
	return float32(g.at + v), float32(g.dx), float32(g.dy)
}

// fill evaluates the gradient for the 16 pixels of a block in Morton order.
func fill(dst *[BlockPixels]float32, at, dx, dy float32) {
	dx2, dx3 := dx+dx, dx+dx+dx
	r0 := at
	r1 := at + dy
	r2 := r1 + dy
	r3 := r2 + dy
	dst[0], dst[1], dst[2], dst[3] = r0, r0+dx, r1, r1+dx
	dst[4], dst[5], dst[6], dst[7] = r0+dx2, r0+dx3, r1+dx2, r1+dx3
	dst[8], dst[9], dst[10], dst[11] = r2, r2+dx, r3, r3+dx
	dst[12], dst[13], dst[14], dst[15] = r2+dx2, r2+dx3, r3+dx2, r3+dx3
}

// gradients are what a triangle needs to interpolate.
//
// With e0, e1, e2 the edge functions and w the clip-space w of each vertex,
// the perspective-correct weight of vertex i is (ei/wi) / (e0/w0+e1/w1+e2/w2).
// Numerators and sum are linear over the screen. Depth is linear as it is.
//
// BiasedWeights: the edge functions are those of coverage, with the unit in
// them that the fill rule takes off edges that own no pixels. That moves
// attributes by less than 1/256 of a pixel; where a texel boundary lies exactly
// on pixel centres, as in two-dimensional graphics, it decides which texel is
// read. Another implementation does the same, and its images then agree to the
// last bit; what the console does was never measured.
type gradients struct {
	kernels simd.Kernels

	p1, p2, sum gradient
	depth       gradient
	area        float64
}

// setup derives the gradients from the triangle and the depth map
// (GPUREG_DEPTHMAP_SCALE and _OFFSET, 0x04D and 0x04E).
func (g *gradients) setup(t *triangle, d *Draw) {
	var p [3]gradient
	var e [3]gradient
	for i := range p {
		te := &t.e[i]
		e[i] = gradient{float64(te.c), float64(te.stepX), float64(te.stepY)}
		w := float64(t.v[i].InvW)
		p[i] = gradient{float64(e[i].at * w), float64(e[i].dx * w), float64(e[i].dy * w)}
	}
	g.p1, g.p2 = p[1], p[2]
	g.sum = gradient{p[0].at + p[1].at + p[2].at, p[0].dx + p[1].dx + p[2].dx, p[0].dy + p[1].dy + p[2].dy}

	// The sum of the edge functions is twice the area everywhere.
	g.area = e[0].at + e[1].at + e[2].at
	inv := 1 / g.area
	z0 := float64(t.v[0].Z)
	k1 := (float64(t.v[1].Z) - z0) * inv * float64(d.DepthScale)
	k2 := (float64(t.v[2].Z) - z0) * inv * float64(d.DepthScale)
	g.depth = gradient{
		float64(z0*float64(d.DepthScale)) + float64(d.DepthOffset) + (float64(e[1].at*k1) + float64(e[2].at*k2)),
		float64(e[1].dx*k1) + float64(e[2].dx*k2),
		float64(e[1].dy*k1) + float64(e[2].dy*k2),
	}
}

// depths writes the depth of the 16 pixels of a block, clamped to 0..1. With
// w-buffering (GPUREG_DEPTHMAP_ENABLE = 0, 0x06D) it is multiplied by w.
func (g *gradients) depths(x, y int32, wbuffer bool, dst *[BlockPixels]float32) {
	at, dx, dy := g.depth.block(x, y)
	if g.kernels.AVX2() && !wbuffer {
		p := [3]float32{at, dx, dy}
		depthsAVX2(&p[0], &dst[0])
		return
	}
	fill(dst, at, dx, dy)
	if wbuffer {
		var s [BlockPixels]float32
		at, dx, dy = g.sum.block(x, y)
		fill(&s, at, dx, dy)
		area := float32(g.area)
		for i := range dst {
			dst[i] *= area / s[i]
		}
	}
	for i, d := range dst {
		// The first comparison also takes a NaN, of a pixel outside a
		// triangle, to 0.
		if !(d > 0) {
			d = 0
		}
		if d > 1 {
			d = 1
		}
		dst[i] = d
	}
}

// weights writes the perspective-correct weights of vertices 1 and 2.
func (g *gradients) weights(x, y int32, w1, w2 *[BlockPixels]float32) {
	var p [9]float32
	p[0], p[1], p[2] = g.sum.block(x, y)
	p[3], p[4], p[5] = g.p1.block(x, y)
	p[6], p[7], p[8] = g.p2.block(x, y)
	if g.kernels.AVX2() {
		weightsAVX2(&p[0], &w1[0], &w2[0])
		return
	}
	var s [BlockPixels]float32
	fill(&s, p[0], p[1], p[2])
	fill(w1, p[3], p[4], p[5])
	fill(w2, p[6], p[7], p[8])
	for i := range s {
		r := 1 / s[i]
		w1[i] *= r
		w2[i] *= r
	}
}
