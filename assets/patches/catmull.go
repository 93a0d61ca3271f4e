package patches

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// catmullClarkMaxVertices is the greatest number of vertices of a patch: c1 to
// c12 are the four main vertices of three outputs each, c13 to c82 the others.
const catmullClarkMaxVertices = 4 + 70

// CatmullClark makes the stream of the "catmull_clark" program of a closed
// mesh of quads: a primitive for each quad. Its first four vertices are the
// quad. Then follows the ring around it, counter-clockwise: for each corner its
// neighbours across edges and, between them, across faces, beginning and ending
// with a neighbour across an edge; the quad's own vertices and the vertices
// that belong to the next or the previous corner are left out, which leaves
// 2n - 5 of valence n. In front of the ring its last vertex is repeated, behind
// it its first.
func CatmullClark(m *Mesh) ([]*Stream, error) {
	t, err := newTopology(m)
	if err != nil {
		return nil, err
	}
	b := streamBuilder{limit: catmullClarkMaxVertices}
	var others []uint32
	for f, face := range m.Faces {
		others = append(others[:0], 0) // for the last vertex
		var valence [4]int
		for k := range face {
			ring, err := t.ring(corner{uint32(f), uint32(k)})
			if err != nil {
				return nil, fmt.Errorf("face %d: %w", f, err)
			}
			n := len(ring)
			if n < 3 || n > 255 {
				return nil, fmt.Errorf("face %d: %d edges meet at vertex %d; expected 3 to 255", f, n, face[k])
			}
			for i, c := range ring {
				if size := len(m.Faces[c.face]); size != 4 {
					return nil, fmt.Errorf("face %d has %d corners; Catmull-Clark patches need quads, which RefineCatmullClark makes", c.face, size)
				}
				// The faces at the vertex are, from the quad itself on, those
				// behind the arriving edge, ..., in front of the leaving edge.
				if i >= 2 {
					others = append(others, t.vertex(t.step(c, 1)))
					if i < n-1 {
						others = append(others, t.vertex(t.step(c, 2)))
					}
				}
			}
			valence[k] = n
		}
		others[0] = others[len(others)-1]
		others = append(others, others[1])
		if err := b.add(face, valence[:], others); err != nil {
			return nil, fmt.Errorf("face %d: %w", f, err)
		}
	}
	return b.streams, nil
}

// RefineCatmullClark is one step of Catmull-Clark subdivision of a closed mesh
// of faces with any number of corners. The result has quads alone. Vertices in
// the same position become one if their values are equal.
func RefineCatmullClark(m *Mesh) (*Mesh, error) {
	t, err := newTopology(m)
	if err != nil {
		return nil, err
	}
	r := refiner{t: t, out: &Mesh{}, vertices: map[uint32]uint32{}, edges: map[edge]uint32{}}
	for f, face := range m.Faces {
		center := r.position(facePoint(t, corner{uint32(f), 0}))
		v, e := make([]uint32, len(face)), make([]uint32, len(face))
		for k := range face {
			c := corner{uint32(f), uint32(k)}
			if v[k], err = r.vertex(c, catmullClarkVertex); err != nil {
				return nil, err
			}
			if e[k], err = r.edge(c, catmullClarkEdge); err != nil {
				return nil, err
			}
		}
		corners := make([]Values, len(face))
		for k := range face {
			corners[k] = m.value(face[k])
		}
		for k := range face {
			last := (k + len(face) - 1) % len(face)
			next := (k + 1) % len(face)
			r.face([]uint32{v[k], e[k], center, e[last]}, corners[k], mean(corners[k], corners[next]), mean(corners...), mean(corners[last], corners[k]))
		}
	}
	return r.finish(), nil
}

// facePoint is the mean of the corners of a face.
func facePoint(t *topology, c corner) (p mgl64.Vec3) {
	face := t.mesh.Faces[c.face]
	for _, v := range face {
		add(&p, t.mesh.Positions[v], 1/float64(len(face)))
	}
	return p
}

// catmullClarkEdge is the mean of the ends and the points of the two faces.
func catmullClarkEdge(t *topology, c, o corner) (p mgl64.Vec3) {
	add(&p, t.mesh.Positions[t.vertex(c)], 0.25)
	add(&p, t.mesh.Positions[t.vertex(o)], 0.25)
	add(&p, facePoint(t, c), 0.25)
	add(&p, facePoint(t, o), 0.25)
	return p
}

// catmullClarkVertex is (Q + 2R + (n - 3) V) / n, with Q the mean of the points
// of the faces and R the mean of the middles of the edges.
func catmullClarkVertex(t *topology, ring []corner) (p mgl64.Vec3) {
	n := float64(len(ring))
	v := t.mesh.Positions[t.vertex(ring[0])]
	add(&p, v, (n-3)/n)
	for _, c := range ring {
		add(&p, facePoint(t, c), 1/(n*n))
		add(&p, v, 1/(n*n))
		add(&p, t.mesh.Positions[t.vertex(t.step(c, 1))], 1/(n*n))
	}
	return p
}
