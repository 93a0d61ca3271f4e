package pipeline

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// twistedFrame is a frame of lights whose draws are hard to stop between: three in one command, one in a command with other
// registers, lists that jump, several kinds of events, and a list overwritten after use. Colours are added, so that a missing or
// repeated draw shows. With hang, the list with draw 4 is damaged.
func twistedFrame(t *testing.T, hang bool) (trace *picatrace.Trace, draws int) {
	t.Helper()
	source := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	var file bytes.Buffer
	b := testkit.Must(picatrace.NewWriter(&file, source.Meta, source.Initial, picatrace.WriterOptions{}))(t)
	require.NoError(t, b.CopyFrame(source, 0))
	const one, two, three = pica.FCRAMBase + 0x1800000, pica.FCRAMBase + 0x1801000, pica.FCRAMBase + 0x1802000
	draw := pica.RegDrawarrays
	list := func(f func(w *pica.CommandWriter)) []byte {
		w := &pica.CommandWriter{}
		f(w)
		w.Words = append(w.Words, make([]uint32, len(w.Words)%4)...)
		return w.Bytes()
	}
	color := func(w *pica.CommandWriter, c uint32) { // added by every fragment
		var r pica.Regs
		pica.DepthTestEnable.SetBool(&r, false)
		for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
			f.SetBool(&r, true)
		}
		w.Write(pica.DepthTestEnable.Reg, r[pica.DepthTestEnable.Reg])
		for _, f := range []pica.Field{pica.TexenvUpdateFogMode, pica.FacecullingMode, pica.ScissortestMode, pica.AlphaTestEnable, pica.StencilTestEnable} {
			w.Write(f.Reg, 0)
		}
		last := pica.TexenvOffset(pica.NumTexenvs - 1)
		w.Write(pica.RegTexenv0Source+last, 0x000E000E) // the constant
		w.Write(pica.RegTexenv0Source+last+1, 0)
		w.Write(pica.RegTexenv0Source+last+2, 0)
		w.Write(pica.RegTexenv0Source+last+3, c)
		w.Write(pica.RegBlendFunc, 0x11110000) // factors one and one, added
		pica.ColorOperationBlend.Set(&r, uint32(pica.BlendModeBlend))
		w.WriteMasked(pica.ColorOperationBlend.Reg, 2, r[pica.ColorOperationBlend.Reg])
	}
	jump := func(w *pica.CommandWriter, channel pica.Reg, addr uint32, bytes int) {
		w.Write(pica.RegCmdbufSize0+channel, uint32(bytes)>>3)
		w.Write(pica.RegCmdbufAddr0+channel, addr>>3)
		w.Write(pica.RegCmdbufJump0+channel, 1)
	}
	third := list(func(w *pica.CommandWriter) {
		color(w, 0x01000104)
		w.Write(draw, 1) // 5
		w.Finish()
	})
	second := list(func(w *pica.CommandWriter) {
		color(w, 0x00030001)
		w.WriteRun(draw-1, 0, 1) // 4, behind another register
		if hang {
			w.Words = append(w.Words, 0, 0x0FFF0080) // longer than the list
		}
		jump(w, 1, three, len(third))
	})
	begin := list(func(w *pica.CommandWriter) {
		color(w, 0x00000102)
		var r pica.Regs
		pica.GasFeedback.SetFloat(&r, 2)
		w.Write(pica.GasFeedback.Reg, r[pica.GasFeedback.Reg])
		w.Write(draw, 1)          // 0
		w.WriteAll(draw, 1, 1, 1) // 1 to 3
		jump(w, 0, two, len(second))
	})
	load := func(addr uint32, data []byte) { require.NoError(t, b.Load(addr, data)) }
	load(two, second)
	load(three, third)
	load(one, begin)
	write := func(addr, width uint32, values ...uint32) {
		e := picatrace.Event{Kind: picatrace.Write, Words: [7]uint32{addr, width}}
		copy(e.Words[2:], values)
		require.NoError(t, b.Add(e))
	}
	run := func(flags uint32) {
		require.NoError(t, b.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{one, uint32(len(begin)), flags}}))
	}
	run(0)
	last := list(func(w *pica.CommandWriter) { color(w, 0x01020203); w.Write(draw, 1); w.Finish() })
	load(two, last)
	run(picatrace.ListUpdateGas) // 6 to 9 and 10
	load(one, make([]byte, len(begin)))
	write(pica.ExtCommandListSize, 4, uint32(len(third))>>3)
	write(pica.ExtCommandListAddr, 4, three>>3)
	write(pica.ExtCommandListStart, 4, 1) // 11
	write(pica.ExtInternal+4*uint32(pica.RegCmdbufSize0), 8, uint32(len(third))>>3, uint32(len(last))>>3)
	write(pica.ExtInternal+4*uint32(pica.RegCmdbufAddr0), 8, three>>3, two>>3)
	write(pica.ExtInternal+4*uint32(pica.RegCmdbufJump0), 8, 1, 1) // 12 and 13: two lists in one event
	require.NoError(t, b.EndFrame())
	require.NoError(t, b.Close())
	trace = states.Parse(t, file.Bytes())
	return trace, 14
}

// From each checkpoint inside a frame, later draws equal those of a replay from the start, with counts, pass and errors.
func TestCheckpointsInsideFrame(t *testing.T) {
	for _, hang := range []bool{false, true} {
		trace, draws := twistedFrame(t, hang)
		o := Options{Workers: 1}
		var list []DrawRecord
		plain := ReplayerFor(t, trace, ReplayerOptions{Options: o})
		list, failure := plain.Draws(t.Context(), 1)
		if hang {
			require.ErrorContains(t, failure, "further parameters")
			draws = len(list)
		} else {
			require.NoError(t, failure)
		}
		for _, d := range list {
			require.NotZero(t, d.Fragments)
		}
		require.Len(t, list, draws)
		if !hang {
			require.NotZero(t, pica.GasAccmax.Float(&plain.GPU.regs))
		}
		r := ReplayerFor(t, trace, ReplayerOptions{Options: o})
		r.points.near, r.points.step = 0, 0
		require.NoError(t, r.Seek(t.Context(), Position{1, draws - 1}))
		var taken []int
		for _, one := range r.points.within {
			taken = append(taken, one.inside.draws)
		}
		want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		if hang {
			want = want[:4]
		}
		require.Equal(t, want, taken, "no checkpoint after draw 12, because its event continues")
		// State at each draw in a replay from the start.
		places, counts, spent, pictures := make([]whole, draws), make([]Stats, draws), make([]budget, draws), map[string]bool{}
		for to := range draws {
			g := testkit.Must(fresh(t, trace, o, Position{1, to}))(t)
			places[to], counts[to] = wholeOf(g), g.counted()
			spent[to] = g.budget
			shown := testkit.Must(g.LastTarget())(t)
			pictures[string(shown.Color)] = true
			g.Close()
		}
		require.Equal(t, draws, len(pictures), "each draw must give another picture")
		var now whole
		for _, from := range taken {
			require.Equal(t, from, r.points.nearest(1, from).inside.draws)
			for to := from; to < draws; to++ {
				name := fmt.Sprintf("from %d to %d", from, to)
				var seen []DrawRecord
				pos := Position{1, to}
				require.NoError(t, r.VisitFrom(t.Context(), pos, from, func(g *GPU) error {
					require.Equal(t, from, g.progress.draw, name)
					ListDraws(g, 1, &seen)
					return nil
				}), name)
				require.Equal(t, list[from:to+1], seen, name)
				now.take(r.GPU)
				require.Empty(t, now.difference(&places[to]), name)
				counted, want := r.Stats(), counts[to]
				counted.Flushes, want.Flushes = 0, 0
				counted.Time, want.Time = Times{}, Times{}
				counted.Compiled, want.Compiled, counted.Decoded, want.Decoded = 0, 0, 0, 0
				require.Equal(t, want, counted, name)
				require.Equal(t, spent[to], r.GPU.budget, name)
			}
			// The rest of the frame.
			err := r.VisitFrom(t.Context(), Position{1, FrameEnd}, from, nil)
			if hang {
				require.EqualError(t, err, failure.Error())
				continue
			}
			require.NoError(t, err)
			a, b := wholeOf(r.GPU), wholeOf(plain.GPU)
			require.Empty(t, a.difference(&b))
			require.Equal(t, plain.Stats().Draws, r.Stats().Draws)
			require.Equal(t, plain.Stats().Fragments, r.Stats().Fragments)
		}
		if hang {
			continue
		}
		// The requested position takes precedence over the starting point.
		require.NoError(t, r.VisitFrom(t.Context(), Position{1, 2}, 5, nil))
		now.take(r.GPU)
		require.Empty(t, now.difference(&places[2]))
		// With Change set, replay starts at the beginning.
		seen := 0
		r.Change = func(int, *GPU, *DrawInfo) error { seen++; return nil }
		require.NoError(t, r.Seek(t.Context(), Position{1, 7}))
		require.Equal(t, 8, seen)
		r.Change = nil
		// No checkpoint is taken where drawing is modified, or before a pending jump.
		visit := func(step uint64, prepare func(*GPU) error) int {
			require.NoError(t, r.Visit(t.Context(), Position{0, FrameEnd}, nil))
			require.NoError(t, r.Visit(t.Context(), Position{0, FrameEnd}, nil))
			require.Empty(t, r.points.within, "checkpoints inside another frame are dropped")
			r.points.step = step
			require.NoError(t, r.VisitFrom(t.Context(), Position{1, 6}, 6, prepare))
			return len(r.points.within)
		}
		require.Equal(t, 6, visit(0, nil))
		require.Zero(t, visit(0, func(*GPU) error { r.Invalidate(); return nil }))
		require.Zero(t, visit(0, func(g *GPU) error {
			g.BeforeDraw = func(*DrawInfo) error { g.View = fragment.ViewOverdraw; return nil }
			return nil
		}))
		require.NoError(t, r.Seek(t.Context(), Position{1, 3}))
		stats := r.Stats()
		require.Equal(t, 1, visit(drawsCost(&stats)+1, nil))
		require.Equal(t, 5, r.points.within[0].inside.draws)
	}
}
