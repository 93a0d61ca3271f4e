package pica

// AttribType is the type of the components of a vertex attribute.
type AttribType uint8

// The values of AttribType.
const (
	AttribByte  AttribType = 0
	AttribUByte AttribType = 1
	AttribShort AttribType = 2
	AttribFloat AttribType = 3
)

// AttribTypes names the values of AttribType.
var AttribTypes = newEnum("AttribType",
	ev(AttribByte, "byte", "8 bits, signed"),
	ev(AttribUByte, "ubyte", "8 bits, unsigned"),
	ev(AttribShort, "short", "16 bits, signed"),
	ev(AttribFloat, "float", "32 bits"),
)

func (a AttribType) String() string { return AttribTypes.Format(uint32(a)) }

// Component is a part of the vertices of an attribute buffer: one of the attributes, or padding.
type Component uint8

// The values of Component.
const (
	ComponentAttrib0 Component = 0 // the others up to 11 follow
	ComponentPad4    Component = 12
	ComponentPad8    Component = 13
	ComponentPad12   Component = 14
	ComponentPad16   Component = 15
)

// Components names the values of Component.
var Components = newEnum("Component", append(numbered(ComponentAttrib0, NumAttribs, "attrib", ""),
	ev(ComponentPad4, "pad4", "4 bytes"),
	ev(ComponentPad8, "pad8", "8 bytes"),
	ev(ComponentPad12, "pad12", "12 bytes"),
	ev(ComponentPad16, "pad16", "16 bytes"),
)...)

func (c Component) String() string { return Components.Format(uint32(c)) }

// IndexType is the type of vertex indices.
type IndexType uint8

// The values of IndexType.
const (
	IndexByte  IndexType = 0
	IndexShort IndexType = 1
)

// IndexTypes names the values of IndexType.
var IndexTypes = newEnum("IndexType",
	ev(IndexByte, "byte", "8 bits"),
	ev(IndexShort, "short", "16 bits"),
)

func (i IndexType) String() string { return IndexTypes.Format(uint32(i)) }

// GeoStage says whether the geometry shader runs.
type GeoStage uint8

// The values of GeoStage.
const (
	GeoStageOff GeoStage = 0
	GeoStageOn  GeoStage = 2
)

// GeoStages names the values of GeoStage.
var GeoStages = newEnum("GeoStage",
	ev(GeoStageOff, "off", ""),
	ev(GeoStageOn, "on", ""),
)

func (g GeoStage) String() string { return GeoStages.Format(uint32(g)) }

// GeometryMode says how the geometry shader gets its input.
type GeometryMode uint8

// The values of GeometryMode.
const (
	GeometryModePoint    GeometryMode = 0
	GeometryModeVariable GeometryMode = 1
	GeometryModeFixed    GeometryMode = 2
)

// GeometryModes names the values of GeometryMode.
var GeometryModes = newEnum("GeometryMode",
	ev(GeometryModePoint, "point", "a fixed number of attributes a run"),
	ev(GeometryModeVariable, "variable", "the first attribute says how many vertices follow"),
	ev(GeometryModeFixed, "fixed", "vertices go to float uniforms, a fixed number a run"),
)

func (g GeometryMode) String() string { return GeometryModes.Format(uint32(g)) }

// ShaderMode says what a shader unit runs.
type ShaderMode uint8

// The values of ShaderMode.
const (
	ShaderModeGeometry ShaderMode = 0x08
	ShaderModeVertex   ShaderMode = 0xA0
)

// ShaderModes names the values of ShaderMode.
var ShaderModes = newEnum("ShaderMode",
	ev(ShaderModeGeometry, "geometry", ""),
	ev(ShaderModeVertex, "vertex", ""),
)

func (s ShaderMode) String() string { return ShaderModes.Format(uint32(s)) }

// UniformFormat is the format of the float uniforms that are sent.
type UniformFormat uint8

// The values of UniformFormat.
const (
	UniformFloat24 UniformFormat = 0
	UniformFloat32 UniformFormat = 1
)

// UniformFormats names the values of UniformFormat.
var UniformFormats = newEnum("UniformFormat",
	ev(UniformFloat24, "float24", "three words a uniform"),
	ev(UniformFloat32, "float32", "four words a uniform"),
)

func (u UniformFormat) String() string { return UniformFormats.Format(uint32(u)) }
