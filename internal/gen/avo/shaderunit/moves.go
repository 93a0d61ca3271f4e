package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"pica200/internal/gen/avo/kit"
)

// moves makes the kernels that compare, select and move.
func moves() {
	k := begin("fillVector", "is the AVX2 twin of goFill.", "func(d *float32, x float32, n int)")
	d, x := row("d"), scalar("x")
	k.loop(func() { VMOVUPS(x, k.at(d)) })

	k = begin("negVector", "is the AVX2 twin of goNeg.", "func(d, a *float32, n int)")
	d, a, zero := row("d"), row("a"), YMM()
	VXORPS(zero, zero, zero)
	k.loop(func() {
		y := kit.In(YMM(), VSUBPS, k.at(a), zero)
		VMOVUPS(y, k.at(d))
	})

	// VMAXPS returns its first source if that is greater, else the second, as the shader unit does.
	for _, f := range []struct {
		name string
		max  bool
	}{{"max", true}, {"min", false}} {
		k = begin(f.name+"VVVector", "is the AVX2 twin of its plain Go kernel.", "func(d, a, b *float32, n int)")
		d, a := row("d"), row("a")
		b := row("b")
		k.loop(func() {
			y := load(k.at(a))
			if f.max {
				VMAXPS(k.at(b), y, y)
			} else {
				VMINPS(k.at(b), y, y)
			}
			VMOVUPS(y, k.at(d))
		})
	}
	for _, f := range []struct {
		name string
		code uint8
	}{{"sge", 0x0D}, {"slt", 0x01}} { // GE and LT, false with NaN
		k = begin(f.name+"VVVector", "is the AVX2 twin of its plain Go kernel.", "func(d, a, b *float32, n int)")
		d, a := row("d"), row("a")
		b := row("b")
		k.loop(func() {
			y := load(k.at(a))
			VCMPPS(Imm(uint64(f.code)), k.at(b), y, y)
			VANDPS(dwords(one), y, y)
			VMOVUPS(y, k.at(d))
		})
	}
	for _, f := range []struct {
		name string
		code uint8
	}{{"cmpEQ", 0x00}, {"cmpNE", 0x04}, {"cmpLT", 0x01}, {"cmpLE", 0x02}} {
		kit.Text(f.name+"Vector", "func(a, b *float32, n int) uint64", "gives the lanes where the comparison holds.")
		a, b := row("a"), row("b")
		n := Load(Param("n"), GP64())
		m, t := GP64(), GP64()
		XORQ(m, m)
		SHLQ(Imm(2), n)
		Label("lanes") // from the last eight to the first
		SUBQ(Imm(32), n)
		y := kit.In(YMM(), VMOVUPS, Mem{Base: a, Index: n, Scale: 1})
		VCMPPS(Imm(uint64(f.code)), Mem{Base: b, Index: n, Scale: 1}, y, y)
		VMOVMSKPS(y, t.As32())
		SHLQ(Imm(8), m)
		ORQ(t, m)
		TESTQ(n, n)
		JNZ(LabelRef("lanes"))
		Store(m, ReturnIndex(0))
		kit.Leave()
	}

	bits := kit.Dwords("laneBits", 1, 2, 4, 8, 16, 32, 64, 128)
	k = begin("selectVector", "is the AVX2 twin of goSelect.", "func(d, a *float32, n int, mask uint64)")
	d, a = row("d"), row("a")
	mask := Load(Param("mask"), GP64())
	lanes := kit.In(YMM(), VMOVDQU, bits)
	k.loop(func() {
		x, m, y := XMM(), YMM(), YMM()
		MOVQ(mask, x)
		VPBROADCASTD(x, m)
		VPAND(lanes, m, m)
		VPCMPEQD(lanes, m, m)
		VMOVUPS(k.at(d), y)
		VBLENDVPS(m, k.at(a), y, y)
		VMOVUPS(y, k.at(d))
		SHRQ(Imm(8), mask)
	})

	k = begin("truncVector", "converts to int32 towards zero; what does not fit becomes the smallest.", "func(d *int32, a *float32, n int)")
	dst := row("d")
	a = row("a")
	k.loop(func() {
		y := kit.In(YMM(), VCVTTPS2DQ, k.at(a))
		VMOVDQU(y, k.at(dst))
	})
}
