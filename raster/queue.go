package raster

import (
	"math"
	"sync/atomic"
	"unsafe"

	"pica200/internal/cores"
	"pica200/internal/simd"
	"pica200/pica"
)

// Rect is a range of pixels in memory orientation, all bounds inclusive.
type Rect struct{ X0, Y0, X1, Y1 int32 }

// Draw is the raster state of one draw.
type Draw struct {
	Target *Target
	Shader Shader

	// Bounds limits the pixels drawn: the target, clipped to the scissor rectangle
	// in mode "include" (GPUREG_SCISSORTEST_MODE = 3, 0x065).
	Bounds Rect
	// Exclude is the rectangle that scissor mode "exclude" (1) does not draw.
	Exclude    Rect
	HasExclude bool

	// Layout describes the rows of the draw's attributes.
	Layout pica.VertexLayout
	first  int // in Queue.Attributes, see vertices

	DepthScale, DepthOffset float32 // GPUREG_DEPTHMAP_SCALE, _OFFSET (0x04D, 0x04E)
	WBuffer                 bool    // GPUREG_DEPTHMAP_ENABLE = 0 (0x06D)

	// Flip means that the target's first row is the lowest of the window
	// (GPUREG_FRAMEBUFFER_DIM bit 24 = 0).
	Flip bool

	// Early allows dropping pixels before shading that fail EarlyFunc against the
	// depth buffer. It may be set if no later pixel of the queue can turn the
	// failure into a pass (the function moves depth one way only) and failing has
	// no side effect (stencil).
	Early     bool
	EarlyFunc pica.CompareFunc

	// Ordered draws one block after the other, in triangle order, on one worker.
	// Draws in which pixels share memory need it (Target.Aliases).
	Ordered bool

	// Pack allows packed batches. Their quads may have any positions and triangles,
	// and the same pixel may occur more than once.
	Pack bool

	// Alone, if HasAlone is set, is a range of watched pixels: blocks that touch it
	// are shaded in batches of their own and never dropped early.
	Alone    Rect
	HasAlone bool
}

// whole is larger than any target.
var whole = Rect{X0: 0, Y0: 0, X1: math.MaxInt32 - blockSide, Y1: math.MaxInt32 - blockSide}

const blockSide = 4

// alone reports whether the block at (x, y) touches Alone.
func (d *Draw) alone(x, y int32) bool {
	r := &d.Alone
	return d.HasAlone && x <= r.X1 && x+3 >= r.X0 && y <= r.Y1 && y+3 >= r.Y0
}

// Triangle is a triangle of a queue: indices into its vertices. It is an alias
// so that the geometry stage can append triangles without importing this
// package.
type Triangle = [3]uint32

// Queue collects draws to one target and executes them when it is flushed.
// Triangles are binned by rows of tiles. Inside a bin everything is drawn in
// queue order, so the image does not depend on the number of workers. No two
// bins touch the same memory; draws for which that could happen are Ordered,
// and then there is a single bin.
//
// The geometry stage appends to Vertices, Attributes and Triangles directly.
// Commit then bins what was appended.
type Queue struct {
	// Kernels chooses the form of the kernels.
	Kernels simd.Kernels

	Vertices   []pica.ScreenPosition
	Attributes []float32 // a row for each vertex, in the Layout of its draw
	Triangles  []Triangle

	// Pixels counts the pixels of the bounding rectangles of the triangles that
	// Commit took. Commit takes no more triangles when Pixels reaches Stop; Stop 0
	// means no limit.
	Pixels, Stop uint64

	draws           []Draw
	committed       int // triangles that are in bins
	drawnVertices   int // vertices of draws with triangles
	drawnAttributes int // attributes of these vertices
	bins            []bin
	workers         []worker
	height          int32
	rows            int32 // height of a bin
	parts           int32 // of a bin, see Bins

	stop atomic.Bool     // set to stop drawing
	done <-chan struct{} // checked by worker 0
}

// bin holds the triangles that touch one band of rows.
type bin struct {
	runs []run
	list []uint32 // indices of triangles
}

// run is the part of a bin's list, from start on, that belongs to one draw.
type run struct {
	draw  int32
	start uint32
}

// binRows is the height of a bin in pixels.
const binRows = 16

// worker is the state of a goroutine that draws (workerState). Allocations of
// this size begin at a page, so the planes of the batch begin at cache lines.
type worker struct {
	workerState
	_ [33<<10 - unsafe.Sizeof(workerState{})]byte
}

type workerState struct {
	batch Batch
	tri   triangle
	grad  gradients
	spans spans
	strip strip
	four  fours
	quads quadRun
	ticks int // strips until the next check for a stop

	// Of a packed batch:
	face   int               // index of the current triangle in the batch's faces, or noFace
	goesOn bool              // an empty batch stays packed for the current triangle, whose quads did not fit the last one
	pixels [BatchQuads]uint8 // pixels to draw of each quad
}

// Interrupt makes running calls of DrawBin return within milliseconds, and
// following calls at once, until the next call of Bins. Only part of the queue
// is then drawn. It may be called while DrawBin runs.
func (q *Queue) Interrupt() { q.stop.Store(true) }

// Watch sets a channel that interrupts the queue when it is closed, like that
// of a context; nil never does. Commit checks it, and so does worker 0, which
// must run on the caller's goroutine. Bins removes it.
func (q *Queue) Watch(done <-chan struct{}) { q.done = done }

// stripsUnseen is the number of rows of blocks that are drawn between two
// checks for a stop.
const stripsUnseen = 16

// trianglesUnseen is the number of triangles that are binned between two
// checks; a high triangle goes into many bins.
const trianglesUnseen = 256

func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// interrupted checks whether to stop.
func (w *worker) interrupted(q *Queue, worker int) bool {
	w.ticks = stripsUnseen
	if worker == 0 && closed(q.done) {
		q.stop.Store(true)
	}
	return q.stop.Load()
}

// Empty reports whether nothing is queued.
func (q *Queue) Empty() bool { return len(q.draws) == 0 }

// Commit queues the triangles that were appended since the last call as part of
// the given draw. All draws between two flushes must have targets of the same
// height and the same Ordered; everything else may differ. If the channel of
// Watch is closed, the rest of the triangles is dropped.
func (q *Queue) Commit(d *Draw) {
	if q.committed == len(q.Triangles) {
		// All triangles were culled, so the vertices are not needed.
		q.Vertices, q.Attributes = q.Vertices[:q.drawnVertices], q.Attributes[:q.drawnAttributes]
		return
	}
	first := q.drawnAttributes - q.drawnVertices*d.Layout.N
	if len(q.Attributes) != first+len(q.Vertices)*d.Layout.N {
		// The kernels read rows without bounds checks.
		panic("raster: vertices without a row of attributes each")
	}
	q.drawnVertices, q.drawnAttributes = len(q.Vertices), len(q.Attributes)
	q.height, q.rows = d.Target.Height, binRows
	if d.Ordered {
		q.rows = q.height
	}
	for len(q.bins) < q.count() {
		q.bins = append(q.bins, bin{})
	}
	id := int32(len(q.draws))
	q.draws = append(q.draws, *d)
	q.draws[id].first = first
	if d.Ordered {
		q.draws[id].Alone, q.draws[id].HasAlone = whole, true
	}
	if q.draws[id].HasAlone {
		q.draws[id].Pack = false // blocks in batches of their own are not packed
	}
	rows := q.rows

	top := d.Target.Height * subpixel
	lowest, highest := d.Bounds.Y0, d.Bounds.Y1
	for i := q.committed; i < len(q.Triangles); i++ {
		if (i-q.committed)%trianglesUnseen == trianglesUnseen-1 && closed(q.done) {
			break
		}
		t := &q.Triangles[i]
		a, b, c := &q.Vertices[t[0]], &q.Vertices[t[1]], &q.Vertices[t[2]]
		y0, y1, y2 := a.Y, b.Y, c.Y
		upper, lower := top-max(y0, y1, y2), top-min(y0, y1, y2)
		if d.Flip {
			upper, lower = min(y0, y1, y2), max(y0, y1, y2)
		}
		first := max((upper+subpixel/2-1)>>subpixelBits, lowest)
		last := min((lower-subpixel/2)>>subpixelBits, highest)
		left := max((min(a.X, b.X, c.X)+subpixel/2-1)>>subpixelBits, d.Bounds.X0)
		right := min((max(a.X, b.X, c.X)-subpixel/2)>>subpixelBits, d.Bounds.X1)
		if left <= right && first <= last {
			q.Pixels += uint64(right-left+1) * uint64(last-first+1)
		}
		for b := first / rows; b <= last/rows && first <= last; b++ {
			bin := &q.bins[b]
			if len(bin.runs) == 0 || bin.runs[len(bin.runs)-1].draw != id {
				bin.runs = append(bin.runs, run{id, uint32(len(bin.list))})
			}
			bin.list = append(bin.list, uint32(i))
		}
		if q.Pixels >= q.Stop && q.Stop != 0 {
			break
		}
	}
	q.committed = len(q.Triangles)
}

// Add appends a vertex for a draw whose Layout is pica.WholeVertex.
func (q *Queue) Add(v *pica.ScreenVertex) {
	q.Vertices = append(q.Vertices, pica.ScreenPosition{X: v.X, Y: v.Y, Z: v.Z, InvW: v.InvW})
	q.Attributes = append(q.Attributes, v.Vertex[:]...)
}

// Flush draws everything queued and empties the queue. parallel must run f for
// every i below n; worker, below workers, differs between concurrent calls.
func (q *Queue) Flush(workers int, parallel func(n int, f func(i, worker int))) {
	if n := q.Bins(workers, 1); n > 0 {
		parallel(n, q.DrawBin)
	}
	q.Drop()
}

// Bins prepares drawing with that many workers, of bins cut into 1 or 2 parts, and
// returns the number of parts. The caller then calls DrawBin for each of them, and
// Drop at the end; together this is a Flush. Nothing may be committed in between.
func (q *Queue) Bins(workers, parts int) int {
	if len(q.draws) == 0 {
		return 0
	}
	q.stop.Store(false)
	q.done = nil
	for len(q.workers) < workers {
		q.workers = append(q.workers, worker{})
	}
	if q.parts = int32(parts); q.draws[0].Ordered {
		q.parts = 1
	}
	return q.count() * int(q.parts)
}

// BinRows returns the height of a bin in pixels, 0 if nothing is queued.
func (q *Queue) BinRows() int32 {
	if q.Empty() {
		return 0
	}
	return q.rows
}

// count returns the number of bins.
func (q *Queue) count() int { return int(q.height+q.rows-1) / int(q.rows) }

// BinRange returns the part of a buffer of the target, of that many bytes, that
// DrawBin may write for i.
func (q *Queue) BinRange(i, bytes int) (from, to int) {
	if len(q.bins[i/int(q.parts)].list) == 0 {
		return 0, 0
	}
	tile := int32(q.draws[0].Target.Tiling())
	whole := (q.height + tile - 1) / tile // rows of tiles
	rows := q.rows / q.parts
	first, end := int32(i)*rows/tile, (int32(i+1)*rows+tile-1)/tile
	if end >= whole {
		return int(first) * (bytes / int(whole)), bytes
	}
	return int(first) * (bytes / int(whole)), int(end) * (bytes / int(whole))
}

// Drop empties the queue without drawing.
func (q *Queue) Drop() {
	for i := range q.bins {
		q.bins[i].runs = q.bins[i].runs[:0]
		q.bins[i].list = q.bins[i].list[:0]
	}
	clear(q.draws) // release shaders and targets
	q.draws = q.draws[:0]
	q.Vertices = q.Vertices[:0]
	q.Attributes = q.Attributes[:0]
	q.Triangles = q.Triangles[:0]
	q.committed, q.drawnVertices, q.drawnAttributes = 0, 0, 0
}

// DrawBin draws part i of the bins. worker, below the number given to Bins, differs
// between concurrent calls.
func (q *Queue) DrawBin(i, worker int) {
	bin, rows := &q.bins[i/int(q.parts)], q.rows/q.parts
	w := &q.workers[worker]
	if w.interrupted(q, worker) {
		return
	}
	w.batch.Kernels = q.Kernels
	for r := range bin.runs {
		end := uint32(len(bin.list))
		if r+1 < len(bin.runs) {
			end = bin.runs[r+1].start
		}
		if len(q.workers) > 1 {
			q.prefetch(bin, r)
		}
		d := &q.draws[bin.runs[r].draw]
		area := d.Bounds
		area.Y0 = max(area.Y0, int32(i)*rows)
		area.Y1 = min(area.Y1, int32(i)*rows+rows-1)
		w.batch.vertices = vertices{q.Vertices, q.Attributes, &d.Layout, d.first}
		list := bin.list[bin.runs[r].start:end]
		if w.startFours(q, d) {
			w.drawFours(q, d, &area, list, worker)
			list = nil
		}
		for _, id := range list {
			if !w.tri.setup(q.Vertices, q.Triangles[id], d.Target.Height, d.Flip, &area) {
				continue
			}
			w.grad.setup(&w.tri, d, q.Kernels)
			w.draw(q, d, area, id, worker)
			if q.stop.Load() {
				break
			}
		}
		if q.stop.Load() {
			w.drop()
			return
		}
		w.shade(d, worker)
	}
}

// prefetch asks for memory that the worker who committed the draws has written: the
// records of the run after the next, and what those of the next run lead to.
func (q *Queue) prefetch(bin *bin, r int) {
	if r+2 < len(bin.runs) {
		after := &bin.runs[r+2]
		cores.Prefetch(q.draws[after.draw:][:1])
		cores.Prefetch(q.Triangles[bin.list[after.start]:][:1])
	}
	if r+1 < len(bin.runs) {
		next := &bin.runs[r+1]
		d, v := &q.draws[next.draw], int(q.Triangles[bin.list[next.start]][0])
		d.Shader.Prefetch()
		cores.Prefetch(q.Vertices[v:min(v+4, len(q.Vertices))])
		cores.Prefetch(q.Attributes[d.first+v*d.Layout.N:][:d.Layout.N])
	}
}
