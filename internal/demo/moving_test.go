package demo

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
)

// TestMovingScene replays some frames: after the first one no program is compiled, and once all buffers have grown, draws allocate
// nothing.
func TestMovingScene(t *testing.T) {
	const frames = 4
	data, err := Moving(t.Context(), frames, false)
	require.NoError(t, err)
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	p, err := pipeline.NewPlayer(trace, pipeline.Options{Workers: 1})
	require.NoError(t, err)
	defer p.GPU.Close()
	var pictures []string
	var all pipeline.Stats
	replay := func() {
		require.NoError(t, p.Rewind())
		all, pictures = pipeline.Stats{}, pictures[:0]
		for i := 0; ; i++ {
			f, err := p.NextFrame(t.Context())
			if err == io.EOF {
				return
			}
			require.NoError(t, err)
			require.Equal(t, movingDraws, f.Stats.Draws)
			if i > 0 {
				require.Zero(t, f.Stats.Compiled, "frame %d compiles programs", i)
				require.NotZero(t, f.Stats.Decoded, "the streamed texture of frame %d", i)
			}
			all.Add(&f.Stats)
		}
	}
	replay()
	require.NotZero(t, all.Compiled)
	require.Greater(t, all.Fragments, uint64(frames*20000))
	n := testing.AllocsPerRun(2, replay)
	require.Zero(t, all.Compiled)
	require.LessOrEqual(t, n, 40.0*frames, "allocations in a replay of %d draws", frames*movingDraws)

	require.NoError(t, p.Rewind())
	for {
		_, err := p.NextFrame(t.Context())
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		pictures = append(pictures, string(p.GPU.Screen(pipeline.ScreenTop).Pix))
	}
	require.Len(t, pictures, frames)
	for i := range pictures[1:] {
		require.NotEqual(t, pictures[i], pictures[i+1], "successive frames differ")
	}
}
