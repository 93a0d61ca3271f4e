// Package ui draws the viewer's text and panels into a picture and finds out
// what the mouse points at. It knows nothing of windows and needs no graphics
// library, so that everything that it draws can be tested without a display.
//
// The package is our own and may change at any time.
package ui

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Colours of the interface.
var (
	Text      = color.RGBA{0xE6, 0xE6, 0xE6, 0xFF}
	Dim       = color.RGBA{0x9A, 0xA2, 0xAD, 0xFF}
	Accent    = color.RGBA{0x6E, 0xC1, 0xFF, 0xFF}
	Changed   = color.RGBA{0xFF, 0xC8, 0x57, 0xFF}
	Bad       = color.RGBA{0xFF, 0x7A, 0x6B, 0xFF}
	Panel     = color.RGBA{0x14, 0x17, 0x1C, 0xE8}
	PanelHead = color.RGBA{0x22, 0x28, 0x31, 0xF0}
	Selected  = color.RGBA{0x2B, 0x45, 0x5E, 0xF0}
)

// Canvas is a picture of the size of the window, transparent where nothing is
// drawn, with premultiplied alpha.
type Canvas struct {
	Img   *image.RGBA
	Scale float64 // pixels per unit: 1, or more on dense displays
	face  font.Face
	line  int // height of a line in pixels
	width int // of a character
}

var faces struct {
	sync.Mutex
	parsed *opentype.Font
	byPx   map[int]font.Face
}

// textSize is the size of letters in units.
const textSize = 12

// NewCanvas makes an empty canvas.
func NewCanvas(w, h int, scale float64) *Canvas {
	c := &Canvas{}
	c.Reset(w, h, scale)
	return c
}

// Reset empties the canvas and gives it a size, reusing its memory.
func (c *Canvas) Reset(w, h int, scale float64) {
	if c.Img == nil || c.Img.Rect.Dx() != w || c.Img.Rect.Dy() != h {
		c.Img = image.NewRGBA(image.Rect(0, 0, w, h))
	} else {
		clear(c.Img.Pix)
	}
	if c.face == nil || c.Scale != scale {
		c.Scale = scale
		c.face = faceOf(int(textSize*scale + 0.5))
		m := c.face.Metrics()
		c.line = (m.Ascent + m.Descent).Ceil() + int(3*scale)
		a, _ := c.face.GlyphAdvance('0')
		c.width = a.Ceil()
	}
}

// faceOf gives the font at a size in pixels. The font is part of the program.
func faceOf(px int) font.Face {
	faces.Lock()
	defer faces.Unlock()
	if f := faces.byPx[px]; f != nil {
		return f
	}
	if faces.parsed == nil {
		p, err := opentype.Parse(gomono.TTF)
		if err != nil {
			panic(err) // the font is compiled in
		}
		faces.parsed, faces.byPx = p, map[int]font.Face{}
	}
	f, err := opentype.NewFace(faces.parsed, &opentype.FaceOptions{Size: float64(px), DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err)
	}
	faces.byPx[px] = f
	return f
}

// Line is the height of a line of text in pixels.
func (c *Canvas) Line() int { return c.line }

// Columns is the number of characters that fit into w pixels.
func (c *Canvas) Columns(w int) int { return max(w/c.width, 1) }

// Width is the width of a text in pixels.
func (c *Canvas) Width(s string) int { return font.MeasureString(c.face, s).Ceil() }

// Units converts units to pixels.
func (c *Canvas) Units(u int) int { return int(float64(u)*c.Scale + 0.5) }

// Fill paints a rectangle over what is there.
func (c *Canvas) Fill(r image.Rectangle, col color.RGBA) {
	draw.Draw(c.Img, r, image.NewUniform(premultiplied(col)), image.Point{}, draw.Src)
}

// Frame draws the outline of a rectangle, one unit thick.
func (c *Canvas) Frame(r image.Rectangle, col color.RGBA) {
	t := c.Units(1)
	for _, s := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+t)}, {image.Pt(r.Min.X, r.Max.Y-t), r.Max},
		{r.Min, image.Pt(r.Min.X+t, r.Max.Y)}, {image.Pt(r.Max.X-t, r.Min.Y), r.Max},
	} {
		c.Fill(s, col)
	}
}

func premultiplied(c color.RGBA) color.RGBA {
	a := uint16(c.A)
	return color.RGBA{uint8(uint16(c.R) * a / 255), uint8(uint16(c.G) * a / 255), uint8(uint16(c.B) * a / 255), c.A}
}

// Text writes one line with its upper left corner at (x, y) and returns the x
// behind it.
func (c *Canvas) Text(x, y int, s string, col color.RGBA) int {
	d := font.Drawer{Dst: c.Img, Src: image.NewUniform(col), Face: c.face,
		Dot: fixed.P(x, y+c.face.Metrics().Ascent.Ceil()+c.Units(1))}
	d.DrawString(s)
	return d.Dot.X.Ceil()
}

// Fit shortens a text to n characters.
func Fit(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n <= 1 {
		return string(r[:max(n, 0)])
	}
	return string(r[:n-1]) + "…"
}

// Wrap splits text into lines of at most n characters, at spaces where there
// are some. Lines of the text itself are kept, with their indentation.
func Wrap(s string, n int) (lines []string) {
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		l = strings.ReplaceAll(l, "\t", "    ")
		for r := []rune(l); ; {
			if len(r) <= n {
				lines = append(lines, string(r))
				break
			}
			cut := n
			for i := n; i > n/2; i-- {
				if r[i] == ' ' {
					cut = i
					break
				}
			}
			lines = append(lines, string(r[:cut]))
			r = r[cut:]
			if len(r) > 0 && r[0] == ' ' {
				r = r[1:]
			}
		}
	}
	return lines
}

// Box writes lines on a panel of their width, with its corner at (x, y), and
// returns the panel's rectangle. colors may be shorter than lines.
func (c *Canvas) Box(x, y int, lines []string, colors []color.RGBA) image.Rectangle {
	pad := c.Units(6)
	w := 0
	for _, l := range lines {
		w = max(w, c.Width(l))
	}
	r := image.Rect(x, y, x+w+2*pad, y+len(lines)*c.line+2*pad).Intersect(c.Img.Rect)
	c.Fill(r, Panel)
	for i, l := range lines {
		col := Text
		if i < len(colors) {
			col = colors[i]
		}
		c.Text(x+pad, y+pad+i*c.line, l, col)
	}
	return r
}
