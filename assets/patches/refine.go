package patches

// refiner makes the vertices of a finer mesh, each once.
type refiner struct {
	t        *topology
	out      *Mesh
	vertices map[uint32]uint32 // of the old mesh, welded
	edges    map[edge]uint32   // from the smaller to the greater vertex
}

func (r *refiner) add(p [3]float64) uint32 {
	r.out.Positions = append(r.out.Positions, p)
	return uint32(len(r.out.Positions) - 1)
}

// vertex is the new vertex in place of the old one at c.
func (r *refiner) vertex(c corner, rule func(t *topology, ring []corner) [3]float64) (uint32, error) {
	v := r.t.same[r.t.vertex(c)]
	if n, ok := r.vertices[v]; ok {
		return n, nil
	}
	ring, err := r.t.ring(c)
	if err != nil {
		return 0, err
	}
	n := r.add(rule(r.t, ring))
	r.vertices[v] = n
	return n, nil
}

// edge is the new vertex on the edge that starts at c.
func (r *refiner) edge(c corner, rule func(t *topology, c, o corner) [3]float64) (uint32, error) {
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
	n := r.add(rule(r.t, c, o))
	r.edges[e] = n
	return n, nil
}
