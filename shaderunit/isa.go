package shaderunit

import "fmt"

// Opcode is an operation of the shader unit: the upper six bits of the
// instruction word. CMP, MADI and MAD have shorter opcode fields; their
// constant is the lowest number of their range (0x2E, 0x30, 0x38).
type Opcode uint8

// Format is the layout of an instruction word.
type Format uint8

// The formats, named as in the public documentation.
const (
	formatUnknown Format = iota
	Format0              // no operands
	Format1              // DST, wide SRC1, narrow SRC2
	Format1i             // DST, narrow SRC1, wide SRC2
	Format1u             // DST, wide SRC1
	Format1c             // comparison: wide SRC1, CMPX, CMPY, narrow SRC2
	Format2              // flow: condition on cmp.x and cmp.y, destination, count
	Format3              // flow: bool or int uniform, destination, count
	Format4              // SETEMIT
	Format5              // DST, narrow SRC1, wide SRC2, narrow SRC3
	Format5i             // DST, narrow SRC1, narrow SRC2, wide SRC3
)

// String returns the format's name in the public documentation ("1i").
func (f Format) String() string {
	names := [...]string{"unknown", "0", "1", "1i", "1u", "1c", "2", "3", "4", "5", "5i"}
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("format(%d)", uint8(f))
}

// formatInfo describes the operands of a format, for decoding, encoding and
// formatting. Shifts are bit positions in the word.
type formatInfo struct {
	sources  int      // number of source operands
	wide     int      // index of the source with 7 bits and an address register, -1: none
	src      [3]uint8 // shift of each source
	dst      uint8    // shift of DST
	idx      uint8    // shift of the address register selector
	descBits uint8    // width of the descriptor number, 0: no descriptor
	hasDst   bool
	short    uint8 // how many bits the opcode field is shorter than six
}

var formats = [...]formatInfo{
	formatUnknown: {wide: -1},
	Format0:       {wide: -1},
	Format1:       {sources: 2, wide: 0, src: [3]uint8{12, 7}, dst: 21, idx: 19, descBits: 7, hasDst: true},
	Format1i:      {sources: 2, wide: 1, src: [3]uint8{14, 7}, dst: 21, idx: 19, descBits: 7, hasDst: true},
	Format1u:      {sources: 1, wide: 0, src: [3]uint8{12}, dst: 21, idx: 19, descBits: 7, hasDst: true},
	Format1c:      {sources: 2, wide: 0, src: [3]uint8{12, 7}, idx: 19, descBits: 7, short: 1},
	Format2:       {wide: -1},
	Format3:       {wide: -1},
	Format4:       {wide: -1},
	Format5:       {sources: 3, wide: 1, src: [3]uint8{17, 10, 5}, dst: 24, idx: 22, descBits: 5, hasDst: true, short: 3},
	Format5i:      {sources: 3, wide: 2, src: [3]uint8{17, 12, 5}, dst: 24, idx: 22, descBits: 5, hasDst: true, short: 3},
}

// Sources returns the number of source operands of the format, 0 to 3.
func (f Format) Sources() int { return formats[f].sources }

// Wide returns the index of the source operand with 7 bits, which can be a
// float uniform and take an address register, or -1.
func (f Format) Wide() int { return formats[f].wide }

// HasDst reports whether the format has a destination register.
func (f Format) HasDst() bool { return formats[f].hasDst }

// DescLimit returns the number of operand descriptors that the format can
// select: 128, 32 for MAD and MADI, 0 for flow control.
func (f Format) DescLimit() int {
	if formats[f].descBits == 0 {
		return 0
	}
	return 1 << formats[f].descBits
}

// Info returns the row of the opcode, nil for an unknown opcode.
func (op Opcode) Info() *OpInfo {
	if int(op) >= len(byOpcode) {
		return nil
	}
	return byOpcode[op]
}

// String returns the mnemonic in upper case, as in the documentation (with MADI
// for the inverted MAD), or a number such as "0x10" for an unknown opcode.
func (op Opcode) String() string {
	info := op.Info()
	if info == nil {
		return fmt.Sprintf("0x%02X", uint8(op))
	}
	return info.DocName()
}
