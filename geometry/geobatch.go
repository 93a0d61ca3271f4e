package geometry

import (
	"math"
	"math/bits"

	"pica200/pica"
	"pica200/shaderunit"
)

// slot is a batch of runs that is being collected.
type slot struct {
	n     int                 // runs
	first int                 // number of the first run
	log   *shaderunit.EmitLog // nil if the program does not run in a batch
	steps int
	// before holds the float uniforms before the first run, for the interpreter.
	before [floatUniforms][4]float32
}

// runs describes the runs of a chunk: run i takes the vertices
// idx[start(i):end(i)].
type runs struct {
	idx   []uint32
	size  int   // vertices of each run; 0 in variable mode, which has sizes
	sizes []int // vertices of each run
	at    []int // start of each run in idx
}

func (r *runs) len() int {
	if r.size == 0 {
		return len(r.sizes)
	}
	return len(r.idx) / r.size
}

func (r *runs) vertices(i int) []uint32 {
	if r.size == 0 {
		return r.idx[r.at[i]:][:r.sizes[i]]
	}
	return r.idx[i*r.size:][:r.size]
}

// wakeRuns is the number of runs from which waking another worker pays.
const wakeRuns = 4 * shaderunit.Lanes

// all runs the program for every run of the chunk: in batches with a lane for
// each run if the program allows it, otherwise in the interpreter.
func (g *geometryUnit) all(s *Stage, r *runs) error {
	n := r.len()
	for i := 0; i < n; {
		if g.unfit || !g.alike(s) {
			if err := g.one(r.vertices(i)); err != nil {
				return err
			}
			i++
			continue
		}
		most, lanes := len(s.workers), shaderunit.Lanes
		if s.worker(0).engine.GeometryProgram(g.setup, &g.batch).Remembers() {
			most, lanes = 1, 1
		}
		if n-i < wakeRuns && s.Ready != nil && !s.Ready() {
			most = 1
		}
		slots := 0
		for slots < most && i < n && !g.unfit {
			w := s.worker(slots)
			w.slot.first, w.slot.n = i, min(lanes, n-i)
			g.load(w, r)
			i += w.slot.n
			slots++
		}
		g.program = s.worker(0).engine.GeometryProgram(g.setup, &g.batch)
		if slots == 1 || len(s.workers) == 1 {
			for k := range slots {
				s.geometryJob(k, 0)
			}
		} else {
			s.parallel(slots, s.geometryJob)
		}
		for k := range slots {
			if err := g.finish(&s.workers[k], r); err != nil {
				return err
			}
		}
	}
	return nil
}

// alike reports whether all following runs take the same path. The first run of
// a draw may see b15 false: a program that tests it may leave values in
// registers that later runs read, and only the interpreter keeps those.
func (g *geometryUnit) alike(s *Stage) bool {
	if g.setup.Bool&startedUniform != 0 {
		return true
	}
	e := s.worker(0).engine
	first := e.GeometryProgram(g.setup, &g.batch)
	g.setup.Bool |= startedUniform
	later := e.GeometryProgram(g.setup, &g.batch)
	g.setup.Bool &^= startedUniform
	return first == later
}

// leave sets the registers that following programs will find.
//
// GeometryLeftovers: a program that reads registers from an earlier run finds
// their values, across draws too. For a program that reads no such register,
// the registers are cleared after it: then batches, whose lanes do not know of
// each other, leave the same as the interpreter.
func (g *geometryUnit) leave(s *Stage) {
	s.worker(0).engine.Leave(g.setup, &g.batch, &g.it)
}

// one runs the program in the interpreter.
func (g *geometryUnit) one(idx []uint32) error {
	g.arrange(idx)
	return g.run()
}

// arrange puts the vertices of a run where the program reads them.
func (g *geometryUnit) arrange(idx []uint32) {
	switch g.mode {
	case pica.GeometryModePoint:
		at := 0
		for _, i := range idx {
			for _, v := range g.vertex(i) {
				g.it.In[g.inputs[at]] = v
				at++
			}
		}
	case pica.GeometryModeFixed:
		u := g.setup.Float[g.start:]
		for _, i := range idx {
			u = u[copy(u, g.vertex(i)):]
		}
	default:
		// c0 is the number of vertices. Then follow the main vertices with all outputs,
		// then the others with their first output.
		u := g.setup.Float[:]
		n := float32(len(idx))
		u[0] = [4]float32{n, n, n, n}
		u = u[1:]
		for k, i := range idx {
			v := g.vertex(i)
			if k >= g.main {
				v = v[:1]
			}
			u = u[copy(u, v):]
		}
	}
}

// load puts the vertices of the runs of a worker's slot into the lanes of its
// batch. With values that the batch engine cannot take, the interpreter runs
// the draw.
func (g *geometryUnit) load(w *worker, r *runs) {
	sl := &w.slot
	if g.mode == pica.GeometryModePoint {
		for at, reg := range g.inputs[:g.vertices*g.outputs] {
			vertex, output := at/g.outputs, at%g.outputs
			for c := range 4 {
				row := w.batch.In(reg, c)
				for lane := range sl.n {
					row[lane] = g.fit(g.vertex(r.vertices(sl.first + lane)[vertex])[output][c])
				}
			}
		}
		w.loaded |= g.batch.Inputs
		return
	}
	if w.uniforms == nil {
		w.uniforms = new(shaderunit.LaneUniforms)
	}
	sl.before = g.setup.Float
	for lane := range sl.n {
		g.arrange(r.vertices(sl.first + lane))
		for reg := int(g.batch.Lo); reg < int(g.batch.Hi); reg++ {
			u, rows := &g.setup.Float[reg], &w.uniforms[reg]
			for c := range rows {
				rows[c][lane] = g.fit(u[c])
			}
		}
	}
}

// minNormal is the smallest normal float24 as float32 bits.
const minNormal = (127 - 62) << 23

// fit removes the sign of a zero, and records values that no batch can hold.
func (g *geometryUnit) fit(v float32) float32 {
	b := math.Float32bits(v) &^ (1 << 31)
	if b < minNormal {
		if b != 0 {
			g.unfit = true
		}
		return 0
	}
	return v
}

// runSlot runs the batch of a worker's slot, unless load found that it does not
// fit: a program that Remembers would leave its registers as after another run.
func (g *geometryUnit) runSlot(w *worker) {
	sl := &w.slot
	if g.unfit {
		sl.log = nil
		return
	}
	run := g.batch
	w.engine.Done = g.done
	run.Uniforms, run.Registers = w.uniforms, &g.it
	var ok bool
	if sl.log, sl.steps, ok = w.engine.RunGeometryProgram(g.program, g.setup, w.batch, sl.n, &run); !ok {
		sl.log = nil
	}
}

// finish passes on what the runs of a worker's slot emitted, in order.
func (g *geometryUnit) finish(w *worker, r *runs) error {
	sl := &w.slot
	if sl.log == nil || g.unfit {
		g.unfit = true
		after := g.setup.Float
		if g.mode != pica.GeometryModePoint {
			g.setup.Float = sl.before
		}
		for lane := range sl.n {
			if err := g.one(r.vertices(sl.first + lane)); err != nil {
				return err
			}
		}
		g.setup.Float = after // those of batches that were loaded after this one
		return nil
	}
	e := &g.emitter
	for lane := range sl.n {
		for i := range sl.log.Len() {
			if sl.log.Lanes(i)>>lane&1 == 0 {
				continue
			}
			em, rows := sl.log.At(i, lane)
			v := &e.slots[em.VertexID&3]
			*v = unmapped
			for k := range e.outmap.from[:e.outmap.n] {
				src := &e.outmap.from[k]
				x := rows[e.row[k]][lane]
				if isColor(src.semantic) {
					x = saturateColor(x)
				}
				v[src.semantic] = x
			}
			if err := e.emitted(em); err != nil {
				g.stopAt(sl, r, lane)
				return g.primitiveError(err)
			}
		}
		if err := g.ran(sl.steps, sl.log.RanOut(lane)); err != nil {
			g.stopAt(sl, r, lane)
			return err
		}
	}
	return nil
}

// stopAt restores the float uniforms that the run of a lane found; those of
// later runs are loaded already.
func (g *geometryUnit) stopAt(sl *slot, r *runs, lane int) {
	if g.mode == pica.GeometryModePoint {
		return
	}
	g.setup.Float = sl.before
	for i := range lane + 1 {
		g.arrange(r.vertices(sl.first + i))
	}
}

// batchOutputs finds the mapped output components, and for each entry of the
// map its index among them.
func (e *emitter) batchOutputs() (wanted uint64) {
	for _, src := range e.outmap.from[:e.outmap.n] {
		wanted |= 1 << (4*src.register + src.component)
	}
	for k, src := range e.outmap.from[:e.outmap.n] {
		e.row[k] = uint8(bits.OnesCount64(wanted & (1<<(4*src.register+src.component) - 1)))
	}
	return wanted
}
