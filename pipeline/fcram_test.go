package pipeline

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/testkit"
)

// A page that holds anything was noted as written: Reset and the memory of the next GPU
// depend on it, as do checkpoints.
func TestWhatIsWrittenIsNoted(t *testing.T) {
	zeros := make([]byte, pageSize)
	for _, file := range testkit.Named(t, "lights", "arcs", "gas", "shadow", "x_xfer", "x_shadow", "particles", "b_game", "composite_scene", "wide_mode_3d") {
		tr, err := picatrace.Parse(file.Read(t))
		require.NoError(t, err)
		_, err = Replay(context.Background(), tr, Options{}, func(g *GPU, f Frame) error {
			if f.Index > 1 {
				return nil
			}
			for i := range g.mem.regions {
				r := &g.mem.regions[i]
				for p, w := range r.written {
					if w == 0 && !bytes.Equal(r.page(p), zeros) {
						t.Fatalf("%s: frame %d: a page of %s at 0x%08X holds something and was not noted", file.Name, f.Index, r.name, r.base+uint32(p)<<pageBits)
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
}

// Memory of a GPU that is gone comes back with nothing in it, and not while a slice of it is
// held.
func TestFCRAMIsUsedAgain(t *testing.T) {
	if maxIdle() == 0 {
		t.Skip("not kept where addresses are few")
	}
	collect := func() {
		for range 5 {
			runtime.GC()
			time.Sleep(2 * time.Millisecond) // finalizers run beside
		}
	}
	kept := func() int {
		idle.Lock()
		defer idle.Unlock()
		return len(idle.list)
	}
	begin := func() {
		collect() // GPUs of other tests
		idle.Lock()
		defer idle.Unlock()
		idle.list = nil
	}
	fill := func(pages int) []byte {
		m := newMemory(pica.FCRAMSize)
		for p := range uint32(pages) {
			require.NoError(t, m.Write(pica.FCRAMBase+(p*3+1)<<pageBits-1, []byte{1, 2, 3}))
		}
		data, err := m.Slice(pica.FCRAMBase+pageSize, 2)
		require.NoError(t, err)
		return data
	}
	begin()
	data := fill(100)
	collect()
	require.Zero(t, kept(), "a slice is held")
	require.Equal(t, []byte{2, 3}, data)
	require.Eventually(t, func() bool { runtime.GC(); return kept() == 1 }, 10*time.Second, time.Millisecond)
	func() {
		m := newMemory(pica.FCRAMSize)
		all, err := m.Slice(pica.FCRAMBase, pica.FCRAMSize)
		require.NoError(t, err)
		require.Zero(t, kept())
		require.Equal(t, len(all), bytes.Count(all, []byte{0}))
	}()

	begin()
	fill(maxIdlePages/2 + 1) // each write is of two pages
	collect()
	require.Zero(t, kept(), "that much is not kept")
	for range 5 {
		fill(1)
	}
	collect()
	require.LessOrEqual(t, kept(), maxIdle())
	idle.Lock()
	defer idle.Unlock()
	for _, p := range idle.list {
		require.Equal(t, len(p), bytes.Count(p[:], []byte{0}))
	}
}
