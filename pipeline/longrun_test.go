package pipeline_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var longRun = flag.Duration("long-run", 0, "how long TestLongRun draws, instead of a fixed number of frames")

// TestLongRun draws frames of an endless program with moving textures, changing programs and streamed vertices: memory use must not
// grow. make hour runs it for an hour.
func TestLongRun(t *testing.T) {
	frames := 1500
	if testkit.Short() || testkit.Race {
		t.Skip("a short run ends before the caches are full")
	}
	workers := 2
	if *longRun > 0 {
		frames, workers = 1<<30, 1
	}
	g := pipeline.GPUFor(t, pipeline.Options{Workers: workers, FCRAM: states.StreamFCRAM})
	s := states.NewStream(1)
	begin := time.Now()
	next := begin
	// Maximum heap while caches fill, in the first third, and later.
	var first, later uint64
	n, drawn := 0, uint64(0)
	for n = 0; n < frames && (*longRun == 0 || time.Since(begin) < *longRun); n++ {
		play(t, g, s.Frame())
		require.NoError(t, g.Finish(t.Context()))
		stats := g.TakeStats()
		drawn += stats.Fragments
		if n%100 != 99 {
			continue
		}
		heap := heapInUse()
		warm := n < frames/3
		if *longRun > 0 {
			warm = time.Since(begin) < *longRun/6
		}
		if warm {
			first = max(first, heap)
		} else {
			later = max(later, heap)
			require.LessOrEqual(t, later, first+first/10+8<<20, "bytes held after %d frames; the most in the beginning was %d", n+1, first)
		}
		if time.Now().After(next) {
			t.Logf("%7d frames, %v: heap %d MiB", n+1, time.Since(begin).Round(time.Second), heap>>20)
			next = next.Add(max(*longRun/60, 10*time.Second))
		}
	}
	require.NotZero(t, later)
	require.NotZero(t, drawn)
	t.Logf("%d frames, %d pixels, in %v; most held in the beginning %.1f MiB, later %.1f MiB", n, drawn, time.Since(begin).Round(time.Second),
		float64(first)/(1<<20), float64(later)/(1<<20))
}

// heapInUse returns the bytes of reachable heap.
func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

var failures = flag.Int("failures", 6, "GPUs that end in an error before TestFailedGPULeaksNoPicture looks at the next")

// failing is a GPU whose list ends in an error during large draws to a target in main memory, with loads and fills around them.
func failing(t *testing.T, workers, n int) *pipeline.GPU {
	t.Helper()
	target := uint32(pica.FCRAMBase + 0x400000 + n%3*0x200000)
	const indexAddr = pica.FCRAMBase + 0x100000
	indices := bytes.Repeat([]byte{0, 1, 2, 3, 4, 5}, 512)
	g := setUp(t, pipeline.Options{Workers: workers})
	require.NoError(t, g.Load(t.Context(), indexAddr, indices))
	require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: target - 0x1000, End: target, Value: 0x12345678, Bits: 32}))
	err := drawWith(t, g, func(w *pica.CommandWriter) {
		setTarget(w, target, target+0x100000, 512, 512)
		w.Write(pica.RegDepthColorMask, 0x1F61)
		w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
		w.Write(pica.RegNumvertices, uint32(len(indices)))
		for range 2 {
			w.Write(pica.RegDrawelements, 1)
		}
		w.WriteRun(pica.RegCmdbufSize0, 0, 0, 0)
		w.Write(pica.RegCmdbufJump0, 1) // jumps to an address without a list
	})
	require.Error(t, err)
	return g
}

// clean requires that all memory of a GPU is 0.
func clean(t *testing.T, g *pipeline.GPU, what string) {
	t.Helper()
	for _, r := range [][2]uint32{{pica.FCRAMBase, pica.FCRAMSize}, {pica.VRAMBase, pica.VRAMSize}} {
		all := testkit.Must(g.Peek(r[0], r[1]))(t)
		testkit.Zero(t, all, what)
	}
}

// A GPU that ended in an error leaves no data to the next one, nor to itself after Reset: neither loads nor background draws.
func TestFailedGPULeaksNoPicture(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			for n := range *failures / 3 {
				g := failing(t, workers, n)
				if n%2 == 0 {
					g.Reset()
					clean(t, g, "reset after an error")
				}
				g.Close()
				// Two GPUs: one of them may have unused memory.
				next, other := pipeline.New(pipeline.Options{Workers: workers}), pipeline.New(pipeline.Options{Workers: workers})
				clean(t, next, "the GPU after one that failed")
				clean(t, other, "the GPU after the next")
				next.Close()
				other.Close()
			}
		})
	}
}

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
