package pipeline

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
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

// words24 packs four floats as three words of float24, w first.
func words24(x, y, z, w float32) []uint32 {
	e := pica.Float24.Encode
	return []uint32{
		e(w)<<8 | e(z)>>16,
		e(z)<<16 | e(y)>>8,
		e(y)<<24 | e(x),
	}
}

func TestUniformUpload(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	write := func(r pica.Reg, values ...uint32) {
		t.Helper()
		require.NoError(t, runList(t, g, func(w *pica.CommandWriter) { w.WriteAll(r, values...); w.Finish() }))
	}
	at := func(base pica.Reg) (index, data pica.Reg) {
		return pica.RegGshFloatuniformIndex + base, pica.RegGshFloatuniformData0 + base
	}
	index, data := at(pica.OffsetVsh)
	write(index, 10)
	write(data, append(words24(1, -2.5, 0.125, 4), words24(5, 6, 7, 8)...)...)
	require.Equal(t, [4]float32{1, -2.5, 0.125, 4}, g.vs.Float[10])
	require.Equal(t, [4]float32{5, 6, 7, 8}, g.vs.Float[11])
	require.Equal(t, uint32(12), g.regs[index], "each upload increments the index")
	require.Equal(t, g.vs.Float[:12], g.gs.Float[:12], "uniforms also reach a geometry unit that is not configured separately")

	// Four words of float32, last component first; precision beyond float24 is truncated.
	write(index, 1<<31|20)
	b := math.Float32bits
	write(data, b(4), b(-3), b(2), b(1.0000001))
	require.Equal(t, [4]float32{1, 2, -3, 4}, g.vs.Float[20])

	// Words may go to any of the eight data registers; writing the index register drops an incomplete vector.
	write(index, 30)
	write(data+3, words24(9, 9, 9, 9)[:2]...)
	write(index, 30)
	w := words24(1, 2, 3, 4)
	write(data+1, w[0])
	write(data+7, w[1])
	write(data, w[2])
	require.Equal(t, [4]float32{1, 2, 3, 4}, g.vs.Float[30])

	// A run of consecutive registers continues after the data registers.
	write(index, 40)
	require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
		w.WriteRun(data, append(append(words24(1, 2, 3, 4), words24(5, 6, 7, 8)...), 0, 0, 0, 0, 123)...)
		w.Finish()
	}))
	require.Equal(t, [4]float32{5, 6, 7, 8}, g.vs.Float[41])
	require.Equal(t, uint32(123), g.regs[pica.RegGshCodetransferIndex+pica.OffsetVsh])

	// There is no register after c95.
	write(index, 95)
	write(data, append(words24(1, 1, 1, 1), words24(2, 2, 2, 2)...)...)
	require.Equal(t, [4]float32{1, 1, 1, 1}, g.vs.Float[95])
	require.Equal(t, uint32(96), g.regs[index])
	write(index, 0x7F)
	write(data, words24(3, 3, 3, 3)...)
	require.Equal(t, [4]float32{1, 1, 1, 1}, g.vs.Float[95])

	// The geometry shader's own registers only reach it.
	index, data = at(pica.OffsetGsh)
	write(index, 0)
	write(data, words24(7, 7, 7, 7)...)
	require.Equal(t, [4]float32{7, 7, 7, 7}, g.gs.Float[0])
	require.Zero(t, g.vs.Float[0])
}

func TestUploadBroadcastToGeometryUnit(t *testing.T) {
	for _, c := range []struct {
		name      string
		exclusive uint32 // GPUREG_VSH_COM_MODE
		geometry  uint32 // GPUREG_GEOSTAGE_CONFIG
		reaches   bool
	}{
		{"shared", 0, 0, true},
		{"exclusive", 1, 0, false},
		{"geometry shader in use", 0, 2, false},
		{"both", 1, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := GPUFor(t, Options{Workers: 1})
			require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
				w.Write(pica.RegVshComMode, c.exclusive)
				w.Write(pica.RegGeostageConfig, c.geometry)
				w.Write(pica.RegVshBooluniform, 0x7FFF0005)
				w.Write(pica.RegVshIntuniformI0+2, 0x04030201)
				w.Write(pica.RegVshOutmapMask, 7)
				w.Write(pica.RegVshEntrypoint, 0x7FFF0009)
				w.Write(pica.RegVshCodetransferIndex, 3)
				w.WriteAll(pica.RegVshCodetransferData0, 0x88000000, 0x84000000)
				w.Write(pica.RegVshOpdescsIndex, 5)
				w.WriteAll(pica.RegVshOpdescsData0, 0x1234)
				w.Write(pica.RegVshFloatuniformIndex, 1)
				w.WriteAll(pica.RegVshFloatuniformData0, words24(1, 2, 3, 4)...)
				w.Finish()
			}))
			require.Equal(t, uint16(5), g.vs.Bool)
			require.Equal(t, [4]uint8{1, 2, 3, 4}, g.vs.Int[2])
			require.Equal(t, uint16(7), g.vs.OutMask)
			require.Equal(t, uint16(9), g.vs.Entry)
			require.Equal(t, []uint32{0x88000000, 0x84000000}, []uint32{g.vs.Code(3), g.vs.Code(4)})
			require.Equal(t, shaderunit.OpDesc(0x1234), g.vs.Desc(5))
			require.Equal(t, uint32(5), g.regs[pica.RegVshCodetransferIndex])

			require.Equal(t, c.reaches, g.gs.Bool == 5)
			require.Equal(t, c.reaches, g.gs.Int[2] == [4]uint8{1, 2, 3, 4})
			require.Equal(t, c.reaches, g.gs.OutMask == 7)
			require.Equal(t, c.reaches, pica.ShOutmapMask.Get(&g.regs) == 7)
			require.Equal(t, c.reaches, g.gs.Code(3) == 0x88000000 && g.gs.Code(4) == 0x84000000)
			require.Equal(t, c.reaches, g.gs.Desc(5) == 0x1234)
			require.Equal(t, c.reaches, g.gs.Float[1] == [4]float32{1, 2, 3, 4})
			require.Zero(t, g.gs.Entry, "the entry point is not broadcast")
		})
	}
}

func TestProgramUploadStopsAtMemoryEnd(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
		w.Write(pica.RegVshCodetransferIndex, 511)
		w.WriteAll(pica.RegVshCodetransferData0, 1, 2)
		w.Write(pica.RegGshCodetransferIndex, 4095)
		w.WriteAll(pica.RegGshCodetransferData0, 3)
		w.Write(pica.RegVshOpdescsIndex, 127)
		w.WriteAll(pica.RegVshOpdescsData0, 4, 5)
		w.Finish()
	}))
	require.Equal(t, uint32(1), g.vs.Code(511))
	require.Zero(t, g.vs.Code(512))
	require.Equal(t, uint32(3), g.gs.Code(4095))
	require.Equal(t, shaderunit.OpDesc(4), g.vs.Desc(127))
	require.Equal(t, []Warning{
		{Draw: -1, Count: 1, Text: "GPUREG_VSH_CODETRANSFER_DATA0: there is no program memory after word 511"},
		{Draw: -1, Count: 1, Text: "GPUREG_VSH_OPDESCS_DATA0: there are no operand descriptors after number 127"},
	}, g.Warnings())
}

func TestTableUpload(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	upload := func(index pica.Reg, select_ uint32, data pica.Reg, values ...uint32) {
		t.Helper()
		before := g.tables.Version
		require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
			w.Write(index, select_)
			w.WriteAll(data, values...)
			w.Finish()
		}))
		require.Greater(t, g.tables.Version, before)
		version := g.tables.Version
		require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
			w.Write(index, select_)
			w.WriteAll(data, values...)
			w.Finish()
		}))
		require.Equal(t, version, g.tables.Version, "uploading equal values keeps the version")
	}
	light := func(table pica.LightTable, i uint32) uint32 { return uint32(table)<<8 | i }
	upload(pica.RegLightingLutIndex, light(pica.TableFR, 254), pica.RegLightingLutData0+2, 1, 2, 3)
	require.Equal(t, []uint32{1, 2}, g.tables.Light[3][254:])
	require.Equal(t, uint32(3), g.tables.Light[3][0], "the index wraps to 0")
	upload(pica.RegLightingLutIndex, light(pica.TableDA0+7, 9), pica.RegLightingLutData0, 4)
	require.Equal(t, uint32(4), g.tables.Light[23][9])
	upload(pica.RegFogLutIndex, 127, pica.RegFogLutData0+7, 5, 6)
	require.Equal(t, []uint32{6, 5}, []uint32{g.tables.Fog[0], g.tables.Fog[127]})
	upload(pica.RegGasLutIndex, 15, pica.RegGasLutData, 7, 8)
	require.Equal(t, []uint32{8, 7}, []uint32{g.tables.Gas[0], g.tables.Gas[15]})
	for table, entries := range map[pica.ProcTable][]uint32{
		pica.ProcTableNoise: g.tables.ProcNoise[:], pica.ProcTableRGBMap: g.tables.ProcRGBMap[:],
		pica.ProcTableAlphaMap: g.tables.ProcAlphaMap[:], pica.ProcTableColor: g.tables.ProcColor[:],
		pica.ProcTableColorDiff: g.tables.ProcColorDiff[:],
	} {
		upload(pica.RegProctexLut, uint32(table)<<8|3, pica.RegProctexLutData0+4, 10+uint32(table), 20)
		require.Equal(t, []uint32{10 + uint32(table), 20}, entries[3:5])
	}
	// Writes to tables that do not exist are ignored.
	version := g.tables.Version
	require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
		w.Write(pica.RegLightingLutIndex, 31<<8)
		w.Write(pica.RegLightingLutData0, 1)
		w.Write(pica.RegProctexLut, 9<<8)
		w.Write(pica.RegProctexLutData0, 1)
		w.Finish()
	}))
	require.Equal(t, version, g.tables.Version)
}

func TestFixedAttributeUpload(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
		w.Write(pica.RegFixedattribIndex, 4)
		w.WriteRun(pica.RegFixedattribData0, words24(1, 2, 3, 4)...)
		w.WriteAll(pica.RegFixedattribData0, words24(5, 6, 7, 8)...)
		w.Finish()
	}))
	require.Equal(t, [4]float32{1, 2, 3, 4}, g.fixed[4])
	require.Equal(t, [4]float32{5, 6, 7, 8}, g.fixed[5])
}
