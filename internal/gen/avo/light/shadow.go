package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Offsets in the struct shadowVector of package fragment, arrays of eight.
const (
	offWidth = 32 * iota
	offHeight
	offMaskS
	offFlipS
	offMaxS
	offBorderS
	offMaskT
	offFlipT
	offMaxT
	offBorderT
	offStride
	offBorder
)

// shadowKernels makes the kernels of shadow textures and of projection.
func shadowKernels() {
	begin("shadowReference", "d *uint32, w *float32, bias int32")
	d, w := pointer("d"), pointer("w")
	sign, one, size, null := fill(0x7FFFFFFF), fill(floatOne), fill(0x4B7FFFFF), zero()
	bias := broadcast("bias")
	loop(func(i Register) {
		y := truncate(mul(below(and(at(w, i, 0), sign), one), size))
		VPSUBD(bias, y, y)
		VPMAXSD(null, y, y)
		store(y, d, i, 0)
	})

	begin("project", "du *float32, dv *float32, u *float32, v *float32, w *float32")
	du, dv, u, v := pointer("du"), pointer("dv"), pointer("u"), pointer("v")
	w = pointer("w")
	loop(func(i Register) {
		q := load(w, i, 0)
		store(div(load(u, i, 0), q), du, i, 0)
		store(div(load(v, i, 0), q), dv, i, 0)
	})

	shadowSample()
}

// shadowSample makes the kernel that compares four texels and mixes the
// results.
func shadowSample() {
	begin("shadowSample", "u *float32, v *float32, z *uint32, p *uint32, texels *uint32, out *uint8")
	Doc("shadowSampleVector is the AVX2 twin of shadowSampler.sample with the linear filter.")
	u, v, z, p, texels, out := pointer("u"), pointer("v"), pointer("z"), pointer("p"), pointer("texels"), pointer("out")
	param := func(off int) Mem { return Mem{Base: p, Disp: off} }

	// position returns the texel before a coordinate and the share of the next one in 1/256.
	position := func(coordinates, i Register, scale int) (k, share VecVirtual) {
		y := kit.In(YMM(), VMOVUPS, at(coordinates, i, 0))
		VMULPS(param(scale), y, y)
		VMULPS(memory(float256), y, y)
		VMAXPS(memory(0xCE000000), y, y) // -2^29, for NaN too
		VMINPS(memory(floatBound), y, y)
		k, share = YMM(), YMM() // rounded to nearest, ties to even
		VCVTPS2DQ(y, k)
		VPSUBD(memory(128), k, k)
		VPAND(memory(255), k, share)
		VPSRAD(Imm(8), k, k)
		return k, share
	}
	// wrap applies the wrap mode to an index, and returns all ones where the border is read.
	wrap := func(y VecVirtual, mask, flip, top, border int) (outside VecVirtual) {
		outside = YMM()
		t := YMM()
		VPSRAD(Imm(31), y, outside)
		VPMINSD(param(top), y, t) // differs if the index is greater
		VPCMPEQD(t, y, t)
		VPXOR(memory(0xFFFFFFFF), t, t)
		VPOR(t, outside, outside)
		VPAND(param(border), outside, outside)
		VPAND(param(mask), y, y)
		VPXOR(param(flip), y, t)
		VPMINSD(t, y, y)
		VPMAXSD(memory(0), y, y)
		VPMINSD(param(top), y, y)
		return outside
	}
	loop(func(i Register) {
		x0, a := position(u, i, offWidth)
		y0, b := position(v, i, offHeight)
		x1 := kit.In(YMM(), VPADDD, memory(1), x0)
		y1 := kit.In(YMM(), VPADDD, memory(1), y0)
		ox0 := wrap(x0, offMaskS, offFlipS, offMaxS, offBorderS)
		ox1 := wrap(x1, offMaskS, offFlipS, offMaxS, offBorderS)
		oy0 := wrap(y0, offMaskT, offFlipT, offMaxT, offBorderT)
		oy1 := wrap(y1, offMaskT, offFlipT, offMaxT, offBorderT)
		// light compares the texel in column x of a row with the reference.
		light := func(row, x, orow, ox VecVirtual) VecVirtual {
			idx, mask := YMM(), YMM()
			VPADDD(row, x, idx)
			t := kit.Gather(Mem{Base: texels, Index: idx, Scale: 4})
			VPOR(orow, ox, mask)
			VPBLENDVB(mask, param(offBorder), t, t)
			VPSRLD(Imm(8), t, mask) // depth
			VPMAXSD(at(z, i, 0), mask, idx)
			VPCMPEQD(idx, mask, mask) // the reference is not greater
			VPAND(memory(255), t, t)
			VPAND(mask, t, t)
			return t
		}
		// blend is p*(256-s) + q*s, in q.
		blend := func(p, q, s VecVirtual) VecVirtual {
			VPSUBD(p, q, q)
			VPMULLD(s, q, q)
			VPSLLD(Imm(8), p, p)
			VPADDD(p, q, q)
			return q
		}
		row := func(y, oy VecVirtual) VecVirtual {
			VPMULLD(param(offStride), y, y)
			return blend(light(y, x0, oy, ox0), light(y, x1, oy, ox1), a)
		}
		top := row(y0, oy0)
		r := blend(top, row(y1, oy1), b)
		VPADDD(memory(1<<15), r, r)
		VPSRLD(Imm(16), r, r)
		VPACKUSDW(r, r, r)
		VPERMQ(Imm(0x08), r, r)
		VPACKUSWB(r.AsX(), r.AsX(), r.AsX())
		VMOVQ(r.AsX(), Mem{Base: out, Index: i, Scale: 1})
	})
}
