package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// footprint is the texels around each position: columns and rows, the shares of the second ones, and the distance of rows.
type footprint struct{ x, x1, y, y1, a, b VecVirtual }

func (k *sampler) footprint() (f footprint, stride Op) {
	f.x = k.position(k.u, offWidth)
	f.x1, f.a = k.texelsAt(f.x, alongS, nil)
	f.y = k.position(k.v, offHeight)
	stride = k.param(offStride)
	offset := k.param(offOffset)
	f.y1, f.b = k.texelsAt(f.y, alongT, func(y VecVirtual) {
		VPMADDWD(stride, y, y) // both below 2^15
		VPADDD(offset, y, y)
	})
	return f, stride
}

// bilinear mixes the four texels around each position.
func (k *sampler) bilinear() VecVirtual {
	f, _ := k.footprint()
	t := [4]VecVirtual{k.gather(f.y, f.x), k.gather(f.y, f.x1), k.gather(f.y1, f.x), k.gather(f.y1, f.x1)}
	return bilerp(t, func(high bool) (a, b VecVirtual) { return shares(f.a, high), shares(f.b, high) })
}

// bilinearLoads is the loop of bilinear by loads. Where all eight lanes read neighbours (the second texel follows the first, the
// second row the first row), it loads two texels at a time. A first loop stores indices and shares, so that no load waits for them.
func (k *sampler) bilinearLoads() {
	aside := AllocLocal(planeSize)
	share := kit.In(GP64(), LEAQ, aside)
	rowBelow := k.texels
	var below Register // indices of the second row, with levels
	if k.levels {
		m := AllocLocal(planeSize)
		below = kit.In(GP64(), LEAQ, m)
	} else {
		stride := GP64()
		MOVL(Mem{Base: k.p, Disp: offStride}, stride.As32())
		rowBelow = kit.In(GP64(), LEAQ, Mem{Base: k.texels, Index: stride, Scale: 4})
	}

	n, i := Load(Param("n"), GP64()), GP64()
	XORQ(i, i)
	Label("places")
	k.at(i, 0)
	var idx, a, b VecVirtual
	var stride Op
	if k.border {
		idx, a, b, stride = k.bordered()
	} else {
		idx, a, b, stride = k.inside()
	}
	VMOVDQU(idx, k.lanes(k.out))
	VPSLLD(Imm(16), b, b)
	VPOR(a, b, b)
	VPSLLD(Imm(7), b, b)
	VMOVDQU(b, k.lanes(share))
	if k.levels {
		VPADDD(stride, idx, idx)
		VMOVDQU(idx, k.lanes(below))
	}
	ADDQ(Imm(8), i)
	CMPQ(i, n)
	JLT(LabelRef("places"))

	XORQ(i, i)
	Label("texels")
	any := GP32()
	VMOVDQU(k.lanes(k.out), idx)
	VMOVMSKPS(idx, any)
	TESTL(any, any)
	JNZ(LabelRef("apart"))
	var t [4]VecVirtual
	at := kit.IndicesAt(k.lanes(k.out))
	if k.levels {
		t[0], t[1] = at.Pairs(k.texels, 4)
		t[2], t[3] = kit.IndicesAt(k.lanes(below)).Pairs(rowBelow, 4)
	} else {
		t = at.TwoPairs(k.texels, rowBelow, 4)
	}
	both := kit.In(YMM(), VMOVDQU, k.lanes(share))
	k.store(bilerp(t, func(high bool) (a, b VecVirtual) {
		a, b = YMM(), YMM()
		VPSHUFB(shareOrder(high, 0), both, a)
		VPSHUFB(shareOrder(high, 2), both, b)
		return a, b
	}))
	Label("next")
	ADDQ(Imm(8), i)
	CMPQ(i, n)
	JLT(LabelRef("texels"))
	kit.Leave()

	Label("apart")
	k.at(i, 0)
	k.store(k.bilinear())
	JMP(LabelRef("next"))
}

// inside returns the index of each lane's first texel, negative if the texels are no neighbours, and the shares, for textures
// without border.
func (k *sampler) inside() (idx, a, b VecVirtual, stride Op) {
	x, a, apart := k.beside(k.u, offWidth, alongS)
	y, b, more := k.beside(k.v, offHeight, alongT)
	VPOR(more, apart, apart)
	stride = k.param(offStride)
	VPMADDWD(stride, y, y)
	VPADDD(k.param(offOffset), y, y)
	VPADDD(y, x, x)
	VPSRAD(Imm(31), apart, apart)
	VPOR(apart, x, x)
	return x, a, b, stride
}

// beside returns the first of the two texels beside a position, in memory order, and the share of the second. apart is negative
// where they are no neighbours: where a texture repeats, ends or mirrors.
func (k *sampler) beside(src Register, size int, c coordinate) (first, share, apart VecVirtual) {
	first, share, apart = k.position(src, size), YMM(), YMM()
	VPSUBD(dwordsMem(128), first, first)
	VPAND(dwordsMem(255), first, share)
	VPSRAD(Imm(8), first, first)
	VPAND(k.param(c.mask), first, first)
	var whole VecVirtual
	if k.modes != wrapEdge {
		turned, back, other := YMM(), YMM(), YMM()
		VPXOR(k.param(c.flip), first, turned)
		VPCMPGTD(turned, first, back)
		VPMINSD(turned, first, first)
		VPADDD(back, first, first) // the second texel comes first
		// The share becomes 256 minus itself. 256 does not fit lerp's operand, so such lanes count as apart.
		whole = YMM()
		VPAND(dwordsMem(256), back, other)
		VPXOR(back, share, share)
		VPSUBD(back, share, share)
		VPADDD(other, share, share)
		VPSLLD(Imm(23), share, whole)
	}
	VPCMPEQD(apart, apart, apart)
	VPADDD(k.param(c.max), apart, apart)
	VPSUBD(first, apart, apart)
	VPOR(first, apart, apart)
	if whole != nil {
		VPOR(whole, apart, apart)
	}
	return first, share, apart
}

// bordered is inside for textures with a border.
func (k *sampler) bordered() (idx, a, b VecVirtual, stride Op) {
	f, stride := k.footprint()
	// Bits of apart are set where two texels are no neighbours.
	apart := k.neighbours(f.x, f.x1, f.a, dwordsMem(1))
	VPOR(k.neighbours(f.y, f.y1, f.b, stride), apart, apart)
	VPCMPEQD(dwordsMem(0), apart, apart)
	VPXOR(dwordsMem(0xFFFFFFFF), apart, apart)
	outside := kit.In(YMM(), VPOR, f.x, f.y) // negative
	VPSRAD(Imm(31), outside, outside)
	VPOR(outside, apart, apart)
	idx = kit.In(YMM(), VPADDD, f.x, f.y)
	VPOR(apart, idx, idx) // negative: no neighbours
	return idx, f.a, f.b, stride
}

// neighbours returns 0 where two places are neighbours: second is first plus step. second has the share. Where the second comes
// first, in a mirrored texture, both are exchanged; first is then the start of both.
func (k *sampler) neighbours(first, second, share VecVirtual, step Op) (apart VecVirtual) {
	apart = kit.In(YMM(), VPSUBD, first, second)
	back, whole := YMM(), YMM()
	VPSRAD(Imm(31), apart, back)
	VPABSD(apart, apart)
	VPMINSD(second, first, first)
	// The share becomes 256 minus itself, as in beside.
	VPXOR(back, share, share)
	VPSUBD(back, share, share)
	VPAND(dwordsMem(256), back, back)
	VPADDD(back, share, share)
	VPSRLD(Imm(8), share, whole)
	VPXOR(step, apart, apart)
	VPOR(whole, apart, apart)
	return apart
}
