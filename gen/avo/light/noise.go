package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// Offsets in the array of floats that procTexNoise passes.
const (
	noiseFrequency = 0 // of u; v follows four bytes later, as for the next two
	noisePhase     = 8
	noiseAmplitude = 16
)

const floatTwo = 0x40000000

// noise makes the kernel of the procedural texture's noise. pairs is noisePairs, rand2 the consecutive rows of noiseRand2.
func noise() {
	kernel("procTexNoise", "u *float32, v *float32, p *float32, pairs *uint32, rand2 *float32, t *float32")
	u, v, p := pointer("u"), pointer("v"), pointer("p")
	pairs, rand2, table := pointer("pairs"), pointer("rand2"), pointer("t")
	param := func(off int) VecVirtual {
		y := YMM()
		VBROADCASTSS(Mem{Base: p, Disp: off}, y)
		return y
	}
	tableLoop(8, func(i Register, with kit.Tables) {
		// random is noiseRand1 of an integer and of the next one (see noisePairs), at the remainder modulo 144 = 16 * 9. Division
		// by 9 multiplies by 2^33/9, rounded up, which is exact for 28 bits.
		random := func(k VecVirtual) VecVirtual {
			even, odd, magic := YMM(), YMM(), YMM()
			VMOVUPS(memory(0x38E38E39), magic)
			VPSRLD(Imm(4), k, even)
			VPSRLQ(Imm(32), even, odd)
			VPMULUDQ(magic, even, even)
			VPMULUDQ(magic, odd, odd)
			VPSRLQ(Imm(33), even, even)
			VPSRLQ(Imm(33), odd, odd)
			VPSLLQ(Imm(32), odd, odd)
			VPOR(odd, even, even)
			VPMULLD(memory(144), even, even)
			VPSUBD(even, k, even)
			last := YMM() // -1, followed by 0: entry 111, and 33 more
			VPCMPEQD(last, last, last)
			VPCMPEQD(last, k, last)
			VPAND(memory(33), last, last)
			VPADDD(last, even, even)
			return kit.Gather(Mem{Base: pairs, Index: even, Scale: 4})
		}
		// cell returns the hashes of both sides of a coordinate's cell, and the position between them.
		cell := func(coordinate, i Register, disp int) (r, rest VecVirtual) {
			x := and(memory(0x7FFFFFFF), add(load(coordinate, i, 0), param(noisePhase+disp)))
			x = mul(param(noiseFrequency+disp), x)
			whole := YMM()
			VMAXPS(memory(0xCE000000), x, whole) // -2^29, for NaN too
			VMINPS(memory(floatBound), whole, whole)
			VROUNDPS(Imm(1), whole, whole)
			rest = sub(x, whole)
			k := YMM()
			VCVTPS2DQ(whole, k)
			return random(k), rest
		}
		// weight is lut128At.
		weight := func(x VecVirtual) VecVirtual {
			y := YMM()
			VMULPS(memory(float128), x, y)
			VMAXPS(memory(0), y, y)
			VMINPS(memory(float128), y, y)
			top := YMM()
			VMOVUPS(memory(127), top)
			k, f := split(y, top)
			y = fetch(with, table, k, f)
			VMAXPS(memory(0), y, y)
			VMINPS(memory(floatOne), y, y)
			return y
		}
		x0, xf := cell(u, i, 0)
		y0, yf := cell(v, i, 4)
		x1, y1 := YMM(), YMM()
		VPSRLD(Imm(16), x0, x1)
		VPAND(memory(0xF0), x0, x0)
		VPSRLD(Imm(20), y0, y1)
		VPSRLD(Imm(4), y0, y0)
		VPAND(memory(0x0F), y0, y0)
		corner := func(x, y, far VecVirtual) VecVirtual {
			k := YMM()
			VPADDD(x, y, k)
			return mul(kit.Gather(Mem{Base: rand2, Index: k, Scale: 4}), far)
		}
		sum := add(xf, yf)
		wx, wy := weight(xf), weight(yf)
		sum1, sum2 := sub(sum, fill(floatOne)), sub(sum, fill(floatTwo))
		mix := func(a, b, w VecVirtual) VecVirtual { return add(a, mul(sub(b, a), w)) }
		top := mix(corner(x0, y0, sum), corner(x1, y0, sum1), wx)
		bottom := mix(corner(x0, y1, sum1), corner(x1, y1, sum2), wx)
		n := mix(top, bottom, wy)
		for k, c := range []Register{u, v} {
			y := add(load(c, i, 0), mul(n, param(noiseAmplitude+4*k)))
			store(and(memory(0x7FFFFFFF), y), c, i, 0)
		}
	})
}
