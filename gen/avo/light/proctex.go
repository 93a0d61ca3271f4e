package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

// Bounds of func fixed of package fragment, as floats.
const (
	floatBound = 0x4E000000 // 2^29
	floatHalf  = 0x3F000000
)

// procTexKernels makes the kernels of the procedural texture.
func procTexKernels() {
	clampKernels()
	procRadius()
	procTexColors()
}

// clampKernels makes the kernels of the clamp modes, which work in place.
func clampKernels() {
	each := func(name string, f func(x, one, null, half, bound VecVirtual) VecVirtual) {
		kernel(name, "d *float32")
		d := pointer("d")
		one, null, half, bound := fill(floatOne), zero(), fill(floatHalf), fill(floatBound)
		loop(func(i Register) { store(f(load(d, i, 0), one, null, half, bound), d, i, 0) })
	}
	// whole is the integer part of a nonnegative x, as integer and as float. NaN gives -2^29, as func fixed does.
	whole := func(x, null, bound VecVirtual) (k, f VecVirtual) {
		low := sub(null, bound)
		y := below(above(x, low), bound)
		VROUNDPS(Imm(1), y, y)
		k = YMM()
		VCVTPS2DQ(y, k)
		return k, y
	}
	each("procClampZero", func(x, one, null, half, bound VecVirtual) VecVirtual {
		y := YMM()
		VANDNPS(x, compare(x, one, greater), y) // x, or 0 if greater
		return y
	})
	each("procClampEdge", func(x, one, null, half, bound VecVirtual) VecVirtual { return below(x, one) })
	each("procClampRepeat", func(x, one, null, half, bound VecVirtual) VecVirtual {
		_, f := whole(x, null, bound)
		return sub(x, f)
	})
	each("procClampMirror", func(x, one, null, half, bound VecVirtual) VecVirtual {
		k, f := whole(x, null, bound)
		frac := sub(x, f)
		back := sub(one, frac)
		VPSLLD(Imm(31), k, k) // the sign is the lowest bit
		VBLENDVPS(k, back, frac, frac)
		return frac
	})
	each("procClampPulse", func(x, one, null, half, bound VecVirtual) VecVirtual {
		return and(one, compare(x, half, greater))
	})
}

func procRadius() {
	kernel("procRadius", "d *float32, u *float32, v *float32")
	d, u, v := pointer("d"), pointer("u"), pointer("v")
	one := fill(floatOne)
	loop(func(i Register) {
		a, b := load(u, i, 0), load(v, i, 0)
		store(below(sqrt(add(mul(a, a), mul(b, b))), one), d, i, 0)
	})
}

// procTexColors makes the look-ups of one level of the colour table. Colours are four consecutive planes of bytes.
func procTexColors() {
	// broadcast fills a register with a uint32 parameter.
	broadcast := func(param string) VecVirtual {
		g, y := Load(Param(param), GP32()), YMM()
		VMOVD(g, y.AsX())
		VPBROADCASTD(y.AsX(), y)
		return y
	}
	lanes := func(p, i Register, h int) VecVirtual {
		y := YMM()
		VMOVUPS(Mem{Base: p, Index: i, Scale: 4, Disp: h * 32}, y)
		return y
	}

	kernel("procTexNearest", "d *uint8, at *float32, colors *uint32, span float32, offset uint32")
	d, at, colors := pointer("d"), pointer("at"), pointer("colors")
	span, offset, half, low := scalar("span"), broadcast("offset"), fill(floatHalf), fill(255)
	tableLoop(16, func(i Register, with kit.Tables) {
		var w [2]VecVirtual
		for h := range w {
			k := add(mul(lanes(at, i, h), span), half)
			VCVTTPS2DQ(k, k)
			VPADDD(offset, k, k)
			VPAND(low, k, k)
			w[h] = with.Read(colors, k)
		}
		for ch := range 4 {
			var y [2]VecVirtual
			for h := range y {
				y[h] = YMM()
				VPSRLD(Imm(uint64(8*ch)), w[h], y[h])
				VPAND(low, y[h], y[h])
			}
			storeBytes(y[0], y[1], Mem{Base: d, Index: i, Scale: 1, Disp: ch * 256})
		}
	})

	kernel("procTexLinear", "d *uint8, at *float32, both *uint32, span float32, offset uint32")
	d, at, colors = pointer("d"), pointer("at"), pointer("both")
	span, offset, low = scalar("span"), broadcast("offset"), fill(255)
	null, top := zero(), fill(float255)
	tableLoop(16, func(i Register, with kit.Tables) {
		var w, dw, f [2]VecVirtual
		for h := range w {
			x := mul(lanes(at, i, h), span)
			k, t := YMM(), YMM()
			VCVTTPS2DQ(x, k)
			VCVTDQ2PS(k, t)
			f[h] = sub(x, t)
			VPADDD(offset, k, k)
			VPAND(low, k, k)
			w[h], dw[h] = with.ReadPairs(colors, k)
		}
		for ch := range 4 {
			var y [2]VecVirtual
			for h := range y {
				v, s := YMM(), YMM()
				VPSRLD(Imm(uint64(8*ch)), w[h], v)
				VPAND(low, v, v)
				VCVTDQ2PS(v, v)
				VPSLLD(Imm(uint64(24-8*ch)), dw[h], s)
				VPSRAD(Imm(24), s, s)
				VPADDD(s, s, s) // the table has half differences
				VCVTDQ2PS(s, s)
				y[h] = below(above(add(v, mul(s, f[h])), null), top)
				VCVTTPS2DQ(y[h], y[h])
			}
			storeBytes(y[0], y[1], Mem{Base: d, Index: i, Scale: 1, Disp: ch * 256})
		}
	})
}
