// Package raster turns triangles into batches of fragments: triangle set-up,
// coverage, binning by rows of tiles, interpolation weights, and access to the
// tiled render targets.
//
// A Queue collects the triangles of draws to one Target. Commit bins them, and
// DrawBin draws the bins, in parallel if the caller wants. The unit of work is
// a block of 4x4 pixels, because its 16 pixels are contiguous in the PICA200's
// render targets (8x8 tiles in Morton order). Sixteen blocks make a Batch of
// 256 lanes, over which the fragment stage (a Shader) runs its micro-ops. A
// batch mixes triangles of one draw.
//
// Coordinates in this package are in memory orientation: row 0 is the first row
// in memory, which is the top row in OpenGL's terms (window y up).
//
// The package is an internal part of pipeline and may change at any time. The
// types that pipeline's API uses (Target, Rect) change only with that API.
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
	// QuadPixels is the number of pixels in a quad of 2x2, for which derivatives
	// are computed.
	QuadPixels = 4
	// BatchQuads is the number of quads in a full batch.
	BatchQuads = Lanes / QuadPixels
)

// Plane holds one float of every lane.
type Plane [Lanes]float32

// Batch is the fragments that one call of a Shader works on, as structure of
// arrays. Lanes of pixels that a triangle does not cover hold extrapolated
// values, so that differences inside a quad are always defined. Mask says which
// lanes are covered.
//
// A batch holds blocks of 4x4 pixels. A packed batch holds quads instead, of
// any positions and triangles, four of them in the lanes of a block: small
// triangles would leave most lanes of their blocks empty.
type Batch struct {
	// The kernels depend on the order of these four fields. They are aligned to
	// cache lines if the batch is.
	W0, W1, W2 Plane // perspective-correct weights of the triangle's vertices
	Depth      Plane // depth after scale, offset and w-buffering, 0 to 1

	Blocks int                 // blocks in use, 1 to BatchBlocks; for Packed, of lanes
	Block  [BatchBlocks]Block  // place and triangle of each block, unless Packed
	Mask   [BatchBlocks]uint16 // lanes that are drawn, bit i = lane block*16+i

	Packed bool
	Quads  int                   // of a packed batch: quads in use, 1 to BatchQuads
	Quad   [BatchQuads]Quad      // place of each quad, in drawing order
	face   [BatchQuads]uint8     // index into faces of each quad's triangle
	faces  [BatchQuads][3]uint32 // triangles of a packed batch; otherwise the triangle of each run
	used   int                   // number of faces

	vertices

	// planes holds the slopes of up to four components that are interpolated, each
	// for each run of blocks, or for each triangle of a packed batch.
	planes [4][BatchQuads][4]float32
	runs   [BatchBlocks]uint8 // lengths of the runs, see Runs
	nRuns  int                // 0 until they are known

	Kernels simd.Kernels // the form of the kernels that interpolate

	_ [32]byte // so that what follows is aligned to a cache line too
}

// N returns the number of lanes in use: 16 for each block. The last lanes of a
// packed batch may belong to no quad; their values are undefined.
func (b *Batch) N() int { return b.Blocks * BlockPixels }

// vertices are the vertices of the triangles of a batch. They belong to the
// queue.
type vertices struct {
	positions  []pica.ScreenPosition
	attributes []float32 // rows of layout, for all draws of the queue
	layout     *pica.VertexLayout
	first      int // index at which the row of vertex 0 would be if it belonged to this draw
}

// row returns the attributes of a vertex.
func (v *vertices) row(i uint32) []float32 {
	at := v.first + int(i)*v.layout.N
	return v.attributes[at:][:v.layout.N]
}

// Vertex returns a vertex whose index is in Block.V.
func (v *vertices) Vertex(i uint32) (out pica.ScreenVertex) {
	p := &v.positions[i]
	out.X, out.Y, out.Z, out.InvW = p.X, p.Y, p.Z, p.InvW
	v.layout.Unpack(v.row(i), &out.Vertex)
	return out
}

// slopes returns a component's value at one vertex of a triangle, and the
// difference of each vertex to it (0 for that vertex itself). offset is the
// component's index in the rows. If two vertices have the same value, that
// value is chosen: then the component is exactly that value on the edge between
// them, and in the neighbour triangle as well.
func (v *vertices) slopes(t *[3]uint32, offset int) [4]float32 {
	if offset < 0 {
		return [4]float32{1}
	}
	n, at := v.layout.N, v.first+offset
	a0, a1, a2 := v.attributes[at+int(t[0])*n], v.attributes[at+int(t[1])*n], v.attributes[at+int(t[2])*n]
	from := a0
	if a1 == a2 {
		from = a1
	}
	return [4]float32{from, a0 - from, a1 - from, a2 - from}
}

// Runs returns the lengths of runs of blocks that belong to the same triangle,
// for a batch that is not packed. It computes them at the first call.
func (b *Batch) Runs() []uint8 {
	if b.nRuns == 0 && b.OneTriangle() {
		b.runs[0], b.faces[0], b.nRuns = uint8(b.Blocks), b.Block[0].V, 1
	}
	if b.nRuns == 0 {
		n, from := 0, 0
		for i := 1; i <= b.Blocks; i++ {
			if i < b.Blocks && b.Block[i].Triangle == b.Block[from].Triangle {
				continue
			}
			b.runs[n], b.faces[n] = uint8(i-from), b.Block[from].V
			n, from = n+1, i
		}
		b.nRuns = n
	}
	return b.runs[:b.nRuns]
}

// OneTriangle reports whether all blocks belong to one triangle, by their numbers, so that
// no two of them lie in one place. Triangles come in order, so the first and the last decide.
func (b *Batch) OneTriangle() bool {
	return b.Blocks > 0 && b.Block[0].Triangle == b.Block[b.Blocks-1].Triangle
}

// Quad is a quad of a packed batch.
type Quad struct {
	X, Y int32 // first pixel, in memory orientation; multiples of 2
}

// Block is a block of 4x4 pixels of a batch.
type Block struct {
	X, Y     int32     // first pixel, in memory orientation; multiples of 4
	V        [3]uint32 // the triangle's vertices, see Batch.Vertex
	Triangle uint32    // number of the triangle in its draw's queue
}

// Shader is the compiled fragment stage of a draw.
type Shader interface {
	// Shade runs the stage over the batch and writes the render target. worker,
	// from 0 to the number of workers minus 1, differs between concurrent calls.
	Shade(b *Batch, worker int)

	// Prefetch is called some time before Shade, for what it reads first.
	Prefetch()
}

// PixelX and PixelY are the position of each of the 16 lanes in a block.
var PixelX, PixelY = func() (px, py [BlockPixels]uint8) {
	for i := range uint32(BlockPixels) {
		x, y := i&3, i>>2
		lane := pica.Morton(x, y)
		px[lane], py[lane] = uint8(x), uint8(y)
	}
	return px, py
}()
