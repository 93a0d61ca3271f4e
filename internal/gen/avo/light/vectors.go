package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectorKernels makes the kernels of vectors: normalization, rotation, dot products. Vectors are three consecutive planes,
// quaternions four.
func vectorKernels() {
	unitQuaternion()
	rotateUnit("rotateNormal", func(a, b, c, s, one VecVirtual) [3]VecVirtual {
		return [3]VecVirtual{
			twice(add(mul(b, s), mul(c, a))),
			twice(sub(mul(c, b), mul(a, s))),
			sub(one, twice(add(mul(a, a), mul(b, b)))),
		}
	})
	rotateUnit("rotateTangent", func(a, b, c, s, one VecVirtual) [3]VecVirtual {
		return [3]VecVirtual{
			sub(one, twice(add(mul(b, b), mul(c, c)))),
			twice(add(mul(c, s), mul(a, b))),
			twice(sub(mul(a, c), mul(b, s))),
		}
	})
	rotate()
	perturb()
	recalculateZ()
	unit()
	towards()
	halfVectors()
	dots()
}

func unitQuaternion() {
	kernel("unitQuaternion", "q *float32", func() {
		q := pointer("q")
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			var v [4]VecVirtual
			for c := range v {
				v[c] = load(q, i, c)
			}
			s := add(sum3([3]VecVirtual{v[0], v[1], v[2]}, [3]VecVirtual{v[0], v[1], v[2]}), mul(v[3], v[3]))
			r := inverseLength(s, one, null)
			for c := range v {
				store(mul(v[c], r), q, i, c)
			}
		})
	})
}

// rotateUnit makes a kernel that rotates a unit vector of tangent space.
func rotateUnit(name string, f func(a, b, c, s, one VecVirtual) [3]VecVirtual) {
	kernel(name, "d *float32, q *float32", func() {
		d, q := pointer("d"), pointer("q")
		one := fill(floatOne)
		loop(func(i Register) {
			out := f(load(q, i, 0), load(q, i, 1), load(q, i, 2), load(q, i, 3), one)
			for c := range out {
				store(out[c], d, i, c)
			}
		})
	})
}

func rotate() {
	kernel("rotate", "v *float32, q *float32", func() {
		v, q := pointer("v"), pointer("q")
		loop(func(i Register) {
			a, b, c, s := load(q, i, 0), load(q, i, 1), load(q, i, 2), load(q, i, 3)
			x := load3(v, i)
			t0 := add(sub(mul(b, x[2]), mul(c, x[1])), mul(s, x[0]))
			t1 := add(sub(mul(c, x[0]), mul(a, x[2])), mul(s, x[1]))
			t2 := add(sub(mul(a, x[1]), mul(b, x[0])), mul(s, x[2]))
			store(add(x[0], twice(sub(mul(b, t2), mul(c, t1)))), v, i, 0)
			store(add(x[1], twice(sub(mul(c, t0), mul(a, t2)))), v, i, 1)
			store(add(x[2], twice(sub(mul(a, t1), mul(b, t0)))), v, i, 2)
		})
	})
}

func perturb() {
	kernel("perturb", "d *float32, c *uint8", func() {
		d, c := pointer("d"), pointer("c")
		k, one := fill(float2by255), fill(floatOne)
		loop(func(i Register) {
			for ch := range 3 {
				y := bytesToFloats(Mem{Base: c, Index: i, Scale: 1, Disp: ch * 256})
				store(sub(mul(y, k), one), d, i, ch)
			}
		})
	})
}

func recalculateZ() {
	kernel("recalculateZ", "d *float32", func() {
		d := pointer("d")
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			a, b := load(d, i, 0), load(d, i, 1)
			store(sqrt(above(sub(one, add(mul(a, a), mul(b, b))), null)), d, i, 2)
		})
	})
}

func unit() {
	kernel("unit", "d *float32, v *float32", func() {
		d, v := pointer("d"), pointer("v")
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			x := load3(v, i)
			r := inverseLength(sum3(x, x), one, null)
			for c := range x {
				store(mul(x[c], r), d, i, c)
			}
		})
	})
}

func towards() {
	kernel("towards", "d *float32, dist *float32, px float32, py float32, pz float32, v *float32", func() {
		d, dist, v := pointer("d"), pointer("dist"), pointer("v")
		p := [3]VecVirtual{scalar("px"), scalar("py"), scalar("pz")}
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			var x [3]VecVirtual
			for c := range x {
				x[c] = add(p[c], load(v, i, c))
			}
			sq := sum3(x, x)
			l := sqrt(sq)
			store(l, dist, i, 0)
			r := keep(div(one, l), sq, null, greater)
			for c := range x {
				store(mul(x[c], r), d, i, c)
			}
		})
	})
}

// halfVectors makes the kernels for a light vector per lane and for one of all lanes.
func halfVectors() {
	body := func(x [3]VecVirtual, d, sq, i Register, one, null VecVirtual) {
		s := sum3(x, x)
		store(s, sq, i, 0)
		r := inverseLength(s, one, null)
		for c := range x {
			store(mul(x[c], r), d, i, c)
		}
	}
	kernel("halfVector", "d *float32, sq *float32, light *float32, view *float32", func() {
		d, sq, light, view := pointer("d"), pointer("sq"), pointer("light"), pointer("view")
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			l, v := load3(light, i), load3(view, i)
			body([3]VecVirtual{add(l[0], v[0]), add(l[1], v[1]), add(l[2], v[2])}, d, sq, i, one, null)
		})
	})

	kernel("halfVectorTo", "d *float32, sq *float32, lx float32, ly float32, lz float32, view *float32", func() {
		d, sq, view := pointer("d"), pointer("sq"), pointer("view")
		l := [3]VecVirtual{scalar("lx"), scalar("ly"), scalar("lz")}
		one, null := fill(floatOne), zero()
		loop(func(i Register) {
			v := load3(view, i)
			body([3]VecVirtual{add(l[0], v[0]), add(l[1], v[1]), add(l[2], v[2])}, d, sq, i, one, null)
		})
	})
}

func dots() {
	kernel("dot", "d *float32, a *float32, b *float32", func() {
		d, a, b := pointer("d"), pointer("a"), pointer("b")
		loop(func(i Register) { store(sum3(load3(a, i), load3(b, i)), d, i, 0) })
	})

	kernel("dotConst", "d *float32, a *float32, x float32, y float32, z float32", func() {
		d, a := pointer("d"), pointer("a")
		k := [3]VecVirtual{scalar("x"), scalar("y"), scalar("z")}
		loop(func(i Register) { store(sum3(load3(a, i), k), d, i, 0) })
	})

	kernel("dotProjected", "d *float32, h *float32, nrm *float32, t *float32", func() {
		d, h, nrm, t := pointer("d"), pointer("h"), pointer("nrm"), pointer("t")
		loop(func(i Register) {
			hv, nv := load3(h, i), load3(nrm, i)
			s := sum3(nv, hv)
			var p [3]VecVirtual
			for c := range p {
				p[c] = sub(hv[c], mul(nv[c], s))
			}
			store(sum3(p, load3(t, i)), d, i, 0)
		})
	})
}
