package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
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

// sampleKernels makes the kernels of the texture units: for textures of one level, whose arrays repeat a value eight times, and
// with a level per quad; for wrap modes repeat and clamp to edge, for these and mirror, and for all.
func sampleKernels() {
	quad := kit.Dwords("quadLanes", 0, 0, 0, 0, 1, 1, 1, 1)
	for _, linear := range []bool{false, true} {
		for _, levels := range []bool{false, true} {
			for _, wrap := range []wrapping{wrapEdge, wrapMirror, wrapAll, wrapBorder} {
				if !linear || wrap != wrapBorder {
					sample(linear, levels, wrap, quad)
				}
			}
		}
	}
	mix(quad)
	k := &sampler{linear: true, cells: true}
	k.begin()
	k.load(quad)
	k.wide()
	cells()
}

// wrapping is the set of wrap modes that a kernel supports.
type wrapping int

const (
	wrapEdge wrapping = iota
	wrapMirror
	wrapAll
	wrapBorder // clamp to border along both, of nearest texels
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

// sampler makes one of the kernels.
type sampler struct {
	linear, levels bool
	modes          wrapping
	border         bool // the border's colour can show
	cells          bool // reads cells, with AVX-512 only

	u, v, level, p, texels, out Register
	quad, borderColor, flip     VecVirtual
	size256                     map[int]VecVirtual // without levels, by the offset of the size

	with kit.Tables // how nearest texels are read

	// for the current half of the lanes
	i     Register
	half  int
	index VecVirtual // the level of each lane, with levels
}

func sample(linear, levels bool, modes wrapping, quadData Mem) {
	k := &sampler{linear: linear, levels: levels, modes: modes, border: modes >= wrapAll}
	k.begin()
	k.load(quadData)
	wide := !linear || !levels // for the others, AVX-512 gained less than 5 % on every trace
	if wide {
		kit.IfWide("wide")
	}
	kit.EitherWay(func(with kit.Tables) {
		switch {
		case !linear:
			k.with = with
			loop(with.Label("loop"), k.nearest)
		case with.Loads:
			k.bilinearLoads()
		default:
			loop("loop", func(i Register) {
				for half := range 2 {
					k.at(i, half)
					k.store(k.bilinear())
				}
			})
		}
	})
	if wide {
		Label("wide")
		k.wide()
	}
}

// at selects the first or second half of 16 lanes.
func (k *sampler) at(i Register, half int) {
	k.i, k.half = i, half
	if k.levels {
		k.index = perQuad(k.level, i, 2*half, k.quad)
	}
}

// lanes are the current eight lanes in a row of 32-bit numbers.
func (k *sampler) lanes(row Register) Mem {
	return Mem{Base: row, Index: k.i, Scale: 4, Disp: 32 * k.half}
}

func (k *sampler) store(texels VecVirtual) { VMOVDQU(texels, k.lanes(k.out)) }

// begin starts the kernel with its name and doc comment.
func (k *sampler) begin() {
	name, color, turned, text := "nearest", "", "flip uint64, ", kit.Text
	if k.linear {
		name, turned, text = "bilinear", "", kit.LargeText
	}
	if k.levels {
		name += "Levels"
	}
	if k.cells {
		name += "Cells"
		color = "cells *uint32, alpha uint64, "
	}
	switch k.modes {
	case wrapMirror:
		name += "Mirror"
	case wrapBorder:
		name += "Outside"
		color = "border uint64, "
	case wrapAll:
		name += "Border"
		color = "border uint64, "
	}
	doc := "fetches n lanes, a multiple of 16. The coordinates wrap as p says."
	if k.cells {
		doc += " The texture has one value: alpha if alpha is not 0, otherwise grey. It needs AVX-512."
	}
	if !k.linear {
		doc += " All bits of flip are set if the target is upside down."
	}
	text(name+"Vector", "func(u, v *float32, level *uint8, p *uint32, texels *uint32, out *uint32, "+color+turned+"n int)", doc)
}

// load loads the values common to all lanes.
func (k *sampler) load(quadData Mem) {
	k.u = Load(Param("u"), GP64())
	k.v = Load(Param("v"), GP64())
	k.p = Load(Param("p"), GP64())
	k.texels = Load(Param("texels"), GP64())
	k.out = Load(Param("out"), GP64())
	k.quad = YMM()
	if k.levels {
		k.level = Load(Param("level"), GP64())
		VMOVDQU(quadData, k.quad)
	}
	if k.border {
		g := Load(Param("border"), GP64())
		k.borderColor = YMM()
		VMOVQ(g, k.borderColor.AsX())
		VPBROADCASTD(k.borderColor.AsX(), k.borderColor)
	}
	if !k.linear {
		k.flip = YMM()
		g := Load(Param("flip"), GP64())
		VMOVQ(g, k.flip.AsX())
		VPBROADCASTQ(k.flip.AsX(), k.flip)
	}
	// 256 times the size. It changes only the rounding of numbers within 1/256 of a texel boundary.
	k.size256 = map[int]VecVirtual{}
	if !k.levels {
		for _, off := range []int{offWidth, offHeight} {
			k.size256[off] = dwords(float256)
			VMULPS(Mem{Base: k.p, Disp: off}, k.size256[off], k.size256[off])
		}
	}
}

// param returns eight values of an array of p, one for each lane.
func (k *sampler) param(off int) Op {
	m := Mem{Base: k.p, Disp: off}
	if !k.levels {
		return m
	}
	return kit.In(YMM(), VPERMD, m, k.index)
}

// scaled is a coordinate in 1/256 of a texel.
func (k *sampler) scaled(src Register, size int) VecVirtual {
	y := YMM()
	if k.levels {
		VMOVUPS(k.lanes(src), y)
		VMULPS(k.param(size), y, y)
		VMULPS(dwordsMem(float256), y, y)
	} else {
		VMULPS(k.lanes(src), k.size256[size], y)
	}
	return y
}

// position is texelPosition.
func (k *sampler) position(src Register, size int) VecVirtual {
	y := k.scaled(src, size)
	VMAXPS(dwordsMem(0xCE000000), y, y) // -2^29, for NaN too
	VMINPS(dwordsMem(0x4E000000), y, y)
	VCVTPS2DQ(y, y) // to nearest, ties to even
	return y
}

// outside is all ones where an index reads the border. Combined with the wrapped index it makes it negative.
func (k *sampler) outside(y VecVirtual, c coordinate) VecVirtual {
	below, above := YMM(), YMM()
	VMOVDQU(k.param(c.low), below)
	VPCMPGTD(y, below, below)
	VPCMPGTD(k.param(c.high), y, above)
	VPOR(above, below, below)
	return below
}

// wrap applies the wrap mode to indices.
func (k *sampler) wrap(c coordinate, indices ...VecVirtual) {
	mask, top := k.param(c.mask), k.param(c.max)
	for _, y := range indices {
		if k.border {
			VPMINSD(k.param(c.top), y, y)
		}
		VPAND(mask, y, y)
		if k.modes != wrapEdge {
			t := kit.In(YMM(), VPXOR, k.param(c.flip), y)
			VPMINSD(t, y, y)
		}
		VPMAXSD(dwordsMem(0), y, y)
		VPMINSD(top, y, y)
	}
}

// gather reads the texels in column x of the rows that begin at row.
func (k *sampler) gather(row, x VecVirtual) VecVirtual {
	idx := kit.In(YMM(), VPADDD, row, x)
	if !k.border {
		return k.with.Read(k.texels, idx)
	}
	inside := kit.In(YMM(), VPOR, row, x)
	VPXOR(dwordsMem(0xFFFFFFFF), inside, inside) // the highest bit selects a lane
	return k.orBorder(idx, inside)
}

// orBorder reads the texels at an index, and where the highest bit of inside is clear the border.
func (k *sampler) orBorder(idx, inside VecVirtual) VecVirtual {
	t := YMM()
	if !k.with.Loads {
		VMOVDQU(k.borderColor, t) // kept where nothing is gathered
		VPGATHERDD(inside, Mem{Base: k.texels, Index: idx, Scale: 4}, t)
		return t
	}
	VPMAXSD(dwordsMem(0), idx, idx)
	t = k.with.Read(k.texels, idx)
	VBLENDVPS(inside, t, k.borderColor, t)
	return t
}

// nearest fetches the texels at 16 positions.
func (k *sampler) nearest(i Register) {
	var x, y [2]VecVirtual
	for half := range x {
		k.at(i, half)
		x[half], y[half] = k.whole(k.u, offWidth), k.whole(k.v, offHeight)
	}
	k.boundaries(i, x, y)
	for half := range x {
		k.at(i, half)
		x, y := x[half], y[half]
		if k.modes == wrapBorder {
			k.store(k.withBorder(x, y))
			continue
		}
		VPSRAD(Imm(8), x, x)
		VPSRAD(Imm(8), y, y)
		var outX, outY VecVirtual
		if k.border {
			outX, outY = k.outside(x, alongS), k.outside(y, alongT)
		}
		k.wrap(alongS, x)
		k.wrap(alongT, y)
		VPMADDWD(k.param(offStride), y, y)
		VPADDD(k.param(offOffset), y, y)
		if k.border {
			VPOR(outX, x, x)
			VPOR(outY, y, y)
		}
		k.store(k.gather(y, x))
	}
}

// whole is position, but numbers out of range give any other number out of range, or one on a boundary, unless wrapping needs
// more.
func (k *sampler) whole(src Register, size int) VecVirtual {
	if k.modes != wrapBorder {
		return k.position(src, size)
	}
	y := k.scaled(src, size)
	VCVTPS2DQ(y, y)
	return y
}

// withBorder reads the texels at positions x and y, or the border outside of the level.
func (k *sampler) withBorder(x, y VecVirtual) VecVirtual {
	inside, other := YMM(), YMM()
	VPSRLD(Imm(8), x, x) // negative ones are outside too
	VPSRLD(Imm(8), y, y)
	VPMINUD(k.param(offMaxS), x, inside)
	VPCMPEQD(inside, x, x)
	VPMINUD(k.param(offMaxT), y, other)
	VPCMPEQD(other, y, y)
	VPAND(y, x, x)
	VPMADDWD(k.param(offStride), other, other)
	VPADDD(k.param(offOffset), other, other)
	VPADDD(other, inside, inside)
	return k.orBorder(inside, x)
}

// boundaries applies the rule of texel: for positions on a boundary, lanes whose coordinate decreases use the texel before.
func (k *sampler) boundaries(i Register, x, y [2]VecVirtual) {
	same := k.with.Label("within")
	rest, other, zero, any := YMM(), YMM(), YMM(), GP32()
	VPMINUB(x[1], x[0], rest)
	VPMINUB(y[1], y[0], other)
	VPMINUB(other, rest, rest)
	VPXOR(zero, zero, zero)
	VPCMPEQB(zero, rest, rest)
	VPMOVMSKB(rest, any)
	TESTL(U32(0x11111111), any) // the lowest bytes
	JZ(LabelRef(same))
	for half := range x {
		k.at(i, half)
		for _, c := range []struct {
			p    VecVirtual
			src  Register
			size int
		}{{x[half], k.u, offWidth}, {y[half], k.v, offHeight}} {
			p := c.p
			if k.modes == wrapBorder {
				VMOVDQU(k.position(c.src, c.size), p)
			}
			corner, on, up, zero := YMM(), YMM(), YMM(), YMM()
			VPSHUFD(Imm(0x00), p, corner)
			VPSHUFD(Imm(0x55), p, on)
			VPSHUFD(Imm(0xAA), p, up)
			VPSUBD(corner, on, on)
			VPSUBD(up, corner, up)
			VPXOR(k.flip, up, up)
			VPSUBD(k.flip, up, up)
			VPXOR(zero, zero, zero)
			VPCMPEQD(zero, on, corner)
			VPAND(corner, up, up)
			VPOR(up, on, on)
			VPSRAD(Imm(31), on, on)
			VPADDD(on, p, p)
		}
	}
	Label(same)
}

// planeSize is the size in bytes of a 32-bit number for each lane of a batch.
const planeSize = 256 * 4

// perTexel is the VPSHUFB order that makes four words of each dword, for the texels of the low or the high half of each 128 bits.
// from returns byte i of the result for a dword starting at first.
func perTexel(name string, high bool, number any, from func(first, i int) byte) Mem {
	half, first := "Low", 0
	if high {
		half, first = "High", 8
	}
	order := make([]byte, 32)
	for i := range order {
		order[i] = from(first+i%16/8*4, i)
	}
	return kit.Bytes(fmt.Sprint(name, half, number), order)
}

// shareOrder moves the word at a byte of each dword to all four words of its texel.
func shareOrder(high bool, word int) Mem {
	return perTexel("share", high, word, func(first, i int) byte { return byte(first + word + i%2) })
}

// texelsAt converts a position to the two texels beside it; it returns the second and its share in 1/256. place, if not nil,
// converts them to rows.
func (k *sampler) texelsAt(y VecVirtual, c coordinate, place func(y VecVirtual)) (y1, share VecVirtual) {
	if place == nil {
		place = func(VecVirtual) {}
	}
	y1, share = YMM(), YMM()
	VPSUBD(dwordsMem(128), y, y)
	VPAND(dwordsMem(255), y, share)
	VPSRAD(Imm(8), y, y)
	VPADDD(dwordsMem(1), y, y1)
	if !k.border {
		k.wrap(c, y, y1)
		place(y)
		place(y1)
		return y1, share
	}
	for _, i := range []VecVirtual{y, y1} {
		out := k.outside(i, c)
		k.wrap(c, i)
		place(i)
		VPOR(out, i, i)
	}
	return y1, share
}

// coordinate has the offsets of a coordinate's wrap mode values.
type coordinate struct{ mask, flip, max, top, low, high int }

var (
	alongS = coordinate{offMaskS, offFlipS, offMaxS, offTopS, offLowS, offHighS}
	alongT = coordinate{offMaskT, offFlipT, offMaxT, offTopT, offLowT, offHighT}
)

// shares converts eight shares of 1/256 (words in a register of dwords) for lerp: four words per texel in units of 2^-15, for the
// texels of the low or the high half of each 128 bits.
func shares(t VecVirtual, high bool) VecVirtual {
	order := perTexel("shares", high, "", func(first, i int) byte {
		if i%2 == 1 {
			return byte(first)
		}
		return 0x80 // 0
	})
	f := kit.In(YMM(), VPSHUFB, order, t)
	VPSRLW(Imm(1), f, f)
	return f
}

// widen converts the bytes in the low or the high half of each 128 bits to words.
func widen(x VecVirtual, high bool) VecVirtual {
	y, zero := YMM(), YMM()
	VPXOR(zero, zero, zero)
	if high {
		VPUNPCKHBW(zero, x, y)
	} else {
		VPUNPCKLBW(zero, x, y)
	}
	return y
}

// lerp mixes words of at most 255 into p: it adds f/256 of q-p, rounded. The plain form (256*p + 128 + (q-p)*f) >> 8 gives the
// same, since 256*p does not affect the dropped bits.
func lerp(p, q, f VecVirtual) {
	VPSUBW(p, q, q)
	VPMULHRSW(f, q, q)
	VPADDW(q, p, p)
}

// bilerp mixes eight times four texels: a/256 of the right ones, then b/256 of the lower ones, each rounded. shares returns a and b
// for lerp.
func bilerp(t [4]VecVirtual, shares func(high bool) (a, b VecVirtual)) VecVirtual {
	var part [2]VecVirtual
	for k, high := range []bool{false, true} {
		a, b := shares(high)
		top, bottom := widen(t[0], high), widen(t[2], high)
		lerp(top, widen(t[1], high), a)
		lerp(bottom, widen(t[3], high), a)
		lerp(top, bottom, b)
		part[k] = top
	}
	VPACKUSWB(part[1], part[0], part[0])
	return part[0]
}

func mix(quadData Mem) {
	kit.Text("mixVector", "func(a, b *uint32, t *uint8, n int)", "is the AVX2 twin of mix.")
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	t := Load(Param("t"), GP64())
	quad := kit.In(YMM(), VMOVDQU, quadData)
	loop("loop", func(i Register) {
		for half := range 2 {
			p, q := YMM(), YMM()
			m := Mem{Base: a, Index: i, Scale: 4, Disp: 32 * half}
			VMOVDQU(m, p)
			VMOVDQU(Mem{Base: b, Index: i, Scale: 4, Disp: 32 * half}, q)
			f := perQuad(t, i, 2*half, quad)
			low, high := widen(p, false), widen(p, true)
			lerp(low, widen(q, false), shares(f, false))
			lerp(high, widen(q, true), shares(f, true))
			VPACKUSWB(high, low, low)
			VMOVDQU(low, m)
		}
	})
}
