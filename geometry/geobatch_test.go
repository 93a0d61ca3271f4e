package geometry

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/patches"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// interpreted draws with the interpreter only.
func interpreted(t testing.TB, d *testDraw, out *Output) {
	s := NewStage(1, nil)
	s.geo.neverBatch = true
	require.NoError(t, s.Draw(t.Context(), &d.Input, out))
}

// subdivisionOf is a draw of a box refined level times.
func subdivisionOf(t testing.TB, program string, level int) *libraryDraw {
	loop := strings.HasPrefix(program, "loop")
	m := boxMesh(loop)
	refine, stream := patches.RefineCatmullClark, patches.CatmullClark
	if loop {
		refine, stream = patches.RefineLoop, patches.Loop
	}
	for range level {
		m = testkit.Must(refine(m))(t)
	}
	streams := testkit.Must(stream(m))(t)
	return subdivisionDraw(t, program, m, streams[0])
}

// particlePaths is a draw of n paths of 64 particles each.
func particlePaths(t testing.TB, n int) *libraryDraw {
	d := newLibraryDraw(t, "particles")
	d.Geometry.Int[0] = [4]uint8{63, 0, 1, 0}
	d.uniform("phase", [4]float32{0.3, 1.0 / 64, 0.1, 0})
	var vertices [][][4]float32
	for i := range 32 {
		s, c := math.Sincos(float64(i) * 2.4)
		vertices = append(vertices, [][4]float32{{float32(c) * 0.7, float32(s) * 0.7, -0.5, 1}, {float32(i) / 32, 0.5, 1, 1}, {0.004, 0.004, 0.1}})
	}
	d.attributes([]uint32{0, 3, 7}, vertices...)
	var idx []uint16
	for i := range n {
		for k := range 4 {
			idx = append(idx, uint16((i*7+k*(i%5+1))%32))
		}
	}
	d.indices(idx)
	return d
}

// pointSprites is a draw of n points.
func pointSprites(t testing.TB, n int) *libraryDraw {
	d := newLibraryDraw(t, "billboard")
	var vertices [][][4]float32
	for i := range n {
		s, c := math.Sincos(float64(i) * 2.4)
		vertices = append(vertices, [][4]float32{{float32(c) * 0.7, float32(s) * 0.7, -0.5, 1}, {0.5, 0.5, 1, 1}, {0.05, 0.05, 1, 0}})
	}
	d.attributes([]uint32{0, 3, 7}, vertices...)
	d.Kind = Arrays
	d.Memory = d.mem
	pica.Numvertices.Set(d.Regs, uint32(n))
	return d
}

// withoutEnd removes END from the geometry shader.
func withoutEnd(d *libraryDraw) *libraryDraw {
	for i := range shaderunit.CodeWords {
		if shaderunit.Decode(d.Geometry.Code(i)).Op == shaderunit.OpEND {
			d.Geometry.SetCode(i, 0)
		}
	}
	return d
}

// Batches give the interpreter's bits in the same order, for any number of workers.
func TestGeometryBatches(t *testing.T) {
	silhouette := func(t testing.TB) *libraryDraw {
		m := boxMesh(false)
		for range 2 {
			m = testkit.Must(patches.RefineCatmullClark(m))(t)
		}
		d := newLibraryDraw(t, "silhouette")
		d.uniform("outlineWidth", [4]float32{0.1, 0.1})
		var vertices [][][4]float32
		for _, p := range m.Positions {
			x, y, z := float32(p[0]), float32(p[1]), float32(p[2])
			vertices = append(vertices, [][4]float32{{x + z/4, y - z/5, z, 1 + z/4}, {x, y, z + 0.5}})
		}
		idx := testkit.Must(patches.Silhouette(m))(t)
		d.attributes([]uint32{0, 1}, vertices...)
		d.indices(idx)
		return d
	}
	for _, tc := range []struct {
		name    string
		make    func(t testing.TB) *libraryDraw
		batches bool
	}{
		{"loop", func(t testing.TB) *libraryDraw { return subdivisionOf(t, "loop", 2) }, true},
		{"catmull_clark", func(t testing.TB) *libraryDraw { return subdivisionOf(t, "catmull_clark", 2) }, true},
		{"loop_lit", func(t testing.TB) *libraryDraw { return subdivisionOf(t, "loop_lit", 2) }, true},
		{"catmull_clark_lit", func(t testing.TB) *libraryDraw { return subdivisionOf(t, "catmull_clark_lit", 2) }, true},
		{"particles", func(t testing.TB) *libraryDraw { return particlePaths(t, 300) }, true},
		{"billboard", func(t testing.TB) *libraryDraw { return pointSprites(t, 500) }, true},
		{"billboard without END", func(t testing.TB) *libraryDraw { return withoutEnd(pointSprites(t, 150)) }, true},
		{"silhouette", silhouette, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var want Output
			interpreted(t, &tc.make(t).testDraw, &want)
			for workers := 1; workers <= 3; workers++ {
				s := NewStage(workers, parallel(workers))
				var out Output
				d := tc.make(t)
				require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
				require.Equal(t, want.Stats, out.Stats)
				require.Equal(t, tc.name == "billboard without END", out.Stats.RanOut == out.Stats.Invocations)
				require.Equal(t, want.Triangles, out.Triangles)
				for i := range want.Vertices {
					require.Equal(t, want.vertex(uint32(i)), out.vertex(uint32(i)), "vertex %d", i)
				}
				require.Equal(t, tc.batches, !s.geo.unfit)
			}
		})
	}
}

// A program that reads temporary registers of the previous run still runs in batches; one that reads other leftovers runs in the
// interpreter.
func TestProgramsThatReadLeftovers(t *testing.T) {
	for _, tc := range []struct {
		name, code string
		batch      bool
	}{
		{"counts runs", `
			add r0.x, numbers.yyyy, r0.xxxx` + triangle("number", "v0 v2 v4", "r0.x r0.x r0.x"), true},
		{"does not write an output again", `
			setemit 0
			mov position, v0
			mov number, numbers.x
			emit
			setemit 1
			mov position, v2
			mov number, numbers.y
			emit
			setemit 2, prim
			mov position, v4
			emit`, false},
		{"remembers a flag", `
			jmpc cmp.x, over
			setemit 0
			mov position, v0
			mov number, numbers.x
			emit
		over:
			mov r3, numbers.xxxx
			cmp numbers.xx, eq, eq, r3
			`, false},
		{"writes on one way only", `
			cmp numbers.xx, lt, lt, v0.x
			jmpc cmp.x, over
			mov r1, numbers.yyyy
		over:
			setemit 0
			mov position, v0
			mov number, r1
			emit
			nop`, true},
		{"writes on both ways", `
			cmp numbers.xx, lt, lt, v0.x
			jmpc cmp.x, over
			mov r1, numbers.yyyy
			jmpu !b0, both
		over:
			mov r1, numbers.zzzz
		both:` + triangle("number", "v0 v2 v4", "r1 r1 r1"), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			build := func() *testDraw {
				d := numberedDraw(t, tc.code)
				d.mem = nil
				var p [][4]float32
				for i := range 400 {
					v := fiveOnACircle()[(i*i+i/4)%5]
					p = append(p, v)
				}
				d.vertices(p...)
				return d
			}
			var want, out Output
			interpreted(t, build(), &want)
			s := NewStage(1, nil)
			require.NoError(t, s.Draw(t.Context(), &build().Input, &out))
			require.Equal(t, want, out)
			require.Equal(t, tc.batch, !s.geo.unfit)
		})
	}
}

// A draw that falls back to the interpreter midway gives the same output.
func TestFallBackToInterpreter(t *testing.T) {
	// Fixed mode: the colour comes from a register that counts the runs.
	counting := strings.ReplaceAll(fixedProgram, ".entry gmain\n.proc gmain\n", `
.constf step(0.001, 0.0, 0.0, 0.0)
.entry gmain
.proc gmain
	add r0, step.xxxx, r0
`)
	counting = strings.ReplaceAll(counting, "mov color, c21", "mov color, r0")
	// The vertex shader outputs a uniform that is a float24 subnormal.
	subnormal := func(program string) func() *testDraw {
		return func() *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, program).point(3)
			d.Vertex = assemble(t, `
				.out position position
				.out color color
				.fvec tiny
				.proc main
					mov position, v0
					mov color, tiny
					end
				.end`)
			for i := range d.Vertex.Float {
				d.Vertex.Float[i] = [4]float32{0x1p-70, 0x1p-70, 0, 1}
			}
			return d
		}
	}
	for _, tc := range []struct {
		name string
		make func() *testDraw
	}{
		{"outputs are kept", func() *testDraw {
			d := fixedDraw(t)
			d.Geometry = assemble(t, strings.Replace(counting, "mov color, r0", "", 1))
			return d
		}},
		{"subnormal inputs", subnormal(passTriangle)},
		{"subnormal inputs of a program that continues from a register", subnormal(`
			.gsh point c0
			.constf step(0.001, 0.0, 0.0, 0.0)
			.out position position
			.out color color
			.entry gmain
			.proc gmain
				add r0, step.xxxx, r0` + triangle("color", "v0 v2 v4", "v1 r0 v5") + `
				end
			.end`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			build := func() *testDraw {
				d := tc.make()
				d.mem = nil
				var p [][4]float32
				for i := range 600 {
					p = append(p, fiveOnACircle()[(i*i+i/3)%5])
				}
				d.vertices(p...)
				return d
			}
			var want, out Output
			a, b := build(), build()
			interpreted(t, a, &want)
			s := NewStage(2, parallel(2))
			require.NoError(t, s.Draw(t.Context(), &b.Input, &out))
			require.True(t, s.geo.unfit)
			require.Equal(t, want, out)
			require.Equal(t, a.Geometry.Float, b.Geometry.Float)
			require.Equal(t, a.Geometry.Bool, b.Geometry.Bool, "b15")
		})
	}
}

// An error in a lane is reported as by the interpreter; the primitives before it are drawn.
func TestBatchErrorEqualsInterpreter(t *testing.T) {
	code := `
		cmp numbers.xx, lt, lt, v7.x
		jmpc !cmp.x, fine
	again:
		nop
		jmpu !b0, again
	fine:` + triangle("number", "v0 v2 v4", "numbers.x numbers.y numbers.z")
	d := numberedDraw(t, code)
	d.mem = nil
	for i := range 400 {
		d.vertices(fiveOnACircle()[i%5])
		// The byte behind the position is v1.x, which is v7.x for every fourth vertex.
		d.mem[20*i+16] = 0
		if i == 4*70+3 {
			d.mem[20*i+16] = 1
		}
	}
	pica.Numvertices.Set(d.Regs, 400)
	var out Output
	err := NewStage(1, nil).Draw(t.Context(), &d.Input, &out)
	require.ErrorContains(t, err, "point mode, primitive 70: shader")
	require.ErrorContains(t, err, "never reaches END")
	require.Equal(t, 70, out.Stats.Invocations)
	require.Equal(t, 70, out.Stats.Primitives)
}

func TestGeometryDoesNotAllocate(t *testing.T) {
	for name, d := range map[string]*libraryDraw{
		"particles": particlePaths(t, 200), "loop": subdivisionOf(t, "loop", 2), "billboard": pointSprites(t, 300),
	} {
		s := NewStage(1, nil)
		var out Output
		draw := func() {
			out.empty()
			require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
		}
		draw()
		draw()
		require.Zero(t, testing.AllocsPerRun(3, draw), name)
	}
}

// readsLeftovers is a fixed-mode program that reads an input register, which that mode does not set, and an unwritten temporary
// register.
var readsLeftovers = `
.gsh fixed c26 c20 3
.out position position
.out color color
.entry gmain
.proc gmain` + triangle("color", "c20 c22 c24", "v1 v1 r3") + `
	end
.end
`

// A draw in point mode leaves the same registers whether batches or the interpreter ran it.
func TestBatchesLeaveEqualRegisters(t *testing.T) {
	draw := func(never bool, workers int) Output {
		var run func(int, func(int, int))
		if workers > 1 {
			run = parallel(workers)
		}
		s := NewStage(workers, run)
		s.geo.neverBatch = never
		var out Output
		point := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
		for range 39 {
			point.vertices(fiveOnACircle()...)
		}
		pica.Numvertices.Set(point.Regs, 39*5)
		require.NoError(t, s.Draw(t.Context(), &point.Input, &out))
		fixed := fixedDraw(t)
		fixed.Geometry = assemble(t, readsLeftovers)
		require.NoError(t, s.Draw(t.Context(), &fixed.Input, &out))
		return out
	}
	want := draw(true, 1)
	require.Equal(t, 66, want.Stats.Triangles)
	for _, workers := range []int{1, 2, 7} {
		require.Equal(t, want, draw(false, workers), "%d workers", workers)
	}
}

// A program finds its temporary registers again after another program that does not write them.
func TestRegistersSurviveOtherPrograms(t *testing.T) {
	s := NewStage(1, nil)
	fixed := fixedDraw(t)
	fixed.Geometry = assemble(t, strings.Replace(readsLeftovers, "mov color, r3\n", "mov color, r3\n\tmov r3, c21\n", 1))
	color := func() float32 {
		var out Output
		require.NoError(t, s.Draw(t.Context(), &fixed.Input, &out))
		return out.vertex(2).Vertex[pica.SemColorB]
	}
	require.Zero(t, color(), "before any run the register is 0")
	point := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
	point.vertices(fiveOnACircle()...)
	require.NoError(t, s.Draw(t.Context(), &point.Input, &Output{}))
	require.Equal(t, float32(1), color())
}

// Programs that continue from temporary registers, in draws of different lengths, mixed with programs that write the same
// registers: registers, b15 and output equal the interpreter's after each draw.
func TestRegistersContinueAcrossDraws(t *testing.T) {
	emit := triangle("number", "v0 v2 v4", "r0.x r0.y r0.z")
	codes := map[string]string{
		"counts":  "\n add r0.x, numbers.yyyy, r0.xxxx\n add r0.y, numbers.yyyy, r0.xxxx\n" + emit,
		"resets":  "\n mov r0, numbers.zzzz\n" + emit,
		"begins":  "\n jmpu b15, on\n mov r0, numbers.xyzw\n on:\n add r0, numbers.yyyy, r0\n" + emit,
		"at odds": "\n jmpu b15, on\n add r0, numbers.zzzz, r0\n on:\n add r0.z, numbers.yyyy, r0.zzzz\n" + emit,
		"flag":    "\n cmp numbers.xx, lt, lt, v0.x\n jmpc cmp.x, on\n add r0.x, numbers.yyyy, r0.xxxx\n on:\n" + emit,
	}
	for _, workers := range []int{1, 3} {
		rng := rand.New(rand.NewPCG(51, 52))
		batches, never := NewStage(workers, parallel(workers)), NewStage(1, nil)
		never.geo.neverBatch = true
		fit := 0
		for i := range 200 {
			name := slices.Sorted(maps.Keys(codes))[rng.IntN(len(codes))]
			runs, started := 1+rng.IntN(6), rng.IntN(2) == 0
			build := func() *testDraw {
				d := numberedDraw(t, codes[name])
				d.mem = nil
				for k := range 3 * runs {
					d.vertices(fiveOnACircle()[(k+i)%5])
				}
				if d.Geometry.Bool &^= startedUniform; started {
					d.Geometry.Bool |= startedUniform
				}
				return d
			}
			var want, out Output
			a, b := build(), build()
			require.NoError(t, never.Draw(t.Context(), &a.Input, &want))
			require.NoError(t, batches.Draw(t.Context(), &b.Input, &out))
			require.Equal(t, want, out, "draw %d, %s", i, name)
			require.Equal(t, a.Geometry.Bool, b.Geometry.Bool)
			require.Equal(t, never.State(), batches.State(), "draw %d, %s", i, name)
			if !batches.geo.unfit {
				fit++
			}
		}
		require.Equal(t, 200, fit)
	}
}

// Clipping that makes many vertices flushes the output within a chunk and keeps the triangles.
func TestClippingFlushesOutput(t *testing.T) {
	for _, flat := range []bool{false, true} {
		clippingFlushesOutput(t, flat)
	}
}

func clippingFlushesOutput(t *testing.T, flat bool) {
	d := newTestDraw(t, pica.PrimitiveTriangleStrip)
	pica.FlatShading.SetBool(d.Regs, flat)
	points := fiveOnACircle()
	for i := range points {
		points[i][0], points[i][1] = points[i][0]*3, points[i][1]*3 // outside all four sides
	}
	d.vertices(points...)
	const n = 3 << 16
	indices := make([]int, n)
	for i := range indices {
		indices[i] = (i*i + i/7) % 5
	}
	d.elements(true, indices...)
	draw := func(out *Output) { require.NoError(t, NewStage(1, nil).Draw(t.Context(), &d.Input, out)) }
	var whole, parts Output
	draw(&whole)
	require.Greater(t, len(whole.Vertices), MaxVertices, "the draw exceeds the output's limit of vertices")
	want, flushes := whole.Triangles, 0
	parts.Flush = func(_ context.Context, o *Output) error {
		flushes++
		require.LessOrEqual(t, len(o.Vertices), MaxVertices)
		require.LessOrEqual(t, len(o.Triangles), MaxTriangles)
		require.LessOrEqual(t, len(o.Triangles), len(want))
		for i, tri := range o.Triangles {
			for k, v := range tri {
				if *o.vertex(v) != *whole.vertex(want[i][k]) {
					t.Fatalf("flush %d, triangle %d, corner %d differs", flushes, i, k)
				}
			}
		}
		want = want[len(o.Triangles):]
		o.empty()
		return nil
	}
	draw(&parts)
	require.NoError(t, parts.Flush(t.Context(), &parts))
	require.Greater(t, flushes, 3)
	require.Empty(t, want)
}
