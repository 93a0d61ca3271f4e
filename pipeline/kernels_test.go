package pipeline

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Each GPU selects its kernels: two in one process draw at the same time, one with vector and one with plain kernels, and draw the
// same.
func TestGPUsChooseTheirKernels(t *testing.T) {
	trace := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	pictures := make([]string, 4)
	var wait sync.WaitGroup
	for i := range pictures {
		wait.Go(func() {
			p, err := NewPlayer(trace, Options{Workers: 2, PlainKernels: i%2 == 1})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := p.NextFrame(context.Background()); err != nil {
				t.Error(err)
				return
			}
			target, err := p.GPU.LastTarget()
			if err != nil {
				t.Error(err)
				return
			}
			want := simd.Best
			if i%2 == 1 {
				want = simd.Plain
			}
			for part, got := range map[string]simd.Kernels{
				"target": target.Kernels, "fragments": p.GPU.engine.Kernels, "queue": p.GPU.queues.queue.Kernels, "spare": p.GPU.queues.spare.Kernels, "shaders": p.GPU.stage.Kernels(),
			} {
				if got != want {
					t.Errorf("%s: kernels %d, want %d", part, got, want)
				}
			}
			pictures[i] = string(target.Color)
		})
	}
	wait.Wait()
	for _, p := range pictures {
		require.True(t, p == pictures[0])
	}
}
