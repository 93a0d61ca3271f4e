package geometry

import (
	"math"
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

// Rules of docs/accuracy that no larger test covers.

// If two arrays feed one attribute, the later one is used.
func TestLaterArrayWins(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(fiveOnACircle()[:3]...)
	// A second array behind the first holds colours of four bytes.
	r := d.Regs
	pica.AttribbufferOffset.At(3).Set(r, uint32(len(d.mem)))
	r[pica.RegAttribbuffer0Config1+3] = 1
	pica.AttribbufferStride.At(3).Set(r, 4)
	pica.AttribbufferCount.At(3).Set(r, 1)
	for range 3 {
		d.mem = append(d.mem, 0, 1, 0, 1)
	}
	d.Memory = d.mem
	out := d.draw(t)
	for i := range 3 {
		require.Equal(t, []float32{0, 1, 0, 1}, out.vertex(uint32(i)).Vertex[pica.SemColorR:pica.SemColorA+1])
	}
}

func TestVertexOffsetIgnoredWithIndices(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(fiveOnACircle()...)
	d.elements(false, 0, 1, 2)
	var want, got Output
	require.NoError(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &want))
	pica.VertexOffset.Set(d.Regs, 2)
	require.NoError(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &got))
	require.Equal(t, want, got)
}

func TestVertexColorOfNaN(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.Kind = Immediate
	for _, p := range fiveOnACircle()[:3] {
		d.Immediate = append(d.Immediate, p, [4]float32{float32(math.NaN()), -0.25, 0, -7})
	}
	out := d.draw(t)
	require.Equal(t, []float32{1, 0.25, 0, 1}, out.vertex(0).Vertex[pica.SemColorR:pica.SemColorA+1])
}

// A colour without clock is 1, in each component.
func TestColorWithoutClock(t *testing.T) {
	for clock, mapped := range map[uint32]bool{0: false, 1: false, 2: true, 0x01010701: false} {
		d := newTestDraw(t, pica.PrimitiveTriangles)
		d.vertices(fiveOnACircle()...)
		d.Regs[pica.RegShOutattrClock] = clock
		out := d.draw(t)
		v := out.vertex(1).Vertex
		want := []float32{1, 1, 1, 1}
		if mapped {
			want = []float32{1, 0, 1, 1}
		}
		require.Equal(t, want, v[pica.SemColorR:pica.SemColorA+1], "%08X", clock)
		require.NotEqual(t, float32(1), v[pica.SemPositionX], "the position stays")
	}
}

// Components of slots beyond the enabled registers or the total read 1. If two components map to one semantic, the later is used.
func TestOutputMapRules(t *testing.T) {
	draw := func(change func(r *pica.Regs)) *pica.ScreenVertex {
		d := newTestDraw(t, pica.PrimitiveTriangles)
		d.Kind = Immediate
		for _, p := range fiveOnACircle()[:3] {
			d.Immediate = append(d.Immediate, p, [4]float32{0.125, 0.25, 0.5, 0.75})
		}
		change(d.Regs)
		out := d.draw(t)
		return out.vertex(0)
	}
	color := func(v *pica.ScreenVertex) []float32 { return v.Vertex[pica.SemColorR : pica.SemColorA+1] }
	ones := []float32{1, 1, 1, 1}
	require.Equal(t, []float32{0.125, 0.25, 0.5, 0.75}, color(draw(func(r *pica.Regs) {})))
	require.Equal(t, ones, color(draw(func(r *pica.Regs) { pica.ShOutmapTotal.Set(r, 1) })))
	require.Equal(t, ones, color(draw(func(r *pica.Regs) { r[pica.RegVshOutmapMask] = 1 })))
	// Green and blue of o1 both become red.
	require.Equal(t, []float32{0.5, 1, 1, 0.75}, color(draw(func(r *pica.Regs) { r[pica.RegShOutmapO0+1] = 0x0B08081F })))
}
