package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// inspector lists the events of a pixel.
type inspector struct {
	ui.NoChars
	pixel   image.Point // in the picture
	busy    bool
	again   bool // the picture has changed since
	since   time.Time
	view    ui.TextView
	history *explain.History
	last    *explain.Event   // the last fragment that was written
	of      *session.Picture // the explained picture
	folded  map[string]bool  // headings folded initially
	docked  bool             // it replaced another panel
	left    bool             // it is on the left, so that the pixel stays visible
	to      func(pixel image.Point)
}

// explain explains a pixel of the picture. The picture does not move: the inspector covers the side without the pixel.
func (a *App) explain(p image.Point) {
	if a.picture == nil {
		return
	}
	in := &a.inspector
	if !slices.Contains(a.docks, dockInspector) {
		in.docked = len(a.docks) > 0
		s := a.pixels()
		x := a.win.dest.Min.X + (2*p.X+1)*a.win.dest.Dx()/(2*max(s.X, 1))
		in.left = !in.docked && x > a.win.body.Max.X-a.inspectorWidth()-a.screen.Units(12) && x > a.inspectorWidth()
	}
	if in.pixel != p || in.history == nil {
		in.history, in.last = nil, nil
	}
	in.pixel = p
	in.ask(a)
	a.setDock(dockInspector)
}

// ask requests the explanation of the pixel in the current picture.
func (in *inspector) ask(a *App) {
	if in.busy {
		in.again = true
		return
	}
	in.again = false
	if a.picture == nil || a.picture.Own != (image.Point{}) {
		return // it was of another file, or the console's picture comes
	}
	in.busy, in.since = true, a.o.Now()
	pic, p := a.picture, in.pixel
	in.of = pic
	a.dirty = true
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		e, err := s.ExplainPixel(ctx, pic, p.X, p.Y)
		return func() { a.explained(p, e, err) }
	})
}

// follow implements side: the text follows the camera, the draw, edits and reloads, but not faster than it can be read.
func (in *inspector) follow(a *App) {
	if a.picture == nil || in.of == a.picture || a.picture.Own != (image.Point{}) {
		return
	}
	if in.of != nil && in.of.Image.Rect != a.picture.Image.Rect {
		return // the position now shows another pixel
	}
	if a.moving() && a.o.Now().Sub(in.since) < 300*time.Millisecond {
		return
	}
	in.ask(a)
}

func (a *App) explained(p image.Point, e *explain.History, err error) {
	a.dirty = true
	in := &a.inspector
	in.busy = false
	if p != in.pixel || in.again {
		in.ask(a) // another pixel was clicked, or the picture changed
		return
	}
	in.last, in.history = nil, e
	in.view.Indent = rows.Indent
	at := in.view.Scroll.Offset
	in.view.Set(nil)
	if err != nil {
		in.history = nil
		if errors.Is(err, context.Canceled) {
			in.add(ui.Dim, "cancelled; click to ask again")
		} else {
			in.add(ui.Bad, err.Error())
		}
		return
	}
	in.fill(a, e)
	in.view.Scroll.Offset = at
}

// fill makes the text: the winning write first, then all events in order.
func (in *inspector) fill(a *App, e *explain.History) {
	about := e.About()
	last := len(about) - 1
	in.add(ui.Dim, about[:last]...)
	for i := range e.Events {
		if f := e.Events[i].Fragment; f != nil && f.Outcome == fragment.Written {
			in.last = &e.Events[i]
		}
	}
	if len(e.Events) == 0 {
		in.add(ui.Dim, "nothing touched it in this frame")
		return
	}
	if won := e.Won(); won >= 0 {
		in.add(ui.Dim, "it was written by")
		in.event(a, &e.Events[won], "", false)
		if len(e.Events) == 1 {
			return
		}
	}
	in.view.Lines = append(in.view.Lines, ui.Line{})
	in.add(ui.Dim, about[last]+", in this order")
	for i := range e.Events {
		in.event(a, &e.Events[i], fmt.Sprintf("%d  ", i+1), true)
	}
}

// event adds an event under a numbered heading, initially folded if fold.
func (in *inspector) event(a *App, e *explain.Event, number string, fold bool) {
	row := e.Row()
	head := ui.Line{Text: number + row.Line(), Color: ui.Accent, Head: true}
	if row.Mark == rows.Failed {
		head.Color = ui.Dim
	}
	if in.folded == nil {
		in.folded = map[string]bool{}
	}
	if fold && !in.folded[head.Text] {
		in.folded[head.Text] = true
		in.view.Fold(head.Text, true)
	}
	in.view.Lines = append(in.view.Lines, head)
	in.view.Lines = append(in.view.Lines, in.links(a, e)...)
	rows.Walk(row.Rows, func(r *rows.Row, depth int) bool {
		in.view.Lines = append(in.view.Lines, in.line(a, e, r, depth+1))
		return true
	})
}

// lineOf converts a row to a line: a colour sample replaces the two spaces at its start.
func lineOf(r *rows.Row, depth int) ui.Line {
	l := ui.Line{Text: r.Aligned(depth), Color: colorOf[r.Mark]}
	if r.Color != nil {
		l.Text, l.Swatch = l.Text[2:], color.RGBA{r.Color[0], r.Color[1], r.Color[2], 255}
	}
	return l
}

// line converts a row of an event to a line with its link.
func (in *inspector) line(a *App, e *explain.Event, r *rows.Row, depth int) ui.Line {
	l, draw := lineOf(r, depth), e.Draw
	switch to := r.Link; {
	case to == nil:
	case to.To == rows.ToTexel && a.info.Frames > 0:
		l.Color, l.Tip, l.Do = ui.Accent, "show the texture", func() { a.showTexture(draw, to) }
	case to.To == rows.ToVertex && a.info.Frames > 0 && e.Fragment != nil:
		l.Color, l.Tip, l.Do = ui.Accent, drawstate.Words.Follow, func() { a.showVertex(draw, e.Fragment, to.Corner) }
	case to.To == rows.ToOutput && a.info.Frames > 0:
		l.Color, l.Tip, l.Do = ui.Accent, "show the line that writes "+to.Output, func() { a.showWriter(draw, to.Output) }
	case to.To == rows.ToOutput:
		for _, p := range in.locations(draw) {
			if p.Output == to.Output {
				l.Tip = fmt.Sprintf("open %s:%d, which writes it", a.shortPath(p.Path), p.Line)
				l.Color, l.Do = ui.Accent, func() { a.editor.open(a, p) }
				break
			}
		}
	}
	return l
}

// locations returns the file positions of a draw, if known.
func (in *inspector) locations(draw int) []session.Location {
	if in.of == nil || draw < 0 || draw >= len(in.of.Locations) {
		return nil
	}
	return in.of.Locations[draw]
}

// links returns lines that link to the draw and its file positions.
func (in *inspector) links(a *App, e *explain.Event) (list []ui.Line) {
	if e.Draw < 0 {
		return nil
	}
	draw := e.Draw
	list = append(list, ui.Line{Text: fmt.Sprintf("  show the frame up to draw %d", draw), Color: ui.Accent, Tip: fmt.Sprintf("to draw %d", draw),
		Do: func() { a.showDraw(draw) }})
	if in.of != nil && draw < len(in.of.Which) && in.of.Which[draw] != "" {
		name := in.of.Which[draw]
		list = append(list, ui.Line{Text: "  edit " + name, Color: ui.Accent, Tip: "edit " + name, Do: func() { a.editDraw(name) }})
	}
	for _, p := range in.locations(draw) {
		if p.Output != "" {
			continue // the lines of written values have these links
		}
		location := p
		text := fmt.Sprintf("  %s: %s", location.What, a.shortPath(location.Path))
		if location.Line > 0 {
			text += fmt.Sprintf(":%d", location.Line)
		}
		list = append(list, ui.Line{Text: text, Color: ui.Accent, Tip: "open " + a.shortPath(location.Path), Do: func() { a.editor.open(a, location) }})
	}
	return list
}

func (in *inspector) add(col color.RGBA, lines ...string) {
	for _, l := range lines {
		in.view.Lines = append(in.view.Lines, ui.Line{Text: l, Color: col})
	}
}

// inspectorWidth is the width of the inspector over the picture, in pixels.
func (a *App) inspectorWidth() int {
	return min(a.screen.Units(max(a.split.Size, dockUnits)), a.win.body.Dx()/2)
}

// rectangle returns the inspector's rectangle over the picture.
func (in *inspector) rectangle(a *App) image.Rectangle {
	r := a.win.body
	if in.left {
		r.Max.X = r.Min.X + a.inspectorWidth()
	} else {
		r.Min.X = r.Max.X - a.inspectorWidth()
	}
	return r
}

// keys implements side.
func (in *inspector) keys() ui.Keys { return in }

// Key implements ui.Keys: arrow keys select neighbouring pixels, other keys go to the text.
func (in *inspector) Key(k ui.Key, m ui.Mods) bool {
	step := map[ui.Key]image.Point{KeyLeft: {-1, 0}, KeyRight: {1, 0}, KeyUp: {0, -1}, KeyDown: {0, 1}}[k]
	if step == (image.Point{}) || m&^Shift != 0 || in.to == nil {
		return in.view.Key(k, m)
	}
	if m == Shift {
		step = step.Mul(8)
	}
	in.to(in.pixel.Add(step))
	return true
}

// draw implements side.
func (in *inspector) draw(a *App, r image.Rectangle) {
	s := a.screen
	in.to = func(p image.Point) {
		if a.picture != nil && p.In(a.picture.Image.Rect) {
			a.explain(p)
		}
	}
	s.Cover(r)
	title := fmt.Sprintf("Pixel %d,%d", in.pixel.X, in.pixel.Y)
	if in.busy && in.history == nil {
		title += " ..."
	}
	r = a.title(dockInspector, r, title)
	r = in.magnify(a, r)
	in.view.Draw(s, r)
}

// magnified is how many pixels the magnifier shows on each side.
const magnified = 5

// magnify draws the magnified surroundings of the pixel and its colour, and returns the rest of r.
func (in *inspector) magnify(a *App, r image.Rectangle) image.Rectangle {
	p := a.picture
	if p == nil || !in.pixel.In(p.Image.Rect) {
		return r
	}
	s := a.screen
	pad, cell := s.Units(6), max(s.Units(8), 1)
	side := (2*magnified + 1) * cell
	if r.Dy() < 3*side {
		return r // no room besides the text
	}
	at := r.Min.Add(image.Pt(pad, pad))
	for y := -magnified; y <= magnified; y++ {
		for x := -magnified; x <= magnified; x++ {
			c, q := color.RGBA{0, 0, 0, 255}, in.pixel.Add(image.Pt(x, y))
			if q.In(p.Image.Rect) {
				c = p.Image.RGBAAt(q.X, q.Y)
			}
			box := image.Rect(0, 0, cell, cell).Add(at).Add(image.Pt((x+magnified)*cell, (y+magnified)*cell))
			s.Sample(box, c)
			s.Add(ui.Zone{Rect: box, Tip: "inspect this pixel", Press: func(ui.Mouse) { in.to(q) }})
		}
	}
	s.Mark(image.Rect(0, 0, cell, cell).Add(at).Add(image.Pt(magnified*cell, magnified*cell)))
	c := p.Image.RGBAAt(in.pixel.X, in.pixel.Y)
	x, y := at.X+side+2*pad, at.Y
	sample := image.Rect(x, y, x+4*cell, y+2*cell)
	s.Sample(sample, c)
	s.Frame(sample, ui.Dim)
	y += 2*cell + pad
	for _, l := range []string{fmt.Sprintf("%d %d %d", c.R, c.G, c.B), fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B), "arrows: the neighbour"} {
		s.Text(x, y, s.Fit(l, r.Max.X-x-pad), ui.Text)
		y += s.Line()
	}
	r.Min.Y = at.Y + side + pad
	return r
}

// markPixel frames the inspected pixel in the picture.
func (a *App) markPixel() {
	if a.picture == nil || !a.shows(dockInspector) {
		return
	}
	s := a.pixels()
	p, d, c := a.inspector.pixel, a.win.dest, a.screen
	r := image.Rect(d.Min.X+p.X*d.Dx()/s.X, d.Min.Y+p.Y*d.Dy()/s.Y, d.Min.X+(p.X+1)*d.Dx()/s.X, d.Min.Y+(p.Y+1)*d.Dy()/s.Y)
	if r.Min.In(a.win.area) {
		c.Mark(r.Inset(-c.Units(2)))
	}
}

// pan returns the camera movement, in fractions of its distance, that centres the inspected point.
func (in *inspector) pan(p *session.Picture) (mgl64.Vec2, bool) {
	if in.last == nil || p == nil || p.Distance <= 0 || p.Slope <= 0 {
		return mgl64.Vec2{}, false
	}
	f := in.last.Fragment
	invW := 0.0
	for k := range f.Vertices {
		// Weights are perspective-correct: 1/w of the point is the harmonic mean.
		invW += float64(f.Weights[k]) / float64(f.Vertices[k].InvW)
	}
	s := cmp.Or(p.Own, p.Image.Rect.Size())
	x := (2*float64(in.pixel.X) + 1 - float64(s.X)) / float64(s.Y)
	y := 1 - (2*float64(in.pixel.Y)+1)/float64(s.Y)
	k := p.Slope * invW / p.Distance
	return mgl64.Vec2{x * k, y * k}, true
}

// reads returns the inputs with which the inspected pixel read a sampler's table, if its draw is the one whose uniforms the panel
// shows.
func (a *App) reads(key string) (list []float64) {
	last, p := a.inspector.last, a.picture
	number, ok := dmp.LightTable(key)
	if !ok || last == nil || p == nil || last.Draw >= len(p.Which) || a.target != "" && p.Which[last.Draw] != a.target {
		return nil
	}
	for _, r := range session.TableReads(last)[number] {
		list = append(list, r.Input)
	}
	return list
}
