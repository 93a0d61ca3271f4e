package patches

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// loopMaxVertices is the greatest number of vertices of a patch: c1 to c9 are
// the three main vertices of three outputs each, c10 to c83 the others.
const loopMaxVertices = 3 + 74

// Loop makes the stream of the "loop" program of a closed mesh of triangles: a
// primitive for each triangle. Its first three vertices are the triangle. Then
// follows the ring around it, counter-clockwise: for each corner the vertices
// across its edges, beginning with the one opposite of the edge that arrives
// at the corner, up to but not including the one opposite of the edge that
// leaves it; and at the end the first of the ring again. A ring of valences n
// has the sum of n - 3 vertices, plus one.
func Loop(m *Mesh) ([]*Stream, error) {
	t, err := newTopology(m)
	if err != nil {
		return nil, err
	}
	b := streamBuilder{limit: loopMaxVertices}
	var others []uint32
	for f, face := range m.Faces {
		if len(face) != 3 {
			return nil, fmt.Errorf("face %d has %d corners; Loop subdivision takes triangles", f, len(face))
		}
		others = others[:0]
		var valence [3]int
		for k := range 3 {
			ring, err := t.ring(corner{uint32(f), uint32(k)})
			if err != nil {
				return nil, fmt.Errorf("face %d: %w", f, err)
			}
			n := len(ring)
			if n < 3 || n > 255 {
				return nil, fmt.Errorf("face %d: %d edges meet at vertex %d; expected 3 to 255", f, n, face[k])
			}
			valence[k] = n
			// In the face after the i-th turn the third corner is the next
			// vertex of the ring; that of the last face is not listed.
			for _, c := range ring[1 : n-2] {
				others = append(others, t.vertex(t.step(c, -1)))
			}
			if k == 2 && len(others) == 0 {
				others = append(others, t.vertex(t.step(ring[1], -1)))
			}
		}
		others = append(others, others[0])
		if len(others) == 2 && valence == [3]int{3, 3, 3} {
			others = others[:1] // a tetrahedron: one vertex sees all edges
		}
		if err := b.add(face, valence[:], others); err != nil {
			return nil, fmt.Errorf("face %d: %w", f, err)
		}
	}
	return b.streams, nil
}

// loopBeta is the weight of each neighbour of a vertex of valence n (Warren's
// choice).
func loopBeta(n int) float64 {
	if n > 3 {
		return 3 / (8 * float64(n))
	}
	return 3.0 / 16
}

// RefineLoop is one step of Loop subdivision of a closed mesh of triangles.
// Vertices in the same position become one if their values are equal.
func RefineLoop(m *Mesh) (*Mesh, error) {
	t, err := newTopology(m)
	if err != nil {
		return nil, err
	}
	r := refiner{t: t, out: &Mesh{}, vertices: map[uint32]uint32{}, edges: map[edge]uint32{}}
	for f, face := range m.Faces {
		if len(face) != 3 {
			return nil, fmt.Errorf("face %d has %d corners; Loop subdivision takes triangles", f, len(face))
		}
		var v, e [3]uint32
		for k := range 3 {
			c := corner{uint32(f), uint32(k)}
			if v[k], err = r.vertex(c, loopVertex); err != nil {
				return nil, err
			}
			if e[k], err = r.edge(c, loopEdge); err != nil {
				return nil, err
			}
		}
		x, y, z := m.value(face[0]), m.value(face[1]), m.value(face[2])
		xy, yz, zx := mean(x, y), mean(y, z), mean(z, x)
		r.face([]uint32{v[0], e[0], e[2]}, x, xy, zx)
		r.face([]uint32{e[0], v[1], e[1]}, xy, y, yz)
		r.face([]uint32{e[2], e[1], v[2]}, zx, yz, z)
		r.face([]uint32{e[0], e[1], e[2]}, xy, yz, zx)
	}
	return r.finish(), nil
}

// loopVertex is the rule for old vertices: ring is the corners at it.
func loopVertex(t *topology, ring []corner) (p mgl64.Vec3) {
	beta := loopBeta(len(ring))
	add(&p, t.mesh.Positions[t.vertex(ring[0])], 1-float64(float64(len(ring))*beta))
	for _, c := range ring {
		add(&p, t.mesh.Positions[t.vertex(t.step(c, 1))], beta)
	}
	return p
}

// loopEdge is the rule for new vertices: c starts the edge, o its reverse.
func loopEdge(t *topology, c, o corner) (p mgl64.Vec3) {
	add(&p, t.mesh.Positions[t.vertex(c)], 3.0/8)
	add(&p, t.mesh.Positions[t.vertex(o)], 3.0/8)
	add(&p, t.mesh.Positions[t.vertex(t.step(c, 2))], 1.0/8)
	add(&p, t.mesh.Positions[t.vertex(t.step(o, 2))], 1.0/8)
	return p
}

func add(p *mgl64.Vec3, q mgl64.Vec3, w float64) {
	for i := range p {
		p[i] += float64(q[i] * w)
	}
}
