package picatrace

import (
	"encoding/binary"
	"fmt"

	"pica200/pica"
)

// Kind says what an event is. The numbers are those in the file.
type Kind uint32

// The kinds of events, with what their words hold.
const (
	// Load: memory at an address changed. Words: address, number of the piece.
	Load Kind = 1
	// Write: a register was written. Words: address, bytes (1, 2, 4, 8), low
	// and high half of the value.
	Write Kind = 2
	// List: a command list was submitted. Words: address, bytes, flags (bit 0:
	// afterwards set GPUREG_GAS_ACCMAX from the greatest density; bit 1: flushed).
	List Kind = 3
	// Fill: one unit of the memory fill. Words: start and end address, value,
	// control (0x1040001C: bits 8-9 the width).
	Fill Kind = 4
	// Transfer: a display transfer. Words: input and output address, output and
	// input dimensions, flags, as the registers 0x10400C00-0x10400C10 have them.
	Transfer Kind = 5
	// Copy: a texture copy. Words: input and output address, bytes, line and gap
	// of the input, line and gap of the output, flags, the last three as the
	// registers 0x10400C24, 0x10400C28 and 0x10400C10 have them.
	Copy Kind = 6
	// Screen: what a screen shows from now on. Words: screen (bits 0-7, 0 top, 1
	// bottom) and buffer (bit 8), addresses of the left eye's buffers 0 and 1, of
	// the right eye's, format and stride as in the registers 0x10400470 and
	// 0x10400490.
	Screen  Kind = 7
	kindEnd Kind = 8
)

// String names the kind as docs/FORMATS.md does.
func (k Kind) String() string {
	names := [kindEnd]string{Load: "memory", Write: "register write", List: "command list", Fill: "fill", Transfer: "transfer", Copy: "copy", Screen: "screen"}
	if k == 0 || k >= kindEnd {
		return fmt.Sprintf("event %d", uint32(k))
	}
	return names[k]
}

// Event is one event of a frame.
type Event struct {
	Kind  Kind
	Words [7]uint32
	// Data is the data that a Load writes at Words[0]. It must not be changed, and
	// is valid as long as its Frame.
	Data []byte
	// Offset is the event's position in the file: its frame's chunk, or the element of
	// a CiTrace.
	Offset int64
}

func (e *Event) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(e.Kind))
	for _, w := range e.Words {
		b = le.AppendUint32(b, w)
	}
	return b
}

func (e *Event) decode(b []byte) {
	le := binary.LittleEndian
	e.Kind = Kind(le.Uint32(b))
	for i := range e.Words {
		e.Words[i] = le.Uint32(b[4+4*i:])
	}
}

// Check returns an error if the event is invalid.
func (e *Event) Check() error {
	switch e.Kind {
	case Write:
		switch e.Words[1] {
		case 1, 2, 4, 8:
		default:
			return fmt.Errorf("a register write of %d bytes; 1, 2, 4 and 8 are possible", e.Words[1])
		}
	case Screen:
		if e.Words[0]&0xFF > 1 {
			return fmt.Errorf("screen %d; there are 0 (top) and 1 (bottom)", e.Words[0]&0xFF)
		}
	case Load, List, Fill, Transfer, Copy:
	default:
		return fmt.Errorf("unknown kind %d", uint32(e.Kind))
	}
	return nil
}

// RegisterWrite makes a Write event.
func RegisterWrite(addr uint32, width uint8, value uint64) Event {
	return Event{Kind: Write, Words: [7]uint32{addr, uint32(width), uint32(value), uint32(value >> 32)}}
}

// Flags of a List.
const (
	ListUpdateGas = 1 << 0 // afterwards GPUREG_GAS_ACCMAX is set from the greatest density
	ListFlush     = 1 << 1 // the system flushed the list from the CPU's cache
)

// RegWrite is a 32-bit write to a register at a physical address.
type RegWrite struct{ Addr, Value uint32 }

// Writes returns the register writes, in order, by which the system would send
// the event to the GPU. It is nil for a Load and a Write.
func (e *Event) Writes() []RegWrite {
	w := e.Words
	switch e.Kind {
	case List:
		return []RegWrite{
			{pica.ExtCommandListSize, w[1] >> 3}, {pica.ExtCommandListAddr, w[0] >> 3}, {pica.ExtCommandListStart, 1},
		}
	case Fill:
		return []RegWrite{
			{pica.ExtMemfillStart, w[0] >> 3}, {pica.ExtMemfillEnd, w[1] >> 3}, {pica.ExtMemfillValue, w[2]},
			{pica.ExtMemfillControl, pica.MemfillTrigger.PutBool(w[3], true)},
		}
	case Transfer:
		return []RegWrite{
			{pica.ExtTransferInput, w[0] >> 3}, {pica.ExtTransferOutput, w[1] >> 3},
			{pica.ExtTransferOutputDim, w[2]}, {pica.ExtTransferInputDim, w[3]},
			{pica.ExtTransferFlags, pica.TransferTextureCopy.PutBool(w[4], false)}, {pica.ExtTransferStart, 1},
		}
	case Copy:
		return []RegWrite{
			{pica.ExtTransferInput, w[0] >> 3}, {pica.ExtTransferOutput, w[1] >> 3}, {pica.ExtTextureCopySize, w[2]},
			{pica.ExtTextureCopyInput, w[3]}, {pica.ExtTextureCopyOutput, w[4]},
			{pica.ExtTransferFlags, pica.TransferTextureCopy.PutBool(w[5], true)}, {pica.ExtTransferStart, 1},
		}
	case Screen:
		pdc := w[0] & 0xFF * pica.StridePdc
		return []RegWrite{
			{pica.ExtPdcAddrA0 + pdc, w[1]}, {pica.ExtPdcAddrA1 + pdc, w[2]}, {pica.ExtPdcAddrB0 + pdc, w[3]}, {pica.ExtPdcAddrB1 + pdc, w[4]},
			{pica.ExtPdcFormat + pdc, w[5]}, {pica.ExtPdcStride + pdc, w[6]}, {pica.ExtPdcSelect + pdc, w[0] >> 8 & 1},
		}
	}
	return nil
}
