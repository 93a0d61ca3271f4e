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

// Settings is how the fixed fragment stage shows a material: the combiners
// (TexEnv), the lighting's material colours and the highlight's table.
type Settings struct {
	Uniforms []Setting
	// Shininess is the Blinn-Phong exponent of the table D0, which takes
	// N·H; 0 for a material without lighting.
	Shininess float64
	// Mirror is how much of its surroundings the surface shows, 0 to 1; Surroundings adds
	// them to the table D0. Blur is how rough it is.
	Mirror, Blur float64
	// Texture units in use: unit 0 the base texture, unit 1 the normal map,
	// unit 2 the emissive map.
	Base, Normal, Emissive Texture
}

// Settings translates the material. vertexColors says whether the part has
// any; lit whether lights shine on it.
//
// The combiners compute
//
//	stage 0   texture * vertex colour (or base colour, unlit)
//	stage 1   * fragment primary colour (diffuse light)        if lit
//	stage 2   + fragment secondary colour (highlight)          if lit
//	stage 3   + emissive texture * emissive colour             if there is one
//
// with alpha from base colour, texture and vertex colour throughout. A metal tints what it
// reflects, so that of one the sum of diffuse light and highlight comes first, then the
// product with texture and vertex colour. Its highlight holds the surroundings.
func (m *Material) Settings(vertexColors, lit bool) Settings {
	lit = lit && !m.Unlit
	s := Settings{Base: m.Base, Normal: NoTexture, Emissive: m.EmissiveMap}
	set := func(name string, value any) { s.Uniforms = append(s.Uniforms, Setting{name, value}) }
	base := rgba(m.BaseColor)
	hasMap := m.EmissiveMap.Image >= 0

	unit := func(on bool) string {
		if on {
			return "GL_TEXTURE_2D"
		}
		return "GL_FALSE"
	}
	set("dmp_Texture[0].samplerType", unit(m.Base.Image >= 0))
	set("dmp_Texture[1].samplerType", unit(lit && m.Normal.Image >= 0))
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
	// Where lit the base colour is part of the material's diffuse colour;
	// its alpha, and the whole of it where unlit, is a factor here.
	factor := base
	if lit {
		factor = []float64{1, 1, 1, base[3]}
	}
	stage := 0
	env := func(combineRgb, combineAlpha string, rgb, alpha []string, constant []float64) {
		p := "dmp_TexEnv[" + string(rune('0'+stage)) + "]."
		set(p+"combineRgb", combineRgb)
		set(p+"combineAlpha", combineAlpha)
		set(p+"srcRgb", rgb)
		set(p+"srcAlpha", alpha)
		set(p+"operandRgb", []string{"GL_SRC_COLOR", "GL_SRC_COLOR", "GL_SRC_COLOR"})
		set(p+"operandAlpha", []string{"GL_SRC_ALPHA", "GL_SRC_ALPHA", "GL_SRC_ALPHA"})
		set(p+"constRgba", constant)
		stage++
	}
	prev := func(second string) []string { return []string{"GL_PREVIOUS", second, "GL_PREVIOUS"} }
	if lit {
		set("dmp_FragmentMaterial.emission", rgb1(m.emissive(hasMap)))
		set("dmp_FragmentMaterial.ambient", rgb1(m.diffuse()))
		set("dmp_FragmentMaterial.diffuse", rgb1(m.diffuse()))
		set("dmp_FragmentMaterial.specular0", rgb1(m.specular()))
		set("dmp_FragmentMaterial.specular1", []float64{0, 0, 0, 1})
		set("dmp_LightEnv.lutEnabledD0", true)
		set("dmp_LightEnv.absLutInputD0", true)
		set("dmp_LightEnv.clampHighlights", !m.metal())
		if m.Normal.Image >= 0 {
			s.Normal = m.Normal
			set("dmp_LightEnv.bumpSelector", "GL_TEXTURE1")
			set("dmp_LightEnv.bumpMode", "normal")
			set("dmp_LightEnv.bumpRenorm", true)
		} else {
			set("dmp_LightEnv.bumpMode", "none")
		}
		s.Shininess = m.shininess()
		if m.metal() {
			s.Mirror, s.Blur = float64(m.Metallic), float64(m.Roughness)
		}
	}
	if s.Mirror > 0 {
		env("GL_ADD", "GL_REPLACE", []string{"fragment_primary_color", "fragment_secondary_color", "GL_PREVIOUS"}, []string{"GL_CONSTANT", "GL_CONSTANT", "GL_CONSTANT"}, factor)
		for i, on := range []bool{m.Base.Image >= 0, vertexColors} {
			if tint := []string{"GL_TEXTURE0", "GL_PRIMARY_COLOR"}[i]; on {
				env("GL_MODULATE", "GL_MODULATE", prev(tint), prev(tint), []float64{0, 0, 0, 0})
			}
		}
	} else {
		three := src[0] != "GL_CONSTANT" && src[1] != "GL_CONSTANT"
		env(combine, combine, src, src, factor)
		if three && (factor[0] != 1 || factor[1] != 1 || factor[2] != 1 || factor[3] != 1) {
			env("GL_MODULATE", "GL_MODULATE", prev("GL_CONSTANT"), prev("GL_CONSTANT"), factor)
		}
		if lit {
			env("GL_MODULATE", "GL_REPLACE", prev("fragment_primary_color"), prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
			env("GL_ADD", "GL_REPLACE", prev("fragment_secondary_color"), prev("GL_PREVIOUS"), []float64{0, 0, 0, 0})
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

// Shininess is the Blinn-Phong exponent with about the material's roughness:
// 2/a^2 - 2 with a the square of the roughness (Karis, "Specular BRDF
// Reference", 2013), 1 to 512.
func (m *Material) shininess() float64 {
	a := float64(m.Roughness) * float64(m.Roughness)
	if a < 0.0625 {
		return 512
	}
	return max(1, 2/float64(a*a)-2)
}

// metal tells a material that is metallic rather than not.
func (m *Material) metal() bool { return m.Metallic >= 0.5 }

// diffuse is the base colour, darker the more metallic the material is. A metal has no
// diffuse light, but one without surroundings to reflect would be black.
func (m *Material) diffuse() mgl32.Vec3 {
	var c mgl32.Vec3
	for k := range c {
		c[k] = float32(m.BaseColor[k] * (1 - float32(0.6*m.Metallic)))
	}
	return c
}

// Surroundings adds to the table D0, which takes N·H from 0 to 1, what a metal reflects: a
// dark floor, a bright band as of a horizon or a window, and a sky. The rougher the surface,
// the softer the band.
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
		table[i] = float32(min(float64(float64(table[i])*gain(s.Shininess))+float64(s.Mirror*seen), 1))
	}
}

// specular is the highlight's colour: the specular colour, going over to the
// base colour for metals. A rough surface spreads the same light wider; the
// factor keeps its highlight's sum about that of a smooth one.
func (m *Material) specular() mgl32.Vec3 {
	gain := float32(gain(m.shininess()))
	if m.metal() {
		gain = 1 // the table has it, where the surroundings keep their light
	}
	// Materials made for physically based renderers see an environment that
	// is not there; without a factor a reflectance of 0.04 would not show.
	const boost = 6
	var c mgl32.Vec3
	for k := range c {
		s := min(float32(m.Specular[k]*boost), 1)
		if m.Specular[k] > 0.2 {
			s = m.Specular[k]
		}
		c[k] = float32(gain * (float32(s*(1-m.Metallic)) + float32(m.BaseColor[k]*m.Metallic)))
	}
	return c
}

func gain(shininess float64) float64 { return math.Min(1, math.Sqrt(shininess/64)) }

func (m *Material) emissive(hasMap bool) mgl32.Vec3 {
	if hasMap {
		return mgl32.Vec3{}
	}
	return m.Emissive
}

func rgba(c mgl32.Vec4) []float64 {
	return []float64{float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3])}
}

func rgb1(c mgl32.Vec3) []float64 {
	return []float64{float64(c[0]), float64(c[1]), float64(c[2]), 1}
}
