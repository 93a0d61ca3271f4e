package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
)

// picker is a popup for a colour: a square of saturation and value, a bar of hues, one of alpha if the colour has it, and fields
// for the colour in hexadecimal and as numbers.
type picker struct {
	values []float64 // red, green, blue and perhaps alpha, 0 to 1; modified in place
	at     image.Rectangle
	onEdit func(done bool) // called when a value changed; done when the button was released

	hue, saturation, value float64 // kept, because greys have no hue
	known                  [3]float64
	screen                 *Screen

	fields  [2]Field                                               // hexadecimal, numbers
	typing  int                                                    // index of the active field, -1 for none
	problem string                                                 // error of the typed text
	parse   func(text string, values []float64) ([]float64, error) // parses numbers like the list
}

// newPicker returns a picker of values for the part at a rectangle.
func newPicker(values []float64, at image.Rectangle, parse func(string, []float64) ([]float64, error)) *picker {
	return &picker{values: values, at: at, typing: -1, parse: parse}
}

// Draw implements Popup.
func (p *picker) Draw(s *Screen) {
	p.screen = s
	if now := [3]float64{p.values[0], p.values[1], p.values[2]}; now != p.known {
		h, sat, v := hsv(now)
		if sat > 0 {
			p.hue = h
		}
		p.saturation, p.value, p.known = sat, v, now
	}
	pad := s.Units(6)
	size := min(s.Units(128), s.Img.Rect.Dy()-4*pad, s.Img.Rect.Dx()/2)
	bar := s.Units(14)
	bars := 1
	if len(p.values) > 3 {
		bars = 2
	}
	line := s.Line() + s.Units(4)
	w, h := max(size+bars*(bar+pad)+2*pad, s.Units(200)), size+3*pad+3*line
	if h > s.Img.Rect.Dy() {
		size = max(size-(h-s.Img.Rect.Dy()), 1)
		h = size + 3*pad + 3*line
	}
	at := image.Pt(max(min(p.at.Max.X-w, s.Img.Rect.Dx()-w), 0), p.at.Max.Y)
	if at.Y+h > s.Img.Rect.Dy() {
		at.Y = max(p.at.Min.Y-h, 0)
	}
	r := image.Rectangle{at, at.Add(image.Pt(w, h))}
	s.Cover(r)
	s.Fill(r, opaque(PanelHead))
	s.Frame(r, faint)
	square := image.Rect(r.Min.X+pad, r.Min.Y+pad, r.Min.X+pad+size, r.Min.Y+pad+size)
	share := func(v, from, to int) float64 { return min(max(float64(v-from)/float64(max(to-from-1, 1)), 0), 1) }
	s.paint(square, func(x, y int) color.RGBA {
		return sampleOf(rgb(p.hue, share(x, square.Min.X, square.Max.X), 1-share(y, square.Min.Y, square.Max.Y)))
	})
	mark := image.Pt(square.Min.X+int(p.saturation*float64(size-1)), square.Min.Y+int((1-p.value)*float64(size-1)))
	s.Mark(image.Rectangle{mark, mark}.Inset(-s.Units(3)))
	p.zone(s, square, func(m Mouse) {
		p.saturation, p.value = share(m.At.X, square.Min.X, square.Max.X), 1-share(m.At.Y, square.Min.Y, square.Max.Y)
		p.set()
	})
	hues := image.Rect(square.Max.X+pad, square.Min.Y, square.Max.X+pad+bar, square.Max.Y)
	s.paint(hues, func(_, y int) color.RGBA { return sampleOf(rgb(share(y, hues.Min.Y, hues.Max.Y)*6, 1, 1)) })
	y := hues.Min.Y + int(p.hue/6*float64(size-1))
	s.Mark(image.Rect(hues.Min.X, y-s.Units(2), hues.Max.X, y+s.Units(2)))
	p.zone(s, hues, func(m Mouse) { p.hue = min(share(m.At.Y, hues.Min.Y, hues.Max.Y)*6, 5.999); p.set() })
	for i := range p.fields {
		f := &p.fields[i]
		y := square.Max.Y + pad + i*line
		if p.typing != i {
			f.Set(p.text(i))
		}
		f.active, f.tip = p.typing == i, [...]string{"the colour in hexadecimal", "the colour as numbers"}[i]
		f.press = func() bool {
			other := p.typing != i
			if other {
				p.begin(i)
			}
			return other
		}
		f.Draw(s, image.Rect(r.Min.X+pad, y, r.Max.X-pad, y+line-s.Units(2)))
	}
	s.Text(r.Min.X+pad, square.Max.Y+pad+2*line, s.Fit(p.problem, r.Dx()-2*pad), Bad)
	if bars < 2 {
		return
	}
	alphas := hues.Add(image.Pt(bar+pad, 0))
	s.paint(alphas, func(_, y int) color.RGBA {
		a := uint8(255 * (1 - share(y, alphas.Min.Y, alphas.Max.Y)))
		return color.RGBA{a, a, a, 255}
	})
	y = alphas.Min.Y + int((1-min(max(p.values[3], 0), 1))*float64(size-1))
	s.Mark(image.Rect(alphas.Min.X, y-s.Units(2), alphas.Max.X, y+s.Units(2)))
	p.zone(s, alphas, func(m Mouse) {
		p.values[3] = roundColor(1 - share(m.At.Y, alphas.Min.Y, alphas.Max.Y))
		p.edited(false)
	})
}

func (p *picker) zone(s *Screen, r image.Rectangle, to func(Mouse)) {
	s.Add(Zone{Rect: r, Press: to, Drag: to, Release: func(Mouse) { p.edited(true) }})
}

// set computes the values from hue, saturation and value.
func (p *picker) set() {
	c := rgb(p.hue, p.saturation, p.value)
	for i := range 3 {
		p.values[i] = roundColor(c[i])
	}
	p.known = [3]float64{p.values[0], p.values[1], p.values[2]}
	p.edited(false)
}

func (p *picker) edited(done bool) {
	if p.onEdit != nil {
		p.onEdit(done)
	}
}

// roundColor rounds to eight bits.
func roundColor(v float64) float64 { return math.Round(v*1e3) / 1e3 }

// text returns the colour as shown in a field.
func (p *picker) text(field int) string {
	var b strings.Builder
	if field == 0 {
		b.WriteByte('#')
	}
	for i, v := range p.values {
		switch {
		case field == 0:
			fmt.Fprintf(&b, "%02X", uint8(min(max(v, 0), 1)*255+0.5))
		case i > 0:
			b.WriteString(" " + formatNumber(v))
		default:
			b.WriteString(formatNumber(v))
		}
	}
	return b.String()
}

// begin starts typing into a field.
func (p *picker) begin(field int) {
	p.typing, p.problem = field, ""
	f := &p.fields[field]
	f.Set(p.text(field))
	f.All()
}

// take applies the typed text, and reports whether it is a colour.
func (p *picker) take() bool {
	text := strings.TrimSpace(p.fields[p.typing].Text)
	var values []float64
	var err error
	if p.typing == 0 {
		values, err = fromHex(text, len(p.values))
	} else {
		values, err = p.parse(text, p.values)
	}
	if err != nil {
		p.problem = err.Error()
		return false
	}
	p.apply(values)
	p.typing, p.problem = -1, ""
	return true
}

// apply sets the first components.
func (p *picker) apply(values []float64) {
	was := slices.Clone(p.values)
	for i, v := range values {
		p.values[i] = min(max(v, 0), 1)
	}
	if !slices.Equal(was, p.values) {
		p.edited(true)
	}
}

// typed hands on what is typed, and applies a colour in hexadecimal as soon as it is whole.
func (p *picker) typed(to func(f *Field) bool) bool {
	f := &p.fields[p.typing]
	was := f.Text
	done := to(f)
	if values, err := fromHex(strings.TrimSpace(f.Text), len(p.values)); p.typing == 0 && f.Text != was && err == nil && len(f.Text) > 5 {
		p.apply(values)
	}
	return done
}

// fromHex parses two digits for each of n components, or one digit each, or only red, green and blue.
func fromHex(text string, n int) ([]float64, error) {
	digits := strings.TrimPrefix(text, "#")
	width := 2
	if len(digits) == 3 || len(digits) == 4 {
		width = 1
	}
	var out []float64
	for i := 0; i+width <= len(digits); i += width {
		v, err := strconv.ParseUint(digits[i:i+width], 16, 8)
		if err != nil {
			return nil, fmt.Errorf("%q is not a colour in hexadecimal", text)
		}
		if width == 1 {
			v *= 0x11
		}
		out = append(out, float64(v)/255)
	}
	if len(digits)%width != 0 || len(out) != 3 && len(out) != n {
		return nil, fmt.Errorf("%q: expected #RRGGBB", text)
	}
	return out, nil
}

// Key implements Keys: Tab goes to the fields.
func (p *picker) Key(k Key, m Mods) bool {
	switch {
	case k == KeyTab:
		if next := (p.typing + 1) % len(p.fields); p.typing < 0 || p.take() {
			p.begin(next)
		}
	case k == KeyEscape && p.typing >= 0:
		p.typing, p.problem = -1, ""
	case (k == KeyEnter || k == KeyPadEnter) && p.typing >= 0:
		p.take()
	case (k == KeyEnter || k == KeyPadEnter) && p.screen != nil:
		p.screen.Close(p)
	case p.typing >= 0:
		return p.typed(func(f *Field) bool { return f.Key(k, m) })
	case (k == 'Z' || k == 'Y') && m == Ctrl && p.screen != nil: // undo closes it
		p.screen.Close(p)
		return false
	default:
		return false
	}
	return true
}

// Char implements Keys: a character starts typing the colour in hexadecimal.
func (p *picker) Char(r rune) bool {
	if p.typing < 0 && r == '#' {
		p.begin(0)
	}
	return p.typing >= 0 && p.typed(func(f *Field) bool { return f.Char(r) })
}

// paint sets every pixel of r.
func (c *Canvas) paint(r image.Rectangle, at func(x, y int) color.RGBA) {
	seen := r.Intersect(c.dst.Rect)
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		for x := seen.Min.X; x < seen.Max.X; x++ {
			c.dst.SetRGBA(x, y, at(x, y))
		}
	}
}

// Mark frames r so that it is visible on every background.
func (c *Canvas) Mark(r image.Rectangle) {
	c.Frame(r.Inset(-c.Units(1)), color.RGBA{0, 0, 0, 255})
	c.Frame(r, color.RGBA{255, 255, 255, 255})
}

// rgb returns the colour of a hue (0 red, 2 green, 4 blue, to 6), saturation and value.
func rgb(h, s, v float64) []float64 {
	f := func(n float64) float64 {
		k := math.Mod(n+h, 6)
		return v - float64(float64(v*s)*max(0, min(k, 4-k, 1)))
	}
	return []float64{f(5), f(3), f(1)}
}

// hsv is the inverse of rgb.
func hsv(c [3]float64) (h, s, v float64) {
	for i := range c {
		c[i] = min(max(c[i], 0), 1)
	}
	v = max(c[0], c[1], c[2])
	d := v - min(c[0], c[1], c[2])
	if d == 0 {
		return 0, 0, v
	}
	switch v {
	case c[0]:
		h = math.Mod((c[1]-c[2])/d+6, 6)
	case c[1]:
		h = (c[2]-c[0])/d + 2
	default:
		h = (c[0]-c[1])/d + 4
	}
	return h, d / v, v
}
