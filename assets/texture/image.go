package texture

import (
	"image"
	"image/draw"
	"image/png"
	"io"
)

// Image is a decoded picture in the texel order of this package: one word for
// each texel, red in the low byte, rows from the bottom (t = 0) up.
type Image struct {
	Width, Height int
	Pix           []uint32 // Width*Height words
}

// NewImage makes a picture of transparent black.
func NewImage(w, h int) *Image { return &Image{w, h, make([]uint32, w*h)} }

// FromImage converts a picture of Go's image package.
func FromImage(src image.Image) *Image {
	b := src.Bounds()
	n, ok := src.(*image.NRGBA)
	if !ok {
		n = image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(n, n.Rect, src, b.Min, draw.Src)
		b = n.Rect
	}
	im := NewImage(b.Dx(), b.Dy())
	for y := range im.Height {
		row := n.Pix[n.PixOffset(b.Min.X, b.Max.Y-1-y):]
		for x := range im.Width {
			p := row[4*x : 4*x+4]
			im.Pix[y*im.Width+x] = uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24
		}
	}
	return im
}

// NRGBA converts to a picture of Go's image package.
func (im *Image) NRGBA() *image.NRGBA {
	n := image.NewNRGBA(image.Rect(0, 0, im.Width, im.Height))
	for y := range im.Height {
		row := n.Pix[n.PixOffset(0, im.Height-1-y):]
		for x, v := range im.Pix[y*im.Width:][:im.Width] {
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
		}
	}
	return n
}

// WritePNG writes the picture as a PNG, bottom row last.
func (im *Image) WritePNG(w io.Writer) error { return png.Encode(w, im.NRGBA()) }

// half makes the next level of detail: each texel is the mean of four, weighted
// by alpha, so that the colour of transparent texels does not bleed. A side of
// MinSize texels is not halved.
func (im *Image) half() *Image {
	dx, dy := 1, 1
	if im.Width > MinSize {
		dx = 2
	}
	if im.Height > MinSize {
		dy = 2
	}
	out := NewImage(im.Width/dx, im.Height/dy)
	for y := range out.Height {
		for x := range out.Width {
			var sum, weighted [3]uint32
			alpha, n := uint32(0), uint32(dx*dy)
			for i := range dx * dy {
				v := im.Pix[(y*dy+i/dx)*im.Width+x*dx+i%dx]
				a := v >> 24
				alpha += a
				for c := range sum {
					s := v >> (8 * c) & 255
					sum[c] += s
					weighted[c] += s * a
				}
			}
			v := (alpha + n/2) / n << 24
			for c := range sum {
				if alpha > 0 {
					v |= (weighted[c] + alpha/2) / alpha << (8 * c)
				} else {
					v |= (sum[c] + n/2) / n << (8 * c)
				}
			}
			out.Pix[y*out.Width+x] = v
		}
	}
	return out
}
