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
	"pica200/shaderunit"
)

// DrawInfo describes a draw to hooks. Hooks must not keep it after they return.
type DrawInfo struct {
	Index    int // number of the draw in its frame, from 0
	Kind     geometry.Kind
	Vertices int            // number of vertices or indices that the draw asks for
	Regs     *pica.Regs     // copy of the registers with which the draw runs
	Target   *raster.Target // render target; nil before the draw

	// Set after the draw:
	Geometry  geometry.Stats
	Fragments uint64 // fragments that passed every test
}

// scratch holds the buffers of the draw that runs. They are kept so that
// drawing allocates nothing. Between draws only out, raster and shader hold
// anything: what they gave to the queues.
type scratch struct {
	running  bool      // a draw or one of its hooks runs
	info     DrawInfo  // passed to hooks
	regs     pica.Regs // copy for hooks
	state    fragment.State
	textures textureMemory // how the fragment stage reads memory
	shader   *fragment.Draw
	raster   raster.Draw
	input    geometry.Input
	vertices vertexMemory // how the geometry stage reads memory
	out      geometry.Output
}

// immediateIndex is the value of GPUREG_FIXEDATTRIB_INDEX that makes the words
// that follow vertices of immediate mode.
const immediateIndex = 15

// immediate collects the vertices of immediate mode. Any write other than of
// more vertices draws them.
type immediate struct {
	vertices [][4]float32 // attributes of complete vertices
	partial  [][4]float32 // attributes of the incomplete vertex
	drawn    [][4]float32 // vertices of the draw that runs
}

// maxImmediate bounds the number of attributes that are collected.
const maxImmediate = 1 << 16

func (im *immediate) reset() {
	im.vertices, im.partial, im.drawn = im.vertices[:0], im.partial[:0], im.drawn[:0]
}

// immediateAttribute adds an attribute to a vertex.
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

// flushImmediate draws the vertices of immediate mode. It empties the list
// first, so that they are not drawn again when a hook of the draw reads the
// result.
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

// errNestedDraw is returned to a hook that tries to draw.
var errNestedDraw = errors.New("a hook of a draw may read what was drawn, but not draw itself")

// draw runs a draw. Errors name the draw. A draw that the console would skip is
// left out with a warning; what it drew before it failed stays.
func (g *GPU) draw(ctx context.Context, kind geometry.Kind, vertices [][4]float32) error {
	if g.scratch.running {
		return errNestedDraw
	}
	g.scratch.running = true
	defer func() { g.scratch.running = false }()
	// The GPU owns the records of a draw, so that drawing allocates nothing.
	info := &g.scratch.info
	*info = DrawInfo{Index: g.progress.draw, Kind: kind, Vertices: int(pica.Numvertices.Get(&g.regs))}
	if kind == geometry.Immediate {
		info.Vertices = len(vertices) / (int(pica.VshNumAttr.Get(&g.regs)) + 1)
	}
	if g.BeforeDraw != nil || g.AfterDraw != nil {
		g.scratch.regs = g.regs
		info.Regs = &g.scratch.regs
	}
	g.progress.drawn(&g.regs)
	g.counters.Draws++
	err := g.cancelled(ctx)
	if err == nil && g.BeforeDraw != nil {
		err = g.BeforeDraw(info)
	}
	skipped, written := false, uint64(0)
	if err == nil && g.AfterDraw != nil {
		// Draws that were queued before, and those in the background, must not count as
		// part of this one.
		err = g.flush(ctx)
		written = g.engine.Written()
	}
	if err == nil {
		if err = g.runChanged(ctx, info, vertices); err != nil {
			skipped = true
			if !g.queues.queued() {
				g.forget()
			} else if g.engine.Full() {
				_ = g.flush(ctx) // survive checks whether ctx was cancelled
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
	if err == nil && g.progress.draw == g.progress.stop {
		if err = g.flush(ctx); err == nil {
			err = errStopped
		}
	}
	if err != nil {
		return &DrawError{info.Index, fmt.Sprintf("%v, %d vertices", kind, info.Vertices), err}
	}
	return nil
}

// DrawError says which draw of a frame failed.
type DrawError struct {
	Draw int // from 0
	What string
	Err  error
}

func (e *DrawError) Error() string { return fmt.Sprintf("draw %d (%s): %v", e.Draw, e.What, e.Err) }

// Unwrap returns the cause.
func (e *DrawError) Unwrap() error { return e.Err }

// runChanged runs a draw; with other registers if progress.change is set (Coverage
// sets it).
func (g *GPU) runChanged(ctx context.Context, info *DrawInfo, vertices [][4]float32) error {
	if g.progress.change == nil {
		return g.runDraw(ctx, info, vertices)
	}
	saved := g.regs
	defer func() { g.regs = saved }()
	g.progress.change(&g.regs)
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
	if err := g.warnUnmodelled(info.Kind); err != nil {
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
		defer func() { // runs while w.draw holds the number of this draw
			if e := g.flush(ctx); err == nil {
				err = e
			}
		}()
	}
	g.recordSpans(target, shader)
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
	g.counters.Time.Geometry -= g.counters.Time.Fragments - flushed // time of flushes in the middle of the draw
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
	if err == nil && info.Geometry.RanOut > 0 {
		err = g.warn("the geometry shader has no END: its runs stop where the code memory of the geometry unit ends, after word %d; the console goes on too, but what it draws then is not known", shaderunit.CodeWords-1)
	}
	return err
}

// commit queues the triangles that the geometry stage appended.
func (g *GPU) commit(ctx context.Context) error {
	over := g.addTriangles(ctx)
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	if over != nil {
		return over // triangles within the budget stay queued and will be drawn
	}
	if !g.queues.queued() {
		g.forget() // all triangles were culled
		return nil
	}
	if len(g.queues.queue.Triangles) > geometry.FlushTriangles || len(g.queues.queue.Vertices) > geometry.FlushVertices || g.queues.pending.full() || g.engine.Full() || g.queues.many() {
		return g.flush(ctx)
	}
	g.queues.kick()
	return nil
}

// addTriangles adds the triangles that the geometry stage appended to the
// queue, up to what the budget allows.
func (g *GPU) addTriangles(ctx context.Context) error {
	q, spent := g.queues.queue, g.budget.spent[costPixels]
	most := costLimits[costPixels].most
	q.Watch(ctx.Done())
	q.Pixels, q.Stop = 0, most-min(spent, most)+1
	q.Commit(&g.scratch.raster)
	q.add(q.Pixels, g.scratch.raster.Shader.(*fragment.Draw).Ops())
	return g.spend(costPixels, q.Pixels)
}

// flushGeometry is called by the geometry stage in the middle of a draw when
// its output is full.
func (g *GPU) flushGeometry(ctx context.Context, out *geometry.Output) error {
	g.queues.queue.Vertices, g.queues.queue.Attributes, g.queues.queue.Triangles = out.Vertices, out.Attributes, out.Triangles
	g.scratch.raster.Layout = out.Layout
	if err := ctx.Err(); err != nil {
		return err // runDraw drops the queue
	}
	over := g.addTriangles(ctx)
	pending := g.queues.pending
	g.scratch.vertices.beforePart()
	err := g.flush(ctx)
	g.queues.pending = pending // the rest of the draw uses the same memory
	out.Vertices, out.Attributes, out.Triangles = g.queues.queue.Vertices, g.queues.queue.Attributes, g.queues.queue.Triangles
	return cmp.Or(err, over)
}

// beforeTarget executes the queued draws if they go to another target: a queue
// has one target.
func (g *GPU) beforeTarget(ctx context.Context, t *renderTarget) error {
	if g.targets.last != t {
		if err := g.flush(ctx); err != nil {
			return err
		}
	}
	g.targets.drawnTo(t, g.mode())
	return nil
}

// order reports whether the draw must be raster.Draw.Ordered: because pixels
// share memory (the target's width is no multiple of a tile), or because the
// two buffers overlap and draws of the queue use both. In the second case it
// executes queued draws first that were not ordered.
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

// recordSpans records the memory that the draw reads and writes.
func (g *GPU) recordSpans(t *renderTarget, d *fragment.Draw) {
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

// rasterState reads the registers of the rasterizer for a draw.
func (g *GPU) rasterState(t *raster.Target, shader *fragment.Draw) raster.Draw {
	r := &g.regs
	d := raster.Draw{
		Target: t, Shader: shader,
		Bounds:      raster.Rect{X0: 0, Y0: 0, X1: t.Width - 1, Y1: t.Height - 1},
		DepthScale:  pica.DepthmapScale.Float(r),
		DepthOffset: pica.DepthmapOffset.Float(r),
		WBuffer:     pica.DepthMode(pica.DepthmapMode.Get(r)) == pica.DepthModeW,
	}
	// The scissor rectangle is in window coordinates, y up, and includes its last
	// pixel.
	scissor := raster.Rect{
		X0: int32(pica.ScissortestX1.Get(r)), Y0: int32(pica.ScissortestY1.Get(r)),
		X1: int32(pica.ScissortestX2.Get(r)), Y1: int32(pica.ScissortestY2.Get(r)),
	}
	// TargetFlip: without the bit, the first row in memory is the bottom row of the
	// window, for viewport and scissor.
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

// oneWay reports whether a fragment that fails the depth test now would also
// fail after other fragments of the draw have passed it.
func oneWay(f pica.CompareFunc) bool {
	switch f {
	case pica.CompareLess, pica.CompareLessEqual, pica.CompareGreater, pica.CompareGreaterEqual:
		return true
	}
	return false
}
