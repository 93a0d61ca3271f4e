package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"pica200/gen/avo/kit"
)

// quadKernels makes the kernels that move quads between a batch of blocks and a condensed one.
func quadKernels() {
	kit.Text("gatherQuadsVector", "func(dst, src *float32, from *uint8, n int)")
	Doc("gatherQuadsVector is the AVX2 twin of gatherQuads, for four planes that lie one after the other.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	from, n := Load(Param("from"), GP64()), Load(Param("n"), GP64())
	at := GP64()
	Label("loop")
	MOVBLZX(Mem{Base: from}, at.As32())
	SHLQ(Imm(4), at)
	for p := range 4 {
		v := XMM()
		VMOVUPS(Mem{Base: src, Index: at, Scale: 1, Disp: p * planeSize}, v)
		VMOVUPS(v, Mem{Base: dst, Disp: p * planeSize})
	}
	ADDQ(Imm(16), dst)
	INCQ(from)
	DECQ(n)
	JNZ(LabelRef("loop"))
	RET()

	kit.Text("scatterQuadsVector", "func(dst, src, from *uint8, n int)")
	Doc("scatterQuadsVector is the AVX2 twin of scatterQuads.")
	dst, src = Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	from, n = Load(Param("from"), GP64()), Load(Param("n"), GP64())
	at, v := GP64(), GP32()
	Label("loop")
	MOVBLZX(Mem{Base: from}, at.As32())
	MOVL(Mem{Base: src}, v)
	MOVL(v, Mem{Base: dst, Index: at, Scale: 4})
	ADDQ(Imm(4), src)
	INCQ(from)
	DECQ(n)
	JNZ(LabelRef("loop"))
	RET()
}
