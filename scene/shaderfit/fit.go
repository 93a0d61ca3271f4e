package shaderfit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/shbin"
	"pica200/shaderunit/symbolic"
)

// Role is the purpose of a uniform.
type Role uint8

// Roles of uniforms. All but Value are matrices.
const (
	Value               Role = iota // the numbers of Values
	Identity                        // unknown
	Projection                      // view space to clip space
	ModelView                       // model space to view space
	ModelViewProjection             // model space to clip space
	Model                           // model space to world space
	View                            // world space to view space
	ViewProjection                  // world space to clip space
	Normal                          // normals from model space to view space
	Bones                           // an array of matrices, one per joint
)

// String returns the name of a role.
func (r Role) String() string {
	return [...]string{"value", "identity", "projection", "modelView", "modelViewProjection", "model", "view", "viewProjection", "normalMatrix", "bones"}[r]
}

// Input is an input register of the vertex shader.
type Input struct {
	Reg  int
	Name string // declared in the file or as an alias; "v3" without
	// Stream is the model's stream for it (scene.Streams, or "ndc"); "" means that
	// all vertices get Constant.
	Stream   string
	Constant mgl64.Vec4
	// Fit, if not nil, is applied to the stream's values (x, y, z, 1): it undoes
	// the scaling and translation in the code.
	Fit    *mgl64.Mat4
	Reason string
	Said   bool // from a declared name
}

// Uniform is a float uniform, other than a constant, that the code reads.
type Uniform struct {
	Geometry   bool   // of the geometry shader
	Name       string // as in the file, otherwise "c12"
	Reg, Count int    // first register, number of registers
	Role       Role
	// Columns is true if registers hold columns of a matrix, not rows. Order says
	// which component of a register holds element k of its row or column.
	Columns bool
	Order   [4]int
	Values  []mgl64.Vec4 // for Role Value, one per register
	Reason  string
	Said    bool // from the name
}

// Fit is the result for a program.
type Fit struct {
	Inputs   []Input
	Uniforms []Uniform
	// Unset lists bool and int uniforms, other than constants, that the code reads: they are false and 0.
	Unset []string
	// PerRun is the number of vertices in a run of a geometry shader in point mode,
	// according to the inputs that it reads; 0 without one.
	PerRun int
	// Flat is true if the position does not depend on the input's third component.
	Flat bool
	// Dark is true if the color output is black or nearly so with this fit, for example because the code scales colours of 0 to 1
	// as bytes.
	Dark bool
	// NoPosition says why no model can be visible; "" if one can.
	NoPosition string
}

// Program is the program to analyse.
type Program struct {
	File             *shbin.File
	Vertex, Geometry int            // executables; Geometry is -1 without one
	Aliases          map[int]string // names of inputs in the source, by register
	// Streams are known streams of inputs, by register.
	Streams map[int]string
	// All also analyses positions with a declared name: without a matrix, they are given in clip space.
	All bool
}

// finder computes a fit.
type finder struct {
	p        Program
	vertex   *symbolic.Result
	geometry *symbolic.Result
	exec     *shbin.Executable // executable whose outputs count: the last one
	outs     []outputs         // of all paths
	chain    []matrix          // matrices of the position, last first
	base     symbolic.Vector   // input of the first matrix, or the position
	position int               // input register, -1 if there is none
	fit      *Fit
	uses     map[useKey][]use
	weights  map[useKey]bool // uniforms that occur as 1 - uniform
}

// outputs are the output registers at the end of a path or at an EMIT, by type.
type outputs map[shbin.OutputType]symbolic.Vector

type useKey struct {
	geometry  bool
	reg, comp int
}

// use is a node with a uniform as an argument.
type use struct {
	parent *symbolic.Node // nil: an output
	arg    int
	output shbin.OutputType
}

// Find analyses a program.
func Find(p Program) *Fit {
	f := &finder{p: p, fit: &Fit{}, position: -1, uses: map[useKey][]use{}, weights: map[useKey]bool{}}
	f.run()
	f.findChain()
	f.findInputs()
	f.findUses()
	f.findUniforms()
	f.fitPosition()
	f.fitScales()
	f.fillPacked()
	f.reverseLights()
	f.findUnset()
	f.fit.Dark = f.dark()
	return f.fit
}

// run evaluates the shaders symbolically.
func (f *finder) run() {
	v := &f.p.File.Executables[f.p.Vertex]
	f.exec = v
	f.vertex = symbolic.Run(f.p.File, v, symbolic.Options{})
	if f.p.Geometry < 0 {
		for i := range f.vertex.Paths {
			f.outs = append(f.outs, meanings(v, &f.vertex.Paths[i].Outputs))
		}
		return
	}
	g := &f.p.File.Executables[f.p.Geometry]
	f.exec = g
	count := 0
	var outs []symbolic.Vector
	path := f.vertex.Paths[0]
	for r, v := range path.Outputs {
		if f.executable(false).OutputMask>>r&1 != 0 || f.executable(false).OutputMask == 0 && v != (symbolic.Vector{}) {
			outs = append(outs, v)
			count++
		}
	}
	o := symbolic.Options{Geometry: true, From: f.vertex}
	if count > 0 {
		// All vertices of a geometry run count as one: only the flow of inputs to outputs matters.
		o.Inputs, o.Uniforms = map[int]symbolic.Vector{}, map[int]symbolic.Vector{}
		switch g.Geometry.Mode {
		case shbin.GeometryVariable:
			full := int(g.Geometry.VariableNum) * count
			for i := range full {
				o.Uniforms[1+i] = outs[i%count]
			}
			for r := 1 + full; r < 96 && !declares(g, r); r++ { // the other vertices supply their first output
				o.Uniforms[r] = outs[0]
			}
		case shbin.GeometryFixed:
			for i := range int(g.Geometry.FixedNum) * count {
				o.Uniforms[int(g.Geometry.FixedStart)+i] = outs[i%count]
			}
		default:
			for i := range 16 {
				o.Inputs[i] = outs[i%count]
			}
			read := symbolic.Inputs(f.p.File, g)
			for n := 0; read>>(n*count) != 0 && n*count < 16; n++ {
				f.fit.PerRun = n + 1
			}
			f.fit.PerRun = max(1, min(f.fit.PerRun, 16/count))
		}
	}
	f.geometry = symbolic.Run(f.p.File, g, o)
	for i := range f.geometry.Paths {
		for k := range f.geometry.Paths[i].Emitted {
			f.outs = append(f.outs, meanings(g, &f.geometry.Paths[i].Emitted[k]))
		}
	}
	if v.Merge != 0 || g.Merge != 0 {
		for i := range f.vertex.Paths {
			f.outs = append(f.outs, meanings(v, &f.vertex.Paths[i].Outputs))
		}
	}
}

// meanings sorts output registers by type. A table entry with a mask maps the components of a register to those of the type,
// starting with the first.
func meanings(e *shbin.Executable, regs *[16]symbolic.Vector) outputs {
	out := outputs{}
	for _, o := range e.Outputs {
		if o.Reg > 15 {
			continue
		}
		v, n := out[o.Type], 0
		for k := range 4 {
			if o.Mask>>k&1 != 0 {
				v[n] = regs[o.Reg][k]
				n++
			}
		}
		out[o.Type] = v
	}
	return out
}

// inputName returns the name of an input.
func (f *finder) inputName(reg int) (name string, declared bool) {
	for _, u := range f.p.File.Executables[f.p.Vertex].Uniforms {
		if u.Start < shbin.UniformFloat && int(u.Start) <= reg && reg <= int(u.End) && u.Name != "" {
			return u.Name, true
		}
	}
	if a := f.p.Aliases[reg]; a != "" {
		return a, true
	}
	return fmt.Sprintf("v%d", reg), false
}

// inputsOf lists the input registers that nodes depend on.
func inputsOf(nodes ...*symbolic.Node) (list []int) {
	mask := uint16(0)
	for _, n := range nodes {
		if n != nil {
			mask |= n.Inputs
		}
	}
	for reg := range 16 {
		if mask>>reg&1 != 0 {
			list = append(list, reg)
		}
	}
	return list
}

// String describes what an input gets.
func (in *Input) String() string {
	name := fmt.Sprintf("v%d", in.Reg)
	if in.Name != name {
		name = in.Name
	}
	what := in.Stream
	if what == "" {
		what = fmt.Sprintf("%v", in.Constant)
	}
	return fmt.Sprintf("%s: %s (%s)", name, what, in.Reason)
}

// String describes what a uniform gets.
func (u *Uniform) String() string {
	what := u.Role.String()
	if u.Role == Value {
		var parts []string
		for _, v := range u.Values {
			text := fmt.Sprintf("%.4g %.4g %.4g %.4g", v[0], v[1], v[2], v[3])
			if len(parts) == 0 || len(parts) < 4 && parts[len(parts)-1] != text {
				parts = append(parts, text)
			}
		}
		what = strings.Join(parts, ", ")
	}
	if u.Columns {
		what += " by columns"
	} else if u.Role != Value && u.Order != [4]int{0, 1, 2, 3} {
		what += " in the order "
		for _, k := range u.Order {
			what += string("xyzw"[k])
		}
	}
	return fmt.Sprintf("%s: %s (%s)", u.Name, what, u.Reason)
}

// declares reports whether float uniform c(r) has a name or a constant in an executable.
func declares(e *shbin.Executable, r int) bool {
	return slices.ContainsFunc(e.Uniforms, func(u shbin.Uniform) bool {
		return int(u.Start) <= int(shbin.UniformFloat)+r && r+int(shbin.UniformFloat) <= int(u.End)
	}) || slices.ContainsFunc(e.Constants, func(c shbin.Constant) bool { return c.Kind == shbin.ConstantFloat && int(c.Reg) == r })
}
