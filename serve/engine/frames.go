package engine

import (
	"context"
	"image"
	"slices"

	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/pipeline"
)

// fileInfo describes a file in the answer to "files".
type fileInfo struct {
	Name   string `json:"name"`
	Frames int    `json:"frames,omitempty"` // if it is open
	Title  string `json:"title,omitempty"`
	From   string `json:"producer,omitempty"`
	Error  string `json:"error,omitempty"`
}

func (e *Engine) opFiles(ctx context.Context, r *Request) (*Answer, error) {
	list := []fileInfo{}
	for i := range e.sources {
		list = append(list, fileInfo{Name: e.sources[i].Name})
	}
	return &Answer{Value: map[string]any{"files": list, "protocol": version, "numbers": drawstate.Numbers, "orders": drawstate.Orders(), "sort": drawstate.SortHint, "filter": drawstate.FilterHint, "words": drawstate.Words}}, nil
}

// opFresh checks whether the open file still has the same contents.
func (e *Engine) opFresh(ctx context.Context, r *Request) (*Answer, error) {
	i := slices.IndexFunc(e.files, func(f *file) bool { return f.index == r.File })
	return &Answer{Value: map[string]any{"fresh": i < 0 || !e.replaced(e.files[i])}}, nil
}

func (e *Engine) opProgress(ctx context.Context, r *Request) (*Answer, error) {
	return &Answer{Value: map[string]any{"done": e.done.Load(), "total": e.total.Load()}}, nil
}

// version is the version of the protocol. It increases when a request no longer
// returns the same as before.
const version = 2

// opOpen opens a file; if its contents were replaced, again.
func (e *Engine) opOpen(ctx context.Context, r *Request) (*Answer, error) {
	if i := slices.IndexFunc(e.files, func(f *file) bool { return f.index == r.File }); i >= 0 && e.replaced(e.files[i]) {
		e.drop(i)
	}
	f, err := e.open(ctx, r.File)
	if err != nil {
		return nil, err
	}
	t := f.Trace()
	findings := []string{}
	for _, n := range t.Findings {
		findings = append(findings, n.String())
	}
	return &Answer{Value: map[string]any{
		"file":   fileInfo{Name: e.sources[r.File].Name, Frames: f.Frames(), Title: t.Meta.Title, From: t.Meta.Producer},
		"notes":  findings,
		"screen": []string{"top", "bottom", "topright"},
	}}, nil
}

// frameInfo is the answer to "frame".
type frameInfo struct {
	Frame    int              `json:"frame"`
	Draws    int              `json:"draws"`
	Items    []drawstate.Item `json:"items"`
	Passes   []drawstate.Pass `json:"passes"`
	Warnings []string         `json:"warnings"`
	Error    string           `json:"error,omitempty"` // error that ends the frame; the items are those before it
}

func (e *Engine) opFrame(ctx context.Context, r *Request) (*Answer, error) {
	info, err := e.frameInfo(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Answer{Value: info}, nil
}

func (e *Engine) frameInfo(ctx context.Context, r *Request) (*frameInfo, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	key := cacheKey{r.File, r.Frame, 0, "frame" + editKey(r.Edits)}
	if cached, ok := e.cache.get(key).(*frameInfo); ok {
		return cached, nil
	}
	list, programs := drawstate.List{Passes: []drawstate.Pass{}}, e.assembledOf(r, false)
	err = f.Visit(ctx, pipeline.Position{Frame: r.Frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		list.Follow(g, r.Frame, func(draw int) (name, shader string) {
			if len(programs) > 0 {
				setup := g.VertexShader()
				shader = sourceOf(programs, &setup).names()
			}
			return f.name(r.Frame, draw), shader
		}, nil)
		return nil
	})
	if known := e.sources[r.File].Micros; known != nil && r.Frame == 0 && len(r.Edits) == 0 {
		list.SetMicros(known())
	}
	list.End()
	info := &frameInfo{Frame: r.Frame, Draws: len(list.Draws), Items: list.Items, Passes: list.Passes, Warnings: []string{}}
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		info.Error = err.Error()
	}
	for _, w := range f.GPU.Warnings() {
		info.Warnings = append(info.Warnings, w.String())
	}
	e.cache.put(key, info, int64(1024+640*len(info.Items)))
	return info, nil
}

// opList filters and sorts what a frame does. A remote build need not support
// it.
func (e *Engine) opList(ctx context.Context, r *Request) (*Answer, error) {
	if !slices.ContainsFunc(drawstate.Orders(), func(n drawstate.Number) bool { return n.Name == r.Order }) {
		return nil, badf("lists cannot be sorted by %q; \"files\" lists the orders", r.Order)
	}
	a, err := e.sub(ctx, &Request{Op: "frame", File: r.File, Frame: r.Frame, Draw: -1, Edits: r.Edits})
	if err != nil {
		return nil, err
	}
	info, err := as[*frameInfo](a)
	if err != nil {
		return nil, err
	}
	return &Answer{Value: map[string]any{"list": drawstate.Arrange(info.Items, r.Filter, r.Order)}}, nil
}

// MaxSmall bounds the draws of an answer to "textures".
const MaxSmall = 256

// opTextures returns small pictures of the textures of some draws, each once.
// Those of a whole frame are made together.
func (e *Engine) opTextures(ctx context.Context, r *Request) (*Answer, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	key := cacheKey{r.File, r.Frame, 0, "textures" + editKey(r.Edits)}
	all, ok := e.cache.get(key).([][]*image.RGBA)
	if !ok {
		err := f.Visit(ctx, pipeline.Position{Frame: r.Frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
			new(drawstate.Thumbs).Follow(g, &all)
			return nil
		})
		if ctx.Err() != nil {
			return nil, err
		}
		e.cache.put(key, all, sizeOfThumbs(all))
	}
	from := min(max(r.Draw, 0), len(all))
	draws, pictures, at, data := [][]int{}, []Picture{}, map[*image.RGBA]int{nil: -1}, []byte{}
	for _, list := range all[from:min(from+min(max(r.Count, 0), MaxSmall), len(all))] {
		draws = append(draws, []int{})
		for _, img := range list {
			n, known := at[img]
			if !known {
				n = len(pictures)
				at[img] = n
				a := rgba(img.Pix, img.Rect, "")
				pictures, data = append(pictures, a.Value.(Picture)), append(data, a.Data...)
			}
			draws[len(draws)-1] = append(draws[len(draws)-1], n)
		}
	}
	return &Answer{Value: map[string]any{"draws": draws, "pictures": pictures}, Data: data}, nil
}

// sizeOfThumbs returns the approximate size of small pictures of draws.
func sizeOfThumbs(all [][]*image.RGBA) int64 {
	bytes, seen := int64(64), map[*image.RGBA]bool{nil: true}
	for _, list := range all {
		bytes += int64(24 + 8*len(list))
		for _, img := range list {
			if !seen[img] {
				seen[img] = true
				bytes += int64(len(img.Pix) + 64)
			}
		}
	}
	return bytes
}

// opChanges compares the state of a draw with that of another.
func (e *Engine) opChanges(ctx context.Context, r *Request) (*Answer, error) {
	from := *r
	from.Frame, from.Draw, from.Edits = r.X, r.Y, nil
	a, err := e.shot(ctx, &from)
	if err != nil {
		return nil, err
	}
	b, err := e.shot(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Answer{Value: map[string]any{"changes": rows.Objects(drawstate.Changes(&a.state.Input, &b.state.Input))}}, nil
}

// Greatest size of thumbnails.
const (
	thumbWidth  = 96
	thumbHeight = 72
)

// opThumb returns a small picture of a frame: the top screen, or the last
// render target if the screen shows nothing.
func (e *Engine) opThumb(ctx context.Context, r *Request) (*Answer, error) {
	f, err := e.frame(ctx, r)
	if err != nil {
		return nil, err
	}
	key := cacheKey{r.File, r.Frame, 0, "thumb"}
	if cached, ok := e.cache.get(key).(*Answer); ok {
		return cached, nil
	}
	if err := f.Seek(ctx, pipeline.Position{Frame: r.Frame, Draw: pipeline.FrameEnd}); err != nil {
		return nil, err
	}
	what, img := "top", f.GPU.Screen(pipeline.ScreenTop)
	if blank(img) {
		if other := f.GPU.Screen(pipeline.ScreenBottom); !blank(other) {
			what, img = "bottom", other
		} else if t := lastColor(f.GPU); t != nil {
			what, img = "target", t
		}
	}
	small := drawstate.Shrink(img, thumbWidth, thumbHeight)
	opaque(small.Pix)
	size := small.Rect.Size()
	a := &Answer{Value: Picture{Width: size.X, Height: size.Y, Format: "rgba8", Max: 255, Name: what}, Data: small.Pix}
	e.cache.put(key, a, int64(len(a.Data)+256))
	return a, nil
}

// lastColor returns the last colour buffer, nil if there is none.
func lastColor(g *pipeline.GPU) *image.RGBA {
	t, err := g.LastTarget()
	if err != nil {
		return nil
	}
	c, err := pipeline.ColorImage(t)
	if err != nil {
		return nil
	}
	return &image.RGBA{Pix: c.Pix, Stride: c.Stride, Rect: c.Rect}
}

// opaque makes all pixels opaque.
func opaque(pix []byte) {
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 255
	}
}

// blank reports whether a picture is black.
func blank(img *image.RGBA) bool {
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i]|img.Pix[i+1]|img.Pix[i+2] != 0 {
			return false
		}
	}
	return true
}
