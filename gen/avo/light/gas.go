package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

const float8 = 0x41000000

// gasKernels makes the kernels of both passes of gas.
func gasKernels() {
	gasDensity()
	gasAlpha()
	gasLight()
	gasColor()
	gasBlock()
}

// fromHalf is halfToFloat of words below 2^16.
func fromHalf(h VecVirtual) VecVirtual {
	sign, mag, bits, special := YMM(), YMM(), YMM(), YMM()
	VPAND(memory(0x7FFF), h, mag)
	VPXOR(mag, h, sign)
	VPSLLD(Imm(16), sign, sign)
	VPSLLD(Imm(13), mag, bits)
	VPADDD(memory(112<<23), bits, bits)
	VPCMPGTD(memory(0x7BFF), mag, special) // infinity and NaN
	VPAND(memory(112<<23), special, special)
	VPADDD(special, bits, bits)
	// 0 and subnormals are integers in units of 2^-24; 0 has no sign.
	small, normal := YMM(), YMM()
	VCVTDQ2PS(mag, small)
	VMULPS(memory(0x33800000), small, small)
	VPCMPGTD(memory(0x3FF), mag, normal)
	VPBLENDVB(normal, bits, small, bits)
	nonzero := YMM()
	VPCMPGTD(memory(0), mag, nonzero)
	VPAND(nonzero, sign, sign)
	VPOR(sign, bits, bits)
	return bits
}

// toHalf is floatToHalf.
func toHalf(x VecVirtual) VecVirtual {
	b, sign := YMM(), YMM()
	VPAND(memory(0x7FFFFFFF), x, b)
	VPXOR(b, x, sign)
	VPSRLD(Imm(16), sign, sign)
	// Normal numbers, rounded to the nearest, of two the even; infinity.
	h, odd := YMM(), YMM()
	VPSRLD(Imm(13), b, odd)
	VPAND(memory(1), odd, odd)
	VPADDD(memory(0xFFF), b, h)
	VPADDD(odd, h, h)
	VPMINSD(memory(143<<23), h, h)
	VPSUBD(memory(112<<23), h, h)
	VPSRLD(Imm(13), h, h)
	// NaN.
	mask := YMM()
	VPCMPGTD(memory(255<<23), b, mask)
	VPBLENDVB(mask, memory(0x7E00), h, h)
	// Subnormals, which the conversion rounds alike; 0 has no sign.
	small := YMM()
	VMULPS(memory(0x4B800000), b, small)
	VCVTPS2DQ(small, small)
	VMOVUPS(memory(113<<23), mask)
	VPCMPGTD(b, mask, mask)
	VPBLENDVB(mask, small, h, h)
	VPCMPEQD(memory(0), h, mask)
	VPANDN(sign, mask, sign)
	VPOR(sign, h, h)
	return h
}

// bytesToWords widens 8 bytes.
func bytesToWords(m Mem) VecVirtual {
	y := YMM()
	VPMOVZXBD(m, y)
	return y
}

func gasDensity() {
	kernel("gasDensity", "d *float32, high *uint8, low *uint8")
	d, high, low := pointer("d"), pointer("high"), pointer("low")
	loop(func(i Register) {
		h := bytesToWords(Mem{Base: high, Index: i, Scale: 1})
		VPSLLD(Imm(8), h, h)
		VPOR(bytesToWords(Mem{Base: low, Index: i, Scale: 1}), h, h)
		store(fromHalf(h), d, i, 0)
	})
}

// truncated is truncate8 of 255 times x, as integers.
func truncated(x VecVirtual) VecVirtual {
	y := YMM()
	VMULPS(memory(float255), x, y)
	VMAXPS(memory(0), y, y) // 0 for NaN
	VMINPS(memory(float255), y, y)
	VCVTTPS2DQ(y, y)
	return y
}

func gasAlpha() {
	kernel("gasAlpha", "d *uint8, d2 *float32, t *float32, attenuation float32")
	d, d2, t := pointer("d"), pointer("d2"), pointer("t")
	k, size, null, top := scalar("attenuation"), fill(float128), zero(), fill(127)
	one := fill(floatOne)
	tableLoop(16, func(i Register, with kit.Tables) {
		var y [2]VecVirtual
		for h := range y {
			x := YMM()
			VMOVUPS(Mem{Base: d2, Index: i, Scale: 4, Disp: 32 * h}, x)
			e, f := split(below(above(mul(mul(x, k), size), null), size), top)
			y[h] = truncated(below(above(fetch(with, t, e, f), null), one))
		}
		storeBytes(y[0], y[1], Mem{Base: d, Index: i, Scale: 1})
	})
}

// Offsets in the array of floats that gasLight hands over.
const (
	gasXYMin = 4 * iota
	gasXYMax
	gasXYAtten
	gasZMin
	gasZMax
	gasZAtten
	gasZEffect
)

func gasLight() {
	kernel("gasLight", "d *float32, planar *uint8, p *float32")
	d, planar, p := pointer("d"), pointer("planar"), pointer("p")
	param := func(off int) VecVirtual {
		y := YMM()
		VBROADCASTSS(Mem{Base: p, Disp: off}, y)
		return y
	}
	one := fill(floatOne)
	loop(func(i Register) {
		x := load(d, i, 0)
		a := div(bytesToFloats(Mem{Base: planar, Index: i, Scale: 1}), fill(float255))
		a = mul(a, sub(one, mul(param(gasXYAtten), x)))
		b := mul(param(gasZEffect), sub(one, mul(param(gasZAtten), x)))
		xy := add(mul(param(gasXYMax), a), mul(param(gasXYMin), sub(one, a)))
		z := add(mul(param(gasZMax), b), mul(param(gasZMin), sub(one, b)))
		store(add(xy, z), d, i, 0)
	})
}

// gasColor makes the look-up in the colour table: eight values and eight
// differences for each channel, a register each. Colours are planes of bytes
// one after the other.
func gasColor() {
	kernel("gasColor", "d *uint8, t *float32, table *float32")
	d, t, table := pointer("d"), pointer("t"), pointer("table")
	size, null, top := fill(float8), zero(), fill(7)
	loopBy(16, func(i Register) {
		var k, f [2]VecVirtual
		for h := range k {
			x := YMM()
			VMOVUPS(Mem{Base: t, Index: i, Scale: 4, Disp: 32 * h}, x)
			k[h], f[h] = split(below(above(mul(x, size), null), size), top)
		}
		for ch := range 3 {
			var y [2]VecVirtual
			for h := range y {
				base, diff := YMM(), YMM()
				VPERMPS(Mem{Base: table, Disp: 32 * ch}, k[h], base)
				VPERMPS(Mem{Base: table, Disp: 32 * (3 + ch)}, k[h], diff)
				y[h] = truncated(add(base, mul(diff, f[h])))
			}
			storeBytes(y[0], y[1], Mem{Base: d, Index: i, Scale: 1, Disp: ch * 256})
		}
	})
}

// Offsets in the array of floats that gasOutput.block hands over: the second
// density is the first times base + slope*factor.
const (
	gasTop = 4 * iota
	gasDeltaZ
	gasBase
	gasSlope
)

// gasBlock makes the kernel of pass A for a block.
func gasBlock() {
	TEXT("gasBlockVector", NOSPLIT, "func(buffer *uint8, surface *uint32, z *float32, density *uint8, p *float32, mask uint32) uint32")
	Pragma("noescape")
	Doc("gasBlockVector is the AVX2 twin of gasOutput.block.")
	buffer, surface, z, density, p := pointer("buffer"), pointer("surface"), pointer("z"), pointer("density"), pointer("p")
	mask := Load(Param("mask"), GP32())
	param := func(off int) VecVirtual {
		y := YMM()
		VBROADCASTSS(Mem{Base: p, Disp: off}, y)
		return y
	}
	one, null := fill(floatOne), zero()
	greatest := YMM()
	VPXOR(greatest, greatest, greatest)
	for k := range 2 {
		x := div(bytesToFloats(Mem{Base: density, Disp: 8 * k}), fill(float255))
		s, depth := YMM(), YMM()
		VCVTDQ2PS(Mem{Base: surface, Disp: 32 * k}, s)
		VMOVUPS(Mem{Base: z, Disp: 32 * k}, depth)
		a := mul(sub(div(s, param(gasTop)), depth), param(gasDeltaZ))
		a = below(above(a, null), one)
		y := mul(x, add(param(gasBase), mul(param(gasSlope), a)))
		old := YMM()
		at := Mem{Base: buffer, Disp: 32 * k}
		VMOVDQU(at, old)
		// half takes a density out of a pixel, its high byte first.
		half := func(from byte, name string) VecVirtual {
			order := make([]byte, 32)
			for i := range order {
				order[i] = 0x80
				if i%4 < 2 {
					order[i] = byte(i&12) + from + 1 - byte(i%4)
				}
			}
			h := YMM()
			VPSHUFB(kit.Bytes(name, order), old, h)
			return fromHalf(h)
		}
		d1 := toHalf(add(half(0, "gasFirst"), x))
		d2 := toHalf(add(half(2, "gasSecond"), y))
		m := lanesOf(mask, k)
		// The greatest of what is written and not negative or NaN.
		foreign, seen := YMM(), YMM()
		VPCMPGTD(memory(0x7C00), d1, foreign)
		VPANDN(d1, foreign, seen)
		VPAND(m, seen, seen)
		VPMAXSD(seen, greatest, greatest)
		// Both, with the bytes of each turned around.
		VPSLLD(Imm(16), d2, d2)
		VPOR(d2, d1, d1)
		swap := make([]byte, 32)
		for i := range swap {
			swap[i] = byte(i%16 ^ 1)
		}
		VPSHUFB(kit.Bytes("gasSwap", swap), d1, d1)
		VPBLENDVB(m, d1, old, old)
		VMOVDQU(old, at)
	}
	hi := XMM()
	VEXTRACTI128(Imm(1), greatest, hi)
	VPMAXSD(hi, greatest.AsX(), hi)
	for _, order := range []uint64{0b01_00_11_10, 0b10_11_00_01} {
		other := XMM()
		VPSHUFD(Imm(order), hi, other)
		VPMAXSD(other, hi, hi)
	}
	r := GP32()
	VMOVD(hi, r)
	Store(r, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// lanesOf spreads the bits of a block's mask to the lanes of eight pixels.
func lanesOf(mask Register, k int) VecVirtual {
	bits := make([]uint32, 8)
	for i := range bits {
		bits[i] = 1 << (8*k + i)
	}
	m, b := YMM(), YMM()
	VMOVD(mask, m.AsX())
	VPBROADCASTD(m.AsX(), m)
	VMOVDQU(kit.Dwords([]string{"lowBits", "highBits"}[k], bits...), b)
	VPAND(b, m, m)
	VPCMPEQD(b, m, m)
	return m
}
