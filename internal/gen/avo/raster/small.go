package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Offsets in the structs fours and prepared of package raster.
const (
	foursScale   = 0
	foursOffset  = 8
	foursInvert  = 16
	foursTop     = 20
	foursSecond  = 24
	foursThird   = 28
	foursFlip    = 32
	foursNumbers = 40
	foursEdges   = 56
	foursZ       = foursEdges + 3*4*32
	foursW       = foursZ + 3*16
	foursTri     = foursW + 3*16

	smallMinX = basisSize
	smallID   = smallMinX + 16
	smallSize = smallID + 16
)

// Offsets of an edge's numbers in fours.
const (
	edgeStepX = 32 * iota
	edgeStepY
	edgeC
	edgeBias
	edgeSize
)

// doubles fills a register with a float64, given by the upper half of its bits.
func doubles(name string, high uint32) VecVirtual {
	return kit.In(YMM(), VBROADCASTSD, kit.Dwords(name, 0, high))
}

// setup sets up four triangles, one per lane.
func setup() {
	kit.Text("setupVector", "func(f *float64, vertices *int32, triangles *uint32)",
		"sets four triangles up: f is the first number of struct fours, vertices and triangles those of the queue.")
	f, vertices, triangles := Load(Param("f"), GP64()), Load(Param("vertices"), GP64()), Load(Param("triangles"), GP64())
	at := func(disp int) Mem { return Mem{Base: f, Disp: disp} }
	all := func(disp int) VecVirtual {
		return kit.In(YMM(), VBROADCASTSD, at(disp))
	}

	// The triangles' indices, in the order of the weights.
	second := kit.In(GP64(), MOVLQSX, at(foursSecond))
	third := kit.In(GP64(), MOVLQSX, at(foursThird))
	var x, y, z, w [3]VecVirtual
	for v := range 3 {
		x[v], y[v], z[v], w[v] = XMM(), XMM(), XMM(), XMM()
		var row [4]VecVirtual
		for k := range row {
			i := GP64()
			MOVL(at(foursNumbers+4*k), i.As32())
			LEAQ(Mem{Base: i, Index: i, Scale: 2}, i)
			switch v {
			case 0:
				MOVL(Mem{Base: triangles, Index: i, Scale: 4}, i.As32())
			case 1:
				LEAQ(Mem{Base: triangles, Index: i, Scale: 4}, i)
				MOVL(Mem{Base: i, Index: second, Scale: 1}, i.As32())
			case 2:
				LEAQ(Mem{Base: triangles, Index: i, Scale: 4}, i)
				MOVL(Mem{Base: i, Index: third, Scale: 1}, i.As32())
			}
			MOVL(i.As32(), at(foursTri+smallSize*k+smallID+4*v))
			SHLQ(Imm(4), i)
			row[k] = kit.In(XMM(), VMOVUPS, Mem{Base: vertices, Index: i, Scale: 1})
		}
		transpose4(row, [4]VecVirtual{x[v], y[v], z[v], w[v]})
		invert := kit.In(XMM(), VPBROADCASTD, at(foursInvert))
		top := kit.In(XMM(), VPBROADCASTD, at(foursTop))
		VMOVUPS(z[v], at(foursZ+16*v))
		VMOVUPS(w[v], at(foursW+16*v))
		VPXOR(invert, y[v], y[v])
		VPSUBD(invert, y[v], y[v])
		VPADDD(top, y[v], y[v])
	}

	// The range of pixels whose centres can be inside.
	bounds := func(c [3]VecVirtual) (lo, hi VecVirtual) {
		lo, hi = XMM(), XMM()
		VPMINSD(c[1], c[0], lo)
		VPMINSD(c[2], lo, lo)
		VPADDD(dwords(7), lo, lo)
		VPSRAD(Imm(4), lo, lo)
		VPMAXSD(c[1], c[0], hi)
		VPMAXSD(c[2], hi, hi)
		VPSUBD(dwords(8), hi, hi)
		VPSRAD(Imm(4), hi, hi)
		return lo, hi
	}
	minX, maxX := bounds(x)
	minY, maxY := bounds(y)
	box := [4]VecVirtual{XMM(), XMM(), XMM(), XMM()}
	transpose4([4]VecVirtual{minX, maxX, minY, maxY}, box)
	for k := range box {
		VMOVUPS(box[k], at(foursTri+smallSize*k+smallMinX))
	}

	// The edges as integers.
	var dx, dy [3]VecVirtual
	for v := range 3 {
		dx[v], dy[v] = YMM(), YMM()
		VCVTDQ2PD(x[v], dx[v])
		VCVTDQ2PD(y[v], dy[v])
	}
	for i := range 3 {
		p, q := (i+1)%3, (i+2)%3
		a, b, c, t := YMM(), YMM(), YMM(), YMM()
		VSUBPD(dy[q], dy[p], a)
		VSUBPD(dx[p], dx[q], b)
		VADDPD(a, b, c)
		VMULPD(doubles("double8", 0x40200000), c, c)
		VMULPD(dx[p], a, t)
		VSUBPD(t, c, c)
		VMULPD(dy[p], b, t)
		VSUBPD(t, c, c)
		// The bias is 1 where the edge does not own its pixels.
		zero, m, n := YMM(), YMM(), YMM()
		VXORPD(zero, zero, zero)
		VCMPPD(Imm(0x1E), zero, b, m) // b > 0
		VXORPD(all(foursFlip), m, m)
		VCMPPD(Imm(0x00), zero, a, n) // a = 0
		VANDPD(n, m, m)
		VCMPPD(Imm(0x11), zero, a, n) // a < 0
		VORPD(n, m, m)
		VANDPD(doubles("oneDouble", 0x3FF00000), m, m)
		VMOVUPD(m, at(foursEdges+edgeSize*i+edgeBias))
		size := doubles("double16", 0x40300000)
		VMULPD(size, a, a)
		VMULPD(size, b, b)
		VMOVUPD(a, at(foursEdges+edgeSize*i+edgeStepX))
		VMOVUPD(b, at(foursEdges+edgeSize*i+edgeStepY))
		VMOVUPD(c, at(foursEdges+edgeSize*i+edgeC))
	}

	edge := func(i, number int) Mem { return at(foursEdges + edgeSize*i + number) }
	load := func(i, number int) VecVirtual {
		return kit.In(YMM(), VMOVUPD, edge(i, number))
	}
	// Depth, as gradients.setup does it.
	area := load(0, edgeC)
	VADDPD(edge(1, edgeC), area, area)
	VADDPD(edge(2, edgeC), area, area)
	inv := kit.In(YMM(), VMOVAPD, doubles("oneDouble", 0x3FF00000))
	VDIVPD(area, inv, inv)
	var zd, slope [3]VecVirtual
	for v := range zd {
		zd[v] = kit.In(YMM(), VCVTPS2PD, at(foursZ+16*v))
	}
	from, first := YMM(), XMM()
	VCMPPD(Imm(0), zd[2], zd[1], from)
	VBLENDVPD(from, zd[1], zd[0], from)
	for v := range zd {
		slope[v] = XMM()
		VSUBPD(from, zd[v], zd[v])
		VMULPD(inv, zd[v], zd[v])
		VMULPD(all(foursScale), zd[v], zd[v])
		VCVTPD2PSY(zd[v], slope[v])
	}
	VMULPD(all(foursScale), from, from)
	VADDPD(all(foursOffset), from, from)
	VCVTPD2PSY(from, first)

	// Transposes the values of the four triangles to one struct each.
	words := func(disp int, row [4]VecVirtual) {
		out := [4]VecVirtual{XMM(), XMM(), XMM(), XMM()}
		transpose4(row, out)
		for k := range out {
			VMOVUPS(out[k], at(foursTri+smallSize*k+disp))
		}
	}
	words(basisDepth, [4]VecVirtual{slope[0], slope[1], slope[2], slope[2]})
	invW := [4]VecVirtual{XMM(), XMM(), XMM(), first}
	var bias [4]VecVirtual
	for v := range 3 {
		VMOVUPS(at(foursW+16*v), invW[v])
		bias[v] = kit.In(XMM(), VCVTPD2DQY, edge(v, edgeBias))
	}
	bias[3] = bias[2]
	words(basisInvW, invW)
	words(basisBias, bias)
	for i, number := range []int{edgeC, edgeStepX, edgeStepY} {
		e0 := load(0, number)
		e1 := load(1, number)
		e2 := load(2, number)
		out := transposeDoubles([4]VecVirtual{e0, e1, e2, e2})
		for k := range out {
			VMOVUPD(out[k], at(foursTri+smallSize*k+basisC+32*i))
		}
	}
	kit.Leave()
}

// transpose4 transposes four rows of four 32-bit numbers.
func transpose4(row, out [4]VecVirtual) {
	a := kit.In(XMM(), VUNPCKLPS, row[1], row[0])
	b := kit.In(XMM(), VUNPCKHPS, row[1], row[0])
	c := kit.In(XMM(), VUNPCKLPS, row[3], row[2])
	d := kit.In(XMM(), VUNPCKHPS, row[3], row[2])
	VMOVLHPS(c, a, out[0])
	VMOVHLPS(a, c, out[1])
	VMOVLHPS(d, b, out[2])
	VMOVHLPS(b, d, out[3])
}

// transposeDoubles transposes four rows of four 64-bit numbers.
func transposeDoubles(row [4]VecVirtual) (out [4]VecVirtual) {
	a := kit.In(YMM(), VUNPCKLPD, row[1], row[0])
	b := kit.In(YMM(), VUNPCKHPD, row[1], row[0])
	c := kit.In(YMM(), VUNPCKLPD, row[3], row[2])
	d := kit.In(YMM(), VUNPCKHPD, row[3], row[2])
	for k := range out {
		out[k] = YMM()
	}
	VPERM2F128(Imm(0x20), c, a, out[0])
	VPERM2F128(Imm(0x20), d, b, out[1])
	VPERM2F128(Imm(0x31), c, a, out[2])
	VPERM2F128(Imm(0x31), d, b, out[3])
	return out
}

// Offsets in the struct quadRun of package raster.
const (
	quadX     = 0
	quadY     = 4
	quadX0    = 8
	quadX1    = 12
	quadY1    = 16
	quadN     = 20
	quadFull  = 24
	quadFace  = 28
	quadWidth = 32
	quadEarly = 36
	quadRule  = 40
	quadLanes = 64
)

// quads makes the kernel that adds the quads of a small triangle to a packed batch, with a format's early depth test or without.
func quads(f *depthFormat, columns, rows Mem) {
	name, more := "quadsVector", ""
	if f != nil {
		name, more = "quads"+f.name+"Vector", ", buffer *byte"
	}
	kit.Text(name, "func(t *float64, s, quad *int32, face, pixels *uint8, w0 *float32"+more+")",
		"takes quads of a small triangle to a batch: t is the first number of struct prepared, s that of quadRun, quad, face and w0 those of the batch.")
	kit.BothWays(func() {
		t, s := Load(Param("t"), GP64()), Load(Param("s"), GP64())
		b := packed{Load(Param("quad"), GP64()), Load(Param("face"), GP64()), Load(Param("pixels"), GP64()), Load(Param("w0"), GP64()), GP64()}
		var buffer Register
		if f != nil {
			buffer = Load(Param("buffer"), GP64())
		}
		at := func(disp int) Mem { return Mem{Base: s, Disp: disp} }
		block, next, same, full, done := kit.Name("block"), kit.Name("next"), kit.Name("same"), kit.Name("full"), kit.Name("done")

		lanes := lanesOf(at(quadLanes))
		if x := increments(t, true, columns, rows); kit.Wide {
			for i := range lanes {
				lanes[i] = []Op{x[i][0]}
			}
		} else {
			storeLanes(x, at(quadLanes))
		}
		edges := edgesOf(t)
		c := constantsOf(t)
		x := kit.In(GP32(), MOVL, at(quadX))
		y := kit.In(GP32(), MOVL, at(quadY))
		MOVLQSX(at(quadN), b.n)
		MOVL(U32(0), at(quadFull))
		Label(block)
		now := edges(x, y)
		bias := fourNumbers(Mem{Base: t, Disp: basisBias})
		VPSUBD(bias, now, bias)
		out := edgePixels(bias, lanes, 0)
		for i := 1; i < 3; i++ {
			for k, v := range edgePixels(bias, lanes, i) {
				VORPS(v, out[k], out[k])
			}
		}
		mask := signs(out)
		XORL(U32(0xFFFF), mask)
		JZ(LabelRef(next))
		CMPQ(b.n, Imm(60))
		JG(LabelRef(full))

		e := numbers(now, lanes)
		depth := depthOf(c, e)
		if f != nil {
			// The block in its tile: (y&^7)*width + (x&^7)*8 + (x&4)*4 + (y&4)*8.
			p, q := GP64(), GP64()
			MOVL(y, p.As32())
			ANDL(I8(-8), p.As32())
			IMULL(at(quadWidth), p.As32())
			MOVL(x, q.As32())
			ANDL(I8(-8), q.As32())
			LEAQ(Mem{Base: p, Index: q, Scale: 8}, p)
			MOVL(x, q.As32())
			ANDL(Imm(4), q.As32())
			LEAQ(Mem{Base: p, Index: q, Scale: 4}, p)
			MOVL(y, q.As32())
			ANDL(Imm(4), q.As32())
			LEAQ(Mem{Base: p, Index: q, Scale: 8}, p)
			testEarly(f, p, buffer, depth, mask, [3]Op{at(quadRule), at(quadRule + 4), at(quadRule + 8)})
			JZ(LabelRef(next))
		}
		w := weigh(c, e)
		faceNumber := kit.In(GP32(), MOVL, at(quadFace))
		planes := [...]pixels{w[0], w[1], w[2], depth} // in the order of the batch
		if kit.Wide {
			b.addAtOnce(planes, mask, faceNumber, x, y)
		} else {
			b.add(planes, mask, faceNumber, x, y)
		}

		Label(next)
		ADDL(Imm(4), x)
		CMPL(x, at(quadX1))
		JLE(LabelRef(same))
		MOVL(at(quadX0), x)
		ADDL(Imm(4), y)
		Label(same)
		CMPQ(b.n, Imm(64))
		JEQ(LabelRef(full))
		CMPL(y, at(quadY1))
		JLE(LabelRef(block))
		JMP(LabelRef(done))
		Label(full)
		MOVL(U32(1), at(quadFull))
		Label(done)
		MOVL(x, at(quadX))
		MOVL(y, at(quadY))
		MOVL(b.n.As32(), at(quadN))
		kit.Leave()
	})
}

// edgesOf returns a function that makes the edge functions of the triangle at t at column x and row y, repeated.
func edgesOf(t Register) func(x, y GPVirtual) VecVirtual {
	if !kit.Wide {
		return func(x, y GPVirtual) VecVirtual { return edgesAt(t, place(x), place(y)) }
	}
	// As integers modulo 2^32: the product of column and row with the steps, which are words, and the value at the origin.
	steps, rows, origin := XMM(), XMM(), YMM()
	VCVTPD2DQY(Mem{Base: t, Disp: basisStepX}, steps)
	VCVTPD2DQY(Mem{Base: t, Disp: basisStepY}, rows)
	VPSLLD(Imm(16), rows, rows)
	VPBLENDW(Imm(0b10101010), rows, steps, steps)
	VCVTPD2QQ(Mem{Base: t, Disp: basisC}, origin)
	VPMOVQD(origin, origin.AsX())
	product, first := repeat(steps), repeat(origin)
	return func(x, y GPVirtual) VecVirtual {
		both, e := GP32(), ZMM()
		MOVL(y, both)
		SHLL(Imm(16), both)
		ORL(x, both)
		VPBROADCASTD(both, e)
		VPMADDWD(product, e, e)
		VPADDD(first, e, e)
		return e
	}
}

// packed is the arrays of a packed batch, and the number of its quads.
type packed struct {
	quad, face, pixels, planes Register
	n                          GPVirtual
}

// add adds the quads of the block at (x, y) that have pixels in mask. Each is written to the next place, which is kept only if it
// has pixels.
func (b packed) add(planes [4]pixels, mask, face, x, y GPVirtual) {
	for q := range 4 {
		to, alive := GP64(), GP32()
		MOVQ(b.n, to)
		SHLQ(Imm(4), to)
		ADDQ(b.planes, to)
		for i := range planes {
			m := Mem{Base: to, Disp: planeSize * i}
			if q%2 == 0 {
				VMOVUPS(planes[i][q/2].AsX(), m)
			} else {
				VEXTRACTF128(Imm(1), planes[i][q/2], m)
			}
		}
		MOVL(mask, alive)
		if q > 0 {
			SHRL(Imm(uint64(4*q)), alive)
		}
		ANDL(Imm(15), alive)
		MOVB(alive.As8(), Mem{Base: b.pixels, Index: b.n, Scale: 1})
		MOVB(face.As8(), Mem{Base: b.face, Index: b.n, Scale: 1})
		c := kit.In(GP32(), LEAL, Mem{Base: x, Disp: q % 2 * 2})
		MOVL(c, Mem{Base: b.quad, Index: b.n, Scale: 8})
		LEAL(Mem{Base: y, Disp: q / 2 * 2}, c)
		MOVL(c, Mem{Base: b.quad, Index: b.n, Scale: 8, Disp: 4})
		CMPL(alive, Imm(1)) // carry if 0
		SBBQ(I8(-1), b.n)
	}
}

// addAtOnce is add with AVX-512: quads with pixels move to the front of each register, and all four places are written.
func (b packed) addAtOnce(planes [4]pixels, mask, face, x, y GPVirtual) {
	// A bit for each quad with pixels, as the first of its four.
	some, lanes, g := GP32(), GP32(), GP32()
	MOVL(mask, some)
	SHRL(Imm(1), some)
	ORL(mask, some)
	MOVL(some, g)
	SHRL(Imm(2), g)
	ORL(g, some)
	ANDL(U32(0x1111), some)
	MOVL(some, lanes)
	SHLL(Imm(4), lanes)
	SUBL(some, lanes)
	front := kit.In(K(), KMOVW, lanes)
	to := kit.In(GP64(), MOVQ, b.n)
	SHLQ(Imm(4), to)
	ADDQ(b.planes, to)
	for i := range planes {
		v := ZMM()
		VCOMPRESSPS_Z(planes[i][0], front, v)
		VMOVUPS(v, Mem{Base: to, Disp: planeSize * i})
	}

	PEXTL(lanes, mask, g)
	PDEPL(fourNibbles(), g, g)
	MOVL(g, Mem{Base: b.pixels, Index: b.n, Scale: 1})
	IMUL3L(U32(0x01010101), face, g)
	MOVL(g, Mem{Base: b.face, Index: b.n, Scale: 1})

	each, at := K(), GP64()
	PEXTL(allQuads(), some, g)
	KMOVW(g, each)
	MOVL(y, at.As32())
	SHLQ(Imm(32), at)
	ORQ(x.As64(), at)
	v := kit.In(YMM(), VPBROADCASTQ, at)
	VPADDD(kit.Dwords("quadPlaces", 0, 0, 2, 0, 0, 2, 2, 2), v, v)
	VPCOMPRESSQ_Z(v, each, v)
	VMOVUPS(v, Mem{Base: b.quad, Index: b.n, Scale: 8})
	count := GP64()
	POPCNTL(some, count.As32())
	ADDQ(count, b.n)
}

func fourNibbles() Mem { return kit.Dwords("fourNibbles", 0x0F0F0F0F) }
func allQuads() Mem    { return kit.Dwords("allQuads", 0x1111) }
