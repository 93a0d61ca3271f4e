package shading

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/scene"
)

// metalKeeps is the part of its diffuse light that a metal keeps.
const metalKeeps = 0.4

// light returns how lights show a material.
func light(m *Material, masked bool) *Light {
	l := &Light{Emission: m.Emissive, Ambient: diffuse(m), Diffuse: diffuse(m), Bumps: m.Normal.Image >= 0}
	if masked {
		l.Ambient, l.Diffuse, l.Layer = m.BaseColor.Vec3(), m.BaseColor.Vec3(), pica.LightLayer4 // the tables D0, D1 and those of spots
		l.Highlights = [2]Highlight{
			{Shininess: shininess(m.metal.metalRoughness), Mirror: 1, Blur: float64(m.metal.metalRoughness)},
			{Shininess: shininess(m.metal.restRoughness)},
		}
		l.Specular[0][0] = 1
		l.Specular[1][1] = float32(float32(gain(l.Highlights[1].Shininess)) * highlight(m, 1))
		return l
	}
	l.Highlights[0].Shininess, l.Specular[0] = shininess(m.Roughness), specular(m)
	if isMetal(m) {
		l.Highlights[0].Mirror, l.Highlights[0].Blur = float64(m.Metallic), float64(m.Roughness)
	}
	return l
}

func (l *Light) apply(u *dmp.State) error {
	for i, h := range l.Highlights {
		if h.Shininess == 0 {
			continue
		}
		if err := u.SetAll(dmp.LightEnvLutEnabledD0.At(i), true, dmp.LightEnvAbsLutInputD0.At(i), true); err != nil {
			return err
		}
		if err := u.SetTableAt(dmp.MaterialSamplerD0.At(i), h.Table()); err != nil {
			return err
		}
	}
	if l.Bumps {
		if err := u.SetAll(dmp.LightEnvBumpMode, pica.BumpNormal, dmp.LightEnvBumpSelector, pica.SourceTexture1, dmp.LightEnvBumpRenorm, true); err != nil {
			return err
		}
	}
	return u.SetAll(
		dmp.MaterialEmission, l.Emission.Vec4(1), dmp.MaterialAmbient, l.Ambient.Vec4(1), dmp.MaterialDiffuse, l.Diffuse.Vec4(1),
		dmp.MaterialSpecular0, l.Specular[0].Vec4(1), dmp.MaterialSpecular1, l.Specular[1].Vec4(1),
		dmp.LightEnvConfig, l.Layer, dmp.LightEnvClampHighlights, l.Highlights[0].Mirror == 0)
}

// Highlight is a table of lighting whose input is N·H.
type Highlight struct {
	Shininess float64 // Blinn-Phong exponent; 0 if the table is not used
	// Mirror is how much of its surroundings the surface reflects, 0 to 1. Blur is
	// the roughness.
	Mirror, Blur float64
}

// Table returns the entries, with the surroundings of a metal: a dark floor, a
// bright band like a horizon or a window, and a sky. The rougher the surface,
// the softer the band.
func (h Highlight) Table() []float32 {
	power := scene.Table{Power: h.Shininess}
	table := power.Make(257)
	if h.Mirror == 0 {
		return table
	}
	step := func(from, to, x float64) float64 {
		t := min(max((x-from)/(to-from), 0), 1)
		return float64(float64(t*t) * (3 - float64(2*t)))
	}
	half := 0.02 + float64(0.2*h.Blur) // of the band's edges
	for i := range table {
		x := float64(i) / float64(len(table)-1)
		band := step(0.5-half, 0.5+half, x) - step(0.78-half, 0.78+half, x)
		seen := 0.1 + float64(0.4*step(0, 1, x)) + float64(0.3*band)
		table[i] = float32(min(float64(float64(table[i])*gain(h.Shininess))+float64(h.Mirror*seen), 1))
	}
	return table
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

// gain lowers a wide highlight, so that its sum is near that of a narrow one.
func gain(shininess float64) float64 { return math.Min(1, math.Sqrt(shininess/64)) }

// isMetal reports whether the material is more metallic than not.
func isMetal(m *Material) bool { return m.Metallic >= 0.5 }

// diffuse returns the base colour, darker the more metallic the material is. A
// metal has no diffuse light, but without surroundings to reflect it would be
// black.
func diffuse(m *Material) mgl32.Vec3 {
	var c mgl32.Vec3
	for k := range c {
		c[k] = float32(m.BaseColor[k] * (1 - float32((1-metalKeeps)*m.Metallic)))
	}
	return c
}

// specular returns the highlight's colour: the specular colour, for metals the
// base colour.
func specular(m *Material) mgl32.Vec3 {
	gain := float32(gain(shininess(m.Roughness)))
	if isMetal(m) {
		gain = 1 // the table has it, where the surroundings keep their light
	}
	var c mgl32.Vec3
	for k := range c {
		c[k] = float32(gain * (float32(highlight(m, k)*(1-m.Metallic)) + float32(m.BaseColor[k]*m.Metallic)))
	}
	return c
}

// highlight returns a channel of the highlight for a surface that is no metal.
// Materials for physically based renderers expect an environment, which is
// missing; without a factor a reflectance of 0.04 would be invisible.
func highlight(m *Material, k int) float32 {
	const boost = 6
	if m.Specular[k] > 0.2 {
		return m.Specular[k]
	}
	return min(float32(m.Specular[k]*boost), 1)
}

// glows reports whether the material emits light.
func glows(m *Material) bool { return m.EmissiveMap.Image >= 0 || m.Emissive != mgl32.Vec3{} }
