package pipeline_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
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

// Fills, transfers, copies and screens have addresses in 16 bytes; fills belong in video memory.
func TestExternalAddressesCountIn16Bytes(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	const at = pica.VRAMBase + 0x100
	fill := func(from, to uint32) {
		require.NoError(t, g.Load(t.Context(), from&^31, make([]byte, 32)))
		require.NoError(t, writes(t, g, pica.ExtMemfillStart, from>>3, pica.ExtMemfillEnd, to>>3, pica.ExtMemfillValue, 0x01010101, pica.ExtMemfillControl, 1|2<<8))
	}
	fill(at+8, at+0x28)
	require.Equal(t, append(bytes.Repeat([]byte{1}, 32), make([]byte, 32)...), testkit.Must(g.Read(at, 64))(t))
	require.Empty(t, g.Warnings())
	fill(pica.VRAMBase+pica.VRAMSize-32, pica.VRAMBase+pica.VRAMSize)
	require.Empty(t, g.Warnings())
	fill(pica.FCRAMBase, pica.FCRAMBase+32)
	require.Equal(t, append(bytes.Repeat([]byte{1}, 32), make([]byte, 32)...), testkit.Must(g.Read(pica.FCRAMBase, 64))(t))
	require.Len(t, g.Warnings(), 1)
	require.Contains(t, g.Warnings()[0].Text, "memory fill of 0x20000000-0x20000020 with the 32-bit value 0x01010101: fills belong in video memory")

	picture := make([]byte, 64*16*4)
	for i := range picture {
		picture[i] = byte(i / 4)
	}
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, picture))
	transfer := func(in, out uint32) []byte {
		require.NoError(t, writes(t, g, pica.ExtTransferInput, in>>3, pica.ExtTransferOutput, out>>3, pica.ExtTransferOutputDim, 16<<16|64,
			pica.ExtTransferInputDim, 16<<16|64, pica.ExtTransferFlags, 0, pica.ExtTransferStart, 1))
		return testkit.Must(g.Read(pica.FCRAMBase, uint32(len(picture))))(t)
	}
	want := transfer(pica.VRAMBase, pica.FCRAMBase)
	require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, make([]byte, len(picture))))
	require.Equal(t, want, transfer(pica.VRAMBase+8, pica.FCRAMBase+8))

	show := func(at, stride uint32) *image.RGBA {
		require.NoError(t, writes(t, g, pica.ExtPdcAddrA0, at, pica.ExtPdcStride, stride, pica.ExtPdcSelect, 0))
		return g.Screen(pipeline.ScreenTop)
	}
	screen := show(pica.VRAMBase, 720)
	require.Equal(t, screen, show(pica.VRAMBase+15, 720+15))
	require.NotEqual(t, screen, show(pica.VRAMBase+16, 720))
	require.NotEqual(t, screen, show(pica.VRAMBase, 720+16))

	require.Equal(t, uint32(0x00010002), g.ReadRegister(pica.ExtHardwareID))
	require.NoError(t, writes(t, g, pica.ExtHardwareID, 7))
	require.Equal(t, uint32(0x00010002), g.ReadRegister(pica.ExtHardwareID))
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

// writes writes external registers.
func writes(t *testing.T, g *pipeline.GPU, pairs ...uint32) error {
	t.Helper()
	var err error
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(t, err)
		err = g.WriteRegister(t.Context(), pairs[i], uint64(pairs[i+1]), 4)
	}
	return err
}

// A fill with start address 0 finishes at once without filling.
func TestFillWithAddressZeroFinishes(t *testing.T) {
	for _, end := range []uint32{0, pica.VRAMBase + 64} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
		require.NoError(t, writes(t, g, pica.ExtMemfillStart, 0, pica.ExtMemfillEnd, end>>3, pica.ExtMemfillControl, 0x201))
		require.Equal(t, uint32(0x202), g.ReadRegister(pica.ExtMemfillControl), "the fill is finished and not busy")
		require.Zero(t, g.TakeStats().Fills)
	}
}

// Impossible copies and fills are left out.
func TestImpossibleCopiesAreSkipped(t *testing.T) {
	for _, c := range []struct {
		name, want string
		write      []uint32
	}{
		{"fill", "memory fill left out", []uint32{pica.ExtMemfillStart, 0x30000000 >> 3, pica.ExtMemfillEnd, 0x30001000 >> 3, pica.ExtMemfillControl, 1}},
		{"fill backwards", "memory fill left out", []uint32{pica.ExtMemfillStart, 0x18001000 >> 3, pica.ExtMemfillEnd, 0x18000000 >> 3, pica.ExtMemfillControl, 1}},
		{"transfer of nothing", "display transfer left out", []uint32{pica.ExtTransferFlags, 0, pica.ExtTransferStart, 1}},
		{"copy to no memory", "texture copy left out", []uint32{pica.ExtTransferInput, pica.VRAMBase >> 3, pica.ExtTransferOutput, 0,
			pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 256, pica.ExtTransferStart, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
			require.NoError(t, writes(t, g, c.write...))
			w := g.Warnings()
			require.Len(t, w, 1)
			require.Equal(t, -1, w[0].Draw)
			require.Contains(t, w[0].Text, c.want)
			strict := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
			require.Error(t, writes(t, strict, c.write...))
		})
	}
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	require.ErrorIs(t, writes(t, g, pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 15, pica.ExtTransferStart, 1), pica.ErrHang)
	require.ErrorIs(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, pica.FCRAMBase>>3,
		pica.ExtTransferFlags, 0xC, pica.ExtTextureCopySize, 256, pica.ExtTextureCopyInput, 4<<16, pica.ExtTransferStart, 1), pica.ErrHang,
		"a copy of lines of 0 bytes with a gap hangs")
	require.ErrorIs(t, writes(t, g, pica.ExtTextureCopyInput, 0, pica.ExtTextureCopyOutput, 4<<16, pica.ExtTransferStart, 1), pica.ErrHang)
	require.ErrorIs(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, pica.FCRAMBase>>3,
		pica.ExtTransferOutputDim, 64<<16|64, pica.ExtTransferInputDim, 64<<16|64, pica.ExtTransferFlags, 1<<8, pica.ExtTransferStart, 1), pica.ErrHang,
		"a transfer from RGB8 to RGBA8 hangs")
	require.ErrorIs(t, writes(t, g, pica.ExtTransferOutputDim, 32<<16|32, pica.ExtTransferInputDim, 32<<16|32, pica.ExtTransferFlags, 1<<5, pica.ExtTransferStart, 1),
		pica.ErrHang, "32x32 from tiled to tiled")
}

// A texture copy reads from the 16-byte boundary below its source, and writes to that below its destination.
func TestTextureCopyAlignment(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	var data [64]byte
	for i := range data {
		data[i] = byte(i)
	}
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, data[:]))
	const dst = pica.VRAMBase + 0x1000
	require.NoError(t, writes(t, g, pica.ExtTransferInput, (pica.VRAMBase+24)>>3, pica.ExtTransferOutput, (dst+8)>>3,
		pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 32, pica.ExtTransferStart, 1))
	got := testkit.Must(g.Read(dst, 32))(t)
	require.Equal(t, data[16:48], got)
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

// The number of warnings is limited.
func TestWarningsAreBounded(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	for i := range uint32(500) {
		require.NoError(t, g.WriteRegister(t.Context(), 0x10000000+4*i, 1, 4))
	}
	w := g.Warnings()
	require.Len(t, w, 50)
	require.Equal(t, "frame 0: further warnings of other kinds (451 times)", w[49].String())
}

// Without bit 24 of GPUREG_FRAMEBUFFER_DIM the target is upside down, with viewport and scissor; culling does not change.
func TestTargetFlip(t *testing.T) {
	const size, stride = 32, 32 * 4
	pictureOf := func(t *testing.T, dim uint32, set func(w *pica.CommandWriter)) []byte {
		g := setUp(t, pipeline.Options{Workers: 2, Strict: true})
		require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
			w.Write(pica.RegFramebufferDim, dim)
			w.Write(pica.RegDepthColorMask, 0x1F71) // greater or equal, with a depth buffer of 0
			set(w)
			drawArrays(w)
		}))
		target := testkit.Must(g.LastTarget())(t)
		img := testkit.Must(pipeline.ColorImage(target))(t)
		return img.Pix
	}
	upsideDown := func(pix []byte) (out []byte) {
		for y := size - 1; y >= 0; y-- {
			out = append(out, pix[y*stride:(y+1)*stride]...)
		}
		return out
	}
	for name, set := range map[string]func(w *pica.CommandWriter){
		"plain": func(*pica.CommandWriter) {},
		"scissor": func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegScissortestMode, 3, 3<<16|2, 20<<16|30)
		},
		"scissor that leaves out": func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegScissortestMode, 1, 3<<16|2, 20<<16|30)
		},
		"viewport": func(w *pica.CommandWriter) {
			w.Write(pica.RegViewportXy, 5<<16|3)
			w.WriteRun(pica.RegViewportHeight, pica.Float24.Encode(9), pica.Float31.Encode(1.0/9)<<1)
		},
		"cull":          func(w *pica.CommandWriter) { w.Write(pica.RegFacecullingConfig, 1) },
		"cull, reverse": func(w *pica.CommandWriter) { w.Write(pica.RegFacecullingConfig, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			const dim = (size-1)<<12 | size
			right, flipped := pictureOf(t, 1<<24|dim, set), pictureOf(t, dim, set)
			want := upsideDown(right)
			if name != "cull" && name != "cull, reverse" {
				require.NotEqual(t, right, want, "the flipped picture must differ for the test to mean anything")
			}
			for i := range want { // colours are interpolated from the other end
				require.InDelta(t, want[i], flipped[i], 1, "byte %d", i)
				require.Equal(t, want[i|3] == 0, flipped[i|3] == 0, "byte %d", i)
			}
		})
	}
}

// A copy with width and gap 0 is one line; so is one with a width and no gap.
func TestTextureCopyWithZeroWidth(t *testing.T) {
	for _, width := range []uint32{0, 3} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
		data := bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 40)
		require.NoError(t, g.Load(t.Context(), pica.VRAMBase, data))
		require.NoError(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, (pica.VRAMBase+0x1000)>>3, pica.ExtTransferFlags, 8,
			pica.ExtTextureCopySize, 319, pica.ExtTextureCopyInput, width, pica.ExtTextureCopyOutput, width, pica.ExtTransferStart, 1))
		got := testkit.Must(g.Read(pica.VRAMBase+0x1000, 320))(t)
		require.Equal(t, data[:304], got[:304])
		require.Equal(t, make([]byte, 16), got[304:], "the copied size is rounded down to a multiple of 16")
	}
}

// What citra-emu/hwtests expects of transfers on a console: all its 84 values, and the three conversions that froze it.
func TestTransferSuiteOfConsole(t *testing.T) {
	const src, dst, square, wide, narrow = pica.FCRAMBase, pica.FCRAMBase + 1<<20, 128<<16 | 128, 400<<16 | 512, 400<<16 | 240
	type at map[uint32]uint32 // word to value
	const z1, z2, z13 = 0xABCDE, 0xDEF00, 0xAAAAAA
	tiles, lines := at{1: z1, 2: z2, 13: z13}, at{1: z1, 128: z2, 2*128 + 3: z13}
	mark := func(first uint32) at { return at{0: first, 512*400 - 1: 0xFF00, 240*400 - 1: 0xFF0000} }
	done := 0
	check := func(flags, in, out uint32, input, want at) {
		t.Helper()
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		for word, v := range input {
			require.NoError(t, g.Load(t.Context(), src+4*word, binary.LittleEndian.AppendUint32(nil, v)))
		}
		require.NoError(t, writes(t, g, pica.ExtTransferInput, src>>3, pica.ExtTransferOutput, dst>>3, pica.ExtTransferInputDim, in,
			pica.ExtTransferOutputDim, out, pica.ExtTransferFlags, flags, pica.ExtTextureCopySize, 128*128*4, pica.ExtTransferStart, 1))
		require.Equal(t, in == wide, len(g.Warnings()) != 0, "flags %#x: %v", flags, g.Warnings())
		for word, v := range want {
			require.Equal(t, v, binary.LittleEndian.Uint32(testkit.Must(g.Read(dst+4*word, 4))(t)), "flags %#x, %v: word %#x", flags, input, word)
			done++
		}
	}
	for flags, pixels := range map[uint32][][2]uint32{
		0x0000: {{0xFF000000, 0xFF000000}, {0xFF0000, 0xFF0000}, {0xFF00, 0xFF00}, {0xFF, 0xFF}},
		0x1000: {{0xFF000000, 0xFF0000}, {0xFF0000, 0xFF00}, {0xFF00, 0xFF}, {0xFF, 0}},
		0x2000: {{0xFF000000, 0xF800}, {0xFF0000, 0x07E0}, {0xFF00, 0x001F}, {0xFF, 0}},
		0x3000: {{0xFF000000, 0xF800}, {0xFF0000, 0x07C0}, {0xFF00, 0x003E}, {0xFF, 1}, {0x64, 0}, {0x7F, 0}, {0x80, 1}, {0xFE, 1}},
		0x4000: {{0xFF000000, 0xF000}, {0xFF0000, 0x0F00}, {0xFF00, 0x00F0}, {0xFF, 15}, {0x64, 6}, {0x7F, 7}, {0x80, 8}, {0xFE, 15}},
		0x1100: {{0xFF0000, 0xFF0000}, {0xFF00, 0xFF00}, {0xFF, 0xFF}},
		0x2300: {{0xF800, 0xF800}, {0x07C0, 0x07E0}, {0x003E, 0x001F}, {1, 0}},
		0x3300: {{0xF800, 0xF800}, {0x07C0, 0x07C0}, {0x003E, 0x003E}, {1, 1}},
		0x4300: {{0xF800, 0xF000}, {0x07C0, 0x0F00}, {0x003E, 0x00F0}, {1, 15}},
		0x3400: {{0xF000, 0xF800}, {0x0F00, 0x07C0}, {0x00F0, 0x003E}, {15, 1}, {8, 1}, {7, 0}},
	} {
		for _, p := range pixels {
			check(flags, square, square, at{0: p[0]}, at{0: p[1]})
		}
	}
	for _, c := range []struct {
		flags, in, out uint32
		input, want    at
	}{
		{1 << 24, square, square, at{0: 0xFF000000}, at{0: 0x7F000000}},
		{0, square, square, at{0: 0xFF000000}, at{0: 0xFF000000}},
		{1 << 24, square, square, at{0: 0xFFFF0000}, at{0: 0x7F7F0000}},
		{1 << 24, square, square, at{0: 0xFFFF0000, 1: 0xFF000000}, at{0: 0xFF7F0000}},
		{1 << 24, square, square, at{0: 0xFFFF0000, 1: 0xFF0000FF}, at{0: 0xFF7F007F}},
		{1 << 24, square, square, at{0: 0xFFFF0000, 1: 0x00FF0000, 2: 0xFF000000}, at{0: 0x7FFF0000, 64: 0x7F000000}},
		{2 << 24, square, square, at{0: 0xFFFF0000, 1: 0xFF0000FF}, at{0: 0x7F3F003F}},
		{1 << 12, wide, narrow, mark(0xFF000000), at{0: 0xFF0000, 240*400 - 1: 0, 0x1193F: 0xFF0000}},
		{1 << 12, wide, narrow, mark(0xFF0000), at{0: 0xFF00}},
		{1 << 12, wide, narrow, mark(0xFF00), at{0: 0xFF}},
		{1 << 12, wide, narrow, mark(0xFF), at{0: 0}},
		{0, square, square, tiles, lines},
		{1 << 1, square, square, lines, tiles},
		{1 << 16, square, square, tiles, lines},
		{1 << 5, square, square, tiles, tiles},
		{1<<5 | 1<<1, square, square, tiles, tiles},
		{1<<3 | 1<<12, square, square, tiles, tiles},
		{1<<3 | 1<<12 | 1<<1, square, square, tiles, tiles},
	} {
		check(c.flags, c.in, c.out, c.input, c.want)
	}
	require.Equal(t, 84, done)
	for _, flags := range []uint32{0x2100, 0x3100, 0x4100} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		require.ErrorIs(t, writes(t, g, pica.ExtTransferInput, src>>3, pica.ExtTransferOutput, dst>>3, pica.ExtTransferInputDim, square,
			pica.ExtTransferOutputDim, square, pica.ExtTransferFlags, flags, pica.ExtTransferStart, 1), pica.ErrHang)
	}
}

// Transfers that 3dbrew advises against are done, with a warning.
func TestTransferLimits(t *testing.T) {
	const ok = uint32(64<<16 | 128)
	for _, c := range []struct {
		name           string
		flags, in, out uint32
		want           []string
	}{
		{name: "as asked", in: ok, out: ok},
		{name: "narrow", in: 64<<16 | 32, out: 64<<16 | 32, want: []string{"widths of 64 pixels"}},
		{name: "low", in: 8<<16 | 128, out: 8<<16 | 128, want: []string{"heights of 16 pixels"}},
		{name: "larger", in: ok, out: 64<<16 | 256, want: []string{"no larger than the input"}},
		{name: "lines of RGB8", flags: 1<<8 | 1<<12, in: 64<<16 | 72, out: 64<<16 | 72, want: []string{"multiple of 16 bytes"}},
		{name: "scaled", flags: 1 << 24, in: ok, out: 64<<16 | 96, want: []string{"input's size before scaling"}},
		{name: "scaled and cropped", flags: 1<<24 | 4, in: ok, out: 64<<16 | 96},
		{name: "tiled to tiled", flags: 1<<5 | 2<<24, in: ok, out: ok},
		{name: "tiled to tiled, unscaled", flags: 1<<5 | 4<<8 | 4<<12, in: 64<<16 | 64, out: 64<<16 | 64},
		{name: "tiled to tiled, half as wide", flags: 1<<5 | 1<<24, in: ok, out: ok, want: []string{"scaling by 2x2 or none"}},
		{name: "tiled to tiled, small", flags: 1 << 5, in: 32<<16 | 40, out: 32<<16 | 40, want: []string{"widths of 64 pixels", "multiple of 64 bytes"}},
		{name: "tiled to tiled, low", flags: 1<<5 | 2<<24, in: 16<<16 | 128, out: 16<<16 | 128, want: []string{"heights of 32 pixels"}},
		{name: "blocks", flags: 1 << 16, in: 64<<16 | 128, out: 40<<16 | 128, want: []string{"whole blocks"}},
		{name: "linear", flags: 2, in: 8<<16 | 8, out: 8<<16 | 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := []uint32{pica.ExtTransferInput, pica.VRAMBase >> 3, pica.ExtTransferOutput, pica.FCRAMBase >> 3, pica.ExtTransferFlags, c.flags,
				pica.ExtTransferInputDim, c.in, pica.ExtTransferOutputDim, c.out, pica.ExtTransferStart, 1}
			g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
			require.NoError(t, writes(t, g, list...))
			w := g.Warnings()
			require.Len(t, w, len(c.want), "%v", w)
			for i, want := range c.want {
				require.Contains(t, w[i].Text, want)
			}
			require.Equal(t, 1, g.TakeStats().Transfers)
			strict := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
			require.Equal(t, len(c.want) != 0, writes(t, strict, list...) != nil)
		})
	}
	gaps := func(flags, size uint32) []uint32 {
		return []uint32{pica.ExtTransferInput, pica.VRAMBase >> 3, pica.ExtTransferOutput, pica.FCRAMBase >> 3, pica.ExtTransferFlags, flags,
			pica.ExtTextureCopySize, size, pica.ExtTextureCopyInput, 1<<16 | 2, pica.ExtTransferStart, 1}
	}
	for want, list := range map[string][]uint32{"bit 2 of the flags": gaps(8, 192), "less than 192 bytes": gaps(0xC, 176), "": gaps(0xC, 192)} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		require.NoError(t, writes(t, g, list...))
		if want == "" {
			require.Empty(t, g.Warnings())
			continue
		}
		require.Len(t, g.Warnings(), 1)
		require.Contains(t, g.Warnings()[0].Text, want)
	}
}

// A draw that uses unmodelled registers is drawn, with a warning.
func TestUnmodelledRegistersWarn(t *testing.T) {
	f24, f31 := pica.Float24.Encode, pica.Float31.Encode
	consistent := func(w *pica.CommandWriter) {
		w.Write(pica.RegRenderbufDim, 1<<24|31<<12|32)
		w.WriteRun(pica.RegViewportWidth, f24(16), f31(1.0/16)<<1, f24(16), f31(1.0/16)<<1)
		w.Write(pica.RegShOutattrClock, 0x3)
	}
	unit1 := func(enabled, addr uint32, f pica.TextureFormat) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			w.Write(pica.RegTexunitConfig, 0x1000|enabled)
			w.Write(pica.RegTexunit1Dim, 8<<16|8)
			w.Write(pica.RegTexunit1Addr, addr>>3)
			w.Write(pica.RegTexunit1Type, uint32(f))
		}
	}
	viewport := func(x, y int32, half float32, mode, end uint32) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegViewportWidth, f24(half), f31(1/half)<<1, f24(half), f31(1/half)<<1)
			w.Write(pica.RegViewportXy, uint32(y)&0x3FF<<16|uint32(x)&0x3FF)
			w.WriteRun(pica.RegScissortestMode, mode, 0, end)
		}
	}
	cube := func(enabled uint32, kind pica.TextureType, faces ...int32) func(w *pica.CommandWriter) {
		return func(w *pica.CommandWriter) {
			const first = (pica.VRAMBase + 0x40000) >> 3
			w.Write(pica.RegTexunitConfig, 0x1000|enabled)
			w.WriteRun(pica.RegTexunit0Dim, 8<<16|8, uint32(kind)<<28, 0, first)
			for i, at := range faces {
				w.Write(pica.RegTexunit0Addr2+pica.Reg(i), uint32(first+at)&0x3FFFFF)
			}
		}
	}
	for _, c := range []struct {
		name, want string
		set        func(w *pica.CommandWriter)
	}{
		{"as programs do", "", func(*pica.CommandWriter) {}},
		{"INVW", "GPUREG_VIEWPORT_WIDTH is 16 and GPUREG_VIEWPORT_INVW is 0.125", func(w *pica.CommandWriter) { w.Write(pica.RegViewportInvw, f31(1.0/8)<<1) }},
		{"INVH", "GPUREG_VIEWPORT_HEIGHT is 20 and GPUREG_VIEWPORT_INVH is 0.0625", func(w *pica.CommandWriter) { w.Write(pica.RegViewportHeight, f24(20)) }},
		{"RENDERBUF_DIM has no effect", "", func(w *pica.CommandWriter) { w.Write(pica.RegRenderbufDim, 31<<12|40) }},
		{"colour without clock, which is white", "", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0x1) }},
		{"no clock at all", "GPUREG_SH_OUTATTR_CLOCK bit 0", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0) }},
		{"clock of the depth", "GPUREG_SH_OUTATTR_CLOCK bit 0", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0x2) }},
		{"more clocks than needed", "", func(w *pica.CommandWriter) { w.Write(pica.RegShOutattrClock, 0x01010703) }},
		{"texture coordinates without GPUREG_SH_OUTATTR_MODE", "", func(w *pica.CommandWriter) {
			w.Write(pica.RegShOutmapO0+1, 0x1F1F0D0C)
			w.Write(pica.RegShOutattrClock, 0x101)
		}},
		{"flat shading", "", func(w *pica.CommandWriter) { w.Write(pica.RegFlatShading, 0x101) }},
		{"early depth test", "drops fragments that a depth test would keep", func(w *pica.CommandWriter) { w.Write(pica.RegEarlydepthTest1, 1); w.Write(pica.RegEarlydepthTest2, 1) }},
		{"half of it", "", func(w *pica.CommandWriter) { w.Write(pica.RegEarlydepthTest1, 1) }},
		{"the other half", "", func(w *pica.CommandWriter) { w.Write(pica.RegEarlydepthTest2, 1) }},
		{"every second pixel", "every second pixel", func(w *pica.CommandWriter) { w.Write(0x060, 0x101) }},
		{"every fourth pixel", "every fourth pixel", func(w *pica.CommandWriter) { w.Write(0x060, 0x200) }},
		{"all pixels", "", func(w *pica.CommandWriter) { w.Write(0x060, 0x301) }},
		{"every second line", "every second line", func(w *pica.CommandWriter) { w.WriteMasked(pica.RegColorOperation, 8, 1<<24) }},
		{"bit 25", "draws nothing", func(w *pica.CommandWriter) { w.WriteMasked(pica.RegColorOperation, 8, 1<<25) }},
		{"0x11F", "the console hangs", func(w *pica.CommandWriter) { w.Write(0x11F, 0x7FFFFFFF) }},
		{"0x11F as programs set it", "", func(w *pica.CommandWriter) { w.Write(0x11F, 0x00010140) }},
		{"4 bits in VRAM on unit 1", "texture unit 1 reads a texture of 4 bits a texel (i4) in VRAM", unit1(2, pica.VRAMBase+0x40000, pica.TextureFormatI4)},
		{"the same on unit 1 off", "", unit1(0, pica.VRAMBase+0x40000, pica.TextureFormatI4)},
		{"the same in main memory", "", unit1(2, pica.FCRAMBase+0x40000, pica.TextureFormatA4)},
		{"8 bits in VRAM", "", unit1(2, pica.VRAMBase+0x40000, pica.TextureFormatI8)},
		{"a cube's faces in order", "", cube(1, pica.TextureCube, 0, 8, 8, 16, 24)},
		{"a face below the one before", "face 3 of the cube lies below face 2", cube(1, pica.TextureCube, 0, 8, 0, 16, 24)},
		{"a face below the first, of a shadow", "face 1 of the cube lies below face 0", cube(1, pica.TextureShadowCube, -8, 8, 8, 16, 24)},
		{"the same without the unit", "", cube(0, pica.TextureCube, -8, 8, 8, 16, 24)},
		{"the same in 2D", "", cube(1, pica.Texture2D, -8, 8, 8, 16, 24)},
		{"viewport moved out of the target", "come back at the other edge", viewport(1, 0, 16, 3, 32)},
		{"upwards", "come back at the other edge", viewport(0, 1, 16, 3, 32<<16)},
		{"to the left", "come back at the other edge", viewport(-1, 0, 16, 0, 0)},
		{"inside", "", viewport(16, 16, 8, 0, 0)},
		{"with a scissor rectangle", "", viewport(1, -1, 16, 3, 31<<16|31)},
		{"whose inside is left out", "come back at the other edge", viewport(1, 1, 16, 1, 0)},
		{"program while drawing", "", func(w *pica.CommandWriter) {
			w.Write(pica.RegStartDrawFunc0, 0)
			w.Write(pica.RegVshFloatuniformIndex, 0)
		}},
		{"fourth unit", "GPUREG_VSH_COM_MODE gives the fourth shader unit a program of its own", func(w *pica.CommandWriter) { w.Write(pica.RegVshComMode, 1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := setUp(t, pipeline.Options{Workers: 1})
			require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
				w.Write(pica.RegDepthColorMask, 0xF00)
				consistent(w)
				c.set(w)
				drawArrays(w)
				drawArrays(w)
			}))
			require.True(t, bytes.ContainsAny(colors(t, g), "\x01\x7F\xFF"), "the draw is drawn")
			w := g.Warnings()
			if c.want == "" {
				require.Empty(t, w)
				return
			}
			require.Len(t, w, 1)
			require.Equal(t, []int{0, 2}, []int{w[0].Draw, w[0].Count})
			require.Contains(t, w[0].Text, c.want)
		})
	}
}

// Programs of the vertex shader that are written while the GPU is set to draw may be lost on the console; those of the geometry shader are not.
func TestProgramWrittenWhileDrawingWarns(t *testing.T) {
	for _, id := range []pica.Reg{pica.RegVshCodetransferData0, pica.RegVshOpdescsData0, pica.RegVshEntrypoint} {
		for mode, wants := range map[uint32][2]int{0: {1, 0}, 1: {0, 0}} {
			for i, reg := range [2]pica.Reg{id, id - pica.OffsetVsh} {
				g := setUp(t, pipeline.Options{Workers: 1})
				require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
					w.Write(pica.RegStartDrawFunc0, mode)
					w.Write(reg, 0)
				}))
				require.Len(t, g.Warnings(), wants[i], "%v in mode %d", reg, mode)
			}
		}
	}
}

// Bit 0 of GPUREG_GEOSTAGE_CONFIG2 belongs to draws of arrays; with an index array a console counts twice.
func TestKindOfDrawWarns(t *testing.T) {
	for trigger, wants := range map[pica.Reg][2]string{pica.RegDrawarrays: {"the console needs it", ""}, pica.RegDrawelements: {"", "counts each index twice"}} {
		for bit, want := range wants {
			g := setUp(t, pipeline.Options{Workers: 1})
			require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
				w.Write(pica.RegGeostageConfig2, 0x100|uint32(bit))
				w.Write(trigger, 1)
			}))
			if w := g.Warnings(); want == "" {
				require.Empty(t, w, "%v with bit %d", trigger, bit)
			} else {
				require.Len(t, w, 1)
				require.Contains(t, w[0].Text, want)
			}
		}
	}
}
