package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// combineBody holds the registers of a combiner kernel: 64 bytes wide with AVX-512, 32 without it or, for the last lanes, 16.
type combineBody struct {
	new   func() VecVirtual
	wide  bool
	magic VecVirtual
}

// constant is a word in all words of a register, as an operand.
func (k combineBody) constant(v uint16) Op {
	if !k.wide {
		return wordsMem(v)
	}
	y := k.new()
	VPBROADCASTD(wordsMem(v), y)
	return y
}

func (k combineBody) xor(a, b Op, out VecVirtual) {
	if k.wide {
		VPXORD(a, b, out)
	} else {
		VPXOR(a, b, out)
	}
}

func (k combineBody) and(a, b Op, out VecVirtual) {
	if k.wide {
		VPANDD(a, b, out)
	} else {
		VPAND(a, b, out)
	}
}

func (k combineBody) move(from, to Op) {
	if k.wide {
		VMOVDQU32(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

// words interleaves the bytes of a with those of b into two registers of words.
func (k combineBody) words(a, b VecVirtual) (out [2]VecVirtual) {
	out = [2]VecVirtual{k.new(), k.new()}
	VPUNPCKLBW(b, a, out[0])
	VPUNPCKHBW(b, a, out[1])
	return out
}

func (k combineBody) zero() VecVirtual {
	y := k.new()
	if k.wide {
		VPBROADCASTD(wordsMem(0), y)
	} else {
		VPXOR(y, y, y)
	}
	return y
}

// quotients adds bias to words, divides by 255 and returns bytes, rounded to nearest.
func (k combineBody) quotients(x [2]VecVirtual, bias uint16) VecVirtual {
	for _, y := range x {
		VPADDW(k.constant(bias), y, y)
		divide255(y, k.magic)
	}
	VPACKUSWB(x[1], x[0], x[0])
	return x[0]
}

// product is a*b/255.
func (k combineBody) product(a, b VecVirtual) VecVirtual {
	zero := k.zero()
	x, y := k.words(a, zero), k.words(b, zero)
	for h := range x {
		VPMULLW(x[h], y[h], x[h])
	}
	return k.quotients(x, texEnvRounding)
}

// combineKernels makes a kernel for each combiner function: d = f(a^xa, b^xb, c^xc) << shift, saturated.
func combineKernels() {
	for _, k := range []struct {
		name string
		args int
		// f works on bytes, and may change its arguments.
		f func(k combineBody, a, b, c VecVirtual) VecVirtual
	}{
		{"Replace", 1, func(k combineBody, a, b, c VecVirtual) VecVirtual { return a }},
		{"Modulate", 2, func(k combineBody, a, b, c VecVirtual) VecVirtual { return k.product(a, b) }},
		{"Add", 2, func(k combineBody, a, b, c VecVirtual) VecVirtual {
			VPADDUSB(a, b, a)
			return a
		}},
		{"AddSigned", 2, func(k combineBody, a, b, c VecVirtual) VecVirtual {
			// If b is below 128, the difference is subtracted; if above, it is added.
			less := k.new()
			k.move(k.constant(0x8080), less)
			VPSUBUSB(b, less, less)
			VPSUBUSB(k.constant(0x8080), b, b)
			VPSUBUSB(less, a, a)
			VPADDUSB(b, a, a)
			return a
		}},
		{"Subtract", 2, func(k combineBody, a, b, c VecVirtual) VecVirtual {
			VPSUBUSB(b, a, a)
			return a
		}},
		{"Interpolate", 3, func(k combineBody, a, b, c VecVirtual) VecVirtual {
			// (a-128)c + (b-128)(255-c) is the result minus 128*255, and fits a word.
			k.xor(k.constant(0x8080), a, a)
			k.xor(k.constant(0x8080), b, b)
			rest := k.new()
			k.xor(k.constant(0xFFFF), c, rest)
			x, y := k.words(a, b), k.words(c, rest)
			for h := range x {
				VPMADDUBSW(x[h], y[h], x[h])
			}
			return k.quotients(x, 128*255+texEnvRounding)
		}},
		{"MultiplyAdd", 3, func(k combineBody, a, b, c VecVirtual) VecVirtual {
			a = k.product(a, b)
			VPADDUSB(c, a, a)
			return a
		}},
		{"AddMultiply", 3, func(k combineBody, a, b, c VecVirtual) VecVirtual {
			VPADDUSB(b, a, a)
			return k.product(a, c)
		}},
	} {
		names := [3]string{"a", "b", "c"}
		sig, xors := "func(d *uint8", ""
		for _, a := range names[:k.args] {
			sig += ", " + a + " *uint8"
			xors += ", x" + a + " uint64"
		}
		kit.Text("combine"+k.name+"Vector", sig+xors+", shift uint64, n int)", "is the AVX2 twin of combine"+k.name+" for one channel.")
		d := Load(Param("d"), GP64())
		var p [3]Register
		var x [3]VecVirtual
		for j, a := range names[:k.args] {
			p[j] = Load(Param(a), GP64())
			g := Load(Param("x"+a), GP64())
			x[j] = YMM()
			VMOVQ(g, x[j].AsX())
			VPBROADCASTB(x[j].AsX(), x[j])
		}
		// A shift doubles the value or not: the doubled value is added to itself or not.
		s := Load(Param("shift"), GP64())
		shift := YMM()
		VMOVQ(s, shift.AsX())
		VPBROADCASTB(shift.AsX(), shift)
		var doubled [2]VecVirtual
		for j := range doubled {
			doubled[j] = kit.In(YMM(), VPCMPGTB, kit.Repeat("words", 2, 0x0101*uint32(j)), shift)
		}
		magic := words(0x8081)
		n, i := Load(Param("n"), GP64()), GP64()
		body := func(b combineBody, as func(VecVirtual) VecVirtual) {
			b.magic = as(magic)
			var v [3]VecVirtual
			for j := range k.args {
				v[j] = b.new()
				b.xor(Mem{Base: p[j], Index: i, Scale: 1}, as(x[j]), v[j])
			}
			out := k.f(b, v[0], v[1], v[2])
			for j := range doubled {
				more := b.new()
				b.and(as(doubled[j]), out, more)
				VPADDUSB(more, out, out)
			}
			b.move(out, Mem{Base: d, Index: i, Scale: 1})
		}
		XORQ(i, i)
		kit.IfWide("wide")
		JMP(LabelRef("narrow"))
		Label("wide")
		SUBQ(Imm(64), n)
		JLT(LabelRef("rest"))
		wider := map[VecVirtual]VecVirtual{}
		for _, y := range append([]VecVirtual{magic, doubled[0], doubled[1]}, x[:k.args]...) {
			wider[y] = kit.In(ZMM(), VPBROADCASTD, y.AsX())
		}
		Label("wideLoop")
		body(combineBody{new: func() VecVirtual { return ZMM() }, wide: true}, func(y VecVirtual) VecVirtual { return wider[y] })
		ADDQ(Imm(64), i)
		CMPQ(i, n)
		JLE(LabelRef("wideLoop"))
		Label("rest")
		ADDQ(Imm(64), n)
		Label("narrow")
		SUBQ(Imm(32), n)
		CMPQ(i, n)
		JGT(LabelRef("last"))
		Label("loop")
		body(combineBody{new: func() VecVirtual { return YMM() }}, func(y VecVirtual) VecVirtual { return y })
		ADDQ(Imm(32), i)
		CMPQ(i, n)
		JLE(LabelRef("loop"))
		Label("last") // 16 lanes, or none
		TESTQ(U32(16), n)
		JZ(LabelRef("end"))
		body(combineBody{new: func() VecVirtual { return XMM() }}, func(y VecVirtual) VecVirtual { return y.AsX().(VecVirtual) })
		Label("end")
		kit.Leave()
	}
}

// combineDot3 makes the kernel of the dot product: the sum of three products by dot3Product, << shift, saturated. The three bytes
// of xa and xb invert the channels.
func combineDot3() {
	kit.Text("combineDot3Vector", "func(d, a0, a1, a2, b0, b1, b2 *uint8, xa, xb, shift uint64, n int)", "is the AVX2 twin of combineDot3.")
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
	sx := kit.In(XMM(), VMOVQ, s)
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
