package pipeline_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// A draw whose vertices or indices lie in its own target draws as from a copy elsewhere, for any number of parts, queue and worker
// count.
func TestVerticesInsideOwnTarget(t *testing.T) {
	const (
		color, depth  = pica.FCRAMBase + 0x1000000, pica.FCRAMBase + 0x1200000
		inside, apart = depth - 0x40000, pica.FCRAMBase + 0x2000000 // the arrays extend into the depth buffer
		size          = 512                                         // width and height in pixels
		vertices      = 200_000
		indices       = 3<<16 + 1<<16
	)
	rng := rand.New(rand.NewPCG(7, 11))
	var mesh []byte // x, y, z, w and a colour, as bytes: small triangles side by side
	for i := range vertices / 3 {
		x, y := i%240-120, i/240%240-120
		for range 3 {
			mesh = append(mesh, byte(x+rng.IntN(9)-4), byte(y+rng.IntN(9)-4), byte(-20-rng.IntN(80)), 127, byte(i), byte(rng.IntN(2)), 1, 1)
		}
	}
	var index []byte
	for i := range indices {
		index = binary.LittleEndian.AppendUint16(index, uint16(i+rng.IntN(3)))
	}
	const indexAt = 0x60000 // offset in the arrays: completely in the depth buffer
	for _, c := range []struct {
		name      string
		kind      pica.Reg
		primitive pica.PrimitiveMode
		n         uint32
	}{
		{"arrays", pica.RegDrawarrays, pica.PrimitiveTriangles, vertices / 3 * 3},
		{"a strip of arrays", pica.RegDrawarrays, pica.PrimitiveTriangleStrip, vertices / 3},
		{"elements", pica.RegDrawelements, pica.PrimitiveTriangles, indices / 3 * 3},
		{"a strip of elements", pica.RegDrawelements, pica.PrimitiveTriangleStrip, indices},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := mesh
			if c.kind == pica.RegDrawelements {
				content = append([]byte(nil), mesh...)
				copy(content[indexAt:], index)
			}
			draw := func(at uint32, o pipeline.Options, before int, see func(drawn []byte)) {
				g := setUp(t, o)
				defer g.Close()
				require.NoError(t, g.Load(t.Context(), inside, content))
				require.NoError(t, g.Load(t.Context(), apart, content))
				arrays := func(w *pica.CommandWriter, at uint32) {
					w.WriteRun(pica.RegAttribbuffersLoc, at>>3, 0xDC, 1<<28) // four bytes each
					w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0x10, 2<<28|8<<16)
				}
				run(t, g, list(func(w *pica.CommandWriter) {
					setTarget(w, color, depth, size, size)
					w.Write(pica.RegDepthbufferFormat, uint32(pica.DepthFormatD24S8))
					// Draws that only write colours, and may be queued.
					w.Write(pica.RegDepthColorMask, 0xF11)
					arrays(w, apart)
					w.Write(pica.RegNumvertices, 30_000)
					for range before {
						w.Write(pica.RegDrawarrays, 1)
					}
					w.Write(pica.RegDepthColorMask, 0x1F11) // depth: written always
					w.Write(pica.RegPrimitiveConfig, uint32(c.primitive)<<8)
					w.Write(pica.RegRestartPrimitive, 1)
					arrays(w, at)
					w.Write(pica.RegIndexbufferConfig, 1<<31|indexAt)
					w.Write(pica.RegNumvertices, c.n)
					w.Write(c.kind, 1)
				}))
				data := testkit.Must(g.Read(color, depth-color+size*size*4))(t)
				require.Greater(t, g.TakeStats().Fragments, uint64(100_000))
				see(data)
			}
			for before := 0; before < 3; before += 2 {
				var want []byte
				draw(apart, pipeline.Options{Workers: 1}, before, func(drawn []byte) { want = bytes.Clone(drawn) })
				for i, o := range []pipeline.Options{{Workers: 1}, {Workers: 1, PlainKernels: true}, {Workers: 7}} {
					if testkit.Short() && i != before {
						continue // one of them per case
					}
					draw(inside, o, before, func(drawn []byte) {
						require.True(t, bytes.Equal(want, drawn), "%+v, %d draws before it", o, before)
					})
				}
			}
		})
	}
}
