package dmp

import "pica200/pica"

// Lighting and the material, 0x032 to 0x038 and 0x0D6 to 0x0DB. A light's
// register holds the product of the light's and the material's colour, so a
// colour of the material affects the registers of all lights.
var lightingRows = []row{
	{id: LightingEnabled, name: "dmp_FragmentLighting.enabled", typ: Bool, def: off,
		fields: all(pica.LightingEnable, pica.LightingDisable), encode: encodeLighting},
	{id: LightingAmbient, name: "dmp_FragmentLighting.ambient", typ: FloatVec4, def: def(0.2, 0.2, 0.2, 1),
		fields: all(ambientFields...), encode: encodeAmbient},
	{id: MaterialEmission, name: "dmp_FragmentMaterial.emission", typ: FloatVec4, def: black,
		fields: all(ambientFields...), encode: encodeAmbient},
	{id: MaterialAmbient, name: "dmp_FragmentMaterial.ambient", typ: FloatVec4, def: def(0.2, 0.2, 0.2, 1),
		fields: all(append(everyLight(lightAmbient), ambientFields...)...), encode: encodeMaterial},
	{id: MaterialDiffuse, name: "dmp_FragmentMaterial.diffuse", typ: FloatVec4, def: def(0.8, 0.8, 0.8, 1),
		fields: all(everyLight(lightDiffuse)...), encode: encodeMaterial},
	{id: MaterialSpecular0, name: "dmp_FragmentMaterial.specular0", typ: FloatVec4, def: black,
		fields: all(everyLight(lightSpecular0)...), encode: encodeMaterial},
	{id: MaterialSpecular1, name: "dmp_FragmentMaterial.specular1", typ: FloatVec4, def: black,
		fields: all(everyLight(lightSpecular1)...), encode: encodeMaterial},
	{id: MaterialSamplerD0, name: "dmp_FragmentMaterial.samplerD0", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableD0))},
	{id: MaterialSamplerD1, name: "dmp_FragmentMaterial.samplerD1", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableD1))},
	{id: MaterialSamplerFR, name: "dmp_FragmentMaterial.samplerFR", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableFR))},
	{id: MaterialSamplerRB, name: "dmp_FragmentMaterial.samplerRB", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableRB))},
	{id: MaterialSamplerRG, name: "dmp_FragmentMaterial.samplerRG", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableRG))},
	{id: MaterialSamplerRR, name: "dmp_FragmentMaterial.samplerRR", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableRR))},
}

var lightTableFields = all(pica.LightingLutIndex, pica.LightingLutTable, pica.LightingLutDataValue, pica.LightingLutDataDelta)

// The fields of the colours of light 0, red first.
var (
	lightAmbient   = []pica.Field{pica.LightAmbientR, pica.LightAmbientG, pica.LightAmbientB}
	lightDiffuse   = []pica.Field{pica.LightDiffuseR, pica.LightDiffuseG, pica.LightDiffuseB}
	lightSpecular0 = []pica.Field{pica.LightSpecular0R, pica.LightSpecular0G, pica.LightSpecular0B}
	lightSpecular1 = []pica.Field{pica.LightSpecular1R, pica.LightSpecular1G, pica.LightSpecular1B}
	ambientFields  = []pica.Field{pica.LightingAmbientR, pica.LightingAmbientG, pica.LightingAmbientB}
)

func everyLight(fs []pica.Field) (out []pica.Field) {
	for i := range pica.NumLights {
		out = append(out, move(fs, pica.Reg(i)*pica.StrideLight)...)
	}
	return out
}

// The light sources, 0x039 to 0x0C0.
var lightRows = []row{
	{id: LightEnabled, name: "dmp_FragmentLightSource[%d].enabled", n: 8, typ: Bool, def: off, fields: all(enabledFields()...), encode: encodeLights,
		doc: "the hardware always has one light: with none enabled, light 0 is there and black"},
	{id: LightAmbient, name: "dmp_FragmentLightSource[%d].ambient", n: 8, typ: FloatVec4, def: black, fields: light(lightAmbient...), encode: encodeLightColor},
	{id: LightDiffuse, name: "dmp_FragmentLightSource[%d].diffuse", n: 8, typ: FloatVec4, def: lightZeroWhite, fields: light(lightDiffuse...), encode: encodeLightColor},
	{id: LightSpecular0, name: "dmp_FragmentLightSource[%d].specular0", n: 8, typ: FloatVec4, def: lightZeroWhite, fields: light(lightSpecular0...), encode: encodeLightColor},
	{id: LightSpecular1, name: "dmp_FragmentLightSource[%d].specular1", n: 8, typ: FloatVec4, def: black, fields: light(lightSpecular1...), encode: encodeLightColor},
	{id: LightPosition, name: "dmp_FragmentLightSource[%d].position", n: 8, typ: FloatVec4, def: def(0, 0, 1, 0),
		fields: light(pica.LightX, pica.LightY, pica.LightZ, pica.LightConfigType), encode: encodePosition,
		doc: "in eye space; w of 0 makes the light directional"},
	{id: LightSpotDirection, name: "dmp_FragmentLightSource[%d].spotDirection", n: 8, typ: FloatVec3, def: def(0, 0, -1), min: -1, max: 1,
		fields: light(pica.LightSpotX, pica.LightSpotY, pica.LightSpotZ), encode: encodeNegated, doc: "in eye space, of length 1"},
	{id: LightShadowed, name: "dmp_FragmentLightSource[%d].shadowed", n: 8, typ: Bool, def: off, fields: lightBit(pica.LightingNoShadow), encode: encodeInverted},
	{id: LightGeomFactor0, name: "dmp_FragmentLightSource[%d].geomFactor0", n: 8, typ: Bool, def: off, fields: light(pica.LightGeomFactor0)},
	{id: LightGeomFactor1, name: "dmp_FragmentLightSource[%d].geomFactor1", n: 8, typ: Bool, def: off, fields: light(pica.LightGeomFactor1)},
	{id: LightTwoSideDiffuse, name: "dmp_FragmentLightSource[%d].twoSideDiffuse", n: 8, typ: Bool, def: off, fields: light(pica.LightTwoSideDiffuse)},
	{id: LightSamplerSP, name: "dmp_FragmentLightSource[%d].samplerSP", n: 8, typ: Sampler1D, def: zero, fields: lightTableFields,
		upload: func(i int) uploadID { return uploadID(pica.TableSP0) + uploadID(i) }},
	{id: LightSpotEnabled, name: "dmp_FragmentLightSource[%d].spotEnabled", n: 8, typ: Bool, def: off, fields: lightBit(pica.LightingNoSpot), encode: encodeInverted},
	{id: LightDistanceAttenuationBias, name: "dmp_FragmentLightSource[%d].distanceAttenuationBias", n: 8, typ: Float, def: zero, fields: light(pica.LightAttenuationBias)},
	{id: LightDistanceAttenuationScale, name: "dmp_FragmentLightSource[%d].distanceAttenuationScale", n: 8, typ: Float, def: one, fields: light(pica.LightAttenuationScale)},
	{id: LightDistanceAttenuationEnabled, name: "dmp_FragmentLightSource[%d].distanceAttenuationEnabled", n: 8, typ: Bool, def: off, fields: lightBit(pica.LightingNoDistance), encode: encodeInverted},
	{id: LightSamplerDA, name: "dmp_FragmentLightSource[%d].samplerDA", n: 8, typ: Sampler1D, def: zero, fields: lightTableFields,
		upload: func(i int) uploadID { return uploadID(pica.TableDA0) + uploadID(i) }},
}

// lightZeroWhite is the default of diffuse and specular light in OpenGL ES:
// white for light 0, black for the others.
func lightZeroWhite(i int) []float32 {
	if i == 0 {
		return []float32{1, 1, 1, 1}
	}
	return []float32{0, 0, 0, 1}
}

// enabledFields are the fields that change when a light is enabled: number and
// order of lights, and the colours of light 0, which are black without lights.
func enabledFields() []pica.Field {
	fs := []pica.Field{pica.LightingNumLights}
	for i := range pica.NumLights {
		fs = append(fs, pica.LightingPermutation(i))
	}
	for _, colour := range [][]pica.Field{lightSpecular0, lightSpecular1, lightDiffuse, lightAmbient} {
		fs = append(fs, colour...)
	}
	return fs
}

// The light environment, 0x0C1 to 0x0E9.
var lightEnvRows = []row{
	{id: LightEnvAbsLutInputD0, name: "dmp_LightEnv.absLutInputD0", typ: Bool, def: off, fields: all(pica.LightingLutSignedD0), encode: encodeAbsInput},
	{id: LightEnvAbsLutInputD1, name: "dmp_LightEnv.absLutInputD1", typ: Bool, def: off, fields: all(pica.LightingLutSignedD1), encode: encodeAbsInput},
	{id: LightEnvAbsLutInputSP, name: "dmp_LightEnv.absLutInputSP", typ: Bool, def: off, fields: all(pica.LightingLutSignedSP), encode: encodeAbsInput},
	{id: LightEnvAbsLutInputFR, name: "dmp_LightEnv.absLutInputFR", typ: Bool, def: off, fields: all(pica.LightingLutSignedFR), encode: encodeAbsInput},
	{id: LightEnvAbsLutInputRB, name: "dmp_LightEnv.absLutInputRB", typ: Bool, def: off, fields: all(pica.LightingLutSignedRB), encode: encodeAbsInput},
	{id: LightEnvAbsLutInputRG, name: "dmp_LightEnv.absLutInputRG", typ: Bool, def: off, fields: all(pica.LightingLutSignedRG), encode: encodeAbsInput},
	{id: LightEnvAbsLutInputRR, name: "dmp_LightEnv.absLutInputRR", typ: Bool, def: off, fields: all(pica.LightingLutSignedRR), encode: encodeAbsInput},
	{id: LightEnvLutInputD0, name: "dmp_LightEnv.lutInputD0", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputD0)},
	{id: LightEnvLutInputD1, name: "dmp_LightEnv.lutInputD1", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputD1)},
	{id: LightEnvLutInputSP, name: "dmp_LightEnv.lutInputSP", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputSP)},
	{id: LightEnvLutInputFR, name: "dmp_LightEnv.lutInputFR", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputFR)},
	{id: LightEnvLutInputRB, name: "dmp_LightEnv.lutInputRB", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputRB)},
	{id: LightEnvLutInputRG, name: "dmp_LightEnv.lutInputRG", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputRG)},
	{id: LightEnvLutInputRR, name: "dmp_LightEnv.lutInputRR", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputRR)},
	{id: LightEnvLutScaleD0, name: "dmp_LightEnv.lutScaleD0", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleD0)},
	{id: LightEnvLutScaleD1, name: "dmp_LightEnv.lutScaleD1", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleD1)},
	{id: LightEnvLutScaleSP, name: "dmp_LightEnv.lutScaleSP", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleSP)},
	{id: LightEnvLutScaleFR, name: "dmp_LightEnv.lutScaleFR", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleFR)},
	{id: LightEnvLutScaleRB, name: "dmp_LightEnv.lutScaleRB", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleRB)},
	{id: LightEnvLutScaleRG, name: "dmp_LightEnv.lutScaleRG", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleRG)},
	{id: LightEnvLutScaleRR, name: "dmp_LightEnv.lutScaleRR", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleRR)},
	{id: LightEnvShadowSelector, name: "dmp_LightEnv.shadowSelector", typ: Int, def: named(unitSymbols, 1, "texture0"), symbols: unitSymbols, fields: all(pica.LightingShadowTexture)},
	{id: LightEnvBumpSelector, name: "dmp_LightEnv.bumpSelector", typ: Int, def: named(unitSymbols, 1, "texture0"), symbols: unitSymbols, fields: all(pica.LightingBumpTexture)},
	{id: LightEnvBumpMode, name: "dmp_LightEnv.bumpMode", typ: Int, def: named(bumpModeSymbols, 1, "none"), symbols: bumpModeSymbols, fields: all(pica.LightingBumpMode)},
	{id: LightEnvBumpRenorm, name: "dmp_LightEnv.bumpRenorm", typ: Bool, def: off, fields: all(pica.LightingBumpNoRenorm), encode: encodeInverted,
		doc: "z of the bump vector is recalculated from x and y"},
	{id: LightEnvConfig, name: "dmp_LightEnv.config", typ: Int, def: named(lightLayerSymbols, 1, "config0"), symbols: lightLayerSymbols, fields: all(pica.LightingLayer)},
	{id: LightEnvInvertShadow, name: "dmp_LightEnv.invertShadow", typ: Bool, def: off, fields: all(pica.LightingShadowInvert)},
	{id: LightEnvShadowPrimary, name: "dmp_LightEnv.shadowPrimary", typ: Bool, def: off, fields: all(pica.LightingShadowPrimary, pica.LightingShadowEnable), encode: encodeShadow},
	{id: LightEnvShadowSecondary, name: "dmp_LightEnv.shadowSecondary", typ: Bool, def: off, fields: all(pica.LightingShadowSecondary, pica.LightingShadowEnable), encode: encodeShadow},
	{id: LightEnvShadowAlpha, name: "dmp_LightEnv.shadowAlpha", typ: Bool, def: off, fields: all(pica.LightingShadowAlpha, pica.LightingShadowEnable), encode: encodeShadow},
	{id: LightEnvFresnelSelector, name: "dmp_LightEnv.fresnelSelector", typ: Int, def: named(fresnelSymbols, 1, "none"), symbols: fresnelSymbols,
		fields: all(pica.LightingFresnel, pica.LightingNoFR), encode: encodeFresnel},
	{id: LightEnvClampHighlights, name: "dmp_LightEnv.clampHighlights", typ: Bool, def: off, fields: all(pica.LightingClampHighlights)},
	{id: LightEnvLutEnabledD0, name: "dmp_LightEnv.lutEnabledD0", typ: Bool, def: off, fields: all(pica.LightingNoD0), encode: encodeInverted},
	{id: LightEnvLutEnabledD1, name: "dmp_LightEnv.lutEnabledD1", typ: Bool, def: off, fields: all(pica.LightingNoD1), encode: encodeInverted},
	{id: LightEnvLutEnabledRefl, name: "dmp_LightEnv.lutEnabledRefl", typ: Bool, def: off, fields: all(pica.LightingNoRB, pica.LightingNoRG, pica.LightingNoRR), encode: encodeInverted},
}
