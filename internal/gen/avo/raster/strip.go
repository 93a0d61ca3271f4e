package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Offsets in the struct strip of package raster.
const (
	stripC           = 0
	stripStepY       = 24
	stripDiv         = 48
	stripFactorFirst = 72
	stripOffsetFirst = 80
	stripFactorLast  = 88
	stripOffsetLast  = 96
	stripLow         = 104
	stripHigh        = 112
	stripY0          = 120
	stripY1          = 124
	stripRow         = 128
	stripFrom        = 132
	stripCount       = 136
	stripNext        = 140
	stripN           = 144
	stripV           = 148
	stripTriangle    = 160
	stripRule        = 164
	stripMasks       = 176
)

// strip makes the masks of a row of blocks: first and last pixel of its four rows by division in float64, which is exact here, then
// the pixels between them for each block.
func strip() {
	kit.Text("stripVector", "func(s *float64, masks *uint16)", "makes the masks of the blocks of a strip: s is the first number of struct strip.")
	s := Load(Param("s"), GP64())
	masks := Load(Param("masks"), GP64())
	all := func(disp int) VecVirtual {
		return kit.In(YMM(), VBROADCASTSD, Mem{Base: s, Disp: disp})
	}
	row, rows := XMM(), YMM()
	VPBROADCASTD(Mem{Base: s, Disp: stripRow}, row)
	VPADDD(kit.Dwords("fourRows", 0, 1, 2, 3), row, row)
	VCVTDQ2PD(row, rows)
	var q [3]VecVirtual
	for e := range q {
		num := all(stripStepY + 8*e)
		VMULPD(rows, num, num)
		VADDPD(all(stripC+8*e), num, num)
		VDIVPD(all(stripDiv+8*e), num, num)
		VROUNDPD(Imm(1), num, num)
		q[e] = num
	}
	low, high, one := all(stripLow), all(stripHigh), YMM()
	VBROADCASTSD(oneDouble(), one)
	third := func(factor, offset int) VecVirtual {
		y := all(factor)
		VMULPD(q[2], y, y)
		VADDPD(all(offset), y, y)
		return y
	}
	first, last := YMM(), YMM()
	VXORPD(first, first, first)
	VSUBPD(q[0], first, first)
	VMAXPD(low, first, first)
	VMAXPD(third(stripFactorFirst, stripOffsetFirst), first, first)
	VMINPD(high, q[1], last)
	VMINPD(third(stripFactorLast, stripOffsetLast), last, last)
	VADDPD(one, high, high)
	VMINPD(high, first, first)
	VSUBPD(one, low, low)
	VMAXPD(low, last, last)
	f := kit.In(XMM(), VCVTTPD2DQY, first)
	l := kit.In(XMM(), VCVTTPD2DQY, last)

	// Rows outside the target have no pixels.
	bad, above := XMM(), XMM()
	VPBROADCASTD(Mem{Base: s, Disp: stripY0}, bad)
	VPCMPGTD(row, bad, bad)
	VPBROADCASTD(Mem{Base: s, Disp: stripY1}, above)
	VPCMPGTD(above, row, above)
	VPOR(above, bad, bad)
	VPOR(bad, l, l)
	VPSRLD(Imm(1), bad, bad)
	VPOR(bad, f, f)

	// The blocks from the first pixel of all rows to the last.
	bound := func(x VecVirtual, f func(a, b, out Op)) Register {
		a, b, g := XMM(), XMM(), GP32()
		VPSHUFD(Imm(0b01_00_11_10), x, a)
		f(a, x, a)
		VPSHUFD(Imm(0b10_11_00_01), a, b)
		f(a, b, a)
		VMOVD(a, g)
		return g
	}
	from := bound(f, func(a, b, out Op) { VPMINSD(a, b, out) })
	count := bound(l, func(a, b, out Op) { VPMAXSD(a, b, out) })
	ANDL(I8(-4), from)
	SUBL(from, count)
	SARL(Imm(2), count)
	INCL(count)
	MOVL(from, Mem{Base: s, Disp: stripFrom})
	MOVL(count, Mem{Base: s, Disp: stripCount})
	TESTL(count, count)
	JLE(LabelRef("none"))

	// For each lane, the columns of the block between first and last.
	lanes, columns := make([]byte, 32), make([]byte, 32)
	for i := range 16 {
		y := i>>1&1 | i>>3&1<<1
		x := i&1 | i>>2&1<<1
		lanes[2*i], lanes[2*i+1] = byte(2*y), byte(2*y+1)
		columns[2*i] = byte(x)
	}
	spread := func(x VecVirtual) VecVirtual {
		y := YMM()
		VPACKSSDW(x, x, x)
		VPBROADCASTQ(x, y)
		VPSHUFB(kit.Bytes("rowOfLane", lanes), y, y)
		VPSUBW(kit.Bytes("columnOfLane", columns), y, y)
		return y
	}
	lf, ll := spread(f), spread(l)
	x, x4, step := YMM(), YMM(), YMM()
	VMOVD(from, x.AsX())
	VPBROADCASTW(x.AsX(), x)
	VPADDW(kit.Repeat("words", 2, 4), x, x4)
	VMOVDQU(kit.Repeat("words", 2, 8), step)
	Label("blocks")
	var out [2]VecVirtual
	for k, at := range []VecVirtual{x, x4} {
		a := kit.In(YMM(), VPCMPGTW, at, lf)
		b := kit.In(YMM(), VPCMPGTW, ll, at)
		VPOR(a, b, b)
		out[k] = b
	}
	VPACKSSWB(out[1], out[0], out[0])
	VPERMQ(Imm(0xD8), out[0], out[0])
	bits := kit.In(GP32(), VPMOVMSKB, out[0])
	NOTL(bits)
	MOVL(bits, Mem{Base: masks})
	VPADDW(step, x, x)
	VPADDW(step, x4, x4)
	ADDQ(Imm(4), masks)
	SUBL(Imm(2), count)
	JG(LabelRef("blocks"))
	Label("none")
	kit.Leave()
}

func oneDouble() Mem { return kit.Dwords("oneDouble", 0, 0x3FF00000) }

// blocks makes the kernel that adds the blocks of a strip to a batch, with a format's early depth test or without.
func blocks(f *depthFormat) {
	name, more := "blocksVector", ""
	if f != nil {
		name, more = "blocks"+f.name+"Vector", ", buffer *byte"
	}
	kit.Text(name, "func(s, basis *float64, block *int32, mask *uint16, w0 *float32"+more+")",
		"takes blocks of a strip to a batch: s is the first number of struct strip, basis that of gradients, block, mask and w0 those of the batch.")
	kit.BothWays(func() {
		s := Load(Param("s"), GP64())
		g := Load(Param("basis"), GP64())
		block := Load(Param("block"), GP64())
		alive := Load(Param("mask"), GP64())
		planes := Load(Param("w0"), GP64())
		var buffer Register
		if f != nil {
			buffer = Load(Param("buffer"), GP64())
		}
		n := kit.In(GP64(), MOVLQSX, Mem{Base: s, Disp: stripN})
		i := kit.In(GP64(), MOVLQSX, Mem{Base: s, Disp: stripNext})
		end := kit.In(GP32(), MOVL, Mem{Base: s, Disp: stripCount})
		{ // to the first free place
			t := GP64()
			LEAQ(Mem{Base: alive, Index: n, Scale: 2}, alive)
			LEAQ(Mem{Base: n, Index: n, Scale: 2}, t)
			LEAQ(Mem{Base: block, Index: t, Scale: 8}, block)
			MOVQ(n, t)
			SHLQ(Imm(6), t)
			ADDQ(t, planes)
		}
		c := constantsOf(g)
		column, now, step := GP32(), VecVirtual(nil), XMM()
		{ // the edge functions one block before
			MOVL(Mem{Base: s, Disp: stripFrom}, column)
			LEAL(Mem{Base: column, Index: i, Scale: 4, Disp: -4}, column)
			now = edgesAt(g, place(column), place(Mem{Base: s, Disp: stripRow}))
			VCVTPD2DQY(Mem{Base: g, Disp: basisStepX}, step)
			VPSLLD(Imm(2), step, step)
			step = repeat(step)
		}

		next, done := kit.Name("block"), kit.Name("done")
		lanes := lanesOf(Mem{Base: g, Disp: gradientsLanes})
		Label(next)
		CMPL(i.As32(), end)
		JGE(LabelRef(done))
		mask := kit.In(GP32(), MOVWLZX, Mem{Base: s, Index: i, Scale: 2, Disp: stripMasks})
		INCQ(i)
		ADDL(Imm(4), column)
		VPADDD(step, now, now)
		TESTL(mask, mask)
		JZ(LabelRef(next))

		e := numbers(now, lanes)
		depth := depthOf(c, e)
		if f != nil {
			// The block's position in its row of tiles.
			at, odd := GP64(), GP64()
			MOVL(column, at.As32())
			MOVL(column, odd.As32())
			ANDL(I8(-8), at.As32())
			ANDL(Imm(4), odd.As32())
			SHLQ(Imm(3), at)
			LEAQ(Mem{Base: at, Index: odd, Scale: 4}, at)
			rule := func(n int) Op { return Mem{Base: s, Disp: stripRule + 4*n} }
			testEarly(f, at, buffer, depth, mask, [3]Op{rule(0), rule(1), rule(2)})
			JZ(LabelRef(next))
		}
		w := weigh(c, e)
		for i, p := range [...]pixels{w[0], w[1], w[2], depth} {
			for k, v := range p {
				VMOVUPS(v, Mem{Base: planes, Disp: planeSize*i + 32*k})
			}
		}
		MOVW(mask.As16(), Mem{Base: alive})
		MOVL(column, Mem{Base: block})
		row, ids := GP32(), XMM()
		MOVL(Mem{Base: s, Disp: stripRow}, row)
		MOVL(row, Mem{Base: block, Disp: 4})
		VMOVDQU(Mem{Base: s, Disp: stripV}, ids)
		VMOVDQU(ids, Mem{Base: block, Disp: 8})
		ADDQ(Imm(2), alive)
		ADDQ(Imm(24), block)
		ADDQ(Imm(64), planes)
		INCQ(n)
		CMPQ(n, Imm(16))
		JLT(LabelRef(next))
		Label(done)
		MOVL(n.As32(), Mem{Base: s, Disp: stripN})
		MOVL(i.As32(), Mem{Base: s, Disp: stripNext})
		kit.Leave()
	})
}

// testEarly removes the pixels from mask that fail the early depth test. at is the block's index in the depth buffer, in pixels,
// and becomes its address. rule is the masks for less and equal, and the inversion of the result.
func testEarly(f *depthFormat, at GPVirtual, buffer Register, depth pixels, mask Register, rule [3]Op) {
	switch f.bytes {
	case 16:
		SHLQ(Imm(1), at)
	case 24:
		LEAQ(Mem{Base: at, Index: at, Scale: 2}, at)
	case 32:
		SHLQ(Imm(2), at)
	}
	ADDQ(buffer, at)
	less, equal := compareDepths(f.words(depth), f.loadBlock(at))
	ANDL(rule[0], less)
	ANDL(rule[1], equal)
	ORL(equal, less)
	XORL(rule[2], less)
	ANDL(less, mask)
}

// compareDepths returns a bit for each pixel whose depth is less than the old one, and for each that is equal to it.
func compareDepths(z, old pixels) (less, equal GPVirtual) {
	if kit.Wide {
		return bitsOf(func(k Register) { VPCMPGTD(z[0], old[0], k) }), bitsOf(func(k Register) { VPCMPEQD(z[0], old[0], k) })
	}
	var l, e pixels
	for k := range z {
		l, e = append(l, YMM()), append(e, YMM())
		VPCMPGTD(z[k], old[k], l[k])
		VPCMPEQD(z[k], old[k], e[k])
	}
	return signs(l), signs(e)
}

// bitsOf returns a mask register that f sets.
func bitsOf(f func(k Register)) GPVirtual {
	k, g := K(), GP32()
	f(k)
	KMOVW(k, g)
	return g
}

// signs returns the sign bits of a block's pixels.
func signs(p pixels) GPVirtual {
	if kit.Wide {
		return bitsOf(func(k Register) { VPMOVD2M(p[0], k) })
	}
	low := kit.In(GP32(), VMOVMSKPS, p[0])
	high := kit.In(GP32(), VMOVMSKPS, p[1])
	SHLL(Imm(8), high)
	ORL(high, low)
	return low
}
