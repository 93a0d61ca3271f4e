// Package patches turns an ordinary mesh into index streams for the library's
// geometry shaders: edges with their neighbours for silhouettes (Silhouette),
// and patches with their rings of vertices for Loop and Catmull-Clark
// subdivision (Loop, CatmullClark). RefineLoop and RefineCatmullClark apply the
// subdivision rules themselves, in float64: they make a finer mesh on the CPU,
// and the shaders are tested against them.
//
// Mesh files duplicate vertices where texture coordinates or colours change. So
// whether two faces touch is decided by positions: vertices in the same position
// count as one.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package patches

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// MaxVertices is the number of vertices that 16-bit indices can name.
const MaxVertices = 1 << 16

// Mesh is a surface of faces with any number of corners, wound
// counter-clockwise seen from outside.
type Mesh struct {
	Positions []mgl64.Vec3
	// Values are the other numbers of a vertex: texture coordinates, colours.
	// Refining interpolates them along edges and in faces. Vertices in the same
	// place with other values stay separate. Nil if there are none.
	Values []Values
	Faces  [][]uint32
}

// Values are the numbers of a vertex that are not its position.
type Values [8]float64

// value is the values of a vertex.
func (m *Mesh) value(v uint32) (x Values) {
	if int(v) < len(m.Values) {
		x = m.Values[v]
	}
	return x
}

// mean is the mean of values.
func mean(v ...Values) (x Values) {
	for i := range x {
		for k := range v {
			x[i] += v[k][i]
		}
		x[i] /= float64(len(v))
	}
	return x
}

// Normals returns a unit normal for each vertex, the same for vertices in the
// same position: the mean of the normals of the faces around it, weighted by area.
func (m *Mesh) Normals() []mgl64.Vec3 {
	same := m.weld()
	out := make([]mgl64.Vec3, len(m.Positions))
	for _, f := range m.Faces {
		// Newell's method: the sum over the edges is twice the area's vector.
		var n mgl64.Vec3
		for k, v := range f {
			p, q := m.Positions[v], m.Positions[f[(k+1)%len(f)]]
			n[0] += float64((p[1] - q[1]) * (p[2] + q[2]))
			n[1] += float64((p[2] - q[2]) * (p[0] + q[0]))
			n[2] += float64((p[0] - q[0]) * (p[1] + q[1]))
		}
		for _, v := range f {
			add(&out[same[v]], n, 1)
		}
	}
	for i := range out {
		out[i] = out[same[i]]
		n := &out[i]
		if l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2])); l > 0 && int(same[i]) == i {
			*n = mgl64.Vec3{n[0] / l, n[1] / l, n[2] / l}
		}
	}
	return out
}

// Triangles makes a mesh from an index list. It drops triangles with two
// corners in the same position, as at the poles of spheres.
func Triangles(positions []mgl32.Vec3, indices []uint32) (*Mesh, error) {
	if len(indices)%3 != 0 {
		return nil, fmt.Errorf("%d indices do not make whole triangles", len(indices))
	}
	m := &Mesh{Positions: make([]mgl64.Vec3, len(positions))}
	for i, p := range positions {
		m.Positions[i] = mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	same := m.weld()
	for i := 0; i < len(indices); i += 3 {
		f := indices[i : i+3 : i+3]
		var w [3]uint32
		for k, v := range f {
			if int(v) >= len(positions) {
				return nil, fmt.Errorf("index %d names vertex %d; there are %d vertices", i+k, v, len(positions))
			}
			w[k] = same[v]
		}
		if w[0] != w[1] && w[1] != w[2] && w[2] != w[0] {
			m.Faces = append(m.Faces, f)
		}
	}
	return m, nil
}

// weldDistance is the distance below which vertices count as one, relative to
// the size of the mesh. Seams and poles of computed shapes do not meet exactly.
const weldDistance = 1e-6

// weld returns for each vertex the first vertex in the same position.
func (m *Mesh) weld() []uint32 {
	size := 0.0
	for _, p := range m.Positions {
		for _, c := range p {
			size = max(size, math.Abs(c))
		}
	}
	eps := size * weldDistance
	if !(eps > 0) || math.IsInf(eps, 0) {
		eps = math.SmallestNonzeroFloat32
	}
	// Vertices are kept by cells of twice the distance, so that those in reach
	// are in eight cells at most.
	cells := map[[3]int64][]uint32{}
	exact := map[mgl64.Vec3]uint32{}
	same := make([]uint32, len(m.Positions))
	for i, p := range m.Positions {
		if k, ok := exact[p]; ok {
			same[i] = k
			continue
		}
		same[i] = uint32(i)
		var at, other [3]int64
		for c := range p {
			q := p[c] / (2 * eps)
			at[c] = int64(math.Floor(q))
			other[c] = at[c] - 1
			if q-math.Floor(q) >= 0.5 {
				other[c] = at[c] + 1
			}
		}
		for n := range 8 {
			cell := at
			for c := range 3 {
				if n>>c&1 != 0 {
					cell[c] = other[c]
				}
			}
			for _, k := range cells[cell] {
				if k < same[i] && Length(p, m.Positions[k]) <= eps {
					same[i] = k
				}
			}
		}
		exact[p] = same[i]
		if same[i] == uint32(i) {
			cells[at] = append(cells[at], uint32(i))
		}
	}
	return same
}

// edge is a directed edge between welded vertices.
type edge struct{ from, to uint32 }

// corner is a position in a face.
type corner struct{ face, at uint32 }

// topology maps every directed edge to its face.
type topology struct {
	mesh  *Mesh
	same  []uint32
	edges map[edge]corner // the corner the edge starts from
}

// newTopology checks the mesh and finds its edges.
func newTopology(m *Mesh) (*topology, error) {
	for i, p := range m.Positions {
		for _, c := range p {
			if math.IsNaN(c) || math.IsInf(c, 0) {
				return nil, fmt.Errorf("vertex %d is at %v", i, p)
			}
		}
	}
	t := &topology{mesh: m, same: m.weld(), edges: map[edge]corner{}}
	for f, face := range m.Faces {
		if len(face) < 3 {
			return nil, fmt.Errorf("face %d has %d corners; expected 3 or more", f, len(face))
		}
		for k, v := range face {
			if int(v) >= len(m.Positions) {
				return nil, fmt.Errorf("face %d has vertex %d; there are %d vertices", f, v, len(m.Positions))
			}
			if next := face[(k+1)%len(face)]; int(next) < len(m.Positions) {
				e := edge{t.same[v], t.same[next]}
				if e.from == e.to {
					return nil, fmt.Errorf("face %d: corners %d and %d are in the same place", f, v, next)
				}
				if other, taken := t.edges[e]; taken {
					return nil, fmt.Errorf("faces %d and %d both have the edge from vertex %d to %d; faces that touch must be wound alike, and an edge can have two", other.face, f, v, next)
				}
				t.edges[e] = corner{uint32(f), uint32(k)}
			}
		}
	}
	return t, nil
}

// vertex is the vertex at a corner.
func (t *topology) vertex(c corner) uint32 { return t.mesh.Faces[c.face][c.at] }

// step is the corner n further along the face.
func (t *topology) step(c corner, n int) corner {
	size := len(t.mesh.Faces[c.face])
	return corner{c.face, uint32((int(c.at) + n + size) % size)}
}

// across returns the corner in the neighbouring face at the other end of the
// edge that starts at c.
func (t *topology) across(c corner) (corner, bool) {
	e := edge{t.same[t.vertex(t.step(c, 1))], t.same[t.vertex(c)]}
	n, ok := t.edges[e]
	return n, ok
}

// around returns the next corner counter-clockwise at the same vertex: in the
// face behind the edge that ends at c.
func (t *topology) around(c corner) (corner, error) {
	n, ok := t.across(t.step(c, -1))
	if !ok {
		a, b := t.vertex(t.step(c, -1)), t.vertex(c)
		return corner{}, fmt.Errorf("the edge between vertices %d and %d belongs to one face only; subdivision needs a closed mesh", a, b)
	}
	return n, nil
}

// ring returns all corners at the vertex of c, counter-clockwise from c on.
func (t *topology) ring(c corner) ([]corner, error) {
	ring := []corner{c}
	for {
		n, err := t.around(ring[len(ring)-1])
		if err != nil {
			return nil, err
		}
		if n == c {
			return ring, nil
		}
		if len(ring) > len(t.edges) {
			return nil, fmt.Errorf("the faces at vertex %d do not make a ring", t.vertex(c))
		}
		ring = append(ring, n)
	}
}

// Stream is an index stream for a draw in variable mode, with its vertices.
type Stream struct {
	// Indices is the stream: each primitive is its number of vertices and then
	// the vertices, numbers into Vertices.
	Indices []uint16
	// Vertices are the vertices of the mesh that the draw needs, in the order
	// in which the vertex array must hold them. A vertex of the mesh is in here
	// once.
	Vertices []uint32
	// Valence is the number of edges at each of Vertices. The shaders need it
	// for the main vertices of a patch, as a component of an attribute.
	Valence []uint8
	// Primitives is the number of patches.
	Primitives int
}

// streamBuilder fills streams, and starts a new one if 16-bit indices are not
// enough.
type streamBuilder struct {
	streams []*Stream
	number  map[uint32]uint16 // in the current stream
	limit   int               // vertices of a primitive
}

func (b *streamBuilder) add(main []uint32, valence []int, others []uint32) error {
	n := len(main) + len(others)
	if n > b.limit {
		return fmt.Errorf("a patch has %d vertices, more than the %d that the shader has registers for", n, b.limit)
	}
	if len(b.streams) == 0 || len(b.number)+n > MaxVertices {
		b.streams = append(b.streams, &Stream{})
		b.number = map[uint32]uint16{}
	}
	s := b.streams[len(b.streams)-1]
	s.Indices = append(s.Indices, uint16(n))
	put := func(v uint32) uint16 {
		k, ok := b.number[v]
		if !ok {
			k = uint16(len(s.Vertices))
			b.number[v] = k
			s.Vertices = append(s.Vertices, v)
			s.Valence = append(s.Valence, 0)
		}
		s.Indices = append(s.Indices, k)
		return k
	}
	for i, v := range main {
		s.Valence[put(v)] = uint8(valence[i])
	}
	for _, v := range others {
		put(v)
	}
	s.Primitives++
	return nil
}
