// Package raster turns triangles into blocks of fragments: set-up, coverage,
// binning by rows of tiles, the weights that everything is interpolated with,
// and the tiled render targets that fragments end in.
//
// The package is our own and may change at any time. What the API of pipeline
// names of it (Target, Rect) changes as that does.
//
// The unit of work is a block of 4x4 pixels, because its 16 pixels are
// contiguous in the PICA200's render targets (8x8 tiles in Morton order).
// Sixteen blocks make a Batch of 256 lanes, which the fragment stage runs its
// micro-ops over. A batch mixes triangles of one draw.
//
// Coordinates in this package are in memory orientation: row 0 is the first
// row in memory, which is the top one in OpenGL's terms (window y up).
package raster

import (
	"pica200/internal/simd"
	"pica200/pica"
)

const (
	// BlockPixels is the number of pixels in a block of 4x4.
	BlockPixels = 16
	// BatchBlocks is the number of blocks in a full batch.
	BatchBlocks = 16
	// Lanes is the number of lanes in a full batch. Lane = block*16 + Morton
	// index of the pixel in its block, so that four consecutive lanes are a
	// 2x2 quad: (0,0), (1,0), (0,1), (1,1).
	Lanes = BlockPixels * BatchBlocks
	// QuadPixels is the number of pixels in a quad of 2x2, the unit that
	// derivatives are taken in.
	QuadPixels = 4
	// BatchQuads is the number of quads in a full batch.
	BatchQuads = Lanes / QuadPixels
)

// Plane holds one float of every lane.
type Plane [Lanes]float32

// Batch is the fragments that one call of a Shader works on, as structure of
// arrays. Lanes of pixels that a triangle does not cover hold extrapolated
// values, so that differences inside a quad are always defined; Mask says
// which lanes count.
//
// A batch holds blocks of 4x4 pixels, or, if it is Packed, quads of any places
// and triangles, four of which fill the lanes of a block: small triangles
// would leave most lanes of their blocks empty.
type Batch struct {
	// The kernels know the order of these four. They begin cache lines if the batch does.
	W0, W1, W2 Plane // perspective-correct weights of the triangle's vertices
	Depth      Plane // depth after scale, offset and w-buffering, 0 to 1

	Blocks int                 // blocks in use, 1 to BatchBlocks; for Packed, of lanes
	Block  [BatchBlocks]Block  // where each block lies and what it belongs to, unless Packed
	Mask   [BatchBlocks]uint16 // lanes that are alive, bit i = lane block*16+i

	Packed bool
	Quads  int                   // of a packed batch: quads in use, 1 to BatchQuads
	Quad   [BatchQuads]Quad      // where each lies, in the order in which they were drawn
	face   [BatchQuads]uint8     // the triangle of each, as number into faces
	faces  [BatchQuads][3]uint32 // of a batch that is not packed, the triangle of each run
	used   int                   // faces

	vertices

	// planes is what slopes gives of the component that is interpolated, for each
	// run of blocks or for each triangle of a packed batch.
	planes [BatchQuads][4]float32
	runs   [BatchBlocks]uint8 // lengths of the runs, see Runs
	nRuns  int                // 0 before they are known

	Kernels simd.Kernels // the form of the kernels that interpolate

	_ [32]byte // the next one begins a cache line too
}

// N is the number of lanes in use: 16 for each block. The last lanes of a
// packed batch may belong to no quad; their values are of no use.
func (b *Batch) N() int { return b.Blocks * BlockPixels }

// vertices are those that the triangles of a batch are made of: the queue's.
type vertices struct {
	positions  []pica.ScreenPosition
	attributes []float32 // rows of layout, of all draws of the queue
	layout     *pica.VertexLayout
	first      int // where the row of vertex 0 would be, if it were of the same draw
}

// row is the attributes of a vertex.
func (v *vertices) row(i uint32) []float32 {
	at := v.first + int(i)*v.layout.N
	return v.attributes[at:][:v.layout.N]
}

// Vertex gives a vertex that a block names.
func (v *vertices) Vertex(i uint32) (out pica.ScreenVertex) {
	p := &v.positions[i]
	out.X, out.Y, out.Z, out.InvW = p.X, p.Y, p.Z, p.InvW
	v.layout.Unpack(v.row(i), &out.Vertex)
	return out
}

// slopes gives the value of the component at a place of the rows at one vertex of a
// triangle, and the difference of each vertex to it, of which that one's is 0. If two
// vertices have the same value, it is the value of one of them: the component is
// then that value to the bit where the weight of the third one is 0, on the edge
// between them, and so it is in the triangle beyond the edge.
func (v *vertices) slopes(t *[3]uint32, place int) [4]float32 {
	if place < 0 {
		return [4]float32{1}
	}
	n, at := v.layout.N, v.first+place
	a0, a1, a2 := v.attributes[at+int(t[0])*n], v.attributes[at+int(t[1])*n], v.attributes[at+int(t[2])*n]
	from := a0
	if a1 == a2 {
		from = a1
	}
	return [4]float32{from, a0 - from, a1 - from, a2 - from}
}

// Runs gives the numbers of blocks that follow each other and belong to one
// triangle, of a batch that is not packed. They are found when they are asked for
// first.
func (b *Batch) Runs() []uint8 {
	if b.nRuns == 0 {
		for i := range b.Block[:b.Blocks] {
			if i > 0 && b.Block[i].V == b.Block[i-1].V {
				b.runs[b.nRuns-1]++
				continue
			}
			b.runs[b.nRuns], b.faces[b.nRuns] = 1, b.Block[i].V
			b.nRuns++
		}
	}
	return b.runs[:b.nRuns]
}

// Quad is a quad of a packed batch.
type Quad struct {
	X, Y int32 // first pixel, in memory orientation; multiples of 2
}

// Block is one block of 4x4 pixels of a batch.
type Block struct {
	X, Y     int32     // first pixel, in memory orientation; multiples of 4
	V        [3]uint32 // the triangle, see Batch.Vertex
	triangle uint32    // number of the triangle in its draw's queue
}

// Shader is the fragment stage of one draw, compiled.
type Shader interface {
	// Shade runs the stage over the batch and writes the render target.
	// worker tells calls apart that run at the same time: 0 up to the number
	// of workers, exclusive.
	Shade(b *Batch, worker int)
}

// PixelX and PixelY are the position inside a block of each of its 16 lanes.
var PixelX, PixelY = func() (px, py [BlockPixels]uint8) {
	for i := range uint32(BlockPixels) {
		x, y := i&3, i>>2
		lane := pica.Morton(x, y)
		px[lane], py[lane] = uint8(x), uint8(y)
	}
	return px, py
}()
