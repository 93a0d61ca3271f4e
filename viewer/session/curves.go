package session

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/lazy"
	"pica200/scene"
)

// Some edits change a vector of the scene itself, instead of a uniform: where a
// draw is, a light, the camera.

// The parts of a draw's position, named like the keys of scenes, in the order of
// the panel.
const (
	PlacementAt     = "place:at"     // x, y, z
	PlacementRotate = "place:rotate" // degrees around an axis
	PlacementScale  = "place:scale"  // along x, y, z
)

// Names of edits of the camera, and of lights before their number and key.
const (
	placementPrefix = "place:"
	lightPrefix     = "light:"
	cameraEye       = "camera:eye"
	cameraAt        = "camera:at"
)

// vector is a vector of the scene that an edit changes.
type vector struct {
	curve **scene.Curve
	path  []any     // in the scene's file
	def   []float64 // its value if the scene has none
	fixed string    // why it cannot be edited; "" if it can
}

var lightName = lazy.Regexp(`^light:([0-9]+)\.(position|direction|spot)$`)

// LightEdit returns the name of the edits of a light's position, direction or spot, in the world.
func LightEdit(light int, key string) string { return fmt.Sprintf("%s%d.%s", lightPrefix, light, key) }

// vectorOf returns the vector that an edit changes; false for an edit of a
// uniform, and for a draw or light that does not exist.
func (s *sceneSource) vectorOf(e *Edit) (v vector, ok bool) {
	sc := s.Stage.Scene
	_, key, _ := strings.Cut(e.Name, ":")
	switch {
	case strings.HasPrefix(e.Name, placementPrefix):
		part := s.targets[e.Draw]
		if part == nil || part.id != (scene.PartID{}) {
			return v, false
		}
		w := part.draw
		v.curve, v.def = &w.Scale, []float64{1, 1, 1}
		switch e.Name {
		case PlacementAt:
			v.curve, v.def = &w.At, []float64{0, 0, 0}
		case PlacementRotate:
			v.curve, v.def = &w.Rotate, []float64{0, 0, 1, 0}
		}
		v.path = append(slices.Clone(part.path), key)
		if w.Transform != nil {
			v.fixed = "its place is a list of transforms, which can be changed only in the file"
		}
	case e.Name == cameraEye:
		v.curve, v.path, v.def = &sc.Camera.Eye, []any{"camera", key}, []float64{0, 0, 4}
	case e.Name == cameraAt:
		v.curve, v.path, v.def = &sc.Camera.At, []any{"camera", key}, []float64{0, 0, 0}
	default:
		m := lightName().FindStringSubmatch(e.Name)
		if m == nil {
			return v, false
		}
		i, err := strconv.Atoi(m[1])
		if err != nil || i >= len(sc.Lights) {
			return v, false
		}
		l := &sc.Lights[i]
		v.curve = map[string]**scene.Curve{"position": &l.Position, "direction": &l.Direction, "spot": &l.Spot}[m[2]]
		if *v.curve == nil {
			return v, false // it has another kind of position
		}
		v.path, v.def = []any{"lights", i, m[2]}, []float64{0, 0, 0}
	}
	if moves(*v.curve) {
		v.fixed = fmt.Sprintf("it moves with the time (keys of %s), which can be changed only in the file", key)
	}
	return v, true
}

// isVector reports whether an edit changes a vector of the scene, or a texture of it.
func isVector(e *Edit) bool {
	return strings.HasPrefix(e.Name, placementPrefix) || strings.HasPrefix(e.Name, lightPrefix) || strings.HasPrefix(e.Name, picturePrefix) || OfCamera(e.Name)
}

// now returns the value of the vector.
func (v *vector) now() []float64 {
	out := (*v.curve).At(0)
	if len(out) == 1 {
		out = []float64{out[0], out[0], out[0]}
	}
	if len(out) != len(v.def) {
		return slices.Clone(v.def)
	}
	return slices.Clone(out)
}

// with returns the value after an edit.
func (v *vector) with(e *Edit) ([]float64, error) {
	out := v.now()
	if len(e.Values) != len(out) {
		return nil, fmt.Errorf("%s: %d numbers, expected %d", e.Name, len(e.Values), len(out))
	}
	for i, x := range e.Values {
		if x == nil {
			continue
		}
		n, ok := x.(float64)
		if !ok || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, fmt.Errorf("%s: %v is not a number", e.Name, x)
		}
		out[i] = n
	}
	if e.Name == PlacementRotate && mgl64.Vec3(out[1:4]) == (mgl64.Vec3{}) {
		out[2] = 1 // while an axis is typed number by number
	}
	return out, nil
}

// changed changes vectors of the scene until back is called. Edits of values
// that do not exist or cannot be changed do nothing.
func (s *sceneSource) changed(edits []Edit) (back func(), err error) {
	var undo []func()
	back = func() {
		for _, f := range slices.Backward(undo) {
			f()
		}
	}
	for i := range edits {
		if t, file := s.pictureOf(&edits[i]); t != nil {
			f, err := s.Stage.Repaint(t, file)
			if err != nil {
				back()
				return nil, err
			}
			undo = append(undo, f)
			s.paint(file)
			continue
		}
		if name := fmt.Sprint(edits[i].Values...); strings.HasPrefix(edits[i].Name, unitPrefix) && s.isNew(name) {
			f, err := s.Stage.AddTexture(name)
			if err != nil {
				back()
				return nil, err
			}
			undo = append(undo, f)
			s.paint(name)
			continue
		}
		v, ok := s.vectorOf(&edits[i])
		if !ok || v.fixed != "" {
			continue
		}
		now, err := v.with(&edits[i])
		if err != nil {
			back()
			return nil, err
		}
		was := *v.curve
		undo = append(undo, func() { *v.curve = was })
		*v.curve = scene.Const(now...)
	}
	return back, nil
}

// saved is a vector as in the scene's file.
func saved(e *Edit, values []float64) any {
	if e.Name == PlacementScale && values[0] == values[1] && values[1] == values[2] {
		return round(values[0])
	}
	var list []any
	for _, v := range values {
		list = append(list, round(v))
	}
	return list
}

// cameraEdits returns the edits that put the camera of the scene where an orbit has moved it.
func (s *sceneSource) cameraEdits(r *Request, edits []Edit) (list []Edit, err error) {
	back, err := s.changed(edits)
	if err != nil {
		return nil, err
	}
	defer back()
	c := &s.Stage.Scene.Camera
	if moves(c.Eye) || moves(c.At) {
		return nil, fmt.Errorf("the camera moves with the time (keys of camera.eye and camera.at), and is not written over")
	}
	eye, at := r.Orbit.eye(c.Eye.Vec3(r.Time, mgl64.Vec3{0, 0, 4}), c.At.Vec3(r.Time, mgl64.Vec3{}), c.Up.Vec3(r.Time, mgl64.Vec3{0, 1, 0}))
	for name, v := range map[string]mgl64.Vec3{cameraEye: eye, cameraAt: at} {
		list = append(list, Edit{Name: name, Values: []any{round(v[0]), round(v[1]), round(v[2])}})
	}
	return list, nil
}

// paint adds a file to those that edits gave to textures.
func (s *sceneSource) paint(file string) {
	if path := s.Stage.Scene.Path(file); !slices.Contains(s.painted, path) {
		s.painted = append(s.painted, path)
	}
}

// OfCamera reports whether edits of this name move the scene's camera.
func OfCamera(name string) bool { return name == cameraEye || name == cameraAt }

// OfTexture reports whether edits of this name give a texture another file.
func OfTexture(name string) bool {
	return strings.HasPrefix(name, picturePrefix) || strings.HasPrefix(name, unitPrefix)
}

// OfScene reports whether edits of this name are of the scene, whichever draw is edited.
func OfScene(name string) bool {
	return OfCamera(name) || strings.HasPrefix(name, picturePrefix) || strings.HasPrefix(name, lightPrefix)
}
