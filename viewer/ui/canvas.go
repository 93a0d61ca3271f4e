// Package ui is the toolkit of the viewer's window: text, panels, and areas that react to the mouse. It draws into a picture and
// uses no window or graphics library, so it is tested without a display.
//
// A Screen is drawn again whenever something changed. Between Begin and End every part draws itself into a rectangle and adds a
// Zone for each position that reacts to the mouse. Events act on the zones of the last picture. State that lives longer than a
// picture (a scroll position, an open branch, a typed text) is in small structs of the caller:
//
//	Scroll    a scrolling area with wheel and bar
//	Split     two parts with a bar between them
//	Tabs      a row of names, one selected
//	Menu      a drop-down list; also the choice of a value
//	Tree      rows that open and close, one selected
//	Grid      rows in columns, sorted by one of them
//	TextView  text with scrolling, folding, links and selection
//	Field     a line of input with completion
//	List      rows of named values with search and editing
//	Curve     a table of numbers that the mouse can draw
//	Picker    a colour
//
// Button, Cover and Picture of Screen have no state. Popups are above everything else (Screen.Open). Keys go to the topmost
// popup, otherwise to the part with the focus (Screen.Focus); typing into a Field never starts a command.
//
// The package is our own and may change at any time.
package ui

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
)

// Colours of the interface.
var (
	Text      = color.RGBA{0xE6, 0xE6, 0xE6, 0xFF}
	Dim       = color.RGBA{0x9A, 0xA2, 0xAD, 0xFF}
	Accent    = color.RGBA{0x6E, 0xC1, 0xFF, 0xFF}
	Changed   = color.RGBA{0xFF, 0xC8, 0x57, 0xFF}
	Bad       = color.RGBA{0xFF, 0x7A, 0x6B, 0xFF}
	Panel     = color.RGBA{0x14, 0x17, 0x1C, 0xE8}
	PanelHead = color.RGBA{0x22, 0x28, 0x31, 0xFF}
	Selected  = color.RGBA{0x2B, 0x45, 0x5E, 0xFF}
	hover     = color.RGBA{0x36, 0x3E, 0x4A, 0xFF}
	faint     = color.RGBA{0x86, 0x8E, 0x99, 0xFF} // inactive parts
	well      = color.RGBA{0x0A, 0x0C, 0x10, 0xFF} // background of input areas
)

// light are the colours of the interface when it is light.
var light = map[color.RGBA]color.RGBA{
	Text: {0x1B, 0x1F, 0x24, 0xFF}, Dim: {0x5A, 0x62, 0x6C, 0xFF}, Accent: {0x0B, 0x5C, 0xAD, 0xFF}, Changed: {0x9A, 0x5B, 0x00, 0xFF},
	Bad: {0xB3, 0x26, 0x1E, 0xFF}, Panel: {0xF6, 0xF7, 0xF9, 0xE8}, PanelHead: {0xE3, 0xE7, 0xEC, 0xFF}, Selected: {0xBF, 0xD9, 0xF2, 0xFF},
	hover: {0xD3, 0xDA, 0xE2, 0xFF}, faint: {0x8A, 0x92, 0x9C, 0xFF}, well: {0xFF, 0xFF, 0xFF, 0xFF}, opaque(Panel): {0xF6, 0xF7, 0xF9, 0xFF},
}

// shade returns a colour of the interface as it is shown; other colours stay.
func (c *Canvas) shade(col color.RGBA) color.RGBA {
	if l, ok := light[col]; ok && c.Light {
		return l
	}
	return col
}

// Canvas is a picture of the size of the window with premultiplied alpha; it is transparent where nothing is drawn.
type Canvas struct {
	Img   *image.RGBA
	Light bool        // dark text on light panels
	Scale float64     // pixels per unit: 1, or more on high-density displays
	dst   *image.RGBA // Img, or the part of it being drawn to
	font  *sized
	line  int // height of a line in pixels
	width int // width of a character in pixels
}

// textSize is the font size in units.
const textSize = 12

// newCanvas returns an empty canvas.
func newCanvas(w, h int, scale float64) *Canvas {
	c := &Canvas{}
	c.reset(w, h, scale)
	return c
}

// reset clears the canvas and sets its size; it reuses its memory.
func (c *Canvas) reset(w, h int, scale float64) {
	if c.Img == nil || c.Img.Rect.Dx() != w || c.Img.Rect.Dy() != h {
		c.Img = image.NewRGBA(image.Rect(0, 0, w, h))
	} else {
		clear(c.Img.Pix)
	}
	c.dst = c.Img
	if c.font == nil || c.Scale != scale {
		c.Scale = scale
		c.font = fontOf(int(textSize*scale + 0.5))
		c.line = c.font.height + int(3*scale)
		c.width = c.font.cell
	}
}

// Clip limits drawing and zones to r until the returned function is called.
func (c *Canvas) Clip(r image.Rectangle) (undo func()) {
	was := c.dst
	part, ok := was.SubImage(r.Intersect(was.Rect)).(*image.RGBA)
	if !ok || part.Rect.Empty() {
		part = &image.RGBA{}
	}
	c.dst = part
	return func() { c.dst = was }
}

// Line returns the height of a line of text in pixels.
func (c *Canvas) Line() int { return c.line }

// Columns returns the number of characters that fit into w pixels.
func (c *Canvas) Columns(w int) int { return max(w/c.width, 1) }

// Width returns the width of a text in pixels.
func (c *Canvas) Width(s string) int { return columns(s) * c.width }

// Units converts units to pixels.
func (c *Canvas) Units(u int) int { return int(float64(u)*c.Scale + 0.5) }

// Fill paints a rectangle over the existing content.
func (c *Canvas) Fill(r image.Rectangle, col color.RGBA) { c.Sample(r, c.shade(col)) }

// Sample is Fill with a colour that is not of the interface.
func (c *Canvas) Sample(r image.Rectangle, col color.RGBA) {
	draw.Draw(c.dst, r, image.NewUniform(premultiplied(col)), image.Point{}, draw.Src)
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

// Stroke draws a line between two points, one unit thick.
func (c *Canvas) Stroke(from, to image.Point, col color.RGBA) {
	d, t := to.Sub(from), c.Units(1)
	n := max(d.X, -d.X, d.Y, -d.Y, 1)
	for i := 0; i <= n; i++ {
		p := from.Add(image.Pt(d.X*i/n, d.Y*i/n))
		c.Fill(image.Rect(p.X, p.Y, p.X+t, p.Y+t), col)
	}
}

// Text draws one line with its upper left corner at (x, y) and returns the x after it.
func (c *Canvas) Text(x, y int, s string, col color.RGBA) int {
	base := y + c.font.ascent + c.Units(1)
	src := image.NewUniform(c.shade(col))
	for _, r := range s {
		if g := c.font.glyph(r); g.mask != nil {
			at := g.mask.Rect.Add(image.Pt(x, base))
			draw.DrawMask(c.dst, at, src, image.Point{}, g.mask, g.mask.Rect.Min, draw.Over)
		}
		x += runeColumns(r) * c.width
	}
	return x
}

// Fit shortens a text to px pixels.
func (c *Canvas) Fit(s string, px int) string { return fit(s, max(px, 0)/c.width) }

// fit shortens a text to n columns.
func fit(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	cut, used := 0, 0
	for i, r := range s {
		if used += runeColumns(r); used > n-1 {
			break
		}
		cut = i + len(string(r))
	}
	if n < 1 {
		return ""
	}
	return s[:cut] + "…"
}

// Wrap splits text into lines of at most n columns, if possible at spaces. It keeps the text's own lines and their indentation.
func Wrap(s string, n int) (lines []string) {
	n = max(n, 2) // a wide character takes two columns
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		l = strings.ReplaceAll(l, "\t", "    ")
		for columns(l) > n {
			cut, space, used := 0, 0, 0
			for i, r := range l {
				if r == ' ' && used > n/2 && used <= n {
					space = i
				}
				if used += runeColumns(r); used <= n {
					cut = i + len(string(r))
				} else if used > n+1 {
					break
				}
			}
			if space > 0 {
				cut = space
			}
			lines = append(lines, l[:cut])
			l = strings.TrimPrefix(l[cut:], " ")
		}
		lines = append(lines, l)
	}
	return lines
}

// Box draws lines on a panel that fits them, with its corner at (x, y), and
// returns the panel's rectangle. The first line has a colour of its own.
func (c *Canvas) Box(x, y int, lines []string, first color.RGBA) image.Rectangle {
	pad := c.Units(6)
	w := 0
	for _, l := range lines {
		w = max(w, c.Width(l))
	}
	r := image.Rect(x, y, x+w+2*pad, y+len(lines)*c.line+2*pad).Intersect(c.Img.Rect)
	c.Fill(r, Panel)
	col := first
	for i, l := range lines {
		c.Text(x+pad, y+pad+i*c.line, l, col)
		col = Text
	}
	return r
}

func opaque(c color.RGBA) color.RGBA { c.A = 255; return c }
