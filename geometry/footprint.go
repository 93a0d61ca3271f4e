package geometry

import (
	"unsafe"

	"pica200/pica"
	"pica200/shaderunit"
)

// Footprint returns the bytes of the buffers for vertices, and of the compiled
// shaders.
func (s *Stage) Footprint() (vertices, shaders int) {
	a, g := &s.asm, &s.geo
	vertices = 4*(cap(s.ids)+cap(s.idx)+cap(s.identity)+cap(a.flipped)+cap(a.joined)) + 8*(cap(s.sizes)+cap(g.at)) +
		16*(cap(g.raw)+cap(g.pending)) + cap(a.pos)*int(unsafe.Sizeof(position{})) +
		cap(a.saved)*int(unsafe.Sizeof(pica.ScreenPosition{})) + 4*cap(a.rows) + cap(s.job.errs)*int(unsafe.Sizeof(error(nil)))
	for i := range s.workers {
		w := &s.workers[i]
		if w.engine == nil {
			continue
		}
		shaders += w.engine.Footprint()
		vertices += w.engine.LogFootprint() + int(unsafe.Sizeof(*w.engine)+unsafe.Sizeof(*w.batch)+unsafe.Sizeof(shaderunit.LaneUniforms{}))
	}
	return vertices, shaders
}

// FootprintBound is the bound of the vertices of Footprint for a number of workers. A
// growing buffer at most doubles.
func FootprintBound(workers int) int {
	const (
		chunk    = chunkIndices + indexRange // longest list of indices
		vertices = indexRange + 2
	)
	shared := 2 * (4*(2*chunk+2*vertices+MaxVertices+chunk) + 8*2*chunk + 16*(16*vertices+16*16) +
		(MaxVertices)*int(unsafe.Sizeof(position{})) + vertices*int(unsafe.Sizeof(pica.ScreenVertex{})) +
		chunk/shaderunit.Lanes*int(unsafe.Sizeof(error(nil))))
	each := shaderunit.MaxLogFootprint + int(unsafe.Sizeof(shaderunit.Engine{})+unsafe.Sizeof(shaderunit.Batch{})+unsafe.Sizeof(shaderunit.LaneUniforms{}))
	return shared + workers*each
}
