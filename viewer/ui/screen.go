package ui

import (
	"image"
	"time"
)

// Screen is a canvas with zones that react to the mouse. Everything drawn that reacts adds a Zone for its rectangle, so hits are
// tested on exactly what was drawn. Later zones lie above earlier ones.
//
// A picture of the interface is made between Begin and End; events come between pictures and act on the zones of the last one. Other
// events may have come first, so the functions of a zone name what they act on (by key, path, or value, never by the position in a list
// that was drawn), look it up when they are called, and do nothing if it is gone.
type Screen struct {
	*Canvas
	zones   []Zone
	of      Popup // of the zones being added
	pressed *Zone // where the button was pressed
	from    image.Point
	button  Button
	mods    Mods
	clicks  int
	since   time.Time // of the last press
	at      image.Point
	hot     Zone      // under the mouse in the last picture
	moved   time.Time // when the mouse moved last; zero if a key or button came since
	tipped  bool      // the last picture shows the tip beside the mouse

	focus  Keys
	popups []Popup
	text   string // the clipboard, if the system has none

	Now func() time.Time // the clock of double clicks
	// SetClipboard and Clipboard access the system's clipboard; if nil, copies stay in this window.
	SetClipboard func(text string)
	Clipboard    func() string
}

// Zone is a rectangle that reacts to the mouse. For a nil function the zone below reacts instead.
type Zone struct {
	Rect    image.Rectangle
	Tip     string                      // shown while the mouse is over it
	Plain   bool                        // the tip says only what is written there
	Shape   Shape                       // of the mouse
	Under   func(at image.Point) string // describes the point under the mouse, shown before the tip; may be nil
	Press   func(m Mouse)
	Drag    func(m Mouse) // the mouse moved while the button was held
	Release func(m Mouse)
	Wheel   func(notches float64) // up is positive

	of Popup // that it is part of; nil for what lies below all popups
}

// Shape is the shape of the mouse over a zone, which says what it does there.
type Shape uint8

const (
	Arrow  Shape = iota
	Hand         // it follows a link, or takes hold
	Beam         // it writes
	Across       // it moves to the left and right
	Along        // it moves up and down
	Cross        // it draws
	NumShapes
)

// Mouse is the state of the mouse for a zone.
type Mouse struct {
	At     image.Point
	From   image.Point // where the button was pressed
	Button Button
	Mods   Mods
	Clicks int // 2 for the press of a double click, and so on
}

// Popup is above everything else, receives all keys, and closes when the mouse is pressed outside of it.
type Popup interface {
	Keys
	// Draw draws it and adds its zones.
	Draw(s *Screen)
}

// NewScreen returns an empty screen.
func NewScreen() *Screen {
	return &Screen{Canvas: newCanvas(1, 1, 1), Now: time.Now, at: image.Pt(-1, -1)}
}

// Begin clears the screen and sets its size in pixels and the pixels per unit.
func (s *Screen) Begin(w, h int, scale float64) {
	s.Canvas.reset(w, h, scale)
	s.zones = s.zones[:0]
}

// End draws the popups. It reports whether another zone is under the mouse than
// before; then the drawn picture does not highlight it yet.
func (s *Screen) End() (other bool) {
	for i := 0; i < len(s.popups); i++ {
		p := s.popups[i]
		s.of = p
		s.Add(Zone{Rect: s.Img.Rect, Press: func(Mouse) { s.Close(p) }, Wheel: func(float64) {}})
		p.Draw(s)
	}
	s.of = nil
	was := s.hot
	s.hot = s.hotZone()
	if s.tipped = s.TipDue() == 0; s.tipped {
		s.drawTip()
	}
	return s.hot.Rect != was.Rect || s.hot.Tip != was.Tip
}

// tipPause is how long the mouse rests before the tip shows beside it.
const tipPause = 600 * time.Millisecond

// TipDue returns how long it takes until a tip shows beside the mouse, if that stays where it is: 0 now, negative never.
func (s *Screen) TipDue() time.Duration {
	if s.moved.IsZero() || s.pressed != nil || s.hot.Tip == "" || s.hot.Plain {
		return -1
	}
	return max(tipPause-s.Now().Sub(s.moved), 0)
}

// Tipped reports whether the last picture shows a tip beside the mouse.
func (s *Screen) Tipped() bool { return s.tipped }

// drawTip draws the tip beside the mouse.
func (s *Screen) drawTip() {
	lines, w := Wrap(s.hot.Tip, min(60, s.Columns(s.Img.Rect.Dx()/2))), 0
	for _, l := range lines {
		w = max(w, s.Width(l))
	}
	pad := s.Units(4)
	r := image.Rect(0, 0, w+2*pad, len(lines)*s.line+2*pad)
	at := s.at.Add(image.Pt(s.Units(12), s.Units(18)))
	if at.Y+r.Dy() > s.Img.Rect.Max.Y {
		at.Y = s.at.Y - r.Dy() - s.Units(4)
	}
	r = r.Add(image.Pt(max(min(at.X, s.Img.Rect.Max.X-r.Dx()), 0), max(at.Y, 0)))
	s.Fill(r, PanelHead)
	s.Frame(r, faint)
	for i, l := range lines {
		s.Text(r.Min.X+pad, r.Min.Y+pad+i*s.line, l, Text)
	}
}

// Shape returns the shape of the mouse where it is.
func (s *Screen) Shape() Shape { return s.hot.Shape }

// Add adds a zone, limited to the clip rectangle.
func (s *Screen) Add(z Zone) {
	z.Rect = z.Rect.Intersect(s.dst.Rect)
	if z.of = s.of; !z.Rect.Empty() {
		s.zones = append(s.zones, z)
	}
}

// Cover draws the background of a panel and hides the zones below it from the mouse.
func (s *Screen) Cover(r image.Rectangle) {
	s.Fill(r, opaque(Panel))
	s.Add(Zone{Rect: r, Press: func(Mouse) {}, Wheel: func(float64) {}})
}

// find returns the topmost zone at a point that satisfies is. A popup that opened or closed since the picture was drawn leaves
// nothing to find: what was under the mouse is covered or gone.
func (s *Screen) find(p image.Point, is func(*Zone) bool) *Zone {
	for i := len(s.zones) - 1; i >= 0; i-- {
		if z := &s.zones[i]; p.In(z.Rect) && is(z) {
			if z.of != s.Popup() {
				return nil
			}
			return z
		}
	}
	return nil
}

func (s *Screen) hotZone() (z Zone) {
	if s.pressed != nil {
		return *s.pressed
	}
	if f := s.find(s.at, func(z *Zone) bool { return z.Press != nil || z.Under != nil }); f != nil {
		return *f
	}
	return Zone{}
}

// Hot reports whether the mouse is over the zone with this rectangle and the zone reacts to a press.
func (s *Screen) Hot(r image.Rectangle) bool { return !s.hot.Rect.Empty() && r == s.hot.Rect }

// Tip returns the tip of the zone under the mouse.
func (s *Screen) Tip() string {
	z := &s.hot
	if z.Under == nil {
		return z.Tip
	}
	if z.Tip == "" {
		return z.Under(s.at)
	}
	return z.Under(s.at) + "; " + z.Tip
}

// Where returns the middle of the topmost zone with a tip in the last picture, for tests and scripts that use the mouse.
func (s *Screen) Where(tip string) (p image.Point, ok bool) {
	for i := len(s.zones) - 1; i >= 0; i-- {
		if z := &s.zones[i]; z.Tip == tip && z.Press != nil {
			p = z.Rect.Min.Add(z.Rect.Max).Div(2)
			return p, s.find(p, func(z *Zone) bool { return z.Press != nil }) == z
		}
	}
	return image.Point{}, false
}

// AnyTip returns the tip of a zone of the last picture, for tests that press anything; pick chooses one of n.
func (s *Screen) AnyTip(pick func(n int) int) string {
	if len(s.zones) == 0 {
		return ""
	}
	return s.zones[pick(len(s.zones))].Tip
}

// Holding reports whether a button that was pressed on a zone is still held.
func (s *Screen) Holding() bool { return s.pressed != nil }

// doubleClick is the longest time between the presses of a double click.
const doubleClick = 400 * time.Millisecond

// Press handles a button press, and reports whether a zone used it.
func (s *Screen) Press(b Button, m Mods, p image.Point) bool {
	s.at, s.moved = p, time.Time{}
	if s.pressed != nil {
		return true // a second button
	}
	z := s.find(p, func(z *Zone) bool { return z.Press != nil })
	if z == nil {
		return false
	}
	near, now := image.Rectangle{p, p.Add(image.Pt(1, 1))}.Inset(-s.Units(3)), s.Now()
	if !s.from.In(near) || b != s.button || now.Sub(s.since) > doubleClick {
		s.clicks = 0
	}
	held := *z
	s.pressed, s.from, s.button, s.mods, s.clicks, s.since = &held, p, b, m, s.clicks+1, now
	z.Press(s.mouse())
	return true
}

func (s *Screen) mouse() Mouse {
	return Mouse{At: s.at, From: s.from, Button: s.button, Mods: s.mods, Clicks: s.clicks}
}

// Move handles a mouse movement, and reports whether the screen must be drawn again.
func (s *Screen) Move(p image.Point) bool {
	s.at, s.moved = p, s.Now()
	if s.pressed != nil {
		if s.pressed.Drag != nil && s.pressed.of == s.Popup() {
			s.pressed.Drag(s.mouse())
		}
		return true
	}
	was := s.hot.Rect
	s.hot = s.hotZone()
	return s.hot.Rect != was || s.hot.Under != nil || s.tipped
}

// Release handles a button release.
func (s *Screen) Release(p image.Point) {
	s.at = p
	z := s.pressed
	s.pressed = nil
	if z != nil && z.Release != nil {
		z.Release(s.mouse())
	}
}

// LetGo ends a press as if there had been none, and closes the popup that it was in.
func (s *Screen) LetGo() {
	s.Close(s.pressed.of)
	s.pressed = nil
}

// Wheel handles the wheel, in notches, up positive, and reports whether a zone used it.
func (s *Screen) Wheel(notches float64) bool {
	z := s.find(s.at, func(z *Zone) bool { return z.Wheel != nil })
	if z == nil {
		return false
	}
	z.Wheel(notches)
	return true
}

// Forget drops the zones of the last picture and closes popups, because they are about something that is gone.
func (s *Screen) Forget() { s.zones, s.pressed, s.hot, s.popups = s.zones[:0], nil, Zone{}, nil }

// At returns the last position of the mouse.
func (s *Screen) At() image.Point { return s.at }

// Focus sets the receiver of keys and characters; nil for none.
func (s *Screen) Focus(k Keys) { s.focus = k }

// Focused returns the receiver of keys and characters.
func (s *Screen) Focused() Keys { return s.focus }

// Open opens a popup above everything else.
func (s *Screen) Open(p Popup) { s.popups = append(s.popups, p) }

// Close closes a popup and those opened after it.
func (s *Screen) Close(p Popup) {
	for i, q := range s.popups {
		if p == q {
			s.popups = s.popups[:i]
			return
		}
	}
}

// Popup returns the topmost popup, or nil.
func (s *Screen) Popup() Popup {
	if n := len(s.popups); n > 0 {
		return s.popups[n-1]
	}
	return nil
}

// Key handles a key press or repeat, and reports whether it was used.
func (s *Screen) Key(k Key, m Mods) bool {
	s.moved = time.Time{}
	if p := s.Popup(); p != nil {
		used := p.Key(k, m)
		if !used && k == KeyEscape {
			s.Close(p)
			used = true
		}
		return used || s.Popup() != nil
	}
	return s.focus != nil && s.focus.Key(k, m)
}

// Char handles a typed character, and reports whether it was used.
func (s *Screen) Char(r rune) bool {
	if p := s.Popup(); p != nil {
		p.Char(r)
		return true
	}
	return s.focus != nil && s.focus.Char(r)
}

// Copy copies text to the clipboard.
func (s *Screen) Copy(text string) {
	s.text = text
	if s.SetClipboard != nil {
		s.SetClipboard(text)
	}
}

// Paste returns the text on the clipboard.
func (s *Screen) Paste() string {
	if s.Clipboard != nil {
		return s.Clipboard()
	}
	return s.text
}
