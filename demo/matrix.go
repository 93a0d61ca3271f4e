package demo

import "math"

// matrix is a 4x4 matrix by rows; it is multiplied with columns from the left.
type matrix [4][4]float64

func identity() matrix { return matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}} }

func mul(a, b matrix) (m matrix) {
	for i := range m {
		for j := range m[i] {
			for k := range 4 {
				m[i][j] += float64(a[i][k] * b[k][j])
			}
		}
	}
	return m
}

func translate(x, y, z float64) matrix {
	return matrix{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}
}

func rotateX(a float64) matrix {
	s, c := math.Sincos(a)
	return matrix{{1, 0, 0, 0}, {0, c, -s, 0}, {0, s, c, 0}, {0, 0, 0, 1}}
}

func rotateY(a float64) matrix {
	s, c := math.Sincos(a)
	return matrix{{c, 0, s, 0}, {0, 1, 0, 0}, {-s, 0, c, 0}, {0, 0, 0, 1}}
}

// perspective projects onto a screen that lies on its side: the picture's up
// is the target's +x, its right the target's -y. z goes from -w at the near
// plane to 0 at the far plane.
func perspective(fovY, aspect, near, far float64) matrix {
	f := 1 / math.Tan(fovY/2)
	return matrix{
		{0, f, 0, 0},
		{-f / aspect, 0, 0, 0},
		{0, 0, -near / (far - near), -near * far / (far - near)},
		{0, 0, -1, 0},
	}
}

// rows is the first n rows for a uniform.
func rows(m matrix, n int) [][4]float32 {
	out := make([][4]float32, n)
	for i := range out {
		for j := range out[i] {
			out[i][j] = float32(m[i][j])
		}
	}
	return out
}

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func unit(a [3]float64) [3]float64 {
	l := math.Sqrt(float64(a[0]*a[0]) + float64(a[1]*a[1]) + float64(a[2]*a[2]))
	return [3]float64{a[0] / l, a[1] / l, a[2] / l}
}
