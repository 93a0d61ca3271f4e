package geometry

import (
	"bytes"
	"context"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
)

// Footprint is the sum of the capacities of a stage's lists, in bytes.
func TestStageHeldBytes(t *testing.T) {
	numbers, vectors := make([]uint32, 1, 7), make([][4]float32, 2, 7)
	for name, c := range map[string]struct {
		each uintptr
		fill func(s *Stage)
	}{
		"nothing":      {0, func(*Stage) {}},
		"ids":          {4, func(s *Stage) { s.ids = numbers }},
		"idx":          {4, func(s *Stage) { s.idx = numbers }},
		"identity":     {4, func(s *Stage) { s.identity = numbers }},
		"flipped":      {4, func(s *Stage) { s.asm.flipped = numbers }},
		"joined":       {4, func(s *Stage) { s.asm.joined = numbers }},
		"sizes":        {8, func(s *Stage) { s.sizes = make([]int, 3, 7) }},
		"starts":       {8, func(s *Stage) { s.geo.at = make([]int, 3, 7) }},
		"outputs":      {16, func(s *Stage) { s.geo.raw = vectors }},
		"pending":      {16, func(s *Stage) { s.geo.pending = vectors }},
		"positions":    {unsafe.Sizeof(position{}), func(s *Stage) { s.asm.pos = make([]position, 0, 7) }},
		"saved":        {unsafe.Sizeof(pica.ScreenPosition{}), func(s *Stage) { s.asm.saved = make([]pica.ScreenPosition, 0, 7) }},
		"attributes":   {4, func(s *Stage) { s.asm.rows = make([]float32, 0, 7) }},
		"errors":       {unsafe.Sizeof(error(nil)), func(s *Stage) { s.job.errs = make([]error, 0, 7) }},
		"idle workers": {0, func(s *Stage) { s.workers = make([]worker, 3) }},
	} {
		s := new(Stage)
		c.fill(s)
		vertices, shaders := s.Footprint()
		require.Equal(t, [2]int{7 * int(c.each), 0}, [2]int{vertices, shaders}, name)
	}
}

// FootprintBound is above what the longest lists hold at twice their length, by less than half.
func TestHeldBound(t *testing.T) {
	const indices, vertices = 2 * (chunkIndices + indexRange), 2 * (indexRange + 2)
	s := &Stage{ids: make([]uint32, indices), idx: make([]uint32, indices), identity: make([]uint32, vertices), sizes: make([]int, indices)}
	s.geo.at, s.geo.raw = make([]int, indices), make([][4]float32, 16*vertices)
	s.asm.flipped, s.asm.pos = make([]uint32, 2*MaxVertices), make([]position, 2*MaxVertices)
	held, _ := s.Footprint()
	require.Less(t, held, FootprintBound(0))
	require.Less(t, FootprintBound(0), held*3/2)
	require.Equal(t, 3*(FootprintBound(1)-FootprintBound(0)), FootprintBound(3)-FootprintBound(0))
	require.Greater(t, FootprintBound(1)-FootprintBound(0), shaderunit.MaxLogFootprint)
}

// A stage has the requested number of workers, or one if it has no function to run them in parallel.
func TestStageWorkers(t *testing.T) {
	parallel := func(n int, f func(i, worker int)) {}
	for asked, want := range map[int][2]int{-1: {1, 1}, 0: {1, 1}, 1: {1, 1}, 3: {3, 1}} {
		require.Equal(t, want, [2]int{len(NewStage(asked, parallel).workers), len(NewStage(asked, nil).workers)}, asked)
	}
}

// endless is a vertex shader of three nested loops of 256 rounds, which ends only at the instruction limit.
func endless(t *testing.T) *shaderunit.Setup {
	return assemble(t, `
.in position v0
.in color v1
.out p position
.out c color
.consti many(255, 0, 1, 0)
.proc main
	mov r0, position
	for many
		for many
			for many
				add r1, r0, r1
				add r2, r1, r0
			.end
		.end
	.end
	mov p, r1
	mov c, r2
	end
.end`)
}

// A draw ends soon after its context is cancelled, in every phase.
func TestDrawsEndOnCancel(t *testing.T) {
	vertices := func(d *testDraw, n int) *testDraw {
		d.vertices(fiveOnACircle()...)
		d.mem = bytes.Repeat(d.mem, n/5)
		d.Memory = d.mem
		pica.Numvertices.Set(d.Regs, uint32(n))
		return d
	}
	for _, c := range []struct {
		name string
		draw func() *testDraw
		set  func(s *Stage)
	}{
		{"vertex shader in batches", func() *testDraw {
			d := vertices(newTestDraw(t, pica.PrimitiveTriangles), 30000)
			d.Vertex = endless(t)
			return d
		}, func(*Stage) {}},
		{"vertex shader in the interpreter", func() *testDraw {
			d := vertices(newTestDraw(t, pica.PrimitiveTriangles), 30000)
			d.Vertex = endless(t)
			return d
		}, func(s *Stage) { s.Interpret(true) }},
		{"geometry shader", func() *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, ".gsh point c0\n.consti many(255, 0, 1, 0)\n.out position position\n.out color color\n.entry gmain\n.proc gmain\n"+
				"for many\nfor many\nadd r0, v0, v0\n.end\n.end\nend\n.end\n").point(1)
			return vertices(d, 30000)
		}, func(*Stage) {}},
		{"many small draws of a geometry shader in the interpreter", func() *testDraw {
			return vertices(geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3), 1<<20)
		}, func(s *Stage) { s.Interpret(true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				s := NewStage(workers, parallel(workers))
				c.set(s)
				d := c.draw()
				ctx, cancel := context.WithCancel(t.Context())
				var cancelled time.Time
				time.AfterFunc(50*time.Millisecond, func() { cancelled = time.Now(); cancel() })
				err := s.Draw(ctx, &d.Input, &Output{})
				late := time.Since(cancelled)
				require.ErrorIs(t, err, context.Canceled)
				require.Less(t, late, 5*time.Second) // about 1 ms on an idle machine
				t.Logf("%d workers: %v", workers, late)
			}
		})
	}
}
