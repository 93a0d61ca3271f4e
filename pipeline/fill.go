package pipeline

import (
	"fmt"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/pica/pixels"
)

// Fill is a memory fill.
type Fill struct {
	Start, End uint32 // physical addresses, End exclusive; multiples of 16
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

// filler fills memory, large parts on all workers if these look for work.
type filler struct {
	workers *pool // nil fills on the caller's goroutine

	// The fill that runs.
	with  simd.Kernels
	dst   []byte
	value uint32
	width int
	piece func(i, worker int)
}

const (
	// fillPiece is the number of bytes that a worker fills at a time: a whole number
	// of values of any width.
	fillPiece = 48 << 10
	// sharedFill is the number of bytes from which sharing pays with workers that
	// need not be woken.
	sharedFill = 4 * fillPiece
)

// run fills dst with the lowest width bytes of value.
func (f *filler) run(with simd.Kernels, dst []byte, value uint32, width int) {
	if f.workers == nil || len(dst) < sharedFill || !f.workers.helpers.polling() {
		pixels.Fill(with, dst, value, width)
		return
	}
	if f.piece == nil {
		f.piece = func(i, _ int) {
			pixels.Fill(f.with, f.dst[i*fillPiece:min(len(f.dst), (i+1)*fillPiece)], f.value, f.width)
		}
	}
	f.with, f.dst, f.value, f.width = with, dst, value, width
	f.workers.run((len(dst)+fillPiece-1)/fillPiece, f.piece)
	f.dst = nil
}
