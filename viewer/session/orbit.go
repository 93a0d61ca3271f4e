package session

import "math"

// Orbit is how the viewer's camera differs from the one of the scene. The zero
// Orbit does not differ.
type Orbit struct {
	Yaw, Pitch float64    // radians, around the point looked at
	Zoom       float64    // log2 of the factor that the distance is divided by
	Pan        [2]float64 // to the right and up, in shares of the distance
}

// Eye moves a camera.
func (o *Orbit) Eye(eye, at, up [3]float64) (newEye, newAt [3]float64) {
	if *o == (Orbit{}) {
		return eye, at
	}
	d := sub(eye, at)
	dist := length(d)
	if dist == 0 {
		return eye, at
	}
	up = scale(up, 1/max(length(up), 1e-9))
	// Spherical coordinates with up as the pole.
	height := dot(d, up)
	pitch := math.Asin(min(max(height/dist, -1), 1)) + o.Pitch
	pitch = min(max(pitch, -1.55), 1.55)
	flat := sub(d, scale(up, height))
	if length(flat) < 1e-9*dist {
		flat = cross(up, [3]float64{1, 0, 0})
		if length(flat) < 1e-6 {
			flat = cross(up, [3]float64{0, 0, 1})
		}
	}
	flat = scale(flat, 1/length(flat))
	side := cross(up, flat)
	dir := add(scale(flat, math.Cos(o.Yaw)), scale(side, math.Sin(o.Yaw)))
	d = add(scale(dir, math.Cos(pitch)), scale(up, math.Sin(pitch)))
	dist /= math.Exp2(o.Zoom)
	right := cross(up, dir)
	above := cross(d, right)
	at = add(at, add(scale(right, o.Pan[0]*dist), scale(above, o.Pan[1]*dist)))
	return add(at, scale(d, dist)), at
}

func add(a, b [3]float64) [3]float64           { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func sub(a, b [3]float64) [3]float64           { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func scale(a [3]float64, k float64) [3]float64 { return [3]float64{a[0] * k, a[1] * k, a[2] * k} }
func dot(a, b [3]float64) float64              { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func length(a [3]float64) float64              { return math.Sqrt(dot(a, a)) }
func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
