package pipeline

import (
	"fmt"

	"pica200/pica"
)

// Transfer is a display transfer: it converts an image from one format, layout
// and size to another.
type Transfer struct {
	Src, Dst            uint32 // physical addresses
	InWidth, InHeight   uint32 // pixels
	OutWidth, OutHeight uint32 // pixels, before scaling
	InFormat, OutFormat pica.ScreenFormat
	InTiled, OutTiled   bool
	Block32             bool // tiles of 32x32 instead of 8x8
	Flip                bool // turned upside down
	Crop                bool // lines of the input may be wider than the output's, see InLine
	Scaling             pica.TransferScale
}

func (t Transfer) String() string {
	return fmt.Sprintf("display transfer from 0x%08X (%v, %dx%d, %v) to 0x%08X (%v, %dx%d, %v), scale %v",
		t.Src, t.InFormat, t.InWidth, t.InHeight, t.Tiling(t.InTiled),
		t.Dst, t.OutFormat, t.OutWidth, t.OutHeight, t.Tiling(t.OutTiled), t.Scaling)
}

func (t Transfer) Tiling(on bool) pica.Tiling {
	switch {
	case !on:
		return pica.Linear
	case t.Block32:
		return pica.Tiled32
	}
	return pica.Tiled8
}

// engineRegs are the registers of the transfer engine, one word each.
type engineRegs []uint32

// word returns the register at a physical address.
func (r engineRegs) word(addr uint32) uint32 { return r[(addr-pica.ExtTransferInput)/4] }

// get returns the value of a field.
func (r engineRegs) get(f pica.Field) uint32 {
	return f.Of(r.word(pica.ExtTransferInput&^0xFFFF | uint32(f.Reg)))
}

func (r engineRegs) on(f pica.Field) bool { return r.get(f) != 0 }

// decodeTransfer reads the registers of a display transfer. Tiled to tiled (bit
// 5) overrides linear to tiled (bit 1), which overrides the default, tiled to
// linear (3dbrew). Azahar reads both bits together as linear to linear.
func decodeTransfer(r engineRegs) Transfer {
	toTiled, tiledToTiled := r.on(pica.TransferToTiled), r.on(pica.TransferTiledToTiled)
	return Transfer{
		Src:       pica.TransferInput.AddrOf(r.word(pica.ExtTransferInput)),
		Dst:       pica.TransferOutput.AddrOf(r.word(pica.ExtTransferOutput)),
		OutWidth:  r.get(pica.TransferOutputWidth) &^ 7,
		OutHeight: r.get(pica.TransferOutputHeight) &^ 7,
		InWidth:   r.get(pica.TransferInputWidth) &^ 7,
		InHeight:  r.get(pica.TransferInputHeight) &^ 7,
		InFormat:  min(pica.ScreenFormat(r.get(pica.TransferInputFormat)), pica.ScreenFormatRGBA4),
		OutFormat: min(pica.ScreenFormat(r.get(pica.TransferOutputFormat)), pica.ScreenFormatRGBA4),
		InTiled:   tiledToTiled || !toTiled,
		OutTiled:  tiledToTiled || toTiled,
		Block32:   r.on(pica.TransferBlock32),
		Flip:      r.on(pica.TransferFlip),
		Crop:      r.on(pica.TransferCrop),
		Scaling:   pica.TransferScale(r.get(pica.TransferScaleMode)),
	}
}

// InLine returns the length of the input's lines in memory, in pixels. Without
// crop and scaling, a narrower output makes them as short as its own (hwtests,
// RGBA8_To_RGB8_Different_Sizes).
func (t Transfer) InLine() uint32 {
	if t.Crop || t.Scaling != pica.TransferScaleNone {
		return t.InWidth
	}
	return min(t.InWidth, t.OutWidth)
}

// pixel returns the addresses at which the pixel at column x of line y of the
// input is read and written. y counts before the flip. In a scaled transfer it
// is the first of the averaged pixels.
func (t Transfer) pixel(x, y uint32) (src, dst uint32) {
	width, height := t.Size()
	sx, sy, dy := x, y, y
	if t.Scaling != pica.TransferScaleNone {
		sx *= 2
	}
	if t.Scaling == pica.TransferScale2x2 {
		sy *= 2
	}
	if t.Flip {
		dy = height - 1 - y
	}
	src = t.Src + t.Tiling(t.InTiled).Index(t.InLine(), sx, sy)*uint32(t.InFormat.Bytes())
	dst = t.Dst + t.skew() + t.Tiling(t.OutTiled).Index(width, x, dy)*uint32(t.OutFormat.Bytes())
	return src, dst
}

// span is a range of physical memory.
type span struct {
	addr, bytes uint32
}

func (s span) overlaps(o span) bool {
	return s.bytes != 0 && o.bytes != 0 &&
		uint64(s.addr) < uint64(o.addr)+uint64(o.bytes) && uint64(o.addr) < uint64(s.addr)+uint64(s.bytes)
}

// Size returns the size of the output after scaling.
func (t Transfer) Size() (width, height uint32) {
	width, height = t.OutWidth, t.OutHeight
	if t.Scaling != pica.TransferScaleNone {
		width /= 2
	}
	if t.Scaling == pica.TransferScale2x2 {
		height /= 2
	}
	return width, height
}

// spans checks the transfer and returns the memory that it reads and writes.
func (t Transfer) spans() (src, dst span, err error) {
	fail := func(format string, args ...any) (span, span, error) {
		return span{}, span{}, fmt.Errorf("%v: "+format, append([]any{t}, args...)...)
	}
	width, height := t.Size()
	switch {
	case uint32(t.InFormat.Bytes()) == 0:
		return fail("input format %d does not exist", t.InFormat)
	case uint32(t.OutFormat.Bytes()) == 0:
		return fail("output format %d does not exist", t.OutFormat)
	case t.Scaling >= pica.TransferScaleInvalid:
		return fail("scaling must be 0, 1 or 2")
	case t.InWidth == 0 || t.InHeight == 0 || width == 0 || height == 0:
		return fail("a side of the image is 0")
	}
	cols, rows := uint64(width), uint64(height)
	if t.Scaling != pica.TransferScaleNone {
		cols *= 2
	}
	if t.Scaling == pica.TransferScale2x2 {
		rows *= 2
	}
	in := t.Tiling(t.InTiled).Bytes(uint64(t.InLine()), cols, rows, uint64(uint32(t.InFormat.Bytes())))
	out := t.Tiling(t.OutTiled).Bytes(uint64(width), uint64(width), uint64(height), uint64(uint32(t.OutFormat.Bytes())))
	if in >= 1<<32 || out >= 1<<32 {
		return fail("images of %d and %d bytes exceed memory", in, out)
	}
	return span{t.Src, uint32(in)}, span{t.Dst + t.skew(), uint32(out)}, nil
}

// skew returns how many bytes after its address the output of a transfer that
// flips and crops begins. Azahar does this for games that rely on it; 3dbrew
// does not mention it.
func (t Transfer) skew() uint32 {
	if !t.Flip || !t.Crop || t.InWidth < t.OutWidth {
		return 0
	}
	return (t.InWidth - t.OutWidth) * (t.OutHeight - 1) * uint32(t.OutFormat.Bytes())
}

// limits lists the console's requirements (3dbrew, Transfer Engine) that this
// transfer breaks. On the console that gives glitches that nobody has
// described; here it works as one would expect.
func (t Transfer) limits() (broken []string) {
	// Texts are made only for broken limits: a game runs this every frame.
	ask := func(met bool, what string, n uint32) {
		if met {
			return
		}
		if n != 0 {
			what = fmt.Sprintf(what, n)
		}
		broken = append(broken, "the console asks for "+what)
	}
	if !t.InTiled {
		return nil // the limits of linear input are unknown
	}
	rows, align := uint32(16), uint32(8)
	if t.InFormat == pica.ScreenFormatRGB8 || t.OutFormat == pica.ScreenFormatRGB8 {
		align = 16
	}
	if t.OutTiled {
		rows, align = 32, 128
		if t.InFormat <= pica.ScreenFormatRGB8 {
			align = 64
		}
		ask(t.Scaling != pica.TransferScale2x1, "scaling by 2x2 or none from tiled to tiled", 0)
	}
	ask(t.InWidth >= 64 && t.OutWidth >= 64, "widths of 64 pixels or more", 0)
	ask(t.InHeight >= rows && t.OutHeight >= rows, "heights of %d pixels or more", rows)
	ask(t.OutWidth <= t.InWidth && t.OutHeight <= t.InHeight, "an output no larger than the input", 0)
	width, _ := t.Size()
	ask(t.InWidth*uint32(t.InFormat.Bytes())%align == 0 && width*uint32(t.OutFormat.Bytes())%align == 0, "lines of a multiple of %d bytes", align)
	if t.Scaling != pica.TransferScaleNone && !t.Crop { // games scale and crop in one transfer
		ask(t.InWidth == t.OutWidth && t.InHeight == t.OutHeight, "an output of the input's size before scaling", 0)
	}
	if t.Block32 {
		ask(t.OutWidth%32 == 0 && t.OutHeight%32 == 0, "an output of whole blocks of 32x32", 0)
	}
	return broken
}

// hangs says why the console never ends this transfer; "" if it does. It
// converts RGBA8 to all formats, those of 16 bits to each other, and RGB8 to
// itself (3dbrew, hardware-tested).
func (t Transfer) hangs() string {
	in, out := t.InFormat.Bytes(), t.OutFormat.Bytes()
	switch {
	case in != out && in != 4:
		return "the console cannot convert between these formats"
	case t.InTiled && t.OutTiled && t.Scaling == pica.TransferScaleNone && t.OutWidth == 32 && t.OutHeight == 32: // libn3ds, gfx.c
		return "the console cannot do 32x32 pixels from tiled to tiled"
	}
	return ""
}
