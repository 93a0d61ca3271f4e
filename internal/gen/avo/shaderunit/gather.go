package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// gathers makes the kernels that read float uniforms through an address register. If a lane would read beyond c95 they return false
// and write nothing.
func gathers() {
	for _, f := range []struct {
		name, comps string
	}{{"dot4G", "xyzw"}, {"dot3G", "xyz"}} {
		params := ""
		for _, c := range f.comps {
			params += ", a" + string(c)
		}
		kit.Text(f.name+"Vector", "func(d"+params+" *float32, f *[96][4]float32, a0 *int32, base, n int, sign uint32) bool", "is the AVX2 twin of go"+"D"+f.name[1:]+" with the plain order of components.")
		k := &kernel{}
		offsets := k.offsets()
		d := row("d")
		var a, b []func() VecVirtual
		for _, c := range f.comps {
			p := row("a" + string(c))
			a = append(a, func() VecVirtual { return load(k.at(p)) })
		}
		uniforms := row("f")
		sign := scalar("sign")
		k.rounding()
		k.loop(func() {
			u := k.transpose(uniforms, offsets, len(f.comps))
			b = b[:0]
			for j := range f.comps {
				b = append(b, func() VecVirtual { return u[j] })
			}
			VMOVUPS(k.dot(a, b, sign), k.at(d))
		})
	}

	kit.Text("gatherVector", "func(x, y, z, w *float32, f *[96][4]float32, a0 *int32, base, n int) bool",
		"is the AVX2 twin of goGather for all components.")
	k := &kernel{}
	offsets := k.offsets()
	rows := []Register{row("x"), row("y"), row("z"), row("w")}
	uniforms := row("f")
	zero := YMM()
	VXORPS(zero, zero, zero)
	k.loop(func() {
		for j, u := range k.transpose(uniforms, offsets, 4) {
			VADDPS(zero, u, u) // -0 becomes +0
			VMOVUPS(u, k.at(rows[j]))
		}
	})
}

// offsets writes the byte offset of each lane's uniform to the stack; the kernel returns false if one is beyond c95.
func (k *kernel) offsets() Mem {
	buf := AllocLocal(64 * 4)
	a0 := row("a0")
	base := Load(Param("base"), GP64())
	n := Load(Param("n"), GP64())
	bx, b, beyond, i := XMM(), YMM(), YMM(), GP64()
	MOVQ(base, bx)
	VPBROADCASTD(bx, b)
	VPXOR(beyond, beyond, beyond)
	SHLQ(Imm(2), n)
	XORQ(i, i)
	Label("offsets")
	o, t := YMM(), YMM()
	VMOVDQU(Mem{Base: a0, Index: i, Scale: 1}, o)
	// An offset outside a signed byte counts as 0.
	VPSLLD(Imm(24), o, t)
	VPSRAD(Imm(24), t, t)
	VPCMPEQD(o, t, t)
	VPAND(t, o, o)
	VPADDD(b, o, o)
	VPAND(dwords(0x7F), o, o)
	VPCMPGTD(dwords(95), o, t)
	VPOR(t, beyond, beyond)
	VPSLLD(Imm(4), o, o)
	VMOVDQU(o, buf.Idx(i, 1))
	ADDQ(Imm(32), i)
	CMPQ(i, n)
	JLT(LabelRef("offsets"))
	VPTEST(beyond, beyond)
	JZ(LabelRef("inside"))
	no := GP8()
	XORB(no, no)
	Store(no, ReturnIndex(0))
	kit.Leave()
	Label("inside")
	yes := GP8()
	MOVB(Imm(1), yes)
	Store(yes, ReturnIndex(0))
	return buf
}

// transpose loads the uniforms of eight lanes and returns their components as rows.
func (k *kernel) transpose(uniforms Register, offsets Mem, comps int) []VecVirtual {
	var v [4]VecVirtual
	o := GP64()
	for j := range v {
		x := XMM()
		MOVL(offsets.Offset(4*j).Idx(k.i, 1), o.As32())
		VMOVUPS(Mem{Base: uniforms, Index: o, Scale: 1}, x)
		MOVL(offsets.Offset(4*(j+4)).Idx(k.i, 1), o.As32())
		v[j] = kit.In(YMM(), VINSERTF128, Imm(1), Mem{Base: uniforms, Index: o, Scale: 1}, x.AsY())
	}
	// Lanes j and j+4 are in v[j]; within each half a 4x4 transposition.
	xy01 := kit.In(YMM(), VUNPCKLPS, v[1], v[0]) // x0 x1 y0 y1
	xy23 := kit.In(YMM(), VUNPCKLPS, v[3], v[2])
	zw01 := kit.In(YMM(), VUNPCKHPS, v[1], v[0])
	zw23 := kit.In(YMM(), VUNPCKHPS, v[3], v[2])
	x, y, z, w := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPD(xy23, xy01, x)
	VUNPCKHPD(xy23, xy01, y)
	VUNPCKLPD(zw23, zw01, z)
	if comps == 3 {
		return []VecVirtual{x, y, z}
	}
	VUNPCKHPD(zw23, zw01, w)
	return []VecVirtual{x, y, z, w}
}
