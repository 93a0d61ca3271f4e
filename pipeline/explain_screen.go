package pipeline

import (
	"context"
	"fmt"

	"pica200/explain/rows"
	"pica200/pica"
)

// Explained is a pixel of a render target with everything that touched it in a
// frame.
type Explained struct {
	Frame  int        `json:"frame"`
	Draw   int        `json:"last_draw"` // last draw of the explanation; -1 for the whole frame
	X      int        `json:"x"`
	Y      int        `json:"y"`
	Target DrawTarget `json:"target"`
	// Via names the transfers that brought the pixel to a screen.
	Via string `json:"via,omitempty"`
	// Read says which draw read this pixel as a texel. It is set for pixels of
	// earlier passes.
	Read   string  `json:"read_as,omitempty"`
	Events []Event `json:"events"`
	// Passes are the pixels of earlier passes that this one's fragments read, if
	// they were asked for.
	Passes []*Explained `json:"passes,omitempty"`

	key    targetKey
	texels []texelRead
}

// SetNames names the draws. name returns the name of a draw by frame and
// number.
func (e *Explained) SetNames(name func(frame, draw int) string) {
	for i := range e.Events {
		if d := e.Events[i].Draw; d >= 0 {
			e.Events[i].Name = name(e.Frame, d)
		}
	}
	for _, p := range e.Passes {
		p.SetNames(name)
	}
}

// texelRead is a texel that a fragment read, with its place in memory.
type texelRead struct {
	draw int
	addr uint32
	text string
}

// maxBack is how many frames ExplainScreen searches back for what a screen
// shows.
const maxBack = 7

// ExplainPixel explains a pixel of the render target of the position's draw, or
// of the last draw of the frame.
func (r *Replayer) ExplainPixel(ctx context.Context, pos Position, x, y int) (*Explained, error) {
	if err := r.Seek(ctx, pos); err != nil {
		return nil, err
	}
	t, err := r.GPU.targetAt(x, y)
	if err != nil {
		return nil, err
	}
	e := &Explained{Frame: pos.Frame, Draw: pos.Draw, X: x, Y: y, key: t.key}
	return e, r.explain(ctx, e)
}

// ExplainScreen explains the pixel at column x and row y of what a screen shows
// at the end of a frame. It follows display transfers and texture copies back
// to the render target, and to the frame that drew it.
func (r *Replayer) ExplainScreen(ctx context.Context, frame int, s Screen, x, y int) (*Explained, error) {
	if err := r.check(Position{frame, 0}); err != nil {
		return nil, err
	}
	for back := 0; ; back = 2*back + 1 {
		back = min(back, frame, maxBack)
		o := NewOrigins()
		for i := frame - back; i <= frame; i++ {
			if err := r.Visit(ctx, Position{i, FrameEnd}, func(g *GPU) error { o.Follow(g, i); return nil }); err != nil {
				return nil, err
			}
		}
		addr, _, ok := r.GPU.ScreenAddress(s, x, y)
		if !ok {
			size := r.GPU.Screen(s).Rect.Size()
			if x < 0 || y < 0 || x >= size.X || y >= size.Y {
				return nil, fmt.Errorf("pixel %d,%d lies outside the %v screen of %dx%d", x, y, s, size.X, size.Y)
			}
			return nil, fmt.Errorf("pixel %d,%d of the %v screen shows no framebuffer in memory at the end of frame %d", x, y, s, frame)
		}
		from := o.Of(addr)
		key, px, py, draw, found := o.target(r.GPU, from.At, from.via)
		if found {
			e := &Explained{Frame: draw.Frame, Draw: FrameEnd, X: int(px), Y: int(py), key: key}
			if from.Via != nil {
				e.Via = fmt.Sprintf("%s, in frame %d after %d draws", from.Via.What, from.Via.Frame, from.Via.Draws)
				if from.Via.Frame == draw.Frame {
					e.Draw = from.Via.Draws - 1
				}
			}
			return e, r.explain(ctx, e)
		}
		if back < min(frame, maxBack) {
			continue
		}
		what := "nothing wrote it"
		if from.Writer != nil {
			what = fmt.Sprintf("a %s of frame %d wrote it", from.Writer.What, from.Writer.Frame)
		}
		return nil, fmt.Errorf("pixel %d,%d of the %v screen shows memory at 0x%08X, which no draw of frames %d to %d goes to: %s",
			x, y, s, from.At, frame-back, frame, what)
	}
}

// explain fills in the events of a pixel.
func (r *Replayer) explain(ctx context.Context, e *Explained) error {
	k := e.key
	e.Target = DrawTarget{int(k.width), int(k.height), k.color, k.depth, k.colorFormat.String(), k.depthFormat.String()}
	e.Events = []Event{}
	var regs pica.Regs
	return r.explainAt(ctx, Position{e.Frame, e.Draw}, k, int32(e.X), int32(e.Y), func(ev Event) {
		e.Events = append(e.Events, ev)
		if ev.Fragment != nil {
			e.texels = append(e.texels, texelsOf(&regs, &ev)...)
		}
	}, func(g *GPU) {
		g.BeforeDraw = func(d *DrawInfo) error {
			regs = *d.Regs
			return nil
		}
	})
}

// texelsOf finds the memory of the texels that a fragment read, if they may be
// pixels of a render target: level 0, in a format that targets have.
func texelsOf(r *pica.Regs, ev *Event) (list []texelRead) {
	seen := [3]map[uint32]bool{{}, {}, {}}
	rows.Walk(ev.Fragment.Rows, func(row *rows.Row, _ int) bool {
		l := row.Link
		if l == nil || l.To != rows.ToTexel || l.Level != 0 || seen[l.Unit][l.Address] ||
			uint32(l.Y) >= pica.TexunitHeight.At(pica.TexunitOffset(l.Unit)).Get(r) {
			return true
		}
		if _, ok := pica.TextureFormat(pica.TexunitFormat(l.Unit).Get(r)).Color(); ok {
			seen[l.Unit][l.Address] = true
			list = append(list, texelRead{ev.Draw, l.Address, fmt.Sprintf("texel %d,%d of texture %d of draw %d", l.X, l.Y, l.Unit, ev.Draw)})
		}
		return true
	})
	return list
}

// Bounds of what ExplainPasses looks at.
const (
	maxPassDepth  = 4
	maxPassPixels = 32
)

// ExplainPasses explains the pixels, drawn earlier in the same frame, that the
// fragments of e read as texels, and recursively those that these read. It
// stops at 32 pixels.
func (r *Replayer) ExplainPasses(ctx context.Context, e *Explained) ([]*Explained, error) {
	o := NewOrigins()
	if err := r.Visit(ctx, Position{e.Frame, e.Draw}, func(g *GPU) error { o.Follow(g, e.Frame); return nil }); err != nil {
		return nil, err
	}
	type place struct {
		key  targetKey
		x, y int32
		draw int
	}
	seen := map[place]bool{}
	var found []*Explained
	todo := []*Explained{e}
	for depth := 0; depth < maxPassDepth && len(todo) > 0; depth++ {
		var next []*Explained
		for _, from := range todo {
			for _, t := range from.texels {
				key, x, y, draw, ok := o.target(r.GPU, t.addr, o.workOf(e.Frame, t.draw))
				if !ok || len(found) == maxPassPixels || seen[place{key, x, y, draw.Draw}] {
					continue
				}
				seen[place{key, x, y, draw.Draw}] = true
				one := &Explained{Frame: e.Frame, Draw: draw.Draw, X: int(x), Y: int(y), Read: t.text, key: key}
				if err := r.explain(ctx, one); err != nil {
					return found, err
				}
				found, next = append(found, one), append(next, one)
			}
		}
		todo = next
	}
	return found, nil
}

// workOf returns the number of a draw's Work.
func (o *Origins) workOf(frame, draw int) int32 {
	for i := range o.works {
		if o.works[i].Frame == frame && o.works[i].Draw == draw {
			return int32(i + 1)
		}
	}
	return 0
}
