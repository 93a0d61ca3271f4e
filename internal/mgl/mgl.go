// Package mgl adds to github.com/go-gl/mathgl what pictures need to be the same
// on every processor.
//
// Go may compile x*y + z to one instruction that rounds once. It does so on
// arm64 and s390x but not on plain amd64, so mathgl's Mul4 gives other last
// bits there. Products that become a shader's uniforms therefore use Mul and
// Apply, which round each product. Other functions of mathgl can be used where
// the last bits of a float64 do not matter: on the viewer's screen, or for
// float32 and float24 values in files and registers.
package mgl

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Mul multiplies matrices from left to right: the last is applied to a vector
// first.
func Mul(m mgl64.Mat4, more ...mgl64.Mat4) mgl64.Mat4 {
	for _, b := range more {
		a := m
		for c := range 4 {
			m.SetCol(c, Apply(a, b.Col(c)))
		}
	}
	return m
}

// Apply returns the matrix times the column v.
func Apply(m mgl64.Mat4, v mgl64.Vec4) (out mgl64.Vec4) {
	for r := range out {
		out[r] = float64(m[r]*v[0]) + float64(m[4+r]*v[1]) + float64(m[8+r]*v[2]) + float64(m[12+r]*v[3])
	}
	return out
}

// Point transforms a point by an affine matrix.
func Point(m mgl64.Mat4, p mgl32.Vec3) mgl32.Vec3 { return Narrow3(Apply(m, Wide3(p).Vec4(1)).Vec3()) }

// Direction transforms a direction by a matrix, without translation.
func Direction(m mgl64.Mat4, d mgl64.Vec3) mgl64.Vec3 { return Apply(m, d.Vec4(0)).Vec3() }

// Mirrors reports whether an affine matrix turns a right hand into a left one:
// its determinant is less than 0.
func Mirrors(m mgl64.Mat4) bool {
	var d float64
	for k, v := range cross(m.Col(0).Vec3(), m.Col(1).Vec3()) {
		d += float64(v * m[8+k])
	}
	return d < 0
}

// Rows returns the first n rows of a matrix, as a shader's dp4 needs them.
func Rows(m mgl64.Mat4, n int) []mgl32.Vec4 {
	out := make([]mgl32.Vec4, n)
	for r := range out {
		out[r] = Narrow4(m.Row(r))
	}
	return out
}

// Rotate returns a rotation by degrees about an axis of any length,
// counter-clockwise seen from where the axis points. Sine and cosine are
// rounded to float32, because their last bits may differ between processors;
// quarter turns are exact.
func Rotate(degrees float64, axis mgl64.Vec3) mgl64.Mat4 {
	n := math.Sqrt(float64(axis[0]*axis[0]) + float64(axis[1]*axis[1]) + float64(axis[2]*axis[2]))
	if n == 0 {
		return mgl64.Ident4()
	}
	x, y, z := axis[0]/n, axis[1]/n, axis[2]/n
	s, c := Sincos(degrees)
	k := 1 - c
	xy, yz, zx := float64(x*y*k), float64(y*z*k), float64(z*x*k)
	xs, ys, zs := float64(x*s), float64(y*s), float64(z*s)
	return mgl64.Mat4{
		float64(x*x*k) + c, xy + zs, zx - ys, 0,
		xy - zs, float64(y*y*k) + c, yz + xs, 0,
		zx + ys, yz - xs, float64(z*z*k) + c, 0,
		0, 0, 0, 1,
	}
}

// Sincos returns the sine and cosine that Rotate uses.
func Sincos(degrees float64) (s, c float64) {
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

// LookAt is mgl64.LookAtV, but if up is parallel to the line of sight it uses z
// or, looking along z, y. Its zeros are exact on every processor, because
// float24 would keep the difference.
func LookAt(eye, at, up mgl64.Vec3) mgl64.Mat4 {
	sight := unit(at.Sub(eye))
	for _, other := range []mgl64.Vec3{{0, 0, 1}, {0, -sight[2], 0}} {
		if n := up.Len(); n > 0 && sight.Cross(up).Len() > 1e-12*n {
			break
		}
		up = other
	}
	s := unit(cross(sight, up))
	u := cross(s, sight)
	turned := mgl64.Mat4{s[0], u[0], -sight[0], 0, s[1], u[1], -sight[1], 0, s[2], u[2], -sight[2], 0, 0, 0, 0, 1}
	return Mul(turned, mgl64.Translate3D(-eye[0], -eye[1], -eye[2]))
}

func cross(a, b mgl64.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0])}
}

func unit(v mgl64.Vec3) mgl64.Vec3 {
	return v.Mul(1 / math.Sqrt(float64(v[0]*v[0])+float64(v[1]*v[1])+float64(v[2]*v[2])))
}

// Perspective returns a projection to the PICA200's clip space. fovy is the
// vertical angle in degrees.
func Perspective(fovy, aspect, near, far float64) mgl64.Mat4 {
	s, c := Sincos(fovy / 2)
	top := near * s / c
	return ClipSpace(mgl64.Frustum(-top*aspect, top*aspect, -top, top, near, far))
}

// Ortho returns the parallel projection of a box to the PICA200's clip space.
func Ortho(left, right, bottom, top, near, far float64) mgl64.Mat4 {
	return ClipSpace(mgl64.Ortho(left, right, bottom, top, near, far))
}

// ClipSpace converts a projection for OpenGL, in which z/w is -1 at near and 1
// at far, to one for the PICA200, in which it is -1 and 0.
func ClipSpace(m mgl64.Mat4) mgl64.Mat4 {
	m.SetRow(2, m.Row(2).Sub(m.Row(3)).Mul(0.5))
	return m
}

// OnSide rotates a projection for a target that is shown on a screen, because
// screens lie on their side in memory: the target's x points up on the screen,
// its y to the left.
func OnSide(m mgl64.Mat4) mgl64.Mat4 { return Mul(mgl64.Mat4{1: -1, 4: 1, 10: 1, 15: 1}, m) }

// Finite reports whether all elements of a matrix are finite.
func Finite(m mgl64.Mat4) bool {
	for _, x := range m {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// Unit returns v.Normalize(), or zero for a zero vector.
func Unit(v mgl64.Vec3) mgl64.Vec3 {
	if n := v.Len(); n == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return mgl64.Vec3{}
	}
	return v.Normalize()
}

// Wide3 converts a vector to double precision.
func Wide3(v mgl32.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
}

// WideQuat converts a quaternion to double precision.
func WideQuat(q mgl32.Quat) mgl64.Quat { return mgl64.Quat{W: float64(q.W), V: Wide3(q.V)} }

// Narrow3 rounds a vector to single precision.
func Narrow3(v mgl64.Vec3) mgl32.Vec3 {
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}

// Narrow4 rounds a vector to single precision.
func Narrow4(v mgl64.Vec4) mgl32.Vec4 {
	return mgl32.Vec4{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}

// NarrowQuat rounds a quaternion to single precision.
func NarrowQuat(q mgl64.Quat) mgl32.Quat { return mgl32.Quat{W: float32(q.W), V: Narrow3(q.V)} }

// Translate moves by v.
func Translate(v mgl32.Vec3) mgl64.Mat4 { return mgl64.Translate3D(Wide3(v).Elem()) }

// Scale scales by v.
func Scale(v mgl32.Vec3) mgl64.Mat4 { return mgl64.Scale3D(Wide3(v).Elem()) }

// Slerp interpolates from a to b the shorter way. mgl64.QuatSlerp normalises
// both first, which changes last bits of a float32, and so pixels of approved
// pictures.
func Slerp(a, b mgl32.Quat, amount float64) mgl32.Quat {
	from, to := WideQuat(a), WideQuat(b)
	dot := from.Dot(to)
	if dot < 0 {
		to, dot = to.Scale(-1), -dot
	}
	u, v := 1-amount, amount
	if dot < 0.9995 { // otherwise linear interpolation is as good
		angle := math.Acos(dot)
		u, v = math.Sin(u*angle)/math.Sin(angle), math.Sin(v*angle)/math.Sin(angle)
	}
	return NarrowQuat(from.Scale(u).Add(to.Scale(v)))
}

// RotateXYZ rotates by radians about x, then y, then z, the order of the console's
// own tools.
func RotateXYZ(angles mgl32.Vec3) mgl64.Mat4 {
	about := func(k int) mgl64.Mat4 {
		var axis mgl64.Vec3
		axis[k] = 1
		return Rotate(float64(angles[k])*(180/math.Pi), axis)
	}
	return Mul(about(2), about(1), about(0))
}

// Angles returns the angles with which RotateXYZ gives a rotation.
func Angles(m mgl64.Mat4) mgl32.Vec3 {
	s := -m.At(2, 0)
	if math.Abs(s) > 0.9999999 { // y is a quarter turn: x and z turn about the same axis
		return mgl32.Vec3{float32(math.Atan2(-m.At(1, 2), m.At(1, 1))), float32(math.Copysign(math.Pi/2, s)), 0}
	}
	return mgl32.Vec3{float32(math.Atan2(m.At(2, 1), m.At(2, 2))), float32(math.Asin(s)), float32(math.Atan2(m.At(1, 0), m.At(0, 0)))}
}

// Inverse returns m.Inv(), or the identity and false if there is none.
func Inverse(m mgl64.Mat4) (mgl64.Mat4, bool) {
	inverse := m.Inv()
	if inverse == (mgl64.Mat4{}) || !Finite(inverse) {
		return mgl64.Ident4(), false
	}
	return inverse, true
}
