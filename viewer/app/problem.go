package app

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// problemPanel shows an error below the picture without covering it.
type problemPanel struct {
	view   ui.TextView
	text   string // the text in view
	folded bool
	rect   image.Rectangle
}

// problemHeight returns the height of the error panel, limited so that the picture keeps its minimum height; 0 without an error.
func (a *App) problemHeight(body image.Rectangle) int {
	if a.problem == "" {
		return 0
	}
	s := a.screen
	head := s.Line() + s.Units(6)
	if a.errors.folded {
		return head
	}
	lines := len(ui.Wrap(a.problem, s.Columns(max(body.Dx()-s.Units(20), 1))))
	return min(head+lines*s.Line()+s.Units(8), max(body.Dy()*2/5, head))
}

// drawProblem draws the panel: the error with a caret under the column, which can be scrolled, folded and copied, and links to the
// editor.
func (a *App) drawProblem() {
	p, s := &a.errors, a.screen
	if a.problem == "" || p.rect.Empty() {
		return
	}
	if p.text != a.problem {
		p.text = a.problem
		p.view.Set(a.problemLines(a.problem))
		p.view.Scroll.Offset = 0
	}
	r := p.rect
	s.Cover(r)
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+s.Line()+s.Units(6))
	s.Fill(head, ui.PanelHead)
	s.Fill(image.Rect(r.Min.X, r.Min.Y, r.Min.X+s.Units(3), r.Max.Y), ui.Bad)
	fold := map[bool]string{false: "fold", true: "show"}[p.folded]
	buttons := []ui.Push{push("copy", ui.ButtonStyle{Tip: "copy the error"}, func() { s.Copy(a.problem); a.say("the error is copied") }),
		push(fold, ui.ButtonStyle{Tip: fold + " the error"}, func() { p.folded = !p.folded; a.layout() })}
	title := "error"
	if location, ok := session.ErrorLocation(a.problem); ok {
		location.Path = a.fullPath(location.Path)
		buttons = append([]ui.Push{push("edit", ui.ButtonStyle{Tip: "open the place in the editor"}, func() { a.editor.open(a, location) })}, buttons...)
		title = fmt.Sprintf("error: %s, line %d", a.shortPath(location.Path), location.Line)
	}
	rest := s.PushesRight(head, buttons...)
	s.Text(head.Min.X+s.Units(9), head.Min.Y+s.Units(3), s.Fit(title, rest.Dx()-s.Units(18)), ui.Bad)
	if !p.folded {
		p.view.Draw(s, image.Rect(r.Min.X+s.Units(3), head.Max.Y, r.Max.X, r.Max.Y))
	}
}

// problemLines colours the lines of an error: source lines are dim, the caret is highlighted, and each position links to the
// editor.
func (a *App) problemLines(text string) (list []ui.Line) {
	for i, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		col := color.RGBA{}
		if i == 0 || strings.Contains(l, "error") {
			col = ui.Bad
		}
		if strings.Contains(l, "|") {
			col = ui.Dim
			if strings.HasSuffix(strings.TrimRight(l, "~"), "^") {
				col = ui.Changed
			}
		}
		line := ui.Line{Text: l, Color: col}
		if location, ok := session.ErrorLocation(l); ok {
			location.Path = a.fullPath(location.Path)
			line.Tip, line.Do = fmt.Sprintf("open %s:%d", a.shortPath(location.Path), location.Line), func() { a.editor.open(a, location) }
		}
		list = append(list, line)
	}
	return list
}
