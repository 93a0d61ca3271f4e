package pipeline_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
		heap := heapHeld()
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

// heapHeld returns the bytes of reachable heap.
func heapHeld() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
