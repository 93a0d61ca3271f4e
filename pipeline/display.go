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

// displays holds the registers outside of the internal ones, and the colour
// tables behind two of them. Most are those of the display controllers and the
// screens. Memory fills and transfers keep their registers here too.
// external.go does what writes to them trigger.
type displays struct {
	ext    [externalRegs]uint32 // external registers, from 0x10400000
	lcd    [lcdRegs]uint32      // screen registers, from 0x10202000
	colors [2]*[256]rgba        // colour tables of the screens; nil is the identity
}

// external returns the external register at a physical address.
func (d *displays) external(addr uint32) *uint32 { return &d.ext[(addr-externalBase)/4] }

// pdc returns a register of display controller half (0 is the top screen's).
// addr is the physical address of the top screen's register.
func (d *displays) pdc(half int, addr uint32) uint32 {
	return *d.external(addr + uint32(half)*pica.StridePdc)
}

// scan returns how a controller scans its framebuffers.
func (d *displays) scan(half int) (mode pica.Interlace, double bool) {
	f := d.pdc(half, pica.ExtPdcFormat)
	return pica.Interlace(pica.PdcInterlace.Of(f)), pica.PdcDouble.BoolOf(f)
}

// side returns the controller of a screen, and whether the screen's first line
// comes from framebuffer B. That is so for the right eye; mode BA exchanges the
// two framebuffers.
func (d *displays) side(s Screen) (half int, b bool) {
	if s == ScreenBottom {
		half = 1
	}
	mode, _ := d.scan(half)
	return half, (s == ScreenTopRight) != (mode == pica.InterlaceBA)
}

// framebufferRegs returns the registers with the two addresses of framebuffer A
// or B.
func framebufferRegs(b bool) (first, second uint32) {
	if b {
		return pica.ExtPdcAddrB0, pica.ExtPdcAddrB1
	}
	return pica.ExtPdcAddrA0, pica.ExtPdcAddrA1
}

// framebuffer returns the address of framebuffer A or B that is shown.
func (d *displays) framebuffer(half int, b bool) uint32 {
	first, second := framebufferRegs(b)
	if pica.PdcNext.BoolOf(d.pdc(half, pica.ExtPdcSelect)) {
		first = second
	}
	return pica.PdcAddrA0.AddrOf(d.pdc(half, first))
}

// display is the configuration of one screen.
type display struct {
	// Column x of the picture is line x / repeat of the framebuffer at
	// frames[x % 2].
	frames [2]uint32
	repeat int

	format pica.ScreenFormat
	stride uint32 // bytes from one line to the next; may be negative
	double bool   // show every pixel of a line twice
	lines  int    // columns of the screen
	// The image covers count pixels of a line from first on, and count lines; around it is border. Of a line, read pixels come from memory, the
	// last one is repeated.
	first, count [2]int
	read         int

	overscan rgba       // colour outside of the framebuffer
	table    *[256]rgba // colours, or nil
	fill     uint32     // register with the colour that is shown instead of the framebuffer, or 0
}

// display reads the registers of a screen.
//
// ScanModes: the top screen has 800 columns; two of them make one column of its
// ordinary resolution. Mode A sends every line of framebuffer A once, mode AA
// twice. AB and BA send a line of A and a line of B in turn, and the parallax
// barrier shows each to one eye. Bit 6 doubles the output: lines on the top
// screen, pixels on the bottom screen.
func (p *displays) display(s Screen) display {
	half, b := p.side(s)
	mode, double := p.scan(half)
	addr := p.framebuffer(half, b)
	size := p.pdc(half, pica.ExtPdcSize)
	d := display{
		frames: [2]uint32{addr, addr}, repeat: 1,
		format:   pica.ScreenFormat(pica.PdcFormat.Of(p.pdc(half, pica.ExtPdcFormat))),
		stride:   p.pdc(half, pica.ExtPdcStride) &^ 15,
		lines:    [2]int{topLines, bottomLines}[half],
		overscan: p.pdc(half, pica.ExtPdcOverscan)&0xFFFFFF | screenOpaque,
		table:    p.colors[half],
	}
	if d.format.Bytes() == 0 { // formats 5, 6 and 7 do not exist
		d.format, d.double = pica.ScreenFormatRGBA8, true
	}
	switch {
	case half == 0 && mode == pica.InterlaceA && !double:
		d.lines = wideLines
	case half == 0 && !double: // AA has each line twice, AB and BA have a picture for each eye
	case half == 1 && mode == pica.InterlaceA:
	case mode == pica.InterlaceAA:
		d.repeat = 2
	case mode >= pica.InterlaceAB:
		d.frames, d.repeat = [2]uint32{addr, p.framebuffer(half, !b)}, 2
	}
	if half == 1 && double {
		d.double = true
	}
	time := func(addr uint32, f pica.Field) int { return int(f.Of(p.pdc(half, addr))) }
	d.first[0], d.count[0] = imageIn(screenLine, time(pica.ExtPdcLineEdge, pica.PdcLineEdge), time(pica.ExtPdcLineStart, pica.PdcLineStart), time(pica.ExtPdcLineEnd, pica.PdcLineEnd))
	each := 1
	if d.lines == wideLines {
		each = 2 // times count the columns of the ordinary resolution
	}
	first, count := imageIn(d.lines/each, time(pica.ExtPdcColumnEdge, pica.PdcColumnEdge), time(pica.ExtPdcColumnStart, pica.PdcColumnStart), time(pica.ExtPdcColumnEnd, pica.PdcColumnEnd))
	d.first[1], d.count[1] = first*each, count*each
	if d.read = d.count[0]; pica.PdcWidth.Of(size) != 0 {
		d.read = min(d.read, int(pica.PdcWidth.Of(size)))
	}
	fill := [2]uint32{pica.ExtLcdFillTop, pica.ExtLcdFillBottom}[half]
	if w := p.lcd[(fill-lcdBase)/4]; pica.LcdFillEnable.BoolOf(w) {
		d.fill = w
	}
	return d
}

// imageIn returns where the image lies on a side of a screen: from start to end,
// if the side begins at edge. Without such times it covers the side.
func imageIn(side, edge, start, end int) (first, count int) {
	if end <= start {
		return 0, side
	}
	first = max(0, min(start-edge, side))
	return first, min(end-start, side-first)
}

// at returns the line and the pixel of the framebuffers that a place of the
// screen shows; ok is false in the border.
func (d *display) at(column, pixel int) (line, at int, ok bool) {
	line, at = column-d.first[1], pixel-d.first[0]
	return line, min(at, d.read-1), line >= 0 && at >= 0 && line < d.count[1] && at < d.count[0]
}

// picture draws what a screen shows.
func (g *GPU) picture(d display) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, d.lines, screenLine))
	// Lines are written eight at a time: one column at a time would touch every row
	// of the picture for each.
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

// line decodes one line of a screen.
func (g *GPU) line(d *display, x int, dst *[screenLine]rgba) {
	if d.fill != 0 {
		paint(dst[:], d.fill&0xFFFFFF)
		return
	}
	x, _, ok := d.at(x, d.first[0])
	if !ok {
		paint(dst[:], d.overscan)
		return
	}
	paint(dst[:d.first[0]], d.overscan)
	paint(dst[d.first[0]+d.count[0]:], d.overscan)
	image := dst[d.first[0]:][:d.count[0]]
	from := span{d.frames[x&1] + uint32(x/d.repeat)*d.stride, screenLine * uint32(d.format.Bytes())}
	g.usesRead(UseScreen, from)
	src, err := g.Read(from.addr, from.bytes)
	if err != nil {
		paint(image, 0)
		return
	}
	d.format.Color().Decode(image[:d.read], src)
	if d.double {
		for i := d.read - 1; i > 0; i-- {
			image[i] = image[i/2]
		}
	}
	paint(image[d.read:], image[d.read-1])
	if d.table != nil {
		for i, c := range image {
			image[i] = d.table[c&0xFF]&0xFF | d.table[c>>8&0xFF]&0xFF00 | d.table[c>>16&0xFF]&0xFF0000
		}
	}
}

func paint(dst []rgba, c rgba) {
	for i := range dst {
		dst[i] = c
	}
}

// colorTable returns the entry that an access to a controller's colour table
// register reaches. Each access advances the index by one.
//
// ColorTable: each channel of a pixel, widened to 8 bits, is an index into the
// table, which gives the new value of that channel. Entry i is i in all
// channels at the start.
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
