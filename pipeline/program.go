package pipeline

import (
	"fmt"
	"math/bits"
	"slices"

	"pica200/assets/shbin"
	"pica200/pica"
)

// Program is a vertex shader with, perhaps, a geometry shader behind it, and
// what a command list writes to use them. The writes are those of libctru's
// shaderProgramUse.
type Program struct {
	code     []uint32
	desc     []uint32
	vertex   *shbin.Executable
	geometry *shbin.Executable // nil without a geometry shader

	// Stride is the number of attributes that the geometry shader takes from
	// a vertex; 0 for as many as the vertex shader has outputs. In point mode
	// a multiple of that makes several vertices one invocation.
	Stride int
}

// NewProgram takes the executables with the given indices from a shader
// binary; geometry is -1 without a geometry shader.
func NewProgram(f *shbin.File, vertex, geometry int) (*Program, error) {
	p := &Program{code: f.Program.Code}
	for _, d := range f.Program.Descriptors {
		p.desc = append(p.desc, d.Word)
	}
	pick := func(i int, want shbin.ShaderType) (*shbin.Executable, error) {
		if i < 0 || i >= len(f.Executables) {
			return nil, fmt.Errorf("shader program: there is no executable %d; the file has %d", i, len(f.Executables))
		}
		if e := &f.Executables[i]; e.Type == want {
			return e, nil
		}
		return nil, fmt.Errorf("shader program: executable %d is a %v shader, not a %v shader", i, f.Executables[i].Type, want)
	}
	var err error
	if p.vertex, err = pick(vertex, shbin.VertexShader); err != nil {
		return nil, err
	}
	if geometry >= 0 {
		if p.geometry, err = pick(geometry, shbin.GeometryShader); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// outputs is the output map of an executable.
type outputs struct {
	registers uint32   // mask of output registers
	words     []uint32 // meaning of each, in ascending order
	clock     uint32   // GPUREG_SH_OUTATTR_CLOCK
	texcoord  bool     // GPUREG_SH_OUTATTR_MODE
}

// outputMeaning says which semantics an output type stands for, and which
// bit of GPUREG_SH_OUTATTR_CLOCK it needs.
var outputMeaning = map[shbin.OutputType]struct {
	first    pica.Semantic
	n        int
	clock    uint32
	texcoord bool
}{
	shbin.OutPosition:   {pica.SemPositionX, 4, 1 << 0, false},
	shbin.OutNormalQuat: {pica.SemQuatX, 4, 1 << 24, false},
	shbin.OutColor:      {pica.SemColorR, 4, 1 << 1, false},
	shbin.OutTexCoord0:  {pica.SemTexCoord0U, 2, 1 << 8, true},
	shbin.OutTexCoord0W: {pica.SemTexCoord0W, 1, 1 << 16, true},
	shbin.OutTexCoord1:  {pica.SemTexCoord1U, 2, 1 << 9, true},
	shbin.OutTexCoord2:  {pica.SemTexCoord2U, 2, 1 << 10, true},
	shbin.OutView:       {pica.SemViewX, 3, 1 << 24, false},
}

const unusedOutput = 0x1F1F1F1F

func outputsOf(e *shbin.Executable) outputs {
	var o outputs
	var words [16]uint32
	for i := range words {
		words[i] = unusedOutput
	}
	for _, out := range e.Outputs {
		reg := out.Reg & 15
		o.registers |= 1 << reg
		m, ok := outputMeaning[out.Type]
		if !ok {
			continue // dummy: the register is written but means nothing
		}
		o.clock |= m.clock
		o.texcoord = o.texcoord || m.texcoord
		sem := uint32(m.first)
		for c, left := 0, m.n; c < 4 && left > 0; c++ {
			if out.Mask>>c&1 != 0 {
				words[reg] = words[reg]&^(0xFF<<(8*c)) | sem<<(8*c)
				sem++
				left--
			}
		}
	}
	for reg, w := range words {
		if o.registers>>reg&1 != 0 {
			o.words = append(o.words, w)
		}
	}
	return o
}

// merge joins the output maps of both shaders as a DVLE with the merge flag
// asks for: position first, then what both have, then what the geometry shader
// has alone, then the vertex shader (libctru).
func (o outputs) merge(vertex outputs) outputs {
	m := outputs{registers: o.registers, clock: o.clock | vertex.clock, texcoord: o.texcoord || vertex.texcoord}
	add := func(from, other []uint32, inOther bool) {
		for _, w := range from {
			if w != unusedOutput && slices.Contains(other, w) == inOther {
				m.words = append(m.words, w)
			}
		}
	}
	add(o.words, vertex.words, true)
	add(o.words, vertex.words, false)
	add(vertex.words, o.words, false)
	return m
}

// Append adds to a command list what makes the GPU use the program: code,
// descriptors, constants, entry points and output map.
func (p *Program) Append(w *pica.CommandWriter) error {
	vertex := outputsOf(p.vertex)
	last, use, exclusive := vertex, uint32(0), uint32(0)
	if p.geometry != nil {
		use, exclusive = uint32(pica.GeoStageOn), 1
		last = outputsOf(p.geometry)
		if p.geometry.Merge != 0 {
			last = last.merge(vertex)
		}
	}
	if n := len(last.words); n == 0 || n > 7 {
		return fmt.Errorf("shader program: %d output registers are mapped; 1 to 7 are possible", n)
	}
	if len(vertex.words) == 0 {
		return fmt.Errorf("shader program: the vertex shader has no outputs")
	}
	w.WriteMasked(pica.RegGeostageConfig, 3, use)
	w.WriteMasked(pica.RegGeostageConfig2, 3, 0)
	w.WriteMasked(pica.RegVshComMode, 1, exclusive)

	p.appendCode(w, pica.OffsetVsh, p.code[:min(len(p.code), vertexCodeWords)])
	w.Write(pica.RegVshEntrypoint, 0x7FFF0000|p.vertex.Main)
	w.Write(pica.RegVshOutmapMask, vertex.registers)
	total := uint32(bits.OnesCount32(vertex.registers)) - 1
	w.Write(pica.RegVshOutmapTotal1, total)
	w.Write(pica.RegVshOutmapTotal2, total)
	if p.geometry != nil {
		p.appendCode(w, pica.OffsetGsh, p.code)
		w.Write(pica.RegGshEntrypoint, 0x7FFF0000|p.geometry.Main)
		w.Write(pica.RegGshOutmapMask, last.registers)
	}

	w.WriteMasked(pica.RegPrimitiveConfig, 1, uint32(len(last.words)-1))
	outmap := []uint32{uint32(len(last.words)), unusedOutput, unusedOutput, unusedOutput, unusedOutput, unusedOutput, unusedOutput, unusedOutput}
	copy(outmap[1:], last.words)
	w.WriteRun(pica.RegShOutmapTotal, outmap...)
	mode := uint32(0)
	if last.texcoord {
		mode = 1
	}
	w.Write(pica.RegShOutattrMode, mode)
	w.Write(pica.RegShOutattrClock, last.clock)
	p.appendGeometry(w, len(vertex.words))
	p.appendConstants(w, pica.OffsetVsh, p.vertex)
	if p.geometry != nil {
		p.appendConstants(w, pica.OffsetGsh, p.geometry)
	}
	return nil
}

func (p *Program) appendCode(w *pica.CommandWriter, unit pica.Reg, code []uint32) {
	w.Write(pica.RegGshCodetransferIndex+unit, 0)
	w.WriteAll(pica.RegGshCodetransferData0+unit, code...)
	w.Write(pica.RegGshCodetransferEnd+unit, 1)
	w.Write(pica.RegGshOpdescsIndex+unit, 0)
	w.WriteAll(pica.RegGshOpdescsData0+unit, p.desc...)
}

// appendGeometry sets how the geometry shader gets its input.
func (p *Program) appendGeometry(w *pica.CommandWriter, vertexOutputs int) {
	if p.geometry == nil {
		w.WriteMasked(pica.RegGeostageConfig, 0xA, 0)
		w.Write(pica.RegGshMisc0, 0)
		w.Write(pica.RegGshMisc1, 0)
		w.Write(pica.RegGshInputbufferConfig, uint32(pica.ShaderModeVertex)<<24)
		return
	}
	g := p.geometry.Geometry
	stride := uint32(p.Stride)
	if stride == 0 {
		stride = uint32(vertexOutputs)
	}
	misc0, misc1, variable, input := uint32(g.Mode), uint32(0), uint32(0), uint32(0)
	switch g.Mode {
	case shbin.GeometryFixed:
		misc0 |= 1<<24 | uint32(g.FixedStart)<<16 | (stride-1)<<12 | uint32(g.FixedNum-1)<<8
	case shbin.GeometryVariable:
		misc1, variable = uint32(g.VariableNum-1), 1<<31
	}
	if g.Mode != shbin.GeometryPoint {
		input = 1 << 8
	}
	w.WriteMasked(pica.RegGeostageConfig, 0xA, variable)
	w.Write(pica.RegGshMisc0, misc0)
	w.Write(pica.RegGshMisc1, misc1)
	w.Write(pica.RegGshInputbufferConfig, uint32(pica.ShaderModeGeometry)<<24|input|(stride-1))
	w.WriteRun(pica.RegGshAttributesPermutationLow, 0x76543210, 0xFEDCBA98)
}

func (p *Program) appendConstants(w *pica.CommandWriter, unit pica.Reg, e *shbin.Executable) {
	var bools uint32
	for _, c := range e.Constants {
		switch c.Kind {
		case shbin.ConstantBool:
			if c.Bool() {
				bools |= 1 << (c.Reg & 15)
			}
		case shbin.ConstantInt:
			v := c.Int()
			w.Write(pica.RegGshIntuniformI0+unit+pica.Reg(c.Reg&3), uint32(v[0])|uint32(v[1])<<8|uint32(v[2])<<16|uint32(v[3])<<24)
		case shbin.ConstantFloat:
			v := c.Float()
			w.WriteRun(pica.RegGshFloatuniformIndex+unit, uint32(c.Reg), pack24(v)[0], pack24(v)[1], pack24(v)[2])
		}
	}
	w.Write(pica.RegGshBooluniform+unit, 0x7FFF0000|bools)
}

// pack24 packs x, y, z, w, a float24 each, as three words, w first.
func pack24(v [4]uint32) [3]uint32 {
	return [3]uint32{v[3]<<8 | v[2]>>16&0xFF, v[2]<<16 | v[1]>>8&0xFFFF, v[1]<<24 | v[0]&0xFFFFFF}
}

// AppendUniform adds to a command list the writes that set float uniforms of
// the vertex shader, or with geometry those of the geometry shader, from the
// one with this name on. Rows behind the uniform's last register are an error.
func (p *Program) AppendUniform(w *pica.CommandWriter, geometry bool, name string, rows ...[4]float32) error {
	u, unit, err := p.uniform(geometry, name, shbin.UniformFloat, shbin.UniformInt)
	if err != nil {
		return err
	}
	if n := int(u.End-u.Start) + 1; len(rows) > n {
		return fmt.Errorf("uniform %s has %d registers; %d were given", name, n, len(rows))
	}
	words := make([]uint32, 0, 3*len(rows))
	for _, r := range rows {
		var v [4]uint32
		for i, x := range r {
			v[i] = pica.Float24.Encode(x)
		}
		packed := pack24(v)
		words = append(words, packed[:]...)
	}
	w.Write(pica.RegGshFloatuniformIndex+unit, uint32(u.Start-shbin.UniformFloat))
	w.WriteAll(pica.RegGshFloatuniformData0+unit, words...)
	return nil
}

// uniform finds a uniform whose registers are numbered from first up to end,
// exclusive.
func (p *Program) uniform(geometry bool, name string, first, end uint16) (*shbin.Uniform, pica.Reg, error) {
	e, unit, kind := p.vertex, pica.OffsetVsh, "vertex"
	if geometry {
		e, unit, kind = p.geometry, pica.OffsetGsh, "geometry"
	}
	if e == nil {
		return nil, 0, fmt.Errorf("uniform %s: there is no %s shader", name, kind)
	}
	var names []string
	for i := range e.Uniforms {
		u := &e.Uniforms[i]
		if u.Start < first || u.Start >= end {
			continue
		}
		if u.Name == name {
			return u, unit, nil
		}
		names = append(names, u.Name)
	}
	return nil, 0, fmt.Errorf("the %s shader has no uniform %s; it has %v", kind, name, names)
}
