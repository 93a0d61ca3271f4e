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

// fill evaluates a gradient, three floats at p+disp, for the 16 pixels of a
// block, adding in the order of the plain form: rows first, then columns.
func fill(p Register, disp int, columns, rows Mem) [2]VecVirtual {
	at, dx, dy := XMM(), XMM(), XMM()
	VMOVSS(Mem{Base: p, Disp: disp}, at)
	VMOVSS(Mem{Base: p, Disp: disp + 4}, dx)
	VMOVSS(Mem{Base: p, Disp: disp + 8}, dy)
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
	text("weightsAVX2", "is the AVX2 twin of weights: p holds value and steps of the sum and of both numerators.", "func(p, w1, w2 *float32)")
	p := Load(Param("p"), GP64())
	w1 := Load(Param("w1"), GP64())
	w2 := Load(Param("w2"), GP64())
	s := fill(p, 0, columns, rows)
	one := YMM()
	VMOVUPS(dwords(float1), one)
	for k := range s {
		VDIVPS(s[k], one, s[k])
	}
	for i, w := range []Register{w1, w2} {
		v := fill(p, 12*(i+1), columns, rows)
		for k := range v {
			VMULPS(s[k], v[k], v[k])
			VMOVUPS(v[k], Mem{Base: w, Disp: 32 * k})
		}
	}
	VZEROUPPER()
	RET()
}

func depths(columns, rows Mem) {
	text("depthsAVX2", "is the AVX2 twin of depths for z-buffering.", "func(p, dst *float32)")
	p := Load(Param("p"), GP64())
	dst := Load(Param("dst"), GP64())
	v := fill(p, 0, columns, rows)
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
	text("interpolateAVX2", "is the AVX2 twin of Interpolate: v holds, for each block, the value at vertex 0 and the differences to 1 and 2.", "func(v, w1, w2, dst *float32, blocks int)")
	v := Load(Param("v"), GP64())
	w1 := Load(Param("w1"), GP64())
	w2 := Load(Param("w2"), GP64())
	dst := Load(Param("dst"), GP64())
	n := Load(Param("blocks"), GP64())
	Label("block")
	a, d1, d2 := YMM(), YMM(), YMM()
	VBROADCASTSS(Mem{Base: v}, a)
	VBROADCASTSS(Mem{Base: v, Disp: 4}, d1)
	VBROADCASTSS(Mem{Base: v, Disp: 8}, d2)
	for k := range 2 {
		x, y := YMM(), YMM()
		VMULPS(Mem{Base: w1, Disp: 32 * k}, d1, x)
		VMULPS(Mem{Base: w2, Disp: 32 * k}, d2, y)
		VADDPS(x, a, x)
		VADDPS(y, x, x)
		VMOVUPS(x, Mem{Base: dst, Disp: 32 * k})
	}
	ADDQ(Imm(12), v)
	ADDQ(Imm(64), w1)
	ADDQ(Imm(64), w2)
	ADDQ(Imm(64), dst)
	DECQ(n)
	JNZ(LabelRef("block"))
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
