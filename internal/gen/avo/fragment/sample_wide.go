package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// wideSampler makes the loop of a kernel with AVX-512: 16 lanes at a time, pairs of texels by one gather. Conditions are in mask
// registers.
type wideSampler struct {
	*sampler
	fixed map[int]VecVirtual // parameters in registers, without levels, by offset
	all   Register           // a mask of all lanes
	zero  VecVirtual
	i     Register
	index VecVirtual // the level of each lane, with levels

	cellsAt       Register
	spread, whole VecVirtual // the bytes of a texel with a value in its lowest byte, and those that are 255
}

// wide makes the kernel's body for AVX-512, after the label wide.
func (k *sampler) wide() {
	w := &wideSampler{sampler: k, fixed: map[int]VecVirtual{}, all: K()}
	KXNORW(w.all, w.all, w.all)
	w.zero = w.fill(0)
	if !k.levels {
		for _, off := range w.params() {
			y := kit.In(ZMM(), VPBROADCASTD, Mem{Base: k.p, Disp: off})
			if off == offWidth || off == offHeight {
				VMULPS_BCST(dwordsMem(float256), y, y) // see size256
			}
			w.fixed[off] = y
		}
	}
	if k.linear && !k.border {
		w.bilinear()
		return
	}
	loop("loopWide", func(i Register) {
		w.at(i)
		if k.linear {
			w.store(w.fourTexels())
		} else {
			w.nearest()
		}
	})
}

// params are the offsets of the parameters that the loop needs.
func (w *wideSampler) params() []int {
	offs := []int{offWidth, offHeight, offMaxS, offMaxT, offStride, offOffset}
	if w.modes != wrapBorder {
		offs = append(offs, offMaskS, offMaskT)
	}
	if w.modes == wrapMirror || w.modes == wrapAll {
		offs = append(offs, offFlipS, offFlipT)
	}
	return offs
}

// at selects lanes i to i+15.
func (w *wideSampler) at(i Register) {
	w.i = i
	if w.levels {
		q := kit.In(GP64(), MOVQ, i)
		SHRQ(Imm(2), q)
		w.index = kit.In(ZMM(), VPBROADCASTD, Mem{Base: w.level, Index: q, Scale: 1})
		VPSHUFB(ordered("levels", func(i int) byte {
			if i%4 == 0 {
				return byte(i / 16)
			}
			return 0x80 // 0
		}), w.index, w.index)
	}
}

// ordered places 64 bytes in memory.
func ordered(name string, from func(i int) byte) Mem {
	b := make([]byte, 64)
	for i := range b {
		b[i] = from(i)
	}
	return kit.Bytes(name+"Wide", b)
}

func (w *wideSampler) lanes(row Register) Mem { return Mem{Base: row, Index: w.i, Scale: 4} }

func (w *wideSampler) store(texels VecVirtual) { VMOVDQU32(texels, w.lanes(w.out)) }

// param returns a parameter of each lane.
func (w *wideSampler) param(off int) VecVirtual {
	if !w.levels {
		if y, ok := w.fixed[off]; ok {
			return y
		}
		return kit.In(ZMM(), VPBROADCASTD, Mem{Base: w.p, Disp: off})
	}
	y := kit.In(ZMM(), VBROADCASTI64X4, Mem{Base: w.p, Disp: off})
	VPERMD(y, w.index, y)
	return y
}

// scaled is a coordinate in 1/256 of a texel.
func (w *wideSampler) scaled(src Register, size int) VecVirtual {
	y := kit.In(ZMM(), VMULPS, w.lanes(src), w.param(size))
	if w.levels {
		VMULPS_BCST(dwordsMem(float256), y, y)
	}
	return y
}

// position is texelPosition.
func (w *wideSampler) position(src Register, size int) VecVirtual {
	y := w.scaled(src, size)
	VMAXPS_BCST(dwordsMem(0xCE000000), y, y) // -2^29, for NaN too
	VMINPS_BCST(dwordsMem(0x4E000000), y, y)
	VCVTPS2DQ(y, y) // to nearest, ties to even
	return y
}

// absoluteLeast makes VRANGEPS keep the sign and limit the absolute value.
const absoluteLeast = 2

// Predicates of VPCMPD and VPCMPUD.
const (
	lessEqual = 2
	atLeast   = 5 // not less
	isGreater = 6 // not less or equal
)

// wrap applies the wrap mode to indices. inside, for textures with a border, has the lanes that read a texel.
func (w *wideSampler) wrap(c coordinate, y VecVirtual) (inside Register) {
	if w.border {
		inside = kit.In(K(), VPCMPD, Imm(atLeast), w.param(c.low), y)
		VPCMPD(Imm(lessEqual), w.param(c.high), y, inside, inside)
		VPMINSD(w.param(c.top), y, y)
	}
	VPANDD(w.param(c.mask), y, y)
	if w.modes != wrapEdge {
		t := kit.In(ZMM(), VPXORD, w.param(c.flip), y)
		VPMINSD(t, y, y)
	}
	VPMAXSD(w.zero, y, y)
	VPMINSD(w.param(c.max), y, y)
	return inside
}

// row converts an index to the offset of its row of texels.
func (w *wideSampler) row(y VecVirtual) {
	VPMADDWD(w.param(offStride), y, y) // both below 2^15
	VPADDD(w.param(offOffset), y, y)
}

// gather reads the texels at an index, or of textures with a border only those of the lanes inside.
func (w *wideSampler) gather(idx VecVirtual, inside Register) VecVirtual {
	t, lanes := ZMM(), K()
	if w.border {
		VPBROADCASTD(w.borderColor.AsX(), t) // kept where nothing is gathered
		KMOVW(inside, lanes)
	} else {
		VMOVDQA32(w.zero, t)
		KMOVW(w.all, lanes)
	}
	VPGATHERDD(Mem{Base: w.texels, Index: idx, Scale: 4}, lanes, t)
	return t
}

// nearest fetches the texels at 16 positions.
func (w *wideSampler) nearest() {
	whole := w.position
	if w.modes == wrapBorder {
		whole = func(src Register, size int) VecVirtual { // see sampler.whole
			y := w.scaled(src, size)
			VCVTPS2DQ(y, y)
			return y
		}
	}
	x, y := whole(w.u, offWidth), whole(w.v, offHeight)
	w.boundaries(x, y)
	VPSRAD(Imm(8), x, x)
	VPSRAD(Imm(8), y, y)
	var inside Register
	if w.modes == wrapBorder {
		inside = kit.In(K(), VPCMPUD, Imm(lessEqual), w.param(offMaxS), x)
		VPCMPUD(Imm(lessEqual), w.param(offMaxT), y, inside, inside)
	} else {
		inX, inY := w.wrap(alongS, x), w.wrap(alongT, y)
		if w.border {
			KANDW(inX, inY, inX)
			inside = inX
		}
	}
	w.row(y)
	VPADDD(y, x, x)
	w.store(w.gather(x, inside))
}

// boundaries is sampler.boundaries.
func (w *wideSampler) boundaries(x, y VecVirtual) {
	on := kit.In(K(), VPTESTNMD_BCST, dwordsMem(255), x)
	other := kit.In(K(), VPTESTNMD_BCST, dwordsMem(255), y)
	KORTESTW(on, other)
	JEQ(LabelRef("withinWide"))
	flip := ZMM()
	VPBROADCASTQ(w.flip.AsX(), flip)
	for _, c := range []struct {
		p    VecVirtual
		src  Register
		size int
	}{{x, w.u, offWidth}, {y, w.v, offHeight}} {
		p := c.p
		if w.modes == wrapBorder {
			VMOVDQA32(w.position(c.src, c.size), p)
		}
		corner, along, up, level := ZMM(), ZMM(), ZMM(), K()
		VPSHUFD(Imm(0x00), p, corner)
		VPSHUFD(Imm(0x55), p, along)
		VPSHUFD(Imm(0xAA), p, up)
		VPSUBD(up, corner, up)
		VPXORD(flip, up, up)
		VPSUBD(flip, up, up)
		VPCMPEQD(corner, along, level)
		VPSUBD(corner, along, along)
		VMOVDQA32(up, level, along)
		VPSRAD(Imm(31), along, along)
		VPADDD(along, p, p)
	}
	Label("withinWide")
}

// texelsAt is sampler.texelsAt, with the share as lerp needs it.
func (w *wideSampler) texelsAt(y VecVirtual, c coordinate) (y1, share VecVirtual, in, in1 Register) {
	y1, share = ZMM(), ZMM()
	VPSUBD_BCST(dwordsMem(128), y, y)
	w.shares(y, share)
	VPSRAD(Imm(8), y, y)
	VPADDD_BCST(dwordsMem(1), y, y1)
	return y1, share, w.wrap(c, y), w.wrap(c, y1)
}

// fourTexels mixes the four texels around each position, each by a gather of its own.
func (w *wideSampler) fourTexels() VecVirtual {
	x, y := w.position(w.u, offWidth), w.position(w.v, offHeight)
	x1, a, inX, inX1 := w.texelsAt(x, alongS)
	y1, b, inY, inY1 := w.texelsAt(y, alongT)
	w.row(y)
	w.row(y1)
	at := func(row, column VecVirtual, inRow, inColumn Register) VecVirtual {
		idx := kit.In(ZMM(), VPADDD, row, column)
		if !w.border {
			return w.gather(idx, nil)
		}
		inside := kit.In(K(), KANDW, inRow, inColumn)
		return w.gather(idx, inside)
	}
	t := [4]VecVirtual{at(y, x, inY, inX), at(y, x1, inY, inX1), at(y1, x, inY1, inX), at(y1, x1, inY1, inX1)}
	return w.bilerp(t, a, b)
}

// bilinear is the loop of the linear filter without a border. A row's two texels are neighbours but at seams.
func (w *wideSampler) bilinear() {
	rowBelow := w.texels
	if !w.levels {
		stride := GP64()
		MOVL(Mem{Base: w.p, Disp: offStride}, stride.As32())
		rowBelow = kit.In(GP64(), LEAQ, Mem{Base: w.texels, Index: stride, Scale: 4})
	}
	if w.cells {
		w.loadCells()
	}
	n, i := Load(Param("n"), GP64()), GP64()
	XORQ(i, i)
	Label("loopWide")
	w.at(i)
	x, a, apart := w.beside(w.u, offWidth, alongS)
	y, b, apartY := w.beside(w.v, offHeight, alongT)
	KORTESTW(apart, apartY)
	JNE(LabelRef("apartWide"))
	w.row(y)
	VPADDD(y, x, x)
	if w.cells {
		w.store(w.mixCells(x, a, b))
	} else {
		high := kit.In(YMM(), VEXTRACTI64X4, Imm(1), x)
		top := w.pairs(w.texels, x.AsY(), high)
		if w.levels {
			VPADDD(w.param(offStride), x, x)
			VEXTRACTI64X4(Imm(1), x, high)
		}
		bottom := w.pairs(rowBelow, x.AsY(), high)
		w.store(w.bilerp([4]VecVirtual{top[0], top[1], bottom[0], bottom[1]}, a, b))
	}
	Label("nextWide")
	ADDQ(Imm(16), i)
	CMPQ(i, n)
	JLT(LabelRef("loopWide"))
	kit.Leave()

	Label("apartWide")
	w.at(i)
	w.store(w.fourTexels())
	JMP(LabelRef("nextWide"))
}

// cells makes the kernel that computes cells.
func cells() {
	kit.Text("cellsVector", "func(out, row, below *uint32, shift uint64, n int)",
		"makes n cells of a row, a multiple of 16, from two rows, of which it reads one texel more. shift is the place of the value in a texel, in bits. It needs AVX-512.")
	out, row, below := Load(Param("out"), GP64()), Load(Param("row"), GP64()), Load(Param("below"), GP64())
	g, shift := Load(Param("shift"), GP64()), XMM()
	VMOVQ(g, shift)
	n := Load(Param("n"), GP64())
	low := kit.In(ZMM(), VPBROADCASTD, dwordsMem(0xFF))
	Label("loopWide")
	cell := ZMM()
	for k, m := range []Mem{{Base: row}, {Base: row, Disp: 4}, {Base: below}, {Base: below, Disp: 4}} {
		v := cell
		if k > 0 {
			v = ZMM()
		}
		VMOVDQU32(m, v)
		VPSRLD(shift, v, v)
		VPANDD(low, v, v)
		if k > 0 {
			VPSLLD(Imm(uint64(8*k)), v, v)
			VPORD(v, cell, cell)
		}
	}
	VMOVDQU32(cell, Mem{Base: out})
	for _, p := range []Register{out, row, below} {
		ADDQ(Imm(64), p)
	}
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loopWide"))
	kit.Leave()
}

// loadCells prepares mixCells.
func (w *wideSampler) loadCells() {
	w.cellsAt = Load(Param("cells"), GP64())
	alpha := Load(Param("alpha"), GP64())
	form := func(name string, value func(channel int) bool, whole uint32) {
		VMOVDQU32(ordered(name, func(i int) byte {
			if value(i % 4) {
				return byte(i % 16 &^ 3)
			}
			return 0x80 // 0
		}), w.spread)
		VPBROADCASTD(dwordsMem(whole), w.whole)
	}
	w.spread, w.whole = ZMM(), ZMM()
	form("grey", func(channel int) bool { return channel < 3 }, 0xFF000000)
	TESTQ(alpha, alpha)
	JEQ(LabelRef("greyWide"))
	form("alpha", func(channel int) bool { return channel == 3 }, 0)
	Label("greyWide")
}

// mixCells mixes the four values of the cells at 16 indices, with shares for lerp: left with right, then above with below.
func (w *wideSampler) mixCells(idx, a, b VecVirtual) VecVirtual {
	right, below, lanes := ZMM(), ZMM(), K()
	left := kit.In(ZMM(), VMOVDQA32, w.zero) // a gather depends on its destination
	KMOVW(w.all, lanes)                      // and clears its mask
	VPGATHERDD(Mem{Base: w.cellsAt, Index: idx, Scale: 4}, lanes, left)
	VPSRLW(Imm(8), left, right)
	VPANDD(w.fill(0x00FF00FF), left, left)
	lerp(left, right, a)
	VPSRLD(Imm(16), left, below)
	lerp(left, below, b)
	VPSHUFB(w.spread, left, left)
	VPORD(w.whole, left, left)
	return left
}

// beside returns the first of the two texels beside a position, in memory order, and the share of the second for lerp. apart has
// the lanes where they are no neighbours: where a texture repeats, ends or mirrors.
func (w *wideSampler) beside(src Register, size int, c coordinate) (first, share VecVirtual, apart Register) {
	first, share, apart = w.scaled(src, size), ZMM(), K()
	// NaN becomes either bound, where position has the lower one. Both wrap to the same texels or to no neighbours.
	VRANGEPS_BCST(Imm(absoluteLeast), dwordsMem(0x4E000000), first, first)
	VCVTPS2DQ(first, first)
	VPSUBD_BCST(dwordsMem(128), first, first)
	whole := K()
	if w.modes == wrapEdge {
		w.shares(first, share)
		VPSRAD(Imm(8), first, first)
		VPANDD(w.param(c.mask), first, first)
	} else {
		fraction, turned, back := ZMM(), ZMM(), K()
		VMOVDQA32(first, fraction)
		VPSRAD(Imm(8), first, first)
		VPANDD(w.param(c.mask), first, first)
		VPXORD(w.param(c.flip), first, turned)
		VPCMPD(Imm(isGreater), turned, first, back)
		VPMINSD(turned, first, first)
		VPSUBD_BCST(dwordsMem(1), first, back, first) // the second texel comes first
		// The share becomes 256 minus itself. 256 does not fit lerp's operand, so such lanes count as apart.
		VPTESTNMD_BCST(dwordsMem(255), fraction, back, whole)
		VPSUBD(fraction, w.zero, back, fraction)
		w.shares(fraction, share)
	}
	VPCMPUD(Imm(atLeast), w.param(c.max), first, apart) // negative ones too
	if w.modes != wrapEdge {
		KORW(whole, apart, apart)
	}
	return first, share, apart
}

// shares converts the low bytes of 16 numbers, in 1/256, for lerp: the same in both words.
func (w *wideSampler) shares(fraction, share VecVirtual) {
	VPSHUFB(ordered("shares", func(i int) byte { // 256 times
		if i%2 == 1 {
			return byte(i % 16 &^ 3)
		}
		return 0x80 // 0
	}), fraction, share)
	VPSRLW(Imm(1), share, share)
}

// fill fills a register with a constant.
func (w *wideSampler) fill(v uint32) VecVirtual {
	return kit.In(ZMM(), VPBROADCASTD, dwordsMem(v))
}

// pairs reads the texels at 16 indices, and those after them.
func (w *wideSampler) pairs(texels, low, high Register) (out [2]VecVirtual) {
	var eight [2]VecVirtual
	for half, indices := range []Register{low, high} {
		t := kit.In(ZMM(), VMOVDQA32, w.zero) // a gather depends on its destination
		lanes := kit.In(K(), KMOVW, w.all)    // and clears its mask
		VPGATHERDQ(Mem{Base: texels, Index: indices, Scale: 4}, lanes, t)
		eight[half] = t
	}
	for which := range out {
		order := make([]uint32, 16)
		for i := range order {
			order[i] = uint32(2*i + which)
		}
		out[which] = kit.In(ZMM(), VMOVDQU32, kit.Dwords(fmt.Sprint("everySecond", which), order...))
		VPERMI2D(eight[1], eight[0], out[which])
	}
	return out
}

// bilerp is bilerp of 16 lanes, with shares for lerp: it mixes red and blue in the low bytes of words, green and alpha in their high bytes.
func (w *wideSampler) bilerp(t [4]VecVirtual, a, b VecVirtual) VecVirtual {
	low := w.fill(0x00FF00FF)
	var odd [4]VecVirtual
	for i, x := range t {
		odd[i] = kit.In(ZMM(), VPSRLW, Imm(8), x)
		VPANDD(low, x, x)
	}
	for _, x := range [][4]VecVirtual{t, odd} {
		lerp(x[0], x[1], a)
		lerp(x[2], x[3], a)
		lerp(x[0], x[2], b)
	}
	VPSLLW(Imm(8), odd[0], odd[0])
	VPORD(odd[0], t[0], t[0])
	return t[0]
}
