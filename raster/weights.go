package raster

import "pica200/internal/simd"

// Values that are linear over the screen: at + dx*x + dy*y for the centre of
// pixel (x, y).
const (
	lineDepth = iota
	lineSum   // of the numerators of all three weights
	lineP1    // numerators of the weights of vertices 1 and 2
	lineP2
	numLines
)

// gradients are what a triangle needs to interpolate.
//
// With e0, e1, e2 the edge functions and w the clip-space w of each vertex,
// the perspective-correct weight of vertex i is (ei/wi) / (e0/w0+e1/w1+e2/w2).
// Numerators and sum are linear over the screen. Depth is linear as it is.
//
// They are kept in float64 and rounded once a block, so that a large triangle
// is as exact at its far corner as at its near one.
//
// BiasedWeights: the edge functions are those of coverage, with the unit in
// them that the fill rule takes off edges that own no pixels. That moves
// attributes by less than 1/256 of a pixel; where a texel boundary lies exactly
// on pixel centres, as in two-dimensional graphics, it decides which texel is
// read. Another implementation does the same, and its images then agree to the
// last bit; what the console does was never measured.
type gradients struct {
	// The kernels know the order of these six.
	at, dx, dy [numLines]float64
	sx, sy     [numLines]float32 // dx and dy, rounded
	now        [numLines]float32 // values at the first pixel of the block at hand

	kernels simd.Kernels
	area    float64
}

// setup derives the gradients from the triangle and the depth map
// (GPUREG_DEPTHMAP_SCALE and _OFFSET, 0x04D and 0x04E).
func (g *gradients) setup(t *triangle, d *Draw) {
	var eAt, eDX, eDY, pAt, pDX, pDY [3]float64
	for i := range t.e {
		te := &t.e[i]
		eAt[i], eDX[i], eDY[i] = float64(te.c), float64(te.stepX), float64(te.stepY)
		w := float64(t.v[i].InvW)
		pAt[i], pDX[i], pDY[i] = float64(eAt[i]*w), float64(eDX[i]*w), float64(eDY[i]*w)
	}
	g.at[lineP1], g.dx[lineP1], g.dy[lineP1] = pAt[1], pDX[1], pDY[1]
	g.at[lineP2], g.dx[lineP2], g.dy[lineP2] = pAt[2], pDX[2], pDY[2]
	g.at[lineSum] = pAt[0] + pAt[1] + pAt[2]
	g.dx[lineSum] = pDX[0] + pDX[1] + pDX[2]
	g.dy[lineSum] = pDY[0] + pDY[1] + pDY[2]

	// The sum of the edge functions is twice the area everywhere.
	g.area = eAt[0] + eAt[1] + eAt[2]
	inv := 1 / g.area
	z0 := float64(t.v[0].Z)
	k1 := (float64(t.v[1].Z) - z0) * inv * float64(d.DepthScale)
	k2 := (float64(t.v[2].Z) - z0) * inv * float64(d.DepthScale)
	g.at[lineDepth] = float64(z0*float64(d.DepthScale)) + float64(d.DepthOffset) + (float64(eAt[1]*k1) + float64(eAt[2]*k2))
	g.dx[lineDepth] = float64(eDX[1]*k1) + float64(eDX[2]*k2)
	g.dy[lineDepth] = float64(eDY[1]*k1) + float64(eDY[2]*k2)
	g.round()
}

// round makes the rounded steps.
func (g *gradients) round() {
	for i := range numLines {
		g.sx[i], g.sy[i] = float32(g.dx[i]), float32(g.dy[i])
	}
}

// fill evaluates a line for the 16 pixels of the block at hand in Morton order.
func (g *gradients) fill(line int, dst *[BlockPixels]float32) {
	at, dx, dy := g.now[line], g.sx[line], g.sy[line]
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

// depths goes to the block at (x, y) and writes the depth of its 16 pixels,
// clamped to 0..1. With w-buffering (GPUREG_DEPTHMAP_ENABLE = 0, 0x06D) it is
// multiplied by w.
func (g *gradients) depths(x, y int32, wbuffer bool, dst *[BlockPixels]float32) {
	if g.kernels.AVX2() && !wbuffer {
		depthsAVX2(&g.at[0], x, y, &dst[0])
		return
	}
	for i := range g.now {
		v := float64(g.dx[i]*float64(x)) + float64(g.dy[i]*float64(y))
		g.now[i] = float32(g.at[i] + v)
	}
	g.fill(lineDepth, dst)
	if wbuffer {
		var s [BlockPixels]float32
		g.fill(lineSum, &s)
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

// weights writes the perspective-correct weights of vertices 1 and 2 for the
// block that depths went to.
func (g *gradients) weights(w1, w2 *[BlockPixels]float32) {
	if g.kernels.AVX2() {
		weightsAVX2(&g.at[0], &w1[0], &w2[0])
		return
	}
	var s [BlockPixels]float32
	g.fill(lineSum, &s)
	g.fill(lineP1, w1)
	g.fill(lineP2, w2)
	for i := range s {
		r := 1 / s[i]
		w1[i] *= r
		w2[i] *= r
	}
}
