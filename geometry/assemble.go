package geometry

import (
	"context"
	"math"

	"pica200/pica"
)

// position is the part of a vertex that assembly needs. It is separate because
// it is read three times for each triangle.
type position struct {
	x, y int32
	code uint32 // outcode; x and y are valid only if it is 0
}

// assembler makes triangles from a stream of vertices.
type assembler struct {
	topology          pica.PrimitiveMode // PrimitiveGeometry without a geometry shader is a list: programs use it for indexed triangles
	cull              pica.CullMode      // front faces are counter-clockwise in the window, +y up
	flat              bool               // a triangle has the colour of its last corner
	flip              bool               // negate quaternions; only fragment lighting reads them
	view              viewport
	user              userPlane
	clipper           clipper
	culler            culler
	alignsQuaternions bool        // flip is set, and vertices have quaternions
	quat              quatIndices // places of the quaternion, if turns

	out  *Output
	ctx  context.Context // of the current draw
	base uint32          // index in out.Vertices of position 0
	pos  []position      // one for each vertex from base on

	own   int                   // vertices of the chunk, without those that clipping or turning made
	saved []pica.ScreenPosition // scratch: these vertices, while the rest is flushed
	rows  []float32             // scratch: their attributes
	err   error                 // of Flush in the middle of a chunk

	// flipped maps a vertex to its copy with a negated quaternion, or to 0 if there
	// is none.
	flipped []uint32

	// carry holds the vertices with which the next chunk or draw continues: of an
	// unfinished triangle of a list, the last two of a strip in order, or the first
	// and last of a fan.
	carry     [2]pica.Vertex
	carried   int
	joined    []uint32 // scratch: carried vertices followed by the chunk's
	odd       bool     // strip: the next triangle has reversed winding
	winding   bool     // geometry shader: exchange the first two vertices of the next triangle
	assembled bool     // strip or fan: a triangle was made since the last restart
}

// restart drops unfinished primitives.
func (a *assembler) restart() {
	a.carried = 0
	a.odd = false
	a.winding = false
	a.assembled = false
}

// begin starts a chunk, whose vertices will be appended to out.Vertices.
func (a *assembler) begin() {
	a.base = uint32(len(a.out.Vertices))
	a.pos = a.pos[:0]
	a.flipped = a.flipped[:0]
}

// layout returns the layout of a draw's vertices: the components that its shader maps, and those of earlier vertices that
// are still in use: the carried ones and left.
func (a *assembler) layout(m *outputMap, left []pica.Vertex) (l pica.VertexLayout) {
	m.layout(&l)
	for _, list := range [][]pica.Vertex{a.carry[:a.carried], left} {
		for i := range list {
			for s, x := range list[i] {
				if x != 1 {
					l.Add(pica.Semantic(s))
				}
			}
		}
	}
	if a.flip {
		// Negating a quaternion also changes its unmapped components.
		for s := pica.SemQuatX; s <= pica.SemQuatW; s++ {
			if l.Index(s) >= 0 {
				for s := pica.SemQuatX; s <= pica.SemQuatW; s++ {
					l.Add(s)
				}
			}
		}
	}
	return l
}

// add appends n vertices and returns slices for them, their attributes and
// their positions.
func (a *assembler) add(n int) ([]pica.ScreenPosition, []float32, []position) {
	v := grow(&a.out.Vertices, n)
	r := grow(&a.out.Attributes, n*a.out.Layout.N)
	p := grow(&a.pos, n)
	return v, r, p
}

// addWhole appends a vertex. It has window coordinates only if it is inside the
// view volume.
func (a *assembler) addWhole(v *pica.Vertex) (*pica.ScreenPosition, *position) {
	vs, row, ps := a.add(1)
	a.out.Layout.Pack(v, row)
	return &vs[0], &ps[0]
}

// grow appends n elements with undefined contents to *s and returns them.
func grow[T any](s *[]T, n int) []T {
	old := len(*s)
	if old+n > cap(*s) {
		bigger := make([]T, old+n, max(old+n, 2*cap(*s)))
		copy(bigger, *s)
		*s = bigger
	} else {
		*s = (*s)[:old+n]
	}
	return (*s)[old : old+n]
}

// locate computes position and window coordinates of a vertex.
func (a *assembler) locate(at *[4]float32, v *pica.ScreenPosition, p *position) {
	p.code = a.user.outcode(at)
	if p.code == 0 {
		p.x, p.y = a.view.project(at, v)
	}
}

// list assembles a list of triangles. idx are indices into the chunk's
// vertices. It returns the number of indices left over, 0 to 2.
func (a *assembler) list(idx []uint32) int {
	if a.winding && len(idx) >= 3 {
		// The winding flag of SETEMIT applies to one triangle.
		a.winding = false
		a.joined = append(a.joined[:0], idx[1], idx[0], idx[2])
		a.triangles(stream{idx: a.joined})
		idx = idx[3:]
	}
	a.triangles(stream{idx: idx})
	return len(idx) % 3
}

// noCentre reports whether no pixel centre lies between the least and the
// greatest of three window coordinates, inclusive. It holds for both directions
// of counting rows.
func noCentre(a, b, c int32) bool {
	const half = subpixels / 2
	return (max(a, b, c)-half)>>subpixelBits < (min(a, b, c)+half-1)>>subpixelBits
}

// culled reports whether a triangle with this signed area is dropped: it has no
// area or faces the culled side.
func (a *assembler) culled(area int64) bool {
	switch a.cull {
	case pica.CullFront:
		return area >= 0
	case pica.CullBack:
		return area <= 0
	}
	return area == 0
}

// triangleOutside handles a triangle that has a vertex outside of the view
// volume but was not rejected by cullPiece.
func (a *assembler) triangleOutside(i0, i1, i2 uint32) {
	p0, p1, p2 := a.pos[i0], a.pos[i1], a.pos[i2]
	if p0.code == 0 && a.samePosition(i1, i2) || p1.code == 0 && a.samePosition(i0, i2) || p2.code == 0 && a.samePosition(i0, i1) {
		// A line from a vertex inside to a point outside: clipping would leave no area.
		// Geometry shaders that do not write all three vertices of their buffer emit
		// many of these.
		a.out.Stats.Clipped++
		a.out.Stats.Culled++
		return
	}
	if a.alignsQuaternions {
		i1, i2 = a.alignQuaternion(i0, i1), a.alignQuaternion(i0, i2)
	}
	for k, i := range [3]uint32{i0, i1, i2} {
		c := &a.clipper.pool[k]
		a.out.Layout.Unpack(a.out.row(a.base+i), &c.Vertex)
		c.index = i
	}
	corners := a.clipper.clip(&a.user, p0.code|p1.code|p2.code)
	if len(corners) == 0 {
		a.out.Stats.Rejected++
		return
	}
	a.out.Stats.Clipped++
	var idx [maxCorners]uint32
	for k, corner := range corners {
		c := &a.clipper.pool[corner]
		if c.index == newVertex {
			if a.flat { // all corners have the same colour; the cut rounds
				copy(c.Vertex[pica.SemColorR:pica.SemColorA+1], a.clipper.pool[0].Vertex[pica.SemColorR:])
			}
			c.index = a.addVertex(&c.Vertex)
		}
		idx[k] = c.index
	}
	drawn := 0
	for k := 2; k < len(corners); k++ {
		j0, j1, j2 := idx[0], idx[k-1], idx[k]
		area := signedArea(&a.pos[j0], &a.pos[j1], &a.pos[j2])
		if a.culled(area) {
			continue
		}
		drawn++
		if area < 0 {
			j1, j2 = j2, j1
		}
		a.out.Triangles = append(a.out.Triangles, [3]uint32{a.base + j0, a.base + j1, a.base + j2})
	}
	a.out.Stats.Triangles += drawn
	if drawn == 0 {
		a.out.Stats.Culled++
	}
	a.spill()
}

// samePosition reports whether two vertices have the same bits as clip-space
// position.
func (a *assembler) samePosition(i, j uint32) bool {
	ri, rj := a.out.row(a.base+i), a.out.row(a.base+j)
	for s := pica.SemPositionX; s <= pica.SemPositionW; s++ {
		if k := a.out.Layout.Index(s); k >= 0 && math.Float32bits(ri[k]) != math.Float32bits(rj[k]) {
			return false
		}
	}
	return true
}

// addVertex appends a vertex made by clipping and returns its index. If
// rounding moved it out of the view volume, it is moved back, in v too.
func (a *assembler) addVertex(v *pica.Vertex) uint32 {
	n := uint32(len(a.pos))
	w := max(minW, v[pica.SemPositionW])
	v[pica.SemPositionW] = w
	v[pica.SemPositionX] = max(-w, min(w, v[pica.SemPositionX]))
	v[pica.SemPositionY] = max(-w, min(w, v[pica.SemPositionY]))
	at, p := a.addWhole(v)
	a.view.project(positionOf(v), at)
	*p = position{x: at.X, y: at.Y}
	return n
}

// alignQuaternion returns i, or the index of a copy of vertex i with negated quaternion if
// it must be negated in a triangle whose first vertex is i0.
func (a *assembler) alignQuaternion(i0, i uint32) uint32 {
	q := a.quat.of(a.out.row(a.base + i0))
	if !apart(&q, a.quat.of(a.out.row(a.base+i))) {
		return i
	}
	if int(i) >= len(a.flipped) {
		clear(grow(&a.flipped, len(a.pos)-len(a.flipped)))
	}
	if f := a.flipped[i]; f != 0 {
		return f
	}
	n := a.duplicate(i)
	row := a.out.row(a.base + n)
	for s := pica.SemQuatX; s <= pica.SemQuatW; s++ {
		if index := a.out.Layout.Index(s); index >= 0 {
			row[index] = -row[index]
		}
	}
	a.flipped[i] = n
	return n
}

// duplicate appends a copy of vertex i and returns its index.
func (a *assembler) duplicate(i uint32) uint32 {
	n := uint32(len(a.pos))
	vs, row, ps := a.add(1)
	vs[0] = a.out.Vertices[a.base+i] // add may have reallocated the arrays
	copy(row, a.out.row(a.base+i))
	ps[0] = a.pos[i]
	return n
}

// isStrip reports whether nearly every vertex makes a triangle.
func (a *assembler) isStrip() bool {
	return a.topology == pica.PrimitiveTriangleStrip || a.topology == pica.PrimitiveTriangleFan
}

// assemble takes the next vertices of the stream, as indices into the chunk. It
// keeps unfinished primitives for the next call. The error is that of
// Output.Flush.
func (a *assembler) assemble(idx []uint32) error {
	if len(idx) == 0 {
		return nil
	}
	if a.carried > 0 {
		// Put the carried vertices before the new ones of this chunk.
		first := uint32(len(a.pos))
		a.joined = a.joined[:0]
		for k := range a.carried {
			v := &a.carry[k]
			at, p := a.addWhole(v)
			a.locate(positionOf(v), at, p)
			a.joined = append(a.joined, first+uint32(k))
		}
		a.joined = append(a.joined, idx...)
		idx = a.joined
		a.carried = 0
	}
	a.own, a.err = len(a.pos), nil
	switch {
	case !a.isStrip():
		left := a.list(idx)
		a.keep(idx[len(idx)-left:]...)
	case len(idx) < 2:
		a.keep(idx...)
	default:
		a.assembled = a.assembled || len(idx) > 2
		a.triangles(stream{a.topology, idx, a.odd})
		n := len(idx)
		if a.topology == pica.PrimitiveTriangleFan {
			a.keep(idx[0], idx[n-1])
			break
		}
		a.odd = a.odd != (n&1 != 0)
		a.keep(idx[n-2], idx[n-1])
	}
	return a.err
}

// maxClipped is the number of vertices or triangles that clipping may add to a
// chunk before they are flushed.
const maxClipped = 1 << 15

// spill flushes what was assembled so far if clipping added much, and keeps the
// chunk's own vertices, which the rest needs.
func (a *assembler) spill() {
	o := a.out
	if o.Flush == nil || a.err != nil || len(a.pos)-a.own < maxClipped && len(o.Triangles) < FlushTriangles+maxClipped {
		return
	}
	rows := o.Layout.N * a.own
	a.saved = append(a.saved[:0], o.Vertices[a.base:a.base+uint32(a.own)]...)
	a.rows = append(a.rows[:0], o.Attributes[len(o.Attributes)-o.Layout.N*(len(o.Vertices)-int(a.base)):][:rows]...)
	a.err = o.Flush(a.ctx, o)
	a.base = uint32(len(o.Vertices))
	o.Vertices = append(o.Vertices, a.saved...)
	o.Attributes = append(o.Attributes, a.rows...)
	a.pos = a.pos[:a.own]
	a.flipped = a.flipped[:0]
}

// keep remembers vertices for the next chunk.
func (a *assembler) keep(idx ...uint32) {
	for _, i := range idx {
		a.out.Layout.Unpack(a.out.row(a.base+i), &a.carry[a.carried])
		a.carried++
	}
}

// endDraw drops the unfinished triangle of a list and counts incomplete
// primitives. Strips and fans continue in the next draw until
// GPUREG_RESTART_PRIMITIVE is written; so do lists in immediate mode, where the
// end of a draw is not known.
func (a *assembler) endDraw(immediate bool) {
	list := !a.isStrip()
	if a.carried > 0 && !a.assembled && !(list && immediate) {
		a.out.Stats.Incomplete++
	}
	if list && !immediate {
		a.carried = 0
		a.winding = false
	}
}
