package raster

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// inside is the fill rule for one pixel in exact integers, in window coordinates. The row spans are tested against it.
func inside(v [3]*pica.ScreenVertex, px, py int64) bool {
	x, y := px*16+8, py*16+8
	for i := range v {
		p, q := v[i], v[(i+1)%3]
		dx, dy := int64(q.X-p.X), int64(q.Y-p.Y)
		e := dx*(y-int64(p.Y)) - dy*(x-int64(p.X))
		// Counter-clockwise with y up: an edge going down is a left edge, one going right is a bottom edge.
		owns := dy < 0 || dy == 0 && dx > 0
		if e < 0 || e == 0 && !owns {
			return false
		}
	}
	return true
}

// recorder is a Shader that counts how often each pixel is drawn.
type recorder struct{ hits map[[2]int32]int }

func (*recorder) Prefetch() {}

func (r *recorder) Shade(b *Batch, worker int) {
	eachPixel(b, func(_ int, at [2]int32, _ [3]uint32) { r.hits[at]++ })
}

// eachPixel calls f with the index, the position and the vertices of each pixel of a batch that its masks hold.
func eachPixel(b *Batch, f func(i int, at [2]int32, v [3]uint32)) {
	for i := range b.N() {
		if b.Mask[i/BlockPixels]>>(i%BlockPixels)&1 == 0 {
			continue
		}
		if b.Packed {
			quad := b.Quad[i/QuadPixels]
			f(i, [2]int32{quad.X + int32(i&1), quad.Y + int32(i>>1&1)}, b.faces[b.face[i/QuadPixels]])
		} else {
			block := &b.Block[i/BlockPixels]
			f(i, [2]int32{block.X + int32(PixelX[i%BlockPixels]), block.Y + int32(PixelY[i%BlockPixels])}, block.V)
		}
	}
}

func serial(n int, f func(i, worker int)) {
	for i := range n {
		f(i, 0)
	}
}

func vertex(x, y int32) pica.ScreenVertex { return pica.ScreenVertex{X: x, Y: y, InvW: 1} }

// drawAll runs triangles, given as vertices, through a queue.
func drawAll(d *Draw, v []pica.ScreenVertex) {
	var q Queue
	commit(&q, d, v)
	q.Flush(1, serial)
}

// commit adds triangles, given as vertices, to a queue.
func commit(q *Queue, d *Draw, v []pica.ScreenVertex) {
	base := uint32(len(q.Vertices))
	for i := range v {
		q.Add(&v[i])
	}
	for i := base; i+2 < uint32(len(q.Vertices)); i += 3 {
		q.Triangles = append(q.Triangles, Triangle{i, i + 1, i + 2})
	}
	q.Commit(d)
}

func testDraw(w, h int32) (*Draw, *recorder) {
	r := &recorder{hits: map[[2]int32]int{}}
	return &Draw{
		Target: &Target{Width: w, Height: h},
		Shader: r,
		Layout: pica.WholeVertex,
		Bounds: Rect{0, 0, w - 1, h - 1},
	}, r
}

func TestCoverageMatchesTheFillRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const w, h = 40, 52
	for n := range 3000 {
		size := int32(16 * []int{2, 8, 40, 2000}[n%4])
		at := [2]int32{rng.Int32N(w * 16), rng.Int32N(h * 16)}
		var v [3]pica.ScreenVertex
		for i := range v {
			v[i] = vertex(at[0]+rng.Int32N(size)-size/2, at[1]+rng.Int32N(size)-size/2)
			if n%3 == 0 { // on pixel centres and corners, where ties occur
				v[i].X, v[i].Y = v[i].X&^7, v[i].Y&^7
			}
		}
		area := int64(v[1].X-v[0].X)*int64(v[2].Y-v[0].Y) - int64(v[2].X-v[0].X)*int64(v[1].Y-v[0].Y)
		if area == 0 {
			continue
		}
		if area < 0 {
			v[1], v[2] = v[2], v[1]
		}
		d, r := testDraw(w, h)
		d.Flip, d.Pack = n%5 == 0, n%7 < 3
		if n%11 < 5 {
			d.Bounds = Rect{3, 5, 33, 46}
		}
		drawAll(d, v[:])
		p := [3]*pica.ScreenVertex{&v[0], &v[1], &v[2]}
		for y := range int64(h) {
			for x := range int64(w) {
				want, row := 0, h-1-y
				if d.Flip {
					row = y
				}
				b := d.Bounds
				if inside(p, x, row) && int32(x) >= b.X0 && int32(x) <= b.X1 && int32(y) >= b.Y0 && int32(y) <= b.Y1 {
					want = 1
				}
				if got := r.hits[[2]int32{int32(x), int32(y)}]; got != want {
					t.Fatalf("pixel %d,%d of %+v is hit %d times, not %d", x, y, v, got, want)
				}
			}
		}
	}
}

func TestTrianglesThatShareEdgesCoverEachPixelOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const w, h = 64, 64
	for range 100 {
		c := vertex(200+rng.Int32N(600), 200+rng.Int32N(600))
		ring := []pica.ScreenVertex{vertex(0, 0), vertex(512, 0), vertex(1024, 0), vertex(1024, 512), vertex(1024, 1024), vertex(333, 1024), vertex(0, 1024), vertex(0, 77)}
		var v []pica.ScreenVertex
		for i := range ring {
			v = append(v, c, ring[i], ring[(i+1)%len(ring)])
		}
		d, r := testDraw(w, h)
		drawAll(d, v)
		for y := range int32(h) {
			for x := range int32(w) {
				require.Equal(t, 1, r.hits[[2]int32{x, y}], "pixel %d,%d around %d,%d", x, y, c.X, c.Y)
			}
		}
	}
}

func TestScissor(t *testing.T) {
	v := []pica.ScreenVertex{vertex(0, 0), vertex(2000, 0), vertex(0, 2000)}
	for _, exclude := range []bool{false, true} {
		d, r := testDraw(32, 32)
		rect := Rect{5, 6, 17, 22}
		if exclude {
			d.Exclude, d.HasExclude = rect, true
		} else {
			d.Bounds = rect
		}
		drawAll(d, v)
		for y := range int32(32) {
			for x := range int32(32) {
				in := x >= 5 && x <= 17 && y >= 6 && y <= 22
				want := 0
				if in != exclude {
					want = 1
				}
				require.Equal(t, want, r.hits[[2]int32{x, y}], "pixel %d,%d, exclude %v", x, y, exclude)
			}
		}
	}
}
