package texture

import "encoding/binary"

// A channel of fewer than 8 bits is widened by repeating its bits from the
// top, so that the least value is 0 and the greatest 255. This is what the
// sources agree on (citra, azahar, Panda3DS; tex3ds's encoder inverts it).

func widen4(v uint32) uint32 { return v * 0x11 }
func widen5(v uint32) uint32 { return v<<3 | v>>2 }
func widen6(v uint32) uint32 { return v<<2 | v>>4 }

const opaque = 0xFF000000

// In memory: A, B, G, R.
func decodeRGBA8(dst *[64]uint32, src []byte) {
	s := (*[256]byte)(src)
	for i := range dst {
		dst[i] = binary.BigEndian.Uint32(s[4*i : 4*i+4])
	}
}

// In memory: B, G, R.
func decodeRGB8(dst *[64]uint32, src []byte) {
	s := (*[192]byte)(src)
	for i := range dst {
		dst[i] = opaque | uint32(s[3*i])<<16 | uint32(s[3*i+1])<<8 | uint32(s[3*i+2])
	}
}

// From the highest bit: 5 R, 5 G, 5 B, 1 A.
func decodeRGB5A1(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range dst {
		v := uint32(binary.LittleEndian.Uint16(s[2*i : 2*i+2]))
		dst[i] = widen5(v>>11) | widen5(v>>6&31)<<8 | widen5(v>>1&31)<<16 | -(v&1)&opaque
	}
}

// From the highest bit: 5 R, 6 G, 5 B.
func decodeRGB565(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range dst {
		v := uint32(binary.LittleEndian.Uint16(s[2*i : 2*i+2]))
		dst[i] = opaque | widen5(v>>11) | widen6(v>>5&63)<<8 | widen5(v&31)<<16
	}
}

// From the highest bit: 4 R, 4 G, 4 B, 4 A.
func decodeRGBA4(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range dst {
		v := uint32(binary.LittleEndian.Uint16(s[2*i : 2*i+2]))
		dst[i] = (v>>12 | v&0xF00 | v<<12&0xF0000 | v<<24&0xF000000) * 0x11
	}
}

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
