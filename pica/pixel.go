package pica

import (
	"encoding/binary"
	"math/bits"
)

// The five layouts of a colour in memory. Render targets (ColorFormat), screens
// and transfers (ScreenFormat) and the first five texture formats
// (TextureFormat) share them; the numbers of ScreenFormat differ. A pixel is a
// little-endian number with red in its highest bits.
//
// A decoded colour is a word with red in the lowest byte and alpha in the
// highest, so that its bytes on a little-endian machine are R, G, B, A. A
// channel of fewer than 8 bits is widened by repeating its bits from the top,
// so that the least value gives 0 and the greatest 255 (Citra, Azahar,
// Panda3DS; tex3ds's encoder is the inverse). It is truncated when it is
// narrowed. A format without alpha reads as 255.

// PixelLayout is the position of the channels in a pixel.
type PixelLayout struct {
	Bytes int      // size of a pixel; 0 for a format that does not exist
	Shift [4]uint8 // lowest bit of R, G, B, A
	Bits  [4]uint8 // width of R, G, B, A; 0 for a missing channel
}

var pixelLayouts = [...]PixelLayout{
	ColorFormatRGBA8:  {4, [4]uint8{24, 16, 8, 0}, [4]uint8{8, 8, 8, 8}},
	ColorFormatRGB8:   {3, [4]uint8{16, 8, 0, 0}, [4]uint8{8, 8, 8, 0}},
	ColorFormatRGB5A1: {2, [4]uint8{11, 6, 1, 0}, [4]uint8{5, 5, 5, 1}},
	ColorFormatRGB565: {2, [4]uint8{11, 5, 0, 0}, [4]uint8{5, 6, 5, 0}},
	ColorFormatRGBA4:  {2, [4]uint8{12, 8, 4, 0}, [4]uint8{4, 4, 4, 4}},
}

// Layout returns the layout of a pixel; the zero value for a format that does
// not exist.
func (c ColorFormat) Layout() PixelLayout {
	if int(c) < len(pixelLayouts) {
		return pixelLayouts[c]
	}
	return PixelLayout{}
}

// Bytes is the size of a pixel, 0 for a format that does not exist.
func (c ColorFormat) Bytes() int {
	if int(c) < len(pixelLayouts) {
		return pixelLayouts[c].Bytes
	}
	return 0
}

// Bytes is the size of a pixel, 0 for a format that does not exist.
func (f ScreenFormat) Bytes() int { return f.Color().Bytes() }

// depthLayouts has the bytes of a pixel and the bits of its depth.
var depthLayouts = [...]struct{ bytes, bits uint8 }{
	DepthFormatD16: {2, 16}, DepthFormatInvalid1: {0, 24}, DepthFormatD24: {3, 24}, DepthFormatD24S8: {4, 24},
}

// Bytes is the size of a pixel, 0 for a format that does not exist.
func (d DepthFormat) Bytes() int { return int(depthLayouts[d&3].bytes) }

// Max returns the integer value of depth 1.
func (d DepthFormat) Max() uint32 { return 1<<depthLayouts[d&3].bits - 1 }

// Top returns the greatest value of a channel (0 to 3 are R, G, B, A); 0 for a
// missing one.
func (l PixelLayout) Top(channel int) uint32 { return 1<<l.Bits[channel] - 1 }

// Pack packs channels, each at most its Top, into a pixel.
func (l PixelLayout) Pack(channels [4]uint32) (pixel uint32) {
	for i, v := range channels {
		pixel |= v & l.Top(i) << l.Shift[i]
	}
	return pixel
}

// Unpack returns the channels of a pixel, not widened.
func (l PixelLayout) Unpack(pixel uint32) (channels [4]uint32) {
	for i := range channels {
		channels[i] = pixel >> l.Shift[i] & l.Top(i)
	}
	return channels
}

// Color returns the colour format with the same layout. Formats 5, 6 and 7 do
// not exist and stay unchanged.
func (f ScreenFormat) Color() ColorFormat {
	switch f {
	case ScreenFormatRGB565:
		return ColorFormatRGB565
	case ScreenFormatRGB5A1:
		return ColorFormatRGB5A1
	}
	return ColorFormat(f)
}

// Screen returns the screen format with the same layout.
func (c ColorFormat) Screen() ScreenFormat {
	switch c {
	case ColorFormatRGB565:
		return ScreenFormatRGB565
	case ColorFormatRGB5A1:
		return ScreenFormatRGB5A1
	}
	return ScreenFormat(c)
}

// Color returns the colour format with the same layout; false if there is none.
func (f TextureFormat) Color() (ColorFormat, bool) {
	return ColorFormat(f), int(f) < len(pixelLayouts)
}

// Texture returns the texture format with the same layout.
func (c ColorFormat) Texture() TextureFormat { return TextureFormat(c) }

// The conversions of 16-bit formats decode two neighbouring pixels at once, in
// memory order, to the two halves of a word: shifts and masks cost the same for
// both. For a single pixel the high half is ignored. both is a mask for one
// half, repeated for the other.
const (
	both   = 1<<32 | 1
	opaque = 0xFF000000
)

func halves(pixels uint32) uint64 { return uint64(pixels)&0xFFFF | uint64(pixels)>>16<<32 }

// unpackRGB5A1 decodes two pixels: from the highest bit 5 R, 5 G, 5 B, 1 A.
func unpackRGB5A1(pixels uint32) uint64 {
	v := halves(pixels)
	rgb := v>>11&(0x1F*both) | v<<2&(0x1F00*both) | v<<15&(0x1F0000*both)
	return rgb<<3 | rgb>>2&(0x070707*both) | v&both*255<<24
}

// unpackRGB565 decodes two pixels: from the highest bit 5 R, 6 G, 5 B.
func unpackRGB565(pixels uint32) uint64 {
	v := halves(pixels)
	rb, g := v>>11&(0x1F*both)|v<<16&(0x1F0000*both), v<<3&(0x3F00*both)
	return opaque*both | rb<<3 | rb>>2&(0x070007*both) | g<<2 | g>>4&(0x0300*both)
}

// unpackRGBA4 decodes two pixels: from the highest bit 4 R, 4 G, 4 B, 4 A.
func unpackRGBA4(pixels uint32) uint64 {
	v := halves(pixels)
	v = v>>12&(15*both) | v&(0xF00*both) | v<<12&(0xF0000*both) | v<<24&(0xF000000*both)
	return v | v<<4
}

// packRGB5A1 encodes a colour.
func packRGB5A1(c uint32) uint16 {
	return uint16(c<<8&0xF800 | c>>5&0x7C0 | c>>18&0x3E | c>>31)
}

// packRGB565 encodes a colour.
func packRGB565(c uint32) uint16 { return uint16(c<<8&0xF800 | c>>5&0x7E0 | c>>19&0x1F) }

// packRGBA4 encodes a colour.
func packRGBA4(c uint32) uint16 {
	return uint16(c<<8&0xF000 | c>>4&0xF00 | c>>16&0xF0 | c>>28)
}

// Decode decodes len(dst) contiguous pixels. src must be long enough. A format
// that does not exist leaves dst unchanged.
//
// Whole textures and frames use it, so the loops process several pixels at a
// time with one bounds check.
func (c ColorFormat) Decode(dst []uint32, src []byte) {
	src = src[:len(dst)*c.Bytes()]
	switch c {
	case ColorFormatRGBA8:
		for len(dst) >= 8 && len(src) >= 32 {
			d, s := (*[8]uint32)(dst), (*[32]byte)(src)
			d[0], d[1] = binary.BigEndian.Uint32(s[0:4]), binary.BigEndian.Uint32(s[4:8])
			d[2], d[3] = binary.BigEndian.Uint32(s[8:12]), binary.BigEndian.Uint32(s[12:16])
			d[4], d[5] = binary.BigEndian.Uint32(s[16:20]), binary.BigEndian.Uint32(s[20:24])
			d[6], d[7] = binary.BigEndian.Uint32(s[24:28]), binary.BigEndian.Uint32(s[28:32])
			dst, src = dst[8:], src[32:]
		}
		for i := range dst {
			dst[i] = binary.BigEndian.Uint32(src[4*i:])
		}
	case ColorFormatRGB8:
		// One word for each; it reads a byte too many, which is there except for the
		// last pixel.
		for len(dst) > 1 && len(src) >= 4 {
			dst[0] = bits.ReverseBytes32(binary.LittleEndian.Uint32(src)<<8) | opaque
			dst, src = dst[1:], src[3:]
		}
		if len(dst) == 1 {
			dst[0] = opaque | uint32(src[0])<<16 | uint32(src[1])<<8 | uint32(src[2])
		}
	case ColorFormatRGB5A1:
		for len(dst) >= 16 && len(src) >= 32 {
			d, s := (*[16]uint32)(dst), (*[32]byte)(src)
			for i := range 8 {
				v := unpackRGB5A1(binary.LittleEndian.Uint32(s[4*i : 4*i+4]))
				d[2*i], d[2*i+1] = uint32(v), uint32(v>>32)
			}
			dst, src = dst[16:], src[32:]
		}
		for i := range dst {
			dst[i] = uint32(unpackRGB5A1(uint32(binary.LittleEndian.Uint16(src[2*i:]))))
		}
	case ColorFormatRGB565:
		for len(dst) >= 16 && len(src) >= 32 {
			d, s := (*[16]uint32)(dst), (*[32]byte)(src)
			for i := range 8 {
				v := unpackRGB565(binary.LittleEndian.Uint32(s[4*i : 4*i+4]))
				d[2*i], d[2*i+1] = uint32(v), uint32(v>>32)
			}
			dst, src = dst[16:], src[32:]
		}
		for i := range dst {
			dst[i] = uint32(unpackRGB565(uint32(binary.LittleEndian.Uint16(src[2*i:]))))
		}
	case ColorFormatRGBA4:
		for len(dst) >= 16 && len(src) >= 32 {
			d, s := (*[16]uint32)(dst), (*[32]byte)(src)
			for i := range 8 {
				v := unpackRGBA4(binary.LittleEndian.Uint32(s[4*i : 4*i+4]))
				d[2*i], d[2*i+1] = uint32(v), uint32(v>>32)
			}
			dst, src = dst[16:], src[32:]
		}
		for i := range dst {
			dst[i] = uint32(unpackRGBA4(uint32(binary.LittleEndian.Uint16(src[2*i:]))))
		}
	}
}

// Encode encodes len(src) contiguous pixels. dst must be long enough. A format
// that does not exist leaves dst unchanged.
func (c ColorFormat) Encode(dst []byte, src []uint32) {
	dst = dst[:len(src)*c.Bytes()]
	switch c {
	case ColorFormatRGBA8:
		for i, v := range src {
			binary.BigEndian.PutUint32(dst[4*i:], v)
		}
	case ColorFormatRGB8:
		encodeRGB8(dst, src)
	case ColorFormatRGB5A1:
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], packRGB5A1(v))
		}
	case ColorFormatRGB565:
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], packRGB565(v))
		}
	case ColorFormatRGBA4:
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], packRGBA4(v))
		}
	}
}

// encodeRGB8 writes four pixels as three words at a time.
func encodeRGB8(dst []byte, src []uint32) {
	for len(src) >= 4 && len(dst) >= 12 {
		a, b := bits.ReverseBytes32(src[0])>>8, bits.ReverseBytes32(src[1])>>8
		c, d := bits.ReverseBytes32(src[2])>>8, bits.ReverseBytes32(src[3])>>8
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
