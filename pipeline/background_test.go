package pipeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// A write waits for background draws that read or write the same memory, and for no others.
func TestBackgroundDraws(t *testing.T) {
	const texels, elsewhere, indexAddr = pica.FCRAMBase + 0x200000, pica.FCRAMBase + 0x300000, pica.FCRAMBase + 0x100000
	const inPage = texels + 0x140800 // another texture, in the middle of a page
	indices := make([]byte, 3<<9)
	for i := range indices {
		indices[i] = byte(i % 3)
	}
	for _, c := range []struct {
		name   string
		does   func(t *testing.T, g *pipeline.GPU)
		waited bool
	}{
		{"nothing", func(*testing.T, *pipeline.GPU) {}, false},
		{"a load elsewhere", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), elsewhere, make([]byte, 64)))
		}, false},
		{"a load over a texture", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), texels+32, make([]byte, 64)))
		}, true},
		{"a load beside a texture, on its page", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), texels+4032, make([]byte, 64)))
		}, true},
		{"a load before a texture, on its page", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), inPage-0x400, make([]byte, 64)))
		}, true},
		{"a load to the page before a texture's", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), inPage-0x840, make([]byte, 64)))
		}, false},
		{"a load behind a texture's page", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), texels+4096, make([]byte, 64)))
		}, false},
		{"a load to the end of the page before", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), texels-64, make([]byte, 64)))
		}, false},
		{"a transfer over a texture", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Transfer(t.Context(), pipeline.Transfer{Src: elsewhere, Dst: texels + 32, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true}))
		}, true},
		{"a transfer over the target", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Transfer(t.Context(), pipeline.Transfer{Src: elsewhere, Dst: pica.VRAMBase + 0x800, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true}))
		}, true},
		{"a transfer of the target", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Transfer(t.Context(), pipeline.Transfer{Src: pica.VRAMBase, Dst: elsewhere, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true}))
		}, true},
		{"a transfer of the texture", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Transfer(t.Context(), pipeline.Transfer{Src: texels, Dst: elsewhere, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true}))
		}, false},
		{"a copy over the texture", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.CopyTexture(t.Context(), pipeline.TextureCopy{Src: elsewhere, Dst: texels, Size: 64, InLine: 64, OutLine: 64}))
		}, true},
		{"a load over the target", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, g.Load(t.Context(), pica.VRAMBase, make([]byte, 64)))
		}, true},
		{"a fill over a texture", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, writes(t, g, pica.ExtMemfillStart, texels>>3, pica.ExtMemfillEnd, (texels+64)>>3, pica.ExtMemfillControl, 0x201))
		}, true},
		{"a copy of the target", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, elsewhere>>3,
				pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 256, pica.ExtTransferStart, 1))
		}, true},
		{"a copy of the texture", func(t *testing.T, g *pipeline.GPU) {
			require.NoError(t, writes(t, g, pica.ExtTransferInput, texels>>3, pica.ExtTransferOutput, elsewhere>>3,
				pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 256, pica.ExtTransferStart, 1))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 2})
			defer g.Close()
			require.NoError(t, g.Load(t.Context(), indexAddr, indices))
			run(t, g, list(func(w *pica.CommandWriter) {
				w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
				textured(w, inPage, 8, 8, pica.TextureFormatRGBA8)
				w.Write(pica.RegNumvertices, 3)
				w.Write(pica.RegDrawelements, 1)
				textured(w, texels, 8, 8, pica.TextureFormatRGBA8)
				w.Write(pica.RegNumvertices, uint32(len(indices)))
				w.Write(pica.RegDrawelements, 1)
			}))
			require.True(t, g.InBackground())
			c.does(t, g)
			require.Equal(t, !c.waited, g.InBackground())
			require.NoError(t, g.Finish(t.Context()))
			require.False(t, g.InBackground())
		})
	}
}

// The maximum density of queued or background gas draws is written to the feedback register before a program's own write, never
// after it: the program's value stays until the next gas draw.
func TestGasFeedbackIsInOrder(t *testing.T) {
	const indexAddr = pica.FCRAMBase + 0x100000
	indices := make([]byte, 3<<9)
	for i := range indices {
		indices[i] = byte(i % 3)
	}
	for _, c := range []struct {
		name       string
		workers    int
		vertices   int
		background bool
	}{{"queued", 1, 3, false}, {"in the background", 2, len(indices), true}} {
		t.Run(c.name, func(t *testing.T) {
			set := func() *pipeline.GPU {
				g := setUp(t, pipeline.Options{Workers: c.workers})
				require.NoError(t, g.Load(t.Context(), indexAddr, indices))
				run(t, g, list(func(w *pica.CommandWriter) {
					w.Write(pica.RegColorOperation, uint32(pica.FragmentModeGas))
					w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
					w.Write(pica.RegNumvertices, uint32(c.vertices))
				}))
				return g
			}
			write := func(g *pipeline.GPU, id pica.Reg, value uint32) {
				require.NoError(t, g.WriteInternal(t.Context(), id, value))
			}
			queue := func(g *pipeline.GPU) {
				write(g, pica.RegDrawelements, 1)
				require.True(t, g.Queued())
				require.Equal(t, c.background, g.InBackground())
			}
			g := set()
			queue(g)
			once := g.ReadInternal(pica.RegGasFeedback)
			require.Positive(t, pica.GasFeedback.FloatOf(once))
			queue(g)
			twice := g.ReadInternal(pica.RegGasFeedback)
			require.Greater(t, pica.GasFeedback.FloatOf(twice), pica.GasFeedback.FloatOf(once), "densities add up")

			g = set()
			queue(g)
			write(g, pica.RegGasFeedback, 0)
			require.NoError(t, g.Finish(t.Context()))
			require.Zero(t, g.ReadInternal(pica.RegGasFeedback), "the draw came before the 0")
			queue(g)
			require.Equal(t, twice, g.ReadInternal(pica.RegGasFeedback), "the next comes after it")
		})
	}
}
