// Command texture generates the AVX2 kernels of package assets/texture. Run it
// through go generate there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	decoders()
	for _, alpha := range []bool{false, true} {
		etc1(alpha)
	}
	Generate()
}

// dwords returns a memory operand with a value repeated eight times.
func dwords(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

// fill is a register with a value repeated eight times.
func fill(v uint32) VecVirtual {
	return kit.In(YMM(), VMOVDQU, dwords(v))
}

// none is the index of a byte that a shuffle clears.
const none = 0x80

// decoders makes the kernels of the formats that colour buffers do not have. A shuffle spreads bytes to texels; 4-bit channels are
// shifted to the low half of their byte, masked and repeated.
func decoders() {
	for _, f := range []struct {
		name    string
		bits    uint64 // of a texel
		channel func(texel int) [4]int
		mask    uint32 // of the halves of bytes
		high    uint32 // mask of those in the upper half of a byte
		or      uint32
	}{
		{"IA8", 16, func(i int) [4]int { return [4]int{2*i + 1, 2*i + 1, 2*i + 1, 2 * i} }, 0, 0, 0},
		{"RG8", 16, func(i int) [4]int { return [4]int{2*i + 1, 2 * i, none, none} }, 0, 0, 0xFF000000},
		{"I8", 8, func(i int) [4]int { return [4]int{i, i, i, none} }, 0, 0, 0xFF000000},
		{"A8", 8, func(i int) [4]int { return [4]int{none, none, none, i} }, 0, 0, 0},
		{"IA4", 8, func(i int) [4]int { return [4]int{i, i, i, i} }, 0x0F0F0F0F, 0x000F0F0F, 0},
		{"I4", 4, func(i int) [4]int { return [4]int{i / 2, i / 2, i / 2, none} }, 0x000F0F0F, 0, 0xFF000000},
		{"A4", 4, func(i int) [4]int { return [4]int{none, none, none, i / 2} }, 0x0F000000, 0, 0},
	} {
		order := make([]byte, 32)
		for i := range 8 {
			for ch, b := range f.channel(i) {
				order[4*i+ch] = byte(b)
			}
		}
		kit.Text("decode"+f.name+"Vector", "func(dst *uint32, src *byte, n int)", "decodes n texels, a multiple of 8.")
		dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
		n := Load(Param("n"), GP64())
		o := kit.In(YMM(), VMOVDQU, kit.Bytes("order"+f.name, order))
		var or, mask, high, odd VecVirtual
		if f.or != 0 {
			or = fill(f.or)
		}
		if f.mask != 0 {
			mask = fill(f.mask)
		}
		if f.high != 0 {
			high = fill(f.high)
		} else if f.mask != 0 {
			odd = YMM()
			VMOVDQU(kit.Dwords("odd"+f.name, 0, 4, 0, 4, 0, 4, 0, 4), odd)
		}
		Label("loop")
		y := YMM()
		switch f.bits {
		case 16:
			VBROADCASTI128(Mem{Base: src}, y)
		case 8:
			VPBROADCASTQ(Mem{Base: src}, y)
		default:
			VPBROADCASTD(Mem{Base: src}, y)
		}
		VPSHUFB(o, y, y)
		switch {
		case high != nil: // the upper half of the byte in the channels of high
			up := kit.In(YMM(), VPSRLD, Imm(4), y)
			VPAND(high, up, up)
			low := kit.In(YMM(), VPANDN, mask, high)
			VPAND(low, y, y)
			VPOR(up, y, y)
		case odd != nil: // the upper half for every second texel
			VPSRLVD(odd, y, y)
			VPAND(mask, y, y)
		}
		if mask != nil {
			twice := kit.In(YMM(), VPSLLD, Imm(4), y)
			VPOR(twice, y, y)
		}
		if or != nil {
			VPOR(or, y, y)
		}
		VMOVDQU(y, Mem{Base: dst})
		ADDQ(Imm(f.bits), src)
		ADDQ(Imm(32), dst)
		SUBQ(Imm(8), n)
		JNZ(LabelRef("loop"))
		kit.Leave()
	}
}

// modifiers is the table of the specification, as etc1.go has it.
var modifiers = [8][2]byte{{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}}

// modifierTable has, for each table, the values to add to and to subtract from the base for the four colours of a half: small,
// large, then both negative.
func modifierTable() Mem {
	var table [8 * 32]byte
	for t, m := range modifiers {
		for i, v := range m {
			for ch := range 3 {
				table[32*t+4*i+ch] = v
				table[32*t+16+8+4*i+ch] = v
			}
		}
	}
	return kit.Bytes("etc1Modifiers", table[:])
}

// halfTable has, for flip 0 and 1, the texels of rows 0 and 1, and of rows 2 and 3, that are in half 1, as the index of that half's
// first colour.
func halfTable() Mem {
	var table []uint32
	for flip := range 2 {
		for y := range 4 {
			for x := range 4 {
				half := uint32(x / 2)
				if flip == 1 {
					half = uint32(y / 2)
				}
				table = append(table, 4*half)
			}
		}
	}
	return kit.Dwords("etc1Halves", table...)
}

// etc1 makes the kernel that decodes adjacent tiles to rows of texels. dst is the row of the tile's first texels; rows are step
// bytes apart.
func etc1(alpha bool) {
	name, block := "decodeETC1Vector", 8
	if alpha {
		name, block = "decodeETC1A4Vector", 16
	}
	kit.Text(name, "func(dst *uint32, step int, src *byte, tiles int)",
		"decodes tiles beside each other to rows, the first at dst, the others step bytes behind the one before.")
	dst, step := Load(Param("dst"), GP64()), Load(Param("step"), GP64())
	src, n := Load(Param("src"), GP64()), Load(Param("tiles"), GP64())
	mods := kit.In(GP64(), LEAQ, modifierTable())
	halves := kit.In(GP64(), LEAQ, halfTable())
	one, two, opaque := fill(1), fill(2), fill(0xFF000000)
	// Bit 4x+y of two rows, and the shift from bit 16+4x+y to bit 1.
	var place, sign [2]VecVirtual
	var nibble [2]Mem
	for k := range 2 {
		var p, s, a []uint32
		for i := range uint32(8) {
			x, y := i%4, uint32(2*k)+i/4
			p, s, a = append(p, 4*x+y), append(s, 15+4*x+y), append(a, 4*y)
		}
		rows := []string{"01", "23"}[k]
		place[k], sign[k] = YMM(), YMM()
		VMOVDQU(kit.Dwords("etc1Place"+rows, p...), place[k])
		VMOVDQU(kit.Dwords("etc1Sign"+rows, s...), sign[k])
		nibble[k] = kit.Dwords("etc1Nibble"+rows, a...)
	}
	Label("loop")
	row := GP64()
	for b := range 4 {
		at := b * block
		if alpha {
			at += 8
		}
		switch b {
		case 0:
			MOVQ(dst, row)
		case 2:
			LEAQ(Mem{Base: dst, Index: step, Scale: 4}, row)
		}
		bases := etc1Bases(Mem{Base: src, Disp: at + 4})
		palette := etc1Palette(Mem{Base: src, Disp: at + 4}, bases, mods)
		flip, bits := GP64(), YMM()
		MOVL(Mem{Base: src, Disp: at + 4}, flip.As32())
		ANDL(Imm(1), flip.As32())
		SHLL(Imm(6), flip.As32())
		ADDQ(halves, flip)
		VPBROADCASTD(Mem{Base: src, Disp: at}, bits)
		to := kit.In(GP64(), MOVQ, row)
		for k := range 2 {
			mag, neg := YMM(), YMM()
			VPSRLVD(place[k], bits, mag)
			VPAND(one, mag, mag)
			VPSRLVD(sign[k], bits, neg)
			VPAND(two, neg, neg)
			VPOR(neg, mag, mag)
			VPOR(Mem{Base: flip, Disp: 32 * k}, mag, mag)
			VPERMD(palette, mag, mag)
			if alpha {
				a, twice := YMM(), YMM()
				VPBROADCASTQ(Mem{Base: src, Disp: at - 8}, a)
				VPSHUFB(columns(), a, a) // a column of four texels in each
				VPSRLVD(nibble[k], a, a)
				VPSLLD(Imm(28), a, a)
				VPSRLD(Imm(4), a, twice)
				VPOR(twice, a, a)
				VPOR(a, mag, mag)
			} else {
				VPOR(opaque, mag, mag)
			}
			VMOVDQU(mag.AsX(), Mem{Base: to, Disp: 16 * (b & 1)})
			VEXTRACTI128(Imm(1), mag, Mem{Base: to, Index: step, Scale: 1, Disp: 16 * (b & 1)})
			if k == 0 {
				LEAQ(Mem{Base: to, Index: step, Scale: 2}, to)
			}
		}
	}
	ADDQ(U32(4*block), src)
	ADDQ(Imm(32), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	kit.Leave()
}

// etc1Bases returns the two base colours of a block, red in the low byte, in the low two words of a register. m is the upper half
// of the block.
func etc1Bases(m Mem) [2]Register {
	x := kit.In(GP32(), MOVL, m)
	mode := kit.In(GP32(), MOVL, x)
	ANDL(Imm(2), mode) // differential
	BSWAPL(x)
	// Two 4-bit bases.
	hi, lo, t := GP32(), GP32(), GP32()
	MOVL(x, hi)
	ANDL(U32(0xF0F0F0), hi)
	MOVL(hi, t)
	SHRL(Imm(4), t)
	ORL(t, hi)
	MOVL(x, lo)
	ANDL(U32(0x0F0F0F), lo)
	MOVL(lo, t)
	SHLL(Imm(4), t)
	ORL(t, lo)
	// A 5-bit base and a difference with sign bit 4: the bit is inverted and 28 (that is -4) added, which keeps it positive.
	a, b := GP32(), GP32()
	MOVL(x, a)
	SHRL(Imm(3), a)
	ANDL(U32(0x1F1F1F), a)
	ANDL(U32(0x070707), x)
	XORL(U32(0x040404), x)
	MOVL(a, b)
	ADDL(x, b)
	ADDL(U32(0x1C1C1C), b)
	ANDL(U32(0x1F1F1F), b)
	for _, v := range []GPVirtual{a, b} {
		MOVL(v, t)
		SHRL(Imm(2), t)
		ANDL(U32(0x070707), t)
		SHLL(Imm(3), v)
		ORL(t, v)
	}
	TESTL(mode, mode)
	CMOVLNE(a, hi)
	CMOVLNE(b, lo)
	return [2]Register{hi, lo}
}

// columns spreads four words to words of 32 bits.
func columns() Mem {
	order := make([]byte, 32)
	for i := range order {
		order[i] = none
		if i%4 < 2 {
			order[i] = byte(i%16/4*2 + i%4)
		}
	}
	return kit.Bytes("etc1Columns", order)
}

// etc1Palette returns the eight colours of a block.
func etc1Palette(m Mem, bases [2]Register, mods Register) VecVirtual {
	var base, more, less [2]VecVirtual
	for i := range bases {
		table, x := GP64(), XMM()
		MOVL(m, table.As32())
		// The table's number times 32: bits 5-7 already are.
		if i == 1 {
			SHLL(Imm(3), table.As32())
		}
		ANDL(U32(0xE0), table.As32())
		base[i], more[i], less[i] = YMM(), YMM(), YMM()
		VMOVD(bases[i], x)
		VPBROADCASTD(x, base[i])
		VBROADCASTI128(Mem{Base: mods, Index: table, Scale: 1}, more[i])
		VBROADCASTI128(Mem{Base: mods, Index: table, Scale: 1, Disp: 16}, less[i])
	}
	for _, v := range [][2]VecVirtual{base, more, less} {
		VPBLENDD(Imm(0xF0), v[1], v[0], v[0])
	}
	VPADDUSB(more[0], base[0], base[0])
	VPSUBUSB(less[0], base[0], base[0])
	return base[0]
}
