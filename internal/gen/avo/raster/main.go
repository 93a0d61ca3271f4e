// Command raster generates the kernels of the rasterizer, some of them in two forms: for AVX2 and for AVX-512. Run it through
// go generate in the folder raster.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	// Columns and rows of a block's pixels in Morton order.
	columns := kit.Dwords("columns", 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3)
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
	blockIndices()
	kit.GenerateForAll()
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

// pixels are numbers of a block's 16 pixels: two registers with AVX2, one with AVX-512.
type pixels []VecVirtual

// eachPart makes pixels with a part per register. at is the offset of its first number of 32 bits.
func eachPart(part func(k, at int) VecVirtual) (p pixels) {
	n := 2
	if kit.Wide {
		n = 1
	}
	for k := range n {
		p = append(p, part(k, 32*k))
	}
	return p
}

// loadPixels reads numbers of 32 bits.
func loadPixels(m Mem) pixels {
	return eachPart(func(_, at int) VecVirtual {
		return kit.In(kit.NewVector(), VMOVUPS, m.Offset(at))
	})
}

// constant is a number of 32 bits, repeated, as an operand.
func constant(v uint32) Op {
	if kit.Wide {
		return fill(dwords(v))
	}
	return dwords(v)
}

// repeat fills a register with four 32-bit numbers.
func repeat(x VecVirtual) VecVirtual {
	y := kit.NewVector()
	if kit.Wide {
		VSHUFI32X4(Imm(0), x.AsZ(), x.AsZ(), y)
	} else {
		VINSERTI128(Imm(1), x.AsX(), x.AsY(), y)
	}
	return y
}

// fourNumbers is repeat of the four numbers at m.
func fourNumbers(m Mem) VecVirtual {
	y := kit.NewVector()
	if kit.Wide {
		VBROADCASTI32X4(m, y)
	} else {
		VBROADCASTI128(m, y)
	}
	return y
}

// increments returns, for each edge function of the basis at g, what each pixel of a block adds to the first. words states that all
// steps fit a word.
func increments(g Register, words bool, columns, rows Mem) (out [3]pixels) {
	col, row := loadPixels(columns)[0], loadPixels(rows)
	times := VPMULLD
	if words {
		times = VPMADDWD // of pairs of words; the second of a column or row is 0
	}
	var steps [2]VecVirtual
	for k, disp := range []int{basisStepX, basisStepY} {
		x := kit.In(XMM(), VCVTPD2DQY, Mem{Base: g, Disp: disp})
		steps[k] = repeat(x)
	}
	for i := range out {
		dx := kit.In(kit.NewVector(), VPSHUFD, Imm(uint64(i*0x55)), steps[0])
		dy := kit.In(kit.NewVector(), VPSHUFD, Imm(uint64(i*0x55)), steps[1])
		times(col, dx, dx)
		out[i] = eachPart(func(k, _ int) VecVirtual {
			v := kit.NewVector()
			times(row[k], dy, v)
			VPADDD(dx, v, v)
			return v
		})
	}
	return out
}

// lanesOf are the struct lanes at m as operands: the increments of the edge functions for each pixel of a block.
func lanesOf(m Mem) (out [3][]Op) {
	for i := range out {
		eachPart(func(_, at int) VecVirtual {
			out[i] = append(out[i], m.Offset(64*i+at))
			return nil
		})
	}
	return out
}

// storeLanes writes the struct lanes.
func storeLanes(x [3]pixels, m Mem) {
	for i := range x {
		for k, v := range x[i] {
			VMOVDQU(v, m.Offset(64*i+32*k))
		}
	}
}

func makeLanes(columns, rows Mem) {
	kit.Text("lanesVector", "func(basis *float64)", "fills the lanes of gradients, whose first number basis is, from its steps.")
	g := Load(Param("basis"), GP64())
	storeLanes(increments(g, false, columns, rows), Mem{Base: g, Disp: gradientsLanes})
	kit.Leave()
}

// edgesAt returns the edge functions of the basis at g at column x and row y, repeated.
func edgesAt(g Register, x, y VecVirtual) VecVirtual {
	v, u, e := YMM(), YMM(), XMM()
	VMULPD(Mem{Base: g, Disp: basisStepX}, x, v)
	VMULPD(Mem{Base: g, Disp: basisStepY}, y, u)
	VADDPD(u, v, v)
	VADDPD(Mem{Base: g, Disp: basisC}, v, v)
	VCVTPD2DQY(v, e)
	return repeat(e)
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

// edgePixels returns an edge function at the pixels of a block: now has all three at the first pixel, lanes the increments.
func edgePixels(now VecVirtual, lanes [3][]Op, edge int) pixels {
	one := kit.In(kit.NewVector(), VPSHUFD, Imm(uint64(edge*0x55)), now)
	return eachPart(func(k, _ int) VecVirtual {
		return kit.In(kit.NewVector(), VPADDD, lanes[edge][k], one)
	})
}

// numbers is edgePixels for all three, as float32.
func numbers(now VecVirtual, lanes [3][]Op) (out [3]pixels) {
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
	return kit.In(kit.NewVector(), VBROADCASTSS, m)
}

// constants are the numbers of a triangle that each block needs. With AVX-512 they stay in registers; with AVX2, which has half as
// many, each use reads them.
type constants struct {
	limit VecVirtual // see ordinary
	from  func() VecVirtual
	depth [3]func() VecVirtual
	invW  [3]func() VecVirtual
	one   func() VecVirtual
}

// constantsOf are those of the basis at g.
func constantsOf(g Register) (c constants) {
	held := func(m Mem) func() VecVirtual {
		if !kit.Wide {
			return func() VecVirtual { return fill(m) }
		}
		y := fill(m)
		return func() VecVirtual { return y }
	}
	c.limit, c.from, c.one = ordinary(g), held(Mem{Base: g, Disp: basisFrom}), held(dwords(float1))
	for i := range 3 {
		c.depth[i], c.invW[i] = held(Mem{Base: g, Disp: basisDepth + 4*i}), held(Mem{Base: g, Disp: basisInvW + 4*i})
	}
	return c
}

// depthOf returns the depth of the pixels with the given edge functions.
func depthOf(c constants, e [3]pixels) pixels {
	from := c.from()
	out := eachPart(func(int, int) VecVirtual { return kit.NewVector() })
	for i := range e {
		slope := c.depth[i]()
		for k, v := range e[i] {
			t := kit.In(kit.NewVector(), VMULPS, slope, v)
			if i == 0 {
				VADDPS(t, from, out[k])
			} else {
				VADDPS(t, out[k], out[k])
			}
		}
	}
	zero := kit.NewVector()
	VXORPS(zero, zero, zero)
	for _, v := range out {
		VMAXPS(zero, v, v) // 0 for NaN: the result is the second source
		VMINPS(c.one(), v, v)
	}
	return out
}

// ordinary returns the number that every sum of weigh must exceed for its fast way: 2^-40, or if a vertex's 1/w is not between
// 2^-40 and 2^40, one that no number exceeds.
func ordinary(g Register) VecVirtual {
	w, in, limit, outside := XMM(), XMM(), kit.NewVector(), GP32()
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
func weigh(c constants, e [3]pixels) (out [3]pixels) {
	for i := range e {
		w := c.invW[i]()
		for _, v := range e[i] {
			VMULPS(w, v, v)
		}
		out[i] = eachPart(func(int, int) VecVirtual { return kit.NewVector() })
	}
	sum := eachPart(func(k, _ int) VecVirtual {
		y := kit.In(kit.NewVector(), VADDPS, e[1][k], e[0][k])
		VADDPS(e[2][k], y, y)
		return y
	})
	divide, weighed := kit.Name("divide"), kit.Name("weighed")
	if kit.Wide {
		above := kit.In(K(), VPCMPGTD, c.limit, sum[0])
		KORTESTW(above, above) // carry if all are
		JCC(LabelRef(divide))
	} else {
		least, all := YMM(), GP32()
		VPMINSD(sum[1], sum[0], least)
		VPCMPGTD(c.limit, least, least)
		VMOVMSKPS(least, all)
		CMPL(all, Imm(0xFF))
		JNE(LabelRef(divide))
	}
	for k := range sum {
		y := kit.In(kit.NewVector(), VDIVPS, sum[k], c.one())
		for i := range e {
			VMULPS(y, e[i][k], out[i][k])
			VFNMADD231PS(sum[k], out[i][k], e[i][k])
			VFMADD231PS(y, e[i][k], out[i][k])
		}
	}
	JMP(LabelRef(weighed))
	Label(divide)
	for k := range sum {
		for i := range e {
			VDIVPS(sum[k], e[i][k], out[i][k])
		}
	}
	Label(weighed)
	return out
}

// planeSize is the size of a batch's plane in bytes.
const planeSize = 1024

func weights() {
	kit.Text("weightsVector", "func(basis *float64, w0 *float32)",
		"is the vector twin of weights: basis is the first number of gradients, w0 is in the first of three planes.")
	kit.BothWays(func() {
		g := Load(Param("basis"), GP64())
		w0 := Load(Param("w0"), GP64())
		e := numbers(fourNumbers(Mem{Base: g, Disp: gradientsNow}), lanesOf(Mem{Base: g, Disp: gradientsLanes}))
		for i, weights := range weigh(constantsOf(g), e) {
			for k, v := range weights {
				VMOVUPS(v, Mem{Base: w0, Disp: planeSize*i + 32*k})
			}
		}
		kit.Leave()
	})
}

func depths() {
	kit.Text("depthsVector", "func(basis *float64, x, y int32, dst *float32)",
		"is the AVX2 twin of depths for z-buffering: basis is the first number of gradients.")
	g := Load(Param("basis"), GP64())
	x := place(Load(Param("x"), GP32()))
	y := place(Load(Param("y"), GP32()))
	dst := Load(Param("dst"), GP64())
	now := edgesAt(g, x, y)
	VMOVDQU(now.AsX(), Mem{Base: g, Disp: gradientsNow})
	for k, v := range depthOf(constantsOf(g), numbers(now, lanesOf(Mem{Base: g, Disp: gradientsLanes}))) {
		VMOVUPS(v, Mem{Base: dst, Disp: 32 * k})
	}
	kit.Leave()
}

func interpolate() {
	kit.Text("interpolateVector", "func(v *float32, runs *uint8, w0, dst *float32, n int)",
		"is the vector twin of Interpolate: v holds what slopes gives of each run of blocks, runs how many blocks it has; w0 is the first of three planes.")
	kit.BothWays(func() {
		v := Load(Param("v"), GP64())
		runs := Load(Param("runs"), GP64())
		w0 := Load(Param("w0"), GP64())
		dst := Load(Param("dst"), GP64())
		n := Load(Param("n"), GP64())
		run, block := kit.Name("run"), kit.Name("block")
		Label(run)
		from, slope := fill(Mem{Base: v}), [3]VecVirtual{}
		for i := range slope {
			slope[i] = fill(Mem{Base: v, Disp: 4 + 4*i})
		}
		blocks := kit.In(GP32(), MOVBLZX, Mem{Base: runs})
		Label(block)
		eachPart(func(_, at int) VecVirtual {
			sum := from
			for i := range slope {
				t := kit.In(kit.NewVector(), VMULPS, Mem{Base: w0, Disp: planeSize*i + at}, slope[i])
				VADDPS(t, sum, t)
				sum = t
			}
			VMOVUPS(sum, Mem{Base: dst, Disp: at})
			return sum
		})
		ADDQ(Imm(64), w0)
		ADDQ(Imm(64), dst)
		DECL(blocks)
		JNZ(LabelRef(block))
		ADDQ(Imm(16), v)
		INCQ(runs)
		DECQ(n)
		JNZ(LabelRef(run))
		kit.Leave()
	})
}

// slopes reads up to four adjacent components of the triangles' vertices.
func slopes() {
	kit.Text("slopesVector", "func(attributes *float32, first, stride int, triangles *uint32, out *float32, n, components int)",
		"is slopes of n triangles for one to four components, those of vertex i from attributes[first+i*stride] on. out is the first number of Batch.planes.")
	attributes, first, stride := Load(Param("attributes"), GP64()), Load(Param("first"), GP64()), Load(Param("stride"), GP64())
	triangles, out, n := Load(Param("triangles"), GP64()), Load(Param("out"), GP64()), Load(Param("n"), GP64())
	components := Load(Param("components"), GP64())
	LEAQ(Mem{Base: attributes, Index: first, Scale: 4}, attributes)
	some := kit.In(XMM(), VMOVD, components.(GP).As32())
	VPBROADCASTD(some, some)
	VPCMPGTD(kit.Dwords("fourRows", 0, 1, 2, 3), some, some)
	Label("triangle")
	var v [3]VecVirtual
	for k := range v {
		i := GP64()
		MOVL(Mem{Base: triangles, Disp: 4 * k}, i.As32())
		IMULQ(stride, i)
		v[k] = kit.In(XMM(), VMASKMOVPS, Mem{Base: attributes, Index: i, Scale: 4}, some)
	}
	from := kit.In(XMM(), VCMPPS, Imm(0), v[2], v[1])
	VBLENDVPS(from, v[1], v[0], from)
	for _, x := range v {
		VSUBPS(from, x, x)
	}
	of := [4]VecVirtual{XMM(), XMM(), XMM(), XMM()}
	transpose4([4]VecVirtual{from, v[0], v[1], v[2]}, of)
	for c, x := range of {
		VMOVUPS(x, Mem{Base: out, Disp: planeSize * c}) // as large as the slopes of a component
	}
	ADDQ(Imm(12), triangles)
	ADDQ(Imm(16), out)
	DECQ(n)
	JNZ(LabelRef("triangle"))
	RET()
}

// interpolateQuads works on as many quads as a register holds.
func interpolateQuads() {
	kit.Text("interpolateQuadsVector", "func(v *float32, face *uint8, w0, dst *float32, quads, components int)",
		"is the vector twin of interpolateQuads: v holds what slopes gives of each triangle, face the triangle of each quad; w0 is the first of three planes, dst the first of those of the components; quads is a multiple of four.")
	kit.BothWays(func() {
		v := Load(Param("v"), GP64())
		face := Load(Param("face"), GP64())
		w0 := Load(Param("w0"), GP64())
		dst := Load(Param("dst"), GP64())
		n := Load(Param("quads"), GP64())
		loop, component := kit.Name("quads"), kit.Name("component")
		Label(loop)
		var w [3]VecVirtual
		for i := range w {
			w[i] = kit.In(kit.NewVector(), VMOVUPS, Mem{Base: w0, Disp: planeSize * i})
		}
		each := int(w[0].Size() / 16)
		offsets := make([]GPVirtual, each)
		for k := range offsets {
			offsets[k] = GP64()
			MOVBLZX(Mem{Base: face, Disp: k}, offsets[k].As32())
			SHLL(Imm(4), offsets[k].As32())
		}
		from, to, left := GP64(), GP64(), Load(Param("components"), GP64())
		MOVQ(v, from)
		MOVQ(dst, to)
		Label(component)
		p, sum := kit.NewVector(), kit.NewVector()
		for k, at := range offsets {
			m := Mem{Base: from, Index: at, Scale: 1}
			switch {
			case k == 0:
				VMOVUPS(m, p.AsX())
			case kit.Wide:
				VINSERTF32X4(Imm(uint64(k)), m, p, p)
			default:
				VINSERTF128(Imm(1), m, p, p)
			}
		}
		VPERMILPS(Imm(0), p, sum)
		for i := range w {
			t := kit.In(kit.NewVector(), VPERMILPS, Imm(uint64(0x55*(1+i))), p)
			VMULPS(w[i], t, t)
			VADDPS(t, sum, sum)
		}
		VMOVUPS(sum, Mem{Base: to})
		ADDQ(U32(planeSize), from) // as large as the slopes of a component
		ADDQ(U32(planeSize), to)
		DECQ(left)
		JNZ(LabelRef(component))
		ADDQ(Imm(uint64(each)), face)
		ADDQ(Imm(uint64(16*each)), w0)
		ADDQ(Imm(uint64(16*each)), dst)
		SUBQ(Imm(uint64(each)), n)
		JNZ(LabelRef(loop))
		kit.Leave()
	})
}

// cover evaluates three edge functions, as integers.
func cover(columns, rows Mem) {
	kit.Text("coverVector", "func(e *int32) uint32",
		"is the AVX2 twin of cover: e holds the values of the three edges at the first pixel, their steps along x and those along y.")
	e := Load(Param("e"), GP64())
	var out [2]VecVirtual
	col := kit.In(YMM(), VMOVDQU, columns)
	var row [2]VecVirtual
	for k := range row {
		row[k] = kit.In(YMM(), VMOVDQU, rows.Offset(32*k))
	}
	for i := range 3 {
		at := kit.In(YMM(), VPBROADCASTD, Mem{Base: e, Disp: 4 * i})
		dx := kit.In(YMM(), VPBROADCASTD, Mem{Base: e, Disp: 12 + 4*i})
		dy := kit.In(YMM(), VPBROADCASTD, Mem{Base: e, Disp: 24 + 4*i})
		VPMULLD(col, dx, dx)
		VPADDD(at, dx, dx)
		for k := range out {
			v := kit.In(YMM(), VPMULLD, row[k], dy)
			VPADDD(dx, v, v)
			if i == 0 {
				out[k] = v
			} else {
				VPOR(v, out[k], out[k])
			}
		}
	}
	lo := kit.In(GP32(), VMOVMSKPS, out[0])
	hi := kit.In(GP32(), VMOVMSKPS, out[1])
	SHLL(Imm(8), hi)
	ORL(hi, lo)
	XORL(U32(0xFFFF), lo)
	Store(lo, ReturnIndex(0))
	kit.Leave()
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
