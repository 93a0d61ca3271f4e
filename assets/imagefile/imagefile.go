// Package imagefile reads pictures in the formats that artists have: PNG, JPEG,
// BMP, GIF and TGA.
package imagefile

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"

	"pica200/internal/quote"
)

// format is a format with a signature.
type format struct {
	name, signature string
	perByte         int // the most pixels that a byte of such a file can hold
	config          func(io.Reader) (image.Config, error)
	decode          func(io.Reader) (image.Image, error)
}

var formats = []format{
	{"PNG", "\x89PNG\r\n\x1a\n", 1032 * 8, png.DecodeConfig, png.Decode}, // deflate packs at most 1032 to 1, and a pixel has at least one bit
	{"JPEG", "\xff\xd8", 64 * 8, jpeg.DecodeConfig, jpeg.Decode},         // each block of 64 pixels has at least one bit
	{"GIF", "GIF8", 4096, gif.DecodeConfig, gif.Decode},                  // a code has at least 3 bits, and stands for at most 4096 pixels less a few
	{"BMP", "BM", 8, bmp.DecodeConfig, bmp.Decode},                       // a pixel has at least one bit
}

func errUnknown(data []byte) error {
	return fmt.Errorf("not a PNG, JPEG, BMP, GIF or TGA picture; %s", quote.Start(data))
}

// Decode decodes a picture, of a GIF the first. It detects the format by
// content; TGA has no signature and is tried last. It checks the size in the
// header against the number of bytes before it allocates memory, and rejects a
// picture with more pixels than its bytes can hold.
func Decode(data []byte, maxPixels int) (image.Image, error) {
	return DecodeCounted(data, maxPixels, func(int) error { return nil })
}

// DecodeCounted is Decode for work with a limit: before it decodes a picture it calls count with the number of pixels, and returns
// its error.
func DecodeCounted(data []byte, maxPixels int, count func(pixels int) error) (image.Image, error) {
	for i := range formats {
		if f := &formats[i]; bytes.HasPrefix(data, []byte(f.signature)) {
			return f.read(data, maxPixels, count)
		}
	}
	return decodeTGA(data, maxPixels, count)
}

// DecodePNG is Decode for PNG pictures only.
func DecodePNG(data []byte, maxPixels int) (image.Image, error) {
	return formats[0].read(data, maxPixels, func(int) error { return nil })
}

func (f *format) read(data []byte, maxPixels int, count func(pixels int) error) (image.Image, error) {
	r := bytes.NewReader(data)
	cfg, err := f.config(r)
	if err != nil {
		return nil, f.failed(r, err)
	}
	if err := checkSize(f.name, cfg, maxPixels, len(data), f.perByte, count); err != nil {
		return nil, err
	}
	r.Reset(data)
	m, err := f.decode(r)
	if err != nil {
		return nil, f.failed(r, err)
	}
	if whole := image.Rect(0, 0, cfg.Width, cfg.Height); m.Bounds() != whole { // a GIF's first picture may be smaller
		all := image.NewNRGBA(whole)
		draw.Draw(all, m.Bounds(), m, m.Bounds().Min, draw.Src)
		m = all
	}
	return m, nil
}

// failed adds to an error how far the picture was read.
func (f *format) failed(r *bytes.Reader, err error) error {
	return fmt.Errorf("%s, read up to offset 0x%x of 0x%x: %w", f.name, int(r.Size())-r.Len(), r.Size(), err)
}

// Known reports whether the first bytes of a file are those of a picture. A TGA
// has no signature.
func Known(data []byte) bool {
	for i := range formats {
		if bytes.HasPrefix(data, []byte(formats[i].signature)) {
			return true
		}
	}
	return false
}

func checkSize(kind string, cfg image.Config, maxPixels, size, perByte int, count func(int) error) error {
	w, h := cfg.Width, cfg.Height
	switch {
	case w < 1 || h < 1:
		return fmt.Errorf("%s: the header has a size of %dx%d", kind, w, h)
	case w > maxPixels/h:
		return fmt.Errorf("%s: the header says %dx%d pixels; at most %d are read", kind, w, h, maxPixels)
	case w*h > size*perByte:
		return fmt.Errorf("%s: %d bytes cannot hold the %dx%d pixels that the header claims", kind, size, w, h)
	}
	return count(w * h)
}

// NRGBA converts a picture to 8 bits, with its corner at (0, 0), without a copy
// where it is such a one.
func NRGBA(m image.Image) *image.NRGBA {
	r := m.Bounds()
	n, ok := m.(*image.NRGBA)
	if ok && r.Min == (image.Point{}) && n.Stride == 4*r.Dx() {
		return n
	}
	out := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	if !ok {
		draw.Draw(out, out.Rect, m, r.Min, draw.Src)
		return out
	}
	for y := range r.Dy() { // drawing would lose the colours of transparent pixels
		copy(out.Pix[y*out.Stride:(y+1)*out.Stride], n.Pix[n.PixOffset(r.Min.X, r.Min.Y+y):])
	}
	return out
}
