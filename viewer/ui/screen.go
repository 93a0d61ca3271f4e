package ui

import "image"

// Screen is a canvas with what can be pointed at on it. Everything that is
// drawn and reacts adds a Zone for the rectangle that it was drawn in, so that
// hits are tested on what was drawn, and on nothing else. Zones drawn later lie
// above those drawn before.
//
// A picture of the interface is made between Begin and End; what the user does
// comes between two pictures, and acts on the zones of the last one.
type Screen struct {
	*Canvas
	zones  []Zone
	held   *Zone // that the button went down on
	from   image.Point
	button Button
	mods   Mods
	at     image.Point
	hot    image.Rectangle // of the zone under the mouse

	focus  Keys
	popups []Popup
	text   string // the clipboard, where the system has none

	// SetClipboard and Clipboard are the system's; nil keeps copies to this
	// window.
	SetClipboard func(text string)
	Clipboard    func() string
}

// Zone is a rectangle that reacts to the mouse. Nil functions let what lies
// below react.
type Zone struct {
	Rect    image.Rectangle
	Tip     string                      // what is said of it while the mouse is there
	Under   func(at image.Point) string // what is said, before the tip, of what lies under the mouse; may be nil
	Press   func(m Mouse)
	Drag    func(m Mouse) // the mouse moved while the button is held
	Release func(m Mouse)
	Wheel   func(notches float64) // up is positive
}

// Mouse is what a zone is told of the mouse.
type Mouse struct {
	At     image.Point
	From   image.Point // where the button went down
	Button Button
	Mods   Mods
}

// Popup lies above everything else, takes all keys, and goes away when the
// mouse is pressed beside it.
type Popup interface {
	Keys
	// Draw draws it and adds its zones.
	Draw(s *Screen)
}

// NewScreen makes an empty screen.
func NewScreen() *Screen { return &Screen{Canvas: newCanvas(1, 1, 1), at: image.Pt(-1, -1)} }

// Begin empties the screen and gives it a size in pixels, and pixels per unit.
func (s *Screen) Begin(w, h int, scale float64) {
	s.Canvas.reset(w, h, scale)
	s.zones = s.zones[:0]
}

// End draws the popups. It reports whether another zone lies under the mouse than before:
// then what was drawn does not have it highlighted yet.
func (s *Screen) End() (other bool) {
	for i := 0; i < len(s.popups); i++ {
		p := s.popups[i]
		s.Add(Zone{Rect: s.Img.Rect, Press: func(Mouse) { s.Close(p) }, Wheel: func(float64) {}})
		p.Draw(s)
	}
	was := s.hot
	s.hot = s.hotZone().Rect
	return s.hot != was
}

// Add adds a zone, as far as it lies in the clip.
func (s *Screen) Add(z Zone) {
	z.Rect = z.Rect.Intersect(s.dst.Rect)
	if !z.Rect.Empty() {
		s.zones = append(s.zones, z)
	}
}

// Cover draws the background of a panel; what lies below is out of reach.
func (s *Screen) Cover(r image.Rectangle) {
	s.Fill(r, Panel)
	s.Add(Zone{Rect: r, Press: func(Mouse) {}, Wheel: func(float64) {}})
}

// find is the topmost zone at a point for which is holds.
func (s *Screen) find(p image.Point, is func(*Zone) bool) *Zone {
	for i := len(s.zones) - 1; i >= 0; i-- {
		if z := &s.zones[i]; p.In(z.Rect) && is(z) {
			return z
		}
	}
	return nil
}

func (s *Screen) hotZone() (z Zone) {
	if s.held != nil {
		return *s.held
	}
	if f := s.find(s.at, func(z *Zone) bool { return z.Press != nil || z.Under != nil }); f != nil {
		return *f
	}
	return Zone{}
}

// Hot reports whether the mouse is on the zone that has this rectangle, and it
// would react to a press.
func (s *Screen) Hot(r image.Rectangle) bool { return !s.hot.Empty() && r == s.hot }

// Tip is what the zone under the mouse says of itself.
func (s *Screen) Tip() string {
	z := s.hotZone()
	if z.Under == nil {
		return z.Tip
	}
	if z.Tip == "" {
		return z.Under(s.at)
	}
	return z.Under(s.at) + "; " + z.Tip
}

// Where is the middle of the topmost zone with a tip, as it was drawn, for tests
// and for scripts that use the mouse.
func (s *Screen) Where(tip string) (p image.Point, ok bool) {
	for i := len(s.zones) - 1; i >= 0; i-- {
		if z := &s.zones[i]; z.Tip == tip && z.Press != nil {
			p = z.Rect.Min.Add(z.Rect.Max).Div(2)
			return p, s.find(p, func(z *Zone) bool { return z.Press != nil }) == z
		}
	}
	return image.Point{}, false
}

// Holding reports whether a button is held that went down on a zone.
func (s *Screen) Holding() bool { return s.held != nil }

// Press handles a button that went down, and reports whether a zone took it.
func (s *Screen) Press(b Button, m Mods, p image.Point) bool {
	s.at = p
	if s.held != nil {
		return true // a second button
	}
	z := s.find(p, func(z *Zone) bool { return z.Press != nil })
	if z == nil {
		return false
	}
	held := *z
	s.held, s.from, s.button, s.mods = &held, p, b, m
	z.Press(s.mouse())
	return true
}

func (s *Screen) mouse() Mouse { return Mouse{At: s.at, From: s.from, Button: s.button, Mods: s.mods} }

// Move handles a movement of the mouse, and reports whether anything is to be
// drawn anew.
func (s *Screen) Move(p image.Point) bool {
	s.at = p
	if s.held != nil {
		if s.held.Drag != nil {
			s.held.Drag(s.mouse())
		}
		return true
	}
	was, z := s.hot, s.hotZone()
	s.hot = z.Rect
	return s.hot != was || z.Under != nil
}

// Release handles a button that went up.
func (s *Screen) Release(p image.Point) {
	s.at = p
	z := s.held
	s.held = nil
	if z != nil && z.Release != nil {
		z.Release(s.mouse())
	}
}

// Wheel handles the wheel, in notches, up positive, and reports whether a zone
// took it.
func (s *Screen) Wheel(notches float64) bool {
	z := s.find(s.at, func(z *Zone) bool { return z.Wheel != nil })
	if z == nil {
		return false
	}
	z.Wheel(notches)
	return true
}

// At is where the mouse was last.
func (s *Screen) At() image.Point { return s.at }

// Focus says what keys and characters go to; nil to nothing.
func (s *Screen) Focus(k Keys) { s.focus = k }

// Focused is what keys and characters go to.
func (s *Screen) Focused() Keys { return s.focus }

// Open shows a popup above everything else.
func (s *Screen) Open(p Popup) { s.popups = append(s.popups, p) }

// Close takes a popup away, and those that were opened above it.
func (s *Screen) Close(p Popup) {
	for i, q := range s.popups {
		if p == q {
			s.popups = s.popups[:i]
			return
		}
	}
}

// Popup is the topmost popup, or nil.
func (s *Screen) Popup() Popup {
	if n := len(s.popups); n > 0 {
		return s.popups[n-1]
	}
	return nil
}

// Key handles a key that went down or repeats, and reports whether it was used.
func (s *Screen) Key(k Key, m Mods) bool {
	if p := s.Popup(); p != nil {
		if !p.Key(k, m) && k == KeyEscape {
			s.Close(p)
		}
		return true
	}
	return s.focus != nil && s.focus.Key(k, m)
}

// Char handles a typed character, likewise.
func (s *Screen) Char(r rune) bool {
	if p := s.Popup(); p != nil {
		p.Char(r)
		return true
	}
	return s.focus != nil && s.focus.Char(r)
}

// Copy puts text on the clipboard.
func (s *Screen) Copy(text string) {
	s.text = text
	if s.SetClipboard != nil {
		s.SetClipboard(text)
	}
}

// Paste is the text on the clipboard.
func (s *Screen) Paste() string {
	if s.Clipboard != nil {
		return s.Clipboard()
	}
	return s.text
}
