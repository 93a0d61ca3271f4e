package mgl

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
)

// Three matrices that do not commute with each other.
var (
	moved  = mgl64.Translate3D(1, -2, 3)
	turned = mgl64.HomogRotate3D(0.7, mgl64.Vec3{1, 2, 3}.Normalize())
	sized  = mgl64.Scale3D(2, 3, -4)
)

// Mul and Apply agree with mathgl's products within rounding.
func TestProducts(t *testing.T) {
	want := moved.Mul4(turned).Mul4(sized)
	got := Mul(moved, turned, sized)
	require.InDeltaSlice(t, want[:], got[:], 1e-14)
	require.Equal(t, moved, Mul(moved))
	v := mgl64.Vec4{5, 7, 11, 13}
	a, b := want.Mul4x1(v), Apply(got, v)
	require.InDeltaSlice(t, a[:], b[:], 1e-12)
	require.Equal(t, mgl32.Vec3{3, 1, -1}, Point(Mul(moved, sized), mgl32.Vec3{1, 1, 1}))
	require.Equal(t, mgl64.Vec3{2, 3, -4}, Direction(Mul(moved, sized), mgl64.Vec3{1, 1, 1}))
	require.Equal(t, []mgl32.Vec4{{2, 0, 0, 1}, {0, 3, 0, -2}}, Rows(Mul(moved, sized), 2))
}

// Each product in a sum is rounded: the square of 1 + 2^-30 minus its rounded value is 0; a fused instruction gives 2^-60.
func TestProductsAreRounded(t *testing.T) {
	x := 1 + math.Ldexp(1, -30)
	square := 1 + math.Ldexp(1, -29)
	for k := range 4 {
		var row, v mgl64.Vec4
		row[k], v[k] = x, x
		row[(k+1)%4], v[(k+1)%4] = -square, 1
		require.Zero(t, Apply(mgl64.Mat4FromRows(row, row, row, row), v), "element %d", k)
	}
}

// Rotations about any axis; quarter turns are exact.
func TestRotate(t *testing.T) {
	for _, c := range []struct {
		degrees float64
		axis    mgl64.Vec3
	}{{37, mgl64.Vec3{1, 2, 3}}, {-200, mgl64.Vec3{0, -4, 1}}, {400, mgl64.Vec3{0, 0, 0.1}}} {
		want, got := mgl64.HomogRotate3D(mgl64.DegToRad(c.degrees), c.axis.Normalize()), Rotate(c.degrees, c.axis)
		require.InDeltaSlice(t, want[:], got[:], 1e-7, "%v", c)
	}
	require.Equal(t, mgl64.Vec4{0, 1, 0, 1}, Apply(Rotate(90, mgl64.Vec3{0, 0, 2}), mgl64.Vec4{1, 0, 0, 1}))
	require.Equal(t, mgl64.Vec4{0, 0, 1, 1}, Apply(Rotate(-270, mgl64.Vec3{3, 0, 0}), mgl64.Vec4{0, 1, 0, 1}))
	require.Equal(t, mgl64.Ident4(), Rotate(50, mgl64.Vec3{}))
}

// Clip space runs from -1 at the near plane to 0 at the far plane.
func TestProjections(t *testing.T) {
	for name, m := range map[string]mgl64.Mat4{"perspective": Perspective(60, 1.5, 2, 100), "parallel": Ortho(-4, 2, -1, 3, 2, 100)} {
		for z, want := range map[float64]float64{-2: -1, -100: 0} {
			v := Apply(m, mgl64.Vec4{0, 0, z, 1})
			require.InDelta(t, want, v[2]/v[3], 1e-12, "%s at %v", name, z)
		}
	}
	top := Apply(Perspective(60, 1.5, 2, 100), mgl64.Vec4{1.5 * math.Tan(math.Pi/6), math.Tan(math.Pi / 6), -1, 1})
	require.InDelta(t, 1, top[0], 1e-7)
	require.InDelta(t, 1, top[1], 1e-7)
	corner := Apply(Ortho(-4, 2, -1, 3, 2, 100), mgl64.Vec4{-4, 3, -5, 1})
	require.InDeltaSlice(t, []float64{-1, 1}, corner[:2], 1e-12)
}

// The up vector may be parallel to the line of sight.
func TestLookAt(t *testing.T) {
	for _, c := range []struct{ eye, up, right mgl64.Vec3 }{
		{mgl64.Vec3{0, 0, 5}, mgl64.Vec3{0, 3, 0}, mgl64.Vec3{1, 0, 0}},
		{mgl64.Vec3{0, 5, 0}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{-1, 0, 0}}, // from above: z replaces up
		{mgl64.Vec3{0, 0, 5}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{1, 0, 0}},
		{mgl64.Vec3{0, 0, -5}, mgl64.Vec3{}, mgl64.Vec3{1, 0, 0}},
		{mgl64.Vec3{3, 3, 3}, mgl64.Vec3{0.3, 0.3, 0.3}, mgl64.Vec3{-1, 1, 0}.Normalize()},
	} {
		m := LookAt(c.eye, mgl64.Vec3{}, c.up)
		at, right := Apply(m, mgl64.Vec4{0, 0, 0, 1}), m.Row(0).Vec3()
		require.InDeltaSlice(t, []float64{0, 0, -c.eye.Len(), 1}, at[:], 1e-9, "%v", c)
		require.InDeltaSlice(t, c.right[:], right[:], 1e-9, "%v", c)
		// The eye maps to the origin, and the matrix is a rotation.
		at = Apply(m, c.eye.Vec4(1))
		require.InDeltaSlice(t, []float64{0, 0, 0, 1}, at[:], 1e-9, "%v", c)
		require.Equal(t, mgl64.Vec4{0, 0, 0, 1}, m.Row(3))
		rotation, id := m.Mat3(), mgl64.Ident3()
		rotation = rotation.Mul3(rotation.Transpose())
		require.InDeltaSlice(t, id[:], rotation[:], 1e-9, "%v", c)
	}
}

// Sincos of quarter turns is exact. OnSide maps x up the screen and y to the left.
func TestQuarterTurns(t *testing.T) {
	for n := -9; n <= 9; n++ {
		s, c := Sincos(float64(90 * n))
		require.Equal(t, [2]float64{[]float64{0, 1, 0, -1}[(n+12)%4], []float64{1, 0, -1, 0}[(n+12)%4]}, [2]float64{s, c}, n)
	}
	require.Equal(t, mgl64.Vec4{3, -2, 5, 7}, Apply(OnSide(mgl64.Ident4()), mgl64.Vec4{2, 3, 5, 7}))
}

func TestUnit(t *testing.T) {
	require.Equal(t, mgl64.Vec3{}, Unit(mgl64.Vec3{}))
	require.Equal(t, mgl64.Vec3{}, Unit(mgl64.Vec3{math.Inf(1), 0, 0}))
	require.Equal(t, mgl64.Vec3{}, Unit(mgl64.Vec3{math.NaN(), 1, 0}))
	require.InDelta(t, 0.6, Unit(mgl64.Vec3{3, 0, 4})[0], 1e-15)
	require.Equal(t, mgl64.Vec3{0, -1, 0}, Unit(mgl64.Vec3{0, -1, 0}), "a unit vector stays exact")
	require.False(t, Finite(mgl64.Mat4{3: math.Inf(-1)}))
	require.True(t, Finite(moved))
}

func TestWidenAndNarrow(t *testing.T) {
	q := mgl32.Quat{W: 1, V: mgl32.Vec3{2, 3, 4}}
	require.Equal(t, q, NarrowQuat(WideQuat(q)))
	require.Equal(t, mgl32.Vec4{1, 2, 3, 4}, Narrow4(mgl64.Vec4{1, 2, 3, 4}))
}

// Angles of a rotation give the same rotation.
func TestAnglesOfRotation(t *testing.T) {
	for _, r := range []mgl32.Vec3{{}, {0.3, 0.2, -0.7}, {-1.2, 1.1, 2}, {0.4, math.Pi / 2, 0}, {0, -math.Pi / 2, 0.3}} {
		m := RotateXYZ(r)
		got := RotateXYZ(Angles(m))
		require.InDeltaSlice(t, m[:], got[:], 2e-3, "%v", r)
		got = mgl64.Mat4ToQuat(m).Mat4()
		require.InDeltaSlice(t, m[:], got[:], 1e-6, "%v", r)
	}
	y := mgl64.QuatRotate(0.5, mgl64.Vec3{0, 1, 0}).Mat4()
	got := RotateXYZ(mgl32.Vec3{0, 0.5, 0})
	require.InDeltaSlice(t, y[:], got[:], 1e-7)
	want := mgl64.Rotate3DZ(3).Mul3(mgl64.Rotate3DY(2)).Mul3(mgl64.Rotate3DX(1)).Mat4()
	got = RotateXYZ(mgl32.Vec3{1, 2, 3})
	require.InDeltaSlice(t, want[:], got[:], 1e-6)
}

func TestInverse(t *testing.T) {
	m := Mul(moved, turned, sized)
	inverse, ok := Inverse(m)
	require.True(t, ok)
	id, got := mgl64.Ident4(), Mul(m, inverse)
	require.InDeltaSlice(t, id[:], got[:], 1e-12)
	for _, m := range []mgl64.Mat4{Scale(mgl32.Vec3{0, 1, 1}), {math.NaN()}, Mul(sized, mgl64.Mat4{0: math.Inf(1), 5: 1, 10: 1, 15: 1})} {
		inverse, ok := Inverse(m)
		require.False(t, ok, "%v", m)
		require.Equal(t, id, inverse)
	}
}

// Slerp interpolates the angle along the shorter way.
func TestSlerp(t *testing.T) {
	z := mgl64.Vec3{0, 0, 1}
	a, b := NarrowQuat(mgl64.QuatRotate(0.2, z)), NarrowQuat(mgl64.QuatRotate(1.4, z).Scale(-1))
	got, want := Slerp(a, b, 0.25), mgl64.QuatRotate(0.5, z)
	require.True(t, WideQuat(got).OrientationEqualThreshold(want, 1e-6), "%v", got)
}
