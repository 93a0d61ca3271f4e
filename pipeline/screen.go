package pipeline

import (
	"encoding/binary"
	"fmt"
	"image"

	"pica200/pica"
)

// Screen is one of the pictures that the console shows.
type Screen uint8

// The top screen shows two pictures when it is in stereo.
const (
	ScreenTop Screen = iota // the left eye's in stereo
	ScreenBottom
	ScreenTopRight // the right eye's
)

func (s Screen) String() string {
	if s <= ScreenTopRight {
		return [...]string{"top", "bottom", "topright"}[s]
	}
	return fmt.Sprintf("screen %d", uint8(s))
}

// pdc is the register of a screen's display controller at a physical address,
// given for the top screen.
func (g *GPU) pdc(half int, addr uint32) uint32 {
	return *g.external(addr + uint32(half)*pica.StridePdc)
}

const (
	screenLine   = 240 // pixels of a line: the height of the screen
	wideLines    = 800
	maxLines     = 1024
	topLines     = 400
	bottomLines  = 320
	screenOpaque = 0xFF << 24
)

// display is what one screen is set up to show.
type display struct {
	addr   uint32
	format pica.ScreenFormat
	stride uint32 // added to the address for the next line; may be negative
	lines  int    // width of the picture
	fill   uint32 // the register of a colour that is shown instead, or 0
}

// Stereo reports whether the top screen shows two pictures: lines of both eyes
// in turn, none of them twice (GSP's mode 2; 3dbrew, Framebuffer format).
func (g *GPU) Stereo() bool {
	f := g.pdc(0, pica.ExtPdcFormat)
	interlaced := pica.Interlace(pica.PdcInterlace.Of(f)) >= pica.InterlaceAB
	return interlaced && !pica.PdcDouble.BoolOf(f)
}

// wide reports whether the top screen shows its full resolution: neither
// interlaced nor with lines shown twice (GSP's mode 1).
func (g *GPU) wide() bool {
	f := g.pdc(0, pica.ExtPdcFormat)
	return pica.Interlace(pica.PdcInterlace.Of(f)) < pica.InterlaceAB && !pica.PdcDouble.BoolOf(f)
}

// display reads the registers of a screen.
func (g *GPU) display(s Screen) display {
	half, fill := 0, pica.ExtLcdFillTop
	if s == ScreenBottom {
		half, fill = 1, pica.ExtLcdFillBottom
	}
	first, second := pica.ExtPdcAddrA0, pica.ExtPdcAddrA1
	if s == ScreenTopRight {
		first, second = pica.ExtPdcAddrB0, pica.ExtPdcAddrB1
	}
	if pica.PdcNext.BoolOf(g.pdc(half, pica.ExtPdcSelect)) {
		first = second
	}
	d := display{
		addr:   g.pdc(half, first),
		format: pica.ScreenFormat(pica.PdcFormat.Of(g.pdc(half, pica.ExtPdcFormat))),
		stride: g.pdc(half, pica.ExtPdcStride),
		lines:  int(pica.PdcHeight.Of(g.pdc(half, pica.ExtPdcSize))),
	}
	if d.lines == 0 || d.lines > maxLines {
		d.lines = [2]int{topLines, bottomLines}[half]
	}
	if half == 0 && g.wide() {
		d.lines = wideLines
	}
	if w := g.lcd[(fill-lcdBase)/4]; pica.LcdFillEnable.BoolOf(w) {
		d.fill = w
	}
	return d
}

// Framebuffers are the two addresses that a screen's picture can be at: the one
// that is shown, and the one that a program draws the next to.
func (g *GPU) Framebuffers(s Screen) (shown, other uint32) {
	half, first, second := 0, pica.ExtPdcAddrA0, pica.ExtPdcAddrA1
	switch s {
	case ScreenBottom:
		half = 1
	case ScreenTopRight:
		first, second = pica.ExtPdcAddrB0, pica.ExtPdcAddrB1
	}
	shown = g.display(s).addr
	if other = g.pdc(half, first); other == shown {
		other = g.pdc(half, second)
	}
	return shown, other
}

// Screen returns what a screen shows, upright: a line of the framebuffer is a
// column of the picture, from left to right, and its first pixel is the lowest.
// Lines that lie outside of memory are black.
func (g *GPU) Screen(s Screen) *image.RGBA { return g.picture(g.display(s)) }

// ScreenAt returns what a screen would show if its picture were at an address.
func (g *GPU) ScreenAt(s Screen, addr uint32) *image.RGBA {
	d := g.display(s)
	d.addr = addr
	return g.picture(d)
}

func (g *GPU) picture(d display) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, d.lines, screenLine))
	var line [screenLine]rgba
	for i := range line {
		line[i] = screenOpaque
	}
	if d.fill != 0 {
		for i := range line {
			line[i] = d.fill&0xFFFFFF | screenOpaque
		}
	}
	format := d.format
	if format.Bytes() == 0 {
		format = pica.ScreenFormatRGBA8 // 5, 6 and 7 behave like RGBA8 with doubled pixels
	}
	n := screenLine * uint32(format.Bytes())
	// Lines are written eight at a time, so that the picture's rows are not
	// walked through once for each column.
	var block [8][screenLine]rgba
	for x := 0; x < d.lines; x += len(block) {
		count := min(len(block), d.lines-x)
		for i := range count {
			block[i] = line
			if d.fill != 0 {
				continue
			}
			if src, err := g.Read(d.addr+uint32(x+i)*d.stride, n); err == nil {
				format.Color().Decode(block[i][:], src)
			}
		}
		for y := range screenLine {
			row := img.Pix[y*img.Stride+4*x:]
			for i := range count {
				binary.LittleEndian.PutUint32(row[4*i:], block[i][screenLine-1-y]|screenOpaque)
			}
		}
	}
	return img
}
