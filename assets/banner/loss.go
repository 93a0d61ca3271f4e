package banner

import (
	"fmt"
	"math"

	"pica200/assets/texture"
)

// What a format may do to a picture before it is said: the root of the mean square of the
// differences of colours, and the greatest difference of alpha, both of 255. A photograph
// in ETC1 has 5 to 8, lettering in two strong colours 15 and more; alpha in 4 bits is 8 off.
const (
	colorLoss = 12
	alphaLoss = 24
)

// compare says where a texture's format shows: colours that are much changed, as ETC1 does
// to fine lines in strong colours, and alpha that it does not hold.
func (b *builder) compare(name string, im *texture.Image, data []byte) error {
	out := texture.NewImage(im.Width, im.Height)
	if err := texture.Decode(out.Pix, data, b.Format, im.Width, im.Height); err != nil {
		return fmt.Errorf("banner: image %s: %w", name, err)
	}
	squares, weights, alpha := 0, 0, 0
	for i, v := range im.Pix {
		w := out.Pix[i]
		a := int(v >> 24)
		alpha = max(alpha, a-int(w>>24), int(w>>24)-a)
		for k := range 3 { // what is transparent is not seen
			d := int(v>>(8*k)&0xFF) - int(w>>(8*k)&0xFF)
			squares += d * d * a
		}
		weights += 3 * a
	}
	if alpha > alphaLoss {
		b.note("image %s: %v changes its alpha by up to %d of 255; --format rgba4 or ia4 has alpha", name, b.Format, alpha)
	}
	if weights == 0 {
		return nil
	}
	if off := math.Sqrt(float64(squares) / float64(weights)); off > colorLoss {
		b.note("image %s: %v changes its colours by %.0f of 255 (root of the mean square); --format rgb565 or rgba4 keeps them closer", name, b.Format, off)
	}
	return nil
}
