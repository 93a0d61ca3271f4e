package app

import (
	"fmt"
	"image"
	"math"
	"time"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// dockUnits is the initial width of a panel, in units.
const dockUnits = 384

// layout divides the window: the status line at the bottom, the timeline above it if there is one, the draw list on the left and
// the dock on the right if open, and the picture in the rest. Only notes overlap other parts.
func (a *App) layout() {
	if a.screen.Scale != a.win.scale || a.screen.Img.Rect.Dx() != a.win.w || a.screen.Img.Rect.Dy() != a.win.h {
		a.screen.Begin(a.win.w, a.win.h, a.win.scale)
		a.dirty = true
	}
	bottom := a.win.h - a.statusHeight()
	a.win.timeline = image.Rectangle{}
	if a.info.Frames > 1 || a.info.Animated && a.info.Duration > 0 {
		a.win.timeline = image.Rect(0, bottom-a.screen.Units(14), a.win.w, bottom)
		bottom = a.win.timeline.Min.Y
	}
	a.win.bar = image.Rect(0, 0, a.win.w, min(a.statusHeight(), a.win.h))
	a.win.body = image.Rect(0, a.win.bar.Max.Y, a.win.w, max(bottom, a.win.bar.Max.Y))
	a.errors.rect = a.win.body
	a.win.body.Max.Y -= a.problemHeight(a.win.body)
	a.errors.rect.Min.Y = a.win.body.Max.Y
	a.win.list = image.Rectangle{}
	if a.drawList.open {
		a.win.list, a.win.body = a.drawList.split.Parts(a.screen.Canvas, a.win.body)
	}
	a.win.area = a.win.body
	if a.dock != dockNone && !a.floats() {
		a.win.area, _ = a.split.Parts(a.screen.Canvas, a.win.body)
	}
	if a.picture == nil {
		a.win.dest = image.Rectangle{}
		return
	}
	size, zoom := a.picture.Image.Rect.Size(), a.win.zoom
	if a.win.dest = letterbox(size, a.win.area, zoom); a.picture.Own != (image.Point{}) && a.win.dest.Dx()-size.X < 16 && size.In(image.Rectangle{Max: a.win.area.Size().Add(image.Pt(1, 1))}) {
		a.win.dest = letterbox(size, a.win.area, 1) // the sides of a target are multiples of 8
	}
	// A part of the picture always stays visible.
	limit := a.win.area.Size().Add(a.win.dest.Size()).Div(2).Sub(image.Pt(8, 8))
	a.win.shift.X = min(max(a.win.shift.X, -limit.X), limit.X)
	a.win.shift.Y = min(max(a.win.shift.Y, -limit.Y), limit.Y)
	a.win.dest = a.win.dest.Add(a.win.shift)
}

// room returns the room that a scene may fill; zero for the size that it has on the console, whose pixels are the ones that are
// magnified, inspected, and written by single draws.
func (a *App) room() image.Point {
	if a.console || a.win.zoom != 0 || a.shows(dockInspector) || a.req.Draw >= 0 || !a.info.Camera {
		return image.Point{}
	}
	r, by := a.win.area.Size(), a.slower()
	return image.Pt(int(float64(r.X)*by), int(float64(r.Y)*by))
}

// slower returns the share of the room that pictures fill while they follow each other, 1 at rest.
func (a *App) slower() float64 {
	const patience = 25 * time.Millisecond
	if !a.moving() && !(a.screen.Holding() && a.drag.moved) || a.took <= patience || a.recorder.now != nil {
		return 1
	}
	return math.Sqrt(float64(patience) / float64(a.took))
}

// floats reports whether the panel lies over the picture, which does not move.
func (a *App) floats() bool {
	return a.dock == dockInspector && len(a.docks) == 1 && !a.inspector.docked
}

// dockRect returns the panel's rectangle, empty without a panel.
func (a *App) dockRect() (r image.Rectangle) {
	switch {
	case a.dock == dockNone:
	case a.floats():
		r = a.inspector.rectangle(a)
	default:
		_, r = a.split.Parts(a.screen.Canvas, a.win.body)
	}
	return r
}

// letterbox centres a picture in an area: as large as fits, or with zoom window pixels per pixel.
func letterbox(size image.Point, area image.Rectangle, zoom int) image.Rectangle {
	w, h := size.X*zoom, size.Y*zoom
	if zoom == 0 {
		w, h = area.Dx(), area.Dx()*size.Y/max(size.X, 1)
		if h > area.Dy() {
			w, h = area.Dy()*size.X/max(size.Y, 1), area.Dy()
		}
	}
	w, h = max(w, 1), max(h, 1)
	x, y := area.Min.X+(area.Dx()-w)/2, area.Min.Y+(area.Dy()-h)/2
	return image.Rect(x, y, x+w, y+h)
}

func (a *App) statusHeight() int { return a.screen.Line() + a.screen.Units(6) }

func (a *App) drawOverlay() (again bool) {
	c := a.screen
	c.Begin(a.win.w, a.win.h, a.win.scale)
	c.Add(a.pictureZone())
	a.outline()
	a.markPixel()
	a.drawHandles()
	a.drawNone()
	a.drawBar()
	if a.drawList.open {
		a.drawList.split.Draw(c, a.win.list.Union(a.win.body))
		a.drawList.draw(a, a.win.list)
	}
	if a.dock != dockNone {
		r := a.dockRect()
		if !a.floats() {
			a.split.Draw(c, a.win.body)
		}
		a.drawDocks(r)
	}
	top := a.win.bar.Max.Y + c.Units(8)
	if a.showTiming {
		a.drawTiming(top)
	}
	a.drawStatus()
	a.drawTimeline()
	y := a.win.area.Max.Y - c.Units(8)
	a.drawProblem()
	if a.message.text != "" {
		lines := ui.Wrap(a.message.text, c.Columns(a.win.area.Dx()-c.Units(28)))
		h := len(lines)*c.Line() + c.Units(12)
		col := ui.Accent
		if a.message.bad {
			col = ui.Bad
		}
		r := c.Box(a.win.area.Min.X+c.Units(8), max(y-h, 0), lines, col)
		c.Add(ui.Zone{Rect: r, Tip: "click to close the note", Press: func(ui.Mouse) { a.message.text = "" }, Wheel: func(float64) {}})
	}
	a.drawGolden()
	a.drawProgress()
	return c.End()
}

// status returns the texts of the status line.
func (a *App) status() []string {
	parts := []string{a.info.Name}
	if a.picture != nil {
		p := a.picture
		s := p.Image.Rect.Size()
		size := fmt.Sprintf("%dx%d", s.X, s.Y)
		if p.Own != (image.Point{}) {
			size = fmt.Sprintf("%dx%d drawn as %s", p.Own.X, p.Own.Y, size)
		}
		parts = append(parts, size, "view "+session.ViewName(p.Request.View))
		if p.Note != "" {
			parts = append(parts, p.Note)
		}
		if n := a.countWarnings(); n != "" {
			parts = append(parts, n)
		}
		if p.Request.Screens != session.NoScreens && !p.Target {
			parts = append(parts, p.Request.Screens.String())
		}
	}
	if n := a.unsaved(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d changed", n))
	}
	if a.req.Orbit != (session.Orbit{}) {
		parts = append(parts, "camera moved")
	}
	return parts
}

// drawStatus draws the status line.
func (a *App) drawStatus() {
	c := a.screen
	r := image.Rect(0, a.win.h-a.statusHeight(), a.win.w, a.win.h)
	c.Fill(r, ui.PanelHead)
	hint := "F1 keys  Tab uniforms"
	if a.info.Frames > 0 {
		hint = "F1 keys  Tab state"
	}
	if tip := a.screen.Tip(); tip != "" {
		hint = c.Fit(tip, a.win.w/2)
	}
	note := a.recordingNote()
	if note != "" {
		hint = note
	}
	pad := c.Units(6)
	x := a.win.w - pad - c.Width(hint)
	if x < a.win.w/3 {
		hint, x = "", a.win.w-pad
	}
	at, warn := pad, a.countWarnings()
	for i, text := range a.status() {
		if i > 0 {
			text = " | " + text
		}
		fit := c.Fit(text, x-2*pad-at)
		end := at + c.Width(fit)
		if text == " | "+warn && warn != "" {
			z := image.Rect(at+c.Width(" | "), r.Min.Y, end, r.Max.Y)
			if c.Hot(z) {
				c.Fill(z, ui.Selected)
			}
			c.Add(ui.Zone{Rect: z, Tip: "show the warnings (W)", Shape: ui.Hand, Press: func(ui.Mouse) { a.toggleWarnings() }})
		}
		c.Text(at, r.Min.Y+c.Units(3), fit, ui.Text)
		if at = end; fit != text {
			break
		}
	}
	col := ui.Dim
	if note != "" {
		col = ui.Changed
	}
	c.Text(x, r.Min.Y+c.Units(3), hint, col)
}

// drawTimeline shows the picture's position in the running time.
func (a *App) drawTimeline() {
	r := a.win.timeline
	if r.Empty() {
		return
	}
	c := a.screen
	c.Cover(r)
	pad := c.Units(6)
	y := (r.Min.Y + r.Max.Y) / 2
	line := image.Rect(r.Min.X+pad, y-c.Units(1), r.Max.X-pad, y+c.Units(1))
	c.Fill(line, ui.Selected)
	c.Add(ui.Zone{Rect: r, Tip: "drag to a time", Shape: ui.Across, Press: func(m ui.Mouse) { a.scrub(m.At) }, Drag: func(m ui.Mouse) { a.scrub(m.At) }})
	x := line.Min.X + int(a.share()*float64(line.Dx()))
	c.Fill(image.Rect(line.Min.X, line.Min.Y, x, line.Max.Y), ui.Accent)
	c.Fill(image.Rect(x-c.Units(3), r.Min.Y+c.Units(2), x+c.Units(3), r.Max.Y-c.Units(2)), ui.Accent)
}

// timing returns the timing overlay: how long the picture took and its counts, in columns.
func (a *App) timing() []string {
	p := a.picture
	line := func(what, form string, args ...any) string {
		return fmt.Sprintf("%-13s", what) + fmt.Sprintf(form, args...)
	}
	ms := func(what string, d time.Duration) string {
		return line(what, "%9.2f ms", float64(d.Microseconds())/1000)
	}
	t := &p.Stats.Time
	rest := p.Took - t.Geometry - t.Fragments - t.Transfers
	lines := []string{
		ms("picture", p.Took),
		ms(" geometry", t.Geometry),
		ms(" fragments", t.Fragments),
		ms(" transfers", t.Transfers),
		ms(" set-up", max(rest, 0)),
	}
	if p.Seeking > 0 {
		lines = append(lines, ms("frames before", p.Seeking))
	}
	lines = append(lines,
		line("draws", "%9d of %d", p.Stats.Draws, p.Frame),
		line("vertices", "%9d", p.Stats.Geometry.Shaded),
		line("triangles", "%9d of %d", p.Stats.Geometry.Triangles, p.Stats.Geometry.Primitives),
		line("fragments", "%9d", p.Stats.Fragments))
	if fps := a.Rate(); fps >= 1 {
		lines = append(lines, line("per second", "%9.1f", fps))
	} else {
		lines = append(lines, line("per second", "%9s", "at rest"))
	}
	return lines
}

// drawTiming draws the timing overlay.
func (a *App) drawTiming(top int) {
	if a.picture != nil {
		a.screen.Box(a.win.area.Min.X+a.screen.Units(8), top, a.timing(), ui.Accent)
	}
}
