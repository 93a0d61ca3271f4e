package fragment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// A state that cannot be drawn gives an error that names the position, an unreadable texture a warning; odd but drawable states have a
// defined result.
func TestInvalidStatesAreRefused(t *testing.T) {
	textured := func(set func(r *pica.Regs)) func(s *fieldScene) {
		return func(s *fieldScene) {
			sceneTextures(s)
			set(&s.regs)
		}
	}
	lit := func(set func(r *pica.Regs)) func(s *fieldScene) {
		return func(s *fieldScene) {
			sceneLights(s)
			set(&s.regs)
		}
	}
	for _, c := range []struct {
		name  string
		setup func(s *fieldScene)
		err   string // "" if it draws
	}{
		{"texture of width 0", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 0) }), "texture unit 0: size 0x16"},
		{"texture of height 0", textured(func(r *pica.Regs) { pica.TexunitHeight.At(pica.TexunitOffset(2)).Set(r, 0) }), "texture unit 2: size 16x0"},
		{"texture of width 20", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 20) }), "multiple of 8"},
		{"texture of width 2040", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 2040) }), "1024"},
		{"texture of 24x40", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 24); pica.TexunitHeight.Set(r, 40) }), ""},
		{"texture in no memory", textured(func(r *pica.Regs) { pica.TexunitAddr.Set(r, 0x08000000>>3) }), "texture unit 0"},
		{"texture across the end of memory", textured(func(r *pica.Regs) { pica.TexunitAddr.Set(r, (sceneMemoff+1<<20-8)>>3) }), "texture unit 0"},
		{"texture format 15", textured(func(r *pica.Regs) { pica.TexunitFormat(1).Set(r, 15) }), "texture unit 1: format"},
		{"texture type 7", textured(func(r *pica.Regs) { pica.TexunitType.Set(r, 7) }), "type 7"},
		{"texture off at no address", textured(func(r *pica.Regs) { pica.TexunitAddr.Set(r, 0); pica.TexunitEnable0.SetBool(r, false) }), ""},
		{"texture unit 0 of type disabled", textured(func(r *pica.Regs) { pica.TexunitType.Set(r, uint32(pica.TextureDisabled)) }), ""},
		{"levels past the smallest", textured(func(r *pica.Regs) { pica.TexunitLodMax.Set(r, 15); pica.TexunitLodMin.Set(r, 15) }), ""},
		{"wrap modes 4 to 7", textured(func(r *pica.Regs) { pica.TexunitWrapS.Set(r, 5); pica.TexunitWrapT.Set(r, 7) }), ""},
		{"fragment mode 2", func(s *fieldScene) { pica.ColorOperationMode.Set(&s.regs, 2) }, "mode 2"},
		{"fog mode 3", func(s *fieldScene) { pica.TexenvUpdateFogMode.Set(&s.regs, 3) }, ""},
		{"combiner function 12", func(s *fieldScene) { pica.TexenvRgbCombine.At(pica.TexenvOffset(4)).Set(&s.regs, 12) }, "stage 4"},
		{"combiner function 12 of alpha", func(s *fieldScene) { pica.TexenvAlphaCombine.Set(&s.regs, 12) }, "stage 0"},
		{"combiner source 10", func(s *fieldScene) { s.stage(0, pica.CombineReplace, 10) }, ""},
		{"blend factor 15, equation 7", func(s *fieldScene) { s.regs[pica.RegBlendFunc] = 0xFFFF0707 }, ""},
		{"light layer 7", lit(func(r *pica.Regs) { pica.LightingLayer.Set(r, 7) }), "GPUREG_LIGHTING_CONFIG0[7:4] layer: 7 does not exist"},
		{"light layer 15", lit(func(r *pica.Regs) { pica.LightingLayer.Set(r, 15) }), "15 does not exist"},
		{"bump mode 3", lit(func(r *pica.Regs) { pica.LightingBumpMode.Set(r, 3) }), "bump mode"},
		{"light table input 7", lit(func(r *pica.Regs) { pica.LightingLutInputRG.Set(r, 7) }), "input 7 of table RG"},
		{"light table scale 4", lit(func(r *pica.Regs) { pica.LightingLutScaleFR.Set(r, 4) }), "scale 4 of table FR"},
		{"input 7 of a table that is off", lit(func(r *pica.Regs) { pica.LightingLutInputRG.Set(r, 7); pica.LightingNoRG.SetBool(r, true) }), ""},
		{"layer 7 with lighting off", lit(func(r *pica.Regs) { pica.LightingLayer.Set(r, 7); pica.LightingEnable.SetBool(r, false) }), ""},
		{"the same light eight times", lit(func(r *pica.Regs) { r[pica.RegLightingLightPermutation] = 0x33333333 }), ""},
		{"bump from a texture that is off", lit(func(r *pica.Regs) { pica.LightingBumpMode.Set(r, 1); pica.LightingBumpTexture.Set(r, 1) }), ""},
		{"bump from the procedural texture", lit(func(r *pica.Regs) { pica.LightingBumpMode.Set(r, 1); pica.LightingBumpTexture.Set(r, 3) }), ""},
		{"gas without a depth buffer", func(s *fieldScene) { sceneGasAccumulate(s); s.target.Depth = nil }, "depth buffer"},
		{"gas without a depth buffer that does not read it", func(s *fieldScene) {
			sceneGasAccumulate(s)
			s.target.Depth = nil
			pica.GasDeltazFunc.Set(&s.regs, uint32(pica.GasDepthAlways))
		}, ""},
		{"gas to 16 bits", func(s *fieldScene) { sceneGasAccumulate(s); s.target.ColorFormat = pica.ColorFormatRGBA4 }, "gas buffer"},
		{"shadow to 16 bits", func(s *fieldScene) { sceneShadowWrite(s); s.target.ColorFormat = pica.ColorFormatRGBA4 }, "shadow texture"},
		{"shadow with a penumbra of 0", func(s *fieldScene) { sceneShadowWrite(s); s.regs[pica.RegFragopShadow] = 0 }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFieldScene(c.setup)
			_, err := s.render()
			switch {
			case c.err == "":
				require.NoError(t, err)
				require.Empty(t, s.warnings)
			case len(s.warnings) != 0:
				require.Contains(t, s.warnings[0], c.err)
				require.Contains(t, s.warnings[0], "texture unit")
			default:
				require.ErrorContains(t, err, c.err)
			}
		})
	}
}
