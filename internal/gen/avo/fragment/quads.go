package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// quadKernels makes the kernels that move quads between a batch of blocks and a compacted one.
func quadKernels() {
	kit.Text("gatherQuadsVector", "func(dst, src *float32, from *uint8, n int)",
		"is the AVX2 twin of gatherQuads, for four planes that lie one after the other.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	from, n := Load(Param("from"), GP64()), Load(Param("n"), GP64())
	at := GP64()
	Label("loop")
	MOVBLZX(Mem{Base: from}, at.As32())
	SHLQ(Imm(4), at)
	for p := range 4 {
		v := kit.In(XMM(), VMOVUPS, Mem{Base: src, Index: at, Scale: 1, Disp: p * planeSize})
		VMOVUPS(v, Mem{Base: dst, Disp: p * planeSize})
	}
	ADDQ(Imm(16), dst)
	INCQ(from)
	DECQ(n)
	JNZ(LabelRef("loop"))
	RET()

	kit.Text("scatterQuadsVector", "func(dst, src, from *uint8, n int)", "is the AVX2 twin of scatterQuads.")
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
	copyKernels()
}

// copyKernels makes the kernels that put the quads of a packed batch back into blocks: a list of struct quadMove, of four bytes.
func copyKernels() {
	begin := func(name, of string) (dst, src, moves, n, from, to, pixels Register) {
		kit.Text(name+"Vector", "func(dst, src *"+of+", moves *uint8, n int)", "is the AVX2 twin of "+name+".")
		dst, src = Load(Param("dst"), GP64()), Load(Param("src"), GP64())
		moves, n = Load(Param("moves"), GP64()), Load(Param("n"), GP64())
		from, to, pixels = GP64(), GP64(), GP64()
		return
	}
	loop := func(moves, n, from, to, pixels Register, body func()) {
		Label("loop")
		MOVBLZX(Mem{Base: moves}, from.(GPVirtual).As32())
		MOVBLZX(Mem{Base: moves, Disp: 1}, to.(GPVirtual).As32())
		MOVBLZX(Mem{Base: moves, Disp: 2}, pixels.(GPVirtual).As32())
		body()
		ADDQ(Imm(4), moves)
		DECQ(n)
		JNZ(LabelRef("loop"))
		RET()
	}
	wide, narrow := make([]uint32, 16*4), make([]uint32, 16)
	for i := range 16 {
		for bit := range 4 {
			if i>>bit&1 != 0 {
				wide[4*i+bit] = 0xFFFFFFFF
				narrow[i] |= 0xFF << (8 * bit)
			}
		}
	}

	dst, src, moves, n, from, to, pixels := begin("copyDepths", "float32")
	table := kit.In(GP64(), LEAQ, kit.Dwords("quadPixels", wide...))
	loop(moves, n, from, to, pixels, func() {
		SHLQ(Imm(4), from)
		SHLQ(Imm(4), to)
		SHLQ(Imm(4), pixels)
		mask, v, at := XMM(), XMM(), Mem{Base: dst, Index: to, Scale: 1}
		VMOVUPS(Mem{Base: table, Index: pixels, Scale: 1}, mask)
		VMOVUPS(at, v)
		VBLENDVPS(mask, Mem{Base: src, Index: from, Scale: 1}, v, v)
		VMOVUPS(v, at)
	})

	dst, src, moves, n, from, to, pixels = begin("copyBytes", "uint8")
	table = kit.In(GP64(), LEAQ, kit.Dwords("quadPixelBytes", narrow...))
	loop(moves, n, from, to, pixels, func() {
		v, at := GP32(), Mem{Base: dst, Index: to, Scale: 4}
		MOVL(Mem{Base: src, Index: from, Scale: 4}, v)
		XORL(at, v)
		ANDL(Mem{Base: table, Index: pixels, Scale: 4}, v)
		XORL(v, at)
	})
}
