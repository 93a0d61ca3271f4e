package sceneexport

import (
	"pica200/frontend/dmp"
	"pica200/pica"
)

// compared are the bits of the registers that affect a draw's triangles. Not
// compared are queues and their indices, addresses, sizes and formats of
// buffers (they follow from targets and textures), triggers, and the set-up of
// the geometry stage (it follows from the program and the attributes).
var compared = func() (mask pica.Regs) {
	skip := map[pica.Reg]bool{
		pica.RegEarlydepthClear: true, pica.RegShOutattrMode: true, pica.RegShOutattrClock: true, pica.RegRenderbufDim: true,
		pica.RegTexunit0Addr1: true, pica.RegTexunit1Addr: true, pica.RegTexunit2Addr: true,
		pica.RegTexunit0Dim: true, pica.RegTexunit1Dim: true, pica.RegTexunit2Dim: true,
		pica.RegTexunit0Type: true, pica.RegTexunit1Type: true, pica.RegTexunit2Type: true,
		pica.RegProctexLut: true, pica.RegFogLutIndex: true, pica.RegGasLutIndex: true, pica.RegGasLutData: true, pica.RegGasFeedback: true,
		pica.RegLightingLutIndex:      true,
		pica.RegFramebufferInvalidate: true, pica.RegFramebufferFlush: true, pica.RegDepthbufferFormat: true, pica.RegColorbufferFormat: true,
		pica.RegDepthbufferLoc: true, pica.RegColorbufferLoc: true, pica.RegFramebufferDim: true,
	}
	for _, first := range []pica.Reg{pica.RegProctexLutData0, pica.RegFogLutData0, pica.RegLightingLutData0} {
		for i := range pica.Reg(8) {
			skip[first+i] = true
		}
	}
	for i := range pica.Reg(5) {
		skip[pica.RegTexunit0Addr2+i] = true
	}
	for reg := pica.RegFacecullingConfig; reg < pica.RegAttribbuffersLoc; reg++ {
		if skip[reg] {
			continue
		}
		for _, f := range pica.Registers[reg].Fields {
			if f.Type != pica.TypeTrigger && f.Name != "one" && f.Name != "etc1" {
				mask[reg] |= f.Mask()
			}
		}
	}
	for _, f := range []pica.Field{pica.LightingConst4, pica.LightingConst1, pica.LightingConst18, pica.LightingConst23} {
		mask[f.Reg] &^= f.Mask() // always the same, and without a known meaning
	}
	// How many vertices a run of a geometry shader takes.
	mask[pica.RegGshInputbufferConfig] = pica.ShInputCount.Mask()
	return mask
}()

// relevant returns the compared bits of registers, without those that other
// bits make irrelevant.
func relevant(regs *pica.Regs) *pica.Regs {
	mask, clocked := meaningful(regs), *regs
	unmapColors(&clocked)
	for i := range mask {
		mask[i] &= clocked[i]
	}
	return mask
}

// unmapColors takes vertex colours out of the output map if they have no clock:
// then they are 1, as without it.
func unmapColors(r *pica.Regs) {
	if pica.ShOutattrClockColor.Bool(r) {
		return
	}
	for i := range 4 * 7 {
		word, shift := &r[pica.RegShOutmapO0+pica.Reg(i/4)], 8*(i%4)
		if s := pica.Semantic(*word >> shift & 0x1F); s >= pica.SemColorR && s <= pica.SemColorA {
			*word |= 0x1F << shift
		}
	}
}

// withDefaults returns registers whose irrelevant bits are those of a new
// context.
func withDefaults(regs *pica.Regs) *pica.Regs {
	mask := meaningful(regs)
	var r pica.Regs
	dmp.New(&r)
	for i := range r {
		r[i] = regs[i]&mask[i] | r[i]&^mask[i]
	}
	return &r
}

// selection takes bits out of a mask.
type selection struct{ mask pica.Regs }

func (s *selection) drop(unless bool, list ...pica.Reg) {
	if !unless {
		for _, reg := range list {
			s.mask[reg] = 0
		}
	}
}

func (s *selection) dropFields(unless bool, list ...pica.Field) {
	if !unless {
		for _, f := range list {
			s.mask[f.Reg] &^= f.Mask()
		}
	}
}

// meaningful returns which of the compared bits matter with these registers.
func meaningful(r *pica.Regs) *pica.Regs {
	s := &selection{compared}
	s.dropFields(pica.StencilTestEnable.Bool(r), pica.StencilTestFunc, pica.StencilTestRef, pica.StencilTestMask, pica.StencilTestWriteMask)
	s.drop(pica.StencilTestEnable.Bool(r), pica.RegStencilOp)
	s.dropFields(pica.AlphaTestEnable.Bool(r), pica.AlphaTestFunc, pica.AlphaTestRef)
	s.drop(pica.ScissorMode(pica.ScissortestMode.Get(r)) != pica.ScissorOff, pica.RegScissortestPos, pica.RegScissortestDim)
	s.drop(pica.FragopClipEnable.Bool(r), pica.RegFragopClipData0, pica.RegFragopClipData0+1, pica.RegFragopClipData0+2, pica.RegFragopClipData0+3)
	s.drop(pica.EarlydepthTest1.Bool(r) || pica.EarlydepthTest2.Bool(r), pica.RegEarlydepthFunc, pica.RegEarlydepthData)
	blending := pica.BlendMode(pica.ColorOperationBlend.Get(r)) == pica.BlendModeBlend
	s.drop(blending, pica.RegBlendFunc, pica.RegBlendColor)
	s.drop(!blending, pica.RegLogicOp)
	used := s.combiners(r)
	fog := pica.FogMode(pica.TexenvUpdateFogMode.Get(r))
	lit := lighting(r)
	s.lights(r, lit)
	if lit && pica.LightingShadowEnable.Bool(r) {
		used[pica.LightingShadowTexture.Get(r)] = true
	}
	if lit && pica.BumpMode(pica.LightingBumpMode.Get(r)) != pica.BumpNone {
		used[pica.LightingBumpTexture.Get(r)] = true
	}
	if fog == pica.FogModeGas {
		used = [4]bool{true, true, true, true} // gas shading reads a unit by itself
	}
	s.units(r, used)
	s.drop(fog == pica.FogModeFog, pica.RegFogColor)
	s.dropFields(fog == pica.FogModeFog || fog == pica.FogModeGas, pica.TexenvUpdateZFlip)
	s.drop(fog == pica.FogModeGas, pica.RegGasAttenuation, pica.RegGasAccmax, pica.RegGasLightXy, pica.RegGasLightZ, pica.RegGasLightZColor)
	s.dropFields(fog == pica.FogModeGas, pica.TexenvUpdateGasDensity)
	mode := pica.FragmentMode(pica.ColorOperationMode.Get(r))
	s.drop(mode == pica.FragmentModeGas, pica.RegGasDeltazDepth)
	s.drop(mode == pica.FragmentModeShadow, pica.RegFragopShadow)
	on := pica.GeoStage(pica.GeostageMode.Get(r)) == pica.GeoStageOn && pica.GeometryMode(pica.GshMode.Get(r)) == pica.GeometryModePoint
	s.drop(on, pica.RegGshInputbufferConfig)
	for i := pica.ShOutmapTotal.Get(r); i < 7; i++ {
		s.mask[pica.RegShOutmapO0+pica.Reg(i)] = 0
	}
	return &s.mask
}

// units drops texture units that are off, or that nothing takes a colour from.
func (s *selection) units(r *pica.Regs, used [4]bool) {
	for i, on := range unitEnables {
		live := used[i] && on.Bool(r)
		s.dropFields(used[i], on)
		switch i {
		case 0:
			kind := pica.TextureType(pica.TexunitType.Get(r))
			s.drop(live && (kind == pica.TextureShadow2D || kind == pica.TextureShadowCube), pica.RegTexunit0Shadow)
		case 2:
			s.dropFields(live, pica.TexunitTexcoord2)
		case 3:
			s.dropFields(live, pica.TexunitTexcoord3)
			s.drop(live, pica.RegTexunit3Proctex0, pica.RegTexunit3Proctex1, pica.RegTexunit3Proctex2,
				pica.RegTexunit3Proctex3, pica.RegTexunit3Proctex4, pica.RegTexunit3Proctex5, pica.RegTexunit3Proctex6)
			continue
		}
		at := pica.TexunitOffset(i)
		s.drop(live, pica.RegTexunit0BorderColor+at, pica.RegTexunit0Param+at, pica.RegTexunit0Lod+at)
	}
}

var unitEnables = [4]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2, pica.TexunitEnable3}

// unitLive reports whether a draw reads a texture unit.
func unitLive(r *pica.Regs, i int) bool {
	f := unitEnables[i]
	return meaningful(r)[f.Reg]&f.Mask() != 0 && f.Bool(r)
}

var (
	rgbSources    = [3]pica.Field{pica.TexenvRgbSource0, pica.TexenvRgbSource1, pica.TexenvRgbSource2}
	rgbOperands   = [3]pica.Field{pica.TexenvRgbOperand0, pica.TexenvRgbOperand1, pica.TexenvRgbOperand2}
	alphaSources  = [3]pica.Field{pica.TexenvAlphaSource0, pica.TexenvAlphaSource1, pica.TexenvAlphaSource2}
	alphaOperands = [3]pica.Field{pica.TexenvAlphaOperand0, pica.TexenvAlphaOperand1, pica.TexenvAlphaOperand2}
)

// combiners removes inputs that a combiner stage's function does not use, and
// constants that no input uses. It returns which texture units are inputs.
func (s *selection) combiners(r *pica.Regs) (used [4]bool) {
	buffer := false
	stages := 6
	if pica.FogMode(pica.TexenvUpdateFogMode.Get(r)) == pica.FogModeGas {
		stages = 5 // gas takes what it shades with from the inputs of the last
		buffer = true
	}
	for stage := range stages {
		at := pica.TexenvOffset(stage)
		constant := false
		for _, half := range []struct {
			combine           pica.Field
			sources, operands [3]pica.Field
		}{{pica.TexenvRgbCombine, rgbSources, rgbOperands}, {pica.TexenvAlphaCombine, alphaSources, alphaOperands}} {
			inputs := pica.Combine(half.combine.At(at).Get(r)).Inputs()
			if inputs == 0 { // does not exist: left as it is
				inputs = 3
			}
			for k := range 3 {
				if k >= inputs {
					s.dropFields(false, half.sources[k].At(at), half.operands[k].At(at))
					continue
				}
				switch src := pica.Source(half.sources[k].At(at).Get(r)); src {
				case pica.SourceTexture0, pica.SourceTexture1, pica.SourceTexture2, pica.SourceTexture3:
					used[src-pica.SourceTexture0] = true
				case pica.SourceConstant:
					constant = true
				case pica.SourcePreviousBuffer:
					buffer = true
				}
			}
		}
		s.drop(constant, pica.RegTexenv0Color+at)
	}
	s.drop(buffer, pica.RegTexenvBufferColor)
	s.dropFields(buffer, pica.TexenvUpdateRgb, pica.TexenvUpdateAlpha)
	return used
}

// lights drops what lighting does not read.
func (s *selection) lights(r *pica.Regs, lit bool) {
	used := [pica.NumLights]bool{}
	if lit {
		n := int(pica.LightingNumLights.Get(r)) + 1
		for i := range pica.NumLights {
			if i < n {
				used[pica.LightingPermutation(i).Get(r)] = true
			} else {
				s.dropFields(false, pica.LightingPermutation(i))
			}
		}
	} else {
		for reg := pica.RegLightingAmbient; reg <= pica.RegLightingLightPermutation; reg++ {
			s.drop(false, reg)
		}
		s.dropFields(pica.LightingEnable.Bool(r), pica.LightingDisable)
	}
	for i, on := range used {
		if on {
			continue
		}
		for reg := range pica.Reg(pica.StrideLight) {
			s.drop(false, pica.RegLight0Specular0+pica.Reg(i)*pica.StrideLight+reg)
		}
		for _, f := range []pica.Field{pica.LightingNoShadow, pica.LightingNoSpot, pica.LightingNoDistance} {
			s.mask[f.Reg] &^= 1 << (int(f.Lo) + i)
		}
	}
}
