package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// colorKernels makes the conversions between floats, planes and packed pixels.
func colorKernels() {
	toBytes()
	unpack()
	alphaMasks()
	part()
}

// floats fills a register with a constant.
func floats(bits uint32) VecVirtual { return dwords(bits) }

const (
	float255  = 0x437F0000
	float256  = 0x43800000
	floatHalf = 0x3F000000
)

func toBytes() {
	kit.Text("toBytesVector", "func(src *float32, dst *uint8, n int)", "is the AVX2 twin of toBytes.")
	src := Load(Param("src"), GP64())
	dst := Load(Param("dst"), GP64())
	kit.IfWide("wide")
	top, half, zero := floats(float255), floats(floatHalf), YMM()
	VXORPS(zero, zero, zero)
	convert := func(at Mem, y VecVirtual) VecVirtual {
		VMULPS(at, top, y)
		VADDPS(half, y, y)
		VMAXPS(zero, y, y) // 0 for NaN: the result is the second source
		VMINPS(top, y, y)
		VCVTTPS2DQ(y, y)
		return y
	}
	loop("loop", func(i Register) {
		m := Mem{Base: src, Index: i, Scale: 4}
		a, b := convert(m, YMM()), convert(m.Offset(32), YMM())
		VPACKUSDW(b, a, a) // lanes 0-3, 8-11 | 4-7, 12-15
		VPERMQ(Imm(0xD8), a, a)
		storeBytes(a, Mem{Base: dst, Index: i, Scale: 1})
	})
	Label("wide")
	top, half, zero = ZMM(), ZMM(), ZMM()
	VPBROADCASTD(dwordsMem(float255), top)
	VPBROADCASTD(dwordsMem(floatHalf), half)
	VPBROADCASTD(dwordsMem(0), zero)
	loop("loopWide", func(i Register) {
		VPMOVDB(convert(Mem{Base: src, Index: i, Scale: 4}, ZMM()), Mem{Base: dst, Index: i, Scale: 1})
	})
}

func unpack() {
	order := kit.Bytes("channelOrder", []byte{
		0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
		0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
	})
	halves := kit.Dwords("joinHalves", 0, 4, 1, 5, 2, 6, 3, 7)
	kit.Text("unpackVector", "func(src *uint32, c0, c1, c2, c3 *uint8, n int)", "splits pixels of four bytes into planes.")
	src := Load(Param("src"), GP64())
	var c [4]Register
	for k, name := range []string{"c0", "c1", "c2", "c3"} {
		c[k] = Load(Param(name), GP64())
	}
	o := kit.In(YMM(), VMOVDQU, order)
	h := kit.In(YMM(), VMOVDQU, halves)
	loop("loop", func(i Register) {
		for k := range 2 {
			y, hi := YMM(), XMM()
			VMOVDQU(Mem{Base: src, Index: i, Scale: 4, Disp: 32 * k}, y)
			VPSHUFB(o, y, y)
			VPERMD(y, h, y)
			VMOVQ(y.AsX(), Mem{Base: c[0], Index: i, Scale: 1, Disp: 8 * k})
			VMOVHPS(y.AsX(), Mem{Base: c[1], Index: i, Scale: 1, Disp: 8 * k})
			VEXTRACTI128(Imm(1), y, hi)
			VMOVQ(hi, Mem{Base: c[2], Index: i, Scale: 1, Disp: 8 * k})
			VMOVHPS(hi, Mem{Base: c[3], Index: i, Scale: 1, Disp: 8 * k})
		}
	})
}

// alphaMasks makes the comparisons of the alpha test: for each block of 16 lanes, a mask of the lanes equal to, at least, or at
// most ref.
func alphaMasks() {
	for _, k := range []struct {
		name string
		f    func(a, ref, out VecVirtual)
	}{
		{"Equal", func(a, ref, out VecVirtual) { VPCMPEQB(a, ref, out) }},
		{"AtLeast", func(a, ref, out VecVirtual) { VPMAXUB(a, ref, out); VPCMPEQB(a, out, out) }},
		{"AtMost", func(a, ref, out VecVirtual) { VPMINUB(a, ref, out); VPCMPEQB(a, out, out) }},
	} {
		kit.Text("masks"+k.name+"Vector", "func(a *uint8, ref uint64, masks *uint16, n int)", "compares 16 lanes at a time with ref.")
		a := Load(Param("a"), GP64())
		r := Load(Param("ref"), GP64())
		masks := Load(Param("masks"), GP64())
		ref := kit.In(XMM(), VMOVQ, r)
		VPBROADCASTB(ref, ref)
		loop("loop", func(i Register) {
			x, out, bits := XMM(), XMM(), GP32()
			VMOVDQU(Mem{Base: a, Index: i, Scale: 1}, x)
			k.f(x, ref, out)
			VPMOVMSKB(out, bits)
			MOVW(bits.As16(), Mem{Base: masks})
			ADDQ(Imm(2), masks)
		})
	}
}

// part makes the kernel that separates blended blocks from those written without blending. Bit i of a word is pixel i of a block.
func part() {
	kit.Text("partVector", "func(alpha *uint8, write, apart *uint16, opaque, transparent uint64) uint16", "moves from write to apart the pixels of those of 16 blocks that have to be blended, and returns which these are.",
		"Not blended are blocks whose pixels are opaque, if those replace what is there, and blocks whose pixels are transparent, if those leave it: write loses them.")
	alpha, write, apart := Load(Param("alpha"), GP64()), Load(Param("write"), GP64()), Load(Param("apart"), GP64())
	zero, ones := YMM(), YMM()
	VPXOR(zero, zero, zero)
	VPCMPEQB(ones, ones, ones)
	// equal returns the pixels whose alpha is ref, or none if asked is 0.
	equal := func(ref VecVirtual, asked string) VecVirtual {
		var half [2]VecVirtual
		for h := range half {
			half[h] = XMM()
			for k := range 4 {
				y := kit.In(YMM(), VPCMPEQB, Mem{Base: alpha, Disp: 128*h + 32*k}, ref)
				bits := kit.In(GP32(), VPMOVMSKB, y)
				if k == 0 {
					VMOVD(bits, half[h])
				} else {
					VPINSRD(Imm(uint64(k)), bits, half[h], half[h])
				}
			}
		}
		all, set := YMM(), YMM()
		VINSERTI128(Imm(1), half[1], half[0].AsY(), all)
		bits := Load(Param(asked), GP64())
		VMOVQ(bits, set.AsX())
		VPBROADCASTQ(set.AsX(), set)
		VPAND(set, all, all)
		return all
	}
	pixels, replaced, left := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: write}, pixels)
	VPANDN(pixels, equal(ones, "opaque"), replaced)
	VPCMPEQW(zero, replaced, replaced)
	VPANDN(pixels, equal(zero, "transparent"), left)
	VPCMPEQW(zero, left, left)
	VPOR(replaced, left, left)
	VPAND(replaced, pixels, replaced)
	VMOVDQU(replaced, Mem{Base: write})
	VPANDN(pixels, left, pixels)
	VMOVDQU(pixels, Mem{Base: apart})
	high, bits := XMM(), GP32()
	VEXTRACTI128(Imm(1), left, high)
	VPACKSSWB(high, left.AsX(), high)
	VPMOVMSKB(high, bits)
	NOTL(bits)
	Store(bits.As16(), ReturnIndex(0))
	kit.Leave()
}
