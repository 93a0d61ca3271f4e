package texture

import (
	"math"

	"pica200/pica"
)

// trimmed cuts off the edges that have the colours of the corners, as
// ImageMagick does. A picture of one colour stays.
func (im *Image) trimmed() *Image {
	at := func(x, y int) uint32 { // from the top left; colours of transparent texels do not count
		v := im.Pix[(im.Height-1-y)*im.Width+x]
		if v>>24 == 0 {
			return 0
		}
		return v
	}
	topLeft, topRight, bottomLeft := at(0, 0), at(im.Width-1, 0), at(0, im.Height-1)
	left, top, right, bottom := im.Width, im.Height, 0, 0
	for y := range im.Height {
		for x := range im.Width {
			v := at(x, y)
			if v != topLeft {
				left, top = min(left, x), min(top, y)
			}
			if v != topRight {
				right = max(right, x)
			}
			if v != bottomLeft {
				bottom = max(bottom, y)
			}
		}
	}
	if right == 0 || bottom == 0 || left > right || top > bottom {
		return im
	}
	out := NewImage(right-left+1, bottom-top+1)
	for y := range out.Height {
		copy(out.Pix[y*out.Width:(y+1)*out.Width], im.Pix[(im.Height-1-bottom+y)*im.Width+left:])
	}
	return out
}

// edged puts the outermost texels around a picture once more.
func (im *Image) edged() *Image {
	out := NewImage(im.Width+2, im.Height+2)
	for y := range out.Height {
		from := im.Pix[min(max(y-1, 0), im.Height-1)*im.Width:][:im.Width]
		for x := range out.Width {
			out.Pix[y*out.Width+x] = from[min(max(x-1, 0), im.Width-1)]
		}
	}
	return out
}

// linear is the light of each 8-bit value in sRGB.
var linear = func() (t [256]float64) {
	for i := range t {
		t[i] = toLinear(float64(i) / 255)
	}
	return t
}()

func toLinear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// luminance is the luma of the light of a colour by ITU-R BT.709, in 16 bits.
func luminance(c [4]uint16) uint16 {
	var light [3]float64
	for i := range light {
		if v := c[i]; v%257 == 0 {
			light[i] = linear[v/257]
		} else {
			light[i] = toLinear(float64(v) / 65535)
		}
	}
	y := float64(0.212655*light[0]) + float64(0.715158*light[1]) + float64(0.072187*light[2])
	if y <= 0.0031308 {
		y *= 12.92
	} else {
		y = float64(1.055*math.Pow(y, 1/2.4)) - 0.055
	}
	return uint16(min(max(y, 0), 1) * 65535)
}

// kept is how many of the highest bits of each channel tex3ds keeps in a
// format; it drops the others. Of the formats with a channel of intensity, all
// colours become their luminance first.
var kept = [...][4]int{
	pica.TextureFormatRGB5A1: {5, 5, 5, 1}, pica.TextureFormatRGB565: {5, 6, 5, 8}, pica.TextureFormatRGBA4: {4, 4, 4, 4},
	pica.TextureFormatIA4: {4, 4, 4, 4}, pica.TextureFormatI4: {4, 4, 4, 8}, pica.TextureFormatA4: {8, 8, 8, 4}, pica.TextureFormatETC1A4: {8, 8, 8, 4},
}

// rounded returns the picture with colours that a format has, so that Encode
// changes none.
func (d *deep) rounded(f Format) *Image {
	grey := f == pica.TextureFormatIA8 || f == pica.TextureFormatI8 || f == pica.TextureFormatIA4 || f == pica.TextureFormatI4
	bits := [4]int{8, 8, 8, 8}
	if int(f) < len(kept) && kept[f][0] > 0 {
		bits = kept[f]
	}
	out := NewImage(d.w, d.h)
	for i, p := range d.pix {
		if grey {
			l := luminance(p)
			p[0], p[1], p[2] = l, l, l
		}
		v := uint32(0)
		for c, n := range bits {
			top := uint32(p[c]) >> (16 - n)
			v |= (top*255 + 1<<n/2 - 1) / (1<<n - 1) << (8 * c)
		}
		out.Pix[(d.h-1-i/d.w)*d.w+i%d.w] = v
	}
	return out
}
