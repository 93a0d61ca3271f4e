package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// cubeKernels makes the kernels of cube coordinates.
func cubeKernels() {
	kit.Text("cubeFaceVector", "func(d *uint8, x *float32, y *float32, z *float32, n int) uint64", "is the AVX2 twin of cubeFace.")
	d, x, y, z := pointer("d"), pointer("x"), pointer("y"), pointer("z")
	n, i := Load(Param("n"), GP64()), GP64()
	XORQ(i, i)
	seen := YMM()
	VPXOR(seen, seen, seen)
	sign, null := fill(0x7FFFFFFF), zero()
	Label("loop")
	var face [2]VecVirtual
	for h := range face {
		var p, a [3]VecVirtual
		for c, r := range []Register{x, y, z} {
			p[c] = kit.In(YMM(), VMOVUPS, Mem{Base: r, Index: i, Scale: 4, Disp: 32 * h})
			a[c] = and(p[c], sign)
		}
		isX := and(compare(a[0], a[1], greater), compare(a[0], a[2], greater))
		isY := compare(a[1], a[2], greater)
		along, f := YMM(), YMM()
		VBLENDVPS(isY, p[1], p[2], along)
		VBLENDVPS(isX, p[0], along, along)
		VMOVUPS(memory(4), f)
		VBLENDVPS(isY, memory(2), f, f)
		VANDNPS(f, isX, f) // 0 on the axis of x
		// Adds one where the component is not above 0.
		VPADDD(memory(1), f, f)
		VPADDD(compare(along, null, greater), f, f)
		bit := kit.In(YMM(), VMOVUPS, memory(1))
		VPSLLVD(f, bit, bit)
		VPOR(bit, seen, seen)
		face[h] = f
	}
	storeBytes(face[0], face[1], Mem{Base: d, Index: i, Scale: 1})
	ADDQ(Imm(16), i)
	CMPQ(i, n)
	JLT(LabelRef("loop"))
	hi, r, more := XMM(), GP64(), GP64()
	VEXTRACTI128(Imm(1), seen, hi)
	VPOR(hi, seen.AsX(), hi)
	VMOVQ(hi, r)
	VPEXTRQ(Imm(1), hi, more)
	ORQ(more, r)
	MOVQ(r, more)
	SHRQ(Imm(32), more)
	ORQ(more, r)
	ANDQ(Imm(63), r)
	Store(r, ReturnIndex(0))
	kit.Leave()

	begin("cubeCoordinates", "du *float32, dv *float32, a *float32, u *float32, v *float32, su float32, sv float32")
	du, dv, a, u, v := pointer("du"), pointer("dv"), pointer("a"), pointer("u"), pointer("v")
	su, sv, middle, sign := scalar("su"), scalar("sv"), fill(floatHalf), fill(0x7FFFFFFF)
	loop(func(i Register) {
		length := and(load(a, i, 0), sign)
		store(add(div(mul(middle, mul(su, load(u, i, 0))), length), middle), du, i, 0)
		store(add(div(mul(middle, mul(sv, load(v, i, 0))), length), middle), dv, i, 0)
	})

	begin("choose", "d *uint8, src *uint8, key *uint8, k uint32")
	d, src, key := pointer("d"), pointer("src"), pointer("key")
	g, k := Load(Param("k"), GP32()), XMM()
	VMOVD(g, k)
	VPBROADCASTB(k, k)
	loopBy(16, func(i Register) {
		m := kit.In(XMM(), VPCMPEQB, Mem{Base: key, Index: i, Scale: 1}, k)
		old := kit.In(XMM(), VMOVDQU, Mem{Base: d, Index: i, Scale: 1})
		VPBLENDVB(m, Mem{Base: src, Index: i, Scale: 1}, old, old)
		VMOVDQU(old, Mem{Base: d, Index: i, Scale: 1})
	})
}
