package pica

import "fmt"

// Fragment lighting, 0x140 to 0x1DF.
const (
	RegLight0Specular0          Reg = 0x140 // first of 8
	RegLight0Specular1          Reg = 0x141 // first of 8
	RegLight0Diffuse            Reg = 0x142 // first of 8
	RegLight0Ambient            Reg = 0x143 // first of 8
	RegLight0Xy                 Reg = 0x144 // first of 8
	RegLight0Z                  Reg = 0x145 // first of 8
	RegLight0SpotdirXy          Reg = 0x146 // first of 8
	RegLight0SpotdirZ           Reg = 0x147 // first of 8
	RegLight0Config             Reg = 0x149 // first of 8
	RegLight0AttenuationBias    Reg = 0x14A // first of 8
	RegLight0AttenuationScale   Reg = 0x14B // first of 8
	RegLightingAmbient          Reg = 0x1C0
	RegLightingNumLights        Reg = 0x1C2
	RegLightingConfig0          Reg = 0x1C3
	RegLightingConfig1          Reg = 0x1C4
	RegLightingLutIndex         Reg = 0x1C5
	RegLightingEnable1          Reg = 0x1C6
	RegLightingLutData0         Reg = 0x1C8 // first of 8
	RegLightingLutinputAbs      Reg = 0x1D0
	RegLightingLutinputSelect   Reg = 0x1D1
	RegLightingLutinputScale    Reg = 0x1D2
	RegLightingLightPermutation Reg = 0x1D9
)

var (
	LightSpecular0B         = raw(RegLight0Specular0, "blue", 0, 10, TypeUnorm8, "")
	LightSpecular0G         = raw(RegLight0Specular0, "green", 10, 10, TypeUnorm8, "")
	LightSpecular0R         = raw(RegLight0Specular0, "red", 20, 10, TypeUnorm8, "")
	LightSpecular1B         = raw(RegLight0Specular1, "blue", 0, 10, TypeUnorm8, "")
	LightSpecular1G         = raw(RegLight0Specular1, "green", 10, 10, TypeUnorm8, "")
	LightSpecular1R         = raw(RegLight0Specular1, "red", 20, 10, TypeUnorm8, "")
	LightDiffuseB           = raw(RegLight0Diffuse, "blue", 0, 10, TypeUnorm8, "")
	LightDiffuseG           = raw(RegLight0Diffuse, "green", 10, 10, TypeUnorm8, "")
	LightDiffuseR           = raw(RegLight0Diffuse, "red", 20, 10, TypeUnorm8, "")
	LightAmbientB           = raw(RegLight0Ambient, "blue", 0, 10, TypeUnorm8, "")
	LightAmbientG           = raw(RegLight0Ambient, "green", 10, 10, TypeUnorm8, "")
	LightAmbientR           = raw(RegLight0Ambient, "red", 20, 10, TypeUnorm8, "")
	LightX                  = raw(RegLight0Xy, "x", 0, 16, TypeFloat16, "")
	LightY                  = raw(RegLight0Xy, "y", 16, 16, TypeFloat16, "")
	LightZ                  = raw(RegLight0Z, "z", 0, 16, TypeFloat16, "")
	LightSpotX              = raw(RegLight0SpotdirXy, "x", 0, 13, TypeFixedS1_11, "negated")
	LightSpotY              = raw(RegLight0SpotdirXy, "y", 16, 13, TypeFixedS1_11, "negated")
	LightSpotZ              = raw(RegLight0SpotdirZ, "z", 0, 13, TypeFixedS1_11, "negated")
	LightConfigType         = enum(RegLight0Config, "type", 0, 1, LightTypes, "")
	LightTwoSideDiffuse     = boolean(RegLight0Config, "two side diffuse", 1, "absolute value of light and normal instead of clamping at 0")
	LightGeomFactor0        = boolean(RegLight0Config, "geometric factor 0", 2, "on specular 0")
	LightGeomFactor1        = boolean(RegLight0Config, "geometric factor 1", 3, "on specular 1")
	LightAttenuationBias    = raw(RegLight0AttenuationBias, "bias", 0, 20, TypeFloat20, "")
	LightAttenuationScale   = raw(RegLight0AttenuationScale, "scale", 0, 20, TypeFloat20, "")
	LightingAmbientB        = raw(RegLightingAmbient, "blue", 0, 10, TypeUnorm8, "")
	LightingAmbientG        = raw(RegLightingAmbient, "green", 10, 10, TypeUnorm8, "")
	LightingAmbientR        = raw(RegLightingAmbient, "red", 20, 10, TypeUnorm8, "")
	LightingNumLights       = uns(RegLightingNumLights, "count - 1", 0, 3, "less 1")
	LightingShadowEnable    = boolean(RegLightingConfig0, "shadow enable", 0, "")
	LightingFresnel         = enum(RegLightingConfig0, "fresnel", 2, 2, Fresnels, "")
	LightingLayer           = enum(RegLightingConfig0, "layer", 4, 4, LightLayers, "")
	LightingConst4          = raw(RegLightingConfig0, "constant", 8, 4, TypeBits, "programs write 4")
	LightingShadowPrimary   = boolean(RegLightingConfig0, "shadow primary", 16, "")
	LightingShadowSecondary = boolean(RegLightingConfig0, "shadow secondary", 17, "")
	LightingShadowInvert    = boolean(RegLightingConfig0, "shadow invert", 18, "")
	LightingShadowAlpha     = boolean(RegLightingConfig0, "shadow alpha", 19, "")
	LightingBumpTexture     = uns(RegLightingConfig0, "bump texture", 22, 2, "texture unit")
	LightingShadowTexture   = uns(RegLightingConfig0, "shadow texture", 24, 2, "texture unit")
	LightingClampHighlights = boolean(RegLightingConfig0, "clamp highlights", 27, "no specular light where light and normal is not positive")
	LightingBumpMode        = enum(RegLightingConfig0, "bump mode", 28, 2, BumpModes, "")
	LightingBumpNoRenorm    = boolean(RegLightingConfig0, "no bump renorm", 30, "true: z of the bump vector is taken from the texture instead of recalculated")
	LightingConst1          = raw(RegLightingConfig0, "one", 31, 1, TypeBits, "programs write 1")
	LightingNoShadow        = raw(RegLightingConfig1, "no shadow", 0, 8, TypeBits, "bit i: light i")
	LightingNoSpot          = raw(RegLightingConfig1, "no spot", 8, 8, TypeBits, "bit i: light i")
	LightingNoD0            = boolean(RegLightingConfig1, "no d0", 16, "")
	LightingNoD1            = boolean(RegLightingConfig1, "no d1", 17, "")
	LightingConst18         = raw(RegLightingConfig1, "one", 18, 1, TypeBits, "programs write 1")
	LightingNoFR            = boolean(RegLightingConfig1, "no fr", 19, "")
	LightingNoRB            = boolean(RegLightingConfig1, "no rb", 20, "azahar has rr here")
	LightingNoRG            = boolean(RegLightingConfig1, "no rg", 21, "")
	LightingNoRR            = boolean(RegLightingConfig1, "no rr", 22, "azahar has rb here")
	LightingConst23         = raw(RegLightingConfig1, "one 23", 23, 1, TypeBits, "citro3d writes 1")
	LightingNoDistance      = raw(RegLightingConfig1, "no distance attenuation", 24, 8, TypeBits, "bit i: light i")
	LightingLutIndex        = uns(RegLightingLutIndex, "index", 0, 8, "")
	LightingLutTable        = enum(RegLightingLutIndex, "table", 8, 5, LightTables, "")
	LightingDisable         = boolean(RegLightingEnable1, "disable", 0, "")
	LightingLutDataValue    = raw(RegLightingLutData0, "value", 0, 12, TypeFixed0_12, "")
	LightingLutDataDelta    = raw(RegLightingLutData0, "difference", 12, 12, TypeBits, "to the next entry, sign (bit 11) and magnitude of 11 bits")
	LightingLutSignedD0     = boolean(RegLightingLutinputAbs, "d0", 1, "")
	LightingLutSignedD1     = boolean(RegLightingLutinputAbs, "d1", 5, "")
	LightingLutSignedSP     = boolean(RegLightingLutinputAbs, "sp", 9, "")
	LightingLutSignedFR     = boolean(RegLightingLutinputAbs, "fr", 13, "")
	LightingLutSignedRB     = boolean(RegLightingLutinputAbs, "rb", 17, "")
	LightingLutSignedRG     = boolean(RegLightingLutinputAbs, "rg", 21, "")
	LightingLutSignedRR     = boolean(RegLightingLutinputAbs, "rr", 25, "")
	LightingLutInputD0      = enum(RegLightingLutinputSelect, "d0", 0, 3, LutInputs, "")
	LightingLutInputD1      = enum(RegLightingLutinputSelect, "d1", 4, 3, LutInputs, "")
	LightingLutInputSP      = enum(RegLightingLutinputSelect, "sp", 8, 3, LutInputs, "")
	LightingLutInputFR      = enum(RegLightingLutinputSelect, "fr", 12, 3, LutInputs, "")
	LightingLutInputRB      = enum(RegLightingLutinputSelect, "rb", 16, 3, LutInputs, "")
	LightingLutInputRG      = enum(RegLightingLutinputSelect, "rg", 20, 3, LutInputs, "")
	LightingLutInputRR      = enum(RegLightingLutinputSelect, "rr", 24, 3, LutInputs, "")
	LightingLutScaleD0      = enum(RegLightingLutinputScale, "d0", 0, 3, LutScales, "")
	LightingLutScaleD1      = enum(RegLightingLutinputScale, "d1", 4, 3, LutScales, "")
	LightingLutScaleSP      = enum(RegLightingLutinputScale, "sp", 8, 3, LutScales, "")
	LightingLutScaleFR      = enum(RegLightingLutinputScale, "fr", 12, 3, LutScales, "")
	LightingLutScaleRB      = enum(RegLightingLutinputScale, "rb", 16, 3, LutScales, "")
	LightingLutScaleRG      = enum(RegLightingLutinputScale, "rg", 20, 3, LutScales, "")
	LightingLutScaleRR      = enum(RegLightingLutinputScale, "rr", 24, 3, LutScales, "")
)

var lightRegisters = join(
	repeated(RegLight0Specular0, "LIGHT%d_SPECULAR0", 0, 8, StrideLight, "Specular colour 0 of light times material.", LightSpecular0B, LightSpecular0G, LightSpecular0R),
	repeated(RegLight0Specular1, "LIGHT%d_SPECULAR1", 0, 8, StrideLight, "Specular colour 1 of light times material.", LightSpecular1B, LightSpecular1G, LightSpecular1R),
	repeated(RegLight0Diffuse, "LIGHT%d_DIFFUSE", 0, 8, StrideLight, "Diffuse colour of light times material.", LightDiffuseB, LightDiffuseG, LightDiffuseR),
	repeated(RegLight0Ambient, "LIGHT%d_AMBIENT", 0, 8, StrideLight, "Ambient colour of light times material.", LightAmbientB, LightAmbientG, LightAmbientR),
	repeated(RegLight0Xy, "LIGHT%d_XY", 0, 8, StrideLight, "Position of a light, or direction to it, in eye space.", LightX, LightY),
	repeated(RegLight0Z, "LIGHT%d_Z", 0, 8, StrideLight, "See LIGHT0_XY.", LightZ),
	repeated(RegLight0SpotdirXy, "LIGHT%d_SPOTDIR_XY", 0, 8, StrideLight, "Direction of a spot light, of length 1, negated.", LightSpotX, LightSpotY),
	repeated(RegLight0SpotdirZ, "LIGHT%d_SPOTDIR_Z", 0, 8, StrideLight, "See LIGHT0_SPOTDIR_XY.", LightSpotZ),
	repeated(RegLight0Config, "LIGHT%d_CONFIG", 0, 8, StrideLight, "Kind of a light.", LightConfigType, LightTwoSideDiffuse, LightGeomFactor0, LightGeomFactor1),
	repeated(RegLight0AttenuationBias, "LIGHT%d_ATTENUATION_BIAS", 0, 8, StrideLight, "The distance attenuation is DA(clamp(bias + scale * distance, 0, 1)).", LightAttenuationBias),
	repeated(RegLight0AttenuationScale, "LIGHT%d_ATTENUATION_SCALE", 0, 8, StrideLight, "See LIGHT0_ATTENUATION_BIAS.", LightAttenuationScale),
	register(RegLightingAmbient, "LIGHTING_AMBIENT", "Material emission + scene ambient * material ambient.", LightingAmbientB, LightingAmbientG, LightingAmbientR),
	register(RegLightingNumLights, "LIGHTING_NUM_LIGHTS", "Number of lights in LIGHTING_LIGHT_PERMUTATION.", LightingNumLights),
	register(RegLightingConfig0, "LIGHTING_CONFIG0", "The light environment.", LightingShadowEnable, LightingFresnel, LightingLayer, LightingConst4, LightingShadowPrimary, LightingShadowSecondary, LightingShadowInvert, LightingShadowAlpha, LightingBumpTexture, LightingShadowTexture, LightingClampHighlights, LightingBumpMode, LightingBumpNoRenorm, LightingConst1),
	register(RegLightingConfig1, "LIGHTING_CONFIG1", "Parts of the light environment that are switched off.", LightingNoShadow, LightingNoSpot, LightingNoD0, LightingNoD1, LightingConst18, LightingNoFR, LightingNoRB, LightingNoRG, LightingNoRR, LightingConst23, LightingNoDistance),
	register(RegLightingLutIndex, "LIGHTING_LUT_INDEX", "Table and entry that LIGHTING_LUT_DATA writes.", LightingLutIndex, LightingLutTable),
	register(RegLightingEnable1, "LIGHTING_ENABLE1", "See LIGHTING_ENABLE0.", LightingDisable),
	repeated(RegLightingLutData0, "LIGHTING_LUT_DATA%d", 0, 8, 1, "Entry of a lighting table of 256 entries; the index goes up by 1.", LightingLutDataValue, LightingLutDataDelta),
	register(RegLightingLutinputAbs, "LIGHTING_LUTINPUT_ABS", "Tables that are looked up with a signed number instead of an absolute value.", LightingLutSignedD0, LightingLutSignedD1, LightingLutSignedSP, LightingLutSignedFR, LightingLutSignedRB, LightingLutSignedRG, LightingLutSignedRR),
	register(RegLightingLutinputSelect, "LIGHTING_LUTINPUT_SELECT", "Inputs of the tables.", LightingLutInputD0, LightingLutInputD1, LightingLutInputSP, LightingLutInputFR, LightingLutInputRB, LightingLutInputRG, LightingLutInputRR),
	register(RegLightingLutinputScale, "LIGHTING_LUTINPUT_SCALE", "Factors on the output of the tables.", LightingLutScaleD0, LightingLutScaleD1, LightingLutScaleSP, LightingLutScaleFR, LightingLutScaleRB, LightingLutScaleRG, LightingLutScaleRR),
	register(RegLightingLightPermutation, "LIGHTING_LIGHT_PERMUTATION", "Numbers of the lights that are used, in order.", lightPermutations()...),
)

// StrideLight is the distance between the registers of two lights, of which
// there are NumLights.
const (
	StrideLight Reg = 0x10

	NumLights = 8
)

// LightingPermutation returns the field that holds the number of the i-th
// light that is used, i in 0..7.
func LightingPermutation(i int) Field {
	return uns(RegLightingLightPermutation, fmt.Sprintf("light %d", i), uint8(i*4), 3, "")
}

func lightPermutations() (fields []Field) {
	for i := range NumLights {
		fields = append(fields, LightingPermutation(i))
	}
	return fields
}
