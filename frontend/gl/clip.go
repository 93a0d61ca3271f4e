package gl

import "github.com/go-gl/mathgl/mgl32"

// ClipSpace converts a projection for OpenGL, such as that of mgl32.Perspective
// and mgl32.Ortho, to the PICA200's clip space: z/w is -1 at the near plane and
// 0 (not 1) at the far plane.
func ClipSpace(projection mgl32.Mat4) mgl32.Mat4 {
	projection.SetRow(2, projection.Row(2).Sub(projection.Row(3)).Mul(0.5))
	return projection
}

// OnSide rotates a projection for a target that is shown on a screen, because
// screens lie on their side in memory: the picture's up is the target's +x, its
// right the target's -y.
func OnSide(projection mgl32.Mat4) mgl32.Mat4 {
	x, y, z, w := projection.Rows()
	return mgl32.Mat4FromRows(y, x.Mul(-1), z, w)
}
