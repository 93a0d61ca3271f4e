package pipeline_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
)

// A procedural texture of one colour in a draw does not affect one with levels of detail in the next: the second trace looks the same on a
// GPU that has drawn the first.
func TestProceduralTextureAfterUniformColor(t *testing.T) {
	const seed = 540622
	first, second := states.Parse(t, states.MakeFailing(seed)), states.Parse(t, states.Make(seed))
	var memory [2][]byte
	for i := range memory {
		g := pipeline.New(pipeline.Options{Workers: 1, FCRAM: pica.FCRAMSize})
		p := pipeline.Player{GPU: g, Trace: first}
		if i == 1 {
			require.NoError(t, p.Rewind())
			_, err := p.NextFrame(context.Background())
			require.Error(t, err)
		}
		p = pipeline.Player{GPU: g, Trace: second}
		require.NoError(t, p.Rewind())
		for range second.Frames() {
			if _, err := p.NextFrame(context.Background()); err != nil {
				break
			}
		}
		data, err := g.Read(pica.FCRAMBase, states.FCRAM)
		require.NoError(t, err)
		memory[i] = append(memory[i], data...)
		g.Close()
	}
	require.True(t, string(memory[0]) == string(memory[1]))
}
