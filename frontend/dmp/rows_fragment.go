package dmp

import "pica200/pica"

// Fragment operations, 0x01E to 0x026.
var fragOpRows = []row{
	{id: FragOperationMode, name: "dmp_FragOperation.mode", typ: Int, def: named(fragmentModeSymbols, 1, "default"), symbols: fragmentModeSymbols, fields: all(pica.ColorOperationMode)},
	{id: FragOperationPenumbraScale, name: "dmp_FragOperation.penumbraScale", typ: Float, def: one, min: -65504, max: 65504,
		fields: all(pica.FragopShadowConstant, pica.FragopShadowLinear), encode: encodePenumbra},
	{id: FragOperationPenumbraBias, name: "dmp_FragOperation.penumbraBias", typ: Float, def: zero, min: -65504, max: 65504,
		fields: all(pica.FragopShadowConstant), encode: encodePenumbra},
	{id: FragOperationWScale, name: "dmp_FragOperation.wScale", typ: Float, def: zero,
		fields: all(pica.DepthmapMode, pica.DepthmapScale, pica.DepthmapOffset), encode: encodeDepth,
		doc: "0 stores z/w as depth, anything else makes a w buffer"},
	{id: FragOperationEnableClippingPlane, name: "dmp_FragOperation.enableClippingPlane", typ: Bool, def: off, fields: all(pica.FragopClipEnable)},
	{id: FragOperationClippingPlane, name: "dmp_FragOperation.clippingPlane", typ: FloatVec4, def: def(0, 0, 0, 0),
		fields: all(pica.FragopClipData, pica.FragopClipData.At(1), pica.FragopClipData.At(2), pica.FragopClipData.At(3))},
	{id: FragOperationEnableAlphaTest, name: "dmp_FragOperation.enableAlphaTest", typ: Bool, def: off, fields: all(pica.AlphaTestEnable)},
	{id: FragOperationAlphaTestFunc, name: "dmp_FragOperation.alphaTestFunc", typ: Int, def: named(compareSymbols, 1, "always"), symbols: compareSymbols, fields: all(pica.AlphaTestFunc)},
	{id: FragOperationAlphaRefValue, name: "dmp_FragOperation.alphaRefValue", typ: Float, def: zero, max: 1, fields: all(pica.AlphaTestRef)},
}

// Gas, 0x027 to 0x031.
var gasRows = []row{
	{id: GasLightXY, name: "dmp_Gas.lightXY", typ: FloatVec3, def: def(0, 0, 0), max: 1,
		fields: all(pica.GasLightXYMin, pica.GasLightXYMax, pica.GasLightXYAttenuation), doc: "planar shading: least, greatest, attenuation"},
	{id: GasLightZ, name: "dmp_Gas.lightZ", typ: FloatVec4, def: def(0, 0, 0, 0), max: 1,
		fields: all(pica.GasLightZMin, pica.GasLightZMax, pica.GasLightZAttenuation, pica.GasLightZEffect), doc: "view shading: least, greatest, attenuation, effect in the line of sight"},
	{id: GasDeltaZ, name: "dmp_Gas.deltaZ", typ: Float, def: zero, max: 65535.996, fields: all(pica.GasDeltaz)},
	{id: GasAccMax, name: "dmp_Gas.accMax", typ: Float, def: one, min: 1.0 / 65504, max: 65504,
		fields: all(pica.GasAccmax), encode: encodeAccMax, doc: "greatest density; the register holds the reciprocal. With autoAcc it is not written"},
	{id: GasAutoAcc, name: "dmp_Gas.autoAcc", typ: Bool, def: one,
		fields: all(pica.GasAccmax), encode: encodeAccMax, doc: "the greatest density is measured: whoever submits the commands sets GAS_ACCMAX to the reciprocal of GPUREG_0125 after the density pass"},
	{id: GasAttenuation, name: "dmp_Gas.attenuation", typ: Float, def: one, min: -65504, max: 65504, fields: all(pica.GasAttenuation)},
	{id: GasColorLutInput, name: "dmp_Gas.colorLutInput", typ: Int, def: named(gasLutInputSymbols, 1, "density"), symbols: gasLutInputSymbols, fields: all(pica.GasLutInputSelect)},
	{id: GasShadingDensitySrc, name: "dmp_Gas.shadingDensitySrc", typ: Int, def: named(gasDensitySymbols, 1, "plain"), symbols: gasDensitySymbols, fields: all(pica.TexenvUpdateGasDensity)},
	{id: GasSamplerTR, name: "dmp_Gas.samplerTR", typ: Sampler1D, def: zero, fields: gasTableFields, upload: upload(uploadGas)},
	{id: GasSamplerTG, name: "dmp_Gas.samplerTG", typ: Sampler1D, def: zero, fields: gasTableFields, upload: upload(uploadGas)},
	{id: GasSamplerTB, name: "dmp_Gas.samplerTB", typ: Sampler1D, def: zero, fields: gasTableFields, upload: upload(uploadGas)},
}

var gasTableFields = all(pica.GasLutIndex, pica.GasLutDataR, pica.GasLutDataG, pica.GasLutDataB)

// The texture combiner, 0x0EA to 0x124.
var texenvRows = []row{
	{id: TexEnvCombineRgb, name: "dmp_TexEnv[%d].combineRgb", n: 6, typ: Int, def: named(combineSymbols, 1, "replace"), symbols: combineSymbols, fields: stage(pica.TexenvRgbCombine)},
	{id: TexEnvCombineAlpha, name: "dmp_TexEnv[%d].combineAlpha", n: 6, typ: Int, def: named(combineSymbols, 1, "replace"), symbols: combineSymbols, fields: stage(pica.TexenvAlphaCombine)},
	{id: TexEnvSrcRgb, name: "dmp_TexEnv[%d].srcRgb", n: 6, typ: IntVec3, def: sourceDefault, symbols: sourceSymbols,
		fields: stage(pica.TexenvRgbSource0, pica.TexenvRgbSource1, pica.TexenvRgbSource2)},
	{id: TexEnvSrcAlpha, name: "dmp_TexEnv[%d].srcAlpha", n: 6, typ: IntVec3, def: sourceDefault, symbols: sourceSymbols,
		fields: stage(pica.TexenvAlphaSource0, pica.TexenvAlphaSource1, pica.TexenvAlphaSource2)},
	{id: TexEnvOperandRgb, name: "dmp_TexEnv[%d].operandRgb", n: 6, typ: IntVec3, def: named(operandRgbSymbols, 3, "color"), symbols: operandRgbSymbols,
		fields: stage(pica.TexenvRgbOperand0, pica.TexenvRgbOperand1, pica.TexenvRgbOperand2)},
	{id: TexEnvOperandAlpha, name: "dmp_TexEnv[%d].operandAlpha", n: 6, typ: IntVec3, def: named(operandAlphaSymbols, 3, "alpha"), symbols: operandAlphaSymbols,
		fields: stage(pica.TexenvAlphaOperand0, pica.TexenvAlphaOperand1, pica.TexenvAlphaOperand2)},
	{id: TexEnvScaleRgb, name: "dmp_TexEnv[%d].scaleRgb", n: 6, typ: Float, def: one, steps: scaleSteps, fields: stage(pica.TexenvRgbScale)},
	{id: TexEnvScaleAlpha, name: "dmp_TexEnv[%d].scaleAlpha", n: 6, typ: Float, def: one, steps: scaleSteps, fields: stage(pica.TexenvAlphaScale)},
	{id: TexEnvConstRgba, name: "dmp_TexEnv[%d].constRgba", n: 6, typ: FloatVec4, def: def(0, 0, 0, 0), max: 1,
		fields: stage(pica.TexenvColorR, pica.TexenvColorG, pica.TexenvColorB, pica.TexenvColorA)},
	{id: TexEnvBufferColor, name: "dmp_TexEnv[0].bufferColor", typ: FloatVec4, def: def(0, 0, 0, 0), max: 1,
		fields: all(pica.TexenvBufferR, pica.TexenvBufferG, pica.TexenvBufferB, pica.TexenvBufferA), doc: "what the combiner buffer holds in stage 0 and 1"},
	{id: TexEnvBufferInput, name: "dmp_TexEnv[%d].bufferInput", first: 1, n: 4, typ: IntVec2, def: named(bufferInputSymbols, 2, "previous_buffer"), symbols: bufferInputSymbols,
		fields: func(i int) []pica.Field {
			return []pica.Field{bit(pica.TexenvUpdateRgb, i-1, "stage"), bit(pica.TexenvUpdateAlpha, i-1, "stage")}
		}, doc: "for colour and alpha: whether the buffer takes the result of the stage before or stays"},
}

// Fog, 0x125 to 0x128.
var fogRows = []row{
	{id: FogMode, name: "dmp_Fog.mode", typ: Int, def: named(fogModeSymbols, 1, "off"), symbols: fogModeSymbols, fields: all(pica.TexenvUpdateFogMode)},
	{id: FogColor, name: "dmp_Fog.color", typ: FloatVec3, def: def(0, 0, 0), max: 1, fields: all(pica.FogColorR, pica.FogColorG, pica.FogColorB)},
	{id: FogZFlip, name: "dmp_Fog.zFlip", typ: Bool, def: off, fields: all(pica.TexenvUpdateZFlip)},
	{id: FogSampler, name: "dmp_Fog.sampler", typ: Sampler1D, def: zero, fields: all(pica.FogLutIndex, pica.FogLutDataDelta, pica.FogLutDataValue), upload: upload(uploadFog)},
}
