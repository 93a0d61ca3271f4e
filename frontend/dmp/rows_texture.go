package dmp

import "pica200/pica"

// The texture units, 0x000 to 0x008.
var textureRows = []row{
	{id: Texture0PerspectiveShadow, name: "dmp_Texture[0].perspectiveShadow", typ: Bool, def: one,
		fields: all(pica.TexunitShadowOrthographic), encode: encodeInverted,
		doc: "the reference depth of a shadow texture is divided by w"},
	{id: Texture0ShadowZBias, name: "dmp_Texture[0].shadowZBias", typ: Float, def: zero, min: 0, max: 1,
		fields: all(pica.TexunitShadowBias), encode: encodeShadowBias},
	{id: Texture0ShadowZScale, name: "dmp_Texture[0].shadowZScale", typ: Float, def: one,
		fields: all(pica.TexunitShadowBias), encode: encodeShadowBias,
		doc: "no register is known for it; it multiplies shadowZBias (a guess: the shader scales the depth itself)"},
	{id: Texture0SamplerType, name: "dmp_Texture[0].samplerType", typ: Int, def: named(sampler0Symbols, 1, "disabled"), symbols: sampler0Symbols,
		fields: all(pica.TexunitEnable0, pica.TexunitType, pica.TexunitShadow), encode: encodeSamplerType0},
	{id: Texture1SamplerType, name: "dmp_Texture[1].samplerType", typ: Int, def: named(samplerSymbols, 1, "disabled"), symbols: samplerSymbols,
		fields: all(pica.TexunitEnable1)},
	{id: Texture2SamplerType, name: "dmp_Texture[2].samplerType", typ: Int, def: named(samplerSymbols, 1, "disabled"), symbols: samplerSymbols,
		fields: all(pica.TexunitEnable2)},
	{id: Texture3SamplerType, name: "dmp_Texture[3].samplerType", typ: Int, def: named(samplerProcSymbols, 1, "disabled"), symbols: samplerProcSymbols,
		fields: all(pica.TexunitEnable3)},
	{id: Texture2Texcoord, name: "dmp_Texture[2].texcoord", typ: Int, def: named(texcoord2Symbols, 1, "texcoord2"), symbols: texcoord2Symbols,
		fields: all(pica.TexunitTexcoord2)},
	{id: Texture3Texcoord, name: "dmp_Texture[3].texcoord", typ: Int, def: named(texcoord3Symbols, 1, "texcoord0"), symbols: texcoord3Symbols,
		fields: all(pica.TexunitTexcoord3)},
}

// The procedural texture, 0x009 to 0x01D.
var procRows = []row{
	{id: ProcRgbMap, name: "dmp_Texture[3].ptRgbMap", typ: Int, def: named(procMapSymbols, 1, "u"), symbols: procMapSymbols, fields: all(pica.ProctexRgbMap)},
	{id: ProcAlphaMap, name: "dmp_Texture[3].ptAlphaMap", typ: Int, def: named(procMapSymbols, 1, "u"), symbols: procMapSymbols, fields: all(pica.ProctexAlphaMap)},
	{id: ProcAlphaSeparate, name: "dmp_Texture[3].ptAlphaSeparate", typ: Bool, def: off, fields: all(pica.ProctexAlphaSeparate)},
	{id: ProcClampU, name: "dmp_Texture[3].ptClampU", typ: Int, def: named(procClampSymbols, 1, "to_edge"), symbols: procClampSymbols, fields: all(pica.ProctexClampU)},
	{id: ProcClampV, name: "dmp_Texture[3].ptClampV", typ: Int, def: named(procClampSymbols, 1, "to_edge"), symbols: procClampSymbols, fields: all(pica.ProctexClampV)},
	{id: ProcShiftU, name: "dmp_Texture[3].ptShiftU", typ: Int, def: named(procShiftSymbols, 1, "none"), symbols: procShiftSymbols, fields: all(pica.ProctexShiftU)},
	{id: ProcShiftV, name: "dmp_Texture[3].ptShiftV", typ: Int, def: named(procShiftSymbols, 1, "none"), symbols: procShiftSymbols, fields: all(pica.ProctexShiftV)},
	{id: ProcMinFilter, name: "dmp_Texture[3].ptMinFilter", typ: Int, def: named(procFilterSymbols, 1, "linear"), symbols: procFilterSymbols, fields: all(pica.ProctexMinFilter)},
	{id: ProcTexWidth, name: "dmp_Texture[3].ptTexWidth", typ: Int, def: zero, max: 255, fields: all(pica.ProctexWidth), doc: "entries of level 0 of the colour table"},
	{id: ProcTexOffset, name: "dmp_Texture[3].ptTexOffset", typ: Int, def: zero, max: 255, fields: all(pica.ProctexOffset0), doc: "first entry of level 0 of the colour table"},
	{id: ProcTexBias, name: "dmp_Texture[3].ptTexBias", typ: Float, def: def(0.5), min: -65504, max: 65504,
		fields: all(pica.ProctexBiasLow, pica.ProctexBiasHigh), encode: encodeProcBias, doc: "float1.5.10 in two halves"},
	{id: ProcNoiseEnable, name: "dmp_Texture[3].ptNoiseEnable", typ: Bool, def: off, fields: all(pica.ProctexNoiseEnable)},
	{id: ProcNoiseU, name: "dmp_Texture[3].ptNoiseU", typ: FloatVec3, def: def(0, 0, 0), min: -65504, max: 65504,
		fields: all(pica.ProctexNoiseFrequencyU, pica.ProctexNoisePhaseU, pica.ProctexNoiseAmplitudeU),
		doc:    "frequency, phase, amplitude (the order is a guess); the amplitude is clamped to -8..8"},
	{id: ProcNoiseV, name: "dmp_Texture[3].ptNoiseV", typ: FloatVec3, def: def(0, 0, 0), min: -65504, max: 65504,
		fields: all(pica.ProctexNoiseFrequencyV, pica.ProctexNoisePhaseV, pica.ProctexNoiseAmplitudeV),
		doc:    "as ptNoiseU"},
	{id: ProcSamplerRgbMap, name: "dmp_Texture[3].ptSamplerRgbMap", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadRgbMap)},
	{id: ProcSamplerAlphaMap, name: "dmp_Texture[3].ptSamplerAlphaMap", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadAlphaMap)},
	{id: ProcSamplerNoiseMap, name: "dmp_Texture[3].ptSamplerNoiseMap", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadNoise)},
	{id: ProcSamplerR, name: "dmp_Texture[3].ptSamplerR", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadProcColor)},
	{id: ProcSamplerG, name: "dmp_Texture[3].ptSamplerG", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadProcColor)},
	{id: ProcSamplerB, name: "dmp_Texture[3].ptSamplerB", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadProcColor)},
	{id: ProcSamplerA, name: "dmp_Texture[3].ptSamplerA", typ: Sampler1D, def: zero, fields: procTableFields, upload: upload(uploadProcColor)},
}

var procTableFields = all(pica.ProctexLutIndex, pica.ProctexLutTable, pica.ProctexLutData)
