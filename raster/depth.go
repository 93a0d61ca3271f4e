package raster

import (
	"encoding/binary"

	"pica200/internal/simd"
	"pica200/pica"
)

// LoadDepth reads the depths of the block whose first pixel has the given
// index, without the stencil byte of D24S8.
func (t *Target) LoadDepth(index int, dst *[BlockPixels]uint32) {
	vector := t.Kernels.Vector()
	switch t.DepthFormat {
	case pica.DepthFormatD16:
		p := t.Depth[index*2:][:32:32]
		if simd.Vectors && vector {
			loadDepthD16Vector(&p[0], &dst[0])
			return
		}
		for i := range dst {
			dst[i] = uint32(binary.LittleEndian.Uint16(p[i*2:]))
		}
	case pica.DepthFormatD24:
		p := t.Depth[index*3:][:48:48]
		if simd.Vectors && vector {
			loadDepthD24Vector(&p[0], &dst[0])
			return
		}
		for i := range dst {
			dst[i] = uint32(p[i*3]) | uint32(p[i*3+1])<<8 | uint32(p[i*3+2])<<16
		}
	default:
		p := t.Depth[index*4:][:64:64]
		if simd.Vectors && vector {
			loadDepthD24S8Vector(&p[0], &dst[0])
			return
		}
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(p[i*4:]) & 0xFFFFFF
		}
	}
}

// TestDepth returns the pixels of the block for which "depth f buffer" holds.
func (t *Target) TestDepth(index int, depth *[BlockPixels]float32, f pica.CompareFunc) uint16 {
	if simd.Vectors && t.Kernels.Vector() {
		return t.testDepthVector(index, 0xFFFF, depth, f, false)
	}
	var z, old [BlockPixels]uint32
	QuantizeDepth(depth, float32(t.DepthFormat.Max()), &z)
	t.LoadDepth(index, &old)
	return decide(f, less(&z, &old), equal(&z, &old))
}

// TestAndWriteDepth returns the pixels of mask that pass TestDepth, and writes
// their depths.
func (t *Target) TestAndWriteDepth(index int, mask uint16, depth *[BlockPixels]float32, f pica.CompareFunc) uint16 {
	if simd.Vectors && t.Kernels.Vector() {
		return t.testDepthVector(index, mask, depth, f, true)
	}
	if f != pica.CompareAlways {
		mask &= t.TestDepth(index, depth, f)
	}
	if mask != 0 {
		t.WriteDepth(index, mask, depth)
	}
	return mask
}

// testDepthVector is TestDepth, and with write TestAndWriteDepth, with the AVX2
// kernels.
func (t *Target) testDepthVector(index int, mask uint16, depth *[BlockPixels]float32, f pica.CompareFunc, write bool) uint16 {
	at := int32(index)
	t.testDepths(&at, &mask, &depth[0], 1, index+BlockPixels, f, write)
	return mask
}

// TestDepths reduces the masks of the positions from to to-1 to the pixels that
// pass TestDepth, and with write writes their depths.
func (t *Target) TestDepths(at *BlockIndices, masks *[BatchBlocks]uint16, from, to int, depth *Plane, f pica.CompareFunc, write bool) {
	if simd.Vectors && t.Kernels.Vector() {
		t.testDepths(&at.index[from], &masks[from], &depth[from*BlockPixels], to-from, at.end, f, write)
		return
	}
	for i := from; i < to; i++ {
		if masks[i] == 0 {
			continue
		}
		index, d := int(at.index[i]), (*[BlockPixels]float32)(depth[i*BlockPixels:])
		if write {
			masks[i] = t.TestAndWriteDepth(index, masks[i], d, f)
		} else {
			masks[i] &= t.TestDepth(index, d, f)
		}
	}
}

// testDepths is TestDepths with the AVX2 kernels, for n blocks of pixels below
// end.
func (t *Target) testDepths(index *int32, masks *uint16, depth *float32, n, end int, f pica.CompareFunc, write bool) {
	rule, mode := &compareRules[f&7].less, uint32(0)
	if write {
		mode = all
	}
	p := t.Depth[:end*t.DepthFormat.Bytes()]
	switch t.DepthFormat {
	case pica.DepthFormatD16:
		testDepthD16Vector(depth, &p[0], index, masks, rule, mode, n)
	case pica.DepthFormatD24:
		testDepthD24Vector(depth, &p[0], index, masks, rule, mode, n)
	default:
		testDepthD24S8Vector(depth, &p[0], index, masks, rule, mode, n)
	}
}

// TestDepthZero is TestDepth against zeros, which a depth buffer reads as while
// GPUREG_DEPTHBUFFER_READ forbids reading.
func (t *Target) TestDepthZero(depth *[BlockPixels]float32, f pica.CompareFunc) uint16 {
	var z, zero [BlockPixels]uint32
	QuantizeDepth(depth, float32(t.DepthFormat.Max()), &z)
	return Compare(f, &z, &zero)
}

// WriteDepth writes the depths of the pixels in mask.
func (t *Target) WriteDepth(index int, mask uint16, depth *[BlockPixels]float32) {
	if simd.Vectors && t.Kernels.Vector() {
		t.testDepthVector(index, mask, depth, pica.CompareAlways, true)
		return
	}
	var z [BlockPixels]uint32
	QuantizeDepth(depth, float32(t.DepthFormat.Max()), &z)
	t.storeDepth(index, mask, &z)
}

// storeDepth writes depths that are already integers.
func (t *Target) storeDepth(index int, mask uint16, src *[BlockPixels]uint32) {
	switch t.DepthFormat {
	case pica.DepthFormatD16:
		p := t.Depth[index*2:][:32:32]
		for i, d := range src {
			if mask>>i&1 != 0 {
				binary.LittleEndian.PutUint16(p[i*2:], uint16(d))
			}
		}
	case pica.DepthFormatD24:
		p := t.Depth[index*3:][:48:48]
		for i, d := range src {
			if mask>>i&1 != 0 {
				p[i*3], p[i*3+1], p[i*3+2] = byte(d), byte(d>>8), byte(d>>16)
			}
		}
	default:
		p := t.Depth[index*4:][:64:64]
		for i, d := range src {
			if mask>>i&1 != 0 {
				q := p[i*4 : i*4+4 : i*4+4]
				binary.LittleEndian.PutUint32(q, uint32(q[3])<<24|d&0xFFFFFF)
			}
		}
	}
}

// QuantizeDepth converts depths 0 to 1 to the format's integers:
// DepthFormat.Max times depth in float32, truncated. Other implementations
// truncate too (docs/accuracy/raster.md, "depth, stored").
func QuantizeDepth(src *[BlockPixels]float32, top float32, dst *[BlockPixels]uint32) {
	for i, d := range src {
		dst[i] = uint32(int32(float32(d * top)))
	}
}
