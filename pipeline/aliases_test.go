package pipeline_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// If pixels share memory, triangles are drawn in order: memory equals that after drawing each triangle alone, for any worker count.
func TestOverlappingBuffersDrawInOrder(t *testing.T) {
	const color, depthApart, end = pica.VRAMBase + 0x10000, pica.VRAMBase + 0x100000, pica.VRAMBase + 0x200000
	for _, c := range []struct {
		name          string
		width, height uint32
		block32       uint32
		depth         uint32
	}{
		{"240x400 in tiles of 32", 240, 400, 1, depthApart},
		{"36x64", 36, 64, 0, depthApart},
		{"33x64", 33, 64, 0, depthApart},
		{"one row of tiles", 36, 8, 0, depthApart},
		{"depth on colour", 64, 64, 0, color},
		{"depth behind the first rows of colour", 64, 64, 0, color + 4*64*24 + 16},
		{"colour behind the first rows of depth", 64, 64, 0, color - 4*64*24},
		{"nothing shared", 64, 64, 0, color + 4*64*64},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n = 120
			rng := rand.New(rand.NewPCG(1, uint64(c.width)))
			var vertices []byte
			for range 3 * n {
				for i := range 7 {
					x := rng.Float32()
					switch {
					case i < 2:
						x = x*2 - 1
					case i == 2:
						x = -x
					}
					vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(x))
				}
			}
			draw := func(workers int, apart bool, see func(memory []byte)) {
				g := setUp(t, pipeline.Options{Workers: workers})
				defer g.Close()
				require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
				run(t, g, list(func(w *pica.CommandWriter) {
					setTarget(w, color, c.depth, c.width, c.height)
					w.Write(pica.RegFramebufferBlock32, c.block32)
					w.Write(pica.RegDepthColorMask, 0x1F61) // greater
					w.Write(pica.RegBlendFunc, 0x76760000)  // blend by alpha
					each := uint32(3 * n)
					if apart {
						each = 3
					}
					for first := uint32(0); first < 3*n; first += each {
						w.Write(pica.RegVertexOffset, first)
						w.Write(pica.RegNumvertices, each)
						w.Write(pica.RegDrawarrays, 1)
						if apart {
							w.Write(pica.RegGasFeedback, 0) // flushes the queue
						}
					}
				}))
				memory := testkit.Must(g.Read(color-0x8000, end-color+0x8000))(t)
				require.Greater(t, g.TakeStats().Fragments, uint64(100))
				see(memory)
			}
			var want []byte
			draw(1, true, func(memory []byte) { want = bytes.Clone(memory) })
			for _, workers := range []int{1, 2, 7} {
				for range 3 {
					draw(workers, false, func(memory []byte) {
						require.True(t, bytes.Equal(want, memory), "%d workers", workers)
					})
				}
			}
		})
	}
}
