package banner

import (
	"math"
	"math/rand"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"
)

// nearest gives angles of the same rotation that are as near as possible to the given ones.
func TestNearestAngles(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	angles := func() (v mgl32.Vec3) {
		for k := range v {
			v[k] = float32(8*rng.Float64() - 4)
		}
		return v
	}
	rotation := func(v mgl32.Vec3) mgl32.Mat3 {
		return mgl32.Rotate3DZ(v[2]).Mul3(mgl32.Rotate3DY(v[1])).Mul3(mgl32.Rotate3DX(v[0]))
	}
	for range 500 {
		a, to := angles(), angles()
		got := nearest(a, to)
		for k, v := range rotation(a) {
			require.InDelta(t, v, rotation(got)[k], 1e-4, "%v becomes %v", a, got)
		}
		far := func(v mgl32.Vec3) (d float64) {
			for k := range v {
				d += math.Abs(float64(v[k]) - float64(to[k]))
			}
			return d
		}
		for n := range 27 {
			full := mgl32.Vec3{float32(n%3 - 1), float32(n/3%3 - 1), float32(n/9 - 1)}.Mul(2 * math.Pi)
			require.LessOrEqual(t, far(got), far(a.Add(full))+1e-4)
			require.LessOrEqual(t, far(got), far(mgl32.Vec3{a[0] + math.Pi, math.Pi - a[1], a[2] + math.Pi}.Add(full))+1e-4)
		}
	}
}

// straight holds if the values between the ends are within the tolerance of the line; the ends always are, despite rounding.
func TestStraightCurveTolerance(t *testing.T) {
	for _, c := range []struct {
		v         []float32
		from, to  int
		tolerance float32
		want      bool
	}{
		{[]float32{1, 2, 3, 4}, 0, 3, 0, true}, {[]float32{1, 2, 3.5, 4}, 0, 3, 0.25, false}, {[]float32{1, 2, 3.5, 4}, 0, 3, 0.5, true}, {[]float32{1, 1.5, 3, 4}, 0, 3, 0.25, false},
		{[]float32{9, 1, 2, 3, 9}, 1, 3, 0, true}, {[]float32{0, 9}, 0, 1, 0, true}, {[]float32{1e8, 0.125}, 0, 1, 0, true}, {[]float32{0.125, 1e8}, 0, 1, 0, true}, {[]float32{4, 2, 0}, 0, 2, 0, true}, {[]float32{4, 3, 0}, 0, 2, 0.5, false},
	} {
		require.Equal(t, c.want, straight(c.v, c.from, c.to, c.tolerance), "%+v", c)
	}
}
