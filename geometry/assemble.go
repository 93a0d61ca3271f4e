package geometry

import (
	"context"
	"math"

	"pica200/pica"
)

// position is what assembly needs of a vertex: kept apart from the vertices
// because it is read three times per triangle.
type position struct {
	x, y int32
	code uint32 // outcode; x and y are valid only if it is 0
}

// assembler makes triangles of a stream of vertices.
type assembler struct {
	topology pica.PrimitiveMode // PrimitiveGeometry without a geometry shader is a list: programs use it for indexed triangles
	cull     pica.CullMode      // front faces are counter-clockwise in the window, +y up
	flip     bool               // turn quaternions; only fragment lighting reads them
	view     viewport
	user     userPlane
	clipper  clipper

	out  *Output
	ctx  context.Context // of the draw that out is for
	base uint32          // index in out.Vertices of position 0
	pos  []position      // one for each vertex from base on

	own   int                   // vertices of the chunk that clipping or turning did not make
	saved []pica.ScreenPosition // scratch: those, while the rest is handed on
	rows  []float32             // scratch: their attributes
	err   error                 // of Flush in the middle of a chunk

	// flipped holds, for a vertex whose quaternion had to be turned, the index
	// of the turned copy, and for the others 0.
	flipped []uint32

	// carry are the vertices that the next chunk or draw goes on from: those
	// of an unfinished triangle of a list, the last two of a strip, the first
	// and the last of a fan.
	carry     [2]pica.Vertex
	carried   int
	joined    []uint32 // scratch: the indices of the carried vertices and of the chunk
	odd       bool     // strip: the next triangle replaces the second carried vertex
	winding   bool     // geometry shader: exchange the first two vertices of the next triangle
	assembled bool     // strip or fan: has made a triangle since the last restart
}

// restart forgets unfinished primitives.
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

// layout gives the layout of a draw's vertices: what its shader maps, and what
// vertices from before have besides that are still to make triangles, those that
// were carried on and those that the caller names.
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
		// Turning a quaternion changes the components too that are not mapped.
		for s := pica.SemQuatX; s <= pica.SemQuatW; s++ {
			if l.Place(s) >= 0 {
				for s := pica.SemQuatX; s <= pica.SemQuatW; s++ {
					l.Add(s)
				}
			}
		}
	}
	return l
}

// add appends vertices and returns room for them, for their attributes and for
// their positions.
func (a *assembler) add(n int) ([]pica.ScreenPosition, []float32, []position) {
	v := grow(&a.out.Vertices, n)
	r := grow(&a.out.Attributes, n*a.out.Layout.N)
	p := grow(&a.pos, n)
	return v, r, p
}

// addWhole appends a vertex that has a place in the window if it is inside of
// the view volume.
func (a *assembler) addWhole(v *pica.Vertex) (*pica.ScreenPosition, *position) {
	vs, row, ps := a.add(1)
	a.out.Layout.Pack(v, row)
	return &vs[0], &ps[0]
}

// grow lengthens *s by n elements of any content and returns them.
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

// locate fills position and window coordinates of a vertex at x, y, z and w.
func (a *assembler) locate(at *[4]float32, v *pica.ScreenPosition, p *position) {
	p.code = a.user.outcode(at)
	if p.code == 0 {
		a.view.project(at, v)
		p.x, p.y = v.X, v.Y
	}
}

// list assembles triangles from three vertices each. idx are numbers of
// vertices of the chunk. It returns how many indices are left over at the end,
// 0 to 2.
func (a *assembler) list(idx []uint32) int {
	for len(idx) >= 3 {
		if a.winding {
			// The flag of SETEMIT.
			a.winding = false
			a.triangle(idx[1], idx[0], idx[2])
		} else {
			a.triangle(idx[0], idx[1], idx[2])
		}
		idx = idx[3:]
	}
	return len(idx)
}

// strip assembles a strip: every vertex after the second makes a triangle,
// and takes the place of the older of the two before. The order of the
// vertices in a triangle is v0 v1 v2, v2 v1 v3, v2 v3 v4, ...
func (a *assembler) strip(idx []uint32, odd bool) (last [2]uint32, oddAfter bool) {
	v0, v1 := idx[0], idx[1]
	for _, v := range idx[2:] {
		a.triangle(v0, v1, v)
		if odd {
			v1 = v
		} else {
			v0 = v
		}
		odd = !odd
	}
	return [2]uint32{v0, v1}, odd
}

// fan assembles a fan around its first vertex.
func (a *assembler) fan(idx []uint32) {
	v0, v1 := idx[0], idx[1]
	for _, v := range idx[2:] {
		a.triangle(v0, v1, v)
		v1 = v
	}
}

// triangle takes one assembled triangle: rejects, culls, clips, and appends
// what is left to the output.
func (a *assembler) triangle(i0, i1, i2 uint32) {
	pos := a.pos
	p0, p1, p2 := &pos[i0], &pos[i1], &pos[i2]
	a.out.Stats.Primitives++
	codes := p0.code | p1.code | p2.code
	if codes != 0 {
		a.triangleOutside(i0, i1, i2, codes)
		return
	}
	area := signedArea(p0, p1, p2)
	if a.culled(area) {
		a.out.Stats.Culled++
		return
	}
	a.out.Stats.Triangles++
	if noCentre(p0.x, p1.x, p2.x) || noCentre(p0.y, p1.y, p2.y) {
		return // it covers no pixel
	}
	if a.flip {
		i1, i2 = a.turn(i0, i1), a.turn(i0, i2)
	}
	b := a.base
	if area > 0 {
		a.out.Triangles = append(a.out.Triangles, [3]uint32{b + i0, b + i1, b + i2})
	} else {
		a.out.Triangles = append(a.out.Triangles, [3]uint32{b + i0, b + i2, b + i1})
	}
}

// noCentre reports whether no centre of a pixel lies between the least and the
// greatest of three window coordinates, bounds included. Rows can be counted
// from either end of a target.
func noCentre(a, b, c int32) bool {
	const half = subpixels / 2
	return (max(a, b, c)-half)>>subpixelBits < (min(a, b, c)+half-1)>>subpixelBits
}

// culled says whether a triangle with this signed area is thrown away: it has
// no area, or faces the side that is culled.
func (a *assembler) culled(area int64) bool {
	switch a.cull {
	case pica.CullFront:
		return area >= 0
	case pica.CullBack:
		return area <= 0
	}
	return area == 0
}

// triangleOutside is triangle for one with a vertex outside of the view
// volume.
func (a *assembler) triangleOutside(i0, i1, i2, codes uint32) {
	p0, p1, p2 := a.pos[i0], a.pos[i1], a.pos[i2]
	if codes&outInvalid != 0 || p0.code&p1.code&p2.code != 0 {
		a.out.Stats.Rejected++
		return
	}
	if p0.code == 0 && a.samePlace(i1, i2) || p1.code == 0 && a.samePlace(i0, i2) || p2.code == 0 && a.samePlace(i0, i1) {
		// A line from a corner inside to a place outside: what clipping leaves
		// of it has no area. Geometry shaders that do not write all three
		// vertices of their buffer emit many of these.
		a.out.Stats.Clipped++
		a.out.Stats.Culled++
		return
	}
	if a.flip {
		i1, i2 = a.turn(i0, i1), a.turn(i0, i2)
	}
	for k, i := range [3]uint32{i0, i1, i2} {
		c := &a.clipper.pool[k]
		a.out.Layout.Unpack(a.out.row(a.base+i), &c.Vertex)
		c.index = i
	}
	corners := a.clipper.clip(&a.user, codes)
	if len(corners) == 0 {
		a.out.Stats.Rejected++
		return
	}
	a.out.Stats.Clipped++
	var idx [maxCorners]uint32
	for k, corner := range corners {
		c := &a.clipper.pool[corner]
		if c.index == newVertex {
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

// samePlace reports whether two vertices have the same position in clip space,
// to the bit.
func (a *assembler) samePlace(i, j uint32) bool {
	ri, rj := a.out.row(a.base+i), a.out.row(a.base+j)
	for s := pica.SemPositionX; s <= pica.SemPositionW; s++ {
		if k := a.out.Layout.Place(s); k >= 0 && math.Float32bits(ri[k]) != math.Float32bits(rj[k]) {
			return false
		}
	}
	return true
}

// addVertex appends a vertex that clipping made, and returns its number. It
// lies in the view volume; if rounding moved it out, it is put back, in v too.
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

// turn returns i, or a copy of vertex i with its quaternion negated if that
// lies closer to the quaternion of vertex i0. q and -q are the same rotation,
// but interpolation between them takes the short way only if their dot
// product is not negative. The quaternions of the second and the third vertex
// are turned towards the first, as other implementations do.
func (a *assembler) turn(i0, i uint32) uint32 {
	p, q := a.quaternion(i0), a.quaternion(i)
	dot := float32(q[0]*p[0]) + float32(q[1]*p[1]) + float32(q[2]*p[2]) + float32(q[3]*p[3])
	if !(dot < 0) {
		return i
	}
	if int(i) >= len(a.flipped) {
		clear(grow(&a.flipped, len(a.pos)-len(a.flipped)))
	}
	if f := a.flipped[i]; f != 0 {
		return f
	}
	n := uint32(len(a.pos))
	vs, row, ps := a.add(1)
	vs[0] = a.out.Vertices[a.base+i] // add may have moved the arrays
	copy(row, a.out.row(a.base+i))
	ps[0] = a.pos[i]
	for s := pica.SemQuatX; s <= pica.SemQuatW; s++ {
		if place := a.out.Layout.Place(s); place >= 0 {
			row[place] = -row[place]
		}
	}
	a.flipped[i] = n
	return n
}

// quaternion is that of a vertex of the chunk.
func (a *assembler) quaternion(i uint32) (q [4]float32) {
	row := a.out.row(a.base + i)
	for k := range q {
		q[k] = 1
		if place := a.out.Layout.Place(pica.SemQuatX + pica.Semantic(k)); place >= 0 {
			q[k] = row[place]
		}
	}
	return q
}

// isStrip says whether nearly every vertex makes a triangle.
func (a *assembler) isStrip() bool {
	return a.topology == pica.PrimitiveTriangleStrip || a.topology == pica.PrimitiveTriangleFan
}

// assemble takes the next vertices of the stream, as numbers of vertices of
// the chunk. Unfinished primitives are kept for the next call. The error is
// that of Output.Flush.
func (a *assembler) assemble(idx []uint32) error {
	if len(idx) == 0 {
		return nil
	}
	if a.carried > 0 {
		// Bring the carried vertices into this chunk, in front of the new ones.
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
		if a.topology == pica.PrimitiveTriangleFan {
			a.fan(idx)
			a.keep(idx[0], idx[len(idx)-1])
			break
		}
		last, odd := a.strip(idx, a.odd)
		a.odd = odd
		a.keep(last[0], last[1])
	}
	return a.err
}

// maxClipped is how many vertices or triangles clipping may add to a chunk
// before they are handed on.
const maxClipped = 1 << 15

// spill hands on what was assembled so far if clipping has added much to it,
// and keeps the chunk's own vertices, which the rest of it is made of.
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

// endDraw drops what a list of triangles ended in the middle of, and counts
// incomplete primitives. Strips and fans go on in the next draw until
// GPUREG_RESTART_PRIMITIVE is written; so do lists in immediate mode, where
// the end of a draw is not known.
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
