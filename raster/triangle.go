package raster

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// FillRule: a pixel belongs to a triangle when its centre lies inside, or on
// an edge that bounds the triangle towards smaller window x or, if the edge is
// horizontal, towards smaller window y. The console's rule was never measured;
// this is the one that other implementations took over from the PSP, seen from
// the window's orientation. In memory orientation y runs the other way, so the
// horizontal edge that counts is the one at the greater row, and the other one
// in a target that is upside down.

// subpixel is the number of positions in a pixel of the rasterizer's 12.4
// fixed point grid (GPUREG_VIEWPORT_XY and the vertices behind it).
const (
	subpixelBits = 4
	subpixel     = 1 << subpixelBits
)

// edge is the function of an edge: stepX*px + stepY*py + c at the centre of pixel
// (px, py), in square subpixels. It is 0 on the edge and greater inside; the three
// of a triangle add up to twice its area. Weights are made of it as it is; coverage
// takes bias off, which is 1 if the edge does not own the centres that lie on it.
type edge struct {
	stepX, stepY, c, bias int64
}

// owned is the c of coverage: a centre belongs to the triangle where no function
// with it is negative.
func (e *edge) owned() int64 { return e.c - e.bias }

// triangle is one triangle set up for a target of a given height.
type triangle struct {
	id [3]uint32               // the vertices, the second and third in the order of the weights
	v  [3]*pica.ScreenPosition // where they are
	e  [3]edge                 // e[i] lies opposite v[i]

	minX, maxX, minY, maxY int32 // pixels whose centre can be inside, memory orientation
}

// setup prepares the triangle made of three of the vertices for a target of height rows, which is
// upside down if flip is set. The vertices are counter-clockwise in the window
// (+y up). If no pixel of area can be inside it returns false, and only the
// range of pixels is set.
func (t *triangle) setup(vertices []pica.ScreenPosition, id Triangle, height int32, flip bool, area *Rect) bool {
	if !flip {
		// Turning y over makes counter-clockwise clockwise; exchanging two
		// vertices keeps the inside of every edge at its positive side.
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

	// A centre at subpixel/2 is in range when min <= centre <= max.
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

// exactSide is how many pixels the triangles that the kernels draw span at most
// along either axis. Their edge functions fit 32 bits at all centres in the blocks
// that they touch: twice the area is at most (exactSide*subpixel)^2 = 2^30.
const exactSide = 2048

// exact reports whether a triangle's edge functions fit 32 bits.
func exact(minX, maxX, minY, maxY int32) bool {
	return maxX-minX < exactSide && maxY-minY < exactSide
}

// smallSide is how many pixels a small triangle spans at most along either
// axis.
const smallSide = 8

// small reports whether the triangle is one that cover is worth while for and
// whose pixels are packed.
func (t *triangle) small() bool {
	return t.maxX-t.minX < smallSide && t.maxY-t.minY < smallSide
}

// cover gives the pixels of the block at (x, y) inside a small triangle, which
// the block is not far from: then all values fit 32 bits.
func (t *triangle) cover(x, y int32, k simd.Kernels) uint16 {
	var e [3][3]int32 // values at the first pixel, steps along x, steps along y
	for i := range t.e {
		f := &t.e[i]
		e[0][i] = int32(f.stepX*int64(x) + f.stepY*int64(y) + f.owned())
		e[1][i], e[2][i] = int32(f.stepX), int32(f.stepY)
	}
	if k.Vector() {
		return uint16(coverVector(&e[0][0]))
	}
	return cover(&e)
}

// cover gives the lanes of a block in which no edge function is negative.
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
