package dmp

import "pica200/pica"

// Lighting and the material, 0x032 to 0x038 and 0x0D6 to 0x0DB. A light's
// register holds the product of the light's and the material's colour, so a
// colour of the material affects the registers of all lights.
var lightingRows = []row{
	{id: 0x032, name: "dmp_FragmentLighting.enabled", typ: Bool, def: off,
		fields: all(pica.LightingEnable, pica.LightingDisable), encode: encodeLighting},
	{id: locSceneAmbient, name: "dmp_FragmentLighting.ambient", typ: FloatVec4, def: def(0.2, 0.2, 0.2, 1),
		fields: all(ambientFields...), encode: encodeAmbient},
	{id: locEmission, name: "dmp_FragmentMaterial.emission", typ: FloatVec4, def: black,
		fields: all(ambientFields...), encode: encodeAmbient},
	{id: locMaterialAmbient, name: "dmp_FragmentMaterial.ambient", typ: FloatVec4, def: def(0.2, 0.2, 0.2, 1),
		fields: all(append(everyLight(lightAmbient), ambientFields...)...), encode: encodeMaterial},
	{id: locMaterialDiffuse, name: "dmp_FragmentMaterial.diffuse", typ: FloatVec4, def: def(0.8, 0.8, 0.8, 1),
		fields: all(everyLight(lightDiffuse)...), encode: encodeMaterial},
	{id: locMaterialSpecular0, name: "dmp_FragmentMaterial.specular0", typ: FloatVec4, def: black,
		fields: all(everyLight(lightSpecular0)...), encode: encodeMaterial},
	{id: locMaterialSpecular1, name: "dmp_FragmentMaterial.specular1", typ: FloatVec4, def: black,
		fields: all(everyLight(lightSpecular1)...), encode: encodeMaterial},
	{id: 0x0D6, name: "dmp_FragmentMaterial.samplerD0", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableD0))},
	{id: 0x0D7, name: "dmp_FragmentMaterial.samplerD1", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableD1))},
	{id: 0x0D8, name: "dmp_FragmentMaterial.samplerFR", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableFR))},
	{id: 0x0D9, name: "dmp_FragmentMaterial.samplerRB", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableRB))},
	{id: 0x0DA, name: "dmp_FragmentMaterial.samplerRG", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableRG))},
	{id: 0x0DB, name: "dmp_FragmentMaterial.samplerRR", typ: Sampler1D, def: zero, fields: lightTableFields, upload: upload(uploadID(pica.TableRR))},
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

// Locations that encoders read.
const (
	locShadowZBias       Location = 0x001
	locShadowZScale      Location = 0x002
	locPenumbraScale     Location = 0x01F
	locPenumbraBias      Location = 0x020
	locWScale            Location = 0x021
	locAccMax            Location = 0x02A
	locAutoAcc           Location = 0x02B
	locSceneAmbient      Location = 0x033
	locEmission          Location = 0x034
	locMaterialAmbient   Location = 0x035
	locMaterialDiffuse   Location = 0x036
	locMaterialSpecular0 Location = 0x037
	locMaterialSpecular1 Location = 0x038
	locLightEnabled      Location = 0x039 // first of 8
	locLightAmbient      Location = 0x041 // first of 8
	locLightDiffuse      Location = 0x049 // first of 8
	locLightSpecular0    Location = 0x051 // first of 8
	locLightSpecular1    Location = 0x059 // first of 8
	locLightPosition     Location = 0x061 // first of 8
	locSpotDirection     Location = 0x069 // first of 8
	locSampler0          Location = 0x003
	locProcBias          Location = 0x013
	locAbsLutInput       Location = 0x0C1 // first of 7, in the order of the registers
	locInvertShadow      Location = 0x0E1
	locShadowAlpha       Location = 0x0E4
)

// The light sources, 0x039 to 0x0C0.
var lightRows = []row{
	{id: locLightEnabled, name: "dmp_FragmentLightSource[%d].enabled", n: 8, typ: Bool, def: off, fields: all(enabledFields()...), encode: encodeLights,
		doc: "the hardware always has one light: with none enabled, light 0 is there and black"},
	{id: locLightAmbient, name: "dmp_FragmentLightSource[%d].ambient", n: 8, typ: FloatVec4, def: black, fields: light(lightAmbient...), encode: encodeLightColor},
	{id: locLightDiffuse, name: "dmp_FragmentLightSource[%d].diffuse", n: 8, typ: FloatVec4, def: lightZeroWhite, fields: light(lightDiffuse...), encode: encodeLightColor},
	{id: locLightSpecular0, name: "dmp_FragmentLightSource[%d].specular0", n: 8, typ: FloatVec4, def: lightZeroWhite, fields: light(lightSpecular0...), encode: encodeLightColor},
	{id: locLightSpecular1, name: "dmp_FragmentLightSource[%d].specular1", n: 8, typ: FloatVec4, def: black, fields: light(lightSpecular1...), encode: encodeLightColor},
	{id: 0x061, name: "dmp_FragmentLightSource[%d].position", n: 8, typ: FloatVec4, def: def(0, 0, 1, 0),
		fields: light(pica.LightX, pica.LightY, pica.LightZ, pica.LightConfigType), encode: encodePosition,
		doc: "in eye space; w of 0 makes the light directional"},
	{id: 0x069, name: "dmp_FragmentLightSource[%d].spotDirection", n: 8, typ: FloatVec3, def: def(0, 0, -1), min: -1, max: 1,
		fields: light(pica.LightSpotX, pica.LightSpotY, pica.LightSpotZ), encode: encodeNegated, doc: "in eye space, of length 1"},
	{id: 0x071, name: "dmp_FragmentLightSource[%d].shadowed", n: 8, typ: Bool, def: off, fields: lightBit(pica.LightingNoShadow), encode: encodeInverted},
	{id: 0x079, name: "dmp_FragmentLightSource[%d].geomFactor0", n: 8, typ: Bool, def: off, fields: light(pica.LightGeomFactor0)},
	{id: 0x081, name: "dmp_FragmentLightSource[%d].geomFactor1", n: 8, typ: Bool, def: off, fields: light(pica.LightGeomFactor1)},
	{id: 0x089, name: "dmp_FragmentLightSource[%d].twoSideDiffuse", n: 8, typ: Bool, def: off, fields: light(pica.LightTwoSideDiffuse)},
	{id: 0x091, name: "dmp_FragmentLightSource[%d].samplerSP", n: 8, typ: Sampler1D, def: zero, fields: lightTableFields,
		upload: func(i int) uploadID { return uploadID(pica.TableSP0) + uploadID(i) }},
	{id: 0x099, name: "dmp_FragmentLightSource[%d].spotEnabled", n: 8, typ: Bool, def: off, fields: lightBit(pica.LightingNoSpot), encode: encodeInverted},
	{id: 0x0A1, name: "dmp_FragmentLightSource[%d].distanceAttenuationBias", n: 8, typ: Float, def: zero, fields: light(pica.LightAttenuationBias)},
	{id: 0x0A9, name: "dmp_FragmentLightSource[%d].distanceAttenuationScale", n: 8, typ: Float, def: one, fields: light(pica.LightAttenuationScale)},
	{id: 0x0B1, name: "dmp_FragmentLightSource[%d].distanceAttenuationEnabled", n: 8, typ: Bool, def: off, fields: lightBit(pica.LightingNoDistance), encode: encodeInverted},
	{id: 0x0B9, name: "dmp_FragmentLightSource[%d].samplerDA", n: 8, typ: Sampler1D, def: zero, fields: lightTableFields,
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
	{id: 0x0C1, name: "dmp_LightEnv.absLutInputD0", typ: Bool, def: off, fields: all(pica.LightingLutSignedD0), encode: encodeAbsInput},
	{id: 0x0C2, name: "dmp_LightEnv.absLutInputD1", typ: Bool, def: off, fields: all(pica.LightingLutSignedD1), encode: encodeAbsInput},
	{id: 0x0C3, name: "dmp_LightEnv.absLutInputSP", typ: Bool, def: off, fields: all(pica.LightingLutSignedSP), encode: encodeAbsInput},
	{id: 0x0C4, name: "dmp_LightEnv.absLutInputFR", typ: Bool, def: off, fields: all(pica.LightingLutSignedFR), encode: encodeAbsInput},
	{id: 0x0C5, name: "dmp_LightEnv.absLutInputRB", typ: Bool, def: off, fields: all(pica.LightingLutSignedRB), encode: encodeAbsInput},
	{id: 0x0C6, name: "dmp_LightEnv.absLutInputRG", typ: Bool, def: off, fields: all(pica.LightingLutSignedRG), encode: encodeAbsInput},
	{id: 0x0C7, name: "dmp_LightEnv.absLutInputRR", typ: Bool, def: off, fields: all(pica.LightingLutSignedRR), encode: encodeAbsInput},
	{id: 0x0C8, name: "dmp_LightEnv.lutInputD0", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputD0)},
	{id: 0x0C9, name: "dmp_LightEnv.lutInputD1", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputD1)},
	{id: 0x0CA, name: "dmp_LightEnv.lutInputSP", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputSP)},
	{id: 0x0CB, name: "dmp_LightEnv.lutInputFR", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputFR)},
	{id: 0x0CC, name: "dmp_LightEnv.lutInputRB", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputRB)},
	{id: 0x0CD, name: "dmp_LightEnv.lutInputRG", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputRG)},
	{id: 0x0CE, name: "dmp_LightEnv.lutInputRR", typ: Int, def: named(lutInputSymbols, 1, "nh"), symbols: lutInputSymbols, fields: all(pica.LightingLutInputRR)},
	{id: 0x0CF, name: "dmp_LightEnv.lutScaleD0", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleD0)},
	{id: 0x0D0, name: "dmp_LightEnv.lutScaleD1", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleD1)},
	{id: 0x0D1, name: "dmp_LightEnv.lutScaleSP", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleSP)},
	{id: 0x0D2, name: "dmp_LightEnv.lutScaleFR", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleFR)},
	{id: 0x0D3, name: "dmp_LightEnv.lutScaleRB", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleRB)},
	{id: 0x0D4, name: "dmp_LightEnv.lutScaleRG", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleRG)},
	{id: 0x0D5, name: "dmp_LightEnv.lutScaleRR", typ: Float, def: one, steps: lutScaleSteps, fields: all(pica.LightingLutScaleRR)},
	{id: 0x0DC, name: "dmp_LightEnv.shadowSelector", typ: Int, def: named(unitSymbols, 1, "texture0"), symbols: unitSymbols, fields: all(pica.LightingShadowTexture)},
	{id: 0x0DD, name: "dmp_LightEnv.bumpSelector", typ: Int, def: named(unitSymbols, 1, "texture0"), symbols: unitSymbols, fields: all(pica.LightingBumpTexture)},
	{id: 0x0DE, name: "dmp_LightEnv.bumpMode", typ: Int, def: named(bumpModeSymbols, 1, "none"), symbols: bumpModeSymbols, fields: all(pica.LightingBumpMode)},
	{id: 0x0DF, name: "dmp_LightEnv.bumpRenorm", typ: Bool, def: off, fields: all(pica.LightingBumpNoRenorm), encode: encodeInverted,
		doc: "z of the bump vector is recalculated from x and y"},
	{id: 0x0E0, name: "dmp_LightEnv.config", typ: Int, def: named(lightLayerSymbols, 1, "config0"), symbols: lightLayerSymbols, fields: all(pica.LightingLayer)},
	{id: locInvertShadow, name: "dmp_LightEnv.invertShadow", typ: Bool, def: off, fields: all(pica.LightingShadowInvert)},
	{id: 0x0E2, name: "dmp_LightEnv.shadowPrimary", typ: Bool, def: off, fields: all(pica.LightingShadowPrimary, pica.LightingShadowEnable), encode: encodeShadow},
	{id: 0x0E3, name: "dmp_LightEnv.shadowSecondary", typ: Bool, def: off, fields: all(pica.LightingShadowSecondary, pica.LightingShadowEnable), encode: encodeShadow},
	{id: locShadowAlpha, name: "dmp_LightEnv.shadowAlpha", typ: Bool, def: off, fields: all(pica.LightingShadowAlpha, pica.LightingShadowEnable), encode: encodeShadow},
	{id: 0x0E5, name: "dmp_LightEnv.fresnelSelector", typ: Int, def: named(fresnelSymbols, 1, "none"), symbols: fresnelSymbols,
		fields: all(pica.LightingFresnel, pica.LightingNoFR), encode: encodeFresnel},
	{id: 0x0E6, name: "dmp_LightEnv.clampHighlights", typ: Bool, def: off, fields: all(pica.LightingClampHighlights)},
	{id: 0x0E7, name: "dmp_LightEnv.lutEnabledD0", typ: Bool, def: off, fields: all(pica.LightingNoD0), encode: encodeInverted},
	{id: 0x0E8, name: "dmp_LightEnv.lutEnabledD1", typ: Bool, def: off, fields: all(pica.LightingNoD1), encode: encodeInverted},
	{id: 0x0E9, name: "dmp_LightEnv.lutEnabledRefl", typ: Bool, def: off, fields: all(pica.LightingNoRB, pica.LightingNoRG, pica.LightingNoRR), encode: encodeInverted},
}
