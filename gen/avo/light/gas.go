package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

const float8 = 0x41000000

// What fragment.quotient returns for 255.
const (
	scale255 = 0x3B808080
	rest255  = 0x2FC00000
)

// gasKernels makes the kernels of both passes of gas.
func gasKernels() {
	gasDensity()
	gasAlpha()
	gasLight()
	gasColor()
	gasBlocks()
}

func gasDensity() {
	narrow("gasDensity", "d *float32, high *uint8, low *uint8")
	d, high, low := pointer("d"), pointer("high"), pointer("low")
	loop(func(i Register) {
		h, l, y := XMM(), XMM(), YMM()
		VMOVQ(Mem{Base: high, Index: i, Scale: 1}, h)
		VMOVQ(Mem{Base: low, Index: i, Scale: 1}, l)
		VPUNPCKLBW(h, l, h)
		VCVTPH2PS(h, y)
		store(add(y, zero()), d, i, 0) // -0 becomes 0
	})
}

// truncated returns truncate8(255 * x) as integers.
func truncated(x VecVirtual) VecVirtual {
	y := above(mul(constant(float255), x), constant(0)) // 0 for NaN
	return truncate(below(y, constant(float255)))
}

func gasAlpha() {
	kernel("gasAlpha", "d *uint8, d2 *float32, t *float32, attenuation float32", func() {
		d, d2, t := pointer("d"), pointer("d2"), pointer("t")
		k, size, null, top := scalar("attenuation"), fill(float128), zero(), fill(127)
		one := fill(floatOne)
		tableLoop(16, func(i Register, with kit.Tables) {
			storeLanes(func(h int) VecVirtual {
				e, f := split(below(above(mul(mul(loadFrom(half(d2, i, h)), k), size), null), size), top)
				return truncated(below(above(fetch(with, t, e, f), null), one))
			}, Mem{Base: d, Index: i, Scale: 1})
		})
	})
}

// Offsets in the array of floats that gasLight passes.
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
	kernel("gasLight", "d *float32, planar *uint8, p *float32", func() {
		d, planar, p := pointer("d"), pointer("planar"), pointer("p")
		param := func(off int) VecVirtual {
			y := kit.NewVector()
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
	})
}

// gasColor makes the look-up in the colour table: eight values and eight differences per channel, one register each. Colours are
// consecutive planes of bytes.
func gasColor() {
	kernel("gasColor", "d *uint8, t *float32, table *float32", func() {
		d, t, table := pointer("d"), pointer("t"), pointer("table")
		size, null, top := fill(float8), zero(), fill(7)
		entries := make([]Op, 6) // values of the channels, then differences
		for c := range entries {
			m := Mem{Base: table, Disp: 32 * c}
			entries[c] = m
			if kit.Wide {
				y := ZMM()
				VBROADCASTF32X8(m, y)
				entries[c] = y
			}
		}
		at := func(c int, k VecVirtual) VecVirtual {
			y := kit.NewVector()
			VPERMPS(entries[c], k, y)
			return y
		}
		loopBy(16, func(i Register) {
			var k, f [2]VecVirtual
			for h := range 16 / lanes() {
				k[h], f[h] = split(below(above(mul(loadFrom(half(t, i, int(h))), size), null), size), top)
			}
			for c := range 3 {
				storeLanes(func(h int) VecVirtual {
					return truncated(add(at(c, k[h]), mul(at(3+c, k[h]), f[h])))
				}, Mem{Base: d, Index: i, Scale: 1, Disp: c * 256})
			}
		})
	})
}

// Offsets in the array of floats that gasOutput.blocks passes. The second density is the first times base + slope*factor.
const (
	gasScale = 4 * iota
	gasRest
	gasDeltaZ
	gasBase
	gasSlope
)

// gasBlocks makes the kernel of pass A.
func gasBlocks() {
	TEXT("gasBlocksVector", NOSPLIT, "func(color *uint8, index *int32, masks *uint16, surface *uint8, placed uint64, z *float32, density *uint8, p *float32, n int) uint32")
	Pragma("noescape")
	Doc("gasBlocksVector is the AVX2 twin of gasOutput.blocks. Surfaces, of which 24 bits count, lie at the places of the blocks if placed is not 0, otherwise one block after the other.")
	color, index, masks, surface := pointer("color"), pointer("index"), pointer("masks"), pointer("surface")
	z, density, p, n := pointer("z"), pointer("density"), pointer("p"), pointer("n")
	param := func(off int) VecVirtual {
		y := YMM()
		VBROADCASTSS(Mem{Base: p, Disp: off}, y)
		return y
	}
	scale, rest := param(gasScale), param(gasRest)
	deltaZ, base, slope := param(gasDeltaZ), param(gasBase), param(gasSlope)
	placed, step, none := Load(Param("placed"), GP64()), GP64(), GP64()
	MOVQ(U32(64), step)
	XORQ(none, none)
	TESTQ(placed, placed)
	CMOVQNE(none, step)
	sloped := GP32()
	MOVL(Mem{Base: p, Disp: gasSlope}, sloped)
	greatest := YMM()
	VPXOR(greatest, greatest, greatest)
	order := func(name string, from func(i int) int) Mem {
		b := make([]byte, 32)
		for i := range b {
			b[i] = byte(from(i % 16))
		}
		return kit.Bytes(name, b)
	}
	// Converts four pixels of d1 and d2, high bytes first, to four words of d1 and four of d2, and back.
	apart := order("gasApart", func(i int) int { return i%8/2*4 + i/8*2 + 1 - i%2 })
	together := order("gasTogether", func(i int) int { return i/4*2 + i/2%2*8 + 1 - i%2 })

	Label("block")
	mask, at := GP32(), GP64()
	MOVWLZX(Mem{Base: masks}, mask)
	TESTL(mask, mask)
	JZ(LabelRef("next"))
	MOVLQSX(Mem{Base: index}, at)
	here, there := GP64(), GP64()
	MOVQ(surface, here)
	LEAQ(Mem{Base: surface, Index: at, Scale: 4}, there)
	TESTQ(placed, placed)
	CMOVQNE(there, here)
	var rares []func()
	for k := range 2 {
		x := quotient(bytesToFloats(Mem{Base: density, Disp: 8 * k}), memory(scale255), memory(rest255))
		y := mul(x, base)
		whole := []string{"whole0", "whole1"}[k]
		TESTL(sloped, sloped)
		JZ(LabelRef(whole))
		s := YMM()
		VMOVDQU(Mem{Base: here, Disp: 32 * k}, s)
		VPAND(memory(0xFFFFFF), s, s)
		VCVTDQ2PS(s, s)
		a := quotient(s, scale, rest)
		VSUBPS(Mem{Base: z, Disp: 32 * k}, a, a)
		a = below(above(mul(a, deltaZ), zero()), memory(floatOne))
		VMULPS(slope, a, a)
		VADDPS(a, base, a)
		VMULPS(a, x, y)
		Label(whole)

		old, h, h2 := YMM(), YMM(), XMM()
		pixels := Mem{Base: color, Index: at, Scale: 4, Disp: 32 * k}
		VMOVDQU(pixels, old)
		VPSHUFB(apart, old, h)
		VPERMQ(Imm(0xD8), h, h) // eight of d1, eight of d2
		d1, d2 := YMM(), YMM()
		VEXTRACTI128(Imm(1), h, h2)
		VCVTPH2PS(h.AsX(), d1)
		VCVTPH2PS(h2, d2)
		VADDPS(x, d1, d1)
		VADDPS(y, d2, d2)
		VCVTPS2PH(Imm(0), d1, h.AsX()) // to the nearest, ties to even
		VCVTPS2PH(Imm(0), d2, h2)
		VINSERTI128(Imm(1), h2, h, h)
		// The greatest written value, ignoring negative ones and NaN. Only data from elsewhere have those.
		m, seen, foreign := lanesOf(mask, k), YMM(), GP32()
		store, rare := []string{"store0", "store1"}[k], []string{"rare0", "rare1"}[k]
		count := func(wanted func()) {
			VPMOVZXWD(h.AsX(), seen)
			wanted()
			VPAND(m, seen, seen)
			VPMAXSD(seen, greatest, greatest)
		}
		VPADDUSW(kit.Repeat("words", 2, 0x03FF), h, seen) // 0x8000 and more for those
		VPMOVMSKB(seen, foreign)
		TESTL(U32(0xAAAAAAAA), foreign)
		JNZ(LabelRef(rare))
		count(func() {})

		Label(store)
		VPERMQ(Imm(0xD8), h, h)
		VPSHUFB(together, h, h)
		VPBLENDVB(m, h, old, old)
		VMOVDQU(old, pixels)
		rares = append(rares, func() {
			Label(rare)
			// One NaN for each sign; 0 has no sign.
			nan, other := YMM(), YMM()
			VPAND(kit.Repeat("words", 2, 0x7FFF), h, nan)
			VPCMPGTW(kit.Repeat("words", 2, 0x7C00), nan, nan)
			VPOR(kit.Repeat("words", 2, 0x7FFF), h, other)
			VPAND(kit.Repeat("words", 2, 0xFE00), other, other)
			VPBLENDVB(nan, other, h, h)
			VPCMPEQW(kit.Repeat("words", 2, 0x8000), h, other)
			VPANDN(h, other, h)
			count(func() {
				VPCMPGTD(memory(0x7C00), seen, nan)
				VPANDN(seen, nan, seen)
			})
			JMP(LabelRef(store))
		})
	}
	Label("next")
	ADDQ(Imm(2), masks)
	ADDQ(Imm(4), index)
	ADDQ(step, surface)
	ADDQ(Imm(64), z)
	ADDQ(Imm(16), density)
	DECQ(n)
	JNZ(LabelRef("block"))

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
	for _, rare := range rares {
		rare()
	}
}

// quotient divides integers, as floats, by the divisor of fragment.quotient, which tells why two products do.
func quotient(x VecVirtual, scale, rest Op) VecVirtual { return add(mul(scale, x), mul(rest, x)) }

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
