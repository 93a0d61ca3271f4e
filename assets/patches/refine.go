package patches

import "github.com/go-gl/mathgl/mgl64"

// refiner makes the vertices of a finer mesh, each once.
type refiner struct {
	t        *topology
	out      *Mesh
	vertices map[uint32]uint32 // of the old mesh, welded
	edges    map[edge]uint32   // from the smaller to the greater vertex
	values   [][]Values        // of each corner of out.Faces, if the mesh has values
}

// face adds a face of the finer mesh.
func (r *refiner) face(corners []uint32, values ...Values) {
	r.out.Faces = append(r.out.Faces, corners)
	if r.t.mesh.Values != nil {
		r.values = append(r.values, values)
	}
}

// finish splits the vertices that have several values.
func (r *refiner) finish() *Mesh {
	if r.t.mesh.Values == nil {
		return r.out
	}
	type key struct {
		vertex uint32
		values Values
	}
	number := map[key]uint32{}
	out := &Mesh{Faces: r.out.Faces}
	for f, face := range r.out.Faces {
		for k, v := range face {
			at := key{v, r.values[f][k]}
			n, ok := number[at]
			if !ok {
				n = uint32(len(out.Positions))
				number[at] = n
				out.Positions = append(out.Positions, r.out.Positions[v])
				out.Values = append(out.Values, at.values)
			}
			face[k] = n
		}
	}
	return out
}

func (r *refiner) position(p mgl64.Vec3) uint32 {
	r.out.Positions = append(r.out.Positions, p)
	return uint32(len(r.out.Positions) - 1)
}

// vertex is the new vertex in place of the old one at c.
func (r *refiner) vertex(c corner, rule func(t *topology, ring []corner) mgl64.Vec3) (uint32, error) {
	v := r.t.same[r.t.vertex(c)]
	if n, ok := r.vertices[v]; ok {
		return n, nil
	}
	ring, err := r.t.ring(c)
	if err != nil {
		return 0, err
	}
	n := r.position(rule(r.t, ring))
	r.vertices[v] = n
	return n, nil
}

// edge is the new vertex on the edge that starts at c.
func (r *refiner) edge(c corner, rule func(t *topology, c, o corner) mgl64.Vec3) (uint32, error) {
	o, err := r.t.around(r.t.step(c, 1))
	if err != nil {
		return 0, err
	}
	e := edge{r.t.same[r.t.vertex(c)], r.t.same[r.t.vertex(o)]}
	if e.from > e.to {
		e.from, e.to = e.to, e.from
	}
	if n, ok := r.edges[e]; ok {
		return n, nil
	}
	n := r.position(rule(r.t, c, o))
	r.edges[e] = n
	return n, nil
}
