package patches

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Silhouette lists the edges of a mesh for the "silhouette" program: four
// vertices for each edge, its two ends and the third vertex of the face on the
// left and of the one on the right. An edge with one face has that face's
// vertex twice, which makes it a silhouette from every side. Each edge is
// listed once, in the order of the faces.
//
// In a face with more than three corners, the third vertex is the corner after
// the edge.
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

// Arcs makes a path for the "particles" program from every edge: a cubic Bezier
// curve from one end to the other, which leaves the surface along the normals;
// its height is height times the edge's length. The result is four control
// points for each path, and the two vertices of its edge.
func Arcs(m *Mesh, height float64) (points []mgl64.Vec3, edges [][2]uint32, err error) {
	list, err := Edges(m)
	if err != nil {
		return nil, nil, err
	}
	normals := m.Normals()
	for i := 0; i < len(list); i += 2 {
		a, b := uint32(list[i]), uint32(list[i+1])
		p, q := m.Positions[a], m.Positions[b]
		// A Bezier curve rises to 3/4 of its inner control points.
		h := height * Length(p, q) * (4.0 / 3)
		over := func(p, n mgl64.Vec3) mgl64.Vec3 {
			add(&p, n, h)
			return p
		}
		points = append(points, p, over(p, normals[a]), over(q, normals[b]), q)
		edges = append(edges, [2]uint32{a, b})
	}
	return points, edges, nil
}

// Length is the distance of two points.
func Length(p, q mgl64.Vec3) float64 {
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}

// Quads joins triangles to quads where two consecutive ones share the diagonal,
// as those of boxes and grids do. Other faces are unchanged.
func Quads(m *Mesh) *Mesh {
	out := &Mesh{Positions: m.Positions, Values: m.Values}
	for i := 0; i < len(m.Faces); i++ {
		f := m.Faces[i]
		if i+1 < len(m.Faces) && len(f) == 3 && len(m.Faces[i+1]) == 3 {
			if q, ok := join(f, m.Faces[i+1]); ok {
				out.Faces = append(out.Faces, q)
				i++
				continue
			}
		}
		out.Faces = append(out.Faces, f)
	}
	return out
}

// join makes a quad of two triangles that share an edge.
func join(f, g []uint32) ([]uint32, bool) {
	for i := range 3 {
		for k := range 3 {
			a, b, c := f[i], f[(i+1)%3], f[(i+2)%3]
			if g[k] == b && g[(k+1)%3] == a {
				return []uint32{a, g[(k+2)%3], b, c}, true
			}
		}
	}
	return nil, false
}
