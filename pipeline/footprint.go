package pipeline

import (
	"context"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/raster"
	"pica200/shaderunit"
)

// Footprint is the memory that a GPU holds besides the console's, in bytes. It
// counts everything allocated, used or not.
type Footprint struct {
	Queues   int // queued draws: vertices, triangles, bins
	Textures int // decoded textures, in the cache and in queued draws
	Programs int // compiled programs of the fragment stage
	Shaders  int // compiled vertex and geometry shaders
	Vertices int // vertices in the geometry stage
	Lists    int // words of the command list, immediate-mode vertices
}

// Sum returns the total.
func (h Footprint) Sum() int {
	return h.Queues + h.Textures + h.Programs + h.Shaders + h.Vertices + h.Lists
}

// Within reports whether no value exceeds its bound.
func (h Footprint) Within(bounds Footprint) bool {
	return h.Queues <= bounds.Queues && h.Textures <= bounds.Textures && h.Programs <= bounds.Programs &&
		h.Shaders <= bounds.Shaders && h.Vertices <= bounds.Vertices && h.Lists <= bounds.Lists
}

// Footprint measures what the GPU holds. It executes nothing.
func (g *GPU) Footprint() Footprint {
	textures, programs := g.engine.Footprint()
	vertices, shaders := g.stage.Footprint()
	im := &g.immediate
	return Footprint{
		Queues:   g.queues.queue.Footprint() + g.queues.spare.Footprint(),
		Textures: textures,
		Programs: programs,
		Shaders:  shaders,
		Vertices: vertices,
		Lists:    4*cap(g.list.words) + 16*(cap(im.vertices)+cap(im.partial)+cap(im.drawn)),
	}
}

// FootprintBounds returns the bounds of MemoryHeld. They hold between any two calls,
// whatever is drawn and for how long.
func (g *GPU) FootprintBounds() Footprint {
	return Footprint{
		Queues:   2 * raster.FootprintBound(geometry.MaxVertices, geometry.MaxTriangles, maxQueuedDraws),
		Textures: fragment.MaxTextureFootprint,
		Programs: fragment.MaxProgramFootprint,
		Shaders:  shaderunit.MaxProgramFootprint,
		Vertices: geometry.FootprintBound(g.Workers()),
		Lists:    4*retainedListWords + 3*2*16*(maxImmediate+16),
	}
}

// maxQueuedDraws bounds the queued draws.
const maxQueuedDraws = 4096

// retainedListWords is the greatest size of a list, in words, whose buffer is kept
// for the next.
const retainedListWords = 1 << 20

// MakeAnew, if on, makes every draw compute the values of its programs anew,
// even if they are the same as those of the draw before. It is for measuring
// scenes in which everything moves. It does not change the result.
func (g *GPU) MakeAnew(on bool) { g.engine.Anew = on }

// ForgetPrograms executes queued draws and drops the compiled programs of the
// fragment stage. It does not change the result.
func (g *GPU) ForgetPrograms(ctx context.Context) error {
	if err := g.flush(ctx); err != nil {
		return err
	}
	g.engine.Forget()
	return nil
}
