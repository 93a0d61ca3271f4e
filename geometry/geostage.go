package geometry

import (
	"errors"
	"fmt"
	"math/bits"

	"pica200/pica"
	"pica200/shaderunit"
)

// geometryUnit is the fourth shader unit while it runs the geometry shader. It
// collects vertices until there are enough for a run, passes them to the
// program as the mode says, and takes the emitted primitives.
//
// Sources: 3dbrew (GPUREG_GEOSTAGE_CONFIG, GPUREG_GSH_*), citro3d for what
// programs write there, Azahar for the meaning of GPUREG_GSH_MISC0 and MISC1.
type geometryUnit struct {
	enabled bool
	mode    pica.GeometryMode
	setup   *shaderunit.Setup
	it      shaderunit.Interpreter
	done    <-chan struct{} // of the context of the draw that runs

	outputs   int       // output registers of a vertex that the vertex shader passes on
	registers [16]uint8 // which ones

	vertices int     // point and fixed mode: vertices of a run
	inputs   [16]int // point mode: input register of each value
	main     int     // variable mode: vertices with all outputs
	start    int     // fixed mode: first uniform

	raw [][4]float32 // outputs of the shaded vertices of the chunk

	// Outputs of the vertices of an incomplete run.
	pending    [][4]float32
	pendingFor [3]int // mode, outputs and vertices for which they were collected
	runs       int    // runs of this draw
	steps      int    // instructions of this draw

	// For batches of runs: which inputs or uniforms differ between lanes, and
	// whether something rules the batch engine out.
	batch      shaderunit.GeometryRun
	program    shaderunit.Program
	unfit      bool
	neverBatch bool // always use the interpreter, see Stage.Interpret
	watch      *RunHooks
	at         []int // start of each primitive of the chunk, in variable mode

	emitter emitter
}

// floatUniforms is the number of float uniforms of a shader unit, c0 to c95.
const floatUniforms = 96

// maxGeometrySteps bounds the instructions of the geometry shader in a draw. It
// is a quarter of a second on the console, which starts one instruction a cycle
// at 268 MHz.
const maxGeometrySteps = 1 << 26

// startedUniform is b15, which the hardware sets after a run of the geometry
// shader. A program whose b15 was set to false can tell its first run from the
// others.
const startedUniform = 1 << 15

// configure reads the registers of a draw.
func (g *geometryUnit) configure(in *Input, a *assembler) error {
	r := in.Regs
	g.enabled = pica.GeoStage(pica.GeostageMode.Get(r)) == pica.GeoStageOn
	if !g.enabled {
		return nil
	}
	if in.Geometry == nil {
		return errors.New("GPUREG_GEOSTAGE_CONFIG turns the geometry shader on, but no program is loaded for it")
	}
	g.setup = in.Geometry
	g.runs, g.steps, g.unfit = 0, 0, g.neverBatch || g.watch != nil
	g.batch = shaderunit.GeometryRun{}
	if mode := pica.ShaderMode(pica.ShInputMode.Get(r)); mode != pica.ShaderModeGeometry {
		return fmt.Errorf("GPUREG_GEOSTAGE_CONFIG turns the geometry shader on, but GPUREG_GSH_INPUTBUFFER_CONFIG sets the unit to %v", mode)
	}

	// The vertex shader passes on its enabled output registers in ascending order.
	g.outputs = int(pica.VshOutmapTotal1.Get(r)) + 1
	mask := pica.ShOutmapMask.At(pica.OffsetVsh).Get(r)
	if n := bits.OnesCount32(mask); n < g.outputs {
		return fmt.Errorf("GPUREG_VSH_OUTMAP_TOTAL1 says that the vertex shader has %d outputs, but GPUREG_VSH_OUTMAP_MASK enables %d", g.outputs, n)
	}
	for i := range g.outputs {
		g.registers[i] = uint8(bits.TrailingZeros32(mask))
		mask &= mask - 1
	}

	if err := g.configureMode(in); err != nil {
		return err
	}
	if now := [3]int{int(g.mode), g.outputs, g.vertices}; now != g.pendingFor {
		g.restart() // waiting vertices do not fit the new mode
		g.pendingFor = now
	}

	mask = pica.ShOutmapMask.Get(r)
	g.setup.OutMask = uint16(mask)
	if g.it.Emit == nil {
		g.it.Emit = g.emitter.emit
	}
	g.emitter.watch = g.watch
	g.emitter.asm = a
	if err := g.emitter.outmap.read(r, mask); err != nil {
		return err
	}
	g.batch.Outputs = g.emitter.batchOutputs()
	return nil
}

// configureMode reads how vertices reach the program.
func (g *geometryUnit) configureMode(in *Input) error {
	r := in.Regs
	g.mode = pica.GeometryMode(pica.GshMode.Get(r))
	switch g.mode {
	case pica.GeometryModePoint:
		values := int(pica.ShInputCount.Get(r)) + 1
		if values%g.outputs != 0 {
			return fmt.Errorf("point mode: the geometry shader takes %d inputs, which %d outputs of a vertex do not fill evenly", values, g.outputs)
		}
		g.vertices = values / g.outputs
		permutation := uint64(r[pica.RegGshAttributesPermutationLow]) | uint64(r[pica.RegGshAttributesPermutationHigh])<<32
		for i := range values {
			g.inputs[i] = int(permutation >> (4 * i) & 0xF)
			g.batch.Inputs |= 1 << g.inputs[i]
		}
	case pica.GeometryModeVariable:
		if in.Kind != Elements {
			return fmt.Errorf("variable mode takes the size of primitives from the index array, but this draw is of kind %v", in.Kind)
		}
		g.main = int(pica.GshVariableMain.Get(r)) + 1
		if n := 1 + g.main*g.outputs; n > floatUniforms {
			return fmt.Errorf("variable mode: %d main vertices of %d outputs do not fit into the uniforms c1 to c95", g.main, g.outputs)
		}
	case pica.GeometryModeFixed:
		g.vertices = int(pica.GshFixedVertexNum.Get(r)) + 1
		g.start = int(pica.GshStartIndex.Get(r))
		if stride := int(pica.GshStride.Get(r)) + 1; stride != g.outputs {
			return fmt.Errorf("fixed mode: GPUREG_GSH_MISC0 says that a vertex has %d outputs, but the vertex shader has %d", stride, g.outputs)
		}
		end := g.start + g.vertices*g.outputs
		if end > floatUniforms {
			return fmt.Errorf("fixed mode: %d vertices of %d outputs from c%d on would be written past c95", g.vertices, g.outputs, g.start)
		}
		g.batch.Lo, g.batch.Hi = uint8(g.start), uint8(end)
	default:
		return fmt.Errorf("unknown geometry shader mode %d in GPUREG_GSH_MISC0", g.mode)
	}
	return nil
}

// restart drops the vertices of an unfinished run.
func (g *geometryUnit) restart() { g.pending = g.pending[:0] }

// keep copies the outputs of a batch of vertices.
func (g *geometryUnit) keep(b *shaderunit.Batch, dst [][4]float32) {
	k := g.outputs
	for i, reg := range g.registers[:k] {
		for c := range 4 {
			src := b.Out(int(reg), c)
			for v := 0; v*k < len(dst); v++ {
				dst[v*k+i][c] = src[v]
			}
		}
	}
}

// vertex is the outputs of a shaded vertex of the chunk.
func (g *geometryUnit) vertex(i uint32) [][4]float32 {
	return g.raw[int(i)*g.outputs:][:g.outputs]
}

// feed passes the vertices idx of the chunk to the program in point or fixed
// mode, and runs it as often as they suffice. The rest waits for the next call.
func (g *geometryUnit) feed(s *Stage, idx []uint32) error {
	for len(g.pending) > 0 && len(idx) > 0 {
		g.pending = append(g.pending, g.vertex(idx[0])...)
		idx = idx[1:]
		if len(g.pending) >= g.vertices*g.outputs {
			if err := g.runPending(); err != nil {
				return err
			}
		}
	}
	whole := len(idx) / g.vertices * g.vertices
	if err := g.all(s, &runs{idx: idx[:whole], size: g.vertices}); err != nil {
		return err
	}
	for _, i := range idx[whole:] {
		g.pending = append(g.pending, g.vertex(i)...)
	}
	return nil
}

// runPending runs the program on vertices from several chunks or draws.
func (g *geometryUnit) runPending() error {
	if g.mode == pica.GeometryModePoint {
		for k, v := range g.pending {
			g.it.In[g.inputs[k]] = v
		}
	} else {
		copy(g.setup.Float[g.start:], g.pending)
	}
	g.pending = g.pending[:0]
	return g.run()
}

// variable runs the program for the primitives of the chunk in variable mode.
func (g *geometryUnit) variable(s *Stage, idx []uint32, sizes []int) error {
	g.at = g.at[:0]
	start, hi := 0, int(g.batch.Hi)
	for _, n := range sizes {
		g.at = append(g.at, start)
		start += n
		hi = max(hi, g.registersOf(n))
	}
	// In steps of 8, so that only few variants of the program are compiled.
	g.batch.Hi = uint8(min(floatUniforms, (hi+7)&^7))
	return g.all(s, &runs{idx: idx, sizes: sizes, at: g.at})
}

// registersOf returns the number of float uniforms of a primitive of n vertices
// in variable mode.
func (g *geometryUnit) registersOf(n int) int { return 1 + g.main*g.outputs + n - g.main }

// checkVariable checks a primitive of n vertices; left is the number of indices
// left in the array.
func (g *geometryUnit) checkVariable(n, left int) error {
	switch registers := g.registersOf(n); {
	case n == 0:
		return errors.New("it has no vertices")
	case n < g.main:
		return fmt.Errorf("it has %d vertices, fewer than the %d that are passed on with all their outputs", n, g.main)
	case registers > floatUniforms:
		return fmt.Errorf("its %d vertices need %d float uniforms; there are %d", n, registers, floatUniforms)
	case n > left:
		return fmt.Errorf("it has %d vertices, but the index array ends after %d", n, left)
	}
	return nil
}

// run runs the program in the interpreter.
func (g *geometryUnit) run() error {
	if interrupted(g.done) {
		return shaderunit.ErrInterrupted
	}
	if h := g.watch; h != nil {
		h.Begin(g.runs, &g.it, g.setup)
		defer func() { g.it.Trace = nil }()
	}
	if err := g.it.Run(g.setup); err != nil {
		return g.primitiveError(err)
	}
	return g.ran(g.it.Steps, g.it.RanOut)
}

// ran counts a run; out says that it left the code memory.
func (g *geometryUnit) ran(steps int, out bool) error {
	g.setup.Bool |= startedUniform
	g.emitter.asm.out.Stats.Invocations++
	if out {
		g.emitter.asm.out.Stats.RanOut++
	}
	if g.steps += steps; g.steps > maxGeometrySteps {
		return g.primitiveError(fmt.Errorf("the draw has executed more than %d instructions: %w", maxGeometrySteps, pica.ErrHang))
	}
	g.runs++
	return nil
}

// primitiveError adds the position to an error of the geometry shader.
func (g *geometryUnit) primitiveError(err error) error {
	return fmt.Errorf("geometry shader, %v mode, primitive %d: %w", g.mode, g.runs, err)
}

// endDraw drops the vertices of an unfinished run. In immediate mode, where the
// end of a draw is not known, they are kept.
func (g *geometryUnit) endDraw(immediate bool) {
	if !g.enabled || immediate || len(g.pending) == 0 {
		return
	}
	g.pending = g.pending[:0]
	g.emitter.asm.out.Stats.Incomplete++
}

// emitter is the buffer of four vertices that EMIT writes and primitives are
// made from. It keeps its contents between primitives, runs and draws, so that
// programs can reuse vertices.
type emitter struct {
	asm    *assembler
	idx    [3]uint32 // scratch: the corners of a triangle
	outmap outputMap
	slots  [4]pica.Vertex
	// at is the index of a slot's vertex in the chunk, plus one; 0 if it was not
	// used since it was written.
	at  [4]uint32
	row [semantics]uint8 // for each entry of outmap, its row in the log of a batch

	watch *RunHooks
}

// beginChunk forgets the vertices of the chunk before.
func (e *emitter) beginChunk() { e.at = [4]uint32{} }

// emit is the EMIT instruction: it stores the output registers in a slot.
func (e *emitter) emit(em shaderunit.Emission) error {
	if e.watch != nil {
		e.watch.Emit(em)
	}
	e.outmap.one(em.Out, &e.slots[em.VertexID&3])
	return e.emitted(em)
}

// emitted records a vertex in its slot. With PrimEmit it makes a triangle of
// slots 0, 1 and 2, whichever slot was written. Winding exchanges the first two
// if the primitive mode is "geometry". (Azahar; the purpose of slot 3 is
// unknown.)
func (e *emitter) emitted(em shaderunit.Emission) error {
	a := e.asm
	e.at[em.VertexID&3] = 0
	a.out.Stats.Emitted++
	if !em.PrimEmit {
		return nil
	}
	if out := a.out; out.full() {
		if err := out.Flush(a.ctx, out); err != nil {
			return err
		}
		a.begin()
		e.beginChunk()
	}
	for k := range e.idx {
		if e.at[k] == 0 {
			at, p := a.addWhole(&e.slots[k])
			a.locate(positionOf(&e.slots[k]), at, p)
			e.at[k] = uint32(len(a.pos))
		}
		e.idx[k] = e.at[k] - 1
	}
	a.winding = em.Winding && a.topology == pica.PrimitiveGeometry
	return a.assemble(e.idx[:])
}
