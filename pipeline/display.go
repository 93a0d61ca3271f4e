package pipeline

import (
	"encoding/binary"
	"image"

	"pica200/pica"
)

// The display controllers, which send lines of framebuffers to the screens
// (3dbrew, LCD Source Framebuffer Setup). Lines are columns of the console held
// upright; a screen has 240 pixels in a line.
const (
	screenLine   = 240
	wideLines    = 800
	topLines     = 400
	bottomLines  = 320
	screenOpaque = 0xFF << 24
)

// displays are the registers outside of the GPU's internal ones, with the colour
// tables behind two of them: external registers, most of which are the display
// controllers', and the screens' own. Fills and transfers keep their registers
// here too; external.go acts on writes.
type displays struct {
	ext    [externalRegs]uint32 // external registers, from 0x10400000
	lcd    [lcdRegs]uint32      // screen registers, from 0x10202000
	colors [2]*[256]rgba        // colour tables of the screens; nil changes nothing
}

// external is the external register at a physical address.
func (d *displays) external(addr uint32) *uint32 { return &d.ext[(addr-externalBase)/4] }

// pdc is the register of a display controller, 0 that of the top screen, at a
// physical address given for the top screen.
func (d *displays) pdc(half int, addr uint32) uint32 {
	return *d.external(addr + uint32(half)*pica.StridePdc)
}

// scan is how a controller goes through its framebuffers.
func (d *displays) scan(half int) (mode pica.Interlace, double bool) {
	f := d.pdc(half, pica.ExtPdcFormat)
	return pica.Interlace(pica.PdcInterlace.Of(f)), pica.PdcDouble.BoolOf(f)
}

// side is the controller that a screen belongs to, and whether its first line
// comes from framebuffer B: that of the right eye, unless mode BA exchanges the
// two.
func (d *displays) side(s Screen) (half int, b bool) {
	if s == ScreenBottom {
		half = 1
	}
	mode, _ := d.scan(half)
	return half, (s == ScreenTopRight) != (mode == pica.InterlaceBA)
}

// framebufferRegs are the registers of the two addresses of framebuffer A or B.
func framebufferRegs(b bool) (first, second uint32) {
	if b {
		return pica.ExtPdcAddrB0, pica.ExtPdcAddrB1
	}
	return pica.ExtPdcAddrA0, pica.ExtPdcAddrA1
}

// framebuffer is the address that is shown of framebuffer A or B.
func (d *displays) framebuffer(half int, b bool) uint32 {
	first, second := framebufferRegs(b)
	if pica.PdcNext.BoolOf(d.pdc(half, pica.ExtPdcSelect)) {
		return d.pdc(half, second)
	}
	return d.pdc(half, first)
}

// display is what one screen is set up to show.
type display struct {
	// Column x of the picture is line x / repeat of the framebuffer at
	// frames[x % 2].
	frames [2]uint32
	repeat int

	format pica.ScreenFormat
	stride uint32 // added to the address for the next line; may be negative
	double bool   // every pixel of a line twice
	lines  int    // columns of the screen
	image  [2]int // pixels of a line, and lines, that the framebuffer has

	overscan rgba       // what is shown elsewhere
	table    *[256]rgba // colours, or nil
	fill     uint32     // the register of a colour that is shown instead, or 0
}

// display reads the registers of a screen.
//
// ScanModes: the top screen has 800 columns, of which two make one of its
// ordinary resolution. Mode A sends every line of framebuffer A, AA each of them
// twice, AB and BA a line of A and one of B in turn, which the parallax barrier
// shows to one eye each; bit 6 doubles what comes out, on the bottom screen
// pixels instead of lines.
func (p *displays) display(s Screen) display {
	half, b := p.side(s)
	mode, double := p.scan(half)
	addr := p.framebuffer(half, b)
	size := p.pdc(half, pica.ExtPdcSize)
	d := display{
		frames: [2]uint32{addr, addr}, repeat: 1,
		format:   pica.ScreenFormat(pica.PdcFormat.Of(p.pdc(half, pica.ExtPdcFormat))),
		stride:   p.pdc(half, pica.ExtPdcStride),
		lines:    [2]int{topLines, bottomLines}[half],
		overscan: p.pdc(half, pica.ExtPdcOverscan)&0xFFFFFF | screenOpaque,
		table:    p.colors[half],
	}
	if d.format.Bytes() == 0 { // 5, 6 and 7
		d.format, d.double = pica.ScreenFormatRGBA8, true
	}
	d.image = [2]int{int(pica.PdcWidth.Of(size)), int(pica.PdcHeight.Of(size))}
	switch {
	case half == 0 && mode == pica.InterlaceA && !double:
		d.lines, d.image[1] = wideLines, wideLines
	case half == 0 && !double: // AA twice the lines, AB and BA a picture an eye
	case half == 1 && mode == pica.InterlaceA:
	case mode == pica.InterlaceAA:
		d.repeat = 2
	case mode >= pica.InterlaceAB:
		d.frames, d.repeat = [2]uint32{addr, p.framebuffer(half, !b)}, 2
	}
	if half == 1 && double {
		d.double = true
	}
	if d.image[0] == 0 {
		d.image[0] = screenLine
	}
	if d.image[1] == 0 {
		d.image[1] = d.lines
	}
	fill := [2]uint32{pica.ExtLcdFillTop, pica.ExtLcdFillBottom}[half]
	if w := p.lcd[(fill-lcdBase)/4]; pica.LcdFillEnable.BoolOf(w) {
		d.fill = w
	}
	return d
}

// picture makes the picture of a screen.
func (g *GPU) picture(d display) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, d.lines, screenLine))
	// Lines are written eight at a time, so that the picture's rows are not
	// walked through once for each column.
	var block [8][screenLine]rgba
	for x := 0; x < d.lines; x += len(block) {
		count := min(len(block), d.lines-x)
		for i := range count {
			g.line(&d, x+i, &block[i])
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

// line makes a line of a screen.
func (g *GPU) line(d *display, x int, dst *[screenLine]rgba) {
	if d.fill != 0 {
		paint(dst[:], d.fill&0xFFFFFF)
		return
	}
	shown := min(d.image[0], screenLine)
	if x >= d.image[1] {
		shown = 0
	}
	paint(dst[shown:], d.overscan)
	from := span{d.frames[x&1] + uint32(x/d.repeat)*d.stride, screenLine * uint32(d.format.Bytes())}
	g.usesRead(UseScreen, from)
	src, err := g.Read(from.addr, from.bytes)
	if err != nil {
		paint(dst[:shown], 0)
		return
	}
	d.format.Color().Decode(dst[:shown], src)
	if d.double {
		for i := shown - 1; i > 0; i-- {
			dst[i] = dst[i/2]
		}
	}
	if d.table != nil {
		for i, c := range dst[:shown] {
			dst[i] = d.table[c&0xFF]&0xFF | d.table[c>>8&0xFF]&0xFF00 | d.table[c>>16&0xFF]&0xFF0000
		}
	}
}

func paint(dst []rgba, c rgba) {
	for i := range dst {
		dst[i] = c
	}
}

// colorTable is the register of a controller's colour table: the index goes up
// by one with each access.
//
// ColorTable: each channel of a pixel, widened to 8 bits, is replaced by its own
// channel of the entry with its number. At the start entry i is i in all
// channels.
func (d *displays) colorTable(half int) (entry *rgba) {
	if d.colors[half] == nil {
		d.colors[half] = new([256]rgba)
		for i := range d.colors[half] {
			d.colors[half][i] = uint32(i) * 0x010101
		}
	}
	index := d.external(pica.ExtPdcLutIndex + uint32(half)*pica.StridePdc)
	at := pica.PdcLutIndex.Of(*index)
	*index = pica.PdcLutIndex.Put(*index, at+1)
	return &d.colors[half][at]
}
