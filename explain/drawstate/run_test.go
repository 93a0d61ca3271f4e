package drawstate

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
	"pica200/tests/testkit"
)

// The text of a run: progress, the effect of each step, and the values after it.
func TestRunInWords(t *testing.T) {
	v := func(x, y, z, w rows.Float) *Vector { return &Vector{x, y, z, w} }
	r := &Run{Total: 5, Inputs: map[string]Vector{"v1": {1, 2, 3, 4}, "c2": {0.5, 0, 0, -1}}, Steps: []Step{
		{PC: 3, Src: []Vector{{1, 2, 3, 4}, {1e-7, 123456.5, 0, -0.25}}, Dst: "r12", Value: v(1, 0.333333343, -2, 1e9), A0: [2]int32{-3, 7}, Next: 4},
		{PC: 4, Dst: "o0", Value: v(5, 6, 7, 8), Cmp: [2]bool{false, true}, AL: 9, Next: 5, Calls: []int{0x10, 0x2F}, Ifs: []int{7}, Loops: [][2]int{{8, 2}, {9, 1}}},
		{PC: 5, Next: 0x1F, Taken: true},
		{PC: 0x1F, Next: 0x20, Emit: &Emission{Slot: 1, Outputs: map[string]Vector{"o10": {1}, "o2": {2, 3}}, vertices: 1}},
		{PC: 0x20, Dst: "r2", Value: v(0, 0, 0, 1), Next: 0x21, Emit: &Emission{Slot: 2, Primitive: true, Winding: true, vertices: 2, triangles: 1}},
	}}
	var where, result []string
	for at := -1; at < 5; at++ {
		where = append(where, r.Where(at))
	}
	for i := range r.Steps {
		result = append(result, r.Steps[i].Result())
	}
	require.Equal(t, []string{"before the first of 5 instructions", "1 of 5 instructions ran", "2 of 5 instructions ran", "3 of 5 instructions ran",
		"4 of 5 instructions ran", "5 of 5 instructions ran, the end"}, where)
	require.Equal(t, []string{"r12 = 1, 0.333333, -2, 1e+09", "o0 = 5, 6, 7, 8", "→ 0x01F", "emits slot 1", "emits slot 2, a triangle"}, result)
	text := func(list []rows.Row) (out []string) {
		for i := range list {
			out = append(out, list[i].Line())
		}
		return out
	}
	require.Equal(t, []string{"a0: -3, 7", "aL: 0", "cmp: false, false", "next: 0x004", "sources: (1, 2, 3, 4)  (1e-07, 123456, 0, -0.25)"}, text(r.Steps[0].Rows()))
	require.Equal(t, []string{"a0: 0, 0", "aL: 9", "cmp: false, true", "next: 0x005", "calls: 0x010 0x02F", "ifs: 0x007", "loops: 0x008, 2 left; 0x009, 1 left"}, text(r.Steps[1].Rows()))
	require.Equal(t, []string{"slot 1: o2 2, 3, 0, 0; o10 1, 0, 0, 0", "slot 2, triangle, turned"}, text([]rows.Row{r.Steps[3].Emit.Row(), r.Steps[4].Emit.Row()}))
	require.Equal(t, "Emitted: 1 vertex, 0 triangles", r.Steps[3].Emit.Emitted())
	require.Equal(t, "Emitted: 2 vertices, 1 triangle", r.Steps[4].Emit.Emitted())

	require.Equal(t, []string{"c2", "v1", "r2", "r12", "o0"}, r.Registers())
	held := func(at int) (out []string) {
		list := r.RegistersAfter(at)
		for i := range list {
			out = append(out, string(list[i].Mark)+list[i].Line())
		}
		return out
	}
	require.Equal(t, []string{"c2: 0.5 0 0 -1", "v1: 1 2 3 4"}, held(-1))
	require.Equal(t, []string{"c2: 0.5 0 0 -1", "v1: 1 2 3 4", "changedr12: 1 0.333333 -2 1e+09"}, held(0))
	require.Equal(t, []string{"c2: 0.5 0 0 -1", "v1: 1 2 3 4", "r12: 1 0.333333 -2 1e+09", "o0: 5 6 7 8"}, held(2), "the third step wrote no register")
	require.Contains(t, held(4), "changedr2: 0 0 0 1")

	r.Failure = "it hangs"
	require.Equal(t, "4 of 5 instructions ran", r.Where(3))
	require.Equal(t, "5 of 5 instructions ran: it hangs", r.Where(4))
	require.Equal(t, "before the first of 5 instructions", r.Where(-1))
	require.Equal(t, "before the first of 0 instructions: it hangs", (&Run{Failure: "it hangs"}).Where(-1))
	require.Equal(t, "before the first of 1 instruction", (&Run{Total: 1}).Where(-1))

	some := &Run{Total: 5, From: 2, Steps: r.Steps[2:4]}
	require.Equal(t, "3 of 5 instructions ran", some.Where(some.From))
	require.Empty(t, some.RegistersAfter(3), "this part writes no register")
}

// A run of a vertex ends with the draw's outputs; a partial run equals that part of the whole run.
func TestRunOfAVertex(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	columns, values, err := s.Outputs(t.Context())
	require.NoError(t, err)
	require.Equal(t, "o0.x", columns[0][:4])
	for _, n := range []int{0, 7, s.Vertices.Count - 1} {
		run := testkit.Must(s.RunVertex(t.Context(), n, 0, MaxSteps))(t)
		require.Equal(t, n, run.Number)
		require.Len(t, run.Steps, run.Total)
		require.EqualValues(t, values[n][0], run.Outputs["o0"][0])
		part := testkit.Must(s.RunVertex(t.Context(), n, 2, 3))(t)
		require.Equal(t, run.Steps[2:5], part.Steps)
		require.Equal(t, run.Total, part.Total)
	}
	none := new(*NoRunError)
	for _, n := range []int{-1, s.Vertices.Count} {
		_, err := s.RunVertex(t.Context(), n, 0, 1)
		require.True(t, errors.As(err, none), "%v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = s.RunGeometry(ended, nil, 0, 0, 1)
	require.True(t, errors.As(err, none), "no geometry shader runs here: %v", err)
	s.Vertices = nil
	_, err = s.RunVertex(t.Context(), 0, 0, 1)
	require.ErrorContains(t, err, "cannot be read")
}

// Each instruction address belongs to exactly one source line, the one with that instruction.
func TestInstructionsMapToSourceLines(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	lines := testkit.Must(s.Program(false))(t)
	run := testkit.Must(s.RunVertex(t.Context(), 0, 0, MaxSteps))(t)
	at := map[int]string{}
	for _, l := range lines {
		if l.PC >= 0 {
			require.NotContains(t, at, l.PC)
			at[l.PC] = l.Text
		}
	}
	for i := range run.Steps {
		st := &run.Steps[i]
		require.Contains(t, at, st.PC)
		if st.Dst != "" {
			require.Regexp(t, `^\s*\w+ `+st.Dst+`\b`, at[st.PC])
		}
	}
}

// A corner is matched to the nearest vertex within a subpixel, comparing depth as well.
func TestNearestVertex(t *testing.T) {
	list := []windowVertex{{7, 10, 20, 0.5}, {8, 10.05, 20, 0.5}, {9, 10, 20, 0.25}, {10, 30, 40, 1}}
	at := func(x, y, w float32) int {
		return nearest(list, fragment.VertexRecord{X: float32(x), Y: float32(y), InvW: float32(w)})
	}
	require.Equal(t, 7, at(10.01, 20, 0.5))
	require.Equal(t, 8, at(10.04, 20, 0.5))
	require.Equal(t, 9, at(10, 20, 0.25))
	require.Equal(t, 10, at(30.0625, 40, 1))
	require.Equal(t, 10, at(30, 39.9375, 1.0005))
	for _, far := range [][3]float32{{30.1, 40, 1}, {30, 40.1, 1}, {29.9, 40, 1}, {30, 40, 1.01}, {0, 0, 1}} {
		require.Equal(t, -1, at(far[0], far[1], far[2]), "%v", far)
	}
	exact := []windowVertex{{1, 0.07, 0, 1}, {2, 0, 0.07, 1}}
	require.Equal(t, 1, nearest(exact[:1], fragment.VertexRecord{InvW: 1}), "a vertex at the distance limit is found")
	require.Equal(t, 2, nearest(exact[1:], fragment.VertexRecord{InvW: 1}))
}

// The position can be in any outputs. Map entries apply to the outputs in the mask; there are seven entries.
func TestPositionOutputs(t *testing.T) {
	var r pica.Regs
	place := func(mask uint32, entries ...uint32) ([4][2]int, int, bool) {
		pica.ShOutmapMask.At(pica.OffsetVsh).Set(&r, mask)
		for i := range 7 {
			r[pica.RegShOutmapO0+pica.Reg(i)] = 0x1F1F1F1F
			if i < len(entries) {
				r[pica.RegShOutmapO0+pica.Reg(i)] = entries[i]
			}
		}
		return positionOutputs(&r, pica.OffsetVsh)
	}
	at, first, ok := place(1<<2|1<<5, 0x1F010003, 0x1F1F021F)
	require.True(t, ok)
	require.Equal(t, 2, first)
	require.Equal(t, [4][2]int{{2, 1}, {2, 2}, {5, 1}, {2, 0}}, at)
	_, first, ok = place(1<<15, 0x1F020100)
	require.False(t, ok)
	require.Equal(t, 15, first)
	_, first, ok = place(0, 0x03020100)
	require.False(t, ok)
	require.Equal(t, -1, first)
	at, _, ok = place(0xFF, 0x1F, 0x1F, 0x1F, 0x1F, 0x1F, 0x1F, 0x03020100)
	require.True(t, ok)
	require.Equal(t, [4][2]int{{6, 0}, {6, 1}, {6, 2}, {6, 3}}, at)
	// The register after the seventh entry is not part of the map.
	r[pica.RegShOutmapO0+7] = 0x03020100
	_, _, ok = place(0xFF)
	require.False(t, ok)
}
