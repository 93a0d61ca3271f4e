//go:build goexperiment.simd && (arm64 || wasm)

package raster

import (
	"unsafe"

	"pica200/internal/simd"
)

// The portable forms of the hottest kernels, on vectors of 128 bits, with the bits of the
// plain ones. The arguments are those of the AVX2 forms.

// quadsOfBlock are the vectors that the 16 pixels of a block fill.
const quadsOfBlock = BlockPixels / 4

func lanesVector(basis *float64) {
	g := (*gradients)(unsafe.Pointer(basis))
	for i := range g.lanes {
		dx, dy := simd.Int(int32(g.stepX[i])), simd.Int(int32(g.stepY[i]))
		for k := range quadsOfBlock {
			x, y := simd.LoadInts(&pixelColumns[0], 4*k), simd.LoadInts(&pixelRows[0], 4*k)
			simd.StoreInts(&g.lanes[i][0], 4*k, dx.Mul(x).Add(dy.Mul(y)))
		}
	}
}

func depthsVector(basis *float64, x, y int32, dst *float32) {
	g := (*gradients)(unsafe.Pointer(basis))
	from := simd.Float(g.from)
	var now [3]simd.Ints
	var slope [3]simd.Floats
	for i := range now {
		g.now[i] = int32(float64(g.stepX[i]*float64(x)) + float64(g.stepY[i]*float64(y)) + g.c[i])
		now[i], slope[i] = simd.Int(g.now[i]), simd.Float(g.depth[i])
	}
	for k := range quadsOfBlock {
		v := from
		for i := range now {
			v = v.Add(pixelsOf(now[i], g, i, k).Mul(slope[i]))
		}
		v = simd.Choose(v.Greater(simd.Float(0)), v, simd.Float(0))
		simd.StoreFloats(dst, 4*k, simd.Choose(v.Less(simd.Float(1)), v, simd.Float(1)))
	}
}

// pixelsOf gives an edge function at four pixels of a block, which is now at its first.
func pixelsOf(now simd.Ints, g *gradients, edge, k int) simd.Floats {
	return now.Add(simd.LoadInts(&g.lanes[edge][0], 4*k)).ConvertToFloat32()
}

func weightsVector(basis *float64, w0 *float32) {
	g := (*gradients)(unsafe.Pointer(basis))
	var now [3]simd.Ints
	var w [3]simd.Floats
	for i := range now {
		now[i], w[i] = simd.Int(g.now[i]), simd.Float(g.invW[i])
	}
	for k := range quadsOfBlock {
		p0, p1, p2 := pixelsOf(now[0], g, 0, k).Mul(w[0]), pixelsOf(now[1], g, 1, k).Mul(w[1]), pixelsOf(now[2], g, 2, k).Mul(w[2])
		sum := p0.Add(p1).Add(p2)
		simd.StoreFloats(w0, 4*k, p0.Div(sum))
		simd.StoreFloats(w0, 4*k+Lanes, p1.Div(sum))
		simd.StoreFloats(w0, 4*k+2*Lanes, p2.Div(sum))
	}
}

// interpolated is a component at four pixels with the weights from lane i on; v is what slopes gives.
func interpolated(v *[4]simd.Floats, w0 *float32, i int) simd.Floats {
	return v[0].Add(simd.LoadFloats(w0, i).Mul(v[1])).Add(simd.LoadFloats(w0, i+Lanes).Mul(v[2])).Add(simd.LoadFloats(w0, i+2*Lanes).Mul(v[3]))
}

// slopeVectors are the four numbers of slopes of triangle i.
func slopeVectors(v *float32, i int) (s [4]simd.Floats) {
	for k := range s {
		s[k] = simd.Float(simd.Get(v, 4*i+k))
	}
	return s
}

func interpolateVector(v *float32, runs *uint8, w0, dst *float32, n int) {
	lane := 0
	for i := range n {
		s := slopeVectors(v, i)
		for end := lane + BlockPixels*int(simd.Get(runs, i)); lane < end; lane += 4 {
			simd.StoreFloats(dst, lane, interpolated(&s, w0, lane))
		}
	}
}

func interpolateQuadsVector(v *float32, face *uint8, w0, dst *float32, quads int) {
	for i := range quads {
		s := slopeVectors(v, int(simd.Get(face, i)))
		simd.StoreFloats(dst, QuadPixels*i, interpolated(&s, w0, QuadPixels*i))
	}
}

func coverVector(e *int32) uint32 {
	var edges [3][3]simd.Ints
	for k := range edges {
		for i := range edges[k] {
			edges[k][i] = simd.Int(simd.Get(e, 3*k+i))
		}
	}
	out := uint32(0)
	for k := range quadsOfBlock {
		x, y := simd.LoadInts(&pixelColumns[0], 4*k), simd.LoadInts(&pixelRows[0], 4*k)
		v := edges[0][0].Add(edges[1][0].Mul(x)).Add(edges[2][0].Mul(y))
		v = v.Or(edges[0][1].Add(edges[1][1].Mul(x)).Add(edges[2][1].Mul(y)))
		v = v.Or(edges[0][2].Add(edges[1][2].Mul(x)).Add(edges[2][2].Mul(y)))
		out |= simd.Lanes(v.GreaterEqual(simd.Int(0))) << (4 * k)
	}
	return out
}

// pixelColumns and pixelRows are PixelX and PixelY as the kernels take them.
var pixelColumns, pixelRows = func() (x, y [BlockPixels]int32) {
	for i := range x {
		x[i], y[i] = int32(PixelX[i]), int32(PixelY[i])
	}
	return x, y
}()

// blockInts are the pixels of a block.
type blockInts [quadsOfBlock]simd.Ints

// quantized is QuantizeDepth of block b of depth.
func (z *blockInts) quantized(depth *float32, b int, top float32) {
	for k := range z {
		z[k] = simd.LoadFloats(depth, BlockPixels*b+4*k).Mul(simd.Float(top)).ConvertToInt32()
	}
}

// pass gives the pixels that stand in the relation of rule, a row of compareRules, to old.
func (z *blockInts) pass(old *blockInts, rule *uint32) (out uint16) {
	isLess, isEqual := simd.Int(int32(simd.Get(rule, 0))), simd.Int(int32(simd.Get(rule, 1)))
	for k := range z {
		m := z[k].Less(old[k]).ToInt32x4().And(isLess).Or(z[k].Equal(old[k]).ToInt32x4().And(isEqual))
		out |= uint16(simd.Lanes(m.ToMask()) << (4 * k))
	}
	return out ^ uint16(simd.Get(rule, 2))
}

func testDepthD16Vector(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int) {
	for b := range n {
		mask, p := simd.Get(masks, b), simd.At(buffer, 2*int(simd.Get(index, b)))
		if mask == 0 {
			continue
		}
		var z, old blockInts
		z.quantized(depth, b, 1<<16-1)
		old[0], old[1] = simd.WidenWords(simd.LoadWords(p, 0))
		old[2], old[3] = simd.WidenWords(simd.LoadWords(p, 16))
		mask &= z.pass(&old, rule)
		simd.Put(masks, b, mask)
		if write == 0 || mask == 0 {
			continue
		}
		for k := range z {
			z[k] = z[k].IfElse(simd.FromLanes(uint32(mask>>(4*k))), old[k])
		}
		simd.StoreWords(p, 0, simd.NarrowInts(z[0], z[1]))
		simd.StoreWords(p, 16, simd.NarrowInts(z[2], z[3]))
	}
}

func testDepthD24S8Vector(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int) {
	const stencil = -1 << 24
	for b := range n {
		mask, p := simd.Get(masks, b), simd.At(buffer, 4*int(simd.Get(index, b)))
		if mask == 0 {
			continue
		}
		var z, old, whole blockInts
		z.quantized(depth, b, 1<<24-1)
		for k := range old {
			whole[k] = simd.LoadIntBytes(p, 16*k)
			old[k] = whole[k].AndNot(simd.Int(stencil))
		}
		mask &= z.pass(&old, rule)
		simd.Put(masks, b, mask)
		if write == 0 || mask == 0 {
			continue
		}
		for k := range z {
			x := z[k].Or(whole[k].And(simd.Int(stencil)))
			simd.StoreIntBytes(p, 16*k, x.IfElse(simd.FromLanes(uint32(mask>>(4*k))), whole[k]))
		}
	}
}

// from24 and to24 are where the bytes of four depths of 24 bits go.
var (
	from24     = simd.Order{0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1}
	from24Last = simd.Order{4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1}
)

func testDepthD24Vector(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int) {
	for b := range n {
		mask, p := simd.Get(masks, b), simd.At(buffer, 3*int(simd.Get(index, b)))
		if mask == 0 {
			continue
		}
		var z, old blockInts
		z.quantized(depth, b, 1<<24-1)
		for k := range old[:3] {
			old[k] = simd.Shuffle(simd.LoadBytes(p, 12*k), &from24).ReshapeToUint32s().BitsToInt32()
		}
		old[3] = simd.Shuffle(simd.LoadBytes(p, 32), &from24Last).ReshapeToUint32s().BitsToInt32() // nothing behind the block is read
		mask &= z.pass(&old, rule)
		simd.Put(masks, b, mask)
		if write == 0 {
			continue
		}
		var words [BlockPixels]uint32
		for k := range z {
			simd.StoreDwords(&words[0], 4*k, z[k].ToBits())
		}
		for i, d := range words {
			if mask>>i&1 != 0 {
				simd.PutAs(p, 3*i, uint16(d))
				simd.Put(p, 3*i+2, uint8(d>>16))
			}
		}
	}
}

func loadRGBA8Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		if simd.Get(masks, b) == 0 {
			continue
		}
		p := simd.At(buffer, 4*int(simd.Get(index, b)))
		for i := BlockPixels * b; i < BlockPixels*(b+1); i += 4 {
			x := simd.Shuffle(simd.LoadBytes(p, 4*(i-BlockPixels*b)), &simd.Planes).ReshapeToUint32s()
			simd.PutAs(alpha, i, x.GetElem(0))
			simd.PutAs(blue, i, x.GetElem(1))
			simd.PutAs(green, i, x.GetElem(2))
			simd.PutAs(red, i, x.GetElem(3))
		}
	}
}

func storeRGBA8Vector(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int) {
	for b := range n {
		mask := uint32(simd.Get(masks, b))
		if mask == 0 {
			continue
		}
		p := simd.At(buffer, 4*int(simd.Get(index, b)))
		for k := range quadsOfBlock {
			i := BlockPixels*b + 4*k
			x := simd.Dword(simd.GetAs[uint32](alpha, i)).SetElem(1, simd.GetAs[uint32](blue, i)).
				SetElem(2, simd.GetAs[uint32](green, i)).SetElem(3, simd.GetAs[uint32](red, i))
			// Planes is its own inverse: four times four bytes, rows for columns.
			pixels := simd.Shuffle(x.ReshapeToUint8s(), &simd.Planes).ReshapeToUint32s().BitsToInt32()
			if lanes := mask >> (4 * k) & 15; lanes != 15 {
				pixels = pixels.IfElse(simd.FromLanes(lanes), simd.LoadIntBytes(p, 16*k))
			}
			simd.StoreIntBytes(p, 16*k, pixels)
		}
	}
}
