package demo

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/dmp"
	"pica200/internal/mgl"
	"pica200/pica"
)

// stage sets function and sources of a combiner stage.
func (s *scene) stage(i int, function pica.Combine, src ...pica.Source) error {
	for len(src) < 3 {
		src = append(src, pica.SourcePrimaryColor)
	}
	return s.c.Uniforms.SetAll(
		dmp.TexEnvCombineRgb.At(i), function, dmp.TexEnvCombineAlpha.At(i), pica.CombineReplace,
		dmp.TexEnvSrcRgb.At(i), src, dmp.TexEnvSrcAlpha.At(i), []pica.Source{pica.SourcePrimaryColor, pica.SourcePrimaryColor, pica.SourcePrimaryColor})
}

// passOn makes the combiner stages from first on pass their input on.
func (s *scene) passOn(first int) error {
	for i := first; i < 6; i++ {
		if err := s.stage(i, pica.CombineReplace, pica.SourcePrevious); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) skyMaterial() error {
	if err := s.c.Uniforms.SetAll(dmp.LightingEnabled, false, dmp.Texture0SamplerType, pica.TextureDisabled); err != nil {
		return err
	}
	if err := s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor); err != nil {
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
		dmp.LightingEnabled, true,
		dmp.LightingAmbient, []float32{0.35, 0.4, 0.5, 1},
		dmp.MaterialDiffuse, diffuse,
		dmp.MaterialAmbient, ambient,
		dmp.MaterialSpecular0, specular,
		dmp.LightEnvLutEnabledD0, true,
		dmp.LightEnvAbsLutInputD0, true,
		dmp.LightEnvLutInputD0, pica.LutInputNH,
		dmp.LightEnvClampHighlights, true,
		dmp.Texture0SamplerType, pica.Texture2D,
	); err != nil {
		return err
	}
	for i, st := range []struct {
		function pica.Combine
		a, b     pica.Source
	}{
		{pica.CombineModulate, pica.SourceFragmentPrimary, pica.SourceTexture0},
		{pica.CombineModulate, pica.SourcePrevious, pica.SourcePrimaryColor},
		{pica.CombineAdd, pica.SourcePrevious, pica.SourceFragmentSecondary},
	} {
		if err := s.stage(i, st.function, st.a, st.b); err != nil {
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
	return s.c.Uniforms.SetTableAt(dmp.MaterialSamplerD0, table)
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
		if err := s.c.Uniforms.SetAll(
			dmp.LightEnabled.At(i), true,
			dmp.LightPosition.At(i), p,
			dmp.LightDiffuse.At(i), l.diffuse,
			dmp.LightSpecular0.At(i), l.color,
			dmp.LightAmbient.At(i), []float32{0.2, 0.2, 0.25, 1},
		); err != nil {
			return err
		}
	}
	return nil
}
