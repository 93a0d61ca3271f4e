package pipeline

import (
	"context"
	"fmt"
	"io"
	"slices"

	"pica200/fragment"
	"pica200/raster"
)

// watch is the pixel that is explained: a place of a target, and in draws to
// other targets the pixel that lies at the same address.
type watch struct {
	target targetKey
	rect   raster.Rect              // the pixel alone
	places map[targetKey]watchPlace // where other targets have the pixel
	probe  fragment.Probe           // what the engine looks for in the draw that runs
	draw   int                      // the number of that draw
	last   fragment.Pixel           // what the pixel held when it was looked at last
	events func(Event)
}

type watchPlace struct {
	x, y int32
	has  bool
}

// on reports whether a target has the watched pixel, and where.
func (w *watch) on(t *renderTarget) (rect raster.Rect, has bool) {
	if t.key == w.target {
		return w.rect, true
	}
	p, known := w.places[t.key]
	if !known {
		if from, own := w.address(); own && t.Color != nil && t.key.colorFormat.Bytes() == w.target.colorFormat.Bytes() {
			p.x, p.y, p.has = t.pixelAt(from)
		}
		if w.places == nil || len(w.places) >= maxTargets {
			w.places = map[targetKey]watchPlace{}
		}
		w.places[t.key] = p
	}
	return raster.Rect{X0: p.x, Y0: p.y, X1: p.x, Y1: p.y}, p.has
}

// address is where the watched pixel's colour lies, if the format exists.
func (w *watch) address() (addr uint32, ok bool) {
	n := w.target.colorFormat.Bytes()
	t := raster.Target{Width: w.target.width, Height: w.target.height, Block32: w.target.block32}
	return w.target.color + uint32(t.PixelIndex(w.rect.X0, w.rect.Y0)*n), n > 0
}

// pixelAt finds the pixel whose colour begins at an address.
func (t *renderTarget) pixelAt(addr uint32) (x, y int32, ok bool) {
	n := uint32(t.key.colorFormat.Bytes())
	off := addr - t.key.color
	if n == 0 || off >= t.color.bytes || off%n != 0 {
		return 0, 0, false
	}
	// Rows of tiles follow each other, so one row is looked through.
	index, tile := int(off/n), int32(t.Tiling())
	for y0 := int32(0); y0 < t.Height; y0 += tile {
		if y0+tile < t.Height && t.PixelIndex(0, y0+tile) <= index {
			continue
		}
		for y := y0; y < min(y0+tile, t.Height); y++ {
			for x := range t.Width {
				if t.PixelIndex(x, y) == index {
					return x, y, true
				}
			}
		}
	}
	return 0, 0, false
}

// Event is something that touched a pixel.
type Event struct {
	// Draw is the number of the draw in its frame, from 0; -1 for what is not
	// a draw.
	Draw int `json:"draw"`
	// Name is what a scene calls the draw; recordings have no names.
	Name string `json:"name,omitempty"`
	// Fragment is what a draw's fragment went through; nil for others.
	Fragment *fragment.Record `json:"fragment,omitempty"`
	// Other says what else wrote the pixel: a fill, a transfer, a load; before and
	// after it.
	Other  string          `json:"other,omitempty"`
	Before *fragment.Pixel `json:"before,omitempty"`
	After  *fragment.Pixel `json:"after,omitempty"`
}

// Explain goes to a position and reports everything that touched one pixel in
// its frame up to there, in order: the pixel at column x and row y, from the top
// left of the picture, of the render target that the last draw goes to.
func (r *Replayer) Explain(ctx context.Context, pos Position, x, y int, events func(Event)) error {
	if err := r.Seek(ctx, pos); err != nil {
		return err
	}
	t, err := r.GPU.LastTarget()
	if err != nil {
		return err
	}
	if x < 0 || y < 0 || x >= int(t.Width) || y >= int(t.Height) {
		return fmt.Errorf("pixel %d,%d lies outside the render target of %dx%d", x, y, t.Width, t.Height)
	}
	return r.explainAt(ctx, pos, r.GPU.targets.last.key, int32(x), int32(y), events, nil)
}

// explainAt is Explain for a pixel of any target. prepare, if not nil, may set
// hooks.
func (r *Replayer) explainAt(ctx context.Context, pos Position, key targetKey, x, y int32, events func(Event), prepare func(*GPU)) error {
	return r.Visit(ctx, pos, func(g *GPU) error {
		t, err := g.targetOf(key)
		if err != nil {
			return ErrNoTarget
		}
		g.setWatch(g.watchOf(t, x, y, events))
		if prepare != nil {
			prepare(g)
		}
		return nil
	})
}

// Explain replays the trace up to the end of a frame and reports everything
// that touched one pixel in that frame, in order: the pixel at column x and
// row y, from the top left of the picture, of the colour target that the frame
// draws to last.
func (p *Player) Explain(ctx context.Context, frame, x, y int, events func(Event)) error {
	g := p.GPU
	run := func(watched *watch) error {
		if err := p.Rewind(); err != nil {
			return err
		}
		for i := 0; i <= frame; i++ {
			if i == frame {
				g.setWatch(watched)
			}
			if _, err := p.NextFrame(ctx); err == io.EOF {
				return fmt.Errorf("there is no frame %d; the last one is %d", frame, i-1)
			} else if err != nil {
				return err
			}
		}
		return nil
	}
	defer g.Unwatch()
	if err := run(nil); err != nil {
		return err
	}
	w, err := g.newWatch(x, y, events)
	if err != nil {
		return err
	}
	return run(w)
}

// Explain is Player.Explain for what draw does with the GPU. It is called twice,
// each time after a reset: once to find the target, once to watch the pixel.
func (g *GPU) Explain(ctx context.Context, x, y int, events func(Event), draw func(context.Context) error) error {
	defer g.Unwatch()
	g.Reset()
	if err := draw(ctx); err != nil {
		return err
	}
	w, err := g.newWatch(x, y, events)
	if err != nil {
		return err
	}
	g.Reset()
	g.setWatch(w)
	if err := draw(ctx); err != nil {
		return err
	}
	return g.Finish(ctx)
}

// WatchLast watches a pixel of the render target that was drawn to last, as
// Explain does, in what is drawn from now on until Unwatch is called.
func (g *GPU) WatchLast(x, y int, events func(Event)) error {
	w, err := g.newWatch(x, y, events)
	if err == nil {
		g.setWatch(w)
	}
	return err
}

// Unwatch ends watching.
func (g *GPU) Unwatch() { g.setWatch(nil) }

func (g *GPU) newWatch(x, y int, events func(Event)) (*watch, error) {
	t, err := g.LastTarget()
	if err != nil {
		return nil, err
	}
	if x < 0 || y < 0 || x >= int(t.Width) || y >= int(t.Height) {
		return nil, fmt.Errorf("pixel %d,%d lies outside the render target of %dx%d", x, y, t.Width, t.Height)
	}
	return g.watchOf(g.targets.last, int32(x), int32(y), events), nil
}

// watchOf makes a watch of a pixel that a target has.
func (g *GPU) watchOf(t *renderTarget, x, y int32, events func(Event)) *watch {
	w := &watch{target: t.key, rect: raster.Rect{X0: x, Y0: y, X1: x, Y1: y}, events: events}
	w.probe = fragment.Probe{Target: &t.Target, X: x, Y: y, Seen: func(r *fragment.Record) {
		if w.last = r.After; w.probe.Target != &t.Target {
			w.last = fragment.ReadPixel(&t.Target, x, y)
		}
		events(Event{Draw: w.draw, Fragment: r})
	}}
	return w
}

// watches reports whether a draw to a target may touch the watched pixel, and
// where the target has it.
func (g *GPU) watches(t *renderTarget) (rect raster.Rect, has bool) {
	if g.watch == nil {
		return rect, false
	}
	return g.watch.on(t)
}

// setWatch begins or ends watching a pixel.
func (g *GPU) setWatch(w *watch) {
	_ = g.flush(context.Background()) // which is not cancelled
	g.watch = w
	if w == nil {
		g.engine.Watch(nil)
		return
	}
	g.engine.Watch(&w.probe)
	w.last = g.watchedPixel()
}

// watchedPixel reads the watched pixel, if its target exists already.
func (g *GPU) watchedPixel() fragment.Pixel {
	t := g.targets.cache[g.watch.target]
	if t == nil {
		return fragment.Pixel{}
	}
	return fragment.ReadPixel(&t.Target, g.watch.rect.X0, g.watch.rect.Y0)
}

// watched reports what something other than a draw did to the watched pixel.
// writes tells whether it wrote to a range of memory: what writes the value that
// is there already is reported too.
func (g *GPU) watched(what string, writes func(span) bool) {
	if g.watch == nil {
		return
	}
	before, now := g.watch.last, g.watchedPixel()
	if now == before && !slices.ContainsFunc(g.watch.spans(), writes) {
		return
	}
	g.watch.last = now
	g.watch.events(Event{Draw: -1, Other: what, Before: &before, After: &now})
}

// spans are where the watched pixel's colour and depth lie.
func (w *watch) spans() (list []span) {
	t := raster.Target{Width: w.target.width, Height: w.target.height, Block32: w.target.block32}
	index := uint32(t.PixelIndex(w.rect.X0, w.rect.Y0))
	if n := uint32(w.target.colorFormat.Bytes()); n > 0 {
		list = append(list, span{w.target.color + index*n, n})
	}
	if n := uint32(w.target.depthFormat.Bytes()); n > 0 {
		list = append(list, span{w.target.depth + index*n, n})
	}
	return list
}

// writes reports whether a display transfer writes to a range.
func (t Transfer) writes(to span) bool {
	if _, dst, err := t.spans(); err != nil || !dst.overlaps(to) {
		return false
	}
	width, height := t.size()
	n := uint32(t.OutFormat.Bytes())
	for y := range height {
		for x := range width {
			if _, at := t.pixel(x, y); (span{at, n}).overlaps(to) {
				return true
			}
		}
	}
	return false
}

// writes reports whether a texture copy writes to a range.
func (c TextureCopy) writes(to span) bool {
	if _, dst, err := c.spans(); err != nil || !dst.overlaps(to) {
		return false
	}
	at := uint64(c.Dst)
	for rest := c.Size; rest > 0; {
		n := min(rest, c.OutLine)
		if at < uint64(to.addr)+uint64(to.bytes) && uint64(to.addr) < at+uint64(n) {
			return true
		}
		at, rest = at+uint64(n)+uint64(c.OutGap), rest-n
	}
	return false
}
