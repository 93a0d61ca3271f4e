package pipeline

import (
	"fmt"

	"pica200/pica"
)

// TextureCopy copies bytes from lines with gaps between them to other such
// lines.
type TextureCopy struct {
	Src, Dst        uint32 // physical addresses
	Size            uint32 // bytes to copy, a multiple of 16
	InLine, InGap   uint32 // bytes copied and skipped in turn; with a gap of 0 the input is one line
	OutLine, OutGap uint32
}

func (c TextureCopy) String() string {
	return fmt.Sprintf("texture copy of %d bytes from 0x%08X (lines of %d, gaps of %d) to 0x%08X (lines of %d, gaps of %d)",
		c.Size, c.Src, c.InLine, c.InGap, c.Dst, c.OutLine, c.OutGap)
}

// decodeTextureCopy reads the registers of a texture copy. The lowest four bits
// of the size are ignored.
func decodeTextureCopy(r engineRegs) TextureCopy {
	c := TextureCopy{
		// The source address is rounded down to 16 bytes.
		Src:    pica.TransferInput.AddrOf(r.word(pica.ExtTransferInput)),
		Dst:    pica.TransferOutput.AddrOf(r.word(pica.ExtTransferOutput)),
		Size:   r.get(pica.TextureCopySize) &^ 15,
		InLine: 16 * r.get(pica.TextureCopyInputWidth), InGap: 16 * r.get(pica.TextureCopyInputGap),
		OutLine: 16 * r.get(pica.TextureCopyOutputWidth), OutGap: 16 * r.get(pica.TextureCopyOutputGap),
	}
	if c.InGap == 0 { // then the line is all of it, whatever the width says
		c.InLine = c.Size
	}
	if c.OutGap == 0 {
		c.OutLine = c.Size
	}
	return c
}

// leastGapped is the least size of a copy with gaps, in bytes (3dbrew).
const leastGapped = 192

// checkCopy warns of a copy that 3dbrew advises against. What the console does
// was never measured; here the copy runs as the registers say.
func (g *GPU) checkCopy(r engineRegs, c TextureCopy) error {
	if c.InGap == 0 && c.OutGap == 0 {
		return nil
	}
	if !r.on(pica.TransferCrop) {
		if err := g.warn("%v: gaps need bit 2 of the flags", c); err != nil {
			return err
		}
	}
	if c.Size < leastGapped {
		return g.warn("%v: a copy with gaps of less than %d bytes can hang the console", c, leastGapped)
	}
	return nil
}

// spans checks the copy and returns the memory that it reads and writes,
// including the gaps between lines.
func (c TextureCopy) spans() (src, dst span, err error) {
	switch {
	case c.Size == 0:
		err = fmt.Errorf("%v: a copy of less than 16 bytes: %w", c, pica.ErrHang)
	case c.InLine == 0 || c.OutLine == 0:
		err = fmt.Errorf("%v: a line of 0 bytes with a gap: %w", c, pica.ErrHang)
	default:
		in, out := extent(c.Size, c.InLine, c.InGap), extent(c.Size, c.OutLine, c.OutGap)
		if in >= 1<<32 || out >= 1<<32 {
			return src, dst, fmt.Errorf("%v: input of %d bytes and output of %d exceed memory", c, in, out)
		}
		src, dst = span{c.Src, uint32(in)}, span{c.Dst, uint32(out)}
	}
	return src, dst, err
}

// extent returns the distance from the first to the last of size bytes in lines
// with gaps.
func extent(size, line, gap uint32) uint64 {
	gaps := uint64(size-1) / uint64(line)
	return uint64(size) + gaps*uint64(gap)
}

// run copies. The caller has executed the queued draws that use the spans.
func (c TextureCopy) run(mem *memory) error {
	from, to, err := c.spans()
	if err != nil {
		return err
	}
	src, err := mem.Slice(from.addr, from.bytes)
	if err != nil {
		return fmt.Errorf("%v: input: %w", c, err)
	}
	dst, err := mem.Slice(to.addr, to.bytes)
	if err != nil {
		return fmt.Errorf("%v: output: %w", c, err)
	}
	in, out := c.InLine, c.OutLine // bytes left of the current lines
	for left := c.Size; left > 0; {
		n := min(in, out, left)
		copy(dst[:n], src[:n])
		left -= n
		if left == 0 {
			break
		}
		src, dst = src[n:], dst[n:]
		if in -= n; in == 0 {
			src, in = src[c.InGap:], c.InLine
		}
		if out -= n; out == 0 {
			dst, out = dst[c.OutGap:], c.OutLine
		}
	}
	mem.Touch(to.addr, to.bytes)
	return nil
}
