package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// Record is everything that happened to one fragment: what each op read, computed
// and decided, as numbers and enumerations. Package explain puts it into words.
// Colours are red, green, blue and alpha, 0 to 255. Vectors are in eye space. A
// nil part is one that the draw does not compute.
type Record struct {
	X, Y     int32 // pixel, as it lies in memory
	Vertices [3]VertexRecord
	Weights  [3]float32 // perspective-correct weight of each vertex
	Depth    float32
	Outcome  Outcome
	Before   Pixel
	After    Pixel

	VertexColor [4]uint8
	Flat        bool          // the vertex colour is that of the third vertex; the caller sets it
	Texcoords   [3][3]float32 // 0 where nothing reads them
	Units       [4]UnitRecord
	Lighting    *LightingRecord
	Stages      [numStages]StageRecord
	Fog         *FogRecord
	Gas         *GasRecord
	Color       [4]uint8 // before tests and blending
	Tests       []TestRecord
	Blend       *BlendRecord
	GasWrite    *GasWriteRecord
	ShadowWrite *ShadowWriteRecord

	in     *insight      // of the program
	tables []TableRecord // of the current light
}

// Outcome is the fate of a fragment.
type Outcome uint8

const (
	Written       Outcome = iota // it passed all tests
	AlphaFailed                  // dropped by the alpha test
	StencilFailed                // dropped by the stencil test
	DepthFailed                  // dropped by the depth test
	SpecialFailed                // dropped by the rules of gas or shadow mode
)

// VertexRecord is a vertex of the triangle in window coordinates, y up.
type VertexRecord struct {
	X, Y float32 // pixels
	Z    float32 // z/w before depth scale and offset
	InvW float32 // 1/w
}

// Pixel is the contents of a pixel of the render target.
type Pixel struct {
	Color   [4]uint8 `json:"color"`
	Depth   uint32   `json:"depth"`
	Stencil uint8    `json:"stencil"`
}

// UnitRecord is what a texture unit did. A unit without texture or procedural
// texture gives a constant colour.
type UnitRecord struct {
	Read       bool // something reads its colour
	Color      [4]uint8
	Texture    *TextureRecord
	Procedural *ProceduralRecord // unit 3
}

// TextureRecord says how a texture was read.
type TextureRecord struct {
	Kind          pica.TextureType
	Address       uint32 // of the face, in a cube
	Width, Height int
	Format        pica.TextureFormat
	Face          int // of a cube
	Coord         [2]float32
	Wrap          [2]pica.Wrap
	LOD           *LODRecord
	Shadow        *ShadowRecord
	Samples       []SampleRecord // one for each level
}

// LODRecord says how the level of detail was chosen.
type LODRecord struct {
	Across, Down [2]float32 // texels to the next pixel
	Bias         float32
	Least, Most  int
	Minified     bool
}

// ShadowRecord is the comparison with a shadow texture.
type ShadowRecord struct {
	W         float32 // coordinate that is compared
	Bias      int32
	Reference uint32 // depth of 24 bits that the texels are compared with
	Light     uint8  // result
}

// SampleRecord is the colour of one level of a texture.
type SampleRecord struct {
	Level    int
	Share    int      // in 1/256; 256 if it is the only level
	Fraction [2]int32 // position between texels, in 1/256
	Color    [4]uint8
	Texels   []TexelRecord // one, or four to interpolate
}

// TexelRecord is a texel that was read.
type TexelRecord struct {
	X, Y    int32 // from t = 0
	Border  bool  // the border colour in its place
	Weight  float32
	Color   [4]uint8
	Address uint32 // of its block, in compressed formats
}

// ProceduralRecord says how the procedural texture was computed.
type ProceduralRecord struct {
	Coordinate int        // which texture coordinates
	Coord      [2]float32 // their absolute values
	Noisy      [2]float32 // with noise
	Shift      [2]float32
	Clamped    [2]float32
	Clamp      [2]pica.ProcClamp
	Mapped     float32 // place in the colour table, 0 to 1
	Map        pica.ProcMap
	Alpha      *float32 // result of the separate map of alpha
	AlphaMap   pica.ProcMap
	LOD        *float32 // level of detail
	Level      int
	Offset     int // of the level in the colour table
	Width      int
	Filter     pica.ProcFilter
	Entries    []ProceduralEntry
}

// ProceduralEntry is a look-up in the colour table: color + difference *
// fraction, clamped to 0 to 255. The texture's colour is the sum over its levels
// by their shares, truncated. Its alpha is that of the alpha map if there is one.
type ProceduralEntry struct {
	Level      int
	Share      float32
	Input      float32
	Index      int
	Color      [4]uint8
	Difference [4]int
	Fraction   float32
	Result     [4]float32
}

// LightingRecord says how the two colours of lighting were computed. If lighting
// is not enabled, there are only the colours.
type LightingRecord struct {
	Colors     [2][4]uint8 // primary, secondary
	Enabled    bool
	Quaternion [4]float32
	Normal     [3]float32
	Bump       *BumpRecord
	Tangent    *[3]float32
	View       *[3]float32
	Shadow     *[4]float32
	Ambient    *[3]float32
	Lights     []LightRecord
	Fresnel    *float32
	Sums       [2][4]float32 // before conversion to colours
}

// BumpRecord is the vector from a bump or tangent map.
type BumpRecord struct {
	Mode   pica.BumpMode
	Unit   int
	Vector [3]float32
}

// LightRecord is what one light added. Factors that are not computed are 1,
// vectors 0.
type LightRecord struct {
	Number      int
	Directional bool
	TwoSided    bool
	Position    [3]float32 // of a directional light the direction to it
	Spot        [3]float32 // reversed direction of the spot light
	Distance    float32
	L, H        [3]float32
	HalfSquare  float32 // |L+V|^2
	LN, Lit     float32
	Tables      []TableRecord
	Geometric   *float32
	Attenuation float32
	Shadowed    [2]bool // whether the shadow applies to primary, secondary
	Diffuse     [3]float32
	Ambient     [3]float32
	Specular    [2][3]float32
	D           [2]float32
	Reflection  [3]float32
	Factor      float32 // of secondary: attenuation or clamped highlights
	Primary     [3]float32
	Secondary   [3]float32
}

// TableRecord is a look-up in a lighting table.
type TableRecord struct {
	Number int           // in GPUREG_LIGHTING_LUT_INDEX
	Input  pica.LutInput // unless it is a table of distance attenuation
	X      float32       // the input, before scale, clamping and sign
	Entry  EntryRecord
	Scale  float32
	Result float32
}

// EntryRecord is a look-up in an interpolated table: value + difference *
// fraction.
type EntryRecord struct {
	Input      float32
	Index      int
	Value      float32
	Difference float32
	Fraction   float32
}

// StageRecord is what a combiner stage computed.
type StageRecord struct {
	Stage
	Buffered [2]bool // whether the result of RGB, alpha goes to the combiner buffer
	Operands [2][3]OperandRecord
	Result   [4]uint8
}

// OperandRecord is an operand of a combiner stage.
type OperandRecord struct {
	Color [4]uint8 // of the source
	Value [3]uint8 // alpha has one
}

// FogRecord is the mixing with the fog colour.
type FogRecord struct {
	Entry         EntryRecord
	Flipped       bool // looked up at 1 - depth
	Factor        float32
	Color         [3]uint8
	Before, After [3]uint8
}

// GasRecord is gas shading.
type GasRecord struct {
	Texel       [4]uint8
	Density     [2]float32 // plain, by depth
	Attenuation float32
	AlphaEntry  EntryRecord
	ByDepth     bool // which density is used
	Scale       float32
	Scaled      float32
	Light       *GasLightRecord
	Entry       EntryRecord // of the colour, which has values of its own
	Value       [3]float32
	Difference  [3]float32
	Color       [4]uint8
}

// GasLightRecord is the light on gas.
type GasLightRecord struct {
	Planar                      uint8
	XYMin, XYMax, XYAttenuation float32
	ZMin, ZMax, ZAttenuation    float32
	ZEffect                     float32
	Result                      float32
}

// TestRecord is a test: fragment func other.
type TestRecord struct {
	Failed          Outcome // of a fragment that fails it; this tells which test it is
	Func            pica.CompareFunc
	Fragment, Other uint32
	Passed          bool
	// Of the stencil test:
	Mask    uint32
	Op      pica.StencilOp
	Stencil uint8 // afterwards
}

// BlendMode says how the written colour is computed.
type BlendMode uint8

const (
	BlendReplace BlendMode = iota
	BlendBlend
	BlendLogic
)

// BlendRecord says how the written colour was computed.
type BlendRecord struct {
	Mode                 BlendMode
	Source, Dest, Result [4]uint8
	Format               pica.ColorFormat
	Mask                 [4]bool // written channels
	Logic                pica.LogicOp
	Halves               [2]BlendHalf // RGB, alpha
	Factors              [2][4]uint8  // of source, dest
}

// BlendHalf is the blending of RGB or of alpha.
type BlendHalf struct {
	Equation     pica.BlendEquation
	Source, Dest pica.BlendFactor
}

// GasWriteRecord is what a fragment added to a gas buffer.
type GasWriteRecord struct {
	Density       uint8
	Func          pica.GasDepthFunc
	Surface       uint32 // depth
	DeltaZ        float32
	Factor        float32 // of the density by depth
	Before, After [2]float32
}

// ShadowWriteRecord is what a fragment did to a shadow texture.
type ShadowWriteRecord struct {
	Depth, Old    uint32
	Nearer        bool
	Intensity     uint8
	Penumbra      [2]float32 // constant, linear
	Ratio         float32
	Before, After uint8
}

// recorder adds to a record what the op before it did to a lane. It reads the
// lane registers, so that the record is of what was really drawn.
type recorder func(m *machine, lane int, r *Record)

// insight is the information that a probed program keeps for records.
type insight struct {
	stages  *combiner
	updates [2]uint32 // which stages update the combiner buffer's RGB, and its alpha
	color   colorRef
	units   [4]bool
	coords  [numFloats]bool // float registers that are interpolated

	lighting *lightingState // nil if lighting is not read

	blend       [2]blendCode
	logic       pica.LogicOp
	colorFormat pica.ColorFormat
}

// at returns a colour in a lane.
func (m *machine) at(ref colorRef, lane int) (c [4]uint8) {
	for ch := range c {
		c[ch] = m.plane(ref[ch])[lane]
	}
	return c
}

// sum records the lane registers after all ops.
func (in *insight) sum(m *machine, lane int, r *Record) {
	r.Depth, r.VertexColor, r.Color = m.b.Depth[lane], m.at(wholeRef(cPrimary), lane), m.at(in.color, lane)
	for u, base := range [3]int{fTex0U, fTex1U, fTex2U} {
		for k := range [3]int{3, 2, 2}[u] {
			if in.coords[base+k] {
				r.Texcoords[u][k] = m.f[base+k][lane]
			}
		}
	}
	for u := range r.Units {
		if !in.units[u] {
			r.Units[u] = UnitRecord{}
			continue
		}
		r.Units[u].Read, r.Units[u].Color = true, m.at(wholeRef(uint8(cTex0+u)), lane)
	}
	in.sumLight(m, lane, r)
	in.combiners(m, lane, r)
}

func plane3(v *[3]raster.Plane, lane int) [3]float32 {
	return [3]float32{v[0][lane], v[1][lane], v[2][lane]}
}

// entryUnsigned is the entry that entriesUnsigned selects.
func entryUnsigned(t *lut256, x float32) EntryRecord {
	v := clampTo(x*256, 0, 256)
	k := min(int32(v), 255)
	e := &t[uint8(k)]
	return EntryRecord{x, int(k), e.value, e.diff, v - float32(k)}
}

// entrySigned is the entry that entriesSigned selects.
func entrySigned(t *lut256, x float32) EntryRecord {
	v := clampTo(x*128, -128, 128)
	k := min(fixed(v), 127)
	e := &t[uint8(k)]
	return EntryRecord{x, int(uint8(k)), e.value, e.diff, v - float32(k)}
}

// entry128 is the entry that lut128At reads.
func entry128(t *lut128, x float32) EntryRecord {
	v := clampTo(x*128, 0, 128)
	k := min(int32(v), 127)
	e := &t[k&127]
	return EntryRecord{x, int(k), e.value, e.diff, v - float32(k)}
}

// clampTo clamps like the kernels: a NaN becomes the lower bound.
func clampTo(x, lo, hi float32) float32 {
	if !(x > lo) {
		x = lo
	}
	if !(x < hi) {
		x = hi
	}
	return x
}
