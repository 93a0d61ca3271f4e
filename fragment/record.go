package fragment

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/raster"
)

// Record is everything that happened to one fragment: its outcome, and rows
// with the numbers that it was computed from. Colours are red, green, blue and
// alpha, 0 to 255. Vectors are in eye space. In JSON it is the document of its
// rows; names are lower case with _ between words.
type Record struct {
	X, Y     int32 // pixel, as it lies in memory
	Vertices [3]VertexRecord
	Weights  [3]Float // perspective-correct weight of each vertex
	Outcome  Outcome
	Before   Pixel
	After    Pixel
	Rows     []rows.Row

	in *insight // of the program
	// Rows that notes have added, until they are sorted.
	units           [4]rows.Row
	surface, lights []rows.Row // of lighting
	tables          []rows.Row // of the current light
	sums            [2][3]Float
	special         []rows.Row // gas, fog
	tests, writes   []rows.Row
	dropped         Outcome // by a test
}

// VertexRecord is a vertex of the triangle in window coordinates, y up.
type VertexRecord struct {
	X, Y Float // pixels
	Z    Float // z/w before depth scale and offset
	InvW Float // 1/w
}

// MarshalJSON implements json.Marshaler.
func (r *Record) MarshalJSON() ([]byte, error) { return rows.Document(r.Rows).MarshalJSON() }

// Pixel is the contents of a pixel of the render target.
type Pixel struct {
	Color   [4]uint8 `json:"color"`
	Depth   uint32   `json:"depth"`
	Stencil uint8    `json:"stencil"`
}

func (p Pixel) String() string {
	color := rows.New("", "{}", "", p.Color)
	return fmt.Sprintf("%s depth %06X stencil %02X", strings.TrimSpace(color.Text()), p.Depth, p.Stencil)
}

// ChangeRow is the row about the change of a pixel.
func ChangeRow(before, after Pixel) rows.Row {
	r := rows.New("pixel", "{before} -> {after}", "before", before, "after", after).Colored(after.Color)
	r.From = &before.Color
	return r
}

// Float is a number in a Record.
type Float = rows.Float

func floats3(v [3]float32) [3]Float { return [3]Float{Float(v[0]), Float(v[1]), Float(v[2])} }

func plane3(v *[3]raster.Plane, lane int) [3]Float {
	return floats3([3]float32{v[0][lane], v[1][lane], v[2][lane]})
}

// entry is a look-up in an interpolated table: value + difference * fraction.
type entry struct {
	Input      Float `json:"input"`
	Index      int   `json:"index"`
	Value      Float `json:"value"`
	Difference Float `json:"difference"`
	Fraction   Float `json:"fraction"`
}

// String formats the look-up with its numbers.
func (e entry) String() string {
	return fmt.Sprintf("%.6g, entry %d: %.6g + %.6g * %.6g", e.Input, e.Index, e.Value, e.Difference, e.Fraction)
}

// entryForm is the same as the form of a row.
const entryForm = "{input}, entry {index}: {value} + {difference} * {fraction}"

func (e entry) values() []any {
	return []any{"input", e.Input, "index", e.Index, "value", e.Value, "difference", e.Difference, "fraction", e.Fraction}
}

// entryUnsigned is the entry that entriesUnsigned selects.
func entryUnsigned(t *lut256, x float32) entry {
	v := clampTo(x*256, 0, 256)
	k := min(int32(v), 255)
	e := &t[uint8(k)]
	return entry{Float(x), int(k), Float(e.value), Float(e.diff), Float(v - float32(k))}
}

// entrySigned is the entry that entriesSigned selects.
func entrySigned(t *lut256, x float32) entry {
	v := clampTo(x*128, -128, 128)
	k := min(fixed(v), 127)
	e := &t[uint8(k)]
	return entry{Float(x), int(uint8(k)), Float(e.value), Float(e.diff), Float(v - float32(k))}
}

// entry128 is the entry that lut128At reads.
func entry128(t *lut128, x float32) entry {
	v := clampTo(x*128, 0, 128)
	k := min(int32(v), 127)
	e := &t[k&127]
	return entry{Float(x), int(k), Float(e.value), Float(e.diff), Float(v - float32(k))}
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

// numbers are one number, or several in brackets.
type numbers []int

func (v numbers) String() string {
	if len(v) == 1 {
		return fmt.Sprint(v[0])
	}
	return strings.NewReplacer("[", "(", "]", ")").Replace(fmt.Sprint([]int(v)))
}
