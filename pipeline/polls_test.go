package pipeline_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// polled is a context that is cancelled after it was checked left times.
type polled struct {
	context.Context
	left int
	done chan struct{}
}

func (c *polled) poll() {
	if c.left--; c.left == 0 {
		close(c.done)
	}
}

func (c *polled) Done() <-chan struct{} { c.poll(); return c.done }

func (c *polled) Err() error {
	if c.poll(); c.left <= 0 {
		return context.Canceled
	}
	return nil
}

// A draw that is cancelled at any check ends with the context's error and an empty queue, and the GPU can draw on.
func TestCancelAtEveryCheck(t *testing.T) {
	const indexAddr = pica.FCRAMBase + 0x100000
	indices := bytes.Repeat([]byte{0, 1, 2, 3, 4, 5}, 20_000)
	for _, workers := range []int{1, 2} {
		g := setUp(t, pipeline.Options{Workers: workers})
		require.NoError(t, g.Load(t.Context(), indexAddr, indices))
		run(t, g, list(func(w *pica.CommandWriter) {
			w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
			w.Write(pica.RegNumvertices, uint32(len(indices)))
		}))
		draw := func(ctx context.Context) error {
			if err := g.WriteInternal(ctx, pica.RegDrawelements, 1); err != nil {
				return err
			}
			return g.Finish(ctx)
		}
		require.NoError(t, draw(t.Context()))
		want := colors(t, g)
		looks := 1
		for ; ; looks++ {
			err := draw(&polled{context.Background(), looks, make(chan struct{})})
			if err == nil {
				break
			}
			require.ErrorIs(t, err, context.Canceled, "look %d", looks)
			require.False(t, g.Queued(), "look %d", looks)
			require.Less(t, looks, 100_000)
		}
		t.Logf("%d workers: %d looks", workers, looks-1)
		require.Greater(t, looks, 5)
		require.NoError(t, draw(t.Context()))
		require.Equal(t, want, colors(t, g))
	}
}
