package geometry

import "pica200/pica"

// subpixels is the number of steps in a pixel of window coordinates, which are
// 12.4 fixed point.
const (
	subpixelBits = 4
	subpixels    = 1 << subpixelBits
)

// guardPixels bounds window coordinates. The console's 12.4 coordinates hold
// 4096 pixels. Positions leave that range only through a viewport far larger
// than any render target (2048x1024); they are clamped so that products of
// differences stay far inside 64 bits.
const guardPixels = 4096

// viewport maps normalised device coordinates to the window.
type viewport struct {
	halfW, halfH float32 // GPUREG_VIEWPORT_WIDTH and _HEIGHT, float24
	x, y         float32 // GPUREG_VIEWPORT_XY, pixels
}

// toSubpixel rounds a window coordinate in pixels to 12.4 fixed point: to the
// nearest step, halves up. The console's rounding is unmeasured. Azahar rounds
// to nearest too, because truncation leaves visible specks at the seams of
// triangles.
func toSubpixel(v float32) int32 {
	s := float32(v * subpixels) // no fusing with the addition below
	const limit = guardPixels * subpixels
	if !(s > -limit) { // also NaN, from a NaN in the viewport registers
		return -limit
	}
	if s > limit {
		return limit
	}
	s += 0.5
	i := int32(s)
	if float32(i) > s { // int32 truncates towards zero
		i--
	}
	return i
}

// project computes the window position, Z and InvW of a vertex inside the view
// volume (w > 0), from its x, y, z and w.
func (vp *viewport) project(p *[4]float32, v *pica.ScreenPosition) (x, y int32) {
	inv := 1 / p[3]
	v.InvW = inv
	z := p[2] * inv
	// The tolerance of clipping and rounding can leave z slightly outside; the
	// rasterizer requires -1..0.
	v.Z = max(-1, min(0, z))
	x = toSubpixel(float32((float32(p[0]*inv)+1)*vp.halfW) + vp.x)
	y = toSubpixel(float32((float32(p[1]*inv)+1)*vp.halfH) + vp.y)
	v.X, v.Y = x, y
	return x, y
}

// signedArea is twice the area of the triangle in square subpixels, greater
// than 0 if it is wound counter-clockwise (+y up). Coordinates are bounded by
// guardPixels, so the products stay below 2^36.
func signedArea(a, b, c *position) int64 {
	return int64(b.x-a.x)*int64(c.y-a.y) - int64(b.y-a.y)*int64(c.x-a.x)
}
