package raster

import (
	"flag"
	"math"
	"math/big"
	mathbits "math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// inside is the fill rule for one pixel in exact integers, in window coordinates. The row spans are tested against it.
func inside(v [3]*pica.ScreenVertex, px, py int64) bool {
	x, y := px*16+8, py*16+8
	for i := range v {
		p, q := v[i], v[(i+1)%3]
		dx, dy := int64(q.X-p.X), int64(q.Y-p.Y)
		e := dx*(y-int64(p.Y)) - dy*(x-int64(p.X))
		// Counter-clockwise with y up: an edge going down is a left edge, one going right is a bottom edge.
		owns := dy < 0 || dy == 0 && dx > 0
		if e < 0 || e == 0 && !owns {
			return false
		}
	}
	return true
}

// recorder is a Shader that counts how often each pixel is drawn.
type recorder struct{ hits map[[2]int32]int }

func (*recorder) Prefetch() {}

func (r *recorder) Shade(b *Batch, worker int) {
	eachPixel(b, func(_ int, at [2]int32, _ [3]uint32) { r.hits[at]++ })
}

// eachPixel calls f with the index, the position and the vertices of each pixel of a batch that its masks hold.
func eachPixel(b *Batch, f func(i int, at [2]int32, v [3]uint32)) {
	for i := range b.N() {
		if b.Mask[i/BlockPixels]>>(i%BlockPixels)&1 == 0 {
			continue
		}
		if b.Packed {
			quad := b.Quad[i/QuadPixels]
			f(i, [2]int32{quad.X + int32(i&1), quad.Y + int32(i>>1&1)}, b.faces[b.face[i/QuadPixels]])
		} else {
			block := &b.Block[i/BlockPixels]
			f(i, [2]int32{block.X + int32(PixelX[i%BlockPixels]), block.Y + int32(PixelY[i%BlockPixels])}, block.V)
		}
	}
}

func serial(n int, f func(i, worker int)) {
	for i := range n {
		f(i, 0)
	}
}

func vertex(x, y int32) pica.ScreenVertex { return pica.ScreenVertex{X: x, Y: y, InvW: 1} }

// drawAll runs triangles, given as vertices, through a queue.
func drawAll(d *Draw, v []pica.ScreenVertex) {
	var q Queue
	commit(&q, d, v)
	q.Flush(1, serial)
}

// commit adds triangles, given as vertices, to a queue.
func commit(q *Queue, d *Draw, v []pica.ScreenVertex) {
	base := uint32(len(q.Vertices))
	for i := range v {
		q.Add(&v[i])
	}
	for i := base; i+2 < uint32(len(q.Vertices)); i += 3 {
		q.Triangles = append(q.Triangles, Triangle{i, i + 1, i + 2})
	}
	q.Commit(d)
}

func testDraw(w, h int32) (*Draw, *recorder) {
	r := &recorder{hits: map[[2]int32]int{}}
	return &Draw{
		Target: &Target{Width: w, Height: h},
		Shader: r,
		Layout: pica.WholeVertex,
		Bounds: Rect{0, 0, w - 1, h - 1},
	}, r
}

func TestCoverageMatchesTheFillRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const w, h = 40, 52
	for n := range 3000 {
		size := int32(16 * []int{2, 8, 40, 2000}[n%4])
		at := [2]int32{rng.Int32N(w * 16), rng.Int32N(h * 16)}
		var v [3]pica.ScreenVertex
		for i := range v {
			v[i] = vertex(at[0]+rng.Int32N(size)-size/2, at[1]+rng.Int32N(size)-size/2)
			if n%3 == 0 { // on pixel centres and corners, where ties occur
				v[i].X, v[i].Y = v[i].X&^7, v[i].Y&^7
			}
		}
		area := int64(v[1].X-v[0].X)*int64(v[2].Y-v[0].Y) - int64(v[2].X-v[0].X)*int64(v[1].Y-v[0].Y)
		if area == 0 {
			continue
		}
		if area < 0 {
			v[1], v[2] = v[2], v[1]
		}
		d, r := testDraw(w, h)
		d.Flip, d.Pack = n%5 == 0, n%7 < 3
		if n%11 < 5 {
			d.Bounds = Rect{3, 5, 33, 46}
		}
		drawAll(d, v[:])
		p := [3]*pica.ScreenVertex{&v[0], &v[1], &v[2]}
		for y := range int64(h) {
			for x := range int64(w) {
				want, row := 0, h-1-y
				if d.Flip {
					row = y
				}
				b := d.Bounds
				if inside(p, x, row) && int32(x) >= b.X0 && int32(x) <= b.X1 && int32(y) >= b.Y0 && int32(y) <= b.Y1 {
					want = 1
				}
				if got := r.hits[[2]int32{int32(x), int32(y)}]; got != want {
					t.Fatalf("pixel %d,%d of %+v is hit %d times, not %d", x, y, v, got, want)
				}
			}
		}
	}
}

func TestTrianglesThatShareEdgesCoverEachPixelOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const w, h = 64, 64
	for range 100 {
		c := vertex(200+rng.Int32N(600), 200+rng.Int32N(600))
		ring := []pica.ScreenVertex{vertex(0, 0), vertex(512, 0), vertex(1024, 0), vertex(1024, 512), vertex(1024, 1024), vertex(333, 1024), vertex(0, 1024), vertex(0, 77)}
		var v []pica.ScreenVertex
		for i := range ring {
			v = append(v, c, ring[i], ring[(i+1)%len(ring)])
		}
		d, r := testDraw(w, h)
		drawAll(d, v)
		for y := range int32(h) {
			for x := range int32(w) {
				require.Equal(t, 1, r.hits[[2]int32{x, y}], "pixel %d,%d around %d,%d", x, y, c.X, c.Y)
			}
		}
	}
}

func TestScissor(t *testing.T) {
	v := []pica.ScreenVertex{vertex(0, 0), vertex(2000, 0), vertex(0, 2000)}
	for _, exclude := range []bool{false, true} {
		d, r := testDraw(32, 32)
		rect := Rect{5, 6, 17, 22}
		if exclude {
			d.Exclude, d.HasExclude = rect, true
		} else {
			d.Bounds = rect
		}
		drawAll(d, v)
		for y := range int32(32) {
			for x := range int32(32) {
				in := x >= 5 && x <= 17 && y >= 6 && y <= 22
				want := 0
				if in != exclude {
					want = 1
				}
				require.Equal(t, want, r.hits[[2]int32{x, y}], "pixel %d,%d, exclude %v", x, y, exclude)
			}
		}
	}
}

var oracleTriangles = flag.Int("triangles", 2000, "triangles that TestTrianglesAgainstRationals draws")

// Error bounds in units of 2^-24, derived from the roundings: weights relative to the weight, attributes to the triangle's
// greatest, depth to |scale| + |offset|, the sum of the weights absolute.
const (
	maxWeightError    = 7
	maxAttributeError = 20
	maxDepthError     = 9
	maxSumError       = 10
)

// pixelValues are the rasterizer's results for one pixel.
type pixelValues struct {
	hits           int
	w              [3]float32 // in the order in which vertices were queued
	u, v, q, depth float32
}

// pixelRecorder is a Shader that records its input.
type pixelRecorder map[[2]int32]*pixelValues

func (pixelRecorder) Prefetch() {}

func (r pixelRecorder) Shade(b *Batch, worker int) {
	var u, v, q Plane
	b.Interpolate(pica.SemTexCoord0U, &u)
	b.Interpolate(pica.SemTexCoord0V, &v)
	b.Interpolate(pica.SemTexCoord0W, &q)
	eachPixel(b, func(i int, at [2]int32, id [3]uint32) {
		p := r[at]
		if p == nil {
			p = &pixelValues{}
			r[at] = p
		}
		p.hits++
		for k, w := range [3]float32{b.W0[i], b.W1[i], b.W2[i]} {
			p.w[id[k]%3] = w
		}
		p.u, p.v, p.q, p.depth = u[i], v[i], q[i], b.Depth[i]
	})
}

// randomTriangle makes a random triangle of nonzero area: tiny, sliver, or small to huge.
func randomTriangle(rng *rand.Rand, w, h int32) (v [3]pica.ScreenVertex) {
	point := func(reach, grid int32) (x, y int32) {
		return (w*8 + rng.Int32N(2*reach) - reach) / grid * grid, (h*8 + rng.Int32N(2*reach) - reach) / grid * grid
	}
	for {
		grid := []int32{1, 1, 8}[rng.IntN(3)] // 8: on centres and corners of pixels, where ties occur
		switch kind := rng.IntN(6); kind {
		case 0: // tiny, at the centre of a pixel
			x, y := point(w*8, 16)
			for i := range v {
				v[i].X, v[i].Y = x+8+rng.Int32N(5)-2, y+8+rng.Int32N(5)-2
			}
		case 1: // slivers
			for i := range v {
				v[i].X, v[i].Y = point(2*w*16, grid)
			}
			t := rng.Float64()
			v[2].X = v[0].X + int32(t*float64(v[1].X-v[0].X)) + rng.Int32N(5) - 2
			v[2].Y = v[0].Y + int32(t*float64(v[1].Y-v[0].Y)) + rng.Int32N(5) - 2
		default: // small to huge
			reach := []int32{3 * 16, 8 * 16, w * 16, 4096 * 16}[kind-2]
			for i := range v {
				v[i].X, v[i].Y = point(reach, grid)
			}
			if rng.IntN(2) == 0 { // two edges along the axes
				v[1].Y, v[2].X = v[0].Y, v[0].X
			}
		}
		area := int64(v[1].X-v[0].X)*int64(v[2].Y-v[0].Y) - int64(v[2].X-v[0].X)*int64(v[1].Y-v[0].Y)
		if area < 0 {
			v[1], v[2] = v[2], v[1]
		}
		if area != 0 {
			return v
		}
	}
}

// edgeValues are the exact edge functions of a triangle at a pixel of the window.
func edgeValues(v *[3]pica.ScreenVertex, px, py int64) (e [3]int64) {
	x, y := px*16+8, py*16+8
	for i := range e {
		p, q := &v[(i+1)%3], &v[(i+2)%3]
		e[i] = int64(q.X-p.X)*(y-int64(p.Y)) - int64(q.Y-p.Y)*(x-int64(p.X))
	}
	return e
}

func rational(x float32) *big.Rat { return new(big.Rat).SetFloat64(float64(x)) }

// mixed is the sum of all a[i]*w[i], divided by the sum of all w[i].
func mixed(a [3]float32, w [3]*big.Rat) *big.Rat {
	sum, all := new(big.Rat), new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(rational(a[i]), w[i]))
		all.Add(all, w[i])
	}
	return sum.Quo(sum, all)
}

// units is the error of got in units of 2^-24 of size.
func units(got float32, want *big.Rat, size float64) float64 {
	diff := new(big.Rat).Sub(rational(got), want)
	f, _ := diff.Float64()
	if f == 0 {
		return 0
	}
	return math.Abs(f) / size * (1 << 24)
}

// Coverage, weights, attributes and depth of random triangles agree with exact rational numbers.
func TestTrianglesAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	const w, h = 32, 28
	var worst struct{ weight, attribute, depth, sum float64 }
	var on, at, pixels int
	queues := [2]Queue{{Kernels: simd.Best}, {Kernels: simd.Plain}}
	for n := range *oracleTriangles {
		v := randomTriangle(rng, w, h)
		// Attributes are often equal at two or all vertices.
		few := []float32{0, 1, rng.Float32(), rng.Float32()*2048 - 1024, float32(math.Ldexp(rng.Float64()-0.5, rng.IntN(40)-20))}
		pick := func() float32 { return few[rng.IntN(len(few))] }
		spread := rng.IntN(24)
		for i := range v {
			v[i].Z, v[i].InvW = -[]float32{1, rng.Float32(), rng.Float32()}[rng.IntN(3)], 1
			if n%2 == 0 {
				v[i].InvW = float32(math.Ldexp(1+rng.Float64(), rng.IntN(spread+1)-spread/2))
			}
			v[i].Vertex[pica.SemTexCoord0U], v[i].Vertex[pica.SemTexCoord0V], v[i].Vertex[pica.SemTexCoord0W] = pick(), rng.Float32(), pick()
		}
		if k := rng.IntN(5); k < 3 {
			v[k].Z = v[(k+1)%3].Z
		}
		seen := pixelRecorder{}
		d := &Draw{
			Target: &Target{Width: w, Height: h}, Shader: seen, Layout: pica.WholeVertex, Bounds: Rect{0, 0, w - 1, h - 1},
			DepthScale: -1, DepthOffset: 0, Flip: n%3 == 0, Pack: n%7 < 4, WBuffer: n%16 == 1,
		}
		q := &queues[n%4/2]
		for i := range v {
			q.Add(&v[i])
		}
		q.Triangles = append(q.Triangles, [...]Triangle{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}[rng.IntN(3)])
		q.Commit(d)
		q.Flush(1, serial)

		corners := [3]*pica.ScreenVertex{&v[0], &v[1], &v[2]}
		for y := range int64(h) {
			for x := range int64(w) {
				row := h - 1 - y
				if d.Flip {
					row = y
				}
				got := seen[[2]int32{int32(x), int32(y)}]
				if in := inside(corners, x, row); !in && got == nil {
					continue
				} else if !in || got == nil || got.hits != 1 {
					require.Failf(t, "coverage", "pixel %d,%d of %+v: %v, %+v", x, y, v, in, got)
				}
				e := edgeValues(&v, x, row)
				onEdge := e[0] == 0 || e[1] == 0 || e[2] == 0
				if !onEdge && rng.IntN(1+len(seen)/8) != 0 {
					continue // a few pixels of each triangle are enough
				}
				pixels++
				where := func() []any {
					return []any{"pixel %d,%d, functions %d, of %+v", x, y, e, v}
				}
				var flat, weights [3]*big.Rat
				sum, all := float64(0), new(big.Rat)
				for i := range e {
					flat[i] = new(big.Rat).SetInt64(e[i])
					weights[i] = new(big.Rat).Mul(flat[i], rational(v[i].InvW))
					all.Add(all, weights[i])
					sum += float64(got.w[i])
				}
				for i, g := range got.w {
					if !(g >= 0 && g <= 1) || math.Signbit(float64(g)) {
						require.Fail(t, "no weight", where()...)
					}
					switch area := e[0] + e[1] + e[2]; e[i] {
					case 0:
						on++
						require.Zero(t, g, where()...)
					case area:
						at++
						require.EqualValues(t, 1, g, where()...)
					default:
						want := new(big.Rat).Quo(weights[i], all)
						size, _ := want.Float64()
						worst.weight = max(worst.weight, units(g, want, size))
					}
				}
				worst.sum = max(worst.sum, math.Abs(sum-1)*(1<<24))
				for _, c := range []struct {
					sem pica.Semantic
					got float32
				}{{pica.SemTexCoord0U, got.u}, {pica.SemTexCoord0V, got.v}, {pica.SemTexCoord0W, got.q}} {
					a := [3]float32{v[0].Vertex[c.sem], v[1].Vertex[c.sem], v[2].Vertex[c.sem]}
					exactOn(t, a, e, c.got, where)
					if size := max(abs(a[0]), abs(a[1]), abs(a[2])); size > 0 {
						worst.attribute = max(worst.attribute, units(c.got, mixed(a, weights), size))
					}
				}
				z := [3]float32{-v[0].Z, -v[1].Z, -v[2].Z}
				depth, size := mixed(z, flat), 1.0
				if d.WBuffer { // multiplied by w, which has an error of its own
					scale := new(big.Rat).Quo(new(big.Rat).SetInt64(e[0]+e[1]+e[2]), all)
					depth.Mul(depth, scale)
					size, _ = scale.Float64()
					size *= 2
					if f, _ := depth.Float64(); f >= 1 {
						depth.SetInt64(1)
					}
				} else {
					exactOn(t, z, e, got.depth, where)
				}
				worst.depth = max(worst.depth, units(got.depth, depth, size))
			}
		}
	}
	t.Logf("%d pixels, %d weights on edges, %d at vertices; worst errors in 2^-24: weights %.2f, attributes %.2f, depth %.2f, sums %.2f",
		pixels, on, at, worst.weight, worst.attribute, worst.depth, worst.sum)
	require.Less(t, worst.weight, float64(maxWeightError))
	require.Less(t, worst.attribute, float64(maxAttributeError))
	require.Less(t, worst.depth, float64(maxDepthError))
	require.Less(t, worst.sum, float64(maxSumError))
	require.Greater(t, pixels, 2**oracleTriangles)
	require.Greater(t, on, *oracleTriangles/8)
	require.Greater(t, at, *oracleTriangles/200)
}

func abs(x float32) float64 { return math.Abs(float64(x)) }

// exactOn asserts that a value equal at both ends of an edge, or at all vertices, stays exact on the edge or everywhere.
func exactOn(t *testing.T, a [3]float32, e [3]int64, got float32, where func() []any) {
	for i := range a {
		p, q := a[(i+1)%3], a[(i+2)%3]
		if p == q && (e[i] == 0 || a[i] == p) {
			require.Equal(t, p, got, where()...)
		}
	}
}

var meshTriangles = flag.Int("mesh", 100_000, "triangles of the greatest meshes of TestClosedMeshesCoverFrontAndBackEqually, at most a million")

// torus is a torus, tilted so that it covers part of itself.
func torus(cells int) (triangles [][3][3]float64) {
	const great, small, tilt = 0.68, 0.27, 0.9
	at := func(i, j int) [3]float64 {
		a, b := 2*math.Pi*float64(i%cells)/float64(cells), 2*math.Pi*float64(j%cells)/float64(cells)
		r := great + small*math.Cos(b)
		x, y, z := r*math.Cos(a), r*math.Sin(a), small*math.Sin(b)
		return [3]float64{x, y*math.Cos(tilt) - z*math.Sin(tilt), y*math.Sin(tilt) + z*math.Cos(tilt)}
	}
	for i := range cells {
		for j := range cells {
			a, b, c, d := at(i, j), at(i+1, j), at(i, j+1), at(i+1, j+1)
			triangles = append(triangles, [3][3]float64{a, b, c}, [3][3]float64{b, d, c})
		}
	}
	return triangles
}

// sphere is an octahedron whose faces are divided into grids and projected onto the sphere.
func sphere(cells int) (triangles [][3][3]float64) {
	at := func(face, i, j int) (p [3]float64) {
		sign := func(bit int) float64 { return float64(1 - face>>bit&1*2) }
		p = [3]float64{sign(0) * float64(i), sign(1) * float64(j), sign(2) * float64(cells-i-j)}
		n := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
		return [3]float64{p[0] / n, p[1] / n, p[2] / n}
	}
	for face := range 8 {
		add := func(a, b, c [3]float64) {
			if mathbits.OnesCount(uint(face))%2 != 0 { // mirrored
				b, c = c, b
			}
			triangles = append(triangles, [3][3]float64{a, b, c})
		}
		for i := range cells {
			for j := range cells - i {
				add(at(face, i, j), at(face, i+1, j), at(face, i, j+1))
				if i+j+2 <= cells {
					add(at(face, i+1, j), at(face, i+1, j+1), at(face, i, j+1))
				}
			}
		}
	}
	return triangles
}

// meshRecorder counts how often each pixel is covered and keeps its light and depth.
type meshRecorder struct {
	side  int32
	hits  []int
	light []float32
	bad   int // pixels that are NaN or outside the range of their vertices
}

func (*meshRecorder) Prefetch() {}

func (r *meshRecorder) Shade(b *Batch, worker int) {
	var light Plane
	b.Interpolate(pica.SemColorR, &light)
	eachPixel(b, func(i int, pixel [2]int32, id [3]uint32) {
		at := pixel[1]*r.side + pixel[0]
		r.hits[at]++
		r.light[at] = light[i]
		between := func(a, b, c, got float32) bool {
			const hair = 4.0 / (1 << 24)
			return got >= min(a, b, c)-hair && got <= max(a, b, c)+hair
		}
		p, q, s := b.Vertex(id[0]), b.Vertex(id[1]), b.Vertex(id[2])
		if !between(p.Vertex[pica.SemColorR], q.Vertex[pica.SemColorR], s.Vertex[pica.SemColorR], light[i]) || !between(-p.Z, -q.Z, -s.Z, b.Depth[i]) {
			r.bad++
		}
	})
}

// TestClosedMeshesCoverFrontAndBackEqually draws closed surfaces of up to a million triangles, many smaller than a pixel. Each pixel is covered as often
// from the front as from behind, once where the surface has one layer. Its light is interpolated within its triangle's vertices.
func TestClosedMeshesCoverFrontAndBackEqually(t *testing.T) {
	const side = 512
	forms := []simd.Kernels{simd.Plain, simd.Best}
	for _, size := range []int{10_000, 100_000, 500_000, 1_000_000} {
		if size > *meshTriangles {
			break
		}
		for _, mesh := range []struct {
			name      string
			triangles [][3][3]float64
		}{{"sphere", sphere(int(math.Sqrt(float64(size) / 8)))}, {"torus", torus(int(math.Sqrt(float64(size) / 2)))}} {
			for _, kernels := range forms {
				var sides [2]*meshRecorder // front and back
				for back := range sides {
					r := &meshRecorder{side: side, hits: make([]int, side*side), light: make([]float32, side*side)}
					sides[back] = r
					q := Queue{Kernels: kernels}
					d := &Draw{
						Target: &Target{Width: side, Height: side}, Shader: r, Layout: pica.WholeVertex,
						Bounds: Rect{0, 0, side - 1, side - 1}, DepthScale: -1, Pack: true,
					}
					for _, tri := range mesh.triangles {
						var v [3]pica.ScreenVertex
						for k, p := range tri {
							// Perspective: w is 2 to 4, and greater z is nearer to the eye.
							w := 3 - p[2]
							v[k] = pica.ScreenVertex{
								X: int32(math.Round((side/2 + side*p[0]/w) * 16)), Y: int32(math.Round((side/2 + side*p[1]/w) * 16)),
								Z: float32(-0.5 + 0.4*p[2]/w), InvW: float32(1 / w),
							}
							v[k].Vertex[pica.SemColorR] = float32(0.5 + 0.3*p[0] - 0.2*p[1])
						}
						area := int64(v[1].X-v[0].X)*int64(v[2].Y-v[0].Y) - int64(v[2].X-v[0].X)*int64(v[1].Y-v[0].Y)
						if area == 0 || area < 0 != (back == 1) {
							continue
						}
						if back == 1 {
							v[1], v[2] = v[2], v[1]
						}
						n := uint32(len(q.Vertices))
						for k := range v {
							q.Add(&v[k])
						}
						q.Triangles = append(q.Triangles, Triangle{n, n + 1, n + 2})
						if n > 30_000 {
							q.Commit(d)
							q.Flush(1, serial)
						}
					}
					q.Commit(d)
					q.Flush(1, serial)
					require.Zero(t, r.bad, "%s of %d triangles: pixels beyond their vertices", mesh.name, size)
				}
				require.Equal(t, sides[1].hits, sides[0].hits, "%s of %d triangles", mesh.name, size)
				if mesh.name != "sphere" {
					continue
				}
				once := 0
				for i, hits := range sides[0].hits {
					// The intersection of the sphere with the ray through the pixel.
					x, y := (float64(i%side)+0.5-side/2)/side, (side/2-0.5-float64(i/side))/side
					a, c := 1+x*x+y*y, 9*(x*x+y*y)-1
					b := -3 * (x*x + y*y)
					root := b*b - a*c
					if root < 0.02 {
						continue // beside it or close to its outline
					}
					z := (-b + math.Sqrt(root)) / a
					once++
					require.Equal(t, 1, hits, "pixel %d,%d of %d triangles", i%side, i/side, size)
					light := 0.5 + 0.3*x*(3-z) - 0.2*y*(3-z)
					require.InDelta(t, light, sides[0].light[i], 0.004, "pixel %d,%d of %d triangles", i%side, i/side, size)
				}
				require.Greater(t, once, 50_000)
			}
		}
		forms = []simd.Kernels{simd.Best}
	}
}
