package pipeline_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

var errTooMuch = errors.New("more than a fuzz run should draw")

const (
	listAddr   = pica.FCRAMBase + 0x1000
	vertexAddr = pica.FCRAMBase + 0x20000
)

// triangleList is a command list that draws triangles to a 32x32 target: from arrays, by index and in immediate mode.
func triangleList(tb testing.TB) []byte {
	tb.Helper()
	shader, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "pass.pica", Text: []byte(`
.in position v0
.in color v1
.out p position
.out c color
.proc main
	mov p, position
	mov c, color
	end
.end`)})
	require.NoError(tb, diags.Err())
	code := shader.File.Program
	w := new(pica.CommandWriter)
	w.Write(pica.RegVshCodetransferIndex, 0)
	w.WriteAll(pica.RegVshCodetransferData0, code.Code...)
	w.Write(pica.RegVshOpdescsIndex, 0)
	for _, d := range code.Descriptors {
		w.Write(pica.RegVshOpdescsData0, d.Word)
	}
	w.Write(pica.RegVshEntrypoint, 0x7FFF0000|shader.File.Executables[0].Main)
	w.Write(pica.RegVshOutmapMask, 3)
	w.WriteRun(pica.RegShOutmapTotal, 2, 0x03020100, 0x0B0A0908)
	f24 := pica.Float24.Encode
	setTarget(w, pica.VRAMBase, pica.VRAMBase+0x8000, 32, 32)
	w.Write(pica.RegDepthbufferFormat, 3)
	w.Write(pica.RegColorbufferFormat, 2)
	w.WriteRun(pica.RegColorbufferRead, 0xF, 0xF, 3, 3)
	w.Write(pica.RegDepthColorMask, 0x1F61)
	w.WriteRun(pica.RegDepthmapScale, f24(-1), 0)
	w.Write(pica.RegDepthmapEnable, 1)
	w.Write(pica.RegColorOperation, 0x00E40100)
	w.Write(pica.RegBlendFunc, 0x01010000)
	// Position and colour: attributes of three and four floats.
	w.WriteRun(pica.RegAttribbuffersLoc, vertexAddr>>3, 0xFB, 1<<28)
	w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0x10, 2<<28|28<<16)
	w.Write(pica.RegVshInputbufferConfig, 0xA0000001)
	w.Write(pica.RegVshNumAttr, 1)
	w.Write(pica.RegVshAttributesPermutationLow, 0x10)
	w.Write(pica.RegRestartPrimitive, 1)
	w.Write(pica.RegNumvertices, 6)
	w.Write(pica.RegGeostageConfig2, 1)
	w.Write(pica.RegDrawarrays, 1)
	w.Write(pica.RegGeostageConfig2, 0)
	w.Write(pica.RegIndexbufferConfig, 1<<31)
	w.Write(pica.RegDrawelements, 1)
	w.Write(pica.RegGeostageConfig2, 1)
	w.Write(pica.RegRestartPrimitive, 1)
	w.Write(pica.RegFixedattribIndex, 15)
	for i := range uint32(6) {
		w.WriteAll(pica.RegFixedattribData0, f24(1)<<8, i<<24, f24(0.5)<<8|i)
	}
	w.Finish()
	return w.Bytes()
}

// setTarget appends writes of a target of this size with a viewport over all of it.
func setTarget(w *pica.CommandWriter, color, depth, width, height uint32) {
	f24, f31 := pica.Float24.Encode, pica.Float31.Encode
	x, y := float32(width)/2, float32(height)/2
	w.WriteRun(pica.RegDepthbufferLoc, depth>>3, color>>3, 1<<24|(height-1)<<12|width)
	w.WriteRun(pica.RegViewportWidth, f24(x), f31(1/x)<<1, f24(y), f31(1/y)<<1)
}

// TestFuzzSeedDraws checks that the fuzz seed draws something.
func TestFuzzSeedDraws(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	drawTriangles(t, g)
	require.NoError(t, g.Finish(t.Context()))
	s := g.TakeStats()
	require.Equal(t, 3, s.Draws)
	require.Greater(t, s.Fragments, uint64(100))
}

// triangles holds two triangles: positions of three floats, colours of four.
func triangles() (b []byte) {
	for _, v := range [][7]float32{
		{-1, -1, -0.5, 1, 0, 0, 1}, {1, -1, -0.5, 0, 1, 0, 1}, {0, 1, -0.5, 0, 0, 1, 1},
		{-1, 1, -0.2, 1, 1, 0, 1}, {-1, -1, -0.2, 0, 1, 1, 1}, {1, 1, -0.9, 1, 0, 1, 1},
	} {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

// FuzzCommandList runs arbitrary bytes as a command list. It must end, with or without an error, and leave the GPU usable.
func FuzzCommandList(f *testing.F) {
	f.Add(triangleList(f))
	short := pica.CommandWriter{}
	short.Write(pica.RegNumvertices, 3)
	short.Write(pica.RegDrawarrays, 1)
	short.Finish()
	f.Add(short.Bytes())
	loop := pica.CommandWriter{}
	loop.WriteRun(pica.RegCmdbufSize0, 48>>3, 0, listAddr>>3)
	loop.Write(pica.RegCmdbufJump0, 1)
	f.Add(loop.Bytes())

	vertices := triangles()
	g := pipeline.GPUFor(f, pipeline.Options{Workers: 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 14
		data = data[:min(len(data), most)&^7]
		g.Reset()
		deadline := time.Now().Add(time.Second)
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if d.Vertices > 300 || time.Now().After(deadline) {
				return errTooMuch
			}
			return nil
		}
		require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
		require.NoError(t, g.Load(t.Context(), listAddr, data))
		if err := g.RunList(t.Context(), listAddr, uint32(len(data))); err != nil {
			require.NotEmpty(t, err.Error())
		}
		if err := g.Finish(t.Context()); err != nil {
			require.NotEmpty(t, err.Error())
		}
		require.False(t, g.Screen(pipeline.ScreenTop).Bounds().Empty())
	})
}

// FuzzReplay replays arbitrary bytes as a trace, starting from one with loads, a command list, a fill and a transfer.
func FuzzReplay(f *testing.F) {
	list := triangleList(f)
	var b citrace.Builder
	b.Load(vertexAddr, triangles())
	b.Load(listAddr, list)
	for _, w := range [][2]uint32{
		{pica.ExtMemfillStart, pica.VRAMBase >> 3}, {pica.ExtMemfillEnd, (pica.VRAMBase + 4096) >> 3},
		{pica.ExtMemfillValue, 0x102030FF}, {pica.ExtMemfillControl, 2<<8 | 1},
		{pica.ExtCommandListSize, uint32(len(list)) >> 3}, {pica.ExtCommandListAddr, listAddr >> 3}, {pica.ExtCommandListStart, 1},
		{pica.ExtTransferInput, pica.VRAMBase >> 3}, {pica.ExtTransferOutput, (pica.FCRAMBase + 0x100000) >> 3},
		{pica.ExtTransferOutputDim, 32<<16 | 32}, {pica.ExtTransferInputDim, 32<<16 | 32}, {pica.ExtTransferFlags, 1 << 12},
		{pica.ExtTransferStart, 1}, {pica.ExtPdcAddrA0, pica.FCRAMBase + 0x100000}, {pica.ExtPdcStride, 96},
	} {
		b.Write(w[0], w[1])
	}
	b.EndFrame()
	data := testkit.Must(b.Encode())(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := picatrace.Parse(data)
		if err != nil {
			return
		}
		p := pipeline.PlayerFor(t, trace, pipeline.Options{Workers: 1})
		deadline := time.Now().Add(time.Second)
		p.GPU.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if d.Vertices > 300 || time.Now().After(deadline) {
				return errTooMuch
			}
			return nil
		}
		for range 10 {
			if _, err := p.NextFrame(context.Background()); err != nil {
				require.NotEmpty(t, err.Error())
				return
			}
			require.False(t, p.GPU.Screen(pipeline.ScreenTop).Bounds().Empty())
		}
	})
}

// FuzzRegisters writes arbitrary values to registers from outside: fills, transfers, screens, internal registers.
func FuzzRegisters(f *testing.F) {
	add := func(writes ...uint32) {
		var b []byte
		for _, w := range writes {
			b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
		f.Add(b)
	}
	add(0x10400010, pica.VRAMBase>>3, 0x10400014, (pica.VRAMBase+4096)>>3, 0x10400018, 1, 0x1040001C, 0x201)
	add(0x10400C00, pica.VRAMBase>>3, 0x10400C04, pica.FCRAMBase>>3, 0x10400C08, 400<<16|240, 0x10400C0C, 400<<16|240,
		0x10400C10, 0x2001001, 0x10400C18, 1)
	add(0x10400C00, pica.VRAMBase>>3, 0x10400C04, pica.FCRAMBase>>3, 0x10400C10, 8, 0x10400C20, 4096, 0x10400C24, 4<<16|4,
		0x10400C28, 0, 0x10400C18, 1)
	add(0x10400470, 0x21, 0x1040045C, 0xFFFFFFFF, 0x10400490, 0xFFFFFF00, 0x10202204, 1<<24)
	g := pipeline.GPUFor(f, pipeline.Options{Workers: 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		g.Reset()
		g.BeforeDraw = func(*pipeline.DrawInfo) error { return errTooMuch }
		word := func(i int) uint32 {
			return uint32(data[i]) | uint32(data[i+1])<<8 | uint32(data[i+2])<<16 | uint32(data[i+3])<<24
		}
		for i := 0; i+8 <= min(len(data), 1024); i += 8 {
			if err := g.WriteRegister(t.Context(), word(i), uint64(word(i+4)), 4); err != nil {
				require.NotEmpty(t, err.Error())
			}
			g.ReadRegister(word(i))
		}
		for _, s := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
			require.False(t, g.Screen(s).Bounds().Empty())
		}
	})
}
