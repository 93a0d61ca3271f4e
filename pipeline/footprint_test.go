package pipeline_test

import (
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// A GPU's memory use stays within its stated bounds, whatever is drawn.
func TestFootprintIsBounded(t *testing.T) {
	testkit.Slow(t)
	if testkit.Race {
		t.Skip("it counts bytes; TestStates draws the same things under the race detector")
	}
	for _, c := range []struct {
		name string
		draw func(t *testing.T, g *pipeline.GPU)
		want func(h pipeline.Footprint) int // the memory that must have been used
	}{
		{"textures", func(t *testing.T, g *pipeline.GPU) {
			run(t, g, list(func(w *pica.CommandWriter) {
				for i := range uint32(80) {
					textured(w, pica.FCRAMBase+0x100000+i*128, 1024, 1024, pica.TextureFormatA4)
					w.Write(pica.RegDrawarrays, 1)
				}
			}))
		}, func(h pipeline.Footprint) int { return h.Textures }},
		{"textures of draws that are culled", func(t *testing.T, g *pipeline.GPU) {
			inPieces(t, g, 3000, func(w *pica.CommandWriter, i uint32) {
				w.Write(pica.RegFacecullingConfig, 1+i%2) // draws one of the two triangles
				w.Write(pica.RegNumvertices, 3)
				textured(w, pica.FCRAMBase+0x100000+i*0x1000, 8, 8, pica.TextureFormatA4)
				w.Write(pica.RegDrawarrays, 1)
			})
		}, func(h pipeline.Footprint) int { return h.Textures }},
		{"states", func(t *testing.T, g *pipeline.GPU) {
			inPieces(t, g, 20000, func(w *pica.CommandWriter, i uint32) {
				w.Write(pica.RegNumvertices, 3)
				w.Write(pica.RegTexenv0Source, 0x000E000E)
				w.Write(pica.RegTexenv0Color, i)
				w.Write(pica.RegDrawarrays, 1)
			})
		}, func(h pipeline.Footprint) int { return h.Programs }},
		{"many draws between two flushes", func(t *testing.T, g *pipeline.GPU) {
			inPieces(t, g, 20000, func(w *pica.CommandWriter, i uint32) {
				w.Write(pica.RegNumvertices, 3)
				w.Write(pica.RegScissortestPos, i&1)
				w.Write(pica.RegDrawarrays, 1)
			})
		}, func(h pipeline.Footprint) int { return h.Queues }},
		{"high triangles, many of them cut", func(t *testing.T, g *pipeline.GPU) {
			var vertices, indices []byte
			for i := range 64 {
				x := float32(i%8)/4 - 1
				for k, v := range [7]float32{x, [2]float32{-3, 3}[i/8%2], -0.5, 1, 1, 1, 1} {
					if k == 0 && i/16%2 == 1 {
						v += 0.02
					}
					vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(v))
				}
			}
			const n = 70000
			for i := range n {
				indices = append(indices, byte((i*i+i/5)%64))
			}
			const indexAddr = pica.FCRAMBase + 0x100000
			require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
			require.NoError(t, g.Load(t.Context(), indexAddr, indices))
			run(t, g, list(func(w *pica.CommandWriter) {
				setTarget(w, pica.VRAMBase, pica.VRAMBase+0x200000, 8, 1024)
				w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
				w.Write(pica.RegPrimitiveConfig, uint32(pica.PrimitiveTriangleStrip)<<8)
				w.Write(pica.RegRestartPrimitive, 1)
				w.Write(pica.RegNumvertices, n)
				w.Write(pica.RegDrawelements, 1)
			}))
		}, func(h pipeline.Footprint) int { return h.Queues }},
		{"a long list", func(t *testing.T, g *pipeline.GPU) {
			const n = 64 << 20
			err := g.RunList(t.Context(), pica.FCRAMBase+0x1000000, n) // a list of zeros
			require.ErrorIs(t, err, pica.ErrHang)
		}, func(h pipeline.Footprint) int { return h.Sum() + 1 }}, // the buffer was released
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				g := setUp(t, pipeline.Options{Workers: workers})
				bounds, most := g.FootprintBounds(), 0
				require.Less(t, bounds.Sum(), 1<<30)
				check := func() {
					held := g.Footprint()
					require.True(t, held.Within(bounds), "held %+v, bounds %+v", held, bounds)
					most = max(most, c.want(held))
				}
				g.BeforeDraw = func(*pipeline.DrawInfo) error { check(); return nil }
				c.draw(t, g)
				check()
				require.Positive(t, most)
				require.NoError(t, g.Finish(context.Background()))
				check()
				s := g.TakeStats()
				t.Logf("%d draws, %d triangles, %d flushes; %v", s.Draws, s.Geometry.Triangles, s.Flushes, g.Warnings())
				t.Logf("%d workers: at most %d KB", workers, most>>10)
			}
			runtime.GC()
		})
	}
}

// inPieces runs n pieces of command lists, 500 per list.
func inPieces(t *testing.T, g *pipeline.GPU, n uint32, piece func(w *pica.CommandWriter, i uint32)) {
	for from := uint32(0); from < n; from += 500 {
		run(t, g, list(func(w *pica.CommandWriter) {
			for i := from; i < min(from+500, n); i++ {
				piece(w, i)
			}
		}))
	}
}
