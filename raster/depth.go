package raster

import (
	"encoding/binary"

	"pica200/pica"
)

// LoadDepth reads the depths of the block whose first pixel has the given
// index. The stencil byte of D24S8 is left out.
func (t *Target) LoadDepth(index int, dst *[BlockPixels]uint32) {
	switch t.DepthFormat {
	case pica.DepthFormatD16:
		p := t.Depth[index*2:][:32:32]
		for i := range dst {
			dst[i] = uint32(binary.LittleEndian.Uint16(p[i*2:]))
		}
	case pica.DepthFormatD24:
		p := t.Depth[index*3:][:48:48]
		for i := range dst {
			dst[i] = uint32(p[i*3]) | uint32(p[i*3+1])<<8 | uint32(p[i*3+2])<<16
		}
	default:
		p := t.Depth[index*4:][:64:64]
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(p[i*4:]) & 0xFFFFFF
		}
	}
}

// TestDepth gives the pixels of the block whose depth stands in the relation f
// to the buffer's.
func (t *Target) TestDepth(index int, depth *[BlockPixels]float32, f pica.CompareFunc) uint16 {
	if t.Kernels.AVX2() && t.DepthFormat == pica.DepthFormatD24S8 {
		p := t.Depth[index*4:][:64:64]
		m := compareDepthAVX2(&depth[0], &p[0])
		return decide(f, uint16(m), uint16(m>>16))
	}
	var z, old [BlockPixels]uint32
	QuantizeDepth(depth, float32(t.DepthFormat.Max()), &z)
	t.LoadDepth(index, &old)
	return decide(f, less(&z, &old), equal(&z, &old))
}

// TestDepthZero is TestDepth against a buffer of zeros, which is what a depth
// buffer reads as while GPUREG_DEPTHBUFFER_READ forbids it.
func (t *Target) TestDepthZero(depth *[BlockPixels]float32, f pica.CompareFunc) uint16 {
	var z, zero [BlockPixels]uint32
	QuantizeDepth(depth, float32(t.DepthFormat.Max()), &z)
	return Compare(f, &z, &zero)
}

// WriteDepth writes the depths of the pixels in mask.
func (t *Target) WriteDepth(index int, mask uint16, depth *[BlockPixels]float32) {
	if t.Kernels.AVX2() && t.DepthFormat == pica.DepthFormatD24S8 {
		p := t.Depth[index*4:][:64:64]
		storeDepthAVX2(&depth[0], &p[0], uint32(mask))
		return
	}
	var z [BlockPixels]uint32
	QuantizeDepth(depth, float32(t.DepthFormat.Max()), &z)
	t.StoreDepth(index, mask, &z)
}

// StoreDepth writes depths that are integers already.
func (t *Target) StoreDepth(index int, mask uint16, src *[BlockPixels]uint32) {
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

// QuantizeDepth turns depths of 0 to 1 into the format's integers, dropping
// the fraction: DepthFormat.Max times depth, in float32. That the hardware truncates
// is what other implementations do (docs/accuracy/raster.md, "depth, stored").
func QuantizeDepth(src *[BlockPixels]float32, top float32, dst *[BlockPixels]uint32) {
	for i, d := range src {
		dst[i] = uint32(int32(float32(d * top)))
	}
}
