package pipeline

import (
	"encoding/binary"
	"fmt"
	"image"
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

// Registers of a screen's display controller, relative to its first register.
const (
	screenSize   = 0x5C // width in the low half, height in the high
	screenLeft0  = 0x68 // address of framebuffer 0, of the left eye
	screenLeft1  = 0x6C
	screenFormat = 0x70
	screenSelect = 0x78 // bit 0: framebuffer 1
	screenStride = 0x90 // bytes, signed
	screenRight0 = 0x94
	screenRight1 = 0x98
)

// screenBases are the first registers of the top and the bottom screen.
var screenBases = [2]uint32{0x400, 0x500}

// Bits of the format register that decide the mode of the top screen; GSP
// knows three combinations (3dbrew, Framebuffer format).
const (
	formatInterlaced = 1 << 5 // lines of both eyes alternate: stereo
	formatDoubled    = 1 << 6 // lines are shown twice: the ordinary mode
)

// lcdFill are the registers, relative to 0x10202000, that show one colour
// instead of the framebuffer: bits 0-23 colour with red lowest, bit 24 enable.
var lcdFill = [2]uint32{0x204, 0xA04}

const (
	screenLine   = 240 // pixels of a line: the height of the screen
	wideLines    = 800
	maxLines     = 1024
	topLines     = 400
	bottomLines  = 320
	lcdFillOn    = 1 << 24
	screenOpaque = 0xFF << 24
)

// display is what one screen is set up to show.
type display struct {
	addr   uint32
	format PixelFormat
	stride uint32 // added to the address for the next line; may be negative
	lines  int    // width of the picture
	fill   uint32 // lcdFillOn and a colour, or 0
}

// Stereo reports whether the top screen shows two pictures.
func (g *GPU) Stereo() bool {
	f := g.ext[(screenBases[0]+screenFormat)/4]
	return f&formatInterlaced != 0 && f&formatDoubled == 0
}

// display reads the registers of a screen.
func (g *GPU) display(s Screen) display {
	half := 0
	if s == ScreenBottom {
		half = 1
	}
	reg := func(offset uint32) uint32 { return g.ext[(screenBases[half]+offset)/4] }
	second := reg(screenSelect) & 1
	left := [2]uint32{screenLeft0, screenLeft1}
	right := [2]uint32{screenRight0, screenRight1}
	address := left[second]
	if s == ScreenTopRight {
		address = right[second]
	}
	format := reg(screenFormat)
	d := display{
		addr:   reg(address),
		format: PixelFormat(format & 7),
		stride: reg(screenStride),
		lines:  int(reg(screenSize) >> 16),
	}
	if d.lines == 0 || d.lines > maxLines {
		d.lines = [2]int{topLines, bottomLines}[half]
	}
	if half == 0 && format&(formatInterlaced|formatDoubled) == 0 {
		d.lines = wideLines // GSP's mode 1: the full resolution of the top screen
	}
	if f := g.lcd[lcdFill[half]/4]; f&lcdFillOn != 0 {
		d.fill = f
	}
	return d
}

// Screen returns what a screen shows, upright: a line of the framebuffer is a
// column of the picture, from left to right, and its first pixel is the lowest.
// Lines that lie outside of memory are black.
func (g *GPU) Screen(s Screen) *image.RGBA {
	d := g.display(s)
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
	if format > PixelRGBA4 {
		format = PixelRGBA8 // 5, 6 and 7 behave like RGBA8 with doubled pixels
	}
	n := screenLine * format.Bytes()
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
				decodePixels(format, src, block[i][:])
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
