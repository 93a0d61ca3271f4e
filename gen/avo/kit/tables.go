package kit

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Tables is how a kernel reads two numbers that lie beside each other, eight lanes at a time: by
// two gathers, or by eight loads that are put together, where a processor takes more
// time for its gathers.
type Tables struct {
	Loads bool
	slot  Mem // for indices, which come back from there one by one
}

// EitherWay makes the body of a kernel, which ends with RET, for both ways. The
// variable slowGathers of the kernel's package decides.
func EitherWay(body func(t Tables)) {
	CMPB(NewDataAddr(Symbol{Name: "·slowGathers"}, 0), Imm(0))
	JNE(LabelRef("loads"))
	body(Tables{})
	Label("loads")
	body(Tables{Loads: true, slot: AllocLocal(32)})
}

// Label makes a label of the body out of a name.
func (t Tables) Label(name string) string {
	if t.Loads {
		return name + "Loads"
	}
	return name
}

// Indices are eight numbers of entries, none negative, in memory.
type Indices struct{ at Mem }

// IndicesAt are those in memory at m, from there on.
func IndicesAt(m Mem) Indices { return Indices{m} }

// entry is the entry of lane i of a table of four or eight bytes each.
func (x Indices) entry(base Register, size uint8, i int) Mem {
	g := GP32()
	MOVL(x.at.Offset(4*i), g)
	return Mem{Base: base, Index: g.As64(), Scale: size}
}

// Pairs loads the number at the index of each lane, in entries of size bytes, and the one
// behind it.
func (x Indices) Pairs(base Register, size uint8) (first, second VecVirtual) {
	two := func(i int) VecVirtual {
		v := XMM()
		VMOVQ(x.entry(base, size, i), v)
		VMOVHPS(x.entry(base, size, i+1), v, v)
		return v
	}
	four := func(i int) VecVirtual {
		low, high := two(i), two(i+4)
		v := YMM()
		VINSERTI128(Imm(1), high.AsX(), low.AsY(), v)
		return v
	}
	low, high := four(0), four(2)
	first, second = YMM(), YMM()
	VSHUFPS(Imm(0x88), high, low, first)
	VSHUFPS(Imm(0xDD), high, low, second)
	return first, second
}

// ReadPairs reads entries of two numbers.
func (t Tables) ReadPairs(base Register, index VecVirtual) (first, second VecVirtual) {
	if t.Loads {
		VMOVDQU(index, t.slot)
		return IndicesAt(t.slot).Pairs(base, 8)
	}
	return Gather(Mem{Base: base, Index: index, Scale: 8}), Gather(Mem{Base: base, Index: index, Scale: 8, Disp: 4})
}

// ReadPairsAt is ReadPairs at indices in memory.
func (t Tables) ReadPairsAt(base Register, index Mem) (first, second VecVirtual) {
	if t.Loads {
		return IndicesAt(index).Pairs(base, 8)
	}
	v := YMM()
	VMOVDQU(index, v)
	return t.ReadPairs(base, v)
}

// Gather reads a number of 32 bits a lane, in the way that is the fastest everywhere for single
// ones.
func Gather(from Mem) VecVirtual {
	v, mask := YMM(), YMM()
	VPXOR(v, v, v) // a gather waits for what it writes to
	VPCMPEQD(mask, mask, mask)
	VPGATHERDD(mask, from, v)
	return v
}
