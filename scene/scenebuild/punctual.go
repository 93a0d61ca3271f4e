package scenebuild

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/scene"
)

// Cameras and lights of glTF files (KHR_lights_punctual).

// follow returns curves of what f says of a node's place while an animation (-1: none)
// plays: one key if nothing moves, fewer than 30 a second for models of very many nodes.
func follow(m *model.Model, anim, node int, f func(at mgl64.Mat4) [][]float64) (curves []*scene.Curve) {
	length := 0.0
	if anim >= 0 {
		length = float64(m.Animations[anim].Duration)
	}
	steps := int(min(math.Ceil(length*30), maxCameraKeys, float64(1<<20/len(m.Nodes))))
	for i := range steps + 1 {
		t := length * float64(i) / float64(max(steps, 1))
		if i == steps {
			t = max(math.Nextafter(float64(float32(t)), 0), 0) // at its end an animation begins again
		}
		pose, err := m.Pose(anim, t)
		if err != nil {
			return nil
		}
		for k, v := range f(pose.World[node]) {
			if i == 0 {
				curves = append(curves, &scene.Curve{Loop: steps > 0})
			}
			curves[k].Keys = append(curves[k].Keys, scene.Key{T: t, V: v})
		}
	}
	for _, c := range curves {
		if !slices.ContainsFunc(c.Keys, func(k scene.Key) bool { return !slices.Equal(k.V, c.Keys[0].V) }) {
			c.Keys, c.Loop = c.Keys[:1], false
		}
	}
	return curves
}

// behind returns where a node's +z points to.
func behind(at mgl64.Mat4) mgl64.Vec3 {
	if z := mgl.Unit(at.Col(2).Vec3()); z != (mgl64.Vec3{}) {
		return z
	}
	return mgl64.Vec3{0, 0, 1}
}

// modelCamera converts a camera of a model. place is the transformation of the
// draw.
func modelCamera(m *model.Model, c *model.Camera, anim int, place mgl64.Mat4) (scene.Camera, error) {
	lo, hi, ok, err := whole(m)
	if err != nil {
		return scene.Camera{}, err
	}
	reach, distance := 1.0, 1.0
	curves := follow(m, anim, c.Node, func(at mgl64.Mat4) [][]float64 {
		at = mgl.Mul(place, at)
		eye, back, up := at.Col(3).Vec3(), behind(at), mgl.Unit(at.Col(1).Vec3())
		if up.Cross(back).Len() < 1e-9 {
			up = mgl64.Vec3{back[1], back[2], back[0]}
		}
		if ok {
			for i := range 8 {
				corner := mgl64.Vec3{}
				for k := range corner {
					corner[k] = float64([]mgl32.Vec3{lo, hi}[i>>k&1][k])
				}
				d := mgl.Apply(place, corner.Vec4(1)).Vec3().Sub(eye).Len()
				if reach = max(reach, d); i == 0 {
					distance = max(d, 1e-3)
				}
			}
		}
		point := eye.Sub(back.Mul(distance))
		return [][]float64{eye[:], point[:], up[:]}
	})
	out := scene.Camera{Eye: curves[0], At: curves[1], Up: curves[2], Near: min(max(c.Near, 1e-6), 1e8), Far: c.Far}
	if out.Far == 0 {
		out.Far = 2 * reach
	}
	out.Near = max(out.Near, out.Far/1e6) // the depth buffer has 24 bits
	out.Far = min(max(out.Far, out.Near*1.001), 1e9)
	if c.Height > 0 {
		out.Height = scene.Const(c.Height)
	} else {
		out.Fovy = scene.Const(c.Fovy)
	}
	return out, nil
}

// modelLights gives a scene the lights of its model, the brightest first. The
// PICA200 has neither light above 1 nor exposure: in the middle of the model they
// are 0.5 to 1 together. It returns a note if there are too many.
func modelLights(s *scene.Scene, m *model.Model, lo, hi mgl32.Vec3) (note string) {
	if len(m.Lights) == 0 {
		return ""
	}
	anim := min(len(m.Animations), 1) - 1
	pose, err := m.Pose(anim, 0)
	if err != nil {
		return ""
	}
	mid := mgl.Wide3(lo).Add(mgl.Wide3(hi)).Mul(0.5)
	radius := float64(mgl.Wide3(hi).Sub(mgl.Wide3(lo)).Len() / 2) // rounded before it is added to
	type lamp struct {
		*model.Light
		far, shine float64 // to the middle; there
	}
	var lamps []lamp
	sum := 0.0
	for i := range m.Lights {
		l := &m.Lights[i]
		one := lamp{Light: l, far: pose.World[l.Node].Col(3).Vec3().Sub(mid).Len()}
		one.shine = float64(l.Intensity * l.Falloff(max(one.far, radius/4)) * float64(max(l.Color[0], l.Color[1], l.Color[2])))
		lamps = append(lamps, one)
	}
	slices.SortStableFunc(lamps, func(a, b lamp) int { return cmp.Compare(b.shine, a.shine) })
	if n := len(lamps); n > pica.NumLights {
		note = fmt.Sprintf("the model has %d lights; the %d brightest are drawn", n, pica.NumLights)
		lamps = lamps[:pica.NumLights]
	}
	for _, l := range lamps {
		sum += l.shine
	}
	exposure := 1 / math.Pi
	if sum > 0 {
		exposure = min(max(exposure, 0.5/sum), 1/sum)
	}
	s.Lights = nil
	for i, l := range lamps {
		var colour [3]float64
		for k := range colour {
			colour[k] = model.ToDisplay(float64(float64(l.Color[k]) / float64(max(l.Color[0], l.Color[1], l.Color[2], 1e-9)) * l.shine * exposure))
		}
		grey := max(colour[0], colour[1], colour[2])
		out := scene.Light{Ambient: scene.Const(0, 0, 0), Diffuse: scene.Const(colour[:]...), Specular0: scene.Const(grey, grey, grey)}
		curves := follow(m, anim, l.Node, func(at mgl64.Mat4) [][]float64 {
			place, back := at.Col(3).Vec3(), behind(at)
			front := back.Mul(-1)
			return [][]float64{place[:], back[:], front[:]}
		})
		if l.Kind == model.Directional {
			out.Direction = curves[1]
			s.Lights = append(s.Lights, out)
			continue
		}
		out.Position = curves[0]
		set := func(name string, value any) {
			out.Uniforms = append(out.Uniforms, scene.Uniform{Name: name, Values: []any{value}})
		}
		table := func(kind string, signed bool, f func(x float64) float64, from, to float64) {
			t := scene.Table{Name: fmt.Sprintf("%s%d", kind, i), Signed: signed}
			if signed {
				t.Points = []mgl64.Vec2{{-1, 0}}
			}
			for k := range 33 {
				x := from + float64(float64(float64(k*k)/1024)*(to-from))
				t.Points = append(t.Points, mgl64.Vec2{x, model.ToDisplay(f(x))})
			}
			s.Tables = append(s.Tables, t)
			set(map[string]string{"distance": "samplerDA", "cone": "samplerSP"}[kind], t.Name)
		}
		reach := max(float64((l.far+radius)*1.5), 1e-3)
		if l.Range > 0 {
			reach = min(reach, l.Range)
		}
		middle := l.Falloff(max(l.far, radius/4))
		table("distance", false, func(x float64) float64 { return l.Falloff(float64(x*reach)) / max(middle, 1e-30) }, 0, 1)
		set("distanceAttenuationEnabled", true)
		set("distanceAttenuationScale", 1/reach)
		if l.Kind == model.SpotLight {
			inner, outer := math.Cos(l.Inner), math.Cos(l.Outer)
			table("cone", true, func(x float64) float64 { v := (x - outer) / (inner - outer); return float64(v * v) }, outer, inner)
			out.Spot = curves[2]
		}
		s.Lights = append(s.Lights, out)
	}
	return note
}
