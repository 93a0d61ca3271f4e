package scenebuild

import (
	"math"

	"pica200/assets/model"
	"pica200/scene"
)

// view is a camera at one moment.
type view struct {
	projection model.Mat4 // view space to clip space
	toView     model.Mat4 // world space to view space
	near, far  float64
	parallel   bool
}

// viewOf places a camera for a target of the given viewport size at time t. h
// may move it, if not nil. eye is -1 for the left eye of a stereo camera, 1 for the right
// one and 0 for the place between them.
func viewOf(c *scene.Camera, width, height int, t float64, h *Hooks, eye float64) (view, error) {
	v := view{near: c.Near, far: c.Far}
	from, at := c.Eye.Vec3(t, [3]float64{0, 0, 4}), c.At.Vec3(t, [3]float64{})
	up := c.Up.Vec3(t, [3]float64{0, 1, 0})
	if c.Turntable != 0 {
		m := model.Translate(at[0], at[1], at[2]).Mul(model.Rotate(c.Turntable*t, up[0], up[1], up[2])).Mul(model.Translate(-at[0], -at[1], -at[2]))
		e := m.Apply([4]float64{from[0], from[1], from[2], 1})
		from = [3]float64{e[0], e[1], e[2]}
	}
	if h != nil && h.Camera != nil {
		from, at = h.Camera(c, from, at, up)
	}
	if from == at {
		return v, c.Errorf("the camera's eye and the point it looks at are the same (%g, %g, %g)", from[0], from[1], from[2])
	}
	v.toView = model.LookAt(from, at, up)
	aspect := float64(width) / float64(height)
	if c.Rotated {
		aspect = 1 / aspect
	}
	switch {
	case c.Projection != nil:
		copy(v.projection[:], c.Projection.At(t))
		v.parallel = v.projection[15] != 0
	case c.Height != nil:
		h := c.Height.Scalar(t, 1)
		if h <= 0 {
			return v, c.Errorf("the camera's height is %g; expected more than 0", h)
		}
		top := float64(h / 2)
		right := float64(top * aspect)
		v.projection = model.Ortho(-right, right, -top, top, c.Near, c.Far)
		v.parallel = true
	default:
		v.projection = model.Perspective(c.Fovy.Scalar(t, 40), aspect, c.Near, c.Far)
		if s := c.Stereo; s != nil {
			// The eye moves along the camera's x, and the volume that it sees is slanted
			// back, so that both meet in the plane of convergence.
			step := float64(eye * s.Eyes.Scalar(t, 0) / 2)
			v.toView = model.Translate(-step, 0, 0).Mul(v.toView)
			v.projection[2] = -float64(v.projection[0] * (step / s.Convergence.Scalar(t, 1)))
		}
	}
	if c.Rotated {
		// The screens lie on their side in memory: x of the buffer runs up
		// the screen, y to the left of it.
		turned := model.Mat4{1: 1, 4: -1, 10: 1, 15: 1}
		v.projection = turned.Mul(v.projection)
	}
	return v, nil
}

// distance is how far along the line of sight lies what has the depth d, 0..1.
func (v *view) distance(d float64) float64 {
	if v.parallel {
		return v.near + float64(d*(v.far-v.near))
	}
	// z/w = d - 1, and z/w * distance = A * -distance + B.
	a := v.near / (v.near - v.far)
	b := float64(v.near*v.far) / (v.near - v.far)
	return b / (d - 1 + a)
}

// fog is a table of how much of a fragment's colour is left at each depth, 129
// values over depths 0..1.
func (v *view) fog(f *scene.FogTable) []float32 {
	out := make([]float32, 129)
	for i := range out {
		z := v.distance(float64(float64(i) / 128))
		if f.Density > 0 {
			thick := float64(f.Density * z)
			if f.Exponent != 0 && f.Exponent != 1 {
				thick = math.Pow(thick, f.Exponent)
			}
			out[i] = float32(math.Exp(-thick))
		} else {
			out[i] = float32(math.Min(1, math.Max(0, (f.End-z)/(f.End-f.Start))))
		}
	}
	return out
}

// rows is the first n rows of a matrix as a shader takes them.
func rows(m model.Mat4, n int) [][4]float32 {
	out := make([][4]float32, n)
	for r := range out {
		for c := range 4 {
			out[r][c] = float32(m[4*r+c])
		}
	}
	return out
}

// normalMatrix takes normals along with m: the cofactors of its upper left,
// which is the inverse transposed but for a factor, and exists always.
func normalMatrix(m model.Mat4) model.Mat4 {
	at := func(r, c int) float64 { return m[4*(r%3)+c%3] }
	var n model.Mat4
	for r := range 3 {
		for c := range 3 {
			n[4*r+c] = float64(at(r+1, c+1)*at(r+2, c+2)) - float64(at(r+1, c+2)*at(r+2, c+1))
		}
	}
	n[15] = 1
	return n
}

// place is the matrix that a draw's own keys make.
func place(d *scene.Draw, t float64) model.Mat4 {
	steps := d.Transform
	if steps == nil {
		steps = []scene.Transform{{Kind: "at", Value: d.At}, {Kind: "rotate", Value: d.Rotate}, {Kind: "spin"},
			{Kind: "scale", Value: d.Scale}, {Kind: "matrix", Value: d.Matrix}}
		if s := d.Spin; s != nil {
			steps[2].Value = scene.Const(s[:]...)
		}
	}
	m := model.Ident()
	for _, s := range steps {
		if v := s.Value.At(t); v != nil {
			m = m.Mul(transform(s.Kind, v, t))
		}
	}
	return m
}

// transform is the matrix of one step.
func transform(kind string, v []float64, t float64) model.Mat4 {
	switch kind {
	case "at":
		return model.Translate(v[0], v[1], v[2])
	case "rotate":
		return model.Rotate(v[0], v[1], v[2], v[3])
	case "spin":
		return model.Rotate(float64(v[0]*t), v[1], v[2], v[3])
	case "matrix":
		var m model.Mat4
		copy(m[:], v)
		return m
	}
	if len(v) == 1 { // scale
		return model.Scale(v[0], v[0], v[0])
	}
	return model.Scale(v[0], v[1], v[2])
}
