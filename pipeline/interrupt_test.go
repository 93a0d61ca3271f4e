package pipeline_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// A draw ends soon after its context was cancelled, also in the middle of its
// fragments, and nothing goes on in the background.
func TestDrawsAreInterrupted(t *testing.T) {
	// One triangle over all of a large target, many times over: hours of work.
	var vertices []byte
	for _, v := range [][7]float32{{-1, -1, -0.5, 1, 0, 0, 1}, {3, -1, -0.5, 0, 1, 0, 1}, {-1, 3, -0.5, 0, 0, 1, 1}} {
		for _, x := range v {
			vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(x))
		}
	}
	indices := make([]byte, 3<<16)
	for i := range indices {
		indices[i] = byte(i % 3)
	}
	// The draws below would take minutes; a busy machine or the race detector may
	// still take its time to notice.
	patience := 5 * time.Second
	if testkit.Race {
		patience = 30 * time.Second
	}
	const indexAddr, color = pica.FCRAMBase + 0x100000, pica.FCRAMBase + 0x1000000
	set := func(t *testing.T, workers int, width, height uint32) *pipeline.GPU {
		g := setUp(t, pipeline.Options{Workers: workers})
		require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
		require.NoError(t, g.Load(t.Context(), indexAddr, indices))
		f24 := pica.Float24.Encode
		run(t, g, list(func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegDepthbufferLoc, (color+0x1000000)>>3, color>>3, 1<<24|(height-1)<<12|width)
			w.WriteRun(pica.RegViewportWidth, f24(float32(width)/2), pica.Float31.Encode(2/float32(width))<<1,
				f24(float32(height)/2), pica.Float31.Encode(2/float32(height))<<1)
			w.Write(pica.RegDepthColorMask, 0xF00)
			w.Write(pica.RegBlendFunc, 0x76760000)
			w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
			w.Write(pica.RegNumvertices, 3<<16)
		}))
		return g
	}
	for _, c := range []struct {
		name          string
		workers       int
		width, height uint32
		work          func(ctx context.Context, g *pipeline.GPU) error
	}{
		{"one worker", 1, 1024, 1024, drawOnce},
		{"workers", 3, 1024, 1024, drawOnce},
		{"pixels that share memory", 2, 1020, 1024, drawOnce},
		{"the draw waits for Finish", 2, 1024, 1024, func(ctx context.Context, g *pipeline.GPU) error {
			if err := g.WriteInternal(ctx, pica.RegNumvertices, 3*3000); err != nil {
				return err
			}
			if err := g.WriteInternal(ctx, pica.RegDrawelements, 1); err != nil {
				return err
			}
			return g.Finish(ctx)
		}},
		{"a list without draws", 1, 64, 64, func(ctx context.Context, g *pipeline.GPU) error {
			const addr, n = color, 0x4000000
			for {
				if err := g.RunList(ctx, addr, n); ctx.Err() != nil {
					return err
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := set(t, c.workers, c.width, c.height)
			g.TakeStats()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var cancelled time.Time
			time.AfterFunc(100*time.Millisecond, func() { cancelled = time.Now(); cancel() })
			err := c.work(ctx, g)
			late := time.Since(cancelled)
			require.ErrorIs(t, err, context.Canceled)
			t.Logf("ended %v after it was cancelled", late)
			require.Less(t, late, patience) // a few ms on a machine with time

			// The GPU draws again, at once.
			start := time.Now()
			g.Reset()
			require.Less(t, time.Since(start), patience)
			require.NoError(t, g.Load(t.Context(), vertexAddr, triangles()))
			run(t, g, triangleList(t))
			require.Equal(t, pixelOfANewGPU(t), pixel(t, g, 16, 8))
		})
	}
}

func drawOnce(ctx context.Context, g *pipeline.GPU) error {
	return g.WriteInternal(ctx, pica.RegDrawelements, 1)
}

func pixelOfANewGPU(t *testing.T) [4]uint8 {
	g := pipeline.New(pipeline.Options{Workers: 1})
	require.NoError(t, g.Load(t.Context(), vertexAddr, triangles()))
	run(t, g, triangleList(t))
	return pixel(t, g, 16, 8)
}
