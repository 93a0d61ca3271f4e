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

func TestMemorySlice(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	for _, c := range []struct {
		name    string
		addr, n uint32
		ok      bool
	}{
		{"first byte of VRAM", 0x18000000, 1, true},
		{"all of VRAM", 0x18000000, 6 << 20, true},
		{"nothing at the end of VRAM", 0x185FFFFF, 0, true},
		{"across the end of VRAM", 0x185FFFFF, 2, false},
		{"last byte of FCRAM", 0x27FFFFFF, 1, true},
		{"behind FCRAM", 0x28000000, 1, false},
		{"below VRAM", 0x17FFFFFF, 1, false},
		{"address 0", 0, 1, false},
		{"a size that wraps around", 0x20000000, 0xFFFFFFFF, false},
		{"New 3DS memory", 0x1F3FFFFC, 4, true},
		{"DSP memory", 0x1FF00000, 0x80000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := m.Slice(c.addr, c.n)
			if !c.ok {
				var e *AddressError
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.addr, e.Addr)
				require.Nil(t, b)
				return
			}
			require.NoError(t, err)
			require.Len(t, b, int(c.n))
			require.Equal(t, len(b), cap(b), "a slice's capacity ends with the slice")
		})
	}
	const there = " (there is VRAM at 0x18000000-0x185FFFFF, FCRAM at 0x20000000-0x27FFFFFF, New 3DS memory at 0x1F000000-0x1F3FFFFF, DSP memory at 0x1FF00000-0x1FF7FFFF, AXI memory at 0x1FF80000-0x1FFFFFFF)"
	for n, want := range map[uint32]string{1: "no memory at 0x28000000", 2: "no memory at 0x28000000-0x28000001", 0x20: "no memory at 0x28000000-0x2800001F"} {
		_, err := m.Slice(0x28000000, n)
		require.EqualError(t, err, want+there)
	}
}

func TestMemoryGenerations(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	require.Zero(t, m.Generation(pica.VRAMBase, 1))
	require.NoError(t, m.Write(pica.VRAMBase+pageSize-1, []byte{1, 2}))
	g := m.Generation(pica.VRAMBase, 1)
	require.NotZero(t, g)
	require.Equal(t, g, m.Generation(pica.VRAMBase+pageSize, pageSize), "a write over two pages changes the second page's generation")
	require.Zero(t, m.Generation(pica.VRAMBase+2*pageSize, pageSize))
	m.Touch(pica.VRAMBase+2*pageSize, 1)
	require.Greater(t, m.Generation(pica.VRAMBase, 3*pageSize), g)
	require.Equal(t, g, m.Generation(pica.VRAMBase, 2*pageSize))
	require.Error(t, m.Write(0x1000, []byte{1}))
}

func TestMemoryReset(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	for range 3 {
		require.NoError(t, m.Write(pica.FCRAMBase+12345, []byte{7}))
		g := m.Generation(pica.FCRAMBase+12345, 1)
		m.Reset()
		b := testkit.Must(m.Slice(pica.FCRAMBase+12345, 1))(t)
		require.Zero(t, b[0])
		require.Greater(t, m.Generation(pica.FCRAMBase+12345, 1), g, "a reset changes the generation")
	}
}

func foreign(t *testing.T) (*GPU, []byte) {
	t.Helper()
	vram := make([]byte, pica.VRAMSize)
	g := testkit.Must(NewOn([]Region{{Addr: pica.VRAMBase, Data: vram}}, Options{Workers: 1}))(t)
	t.Cleanup(g.Close)
	return g, vram
}

// Changes to the caller's memory are seen after Changed.
func TestChangedInvalidatesCallerMemory(t *testing.T) {
	g, vram := foreign(t)
	before := g.mem.Generation(pica.VRAMBase, 4096)
	require.NotZero(t, before, "caller memory counts as changed at first")
	vram[10] = 1
	require.Equal(t, before, g.mem.Generation(pica.VRAMBase, 4096))
	require.Nil(t, g.mem.regions[0].watched.sum, "without WatchMemory no checksums are made")
	require.NoError(t, g.Changed(t.Context(), pica.VRAMBase+10, 1))
	require.Greater(t, g.mem.Generation(pica.VRAMBase, 4096), before)
	require.Equal(t, before, g.mem.Generation(pica.VRAMBase+4096, 4096))
	last := g.mem.Generation(pica.VRAMBase+pica.VRAMSize-1, 1)
	require.NoError(t, g.Changed(t.Context(), 0, 0xFFFFFFFF))
	require.Greater(t, g.mem.Generation(pica.VRAMBase+pica.VRAMSize-1, 1), last)
	for _, c := range []struct {
		r    Region
		want string
	}{
		{Region{pica.VRAMBase, make([]byte, pica.VRAMSize+pageSize)}, "VRAM at 0x18000000 has at most 6291456 bytes, not 6295552"},
		{Region{pica.VRAMBase, make([]byte, pageSize+1)}, "memory of 4097 bytes at 0x18000000: want a multiple of 4096, at most 268435456"},
		{Region{pica.VRAMBase, make([]byte, pageSize)}, ""}, {Region{pica.AXIBase, make([]byte, pica.AXISize+pageSize)}, ""},
	} {
		_, err := NewOn([]Region{c.r}, Options{Workers: 1})
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// WatchMemory detects changes, once per call, including a return to the content before the GPU wrote.
func TestWatchMemoryDetectsChanges(t *testing.T) {
	g, vram := foreign(t)
	look := func() uint64 {
		require.NoError(t, g.WatchMemory(t.Context()))
		return g.mem.Generation(pica.VRAMBase, 4096)
	}
	first := look()
	require.Equal(t, first, look())
	vram[10] = 1
	second := look()
	require.Greater(t, second, first)
	vram[11] = 1
	require.Equal(t, second, g.mem.Generation(pica.VRAMBase, 4096), "between two calls the generation stays")
	third := look()
	require.Greater(t, third, second)

	both := func() uint64 { return g.mem.Generation(pica.VRAMBase+100, 4096) } // spans two pages
	for _, at := range []int{4096, 4195, 100} {
		was := both()
		vram[at]++
		require.Equal(t, was, both())
		require.NoError(t, g.WatchMemory(t.Context()))
		require.Greater(t, both(), was, "byte %d", at)
	}

	saved := append([]byte(nil), vram[:4096]...)
	require.NoError(t, g.Fill(t.Context(), Fill{Start: pica.VRAMBase, End: pica.VRAMBase + 4096, Value: 7, Bits: 32}))
	fourth := g.mem.Generation(pica.VRAMBase, 4096)
	require.Greater(t, fourth, third)
	copy(vram, saved)
	require.Greater(t, look(), fourth)
}

// Reset keeps the caller's memory, which then counts as changed.
func TestResetKeepsForeignMemory(t *testing.T) {
	g, vram := foreign(t)
	vram[5] = 9
	before := g.mem.Generation(pica.VRAMBase, 4096)
	g.Reset()
	require.Equal(t, byte(9), vram[5])
	require.Greater(t, g.mem.Generation(pica.VRAMBase, 4096), before)
	require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, []byte{1}))
	g.Reset()
	data := testkit.Must(g.Read(pica.FCRAMBase, 1))(t)
	require.Equal(t, []byte{0}, data)
}

// A panic in a loop's goroutine is raised where the loop is awaited, after all others are done, and the next loop runs.
func TestLoopPanicReachesTheCaller(t *testing.T) {
	for _, bad := range []int{0, 17, 999} {
		p := newPool(4, new(helperSet), 0)
		require.Panics(t, func() {
			p.run(1000, func(i, _ int) {
				if i == bad {
					panic("planted")
				}
			})
		})
		var hits [100]int
		p.run(len(hits), func(i, _ int) { hits[i]++ })
		for _, n := range hits {
			require.Equal(t, 1, n)
		}
	}
}

// BenchmarkWatch checks the pages of a 64 KiB texture: the cost of watched memory for its first use in a call.
func BenchmarkWatch(b *testing.B) {
	vram := make([]byte, pica.VRAMSize)
	g := testkit.Must(NewOn([]Region{{Addr: pica.VRAMBase, Data: vram}}, Options{Workers: 1}))(b)
	b.SetBytes(64 << 10)
	for b.Loop() {
		g.mem.watch++
		g.mem.Generation(pica.VRAMBase, 64<<10)
	}
}
