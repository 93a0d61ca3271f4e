package pica

import "fmt"

// Vertex input, drawing and command lists, 0x200 to 0x25F.
const (
	RegAttribbuffersLoc        Reg = 0x200
	RegAttribbuffersFormatLow  Reg = 0x201
	RegAttribbuffersFormatHigh Reg = 0x202
	RegAttribbuffer0Offset     Reg = 0x203 // first of 12
	RegAttribbuffer0Config1    Reg = 0x204 // first of 12
	RegAttribbuffer0Config2    Reg = 0x205 // first of 12
	RegIndexbufferConfig       Reg = 0x227
	RegNumvertices             Reg = 0x228
	RegGeostageConfig          Reg = 0x229
	RegVertexOffset            Reg = 0x22A
	RegPostVertexCacheNum      Reg = 0x22D
	RegDrawarrays              Reg = 0x22E
	RegDrawelements            Reg = 0x22F
	RegVtxFunc                 Reg = 0x231
	RegFixedattribIndex        Reg = 0x232
	RegFixedattribData0        Reg = 0x233 // first of 3
	RegCmdbufSize0             Reg = 0x238 // first of 2
	RegCmdbufAddr0             Reg = 0x23A // first of 2
	RegCmdbufJump0             Reg = 0x23C // first of 2
	RegVshNumAttr              Reg = 0x242
	RegVshComMode              Reg = 0x244
	RegStartDrawFunc0          Reg = 0x245
	RegVshOutmapTotal1         Reg = 0x24A
	RegVshOutmapTotal2         Reg = 0x251
	RegGshMisc0                Reg = 0x252
	RegGeostageConfig2         Reg = 0x253
	RegGshMisc1                Reg = 0x254
	RegPrimitiveConfig         Reg = 0x25E
	RegRestartPrimitive        Reg = 0x25F
)

var (
	AttribbuffersLoc          = raw(RegAttribbuffersLoc, "address", 1, 28, TypeAddress16, "")
	AttribbufferOffset        = uns(RegAttribbuffer0Offset, "offset", 0, 28, "bytes from ATTRIBBUFFERS_LOC")
	AttribbufferStride        = uns(RegAttribbuffer0Config2, "stride", 16, 8, "bytes of a vertex")
	AttribbufferCount         = uns(RegAttribbuffer0Config2, "count", 28, 4, "components of a vertex")
	AttribFixedMask           = raw(RegAttribbuffersFormatHigh, "fixed mask", 16, 12, TypeBits, "bit i: attribute i is fixed")
	AttribCount               = uns(RegAttribbuffersFormatHigh, "count - 1", 28, 4, "attributes of a vertex, less 1")
	IndexbufferOffset         = uns(RegIndexbufferConfig, "offset", 0, 28, "bytes from ATTRIBBUFFERS_LOC")
	IndexbufferType           = enum(RegIndexbufferConfig, "type", 31, 1, IndexTypes, "short when drawing arrays")
	Numvertices               = uns(RegNumvertices, "count", 0, 32, "")
	GeostageMode              = enum(RegGeostageConfig, "geometry shader", 0, 2, GeoStages, "")
	GeostageTriangleElements  = boolean(RegGeostageConfig, "triangle elements", 8, "drawing triangles by index")
	GeostageVariable          = boolean(RegGeostageConfig, "variable primitive", 31, "the reserved subdivision shaders")
	VertexOffset              = uns(RegVertexOffset, "first", 0, 32, "")
	PostVertexCacheNum        = uns(RegPostVertexCacheNum, "entries", 0, 8, "usually 0x04 or 0x84")
	Drawarrays                = raw(RegDrawarrays, "draw", 0, 32, TypeTrigger, "any value")
	Drawelements              = raw(RegDrawelements, "draw", 0, 32, TypeTrigger, "any value")
	VtxFunc                   = raw(RegVtxFunc, "clear", 0, 32, TypeTrigger, "")
	FixedattribIndex          = uns(RegFixedattribIndex, "index", 0, 4, "0..11, 15 immediate mode")
	FixedattribData           = raw(RegFixedattribData0, "data", 0, 32, TypeBits, "")
	CmdbufSize                = uns(RegCmdbufSize0, "size", 1, 20, "units of 16 bytes")
	CmdbufAddr                = raw(RegCmdbufAddr0, "address", 1, 28, TypeAddress16, "")
	CmdbufJump                = raw(RegCmdbufJump0, "jump", 0, 32, TypeTrigger, "any value")
	VshNumAttr                = uns(RegVshNumAttr, "count - 1", 0, 4, "less 1")
	VshComMode                = boolean(RegVshComMode, "exclusive", 0, "false: vertex shader code and uniforms also reach the geometry shader")
	StartDrawConfig           = boolean(RegStartDrawFunc0, "configuration", 0, "false while drawing")
	VshOutmapTotal1           = uns(RegVshOutmapTotal1, "count - 1", 0, 4, "less 1")
	VshOutmapTotal2           = uns(RegVshOutmapTotal2, "count - 1", 0, 4, "less 1")
	GshMode                   = enum(RegGshMisc0, "mode", 0, 8, GeometryModes, "")
	GshFixedVertexNum         = uns(RegGshMisc0, "vertices - 1", 8, 4, "mode fixed: vertices of a run, less 1")
	GshStride                 = uns(RegGshMisc0, "stride - 1", 12, 4, "mode fixed: attributes of a vertex, less 1")
	GshStartIndex             = uns(RegGshMisc0, "start", 16, 8, "mode fixed: first uniform")
	GshMisc0Bit24             = raw(RegGshMisc0, "bit 24", 24, 1, TypeBits, "set in particle systems")
	Geostage2Arrays           = boolean(RegGeostageConfig2, "arrays", 0, "arrays, or immediate mode input")
	Geostage2TriangleElements = boolean(RegGeostageConfig2, "triangle elements", 8, "drawing triangles by index")
	GshVariableMain           = uns(RegGshMisc1, "main vertices - 1", 0, 5, "mode variable: vertices with all attributes, less 1; subdivision 2 loop, 3 Catmull-Clark")
	PrimitiveConfigOutputs    = uns(RegPrimitiveConfig, "outputs - 1", 0, 4, "vertex shader outputs, less 1")
	PrimitiveConfigMode       = enum(RegPrimitiveConfig, "mode", 8, 2, PrimitiveModes, "")
	RestartPrimitive          = raw(RegRestartPrimitive, "restart", 0, 32, TypeTrigger, "any value")
)

var geometryRegisters = join(
	register(RegAttribbuffersLoc, "ATTRIBBUFFERS_LOC", "Base address of vertex and index buffers.", AttribbuffersLoc),
	register(RegAttribbuffersFormatLow, "ATTRIBBUFFERS_FORMAT_LOW", "Types of attributes 0 to 7.", attribFormats(0, 8)...),
	register(RegAttribbuffersFormatHigh, "ATTRIBBUFFERS_FORMAT_HIGH", "Types of attributes 8 to 11, fixed attributes.",
		append(attribFormats(8, 12), AttribFixedMask, AttribCount)...),
	repeated(RegAttribbuffer0Offset, "ATTRIBBUFFER%d_OFFSET", 0, 12, StrideAttribbuffer, "Where an attribute buffer begins.", AttribbufferOffset),
	repeated(RegAttribbuffer0Config1, "ATTRIBBUFFER%d_CONFIG1", 0, 12, StrideAttribbuffer, "What the vertices of a buffer hold: components 0 to 7.", components(0, 8)...),
	repeated(RegAttribbuffer0Config2, "ATTRIBBUFFER%d_CONFIG2", 0, 12, StrideAttribbuffer, "What the vertices of a buffer hold: components 8 to 11, and their size.",
		append(components(8, 12), AttribbufferStride, AttribbufferCount)...),
	register(RegIndexbufferConfig, "INDEXBUFFER_CONFIG", "Vertex indices.", IndexbufferOffset, IndexbufferType),
	register(RegNumvertices, "NUMVERTICES", "Number of vertices to draw.", Numvertices),
	register(RegGeostageConfig, "GEOSTAGE_CONFIG", "Geometry stage.", GeostageMode, GeostageTriangleElements, GeostageVariable),
	register(RegVertexOffset, "VERTEX_OFFSET", "First vertex when drawing arrays.", VertexOffset),
	register(RegPostVertexCacheNum, "POST_VERTEX_CACHE_NUM", "Entries of the cache of shaded vertices.", PostVertexCacheNum),
	register(RegDrawarrays, "DRAWARRAYS", "Draws NUMVERTICES vertices from VERTEX_OFFSET on.", Drawarrays),
	register(RegDrawelements, "DRAWELEMENTS", "Draws NUMVERTICES indices.", Drawelements),
	register(RegVtxFunc, "VTX_FUNC", "Empties the cache of shaded vertices.", VtxFunc),
	register(RegFixedattribIndex, "FIXEDATTRIB_INDEX", "Attribute that FIXEDATTRIB_DATA writes; 15 takes whole vertices and draws them.", FixedattribIndex),
	repeated(RegFixedattribData0, "FIXEDATTRIB_DATA%d", 0, 3, 1, "Three words hold four float1.7.16, the last component first: WWWWWWZZ ZZZZYYYY YYXXXXXX.", FixedattribData),
	repeated(RegCmdbufSize0, "CMDBUF_SIZE%d", 0, 2, 1, "Size of a command list.", CmdbufSize),
	repeated(RegCmdbufAddr0, "CMDBUF_ADDR%d", 0, 2, 1, "Address of a command list.", CmdbufAddr),
	repeated(RegCmdbufJump0, "CMDBUF_JUMP%d", 0, 2, 1, "Continues with a command list.", CmdbufJump),
	register(RegVshNumAttr, "VSH_NUM_ATTR", "Number of attributes of a vertex.", VshNumAttr),
	register(RegVshComMode, "VSH_COM_MODE", "Whether the fourth shader unit has a configuration of its own.", VshComMode),
	register(RegStartDrawFunc0, "START_DRAW_FUNC0", "Whether the GPU draws or is configured.", StartDrawConfig),
	register(RegVshOutmapTotal1, "VSH_OUTMAP_TOTAL1", "Number of vertex shader outputs.", VshOutmapTotal1),
	register(RegVshOutmapTotal2, "VSH_OUTMAP_TOTAL2", "Number of vertex shader outputs.", VshOutmapTotal2),
	register(RegGshMisc0, "GSH_MISC0", "How the geometry shader gets its input. Fields from emulators; GBATEK: the mode has 2 bits, the start 7. 3dbrew has 1 for the subdivision shaders and 0x01004302 for particles.", GshMode, GshFixedVertexNum, GshStride, GshStartIndex, GshMisc0Bit24),
	register(RegGeostageConfig2, "GEOSTAGE_CONFIG2", "Kind of draw.", Geostage2Arrays, Geostage2TriangleElements),
	register(RegGshMisc1, "GSH_MISC1", "Variable primitives.", GshVariableMain),
	register(RegPrimitiveConfig, "PRIMITIVE_CONFIG", "Primitives.", PrimitiveConfigOutputs, PrimitiveConfigMode),
	register(RegRestartPrimitive, "RESTART_PRIMITIVE", "Begins a new strip or fan.", RestartPrimitive),
)

// StrideAttribbuffer is the distance between the registers of two attribute
// buffers, of which there are NumAttribbuffers.
const (
	StrideAttribbuffer Reg = 3

	NumAttribbuffers = 12
	NumAttribs       = 12 // attributes that buffers can hold
)

// AttribFormatType returns the field that holds the type of attribute i, 0 to
// 11 (an AttribType).
func AttribFormatType(i int) Field {
	return enum(RegAttribbuffersFormatLow+Reg(i/8), fmt.Sprintf("type %d", i), uint8(i%8*4), 2, AttribTypes, "")
}

// AttribFormatSize returns the field that holds the number of components of
// attribute i, 0 to 11, less 1.
func AttribFormatSize(i int) Field {
	return uns(RegAttribbuffersFormatLow+Reg(i/8), fmt.Sprintf("size %d - 1", i), uint8(i%8*4+2), 2, "components, less 1")
}

// AttribbufferComponent returns the field of attribute buffer 0 that holds
// component i, 0 to 11 (a Component). Buffer n is At(n * StrideAttribbuffer).
func AttribbufferComponent(i int) Field {
	return enum(RegAttribbuffer0Config1+Reg(i/8), fmt.Sprintf("component %d", i), uint8(i%8*4), 4, Components, "")
}

func attribFormats(from, to int) (fields []Field) {
	for i := from; i < to; i++ {
		fields = append(fields, AttribFormatType(i), AttribFormatSize(i))
	}
	return fields
}

func components(from, to int) (fields []Field) {
	for i := from; i < to; i++ {
		fields = append(fields, AttribbufferComponent(i))
	}
	return fields
}
