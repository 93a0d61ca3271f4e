package app

import (
	"cmp"
	"image"
	"math"
	"strings"
	"unicode"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// drag is a mouse drag on the picture.
type drag struct {
	at     image.Point // last position
	button Button      // its button, after modifiers
	moved  bool        // far enough not to be a click
	handle bool        // it is one of a handle
}

// Key handles a key that went down or repeats.
func (a *App) Key(k Key, m Mods) {
	a.dirty, a.key, a.used = true, k, false
	if h := &a.history; k == KeyEscape && a.screen.Holding() && h.gesture != "" && h.gestureEnd.IsZero() {
		a.screen.LetGo()
		a.undo(false)
		return
	}
	if a.screen.Key(k, m) {
		return
	}
	for i := range bindings {
		if b := &bindings[i]; b.key == k && b.mods == m && k != '/' { // "/" is handled as a character, because layouts differ
			if a.none && !withoutFile[b.help] {
				a.say("no file is open")
				return
			}
			a.used = true
			b.do(a)
			return
		}
	}
}

// Char handles a typed character.
func (a *App) Char(r rune) {
	used := a.used
	if a.used = false; used && unicode.ToUpper(r) == rune(a.key) {
		return // the character of a command's key; the command may have opened an input field
	}
	if a.screen.Char(r) {
		a.dirty = true
		return
	}
	// On some keyboards a sign needs another key or several: then the character counts.
	if k := Key(r); k != a.key && k != '/' && strings.ContainsRune("[],.=-", r) {
		a.Key(k, 0)
		a.key = 0
	}
	if r == '/' && !a.none {
		a.search()
	}
}

// Labelled returns the key that a physical key counts as: the letter or sign on its label if that is a command, otherwise the key
// at its position on a US keyboard. So letters follow the layout, and signs that a layout lacks (often [ and ]) keep their
// position.
func Labelled(k Key, label string) Key {
	if len(label) != 1 {
		return k
	}
	if label == "+" && k == '-' {
		return '=' // some layouts have "+" at the position of "-"
	}
	l := Key(strings.ToUpper(label)[0])
	if l >= 'A' && l <= 'Z' {
		return l
	}
	for i := range bindings {
		if bindings[i].key == l && l > ' ' {
			return l
		}
	}
	return k
}

// Press handles a mouse button that went down at p.
func (a *App) Press(b Button, m Mods, p image.Point) {
	if !a.screen.Holding() {
		a.history.gesture = "" // Esc takes back this drag alone
	}
	a.screen.Press(b, m, p)
	a.dirty = true
}

// Release handles a mouse button that went up.
func (a *App) Release(p image.Point) {
	a.screen.Release(p)
	a.drag.handle = false
	if a.shows(dockPanel) && !a.panel.Typing() && a.inFlight == 0 {
		a.fillPanel() // values that arrived during the drag
	}
	a.dirty = true
}

// Move handles a movement of the mouse.
func (a *App) Move(p image.Point) {
	if a.screen.Move(p) {
		a.dirty = true
	}
	// With an open menu, pointing at another title opens that menu.
	if m, open := a.screen.Popup().(*ui.Menu); open && m.Side != nil {
		for _, g := range groups() {
			if r := a.win.menus[g]; p.In(r) && r != m.At {
				a.screen.Close(m)
				a.openMenu(g)
				return
			}
		}
	}
}

// Scroll handles the wheel, in notches; up is positive.
func (a *App) Scroll(by float64) {
	a.screen.Wheel(by)
	a.dirty = true
}

// pictureZone handles the mouse on the picture: orbit, pan, zoom and inspect.
func (a *App) pictureZone() ui.Zone {
	return ui.Zone{Rect: a.win.area, Press: func(m ui.Mouse) {
		a.drag.at, a.drag.button, a.drag.moved = m.At, m.Button, false
		if m.Button == ButtonLeft && m.Mods&Shift != 0 {
			a.drag.button = ButtonRight
		}
	}, Drag: a.dragPicture, Release: func(m ui.Mouse) {
		if px, ok := a.pixelAt(m.At); ok && !a.drag.moved && a.drag.button == ButtonLeft {
			if a.shows(dockParts) {
				s, own := a.picture.Image.Rect.Size(), a.pixels()
				a.pick(image.Pt(px.X*s.X/own.X, px.Y*s.Y/own.Y))
			} else {
				a.explain(px)
			}
		}
	}, Wheel: a.zoomAt}
}

// zoomAt zooms at the mouse, so that the point under it stays: the camera moves sideways as it comes closer, or the picture is
// scaled about that pixel.
func (a *App) zoomAt(notches float64) {
	at, on := a.pixelAt(a.screen.At())
	if a.info.Camera {
		by := notches * 0.15
		a.moveCamera(func(o *session.Orbit) {
			was := o.Zoom
			o.Zoom = min(max(o.Zoom+by, -8), 8)
			if p := a.picture; on && p.Slope > 0 {
				size := a.pixels()
				anchor := mgl64.Vec2{2*float64(at.X) + 1 - float64(size.X), float64(size.Y) - 2*float64(at.Y) - 1}.Mul(p.Slope / float64(size.Y))
				o.Pan = o.Pan.Add(anchor).Mul(math.Exp2(o.Zoom - was)).Sub(anchor)
			}
		})
		return
	}
	zoom := min(max(a.win.zoom+int(math.Copysign(1, notches)), 0), 8)
	before := a.win.dest
	a.setZoom(zoom)
	if !on || zoom == 0 {
		return
	}
	m := a.screen.At()
	now := image.Pt(a.win.dest.Min.X+(m.X-before.Min.X)*a.win.dest.Dx()/before.Dx(), a.win.dest.Min.Y+(m.Y-before.Min.Y)*a.win.dest.Dy()/before.Dy())
	a.win.shift = a.win.shift.Add(m.Sub(now))
	a.layout()
}

func (a *App) dragPicture(m ui.Mouse) {
	if far := m.At.Sub(m.From); !a.drag.moved && max(far.X, -far.X, far.Y, -far.Y) < 4 {
		return // a short movement is still a click
	}
	a.drag.moved = true
	d, size := m.At.Sub(a.drag.at), float64(max(a.win.dest.Dy(), 1))
	a.drag.at = m.At
	switch {
	case !a.info.Camera || a.drag.button == ButtonMiddle:
		a.win.shift = a.win.shift.Add(d)
		a.layout()
	case a.drag.button == ButtonRight:
		a.pan(-float64(d.X)/size, float64(d.Y)/size)
	default:
		a.orbit(-float64(d.X)/size*math.Pi, float64(d.Y)/size*math.Pi)
	}
}

// pixels returns the size of the picture in pixels of the console.
func (a *App) pixels() image.Point {
	return cmp.Or(a.picture.Own, a.picture.Image.Rect.Size())
}

// pixelAt returns the pixel of the picture at a point of the window.
func (a *App) pixelAt(p image.Point) (image.Point, bool) {
	if a.picture == nil || !p.In(a.win.dest.Intersect(a.win.area)) {
		return image.Point{}, false
	}
	s := a.pixels()
	d := p.Sub(a.win.dest.Min)
	return image.Pt(d.X*s.X/a.win.dest.Dx(), d.Y*s.Y/a.win.dest.Dy()), true
}
