package fragment

import (
	"math"
	"strconv"
)

// Record is the life of one fragment, with the numbers that it was computed from.
// Colours are red, green, blue and alpha, 0 to 255. Vectors are in eye space. In
// JSON every name is in lower case with _ between words.
type Record struct {
	X        int32           `json:"x"` // pixel, in memory orientation
	Y        int32           `json:"y"`
	Vertices [3]VertexRecord `json:"vertices"`
	Weights  [3]Float        `json:"weights"` // perspective-correct share of each vertex
	Depth    Float           `json:"depth"`   // after scale, offset and w-buffering, 0 to 1

	VertexColor [4]uint8      `json:"vertex_color"`
	TexCoord    [3][3]Float   `json:"texcoord"` // u, v and, of coordinate 0, w; 0 if nothing reads them
	Units       [4]UnitRecord `json:"units"`    // texture units

	Lit      bool            `json:"lit"`      // lighting was computed
	Lighting [2][4]uint8     `json:"lighting"` // primary, secondary
	Light    *LightingRecord `json:"light,omitempty"`

	// Stages are what the combiner stages delivered, Combiners how: those that do
	// something, in order.
	Stages    [numStages][4]uint8 `json:"stages"`
	Combiners []CombinerRecord    `json:"combiners"`

	Fog   *FogRecord `json:"fog,omitempty"`
	Gas   *GasRecord `json:"gas,omitempty"`
	Color [4]uint8   `json:"color"` // after fog or gas shading

	Tests       []TestRecord       `json:"tests"` // in their order, up to the one that failed
	Blend       *BlendRecord       `json:"blend,omitempty"`
	GasWrite    *GasWriteRecord    `json:"gas_write,omitempty"`
	ShadowWrite *ShadowWriteRecord `json:"shadow_write,omitempty"`

	Outcome Outcome `json:"outcome"`
	Before  Pixel   `json:"before"`
	After   Pixel   `json:"after"`
}

// VertexRecord is a corner of the triangle in window coordinates, y up.
type VertexRecord struct {
	X    Float `json:"x"` // pixels
	Y    Float `json:"y"`
	Z    Float `json:"z"`     // z/w before depth scale and offset
	InvW Float `json:"inv_w"` // 1/w
}

// UnitRecord is what a texture unit delivered, and how.
type UnitRecord struct {
	Read  bool     `json:"read"` // a combiner stage or lighting reads the unit
	Color [4]uint8 `json:"color"`

	// Of units that have a texture:
	Kind    string         `json:"kind,omitempty"` // pica.TextureType, or procedural
	Address uint32         `json:"address,omitempty"`
	Width   int            `json:"width,omitempty"`
	Height  int            `json:"height,omitempty"`
	Format  string         `json:"format,omitempty"`
	Wrap    [2]string      `json:"wrap,omitzero"`
	Face    string         `json:"face,omitempty"`    // of a cube
	Coord   [2]Float       `json:"coord,omitzero"`    // where it is read: divided by w, projected on a face
	Lod     *LodRecord     `json:"lod,omitempty"`     // where it decides anything
	Samples []SampleRecord `json:"samples,omitempty"` // one, or two levels of detail
	Shadow  *ShadowRecord  `json:"shadow,omitempty"`
	ProcTex *ProcTexRecord `json:"proctex,omitempty"`
}

// LodRecord is how a level of detail is chosen.
type LodRecord struct {
	Bias  Float `json:"bias"`
	Least int   `json:"least"` // levels
	Most  int   `json:"most"`
	// Across and Down are the steps of the coordinates, in texels, to the next pixel
	// of the 2x2 quad.
	Across [2]Float `json:"across"`
	Down   [2]Float `json:"down"`
	Small  bool     `json:"small"` // the minification filter applies
}

// SampleRecord is one level of a texture as it is read.
type SampleRecord struct {
	Level    int           `json:"level"`
	Share    int           `json:"share"`    // of the level, in 1/256
	Filter   string        `json:"filter"`   // nearest, linear
	Fraction [2]int        `json:"fraction"` // of linear: position between texels, in 1/256
	Color    [4]uint8      `json:"color"`
	Texels   []TexelRecord `json:"texels"` // one, or four: of the lower row left and right, of the upper
}

// TexelRecord is one texel that was read.
type TexelRecord struct {
	Level   int      `json:"level"`
	X       int      `json:"x"`
	Y       int      `json:"y"`       // from t = 0
	Address uint32   `json:"address"` // of its first byte; of compressed formats, of its block
	Border  bool     `json:"border,omitempty"`
	Weight  Float    `json:"weight"` // in its level
	Color   [4]uint8 `json:"color"`

	// Of shadow textures, what the bytes of the colour stand for:
	Depth     uint32 `json:"depth,omitempty"` // 24 bits
	Intensity uint8  `json:"intensity,omitempty"`
	Passed    bool   `json:"passed,omitempty"` // Depth is not before the reference
}

// ShadowRecord is what a shadow texture is compared with.
type ShadowRecord struct {
	W         Float  `json:"w"` // the coordinate
	Bias      int32  `json:"bias"`
	Reference uint32 `json:"reference"` // 24 bits: min(|w|, 1) less the bias
	Light     uint8  `json:"light"`
}

// EntryRecord is a place of an interpolated table:
// value + difference * fraction.
type EntryRecord struct {
	Input      Float `json:"input"`
	Index      int   `json:"index"`
	Value      Float `json:"value"`
	Difference Float `json:"difference"`
	Fraction   Float `json:"fraction"`
}

// LightingRecord is fragment lighting.
type LightingRecord struct {
	Quaternion [4]Float      `json:"quaternion"` // normalised
	Normal     [3]Float      `json:"normal"`
	View       [3]Float      `json:"view"`              // to the eye, normalised; 0 if nothing reads it
	Tangent    *[3]Float     `json:"tangent,omitempty"` // if a table reads it
	Bump       *BumpRecord   `json:"bump,omitempty"`
	Shadow     *[4]Float     `json:"shadow,omitempty"` // factors of a shadow
	Ambient    [3]Float      `json:"ambient"`
	Lights     []LightRecord `json:"lights"` // in use, in their order
	Fresnel    *Float        `json:"fresnel,omitempty"`
	Primary    [4]Float      `json:"primary"` // sums before they become colours
	Secondary  [4]Float      `json:"secondary"`
}

// BumpRecord is the vector that a bump or tangent map gives.
type BumpRecord struct {
	Mode   string   `json:"mode"`
	Unit   int      `json:"unit"`
	Vector [3]Float `json:"vector"`
}

// LightRecord is one light.
type LightRecord struct {
	Light       int      `json:"light"` // its number
	Directional bool     `json:"directional"`
	TwoSided    bool     `json:"two_sided"`
	Position    [3]Float `json:"position"` // of directional lights the direction to them
	Spot        [3]Float `json:"spot"`
	L           [3]Float `json:"l"` // to the light, normalised
	Distance    Float    `json:"distance"`
	H           [3]Float `json:"h"`           // half vector, normalised; 0 if nothing reads it
	HalfSquare  Float    `json:"half_square"` // squared length of L + V
	LN          Float    `json:"ln"`          // L.N
	Lit         Float    `json:"lit"`         // L.N, clamped or made positive

	Diffuse  [3]Float    `json:"diffuse"` // colours, 1 is full
	Ambient  [3]Float    `json:"ambient"`
	Specular [2][3]Float `json:"specular"`

	Tables      []LightTableRecord `json:"tables"` // as they are read
	Attenuation Float              `json:"attenuation"`
	Geometric   *Float             `json:"geometric,omitempty"` // factor
	D           [2]Float           `json:"d"`                   // of the specular terms, with the geometric factor
	Reflection  [3]Float           `json:"reflection"`          // of specular term 1
	Factor      Float              `json:"factor"`              // of the specular terms: attenuation, highlights clamped
	Shadowed    [2]bool            `json:"shadowed"`            // the shadow takes from primary, secondary

	Primary   [3]Float `json:"primary"` // what the light adds
	Secondary [3]Float `json:"secondary"`
}

// LightTableRecord is a look-up in a table of lighting.
type LightTableRecord struct {
	Table  string `json:"table"`  // D0, D1, SP, FR, RB, RG, RR, DA
	Number int    `json:"number"` // of the table, 0 to 23
	Dot    string `json:"dot"`    // its input by name: NH, VH, NV, LN, SP, CP, distance
	X      Float  `json:"x"`      // what that is
	EntryRecord
	Scale  Float `json:"scale"`
	Result Float `json:"result"`
}

// CombinerRecord is a combiner stage.
type CombinerRecord struct {
	Stage  int           `json:"stage"`
	RGB    CombineRecord `json:"rgb"`
	Alpha  CombineRecord `json:"alpha"`
	Result [4]uint8      `json:"result"`
	// Buffer says which part of the result goes to the combiner buffer: "",
	// "rgb", "alpha" or "rgb and alpha".
	Buffer string `json:"buffer,omitempty"`
	Unread bool   `json:"unread,omitempty"` // nothing reads the result
}

// CombineRecord is one half of a combiner stage. A half of RGB has three
// numbers, one of alpha has one.
type CombineRecord struct {
	Function string          `json:"function"`
	Scale    int             `json:"scale"`
	Operands []OperandRecord `json:"operands"`
	Result   []int           `json:"result"`
	Equation string          `json:"equation"`
	Passes   bool            `json:"passes,omitempty"` // it hands on what the stage before gave
	Unread   bool            `json:"unread,omitempty"` // nothing reads the result
}

// OperandRecord is an argument of a combiner function.
type OperandRecord struct {
	Source  string   `json:"source"`
	Operand string   `json:"operand"`
	Color   [4]uint8 `json:"color"` // of the source
	Value   []int    `json:"value"` // of the operand
}

// FogRecord is fog.
type FogRecord struct {
	Flipped bool `json:"flipped"` // the table is read at 1 - depth
	EntryRecord
	Factor Float    `json:"factor"` // share of the fragment's colour
	Color  [3]uint8 `json:"color"`  // of the fog
	Before [3]uint8 `json:"before"`
	After  [3]uint8 `json:"after"`
}

// GasRecord is gas shading, the second pass of gas.
type GasRecord struct {
	Texel       [4]uint8    `json:"texel"`
	Density     [2]Float    `json:"density"` // plain, by depth
	Attenuation Float       `json:"attenuation"`
	AlphaEntry  EntryRecord `json:"alpha_entry"` // of the fog table, at the density by depth times attenuation
	Alpha       uint8       `json:"alpha"`

	ByDepth bool            `json:"by_depth"` // colours take the density by depth
	Scale   Float           `json:"scale"`    // of the density: 1 / greatest
	Scaled  Float           `json:"scaled"`
	Light   *GasLightRecord `json:"light,omitempty"`

	Entry      EntryRecord `json:"entry"` // of the colour table, without value and difference
	Value      [3]Float    `json:"value"`
	Difference [3]Float    `json:"difference"`
	Color      [4]uint8    `json:"color"`
}

// GasLightRecord is the light of gas, where that chooses its colour.
type GasLightRecord struct {
	Planar uint8 `json:"planar"` // red of source 1 of the last combiner stage
	XYMin  Float `json:"xy_min"`
	XYMax  Float `json:"xy_max"`
	XYAtt  Float `json:"xy_attenuation"`
	ZMin   Float `json:"z_min"`
	ZMax   Float `json:"z_max"`
	ZAtt   Float `json:"z_attenuation"`
	ZEff   Float `json:"z_effect"`
	Result Float `json:"result"`
}

// GasWriteRecord is the first pass of gas: densities are added up.
type GasWriteRecord struct {
	Density uint8    `json:"density"` // red of the fragment
	Func    string   `json:"func"`
	Surface uint32   `json:"surface"` // depth that is read
	DeltaZ  Float    `json:"delta_z"`
	Factor  Float    `json:"factor"` // of the density by depth
	Before  [2]Float `json:"before"` // plain, by depth
	After   [2]Float `json:"after"`
}

// ShadowWriteRecord is a fragment of a shadow texture.
type ShadowWriteRecord struct {
	Depth     uint32   `json:"depth"` // 24 bits
	Old       uint32   `json:"old"`
	Nearer    bool     `json:"nearer"`
	Intensity uint8    `json:"intensity"` // green of the fragment; 0 writes its depth
	Penumbra  [2]Float `json:"penumbra"`  // constant, linear; of other intensities
	Ratio     Float    `json:"ratio"`     // of the depths
	Before    uint8    `json:"before"`    // intensities
	After     uint8    `json:"after"`
}

// ProcTexRecord is the procedural texture.
type ProcTexRecord struct {
	Coord   int       `json:"coord"` // number of the texture coordinate
	UV      [2]Float  `json:"uv"`    // made positive
	Shift   [2]Float  `json:"shift"`
	Noisy   [2]Float  `json:"noisy"`   // with noise
	Clamped [2]Float  `json:"clamped"` // shifted and clamped
	Clamp   [2]string `json:"clamp"`

	Map        string `json:"map"` // of the colours
	Mapped     Float  `json:"mapped"`
	AlphaMap   string `json:"alpha_map,omitempty"`
	AlphaValue *Float `json:"alpha_value,omitempty"` // where alpha has a map of its own

	Lod    *Float `json:"lod,omitempty"`
	Level  int    `json:"level"`
	Offset int    `json:"offset"` // of the level in the table of colours
	Width  int    `json:"width"`
	Filter string `json:"filter"`
	// Entries are what is read of the table of colours: a place of a level, or of two
	// that are mixed.
	Entries []ProcColorRecord `json:"entries"`
}

// ProcColorRecord is a place of the procedural texture's table of colours: color +
// difference * fraction, clamped to 0 to 255. The texture's colour is that of the levels by
// their shares, its fraction dropped; its alpha, where alpha has a map of its own, is that
// map's.
type ProcColorRecord struct {
	Level      int      `json:"level"`
	Share      Float    `json:"share"`      // of the level, 0 to 1
	Input      Float    `json:"input"`      // place in the level, 0 to its width less 1
	Index      int      `json:"index"`      // of the entry, in the table of 256
	Color      [4]uint8 `json:"color"`      // of the entry
	Difference [4]int   `json:"difference"` // to the next one, as the table has it; 0 of nearest
	Fraction   Float    `json:"fraction"`   // behind the entry; 0 of nearest
	Result     [4]Float `json:"result"`
}

// TestRecord is a test: "fragment func other", both under the mask.
type TestRecord struct {
	Test     string `json:"test"` // alpha, stencil, depth
	Func     string `json:"func"`
	Fragment uint32 `json:"fragment"` // alpha, stencil reference, depth in the buffer's steps
	Other    uint32 `json:"other"`    // reference, what the buffer holds
	Mask     uint32 `json:"mask,omitempty"`
	Passed   bool   `json:"passed"`
	Does     string `json:"does,omitempty"`    // to the stencil
	Stencil  uint8  `json:"stencil,omitempty"` // what that gives
}

// BlendRecord is how the fragment's colour and the target's come together.
type BlendRecord struct {
	Mode   string     `json:"mode"` // replace, blend, logic
	Logic  string     `json:"logic,omitempty"`
	RGB    *BlendHalf `json:"rgb,omitempty"`
	Alpha  *BlendHalf `json:"alpha,omitempty"`
	Source [4]uint8   `json:"source"`
	Dest   [4]uint8   `json:"dest"` // what is read: 0 if the buffer may not be
	Result [4]uint8   `json:"result"`
	Mask   [4]bool    `json:"mask"` // channels that are written
	Format string     `json:"format"`
}

// BlendHalf is blending of RGB, with three numbers, or of alpha, with one.
type BlendHalf struct {
	Equation string   `json:"equation"`
	Source   string   `json:"source"` // factors
	Dest     string   `json:"dest"`
	Factors  [2][]int `json:"factors"`
	Result   []int    `json:"result"`
	Text     string   `json:"text"` // all of it with numbers
}

// Pixel is what the render target holds at a place.
type Pixel struct {
	Color   [4]uint8 `json:"color"`
	Depth   uint32   `json:"depth"`
	Stencil uint8    `json:"stencil"`
}

// Float is a number of the pipeline. In JSON, which has no others, what is no
// finite number is one of the words NaN, +Inf and -Inf.
type Float float32

// MarshalJSON implements json.Marshaler.
func (f Float) MarshalJSON() ([]byte, error) {
	x := float64(f)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(x, 'g', -1, 32)), nil
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 32), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Float) UnmarshalJSON(b []byte) error {
	text := string(b)
	if s, err := strconv.Unquote(text); err == nil {
		text = s
	}
	x, err := strconv.ParseFloat(text, 32)
	*f = Float(x)
	return err
}

func floats3(v [3]float32) [3]Float { return [3]Float{Float(v[0]), Float(v[1]), Float(v[2])} }
