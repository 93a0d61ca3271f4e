package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"

	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// statePanel shows the input of a recording's draw: registers, textures, tables, uniforms and shaders.
type statePanel struct {
	tabs   ui.Tabs
	search ui.Field
	only   bool // only registers changed by the draw
	views  [6]ui.TextView

	state *drawstate.State
	err   error
	of    [3]int // frame, draw and version of the source
	busy  bool
	list  []rows.Row // registers

	texture  texture    // the one that is shown
	wanted   *rows.Link // texture to show when the state arrives
	channels [4]bool
	picture  image.Image // the texture with the selected channels
	made     [3]any      // the inputs of picture
	table    int         // number of a table, as in drawstate.TablesOf
	output   string      // output whose shader lines are marked, as rows.Link.Output; "" for none
	programs [2]listing  // vertex and geometry shader
	steps    stepper     // stepper of one of them
}

// texture identifies a texture of a draw.
type texture struct{ unit, face, level int }

func textureOf(t *drawstate.Texture) texture { return texture{t.Unit, t.Face, t.Level} }

// Tabs of the panel.
const (
	tabSummary = iota
	tabRegisters
	tabTextures
	tabTables
	tabUniforms
	tabShaders
)

// openState opens the panel.
func (a *App) openState() {
	a.toggle(dockState, a.info.Frames > 0, "only recordings have the state of a draw; Tab shows the uniforms of a scene")
}

// follow implements side.
func (p *statePanel) follow(a *App) {
	if p.tabs.Names == nil {
		p.tabs.Names = []string{"Summary", "Registers", "Textures", "Tables", "Uniforms", "Shaders"}
		p.search.Hint = "register, field, value, dmp_ name"
		p.search.OnChange = func() {
			if p.state != nil {
				p.views[tabRegisters].Set(p.registers())
			}
		}
		p.search.OnArrow = func(k ui.Key) { p.keys().Key(k, 0) }
		p.search.OnEscape = func() { a.screen.Focus(p.keys()) }
		p.channels = [4]bool{true, true, true, false}
		p.views[tabSummary].Indent, p.views[tabRegisters].Indent = rows.Indent, 25
		p.steps.split = ui.Split{Size: 200, Least: 60, Below: true}
		p.tabs.OnSelect = func() { a.screen.Focus(p.keys()) }
	}
	if a.picture == nil || p.busy || a.moving() {
		return
	}
	r := a.picture.Request
	key := [3]int{r.Frame, r.Draw, a.reloads + 1}
	if p.of == key {
		return
	}
	p.busy = true
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		w, ok := s.(session.Stater)
		if !ok {
			return func() { p.busy = false }
		}
		st, err := w.State(ctx, &r)
		return func() {
			if errors.Is(err, context.Canceled) {
				p.busy, a.dirty = false, true // cancelled
				return
			}
			p.busy, p.of, a.dirty = false, key, true
			p.set(st, err)
			if a.picture != nil { // the draw may have changed since
				p.follow(a)
			}
		}
	})
}

// set stores the state of a draw.
func (p *statePanel) set(st *drawstate.State, err error) {
	p.state, p.err, p.list = st, err, nil
	if err != nil {
		return
	}
	p.list = st.Input.Registers(st.Before)
	p.choose()
	p.readPrograms()
	p.made = [3]any{}
	if tables := drawstate.TablesOf(&st.Input.Tables); tables[p.table].Used() == 0 {
		for i := range tables { // the first one with contents
			if tables[i].Used() > 0 {
				p.table = i
				break
			}
		}
	}
	p.fill()
}

// showTexture shows the texture that a texel belongs to.
func (a *App) showTexture(draw int, l *rows.Link) {
	p, want := &a.state, *l
	want.Draw = draw
	p.tabs.At, p.wanted = tabTextures, &want
	a.showDraw(draw)
	a.setDock(dockState)
	p.choose()
}

// showWriter shows the shader line that writes an output last.
func (a *App) showWriter(draw int, output string) {
	p := &a.state
	p.tabs.At, p.output = tabShaders, output
	a.showDraw(draw)
	a.setDock(dockState)
	p.fill()
}

// choose selects the wanted texture if the state is of its draw.
func (p *statePanel) choose() {
	l := p.wanted
	if l == nil || p.state == nil || p.state.Input.Draw != l.Draw {
		return
	}
	p.wanted = nil
	p.texture = texture{l.Unit, l.Face, l.Level}
}

// fill makes the texts of registers and uniforms.
func (p *statePanel) fill() {
	if p.state == nil {
		return
	}
	p.views[tabSummary].Set(p.summary())
	p.views[tabRegisters].Set(p.registers())
	p.views[tabUniforms].Set(p.uniforms())
	p.shaders()
}

// summary returns the draw's summary. Its lines link to registers and textures.
func (p *statePanel) summary() (out []ui.Line) {
	draw := p.state.Input.Draw
	rows.Walk(p.state.Summary(), func(r *rows.Row, depth int) bool {
		l := lineOf(r, depth+1)
		if r.Link == nil {
			out = append(out, l)
			return true
		}
		switch to := *r.Link; to.To {
		case rows.ToRegister:
			l.Tip, l.Do = "show "+to.Register, func() {
				p.search.Set(to.Register)
				p.tabs.At = tabRegisters
				p.fill()
			}
		case rows.ToTexel:
			l.Tip, l.Do = "show the texture", func() {
				to.Draw = draw
				p.wanted, p.tabs.At = &to, tabTextures
				p.choose()
			}
		}
		out = append(out, l)
		return true
	})
	return out
}

// registers lists the registers that match the search.
func (p *statePanel) registers() (out []ui.Line) {
	words := strings.Fields(strings.ToLower(p.search.Text))
	for i := range p.list {
		r := &p.list[i]
		if p.only && r.Mark != rows.Changed {
			continue
		}
		var lines []ui.Line
		whole := finds(r.Line(), words)
		for k := range r.Rows {
			f := &r.Rows[k]
			uniforms := drawstate.UniformsOf(pica.Registers[r.Get("number").(int)].Fields[k])
			if !whole && !finds(r.Name()+" "+f.Line()+" "+strings.Join(uniforms, " "), words) || p.only && f.Mark != rows.Changed {
				continue
			}
			lines = append(lines, ui.Line{Text: fmt.Sprintf("  %-22s %s", f.Name(), f.Text()), Color: colorOf[f.Mark]})
			if len(uniforms) > 0 {
				lines = append(lines, ui.Line{Text: "    " + uniformNames(uniforms), Color: ui.Dim})
			}
		}
		if len(lines) == 0 {
			continue
		}
		head := ui.Line{Text: r.Line(), Head: true, Color: ui.Accent}
		if r.Mark != "" {
			head.Color = colorOf[r.Mark]
		}
		out = append(append(out, head), lines...)
	}
	switch {
	case len(out) == 0 && p.only && p.state.Before == nil:
		out = append(out, ui.Line{Text: "there is no draw before it", Color: ui.Dim})
	case len(out) == 0:
		out = append(out, ui.Line{Text: "no match", Color: ui.Dim})
	}
	return out
}

// uniformNames returns the names of uniforms that set a field, or their number if there are many.
func uniformNames(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return strings.Join(names, ", ")
}

// finds reports whether all words occur in a text.
func finds(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// uniforms lists the shaders' uniforms, vectors as matrices, and the dmp_* uniforms of the fixed functions' registers.
func (p *statePanel) uniforms() (out []ui.Line) {
	st := p.state
	add := func(col color.RGBA, format string, args ...any) {
		out = append(out, ui.Line{Text: fmt.Sprintf(format, args...), Color: col})
	}
	unit := func(name string, now, before *shaderunit.Setup) {
		out = append(out, ui.Line{Text: name, Head: true, Color: ui.Accent})
		for _, m := range drawstate.Matrices(&now.Float) {
			title := fmt.Sprintf("c%d", m.First)
			if n := len(m.Rows); n > 1 {
				title = fmt.Sprintf("c%d to c%d", m.First, m.First+n-1)
			}
			if m.Kind != "" {
				title += ", " + m.Kind
			}
			add(ui.Dim, "  %s", title)
			for i, row := range m.Rows {
				col := color.RGBA{}
				if before != nil && before.Float[m.First+i] != row {
					col = ui.Changed
				}
				add(col, "    %11.5g %11.5g %11.5g %11.5g", row[0], row[1], row[2], row[3])
			}
		}
		for i, v := range now.Int {
			if v != [4]uint8{} {
				add(color.RGBA{}, "  i%d  %d %d %d %d", i, v[0], v[1], v[2], v[3])
			}
		}
		if now.Bool != 0 {
			text := "  true:"
			for i := range uint8(16) {
				if now.BoolUniform(i) {
					text += fmt.Sprintf(" b%d", i)
				}
			}
			add(color.RGBA{}, "%s", text)
		}
	}
	var before [2]*shaderunit.Setup
	if st.Before != nil {
		before = [2]*shaderunit.Setup{&st.Before.Vertex, &st.Before.Geometry}
	}
	unit("Vertex shader", &st.Input.Vertex, before[0])
	if st.Record.GeometryEntry >= 0 {
		unit("Geometry shader", &st.Input.Geometry, before[1])
	}
	out = append(out, ui.Line{Text: "Fixed functions, as dmp_* uniforms", Head: true, Color: ui.Accent})
	for _, u := range st.Input.Uniforms() {
		add(color.RGBA{}, "  %v", u)
	}
	return out
}

// keys implements side.
func (p *statePanel) keys() ui.Keys { return &p.views[p.tabs.At] }

// draw implements side.
func (p *statePanel) draw(a *App, r image.Rectangle) {
	s := a.screen
	s.Cover(r)
	title := "State"
	if p.state != nil {
		title = fmt.Sprintf("State of draw %d of frame %d", p.state.Input.Draw, p.state.Input.Frame)
	}
	if p.busy {
		title += " ..."
	}
	r = a.title(dockState, r, title)
	r = p.tabs.Draw(s, r)
	switch {
	case p.err != nil:
		s.Lines(r.Inset(s.Units(6)), p.err.Error(), 100, ui.Bad)
		return
	case p.state == nil:
		return
	}
	switch p.tabs.At {
	case tabRegisters:
		h := s.Line() + s.Units(6)
		drawField(s, image.Rect(r.Min.X+s.Units(4), r.Min.Y+s.Units(2), r.Max.X-s.Units(4), r.Min.Y+h), &p.search,
			push("changed by this draw", ui.ButtonStyle{Tip: "only what this draw has changed", On: p.only}, func() { p.only = !p.only; p.fill() }))
		r.Min.Y += h + s.Units(2)
		p.views[tabRegisters].Draw(s, r)
	case tabTextures:
		p.drawTextures(a, r)
	case tabTables:
		p.drawTables(a, r)
	case tabShaders:
		p.drawShaders(a, r)
	default:
		p.views[p.tabs.At].Draw(s, r)
	}
}

// drawTextures draws a texture of the draw: a level or face with the selected channels.
func (p *statePanel) drawTextures(a *App, r image.Rectangle) {
	s, st := a.screen, p.state
	pad, h := s.Units(4), s.Line()+s.Units(6)
	if len(st.Textures) == 0 {
		s.Text(r.Min.X+s.Units(6), r.Min.Y+pad, "the draw reads no texture", ui.Dim)
		p.notes(a, r)
		return
	}
	t := &st.Textures[max(slices.IndexFunc(st.Textures, func(t drawstate.Texture) bool { return textureOf(&t) == p.texture }), 0)]
	label := func(t *drawstate.Texture) string {
		size := t.Image.Bounds().Size()
		text := fmt.Sprintf("unit %d", t.Unit)
		if faces(st, t.Unit) > 1 {
			text += fmt.Sprintf(", face %d", t.Face)
		}
		return text + fmt.Sprintf(", level %d: %dx%d", t.Level, size.X, size.Y)
	}
	var channels []ui.Push
	for k := range p.channels {
		name := string("RGBA"[k])
		channels = append(channels, push(name, ui.ButtonStyle{Tip: "channel " + name, On: p.channels[k]}, func() { p.channels[k] = !p.channels[k] }))
	}
	bar := s.PushesRight(image.Rect(r.Min.X+pad, r.Min.Y+s.Units(2), r.Max.X-pad, r.Min.Y+h), channels...)
	s.Choice(image.Rect(bar.Min.X, bar.Min.Y, bar.Max.X-pad, bar.Max.Y), label(t), "choose a texture and its level", func() []ui.Item {
		var list []ui.Item
		for i := range st.Textures {
			of := textureOf(&st.Textures[i])
			list = append(list, ui.Item{Text: label(&st.Textures[i]), On: &st.Textures[i] == t, Do: func() { p.texture = of }})
		}
		return list
	})
	y := r.Min.Y + h + pad
	for _, d := range pipeline.TexturesOf(&st.Input.Regs) {
		if d.Unit == t.Unit {
			s.Text(r.Min.X+s.Units(6), y, s.Fit(fmt.Sprintf("%s %s at 0x%08X", d.Format, d.Type, d.Addr), r.Dx()-s.Units(12)), ui.Dim)
		}
	}
	key := [3]any{st, textureOf(t), p.channels}
	if p.made != key {
		p.picture, p.made = channelsOf(t.Image, p.channels), key
	}
	s.Picture(image.Rect(r.Min.X+pad, y+s.Line(), r.Max.X-pad, p.notes(a, r)-pad), p.picture)
}

// faces returns the number of faces of a unit's texture.
func faces(st *drawstate.State, unit int) (n int) {
	for i := range st.Textures {
		if t := &st.Textures[i]; t.Unit == unit {
			n = max(n, t.Face+1)
		}
	}
	return n
}

// notes draws the notes on missing parts of the state at the lower edge of r, and returns their top.
func (p *statePanel) notes(a *App, r image.Rectangle) int {
	s := a.screen
	var lines []string
	for _, n := range p.state.Notes {
		lines = append(lines, ui.Wrap(n, s.Columns(r.Dx()-s.Units(12)))...)
	}
	lines = lines[:min(len(lines), max(r.Dy()/3/s.Line(), 0))]
	y := r.Max.Y - len(lines)*s.Line()
	for i, l := range lines {
		s.Text(r.Min.X+s.Units(6), y+i*s.Line(), l, ui.Bad)
	}
	return y
}

// channelsOf returns an image of the selected channels: a single one is grey, and without alpha it is opaque.
func channelsOf(src image.Image, on [4]bool) image.Image {
	b := src.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	single, n := 0, 0
	for k, yes := range on {
		if yes {
			single, n = k, n+1
		}
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(src.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			v := [4]uint8{c.R, c.G, c.B, c.A}
			to := [4]uint8{0, 0, 0, 255}
			for k := range to {
				switch {
				case n == 1 && k < 3:
					to[k] = v[single]
				case n > 1 && on[k]:
					to[k] = v[k]
				}
			}
			copy(out.Pix[y*out.Stride+4*x:], to[:])
		}
	}
	return out
}

// drawTables draws a lookup table: numbers as a curve, colours as a strip.
func (p *statePanel) drawTables(a *App, r image.Rectangle) {
	s := a.screen
	pad, h := s.Units(4), s.Line()+s.Units(6)
	tables := drawstate.TablesOf(&p.state.Input.Tables)
	before := tables
	if p.state.Before != nil {
		before = drawstate.TablesOf(&p.state.Before.Tables)
	}
	note := func(i int) string {
		switch t := &tables[i]; {
		case t.Used() == 0:
			return "all 0"
		case t.Differs(&before[i]) > 0:
			return "changed by this draw"
		}
		return ""
	}
	t := &tables[p.table]
	s.Choice(image.Rect(r.Min.X+pad, r.Min.Y+s.Units(2), r.Max.X-pad, r.Min.Y+h), t.Name, "choose a table", func() []ui.Item {
		var list []ui.Item
		for i := range tables {
			list = append(list, ui.Item{Text: tables[i].Name, Note: note(i), On: i == p.table, Do: func() { p.table = i }})
		}
		return list
	})
	y := r.Min.Y + h + pad
	text := fmt.Sprintf("%d entries", len(t.Words))
	if n := note(p.table); n != "" {
		text += ", " + n
	}
	s.Text(r.Min.X+s.Units(6), y, text, ui.Dim)
	in := image.Rect(r.Min.X+pad, y+s.Line()+pad, r.Max.X-pad, min(r.Max.Y-pad, y+s.Line()+pad+s.Units(220)))
	if in.Empty() {
		return
	}
	if t.Value == nil {
		// Colours: the strip is stretched over the width.
		for x := in.Min.X; x < in.Max.X; x++ {
			w := t.Words[(x-in.Min.X)*len(t.Words)/in.Dx()]
			s.Sample(image.Rect(x, in.Min.Y, x+1, in.Max.Y), color.RGBA{uint8(w), uint8(w >> 8), uint8(w >> 16), 255})
		}
		return
	}
	curve := ui.Curve{Max: 1, To: float64(len(t.Words) - 1), ReadOnly: true}
	for _, w := range t.Words {
		v := t.Value(w)
		curve.Values = append(curve.Values, v)
		curve.Min = min(curve.Min, v)
	}
	if last := a.inspector.last; last != nil && last.Draw == p.state.Record.Draw {
		for _, read := range session.TableReads(last)[p.table] {
			curve.Reads = append(curve.Reads, read.Entry)
		}
	}
	curve.Draw(s, in)
}
