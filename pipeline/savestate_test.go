package pipeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

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
