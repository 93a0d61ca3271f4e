package gl

import (
	"context"
	"errors"
	"fmt"

	"pica200/pica"
	"pica200/pipeline"
)

// screenBuffer is the framebuffer of a screen.
type screenBuffer struct {
	mem    block
	format pica.ScreenFormat
}

// screenLines are the lines of the screens; a line has 240 pixels.
var screenLines = [...]int{pipeline.ScreenTop: 400, pipeline.ScreenBottom: 320, pipeline.ScreenTopRight: 400}

const (
	screenPixels = 240
	wideLines    = 800 // of the top screen where it shows all its columns
)

// Present shows a target on a screen, in 24-bit colour. The target has the size
// of the screen in memory, 240x400 for the top and 240x320 for the bottom
// screen, or twice that in both directions, which smooths edges. For the top
// screen it can also be 240x800, with twice as many columns (wide mode).
//
// Presenting to the right eye's picture turns on stereo for the top screen.
func (c *Context) Present(ctx context.Context, s pipeline.Screen, t *Target) error {
	if err := c.present(ctx, s, t); err != nil {
		return fmt.Errorf("present: %w", err)
	}
	return nil
}

func (c *Context) present(ctx context.Context, s pipeline.Screen, t *Target) error {
	lines, scale, err := fits(s, t)
	if err != nil {
		return err
	}
	out := pica.ScreenFormatRGB8
	if n := t.colorFormat.Bytes(); n < 3 { // the console cannot convert 16 bits to more
		out = t.colorFormat.Screen()
	}
	screen, err := c.screen(s)
	if err != nil {
		return err
	}
	screen.format = out
	display, err := c.display(s, out, lines == wideLines)
	if err != nil {
		return err
	}
	if err := c.Flush(ctx); err != nil {
		return err
	}
	flags := pica.TransferInputFormat.Put(0, uint32(t.colorFormat.Screen()))
	flags = pica.TransferOutputFormat.Put(flags, uint32(out))
	flags = pica.TransferScaleMode.Put(flags, uint32(scale))
	size := uint32(t.height)<<16 | uint32(t.width)
	pdc, at := uint32(0), pica.ExtPdcAddrA0
	switch s {
	case pipeline.ScreenBottom:
		pdc = pica.StridePdc
	case pipeline.ScreenTopRight:
		at = pica.ExtPdcAddrB0
	}
	return c.writeRegisters(ctx,
		pica.ExtTransferInput, t.color.addr>>3,
		pica.ExtTransferOutput, screen.mem.addr>>3,
		pica.ExtTransferOutputDim, size,
		pica.ExtTransferInputDim, size,
		pica.ExtTransferFlags, flags,
		pica.ExtTransferStart, 1,
		pica.ExtPdcSize+pdc, uint32(lines)<<16|screenPixels,
		at+pdc, screen.mem.addr,
		pica.ExtPdcFormat+pdc, display,
		pica.ExtPdcStride+pdc, screenPixels*uint32(out.Bytes()),
		pica.ExtPdcSelect+pdc, 0)
}

// fits returns the lines that a target has on a screen, and how it is scaled.
func fits(s pipeline.Screen, t *Target) (lines int, scale pica.TransferScale, err error) {
	if int(s) >= len(screenLines) {
		return 0, 0, fmt.Errorf("there is no %v", s)
	}
	lines = screenLines[s]
	switch {
	case t.width == screenPixels && t.height == lines:
	case t.width == 2*screenPixels && t.height == 2*lines:
		scale = pica.TransferScale2x2
	case t.width == screenPixels && t.height == wideLines && s == pipeline.ScreenTop:
		lines = wideLines
	default:
		return 0, 0, fmt.Errorf("the target has %dx%d pixels; the %v screen takes %dx%d or twice that", t.width, t.height, s, screenPixels, lines)
	}
	if t.color.size == 0 {
		return 0, 0, errors.New("the target has no colour buffer")
	}
	return lines, scale, nil
}

// screen returns the framebuffer of a screen.
func (c *Context) screen(s pipeline.Screen) (*screenBuffer, error) {
	if b := c.screens[s]; b != nil {
		return b, nil
	}
	room := screenLines[s]
	if s == pipeline.ScreenTop {
		room = wideLines
	}
	mem, err := c.main.alloc(uint32(screenPixels*room)*3, "framebuffer")
	if err != nil {
		return nil, err
	}
	c.screens[s] = &screenBuffer{mem: mem}
	return c.screens[s], nil
}

// display returns the format register of a screen.
func (c *Context) display(s pipeline.Screen, out pica.ScreenFormat, wide bool) (uint32, error) {
	format := pica.PdcFormat.Put(0, uint32(out))
	left, right := c.screens[pipeline.ScreenTop], c.screens[pipeline.ScreenTopRight]
	switch stereo := right != nil; {
	case s == pipeline.ScreenBottom:
		return format, nil
	case stereo && wide:
		return 0, errors.New("the top screen cannot be wide and in stereo")
	case stereo && left != nil && left.format != right.format:
		return 0, fmt.Errorf("one eye's picture is %v, the other's %v; the top screen has one format", left.format, right.format)
	case stereo:
		return pica.PdcInterlace.Put(format, uint32(pica.InterlaceAB)), nil
	}
	return pica.PdcDouble.PutBool(format, !wide), nil
}
