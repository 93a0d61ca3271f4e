package app

import (
	"context"
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
	pixel image.Point
	busy  bool
	view  ui.TextView
	last  *pipeline.Event // the last fragment that was written
}

// explain asks what made a pixel of the picture.
func (a *App) explain(p image.Point) {
	if a.picture == nil {
		return
	}
	pic := a.picture
	a.inspector = inspector{pixel: p, busy: true}
	a.setDock(dockInspector)
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		e, err := s.ExplainPixel(ctx, pic, p.X, p.Y)
		return func() { a.explained(p, e, err) }
	})
}

func (a *App) explained(p image.Point, e *pipeline.Explained, err error) {
	a.dirty = true
	in := &a.inspector
	if p != in.pixel {
		return // another pixel was clicked meanwhile
	}
	in.busy, in.last = false, nil
	in.view.Set(nil)
	in.view.Indent = 17 // of a value in pipeline.Event.Text
	if err != nil {
		in.add(ui.Bad, err.Error())
		return
	}
	in.add(ui.Dim, fmt.Sprintf("touched %d times, in this order", len(e.Events)))
	for i := range e.Events {
		e := &e.Events[i]
		text := strings.Split(strings.Trim(e.Text(), "\n"), "\n")
		head := ui.Accent
		if f := e.Fragment; f != nil && f.Outcome != 0 {
			head = ui.Dim
		} else if f != nil {
			in.last = e
		}
		in.view.Lines = append(in.view.Lines, ui.Line{}, ui.Line{Text: text[0], Color: head, Head: true})
		in.add(ui.Text, text[1:]...)
	}
}

func (in *inspector) add(col color.RGBA, lines ...string) {
	for _, l := range lines {
		in.view.Lines = append(in.view.Lines, ui.Line{Text: l, Color: col})
	}
}

func (in *inspector) draw(s *ui.Screen, r image.Rectangle) {
	s.Cover(r)
	pad := s.Units(6)
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+s.Line()+pad)
	s.Fill(head, ui.PanelHead)
	title := fmt.Sprintf("Pixel %d,%d", in.pixel.X, in.pixel.Y)
	if in.busy {
		title += " ..."
	}
	s.Text(r.Min.X+pad, r.Min.Y+pad/2, s.Fit(title, r.Dx()-2*pad), ui.Accent)
	in.view.Draw(s, image.Rect(r.Min.X, head.Max.Y, r.Max.X, r.Max.Y))
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
