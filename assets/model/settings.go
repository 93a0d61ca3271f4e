package model

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Setting gives a dmp_* uniform a value: a bool, a float64, a string (the name
// of a symbol), or a slice of float64 or string.
type Setting struct {
	Name  string
	Value any
}

// Settings says how the fixed fragment stage shows a material: combiners
// (TexEnv), material colours of lighting, and the table of the highlight.
type Settings struct {
	Uniforms []Setting
	// Shininess is the Blinn-Phong exponents of the tables D0 and D1, which take N·H; 0 where
	// a table is not used.
	Shininess [2]float64
	// Mirror is how much of its surroundings the surface reflects, 0 to 1;
	// Surroundings adds them to the table D0. Blur is the roughness.
	Mirror, Blur float64
	// Units are the textures: unit 0 the base texture, unit 1 the normal map, unit 2 the
	// emissive map.
	Units [3]Texture
	// Metal is the image whose blue, times MetalFactor, replaces blue of unit 1,
	// which the normal map does not need; -1 is none.
	Metal       int
	MetalFactor float32
}

// Settings translates the material. vertexColors says whether the part has any;
// lit whether lights shine on it; masks whether metalness may vary over the
// surface, which needs both highlights of each light to be the same grey.
//
// The combiners compute
//
//	stage 0   texture * vertex colour (or base colour, unlit)
//	stage 1   * fragment primary colour (diffuse light)        if lit
//	stage 2   + fragment secondary colour (highlight)          if lit
//	stage 3   + emissive texture * emissive colour             if there is one
//
// with alpha from base colour, texture and vertex colour throughout. A metal
// tints what it reflects: for a metal the sum of diffuse light and highlight
// comes first, then the product with texture and vertex colour. Its highlight
// includes the surroundings.
//
// If metalness varies, red of the secondary colour is the highlight of metal
// (table D0), green that of the rest (D1):
//
//	stage 0   red * base colour
//	stage 1   + fragment primary colour, as much as a metal keeps of it
//	stage 2   that or the fragment primary colour, by metalness
//	stage 3   * texture                                        if there is one
//	stage 4   * vertex colour                                  if there are any
//	stage 5   + green * (1 - metalness)
//	stage 6   + emissive texture * emissive colour             if there is any
//
// There are six stages; a material that would need seven uses its mean
// metalness everywhere.
func (m *Material) Settings(vertexColors, lit, masks bool) Settings {
	lit = lit && !m.Unlit
	hasMap := m.EmissiveMap.Image >= 0
	s := Settings{Units: [3]Texture{m.Base, NoTexture, m.EmissiveMap}, Metal: -1}
	if lit {
		s.Units[1] = m.Normal
	}
	mixed := lit && masks && m.Mixed() && !(m.Base.Image >= 0 && vertexColors && m.glows())
	if mixed {
		if s.Metal, s.MetalFactor = m.MetalMap.Image, m.Metallic; m.Normal.Image < 0 {
			s.Units[1] = m.MetalMap.Texture
		}
	} else if m.MetalMap != nil {
		mean := *m
		mean.Metallic, mean.Roughness = m.MetalMap.Metallic, m.MetalMap.Roughness
		m = &mean
	}
	set := func(name string, value any) { s.Uniforms = append(s.Uniforms, Setting{name, value}) }
	base := rgba(m.BaseColor)

	unit := func(on bool) string {
		if on {
			return "GL_TEXTURE_2D"
		}
		return "GL_FALSE"
	}
	set("dmp_Texture[0].samplerType", unit(m.Base.Image >= 0))
	set("dmp_Texture[1].samplerType", unit(s.Units[1].Image >= 0))
	set("dmp_Texture[2].samplerType", unit(hasMap))
	if hasMap {
		set("dmp_Texture[2].texcoord", "GL_TEXTURE1") // the library's shaders write two sets
	}
	set("dmp_FragmentLighting.enabled", lit)

	src := []string{"GL_CONSTANT", "GL_CONSTANT", "GL_CONSTANT"}
	combine := "GL_REPLACE"
	switch tex := m.Base.Image >= 0; {
	case tex && vertexColors:
		src[0], src[1], combine = "GL_TEXTURE0", "GL_PRIMARY_COLOR", "GL_MODULATE"
	case tex:
		src[0], combine = "GL_TEXTURE0", "GL_MODULATE"
	case vertexColors:
		src[0], combine = "GL_PRIMARY_COLOR", "GL_MODULATE"
	}
	// If lit, the base colour is part of the material's diffuse colour. Its alpha,
	// and if unlit all of it, is a factor here.
	factor := base
	if lit {
		factor = []float64{1, 1, 1, base[3]}
	}
	stage := 0
	color := []string{"GL_SRC_COLOR", "GL_SRC_COLOR", "GL_SRC_COLOR"}
	operands := color
	env := func(combineRgb, combineAlpha string, rgb, alpha []string, constant []float64) {
		p := "dmp_TexEnv[" + string(rune('0'+stage)) + "]."
		set(p+"combineRgb", combineRgb)
		set(p+"combineAlpha", combineAlpha)
		set(p+"srcRgb", rgb)
		set(p+"srcAlpha", alpha)
		set(p+"operandRgb", operands)
		set(p+"operandAlpha", []string{"GL_SRC_ALPHA", "GL_SRC_ALPHA", "GL_SRC_ALPHA"})
		set(p+"constRgba", constant)
		stage++
	}
	prev := func(second string) []string { return []string{"GL_PREVIOUS", second, "GL_PREVIOUS"} }
	if lit {
		emission, diffuse, specular, second := m.Emissive, m.diffuse(), m.specular(), mgl32.Vec3{}
		s.Shininess[0] = shininess(m.Roughness)
		if m.metal() {
			s.Mirror, s.Blur = float64(m.Metallic), float64(m.Roughness)
		}
		if mixed {
			s.Shininess = [2]float64{shininess(m.MetalMap.MetalRoughness), shininess(m.MetalMap.RestRoughness)}
			s.Mirror, s.Blur = 1, float64(m.MetalMap.MetalRoughness)
			diffuse, specular = m.BaseColor.Vec3(), mgl32.Vec3{1, 0, 0}
			second[1] = float32(float32(gain(s.Shininess[1])) * m.highlight(1))
			set("dmp_LightEnv.config", "config4") // the tables D0, D1 and those of spots
			set("dmp_LightEnv.lutEnabledD1", true)
			set("dmp_LightEnv.absLutInputD1", true)
		}
		if hasMap || mixed {
			emission = mgl32.Vec3{}
		}
		set("dmp_FragmentMaterial.emission", rgb1(emission))
		set("dmp_FragmentMaterial.ambient", rgb1(diffuse))
		set("dmp_FragmentMaterial.diffuse", rgb1(diffuse))
		set("dmp_FragmentMaterial.specular0", rgb1(specular))
		set("dmp_FragmentMaterial.specular1", rgb1(second))
		set("dmp_LightEnv.lutEnabledD0", true)
		set("dmp_LightEnv.absLutInputD0", true)
		set("dmp_LightEnv.clampHighlights", s.Mirror == 0)
		if m.Normal.Image >= 0 {
			set("dmp_LightEnv.bumpSelector", "GL_TEXTURE1")
			set("dmp_LightEnv.bumpMode", "normal")
			set("dmp_LightEnv.bumpRenorm", true)
		} else {
			set("dmp_LightEnv.bumpMode", "none")
		}
	}
	const light, highlight = "fragment_primary_color", "fragment_secondary_color"
	alpha := []string{"GL_CONSTANT", "GL_CONSTANT", "GL_CONSTANT"}
	tint := func() {
		for i, on := range []bool{m.Base.Image >= 0, vertexColors} {
			if of := []string{"GL_TEXTURE0", "GL_PRIMARY_COLOR"}[i]; on {
				env("GL_MODULATE", "GL_MODULATE", prev(of), prev(of), []float64{0, 0, 0, 0})
			}
		}
	}
	switch {
	case mixed:
		operands = []string{"red", "GL_SRC_COLOR", "GL_SRC_COLOR"}
		env("GL_MODULATE", "GL_REPLACE", []string{highlight, "GL_CONSTANT", "GL_PREVIOUS"}, alpha, base)
		operands = color
		env("mult_add", "GL_REPLACE", []string{light, "GL_CONSTANT", "GL_PREVIOUS"}, prev("GL_PREVIOUS"), []float64{metalKeeps, metalKeeps, metalKeeps, 0})
		operands = []string{"GL_SRC_COLOR", "GL_SRC_COLOR", "blue"}
		env("GL_INTERPOLATE", "GL_REPLACE", []string{"GL_PREVIOUS", light, "GL_TEXTURE1"}, prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
		operands = color
		tint()
		operands = []string{"green", "one_minus_blue", "GL_SRC_COLOR"}
		env("mult_add", "GL_REPLACE", []string{highlight, "GL_TEXTURE1", "GL_PREVIOUS"}, prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
		operands = color
		if !hasMap && m.glows() {
			env("GL_ADD", "GL_REPLACE", prev("GL_CONSTANT"), prev("GL_PREVIOUS"), rgb1(m.Emissive))
		}
	case s.Mirror > 0:
		env("GL_ADD", "GL_REPLACE", []string{light, highlight, "GL_PREVIOUS"}, alpha, factor)
		tint()
	default:
		three := src[0] != "GL_CONSTANT" && src[1] != "GL_CONSTANT"
		env(combine, combine, src, src, factor)
		if three && (factor[0] != 1 || factor[1] != 1 || factor[2] != 1 || factor[3] != 1) {
			env("GL_MODULATE", "GL_MODULATE", prev("GL_CONSTANT"), prev("GL_CONSTANT"), factor)
		}
		if lit {
			env("GL_MODULATE", "GL_REPLACE", prev(light), prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
			env("GL_ADD", "GL_REPLACE", prev(highlight), prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
		}
	}
	if hasMap {
		env("mult_add", "GL_REPLACE", []string{"GL_TEXTURE2", "GL_CONSTANT", "GL_PREVIOUS"}, prev("GL_PREVIOUS"), rgb1(m.Emissive))
	}
	for stage < 6 {
		env("GL_REPLACE", "GL_REPLACE", prev("GL_PREVIOUS"), prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
	}
	set("dmp_FragOperation.enableAlphaTest", m.Alpha == Mask)
	if m.Alpha == Mask {
		set("dmp_FragOperation.alphaTestFunc", "GL_GEQUAL")
		set("dmp_FragOperation.alphaRefValue", float64(m.Cutoff))
	}
	return s
}

// shininess converts a roughness to a Blinn-Phong exponent: 2/a^2 - 2 with a
// the square of the roughness (Karis, "Specular BRDF Reference", 2013), 1 to
// 512.
func shininess(roughness float32) float64 {
	a := float64(roughness) * float64(roughness)
	if a < 0.0625 {
		return 512
	}
	return max(1, 2/float64(a*a)-2)
}

// Mixed reports whether some points of the material are more metallic than
// others.
func (m *Material) Mixed() bool { return m.MetalMap != nil && m.MetalMap.Varies }

// metal reports whether the material is more metallic than not.
func (m *Material) metal() bool { return m.Metallic >= 0.5 }

// metalKeeps is the part of its diffuse light that a metal keeps.
const metalKeeps = 0.4

// diffuse returns the base colour, darker the more metallic the material is. A
// metal has no diffuse light, but without surroundings to reflect it would be
// black.
func (m *Material) diffuse() mgl32.Vec3 {
	var c mgl32.Vec3
	for k := range c {
		c[k] = float32(m.BaseColor[k] * (1 - float32((1-metalKeeps)*m.Metallic)))
	}
	return c
}

// Surroundings adds the reflections of a metal to the table D0, whose input is
// N·H from 0 to 1: a dark floor, a bright band like a horizon or a window, and
// a sky. The rougher the surface, the softer the band.
func (s *Settings) Surroundings(table []float32) {
	if s.Mirror == 0 {
		return
	}
	step := func(from, to, x float64) float64 {
		t := min(max((x-from)/(to-from), 0), 1)
		return float64(float64(t*t) * (3 - float64(2*t)))
	}
	half := 0.02 + float64(0.2*s.Blur) // of the band's edges
	for i := range table {
		x := float64(i) / float64(len(table)-1)
		band := step(0.5-half, 0.5+half, x) - step(0.78-half, 0.78+half, x)
		seen := 0.1 + float64(0.4*step(0, 1, x)) + float64(0.3*band)
		table[i] = float32(min(float64(float64(table[i])*gain(s.Shininess[0]))+float64(s.Mirror*seen), 1))
	}
}

// specular returns the highlight's colour: the specular colour, for metals the
// base colour. A rough surface spreads the same light wider; the factor keeps
// the sum of its highlight near that of a smooth one.
func (m *Material) specular() mgl32.Vec3 {
	gain := float32(gain(shininess(m.Roughness)))
	if m.metal() {
		gain = 1 // the table has it, where the surroundings keep their light
	}
	var c mgl32.Vec3
	for k := range c {
		c[k] = float32(gain * (float32(m.highlight(k)*(1-m.Metallic)) + float32(m.BaseColor[k]*m.Metallic)))
	}
	return c
}

// highlight returns a channel of the highlight for a surface that is no metal.
// Materials for physically based renderers expect an environment, which is
// missing; without a factor a reflectance of 0.04 would be invisible.
func (m *Material) highlight(k int) float32 {
	const boost = 6
	if m.Specular[k] > 0.2 {
		return m.Specular[k]
	}
	return min(float32(m.Specular[k]*boost), 1)
}

func gain(shininess float64) float64 { return math.Min(1, math.Sqrt(shininess/64)) }

// glows reports whether the material emits light.
func (m *Material) glows() bool { return m.EmissiveMap.Image >= 0 || m.Emissive != mgl32.Vec3{} }

func rgba(c mgl32.Vec4) []float64 {
	return []float64{float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3])}
}

func rgb1(c mgl32.Vec3) []float64 {
	return []float64{float64(c[0]), float64(c[1]), float64(c[2]), 1}
}
