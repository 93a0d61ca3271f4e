package geometry

import (
	"errors"
	"fmt"

	"pica200/internal/cores"
	"pica200/pica"
	"pica200/shaderunit"
)

// worker is the state of a goroutine that shades.
type worker struct {
	engine *shaderunit.Engine
	batch  *shaderunit.Batch
	loaded uint16 // input registers of the batch that are not 0

	ids    [shaderunit.Lanes]uint32 // in a batch that is not full, the last one is repeated
	colors [4]shaderunit.Row        // scratch: saturated

	// For batches of the geometry shader:
	slot     slot
	uniforms *shaderunit.LaneUniforms // nil until needed

	_ cores.CacheLinePad // from the next worker
}

// job is the part of a draw that is being shaded. All workers read it, and each
// writes its own part of the outputs.
type job struct {
	ids   []uint32
	kind  Kind
	first uint32 // first vertex of the mapped memory

	// Without a geometry shader the outputs are mapped to vertices and projected.
	// With one, they go to geo.raw unchanged.
	dst  []pica.ScreenPosition
	rows []float32
	pos  []position

	program shaderunit.Program
	errs    []error // of each batch
}

// wakeBatches is the number of batches from which waking another worker pays.
const wakeBatches = 8

// shade runs the vertex shader over the vertices of the job, in batches, on all
// workers.
func (s *Stage) shade() error {
	j := &s.job
	if len(j.ids) == 0 {
		return nil
	}
	if j.kind != Immediate {
		var err error
		if j.first, err = s.open(j.ids); err != nil {
			return err
		}
		s.asm.out.Stats.Fetched += len(j.ids)
	}
	s.asm.out.Stats.Shaded += len(j.ids)

	// One worker compiles and caches it, all run it.
	j.program = s.worker(0).engine.VertexProgram(s.vertex)
	batches := (len(j.ids) + shaderunit.Lanes - 1) / shaderunit.Lanes
	j.errs = j.errs[:0]
	clear(grow(&j.errs, batches))
	if batches == 1 || len(s.workers) == 1 || batches < wakeBatches && s.Ready != nil && !s.Ready() {
		for i := range batches {
			s.shadeBatch(i, 0)
		}
	} else {
		s.parallel(batches, s.batchJob)
	}
	// Return the first error in the order of the vertices, whichever worker found
	// it.
	for _, err := range j.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// shadeBatch shades batch i of the job on worker w.
func (s *Stage) shadeBatch(i, w int) {
	j := &s.job
	lo := i * shaderunit.Lanes
	hi := min(lo+shaderunit.Lanes, len(j.ids))
	wk := s.worker(w)
	if wk.engine.Done = s.done; interrupted(s.done) {
		j.errs[i] = shaderunit.ErrInterrupted
		return
	}
	if len(s.workers) > 1 {
		s.prefetch(lo, hi)
	}
	s.load(wk, j.ids[lo:hi])
	b := wk.batch
	if err := wk.engine.Run(j.program, s.vertex, b, hi-lo); err != nil {
		j.errs[i] = vertexError(err, j.ids[lo:hi])
		return
	}
	if s.geo.enabled {
		s.geo.keep(b, s.geo.raw[lo*s.geo.outputs:hi*s.geo.outputs])
		return
	}
	n := s.asm.out.Layout.N
	rows := j.rows[lo*n : hi*n]
	s.outmap.storeAll(s.kernels, b, rows, n, &wk.colors)
	var at [4]*shaderunit.Row
	for c := range at {
		at[c] = s.outmap.row(b, pica.SemPositionX+pica.Semantic(c))
	}
	s.asm.locateAll(s.kernels, &at, j.dst[lo:hi], j.pos[lo:hi])
}

// prefetch asks for memory that other workers have read or written: the outputs of
// the vertices lo to hi-1 of the job, and the inputs of those that follow, which
// this worker probably shades next. Inputs often lie in the order of shading.
func (s *Stage) prefetch(lo, hi int) {
	j := &s.job
	if !s.geo.enabled {
		n := s.asm.out.Layout.N
		cores.PrefetchWrite(j.dst[lo:hi])
		cores.PrefetchWrite(j.pos[lo:hi])
		cores.PrefetchWrite(j.rows[lo*n : hi*n])
	}
	next := min(hi+shaderunit.Lanes, len(j.ids))
	cores.Prefetch(j.ids[hi:next])
	if j.kind != Immediate && hi < next {
		s.layout.prefetch(j.ids[hi-1]-j.first, next-hi)
	}
}

// vertexError names the vertex that the shader failed at.
func vertexError(err error, ids []uint32) error {
	var at *shaderunit.VertexError
	if errors.As(err, &at) && at.Lane < len(ids) {
		return fmt.Errorf("vertex %d: %w", ids[at.Lane], at.Err)
	}
	return err
}

// load fills the input registers of a worker's batch with the vertices ids.
func (s *Stage) load(w *worker, ids []uint32) {
	b, j := w.batch, &s.job
	// Registers without an attribute must not depend on earlier work of this
	// worker.
	if stale := w.loaded &^ s.layout.registers; stale != 0 {
		for reg := range inputRegisters {
			if stale>>reg&1 != 0 {
				for c := range 4 {
					*b.In(reg, c) = shaderunit.Row{}
				}
			}
		}
	}
	w.loaded = s.layout.registers
	vector := s.kernels.Vector()
	eights := ids
	if vector && len(ids)%eight != 0 {
		eights = w.ids[:(len(ids)+eight-1)&^(eight-1)]
		for i := copy(eights, ids); i < len(eights); i++ {
			eights[i] = ids[len(ids)-1]
		}
	}
	for i := range s.layout.attributes[:s.layout.n] {
		a := &s.layout.attributes[i]
		var dst lanes
		for c := range dst {
			dst[c] = b.In(int(a.register), c)[:]
		}
		switch {
		case j.kind != Immediate:
			if !vector || !a.array || !s.layout.fetchVector(a, b.InVector(int(a.register)), eights, j.first) {
				s.layout.fetch(a, &dst, ids, j.first)
			}
			continue
		case i >= s.perVertex: // immediate mode has no arrays
			for c := range dst {
				fill(dst[c][:len(ids)], a.fixed[c])
			}
			continue
		}
		for k, id := range ids {
			v := &s.immediate[int(id)*s.perVertex+i]
			for c := range dst {
				dst[c][k] = v[c]
			}
		}
	}
}
