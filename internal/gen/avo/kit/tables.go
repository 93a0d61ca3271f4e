package kit

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Tables reads two adjacent numbers for each lane: with two gathers, or eight lanes at a time with eight loads on processors with
// slow gathers.
type Tables struct {
	Loads bool
	slot  Mem // indices on the stack, read back one by one

	wide      bool
	even, odd VecVirtual // with AVX-512: the order of numbers that separates pairs
}

// WideTables reads 16 lanes at a time, with AVX-512.
func WideTables() Tables {
	t := Tables{wide: true, even: ZMM(), odd: ZMM()}
	var order [2][]uint32
	for i := range uint32(16) {
		order[0], order[1] = append(order[0], 2*i), append(order[1], 2*i+1)
	}
	VMOVDQU32(Dwords("evenNumbers", order[0]...), t.even)
	VMOVDQU32(Dwords("oddNumbers", order[1]...), t.odd)
	return t
}

// EitherWay makes the body of a kernel, which ends with RET, for both ways. The variable slowGathers of the kernel's package
// selects one.
func EitherWay(body func(t Tables)) {
	CMPB(NewDataAddr(Symbol{Name: "·slowGathers"}, 0), Imm(0))
	JNE(LabelRef("loads"))
	body(Tables{})
	Label("loads")
	body(Tables{Loads: true, slot: AllocLocal(32)})
}

// Label makes a label of the body from a name.
func (t Tables) Label(name string) string {
	if t.Loads {
		return name + "Loads"
	}
	return name
}

// Indices are eight nonnegative indices of entries, in memory.
type Indices struct{ at Mem }

// IndicesAt returns the indices at m.
func IndicesAt(m Mem) Indices { return Indices{m} }

// Pairs loads, for each lane, the number at its index and the next one. Entries have size bytes.
func (x Indices) Pairs(base Register, size uint8) (first, second VecVirtual) {
	t := x.pairs(size, base)
	return t[0], t[1]
}

// TwoPairs is Pairs of two tables at the same indices.
func (x Indices) TwoPairs(base, other Register, size uint8) (t [4]VecVirtual) {
	return [4]VecVirtual(x.pairs(size, base, other))
}

func (x Indices) pairs(size uint8, tables ...Register) (out []VecVirtual) {
	two := func(i int) (v []VecVirtual) {
		for lane := range 2 {
			g := In(GP32(), MOVL, x.at.Offset(4*(i+lane)))
			for k, base := range tables {
				at := Mem{Base: base, Index: g.As64(), Scale: size}
				if lane == 0 {
					v = append(v, XMM())
					VMOVQ(at, v[k])
				} else {
					VMOVHPS(at, v[k], v[k])
				}
			}
		}
		return v
	}
	four := func(i int) (v []VecVirtual) {
		low, high := two(i), two(i+4)
		for k := range tables {
			y := In(YMM(), VINSERTI128, Imm(1), high[k].AsX(), low[k].AsY())
			v = append(v, y)
		}
		return v
	}
	low, high := four(0), four(2)
	for k := range tables {
		first := In(YMM(), VSHUFPS, Imm(0x88), high[k], low[k])
		second := In(YMM(), VSHUFPS, Imm(0xDD), high[k], low[k])
		out = append(out, first, second)
	}
	return out
}

// ReadPairs reads entries of two numbers.
func (t Tables) ReadPairs(base Register, index VecVirtual) (first, second VecVirtual) {
	if t.wide {
		high := In(YMM(), VEXTRACTI64X4, Imm(1), index)
		return t.gatherPairs(base, index.AsY(), high)
	}
	if t.Loads {
		VMOVDQU(index, t.slot)
		return IndicesAt(t.slot).Pairs(base, 8)
	}
	return Gather(Mem{Base: base, Index: index, Scale: 8}), Gather(Mem{Base: base, Index: index, Scale: 8, Disp: 4})
}

// ReadPairsAt is ReadPairs at indices in memory.
func (t Tables) ReadPairsAt(base Register, index Mem) (first, second VecVirtual) {
	if t.wide {
		low := In(YMM(), VMOVUPS, index)
		high := In(YMM(), VMOVUPS, index.Offset(32))
		return t.gatherPairs(base, low, high)
	}
	if t.Loads {
		return IndicesAt(index).Pairs(base, 8)
	}
	v := In(YMM(), VMOVDQU, index)
	return t.ReadPairs(base, v)
}

// gatherPairs gathers eight pairs at a time.
func (t Tables) gatherPairs(base Register, low, high Register) (first, second VecVirtual) {
	pairs := func(index Register) VecVirtual {
		v, all := ZMM(), K()
		VPXORD(v, v, v) // a gather depends on its destination
		KXNORW(all, all, all)
		VPGATHERDQ(Mem{Base: base, Index: index, Scale: 8}, all, v)
		return v
	}
	a, b := pairs(low), pairs(high)
	first, second = ZMM(), a
	VMOVDQA32(a, first)
	VPERMT2PS(b, t.even, first)
	VPERMT2PS(b, t.odd, second)
	return first, second
}

// Read loads, for each lane, the number of 32 bits at its index, which is not negative.
func (t Tables) Read(base Register, index VecVirtual) VecVirtual {
	if !t.Loads {
		return Gather(Mem{Base: base, Index: index, Scale: 4})
	}
	high, out := XMM(), YMM()
	VEXTRACTI128(Imm(1), index, high)
	four := func(k Register) VecVirtual {
		v := XMM()
		for pair := range 2 {
			two, one := GP64(), GP64()
			if pair == 0 {
				VMOVQ(k, two)
			} else {
				VPEXTRQ(Imm(1), k, two)
			}
			MOVL(two.As32(), one.As32())
			SHRQ(Imm(32), two)
			if pair == 0 {
				VMOVD(Mem{Base: base, Index: one, Scale: 4}, v)
			} else {
				VPINSRD(Imm(2), Mem{Base: base, Index: one, Scale: 4}, v, v)
			}
			VPINSRD(Imm(uint64(2*pair+1)), Mem{Base: base, Index: two, Scale: 4}, v, v)
		}
		return v
	}
	low := four(index.AsX())
	VINSERTI128(Imm(1), four(high), low.AsY(), out)
	return out
}

// Gather loads one 32-bit number for each index, in the way that is fastest on all processors for single numbers.
func Gather(from Mem) VecVirtual {
	if from.Index.Size() == 64 {
		v, all := ZMM(), K()
		VPXORD(v, v, v) // a gather depends on its destination
		KXNORW(all, all, all)
		VPGATHERDD(from, all, v)
		return v
	}
	v, mask := YMM(), YMM()
	VPXOR(v, v, v)
	VPCMPEQD(mask, mask, mask)
	VPGATHERDD(mask, from, v)
	return v
}
