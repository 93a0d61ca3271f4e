package pipeline

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
)

// TestSteadyStateAllocatesNothing replays recorded traces again and again: once
// buffers have grown and states are compiled, nothing is allocated any more.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, name := range []string{"b_game", "b_state", "b_vertex", "x_shadow", "particles"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../shared/conformance/traces/" + name + ".ctf")
			if err != nil {
				t.Skip("no recorded traces in ../shared/conformance")
			}
			trace, err := citrace.Parse(data)
			require.NoError(t, err)
			p, err := NewPlayer(trace, Options{Workers: 1})
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
