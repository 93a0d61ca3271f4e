package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// Offsets in the structs fours and prepared of package raster.
const (
	foursScale   = 0
	foursOffset  = 8
	foursTurn    = 16
	foursTop     = 20
	foursSecond  = 24
	foursThird   = 28
	foursFlip    = 32
	foursNumbers = 40
	foursEdges   = 56
	foursZ       = foursEdges + 3*3*32
	foursW       = foursZ + 3*16
	foursTri     = foursW + 3*16

	smallC     = 128
	smallStepX = 160
	smallStepY = 192
	smallMinX  = 224
	smallID    = 240
	smallSize  = 256
)

// Numbers that an edge has in fours.
const (
	edgeStepX = 32 * iota
	edgeStepY
	edgeC
	edgeSize
)

// doubles fills a register with a float64, given by the upper half of its bits.
func doubles(name string, high uint32) VecVirtual {
	y := YMM()
	VBROADCASTSD(kit.Dwords(name, 0, high), y)
	return y
}

// setup sets four triangles up, one in each lane.
func setup() {
	text("setupAVX2", "sets four triangles up: f is the first number of struct fours, vertices and triangles those of the queue.", "func(f *float64, vertices *int32, triangles *uint32)")
	f, vertices, triangles := Load(Param("f"), GP64()), Load(Param("vertices"), GP64()), Load(Param("triangles"), GP64())
	at := func(disp int) Mem { return Mem{Base: f, Disp: disp} }
	all := func(disp int) VecVirtual {
		y := YMM()
		VBROADCASTSD(at(disp), y)
		return y
	}

	// The triangles' indices, in the order of the weights.
	second, third := GP64(), GP64()
	MOVLQSX(at(foursSecond), second)
	MOVLQSX(at(foursThird), third)
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
			row[k] = XMM()
			VMOVUPS(Mem{Base: vertices, Index: i, Scale: 1}, row[k])
		}
		transpose4(row, [4]VecVirtual{x[v], y[v], z[v], w[v]})
		turn, top := XMM(), XMM()
		VPBROADCASTD(at(foursTurn), turn)
		VPBROADCASTD(at(foursTop), top)
		VMOVUPS(z[v], at(foursZ+16*v))
		VMOVUPS(w[v], at(foursW+16*v))
		VPXOR(turn, y[v], y[v])
		VPSUBD(turn, y[v], y[v])
		VPADDD(top, y[v], y[v])
	}

	// The pixels whose centres can be inside.
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

	// The edges, in whole numbers.
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
		// One less where the edge owns no pixels.
		zero, m, n := YMM(), YMM(), YMM()
		VXORPD(zero, zero, zero)
		VCMPPD(Imm(0x1E), zero, b, m) // b > 0
		VXORPD(all(foursFlip), m, m)
		VCMPPD(Imm(0x00), zero, a, n) // a = 0
		VANDPD(n, m, m)
		VCMPPD(Imm(0x11), zero, a, n) // a < 0
		VORPD(n, m, m)
		VANDPD(doubles("oneDouble", 0x3FF00000), m, m)
		VSUBPD(m, c, c)
		size := doubles("double16", 0x40300000)
		VMULPD(size, a, a)
		VMULPD(size, b, b)
		VMOVUPD(a, at(foursEdges+edgeSize*i+edgeStepX))
		VMOVUPD(b, at(foursEdges+edgeSize*i+edgeStepY))
		VMOVUPD(c, at(foursEdges+edgeSize*i+edgeC))
	}

	edge := func(i, number int) Mem { return at(foursEdges + edgeSize*i + number) }
	load := func(i, number int) VecVirtual {
		y := YMM()
		VMOVUPD(edge(i, number), y)
		return y
	}
	// The slopes of depth.
	area := load(0, edgeC)
	VADDPD(edge(1, edgeC), area, area)
	VADDPD(edge(2, edgeC), area, area)
	inv := YMM()
	VMOVAPD(doubles("oneDouble", 0x3FF00000), inv)
	VDIVPD(area, inv, inv)
	z0, k1, k2 := YMM(), YMM(), YMM()
	VCVTPS2PD(at(foursZ), z0)
	for i, k := range []VecVirtual{k1, k2} {
		VCVTPS2PD(at(foursZ+16*(1+i)), k)
		VSUBPD(z0, k, k)
		VMULPD(inv, k, k)
		VMULPD(all(foursScale), k, k)
	}
	VMULPD(all(foursScale), z0, z0)
	VADDPD(all(foursOffset), z0, z0)
	var wd [3]VecVirtual
	for v := range wd {
		wd[v] = YMM()
		VCVTPS2PD(at(foursW+16*v), wd[v])
	}
	for line, number := range []int{edgeC, edgeStepX, edgeStepY} {
		// Depth.
		d, t := YMM(), YMM()
		VMULPD(edge(1, number), k1, d)
		VMULPD(edge(2, number), k2, t)
		VADDPD(t, d, d)
		if number == edgeC {
			VADDPD(d, z0, d)
		}
		// The numerators of the weights, and their sum.
		sum, p1, p2 := YMM(), YMM(), YMM()
		VMULPD(edge(0, number), wd[0], sum)
		VMULPD(edge(1, number), wd[1], p1)
		VMULPD(edge(2, number), wd[2], p2)
		VADDPD(p1, sum, sum)
		VADDPD(p2, sum, sum)
		out := transposeDoubles([4]VecVirtual{d, sum, p1, p2})
		for k := range out {
			VMOVUPD(out[k], at(foursTri+smallSize*k+32*line))
			if line > 0 {
				s := XMM()
				VCVTPD2PSY(out[k], s)
				VMOVUPS(s, at(foursTri+smallSize*k+linesSX+16*(line-1)))
			}
		}
	}
	for i, number := range []int{edgeC, edgeStepX, edgeStepY} {
		e0 := load(0, number)
		e1 := load(1, number)
		e2 := load(2, number)
		out := transposeDoubles([4]VecVirtual{e0, e1, e2, e2})
		for k := range out {
			VMOVUPD(out[k], at(foursTri+smallSize*k+smallC+32*i))
		}
	}
	VZEROUPPER()
	RET()
}

// transpose4 makes columns of four rows of four numbers of 32 bits.
func transpose4(row, out [4]VecVirtual) {
	a, b, c, d := XMM(), XMM(), XMM(), XMM()
	VUNPCKLPS(row[1], row[0], a)
	VUNPCKHPS(row[1], row[0], b)
	VUNPCKLPS(row[3], row[2], c)
	VUNPCKHPS(row[3], row[2], d)
	VMOVLHPS(c, a, out[0])
	VMOVHLPS(a, c, out[1])
	VMOVLHPS(d, b, out[2])
	VMOVHLPS(b, d, out[3])
}

// transposeDoubles makes columns of four rows of four numbers of 64 bits.
func transposeDoubles(row [4]VecVirtual) (out [4]VecVirtual) {
	a, b, c, d := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPD(row[1], row[0], a)
	VUNPCKHPD(row[1], row[0], b)
	VUNPCKLPD(row[3], row[2], c)
	VUNPCKHPD(row[3], row[2], d)
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
	quadX       = 0
	quadY       = 4
	quadX0      = 8
	quadX1      = 12
	quadY1      = 16
	quadN       = 20
	quadFull    = 24
	quadFace    = 28
	quadWidth   = 32
	quadEarly   = 36
	quadRule    = 40
	quadStepsX  = 64
	quadStepsY  = 80
	quadLanes   = 96
	quadColumns = 288
)

// quads makes the kernel that takes the quads of a small triangle to a packed
// batch, with the early depth test of a format or without.
func quads(f *depthFormat, columns, rows Mem) {
	name, more := "quadsAVX2", ""
	if f != nil {
		name, more = "quads"+f.name+"AVX2", ", buffer *byte"
	}
	text(name, "takes quads of a small triangle to a batch: t is the first number of struct prepared, s that of quadRun, quad, face and w1 those of the batch.",
		"func(t *float64, s, quad *int32, face, pixels *uint8, w1 *float32"+more+")")
	t, s := Load(Param("t"), GP64()), Load(Param("s"), GP64())
	quad, face, pixels, planes := Load(Param("quad"), GP64()), Load(Param("face"), GP64()), Load(Param("pixels"), GP64()), Load(Param("w1"), GP64())
	var buffer Register
	if f != nil {
		buffer = Load(Param("buffer"), GP64())
	}
	at := func(disp int) Mem { return Mem{Base: s, Disp: disp} }

	// What each pixel of a block adds to the edges.
	for _, step := range [][2]int{{smallStepX, quadStepsX}, {smallStepY, quadStepsY}} {
		x := XMM()
		VCVTPD2DQY(Mem{Base: t, Disp: step[0]}, x)
		VMOVDQU(x, at(step[1]))
	}
	{
		col, row := YMM(), [2]VecVirtual{YMM(), YMM()}
		VMOVDQU(columns, col)
		VMOVDQU(rows, row[0])
		VMOVDQU(rows.Offset(32), row[1])
		for i := range 3 {
			dx, dy := YMM(), YMM()
			VPBROADCASTD(at(quadStepsX+4*i), dx)
			VPBROADCASTD(at(quadStepsY+4*i), dy)
			// Steps of small triangles fit a word.
			VPMADDWD(col, dx, dx)
			for k := range row {
				v := YMM()
				VPMADDWD(row[k], dy, v)
				VPADDD(dx, v, v)
				VMOVDQU(v, at(quadLanes+64*i+32*k))
			}
		}
	}
	{ // and each column to the lines
		zero, x1, x2, x3 := XMM(), XMM(), XMM(), XMM()
		VXORPS(zero, zero, zero)
		VMOVUPS(Mem{Base: t, Disp: linesSX}, x1)
		VADDPS(x1, x1, x2)
		VADDPS(x1, x2, x3)
		a, b, c, d := XMM(), XMM(), XMM(), XMM()
		VUNPCKLPS(x1, zero, a)
		VUNPCKHPS(x1, zero, b)
		VUNPCKLPS(x3, x2, c)
		VUNPCKHPS(x3, x2, d)
		for line, pair := range [][2]VecVirtual{{a, c}, {a, c}, {b, d}, {b, d}} {
			for k, p := range pair {
				y := XMM()
				if line%2 == 0 {
					VUNPCKLPD(p, p, y)
				} else {
					VUNPCKHPD(p, p, y)
				}
				VMOVUPS(y, at(quadColumns+32*line+16*k))
			}
		}
	}

	x, y, n := GP32(), GP32(), GP64()
	MOVL(at(quadX), x)
	MOVL(at(quadY), y)
	MOVLQSX(at(quadN), n)
	MOVL(U32(0), at(quadFull))
	low, high := YMM(), YMM()
	VMOVDQU(kit.Dwords("evenPair", 0, 0, 1, 1, 0, 0, 1, 1), low)
	VMOVDQU(kit.Dwords("oddPair", 2, 2, 3, 3, 2, 2, 3, 3), high)

	Label("block")
	dx, dy := YMM(), YMM()
	for _, c := range []struct {
		g Register
		v VecVirtual
	}{{x, dx}, {y, dy}} {
		VMOVD(c.g, c.v.AsX())
		VPBROADCASTD(c.v.AsX(), c.v.AsX())
		VCVTDQ2PD(c.v.AsX(), c.v)
	}
	mask := GP32()
	{
		v, u := YMM(), YMM()
		VMULPD(Mem{Base: t, Disp: smallStepX}, dx, v)
		VMULPD(Mem{Base: t, Disp: smallStepY}, dy, u)
		VADDPD(u, v, v)
		VADDPD(Mem{Base: t, Disp: smallC}, v, v)
		e := XMM()
		VCVTPD2DQY(v, e)
		out := [2]VecVirtual{YMM(), YMM()}
		for i := range 3 {
			one, all := XMM(), YMM()
			VPSHUFD(Imm(uint64(i*0x55)), e, one)
			VPBROADCASTD(one, all)
			for k := range out {
				if i == 0 {
					VPADDD(at(quadLanes+32*k), all, out[k])
					continue
				}
				v := YMM()
				VPADDD(at(quadLanes+64*i+32*k), all, v)
				VPOR(v, out[k], out[k])
			}
		}
		half := GP32()
		VMOVMSKPS(out[0], mask)
		VMOVMSKPS(out[1], half)
		SHLL(Imm(8), half)
		ORL(half, mask)
		XORL(U32(0xFFFF), mask)
	}
	JZ(LabelRef("next"))
	CMPQ(n, Imm(60))
	JG(LabelRef("full"))

	VMULPD(Mem{Base: t, Disp: linesDX}, dx, dx)
	VMULPD(Mem{Base: t, Disp: linesDY}, dy, dy)
	VADDPD(dy, dx, dx)
	VADDPD(Mem{Base: t, Disp: linesAt}, dx, dx)
	sy := XMM()
	VMOVUPS(Mem{Base: t, Disp: linesSY}, sy)
	r0, r1, r2, r3 := XMM(), XMM(), XMM(), XMM()
	VCVTPD2PSY(dx, r0)
	VADDPS(sy, r0, r1)
	VADDPS(sy, r1, r2)
	VADDPS(sy, r2, r3)
	pairs := [2][2]VecVirtual{{YMM(), YMM()}, {YMM(), YMM()}}
	VUNPCKLPS(r1, r0, pairs[0][0].AsX())
	VUNPCKHPS(r1, r0, pairs[1][0].AsX())
	VUNPCKLPS(r3, r2, pairs[0][1].AsX())
	VUNPCKHPS(r3, r2, pairs[1][1].AsX())
	values := func(line, half int) VecVirtual {
		y, idx := YMM(), low
		if line%2 == 1 {
			idx = high
		}
		VPERMPS(pairs[line/2][half], idx, y)
		VADDPS(at(quadColumns+32*line), y, y)
		return y
	}
	var depth [2]VecVirtual
	zero := YMM()
	VXORPS(zero, zero, zero)
	for k := range depth {
		depth[k] = values(lineDepth, k)
		VMAXPS(zero, depth[k], depth[k]) // 0 for NaN: the second source wins
		VMINPS(dwords(float1), depth[k], depth[k])
	}
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
		JZ(LabelRef("next"))
	}
	// In the order of the planes: w1, w2, depth.
	out := [3][2]VecVirtual{{}, {}, depth}
	for k := range 2 {
		sum := values(lineSum, k)
		one := YMM()
		VMOVUPS(dwords(float1), one)
		VDIVPS(sum, one, sum)
		for i := range 2 {
			out[i][k] = values(lineP1+i, k)
			VMULPS(sum, out[i][k], out[i][k])
		}
	}
	faceNumber := GP32()
	MOVL(at(quadFace), faceNumber)
	for q := range 4 {
		// Always written to the next place, which is taken if there are pixels.
		place, alive := GP64(), GP32()
		MOVQ(n, place)
		SHLQ(Imm(4), place)
		ADDQ(planes, place)
		for i := range out {
			m := Mem{Base: place, Disp: 1024 * i}
			if q%2 == 0 {
				VMOVUPS(out[i][q/2].AsX(), m)
			} else {
				VEXTRACTF128(Imm(1), out[i][q/2], m)
			}
		}
		MOVL(mask, alive)
		if q > 0 {
			SHRL(Imm(uint64(4*q)), alive)
		}
		ANDL(Imm(15), alive)
		MOVB(alive.As8(), Mem{Base: pixels, Index: n, Scale: 1})
		MOVB(faceNumber.As8(), Mem{Base: face, Index: n, Scale: 1})
		c := GP32()
		LEAL(Mem{Base: x, Disp: q % 2 * 2}, c)
		MOVL(c, Mem{Base: quad, Index: n, Scale: 8})
		LEAL(Mem{Base: y, Disp: q / 2 * 2}, c)
		MOVL(c, Mem{Base: quad, Index: n, Scale: 8, Disp: 4})
		CMPL(alive, Imm(1)) // carries for 0
		SBBQ(I8(-1), n)
	}

	Label("next")
	ADDL(Imm(4), x)
	CMPL(x, at(quadX1))
	JLE(LabelRef("same"))
	MOVL(at(quadX0), x)
	ADDL(Imm(4), y)
	Label("same")
	CMPQ(n, Imm(64))
	JEQ(LabelRef("full"))
	CMPL(y, at(quadY1))
	JLE(LabelRef("block"))
	JMP(LabelRef("done"))
	Label("full")
	MOVL(U32(1), at(quadFull))
	Label("done")
	MOVL(x, at(quadX))
	MOVL(y, at(quadY))
	MOVL(n.As32(), at(quadN))
	VZEROUPPER()
	RET()
}
