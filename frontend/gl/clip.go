package gl

import "github.com/go-gl/mathgl/mgl32"

// ClipSpace makes a projection for OpenGL, such as mgl32.Perspective and
// mgl32.Ortho return, one for the PICA200: z/w runs from -1 at the near plane to
// 0 at the far plane instead of to 1.
func ClipSpace(projection mgl32.Mat4) mgl32.Mat4 {
	projection.SetRow(2, projection.Row(2).Sub(projection.Row(3)).Mul(0.5))
	return projection
}

// OnSide turns a projection for a target that is shown on one of the screens,
// which lie on their side in memory: the picture's up is the target's +x, its
// right the target's -y.
func OnSide(projection mgl32.Mat4) mgl32.Mat4 {
	x, y, z, w := projection.Rows()
	return mgl32.Mat4FromRows(y, x.Mul(-1), z, w)
}
