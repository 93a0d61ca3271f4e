package citrace

import (
	"encoding/binary"
	"strings"
)

// readInitial reads the blocks of initial state. In citrace.h the header has
// sizes in words, but some recorders store bytes; the distance to the next part
// of the file decides. A block that fits neither is skipped with a finding.
func (t *Trace) readInitial() {
	t.repairOrder()
	for b := range NumBlocks {
		p := &t.Ranges[b]
		at, size := header.At(b.String()), header.At(b.String()+"_size")
		if p.Size == 0 {
			continue
		}
		n, ok := t.blockBytes(b)
		if !ok {
			t.Findings.Problemf(at, "%s: offset 0x%x and size 0x%x lie outside the file (0x%x bytes) or inside its header; left out", b, p.Offset, p.Size, len(t.data))
			continue
		}
		if uint64(n) != 4*uint64(p.Size) {
			t.Findings.Problemf(size, "%s: size 0x%x counts bytes, not words", b, p.Size)
		}
		if p.Offset%4 != 0 {
			t.Findings.Problemf(at, "%s: offset 0x%x is not a multiple of 4", b, p.Offset)
		}
		if lim := blocks[b].limit; n/4 > lim {
			t.Findings.Problemf(size, "%s: %d words, but the hardware has %d; the rest is left out", b, n/4, lim)
			n = 4 * lim
		}
		p.Bytes = n
		words := make([]uint32, n/4)
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(t.data[int(p.Offset)+4*i:])
		}
		t.Initial[b] = words
	}
	t.checkBlocks()
}

// repairOrder detects files in which the screen registers and the internal ones
// are in the opposite order to the header, as the recorder of Citra's
// descendants writes them if it does not crash. The system sets register 0x020
// to a value that no other register has, which identifies them.
func (t *Trace) repairOrder() {
	const mark, reg = 0x12345678, 0x020
	lcd, regs := &t.Ranges[LCDRegisters], &t.Ranges[PICARegisters]
	marked := func(at int64) bool {
		at += 4 * reg
		return at >= 0 && at+4 <= int64(len(t.data)) && binary.LittleEndian.Uint32(t.data[at:]) == mark
	}
	first := int64(lcd.Offset)
	if lcd.Size == 0 || regs.Size <= reg || int64(regs.Offset) != first+4*int64(lcd.Size) || !marked(first) || marked(int64(regs.Offset)) {
		return
	}
	t.Findings.Problemf(header.At(LCDRegisters.String()), "%s and %s are in the other order than the header says; exchanged", LCDRegisters, PICARegisters)
	regs.Offset, lcd.Offset = lcd.Offset, lcd.Offset+4*regs.Size
}

// blockBytes decides how many bytes block b has.
func (t *Trace) blockBytes(b Block) (n int, ok bool) {
	p := t.Ranges[b]
	if p.Offset < uint32(header.Size) || int64(p.Offset) >= int64(len(t.data)) {
		return 0, false
	}
	next := int64(len(t.data))
	consider := func(o uint32) {
		if int64(o) > int64(p.Offset) && int64(o) < next {
			next = int64(o)
		}
	}
	for i, q := range t.Ranges {
		if Block(i) != b {
			consider(q.Offset)
		}
	}
	consider(t.StreamOffset)
	gap, words, bytes := next-int64(p.Offset), 4*int64(p.Size), int64(p.Size)
	switch {
	case words <= gap && (words == gap || bytes != gap):
		return int(words), true
	case bytes <= gap && bytes%4 == 0:
		return int(bytes), true
	case int64(p.Offset)+words <= int64(len(t.data)):
		return int(words), true // overlaps the next block; checkBlocks says so
	}
	return 0, false
}

// checkBlocks reports blocks that are empty or overlap.
func (t *Trace) checkBlocks() {
	var empty []string
	for b := range NumBlocks {
		p := t.Ranges[b]
		if p.Size == 0 {
			empty = append(empty, b.String())
			continue
		}
		for c := range b {
			q := t.Ranges[c]
			if p.Bytes > 0 && q.Bytes > 0 && int64(p.Offset) < int64(q.Offset)+int64(q.Bytes) && int64(q.Offset) < int64(p.Offset)+int64(p.Bytes) {
				t.Findings.Problemf(int64(p.Offset), "%s and %s overlap: the recorder wrote its blocks in another order than its header says", c, b)
			}
		}
	}
	if len(empty) > 0 {
		t.Findings.Notef(header.At(Block(0).String()), "no initial state for %s: taken as zero", strings.Join(empty, ", "))
	}
	t.Findings.Notef(header.At(Block(0).String()), "no trace holds the lighting, fog and procedural-texture tables or the boolean and integer uniforms outside the register block: zero until the stream sets them")
	if n := len(t.Initial[PICARegisters]); n > 0 && n != 0x300 {
		t.Findings.Notef(int64(t.Ranges[PICARegisters].Offset), "pica_registers has 0x%x of 0x300 words", n)
	}
	for _, b := range [...]Block{DefaultAttributes, VSFloatUniforms, GSFloatUniforms} {
		for i, w := range t.Initial[b] {
			if w>>24 != 0 {
				// Citra fills x, y and z only and writes whatever memory w held.
				t.Findings.Notef(int64(t.Ranges[b].Offset)+4*int64(i), "%s: word %d is 0x%08x, more than a float24; recorders leave w unset", b, i, w)
				break
			}
		}
	}
}
