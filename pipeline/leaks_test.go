package pipeline_test

import (
	"bytes"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

var failures = flag.Int("failures", 6, "GPUs that end in an error before TestFailedGPULeaksNoPicture looks at the next")

// failing is a GPU whose list ends in an error during large draws to a target in main memory, with loads and fills around them.
func failing(t *testing.T, workers, n int) *pipeline.GPU {
	t.Helper()
	target := uint32(pica.FCRAMBase + 0x400000 + n%3*0x200000)
	const indexAddr = pica.FCRAMBase + 0x100000
	indices := bytes.Repeat([]byte{0, 1, 2, 3, 4, 5}, 512)
	g := setUp(t, pipeline.Options{Workers: workers})
	require.NoError(t, g.Load(t.Context(), indexAddr, indices))
	require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: target - 0x1000, End: target, Value: 0x12345678, Bits: 32}))
	err := drawWith(t, g, func(w *pica.CommandWriter) {
		setTarget(w, target, target+0x100000, 512, 512)
		w.Write(pica.RegDepthColorMask, 0x1F61)
		w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
		w.Write(pica.RegNumvertices, uint32(len(indices)))
		for range 2 {
			w.Write(pica.RegDrawelements, 1)
		}
		w.WriteRun(pica.RegCmdbufSize0, 0, 0, 0)
		w.Write(pica.RegCmdbufJump0, 1) // jumps to an address without a list
	})
	require.Error(t, err)
	return g
}

// clean requires that all memory of a GPU is 0.
func clean(t *testing.T, g *pipeline.GPU, what string) {
	t.Helper()
	for _, r := range [][2]uint32{{pica.FCRAMBase, pica.FCRAMSize}, {pica.VRAMBase, pica.VRAMSize}} {
		all := testkit.Must(g.Peek(r[0], r[1]))(t)
		testkit.Zero(t, all, what)
	}
}

// A GPU that ended in an error leaves no data to the next one, nor to itself after Reset: neither loads nor background draws.
func TestFailedGPULeaksNoPicture(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			for n := range *failures / 3 {
				g := failing(t, workers, n)
				if n%2 == 0 {
					g.Reset()
					clean(t, g, "reset after an error")
				}
				g.Close()
				// Two GPUs: one of them may have unused memory.
				next, other := pipeline.New(pipeline.Options{Workers: workers}), pipeline.New(pipeline.Options{Workers: workers})
				clean(t, next, "the GPU after one that failed")
				clean(t, other, "the GPU after the next")
				next.Close()
				other.Close()
			}
		})
	}
}
