package pipeline

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestSteadyStateAllocatesNothing replays traces repeatedly: once buffers have grown and states are compiled, nothing is allocated.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs", "b_game", "b_state", "b_vertex", "x_shadow", "particles") {
		t.Run(file.Name, func(t *testing.T) {
			require.LessOrEqual(t, replayAllocations(t, file, 1), 20.0, "allocations in a replay")
		})
	}
}

// With several workers there are a few allocations, for example for waiting goroutines, but none per loop; a frame has hundreds of
// loops.
func TestWorkersAllocateNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	for _, file := range testkit.Named(t, "lights", "b_game") {
		t.Run(file.Name, func(t *testing.T) {
			require.LessOrEqual(t, replayAllocations(t, file, 3), 60.0, "allocations in a replay")
		})
	}
}

// replayAllocations counts allocations of replays with warm caches.
func replayAllocations(t *testing.T, file testkit.Trace, workers int) float64 {
	p := PlayerFor(t, states.Parse(t, file.Read(t)), Options{Workers: workers})
	return testing.AllocsPerRun(3, func() {
		require.NoError(t, p.Rewind())
		for range p.Frames() {
			_, err := p.NextFrame(context.Background())
			require.NoError(t, err)
		}
	})
}

// TestRecompiledProgramsDrawTheSame rebuilds values for each draw and recompiles programs: the pictures are the same, and rebuilding allocates nothing.
func TestRecompiledProgramsDrawTheSame(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "b_state") {
		t.Run(file.Name, func(t *testing.T) {
			p := PlayerFor(t, states.Parse(t, file.Read(t)), Options{Workers: 1})
			replay := func() (pixels []byte, compiled uint64) {
				require.NoError(t, p.Rewind())
				for range p.Frames() {
					f, err := p.NextFrame(context.Background())
					require.NoError(t, err)
					compiled += f.Stats.Compiled
				}
				pixels, err := p.GPU.Read(p.GPU.LastTargetMemory())
				require.NoError(t, err)
				return pixels, compiled
			}
			want, first := replay()
			want = slices.Clone(want)
			require.NotZero(t, first)
			p.GPU.MakeAnew(true)
			got, compiled := replay()
			require.Equal(t, want, got)
			require.Zero(t, compiled, "new values compile no programs")
			n := testing.AllocsPerRun(3, func() { replay() })
			require.LessOrEqual(t, n, 30.0, "rebuilding values allocates nothing per draw")
			require.NoError(t, p.GPU.ForgetPrograms(t.Context()))
			got, compiled = replay()
			require.Equal(t, want, got)
			require.NotZero(t, compiled)
			require.LessOrEqual(t, compiled, first)
		})
	}
}
