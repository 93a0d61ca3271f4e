package pipeline_test

import (
	"errors"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestRedrawAfterChangeEqualsNewGPU draws, changes one thing and draws again: the result equals that of a new GPU with the memory and state before the
// second draw, for any worker count and queue.
func TestRedrawAfterChangeEqualsNewGPU(t *testing.T) {
	const seeds = 100 // maximum
	mattered := 2     // pictures that must show the change
	if testkit.Short() {
		mattered = 1
	}
	for _, change := range states.Changes() {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			matters := 0
			for seed := uint64(0); seed < seeds && matters < mattered; seed++ {
				first, changed, again := states.Redraw(change, seed)
				draw := func(workers int, first func(g *pipeline.GPU), second []byte) (outcome, uint32) {
					g := pipeline.New(pipeline.Options{Workers: workers, FCRAM: states.FCRAM})
					defer g.Close()
					first(g)
					play(t, g, second)
					return finished(t, g), pictureSum(t, g)
				}
				before := pipeline.New(pipeline.Options{Workers: 1, FCRAM: states.FCRAM})
				play(t, before, first)
				require.NoError(t, before.Finish(t.Context()))
				takeOver := func(g *pipeline.GPU) { g.TakeOver(before) }
				want, shown := draw(1, takeOver, changed)
				if _, without := draw(1, takeOver, again); shown != without {
					matters++
				}
				before.Close()
				for _, workers := range []int{1, 2, 7} {
					got, _ := draw(workers, func(g *pipeline.GPU) { play(t, g, first) }, changed)
					require.Empty(t, got.difference(&want), "seed %d, %d workers", seed, workers)
				}
			}
			require.GreaterOrEqual(t, matters, mattered, "number of pictures that show the change")
		})
	}
}

// play executes a trace on a GPU in its current state.
func play(t *testing.T, g *pipeline.GPU, data []byte) {
	t.Helper()
	trace := testkit.Must(citrace.Parse(data))(t)
	for _, e := range trace.Elements {
		switch e.Type {
		case citrace.MemoryLoad:
			require.NoError(t, g.Load(t.Context(), e.Address, trace.Payload(e)))
		case citrace.RegisterWrite:
			// A transfer that would hang the console does nothing.
			if err := g.WriteRegister(t.Context(), e.Address, e.Value, e.Width); !errors.Is(err, pica.ErrHang) {
				require.NoError(t, err)
			}
		}
	}
}

// pictureSum is a checksum of the last target.
func pictureSum(t *testing.T, g *pipeline.GPU) uint32 {
	t.Helper()
	target := testkit.Must(g.LastTarget())(t)
	return crc32.Update(crc32.ChecksumIEEE(target.Color), crc32.IEEETable, target.Depth)
}

// finished finishes queued draws and returns the outcome.
func finished(t *testing.T, g *pipeline.GPU) (out outcome) {
	t.Helper()
	require.NoError(t, g.Finish(t.Context()))
	out.poll(g)
	out.Warnings, out.State = nil, 0 // warnings of the first draw and the geometry stage are not copied
	return out
}
