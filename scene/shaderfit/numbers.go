package shaderfit

import (
	"fmt"
	"math"
	"slices"

	"pica200/assets/shbin"
	"pica200/shaderunit/symbolic"
)

// sample is what inputs and uniforms hold when expressions are tried with numbers.
func (f *finder) sample() *symbolic.Values {
	v := &symbolic.Values{Inputs: map[int][4]float64{}, Uniforms: map[int][4]float64{}, GeometryUniforms: map[int][4]float64{}}
	for _, in := range f.fit.Inputs {
		x := in.Constant
		switch in.Stream {
		case "position", "ndc":
			x = [4]float64{0, 0, 0, 1}
		case "normal":
			x = [4]float64{0, 0, 1, 0}
		case "texcoord", "texcoord1", "texcoord2":
			x = [4]float64{0.5, 0.5, 0, 1}
		case "color":
			x = [4]float64{1, 1, 1, 1}
		case "weights", "tangent":
			x = [4]float64{1, 0, 0, 0}
		case "joints":
			x = [4]float64{}
		}
		v.Inputs[in.Reg] = x
	}
	for i := range f.fit.Uniforms {
		u := &f.fit.Uniforms[i]
		to := v.Uniforms
		if u.Geometry {
			to = v.GeometryUniforms
		}
		for r, x := range u.Registers(identity) {
			to[u.Reg+r] = x
		}
	}
	return v
}

var identity = [16]float64{0: 1, 5: 1, 10: 1, 15: 1}

// Registers are what the registers of a uniform hold: its values, or the matrix m (row by
// row) in its order. Of an array of matrices each is m.
func (u *Uniform) Registers(m [16]float64) [][4]float64 {
	if u.Role == Value {
		return u.Values
	}
	out := make([][4]float64, u.Count)
	rows := 4
	if u.Role == Bones && u.Count%4 != 0 || u.Count == 3 {
		rows = 3
	}
	for r := range out {
		for k := range 4 {
			if u.Columns {
				out[r][k] = m[4*k+r%rows]
			} else {
				out[r][u.Order[k]] = m[4*(r%rows)+k]
			}
		}
	}
	return out
}

// fitPosition finds what the position has to be given as where the code scales and moves
// it by itself before the first matrix, or without one.
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
			in.Reason = "is the position in a way that cannot be turned round"
		}
		return
	}
	f.fit.Inputs[i].Fit = &inverse
	f.fit.Inputs[i].Reason += "; the code's scaling is undone"
}

// affine tries how a vector depends on the position input: rows of x, y, z by x, y, z, 1.
func (f *finder) affine(v symbolic.Vector) (a [4][4]float64, ok bool) {
	at := func(x [4]float64) (out [4]float64) {
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
	zero := at([4]float64{0, 0, 0, 1})
	for k := range 3 {
		x := [4]float64{3: 1}
		x[k] = 1
		one := at(x)
		x[k] = 2
		two := at(x)
		for i := range 3 {
			d := one[i] - zero[i]
			// One that is not straight is left as it is.
			if math.IsNaN(d) || math.IsInf(d, 0) || math.Abs(two[i]-zero[i]-2*d) > 1e-3*(math.Abs(d)+1e-6) {
				return a, false
			}
			a[i][k] = d
		}
	}
	for i := range 3 {
		a[i][3] = zero[i]
	}
	a[3][3] = 1
	return a, true
}

// unusual tells whether a map is worth to be undone: any, where the result is the
// position on the screen, or one by which a model would be too small or out of sight.
func unusual(a [4][4]float64, all bool) bool {
	greatest, moved, same := 0.0, 0.0, true
	for i := range 3 {
		for k := range 4 {
			x := 0.0
			if i == k {
				x = 1
			}
			same = same && math.Abs(a[i][k]-x) < 1e-3
			if k < 3 {
				greatest = math.Max(greatest, math.Abs(a[i][k]))
			}
		}
		moved = math.Max(moved, math.Abs(a[i][3]))
	}
	if all {
		return !same
	}
	return greatest < 0.125 || greatest > 8 || moved > 1
}

// invert inverts a map, in x and y alone where z has no part in it.
func invert(a [4][4]float64) (out [4][4]float64, ok bool) {
	flat := true
	for k := range 3 {
		flat = flat && a[2][k] == 0
	}
	if flat { // the input's z, if any, does nothing
		a[2] = [4]float64{0, 0, 1, 0}
		if a[0][2] != 0 || a[1][2] != 0 {
			return out, false
		}
	}
	det := 0.0
	minor := func(i, k int) float64 {
		r := [2]int{(i + 1) % 3, (i + 2) % 3}
		c := [2]int{(k + 1) % 3, (k + 2) % 3}
		return float64(a[r[0]][c[0]]*a[r[1]][c[1]]) - float64(a[r[0]][c[1]]*a[r[1]][c[0]])
	}
	for k := range 3 {
		det += float64(a[0][k] * minor(0, k))
	}
	if math.Abs(det) < 1e-24 || math.IsNaN(det) {
		return out, false
	}
	for i := range 3 {
		for k := range 3 {
			out[k][i] = minor(i, k) / det
		}
	}
	for i := range 3 {
		for k := range 3 {
			out[i][3] -= float64(out[i][k] * a[k][3])
		}
	}
	out[3][3] = 1
	return out, true
}

// fitScales finds colours and texture coordinates that the code makes of whole numbers:
// 255 for a colour that is divided by 255.
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
			s.Inputs[in.Reg] = [4]float64{}
			zero := s.Eval(n)
			s.Inputs[in.Reg] = [4]float64{1, 1, 1, 1}
			step := s.Eval(n) - zero
			if step <= 0 || step > 1.0/8 || math.IsNaN(step) {
				break
			}
			x := 1 / step
			in.Fit = &[4][4]float64{{x}, {0, x}, {0, 0, x}, {0, 0, 0, x}}
			in.Reason += "; the code's scaling is undone"
			break
		}
	}
}

// fillPacked gives what is packed into the third component of texture coordinates a
// number of which the code makes a bright colour.
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
			s.Inputs[in.Reg] = [4]float64{0.5, 0.5, x, 1}
			if y := s.Eval(n); y > best+1e-3 && y < 1.01 {
				best, value = y, x
			}
		}
		if value == 0 {
			continue
		}
		if in.Fit == nil {
			in.Fit = &[4][4]float64{{1}, {0, 1}, {}, {0, 0, 0, 1}}
		}
		in.Fit[2] = [4]float64{0, 0, 0, value}
		in.Reason += fmt.Sprintf("; z is %g, of which the code makes a colour", value)
	}
}

// turnLights turns directions of light round where the code takes them the other way.
func (f *finder) turnLights() {
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
		turn := func() {
			for r := range u.Values {
				for k := range 3 {
					u.Values[r][k] = -u.Values[r][k]
				}
			}
		}
		turn()
		if bright() <= before+1e-6 {
			turn()
		}
	}
}
