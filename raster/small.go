package raster

import (
	"math"

	"pica200/internal/simd"
	"pica200/pica"
)

// An AVX2 kernel sets up four triangles at a time, with the operations of
// triangle.setup and gradients.setup in each lane. The edge functions are
// integers that float64 represents exactly, unless a triangle is too large. A
// second kernel adds the quads of a small triangle to a packed batch: coverage,
// depth, early test, weights. Its plain form is drawSmall and addQuads.

// fours is the input and output of the set-up kernel for four triangles.
type fours struct {
	// The kernels depend on the order of these fields.
	scale, offset float64 // of depth
	invert, top   int32   // a row is (y ^ invert) - invert + top
	second, third int32   // byte offsets of the second and third vertex index
	flip          uint64  // all ones if the target is upside down
	numbers       [4]uint32
	edges         [3][4][4]float64 // for each edge its increments for a column and a row, its value at the first pixel, and its bias
	z, w          [3][4]float32    // of each vertex

	tri [4]prepared
}

// prepared is a triangle that is set up.
type prepared struct {
	// The kernels depend on the order of these fields.
	basis
	minX, maxX, minY, maxY int32 // as in triangle
	id                     [3]uint32
	_                      uint32
}

// quadRun is the input and output of the second kernel.
type quadRun struct {
	// The kernel depends on the order of these fields.
	x, y       int32 // next block
	x0, x1, y1 int32 // first and last column, last row of the blocks
	n          int32 // quads in the batch
	full       int32 // not 0 if the batch must be shaded before continuing
	face       uint32
	width      int32 // of the target
	early      int32
	rule       [3]uint32 // a row of compareRules
	_          [3]uint32
	lanes      lanes
}

// start prepares the set-up of a draw's triangles.
func (f *fours) start(d *Draw) {
	f.scale, f.offset = float64(d.DepthScale), float64(d.DepthOffset)
	f.invert, f.top, f.second, f.third, f.flip = -1, d.Target.Height*subpixel, 8, 4, 0
	if d.Flip {
		f.invert, f.top, f.second, f.third, f.flip = 0, 0, 4, 8, math.MaxUint64
	}
}

// take makes p the current triangle.
func (w *worker) take(p *prepared) {
	t, g := &w.tri, &w.grad
	t.id = p.id
	for i := range t.e {
		t.e[i] = edge{int64(p.stepX[i]), int64(p.stepY[i]), int64(p.c[i]), int64(p.bias[i])}
	}
	t.minX, t.maxX, t.minY, t.maxY = p.minX, p.maxX, p.minY, p.maxY
	g.basis, g.vector = p.basis, true
	if simd.Vectors {
		lanesVector(&g.c[0])
	}
}

// startFours prepares a draw's triangles. It returns false if the kernels
// cannot draw them.
func (w *worker) startFours(q *Queue, d *Draw) bool {
	if !simd.Vectors || !q.Kernels.Vector() || d.WBuffer {
		return false
	}
	w.four.start(d)
	r, k := &w.quads, &compareRules[d.EarlyFunc&7]
	r.width, r.early, r.rule = d.Target.Width, 0, [3]uint32{k.less, k.equal, k.invert}
	if d.Early {
		r.early = 1
	}
	return true
}

// drawFours draws the triangles with the indices in list.
func (w *worker) drawFours(q *Queue, d *Draw, area *Rect, list []uint32, worker int) {
	if !simd.Vectors { // startFours said so; builds that do not optimize link every kernel that is named
		return
	}
	f := &w.four
	quads := d.Pack && !d.HasExclude && !d.Target.Block32 && d.Target.Width <= quadsWithin && d.Target.Height <= quadsWithin
	for len(list) > 0 {
		n := copy(f.numbers[:], list)
		for i := n; i < len(f.numbers); i++ {
			f.numbers[i] = list[0]
		}
		setupVector(&f.scale, &q.Vertices[0].X, &q.Triangles[0][0])
		for i := range f.tri[:n] {
			t := &f.tri[i]
			x0, x1, y0, y1 := max(t.minX, area.X0), min(t.maxX, area.X1), max(t.minY, area.Y0), min(t.maxY, area.Y1)
			if x0 > x1 || y0 > y1 {
				continue
			}
			switch {
			case !exact(t.minX, t.maxX, t.minY, t.maxY):
				w.tri.setup(q.Vertices, q.Triangles[list[i]], d.Target.Height, d.Flip, area)
				w.grad.setup(&w.tri, d, q.Kernels)
				w.draw(q, d, *area, list[i], worker)
			case quads && t.within(w.quadSide(d)) && w.batch.Blocks == 0 &&
				x0&^3 >= area.X0 && x1|3 <= area.X1 && y0&^3 >= area.Y0 && y1|3 <= area.Y1:
				if w.ticks--; w.ticks < 0 && w.interrupted(q, worker) {
					return
				}
				if !w.drawQuads(d, t, x0, x1, y0, y1, worker) {
					w.take(t)
					w.drawFrom(q, d, *area, list[i], worker, w.quads.x, w.quads.y)
				}
			default:
				w.take(t)
				w.draw(q, d, *area, list[i], worker)
			}
			if q.stop.Load() {
				return
			}
		}
		list = list[n:]
	}
}

// quadsWithin is the greatest width and height of a target for drawQuads: columns and rows fit a signed word.
const quadsWithin = 1 << 15

// packedSide is the greatest width and height of a triangle whose quads the kernel adds
// to a packed batch that is not empty. Increments of its edge functions fit 16 bits.
const packedSide = 64

// quadSide is the greatest side of a triangle for drawQuads. Only small triangles start a packed batch; larger ones may
// continue it.
func (w *worker) quadSide(d *Draw) int32 {
	if w.batch.Quads > 0 && d.Target.Width <= maxWidth {
		return packedSide
	}
	return smallSide
}

// within reports whether no side is longer than side pixels.
func (p *prepared) within(side int32) bool {
	return p.maxX-p.minX < side && p.maxY-p.minY < side
}

// drawQuads adds the quads of a triangle to the batch. It returns false if the blocks
// from the next one of w.quads on are for a batch that is not packed.
func (w *worker) drawQuads(d *Draw, t *prepared, x0, x1, y0, y1 int32, worker int) (done bool) {
	if !simd.Vectors {
		return true
	}
	r, b := &w.quads, &w.batch
	r.x, r.y, r.x0, r.x1, r.y1 = x0&^3, y0&^3, x0&^3, x1, y1
	var buffer *byte
	if d.Early {
		// The kernel reads nothing past the last block.
		n := d.Target.DepthFormat.Bytes()
		end := (d.Target.PixelIndex(x1&^3, y1&^3) + BlockPixels) * n
		if last := (d.Target.PixelIndex(x1&^3, y0&^3) + BlockPixels) * n; last > end {
			end = last
		}
		buffer = &d.Target.Depth[:end][0]
	}
	for {
		b.Packed = true
		face := b.used
		b.faces[face] = t.id
		r.face, r.n = uint32(face), int32(b.Quads)
		switch {
		case !d.Early:
			quadsVector(&t.c[0], &r.x, &b.Quad[0].X, &b.face[0], &w.pixels[0], &b.W0[0])
		case d.Target.DepthFormat == pica.DepthFormatD16:
			quadsD16Vector(&t.c[0], &r.x, &b.Quad[0].X, &b.face[0], &w.pixels[0], &b.W0[0], buffer)
		case d.Target.DepthFormat == pica.DepthFormatD24:
			quadsD24Vector(&t.c[0], &r.x, &b.Quad[0].X, &b.face[0], &w.pixels[0], &b.W0[0], buffer)
		default:
			quadsD24S8Vector(&t.c[0], &r.x, &b.Quad[0].X, &b.face[0], &w.pixels[0], &b.W0[0], buffer)
		}
		if int(r.n) > b.Quads {
			b.Quads, b.used = int(r.n), face+1
		}
		if r.full == 0 {
			return true
		}
		w.shade(d, worker)
		if r.y > r.y1 {
			return true
		}
		if r.n == BatchQuads && !t.within(smallSide) {
			return false // like add, which looks at the triangle when the batch is empty
		}
	}
}
