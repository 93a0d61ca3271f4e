package demo

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// stage sets function and sources of a combiner stage.
func (s *scene) stage(i int, function string, src ...string) error {
	for len(src) < 3 {
		src = append(src, "GL_PRIMARY_COLOR")
	}
	at := func(name string) string { return fmt.Sprintf("dmp_TexEnv[%d].%s", i, name) }
	return s.c.Uniforms.SetAll(
		at("combineRgb"), function, at("combineAlpha"), "GL_REPLACE",
		at("srcRgb"), src, at("srcAlpha"), []string{"GL_PRIMARY_COLOR", "GL_PRIMARY_COLOR", "GL_PRIMARY_COLOR"})
}

// passOn makes the combiner stages from first on pass their input on.
func (s *scene) passOn(first int) error {
	for i := first; i < 6; i++ {
		if err := s.stage(i, "GL_REPLACE", "GL_PREVIOUS"); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) skyMaterial() error {
	if err := s.c.Uniforms.SetAll("dmp_FragmentLighting.enabled", false, "dmp_Texture[0].samplerType", "GL_FALSE"); err != nil {
		return err
	}
	if err := s.stage(0, "GL_REPLACE", "GL_PRIMARY_COLOR"); err != nil {
		return err
	}
	return s.passOn(1)
}

func (s *scene) floorMaterial() error {
	return s.lit([]float32{0.75, 0.78, 0.85, 1}, []float32{0.10, 0.10, 0.12, 1}, []float32{0.25, 0.25, 0.3, 1})
}

func (s *scene) knotMaterial() error {
	return s.lit([]float32{0.85, 0.85, 0.85, 1}, []float32{0.12, 0.12, 0.16, 1}, []float32{0.9, 0.9, 0.9, 1})
}

// lit is a textured surface under fragment lighting: (diffuse sum * texture *
// vertex colour) + specular sum.
func (s *scene) lit(diffuse, ambient, specular []float32) error {
	if err := s.c.Uniforms.SetAll(
		"dmp_FragmentLighting.enabled", true,
		"dmp_FragmentLighting.ambient", []float32{0.35, 0.4, 0.5, 1},
		"dmp_FragmentMaterial.diffuse", diffuse,
		"dmp_FragmentMaterial.ambient", ambient,
		"dmp_FragmentMaterial.specular0", specular,
		"dmp_LightEnv.lutEnabledD0", true,
		"dmp_LightEnv.absLutInputD0", true,
		"dmp_LightEnv.lutInputD0", "nh",
		"dmp_LightEnv.clampHighlights", true,
		"dmp_Texture[0].samplerType", "GL_TEXTURE_2D",
	); err != nil {
		return err
	}
	for i, st := range [][]string{
		{"GL_MODULATE", "fragment_primary_color", "GL_TEXTURE0"},
		{"GL_MODULATE", "GL_PREVIOUS", "GL_PRIMARY_COLOR"},
		{"GL_ADD", "GL_PREVIOUS", "fragment_secondary_color"},
	} {
		if err := s.stage(i, st[0], st[1:]...); err != nil {
			return err
		}
	}
	return s.passOn(3)
}

// highlight is Blinn's: (N.H)^48.
func (s *scene) highlight() error {
	table := make([]float32, 257)
	for i := range table {
		table[i] = float32(math.Pow(float64(i)/256, 48))
	}
	return s.c.Uniforms.SetTable("dmp_FragmentMaterial.samplerD0", table)
}

// lights places a warm light above the scene and a cold one behind it. Positions
// are in view space.
func (s *scene) lights(camera mgl64.Mat4) error {
	for i, l := range []struct {
		position       mgl64.Vec4
		color, diffuse []float32
	}{
		{mgl64.Vec4{4, 6, 5, 1}, []float32{1, 0.93, 0.8, 1}, []float32{0.95, 0.85, 0.7, 1}},
		{mgl64.Vec4{-5, 3, -3, 1}, []float32{0.5, 0.6, 0.9, 1}, []float32{0.25, 0.35, 0.6, 1}},
	} {
		p := mgl.Narrow4(mgl.Apply(camera, l.position))
		at := func(name string) string { return fmt.Sprintf("dmp_FragmentLightSource[%d].%s", i, name) }
		if err := s.c.Uniforms.SetAll(
			at("enabled"), true,
			at("position"), p,
			at("diffuse"), l.diffuse,
			at("specular0"), l.color,
			at("ambient"), []float32{0.2, 0.2, 0.25, 1},
		); err != nil {
			return err
		}
	}
	return nil
}
