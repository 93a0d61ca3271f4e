package pipeline

import (
	"fmt"

	"pica200/pica"
)

// Fill is a memory fill.
type Fill struct {
	Start, End uint32 // physical addresses, End exclusive; multiples of 8
	Value      uint32
	Bits       uint8 // width of the value: 16, 24 or 32
}

func (f Fill) String() string {
	return fmt.Sprintf("memory fill of 0x%08X-0x%08X with the %d-bit value 0x%0*X", f.Start, f.End, f.Bits, f.Bits/4, f.Value)
}

// decodeFill reads the four registers of a fill unit: start, end, value,
// control.
func decodeFill(r [4]uint32) Fill {
	f := Fill{Start: pica.MemfillStart.AddrOf(r[0]), End: pica.MemfillEnd.AddrOf(r[1]), Value: r[2]}
	switch pica.FillWidth(pica.MemfillWidth.Of(r[3])) {
	case pica.Fill16:
		f.Bits = 16
		f.Value &= 0xFFFF
	case pica.Fill32:
		f.Bits = 32
	default:
		f.Bits = 24
		f.Value &= 0xFFFFFF
	}
	return f
}

// run fills memory. The caller has executed the queued draws that use it.
func (f Fill) run(mem *memory) error {
	if f.End <= f.Start {
		return fmt.Errorf("%v: the end must be greater than the start", f)
	}
	dst, err := mem.Slice(f.Start, f.End-f.Start)
	if err != nil {
		return fmt.Errorf("%v: %w", f, err)
	}
	fillBytes(dst, f.Value, int(f.Bits/8))
	mem.Touch(f.Start, f.End-f.Start)
	return nil
}

// fillBytes fills dst with the lowest n bytes of value, lowest first. The last
// value is cut off where dst ends.
func fillBytes(dst []byte, value uint32, n int) {
	// 12 KiB hold a whole number of values of every width and stay in the
	// first-level cache while they are copied on.
	const seed = 12 << 10
	head := dst[:min(len(dst), seed)]
	for i := range min(n, len(head)) {
		head[i] = byte(value >> (8 * i))
	}
	for done := n; done < len(head); done *= 2 {
		copy(head[done:], head[:done])
	}
	for rest := dst[len(head):]; len(rest) > 0; {
		rest = rest[copy(rest, head):]
	}
}
