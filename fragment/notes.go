package fragment

import (
	"fmt"

	"pica200/explain/rows"
	"pica200/pica"
)

// The notes of a probed program record what each op did to the watched lane. A
// note runs after its op and reads the lane registers, so that it reports what
// was really drawn. The code that compiles an op sets its note.

// note adds rows about what an op did to a lane.
type note func(m *machine, lane int, r *Record)

// insight is the information that a probed program keeps to explain itself.
type insight struct {
	stages  *combiner
	updates [2]uint32 // which stages update the combiner buffer's RGB, and its alpha
	color   colorRef
	units   [4]bool
	coords  [numFloats]bool // float registers that are interpolated

	lighting *lightingState // nil if lighting is not read

	gas         bool
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

// begin adds the rows about the rasterizer's results.
func (r *Record) begin() {
	r.units = [4]rows.Row{{Key: "units[]"}, {Key: "units[]"}, {Key: "units[]"}, {Key: "units[]"}}
	r.Rows = []rows.Row{rows.New("", "", "x", r.X, "y", r.Y)}
	for k := range r.Vertices {
		v := &r.Vertices[k]
		r.Rows = append(r.Rows, rows.New(fmt.Sprintf("vertex %d", k), "share {share|%.4f} at {x|%.2f},{y|%.2f} z/w {z} w {w}",
			"x", v.X, "y", v.Y, "z", v.Z, "inv_w", v.InvW, "w", 1/v.InvW, "share", r.Weights[k]).
			In("vertices[]").To(rows.Link{To: rows.ToVertex, Corner: k}))
	}
}

// sum adds rows about the lane registers after all ops, and sorts all rows.
func (in *insight) sum(m *machine, lane int, r *Record) {
	toOutput := func(name string) rows.Link { return rows.Link{To: rows.ToOutput, Output: name} }
	add := func(list ...rows.Row) { r.Rows = append(r.Rows, list...) }
	vertex := m.at(wholeRef(cPrimary), lane)
	add(rows.New("", "", "weights", r.Weights),
		rows.New("depth", "{depth|%.7f}", "depth", Float(m.b.Depth[lane])).To(toOutput("position")),
		rows.New("vertex colour", "{vertex_color}", "vertex_color", vertex).Colored(vertex).To(toOutput("color")))
	for u, base := range [3]int{fTex0U, fTex1U, fTex2U} {
		var c [3]Float
		for k := range [3]int{3, 2, 2}[u] {
			if in.coords[base+k] {
				c[k] = Float(m.f[base+k][lane])
			}
		}
		name := fmt.Sprint("texcoord", u)
		add(rows.New(fmt.Sprintf("texcoord %d", u), "{}", "", c).In("texcoord[]").To(toOutput(name)).When(c != [3]Float{}))
	}
	for u := range r.units {
		unit := &r.units[u]
		color := [4]uint8{}
		if in.units[u] {
			color = m.at(wholeRef(uint8(cTex0+u)), lane)
			unit.Label, unit.Form = fmt.Sprintf("texture %d", u), "{color}"
			if unit.Get("address") != nil {
				unit.Form += "  {kind}, {width}x{height} {format} at 0x{address|%08X}"
			}
			unit.Color = &color
		} else { // nothing of it is reported
			*unit = rows.Row{Key: unit.Key}
		}
		unit.Add("read", in.units[u], "color", color)
		add(*unit)
	}
	add(in.lit(m, lane, r).To(toOutput("normalquat")))
	var stages [numStages][4]uint8
	for i, ref := range in.stages.outs {
		stages[i] = m.at(ref, lane)
	}
	add(rows.New("", "", "stages", stages, "combiners", []any{}))
	add(in.combiners(m, lane)...)
	add(r.special...)
	color := m.at(in.color, lane)
	add(rows.New("fragment", "{color}", "color", color).Colored(color), rows.New("", "", "tests", []any{}))
	add(r.tests...)
	add(r.writes...)
	add(rows.New("", "", "outcome", r.Outcome), ChangeRow(r.Before, r.After))
}
