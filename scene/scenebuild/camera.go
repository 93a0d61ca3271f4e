package scenebuild

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
	"pica200/scene"
)

// view is a camera at one moment.
type view struct {
	projection mgl64.Mat4 // view space to clip space
	toView     mgl64.Mat4 // world space to view space
	near, far  float64
	parallel   bool
}

// viewOf computes the camera for a target with the given viewport size at time
// t. h, if not nil, may move it. eye is -1 for the left eye of a stereo camera,
// 1 for the right one and 0 for the middle.
func viewOf(c *scene.Camera, width, height int, t float64, h *Hooks, eye float64) (view, error) {
	v := view{near: c.Near, far: c.Far}
	from, at := c.Eye.Vec3(t, mgl64.Vec3{0, 0, 4}), c.At.Vec3(t, mgl64.Vec3{})
	up := c.Up.Vec3(t, mgl64.Vec3{0, 1, 0})
	if c.Turntable != 0 {
		from = at.Add(mgl.Direction(mgl.Rotate(c.Turntable*t, up), from.Sub(at)))
	}
	if h != nil && h.Camera != nil {
		from, at = h.Camera(c, from, at, up)
	}
	if from == at {
		return v, c.Errorf("the camera's eye and the point it looks at are the same (%g, %g, %g)", from[0], from[1], from[2])
	}
	v.toView = mgl.LookAt(from, at, up)
	aspect := float64(width) / float64(height)
	if c.Rotated {
		aspect = 1 / aspect
	}
	switch {
	case c.Projection != nil:
		v.projection = byRows(c.Projection.At(t))
		v.parallel = v.projection[15] != 0
	case c.Height != nil:
		h := c.Height.Scalar(t, 1)
		if h <= 0 {
			return v, c.Errorf("the camera's height is %g; expected more than 0", h)
		}
		top := float64(h / 2)
		right := float64(top * aspect)
		v.projection = mgl.Ortho(-right, right, -top, top, c.Near, c.Far)
		v.parallel = true
	default:
		v.projection = mgl.Perspective(c.Fovy.Scalar(t, 40), aspect, c.Near, c.Far)
		if s := c.Stereo; s != nil {
			// The eye moves along the camera's x, and the view volume is sheared back, so
			// that both volumes meet in the plane of convergence.
			step := float64(eye * s.Eyes.Scalar(t, 0) / 2)
			v.toView = mgl.Mul(mgl64.Translate3D(-step, 0, 0), v.toView)
			v.projection.Set(0, 2, -float64(v.projection[0]*(step/s.Convergence.Scalar(t, 1))))
		}
	}
	if c.Rotated {
		v.projection = mgl.OnSide(v.projection)
	}
	return v, nil
}

// distance converts a depth d, 0..1, to the distance along the line of sight.
func (v *view) distance(d float64) float64 {
	if v.parallel {
		return v.near + float64(d*(v.far-v.near))
	}
	// z/w = d - 1, and z/w * distance = A * -distance + B.
	a := v.near / (v.near - v.far)
	b := float64(v.near*v.far) / (v.near - v.far)
	return b / (d - 1 + a)
}

// fog returns how much of a fragment's colour is left at each depth: 129 values
// over depths 0..1.
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

// byRows returns the matrix of 16 numbers in a scene, row by row.
func byRows(v []float64) mgl64.Mat4 { return mgl64.Mat4(v).Transpose() }

// normalMatrix returns the matrix for normals that belongs to m: the cofactors
// of its upper left 3x3, which is the inverse transpose up to a positive factor,
// and always exists. If m mirrors, their sign is that of the inverse transpose.
func normalMatrix(m mgl64.Mat4) mgl64.Mat4 {
	sign := 1.0
	if mgl.Mirrors(m) {
		sign = -1
	}
	at := func(r, c int) float64 { return m.At(r%3, c%3) }
	n := mgl64.Ident4()
	for r := range 3 {
		for c := range 3 {
			n.Set(r, c, sign*(float64(at(r+1, c+1)*at(r+2, c+2))-float64(at(r+1, c+2)*at(r+2, c+1))))
		}
	}
	return n
}

// modelMatrix returns the matrix of a draw's own keys.
func modelMatrix(d *scene.Draw, t float64) mgl64.Mat4 {
	m := mgl64.Ident4()
	for _, s := range d.Steps() {
		if v := s.Value.At(t); v != nil {
			m = mgl.Mul(m, transform(s.Kind, v, t))
		}
	}
	return m
}

// transform returns the matrix of one step.
func transform(kind string, v []float64, t float64) mgl64.Mat4 {
	switch kind {
	case "at":
		return mgl64.Translate3D(v[0], v[1], v[2])
	case "rotate":
		return mgl.Rotate(v[0], mgl64.Vec3(v[1:4]))
	case "spin":
		return mgl.Rotate(float64(v[0]*t), mgl64.Vec3(v[1:4]))
	case "matrix":
		return byRows(v)
	}
	if len(v) == 1 { // scale
		return mgl64.Scale3D(v[0], v[0], v[0])
	}
	return mgl64.Scale3D(v[0], v[1], v[2])
}
