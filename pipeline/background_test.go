package pipeline_test

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// A write waits for background draws that read or write the same memory, and for no others.
func TestWritesWaitForBackgroundDraws(t *testing.T) {
	const texels, elsewhere, indexAddr = pica.FCRAMBase + 0x200000, pica.FCRAMBase + 0x300000, pica.FCRAMBase + 0x100000
	const inPage = texels + 0x140800 // another texture, in the middle of a page
	indices := bytes.Repeat([]byte{0, 1, 2}, 512)
	type access func(t *testing.T, g *pipeline.GPU) error
	load := func(addr uint32) access {
		return func(t *testing.T, g *pipeline.GPU) error { return g.Load(t.Context(), addr, make([]byte, 64)) }
	}
	transfer := func(src, dst uint32) access {
		return func(t *testing.T, g *pipeline.GPU) error {
			return g.Transfer(t.Context(), pipeline.Transfer{Src: src, Dst: dst, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true})
		}
	}
	written := func(pairs ...uint32) access {
		return func(t *testing.T, g *pipeline.GPU) error { return writes(t, g, pairs...) }
	}
	copied := func(src uint32) access {
		return written(pica.ExtTransferInput, src>>3, pica.ExtTransferOutput, elsewhere>>3, pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 256, pica.ExtTransferStart, 1)
	}
	for _, c := range []struct {
		name   string
		does   access
		waited bool
	}{
		{"nothing", func(*testing.T, *pipeline.GPU) error { return nil }, false},
		{"a load elsewhere", load(elsewhere), false},
		{"a load over a texture", load(texels + 32), true},
		{"a load beside a texture, on its page", load(texels + 4032), true},
		{"a load before a texture, on its page", load(inPage - 0x400), true},
		{"a load to the page before a texture's", load(inPage - 0x840), false},
		{"a load behind a texture's page", load(texels + 4096), false},
		{"a load to the end of the page before", load(texels - 64), false},
		{"a load over the target", load(pica.VRAMBase), true},
		{"a transfer over a texture", transfer(elsewhere, texels+32), true},
		{"a transfer over the target", transfer(elsewhere, pica.VRAMBase+0x800), true},
		{"a transfer of the target", transfer(pica.VRAMBase, elsewhere), true},
		{"a transfer of the texture", transfer(texels, elsewhere), false},
		{"a copy over the texture", func(t *testing.T, g *pipeline.GPU) error {
			return g.CopyTexture(t.Context(), pipeline.TextureCopy{Src: elsewhere, Dst: texels, Size: 64, InLine: 64, OutLine: 64})
		}, true},
		{"a fill over a texture", written(pica.ExtMemfillStart, texels>>3, pica.ExtMemfillEnd, (texels+64)>>3, pica.ExtMemfillControl, 0x201), true},
		{"a copy of the target", copied(pica.VRAMBase), true},
		{"a copy of the texture", copied(texels), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 2})
			require.NoError(t, g.Load(t.Context(), indexAddr, indices))
			run(t, g, list(func(w *pica.CommandWriter) {
				w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
				textured(w, inPage, 8, 8, pica.TextureFormatRGBA8)
				w.Write(pica.RegNumvertices, 3)
				w.Write(pica.RegDrawelements, 1)
				textured(w, texels, 8, 8, pica.TextureFormatRGBA8)
				w.Write(pica.RegNumvertices, uint32(len(indices)))
				w.Write(pica.RegDrawelements, 1)
			}))
			require.True(t, g.InBackground())
			require.NoError(t, c.does(t, g))
			require.Equal(t, !c.waited, g.InBackground())
			require.NoError(t, g.Finish(t.Context()))
			require.False(t, g.InBackground())
		})
	}
}

// The maximum density of queued or background gas draws is written to the feedback register before a program's own write, never
// after it: the program's value stays until the next gas draw.
func TestGasFeedbackPrecedesProgramWrites(t *testing.T) {
	const indexAddr = pica.FCRAMBase + 0x100000
	indices := bytes.Repeat([]byte{0, 1, 2}, 512)
	for _, c := range []struct {
		name       string
		workers    int
		vertices   int
		background bool
	}{{"queued", 1, 3, false}, {"in the background", 2, len(indices), true}} {
		t.Run(c.name, func(t *testing.T) {
			set := func() *pipeline.GPU {
				g := setUp(t, pipeline.Options{Workers: c.workers})
				require.NoError(t, g.Load(t.Context(), indexAddr, indices))
				run(t, g, list(func(w *pica.CommandWriter) {
					w.Write(pica.RegColorOperation, uint32(pica.FragmentModeGas))
					w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
					w.Write(pica.RegNumvertices, uint32(c.vertices))
				}))
				return g
			}
			write := func(g *pipeline.GPU, id pica.Reg, value uint32) {
				require.NoError(t, g.WriteInternal(t.Context(), id, value))
			}
			queue := func(g *pipeline.GPU) {
				write(g, pica.RegDrawelements, 1)
				require.True(t, g.Queued())
				require.Equal(t, c.background, g.InBackground())
			}
			g := set()
			queue(g)
			once := g.ReadInternal(pica.RegGasFeedback)
			require.Positive(t, pica.GasFeedback.FloatOf(once))
			queue(g)
			twice := g.ReadInternal(pica.RegGasFeedback)
			require.Greater(t, pica.GasFeedback.FloatOf(twice), pica.GasFeedback.FloatOf(once), "two draws leave a greater density than one")

			g = set()
			queue(g)
			write(g, pica.RegGasFeedback, 0)
			require.NoError(t, g.Finish(t.Context()))
			require.Zero(t, g.ReadInternal(pica.RegGasFeedback), "the program's 0 is written after the queued draw")
			queue(g)
			require.Equal(t, twice, g.ReadInternal(pica.RegGasFeedback), "the next draw's maximum is written after the 0")
		})
	}
}

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
