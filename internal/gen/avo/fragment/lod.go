package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Offsets in the struct lodParams of package fragment. Each value is repeated eight times.
const (
	lodWidth = 32 * iota
	lodHeight
	lodBias
	lodMin
	lodMax
)

// Bits of the coefficients of log2 of package fragment.
const (
	lodC5 = 0x3D3538ED // 0.044243741
	lodC4 = 0xBE43DA52 // -0.19126251
	lodC3 = 0x3ED3BD7D // 0.41355505
	lodC2 = 0xBF3557E1 // -0.70837215
	lodC1 = 0x3FB88E14 // 1.4418359
)

// levelKernels makes the kernels that choose levels of detail, for linear and nearest mip filters.
func levelKernels() {
	order := kit.Dwords("quadOrder", 0, 4, 1, 5, 2, 6, 3, 7)
	for _, linear := range []bool{true, false} {
		name := "levelsNearestVector"
		if linear {
			name = "levelsLinearVector"
		}
		kit.Text(name, "func(u, v *float32, p *float32, level, next, share, small *uint8, n int) uint64",
			"is the AVX2 twin of levels. Its result is 0 if no lane has a share of the next level. It works on 32 lanes at a time: what lies behind n is written too.")
		u, v := Load(Param("u"), GP64()), Load(Param("v"), GP64())
		p := Load(Param("p"), GP64())
		level, next := Load(Param("level"), GP64()), Load(Param("next"), GP64())
		share, small := Load(Param("share"), GP64()), Load(Param("small"), GP64())
		n := Load(Param("n"), GP64())
		i, q, any := GP64(), GP64(), GP64()
		XORQ(i, i)
		XORQ(q, q)
		XORQ(any, any)
		Label("loop")
		// r[k] holds the greatest absolute derivative of the quads 2k and 2k+1,
		// four times each.
		var r [4]VecVirtual
		for k := range r {
			steps := func(src Register, size int) VecVirtual {
				x := kit.In(YMM(), VMOVUPS, Mem{Base: src, Index: i, Scale: 4, Disp: 32 * k})
				a := kit.In(YMM(), VPERMILPS, Imm(0b10_01_10_01), x) // right and down neighbours
				b := kit.In(YMM(), VPERMILPS, Imm(0), x)
				VSUBPS(b, a, a)
				VMULPS(Mem{Base: p, Disp: size}, a, a)
				VANDPS(dwordsMem(0x7FFFFFFF), a, a)
				return a
			}
			s := steps(u, lodWidth)
			VMAXPS(steps(v, lodHeight), s, s) // u > v ? u : v
			across := kit.In(YMM(), VPERMILPS, Imm(0), s)
			down := kit.In(YMM(), VPERMILPS, Imm(0b01_01_01_01), s)
			VMAXPS(down, across, across) // across > down ? across : down
			r[k] = across
		}
		VBLENDPS(Imm(0b0010_0010), r[1], r[0], r[0])
		VBLENDPS(Imm(0b1000_1000), r[3], r[2], r[2])
		VBLENDPS(Imm(0b1100_1100), r[2], r[0], r[0])
		o := kit.In(YMM(), VMOVDQU, order)
		x := kit.In(YMM(), VPERMPS, r[0], o)

		// log2
		e, f, t := YMM(), YMM(), YMM()
		VPSRLD(Imm(23), x, e)
		VPAND(dwordsMem(0xFF), e, e)
		VPSUBD(dwordsMem(127), e, e)
		VCVTDQ2PS(e, e)
		VPAND(dwordsMem(0x7FFFFF), x, f)
		VPOR(dwordsMem(0x3F800000), f, f)
		VSUBPS(dwordsMem(0x3F800000), f, f)
		VMULPS(dwordsMem(lodC5), f, t)
		for _, c := range []uint32{lodC4, lodC3, lodC2, lodC1} {
			VADDPS(dwordsMem(c), t, t)
			VMULPS(f, t, t)
		}
		VADDPS(t, e, e)
		VADDPS(Mem{Base: p, Disp: lodBias}, e, e)

		zero := YMM()
		VXORPS(zero, zero, zero)
		is := kit.In(YMM(), VCMPPS, Imm(0x1E), zero, e) // greater than 0
		VPSRLD(Imm(31), is, is)
		storeQuads(is, Mem{Base: small, Index: q, Scale: 1})

		VMAXPS(Mem{Base: p, Disp: lodMin}, e, e)
		VMINPS(Mem{Base: p, Disp: lodMax}, e, e)
		l := YMM()
		if linear {
			VROUNDPS(Imm(1), e, l)
			VSUBPS(l, e, e)
			VMULPS(dwordsMem(float256), e, e)
			VCVTTPS2DQ(e, e)
			storeQuads(e, Mem{Base: share, Index: q, Scale: 1})
			s := kit.In(GP64(), MOVQ, Mem{Base: share, Index: q, Scale: 1})
			ORQ(s, any)
			one := kit.In(YMM(), VADDPS, dwordsMem(0x3F800000), l)
			VMINPS(Mem{Base: p, Disp: lodMax}, one, one)
			VCVTTPS2DQ(one, one)
			storeQuads(one, Mem{Base: next, Index: q, Scale: 1})
		} else {
			// -floor(0.5 - e), clamped to the existing levels
			half := kit.In(YMM(), VMOVUPS, dwordsMem(floatHalf))
			VSUBPS(e, half, l)
			VROUNDPS(Imm(1), l, l)
			VSUBPS(l, zero, l)
			VMAXPS(Mem{Base: p, Disp: lodMin}, l, l)
			VMINPS(Mem{Base: p, Disp: lodMax}, l, l)
		}
		VCVTTPS2DQ(l, l)
		storeQuads(l, Mem{Base: level, Index: q, Scale: 1})
		ADDQ(Imm(8), q)
		ADDQ(Imm(32), i)
		CMPQ(i, n)
		JLT(LabelRef("loop"))
		Store(any, ReturnIndex(0))
		kit.Leave()
	}
}

// storeQuads narrows eight integers of 0 to 255 to bytes.
func storeQuads(y VecVirtual, m Mem) {
	hi := kit.In(XMM(), VEXTRACTI128, Imm(1), y)
	VPACKUSDW(hi, y.AsX(), hi)
	VPACKUSWB(hi, hi, hi)
	VMOVQ(hi, m)
}
