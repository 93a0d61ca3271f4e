package raster

import (
	"encoding/binary"

	"pica200/pica"
)

// Channel is one 8-bit channel of a block's pixels.
type Channel = [BlockPixels]uint8

// LoadColor reads the colours of the block whose first pixel has the given
// index. The layouts and how narrow
// channels are widened: pica/pixel.go.
func (t *Target) LoadColor(index int, r, g, b, a *Channel) {
	switch t.ColorFormat {
	case pica.ColorFormatRGBA8:
		p := t.Color[index*4:][:64:64]
		if t.Kernels.AVX2() {
			loadRGBA8AVX2(&p[0], &r[0], &g[0], &b[0], &a[0])
			return
		}
		for i := range r {
			v := binary.LittleEndian.Uint32(p[i*4:])
			a[i], b[i], g[i], r[i] = uint8(v), uint8(v>>8), uint8(v>>16), uint8(v>>24)
		}
	case pica.ColorFormatRGB8:
		p := t.Color[index*3:][:48:48]
		if t.Kernels.AVX2() {
			loadRGB8AVX2(&p[0], &r[0], &g[0], &b[0], &a[0])
			return
		}
		for i := range r {
			b[i], g[i], r[i], a[i] = p[i*3], p[i*3+1], p[i*3+2], 255
		}
	case pica.ColorFormatRGB5A1, pica.ColorFormatRGB565, pica.ColorFormatRGBA4:
		p := t.Color[index*2:][:32:32]
		if t.Kernels.AVX2() {
			load16AVX2(t.ColorFormat, &p[0], &r[0], &g[0], &b[0], &a[0])
			return
		}
		t.ColorFormat.LoadPlanes(p, r, g, b, a)
	}
}

// StoreColor writes the colours of the pixels in mask. Channels are narrowed
// by dropping low bits.
func (t *Target) StoreColor(index int, mask uint16, r, g, b, a *Channel) {
	switch t.ColorFormat {
	case pica.ColorFormatRGBA8:
		p := t.Color[index*4:][:64:64]
		if t.Kernels.AVX2() {
			storeRGBA8AVX2(&p[0], &r[0], &g[0], &b[0], &a[0], uint32(mask))
			return
		}
		for i := range r {
			if mask>>i&1 != 0 {
				binary.LittleEndian.PutUint32(p[i*4:], uint32(r[i])<<24|uint32(g[i])<<16|uint32(b[i])<<8|uint32(a[i]))
			}
		}
	case pica.ColorFormatRGB8:
		p := t.Color[index*3:][:48:48]
		if t.Kernels.AVX2() {
			storeRGB8AVX2(&p[0], &r[0], &g[0], &b[0], &a[0], uint32(mask))
			return
		}
		for i := range r {
			if mask>>i&1 != 0 {
				p[i*3], p[i*3+1], p[i*3+2] = b[i], g[i], r[i]
			}
		}
	case pica.ColorFormatRGB5A1, pica.ColorFormatRGB565, pica.ColorFormatRGBA4:
		p := t.Color[index*2:][:32:32]
		if t.Kernels.AVX2() {
			store16AVX2(t.ColorFormat, &p[0], &r[0], &g[0], &b[0], &a[0], uint32(mask))
			return
		}
		t.ColorFormat.StorePlanes(p, mask, r, g, b, a)
	}
}

// load16AVX2 is LoadPlanes by the AVX2 kernels.
func load16AVX2(f pica.ColorFormat, p, r, g, b, a *uint8) {
	switch f {
	case pica.ColorFormatRGB5A1:
		loadRGB5A1AVX2(p, r, g, b, a)
	case pica.ColorFormatRGB565:
		loadRGB565AVX2(p, r, g, b, a)
	default:
		loadRGBA4AVX2(p, r, g, b, a)
	}
}

// store16AVX2 is StorePlanes by the AVX2 kernels.
func store16AVX2(f pica.ColorFormat, p, r, g, b, a *uint8, mask uint32) {
	switch f {
	case pica.ColorFormatRGB5A1:
		storeRGB5A1AVX2(p, r, g, b, a, mask)
	case pica.ColorFormatRGB565:
		storeRGB565AVX2(p, r, g, b, a, mask)
	default:
		storeRGBA4AVX2(p, r, g, b, a, mask)
	}
}

// LoadStencil reads the stencil bytes of a block of a D24S8 buffer.
func (t *Target) LoadStencil(index int, dst *Channel) {
	p := t.Depth[index*4:][:64:64]
	if t.Kernels.AVX2() {
		loadStencilAVX2(&p[0], &dst[0])
		return
	}
	for i := range dst {
		dst[i] = p[i*4+3]
	}
}

// StoreStencil writes the stencil bytes of the pixels in mask.
func (t *Target) StoreStencil(index int, mask uint16, src *Channel) {
	p := t.Depth[index*4:][:64:64]
	if t.Kernels.AVX2() {
		storeStencilAVX2(&p[0], &src[0], uint32(mask))
		return
	}
	for i, s := range src {
		if mask>>i&1 != 0 {
			p[i*4+3] = s
		}
	}
}
