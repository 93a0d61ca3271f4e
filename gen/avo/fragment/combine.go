package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// combineKernels makes a kernel for each function of the combiner stages:
// d = f(a^xa, b^xb, c^xc) << shift, saturated.
func combineKernels() {
	for _, k := range []struct {
		name string
		args int
		// f works on words, and may change its arguments; it returns the
		// result, at most 510.
		f func(a, b, c, magic, k VecVirtual) VecVirtual
		// constant is handed to f in k.
		constant uint16
	}{
		{"Replace", 1, func(a, b, c, magic, k VecVirtual) VecVirtual { return a }, 0},
		{"Modulate", 2, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPMULLW(a, b, a)
			divide255(a, magic)
			return a
		}, 0},
		{"Add", 2, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPADDW(a, b, a)
			return a
		}, 0},
		{"AddSigned", 2, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPADDW(a, b, a)
			VPSUBUSW(k, a, a)
			return a
		}, 128},
		{"Subtract", 2, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPSUBUSW(b, a, a)
			return a
		}, 0},
		{"Interpolate", 3, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPMULLW(a, c, a)
			VPXOR(k, c, c) // 255 - c
			VPMULLW(b, c, b)
			VPADDW(a, b, a)
			divide255(a, magic)
			return a
		}, 255},
		{"MultiplyAdd", 3, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPMULLW(a, b, a)
			divide255(a, magic)
			VPADDW(a, c, a)
			return a
		}, 0},
		{"AddMultiply", 3, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPADDW(a, b, a)
			VPMINUW(k, a, a)
			VPMULLW(a, c, a)
			divide255(a, magic)
			return a
		}, 255},
	} {
		names := [3]string{"a", "b", "c"}
		sig, xors := "func(d *uint8", ""
		for _, a := range names[:k.args] {
			sig += ", " + a + " *uint8"
			xors += ", x" + a + " uint64"
		}
		kit.Text("combine"+k.name+"AVX2", sig+xors+", shift uint64, n int)")
		Doc("combine" + k.name + "AVX2 is the AVX2 twin of combine" + k.name + " for one channel.")
		d := Load(Param("d"), GP64())
		var p [3]Register
		var x [3]VecVirtual
		for j, a := range names[:k.args] {
			p[j] = Load(Param(a), GP64())
			x[j] = broadcastW("x" + a)
		}
		s := Load(Param("shift"), GP64())
		sx := XMM()
		VMOVQ(s, sx)
		magic := words(0x8081)
		constant := magic
		if k.constant != 0 {
			constant = words(k.constant)
		}
		loop("loop", func(i Register) {
			var v [3]VecVirtual
			for j := range k.args {
				v[j] = YMM()
				VPMOVZXBW(Mem{Base: p[j], Index: i, Scale: 1}, v[j])
				VPXOR(x[j], v[j], v[j])
			}
			out := k.f(v[0], v[1], v[2], magic, constant)
			VPSLLW(sx, out, out)
			storeBytes(out, Mem{Base: d, Index: i, Scale: 1})
		})
	}
}
