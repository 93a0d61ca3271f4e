package resources

import (
	"encoding/binary"
	"math"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/shaderunit"
)

const (
	listAt   = pica.FCRAMBase + 0x10000
	vertexAt = pica.FCRAMBase + 0x1000
	indexAt  = vertexAt + 0x800
)

// setUp writes the state for drawing positions with the given vertex shader to a target of 32x32 pixels.
func setUp(w *pica.CommandWriter, program ...shaderunit.Instr) {
	f24 := pica.Float24.Encode
	w.Write(pica.RegVshCodetransferIndex, 0)
	for _, in := range program {
		word, err := in.Encode()
		if err != nil {
			panic(err)
		}
		w.Write(pica.RegVshCodetransferData0, word)
	}
	w.Write(pica.RegVshOpdescsIndex, 0)
	w.Write(pica.RegVshOpdescsData0, uint32(plain))
	w.Write(pica.RegVshEntrypoint, 0x7FFF0000)
	w.Write(pica.RegVshOutmapMask, 1)
	w.WriteRun(pica.RegShOutmapTotal, 1, 0x03020100)
	w.WriteRun(pica.RegDepthbufferLoc, (pica.VRAMBase+0x8000)>>3, pica.VRAMBase>>3, 1<<24|31<<12|32)
	w.Write(pica.RegDepthbufferFormat, 3)
	w.Write(pica.RegColorbufferFormat, 2)
	w.WriteRun(pica.RegColorbufferRead, 0xF, 0xF, 3, 3)
	w.Write(pica.RegDepthColorMask, 0xF10)
	w.WriteRun(pica.RegViewportWidth, f24(16), pica.Float31.Encode(1.0/16)<<1, f24(16), pica.Float31.Encode(1.0/16)<<1)
	w.Write(pica.RegDepthmapEnable, 1)
	w.Write(pica.RegColorOperation, 0x00E40100)
	w.Write(pica.RegBlendFunc, 0x01010000)
	w.WriteRun(pica.RegAttribbuffersLoc, vertexAt>>3, 0xF, 0)
	w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0, 1<<28|16<<16)
	w.Write(pica.RegVshInputbufferConfig, 0xA0000000)
	w.Write(pica.RegVshNumAttr, 0)
	w.Write(pica.RegVshAttributesPermutationLow, 0)
	w.Write(pica.RegIndexbufferConfig, indexAt-vertexAt)
	w.Write(pica.RegRestartPrimitive, 1)
}

var plain = shaderunit.MakeOpDesc(shaderunit.MaskXYZW, [3]uint8{shaderunit.SwizzleXYZW, shaderunit.SwizzleXYZW, shaderunit.SwizzleXYZW}, [3]bool{})

var (
	move = shaderunit.Instr{Op: shaderunit.OpMOV}
	end  = shaderunit.Instr{Op: shaderunit.OpEND}
)

// vertices holds a triangle that covers the target and a degenerate one, as positions of four floats.
func vertices() (b []byte) {
	for _, v := range [][4]float32{{-1, -1, -0.5, 1}, {3, -1, -0.5, 1}, {-1, 3, -0.5, 1}, {0, 0, -0.5, 1}} {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

// traceOf executes the lists in order, times times.
func traceOf(times int, lists ...[]byte) []byte {
	b := citrace.Builder{Layout: citrace.Tagged}
	b.Load(vertexAt, vertices())
	for i, list := range lists {
		b.Load(listAt+uint32(i)*0x40000, list)
	}
	for range times {
		for i, list := range lists {
			b.Write(pica.ExtCommandListSize, uint32(len(list))>>3)
			b.Write(pica.ExtCommandListAddr, (listAt+uint32(i)*0x40000)>>3)
			b.Write(pica.ExtCommandListStart, 1)
		}
	}
	b.EndFrame()
	data, err := b.Encode()
	if err != nil {
		panic(err)
	}
	return data
}

// list finishes a command list and returns its bytes.
func list(w *pica.CommandWriter) []byte {
	w.Finish()
	return w.Bytes()
}

// culled draws millions of vertices of which nothing is visible. An earlier version kept the vertices of such draws until the end.
func culled() []byte {
	w := new(pica.CommandWriter)
	setUp(w, move, end)
	w.Write(pica.RegFacecullingConfig, 1)
	w.Write(pica.RegNumvertices, 1<<18)
	for range 16 {
		w.Write(pica.RegDrawarrays, 1)
	}
	return traceOf(4, list(w))
}

// textures draws with many different textures of maximum size.
func textures() []byte {
	w := new(pica.CommandWriter)
	setUp(w, move, end)
	w.Write(pica.RegTexunitConfig, 1<<12|1)
	w.Write(pica.RegTexunit0Dim, 1024<<16|1024)
	w.Write(pica.RegTexunit0Type, uint32(pica.TextureFormatI8))
	for i := range pica.NumTexenvs {
		base := pica.TexenvBase(i)
		w.WriteRun(base, uint32(pica.SourceTexture0)|uint32(pica.SourceTexture0)<<16, 0, 0, 0, 0)
	}
	w.Write(pica.RegNumvertices, 3)
	for i := range uint32(400) {
		w.Write(pica.RegTexunit0Addr1, (pica.FCRAMBase+0x100000)>>3+i*16)
		w.Write(pica.RegDrawarrays, 1)
	}
	return traceOf(1, list(w))
}

// states draws with many different states, each of which is compiled.
func states() []byte {
	w := new(pica.CommandWriter)
	setUp(w, move, end)
	w.Write(pica.RegNumvertices, 3)
	for i := range uint32(12000) {
		w.Write(pica.RegTexenv0Color, i)
		w.Write(pica.RegDrawarrays, 1)
	}
	return traceOf(1, list(w))
}

// programs draws with many different vertex shaders with unrolled loops.
func programs() []byte {
	w := new(pica.CommandWriter)
	loop := shaderunit.Instr{Op: shaderunit.OpLOOP, Dest: 200}
	program := []shaderunit.Instr{move, loop}
	for range 199 {
		program = append(program, shaderunit.Instr{Op: shaderunit.OpADD, Dst: shaderunit.DstTemp})
	}
	setUp(w, append(program, end)...)
	w.Write(pica.RegNumvertices, 3)
	for i := range uint32(40) {
		w.Write(pica.RegVshIntuniformI0, i%256)
		w.Write(pica.RegVshOpdescsIndex, 1)
		w.Write(pica.RegVshOpdescsData0, i)
		w.Write(pica.RegDrawarrays, 1)
	}
	return traceOf(1, list(w))
}

// endless is a command list that draws and jumps to itself.
func endless() []byte {
	w := new(pica.CommandWriter)
	setUp(w, move, end)
	w.Write(pica.RegNumvertices, 300)
	w.Write(pica.RegIndexbufferConfig, 3<<24)
	w.Write(pica.RegDrawelements, 1)
	w.WriteRun(pica.RegCmdbufSize0, 0x1000>>3, 0, listAt>>3, 0)
	w.Write(pica.RegCmdbufJump0, 1)
	return traceOf(1, list(w))
}

// immediate sends a very long run of immediate-mode vertex attributes.
func immediate() []byte {
	w := new(pica.CommandWriter)
	setUp(w, move, end)
	w.Write(pica.RegFixedattribIndex, 15)
	words := make([]uint32, 255)
	for range 180 {
		w.WriteAll(pica.RegFixedattribData0, words...)
	}
	return traceOf(60, list(w))
}

// spins is a vertex shader of four nested loops: 256^4 iterations.
func spins() []byte {
	w := new(pica.CommandWriter)
	setUp(w,
		shaderunit.Instr{Op: shaderunit.OpLOOP, Dest: 7},
		shaderunit.Instr{Op: shaderunit.OpLOOP, Dest: 6},
		shaderunit.Instr{Op: shaderunit.OpLOOP, Dest: 5},
		shaderunit.Instr{Op: shaderunit.OpLOOP, Dest: 4},
		move, move, move, move, end)
	w.Write(pica.RegVshIntuniformI0, 0xFF)
	w.Write(pica.RegNumvertices, 3)
	for range 1000 {
		w.Write(pica.RegDrawarrays, 1)
	}
	return traceOf(1, list(w))
}

// emits is a geometry shader that emits triangles in loops.
func emits() []byte {
	w := new(pica.CommandWriter)
	w.Write(pica.RegGeostageConfig, uint32(pica.GeoStageOn))
	w.Write(pica.RegVshComMode, 1)
	setUp(w, move, end)
	w.Write(pica.RegGshCodetransferIndex, 0)
	for _, in := range []shaderunit.Instr{
		{Op: shaderunit.OpLOOP, Dest: 6},
		{Op: shaderunit.OpLOOP, Dest: 5},
		{Op: shaderunit.OpSETEMIT, PrimEmit: true},
		move,
		{Op: shaderunit.OpEMIT},
		{Op: shaderunit.OpNOP},
		{Op: shaderunit.OpNOP},
		end,
	} {
		word, err := in.Encode()
		if err != nil {
			panic(err)
		}
		w.Write(pica.RegGshCodetransferData0, word)
	}
	w.Write(pica.RegGshOpdescsIndex, 0)
	w.Write(pica.RegGshOpdescsData0, uint32(plain))
	w.Write(pica.RegGshEntrypoint, 0x7FFF0000)
	w.Write(pica.RegGshOutmapMask, 1)
	w.Write(pica.RegGshIntuniformI0, 0xFF)
	w.Write(pica.RegGshInputbufferConfig, uint32(pica.ShaderModeGeometry)<<24)
	w.Write(pica.RegGshMisc0, 0)
	w.Write(pica.RegPrimitiveConfig, uint32(pica.PrimitiveGeometry)<<8)
	w.Write(pica.RegNumvertices, 1000)
	w.Write(pica.RegIndexbufferConfig, 3<<24)
	w.Write(pica.RegDrawelements, 1)
	return traceOf(2, list(w))
}

// targets draws to many different targets of maximum size.
func targets() []byte {
	w := new(pica.CommandWriter)
	setUp(w, move, end)
	w.Write(pica.RegNumvertices, 3)
	for i := range uint32(1500) {
		w.WriteRun(pica.RegDepthbufferLoc, (pica.FCRAMBase+0x100000)>>3+i, (pica.FCRAMBase+0x100000)>>3+i, 1<<24|1023<<12|1024)
		w.Write(pica.RegScissortestMode, uint32(pica.ScissorInclude))
		w.Write(pica.RegDrawarrays, 1)
	}
	return traceOf(1, list(w))
}

// transfers starts display transfers of maximum size.
func transfers() []byte {
	b := citrace.Builder{Layout: citrace.Tagged}
	for _, dim := range []uint32{0xFFFFFFFF, 2048<<16 | 8192} {
		b.Write(pica.ExtTransferInput, pica.FCRAMBase>>3)
		b.Write(pica.ExtTransferOutput, (pica.FCRAMBase+1<<26)>>3)
		b.Write(pica.ExtTransferOutputDim, dim)
		b.Write(pica.ExtTransferInputDim, dim)
		b.Write(pica.ExtTransferFlags, 0)
		for range 8 {
			b.Write(pica.ExtTransferStart, 1)
		}
	}
	b.Write(pica.ExtPdcSize, 0xFFFFFFFF)
	b.Write(pica.ExtPdcStride, 0x7FFFFFFF)
	b.EndFrame()
	data, err := b.Encode()
	if err != nil {
		panic(err)
	}
	return data
}
