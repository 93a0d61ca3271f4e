package texture

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/pica/pixels"
	"sync"
)

// tilesAtOnce is the number of tiles that are decoded before they are copied to
// rows; they fit the first-level cache.
const tilesAtOnce = 16

// tileTexels are decoded tiles in the order of memory.
type tileTexels [tilesAtOnce * pica.TilePixels]uint32

// scratch reuses tileTexels between decodings: they would be allocated each
// time, because kernels are called through a table.
var scratch = sync.Pool{New: func() any { return new(tileTexels) }}

// decodeStrip decodes a row of tiles to eight rows of w texels. The last of
// these rows is the first row of the tiles.
func decodeStrip(with simd.Kernels, strip []uint32, src []byte, f Format, w int, texels *tileTexels) {
	l := &layouts[f]
	first, step, tiles := 7*w, -w, w/MinSize
	if l.rows != nil && with.Vector() {
		_ = strip[8*w-1]
		_ = src[Size(f, w, MinSize)-1]
		l.rows(&strip[first], 4*step, &src[0], tiles)
		return
	}
	tileBytes := Size(f, MinSize, MinSize)
	for tiles > 0 {
		n := min(tiles, tilesAtOnce)
		part := src[:n*tileBytes]
		if c, ok := f.Color(); ok {
			pixels.DecodeTiles(with, c, strip, first, step, part, n, texels[:])
		} else {
			l.decodeTiles(with, texels[:n*pica.TilePixels], part)
			pixels.Untile(with, strip, first, step, texels[:], n)
		}
		first, tiles, src = first+n*MinSize, tiles-n, src[n*tileBytes:]
	}
}

// decodeTiles decodes whole tiles in memory order, for formats that colour
// buffers do not have.
func (l *layout) decodeTiles(with simd.Kernels, dst []uint32, src []byte) {
	size := pica.TilePixels * int(l.bits) / 8
	if l.twin != nil && with.Vector() {
		_ = src[len(dst)/pica.TilePixels*size-1]
		l.twin(&dst[0], &src[0], len(dst))
		return
	}
	for ; len(dst) > 0; dst, src = dst[pica.TilePixels:], src[size:] {
		l.decode((*[pica.TilePixels]uint32)(dst), src[:size])
	}
}

// Narrow channels are widened as for colour buffers, see pica/pixel.go.

func widen4(v uint32) uint32 { return v * 0x11 }
func widen5(v uint32) uint32 { return v<<3 | v>>2 }

const opaque = 0xFF000000

// In memory: A, I.
func decodeIA8(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range dst {
		dst[i] = uint32(s[2*i])<<24 | uint32(s[2*i+1])*0x010101
	}
}

// In memory: G, R. Blue reads as 0.
func decodeRG8(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range dst {
		dst[i] = opaque | uint32(s[2*i])<<8 | uint32(s[2*i+1])
	}
}

func decodeI8(dst *[64]uint32, src []byte) {
	s := (*[64]byte)(src)
	for i := range dst {
		dst[i] = opaque | uint32(s[i])*0x010101
	}
}

// Colour reads as black.
func decodeA8(dst *[64]uint32, src []byte) {
	s := (*[64]byte)(src)
	for i := range dst {
		dst[i] = uint32(s[i]) << 24
	}
}

// From the highest bit: 4 I, 4 A.
func decodeIA4(dst *[64]uint32, src []byte) {
	s := (*[64]byte)(src)
	for i := range dst {
		v := uint32(s[i])
		dst[i] = widen4(v&15)<<24 | (v>>4)*0x111111
	}
}

// The first texel of a pair is in the low half of the byte.
func decodeI4(dst *[64]uint32, src []byte) {
	s := (*[32]byte)(src)
	for i, b := range s {
		v := uint32(b)
		dst[2*i] = opaque | (v&15)*0x111111
		dst[2*i+1] = opaque | (v>>4)*0x111111
	}
}

func decodeA4(dst *[64]uint32, src []byte) {
	s := (*[32]byte)(src)
	for i, b := range s {
		v := uint32(b)
		dst[2*i] = widen4(v&15) << 24
		dst[2*i+1] = widen4(v>>4) << 24
	}
}
