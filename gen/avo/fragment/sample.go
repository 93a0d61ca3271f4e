package main

import (
	"fmt"

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
// whose level is chosen quad by quad; and for the wrap modes that repeat or clamp
// to the edge, for those that mirror as well, and for all.
func sampleKernels() {
	quad := kit.Dwords("quadLanes", 0, 0, 0, 0, 1, 1, 1, 1)
	for _, linear := range []bool{false, true} {
		for _, levels := range []bool{false, true} {
			for _, wrap := range []wrapping{wrapEdge, wrapMirror, wrapAll} {
				sample(linear, levels, wrap, quad)
			}
		}
	}
	mix(quad)
}

// wrapping is which wrap modes a kernel knows.
type wrapping int

const (
	wrapEdge wrapping = iota
	wrapMirror
	wrapAll
)

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

func sample(linear, levels bool, modes wrapping, quadData Mem) {
	border := modes == wrapAll
	name := "nearest"
	if linear {
		name = "bilinear"
	}
	if levels {
		name += "Levels"
	}
	color := ""
	switch modes {
	case wrapMirror:
		name += "Mirror"
	case wrapAll:
		name += "Border"
		color = "border uint64, "
	}
	turned := ""
	if !linear {
		turned = "turn uint64, "
	}
	kit.Text(name+"AVX2", "func(u, v *float32, level *uint8, p *uint32, texels *uint32, out *uint32, "+color+turned+"n int)")
	doc := name + "AVX2 fetches n lanes, a multiple of 16. The coordinates wrap as p says."
	if !linear {
		doc += " All bits of turn are set if the target is upside down."
	}
	Doc(doc)
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
	var turn VecVirtual
	if !linear {
		turn = YMM()
		g := Load(Param("turn"), GP64())
		VMOVQ(g, turn.AsX())
		VPBROADCASTQ(turn.AsX(), turn)
	}
	// 256 times the size, which changes no rounding but that of numbers that lie
	// in the first or the last 1/256 of a texel either way.
	size256 := map[int]VecVirtual{}
	if !levels {
		for _, off := range []int{offWidth, offHeight} {
			size256[off] = dwords(float256)
			VMULPS(Mem{Base: p, Disp: off}, size256[off], size256[off])
		}
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
			// position is texelPosition.
			position := func(src Register, size int) VecVirtual {
				y := YMM()
				VMOVUPS(Mem{Base: src, Index: i, Scale: 4, Disp: 32 * half}, y)
				if levels {
					VMULPS(param(size), y, y)
					VMULPS(dwordsMem(float256), y, y)
				} else {
					VMULPS(size256[size], y, y)
				}
				VMAXPS(dwordsMem(0xCE000000), y, y) // -2^29, for NaN too
				VMINPS(dwordsMem(0x4E000000), y, y)
				VCVTPS2DQ(y, y) // to nearest, ties to even
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
			// wrap brings indices into the texture.
			wrap := func(c coordinate, indices ...VecVirtual) {
				mask, top := param(c.mask), param(c.max)
				for _, y := range indices {
					if border {
						VPMINSD(param(c.top), y, y)
					}
					VPAND(mask, y, y)
					if modes != wrapEdge {
						t := YMM()
						VPXOR(param(c.flip), y, t)
						VPMINSD(t, y, y)
					}
					VPMAXSD(dwordsMem(0), y, y)
					VPMINSD(top, y, y)
				}
			}
			gather := func(t, row, x VecVirtual) {
				idx, mask := YMM(), YMM()
				if border {
					VPOR(row, x, mask)
					VPXOR(dwordsMem(0xFFFFFFFF), mask, mask) // the highest bit counts
					VMOVDQU(borderColor, t)                  // stays where nothing is gathered
				} else {
					VPCMPEQD(mask, mask, mask)
					VPXOR(t, t, t) // the gather merges: nothing must wait for the old t
				}
				VPADDD(row, x, idx)
				VPGATHERDD(mask, Mem{Base: texels, Index: idx, Scale: 4}, t)
			}
			x := position(u, offWidth)
			if !linear {
				y := position(v, offHeight)
				// As texel: where a position of the eight lies on a boundary, all
				// whose coordinate falls go a step down.
				same := fmt.Sprintf("within%d", half)
				rest, other, zero, any := YMM(), YMM(), YMM(), GP32()
				VPAND(dwordsMem(255), x, rest)
				VPAND(dwordsMem(255), y, other)
				VPMINUD(other, rest, rest)
				VPXOR(zero, zero, zero)
				VPCMPEQD(zero, rest, rest)
				VPMOVMSKB(rest, any)
				TESTL(any, any)
				JZ(LabelRef(same))
				for _, p := range []VecVirtual{x, y} {
					corner, on, up := YMM(), YMM(), YMM()
					VPSHUFD(Imm(0x00), p, corner)
					VPSHUFD(Imm(0x55), p, on)
					VPSHUFD(Imm(0xAA), p, up)
					VPSUBD(corner, on, on)
					VPSUBD(up, corner, up)
					VPXOR(turn, up, up)
					VPSUBD(turn, up, up)
					VPCMPEQD(zero, on, corner)
					VPAND(corner, up, up)
					VPOR(up, on, on)
					VPSRAD(Imm(31), on, on)
					VPADDD(on, p, p)
				}
				Label(same)
				VPSRAD(Imm(8), x, x)
				VPSRAD(Imm(8), y, y)
				var outX, outY VecVirtual
				if border {
					outX, outY = outside(x, alongS), outside(y, alongT)
				}
				wrap(alongS, x)
				wrap(alongT, y)
				VPMADDWD(param(offStride), y, y)
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
				if !border {
					wrap(c, y, y1)
					if place != nil {
						place(y)
						place(y1)
					}
					return y1, share
				}
				for _, i := range []VecVirtual{y, y1} {
					out := outside(i, c)
					wrap(c, i)
					if place != nil {
						place(i)
					}
					VPOR(out, i, i)
				}
				return y1, share
			}
			x1, a := texelsAt(x, alongS, nil)
			y := position(v, offHeight)
			stride, offset := param(offStride), param(offOffset)
			y1, b := texelsAt(y, alongT, func(y VecVirtual) {
				VPMADDWD(stride, y, y) // both are below 2^15
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

// shares makes of eight shares of 1/256, a word each in a register of dwords, what
// lerp multiplies with: for each texel four words, in units of 2^-15, for the
// texels of the low or the high half of each 128 bits.
func shares(t VecVirtual, high bool) VecVirtual {
	name, first := "sharesLow", 0
	if high {
		name, first = "sharesHigh", 8
	}
	order := make([]byte, 32)
	for i := range order {
		order[i] = 0x80
		if i%2 == 1 {
			order[i] = byte(first + i%16/8*4)
		}
	}
	f := YMM()
	VPSHUFB(kit.Bytes(name, order), t, f)
	VPSRLW(Imm(1), f, f)
	return f
}

// wide makes words of the bytes in the low or the high half of each 128 bits.
func wide(x VecVirtual, high bool) VecVirtual {
	y, zero := YMM(), YMM()
	VPXOR(zero, zero, zero)
	if high {
		VPUNPCKHBW(zero, x, y)
	} else {
		VPUNPCKLBW(zero, x, y)
	}
	return y
}

// lerp mixes words of at most 255 into p: it adds f/256 of q-p, rounded. The
// plain form (256*p + 128 + (q-p)*f) >> 8 is the same: 256*p has no part in what
// is dropped.
func lerp(p, q, f VecVirtual) {
	VPSUBW(p, q, q)
	VPMULHRSW(f, q, q)
	VPADDW(q, p, p)
}

// bilerp mixes eight times four texels, a/256 of those to the right, then b/256
// of the lower ones, each rounded.
func bilerp(t00, t10, t01, t11, a, b VecVirtual) VecVirtual {
	var part [2]VecVirtual
	for k, high := range []bool{false, true} {
		top, bottom := wide(t00, high), wide(t01, high)
		f := shares(a, high)
		lerp(top, wide(t10, high), f)
		lerp(bottom, wide(t11, high), f)
		lerp(top, bottom, shares(b, high))
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
			f := perQuad(t, i, 2*half, quad)
			low, high := wide(p, false), wide(p, true)
			lerp(low, wide(q, false), shares(f, false))
			lerp(high, wide(q, true), shares(f, true))
			VPACKUSWB(high, low, low)
			VMOVDQU(low, m)
		}
	})
}
