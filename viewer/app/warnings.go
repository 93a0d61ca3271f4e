package app

import (
	"fmt"
	"image"
	"slices"

	"pica200/internal/plural"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// warnings is the panel that lists the warnings of the picture.
type warnings struct {
	view ui.TextView
	of   []string // the listed warnings
}

// warn shows the newest of several warnings for some seconds; the status line counts them all and links to the list.
func (a *App) warn(list []string) {
	text := "warning: " + list[len(list)-1]
	if n := len(list) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more: W lists them)", n)
	}
	a.say("%s", text)
}

// toggleWarnings opens or closes the list.
func (a *App) toggleWarnings() {
	a.toggle(dockWarnings, a.countWarnings() != "", "there are no warnings")
}

// countWarnings returns the number of warnings as text, "" for none.
func (a *App) countWarnings() string {
	if a.picture == nil || len(a.picture.Warnings) == 0 {
		return ""
	}
	return plural.Of(len(a.picture.Warnings), "warning")
}

// follow implements side.
func (w *warnings) follow(a *App) {
	if a.picture == nil || w.of != nil && slices.Equal(w.of, a.picture.Warnings) {
		return
	}
	w.of = a.picture.Warnings
	w.view.Indent = 4
	var lines []ui.Line
	for i, text := range w.of {
		l := ui.Line{Text: fmt.Sprintf("%d  %s", i+1, text)}
		if location, ok := session.ErrorLocation(text); ok {
			location.Path = a.fullPath(location.Path)
			l.Tip, l.Color, l.Do = fmt.Sprintf("open %s:%d", a.shortPath(location.Path), location.Line), ui.Accent, func() { a.editor.open(a, location) }
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		lines = append(lines, ui.Line{Text: "there are no warnings", Color: ui.Dim})
	}
	w.view.Set(lines)
}

// keys implements side.
func (w *warnings) keys() ui.Keys { return &w.view }

// draw implements side.
func (w *warnings) draw(a *App, r image.Rectangle) {
	a.screen.Cover(r)
	title := "Warnings"
	if n := a.countWarnings(); n != "" {
		title = n
	}
	w.view.Draw(a.screen, a.title(dockWarnings, r, title))
}
