package shaderfit

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/shbin"
	"pica200/internal/mgl"
	"pica200/shaderunit/symbolic"
)

// sample returns values of inputs and uniforms for evaluating expressions.
func (f *finder) sample() *symbolic.Values {
	v := &symbolic.Values{Inputs: map[int][4]float64{}, Uniforms: map[int][4]float64{}, GeometryUniforms: map[int][4]float64{}}
	for _, in := range f.fit.Inputs {
		x := in.Constant
		switch in.Stream {
		case "position", "ndc":
			x = mgl64.Vec4{0, 0, 0, 1}
		case "normal":
			x = mgl64.Vec4{0, 0, 1, 0}
		case "texcoord", "texcoord1", "texcoord2":
			x = mgl64.Vec4{0.5, 0.5, 0, 1}
		case "color":
			x = mgl64.Vec4{1, 1, 1, 1}
		case "weights", "tangent":
			x = mgl64.Vec4{1, 0, 0, 0}
		case "joints":
			x = mgl64.Vec4{}
		}
		v.Inputs[in.Reg] = x
	}
	for i := range f.fit.Uniforms {
		u := &f.fit.Uniforms[i]
		to := v.Uniforms
		if u.Geometry {
			to = v.GeometryUniforms
		}
		for r, x := range u.Registers(mgl64.Ident4()) {
			to[u.Reg+r] = x
		}
	}
	return v
}

// nextToBlack is more than 1/255 of a colour, and too little to see.
const nextToBlack = 0.012

// dark reports whether the color output is black on all paths for a typical vertex.
func (f *finder) dark() bool {
	s, found := f.sample(), false
	for _, o := range f.outs {
		color, has := o[shbin.OutColor]
		if !has {
			continue
		}
		found = true
		for _, n := range color[:3] {
			if n != nil && !(math.Abs(s.Eval(n)) <= nextToBlack) {
				return false
			}
		}
	}
	return found
}

// Registers returns the contents of a uniform's registers: its values, or the matrix m in its order, repeated for an array of
// matrices.
func (u *Uniform) Registers(m mgl64.Mat4) []mgl64.Vec4 {
	if u.Role == Value {
		return u.Values
	}
	out := make([]mgl64.Vec4, u.Count)
	rows := 4
	if u.Role == Bones && u.Count%4 != 0 || u.Count == 3 {
		rows = 3
	}
	for r := range out {
		if u.Columns {
			out[r] = m.Col(r % rows)
			continue
		}
		for k, x := range m.Row(r % rows) {
			out[r][u.Order[k]] = x
		}
	}
	return out
}

// fitPosition finds the transform of the position stream if the code scales and moves it before the first matrix, or without one.
func (f *finder) fitPosition() {
	if len(f.chain) == 0 && !f.has("ndc") {
		return
	}
	i := slices.IndexFunc(f.fit.Inputs, func(in Input) bool { return in.Reg == f.position })
	if i < 0 || f.p.Streams[f.position] != "" || f.base[0] == nil || f.base[1] == nil {
		return
	}
	f.fit.Flat = f.base[2] == nil || !slices.Contains(inputsOf(f.base[2]), f.position)
	a, ok := f.affine(f.base)
	if !ok {
		return
	}
	if !unusual(a, len(f.chain) == 0) {
		return
	}
	inverse, ok := invert(a)
	if !ok {
		if in := &f.fit.Inputs[i]; in.Stream == "ndc" {
			in.Reason = "is the position in a way that cannot be inverted"
		}
		return
	}
	f.fit.Inputs[i].Fit = &inverse
	f.fit.Inputs[i].Reason += "; the code's scaling is undone"
}

// affine evaluates how a vector depends on the position input: the matrix from x, y, z, 1 to x, y, z.
func (f *finder) affine(v symbolic.Vector) (a mgl64.Mat4, ok bool) {
	at := func(x mgl64.Vec4) (out mgl64.Vec4) {
		s := f.sample()
		s.Inputs[f.position] = x
		out[3] = 1
		for k, n := range v {
			if n != nil {
				out[k] = s.Eval(n)
			}
		}
		if w := out[3]; w != 0 && w != 1 {
			for k := range out {
				out[k] /= w
			}
		}
		return out
	}
	zero := at(mgl64.Vec4{0, 0, 0, 1})
	for k := range 3 {
		x := mgl64.Vec4{3: 1}
		x[k] = 1
		one := at(x)
		x[k] = 2
		two := at(x)
		for i := range 3 {
			d := one[i] - zero[i]
			// Maps that are not affine are not inverted.
			if math.IsNaN(d) || math.IsInf(d, 0) || math.Abs(two[i]-zero[i]-2*d) > 1e-3*(math.Abs(d)+1e-6) {
				return a, false
			}
			a.Set(i, k, d)
		}
	}
	a.SetCol(3, zero.Vec3().Vec4(1))
	return a, true
}

// unusual reports whether a map must be inverted: any, if the result is the screen position (all), otherwise one that makes a model
// too small or invisible.
func unusual(a mgl64.Mat4, all bool) bool {
	greatest, moved, same := 0.0, 0.0, true
	for i := range 3 {
		for k := range 4 {
			x := math.Abs(a.At(i, k))
			same = same && math.Abs(a.At(i, k)-mgl64.Ident4().At(i, k)) < 1e-3
			if k < 3 {
				greatest = max(greatest, x)
			} else {
				moved = max(moved, x)
			}
		}
	}
	if all {
		return !same
	}
	return greatest < 0.125 || greatest > 8 || moved > 1
}

// invert inverts a map, only in x and y if z is not involved.
func invert(a mgl64.Mat4) (mgl64.Mat4, bool) {
	if a.Row(2).Vec3() == (mgl64.Vec3{}) { // the input's z has no effect
		a.SetRow(2, mgl64.Vec4{0, 0, 1, 0})
		if a.At(0, 2) != 0 || a.At(1, 2) != 0 {
			return a, false
		}
	}
	return mgl.Inverse(a)
}

// fitScales finds colours and texture coordinates that the code computes from whole numbers, such as 255 for a colour divided by
// 255.
func (f *finder) fitScales() {
	for i := range f.fit.Inputs {
		in := &f.fit.Inputs[i]
		var kind shbin.OutputType
		switch in.Stream {
		case "color":
			kind = shbin.OutColor
		case "texcoord":
			kind = shbin.OutTexCoord0
		case "texcoord1":
			kind = shbin.OutTexCoord1
		case "texcoord2":
			kind = shbin.OutTexCoord2
		default:
			continue
		}
		if f.p.Streams[in.Reg] != "" || in.Reg == f.position {
			continue
		}
		for _, o := range f.outs {
			n := o[kind][0]
			if n == nil || !slices.Contains(inputsOf(n), in.Reg) {
				continue
			}
			s := f.sample()
			s.Inputs[in.Reg] = mgl64.Vec4{}
			zero := s.Eval(n)
			s.Inputs[in.Reg] = mgl64.Vec4{1, 1, 1, 1}
			step := s.Eval(n) - zero
			if step <= 0 || step > 1.0/8 || math.IsNaN(step) {
				break
			}
			x := 1 / step
			in.Fit = &mgl64.Mat4{0: x, 5: x, 10: x, 15: x}
			in.Reason += "; the code's scaling is undone"
			break
		}
	}
}

// fillPacked sets the third component of packed texture coordinates to a number that the code unpacks to a bright colour.
func (f *finder) fillPacked() {
	if len(f.outs) == 0 {
		return
	}
	n := f.outs[0][shbin.OutColor][0]
	for i := range f.fit.Inputs {
		in := &f.fit.Inputs[i]
		if n == nil || in.Stream != "texcoord" || f.p.Streams[in.Reg] != "" || !slices.Contains(inputsOf(n), in.Reg) {
			continue
		}
		best, value := 0.0, 0.0
		s := f.sample()
		for _, x := range []float64{0, 1, 31, 255, 32767, 65535} {
			s.Inputs[in.Reg] = mgl64.Vec4{0.5, 0.5, x, 1}
			if y := s.Eval(n); y > best+1e-3 && y < 1.01 {
				best, value = y, x
			}
		}
		if value == 0 {
			continue
		}
		if in.Fit == nil {
			in.Fit = &mgl64.Mat4{0: 1, 5: 1, 15: 1}
		}
		in.Fit.SetRow(2, mgl64.Vec4{0, 0, 0, value})
		in.Reason += fmt.Sprintf("; z is %g, of which the code makes a colour", value)
	}
}

// reverseLights reverses light directions if the code uses the opposite sign.
func (f *finder) reverseLights() {
	bright := func() (sum float64) {
		s := f.sample()
		for _, o := range f.outs[:min(1, len(f.outs))] {
			for _, n := range o[shbin.OutColor] {
				if n != nil {
					if x := s.Eval(n); !math.IsNaN(x) && !math.IsInf(x, 0) {
						sum += x
					}
				}
			}
		}
		return sum
	}
	for i := range f.fit.Uniforms {
		u := &f.fit.Uniforms[i]
		if u.Role != Value || len(u.Values) == 0 || u.Values[0] != lightAt {
			continue
		}
		before := bright()
		reverse := func() {
			for r := range u.Values {
				for k := range 3 {
					u.Values[r][k] = -u.Values[r][k]
				}
			}
		}
		reverse()
		if bright() <= before+1e-6 {
			reverse()
		}
	}
}
