package pica

// The rasterizer, 0x040 to 0x07F, and the interrupt, 0x010 to 0x03F.
const (
	RegFinalize          Reg = 0x010
	RegIrqCompare        Reg = 0x020
	RegIrqMask           Reg = 0x030
	RegIrqAutostop       Reg = 0x034
	RegFacecullingConfig Reg = 0x040
	RegViewportWidth     Reg = 0x041
	RegViewportInvw      Reg = 0x042
	RegViewportHeight    Reg = 0x043
	RegViewportInvh      Reg = 0x044
	RegFragopClip        Reg = 0x047
	RegFragopClipData0   Reg = 0x048 // first of 4
	RegDepthmapScale     Reg = 0x04D
	RegDepthmapOffset    Reg = 0x04E
	RegShOutmapTotal     Reg = 0x04F
	RegShOutmapO0        Reg = 0x050 // first of 7
	RegFlatShading       Reg = 0x058
	RegEarlydepthFunc    Reg = 0x061
	RegEarlydepthTest1   Reg = 0x062
	RegEarlydepthClear   Reg = 0x063
	RegShOutattrMode     Reg = 0x064
	RegScissortestMode   Reg = 0x065
	RegScissortestPos    Reg = 0x066
	RegScissortestDim    Reg = 0x067
	RegViewportXy        Reg = 0x068
	RegEarlydepthData    Reg = 0x06A
	RegDepthmapEnable    Reg = 0x06D
	RegRenderbufDim      Reg = 0x06E
	RegShOutattrClock    Reg = 0x06F
)

var (
	Finalize                 = raw(RegFinalize, "value", 0, 32, TypeTrigger, "raises the P3D interrupt")
	IrqCompare               = raw(RegIrqCompare, "value", 0, 32, TypeBits, "")
	IrqMask                  = raw(RegIrqMask, "bytes off", 0, 32, TypeBits, "bit i: byte i of FINALIZE ends nothing")
	IrqAutostop              = boolean(RegIrqAutostop, "ends lists", 0, "")
	FacecullingMode          = enum(RegFacecullingConfig, "mode", 0, 2, CullModes, "")
	ViewportWidth            = raw(RegViewportWidth, "half width", 0, 24, TypeFloat24, "pixels")
	ViewportInvw             = raw(RegViewportInvw, "inverse", 1, 31, TypeFloat31, "2 / width")
	ViewportHeight           = raw(RegViewportHeight, "half height", 0, 24, TypeFloat24, "pixels")
	ViewportInvh             = raw(RegViewportInvh, "inverse", 1, 31, TypeFloat31, "2 / height")
	FragopClipEnable         = boolean(RegFragopClip, "enable", 0, "")
	FragopClipData           = raw(RegFragopClipData0, "coefficient", 0, 24, TypeFloat24, "")
	DepthmapScale            = raw(RegDepthmapScale, "scale", 0, 24, TypeFloat24, "near - far")
	DepthmapOffset           = raw(RegDepthmapOffset, "offset", 0, 24, TypeFloat24, "near + polygon offset")
	ShOutmapTotal            = uns(RegShOutmapTotal, "count", 0, 3, "of SH_OUTMAP_Oi")
	ShOutmapX                = enum(RegShOutmapO0, "x", 0, 5, Semantics, "")
	ShOutmapY                = enum(RegShOutmapO0, "y", 8, 5, Semantics, "")
	ShOutmapZ                = enum(RegShOutmapO0, "z", 16, 5, Semantics, "")
	ShOutmapW                = enum(RegShOutmapO0, "w", 24, 5, Semantics, "")
	FlatShading              = boolean(RegFlatShading, "enable", 0, "")
	EarlydepthFunc           = enum(RegEarlydepthFunc, "function", 0, 2, EarlyDepthFuncs, "")
	EarlydepthTest1          = boolean(RegEarlydepthTest1, "enable", 0, "")
	EarlydepthClear          = raw(RegEarlydepthClear, "clear", 0, 1, TypeTrigger, "")
	ShOutattrTexcoord        = boolean(RegShOutattrMode, "use texture coordinates", 0, "")
	ScissortestMode          = enum(RegScissortestMode, "mode", 0, 2, ScissorModes, "")
	ScissortestX1            = uns(RegScissortestPos, "x1", 0, 10, "pixels, inside")
	ScissortestY1            = uns(RegScissortestPos, "y1", 16, 10, "pixels, inside")
	ScissortestX2            = uns(RegScissortestDim, "x2", 0, 10, "pixels, inside")
	ScissortestY2            = uns(RegScissortestDim, "y2", 16, 10, "pixels, inside")
	ViewportX                = raw(RegViewportXy, "x", 0, 10, TypeSigned, "pixels")
	ViewportY                = raw(RegViewportXy, "y", 16, 10, TypeSigned, "pixels")
	EarlydepthData           = uns(RegEarlydepthData, "clear value", 0, 24, "")
	DepthmapMode             = enum(RegDepthmapEnable, "mode", 0, 1, DepthModes, "")
	RenderbufWidth           = uns(RegRenderbufDim, "width", 0, 11, "pixels")
	RenderbufHeight          = uns(RegRenderbufDim, "height - 1", 12, 10, "pixels, less 1")
	RenderbufOne             = raw(RegRenderbufDim, "one", 24, 1, TypeBits, "programs write 1")
	ShOutattrClockZ          = boolean(RegShOutattrClock, "position.z", 0, "")
	ShOutattrClockColor      = boolean(RegShOutattrClock, "colour", 1, "")
	ShOutattrClockTexcoord0  = boolean(RegShOutattrClock, "texcoord0", 8, "")
	ShOutattrClockTexcoord1  = boolean(RegShOutattrClock, "texcoord1", 9, "")
	ShOutattrClockTexcoord2  = boolean(RegShOutattrClock, "texcoord2", 10, "")
	ShOutattrClockTexcoord0W = boolean(RegShOutattrClock, "texcoord0.w", 16, "")
	ShOutattrClockLighting   = boolean(RegShOutattrClock, "normquat and view", 24, "")
)

// AllClocks are the bits of GPUREG_SH_OUTATTR_CLOCK that let all attributes of
// shaders through.
const AllClocks = 0x01010703

var rasterRegisters = join(
	register(RegFinalize, "FINALIZE", "Ends the command list if a byte that is written equals that byte of IRQ_COMPARE; what stands after it is ignored. Programs write 0x12345678.", Finalize),
	register(RegIrqCompare, "IRQ_COMPARE", "What FINALIZE is compared with. The system writes 0x12345678; command lists cannot write this register and those up to 0x03F.", IrqCompare),
	register(RegIrqMask, "IRQ_MASK", "Bytes of FINALIZE that end nothing.", IrqMask),
	register(RegIrqAutostop, "IRQ_AUTOSTOP", "Whether FINALIZE ends lists.", IrqAutostop),
	register(RegFacecullingConfig, "FACECULLING_CONFIG", "Culling of triangles by winding.", FacecullingMode),
	register(RegViewportWidth, "VIEWPORT_WIDTH", "Viewport scale in x.", ViewportWidth),
	register(RegViewportInvw, "VIEWPORT_INVW", "Reciprocal of VIEWPORT_WIDTH.", ViewportInvw),
	register(RegViewportHeight, "VIEWPORT_HEIGHT", "Viewport scale in y.", ViewportHeight),
	register(RegViewportInvh, "VIEWPORT_INVH", "Reciprocal of VIEWPORT_HEIGHT.", ViewportInvh),
	register(RegFragopClip, "FRAGOP_CLIP", "The user clipping plane.", FragopClipEnable),
	repeated(RegFragopClipData0, "FRAGOP_CLIP_DATA%d", 0, 4, 1, "Coefficient i of the user clipping plane; a vertex is kept where the dot product with its position is not negative.", FragopClipData),
	register(RegDepthmapScale, "DEPTHMAP_SCALE", "Depth of a fragment is z/w * scale + offset.", DepthmapScale),
	register(RegDepthmapOffset, "DEPTHMAP_OFFSET", "See DEPTHMAP_SCALE.", DepthmapOffset),
	register(RegShOutmapTotal, "SH_OUTMAP_TOTAL", "Number of output registers that are mapped.", ShOutmapTotal),
	repeated(RegShOutmapO0, "SH_OUTMAP_O%d", 0, 7, 1, "Meaning of the components of the i-th enabled output register.", ShOutmapX, ShOutmapY, ShOutmapZ, ShOutmapW),
	register(RegFlatShading, "0058", "Gives each triangle the colour of its third vertex (GBATEK).", FlatShading),
	register(RegEarlydepthFunc, "EARLYDEPTH_FUNC", "Comparison of the early depth test.", EarlydepthFunc),
	register(RegEarlydepthTest1, "EARLYDEPTH_TEST1", "Enables the early depth test, together with EARLYDEPTH_TEST2.", EarlydepthTest1),
	register(RegEarlydepthClear, "EARLYDEPTH_CLEAR", "Clears the early depth data to EARLYDEPTH_DATA.", EarlydepthClear),
	register(RegShOutattrMode, "SH_OUTATTR_MODE", "Output attribute mode; texture coordinates work without it.", ShOutattrTexcoord),
	register(RegScissortestMode, "SCISSORTEST_MODE", "The scissor test.", ScissortestMode),
	register(RegScissortestPos, "SCISSORTEST_POS", "First pixel of the scissor rectangle.", ScissortestX1, ScissortestY1),
	register(RegScissortestDim, "SCISSORTEST_DIM", "Last pixel of the scissor rectangle.", ScissortestX2, ScissortestY2),
	register(RegViewportXy, "VIEWPORT_XY", "Lower left corner of the viewport.", ViewportX, ViewportY),
	register(RegEarlydepthData, "EARLYDEPTH_DATA", "Value that clears the early depth data.", EarlydepthData),
	register(RegDepthmapEnable, "DEPTHMAP_ENABLE", "Kind of depth.", DepthmapMode),
	register(RegRenderbufDim, "RENDERBUF_DIM", "Has no effect; programs write what FRAMEBUFFER_DIM has.", RenderbufWidth, RenderbufHeight, RenderbufOne),
	register(RegShOutattrClock, "SH_OUTATTR_CLOCK", "Clocks the attributes that shaders write.", ShOutattrClockZ, ShOutattrClockColor, ShOutattrClockTexcoord0, ShOutattrClockTexcoord1, ShOutattrClockTexcoord2, ShOutattrClockTexcoord0W, ShOutattrClockLighting),
)
