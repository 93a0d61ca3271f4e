package pipeline

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// emptyDraws is a command list of empty draws that jumps to itself.
func emptyDraws() []byte {
	var w pica.CommandWriter
	w.Write(pica.RegNumvertices, 0)
	w.WriteRun(pica.RegFramebufferDim, 7<<12|8)
	for range 512 {
		w.Write(pica.RegDrawarrays, 1)
	}
	w.WriteRun(pica.RegCmdbufSize0, uint32(4*len(w.Words)+32)>>3, 0, listAddr>>3)
	w.Write(pica.RegCmdbufJump0, 1)
	w.Finish() // not reached
	return w.Bytes()
}

// A few bytes that cause endless work end in an error that names the limit, or earlier if the context is cancelled.
func TestEndlessWorkHitsTheBudget(t *testing.T) {
	replay := func(ctx context.Context, b *citrace.Builder) error {
		b.EndFrame()
		g, err := Replay(ctx, states.Built(t, b), Options{Workers: 1}, nil)
		g.Close()
		return err
	}
	draws := func(ctx context.Context) error {
		var b citrace.Builder
		list := emptyDraws()
		b.Load(listAddr, list)
		b.Write(pica.ExtCommandListSize, uint32(len(list))>>3)
		b.Write(pica.ExtCommandListAddr, listAddr>>3)
		b.Write(pica.ExtCommandListStart, 1)
		return replay(ctx, &b)
	}
	fills := func(ctx context.Context) error {
		var b citrace.Builder
		for range 2000 {
			b.Write(pica.ExtMemfillStart, pica.VRAMBase>>3)
			b.Write(pica.ExtMemfillEnd, (pica.VRAMBase+pica.VRAMSize)>>3)
			b.Write(pica.ExtMemfillControl, uint32(pica.Fill32)<<8|1)
		}
		return replay(ctx, &b)
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, draws(short), context.DeadlineExceeded)
	require.ErrorIs(t, fills(short), context.DeadlineExceeded)
	if testkit.Short() || testkit.Race {
		return
	}
	err := draws(t.Context())
	require.ErrorIs(t, err, pica.ErrHang)
	require.ErrorContains(t, err, "more than 1048576 draws in one frame")
	err = fills(t.Context())
	require.ErrorIs(t, err, pica.ErrHang)
	require.ErrorContains(t, err, "memory fill of 0x18000000-0x18600000")
	require.ErrorContains(t, err, "more than 8589934592 bytes loaded, filled, copied and transferred in one frame")
}

// Each kind of work is counted separately, per frame or call.
func TestBudgetCountsEachKindOfWork(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	run := func(build func(w *pica.CommandWriter)) func() error {
		var w pica.CommandWriter
		build(&w)
		w.Finish()
		return func() error {
			require.NoError(t, g.mem.Write(listAddr, w.Bytes()))
			return g.RunList(t.Context(), listAddr, uint32(4*len(w.Words)))
		}
	}
	const src, dst = pica.VRAMBase, pica.FCRAMBase + 0x100000
	for _, c := range []struct {
		name  string
		kind  cost
		spent uint64
		work  func() error
	}{
		{"a load", costBytes, 100, func() error { return g.Load(t.Context(), dst, make([]byte, 100)) }},
		{"a fill", costBytes, 4096, func() error { return g.Fill(t.Context(), Fill{Start: src, End: src + 4096, Bits: 32}) }},
		{"a copy", costBytes, 2*256 + 64*16, func() error {
			return g.CopyTexture(t.Context(), TextureCopy{Src: src, Dst: dst, Size: 256, InLine: 16, InGap: 16, OutLine: 256})
		}},
		{"a transfer", costBytes, 64*32*4 + 64*32*2, func() error {
			return g.Transfer(t.Context(), Transfer{Src: src, Dst: dst, InWidth: 64, InHeight: 32, OutWidth: 64, OutHeight: 32, InTiled: true, OutFormat: pica.ScreenFormatRGB565})
		}},
		{"a list", costWords, 8, run(func(w *pica.CommandWriter) { w.WriteRun(0x90, 1, 2, 3, 4) })},
		{"two draws", costDraws, 2, run(func(w *pica.CommandWriter) { w.Write(pica.RegDrawarrays, 1); w.Write(pica.RegDrawelements, 1) })},
		{"the vertices of two draws", costVertices, 20, run(func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegFramebufferDim, 7<<12|8)
			w.WriteAll(pica.RegVshCodetransferData0, 0x88000000) // END
			w.Write(pica.RegNumvertices, 10)
			w.Write(pica.RegDrawarrays, 1)
			w.Write(pica.RegDrawarrays, 1)
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			most := costLimits[c.kind].most
			g.budget = budget{frame: true}
			g.budget.spent[c.kind] = most - c.spent
			require.NoError(t, c.work())
			require.Equal(t, most, g.budget.spent[c.kind])
			err := c.work()
			require.ErrorIs(t, err, pica.ErrHang)
			require.ErrorContains(t, err, costLimits[c.kind].what+" in one frame")
			g.budget.frame = false
			require.NoError(t, c.work(), "a new call starts with a new budget")
			require.Equal(t, c.spent, g.budget.spent[c.kind])
		})
	}
}

// Frames of recordings stay far below the limits.
func TestTracesStayFarBelowTheBudget(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "b_game", "b_state", "b_tiny", "b_vertex", "x_xfer") {
		p := PlayerFor(t, states.Parse(t, file.Read(t)), Options{})
		for {
			if _, err := p.NextFrame(t.Context()); err == io.EOF {
				break
			} else {
				require.NoError(t, err)
			}
			for c, n := range p.GPU.budget.spent {
				require.Less(t, n, costLimits[c].most/50, "%s: %s", file.Name, costLimits[c].what)
			}
		}
		p.GPU.Close()
	}
}

// MemoryHeld counts the capacity of the command list and of immediate-mode vertices.
func TestMemoryHeldCountsLists(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	room := func(n int) [][4]float32 { return make([][4]float32, 1, n) }
	g.list.words, g.immediate = make([]uint32, 1, 10), immediate{room(3), room(5), room(7)}
	require.Equal(t, 4*10+16*(3+5+7), g.Footprint().Lists)
}
