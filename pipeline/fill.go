package pipeline

import (
	"fmt"

	"pica200/internal/simd"
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
func (f Fill) run(with simd.Kernels, mem *memory) error {
	if f.End <= f.Start {
		return fmt.Errorf("%v: the end must be greater than the start", f)
	}
	if err := mem.fill(with, span{f.Start, f.End - f.Start}, f.Value, uint32(f.Bits/8)); err != nil {
		return fmt.Errorf("%v: %w", f, err)
	}
	return nil
}
