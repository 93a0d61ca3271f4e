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
	// Column and row of each pixel of a block in Morton order.
	columns := kit.Dwords("columns", 0, 1, 0, 1, 2, 3, 2, 3)
	rows := kit.Dwords("rows", 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3)
	bits := kit.Dwords("bits", 1, 2, 4, 8, 16, 32, 64, 128, 1<<8, 1<<9, 1<<10, 1<<11, 1<<12, 1<<13, 1<<14, 1<<15)
	weights(columns, rows)
	depths(columns, rows)
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
	Generate()
}

func text(name, doc, signature string) {
	kit.Text(name, signature)
	Doc(name + " " + doc)
}

// dwords gives eight times the same value in memory.
func dwords(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

const float1 = 0x3F800000

// Offsets into gradients: value and steps in float64, the steps rounded, and the
// value at the block; four lines each.
const (
	linesAt = 32 * iota
	linesDX
	linesDY
	linesSX  = linesDY + 32
	linesSY  = linesSX + 16
	linesNow = linesSY + 16
)

// The lines, in the order of gradients.
const (
	lineDepth = iota
	lineSum
	lineP1
	lineP2
)

// fill evaluates a line of the gradients at g for the 16 pixels of a block,
// adding in the order of the plain form: rows first, then columns.
func fill(g Register, line int, columns, rows Mem) [2]VecVirtual {
	at, dx, dy := XMM(), XMM(), XMM()
	VMOVSS(Mem{Base: g, Disp: linesNow + 4*line}, at)
	VMOVSS(Mem{Base: g, Disp: linesSX + 4*line}, dx)
	VMOVSS(Mem{Base: g, Disp: linesSY + 4*line}, dy)
	// r = at, at+dy, (at+dy)+dy, ((at+dy)+dy)+dy
	r1, r2, r3 := XMM(), XMM(), XMM()
	VADDSS(dy, at, r1)
	VADDSS(dy, r1, r2)
	VADDSS(dy, r2, r3)
	VUNPCKLPS(r1, at, at)
	VUNPCKLPS(r3, r2, r2)
	VMOVLHPS(r2, at, at)
	// c = 0, dx, dx+dx, (dx+dx)+dx
	c0, c2, c3 := XMM(), XMM(), XMM()
	VADDSS(dx, dx, c2)
	VADDSS(dx, c2, c3)
	VXORPS(c0, c0, c0)
	VUNPCKLPS(dx, c0, c0)
	VUNPCKLPS(c3, c2, c2)
	VMOVLHPS(c2, c0, c0)

	col, idx := YMM(), YMM()
	VMOVDQU(columns, idx)
	VPERMPS(c0.AsY(), idx, col)
	var out [2]VecVirtual
	for k := range out {
		out[k] = YMM()
		VMOVDQU(rows.Offset(32*k), idx)
		VPERMPS(at.AsY(), idx, out[k])
		VADDPS(col, out[k], out[k])
	}
	return out
}

func weights(columns, rows Mem) {
	text("weightsAVX2", "is the AVX2 twin of weights: lines is the first number of gradients.", "func(lines *float64, w1, w2 *float32)")
	g := Load(Param("lines"), GP64())
	w1 := Load(Param("w1"), GP64())
	w2 := Load(Param("w2"), GP64())
	s := fill(g, lineSum, columns, rows)
	one := YMM()
	VMOVUPS(dwords(float1), one)
	for k := range s {
		VDIVPS(s[k], one, s[k])
	}
	for i, w := range []Register{w1, w2} {
		v := fill(g, lineP1+i, columns, rows)
		for k := range v {
			VMULPS(s[k], v[k], v[k])
			VMOVUPS(v[k], Mem{Base: w, Disp: 32 * k})
		}
	}
	VZEROUPPER()
	RET()
}

func depths(columns, rows Mem) {
	text("depthsAVX2", "is the AVX2 twin of depths for z-buffering: lines is the first number of gradients.", "func(lines *float64, x, y int32, dst *float32)")
	g := Load(Param("lines"), GP64())
	x := Load(Param("x"), GP32())
	y := Load(Param("y"), GP32())
	dst := Load(Param("dst"), GP64())
	// The values of all lines at the first pixel: at + (dx*x + dy*y).
	vx, vy := YMM(), YMM()
	VMOVD(x, vx.AsX())
	VMOVD(y, vy.AsX())
	VPBROADCASTD(vx.AsX(), vx.AsX())
	VPBROADCASTD(vy.AsX(), vy.AsX())
	VCVTDQ2PD(vx.AsX(), vx)
	VCVTDQ2PD(vy.AsX(), vy)
	VMULPD(Mem{Base: g, Disp: linesDX}, vx, vx)
	VMULPD(Mem{Base: g, Disp: linesDY}, vy, vy)
	VADDPD(vy, vx, vx)
	VADDPD(Mem{Base: g, Disp: linesAt}, vx, vx)
	VCVTPD2PSY(vx, vx.AsX())
	VMOVUPS(vx.AsX(), Mem{Base: g, Disp: linesNow})
	v := fill(g, lineDepth, columns, rows)
	for k := range v {
		zero := YMM()
		VXORPS(zero, zero, zero)
		VMAXPS(zero, v[k], v[k]) // 0 for NaN: the second source wins
		VMINPS(dwords(float1), v[k], v[k])
		VMOVUPS(v[k], Mem{Base: dst, Disp: 32 * k})
	}
	VZEROUPPER()
	RET()
}

func interpolate() {
	text("interpolateAVX2", "is the AVX2 twin of Interpolate: v holds, for each run of blocks, the value at vertex 0, the differences to 1 and 2, and one number more; runs how many blocks it has.", "func(v *float32, runs *uint8, w1, w2, dst *float32, n int)")
	v := Load(Param("v"), GP64())
	runs := Load(Param("runs"), GP64())
	w1 := Load(Param("w1"), GP64())
	w2 := Load(Param("w2"), GP64())
	dst := Load(Param("dst"), GP64())
	n := Load(Param("n"), GP64())
	Label("run")
	a, d1, d2 := YMM(), YMM(), YMM()
	VBROADCASTSS(Mem{Base: v}, a)
	VBROADCASTSS(Mem{Base: v, Disp: 4}, d1)
	VBROADCASTSS(Mem{Base: v, Disp: 8}, d2)
	blocks := GP32()
	MOVBLZX(Mem{Base: runs}, blocks)
	Label("block")
	for k := range 2 {
		x, y := YMM(), YMM()
		VMULPS(Mem{Base: w1, Disp: 32 * k}, d1, x)
		VMULPS(Mem{Base: w2, Disp: 32 * k}, d2, y)
		VADDPS(x, a, x)
		VADDPS(y, x, x)
		VMOVUPS(x, Mem{Base: dst, Disp: 32 * k})
	}
	ADDQ(Imm(64), w1)
	ADDQ(Imm(64), w2)
	ADDQ(Imm(64), dst)
	DECL(blocks)
	JNZ(LabelRef("block"))
	ADDQ(Imm(16), v)
	INCQ(runs)
	DECQ(n)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	RET()
}

// slopes reads a component of the vertices of triangles.
func slopes() {
	text("slopesAVX2", "is slopes for n triangles: the component of vertex i lies at attributes[first+i*stride].", "func(attributes *float32, first, stride int, triangles *uint32, out *float32, n int)")
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
	VSUBSS(v[0], v[1], v[1])
	VSUBSS(v[0], v[2], v[2])
	VUNPCKLPS(v[1], v[0], v[0])
	VMOVLHPS(v[2], v[0], v[0])
	VMOVUPS(v[0], Mem{Base: out})
	ADDQ(Imm(12), triangles)
	ADDQ(Imm(16), out)
	DECQ(n)
	JNZ(LabelRef("triangle"))
	RET()
}

// interpolateQuads works on two quads at a time.
func interpolateQuads() {
	text("interpolateQuadsAVX2", "is the AVX2 twin of interpolateQuads: v holds, for each triangle, the value at vertex 0 and the differences to 1 and 2, face the triangle of each quad; quads is even.", "func(v *float32, face *uint8, w1, w2, dst *float32, quads int)")
	v := Load(Param("v"), GP64())
	face := Load(Param("face"), GP64())
	w1 := Load(Param("w1"), GP64())
	w2 := Load(Param("w2"), GP64())
	dst := Load(Param("dst"), GP64())
	n := Load(Param("quads"), GP64())
	Label("quads")
	i, j := GP32(), GP32()
	MOVBLZX(Mem{Base: face}, i)
	MOVBLZX(Mem{Base: face, Disp: 1}, j)
	SHLL(Imm(4), i)
	SHLL(Imm(4), j)
	p, a, x, y := YMM(), YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: v, Index: i.As64(), Scale: 1}, p.AsX())
	VINSERTF128(Imm(1), Mem{Base: v, Index: j.As64(), Scale: 1}, p, p)
	VPERMILPS(Imm(0x00), p, a)
	VPERMILPS(Imm(0x55), p, x)
	VPERMILPS(Imm(0xAA), p, y)
	VMULPS(Mem{Base: w1}, x, x)
	VMULPS(Mem{Base: w2}, y, y)
	VADDPS(x, a, x)
	VADDPS(y, x, x)
	VMOVUPS(x, Mem{Base: dst})
	ADDQ(Imm(2), face)
	ADDQ(Imm(32), w1)
	ADDQ(Imm(32), w2)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(2), n)
	JNZ(LabelRef("quads"))
	VZEROUPPER()
	RET()
}

// cover evaluates three edge functions, as integers.
func cover(columns, rows Mem) {
	text("coverAVX2", "is the AVX2 twin of cover: e holds the values of the three edges at the first pixel, their steps along x and those along y.", "func(e *int32) uint32")
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
