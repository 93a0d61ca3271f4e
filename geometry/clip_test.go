package geometry

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
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

// anyPosition is a random position inside, outside of some planes, or invalid.
func anyPosition(rng *rand.Rand, spread int32, outside int) (p position) {
	p.x, p.y = rng.Int32N(2*spread+1)-spread, rng.Int32N(2*spread+1)-spread
	if rng.IntN(100) < outside {
		p.code = 1 << rng.IntN(3) // few, so that all three vertices are often outside one plane
		if rng.IntN(4) == 0 {
			p.code = outInvalid
		}
		p.x, p.y = rng.Int32(), rng.Int32() // ignored
	}
	return p
}

// The cull kernel agrees with the plain loop for triangles of every size, with vertices outside and any numbers.
func TestCullVector(t *testing.T) {
	needVector(t)
	rng := rand.New(rand.NewPCG(51, 52))
	var seen cullResult
	empty := 0
	for round := range 3000 {
		a := testAssembler(pica.PrimitiveTriangles)
		a.cull = pica.CullMode(rng.IntN(3))
		a.flip = rng.IntN(4) == 0
		a.base = rng.Uint32N(1000)
		a.out.Vertices = make([]pica.ScreenPosition, a.base+uint32(1+rng.IntN(40)))
		own := len(a.out.Vertices) - int(a.base)
		a.out.Attributes = make([]float32, len(a.out.Vertices)*a.out.Layout.N)
		for i := range a.out.Attributes {
			a.out.Attributes[i] = float32(rng.NormFloat64()) + 1
		}
		spread := []int32{3, 20, 300, guardPixels * subpixels}[rng.IntN(4)]
		outside := []int{0, 0, 2, 30, 100}[rng.IntN(5)]
		a.pos = make([]position, 0, own+1)
		for range own {
			a.pos = append(a.pos, anyPosition(rng, spread, outside))
		}
		n := rng.IntN(60)
		idx := make([]uint32, 3*n)
		for i := range idx {
			idx[i] = rng.Uint32N(uint32(own))
		}
		a.alignsQuaternions = a.flip && a.quat.read(&a.out.Layout)
		var got [2][][3]uint32
		var s [2]cullResult
		for form, k := range []simd.Kernels{simd.Plain, simd.Best} {
			a.culler.kernels = k
			got[form] = make([][3]uint32, n+1)
			got[form][n] = [3]uint32{7, 8, 9}
			s[form] = a.cullPiece(idx, got[form][:n:n])
			require.Equal(t, [3]uint32{7, 8, 9}, got[form][n], "nothing is written after the given room")
		}
		require.Equal(t, s[0], s[1], "round %d, %d triangles, cull %v", round, n, a.cull)
		require.Equal(t, got[0][:s[0].remaining], got[1][:s[0].remaining], "round %d", round)
		if !s[0].unfinished {
			empty += s[0].drawn - s[0].remaining
		}
		seen.remaining += s[0].remaining
		seen.culled += s[0].culled
		seen.rejected += s[0].rejected
	}
	for what, n := range map[string]int{"kept": seen.remaining, "culled": seen.culled, "rejected": seen.rejected, "without a centre": empty} {
		require.Greater(t, n, 500, what)
	}
}

// assembled is the output of two chunks, and what was flushed before.
type assembled struct {
	handed []string
	out    string
	stats  Stats
}

// assembleMany assembles two chunks of random triangles, some longer than three pieces.
func assembleMany(topology pica.PrimitiveMode, workers int, k simd.Kernels, more int, outside, flip, hand bool) (r assembled) {
	rng := rand.New(rand.NewPCG(61, 62))
	a := testAssembler(topology)
	a.cull, a.flip = pica.CullBack, flip
	a.culler.kernels = k
	if workers > 1 {
		a.culler.start(a, workers, func(n int, f func(i, worker int)) {
			var wg sync.WaitGroup
			for w := range workers {
				wg.Go(func() {
					for i := n - 1 - w; i >= 0; i -= workers { // the last ones first
						f(i, w)
					}
				})
			}
			wg.Wait()
		})
	}
	if hand {
		a.out.Flush = func(_ context.Context, o *Output) error {
			r.handed = append(r.handed, fmt.Sprint(hash(o)))
			o.empty()
			return nil
		}
	}
	size := float32(1)
	if outside {
		size = 1.4
	}
	vertex := func(v *pica.Vertex) {
		*v = unmapped
		copy(v[:], []float32{size * (2*rng.Float32() - 1), size * (2*rng.Float32() - 1), -0.5, 1})
		for i := pica.SemQuatX; i <= pica.SemQuatW; i++ {
			v[i] = float32(rng.NormFloat64()) + 0.7
		}
	}
	for chunk := range 2 {
		// Strips and fans continue in the second chunk.
		a.begin()
		var idx []uint32
		for i := range uint32(500) {
			var v pica.Vertex
			vertex(&v)
			at, p := a.addWhole(&v)
			a.locate(positionOf(&v), at, p)
			idx = append(idx, i)
		}
		n := 3*pieceTriangles + more
		if hand {
			n = 40 * pieceTriangles
		}
		switch {
		case topology == pica.PrimitiveTriangles:
			n *= 3
		case chunk == 0:
			n += 2
		}
		for len(idx) < n {
			idx = append(idx, rng.Uint32N(500))
		}
		if err := a.assemble(idx); err != nil {
			panic(err)
		}
	}
	r.out, r.stats = fmt.Sprint(hash(a.out)), a.out.Stats
	return r
}

// hash is a hash of an output.
func hash(o *Output) (h uint64) {
	add := func(x uint32) { h = (h ^ uint64(x)) * 0x100000001b3 }
	for _, t := range o.Triangles {
		add(t[0])
		add(t[1])
		add(t[2])
	}
	for _, v := range o.Vertices {
		add(uint32(v.X))
		add(uint32(v.Y))
	}
	for _, x := range o.Attributes {
		add(math.Float32bits(x))
	}
	return h
}

// The triangles and their order do not depend on the workers that cull them, also where clipping flushes within a chunk.
func TestSpreadAssembly(t *testing.T) {
	for _, topology := range []pica.PrimitiveMode{pica.PrimitiveTriangles, pica.PrimitiveTriangleStrip, pica.PrimitiveTriangleFan} {
		for _, c := range []struct {
			more                int
			outside, flip, hand bool
		}{{}, {more: 1}, {more: -1}, {more: 100, outside: true}, {more: 1, flip: true}, {0, true, true, true}} {
			t.Run(fmt.Sprint(topology, c), func(t *testing.T) {
				want := assembleMany(topology, 1, simd.Plain, c.more, c.outside, c.flip, c.hand)
				for _, workers := range []int{1, 2, 5} {
					require.Equal(t, want, assembleMany(topology, workers, simd.Best, c.more, c.outside, c.flip, c.hand), "%d workers", workers)
				}
				require.NotZero(t, want.stats.Triangles)
				require.Equal(t, c.outside, want.stats.Clipped > 500)
				require.Equal(t, c.hand, len(want.handed) > 0, "triangles are handed on only if asked")
			})
		}
	}
}

// A quaternion is negated if its dot product with that of the first vertex is negative, and only then.
func TestQuaternionNegation(t *testing.T) {
	p := [4]float32{0.5, -1, 2, 4}
	for q, want := range map[[4]float32]bool{
		{0, 0, 0, 0.125}: false, {0, 0, 0, -0.125}: true, {2, 1, 0, 0}: false, {2, 1, 0, -1e-6}: true, {-1, 0, 0, 0}: true, {0, 1, 0, 0}: true, {0, 0, -1, 0}: true,
	} {
		require.Equal(t, want, apart(&p, q), "%v", q)
	}
}

// The quaternion of a row is read from any offsets; a component that is not stored is 1.
func TestQuaternionPlaces(t *testing.T) {
	rows := []float32{2, 3, 4, 5, 6, 7}
	for p, want := range map[quatIndices][4]float32{
		{0, 1, 2, 3}: {2, 3, 4, 5}, {2, 3, 4, 5}: {4, 5, 6, 7}, {0, 1, 2, 4}: {2, 3, 4, 6}, {0, 1, 3, 4}: {2, 3, 5, 6}, {0, 2, 3, 4}: {2, 4, 5, 6},
		{-1, 0, 1, 2}: {1, 2, 3, 4}, {3, -1, 5, 0}: {5, 1, 7, 2}, {5, 4, 3, 2}: {7, 6, 5, 4}, {0, 1, 2, -1}: {2, 3, 4, 1}, {-1, -1, -1, -1}: {1, 1, 1, 1}, {0, 2, 2, 3}: {2, 4, 4, 5}, {0, 1, 4, 3}: {2, 3, 6, 5},
	} {
		require.Equal(t, want, p.of(rows), "%v", p)
	}
}
