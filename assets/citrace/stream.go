package citrace

import (
	"encoding/binary"
	"fmt"

	"pica200/pica"
)

// The size tags of a tagged register write.
const (
	tag8  = 0xD1
	tag64 = 0xD4
)

func (t *Trace) readStream() error {
	at, size := header.At("stream_offset"), header.At("stream_size")
	room := int64(len(t.data)) - int64(t.StreamOffset)
	if t.StreamSize == 0 && (int64(t.StreamOffset) < int64(header.Size) || room < 0) {
		// Citra and Azahar since 2023: the recorder gives up after the first block,
		// and had nothing to write anyway.
		t.Findings.Problemf(at, "an empty stream at 0x%x, outside the file of 0x%x bytes: the recorder ended in the middle, and there is nothing to replay", t.StreamOffset, len(t.data))
		return nil
	}
	if int64(t.StreamOffset) < int64(header.Size) || room < 0 {
		return fmt.Errorf("%w: offset 0x%x: the stream's offset 0x%x is outside the file of 0x%x bytes", ErrFormat, at, t.StreamOffset, len(t.data))
	}
	n := int64(t.StreamSize)
	switch {
	case n*ElementSize <= room:
	case n <= room && n%ElementSize == 0:
		t.Findings.Problemf(size, "the stream's size 0x%x counts bytes, not elements", n)
		n /= ElementSize
	default:
		return fmt.Errorf("%w: offset 0x%x: the stream has %d elements of %d bytes, but the file ends after %d: it is cut short", ErrFormat, size, n, ElementSize, room/ElementSize)
	}
	if rest := room - n*ElementSize; rest > 0 && !t.coversTail(n) {
		t.Findings.Notef(int64(t.StreamOffset)+n*ElementSize, "%d bytes follow the stream", rest)
	}
	raw := t.data[t.StreamOffset:]
	t.Layout = streamLayout(raw, int(n))
	if t.Layout == Mixed {
		t.Findings.Problemf(int64(t.StreamOffset), "register writes of both layouts in one stream; each read as it looks")
	}
	t.Elements = make([]Element, n)
	padding := false
	for i := range t.Elements {
		e, err := t.element(raw[i*ElementSize:][:ElementSize])
		if err != nil {
			return fmt.Errorf("%w: offset 0x%x: element %d: %w", ErrFormat, t.ElementOffset(i), i, err)
		}
		t.Elements[i] = e
		if !padding && e.Type == RegisterWrite && e.Width < 8 && e.Value>>(8*e.Width) != 0 {
			padding = true
			t.Findings.Notef(t.ElementOffset(i), "the value 0x%x of a %d-bit write has bits above its width, ignored", e.Value, 8*e.Width)
		}
		if e.Width < 8 && e.Width > 0 {
			t.Elements[i].Value &= 1<<(8*e.Width) - 1
		}
	}
	t.checkStream()
	return nil
}

// coversTail reports whether a memory load has its contents after the stream, as recorders do that write the stream first.
func (t *Trace) coversTail(n int64) bool {
	end := int64(t.StreamOffset) + n*ElementSize
	for i := range n {
		e := t.data[int64(t.StreamOffset)+i*ElementSize:]
		if ElementType(e[0]) == MemoryLoad && int64(binary.LittleEndian.Uint32(e[4:])) >= end {
			return true
		}
	}
	return false
}

// streamLayout decides how the register writes are laid out. The layout is a
// property of the recorder, so the whole stream is looked at: a single write
// of the value 0xD3 looks the same in both.
func streamLayout(raw []byte, n int) Layout {
	le := binary.LittleEndian
	tagged, direct := 0, 0
	for i := range n {
		e := raw[i*ElementSize:]
		if le.Uint32(e) != uint32(RegisterWrite) {
			continue
		}
		tag := le.Uint32(e[8:])
		if tag >= tag8 && tag <= tag64 {
			tagged++
		} else {
			direct++
		}
	}
	switch {
	case tagged == 0 || tagged*8 < direct:
		// The odd direct write has a value that looks like a tag.
		return Direct
	case direct == 0:
		return Tagged
	}
	return Mixed
}

func (t *Trace) element(raw []byte) (Element, error) {
	le := binary.LittleEndian
	kind := le.Uint32(raw)
	switch kind {
	case uint32(FrameMarker):
		return Element{Type: FrameMarker}, nil
	case uint32(MemoryLoad):
		e := Element{Type: MemoryLoad, Offset: le.Uint32(raw[4:]), Size: le.Uint32(raw[8:]), Address: le.Uint32(raw[12:])}
		if uint64(e.Offset)+uint64(e.Size) > uint64(len(t.data)) {
			return e, fmt.Errorf("memory load of 0x%x bytes at file offset 0x%x lies outside the file of 0x%x bytes", e.Size, e.Offset, len(t.data))
		}
		if uint64(e.Address)+uint64(e.Size) > 1<<32 {
			return e, fmt.Errorf("memory load of 0x%x bytes at address 0x%08x ends beyond the address space", e.Size, e.Address)
		}
		return e, nil
	case uint32(RegisterWrite):
		e := Element{Type: RegisterWrite, Address: pica.PhysicalAddress(le.Uint32(raw[4:]))}
		word := le.Uint32(raw[8:])
		isTag := word >= tag8 && word <= tag64
		if t.Layout == Tagged || t.Layout == Mixed && isTag {
			e.Width = 1 << (word - tag8)
			e.Value = le.Uint64(raw[12:])
		} else {
			e.Width, e.Value = 4, uint64(word)
		}
		return e, nil
	}
	return Element{}, fmt.Errorf("type 0x%x, want 0xe1 (frame marker), 0xe2 (memory load) or 0xe3 (register write)", kind)
}

// checkStream reports what is odd about the stream as a whole.
func (t *Trace) checkStream() {
	outside := 0
	for i := range t.Elements {
		switch e := &t.Elements[i]; e.Type {
		case RegisterWrite:
			if !knownRegister(e.Address) {
				if outside == 0 {
					t.Findings.Notef(t.ElementOffset(i), "register write to 0x%08x, which is neither a GPU nor a screen register", e.Address)
				}
				outside++
			} else if e.Address%uint32(e.Width) != 0 {
				t.Findings.Problemf(t.ElementOffset(i), "write of %d bytes to 0x%08x, which is not aligned to it", e.Width, e.Address)
			}
		case MemoryLoad:
			end := int64(e.Offset) + int64(e.Size)
			if int64(e.Offset) < int64(header.Size) && e.Size > 0 {
				t.Findings.Problemf(t.ElementOffset(i), "memory load takes its contents from the file's header")
			} else if s := int64(t.StreamOffset); end > s && int64(e.Offset) < s+int64(len(t.Elements))*ElementSize && e.Size > 0 {
				t.Findings.Problemf(t.ElementOffset(i), "memory load takes its contents from the stream itself")
			}
		}
	}
	if outside > 1 {
		t.Findings.Notef(int64(t.StreamOffset), "%d register writes outside the GPU's and screens' registers", outside)
	}
	if t.Frames() == 0 {
		t.Findings.Notef(int64(t.StreamOffset), "no frame marker: the stream counts as part of a frame")
	} else if last := t.Elements[len(t.Elements)-1]; last.Type != FrameMarker {
		t.Findings.Notef(t.ElementOffset(len(t.Elements)-1), "elements follow the last frame marker")
	}
}

func knownRegister(addr uint32) bool {
	return addr >= 0x10400000 && addr < 0x10402000 || addr >= 0x10202000 && addr < 0x10203000
}
