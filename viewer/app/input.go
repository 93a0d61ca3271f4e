package app

import (
	"image"
	"math"

	"pica200/viewer/ui"
)

var listKeys = map[Key]ui.Key{
	KeyUp: ui.Up, KeyDown: ui.Down, KeyPageUp: ui.PageUp, KeyPageDown: ui.PageDown, KeyLeft: ui.Left, KeyRight: ui.Right,
	KeyEnter: ui.Enter, KeyPadEnter: ui.Enter, KeyEscape: ui.Cancel, KeyBackspace: ui.Erase, 'N': ui.Next,
}

// Key handles a key that went down or repeats.
func (a *App) Key(k Key, m Mods) {
	a.dirty = true
	if a.dock == dockPanel && m&(Ctrl|Alt|Super) == 0 {
		lk, ok := listKeys[k]
		switch {
		case a.panel.Busy() && (k == 'N' || !ok && k < 256):
			return // comes as a character
		case ok && a.panel.Press(lk, m&Shift != 0):
			return
		case k == '/':
			return
		}
	}
	if a.dock == dockInspector && a.inspector.key(k) {
		return
	}
	for i := range bindings {
		b := &bindings[i]
		if b.key == k && b.mods == m && b.do != nil {
			if a.showKeys && k == KeyEscape {
				break
			}
			b.do(a)
			return
		}
	}
	if k == KeyEscape {
		a.showKeys = false
	}
}

// Char handles a typed character.
func (a *App) Char(r rune) {
	if a.dock == dockPanel && a.panel.Char(r) {
		a.dirty = true
		return
	}
	if r == '/' {
		a.openPanel()
		a.panel.Char(r)
	}
}

// Press handles a mouse button that went down at p.
func (a *App) Press(b Button, m Mods, p image.Point) {
	a.at, a.pressed, a.button, a.moved = p, p, b, false
	if b == ButtonLeft && m&Shift != 0 {
		a.button = ButtonRight
	}
	a.dirty = true
	switch {
	case a.showKeys:
		a.showKeys = false
	case a.dock == dockPanel && a.panel.Click(p):
		a.dragging = dragPanel
	case a.dock == dockInspector && p.In(a.inspector.rect):
	case p.In(a.timeline):
		a.dragging = dragTime
		a.scrub(p)
	case p.In(a.area):
		a.dragging = dragPicture
	}
}

// Release handles a mouse button that went up. A click on the picture asks for
// the inspector.
func (a *App) Release(p image.Point) {
	d := a.dragging
	a.dragging = dragNone
	a.panel.Release()
	if d == dragPicture && !a.moved && a.button == ButtonLeft {
		if px, ok := a.pixelAt(p); ok {
			a.explain(px)
		}
	}
	a.dirty = true
}

// Move handles a movement of the mouse.
func (a *App) Move(p image.Point) {
	d := p.Sub(a.at)
	if a.dragging == dragPicture && !a.moved {
		// A click is not a drag until the mouse has gone a little.
		if far := p.Sub(a.pressed); max(far.X, -far.X, far.Y, -far.Y) < 4 {
			return
		}
		a.moved = true
	}
	a.at = p
	switch a.dragging {
	case dragPanel:
		a.panel.Drag(p)
		a.dirty = true
	case dragTime:
		a.scrub(p)
	case dragPicture:
		size := float64(max(a.dest.Dy(), 1))
		switch {
		case !a.info.Camera || a.button == ButtonMiddle:
			a.shift = a.shift.Add(d)
			a.layout()
			a.dirty = true
		case a.button == ButtonRight:
			a.pan(-float64(d.X)/size, float64(d.Y)/size)
		default:
			a.orbit(-float64(d.X)/size*math.Pi, float64(d.Y)/size*math.Pi)
		}
	}
}

// Scroll handles the wheel, in notches; up is positive.
func (a *App) Scroll(by float64) {
	lines := int(math.Round(-by * 3))
	switch {
	case a.dock == dockPanel && a.panel.Contains(a.at):
		a.panel.Scroll(lines)
	case a.dock == dockInspector && a.at.In(a.inspector.rect):
		a.inspector.scroll(lines)
	case a.info.Camera:
		a.zoomCamera(by * 0.15)
	default:
		a.setZoom(min(max(a.zoom+int(math.Copysign(1, by)), 0), 8))
	}
	a.dirty = true
}

// pixelAt finds the pixel of the picture at a point of the window.
func (a *App) pixelAt(p image.Point) (image.Point, bool) {
	if a.picture == nil || !p.In(a.dest.Intersect(a.area)) {
		return image.Point{}, false
	}
	s := a.picture.Image.Rect.Size()
	d := p.Sub(a.dest.Min)
	return image.Pt(d.X*s.X/a.dest.Dx(), d.Y*s.Y/a.dest.Dy()), true
}
