package cgfx

import (
	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// Matrix is an affine matrix as files hold it: its upper three rows of four, one after
// the other.
type Matrix [12]float32

// Identity is the identity matrix.
var Identity = MatrixOf(mgl64.Ident4())

// MatrixOf converts a matrix; the fourth row is dropped.
func MatrixOf(m mgl64.Mat4) (out Matrix) {
	for r, row := range mgl.Rows(m, 3) {
		copy(out[4*r:], row[:])
	}
	return out
}

// Mat4 returns the matrix with all four rows.
func (m *Matrix) Mat4() mgl64.Mat4 {
	out := mgl64.Ident4()
	for i, x := range m {
		out.Set(i/4, i%4, float64(x))
	}
	return out
}
