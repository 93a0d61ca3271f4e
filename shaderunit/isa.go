package shaderunit

import "fmt"

// Opcode is an operation of the shader unit: the six uppermost bits of the
// instruction word. CMP, MADI and MAD have shorter opcode fields; they are
// named by the lowest number of their range (0x2E, 0x30, 0x38).
type Opcode uint8

// The opcodes. Numbers in between are not known to do anything.
const (
	OpADD     Opcode = 0x00
	OpDP3     Opcode = 0x01
	OpDP4     Opcode = 0x02
	OpDPH     Opcode = 0x03
	OpDST     Opcode = 0x04
	OpEX2     Opcode = 0x05
	OpLG2     Opcode = 0x06
	OpLITP    Opcode = 0x07
	OpMUL     Opcode = 0x08
	OpSGE     Opcode = 0x09
	OpSLT     Opcode = 0x0A
	OpFLR     Opcode = 0x0B
	OpMAX     Opcode = 0x0C
	OpMIN     Opcode = 0x0D
	OpRCP     Opcode = 0x0E
	OpRSQ     Opcode = 0x0F
	OpMOVA    Opcode = 0x12
	OpMOV     Opcode = 0x13
	OpDPHI    Opcode = 0x18
	OpDSTI    Opcode = 0x19
	OpSGEI    Opcode = 0x1A
	OpSLTI    Opcode = 0x1B
	OpBREAK   Opcode = 0x20
	OpNOP     Opcode = 0x21
	OpEND     Opcode = 0x22
	OpBREAKC  Opcode = 0x23
	OpCALL    Opcode = 0x24
	OpCALLC   Opcode = 0x25
	OpCALLU   Opcode = 0x26
	OpIFU     Opcode = 0x27
	OpIFC     Opcode = 0x28
	OpLOOP    Opcode = 0x29
	OpEMIT    Opcode = 0x2A
	OpSETEMIT Opcode = 0x2B
	OpJMPC    Opcode = 0x2C
	OpJMPU    Opcode = 0x2D
	OpCMP     Opcode = 0x2E
	OpMADI    Opcode = 0x30
	OpMAD     Opcode = 0x38
)

// Format is the layout of an instruction word.
type Format uint8

// The formats, named as in the public documentation.
const (
	FormatUnknown Format = iota
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

// String gives the format's name in the public documentation ("1i").
func (f Format) String() string {
	names := [...]string{"unknown", "0", "1", "1i", "1u", "1c", "2", "3", "4", "5", "5i"}
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("format(%d)", uint8(f))
}

// formatInfo describes the operand part of a format once, for decoding,
// encoding and printing alike. Shifts are bit positions in the word.
type formatInfo struct {
	sources             int      // number of source operands
	wide                int      // source with 7 bits and the address register, -1: none
	src                 [3]uint8 // shift of each source
	dst                 uint8    // shift of DST
	idx                 uint8    // shift of the address register selector
	descBits            uint8    // width of the descriptor number, 0: no descriptor
	hasDst, hasCondExpr bool
}

var formats = [...]formatInfo{
	FormatUnknown: {wide: -1},
	Format0:       {wide: -1},
	Format1:       {sources: 2, wide: 0, src: [3]uint8{12, 7}, dst: 21, idx: 19, descBits: 7, hasDst: true},
	Format1i:      {sources: 2, wide: 1, src: [3]uint8{14, 7}, dst: 21, idx: 19, descBits: 7, hasDst: true},
	Format1u:      {sources: 1, wide: 0, src: [3]uint8{12}, dst: 21, idx: 19, descBits: 7, hasDst: true},
	Format1c:      {sources: 2, wide: 0, src: [3]uint8{12, 7}, idx: 19, descBits: 7},
	Format2:       {wide: -1, hasCondExpr: true},
	Format3:       {wide: -1},
	Format4:       {wide: -1},
	Format5:       {sources: 3, wide: 1, src: [3]uint8{17, 10, 5}, dst: 24, idx: 22, descBits: 5, hasDst: true},
	Format5i:      {sources: 3, wide: 2, src: [3]uint8{17, 12, 5}, dst: 24, idx: 22, descBits: 5, hasDst: true},
}

// Sources gives the number of source operands of the format, 0 to 3.
func (f Format) Sources() int { return formats[f].sources }

// Wide gives the source operand (0-based) that has 7 bits, so that it reaches
// the float uniforms and takes an address register, or -1.
func (f Format) Wide() int { return formats[f].wide }

// HasDst says whether the format has a destination register field.
func (f Format) HasDst() bool { return formats[f].hasDst }

// DescLimit gives the number of operand descriptors that the format can name:
// 128, 32 for MAD and MADI, 0 for flow control.
func (f Format) DescLimit() int {
	if formats[f].descBits == 0 {
		return 0
	}
	return 1 << formats[f].descBits
}

// Operand flags: what an operation takes from its operands.
type operandUse uint8

const (
	perComponent operandUse = iota // component i of DST depends on component i of each source
	firstOnly                      // only component x of SRC1 is read, the result goes to all
	three                          // x, y, z of both sources are read
	all                            // all four components are read
	homogenous                     // x, y, z of SRC1, all four of SRC2
	firstTwo                       // components x and y (CMP)
	none
)

// OpInfo is one row of the instruction table.
type OpInfo struct {
	Op     Opcode
	Name   string // mnemonic in lower case as the picasso assembler spells it
	Format Format
	// Semantics says what the instruction does, in the notation of the public
	// documentation: s1..s3 are the sources after swizzle and negation, d is
	// the destination under the mask.
	Semantics string
	// Inverted is the same operation with the operand order of format 1i (5i),
	// or 0xFF. For the I forms it is the plain form.
	Inverted Opcode
	use      operandUse
	kernel   kernel // nil for flow control, CMP, MOVA, EMIT and SETEMIT
}

// NoOpcode is the value of OpInfo.Inverted where there is no other form.
const NoOpcode Opcode = 0xFF

// table is the instruction set, the one place where an opcode is described.
var table = [...]OpInfo{
	{OpADD, "add", Format1, "d[i] = s1[i] + s2[i]", NoOpcode, perComponent, kernelADD},
	{OpDP3, "dp3", Format1, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z", NoOpcode, three, kernelDP3},
	{OpDP4, "dp4", Format1, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z + s1.w*s2.w", NoOpcode, all, kernelDP4},
	{OpDPH, "dph", Format1, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z + s2.w", OpDPHI, homogenous, kernelDPH},
	{OpDST, "dst", Format1, "d = (1, s1.y*s2.y, s1.z, s2.w)", OpDSTI, perComponent, kernelDST},
	{OpEX2, "ex2", Format1u, "d[*] = 2^s1.x", NoOpcode, firstOnly, kernelEX2},
	{OpLG2, "lg2", Format1u, "d[*] = log2(s1.x)", NoOpcode, firstOnly, kernelLG2},
	{OpLITP, "litp", Format1u, "d = (max(s1.x, 0), clamp(s1.y, -127.9961, 127.9961), 0, max(s1.w, 0)); cmp.x = s1.x >= 0, cmp.y = s1.w >= 0", NoOpcode, all, kernelLITP},
	{OpMUL, "mul", Format1, "d[i] = s1[i] * s2[i]", NoOpcode, perComponent, kernelMUL},
	{OpSGE, "sge", Format1, "d[i] = s1[i] >= s2[i] ? 1 : 0", OpSGEI, perComponent, kernelSGE},
	{OpSLT, "slt", Format1, "d[i] = s1[i] < s2[i] ? 1 : 0", OpSLTI, perComponent, kernelSLT},
	{OpFLR, "flr", Format1u, "d[i] = floor(s1[i])", NoOpcode, perComponent, kernelFLR},
	{OpMAX, "max", Format1, "d[i] = s1[i] > s2[i] ? s1[i] : s2[i]", NoOpcode, perComponent, kernelMAX},
	{OpMIN, "min", Format1, "d[i] = s1[i] < s2[i] ? s1[i] : s2[i]", NoOpcode, perComponent, kernelMIN},
	{OpRCP, "rcp", Format1u, "d[*] = 1 / s1.x", NoOpcode, firstOnly, kernelRCP},
	{OpRSQ, "rsq", Format1u, "d[*] = 1 / sqrt(s1.x)", NoOpcode, firstOnly, kernelRSQ},
	{OpMOVA, "mova", Format1u, "a0.x = int(s1.x), a0.y = int(s1.y), truncating, under the mask", NoOpcode, firstTwo, nil},
	{OpMOV, "mov", Format1u, "d[i] = s1[i]", NoOpcode, perComponent, kernelMOV},
	{OpDPHI, "dph", Format1i, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z + s2.w", OpDPH, homogenous, kernelDPH},
	{OpDSTI, "dst", Format1i, "d = (1, s1.y*s2.y, s1.z, s2.w)", OpDST, perComponent, kernelDST},
	{OpSGEI, "sge", Format1i, "d[i] = s1[i] >= s2[i] ? 1 : 0", OpSGE, perComponent, kernelSGE},
	{OpSLTI, "slt", Format1i, "d[i] = s1[i] < s2[i] ? 1 : 0", OpSLT, perComponent, kernelSLT},
	{OpBREAK, "break", Format0, "leaves the innermost LOOP", NoOpcode, none, nil},
	{OpNOP, "nop", Format0, "does nothing", NoOpcode, none, nil},
	{OpEND, "end", Format0, "ends the program for this vertex or primitive", NoOpcode, none, nil},
	{OpBREAKC, "breakc", Format2, "leaves the innermost LOOP if the condition holds", NoOpcode, none, nil},
	{OpCALL, "call", Format2, "runs the NUM instructions at DST, then goes on behind itself", NoOpcode, none, nil},
	{OpCALLC, "callc", Format2, "CALL if the condition holds", NoOpcode, none, nil},
	{OpCALLU, "callu", Format3, "CALL if the bool uniform is true", NoOpcode, none, nil},
	{OpIFU, "ifu", Format3, "if the bool uniform is true runs up to DST, then jumps to DST+NUM; else jumps to DST", NoOpcode, none, nil},
	{OpIFC, "ifc", Format2, "if the condition holds runs up to DST, then jumps to DST+NUM; else jumps to DST", NoOpcode, none, nil},
	{OpLOOP, "for", Format3, "aL = INT.y; runs up to and with DST INT.x+1 times, aL += INT.z after each", NoOpcode, none, nil},
	{OpEMIT, "emit", Format0, "geometry shader: stores the output registers as the vertex that SETEMIT named", NoOpcode, none, nil},
	{OpSETEMIT, "setemit", Format4, "geometry shader: vertex slot, winding and primitive flag of the next EMIT", NoOpcode, none, nil},
	{OpJMPC, "jmpc", Format2, "jumps to DST if the condition holds", NoOpcode, none, nil},
	{OpJMPU, "jmpu", Format3, "jumps to DST if the bool uniform is true (NUM bit 0 set: false)", NoOpcode, none, nil},
	{OpCMP, "cmp", Format1c, "cmp.x = s1.x CMPX s2.x, cmp.y = s1.y CMPY s2.y", NoOpcode, firstTwo, nil},
	{OpMADI, "mad", Format5i, "d[i] = s1[i]*s2[i] + s3[i], the product rounded", OpMAD, perComponent, kernelMAD},
	{OpMAD, "mad", Format5, "d[i] = s1[i]*s2[i] + s3[i], the product rounded", OpMADI, perComponent, kernelMAD},
}

// byOpcode finds a row of table by the six uppermost bits of a word.
var byOpcode [64]*OpInfo

func init() {
	for i := range table {
		row := &table[i]
		last := row.Op
		switch row.Op {
		case OpCMP:
			last = row.Op + 1
		case OpMADI, OpMAD:
			last = row.Op + 7
		}
		for op := row.Op; op <= last; op++ {
			byOpcode[op] = row
		}
	}
}

// Instructions gives the instruction table, ordered by opcode. The slice is
// shared; do not change it.
func Instructions() []OpInfo { return table[:] }

// Info gives the row of the opcode, or nil when the opcode is not known.
func (op Opcode) Info() *OpInfo {
	if int(op) >= len(byOpcode) {
		return nil
	}
	return byOpcode[op]
}

// String gives the mnemonic in upper case as the documentation writes it
// (MADI and MAD are told apart), or "0x10" for an unknown opcode.
func (op Opcode) String() string {
	info := op.Info()
	if info == nil {
		return fmt.Sprintf("0x%02X", uint8(op))
	}
	return info.DocName()
}

// DocName gives the documentation's name of the operation: upper case, with
// the I of the inverted forms ("MADI"), LOOP for picasso's "for".
func (o *OpInfo) DocName() string {
	if o.Op == OpLOOP {
		return "LOOP"
	}
	b := []byte(o.Name)
	for i := range b {
		b[i] -= 'a' - 'A'
		if b[i] < 'A' { // a digit
			b[i] += 'a' - 'A'
		}
	}
	if o.Format == Format1i || o.Format == Format5i {
		b = append(b, 'I')
	}
	return string(b)
}
