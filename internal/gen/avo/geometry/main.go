// Command geometry generates the AVX2 kernels of the geometry stage. Run it through go generate in the folder geometry.
//
// The kernels give the same bits as their definitions in plain Go (fetch.go, outmap.go, clip.go and viewport.go there). They
// process eight vertices at a time.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	fetchKernels()
	storeRows()
	saturate()
	locate()
	cull()
	kit.GenerateForAll()
}

// rowBytes is the size of a shaderunit.Row.
const rowBytes = 64 * 4

// Bit patterns of float32.
const (
	absMask     = 0x7FFFFFFF
	mantissaCut = 0xFFFFFF80       // the mantissa bits kept in float24
	minNormal   = (127 - 62) << 23 // the least normal float24
	overflow    = (127 + 64) << 23 // the least number that overflows
	one         = 0x3F800000
	minusOne    = 0xBF800000
	half        = 0x3F000000
	sixteen     = 0x41800000 // subpixels
	limit       = 0x47800000 // guardPixels * subpixels, 65536
	minusLimit  = 0xC7800000
	tolerance   = 0x322BCC77 // depthTolerance, 1e-8
	minusTol    = 0xB22BCC77
)

// Comparisons of VCMPPS.
const (
	lessOrdered = 17 // LT_OQ
	greater     = 30 // GT_OQ
	notEqual    = 4  // NEQ_UQ
	notAtLeast  = 25 // NGE_UQ: less, or not a number
)

func dwords(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

func constant(v uint32) VecVirtual {
	return kit.In(YMM(), VMOVUPS, dwords(v))
}

// eights runs the body for every eight of n vertices; n is a positive multiple of 8.
func eights(n Register, body func()) {
	Label("loop")
	body()
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
}

// transpose transposes eight lanes of four numbers: the first result holds vertices 0 and 4, the second 1 and 5.
func transpose(x, y, z, w VecVirtual) (v [4]VecVirtual) {
	xy := kit.In(YMM(), VUNPCKLPS, y, x)
	zw := kit.In(YMM(), VUNPCKLPS, w, z)
	v[0], v[1] = YMM(), YMM()
	VUNPCKLPD(zw, xy, v[0])
	VUNPCKHPD(zw, xy, v[1])
	xy, zw = YMM(), YMM()
	VUNPCKHPS(y, x, xy)
	VUNPCKHPS(w, z, zw)
	v[2], v[3] = YMM(), YMM()
	VUNPCKLPD(zw, xy, v[2])
	VUNPCKHPD(zw, xy, v[3])
	return v
}

// storeRows makes the kernel that writes four components of vertices.
func storeRows() {
	kit.Text("storeRowsVector", "func(dst *float32, stride int, x, y, z, w *float32, n int)",
		"writes four numbers for each of n vertices, a multiple of 8, to rows that lie stride bytes apart.")
	dst, stride := Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	var src [4]Register
	for c, name := range []string{"x", "y", "z", "w"} {
		src[c] = Load(Param(name), GP64())
	}
	n := Load(Param("n"), GP64())
	eights(n, func() {
		var x [4]VecVirtual
		for c := range x {
			x[c] = kit.In(YMM(), VMOVUPS, Mem{Base: src[c]})
			ADDQ(Imm(32), src[c])
		}
		v := transpose(x[0], x[1], x[2], x[3])
		for _, y := range v {
			VMOVUPS(y.AsX(), Mem{Base: dst})
			ADDQ(stride, dst)
		}
		for _, y := range v {
			VEXTRACTF128(Imm(1), y, Mem{Base: dst})
			ADDQ(stride, dst)
		}
	})
	kit.Leave()
}

// saturate makes the kernel that clamps vertex colours.
func saturate() {
	kit.Text("saturateVector", "func(dst, src *float32)", "is saturateColor for a row of 64.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	abs, top := constant(absMask), constant(one)
	for i := range 8 {
		y := kit.In(YMM(), VANDPS, Mem{Base: src, Disp: 32 * i}, abs)
		VMINPS(top, y, y) // 1 if y is NaN
		VMOVUPS(y, Mem{Base: dst, Disp: 32 * i})
	}
	kit.Leave()
}
