package pipeline

import (
	"context"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/raster"
	"pica200/shaderunit"
)

// Held is how much memory a GPU holds besides that of the console, in bytes:
// what was allocated, whether it is in use at the moment or not.
type Held struct {
	Queues   int // draws that wait: vertices, triangles, bins
	Textures int // decoded textures, in the cache and in draws that wait
	Programs int // compiled states of the fragment stage
	Shaders  int // compiled vertex and geometry shaders
	Vertices int // vertices on their way through the geometry stage
	Lists    int // the command list at hand, immediate-mode vertices
}

// Sum adds everything up.
func (h Held) Sum() int {
	return h.Queues + h.Textures + h.Programs + h.Shaders + h.Vertices + h.Lists
}

// Within reports whether nothing is more than in the bounds.
func (h Held) Within(bounds Held) bool {
	return h.Queues <= bounds.Queues && h.Textures <= bounds.Textures && h.Programs <= bounds.Programs &&
		h.Shaders <= bounds.Shaders && h.Vertices <= bounds.Vertices && h.Lists <= bounds.Lists
}

// MemoryHeld measures what the GPU holds. It draws nothing.
func (g *GPU) MemoryHeld() Held {
	textures, programs := g.engine.Held()
	vertices, shaders := g.stage.Held()
	im := &g.immediate
	return Held{
		Queues:   g.queues.queue.Held() + g.queues.spare.Held(),
		Textures: textures,
		Programs: programs,
		Shaders:  shaders,
		Vertices: vertices,
		Lists:    4*cap(g.list.words) + 16*(cap(im.vertices)+cap(im.partial)+cap(im.drawn)),
	}
}

// HeldBounds gives the bounds of MemoryHeld, which hold between any two calls,
// whatever is drawn and for how long.
func (g *GPU) HeldBounds() Held {
	return Held{
		Queues:   2 * raster.HeldBound(geometry.MaxVertices, geometry.MaxTriangles, maxQueuedDraws),
		Textures: fragment.MaxTexturesHeld,
		Programs: fragment.MaxProgramsHeld,
		Shaders:  shaderunit.MaxProgramsHeld,
		Vertices: geometry.HeldBound(g.Workers()),
		Lists:    4*keptListWords + 3*2*16*(maxImmediate+16),
	}
}

// maxQueuedDraws bounds the draws that wait.
const maxQueuedDraws = 4096

// keptListWords is the size of a list whose buffer is kept for the next.
const keptListWords = 1 << 20

// MakeAnew lets draws from now on make the values of their programs anew, as if
// none of their numbers were those of a draw before, or not: for measuring what
// scenes cost in which everything moves. What is drawn does not change.
func (g *GPU) MakeAnew(on bool) { g.engine.Anew = on }

// ForgetPrograms draws what is queued and drops the compiled programs of the
// fragment stage. What is drawn does not change.
func (g *GPU) ForgetPrograms(ctx context.Context) error {
	if err := g.flush(ctx); err != nil {
		return err
	}
	g.engine.Forget()
	return nil
}
