package banner

import (
	"math"

	"pica200/assets/cgfx"
	"pica200/assets/texture"
	"pica200/pica"
)

// What a format may do to a picture before it is said: the root of the mean square of the
// differences of colours, and the greatest difference of alpha, both of 255. A photograph
// in ETC1 has 5 to 8, lettering in two strong colours 15 and more; alpha in 4 bits is 8 off.
const (
	colorLoss = 12
	alphaLoss = 24
)

// encoded is a picture in a format, and what that changes.
type encoded struct {
	format pica.TextureFormat
	data   []byte
	color  float64 // root of the mean square of the differences, of 255
	alpha  int     // the greatest difference, of 255
}

// shows tells a change that people see: of colours, as ETC1 does to fine lines in strong
// colours, or of alpha that the format does not hold.
func (e *encoded) shows() bool { return e.color > colorLoss || e.alpha > alphaLoss }

// pack brings a picture into the format of the options, or into one of 16 bits that shows
// less, if these may choose.
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

// mostTexels are the bytes of textures that leave the rest of a banner room.
const mostTexels = cgfx.BannerLimit * 3 / 4

// encode brings a picture into a format and measures what that changes.
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
		for k := range 3 { // what is transparent is not seen
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

// say notes where a texture's format shows, or that another one was taken.
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
