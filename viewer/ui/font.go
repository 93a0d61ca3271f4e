package ui

import (
	"image"
	"image/draw"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/width"
)

// Text is laid out in columns: every character takes one cell of the same
// width, wide East Asian characters take two (Unicode UAX #11), and combining
// marks take none.
func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// columns returns the number of cells that a text takes.
func columns(s string) (n int) {
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// glyph is a drawn character: its coverage, relative to the left end of its
// cell on the base line; nil if it is empty.
type glyph struct{ mask *image.Alpha }

// sized is a font in one size, in pixels, with the glyphs drawn so far.
type sized struct {
	px      int
	face    font.Face
	ascent  int
	height  int
	cell    int
	more    map[*opentype.Font]font.Face // for fonts of the system
	glyphs  map[rune]glyph
	glyphed int // bytes in glyphs
}

// maxGlyphs limits the bytes of glyphs kept per size.
const maxGlyphs = 4 << 20

// fonts are the sizes in use. All windows of the process share them.
var fonts struct {
	sync.Mutex
	own  *opentype.Font
	byPx map[int]*sized
}

// maxSizes limits the sizes kept; each scale of a display needs one.
const maxSizes = 8

// fontOf returns the embedded font in a size in pixels.
func fontOf(px int) *sized {
	px = max(px, 1)
	fonts.Lock()
	defer fonts.Unlock()
	if f := fonts.byPx[px]; f != nil {
		return f
	}
	if fonts.own == nil {
		p, err := opentype.Parse(gomono.TTF)
		if err != nil {
			panic(err) // the font is embedded
		}
		fonts.own = p
	}
	if len(fonts.byPx) >= maxSizes || fonts.byPx == nil {
		fonts.byPx = map[int]*sized{}
	}
	f := &sized{px: px, face: faceOf(fonts.own, px), more: map[*opentype.Font]font.Face{}, glyphs: map[rune]glyph{}}
	m := f.face.Metrics()
	f.ascent, f.height = m.Ascent.Ceil(), (m.Ascent + m.Descent).Ceil()
	a, _ := f.face.GlyphAdvance('0')
	f.cell = a.Ceil()
	fonts.byPx[px] = f
	return f
}

func faceOf(p *opentype.Font, px int) font.Face {
	f, err := opentype.NewFace(p, &opentype.FaceOptions{Size: float64(px), DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err) // fails only for sizes that are not numbers
	}
	return f
}

// glyph returns the drawing of a character, from the cache if possible.
func (f *sized) glyph(r rune) glyph {
	fonts.Lock()
	defer fonts.Unlock()
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	face := f.face
	if i, err := fonts.own.GlyphIndex(nil, r); (err != nil || i == 0) && !unicode.IsControl(r) {
		if p := system.find(r); p != nil {
			if f.more[p] == nil {
				f.more[p] = faceOf(p, f.px)
			}
			face = f.more[p]
		}
	}
	g := glyph{}
	if box, src, at, advance, ok := face.Glyph(fixed.P(0, 0), r); ok && !box.Empty() {
		g.mask = image.NewAlpha(box)
		draw.Draw(g.mask, box, src, at, draw.Src)
		if face != f.face {
			// Fonts of the system have other character widths.
			g.mask.Rect = g.mask.Rect.Add(image.Pt(max(runeColumns(r)*f.cell-advance.Round(), 0)/2, 0))
		}
	}
	if g.mask != nil {
		f.glyphed += len(g.mask.Pix)
	}
	if f.glyphed > maxGlyphs {
		clear(f.glyphs)
		f.glyphed = 0
	}
	f.glyphs[r] = g
	return g
}
