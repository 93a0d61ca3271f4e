package pica

import "encoding/binary"

// Fragments store colours as planes: a byte of each channel for each of the 16
// pixels of a block. The 16-bit formats are converted four pixels at a time,
// one pixel in each 16 bits of a word.

// every repeats a mask or number for each of the four pixels of a word.
const every = 1<<48 | 1<<32 | 1<<16 | 1

// widen extracts a channel of that many bits, from bit shift on, of four
// pixels, and returns a byte for each. Multiplying by repeat and shifting down
// repeats the channel's bits from the top of the byte.
func widen(pixels uint64, shift, bits uint8, repeat uint64, down uint8) uint32 {
	v := pixels >> shift & ((1<<bits - 1) * every)
	v = v * repeat >> down & (0xFF * every)
	v = (v | v>>8) & 0x0000FFFF0000FFFF
	return uint32(v | v>>16)
}

func widen4(pixels uint64, shift uint8) uint32 { return widen(pixels, shift, 4, 1<<4|1, 0) }
func widen5(pixels uint64, shift uint8) uint32 { return widen(pixels, shift, 5, 1<<5|1, 2) }

// narrow puts the upper bits of four bytes at bit shift of four pixels.
func narrow(four []byte, shift, bits uint8) uint64 {
	v := uint64(binary.LittleEndian.Uint32(four))
	v = (v | v<<16) & 0x0000FFFF0000FFFF
	v = (v | v<<8) & (0xFF * every)
	return v >> (8 - bits) & ((1<<bits - 1) * every) << shift
}

// LoadPlanes decodes the 16 pixels at src to red, green, blue and alpha. The
// format must be one of 16 bits.
func (c ColorFormat) LoadPlanes(src []byte, r, g, b, a *[16]uint8) {
	src = src[:32:32]
	switch c {
	case ColorFormatRGB5A1:
		for i := 0; i < 16; i += 4 {
			v := binary.LittleEndian.Uint64(src[2*i:])
			binary.LittleEndian.PutUint32(r[i:], widen5(v, 11))
			binary.LittleEndian.PutUint32(g[i:], widen5(v, 6))
			binary.LittleEndian.PutUint32(b[i:], widen5(v, 1))
			binary.LittleEndian.PutUint32(a[i:], widen(v, 0, 1, 0xFF, 0))
		}
	case ColorFormatRGB565:
		for i := 0; i < 16; i += 4 {
			v := binary.LittleEndian.Uint64(src[2*i:])
			binary.LittleEndian.PutUint32(r[i:], widen5(v, 11))
			binary.LittleEndian.PutUint32(g[i:], widen(v, 5, 6, 1<<6|1, 4))
			binary.LittleEndian.PutUint32(b[i:], widen5(v, 0))
			binary.LittleEndian.PutUint32(a[i:], 0xFFFFFFFF)
		}
	case ColorFormatRGBA4:
		for i := 0; i < 16; i += 4 {
			v := binary.LittleEndian.Uint64(src[2*i:])
			binary.LittleEndian.PutUint32(r[i:], widen4(v, 12))
			binary.LittleEndian.PutUint32(g[i:], widen4(v, 8))
			binary.LittleEndian.PutUint32(b[i:], widen4(v, 4))
			binary.LittleEndian.PutUint32(a[i:], widen4(v, 0))
		}
	}
}

// StorePlanes encodes the pixels of mask to dst, where the pixels of a block
// lie. The format must be one of 16 bits.
func (c ColorFormat) StorePlanes(dst []byte, mask uint16, r, g, b, a *[16]uint8) {
	dst = dst[:32:32]
	for i := 0; i < 16; i += 4 {
		m := mask >> i & 15
		if m == 0 {
			continue
		}
		var v uint64
		switch c {
		case ColorFormatRGB5A1:
			v = narrow(r[i:], 11, 5) | narrow(g[i:], 6, 5) | narrow(b[i:], 1, 5) | narrow(a[i:], 0, 1)
		case ColorFormatRGB565:
			v = narrow(r[i:], 11, 5) | narrow(g[i:], 5, 6) | narrow(b[i:], 0, 5)
		case ColorFormatRGBA4:
			v = narrow(r[i:], 12, 4) | narrow(g[i:], 8, 4) | narrow(b[i:], 4, 4) | narrow(a[i:], 0, 4)
		}
		p := dst[2*i : 2*i+8 : 2*i+8]
		if m == 15 {
			binary.LittleEndian.PutUint64(p, v)
			continue
		}
		for k := range 4 {
			if m>>k&1 != 0 {
				binary.LittleEndian.PutUint16(p[2*k:], uint16(v>>(16*k)))
			}
		}
	}
}
