package golden

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"pica200/assets/imagefile"
)

// Tolerance is how far an image may differ from the approved one. The zero
// value requires equality; any other needs a Reason.
type Tolerance struct {
	// Delta is the greatest difference of a channel, in steps of the image: 0..255
	// for 8 bits a channel, 0..65535 for 16.
	Delta int `json:"delta,omitempty"`
	// Share is the percentage, 0..100, of compared pixels that may exceed Delta
	// (and Perceptual).
	Share float64 `json:"share,omitempty"`
	// Border is the width in pixels of a frame along the edges that is ignored.
	Border int `json:"border,omitempty"`
	// Perceptual, if greater than 0, accepts a pixel that exceeds Delta if its
	// perceived difference (see perceptual) is not greater, 0..1.
	Perceptual float64 `json:"perceptual,omitempty"`
	// FLIP, if greater than 0, accepts a whole picture if its mean error by FLIP is
	// not greater, 0..1. FLIP includes the border.
	FLIP float64 `json:"flip,omitempty"`
	// Reason is why the image cannot be exact.
	Reason string `json:"reason,omitempty"`
}

// Exact reports whether only identical images match.
func (t Tolerance) Exact() bool {
	return t.Delta == 0 && t.Share == 0 && t.Border == 0 && t.Perceptual == 0 && t.FLIP == 0
}

// Check returns an error for values out of range and for a missing reason.
func (t Tolerance) Check() error {
	switch {
	case t.Delta < 0 || t.Delta > 65535:
		return fmt.Errorf("tolerance delta %d is out of range; expected 0 to 65535", t.Delta)
	case !(t.Share >= 0 && t.Share <= 100):
		return fmt.Errorf("tolerance share %g is out of range; expected 0 to 100 percent", t.Share)
	case t.Border < 0 || t.Border > 1024:
		return fmt.Errorf("tolerance border %d is out of range; expected 0 to 1024 pixels", t.Border)
	case !(t.Perceptual >= 0 && t.Perceptual <= 1):
		return fmt.Errorf("tolerance perceptual %g is out of range; expected 0 to 1", t.Perceptual)
	case !(t.FLIP >= 0 && t.FLIP <= 1):
		return fmt.Errorf("tolerance flip %g is out of range; expected 0 to 1", t.FLIP)
	case !t.Exact() && t.Reason == "":
		return errors.New("a tolerance needs a reason")
	}
	return nil
}

// Comparison is the result of comparing two images.
type Comparison struct {
	Match     bool            `json:"match"`
	Message   string          `json:"message,omitempty"` // why not, in a sentence
	Compared  int             `json:"compared"`          // pixels inside the border
	Different int             `json:"different"`         // pixels that are not identical
	Exceeding int             `json:"exceeding"`         // pixels over the tolerance
	Worst     int             `json:"worst"`             // greatest channel difference
	WorstAt   image.Point     `json:"worstAt"`
	Mean      float64         `json:"mean"`           // mean over pixels of the greatest channel difference
	FLIP      float64         `json:"flip,omitempty"` // mean error by FLIP, where the pictures differ and it is defined
	Bounds    image.Rectangle `json:"bounds"`         // of the exceeding pixels; empty if none
	SizeWant  image.Point     `json:"sizeWant"`
	SizeGot   image.Point     `json:"sizeGot"`
}

// severity orders comparisons by importance: 0 for a match, more for more and
// greater differences, most for a wrong size.
func (c *Comparison) severity() float64 {
	switch {
	case c.Match:
		return 0
	case c.SizeWant != c.SizeGot:
		return 1e6
	case c.Compared == 0:
		return 1
	}
	return 1 + 1000*float64(c.Exceeding)/float64(c.Compared) + c.Mean
}

// Compare compares got with the approved image want.
func Compare(want, got image.Image, tol Tolerance) Comparison {
	a, b := newPlanes(want), newPlanes(got)
	if a.bits != b.bits { // 8 bits against 16: compare in the finer steps
		a.widen()
		b.widen()
	}
	c := Comparison{SizeWant: want.Bounds().Size(), SizeGot: got.Bounds().Size()}
	if c.SizeWant != c.SizeGot {
		c.Message = fmt.Sprintf("the image is %dx%d, expected %dx%d", c.SizeGot.X, c.SizeGot.Y, c.SizeWant.X, c.SizeWant.Y)
		return c
	}
	if top := 1<<a.bits - 1; tol.Delta > top {
		c.Message = fmt.Sprintf("a tolerance of %d steps is more than the %d that the picture has", tol.Delta, top)
		return c
	}
	inner := image.Rectangle{Max: c.SizeWant}.Inset(tol.Border)
	sum := 0
	for y := inner.Min.Y; y < inner.Max.Y; y++ {
		for x := inner.Min.X; x < inner.Max.X; x++ {
			i := (y*a.w + x) * 4
			d := maxDiff(a.pix[i:i+4:i+4], b.pix[i:i+4:i+4])
			c.Compared++
			if d == 0 {
				continue
			}
			c.Different++
			sum += d
			if d > c.Worst {
				c.Worst, c.WorstAt = d, image.Pt(x, y)
			}
			if exceeds(a, b, i, i, d, tol) {
				c.Exceeding++
				c.Bounds = c.Bounds.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if c.Compared > 0 {
		c.Mean = float64(sum) / float64(c.Compared)
	}
	c.Match = c.Compared > 0 && c.share() <= tol.Share
	if c.Match && tol.FLIP == 0 {
		return c
	}
	if e, err := flip(a, b); err == nil && c.Different > 0 {
		c.FLIP = e
		c.Match = c.Match || tol.FLIP > 0 && e <= tol.FLIP
	}
	if !c.Match {
		c.Message = c.describe(tol)
	}
	return c
}

func (c *Comparison) share() float64 {
	if c.Compared == 0 {
		return 0
	}
	return 100 * float64(c.Exceeding) / float64(c.Compared)
}

func (c *Comparison) describe(tol Tolerance) string {
	if c.Compared == 0 {
		return "no pixel is left to compare inside the border"
	}
	s := fmt.Sprintf("%d of %d pixels differ", c.Exceeding, c.Compared)
	if tol.Delta > 0 {
		s += fmt.Sprintf(" by more than %d", tol.Delta)
	}
	s += fmt.Sprintf(" (%.3f%%", c.share())
	if tol.Share > 0 {
		s += fmt.Sprintf(", allowed %g%%", tol.Share)
	}
	s += fmt.Sprintf("), worst %d at (%d, %d), inside (%d, %d)-(%d, %d)", c.Worst, c.WorstAt.X, c.WorstAt.Y,
		c.Bounds.Min.X, c.Bounds.Min.Y, c.Bounds.Max.X-1, c.Bounds.Max.Y-1)
	if tol.FLIP > 0 {
		s += fmt.Sprintf(", FLIP %.4f, allowed %g", c.FLIP, tol.FLIP)
	}
	return s
}

// exceeds reports whether pixel i of a and pixel j of b, which are d steps apart,
// are further apart than tol allows.
func exceeds(a, b *planes, i, j, d int, tol Tolerance) bool {
	if d <= tol.Delta {
		return false
	}
	return tol.Perceptual == 0 || perceptual(a, b, i, j) > tol.Perceptual
}

// planes is an image as non-premultiplied RGBA, 8 or 16 bits a channel.
type planes struct {
	w, h, bits int
	pix        []uint16
}

func newPlanes(m image.Image) *planes {
	r := m.Bounds()
	p := &planes{w: r.Dx(), h: r.Dy(), bits: 8, pix: make([]uint16, 4*r.Dx()*r.Dy())}
	switch m.(type) {
	case *image.Gray16, *image.RGBA64, *image.NRGBA64, *image.Alpha16:
		p.bits = 16
		i := 0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := color.NRGBA64Model.Convert(m.At(x, y)).(color.NRGBA64)
				p.pix[i], p.pix[i+1], p.pix[i+2], p.pix[i+3] = c.R, c.G, c.B, c.A
				i += 4
			}
		}
		return p
	}
	n := imagefile.NRGBA(m)
	for y := 0; y < p.h; y++ {
		row := n.Pix[y*n.Stride : y*n.Stride+4*p.w]
		for x, v := range row {
			p.pix[y*4*p.w+x] = uint16(v)
		}
	}
	return p
}

func (p *planes) widen() {
	if p.bits == 16 {
		return
	}
	for i := range p.pix {
		p.pix[i] *= 257
	}
	p.bits = 16
}

func maxDiff(a, b []uint16) int {
	d := 0
	for k := 0; k < 4; k++ {
		e := int(a[k]) - int(b[k])
		if e < 0 {
			e = -e
		}
		d = max(d, e)
	}
	return d
}

// perceptual returns the perceived difference of two pixels, 0..1: the weighted
// square distance in YIQ of Kotsarenko and Ramos, "Measuring perceived color
// difference using YIQ NTSC transmission color space in mobile applications"
// (2010), relative to that of black and white. The square root makes it grow
// like the channels. Alpha is first blended over white.
func perceptual(a, b *planes, i, j int) float64 {
	top := float64(int(1)<<a.bits - 1)
	var d [3]float64
	for k := 0; k < 3; k++ {
		d[k] = over(a, i, k, top) - over(b, j, k, top)
	}
	y := float64(d[0]*0.29889531) + float64(d[1]*0.58662247) + float64(d[2]*0.11448223)
	q := float64(d[0]*0.59597799) - float64(d[1]*0.27417610) - float64(d[2]*0.32180189)
	r := float64(d[0]*0.21147017) - float64(d[1]*0.52261711) + float64(d[2]*0.31114694)
	e := float64(0.5053*y*y) + float64(0.299*q*q) + float64(0.1957*r*r)
	return math.Sqrt(e / 0.5053)
}

// over is channel k of pixel i, 0..1, over white.
func over(p *planes, i, k int, top float64) float64 {
	alpha := float64(p.pix[i+3]) / top
	return 1 - float64(alpha*(1-float64(p.pix[i+k])/top))
}

// Difference draws the differences of two images: want in pale grey, pixels
// over the tolerance from yellow (by one step) to red (the greatest), pixels
// that differ within the tolerance in blue. Images of different sizes are
// compared from the upper left corner; pixels that only want has are magenta,
// those that only got has are cyan.
func Difference(want, got image.Image, tol Tolerance) *image.NRGBA {
	a, b := newPlanes(want), newPlanes(got)
	if a.bits != b.bits {
		a.widen()
		b.widen()
	}
	top := int(1)<<a.bits - 1
	out := image.NewNRGBA(image.Rect(0, 0, max(a.w, b.w), max(a.h, b.h)))
	for y := 0; y < out.Rect.Max.Y; y++ {
		for x := 0; x < out.Rect.Max.X; x++ {
			o := out.Pix[out.PixOffset(x, y):]
			switch inA, inB := x < a.w && y < a.h, x < b.w && y < b.h; {
			case !inA && !inB: // beside both, where one is wider and the other higher
				continue
			case !inB:
				copy(o, []uint8{255, 0, 255, 255})
				continue
			case !inA:
				copy(o, []uint8{0, 255, 255, 255})
				continue
			}
			i, j := (y*a.w+x)*4, (y*b.w+x)*4
			d := maxDiff(a.pix[i:i+4], b.pix[j:j+4])
			lum := (int(a.pix[i])*2 + int(a.pix[i+1])*5 + int(a.pix[i+2])) / 8
			grey := uint8(180 + 70*lum/top)
			switch {
			case d == 0:
				copy(o, []uint8{grey, grey, grey, 255})
			case exceedsAt(a, b, i, j, d, tol, x, y):
				// The square root shows small differences too.
				f := math.Sqrt(float64(d) / float64(top))
				copy(o, []uint8{255, uint8(200 * (1 - f)), 0, 255})
			default:
				copy(o, []uint8{90, 140, 255, 255})
			}
		}
	}
	return out
}

func exceedsAt(a, b *planes, i, j, d int, tol Tolerance, x, y int) bool {
	if a.w == b.w && a.h == b.h && (x < tol.Border || y < tol.Border || x >= a.w-tol.Border || y >= a.h-tol.Border) {
		return false // images of two sizes have no border in common
	}
	return exceeds(a, b, i, j, d, tol)
}
