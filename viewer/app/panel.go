package app

import (
	"cmp"
	"fmt"
	"image"
	"maps"
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
		if a.target != "" && !a.knows(a.target) {
			a.say("there is no %s any more: changes are for all draws", a.target)
			a.target = ""
		}
		names := append([]string{allDraws}, p.Names...)
		if a.target != "" && !slices.Contains(names, a.target) {
			names = append(names, a.target) // a part, chosen in the tree
		}
		rows = append(rows, ui.Row{Kind: ui.Choice, Label: "edit", Key: targetKey, Text: cmp.Or(a.target, allDraws), Choices: names, Pinned: true, Tip: "the draws that changes apply to"})
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
	kinds := map[string]ui.Kind{"bool": ui.Switch, "enum": ui.Choice, "steps": ui.Choice, "number": ui.Numbers, "color": ui.Color, "table": ui.Table, "text": ui.Fixed, "string": ui.Entry}
	group := ""
	for i := range p.Rows {
		u := &p.Rows[i]
		if u.Group != group {
			group = u.Group
			if unused := func(u session.Uniform) bool {
				return u.Group == group && strings.HasPrefix(group, "Light ") && u.Name == "enabled" && u.Values[0] == 0
			}; group == session.MatrixGroup || slices.ContainsFunc(p.Rows[i:], unused) {
				a.panel.FoldAtFirst("\x00" + group)
			}
			rows = append(rows, ui.Row{Kind: ui.Heading, Label: group, Key: "\x00" + group})
		}
		tip := ""
		if len(u.Also) > 0 {
			tip = u.Also[0]
		}
		rows = append(rows, ui.Row{Kind: kinds[u.Type], Label: u.Name, Key: u.Key, Also: u.Also, Text: u.Text, Choices: u.Choices,
			Values: slices.Clone(u.Values), Mixed: slices.Clone(u.Mixed), Min: u.Min, Max: u.Max, Changed: a.changed(u.Key, a.target) || a.changed(u.Key, ""), Tip: tip, About: u.About, Parts: u.Parts, Unsaid: u.Unsaid})
	}
	a.panel.SetRows(rows)
}

// editDraw shows the values of a draw.
func (a *App) editDraw(name string) {
	if !slices.Contains(a.picture.Names, name) {
		a.say("there is no %s any more", name)
		return
	}
	a.target = name
	a.openPanel()
}

// editKey returns the key of the edit that a row makes for a draw, or all.
func editKey(row, draw string) string {
	e := session.Edit{Name: row, Draw: draw}
	if session.OfScene(row) {
		e.Draw = ""
	}
	return e.Key()
}

// changed reports whether the file has another value of a row for a draw, or all.
func (a *App) changed(row, draw string) bool {
	e, was := a.req.Edits[editKey(row, draw)], a.history.saved[editKey(row, draw)]
	return !slices.Equal(e.Values, was.Values)
}

// drawPanel draws the panel below its buttons.
func (a *App) drawPanel(r image.Rectangle) {
	s := a.screen
	h := s.Line() + s.Units(4)
	bar := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+h)
	s.Cover(bar)
	s.Fill(bar, ui.PanelHead)
	s.Pushes(bar,
		push("undo", ui.ButtonStyle{Tip: "undo (Ctrl+Z)", Off: len(a.history.past) == 0}, func() { a.undo(false) }),
		push("redo", ui.ButtonStyle{Tip: "redo (Ctrl+Y)", Off: len(a.history.future) == 0}, func() { a.undo(true) }),
		push("changed", ui.ButtonStyle{Tip: "show only what was changed", On: a.panel.ChangedOnly}, func() { a.panel.ChangedOnly = !a.panel.ChangedOnly }),
		push("fold", ui.ButtonStyle{Tip: "fold or unfold all groups"}, a.panel.FoldAll),
		push("revert all", ui.ButtonStyle{Tip: "undo all changes", Off: a.unsaved() == 0}, func() {
			a.remember("")
			a.req.Edits = edits{}
			maps.Copy(a.req.Edits, a.history.saved)
			a.panel.Cancel()
			a.render()
		}))
	a.panel.Draw(s, image.Rect(r.Min.X, bar.Max.Y, r.Max.X, r.Max.Y))
}

// remember stores the current changes for undo.
func (a *App) remember(key string) {
	a.history.remember(a.req.Edits, key, a.o.Now())
}

// undo restores the changes before the newest one, or after it if redo.
func (a *App) undo(redo bool) {
	if a.info.Golden && !redo {
		a.takeBack() // nothing else can be undone
		return
	}
	now, ok := a.history.step(a.req.Edits, redo)
	if !ok {
		a.say("nothing to undo or redo")
		return
	}
	a.req.Edits = now
	a.panel.Cancel()
	a.render()
}

// shownRow returns a row of the picture, with its value in the text that was
// read, before all edits, if that is known.
func (a *App) shownRow(key string) (now, original *session.Uniform) {
	p := a.picture
	if p == nil || p.Request.Target != a.target || p.Request.Serial < a.since {
		return nil, nil
	}
	i := slices.IndexFunc(p.Rows, func(u session.Uniform) bool { return u.Key == key })
	if i < 0 {
		return nil, nil
	}
	now = &p.Rows[i]
	if now.Was != nil {
		return now, now.Was
	}
	for _, e := range p.Request.Edits {
		if e.Draw == a.target || session.OfScene(e.Name) {
			return now, nil
		}
	}
	return now, now
}

// edit applies a change made in the panel; done is false while the mouse drags.
func (a *App) edit(r *ui.Row, done bool) {
	a.dirty = true
	if r.Key == targetKey {
		if a.target = r.Text; r.Text == allDraws {
			a.target = ""
		}
		r.Changed = false
		a.render()
		return
	}
	e := session.Edit{Name: r.Key, Draw: a.target, Values: a.values(r)}
	if session.OfScene(r.Key) {
		e.Draw = ""
	}
	if err := e.Check(); err != nil {
		a.say("%v", err)
		a.fillPanel()
		return
	}
	a.remember(r.Key)
	a.history.stepped(done, a.o.Now())
	if e.Values != nil {
		a.req.Edits[e.Key()] = e
	} else {
		delete(a.req.Edits, e.Key()) // the original value
	}
	r.Changed = a.changed(r.Key, a.target)
	a.render()
}

// values returns the values of an edit: those of the components that differ
// from what the file had when it was read; nil if none does. Others are nil, so
// that those of several draws stay as they are.
func (a *App) values(r *ui.Row) (list []any) {
	now, original := a.shownRow(r.Key)
	was := a.req.Edits[editKey(r.Key, a.target)].Values
	switch {
	case r.Kind == ui.Choice || r.Kind == ui.Switch || r.Kind == ui.Entry:
		list = []any{r.Text}
		if v, err := strconv.ParseFloat(r.Text, 64); err == nil && r.Kind == ui.Choice {
			list[0] = v
		}
		value := 0.0
		if r.Kind == ui.Switch {
			value = r.Values[0]
			list[0] = value != 0
		}
		if original != nil && original.Text == r.Text && (r.Kind != ui.Switch || original.Values[0] == value) && original.Mixed == nil {
			return nil
		}
		return list
	case r.Kind == ui.Table:
		same := original != nil && len(original.Values) == len(r.Values) && original.Text == r.Text && original.Mixed == nil
		for k, v := range r.Values {
			list = append(list, v)
			same = same && float32(original.Values[k]) == float32(v)
		}
		if same {
			return nil
		}
		return list
	}
	none := true
	for k, v := range r.Values {
		old := len(was) == len(r.Values) && was[k] != nil
		mixed := k < len(r.Mixed) && r.Mixed[k]
		switch {
		case mixed, !old && now != nil && k < len(now.Values) && now.Values[k] == v && !(k < len(now.Mixed) && now.Mixed[k]):
			list = append(list, nil) // it was not touched
		case original != nil && k < len(original.Values) && float32(original.Values[k]) == float32(v) && !(k < len(original.Mixed) && original.Mixed[k]):
			list = append(list, nil)
		default:
			list, none = append(list, v), false
		}
	}
	if none {
		return nil
	}
	return list
}

// revert restores what the file has of a row; camera rows are restored together.
func (a *App) revert(r *ui.Row) {
	if strings.HasPrefix(r.Key, cameraKey) {
		a.stopTurntable()
		a.moveCamera(func(o *session.Orbit) { *o = session.Orbit{} })
		return
	}
	if !a.changed(r.Key, a.target) {
		a.say("it was changed for all draws, or for another one")
		return
	}
	a.remember("")
	k := editKey(r.Key, a.target)
	if e, ok := a.history.saved[k]; ok {
		a.req.Edits[k] = e
	} else {
		delete(a.req.Edits, k)
	}
	a.render()
}
