package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// fetch reads entry k of a table of (value, difference) pairs and adds the
// difference times fraction.
func fetch(with kit.Tables, t Register, k, fraction VecVirtual) VecVirtual {
	value, diff := with.ReadPairs(t, k)
	return add(value, mul(diff, fraction))
}

// split cuts v, which is not negative, into an integer below top+1 and a rest.
func split(v, top VecVirtual) (k, fraction VecVirtual) {
	k = YMM()
	VCVTTPS2DQ(v, k)
	VPMINSD(top, k, k)
	f := YMM()
	VCVTDQ2PS(k, f)
	return k, sub(v, f)
}

func lookupKernels() {
	kernel("lookupUnsigned", "d *float32, x *float32, t *float32, scale float32")
	d, x, t := pointer("d"), pointer("x"), pointer("t")
	s, size, null, top := scalar("scale"), fill(float256), zero(), fill(255)
	tableLoop(8, func(i Register, with kit.Tables) {
		v := below(above(mul(load(x, i, 0), size), null), size)
		k, f := split(v, top)
		store(mul(s, fetch(with, t, k, f)), d, i, 0)
	})

	kernel("lookupSigned", "d *float32, x *float32, t *float32, scale float32")
	d, x, t = pointer("d"), pointer("x"), pointer("t")
	s, size, top = scalar("scale"), fill(float128), fill(127)
	low, bytes := fill(floatMinus128), fill(255)
	tableLoop(8, func(i Register, with kit.Tables) {
		v := below(above(mul(load(x, i, 0), size), low), size)
		k, f := YMM(), YMM()
		VCVTTPS2DQ(v, k)
		VCVTDQ2PS(k, f)
		VPADDD(compare(f, v, greater), k, k) // one less where that was up
		VPMINSD(top, k, k)
		VCVTDQ2PS(k, f)
		rest := sub(v, f)
		VPAND(bytes, k, k)
		store(mul(s, fetch(with, t, k, rest)), d, i, 0)
	})

	kernel("lookup128", "d *float32, x *float32, t *float32")
	Doc("lookup128AVX2 is lut128At for every lane.")
	d, x, t = pointer("d"), pointer("x"), pointer("t")
	size, null, top = fill(float128), zero(), fill(127)
	one := fill(floatOne)
	tableLoop(8, func(i Register, with kit.Tables) {
		v := below(above(mul(load(x, i, 0), size), null), size)
		k, f := split(v, top)
		store(below(above(fetch(with, t, k, f), null), one), d, i, 0)
	})
}
