//go:build goexperiment.simd && (arm64 || wasm)

package raster

import (
	"unsafe"

	"pica200/internal/simd"
)

// quantized is QuantizeDepth.
func (v floats) quantized(top float32) ints {
	v = v.times(simd.Float(top))
	return ints{v.a.ConvertToInt32(), v.b.ConvertToInt32(), v.c.ConvertToInt32(), v.d.ConvertToInt32()}
}

// pass returns the pixels that pass the comparison with old by rule, a row of
// compareRules.
func (v ints) pass(old ints, rule *uint32) uint32 {
	isLess, isEqual := simd.Get(rule, 0), simd.Get(rule, 1)
	less := simd.BlockLanes(old.a.Greater(v.a), old.b.Greater(v.b), old.c.Greater(v.c), old.d.Greater(v.d))
	equal := simd.BlockLanes(v.a.Equal(old.a), v.b.Equal(old.b), v.c.Equal(old.c), v.d.Equal(old.d))
	return (less&isLess | equal&isEqual) ^ simd.Get(rule, 2)
}

// ifElse returns v in the lanes of mask, and old elsewhere.
func (v ints) ifElse(mask uint32, old ints) ints {
	a, b, c, d := simd.FromBlockLanes(mask)
	return ints{simd.ChooseInts(a, v.a, old.a), simd.ChooseInts(b, v.b, old.b), simd.ChooseInts(c, v.c, old.c), simd.ChooseInts(d, v.d, old.d)}
}

func (v ints) store(p *byte) {
	q := (*[4][4]int32)(unsafe.Pointer(p))
	v.a.StoreArray(&q[0])
	v.b.StoreArray(&q[1])
	v.c.StoreArray(&q[2])
	v.d.StoreArray(&q[3])
}

// loadBlock reads 16 floats, loadWhole 16 integers.
func loadBlock(p *float32, i int) floats {
	q := (*[4][4]float32)(unsafe.Pointer(simd.At(p, i)))
	return floats{simd.FourFloats(&q[0]), simd.FourFloats(&q[1]), simd.FourFloats(&q[2]), simd.FourFloats(&q[3])}
}

func loadWhole(p *byte) ints {
	q := (*[4][4]int32)(unsafe.Pointer(p))
	return ints{simd.FourInts(&q[0]), simd.FourInts(&q[1]), simd.FourInts(&q[2]), simd.FourInts(&q[3])}
}

func (v ints) low24() ints {
	m := simd.Int(1<<24 - 1)
	return ints{v.a.And(m), v.b.And(m), v.c.And(m), v.d.And(m)}
}

// loadD16 and loadD24 read a block of depths.
func loadD16(p *byte) (v ints) {
	v.a, v.b = simd.WidenWords(simd.LoadWords(p, 0))
	v.c, v.d = simd.WidenWords(simd.LoadWords(p, 16))
	return v
}

func loadD24(p *byte) ints {
	return ints{spread24(p, 0, &from24), spread24(p, 12, &from24), spread24(p, 24, &from24),
		spread24(p, 32, &from24Last)} // no read past the block
}

func spread24(p *byte, i int, o *simd.Order) simd.Ints {
	return simd.Shuffle(simd.LoadBytes(p, i), o).ReshapeToUint32s().BitsToInt32()
}

// raised shifts the low three bytes up by one byte.
func (v ints) raised() ints {
	return ints{v.a.ShiftAllLeft(8), v.b.ShiftAllLeft(8), v.c.ShiftAllLeft(8), v.d.ShiftAllLeft(8)}
}

// storeHigh24 writes the upper three bytes of each.
func (v ints) storeHigh24(p *byte) {
	a, b, c, d := v.a.ToBits().ReshapeToUint8s(), v.b.ToBits().ReshapeToUint8s(), v.c.ToBits().ReshapeToUint8s(), v.d.ToBits().ReshapeToUint8s()
	simd.StoreBytes(p, 0, simd.Shuffle(a, &high24[0]).Or(simd.Shuffle(b, &high24[1])))
	simd.StoreBytes(p, 16, simd.Shuffle(b, &high24[2]).Or(simd.Shuffle(c, &high24[3])))
	simd.StoreBytes(p, 32, simd.Shuffle(c, &high24[4]).Or(simd.Shuffle(d, &high24[5])))
}

func loadDepthD16Vector(p *byte, dst *uint32)   { loadD16(p).store(simd.As[byte](dst)) }
func loadDepthD24Vector(p *byte, dst *uint32)   { loadD24(p).store(simd.As[byte](dst)) }
func loadDepthD24S8Vector(p *byte, dst *uint32) { loadWhole(p).low24().store(simd.As[byte](dst)) }

// testEarly returns the pixels of a block that pass the depth test. p is the
// block in a buffer whose depths have the given number of bytes.
func testEarly(depth *float32, p *byte, bytes int, rule *uint32) uint32 {
	z := loadBlock(depth, 0)
	switch bytes {
	case 2:
		return z.quantized(1<<16-1).pass(loadD16(p), rule)
	case 3:
		return z.quantized(1<<24-1).pass(loadD24(p), rule)
	}
	return z.quantized(1<<24-1).pass(loadWhole(p).low24(), rule)
}

func testDepthD16Vector(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int) {
	for b := range n {
		mask, p := uint32(simd.Get(masks, b)), simd.At(buffer, 2*int(simd.Get(index, b)))
		if mask == 0 {
			continue
		}
		z, old := loadBlock(depth, BlockPixels*b).quantized(1<<16-1), loadD16(p)
		mask &= z.pass(old, rule)
		simd.Put(masks, b, uint16(mask))
		if write == 0 {
			continue
		}
		z = z.ifElse(mask, old)
		simd.StoreWords(p, 0, simd.NarrowInts(z.a, z.b))
		simd.StoreWords(p, 16, simd.NarrowInts(z.c, z.d))
	}
}

func testDepthD24S8Vector(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int) {
	for b := range n {
		mask, p := uint32(simd.Get(masks, b)), simd.At(buffer, 4*int(simd.Get(index, b)))
		if mask == 0 {
			continue
		}
		z, whole := loadBlock(depth, BlockPixels*b).quantized(1<<24-1), loadWhole(p)
		mask &= z.pass(whole.low24(), rule)
		simd.Put(masks, b, uint16(mask))
		if write == 0 {
			continue
		}
		s := simd.Int(-1 << 24) // the stencil is kept
		z = ints{z.a.Or(whole.a.And(s)), z.b.Or(whole.b.And(s)), z.c.Or(whole.c.And(s)), z.d.Or(whole.d.And(s))}
		z.ifElse(mask, whole).store(p)
	}
}

func testDepthD24Vector(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int) {
	for b := range n {
		mask, p := uint32(simd.Get(masks, b)), simd.At(buffer, 3*int(simd.Get(index, b)))
		if mask == 0 {
			continue
		}
		z, old := loadBlock(depth, BlockPixels*b).quantized(1<<24-1), loadD24(p)
		mask &= z.pass(old, rule)
		simd.Put(masks, b, uint16(mask))
		if write == 0 {
			continue
		}
		z.ifElse(mask, old).raised().storeHigh24(p)
	}
}

func loadStencilVector(p *byte, dst *uint8) {
	v := loadWhole(p)
	simd.StoreBytes(dst, 0, simd.JoinBytes(v.a.ShiftAllRight(24), v.b.ShiftAllRight(24), v.c.ShiftAllRight(24), v.d.ShiftAllRight(24)))
}

func storeStencilVector(p *byte, src *uint8, mask uint32) {
	v := loadWhole(p)
	a, b, c, d := simd.WidenInts(simd.LoadBytes(src, 0))
	old := v.low24()
	ints{old.a.Or(a.ShiftAllLeft(24)), old.b.Or(b.ShiftAllLeft(24)), old.c.Or(c.ShiftAllLeft(24)), old.d.Or(d.ShiftAllLeft(24))}.ifElse(mask, v).store(p)
}
