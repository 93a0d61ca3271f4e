package app

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// targetKey is the key of the row that selects the draws to edit.
const targetKey = "\x00target"

// cameraKey is the prefix of the keys of camera rows.
const cameraKey = "\x00camera."

// allDraws is the value of the target row for all draws.
const allDraws = "all draws"

// fillPanel puts the uniforms of the picture into the panel.
func (a *App) fillPanel() {
	p := a.picture
	if p == nil {
		return
	}
	if a.info.Frames > 0 {
		a.panel.Empty = "A trace has registers, no uniforms: see pica200 inspect, and pica200 scene from."
		a.panel.SetRows(nil)
		return
	}
	a.panel.Empty = ""
	if p.Request.Rows {
		a.panel.Empty = "nothing is drawn"
	}
	var rows []ui.Row
	if len(p.Names) > 0 {
		names := []string{allDraws}
		for i, n := range p.Names {
			names = append(names, fmt.Sprintf("%d %s", i, n))
		}
		a.target = min(a.target, len(p.Names))
		rows = append(rows, ui.Row{Kind: ui.Choice, Label: "edit", Key: targetKey, Text: names[a.target], Choices: names, Pinned: true, Tip: "the draws that changes apply to"})
	}
	if a.info.Camera && p.Eye != p.LookAt {
		moved := p.Request.Orbit != session.Orbit{}
		rows = append(rows, ui.Row{Kind: ui.Heading, Label: "Camera", Key: "\x00Camera"})
		for _, v := range []struct {
			name, tip string
			at        mgl64.Vec3
		}{{"eye", "where the camera is; drag the picture to move it", p.Eye}, {"at", "what the camera looks at", p.LookAt}} {
			rows = append(rows, ui.Row{Kind: ui.Fixed, Label: v.name, Key: cameraKey + v.name, Also: []string{"camera." + v.name},
				Text: fmt.Sprintf("%.4g %.4g %.4g", v.at[0], v.at[1], v.at[2]), Changed: moved, Tip: v.tip})
		}
	}
	kinds := map[string]ui.Kind{"bool": ui.Switch, "enum": ui.Choice, "steps": ui.Choice, "number": ui.Numbers, "color": ui.Color, "table": ui.Table, "text": ui.Fixed}
	group := ""
	for i := range p.Rows {
		u := &p.Rows[i]
		if u.Group != group {
			group = u.Group
			rows = append(rows, ui.Row{Kind: ui.Heading, Label: group, Key: "\x00" + group})
		}
		tip := ""
		if len(u.Also) > 0 {
			tip = u.Also[0]
		}
		rows = append(rows, ui.Row{Kind: kinds[u.Type], Label: u.Name, Key: u.Key, Also: u.Also, Text: u.Text, Choices: u.Choices,
			Values: append([]float64(nil), u.Values...), Min: u.Min, Max: u.Max, Changed: u.Changed, Tip: tip, About: u.About, Parts: u.Parts})
	}
	a.panel.SetRows(rows)
}

// editDraw shows the uniforms of an editable draw: the one with a name that has, or had, a place among them.
func (a *App) editDraw(which int, name string) {
	if names := a.picture.Names; which >= len(names) || names[which] != name {
		if which = slices.Index(names, name); which < 0 {
			a.say("there is no %s any more", name)
			return
		}
	}
	a.target = which + 1
	a.openPanel()
}

// drawPanel draws the panel below its buttons.
func (a *App) drawPanel(r image.Rectangle) {
	s := a.screen
	h := s.Line() + s.Units(4)
	bar := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+h)
	s.Cover(bar)
	s.Fill(bar, ui.PanelHead)
	x := bar.Min.X
	button := func(text, tip string, look ui.ButtonLook, do func()) {
		w := s.ButtonWidth(text)
		look.Tip = tip
		s.Button(image.Rect(x, bar.Min.Y, x+w, bar.Max.Y), text, look, do)
		x += w
	}
	button("undo", "undo (Ctrl+Z)", ui.ButtonLook{Off: len(a.history.past) == 0}, func() { a.undo(false) })
	button("redo", "redo (Ctrl+Y)", ui.ButtonLook{Off: len(a.history.future) == 0}, func() { a.undo(true) })
	button("changed", "show only what was changed", ui.ButtonLook{On: a.panel.ChangedOnly}, func() { a.panel.ChangedOnly = !a.panel.ChangedOnly })
	button("fold", "fold or unfold all groups", ui.ButtonLook{}, a.panel.FoldAll)
	button("revert all", "undo all changes", ui.ButtonLook{Off: a.changes().none()}, func() {
		a.afterWriting(func() {
			a.stopTurntable()
			a.remember("")
			a.req.Edits, a.req.Orbit = edits{}, session.Orbit{}
			a.render()
		})
	})
	a.panel.Draw(s, image.Rect(r.Min.X, bar.Max.Y, r.Max.X, r.Max.Y))
}

// remember stores the current changes for undo.
func (a *App) remember(key string) {
	a.history.remember(changes{a.req.Edits, a.req.Orbit}, key, a.o.Now())
}

// undo restores the changes before the newest one, or after it if redo.
func (a *App) undo(redo bool) {
	if a.info.Golden && !redo {
		a.takeBack() // nothing else can be undone
		return
	}
	a.afterWriting(func() {
		now, ok := a.history.step(changes{a.req.Edits, a.req.Orbit}, redo)
		if !ok {
			a.say("nothing to undo or redo")
			return
		}
		a.req.Edits, a.req.Orbit = now.edits, now.orbit
		a.panel.Cancel()
		a.render()
	})
}

// original returns the value of a row before it was edited, if known. It is not while the file is being written, nor from a picture
// made before.
func (a *App) original(key string) (u *session.Uniform, ok bool) {
	p := a.picture
	if p == nil || p.Request.Target != a.target || p.Request.Serial < a.since || a.history.writing > 0 {
		return nil, false
	}
	for i := range p.Rows {
		if u := &p.Rows[i]; u.Key == key {
			if u.Was != nil {
				return u.Was, true
			}
			for _, e := range p.Request.Edits {
				if e.Draw == a.target-1 {
					return nil, false
				}
			}
			return u, true
		}
	}
	return nil, false
}

// same reports whether a row has the value of a uniform.
func same(r *ui.Row, u *session.Uniform) bool {
	if r.Text != u.Text || len(r.Values) != len(u.Values) {
		return false
	}
	for i, v := range r.Values {
		if float32(v) != float32(u.Values[i]) {
			return false
		}
	}
	return true
}

// edit applies a change made in the panel; done is false while the mouse drags.
func (a *App) edit(r *ui.Row, done bool) {
	a.dirty = true
	if r.Key == targetKey {
		a.target = 0
		if n, _, ok := strings.Cut(r.Text, " "); ok && r.Text != allDraws {
			if i, err := strconv.Atoi(n); err == nil {
				a.target = i + 1
			}
		}
		r.Changed = false
		a.render()
		return
	}
	a.remember(r.Key)
	a.history.stepped(done, a.o.Now())
	e := session.Edit{Name: r.Key, Draw: a.target - 1}
	switch r.Kind {
	case ui.Switch:
		e.Values = []any{r.Values[0] != 0}
	case ui.Choice:
		e.Values = []any{r.Text}
		if v, err := strconv.ParseFloat(r.Text, 64); err == nil {
			e.Values = []any{v}
		}
	default:
		for _, v := range r.Values {
			e.Values = append(e.Values, v)
		}
	}
	a.req.Edits[e.Key()] = e
	if u, ok := a.original(r.Key); ok && same(r, u) {
		delete(a.req.Edits, e.Key()) // the original value
		r.Changed = false
	}
	a.render()
}

// revert restores a row's original value; camera rows are restored together.
func (a *App) revert(r *ui.Row) {
	if strings.HasPrefix(r.Key, cameraKey) {
		a.stopTurntable()
		a.moveCamera("", true, func(o *session.Orbit) { *o = session.Orbit{} })
		return
	}
	e := session.Edit{Name: r.Key, Draw: a.target - 1}
	if _, ok := a.req.Edits[e.Key()]; !ok {
		a.say("it was changed for all draws, or for another one")
		return
	}
	a.afterWriting(func() {
		if _, ok := a.req.Edits[e.Key()]; !ok {
			return // it is in the file
		}
		a.remember("")
		delete(a.req.Edits, e.Key())
		a.render()
	})
}
