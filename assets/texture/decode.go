package texture

import "encoding/binary"

// A channel of fewer than 8 bits is widened by repeating its bits from the
// top, so that the least value is 0 and the greatest 255. This is what the
// sources agree on (citra, azahar, Panda3DS; tex3ds's encoder inverts it).

func widen4(v uint32) uint32 { return v * 0x11 }
func widen5(v uint32) uint32 { return v<<3 | v>>2 }

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

// The 16-bit formats are decoded two texels at a time, one in each half of a
// 64-bit word; both is a mask for one texel, repeated for the other.

const both = 1<<32 | 1

// pair reads texels 2i and 2i+1 of a tile.
func pair(s *[128]byte, i int) uint64 {
	v := uint64(binary.LittleEndian.Uint32(s[4*i : 4*i+4]))
	return v&0xFFFF | v>>16<<32
}

// From the highest bit: 5 R, 5 G, 5 B, 1 A.
func decodeRGB5A1(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range 32 {
		v := pair(s, i)
		r, g, b := v>>11&(31*both), v>>6&(31*both), v>>1&(31*both)
		out := r<<3 | r>>2&(7*both) | (g<<3|g>>2&(7*both))<<8 | (b<<3|b>>2&(7*both))<<16 | v&both*255<<24
		dst[2*i], dst[2*i+1] = uint32(out), uint32(out>>32)
	}
}

// From the highest bit: 5 R, 6 G, 5 B.
func decodeRGB565(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range 32 {
		v := pair(s, i)
		r, g, b := v>>11&(31*both), v>>5&(63*both), v&(31*both)
		out := opaque*both | r<<3 | r>>2&(7*both) | (g<<2|g>>4&(3*both))<<8 | (b<<3|b>>2&(7*both))<<16
		dst[2*i], dst[2*i+1] = uint32(out), uint32(out>>32)
	}
}

// From the highest bit: 4 R, 4 G, 4 B, 4 A.
func decodeRGBA4(dst *[64]uint32, src []byte) {
	s := (*[128]byte)(src)
	for i := range 32 {
		v := pair(s, i)
		v = v>>12&(15*both) | v&(0xF00*both) | v<<12&(0xF0000*both) | v<<24&(0xF000000*both)
		v |= v << 4
		dst[2*i], dst[2*i+1] = uint32(v), uint32(v>>32)
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
