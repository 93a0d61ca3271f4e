package geometry

import (
	"pica200/pica"
)

// worker is what one goroutine shades with.
type worker struct {
	batch *batch
}

// job is the part of a draw that is being shaded: read by all workers, each
// of which writes to its own part of the outputs.
type job struct {
	ids   []uint32
	kind  Kind
	first uint32 // vertex that the mapped memory of the arrays starts with

	// Without a geometry shader the outputs are mapped to vertices and
	// projected. With one, they go to geo.raw as they are.
	dst []pica.ScreenVertex
	pos []position

	errs []error // of each batch
}

// shade runs the vertex shader over the vertices of the job, a batch at a time,
// on all workers.
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

	batches := (len(j.ids) + lanesPerBatch - 1) / lanesPerBatch
	j.errs = j.errs[:0]
	clear(grow(&j.errs, batches))
	if batches == 1 || len(s.workers) == 1 {
		for i := range batches {
			s.shadeBatch(i, 0)
		}
	} else {
		s.parallel(batches, s.batchJob)
	}
	// The first error in the order of the vertices, whichever worker met it.
	for _, err := range j.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// shadeBatch is batch i of the job, done by a worker.
func (s *Stage) shadeBatch(i, w int) {
	j := &s.job
	lo := i * lanesPerBatch
	hi := min(lo+lanesPerBatch, len(j.ids))
	b := s.workers[w].batch
	s.load(b, j.kind, j.ids[lo:hi], j.first)
	if j.errs[i] = b.Run(s.vertex, hi-lo); j.errs[i] != nil {
		return
	}
	if s.geo.enabled {
		s.geo.keep(b, s.geo.raw[lo*s.geo.outputs:hi*s.geo.outputs])
		return
	}
	v, p := j.dst[lo:hi], j.pos[lo:hi]
	s.outmap.store(b, v)
	for k := range v {
		s.asm.locate(&v[k], &p[k])
	}
}

// load fills the input registers of a batch.
func (s *Stage) load(b *batch, kind Kind, ids []uint32, first uint32) {
	for i := range s.layout.attributes[:s.layout.n] {
		a := &s.layout.attributes[i]
		var dst lanes
		for c := range dst {
			dst[c] = b.In(int(a.register), c)[:]
		}
		if kind != Immediate || i >= s.perVertex {
			s.layout.fetch(a, &dst, ids, first)
			continue
		}
		for k, id := range ids { // into lane k
			v := &s.immediate[int(id)*s.perVertex+i]
			for c := range dst {
				dst[c][k] = v[c]
			}
		}
	}
}
