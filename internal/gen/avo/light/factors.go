package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// factorKernels makes the kernels of single planes.
func factorKernels() {
	kernel("oneSided", "d *float32, x *float32", func() {
		d, x, null := pointer("d"), pointer("x"), zero()
		loop(func(i Register) { store(above(load(x, i, 0), null), d, i, 0) })
	})

	kernel("twoSided", "d *float32, x *float32", func() {
		d, x, sign := pointer("d"), pointer("x"), fill(0x7FFFFFFF)
		loop(func(i Register) { store(and(at(x, i, 0), sign), d, i, 0) })
	})

	kernel("scaleBias", "d *float32, x *float32, scale float32, bias float32", func() {
		d, x := pointer("d"), pointer("x")
		k, b := scalar("scale"), scalar("bias")
		loop(func(i Register) { store(add(mul(at(x, i, 0), k), b), d, i, 0) })
	})

	kernel("mul", "d *float32, a *float32, b *float32", func() {
		d, a, b := pointer("d"), pointer("a"), pointer("b")
		loop(func(i Register) { store(mul(load(a, i, 0), load(b, i, 0)), d, i, 0) })
	})

	kernel("fill", "d *float32, v float32", func() {
		d, v := pointer("d"), scalar("v")
		loop(func(i Register) { store(v, d, i, 0) })
	})

	kernel("geometricFactor", "d *float32, lit *float32, sq *float32", func() {
		d, lit, sq := pointer("d"), pointer("lit"), pointer("sq")
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			s := load(sq, i, 0)
			g := below(div(load(lit, i, 0), s), one)
			store(keep(g, s, null, notEqual), d, i, 0)
		})
	})

	kernel("clampHighlight", "d *float32, x *float32, lit *float32", func() {
		d, x, lit, null := pointer("d"), pointer("x"), pointer("lit"), zero()
		loop(func(i Register) {
			store(keep(load(x, i, 0), load(lit, i, 0), null, notEqual), d, i, 0)
		})
	})

	kernel("shadowFactor", "d *float32, c *uint8, flip uint32", func() {
		d, c := pointer("d"), pointer("c")
		flip, top := broadcast("flip"), fill(float255)
		loop(func(i Register) {
			y := bytesToWords(Mem{Base: c, Index: i, Scale: 1})
			store(div(toFloat(xor(y, flip)), top), d, i, 0)
		})
	})

	kernel("toByte", "d *uint8, x *float32", func() {
		d, x := pointer("d"), pointer("x")
		one, null, top := fill(floatOne), zero(), fill(float255)
		byteLoop(d, func(i Register, h int) VecVirtual {
			return truncate(mul(below(above(loadFrom(half(x, i, h)), null), one), top))
		})
	})
}
