package pica

import "fmt"

// The shader units: geometry 0x280 to 0x2AF, vertex 0x2B0 to 0x2DF.
const (
	RegGshBooluniform               Reg = 0x280
	RegVshBooluniform               Reg = 0x2B0
	RegGshIntuniformI0              Reg = 0x281 // first of 4
	RegVshIntuniformI0              Reg = 0x2B1 // first of 4
	RegGshInputbufferConfig         Reg = 0x289
	RegVshInputbufferConfig         Reg = 0x2B9
	RegGshEntrypoint                Reg = 0x28A
	RegVshEntrypoint                Reg = 0x2BA
	RegGshAttributesPermutationLow  Reg = 0x28B
	RegVshAttributesPermutationLow  Reg = 0x2BB
	RegGshAttributesPermutationHigh Reg = 0x28C
	RegVshAttributesPermutationHigh Reg = 0x2BC
	RegGshOutmapMask                Reg = 0x28D
	RegVshOutmapMask                Reg = 0x2BD
	RegGshCodetransferEnd           Reg = 0x28F
	RegVshCodetransferEnd           Reg = 0x2BF
	RegGshFloatuniformIndex         Reg = 0x290
	RegVshFloatuniformIndex         Reg = 0x2C0
	RegGshFloatuniformData0         Reg = 0x291 // first of 8
	RegVshFloatuniformData0         Reg = 0x2C1 // first of 8
	RegGshCodetransferIndex         Reg = 0x29B
	RegVshCodetransferIndex         Reg = 0x2CB
	RegGshCodetransferData0         Reg = 0x29C // first of 8
	RegVshCodetransferData0         Reg = 0x2CC // first of 8
	RegGshOpdescsIndex              Reg = 0x2A5
	RegVshOpdescsIndex              Reg = 0x2D5
	RegGshOpdescsData0              Reg = 0x2A6 // first of 8
	RegVshOpdescsData0              Reg = 0x2D6 // first of 8
)

var (
	ShBooluniform        = raw(RegGshBooluniform, "booleans", 0, 16, TypeBits, "bit i is b_i")
	ShBooluniformConst   = raw(RegGshBooluniform, "constant", 16, 16, TypeBits, "programs write 0x7FFF")
	ShIntuniformX        = uns(RegGshIntuniformI0, "x", 0, 8, "")
	ShIntuniformY        = uns(RegGshIntuniformI0, "y", 8, 8, "")
	ShIntuniformZ        = uns(RegGshIntuniformI0, "z", 16, 8, "")
	ShIntuniformW        = uns(RegGshIntuniformI0, "w", 24, 8, "")
	ShInputCount         = uns(RegGshInputbufferConfig, "attributes - 1", 0, 4, "less 1")
	ShInputSubdivision   = uns(RegGshInputbufferConfig, "subdivision", 8, 8, "1 with reserved geometry shaders; emulators: input goes to uniforms")
	ShInputMode          = enum(RegGshInputbufferConfig, "mode", 24, 8, ShaderModes, "")
	GshEntrypoint        = uns(RegGshEntrypoint, "entry", 0, 12, "instructions")
	GshEntrypointConst   = raw(RegGshEntrypoint, "constant", 16, 16, TypeBits, "programs write 0x7FFF")
	VshEntrypoint        = uns(RegVshEntrypoint, "entry", 0, 9, "instructions")
	VshEntrypointConst   = raw(RegVshEntrypoint, "constant", 16, 16, TypeBits, "programs write 0x7FFF")
	ShOutmapMask         = raw(RegGshOutmapMask, "outputs", 0, 16, TypeBits, "bit i is o_i")
	ShCodetransferEnd    = raw(RegGshCodetransferEnd, "end", 0, 32, TypeTrigger, "")
	ShFloatuniformIndex  = uns(RegGshFloatuniformIndex, "index", 0, 8, "0..95; emulators take 7 bits")
	ShFloatuniformFormat = enum(RegGshFloatuniformIndex, "format", 31, 1, UniformFormats, "")
	ShFloatuniformData   = raw(RegGshFloatuniformData0, "data", 0, 32, TypeBits, "")
	ShCodetransferIndex  = uns(RegGshCodetransferIndex, "index", 0, 12, "")
	ShCodetransferData   = raw(RegGshCodetransferData0, "instruction", 0, 32, TypeBits, "")
	ShOpdescsIndex       = uns(RegGshOpdescsIndex, "index", 0, 12, "")
	ShOpdescsData        = raw(RegGshOpdescsData0, "descriptor", 0, 32, TypeBits, "")
)

var shaderRegisters = join(
	shaderUnits(RegGshBooluniform, "BOOLUNIFORM", 1, "Boolean uniforms.", ShBooluniform, ShBooluniformConst),
	shaderUnits(RegGshIntuniformI0, "INTUNIFORM_I%d", 4, "Integer uniform.", ShIntuniformX, ShIntuniformY, ShIntuniformZ, ShIntuniformW),
	shaderUnits(RegGshInputbufferConfig, "INPUTBUFFER_CONFIG", 1, "Input of a shader unit.", ShInputCount, ShInputSubdivision, ShInputMode),
	register(RegGshEntrypoint, "GSH_ENTRYPOINT", "Where a program begins.", GshEntrypoint, GshEntrypointConst),
	register(RegVshEntrypoint, "VSH_ENTRYPOINT", "Where a program begins.", VshEntrypoint, VshEntrypointConst),
	shaderUnits(RegGshAttributesPermutationLow, "ATTRIBUTES_PERMUTATION_LOW", 1, "Input registers of attributes 0 to 7.", permutations(0, 8)...),
	shaderUnits(RegGshAttributesPermutationHigh, "ATTRIBUTES_PERMUTATION_HIGH", 1, "Input registers of attributes 8 to 15.", permutations(8, 16)...),
	shaderUnits(RegGshOutmapMask, "OUTMAP_MASK", 1, "Output registers that are used.", ShOutmapMask),
	shaderUnits(RegGshCodetransferEnd, "CODETRANSFER_END", 1, "Ends the sending of code.", ShCodetransferEnd),
	shaderUnits(RegGshFloatuniformIndex, "FLOATUNIFORM_INDEX", 1, "Uniform that FLOATUNIFORM_DATA writes.", ShFloatuniformIndex, ShFloatuniformFormat),
	shaderUnits(RegGshFloatuniformData0, "FLOATUNIFORM_DATA%d", 8, "Part of a float uniform, w first; after the last part the index goes up by 1.", ShFloatuniformData),
	shaderUnits(RegGshCodetransferIndex, "CODETRANSFER_INDEX", 1, "Instruction that CODETRANSFER_DATA writes.", ShCodetransferIndex),
	shaderUnits(RegGshCodetransferData0, "CODETRANSFER_DATA%d", 8, "Instruction; the index goes up by 1.", ShCodetransferData),
	shaderUnits(RegGshOpdescsIndex, "OPDESCS_INDEX", 1, "Operand descriptor that OPDESCS_DATA writes.", ShOpdescsIndex),
	shaderUnits(RegGshOpdescsData0, "OPDESCS_DATA%d", 8, "Operand descriptor; the index goes up by 1.", ShOpdescsData),
)

// The registers of the geometry shader and of the vertex shader have the same
// layout. The fields named Sh are those of the geometry shader; At(OffsetVsh)
// makes them those of the vertex shader. The entry points differ in width.
const (
	OffsetGsh Reg = 0x00
	OffsetVsh Reg = 0x30
)

// ShPermutation returns the field that holds the input register of attribute
// i, 0 to 15.
func ShPermutation(i int) Field {
	return uns(RegGshAttributesPermutationLow+Reg(i/8), fmt.Sprintf("attribute %d", i), uint8(i%8*4), 4, "input register")
}

func permutations(from, to int) (fields []Field) {
	for i := from; i < to; i++ {
		fields = append(fields, ShPermutation(i))
	}
	return fields
}
