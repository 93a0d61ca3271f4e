package ui

import (
	"image"
	"strings"
)

// Item is a row of a menu.
type Item struct {
	Text string
	Note string // at the right: a key, or why the item is disabled
	On   bool   // it is selected
	Off  bool   // it is disabled
	Dull bool   // shown faint, because it has little to show
	Line bool   // a separator line
	Do   func()
}

// Menu is a popup of rows from which the mouse or keys choose one.
type Menu struct {
	Items []Item
	// At is the rectangle that the menu belongs to. It opens below it, or above if
	// there is more room.
	At image.Rectangle
	// Side is called for the left (-1) and right arrow keys; may be nil.
	Side func(dir int)

	screen *Screen
	at     int
	moved  bool // by keys, so scroll to the selection
	scroll Scroll
}

// OpenMenu opens a menu below at, with the chosen row selected.
func (s *Screen) OpenMenu(at image.Rectangle, items []Item) *Menu {
	m := &Menu{Items: items, At: at, screen: s, at: -1}
	for i := range items {
		if items[i].On {
			m.at, m.moved = i, true
		}
	}
	s.Open(m)
	return m
}

// Choice draws the value of a drop-down in r; pressing it opens the list.
func (s *Screen) Choice(r image.Rectangle, text, tip string, items func() []Item) {
	if s.Hot(r) {
		s.Fill(r, hover)
	}
	s.Frame(r, faint)
	arrow, pad := "▼", s.Units(4)
	w := s.Width(arrow) + pad
	s.Text(r.Min.X+pad, r.Min.Y+(r.Dy()-s.Line())/2, s.Fit(text, r.Dx()-w-2*pad), Text)
	s.Text(r.Max.X-w, r.Min.Y+(r.Dy()-s.Line())/2, arrow, Dim)
	s.Add(Zone{Rect: r, Tip: tip, Press: func(Mouse) { s.OpenMenu(r, items()) }})
}

// Draw implements Popup.
func (m *Menu) Draw(s *Screen) {
	m.screen = s
	pad, line := s.Units(6), s.Line()+s.Units(2)
	w, gap := 0, 0
	for i := range m.Items {
		w = max(w, s.Width(m.Items[i].Text))
		if n := s.Width(m.Items[i].Note); n > 0 {
			gap = max(gap, n+2*pad)
		}
	}
	mark := s.Width("✓ ")
	size := image.Pt(max(mark+w+gap+2*pad+s.Units(scrollUnits), m.At.Dx()), len(m.Items)*line+pad)
	full := s.Img.Rect
	size.X = min(size.X, full.Dx())
	y := m.At.Max.Y
	if below, above := full.Max.Y-m.At.Max.Y, m.At.Min.Y; size.Y > below {
		if above > below {
			size.Y = min(size.Y, above)
			y = m.At.Min.Y - size.Y
		} else {
			size.Y = below
		}
	}
	x := max(min(m.At.Min.X, full.Max.X-size.X), 0)
	r := image.Rect(x, y, x+size.X, y+size.Y)
	s.Cover(r)
	s.Fill(r, PanelHead)
	s.Frame(r, faint)
	in := r.Inset(pad / 2)
	if m.moved && m.at >= 0 {
		m.scroll.reveal(m.at*line, (m.at+1)*line)
		m.moved = false
	}
	all, end := m.scroll.Begin(s, in, len(m.Items)*line)
	for i := range m.Items {
		it := &m.Items[i]
		row := image.Rect(all.Min.X, all.Min.Y+i*line, all.Max.X, all.Min.Y+(i+1)*line)
		if !row.Overlaps(in) {
			continue
		}
		if it.Line {
			s.Fill(image.Rect(row.Min.X+pad, row.Min.Y+line/2, row.Max.X-pad, row.Min.Y+line/2+s.Units(1)), faint)
			continue
		}
		if i == m.at && !it.Off {
			s.Fill(row, Selected)
		} else if s.Hot(row) && !it.Off {
			s.Fill(row, hover)
		}
		col, note := Text, Dim
		if it.Off || it.Dull {
			col, note = faint, faint
		}
		y := row.Min.Y + s.Units(1)
		if it.On {
			s.Text(row.Min.X, y, "●", Accent)
		}
		nw := s.Width(it.Note)
		s.Text(row.Min.X+mark, y, s.Fit(it.Text, row.Dx()-mark-pad-min(nw, row.Dx()/2)), col)
		fit := s.Fit(it.Note, row.Dx()/2)
		s.Text(row.Max.X-pad-s.Width(fit), y, fit, note)
		s.Add(Zone{Rect: row, Tip: it.Text, Plain: true, Press: func(Mouse) { m.take(it) }})
	}
	end()
}

// take closes the menu and runs the row's action.
func (m *Menu) take(it *Item) {
	if it.Off || it.Line || m.screen == nil {
		return
	}
	m.screen.Close(m)
	if it.Do != nil {
		it.Do()
	}
}

// Key implements Keys.
func (m *Menu) Key(k Key, _ Mods) bool {
	switch k {
	case KeyUp:
		m.step(-1)
	case KeyDown:
		m.step(1)
	case KeyHome:
		m.at = -1
		m.step(1)
	case KeyEnd:
		m.at = len(m.Items)
		m.step(-1)
	case KeyLeft, KeyRight:
		if m.Side != nil {
			m.screen.Close(m)
			m.Side(map[Key]int{KeyLeft: -1, KeyRight: 1}[k])
		}
	case KeyEnter, KeyPadEnter, ' ':
		if m.at >= 0 && m.at < len(m.Items) {
			m.take(&m.Items[m.at])
		}
	default:
		return false
	}
	return true
}

// Char selects the next row that begins with a character.
func (m *Menu) Char(r rune) bool {
	for k := range m.Items {
		i := (max(m.at, -1) + 1 + k) % len(m.Items)
		if it := &m.Items[i]; !it.Off && !it.Line && r != ' ' && strings.HasPrefix(strings.ToLower(it.Text), strings.ToLower(string(r))) {
			m.at, m.moved = i, true
			break
		}
	}
	return true
}

func (m *Menu) step(by int) {
	for i := m.at + by; i >= 0 && i < len(m.Items); i += by {
		if !m.Items[i].Off && !m.Items[i].Line {
			m.at, m.moved = i, true
			return
		}
	}
	m.at = min(max(m.at, -1), len(m.Items)-1)
}
