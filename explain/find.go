package explain

import (
	"context"
	"fmt"

	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/pipeline"
)

// maxBack is how many frames Screen searches back for what a screen shows.
const maxBack = 7

// Pixel explains a pixel of the render target of the position's draw, or of the
// last draw of the frame.
func Pixel(ctx context.Context, r *pipeline.Replayer, pos pipeline.Position, x, y int) (*History, error) {
	p, err := r.LastPixel(ctx, pos, x, y)
	if err != nil {
		return nil, err
	}
	return watch(ctx, r, pos, p, &History{})
}

// Screen explains the pixel at column x and row y of what a screen shows at the
// end of a frame. It follows display transfers and texture copies back to the
// render target, and to the frame that drew it.
func Screen(ctx context.Context, r *pipeline.Replayer, frame int, s pipeline.Screen, x, y int) (*History, error) {
	if err := picatrace.CheckFrame(frame, r.Frames()); err != nil {
		return nil, err
	}
	for back := 0; ; back = 2*back + 1 {
		back = min(back, frame, maxBack)
		o := pipeline.NewOrigins()
		for i := frame - back; i <= frame; i++ {
			if err := follow(ctx, r, o, pipeline.Position{Frame: i, Draw: pipeline.FrameEnd}); err != nil {
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
		if p, draw, ok := o.Drawn(r.GPU, from.At, from.Via); ok {
			h, pos := &History{}, pipeline.Position{Frame: draw.Frame, Draw: pipeline.FrameEnd}
			if v := from.Via; v != nil {
				h.Via = fmt.Sprintf("%v, in frame %d after %d draws", v.Move, v.Frame, v.Draws)
				if v.Frame == draw.Frame {
					pos.Draw = v.Draws - 1
				}
			}
			return watch(ctx, r, pos, p, h)
		}
		if back < min(frame, maxBack) {
			continue
		}
		what := "nothing wrote it"
		if w := from.Writer; w != nil {
			what = fmt.Sprintf("a %v of frame %d wrote it", w.Move, w.Frame)
		}
		return nil, fmt.Errorf("pixel %d,%d of the %v screen shows memory at 0x%08X, which no draw of frames %d to %d goes to: %s",
			x, y, s, from.At, frame-back, frame, what)
	}
}

// follow replays a frame up to a position and records where memory comes from.
func follow(ctx context.Context, r *pipeline.Replayer, o *pipeline.Origins, pos pipeline.Position) error {
	return r.Visit(ctx, pos, func(g *pipeline.GPU) error { o.Follow(g, pos.Frame); return nil })
}

// watch fills in the history of a pixel.
func watch(ctx context.Context, r *pipeline.Replayer, pos pipeline.Position, p pipeline.TargetPixel, h *History) (*History, error) {
	h.Frame, h.Draw, h.X, h.Y, h.Target, h.Events = pos.Frame, pos.Draw, p.X, p.Y, p.Target(), []Event{}
	return h, r.Watch(ctx, pos, p, func(e pipeline.Event) {
		h.Events = append(h.Events, Event{Event: e})
		if e.Fragment != nil {
			h.texels = append(h.texels, texelsOf(e.Fragment, e.Draw)...)
		}
	})
}

// texelRead is a texel that a fragment read, with its position in memory.
type texelRead struct {
	draw int
	addr uint32
	text string
}

// texelsOf finds the memory of the texels that a fragment read, if they may be
// pixels of a render target: level 0, in a format that targets have.
func texelsOf(f *fragment.Record, draw int) (list []texelRead) {
	for unit := range f.Units {
		t := f.Units[unit].Texture
		if t == nil {
			continue
		}
		if _, ok := t.Format.Color(); !ok {
			continue
		}
		seen := map[uint32]bool{}
		for _, s := range t.Samples {
			for _, x := range s.Texels {
				if s.Level == 0 && !x.Border && int(x.Y) < t.Height && !seen[x.Address] {
					seen[x.Address] = true
					list = append(list, texelRead{draw, x.Address, fmt.Sprintf("texel %d,%d of texture %d of draw %d", x.X, x.Y, unit, draw)})
				}
			}
		}
	}
	return list
}

// Bounds of what Passes looks at.
const (
	maxPassDepth  = 4
	maxPassPixels = 32
)

// Passes explains the pixels, drawn earlier in the same frame, that the fragments
// of h read as texels, and recursively those that these read. It stops at 32
// pixels.
func Passes(ctx context.Context, r *pipeline.Replayer, h *History) ([]*History, error) {
	o := pipeline.NewOrigins()
	if err := follow(ctx, r, o, pipeline.Position{Frame: h.Frame, Draw: h.Draw}); err != nil {
		return nil, err
	}
	type passPixel struct {
		pipeline.TargetPixel
		draw int
	}
	seen := map[passPixel]bool{}
	var found []*History
	todo := []*History{h}
	for depth := 0; depth < maxPassDepth && len(todo) > 0; depth++ {
		var next []*History
		for _, from := range todo {
			for _, t := range from.texels {
				p, draw, ok := o.Drawn(r.GPU, t.addr, o.Draw(h.Frame, t.draw))
				if !ok || len(found) == maxPassPixels || seen[passPixel{p, draw.Draw}] {
					continue
				}
				seen[passPixel{p, draw.Draw}] = true
				one, err := watch(ctx, r, pipeline.Position{Frame: h.Frame, Draw: draw.Draw}, p, &History{Read: t.text})
				if err != nil {
					return found, err
				}
				found, next = append(found, one), append(next, one)
			}
		}
		todo = next
	}
	return found, nil
}
