package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// arithmetic makes ADD, MUL and MAD. The second (or third) operand is a row or
// a scalar.
func arithmetic() {
	for _, s := range []struct {
		name string
		vs   bool
	}{{"VV", false}, {"VS", true}} {
		second := "b *float32"
		if s.vs {
			second = "b float32"
		}
		operand := func(k *kernel) func() VecVirtual {
			if s.vs {
				b := scalar("b")
				return func() VecVirtual { return b }
			}
			b := row("b")
			return func() VecVirtual { return load(k.at(b)) }
		}

		k := begin("add"+s.name+"Vector", "is the AVX2 twin of goAdd"+s.name+".", "func(d, a *float32, "+second+", n int, sign uint32)")
		d, a, b, sign := row("d"), row("a"), operand(k), scalar("sign")
		k.rounding()
		k.loop(func() {
			y := kit.In(YMM(), VADDPS, k.at(a), b())
			VXORPS(sign, y, y)
			VMOVUPS(k.round(y, nil), k.at(d))
		})

		k = begin("mul"+s.name+"Vector", "is the AVX2 twin of goMul"+s.name+".", "func(d, a *float32, "+second+", n int, sign uint32)")
		d, a, b, sign = row("d"), row("a"), operand(k), scalar("sign")
		k.rounding()
		k.loop(func() {
			VMOVUPS(k.times(load(k.at(a)), b(), sign), k.at(d))
		})
	}
	k := begin("subVVVector", "is the AVX2 twin of goSubVV.", "func(d, a, b *float32, n int)")
	d, a, b := row("d"), row("a"), row("b")
	k.rounding()
	k.loop(func() {
		y := load(k.at(a))
		VSUBPS(k.at(b), y, y)
		VMOVUPS(k.round(y, nil), k.at(d))
	})
	mads()
}

// times is the rounded product of x and y with a sign.
func (k *kernel) times(x, y, sign VecVirtual) VecVirtual {
	p := kit.In(YMM(), VMULPS, y, x)
	VXORPS(sign, p, p)
	return k.round(p, func(VecVirtual) VecVirtual {
		q := product(x, y)
		VXORPS(sign, q, q)
		return q
	})
}

// mads makes the forms of MAD: a*b + c, a*s + c, a*b + s.
func mads() {
	for _, m := range []struct {
		name, signature string
		b, c            bool // operand is a row
	}{
		{"madVVV", "func(d, a, b, c *float32, n int, signs uint32)", true, true},
		{"madVSV", "func(d, a *float32, b float32, c *float32, n int, signs uint32)", false, true},
		{"madVVS", "func(d, a, b *float32, c float32, n int, signs uint32)", true, false},
	} {
		k := begin(m.name+"Vector", "is the AVX2 twin of goM"+m.name[1:]+".", m.signature)
		d, a := row("d"), row("a")
		operand := func(name string, isRow bool) func() VecVirtual {
			if isRow {
				p := row(name)
				return func() VecVirtual { return load(k.at(p)) }
			}
			s := scalar(name)
			return func() VecVirtual { return s }
		}
		b, c := operand("b", m.b), operand("c", m.c)
		signs := scalar("signs")
		product := kit.In(YMM(), VPAND, dwords(signBit), signs)
		third := kit.In(YMM(), VPSLLD, Imm(1), signs)
		VPAND(dwords(signBit), third, third)
		k.rounding()
		k.loop(func() {
			p := k.times(load(k.at(a)), b(), product)
			y := kit.In(YMM(), VXORPS, c(), third)
			VADDPS(y, p, y)
			VMOVUPS(k.round(y, nil), k.at(d))
		})
	}
}

// dots makes the dot products of rows with rows and with scalars.
func dots() {
	rows := func(name string, comps string) string {
		s := ""
		for _, c := range comps {
			if s != "" {
				s += ", "
			}
			s += name + string(c)
		}
		return s + " *float32"
	}
	for _, f := range []struct {
		name, twin   string
		comps        string
		vs, withUnit bool
	}{
		{"dot4VV", "goDot4VV", "xyzw", false, false},
		{"dot4VS", "goDot4VS", "xyzw", true, false},
		{"dot3VV", "goDot3VV", "xyz", false, false},
		{"dot3VS", "goDot3VS", "xyz", true, false},
		{"dphVV", "goDphVV", "xyzw", false, true},
		{"dphVS", "goDphVS", "xyzw", true, true},
	} {
		ac := f.comps
		if f.withUnit {
			ac = "xyz"
		}
		signature := "func(d *float32, " + rows("a", ac)
		if f.vs {
			signature += ", b *[4]float32"
		} else {
			signature += ", " + rows("b", f.comps)
		}
		if f.withUnit {
			signature += ", h float32"
		}
		k := begin(f.name+"Vector", "is the AVX2 twin of "+f.twin+".", signature+", n int, sign uint32)")
		d := row("d")
		var a, b []func() VecVirtual
		for _, c := range ac {
			p := row("a" + string(c))
			a = append(a, func() VecVirtual { return load(k.at(p)) })
		}
		if f.withUnit {
			h := scalar("h")
			a = append(a, func() VecVirtual { return h })
		}
		if f.vs {
			p := row("b")
			for j := range f.comps {
				y := kit.In(YMM(), VBROADCASTSS, Mem{Base: p, Disp: 4 * j})
				b = append(b, func() VecVirtual { return y })
			}
		} else {
			for _, c := range f.comps {
				p := row("b" + string(c))
				b = append(b, func() VecVirtual { return load(k.at(p)) })
			}
		}
		sign := scalar("sign")
		k.rounding()
		k.loop(func() {
			VMOVUPS(k.dot(a, b, sign), k.at(d))
		})
	}
}

// dot sums products in the order x, y, z, w.
func (k *kernel) dot(a, b []func() VecVirtual, sign VecVirtual) VecVirtual {
	sum := kit.In(YMM(), VMULPS, b[0](), a[0]())
	for j := 1; j < len(a); j++ {
		p := kit.In(YMM(), VMULPS, b[j](), a[j]())
		VADDPS(p, sum, sum)
	}
	VXORPS(sign, sum, sum)
	return k.round(sum, func(VecVirtual) VecVirtual {
		s := product(a[0](), b[0]())
		for j := 1; j < len(a); j++ {
			VADDPS(product(a[j](), b[j]()), s, s)
		}
		VXORPS(sign, s, s)
		return s
	})
}
