// Package citrace reads and writes CiTrace version 1, the format in which the
// Citra emulator and its descendants record what a program sent to the GPU.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A trace is a header, blocks with the GPU's state at the start of the
// recording, the contents of memory the GPU read, and a stream of elements of
// 20 bytes: register writes, memory loads and frame markers. All numbers are
// little-endian. The format is described by src/core/tracer/citrace.h of the
// Citra emulator; docs/FORMATS.md has the layout and how recorders differ.
package citrace

import (
	"errors"
	"fmt"

	"pica200/assets/cmdlist"
	"pica200/assets/tree"
)

const (
	// Magic is the four bytes a trace starts with.
	Magic = "CiTr"
	// version is the only version of the format.
	version = 1
	// ElementSize is the size of a stream element in bytes.
	ElementSize = 20
)

// ErrFormat is wrapped by every error about a file that is not a readable trace.
var ErrFormat = errors.New("not a valid CiTrace file")

// Block names one block of initial state, in the order of the header.
type Block int

// The blocks of initial state. Each is an array of 32-bit words.
const (
	GPURegisters      Block = iota // external GPU registers, word i at 0x10400000+4i
	LCDRegisters                   // screen registers, word i at 0x10202000+4i
	PICARegisters                  // internal registers 0x000-0x2FF, word i is register i
	DefaultAttributes              // 16 fixed attributes x, y, z, w, a float24 in the low bits of each word
	VSProgram                      // vertex shader code, an instruction a word
	VSSwizzle                      // vertex shader operand descriptors
	VSFloatUniforms                // 96 vectors x, y, z, w, a float24 in the low bits of each word
	GSProgram                      // the same three of the geometry shader
	GSSwizzle
	GSFloatUniforms
	NumBlocks
)

// blocks has the name of each block in citrace.h, the number of words that the
// hardware has room for, and what they are. The GPU register block of Citra
// covers the whole page of registers.
var blocks = [NumBlocks]struct {
	name  string
	limit int
	kind  cmdlist.Kind
}{
	{"gpu_registers", 0x1000, cmdlist.ExternalRegisters}, {"lcd_registers", 0x1000, cmdlist.ScreenRegisters}, {"pica_registers", 0x300, cmdlist.InternalRegisters},
	{"default_attributes", 64, cmdlist.Attributes},
	{"vs_program_binary", 4096, cmdlist.Plain}, {"vs_swizzle_data", 128, cmdlist.Plain}, {"vs_float_uniforms", 384, cmdlist.Uniforms},
	{"gs_program_binary", 4096, cmdlist.Plain}, {"gs_swizzle_data", 128, cmdlist.Plain}, {"gs_float_uniforms", 384, cmdlist.Uniforms},
}

// header has every field of a file's header.
var header = tree.NewRecord("header", func(t *Trace, f *tree.Fields) {
	f.Magic(Magic)
	tree.Number(f, "version", &t.version, "%d")
	tree.Number(f, "header_size", &t.headerSize, "%d")
	for b := range NumBlocks {
		tree.Number(f, b.String(), &t.Ranges[b].Offset)
		tree.Number(f, b.String()+"_size", &t.Ranges[b].Size, "%d") // in words, or in bytes
	}
	tree.Number(f, "stream_offset", &t.StreamOffset)
	tree.Number(f, "stream_size", &t.StreamSize, "%d")
})

// String returns the block's name in citrace.h.
func (b Block) String() string {
	if b < 0 || b >= NumBlocks {
		return fmt.Sprintf("block %d", int(b))
	}
	return blocks[b].name
}

// ElementType is the first word of a stream element.
type ElementType uint8

// The element types; their values are those in the file.
const (
	FrameMarker   ElementType = 0xE1 // a frame ends here
	MemoryLoad    ElementType = 0xE2 // memory changed since the recording last looked
	RegisterWrite ElementType = 0xE3 // the CPU wrote a register
)

// String returns "frame marker", "memory load" or "register write".
func (t ElementType) String() string {
	switch t {
	case FrameMarker:
		return "frame marker"
	case MemoryLoad:
		return "memory load"
	case RegisterWrite:
		return "register write"
	}
	return fmt.Sprintf("element type 0x%X", uint8(t))
}

// Element is an element of the stream. It does not contain the data of a memory
// load; Trace.Payload returns that.
type Element struct {
	Type  ElementType
	Width uint8 // register write: 1, 2, 4 or 8 bytes; 0 in other elements

	// Address is the physical address that is loaded or written. Some recorders
	// store the virtual address; Parse converts it (pica.PhysicalAddress).
	Address uint32
	Value   uint64 // register write: the value, Width bytes of it

	// Offset and Size locate a memory load's data in the file.
	Offset, Size uint32
}

// Layout is the way register writes are laid out after the element type.
type Layout uint8

const (
	// Direct is address, 32-bit value, 8 bytes of padding.
	Direct Layout = iota
	// Tagged is address, size tag (0xD1 8-bit to 0xD4 64-bit), 64-bit value. It is
	// the layout of citrace.h.
	Tagged
	// Mixed is found only in files that were patched together from both; each
	// element then has its own layout.
	Mixed
)

// String returns "direct", "tagged" or "mixed".
func (l Layout) String() string { return [...]string{"direct", "tagged", "mixed"}[l] }

// Range is the position of a block according to the header.
type Range struct {
	Offset, Size uint32 // as in the file; the unit of Size differs between recorders
	Bytes        int    // size of the block in bytes as it was read, 0 if it was skipped
}

// Trace is a parsed trace. The zero Trace has no frames and no state.
type Trace struct {
	// Initial holds the words of each block of initial state; nil if the block is
	// empty or unreadable.
	Initial [NumBlocks][]uint32
	// Ranges says where the blocks lie in the file that was parsed.
	Ranges [NumBlocks]Range

	Elements []Element
	Layout   Layout // of the register writes

	StreamOffset, StreamSize uint32 // as in the header of the file that was parsed

	// Findings says what is missing or unusual. Parse fails only if it cannot read
	// the stream itself.
	Findings tree.Findings

	version, headerSize uint32
	data                []byte
}

// Payload returns the contents of a memory load, a slice of the parsed data that
// must not be changed. It is empty for other elements.
func (t *Trace) Payload(e Element) []byte {
	if e.Type != MemoryLoad {
		return nil
	}
	end := uint64(e.Offset) + uint64(e.Size)
	if end > uint64(len(t.data)) {
		return nil
	}
	return t.data[e.Offset:end:end]
}

// Frames reports the number of frame markers.
func (t *Trace) Frames() int {
	n := 0
	for i := range t.Elements {
		if t.Elements[i].Type == FrameMarker {
			n++
		}
	}
	return n
}

// ElementOffset is the position in the file of element i of a parsed trace.
func (t *Trace) ElementOffset(i int) int64 {
	return int64(t.StreamOffset) + int64(i)*ElementSize
}

// Is reports whether data starts like a trace.
func Is(data []byte) bool { return len(data) >= 4 && string(data[:4]) == Magic }

// Parse parses a trace. The result refers to data, which must not change while
// it is used. Parse fails if it cannot read the header or the stream; the error
// wraps ErrFormat and names the offset. Anything unusual in a readable stream
// is in Trace.Findings.
func Parse(data []byte) (*Trace, error) {
	if !Is(data) {
		return nil, fmt.Errorf("%w: offset 0x0: want the magic %q", ErrFormat, Magic)
	}
	if len(data) < header.Size {
		return nil, fmt.Errorf("%w: offset 0x%x: the file ends inside the header of %d bytes", ErrFormat, len(data), header.Size)
	}
	t := &Trace{data: data}
	header.Read(data, t)
	if t.version != version {
		return nil, fmt.Errorf("%w: offset 0x%x: version %d, want %d", ErrFormat, header.At("version"), t.version, version)
	}
	if t.headerSize != uint32(header.Size) {
		t.Findings.Problemf(header.At("header_size"), "header size is %d, expected %d", t.headerSize, header.Size)
	}
	t.readInitial()
	if err := t.readStream(); err != nil {
		return nil, err
	}
	return t, nil
}
