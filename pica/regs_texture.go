package pica

// The texture units, 0x080 to 0x0BF.
const (
	RegTexunitConfig       Reg = 0x080
	RegTexunit0BorderColor Reg = 0x081
	RegTexunit1BorderColor Reg = 0x091
	RegTexunit2BorderColor Reg = 0x099
	RegTexunit0Dim         Reg = 0x082
	RegTexunit1Dim         Reg = 0x092
	RegTexunit2Dim         Reg = 0x09A
	RegTexunit0Param       Reg = 0x083
	RegTexunit1Param       Reg = 0x093
	RegTexunit2Param       Reg = 0x09B
	RegTexunit0Lod         Reg = 0x084
	RegTexunit1Lod         Reg = 0x094
	RegTexunit2Lod         Reg = 0x09C
	RegTexunit0Addr1       Reg = 0x085
	RegTexunit1Addr        Reg = 0x095
	RegTexunit2Addr        Reg = 0x09D
	RegTexunit0Addr2       Reg = 0x086 // first of 5
	RegTexunit0Shadow      Reg = 0x08B
	RegTexunit0Type        Reg = 0x08E
	RegTexunit1Type        Reg = 0x096
	RegTexunit2Type        Reg = 0x09E
	RegLightingEnable0     Reg = 0x08F
	RegTexunit3Proctex0    Reg = 0x0A8
	RegTexunit3Proctex1    Reg = 0x0A9
	RegTexunit3Proctex2    Reg = 0x0AA
	RegTexunit3Proctex3    Reg = 0x0AB
	RegTexunit3Proctex4    Reg = 0x0AC
	RegTexunit3Proctex5    Reg = 0x0AD
	RegTexunit3Proctex6    Reg = 0x0AE // not in the table: places of levels 4 to 7
	RegProctexLut          Reg = 0x0AF
	RegProctexLutData0     Reg = 0x0B0 // first of 8
)

var (
	TexunitEnable0            = boolean(RegTexunitConfig, "enable 0", 0, "")
	TexunitEnable1            = boolean(RegTexunitConfig, "enable 1", 1, "")
	TexunitEnable2            = boolean(RegTexunitConfig, "enable 2", 2, "")
	TexunitTexcoord3          = enum(RegTexunitConfig, "texcoord 3", 8, 2, Texcoord3s, "")
	TexunitEnable3            = boolean(RegTexunitConfig, "enable 3", 10, "the procedural texture")
	TexunitOne                = raw(RegTexunitConfig, "one", 12, 1, TypeBits, "programs write 1")
	TexunitTexcoord2          = enum(RegTexunitConfig, "texcoord 2", 13, 1, Texcoord2s, "")
	TexunitClearCache         = raw(RegTexunitConfig, "clear cache", 16, 1, TypeTrigger, "")
	TexunitBorderR            = raw(RegTexunit0BorderColor, "red", 0, 8, TypeUnorm8, "")
	TexunitBorderG            = raw(RegTexunit0BorderColor, "green", 8, 8, TypeUnorm8, "")
	TexunitBorderB            = raw(RegTexunit0BorderColor, "blue", 16, 8, TypeUnorm8, "")
	TexunitBorderA            = raw(RegTexunit0BorderColor, "alpha", 24, 8, TypeUnorm8, "")
	TexunitHeight             = uns(RegTexunit0Dim, "height", 0, 11, "texels")
	TexunitWidth              = uns(RegTexunit0Dim, "width", 16, 11, "texels")
	TexunitMagFilter          = enum(RegTexunit0Param, "mag filter", 1, 1, Filters, "")
	TexunitMinFilter          = enum(RegTexunit0Param, "min filter", 2, 1, Filters, "")
	TexunitEtc1               = uns(RegTexunit0Param, "etc1", 4, 2, "2 with format etc1, else 0; 0 for etc1a4")
	TexunitWrapT              = enum(RegTexunit0Param, "wrap t", 8, 3, Wraps, "")
	TexunitWrapS              = enum(RegTexunit0Param, "wrap s", 12, 3, Wraps, "")
	TexunitShadow             = boolean(RegTexunit0Param, "shadow", 20, "unit 0 only")
	TexunitMipFilter          = enum(RegTexunit0Param, "mip filter", 24, 1, Filters, "")
	TexunitType               = enum(RegTexunit0Param, "type", 28, 3, TextureTypes, "unit 0 only")
	TexunitLodBias            = raw(RegTexunit0Lod, "bias", 0, 13, TypeFixedS4_8, "")
	TexunitLodMax             = uns(RegTexunit0Lod, "max level", 16, 4, "")
	TexunitLodMin             = uns(RegTexunit0Lod, "min level", 24, 4, "")
	TexunitAddr               = raw(RegTexunit0Addr1, "address", 0, 28, TypeAddress, "")
	TexunitAddrFace           = raw(RegTexunit0Addr2, "address", 0, 22, TypeAddress, "lower 22 bits")
	TexunitShadowOrthographic = boolean(RegTexunit0Shadow, "orthographic", 0, "false: the reference depth is divided by w")
	TexunitShadowBias         = raw(RegTexunit0Shadow, "bias", 1, 23, TypeFixed0_24, "")
	texunitFormat             = enum(RegTexunit0Type, "format", 0, 4, TextureFormats, "")
	LightingEnable            = boolean(RegLightingEnable0, "enable", 0, "")
	ProctexClampU             = enum(RegTexunit3Proctex0, "clamp u", 0, 3, ProcClamps, "")
	ProctexClampV             = enum(RegTexunit3Proctex0, "clamp v", 3, 3, ProcClamps, "")
	ProctexRgbMap             = enum(RegTexunit3Proctex0, "rgb map", 6, 4, ProcMaps, "")
	ProctexAlphaMap           = enum(RegTexunit3Proctex0, "alpha map", 10, 4, ProcMaps, "")
	ProctexAlphaSeparate      = boolean(RegTexunit3Proctex0, "alpha separate", 14, "alpha comes from the alpha map")
	ProctexNoiseEnable        = boolean(RegTexunit3Proctex0, "noise enable", 15, "")
	ProctexShiftU             = enum(RegTexunit3Proctex0, "shift u", 16, 2, ProcShifts, "")
	ProctexShiftV             = enum(RegTexunit3Proctex0, "shift v", 18, 2, ProcShifts, "")
	ProctexBiasLow            = raw(RegTexunit3Proctex0, "bias low", 20, 8, TypeBits, "lower 8 bits of a float1.5.10")
	ProctexNoiseAmplitudeU    = raw(RegTexunit3Proctex1, "amplitude", 0, 16, TypeFixedS3_12, "")
	ProctexNoisePhaseU        = raw(RegTexunit3Proctex1, "phase", 16, 16, TypeFloat16, "")
	ProctexNoiseAmplitudeV    = raw(RegTexunit3Proctex2, "amplitude", 0, 16, TypeFixedS3_12, "")
	ProctexNoisePhaseV        = raw(RegTexunit3Proctex2, "phase", 16, 16, TypeFloat16, "")
	ProctexNoiseFrequencyU    = raw(RegTexunit3Proctex3, "frequency u", 0, 16, TypeFloat16, "")
	ProctexNoiseFrequencyV    = raw(RegTexunit3Proctex3, "frequency v", 16, 16, TypeFloat16, "")
	ProctexMinFilter          = enum(RegTexunit3Proctex4, "min filter", 0, 3, ProcFilters, "")
	ProctexLodMin             = uns(RegTexunit3Proctex4, "min level", 3, 4, "usually 0")
	ProctexLodMax             = uns(RegTexunit3Proctex4, "max level", 7, 4, "usually 6")
	ProctexWidth              = uns(RegTexunit3Proctex4, "width", 11, 8, "entries of level 0")
	ProctexBiasHigh           = raw(RegTexunit3Proctex4, "bias high", 19, 8, TypeBits, "upper 8 bits of a float1.5.10")
	ProctexOffset0            = uns(RegTexunit3Proctex5, "level 0", 0, 8, "entry")
	ProctexOffset1            = uns(RegTexunit3Proctex5, "level 1", 8, 8, "entry")
	ProctexOffset2            = uns(RegTexunit3Proctex5, "level 2", 16, 8, "entry")
	ProctexOffset3            = uns(RegTexunit3Proctex5, "level 3", 24, 8, "entry")
	ProctexLutIndex           = uns(RegProctexLut, "index", 0, 8, "")
	ProctexLutTable           = enum(RegProctexLut, "table", 8, 4, ProcTables, "")
	ProctexLutData            = raw(RegProctexLutData0, "entry", 0, 32, TypeBits, "")
)

var textureRegisters = join(
	register(RegTexunitConfig, "TEXUNIT_CONFIG", "The texture units in use and their coordinates.", TexunitEnable0, TexunitEnable1, TexunitEnable2, TexunitTexcoord3, TexunitEnable3, TexunitOne, TexunitTexcoord2, TexunitClearCache),
	texunits(RegTexunit0BorderColor, "BORDER_COLOR", "Colour outside the texture with wrap mode clamp_to_border.", TexunitBorderR, TexunitBorderG, TexunitBorderB, TexunitBorderA),
	texunits(RegTexunit0Dim, "DIM", "Size of level 0.", TexunitHeight, TexunitWidth),
	texunits(RegTexunit0Param, "PARAM", "Filters, wrapping, kind.", TexunitMagFilter, TexunitMinFilter, TexunitEtc1, TexunitWrapT, TexunitWrapS, TexunitShadow, TexunitMipFilter, TexunitType),
	texunits(RegTexunit0Lod, "LOD", "Level of detail.", TexunitLodBias, TexunitLodMax, TexunitLodMin),
	texunits(RegTexunit0Addr1, "ADDR", "Address of level 0; the other levels follow it. Of a cube, the face +x.", TexunitAddr),
	repeated(RegTexunit0Addr2, "TEXUNIT0_ADDR%d", 2, 5, 1, "Address of a further face of a cube, in the order -x, +y, -y, +z, -z. The upper 6 bits are those of TEXUNIT0_ADDR1.", TexunitAddrFace),
	register(RegTexunit0Shadow, "TEXUNIT0_SHADOW", "Shadow texture.", TexunitShadowOrthographic, TexunitShadowBias),
	texunitTypes("Format of the texels.", texunitFormat),
	register(RegLightingEnable0, "LIGHTING_ENABLE0", "Lighting; LIGHTING_ENABLE1 is set too.", LightingEnable),
	register(RegTexunit3Proctex0, "TEXUNIT3_PROCTEX0", "Procedural texture: coordinates and mapping.", ProctexClampU, ProctexClampV, ProctexRgbMap, ProctexAlphaMap, ProctexAlphaSeparate, ProctexNoiseEnable, ProctexShiftU, ProctexShiftV, ProctexBiasLow),
	register(RegTexunit3Proctex1, "TEXUNIT3_PROCTEX1", "Procedural texture: noise in u.", ProctexNoiseAmplitudeU, ProctexNoisePhaseU),
	register(RegTexunit3Proctex2, "TEXUNIT3_PROCTEX2", "Procedural texture: noise in v.", ProctexNoiseAmplitudeV, ProctexNoisePhaseV),
	register(RegTexunit3Proctex3, "TEXUNIT3_PROCTEX3", "Procedural texture: frequency of the noise.", ProctexNoiseFrequencyU, ProctexNoiseFrequencyV),
	register(RegTexunit3Proctex4, "TEXUNIT3_PROCTEX4", "Procedural texture: colour table.", ProctexMinFilter, ProctexLodMin, ProctexLodMax, ProctexWidth, ProctexBiasHigh),
	register(RegTexunit3Proctex5, "TEXUNIT3_PROCTEX5", "Procedural texture: where the levels begin in the colour table; usually 0, 0x80, 0xC0, 0xE0. GPUREG_00AE has those of levels 4 to 7 (GBATEK); 0 was never written, and stands for 0xFEFCF8F0.", ProctexOffset0, ProctexOffset1, ProctexOffset2, ProctexOffset3),
	register(RegProctexLut, "PROCTEX_LUT", "Table and entry that PROCTEX_LUT_DATA writes.", ProctexLutIndex, ProctexLutTable),
	repeated(RegProctexLutData0, "PROCTEX_LUT_DATA%d", 0, 8, 1, "Entry of a table; the index goes up by 1.", ProctexLutData),
)

// TexunitOffset returns the distance from a register of texture unit 0 to that
// of unit i, 0 to 2: border colour, size, parameters, level of detail, address.
// The format is elsewhere, see TexunitFormat.
func TexunitOffset(i int) Reg { return [3]Reg{0, 0x10, 0x18}[i] }

// TexunitFormat returns the field that holds the texel format of texture unit
// i, 0 to 2 (a TextureFormat).
func TexunitFormat(i int) Field {
	f := texunitFormat
	f.Reg = [3]Reg{RegTexunit0Type, RegTexunit1Type, RegTexunit2Type}[i]
	return f
}
