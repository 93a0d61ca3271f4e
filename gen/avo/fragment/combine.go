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
			round255(a, magic, texEnvRounding)
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
			round255(a, magic, texEnvRounding)
			return a
		}, 255},
		{"MultiplyAdd", 3, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPMULLW(a, b, a)
			round255(a, magic, texEnvRounding)
			VPADDW(a, c, a)
			return a
		}, 0},
		{"AddMultiply", 3, func(a, b, c, magic, k VecVirtual) VecVirtual {
			VPADDW(a, b, a)
			VPMINUW(k, a, a)
			VPMULLW(a, c, a)
			round255(a, magic, texEnvRounding)
			return a
		}, 255},
	} {
		names := [3]string{"a", "b", "c"}
		sig, xors := "func(d *uint8", ""
		for _, a := range names[:k.args] {
			sig += ", " + a + " *uint8"
			xors += ", x" + a + " uint64"
		}
		kit.Text("combine"+k.name+"Vector", sig+xors+", shift uint64, n int)")
		Doc("combine" + k.name + "Vector is the AVX2 twin of combine" + k.name + " for one channel.")
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

// combineDot3 makes the kernel of the dot product: the sum of three products
// as dot3Product has them, << shift, saturated. The three bytes of xa and xb
// are what the channels are xored with.
func combineDot3() {
	kit.Text("combineDot3Vector", "func(d, a0, a1, a2, b0, b1, b2 *uint8, xa, xb, shift uint64, n int)")
	Doc("combineDot3Vector is the AVX2 twin of combineDot3.")
	d := Load(Param("d"), GP64())
	var p [3][2]Register
	var x [3][2]VecVirtual
	for j, side := range []string{"a", "b"} {
		g := Load(Param("x"+side), GP64())
		for ch := range p {
			p[ch][j] = Load(Param(side+string(rune('0'+ch))), GP64())
			x[ch][j] = YMM()
			VMOVQ(g, x[ch][j].AsX())
			VPBROADCASTB(x[ch][j].AsX(), x[ch][j])
			VPSRLW(Imm(8), x[ch][j], x[ch][j]) // one byte a word
			SHRQ(Imm(8), g)
		}
	}
	s := Load(Param("shift"), GP64())
	sx := XMM()
	VMOVQ(s, sx)
	magic := words(0x8081)
	loop("loop", func(i Register) {
		sum := YMM()
		for ch := range p {
			var mag, sign [2]VecVirtual
			for j := range mag {
				v, n := YMM(), YMM()
				VPMOVZXBW(Mem{Base: p[ch][j], Index: i, Scale: 1}, v)
				VPXOR(x[ch][j], v, v)
				VPADDW(v, v, v)
				VPSUBW(wordsMem(255), v, v)
				VPSRAW(Imm(15), v, n)
				VPXOR(n, v, v)
				mag[j], sign[j] = v, n
			}
			q := mag[0]
			VPMULLW(mag[1], q, q)
			round255(q, magic, roundNearest)
			VPXOR(sign[0], q, q)
			VPXOR(sign[1], q, q)
			if ch == 0 {
				sum = q
			} else {
				VPADDW(q, sum, sum)
			}
		}
		zero := YMM()
		VPXOR(zero, zero, zero)
		VPMAXSW(zero, sum, sum)
		VPSLLW(sx, sum, sum)
		storeBytes(sum, Mem{Base: d, Index: i, Scale: 1})
	})
}
