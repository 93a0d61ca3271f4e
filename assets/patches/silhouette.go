package patches

import "fmt"

// Silhouette lists the edges of a mesh for the "silhouette" program: four
// vertices for each edge, the two ends and the third vertex of the face on the
// left and of the one on the right. An edge of one face has that face's vertex
// twice, which makes it a silhouette from every side. Each edge is listed
// once, in the order of the faces.
//
// Faces with more than three corners count with the corner behind the edge.
func Silhouette(m *Mesh) ([]uint16, error) {
	if len(m.Positions) > MaxVertices {
		return nil, fmt.Errorf("%d vertices; 16-bit indices can name %d", len(m.Positions), MaxVertices)
	}
	t, err := newTopology(m)
	if err != nil {
		return nil, err
	}
	var out []uint16
	for f, face := range m.Faces {
		for k := range face {
			c := corner{uint32(f), uint32(k)}
			from, to, left := t.vertex(c), t.vertex(t.step(c, 1)), t.vertex(t.step(c, 2))
			right := left
			if o, ok := t.across(c); ok {
				if o.face < c.face || o.face == c.face && o.at < c.at {
					continue
				}
				right = t.vertex(t.step(o, 2))
			}
			out = append(out, uint16(from), uint16(to), uint16(left), uint16(right))
		}
	}
	return out, nil
}

// Edges lists the edges of a mesh for the "line" program: two vertices for each,
// each edge once.
func Edges(m *Mesh) ([]uint16, error) {
	four, err := Silhouette(m)
	if err != nil {
		return nil, err
	}
	var out []uint16
	for i := 0; i < len(four); i += 4 {
		out = append(out, four[i], four[i+1])
	}
	return out, nil
}
