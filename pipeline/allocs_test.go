package pipeline_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/internal/demo"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// measured returns all recorded traces, our own, and the scenes that are recorded for measuring.
func measured(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, still := range map[string]bool{"still": true, "moving": false} {
		all[name] = testkit.Must(demo.Moving(t.Context(), 3, still))(t)
	}
	for i := range demo.Recordings {
		all[demo.Recordings[i].Name] = testkit.Must(demo.Recordings[i].Trace(t.Context(), 3))(t)
	}
	for _, file := range testkit.Traces(t) {
		all[file.Name] = file.Read(t)
	}
	return all
}

// TestSteadyStateAllocatesNothing replays every trace repeatedly: once buffers have grown and states are compiled, nothing is
// allocated, neither where draws find the values of earlier ones nor where all are computed anew. With several workers there are a
// few allocations, for example for waiting goroutines, but none per loop; a frame has hundreds of loops.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	for name, data := range measured(t) {
		t.Run(name, func(t *testing.T) {
			trace := states.Parse(t, data)
			for _, c := range []struct {
				workers int
				anew    bool
				most    float64
			}{{1, false, 0}, {1, true, 0}, {3, false, 100}} {
				p := pipeline.PlayerFor(t, trace, pipeline.Options{Workers: c.workers})
				p.GPU.MakeAnew(c.anew)
				for range 2 {
					again(t, p)
				}
				c.most += 3 * float64(len(p.GPU.Warnings())) // their list is made anew after going back
				require.LessOrEqual(t, testing.AllocsPerRun(2, func() { again(t, p) }), c.most, "%d workers, anew: %v", c.workers, c.anew)
			}
		})
	}
}

// again draws all frames from the first on. It returns the number of programs compiled.
func again(t testing.TB, p *pipeline.Player) (compiled uint64) {
	require.NoError(t, p.Rewind())
	for range p.Frames() {
		f, err := p.NextFrame(context.Background())
		require.NoError(t, err)
		compiled += f.Stats.Compiled
	}
	return compiled
}

// TestRecompiledProgramsDrawTheSame computes values for each draw anew and recompiles programs: the pictures are the same.
func TestRecompiledProgramsDrawTheSame(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "b_state") {
		t.Run(file.Name, func(t *testing.T) {
			p := pipeline.PlayerFor(t, states.Parse(t, file.Read(t)), pipeline.Options{Workers: 1})
			pixels := func() []byte { return testkit.Must(p.GPU.Read(p.GPU.LastTargetMemory()))(t) }
			first := again(t, p)
			require.NotZero(t, first)
			want := slices.Clone(pixels())
			p.GPU.MakeAnew(true)
			require.Zero(t, again(t, p), "new values compile no programs")
			require.Equal(t, want, pixels())
			require.NoError(t, p.GPU.ForgetPrograms(t.Context()))
			compiled := again(t, p)
			require.Equal(t, want, pixels())
			require.NotZero(t, compiled)
			require.LessOrEqual(t, compiled, first)
		})
	}
}

// BenchmarkManyCores prints how many times as fast 2, 4, 8 and 16 workers draw, by simulation, and with 2 also measured.
func BenchmarkManyCores(b *testing.B) {
	traces := testkit.Named(b, "b_vertex", "b_tiny", "b_state", "b_game", "b_fill", "b_light")
	moving := testkit.Must(demo.Moving(b.Context(), 1, false))(b)
	for i := range len(traces) + 1 {
		name, data := "moving", moving
		if i < len(traces) {
			name, data = traces[i].Name, traces[i].Read(b)
		}
		b.Run(name, func(b *testing.B) {
			trace := states.Parse(b, data)
			var took [3]time.Duration
			for w := 1; w <= 2; w++ {
				p := pipeline.PlayerFor(b, trace, pipeline.Options{Workers: w})
				took[w] = 1 << 62
				for range 30 {
					start := time.Now()
					again(b, p)
					took[w] = min(took[w], time.Since(start))
				}
			}
			p := pipeline.PlayerFor(b, trace, pipeline.Options{Workers: 16})
			events := pipeline.Follow(p, 30, func() { again(b, p) })
			one := pipeline.Simulate(events, 1)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(took[1].Microseconds())/1000, "ms")
			b.ReportMetric(float64(one.Microseconds())/1000, "ms(simulated)")
			b.ReportMetric(float64(took[1])/float64(took[2]), "x2(measured)")
			for _, w := range []int{2, 4, 8, 16} {
				b.ReportMetric(float64(one)/float64(pipeline.Simulate(events, w)), fmt.Sprintf("x%d", w))
			}
		})
	}
}
