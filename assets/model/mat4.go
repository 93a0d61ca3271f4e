package model

import "math"

// Mat4 is a 4x4 matrix, row by row, that multiplies column vectors: row r is
// what a shader's dp4 takes. Products are written so that no compiler fuses
// them; results are the same on every CPU.
type Mat4 [16]float64

// Ident is the identity.
func Ident() Mat4 { return Mat4{0: 1, 5: 1, 10: 1, 15: 1} }

// Mul returns a*b: b is applied first.
func (a Mat4) Mul(b Mat4) Mat4 {
	var m Mat4
	for r := 0; r < 16; r += 4 {
		for c := 0; c < 4; c++ {
			m[r+c] = float64(a[r]*b[c]) + float64(a[r+1]*b[4+c]) + float64(a[r+2]*b[8+c]) + float64(a[r+3]*b[12+c])
		}
	}
	return m
}

// Apply returns the matrix times (x, y, z, w).
func (a Mat4) Apply(v [4]float64) [4]float64 {
	var o [4]float64
	for r := range o {
		o[r] = float64(a[4*r]*v[0]) + float64(a[4*r+1]*v[1]) + float64(a[4*r+2]*v[2]) + float64(a[4*r+3]*v[3])
	}
	return o
}

// Point returns the matrix times the point p, without division.
func (a Mat4) Point(p [3]float32) [3]float32 {
	o := a.Apply([4]float64{float64(p[0]), float64(p[1]), float64(p[2]), 1})
	return [3]float32{float32(o[0]), float32(o[1]), float32(o[2])}
}

// Transpose exchanges rows and columns.
func (a Mat4) Transpose() Mat4 {
	var m Mat4
	for r := range 4 {
		for c := range 4 {
			m[4*c+r] = a[4*r+c]
		}
	}
	return m
}

// Translate moves by (x, y, z).
func Translate(x, y, z float64) Mat4 {
	m := Ident()
	m[3], m[7], m[11] = x, y, z
	return m
}

// Scale scales by (x, y, z).
func Scale(x, y, z float64) Mat4 { return Mat4{0: x, 5: y, 10: z, 15: 1} }

// sincos rounds to single precision, which hides the last bits in which CPUs
// may differ. Multiples of a quarter turn are exact.
func sincos(degrees float64) (s, c float64) {
	d := math.Mod(degrees, 360)
	if d < 0 {
		d += 360
	}
	switch d {
	case 0:
		return 0, 1
	case 90:
		return 1, 0
	case 180:
		return 0, -1
	case 270:
		return -1, 0
	}
	s, c = math.Sincos(d * (math.Pi / 180))
	return float64(float32(s)), float64(float32(c))
}

// Rotate turns by degrees about the axis, counter-clockwise seen from where
// the axis points.
func Rotate(degrees, x, y, z float64) Mat4 {
	n := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	if n == 0 {
		return Ident()
	}
	x, y, z = x/n, y/n, z/n
	s, c := sincos(degrees)
	k := 1 - c
	xy, yz, zx := float64(x*y*k), float64(y*z*k), float64(z*x*k)
	return Mat4{
		float64(x*x*k) + c, xy - float64(z*s), zx + float64(y*s), 0,
		xy + float64(z*s), float64(y*y*k) + c, yz - float64(x*s), 0,
		zx - float64(y*s), yz + float64(x*s), float64(z*z*k) + c, 0,
		0, 0, 0, 1,
	}
}

// Mat returns the transformation as a matrix.
func (t TRS) Mat() Mat4 {
	if t.Matrix != nil {
		return *t.Matrix
	}
	x, y, z, w := float64(t.R[0]), float64(t.R[1]), float64(t.R[2]), float64(t.R[3])
	n := float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w)
	if n == 0 {
		w, n = 1, 1
	}
	s := 2 / n
	xx, yy, zz := float64(x*x*s), float64(y*y*s), float64(z*z*s)
	xy, xz, yz := float64(x*y*s), float64(x*z*s), float64(y*z*s)
	wx, wy, wz := float64(w*x*s), float64(w*y*s), float64(w*z*s)
	sx, sy, sz := float64(t.S[0]), float64(t.S[1]), float64(t.S[2])
	return Mat4{
		(1 - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, float64(t.T[0]),
		(xy + wz) * sx, (1 - (xx + zz)) * sy, (yz - wx) * sz, float64(t.T[1]),
		(xz - wy) * sx, (yz + wx) * sy, (1 - (xx + yy)) * sz, float64(t.T[2]),
		0, 0, 0, 1,
	}
}

// LookAt is the view matrix of an eye that looks at a point: the eye is at the
// origin and looks along -z.
func LookAt(eye, at, up [3]float64) Mat4 {
	f := normalize(sub(at, eye))
	s := cross(f, normalize(up))
	if s == ([3]float64{}) { // up is along the line of sight: take another
		s = cross(f, [3]float64{0, 0, 1})
		if s == ([3]float64{}) {
			s = [3]float64{1, 0, 0}
		}
	}
	s = normalize(s)
	u := cross(s, f)
	return Mat4{
		s[0], s[1], s[2], -dot(s, eye),
		u[0], u[1], u[2], -dot(u, eye),
		-f[0], -f[1], -f[2], dot(f, eye),
		0, 0, 0, 1,
	}
}

// Perspective is the projection to the PICA200's clip space: z/w runs from -1
// at near to 0 at far. fovy is the vertical angle in degrees.
func Perspective(fovy, aspect, near, far float64) Mat4 {
	s, c := sincos(fovy / 2)
	f := c / s
	return Mat4{
		0: f / aspect, 5: f,
		10: near / (near - far), 11: float64(near*far) / (near - far),
		14: -1,
	}
}

// Ortho is the parallel projection of the box to the PICA200's clip space.
func Ortho(left, right, bottom, top, near, far float64) Mat4 {
	return Mat4{
		0: 2 / (right - left), 3: -(right + left) / (right - left),
		5: 2 / (top - bottom), 7: -(top + bottom) / (top - bottom),
		10: -1 / (far - near), 11: -far / (far - near),
		15: 1,
	}
}

// Inverse inverts a matrix whose last row is (0, 0, 0, 1); ok is false if it
// cannot be inverted.
func (a Mat4) Inverse() (m Mat4, ok bool) {
	c00 := float64(a[5]*a[10]) - float64(a[6]*a[9])
	c01 := float64(a[6]*a[8]) - float64(a[4]*a[10])
	c02 := float64(a[4]*a[9]) - float64(a[5]*a[8])
	det := float64(a[0]*c00) + float64(a[1]*c01) + float64(a[2]*c02)
	if det == 0 || math.IsNaN(det) || math.IsInf(det, 0) {
		return Ident(), false
	}
	d := 1 / det
	m = Mat4{
		c00 * d, (float64(a[2]*a[9]) - float64(a[1]*a[10])) * d, (float64(a[1]*a[6]) - float64(a[2]*a[5])) * d, 0,
		c01 * d, (float64(a[0]*a[10]) - float64(a[2]*a[8])) * d, (float64(a[2]*a[4]) - float64(a[0]*a[6])) * d, 0,
		c02 * d, (float64(a[1]*a[8]) - float64(a[0]*a[9])) * d, (float64(a[0]*a[5]) - float64(a[1]*a[4])) * d, 0,
		0, 0, 0, 1,
	}
	for r := 0; r < 3; r++ {
		m[4*r+3] = -(float64(m[4*r]*a[3]) + float64(m[4*r+1]*a[7]) + float64(m[4*r+2]*a[11]))
	}
	return m, true
}

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func normalize(a [3]float64) [3]float64 {
	n := math.Sqrt(dot(a, a))
	if n == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return [3]float64{}
	}
	return [3]float64{a[0] / n, a[1] / n, a[2] / n}
}
