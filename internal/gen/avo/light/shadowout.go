package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

const floatDepth24 = 0x4B7FFFFF // 16777215

// shadowBlock makes the kernel that writes a block of a shadow texture. p holds
// the penumbra's constant and linear part.
func shadowBlock() {
	kit.Text("shadowBlockVector", "func(buffer *uint8, z *float32, intensity *uint8, p *float32, mask uint32) uint32",
		"is shadowOutput.pixel for the pixels of mask; the result is those for which it is true.")
	buffer, z, intensity, p := pointer("buffer"), pointer("z"), pointer("intensity"), pointer("p")
	mask := Load(Param("mask"), GP32())
	constant := kit.In(YMM(), VBROADCASTSS, Mem{Base: p})
	linear := kit.In(YMM(), VBROADCASTSS, Mem{Base: p, Disp: 4})
	// The byte order of depths, most significant first, and its inverse.
	order := make([]byte, 32)
	for i := range order {
		order[i] = 0x80
		if i%4 < 3 {
			order[i] = byte(i%16&12 + 2 - i%4)
		}
	}
	var set [2]GPVirtual
	for k := range 2 {
		d, pixel, old := YMM(), YMM(), YMM()
		at := Mem{Base: buffer, Disp: 32 * k}
		VMOVUPS(Mem{Base: z, Disp: 32 * k}, d)
		VMULPS(memory(floatDepth24), d, d)
		VCVTTPS2DQ(d, d)
		VMOVDQU(at, pixel)
		VPSHUFB(kit.Bytes("shadowDepth", order), pixel, old)
		nearer := kit.In(YMM(), VPCMPGTD, d, old)
		VPAND(lanesOf(mask, k), nearer, nearer)
		set[k] = kit.In(GP32(), VMOVMSKPS, nearer)
		in, hard := bytesToWords(Mem{Base: intensity, Disp: 8 * k}), YMM()
		VPCMPEQD(memory(0), in, hard)
		// A hard shadow: the new depth with the old intensity.
		now := kit.In(YMM(), VPSHUFB, kit.Bytes("shadowDepth", order), d)
		kept := kit.In(YMM(), VPAND, memory(0xFF000000), pixel)
		VPOR(kept, now, now)
		// A soft edge: the lower of both intensities.
		zf := kit.In(YMM(), VCVTDQ2PS, d)
		oldf := kit.In(YMM(), VCVTDQ2PS, old)
		inf := kit.In(YMM(), VCVTDQ2PS, in)
		v := div(inf, add(constant, mul(linear, div(zf, oldf))))
		VMAXPS(memory(0), v, v) // 0 for NaN
		VMINPS(memory(float255), v, v)
		VCVTTPS2DQ(v, v)
		VPSLLD(Imm(24), v, v)
		VPMINUD(kept, v, v)
		depth := kit.In(YMM(), VPAND, memory(0x00FFFFFF), pixel)
		VPOR(depth, v, v)
		VPBLENDVB(hard, now, v, v)
		VPBLENDVB(nearer, v, pixel, pixel)
		VMOVDQU(pixel, at)
	}
	SHLL(Imm(8), set[1])
	ORL(set[1], set[0])
	Store(set[0], ReturnIndex(0))
	kit.Leave()
}
