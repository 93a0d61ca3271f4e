package pipeline

import (
	"cmp"
	"slices"

	"pica200/geometry"
	"pica200/pica"
)

// Draws are queued, and drawn in the background when enough of them have piled
// up. This file knows what memory they read and write, and finishes them before
// anything else touches that memory.

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

// add puts a span at the end of a list unless one of the last few is the same.
func addSpan(list *[]span, s span) {
	const lookBack = 8
	l := *list
	for i := len(l) - 1; i >= 0 && i >= len(l)-lookBack; i-- {
		if l[i] == s {
			return
		}
	}
	*list = append(l, s)
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
func (g *GPU) kick() {
	if g.drawing.workers == 1 || len(g.queue.Triangles) < kickTriangles {
		return
	}
	if g.behind != nil {
		if !g.drawing.done() {
			return
		}
		g.finishBehind()
	}
	g.queue, g.spare = g.spare, g.queue
	g.behind = g.spare
	g.drawing.start(g.behind.Bins(g.drawing.workers), g.behind.DrawBin)
}

// finishBehind waits for what is drawn in the background.
func (g *GPU) finishBehind() {
	if g.behind != nil {
		g.drawing.finish()
		g.behind.Drop()
		g.behind = nil
	}
}

// queued reports whether any draw waits or is drawn in the background.
func (g *GPU) queued() bool { return !g.queue.Empty() || g.behind != nil }

// flush draws what is queued.
func (g *GPU) flush() {
	if !g.queued() {
		g.forget()
		return
	}
	g.stats.Flushes++
	done := g.measure(&g.stats.Time.Fragments)
	g.finishBehind()
	g.queue.Flush(g.drawing.workers, g.drawing.run)
	done()
	for _, s := range g.pending.writes {
		g.mem.Touch(s.addr, s.bytes)
	}
	g.forget()
	if top := uint32(g.engine.TakeGasMaximum()); top > pica.GasFeedback.Get(&g.regs) {
		// Half floats that are not negative compare like integers.
		pica.GasFeedback.Set(&g.regs, top)
	}
}

// drop forgets what is queued.
func (g *GPU) drop() {
	g.finishBehind()
	g.queue.Drop()
	g.forget()
}

// forget lets go of what queued draws used, when none are left.
func (g *GPU) forget() {
	g.pending.clear()
	g.engine.Release(g.shader)
}

// beforeRead draws what is queued if it writes to s.
func (g *GPU) beforeRead(s span) {
	if overlapsAny(g.pending.writes, s) {
		g.flush()
	}
}

// beforeWrite draws what is queued if it reads or writes s, or any of the pages
// that s lies on: a write to one of them makes the fragment stage read textures
// on it anew.
func (g *GPU) beforeWrite(s span) {
	if s.bytes != 0 {
		first := s.addr &^ (pageSize - 1)
		last := uint64(s.addr) + uint64(s.bytes) + pageSize - 1
		s = clipSpan(uint64(first), last&^(pageSize-1)-uint64(first))
	}
	if overlapsAny(g.pending.writes, s) || overlapsAny(g.pending.reads, s) {
		g.flush()
	}
}

// textureMemory is memory as the fragment stage sees it while a state is
// compiled: what is queued for it is drawn first.
type textureMemory struct{ g *GPU }

func (m textureMemory) Slice(addr, n uint32) ([]byte, error) {
	m.g.beforeRead(span{addr, n})
	return m.g.mem.Slice(addr, n)
}

func (m textureMemory) Generation(addr, n uint32) uint64 {
	m.g.beforeRead(span{addr, n})
	return m.g.mem.Generation(addr, n)
}

// beforeVertices draws what is queued if it writes to the arrays that a draw
// may read vertices and indices from. Indices are not looked at: an indexed
// draw is taken to use every vertex that its indices could name.
func (g *GPU) beforeVertices(kind geometry.Kind) {
	if len(g.pending.writes) == 0 || kind == geometry.Immediate {
		return
	}
	r := &g.regs
	base := pica.AttribbuffersLoc.Addr(r)
	n := uint64(pica.Numvertices.Get(r))
	first, count := uint64(pica.VertexOffset.Get(r)), n
	if kind == geometry.Elements {
		size := uint64(1)
		first, count = 0, 1<<8
		if pica.IndexType(pica.IndexbufferType.Get(r)) == pica.IndexShort {
			size, count = 2, 1<<16
		}
		g.beforeRead(clipSpan(uint64(base+pica.IndexbufferOffset.Get(r)), n*size))
	}
	for i := range pica.NumAttribbuffers {
		at := pica.Reg(i) * pica.StrideAttribbuffer
		if pica.AttribbufferCount.At(at).Get(r) == 0 {
			continue
		}
		addr := uint64(base + pica.AttribbufferOffset.At(at).Get(r))
		stride := uint64(pica.AttribbufferStride.At(at).Get(r))
		g.beforeRead(clipSpan(addr+first*stride, count*stride))
	}
}

// clipSpan is a span cut off at the end of the address space.
func clipSpan(addr, bytes uint64) span {
	const end = 1 << 32
	if addr >= end {
		return span{}
	}
	return span{uint32(addr), uint32(min(bytes, end-1-addr))}
}
