package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Behaviour of the console for work that a correct program never requests: the rules of docs/accuracy/pipeline.md.

// drawWith runs a command list on the state of triangleList.
func drawWith(t *testing.T, g *pipeline.GPU, build func(w *pica.CommandWriter)) error {
	t.Helper()
	commands := list(build)
	require.NoError(t, g.Load(t.Context(), listAddr, commands))
	return g.RunList(t.Context(), listAddr, uint32(len(commands)))
}

// colors returns the colour buffer of the 32x32 target.
func colors(t *testing.T, g *pipeline.GPU) []byte {
	t.Helper()
	require.NoError(t, g.Finish(t.Context()))
	b := testkit.Must(g.Peek(pica.VRAMBase, 32*32*4))(t)
	return bytes.Clone(b)
}

func drawArrays(w *pica.CommandWriter) {
	w.Write(pica.RegNumvertices, 6)
	w.Write(pica.RegDrawarrays, 1)
}

// An impossible draw is left out; the draws around it are done.
func TestImpossibleDrawsAreSkipped(t *testing.T) {
	for _, c := range []struct {
		name, want string
		set        func(w *pica.CommandWriter)
	}{
		{"vertex base", "no memory at 0x78000000", func(w *pica.CommandWriter) { w.Write(pica.RegAttribbuffersLoc, 0x78000000>>3) }},
		{"stride", "the console would freeze or draw nothing", func(w *pica.CommandWriter) { w.Write(pica.RegAttribbuffer0Offset+2, 2<<28|12<<16) }},
		{"colour buffer", "no memory at 0x08000000", func(w *pica.CommandWriter) { w.Write(pica.RegColorbufferLoc, 0x08000000>>3) }},
		{"fragment mode", "mode 2", func(w *pica.CommandWriter) { w.WriteMasked(pica.RegColorOperation, 1, 2) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := setUp(t, pipeline.Options{Workers: 1})
			require.NoError(t, drawWith(t, want, drawArrays))

			g := setUp(t, pipeline.Options{Workers: 1})
			require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) { drawArrays(w); c.set(w); drawArrays(w); drawArrays(w) }))
			require.Equal(t, colors(t, want), colors(t, g))
			warned := g.Warnings()
			require.Len(t, warned, 1)
			require.Equal(t, []int{0, 1, 2}, []int{warned[0].Frame, warned[0].Draw, warned[0].Count})
			require.Contains(t, warned[0].Text, c.want)
			require.Contains(t, warned[0].Text, "draw of 6 vertices (arrays) left out")

			g = setUp(t, pipeline.Options{Workers: 1, Strict: true})
			err := drawWith(t, g, func(w *pica.CommandWriter) { c.set(w); drawArrays(w) })
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "draw 0 (arrays, 6 vertices)")
			require.Empty(t, g.Warnings())
		})
	}
}

// An operation that hangs the console ends the list.
func TestHangsEndTheList(t *testing.T) {
	const mova = 0x12 << 26
	for _, c := range []struct {
		name, want string
		code       []uint32
	}{
		{"a loop without an end", "shader never reaches END", []uint32{0x2C<<26 | 1<<22 | 0<<10}}, // JMPC to itself, always taken
		{"two MOVA in a row", "instruction 0x001: MOVA right after another MOVA", []uint32{mova, mova, 0x22 << 26}},
		{"BREAK outside LOOP", "BREAK outside LOOP", []uint32{0x20 << 26}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, strict := range []bool{false, true} {
				g := setUp(t, pipeline.Options{Workers: 1, Strict: strict})
				err := drawWith(t, g, func(w *pica.CommandWriter) {
					w.Write(pica.RegVshCodetransferIndex, 0)
					w.WriteAll(pica.RegVshCodetransferData0, c.code...)
					drawArrays(w)
					w.Write(0x90, 5)
				})
				require.ErrorIs(t, err, pica.ErrHang)
				require.ErrorContains(t, err, c.want)
				require.ErrorContains(t, err, "draw 0 (arrays, 6 vertices)")
				require.Zero(t, g.ReadInternal(0x90))
				require.Empty(t, g.Warnings())
			}
		})
	}
}

// passGeometry sets up a geometry shader that passes triangles on; last is its last instruction.
func passGeometry(w *pica.CommandWriter, last uint32) {
	w.Write(pica.RegGeostageConfig, 2)
	w.Write(pica.RegVshComMode, 1)
	w.Write(pica.RegVshOutmapTotal1, 1)
	w.Write(pica.RegGshInputbufferConfig, 0x08000005)
	w.WriteRun(pica.RegGshAttributesPermutationLow, 0x76543210, 0xFEDCBA98)
	w.Write(pica.RegGshOutmapMask, 3)
	w.Write(pica.RegGshEntrypoint, 0x7FFF0000)
	w.Write(pica.RegGshOpdescsIndex, 0)
	w.Write(pica.RegGshOpdescsData0, 0x36F)
	w.Write(pica.RegGshCodetransferIndex, 0)
	for v := range uint32(3) {
		w.WriteAll(pica.RegGshCodetransferData0, 0x2B<<26|v<<24|v/2<<23, 0x13<<26|2*v<<12, 0x13<<26|1<<21|(2*v+1)<<12, 0x2A<<26)
	}
	w.WriteAll(pica.RegGshCodetransferData0, last)
	w.Write(pica.RegPrimitiveConfig, 0x301)
}

const nop, end = 0x21 << 26, 0x22 << 26

// A geometry shader without END ends where its memory does, with a warning, and the list goes on: games have such programs.
func TestGeometryShaderWithoutEnd(t *testing.T) {
	draw := func(g *pipeline.GPU, last uint32) error {
		return drawWith(t, g, func(w *pica.CommandWriter) {
			passGeometry(w, last)
			drawArrays(w)
			drawArrays(w)
			w.Write(0x90, 5)
		})
	}
	want := setUp(t, pipeline.Options{Workers: 1})
	require.NoError(t, draw(want, end))
	require.Empty(t, want.Warnings())
	g := setUp(t, pipeline.Options{Workers: 1})
	require.NoError(t, draw(g, nop))
	require.Equal(t, colors(t, want), colors(t, g))
	require.True(t, bytes.ContainsAny(colors(t, g), "\x01\x7F\xFF"), "something is drawn")
	require.Equal(t, uint32(5), g.ReadInternal(0x90))
	require.Len(t, g.Warnings(), 1)
	w := g.Warnings()[0]
	require.Equal(t, [3]int{0, 0, 2}, [3]int{w.Frame, w.Draw, w.Count})
	require.Contains(t, w.Text, "the geometry shader has no END: its runs stop where the code memory of the geometry unit ends, after word 4095")

	g = setUp(t, pipeline.Options{Workers: 1, Strict: true})
	require.ErrorContains(t, draw(g, nop), "draw 0 (arrays, 6 vertices): the geometry shader has no END")
}

// Draws with and without geometry shader in one list hang the console in this order, unless pixels are flushed between them.
func TestGeometryShaderThenNone(t *testing.T) {
	for name, c := range map[string]struct {
		between func(w *pica.CommandWriter)
		warns   int
	}{
		"at once":      {func(*pica.CommandWriter) {}, 1},
		"flushed":      {func(w *pica.CommandWriter) { w.Write(pica.RegFramebufferFlush, 1) }, 0},
		"invalidated":  {func(w *pica.CommandWriter) { w.Write(pica.RegFramebufferInvalidate, 1) }, 1},
		"another list": {nil, 0},
	} {
		g := setUp(t, pipeline.Options{Workers: 1})
		require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
			drawArrays(w)
			passGeometry(w, end)
			drawArrays(w)
			drawArrays(w)
			if c.between != nil {
				c.between(w)
				w.Write(pica.RegGeostageConfig, 0)
				drawArrays(w)
				drawArrays(w)
			}
		}), name)
		require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
			w.Write(pica.RegGeostageConfig, 0)
			w.Write(pica.RegVshComMode, 0)
			drawArrays(w)
		}), name)
		var found []pipeline.Warning
		for _, w := range g.Warnings() {
			if strings.Contains(w.Text, "follows one with it") {
				found = append(found, w)
			}
		}
		require.Len(t, found, c.warns, name)
		if c.warns > 0 {
			require.Equal(t, [2]int{3, 1}, [2]int{found[0].Draw, found[0].Count}, name)
		}
	}
}

// A texture outside of memory reads like a missing one.
func TestTexturesOutsideMemoryReadAsMissing(t *testing.T) {
	texture := func(addr uint32) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1001)
			w.Write(pica.RegTexunit0Dim, 8<<16|8)
			w.Write(pica.RegTexunit0Addr1, addr>>3)
			w.Write(pica.RegTexenv0Source, 0x00030003)
			for i := 1; i < pica.NumTexenvs; i++ {
				w.Write(pica.RegTexenv0Source+pica.TexenvOffset(i), 0x000F000F)
			}
			drawArrays(w)
		}
	}
	null := setUp(t, pipeline.Options{Workers: 1})
	require.NoError(t, drawWith(t, null, texture(0)))
	require.Empty(t, null.Warnings())
	bad := setUp(t, pipeline.Options{Workers: 1})
	require.NoError(t, drawWith(t, bad, texture(0x70000000)))
	require.Equal(t, colors(t, null), colors(t, bad))
	w := bad.Warnings()
	require.Len(t, w, 1)
	require.Equal(t, 0, w[0].Draw)
	require.Contains(t, w[0].Text, "texture unit 0: texture of 8x8 rgba8 with 1 levels: no memory at 0x70000000")
	strict := setUp(t, pipeline.Options{Workers: 1, Strict: true})
	require.ErrorContains(t, drawWith(t, strict, texture(0x70000000)), "no memory at 0x70000000")
}

// A trigger register acts on any value.
func TestTriggersActOnAnyValue(t *testing.T) {
	g := setUp(t, pipeline.Options{Workers: 1})
	require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
		w.Write(pica.RegNumvertices, 6)
		for _, r := range []pica.Reg{pica.RegDrawarrays, pica.RegDrawelements} {
			w.Write(r, 0)
			w.WriteMasked(r, 0b0100, 0x80000001)
			w.WriteMasked(r, 0, 1)
		}
	}))
	require.Equal(t, 4, g.TakeStats().Draws)
}

// The addresses of a render target count in 64 bytes.
func TestTargetAddressesCountIn64Bytes(t *testing.T) {
	picture := func(low uint32) []byte {
		g := setUp(t, pipeline.Options{Workers: 1})
		require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
			w.Write(pica.RegDepthbufferLoc, (pica.VRAMBase+0x20000)>>3|low)
			w.Write(pica.RegColorbufferLoc, pica.VRAMBase>>3|low)
			drawArrays(w)
		}))
		return testkit.Must(g.Read(pica.VRAMBase, 0x30000))(t)
	}
	want := picture(0)
	require.True(t, bytes.ContainsAny(want, "\x7F\xFF"))
	require.True(t, bytes.Equal(want, picture(7)))
	require.False(t, bytes.Equal(want, picture(8)))
}

// With reading disabled a buffer reads as 0, and it need not exist.
func TestDisabledBufferReadsAsZero(t *testing.T) {
	const always, less, lequal, greater = uint32(pica.CompareAlways), uint32(pica.CompareLess), uint32(pica.CompareLessEqual), uint32(pica.CompareGreater)
	for _, c := range []struct {
		name  string
		fn    uint32
		write bool
		draws bool
	}{
		{"less", less, false, false}, {"less or equal", lequal, false, false}, {"greater", greater, false, true},
		{"always", always, false, true}, {"greater, with write", greater, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 1})
			depth := make([]byte, 32*32*4)
			for i := range depth {
				depth[i] = 0x7F
			}
			require.NoError(t, g.Load(t.Context(), pica.VRAMBase+0x8000, depth))
			require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
				mask := uint32(0xF01) | c.fn<<4
				if c.write {
					mask |= 1 << 12
				} else {
					w.Write(pica.RegDepthbufferLoc, 0)
					w.Write(pica.RegDepthbufferWrite, 0)
				}
				w.Write(pica.RegDepthColorMask, mask)
				w.Write(pica.RegDepthbufferRead, 0)
				drawArrays(w)
			}))
			require.Equal(t, c.draws, bytes.ContainsAny(colors(t, g), "\x01\x7F\xFF"))
			require.Empty(t, g.Warnings())
		})
	}
}

// A depth test that always passes and does not write needs no buffer, even with reading enabled.
func TestDepthAlwaysNeedsNoBuffer(t *testing.T) {
	for fn, draws := range map[pica.CompareFunc]bool{pica.CompareAlways: true, pica.CompareNever: false} {
		g := setUp(t, pipeline.Options{Workers: 1, Strict: true})
		require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
			w.Write(pica.RegDepthbufferLoc, 0)
			w.Write(pica.RegDepthColorMask, 0xF01|uint32(fn)<<4)
			drawArrays(w)
		}))
		require.Equal(t, draws, bytes.ContainsAny(colors(t, g), "\x01\x7F\xFF"))
	}
}

// brokenTrace draws from unmapped memory in the second of three frames; with hangs, the third never ends.
func brokenTrace(t testing.TB, hangs bool) *picatrace.Trace {
	t.Helper()
	list := triangleList(t)
	var bad pica.CommandWriter
	bad.Write(pica.RegNumvertices, 6)
	bad.Write(pica.RegDrawarrays, 1)
	bad.Write(pica.RegAttribbuffersLoc, 0x78000000>>3)
	bad.Write(pica.RegDrawarrays, 1)
	bad.Write(pica.RegAttribbuffersLoc, vertexAddr>>3)
	bad.Write(pica.RegDrawarrays, 1)
	bad.Finish()
	var last pica.CommandWriter
	last.Write(pica.RegDrawarrays, 1)
	if !hangs {
		last.Finish()
	}
	var b citrace.Builder
	b.Load(vertexAddr, triangles())
	for _, l := range [][]byte{list, bad.Bytes(), last.Bytes()} {
		b.Load(listAddr, l)
		b.Write(pica.ExtCommandListSize, uint32(len(l))>>3)
		b.Write(pica.ExtCommandListAddr, listAddr>>3)
		b.Write(pica.ExtCommandListStart, 1)
		b.EndFrame()
	}
	return states.Built(t, &b)
}

func TestReplayContinuesAfterBrokenFrame(t *testing.T) {
	p := pipeline.PlayerFor(t, brokenTrace(t, false), pipeline.Options{Workers: 2})
	for i, draws := range []int{3, 3, 1} {
		f := testkit.Must(p.NextFrame(context.Background()))(t)
		require.Equal(t, []int{i, draws}, []int{f.Index, f.Stats.Draws})
	}
	_, err := p.NextFrame(context.Background())
	require.Equal(t, io.EOF, err)
	w := p.GPU.Warnings()
	require.Len(t, w, 1)
	require.Contains(t, w[0].String(), "frame 1, draw 1: draw of 6 vertices (arrays) left out: vertex array 0, vertices 0 to 5: no memory at 0x78000000")

	require.NoError(t, p.Rewind())
	require.Empty(t, p.GPU.Warnings())

	_, err = pipeline.ReplayFor(t, brokenTrace(t, false), pipeline.Options{Workers: 1, Strict: true}, nil)
	require.ErrorContains(t, err, "frame 1, event")
	require.ErrorContains(t, err, "draw 1 (arrays, 6 vertices)")

	frames := 0
	_, err = pipeline.ReplayFor(t, brokenTrace(t, true), pipeline.Options{Workers: 1}, func(*pipeline.GPU, pipeline.Frame) error { frames++; return nil })
	require.ErrorIs(t, err, pica.ErrHang)
	require.Equal(t, 2, frames)
}

// Errors returned by hooks end the draw and are not warnings.
func TestHookErrorsEndTheDraw(t *testing.T) {
	g := setUp(t, pipeline.Options{Workers: 1})
	mine := errors.New("mine")
	g.BeforeDraw = func(*pipeline.DrawInfo) error { return mine }
	require.ErrorIs(t, drawWith(t, g, drawArrays), mine)
	g.BeforeDraw, g.AfterDraw = nil, func(*pipeline.DrawInfo) error { return mine }
	require.ErrorIs(t, drawWith(t, g, drawArrays), mine)
	require.Empty(t, g.Warnings())
	require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
		w.Write(pica.RegAttribbuffersLoc, 0x78000000>>3)
		drawArrays(w)
	}), "AfterDraw is not called for a skipped draw")
}
