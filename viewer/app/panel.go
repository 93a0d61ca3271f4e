package app

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// targetKey is the key of the row that chooses which draws edits are for.
const targetKey = "\x00target"

// allDraws is what that row says for all of them.
const allDraws = "all draws"

// fillPanel puts the uniforms of the picture into the panel.
func (a *App) fillPanel() {
	var rows []ui.Row
	p := a.picture
	if p == nil {
		return
	}
	if len(p.Names) > 0 {
		names := []string{allDraws}
		for i, n := range p.Names {
			names = append(names, fmt.Sprintf("%d %s", i, n))
		}
		a.target = min(a.target, len(p.Names))
		rows = append(rows, ui.Row{Kind: ui.Choice, Label: "edit", Key: targetKey, Text: names[a.target], Choices: names})
	}
	group := ""
	for i := range p.Rows {
		u := &p.Rows[i]
		if u.Group != group {
			group = u.Group
			rows = append(rows, ui.Row{Kind: ui.Heading, Label: group, Key: "\x00" + group})
		}
		kinds := map[string]ui.Kind{"bool": ui.Switch, "enum": ui.Choice, "steps": ui.Choice, "number": ui.Numbers, "color": ui.Color, "text": ui.Fixed}
		rows = append(rows, ui.Row{Kind: kinds[u.Type], Label: u.Name, Key: u.Key, Text: u.Text, Choices: u.Choices,
			Values: append([]float64(nil), u.Values...), Min: u.Min, Max: u.Max, Changed: u.Changed})
	}
	if a.info.Frames > 0 {
		rows = []ui.Row{{Kind: ui.Fixed, Label: "a trace has registers, no uniforms"}, {Kind: ui.Fixed, Label: "see pica200 inspect, scene from"}}
	}
	a.panel.SetRows(rows)
}

// edit takes a change that was made in the panel.
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
	a.render()
}

// save writes what is shown as a scene file.
func (a *App) save() {
	r := a.req
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		path, err := s.Save(context.WithoutCancel(ctx), &r)
		return func() {
			if err != nil {
				a.say("not saved: %v", err)
				return
			}
			a.say("saved as %s", path)
		}
	})
}

// saveGolden writes what is shown as a golden case.
func (a *App) saveGolden() {
	r := a.req
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		path, err := session.GoldenCase(context.WithoutCancel(ctx), s, &r)
		return func() {
			if err != nil {
				a.say("no golden case: %v", err)
				return
			}
			a.say("golden case %s", path)
		}
	})
}
