package session

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// The parts of a draw's place, named like the keys of scenes, in the order of
// the panel.
const (
	PlaceAt     = "at"     // x, y, z
	PlaceRotate = "rotate" // degrees around an axis
	PlaceScale  = "scale"  // along x, y, z
)

// placePrefix is the prefix of the names of edits of a draw's place.
const placePrefix = "place:"

// placeGroup is the group of the panel that shows them.
const placeGroup = "Place"

// Placed is where a draw is in the world, for moving it with the mouse.
type Placed struct {
	Values map[string][]float64 // by part; nil if the draw is animated or multiplies several steps
	Why    string               // why there are no values
	Name   string
	// Right and Up are the camera's axes.
	Right, Up mgl64.Vec3

	clip     mgl64.Mat4 // world to clip space
	viewport [4]float64 // in the target, y up
	turn     turn
	height   float64 // of the target
	width    float64
}

// PlaceEdit returns the edit that moves a draw to a place.
func PlaceEdit(part string, draw int, values []float64) Edit {
	e := Edit{Name: placePrefix + part, Draw: draw}
	for _, v := range values {
		e.Values = append(e.Values, v)
	}
	return e
}

// On returns the pixel of a world point in the picture; false if the point is
// behind the camera.
func (p *Placed) On(at mgl64.Vec3) (x, y float64, ok bool) {
	v := p.clip.Mul4x1(at.Vec4(1))
	if v[3] <= 1e-6 {
		return 0, 0, false
	}
	x = p.viewport[0] + (v[0]/v[3]+1)/2*p.viewport[2]
	y = p.height - p.viewport[1] - (v[1]/v[3]+1)/2*p.viewport[3]
	switch p.turn {
	case turned:
		return y, p.width - x, true
	case turnedFlipped:
		return p.height - y, p.width - x, true
	}
	return x, y, true
}

// curve returns a part of a draw's place in the scene.
func curve(w *scene.Draw, part string) **scene.Curve {
	switch part {
	case PlaceAt:
		return &w.At
	case PlaceRotate:
		return &w.Rotate
	}
	return &w.Scale
}

// placeOf returns the parts of a draw's place, or why they cannot be edited.
func placeOf(w *scene.Draw) (values map[string][]float64, why string) {
	if w.Transform != nil {
		return nil, "its place is a list of transforms, which can be changed only in the file"
	}
	values = map[string][]float64{PlaceAt: {0, 0, 0}, PlaceRotate: {0, 0, 1, 0}, PlaceScale: {1, 1, 1}}
	for part := range values {
		c := *curve(w, part)
		if c == nil {
			continue
		}
		if len(c.Keys) > 1 {
			return nil, "it moves with the time (keys of " + part + "), which can be changed only in the file"
		}
		if v := c.At(0); len(v) == 1 {
			values[part] = []float64{v[0], v[0], v[0]}
		} else {
			values[part] = slices.Clone(v)
		}
	}
	return values, ""
}

// placeRows returns the panel's rows for a draw's place.
func placeRows(w *scene.Draw) []Uniform {
	values, why := placeOf(w)
	if values == nil {
		return []Uniform{{Group: placeGroup, Key: placePrefix, Name: "place", Type: "text", Text: "in the file", About: why}}
	}
	about := map[string]string{PlaceAt: "where the draw is in the world; or drag its handles in the picture",
		PlaceRotate: "degrees, and the axis about which it is turned", PlaceScale: "how much larger it is along its own axes"}
	parts := map[string]string{PlaceRotate: "dxyz"}
	var list []Uniform
	for _, part := range []string{PlaceAt, PlaceRotate, PlaceScale} {
		list = append(list, Uniform{Group: placeGroup, Key: placePrefix + part, Name: part, Also: []string{"place." + part, "translate"}, About: about[part], Parts: parts[part],
			Type: "number", Values: values[part]})
	}
	return list
}

// move moves draws as edits ask, until back is called. Draws that cannot be
// moved or no longer exist stay.
func (s *sceneSource) move(edits []Edit) (was map[*scene.Draw]scene.Draw, back func(), err error) {
	was = map[*scene.Draw]scene.Draw{}
	back = func() {
		for w, d := range was {
			w.At, w.Rotate, w.Scale = d.At, d.Rotate, d.Scale
		}
	}
	for i := range edits {
		e := &edits[i]
		part, is := strings.CutPrefix(e.Name, placePrefix)
		if !is || e.Draw < 0 || e.Draw >= len(s.parts) {
			continue
		}
		w := s.parts[e.Draw].draw
		if values, _ := placeOf(w); values == nil {
			continue
		}
		v, err := placeValues(part, e.Values)
		if err != nil {
			back()
			return nil, nil, fmt.Errorf("%s: %w", s.parts[e.Draw].name, err)
		}
		if _, known := was[w]; !known {
			was[w] = *w
		}
		*curve(w, part) = scene.Const(v...)
	}
	return was, back, nil
}

// placeValues returns the numbers of an edit.
func placeValues(part string, values []any) (list []float64, err error) {
	for _, x := range values {
		v, ok := x.(float64)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s: %v is not a number", part, x)
		}
		list = append(list, v)
	}
	if part == PlaceRotate && (mgl64.Vec3(list[1:4]) == mgl64.Vec3{}) {
		list[2] = 1 // while an axis is typed number by number
	}
	return list, nil
}

// savedPlace is a part of a place as in the scene's file.
func savedPlace(part string, values []float64) any {
	if part == PlaceScale && values[0] == values[1] && values[1] == values[2] {
		return round(values[0])
	}
	var list []any
	for _, v := range values {
		list = append(list, round(v))
	}
	return list
}

// placed returns where the next draw is in the picture.
func (d *drawing) placed(ds *scenebuild.DrawState, index int) *Placed {
	t := &d.s.Stage.Scene.Target
	p := &Placed{Name: d.s.parts[index].name, clip: mgl.Mul(ds.Projection, ds.ToView), width: float64(t.Width), height: float64(t.Height)}
	p.Values, p.Why = placeOf(ds.Draw)
	p.Right, p.Up = ds.ToView.Row(0).Vec3(), ds.ToView.Row(1).Vec3()
	p.viewport = [4]float64{0, 0, p.width, p.height}
	if v := t.Viewport; v != [4]int{} {
		p.viewport = [4]float64{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}
	}
	if d.s.Stage.Scene.Camera.Rotated && forScreen(t.Width, t.Height) {
		p.turn = turned
	}
	return p
}
