package engine

import (
	"context"
	"encoding/binary"
	"image"
	"slices"

	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
)

// pictureNames are what "picture" gives of a draw, besides views.
var pictureNames = []string{"after", "before", "added", "alone", "depth", "depth-before", "stencil", "stencil-before", "overdraw-frame"}

// screens by their names.
var screens = map[string]pipeline.Screen{
	pipeline.ScreenTop.String(): pipeline.ScreenTop, pipeline.ScreenBottom.String(): pipeline.ScreenBottom,
	pipeline.ScreenTopRight.String(): pipeline.ScreenTopRight,
}

// PictureNames lists what "picture" takes as What.
func PictureNames() []string {
	list := append(slices.Clone(pictureNames), "top", "bottom", "topright", "gas", "shadow")
	for _, v := range fragment.Views()[1:] {
		if v != fragment.ViewDepth { // the depth buffer says more
			list = append(list, v.String())
		}
	}
	return list
}

func (e *Engine) opPicture(ctx context.Context, r *Request) (*Answer, error) {
	if s, ok := screens[r.What]; ok {
		return e.screen(ctx, r, s)
	}
	if !slices.Contains(PictureNames(), r.What) {
		return nil, badf("there is no picture %q; there are %v", r.What, PictureNames())
	}
	if r.Draw < 0 {
		return nil, badf("the picture %q is of a draw, and which draw is missing", r.What)
	}
	switch r.What {
	case "after", "before", "added", "depth", "depth-before", "stencil", "stencil-before", "gas", "shadow":
		s, err := e.shot(ctx, r)
		if err != nil {
			return nil, err
		}
		return s.picture(r.What)
	}
	// The rest is drawn for the purpose.
	key := cacheKey{r.File, r.Frame, r.Draw, "picture " + r.What + editKey(r.Edits)}
	if kept, ok := e.cache.get(key).(*Answer); ok {
		return kept, nil
	}
	a, err := e.drawn(ctx, r)
	if err == nil {
		e.cache.put(key, a, int64(len(a.Data)+256))
	}
	return a, err
}

// drawn makes pictures that are drawn for the purpose: a draw alone, or what a
// view shows of it.
func (e *Engine) drawn(ctx context.Context, r *Request) (*Answer, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	pos := pipeline.Position{Frame: r.Frame, Draw: r.Draw}
	view := fragment.ViewFinal
	switch r.What {
	case "alone":
		if err := f.Only(ctx, pos); err != nil {
			return nil, err
		}
	default:
		all := r.What == "overdraw-frame"
		if view, err = fragment.ParseView(r.What); all {
			view, err = fragment.ViewOverdraw, nil
		}
		if err != nil {
			return nil, badf("%v", err)
		}
		err := f.Visit(ctx, pos, func(g *pipeline.GPU) error {
			f.Spoil()
			cleared := map[uint32]bool{}
			g.BeforeDraw = func(d *pipeline.DrawInfo) error {
				if !all && d.Index != r.Draw {
					return nil
				}
				// Views are shown on black, but for the lines of a wireframe.
				addr := pica.ColorbufferLoc.Addr(d.Regs)
				if t, err := g.DrawTarget(); err == nil && t.Color != nil && view != fragment.ViewWireframe && !cleared[addr] {
					if err := g.Load(ctx, addr, make([]byte, len(t.Color))); err != nil {
						return err
					}
					cleared[addr] = true
				}
				g.View = view
				return nil
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	t, err := f.GPU.LastTarget()
	if err != nil {
		return nil, err
	}
	return colorAnswer(t, r.What)
}

func colorAnswer(t *raster.Target, name string) (*Answer, error) {
	img, err := pipeline.ColorImage(t)
	if err != nil {
		return nil, err
	}
	return rgba(img.Pix, img.Rect, name), nil
}

func rgba(pix []byte, rect image.Rectangle, name string) *Answer {
	size := rect.Size()
	return &Answer{Value: Picture{size.X, size.Y, "rgba8", 255, name}, Data: pix}
}

// screen gives what a screen shows after a draw, or at the end of the frame.
func (e *Engine) screen(ctx context.Context, r *Request, s pipeline.Screen) (*Answer, error) {
	f, err := e.frame(ctx, r)
	if err != nil {
		return nil, err
	}
	draw := pipeline.FrameEnd
	if r.Draw >= 0 {
		draw = r.Draw
	}
	key := cacheKey{r.File, r.Frame, draw, "screen " + r.What + editKey(r.Edits)}
	if kept, ok := e.cache.get(key).(*Answer); ok {
		return kept, nil
	}
	end, err := f.edited(ctx, r.Edits, r.Frame)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := f.Seek(ctx, pipeline.Position{Frame: r.Frame, Draw: draw}); err != nil {
		return nil, err
	}
	img := f.GPU.Screen(s)
	a := rgba(img.Pix, img.Rect, r.What)
	e.cache.put(key, a, int64(len(a.Data)+256))
	return a, nil
}

// picture gives one that a shot holds.
func (s *shot) picture(what string) (*Answer, error) {
	t := s.after
	if what == "before" || what == "depth-before" || what == "stencil-before" {
		t = s.before
	}
	if t == nil {
		return nil, badf("the draw is left out, as a warning says, and has no picture")
	}
	switch what {
	case "after", "before":
		return colorAnswer(t, what)
	case "added":
		return s.added()
	case "gas":
		img, err := pipeline.GasImage(t)
		if err != nil {
			return nil, err
		}
		return wide(img), nil
	case "shadow":
		img, err := pipeline.ShadowImage(t)
		if err != nil {
			return nil, err
		}
		return wide(img), nil
	case "depth", "depth-before":
		if t.Depth == nil {
			return nil, badf("the draw has no depth buffer in memory")
		}
		size := image.Pt(int(t.Width), int(t.Height))
		data := make([]byte, 4*size.X*size.Y)
		var z [raster.BlockPixels]uint32
		for y := 0; y < size.Y; y += 4 {
			for x := 0; x < size.X; x += 4 {
				t.LoadDepth(t.PixelIndex(int32(x), int32(y)), &z)
				for i, d := range z {
					px, py := x+int(raster.PixelX[i]), y+int(raster.PixelY[i])
					if px < size.X && py < size.Y {
						binary.LittleEndian.PutUint32(data[4*(py*size.X+px):], d)
					}
				}
			}
		}
		return &Answer{Value: Picture{size.X, size.Y, "u32", t.DepthFormat.Max(), what}, Data: data}, nil
	}
	img, err := pipeline.StencilImage(t)
	if err != nil {
		return nil, badf("%v", err)
	}
	size := img.Rect.Size()
	return &Answer{Value: Picture{size.X, size.Y, "u8", 255, what}, Data: img.Pix}, nil
}

// wide narrows a picture of 16 bits a channel, as it is shown.
func wide(img *image.NRGBA64) *Answer {
	size := img.Rect.Size()
	data := make([]byte, 4*size.X*size.Y)
	for i := range data {
		data[i] = img.Pix[2*i]
	}
	return rgba(data, img.Rect, "")
}

// added gives the colours of the pixels that the draw changed; the rest is
// transparent. Pixels that were written with the colour that they had are not
// told from those that were not.
func (s *shot) added() (*Answer, error) {
	after, err := pipeline.ColorImage(s.after)
	if err != nil {
		return nil, err
	}
	if s.before != nil && s.before.Color != nil {
		before, err := pipeline.ColorImage(s.before)
		if err != nil {
			return nil, err
		}
		for i := 0; i+4 <= len(after.Pix) && i+4 <= len(before.Pix); i += 4 {
			if [4]byte(after.Pix[i:]) == [4]byte(before.Pix[i:]) {
				clear(after.Pix[i : i+4])
			} else {
				after.Pix[i+3] = 255
			}
		}
	}
	return rgba(after.Pix, after.Rect, "added"), nil
}

// opTexture gives a texture that a unit of the draw has bound.
func (e *Engine) opTexture(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	for i := range s.state.Textures {
		t := &s.state.Textures[i]
		if t.Unit != r.Unit || t.Face != r.Face || t.Level != r.Level {
			continue
		}
		img, ok := t.Image.(*image.NRGBA)
		if !ok {
			return nil, badf("the texture is no picture")
		}
		size := img.Rect.Size()
		data := make([]byte, 0, 4*size.X*size.Y)
		for y := range size.Y {
			data = append(data, img.Pix[y*img.Stride:][:4*size.X]...)
		}
		return rgba(data, img.Rect, t.Name()), nil
	}
	return nil, badf("the draw has no texture of unit %d, face %d, level %d", r.Unit, r.Face, r.Level)
}

// opPixel reads one pixel of the target, before and after the draw.
func (e *Engine) opPixel(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	if s.after == nil {
		return nil, badf("the draw is left out, as a warning says, and has no picture")
	}
	if r.X < 0 || r.Y < 0 || r.X >= int(s.after.Width) || r.Y >= int(s.after.Height) {
		return nil, badf("pixel %d,%d lies outside the render target of %dx%d", r.X, r.Y, s.after.Width, s.after.Height)
	}
	out := map[string]any{"x": r.X, "y": r.Y, "after": fragment.ReadPixel(s.after, int32(r.X), int32(r.Y))}
	if s.before != nil {
		out["before"] = fragment.ReadPixel(s.before, int32(r.X), int32(r.Y))
	}
	return &Answer{Value: out}, nil
}
