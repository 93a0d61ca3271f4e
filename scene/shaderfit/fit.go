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
	Identity                        // nothing is known of it
	Projection                      // view space to clip space
	ModelView                       // model space to view space
	ModelViewProjection             // model space to clip space
	Model                           // model space to world space
	View                            // world space to view space
	ViewProjection                  // world space to clip space
	Normal                          // normals from model space to view space
	Bones                           // an array of matrices, one a joint
)

// String says it in words.
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
	Said   bool // a declared name shows it
}

// Uniform is a float uniform that the code reads and that is no constant.
type Uniform struct {
	Geometry   bool   // of the geometry shader
	Name       string // as in the file; "c12" without a name there
	Reg, Count int    // registers from c(Reg) on
	Role       Role
	// Columns is true if registers hold columns of a matrix, not rows. Order says
	// which component of a register holds element k of its row or column.
	Columns bool
	Order   [4]int
	Values  []mgl64.Vec4 // of Role Value, a register each
	Reason  string
	Said    bool // the name shows it
}

// Fit is what was found out about a program.
type Fit struct {
	Inputs   []Input
	Uniforms []Uniform
	// Unset are bool and integer uniforms, other than constants, that the code
	// reads: they are false, and 0.
	Unset []string
	// PerRun is the number of vertices in a run of a geometry shader in point mode,
	// according to the inputs that it reads; 0 without one.
	PerRun int
	// Flat tells that the position takes nothing of the third component.
	Flat bool
	// Dark tells that the color output is black, or next to it, with what was found: such
	// as colours from 0 to 1 that the code scales as bytes.
	Dark bool
	// NoPosition says why nothing can be seen whatever the model is, "" if it can.
	NoPosition string
}

// Program is what is looked at.
type Program struct {
	File             *shbin.File
	Vertex, Geometry int            // executables; Geometry is -1 without one
	Aliases          map[int]string // names of inputs in the source, by register
	// Streams are the streams that are known of inputs, by register.
	Streams map[int]string
	// All looks at the position also where it has a declared name that says so: without a
	// matrix it is given as the camera sees it then, not as it is.
	All bool
}

// finder is a fit being made.
type finder struct {
	p        Program
	vertex   *symbolic.Result
	geometry *symbolic.Result
	exec     *shbin.Executable // of which the outputs are looked at: the last one
	outs     []outputs         // of all ways
	chain    []matrix          // what the position goes through, last first
	base     symbolic.Vector   // what the first matrix, or the position, is made of
	position int               // input register, -1 if there is none
	fit      *Fit
	uses     map[useKey][]use
	weights  map[useKey]bool // uniforms that are taken from 1
}

// outputs are the output registers at the end of a way, or at an EMIT, by meaning.
type outputs map[shbin.OutputType]symbolic.Vector

type useKey struct {
	geometry  bool
	reg, comp int
}

// use is a node that has a uniform as its argument.
type use struct {
	parent *symbolic.Node // nil: an output
	arg    int
	output shbin.OutputType
}

// Find looks at a program.
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
	f.turnLights()
	f.findUnset()
	f.fit.Dark = f.dark()
	return f.fit
}

// run follows the shaders.
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
		// All vertices of a run are taken for one: what matters is which input
		// becomes what.
		o.Inputs, o.Uniforms = map[int]symbolic.Vector{}, map[int]symbolic.Vector{}
		switch g.Geometry.Mode {
		case shbin.GeometryVariable:
			full := int(g.Geometry.VariableNum) * count
			for i := range full {
				o.Uniforms[1+i] = outs[i%count]
			}
			for r := 1 + full; r < 96 && !declares(g, r); r++ { // further vertices bring their first output
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

// meanings sorts output registers by meaning. A table entry with a mask puts the
// components of a register into those of the meaning from the first on.
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

// inputName is what an input is called.
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

// inputsOf lists the input registers that nodes are made of.
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

// String says what an input gets.
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

// String says what a uniform gets.
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
