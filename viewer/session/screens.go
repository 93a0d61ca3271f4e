package session

import (
	"fmt"
	"image"
	"image/draw"
	"slices"

	"pica200/pipeline"
	"pica200/scene"
)

// Screens selects how the console's screens are shown.
type Screens uint8

const (
	NoScreens   Screens = iota // the last render target drawn to
	BothScreens                // top above bottom
	SideBySide                 // the top screen's left and right picture side by side
	Anaglyph                   // both pictures in one, red and cyan
	RightEye                   // the top screen's right picture
)

func (s Screens) String() string {
	return [...]string{"render target", "both screens", "stereo side by side", "stereo anaglyph", "right eye"}[s]
}

// Next returns the mode after s in a list; after the last comes the first.
func (s Screens) Next(list []Screens) Screens { return list[(slices.Index(list, s)+1)%len(list)] }

// screensOf returns the modes that a scene has pictures for.
func screensOf(c *scene.Camera) []Screens {
	switch {
	case c.Stereo != nil:
		return []Screens{NoScreens, RightEye, SideBySide, Anaglyph}
	case c.Rotated:
		return []Screens{NoScreens, BothScreens}
	}
	return nil
}

// screens makes the requested picture of the screens. Pixels of an anaglyph are
// attributed to the left picture.
func (p *Picture) screens(g *pipeline.GPU) {
	top := g.Screen(pipeline.ScreenTop)
	switch p.Request.Screens {
	case BothScreens:
		bottom := g.Screen(pipeline.ScreenBottom)
		a, b := top.Rect, bottom.Rect
		w := max(a.Dx(), b.Dx())
		p.Image = image.NewRGBA(image.Rect(0, 0, w, a.Dy()+b.Dy()))
		draw.Draw(p.Image, p.Image.Rect, image.Black, image.Point{}, draw.Src)
		p.part(pipeline.ScreenTop, top, image.Pt((w-a.Dx())/2, 0))
		p.part(pipeline.ScreenBottom, bottom, image.Pt((w-b.Dx())/2, a.Dy()))
	case SideBySide:
		right := g.Screen(pipeline.ScreenTopRight)
		a, b := top.Rect, right.Rect
		p.Image = image.NewRGBA(image.Rect(0, 0, a.Dx()+b.Dx(), max(a.Dy(), b.Dy())))
		p.part(pipeline.ScreenTop, top, image.Point{})
		p.part(pipeline.ScreenTopRight, right, image.Pt(a.Dx(), 0))
	case RightEye:
		p.Image = g.Screen(pipeline.ScreenTopRight)
		p.parts = []screenPart{{pipeline.ScreenTopRight, p.Image.Rect}}
	case Anaglyph:
		p.Image = anaglyph(top, g.Screen(pipeline.ScreenTopRight))
		p.parts = []screenPart{{pipeline.ScreenTop, p.Image.Rect}}
	}
}

// part copies a screen into the picture.
func (p *Picture) part(s pipeline.Screen, img *image.RGBA, at image.Point) {
	r := img.Rect.Add(at)
	draw.Draw(p.Image, r, img, image.Point{}, draw.Src)
	p.parts = append(p.parts, screenPart{s, r})
}

// inside returns an error if a pixel is outside of the picture.
func (p *Picture) inside(x, y int) error {
	w, h := p.size.X, p.size.Y
	if p.orientation != notRotated {
		w, h = h, w
	}
	if p.size != (image.Point{}) && (x < 0 || y < 0 || x >= w || y >= h) {
		return fmt.Errorf("pixel %d,%d lies outside the picture of %dx%d", x, y, w, h)
	}
	return nil
}

// anaglyph takes red from the left picture, green and blue from the right.
func anaglyph(l, r *image.RGBA) *image.RGBA {
	out := image.NewRGBA(l.Rect)
	copy(out.Pix, r.Pix)
	for i := 0; i < len(out.Pix) && i < len(l.Pix); i += 4 {
		out.Pix[i] = l.Pix[i]
		out.Pix[i+3] = 255
	}
	return out
}
