package session

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Orbit is the viewer's camera relative to that of the scene. The zero Orbit
// changes nothing.
type Orbit struct {
	Yaw, Pitch float64    // radians, around the target point
	Zoom       float64    // log2 of the factor that divides the distance
	Pan        mgl64.Vec2 // to the right and up, as a fraction of the distance
}

// Less returns what remains of o after the camera was moved by a part of it.
func (o Orbit) Less(from Orbit) Orbit {
	return Orbit{o.Yaw - from.Yaw, o.Pitch - from.Pitch, o.Zoom - from.Zoom, o.Pan.Sub(from.Pan)}
}

// eye moves a camera.
func (o *Orbit) eye(eye, at, up mgl64.Vec3) (newEye, newAt mgl64.Vec3) {
	d := eye.Sub(at)
	dist := d.Len()
	if *o == (Orbit{}) || dist == 0 {
		return eye, at
	}
	up = up.Mul(1 / max(up.Len(), 1e-9))
	// Spherical coordinates around the up vector.
	height := d.Dot(up)
	pitch := mgl64.Clamp(math.Asin(mgl64.Clamp(height/dist, -1, 1))+o.Pitch, -1.55, 1.55)
	flat := d.Sub(up.Mul(height))
	if flat.Len() < 1e-9*dist {
		flat = up.Cross(mgl64.Vec3{1, 0, 0})
		if flat.Len() < 1e-6 {
			flat = up.Cross(mgl64.Vec3{0, 0, 1})
		}
	}
	dir := mgl64.QuatRotate(o.Yaw, up).Rotate(flat.Normalize())
	right := up.Cross(dir)
	d = mgl64.QuatRotate(-pitch, right).Rotate(dir)
	dist /= math.Exp2(o.Zoom)
	at = at.Add(right.Mul(o.Pan[0] * dist)).Add(d.Cross(right).Mul(o.Pan[1] * dist))
	return at.Add(d.Mul(dist)), at
}
