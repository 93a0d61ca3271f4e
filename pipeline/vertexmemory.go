package pipeline

import (
	"bytes"
	"context"

	"pica200/geometry"
	"pica200/pica"
)

// beforeVertices executes the queued draws if they write to arrays from which a
// draw may read vertices and indices.
func (g *GPU) beforeVertices(ctx context.Context, kind geometry.Kind) error {
	if g.mayRead(kind, g.queues.pending.writes) {
		return g.flush(ctx)
	}
	return nil
}

// mayRead reports whether the vertex and index arrays of a draw overlap any of
// the spans. It does not read the indices: it assumes that an indexed draw uses
// every vertex that its indices could name.
func (p *programmed) mayRead(kind geometry.Kind, spans []span) bool {
	if len(spans) == 0 || kind == geometry.Immediate {
		return false
	}
	r := &p.regs
	base := pica.AttribbuffersLoc.Addr(r)
	n := uint64(pica.Numvertices.Get(r))
	first, count := uint64(pica.VertexOffset.Get(r)), n
	if kind == geometry.Elements {
		size := uint64(1)
		first, count = 0, 1<<8
		if pica.IndexType(pica.IndexbufferType.Get(r)) == pica.IndexShort {
			size, count = 2, 1<<16
		}
		if overlapsAny(spans, clipSpan(uint64(base+pica.IndexbufferOffset.Get(r)), n*size)) {
			return true
		}
	}
	// Each array has three registers; the last one has the size of a vertex.
	arrays := r[pica.RegAttribbuffer0Offset:][:pica.NumAttribbuffers*pica.StrideAttribbuffer]
	for ; len(arrays) > 0; arrays = arrays[pica.StrideAttribbuffer:] {
		config := arrays[pica.RegAttribbuffer0Config2-pica.RegAttribbuffer0Offset]
		if pica.AttribbufferCount.Of(config) == 0 {
			continue
		}
		addr := uint64(base + pica.AttribbufferOffset.Of(arrays[0]))
		stride := uint64(pica.AttribbufferStride.Of(config))
		if overlapsAny(spans, clipSpan(addr+first*stride, count*stride)) {
			return true
		}
	}
	return false
}

// vertexMemory is how the geometry stage reads memory: as it was when the draw
// began. A draw of many vertices is drawn in parts, and one part may overwrite
// vertices and indices of the next.
//
// VerticesBeforePixels: all vertices of a draw are read before any of its
// pixels is written.
type vertexMemory struct {
	g     *GPU
	own   [2]span   // memory that the draw both writes and may read
	saved [2][]byte // old contents of own, after a part of the draw is drawn
}

// beginVertices makes the vertexMemory of a draw.
func (g *GPU) beginVertices(kind geometry.Kind, t *renderTarget) *vertexMemory {
	m := &g.scratch.vertices
	*m = vertexMemory{g: g}
	if g.writesColor(t) {
		m.own[0] = t.color
	}
	if g.writesDepth() {
		m.own[1] = t.depth
	}
	if !g.mayRead(kind, m.own[:]) {
		m.own = [2]span{}
	}
	return m
}

// beforePart saves the old contents before a part of the draw is drawn.
func (m *vertexMemory) beforePart() {
	for i, s := range m.own {
		if s.bytes == 0 || m.saved[i] != nil {
			continue
		}
		if data, err := m.g.mem.Slice(s.addr, s.bytes); err == nil {
			m.saved[i] = bytes.Clone(data)
		}
	}
}

// Slice implements geometry.Memory.
func (m *vertexMemory) Slice(addr, n uint32) ([]byte, error) {
	s := span{addr, n}
	m.g.usesRead(UseVertices, s)
	data, err := m.g.mem.Slice(addr, n)
	if err != nil || !overlapsAny(m.own[:], s) {
		return data, err
	}
	data = bytes.Clone(data) // indices are still read while parts are drawn
	for i, own := range m.own {
		if m.saved[i] != nil && own.overlaps(s) {
			from := max(own.addr, addr)
			copy(data[from-addr:], m.saved[i][from-own.addr:])
		}
	}
	return data, nil
}
