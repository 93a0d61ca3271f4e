package geometry

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
)

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
