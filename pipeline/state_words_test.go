package pipeline

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// Each word of a recording's initial state goes to its own register, and an eight-byte write to two.
func TestInitialRegisters(t *testing.T) {
	state := picatrace.State{}
	for _, b := range []picatrace.Block{picatrace.ExternalRegisters, picatrace.ScreenRegisters} {
		for i := range b.Words() {
			state[b] = append(state[b], uint32(b)<<24|uint32(i))
		}
	}
	g := GPUFor(t, Options{})
	g.loadInitial(state)
	for i := range g.ext {
		require.Equal(t, uint32(picatrace.ExternalRegisters)<<24|uint32(i), g.ext[i])
	}
	for i := range g.lcd {
		require.Equal(t, uint32(picatrace.ScreenRegisters)<<24|uint32(i), g.lcd[i])
	}
	e := picatrace.RegisterWrite(internalBase+4*uint32(pica.RegBlendColor), 8, 0x1122334455667788)
	require.NoError(t, g.do(t.Context(), &e))
	e = picatrace.Event{Kind: picatrace.Load, Words: [7]uint32{0x1000}, Data: []byte{1}}
	require.ErrorContains(t, g.do(t.Context(), &e), "memory load: ")
	require.Equal(t, []uint32{0x55667788, 0x11223344}, []uint32{g.ReadInternal(pica.RegBlendColor), g.ReadInternal(pica.RegBlendColor + 1)})
}

// A GPU's state as words has every register, program, uniform and table at its position, without trailing zeros where readers assume
// them. SetState restores it on another GPU, and EachPage gives the written pages.
func TestStateWordsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	g := GPUFor(t, Options{Workers: 1})
	fill := func(words []uint32, bits int) {
		for i := range words {
			words[i] = rng.Uint32() >> (32 - bits)
		}
	}
	empty := testkit.Must(g.State(t.Context()))(t)
	require.Len(t, empty[picatrace.InternalRegisters], len(g.regs), "internal registers keep trailing zeros")
	require.NotContains(t, empty, picatrace.FogTable)
	require.NotContains(t, empty, picatrace.VertexCode)

	fill(g.regs[:], 32)
	fill(g.ext[:100], 32)
	fill(g.lcd[:7], 32)
	t1 := &g.tables
	for i := range t1.Light {
		fill(t1.Light[i][:], 24)
	}
	for _, words := range [][]uint32{t1.Fog[:], t1.Gas[:], t1.ProcNoise[:], t1.ProcRGBMap[:], t1.ProcAlphaMap[:], t1.ProcColor[:], t1.ProcColorDiff[:]} {
		fill(words, 24)
	}
	t1.Fog[len(t1.Fog)-1], t1.Fog[len(t1.Fog)-2] = 0, 0
	for _, s := range []*shaderunit.Setup{&g.vs, &g.gs} {
		for i := range shaderunit.CodeWords / 2 {
			s.SetCode(i, rng.Uint32()|1)
		}
		for i := range shaderunit.Descriptors {
			s.SetDesc(i, rng.Uint32()>>1|1)
		}
		for i := range s.Float {
			s.Float[i] = [4]float32{float32(i), -1 - float32(i), 0.5, float32(rng.IntN(99))}
		}
		for i := range s.Int {
			s.Int[i] = [4]uint8{byte(rng.Uint32()), byte(i), byte(rng.Uint32()), byte(rng.Uint32() | 1)}
		}
		s.Bool = uint16(rng.Uint32())
	}
	for i := range g.fixed {
		g.fixed[i] = [4]float32{float32(i), 2, -3, float32(rng.IntN(99))}
	}
	s := testkit.Must(g.State(t.Context()))(t)
	require.Equal(t, g.ext[:], s[picatrace.ExternalRegisters], "external registers keep trailing zeros, because readers use the system's values for missing ones")
	require.Equal(t, g.lcd[:7], s[picatrace.ScreenRegisters])
	require.Equal(t, t1.Fog[:len(t1.Fog)-2], s[picatrace.FogTable])
	regs := s[picatrace.InternalRegisters]
	for reg, w := range g.regs {
		want := w
		for _, unit := range []struct {
			s    *shaderunit.Setup
			base pica.Reg
		}{{&g.gs, pica.OffsetGsh}, {&g.vs, pica.OffsetVsh}} {
			at := pica.Reg(reg) - pica.RegGshBooluniform - unit.base
			switch {
			case at == 0:
				want = w&^0xFFFF | uint32(unit.s.Bool)
			case at >= 1 && at <= 4:
				v := unit.s.Int[at-1]
				want = uint32(v[0]) | uint32(v[1])<<8 | uint32(v[2])<<16 | uint32(v[3])<<24
			}
		}
		require.Equal(t, want, regs[reg], "register 0x%X", reg)
	}
	other := GPUFor(t, Options{Workers: 1})
	require.NoError(t, other.SetState(t.Context(), s))
	for i, unit := range [][2]*shaderunit.Setup{{&g.vs, &other.vs}, {&g.gs, &other.gs}} {
		a, b := bitsOf(unit[0]), bitsOf(unit[1])
		require.Equal(t, a.code, b.code, "unit %d", i)
		require.Equal(t, a.desc, b.desc)
		require.Equal(t, a.float, b.float)
		require.Equal(t, unit[0].Bool, unit[1].Bool)
		require.Equal(t, unit[0].Int, unit[1].Int)
	}
	require.Equal(t, g.fixed, other.fixed)
	require.True(t, sameTables(&g.tables, &other.tables))
	again := testkit.Must(other.State(t.Context()))(t)
	require.Equal(t, s, again)

	require.Empty(t, g.Leftovers())
	g.colors[1] = &[256]rgba{255: 9}
	left := g.Leftovers()
	require.Len(t, left, 1+256+1)
	require.Equal(t, picatrace.RegWrite{Addr: pica.ExtPdcLutData + pica.StridePdc, Value: 9}, left[256])

	// Pages written since the reset, in order.
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase+9*pageSize, []byte{9}))
	g.Reset()
	for _, addr := range []uint32{pica.FCRAMBase + 5*pageSize + 7, pica.VRAMBase + 3*pageSize, pica.VRAMBase + pageSize - 1, pica.FCRAMBase} {
		require.NoError(t, g.Load(t.Context(), addr, []byte{byte(addr >> pageBits), 1}))
	}
	var pages []uint32
	each := func(ctx context.Context) error {
		return g.EachPage(ctx, func(addr uint32, page []byte) {
			pages = append(pages, addr)
			want := testkit.Must(g.mem.Slice(addr, pageSize))(t)
			require.Equal(t, want, page)
		})
	}
	require.NoError(t, each(t.Context()))
	require.Equal(t, []uint32{pica.VRAMBase, pica.VRAMBase + pageSize, pica.VRAMBase + 3*pageSize, pica.FCRAMBase, pica.FCRAMBase + 5*pageSize}, pages)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, each(ended), context.Canceled)
	_, err := g.State(ended)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, g.SetState(ended, s), context.Canceled)
	require.Len(t, pages, 5)
}
