//go:build goexperiment.simd && (arm64 || wasm)

package raster

import (
	"math"
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
)

// The portable forms of the hottest kernels work on vectors of 128 bits and
// give the same bits as the plain ones. Their arguments are those of the AVX2
// forms.

// quadsOfBlock is the number of vectors for the 16 pixels of a block.
const quadsOfBlock = BlockPixels / 4

// ints and floats are the pixels of a block, one vector for each quad.
type (
	ints   struct{ a, b, c, d simd.Ints }
	floats struct{ a, b, c, d simd.Floats }
)

// steps is the increment of an edge function in a block: within a quad, to the
// quad on the right, and to the quad below.
type steps struct{ first, right, below simd.Ints }

var columnsOfQuad, rowsOfQuad = [4]int32{0, 1, 0, 1}, [4]int32{0, 0, 1, 1}

// stepsOf computes steps from the increments for a column and for a row.
func stepsOf(dx, dy simd.Ints) steps {
	x, y := simd.LoadInts(&columnsOfQuad[0], 0), simd.LoadInts(&rowsOfQuad[0], 0)
	return steps{dx.Mul(x).Add(dy.Mul(y)), dx.Add(dx), dy.Add(dy)}
}

func (g *basis) steps(i int) steps {
	return stepsOf(simd.Int(int32(g.stepX[i])), simd.Int(int32(g.stepY[i])))
}

// at returns the edge function in a block, given its value at the first pixel.
func (s steps) at(now int32) ints {
	a := simd.Int(now).Add(s.first)
	b := a.Add(s.right)
	return ints{a, b, a.Add(s.below), b.Add(s.below)}
}

func (v ints) floats() floats {
	return floats{v.a.ConvertToFloat32(), v.b.ConvertToFloat32(), v.c.ConvertToFloat32(), v.d.ConvertToFloat32()}
}

func (v floats) times(x simd.Floats) floats {
	return floats{v.a.Mul(x), v.b.Mul(x), v.c.Mul(x), v.d.Mul(x)}
}

func (v floats) over(x floats) floats {
	return floats{v.a.Div(x.a), v.b.Div(x.b), v.c.Div(x.c), v.d.Div(x.d)}
}

func (v floats) add(x floats) floats {
	return floats{v.a.Add(x.a), v.b.Add(x.b), v.c.Add(x.c), v.d.Add(x.d)}
}

// unit clamps depths to 0..1; NaN gives 0.
func (v floats) unit(one simd.Floats) floats {
	v.a, v.b, v.c, v.d = simd.Positive(v.a), simd.Positive(v.b), simd.Positive(v.c), simd.Positive(v.d)
	return floats{
		simd.Choose(one.Greater(v.a), v.a, one), simd.Choose(one.Greater(v.b), v.b, one),
		simd.Choose(one.Greater(v.c), v.c, one), simd.Choose(one.Greater(v.d), v.d, one),
	}
}

func (v floats) store(p *float32, i int) {
	q := (*[4][4]float32)(unsafe.Pointer(simd.At(p, i)))
	v.a.StoreArray(&q[0])
	v.b.StoreArray(&q[1])
	v.c.StoreArray(&q[2])
	v.d.StoreArray(&q[3])
}

func lanesVector(basis *float64) {
	g := (*gradients)(unsafe.Pointer(basis))
	for i := range g.lanes {
		v, p := g.steps(i).at(0), &g.lanes[i][0]
		simd.StoreInts(p, 0, v.a)
		simd.StoreInts(p, 4, v.b)
		simd.StoreInts(p, 8, v.c)
		simd.StoreInts(p, 12, v.d)
	}
}

// at returns edge function i at the first pixel of the block at (x, y).
func (g *basis) at(i int, x, y int32) int32 {
	return int32(float64(g.stepX[i]*float64(x)) + float64(g.stepY[i]*float64(y)) + g.c[i])
}

// edgeOf returns edge function i in a block, given its value at the first
// pixel.
func (g *gradients) edgeOf(i int, now simd.Ints) floats {
	p := &g.lanes[i][0]
	return ints{now.Add(simd.LoadInts(p, 0)), now.Add(simd.LoadInts(p, 4)), now.Add(simd.LoadInts(p, 8)), now.Add(simd.LoadInts(p, 12))}.floats()
}

// depthsOf returns the unclamped depths of pixels from their edge functions.
func (g *basis) depthsOf(from simd.Floats, e0, e1, e2 floats) floats {
	v := floats{from, from, from, from}.add(e0.times(simd.Float(g.depth[0])))
	return v.add(e1.times(simd.Float(g.depth[1]))).add(e2.times(simd.Float(g.depth[2])))
}

func depthsVector(basis *float64, x, y int32, dst *float32) {
	g := (*gradients)(unsafe.Pointer(basis))
	g.now[0], g.now[1], g.now[2] = g.at(0, x, y), g.at(1, x, y), g.at(2, x, y)
	e0, e1, e2 := g.edgeOf(0, simd.Int(g.now[0])), g.edgeOf(1, simd.Int(g.now[1])), g.edgeOf(2, simd.Int(g.now[2]))
	g.depthsOf(simd.Float(g.from), e0, e1, e2).unit(simd.Float(1)).store(dst, 0)
}

func weightsVector(basis *float64, w0 *float32) {
	g := (*gradients)(unsafe.Pointer(basis))
	p0, p1, p2 := g.edgeOf(0, simd.Int(g.now[0])), g.edgeOf(1, simd.Int(g.now[1])), g.edgeOf(2, simd.Int(g.now[2]))
	p0, p1, p2 = p0.times(simd.Float(g.invW[0])), p1.times(simd.Float(g.invW[1])), p2.times(simd.Float(g.invW[2]))
	sum := p0.add(p1).add(p2)
	p0.over(sum).store(w0, 0)
	p1.over(sum).store(w0, Lanes)
	p2.over(sum).store(w0, 2*Lanes)
}

// slopeOf loads the four slopes of triangle i.
func slopeOf(v *float32, i int) (from, a, b, c simd.Floats) {
	p := (*[4]float32)(unsafe.Pointer(simd.At(v, 4*i)))
	return simd.Float(p[0]), simd.Float(p[1]), simd.Float(p[2]), simd.Float(p[3])
}

// sloped interpolates a component at four pixels from lane i on.
func sloped(from, a, b, c simd.Floats, w0 *float32, i int) simd.Floats {
	return from.Add(simd.LoadFloats(w0, i).Mul(a)).Add(simd.LoadFloats(w0, i+Lanes).Mul(b)).Add(simd.LoadFloats(w0, i+2*Lanes).Mul(c))
}

func interpolateVector(v *float32, runs *uint8, w0, dst *float32, n int) {
	lane := 0
	for i := range n {
		from, a, b, c := slopeOf(v, i)
		for end := lane + BlockPixels*int(simd.Get(runs, i)); lane < end; lane += BlockPixels {
			simd.StoreFloats(dst, lane, sloped(from, a, b, c, w0, lane))
			simd.StoreFloats(dst, lane+4, sloped(from, a, b, c, w0, lane+4))
			simd.StoreFloats(dst, lane+8, sloped(from, a, b, c, w0, lane+8))
			simd.StoreFloats(dst, lane+12, sloped(from, a, b, c, w0, lane+12))
		}
	}
}

// interpolateQuadsVector interpolates quads in whole blocks.
func interpolateQuadsVector(v *float32, face *uint8, w0, dst *float32, quads, components int) {
	for component := range components {
		slopes, out := simd.At(v, 4*BatchQuads*component), simd.At(dst, Lanes*component)
		for i := range quads {
			from, a, b, c := slopeOf(slopes, int(simd.Get(face, i)))
			simd.StoreFloats(out, QuadPixels*i, sloped(from, a, b, c, w0, QuadPixels*i))
		}
	}
}

func slopesVector(attributes *float32, first, stride int, faces *uint32, planes *float32, n, components int) {
	for i := range n {
		v0 := first + int(simd.Get(faces, 3*i))*stride
		v1 := first + int(simd.Get(faces, 3*i+1))*stride
		v2 := first + int(simd.Get(faces, 3*i+2))*stride
		for c := range components {
			a0, a1, a2 := simd.Get(attributes, v0+c), simd.Get(attributes, v1+c), simd.Get(attributes, v2+c)
			from := a0
			if a1 == a2 {
				from = a1
			}
			p := simd.At(planes, 4*(BatchQuads*c+i))
			*p = from
			simd.Put(p, 1, a0-from)
			simd.Put(p, 2, a1-from)
			simd.Put(p, 3, a2-from)
		}
	}
}

// covered returns the lanes of a block in which no edge function is negative.
func covered(zero simd.Ints, e0, e1, e2 ints) uint32 {
	return simd.BlockLanes(
		e0.a.Or(e1.a).Or(e2.a).GreaterEqual(zero), e0.b.Or(e1.b).Or(e2.b).GreaterEqual(zero),
		e0.c.Or(e1.c).Or(e2.c).GreaterEqual(zero), e0.d.Or(e1.d).Or(e2.d).GreaterEqual(zero))
}

func coverVector(e *int32) uint32 {
	p := (*[3][3]int32)(unsafe.Pointer(e))
	return covered(simd.Int(0), stepsOf(simd.Int(p[1][0]), simd.Int(p[2][0])).at(p[0][0]),
		stepsOf(simd.Int(p[1][1]), simd.Int(p[2][1])).at(p[0][1]), stepsOf(simd.Int(p[1][2]), simd.Int(p[2][2])).at(p[0][2]))
}

// setupVector sets up four triangles like triangle.setup and gradients.setup.
func setupVector(first *float64, vertices *int32, triangles *uint32) {
	f := (*fours)(unsafe.Pointer(first))
	for k := range f.tri {
		number := f.numbers[k]
		if k > 0 && number == f.numbers[0] {
			continue // fewer than four triangles
		}
		p := &f.tri[k]
		id := (*[3]uint32)(unsafe.Pointer(simd.At(triangles, 3*int(number))))
		p.id = [3]uint32{id[0], id[f.second/4%3], id[f.third/4%3]}
		v0, v1, v2 := vertexAt(vertices, p.id[0]), vertexAt(vertices, p.id[1]), vertexAt(vertices, p.id[2])
		y0, y1, y2 := (v0.Y^f.invert)-f.invert+f.top, (v1.Y^f.invert)-f.invert+f.top, (v2.Y^f.invert)-f.invert+f.top
		const half = subpixel / 2
		p.minX, p.maxX = (min(v0.X, v1.X, v2.X)+half-1)>>subpixelBits, (max(v0.X, v1.X, v2.X)-half)>>subpixelBits
		p.minY, p.maxY = (min(y0, y1, y2)+half-1)>>subpixelBits, (max(y0, y1, y2)-half)>>subpixelBits
		area := p.edge(0, v1.X, y1, v2.X, y2, f.flip) + p.edge(1, v2.X, y2, v0.X, y0, f.flip) + p.edge(2, v0.X, y0, v1.X, y1, f.flip)

		from := v0.Z
		if v1.Z == v2.Z {
			from = v1.Z
		}
		z, inv := float64(from), 1/area
		p.from = float32(float64(z*f.scale) + f.offset)
		p.depth[0], p.depth[1], p.depth[2] = float32((float64(v0.Z)-z)*inv*f.scale), float32((float64(v1.Z)-z)*inv*f.scale), float32((float64(v2.Z)-z)*inv*f.scale)
		p.invW = [3]float32{v0.InvW, v1.InvW, v2.InvW}
	}
}

func vertexAt(vertices *int32, i uint32) *pica.ScreenPosition {
	return (*pica.ScreenPosition)(unsafe.Pointer(simd.At(vertices, 4*int(i))))
}

// edge sets up edge i, between the other two vertices, and returns its
// function's value at the first pixel.
func (g *basis) edge(i int, px, py, qx, qy int32, flip uint64) float64 {
	a, b := int64(py-qy), int64(qx-px)
	c := float64(-a*int64(px) - b*int64(py) + (a+b)*(subpixel/2))
	bias := int32(0)
	if a < 0 || a == 0 && (b > 0) != (flip != 0) {
		bias = 1
	}
	g.c[i], g.stepX[i], g.stepY[i], g.bias[i] = c, float64(a*subpixel), float64(b*subpixel), bias
	return c
}

// takeQuads adds quads of a small triangle to a batch, see drawQuads. bytes is
// the size of a depth in the buffer; 0 disables the early test.
func takeQuads(t *float64, s, quad *int32, face, pixels *uint8, w0 *float32, buffer *byte, bytes int) {
	g, r := (*basis)(unsafe.Pointer(t)), (*quadRun)(unsafe.Pointer(s))
	s0, s1, s2 := g.steps(0), g.steps(1), g.steps(2)
	n := int(r.n)
	r.full = 0
	for y := r.y; y <= r.y1; y += blockSide {
		for x := r.x; x <= r.x1; x += blockSide {
			n0, n1, n2 := g.at(0, x, y), g.at(1, x, y), g.at(2, x, y)
			mask := covered(simd.Int(0), s0.at(n0-g.bias[0]), s1.at(n1-g.bias[1]), s2.at(n2-g.bias[2]))
			if mask == 0 {
				continue
			}
			if n > BatchQuads-BlockPixels/QuadPixels {
				r.x, r.y, r.n, r.full = x, y, int32(n), 1
				return
			}
			e0, e1, e2 := s0.at(n0).floats(), s1.at(n1).floats(), s2.at(n2).floats()
			depth := g.depthsOf(simd.Float(g.from), e0, e1, e2).unit(simd.Float(1))
			if bytes != 0 {
				depth.store(w0, QuadPixels*n+3*Lanes)
				at := int(y&^7)*int(r.width) + int(x&^7)*8 + int(x&4)<<2 + int(y&4)<<3
				mask &= testEarly(simd.At(w0, QuadPixels*n+3*Lanes), simd.At(buffer, bytes*at), bytes, &r.rule[0])
				if mask == 0 {
					continue
				}
			}
			e0, e1, e2 = e0.times(simd.Float(g.invW[0])), e1.times(simd.Float(g.invW[1])), e2.times(simd.Float(g.invW[2]))
			sum := e0.add(e1).add(e2)
			e0, e1, e2 = e0.over(sum), e1.over(sum), e2.over(sum)
			// Always written; the position counts only if there are pixels.
			f := uint8(r.face)
			putQuad(w0, QuadPixels*n, e0.a, e1.a, e2.a, depth.a)
			n = nextQuad(quad, face, pixels, n, x, y, f, mask)
			putQuad(w0, QuadPixels*n, e0.b, e1.b, e2.b, depth.b)
			n = nextQuad(quad, face, pixels, n, x+2, y, f, mask>>4)
			putQuad(w0, QuadPixels*n, e0.c, e1.c, e2.c, depth.c)
			n = nextQuad(quad, face, pixels, n, x, y+2, f, mask>>8)
			putQuad(w0, QuadPixels*n, e0.d, e1.d, e2.d, depth.d)
			n = nextQuad(quad, face, pixels, n, x+2, y+2, f, mask>>12)
			if n == BatchQuads {
				x += blockSide
				if x > r.x1 {
					x, y = r.x0, y+blockSide
				}
				r.x, r.y, r.n, r.full = x, y, int32(n), 1
				return
			}
		}
		r.x = r.x0
	}
	r.n = int32(n)
}

func putQuad(w0 *float32, i int, a, b, c, depth simd.Floats) {
	simd.StoreFloats(w0, i, a)
	simd.StoreFloats(w0, i+Lanes, b)
	simd.StoreFloats(w0, i+2*Lanes, c)
	simd.StoreFloats(w0, i+3*Lanes, depth)
}

// nextQuad writes quad n and returns the number of the next one, which is n
// again if the quad has no pixels.
func nextQuad(quad *int32, face, pixels *uint8, n int, x, y int32, f uint8, mask uint32) int {
	mask &= 15
	simd.Put(quad, 2*n, x)
	simd.Put(quad, 2*n+1, y)
	simd.Put(face, n, f)
	simd.Put(pixels, n, uint8(mask))
	return n + int((mask+15)>>4)
}

func quadsVector(t *float64, s, quad *int32, face, pixels *uint8, w0 *float32) {
	takeQuads(t, s, quad, face, pixels, w0, nil, 0)
}
func quadsD16Vector(t *float64, s, quad *int32, face, pixels *uint8, w0 *float32, buffer *byte) {
	takeQuads(t, s, quad, face, pixels, w0, buffer, 2)
}
func quadsD24Vector(t *float64, s, quad *int32, face, pixels *uint8, w0 *float32, buffer *byte) {
	takeQuads(t, s, quad, face, pixels, w0, buffer, 3)
}
func quadsD24S8Vector(t *float64, s, quad *int32, face, pixels *uint8, w0 *float32, buffer *byte) {
	takeQuads(t, s, quad, face, pixels, w0, buffer, 4)
}

// stripVector computes the masks of the blocks of a strip.
func stripVector(first *float64, masks *uint16) {
	s := (*strip)(unsafe.Pointer(first))
	f0, l0 := s.span(s.row)
	f1, l1 := s.span(s.row + 1)
	f2, l2 := s.span(s.row + 2)
	f3, l3 := s.span(s.row + 3)
	s.from = min(f0, f1, f2, f3) &^ 3
	s.count = (max(l0, l1, l2, l3)-s.from)>>2 + 1
	firstAbove, firstBelow := simd.Int(f0).SetElem(2, f1).SetElem(3, f1), simd.Int(f2).SetElem(2, f3).SetElem(3, f3)
	lastAbove, lastBelow := simd.Int(l0).SetElem(2, l1).SetElem(3, l1), simd.Int(l2).SetElem(2, l3).SetElem(3, l3)
	x, two, four := simd.Int(s.from).Add(simd.LoadInts(&columnsOfQuad[0], 0)), simd.Int(2), simd.Int(4)
	for i := range int(s.count) {
		right := x.Add(two)
		simd.Put(masks, i, ^uint16(simd.BlockLanes(
			firstAbove.Greater(x).Or(x.Greater(lastAbove)), firstAbove.Greater(right).Or(right.Greater(lastAbove)),
			firstBelow.Greater(x).Or(x.Greater(lastBelow)), firstBelow.Greater(right).Or(right.Greater(lastBelow)))))
		x = x.Add(four)
	}
}

// span returns the first and last pixel of a row, or an empty span for a row
// outside.
func (s *strip) span(row int32) (first, last int32) {
	if row < s.y0 || row > s.y1 {
		return math.MaxInt32, -1
	}
	y := float64(row)
	left := math.Floor((float64(s.stepY[0]*y) + s.c[0]) / s.div[0])
	right := math.Floor((float64(s.stepY[1]*y) + s.c[1]) / s.div[1])
	third := math.Floor((float64(s.stepY[2]*y) + s.c[2]) / s.div[2])
	f := max(-left, s.low, float64(third*s.factorFirst)+s.offsetFirst)
	l := min(right, s.high, float64(third*s.factorLast)+s.offsetLast)
	return int32(min(f, s.high+1)), int32(max(l, s.low-1))
}

// takeBlocks adds blocks of a strip to a batch, see addRun. bytes is the size
// of a depth in the buffer; 0 disables the early test.
func takeBlocks(first, triangle *float64, block *int32, alive *uint16, w0 *float32, buffer *byte, bytes int) {
	s, g := (*strip)(unsafe.Pointer(first)), (*basis)(unsafe.Pointer(triangle))
	s0, s1, s2 := g.steps(0), g.steps(1), g.steps(2)
	n, i := int(s.n), int(s.next)
	for i < int(s.count) && n < BatchBlocks {
		mask, x := uint32(s.masks[i]), s.from+int32(i)*blockSide
		i++
		if mask == 0 {
			continue
		}
		e0, e1, e2 := s0.at(g.at(0, x, s.row)).floats(), s1.at(g.at(1, x, s.row)).floats(), s2.at(g.at(2, x, s.row)).floats()
		lane := n * BlockPixels
		g.depthsOf(simd.Float(g.from), e0, e1, e2).unit(simd.Float(1)).store(w0, lane+3*Lanes)
		if bytes != 0 {
			at := int(x&^7)*8 + int(x&4)<<2 // offset in the row of tiles
			mask &= testEarly(simd.At(w0, lane+3*Lanes), simd.At(buffer, bytes*at), bytes, &s.rule[0])
			if mask == 0 {
				continue
			}
		}
		e0, e1, e2 = e0.times(simd.Float(g.invW[0])), e1.times(simd.Float(g.invW[1])), e2.times(simd.Float(g.invW[2]))
		sum := e0.add(e1).add(e2)
		e0.over(sum).store(w0, lane)
		e1.over(sum).store(w0, lane+Lanes)
		e2.over(sum).store(w0, lane+2*Lanes)
		simd.Put(alive, n, uint16(mask))
		*(*Block)(unsafe.Pointer(simd.At(block, int(unsafe.Sizeof(Block{}))/4*n))) = Block{X: x, Y: s.row, V: s.v, Triangle: s.triangle}
		n++
	}
	s.n, s.next = int32(n), int32(i)
}

func blocksVector(s, basis *float64, block *int32, mask *uint16, w0 *float32) {
	takeBlocks(s, basis, block, mask, w0, nil, 0)
}
func blocksD16Vector(s, basis *float64, block *int32, mask *uint16, w0 *float32, buffer *byte) {
	takeBlocks(s, basis, block, mask, w0, buffer, 2)
}
func blocksD24Vector(s, basis *float64, block *int32, mask *uint16, w0 *float32, buffer *byte) {
	takeBlocks(s, basis, block, mask, w0, buffer, 3)
}
func blocksD24S8Vector(s, basis *float64, block *int32, mask *uint16, w0 *float32, buffer *byte) {
	takeBlocks(s, basis, block, mask, w0, buffer, 4)
}

// from24 moves the bytes of four 24-bit depths into words.
var (
	from24     = simd.Order{0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1}
	from24Last = simd.Order{4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1}
)

// high24 packs the upper three bytes of 16 integers into three vectors.
var high24 = [6]simd.Order{
	{1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 5},
	{6, 7, 9, 10, 11, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 5, 6, 7, 9, 10},
	{11, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15},
}

// wordBits has the bit of each pixel of a block, as bytes.
var wordBits = [32]byte{0: 1, 2: 2, 4: 4, 6: 8, 8: 16, 10: 32, 12: 64, 14: 128, 17: 1, 19: 2, 21: 4, 23: 8, 25: 16, 27: 32, 29: 64, 31: 128}
