package pipeline

import (
	"fmt"
	"image"

	"pica200/pica"
)

// Screen is one of the pictures that the console shows.
type Screen uint8

// The top screen shows two pictures when it is in stereo.
const (
	ScreenTop Screen = iota // in stereo the picture of the left eye
	ScreenBottom
	ScreenTopRight // the picture of the right eye
)

func (s Screen) String() string {
	if s <= ScreenTopRight {
		return [...]string{"top", "bottom", "topright"}[s]
	}
	return fmt.Sprintf("screen %d", uint8(s))
}

// Stereo reports whether the top screen shows two pictures: alternating lines
// for both eyes (mode 2 of GSP; 3dbrew, Framebuffer format).
func (g *GPU) Stereo() bool {
	mode, double := g.scan(0)
	return mode >= pica.InterlaceAB && !double
}

// Framebuffers returns the two addresses of a screen's picture: the one that is
// shown, and the one for the next picture.
func (g *GPU) Framebuffers(s Screen) (shown, other uint32) {
	half, b := g.side(s)
	shown = g.framebuffer(half, b)
	first, second := framebufferRegs(b)
	if other = g.pdc(half, first); other == shown {
		other = g.pdc(half, second)
	}
	return shown, other
}

// Screen returns what a screen shows, upright: a line of the framebuffer is a
// column of the picture, from left to right, and its first pixel is at the
// bottom. Lines outside of memory are black. The top screen's picture has 400
// columns, or 800 in its full resolution; the bottom screen's has 320.
func (g *GPU) Screen(s Screen) *image.RGBA { return g.picture(g.display(s)) }

// ScreenAt returns what a screen would show if its framebuffer were at addr.
func (g *GPU) ScreenAt(s Screen, addr uint32) *image.RGBA {
	d := g.display(s)
	d.frames = [2]uint32{addr, addr}
	return g.picture(d)
}

// ScreenAddress returns the address and the number of bytes of the pixel at
// column x and row y, from the top left, of a screen's picture. ok is false if
// the screen shows no memory there: outside of the picture, outside of the
// framebuffer, or while it is filled with a colour.
func (g *GPU) ScreenAddress(s Screen, x, y int) (addr uint32, bytes int, ok bool) {
	d := g.display(s)
	x, at, ok := d.at(x, screenLine-1-y)
	if !ok || d.fill != 0 {
		return 0, 0, false
	}
	if d.double {
		at /= 2
	}
	bytes = d.format.Bytes()
	line := d.frames[x&1] + uint32(x/d.repeat)*d.stride
	return line + uint32(at*bytes), bytes, g.HasMemory(line, screenLine*uint32(bytes))
}
