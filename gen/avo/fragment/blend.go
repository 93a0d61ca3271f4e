package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// blendKernels makes the twins of the blend equations that add.
func blendKernels() {
	kit.Text("blendAddAVX2", "func(d, s, sf, t, tf *uint8, sx, tx uint64, n int)")
	Doc("blendAddAVX2 is the AVX2 twin of blendAdd.")
	d := Load(Param("d"), GP64())
	s := Load(Param("s"), GP64())
	sf := Load(Param("sf"), GP64())
	t := Load(Param("t"), GP64())
	tf := Load(Param("tf"), GP64())
	sx, tx := broadcastW("sx"), broadcastW("tx")
	magic := words(0x8081)
	loop("loop", func(i Register) {
		a, f, b, g := YMM(), YMM(), YMM(), YMM()
		VPMOVZXBW(Mem{Base: s, Index: i, Scale: 1}, a)
		VPMOVZXBW(Mem{Base: sf, Index: i, Scale: 1}, f)
		VPXOR(sx, f, f)
		VPMOVZXBW(Mem{Base: t, Index: i, Scale: 1}, b)
		VPMOVZXBW(Mem{Base: tf, Index: i, Scale: 1}, g)
		VPXOR(tx, g, g)
		// a*f + b*g in 32 bits. Sums beyond 65535 saturate there, and so does
		// adding the rounding: their 255th part is above 255 as well.
		v, w, lo, hi := YMM(), YMM(), YMM(), YMM()
		VPUNPCKLWD(b, a, v)
		VPUNPCKLWD(g, f, w)
		VPMADDWD(v, w, lo)
		VPUNPCKHWD(b, a, v)
		VPUNPCKHWD(g, f, w)
		VPMADDWD(v, w, hi)
		VPACKUSDW(hi, lo, lo)
		round255(lo, magic, blendRounding)
		storeBytes(lo, Mem{Base: d, Index: i, Scale: 1})
	})
}
