package dmp

import "fmt"

// The uniforms, in the order of their IDs. A constant is called as its uniform
// is, without the index: TexEnvSrcRgb is dmp_TexEnv[0].srcRgb, and
// TexEnvSrcRgb.At(2) is dmp_TexEnv[2].srcRgb. Light is
// dmp_FragmentLightSource, Proc is dmp_Texture[3].pt.
const (
	Texture0PerspectiveShadow Location = iota
	Texture0ShadowZBias
	Texture0ShadowZScale
	Texture0SamplerType
	Texture1SamplerType
	Texture2SamplerType
	Texture3SamplerType
	Texture2Texcoord
	Texture3Texcoord
	ProcRgbMap
	ProcAlphaMap
	ProcAlphaSeparate
	ProcClampU
	ProcClampV
	ProcShiftU
	ProcShiftV
	ProcMinFilter
	ProcTexWidth
	ProcTexOffset
	ProcTexBias
	ProcNoiseEnable
	ProcNoiseU
	ProcNoiseV
	ProcSamplerRgbMap
	ProcSamplerAlphaMap
	ProcSamplerNoiseMap
	ProcSamplerR
	ProcSamplerG
	ProcSamplerB
	ProcSamplerA
	FragOperationMode
	FragOperationPenumbraScale
	FragOperationPenumbraBias
	FragOperationWScale
	FragOperationEnableClippingPlane
	FragOperationClippingPlane
	FragOperationEnableAlphaTest
	FragOperationAlphaTestFunc
	FragOperationAlphaRefValue
	GasLightXY
	GasLightZ
	GasDeltaZ
	GasAccMax
	GasAutoAcc
	GasAttenuation
	GasColorLutInput
	GasShadingDensitySrc
	GasSamplerTR
	GasSamplerTG
	GasSamplerTB
	LightingEnabled
	LightingAmbient
	MaterialEmission
	MaterialAmbient
	MaterialDiffuse
	MaterialSpecular0
	MaterialSpecular1
)

// At returns the uniform of the element i of an array: of light or stage i, or
// of the unit or channel i after this one.
func (l Location) At(i int) Location { return l + Location(i) }

// String returns the name of the uniform.
func (l Location) String() string {
	if l >= NumUniforms {
		return fmt.Sprintf("uniform 0x%03X", uint16(l))
	}
	return Uniforms[l].Name
}

// Uniforms of lights. Each constant is that of light 0; At gives lights 1 to 7.
const (
	LightEnabled = 0x039 + 8*Location(iota)
	LightAmbient
	LightDiffuse
	LightSpecular0
	LightSpecular1
	LightPosition
	LightSpotDirection
	LightShadowed
	LightGeomFactor0
	LightGeomFactor1
	LightTwoSideDiffuse
	LightSamplerSP
	LightSpotEnabled
	LightDistanceAttenuationBias
	LightDistanceAttenuationScale
	LightDistanceAttenuationEnabled
	LightSamplerDA
)

// The light environment, and the tables of materials.
const (
	LightEnvAbsLutInputD0 Location = 0x0C1 + iota
	LightEnvAbsLutInputD1
	LightEnvAbsLutInputSP
	LightEnvAbsLutInputFR
	LightEnvAbsLutInputRB
	LightEnvAbsLutInputRG
	LightEnvAbsLutInputRR
	LightEnvLutInputD0
	LightEnvLutInputD1
	LightEnvLutInputSP
	LightEnvLutInputFR
	LightEnvLutInputRB
	LightEnvLutInputRG
	LightEnvLutInputRR
	LightEnvLutScaleD0
	LightEnvLutScaleD1
	LightEnvLutScaleSP
	LightEnvLutScaleFR
	LightEnvLutScaleRB
	LightEnvLutScaleRG
	LightEnvLutScaleRR
	MaterialSamplerD0
	MaterialSamplerD1
	MaterialSamplerFR
	MaterialSamplerRB
	MaterialSamplerRG
	MaterialSamplerRR
	LightEnvShadowSelector
	LightEnvBumpSelector
	LightEnvBumpMode
	LightEnvBumpRenorm
	LightEnvConfig
	LightEnvInvertShadow
	LightEnvShadowPrimary
	LightEnvShadowSecondary
	LightEnvShadowAlpha
	LightEnvFresnelSelector
	LightEnvClampHighlights
	LightEnvLutEnabledD0
	LightEnvLutEnabledD1
	LightEnvLutEnabledRefl
)

// Uniforms of combiner stages. Each constant is that of stage 0; At gives stages 1
// to 5.
const (
	TexEnvCombineRgb = 0x0EA + 6*Location(iota)
	TexEnvCombineAlpha
	TexEnvSrcRgb
	TexEnvSrcAlpha
	TexEnvOperandRgb
	TexEnvOperandAlpha
	TexEnvScaleRgb
	TexEnvScaleAlpha
	TexEnvConstRgba
)

// The combiner buffer: its first colour, which exists once, and its input in stages 1
// to 4; the constant is that of stage 1.
const (
	TexEnvBufferColor Location = 0x120 + iota
	TexEnvBufferInput
)

// Fog.
const (
	FogMode Location = 0x125 + iota
	FogColor
	FogZFlip
	FogSampler
)
