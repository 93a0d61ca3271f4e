package pica

// The texture combiner, fog and gas, 0x0C0 to 0x0FF.
const (
	RegTexenv0Source      Reg = 0x0C0
	RegTexenv1Source      Reg = 0x0C8
	RegTexenv2Source      Reg = 0x0D0
	RegTexenv3Source      Reg = 0x0D8
	RegTexenv4Source      Reg = 0x0F0
	RegTexenv5Source      Reg = 0x0F8
	RegTexenv0Operand     Reg = 0x0C1
	RegTexenv1Operand     Reg = 0x0C9
	RegTexenv2Operand     Reg = 0x0D1
	RegTexenv3Operand     Reg = 0x0D9
	RegTexenv4Operand     Reg = 0x0F1
	RegTexenv5Operand     Reg = 0x0F9
	RegTexenv0Combiner    Reg = 0x0C2
	RegTexenv1Combiner    Reg = 0x0CA
	RegTexenv2Combiner    Reg = 0x0D2
	RegTexenv3Combiner    Reg = 0x0DA
	RegTexenv4Combiner    Reg = 0x0F2
	RegTexenv5Combiner    Reg = 0x0FA
	RegTexenv0Color       Reg = 0x0C3
	RegTexenv1Color       Reg = 0x0CB
	RegTexenv2Color       Reg = 0x0D3
	RegTexenv3Color       Reg = 0x0DB
	RegTexenv4Color       Reg = 0x0F3
	RegTexenv5Color       Reg = 0x0FB
	RegTexenv0Scale       Reg = 0x0C4
	RegTexenv1Scale       Reg = 0x0CC
	RegTexenv2Scale       Reg = 0x0D4
	RegTexenv3Scale       Reg = 0x0DC
	RegTexenv4Scale       Reg = 0x0F4
	RegTexenv5Scale       Reg = 0x0FC
	RegTexenvUpdateBuffer Reg = 0x0E0
	RegFogColor           Reg = 0x0E1
	RegGasAttenuation     Reg = 0x0E4
	RegGasAccmax          Reg = 0x0E5
	RegFogLutIndex        Reg = 0x0E6
	RegFogLutData0        Reg = 0x0E8 // first of 8
	RegTexenvBufferColor  Reg = 0x0FD
)

var (
	TexenvRgbSource0       = enum(RegTexenv0Source, "rgb source 0", 0, 4, Sources, "")
	TexenvRgbSource1       = enum(RegTexenv0Source, "rgb source 1", 4, 4, Sources, "")
	TexenvRgbSource2       = enum(RegTexenv0Source, "rgb source 2", 8, 4, Sources, "")
	TexenvAlphaSource0     = enum(RegTexenv0Source, "alpha source 0", 16, 4, Sources, "")
	TexenvAlphaSource1     = enum(RegTexenv0Source, "alpha source 1", 20, 4, Sources, "")
	TexenvAlphaSource2     = enum(RegTexenv0Source, "alpha source 2", 24, 4, Sources, "")
	TexenvRgbOperand0      = enum(RegTexenv0Operand, "rgb operand 0", 0, 4, OperandRGBs, "")
	TexenvRgbOperand1      = enum(RegTexenv0Operand, "rgb operand 1", 4, 4, OperandRGBs, "")
	TexenvRgbOperand2      = enum(RegTexenv0Operand, "rgb operand 2", 8, 4, OperandRGBs, "")
	TexenvAlphaOperand0    = enum(RegTexenv0Operand, "alpha operand 0", 12, 3, OperandAlphas, "")
	TexenvAlphaOperand1    = enum(RegTexenv0Operand, "alpha operand 1", 16, 3, OperandAlphas, "")
	TexenvAlphaOperand2    = enum(RegTexenv0Operand, "alpha operand 2", 20, 3, OperandAlphas, "")
	TexenvRgbCombine       = enum(RegTexenv0Combiner, "rgb combine", 0, 4, Combines, "")
	TexenvAlphaCombine     = enum(RegTexenv0Combiner, "alpha combine", 16, 4, Combines, "")
	TexenvColorR           = raw(RegTexenv0Color, "red", 0, 8, TypeUnorm8, "")
	TexenvColorG           = raw(RegTexenv0Color, "green", 8, 8, TypeUnorm8, "")
	TexenvColorB           = raw(RegTexenv0Color, "blue", 16, 8, TypeUnorm8, "")
	TexenvColorA           = raw(RegTexenv0Color, "alpha", 24, 8, TypeUnorm8, "")
	TexenvRgbScale         = enum(RegTexenv0Scale, "rgb scale", 0, 2, Scales, "")
	TexenvAlphaScale       = enum(RegTexenv0Scale, "alpha scale", 16, 2, Scales, "")
	TexenvUpdateFogMode    = enum(RegTexenvUpdateBuffer, "fog mode", 0, 3, FogModes, "")
	TexenvUpdateGasDensity = enum(RegTexenvUpdateBuffer, "gas density", 3, 1, GasDensities, "")
	TexenvUpdateRgb        = raw(RegTexenvUpdateBuffer, "update rgb", 8, 4, TypeBits, "bit i: after stage i the buffer takes its colour, which stage i + 2 can read")
	TexenvUpdateAlpha      = raw(RegTexenvUpdateBuffer, "update alpha", 12, 4, TypeBits, "bit i: after stage i the buffer takes its alpha")
	TexenvUpdateZFlip      = boolean(RegTexenvUpdateBuffer, "z flip", 16, "fog is looked up with 1 - depth")
	FogColorR              = raw(RegFogColor, "red", 0, 8, TypeUnorm8, "")
	FogColorG              = raw(RegFogColor, "green", 8, 8, TypeUnorm8, "")
	FogColorB              = raw(RegFogColor, "blue", 16, 8, TypeUnorm8, "")
	GasAttenuation         = raw(RegGasAttenuation, "attenuation", 0, 16, TypeFloat16, "")
	GasAccmax              = raw(RegGasAccmax, "reciprocal", 0, 16, TypeFloat16, "")
	FogLutIndex            = uns(RegFogLutIndex, "index", 0, 16, "the upper 9 bits do not count")
	FogLutDataDelta        = raw(RegFogLutData0, "difference", 0, 13, TypeFixedS1_11, "to the next entry")
	FogLutDataValue        = raw(RegFogLutData0, "value", 13, 11, TypeFixed0_11, "")
	TexenvBufferR          = raw(RegTexenvBufferColor, "red", 0, 8, TypeUnorm8, "")
	TexenvBufferG          = raw(RegTexenvBufferColor, "green", 8, 8, TypeUnorm8, "")
	TexenvBufferB          = raw(RegTexenvBufferColor, "blue", 16, 8, TypeUnorm8, "")
	TexenvBufferA          = raw(RegTexenvBufferColor, "alpha", 24, 8, TypeUnorm8, "")
)

var texenvRegisters = join(
	texenvs(RegTexenv0Source, "SOURCE", "Inputs of a combiner stage.", TexenvRgbSource0, TexenvRgbSource1, TexenvRgbSource2, TexenvAlphaSource0, TexenvAlphaSource1, TexenvAlphaSource2),
	texenvs(RegTexenv0Operand, "OPERAND", "What is taken from the inputs.", TexenvRgbOperand0, TexenvRgbOperand1, TexenvRgbOperand2, TexenvAlphaOperand0, TexenvAlphaOperand1, TexenvAlphaOperand2),
	texenvs(RegTexenv0Combiner, "COMBINER", "Function of a combiner stage.", TexenvRgbCombine, TexenvAlphaCombine),
	texenvs(RegTexenv0Color, "COLOR", "Constant of a combiner stage.", TexenvColorR, TexenvColorG, TexenvColorB, TexenvColorA),
	texenvs(RegTexenv0Scale, "SCALE", "Factor on the result of a combiner stage.", TexenvRgbScale, TexenvAlphaScale),
	register(RegTexenvUpdateBuffer, "TEXENV_UPDATE_BUFFER", "Combiner buffer (byte 1), fog and gas (bytes 0 and 2).", TexenvUpdateFogMode, TexenvUpdateGasDensity, TexenvUpdateRgb, TexenvUpdateAlpha, TexenvUpdateZFlip),
	register(RegFogColor, "FOG_COLOR", "Colour of fog.", FogColorR, FogColorG, FogColorB),
	register(RegGasAttenuation, "GAS_ATTENUATION", "Attenuation of gas.", GasAttenuation),
	register(RegGasAccmax, "GAS_ACCMAX", "Reciprocal of the greatest density of gas.", GasAccmax),
	register(RegFogLutIndex, "FOG_LUT_INDEX", "Entry that FOG_LUT_DATA writes.", FogLutIndex),
	repeated(RegFogLutData0, "FOG_LUT_DATA%d", 0, 8, 1, "Entry of the fog table of 128 entries; the index goes up by 1.", FogLutDataDelta, FogLutDataValue),
	register(RegTexenvBufferColor, "TEXENV_BUFFER_COLOR", "What the combiner buffer holds at first.", TexenvBufferR, TexenvBufferG, TexenvBufferB, TexenvBufferA),
)

// NumTexenvs is the number of stages of the texture combiner.
const NumTexenvs = 6

// TexenvBase returns the first register, TEXENVi_SOURCE, of combiner stage i,
// 0 to 5.
func TexenvBase(i int) Reg {
	return [NumTexenvs]Reg{
		RegTexenv0Source, RegTexenv1Source, RegTexenv2Source,
		RegTexenv3Source, RegTexenv4Source, RegTexenv5Source,
	}[i]
}

// TexenvOffset returns the distance from a register of combiner stage 0 to
// that of stage i, 0 to 5, for Field.At.
func TexenvOffset(i int) Reg { return TexenvBase(i) - RegTexenv0Source }
