package texture

import (
	"encoding/binary"
	"fmt"

	"pica200/pica"
)

// Encoders encode 64 texels in memory order to a whole tile.

func encodeRGBA8(dst []byte, src *[64]uint32) { pica.ColorFormatRGBA8.Encode(dst, src[:]) }
func encodeRGB8(dst []byte, src *[64]uint32)  { pica.ColorFormatRGB8.Encode(dst, src[:]) }

// encodeColor16 rounds to the nearest colour. (The console truncates when it
// writes such pixels.)
func encodeColor16(f pica.ColorFormat) func(dst []byte, src *[64]uint32) {
	l := f.Layout()
	return encode16(func(r, g, b, a uint32) uint32 {
		return l.Pack([4]uint32{narrow(r, l.Top(0)), narrow(g, l.Top(1)), narrow(b, l.Top(2)), narrow(a, l.Top(3))})
	})
}

var (
	encodeIA8 = encode16(func(r, g, b, a uint32) uint32 { return intensity(r, g, b)<<8 | a })
	encodeRG8 = encode16(func(r, g, b, a uint32) uint32 { return r<<8 | g })
	encodeI8  = encode8(func(r, g, b, a uint32) uint32 { return intensity(r, g, b) })
	encodeA8  = encode8(func(r, g, b, a uint32) uint32 { return a })
	encodeIA4 = encode8(func(r, g, b, a uint32) uint32 { return narrow(intensity(r, g, b), 15)<<4 | narrow(a, 15) })
	encodeI4  = encode4(func(r, g, b, a uint32) uint32 { return narrow(intensity(r, g, b), 15) })
	encodeA4  = encode4(func(r, g, b, a uint32) uint32 { return narrow(a, 15) })
)

func encodeETC1(thorough bool) func(dst []byte, src *[64]uint32) {
	return func(dst []byte, src *[64]uint32) {
		for b := range 4 {
			binary.LittleEndian.PutUint64(dst[8*b:], encodeETC1Block((*[16]uint32)(src[16*b:]), thorough))
		}
	}
}

func encodeETC1A4(thorough bool) func(dst []byte, src *[64]uint32) {
	return func(dst []byte, src *[64]uint32) {
		for b := range 4 {
			block := (*[16]uint32)(src[16*b:])
			alpha := uint64(0)
			for i, bit := range etc1Order {
				alpha |= uint64(narrow(block[i]>>24, 15)) << (4 * bit)
			}
			binary.LittleEndian.PutUint64(dst[16*b:], alpha)
			binary.LittleEndian.PutUint64(dst[16*b+8:], encodeETC1Block(block, thorough))
		}
	}
}

// narrow converts 0..255 to 0..top, rounded to nearest. It is the inverse of
// widening.
func narrow(v, top uint32) uint32 { return (v*top + 127) / 255 }

// intensity is the luma of ITU-R BT.709 in 8-bit arithmetic; a grey is itself.
func intensity(r, g, b uint32) uint32 { return (54*r + 183*g + 19*b + 128) >> 8 }

func encode16(pack func(r, g, b, a uint32) uint32) func(dst []byte, src *[64]uint32) {
	return func(dst []byte, src *[64]uint32) {
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(pack(v&255, v>>8&255, v>>16&255, v>>24)))
		}
	}
}

func encode8(pack func(r, g, b, a uint32) uint32) func(dst []byte, src *[64]uint32) {
	return func(dst []byte, src *[64]uint32) {
		for i, v := range src {
			dst[i] = byte(pack(v&255, v>>8&255, v>>16&255, v>>24))
		}
	}
}

func encode4(pack func(r, g, b, a uint32) uint32) func(dst []byte, src *[64]uint32) {
	return func(dst []byte, src *[64]uint32) {
		for i := 0; i < 64; i += 2 {
			v, w := src[i], src[i+1]
			dst[i/2] = byte(pack(v&255, v>>8&255, v>>16&255, v>>24) | pack(w&255, w>>8&255, w>>16&255, w>>24)<<4)
		}
	}
}

// Encode encodes one level of w by h texels, in the order of Decode, to dst,
// which has room for Size(f, w, h) bytes.
func Encode(dst []byte, src []uint32, f Format, w, h int) error {
	return encodeTiles(dst, src, f, w, h, false)
}

// encodeTiles is Encode, with a thorough search for blocks of ETC1.
func encodeTiles(dst []byte, src []uint32, f Format, w, h int, thorough bool) error {
	if err := checkSize(f, w, h); err != nil {
		return err
	}
	if len(src) < w*h {
		return fmt.Errorf("texture of %dx%d: %d texels, want %d", w, h, len(src), w*h)
	}
	if n := Size(f, w, h); len(dst) < n {
		return fmt.Errorf("texture of %dx%d %v: room for %d bytes, want %d", w, h, f, len(dst), n)
	}
	encode := layouts[f].encode
	if thorough && layouts[f].search != nil {
		encode = layouts[f].search
	}
	tileBytes := Size(f, 8, 8)
	var tile [64]uint32
	for y := h; y > 0; y -= 8 {
		strip := src[(y-8)*w : y*w]
		for x := 0; x < w; x += 8 {
			pica.Tile(&tile, strip, 7*w+x, -w)
			encode(dst[:tileBytes:tileBytes], &tile)
			dst = dst[tileBytes:]
		}
	}
	return nil
}
