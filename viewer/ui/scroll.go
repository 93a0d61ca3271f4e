package ui

import "image"

// Scroll is a scrolling area. It does not know its contents and has no selection: wheel and bar only move the view.
type Scroll struct {
	Offset int    // pixels of the contents above the view
	height int    // height of the contents
	view   int    // height of the view
	grab   int    // where the bar was grabbed
	show   [2]int // range of the contents that the next picture must show
}

// Begin starts the area: contents of a height, in pixels, seen through r. It clips drawing and zones to the view and returns the
// rectangle of the whole contents in the window, which is narrower than r by the bar. end draws the bar and restores the clip.
func (sc *Scroll) Begin(s *Screen, r image.Rectangle, height int) (contents image.Rectangle, end func()) {
	sc.view, sc.height = max(r.Dy(), 0), height
	if y0, y1 := sc.show[0], sc.show[1]; y1 > y0 {
		sc.Offset = min(max(sc.Offset, y1-sc.view), y0)
		sc.show = [2]int{}
	}
	sc.limit()
	view := r
	view.Max.X -= s.Units(scrollUnits)
	s.Add(Zone{Rect: r, Wheel: func(notches float64) { sc.by(int(-notches * float64(3*s.Line()))) }})
	unclip := s.Clip(view)
	contents = image.Rect(view.Min.X, view.Min.Y-sc.Offset, view.Max.X, view.Min.Y-sc.Offset+height)
	return contents, func() {
		unclip()
		sc.bar(s, r)
	}
}

// scrollUnits is the width of the bar in units.
const scrollUnits = 8

func (sc *Scroll) bar(s *Screen, r image.Rectangle) {
	if sc.height <= sc.view || sc.view == 0 {
		return
	}
	track := image.Rect(r.Max.X-s.Units(scrollUnits), r.Min.Y, r.Max.X, r.Max.Y)
	size := min(max(sc.view*sc.view/sc.height, s.Units(12)), sc.view)
	room := max(sc.view-size, 1)
	y := track.Min.Y + sc.Offset*room/(sc.height-sc.view)
	thumb := image.Rect(track.Min.X+s.Units(2), y, track.Max.X-s.Units(2), y+size)
	col := faint
	if s.Hot(track) {
		col = Dim
	}
	s.Fill(thumb, col)
	to := func(m Mouse) { sc.Offset = (m.At.Y - sc.grab - track.Min.Y) * (sc.height - sc.view) / room; sc.limit() }
	s.Add(Zone{Rect: track, Press: func(m Mouse) {
		sc.grab = m.At.Y - thumb.Min.Y
		if m.At.Y < thumb.Min.Y || m.At.Y >= thumb.Max.Y {
			sc.grab = size / 2
		}
		to(m)
	}, Drag: to})
}

func (sc *Scroll) limit() { sc.Offset = max(min(sc.Offset, sc.height-sc.view), 0) }

// by scrolls by pixels; down is positive.
func (sc *Scroll) by(px int) { sc.Offset += px; sc.limit() }

// page returns the height of the view less one line, in pixels.
func (sc *Scroll) page(line int) int { return max(sc.view-line, line) }

// step returns by how many rows, of n with a height, a key moves.
func (sc *Scroll) step(k Key, line, n int) (by int, ok bool) {
	page := max(sc.page(max(line, 1))/max(line, 1), 1)
	by, ok = map[Key]int{KeyUp: -1, KeyDown: 1, KeyPageUp: -page, KeyPageDown: page, KeyHome: -n, KeyEnd: n}[k]
	return by, ok
}

// reveal makes the next picture show the contents from y0 to y1, with the least scrolling.
func (sc *Scroll) reveal(y0, y1 int) { sc.show = [2]int{y0, y1} }

// Key scrolls with the arrows, by a page, or to an end, and reports whether k is one of those keys.
func (sc *Scroll) Key(k Key, line int) bool {
	by, ok := map[Key]int{KeyUp: -line, KeyDown: line, KeyPageUp: -sc.page(line), KeyPageDown: sc.page(line), KeyHome: -sc.height, KeyEnd: sc.height}[k]
	sc.by(by)
	return ok
}
