package shading

import (
	"image"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/model"
)

// Materials are the materials of a model, ready to be drawn.
type Materials struct {
	list []Material
	// Notes says what of the model is not shown, one sentence each.
	Notes []string
}

// Material is a material with the means of its metal map.
type Material struct {
	model.Material
	metal *metal // nil without a map
}

// Default is the material of parts without one.
var Default = Material{Material: model.DefaultMaterial()}

// At returns a material by its number in the model; the default for -1.
func (m *Materials) At(i int) *Material {
	if m == nil || i < 0 || i >= len(m.list) {
		return &Default
	}
	return &m.list[i]
}

// Prepare is the step before Of, once for a model. The library's shaders have
// one set of texture coordinates for all units: the coordinates of each
// material's first texture, with its transformation, become the first set of
// the material's parts. Metal maps are averaged.
func Prepare(m *model.Model) *Materials {
	out := &Materials{}
	note := func(text string) {
		if !slices.Contains(out.Notes, text) {
			out.Notes = append(out.Notes, text)
		}
	}
	sums := map[int]*metalSums{}
	for i := range m.Materials {
		if !firstCoordinates(m, i) {
			note("textures of a material whose coordinates differ from those of the first are drawn with those of the first")
		}
		one := Material{Material: m.Materials[i]}
		if k := one.MetalMap.Image; k >= 0 {
			if sums[k] == nil {
				sums[k] = sumMetal(m.Images[k].Pix)
			}
			if sums[k].uneven {
				note("roughness of metallic-roughness textures counts by its mean, one for what is metal and one for the rest; the PICA200 has no more tables for highlights")
			}
			one.metal = sums[k].means(&one.Material)
		}
		out.list = append(out.list, one)
	}
	return out
}

// firstCoordinates makes the coordinates of a material's first texture the
// first set of its parts. It returns false if another texture that is read
// point by point has others.
func firstCoordinates(m *model.Model, material int) (alike bool) {
	var first *model.Texture
	textures := m.Materials[material].Textures()
	for _, t := range textures {
		if first == nil && t.Image >= 0 {
			first = &model.Texture{UV: t.UV, Transform: t.Transform}
		}
	}
	if first == nil {
		return true
	}
	alike = true
	for k, t := range textures {
		same := t.UV == first.UV && (t.Transform == first.Transform || t.Transform != nil && first.Transform != nil && *t.Transform == *first.Transform)
		alike = alike && (same || t.Image < 0 || k == 3) // means of a metal map need no coordinates
		switch {
		case same:
			t.UV, t.Transform = 0, nil
		case t.UV == first.UV:
			t.UV = 0
		case t.UV == 0:
			t.UV = first.UV
		}
	}
	for i := range m.Meshes {
		for k := range m.Meshes[i].Parts {
			if p := &m.Meshes[i].Parts[k]; p.Material == material && p.UV[first.UV] != nil {
				p.UV[0], p.UV[first.UV] = p.UV[first.UV], p.UV[0]
				transform(p.UV[0], first.Transform)
			}
		}
	}
	return alike
}

// transform transforms texture coordinates in place.
func transform(uv []mgl32.Vec2, x *model.Transform) {
	if x == nil {
		return
	}
	s, c := math.Sincos(x.Rotation)
	for i := range uv {
		u, v := float64(uv[i][0]), 1-float64(uv[i][1])
		at := func(a, b, offset float64) float64 { return float64(a*u) + float64(b*v) + offset }
		uv[i] = mgl32.Vec2{float32(at(c*x.Scale[0], s*x.Scale[1], x.Offset[0])), float32(1 - at(-s*x.Scale[0], c*x.Scale[1], x.Offset[1]))}
	}
}

// metal is the means of a metallic-roughness texture, times the material's
// factors: of both values, and of roughness weighted by metalness and by its
// complement.
type metal struct {
	metallic, roughness, metalRoughness, restRoughness float32
	varies                                             bool // some points are more metallic than others
}

// metalSums are sums over the texels of a metallic-roughness texture, 0 to 1 each.
type metalSums struct {
	n, green, blue, both float64 // both: of the products
	least, most          float32 // of blue
	uneven               bool    // green differs
}

func sumMetal(pix *image.NRGBA) *metalSums {
	s := &metalSums{n: float64(len(pix.Pix) / 4)}
	var green, blue, both uint64
	var least, most [2]uint8
	least = [2]uint8{255, 255}
	for i := 0; i+3 < len(pix.Pix); i += 4 {
		g, b := pix.Pix[i+1], pix.Pix[i+2]
		green, blue, both = green+uint64(g), blue+uint64(b), both+uint64(g)*uint64(b)
		least, most = [2]uint8{min(least[0], g), min(least[1], b)}, [2]uint8{max(most[0], g), max(most[1], b)}
	}
	s.green, s.blue, s.both = float64(green)/255, float64(blue)/255, float64(both)/(255*255)
	s.least, s.most = float32(least[1])/255, float32(most[1])/255
	s.uneven = most[0] > least[0]+16
	return s
}

func (s *metalSums) means(of *model.Material) *metal {
	rest := s.n - float64(float64(of.Metallic)*s.blue)
	of1 := func(sum, n float64) float32 {
		if n <= 0 {
			return of.Roughness
		}
		return float32(float64(of.Roughness) * sum / n)
	}
	return &metal{
		metallic: float32(float64(of.Metallic) * s.blue / s.n), roughness: of1(s.green, s.n),
		metalRoughness: of1(s.both, s.blue), restRoughness: of1(s.green-float64(float64(of.Metallic)*s.both), rest),
		varies: float32(s.most-s.least)*of.Metallic >= 1.0/16,
	}
}
