package geometry

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

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
