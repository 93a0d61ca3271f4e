package pipeline_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// A write waits for background draws that read or write the same memory, and for no others.
func TestWritesWaitForBackgroundDraws(t *testing.T) {
	const texels, elsewhere, indexAddr = pica.FCRAMBase + 0x200000, pica.FCRAMBase + 0x300000, pica.FCRAMBase + 0x100000
	const inPage = texels + 0x140800 // another texture, in the middle of a page
	indices := bytes.Repeat([]byte{0, 1, 2}, 512)
	type access func(t *testing.T, g *pipeline.GPU) error
	load := func(addr uint32) access {
		return func(t *testing.T, g *pipeline.GPU) error { return g.Load(t.Context(), addr, make([]byte, 64)) }
	}
	transfer := func(src, dst uint32) access {
		return func(t *testing.T, g *pipeline.GPU) error {
			return g.Transfer(t.Context(), pipeline.Transfer{Src: src, Dst: dst, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true})
		}
	}
	written := func(pairs ...uint32) access {
		return func(t *testing.T, g *pipeline.GPU) error { return writes(t, g, pairs...) }
	}
	copied := func(src uint32) access {
		return written(pica.ExtTransferInput, src>>3, pica.ExtTransferOutput, elsewhere>>3, pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 256, pica.ExtTransferStart, 1)
	}
	for _, c := range []struct {
		name   string
		does   access
		waited bool
	}{
		{"nothing", func(*testing.T, *pipeline.GPU) error { return nil }, false},
		{"a load elsewhere", load(elsewhere), false},
		{"a load over a texture", load(texels + 32), true},
		{"a load beside a texture, on its page", load(texels + 4032), true},
		{"a load before a texture, on its page", load(inPage - 0x400), true},
		{"a load to the page before a texture's", load(inPage - 0x840), false},
		{"a load behind a texture's page", load(texels + 4096), false},
		{"a load to the end of the page before", load(texels - 64), false},
		{"a load over the target", load(pica.VRAMBase), true},
		{"a transfer over a texture", transfer(elsewhere, texels+32), true},
		{"a transfer over the target", transfer(elsewhere, pica.VRAMBase+0x800), true},
		{"a transfer of the target", transfer(pica.VRAMBase, elsewhere), true},
		{"a transfer of the texture", transfer(texels, elsewhere), false},
		{"a copy over the texture", func(t *testing.T, g *pipeline.GPU) error {
			return g.CopyTexture(t.Context(), pipeline.TextureCopy{Src: elsewhere, Dst: texels, Size: 64, InLine: 64, OutLine: 64})
		}, true},
		{"a fill over a texture", written(pica.ExtMemfillStart, texels>>3, pica.ExtMemfillEnd, (texels+64)>>3, pica.ExtMemfillControl, 0x201), true},
		{"a copy of the target", copied(pica.VRAMBase), true},
		{"a copy of the texture", copied(texels), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 2})
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
			require.NoError(t, c.does(t, g))
			require.Equal(t, !c.waited, g.InBackground())
			require.NoError(t, g.Finish(t.Context()))
			require.False(t, g.InBackground())
		})
	}
}

// The maximum density of queued or background gas draws is written to the feedback register before a program's own write, never
// after it: the program's value stays until the next gas draw.
func TestGasFeedbackPrecedesProgramWrites(t *testing.T) {
	const indexAddr = pica.FCRAMBase + 0x100000
	indices := bytes.Repeat([]byte{0, 1, 2}, 512)
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
			require.Greater(t, pica.GasFeedback.FloatOf(twice), pica.GasFeedback.FloatOf(once), "two draws leave a greater density than one")

			g = set()
			queue(g)
			write(g, pica.RegGasFeedback, 0)
			require.NoError(t, g.Finish(t.Context()))
			require.Zero(t, g.ReadInternal(pica.RegGasFeedback), "the program's 0 is written after the queued draw")
			queue(g)
			require.Equal(t, twice, g.ReadInternal(pica.RegGasFeedback), "the next draw's maximum is written after the 0")
		})
	}
}
