package ui

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// ButtonStyle is the state of a button.
type ButtonStyle struct {
	Tip string
	On  bool // it is pressed
	Off bool // it is disabled
}

// Button draws a button with centred text in r; do is called when it is
// pressed.
func (s *Screen) Button(r image.Rectangle, text string, style ButtonStyle, do func()) {
	col := Text
	switch {
	case style.Off:
		col = faint
	case style.On:
		s.Fill(r, Selected)
	}
	if !style.Off && s.Hot(r) {
		s.Fill(r, hover)
	}
	text = s.Fit(text, r.Dx())
	s.Text(r.Min.X+(r.Dx()-s.Width(text))/2, r.Min.Y+(r.Dy()-s.Line())/2, text, col)
	s.Add(Zone{Rect: r, Tip: style.Tip, Plain: style.Tip == text, Press: func(m Mouse) {
		if !style.Off && m.Button == ButtonLeft {
			do()
		}
	}})
}

// Dialog draws the background of a dialog of w by h pixels, or less if there is
// no room, and returns the rectangle for its contents.
func (s *Screen) Dialog(w, h int) image.Rectangle {
	full, pad := s.Img.Rect, s.Units(8)
	w, h = min(w, full.Dx()-2*pad), min(h, full.Dy()-2*pad)
	r := image.Rect(0, 0, w, h).Add(image.Pt((full.Dx()-w)/2, (full.Dy()-h)/3))
	s.Cover(r)
	s.Frame(r, Selected)
	return r.Inset(pad)
}

// ButtonWidth returns the width in pixels of a button with a text.
func (s *Screen) ButtonWidth(text string) int { return s.Width(text) + s.Units(12) }

// Tabs is a row of names of which one is selected.
type Tabs struct {
	Names    []string
	At       int // index of the selected name
	OnSelect func()
}

// Draw draws the tabs at the upper edge of r and returns the rest of r.
func (t *Tabs) Draw(s *Screen, r image.Rectangle) image.Rectangle {
	h := s.Line() + s.Units(6)
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+h)
	s.Fill(head, PanelHead)
	x := r.Min.X
	// If there is not enough room, they share the width.
	all := 0
	for _, n := range t.Names {
		all += s.ButtonWidth(n)
	}
	for i, n := range t.Names {
		w := s.ButtonWidth(n)
		if all > r.Dx() {
			w = r.Dx() / len(t.Names)
		}
		b := image.Rect(x, r.Min.Y, x+w, r.Min.Y+h)
		s.Button(b, n, ButtonStyle{Tip: n}, func() { t.selectNamed(n) })
		if i == t.At {
			s.Fill(image.Rect(b.Min.X, b.Max.Y-s.Units(2), b.Max.X, b.Max.Y), Accent)
		}
		x += w
	}
	r.Min.Y += h
	return r
}

func (t *Tabs) selectNamed(name string) {
	if i := slices.Index(t.Names, name); i >= 0 {
		t.Select(i)
	}
}

// Select selects a tab.
func (t *Tabs) Select(to int) {
	if n := len(t.Names); n > 0 {
		t.At = ((to % n) + n) % n
		if t.OnSelect != nil {
			t.OnSelect()
		}
	}
}

// Push is a button of a row.
type Push struct {
	Text  string
	Style ButtonStyle
	Do    func()
}

// Pushes draws a row of buttons at the left end of r, and returns the rest.
func (s *Screen) Pushes(r image.Rectangle, list ...Push) image.Rectangle {
	for _, p := range list {
		w := s.ButtonWidth(p.Text)
		s.Button(image.Rect(r.Min.X, r.Min.Y, r.Min.X+w, r.Max.Y), p.Text, p.Style, p.Do)
		r.Min.X += w
	}
	return r
}

// PushesRight draws a row of buttons at the right end of r, as many as fit, and returns the rest.
func (s *Screen) PushesRight(r image.Rectangle, list ...Push) image.Rectangle {
	for _, p := range slices.Backward(list) {
		if w := s.ButtonWidth(p.Text); w < r.Dx() {
			r.Max.X -= w
			s.Button(image.Rect(r.Max.X, r.Min.Y, r.Max.X+w, r.Max.Y), p.Text, p.Style, p.Do)
		}
	}
	return r
}

// Lines draws a wrapped text in r, at most a number of lines, and returns the rest.
func (s *Screen) Lines(r image.Rectangle, text string, most int, col color.RGBA) image.Rectangle {
	lines := Wrap(text, s.Columns(max(r.Dx(), 1)))
	for _, l := range lines[:min(len(lines), most)] {
		s.Text(r.Min.X, r.Min.Y, l, col)
		r.Min.Y += s.Line()
	}
	return r
}

// Split divides a rectangle in two with a bar between them that the mouse can
// move.
type Split struct {
	// Size is the size in units of the second part (right or lower); with First, of
	// the first part.
	Size  int
	First bool
	Least int    // minimum size of each part, in units
	Below bool   // the second part lies below the first
	Tip   string // of the bar
}

// Draw divides r and draws the bar between the parts. A part is never smaller
// than Least, or than half of r if there is no room for that.
func (p *Split) Draw(s *Screen, r image.Rectangle) (first, second image.Rectangle) {
	first, second = p.Parts(s.Canvas, r)
	bar := image.Rect(first.Max.X, r.Min.Y, second.Min.X, r.Max.Y)
	if p.Below {
		bar = image.Rect(r.Min.X, first.Max.Y, r.Max.X, second.Min.Y)
	}
	s.Fill(bar, PanelHead)
	if s.Hot(bar) {
		s.Fill(bar, Accent)
	}
	shape := Across
	if p.Below {
		shape = Along
	}
	s.Add(Zone{Rect: bar, Tip: cmp.Or(p.Tip, "drag to divide the window"), Plain: true, Shape: shape, Press: func(Mouse) {}, Drag: func(m Mouse) {
		px := r.Max.X - m.At.X
		switch {
		case p.Below:
			px = r.Max.Y - m.At.Y
		case p.First:
			px = m.At.X - r.Min.X
		}
		p.Size = int(float64(px-s.Units(barUnits)/2) / s.Scale)
		first, now := p.Parts(s.Canvas, r)
		size := now.Dx()
		switch {
		case p.Below:
			size = now.Dy()
		case p.First:
			size = first.Dx()
		}
		p.Size = int(float64(size) / s.Scale)
	}})
	return first, second
}

// barUnits is the width of the bar of a Split in units.
const barUnits = 4

// Parts returns the two parts of r without drawing.
func (p *Split) Parts(c *Canvas, r image.Rectangle) (first, second image.Rectangle) {
	size, bar := r.Dx(), c.Units(barUnits)
	if p.Below {
		size = r.Dy()
	}
	least := min(c.Units(p.Least), (size-bar)/2)
	n := max(min(c.Units(p.Size), size-bar-least), least, 0)
	if p.First {
		n = size - bar - n
	}
	first, second = r, r
	if p.Below {
		second.Min.Y = r.Max.Y - n
		first.Max.Y = second.Min.Y - bar
	} else {
		second.Min.X = r.Max.X - n
		first.Max.X = second.Min.X - bar
	}
	return first, second
}

// Picture draws an image as large as fits into r, centred, on a chequered
// background where it is transparent, and returns its rectangle. Pixels are not
// interpolated.
func (s *Screen) Picture(r image.Rectangle, img image.Image) image.Rectangle {
	size := img.Bounds().Size()
	if size.X <= 0 || size.Y <= 0 || r.Empty() {
		return image.Rectangle{}
	}
	w, h := r.Dx(), max(r.Dx()*size.Y/size.X, 1)
	if h > r.Dy() {
		w, h = max(r.Dy()*size.X/size.Y, 1), r.Dy()
	}
	at := image.Pt(r.Min.X+(r.Dx()-w)/2, r.Min.Y+(r.Dy()-h)/2)
	dest := image.Rectangle{at, at.Add(image.Pt(w, h))}
	seen, b, cell := dest.Intersect(s.dst.Rect), img.Bounds(), max(s.Units(6), 1)
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		sy := b.Min.Y + (y-at.Y)*size.Y/h
		for x := seen.Min.X; x < seen.Max.X; x++ {
			pr, pg, pb, pa := img.At(b.Min.X+(x-at.X)*size.X/w, sy).RGBA()
			ground := uint32(0x3000)
			if ((x-at.X)/cell+(y-at.Y)/cell)%2 == 0 {
				ground = 0x5000
			}
			rest := ground * (0xFFFF - pa) / 0xFFFF
			s.dst.SetRGBA(x, y, color.RGBA{uint8((pr + rest) >> 8), uint8((pg + rest) >> 8), uint8((pb + rest) >> 8), 255})
		}
	}
	return dest
}
