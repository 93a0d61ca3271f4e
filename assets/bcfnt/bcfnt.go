// Package bcfnt makes the console's fonts (.bcfnt) of TrueType and OpenType fonts, with the tables and sizes of devkitPro's mkbcfnt.
// The letters are drawn without hints, so that their edges differ.
package bcfnt

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Options says what a font holds.
type Options struct {
	Size   float64           // in points, at 96 dots per inch; 0 is 22
	Allows func(c rune) bool // nil: all characters
}

// Sheets have this width and height, in 4 bits of alpha a texel.
const (
	side      = 1024
	sheetSize = side * side / 2
	formatA4  = 0xB
)

// shortest is the shortest run of characters that gets a map of its own.
const shortest = 7

type glyph struct {
	mask             *image.Alpha // nil: nothing to draw
	top              int          // of the mask, above the baseline
	left, width, all int          // left edge, width of the mask, advance
}

type builder struct {
	glyphs                                       map[rune]glyph
	lineFeed, height, width, maxWidth            int
	ascent, descent                              int
	cellWidth, cellHeight, perRow, perCol, sheet int
}

// Make makes a font of font files. Of characters that several have, those of the first are taken.
func Make(fonts [][]byte, o Options) ([]byte, error) {
	o.Size = cmp.Or(o.Size, 22)
	if !(o.Size >= 1 && o.Size <= 150) {
		return nil, fmt.Errorf("the size %v is not from 1 to 150 points", o.Size)
	}
	b := builder{glyphs: map[rune]glyph{}}
	for i, data := range fonts {
		if err := b.add(data, o); err != nil {
			return nil, fmt.Errorf("font %d: %w", i+1, err)
		}
	}
	if len(b.glyphs) == 0 {
		return nil, errors.New("no font has a character that is asked for")
	}
	b.cellWidth, b.cellHeight = b.maxWidth+1, b.ascent-b.descent
	b.perRow, b.perCol = side/(b.cellWidth+1), side/(b.cellHeight+1)
	if b.cellWidth > 255 || b.cellHeight > 255 {
		return nil, fmt.Errorf("letters of %dx%d pixels do not fit a font, which has at most 254x255: choose a smaller size", b.maxWidth, b.cellHeight)
	}
	b.sheet = b.perRow * b.perCol
	return b.write(), nil
}

func (b *builder) add(data []byte, o Options) error {
	f, err := opentype.Parse(data)
	if err != nil {
		return err
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: o.Size, DPI: 96})
	if err != nil {
		return err
	}
	defer face.Close()
	var buf sfnt.Buffer
	units := fixed.Int26_6(f.UnitsPerEm()) << 6
	box, err := f.Bounds(&buf, units, font.HintingNone)
	if err != nil {
		return err
	}
	m := face.Metrics()
	b.lineFeed = max(b.lineFeed, m.Height.Round())
	// mkbcfnt takes the box in units of the design for one in 64ths of pixels.
	b.height = max(b.height, min(255, (box.Max.Y-box.Min.Y).Round()>>6))
	b.width = max(b.width, min(255, (box.Max.X-box.Min.X).Round()>>6))
	b.ascent, b.descent = max(b.ascent, m.Ascent.Ceil()), min(b.descent, -m.Descent.Ceil())
	ppem := fixed.Int26_6(0.5 + o.Size*96*64/72)
	for i := range f.NumGlyphs() {
		if advance, err := f.GlyphAdvance(&buf, sfnt.GlyphIndex(i), ppem, font.HintingNone); err == nil {
			b.maxWidth = max(b.maxWidth, advance.Round())
		}
	}
	for c := rune(0); c < 0xFFFF; c++ {
		if _, has := b.glyphs[c]; has || o.Allows != nil && !o.Allows(c) {
			continue
		}
		if i, err := f.GlyphIndex(&buf, c); err != nil || i == 0 {
			continue
		}
		at, mask, from, advance, ok := face.Glyph(fixed.P(0, 0), c)
		if !ok {
			continue
		}
		g := glyph{all: min(255, advance.Round())}
		if !at.Empty() {
			g.mask = image.NewAlpha(image.Rect(0, 0, at.Dx(), at.Dy()))
			for y := range at.Dy() {
				for x := range at.Dx() {
					_, _, _, a := mask.At(from.X+x, from.Y+y).RGBA()
					g.mask.Pix[y*g.mask.Stride+x] = uint8(a >> 8)
				}
			}
			g.top, g.left, g.width = -at.Min.Y, at.Min.X, min(255, at.Dx())
			b.ascent, b.descent, b.maxWidth = max(b.ascent, g.top), min(b.descent, g.top-at.Dy()), max(b.maxWidth, at.Dx())
		}
		b.glyphs[c] = g
	}
	return nil
}

// charMap is a run of characters with consecutive numbers, or, if pairs is set, single ones.
type charMap struct {
	first, last rune
	index       int
	pairs       []rune // character and number
}

func (b *builder) maps(codes []rune) (all []charMap) {
	single := charMap{first: 0xFFFF}
	for i := 0; i < len(codes); {
		n := 1
		for i+n < len(codes) && codes[i+n] == codes[i]+rune(n) {
			n++
		}
		if n >= shortest {
			all = append(all, charMap{first: codes[i], last: codes[i+n-1], index: i})
		} else {
			single.first, single.last = min(single.first, codes[i]), codes[i+n-1]
			for k := range n {
				single.pairs = append(single.pairs, codes[i+k], rune(i+k))
			}
		}
		i += n
	}
	if single.pairs != nil {
		all = append(all, single)
	}
	return all
}

func (b *builder) write() []byte {
	le := binary.LittleEndian
	codes := slices.Sorted(maps.Keys(b.glyphs))
	sheets := (len(codes) + b.sheet - 1) / b.sheet
	charMaps := b.maps(codes)
	instead := 0
	for _, c := range []rune{0xFFFD, '?', ' '} {
		if i, has := slices.BinarySearch(codes, c); has {
			instead = i
			break
		}
	}
	const info, textures, texels = 0x14, 0x34, 0x80
	widths := texels + sheets*sheetSize
	letters := widths + 0x10 + (3*len(codes)+3)&^3

	out := append(make([]byte, 0, letters), "CFNT\xFF\xFE\x14\x00\x00\x00\x00\x03\x00\x00\x00\x00"...)
	out = le.AppendUint32(out, uint32(3+len(charMaps)))
	out = append(out, "FINF\x20\x00\x00\x00\x01"...)
	out = append(out, uint8(b.lineFeed))
	out = le.AppendUint16(out, uint16(instead))
	out = append(out, 0, 0, 0, 1) // the width of characters that are not there, the encoding
	for _, at := range []int{textures, widths, letters} {
		out = le.AppendUint32(out, uint32(at+8))
	}
	out = append(out, uint8(b.height), uint8(b.width), uint8(b.ascent), 0)
	out = append(out, "TGLP\x20\x00\x00\x00"...)
	out = append(out, uint8(b.cellWidth), uint8(b.cellHeight), uint8(b.ascent), uint8(b.maxWidth))
	out = le.AppendUint32(out, sheetSize)
	for _, v := range []int{sheets, formatA4, b.perRow, b.perCol, side, side} {
		out = le.AppendUint16(out, uint16(v))
	}
	out = le.AppendUint32(out, texels)

	out = append(out, make([]byte, widths-len(out))...)
	for i, c := range codes {
		b.draw(out[texels+i/b.sheet*sheetSize:], i%b.sheet, b.glyphs[c])
	}
	out = append(out, "CWDH"...)
	out = le.AppendUint32(out, uint32(letters-widths))
	out = append(out, 0, 0)
	out = le.AppendUint16(out, uint16(len(codes))) // one more than the last number, as mkbcfnt has it
	out = append(out, 0, 0, 0, 0)
	for _, c := range codes {
		g := b.glyphs[c]
		out = append(out, uint8(int8(max(-128, min(127, g.left)))), uint8(g.width), uint8(g.all))
	}
	out = append(out, make([]byte, letters-len(out))...)
	for i, m := range charMaps {
		size, method := 0x18, uint16(0)
		if m.pairs != nil {
			size, method = 0x18+2*len(m.pairs), 2
		}
		next := uint32(0)
		if i+1 < len(charMaps) {
			next = uint32(len(out) + size + 8)
		}
		out = append(out, "CMAP"...)
		out = le.AppendUint32(out, uint32(size))
		for _, v := range []uint16{uint16(m.first), uint16(m.last), method, 0} {
			out = le.AppendUint16(out, v)
		}
		out = le.AppendUint32(out, next)
		if m.pairs == nil {
			out = le.AppendUint32(out, uint32(m.index))
			continue
		}
		out = le.AppendUint16(out, uint16(len(m.pairs)/2))
		for _, v := range m.pairs {
			out = le.AppendUint16(out, uint16(v))
		}
		out = append(out, 0, 0)
	}
	le.PutUint32(out[12:], uint32(len(out)))
	return out
}

// draw puts a letter into its cell of a sheet, whose texels are in tiles of 8x8, each in Morton order.
func (b *builder) draw(sheet []byte, cell int, g glyph) {
	if g.mask == nil {
		return
	}
	left, top := cell%b.perRow*(b.cellWidth+1)+1, cell/b.perRow*(b.cellHeight+1)+1+b.ascent-g.top
	for y := range g.mask.Rect.Dy() {
		for x := range g.mask.Rect.Dx() {
			u, v := uint(left+x), uint(top+y)
			at := (v/8*(side/8)+u/8)*64 + spread(u%8) + 2*spread(v%8)
			alpha := (uint(g.mask.Pix[y*g.mask.Stride+x])*15 + 127) / 255
			sheet[at/2] |= uint8(alpha << (4 * (at % 2)))
		}
	}
}

// spread puts the three bits of a number apart: abc becomes a0b0c.
func spread(v uint) uint { return v&1 | v&2<<1 | v&4<<2 }
