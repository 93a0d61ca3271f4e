package pipeline

import (
	"pica200/geometry"
	"pica200/pica"
)

// Draws are queued. This file knows what memory the queue will read and write,
// and draws it before anything else touches that memory.

// pending is the memory that queued draws use.
type pending struct {
	writes []span // parts of render targets
	reads  []span // textures and render targets
}

func (p *pending) clear() {
	p.writes, p.reads = p.writes[:0], p.reads[:0]
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

func overlapsAny(list []span, s span) bool {
	for _, o := range list {
		if s.overlaps(o) {
			return true
		}
	}
	return false
}

// flush draws what is queued.
func (g *GPU) flush() {
	if g.queue.Empty() {
		return
	}
	g.stats.Flushes++
	done := g.measure(&g.stats.Time.Fragments)
	g.queue.Flush(g.pool.workers, g.pool.run)
	done()
	for _, s := range g.pending.writes {
		g.Mem.Touch(s.addr, s.bytes)
	}
	g.pending.clear()
	if top := uint32(g.engine.TakeGasMaximum()); top > pica.GasFeedback.Get(&g.Regs) {
		// Half floats that are not negative compare like integers.
		pica.GasFeedback.Set(&g.Regs, top)
	}
}

// drop forgets what is queued.
func (g *GPU) drop() {
	g.queue.Drop()
	g.pending.clear()
}

// beforeRead draws what is queued if it writes to s.
func (g *GPU) beforeRead(s span) {
	if overlapsAny(g.pending.writes, s) {
		g.flush()
	}
}

// beforeWrite draws what is queued if it reads or writes s.
func (g *GPU) beforeWrite(s span) {
	if overlapsAny(g.pending.writes, s) || overlapsAny(g.pending.reads, s) {
		g.flush()
	}
}

// textureMemory is memory as the fragment stage sees it while a state is
// compiled: what is queued for it is drawn first.
type textureMemory struct{ g *GPU }

func (m textureMemory) Slice(addr, n uint32) ([]byte, error) {
	m.g.beforeRead(span{addr, n})
	return m.g.Mem.Slice(addr, n)
}

func (m textureMemory) Generation(addr, n uint32) uint64 {
	m.g.beforeRead(span{addr, n})
	return m.g.Mem.Generation(addr, n)
}

// beforeVertices draws what is queued if it writes to the arrays that a draw
// may read vertices and indices from. Indices are not looked at: an indexed
// draw is taken to use every vertex that its indices could name.
func (g *GPU) beforeVertices(kind geometry.Kind) {
	if len(g.pending.writes) == 0 || kind == geometry.Immediate {
		return
	}
	r := &g.Regs
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
