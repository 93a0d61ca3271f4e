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
