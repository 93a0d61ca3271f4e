package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/pica/pixels"
	"pica200/raster"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Knowledge of page contents does not change what fills and transfers write, after any fills, writes, transfers, resets and restored
// tables.
func TestKnownPagesKeepFillAndTransferResults(t *testing.T) {
	const size = 40 * pageSize
	rng := rand.New(rand.NewPCG(12, 35))
	for _, workers := range []int{1, 3} {
		b := newTransferrer(simd.Best, newPool(workers, new(helperSet), 0))
		m, plain := newMemory(size), newMemory(size)
		require.NoError(t, plain.replace(Region{pica.FCRAMBase, make([]byte, size)}))
		want := plain.regions[1].data
		var store pageStore
		var saved pageTable
		var kept []byte
		filled, passed := 0, 0 // fills that count as writes and that do not
		for step := range 6000 {
			// Ranges begin and end with pages, or beside them.
			place := func() (at, n uint32) {
				at, n = uint32(rng.IntN(30))<<pageBits, uint32(1+rng.IntN(9))<<pageBits
				if rng.IntN(2) == 0 {
					at, n = at+8*uint32(rng.IntN(600)), n+8*uint32(rng.IntN(500))
				}
				return at, min(n, size-at)
			}
			at, n := place()
			switch what := rng.IntN(16); {
			case what < 7:
				width := uint8(16 + 8*rng.IntN(3))
				value := []uint32{0, 0xFFFFFFFF, 0x12345678, 0x34343434, 0x12341234, 0x00121212}[rng.IntN(6)]
				f := Fill{Start: pica.FCRAMBase + at, End: pica.FCRAMBase + at + n, Value: value, Bits: width}
				before := m.writes
				require.NoError(t, f.run(simd.Best, m))
				require.NoError(t, f.run(simd.Best, plain))
				if m.writes == before {
					passed++
				} else {
					filled++
				}
			case what < 13:
				tr := Transfer{Src: pica.FCRAMBase + at + uint32(max(0, rng.IntN(12)-8)), InWidth: 8 * uint32(1+rng.IntN(8)), InHeight: 8 * uint32(1+rng.IntN(32)),
					InFormat: pica.ScreenFormat(rng.IntN(5)), OutFormat: pica.ScreenFormat(rng.IntN(5)), InTiled: rng.IntN(2) == 0, OutTiled: rng.IntN(2) == 0,
					Block32: rng.IntN(4) == 0, Flip: rng.IntN(2) == 0, Crop: rng.IntN(2) == 0, Scaling: pica.TransferScale(max(0, rng.IntN(6)-3))}
				tr.OutWidth, tr.OutHeight = tr.InWidth, tr.InHeight
				if rng.IntN(4) == 0 {
					tr.OutWidth, tr.OutHeight = tr.OutWidth+8*uint32(rng.IntN(3)), tr.OutHeight-uint32(rng.IntN(8))
				}
				to, _ := place()
				tr.Dst = pica.FCRAMBase + to
				if err := b.run(tr, plain); err != nil {
					continue
				}
				require.NoError(t, b.run(tr, m))
			case what == 13:
				data := []byte{byte(rng.IntN(256)), 1, 2}
				require.NoError(t, m.Write(pica.FCRAMBase+at, data))
				require.NoError(t, plain.Write(pica.FCRAMBase+at, data))
			case what == 14 && rng.IntN(8) == 0:
				m.Reset()
				clear(want)
			case what == 15 && kept == nil:
				saved, kept = store.save(m, &pageTable{}, 0), bytes.Clone(want)
			case what == 15 && rng.IntN(4) == 0:
				saved.restore(m, &pageTable{}, 0)
				copy(want, kept)
			}
			require.True(t, bytes.Equal(want, m.regions[1].data), "step %d", step)
			for p, k := range m.regions[1].known {
				if step%8 != 0 {
					break
				}
				value := binary.LittleEndian.AppendUint32(nil, uint32(k))
				if k&triple != 0 {
					value = value[:3]
				}
				if k&unknown == 0 && !bytes.Equal(m.regions[1].page(p), bytes.Repeat(value, pageSize)[:pageSize]) {
					t.Fatalf("step %d: page %d is not %X", step, p, value)
				}
			}
		}
		require.Greater(t, filled, 80)
		require.Greater(t, passed, 40)
	}
}

// A fill writes only pages not known to hold its value; a transfer converts only bands whose input is not known to be of one colour.
func TestKnownPagesSkipFillAndConversion(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	for _, c := range []struct {
		value uint32
		bits  uint8
	}{{0x11223344, 32}, {0x112233, 24}, {0x1122, 16}} {
		f := Fill{Start: pica.VRAMBase + 8, End: pica.VRAMBase + 8 + 6*pageSize, Value: c.value, Bits: c.bits}
		require.NoError(t, f.run(simd.Best, m))
		data := testkit.Must(m.Slice(pica.VRAMBase, 8*pageSize))(t)
		data[100], data[2*pageSize+5], data[6*pageSize+1] = 0xEE, 0xEE, 0xEE // written without marking the pages
		require.NoError(t, f.run(simd.Best, m))
		require.NotEqual(t, byte(0xEE), data[100], "a partly covered page is always filled")
		require.NotEqual(t, byte(0xEE), data[6*pageSize+1], "a partly covered page is always filled")
		require.Equal(t, byte(0xEE), data[2*pageSize+5])
		m.forget(pica.VRAMBase+3*pageSize-1, 1)
		require.NoError(t, f.run(simd.Best, m))
		require.NotEqual(t, byte(0xEE), data[2*pageSize+5])
	}

	b := newTransferrer(simd.Best, newPool(1, new(helperSet), 0))
	tr := Transfer{Src: pica.VRAMBase + 1<<20, Dst: pica.VRAMBase + 2<<20, InWidth: 128, InHeight: 64, OutWidth: 128, OutHeight: 64, InTiled: true, OutFormat: pica.ScreenFormatRGB8}
	require.NoError(t, Fill{Start: tr.Src, End: tr.Src + 128*64*4, Value: 0x332211FF, Bits: 32}.run(simd.Best, m))
	m.Touch(tr.Src+3*pageSize+7, 1)
	require.NoError(t, b.run(tr, m))
	require.Equal(t, []int32{3}, b.left, "only the band with unknown input is left; a band is a page here")
	out := testkit.Must(m.Slice(tr.Dst, 128*64*3))(t)
	require.Equal(t, bytes.Repeat([]byte{0x11, 0x22, 0x33}, 128*64), out)
	writes := m.writes
	m.Touch(tr.Src+3*pageSize, 1)
	require.NoError(t, b.run(tr, m))
	require.Equal(t, writes+3, m.writes, "three pages are marked: input, output, and the page shared with the previous band")
}

// Known contents of pages, and of ranges of pages, after fills with any start and end.
func TestKnownPageContents(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	const at, page = pica.VRAMBase, uint32(pageSize)
	r := &m.regions[0]
	fill := func(addr, n, value, width uint32) (writes int) {
		before := m.writes
		require.NoError(t, m.fill(simd.Best, span{addr, n}, value, width))
		return int(m.writes - before)
	}
	type want struct {
		value uint32
		ok    bool
	}
	holds := func(addr, n uint32, size int) want {
		value, ok := m.holds(addr, n, size)
		if !ok {
			value = 0
		}
		return want{value, ok}
	}
	no := want{}
	require.Equal(t, want{0, true}, holds(at, 3*page, 4), "a page that was never written holds 0")
	require.Equal(t, want{0, true}, holds(at, 3*page, 2))
	require.Equal(t, no, holds(at, 3*page, 3))
	require.Equal(t, no, holds(0, 1, 4), "outside of memory nothing is known")
	require.Error(t, m.fill(simd.Best, span{0, 4}, 0, 4))

	// The value begins two bytes before the page does.
	require.Equal(t, 1, fill(at+2, 2*page, 0x44332211, 4))
	require.Equal(t, []repeated{unknown, 0x22114433, unknown, 0}, r.known[:4])
	require.Equal(t, []byte{0, 0, 0x11, 0x22, 0x33, 0x44, 0x11}, r.data[:7])
	require.Equal(t, []byte{0x33, 0x44, 0x11, 0x22}, r.data[page:page+4])
	require.Equal(t, []byte{0x33, 0x44, 0, 0}, r.data[2*page:2*page+4])
	require.Equal(t, want{0x22114433, true}, holds(at+page, page, 4))
	require.Equal(t, want{0x33221144, true}, holds(at+page+1, page-1, 4))
	require.Equal(t, no, holds(at+page, page, 2), "a page with two values is unknown")
	require.Equal(t, no, holds(at+page, page+1, 4), "a range that reaches into an unknown page is unknown")
	require.Equal(t, no, holds(at+page-1, 2, 4))

	// Only the page that is not known is written, with the value at its position.
	m.forget(at+page, 1)
	require.Equal(t, 1, fill(at, 5*page, 0x44332211, 4))
	require.Equal(t, []repeated{0x44332211, 0x44332211, 0x44332211, 0x44332211, 0x44332211, 0}, r.known[:6])
	require.Equal(t, 0, fill(at, 5*page, 0x44332211, 4))
	require.Equal(t, 0, fill(at+page+4, 2*page, 0x44332211, 4), "parts of pages known to hold the value are skipped")
	require.Equal(t, 0, fill(at+page+3, 2*page, 0x33221144, 4))
	m.forget(at+2*page-1, 0)
	m.forget(at, 0)
	m.forget(at-1, 1)
	require.Equal(t, 0, fill(at, 5*page, 0x44332211, 4), "forgetting other memory keeps the pages known")
	m.forget(at+3*page-1, 1)
	before := [2]uint64{m.Generation(at, 2*page), m.Generation(at+3*page, 2*page)}
	require.Equal(t, 1, fill(at, 5*page, 0x44332211, 4))
	require.Equal(t, before, [2]uint64{m.Generation(at, 2*page), m.Generation(at+3*page, 2*page)})
	require.Equal(t, m.writes, m.Generation(at+2*page, page))
	m.forget(at+page-1, 2)
	require.Equal(t, []repeated{unknown, unknown, 0x44332211}, r.known[:3])
	m.forget(at+3*page, page)
	require.Equal(t, []repeated{0x44332211, unknown, 0x44332211}, r.known[2:5])
	require.Equal(t, 2, fill(at, 5*page, 0x44332211, 4))

	// Values of two and three bytes.
	for _, c := range []struct {
		value, width uint32
		known        repeated
		half, whole  want
	}{
		{0xABCD1234, 2, 0x12341234, want{0x12341234, true}, want{0x12341234, true}},
		{0x99343434, 3, 0x34343434, want{0x34343434, true}, want{0x34343434, true}},
		{0x99000000, 3, 0, want{0, true}, want{0, true}},
		{0x99123456, 3, triple | 0x123456, no, no},
		{0x00123434, 3, triple | 0x123434, no, no},
		{0x00341234, 3, triple | 0x341234, no, no},
		{0xABCD1234, 4, 0xABCD1234, no, want{0xABCD1234, true}},
	} {
		require.Equal(t, 1, fill(at, 3*page, c.value, c.width))
		require.Equal(t, 0, fill(at, 3*page, c.value, c.width))
		require.Equal(t, c.known, r.known[0])
		require.Equal(t, c.half, holds(at, page, 2))
		require.Equal(t, c.whole, holds(at, page, 4))
		require.Equal(t, no, holds(at, page, 3))
	}
	// A page has one byte more than whole values of three have.
	require.Equal(t, 1, fill(at, 3*page, 0x123456, 3))
	require.Equal(t, []repeated{triple | 0x123456, triple | 0x561234, triple | 0x345612}, r.known[:3])
	r.know(7, triple)
	require.Equal(t, no, holds(at+7*page, page, 4))

	// Nothing is known of the caller's memory.
	given := make([]byte, 2*page)
	require.NoError(t, m.replace(Region{pica.FCRAMBase, given}))
	m.regions[1].know(0, 0)
	for range 2 {
		require.Equal(t, 1, fill(pica.FCRAMBase+4, page, 0x44332211, 4))
		require.Equal(t, []byte{0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44}, given[:8])
		require.Equal(t, []byte{0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0}, given[page:page+8])
		m.forget(pica.FCRAMBase, page)
		require.Equal(t, no, holds(pica.FCRAMBase, page, 4))
	}
}

// painter sets the colours of all pixels that are drawn.
type painter struct{ target *raster.Target }

func (painter) Prefetch() {}

func (p painter) Shade(b *raster.Batch, _ int) {
	for i, block := range b.Block[:b.Blocks] {
		at := 4 * p.target.PixelIndex(block.X, block.Y)
		for pixel := range raster.BlockPixels {
			if b.Mask[i]>>pixel&1 != 0 {
				binary.LittleEndian.PutUint32(p.target.Color[at+4*pixel:], 0xABCDEF01)
			}
		}
	}
}

// Pages that queued draws touch are no longer known, whichever goroutine draws them; untouched pages stay known. Dropped draws change
// nothing.
func TestDrawsInvalidateKnownPages(t *testing.T) {
	const width, height, addr = 64, 200, pica.VRAMBase + 2*pageSize // a bin is a page
	for _, workers := range []int{1, 2} {
		g := GPUFor(t, Options{Workers: workers})
		color := span{addr, width * height * 4}
		data := testkit.Must(g.mem.Slice(color.addr, color.bytes))(t)
		target := &raster.Target{Width: width, Height: height, Color: data}
		clear := Fill{Start: addr, End: addr + color.bytes, Value: 0x11223344, Bits: 32}
		want := bytes.Repeat([]byte{0x44, 0x33, 0x22, 0x11}, width*height)
		draw := func(copies int) {
			q := g.queues.queue
			for _, at := range [][2]int32{{16 * 8, 16 * 100}, {16 * 56, 16 * 100}, {16 * 8, 16 * 140}} {
				q.Vertices = append(q.Vertices, pica.ScreenPosition{X: at[0], Y: at[1], InvW: 1})
			}
			for range copies {
				q.Triangles = append(q.Triangles, raster.Triangle{0, 1, 2})
			}
			g.queues.willWrite(color)
			q.Commit(&raster.Draw{Target: target, Shader: painter{target}, Flip: true, Bounds: raster.Rect{X1: width - 1, Y1: height - 1}})
		}
		known := func() (list []int) {
			for page := range color.bytes / pageSize {
				if _, ok := g.mem.holds(addr+page*pageSize, pageSize, 4); ok {
					list = append(list, int(page))
				}
			}
			return list
		}
		all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
		for _, copies := range []int{1, kickTriangles} {
			require.NoError(t, g.Fill(t.Context(), clear))
			require.Equal(t, want, data)
			require.Equal(t, all, known())
			draw(copies)
			g.drop()
			require.Equal(t, all, known(), "dropped")
			draw(copies)
			g.queues.kick()
			require.NoError(t, g.Finish(t.Context()))
			require.Equal(t, []int{0, 1, 2, 3, 4, 5, 9, 10, 11}, known(), "pages of the drawn rows 100 to 139 are not known")
			require.NotEqual(t, want, data)
			require.NoError(t, g.Fill(t.Context(), clear))
			require.Equal(t, want, data)
		}
		g.Close()
	}
}

// Large fills are cut into pieces if a helper looks for work, with the same result.
func TestLargeFillsAreSplit(t *testing.T) {
	helpers := absent(1)
	f := filler{workers: newPool(2, helpers, 0)}
	for _, n := range []int{sharedFill - 1, sharedFill, sharedFill + fillPiece/2 + 50} {
		for width := 2; width <= 4; width++ {
			want, got := make([]byte, n), make([]byte, n)
			pixels.Fill(simd.Plain, want, 0x44332211, width)
			helpers.awake.Store(0)
			f.run(simd.Best, got, 0x44332211, width)
			require.Equal(t, want, got)
			require.Len(t, helpers.members, 1)
			helpers.awake.Store(1)
			clear(got)
			f.run(simd.Best, got, 0x44332211, width)
			require.Equal(t, want, got)
			require.Nil(t, f.dst)
			require.Equal(t, n >= sharedFill, f.piece != nil)
		}
	}
}

// Each GPU selects its kernels: two in one process draw at the same time, one with vector and one with plain kernels, and draw the
// same.
func TestGPUsChooseTheirKernels(t *testing.T) {
	trace := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	pictures := make([]string, 4)
	var wait sync.WaitGroup
	for i := range pictures {
		wait.Go(func() {
			p, err := NewPlayer(trace, Options{Workers: 2, PlainKernels: i%2 == 1})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := p.NextFrame(context.Background()); err != nil {
				t.Error(err)
				return
			}
			target, err := p.GPU.LastTarget()
			if err != nil {
				t.Error(err)
				return
			}
			want := simd.Best
			if i%2 == 1 {
				want = simd.Plain
			}
			for part, got := range map[string]simd.Kernels{
				"target": target.Kernels, "fragments": p.GPU.engine.Kernels, "queue": p.GPU.queues.queue.Kernels, "spare": p.GPU.queues.spare.Kernels, "shaders": p.GPU.stage.Kernels(),
			} {
				if got != want {
					t.Errorf("%s: kernels %d, want %d", part, got, want)
				}
			}
			pictures[i] = string(target.Color)
		})
	}
	wait.Wait()
	for _, p := range pictures {
		require.True(t, p == pictures[0])
	}
}
