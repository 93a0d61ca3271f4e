package pipeline_test

import (
	"bytes"
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

// covering sets up a GPU for an indexed draw of n blended triangles, each covering a target in main memory.
func covering(t *testing.T, workers int, width, height uint32, n int) *pipeline.GPU {
	t.Helper()
	const indexAddr, color = pica.FCRAMBase + 0x100000, pica.FCRAMBase + 0x1000000
	var vertices []byte
	for _, v := range [][7]float32{{-1, -1, -0.5, 1, 0, 0, 1}, {3, -1, -0.5, 0, 1, 0, 1}, {-1, 3, -0.5, 0, 0, 1, 1}} {
		for _, x := range v {
			vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(x))
		}
	}
	g := setUp(t, pipeline.Options{Workers: workers})
	require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
	require.NoError(t, g.Load(t.Context(), indexAddr, bytes.Repeat([]byte{0, 1, 2}, n)))
	run(t, g, list(func(w *pica.CommandWriter) {
		setTarget(w, color, color+0x1000000, width, height)
		w.Write(pica.RegDepthColorMask, 0xF00)
		w.Write(pica.RegBlendFunc, 0x76760000)
		w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
		w.Write(pica.RegNumvertices, uint32(3*n))
	}))
	return g
}

// A draw ends soon after its context is cancelled, also while shading fragments, and nothing continues in the background.
func TestDrawsEndOnCancel(t *testing.T) {
	// The draws would take minutes; a busy machine or the race detector may notice late.
	patience := 5 * time.Second
	if testkit.Race {
		patience = 30 * time.Second
	}
	for _, c := range []struct {
		name          string
		workers       int
		width, height uint32
		work          func(ctx context.Context, g *pipeline.GPU) error
	}{
		{"one worker", 1, 160, 160, drawOnce},
		{"workers", 3, 160, 160, drawOnce},
		{"pixels that share memory", 2, 156, 160, drawOnce},
		{"the draw waits for Finish", 2, 1024, 1024, func(ctx context.Context, g *pipeline.GPU) error {
			if err := g.WriteInternal(ctx, pica.RegNumvertices, 3*1500); err != nil {
				return err
			}
			if err := g.WriteInternal(ctx, pica.RegDrawelements, 1); err != nil {
				return err
			}
			return g.Finish(ctx)
		}},
		{"a list without draws", 1, 64, 64, func(ctx context.Context, g *pipeline.GPU) error {
			const addr, n = pica.FCRAMBase + 0x1000000, 0x4000000
			for {
				if err := g.RunList(ctx, addr, n); ctx.Err() != nil {
					return err
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := covering(t, c.workers, c.width, c.height, 1<<16)
			g.TakeStats()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var cancelled time.Time
			time.AfterFunc(100*time.Millisecond, func() { cancelled = time.Now(); cancel() })
			err := c.work(ctx, g)
			late := time.Since(cancelled)
			require.ErrorIs(t, err, context.Canceled)
			t.Logf("ended %v after it was cancelled", late)
			require.Less(t, late, patience) // a few ms on an idle machine

			// The GPU can draw again immediately.
			start := time.Now()
			g.Reset()
			require.Less(t, time.Since(start), patience)
			drawTriangles(t, g)
			fresh := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
			drawTriangles(t, fresh)
			require.Equal(t, pixel(t, fresh, 16, 8), pixel(t, g, 16, 8))
		})
	}
}

// A draw fails before the bounding rectangles of triangles exceed the limit of pixels; earlier triangles are drawn, with any worker
// count and queue. A context can end it earlier.
func TestDrawFailsAbovePixelLimit(t *testing.T) {
	const limit = "more than 4294967296 pixels in the rectangles around triangles in one"
	g := covering(t, 1, 1024, 1024, 5000)
	require.NoError(t, g.WriteInternal(t.Context(), pica.RegDepthColorMask, 0x1F41)) // no depth is less than 0
	err := drawOnce(t.Context(), g)
	require.ErrorIs(t, err, pica.ErrHang)
	require.ErrorContains(t, err, limit+" call")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, g.Finish(ctx), context.DeadlineExceeded)

	const side, n = 64, 300
	picture := func(workers, before int, left uint64) string {
		g := covering(t, workers, side, side, n)
		defer g.Close()
		for range before {
			require.NoError(t, drawOnce(t.Context(), g))
		}
		g.LeavePixels(left)
		err := drawOnce(t.Context(), g)
		for i := 0; err == nil && i < 3; i++ {
			err = drawOnce(t.Context(), g)
		}
		require.ErrorContains(t, err, limit+" frame")
		require.ErrorIs(t, drawOnce(t.Context(), g), pica.ErrHang)
		require.NoError(t, g.Finish(t.Context()))
		data := testkit.Must(g.Read(pica.FCRAMBase+0x1000000, 4*side*side))(t)
		return string(data)
	}
	for _, left := range []uint64{0, side * side / 2, 3 * side * side, (n + 5) * side * side} {
		want := picture(1, 0, left)
		for _, workers := range []int{2, 7} {
			require.True(t, want == picture(workers, 0, left), "%d workers", workers)
		}
	}
	require.NotEqual(t, picture(1, 0, 0), picture(1, 0, 3*side*side))
	require.Equal(t, picture(1, 1, 40), picture(4, 1, 40))
}

func drawOnce(ctx context.Context, g *pipeline.GPU) error {
	return g.WriteInternal(ctx, pica.RegDrawelements, 1)
}
