package pipeline_test

import (
	"context"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestRedrawAfterChangeEqualsNewGPU draws, changes one thing and draws again: the result equals that of a new GPU with the memory and state before the
// second draw, for any worker count and queue.
func TestRedrawAfterChangeEqualsNewGPU(t *testing.T) {
	const seeds = 100 // maximum
	mattered := 2     // pictures that must show the change
	if testkit.Short() {
		mattered = 1
	}
	for _, change := range states.Changes() {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			matters := 0
			for seed := uint64(0); seed < seeds && matters < mattered; seed++ {
				first, changed, again := states.Redraw(change, seed)
				draw := func(workers int, first func(g *pipeline.GPU), second []byte) (outcome, uint32) {
					g := pipeline.New(pipeline.Options{Workers: workers, FCRAM: states.FCRAM})
					defer g.Close()
					first(g)
					play(t, g, second)
					return finished(t, g), pictureSum(t, g)
				}
				before := pipeline.New(pipeline.Options{Workers: 1, FCRAM: states.FCRAM})
				play(t, before, first)
				require.NoError(t, before.Finish(t.Context()))
				takeOver := func(g *pipeline.GPU) { g.TakeOver(before) }
				want, shown := draw(1, takeOver, changed)
				if _, without := draw(1, takeOver, again); shown != without {
					matters++
				}
				before.Close()
				for _, workers := range []int{1, 2, 7} {
					got, _ := draw(workers, func(g *pipeline.GPU) { play(t, g, first) }, changed)
					require.Empty(t, got.difference(&want), "seed %d, %d workers", seed, workers)
				}
			}
			require.GreaterOrEqual(t, matters, mattered, "number of pictures that show the change")
		})
	}
}

// play executes a trace on a GPU in its current state.
func play(t *testing.T, g *pipeline.GPU, data []byte) {
	t.Helper()
	trace := testkit.Must(citrace.Parse(data))(t)
	for _, e := range trace.Elements {
		switch e.Type {
		case citrace.MemoryLoad:
			require.NoError(t, g.Load(t.Context(), e.Address, trace.Payload(e)))
		case citrace.RegisterWrite:
			// A transfer that would hang the console does nothing.
			if err := g.WriteRegister(t.Context(), e.Address, e.Value, e.Width); !errors.Is(err, pica.ErrHang) {
				require.NoError(t, err)
			}
		}
	}
}

// pictureSum is a checksum of the last target.
func pictureSum(t *testing.T, g *pipeline.GPU) uint32 {
	t.Helper()
	target := testkit.Must(g.LastTarget())(t)
	return crc32.Update(crc32.ChecksumIEEE(target.Color), crc32.IEEETable, target.Depth)
}

// finished finishes queued draws and returns the outcome.
func finished(t *testing.T, g *pipeline.GPU) (out outcome) {
	t.Helper()
	require.NoError(t, g.Finish(t.Context()))
	out.poll(g)
	out.Warnings, out.State = nil, 0 // warnings of the first draw and the geometry stage are not copied
	return out
}

// Unused state left by earlier programs does not prevent explaining a draw or drawing it through a view.
func TestExplainWithStaleUnits(t *testing.T) {
	stage2 := func(w *pica.CommandWriter, source uint32) {
		w.WriteRun(pica.RegTexenv0Source+pica.TexenvOffset(2), source|source<<16, 0, 0, 0xFFFFFFFF, 0)
		w.WriteRun(pica.RegTexenv0Source+pica.TexenvOffset(5), 0, 0, 0, 0xFFFFFFFF, 0) // vertex colour
	}
	unit1 := pica.TexunitOffset(1)
	for _, c := range []struct {
		name  string
		stale func(w *pica.CommandWriter)
		view  fragment.View
	}{
		{"a texture without a size", func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1002)
			w.WriteRun(pica.RegTexunit0Dim+unit1, 0, 0, 0, pica.VRAMBase>>3)
			stage2(w, uint32(pica.SourceTexture1))
		}, fragment.ViewTexture1},
		{"a texture that is not in memory", func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1002)
			w.WriteRun(pica.RegTexunit0Dim+unit1, 64<<16|64, 0, 0, 0x100>>3)
			stage2(w, uint32(pica.SourceTexture1))
		}, fragment.ViewTexture1},
		{"a cube whose second face is not in memory", func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1001)
			w.WriteRun(pica.RegTexunit0Dim, 64<<16|64, uint32(pica.TextureCube)<<28, 0, pica.VRAMBase>>3, 0x3FFFFF, 0x3FFFFF, 0x3FFFFF, 0x3FFFFF, 0x3FFFFF)
			stage2(w, uint32(pica.SourceTexture0))
		}, fragment.ViewTexture0},
		{"a texture of a type that does not exist", func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1001)
			w.WriteRun(pica.RegTexunit0Dim, 64<<16|64, 7<<28, 0, pica.VRAMBase>>3)
			stage2(w, uint32(pica.SourceTexture0))
		}, fragment.ViewTexture0},
		{"a layer configuration that does not exist", func(w *pica.CommandWriter) {
			w.Write(pica.RegLightingEnable0, 1)
			w.Write(pica.RegLightingConfig0, 15<<4)
			stage2(w, uint32(pica.SourceFragmentPrimary))
		}, fragment.ViewLightPrimary},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Two identical runs on one GPU, as Explain does.
			g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
			draw := func(ctx context.Context) error {
				if err := g.Load(ctx, vertexAddr, triangles()); err != nil {
					return err
				}
				for _, l := range [][]byte{list(c.stale), triangleList(t)} {
					if err := g.Load(ctx, listAddr, l); err != nil {
						return err
					}
					if err := g.RunList(ctx, listAddr, uint32(len(l))); err != nil {
						return err
					}
				}
				return nil
			}
			require.NoError(t, draw(t.Context()), "the draw renders")
			want := pixel(t, g, 16, 8)
			events := 0
			var last pipeline.Event
			require.NoError(t, g.Watch(t.Context(), 16, 32-1-8, func(e pipeline.Event) { events++; last = e }, draw))
			require.Positive(t, events)
			require.Equal(t, want, last.Fragment.After.Color)
			for _, u := range last.Fragment.Units {
				require.False(t, u.Read, "no texture unit is read")
			}
			require.Nil(t, last.Fragment.Lighting)

			g.Reset()
			g.View = c.view
			require.NoError(t, draw(t.Context()), "view %v", c.view)
			require.Empty(t, g.Warnings())
			require.Equal(t, [4]uint8{0, 0, 0, 255}, pixel(t, g, 16, 8))
			g.View = fragment.ViewFinal
		})
	}
}

// move copies a GPU's State, Leftovers and pages to a new GPU.
func move(t *testing.T, from *pipeline.GPU, o pipeline.Options) *pipeline.GPU {
	t.Helper()
	g := pipeline.GPUFor(t, o)
	s := testkit.Must(from.State(t.Context()))(t)
	require.NoError(t, g.SetState(t.Context(), s))
	require.NoError(t, from.EachPage(t.Context(), func(addr uint32, page []byte) {
		require.NoError(t, g.Load(t.Context(), addr, page))
	}))
	for _, w := range from.Leftovers() {
		require.NoError(t, g.WriteRegister(t.Context(), w.Addr, uint64(w.Value), 4))
	}
	return g
}

// A GPU with the copied state and memory of another draws the same, in random states.
func TestStateCopiedToAnotherGPU(t *testing.T) {
	seeds := uint64(6)
	if testkit.Short() {
		seeds = 1
	}
	for _, change := range states.Changes() {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds {
				first, changed, _ := states.Redraw(change, seed)
				o := pipeline.Options{Workers: 1, FCRAM: states.FCRAM}
				before := pipeline.GPUFor(t, o)
				play(t, before, first)
				want := pipeline.GPUFor(t, o)
				require.NoError(t, before.Finish(t.Context()))
				want.TakeOver(before)
				got := move(t, before, o)
				play(t, want, changed)
				play(t, got, changed)
				a, b := finished(t, want), finished(t, got)
				// Values that reached the geometry unit through the vertex unit's registers (Bools) are in its own registers after
				// the move.
				for reg := pica.RegGshBooluniform; reg < pica.RegGshIntuniformI0+4; reg++ {
					a.Regs[reg], b.Regs[reg] = 0, 0
				}
				require.Empty(t, b.difference(&a), "seed %d", seed)
				require.Equal(t, pictureSum(t, want), pictureSum(t, got), "seed %d", seed)
			}
		})
	}
}

// Unfinished uploads and the screens' colour tables are moved too.
func TestStateIncludesUnfinishedUploads(t *testing.T) {
	o := pipeline.Options{Workers: 1}
	before := pipeline.GPUFor(t, o)
	write := func(g *pipeline.GPU, reg pica.Reg, words ...uint32) {
		for _, w := range words {
			require.NoError(t, g.WriteRegister(t.Context(), pica.ExtInternal+4*uint32(reg), uint64(w), 4))
		}
	}
	write(before, pica.RegVshFloatuniformIndex, 3)
	write(before, pica.RegVshFloatuniformData0, 0x3F000012, 0x34003F00)
	write(before, pica.RegFixedattribIndex, 2)
	write(before, pica.RegFixedattribData0, 0x3F000012, 0x34003F00, 0x00563F01)
	write(before, pica.RegVshNumAttr, 2) // a vertex with one of three attributes complete and one half-written
	write(before, pica.RegFixedattribIndex, 15)
	write(before, pica.RegFixedattribData0, 0x3F123456, 0x789A3F12, 0x3456783F)
	write(before, pica.RegFixedattribData0, 0x3F000077)
	write(before, pica.RegGshFloatuniformIndex, 7)
	write(before, pica.RegGshFloatuniformData0, 0x3F000034, 0x12003F00)
	for screen := range uint32(2) {
		at := screen * pica.StridePdc
		require.NoError(t, before.WriteRegister(t.Context(), pica.ExtPdcLutIndex+at, 5+uint64(screen), 4))
		require.NoError(t, before.WriteRegister(t.Context(), pica.ExtPdcLutData+at, 0x123456+uint64(screen), 4))
	}
	after := move(t, before, o)
	for _, g := range []*pipeline.GPU{before, after} {
		write(g, pica.RegVshFloatuniformData0, 0x00563F01)
		write(g, pica.RegFixedattribData0, 1, 2)
		write(g, pica.RegGshFloatuniformData0, 0x00783F03)
		for screen := range uint32(2) { // continues at the next entry
			require.NoError(t, g.WriteRegister(t.Context(), pica.ExtPdcLutData+screen*pica.StridePdc, 0x998877+uint64(screen), 4))
		}
		for screen := range uint32(2) {
			for entry, want := range []uint32{0x123456 + screen, 0x998877 + screen} {
				require.NoError(t, g.WriteRegister(t.Context(), pica.ExtPdcLutIndex+screen*pica.StridePdc, uint64(5+screen)+uint64(entry), 4))
				require.Equal(t, want, g.ReadRegister(pica.ExtPdcLutData+screen*pica.StridePdc), "screen %d", screen)
			}
		}
	}
	a, b := before.VertexShader(), after.VertexShader()
	require.NotZero(t, a.Float[3])
	require.Equal(t, a.Float, b.Float)
	require.NotZero(t, before.FixedAttributes()[2])
	require.Equal(t, before.FixedAttributes(), after.FixedAttributes())
	require.Len(t, before.Immediate(), 2)
	require.Equal(t, before.Immediate(), after.Immediate())
	a, b = before.GeometryShader(), after.GeometryShader()
	require.NotZero(t, a.Float[7])
	require.Equal(t, a.Float, b.Float)
}
