package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

const listAddr = pica.FCRAMBase + 0x1000

// runList loads a command list to memory and runs it.
func runList(t *testing.T, g *GPU, build func(*pica.CommandWriter)) error {
	t.Helper()
	var w pica.CommandWriter
	build(&w)
	require.NoError(t, g.Load(t.Context(), listAddr, w.Bytes()))
	return g.RunList(t.Context(), listAddr, uint32(4*len(w.Words)))
}

func TestCommandMasks(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
		w.Write(0x80, 0x11223344)
		w.WriteMasked(0x80, 0b0101, 0xAABBCCDD)
		w.WriteMasked(0x81, 0b1000, 0xFFFFFFFF)
		w.WriteMasked(pica.RegDrawarrays, 0, 1) // selects no byte: no draw
		w.WriteRun(0x90, 1, 2, 3)
		w.WriteAll(0x98, 1, 2, 3)
		w.Write(0x300, 5) // no such register
		w.Finish()
		w.Write(0x99, 1) // after the end
	}))
	require.Equal(t, uint32(0x11BB33DD), g.regs[0x80])
	require.Equal(t, uint32(0xFF000000), g.regs[0x81])
	require.Equal(t, []uint32{1, 2, 3}, g.regs[0x90:0x93])
	require.Equal(t, uint32(3), g.regs[0x98])
	require.Zero(t, g.regs[0x99])
	require.Empty(t, g.Warnings())
	require.Zero(t, g.TakeStats().Draws)
}

func TestCommandListJumpsAndEnds(t *testing.T) {
	jump := func(w *pica.CommandWriter, channel pica.Reg, addr, words uint32) {
		w.Write(pica.RegCmdbufSize0+channel, 4*words>>3)
		w.Write(pica.RegCmdbufAddr0+channel, addr>>3)
		w.Write(pica.RegCmdbufJump0+channel, 1)
	}
	t.Run("jump", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1})
		var second pica.CommandWriter
		second.Write(0x91, 2)
		second.Finish()
		const addr = pica.VRAMBase + 0x100
		require.NoError(t, g.Load(t.Context(), addr, second.Bytes()))
		for channel := range pica.Reg(2) {
			g.regs[0x90], g.regs[0x91] = 0, 0
			require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
				w.Write(0x90, 1)
				jump(w, channel, addr, uint32(len(second.Words)))
				w.Write(0x91, 99) // not reached
			}))
			require.Equal(t, []uint32{1, 2}, g.regs[0x90:0x92])
			require.Zero(t, g.regs[pica.RegCmdbufJump0+channel])
		}
	})
	t.Run("endless loop", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1})
		err := runList(t, g, func(w *pica.CommandWriter) { w.Write(0x90, 1); jump(w, 0, listAddr, 8) })
		require.ErrorContains(t, err, "endless loop")
		require.ErrorContains(t, err, "0x20001000")
	})
	t.Run("list without FINALIZE", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1})
		err := runList(t, g, func(w *pica.CommandWriter) { w.WriteAll(0x90, 2, 1, 1) })
		require.ErrorIs(t, err, pica.ErrHang)
		require.ErrorContains(t, err, "command list at 0x20001000 ends without a write to GPUREG_FINALIZE")
		require.Equal(t, uint32(1), g.regs[0x90])
	})
	t.Run("truncated command", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1})
		err := runList(t, g, func(w *pica.CommandWriter) { w.Words = []uint32{0, 0x00FF0090, 1, 2} })
		require.ErrorContains(t, err, "command list at 0x20001000")
		require.ErrorContains(t, err, "15 further parameters, but the list ends after 2")
	})
	t.Run("list outside memory", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1})
		require.ErrorContains(t, g.RunList(t.Context(), 0x10000000, 64), "command list of 64 bytes: no memory at 0x10000000")
		err := runList(t, g, func(w *pica.CommandWriter) { w.Write(0x90, 1); jump(w, 1, 0x30000000, 8) })
		require.ErrorContains(t, err, "no memory at 0x30000000")
	})
	t.Run("bad draw", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1, Strict: true})
		err := runList(t, g, func(w *pica.CommandWriter) {
			w.Write(pica.RegNumvertices, 3)
			w.Write(pica.RegColorbufferWrite, 15)
			w.Write(pica.RegDepthColorMask, 0xF00)
			w.Write(pica.RegFramebufferDim, 0x01000000|15<<12|16)
			w.Write(pica.RegDrawarrays, 1)
			w.Finish()
		})
		require.ErrorContains(t, err, "command list at 0x20001000, offset 0x20 (GPUREG_DRAWARRAYS): draw 0 (arrays, 3 vertices): render target of 16x16 pixels")
		require.ErrorContains(t, err, "no memory at 0x00000000")
	})
	t.Run("cancelled", func(t *testing.T) {
		g := GPUFor(t, Options{Workers: 1})
		var w pica.CommandWriter
		w.Write(0x90, 7)
		w.Finish()
		require.NoError(t, g.Load(t.Context(), listAddr, w.Bytes()))
		before := g.mem.Generation(listAddr, 1)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for what, err := range map[string]error{
			"list":     g.RunList(ctx, listAddr, uint32(4*len(w.Words))),
			"register": g.WriteRegister(ctx, pica.ExtCommandListStart, 1, 4),
			"load":     g.Load(ctx, listAddr, []byte{1}),
			"fill":     g.Fill(ctx, Fill{Start: listAddr, End: listAddr + 16, Bits: 32, Value: 1}),
			"transfer": g.Transfer(ctx, Transfer{}),
			"copy":     g.CopyTexture(ctx, TextureCopy{}),
			"finish":   g.Finish(ctx),
		} {
			require.ErrorIs(t, err, context.Canceled, what)
		}
		require.Zero(t, g.regs[0x90])
		require.Equal(t, before, g.mem.Generation(listAddr, 1), "memory is unchanged")
	})
}

func TestRegisterWrites(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	require.NoError(t, g.WriteRegister(t.Context(), 0x10400408, 0x11223344, 4))
	require.NoError(t, g.WriteRegister(t.Context(), 0x1EF00408, 0xAA, 1))
	require.NoError(t, g.WriteRegister(t.Context(), 0x1040040A, 0xBBCC, 2))
	require.Equal(t, uint32(0xBBCC33AA), g.ReadRegister(0x1EF00408))
	require.NoError(t, g.WriteRegister(t.Context(), 0x10401200, 0x0000000200000001, 8))
	require.Equal(t, []uint32{1, 2}, g.regs[0x80:0x82])
	require.Equal(t, uint32(2), g.ReadRegister(0x10401204))
	require.NoError(t, g.WriteRegister(t.Context(), 0x1ED02204, 5, 4))
	require.Equal(t, uint32(5), g.ReadRegister(0x10202204))
	require.Empty(t, g.Warnings())
	require.NoError(t, g.WriteRegister(t.Context(), 0x10000000, 5, 4))
	require.Equal(t, []Warning{{Draw: -1, Count: 1, Text: "write to 0x10000000, which is not a register of the GPU or the screens"}}, g.Warnings())
	require.ErrorContains(t, g.WriteRegister(t.Context(), 0x10400401, 5, 4), "multiple of 4")
	require.ErrorContains(t, g.WriteRegister(t.Context(), 0x10400400, 5, 3), "1, 2, 4 and 8 are possible")

	// The CPU starts a list through the registers that a list uses.
	var w pica.CommandWriter
	w.Write(0x90, 7)
	w.Finish()
	require.NoError(t, g.Load(t.Context(), listAddr, w.Bytes()))
	require.NoError(t, g.WriteRegister(t.Context(), 0x104018E0, uint64(4*len(w.Words)>>3), 4))
	require.NoError(t, g.WriteRegister(t.Context(), 0x104018E8, listAddr>>3, 4))
	require.NoError(t, g.WriteRegister(t.Context(), 0x104018F0, 1, 4))
	require.Equal(t, uint32(7), g.regs[0x90])
	require.Zero(t, g.ReadRegister(0x104018F0))

	// A fill and a transfer, and their completion flags.
	for offset, v := range map[uint32]uint64{0x10: pica.VRAMBase >> 3, 0x14: (pica.VRAMBase + 256*8) >> 3, 0x18: 0x01020304} {
		require.NoError(t, g.WriteRegister(t.Context(), 0x10400000+offset, v, 4))
	}
	require.NoError(t, g.WriteRegister(t.Context(), 0x1040001C, 0x200, 4))
	require.Zero(t, g.mem.Generation(pica.VRAMBase, 1), "without bit 0 nothing is filled")
	require.NoError(t, g.WriteRegister(t.Context(), 0x1040001C, 0x201, 4))
	require.Equal(t, uint32(0x202), g.ReadRegister(0x1040001C))
	for offset, v := range map[uint32]uint64{0xC00: pica.VRAMBase >> 3, 0xC04: pica.FCRAMBase >> 3, 0xC08: 16 | 16<<16, 0xC0C: 16 | 16<<16, 0xC10: 0x1000} {
		require.NoError(t, g.WriteRegister(t.Context(), 0x10400000+offset, v, 4))
	}
	require.NoError(t, g.WriteRegister(t.Context(), 0x10400C18, 1, 4))
	require.Equal(t, uint32(0x100), g.ReadRegister(0x10400C18))
	out := testkit.Must(g.Read(pica.FCRAMBase, 3))(t)
	require.Equal(t, []byte{3, 2, 1}, out, "a 24-bit fill writes blue, green, red")
	s := g.TakeStats()
	require.Equal(t, []int{1, 1, 1}, []int{s.Lists, s.Fills, s.Transfers})
}
