package geometry

import (
	"context"
	"fmt"
	"slices"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/shaderunit"
)

// Kind is how the vertices of a draw are submitted.
type Kind uint8

const (
	Arrays    Kind = iota // GPUREG_DRAWARRAYS: consecutive vertices
	Elements              // GPUREG_DRAWELEMENTS: vertices selected by an index array
	Immediate             // GPUREG_FIXEDATTRIB_DATAi with index 0xF: Input.Immediate
)

func (k Kind) String() string {
	return [...]string{"arrays", "elements", "immediate"}[k]
}

// Input is everything that a draw reads.
type Input struct {
	Kind   Kind
	Regs   *pica.Regs
	Memory Memory // unused by immediate draws

	Vertex   *shaderunit.Setup // the vertex shader's program and uniforms
	Geometry *shaderunit.Setup // geometry shader; used if GPUREG_GEOSTAGE_CONFIG says so; b15 and uniforms are written

	Fixed *[16][4]float32 // fixed attributes, by attribute number

	// Immediate holds the attributes of an immediate draw, vertex by vertex; each
	// vertex has GPUREG_VSH_NUM_ATTR + 1 of them.
	Immediate [][4]float32
}

// Output receives the result of draws. It belongs to the caller, who can empty
// the slices and reuse it.
type Output struct {
	Vertices   []pica.ScreenPosition
	Attributes []float32         // a row for each vertex, in the layout of its draw
	Layout     pica.VertexLayout // of the last draw: the mapped outputs of its shader
	Triangles  [][3]uint32       // indices into Vertices
	Stats      Stats

	// Flush, if set, is called in the middle of a draw when there are more than
	// FlushVertices vertices or FlushTriangles triangles. It must take the
	// triangles and empty the slices.
	Flush func(context.Context, *Output) error
}

// Thresholds for calling Flush.
const (
	FlushVertices  = 1 << 17
	FlushTriangles = 1 << 16
)

// MaxVertices and MaxTriangles bound the contents of an Output with Flush at
// any time: what it held before the last chunk, the vertices of the chunk with
// their negated copies, and what clipping and flat shading make before it is
// flushed.
const (
	MaxVertices  = FlushVertices + 2*(indexRange+2+2*pieceTriangles) + 2*maxClipped + maxCorners
	MaxTriangles = FlushTriangles + chunkIndices/3 + maxClipped + maxCorners
)

// row returns the attributes of a vertex of the current or last draw.
func (o *Output) row(i uint32) []float32 {
	n := o.Layout.N
	at := len(o.Attributes) - (len(o.Vertices)-int(i))*n
	return o.Attributes[at:][:n:n]
}

// vertex returns a vertex of the last draw with all its components.
func (o *Output) vertex(i uint32) *pica.ScreenVertex {
	v, p := new(pica.ScreenVertex), &o.Vertices[i]
	v.X, v.Y, v.Z, v.InvW = p.X, p.Y, p.Z, p.InvW
	o.Layout.Unpack(o.row(i), &v.Vertex)
	return v
}

// cut truncates to the first n vertices.
func (o *Output) cut(n uint32) {
	o.Attributes = o.Attributes[:len(o.Attributes)-(len(o.Vertices)-int(n))*o.Layout.N]
	o.Vertices = o.Vertices[:n]
}

// full reports whether Flush should be called.
func (o *Output) full() bool {
	return o.Flush != nil && (len(o.Vertices) > FlushVertices || len(o.Triangles) > FlushTriangles)
}

const (
	// chunkVertices is the number of vertices in a chunk of an array draw,
	// chunkIndices of an indexed draw, chunkStrip of a draw where nearly every
	// index makes a triangle. The first two are multiples of 3.
	chunkVertices = 3 << 14
	chunkIndices  = 3 << 16
	chunkStrip    = 1 << 16

	// maxVertices bounds GPUREG_NUMVERTICES, which has 32 bits. Nothing else limits
	// a draw without vertex arrays, which reads no memory.
	maxVertices = 1 << 24
)

// Stage runs draws, one at a time. It keeps buffers between draws, so that
// drawing does not allocate in the steady state. It also keeps unfinished
// strips and fans, which continue in the next draw as on the console.
type Stage struct {
	// Ready, if not nil, reports whether a worker waits for work, so that it need
	// not be woken.
	Ready func() bool

	workers  []worker
	kernels  simd.Kernels
	parallel func(n int, f func(i, worker int))

	layout layout
	outmap outputMap
	reuse  reuse
	asm    assembler
	geo    geometryUnit

	done     <-chan struct{} // closed when the draw's context is cancelled
	job      job
	vertex   *shaderunit.Setup
	memory   Memory
	batchJob func(i, worker int) // shadeBatch; made once, because making it allocates
	// geometryJob runs the slot of worker i.
	geometryJob func(i, worker int)
	ids         []uint32 // vertices of the chunk that are shaded
	idx         []uint32 // sequence of vertices, as indices into ids
	identity    []uint32 // 0, 1, 2, ...
	immediate   [][4]float32
	perVertex   int   // attributes of an immediate vertex
	sizes       []int // sizes of the chunk's primitives in variable mode
}

// NewStage makes a stage that shades with that many workers, at least 1.
// parallel must run f(i, worker) for every i below n and return when all calls
// are done; concurrent calls must have different worker numbers below workers.
// It may be nil if workers is 1.
func NewStage(workers int, parallel func(n int, f func(i, worker int))) *Stage {
	s := &Stage{parallel: parallel}
	s.geo.it.Reset()
	s.batchJob = s.shadeBatch
	s.geometryJob = func(i, _ int) { s.geo.runSlot(&s.workers[i]) }
	if parallel == nil {
		workers = 1
	}
	for range max(1, workers) {
		s.workers = append(s.workers, worker{})
	}
	s.asm.culler.start(&s.asm, len(s.workers), parallel)
	return s
}

// worker returns the state of worker i, which is made at its first use.
func (s *Stage) worker(i int) *worker {
	w := &s.workers[i]
	if w.engine == nil {
		w.engine, w.batch = shaderunit.NewEngine(), new(shaderunit.Batch)
		w.engine.Interpret, w.engine.Kernels = s.geo.neverBatch, s.kernels
	}
	return w
}

// Interpret makes the interpreter, which is the definition, run all vertices
// and primitives from now on, or batches again. Tests use it to compare the
// two.
func (s *Stage) Interpret(on bool) {
	s.geo.neverBatch = on
	s.Forget()
}

// UseKernels chooses the form of the kernels that shade.
func (s *Stage) UseKernels(k simd.Kernels) {
	s.kernels, s.asm.culler.kernels = k, k
	s.Forget()
}

// Kernels returns the form of the kernels that shade.
func (s *Stage) Kernels() simd.Kernels { return s.kernels }

// Forget drops the compiled forms of all programs. It does not change the
// result.
func (s *Stage) Forget() {
	for i := range s.workers {
		s.workers[i].engine = nil
	}
}

// Restart ends unfinished primitives. Writes to GPUREG_RESTART_PRIMITIVE and to
// the primitive mode of GPUREG_PRIMITIVE_CONFIG do this.
func (s *Stage) Restart() {
	s.asm.restart()
	s.geo.restart()
}

// Reset puts the stage into its initial state (StageState): nothing of earlier
// draws is left.
func (s *Stage) Reset() {
	s.SetState(&StageState{})
	s.geo.it.Reset()
}

// Draw runs a draw and appends its triangles to out. After an error, out holds
// what was drawn before it. If ctx is cancelled, Draw returns ctx's error
// within milliseconds. It passes ctx to out.Flush.
func (s *Stage) Draw(ctx context.Context, in *Input, out *Output) error {
	if err := s.configure(in, out); err != nil {
		return err
	}
	s.asm.ctx, s.done = ctx, ctx.Done()
	s.geo.done, s.geo.it.Done = s.done, s.done
	n := pica.Numvertices.Get(in.Regs)
	if in.Kind != Immediate && n > maxVertices {
		return fmt.Errorf("GPUREG_NUMVERTICES is %d; the limit is %d", n, maxVertices)
	}
	var err error
	switch in.Kind {
	case Arrays:
		err = s.drawArrays(pica.VertexOffset.Get(in.Regs), int(n))
	case Elements:
		err = s.drawElements(in.Regs, int(n))
	case Immediate:
		err = s.drawImmediate(in.Immediate)
	default:
		err = fmt.Errorf("unknown kind of draw %d", in.Kind)
	}
	s.geo.endDraw(in.Kind == Immediate)
	s.asm.endDraw(in.Kind == Immediate)
	s.asm.ctx, s.asm.out = nil, nil
	s.immediate = nil
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// interrupted reports whether the context of the draw was cancelled.
func interrupted(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// configure reads the registers of a draw.
func (s *Stage) configure(in *Input, out *Output) error {
	r := in.Regs
	s.vertex, s.memory = in.Vertex, in.Memory
	if err := s.layout.read(r, in.Fixed, in.Kind); err != nil {
		return err
	}
	mask := pica.ShOutmapMask.At(pica.OffsetVsh).Get(r)
	s.vertex.OutMask = uint16(mask)
	s.job.kind = in.Kind
	a := &s.asm
	a.out = out
	if err := s.geo.configure(in, a); err != nil {
		return err
	}
	if !s.geo.enabled {
		if err := s.outmap.read(r, mask); err != nil {
			return err
		}
	}
	topology := pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(r))
	if topology != a.topology {
		a.restart()
		a.topology = topology
	}
	a.cull = pica.CullMode(pica.FacecullingMode.Get(r))
	a.flat = pica.FlatShading.Bool(r)
	a.flip = pica.LightingEnable.Bool(r)
	a.view = viewport{
		halfW: pica.ViewportWidth.Float(r),
		halfH: pica.ViewportHeight.Float(r),
		x:     float32(pica.ViewportX.Signed(r)),
		y:     float32(pica.ViewportY.Signed(r)),
	}
	a.user.enabled = pica.FragopClipEnable.Bool(r)
	for i := range a.user.coef {
		if a.user.enabled {
			a.user.coef[i] = pica.FragopClipData.At(pica.Reg(i)).Float(r)
		}
	}
	s.perVertex = int(pica.VshNumAttr.Get(r)) + 1
	out.Layout = a.layout(s.mapped())
	return nil
}

// mapped returns the output map of the draw, and the vertices in the geometry
// shader's buffer that following primitives may use.
func (s *Stage) mapped() (m *outputMap, left []pica.Vertex) {
	if s.geo.enabled {
		return &s.geo.emitter.outmap, s.geo.emitter.slots[:3]
	}
	return &s.outmap, nil
}

func (s *Stage) drawArrays(first uint32, n int) error {
	s.asm.out.Stats.Indices += n
	for lo := 0; lo < n; lo += chunkVertices {
		m := min(chunkVertices, n-lo)
		s.ids = s.ids[:0]
		ids := grow(&s.ids, m)
		for i := range ids {
			ids[i] = first + uint32(lo+i)
		}
		if err := s.chunk(ids, s.sequence(m)); err != nil {
			return err
		}
	}
	return nil
}

// sequence returns 0, 1, 2, ..., n-1.
func (s *Stage) sequence(n int) []uint32 {
	for i := len(s.identity); i < n; i++ {
		s.identity = append(s.identity, uint32(i))
	}
	return s.identity[:n]
}

func (s *Stage) drawElements(r *pica.Regs, n int) error {
	b, err := s.indices(r, n)
	if err != nil {
		return err
	}
	if s.geo.enabled && s.geo.mode == pica.GeometryModeVariable {
		return s.drawVariable(b)
	}
	s.asm.out.Stats.Indices += n
	size := chunkIndices
	if s.asm.isStrip() {
		size = chunkStrip
	}
	for lo := 0; lo < n; lo += size {
		part := b.slice(lo, min(lo+size, n))
		s.reuse.begin()
		s.idx, s.ids = s.reuse.scan(part, s.idx[:0], s.ids[:0])
		s.asm.out.Stats.CacheHits += len(s.idx) - len(s.ids)
		if err := s.chunk(s.ids, s.idx); err != nil {
			return err
		}
	}
	return nil
}

// indices maps the index array of a draw with n vertices.
func (s *Stage) indices(r *pica.Regs, n int) (indexBuffer, error) {
	if n == 0 {
		return indexBuffer{}, nil
	}
	base := pica.AttribbuffersLoc.Addr(r)
	b := indexBuffer{wide: pica.IndexType(pica.IndexbufferType.Get(r)) == pica.IndexShort}
	size := uint32(n)
	if b.wide {
		size *= 2
	}
	addr := base + pica.IndexbufferOffset.Get(r)
	var err error
	if b.data, err = s.memory.Slice(addr, size); err != nil {
		return b, fmt.Errorf("index array of %d vertices: %w", n, err)
	}
	return b, nil
}

// drawVariable draws primitives that each start with their number of vertices.
func (s *Stage) drawVariable(b indexBuffer) error {
	n := b.len()
	for lo := 0; lo < n; {
		s.reuse.begin()
		s.idx, s.ids, s.sizes = s.idx[:0], s.ids[:0], s.sizes[:0]
		var bad error
		for lo < n && len(s.idx) < chunkIndices {
			size := int(b.at(lo))
			if err := s.geo.checkVariable(size, n-lo-1); err != nil {
				bad = fmt.Errorf("geometry shader, %v mode, primitive %d, at index %d: %w", s.geo.mode, s.geo.runs+len(s.sizes), lo, err)
				break
			}
			s.sizes = append(s.sizes, size)
			s.idx, s.ids = s.reuse.scan(b.slice(lo+1, lo+1+size), s.idx, s.ids)
			lo += 1 + size
		}
		s.asm.out.Stats.Indices += len(s.idx)
		s.asm.out.Stats.CacheHits += len(s.idx) - len(s.ids)
		if err := s.chunk(s.ids, s.idx); err != nil {
			return err
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

func (s *Stage) drawImmediate(attributes [][4]float32) error {
	if len(attributes)%s.perVertex != 0 {
		return fmt.Errorf("immediate mode: %d attributes do not make whole vertices of %d", len(attributes), s.perVertex)
	}
	n := len(attributes) / s.perVertex
	s.asm.out.Stats.Indices += n
	for lo := 0; lo < n; lo += chunkVertices {
		m := min(chunkVertices, n-lo)
		s.immediate = attributes[lo*s.perVertex:]
		if err := s.chunk(s.sequence(m), s.sequence(m)); err != nil {
			return err
		}
	}
	return nil
}

// chunk loads and shades the vertices ids, and assembles the sequence idx of
// them, or passes it to the geometry shader.
func (s *Stage) chunk(ids, idx []uint32) error {
	a, out := &s.asm, s.asm.out
	if interrupted(s.done) {
		return shaderunit.ErrInterrupted
	}
	if out.full() {
		if err := out.Flush(a.ctx, out); err != nil {
			return err
		}
	}
	a.begin()
	s.job.ids = ids
	if s.geo.enabled {
		return s.chunkGeometry(len(ids), idx)
	}
	s.job.dst, s.job.rows, s.job.pos = a.add(len(ids))
	if err := s.shade(); err != nil {
		// Remove vertices that were not shaded.
		out.cut(a.base)
		return err
	}
	return a.assemble(idx)
}

// chunkGeometry is chunk with a geometry shader.
func (s *Stage) chunkGeometry(vertices int, idx []uint32) error {
	g := &s.geo
	g.emitter.beginChunk()
	g.raw = g.raw[:0]
	grow(&g.raw, vertices*g.outputs)
	if err := s.shade(); err != nil {
		return err
	}
	defer g.leave(s)
	if g.mode == pica.GeometryModeVariable {
		return g.variable(s, idx, s.sizes)
	}
	return g.feed(s, idx)
}

// open maps the vertex arrays for the vertices ids and returns the lowest
// index.
func (s *Stage) open(ids []uint32) (uint32, error) {
	first, last := slices.Min(ids), slices.Max(ids)
	return first, s.layout.open(s.memory, first, last)
}
