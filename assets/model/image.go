package model

import (
	"errors"
	"image"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// Image is a decoded picture, +y down as files store it.
type Image struct {
	Name string
	Pix  *image.NRGBA
}

// add adds an image, unless it is there under another name, and returns its index.
func (m *Model) add(name string, pix *image.NRGBA) int {
	k := slices.IndexFunc(m.Images, func(i Image) bool { return i.Pix == pix })
	if k < 0 {
		k = len(m.Images)
		m.Images = append(m.Images, Image{name, pix})
	}
	return k
}

// maxTexture is the greatest side of a texture; ToTexture scales larger images
// down.
const maxTexture = 1024

// unreadable is the error for a file that is missing, lies where nothing is read, or is damaged, and without which a model can be
// drawn: an image of a material, whatever the format, or a material library. A note says so.
type unreadable struct {
	name   string
	err    error
	effect string
}

// without is the error for a file without which a model can be drawn, unless there is too much work.
func without(name string, err error, effect string) error {
	if errors.As(err, new(excess)) {
		return err
	}
	return &unreadable{name, err, effect}
}

const withoutImage = "the material is drawn without this image"

func (e *unreadable) Error() string {
	text := e.err.Error()
	if p := (*fs.PathError)(nil); errors.As(e.err, &p) {
		text = p.Err.Error()
	}
	if !strings.HasPrefix(text, e.name) { // as that of what lies outside
		text = clip(e.name) + ": " + text
	}
	return text + "; " + e.effect
}

// ToTexture returns the image with sides that a texture can have: powers of two
// from 8 to 1024, rounded up (or 1024). An image with such a size is returned
// unchanged. A side of less than 8 texels is enlarged so that it looks the same
// when it is magnified by the sampler; others are resampled, each texel being the
// mean of the area that it covers.
func ToTexture(m *image.NRGBA, how Sampler) *image.NRGBA {
	if min(m.Rect.Dx(), m.Rect.Dy()) < 8 && !m.Rect.Empty() {
		m = enlarged(m, magnified(m.Rect.Dx(), how.WrapU, how.MagLinear), magnified(m.Rect.Dy(), how.WrapV, how.MagLinear))
	}
	w, h := textureSide(m.Rect.Dx()), textureSide(m.Rect.Dy())
	if w == m.Rect.Dx() && h == m.Rect.Dy() {
		return m
	}
	return Resample(m, w, h)
}

func textureSide(n int) int {
	s := 8
	for s < n && s < maxTexture {
		s *= 2
	}
	return s
}

// tap is what a texel of an enlarged row is made of: two texels, and how much
// of the second.
type tap struct {
	from [2]int
	part float64
}

// magnified returns what a side of n texels is made of after enlarging, if it
// is less than 8. A linear filter bends at the centres of texels, between those of
// the enlarged ones: with 32 of these for one the greatest error is 1/64 of a step.
func magnified(n int, wrap Wrap, linear bool) []tap {
	to := n
	switch {
	case n == 1 || n < 8 && !linear && n&(n-1) == 0:
		to = 8
	case n < 8:
		to = textureSide(32 * n)
	}
	list := make([]tap, to)
	for i := range list {
		at := float64((float64(i)+0.5)*float64(n)) / float64(to)
		if to == n || !linear {
			list[i].from = [2]int{int(at), int(at)}
			continue
		}
		first := math.Floor(at - 0.5)
		list[i] = tap{[2]int{wrap.texel(int(first), n), wrap.texel(int(first)+1, n)}, at - 0.5 - first}
	}
	return list
}

// texel returns the texel, of n, that is read at i, -1 to n.
func (w Wrap) texel(i, n int) int {
	if w == Repeat {
		return (i + n) % n
	}
	return min(max(i, 0), n-1) // a mirror shows the texel at the edge twice
}

// enlarged interpolates the texels that its columns and rows are made of, as the
// hardware does: alpha is a channel like others.
func enlarged(m *image.NRGBA, columns, rows []tap) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, len(columns), len(rows)))
	for y, row := range rows {
		for x, column := range columns {
			for c := range 4 {
				at := func(x, y int) float64 { return float64(m.Pix[m.PixOffset(m.Rect.Min.X+x, m.Rect.Min.Y+y)+c]) }
				var sides [2]float64
				for k, sy := range row.from {
					a, b := at(column.from[0], sy), at(column.from[1], sy)
					sides[k] = a + float64(column.part*(b-a))
				}
				out.Pix[out.PixOffset(x, y)+c] = uint8(sides[0] + float64(row.part*(sides[1]-sides[0])) + 0.5)
			}
		}
	}
	return out
}

// Resample scales by area, with colours weighted by alpha. Enlarging repeats
// texels in proportion.
func Resample(m *image.NRGBA, w, h int) *image.NRGBA {
	sw, sh := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		y0, y1 := float64(y*sh)/float64(h), float64((y+1)*sh)/float64(h)
		for x := range w {
			x0, x1 := float64(x*sw)/float64(w), float64((x+1)*sw)/float64(w)
			var c mgl64.Vec3
			var alpha, area float64
			for sy := int(y0); sy < sh && float64(sy) < y1; sy++ {
				ky := math.Min(y1, float64(sy+1)) - math.Max(y0, float64(sy))
				for sx := int(x0); sx < sw && float64(sx) < x1; sx++ {
					k := float64(ky * (math.Min(x1, float64(sx+1)) - math.Max(x0, float64(sx))))
					p := m.Pix[m.PixOffset(m.Rect.Min.X+sx, m.Rect.Min.Y+sy):]
					a := float64(k * float64(p[3]))
					for i := range c {
						c[i] += float64(a * float64(p[i]))
					}
					alpha += a
					area += k
				}
			}
			o := out.Pix[out.PixOffset(x, y):]
			if alpha > 0 {
				for i := range c {
					o[i] = uint8(c[i]/alpha + 0.5)
				}
				o[3] = uint8(alpha/area + 0.5)
			}
		}
	}
	return out
}

// WithChannel returns m with channel from of another image, times a factor, as
// its channel to, at the larger size of both. Channels are 0, red, to 3, alpha.
// rest is added, 0 to 255.
func WithChannel(m *image.NRGBA, to int, of *image.NRGBA, from int, factor, rest float32) *image.NRGBA {
	w, h := max(m.Rect.Dx(), of.Rect.Dx()), max(m.Rect.Dy(), of.Rect.Dy())
	sized := func(p *image.NRGBA) *image.NRGBA {
		if p.Rect.Dx() == w && p.Rect.Dy() == h {
			return p
		}
		return Resample(p, w, h)
	}
	m, of = sized(m), sized(of)
	out := &image.NRGBA{Pix: slices.Clone(m.Pix), Stride: m.Stride, Rect: m.Rect}
	for i := 0; i+3 < len(out.Pix); i += 4 {
		out.Pix[i+to] = uint8(float32(float32(of.Pix[i+from])*factor) + rest + 0.5)
	}
	return out
}

// WithNormals returns a normal map with its normals scaled, of length 1.
func WithNormals(m *image.NRGBA, scale [3]float32) *image.NRGBA {
	out := &image.NRGBA{Pix: slices.Clone(m.Pix), Stride: m.Stride, Rect: m.Rect}
	for i := 0; i+3 < len(out.Pix); i += 4 {
		var n mgl64.Vec3
		for k := range n {
			n[k] = float64((float64(out.Pix[i+k])/127.5 - 1) * float64(scale[k]))
		}
		if math.Abs(n.Len()-1) > 0.01 { // more than 8 bits make of it
			n = mgl.Unit(n)
		}
		for k, v := range n {
			out.Pix[i+k] = uint8(min(max(float64((v+1)*127.5)+0.5, 0), 255))
		}
	}
	return out
}
