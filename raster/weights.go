package raster

import "pica200/internal/simd"

// Barycentric: with the edge functions e0, e1, e2 (without coverage's bias) and
// the clip-space w of each vertex, the weight of vertex i is (ei/wi) / (e0/w0 +
// e1/w1 + e2/w2). For depth, which is linear on the screen, it is ei / (e0 + e1
// + e2). The functions are exact integers, rounded to float32 at each pixel,
// and nothing is subtracted afterwards. So a weight is 0 on the edge opposite
// to its vertex, 1 at the vertex, never negative inside, and off by less than 7
// parts in 2^24 however thin the triangle is. It does not depend on the block
// or the code path.

// basis holds the coefficients from which a triangle's pixels are computed.
type basis struct {
	// The kernels depend on the order of these fields.
	c, stepX, stepY [4]float64 // of the three edges, as in edge; integers
	bias            [4]int32   // of the three edges
	invW            [3]float32 // of the vertices
	from            float32    // depth at one vertex
	depth           [4]float32 // increase of depth for each unit of an edge function
}

// lanes is the increment of the edge functions from the first pixel of a block
// to each pixel.
type lanes [3][BlockPixels]int32

// gradients are what interpolation in a triangle needs.
type gradients struct {
	// The kernels depend on the order of these three fields.
	basis
	lanes lanes
	now   [4]int32 // edge functions at the first pixel of the current block

	vector bool                    // the vector kernels draw the triangle; the fields below are not set
	e      [3][BlockPixels]float32 // edge functions in the current block
	area   float32                 // twice the triangle's area in square subpixels
}

// setup computes the gradients of a triangle from its vertices and the depth
// map (GPUREG_DEPTHMAP_SCALE and _OFFSET, 0x04D and 0x04E). The vector kernels
// draw it if its edge functions fit 32 bits.
func (g *gradients) setup(t *triangle, d *Draw, k simd.Kernels) {
	area := float64(t.e[0].c + t.e[1].c + t.e[2].c)
	g.area = float32(area)

	// The vertex that vertices.slopes would choose, for the same reason.
	from := t.v[0].Z
	if t.v[1].Z == t.v[2].Z {
		from = t.v[1].Z
	}
	z, scale, inv := float64(from), float64(d.DepthScale), 1/area
	g.from = float32(float64(z*scale) + float64(d.DepthOffset))
	for i, v := range t.v {
		g.invW[i], g.depth[i] = v.InvW, float32((float64(v.Z)-z)*inv*scale)
	}
	g.vector = k.Vector() && !d.WBuffer && exact(t.minX, t.maxX, t.minY, t.maxY)
	if simd.Vectors && g.vector {
		for i := range t.e {
			e := &t.e[i]
			g.c[i], g.stepX[i], g.stepY[i] = float64(e.c), float64(e.stepX), float64(e.stepY)
		}
		lanesVector(&g.c[0])
	}
}

// depths makes the block at (x, y) the current one and writes the depths of its
// 16 pixels, clamped to 0..1. With w-buffering (GPUREG_DEPTHMAP_ENABLE = 0,
// 0x06D) they are multiplied by w.
func (g *gradients) depths(t *triangle, x, y int32, wbuffer bool, dst *[BlockPixels]float32) {
	if simd.Vectors && g.vector {
		depthsVector(&g.c[0], x, y, &dst[0])
		return
	}
	for i := range t.e {
		t.e[i].fill(x, y, &g.e[i])
	}
	for i := range dst {
		v := g.from + float32(g.e[0][i]*g.depth[0]) + float32(g.e[1][i]*g.depth[1]) + float32(g.e[2][i]*g.depth[2])
		if wbuffer {
			_, _, _, s := g.numerators(i)
			v *= g.area / s
		}
		// The first comparison also turns a NaN, at a pixel outside of the triangle,
		// into 0.
		if !(v > 0) {
			v = 0
		}
		if v > 1 {
			v = 1
		}
		dst[i] = v
	}
}

// fill evaluates the function for the 16 pixels of the block at (x, y) in Morton
// order.
func (e *edge) fill(x, y int32, dst *[BlockPixels]float32) {
	dx, dy := e.stepX, e.stepY
	for i := 0; i < BlockPixels; i += QuadPixels {
		v := dx*int64(x+int32(PixelX[i])) + dy*int64(y+int32(PixelY[i])) + e.c
		dst[i], dst[i+1], dst[i+2], dst[i+3] = float32(v), float32(v+dx), float32(v+dy), float32(v+dx+dy)
	}
}

// numerators returns the numerators of the three weights at a pixel of the
// current block, and their sum.
func (g *gradients) numerators(i int) (p0, p1, p2, sum float32) {
	p0, p1, p2 = float32(g.e[0][i]*g.invW[0]), float32(g.e[1][i]*g.invW[1]), float32(g.e[2][i]*g.invW[2])
	return p0, p1, p2, p0 + p1 + p2
}

// weights writes the perspective-correct weights of the current block, from a
// lane of the batch on.
func (g *gradients) weights(b *Batch, lane int) {
	w0, w1, w2 := (*[BlockPixels]float32)(b.W0[lane:]), (*[BlockPixels]float32)(b.W1[lane:]), (*[BlockPixels]float32)(b.W2[lane:])
	if simd.Vectors && g.vector {
		weightsVector(&g.c[0], &w0[0])
		return
	}
	for i := range w0 {
		p0, p1, p2, sum := g.numerators(i)
		w0[i], w1[i], w2[i] = p0/sum, p1/sum, p2/sum
	}
}
