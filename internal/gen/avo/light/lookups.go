package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// fetch reads entry k of a table of (value, difference) pairs and adds the
// difference times fraction.
func fetch(with kit.Tables, t Register, k, fraction VecVirtual) VecVirtual {
	value, diff := with.ReadPairs(t, k)
	return add(value, mul(diff, fraction))
}

// split splits a nonnegative v into an integer below top+1 and a fraction.
func split(v, top VecVirtual) (k, fraction VecVirtual) {
	k = truncate(v)
	VPMINSD(top, k, k)
	return k, sub(v, toFloat(k))
}

func lookupKernels() {
	kernel("entriesUnsigned", "k *int32, rest *float32, x *float32", func() {
		k, rest, x := pointer("k"), pointer("rest"), pointer("x")
		size, null, top := fill(float256), zero(), fill(255)
		loop(func(i Register) {
			entry, f := split(below(above(mul(load(x, i, 0), size), null), size), top)
			store(entry, k, i, 0)
			store(f, rest, i, 0)
		})
	})

	kernel("entriesSigned", "k *int32, rest *float32, x *float32", func() {
		k, rest, x := pointer("k"), pointer("rest"), pointer("x")
		size, top := fill(float128), fill(127)
		low, bytes := fill(floatMinus128), fill(255)
		minusOne := bytes
		if kit.Wide {
			minusOne = fill(0xFFFFFFFF)
		}
		loop(func(i Register) {
			v := below(above(mul(load(x, i, 0), size), low), size)
			entry := truncate(v)
			// One less where rounding went up.
			if kit.Wide {
				up := kit.In(K(), VCMPPS, Imm(greater), v, toFloat(entry))
				VPADDD(minusOne, entry, up, entry)
			} else {
				VPADDD(compare(toFloat(entry), v, greater), entry, entry)
			}
			VPMINSD(top, entry, entry)
			store(sub(v, toFloat(entry)), rest, i, 0)
			store(and(bytes, entry), k, i, 0)
		})
	})

	kernel("lookup", "d *float32, k *int32, rest *float32, t *float32, scale float32", func() {
		d, k, rest, t := pointer("d"), pointer("k"), pointer("rest"), pointer("t")
		s := scalar("scale")
		tableLoop(lanes(), func(i Register, with kit.Tables) {
			value, diff := with.ReadPairsAt(t, at(k, i, 0))
			store(mul(s, add(value, mul(diff, load(rest, i, 0)))), d, i, 0)
		})
	})

	begin("lookup128", "d *float32, x *float32, t *float32")
	Doc("lookup128Vector is lut128At for every lane.")
	d, x, t := pointer("d"), pointer("x"), pointer("t")
	size, null, top := fill(float128), zero(), fill(127)
	one := fill(floatOne)
	tableLoop(lanes(), func(i Register, with kit.Tables) {
		v := below(above(mul(load(x, i, 0), size), null), size)
		k, f := split(v, top)
		store(below(above(fetch(with, t, k, f), null), one), d, i, 0)
	})
}
