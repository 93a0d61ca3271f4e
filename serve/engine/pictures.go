package engine

import (
	"context"
	"encoding/binary"
	"image"
	"image/draw"
	"slices"

	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
)

// drawPictures are the pictures of a draw for "picture", besides views.
var drawPictures = []string{"after", "before", "added", "alone", "depth", "depth-before", "stencil", "stencil-before", "overdraw-frame"}

// screens by their names.
var screens = map[string]pipeline.Screen{
	pipeline.ScreenTop.String(): pipeline.ScreenTop, pipeline.ScreenBottom.String(): pipeline.ScreenBottom,
	pipeline.ScreenTopRight.String(): pipeline.ScreenTopRight,
}

// allScreens is both screens, arranged as on the console.
const allScreens = "screens"

// pictureNames lists the values of What for "picture".
func pictureNames() []string {
	list := append(slices.Clone(drawPictures), allScreens, "top", "bottom", "topright", "gas", "shadow")
	for _, v := range fragment.Views()[1:] {
		if v != fragment.ViewDepth { // the depth buffer says more
			list = append(list, v.String())
		}
	}
	return list
}

func (e *Engine) opPicture(ctx context.Context, r *Request) (*Answer, error) {
	if _, ok := screens[r.What]; ok || r.What == allScreens {
		return e.screen(ctx, r)
	}
	if !slices.Contains(pictureNames(), r.What) {
		return nil, badf("there is no picture %q; there are %v", r.What, pictureNames())
	}
	if r.Move != nil {
		m, err := e.moved(ctx, r)
		if err != nil {
			return nil, err
		}
		return m.picture(r.What)
	}
	if r.Draw < 0 {
		return nil, badf("the picture %q is of a draw, and the number of the draw is missing", r.What)
	}
	switch r.What {
	case "after", "before", "added", "depth", "depth-before", "stencil", "stencil-before", "gas", "shadow":
		s, err := e.shot(ctx, r)
		if err != nil {
			return nil, err
		}
		return s.picture(r.What)
	}
	// Other pictures need a new rendering.
	key := cacheKey{r.File, r.Frame, r.Draw, "picture " + r.What + editKey(r.Edits)}
	if cached, ok := e.cache.get(key).(*Answer); ok {
		return cached, nil
	}
	a, err := e.drawn(ctx, r)
	if err == nil {
		e.cache.put(key, a, int64(len(a.Data)+256))
	}
	return a, err
}

// drawn renders a picture for the request: a draw alone, or a view of it.
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
			f.Invalidate()
			cleared := map[uint32]bool{}
			g.BeforeDraw = func(d *pipeline.DrawInfo) error {
				if !all && d.Index != r.Draw {
					return nil
				}
				// Views are shown on black, except the lines of a wireframe.
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
	if view == fragment.ViewOverdraw {
		return overdraw(t, r.What)
	}
	return colorAnswer(t, r.What)
}

// overdraw returns the number of fragments on each pixel, as far as the
// target's format can count.
func overdraw(t *raster.Target, name string) (*Answer, error) {
	img, err := pipeline.ColorImage(t)
	if err != nil {
		return nil, err
	}
	step := fragment.OverdrawStep(t.ColorFormat)
	counts := make([]byte, len(img.Pix)/4)
	for i := range counts {
		counts[i] = img.Pix[4*i+2] / step
	}
	size := img.Rect.Size()
	return &Answer{Value: Picture{Width: size.X, Height: size.Y, Format: "u8", Max: 255 / uint32(step), Name: name}, Data: counts}, nil
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
	return &Answer{Value: Picture{Width: size.X, Height: size.Y, Format: "rgba8", Max: 255, Name: name}, Data: pix}
}

// screen returns what a screen shows after a draw, after a fill, a transfer or
// a copy, or at the end of the frame.
func (e *Engine) screen(ctx context.Context, r *Request) (*Answer, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	if r.Move != nil {
		m, err := e.moved(ctx, r)
		if err != nil {
			return nil, err
		}
		return m.screens[r.What], nil
	}
	draw := max(r.Draw, pipeline.FrameEnd)
	key := cacheKey{r.File, r.Frame, draw, "screen " + r.What + editKey(r.Edits)}
	if cached, ok := e.cache.get(key).(*Answer); ok {
		return cached, nil
	}
	if err := f.Seek(ctx, pipeline.Position{Frame: r.Frame, Draw: draw}); err != nil {
		return nil, err
	}
	a := screenPicture(f.GPU, r.What)
	e.cache.put(key, a, int64(len(a.Data)+256))
	return a, nil
}

// screenPicture returns what a screen shows, or both arranged as on the
// console: the bottom one centred below the top one. If both are black, it
// returns the last render target.
func screenPicture(g *pipeline.GPU, what string) *Answer {
	if what != allScreens {
		img := g.Screen(screens[what])
		return rgba(img.Pix, img.Rect, what)
	}
	top, bottom := g.Screen(pipeline.ScreenTop), g.Screen(pipeline.ScreenBottom)
	if blank(top) && blank(bottom) {
		if img := lastColor(g); img != nil {
			return rgba(img.Pix, img.Rect, "target")
		}
	}
	places := []pictureArea{{Name: "top", Width: top.Rect.Dx(), Height: top.Rect.Dy()}}
	if !blank(bottom) {
		places = append(places, pictureArea{"bottom", (top.Rect.Dx() - bottom.Rect.Dx()) / 2, top.Rect.Dy(), bottom.Rect.Dx(), bottom.Rect.Dy()})
	}
	last := places[len(places)-1]
	all := image.NewRGBA(image.Rect(0, 0, top.Rect.Dx(), last.Y+last.Height))
	for i, img := range []*image.RGBA{top, bottom}[:len(places)] {
		at := image.Pt(places[i].X, places[i].Y)
		draw.Draw(all, image.Rectangle{Min: at, Max: at.Add(img.Rect.Size())}, img, image.Point{}, draw.Src)
	}
	a := rgba(all.Pix, all.Rect, allScreens)
	p := a.Value.(Picture)
	p.Parts = places
	a.Value = p
	return a
}

// picture returns a picture of the shot.
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
		top, err := pipeline.GasTop(t)
		return wide(img, what, top), err
	case "shadow":
		img, err := pipeline.ShadowImage(t)
		if err != nil {
			return nil, err
		}
		return wide(img, what, 0), nil
	case "depth", "depth-before":
		if t.Depth == nil {
			return nil, badf("the draw has no depth buffer in memory")
		}
		return depthAnswer(t, what), nil
	}
	img, err := pipeline.StencilImage(t)
	if err != nil {
		return nil, badf("%v", err)
	}
	size := img.Rect.Size()
	return &Answer{Value: Picture{Width: size.X, Height: size.Y, Format: "u8", Max: 255, Name: what}, Data: img.Pix}, nil
}

// depthAnswer returns the depth buffer of a target.
func depthAnswer(t *raster.Target, name string) *Answer {
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
	return &Answer{Value: Picture{Width: size.X, Height: size.Y, Format: "u32", Max: t.DepthFormat.Max(), Name: name}, Data: data}
}

// wide converts a picture with 16 bits a channel for display. top is the number
// that its greatest value stands for, if not itself.
func wide(img *image.NRGBA64, name string, top float32) *Answer {
	size := img.Rect.Size()
	data := make([]byte, 4*size.X*size.Y)
	for i := range data {
		data[i] = img.Pix[2*i]
	}
	return &Answer{Value: Picture{Width: size.X, Height: size.Y, Format: "rgba8", Max: 255, Name: name, Top: number(top)}, Data: data}
}

// added returns the colours of the pixels that the draw changed; the rest is
// transparent. Pixels written with their old colour do not count as changed.
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
		keepChanged(after.Pix, before.Pix)
	}
	return rgba(after.Pix, after.Rect, "added"), nil
}

// keepChanged makes equal pixels of two pictures transparent in the first, and
// the rest opaque.
func keepChanged(after, before []byte) {
	for i := 0; i+4 <= len(after) && i+4 <= len(before); i += 4 {
		if [4]byte(after[i:]) == [4]byte(before[i:]) {
			clear(after[i : i+4])
		} else {
			after[i+3] = 255
		}
	}
}

// opTexture returns a texture that a unit of the draw has bound.
func (e *Engine) opTexture(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	for i := range s.state.Textures {
		t := &s.state.Textures[i]
		if t.Unit != r.Unit || t.Face != r.Face || t.Level != r.Level {
			continue
		}
		img, ok := t.Image.(*image.NRGBA)
		if !ok {
			return nil, badf("the texture cannot be shown as a picture")
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
