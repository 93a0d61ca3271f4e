package gl

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
)

// Attrib describes where an attribute lies in a buffer.
type Attrib struct {
	Type   pica.AttribType
	Size   int // components, 1 to 4
	Stride int // bytes from one vertex to the next; 0 if they are contiguous
	Offset int // bytes to the first vertex
}

// source is the source of an attribute: a buffer, or a constant.
type source struct {
	buffer   *Buffer
	layout   Attrib
	constant mgl32.Vec4
}

var attribBytes = [...]int{pica.AttribByte: 1, pica.AttribUByte: 1, pica.AttribShort: 2, pica.AttribFloat: 4}

// maxStride is the greatest distance of vertices that an attribute buffer's
// register allows.
const maxStride = 255

// Attribute binds an attribute to a buffer: by the name of the input in the
// shader, or v0 to v15 if it has no name. The binding also applies to other
// programs with an input of that name.
func (c *Context) Attribute(name string, b *Buffer, a Attrib) error {
	if int(a.Type) >= len(attribBytes) || a.Size < 1 || a.Size > 4 {
		return fmt.Errorf("attribute %s: %d components of type %v; expected 1 to 4 of a known type", name, a.Size, a.Type)
	}
	part := attribBytes[a.Type]
	bytes := part * a.Size
	if a.Stride == 0 {
		a.Stride = bytes
	}
	padded := (bytes + 3) &^ 3
	switch {
	case a.Stride < bytes || a.Stride > maxStride:
		return fmt.Errorf("attribute %s: a stride of %d bytes; expected %d to %d", name, a.Stride, bytes, maxStride)
	case a.Stride != bytes && (a.Stride-padded)%4 != 0:
		return fmt.Errorf("attribute %s: a stride of %d bytes; padding is a multiple of 4 bytes, so expected %d or a multiple of 4", name, a.Stride, bytes)
	case a.Offset < 0 || a.Offset%part != 0 || a.Stride%part != 0:
		return fmt.Errorf("attribute %s: offset %d and stride %d; expected multiples of the component's size, %d", name, a.Offset, a.Stride, part)
	case a.Offset > b.len:
		return fmt.Errorf("attribute %s: offset %d is past the end of the buffer of %d bytes", name, a.Offset, b.len)
	}
	c.inputs[name] = source{buffer: b, layout: a}
	return nil
}

// AttributeConst gives an attribute the same value for all vertices. Attributes
// without a binding or value are (0, 0, 0, 1).
func (c *Context) AttributeConst(name string, v mgl32.Vec4) {
	c.inputs[name] = source{constant: v}
}

// UseProgram makes draws use a program.
func (c *Context) UseProgram(p *Program) { c.program = p }

// DrawArrays draws count vertices from first on.
func (c *Context) DrawArrays(ctx context.Context, mode pica.PrimitiveMode, first, count int) error {
	if first < 0 || count < 0 {
		return fmt.Errorf("draw: %d vertices from %d on", count, first)
	}
	if count == 0 {
		return nil
	}
	if err := c.prepare(ctx, first+count); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	c.begin(mode)
	c.writeRun(pica.RegIndexbufferConfig, 1<<31, uint32(count))
	c.write(pica.RegVertexOffset, 0xF, uint32(first))
	c.write(pica.RegGeostageConfig2, 0x1, 1)
	c.trigger(pica.RegDrawarrays)
	c.write(pica.RegGeostageConfig2, 0x1, 0)
	c.write(pica.RegVtxFunc, 0xF, 1)
	return nil
}

// DrawElements draws vertices by count indices, which begin offset bytes into a
// buffer.
func (c *Context) DrawElements(ctx context.Context, mode pica.PrimitiveMode, count int, t pica.IndexType, b *Buffer, offset int) error {
	size := 1
	if t == pica.IndexShort {
		size = 2
	}
	if count < 0 || offset < 0 || offset%size != 0 || offset > b.len || count > (b.len-offset)/size {
		return fmt.Errorf("draw: %d indices of %d bytes at %d of a buffer of %d bytes", count, size, offset, b.len)
	}
	if count == 0 {
		return nil
	}
	if err := c.prepare(ctx, 0); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	triangles := mode == pica.PrimitiveTriangles
	if triangles {
		mode = pica.PrimitiveGeometry // as citro3d draws them, with the flags below
	}
	c.begin(mode)
	c.writeRun(pica.RegIndexbufferConfig, pica.IndexbufferType.Put(b.mem.addr+uint32(offset)-pica.FCRAMBase, uint32(t)), uint32(count))
	c.write(pica.RegVertexOffset, 0xF, 0)
	if triangles {
		c.write(pica.RegGeostageConfig, 0x2, 0x100)
		c.write(pica.RegGeostageConfig2, 0x2, 0x100)
	}
	c.trigger(pica.RegDrawelements)
	if triangles {
		c.write(pica.RegGeostageConfig, 0x2, 0)
		c.write(pica.RegGeostageConfig2, 0x2, 0)
	}
	c.write(pica.RegVtxFunc, 0xF, 1)
	return nil
}

// begin sets the primitive mode. A geometry shader has its own.
func (c *Context) begin(mode pica.PrimitiveMode) {
	if c.program.geometry != nil {
		mode = pica.PrimitiveGeometry
	}
	c.write(pica.RegPrimitiveConfig, 0x2, pica.PrimitiveConfigMode.Put(0, uint32(mode)))
	c.write(pica.RegRestartPrimitive, 0xF, 1)
}

// trigger starts a draw, outside of configuration mode.
func (c *Context) trigger(reg pica.Reg) {
	c.write(pica.RegStartDrawFunc0, 0x1, 0)
	c.write(reg, 0xF, 1)
	c.write(pica.RegStartDrawFunc0, 0x1, 1)
}

// prepare sends what a draw of vertices up to a number needs: state, textures,
// program, uniforms, attributes.
func (c *Context) prepare(ctx context.Context, vertices int) error {
	switch {
	case c.target == nil:
		return errors.New("there is no render target (SetTarget)")
	case c.target.color.size == 0 && c.target.depth.size == 0:
		return errors.New("the render target was deleted")
	case c.program == nil:
		return errors.New("there is no program (UseProgram)")
	}
	if err := c.gasPass(ctx); err != nil {
		return err
	}
	if err := c.setTextures(); err != nil {
		return err
	}
	if err := c.sendState(ctx); err != nil {
		return err
	}
	if err := c.sendProgram(ctx); err != nil {
		return err
	}
	if err := c.sendAttributes(vertices); err != nil {
		return err
	}
	if err := c.sendOverrides(ctx); err != nil {
		return err
	}
	return c.room(ctx, 64)
}

// gasPass detects the beginning of a density pass, at which the greatest
// density is set to 0, and runs the queued part of one before gas is shaded.
func (c *Context) gasPass(ctx context.Context) error {
	gas := pica.FragmentMode(pica.ColorOperationMode.Get(&c.regs)) == pica.FragmentModeGas
	if gas && !c.gas {
		if err := c.Flush(ctx); err != nil {
			return err
		}
		c.write(pica.RegGasFeedback, 0xF, 0)
	}
	c.gas = gas
	if gas {
		c.gasDrawn = true
		return nil
	}
	if c.gasDrawn && pica.FogMode(pica.TexenvUpdateFogMode.Get(&c.regs)) == pica.FogModeGas {
		return c.Flush(ctx)
	}
	return nil
}

// sendProgram sends code, output map and constants if the program changed, and
// uniforms that changed.
func (c *Context) sendProgram(ctx context.Context) error {
	p := c.program
	if c.loaded != p {
		words := 0
		for _, s := range p.stages() {
			words += 2*len(s.file.Program.Code) + 2*len(s.file.Program.Descriptors)
		}
		if err := c.room(ctx, words+256); err != nil {
			return err
		}
		c.sendCode(p)
		c.loaded = p
	}
	for i, s := range p.stages() {
		if err := c.room(ctx, 96*6); err != nil {
			return err
		}
		c.sendUniforms(s, [...]pica.Reg{pica.OffsetVsh, pica.OffsetGsh}[i])
	}
	return nil
}

func (c *Context) sendCode(p *Program) {
	g := p.geometry
	mode := func(on bool, v uint32) uint32 {
		if on {
			return v
		}
		return 0
	}
	c.write(pica.RegGeostageConfig, 0x3, mode(g != nil, uint32(pica.GeoStageOn)))
	c.write(pica.RegGeostageConfig2, 0x3, 0)
	c.write(pica.RegVshComMode, 0x1, mode(g != nil, 1))
	c.sendStage(p.vertex, pica.OffsetVsh)
	outputs := uint32(p.vertex.outputs())
	c.write(pica.RegVshOutmapTotal1, 0xF, outputs-1)
	c.write(pica.RegVshOutmapTotal2, 0xF, outputs-1)
	if g != nil {
		c.sendStage(g, pica.OffsetGsh)
	}
	c.write(pica.RegPrimitiveConfig, 0x1, uint32(p.outmap.total-1))
	c.writeRun(pica.RegShOutmapTotal, append([]uint32{uint32(p.outmap.total)}, p.outmap.words[:]...)...)
	c.write(pica.RegShOutattrMode, 0xF, mode(p.outmap.texcoord, 1))
	c.write(pica.RegShOutattrClock, 0xF, p.outmap.clock)
	if g == nil {
		c.write(pica.RegGeostageConfig, 0xA, 0)
		c.write(pica.RegGshMisc0, 0xF, 0)
		c.write(pica.RegGshMisc1, 0xF, 0)
		c.write(pica.RegGshInputbufferConfig, 0xF, pica.ShInputMode.Put(0, uint32(pica.ShaderModeVertex)))
		return
	}
	how := g.exec.Geometry
	inputs := uint32(p.inputs)
	misc, main := uint32(how.Mode), uint32(0)
	switch how.Mode {
	case shbin.GeometryFixed:
		misc = pica.GshMisc0Bit24.Put(misc, 1)
		misc = pica.GshStartIndex.Put(misc, uint32(how.FixedStart))
		misc = pica.GshStride.Put(misc, inputs-1)
		misc = pica.GshFixedVertexNum.Put(misc, uint32(how.FixedNum)-1)
	case shbin.GeometryVariable:
		main = uint32(how.VariableNum) - 1
	}
	c.write(pica.RegGeostageConfig, 0xA, pica.GeostageVariable.PutBool(0, how.Mode == shbin.GeometryVariable))
	c.write(pica.RegGshMisc0, 0xF, misc)
	c.write(pica.RegGshMisc1, 0xF, main)
	config := pica.ShInputMode.Put(inputs-1, uint32(pica.ShaderModeGeometry))
	c.write(pica.RegGshInputbufferConfig, 0xF, pica.ShInputSubdivision.Put(config, mode(how.Mode != shbin.GeometryPoint, 1)))
	c.writeRun(pica.RegGshAttributesPermutationLow, 0x76543210, 0xFEDCBA98)
}

// constantBits are what programs write to the upper halves of GPUREG_SH_BOOLUNIFORM
// and ENTRYPOINT.
const constantBits = 0x7FFF0000

// sendStage sends code, operand descriptors and entry point, and marks all
// uniforms as changed.
func (c *Context) sendStage(s *stage, offset pica.Reg) {
	c.write(pica.RegGshCodetransferIndex+offset, 0xF, 0)
	code := s.file.Program.Code
	if offset == pica.OffsetVsh { // this unit has no memory for a geometry shader after it
		code = code[:min(len(code), shaderunit.VertexCodeWords)]
	}
	c.writeAll(pica.RegGshCodetransferData0+offset, code)
	c.write(pica.RegGshCodetransferEnd+offset, 0xF, 1)
	c.write(pica.RegGshOpdescsIndex+offset, 0xF, 0)
	c.writeAll(pica.RegGshOpdescsData0+offset, s.file.Program.DescriptorWords())
	c.write(pica.RegGshEntrypoint+offset, 0xF, constantBits|s.exec.Main)
	c.write(pica.RegGshOutmapMask+offset, 0xF, uint32(s.exec.OutputMask))
	s.dirty = dirty{floats: s.setFloats, ints: true, bools: true}
}

// sendUniforms sends changed uniforms, consecutive float registers in one
// command: constants of the file as four float24 in three words, as libctru
// does, others as float32.
func (c *Context) sendUniforms(s *stage, offset pica.Reg) {
	if s.dirty.bools {
		c.write(pica.RegGshBooluniform+offset, 0xF, constantBits|uint32(s.bools))
	}
	if s.dirty.ints {
		for i, v := range s.ints {
			if s.setInts[i] {
				c.write(pica.RegGshIntuniformI0+offset+pica.Reg(i), 0xF, uint32(v[0])|uint32(v[1])<<8|uint32(v[2])<<16|uint32(v[3])<<24)
			}
		}
	}
	for first := 0; first < len(s.floats); first++ {
		if !s.dirty.floats[first] {
			continue
		}
		words := []uint32{}
		last, format := first, pica.UniformFloat32
		if s.constants[first] {
			format = pica.UniformFloat24
		}
		for ; last < len(s.floats) && s.dirty.floats[last] && s.constants[last] == s.constants[first]; last++ {
			v := s.floats[last]
			if format == pica.UniformFloat24 {
				words = append(words, pica.PackFloat24(v)...)
				continue
			}
			for k := 3; k >= 0; k-- {
				words = append(words, math.Float32bits(v[k]))
			}
		}
		c.write(pica.RegGshFloatuniformIndex+offset, 0xF, pica.ShFloatuniformFormat.Put(uint32(first), uint32(format)))
		c.writeAll(pica.RegGshFloatuniformData0+offset, words)
		first = last - 1
	}
	s.dirty = dirty{}
}

// sendAttributes sends the sources of the program's inputs: each bound
// attribute is an attribute buffer of its own, the others are fixed.
func (c *Context) sendAttributes(vertices int) error {
	inputs := c.program.inputList()
	if len(inputs) == 0 || len(inputs) > pica.NumAttribs {
		return fmt.Errorf("the program has %d inputs; expected 1 to %d", len(inputs), pica.NumAttribs)
	}
	var regs pica.Regs
	pica.AttribbuffersLoc.Set(&regs, pica.FCRAMBase>>4)
	pica.AttribCount.Set(&regs, uint32(len(inputs)-1))
	fixed := uint32(0)
	buffers := pica.Reg(0)
	for i, in := range inputs {
		pica.ShPermutation(i).At(pica.OffsetVsh).Set(&regs, uint32(in.register))
		src, ok := c.inputs[in.name]
		if !ok {
			src.constant = mgl32.Vec4{0, 0, 0, 1}
		}
		if src.buffer == nil {
			fixed |= 1 << i
			c.sendFixed(i, src.constant)
			continue
		}
		if src.buffer.len == 0 {
			return fmt.Errorf("input %s: the buffer is empty or was deleted", in.name)
		}
		a := src.layout
		bytes := attribBytes[a.Type] * a.Size
		if vertices > 0 && a.Offset+(vertices-1)*a.Stride+bytes > src.buffer.len {
			return fmt.Errorf("input %s: %d vertices of %d bytes from %d on do not fit into the buffer of %d bytes", in.name, vertices, a.Stride, a.Offset, src.buffer.len)
		}
		pica.AttribFormatType(i).Set(&regs, uint32(a.Type))
		pica.AttribFormatSize(i).Set(&regs, uint32(a.Size-1))
		at := buffers * pica.StrideAttribbuffer
		pica.AttribbufferOffset.At(at).Set(&regs, src.buffer.mem.addr+uint32(a.Offset)-pica.FCRAMBase)
		pica.AttribbufferComponent(0).At(at).Set(&regs, uint32(i))
		components := 1
		for left := a.Stride - (bytes+3)&^3; left > 0; components++ {
			n := min(left, 16)
			pica.AttribbufferComponent(components).At(at).Set(&regs, uint32(pica.ComponentPad4)+uint32(n/4-1))
			left -= n
		}
		if components > 12 {
			return fmt.Errorf("input %s: a stride of %d bytes leaves more padding than an attribute buffer can have", in.name, a.Stride)
		}
		pica.AttribbufferStride.At(at).Set(&regs, uint32(a.Stride))
		pica.AttribbufferCount.At(at).Set(&regs, uint32(components))
		buffers++
	}
	pica.AttribFixedMask.Set(&regs, fixed)
	first, last := pica.RegAttribbuffersLoc, pica.RegAttribbuffer0Config2+(pica.NumAttribbuffers-1)*pica.StrideAttribbuffer
	c.writeRun(first, regs[first:last+1]...)
	c.write(pica.RegVshInputbufferConfig, 0xB, pica.ShInputMode.Put(uint32(len(inputs)-1), uint32(pica.ShaderModeVertex)))
	c.write(pica.RegVshNumAttr, 0xF, uint32(len(inputs)-1))
	low := pica.RegVshAttributesPermutationLow
	c.writeRun(low, regs[low], regs[low+1])
	return nil
}

// sendFixed gives attribute i the same value for all vertices.
func (c *Context) sendFixed(i int, v mgl32.Vec4) {
	c.write(pica.RegFixedattribIndex, 0xF, uint32(i))
	c.writeRun(pica.RegFixedattribData0, pica.PackFloat24(v)...)
}
