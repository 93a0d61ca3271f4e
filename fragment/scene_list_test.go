package fragment

import (
	"math/rand/v2"

	"pica200/pica"
)

// fieldScenes are the scenes that fieldTable refers to.
var fieldScenes = []struct {
	name  string
	setup func(s *fieldScene)
}{
	{"textures", sceneTextures},
	{"mipmaps", sceneMipmaps},
	{"filters", sceneFilters},
	{"cube", func(s *fieldScene) { sceneSpecial(s, pica.TextureCube) }},
	{"projection", func(s *fieldScene) { sceneSpecial(s, pica.TextureProjection) }},
	{"shadow-texture", func(s *fieldScene) { sceneSpecial(s, pica.TextureShadow2D) }},
	{"shadow-cube", func(s *fieldScene) { sceneSpecial(s, pica.TextureShadowCube) }},
	{"proctex", sceneProcTex},
	{"combiners", sceneCombiners},
	{"combiner-buffer", sceneCombinerBuffer},
	{"fog", sceneFog},
	{"gas-accumulate", sceneGasAccumulate},
	{"gas-shade", sceneGasShade},
	{"shadow-write", sceneShadowWrite},
	{"blend", sceneBlend},
	{"logic-op", sceneLogicOp},
	{"alpha-test", sceneAlphaTest},
	{"depth-stencil", sceneDepthStencil},
	{"stencil-pass", sceneStencilPass},
	{"depth-locked", sceneDepthLocked},
	{"unread", sceneUnread},
	{"lights", sceneLights},
	{"lights-shadow", sceneLightsShadow},
	{"lights-bump", sceneLightsBump},
	{"lights-tangent", sceneLightsTangent},
	{"lights-bump-proctex", sceneLightsBumpProcTex},
	{"proctex-far", func(s *fieldScene) { // levels 4 to 7
		sceneProcTex(s)
		bias := pica.Float16.Encode(2)
		pica.ProctexBiasLow.Set(&s.regs, bias&255)
		pica.ProctexBiasHigh.Set(&s.regs, bias>>8)
		pica.ProctexLodMin.Set(&s.regs, 4)
		pica.ProctexLodMax.Set(&s.regs, 7)
		s.regs[pica.RegTexunit3Proctex6] = 0x40302010
	}},
}

func sceneTextures(s *fieldScene) {
	for i := range 3 {
		s.texture(i)
	}
	s.stage(0, pica.CombineReplace, pica.SourceTexture0)
	s.stage(1, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture1)
	s.stage(2, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture2)
	for k := range s.corner { // the coordinates of units 1 and 2 differ
		s.corner[k].Vertex[pica.SemTexCoord2U] += 0.3
	}
}

// sceneMipmaps has textures of three levels, all visible on the quad.
func sceneMipmaps(s *fieldScene) {
	sceneTextures(s)
	for i := range 3 {
		at := pica.TexunitOffset(i)
		pica.TexunitWidth.At(at).Set(&s.regs, 32)
		pica.TexunitHeight.At(at).Set(&s.regs, 32)
		pica.TexunitMipFilter.At(at).Set(&s.regs, 1)
		pica.TexunitLodMax.At(at).Set(&s.regs, 2)
		pica.TexunitWrapS.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
		pica.TexunitWrapT.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
	}
}

// sceneFilters magnifies at one end of the quad and minifies at the other.
func sceneFilters(s *fieldScene) {
	sceneTextures(s)
	for k := range s.corner {
		s.corner[k].InvW = 1 - 0.95*float32(k&1)
		for _, sem := range []pica.Semantic{pica.SemTexCoord0U, pica.SemTexCoord1U, pica.SemTexCoord2U} {
			s.corner[k].Vertex[sem] *= 1 + 3*float32(k&1)
			s.corner[k].Vertex[sem+1] *= 0.3
		}
	}
	for i := range 3 {
		at := pica.TexunitOffset(i)
		pica.TexunitMinFilter.At(at).Set(&s.regs, 0)
		pica.TexunitWrapS.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
		pica.TexunitWrapT.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
	}
}

func sceneSpecial(s *fieldScene, kind pica.TextureType) {
	s.texture(0)
	s.stage(0, pica.CombineReplace, pica.SourceTexture0)
	r := &s.regs
	pica.TexunitType.Set(r, uint32(kind))
	pica.TexunitShadowBias.Set(r, 0x1000)
	for i := range 5 {
		pica.TexunitAddrFace.At(pica.Reg(i)).Set(r, uint32(i+1)*0x80)
	}
	for k := range s.corner {
		v := &s.corner[k]
		switch kind {
		case pica.TextureCube, pica.TextureShadowCube: // around a corner of the cube and its opposite
			v.Vertex[pica.SemTexCoord0U] = []float32{1, -1, 0.9, -0.8}[k]
			v.Vertex[pica.SemTexCoord0V] = []float32{0.9, 1, -1, -0.9}[k]
			v.Vertex[pica.SemTexCoord0W] = []float32{1, 0.8, -0.9, -1}[k]
		default:
			v.Vertex[pica.SemTexCoord0W] = 0.3 + 0.2*float32(k)
		}
	}
}

func sceneProcTex(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 3))
	s.tables = *randomProcTables(rng)
	for i := range s.tables.ProcColor { // neighbours and levels differ
		s.tables.ProcColor[i] = rng.Uint32()
	}
	s.stage(0, pica.CombineReplace, pica.SourceTexture3)
	r := &s.regs
	pica.TexunitEnable3.SetBool(r, true)
	pica.ProctexClampU.Set(r, uint32(pica.ProcClampMirroredRepeat))
	pica.ProctexClampV.Set(r, uint32(pica.ProcClampSymmetricalRepeat))
	pica.ProctexRgbMap.Set(r, uint32(pica.ProcMapAdd))
	pica.ProctexAlphaMap.Set(r, uint32(pica.ProcMapU))
	pica.ProctexAlphaSeparate.SetBool(r, true)
	pica.ProctexNoiseEnable.SetBool(r, true)
	pica.ProctexShiftU.Set(r, uint32(pica.ProcShiftOdd))
	pica.ProctexShiftV.Set(r, uint32(pica.ProcShiftEven))
	bias := pica.Float16.Encode(0.08)
	pica.ProctexBiasLow.Set(r, bias&255)
	pica.ProctexBiasHigh.Set(r, bias>>8)
	pica.ProctexNoiseAmplitudeU.Set(r, 800)
	pica.ProctexNoiseAmplitudeV.Set(r, 600)
	pica.ProctexNoisePhaseU.SetFloat(r, 0.3)
	pica.ProctexNoisePhaseV.SetFloat(r, 0.6)
	pica.ProctexNoiseFrequencyU.SetFloat(r, 0.7)
	pica.ProctexNoiseFrequencyV.SetFloat(r, 0.4)
	pica.ProctexMinFilter.Set(r, uint32(pica.ProcFilterLinearMipmapLinear))
	pica.ProctexLodMin.Set(r, 0)
	pica.ProctexLodMax.Set(r, 3)
	pica.ProctexWidth.Set(r, 128)
	pica.ProctexOffset1.Set(r, 0x80)
	pica.ProctexOffset2.Set(r, 0xC0)
	pica.ProctexOffset3.Set(r, 0xE0)
	for k := range s.corner {
		s.corner[k].InvW = 1 - 0.9*float32(k&1)
		s.corner[k].Vertex[pica.SemTexCoord0U] = float32(k&1) * 7
		s.corner[k].Vertex[pica.SemTexCoord0V] = float32(k>>1) * 2.4
		s.corner[k].Vertex[pica.SemTexCoord1U] += 0.2
	}
}

// sceneCombiners makes the result depend on every argument of every stage.
func sceneCombiners(s *fieldScene) {
	s.texture(0)
	for i := range numStages {
		at := pica.TexenvOffset(i)
		s.stage(i, pica.CombineInterpolate, pica.SourcePrevious, pica.SourceConstant, pica.SourceTexture0)
		s.regs[pica.RegTexenv0Color+at] = 0x60A04080 + uint32(i)*0x08101810
		pica.TexenvRgbOperand2.At(at).Set(&s.regs, uint32(pica.OperandSrcGreen))
		pica.TexenvAlphaOperand2.At(at).Set(&s.regs, uint32(pica.OperandASrcRed))
	}
	s.stage(0, pica.CombineInterpolate, pica.SourcePrimaryColor, pica.SourceConstant, pica.SourceTexture0)
}

func sceneCombinerBuffer(s *fieldScene) {
	r := &s.regs
	r[pica.RegTexenvBufferColor] = 0x30507090
	for i := range numStages {
		s.stage(i, pica.CombineAddSigned, pica.SourcePreviousBuffer, pica.SourceConstant)
		r[pica.RegTexenv0Color+pica.TexenvOffset(i)] = 0x70888C90
	}
	// The buffer takes the colour after stages 2 and 3 and the alpha after 0 and 1; stages 1 to 5 read its previous colours.
	s.stage(1, pica.CombineAddSigned, pica.SourcePrimaryColor, pica.SourceConstant)
	for i := 2; i < numStages; i++ {
		s.stage(i, pica.CombineAdd, pica.SourcePreviousBuffer, pica.SourcePrevious)
	}
}

func sceneFog(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 4))
	s.tables = *randomGasTables(rng)
	pica.TexenvUpdateFogMode.Set(&s.regs, uint32(pica.FogModeFog))
	s.regs[pica.RegFogColor] = 0x00C08040
}

func sceneGasAccumulate(s *fieldScene) {
	r := &s.regs
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeGas))
	pica.GasDeltaz.SetFloat(r, 2.5)
	pica.GasDeltazFunc.Set(r, uint32(pica.GasDepthLess))
	clear(s.target.Color)
	s.draws = 3
}

func sceneGasShade(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 5))
	s.tables = *randomGasTables(rng)
	s.texture(0)
	pica.TexunitMagFilter.Set(&s.regs, 0)
	pica.TexunitMinFilter.Set(&s.regs, 0)
	// A gas buffer with densities 0 to 2.
	s.memory = append(sceneMemory(nil), sceneNoise[:1<<16]...)
	for i := 0; i < 1024; i += 4 {
		d1, d2 := floatToHalf(rng.Float32()*2), floatToHalf(rng.Float32())
		s.memory[i], s.memory[i+1], s.memory[i+2], s.memory[i+3] = byte(d1>>8), byte(d1), byte(d2>>8), byte(d2)
	}
	r := &s.regs
	s.stage(5, pica.CombineReplace, pica.SourcePrimaryColor, pica.SourcePrevious, pica.SourceTexture0)
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeGas))
	pica.GasAccmax.SetFloat(r, 0.4)
	pica.GasAttenuation.SetFloat(r, 0.7)
	r[pica.RegGasLightXy] = 0x60_60_10
	r[pica.RegGasLightZ] = 0x50_50_08
	r[pica.RegGasLightZColor] = 0x100 | 0x90
}

func sceneShadowWrite(s *fieldScene) {
	r := &s.regs
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeShadow))
	pica.FragopShadowConstant.SetFloat(r, 1.3)
	pica.FragopShadowLinear.SetFloat(r, -0.9)
	pica.AlphaTestEnable.SetBool(r, true) // never; must have no effect
}

func sceneBlend(s *fieldScene) {
	r := &s.regs
	pica.BlendRgbSource.Set(r, uint32(pica.FactorSrcAlpha))
	pica.BlendRgbDest.Set(r, uint32(pica.FactorConstColor))
	pica.BlendAlphaSource.Set(r, uint32(pica.FactorOneMinusDstAlpha))
	pica.BlendAlphaDest.Set(r, uint32(pica.FactorConstAlpha))
	r[pica.RegBlendColor] = 0x50A070C0
}

func sceneLogicOp(s *fieldScene) {
	pica.ColorOperationBlend.Set(&s.regs, 0)
	pica.LogicOpFunc.Set(&s.regs, uint32(pica.LogicOpXor))
}

func sceneAlphaTest(s *fieldScene) {
	pica.AlphaTestEnable.SetBool(&s.regs, true)
	pica.AlphaTestFunc.Set(&s.regs, uint32(pica.CompareGreater))
	pica.AlphaTestRef.Set(&s.regs, 0x80)
}

func sceneDepthStencil(s *fieldScene) {
	r := &s.regs
	pica.DepthTestEnable.SetBool(r, true)
	pica.DepthTestFunc.Set(r, uint32(pica.CompareLess))
	pica.StencilTestEnable.SetBool(r, true)
	pica.StencilTestFunc.Set(r, uint32(pica.CompareGreater))
	pica.StencilTestWriteMask.Set(r, 0x7E)
	pica.StencilTestRef.Set(r, 0x65)
	pica.StencilTestMask.Set(r, 0xE7)
	pica.StencilOpFail.Set(r, uint32(pica.StencilIncrement))
	pica.StencilOpZFail.Set(r, uint32(pica.StencilInvert))
	pica.StencilOpZPass.Set(r, uint32(pica.StencilReplace))
}

func sceneStencilPass(s *fieldScene) {
	r := &s.regs
	pica.StencilTestEnable.SetBool(r, true)
	pica.StencilTestFunc.Set(r, uint32(pica.CompareAlways))
	pica.StencilTestWriteMask.Set(r, 0xFF)
	pica.StencilOpZPass.Set(r, uint32(pica.StencilDecrementWrap))
}

// sceneDepthLocked has a write-protected depth and stencil buffer.
func sceneDepthLocked(s *fieldScene) {
	sceneStencilPass(s)
	s.regs[pica.RegDepthbufferWrite] = 0
}

// sceneUnread tests and blends without read access to the buffers.
func sceneUnread(s *fieldScene) {
	sceneDepthStencil(s)
	sceneBlend(s)
	s.regs[pica.RegColorbufferRead], s.regs[pica.RegDepthbufferRead] = 0, 0
}

// sceneLights uses all eight lights in layer configuration 7 and adds both results.
func sceneLights(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 13))
	s.tables = *randomTables(rng)
	r := &s.regs
	pica.LightingEnable.SetBool(r, true)
	pica.LightingNumLights.Set(r, 7)
	pica.LightingLayer.Set(r, uint32(pica.LightLayer7))
	pica.LightingFresnel.Set(r, uint32(pica.FresnelBoth))
	r[pica.RegLightingAmbient] = 0x00302010
	for i := range pica.NumLights {
		at := pica.Reg(i) * pica.StrideLight
		pica.LightingPermutation(i).Set(r, uint32(i^5))
		for _, reg := range []pica.Reg{pica.RegLight0Specular0, pica.RegLight0Specular1, pica.RegLight0Diffuse, pica.RegLight0Ambient} {
			r[reg+at] = rng.Uint32() & 0x03F0FC3F
		}
		pica.LightX.At(at).SetFloat(r, rng.Float32()*4-2)
		pica.LightY.At(at).SetFloat(r, rng.Float32()*4-2)
		pica.LightZ.At(at).SetFloat(r, rng.Float32()*4-1)
		pica.LightSpotX.At(at).Set(r, uint32(rng.IntN(2400)-1200))
		pica.LightSpotY.At(at).Set(r, uint32(rng.IntN(2400)-1200))
		pica.LightSpotZ.At(at).Set(r, uint32(rng.IntN(2400)-1200))
		pica.LightAttenuationScale.At(at).SetFloat(r, 0.2)
		pica.LightAttenuationBias.At(at).SetFloat(r, 0.1)
		pica.LightGeomFactor0.At(at).SetBool(r, i%2 == 0)
		pica.LightGeomFactor1.At(at).SetBool(r, i%3 == 0)
		pica.LightTwoSideDiffuse.At(at).SetBool(r, true)
	}
	for k, in := range []pica.LutInput{pica.LutInputNH, pica.LutInputVH, pica.LutInputSP, pica.LutInputNV, pica.LutInputLN, pica.LutInputCP, pica.LutInputNH} {
		fieldsInput[k].Set(r, uint32(in))
		fieldsSigned[k].SetBool(r, true)
	}
	s.stage(0, pica.CombineAdd, pica.SourceFragmentPrimary, pica.SourceFragmentSecondary)
}

// sceneLightsShadow has eight lights with a shadow texture.
func sceneLightsShadow(s *fieldScene) {
	sceneLights(s)
	r := &s.regs
	pica.LightingNumLights.Set(r, 7)
	s.texture(1)
	pica.LightingShadowEnable.SetBool(r, true)
	pica.LightingShadowTexture.Set(r, 1)
	pica.LightingShadowPrimary.SetBool(r, true)
	pica.LightingShadowSecondary.SetBool(r, true)
	pica.LightingShadowAlpha.SetBool(r, true)
	pica.LightingClampHighlights.SetBool(r, true)
	for i := range pica.NumLights {
		pica.LightTwoSideDiffuse.At(pica.Reg(i)*pica.StrideLight).SetBool(r, false)
	}
}

func sceneLightsBump(s *fieldScene) {
	sceneLights(s)
	s.texture(2)
	pica.LightingBumpMode.Set(&s.regs, uint32(pica.BumpNormal))
	pica.LightingBumpTexture.Set(&s.regs, 2)
	pica.LightingNumLights.Set(&s.regs, 1)
}

func sceneLightsTangent(s *fieldScene) {
	sceneLightsBump(s)
	pica.LightingBumpMode.Set(&s.regs, uint32(pica.BumpTangent))
}

// sceneLightsBumpProcTex takes the bump vectors from the procedural texture, which no combiner reads.
func sceneLightsBumpProcTex(s *fieldScene) {
	sceneProcTex(s)
	tables := s.tables
	sceneLights(s)
	tables.Light = s.tables.Light
	s.tables = tables
	pica.LightingBumpMode.Set(&s.regs, uint32(pica.BumpNormal))
	pica.LightingBumpTexture.Set(&s.regs, 3)
}
