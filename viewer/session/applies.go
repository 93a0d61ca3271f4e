package session

import (
	"fmt"

	"pica200/fragment"
	"pica200/pica"
)

// ViewUse records which views have something to show, from the draws of a
// picture.
type ViewUse struct {
	draws    int
	textures [4]bool
	lighting bool
	stencil  bool
	stages   [pica.NumTexenvs]bool
}

// Add includes the registers of a draw.
func (u *ViewUse) add(r *pica.Regs) {
	u.draws++
	for i, f := range [4]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2, pica.TexunitEnable3} {
		u.textures[i] = u.textures[i] || f.Bool(r)
	}
	u.lighting = u.lighting || pica.LightingEnable.Bool(r)
	u.stencil = u.stencil || pica.StencilTestEnable.Bool(r)
	for i := range u.stages {
		at := pica.TexenvOffset(i)
		is := func(f pica.Field, want uint32) bool { return f.At(at).Get(r) == want }
		passes := is(pica.TexenvRgbCombine, uint32(pica.CombineReplace)) && is(pica.TexenvAlphaCombine, uint32(pica.CombineReplace)) &&
			is(pica.TexenvRgbSource0, uint32(pica.SourcePrevious)) && is(pica.TexenvAlphaSource0, uint32(pica.SourcePrevious)) &&
			is(pica.TexenvRgbOperand0, 0) && is(pica.TexenvAlphaOperand0, 0) && is(pica.TexenvRgbScale, 0) && is(pica.TexenvAlphaScale, 0)
		u.stages[i] = u.stages[i] || !passes
	}
}

// Missing returns why a view has nothing of its own to show, or "" if it has or
// if no draws were added.
func (u *ViewUse) Missing(v fragment.View) string {
	switch {
	case u.draws == 0:
		return ""
	case v >= fragment.ViewTexture0 && v <= fragment.ViewTexture2 && !u.textures[v-fragment.ViewTexture0]:
		return "no texture"
	case v == fragment.ViewTexture3 && !u.textures[3]:
		return "not procedural"
	case (v == fragment.ViewLightPrimary || v == fragment.ViewLightSecondary || v == fragment.ViewNormal) && !u.lighting:
		return "not lit"
	case v >= fragment.ViewStage0 && v <= fragment.ViewStage5 && !u.stages[v-fragment.ViewStage0]:
		if v == fragment.ViewStage0 {
			return "passes on"
		}
		return fmt.Sprintf("as stage%d", v-fragment.ViewStage0-1)
	case v == ViewStencil && !u.stencil:
		return "no stencil test"
	}
	return ""
}
