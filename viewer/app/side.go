package app

import (
	"image"
	"slices"

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

// treeUnits is the initial width of the tree beside another panel, in units.
const treeUnits = 200

// dockNames are the names of panels on their tabs.
var dockNames = [...]string{dockPanel: "Uniforms", dockInspector: "Pixel", dockState: "State", dockWarnings: "Warnings", dockParts: "Parts"}

// drawDocks draws the open panels in r, side by side or as tabs.
func (a *App) drawDocks(r image.Rectangle) {
	list := a.docks
	if !a.prefer.Beside {
		if list = []dock{a.dock}; len(a.docks) > 1 {
			tabs := ui.Tabs{At: slices.Index(a.docks, a.dock)}
			for _, d := range a.docks {
				tabs.Names = append(tabs.Names, dockNames[d])
			}
			tabs.OnSelect = func() { a.toFront(dock(slices.Index(dockNames[:], tabs.Names[tabs.At]))) }
			r = tabs.Draw(a.screen, r)
		}
	}
	for i, d := range list {
		part, more := r, len(list)-i
		if p := &a.beside[d]; more > 1 {
			room := int(float64(r.Dx()) / a.screen.Scale)
			switch {
			case p.Size != 0:
			case d == dockParts:
				p.Size = treeUnits
			case slices.Contains(list[i:], dockParts):
				p.Size = (room - treeUnits) / (more - 1)
			default:
				p.Size = room / more
			}
			part, r = p.Draw(a.screen, r)
		}
		undo := a.screen.Clip(part)
		if v := a.side(d); v != nil {
			v.draw(a, part)
		} else {
			a.drawPanel(part)
		}
		undo()
	}
}

// side returns a panel; nil for the panel of uniforms.
func (a *App) side(d dock) side {
	switch d {
	case dockInspector:
		return &a.inspector
	case dockState:
		return &a.state
	case dockWarnings:
		return &a.warnings
	case dockParts:
		return &a.parts
	}
	return nil
}

// follow updates the panels beside the picture.
func (a *App) follow() {
	for _, d := range a.docks {
		if v := a.side(d); v != nil && a.shows(d) {
			v.follow(a)
		}
	}
	if a.drawList.open {
		a.drawList.follow(a)
	}
}

// title draws the heading of a panel and returns the rest of r.
func (a *App) title(d dock, r image.Rectangle, text string) image.Rectangle {
	return a.head(r, text, func() { a.closeDock(d) })
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
	return a.Frame == b.Frame && a.Time == b.Time && a.Orbit == b.Orbit && differ(a.Edits, b.Edits) == 0
}
