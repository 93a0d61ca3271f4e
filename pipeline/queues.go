package pipeline

import (
	"cmp"
	"context"
	"slices"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// Draws are queued, and drawn in the background when enough of them have piled
// up. This file knows what memory they read and write, and finishes them before
// anything else touches that memory.

// drawQueue is a queue with its methods as values, made once because making one
// allocates.
type drawQueue struct {
	*raster.Queue
	draw func(bin, worker int)
	stop func()
}

func newDrawQueue(k simd.Kernels) *drawQueue {
	q := &raster.Queue{Kernels: k}
	return &drawQueue{q, q.DrawBin, q.Interrupt}
}

// queues holds the draws that wait and those that are drawn in the background. The
// goroutine that calls the GPU's methods owns all of it but what behind draws from.
type queues struct {
	mem     *memory    // that draws write
	queue   *drawQueue // collects draws
	spare   *drawQueue // the other one, empty or behind
	behind  *drawQueue // what is drawn in the background: spare, or nil
	workers pool       // that draw
	pending pending    // memory that the draws of both use
}

func (q *queues) init(mem *memory, k simd.Kernels, workers int) {
	q.mem, q.queue, q.spare, q.workers.workers = mem, newDrawQueue(k), newDrawQueue(k), workers
}

// pending is the memory that queued draws use.
type pending struct {
	writes []span // parts of render targets
	reads  []span // textures and render targets

	// What draws did to the target since the last flush.
	color, depth bool // used the buffer
	ordered      bool // were raster.Draw.Ordered
}

func (p *pending) clear() {
	*p = pending{writes: p.writes[:0], reads: p.reads[:0]}
}

// addSpan puts a span at the end of a list unless one of the last few is the same,
// and reports whether it did.
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

// willWrite notes that a draw may write s. Memory counts as written from here on,
// before the first byte of it is: Reset clears it and checkpoints save it however
// the draw ends.
func (q *queues) willWrite(s span) {
	if addSpan(&q.pending.writes, s) {
		q.mem.Touch(s.addr, s.bytes)
	}
}

// maxSpans bounds the lists of spans, and with them the time that a look at
// them takes.
const maxSpans = 256

// full reports that the lists have become long, after joining what lies
// together.
func (p *pending) full() bool {
	if len(p.reads) < maxSpans {
		return false
	}
	p.reads = joinSpans(p.reads)
	return len(p.reads) > maxSpans/2
}

// joinSpans sorts a list and makes one span of those that touch.
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

// kickTriangles is the number of triangles for which it is worth while to wake
// other workers up.
const kickTriangles = 256

// kick begins to draw what is queued in the background, on the workers that
// have nothing to do while this one goes through the command list. Draws that
// follow go to another queue.
func (q *queues) kick() {
	if q.workers.workers == 1 || len(q.queue.Triangles) < kickTriangles {
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
	q.workers.start(q.behind.Bins(q.workers.workers), q.behind.draw)
}

// finishBehind waits for what is drawn in the background, or until done is
// closed.
func (q *queues) finishBehind(done <-chan struct{}) {
	if b := q.behind; b != nil {
		q.behind = nil // also if a worker's panic comes out of finish
		b.Watch(done)
		q.workers.finish(done, b.stop)
		b.Drop()
	}
}

// queued reports whether any draw waits or is drawn in the background.
func (q *queues) queued() bool { return !q.queue.Empty() || q.behind != nil }

// run draws all that is queued, or drops it when done is closed.
func (q *queues) run(done <-chan struct{}) {
	q.finishBehind(done)
	if n := q.queue.Bins(q.workers.workers); n > 0 && !closed(done) {
		q.queue.Watch(done)
		q.workers.runUntil(n, q.queue.draw, done, q.queue.stop)
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

// drop forgets what is queued.
func (q *queues) drop() {
	if q.behind != nil {
		q.behind.Interrupt()
		q.finishBehind(nil)
	}
	q.queue.Drop()
	q.touch()
}

// touch notes that memory was written by queued draws, or may have been, after the
// last look at it: watched pages may have been summed up since willWrite.
func (q *queues) touch() {
	for _, s := range q.pending.writes {
		q.mem.Touch(s.addr, s.bytes)
	}
}

// flush draws what is queued. When ctx is cancelled the rest is dropped within
// milliseconds, and the error is ctx's.
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
		// Half floats that are not negative compare like integers.
		pica.GasFeedback.Set(&g.regs, top)
	}
	return ctx.Err()
}

// drop forgets what is queued, and what it used.
func (g *GPU) drop() {
	g.queues.drop()
	g.forget()
}

// cancelled gives ctx's error. What is queued is dropped then, and nothing goes
// on in the background.
func (g *GPU) cancelled(ctx context.Context) error {
	err := ctx.Err()
	if err != nil {
		g.drop()
	}
	return err
}

// forget lets go of what queued draws used, when none are left.
func (g *GPU) forget() {
	g.queues.pending.clear()
	g.engine.Release(g.scratch.shader)
}

// beforeRead draws what is queued if it writes to s.
func (g *GPU) beforeRead(ctx context.Context, s span) error {
	if overlapsAny(g.queues.pending.writes, s) {
		return g.flush(ctx)
	}
	return nil
}

// beforeWrite draws what is queued if it reads or writes s, or any of the pages
// that s lies on: a write to one of them makes the fragment stage read textures
// on it anew.
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

// textureMemory is memory as the fragment stage sees it while a state is
// compiled: what is queued for it is drawn first.
type textureMemory struct {
	g   *GPU
	ctx context.Context
}

func (m *textureMemory) Slice(addr, n uint32) ([]byte, error) {
	if err := m.g.beforeRead(m.ctx, span{addr, n}); err != nil {
		return nil, err
	}
	if err := m.ctx.Err(); err != nil { // before the texture is decoded
		return nil, err
	}
	return m.g.mem.Slice(addr, n)
}

func (m *textureMemory) Generation(addr, n uint32) uint64 {
	if m.g.beforeRead(m.ctx, span{addr, n}) != nil {
		return 0 // Slice says why
	}
	return m.g.mem.Generation(addr, n)
}

// clipSpan is a span cut off at the end of the address space.
func clipSpan(addr, bytes uint64) span {
	const end = 1 << 32
	if addr >= end {
		return span{}
	}
	return span{uint32(addr), uint32(min(bytes, end-1-addr))}
}
