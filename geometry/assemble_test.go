package geometry

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// testAssembler draws into a window of 100x100 pixels.
func testAssembler(topology pica.PrimitiveMode) *assembler {
	return &assembler{topology: topology, out: &Output{Layout: pica.WholeVertex}, view: viewport{halfW: 50, halfH: 50}}
}

// feed adds vertices at clip-space positions and assembles them.
func feed(a *assembler, positions ...[4]float32) {
	a.begin()
	idx := make([]uint32, len(positions))
	for i, p := range positions {
		v := unmapped
		copy(v[:], p[:])
		at, index := a.addWhole(&v)
		a.locate(&p, at, index)
		idx[i] = uint32(i)
	}
	a.assemble(idx)
}

// whole returns the vertices of the last draw from index from on, with all components.
func whole(o *Output, from int) (list []pica.ScreenVertex) {
	for i := from; i < len(o.Vertices); i++ {
		list = append(list, *o.vertex(uint32(i)))
	}
	return list
}

func at(x, y float32) [4]float32 { return [4]float32{x, y, -0.5, 1} }

// fiveOnACircle returns five vertices; any three in ascending order wind counter-clockwise.
func fiveOnACircle() (p [][4]float32) {
	for i := range 5 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 5)
		p = append(p, at(float32(c)/2, float32(s)/2))
	}
	return p
}

func TestTopologies(t *testing.T) {
	for _, tc := range []struct {
		name     string
		topology pica.PrimitiveMode
		vertices int
		want     [][3]uint32 // in assembly order, turned counter-clockwise
		left     int
	}{
		{"list", pica.PrimitiveTriangles, 5, [][3]uint32{{0, 1, 2}}, 2},
		{"strip", pica.PrimitiveTriangleStrip, 5, [][3]uint32{{0, 1, 2}, {2, 3, 1}, {2, 3, 4}}, 2},
		{"fan", pica.PrimitiveTriangleFan, 5, [][3]uint32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}, 2},
		{"geometry", pica.PrimitiveGeometry, 4, [][3]uint32{{0, 1, 2}}, 1},
		{"one vertex", pica.PrimitiveTriangleStrip, 1, nil, 1},
		{"two vertices", pica.PrimitiveTriangleFan, 2, nil, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := testAssembler(tc.topology)
			feed(a, fiveOnACircle()[:tc.vertices]...)
			require.Equal(t, tc.want, a.out.Triangles)
			require.Equal(t, tc.left, a.carried)
			require.Equal(t, len(tc.want), a.out.Stats.Primitives)
			require.Equal(t, len(tc.want), a.out.Stats.Triangles)
		})
	}
}

// Triangles do not depend on where a stream is cut into chunks.
func TestChunksKeepTriangles(t *testing.T) {
	var p [][4]float32
	for i := range 12 {
		s, c := math.Sincos(float64(i) * 1.7)
		p = append(p, at(float32(c)/2, float32(s)/2))
	}
	corners := func(a *assembler) (list [][3][4]float32) {
		for _, tri := range a.out.Triangles {
			var c [3][4]float32
			for k, i := range tri {
				copy(c[k][:], a.out.vertex(uint32(i)).Vertex[:])
			}
			list = append(list, c)
		}
		return list
	}
	for _, topology := range []pica.PrimitiveMode{pica.PrimitiveTriangles, pica.PrimitiveTriangleStrip, pica.PrimitiveTriangleFan} {
		whole := testAssembler(topology)
		feed(whole, p...)
		want := corners(whole)
		for cut := range len(p) + 1 {
			for cut2 := cut; cut2 <= len(p); cut2++ {
				a := testAssembler(topology)
				feed(a, p[:cut]...)
				feed(a, p[cut:cut2]...)
				feed(a, p[cut2:]...)
				require.Equal(t, want, corners(a), "topology %d, cuts at %d and %d", topology, cut, cut2)
				require.Equal(t, whole.out.Stats, a.out.Stats)
			}
		}
	}
}

// With flat shading a triangle has the colour of its newest vertex, wherever the stream is cut, whichever way it faces and when it is
// clipped; its vertices keep their own for the triangles that follow.
func TestFlatShading(t *testing.T) {
	const n = 12
	run := func(flat bool, topology pica.PrimitiveMode, radius float64, cull pica.CullMode, cuts ...int) *assembler {
		a := testAssembler(topology)
		a.flat, a.flip, a.cull = flat, true, cull
		lo := 0
		for _, hi := range append(cuts, n) {
			a.begin()
			var idx []uint32
			for i := lo; i < hi; i++ {
				v := unmapped
				s, c := math.Sincos(float64(i) * 1.7)
				p := at(float32(c*radius), float32(s*radius))
				copy(v[:], p[:])
				v[pica.SemTexCoord0U] = float32(i)
				v[pica.SemColorR], v[pica.SemColorB] = float32(i)/16, float32(i%3)/2
				v[pica.SemQuatW] = float32(1 - i%4)
				at, index := a.addWhole(&v)
				a.locate(&p, at, index)
				idx = append(idx, uint32(i-lo))
			}
			require.NoError(t, a.assemble(idx))
			lo = hi
		}
		return a
	}
	triangles := func(a *assembler) (list [][3]pica.Vertex) {
		for _, tri := range a.out.Triangles {
			list = append(list, [3]pica.Vertex{a.out.vertex(tri[0]).Vertex, a.out.vertex(tri[1]).Vertex, a.out.vertex(tri[2]).Vertex})
		}
		return list
	}
	for _, topology := range []pica.PrimitiveMode{pica.PrimitiveTriangles, pica.PrimitiveTriangleStrip, pica.PrimitiveTriangleFan, pica.PrimitiveGeometry} {
		for _, cull := range []pica.CullMode{pica.CullNone, pica.CullBack} {
			for cut := range n + 1 {
				want, got := triangles(run(false, topology, 0.9, cull)), triangles(run(true, topology, 0.9, cull, cut))
				require.Equal(t, len(want), len(got))
				for i := range want {
					newest := max(want[i][0][pica.SemTexCoord0U], want[i][1][pica.SemTexCoord0U], want[i][2][pica.SemTexCoord0U])
					for k := range want[i] {
						want[i][k][pica.SemColorR], want[i][k][pica.SemColorB] = newest/16, float32(int(newest)%3)/2
					}
				}
				require.Equal(t, want, got, "topology %d, cull %d, cut at %d", topology, cull, cut)
			}
		}
		whole := run(false, topology, 3, pica.CullNone)
		clipped := run(true, topology, 3, pica.CullNone, 5)
		require.NotZero(t, clipped.out.Stats.Clipped)
		require.Equal(t, whole.out.Stats, clipped.out.Stats)
		colors := map[float32]int{}
		for i, tri := range triangles(clipped) {
			for k := range tri {
				require.Equal(t, tri[2][pica.SemColorR:pica.SemTexCoord0U], tri[k][pica.SemColorR:pica.SemTexCoord0U])
				require.Equal(t, triangles(whole)[i][k][pica.SemTexCoord0U], tri[k][pica.SemTexCoord0U])
			}
			colors[tri[0][pica.SemColorR]]++
		}
		require.Greater(t, len(colors), 2)
	}
}

func TestStripRestart(t *testing.T) {
	a := testAssembler(pica.PrimitiveTriangleStrip)
	p := fiveOnACircle()
	feed(a, p[:3]...)
	a.restart()
	feed(a, p[2:]...)
	require.Len(t, a.out.Triangles, 2)
	require.Equal(t, 0, a.out.Stats.Incomplete)
}

func TestEndDrawOfIncompletePrimitives(t *testing.T) {
	for _, tc := range []struct {
		topology  pica.PrimitiveMode
		vertices  int
		immediate bool
		left      int
		counted   int
	}{
		{pica.PrimitiveTriangles, 3, false, 0, 0},
		{pica.PrimitiveTriangles, 4, false, 0, 1},
		{pica.PrimitiveTriangles, 5, true, 2, 0},
		{pica.PrimitiveGeometry, 5, false, 0, 1},
		{pica.PrimitiveTriangleStrip, 2, false, 2, 1},
		{pica.PrimitiveTriangleStrip, 4, false, 2, 0},
		{pica.PrimitiveTriangleFan, 1, true, 1, 1},
	} {
		a := testAssembler(tc.topology)
		feed(a, fiveOnACircle()[:tc.vertices]...)
		a.endDraw(tc.immediate)
		require.Equal(t, tc.left, a.carried, "%+v", tc)
		require.Equal(t, tc.counted, a.out.Stats.Incomplete, "%+v", tc)
	}
}

func TestWinding(t *testing.T) {
	a := testAssembler(pica.PrimitiveGeometry)
	a.cull = pica.CullBack
	a.winding = true
	p := fiveOnACircle()
	feed(a, p[0], p[1], p[2], p[0], p[1], p[2])
	require.Equal(t, [][3]uint32{{3, 4, 5}}, a.out.Triangles)
	require.Equal(t, 1, a.out.Stats.Culled)
	// The inversion applies to one triangle only: the next chunk is not inverted.
	feed(a, p[0], p[1], p[2])
	require.Len(t, a.out.Triangles, 2)
	require.Equal(t, 1, a.out.Stats.Culled)
}

func TestCulling(t *testing.T) {
	p := fiveOnACircle()
	for _, tc := range []struct {
		cull     pica.CullMode
		ccw, cw  bool
		stats    int
		describe string
	}{
		{pica.CullNone, true, true, 2, "none"},
		{pica.CullFront, false, true, 1, "front, which is counter-clockwise"},
		{pica.CullBack, true, false, 1, "back"},
		{3, true, true, 2, "3 culls nothing"},
	} {
		a := testAssembler(pica.PrimitiveTriangles)
		a.cull = tc.cull
		feed(a, p[0], p[1], p[2], p[2], p[1], p[0])
		var want [][3]uint32
		if tc.ccw {
			want = append(want, [3]uint32{0, 1, 2})
		}
		if tc.cw {
			want = append(want, [3]uint32{3, 5, 4}) // vertices 1 and 2 are swapped
		}
		require.Equal(t, want, a.out.Triangles, tc.describe)
		require.Equal(t, 2-len(want), a.out.Stats.Culled)
	}
}

func TestTrianglesWithoutArea(t *testing.T) {
	a := testAssembler(pica.PrimitiveTriangles)
	feed(a,
		at(0, 0), at(0.25, 0.25), at(0.5, 0.5), // on a line
		at(0, 0), at(0.0001, 0), at(0, 0.0001), // in one subpixel
		at(0.5, 0.5), at(0.5, 0.5), at(0, 0.5)) // the same vertex twice
	require.Empty(t, a.out.Triangles)
	require.Equal(t, 3, a.out.Stats.Culled)
}

func TestQuaternionTurn(t *testing.T) {
	a := testAssembler(pica.PrimitiveTriangleStrip)
	a.flip = true
	a.begin()
	for i, p := range fiveOnACircle() {
		v := unmapped
		copy(v[:], p[:])
		q := float32(1)
		if i == 1 || i == 3 {
			q = -1
		}
		copy(v[pica.SemQuatX:], []float32{0, 0, 0, q})
		at, index := a.addWhole(&v)
		a.locate(&p, at, index)
	}
	a.assemble([]uint32{0, 1, 2, 3, 4})
	// Triangles 0 1 2, 2 1 3, 2 3 4: the quaternions of vertices 1 and 3 are negated, once each.
	require.Equal(t, [][3]uint32{{0, 5, 2}, {2, 6, 5}, {2, 6, 4}}, a.out.Triangles)
	require.Len(t, a.out.Vertices, 7)
	require.Equal(t, float32(1), a.out.vertex(5).Vertex[pica.SemQuatW])
	require.Equal(t, a.out.Vertices[1].X, a.out.Vertices[5].X)
	require.Equal(t, float32(-1), a.out.vertex(1).Vertex[pica.SemQuatW])

	// Without lighting no quaternion is negated, so no vertex is copied.
	a = testAssembler(pica.PrimitiveTriangles)
	feed(a, fiveOnACircle()[:3]...)
	require.Len(t, a.out.Vertices, 3)
}

func TestSubpixelRounding(t *testing.T) {
	for _, tc := range []struct {
		pixels float32
		want   int32
	}{
		{0, 0}, {1, 16}, {0.03, 0}, {0.03125, 1}, {0.04, 1}, {0.09375, 2}, {-0.03, 0}, {-0.04, -1}, {-1, -16},
		{1e9, guardPixels * 16}, {-1e9, -guardPixels * 16},
		{float32(math.Inf(1)), guardPixels * 16}, {float32(math.NaN()), -guardPixels * 16},
	} {
		require.Equal(t, tc.want, toSubpixel(tc.pixels), "%v", tc.pixels)
	}
}
