package shaderunit

import "fmt"

// SrcReg is a source register: 0x00-0x0F v0-v15, 0x10-0x1F r0-r15,
// 0x20-0x7F c0-c95.
type SrcReg uint8

// DstReg is a destination register: 0x00-0x0F o0-o15, 0x10-0x1F r0-r15.
type DstReg uint8

// First registers of the source and destination spaces.
const (
	SrcInput   SrcReg = 0x00
	SrcTemp    SrcReg = 0x10
	SrcUniform SrcReg = 0x20
	DstOutput  DstReg = 0x00
	DstTemp    DstReg = 0x10
)

// String returns the register's name: "v3", "r15", "c95".
func (r SrcReg) String() string {
	switch {
	case r < SrcTemp:
		return fmt.Sprintf("v%d", r)
	case r < SrcUniform:
		return fmt.Sprintf("r%d", r-SrcTemp)
	}
	return fmt.Sprintf("c%d", r-SrcUniform)
}

// String returns the register's name: "o3", "r15".
func (r DstReg) String() string {
	if r < DstTemp {
		return fmt.Sprintf("o%d", r)
	}
	return fmt.Sprintf("r%d", r-DstTemp)
}

// AddrReg selects the address register that is added to the index of a float
// uniform.
type AddrReg uint8

// Address registers as the IDX field numbers them.
const (
	AddrNone AddrReg = iota
	AddrA0X
	AddrA0Y
	AddrAL
)

// String returns "a0.x", "a0.y", "aL", or "" for none.
func (a AddrReg) String() string { return [...]string{"", "a0.x", "a0.y", "aL"}[a&3] }

// CompareOp is a comparison of CMP.
type CompareOp uint8

// The comparisons. 6 and 7 are always true (3dbrew).
const (
	CompareEQ CompareOp = iota
	CompareNE
	CompareLT
	CompareLE
	CompareGT
	CompareGE
	CompareTrue6
	compareTrue7
)

// String returns picasso's name of the comparison. 6 and 7 have none and print
// as "6" and "7".
func (c CompareOp) String() string {
	return [...]string{"eq", "ne", "lt", "le", "gt", "ge", "6", "7"}[c&7]
}

// CondOp says how tests of cmp.x and cmp.y are combined.
type CondOp uint8

// The condition operators.
const (
	CondOr  CondOp = iota // cmp.x == REFX || cmp.y == REFY
	CondAnd               // cmp.x == REFX && cmp.y == REFY
	CondX                 // cmp.x == REFX
	CondY                 // cmp.y == REFY
)

// Instr is a decoded instruction. Fields that the format does not have are 0.
// Bits without a field are kept in Unused, so that Encode(Decode(w)) == w for
// every word with a known opcode.
type Instr struct {
	Op   Opcode
	Desc uint8     // operand descriptor number, 0-127; 0-31 for MAD and MADI
	Dst  DstReg    // destination
	Src  [3]SrcReg // sources s1, s2, s3
	Idx  AddrReg   // address register of the 7-bit source

	CmpX, CmpY CompareOp // CMP

	Dest       uint16 // flow control: destination, word 0-4095
	Num        uint8  // flow: number of instructions; JMPU: bit 0 inverts the test
	Cond       CondOp // flow, format 2
	RefX, RefY bool
	Uniform    uint8 // flow, format 3: number of the bool (0-15) or int (0-15, 4 exist) uniform

	VertexID          uint8 // SETEMIT: vertex slot, 0-3
	PrimEmit, Winding bool  // SETEMIT

	Unused uint32 // bits of the word that the format does not define
}

// Info returns the row of the instruction table, nil for an unknown opcode.
func (in Instr) Info() *OpInfo { return in.Op.Info() }

// Decode decodes a word. For an unknown opcode Op is the upper six bits, Info()
// is nil, and Unused has the other bits.
func Decode(w uint32) Instr {
	var in Instr
	op := Opcode(w >> 26)
	info := byOpcode[op]
	if info == nil {
		return Instr{Op: op, Unused: w & 0x03FFFFFF}
	}
	in.Op = info.Op
	f := &formats[info.Format]
	for n := range f.sources {
		in.Src[n] = SrcReg(w >> f.src[n] & srcMask(f, n))
	}
	if f.descBits != 0 {
		in.Desc = uint8(w & (1<<f.descBits - 1))
		in.Idx = AddrReg(w >> f.idx & 3)
	}
	if f.hasDst {
		in.Dst = DstReg(w >> f.dst & 0x1F)
	}
	switch info.Format {
	case Format1c:
		in.CmpY = CompareOp(w >> 21 & 7)
		in.CmpX = CompareOp(w >> 24 & 7)
	case Format2:
		in.Num, in.Dest = uint8(w), uint16(w>>10&0xFFF)
		in.Cond = CondOp(w >> 22 & 3)
		in.RefY, in.RefX = w>>24&1 != 0, w>>25&1 != 0
	case Format3:
		in.Num, in.Dest = uint8(w), uint16(w>>10&0xFFF)
		in.Uniform = uint8(w >> 22 & 0xF)
	case Format4:
		in.Winding, in.PrimEmit = w>>22&1 != 0, w>>23&1 != 0
		in.VertexID = uint8(w >> 24 & 3)
	}
	in.Unused = w &^ fieldBits(info)
	return in
}

func srcMask(f *formatInfo, n int) uint32 {
	if n == f.wide {
		return 0x7F
	}
	return 0x1F
}

// fieldBits returns the bits of the word that the opcode and its format define.
func fieldBits(info *OpInfo) uint32 {
	f := &formats[info.Format]
	var m uint32
	for n := range f.sources {
		m |= srcMask(f, n) << f.src[n]
	}
	if f.descBits != 0 {
		m |= 1<<f.descBits - 1
		m |= 3 << f.idx
	}
	if f.hasDst {
		m |= 0x1F << f.dst
	}
	switch info.Format {
	case Format1c:
		m |= 0x3F << 21
	case Format2, Format3:
		m |= 0xFF | 0xFFF<<10 | 0xF<<22
	case Format4:
		m |= 0xF << 22
	}
	return m | 0x3F>>f.short<<(26+f.short)
}

// Encode encodes the instruction. It returns an error if a field does not fit.
func (in Instr) Encode() (uint32, error) {
	info := in.Op.Info()
	if info == nil {
		if in.Op > 0x3F {
			return 0, fmt.Errorf("opcode 0x%02X: six bits expected", uint8(in.Op))
		}
		return uint32(in.Op)<<26 | in.Unused&0x03FFFFFF, nil
	}
	f := &formats[info.Format]
	w := uint32(info.Op) << 26
	for n := range f.sources {
		if uint32(in.Src[n]) > srcMask(f, n) {
			return 0, fmt.Errorf("%s: source %d is %s, but only v0-v15 and r0-r15 are possible there", in.Op, n+1, in.Src[n])
		}
		w |= uint32(in.Src[n]) << f.src[n]
	}
	if f.descBits != 0 {
		if int(in.Desc) >= info.Format.DescLimit() {
			return 0, fmt.Errorf("%s: operand descriptor %d, but only the first %d can be named", in.Op, in.Desc, info.Format.DescLimit())
		}
		if in.Idx > AddrAL {
			return 0, fmt.Errorf("%s: address register %d, expected 0-3", in.Op, in.Idx)
		}
		w |= uint32(in.Desc) | uint32(in.Idx)<<f.idx
	}
	if f.hasDst {
		if in.Dst > 0x1F {
			return 0, fmt.Errorf("%s: destination register %d, expected 0-31", in.Op, in.Dst)
		}
		w |= uint32(in.Dst) << f.dst
	}
	switch info.Format {
	case Format1c:
		if in.CmpX > 7 || in.CmpY > 7 {
			return 0, fmt.Errorf("CMP: comparison %d, %d, expected 0-7", in.CmpX, in.CmpY)
		}
		w |= uint32(in.CmpY)<<21 | uint32(in.CmpX)<<24
	case Format2, Format3:
		if in.Dest > 0xFFF {
			return 0, fmt.Errorf("%s: destination 0x%X, expected at most 0xFFF", in.Op, in.Dest)
		}
		w |= uint32(in.Num) | uint32(in.Dest)<<10
		if info.Format == Format2 {
			w |= uint32(in.Cond&3)<<22 | bit(in.RefY)<<24 | bit(in.RefX)<<25
			break
		}
		if in.Uniform > 0xF {
			return 0, fmt.Errorf("%s: uniform %d, expected 0-15", in.Op, in.Uniform)
		}
		w |= uint32(in.Uniform) << 22
	case Format4:
		if in.VertexID > 3 {
			return 0, fmt.Errorf("SETEMIT: vertex %d, expected 0-3", in.VertexID)
		}
		w |= bit(in.Winding)<<22 | bit(in.PrimEmit)<<23 | uint32(in.VertexID)<<24
	}
	return w | in.Unused&^fieldBits(info), nil
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
