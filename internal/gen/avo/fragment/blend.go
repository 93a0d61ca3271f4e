package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// blendKernels makes the AVX2 forms of the additive blend equations.
func blendKernels() {
	kit.Text("blendAddVector", "func(d, s, sf, t, tf *uint8, sx, tx uint64, n int)", "is the AVX2 twin of blendAdd.")
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

// blendBounds makes the AVX2 forms of the other equations. A product of two bytes fits a word.
func blendBounds() {
	for _, k := range []struct {
		name string
		f    func(a, b VecVirtual) // the result is in a
	}{
		{"Subtract", func(a, b VecVirtual) { VPSUBUSW(b, a, a) }},
		{"Min", func(a, b VecVirtual) { VPMINUW(b, a, a) }},
		{"Max", func(a, b VecVirtual) { VPMAXUW(b, a, a) }},
	} {
		kit.Text("blend"+k.name+"Vector", "func(d, s, sf, t, tf *uint8, sx, tx uint64, n int)", "is the AVX2 twin of blend"+k.name+".")
		d := Load(Param("d"), GP64())
		s, sf := Load(Param("s"), GP64()), Load(Param("sf"), GP64())
		t, tf := Load(Param("t"), GP64()), Load(Param("tf"), GP64())
		sx, tx := broadcastW("sx"), broadcastW("tx")
		magic := words(0x8081)
		loop("loop", func(i Register) {
			product := func(p, f Register, x VecVirtual) VecVirtual {
				a := kit.In(YMM(), VPMOVZXBW, Mem{Base: p, Index: i, Scale: 1})
				b := kit.In(YMM(), VPMOVZXBW, Mem{Base: f, Index: i, Scale: 1})
				VPXOR(x, b, b)
				VPMULLW(b, a, a)
				return a
			}
			a, b := product(s, sf, sx), product(t, tf, tx)
			k.f(a, b)
			round255(a, magic, blendRounding)
			storeBytes(a, Mem{Base: d, Index: i, Scale: 1})
		})
	}
}

// broadcastB puts the low byte of a parameter into all bytes of a register.
func broadcastB(param string) VecVirtual {
	g := Load(Param(param), GP64())
	x := kit.In(XMM(), VMOVQ, g)
	VPBROADCASTB(x, x)
	return x
}

// logicOps makes the kernel of the logic operations. Each is a sum, without carries, of both operands, of either, and of a
// constant.
func logicOps() {
	kit.Text("logicVector", "func(d, s, t *uint8, both, source, dest, always uint64, n int)",
		"is the AVX2 twin of the logic operations: s&t&both ^ s&source ^ t&dest ^ always.")
	d, s, t := Load(Param("d"), GP64()), Load(Param("s"), GP64()), Load(Param("t"), GP64())
	both, source, dest, always := broadcastB("both"), broadcastB("source"), broadcastB("dest"), broadcastB("always")
	loop("loop", func(i Register) {
		a := kit.In(XMM(), VMOVDQU, Mem{Base: s, Index: i, Scale: 1})
		b := kit.In(XMM(), VMOVDQU, Mem{Base: t, Index: i, Scale: 1})
		x := kit.In(XMM(), VPAND, a, b)
		VPAND(both, x, x)
		VPAND(source, a, a)
		VPAND(dest, b, b)
		VPXOR(a, x, x)
		VPXOR(b, x, x)
		VPXOR(always, x, x)
		VMOVDQU(x, Mem{Base: d, Index: i, Scale: 1})
	})
}

// stencil makes the kernels of the stencil test, which work on a block.
func stencil() {
	kit.Text("stencilTestVector", "func(old *uint8, ref, read uint64) uint64",
		"compares ref with 16 stencil values, both under the mask read: bits 0-15 less, bits 16-31 equal.")
	old := Load(Param("old"), GP64())
	ref, read := broadcastB("ref"), broadcastB("read")
	v, top, less, equal := XMM(), XMM(), GP64(), GP64()
	VPAND(Mem{Base: old}, read, v)
	VPAND(read, ref, ref)
	VPCMPEQB(ref, v, top)
	VPMOVMSKB(top, equal.As32())
	VPMAXUB(ref, v, top)
	VPCMPEQB(ref, top, top) // the reference is greater or equal
	VPMOVMSKB(top, less.As32())
	XORL(U32(0xFFFF), less.As32())
	SHLQ(Imm(16), equal)
	ORQ(equal, less)
	Store(less, ReturnIndex(0))
	RET()

	kit.Text("stencilUpdateVector", "func(old, now, p *uint8, write uint64)",
		"applies an operation, given as stencilSteps, to 16 stencil values, in the bits of write.")
	old, now, p := Load(Param("old"), GP64()), Load(Param("now"), GP64()), Load(Param("p"), GP64())
	write := broadcastB("write")
	step := func(i int) VecVirtual {
		return kit.In(XMM(), VPBROADCASTB, Mem{Base: p, Disp: i})
	}
	o := kit.In(XMM(), VMOVDQU, Mem{Base: old})
	x := kit.In(XMM(), VPAND, step(0), o)
	VPADDUSB(step(1), x, x)
	VPSUBUSB(step(2), x, x)
	VPADDB(step(3), x, x)
	VPXOR(step(4), x, x)
	VPAND(write, x, x)
	VPANDN(o, write, o)
	VPOR(o, x, x)
	VMOVDQU(x, Mem{Base: now})
	RET()
}
