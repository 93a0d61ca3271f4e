package ui

import (
	"fmt"
	"image"
	"math"
)

// Curve shows evenly spaced numbers as a curve that can be drawn with the
// mouse: values that the mouse passes over take its height.
type Curve struct {
	Values   []float64
	Min, Max float64
	From, To float64          // inputs of the first and of the last number
	now      func() []float64 // returns what Values are now, when the mouse draws; nil if they never move
	onEdit   func(done bool)  // called when a value changed; done when the button was released
	ReadOnly bool
	Reads    []float64 // marked inputs, where a pixel read the table; also between two numbers
}

// Draw draws the curve in r.
func (v *Curve) Draw(s *Screen, r image.Rectangle) {
	s.Fill(r, well)
	s.Frame(r, faint)
	in := r.Inset(s.Units(2))
	n := len(v.Values)
	if in.Empty() || n == 0 {
		return
	}
	span := v.Max - v.Min
	if span <= 0 {
		span = 1
	}
	at := func(i int) image.Point {
		x := in.Min.X
		if n > 1 {
			x += i * (in.Dx() - 1) / (n - 1)
		}
		share := min(max((v.Values[i]-v.Min)/span, 0), 1)
		return image.Pt(x, in.Max.Y-1-int(share*float64(in.Dy()-1)+0.5))
	}
	if v.Min < 0 && v.Max > 0 {
		y := in.Max.Y - 1 - int(-v.Min/span*float64(in.Dy()-1)+0.5)
		s.Stroke(image.Pt(in.Min.X, y), image.Pt(in.Max.X-1, y), faint)
	}
	for q := 1; q < 4; q++ {
		x := in.Min.X + q*in.Dx()/4
		s.Fill(image.Rect(x, in.Min.Y, x+1, in.Max.Y), PanelHead)
	}
	undo := s.Clip(in)
	for i := 0; i+1 < n; i++ {
		s.Stroke(at(i), at(i+1), Accent)
	}
	if n == 1 {
		s.Stroke(at(0), image.Pt(in.Max.X-1, at(0).Y), Accent)
	}
	for _, x := range v.Reads {
		if v.To == v.From {
			break
		}
		share := min(max((x-v.From)/(v.To-v.From), 0), 1)
		px := in.Min.X + int(share*float64(in.Dx()-1)+0.5)
		s.Fill(image.Rect(px, in.Min.Y, px+1, in.Max.Y), Changed)
	}
	if line := s.Line(); in.Dy() >= 4*line { // the axes
		number := func(x float64) string { return fmt.Sprintf("%.3g", x) }
		s.Text(in.Min.X+s.Units(2), in.Min.Y, number(v.Max), Dim)
		s.Text(in.Min.X+s.Units(2), in.Max.Y-line, number(v.Min)+" at "+number(v.From), Dim)
		to := "at " + number(v.To)
		s.Text(in.Max.X-s.Units(2)-s.Width(to), in.Max.Y-line, to, Dim)
	}
	undo()
	under := func(p image.Point) string {
		i := v.index(in, p.X)
		x := v.From + float64((v.To-v.From)*float64(i)/float64(max(n-1, 1)))
		text := fmt.Sprintf("at %.4g: %.4g (entry %d)", x, v.Values[i], i)
		for k, x := range v.Reads {
			if k == 0 {
				text += "; the pixel reads it at"
			}
			text += fmt.Sprintf(" %.4g", x)
		}
		return text
	}
	if v.ReadOnly {
		s.Add(Zone{Rect: r, Under: under})
		return
	}
	last := image.Point{}
	set := func(m Mouse) {
		if v.now != nil {
			v.Values = v.now()
		}
		if len(v.Values) != n {
			return // the table is gone, or another
		}
		v.put(in, last, m.At, span)
		last = m.At
		if v.onEdit != nil {
			v.onEdit(false)
		}
	}
	s.Add(Zone{Rect: r, Tip: "draw with the mouse", Shape: Cross, Under: under, Press: func(m Mouse) { last = m.At; set(m) }, Drag: set, Release: func(Mouse) {
		if v.onEdit != nil {
			v.onEdit(true)
		}
	}})
}

// index returns the number that is nearest to a column.
func (v *Curve) index(in image.Rectangle, x int) int {
	n := len(v.Values)
	return min(max(int(math.Round(float64(x-in.Min.X)*float64(n-1)/float64(max(in.Dx()-1, 1)))), 0), n-1)
}

// put sets the values between two mouse positions to a line between them.
func (v *Curve) put(in image.Rectangle, from, to image.Point, span float64) {
	value := func(y int) float64 {
		share := min(max(float64(in.Max.Y-1-y)/float64(max(in.Dy()-1, 1)), 0), 1)
		return math.Round((v.Min+float64(share*span))*1e4) / 1e4
	}
	a, b := v.index(in, from.X), v.index(in, to.X)
	step := 1
	if b < a {
		step = -1
	}
	for i := a; ; i += step {
		t := 1.0
		if a != b {
			t = float64(i-a) / float64(b-a)
		}
		ya, yb := value(from.Y), value(to.Y)
		v.Values[i] = ya + float64((yb-ya)*t)
		if i == b {
			return
		}
	}
}
