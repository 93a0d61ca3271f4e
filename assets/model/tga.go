package model

import (
	"encoding/binary"
	"fmt"
	"image"
)

// decodeTGA decodes a Truevision TGA image (TGA 2.0 specification): colour
// mapped, true colour and grey, raw and run-length coded, 8 to 32 bits.
func decodeTGA(data []byte, maxPixels int) (*image.NRGBA, error) {
	if len(data) < 18 {
		return nil, fmt.Errorf("not a PNG, JPEG or TGA image")
	}
	idLen, mapType, kind := int(data[0]), data[1], data[2]
	mapFirst, mapLen, mapBits := int(binary.LittleEndian.Uint16(data[3:])), int(binary.LittleEndian.Uint16(data[5:])), int(data[7])
	w, h := int(binary.LittleEndian.Uint16(data[12:])), int(binary.LittleEndian.Uint16(data[14:]))
	bits, desc := int(data[16]), data[17]
	base, rle := kind&^8, kind&8 != 0
	if mapType > 1 || base < 1 || base > 3 || base == 1 && mapType != 1 {
		return nil, fmt.Errorf("not a PNG, JPEG or TGA image")
	}
	okBits := map[byte][]int{1: {8, 16}, 2: {15, 16, 24, 32}, 3: {8, 16}}[base]
	if !has(okBits, bits) || mapType == 1 && !has([]int{15, 16, 24, 32}, mapBits) {
		return nil, fmt.Errorf("TGA: type %d with %d bits a pixel is not valid", kind, bits)
	}
	perByte := 1
	if rle {
		perByte = 128
	}
	if err := checkSize("TGA", image.Config{Width: w, Height: h}, maxPixels, len(data), perByte); err != nil {
		return nil, err
	}
	rest := data[18:]
	if len(rest) < idLen {
		return nil, fmt.Errorf("TGA: offset 18: the identification of %d bytes runs past the end", idLen)
	}
	rest = rest[idLen:]
	var palette [][4]uint8
	if mapType == 1 {
		size := (mapBits + 7) / 8
		if len(rest) < mapLen*size {
			return nil, fmt.Errorf("TGA: a colour map of %d entries runs past the end", mapLen)
		}
		for i := range mapLen {
			palette = append(palette, tgaColor(rest[i*size:], mapBits))
		}
		rest = rest[mapLen*size:]
	}
	size := (bits + 7) / 8
	pixel := func(b []byte) ([4]uint8, error) {
		switch base {
		case 1:
			i := int(b[0])
			if bits == 16 {
				i |= int(b[1]) << 8
			}
			if i -= mapFirst; i < 0 || i >= len(palette) {
				return [4]uint8{}, fmt.Errorf("TGA: colour %d of a map of %d", i+mapFirst, len(palette))
			}
			return palette[i], nil
		case 3:
			a := uint8(255)
			if bits == 16 {
				a = b[1]
			}
			return [4]uint8{b[0], b[0], b[0], a}, nil
		}
		c := tgaColor(b, bits)
		if bits == 32 && desc&15 == 0 {
			c[3] = 255 // no attribute bits: the fourth byte means nothing
		}
		return c, nil
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	run, repeat := 0, false
	var last [4]uint8
	for i := 0; i < w*h; i++ {
		if rle && run == 0 {
			if len(rest) < 1 {
				return nil, fmt.Errorf("TGA: the data ends at pixel %d of %d", i, w*h)
			}
			run, repeat = int(rest[0]&127)+1, rest[0]&128 != 0
			rest = rest[1:]
			if repeat {
				if len(rest) < size {
					return nil, fmt.Errorf("TGA: the data ends at pixel %d of %d", i, w*h)
				}
				var err error
				if last, err = pixel(rest); err != nil {
					return nil, err
				}
				rest = rest[size:]
			}
		}
		if !repeat {
			if len(rest) < size {
				return nil, fmt.Errorf("TGA: the data ends at pixel %d of %d", i, w*h)
			}
			var err error
			if last, err = pixel(rest); err != nil {
				return nil, err
			}
			rest = rest[size:]
		}
		if rle {
			run--
		}
		x, y := i%w, i/w
		if desc&0x10 != 0 {
			x = w - 1 - x
		}
		if desc&0x20 == 0 { // the origin is at the bottom
			y = h - 1 - y
		}
		copy(out.Pix[out.PixOffset(x, y):], last[:])
	}
	return out, nil
}

// tgaColor is a pixel of 15 or 16 bits (A1R5G5B5) or 24 or 32 (B, G, R, A).
func tgaColor(b []byte, bits int) [4]uint8 {
	switch bits {
	case 15, 16:
		v := uint(b[0]) | uint(b[1])<<8
		up := func(c uint) uint8 { c &= 31; return uint8(c<<3 | c>>2) }
		return [4]uint8{up(v >> 10), up(v >> 5), up(v), 255}
	case 24:
		return [4]uint8{b[2], b[1], b[0], 255}
	}
	return [4]uint8{b[2], b[1], b[0], b[3]}
}

func has(list []int, v int) bool {
	for _, l := range list {
		if l == v {
			return true
		}
	}
	return false
}
