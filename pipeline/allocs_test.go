package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// TestSteadyStateAllocatesNothing replays recorded traces again and again: once
// buffers have grown and states are compiled, nothing is allocated any more.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs", "b_game", "b_state", "b_vertex", "x_shadow", "particles") {
		t.Run(file.Name, func(t *testing.T) {
			p, err := NewPlayer(readTrace(t, file), Options{Workers: 1})
			require.NoError(t, err)
			n := testing.AllocsPerRun(3, func() {
				require.NoError(t, p.Rewind())
				for range p.Frames() {
					_, err := p.NextFrame(context.Background())
					require.NoError(t, err)
				}
			})
			require.LessOrEqual(t, n, 20.0, "allocations in a replay of %d draws", p.Frames())
		})
	}
}
