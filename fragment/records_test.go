package fragment

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/tests/testkit"
)

// told is what tests read of a record's JSON document.
type told struct {
	Weights       [3]Float
	Units         [4]UnitRecord
	Lighting      [2][4]uint8
	Light         *LightingRecord
	Stages        [numStages][4]uint8
	Combiners     []CombinerRecord
	Fog           *FogRecord
	Gas           *GasRecord
	Color         [4]uint8
	Tests         []TestRecord
	Blend         *BlendRecord
	GasWrite      *GasWriteRecord    `json:"gas_write"`
	ShadowWrite   *ShadowWriteRecord `json:"shadow_write"`
	VertexColor   [4]uint8           `json:"vertex_color"`
	Outcome       Outcome
	Before, After Pixel
}

// told decodes a record's JSON document.
func (r *Record) told(t *testing.T) *told {
	t.Helper()
	rows.Walk(r.Rows, func(row *rows.Row, _ int) bool {
		line := row.Line()
		require.NotContains(t, line, "<nil>", "every name in a form is a value of its row: %+v", row)
		require.NotContains(t, line, "%!", "every value fits its format: %+v", row)
		return true
	})
	text := testkit.Must(json.Marshal(r))(t)
	out := &told{}
	require.NoError(t, json.Unmarshal(text, out))
	require.Equal(t, []any{r.Outcome, r.Before, r.After, r.Weights}, []any{out.Outcome, out.Before, out.After, out.Weights})
	return out
}

type UnitRecord struct {
	Read    bool
	Color   [4]uint8
	Format  string
	Face    string
	Lod     *struct{}
	Samples []SampleRecord
	Shadow  *ShadowRecord
	ProcTex *ProcTexRecord
}

type SampleRecord struct {
	Share  int
	Color  [4]uint8
	Texels []TexelRecord
}

type TexelRecord struct {
	Address   uint32
	Border    bool
	Weight    Float
	Color     [4]uint8
	Depth     uint32
	Intensity uint8
	Passed    bool
}

type ShadowRecord struct {
	W         Float
	Bias      int32
	Reference uint32
	Light     uint8
}

type LightingRecord struct {
	Quaternion [4]Float
	Normal     [3]Float
	View       [3]Float
	Tangent    *[3]Float
	Bump       *BumpRecord
	Shadow     *[4]Float
	Ambient    [3]Float
	Lights     []LightRecord
	Primary    [4]Float
	Secondary  [4]Float
}

type BumpRecord struct {
	Mode   string
	Vector [3]Float
}

type LightRecord struct {
	Spot        [3]Float
	L           [3]Float
	H           [3]Float
	HalfSquare  Float `json:"half_square"`
	LN          Float
	Lit         Float
	Diffuse     [3]Float
	Ambient     [3]Float
	Specular    [2][3]Float
	Tables      []LightTableRecord
	Attenuation Float
	D           [2]Float
	Reflection  [3]Float
	Factor      Float
	Shadowed    [2]bool
	Primary     [3]Float
	Secondary   [3]Float
}

type LightTableRecord struct {
	Table string
	Dot   string
	X     Float
	entry
	Scale  Float
	Result Float
}

type CombinerRecord struct {
	Stage  int
	RGB    CombineRecord
	Alpha  CombineRecord
	Result [4]uint8
}

type CombineRecord struct {
	Function string
	Scale    int
	Operands []OperandRecord
	Result   []int
	Equation string
}

type OperandRecord struct {
	Value []int
}

type FogRecord struct {
	entry
	Factor Float
	Color  [3]uint8
	Before [3]uint8
	After  [3]uint8
}

type GasRecord struct {
	Texel      [4]uint8
	Density    [2]Float
	AlphaEntry entry `json:"alpha_entry"`
	Alpha      uint8
	ByDepth    bool `json:"by_depth"`
	Scale      Float
	Scaled     Float
	Light      *GasLightRecord
	Entry      entry
	Value      [3]Float
	Difference [3]Float
	Color      [4]uint8
}

type GasLightRecord struct {
	Planar uint8
	XYMin  Float `json:"xy_min"`
	XYMax  Float `json:"xy_max"`
	XYAtt  Float `json:"xy_attenuation"`
	ZMin   Float `json:"z_min"`
	ZMax   Float `json:"z_max"`
	ZAtt   Float `json:"z_attenuation"`
	ZEff   Float `json:"z_effect"`
	Result Float
}

type GasWriteRecord struct {
	Density uint8
	Factor  Float
	Before  [2]Float
	After   [2]Float
}

type ShadowWriteRecord struct {
	Depth     uint32
	Old       uint32
	Nearer    bool
	Intensity uint8
	Penumbra  [2]Float
	Ratio     Float
	Before    uint8
	After     uint8
}

type ProcTexRecord struct {
	Mapped     Float
	AlphaValue *Float `json:"alpha_value"`
	Entries    []ProcColorRecord
}

type ProcColorRecord struct {
	Level      int
	Share      Float
	Input      Float
	Index      int
	Color      [4]uint8
	Difference [4]int
	Fraction   Float
	Result     [4]Float
}

type TestRecord struct {
	Test     string
	Func     string
	Fragment uint32
	Other    uint32
	Mask     uint32
	Passed   bool
	Does     string
	Stencil  uint8
}

type BlendRecord struct {
	Mode   string
	RGB    *BlendHalf
	Alpha  *BlendHalf
	Source [4]uint8
	Dest   [4]uint8
	Result [4]uint8
	Mask   [4]bool
}

type BlendHalf struct {
	Equation string
	Factors  [2][]int
	Text     string
}
