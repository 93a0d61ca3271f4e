package hardware

import (
	"encoding/binary"
	"math"

	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/pica"
	"pica200/shaderunit/asm"
)

// builder makes the command list and the data of a program.
type builder struct {
	p      *Program
	w      pica.CommandWriter
	data   []byte
	relocs []reloc
	regs   pica.Regs // written by set and fields, to change single fields later
	config uint32    // GPUREG_TEXUNIT_CONFIG
	sloped bool      // depth depends on y
	mode   pica.PrimitiveMode
}

// vertexFloats is the size of a vertex: position, colour, texture coordinates.
const vertexFloats = 4 + 4 + 2

// plainShader copies its inputs to the outputs.
const plainShader = `
.in position v0
.in color v1
.in uv v2
.out p position
.out c color
.out t texcoord0
.out t1 texcoord1
.out t2 texcoord2
.proc main
	mov p, position
	mov c, color
	mov t, uv
	mov t1, uv
	mov t2, uv
	end
.end
`

// colored returns the start of a vertex shader that copies the position and
// sets a colour.
const colored = `
.in position v0
.in color v1
.in uv v2
.out p position
.out c color
.proc main
	mov p, position
`

// plainGeometry is the vertex shader before a geometry shader.
const plainGeometry = colored + `	mov c, color
	end
.end
`

func newBuilder(p *Program) *builder {
	b := &builder{p: p}
	b.start()
	return b
}

// set writes a register.
func (b *builder) set(r pica.Reg, v uint32) {
	b.regs[r] = v
	b.w.Write(r, v)
}

// address writes a register that holds the address of data in a buffer.
func (b *builder) address(r pica.Reg, buffer buffer, offset int) {
	b.relocs = append(b.relocs, reloc{len(b.w.Words), buffer})
	b.w.Write(r, uint32(offset)>>3)
}

// alloc appends bytes to the data and returns their offset.
func (b *builder) alloc(data []byte) int {
	for len(b.data)%128 != 0 {
		b.data = append(b.data, 0)
	}
	at := len(b.data)
	b.data = append(b.data, data...)
	return at
}

// start writes all state that affects a draw, because the state that other
// programs left on the console is unknown. Depth is 0 at z = 0 and 1 at z = -w.
func (b *builder) start() {
	p := b.p
	b.set(pica.RegFramebufferInvalidate, 1)
	b.address(pica.RegDepthbufferLoc, depthBuffer, 0)
	b.address(pica.RegColorbufferLoc, colorBuffer, 0)
	dim := uint32(1)<<24 | uint32(p.height-1)<<12 | uint32(p.width)
	b.set(pica.RegFramebufferDim, dim)
	b.set(pica.RegRenderbufDim, dim)
	b.set(pica.RegDepthbufferFormat, uint32(pica.DepthFormatD24S8))
	size := uint32(0)
	if p.format == pica.ColorFormatRGBA8 {
		size = 2
	}
	b.set(pica.RegColorbufferFormat, uint32(p.format)<<16|size)
	b.set(pica.RegFramebufferBlock32, 0)
	for _, r := range []pica.Reg{pica.RegColorbufferRead, pica.RegColorbufferWrite} {
		b.set(r, 0xF)
	}
	for _, r := range []pica.Reg{pica.RegDepthbufferRead, pica.RegDepthbufferWrite} {
		b.set(r, 3)
	}
	b.viewport(0, 0, p.width, p.height)
	b.set(pica.RegDepthmapScale, pica.Float24.Encode(-1))
	b.set(pica.RegDepthmapOffset, 0)
	b.set(pica.RegDepthmapEnable, 1)
	for _, r := range []pica.Reg{
		pica.RegFacecullingConfig, pica.RegFragopClip, pica.RegEarlydepthTest1, pica.RegEarlydepthTest2,
		pica.RegScissortestMode, pica.RegScissortestPos, pica.RegScissortestDim,
		pica.RegFragopAlphaTest, pica.RegStencilTest, pica.RegStencilOp, pica.RegBlendColor,
		pica.RegTexenvUpdateBuffer, pica.RegTexenvBufferColor,
	} {
		b.set(r, 0)
	}
	b.set(pica.RegDepthColorMask, 0xF00) // no depth test; colours are written
	b.set(pica.RegColorOperation, 0x00E40100)
	b.set(pica.RegLogicOp, uint32(pica.LogicOpCopy))
	b.blend(pica.FactorOne, pica.FactorZero)
	b.set(pica.RegLightingEnable0, 0)
	b.set(pica.RegLightingEnable1, 1)
	b.config = 1 << 12
	b.set(pica.RegTexunitConfig, b.config)
	b.combine(pica.CombineReplace, pica.SourcePrimaryColor)
	for i := 1; i < 6; i++ {
		b.stage(i, pica.CombineReplace, pica.SourcePrevious)
	}
	// The vertex inputs: three attributes of floats from one array.
	b.address(pica.RegAttribbuffersLoc, dataBuffer, 0)
	b.set(pica.RegAttribbuffersFormatLow, 0x7FF) // from the top: float2, float4, float4
	b.set(pica.RegAttribbuffersFormatHigh, 2<<28)
	for i := range pica.Reg(pica.NumAttribbuffers) {
		b.w.WriteRun(pica.RegAttribbuffer0Offset+3*i, 0, 0, 0)
	}
	b.set(pica.RegAttribbuffer0Config1, 0x210)
	b.set(pica.RegAttribbuffer0Config2, 3<<28|4*vertexFloats<<16)
	b.w.WriteMasked(pica.RegVshInputbufferConfig, 0xB, 0xA0000002)
	b.set(pica.RegVshNumAttr, 2)
	b.w.WriteRun(pica.RegVshAttributesPermutationLow, 0x210, 0)
	b.set(pica.RegPostVertexCacheNum, 0x84)
	b.shader(plainShader)
}

// finish ends the list and pads the data.
func (b *builder) finish() {
	b.set(pica.RegFramebufferFlush, 1)
	b.w.Finish()
	for len(b.data)%128 != 0 {
		b.data = append(b.data, 0)
	}
}

// viewport sets the part of the target that clip space covers.
func (b *builder) viewport(x, y, width, height int) {
	half := func(n int) uint32 { return pica.Float24.Encode(float32(n) / 2) }
	inverse := func(n int) uint32 { return pica.Float31.Encode(2/float32(n)) << 1 }
	b.w.WriteRun(pica.RegViewportWidth, half(width), inverse(width), half(height), inverse(height))
	b.set(pica.RegViewportXy, uint32(y)<<16|uint32(x))
}

// blend adds source and target with factors, for colour and alpha.
func (b *builder) blend(src, dst pica.BlendFactor) {
	b.set(pica.RegBlendFunc, uint32(src)<<16|uint32(dst)<<20|uint32(src)<<24|uint32(dst)<<28)
}

// stage sets both halves of a combiner stage, with scale 1 and operands that
// take colour and alpha unchanged.
func (b *builder) stage(i int, f pica.Combine, sources ...pica.Source) {
	at := pica.TexenvBase(i)
	word := uint32(0)
	for k, s := range sources {
		word |= uint32(s)<<(4*k) | uint32(s)<<(16+4*k)
	}
	b.set(at, word)
	b.set(at+1, 0)
	b.set(at+2, uint32(f)|uint32(f)<<16)
	b.set(at+4, 0)
}

func (b *builder) combine(f pica.Combine, sources ...pica.Source) { b.stage(0, f, sources...) }

// constant sets the constant colour of stage 0.
func (b *builder) constant(r, g, bl, a uint8) {
	b.set(pica.RegTexenv0Color, uint32(r)|uint32(g)<<8|uint32(bl)<<16|uint32(a)<<24)
}

// shader loads a vertex program.
func (b *builder) shader(source string) {
	f := b.assemble(source)
	w := &b.w
	b.mode = pica.PrimitiveTriangles
	w.WriteMasked(pica.RegGeostageConfig, 0x3, 0)
	w.WriteMasked(pica.RegGeostageConfig, 0xA, 0)
	w.WriteMasked(pica.RegGeostageConfig2, 0x3, 0)
	w.WriteMasked(pica.RegVshComMode, 0x1, 0)
	b.program(f, pica.OffsetVsh)
	mask, total := b.outputMap(f)
	w.Write(pica.RegVshOutmapMask, mask)
	w.Write(pica.RegVshOutmapTotal1, uint32(total-1))
	w.Write(pica.RegVshOutmapTotal2, uint32(total-1))
	w.Write(pica.RegShOutattrMode, 1)
	w.Write(pica.RegShOutattrClock, 1<<24|0x703)
	w.Write(pica.RegGshMisc0, 0)
	w.Write(pica.RegGshMisc1, 0)
	w.Write(pica.RegGshInputbufferConfig, 0xA0000000)
}

func (b *builder) assemble(source string) *shbin.File {
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: b.p.Name + ".pica", Text: []byte(source)})
	if err := diags.Err(); err != nil {
		panic(err) // an error of this package; a test builds all programs
	}
	return p.File
}

// program loads code, entry point and constants into a shader unit.
func (b *builder) program(f *shbin.File, unit pica.Reg) {
	w, code, e := &b.w, f.Program, &f.Executables[0]
	w.Write(pica.RegGshCodetransferIndex+unit, 0)
	w.WriteAll(pica.RegGshCodetransferData0+unit, code.Code...)
	w.Write(pica.RegGshCodetransferEnd+unit, 1)
	w.Write(pica.RegGshOpdescsIndex+unit, 0)
	for _, d := range code.Descriptors {
		w.Write(pica.RegGshOpdescsData0+unit, d.Word)
	}
	w.Write(pica.RegGshEntrypoint+unit, 0x7FFF0000|e.Main)
	w.Write(pica.RegGshBooluniform+unit, 0x7FFF0000)
	for _, c := range e.Constants {
		if c.Kind.String() == "float" {
			f := c.Float()
			w.Write(pica.RegGshFloatuniformIndex+unit, uint32(c.Reg))
			w.WriteAll(pica.RegGshFloatuniformData0+unit, f[3]<<8|f[2]>>16, f[2]<<16|f[1]>>8, f[1]<<24|f[0])
		}
	}
}

// outputMap writes the meanings of the last shader's outputs, one word per
// register, and returns the mask and the number of the registers.
func (b *builder) outputMap(f *shbin.File) (mask uint32, total int) {
	words := [7]uint32{}
	for k := range words {
		words[k] = 0x1F1F1F1F
	}
	for i, o := range f.Executables[0].Outputs {
		mask |= 1 << o.Reg
		words[i] = outputSemantics(o.Type.String())
		total = i + 1
	}
	b.w.WriteMasked(pica.RegPrimitiveConfig, 0x1, uint32(total-1))
	b.w.WriteRun(pica.RegShOutmapTotal, append([]uint32{uint32(total)}, words[:]...)...)
	return mask, total
}

// geometry adds a geometry shader after plainGeometry, which copies position
// and colour. It runs for three vertices at a time, in point mode.
func (b *builder) geometry(source string) {
	b.shader(plainGeometry)
	f, w := b.assemble(source), &b.w
	b.mode = pica.PrimitiveGeometry
	w.WriteMasked(pica.RegGeostageConfig, 0x3, uint32(pica.GeoStageOn))
	w.WriteMasked(pica.RegVshComMode, 0x1, 1)
	b.program(f, 0)
	mask, _ := b.outputMap(f)
	w.Write(pica.RegGshOutmapMask, mask)
	w.Write(pica.RegGshInputbufferConfig, pica.ShInputMode.Put(2*3-1, uint32(pica.ShaderModeGeometry)))
	w.WriteRun(pica.RegGshAttributesPermutationLow, 0x76543210, 0xFEDCBA98)
}

// outputSemantics returns the word of the output map for an output.
func outputSemantics(kind string) uint32 {
	base := map[string][2]uint32{
		"position": {0, 4}, "normalquat": {4, 4}, "color": {8, 4}, "texcoord0": {0xC, 2}, "texcoord1": {0xE, 2},
		"texcoord2": {0x16, 2}, "view": {0x12, 3},
	}[kind]
	word := uint32(0x1F1F1F1F)
	for i := range base[1] {
		word = word&^(0xFF<<(8*i)) | (base[0]+i)<<(8*i)
	}
	return word
}

// corner is a vertex in pixels of the target.
type corner struct {
	x, y  float64
	color [4]float32
	u, v  float32
}

// draw draws triangles in pixels at depth z (0 near to 1 far).
func (b *builder) draw(z float32, corners ...corner) {
	var data []byte
	put := func(f ...float32) {
		for _, x := range f {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	for _, c := range corners {
		x, y := c.x/float64(b.p.width)*2-1, c.y/float64(b.p.height)*2-1
		if b.sloped {
			z = float32(c.y / float64(b.p.height))
		}
		put(float32(x), float32(y), -z, 1)
		put(c.color[:]...)
		put(c.u, c.v)
	}
	b.set(pica.RegAttribbuffer0Offset, uint32(b.alloc(data)))
	w := &b.w
	w.WriteMasked(pica.RegPrimitiveConfig, 0x2, uint32(b.mode)<<8)
	w.Write(pica.RegRestartPrimitive, 1)
	w.WriteRun(pica.RegIndexbufferConfig, 1<<31, uint32(len(corners)))
	w.Write(pica.RegVertexOffset, 0)
	w.WriteMasked(pica.RegGeostageConfig2, 0x1, 1)
	w.WriteMasked(pica.RegStartDrawFunc0, 0x1, 0)
	w.Write(pica.RegDrawarrays, 1)
	w.WriteMasked(pica.RegStartDrawFunc0, 0x1, 1)
	w.WriteMasked(pica.RegGeostageConfig2, 0x1, 0)
	w.Write(pica.RegVtxFunc, 1)
}

var white = [4]float32{1, 1, 1, 1}

// gray is a colour of bytes.
func gray(v uint8) [4]float32 { f := float32(v) / 255; return [4]float32{f, f, f, f} }

// quad draws a rectangle in pixels with texture coordinates 0 to 1.
func (b *builder) quad(x0, y0, x1, y1 float64, color [4]float32) {
	b.textured(x0, y0, x1, y1, color, 0, 0, 1, 1)
}

// quadAt is quad at a depth.
func (b *builder) quadAt(z float32, x0, y0, x1, y1 float64, color [4]float32) {
	b.draw(z, rectangle(x0, y0, x1, y1, color, 0, 0, 1, 1)...)
}

func (b *builder) textured(x0, y0, x1, y1 float64, color [4]float32, u0, v0, u1, v1 float32) {
	b.draw(0.5, rectangle(x0, y0, x1, y1, color, u0, v0, u1, v1)...)
}

func rectangle(x0, y0, x1, y1 float64, color [4]float32, u0, v0, u1, v1 float32) []corner {
	a, c := corner{x0, y0, color, u0, v0}, corner{x1, y1, color, u1, v1}
	r, l := corner{x1, y0, color, u1, v0}, corner{x0, y1, color, u0, v1}
	return []corner{a, r, l, l, r, c}
}

// texture binds a picture to a unit, without filters and mipmaps; the first
// texel is at the lower left. The size can be any that the register takes.
func (b *builder) texture(unit, width, height int, format pica.TextureFormat, data []byte) {
	at := pica.TexunitOffset(unit)
	b.set(pica.RegTexunit0BorderColor+at, 0)
	b.set(pica.RegTexunit0Dim+at, uint32(width)<<16|uint32(height))
	b.set(pica.RegTexunit0Param+at, 0)
	b.set(pica.RegTexunit0Lod+at, 0)
	b.address(pica.TexunitAddr.At(at).Reg, dataBuffer, b.alloc(data))
	b.set(pica.TexunitFormat(unit).Reg, uint32(format))
	b.config |= 1 << unit
	b.set(pica.RegTexunitConfig, b.config|1<<16)
}

// texels encodes a picture for texture; the sides are multiples of 8.
func texels(format pica.TextureFormat, width, height int, at func(x, y int) uint32) []byte {
	pixels := make([]uint32, width*height)
	for i := range pixels {
		pixels[i] = at(i%width, i/width)
	}
	data := make([]byte, texture.Size(format, width, height))
	if err := texture.Encode(data, pixels, format, width, height); err != nil {
		panic(err) // an error of this package; a test builds all programs
	}
	return data
}

// ramps binds to unit 0 a texture in which the texel in column u is u, and to
// unit 1 one in which the texel in row v is v: 256 values over 256 pixels.
func (b *builder) ramps() {
	level := func(v int) uint32 { return uint32(v)*0x010101 | 0xFF000000 }
	b.texture(0, 256, 8, pica.TextureFormatI8, texels(pica.TextureFormatI8, 256, 8, func(x, y int) uint32 { return level(x) }))
	b.texture(1, 8, 256, pica.TextureFormatI8, texels(pica.TextureFormatI8, 8, 256, func(x, y int) uint32 { return level(y) }))
}
