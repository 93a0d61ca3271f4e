package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

func TestOutcode(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	user := userPlane{enabled: true, coef: [4]float32{1, 0, 0, 0.75}} // x >= -0.75 w
	for _, tc := range []struct {
		p    [4]float32
		want uint32
	}{
		{[4]float32{0, 0, -0.5, 1}, 0},
		{[4]float32{1, 1, 0, 1}, 0},
		{[4]float32{-0.75, -1, -1, 1}, 0},
		{[4]float32{1.1, 0, -0.5, 1}, outRight},
		{[4]float32{-1.1, 0, -0.5, 1}, outLeft | outUser},
		{[4]float32{0, 1.1, -0.5, 1}, outTop},
		{[4]float32{0, -1.1, -0.5, 1}, outBottom},
		{[4]float32{0, 0, 0.1, 1}, outFar},
		{[4]float32{0, 0, -1.1, 1}, outNear},
		{[4]float32{0, 0, 1e-9, 1}, 0}, // the tolerance
		{[4]float32{-0.8, 0, -0.5, 1}, outUser},
		{[4]float32{0, 0, 0, 0}, outEye},
		{[4]float32{0, 0, 0, -1}, outRight | outLeft | outTop | outBottom | outNear | outEye | outUser},
		{[4]float32{nan, 0, -0.5, 1}, outInvalid},
		{[4]float32{0, 0, -0.5, inf}, outInvalid},
		{[4]float32{0, -inf, -0.5, 1}, outInvalid},
	} {
		var v pica.Vertex
		copy(v[:], tc.p[:])
		require.Equal(t, tc.want, user.outcode(positionOf(&v)), "%v", tc.p)
	}
}

// A triangle through one plane is clipped to the given number of corners.
func TestClipOnePlane(t *testing.T) {
	for _, tc := range []struct {
		name     string
		p        [3][4]float32
		corners  int
		vertices int // added vertices
	}{
		{"one corner out", [3][4]float32{at(0, 0), at(2, 0), at(0, 0.5)}, 4, 2},
		{"two corners out", [3][4]float32{at(-0.5, 0), at(2, -0.5), at(2, 0.5)}, 3, 2},
		{"near", [3][4]float32{{0, 0, -2, 1}, {0.5, 0, -0.5, 1}, {0, 0.5, -0.5, 1}}, 4, 2},
		{"far", [3][4]float32{{0, 0, 1, 1}, {0.5, 0, -0.5, 1}, {0, 0.5, -0.5, 1}}, 4, 2},
		{"behind the eye", [3][4]float32{{0, 0, -0.5, -1}, {0, -0.5, -0.5, 1}, {0.5, 0.5, -0.5, 1}}, 4, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := testAssembler(pica.PrimitiveTriangles)
			feed(a, tc.p[:]...)
			require.Len(t, a.out.Triangles, tc.corners-2)
			require.Len(t, a.out.Vertices, 3+tc.vertices)
			require.Equal(t, 1, a.out.Stats.Clipped)
		})
	}
}

func TestClipInterpolates(t *testing.T) {
	a := testAssembler(pica.PrimitiveTriangles)
	a.begin()
	for i, p := range [][4]float32{{0, 0, -0.5, 1}, {2, 0, -0.5, 1}, {0, 0.5, -0.5, 1}} {
		var v pica.Vertex
		copy(v[:], p[:])
		v[pica.SemColorR] = float32(i) / 2 // 0, 0.5, 1
		at, index := a.addWhole(&v)
		a.locate(&p, at, index)
	}
	a.assemble([]uint32{0, 1, 2})
	require.Len(t, a.out.Vertices, 5)
	// Edges 0-1 and 1-2 cross the plane at their middle.
	require.Equal(t, float32(1), a.out.vertex(3).Vertex[pica.SemPositionX])
	require.Equal(t, float32(0.25), a.out.vertex(3).Vertex[pica.SemColorR])
	require.Equal(t, float32(0.75), a.out.vertex(4).Vertex[pica.SemColorR])
	require.EqualValues(t, 100*16, a.out.Vertices[3].X)
}

func TestUserClipPlane(t *testing.T) {
	a := testAssembler(pica.PrimitiveTriangles)
	a.user = userPlane{enabled: true, coef: [4]float32{0, 1, 0, 0}} // y >= 0
	feed(a, at(-0.5, -0.5), at(0.5, -0.5), at(0, 0.5))
	require.Len(t, a.out.Triangles, 1)
	for _, i := range a.out.Triangles[0] {
		require.GreaterOrEqual(t, a.out.Vertices[i].Y, int32(50*16))
	}
	a = testAssembler(pica.PrimitiveTriangles)
	a.user = userPlane{enabled: true, coef: [4]float32{0, 0, 0, -1}}
	feed(a, at(-0.5, -0.5), at(0.5, -0.5), at(0, 0.5))
	require.Empty(t, a.out.Triangles)
	require.Equal(t, 1, a.out.Stats.Rejected)
}

// Two triangles that share an edge get the same clipped vertices on it, in either direction.
func TestClipSharedEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := [4][4]float32{}
		for i := range p {
			for c := range 3 {
				p[i][c] = r.Float32()*6 - 3
			}
			p[i][3] = r.Float32()*2 - 0.5
		}
		edge := func(order ...int) map[[2]int32]bool {
			a := testAssembler(pica.PrimitiveTriangles)
			feed(a, p[order[0]], p[order[1]], p[order[2]])
			points := map[[2]int32]bool{}
			for _, v := range whole(a.out, 3) {
				points[[2]int32{v.X, v.Y}] = true
			}
			return points
		}
		one, other := edge(0, 1, 2), edge(2, 1, 0)
		require.Equal(t, one, other)
	}
}

// Clipped vertices are finite, inside the window, in front of the eye and counter-clockwise, for any input.
func TestClipFuzz(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float32{0, 1, -1, 1e-20, -1e-20, 1e18, -1e18, 0x1p-62, float32(math.Inf(1)), float32(math.NaN())}
	a := testAssembler(pica.PrimitiveTriangles)
	a.user = userPlane{enabled: true, coef: [4]float32{0.3, -0.2, 0.5, 0.9}}
	for range 50000 {
		var p [3][4]float32
		for i := range p {
			for c := range p[i] {
				switch r.IntN(4) {
				case 0:
					p[i][c] = special[r.IntN(len(special))]
				case 1:
					p[i][c] = (r.Float32()*2 - 1) * float32(math.Pow(2, float64(r.IntN(120)-60)))
				default:
					p[i][c] = r.Float32()*4 - 2
				}
			}
		}
		a.out.Vertices, a.out.Attributes, a.out.Triangles = a.out.Vertices[:0], a.out.Attributes[:0], a.out.Triangles[:0]
		feed(a, p[:]...)
		for _, tri := range a.out.Triangles {
			var v [3]*pica.ScreenVertex
			var pos [3]position
			for k, i := range tri {
				v[k] = a.out.vertex(i)
				pos[k] = position{x: v[k].X, y: v[k].Y}
				require.True(t, v[k].X >= 0 && v[k].X <= 100*16, "x %d of %v", v[k].X, p)
				require.True(t, v[k].Y >= 0 && v[k].Y <= 100*16, "y %d of %v", v[k].Y, p)
				require.True(t, v[k].Z >= -1 && v[k].Z <= 0, "z %v of %v", v[k].Z, p)
				require.True(t, v[k].InvW > 0 && v[k].InvW <= 0x1p62, "1/w %v of %v", v[k].InvW, p)
			}
			require.Positive(t, signedArea(&pos[0], &pos[1], &pos[2]))
		}
	}
	s := a.out.Stats
	require.Equal(t, 50000, s.Primitives)
	require.Positive(t, s.Clipped)
	require.Positive(t, s.Rejected)
}

// With lighting, quaternions are aligned before a triangle is clipped.
func TestClipTurnsQuaternions(t *testing.T) {
	a := testAssembler(pica.PrimitiveTriangles)
	a.flip = true
	a.begin()
	for i, p := range [][4]float32{{0, 0, -0.5, 1}, {2, 0, -0.5, 1}, {0, 0.5, -0.5, 1}} {
		var v pica.Vertex
		copy(v[:], p[:])
		v[pica.SemQuatW] = float32(1 - 2*(i&1)) // 1, -1, 1
		at, index := a.addWhole(&v)
		a.locate(&p, at, index)
	}
	a.assemble([]uint32{0, 1, 2})
	require.Len(t, a.out.Triangles, 2)
	for _, tri := range a.out.Triangles {
		for _, i := range tri {
			require.Equal(t, float32(1), a.out.vertex(uint32(i)).Vertex[pica.SemQuatW])
		}
	}
}

// The near and far planes tolerate rounding errors, but not one step of a 24-bit depth buffer.
func TestClipTolerance(t *testing.T) {
	const step = 1.0 / (1 << 24)
	var user userPlane
	for _, tc := range []struct {
		z    float32
		want uint32
	}{{5e-9, 0}, {step, outFar}, {-1, 0}, {-1 - 4*step, outNear}} {
		v := pica.Vertex{pica.SemPositionZ: tc.z, pica.SemPositionW: 1}
		require.Equal(t, tc.want, user.outcode(positionOf(&v)), "z = %g", tc.z)
	}
}
