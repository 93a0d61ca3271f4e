package pica

// FragmentMode is the fragment operation: an ordinary draw, gas or shadow.
type FragmentMode uint8

// The values of FragmentMode.
const (
	FragmentModeDefault FragmentMode = 0
	FragmentModeGas     FragmentMode = 1
	FragmentModeShadow  FragmentMode = 3
)

// FragmentModes names the values of FragmentMode.
var FragmentModes = newEnum("FragmentMode",
	ev(FragmentModeDefault, "default", "tests, blending, colour and depth"),
	ev(FragmentModeGas, "gas", "densities are added up in the gas buffer"),
	ev(FragmentModeShadow, "shadow", "depth and intensity are put into a shadow texture"),
)

func (f FragmentMode) String() string { return FragmentModes.Format(uint32(f)) }

// BlendMode chooses between logic operations and blending.
type BlendMode uint8

// The values of BlendMode.
const (
	BlendModeLogicOp BlendMode = 0
	BlendModeBlend   BlendMode = 1
)

// BlendModes names the values of BlendMode.
var BlendModes = newEnum("BlendMode",
	ev(BlendModeLogicOp, "logic_op", ""),
	ev(BlendModeBlend, "blend", ""),
)

func (b BlendMode) String() string { return BlendModes.Format(uint32(b)) }

// BlendEquation combines the products of colours and factors.
type BlendEquation uint8

// The values of BlendEquation.
const (
	BlendAdd             BlendEquation = 0
	BlendSubtract        BlendEquation = 1
	BlendReverseSubtract BlendEquation = 2
	BlendMin             BlendEquation = 3
	BlendMax             BlendEquation = 4
	BlendAdd5            BlendEquation = 5
	BlendAdd6            BlendEquation = 6
	BlendAdd7            BlendEquation = 7
)

// BlendEquations names the values of BlendEquation.
var BlendEquations = newEnum("BlendEquation",
	ev(BlendAdd, "add", "source + destination"),
	ev(BlendSubtract, "subtract", "source - destination"),
	ev(BlendReverseSubtract, "reverse_subtract", "destination - source"),
	ev(BlendMin, "min", ""),
	ev(BlendMax, "max", ""),
	ev(BlendAdd5, "add5", "as add"),
	ev(BlendAdd6, "add6", "as add"),
	ev(BlendAdd7, "add7", "as add"),
)

func (b BlendEquation) String() string { return BlendEquations.Format(uint32(b)) }

// BlendFactor is the factor of a colour.
type BlendFactor uint8

// The values of BlendFactor.
const (
	FactorZero               BlendFactor = 0
	FactorOne                BlendFactor = 1
	FactorSrcColor           BlendFactor = 2
	FactorOneMinusSrcColor   BlendFactor = 3
	FactorDstColor           BlendFactor = 4
	FactorOneMinusDstColor   BlendFactor = 5
	FactorSrcAlpha           BlendFactor = 6
	FactorOneMinusSrcAlpha   BlendFactor = 7
	FactorDstAlpha           BlendFactor = 8
	FactorOneMinusDstAlpha   BlendFactor = 9
	FactorConstColor         BlendFactor = 10
	FactorOneMinusConstColor BlendFactor = 11
	FactorConstAlpha         BlendFactor = 12
	FactorOneMinusConstAlpha BlendFactor = 13
	FactorSrcAlphaSaturate   BlendFactor = 14
)

// BlendFactors names the values of BlendFactor.
var BlendFactors = newEnum("BlendFactor",
	ev(FactorZero, "zero", ""),
	ev(FactorOne, "one", ""),
	ev(FactorSrcColor, "src_color", ""),
	ev(FactorOneMinusSrcColor, "one_minus_src_color", ""),
	ev(FactorDstColor, "dst_color", ""),
	ev(FactorOneMinusDstColor, "one_minus_dst_color", ""),
	ev(FactorSrcAlpha, "src_alpha", ""),
	ev(FactorOneMinusSrcAlpha, "one_minus_src_alpha", ""),
	ev(FactorDstAlpha, "dst_alpha", ""),
	ev(FactorOneMinusDstAlpha, "one_minus_dst_alpha", ""),
	ev(FactorConstColor, "const_color", ""),
	ev(FactorOneMinusConstColor, "one_minus_const_color", ""),
	ev(FactorConstAlpha, "const_alpha", ""),
	ev(FactorOneMinusConstAlpha, "one_minus_const_alpha", ""),
	ev(FactorSrcAlphaSaturate, "src_alpha_saturate", ""),
)

func (b BlendFactor) String() string { return BlendFactors.Format(uint32(b)) }

// LogicOp is a bitwise function of source s and destination d.
type LogicOp uint8

// The values of LogicOp.
const (
	LogicOpClear        LogicOp = 0
	LogicOpAnd          LogicOp = 1
	LogicOpAndReverse   LogicOp = 2
	LogicOpCopy         LogicOp = 3
	LogicOpSet          LogicOp = 4
	LogicOpCopyInverted LogicOp = 5
	LogicOpNoop         LogicOp = 6
	LogicOpInvert       LogicOp = 7
	LogicOpNand         LogicOp = 8
	LogicOpOr           LogicOp = 9
	LogicOpNor          LogicOp = 10
	LogicOpXor          LogicOp = 11
	LogicOpEquiv        LogicOp = 12
	LogicOpAndInverted  LogicOp = 13
	LogicOpOrReverse    LogicOp = 14
	LogicOpOrInverted   LogicOp = 15
)

// LogicOps names the values of LogicOp.
var LogicOps = newEnum("LogicOp",
	ev(LogicOpClear, "clear", "0"),
	ev(LogicOpAnd, "and", "s & d"),
	ev(LogicOpAndReverse, "and_reverse", "s & ~d"),
	ev(LogicOpCopy, "copy", "s"),
	ev(LogicOpSet, "set", "~0"),
	ev(LogicOpCopyInverted, "copy_inverted", "~s"),
	ev(LogicOpNoop, "noop", "d"),
	ev(LogicOpInvert, "invert", "~d"),
	ev(LogicOpNand, "nand", "~(s & d)"),
	ev(LogicOpOr, "or", "s | d"),
	ev(LogicOpNor, "nor", "~(s | d)"),
	ev(LogicOpXor, "xor", "s ^ d"),
	ev(LogicOpEquiv, "equiv", "~(s ^ d)"),
	ev(LogicOpAndInverted, "and_inverted", "~s & d"),
	ev(LogicOpOrReverse, "or_reverse", "s | ~d"),
	ev(LogicOpOrInverted, "or_inverted", "~s | d"),
)

func (l LogicOp) String() string { return LogicOps.Format(uint32(l)) }

// CompareFunc compares an incoming value (left) with a reference or stored value (right).
type CompareFunc uint8

// The values of CompareFunc.
const (
	CompareNever        CompareFunc = 0
	CompareAlways       CompareFunc = 1
	CompareEqual        CompareFunc = 2
	CompareNotEqual     CompareFunc = 3
	CompareLess         CompareFunc = 4
	CompareLessEqual    CompareFunc = 5
	CompareGreater      CompareFunc = 6
	CompareGreaterEqual CompareFunc = 7
)

// CompareFuncs names the values of CompareFunc.
var CompareFuncs = newEnum("CompareFunc",
	ev(CompareNever, "never", ""),
	ev(CompareAlways, "always", ""),
	ev(CompareEqual, "equal", ""),
	ev(CompareNotEqual, "not_equal", ""),
	ev(CompareLess, "less", ""),
	ev(CompareLessEqual, "less_equal", ""),
	ev(CompareGreater, "greater", ""),
	ev(CompareGreaterEqual, "greater_equal", ""),
)

func (c CompareFunc) String() string { return CompareFuncs.Format(uint32(c)) }

// StencilOp changes a stencil value.
type StencilOp uint8

// The values of StencilOp.
const (
	StencilKeep          StencilOp = 0
	StencilZero          StencilOp = 1
	StencilReplace       StencilOp = 2
	StencilIncrement     StencilOp = 3
	StencilDecrement     StencilOp = 4
	StencilInvert        StencilOp = 5
	StencilIncrementWrap StencilOp = 6
	StencilDecrementWrap StencilOp = 7
)

// StencilOps names the values of StencilOp.
var StencilOps = newEnum("StencilOp",
	ev(StencilKeep, "keep", ""),
	ev(StencilZero, "zero", ""),
	ev(StencilReplace, "replace", "the reference value"),
	ev(StencilIncrement, "increment", "up to 255"),
	ev(StencilDecrement, "decrement", "down to 0"),
	ev(StencilInvert, "invert", ""),
	ev(StencilIncrementWrap, "increment_wrap", "255 becomes 0"),
	ev(StencilDecrementWrap, "decrement_wrap", "0 becomes 255"),
)

func (s StencilOp) String() string { return StencilOps.Format(uint32(s)) }

// DepthFormat is the layout of the depth attachment.
type DepthFormat uint8

// The values of DepthFormat.
const (
	DepthFormatD16      DepthFormat = 0
	DepthFormatInvalid1 DepthFormat = 1
	DepthFormatD24      DepthFormat = 2
	DepthFormatD24S8    DepthFormat = 3
)

// DepthFormats names the values of DepthFormat.
var DepthFormats = newEnum("DepthFormat",
	ev(DepthFormatD16, "d16", "16 bits"),
	ev(DepthFormatInvalid1, "invalid1", "undocumented"),
	ev(DepthFormatD24, "d24", "24 bits"),
	ev(DepthFormatD24S8, "d24s8", "24 bits of depth, 8 of stencil"),
)

func (d DepthFormat) String() string { return DepthFormats.Format(uint32(d)) }

// ColorFormat is the layout of the colour attachment.
type ColorFormat uint8

// The values of ColorFormat.
const (
	ColorFormatRGBA8  ColorFormat = 0
	ColorFormatRGB8   ColorFormat = 1
	ColorFormatRGB5A1 ColorFormat = 2
	ColorFormatRGB565 ColorFormat = 3
	ColorFormatRGBA4  ColorFormat = 4
)

// ColorFormats names the values of ColorFormat.
var ColorFormats = newEnum("ColorFormat",
	ev(ColorFormatRGBA8, "rgba8", "32 bits; also gas and shadow"),
	ev(ColorFormatRGB8, "rgb8", "24 bits; of emulators, not in the register documentation"),
	ev(ColorFormatRGB5A1, "rgb5a1", "16 bits"),
	ev(ColorFormatRGB565, "rgb565", "16 bits"),
	ev(ColorFormatRGBA4, "rgba4", "16 bits"),
)

func (c ColorFormat) String() string { return ColorFormats.Format(uint32(c)) }

// PixelSize is the size of a pixel of the colour attachment.
type PixelSize uint8

// The values of PixelSize.
const (
	PixelSize16 PixelSize = 0
	PixelSize24 PixelSize = 1
	PixelSize32 PixelSize = 2
)

// PixelSizes names the values of PixelSize.
var PixelSizes = newEnum("PixelSize",
	ev(PixelSize16, "16", ""),
	ev(PixelSize24, "24", "undocumented"),
	ev(PixelSize32, "32", ""),
)

func (p PixelSize) String() string { return PixelSizes.Format(uint32(p)) }

// GasDepthFunc weighs the second density of gas by its distance in front of the depth attachment.
type GasDepthFunc uint8

// The values of GasDepthFunc.
const (
	GasDepthNever   GasDepthFunc = 0
	GasDepthAlways  GasDepthFunc = 1
	GasDepthGreater GasDepthFunc = 2
	GasDepthLess    GasDepthFunc = 3
)

// GasDepthFuncs names the values of GasDepthFunc.
var GasDepthFuncs = newEnum("GasDepthFunc",
	ev(GasDepthNever, "never", "factor 0"),
	ev(GasDepthAlways, "always", "factor 1"),
	ev(GasDepthGreater, "greater", "factor 1 - attenuation"),
	ev(GasDepthLess, "less", "factor attenuation"),
)

func (g GasDepthFunc) String() string { return GasDepthFuncs.Format(uint32(g)) }

// GasLutInput is the input of the gas colour table.
type GasLutInput uint8

// The values of GasLutInput.
const (
	GasLutInputDensity     GasLutInput = 0
	GasLutInputLightFactor GasLutInput = 1
)

// GasLutInputs names the values of GasLutInput.
var GasLutInputs = newEnum("GasLutInput",
	ev(GasLutInputDensity, "density", ""),
	ev(GasLutInputLightFactor, "light_factor", ""),
)

func (g GasLutInput) String() string { return GasLutInputs.Format(uint32(g)) }
