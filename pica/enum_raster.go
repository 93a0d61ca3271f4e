package pica

// CullMode says which triangles are discarded by their winding on the screen.
type CullMode uint8

// The values of CullMode.
const (
	CullNone  CullMode = 0
	CullFront CullMode = 1
	CullBack  CullMode = 2
	CullNone3 CullMode = 3
)

// CullModes names the values of CullMode.
var CullModes = newEnum("CullMode",
	ev(CullNone, "none", "keep all"),
	ev(CullFront, "front", "discard counter-clockwise triangles"),
	ev(CullBack, "back", "discard clockwise triangles"),
	ev(CullNone3, "none3", "keep all, as 0"),
)

func (c CullMode) String() string { return CullModes.Format(uint32(c)) }

// ScissorMode says which side of the scissor rectangle is drawn.
type ScissorMode uint8

// The values of ScissorMode.
const (
	ScissorOff     ScissorMode = 0
	ScissorExclude ScissorMode = 1
	ScissorOff2    ScissorMode = 2
	ScissorInclude ScissorMode = 3
)

// ScissorModes names the values of ScissorMode.
var ScissorModes = newEnum("ScissorMode",
	ev(ScissorOff, "off", "no test"),
	ev(ScissorExclude, "exclude", "discard fragments inside the rectangle"),
	ev(ScissorOff2, "off2", "undocumented, taken for off"),
	ev(ScissorInclude, "include", "discard fragments outside the rectangle"),
)

func (s ScissorMode) String() string { return ScissorModes.Format(uint32(s)) }

// DepthMode says how depth is interpolated.
type DepthMode uint8

// The values of DepthMode.
const (
	DepthModeW DepthMode = 0
	DepthModeZ DepthMode = 1
)

// DepthModes names the values of DepthMode.
var DepthModes = newEnum("DepthMode",
	ev(DepthModeW, "w", "z/w is multiplied by w again: linear in eye space"),
	ev(DepthModeZ, "z", "z/w"),
)

func (d DepthMode) String() string { return DepthModes.Format(uint32(d)) }

// EarlyDepthFunc is the comparison of the early depth test, incoming against stored.
type EarlyDepthFunc uint8

// The values of EarlyDepthFunc.
const (
	EarlyDepthGreaterEqual EarlyDepthFunc = 0
	EarlyDepthGreater      EarlyDepthFunc = 1
	EarlyDepthLessEqual    EarlyDepthFunc = 2
	EarlyDepthLess         EarlyDepthFunc = 3
)

// EarlyDepthFuncs names the values of EarlyDepthFunc.
var EarlyDepthFuncs = newEnum("EarlyDepthFunc",
	ev(EarlyDepthGreaterEqual, "greater_equal", ""),
	ev(EarlyDepthGreater, "greater", ""),
	ev(EarlyDepthLessEqual, "less_equal", ""),
	ev(EarlyDepthLess, "less", ""),
)

func (e EarlyDepthFunc) String() string { return EarlyDepthFuncs.Format(uint32(e)) }

// PrimitiveMode says how vertices are assembled to triangles.
type PrimitiveMode uint8

// The values of PrimitiveMode.
const (
	PrimitiveTriangles     PrimitiveMode = 0
	PrimitiveTriangleStrip PrimitiveMode = 1
	PrimitiveTriangleFan   PrimitiveMode = 2
	PrimitiveGeometry      PrimitiveMode = 3
)

// PrimitiveModes names the values of PrimitiveMode.
var PrimitiveModes = newEnum("PrimitiveMode",
	ev(PrimitiveTriangles, "triangles", "every three vertices"),
	ev(PrimitiveTriangleStrip, "triangle_strip", ""),
	ev(PrimitiveTriangleFan, "triangle_fan", ""),
	ev(PrimitiveGeometry, "geometry", "as the geometry shader says"),
)

func (p PrimitiveMode) String() string { return PrimitiveModes.Format(uint32(p)) }
