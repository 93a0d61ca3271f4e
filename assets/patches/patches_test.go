package patches

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func cube() *Mesh {
	return &Mesh{
		Positions: []mgl64.Vec3{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
		Faces:     [][]uint32{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
	}
}

func octahedron() *Mesh {
	return &Mesh{
		Positions: []mgl64.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
		Faces:     [][]uint32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}},
	}
}

func tetrahedron() *Mesh {
	return &Mesh{
		Positions: []mgl64.Vec3{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
		Faces:     [][]uint32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
}

func triangulated(m *Mesh) *Mesh {
	out := &Mesh{Positions: m.Positions}
	for _, f := range m.Faces {
		for k := 2; k < len(f); k++ {
			out.Faces = append(out.Faces, []uint32{f[0], f[k-1], f[k]})
		}
	}
	return out
}

// euler returns vertices - edges + faces of a mesh that it requires to be closed.
func euler(t *testing.T, m *Mesh) int {
	top := testkit.Must(newTopology(m))(t)
	for e := range top.edges {
		require.Contains(t, top.edges, edge{e.to, e.from})
	}
	used := map[uint32]bool{}
	for i := range m.Positions {
		used[top.same[i]] = true
	}
	return len(used) - len(top.edges)/2 + len(m.Faces)
}

func TestRefine(t *testing.T) {
	for _, tc := range []struct {
		name   string
		mesh   *Mesh
		refine func(*Mesh) (*Mesh, error)
		faces  int
	}{
		{"loop octahedron", octahedron(), RefineLoop, 32},
		{"loop tetrahedron", tetrahedron(), RefineLoop, 16},
		{"loop cube", triangulated(cube()), RefineLoop, 48},
		{"catmull-clark cube", cube(), RefineCatmullClark, 24},
		{"catmull-clark octahedron", octahedron(), RefineCatmullClark, 24},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := testkit.Must(tc.refine(tc.mesh))(t)
			require.Len(t, m.Faces, tc.faces)
			require.Equal(t, 2, euler(t, m))
			m = testkit.Must(tc.refine(m))(t)
			require.Len(t, m.Faces, 4*tc.faces)
			require.Equal(t, 2, euler(t, m))
		})
	}
}

// One step on a cube, computed by hand.
func TestCatmullClarkCube(t *testing.T) {
	m := testkit.Must(RefineCatmullClark(cube()))(t)
	near := func(want mgl64.Vec3) {
		for _, p := range m.Positions {
			if math.Abs(p[0]-want[0])+math.Abs(p[1]-want[1])+math.Abs(p[2]-want[2]) < 1e-12 {
				return
			}
		}
		require.Fail(t, "no vertex", "%v in %v", want, m.Positions)
	}
	near(mgl64.Vec3{0, 0, 1})                         // a face
	near(mgl64.Vec3{0.75, 0.75, 0})                   // an edge
	near(mgl64.Vec3{5.0 / 9, 5.0 / 9, 5.0 / 9})       // a corner
	near(mgl64.Vec3{-5.0 / 9, 5.0 / 9, -(5.0 / 9.0)}) // another
}

// Repeated subdivision converges to the limit given by the masks.
func TestLoopConverges(t *testing.T) {
	m := octahedron()
	// A vertex of the octahedron: the mean of its neighbours is the origin.
	const n = 4 // its valence
	self := 1 - n/(3/(8*loopBeta(n))+n)
	for range 6 {
		m = testkit.Must(RefineLoop(m))(t)
	}
	require.InDelta(t, self, m.Positions[0][0], 1e-3)
}

func TestEqualPositionsAreWelded(t *testing.T) {
	// An octahedron with separate vertices for every face.
	o := octahedron()
	split := &Mesh{}
	for _, f := range o.Faces {
		var face []uint32
		for _, v := range f {
			face = append(face, uint32(len(split.Positions)))
			split.Positions = append(split.Positions, o.Positions[v])
		}
		split.Faces = append(split.Faces, face)
	}
	a := testkit.Must(RefineLoop(o))(t)
	b := testkit.Must(RefineLoop(split))(t)
	require.Equal(t, a.Positions, b.Positions)
	require.Equal(t, a.Faces, b.Faces)
	// Vertex 3 lies within the distance (1e-6 of the mesh's size) of vertices 1 and 2, which lie further from each other, in other cells.
	m := &Mesh{Positions: []mgl64.Vec3{{1, 0, 0}, {2.04e-6, 0, 0}, {0.2e-6, 0, 0}, {1.1e-6, 0, 0}}}
	require.Equal(t, []uint32{0, 1, 2, 1}, m.weld())
	m.Positions[1], m.Positions[2] = m.Positions[2], m.Positions[1]
	require.Equal(t, []uint32{0, 1, 2, 1}, m.weld())
}

// patchSizes walks a stream and returns the sizes of its primitives.
func patchSizes(t *testing.T, s *Stream) (sizes []int) {
	most := 0
	for i := 0; i < len(s.Indices); {
		n := int(s.Indices[i])
		sizes = append(sizes, n)
		for _, v := range s.Indices[i+1 : i+1+n] {
			most = max(most, int(v))
		}
		i += 1 + n
	}
	require.Less(t, most, len(s.Vertices))
	require.Equal(t, s.Primitives, len(sizes))
	require.Equal(t, len(s.Vertices), len(s.Valence))
	return sizes
}

func TestLoopStream(t *testing.T) {
	s := testkit.Must(Loop(octahedron()))(t)
	require.Len(t, s, 1)
	for _, n := range patchSizes(t, s[0]) {
		require.Equal(t, 3+3+1, n, "three corners of valence 4")
	}
	for _, v := range s[0].Valence {
		require.EqualValues(t, 4, v)
	}
	s = testkit.Must(Loop(tetrahedron()))(t)
	for _, n := range patchSizes(t, s[0]) {
		require.Equal(t, 3+1, n)
	}
}

func TestCatmullClarkStream(t *testing.T) {
	s := testkit.Must(CatmullClark(cube()))(t)
	require.Len(t, s, 1)
	require.Len(t, s[0].Vertices, 8)
	for _, n := range patchSizes(t, s[0]) {
		require.Equal(t, 4+4+2, n, "four corners of valence 3")
	}
}

func TestLongStreamsAreSplit(t *testing.T) {
	m := octahedron()
	for range 7 {
		m = testkit.Must(RefineLoop(m))(t)
	}
	require.Greater(t, len(m.Positions), MaxVertices)
	s := testkit.Must(Loop(m))(t)
	require.Greater(t, len(s), 1)
	total := 0
	for _, part := range s {
		require.LessOrEqual(t, len(part.Vertices), MaxVertices)
		total += len(patchSizes(t, part))
	}
	require.Equal(t, len(m.Faces), total)
}

func TestSilhouette(t *testing.T) {
	m := cube()
	idx := testkit.Must(Silhouette(m))(t)
	require.Len(t, idx, 12*4)
	lines := testkit.Must(Edges(m))(t)
	require.Len(t, lines, 12*2)

	// A single triangle: every edge is open.
	idx = testkit.Must(Silhouette(&Mesh{Positions: m.Positions[:3], Faces: [][]uint32{{0, 1, 2}}}))(t)
	require.Equal(t, []uint16{0, 1, 2, 2, 1, 2, 0, 0, 2, 0, 1, 1}, idx)
}

func TestMeshErrors(t *testing.T) {
	open := &Mesh{Positions: octahedron().Positions, Faces: octahedron().Faces[:7]}
	for _, tc := range []struct {
		name string
		run  func() error
		want string
	}{
		{"open", func() error { _, err := Loop(open); return err }, "belongs to one face only; subdivision needs a closed mesh"},
		{"open, refined", func() error { _, err := RefineLoop(open); return err }, "belongs to one face only"},
		{"quads for Loop", func() error { _, err := Loop(cube()); return err }, "face 0 has 4 corners"},
		{"triangles for Catmull-Clark", func() error { _, err := CatmullClark(octahedron()); return err }, "face 0 has 3 corners"},
		{"vertex number", func() error {
			_, err := Loop(&Mesh{Positions: cube().Positions, Faces: [][]uint32{{0, 1, 8}}})
			return err
		}, "face 0 has vertex 8; there are 8"},
		{"no area", func() error {
			_, err := Loop(&Mesh{Positions: cube().Positions, Faces: [][]uint32{{0, 1, 1}}})
			return err
		}, "in the same place"},
		{"wound differently", func() error {
			_, err := Silhouette(&Mesh{Positions: cube().Positions, Faces: [][]uint32{{0, 1, 2}, {0, 1, 3}}})
			return err
		}, "faces 0 and 1 both have the edge"},
		{"two corners", func() error {
			_, err := Silhouette(&Mesh{Positions: cube().Positions, Faces: [][]uint32{{0, 1}}})
			return err
		}, "face 0 has 2 corners"},
		{"not a number", func() error {
			_, err := Silhouette(&Mesh{Positions: []mgl64.Vec3{{math.NaN(), 0, 0}}})
			return err
		}, "vertex 0 is at"},
		{"indices", func() error { _, err := Triangles(nil, make([]uint32, 4)); return err }, "4 indices"},
	} {
		require.ErrorContains(t, tc.run(), tc.want, tc.name)
	}
}

func TestVertexEdgeLimit(t *testing.T) {
	// A double cone over a polygon of n corners.
	const n = 100
	m := &Mesh{Positions: []mgl64.Vec3{{0, 0, 1}, {0, 0, -1}}}
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		m.Positions = append(m.Positions, mgl64.Vec3{c, s, 0})
		a, b := uint32(2+i), uint32(2+(i+1)%n)
		m.Faces = append(m.Faces, []uint32{0, a, b}, []uint32{1, b, a})
	}
	_, err := Loop(m)
	require.ErrorContains(t, err, "more than the 77 that the shader has registers for")
}

// Values are interpolated, and seams are kept.
func TestValuesAreInterpolated(t *testing.T) {
	m := cube()
	split := &Mesh{}
	for f, face := range m.Faces {
		var corners []uint32
		for k, v := range face {
			corners = append(corners, uint32(len(split.Positions)))
			split.Positions = append(split.Positions, m.Positions[v])
			split.Values = append(split.Values, Values{float64(f), float64(k / 2), float64((k + 1) / 2 % 2)})
		}
		split.Faces = append(split.Faces, corners)
	}
	fine := testkit.Must(RefineCatmullClark(split))(t)
	require.Len(t, fine.Positions, 6*9, "nine vertices for each face, none shared")
	require.Equal(t, 2, euler(t, fine))
	for _, f := range fine.Faces {
		for _, v := range f {
			require.Equal(t, fine.Values[f[0]][0], fine.Values[v][0], "all vertices of a face have its number")
		}
		require.Equal(t, mgl64.Vec2{0.5, 0.5}, mgl64.Vec2(fine.Values[f[2]][1:3]), "the value in the middle of the face")
	}
	// The positions are those of the welded mesh.
	plain := testkit.Must(RefineCatmullClark(m))(t)
	places := map[mgl64.Vec3]bool{}
	for _, p := range plain.Positions {
		places[p] = true
	}
	for _, p := range fine.Positions {
		require.True(t, places[p])
	}
	split.Faces = triangulated(split).Faces
	fine = testkit.Must(RefineLoop(split))(t)
	require.Len(t, fine.Values, len(fine.Positions))
}

func TestMeshNormals(t *testing.T) {
	for i, n := range cube().Normals() {
		p := cube().Positions[i]
		for c := range 3 {
			require.InDelta(t, p[c]/math.Sqrt(3), n[c], 1e-12)
		}
	}
}

func TestQuadsFromTriangles(t *testing.T) {
	q := Quads(triangulated(cube()))
	require.Len(t, q.Faces, 6)
	require.Equal(t, 2, euler(t, q))
	a := testkit.Must(RefineCatmullClark(q))(t)
	b := testkit.Must(RefineCatmullClark(cube()))(t)
	require.ElementsMatch(t, a.Positions, b.Positions)
	require.Len(t, Quads(octahedron()).Faces, 4, "neighbouring triangles are paired")
}

func TestArcs(t *testing.T) {
	points, edges, err := Arcs(cube(), 0.5)
	require.NoError(t, err)
	require.Len(t, points, 12*4)
	require.Len(t, edges, 12)
	for i, e := range edges {
		require.Equal(t, cube().Positions[e[0]], points[4*i])
		require.Equal(t, cube().Positions[e[1]], points[4*i+3])
		// The middle of the curve has weights 1/8 for the ends and 3/8 for the others.
		var mid, foot mgl64.Vec3
		for k, w := range (mgl64.Vec4{0.125, 0.375, 0.375, 0.125}) {
			add(&mid, points[4*i+k], w)
		}
		add(&foot, points[4*i], 0.5)
		add(&foot, points[4*i+3], 0.5)
		require.InDelta(t, 0.5*2*math.Sqrt(2.0/3), Length(mid, foot), 1e-9, "the normals of both ends are slanted")
	}
}

// Poles and seams that do not meet exactly are welded.
func TestSphereSeamsAreWelded(t *testing.T) {
	const rings, sides = 6, 10
	var positions []mgl32.Vec3
	var indices []uint32
	for r := range rings + 1 {
		for s := range sides + 1 {
			sin, cos := math.Sincos(math.Pi * float64(r) / rings)
			a, b := math.Sincos(2 * math.Pi * float64(s) / sides)
			positions = append(positions, mgl32.Vec3{float32(sin * b), float32(cos), float32(-sin * a)})
		}
	}
	for r := range uint32(rings) {
		for s := range uint32(sides) {
			a, b := r*(sides+1)+s, (r+1)*(sides+1)+s
			indices = append(indices, a, b, b+1, a, b+1, a+1)
		}
	}
	m := testkit.Must(Triangles(positions, indices))(t)
	require.Len(t, m.Faces, 2*sides*(rings-1))
	require.Equal(t, 2, euler(t, m))
	_, err := Loop(m)
	require.NoError(t, err)
}
