package pipeline

import (
	"encoding/binary"

	"pica200/pica"
)

// PixelBytes is the size of a pixel of a screen's framebuffer or of one side of
// a display transfer; 0 for a format that does not exist. A pixel is a
// little-endian number with red in its highest bits; three bytes in RGB8.
func PixelBytes(f pica.ScreenFormat) uint32 {
	if f <= pica.ScreenFormatRGBA4 {
		return [...]uint32{4, 3, 2, 2, 2}[f]
	}
	return 0
}

// rgba is a colour with red in the lowest byte and alpha in the highest.
type rgba = uint32

// The functions below are hot: every frame goes through them. They convert
// runs of pixels that lie one behind the other. Channels narrower than 8 bits
// are widened by repeating their highest bits, and cut off when narrowed.

// decodePixels reads len(dst) pixels.
func decodePixels(f pica.ScreenFormat, src []byte, dst []rgba) {
	n := len(dst)
	switch f {
	case pica.ScreenFormatRGBA8:
		src = src[:4*n]
		for i := range dst {
			dst[i] = swapBytes(binary.LittleEndian.Uint32(src[4*i:]))
		}
	case pica.ScreenFormatRGB8:
		src = src[:3*n]
		for i := range dst {
			p := src[3*i : 3*i+3 : 3*i+3]
			dst[i] = uint32(p[2]) | uint32(p[1])<<8 | uint32(p[0])<<16 | 0xFF<<24
		}
	case pica.ScreenFormatRGB565:
		src = src[:2*n]
		for i := range dst {
			v := uint32(binary.LittleEndian.Uint16(src[2*i:]))
			r, g, b := v>>11, v>>5&0x3F, v&0x1F
			dst[i] = widen5(r) | (g<<2|g>>4)<<8 | widen5(b)<<16 | 0xFF<<24
		}
	case pica.ScreenFormatRGB5A1:
		src = src[:2*n]
		for i := range dst {
			v := uint32(binary.LittleEndian.Uint16(src[2*i:]))
			dst[i] = widen5(v>>11) | widen5(v>>6&0x1F)<<8 | widen5(v>>1&0x1F)<<16 | (v&1)*0xFF<<24
		}
	case pica.ScreenFormatRGBA4:
		src = src[:2*n]
		for i := range dst {
			v := uint32(binary.LittleEndian.Uint16(src[2*i:]))
			dst[i] = v>>12*0x11 | v>>8&0xF*0x11<<8 | v>>4&0xF*0x11<<16 | v&0xF*0x11<<24
		}
	}
}

// encodePixels writes len(src) pixels.
func encodePixels(f pica.ScreenFormat, src []rgba, dst []byte) {
	n := len(src)
	switch f {
	case pica.ScreenFormatRGBA8:
		dst = dst[:4*n]
		for i, c := range src {
			binary.LittleEndian.PutUint32(dst[4*i:], swapBytes(c))
		}
	case pica.ScreenFormatRGB8:
		encodeRGB8(src, dst)
	case pica.ScreenFormatRGB565, pica.ScreenFormatRGB5A1, pica.ScreenFormatRGBA4:
		dst = dst[:2*n]
		for i, c := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], narrow(f, c))
		}
	}
}

// encodeRGB8 writes four pixels as three words at a time.
func encodeRGB8(src []rgba, dst []byte) {
	dst = dst[:3*len(src)]
	for len(src) >= 4 && len(dst) >= 12 {
		a, b, c, d := swapBytes(src[0])>>8, swapBytes(src[1])>>8, swapBytes(src[2])>>8, swapBytes(src[3])>>8
		binary.LittleEndian.PutUint32(dst, a|b<<24)
		binary.LittleEndian.PutUint32(dst[4:], b>>8|c<<16)
		binary.LittleEndian.PutUint32(dst[8:], c>>16|d<<8)
		src, dst = src[4:], dst[12:]
	}
	for i, c := range src {
		p := dst[3*i : 3*i+3 : 3*i+3]
		p[0], p[1], p[2] = byte(c>>16), byte(c>>8), byte(c)
	}
}

// narrow packs a colour into one of the 16-bit formats.
func narrow(f pica.ScreenFormat, c rgba) uint16 {
	r, g, b, a := c&0xFF, c>>8&0xFF, c>>16&0xFF, c>>24
	switch f {
	case pica.ScreenFormatRGB565:
		return uint16(r>>3<<11 | g>>2<<5 | b>>3)
	case pica.ScreenFormatRGB5A1:
		return uint16(r>>3<<11 | g>>3<<6 | b>>3<<1 | a>>7)
	}
	return uint16(r>>4<<12 | g>>4<<8 | b>>4<<4 | a>>4)
}

func widen5(v uint32) uint32 { return v<<3 | v>>2 }

// swapBytes turns a pixel word of RGBA8, red highest, into an rgba and back.
func swapBytes(v uint32) uint32 {
	return v>>24 | v>>8&0xFF00 | v<<8&0xFF0000 | v<<24
}

// mean2 is the mean of two colours, a channel at a time, rounded down.
func mean2(a, b rgba) rgba { return a&b + (a^b)&0xFEFEFEFE>>1 }

// mean4 is the mean of four colours, a channel at a time, rounded down.
func mean4(a, b, c, d rgba) rgba {
	const low = 0x00FF00FF
	even := a&low + b&low + c&low + d&low
	odd := a>>8&low + b>>8&low + c>>8&low + d>>8&low
	return even>>2&low | odd>>2&low<<8
}
