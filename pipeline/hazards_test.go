package pipeline_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// list returns the bytes of a command list.
func list(build func(w *pica.CommandWriter)) []byte {
	var w pica.CommandWriter
	build(&w)
	w.Finish()
	return w.Bytes()
}

// A hook that reads the target after an immediate-mode draw does not trigger the draw again.
func TestHooksReadAfterImmediateDraws(t *testing.T) {
	g := setUp(t, pipeline.Options{Workers: 2})
	drawn, vertices := 0, 0
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		require.NoError(t, g.Finish(t.Context()))
		v := testkit.Must(g.DrawVertices(d))(t)
		vertices = v.Count
		return nil
	}
	g.AfterDraw = func(*pipeline.DrawInfo) error {
		drawn++
		_, err := g.LastTarget()
		return err
	}
	f24 := pica.Float24.Encode
	run(t, g, list(func(w *pica.CommandWriter) {
		w.Write(pica.RegFixedattribIndex, 15)
		for i := range uint32(6) {
			w.WriteAll(pica.RegFixedattribData0, f24(1)<<8, i<<24, f24(0.5)<<8|i)
		}
	}))
	require.Equal(t, 1, drawn)
	require.Equal(t, 3, vertices)
}

// heapGrowth returns how many bytes the heap grows by running f, including garbage.
func heapGrowth(f func()) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// Vertices whose triangles are all culled are dropped.
func TestCulledVerticesAreDropped(t *testing.T) {
	if testkit.Race {
		t.Skip("it counts bytes")
	}
	for _, workers := range []int{1, 2} {
		g := setUp(t, pipeline.Options{Workers: workers})
		grown := heapGrowth(func() {
			run(t, g, list(func(w *pica.CommandWriter) {
				w.Write(pica.RegFacecullingConfig, uint32(pica.CullFront))
				w.Write(pica.RegNumvertices, 30000)
				for range 100 { // all zeros
					w.Write(pica.RegDrawarrays, 1)
				}
			}))
		})
		require.Equal(t, 100, g.TakeStats().Draws)
		require.Less(t, grown, int64(64<<20), "%d workers", workers)
	}
}

// Workers cost nothing until they have work.
func TestIdleWorkersCostNothing(t *testing.T) {
	picture := func(workers int) [4]uint8 {
		g := setUp(t, pipeline.Options{Workers: workers})
		run(t, g, triangleList(t))
		return pixel(t, g, 16, 8)
	}
	want := picture(1)
	var got [4]uint8
	require.Less(t, heapGrowth(func() { got = picture(4000) }), int64(256<<20))
	require.Equal(t, want, got)
}

// A command list in memory that a queued draw writes is read after the draw.
func TestCommandListWrittenByQueuedDraw(t *testing.T) {
	// The colour word is a command that writes itself to register 0x090.
	const word = 0x000F0090
	color := [4]float32{0, 15. / 255, 0, 144. / 255}
	build := func(t *testing.T) *pipeline.GPU {
		g := setUp(t, pipeline.Options{Workers: 2})
		f24 := pica.Float24.Encode
		run(t, g, list(func(w *pica.CommandWriter) {
			w.Write(pica.RegDepthColorMask, 0xF00)
			w.Write(pica.RegAttribbuffersFormatHigh, 1<<28|2<<16)          // attribute 1 is fixed
			w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0xF0, 2<<28|28<<16) // 16 unused bytes after the position
			w.Write(pica.RegFixedattribIndex, 1)
			w.WriteAll(pica.RegFixedattribData0, f24(color[3])<<8|f24(color[2])>>16, f24(color[2])<<16|f24(color[1])>>8, f24(color[1])<<24|f24(color[0]))
			w.Write(pica.RegNumvertices, 6)
			w.Write(pica.RegDrawarrays, 1)
		}))
		require.Zero(t, g.TakeStats().Fragments, "the draw waits in the queue")
		return g
	}
	t.Run("run", func(t *testing.T) {
		g := build(t)
		require.ErrorIs(t, g.RunList(t.Context(), pica.VRAMBase, 4096), pica.ErrHang, "the list has no FINALIZE")
		require.EqualValues(t, word, g.ReadInternal(0x90))
	})
	t.Run("jump", func(t *testing.T) {
		g := build(t)
		require.ErrorIs(t, drawWith(t, g, func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegCmdbufSize0, 4096>>3, 0, pica.VRAMBase>>3)
			w.Write(pica.RegCmdbufJump0, 1)
		}), pica.ErrHang, "the list has no FINALIZE")
		require.EqualValues(t, word, g.ReadInternal(0x90))
	})
}

// textured appends writes that let texture unit 0 of setUp's draws read a texture and the last combiner stage output it.
func textured(w *pica.CommandWriter, addr, width, height uint32, format pica.TextureFormat) {
	w.Write(pica.RegTexunitConfig, 0x1001)
	w.WriteRun(pica.RegTexunit0Dim, width<<16|height, 0, 0, addr>>3)
	w.Write(pica.RegTexunit0Type, uint32(format))
	w.WriteRun(pica.RegTexenv0Source+pica.TexenvOffset(5), 0x00030003, 0, 0, 0xFFFFFFFF, 0)
}

// Textures used once are not kept, neither by queued draws nor by programs.
func TestTexturesUsedOnceAreReleased(t *testing.T) {
	const textures = 35 // per frame: more than the cache holds
	for _, workers := range []int{1, 2} {
		g := setUp(t, pipeline.Options{Workers: workers})
		grown := heapGrowth(func() {
			for frame := range 2 {
				run(t, g, list(func(w *pica.CommandWriter) {
					w.Write(pica.RegNumvertices, 6)
					for i := range uint32(textures) {
						n := textures*uint32(frame) + i // each a different texture of 4 MB
						textured(w, pica.FCRAMBase+0x100000+n*128, 1024, 1024, pica.TextureFormatA4)
						w.Write(pica.RegDrawarrays, 1)
					}
				}))
				require.NoError(t, g.Finish(t.Context()))
			}
			runtime.GC()
		})
		require.Equal(t, 2*textures, g.TakeStats().Draws)
		require.Less(t, grown, int64(200<<20), "%d workers", workers)
	}
}

// A GPU that failed during large draws and is dropped leaves no data in the next one's memory.
func TestFailedGPULeavesNoData(t *testing.T) {
	const color, arrays = pica.FCRAMBase + 0x1000000, pica.FCRAMBase + 0x2000000
	var mesh []byte // x, y, z, w and a colour, as bytes: triangles over much of the target
	for i := range byte(100) {
		for _, xy := range [][2]byte{{0 - i, 0 - i}, {i, 0 - i}, {0, i}} {
			mesh = append(mesh, xy[0], xy[1], 200, 127, i, 100, 1, 1)
		}
	}
	fail := func() {
		g := setUp(t, pipeline.Options{Workers: 4})
		require.NoError(t, g.Load(t.Context(), arrays, mesh))
		run(t, g, list(func(w *pica.CommandWriter) {
			setTarget(w, color, 0, 512, 512)
			w.Write(pica.RegDepthColorMask, 0xF11)
			w.WriteRun(pica.RegAttribbuffersLoc, arrays>>3, 0xDC, 1<<28) // four bytes each
			w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0x10, 2<<28|8<<16)
			w.Write(pica.RegNumvertices, 300)
			for range 60 {
				w.Write(pica.RegDrawarrays, 1)
			}
		}))
		require.Error(t, g.RunList(t.Context(), 0x1000, 16), "a list outside of memory fails")
		g.Close()
	}
	for range 2 {
		fail()
		for range 4 { // also memory reused by the collector
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		all := testkit.Must(g.Read(pica.FCRAMBase, pica.FCRAMSize))(t)
		testkit.Zero(t, all, "main memory")
		g.Close()
	}
}
