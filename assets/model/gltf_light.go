package model

import (
	"cmp"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

// Camera is a camera of a file, at a node: it looks along the node's -z.
type Camera struct {
	Name   string
	Node   int
	Fovy   float64 // degrees; 0 in a parallel projection
	Height float64 // of a parallel projection
	Near   float64
	Far    float64 // 0 if there is no far plane
}

// LightKind is where a light shines from.
type LightKind uint8

// The kinds of KHR_lights_punctual.
const (
	Directional LightKind = iota
	PointLight
	SpotLight
)

// Light is a light of a file, at a node: it shines along the node's -z, or from
// its origin.
type Light struct {
	Name         string
	Node         int
	Kind         LightKind
	Color        mgl32.Vec3 // linear
	Intensity    float64    // lux, or candela of one with a position
	Range        float64    // 0 if there is no end
	Inner, Outer float64    // of a spot, radians
}

// Falloff returns what distance leaves of a light: 1/d^2, and 0 from its range on.
func (l *Light) Falloff(d float64) float64 {
	if l.Kind == Directional {
		return 1
	}
	f := 1 / max(float64(d*d), 1e-12)
	if l.Range > 0 {
		f *= max(1-math.Pow(d/l.Range, 4), 0)
	}
	return f
}

// readCameras reads the cameras and lights of the nodes that are shown.
func (d *document) readCameras() error {
	var lights lightspunctual.Lights
	lights, _ = d.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	kinds := map[string]LightKind{lightspunctual.TypePoint: PointLight, lightspunctual.TypeSpot: SpotLight}
	for i, n := range d.Nodes {
		if !d.m.Nodes[i].Shown {
			continue
		}
		if k := n.Camera; k != nil && *k >= 0 && *k < len(d.Cameras) && d.Cameras[*k] != nil {
			d.camera(d.Cameras[*k], i)
		}
		if k, ok := n.Extensions[lightspunctual.ExtensionName].(lightspunctual.LightIndex); ok && k >= 0 && int(k) < len(lights) && lights[k] != nil {
			l := lights[k]
			out := Light{Name: cmp.Or(n.Name, l.Name), Node: i, Kind: kinds[l.Type], Intensity: min(max(l.IntensityOrDefault(), 0), 1e30)}
			for c, v := range l.ColorOrDefault() {
				out.Color[c] = clamp01(v)
			}
			if r := l.Range; r != nil && *r > 0 && !math.IsInf(*r, 0) {
				out.Range = *r
			}
			if s := l.Spot; s != nil && out.Kind == SpotLight {
				out.Outer = min(max(s.OuterConeAngleOrDefault(), 1e-3), math.Pi/2)
				out.Inner = min(max(s.InnerConeAngle, 0), out.Outer-1e-4)
			} else if out.Kind == SpotLight {
				out.Outer = math.Pi / 4
			}
			d.m.Lights = append(d.m.Lights, out)
		}
	}
	return nil
}

func (d *document) camera(c *gltf.Camera, node int) {
	out := Camera{Name: cmp.Or(d.Nodes[node].Name, c.Name), Node: node}
	switch p, o := c.Perspective, c.Orthographic; {
	case p != nil && p.Yfov > 0 && p.Yfov < math.Pi:
		out.Fovy, out.Near = p.Yfov*180/math.Pi, p.Znear
		if p.Zfar != nil {
			out.Far = *p.Zfar
		}
	case o != nil && o.Ymag != 0:
		out.Height, out.Near, out.Far = 2*math.Abs(o.Ymag), o.Znear, o.Zfar
	default:
		d.note("a camera without a field of view is left out")
		return
	}
	d.m.Cameras = append(d.m.Cameras, out)
}
