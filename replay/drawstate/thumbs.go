package drawstate

import (
	"hash/maphash"
	"image"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/pipeline"
)

// Bounds of what a Thumbs makes: sides of pictures, bytes of textures that it reads, and
// pictures.
const (
	thumbSide     = 32
	maxThumbBytes = 256 << 20
	maxThumbs     = 1 << 13
)

// Thumbs makes small pictures of the textures that draws have bound, one for each content.
// The zero Thumbs is ready.
type Thumbs struct {
	seed maphash.Seed
	made map[uint64]*image.RGBA               // by what is in the texture
	now  map[pipeline.DrawTexture]*image.RGBA // as long as memory stays
	read int                                  // bytes
}

// Follow adds to hooks of a GPU, for a function given to Replayer.Visit, that append to list the
// pictures of each draw.
func (t *Thumbs) Follow(g *pipeline.GPU, list *[][]*image.RGBA) {
	was, target := g.Hooks, pipeline.DrawTarget{}
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		if to := pipeline.TargetOf(d.Regs); to != target {
			target = to
			clear(t.now) // what was drawn may be a texture
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

// of gives a picture for each of pipeline.TexturesOf: the first level of the first face, nil
// where it cannot be read or too many were made. It may be called before a draw.
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

// make reads a texture, and makes it small where its like was not seen yet.
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

// Shrink makes a picture fit, each pixel the mean of those that it stands for.
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
