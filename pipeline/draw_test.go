package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// run loads a command list and runs it.
func run(t *testing.T, g *pipeline.GPU, list []byte) {
	t.Helper()
	require.NoError(t, g.Load(t.Context(), listAddr, list))
	require.NoError(t, g.RunList(t.Context(), listAddr, uint32(len(list))))
}

// setUp returns a GPU with the state of triangleList, without its draws.
func setUp(t *testing.T, o pipeline.Options) *pipeline.GPU {
	t.Helper()
	g := pipeline.GPUFor(t, o)
	require.NoError(t, g.Load(t.Context(), vertexAddr, triangles()))
	run(t, g, (&pica.CommandWriter{Words: setUpWords(t)}).Bytes())
	return g
}

// setUpWords is triangleList without its draws, set to draw arrays.
func setUpWords(t *testing.T) []uint32 {
	t.Helper()
	var kept pica.CommandWriter
	kept.Write(pica.RegGeostageConfig2, 1)
	for _, c := range commands(triangleList(t)) {
		switch c.Reg(0) {
		case pica.RegGeostageConfig2, pica.RegDrawarrays, pica.RegDrawelements, pica.RegFixedattribIndex, pica.RegFixedattribData0:
			continue
		}
		kept.Words = append(kept.Words, c.First, uint32(c.Header))
		kept.Words = append(kept.Words, c.Extra...)
		if len(kept.Words)%2 != 0 {
			kept.Words = append(kept.Words, 0)
		}
	}
	return kept.Words
}

func commands(list []byte) (out []pica.Command) {
	words := make([]uint32, len(list)/4)
	for i := range words {
		words[i] = uint32(list[4*i]) | uint32(list[4*i+1])<<8 | uint32(list[4*i+2])<<16 | uint32(list[4*i+3])<<24
	}
	r := pica.ReadCommands(words)
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		out = append(out, c)
	}
	return out
}

// pixel returns the colour at window position x, y of the 32x32 target.
func pixel(t *testing.T, g *pipeline.GPU, x, y int) [4]uint8 {
	t.Helper()
	target := testkit.Must(g.LastTarget())(t)
	return pipeline.PixelOf(target, x, 31-y).Color
}

// drawTriangles loads and draws triangleList.
func drawTriangles(t *testing.T, g *pipeline.GPU) {
	t.Helper()
	require.NoError(t, g.Load(t.Context(), vertexAddr, triangles()))
	run(t, g, triangleList(t))
}

func TestImmediateMode(t *testing.T) {
	g := setUp(t, pipeline.Options{Workers: 1})
	f24 := pica.Float24.Encode
	attribute := func(w *pica.CommandWriter, x, y, z, v float32) {
		w.WriteAll(pica.RegFixedattribData0,
			f24(v)<<8|f24(z)>>16, f24(z)<<16|f24(y)>>8, f24(y)<<24|f24(x))
	}
	vertex := func(w *pica.CommandWriter, x, y float32) {
		attribute(w, x, y, -0.5, 1)
		attribute(w, 0, 1, 0, 1)
	}
	var w pica.CommandWriter
	w.Write(pica.RegFixedattribIndex, 15)
	vertex(&w, -1, -1)
	vertex(&w, 1, -1)
	// A register write that keeps the value does not end the draw.
	w.Write(pica.RegVshNumAttr, 1)
	vertex(&w, 1, 1)
	w.Finish()
	run(t, g, w.Bytes())
	require.Equal(t, [4]uint8{0, 255, 0, 255}, pixel(t, g, 20, 5))
	require.Equal(t, [4]uint8{}, pixel(t, g, 5, 20))
	s := g.TakeStats()
	require.Equal(t, []int{1, 1, 3}, []int{s.Draws, s.Geometry.Triangles, s.Geometry.Shaded})

	// A state change between vertices draws the earlier ones with the old state, and the triangle continues.
	w = pica.CommandWriter{}
	w.Write(pica.RegRestartPrimitive, 1)
	w.Write(pica.RegFixedattribIndex, 15)
	vertex(&w, -1, -1)
	vertex(&w, 1, 1)
	w.Write(pica.RegFacecullingConfig, 1)
	vertex(&w, -1, 1)
	w.Finish()
	run(t, g, w.Bytes())
	require.Equal(t, [4]uint8{}, pixel(t, g, 5, 20), "culling uses the state at the triangle's last vertex")
	s = g.TakeStats()
	require.Equal(t, []int{2, 1, 0}, []int{s.Draws, s.Geometry.Primitives, s.Geometry.Triangles})
}

// TestMemoryAccessSeesQueuedDraws checks that every access to memory sees the draws queued before it, and none after it.
func TestMemoryAccessSeesQueuedDraws(t *testing.T) {
	seen := func(name string, access func(t *testing.T, g *pipeline.GPU)) {
		t.Run(name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 2})
			run(t, g, list(func(w *pica.CommandWriter) {
				w.Write(pica.RegDepthColorMask, 0xF00)
				drawArrays(w)
			}))
			require.Zero(t, g.TakeStats().Fragments, "the draw is queued, not drawn yet")
			access(t, g)
		})
	}
	const copied = pica.FCRAMBase + 0x100000
	drawn := func(t *testing.T, g *pipeline.GPU, addr uint32) bool {
		b := testkit.Must(g.Peek(addr, 32*32*4))(t)
		return bytes.Count(b, []byte{0}) < len(b)
	}
	seen("read", func(t *testing.T, g *pipeline.GPU) {
		testkit.Must(g.Read(pica.VRAMBase+0x10000, 16))(t)
		require.False(t, drawn(t, g, pica.VRAMBase), "reading other memory does not draw the queue")
		testkit.Must(g.Read(pica.VRAMBase+4095, 1))(t)
		require.True(t, drawn(t, g, pica.VRAMBase))
	})
	seen("transfer", func(t *testing.T, g *pipeline.GPU) {
		require.NoError(t, g.Transfer(t.Context(), pipeline.Transfer{Src: pica.VRAMBase, Dst: copied,
			InWidth: 32, InHeight: 32, OutWidth: 32, OutHeight: 32, InTiled: true}))
		require.True(t, drawn(t, g, copied))
	})
	seen("texture copy", func(t *testing.T, g *pipeline.GPU) {
		require.NoError(t, g.CopyTexture(t.Context(), pipeline.TextureCopy{Src: pica.VRAMBase, Dst: copied, Size: 4096, InLine: 4096, OutLine: 4096}))
		require.True(t, drawn(t, g, copied))
	})
	seen("fill after the draw", func(t *testing.T, g *pipeline.GPU) {
		require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: pica.VRAMBase, End: pica.VRAMBase + 4096, Bits: 32}))
		require.NoError(t, g.Finish(t.Context()))
		require.False(t, drawn(t, g, pica.VRAMBase), "the fill is done after the queued draw")
		require.NotZero(t, g.TakeStats().Fragments)
	})
	seen("load of vertices", func(t *testing.T, g *pipeline.GPU) {
		require.NoError(t, g.Load(t.Context(), vertexAddr, make([]byte, 168)))
		require.NoError(t, g.Finish(t.Context()))
		require.True(t, drawn(t, g, pica.VRAMBase), "the queued draw uses the vertices from before the write")
	})
	seen("another target", func(t *testing.T, g *pipeline.GPU) {
		run(t, g, list(func(w *pica.CommandWriter) {
			w.Write(pica.RegColorbufferLoc, (pica.VRAMBase+0x20000)>>3)
			w.Write(pica.RegDrawarrays, 1)
		}))
		require.True(t, drawn(t, g, pica.VRAMBase))
		require.False(t, drawn(t, g, pica.VRAMBase+0x20000))
		require.NoError(t, g.Finish(t.Context()))
		require.True(t, drawn(t, g, pica.VRAMBase+0x20000))
	})
	seen("vertices in the target", func(t *testing.T, g *pipeline.GPU) {
		// The second draw reads its vertices from the target of the first.
		run(t, g, list(func(w *pica.CommandWriter) {
			w.Write(pica.RegAttribbuffersLoc, pica.VRAMBase>>3)
			w.Write(pica.RegDrawarrays, 1)
		}))
		require.True(t, drawn(t, g, pica.VRAMBase))
	})
}

func TestHooksSeeEveryDraw(t *testing.T) {
	g := setUp(t, pipeline.Options{Workers: 2})
	var before, after []pipeline.DrawInfo
	g.BeforeDraw = func(d *pipeline.DrawInfo) error { before = append(before, *d); return nil }
	g.AfterDraw = func(d *pipeline.DrawInfo) error { after = append(after, *d); return nil }
	run(t, g, triangleList(t))
	require.Len(t, before, 3)
	require.Len(t, after, 3)
	for i, d := range after {
		require.Equal(t, i, d.Index)
		require.Equal(t, before[i].Kind, d.Kind)
		require.Equal(t, before[i].Vertices, d.Vertices)
		require.NotNil(t, d.Target)
	}
	require.Equal(t, []int{6, 6, 3}, []int{after[0].Vertices, after[1].Vertices, after[2].Vertices})
	require.NotZero(t, after[0].Fragments)
	require.Equal(t, 2, after[0].Geometry.Triangles)
}

func TestResetClearsAllState(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 2})
	picture := func() string {
		drawTriangles(t, g)
		target := testkit.Must(g.LastTarget())(t)
		return string(target.Color)
	}
	first := picture()
	require.NoError(t, g.WriteInternal(t.Context(), pica.RegScissortestMode, 3)) // hides everything if used
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, []byte{1, 2, 3, 4}))
	g.Reset()
	_, err := g.LastTarget()
	require.ErrorIs(t, err, pipeline.ErrNoTarget)
	require.Equal(t, first, picture())
}

func TestReplayErrorsNameEventAndFrame(t *testing.T) {
	build := func(f func(b *citrace.Builder)) *picatrace.Trace {
		var b citrace.Builder
		f(&b)
		return states.Built(t, &b)
	}
	for _, c := range []struct {
		name  string
		build func(b *citrace.Builder)
		want  []string
	}{
		{"load", func(b *citrace.Builder) {
			b.EndFrame()
			b.Load(0x1000, []byte{1, 2, 3, 4})
			b.EndFrame()
		}, []string{"frame 1, event 0 (file offset 0x", "memory load: no memory at 0x00001000"}},
		{"list", func(b *citrace.Builder) {
			b.Write(0x104018E0, 16)
			b.Write(0x104018E8, 0x40000000>>3)
			b.Write(0x104018F0, 1)
		}, []string{"frame 0, event 2", "command list of 128 bytes: no memory at 0x40000000"}},
		{"fill", func(b *citrace.Builder) { b.Write(0x10400010, 0x18000000>>3); b.Write(0x1040001C, 1) },
			[]string{"event 1", "memory fill of 0x18000000-0x00000000", "the end must be greater than the start"}},
		{"transfer", func(b *citrace.Builder) { b.Write(0x10400C18, 1) },
			[]string{"event 0", "display transfer", "a side of the image is 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pipeline.ReplayFor(t, build(c.build), pipeline.Options{Workers: 1, Strict: true}, nil)
			for _, w := range c.want {
				require.ErrorContains(t, err, w)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := pipeline.Replay(ctx, build(func(b *citrace.Builder) { b.EndFrame() }), pipeline.Options{Workers: 1}, nil)
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("a hook's error", func(t *testing.T) {
		_, err := pipeline.ReplayFor(t, build(func(b *citrace.Builder) { b.EndFrame() }), pipeline.Options{Workers: 1},
			func(*pipeline.GPU, pipeline.Frame) error { return errTooMuch })
		require.ErrorIs(t, err, errTooMuch)
	})
	t.Run("a trace without markers is one frame", func(t *testing.T) {
		frames := 0
		_, err := pipeline.ReplayFor(t, build(func(b *citrace.Builder) { b.Write(0x10400000, 0) }), pipeline.Options{Workers: 1},
			func(*pipeline.GPU, pipeline.Frame) error { frames++; return nil })
		require.NoError(t, err)
		require.Equal(t, 1, frames)
	})
	t.Run("memory of a New 3DS", func(t *testing.T) {
		g, err := pipeline.ReplayFor(t, build(func(b *citrace.Builder) { b.Load(0x2F000000, []byte{9}) }), pipeline.Options{Workers: 1}, nil)
		require.NoError(t, err)
		b := testkit.Must(g.Read(0x2F000000, 1))(t)
		require.Equal(t, []byte{9}, b)
	})
}

func TestInitialStateIsLoaded(t *testing.T) {
	var b citrace.Builder
	regs := make([]uint32, pica.NumRegs)
	regs[0x80] = 7
	regs[pica.RegVshBooluniform] = 0x7FFF0003
	regs[pica.RegVshEntrypoint] = 0x7FFF0010
	regs[pica.RegGshIntuniformI0+1] = 0x04030201
	b.Initial[citrace.PICARegisters] = regs
	gpu := make([]uint32, 0x1400/4)
	gpu[0x468/4] = 0x20001000
	b.Initial[citrace.GPURegisters] = gpu
	one := pica.Float24.Encode(1)
	b.Initial[citrace.DefaultAttributes] = []uint32{0, 0, 0, 0, one, 0, 0, one}
	b.Initial[citrace.VSProgram] = []uint32{0x88000000}
	b.Initial[citrace.VSSwizzle] = []uint32{0, 5}
	b.Initial[citrace.GSFloatUniforms] = []uint32{0, one, 0, 0}
	b.EndFrame()
	p := pipeline.PlayerFor(t, states.Built(t, &b), pipeline.Options{Workers: 1})
	g := p.GPU
	require.Equal(t, uint32(7), g.ReadInternal(0x80))
	vs := g.VertexShader()
	require.Equal(t, uint16(3), g.VertexShader().Bool)
	require.Equal(t, uint16(16), g.VertexShader().Entry)
	require.Equal(t, [4]uint8{1, 2, 3, 4}, g.GeometryShader().Int[1])
	require.Equal(t, uint32(0x20001000), g.ReadRegister(0x10400468))
	require.Equal(t, [4]float32{1, 0, 0, 1}, g.FixedAttributes()[1])
	require.Equal(t, uint32(0x88000000), vs.Code(0))
	require.Equal(t, shaderunit.OpDesc(5), vs.Desc(1))
	require.Equal(t, [4]float32{0, 1, 0, 0}, g.GeometryShader().Float[0])
}

func TestScreenFormatsAndModes(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	write := func(addr uint32, v uint32) { require.NoError(t, g.WriteRegister(t.Context(), addr, uint64(v), 4)) }
	pixelOf := func(s pipeline.Screen, x, y int) [3]uint8 {
		c := g.Screen(s).RGBAAt(x, y)
		require.Equal(t, uint8(255), c.A)
		return [3]uint8{c.R, c.G, c.B}
	}
	require.Equal(t, 400, g.Screen(pipeline.ScreenTop).Bounds().Dx())
	require.Equal(t, 320, g.Screen(pipeline.ScreenBottom).Bounds().Dx())
	require.Equal(t, [3]uint8{}, pixelOf(pipeline.ScreenTop, 5, 5), "a screen without a framebuffer is black")

	// The first pixel is the lower left corner, the second one is above it, and the next line is the next column.
	const left, right, second = pica.FCRAMBase, pica.FCRAMBase + 0x80000, pica.FCRAMBase + 0x100000
	require.NoError(t, g.Load(t.Context(), left, []byte{1, 2, 3, 4, 5, 6}))
	require.NoError(t, g.Load(t.Context(), left+720, []byte{7, 8, 9}))
	require.NoError(t, g.Load(t.Context(), right, []byte{10, 11, 12}))
	require.NoError(t, g.Load(t.Context(), second, []byte{20, 21, 22}))
	write(0x10400468, left)
	write(0x1040046C, second)
	write(0x10400494, right)
	require.Equal(t, [3]uint8{3, 2, 1}, pixelOf(pipeline.ScreenTop, 0, 239))
	require.Equal(t, [3]uint8{6, 5, 4}, pixelOf(pipeline.ScreenTop, 0, 238))
	require.Equal(t, [3]uint8{9, 8, 7}, pixelOf(pipeline.ScreenTop, 1, 239))
	require.False(t, g.Stereo())
	write(0x10400478, 1)
	require.Equal(t, [3]uint8{22, 21, 20}, pixelOf(pipeline.ScreenTop, 0, 239))
	write(0x10400478, 0)
	write(0x10400470, 0x21)
	require.True(t, g.Stereo())
	require.Equal(t, [3]uint8{12, 11, 10}, pixelOf(pipeline.ScreenTopRight, 0, 239))
	write(0x10400470, 0x01)
	require.False(t, g.Stereo())
	require.Equal(t, 800, g.Screen(pipeline.ScreenTop).Bounds().Dx(), "wide mode: no stereo, no doubled lines")

	// A negative stride starts at the last line.
	write(0x10400470, 0x41)
	write(0x10400468, left+720)
	write(0x10400490, 0xFFFFFD30)
	require.Equal(t, [3]uint8{9, 8, 7}, pixelOf(pipeline.ScreenTop, 0, 239))
	require.Equal(t, [3]uint8{3, 2, 1}, pixelOf(pipeline.ScreenTop, 1, 239))

	for format, want := range [][3]uint8{{4, 3, 2}, {3, 2, 1}, {0, 65, 8}, {0, 66, 0}, {0, 34, 0}} {
		write(0x10400490, 1024)
		write(0x10400468, left)
		write(0x10400470, 0x40|uint32(format))
		require.Equal(t, want, pixelOf(pipeline.ScreenTop, 0, 239), "format %d", format)
	}
	write(0x10202204, 1<<24|0x030201)
	require.Equal(t, [3]uint8{1, 2, 3}, pixelOf(pipeline.ScreenTop, 100, 100))
	write(0x10202A04, 1<<24|0x060504)
	require.Equal(t, [3]uint8{4, 5, 6}, pixelOf(pipeline.ScreenBottom, 0, 0))
}

// Hooks get copies of the registers: changing them does not affect the draw.
func TestHooksGetCopies(t *testing.T) {
	drawn := func(spoil bool) (fragments uint64) {
		g := setUp(t, pipeline.Options{Workers: 1})
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			require.Equal(t, g.Registers(), *d.Regs)
			if spoil {
				*d.Regs = pica.Regs{}
			}
			return nil
		}
		g.AfterDraw = func(d *pipeline.DrawInfo) error { fragments = d.Fragments; return nil }
		run(t, g, list(drawArrays))
		return fragments
	}
	require.NotZero(t, drawn(false))
	require.Equal(t, drawn(false), drawn(true))
}

// Explain resets the GPU before each of its two runs: earlier registers and memory do not affect them.
func TestExplainResetsTheGPU(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	draws := 0
	draw := func(ctx context.Context) error {
		draws++
		b := testkit.Must(g.Peek(pica.VRAMBase, 4))(t)
		require.Equal(t, make([]byte, 4), b, "run %d", draws)
		require.Zero(t, g.ReadInternal(pica.RegColorbufferRead), "run %d", draws)
		list := triangleList(t)
		require.NoError(t, g.Load(ctx, vertexAddr, triangles()))
		require.NoError(t, g.Load(ctx, listAddr, list))
		return g.RunList(ctx, listAddr, uint32(len(list)))
	}
	require.NoError(t, draw(t.Context()))
	require.NoError(t, g.Finish(t.Context()))
	draws = 0
	want := pixel(t, g, 5, 20)
	var events []pipeline.Event
	require.NoError(t, g.Watch(t.Context(), 5, 31-20, func(e pipeline.Event) { events = append(events, e) }, draw))
	require.Equal(t, 2, draws)
	require.NotEmpty(t, events)
	require.Equal(t, want, events[len(events)-1].Fragment.After.Color)
	seen := len(events)
	require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: pica.VRAMBase, End: pica.VRAMBase + 32*32*4, Bits: 32}))
	require.Len(t, events, seen, "after Watch no further events are recorded")
	refused := errors.New("refused")
	require.ErrorIs(t, g.Watch(t.Context(), 5, 5, nil, func(context.Context) error { return refused }), refused)
	require.ErrorIs(t, g.Watch(t.Context(), 5, 5, nil, func(context.Context) error { return nil }), pipeline.ErrNoTarget)

	// A watch on the last target reports later draws.
	require.NoError(t, draw(t.Context()))
	events = nil
	require.NoError(t, g.WatchLast(5, 11, func(e pipeline.Event) { events = append(events, e) }))
	require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: pica.VRAMBase, End: pica.VRAMBase + 32*32*4, Value: 0x11223344, Bits: 32}))
	g.Unwatch()
	require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: pica.VRAMBase, End: pica.VRAMBase + 32*32*4, Bits: 32}))
	require.Len(t, events, 1)
	require.Equal(t, [4]uint8{0x11, 0x22, 0x33, 0x44}, events[0].After.Color)
	require.ErrorContains(t, g.WatchLast(32, 0, nil), "outside the render target")
}
