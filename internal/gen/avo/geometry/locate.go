package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Offsets in the numbers of locate, see placing in the package.
const (
	halfWidth = 4 * iota
	halfHeight
	viewX
	viewY
	userX
	userY
	userZ
	userW
	userOn
)

// locate makes the kernel that computes window positions of vertices.
func locate() {
	kit.Text("locateVector", "func(x, y, z, w *float32, numbers *float32, offsets *int32, positions *int32, n int)", "is the AVX2 twin of locate for n vertices, a multiple of 8. offsets are of type pica.ScreenPosition, positions of type position.",
		"Vertices outside of the view volume get offsets too, which mean nothing.")
	var src [4]Register
	for c, name := range []string{"x", "y", "z", "w"} {
		src[c] = Load(Param(name), GP64())
	}
	numbers := Load(Param("numbers"), GP64())
	offsets, positions := Load(Param("offsets"), GP64()), Load(Param("positions"), GP64())
	n := Load(Param("n"), GP64())
	at := GP64()
	XORQ(at, at)
	number := func(place int) VecVirtual {
		return kit.In(YMM(), VBROADCASTSS, Mem{Base: numbers, Disp: place})
	}
	eights(n, func() {
		var p [4]VecVirtual
		for c := range p {
			p[c] = kit.In(YMM(), VMOVUPS, Mem{Base: src[c], Index: at, Scale: 1})
		}
		code := outcode(p, number)
		inv := kit.In(YMM(), VMOVUPS, dwords(one))
		VDIVPS(p[3], inv, inv)
		x := subpixels(p[0], inv, number(halfWidth), number(viewX))
		y := subpixels(p[1], inv, number(halfHeight), number(viewY))
		z, bound := YMM(), YMM()
		VMULPS(inv, p[2], z)
		VXORPS(bound, bound, bound)
		VMINPS(z, bound, z) // of two zeros the second operand, with its sign
		VMOVUPS(dwords(minusOne), bound)
		VMAXPS(z, bound, z)
		for k, v := range transpose(x, y, z, inv) {
			VMOVUPS(v.AsX(), Mem{Base: offsets, Disp: 16 * k})
			VEXTRACTF128(Imm(1), v, Mem{Base: offsets, Disp: 16 * (k + 4)})
		}
		// Positions have 12 bytes: each of eight but the last is written with 4 more, which the next one overwrites.
		v := transpose(x, y, code, code)
		var high [4]VecVirtual
		for k := range v {
			VMOVUPS(v[k].AsX(), Mem{Base: positions, Disp: 12 * k})
			high[k] = kit.In(XMM(), VEXTRACTF128, Imm(1), v[k])
		}
		for k := range 3 {
			VMOVUPS(high[k], Mem{Base: positions, Disp: 12 * (k + 4)})
		}
		VMOVQ(high[3], Mem{Base: positions, Disp: 12 * 7})
		VPEXTRD(Imm(2), high[3], Mem{Base: positions, Disp: 12*7 + 8})
		ADDQ(Imm(32), at)
		ADDQ(Imm(16*8), offsets)
		ADDQ(Imm(12*8), positions)
	})
	kit.Leave()
}

// subpixels is toSubpixel of the window coordinate of p.
func subpixels(p, inv, scale, offset VecVirtual) VecVirtual {
	s := kit.In(YMM(), VMULPS, inv, p)
	VADDPS(dwords(one), s, s)
	VMULPS(scale, s, s)
	VADDPS(offset, s, s)
	VMULPS(dwords(sixteen), s, s)
	bound := kit.In(YMM(), VMOVUPS, dwords(minusLimit))
	VMAXPS(bound, s, s) // the bound if s is NaN
	VMINPS(dwords(limit), s, s)
	VADDPS(dwords(half), s, s)
	VROUNDPS(Imm(9), s, s) // down
	VCVTTPS2DQ(s, s)
	return s
}

// outcode is the user plane's outcode method: one word per vertex.
func outcode(p [4]VecVirtual, number func(int) VecVirtual) VecVirtual {
	x, y, z, w := p[0], p[1], p[2], p[3]
	code := YMM()
	VXORPS(code, code, code)
	mark := func(mask VecVirtual, bit uint32) {
		VANDPS(dwords(bit), mask, mask)
		VORPS(mask, code, code)
	}
	for i, c := range []VecVirtual{x, y} {
		for side := range 2 {
			d, zero := YMM(), YMM()
			if side == 0 {
				VSUBPS(c, w, d)
			} else {
				VADDPS(c, w, d)
			}
			VXORPS(zero, zero, zero)
			VCMPPS(Imm(lessOrdered), zero, d, d)
			mark(d, 1<<(2*i+side))
		}
	}
	d := kit.In(YMM(), VCMPPS, Imm(greater), dwords(tolerance), z)
	mark(d, 1<<4)
	d = kit.In(YMM(), VADDPS, w, z)
	VCMPPS(Imm(lessOrdered), dwords(minusTol), d, d)
	mark(d, 1<<5)
	d = YMM()
	VCMPPS(Imm(lessOrdered), dwords((127-62)<<23), w, d)
	mark(d, 1<<6)

	d = kit.In(YMM(), VMULPS, number(userX), x)
	for i, place := range []int{userY, userZ, userW} {
		t := kit.In(YMM(), VMULPS, number(place), p[i+1])
		VADDPS(t, d, d)
	}
	zero := YMM()
	VXORPS(zero, zero, zero)
	VCMPPS(Imm(notAtLeast), zero, d, d)
	VANDPS(number(userOn), d, d)
	mark(d, 1<<7)

	// x - x is NaN if x is NaN or infinite; such a vertex has no other outcode.
	sum := kit.In(YMM(), VSUBPS, x, x)
	for _, c := range []VecVirtual{y, z, w} {
		t := kit.In(YMM(), VSUBPS, c, c)
		VADDPS(t, sum, sum)
	}
	VXORPS(zero, zero, zero)
	VCMPPS(Imm(notEqual), zero, sum, sum)
	VANDNPS(code, sum, code)
	mark(sum, 1<<8)
	return code
}
