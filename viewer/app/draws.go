package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/scene"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// drawList is the panel of passes and draws of a frame, left of the picture.
type drawList struct {
	open  bool
	split ui.Split // between the list and the rest
	tree  ui.Tree
	table ui.Grid // instead of the tree, if the user prefers that
	jump  ui.Field
	only  ui.Field // the filter
	list  *drawstate.List
	err   error
	of    session.Request // request of the picture that is listed
	shown int             // version of the source that is listed
	busy  bool
	have  bool
}

// listUnits is the initial width of the draw list, in units.
const listUnits = 320

// openDraws opens or closes the draw list.
func (a *App) openDraws() {
	l := &a.drawList
	l.open, a.dirty = !l.open, true
	a.screen.Focus(nil)
	if l.open {
		a.screen.Focus(l.keys(a))
		a.follow()
	} else if v := a.side(a.dock); v != nil {
		a.screen.Focus(v.keys())
	}
	a.layout()
}

// jumpToDraw lets the user type the number of a draw.
func (a *App) jumpToDraw() {
	if !a.drawList.open {
		a.openDraws()
	}
	a.drawList.jump.Set("")
	a.screen.Focus(&a.drawList.jump)
}

// jumpToFrame asks for the number of a frame, or for a time if the source has a running time.
func (a *App) jumpToFrame() {
	n, d := a.info.Frames, a.info.Duration
	title := fmt.Sprintf("time, 0 to %.2f seconds:", d)
	switch {
	case n > 1:
		title = fmt.Sprintf("frame, 0 to %d:", n-1)
	case n > 0 || !a.info.Animated:
		a.say("nothing moves here")
		return
	}
	p := &prompt{app: a, title: title, button: "go", do: func(text string) {
		v, err := scene.Number(text, 0)
		switch {
		case err != nil:
			a.say("%q is not a number: %v", text, err)
			return
		case n > 0 && (v != math.Trunc(v) || v < 0 || v >= float64(n)):
			a.say("there is no frame %s; there are %d, from 0", text, n)
			return
		case n > 0:
			a.req.Frame = int(v)
		case !(v >= 0 && v <= d):
			a.say("there is no time %s; it goes from 0 to %.2f seconds", text, d)
			return
		default:
			a.req.Time = v
		}
		a.motion.playing, a.req.Draw = false, -1
		a.render()
	}}
	p.ask("")
}

// showDraw shows the frame up to a draw; -1 shows all of it.
func (a *App) showDraw(n int) {
	if a.picture == nil {
		return
	}
	if all := a.picture.Frame; n >= all {
		a.say("there is no draw %d; the frame has %d, from 0", n, all)
		return
	}
	a.motion.playing = false
	a.req.Draw = max(n, -1)
	a.render()
}

// follow updates the list for the current picture.
func (l *drawList) follow(a *App) {
	if l.tree.OnSelect == nil {
		l.tree.OnSelect = func(key string) { a.showDraw(l.last(key)) }
		l.table.OnSelect, l.table.Columns = l.tree.OnSelect, drawColumns(a.prefer.Columns)
		l.jump.Only, l.jump.Hint = "0123456789", "number of a draw, Enter"
		l.jump.OnEnter = func() {
			if n, err := strconv.Atoi(l.jump.Text); err == nil {
				a.screen.Focus(l.keys(a))
				a.showDraw(n)
			}
		}
		l.jump.OnArrow = func(k ui.Key) { l.keys(a).Key(k, 0) }
		l.jump.OnEscape = func() { a.screen.Focus(l.keys(a)) }
		l.only.Hint = drawstate.FilterHint
		l.only.OnChange, l.only.OnArrow, l.only.OnEscape = l.fill, l.jump.OnArrow, l.jump.OnEscape
		l.only.OnEnter = l.only.OnEscape
	}
	if a.picture == nil {
		return
	}
	r := a.picture.Request
	l.show(r.Draw)
	if l.busy || a.moving() || l.have && l.shown == a.reloads && sameScene(&r, &l.of) {
		return
	}
	l.busy = true
	version, now := a.reloads, a.o.Now
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		timed := r
		timed.Now = now
		list, err := s.List(ctx, &timed)
		return func() {
			if errors.Is(err, context.Canceled) {
				l.busy, a.dirty = false, true // cancelled
				return
			}
			l.busy, l.have, l.of, l.shown = false, true, r, version
			if l.list, l.err = list, err; list == nil {
				l.list = &drawstate.List{}
			}
			l.fill()
			a.dirty = true
		}
	})
}

// keys returns what keys go to.
func (l *drawList) keys(a *App) ui.Keys {
	if a.prefer.Table {
		return &l.table
	}
	return &l.tree
}

// show selects the row of a draw; none for -1.
func (l *drawList) show(draw int) {
	if draw < 0 {
		l.tree.Selected, l.table.Selected = "", ""
	} else if key := fmt.Sprint("d", draw); l.have {
		l.tree.Select(key)
		l.table.Select(key)
	}
}

// drawColumns returns the columns of the table, with widths in units that the user has chosen.
func drawColumns(widths []int) []ui.Column {
	list := []ui.Column{{Name: "draw", Width: 44, Number: true}, {Name: "what", Width: 150}, {Name: "pixels", Width: 72, Number: true}, {Name: "µs", Width: 54, Number: true},
		{Name: "triangles", Width: 92, Number: true}, {Name: "vertices", Width: 86, Number: true}, {Name: "shader", Width: 120}, {Name: "target", Width: 150}}
	for i := range list {
		if i < len(widths) && widths[i] >= 20 && widths[i] <= 1000 {
			list[i].Width = widths[i]
		}
	}
	return list
}

// last returns the draw of a row: for a pass, its last one.
func (l *drawList) last(key string) int {
	n, err := strconv.Atoi(key[1:])
	if err != nil || key[0] == 'd' || l.list == nil {
		return n
	}
	last := -1
	for i := range l.list.Draws {
		if l.list.Draws[i].Pass == n {
			last = i
		}
	}
	return last
}

// colorOf gives the colours of marked rows.
var colorOf = map[rows.Mark]color.RGBA{rows.Failed: ui.Bad, rows.Idle: ui.Dim, rows.Changed: ui.Changed}

// fill makes the rows of draws that pass the filter: of the tree below their passes.
func (l *drawList) fill() {
	l.tree.Roots, l.table.Rows = nil, nil
	if l.list == nil {
		return
	}
	pass := -1
	for _, k := range drawstate.Arrange(l.list.Items, l.only.Text, "") {
		i := &l.list.Items[k]
		if i.Kind != "draw" {
			continue
		}
		if i.Pass != pass {
			pass = i.Pass
			p := &l.list.Passes[pass]
			l.tree.Roots = append(l.tree.Roots, ui.Node{Key: fmt.Sprint("p", pass), Color: ui.Accent, Text: p.Text, Note: fmt.Sprintf("%d draws, %d pixels", p.Draws, p.Pixels)})
		}
		node := &l.tree.Roots[len(l.tree.Roots)-1]
		node.Children = append(node.Children, l.row(i))
		row := ui.GridRow{Key: fmt.Sprint("d", i.Draw), Color: colorOf[i.Mark], Numbers: []float64{float64(i.Draw), 0, float64(i.Pixels), float64(i.Micros), float64(i.Triangles), float64(i.Vertices), 0, 0},
			Cells: []string{"", cmp.Or(i.Name, i.Text), "", "", "", "", i.Shader, i.Target}}
		for k, n := range row.Numbers {
			if row.Cells[k] == "" && l.table.Columns[k].Number {
				row.Cells[k] = strconv.FormatFloat(n, 'f', 0, 64)
			}
		}
		l.table.Rows = append(l.table.Rows, row)
	}
	if l.of.Draw >= 0 {
		l.show(l.of.Draw)
	}
}

// row makes the tree row of a draw.
func (l *drawList) row(i *drawstate.Item) ui.Node {
	row := ui.Node{Key: fmt.Sprint("d", i.Draw), Text: i.Line(), Note: fmt.Sprintf("%d pixels", i.Pixels), Color: colorOf[i.Mark], Below: fmt.Sprintf("%6d us  %s", i.Micros, i.Shader)}
	if i.Name != "" {
		row.Text = fmt.Sprint(i.Draw, " ", row.Text)
	}
	for _, img := range l.list.Thumbs[i.Draw] {
		if img != nil {
			row.Pictures = append(row.Pictures, img)
		}
	}
	return row
}

// editable returns the name of the editable draw that the last shown draw belongs to, or "".
func (l *drawList) editable(a *App) string {
	if p := a.picture; p != nil && a.req.Draw >= 0 && a.req.Draw < len(p.Which) {
		return p.Which[a.req.Draw]
	}
	return ""
}

// draw draws the list in r.
func (l *drawList) draw(a *App, r image.Rectangle) {
	s := a.screen
	s.Cover(r)
	title := "Draws"
	switch {
	case l.have && a.info.Frames > 0:
		title = fmt.Sprintf("Draws of frame %d: %d", l.of.Frame, len(l.list.Draws))
	case l.have:
		title = fmt.Sprintf("Draws: %d", len(l.list.Draws))
	}
	if l.busy {
		title += " ..."
	}
	r = a.head(r, title, a.openDraws)
	h := s.Line() + s.Units(6)
	line := image.Rect(r.Min.X+s.Units(4), r.Min.Y+s.Units(2), r.Max.X-s.Units(4), r.Min.Y+h)
	buttons := []ui.Push{push("all", ui.ButtonStyle{Tip: "the whole frame", On: a.req.Draw < 0}, func() { a.showDraw(-1) })}
	if name := l.editable(a); name != "" {
		buttons = append([]ui.Push{push("edit", ui.ButtonStyle{Tip: "edit " + name}, func() { a.editDraw(name) })}, buttons...)
	}
	drawField(s, line, &l.jump, buttons...)
	drawField(s, line.Add(image.Pt(0, h)), &l.only, push("table", ui.ButtonStyle{Tip: "a table of draws, or their passes", On: a.prefer.Table}, func() {
		a.prefer.Table = !a.prefer.Table
		a.screen.Focus(l.keys(a))
	}))
	r.Min.Y += 2*h + s.Units(2)
	if l.have && len(l.tree.Roots) == 0 && l.only.Text != "" {
		s.Text(r.Min.X+s.Units(6), r.Min.Y, "no match", ui.Dim)
	}
	if l.err != nil {
		rest := s.Lines(image.Rect(r.Min.X+s.Units(6), r.Min.Y, r.Max.X-s.Units(6), r.Max.Y), strings.TrimSpace(l.err.Error()), 6, ui.Bad)
		r.Min.Y = rest.Min.Y
	}
	if a.prefer.Table {
		l.table.Draw(s, r)
	} else {
		l.tree.Draw(s, r)
	}
}

// outline outlines the pixels that the last shown draw added to the picture.
func (a *App) outline() {
	p := a.picture
	if p == nil || a.noOutline || a.win.dest.Empty() {
		return
	}
	m, d, s := cmp.Or(p.Added, p.Outlined), a.win.dest, a.screen
	if m == nil {
		return
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	in := func(x, y int) bool { return x >= 0 && y >= 0 && x < w && y < h && m.Pix[y*m.Stride+x] != 0 }
	px := func(x int) int { return d.Min.X + x*d.Dx()/w }
	py := func(y int) int { return d.Min.Y + y*d.Dy()/h }
	t := max(s.Units(1), 1)
	undo := s.Clip(a.win.area)
	defer undo()
	// Adjacent edges are one line; a dark border makes it visible on any picture.
	line := func(r image.Rectangle, col color.RGBA) {
		if col != ui.Changed {
			r = r.Inset(-t)
		}
		s.Fill(r, col)
	}
	for _, col := range []color.RGBA{{0, 0, 0, 255}, ui.Changed} {
		for y := 0; y <= h; y++ {
			for x := 0; x < w; x++ {
				from := x
				for x < w && in(x, y-1) != in(x, y) {
					x++
				}
				if x > from {
					line(image.Rect(px(from), py(y), px(x)+t, py(y)+t), col)
				}
			}
		}
		for x := 0; x <= w; x++ {
			for y := 0; y < h; y++ {
				from := y
				for y < h && in(x-1, y) != in(x, y) {
					y++
				}
				if y > from {
					line(image.Rect(px(x), py(from), px(x)+t, py(y)+t), col)
				}
			}
		}
	}
}

// nextDepthRange toggles between the full depth range and that of the picture.
func (a *App) nextDepthRange() {
	a.req.Depth = session.DepthRange{Auto: a.req.Depth == session.DepthRange{}}
	if a.req.Depth.Auto {
		a.say("depths from the least to the greatest that was drawn")
	} else {
		a.say("depths from 0, black, to 1, white")
	}
	a.render()
}

// moveDepthRange moves the ends of the shown depth range by fractions of its width.
func (a *App) moveDepthRange(near, far float64) {
	r := mgl64.Vec2{0, 1}
	if a.picture != nil && a.picture.DepthRange != (mgl64.Vec2{}) {
		r = a.picture.DepthRange
	}
	width := r[1] - r[0]
	from, to := r[0]+float64(near*width), r[1]+float64(far*width)
	from, to = min(max(from, 0), 1), min(max(to, 0), 1)
	if to <= from {
		return
	}
	a.req.Depth = session.DepthRange{From: from, To: to}
	a.say("depths from %.5f, black, to %.5f, white", from, to)
	a.render()
}
