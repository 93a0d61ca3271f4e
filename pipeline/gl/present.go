package gl

import (
	"fmt"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
)

// screenBuffer is the framebuffer of a screen.
type screenBuffer struct{ mem block }

// screenLines are the lines of the top and the bottom screen; a line has 240
// pixels.
var screenLines = [2]int{400, 320}

const screenPixels = 240

// screenFormatOf is the transfer format with the layout of a colour format.
var screenFormatOf = map[pica.ColorFormat]pica.ScreenFormat{
	pica.ColorFormatRGBA8: pica.ScreenFormatRGBA8, pica.ColorFormatRGB8: pica.ScreenFormatRGB8,
	pica.ColorFormatRGB5A1: pica.ScreenFormatRGB5A1, pica.ColorFormatRGB565: pica.ScreenFormatRGB565,
	pica.ColorFormatRGBA4: pica.ScreenFormatRGBA4,
}

// Present shows a target on a screen, in 24-bit colour. The target has the size
// of the screen as it lies in memory, 240x400 for the top and 240x320 for the
// bottom screen, or twice that in both directions, which smooths edges.
func (c *Context) Present(s pipeline.Screen, t *Target) error {
	if s != pipeline.ScreenTop && s != pipeline.ScreenBottom {
		return fmt.Errorf("present: the screen is %v; expected the top or the bottom screen", s)
	}
	lines := screenLines[s]
	scale := pica.TransferScaleNone
	switch {
	case t.width == screenPixels && t.height == lines:
	case t.width == 2*screenPixels && t.height == 2*lines:
		scale = pica.TransferScale2x2
	default:
		return fmt.Errorf("present: the target has %dx%d pixels; the %v screen takes %dx%d or twice that", t.width, t.height, s, screenPixels, lines)
	}
	if t.color.size == 0 {
		return fmt.Errorf("present: the target has no colour buffer")
	}
	out := pica.ScreenFormatRGB8
	if n := raster.ColorBytes(t.colorFormat); n < 3 { // the console cannot convert 16 bits to more
		out = screenFormatOf[t.colorFormat]
	}
	bytes := pipeline.PixelBytes(out)
	screen := c.screens[s]
	if screen == nil {
		mem, err := c.main.alloc(uint32(screenPixels*lines)*3, "framebuffer")
		if err != nil {
			return err
		}
		screen = &screenBuffer{mem}
		c.screens[s] = screen
	}
	if err := c.Flush(); err != nil {
		return err
	}
	flags := pica.TransferInputFormat.Put(0, uint32(screenFormatOf[t.colorFormat]))
	flags = pica.TransferOutputFormat.Put(flags, uint32(out))
	flags = pica.TransferScaleMode.Put(flags, uint32(scale))
	size := uint32(t.height)<<16 | uint32(t.width)
	pdc := uint32(s) * pica.StridePdc
	format := pica.PdcFormat.Put(0, uint32(out))
	if s == pipeline.ScreenTop {
		format = pica.PdcDouble.PutBool(format, true)
	}
	err := c.writeRegisters(
		pica.ExtTransferInput, t.color.addr>>3,
		pica.ExtTransferOutput, screen.mem.addr>>3,
		pica.ExtTransferOutputDim, size,
		pica.ExtTransferInputDim, size,
		pica.ExtTransferFlags, flags,
		pica.ExtTransferStart, 1,
		pica.ExtPdcSize+pdc, uint32(lines)<<16|screenPixels,
		pica.ExtPdcAddrA0+pdc, screen.mem.addr,
		pica.ExtPdcFormat+pdc, format,
		pica.ExtPdcStride+pdc, screenPixels*bytes,
		pica.ExtPdcSelect+pdc, 0)
	if err != nil {
		return fmt.Errorf("present: %w", err)
	}
	return nil
}
