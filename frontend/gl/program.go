package gl

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/shbin"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/symbolic"
)

// Program is a vertex shader, and possibly a geometry shader, with the values
// of their uniforms. Make one with CompileProgram, NewProgram or LinkProgram.
type Program struct {
	vertex, geometry *stage // geometry may be nil
	outmap           outmap
	inputs           int // values that a run of the geometry shader reads
}

// VerticesPerRun sets how many vertices a run of a geometry shader in point
// mode takes, which a shader file does not say; the default is 1. The program
// gets their outputs one after the other.
func (p *Program) VerticesPerRun(n int) error {
	outputs := p.vertex.outputs()
	switch {
	case p.geometry == nil || p.geometry.exec.Geometry.Mode != shbin.GeometryPoint:
		return fmt.Errorf("%d vertices a run: the program has no geometry shader in point mode", n)
	case n < 1 || n*outputs > maxGeometryInputs:
		return fmt.Errorf("%d vertices a run: with %d outputs each, expected 1 to %d", n, outputs, maxGeometryInputs/outputs)
	}
	p.inputs = n * outputs
	return nil
}

// maxGeometryInputs is the number of input registers.
const maxGeometryInputs = 16

// stage is one of the shaders.
type stage struct {
	file   *shbin.File
	exec   *shbin.Executable
	inputs uint16 // input registers that the file's mask or the code uses
	floats [96]mgl32.Vec4
	ints   [4][4]uint8
	bools  uint16

	setFloats [96]bool // which have a value
	constants [96]bool // which have the value of a constant of the file
	setInts   [4]bool
	dirty     dirty
}

// dirty are the uniforms that must still be sent to the device.
type dirty struct {
	floats [96]bool
	ints   bool
	bools  bool
}

// stages returns the program's shaders.
func (p *Program) stages() []*stage {
	if p.geometry == nil {
		return []*stage{p.vertex}
	}
	return []*stage{p.vertex, p.geometry}
}

// CompileProgram assembles sources and makes a program from the first vertex
// shader and the first geometry shader in them.
func CompileProgram(sources ...asm.Source) (*Program, error) {
	p, diagnostics := asm.Assemble(asm.Options{}, sources...)
	if err := diagnostics.Err(); err != nil {
		return nil, err
	}
	return NewProgram(p.File)
}

// NewProgram makes a program from the first vertex shader and the first
// geometry shader, if any, of a file.
func NewProgram(f *shbin.File) (*Program, error) {
	vertex := f.First(shbin.VertexShader)
	if vertex < 0 {
		return nil, fmt.Errorf("the shader file has no vertex shader")
	}
	return LinkProgram(f, vertex, f, f.First(shbin.GeometryShader))
}

// LinkProgram makes a program from executables of files, given by number. A
// negative geometry number means no geometry shader.
func LinkProgram(vf *shbin.File, vertex int, gf *shbin.File, geometry int) (*Program, error) {
	p := &Program{}
	var err error
	if p.vertex, err = newStage(vf, vertex, shbin.VertexShader); err != nil {
		return nil, err
	}
	main := p.vertex
	if geometry >= 0 {
		if p.geometry, err = newStage(gf, geometry, shbin.GeometryShader); err != nil {
			return nil, err
		}
		main = p.geometry
		p.inputs = p.vertex.outputs()
	}
	if p.outmap, err = makeOutmap(main.exec); err != nil {
		return nil, err
	}
	if p.geometry != nil && p.geometry.exec.Merge != 0 {
		vertexMap, err := makeOutmap(p.vertex.exec)
		if err != nil {
			return nil, err
		}
		if p.outmap, err = merge(vertexMap, p.outmap); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// FindExecutable returns the number of the executable with a name: that of the
// label at its entry point, or the number itself.
func FindExecutable(f *shbin.File, name string) (int, error) {
	var names []string
	for i := range f.Executables {
		e := &f.Executables[i]
		if fmt.Sprint(i) == name {
			return i, nil
		}
		for _, l := range e.Labels {
			if l.Addr == e.Main {
				if l.Name == name {
					return i, nil
				}
				names = append(names, l.Name)
			}
		}
	}
	return 0, fmt.Errorf("no executable %q: the file has %d, with the entry points [%s]", name, len(f.Executables), strings.Join(names, " "))
}

func newStage(f *shbin.File, number int, want shbin.ShaderType) (*stage, error) {
	if number < 0 || number >= len(f.Executables) {
		return nil, fmt.Errorf("executable %d: the shader file has %d", number, len(f.Executables))
	}
	e := &f.Executables[number]
	if e.Type != want {
		return nil, fmt.Errorf("executable %d is a %v shader; expected a %v shader", number, e.Type, want)
	}
	if err := e.Fits(); err != nil {
		return nil, fmt.Errorf("executable %d: %w", number, err)
	}
	if e.OutputMask == 0 { // older assemblers leave it empty; then the output table is used
		o := *e
		for _, out := range e.Outputs {
			o.OutputMask |= 1 << (out.Reg & 15)
		}
		e = &o
	}
	s := &stage{file: f, exec: e, inputs: e.InputMask | symbolic.Inputs(f, e)}
	for _, c := range e.Constants {
		switch c.Kind {
		case shbin.ConstantBool:
			if c.Reg < 16 && c.Bool() {
				s.bools |= 1 << c.Reg
			}
		case shbin.ConstantInt:
			if c.Reg < 4 {
				s.ints[c.Reg], s.setInts[c.Reg] = c.Int(), true
			}
		case shbin.ConstantFloat:
			if c.Reg < 96 {
				s.floats[c.Reg] = pica.Float24.Decode4(c.Float())
				s.setFloats[c.Reg], s.constants[c.Reg] = true, true
			}
		}
	}
	return s, nil
}

// outputs returns the number of output registers.
func (s *stage) outputs() int { return bits.OnesCount16(s.exec.OutputMask) }

// find returns the registers of a uniform in a range of registers: by its name,
// by name and index ("lights[2]": from that register of an array on), or by the
// register ("c12", "i1", "b3") if no uniform has such a name.
func (s *stage) find(name string, base uint16, n int) (first, count int, ok bool) {
	lookup := func(name string) (first, count int, ok bool) {
		for _, u := range s.exec.Uniforms {
			if plainName(u.Name) == plainName(name) && u.Start >= base && int(u.Start) < int(base)+n && u.End >= u.Start && int(u.End) < int(base)+n {
				return int(u.Start - base), int(u.End-u.Start) + 1, true
			}
		}
		return 0, 0, false
	}
	if first, count, ok = lookup(name); ok {
		return first, count, ok
	}
	if array, at, ok := indexed(name); ok {
		if first, count, ok = lookup(array); ok && at < count {
			return first + at, count - at, true
		}
		return 0, 0, false
	}
	letter := map[uint16]byte{shbin.UniformFloat: 'c', shbin.UniformInt: 'i', shbin.UniformBool: 'b'}[base]
	if len(name) > 1 && name[0] == letter {
		if at, ok := number(name[1:]); ok && at < n {
			return at, n - at, true
		}
	}
	return 0, 0, false
}

// plainName removes the prefixes that files of the console have in the names of
// their libraries: dmp_Point.viewport.xy.
func plainName(name string) string {
	if strings.HasPrefix(name, dmp.Prefix) {
		return strings.TrimSuffix(name, ".xy")
	}
	return name
}

// indexed splits "lights[2]".
func indexed(name string) (array string, at int, ok bool) {
	array, rest, ok := strings.Cut(name, "[")
	if !ok || !strings.HasSuffix(rest, "]") {
		return "", 0, false
	}
	at, ok = number(rest[:len(rest)-1])
	return array, at, ok
}

// number reads a number of at most three digits.
func number(text string) (n int, ok bool) {
	v, err := strconv.ParseUint(text, 10, 64)
	return int(v), err == nil && len(text) <= 3
}

// HasUniform reports whether a name can be set: a uniform, a register of an
// array, or a register.
func (p *Program) HasUniform(name string) bool {
	for _, s := range p.stages() {
		for base, n := range map[uint16]int{shbin.UniformFloat: 96, shbin.UniformInt: 4, shbin.UniformBool: 16} {
			if _, _, ok := s.find(name, base, n); ok {
				return true
			}
		}
	}
	return false
}

// SetRegisters sets float uniforms from c(first) on, of the vertex shader or of the
// geometry shader.
func (p *Program) SetRegisters(geometry bool, first int, values ...mgl32.Vec4) error {
	s := p.vertex
	if geometry {
		s = p.geometry
	}
	if s == nil || first < 0 || first+len(values) > len(s.floats) {
		return fmt.Errorf("registers c%d to c%d: the shader is missing or has c0 to c%d", first, first+len(values)-1, len(p.vertex.floats)-1)
	}
	for i, v := range values {
		if isNaN(v) {
			return fmt.Errorf("register c%d: a NaN hangs the console", first+i)
		}
		s.setFloat(first+i, v)
	}
	return nil
}

// set calls f with the registers of a uniform in each stage that has it.
func (p *Program) set(name, what string, base uint16, registers, n int, f func(s *stage, first int)) error {
	found := false
	for _, s := range p.stages() {
		first, count, ok := s.find(name, base, registers)
		if !ok {
			continue
		}
		if n > count {
			return fmt.Errorf("uniform %s: got %d values, it has %d registers", name, n, count)
		}
		found = true
		f(s, first)
	}
	if !found {
		return fmt.Errorf("the program has no %s uniform %q; it has [%s]", what, name, strings.Join(p.UniformNames(), " "))
	}
	return nil
}

func isNaN(v mgl32.Vec4) bool {
	return slices.ContainsFunc(v[:], func(x float32) bool { return math.IsNaN(float64(x)) })
}

// setFloat gives c(n) a value.
func (s *stage) setFloat(n int, v mgl32.Vec4) {
	s.floats[n], s.setFloats[n], s.constants[n], s.dirty.floats[n] = v, true, false, true
}

// SetFloat sets a float uniform of one or more registers.
func (p *Program) SetFloat(name string, values ...mgl32.Vec4) error {
	if slices.ContainsFunc(values, isNaN) {
		return fmt.Errorf("uniform %s: a NaN hangs the console", name)
	}
	return p.set(name, "float", shbin.UniformFloat, 96, len(values), func(s *stage, first int) {
		for i, v := range values {
			s.setFloat(first+i, v)
		}
	})
}

// SetMatrix sets four registers to the rows of a matrix, so that a shader can
// multiply it with a vector by a dp4 with each of them.
func (p *Program) SetMatrix(name string, m mgl32.Mat4) error {
	x, y, z, w := m.Rows()
	return p.SetFloat(name, x, y, z, w)
}

// SetInt sets an integer uniform: iteration count, start, step, 0.
func (p *Program) SetInt(name string, values ...[4]uint8) error {
	return p.set(name, "integer", shbin.UniformInt, 4, len(values), func(s *stage, first int) {
		for i, v := range values {
			s.ints[first+i], s.setInts[first+i] = v, true
		}
		s.dirty.ints = true
	})
}

// SetBool sets a boolean uniform.
func (p *Program) SetBool(name string, values ...bool) error {
	return p.set(name, "boolean", shbin.UniformBool, 16, len(values), func(s *stage, first int) {
		for i, v := range values {
			s.bools &^= 1 << (first + i)
			if v {
				s.bools |= 1 << (first + i)
			}
		}
		s.dirty.bools = true
	})
}

// UniformNames lists the uniforms, without the inputs, each once, sorted.
func (p *Program) UniformNames() []string {
	var names []string
	for _, s := range p.stages() {
		for _, u := range s.exec.Uniforms {
			if u.Start >= shbin.UniformFloat && u.Name != "" {
				names = append(names, u.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// input is an input register of the vertex shader.
type input struct {
	name     string
	register int
}

// inputList returns the inputs of the vertex shader, by register: those of its
// mask, and those that its code reads. The hardware needs at least one input,
// so a program without any gets v0.
func (p *Program) inputList() (list []input) {
	mask := p.vertex.inputs
	if mask == 0 {
		mask = 1
	}
	for r := range 16 {
		if mask>>r&1 == 0 {
			continue
		}
		in := input{fmt.Sprintf("v%d", r), r}
		for _, u := range p.vertex.exec.Uniforms {
			if int(u.Start) <= r && r <= int(u.End) && u.Start < shbin.UniformFloat && u.Name != "" {
				in.name = u.Name
			}
		}
		list = append(list, in)
	}
	return list
}

// InputRegisters returns the input registers of the vertex shader that need a
// value (bit n: v(n)), in the order of Inputs.
func (p *Program) InputRegisters() (mask uint16) {
	for _, in := range p.inputList() {
		mask |= 1 << in.register
	}
	return mask
}

// Inputs lists the names of the vertex shader's inputs, by register; one
// without a name is called v0 to v15.
func (p *Program) Inputs() []string {
	var names []string
	for _, in := range p.inputList() {
		names = append(names, in.name)
	}
	return names
}
