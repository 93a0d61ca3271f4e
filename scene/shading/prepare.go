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

// Material is a material with what Prepare found about it.
type Material struct {
	model.Material
	metal *metal // nil without a map
	// Several means that units have texture coordinates of their own: unit n those of
	// Part.UV[n].
	Several bool
	// maskable: unit 1 can hold the metal map; occlusion: the unit that can hold the
	// occlusion map, 0 for none.
	maskable  bool
	occlusion int
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

// Prepare is the step before Of, once for a model. The texture coordinates that
// the units of a material read, transformed, become the sets of its parts: the
// first alone if all units read the same. Metal maps are averaged.
func Prepare(m *model.Model) *Materials {
	out := &Materials{}
	note := func(text string) {
		if !slices.Contains(out.Notes, text) {
			out.Notes = append(out.Notes, text)
		}
	}
	sums := map[int]*metalSums{}
	for i := range m.Materials {
		one := Material{}
		if k := m.Materials[i].MetalMap.Image; k >= 0 {
			if sums[k] == nil {
				sums[k] = sumMetal(m.Images[k].Pix)
			}
			if sums[k].uneven {
				note("roughness of metallic-roughness textures counts by its mean, one for what is metal and one for the rest; the PICA200 has no more tables for highlights")
			}
			one.metal = sums[k].means(&m.Materials[i])
		}
		if !one.coordinates(m, i) {
			note("a texture asks for coordinates that its mesh does not have; it is drawn with the first, or with those of one point")
		}
		one.Material = m.Materials[i]
		out.list = append(out.list, one)
	}
	return out
}

// coordinates are those of a texture: a set of the mesh and its transformation.
type coordinates struct {
	set  int
	move model.Transform
}

func coordinatesOf(t *model.Texture) coordinates {
	c := coordinates{t.UV, model.Transform{Scale: [2]float64{1, 1}}}
	if t.Transform != nil {
		c.move = *t.Transform
	}
	return c
}

// coordinates makes the coordinates that the units of a material read the sets
// of its parts. It returns false if a part does not have them.
func (one *Material) coordinates(m *model.Model, material int) (there bool) {
	of := &m.Materials[material]
	mask := &model.NoTexture
	if one.metal != nil && one.metal.varies {
		mask = &of.MetalMap
	}
	textures := [3][]*model.Texture{{&of.Base, &of.Normal, &of.EmissiveMap, mask, &of.OcclusionMap}, {&of.Normal, mask, &of.OcclusionMap}, {&of.EmissiveMap, &of.OcclusionMap}}
	units := [3]coordinates{coordinatesOf(&model.NoTexture)}
	some := false
	for k, list := range textures {
		units[k] = units[0]
		if i := slices.IndexFunc(list, func(t *model.Texture) bool { return t.Image >= 0 }); i >= 0 {
			units[k], some = coordinatesOf(list[i]), true
		}
	}
	one.Several = units[1] != units[0] || units[2] != units[0]
	one.maskable = mask.Image >= 0 && coordinatesOf(mask) == units[1]
	if c := coordinatesOf(&of.OcclusionMap); of.OcclusionMap.Image >= 0 {
		one.occlusion = max(slices.Index(units[1:], c)+1, 0)
	}
	for _, t := range of.Textures() {
		if k := slices.Index(units[:], coordinatesOf(t)); t.Image >= 0 && k >= 0 {
			t.UV, t.Transform = k, nil
		}
	}
	there = true
	for i := range m.Meshes {
		for k := range m.Meshes[i].Parts {
			p := &m.Meshes[i].Parts[k]
			if p.Material != material {
				continue
			}
			sets := p.UV
			for n, c := range units {
				if n > 0 && !one.Several {
					break
				}
				if uv := p.UV[c.set]; uv != nil {
					sets[n] = transform(uv, &c.move)
				} else if sets[n] = p.UV[0]; some {
					there = false
				}
			}
			p.UV, p.Bump = sets, of.Normal.UV
		}
	}
	return there
}

// transform returns texture coordinates transformed.
func transform(uv []mgl32.Vec2, x *model.Transform) []mgl32.Vec2 {
	if *x == (model.Transform{Scale: [2]float64{1, 1}}) {
		return uv
	}
	uv = slices.Clone(uv)
	s, c := math.Sincos(x.Rotation)
	for i := range uv {
		u, v := float64(uv[i][0]), 1-float64(uv[i][1])
		at := func(a, b, offset float64) float64 { return float64(a*u) + float64(b*v) + offset }
		uv[i] = mgl32.Vec2{float32(at(c*x.Scale[0], s*x.Scale[1], x.Offset[0])), float32(1 - at(-s*x.Scale[0], c*x.Scale[1], x.Offset[1]))}
	}
	return uv
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
