package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// Offsets in the struct vectorLevels of package fragment: arrays of eight
// 32-bit values, one for each level of detail.
const (
	offWidth = 32 * iota
	offHeight
	offMaskS
	offFlipS
	offMaxS
	offMaskT
	offFlipT
	offMaxT
	offStride
	offOffset
)

// sampleKernels makes the kernels of the texture units. Each exists for
// textures of one level, whose arrays hold eight times the same, and for those
// whose level is chosen quad by quad.
func sampleKernels() {
	quad := kit.Dwords("quadLanes", 0, 0, 0, 0, 1, 1, 1, 1)
	for _, linear := range []bool{false, true} {
		for _, levels := range []bool{false, true} {
			sample(linear, levels, quad)
		}
	}
	mix(quad)
}

// perQuad loads the bytes of the two quads of lanes i to i+7 and spreads each
// to four lanes.
func perQuad(bytes, i Register, disp int, quad VecVirtual) VecVirtual {
	g, q, y := GP32(), GP64(), YMM()
	MOVQ(i, q)
	SHRQ(Imm(2), q)
	MOVWLZX(Mem{Base: bytes, Index: q, Scale: 1, Disp: disp}, g)
	VMOVD(g, y.AsX())
	VPMOVZXBD(y.AsX(), y)
	VPERMD(y, quad, y)
	return y
}

func sample(linear, levels bool, quadData Mem) {
	name := "nearest"
	if linear {
		name = "bilinear"
	}
	if levels {
		name += "Levels"
	}
	kit.Text(name+"AVX2", "func(u, v *float32, level *uint8, p *uint32, texels *uint32, out *uint32, n int)")
	Doc(name + "AVX2 fetches n lanes, a multiple of 16. The coordinates wrap as p says.")
	u := Load(Param("u"), GP64())
	v := Load(Param("v"), GP64())
	p := Load(Param("p"), GP64())
	texels := Load(Param("texels"), GP64())
	out := Load(Param("out"), GP64())
	var level Register
	quad := YMM()
	if levels {
		level = Load(Param("level"), GP64())
		VMOVDQU(quadData, quad)
	}
	loop("loop", func(i Register) {
		for half := range 2 {
			var index VecVirtual
			if levels {
				index = perQuad(level, i, 2*half, quad)
			}
			// param gives eight values of an array of p, one for each lane.
			param := func(off int) Op {
				m := Mem{Base: p, Disp: off}
				if !levels {
					return m
				}
				y := YMM()
				VPERMD(m, index, y)
				return y
			}
			// position converts a coordinate to 1/256 or whole texels, rounded
			// down, with the bounds of func fixed.
			position := func(src Register, size int) VecVirtual {
				y := YMM()
				VMOVUPS(Mem{Base: src, Index: i, Scale: 4, Disp: 32 * half}, y)
				VMULPS(param(size), y, y)
				if linear {
					VMULPS(dwordsMem(float256), y, y)
				}
				VMAXPS(dwordsMem(0xCE000000), y, y) // -2^29, for NaN too
				VMINPS(dwordsMem(0x4E000000), y, y)
				VROUNDPS(Imm(1), y, y)
				VCVTPS2DQ(y, y)
				return y
			}
			// wrap brings an index into the texture.
			wrap := func(y VecVirtual, mask, flip, top Op) {
				t := YMM()
				VPAND(mask, y, y)
				VPXOR(flip, y, t)
				VPMINSD(t, y, y)
				VPMAXSD(dwordsMem(0), y, y)
				VPMINSD(top, y, y)
			}
			gather := func(row, x VecVirtual) VecVirtual {
				idx, mask, t := YMM(), YMM(), YMM()
				VPADDD(row, x, idx)
				VMOVDQU(dwordsMem(0xFFFFFFFF), mask)
				VPXOR(t, t, t) // the gather merges: nothing must wait for the old t
				VPGATHERDD(mask, Mem{Base: texels, Index: idx, Scale: 4}, t)
				return t
			}
			x := position(u, offWidth)
			if !linear {
				y := position(v, offHeight)
				wrap(x, param(offMaskS), param(offFlipS), param(offMaxS))
				wrap(y, param(offMaskT), param(offFlipT), param(offMaxT))
				VPMULLD(param(offStride), y, y)
				VPADDD(param(offOffset), y, y)
				VMOVDQU(gather(y, x), Mem{Base: out, Index: i, Scale: 4, Disp: 32 * half})
				continue
			}
			// texels gives the two texels beside a position and the share of the
			// second in 1/256.
			texelsAt := func(y VecVirtual, mask, flip, top int) (y1, share VecVirtual) {
				y1, share = YMM(), YMM()
				VPSUBD(dwordsMem(128), y, y)
				VPAND(dwordsMem(255), y, share)
				VPSRAD(Imm(8), y, y)
				VPADDD(dwordsMem(1), y, y1)
				m, f, t := param(mask), param(flip), param(top)
				wrap(y, m, f, t)
				wrap(y1, m, f, t)
				return y1, share
			}
			x1, a := texelsAt(x, offMaskS, offFlipS, offMaxS)
			y := position(v, offHeight)
			y1, b := texelsAt(y, offMaskT, offFlipT, offMaxT)
			stride, offset := param(offStride), param(offOffset)
			for _, r := range []VecVirtual{y, y1} {
				VPMULLD(stride, r, r)
				VPADDD(offset, r, r)
			}
			top0 := lerp(gather(y, x), gather(y, x1), a)
			bottom := lerp(gather(y1, x), gather(y1, x1), a)
			VMOVDQU(lerp(top0, bottom, b), Mem{Base: out, Index: i, Scale: 4, Disp: 32 * half})
		}
	})
}

// lerp mixes eight texels of four bytes, t/256 of q, rounded.
func lerp(p, q, t VecVirtual) VecVirtual {
	w := YMM()
	VPSLLD(Imm(16), t, w)
	VPOR(t, w, w)
	zero := YMM()
	VPXOR(zero, zero, zero)
	var part [2]VecVirtual
	for k := range part {
		a, b, f, g := YMM(), YMM(), YMM(), YMM()
		if k == 0 {
			VPUNPCKLBW(zero, p, a)
			VPUNPCKLBW(zero, q, b)
			VPUNPCKLDQ(w, w, f)
		} else {
			VPUNPCKHBW(zero, p, a)
			VPUNPCKHBW(zero, q, b)
			VPUNPCKHDQ(w, w, f)
		}
		VMOVDQU(wordsMem(256), g)
		VPSUBW(f, g, g)
		VPMULLW(g, a, a)
		VPMULLW(f, b, b)
		VPADDW(a, b, a)
		VPADDW(wordsMem(128), a, a)
		VPSRLW(Imm(8), a, a)
		part[k] = a
	}
	VPACKUSWB(part[1], part[0], part[0])
	return part[0]
}

func mix(quadData Mem) {
	kit.Text("mixAVX2", "func(a, b *uint32, t *uint8, n int)")
	Doc("mixAVX2 is the AVX2 twin of mix.")
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	t := Load(Param("t"), GP64())
	quad := YMM()
	VMOVDQU(quadData, quad)
	loop("loop", func(i Register) {
		for half := range 2 {
			p, q := YMM(), YMM()
			m := Mem{Base: a, Index: i, Scale: 4, Disp: 32 * half}
			VMOVDQU(m, p)
			VMOVDQU(Mem{Base: b, Index: i, Scale: 4, Disp: 32 * half}, q)
			VMOVDQU(lerp(p, q, perQuad(t, i, 2*half, quad)), m)
		}
	})
}
