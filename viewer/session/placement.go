package session

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
	"pica200/scene/scenebuild"
)

// placementGroup is the group of the panel that shows them.
const placementGroup = "Place"

// Placement is where a draw is in the world, for moving it with the mouse.
type Placement struct {
	Values map[string][]float64 // by part; nil if the draw is animated or multiplies several steps
	Why    string               // why there are no values
	Name   string
	*Projection
}

// PlacedLight is where a light is in the world, or comes from.
type PlacedLight struct {
	Name   string
	Edit   string // name of its edits
	Values []float64
	Far    bool // Values are a direction
}

// Projection is how the main camera shows the world.
type Projection struct {
	// Right and Up are the camera's axes.
	Right, Up mgl64.Vec3

	clip        mgl64.Mat4 // world to clip space
	viewport    [4]float64 // in the target, y up
	orientation orientation
	height      float64 // of the target
	width       float64
}

// On returns the pixel of a world point in the picture; false if the point is
// behind the camera.
func (p *Projection) On(at mgl64.Vec3) (x, y float64, ok bool) {
	v := p.clip.Mul4x1(at.Vec4(1))
	if v[3] <= 1e-6 {
		return 0, 0, false
	}
	x = p.viewport[0] + (v[0]/v[3]+1)/2*p.viewport[2]
	y = p.height - p.viewport[1] - (v[1]/v[3]+1)/2*p.viewport[3]
	switch p.orientation {
	case quarterTurn:
		return y, p.width - x, true
	case quarterTurnFlipped:
		return p.height - y, p.width - x, true
	}
	return x, y, true
}

// Turned returns a direction of the length of v, which is drawn at a place q of the disc of all directions: right and down, with the
// radius 1. It stays on the side of the disc that v is on, and comes to the other one beyond the edge. missing returns how far from
// its place a direction is drawn, as perspective moves it.
func (p *Projection) Turned(v mgl64.Vec3, q mgl64.Vec2, missing func(dir mgl64.Vec3) mgl64.Vec2) mgl64.Vec3 {
	back := p.Right.Cross(p.Up)
	side := math.Copysign(1, v.Dot(back))
	if r := q.Len(); r > 1 {
		q, side = q.Mul(max(2-r, 0)/r), -side
		missing = func(mgl64.Vec3) mgl64.Vec2 { return mgl64.Vec2{} }
	}
	at := func(q mgl64.Vec2) mgl64.Vec3 {
		z := math.Sqrt(max(1-q.Dot(q), 0))
		return p.Right.Mul(q[0]).Sub(p.Up.Mul(q[1])).Add(back.Mul(side * z)).Normalize()
	}
	for range 16 {
		if q = q.Add(missing(at(q)).Mul(0.7)); q.Len() > 1 {
			q = q.Normalize()
		}
	}
	return at(q).Mul(v.Len())
}

// placementOf returns the parts of a draw's position, or why they cannot be edited.
func (s *sceneSource) placementOf(name string) (values map[string][]float64, why string) {
	values = map[string][]float64{}
	for _, part := range []string{PlacementAt, PlacementRotate, PlacementScale} {
		v, ok := s.vectorOf(&Edit{Name: part, Draw: name})
		if !ok || v.fixed != "" {
			return nil, v.fixed
		}
		values[part] = v.now()
	}
	return values, ""
}

// placementRows returns the panel's rows for a draw's position.
func (s *sceneSource) placementRows(name string) []Uniform {
	values, why := s.placementOf(name)
	if values == nil {
		return []Uniform{{Group: placementGroup, Key: placementPrefix, Name: "place", Type: "text", Text: "in the file", About: why}}
	}
	about := map[string]string{PlacementAt: "where the draw is in the world; or drag its handles in the picture",
		PlacementRotate: "degrees, and the axis about which it is turned", PlacementScale: "how much larger it is along its own axes"}
	parts := map[string]string{PlacementRotate: "dxyz"}
	var list []Uniform
	for _, part := range []string{PlacementAt, PlacementRotate, PlacementScale} {
		_, key, _ := strings.Cut(part, ":")
		list = append(list, Uniform{Group: placementGroup, Key: part, Name: key, Also: []string{"place." + key, "translate"}, About: about[part], Parts: parts[part],
			Type: "number", Values: values[part]})
	}
	return list
}

// projection returns how the camera of a draw shows the world.
func (s *sceneSource) projection(ds *scenebuild.DrawState) *Projection {
	t := s.Stage.Size(s.Stage.Scene.Target)
	p := &Projection{clip: mgl.Mul(ds.Projection, ds.ToView), width: float64(t.Width), height: float64(t.Height)}
	p.Right, p.Up = ds.ToView.Row(0).Vec3(), ds.ToView.Row(1).Vec3()
	p.viewport = [4]float64{0, 0, p.width, p.height}
	if v := t.Viewport; v != [4]int{} {
		p.viewport = [4]float64{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}
	}
	if main := &s.Stage.Scene.Target; s.onSide(main.Width, main.Height) {
		p.orientation = quarterTurn
	}
	return p
}

// lights returns where the lights are that can be placed.
func (s *sceneSource) lights() (list []PlacedLight) {
	for i := range s.Stage.Scene.Lights {
		for _, key := range []string{"position", "direction"} {
			e := Edit{Name: LightEdit(i, key)}
			if v, ok := s.vectorOf(&e); ok && v.fixed == "" {
				list = append(list, PlacedLight{fmt.Sprintf("light %d", i), e.Name, v.now(), key == "direction"})
			}
		}
	}
	return list
}
