package geometry

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

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
