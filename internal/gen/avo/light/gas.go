package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
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
	begin("gasDensity", "d *float32, high *uint8, low *uint8")
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
			return kit.In(kit.NewVector(), VBROADCASTSS, Mem{Base: p, Disp: off})
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
				y := kit.In(ZMM(), VBROADCASTF32X8, m)
				entries[c] = y
			}
		}
		at := func(c int, k VecVirtual) VecVirtual {
			return kit.In(kit.NewVector(), VPERMPS, entries[c], k)
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
	kit.Text("gasBlocksVector", "func(color *uint8, index *int32, masks *uint16, surface *uint8, tiled uint64, z *float32, density *uint8, p *float32, n int) uint32",
		"is the vector twin of gasOutput.blocks. Surfaces, of which 24 bits count, lie at the places of the blocks if tiled is not 0, otherwise one block after the other.")
	kit.BothWays(func() {
		index, masks, surface := pointer("index"), pointer("masks"), pointer("surface")
		g := gasBlock{color: pointer("color"), at: GP64(), here: GP64(), z: pointer("z"), density: pointer("density"), mask: GP32(), sloped: GP32()}
		p, n := pointer("p"), pointer("n")
		param := func(off int) VecVirtual {
			return kit.In(kit.NewVector(), VBROADCASTSS, Mem{Base: p, Disp: off})
		}
		g.scale, g.rest = param(gasScale), param(gasRest)
		g.deltaZ, g.base, g.slope = param(gasDeltaZ), param(gasBase), param(gasSlope)
		tiled, step, none := Load(Param("tiled"), GP64()), GP64(), GP64()
		MOVQ(U32(64), step)
		XORQ(none, none)
		TESTQ(tiled, tiled)
		CMOVQNE(none, step)
		MOVL(Mem{Base: p, Disp: gasSlope}, g.sloped)
		g.greatest = YMM()
		VPXOR(g.greatest, g.greatest, g.greatest)

		block, next := kit.Name("block"), kit.Name("next")
		Label(block)
		MOVWLZX(Mem{Base: masks}, g.mask)
		TESTL(g.mask, g.mask)
		JZ(LabelRef(next))
		MOVLQSX(Mem{Base: index}, g.at)
		there := GP64()
		MOVQ(surface, g.here)
		LEAQ(Mem{Base: surface, Index: g.at, Scale: 4}, there)
		TESTQ(tiled, tiled)
		CMOVQNE(there, g.here)
		var rares []func()
		if kit.Wide {
			rares = append(rares, g.pixelsWide())
		} else {
			rares = append(rares, g.pixels(0), g.pixels(1))
		}
		Label(next)
		ADDQ(Imm(2), masks)
		ADDQ(Imm(4), index)
		ADDQ(step, surface)
		ADDQ(Imm(64), g.z)
		ADDQ(Imm(16), g.density)
		DECQ(n)
		JNZ(LabelRef(block))

		r := kit.In(GP32(), VMOVD, g.greatestOfAll())
		Store(r, ReturnIndex(0))
		kit.Leave()
		for _, rare := range rares {
			rare()
		}
	})
}

// gasBlock is the registers of gasBlocks.
type gasBlock struct {
	color, z, density                Register  // of the blocks
	at, here                         GPVirtual // the place of the block, and the address of its surfaces
	mask, sloped                     GPVirtual
	scale, rest, deltaZ, base, slope VecVirtual
	greatest                         VecVirtual // of the written first densities: eight integers, or 16 words with AVX-512
}

// densities returns what is added to the first and to the second density, for the pixels from the k-th register on.
func (g *gasBlock) densities(k int) (x, y VecVirtual) {
	x = quotient(bytesToFloats(Mem{Base: g.density, Disp: 8 * k}), constant(scale255), constant(rest255))
	y = mul(x, g.base)
	whole := kit.Name([]string{"whole0", "whole1"}[k])
	TESTL(g.sloped, g.sloped)
	JZ(LabelRef(whole))
	a := quotient(toFloat(and(loadFrom(Mem{Base: g.here, Disp: 32 * k}), fill(0xFFFFFF))), g.scale, g.rest)
	VSUBPS(Mem{Base: g.z, Disp: 32 * k}, a, a)
	a = below(above(mul(a, g.deltaZ), zero()), constant(floatOne))
	VMULPS(g.slope, a, a)
	VADDPS(a, g.base, a)
	VMULPS(a, x, y)
	Label(whole)
	return x, y
}

// The orders that take four pixels of d1 and d2, high bytes first, to four words of d1 and four of d2, and back.
func gasApart() Mem {
	return gasOrder("gasApart", func(i int) int { return i%8/2*4 + i/8*2 + 1 - i%2 })
}
func gasTogether() Mem {
	return gasOrder("gasTogether", func(i int) int { return i/4*2 + i/2%2*8 + 1 - i%2 })
}

// gasOrder is an order of bytes for each 16.
func gasOrder(name string, from func(i int) int) Mem {
	b := make([]byte, 64)
	for i := range b {
		b[i] = byte(from(i % 16))
	}
	return kit.Bytes(name, b)
}

// pixels adds densities to eight pixels, and returns what to write after the kernel: the way of densities that are negative or no
// numbers, which only data from elsewhere have.
func (g *gasBlock) pixels(k int) (rare func()) {
	x, y := g.densities(k)
	old, h, h2 := YMM(), YMM(), XMM()
	pixels := Mem{Base: g.color, Index: g.at, Scale: 4, Disp: 32 * k}
	VMOVDQU(pixels, old)
	VPSHUFB(gasApart(), old, h)
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
	m, seen, foreign := lanesOf(g.mask, k), YMM(), GP32()
	store, rares := []string{"store0", "store1"}[k], []string{"rare0", "rare1"}[k]
	count := func(wanted func()) {
		VPMOVZXWD(h.AsX(), seen)
		wanted()
		VPAND(m, seen, seen)
		VPMAXSD(seen, g.greatest, g.greatest)
	}
	VPADDUSW(kit.Repeat("words", 2, 0x03FF), h, seen) // 0x8000 and more for those
	VPMOVMSKB(seen, foreign)
	TESTL(U32(0xAAAAAAAA), foreign)
	JNZ(LabelRef(rares))
	count(func() {})

	Label(store)
	VPERMQ(Imm(0xD8), h, h)
	VPSHUFB(gasTogether(), h, h)
	VPBLENDVB(m, h, old, old)
	VMOVDQU(old, pixels)
	return func() {
		Label(rares)
		// One NaN for each sign; 0 has no sign. Neither they nor negative densities count.
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
	}
}

// pixelsWide is pixels for all 16, with AVX-512.
func (g *gasBlock) pixelsWide() (rare func()) {
	words := func(v uint16) VecVirtual {
		return kit.In(ZMM(), VPBROADCASTD, kit.Repeat("words", 2, uint32(v)))
	}
	order := func(name string, from ...uint32) VecVirtual { // of numbers of 64 bits
		var both []uint32
		for _, i := range from {
			both = append(both, i, 0)
		}
		return kit.In(ZMM(), VMOVDQU64, kit.Dwords(name, both...))
	}
	x, y := g.densities(0)
	h, h2 := ZMM(), YMM()
	pixels := Mem{Base: g.color, Index: g.at, Scale: 4}
	VMOVDQU32(pixels, h)
	VPSHUFB(gasApart(), h, h)
	VPERMQ(h, order("gasFirst", 0, 2, 4, 6, 1, 3, 5, 7), h) // sixteen of d1, sixteen of d2
	d1, d2 := ZMM(), ZMM()
	VEXTRACTI64X4(Imm(1), h, h2)
	VCVTPH2PS(h.AsY(), d1)
	VCVTPH2PS(h2, d2)
	VADDPS(x, d1, d1)
	VADDPS(y, d2, d2)
	VCVTPS2PH(Imm(0), d1, h.AsY())
	VCVTPS2PH(Imm(0), d2, h2)
	VINSERTI64X4(Imm(1), h2, h, h)
	seen := kit.In(ZMM(), VPADDUSW, words(0x03FF), h)
	foreign := kit.In(K(), VPMOVW2M, seen)
	alive := kit.In(K(), KMOVW, g.mask)
	KORTESTD(foreign, foreign)
	JNZ(LabelRef("rareWide"))
	VPMAXUW(h.AsY(), g.greatest, alive, g.greatest)

	Label("storeWide")
	VPERMQ(h, order("gasInTurn", 0, 4, 1, 5, 2, 6, 3, 7), h)
	VPSHUFB(gasTogether(), h, h)
	VMOVDQU32(h, alive, pixels)
	return func() {
		Label("rareWide")
		size, other, some := ZMM(), ZMM(), K()
		const isGreater = 6 // predicate of VPCMPUW
		VPANDD(words(0x7FFF), h, size)
		VPCMPUW(Imm(isGreater), words(0x7C00), size, some)
		VPORD(words(0x7FFF), h, other)
		VPANDD(words(0xFE00), other, other)
		VMOVDQU16(other, some, h)
		VPCMPEQW(words(0x8000), h, some)
		VMOVDQU16(words(0), some, h)
		VPCMPUW(Imm(isGreater), words(0x7C00), h, some)
		KANDNW(alive, some, some)
		VPMAXUW(h.AsY(), g.greatest, some, g.greatest)
		JMP(LabelRef("storeWide"))
	}
}

// greatestOfAll is the greatest of all lanes.
func (g *gasBlock) greatestOfAll() VecVirtual {
	hi := XMM()
	if kit.Wide {
		// The words as integers: those above, and those below.
		y := kit.In(YMM(), VPSRLD, Imm(16), g.greatest)
		VPMAXUW(y, g.greatest, y)
		VPAND(memory(0xFFFF), y, y)
		VMOVDQA(y, g.greatest)
	}
	VEXTRACTI128(Imm(1), g.greatest, hi)
	VPMAXSD(hi, g.greatest.AsX(), hi)
	for _, order := range []uint64{0b01_00_11_10, 0b10_11_00_01} {
		other := kit.In(XMM(), VPSHUFD, Imm(order), hi)
		VPMAXSD(other, hi, hi)
	}
	return hi
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
