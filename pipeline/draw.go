package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/raster"
)

// DrawInfo describes a draw to hooks. It is theirs until they return.
type DrawInfo struct {
	Index    int // of the draw in its frame, from 0
	Kind     geometry.Kind
	Vertices int            // vertices or indices that the draw asks for
	Regs     *pica.Regs     // a copy of the registers as they are for the draw
	Target   *raster.Target // what it draws to; nil before the draw

	// Set after the draw:
	Geometry  geometry.Stats
	Fragments uint64 // fragments that passed every test
}

// scratch is what a draw works with, kept so that drawing allocates nothing. It
// belongs to the draw that runs; between draws only out and what raster and shader
// gave to the queues mean anything.
type scratch struct {
	running  bool      // a draw runs, or one of its hooks
	info     DrawInfo  // what hooks are told
	regs     pica.Regs // a copy for them
	state    fragment.State
	textures textureMemory // memory as the fragment stage sees it
	shader   *fragment.Draw
	raster   raster.Draw
	input    geometry.Input
	vertices vertexMemory // memory as the geometry stage sees it
	out      geometry.Output
}

// immediateIndex is the value of GPUREG_FIXEDATTRIB_INDEX with which fixed
// attributes are vertices to be drawn.
const immediateIndex = 15

// immediate holds the vertices of immediate mode until something else is
// written than more of them.
type immediate struct {
	vertices [][4]float32 // attributes of whole vertices
	partial  [][4]float32 // those of a vertex that is not complete
	drawn    [][4]float32 // vertices of the draw that runs
}

// maxImmediate bounds the attributes that are collected.
const maxImmediate = 1 << 16

func (im *immediate) reset() {
	im.vertices, im.partial, im.drawn = im.vertices[:0], im.partial[:0], im.drawn[:0]
}

// immediateAttribute takes an attribute of a vertex.
func (g *GPU) immediateAttribute(ctx context.Context, x [4]float32) error {
	im := &g.immediate
	im.partial = append(im.partial, x)
	if n := int(pica.VshNumAttr.Get(&g.regs)) + 1; len(im.partial) < n {
		return nil
	}
	im.vertices = append(im.vertices, im.partial...)
	im.partial = im.partial[:0]
	if len(im.vertices) >= maxImmediate {
		return g.flushImmediate(ctx)
	}
	return nil
}

// flushImmediate draws the vertices of immediate mode. They are taken out of
// the list before, so that a hook of the draw that asks for what was drawn does
// not draw them again.
func (g *GPU) flushImmediate(ctx context.Context) error {
	im := &g.immediate
	if len(im.vertices) == 0 {
		return nil
	}
	im.vertices, im.drawn = im.drawn[:0], im.vertices
	err := g.draw(ctx, geometry.Immediate, im.drawn)
	im.drawn = im.drawn[:0]
	return err
}

// errNestedDraw is what a hook gets that draws.
var errNestedDraw = errors.New("a hook of a draw may read what was drawn, but not draw itself")

// draw runs a draw. An error names it. A draw that the console would get over
// is left out with a warning; what it drew before it failed stays.
func (g *GPU) draw(ctx context.Context, kind geometry.Kind, vertices [][4]float32) error {
	if g.scratch.running {
		return errNestedDraw
	}
	g.scratch.running = true
	defer func() { g.scratch.running = false }()
	// The records of a draw are the GPU's own, so that drawing allocates nothing.
	info := &g.scratch.info
	*info = DrawInfo{Index: g.place.draw, Kind: kind, Vertices: int(pica.Numvertices.Get(&g.regs))}
	if kind == geometry.Immediate {
		info.Vertices = len(vertices) / (int(pica.VshNumAttr.Get(&g.regs)) + 1)
	}
	if g.BeforeDraw != nil || g.AfterDraw != nil {
		g.scratch.regs = g.regs
		info.Regs = &g.scratch.regs
	}
	g.place.drawn(&g.regs)
	g.counters.Draws++
	err := g.cancelled(ctx)
	if err == nil && g.BeforeDraw != nil {
		err = g.BeforeDraw(info)
	}
	skipped, written := false, uint64(0)
	if err == nil && g.AfterDraw != nil {
		// What waited, and what is drawn in the background from here on, is not
		// to be counted as this draw's or missing from it.
		err = g.flush(ctx)
		written = g.engine.Written()
	}
	if err == nil {
		if err = g.runChanged(ctx, info, vertices); err != nil {
			skipped = true
			if !g.queues.queued() {
				g.forget()
			} else if g.engine.Full() {
				_ = g.flush(ctx) // survive sees whether ctx was cancelled
			}
			err = g.survive(ctx, err, fmt.Sprintf("draw of %d vertices (%v)", info.Vertices, kind))
		}
	}
	if err == nil && !skipped && g.AfterDraw != nil {
		if err = g.flush(ctx); err == nil {
			info.Fragments = g.engine.Written() - written
			err = g.AfterDraw(info)
		}
	}
	if err == nil && g.place.draw == g.place.stop {
		if err = g.flush(ctx); err == nil {
			err = errStopped
		}
	}
	if err != nil {
		return fmt.Errorf("draw %d (%v, %d vertices): %w", info.Index, kind, info.Vertices, err)
	}
	return nil
}

// runChanged runs a draw, with other registers while a Replayer asks where it
// could draw.
func (g *GPU) runChanged(ctx context.Context, info *DrawInfo, vertices [][4]float32) error {
	if g.place.change == nil {
		return g.runDraw(ctx, info, vertices)
	}
	saved := g.regs
	defer func() { g.regs = saved }()
	g.place.change(&g.regs)
	return g.runDraw(ctx, info, vertices)
}

func (g *GPU) runDraw(ctx context.Context, info *DrawInfo, vertices [][4]float32) (err error) {
	if err := g.spend(costDraws, 1); err != nil {
		return err
	}
	if err := g.spend(costVertices, uint64(info.Vertices)); err != nil {
		return err
	}
	target, err := g.target()
	if err != nil {
		return err
	}
	info.Target = &target.Target
	if err := g.warnUnmodelled(); err != nil {
		return err
	}
	if err := g.beforeTarget(ctx, target); err != nil {
		return err
	}
	if err := g.beforeVertices(ctx, info.Kind); err != nil {
		return err
	}

	g.scratch.textures = textureMemory{g, ctx}
	g.scratch.state = fragment.State{
		Regs: &g.regs, Tables: &g.tables, Memory: &g.scratch.textures, Target: &target.Target, View: g.View,
	}
	shader, err := g.engine.Draw(&g.scratch.state)
	g.scratch.textures.ctx = nil
	if ctx.Err() != nil {
		return g.cancelled(ctx)
	}
	if err != nil {
		return err
	}
	for _, w := range shader.Warnings {
		if err := g.warn("%s", w); err != nil {
			return err
		}
	}
	g.scratch.shader = shader
	defer func() { g.scratch.shader = nil }()
	g.scratch.raster = g.rasterState(&target.Target, shader)
	// This flushes, so it comes before note.
	if g.scratch.raster.Ordered, err = g.order(ctx, target); err != nil {
		return err
	}
	if rect, has := g.watches(target); has {
		w := g.watch
		g.scratch.raster.Alone, g.scratch.raster.HasAlone = rect, true
		w.probe.Target, w.probe.X, w.probe.Y = &target.Target, rect.X0, rect.Y0
		w.draw = info.Index
		defer func() { // while w.draw says which draw it is
			if e := g.flush(ctx); err == nil {
				err = e
			}
		}()
	}
	g.note(target, shader)
	g.usesDraw(target, shader)

	out := &g.scratch.out
	out.Vertices, out.Attributes, out.Triangles = g.queues.queue.Vertices, g.queues.queue.Attributes, g.queues.queue.Triangles
	out.Stats = geometry.Stats{}
	flushed := g.counters.Time.Fragments
	done := g.measure(&g.counters.Time.Geometry)
	g.scratch.input = geometry.Input{
		Kind: info.Kind, Regs: &g.regs, Memory: g.beginVertices(info.Kind, target),
		Vertex: &g.vs, Geometry: &g.gs, Fixed: &g.fixed, Immediate: vertices,
	}
	err = g.stage.Draw(ctx, &g.scratch.input, out)
	g.scratch.vertices.saved = [2][]byte{}
	done()
	g.counters.Time.Geometry -= g.counters.Time.Fragments - flushed // flushes in the middle of the draw
	g.queues.queue.Vertices, g.queues.queue.Attributes, g.queues.queue.Triangles = out.Vertices, out.Attributes, out.Triangles
	g.scratch.raster.Layout = out.Layout
	out.Vertices, out.Attributes, out.Triangles = nil, nil, nil
	g.counters.Geometry.Add(&out.Stats)
	info.Geometry = out.Stats
	if ctx.Err() != nil {
		return g.cancelled(ctx)
	}
	if e := g.commit(ctx); err == nil {
		err = e
	}
	return err
}

// commit queues the triangles that the geometry stage has appended.
func (g *GPU) commit(ctx context.Context) error {
	over := g.addTriangles(ctx)
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	if over != nil {
		return over // what was added is drawn, whatever was queued before
	}
	if !g.queues.queued() {
		g.forget() // every triangle was culled
		return nil
	}
	if len(g.queues.queue.Triangles) > geometry.FlushTriangles || len(g.queues.queue.Vertices) > geometry.FlushVertices || g.queues.pending.full() || g.engine.Full() ||
		g.queues.queue.Draws() >= maxQueuedDraws {
		return g.flush(ctx)
	}
	g.queues.kick()
	return nil
}

// addTriangles adds the triangles that the geometry stage has appended to the queue, as
// many as the budget has room for.
func (g *GPU) addTriangles(ctx context.Context) error {
	q, spent := g.queues.queue, g.budget.spent[costPixels]
	most := costLimits[costPixels].most
	q.Watch(ctx.Done())
	q.Pixels, q.Stop = 0, most-min(spent, most)+1
	q.Commit(&g.scratch.raster)
	return g.spend(costPixels, q.Pixels)
}

// flushGeometry is called by the geometry stage in the middle of a draw.
func (g *GPU) flushGeometry(ctx context.Context, out *geometry.Output) error {
	g.queues.queue.Vertices, g.queues.queue.Attributes, g.queues.queue.Triangles = out.Vertices, out.Attributes, out.Triangles
	g.scratch.raster.Layout = out.Layout
	if err := ctx.Err(); err != nil {
		return err // runDraw drops what is queued
	}
	over := g.addTriangles(ctx)
	pending := g.queues.pending
	g.scratch.vertices.beforePart()
	err := g.flush(ctx)
	g.queues.pending = pending // the rest of the draw uses the same memory
	out.Vertices, out.Attributes, out.Triangles = g.queues.queue.Vertices, g.queues.queue.Attributes, g.queues.queue.Triangles
	return cmp.Or(err, over)
}

// beforeTarget draws what is queued for another target: the queue draws to
// one target at a time.
func (g *GPU) beforeTarget(ctx context.Context, t *renderTarget) error {
	if g.targets.last != t {
		if err := g.flush(ctx); err != nil {
			return err
		}
	}
	g.targets.drawnTo(t, g.mode())
	return nil
}

// order reports whether the draw must be raster.Draw.Ordered: pixels share
// memory because of the target's width, or because its buffers overlap and
// draws of the queue use both. What is queued is drawn first if it was not to
// be ordered.
func (g *GPU) order(ctx context.Context, t *renderTarget) (bool, error) {
	p := &g.queues.pending
	usesColor, usesDepth := g.writesColor(t), g.usesDepth()
	ordered := p.ordered || t.aliases || t.overlap && (usesColor || p.color) && (usesDepth || p.depth)
	if ordered && !p.ordered && g.queues.queued() {
		if err := g.flush(ctx); err != nil {
			return false, err
		}
		ordered = t.aliases || t.overlap && usesColor && usesDepth
	}
	p.ordered, p.color, p.depth = ordered, p.color || usesColor, p.depth || usesDepth
	return ordered, nil
}

// note remembers what the draw reads and writes.
func (g *GPU) note(t *renderTarget, d *fragment.Draw) {
	if g.writesColor(t) {
		g.queues.willWrite(t.color)
	}
	if g.writesDepth() {
		g.queues.willWrite(t.depth)
	}
	addSpan(&g.queues.pending.reads, t.color)
	addSpan(&g.queues.pending.reads, t.depth)
	for _, r := range d.Textures {
		addSpan(&g.queues.pending.reads, span{r.Addr, r.Bytes})
	}
}

// rasterState reads the rasterizer's registers for a draw.
func (g *GPU) rasterState(t *raster.Target, shader *fragment.Draw) raster.Draw {
	r := &g.regs
	d := raster.Draw{
		Target: t, Shader: shader,
		Bounds:      raster.Rect{X0: 0, Y0: 0, X1: t.Width - 1, Y1: t.Height - 1},
		DepthScale:  pica.DepthmapScale.Float(r),
		DepthOffset: pica.DepthmapOffset.Float(r),
		WBuffer:     pica.DepthMode(pica.DepthmapMode.Get(r)) == pica.DepthModeW,
	}
	// The scissor rectangle is given in the window, from the bottom up, its last
	// pixel included.
	scissor := raster.Rect{
		X0: int32(pica.ScissortestX1.Get(r)), Y0: int32(pica.ScissortestY1.Get(r)),
		X1: int32(pica.ScissortestX2.Get(r)), Y1: int32(pica.ScissortestY2.Get(r)),
	}
	// TargetFlip: without the bit the first row in memory is the lowest one of the
	// window, for viewport and scissor alike.
	d.Flip = !pica.FramebufferNoFlip.Bool(r)
	if !d.Flip {
		scissor.Y0, scissor.Y1 = t.Height-1-scissor.Y1, t.Height-1-scissor.Y0
	}
	switch pica.ScissorMode(pica.ScissortestMode.Get(r)) {
	case pica.ScissorInclude:
		d.Bounds.X0 = max(d.Bounds.X0, scissor.X0)
		d.Bounds.X1 = min(d.Bounds.X1, scissor.X1)
		d.Bounds.Y0 = max(d.Bounds.Y0, scissor.Y0)
		d.Bounds.Y1 = min(d.Bounds.Y1, scissor.Y1)
	case pica.ScissorExclude:
		d.Exclude, d.HasExclude = scissor, true
	}
	d.Pack = shader.Packs() && !g.tests.neverPack
	d.EarlyFunc = pica.CompareFunc(pica.DepthTestFunc.Get(r))
	d.Early = !g.tests.neverEarly && g.mode() == pica.FragmentModeDefault && t.Depth != nil && g.readsDepth() &&
		pica.DepthTestEnable.Bool(r) && !g.stencil() && oneWay(d.EarlyFunc) &&
		g.View != fragment.ViewOverdraw && g.View != fragment.ViewWireframe
	return d
}

// oneWay reports whether a fragment that fails the depth test now will fail it
// too after other fragments of the draw have passed it.
func oneWay(f pica.CompareFunc) bool {
	switch f {
	case pica.CompareLess, pica.CompareLessEqual, pica.CompareGreater, pica.CompareGreaterEqual:
		return true
	}
	return false
}
