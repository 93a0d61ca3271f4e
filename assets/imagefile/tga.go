package imagefile

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"slices"
)

// decodeTGA decodes a Truevision TGA image (TGA 2.0 specification): colour
// mapped, true colour and grey, raw and run-length coded, 8 to 32 bits.
func decodeTGA(data []byte, maxPixels int, count func(int) error) (*image.NRGBA, error) {
	t, err := newTGA(data)
	if err != nil {
		return nil, err
	}
	perByte := 1
	if t.packed {
		perByte = 128
	}
	if err := checkSize("TGA", image.Config{Width: t.w, Height: t.h}, maxPixels, len(data), perByte, count); err != nil {
		return nil, err
	}
	if err := t.readMap(); err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, t.w, t.h))
	for i := range t.w * t.h {
		c, err := t.next(i)
		if err != nil {
			return nil, err
		}
		out.SetNRGBA(t.column(i%t.w), t.row(i/t.w), c)
	}
	return out, nil
}

// tga is an image that is being read.
type tga struct {
	kind           byte // 1 colour mapped, 2 true colour, 3 grey
	packed         bool // run-length coded
	w, h, bits     int
	desc           byte // alpha bits, and the position of the first pixel
	mapped         bool
	first, entries int // of the colour map
	entryBits      int
	palette        []color.NRGBA
	rest           []byte // not read yet
	run            int    // pixels left of a packet
	repeat         bool   // which are all last
	last           color.NRGBA
}

const tgaHeader = 18

// newTGA reads the header.
func newTGA(d []byte) (*tga, error) {
	if len(d) < tgaHeader {
		return nil, errUnknown(d)
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint16(d[at:])) }
	t := &tga{kind: d[2] &^ 8, packed: d[2]&8 != 0, mapped: d[1] == 1, first: word(3), entries: word(5), entryBits: int(d[7]),
		w: word(12), h: word(14), bits: int(d[16]), desc: d[17]}
	if d[1] > 1 || t.kind < 1 || t.kind > 3 || t.kind == 1 && !t.mapped {
		return nil, errUnknown(d)
	}
	valid := map[byte][]int{1: {8, 16}, 2: {15, 16, 24, 32}, 3: {8, 16}}
	if !slices.Contains(valid[t.kind], t.bits) || t.mapped && !slices.Contains(valid[2], t.entryBits) {
		return nil, fmt.Errorf("TGA: offset 0x2: type %d with %d bits a pixel is not valid", d[2], t.bits)
	}
	id := int(d[0])
	if t.rest = d[tgaHeader:]; len(t.rest) < id {
		return nil, fmt.Errorf("TGA: offset 0x%x: the identification of %d bytes runs past the end", tgaHeader, id)
	}
	t.rest = t.rest[id:]
	return t, nil
}

// readMap reads the colour map, if there is one.
func (t *tga) readMap() error {
	if !t.mapped {
		return nil
	}
	size := (t.entryBits + 7) / 8
	if len(t.rest) < t.entries*size {
		return fmt.Errorf("TGA: offset 0x5: a colour map of %d entries runs past the end", t.entries)
	}
	for e := range slices.Chunk(t.rest[:t.entries*size], size) {
		t.palette = append(t.palette, tgaColor(e, t.entryBits))
	}
	t.rest = t.rest[t.entries*size:]
	return nil
}

// next returns pixel i, in file order.
func (t *tga) next(i int) (color.NRGBA, error) {
	if t.packed && t.run == 0 {
		head, err := t.take(1, i)
		if err != nil {
			return t.last, err
		}
		t.run, t.repeat = int(head[0]&127)+1, head[0]&128 != 0
		if t.repeat {
			if t.last, err = t.pixel(i); err != nil {
				return t.last, err
			}
		}
	}
	t.run-- // irrelevant for uncompressed pixels
	if t.repeat {
		return t.last, nil
	}
	return t.pixel(i)
}

// take returns n bytes for pixel i.
func (t *tga) take(n, i int) ([]byte, error) {
	if len(t.rest) < n {
		return nil, fmt.Errorf("TGA: the data ends at pixel %d of %d", i, t.w*t.h)
	}
	b := t.rest[:n]
	t.rest = t.rest[n:]
	return b, nil
}

// pixel reads the colour of pixel i.
func (t *tga) pixel(i int) (c color.NRGBA, err error) {
	b, err := t.take((t.bits+7)/8, i)
	if err != nil {
		return c, err
	}
	switch t.kind {
	case 1:
		n := int(b[0])
		if t.bits == 16 {
			n |= int(b[1]) << 8
		}
		if n < t.first || n-t.first >= len(t.palette) {
			return c, fmt.Errorf("TGA: pixel %d has colour %d of a map of %d", i, n, len(t.palette))
		}
		return t.palette[n-t.first], nil
	case 2:
		c = tgaColor(b, t.bits)
		if t.desc&15 == 0 {
			c.A = 255 // no alpha bits: the fourth byte means nothing
		}
		return c, nil
	}
	c = color.NRGBA{b[0], b[0], b[0], 255}
	if t.bits == 16 {
		c.A = b[1]
	}
	return c, nil
}

// column and row are the position of a pixel: one bit of the descriptor says
// that the first pixel is at the right, another that it is at the top.
func (t *tga) column(x int) int {
	if t.desc&0x10 != 0 {
		return t.w - 1 - x
	}
	return x
}

func (t *tga) row(y int) int {
	if t.desc&0x20 == 0 {
		return t.h - 1 - y
	}
	return y
}

// tgaColor is a pixel of 15 or 16 bits (A1R5G5B5) or 24 or 32 (B, G, R, A).
func tgaColor(b []byte, bits int) color.NRGBA {
	switch bits {
	case 15, 16:
		v := binary.LittleEndian.Uint16(b)
		up := func(c uint16) uint8 { c &= 31; return uint8(c<<3 | c>>2) }
		return color.NRGBA{up(v >> 10), up(v >> 5), up(v), 255}
	case 24:
		return color.NRGBA{b[2], b[1], b[0], 255}
	}
	return color.NRGBA{b[2], b[1], b[0], b[3]}
}
