package citrace

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Builder builds a trace for writing. The zero Builder is an empty trace with
// the Direct layout.
type Builder struct {
	Initial [NumBlocks][]uint32
	Layout  Layout // Direct or Tagged

	elements []Element
	payload  []byte
	seen     map[string]uint32 // offset of contents that are stored already
}

// EndFrame adds a frame marker.
func (b *Builder) EndFrame() {
	b.elements = append(b.elements, Element{Type: FrameMarker})
}

// Load adds a memory load. Contents stored before are not stored again.
func (b *Builder) Load(addr uint32, contents []byte) {
	at, ok := b.seen[string(contents)]
	if !ok {
		if b.seen == nil {
			b.seen = map[string]uint32{}
		}
		at = uint32(len(b.payload))
		b.payload = append(b.payload, contents...)
		b.seen[string(contents)] = at
	}
	b.elements = append(b.elements, Element{Type: MemoryLoad, Address: addr, Offset: at, Size: uint32(len(contents))})
}

// Write adds a 32-bit register write.
func (b *Builder) Write(addr, value uint32) { b.WriteWidth(addr, 4, uint64(value)) }

// WriteWidth adds a register write of 1, 2, 4 or 8 bytes. Only the Tagged
// layout can express others than 4; Encode reports the rest.
func (b *Builder) WriteWidth(addr uint32, width uint8, value uint64) {
	b.elements = append(b.elements, Element{Type: RegisterWrite, Width: width, Address: addr, Value: value})
}

// Encode returns the file: header, blocks, memory contents, stream.
func (b *Builder) Encode() ([]byte, error) {
	le := binary.LittleEndian
	if b.Layout != Direct && b.Layout != Tagged {
		return nil, fmt.Errorf("citrace: cannot write the %s layout", b.Layout)
	}
	head := Trace{version: version, headerSize: uint32(header.Size)}
	at := uint32(header.Size)
	for i, words := range b.Initial {
		head.Ranges[i] = Range{Offset: at, Size: uint32(len(words))}
		at += 4 * uint32(len(words))
	}
	blocks := at
	head.StreamOffset, head.StreamSize = at+uint32(len(b.payload)), uint32(len(b.elements))
	total := uint64(blocks) + uint64(len(b.payload)) + ElementSize*uint64(len(b.elements))
	if total > math.MaxUint32 {
		return nil, fmt.Errorf("citrace: the trace needs %d bytes, more than 32-bit offsets reach", total)
	}
	out := header.Append(make([]byte, 0, total), &head)
	for _, words := range b.Initial {
		for _, w := range words {
			out = le.AppendUint32(out, w)
		}
	}
	out = append(out, b.payload...)
	for i, e := range b.elements {
		out = le.AppendUint32(out, uint32(e.Type))
		var w [4]uint32
		switch e.Type {
		case MemoryLoad:
			w = [4]uint32{e.Offset + blocks, e.Size, e.Address, 0}
		case RegisterWrite:
			switch {
			case e.Width != 1 && e.Width != 2 && e.Width != 4 && e.Width != 8:
				return nil, fmt.Errorf("citrace: element %d: a register write of %d bytes; want 1, 2, 4 or 8", i, e.Width)
			case b.Layout == Tagged:
				tag := map[uint8]uint32{1: 0xD1, 2: 0xD2, 4: 0xD3, 8: 0xD4}[e.Width]
				w = [4]uint32{e.Address, tag, uint32(e.Value), uint32(e.Value >> 32)}
			case e.Width != 4:
				return nil, fmt.Errorf("citrace: element %d: a register write of %d bytes needs the tagged layout", i, e.Width)
			default:
				w = [4]uint32{e.Address, uint32(e.Value), 0, 0}
			}
		}
		for _, v := range w {
			out = le.AppendUint32(out, v)
		}
	}
	return out, nil
}

// WriteTo writes the file to w.
func (b *Builder) WriteTo(w io.Writer) (int64, error) {
	data, err := b.Encode()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}
