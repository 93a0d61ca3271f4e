package pica

// TextureFormat is the layout of a texel in memory.
type TextureFormat uint8

// The values of TextureFormat.
const (
	TextureFormatRGBA8  TextureFormat = 0
	TextureFormatRGB8   TextureFormat = 1
	TextureFormatRGB5A1 TextureFormat = 2
	TextureFormatRGB565 TextureFormat = 3
	TextureFormatRGBA4  TextureFormat = 4
	TextureFormatIA8    TextureFormat = 5
	TextureFormatRG8    TextureFormat = 6
	TextureFormatI8     TextureFormat = 7
	TextureFormatA8     TextureFormat = 8
	TextureFormatIA4    TextureFormat = 9
	TextureFormatI4     TextureFormat = 10
	TextureFormatA4     TextureFormat = 11
	TextureFormatETC1   TextureFormat = 12
	TextureFormatETC1A4 TextureFormat = 13
)

// TextureFormats names the values of TextureFormat.
var TextureFormats = newEnum("TextureFormat",
	ev(TextureFormatRGBA8, "rgba8", "32 bits"),
	ev(TextureFormatRGB8, "rgb8", "24 bits"),
	ev(TextureFormatRGB5A1, "rgb5a1", "16 bits"),
	ev(TextureFormatRGB565, "rgb565", "16 bits"),
	ev(TextureFormatRGBA4, "rgba4", "16 bits"),
	ev(TextureFormatIA8, "ia8", "16 bits, intensity and alpha"),
	ev(TextureFormatRG8, "rg8", "16 bits, red and green; HILO8"),
	ev(TextureFormatI8, "i8", "8 bits, intensity"),
	ev(TextureFormatA8, "a8", "8 bits, alpha"),
	ev(TextureFormatIA4, "ia4", "8 bits, intensity and alpha"),
	ev(TextureFormatI4, "i4", "4 bits, intensity"),
	ev(TextureFormatA4, "a4", "4 bits, alpha"),
	ev(TextureFormatETC1, "etc1", "4 bits, compressed blocks of 4x4"),
	ev(TextureFormatETC1A4, "etc1a4", "8 bits, ETC1 with 4 bits of alpha"),
)

func (t TextureFormat) String() string { return TextureFormats.Format(uint32(t)) }

// TextureType says how texture unit 0 uses its coordinates.
type TextureType uint8

// The values of TextureType.
const (
	Texture2D         TextureType = 0
	TextureCube       TextureType = 1
	TextureShadow2D   TextureType = 2
	TextureProjection TextureType = 3
	TextureShadowCube TextureType = 4
	TextureDisabled   TextureType = 5
)

// TextureTypes names the values of TextureType.
var TextureTypes = newEnum("TextureType",
	ev(Texture2D, "2d", "u and v"),
	ev(TextureCube, "cube", "u, v and w choose a face"),
	ev(TextureShadow2D, "shadow2d", "compare with the depth in a shadow texture"),
	ev(TextureProjection, "projection", "u and v divided by w"),
	ev(TextureShadowCube, "shadow_cube", "shadow on the faces of a cube"),
	ev(TextureDisabled, "disabled", ""),
)

func (t TextureType) String() string { return TextureTypes.Format(uint32(t)) }

// Wrap is what a texture unit reads outside of the texture.
type Wrap uint8

// The values of Wrap.
const (
	WrapClampToEdge    Wrap = 0
	WrapClampToBorder  Wrap = 1
	WrapRepeat         Wrap = 2
	WrapMirror         Wrap = 3
	WrapClampToEdge2   Wrap = 4
	WrapClampToBorder2 Wrap = 5
	WrapRepeat2        Wrap = 6
	WrapRepeat3        Wrap = 7
)

// Wraps names the values of Wrap.
var Wraps = newEnum("Wrap",
	ev(WrapClampToEdge, "clamp_to_edge", ""),
	ev(WrapClampToBorder, "clamp_to_border", "the border colour"),
	ev(WrapRepeat, "repeat", ""),
	ev(WrapMirror, "mirrored_repeat", ""),
	ev(WrapClampToEdge2, "clamp_to_edge2", "undocumented: edge above, repeat below zero (emulator note)"),
	ev(WrapClampToBorder2, "clamp_to_border2", "undocumented: border above, repeat below zero (emulator note)"),
	ev(WrapRepeat2, "repeat2", "undocumented: as repeat (emulator note)"),
	ev(WrapRepeat3, "repeat3", "undocumented: as repeat (emulator note)"),
)

func (w Wrap) String() string { return Wraps.Format(uint32(w)) }

// Filter chooses between the nearest texel or level and interpolation.
type Filter uint8

// The values of Filter.
const (
	FilterNearest Filter = 0
	FilterLinear  Filter = 1
)

// Filters names the values of Filter.
var Filters = newEnum("Filter",
	ev(FilterNearest, "nearest", ""),
	ev(FilterLinear, "linear", ""),
)

func (f Filter) String() string { return Filters.Format(uint32(f)) }

// Texcoord3 is the source of the coordinates of texture unit 3.
type Texcoord3 uint8

// The values of Texcoord3.
const (
	Texcoord3From0 Texcoord3 = 0
	Texcoord3From1 Texcoord3 = 1
	Texcoord3From2 Texcoord3 = 2
)

// Texcoord3s names the values of Texcoord3.
var Texcoord3s = newEnum("Texcoord3",
	ev(Texcoord3From0, "texcoord0", ""),
	ev(Texcoord3From1, "texcoord1", ""),
	ev(Texcoord3From2, "texcoord2", ""),
)

func (t Texcoord3) String() string { return Texcoord3s.Format(uint32(t)) }

// Texcoord2 is the source of the coordinates of texture unit 2.
type Texcoord2 uint8

// The values of Texcoord2.
const (
	Texcoord2From2 Texcoord2 = 0
	Texcoord2From1 Texcoord2 = 1
)

// Texcoord2s names the values of Texcoord2.
var Texcoord2s = newEnum("Texcoord2",
	ev(Texcoord2From2, "texcoord2", ""),
	ev(Texcoord2From1, "texcoord1", ""),
)

func (t Texcoord2) String() string { return Texcoord2s.Format(uint32(t)) }

// ProcClamp says what the procedural texture does with coordinates outside -1..1.
type ProcClamp uint8

// The values of ProcClamp.
const (
	ProcClampToZero            ProcClamp = 0
	ProcClampToEdge            ProcClamp = 1
	ProcClampSymmetricalRepeat ProcClamp = 2
	ProcClampMirroredRepeat    ProcClamp = 3
	ProcClampPulse             ProcClamp = 4
)

// ProcClamps names the values of ProcClamp.
var ProcClamps = newEnum("ProcClamp",
	ev(ProcClampToZero, "to_zero", ""),
	ev(ProcClampToEdge, "to_edge", ""),
	ev(ProcClampSymmetricalRepeat, "symmetrical_repeat", ""),
	ev(ProcClampMirroredRepeat, "mirrored_repeat", ""),
	ev(ProcClampPulse, "pulse", "0 below 0.5, 1 above"),
)

func (p ProcClamp) String() string { return ProcClamps.Format(uint32(p)) }

// ProcMap combines u and v to the input of the procedural texture's mapping
// tables.
type ProcMap uint8

// The values of ProcMap.
const (
	ProcMapU     ProcMap = 0
	ProcMapU2    ProcMap = 1
	ProcMapV     ProcMap = 2
	ProcMapV2    ProcMap = 3
	ProcMapAdd   ProcMap = 4
	ProcMapAdd2  ProcMap = 5
	ProcMapSqrt2 ProcMap = 6
	ProcMapMin   ProcMap = 7
	ProcMapMax   ProcMap = 8
	ProcMapRMax  ProcMap = 9
)

// ProcMaps names the values of ProcMap.
var ProcMaps = newEnum("ProcMap",
	ev(ProcMapU, "u", "u"),
	ev(ProcMapU2, "u2", "u * u"),
	ev(ProcMapV, "v", "v"),
	ev(ProcMapV2, "v2", "v * v"),
	ev(ProcMapAdd, "add", "(u + v) / 2"),
	ev(ProcMapAdd2, "add2", "(u * u + v * v) / 2"),
	ev(ProcMapSqrt2, "sqrt2", "sqrt(u * u + v * v)"),
	ev(ProcMapMin, "min", "the lesser of u and v"),
	ev(ProcMapMax, "max", "the greater of u and v"),
	ev(ProcMapRMax, "rmax", "mean of max and sqrt2"),
)

func (p ProcMap) String() string { return ProcMaps.Format(uint32(p)) }

// ProcShift moves every other row or column of the procedural texture by half a period.
type ProcShift uint8

// The values of ProcShift.
const (
	ProcShiftNone ProcShift = 0
	ProcShiftOdd  ProcShift = 1
	ProcShiftEven ProcShift = 2
)

// ProcShifts names the values of ProcShift.
var ProcShifts = newEnum("ProcShift",
	ev(ProcShiftNone, "none", ""),
	ev(ProcShiftOdd, "odd", ""),
	ev(ProcShiftEven, "even", ""),
)

func (p ProcShift) String() string { return ProcShifts.Format(uint32(p)) }

// ProcFilter is the filter of the procedural texture's colour table.
type ProcFilter uint8

// The values of ProcFilter.
const (
	ProcFilterNearest              ProcFilter = 0
	ProcFilterLinear               ProcFilter = 1
	ProcFilterNearestMipmapNearest ProcFilter = 2
	ProcFilterLinearMipmapNearest  ProcFilter = 3
	ProcFilterNearestMipmapLinear  ProcFilter = 4
	ProcFilterLinearMipmapLinear   ProcFilter = 5
)

// ProcFilters names the values of ProcFilter.
var ProcFilters = newEnum("ProcFilter",
	ev(ProcFilterNearest, "nearest", ""),
	ev(ProcFilterLinear, "linear", ""),
	ev(ProcFilterNearestMipmapNearest, "nearest_mipmap_nearest", ""),
	ev(ProcFilterLinearMipmapNearest, "linear_mipmap_nearest", ""),
	ev(ProcFilterNearestMipmapLinear, "nearest_mipmap_linear", ""),
	ev(ProcFilterLinearMipmapLinear, "linear_mipmap_linear", ""),
)

func (p ProcFilter) String() string { return ProcFilters.Format(uint32(p)) }

// ProcTable is one of the tables of the procedural texture.
type ProcTable uint8

// The values of ProcTable.
const (
	ProcTableNoise     ProcTable = 0
	ProcTableRGBMap    ProcTable = 2
	ProcTableAlphaMap  ProcTable = 3
	ProcTableColor     ProcTable = 4
	ProcTableColorDiff ProcTable = 5
)

// ProcTables names the values of ProcTable.
var ProcTables = newEnum("ProcTable",
	ev(ProcTableNoise, "noise", "128 entries: value and difference"),
	ev(ProcTableRGBMap, "rgb_map", "128 entries: value and difference"),
	ev(ProcTableAlphaMap, "alpha_map", "128 entries: value and difference"),
	ev(ProcTableColor, "color", "256 colours"),
	ev(ProcTableColorDiff, "color_diff", "256 differences of colours, halved"),
)

func (p ProcTable) String() string { return ProcTables.Format(uint32(p)) }
