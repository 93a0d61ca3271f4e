package raster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// The assembly kernels use these offsets.
func TestStripOffsets(t *testing.T) {
	var s strip
	require.EqualValues(t, 72, unsafe.Offsetof(s.factorFirst))
	require.EqualValues(t, 120, unsafe.Offsetof(s.y0))
	require.EqualValues(t, 144, unsafe.Offsetof(s.n))
	require.EqualValues(t, 164, unsafe.Offsetof(s.rule))
	require.EqualValues(t, 176, unsafe.Offsetof(s.masks))
	var b Batch
	workers := append([]worker(nil), worker{})
	workers = append(workers, worker{})
	for i := range workers { // fields used by kernels start at cache lines
		require.Zero(t, uintptr(unsafe.Pointer(&workers[i].batch.W0))%64)
	}
	require.Zero(t, unsafe.Sizeof(b)%64)
	require.EqualValues(t, unsafe.Sizeof(Plane{}), unsafe.Offsetof(b.W1)-unsafe.Offsetof(b.W0))
	require.EqualValues(t, 2*unsafe.Sizeof(Plane{}), unsafe.Offsetof(b.W2)-unsafe.Offsetof(b.W0))
	require.EqualValues(t, 3*unsafe.Sizeof(Plane{}), unsafe.Offsetof(b.Depth)-unsafe.Offsetof(b.W0))
	var g gradients
	require.EqualValues(t, 96, unsafe.Offsetof(g.bias))
	require.EqualValues(t, 112, unsafe.Offsetof(g.invW))
	require.EqualValues(t, 124, unsafe.Offsetof(g.from))
	require.EqualValues(t, 128, unsafe.Offsetof(g.depth))
	require.EqualValues(t, 144, unsafe.Offsetof(g.lanes))
	require.EqualValues(t, 336, unsafe.Offsetof(g.now))
	require.EqualValues(t, 24, unsafe.Sizeof(Block{}))
}

// The kernels take targets up to maxWidth and triangles whose edge functions fit; wider or larger ones are refused.
func TestStripSizeLimits(t *testing.T) {
	for _, c := range []struct {
		size, width int32
		is          bool
	}{{16, 8, true}, {16 * 100, 128, true}, {16 * 1000, maxWidth, true}, {16, maxWidth + 8, false}, {1 << 27, 128, false}} {
		v := []pica.ScreenPosition{{X: 0, Y: 0, InvW: 1}, {X: c.size, Y: 0, InvW: 1}, {X: 0, Y: c.size, InvW: 1}}
		var tri triangle
		require.True(t, tri.setup(v, Triangle{0, 1, 2}, 1<<20, false, &Rect{0, 0, 1 << 20, 1 << 20}), "%v", c)
		var s strip
		require.Equal(t, c.is, s.start(&tri, tri.minX, tri.maxX, tri.minY, tri.maxY, c.width), "%v", c)
	}
}

// exactSide limits both the width and the height of a triangle.
func TestExactSideLimitsWidthAndHeight(t *testing.T) {
	for _, c := range []struct {
		w, h int32
		is   bool
	}{{0, 0, true}, {exactSide - 1, exactSide - 1, true}, {exactSide, 0, false}, {0, exactSide, false}} {
		require.Equal(t, c.is, exact(-3, c.w-3, 5, c.h+5), "%v", c)
	}
}

// Commit panics if a vertex has no full row of attributes: kernels would read behind the list.
func TestCommitPanicsWithoutAttributeRows(t *testing.T) {
	var q Queue
	v := vertex(0, 0)
	q.Add(&v)
	q.Attributes = q.Attributes[:len(q.Attributes)-1]
	q.Triangles = append(q.Triangles, Triangle{0, 0, 0})
	require.Panics(t, func() { q.Commit(&Draw{Target: &Target{Width: 8, Height: 8}, Layout: pica.WholeVertex}) })
}

// batches is a Shader that records its batches.
type batches struct{ all []batch }

type batch struct {
	packed            bool
	block             []Block
	quad              []Quad
	mask              []uint16
	w0, w1, w2, depth []uint32
}

func (*batches) Prefetch() {}

func (s *batches) Shade(b *Batch, worker int) {
	n := b.N()
	if b.Packed {
		n = b.Quads * QuadPixels
	}
	s.all = append(s.all, batch{
		b.Packed, slices.Clone(b.Block[:b.Blocks]), slices.Clone(b.Quad[:b.Quads]), slices.Clone(b.Mask[:b.Blocks]),
		bitsOf(b.W0[:n]), bitsOf(b.W1[:n]), bitsOf(b.W2[:n]), bitsOf(b.Depth[:n]),
	})
	if b.Packed {
		s.all[len(s.all)-1].block = nil
	}
}

// Triangles of all sizes give the same batches with and without kernels, for random draw settings.
func TestStripsAreTheSameBits(t *testing.T) {
	// In the second, a packed batch is full, and the early depth test hides the next block.
	for _, seed := range []uint64{31, 31 + 5*1000003, 31 + 6*1000003} {
		stripsAreTheSameBits(t, rand.New(rand.NewPCG(seed, 32)))
	}
}

func stripsAreTheSameBits(t *testing.T, rng *rand.Rand) {
	early, large, packed := 0, 0, 0
	// 1/w whose products with edge functions overflow, are denormal or have a sum of 0 somewhere.
	extreme := []float32{1, 2, 0, 1e-13, 1e-30, 1e-44, 1e13, 1e30, float32(math.Inf(1))}
	for range 500 {
		some := extreme[:1+rng.IntN(2)*rng.IntN(len(extreme))]
		w, h := (1+rng.Int32N(16))*8, 1+rng.Int32N(100)
		reach := int32(16) << rng.IntN(13)
		var v []pica.ScreenVertex
		triangles, x, y := 1+rng.IntN(4), int32(0), int32(0)
		if rng.IntN(2) == 0 { // many small ones
			triangles, reach = 100, 16<<rng.IntN(7)
		}
		for i := range 3 * triangles {
			if i%3 == 0 && triangles == 100 {
				x, y = rng.Int32N(w*subpixel), rng.Int32N(h*subpixel)
			}
			v = append(v, pica.ScreenVertex{
				X: x + rng.Int32N(2*reach) - reach/2, Y: y + rng.Int32N(2*reach) - reach/2,
				Z: -[]float32{rng.Float32(), 0.3, 0.7}[rng.IntN(3)], InvW: []float32{some[rng.IntN(len(some))], rng.Float32() + 0.01}[rng.IntN(2)],
			})
			if rng.IntN(3) == 0 { // edges along the axes, through centres
				v[len(v)-1].X, v[len(v)-1].Y = v[len(v)-1].X&^15|8, v[rng.IntN(len(v))].Y&^15|8
			}
		}
		for i := 0; i < len(v); i += 3 {
			area := int64(v[i+1].X-v[i].X)*int64(v[i+2].Y-v[i].Y) - int64(v[i+2].X-v[i].X)*int64(v[i+1].Y-v[i].Y)
			if area == 0 {
				v[i], v[i+1], v[i+2] = vertex(0, 0), vertex(reach, 0), vertex(0, reach)
			} else if area < 0 {
				v[i+1], v[i+2] = v[i+2], v[i+1]
			}
		}
		format := []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8}[rng.IntN(3)]
		d := &Draw{
			Target: &Target{Width: w, Height: h, DepthFormat: format, Block32: rng.IntN(8) == 0},
			Bounds: Rect{rng.Int32N(w), 0, w - 1, rng.Int32N(h)}, Layout: pica.WholeVertex,
			DepthScale: -1 + rng.Float32()/4, DepthOffset: rng.Float32() / 8,
			WBuffer: rng.IntN(8) == 0, Flip: rng.IntN(2) == 0, Pack: rng.IntN(2) == 0,
			Early: rng.IntN(3) != 0, EarlyFunc: pica.CompareFunc(rng.IntN(8)),
			HasExclude: rng.IntN(8) == 0, Exclude: Rect{w / 4, h / 4, w / 2, h / 2},
			HasAlone: rng.IntN(8) == 0, Alone: Rect{w / 3, h / 3, w/3 + 5, h / 3},
		}
		// The depth buffer has exactly the size of the target.
		d.Target.Depth = random(rng, d.Target.Bytes(format.Bytes()))
		if d.Target.Aliases() {
			d.Ordered = true
		}
		run := func(k simd.Kernels) any {
			s := &batches{}
			d.Shader, d.Target.Kernels = s, k
			q := Queue{Kernels: k}
			commit(&q, d, v)
			q.Flush(1, serial)
			for _, b := range s.all {
				if d.Early && len(b.mask) > 1 {
					early++
				}
				if len(b.mask) == BatchBlocks {
					large++
				}
				if b.packed && len(b.quad) > BatchQuads/2 {
					packed++
				}
			}
			return s.all
		}
		vector, plain := both(t, run)
		require.Equal(t, plain, vector, "%+v", d)
	}
	require.Greater(t, early, 100)
	require.Greater(t, large, 100)
	require.Greater(t, packed, 30)
}

// Triangles too large for 32-bit edge functions are drawn by spans.
func TestHugeTrianglesAreDrawnBySpans(t *testing.T) {
	const w, h = 64, 64
	for _, reach := range []int32{exactSide*subpixel/2 - 24, exactSide*subpixel/2 + 24, 1 << 21, 1 << 25} {
		v := []pica.ScreenVertex{vertex(-reach, 77), vertex(reach, -reach+5), vertex(reach-3, reach)}
		tri := [3]*pica.ScreenVertex{&v[0], &v[1], &v[2]}
		d, r := testDraw(w, h)
		drawAll(d, v)
		n := 0
		for y := range int64(h) {
			for x := range int64(w) {
				want := 0
				if inside(tri, x, h-1-y) {
					want = 1
					n++
				}
				require.Equal(t, want, r.hits[[2]int32{int32(x), int32(y)}], "%d: %d, %d", reach, x, y)
			}
		}
		require.NotZero(t, n)
	}
}

// The assembly kernels use these offsets.
func TestFoursOffsets(t *testing.T) {
	var f fours
	require.EqualValues(t, 16, unsafe.Offsetof(f.invert))
	require.EqualValues(t, 32, unsafe.Offsetof(f.flip))
	require.EqualValues(t, 40, unsafe.Offsetof(f.numbers))
	require.EqualValues(t, 56, unsafe.Offsetof(f.edges))
	require.EqualValues(t, 440, unsafe.Offsetof(f.z))
	require.EqualValues(t, 488, unsafe.Offsetof(f.w))
	require.EqualValues(t, 536, unsafe.Offsetof(f.tri))
	var s prepared
	require.EqualValues(t, 144, unsafe.Offsetof(s.minX))
	require.EqualValues(t, 160, unsafe.Offsetof(s.id))
	require.EqualValues(t, 176, unsafe.Sizeof(s))
	var q quadRun
	require.EqualValues(t, 20, unsafe.Offsetof(q.n))
	require.EqualValues(t, 40, unsafe.Offsetof(q.rule))
	require.EqualValues(t, 64, unsafe.Offsetof(q.lanes))
	require.EqualValues(t, 8, unsafe.Sizeof(Quad{}))
}

// Small triangles are drawn alike beyond the columns and rows that the kernel of quads takes.
func TestQuadsFarFromTheOrigin(t *testing.T) {
	cases := []struct{ w, h, x, y int32 }{{8, 32760, 0, 32700}, {8, 40000, 0, 35000}, {40000, 8, 35000, 0}}
	for _, c := range slices.Repeat(cases, 8) { // both chooses a width of kernels each time
		vector, plain := both(t, func(k simd.Kernels) any {
			s := &batches{}
			d := &Draw{
				Target: &Target{Width: c.w, Height: c.h, Kernels: k}, Bounds: Rect{0, 0, c.w - 1, c.h - 1},
				Pack: true, Flip: true, DepthScale: -1, Layout: pica.WholeVertex, Shader: s,
			}
			q := Queue{Kernels: k}
			x, y := c.x*subpixel, c.y*subpixel
			var v []pica.ScreenVertex
			for i := range int32(3) {
				v = append(v, vertex(x+i*16, y), vertex(x+80+i*16, y+3), vertex(x+i*16, y+80))
			}
			commit(&q, d, v)
			q.Flush(1, serial)
			require.NotEmpty(t, s.all)
			return s.all
		})
		require.Equal(t, plain, vector, "%v", c)
	}
}
