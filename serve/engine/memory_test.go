package engine

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// After 500 clicks on draws of a recording of 1,000 frames, an engine holds at most its bounds for draws and checkpoints, beside
// the console's memory and data read from the file. Each frame changes memory, so that checkpoints have contents.
func TestEngineMemoryBound(t *testing.T) {
	testkit.Slow(t)
	const frames, clicks, bound = 1000, 500, 8 << 20
	real := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	var file bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&file, picatrace.Meta{}, real.Initial, picatrace.WriterOptions{}))(t)
	random := rand.New(rand.NewPCG(1, 2))
	page := make([]byte, 16<<10)
	for f := range frames {
		for i := range page {
			page[i] = byte(random.Uint32())
		}
		require.NoError(t, w.Load(pica.FCRAMBase+64<<20+uint32(f%64*len(page)), page))
		if f%20 == 0 {
			require.NoError(t, w.CopyFrame(real, 0)) // the other frames draw nothing, which is fast
		} else {
			require.NoError(t, w.EndFrame())
		}
	}
	require.NoError(t, w.Close())
	e := newEngine(t, Options{Workers: 1, CacheBytes: bound, CheckpointBytes: bound}, recorded("long", file.Bytes()))
	do := func(r Request) {
		testkit.Must(e.Do(t.Context(), &r))(t, "%+v", r)
	}
	click := func(frame, draw int) {
		do(Request{Op: "draw", Frame: frame, Draw: draw})
		do(Request{Op: "picture", What: "after", Frame: frame, Draw: draw})
	}
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	click(0, 0)
	before := live() - e.cache.bytes - e.files[0].CheckpointBytes()
	var most int64
	for i := range clicks {
		frame := i * (frames / 20) / clicks * 20
		if i%50 == 49 {
			frame = frame / 40 * 20 // an earlier frame
		}
		click(frame, i%3)
		if i%10 == 0 {
			do(Request{Op: "history", Frame: frame, Draw: 2, X: 100, Y: i % 200})
			do(Request{Op: "thumb", Frame: frame})
		}
		if i%50 == 0 {
			most = max(most, live()-before)
		}
	}
	t.Logf("at most %.1f MiB over %.1f, of %d of draws and %d of checkpoints", float64(most)/(1<<20), float64(before)/(1<<20), e.cache.bytes, e.files[0].CheckpointBytes())
	require.Greater(t, e.cache.bytes, int64(bound*3/4))
	require.Greater(t, e.files[0].CheckpointBytes(), int64(bound/2))
	require.LessOrEqual(t, most, int64(2*bound+file.Len())) // data read from the file is kept too, up to picatrace.CacheBytes
}
