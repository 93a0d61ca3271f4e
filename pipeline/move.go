package pipeline

import (
	"fmt"
	"image"

	"pica200/explain/rows"
	"pica200/internal/plural"
	"pica200/pica"
)

// Move is a memory fill, a display transfer or a texture copy: the work of a
// frame besides draws.
type Move interface {
	// Row describes it, with details below.
	Row() rows.Row
	// Writes returns the range of physical memory that it writes; 0 bytes if it
	// cannot run.
	Writes() (addr, bytes uint32)
}

// Writes returns the range that is filled.
func (f Fill) Writes() (addr, bytes uint32) { return f.Start, max(f.End, f.Start) - f.Start }

// Writes returns the range of the output.
func (t Transfer) Writes() (addr, bytes uint32) {
	_, dst, _ := t.spans()
	return dst.addr, dst.bytes
}

// Writes returns the range of the output, including the gaps between its lines.
func (c TextureCopy) Writes() (addr, bytes uint32) {
	_, dst, _ := c.spans()
	return dst.addr, dst.bytes
}

// Row describes the fill.
func (f Fill) Row() rows.Row {
	_, n := f.Writes()
	value := fmt.Sprintf("%0*X", f.Bits/4, f.Value)
	return rows.New("fill", "0x{start|%08X} to 0x{end|%08X} with 0x{value}", "start", f.Start, "end", f.End, "value", value).In("",
		rows.New("memory", "{size}, from 0x{start|%08X} to 0x{end|%08X}", "size", plural.Of(int(n), "byte"), "start", f.Start, "end", f.End),
		rows.New("value", "0x{value}, of {bits} bits", "value", value, "bits", f.Bits))
}

// Row describes the transfer.
func (t Transfer) Row() rows.Row {
	width, height := t.Size()
	list := []rows.Row{
		rows.New("from", "{width}x{height} {format}, {tiling}, at 0x{address|%08X}", "width", t.InWidth, "height", t.InHeight, "format", t.InFormat, "tiling", t.tiling(t.InTiled), "address", t.Src),
		rows.New("to", "{width}x{height} {format}, {tiling}, at 0x{address|%08X}", "width", width, "height", height, "format", t.OutFormat, "tiling", t.tiling(t.OutTiled), "address", t.Dst),
	}
	if t.Scaling != pica.TransferScaleNone {
		list = append(list, rows.New("scaled", "{scale}: the mean of the pixels that become one", "scale", t.Scaling))
	}
	if t.Flip {
		list = append(list, rows.New("turned", "upside down"))
	}
	if t.Crop {
		list = append(list, rows.New("cropped", "lines of the input may be wider than the output's"))
	}
	return rows.New("transfer", "0x{src|%08X} ({in}, {width}x{height}) to 0x{dst|%08X} ({out}, {columns}x{lines})",
		"src", t.Src, "in", t.InFormat, "width", t.InWidth, "height", t.InHeight, "dst", t.Dst, "out", t.OutFormat, "columns", t.OutWidth, "lines", t.OutHeight).In("", list...)
}

// Row describes the copy.
func (c TextureCopy) Row() rows.Row {
	side := func(label string, addr, line, gap uint32) rows.Row {
		if gap == 0 {
			return rows.New(label, "0x{address|%08X}, in one piece", "address", addr)
		}
		return rows.New(label, "0x{address|%08X}, lines of {line} bytes with gaps of {gap} between them", "address", addr, "line", line, "gap", gap)
	}
	return rows.New("copy", "{size} bytes, 0x{src|%08X} to 0x{dst|%08X}", "size", c.Size, "src", c.Src, "dst", c.Dst).In("",
		side("from", c.Src, c.InLine, c.InGap), side("to", c.Dst, c.OutLine, c.OutGap))
}

// TransferImage returns the output of a transfer as an image, with rows as they
// lie in memory. The output for a screen therefore lies on its side.
func (g *GPU) TransferImage(t Transfer) (*image.NRGBA, error) {
	_, dst, err := t.spans()
	if err != nil {
		return nil, err
	}
	data, err := g.Read(dst.addr, dst.bytes)
	if err != nil {
		return nil, err
	}
	width, height := t.Size()
	img := image.NewNRGBA(image.Rect(0, 0, int(width), int(height)))
	format, pixel, tiling := t.OutFormat.Color(), uint32(t.OutFormat.Bytes()), t.tiling(t.OutTiled)
	var one [1]uint32
	for y := range height {
		for x := range width {
			at := tiling.Index(width, x, y) * pixel
			format.Decode(one[:], data[at:at+pixel])
			i := img.PixOffset(int(x), int(y))
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = uint8(one[0]), uint8(one[0]>>8), uint8(one[0]>>16), uint8(one[0]>>24)
		}
	}
	return img, nil
}
