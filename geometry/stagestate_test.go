package geometry

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
)

// State and its words hold everything that a draw leaves to the next: alternating stages, each given the previous one's state, draw what a
// single stage draws.
func TestStateCarriesOverDraws(t *testing.T) {
	vertices := func(mode pica.PrimitiveMode, counts ...uint32) func(i int) *testDraw {
		d := newTestDraw(t, mode)
		d.vertices(append(fiveOnACircle(), fiveOnACircle()[1:4]...)...)
		pica.FacecullingMode.Set(d.Regs, uint32(pica.CullBack)) // shows which way strips are turned
		first := uint32(0)
		return func(i int) *testDraw {
			pica.VertexOffset.Set(d.Regs, first)
			pica.Numvertices.Set(d.Regs, counts[i])
			first += counts[i]
			return d
		}
	}
	immediate := func(d *testDraw) func(i int) *testDraw {
		d.Kind = Immediate
		return func(i int) *testDraw {
			d.Immediate = [][4]float32{fiveOnACircle()[i%5], {float32(i), 1, 1, 1}}
			return d
		}
	}
	program := func(code string) func(i int) *testDraw {
		d := numberedDraw(t, code)
		return func(int) *testDraw { return d }
	}
	const slots = `
		jmpu b15, again
		setemit 0
		mov position, v0
		mov number, numbers.x
		emit
		setemit 1
		mov position, v2
		mov number, numbers.y
		emit
		end
	again:
		setemit 2, prim
		mov position, v4
		mov number, numbers.z
		emit`
	counts := `
		add r0.x, numbers.yyyy, r0.xxxx` + triangle("number", "v0 v2 v4", "r0.x r0.x r0.x")
	for _, c := range []struct {
		name  string
		draws int
		make  func() func(i int) *testDraw
	}{
		{"strip", 4, func() func(int) *testDraw { return vertices(pica.PrimitiveTriangleStrip, 3, 1, 1, 3) }},
		{"strip without a triangle", 3, func() func(int) *testDraw { return vertices(pica.PrimitiveTriangleStrip, 1, 1, 4) }},
		{"fan", 3, func() func(int) *testDraw { return vertices(pica.PrimitiveTriangleFan, 2, 1, 2) }},
		{"list of immediate mode", 7, func() func(int) *testDraw { return immediate(newTestDraw(t, pica.PrimitiveTriangles)) }},
		{"runs of immediate mode", 7, func() func(int) *testDraw {
			return immediate(geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3))
		}},
		{"vertex buffer", 3, func() func(int) *testDraw { return program(slots) }},
		{"registers", 3, func() func(int) *testDraw { return program(counts) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(next func(*Stage) *Stage) (all []Output) {
				draw, s := c.make(), NewStage(1, nil)
				for i := range c.draws {
					var out Output
					require.NoError(t, s.Draw(t.Context(), &draw(i).Input, &out))
					all = append(all, out)
					s = next(s)
				}
				return all
			}
			want := run(func(s *Stage) *Stage { return s })
			require.NotEqual(t, want, run(func(*Stage) *Stage { return NewStage(1, nil) }), "a new stage draws something else than a continued one")
			require.Equal(t, want, run(func(s *Stage) *Stage {
				state, next := s.State(), NewStage(1, nil)
				next.SetState(&state)
				return next
			}))
			require.Equal(t, want, run(func(s *Stage) *Stage {
				state, next := s.State(), NewStage(1, nil)
				next.SetState(StateOfWords(state.Words()))
				again := next.State()
				require.Equal(t, state.Words(), again.Words())
				return next
			}))
		})
	}
}

// A new stage has no words. Any words make a state that can draw.
func TestStateFromAnyWords(t *testing.T) {
	fresh := NewStage(1, nil).State()
	require.Empty(t, fresh.Words())
	rng := rand.New(rand.NewPCG(3, 4))
	draws := []*testDraw{
		newTestDraw(t, pica.PrimitiveTriangles), newTestDraw(t, pica.PrimitiveTriangleStrip), newTestDraw(t, pica.PrimitiveTriangleFan),
		geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3), fixedDraw(t),
		numberedDraw(t, "mova a0.xy, r0.xy\nmov r1, c0[a0.x]\nsetemit 1, prim\nmov position, v0\nmov number, r1.x\nemit"),
	}
	for _, d := range draws[:4] {
		d.vertices(fiveOnACircle()...)
	}
	for i := range uint32(64) { // the fields of the first word
		s := fresh
		s.topology, s.carried = pica.PrimitiveMode(i&3), int(i>>3&1)
		s.odd, s.winding, s.assembled = i&4 != 0, i&16 != 0, i&32 != 0
		again := StateOfWords(s.Words())
		require.Equal(t, s.topology, again.topology)
		require.Equal(t, s.carried, again.carried)
		require.Equal(t, [3]bool{s.odd, s.winding, s.assembled}, [3]bool{again.odd, again.winding, again.assembled})
	}
	for range 300 {
		words := make([]uint32, rng.IntN(stateWords+1))
		for i := range words {
			words[i] = rng.Uint32() >> (rng.IntN(2) * 24)
		}
		s := NewStage(1, nil)
		s.SetState(StateOfWords(words))
		for _, d := range draws {
			require.NoError(t, s.Draw(t.Context(), &d.Input, &Output{}))
		}
	}
	require.Equal(t, 790, wordRegisters+shaderunit.InterpreterWords, "the length equals that of the block in package picatrace")
}
