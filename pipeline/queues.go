package pipeline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// Draws are queued and executed in the background when enough have accumulated.
// This file knows which memory they read and write, and executes them before
// anything else uses that memory.

// drawQueue is a queue with two of its methods as function values, which are
// made once because making one allocates.
type drawQueue struct {
	*raster.Queue
	draw   func(bin, worker int)
	stop   func()
	pixels uint64 // that its draws have, times ops; see add
}

func newDrawQueue(k simd.Kernels) *drawQueue {
	q := &raster.Queue{Kernels: k}
	return &drawQueue{Queue: q, draw: q.DrawBin, stop: q.Interrupt}
}

// Estimates of what drawing takes, in picoseconds.
const (
	costOfOp       = 250    // of a fragment program, for a pixel of a bounding rectangle
	costOfTriangle = 60_000 // set-up, and blocks that are mostly empty
)

// add adds to the estimate triangles whose bounding rectangles have so many
// pixels, and whose program has so many ops.
func (q *drawQueue) add(pixels uint64, ops int) { q.pixels += pixels * uint64(ops) }

// cost estimates the time that drawing the queue takes.
func (q *drawQueue) cost() time.Duration {
	return time.Duration(q.pixels*costOfOp+uint64(len(q.Triangles))*costOfTriangle) / 1000
}

// Drop empties the queue without drawing.
func (q *drawQueue) Drop() {
	q.Queue.Drop()
	q.pixels = 0
}

// queues holds the draws that wait and those that are executed in the
// background. The goroutine that calls the GPU's methods owns everything but
// what behind reads.
type queues struct {
	mem     *memory    // which draws write
	queue   *drawQueue // collects draws
	spare   *drawQueue // the other queue, either empty or equal to behind
	behind  *drawQueue // queue that is executed in the background: spare, or nil
	workers *pool      // goroutines that draw
	pending pending    // memory that the draws of both queues use
}

func (q *queues) init(mem *memory, k simd.Kernels, workers *pool) {
	q.mem, q.queue, q.spare, q.workers = mem, newDrawQueue(k), newDrawQueue(k), workers
}

// pending is the memory that queued draws use.
type pending struct {
	writes []span // parts of render targets
	reads  []span // textures and render targets

	// What the draws since the last flush did with the target.
	color, depth bool // used the buffer
	ordered      bool // were raster.Draw.Ordered
}

func (p *pending) clear() {
	*p = pending{writes: p.writes[:0], reads: p.reads[:0]}
}

// addSpan appends a span to a list unless one of the last few is the same, and
// reports whether it did.
func addSpan(list *[]span, s span) bool {
	const lookBack = 8
	l := *list
	for i := len(l) - 1; i >= 0 && i >= len(l)-lookBack; i-- {
		if l[i] == s {
			return false
		}
	}
	*list = append(l, s)
	return true
}

// willWrite records that a draw may write s. Memory counts as written from now
// on, before the first byte is: then Reset clears it and checkpoints save it
// however the draw ends.
func (q *queues) willWrite(s span) {
	if addSpan(&q.pending.writes, s) {
		q.mem.touchDrawn(s.addr, s.bytes)
	}
}

// maxSpans bounds the lists of spans, and so the time of a search.
const maxSpans = 256

// full joins adjacent spans and reports whether the lists are still long.
func (p *pending) full() bool {
	if len(p.reads) < maxSpans {
		return false
	}
	p.reads = joinSpans(p.reads)
	return len(p.reads) > maxSpans/2
}

// joinSpans sorts a list and joins spans that touch.
func joinSpans(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.addr, b.addr) })
	out := list[:1]
	for _, s := range list[1:] {
		last := &out[len(out)-1]
		end := max(uint64(last.addr)+uint64(last.bytes), uint64(s.addr)+uint64(s.bytes))
		if uint64(s.addr) > uint64(last.addr)+uint64(last.bytes) {
			out = append(out, s)
			continue
		}
		*last = clipSpan(uint64(last.addr), end-uint64(last.addr))
	}
	return out
}

func overlapsAny(list []span, s span) bool {
	for _, o := range list {
		if s.overlaps(o) {
			return true
		}
	}
	return false
}

// cachedDraws is the number of draws after which one worker executes them: what
// it has noted of each is then still in its processor's cache. With 128 instead
// of 4096, a frame of 2000 small draws takes nine tenths of the time.
const cachedDraws = 128

// many reports whether so many draws are queued that they should be executed.
func (q *queues) many() bool {
	n := q.queue.Draws()
	return n >= maxQueuedDraws || n >= cachedDraws && q.workers.workers == 1
}

// A queue of so many triangles is worth waking a helper for; one of so many
// draws and of such a cost is worth calling a helper that looks for work. Few
// large draws wait for the end of the list: then both draw them, each its rows.
const (
	kickTriangles = 256
	kickDraws     = 16
	kickCost      = 10 * time.Microsecond
)

// worthKicking reports whether to draw the queue in the background.
func (q *queues) worthKicking() bool {
	return len(q.queue.Triangles) >= kickTriangles ||
		q.queue.Draws() >= kickDraws && q.queue.cost() >= kickCost && q.workers.helpers.polling()
}

// parts is into how many parts bins are cut: two for more than two workers, if most of the
// work is pixels. The small triangles of a bin would be set up for both.
func (q *queues) parts(b *drawQueue) int {
	if q.workers.workers > 2 && b.pixels*costOfOp > 16*costOfTriangle*uint64(len(b.Triangles)) {
		return 2
	}
	return 1
}

// kick starts to execute the queue in the background, on idle workers, while
// this goroutine continues with the command list. Following draws go to the
// other queue.
func (q *queues) kick() {
	if q.workers.workers == 1 || !q.worthKicking() {
		return
	}
	if q.behind != nil {
		if !q.workers.done() {
			return
		}
		q.finishBehind(nil)
	}
	q.queue, q.spare = q.spare, q.queue
	q.behind = q.spare
	n := q.behind.Bins(q.workers.workers, q.parts(q.behind))
	q.forget(q.behind, n)
	q.workers.start(n, q.behind.draw)
}

// finishBehind waits for the queue in the background, or until done is closed.
func (q *queues) finishBehind(done <-chan struct{}) {
	if b := q.behind; b != nil {
		q.behind = nil // also if finish passes on a worker's panic
		b.Watch(done)
		q.workers.finish(done, b.stop)
		b.Drop()
	}
}

// queued reports whether any draw is queued or executed in the background.
func (q *queues) queued() bool { return !q.queue.Empty() || q.behind != nil }

// run executes everything queued, or drops it when done is closed.
func (q *queues) run(done <-chan struct{}) {
	q.finishBehind(done)
	if n := q.queue.Bins(q.workers.workers, q.parts(q.queue)); n > 0 && !closed(done) {
		q.queue.Watch(done)
		q.forget(q.queue, n)
		if q.workers.pays(q.queue.cost()) {
			q.workers.runUntil(n, q.queue.draw, done, q.queue.stop)
		} else {
			for i := range n {
				q.queue.DrawBin(i, 0)
			}
		}
	}
	q.queue.Drop()
	q.touch()
}

func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// drop drops everything queued.
func (q *queues) drop() {
	if q.behind != nil {
		q.behind.Interrupt()
		q.finishBehind(nil)
	}
	q.queue.Drop()
	q.touch()
}

// touch records that queued draws wrote memory, or may have: watched pages may
// have been hashed after willWrite.
func (q *queues) touch() {
	for _, s := range q.pending.writes {
		q.mem.touchDrawn(s.addr, s.bytes)
	}
}

// forget is called before a queue is drawn. What the parts of the targets hold
// that its bins write is not known any more.
func (q *queues) forget(b *drawQueue, bins int) {
	for i := range bins {
		for _, s := range q.pending.writes {
			from, to := b.BinRange(i, int(s.bytes))
			q.mem.forget(s.addr+uint32(from), uint32(to-from))
		}
	}
}

// flush executes the queued draws. If ctx is cancelled it drops the rest within
// milliseconds and returns ctx's error.
func (g *GPU) flush(ctx context.Context) error {
	if !g.queues.queued() {
		g.forget()
		return nil
	}
	g.counters.Flushes++
	done := g.measure(&g.counters.Time.Fragments)
	g.queues.run(ctx.Done())
	done()
	g.forget()
	if top := uint32(g.engine.TakeGasMaximum()); top > pica.GasFeedback.Get(&g.regs) {
		// Non-negative half floats compare like integers.
		pica.GasFeedback.Set(&g.regs, top)
	}
	return ctx.Err()
}

// drop drops the queued draws and what they use.
func (g *GPU) drop() {
	g.queues.drop()
	g.forget()
}

// cancelled returns ctx's error if it is cancelled. It then drops the queue and
// leaves nothing in the background.
func (g *GPU) cancelled(ctx context.Context) error {
	err := ctx.Err()
	if err != nil {
		g.drop()
	}
	return err
}

// forget releases what queued draws used when no draw is left.
func (g *GPU) forget() {
	g.queues.pending.clear()
	g.engine.Release(g.scratch.shader)
}

// beforeRead executes the queued draws if they write to s.
func (g *GPU) beforeRead(ctx context.Context, s span) error {
	if overlapsAny(g.queues.pending.writes, s) {
		return g.flush(ctx)
	}
	return nil
}

// beforeWrite executes the queued draws if they read or write s or any page of
// s: a write to a page makes the fragment stage decode its textures again.
func (g *GPU) beforeWrite(ctx context.Context, s span) error {
	if s.bytes != 0 {
		first := s.addr &^ (pageSize - 1)
		last := uint64(s.addr) + uint64(s.bytes) + pageSize - 1
		s = clipSpan(uint64(first), last&^(pageSize-1)-uint64(first))
	}
	if overlapsAny(g.queues.pending.writes, s) || overlapsAny(g.queues.pending.reads, s) {
		return g.flush(ctx)
	}
	return nil
}

// textureMemory is how the fragment stage reads memory while it compiles a
// state: queued draws that write to the memory are executed first.
type textureMemory struct {
	g   *GPU
	ctx context.Context
}

func (m *textureMemory) Slice(addr, n uint32) ([]byte, error) {
	if err := m.g.beforeRead(m.ctx, span{addr, n}); err != nil {
		return nil, err
	}
	if err := m.ctx.Err(); err != nil { // before the texture is decoded, which takes time
		return nil, err
	}
	return m.g.mem.Slice(addr, n)
}

func (m *textureMemory) Generation(addr, n uint32) uint64 {
	if m.g.beforeRead(m.ctx, span{addr, n}) != nil {
		return 0 // Slice will return the error
	}
	return m.g.mem.Generation(addr, n)
}

// clipSpan makes a span that ends at the end of the address space at most.
func clipSpan(addr, bytes uint64) span {
	const end = 1 << 32
	if addr >= end {
		return span{}
	}
	return span{uint32(addr), uint32(min(bytes, end-1-addr))}
}
