package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func floats(x float64) Mem { return dwords(math.Float32bits(float32(x))) }

// unary makes the kernels of one source. The coefficients are those of
// shaderunit/transcendental.go.
func unary() {
	one8 := dwords(one)
	simple := func(name, twin string, rounds bool, f func(k *kernel, x VecVirtual) VecVirtual) {
		k := begin(name+"Vector", "is the AVX2 twin of "+twin+".", "func(d, a *float32, n int)")
		d, a := row("d"), row("a")
		if rounds {
			k.rounding()
		}
		k.loop(func() { VMOVUPS(f(k, load(k.at(a))), k.at(d)) })
	}
	simple("rcp", "goRcp", true, func(k *kernel, x VecVirtual) VecVirtual {
		y := load(one8)
		VDIVPS(x, y, y)
		return k.round(y, nil)
	})
	simple("rsq", "goRsq", true, func(k *kernel, x VecVirtual) VecVirtual {
		y := load(one8)
		VSQRTPS(x, x)
		VDIVPS(x, y, y)
		return k.round(y, nil)
	})
	simple("flr", "goFlr", true, func(k *kernel, x VecVirtual) VecVirtual {
		VROUNDPS(Imm(9), x, x) // down, no exception
		return k.round(x, nil)
	})
	simple("maxZero", "goMaxZero", false, func(k *kernel, x VecVirtual) VecVirtual {
		zero := YMM()
		VXORPS(zero, zero, zero)
		VMAXPS(zero, x, x)
		return x
	})
	simple("clampLit", "goClampLit", false, func(k *kernel, x VecVirtual) VecVirtual {
		VMINPS(floats(float64(0x7FFF)/0x100), x, x)
		VMAXPS(floats(-float64(0x7FFF)/0x100), x, x)
		return x
	})
	simple("ex2", "goEx2", true, ex2)
	simple("lg2", "goLg2", true, lg2)
}

func ex2(k *kernel, x VecVirtual) VecVirtual {
	f, p, scale := YMM(), YMM(), YMM()
	VROUNDPS(Imm(9), x, f) // down
	VCVTTPS2DQ(f, scale)
	VPADDD(dwords(127), scale, scale)
	VPSLLD(Imm(23), scale, scale)
	VSUBPS(f, x, f)
	VMULPS(floats(0.000208179150), f, p)
	for _, c := range []float64{0.001269216606, 0.009652195056, 0.055496023564, 0.240227204181, 0.693147170864} {
		VADDPS(floats(c), p, p)
		VMULPS(f, p, p)
	}
	VADDPS(dwords(one), p, p)
	VMULPS(scale, p, p)
	r := k.round(p, nil)
	// x <= -127 and NaN give 0; x >= 127 gives infinity; NaN stays.
	m := kit.In(YMM(), VCMPPS, Imm(0x1E), floats(-127), x) // GT
	VANDPS(m, r, r)
	VCMPPS(Imm(0x0D), floats(127), x, m) // GE
	VBLENDVPS(m, dwords(infinity), r, r)
	VCMPPS(Imm(3), x, x, m)
	VBLENDVPS(m, dwords(quietNaN), r, r)
	return r
}

func lg2(k *kernel, x VecVirtual) VecVirtual {
	e, m, s, z, p, t := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VPSUBD(dwords(0x3F3504F3), x, e)
	VPSRAD(Imm(23), e, e)
	VPSLLD(Imm(23), e, t)
	VPSUBD(t, x, m)
	VSUBPS(dwords(one), m, s)
	VADDPS(dwords(one), m, t)
	VDIVPS(t, s, s)
	VMULPS(s, s, z)
	const c1 = 2.88539008177792681472
	VMULPS(floats(c1/9), z, p)
	for _, c := range []float64{c1 / 7, c1 / 5, c1 / 3} {
		VADDPS(floats(c), p, p)
		VMULPS(z, p, p)
	}
	VADDPS(floats(c1), p, p)
	VMULPS(s, p, p)
	VCVTDQ2PS(e, e)
	VADDPS(e, p, p)
	r := k.round(p, nil)
	// Infinity stays; negative numbers and NaN give NaN; 0 gives -infinity.
	mask, zero := YMM(), YMM()
	VCMPPS(Imm(0), dwords(infinity), x, mask)
	VBLENDVPS(mask, x, r, r)
	VXORPS(zero, zero, zero)
	VCMPPS(Imm(0x09), zero, x, mask) // not greater or equal
	VBLENDVPS(mask, dwords(quietNaN), r, r)
	VCMPPS(Imm(0), zero, x, mask)
	VBLENDVPS(mask, dwords(signBit|infinity), r, r)
	return r
}
