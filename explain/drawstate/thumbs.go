package drawstate

import (
	"hash/maphash"
	"image"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/pipeline"
)

// Bounds of Thumbs: sides of pictures, bytes of textures that are read, and
// number of pictures.
const (
	thumbSide     = 32
	maxThumbBytes = 256 << 20
	maxThumbs     = 1 << 13
)

// Thumbs makes small pictures of the textures of draws, one for each different
// contents. The zero value is ready to use.
type Thumbs struct {
	seed maphash.Seed
	made map[uint64]*image.RGBA               // by contents of the texture
	now  map[pipeline.DrawTexture]*image.RGBA // valid until memory changes
	read int                                  // bytes
}

// Follow extends the hooks of a GPU to append the pictures of each draw to
// list. Call it in the function given to Replayer.Visit.
func (t *Thumbs) Follow(g *pipeline.GPU, list *[][]*image.RGBA) {
	was, target := g.Hooks, pipeline.DrawTarget{}
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		if to := pipeline.TargetOf(d.Regs); to != target {
			target = to
			clear(t.now) // a render target may be a texture
		}
		*list = append(*list, t.of(g, d.Regs))
		if was.BeforeDraw != nil {
			return was.BeforeDraw(d)
		}
		return nil
	}
	g.BeforeLoad = func(addr uint32, n int) {
		if clear(t.now); was.BeforeLoad != nil {
			was.BeforeLoad(addr, n)
		}
	}
	g.AfterMove = func() error {
		if clear(t.now); was.AfterMove != nil {
			return was.AfterMove()
		}
		return nil
	}
}

// of returns a picture for each texture in pipeline.TexturesOf: the first level
// of the first face; nil if it cannot be read or too many were made. It may be
// called before a draw.
func (t *Thumbs) of(g *pipeline.GPU, r *pica.Regs) []*image.RGBA {
	if t.made == nil {
		t.seed, t.made, t.now = maphash.MakeSeed(), map[uint64]*image.RGBA{}, map[pipeline.DrawTexture]*image.RGBA{}
	}
	bound := pipeline.TexturesOf(r)
	list := make([]*image.RGBA, len(bound))
	for i, d := range bound {
		img, known := t.now[d]
		if !known {
			img = t.make(g, d, pica.TextureFormat(pica.TexunitFormat(d.Unit).Get(r)))
			t.now[d] = img
		}
		list[i] = img
	}
	return list
}

// make reads a texture, and makes its small picture unless one with the same
// contents exists.
func (t *Thumbs) make(g *pipeline.GPU, d pipeline.DrawTexture, format pica.TextureFormat) *image.RGBA {
	size := texture.Size(format, d.Width, d.Height)
	if d.Type == pica.TextureDisabled.String() || !sized(d) || t.read+size > maxThumbBytes {
		return nil
	}
	t.read += size
	data, err := g.Read(d.Addr, uint32(size))
	if err != nil {
		return nil
	}
	var h maphash.Hash
	h.SetSeed(t.seed)
	maphash.WriteComparable(&h, [3]int{int(format), d.Width, d.Height})
	_, _ = h.Write(data)
	key := h.Sum64()
	if img, ok := t.made[key]; ok || len(t.made) >= maxThumbs {
		return img
	}
	var small *image.RGBA
	if im := texture.NewImage(d.Width, d.Height); texture.Decode(im.Pix, data, format, d.Width, d.Height) == nil {
		nrgba := im.NRGBA()
		small = Shrink(&image.RGBA{Pix: nrgba.Pix, Stride: nrgba.Stride, Rect: nrgba.Rect}, thumbSide, thumbSide)
	}
	t.made[key] = small
	return small
}

// sized reports whether the sides of a texture are some that the hardware has.
func sized(d pipeline.DrawTexture) bool {
	return min(d.Width, d.Height) >= 8 && max(d.Width, d.Height) <= 1024
}

// Shrink scales a picture down to fit; each pixel is the mean of those that it
// covers.
func Shrink(img *image.RGBA, width, height int) *image.RGBA {
	size := img.Rect.Size()
	w, h := size.X, size.Y
	if w > width {
		w, h = width, max(h*width/w, 1)
	}
	if h > height {
		w, h = max(w*height/h, 1), height
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			x0, x1 := x*size.X/w, (x+1)*size.X/w
			y0, y1 := y*size.Y/h, (y+1)*size.Y/h
			var sum [4]int
			for sy := y0; sy < y1; sy++ {
				for sx := x0; sx < x1; sx++ {
					for ch, v := range img.Pix[sy*img.Stride+4*sx:][:4] {
						sum[ch] += int(v)
					}
				}
			}
			n := (x1 - x0) * (y1 - y0)
			q := out.Pix[y*out.Stride+4*x:][:4]
			for ch := range q {
				q[ch] = uint8(sum[ch] / n)
			}
		}
	}
	return out
}
