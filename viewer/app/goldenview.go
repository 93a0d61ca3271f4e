package app

import (
	"context"
	"errors"
	"image"
	"maps"
	"time"

	"pica200/golden"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// flicker alternates between the expected and the actual image of a golden case.
type flicker struct {
	on   bool
	last time.Time
	back session.GoldenShow // shown before
}

// approvals are approvals made here that can be undone, newest last.
type approvals []*session.Approval

// flickerTime is how long each image is shown.
const flickerTime = 400 * time.Millisecond

// goldenCase reports whether a golden case is open, and shows a note if not.
func (a *App) goldenCase() bool {
	if !a.info.Golden {
		a.say("this is not a golden case; open one (.case.yaml), or make one of what is shown (Ctrl+G)")
	}
	return a.info.Golden
}

// showGolden shows the expected image, the actual one, the difference, or all.
func (a *App) showGolden(show session.GoldenShow) {
	if a.goldenCase() {
		a.flicker.on = false
		a.req.Golden.Show = show
		a.render()
	}
}

// nextGoldenImage goes to the next image of the case.
func (a *App) nextGoldenImage() {
	if !a.goldenCase() || a.picture == nil || a.picture.Golden == nil {
		return
	}
	n := len(a.picture.Golden.Targets)
	a.req.Golden.Image = (a.req.Golden.Image + 1) % n
	a.say("image %d of %d: %s", a.req.Golden.Image+1, n, a.picture.Golden.Targets[a.req.Golden.Image])
	a.render()
}

// toggleFlicker starts or stops alternating between expected and actual.
func (a *App) toggleFlicker() {
	f := &a.flicker
	switch {
	case f.on:
		f.on = false
		a.req.Golden.Show = f.back
	case !a.goldenCase():
		return
	default:
		*f = flicker{on: true, last: a.o.Now(), back: a.req.Golden.Show}
		a.req.Golden.Show = session.GoldenExpected
	}
	a.render()
}

// flick shows the other image when it is due.
func (a *App) flick(now time.Time) {
	if f := &a.flicker; f.on && a.inFlight == 0 && !a.failed && now.Sub(f.last) >= flickerTime {
		f.last = now
		if a.req.Golden.Show == session.GoldenExpected {
			a.req.Golden.Show = session.GoldenActual
		} else {
			a.req.Golden.Show = session.GoldenExpected
		}
		a.render()
	}
}

// flickerWait returns the time until the next image; negative without flicker.
func (a *App) flickerWait() time.Duration {
	if !a.flicker.on || a.inFlight > 0 || a.failed {
		return -1
	}
	return max(flickerTime-a.o.Now().Sub(a.flicker.last), time.Millisecond)
}

// approve makes the drawn picture the approved image. A blank one is approved only after a question.
func (a *App) approve() {
	if a.goldenCase() {
		a.approveAs(a.req, false)
	}
}

// ifBlank asks before a blank picture is approved, if that is the error.
func (a *App) ifBlank(err error, do func()) bool {
	is := errors.Is(err, session.ErrBlank)
	if is {
		a.ask(&question{title: "Every pixel of the picture is the same. Is this the picture that later ones are compared with?", at: 1, optional: true,
			answers: []answer{{"approve it", 'A', do}, {"leave it", KeyEscape, nil}}})
	}
	return is
}

func (a *App) approveAs(r session.Request, blank bool) {
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		w, ok := s.(session.Approver)
		if !ok {
			return func() { a.say("nothing can be approved here") }
		}
		made, err := w.Approve(context.WithoutCancel(ctx), &r, blank)
		info := s.Info()
		return func() {
			if a.ifBlank(err, func() { a.approveAs(r, true) }) {
				return
			}
			if err != nil {
				a.say("not approved: %v", err)
				return
			}
			a.info = info
			a.savedHere()
			a.approvals = append(a.approvals, made)
			was := "the first image of " + made.Target
			if made.Was != "" {
				was = "before: " + made.Was
			}
			a.say("approved: %s (%s); Ctrl+Z takes it back", a.shortPath(made.Path), was)
			a.render()
		}
	})
}

// takeBack restores the files from before the newest approval.
func (a *App) takeBack() {
	n := len(a.approvals)
	if n == 0 {
		a.say("nothing was approved here")
		return
	}
	last := a.approvals[n-1]
	a.approvals = a.approvals[:n-1]
	a.worker.do(func(_ context.Context, s session.Source) func() {
		err := s.(session.Approver).TakeBack(last)
		info := s.Info()
		return func() {
			if err != nil {
				a.say("not taken back: %v", err)
				return
			}
			a.info = info
			a.savedHere()
			a.say("taken back: %s is as it was before", a.shortPath(last.Path))
			a.render()
		}
	})
}

// drawGolden draws, above the picture of a golden case, its parts and result, with buttons for the other pictures and images.
func (a *App) drawGolden() {
	if a.picture == nil || a.picture.Golden == nil || !a.info.Golden {
		return
	}
	g, s := a.picture.Golden, a.screen
	pad := s.Units(4)
	r := image.Rect(a.win.area.Min.X, a.win.area.Min.Y, a.win.area.Max.X, a.win.area.Min.Y+s.Line()+2*pad)
	s.Cover(r)
	var buttons []ui.Push
	button := func(text, tip string, on bool, do func()) {
		buttons = append(buttons, push(text, ui.ButtonStyle{Tip: tip, On: on}, do))
	}
	for show := session.GoldenAll; ; show = show.Next() {
		name := show.String()
		if show == session.GoldenAll {
			name = "all"
		}
		button(name, "show "+show.String(), g.Show == show && !a.flicker.on, func() { a.showGolden(show) })
		if show.Next() == session.GoldenAll {
			break
		}
	}
	button("flicker", "expected and actual in turn", a.flicker.on, a.toggleFlicker)
	if len(g.Targets) > 1 {
		button(g.Targets[g.Image], "next image of the case", false, a.nextGoldenImage)
	}
	if g.Status != golden.Match {
		button("approve", "make what is drawn the approved image", false, a.approve)
	}
	text, col := string(g.Status), ui.Accent
	if g.Status != golden.Match {
		col = ui.Bad
		if g.Message != "" {
			text = g.Message
		}
	}
	r.Min.X += pad
	rest := s.Pushes(r, buttons...)
	s.Text(rest.Min.X+pad, r.Min.Y+pad, s.Fit(text, rest.Dx()-2*pad), col)
	if g.Show != session.GoldenAll {
		return
	}
	size := a.picture.Image.Rect.Size()
	for i, name := range []string{"expected", "actual", "difference"} {
		if p := g.Parts[i]; !p.Empty() {
			at := image.Pt(a.win.dest.Min.X+p.Min.X*a.win.dest.Dx()/size.X, a.win.dest.Max.Y+pad)
			if at.Y+s.Line() > a.win.area.Max.Y {
				at.Y = a.win.area.Max.Y - s.Line()
			}
			s.Box(at.X, at.Y-pad, []string{name}, ui.Dim)
		}
	}
}

// newGolden asks for the name of a new golden case of the current picture.
func (a *App) newGolden() {
	if a.info.Golden {
		a.say("this is a golden case already")
		return
	}
	if a.picture == nil {
		return
	}
	a.panel.Commit()
	r := a.wanted()
	p := &prompt{app: a, title: "a golden case of what is shown; its name:", button: "make it", do: func(name string) { a.makeGolden(r, name, false) }}
	p.ask(session.SuggestCase(a.info, &r))
}

// makeGolden makes a case of a request, with the changes as they are now.
func (a *App) makeGolden(r session.Request, name string, blank bool) {
	base := a.info.Base
	r.Edits = maps.Clone(a.req.Edits)
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		if s.Info().Base != base {
			return func() { a.makeGolden(r, name, blank) }
		}
		path, err := session.GoldenCase(context.WithoutCancel(ctx), s, &r, name, blank)
		return func() {
			if a.ifBlank(err, func() { a.makeGolden(r, name, true) }) {
				return
			}
			if err != nil {
				a.say("no golden case: %v", err)
				return
			}
			a.say("golden case %s", a.shortPath(path))
		}
	})
}

// prompt is a popup that asks for a line of text.
type prompt struct {
	app     *App
	title   string
	button  string
	field   ui.Field
	problem string // of the text that was given last
	do      func(text string)
}

// ask asks, with a text to begin with.
func (p *prompt) ask(text string) {
	p.field.Complete = func(string) []string { return nil }
	p.field.Set(text)
	p.field.All()
	p.app.screen.Open(p)
	p.app.dirty = true
}

// again asks again, because of an error.
func (p *prompt) again(err error) {
	p.problem, p.app.dirty = err.Error(), true
	p.app.screen.Open(p)
}

// Draw implements ui.Popup.
func (p *prompt) Draw(s *ui.Screen) {
	line, w := s.Line()+s.Units(6), min(s.Units(480), s.Img.Rect.Dx())
	bad := min(len(ui.Wrap(p.problem, s.Columns(max(w-s.Units(32), 1)))), 6)
	if p.problem == "" {
		bad = 0
	}
	in := s.Dialog(w, 2*line+bad*s.Line()+3*s.Units(8))
	s.Text(in.Min.X, in.Min.Y, s.Fit(p.title, in.Dx()), ui.Text)
	s.Lines(image.Rect(in.Min.X, in.Min.Y+line, in.Max.X, in.Max.Y), p.problem, bad, ui.Bad)
	drawField(s, image.Rect(in.Min.X, in.Max.Y-line, in.Max.X, in.Max.Y), &p.field, push(p.button, ui.ButtonStyle{Tip: p.button}, p.enter))
}

// push returns a button of a row.
func push(text string, style ui.ButtonStyle, do func()) ui.Push {
	return ui.Push{Text: text, Style: style, Do: do}
}

// drawField draws a field with buttons to the right of it.
func drawField(s *ui.Screen, r image.Rectangle, f *ui.Field, buttons ...ui.Push) {
	r = s.PushesRight(r, buttons...)
	r.Max.X -= s.Units(4)
	f.Draw(s, r)
}

func (p *prompt) enter() {
	p.app.screen.Close(p)
	p.do(p.field.Text)
}

// Key implements ui.Keys.
func (p *prompt) Key(k ui.Key, m ui.Mods) bool {
	switch {
	case (k == KeyEnter || k == KeyPadEnter) && m == 0:
		p.enter()
		return true
	case k == KeyEscape:
		return false
	}
	return p.field.Key(k, m)
}

// Char implements ui.Keys.
func (p *prompt) Char(r rune) bool { return p.field.Char(r) }

// goldenKeys are the keys of golden cases, in the last group of keys.go.
func goldenKeys() []binding {
	return []binding{
		{'G', 0, "Output", "expected, actual, difference, all", func(a *App) {
			if a.goldenCase() {
				a.showGolden(a.req.Golden.Show.Next())
			}
		}},
		{'G', Shift, "Output", "next image of the case", func(a *App) { a.nextGoldenImage() }},
		{'B', 0, "Output", "flicker, expected and actual in turn", func(a *App) { a.toggleFlicker() }},
		{KeyEnter, Ctrl, "Output", "approve what is drawn", func(a *App) { a.approve() }},
	}
}
