package app

import (
	"image"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// side is a panel at the side of the picture.
type side interface {
	// draw draws the panel in r.
	draw(a *App, r image.Rectangle)
	// keys returns the initial focus; nil for none.
	keys() ui.Keys
	// follow is called when the panel opens, and for each new picture while it is open.
	follow(a *App)
}

// side returns the open panel; nil if none is open, or for the panel of uniforms.
func (a *App) side() side {
	switch a.dock {
	case dockInspector:
		return &a.inspector
	case dockState:
		return &a.state
	case dockWarnings:
		return &a.warnings
	}
	return nil
}

// follow updates the panels beside the picture.
func (a *App) follow() {
	if v := a.side(); v != nil {
		v.follow(a)
	}
	if a.drawList.open {
		a.drawList.follow(a)
	}
}

// title draws the heading of a panel and returns the rest of r.
func (a *App) title(r image.Rectangle, text string) image.Rectangle {
	return a.head(r, text, func() { a.setDock(dockNone) })
}

// head draws a heading with a close button and returns the rest of r.
func (a *App) head(r image.Rectangle, text string, shut func()) image.Rectangle {
	s := a.screen
	pad := s.Units(6)
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+s.Line()+pad)
	s.Fill(head, ui.PanelHead)
	b := image.Rect(r.Max.X-s.ButtonWidth("×"), r.Min.Y, r.Max.X, head.Max.Y)
	s.Text(r.Min.X+pad, r.Min.Y+pad/2, s.Fit(text, b.Min.X-r.Min.X-2*pad), ui.Accent)
	s.Button(b, "×", ui.ButtonStyle{Tip: "close the panel"}, shut)
	return image.Rect(r.Min.X, head.Max.Y, r.Max.X, r.Max.Y)
}

// sameScene reports whether two requests show the same frame or time with the same camera and values.
func sameScene(a, b *session.Request) bool {
	if a.Frame != b.Frame || a.Time != b.Time || a.Orbit != b.Orbit || len(a.Edits) != len(b.Edits) {
		return false
	}
	for k, e := range a.Edits {
		f, ok := b.Edits[k]
		if !ok || len(e.Values) != len(f.Values) {
			return false
		}
		for i := range e.Values {
			if e.Values[i] != f.Values[i] {
				return false
			}
		}
	}
	return true
}
