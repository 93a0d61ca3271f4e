package session

import (
	"bytes"
	"image"
	"image/draw"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/fragment"
	"pica200/pipeline"
	"pica200/raster"
)

// orientation is the orientation of a render target in its picture. Targets for a
// screen are rotated, like the screens in the console; their pictures are
// upright.
type orientation uint8

const (
	notRotated         orientation = iota
	quarterTurn                    // a pixel's column in the picture is its row in the target
	quarterTurnFlipped             // the same, for targets that the transfer to the screen flips vertically
)

// Target converts a pixel of the picture to the column and row in a render
// target of w by h pixels.
func (t orientation) target(x, y, w, h int) (tx, ty int) {
	switch t {
	case quarterTurn:
		return w - 1 - y, x
	case quarterTurnFlipped:
		return w - 1 - y, h - 1 - x
	}
	return x, y
}

// forScreen reports whether a target has the size of a screen: 240 pixels wide,
// or 480 if the transfer halves them, and as high as the screen has columns, or
// twice that.
func forScreen(w, h int) bool {
	return slices.Contains([]int{240, 480}, w) && slices.Contains([]int{320, 400, 640, 800}, h)
}

// upright returns a picture of four bytes a pixel, rotated upright.
func (t orientation) upright(pix []byte, stride, w, h int) *image.RGBA {
	if t == notRotated {
		return &image.RGBA{Pix: pix, Stride: stride, Rect: image.Rect(0, 0, w, h)}
	}
	out := image.NewRGBA(image.Rect(0, 0, h, w))
	for y := range w {
		row := out.Pix[y*out.Stride:][:4*h]
		for x := range h {
			tx, ty := t.target(x, y, w, h)
			copy(row[4*x:4*x+4], pix[ty*stride+4*tx:])
		}
	}
	return out
}

// uprightMask is upright for one byte a pixel.
func (t orientation) uprightMask(m *image.Alpha) *image.Alpha {
	if t == notRotated {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewAlpha(image.Rect(0, 0, h, w))
	for y := range w {
		for x := range h {
			tx, ty := t.target(x, y, w, h)
			out.Pix[y*out.Stride+x] = m.Pix[ty*m.Stride+tx]
		}
	}
	return out
}

// readTarget makes a picture of the render target that was drawn to last: its
// colours, opaque; its stencil; or its depth in a range.
func (p *Picture) readTarget(g *pipeline.GPU, o orientation) error {
	t, err := g.LastTarget()
	if err != nil {
		return err
	}
	p.Target, p.orientation, p.size = true, o, image.Pt(int(t.Width), int(t.Height))
	r := &p.Request
	switch {
	case r.View == ViewStencil:
		src, err := pipeline.StencilImage(t)
		if err != nil {
			return err
		}
		p.grey(src)
		return nil
	case r.View == fragment.ViewDepth && r.Depth != (DepthRange{}):
		return p.readDepth(t)
	}
	src, err := pipeline.ColorImage(t)
	if err != nil {
		return err
	}
	if r.Alpha {
		raw := *src
		raw.Pix = slices.Clone(src.Pix)
		p.Raw = &raw
	}
	for i := 3; i < len(src.Pix); i += 4 {
		src.Pix[i] = 255
	}
	p.Image = o.upright(src.Pix, src.Stride, p.size.X, p.size.Y)
	return nil
}

// grey makes a grey picture of a buffer.
func (p *Picture) grey(src image.Image) {
	m := image.NewRGBA(src.Bounds())
	draw.Draw(m, m.Rect, src, m.Rect.Min, draw.Src)
	p.Image = p.orientation.upright(m.Pix, m.Stride, p.size.X, p.size.Y)
}

// DepthRange is the range of depths shown from black to white. The zero range
// is all depths.
type DepthRange struct {
	Auto bool    // from the smallest to the greatest depth in the buffer, without the cleared ones
	From float64 // shown black; 0 to 1
	To   float64 // shown white; less than From swaps black and white
}

// readDepth makes a picture of the depth buffer.
func (p *Picture) readDepth(t *raster.Target) error {
	src, err := pipeline.DepthImage(t)
	if err != nil {
		return err
	}
	at := func(i int) int { return int(src.Pix[i])<<8 | int(src.Pix[i+1]) }
	d := p.Request.Depth
	if d.Auto {
		d.From, d.To = 0, 1
		if lo, hi, ok := depthsOf(len(src.Pix), at); ok {
			d.From, d.To = float64(lo)/0xFFFF, float64(hi)/0xFFFF
		}
	}
	p.DepthRange = mgl64.Vec2{d.From, d.To}
	grey := image.NewGray(src.Rect)
	var shade [1 << 16]uint8
	for v := range shade {
		share := 1.0
		if x := float64(v) / 0xFFFF; d.From != d.To {
			share = (x - d.From) / (d.To - d.From)
		} else if x < d.From {
			share = 0
		}
		shade[v] = uint8(float64(min(max(share, 0), 1)*255) + 0.5)
	}
	for i := 0; i+1 < len(src.Pix); i += 2 {
		grey.Pix[i/2] = shade[at(i)]
	}
	p.grey(grey)
	return nil
}

// depthsOf finds the smallest and the greatest depth, two bytes each. It
// ignores the two ends of the possible range, to which buffers are cleared.
func depthsOf(n int, at func(i int) int) (lo, hi int, ok bool) {
	lo, hi = 0xFFFF, 0
	for i := 0; i+1 < n; i += 2 {
		if d := at(i); d != 0 && d != 0xFFFF {
			lo, hi = min(lo, d), max(hi, d)
		}
	}
	return lo, hi, lo < hi
}

// seen is a copy of a render target before a draw.
type seen struct {
	target raster.Target
	valid  bool
}

// take copies a target.
func (s *seen) take(t *raster.Target) {
	c := *t
	c.Color, c.Depth = bytes.Clone(t.Color), bytes.Clone(t.Depth)
	s.target, s.valid = c, true
}

// changed marks the pixels of a target that differ from the copy in colour,
// depth or stencil, with covered in depth and stencil alone if there are these;
// nil if the two cannot be compared.
func (s *seen) changed(t *raster.Target, covered bool) *image.Alpha {
	b := &s.target
	if !s.valid || b.Width != t.Width || b.Height != t.Height || b.Block32 != t.Block32 || len(b.Color) != len(t.Color) || len(b.Depth) != len(t.Depth) {
		return nil
	}
	m := image.NewAlpha(image.Rect(0, 0, int(t.Width), int(t.Height)))
	color, depth := 0, 0
	if t.Color != nil && !(covered && t.Depth != nil) {
		color = t.ColorFormat.Bytes()
	}
	if t.Depth != nil {
		depth = t.DepthFormat.Bytes()
	}
	differ := func(a, b []byte, at, n int) bool {
		return n > 0 && (at+1)*n <= len(a) && !bytes.Equal(a[at*n:(at+1)*n], b[at*n:(at+1)*n])
	}
	for y := int32(0); y < t.Height; y += 4 {
		for x := int32(0); x < t.Width; x += 4 {
			at := t.PixelIndex(x, y)
			for i := range raster.BlockPixels {
				px, py := int(x)+int(raster.PixelX[i]), int(y)+int(raster.PixelY[i])
				if px < int(t.Width) && py < int(t.Height) && (differ(b.Color, t.Color, at+i, color) || differ(b.Depth, t.Depth, at+i, depth)) {
					m.Pix[py*m.Stride+px] = 255
				}
			}
		}
	}
	return m
}
