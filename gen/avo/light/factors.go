package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// factorKernels makes the kernels of single planes.
func factorKernels() {
	kernel("oneSided", "d *float32, x *float32")
	d, x := pointer("d"), pointer("x")
	null := zero()
	loop(func(i Register) { store(above(load(x, i, 0), null), d, i, 0) })

	kernel("twoSided", "d *float32, x *float32")
	d, x = pointer("d"), pointer("x")
	sign := fill(0x7FFFFFFF)
	loop(func(i Register) { store(and(at(x, i, 0), sign), d, i, 0) })

	kernel("scaleBias", "d *float32, x *float32, scale float32, bias float32")
	d, x = pointer("d"), pointer("x")
	k, b := scalar("scale"), scalar("bias")
	loop(func(i Register) { store(add(mul(at(x, i, 0), k), b), d, i, 0) })

	kernel("mul", "d *float32, a *float32, b *float32")
	d, x = pointer("d"), pointer("a")
	y := pointer("b")
	loop(func(i Register) { store(mul(load(x, i, 0), load(y, i, 0)), d, i, 0) })

	kernel("fill", "d *float32, v float32")
	d = pointer("d")
	v := scalar("v")
	loop(func(i Register) { store(v, d, i, 0) })

	kernel("geometricFactor", "d *float32, lit *float32, sq *float32")
	d, x = pointer("d"), pointer("lit")
	sq, one, null := pointer("sq"), fill(floatOne), zero()
	loop(func(i Register) {
		s := load(sq, i, 0)
		g := below(div(load(x, i, 0), s), one)
		store(and(g, compare(s, null, notEqual)), d, i, 0)
	})

	kernel("clampHighlight", "d *float32, x *float32, lit *float32")
	d, x = pointer("d"), pointer("x")
	lit, null := pointer("lit"), zero()
	loop(func(i Register) {
		store(and(at(x, i, 0), compare(load(lit, i, 0), null, notEqual)), d, i, 0)
	})

	kernel("shadowFactor", "d *float32, c *uint8, flip uint32")
	d, x = pointer("d"), pointer("c")
	flip := Load(Param("flip"), GP32())
	f, top := YMM(), fill(float255)
	VMOVD(flip, f.AsX())
	VPBROADCASTD(f.AsX(), f)
	loop(func(i Register) {
		y := YMM()
		VPMOVZXBD(Mem{Base: x, Index: i, Scale: 1}, y)
		VPXOR(f, y, y)
		VCVTDQ2PS(y, y)
		store(div(y, top), d, i, 0)
	})

	kernel("toByte", "d *uint8, x *float32")
	d, x = pointer("d"), pointer("x")
	kit.IfWide("wide")
	one, null, top = fill(floatOne), zero(), fill(float255)
	loopBy(16, func(i Register) {
		var y [2]VecVirtual
		for h := range y {
			v := YMM()
			VMOVUPS(Mem{Base: x, Index: i, Scale: 4, Disp: h * 32}, v)
			y[h] = mul(below(above(v, null), one), top)
			VCVTTPS2DQ(y[h], y[h])
		}
		storeBytes(y[0], y[1], Mem{Base: d, Index: i, Scale: 1})
	})
	Label("wide")
	one, null, top = ZMM(), ZMM(), ZMM()
	VBROADCASTSS(memory(floatOne), one)
	VBROADCASTSS(memory(0), null)
	VBROADCASTSS(memory(float255), top)
	loopAt("loopWide", 16, func(i Register) {
		v := ZMM()
		VMOVUPS(Mem{Base: x, Index: i, Scale: 4}, v)
		VMAXPS(null, v, v)
		VMINPS(one, v, v)
		VMULPS(top, v, v)
		VCVTTPS2DQ(v, v)
		VPMOVDB(v, Mem{Base: d, Index: i, Scale: 1})
	})
}
