package engine

import (
	"context"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
)

// registerInfo describes a register.
type registerInfo struct {
	Number int         `json:"number"`
	Name   string      `json:"name"`
	Doc    string      `json:"doc"`
	Fields []fieldInfo `json:"fields"`
}

type fieldInfo struct {
	Name string   `json:"name"`
	Low  int      `json:"low"` // lowest bit
	Bits int      `json:"bits"`
	Type string   `json:"type"`
	Enum []string `json:"enum,omitempty"` // names of the values; "" where there is none
	// Expected describes its values.
	Expected string `json:"expected"`
	Doc      string `json:"doc,omitempty"`
	// Uniforms are the dmp_* uniforms that set bits of it.
	Uniforms []string `json:"uniforms,omitempty"`
}

// opRegisters lists the registers that hold state.
func (e *Engine) opRegisters(ctx context.Context, r *Request) (*Answer, error) {
	list := []registerInfo{}
	for reg := range pica.Reg(pica.NumRegs) {
		if !drawstate.IsState(reg) {
			continue
		}
		of := pica.Registers[reg]
		info := registerInfo{int(reg), of.Name, of.Doc, []fieldInfo{}}
		for _, f := range of.Fields {
			one := fieldInfo{Name: f.Name, Low: int(f.Lo), Bits: int(f.Bits), Type: f.Type.String(), Expected: f.Expected(), Doc: f.Doc, Uniforms: drawstate.UniformsOf(f)}
			if f.Enum != nil && f.Bits <= 8 {
				for v := range f.Max() + 1 {
					one.Enum = append(one.Enum, f.Format(v))
				}
			}
			info.Fields = append(info.Fields, one)
		}
		list = append(list, info)
	}
	return &Answer{Value: map[string]any{"registers": list}}, nil
}

// registerState is the contents of a register for a draw.
type registerState struct {
	Number  int      `json:"number"`
	Word    uint32   `json:"word"`
	Values  []string `json:"values"`          // of its fields
	Texts   []string `json:"texts,omitempty"` // of a changed register: the same, with the old value
	Changed bool     `json:"changed,omitempty"`
}

type textureInfo struct {
	Unit   int    `json:"unit"`
	Face   int    `json:"face"`
	Level  int    `json:"level"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Name   string `json:"name"`
}

type tableInfo struct {
	Name string `json:"name"`
	Used bool   `json:"used"` // an entry is not 0
}

// drawInfo is the answer to "draw".
type drawInfo struct {
	Record    pipeline.DrawRecord `json:"record"`
	Summary   []rows.View         `json:"summary"` // description of the draw
	Changed   *changedInfo        `json:"changed"`
	Combiners []rows.View         `json:"combiners"` // results of each half of the stages
	Notes     []string            `json:"notes"`     // what could not be read, and why
	Registers []registerState     `json:"registers"`
	Since     *[2]int             `json:"since"` // frame and number of the draw before; null for the first draw
	Changes   []rows.Object       `json:"changes"`
	Uniforms  []string            `json:"uniforms"` // dmp_* that are not at their defaults
	Fixed     [][]number          `json:"fixed_attributes"`
	Textures  []textureInfo       `json:"textures"`
	Tables    []tableInfo         `json:"tables"`
	Vertices  int                 `json:"vertex_count"` // of the shader's vertices, without repetitions
	Geometry  bool                `json:"geometry_shader"`
}

// changedInfo is the pixels that a draw changed: a bounding box, from the top
// left, and a bit for each pixel of it, row by row, the first in the highest
// bit.
type changedInfo struct {
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bits   []byte `json:"bits"`
}

func (e *Engine) opDraw(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	st := s.state
	if !s.named {
		s.named = true
		st.Sources[0] = sourceOf(e.assembledOf(r, false), &st.Input.Vertex).names()
		if s.state.GeometryOn() {
			st.Sources[1] = sourceOf(e.assembledOf(r, true), &st.Input.Geometry).names()
		}
	}
	d := drawInfo{
		Record: st.Record, Summary: rows.Views(st.Summary()), Combiners: rows.Views(st.Combiners()), Notes: append([]string{}, st.Notes...), Registers: []registerState{}, Changes: []rows.Object{},
		Uniforms: []string{}, Textures: []textureInfo{}, Tables: []tableInfo{}, Geometry: s.state.GeometryOn(),
	}
	if c := st.Changed; c != nil {
		size := c.Box.Size()
		d.Changed = &changedInfo{c.Box.Min.X, c.Box.Min.Y, size.X, size.Y, c.Bits}
	}
	if st.Before != nil {
		d.Since = &[2]int{st.Before.Frame, st.Before.Draw}
		d.Changes = rows.Objects(drawstate.Changes(st.Before, &st.Input))
	}
	for _, r := range st.Input.Registers(st.Before) {
		one := registerState{Number: r.Get("number").(int), Word: r.Get("word").(uint32), Values: []string{}, Changed: r.Mark == rows.Changed}
		for _, f := range r.Rows {
			if one.Values = append(one.Values, f.Get("after").(string)); one.Changed {
				one.Texts = append(one.Texts, f.Text())
			}
		}
		d.Registers = append(d.Registers, one)
	}
	for _, u := range st.Input.Uniforms() {
		d.Uniforms = append(d.Uniforms, u.String())
	}
	for _, v := range st.Input.Fixed {
		d.Fixed = append(d.Fixed, vector(v))
	}
	for i := range st.Textures {
		t := &st.Textures[i]
		size := t.Image.Bounds().Size()
		d.Textures = append(d.Textures, textureInfo{t.Unit, t.Face, t.Level, size.X, size.Y, t.Name()})
	}
	for _, t := range drawstate.TablesOf(&st.Input.Tables) {
		d.Tables = append(d.Tables, tableInfo{t.Name, t.Used() > 0})
	}
	if st.Vertices != nil {
		d.Vertices = st.Vertices.Count
	}
	return &Answer{Value: d}, nil
}

// opTable returns a look-up table of the fragment stage, by its number.
func (e *Engine) opTable(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	tables := drawstate.TablesOf(&s.state.Input.Tables)
	if r.From < 0 || r.From >= len(tables) {
		return nil, badf("there is no table %d; there are %d, from 0 on", r.From, len(tables))
	}
	t := &tables[r.From]
	var values []number // null for colours
	if t.Value != nil {
		values = []number{}
		for _, w := range t.Words {
			values = append(values, number(t.Value(w)))
		}
	}
	return &Answer{Value: map[string]any{"name": t.Name, "words": t.Words, "values": values}}, nil
}

// opHistory lists what touched a pixel of the draw's target, or of a screen, in
// its frame up to the draw.
func (e *Engine) opHistory(ctx context.Context, r *Request) (*Answer, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	var x *explain.History
	if s, ok := screens[r.What]; ok {
		x, err = explain.Screen(ctx, f.Replayer, r.Frame, s, r.X, r.Y)
	} else if r.What != "" {
		return nil, badf("there is no history of %q; there are the screens, and \"\" for the draw's target", r.What)
	} else {
		x, err = explain.Pixel(ctx, f.Replayer, pipeline.Position{Frame: r.Frame, Draw: max(r.Draw, pipeline.FrameEnd)}, r.X, r.Y)
	}
	if err != nil {
		return nil, err
	}
	x.SetNames(f.name)
	type event struct {
		Draw    int            `json:"draw"`
		Outcome string         `json:"outcome"` // outcome of the fragment, or what else it was
		Before  fragment.Pixel `json:"before"`
		After   fragment.Pixel `json:"after"`
		Row     rows.View      `json:"row"`  // all of it, as a row
		Text    string         `json:"text"` // the same as text
		// Record is the event in the form of explain --json.
		Record *explain.Event `json:"record"`
	}
	events, total := []event{}, len(x.Events)
	from := min(max(r.From, 0), total)
	for i := from; i < total && i-from < max(min(r.Count, maxEvents), 0); i++ {
		ev := &x.Events[i]
		events = append(events, event{ev.Draw, ev.Outcome(), ev.Before, ev.After, rows.Views([]rows.Row{ev.Row()})[0], ev.Text(), ev})
	}
	return &Answer{Value: map[string]any{
		"frame": x.Frame, "draw": x.Draw, "x": x.X, "y": x.Y, "target": x.Target.String(), "via": x.Via, "about": x.About(), "events": events, "total": total,
	}}, nil
}

// maxEvents bounds the events of an answer.
const maxEvents = 4096
