package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Bounds of func fixed of package fragment, as floats.
const (
	floatBound      = 0x4E000000 // 2^29
	floatMinusBound = 0xCE000000
	floatHalf       = 0x3F000000
)

// procTexKernels makes the kernels of the procedural texture.
func procTexKernels() {
	clampKernels()
	procRadius()
	procTexColors()
}

// clampKernels makes the kernels of the clamp modes, which work in place.
func clampKernels() {
	each := func(name string, f func(x, one, null VecVirtual) VecVirtual) {
		kernel(name, "d *float32", func() {
			d, one, null := pointer("d"), fill(floatOne), zero()
			loop(func(i Register) { store(f(load(d, i, 0), one, null), d, i, 0) })
		})
	}
	each("procClampZero", func(x, one, null VecVirtual) VecVirtual { return keep(x, x, one, notGreater) })
	each("procClampEdge", func(x, one, null VecVirtual) VecVirtual { return below(x, one) })
	each("procClampRepeat", func(x, one, null VecVirtual) VecVirtual {
		_, f := whole(x)
		return sub(x, f)
	})
	each("procClampMirror", func(x, one, null VecVirtual) VecVirtual {
		k, f := whole(x)
		frac := sub(x, f)
		back := sub(one, frac)
		VPSLLD(Imm(31), k, k) // the sign is the lowest bit
		if kit.Wide {
			odd := kit.In(K(), VPMOVD2M, k)
			VMOVAPS(back, odd, frac)
		} else {
			VBLENDVPS(k, back, frac, frac)
		}
		return frac
	})
	each("procClampPulse", func(x, one, null VecVirtual) VecVirtual { return keep(one, x, fill(floatHalf), greater) })
}

// whole is the integer part of a nonnegative x, as integer and as float. NaN gives -2^29, as func fixed does.
func whole(x VecVirtual) (k, f VecVirtual) {
	y := below(above(x, fill(floatMinusBound)), fill(floatBound))
	if kit.Wide {
		VRNDSCALEPS(Imm(1), y, y)
	} else {
		VROUNDPS(Imm(1), y, y)
	}
	k = kit.In(kit.NewVector(), VCVTPS2DQ, y)
	return k, y
}

func procRadius() {
	kernel("procRadius", "d *float32, u *float32, v *float32", func() {
		d, u, v := pointer("d"), pointer("u"), pointer("v")
		one := fill(floatOne)
		loop(func(i Register) {
			a, b := load(u, i, 0), load(v, i, 0)
			store(below(sqrt(add(mul(a, a), mul(b, b))), one), d, i, 0)
		})
	})
}

// procTexColors makes the look-ups of one level of the colour table. Colours are four consecutive planes of bytes.
func procTexColors() {
	kernel("procTexNearest", "d *uint8, at *float32, colors *uint32, span float32, offset uint32", func() {
		d, at, colors := pointer("d"), pointer("at"), pointer("colors")
		span, offset, nearest, low := scalar("span"), broadcast("offset"), fill(floatHalf), fill(255)
		tableLoop(16, func(i Register, with kit.Tables) {
			var w [2]VecVirtual
			for h := range 16 / lanes() {
				k := truncate(add(mul(loadFrom(half(at, i, int(h))), span), nearest))
				VPADDD(offset, k, k)
				w[h] = with.Read(colors, and(low, k))
			}
			for c := range 4 {
				storeLanes(func(h int) VecVirtual {
					y := kit.In(kit.NewVector(), VPSRLD, Imm(uint64(8*c)), w[h])
					return and(low, y)
				}, Mem{Base: d, Index: i, Scale: 1, Disp: c * 256})
			}
		})
	})

	kernel("procTexLinear", "d *uint8, at *float32, both *uint32, span float32, offset uint32", func() {
		d, at, colors := pointer("d"), pointer("at"), pointer("both")
		span, offset, low := scalar("span"), broadcast("offset"), fill(255)
		null, top := zero(), fill(float255)
		tableLoop(16, func(i Register, with kit.Tables) {
			var w, dw, f [2]VecVirtual
			for h := range 16 / lanes() {
				x := mul(loadFrom(half(at, i, int(h))), span)
				k := truncate(x)
				f[h] = sub(x, toFloat(k))
				VPADDD(offset, k, k)
				w[h], dw[h] = with.ReadPairs(colors, and(low, k))
			}
			for c := range 4 {
				storeLanes(func(h int) VecVirtual {
					v := kit.In(kit.NewVector(), VPSRLD, Imm(uint64(8*c)), w[h])
					s := kit.In(kit.NewVector(), VPSLLD, Imm(uint64(24-8*c)), dw[h])
					VPSRAD(Imm(24), s, s)
					VPADDD(s, s, s) // the table has half differences
					return truncate(below(above(add(toFloat(and(low, v)), mul(toFloat(s), f[h])), null), top))
				}, Mem{Base: d, Index: i, Scale: 1, Disp: c * 256})
			}
		})
	})
}
