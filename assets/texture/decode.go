package texture

import "pica200/pica"

// decodeTile decodes the 64 texels of a tile in memory order. It is a switch
// and not a table of functions so that the caller's tile stays on its stack.
func decodeTile(dst *[64]uint32, src []byte, f Format) {
	if c, ok := f.Color(); ok {
		c.Decode(dst[:], src)
		return
	}
	switch f {
	case pica.TextureFormatIA8:
		decodeIA8(dst, src)
	case pica.TextureFormatRG8:
		decodeRG8(dst, src)
	case pica.TextureFormatI8:
		decodeI8(dst, src)
	case pica.TextureFormatA8:
		decodeA8(dst, src)
	case pica.TextureFormatIA4:
		decodeIA4(dst, src)
	case pica.TextureFormatI4:
		decodeI4(dst, src)
	case pica.TextureFormatA4:
		decodeA4(dst, src)
	case pica.TextureFormatETC1:
		decodeETC1(dst, src)
	case pica.TextureFormatETC1A4:
		decodeETC1A4(dst, src)
	}
}

// Narrow channels are widened as those of colour buffers: pica/pixel.go.

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
