package pipeline

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Every page with contents is marked as written: Reset, the next GPU's memory and checkpoints depend on it.
func TestWrittenPagesAreMarked(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "arcs", "gas", "shadow", "x_xfer", "x_shadow", "particles", "b_game", "composite_scene", "wide_mode_3d") {
		tr := states.Parse(t, file.Read(t))
		g, err := Replay(t.Context(), tr, Options{}, func(g *GPU, f Frame) error {
			if f.Index > 1 {
				return nil
			}
			for i := range g.mem.regions {
				r := &g.mem.regions[i]
				testkit.EachPage(r.data, func(off int, page []byte) {
					if r.written[off>>pageBits] == 0 && !bytes.Equal(page, zeroPage[:]) {
						t.Fatalf("%s: frame %d: a page of %s at 0x%08X has contents and is not marked as written", file.Name, f.Index, r.name, r.base+uint32(off))
					}
				})
			}
			return nil
		})
		require.NoError(t, err)
		g.Close()
	}
}

// zero requires that main memory and VRAM hold only zeros.
func zero(t *testing.T, g *GPU, what string) {
	t.Helper()
	for _, all := range kept(t, g) {
		testkit.Zero(t, all, what)
	}
}

// kept returns the memory of a GPU that Close keeps for reuse.
func kept(t *testing.T, g *GPU) (list [2][]byte) {
	var err error
	list[0], err = g.mem.Slice(pica.FCRAMBase, pica.FCRAMSize)
	require.NoError(t, err)
	list[1], err = g.mem.Slice(pica.VRAMBase, pica.VRAMSize)
	require.NoError(t, err)
	return list
}

// Close releases main memory and VRAM as zeros, whoever wrote to them, and keeps at most maxIdle of each.
func TestCloseReleasesZeroedMemory(t *testing.T) {
	keep := func(list map[uint32][][]byte) (before map[uint32][][]byte) {
		idle.Lock()
		defer idle.Unlock()
		before, idle.of = idle.of, list
		return before
	}
	// count returns how many of each are kept.
	count := func() [2]int {
		idle.Lock()
		defer idle.Unlock()
		return [2]int{len(idle.of[pica.FCRAMSize]), len(idle.of[pica.VRAMSize])}
	}
	if !dropPages(make([]byte, 1<<20)) {
		t.Skip("this system does not make memory zero")
	}
	defer func(n int, list map[uint32][][]byte) { maxIdle = n; keep(list) }(maxIdle, keep(nil))
	maxIdle = 1
	var gpus []*GPU
	for range maxIdle + 1 {
		g := New(Options{Workers: 1})
		for _, all := range kept(t, g) {
			for i := 0; i < min(len(all), 64<<20); i += 37*pageSize - 1 {
				all[i] = 0xA5 // without marking the page
			}
		}
		gpus = append(gpus, g)
	}
	gpus[0].Close()
	require.Equal(t, [2]int{1, 1}, count())
	gpus[0].Close() // closing twice does nothing
	require.Equal(t, [2]int{1, 1}, count())
	g := GPUFor(t, Options{Workers: 1})
	zero(t, g, "memory of a GPU that was closed")
	require.Zero(t, count(), "the released memory is taken by the next GPU")
	for _, g := range append(gpus[1:], g) {
		g.Close()
	}
	require.Equal(t, [2]int{maxIdle, maxIdle}, count())

	keep(nil)
	New(Options{Workers: 1}).Close()
	small := New(Options{Workers: 1, FCRAM: 1 << 20})
	require.NoError(t, small.Load(t.Context(), pica.FCRAMBase, []byte{1}))
	small.Close()
	given := testkit.Must(NewOn([]Region{{pica.FCRAMBase, make([]byte, pica.FCRAMSize)}}, Options{Workers: 1}))(t)
	given.Close()
	require.Zero(t, count(), "untouched, other-sized and caller memory is not kept")
}

// All memory becomes zero, whichever pages are known to be written, and however many.
func TestZeroPages(t *testing.T) {
	const pages = maxCleared + 5
	p := make([]byte, pages*pageSize)
	if !dropPages(p) {
		t.Skip("this system does not make memory zero")
	}
	for name, known := range map[string]func(page int) bool{
		"none": func(int) bool { return false }, "all": func(int) bool { return true },
		"first": func(page int) bool { return page == 0 }, "last": func(page int) bool { return page == pages-1 },
		"every third": func(page int) bool { return page%3 == 1 }, "all but five": func(page int) bool { return page < maxCleared },
	} {
		written := make([]uint64, pages)
		for page := range written {
			p[page*pageSize], p[(page+1)*pageSize-1] = 0xA5, 0xA5
			if known(page) {
				written[page] = uint64(page + 1)
			}
		}
		require.True(t, makeZero(p, written))
		require.Equal(t, len(p), bytes.Count(p, []byte{0}), name)
	}
}

// Memory that a draw may write counts as written before it is drawn, and again when the draw is dropped, because watched memory may
// have been hashed in between.
func TestDroppedDrawsMarkMemoryWritten(t *testing.T) {
	g := New(Options{Workers: 1})
	defer g.Close()
	s := span{pica.VRAMBase + 0x3000, 64}
	at := func() uint64 { return g.mem.Generation(s.addr, s.bytes) }
	never := at()
	g.queues.willWrite(s)
	waiting := at()
	require.Greater(t, waiting, never)
	g.queues.willWrite(s) // by the next draw of the queue
	require.Equal(t, waiting, at())
	g.drop()
	dropped := at()
	require.Greater(t, dropped, waiting)
	g.queues.willWrite(s)
	again := at()
	require.Greater(t, again, dropped)
	g.queues.run(nil)
	require.Greater(t, at(), again, "drawn")
}
