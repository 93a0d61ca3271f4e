package explain

import (
	"fmt"

	"pica200/explain/rows"
	"pica200/internal/plural"
	"pica200/pica"
	"pica200/pipeline"
)

// MoveRow describes a fill, a transfer or a copy, with details below.
func MoveRow(m pipeline.Move) rows.Row {
	switch m := m.(type) {
	case pipeline.Fill:
		return fillRow(m)
	case pipeline.Transfer:
		return transferRow(m)
	case pipeline.TextureCopy:
		return copyRow(m)
	}
	return rows.New("", m.String())
}

// moveName names what else than a draw wrote a pixel.
func moveName(m pipeline.Move) string {
	switch m.(type) {
	case pipeline.Fill:
		return "memory fill"
	case pipeline.Transfer:
		return "display transfer"
	case pipeline.TextureCopy:
		return "texture copy"
	}
	return m.String()
}

func fillRow(f pipeline.Fill) rows.Row {
	_, n := f.Writes()
	value := fmt.Sprintf("%0*X", f.Bits/4, f.Value)
	return rows.New("fill", "0x{start|%08X} to 0x{end|%08X} with 0x{value}", "start", f.Start, "end", f.End, "value", value).In("",
		rows.New("memory", "{size}, from 0x{start|%08X} to 0x{end|%08X}", "size", plural.Of(int(n), "byte"), "start", f.Start, "end", f.End),
		rows.New("value", "0x{value}, of {bits} bits", "value", value, "bits", f.Bits))
}

func transferRow(t pipeline.Transfer) rows.Row {
	width, height := t.Size()
	list := []rows.Row{
		rows.New("from", "{width}x{height} {format}, {tiling}, at 0x{address|%08X}", "width", t.InWidth, "height", t.InHeight, "format", t.InFormat, "tiling", t.Tiling(t.InTiled), "address", t.Src),
		rows.New("to", "{width}x{height} {format}, {tiling}, at 0x{address|%08X}", "width", width, "height", height, "format", t.OutFormat, "tiling", t.Tiling(t.OutTiled), "address", t.Dst),
	}
	if t.Scaling != pica.TransferScaleNone {
		list = append(list, rows.New("scaled", "{scale}: the mean of the pixels that become one", "scale", t.Scaling))
	}
	if t.Flip {
		list = append(list, rows.New("turned", "upside down"))
	}
	if line := t.InLine(); line < t.InWidth {
		list = append(list, rows.New("lines", "of the input are taken to be {line} pixels wide: there is no crop flag", "line", line))
	} else if t.Crop {
		list = append(list, rows.New("cropped", "lines of the input may be wider than the output's"))
	}
	return rows.New("transfer", "0x{src|%08X} ({in}, {width}x{height}) to 0x{dst|%08X} ({out}, {columns}x{lines})",
		"src", t.Src, "in", t.InFormat, "width", t.InWidth, "height", t.InHeight, "dst", t.Dst, "out", t.OutFormat, "columns", t.OutWidth, "lines", t.OutHeight).In("", list...)
}

func copyRow(c pipeline.TextureCopy) rows.Row {
	side := func(label string, addr, line, gap uint32) rows.Row {
		if gap == 0 {
			return rows.New(label, "0x{address|%08X}, in one piece", "address", addr)
		}
		return rows.New(label, "0x{address|%08X}, lines of {line} bytes with gaps of {gap} between them", "address", addr, "line", line, "gap", gap)
	}
	return rows.New("copy", "{size} bytes, 0x{src|%08X} to 0x{dst|%08X}", "size", c.Size, "src", c.Src, "dst", c.Dst).In("",
		side("from", c.Src, c.InLine, c.InGap), side("to", c.Dst, c.OutLine, c.OutGap))
}
