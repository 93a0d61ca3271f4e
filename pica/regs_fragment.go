package pica

// Fragment operations and attachments, 0x100 to 0x13F.
const (
	RegColorOperation        Reg = 0x100
	RegBlendFunc             Reg = 0x101
	RegLogicOp               Reg = 0x102
	RegBlendColor            Reg = 0x103
	RegFragopAlphaTest       Reg = 0x104
	RegStencilTest           Reg = 0x105
	RegStencilOp             Reg = 0x106
	RegDepthColorMask        Reg = 0x107
	RegFramebufferInvalidate Reg = 0x110
	RegFramebufferFlush      Reg = 0x111
	RegColorbufferRead       Reg = 0x112
	RegColorbufferWrite      Reg = 0x113
	RegDepthbufferRead       Reg = 0x114
	RegDepthbufferWrite      Reg = 0x115
	RegDepthbufferFormat     Reg = 0x116
	RegColorbufferFormat     Reg = 0x117
	RegEarlydepthTest2       Reg = 0x118
	RegFramebufferBlock32    Reg = 0x11B
	RegDepthbufferLoc        Reg = 0x11C
	RegColorbufferLoc        Reg = 0x11D
	RegFramebufferDim        Reg = 0x11E
	RegGasLightXy            Reg = 0x120
	RegGasLightZ             Reg = 0x121
	RegGasLightZColor        Reg = 0x122
	RegGasLutIndex           Reg = 0x123
	RegGasLutData            Reg = 0x124
	RegGasFeedback           Reg = 0x125
	RegGasDeltazDepth        Reg = 0x126
	RegFragopShadow          Reg = 0x130
)

var (
	ColorOperationMode      = enum(RegColorOperation, "mode", 0, 2, FragmentModes, "")
	ColorOperationBlend     = enum(RegColorOperation, "blend mode", 8, 1, BlendModes, "")
	ColorOperationConst     = raw(RegColorOperation, "constant", 16, 10, TypeBits, "programs write 0x0E4")
	BlendRgbEquation        = enum(RegBlendFunc, "rgb equation", 0, 3, BlendEquations, "")
	BlendAlphaEquation      = enum(RegBlendFunc, "alpha equation", 8, 3, BlendEquations, "")
	BlendRgbSource          = enum(RegBlendFunc, "rgb source", 16, 4, BlendFactors, "")
	BlendRgbDest            = enum(RegBlendFunc, "rgb destination", 20, 4, BlendFactors, "")
	BlendAlphaSource        = enum(RegBlendFunc, "alpha source", 24, 4, BlendFactors, "")
	BlendAlphaDest          = enum(RegBlendFunc, "alpha destination", 28, 4, BlendFactors, "")
	LogicOpFunc             = enum(RegLogicOp, "operation", 0, 4, LogicOps, "")
	BlendColorR             = raw(RegBlendColor, "red", 0, 8, TypeUnorm8, "")
	BlendColorG             = raw(RegBlendColor, "green", 8, 8, TypeUnorm8, "")
	BlendColorB             = raw(RegBlendColor, "blue", 16, 8, TypeUnorm8, "")
	BlendColorA             = raw(RegBlendColor, "alpha", 24, 8, TypeUnorm8, "")
	AlphaTestEnable         = boolean(RegFragopAlphaTest, "enable", 0, "")
	AlphaTestFunc           = enum(RegFragopAlphaTest, "function", 4, 3, CompareFuncs, "fragment's alpha against the reference")
	AlphaTestRef            = raw(RegFragopAlphaTest, "reference", 8, 8, TypeUnorm8, "")
	StencilTestEnable       = boolean(RegStencilTest, "enable", 0, "")
	StencilTestFunc         = enum(RegStencilTest, "function", 4, 3, CompareFuncs, "masked reference against masked stencil value")
	StencilTestWriteMask    = raw(RegStencilTest, "write mask", 8, 8, TypeBits, "")
	StencilTestRef          = uns(RegStencilTest, "reference", 16, 8, "3dbrew says signed; the comparison is of masked bytes")
	StencilTestMask         = raw(RegStencilTest, "mask", 24, 8, TypeBits, "")
	StencilOpFail           = enum(RegStencilOp, "fail", 0, 3, StencilOps, "stencil test fails")
	StencilOpZFail          = enum(RegStencilOp, "z fail", 4, 3, StencilOps, "depth test fails")
	StencilOpZPass          = enum(RegStencilOp, "z pass", 8, 3, StencilOps, "both pass")
	DepthTestEnable         = boolean(RegDepthColorMask, "depth test enable", 0, "")
	DepthTestFunc           = enum(RegDepthColorMask, "depth function", 4, 3, CompareFuncs, "fragment's depth against the stored depth")
	ColorMaskR              = boolean(RegDepthColorMask, "red write", 8, "")
	ColorMaskG              = boolean(RegDepthColorMask, "green write", 9, "")
	ColorMaskB              = boolean(RegDepthColorMask, "blue write", 10, "")
	ColorMaskA              = boolean(RegDepthColorMask, "alpha write", 11, "")
	DepthWriteEnable        = boolean(RegDepthColorMask, "depth write", 12, "")
	FramebufferInvalidate   = raw(RegFramebufferInvalidate, "invalidate", 0, 1, TypeTrigger, "")
	FramebufferFlush        = raw(RegFramebufferFlush, "flush", 0, 1, TypeTrigger, "")
	ColorbufferRead         = raw(RegColorbufferRead, "allow", 0, 4, TypeBits, "0xF or 0")
	ColorbufferWrite        = raw(RegColorbufferWrite, "allow", 0, 4, TypeBits, "0xF or 0")
	DepthbufferReadStencil  = boolean(RegDepthbufferRead, "stencil", 0, "")
	DepthbufferReadDepth    = boolean(RegDepthbufferRead, "depth", 1, "")
	DepthbufferWriteStencil = boolean(RegDepthbufferWrite, "stencil", 0, "")
	DepthbufferWriteDepth   = boolean(RegDepthbufferWrite, "depth", 1, "")
	DepthbufferFormat       = enum(RegDepthbufferFormat, "format", 0, 2, DepthFormats, "")
	ColorbufferPixelSize    = enum(RegColorbufferFormat, "pixel size", 0, 2, PixelSizes, "")
	ColorbufferFormat       = enum(RegColorbufferFormat, "format", 16, 3, ColorFormats, "")
	EarlydepthTest2         = boolean(RegEarlydepthTest2, "enable", 0, "")
	FramebufferBlock32      = boolean(RegFramebufferBlock32, "block 32", 0, "tiles of 32x32 pixels instead of 8x8")
	DepthbufferLoc          = raw(RegDepthbufferLoc, "address", 3, 25, TypeAddress64, "")
	ColorbufferLoc          = raw(RegColorbufferLoc, "address", 3, 25, TypeAddress64, "")
	FramebufferWidth        = uns(RegFramebufferDim, "width", 0, 11, "pixels")
	FramebufferHeight       = uns(RegFramebufferDim, "height - 1", 12, 10, "pixels, less 1")
	FramebufferNoFlip       = boolean(RegFramebufferDim, "no flip", 24, "true: the first row in memory is the top one of the window; false: the lowest one, for viewport and scissor alike")
	GasLightXYMin           = raw(RegGasLightXy, "min", 0, 8, TypeUnorm8, "")
	GasLightXYMax           = raw(RegGasLightXy, "max", 8, 8, TypeUnorm8, "")
	GasLightXYAttenuation   = raw(RegGasLightXy, "attenuation", 16, 8, TypeUnorm8, "")
	GasLightZMin            = raw(RegGasLightZ, "min", 0, 8, TypeUnorm8, "")
	GasLightZMax            = raw(RegGasLightZ, "max", 8, 8, TypeUnorm8, "")
	GasLightZAttenuation    = raw(RegGasLightZ, "attenuation", 16, 8, TypeUnorm8, "")
	GasLightZEffect         = raw(RegGasLightZColor, "effect", 0, 8, TypeUnorm8, "")
	GasLutInputSelect       = enum(RegGasLightZColor, "lut input", 8, 1, GasLutInputs, "")
	GasLutIndex             = uns(RegGasLutIndex, "index", 0, 16, "")
	GasLutDataR             = raw(RegGasLutData, "red", 0, 8, TypeBits, "")
	GasLutDataG             = raw(RegGasLutData, "green", 8, 8, TypeBits, "")
	GasLutDataB             = raw(RegGasLutData, "blue", 16, 8, TypeBits, "")
	GasFeedback             = raw(RegGasFeedback, "density", 16, 16, TypeFloat16, "")
	GasDeltaz               = raw(RegGasDeltazDepth, "delta z", 0, 24, TypeFixed16_8, "")
	GasDeltazFunc           = enum(RegGasDeltazDepth, "depth function", 24, 2, GasDepthFuncs, "")
	FragopShadowConstant    = raw(RegFragopShadow, "constant", 0, 16, TypeFloat16, "penumbra scale + bias")
	FragopShadowLinear      = raw(RegFragopShadow, "linear", 16, 16, TypeFloat16, "- penumbra scale")
)

var fragmentRegisters = join(
	register(RegColorOperation, "COLOR_OPERATION", "What becomes of fragments.", ColorOperationMode, ColorOperationBlend, ColorOperationConst),
	register(RegBlendFunc, "BLEND_FUNC", "Blending.", BlendRgbEquation, BlendAlphaEquation, BlendRgbSource, BlendRgbDest, BlendAlphaSource, BlendAlphaDest),
	register(RegLogicOp, "LOGIC_OP", "Logic operation.", LogicOpFunc),
	register(RegBlendColor, "BLEND_COLOR", "Constant colour of blending.", BlendColorR, BlendColorG, BlendColorB, BlendColorA),
	register(RegFragopAlphaTest, "FRAGOP_ALPHA_TEST", "Alpha test.", AlphaTestEnable, AlphaTestFunc, AlphaTestRef),
	register(RegStencilTest, "STENCIL_TEST", "Stencil test.", StencilTestEnable, StencilTestFunc, StencilTestWriteMask, StencilTestRef, StencilTestMask),
	register(RegStencilOp, "STENCIL_OP", "What the stencil test does.", StencilOpFail, StencilOpZFail, StencilOpZPass),
	register(RegDepthColorMask, "DEPTH_COLOR_MASK", "Depth test and write masks. With the test disabled depth is still written.", DepthTestEnable, DepthTestFunc, ColorMaskR, ColorMaskG, ColorMaskB, ColorMaskA, DepthWriteEnable),
	register(RegFramebufferInvalidate, "FRAMEBUFFER_INVALIDATE", "Empties the cache of the attachments without writing it back.", FramebufferInvalidate),
	register(RegFramebufferFlush, "FRAMEBUFFER_FLUSH", "Writes the cache of the attachments back.", FramebufferFlush),
	register(RegColorbufferRead, "COLORBUFFER_READ", "Reading of the colour attachment.", ColorbufferRead),
	register(RegColorbufferWrite, "COLORBUFFER_WRITE", "Writing of the colour attachment.", ColorbufferWrite),
	register(RegDepthbufferRead, "DEPTHBUFFER_READ", "Reading of the depth attachment.", DepthbufferReadStencil, DepthbufferReadDepth),
	register(RegDepthbufferWrite, "DEPTHBUFFER_WRITE", "Writing of the depth attachment.", DepthbufferWriteStencil, DepthbufferWriteDepth),
	register(RegDepthbufferFormat, "DEPTHBUFFER_FORMAT", "Format of the depth attachment.", DepthbufferFormat),
	register(RegColorbufferFormat, "COLORBUFFER_FORMAT", "Format of the colour attachment.", ColorbufferPixelSize, ColorbufferFormat),
	register(RegEarlydepthTest2, "EARLYDEPTH_TEST2", "See EARLYDEPTH_TEST1.", EarlydepthTest2),
	register(RegFramebufferBlock32, "FRAMEBUFFER_BLOCK32", "Size of the tiles of the attachments.", FramebufferBlock32),
	register(RegDepthbufferLoc, "DEPTHBUFFER_LOC", "Address of the depth attachment.", DepthbufferLoc),
	register(RegColorbufferLoc, "COLORBUFFER_LOC", "Address of the colour attachment.", ColorbufferLoc),
	register(RegFramebufferDim, "FRAMEBUFFER_DIM", "Size of the attachments.", FramebufferWidth, FramebufferHeight, FramebufferNoFlip),
	register(RegGasLightXy, "GAS_LIGHT_XY", "Planar shading of gas.", GasLightXYMin, GasLightXYMax, GasLightXYAttenuation),
	register(RegGasLightZ, "GAS_LIGHT_Z", "View shading of gas.", GasLightZMin, GasLightZMax, GasLightZAttenuation),
	register(RegGasLightZColor, "GAS_LIGHT_Z_COLOR", "View shading of gas in the line of sight, and the input of the colour table.", GasLightZEffect, GasLutInputSelect),
	register(RegGasLutIndex, "GAS_LUT_INDEX", "Entry that GAS_LUT_DATA writes.", GasLutIndex),
	register(RegGasLutData, "GAS_LUT_DATA", "Entry of the gas colour table: entries 0 to 7 are differences, sign and magnitude; 8 to 15 are colours. The index goes up by 1.", GasLutDataR, GasLutDataG, GasLutDataB),
	register(RegGasFeedback, "0125", "Greatest density that gas drawing has written (hardware study by wwylele); software writes 0 before.", GasFeedback),
	register(RegGasDeltazDepth, "GAS_DELTAZ_DEPTH", "Attenuation of gas by the distance to the depth attachment.", GasDeltaz, GasDeltazFunc),
	register(RegFragopShadow, "FRAGOP_SHADOW", "Penumbra of shadows drawn with fragment mode shadow.", FragopShadowConstant, FragopShadowLinear),
)
