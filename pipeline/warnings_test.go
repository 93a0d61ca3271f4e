package pipeline_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// Warnings: how many are kept, and for what the console does and the GPU here does not.

// The number of warnings is limited.
func TestWarningsAreBounded(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	for i := range uint32(500) {
		require.NoError(t, g.WriteRegister(t.Context(), 0x10000000+4*i, 1, 4))
	}
	w := g.Warnings()
	require.Len(t, w, 50)
	require.Equal(t, "frame 0: further warnings of other kinds (451 times)", w[49].String())
}

// A draw that uses unmodelled registers is drawn, with a warning.
func TestUnmodelledRegistersWarn(t *testing.T) {
	f24, f31 := pica.Float24.Encode, pica.Float31.Encode
	consistent := func(w *pica.CommandWriter) {
		w.Write(pica.RegRenderbufDim, 1<<24|31<<12|32)
		w.WriteRun(pica.RegViewportWidth, f24(16), f31(1.0/16)<<1, f24(16), f31(1.0/16)<<1)
		w.Write(pica.RegShOutattrClock, 0x3)
	}
	unit1 := func(enabled, addr uint32, f pica.TextureFormat) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1000|enabled)
			w.Write(pica.RegTexunit1Dim, 8<<16|8)
			w.Write(pica.RegTexunit1Addr, addr>>3)
			w.Write(pica.RegTexunit1Type, uint32(f))
		}
	}
	viewport := func(x, y int32, half float32, mode, end uint32) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegViewportWidth, f24(half), f31(1/half)<<1, f24(half), f31(1/half)<<1)
			w.Write(pica.RegViewportXy, uint32(y)&0x3FF<<16|uint32(x)&0x3FF)
			w.WriteRun(pica.RegScissortestMode, mode, 0, end)
		}
	}
	cube := func(enabled uint32, kind pica.TextureType, faces ...int32) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			const first = (pica.VRAMBase + 0x40000) >> 3
			w.Write(pica.RegTexunitConfig, 0x1000|enabled)
			w.WriteRun(pica.RegTexunit0Dim, 8<<16|8, uint32(kind)<<28, 0, first)
			for i, at := range faces {
				w.Write(pica.RegTexunit0Addr2+pica.Reg(i), uint32(first+at)&0x3FFFFF)
			}
		}
	}
	for _, c := range []struct {
		name, want string
		set        func(w *pica.CommandWriter)
	}{
		{"as programs do", "", func(*pica.CommandWriter) {}},
		{"INVW", "GPUREG_VIEWPORT_WIDTH is 16 and GPUREG_VIEWPORT_INVW is 0.125", func(w *pica.CommandWriter) { w.Write(pica.RegViewportInvw, f31(1.0/8)<<1) }},
		{"INVH", "GPUREG_VIEWPORT_HEIGHT is 20 and GPUREG_VIEWPORT_INVH is 0.0625", func(w *pica.CommandWriter) { w.Write(pica.RegViewportHeight, f24(20)) }},
		{"RENDERBUF_DIM has no effect", "", func(w *pica.CommandWriter) { w.Write(pica.RegRenderbufDim, 31<<12|40) }},
		{"colour without clock, which is white", "", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0x1) }},
		{"no clock at all", "GPUREG_SH_OUTATTR_CLOCK bit 0", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0) }},
		{"clock of the depth", "GPUREG_SH_OUTATTR_CLOCK bit 0", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0x2) }},
		{"more clocks than needed", "", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0x01010703) }},
		{"texture coordinates without GPUREG_SH_OUTATTR_MODE", "", func(w *pica.CommandWriter) {
			w.Write(pica.RegShOutmapO0+1, 0x1F1F0D0C)
			w.Write(pica.RegShOutattrClock, 0x101)
		}},
		{"flat shading", "", func(w *pica.CommandWriter) { w.Write(pica.RegFlatShading, 0x101) }},
		{"early depth test", "drops fragments that a depth test would keep", func(w *pica.CommandWriter) { w.Write(pica.RegEarlydepthTest1, 1); w.Write(pica.RegEarlydepthTest2, 1) }},
		{"half of it", "", func(w *pica.CommandWriter) { w.Write(pica.RegEarlydepthTest1, 1) }},
		{"the other half", "", func(w *pica.CommandWriter) { w.Write(pica.RegEarlydepthTest2, 1) }},
		{"every second pixel", "every second pixel", func(w *pica.CommandWriter) { w.Write(0x060, 0x101) }},
		{"every fourth pixel", "every fourth pixel", func(w *pica.CommandWriter) { w.Write(0x060, 0x200) }},
		{"all pixels", "", func(w *pica.CommandWriter) { w.Write(0x060, 0x301) }},
		{"every second line", "every second line", func(w *pica.CommandWriter) { w.WriteMasked(pica.RegColorOperation, 8, 1<<24) }},
		{"bit 25", "draws nothing", func(w *pica.CommandWriter) { w.WriteMasked(pica.RegColorOperation, 8, 1<<25) }},
		{"0x11F", "the console hangs", func(w *pica.CommandWriter) { w.Write(0x11F, 0x7FFFFFFF) }},
		{"0x11F as programs set it", "", func(w *pica.CommandWriter) { w.Write(0x11F, 0x00010140) }},
		{"4 bits in VRAM on unit 1", "texture unit 1 reads a texture of 4 bits a texel (i4) in VRAM", unit1(2, pica.VRAMBase+0x40000, pica.TextureFormatI4)},
		{"the same on unit 1 off", "", unit1(0, pica.VRAMBase+0x40000, pica.TextureFormatI4)},
		{"the same in main memory", "", unit1(2, pica.FCRAMBase+0x40000, pica.TextureFormatA4)},
		{"8 bits in VRAM", "", unit1(2, pica.VRAMBase+0x40000, pica.TextureFormatI8)},
		{"a cube's faces in order", "", cube(1, pica.TextureCube, 0, 8, 8, 16, 24)},
		{"a face below the one before", "face 3 of the cube lies below face 2", cube(1, pica.TextureCube, 0, 8, 0, 16, 24)},
		{"a face below the first, of a shadow", "face 1 of the cube lies below face 0", cube(1, pica.TextureShadowCube, -8, 8, 8, 16, 24)},
		{"the same without the unit", "", cube(0, pica.TextureCube, -8, 8, 8, 16, 24)},
		{"the same in 2D", "", cube(1, pica.Texture2D, -8, 8, 8, 16, 24)},
		{"viewport moved out of the target", "come back at the other edge", viewport(1, 0, 16, 3, 32)},
		{"upwards", "come back at the other edge", viewport(0, 1, 16, 3, 32<<16)},
		{"to the left", "come back at the other edge", viewport(-1, 0, 16, 0, 0)},
		{"inside", "", viewport(16, 16, 8, 0, 0)},
		{"with a scissor rectangle", "", viewport(1, -1, 16, 3, 31<<16|31)},
		{"whose inside is left out", "come back at the other edge", viewport(1, 1, 16, 1, 0)},
		{"program while drawing", "", func(w *pica.CommandWriter) {
			w.Write(pica.RegStartDrawFunc0, 0)
			w.Write(pica.RegVshFloatuniformIndex, 0)
		}},
		{"fourth unit", "GPUREG_VSH_COM_MODE gives the fourth shader unit a program of its own", func(w *pica.CommandWriter) { w.Write(pica.RegVshComMode, 1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 1})
			require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
				w.Write(pica.RegDepthColorMask, 0xF00)
				consistent(w)
				c.set(w)
				drawArrays(w)
				drawArrays(w)
			}))
			require.True(t, bytes.ContainsAny(colors(t, g), "\x01\x7F\xFF"), "the draw is drawn")
			w := g.Warnings()
			if c.want == "" {
				require.Empty(t, w)
				return
			}
			require.Len(t, w, 1)
			require.Equal(t, []int{0, 2}, []int{w[0].Draw, w[0].Count})
			require.Contains(t, w[0].Text, c.want)
		})
	}
}

// Programs of the vertex shader that are written while the GPU is set to draw may be lost on the console; those of the geometry shader are not.
func TestProgramWrittenWhileDrawingWarns(t *testing.T) {
	for _, id := range []pica.Reg{pica.RegVshCodetransferData0, pica.RegVshOpdescsData0, pica.RegVshEntrypoint} {
		for mode, wants := range map[uint32][2]int{0: {1, 0}, 1: {0, 0}} {
			for i, reg := range [2]pica.Reg{id, id - pica.OffsetVsh} {
				g := setUp(t, pipeline.Options{Workers: 1})
				require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
					w.Write(pica.RegStartDrawFunc0, mode)
					w.Write(reg, 0)
				}))
				require.Len(t, g.Warnings(), wants[i], "%v in mode %d", reg, mode)
			}
		}
	}
}

// Bit 0 of GPUREG_GEOSTAGE_CONFIG2 belongs to draws of arrays; with an index array a console counts twice.
func TestKindOfDrawWarns(t *testing.T) {
	for trigger, wants := range map[pica.Reg][2]string{pica.RegDrawarrays: {"the console needs it", ""}, pica.RegDrawelements: {"", "counts each index twice"}} {
		for bit, want := range wants {
			g := setUp(t, pipeline.Options{Workers: 1})
			require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
				w.Write(pica.RegGeostageConfig2, 0x100|uint32(bit))
				w.Write(trigger, 1)
			}))
			if w := g.Warnings(); want == "" {
				require.Empty(t, w, "%v with bit %d", trigger, bit)
			} else {
				require.Len(t, w, 1)
				require.Contains(t, w[0].Text, want)
			}
		}
	}
}
