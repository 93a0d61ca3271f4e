package engine

import (
	"context"
	"fmt"
	"image"
	"slices"
	"time"

	"pica200/internal/plural"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/replay/drawstate"
	"pica200/rows"
)

// fileInfo is what "files" tells of a file.
type fileInfo struct {
	Name   string `json:"name"`
	Frames int    `json:"frames,omitempty"` // where it is open
	Title  string `json:"title,omitempty"`
	From   string `json:"producer,omitempty"`
	Error  string `json:"error,omitempty"`
}

func (e *Engine) opFiles(ctx context.Context, r *Request) (*Answer, error) {
	list := []fileInfo{}
	for i := range e.sources {
		list = append(list, fileInfo{Name: e.sources[i].Name})
	}
	return &Answer{Value: map[string]any{"files": list, "protocol": version}}, nil
}

// opFresh looks whether what is open is what is there.
func (e *Engine) opFresh(ctx context.Context, r *Request) (*Answer, error) {
	i := slices.IndexFunc(e.files, func(f *file) bool { return f.index == r.File })
	return &Answer{Value: map[string]any{"fresh": i < 0 || !e.replaced(e.files[i])}}, nil
}

func (e *Engine) opProgress(ctx context.Context, r *Request) (*Answer, error) {
	return &Answer{Value: map[string]any{"done": e.done.Load(), "total": e.total.Load()}}, nil
}

// version is that of the protocol. It grows when what was asked before no longer
// gives what it gave.
const version = 1

// opOpen opens a file; one that was replaced since it was opened, anew.
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

// Item is something that a frame does, in the order in which it does it.
type Item struct {
	Kind string `json:"kind"` // list, draw, fill, transfer, copy, load; at last end
	// Text is what there is to say.
	Text string `json:"text,omitempty"`

	Draw int `json:"draw"`           // its number; of others, how many draws came before
	Move int `json:"move,omitempty"` // of fills, transfers and copies: their number in the frame
	// Of draws: what it is called and does, as rows have it, and the numbers that lists are
	// filtered by.
	Label     string    `json:"label,omitempty"`
	Mark      rows.Mark `json:"mark,omitempty"`
	Name      string    `json:"name,omitempty"`
	Pass      int       `json:"pass,omitempty"`
	Primitive string    `json:"primitive,omitempty"`
	Geometry  bool      `json:"geometry,omitempty"` // a geometry shader runs
	Mode      string    `json:"mode,omitempty"`     // if it is not default
	Vertices  int       `json:"vertices,omitempty"`
	Triangles int       `json:"triangles,omitempty"` // that were assembled
	Drawn     int       `json:"drawn,omitempty"`     // that were left to be drawn
	Pixels    uint64    `json:"pixels,omitempty"`
	Textures  string    `json:"textures,omitempty"`
	Target    string    `json:"target,omitempty"` // of the first draw of a pass
	Micros    int64     `json:"us,omitempty"`     // what it took here
	LeftOut   bool      `json:"left_out,omitempty"`
}

// of fills in what there is to say of a draw.
func (i *Item) of(d *pipeline.DrawRecord) {
	r := d.Row()
	i.Label, i.Text, i.Mark, i.Name, i.Pass, i.Primitive, i.Geometry = r.Name(), r.Text(), r.Mark, d.Name, d.Pass, d.Primitive, d.GeometryEntry >= 0
	i.Vertices, i.Triangles, i.Drawn, i.Pixels, i.LeftOut = d.Vertices, d.Geometry.Primitives, d.Geometry.Triangles, d.Fragments, d.LeftOut
	if i.Textures = r.Get("textures").(string); d.Mode != pica.FragmentModeDefault.String() {
		i.Mode = d.Mode
	}
}

// frameInfo is the answer to "frame".
type frameInfo struct {
	Frame    int      `json:"frame"`
	Draws    int      `json:"draws"`
	Items    []Item   `json:"items"`
	Warnings []string `json:"warnings"`
	Error    string   `json:"error,omitempty"` // with which the frame ends; the items are those before
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
	if kept, ok := e.cache.get(key).(*frameInfo); ok {
		return kept, nil
	}
	info := &frameInfo{Frame: r.Frame, Items: []Item{}, Warnings: []string{}}
	err = f.Visit(ctx, pipeline.Position{Frame: r.Frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		f.follow(g, info)
		return nil
	})
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		info.Error = err.Error()
	}
	info.Items = append(info.Items, Item{Kind: "end", Text: "what the screens show", Draw: info.Draws})
	for _, w := range f.GPU.Warnings() {
		info.Warnings = append(info.Warnings, w.String())
	}
	e.cache.put(key, info, int64(1024+512*len(info.Items)))
	return info, nil
}

// maxItems bounds the items of a frame.
const maxItems = 1 << 18

// follow sets the hooks that list what a frame does.
func (f *file) follow(g *pipeline.GPU, info *frameInfo) {
	add := func(i Item) {
		if len(info.Items) < maxItems {
			info.Items = append(info.Items, i)
		}
	}
	other := func(kind, text string) { add(Item{Kind: kind, Text: text, Draw: info.Draws}) }
	loads, loaded, at := 0, 0, -1
	g.BeforeLoad = func(addr uint32, n int) {
		// Memory that changed comes in hundreds of pages; a run of them is one item.
		if loads == 0 || at != len(info.Items)-1 {
			loads, loaded, at = 0, 0, len(info.Items)
			other("load", "")
		}
		loads, loaded = loads+1, loaded+n
		if at < len(info.Items) {
			info.Items[at].Text = plural.Of(loaded, "byte") + " in " + plural.Of(loads, "piece")
		}
	}
	g.BeforeList = func(addr, n uint32) { other("list", fmt.Sprintf("%s at 0x%08X", plural.Of(int(n), "byte"), addr)) }
	moves := 0
	move := func(m pipeline.Move) {
		row := m.Row()
		add(Item{Kind: row.Label, Text: row.Text(), Draw: info.Draws, Move: moves})
		moves++
	}
	g.BeforeFill = func(f pipeline.Fill) { move(f) }
	g.BeforeTransfer = func(t pipeline.Transfer) { move(t) }
	g.BeforeCopy = func(c pipeline.TextureCopy) { move(c) }

	// What is known of a draw is put into its item before it is drawn, and again after it.
	var list []pipeline.DrawRecord
	pipeline.ListDraws(g, info.Frame, &list)
	before, after, place := g.BeforeDraw, g.AfterDraw, -1
	var start time.Time
	fill := func() *Item {
		if place < 0 {
			return &Item{}
		}
		info.Items[place].of(&list[len(list)-1])
		return &info.Items[place]
	}
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		err := before(d)
		n := len(list) - 1
		list[n].Name = f.name(info.Frame, d.Index)
		info.Draws, place = d.Index+1, -1
		if len(info.Items) < maxItems {
			place = len(info.Items)
		}
		add(Item{Kind: "draw", Draw: d.Index})
		if i := fill(); n == 0 || list[n].Pass != list[n-1].Pass {
			i.Target = list[n].Target.String()
		}
		start = time.Now()
		return err
	}
	g.AfterDraw = func(d *pipeline.DrawInfo) error {
		took := time.Since(start).Microseconds()
		err := after(d)
		fill().Micros = took
		return err
	}
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
	return &Answer{Value: map[string]any{"changes": rows.Objects(drawstate.Changes(&a.state.Given, &b.state.Given))}}, nil
}

// Thumbnails are as large as this at most.
const (
	thumbWidth  = 96
	thumbHeight = 72
)

// opThumb makes a small picture of a frame: the top screen, or what was drawn to
// last where the screen shows nothing.
func (e *Engine) opThumb(ctx context.Context, r *Request) (*Answer, error) {
	f, err := e.frame(ctx, r)
	if err != nil {
		return nil, err
	}
	key := cacheKey{r.File, r.Frame, 0, "thumb"}
	if kept, ok := e.cache.get(key).(*Answer); ok {
		return kept, nil
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

// lastColor is what was drawn to last, nil for nothing.
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

// opaque makes a picture so.
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
