// Package trial runs one shader on given vertices and reports what it did: its
// outputs by meaning, a record of every instruction, and counts. "pica200 run"
// prints this.
//
// Load makes a Shader from an executable of a file (package shbin). Shader.Run
// runs it in shaderunit's interpreter, which is the definition of the
// instruction set.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package trial

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
)

// Shader is an executable with its uniforms, ready to run. Make one with Load.
type Shader struct {
	Setup      *shaderunit.Setup
	Executable *shbin.Executable
	MaxSteps   int // of one run; 0 for shaderunit's limit

	it shaderunit.Interpreter
}

// Load loads an executable of a file and its constants.
func Load(f *shbin.File, executable int) (*Shader, error) {
	if executable < 0 || executable >= len(f.Executables) {
		return nil, fmt.Errorf("no executable %d, the program has %d", executable, len(f.Executables))
	}
	s := &Shader{Setup: &shaderunit.Setup{}, Executable: &f.Executables[executable]}
	if len(f.Program.Code) > shaderunit.CodeWords || len(f.Program.Descriptors) > shaderunit.Descriptors {
		return nil, fmt.Errorf("%d instructions and %d operand descriptors, more than the shader unit holds", len(f.Program.Code), len(f.Program.Descriptors))
	}
	if err := s.Executable.Fits(); err != nil {
		return nil, fmt.Errorf("executable %d: %w", executable, err)
	}
	code := f.Program.Code
	if s.Executable.Type == shbin.VertexShader { // the unit has no memory for more
		code = code[:min(len(code), shbin.VertexCode)]
	}
	s.Setup.Load(code, f.Program.DescriptorWords())
	s.Setup.Entry = uint16(s.Executable.Main)
	s.Setup.OutMask = s.Executable.OutputMask
	for _, c := range s.Executable.Constants {
		switch c.Kind {
		case shbin.ConstantFloat:
			s.Setup.Float[c.Reg] = pica.Float24.Decode4(c.Float())
		case shbin.ConstantInt:
			s.Setup.Int[c.Reg] = c.Int()
		case shbin.ConstantBool:
			s.setBool(int(c.Reg), c.Bool())
		}
	}
	s.it.Reset()
	return s, nil
}

func (s *Shader) setBool(n int, v bool) {
	s.Setup.Bool &^= 1 << n
	if v {
		s.Setup.Bool |= 1 << n
	}
}

// names returns the executable's names of inputs (if input is true) or
// uniforms, in register order.
func (s *Shader) names(input bool) (names []string) {
	for _, u := range s.Executable.Uniforms {
		if (u.Start < shbin.UniformFloat) == input {
			names = append(names, u.Name)
		}
	}
	return names
}

// lookup finds a range of registers by name: a symbol, with or without an
// index, or a register such as "c12". The numbers are those of shbin.Uniform.
func (s *Shader) lookup(name string, letters string) (first, last uint16, err error) {
	base, index := name, -1
	if k := strings.IndexByte(name, '['); k >= 0 && strings.HasSuffix(name, "]") {
		base = name[:k]
		if _, err := fmt.Sscanf(name[k:], "[%d]", &index); err != nil || index < 0 {
			return 0, 0, fmt.Errorf("%q: a number in brackets expected", name)
		}
	}
	input := letters == "v"
	for _, u := range s.Executable.Uniforms {
		if u.Name != base || (u.Start < shbin.UniformFloat) != input {
			continue
		}
		if index < 0 {
			return u.Start, u.End, nil
		}
		if int(u.Start)+index > int(u.End) {
			return 0, 0, fmt.Errorf("%q has %d registers", base, u.End-u.Start+1)
		}
		return u.Start + uint16(index), u.Start + uint16(index), nil
	}
	spaces := map[byte]struct{ start, n uint16 }{'v': {0, 16}, 'c': {shbin.UniformFloat, 96}, 'i': {shbin.UniformInt, 4}, 'b': {shbin.UniformBool, 16}}
	if len(name) > 1 && strings.IndexByte(letters, name[0]) >= 0 {
		var n uint16
		var rest string
		if k, _ := fmt.Sscanf(name[1:], "%d%s", &n, &rest); k == 1 {
			space := spaces[name[0]]
			if n >= space.n {
				return 0, 0, fmt.Errorf("no register %s, there are %c0-%c%d", name, name[0], name[0], space.n-1)
			}
			return space.start + n, space.start + n, nil
		}
	}
	what := "uniform"
	if input {
		what = "input"
	}
	return 0, 0, fmt.Errorf("no %s %q; the shader has %s, and registers can be named", what, name, list(s.names(input)))
}

func list(names []string) string {
	if len(names) == 0 {
		return "none by name"
	}
	return strings.Join(names, ", ")
}

// SetUniform sets a uniform by its symbol name (with an index for one register
// of an array) or its register. Float uniforms take four numbers for each
// register; missing ones of the last register are 0, 0, 0, 1. Int uniforms take
// three or four numbers from 0 to 255, bool uniforms one, 0 or 1.
func (s *Shader) SetUniform(name string, values []float64) error {
	first, last, err := s.lookup(name, "cib")
	if err != nil {
		return err
	}
	n := int(last-first) + 1
	fail := func(want string) error {
		return fmt.Errorf("uniform %s: %d values, expected %s", name, len(values), want)
	}
	switch {
	case first >= shbin.UniformBool:
		if len(values) != n {
			return fail(fmt.Sprint(n))
		}
		for i, v := range values {
			s.setBool(int(first-shbin.UniformBool)+i, v != 0)
		}
	case first >= shbin.UniformInt:
		if len(values) != 4*n && !(n == 1 && len(values) == 3) {
			return fail(fmt.Sprintf("%d", 4*n))
		}
		for i, v := range values {
			if v < 0 || v > 255 || v != float64(uint8(v)) {
				return fmt.Errorf("uniform %s: %v is not an integer from 0 to 255", name, v)
			}
			s.Setup.Int[int(first-shbin.UniformInt)+i/4][i%4] = uint8(v)
		}
	default:
		if len(values) == 0 || len(values) > 4*n {
			return fail(fmt.Sprintf("1 to %d", 4*n))
		}
		for i := range (len(values) + 3) / 4 {
			s.Setup.Float[int(first-shbin.UniformFloat)+i] = Vector(values[4*i:])
		}
	}
	return nil
}

// Vector makes a register from up to four numbers, in the precision of float24.
// Missing ones are 0, 0, 0, 1, as in attributes.
func Vector(values []float64) (v [4]float32) {
	v = [4]float32{0, 0, 0, 1}
	for i := range min(4, len(values)) {
		v[i] = shaderunit.ToFloat24(float32(values[i]))
	}
	return v
}

// input finds the register number of an input by its name or register.
func (s *Shader) input(name string) (int, error) {
	first, last, err := s.lookup(name, "v")
	if err == nil && first != last {
		err = fmt.Errorf("input %s has several registers", name)
	}
	return int(first), err
}

// Vertex holds the input registers of one run.
type Vertex [16][4]float32

// Output is an output of the shader with its meaning.
type Output struct {
	Meaning    string // "position", "texcoord0w", or "o3" if it has none
	Reg        int
	Components []int // of the register, 0 = x
	Value      []float32
}

// Emitted is a vertex that a geometry shader emitted.
type Emitted struct {
	Slot               int // vertex number, 0 to 2
	Primitive, Winding bool
	Outputs            []Output
}

// Result is what one run did.
type Result struct {
	Outputs []Output  // of a vertex shader
	Emitted []Emitted // of a geometry shader
	Steps   int       // executed instructions
}

// Record is what one executed instruction did.
type Record struct {
	shaderunit.Step
	FlowAfter shaderunit.Flow // stacks, loop counter and next address after the instruction
}

// Run runs the shader on a vertex; a geometry shader runs once on its inputs. A
// vertex shader starts with all registers at their start values, as in the
// batch engine; a geometry shader's registers keep their values from run to
// run, as on the console. trace, if not nil, receives the record of every
// instruction. count, if not nil, counts the executions by address. With an
// error of the program, Run also returns what was done before it.
func (s *Shader) Run(v *Vertex, trace func(Record), count *Counts) (r Result, err error) {
	if s.Executable.Type != shbin.GeometryShader {
		s.it.Reset()
	}
	s.it.In = *v
	s.it.MaxSteps = s.MaxSteps
	if s.Executable.Type == shbin.GeometryShader {
		s.it.Emit = func(e shaderunit.Emission) error {
			r.Emitted = append(r.Emitted, Emitted{int(e.VertexID), e.PrimEmit, e.Winding, s.outputs(e.Out)})
			return nil
		}
	}
	s.it.Trace = nil
	if trace != nil || count != nil {
		s.it.Trace = func(step *shaderunit.Step) {
			if count != nil {
				count.Addr[step.PC]++
				count.Total++
			}
			if trace != nil {
				rec := Record{Step: *step, FlowAfter: *step.Flow}
				rec.Flow = nil
				trace(rec)
			}
		}
	}
	err = s.it.Run(s.Setup)
	r.Steps = s.it.Steps
	if s.Executable.Type != shbin.GeometryShader {
		r.Outputs = s.outputs(s.it.Out())
	}
	return r, err
}

// outputs names the output registers by the output table. Without a table it
// uses the mask, and without that all registers that are not zero.
func (s *Shader) outputs(regs *[16][4]float32) (out []Output) {
	add := func(meaning string, reg int, mask uint16) {
		o := Output{Meaning: meaning, Reg: reg}
		for i := range 4 {
			if mask>>i&1 != 0 {
				o.Components = append(o.Components, i)
				o.Value = append(o.Value, regs[reg][i])
			}
		}
		out = append(out, o)
	}
	for _, o := range s.Executable.Outputs {
		if o.Reg < 16 {
			add(o.Type.String(), int(o.Reg), o.Mask)
		}
	}
	if len(out) > 0 {
		return out
	}
	for reg := range regs {
		if s.Executable.OutputMask>>reg&1 != 0 || s.Executable.OutputMask == 0 && regs[reg] != [4]float32{} {
			add(fmt.Sprintf("o%d", reg), reg, 15)
		}
	}
	return out
}

// Counts counts executed instructions.
type Counts struct {
	Total int
	Addr  [shaderunit.CodeWords]int
}

// ByOpcode returns the counts by opcode for the program of s, most frequent
// first.
func (c *Counts) ByOpcode(s *shaderunit.Setup) []OpcodeCount {
	sums := map[shaderunit.Opcode]int{}
	for at, n := range c.Addr {
		if n > 0 {
			sums[shaderunit.Decode(s.Code(at)).Op] += n
		}
	}
	list := []OpcodeCount{}
	for op, n := range sums {
		list = append(list, OpcodeCount{op, n})
	}
	slices.SortFunc(list, func(a, b OpcodeCount) int { return cmp.Or(b.N-a.N, int(a.Op)-int(b.Op)) })
	return list
}

// OpcodeCount says how often an operation was executed.
type OpcodeCount struct {
	Op shaderunit.Opcode
	N  int
}
