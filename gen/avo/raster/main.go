// Command raster generates the AVX2 kernels of the rasterizer. Run it through
// go generate in the folder raster.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

func main() {
	ConstraintExpr("amd64")
	// Columns and rows of a block's pixels in Morton order.
	columns := kit.Dwords("columns", 0, 1, 0, 1, 2, 3, 2, 3)
	rows := kit.Dwords("rows", 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3)
	bits := kit.Dwords("bits", 1, 2, 4, 8, 16, 32, 64, 128, 1<<8, 1<<9, 1<<10, 1<<11, 1<<12, 1<<13, 1<<14, 1<<15)
	makeLanes(columns, rows)
	weights()
	depths()
	interpolate()
	slopes()
	interpolateQuads()
	cover(columns, rows)
	strip()
	blocks(nil)
	for i := range depthFormats {
		blocks(&depthFormats[i])
	}
	setup()
	quads(nil, columns, rows)
	for i := range depthFormats {
		quads(&depthFormats[i], columns, rows)
	}
	depthTests(bits)
	loadDepths()
	colors(bits)
	stencils(bits)
	places()
	Generate()
}

func text(name, doc, signature string) {
	kit.Text(name, signature)
	Doc(name + " " + doc)
}

// dwords returns eight times the same value in memory.
func dwords(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

const float1 = 0x3F800000

// Offsets in the structs basis and gradients of package raster.
const (
	basisC     = 0
	basisStepX = 32
	basisStepY = 64
	basisBias  = 96
	basisInvW  = 112
	basisFrom  = 124
	basisDepth = 128
	basisSize  = 144

	gradientsLanes = basisSize
	gradientsNow   = gradientsLanes + 3*64
)

// halves fills both halves of a register with four 32-bit numbers.
func halves(x VecVirtual) VecVirtual {
	y := YMM()
	VINSERTI128(Imm(1), x.AsX(), x.AsY(), y)
	return y
}

// lanes fills the struct lanes at to from the steps of the basis at g: the increments of the three edge functions for each pixel of
// a block. words states that all steps fit a word.
func lanes(g Register, to Mem, words bool, columns, rows Mem) {
	col, row := YMM(), [2]VecVirtual{YMM(), YMM()}
	VMOVDQU(columns, col)
	VMOVDQU(rows, row[0])
	VMOVDQU(rows.Offset(32), row[1])
	times := VPMULLD
	if words {
		times = VPMADDWD // of pairs of words; the second of a column or row is 0
	}
	var steps [2]VecVirtual
	for k, disp := range []int{basisStepX, basisStepY} {
		x := XMM()
		VCVTPD2DQY(Mem{Base: g, Disp: disp}, x)
		steps[k] = halves(x)
	}
	for i := range 3 {
		dx, dy := YMM(), YMM()
		VPSHUFD(Imm(uint64(i*0x55)), steps[0], dx)
		VPSHUFD(Imm(uint64(i*0x55)), steps[1], dy)
		times(col, dx, dx)
		for k := range row {
			v := YMM()
			times(row[k], dy, v)
			VPADDD(dx, v, v)
			VMOVDQU(v, to.Offset(64*i+32*k))
		}
	}
}

func makeLanes(columns, rows Mem) {
	text("lanesVector", "fills the lanes of gradients, whose first number basis is, from its steps.", "func(basis *float64)")
	g := Load(Param("basis"), GP64())
	lanes(g, Mem{Base: g, Disp: gradientsLanes}, false, columns, rows)
	VZEROUPPER()
	RET()
}

// edgesAt returns the edge functions of the basis at g at column x and row y, in both halves.
func edgesAt(g Register, x, y VecVirtual) VecVirtual {
	v, u, e := YMM(), YMM(), XMM()
	VMULPD(Mem{Base: g, Disp: basisStepX}, x, v)
	VMULPD(Mem{Base: g, Disp: basisStepY}, y, u)
	VADDPD(u, v, v)
	VADDPD(Mem{Base: g, Disp: basisC}, v, v)
	VCVTPD2DQY(v, e)
	return halves(e)
}

// place fills a register with a column or row, repeated four times.
func place(g Op) VecVirtual {
	y := YMM()
	switch g.(type) {
	case Mem:
		VPBROADCASTD(g, y.AsX())
	default:
		VMOVD(g, y.AsX())
		VPBROADCASTD(y.AsX(), y.AsX())
	}
	VCVTDQ2PD(y.AsX(), y)
	return y
}

// edgePixels returns an edge function at the pixels of both halves of a block: now has all three at the first pixel, lanes the
// increments.
func edgePixels(now VecVirtual, lanes Mem, edge int) (out [2]VecVirtual) {
	one := YMM()
	VPSHUFD(Imm(uint64(edge*0x55)), now, one)
	for k := range out {
		out[k] = YMM()
		VPADDD(lanes.Offset(64*edge+32*k), one, out[k])
	}
	return out
}

// numbers is edgePixels for all three, as float32.
func numbers(now VecVirtual, lanes Mem) (out [3][2]VecVirtual) {
	for i := range out {
		out[i] = edgePixels(now, lanes, i)
		for _, v := range out[i] {
			VCVTDQ2PS(v, v)
		}
	}
	return out
}

// fill fills a register with a number of 32 bits.
func fill(m Mem) VecVirtual {
	y := YMM()
	VBROADCASTSS(m, y)
	return y
}

// depthOf returns the depth of the pixels with the given edge functions.
func depthOf(g Register, e [3][2]VecVirtual) (out [2]VecVirtual) {
	from := fill(Mem{Base: g, Disp: basisFrom})
	for i := range e {
		slope := fill(Mem{Base: g, Disp: basisDepth + 4*i})
		for k, v := range e[i] {
			t := YMM()
			VMULPS(slope, v, t)
			if i == 0 {
				out[k] = YMM()
				VADDPS(t, from, out[k])
			} else {
				VADDPS(t, out[k], out[k])
			}
		}
	}
	zero := YMM()
	VXORPS(zero, zero, zero)
	for _, v := range out {
		VMAXPS(zero, v, v) // 0 for NaN: the result is the second source
		VMINPS(dwords(float1), v, v)
	}
	return out
}

// ordinary returns the number that every sum of weigh must exceed for its fast way: 2^-40, or if a vertex's 1/w is not between
// 2^-40 and 2^40, one that no number exceeds.
func ordinary(g Register) VecVirtual {
	w, in, limit, outside := XMM(), XMM(), YMM(), GP32()
	VMOVUPS(Mem{Base: g, Disp: basisInvW}, w)
	VPSUBD(dwords(float2to(-40)), w, w)
	VPMINUD(dwords(float2to(40)-float2to(-40)), w, in)
	VPCMPEQD(in, w, in) // the three in range, and another number
	VMOVMSKPS(in, outside)
	ANDL(Imm(7), outside)
	XORL(Imm(7), outside)
	NEGL(outside) // negative where one is out of range
	SARL(Imm(31), outside)
	SHRL(Imm(1), outside)
	ORL(U32(float2to(-40)), outside)
	VMOVD(outside, limit.AsX())
	VPBROADCASTD(limit.AsX(), limit)
	return limit
}

// float2to is the bits of a power of two.
func float2to(n int) uint32 { return uint32(127+n) << 23 }

// weigh converts edge functions to weights, each the quotient of its product with 1/w and the sum of the three products.
//
// The fast way divides once: with the sum's reciprocal y, rounded, and q = p*y, the quotient p/sum rounded is q + (p - q*sum)*y
// with both steps fused (Markstein, IBM Journal of Research and Development 34(1), 1990). That holds if nothing overflows or is
// denormal: products are 0 or at least 2^-40, and sums at least 2^-40. Otherwise the slow way divides three times.
// TestWeightsAreQuotients tries the quotients that are closest to the middle of two floats.
func weigh(g Register, e [3][2]VecVirtual, limit VecVirtual) (out [3][2]VecVirtual) {
	for i := range e {
		w := fill(Mem{Base: g, Disp: basisInvW + 4*i})
		for _, v := range e[i] {
			VMULPS(w, v, v)
		}
	}
	var sum [2]VecVirtual
	for k := range sum {
		sum[k] = YMM()
		VADDPS(e[1][k], e[0][k], sum[k])
		VADDPS(e[2][k], sum[k], sum[k])
		for i := range e {
			out[i][k] = YMM()
		}
	}
	least, all := YMM(), GP32()
	VPMINSD(sum[1], sum[0], least)
	VPCMPGTD(limit, least, least)
	VMOVMSKPS(least, all)
	CMPL(all, Imm(0xFF))
	JNE(LabelRef("divide"))
	for k := range sum {
		y := YMM()
		VMOVUPS(dwords(float1), y)
		VDIVPS(sum[k], y, y)
		for i := range e {
			VMULPS(y, e[i][k], out[i][k])
			VFNMADD231PS(sum[k], out[i][k], e[i][k])
			VFMADD231PS(y, e[i][k], out[i][k])
		}
	}
	JMP(LabelRef("weighed"))
	Label("divide")
	for k := range sum {
		for i := range e {
			VDIVPS(sum[k], e[i][k], out[i][k])
		}
	}
	Label("weighed")
	return out
}

// planeSize is the size of a batch's plane in bytes.
const planeSize = 1024

func weights() {
	text("weightsVector", "is the AVX2 twin of weights: basis is the first number of gradients, w0 is in the first of three planes.", "func(basis *float64, w0 *float32)")
	g := Load(Param("basis"), GP64())
	w0 := Load(Param("w0"), GP64())
	now := YMM()
	VBROADCASTI128(Mem{Base: g, Disp: gradientsNow}, now)
	e := numbers(now, Mem{Base: g, Disp: gradientsLanes})
	for i, weights := range weigh(g, e, ordinary(g)) {
		for k, v := range weights {
			VMOVUPS(v, Mem{Base: w0, Disp: planeSize*i + 32*k})
		}
	}
	VZEROUPPER()
	RET()
}

func depths() {
	text("depthsVector", "is the AVX2 twin of depths for z-buffering: basis is the first number of gradients.", "func(basis *float64, x, y int32, dst *float32)")
	g := Load(Param("basis"), GP64())
	x := place(Load(Param("x"), GP32()))
	y := place(Load(Param("y"), GP32()))
	dst := Load(Param("dst"), GP64())
	now := edgesAt(g, x, y)
	VMOVDQU(now.AsX(), Mem{Base: g, Disp: gradientsNow})
	for k, v := range depthOf(g, numbers(now, Mem{Base: g, Disp: gradientsLanes})) {
		VMOVUPS(v, Mem{Base: dst, Disp: 32 * k})
	}
	VZEROUPPER()
	RET()
}

func interpolate() {
	text("interpolateVector", "is the AVX2 twin of Interpolate: v holds what slopes gives of each run of blocks, runs how many blocks it has; w0 is the first of three planes.", "func(v *float32, runs *uint8, w0, dst *float32, n int)")
	v := Load(Param("v"), GP64())
	runs := Load(Param("runs"), GP64())
	w0 := Load(Param("w0"), GP64())
	dst := Load(Param("dst"), GP64())
	n := Load(Param("n"), GP64())
	// A block is one register with AVX-512, two without.
	rows := func(name string, register func() VecVirtual, size int) {
		fill := func(disp int) VecVirtual {
			y := register()
			VBROADCASTSS(Mem{Base: v, Disp: disp}, y)
			return y
		}
		Label("run" + name)
		from, slope := fill(0), [3]VecVirtual{}
		for i := range slope {
			slope[i] = fill(4 + 4*i)
		}
		blocks := GP32()
		MOVBLZX(Mem{Base: runs}, blocks)
		Label("block" + name)
		for k := 0; k < 64; k += size {
			sum := from
			for i := range slope {
				t := register()
				VMULPS(Mem{Base: w0, Disp: planeSize*i + k}, slope[i], t)
				VADDPS(t, sum, t)
				sum = t
			}
			VMOVUPS(sum, Mem{Base: dst, Disp: k})
		}
		ADDQ(Imm(64), w0)
		ADDQ(Imm(64), dst)
		DECL(blocks)
		JNZ(LabelRef("block" + name))
		ADDQ(Imm(16), v)
		INCQ(runs)
		DECQ(n)
		JNZ(LabelRef("run" + name))
		VZEROUPPER()
		RET()
	}
	kit.IfWide("wide")
	rows("", func() VecVirtual { return YMM() }, 32)
	Label("wide")
	rows("Wide", func() VecVirtual { return ZMM() }, 64)
}

// slopes reads a component of the triangles' vertices.
func slopes() {
	text("slopesVector", "is slopes for n triangles: the component of vertex i lies at attributes[first+i*stride].", "func(attributes *float32, first, stride int, triangles *uint32, out *float32, n int)")
	attributes, first, stride := Load(Param("attributes"), GP64()), Load(Param("first"), GP64()), Load(Param("stride"), GP64())
	triangles, out, n := Load(Param("triangles"), GP64()), Load(Param("out"), GP64()), Load(Param("n"), GP64())
	LEAQ(Mem{Base: attributes, Index: first, Scale: 4}, attributes)
	Label("triangle")
	var v [3]VecVirtual
	for k := range v {
		i := GP64()
		MOVL(Mem{Base: triangles, Disp: 4 * k}, i.As32())
		IMULQ(stride, i)
		v[k] = XMM()
		VMOVSS(Mem{Base: attributes, Index: i, Scale: 4}, v[k])
	}
	from, low, high := XMM(), XMM(), XMM()
	VCMPSS(Imm(0), v[2], v[1], from)
	VBLENDVPS(from, v[1], v[0], from)
	VUNPCKLPS(v[0], from, low)
	VUNPCKLPS(v[2], v[1], high)
	VMOVLHPS(high, low, low)
	// The base is subtracted from all but the first.
	VINSERTPS(Imm(0b00_01_0001), from, from, from)
	VPERMILPS(Imm(0b01_01_01_00), from, from)
	VSUBPS(from, low, low)
	VMOVUPS(low, Mem{Base: out})
	ADDQ(Imm(12), triangles)
	ADDQ(Imm(16), out)
	DECQ(n)
	JNZ(LabelRef("triangle"))
	RET()
}

// interpolateQuads works on two quads at a time.
func interpolateQuads() {
	text("interpolateQuadsVector", "is the AVX2 twin of interpolateQuads: v holds what slopes gives of each triangle, face the triangle of each quad; w0 is the first of three planes; quads is even.", "func(v *float32, face *uint8, w0, dst *float32, quads int)")
	v := Load(Param("v"), GP64())
	face := Load(Param("face"), GP64())
	w0 := Load(Param("w0"), GP64())
	dst := Load(Param("dst"), GP64())
	n := Load(Param("quads"), GP64())
	Label("quads")
	i, j := GP32(), GP32()
	MOVBLZX(Mem{Base: face}, i)
	MOVBLZX(Mem{Base: face, Disp: 1}, j)
	SHLL(Imm(4), i)
	SHLL(Imm(4), j)
	p, sum := YMM(), YMM()
	VMOVUPS(Mem{Base: v, Index: i.As64(), Scale: 1}, p.AsX())
	VINSERTF128(Imm(1), Mem{Base: v, Index: j.As64(), Scale: 1}, p, p)
	VPERMILPS(Imm(0), p, sum)
	for i := range 3 {
		t := YMM()
		VPERMILPS(Imm(uint64(0x55*(1+i))), p, t)
		VMULPS(Mem{Base: w0, Disp: planeSize * i}, t, t)
		VADDPS(t, sum, sum)
	}
	VMOVUPS(sum, Mem{Base: dst})
	ADDQ(Imm(2), face)
	ADDQ(Imm(32), w0)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(2), n)
	JNZ(LabelRef("quads"))
	VZEROUPPER()
	RET()
}

// cover evaluates three edge functions, as integers.
func cover(columns, rows Mem) {
	text("coverVector", "is the AVX2 twin of cover: e holds the values of the three edges at the first pixel, their steps along x and those along y.", "func(e *int32) uint32")
	e := Load(Param("e"), GP64())
	var out [2]VecVirtual
	col := YMM()
	VMOVDQU(columns, col)
	var row [2]VecVirtual
	for k := range row {
		row[k] = YMM()
		VMOVDQU(rows.Offset(32*k), row[k])
	}
	for i := range 3 {
		at, dx, dy := YMM(), YMM(), YMM()
		VPBROADCASTD(Mem{Base: e, Disp: 4 * i}, at)
		VPBROADCASTD(Mem{Base: e, Disp: 12 + 4*i}, dx)
		VPBROADCASTD(Mem{Base: e, Disp: 24 + 4*i}, dy)
		VPMULLD(col, dx, dx)
		VPADDD(at, dx, dx)
		for k := range out {
			v := YMM()
			VPMULLD(row[k], dy, v)
			VPADDD(dx, v, v)
			if i == 0 {
				out[k] = v
			} else {
				VPOR(v, out[k], out[k])
			}
		}
	}
	lo, hi := GP32(), GP32()
	VMOVMSKPS(out[0], lo)
	VMOVMSKPS(out[1], hi)
	SHLL(Imm(8), hi)
	ORL(hi, lo)
	XORL(U32(0xFFFF), lo)
	Store(lo, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// blockMask spreads bits of a mask to the lanes of eight pixels.
func blockMask(mask Register, k int, bits Mem) VecVirtual {
	m, b := YMM(), YMM()
	VMOVD(mask, m.AsX())
	VPBROADCASTD(m.AsX(), m)
	VMOVDQU(bits.Offset(32*k), b)
	VPAND(b, m, m)
	VPCMPEQD(b, m, m)
	return m
}
