package raster

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// FillRule: a pixel belongs to a triangle if its centre is inside, or on an
// edge towards smaller window x or, for a horizontal edge, towards smaller
// window y. The console's rule was never measured; this is the rule of other
// implementations, taken over from the PSP, as seen in the window. In memory
// orientation y is reversed, so the horizontal edge that counts is the one at
// the greater row; in a target that is upside down it is the other one.

// subpixel is the number of positions in a pixel of the rasterizer's 12.4
// fixed-point grid (GPUREG_VIEWPORT_XY).
const (
	subpixelBits = 4
	subpixel     = 1 << subpixelBits
)

// edge is an edge function: stepX*px + stepY*py + c at the centre of pixel (px,
// py), in square subpixels. It is 0 on the edge and positive inside; the sum of
// a triangle's three is twice its area. Weights use it as it is. Coverage
// subtracts bias, which is 1 if the edge does not own the centres on it.
type edge struct {
	stepX, stepY, c, bias int64
}

// owned returns the c for coverage: a centre belongs to the triangle if no
// function with this c is negative.
func (e *edge) owned() int64 { return e.c - e.bias }

// triangle is a triangle, set up for a target of a given height.
type triangle struct {
	id [3]uint32               // indices of the vertices; second and third as the weights have them
	v  [3]*pica.ScreenPosition // positions of the vertices
	e  [3]edge                 // e[i] is opposite to v[i]

	minX, maxX, minY, maxY int32 // pixels whose centre can be inside
}

// setup sets up the triangle id for a target of height rows, which is upside
// down if flip is set. Its vertices are counter-clockwise in the window (+y
// up). If no pixel of area can be inside, setup returns false and sets only the
// range of pixels.
func (t *triangle) setup(vertices []pica.ScreenPosition, id Triangle, height int32, flip bool, area *Rect) bool {
	if !flip {
		// Mirroring y makes counter-clockwise clockwise. Exchanging two vertices keeps
		// the inside at the positive side of every edge.
		id[1], id[2] = id[2], id[1]
	}
	v0, v1, v2 := &vertices[id[0]], &vertices[id[1]], &vertices[id[2]]
	t.id, t.v = id, [3]*pica.ScreenPosition{v0, v1, v2}
	x := [3]int64{int64(v0.X), int64(v1.X), int64(v2.X)}
	y := [3]int64{int64(v0.Y), int64(v1.Y), int64(v2.Y)}
	if !flip {
		top := int64(height) * subpixel
		y = [3]int64{top - y[0], top - y[1], top - y[2]}
	}

	// A centre at subpixel/2 is in the range if min <= centre <= max.
	const half = subpixel / 2
	t.minX = int32((min(x[0], x[1], x[2]) + half - 1) >> subpixelBits)
	t.maxX = int32((max(x[0], x[1], x[2]) - half) >> subpixelBits)
	t.minY = int32((min(y[0], y[1], y[2]) + half - 1) >> subpixelBits)
	t.maxY = int32((max(y[0], y[1], y[2]) - half) >> subpixelBits)
	if max(t.minX, area.X0) > min(t.maxX, area.X1) || max(t.minY, area.Y0) > min(t.maxY, area.Y1) {
		return false
	}

	for i := range t.e {
		p, q := (i+1)%3, (i+2)%3
		a := y[p] - y[q]
		b := x[q] - x[p]
		c := -a*x[p] - b*y[p] + (a+b)*half
		bias := int64(0)
		if a < 0 || a == 0 && (b > 0) != flip {
			bias = 1
		}
		t.e[i] = edge{a * subpixel, b * subpixel, c, bias}
	}
	return true
}

// exactSide is the greatest width and height in pixels of a triangle that the
// kernels draw. Its edge functions fit 32 bits at all centres in the blocks
// that it touches: twice the area is at most (exactSide*subpixel)^2 = 2^30.
const exactSide = 2048

// exact reports whether a triangle's edge functions fit 32 bits.
func exact(minX, maxX, minY, maxY int32) bool {
	return maxX-minX < exactSide && maxY-minY < exactSide
}

// smallSide is the greatest width and height in pixels of a small triangle.
const smallSide = 8

// small reports whether the triangle is drawn with cover and packed.
func (t *triangle) small() bool {
	return t.maxX-t.minX < smallSide && t.maxY-t.minY < smallSide
}

// cover returns the pixels of the block at (x, y) inside a small triangle. The
// block must be near the triangle, so that all values fit 32 bits.
func (t *triangle) cover(x, y int32, k simd.Kernels) uint16 {
	var e [3][3]int32 // values at the first pixel, steps along x, steps along y
	for i := range t.e {
		f := &t.e[i]
		e[0][i] = int32(f.stepX*int64(x) + f.stepY*int64(y) + f.owned())
		e[1][i], e[2][i] = int32(f.stepX), int32(f.stepY)
	}
	if simd.Vectors && k.Vector() {
		return uint16(coverVector(&e[0][0]))
	}
	return cover(&e)
}

// cover returns the lanes of a block in which no edge function is negative.
func cover(e *[3][3]int32) uint16 {
	var out uint32
	for lane := range BlockPixels {
		x, y := int32(PixelX[lane]), int32(PixelY[lane])
		var v int32
		for i := range e[0] {
			v |= e[0][i] + e[1][i]*x + e[2][i]*y
		}
		out |= uint32(v) >> 31 << lane
	}
	return ^uint16(out)
}
