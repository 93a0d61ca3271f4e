package geometry

import (
	"slices"

	"pica200/internal/cores"
	"pica200/internal/simd"
	"pica200/pica"
)

// Triangles are assembled in two steps. The first, cullPiece, drops triangles that
// are outside of the view volume, are culled, or cover no pixel. It reads only
// positions and quaternions, so all workers cull pieces of a chunk at the same
// time. The second, finish, goes through the remaining triangles in order. It
// is only needed for triangles that make new vertices: by clipping, or by
// negating a quaternion.

// pieceTriangles is how many triangles are culled at a time.
const pieceTriangles = 1 << 10

// unfinished marks a triangle for finish; its corners are then indices of the
// chunk. On the first corner it marks a triangle to clip; on the second, one
// with quaternions to negate, whose winding is already that of drawing.
const unfinished = 1 << 31

// cullResult is the result of culling a piece.
type cullResult struct {
	remaining        int // triangles written, including unfinished ones
	drawn            int // inside and not culled, including those that cover no pixel
	culled, rejected int
	unfinished       bool // some of the written ones are unfinished
}

// stream is a sequence of vertices, as indices of the chunk, that makes
// triangles.
type stream struct {
	topology pica.PrimitiveMode
	idx      []uint32
	// odd, for a strip, means that the first triangle has reversed winding. In both
	// cases the older of two vertices comes first in idx.
	odd bool
}

// triangles is the number of triangles.
func (s *stream) triangles() int {
	switch s.topology {
	case pica.PrimitiveTriangleStrip, pica.PrimitiveTriangleFan:
		return max(0, len(s.idx)-2)
	}
	return len(s.idx) / 3
}

// corners returns the corners of n triangles from triangle lo on, three each.
// scratch has room for them.
//
// A vertex of a strip makes a triangle with the two before it and replaces the
// older one: v0 v1 v2, v2 v1 v3, v2 v3 v4, ...
func (s *stream) corners(lo, n int, scratch []uint32) []uint32 {
	switch s.topology {
	case pica.PrimitiveTriangleStrip:
		odd := s.odd != (lo&1 != 0)
		for t := range n {
			c, v := scratch[3*t:][:3], s.idx[lo+t:][:3]
			c[0], c[1], c[2] = v[0], v[1], v[2]
			if odd {
				c[0], c[1] = v[1], v[0]
			}
			odd = !odd
		}
	case pica.PrimitiveTriangleFan:
		for t := range n {
			c := scratch[3*t:][:3]
			c[0], c[1], c[2] = s.idx[0], s.idx[lo+t+1], s.idx[lo+t+2]
		}
	default:
		return s.idx[3*lo : 3*(lo+n)]
	}
	return scratch[:3*n]
}

// culler spreads culling over workers.
type culler struct {
	kernels  simd.Kernels
	workers  int
	parallel func(n int, f func(i, worker int))
	job      func(i, worker int) // culls piece i; made once, because making it allocates

	stream  stream
	dst     [][3]uint32 // room for all triangles of the stream
	pieces  []cullResult
	scratch [][3 * pieceTriangles]uint32 // of each worker
	left    [][3]uint32                  // scratch: list for finish
}

// start sets the sifter's workers, as in NewStage.
func (f *culler) start(a *assembler, workers int, parallel func(n int, f func(i, worker int))) {
	f.workers, f.parallel = workers, parallel
	f.job = func(i, worker int) {
		lo := i * pieceTriangles
		n := min(pieceTriangles, len(f.dst)-lo)
		a.prefetch(f.stream, lo, n)
		f.pieces[i] = a.cullPiece(f.stream.corners(lo, n, f.scratch[worker][:]), f.dst[lo:lo+n])
	}
}

// prefetch asks for the positions of n triangles from triangle lo on, which other
// workers have written. Vertices are numbered in the order of their first use,
// so most of a piece's have successive numbers.
func (a *assembler) prefetch(s stream, lo, n int) {
	var at [3]uint32
	c := s.corners(lo, 1, at[:])
	first := min(c[0], c[1], c[2])
	c = s.corners(lo+n-1, 1, at[:])
	if last := max(c[0], c[1], c[2]); last > first && last-first < 3*pieceTriangles {
		cores.Prefetch(a.pos[first:last])
	}
}

// triangles assembles a stream.
func (a *assembler) triangles(s stream) {
	f, o, n := &a.culler, a.out, s.triangles()
	if len(f.scratch) == 0 {
		f.scratch = make([][3 * pieceTriangles]uint32, max(1, f.workers))
	}
	a.alignsQuaternions = a.flip && a.quat.read(&o.Layout)
	a.room()
	if f.workers > 1 && !a.flat && n >= 2*pieceTriangles {
		a.spread(s, n)
		return
	}
	for lo := 0; lo < n; lo += pieceTriangles {
		m, first, own := min(pieceTriangles, n-lo), len(o.Triangles), a.own
		dst, corners := grow(&o.Triangles, m), s.corners(lo, m, f.scratch[0][:])
		if a.flat {
			corners = a.flatten(corners, f.scratch[0][:])
			a.own = len(a.pos) // kept until the piece is done
		}
		got := a.cullPiece(corners, dst)
		a.count(m, &got)
		o.Triangles = o.Triangles[:first+got.remaining]
		if got.unfinished {
			f.left = append(f.left[:0], dst[:got.remaining]...)
			o.Triangles = o.Triangles[:first]
			a.finish(f.left, a.base)
		}
		if a.flat {
			a.own = own
			a.spill()
		}
	}
}

// flatten gives triangles the colours of their last corners, the newest of
// strips and fans too: corners with other colours become copies. It writes the
// result to list.
func (a *assembler) flatten(corners, list []uint32) []uint32 {
	list = list[:copy(list, corners)]
	for t := 0; t < len(list); t += 3 {
		for k := range 2 {
			list[t+k] = a.colored(list[t+k], list[t+2])
		}
	}
	a.room()
	return list
}

// room makes room for one position more, which the kernel reads.
func (a *assembler) room() {
	if len(a.pos) == cap(a.pos) {
		a.pos = slices.Grow(a.pos, 1)
	}
}

// colored returns i, or the index of a copy of vertex i with the colour of
// vertex j if that differs.
func (a *assembler) colored(i, j uint32) uint32 {
	copied := false
	for s := pica.SemColorR; s <= pica.SemColorA; s++ {
		k := a.out.Layout.Index(s)
		if k < 0 {
			continue
		}
		if x := a.out.row(a.base + j)[k]; x != a.out.row(a.base + i)[k] {
			if !copied {
				i, copied = a.duplicate(i), true
			}
			a.out.row(a.base + i)[k] = x
		}
	}
	return i
}

// spread is triangles for a large number, on all workers. Pieces are culled to
// separate parts of the output and then moved together.
func (a *assembler) spread(s stream, n int) {
	f, o := &a.culler, a.out
	first, base := len(o.Triangles), a.base
	f.stream, f.dst = s, grow(&o.Triangles, n)
	f.pieces = f.pieces[:0]
	grow(&f.pieces, (n+pieceTriangles-1)/pieceTriangles)
	f.parallel(len(f.pieces), f.job)
	remaining, left := 0, false
	for i := range f.pieces {
		p, lo := &f.pieces[i], i*pieceTriangles
		remaining += copy(f.dst[remaining:], f.dst[lo:lo+p.remaining])
		a.count(min(pieceTriangles, n-lo), p)
		left = left || p.unfinished
	}
	o.Triangles = o.Triangles[:first+remaining]
	if left {
		f.left = append(f.left[:0], f.dst[:remaining]...)
		o.Triangles = o.Triangles[:first]
		a.finish(f.left, base)
	}
	f.stream, f.dst = stream{}, nil
}

// count adds the result of culling n triangles to the statistics.
func (a *assembler) count(n int, p *cullResult) {
	s := &a.out.Stats
	s.Primitives += n
	s.Rejected += p.rejected
	s.Culled += p.culled
	s.Triangles += p.drawn
}

// cullPiece runs the first step for the triangles with the given corners. It writes
// the remaining ones to dst, which has room for all.
func (a *assembler) cullPiece(corners []uint32, dst [][3]uint32) (s cullResult) {
	const group = 3 * eight
	for len(corners) > 0 {
		m := min(len(corners), group)
		// The kernel reads and writes one triangle more.
		if simd.Assembly && a.culler.kernels.AVX2() && len(corners) > group {
			n := len(corners)/group - (1 - min(1, len(corners)%group))
			done, remaining, culled, rejected := cullVector(&dst[s.remaining][0], &a.pos[0].x, &corners[0], n, a.base, a.cullMasks())
			s.culled += culled
			s.rejected += rejected
			s.drawn += done*eight - culled - rejected
			fresh := dst[s.remaining:][:remaining]
			s.remaining += remaining
			if a.alignsQuaternions {
				s.unfinished = a.markTurned(fresh) || s.unfinished
			}
			corners = corners[done*group:]
			if done == n && len(corners) > group {
				continue
			}
			m = min(len(corners), group)
		}
		a.cullPlain(corners[:m], dst, &s)
		corners = corners[m:]
	}
	return s
}

// cullMasks returns the parameter of the kernel for the culled side.
func (a *assembler) cullMasks() uint32 {
	switch a.cull {
	case pica.CullFront:
		return 0xFF00 // a positive area
	case pica.CullBack:
		return 0x00FF // a negative one
	}
	return 0
}

// cullPlain is cullPiece in plain Go, which is the definition.
func (a *assembler) cullPlain(corners []uint32, dst [][3]uint32, s *cullResult) {
	for ; len(corners) >= 3; corners = corners[3:] {
		i0, i1, i2 := corners[0], corners[1], corners[2]
		p0, p1, p2 := &a.pos[i0], &a.pos[i1], &a.pos[i2]
		t := &dst[s.remaining]
		if codes := p0.code | p1.code | p2.code; codes != 0 {
			if codes&outInvalid != 0 || p0.code&p1.code&p2.code != 0 {
				s.rejected++
				continue
			}
			*t = [3]uint32{i0 | unfinished, i1, i2}
			s.remaining++
			s.unfinished = true
			continue
		}
		area := signedArea(p0, p1, p2)
		if a.culled(area) {
			s.culled++
			continue
		}
		s.drawn++
		if noCentre(p0.x, p1.x, p2.x) || noCentre(p0.y, p1.y, p2.y) {
			continue // it covers no pixel
		}
		if area < 0 {
			i1, i2 = i2, i1
		}
		*t = [3]uint32{a.base + i0, a.base + i1, a.base + i2}
		s.remaining++
		if a.alignsQuaternions {
			s.unfinished = a.markTurned(dst[s.remaining-1:s.remaining]) || s.unfinished
		}
	}
}

// markTurned marks the triangles with quaternions to negate, and reports
// whether there are any.
func (a *assembler) markTurned(list [][3]uint32) (any bool) {
	o := a.out
	at, n := len(o.Attributes)-(len(o.Vertices)-int(a.base))*o.Layout.N, o.Layout.N
	rows := o.Attributes[at:]
	for k := range list {
		t := &list[k]
		i0, i1, i2 := t[0]-a.base, t[1]-a.base, t[2]-a.base
		q := a.quat.of(rows[int(i0)*n:])
		if apart(&q, a.quat.of(rows[int(i1)*n:])) || apart(&q, a.quat.of(rows[int(i2)*n:])) {
			*t = [3]uint32{i0, i1 | unfinished, i2}
			any = true
		}
	}
	return any
}

// quatIndices are the indices of x, y, z and w of a quaternion in the rows of a
// draw. A negative index means that the component is missing, and 1.
type quatIndices [4]int

// read finds the indices, and reports whether there are any.
func (p *quatIndices) read(l *pica.VertexLayout) (any bool) {
	for k := range p {
		p[k] = l.Index(pica.SemQuatX + pica.Semantic(k))
		any = any || p[k] >= 0
	}
	return any
}

// of returns the quaternion of the vertex whose row is first in rows.
func (p *quatIndices) of(rows []float32) (q [4]float32) {
	if x := p[0]; x >= 0 && p[1] == x+1 && p[2] == x+2 && p[3] == x+3 {
		return [4]float32(rows[x:])
	}
	for k, index := range p {
		q[k] = 1
		if index >= 0 {
			q[k] = rows[index]
		}
	}
	return q
}

// apart reports whether q must be negated in a triangle whose first vertex has
// p. q and -q are the same rotation, but interpolation between them takes the
// short way only if their dot product is not negative. The second and third
// vertex are adapted to the first, as in other implementations.
func apart(p *[4]float32, q [4]float32) bool {
	return float32(q[0]*p[0])+float32(q[1]*p[1])+float32(q[2]*p[2])+float32(q[3]*p[3]) < 0
}

// finish runs the second step. base is the chunk's base when the triangles were
// culled: flushing during clipping moves it.
func (a *assembler) finish(list [][3]uint32, base uint32) {
	for _, t := range list {
		switch {
		case t[0]&unfinished != 0:
			a.triangleOutside(t[0]&^unfinished, t[1], t[2])
			continue
		case t[1]&unfinished != 0:
			i1, i2 := a.alignQuaternion(t[0], t[1]&^unfinished), a.alignQuaternion(t[0], t[2])
			t = [3]uint32{base + t[0], base + i1, base + i2}
		}
		moved := a.base - base
		a.out.Triangles = append(a.out.Triangles, [3]uint32{t[0] + moved, t[1] + moved, t[2] + moved})
	}
}
