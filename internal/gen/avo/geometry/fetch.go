package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// fetcher builds a kernel that loads a vertex attribute.
type fetcher struct {
	rows, data, ids, parts Register
	first, stride          Register
	bad                    VecVirtual // lanes that only plain Go converts
}

// fetchKernels makes a kernel for each type of component.
func fetchKernels() {
	fetchKernel("fetchFloatVector", (*fetcher).floats)
	fetchKernel("fetchShortVector", (*fetcher).shorts)
	fetchKernel("fetchUByteVector", func(f *fetcher) { f.bytes(false) })
	fetchKernel("fetchByteVector", func(f *fetcher) { f.bytes(true) })
}

// fetchKernel makes a kernel whose body loads and converts eight vertices.
//
// Vertices are loaded one by one with all four components: gathers are not faster where they are fast, and much slower where they
// are slow.
func fetchKernel(name string, body func(f *fetcher)) {
	kit.Text(name, "func(rows *float32, data *byte, stride, first, top uint32, ids *uint32, n int, parts *uint32) uint32", "loads an attribute of n vertices, a multiple of 8 up to 64, into four rows of 64 lanes.",
		"data is the array from vertex first on, parts what each component is cut and filled with, see fetchParts.",
		"All four components are read whatever the attribute has.",
		"The result is not 0, and the rows hold anything, if a vertex is above top or a value needs plain Go.")
	f := &fetcher{
		rows: Load(Param("rows"), GP64()), data: Load(Param("data"), GP64()),
		stride: Load(Param("stride"), GP32()), first: Load(Param("first"), GP32()),
	}
	n, count := Load(Param("n"), GP64()), GP64()
	f.ids = Load(Param("ids"), GP64())

	// No id may be above top, so that nothing is read behind the end of the array.
	above, top, next := YMM(), YMM(), GP64()
	VMOVD(Load(Param("top"), GP32()), top.AsX())
	VPBROADCASTD(top.AsX(), top)
	VMOVDQA(top, above)
	MOVQ(f.ids, next)
	MOVQ(n, count)
	Label("look")
	VPMAXUD(Mem{Base: next}, above, above)
	ADDQ(Imm(32), next)
	SUBQ(Imm(8), count)
	JNZ(LabelRef("look"))
	VPXOR(top, above, above)
	VPTEST(above, above)
	JNZ(LabelRef("refused"))

	f.parts = Load(Param("parts"), GP64())
	f.bad = YMM()
	VPXOR(f.bad, f.bad, f.bad)
	eights(n, func() {
		body(f)
		ADDQ(Imm(32), f.rows)
		ADDQ(Imm(32), f.ids)
	})
	result := kit.In(GP32(), VMOVMSKPS, f.bad)
	Store(result, ReturnIndex(0))
	kit.Leave()
	Label("refused")
	MOVL(U32(1), result)
	Store(result, ReturnIndex(0))
	kit.Leave()
}

// at returns the address of a vertex.
func (f *fetcher) at(vertex int) Mem {
	id := kit.In(GP32(), MOVL, Mem{Base: f.ids, Disp: 4 * vertex})
	SUBL(f.first, id)
	IMULL(f.stride, id)
	return Mem{Base: f.data, Index: id.(GPVirtual).As64(), Scale: 1}
}

// put writes component c, with missing components replaced by their defaults.
func (f *fetcher) put(c int, y VecVirtual) {
	VORPS(Mem{Base: f.parts, Disp: 32 * (4 + c)}, y, y)
	VMOVUPS(y, Mem{Base: f.rows, Disp: rowBytes * c})
}

// cut clears components that the attribute does not have.
func (f *fetcher) cut(c int, y VecVirtual) { VANDPS(Mem{Base: f.parts, Disp: 32 * c}, y, y) }

func (f *fetcher) floats() {
	var v [4]VecVirtual // vertices 0 and 4, 1 and 5, ...
	for k := range v {
		v[k] = YMM()
		VMOVUPS(f.at(k), v[k].AsX())
		VINSERTF128(Imm(1), f.at(k+4), v[k], v[k])
	}
	for c, y := range transpose(v[0], v[1], v[2], v[3]) {
		f.cut(c, y)
		abs, low, high := YMM(), YMM(), YMM()
		VANDPS(dwords(absMask), y, abs)
		VMOVUPS(dwords(minNormal), low)
		VPCMPGTD(abs, low, low) // zeros and numbers that are too small
		VPCMPGTD(dwords(overflow-1), abs, high)
		VPOR(high, f.bad, f.bad)
		VPAND(low, abs, high) // bits of a number, not of a mask's sign
		zero := YMM()
		VPXOR(zero, zero, zero)
		VPCMPGTD(zero, high, high)
		VPOR(high, f.bad, f.bad)
		VANDPS(dwords(mantissaCut), y, y)
		VANDNPS(y, low, y)
		f.put(c, y)
	}
}

func (f *fetcher) shorts() {
	var v [2]VecVirtual // vertices 0, 1, 4 and 5, 2, 3, 6 and 7
	for k := range v {
		v[k] = YMM()
		hi := XMM()
		VMOVQ(f.at(2*k), v[k].AsX())
		VPINSRQ(Imm(1), f.at(2*k+1), v[k].AsX(), v[k].AsX())
		VMOVQ(f.at(2*k+4), hi)
		VPINSRQ(Imm(1), f.at(2*k+5), hi, hi)
		VINSERTI128(Imm(1), hi, v[k], v[k])
	}
	for pair, order := range []uint64{0x88, 0xDD} {
		two := kit.In(YMM(), VSHUFPS, Imm(order), v[1], v[0])
		for half := range 2 {
			y := YMM()
			if half == 0 {
				VPSLLD(Imm(16), two, y)
				VPSRAD(Imm(16), y, y)
			} else {
				VPSRAD(Imm(16), two, y)
			}
			f.integers(2*pair+half, y)
		}
	}
}

func (f *fetcher) bytes(signed bool) {
	v, hi := YMM(), XMM()
	for k, x := range []VecVirtual{v.AsX().(VecVirtual), hi} {
		VMOVD(f.at(4*k), x)
		for i := 1; i < 4; i++ {
			VPINSRD(Imm(uint64(i)), f.at(4*k+i), x, x)
		}
	}
	VINSERTI128(Imm(1), hi, v, v)
	for c := range 4 {
		y := kit.In(YMM(), VPSLLD, Imm(uint64(24-8*c)), v)
		if signed {
			VPSRAD(Imm(24), y, y)
		} else {
			VPSRLD(Imm(24), y, y)
		}
		f.integers(c, y)
	}
}

// integers converts and writes component c.
func (f *fetcher) integers(c int, y VecVirtual) {
	f.cut(c, y)
	VCVTDQ2PS(y, y)
	f.put(c, y)
}
