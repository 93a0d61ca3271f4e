package raster

import (
	"encoding/binary"

	"pica200/internal/simd"
	"pica200/pica"
)

// Channel is one 8-bit channel of a block's pixels.
type Channel = [BlockPixels]uint8

// Planes are the channels of the pixels of a batch: R, G, B, A.
type Planes = [4]*[Lanes]uint8

// LoadColor reads the colours of the block whose first pixel has the given
// index. The layouts and how narrow
// channels are widened: pica/pixel.go.
func (t *Target) LoadColor(index int, r, g, b, a *Channel) {
	if simd.Vectors && t.Kernels.Vector() {
		at, whole := int32(index), uint16(0xFFFF)
		t.loadVector(&at, &whole, &r[0], &g[0], &b[0], &a[0], 1, index+BlockPixels)
		return
	}
	switch t.ColorFormat {
	case pica.ColorFormatRGBA8:
		p := t.Color[index*4:][:64:64]
		for i := range r {
			v := binary.LittleEndian.Uint32(p[i*4:])
			a[i], b[i], g[i], r[i] = uint8(v), uint8(v>>8), uint8(v>>16), uint8(v>>24)
		}
	case pica.ColorFormatRGB8:
		p := t.Color[index*3:][:48:48]
		for i := range r {
			b[i], g[i], r[i], a[i] = p[i*3], p[i*3+1], p[i*3+2], 255
		}
	case pica.ColorFormatRGB5A1, pica.ColorFormatRGB565, pica.ColorFormatRGBA4:
		p := t.Color[index*2:][:32:32]
		t.ColorFormat.LoadPlanes(p, r, g, b, a)
	}
}

// LoadColors is LoadColor for the positions from to to-1 whose mask is not 0.
func (t *Target) LoadColors(at *BlockIndices, masks *[BatchBlocks]uint16, from, to int, c *Planes) {
	if simd.Vectors && t.Kernels.Vector() {
		first := from * BlockPixels
		t.loadVector(&at.index[from], &masks[from], &c[0][first], &c[1][first], &c[2][first], &c[3][first], to-from, at.end)
		return
	}
	for i := from; i < to; i++ {
		if masks[i] != 0 {
			t.LoadColor(int(at.index[i]), blockOf(c[0], i), blockOf(c[1], i), blockOf(c[2], i), blockOf(c[3], i))
		}
	}
}

// StoreColor writes the colours of the pixels in mask. Channels are narrowed
// by dropping low bits.
func (t *Target) StoreColor(index int, mask uint16, r, g, b, a *Channel) {
	if simd.Vectors && t.Kernels.Vector() {
		at := int32(index)
		t.storeVector(&at, &mask, &r[0], &g[0], &b[0], &a[0], 1, index+BlockPixels)
		return
	}
	switch t.ColorFormat {
	case pica.ColorFormatRGBA8:
		p := t.Color[index*4:][:64:64]
		for i := range r {
			if mask>>i&1 != 0 {
				binary.LittleEndian.PutUint32(p[i*4:], uint32(r[i])<<24|uint32(g[i])<<16|uint32(b[i])<<8|uint32(a[i]))
			}
		}
	case pica.ColorFormatRGB8:
		p := t.Color[index*3:][:48:48]
		for i := range r {
			if mask>>i&1 != 0 {
				p[i*3], p[i*3+1], p[i*3+2] = b[i], g[i], r[i]
			}
		}
	case pica.ColorFormatRGB5A1, pica.ColorFormatRGB565, pica.ColorFormatRGBA4:
		p := t.Color[index*2:][:32:32]
		t.ColorFormat.StorePlanes(p, mask, r, g, b, a)
	}
}

// StoreColors is StoreColor for the positions from to to-1.
func (t *Target) StoreColors(at *BlockIndices, masks *[BatchBlocks]uint16, from, to int, c *Planes) {
	if simd.Vectors && t.Kernels.Vector() {
		first := from * BlockPixels
		t.storeVector(&at.index[from], &masks[from], &c[0][first], &c[1][first], &c[2][first], &c[3][first], to-from, at.end)
		return
	}
	for i := from; i < to; i++ {
		if masks[i] != 0 {
			t.StoreColor(int(at.index[i]), masks[i], blockOf(c[0], i), blockOf(c[1], i), blockOf(c[2], i), blockOf(c[3], i))
		}
	}
}

// loadVector is LoadColors with the AVX2 kernels, for n blocks of pixels below
// end.
func (t *Target) loadVector(index *int32, masks *uint16, r, g, b, a *uint8, n, end int) {
	p := t.Color[:end*t.ColorFormat.Bytes()]
	switch t.ColorFormat {
	case pica.ColorFormatRGBA8:
		loadRGBA8Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGB8:
		loadRGB8Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGB5A1:
		loadRGB5A1Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGB565:
		loadRGB565Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGBA4:
		loadRGBA4Vector(&p[0], index, masks, r, g, b, a, n)
	}
}

// storeVector is StoreColors with the AVX2 kernels, for n blocks of pixels
// below end.
func (t *Target) storeVector(index *int32, masks *uint16, r, g, b, a *uint8, n, end int) {
	p := t.Color[:end*t.ColorFormat.Bytes()]
	switch t.ColorFormat {
	case pica.ColorFormatRGBA8:
		storeRGBA8Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGB8:
		storeRGB8Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGB5A1:
		storeRGB5A1Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGB565:
		storeRGB565Vector(&p[0], index, masks, r, g, b, a, n)
	case pica.ColorFormatRGBA4:
		storeRGBA4Vector(&p[0], index, masks, r, g, b, a, n)
	}
}

// blockOf returns the part of a plane that belongs to block i.
func blockOf(p *[Lanes]uint8, i int) *Channel { return (*Channel)(p[i*BlockPixels:]) }

// LoadStencil reads the stencil bytes of a block of a D24S8 buffer.
func (t *Target) LoadStencil(index int, dst *Channel) {
	p := t.Depth[index*4:][:64:64]
	if simd.Vectors && t.Kernels.Vector() {
		loadStencilVector(&p[0], &dst[0])
		return
	}
	for i := range dst {
		dst[i] = p[i*4+3]
	}
}

// StoreStencil writes the stencil bytes of the pixels in mask.
func (t *Target) StoreStencil(index int, mask uint16, src *Channel) {
	p := t.Depth[index*4:][:64:64]
	if simd.Vectors && t.Kernels.Vector() {
		storeStencilVector(&p[0], &src[0], uint32(mask))
		return
	}
	for i, s := range src {
		if mask>>i&1 != 0 {
			p[i*4+3] = s
		}
	}
}
