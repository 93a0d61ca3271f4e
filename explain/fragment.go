package explain

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/fragment"
)

// outcomes says what became of a fragment.
var outcomes = [...]string{
	fragment.Written: "written", fragment.AlphaFailed: "failed the alpha test", fragment.StencilFailed: "failed the stencil test",
	fragment.DepthFailed: "failed the depth test", fragment.SpecialFailed: "dropped",
}

// fragmentRows describes everything that happened to a fragment. As a document,
// the rows are its record in JSON.
func fragmentRows(r *fragment.Record) (list []rows.Row) {
	add := func(more ...rows.Row) { list = append(list, more...) }
	toOutput := func(name string) rows.Link { return rows.Link{To: rows.ToOutput, Output: name} }
	add(rows.New("", "", "x", r.X, "y", r.Y))
	for k, v := range r.Vertices {
		add(rows.New(fmt.Sprintf("vertex %d", k), "share {share|%.4f} at {x|%.2f},{y|%.2f} z/w {z} w {w}",
			"x", float(v.X), "y", float(v.Y), "z", float(v.Z), "inv_w", float(v.InvW), "w", 1/float(v.InvW), "share", float(r.Weights[k])).
			In("vertices[]").To(rows.Link{To: rows.ToVertex, Corner: k}))
	}
	color := "{vertex_color}"
	if r.Flat {
		color += ", that of the triangle's third vertex (GPUREG_0058)"
	}
	add(rows.New("", "", "weights", float3(r.Weights)),
		rows.New("depth", "{depth|%.7f}", "depth", float(r.Depth)).To(toOutput("position")),
		rows.New("vertex colour", color, "vertex_color", r.VertexColor).Colored(r.VertexColor).To(toOutput("color")))
	for u, c := range r.Texcoords {
		add(rows.New(fmt.Sprintf("texcoord %d", u), "{}", "", float3(c)).In("texcoord[]").To(toOutput(fmt.Sprint("texcoord", u))).When(c != [3]float32{}))
	}
	for u := range r.Units {
		add(unitRow(u, &r.Units[u]))
	}
	var stages [len(r.Stages)][4]uint8
	for i := range stages {
		stages[i] = r.Stages[i].Result
	}
	add(lightingRow(r.Lighting).To(toOutput("normalquat")), rows.New("", "", "stages", stages, "combiners", []any{}))
	add(combinerRows(&r.Stages, r.Gas != nil)...)
	if r.Fog != nil {
		add(fogRow(r.Fog))
	}
	if r.Gas != nil {
		add(gasRow(r.Gas))
	}
	add(rows.New("fragment", "{color}", "color", r.Color).Colored(r.Color), rows.New("", "", "tests", []any{}))
	for i := range r.Tests {
		add(testRow(&r.Tests[i]))
	}
	if r.Blend != nil {
		add(blendRow(r.Blend))
	}
	if r.GasWrite != nil {
		add(gasWriteRow(r.GasWrite))
	}
	if r.ShadowWrite != nil {
		add(shadowWriteRow(r.ShadowWrite))
	}
	return append(list, rows.New("", "", "outcome", outcomes[r.Outcome]), changeRow(r.Before, r.After))
}

// contents are the contents of a pixel in words.
type contents fragment.Pixel

func (c contents) String() string {
	color := rows.New("", "{}", "", c.Color)
	return fmt.Sprintf("%s depth %06X stencil %02X", strings.TrimSpace(color.Text()), c.Depth, c.Stencil)
}

// changeRow is the row about the change of a pixel.
func changeRow(before, after fragment.Pixel) rows.Row {
	r := rows.New("pixel", "{before} -> {after}", "before", contents(before), "after", contents(after)).Colored(after.Color)
	r.From = &before.Color
	return r
}

type float = rows.Float

func float2(v [2]float32) [2]float { return [2]float{float(v[0]), float(v[1])} }

func float3(v [3]float32) [3]float { return [3]float{float(v[0]), float(v[1]), float(v[2])} }

func float4(v [4]float32) [4]float {
	return [4]float{float(v[0]), float(v[1]), float(v[2]), float(v[3])}
}

// entry is a look-up in an interpolated table.
type entry struct {
	Input      float `json:"input"`
	Index      int   `json:"index"`
	Value      float `json:"value"`
	Difference float `json:"difference"`
	Fraction   float `json:"fraction"`
}

func entryOf(e fragment.EntryRecord) entry {
	return entry{float(e.Input), e.Index, float(e.Value), float(e.Difference), float(e.Fraction)}
}

func (e entry) String() string {
	r := rows.New("", entryForm, e.values()...)
	return r.Text()
}

// entryForm is the form of a look-up.
const entryForm = "{input}, entry {index}: {value} + {difference} * {fraction}"

func (e entry) values() []any {
	return []any{"input", e.Input, "index", e.Index, "value", e.Value, "difference", e.Difference, "fraction", e.Fraction}
}

// numbers are one number, or several in brackets.
type numbers []int

func (v numbers) String() string {
	if len(v) == 1 {
		return fmt.Sprint(v[0])
	}
	return strings.NewReplacer("[", "(", "]", ")").Replace(fmt.Sprint([]int(v)))
}

// numbersOf are the channels of a colour from one on.
func numbersOf(c []uint8) (v numbers) {
	for _, x := range c {
		v = append(v, int(x))
	}
	return v
}
