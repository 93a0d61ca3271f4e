package pipeline

import (
	"context"
	"fmt"
	"slices"

	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/pica"
	"pica200/raster"
)

// watch is a watched pixel: a position of a target, and in draws to other targets
// the pixel at the same address.
type watch struct {
	target    targetKey
	rect      raster.Rect            // the pixel alone, 1x1
	positions map[targetKey]watchPos // the pixel's position in other targets
	probe     fragment.Probe         // records what the draw that runs does to the pixel
	draw      int                    // number of that draw
	last      fragment.Pixel         // last known contents of the pixel
	events    func(Event)
}

type watchPos struct {
	x, y int32
	has  bool
}

// on reports whether a target contains the watched pixel, and where.
func (w *watch) on(t *renderTarget) (rect raster.Rect, has bool) {
	if t.key == w.target {
		return w.rect, true
	}
	p, known := w.positions[t.key]
	if !known {
		if from, own := w.address(); own && t.Color != nil && t.key.colorFormat.Bytes() == w.target.colorFormat.Bytes() {
			p.x, p.y, p.has = t.pixelAt(from)
		}
		if w.positions == nil || len(w.positions) >= maxTargets {
			w.positions = map[targetKey]watchPos{}
		}
		w.positions[t.key] = p
	}
	return raster.Rect{X0: p.x, Y0: p.y, X1: p.x, Y1: p.y}, p.has
}

// address returns the address of the watched pixel's colour; ok is false if the
// format does not exist.
func (w *watch) address() (addr uint32, ok bool) {
	n := w.target.colorFormat.Bytes()
	t := raster.Target{Width: w.target.width, Height: w.target.height, Block32: w.target.block32}
	return w.target.color + uint32(t.PixelIndex(w.rect.X0, w.rect.Y0)*n), n > 0
}

// pixelAt finds the pixel whose colour is at an address.
func (t *renderTarget) pixelAt(addr uint32) (x, y int32, ok bool) {
	n := uint32(t.key.colorFormat.Bytes())
	off := addr - t.key.color
	if n == 0 || off >= t.color.bytes || off%n != 0 {
		return 0, 0, false
	}
	// Rows of tiles are contiguous, so only one row is searched.
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

// Event is a write to a pixel, or a fragment that could have been one.
type Event struct {
	Draw     int              // number of the draw in its frame, from 0; -1 if the event is no draw
	Fragment *fragment.Record // all steps of the fragment; nil if the event is no draw
	Move     Move             // the fill, transfer, copy or load that wrote the pixel
	// Before and After are the pixel's values.
	Before, After fragment.Pixel
}

// TargetPixel is a pixel of a render target, from the top left.
type TargetPixel struct {
	X, Y   int
	target targetKey
}

// Target describes the render target.
func (p TargetPixel) Target() DrawTarget {
	k := p.target
	return DrawTarget{int(k.width), int(k.height), k.color, k.depth, k.colorFormat.String(), k.depthFormat.String()}
}

// LastPixel goes to a position and returns a pixel of the render target of the
// last draw.
func (r *Replayer) LastPixel(ctx context.Context, pos Position, x, y int) (p TargetPixel, err error) {
	if err := r.Seek(ctx, pos); err != nil {
		return p, err
	}
	t, err := r.GPU.targetAt(x, y)
	if err != nil {
		return p, err
	}
	return TargetPixel{x, y, t.key}, nil
}

// Watch goes to a position and reports, in order, everything that touched a
// pixel in that frame up to the position.
func (r *Replayer) Watch(ctx context.Context, pos Position, p TargetPixel, events func(Event)) error {
	return r.Visit(ctx, pos, func(g *GPU) error {
		t, err := g.targetOf(p.target)
		if err != nil {
			return ErrNoTarget
		}
		g.setWatch(g.watchOf(t, int32(p.X), int32(p.Y), events))
		return nil
	})
}

// Watch replays the trace to the end of a frame and reports, in order,
// everything that touched one pixel in that frame. The pixel is at column x and
// row y, from the top left, of the last colour target of the frame.
func (p *Player) Watch(ctx context.Context, frame, x, y int, events func(Event)) error {
	if err := picatrace.CheckFrame(frame, p.Frames()); err != nil {
		return err
	}
	g := p.GPU
	run := func(watched *watch) error {
		if err := p.Rewind(); err != nil {
			return err
		}
		for i := 0; i <= frame; i++ {
			if i == frame {
				g.setWatch(watched)
			}
			if _, err := p.NextFrame(ctx); err != nil {
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

// Watch is Player.Watch for what the function draw does with the GPU. It
// calls draw twice, each time after a reset: first to find the target, then to
// watch the pixel.
func (g *GPU) Watch(ctx context.Context, x, y int, events func(Event), draw func(context.Context) error) error {
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

// WatchLast watches a pixel of the last render target until Unwatch is called.
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
	t, err := g.targetAt(x, y)
	if err != nil {
		return nil, err
	}
	return g.watchOf(t, int32(x), int32(y), events), nil
}

// targetAt returns the render target of the last draw if it has a pixel at x, y.
func (g *GPU) targetAt(x, y int) (*renderTarget, error) {
	t, err := g.LastTarget()
	if err != nil {
		return nil, err
	}
	if x < 0 || y < 0 || x >= int(t.Width) || y >= int(t.Height) {
		return nil, fmt.Errorf("pixel %d,%d lies outside the render target of %dx%d", x, y, t.Width, t.Height)
	}
	return g.targets.last, nil
}

// watchOf makes a watch for a pixel of a target.
func (g *GPU) watchOf(t *renderTarget, x, y int32, events func(Event)) *watch {
	w := &watch{target: t.key, rect: raster.Rect{X0: x, Y0: y, X1: x, Y1: y}, events: events}
	w.probe = fragment.Probe{Target: &t.Target, X: x, Y: y, Seen: func(r *fragment.Record) {
		r.Flat = pica.FlatShading.Bool(&g.regs)
		if w.last = r.After; w.probe.Target != &t.Target {
			w.last = fragment.ReadPixel(&t.Target, x, y)
		}
		events(Event{Draw: w.draw, Fragment: r, Before: r.Before, After: r.After})
	}}
	return w
}

// watches reports whether a draw to a target may touch the watched pixel, and
// where the pixel is in the target.
func (g *GPU) watches(t *renderTarget) (rect raster.Rect, has bool) {
	if g.watch == nil {
		return rect, false
	}
	return g.watch.on(t)
}

// setWatch begins or ends watching a pixel.
func (g *GPU) setWatch(w *watch) {
	_ = g.flush(context.Background()) // cannot be cancelled
	g.watch = w
	if w == nil {
		g.engine.Watch(nil)
		return
	}
	g.engine.Watch(&w.probe)
	w.last = g.watchedPixel()
}

// watchedPixel reads the watched pixel. Before the first draw to its target it
// is zero.
func (g *GPU) watchedPixel() fragment.Pixel {
	t := g.targets.cache[g.watch.target]
	if t == nil {
		return fragment.Pixel{}
	}
	return fragment.ReadPixel(&t.Target, g.watch.rect.X0, g.watch.rect.Y0)
}

// watched reports what something other than a draw did to the watched pixel.
// writes reports whether it wrote to a range of memory. Writes of the value
// that the pixel holds already are reported too.
func (g *GPU) watched(m Move, writes func(span) bool) {
	before, now := g.watch.last, g.watchedPixel()
	if now == before && !slices.ContainsFunc(g.watch.spans(), writes) {
		return
	}
	g.watch.last = now
	g.watch.events(Event{Draw: -1, Move: m, Before: before, After: now})
}

// spans returns the memory of the watched pixel's colour and depth.
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
	width, height := t.Size()
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
