package app

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"pica200/pipeline"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// inspector is the list of what touched a pixel.
type inspector struct {
	pixel   image.Point
	request session.Request
	busy    bool
	lines   []string
	colors  []color.RGBA
	last    *pipeline.Event // the last fragment that was written
	top     int
	rows    int // that fit
	rect    image.Rectangle
}

func (a *App) explained(p image.Point, events []pipeline.Event, err error) {
	a.dirty = true
	in := &a.inspector
	if p != in.pixel {
		return // another pixel was clicked meanwhile
	}
	in.busy, in.top, in.lines, in.colors, in.last = false, 0, nil, nil, nil
	if err != nil {
		in.add(ui.Bad, err.Error())
		return
	}
	in.add(ui.Dim, fmt.Sprintf("touched %d times, in this order", len(events)))
	for i := range events {
		e := &events[i]
		text := strings.Split(strings.Trim(e.Text(), "\n"), "\n")
		if a.picture != nil && e.Fragment != nil && e.Draw < len(a.picture.DrawNames) {
			_, outcome, _ := strings.Cut(text[0], ":")
			text[0] = fmt.Sprintf("draw %d, %s:%s", e.Draw, a.picture.DrawNames[e.Draw], outcome)
		}
		head := ui.Accent
		if f := e.Fragment; f != nil && f.Outcome != 0 {
			head = ui.Dim
		} else if f != nil {
			in.last = e
		}
		in.add(ui.Text, "")
		in.add(head, text[0])
		in.add(ui.Text, text[1:]...)
	}
}

func (in *inspector) add(col color.RGBA, lines ...string) {
	for _, l := range lines {
		in.lines = append(in.lines, l)
		in.colors = append(in.colors, col)
	}
}

func (in *inspector) scroll(by int) { in.top += by }

// key handles a key and reports whether it was one of the inspector's.
func (in *inspector) key(k Key) bool {
	switch k {
	case KeyUp:
		in.scroll(-1)
	case KeyDown:
		in.scroll(1)
	case KeyPageUp:
		in.scroll(-in.rows + 1)
	case KeyPageDown:
		in.scroll(in.rows - 1)
	default:
		return false
	}
	return true
}

func (in *inspector) draw(c *ui.Canvas) {
	r := in.rect
	c.Fill(r, ui.Panel)
	pad := c.Units(6)
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+c.Line()+pad)
	c.Fill(head, ui.PanelHead)
	title := fmt.Sprintf("Pixel %d,%d", in.pixel.X, in.pixel.Y)
	if in.busy {
		title += " ..."
	}
	columns := c.Columns(r.Dx() - 2*pad)
	c.Text(r.Min.X+pad, r.Min.Y+pad/2, ui.Fit(title, columns), ui.Accent)
	var lines []string
	var colors []color.RGBA
	for i, l := range in.lines {
		for _, w := range wrapValue(l, columns) {
			lines, colors = append(lines, w), append(colors, in.colors[i])
		}
	}
	in.rows = max((r.Max.Y-head.Max.Y-pad)/c.Line(), 1)
	in.top = max(min(in.top, len(lines)-in.rows), 0)
	for i := in.top; i < len(lines) && i < in.top+in.rows; i++ {
		c.Text(r.Min.X+pad, head.Max.Y+pad/2+(i-in.top)*c.Line(), lines[i], colors[i])
	}
	if len(lines) > in.rows {
		h := r.Max.Y - head.Max.Y
		c.Fill(image.Rect(r.Max.X-c.Units(3), head.Max.Y+h*in.top/len(lines), r.Max.X, head.Max.Y+h*(in.top+in.rows)/len(lines)), ui.Dim)
	}
}

// wrapValue wraps a line and indents what follows the first part under its
// value.
func wrapValue(l string, columns int) []string {
	const indent = 17 // of a value in pipeline.Event.Text
	if len(l) <= columns || columns < indent+8 || len(l) < indent || strings.TrimSpace(l) == "" {
		return ui.Wrap(l, columns)
	}
	first := ui.Wrap(l, columns)[0]
	rest := strings.TrimSpace(strings.TrimPrefix(l, first))
	out := []string{first}
	if rest != "" {
		for _, w := range ui.Wrap(rest, columns-indent) {
			out = append(out, strings.Repeat(" ", indent)+w)
		}
	}
	return out
}

// pan is how far the camera is to move, in shares of its distance, for the
// inspected point to come to the middle.
func (in *inspector) pan(p *session.Picture) ([2]float64, bool) {
	if in.last == nil || p == nil || p.Distance <= 0 || p.Slope <= 0 {
		return [2]float64{}, false
	}
	f := in.last.Fragment
	invW := 0.0
	for k := range f.Vertices {
		// Shares are perspective-correct: 1/w of the point is the harmonic mean.
		invW += float64(f.Weights[k]) / float64(f.Vertices[k].InvW)
	}
	s := p.Image.Rect.Size()
	x := (2*float64(in.pixel.X) + 1 - float64(s.X)) / float64(s.Y)
	y := 1 - (2*float64(in.pixel.Y)+1)/float64(s.Y)
	k := p.Slope * invW / p.Distance
	return [2]float64{x * k, y * k}, true
}
