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
	offTopS
	offLowS
	offHighS
	offTopT
	offLowT
	offHighT
)

// sampleKernels makes the kernels of the texture units. Each exists for
// textures of one level, whose arrays hold eight times the same, and for those
// whose level is chosen quad by quad; and for the wrap modes that repeat, mirror
// or clamp to the edge, and for all.
func sampleKernels() {
	quad := kit.Dwords("quadLanes", 0, 0, 0, 0, 1, 1, 1, 1)
	for _, linear := range []bool{false, true} {
		for _, levels := range []bool{false, true} {
			for _, border := range []bool{false, true} {
				sample(linear, levels, border, quad)
			}
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

func sample(linear, levels, border bool, quadData Mem) {
	name := "nearest"
	if linear {
		name = "bilinear"
	}
	if levels {
		name += "Levels"
	}
	color := ""
	if border {
		name += "Border"
		color = "border uint64, "
	}
	kit.Text(name+"AVX2", "func(u, v *float32, level *uint8, p *uint32, texels *uint32, out *uint32, "+color+"n int)")
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
	var borderColor VecVirtual
	if border {
		g := Load(Param("border"), GP64())
		borderColor = YMM()
		VMOVQ(g, borderColor.AsX())
		VPBROADCASTD(borderColor.AsX(), borderColor)
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
			// outside is all ones where an index reads the border. Put into the
			// wrapped one it makes that negative.
			outside := func(y VecVirtual, c coordinate) VecVirtual {
				below, above := YMM(), YMM()
				VMOVDQU(param(c.low), below)
				VPCMPGTD(y, below, below)
				VPCMPGTD(param(c.high), y, above)
				VPOR(above, below, below)
				return below
			}
			// wrap brings an index into the texture.
			wrap := func(y VecVirtual, c coordinate) {
				t := YMM()
				if border {
					VPMINSD(param(c.top), y, y)
				}
				VPAND(param(c.mask), y, y)
				VPXOR(param(c.flip), y, t)
				VPMINSD(t, y, y)
				VPMAXSD(dwordsMem(0), y, y)
				VPMINSD(param(c.max), y, y)
			}
			gather := func(t, row, x VecVirtual) {
				idx, mask := YMM(), YMM()
				if border {
					VPOR(row, x, mask)
					VPXOR(dwordsMem(0xFFFFFFFF), mask, mask) // the highest bit counts
					VMOVDQU(borderColor, t)                  // stays where nothing is gathered
				} else {
					VMOVDQU(dwordsMem(0xFFFFFFFF), mask)
					VPXOR(t, t, t) // the gather merges: nothing must wait for the old t
				}
				VPADDD(row, x, idx)
				VPGATHERDD(mask, Mem{Base: texels, Index: idx, Scale: 4}, t)
			}
			x := position(u, offWidth)
			if !linear {
				y := position(v, offHeight)
				var outX, outY VecVirtual
				if border {
					outX, outY = outside(x, alongS), outside(y, alongT)
				}
				wrap(x, alongS)
				wrap(y, alongT)
				VPMULLD(param(offStride), y, y)
				VPADDD(param(offOffset), y, y)
				if border {
					VPOR(outX, x, x)
					VPOR(outY, y, y)
				}
				t := YMM()
				gather(t, y, x)
				VMOVDQU(t, Mem{Base: out, Index: i, Scale: 4, Disp: 32 * half})
				continue
			}
			// texelsAt makes of a position the two texels beside it, of which it
			// returns the second, and the share of that in 1/256. place, if it is
			// not nil, makes rows of them.
			texelsAt := func(y VecVirtual, c coordinate, place func(y VecVirtual)) (y1, share VecVirtual) {
				y1, share = YMM(), YMM()
				VPSUBD(dwordsMem(128), y, y)
				VPAND(dwordsMem(255), y, share)
				VPSRAD(Imm(8), y, y)
				VPADDD(dwordsMem(1), y, y1)
				for _, i := range []VecVirtual{y, y1} {
					var out VecVirtual
					if border {
						out = outside(i, c)
					}
					wrap(i, c)
					if place != nil {
						place(i)
					}
					if border {
						VPOR(out, i, i)
					}
				}
				return y1, share
			}
			x1, a := texelsAt(x, alongS, nil)
			y := position(v, offHeight)
			stride, offset := param(offStride), param(offOffset)
			y1, b := texelsAt(y, alongT, func(y VecVirtual) {
				VPMULLD(stride, y, y)
				VPADDD(offset, y, y)
			})
			t00, t10, t01, t11 := YMM(), YMM(), YMM(), YMM()
			gather(t00, y, x)
			gather(t10, y, x1)
			gather(t01, y1, x)
			gather(t11, y1, x1)
			VMOVDQU(bilerp(t00, t10, t01, t11, a, b), Mem{Base: out, Index: i, Scale: 4, Disp: 32 * half})
		}
	})
}

// coordinate is where the values of a coordinate's wrap mode lie.
type coordinate struct{ mask, flip, max, top, low, high int }

var (
	alongS = coordinate{offMaskS, offFlipS, offMaxS, offTopS, offLowS, offHighS}
	alongT = coordinate{offMaskT, offFlipT, offMaxT, offTopT, offLowT, offHighT}
)

// shares puts the low bytes of eight words into both halves of each.
func shares(t VecVirtual) VecVirtual {
	w := YMM()
	VPSLLD(Imm(16), t, w)
	VPOR(t, w, w)
	return w
}

// unpackBytes and unpackDwords pair the low or the high halves of each 128 bits
// of two registers.
func unpackBytes(high bool, ops ...Op) {
	if high {
		VPUNPCKHBW(ops[0], ops[1], ops[2])
	} else {
		VPUNPCKLBW(ops[0], ops[1], ops[2])
	}
}

func unpackDwords(high bool, w, out VecVirtual) {
	if high {
		VPUNPCKHDQ(w, w, out)
	} else {
		VPUNPCKLDQ(w, w, out)
	}
}

// lerpHalf mixes half of eight texels of four bytes, as words: f/256 of q and
// the rest of p, rounded, which is (256*p + 128 + (q-p)*f) >> 8. Of the product
// the low 16 bits are enough, since the sum is below 2^16.
func lerpHalf(high bool, p, q, f VecVirtual) VecVirtual {
	a, d := YMM(), YMM()
	zero := YMM()
	VPXOR(zero, zero, zero)
	unpackBytes(high, zero, p, a)
	unpackBytes(high, zero, q, d)
	VPSUBW(a, d, d)
	VPMULLW(f, d, d)
	VPSLLW(Imm(8), a, a)
	VPADDW(wordsMem(128), a, a)
	VPADDW(d, a, a)
	VPSRLW(Imm(8), a, a)
	return a
}

// lerp mixes eight texels of four bytes, t/256 of q, rounded.
func lerp(p, q, t VecVirtual) VecVirtual {
	w := shares(t)
	var part [2]VecVirtual
	for k := range part {
		f := YMM()
		unpackDwords(k == 1, w, f)
		part[k] = lerpHalf(k == 1, p, q, f)
	}
	VPACKUSWB(part[1], part[0], part[0])
	return part[0]
}

// bilerp mixes eight times four texels, a/256 of those to the right, then b/256
// of the lower ones, each rounded.
func bilerp(t00, t10, t01, t11, a, b VecVirtual) VecVirtual {
	a, b = shares(a), shares(b)
	var part [2]VecVirtual
	for k := range part {
		f := YMM()
		unpackDwords(k == 1, a, f)
		top, bottom := lerpHalf(k == 1, t00, t10, f), lerpHalf(k == 1, t01, t11, f)
		unpackDwords(k == 1, b, f)
		VPSUBW(top, bottom, bottom)
		VPMULLW(f, bottom, bottom)
		VPSLLW(Imm(8), top, top)
		VPADDW(wordsMem(128), top, top)
		VPADDW(bottom, top, top)
		VPSRLW(Imm(8), top, top)
		part[k] = top
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
