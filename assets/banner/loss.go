package banner

import (
	"math"

	"pica200/assets/cgfx"
	"pica200/assets/texture"
	"pica200/pica"
)

// How much a format may change a picture before a note says so: the root mean
// square of the differences of colours, and the greatest difference of alpha,
// both of 255. A photograph in ETC1 has 5 to 8, lettering in two strong colours
// 15 and more; 4-bit alpha is off by up to 8.
const (
	colorLoss = 12
	alphaLoss = 24
)

// encoded is a picture in a format, and how much the format changed it.
type encoded struct {
	format pica.TextureFormat
	data   []byte
	color  float64 // root of the mean square of the differences, of 255
	alpha  int     // the greatest difference, of 255
}

// shows reports whether the change is visible: in colours, such as fine lines
// in strong colours in ETC1, or in alpha.
func (e *encoded) shows() bool { return e.color > colorLoss || e.alpha > alphaLoss }

// pack encodes a picture in the format of the options, or in a 16-bit format
// with less loss if the options allow it.
func (b *builder) pack(im *texture.Image) (encoded, error) {
	best, err := encode(im, b.Format)
	if err != nil || !b.Choose || !best.shows() {
		b.texels += len(best.data)
		return best, err
	}
	for _, f := range []pica.TextureFormat{pica.TextureFormatRGB565, pica.TextureFormatRGB5A1, pica.TextureFormatRGBA4} {
		e, err := encode(im, f)
		if err != nil {
			return e, err
		}
		if !e.shows() && b.texels+len(e.data) <= mostTexels {
			best = e
			break
		}
	}
	b.texels += len(best.data)
	return best, nil
}

// mostTexels bounds the bytes of textures, so that the rest of the banner has
// room.
const mostTexels = cgfx.BannerLimit * 3 / 4

// encode encodes a picture in a format and measures the change.
func encode(im *texture.Image, f pica.TextureFormat) (encoded, error) {
	e := encoded{format: f, data: make([]byte, texture.Size(f, im.Width, im.Height))}
	if err := texture.Encode(e.data, im.Pix, f, im.Width, im.Height); err != nil {
		return e, err
	}
	out := texture.NewImage(im.Width, im.Height)
	if err := texture.Decode(out.Pix, e.data, f, im.Width, im.Height); err != nil {
		return e, err
	}
	squares, weights := 0, 0
	for i, v := range im.Pix {
		w := out.Pix[i]
		a := int(v >> 24)
		e.alpha = max(e.alpha, a-int(w>>24), int(w>>24)-a)
		for k := range 3 { // invisible where transparent
			d := int(v>>(8*k)&0xFF) - int(w>>(8*k)&0xFF)
			squares += d * d * a
		}
		weights += 3 * a
	}
	if weights > 0 {
		e.color = math.Sqrt(float64(squares) / float64(weights))
	}
	return e, nil
}

// say adds a note if a texture's format changes it visibly, or if another
// format was chosen.
func (b *builder) say(name string, e *encoded) {
	if e.format != b.Format {
		b.note("image %s: %v would show; it is %v, which takes %d bytes", name, b.Format, e.format, len(e.data))
	}
	if e.alpha > alphaLoss {
		b.note("image %s: %v changes its alpha by up to %d of 255; --format rgba4 or ia4 has alpha", name, e.format, e.alpha)
	}
	if e.color > colorLoss {
		b.note("image %s: %v changes its colours by %.0f of 255 (root of the mean square); --format rgb565 or rgba4 keeps them closer", name, e.format, e.color)
	}
}
