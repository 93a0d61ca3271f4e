package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

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
