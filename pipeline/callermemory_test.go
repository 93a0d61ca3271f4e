package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

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
