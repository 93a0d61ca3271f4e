package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sumKernels makes the kernels that add a light to a colour, and the kernel of fog.
func sumKernels() {
	colors := func(prefix string) [3]VecVirtual {
		return [3]VecVirtual{scalar(prefix + "r"), scalar(prefix + "g"), scalar(prefix + "b")}
	}

	kernel("addDiffuse", "sum *float32, lit *float32, atten *float32, dr float32, dg float32, db float32, ar float32, ag float32, ab float32", func() {
		sum, lit, atten := pointer("sum"), pointer("lit"), pointer("atten")
		kd, ka := colors("d"), colors("a")
		loop(func(i Register) {
			l, a := load(lit, i, 0), load(atten, i, 0)
			for c := range kd {
				x := mul(add(mul(kd[c], l), ka[c]), a)
				store(add(at(sum, i, c), x), sum, i, c)
			}
		})
	})

	kernel("addDiffuseShadowed", "sum *float32, lit *float32, atten *float32, shadow *float32, dr float32, dg float32, db float32, ar float32, ag float32, ab float32", func() {
		sum, lit, atten := pointer("sum"), pointer("lit"), pointer("atten")
		shadow := pointer("shadow")
		kd, ka := colors("d"), colors("a")
		loop(func(i Register) {
			l, a := load(lit, i, 0), load(atten, i, 0)
			for c := range kd {
				x := mul(at(shadow, i, c), mul(kd[c], l))
				store(add(at(sum, i, c), mul(add(x, ka[c]), a)), sum, i, c)
			}
		})
	})

	kernel("addSpecular0", "sum *float32, d0 *float32, f *float32, kr float32, kg float32, kb float32", func() {
		sum, d0, f := pointer("sum"), pointer("d0"), pointer("f")
		k := colors("k")
		loop(func(i Register) {
			v := mul(load(d0, i, 0), load(f, i, 0))
			for c := range k {
				store(add(at(sum, i, c), mul(k[c], v)), sum, i, c)
			}
		})
	})

	kernel("addSpecular", "sum *float32, d0 *float32, d1 *float32, f *float32, refl *float32, shadow *float32, k0 float32, k1 float32", func() {
		Doc("addSpecularVector is the vector twin of addSpecularChannel.")
		sum, d0, f := pointer("sum"), pointer("d0"), pointer("f")
		d1, refl, sh := pointer("d1"), pointer("refl"), pointer("shadow")
		p, q := scalar("k0"), scalar("k1")
		loop(func(i Register) {
			v := add(mul(at(d0, i, 0), p), mul(mul(at(refl, i, 0), load(d1, i, 0)), q))
			v = mul(at(sh, i, 0), mul(at(f, i, 0), v))
			store(add(at(sum, i, 0), v), sum, i, 0)
		})
	})

	begin("fogMix", "d *uint8, s *uint8, t *float32, fog float32")
	d, s, t := pointer("d"), pointer("s"), pointer("t")
	const rounding = floatHalf // fogRounding of the plain kernel
	fog, one, nearest := scalar("fog"), fill(floatOne), fill(rounding)
	byteLoop(d, func(i Register, h int) VecVirtual {
		w := loadFrom(half(t, i, h))
		c := bytesToFloats(Mem{Base: s, Index: i, Scale: 1, Disp: h * 8})
		return truncate(add(add(mul(w, c), mul(sub(one, w), fog)), nearest))
	})
}
