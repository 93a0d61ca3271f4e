package ui

import (
	"image"
	"image/color"
	"math"
)

// picker is a popup that chooses a colour: a square of saturation and value, a
// bar of hues, and one of alpha where the colour has it.
type picker struct {
	values []float64 // red, green, blue and perhaps alpha, 0 to 1; changed in place
	at     image.Rectangle
	onEdit func(done bool) // a value changed; done when the button went up

	hue, saturation, value float64 // kept, as greys have no hue
	known                  [3]float64
	screen                 *Screen
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
	w, h := size+bars*(bar+pad)+2*pad, size+2*pad
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
	s.mark(image.Rectangle{mark, mark}.Inset(-s.Units(3)))
	p.zone(s, square, func(m Mouse) {
		p.saturation, p.value = share(m.At.X, square.Min.X, square.Max.X), 1-share(m.At.Y, square.Min.Y, square.Max.Y)
		p.set()
	})
	hues := image.Rect(square.Max.X+pad, square.Min.Y, square.Max.X+pad+bar, square.Max.Y)
	s.paint(hues, func(_, y int) color.RGBA { return sampleOf(rgb(share(y, hues.Min.Y, hues.Max.Y)*6, 1, 1)) })
	y := hues.Min.Y + int(p.hue/6*float64(size-1))
	s.mark(image.Rect(hues.Min.X, y-s.Units(2), hues.Max.X, y+s.Units(2)))
	p.zone(s, hues, func(m Mouse) { p.hue = min(share(m.At.Y, hues.Min.Y, hues.Max.Y)*6, 5.999); p.set() })
	if bars < 2 {
		return
	}
	alphas := hues.Add(image.Pt(bar+pad, 0))
	s.paint(alphas, func(_, y int) color.RGBA {
		a := uint8(255 * (1 - share(y, alphas.Min.Y, alphas.Max.Y)))
		return color.RGBA{a, a, a, 255}
	})
	y = alphas.Min.Y + int((1-min(max(p.values[3], 0), 1))*float64(size-1))
	s.mark(image.Rect(alphas.Min.X, y-s.Units(2), alphas.Max.X, y+s.Units(2)))
	p.zone(s, alphas, func(m Mouse) {
		p.values[3] = roundColor(1 - share(m.At.Y, alphas.Min.Y, alphas.Max.Y))
		p.edited(false)
	})
}

func (p *picker) zone(s *Screen, r image.Rectangle, to func(Mouse)) {
	s.Add(Zone{Rect: r, Press: to, Drag: to, Release: func(Mouse) { p.edited(true) }})
}

// set makes the values of hue, saturation and value.
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

// roundColor keeps what eight bits tell apart.
func roundColor(v float64) float64 { return math.Round(v*1e3) / 1e3 }

// Key implements Keys.
func (p *picker) Key(k Key, _ Mods) bool {
	if (k == KeyEnter || k == KeyPadEnter) && p.screen != nil {
		p.screen.Close(p)
		return true
	}
	return false
}

// Char implements Keys.
func (p *picker) Char(rune) bool { return false }

// paint sets every pixel of r.
func (c *Canvas) paint(r image.Rectangle, at func(x, y int) color.RGBA) {
	seen := r.Intersect(c.dst.Rect)
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		for x := seen.Min.X; x < seen.Max.X; x++ {
			c.dst.SetRGBA(x, y, at(x, y))
		}
	}
}

// mark frames r so that it is seen on every ground.
func (c *Canvas) mark(r image.Rectangle) {
	c.Frame(r.Inset(-c.Units(1)), color.RGBA{0, 0, 0, 255})
	c.Frame(r, color.RGBA{255, 255, 255, 255})
}

// rgb is the colour of a hue (0 red, 2 green, 4 blue, to 6), saturation and
// value.
func rgb(h, s, v float64) []float64 {
	f := func(n float64) float64 {
		k := math.Mod(n+h, 6)
		return v - float64(float64(v*s)*max(0, min(k, 4-k, 1)))
	}
	return []float64{f(5), f(3), f(1)}
}

// hsv is the opposite of rgb.
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
