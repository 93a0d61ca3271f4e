package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// invalidCode is outInvalid.
const invalidCode = 1 << 8

// orders are two permutations of four numbers: the identity, and one that exchanges the second and the third.
func orders() Mem { return kit.Dwords("orders", 0, 1, 2, 3, 0, 2, 1, 3) }

// cull makes the kernel that rejects and culls triangles.
func cull() {
	kit.Text("cullVector", "func(dst *uint32, pos *int32, idx *uint32, groups int, base, cull uint32) (done, remaining, culled, rejected int)", "is the AVX2 twin of cullPlain for groups of eight triangles, of which it does those up to the first with a vertex outside of the view volume that is not rejected.",
		"done are the groups that it did, kept the triangles that it wrote to dst, with base added.",
		"The low byte of cull is all bits if a negative area is culled, the next one if a positive area is.",
		"pos are of type position; it reads 4 bytes behind a position, and behind and past the last triangles of idx and dst.")
	dst, pos, idx := Load(Param("dst"), GP64()), Load(Param("pos"), GP64()), Load(Param("idx"), GP64())
	groups, base := Load(Param("groups"), GP64()), YMM()
	b := kit.In(XMM(), VMOVD, Load(Param("base"), GP32()))
	VPBROADCASTD(b, base)
	table := kit.In(GP64(), LEAQ, orders())
	for _, name := range []string{"done", "remaining", "culled", "rejected"} {
		zero := GP64()
		XORQ(zero, zero)
		Store(zero, Return(name))
	}
	count := func(name string, by Register) {
		at, err := Return(name).Resolve()
		if err != nil {
			panic(err)
		}
		ADDQ(by, at.Addr)
	}

	Label("group")
	var x, y [3]VecVirtual
	or, and := YMM(), YMM()
	rows := [4]VecVirtual{YMM(), YMM(), YMM(), YMM()} // shared by all corners; filled by halves, so each stays live
	for c := range 3 {
		for k := range rows {
			for half := range 2 {
				at := GP64()
				MOVL(Mem{Base: idx, Disp: 12*(k+4*half) + 4*c}, at.As32())
				LEAQ(Mem{Base: at, Index: at, Scale: 2}, at)
				from := Mem{Base: pos, Index: at, Scale: 4}
				if half == 0 {
					VMOVUPS(from, rows[k].AsX())
				} else {
					VINSERTF128(Imm(1), from, rows[k], rows[k])
				}
			}
		}
		xy0 := kit.In(YMM(), VUNPCKLPS, rows[1], rows[0])
		xy1 := kit.In(YMM(), VUNPCKLPS, rows[3], rows[2])
		VUNPCKHPS(rows[1], rows[0], rows[0])
		VUNPCKHPS(rows[3], rows[2], rows[2])
		x[c], y[c] = YMM(), YMM()
		VUNPCKLPD(xy1, xy0, x[c])
		VUNPCKHPD(xy1, xy0, y[c])
		code := rows[0]
		VUNPCKLPD(rows[2], code, code)
		if c == 0 {
			VMOVAPS(code, or)
			VMOVAPS(code, and)
			continue
		}
		VPOR(code, or, or)
		VPAND(code, and, and)
	}

	// Triangles outside the view volume.
	invalid, zero := YMM(), YMM()
	VPAND(dwords(invalidCode), or, invalid)
	VPOR(invalid, and, and)
	VPXOR(zero, zero, zero)
	VPCMPEQD(zero, or, or)
	VPCMPEQD(zero, and, and)
	inside := kit.In(GP32(), VMOVMSKPS, or)
	accepted := kit.In(GP32(), VMOVMSKPS, and)
	CMPL(inside, accepted)
	JNE(LabelRef("out")) // a triangle must be clipped

	// Triangles without a pixel centre.
	empty := YMM()
	for i, v := range [2][3]VecVirtual{x, y} {
		high, low := YMM(), YMM()
		VPMAXSD(v[0], v[1], high)
		VPMAXSD(v[2], high, high)
		VPMINSD(v[0], v[1], low)
		VPMINSD(v[2], low, low)
		VPADDD(dwords(1<<32-8), high, high)
		VPADDD(dwords(7), low, low)
		VPSRAD(Imm(4), high, high)
		VPSRAD(Imm(4), low, low)
		if i == 0 {
			VPCMPGTD(high, low, empty)
			continue
		}
		VPCMPGTD(high, low, low)
		VPOR(low, empty, empty)
	}
	keep := kit.In(GP32(), VMOVMSKPS, empty)

	// The sign of the area.
	for k := 1; k < 3; k++ {
		VPSUBD(x[0], x[k], x[k])
		VPSUBD(y[0], y[k], y[k])
	}
	area := func() (even VecVirtual) {
		even = YMM()
		t := YMM()
		VPMULDQ(x[1], y[2], even)
		VPMULDQ(y[1], x[2], t)
		VPSUBQ(t, even, even)
		return even
	}
	even := area()
	for k := 1; k < 3; k++ {
		VPSRLQ(Imm(32), x[k], x[k])
		VPSRLQ(Imm(32), y[k], y[k])
	}
	odd := area()
	sign, none := YMM(), YMM()
	VPSRLQ(Imm(32), even, sign)
	VPBLENDD(Imm(0xAA), odd, sign, sign)
	VPCMPEQQ(zero, even, even)
	VPCMPEQQ(zero, odd, none)
	VPBLENDD(Imm(0xAA), none, even, none)
	negative := kit.In(GP32(), VMOVMSKPS, sign)
	culled := kit.In(GP32(), VMOVMSKPS, none)

	// Accepted triangles without area, or facing the culled way.
	r := GP32()
	Load(Param("cull"), r)
	ANDL(negative, r)
	ORL(r, culled)
	r = GP32()
	Load(Param("cull"), r)
	SHRL(Imm(8), r)
	positive := kit.In(GP32(), MOVL, negative)
	NOTL(positive)
	ANDL(positive, r)
	ORL(r, culled)
	ANDL(accepted, culled)
	n := GP64()
	POPCNTL(culled, n.As32())
	count("culled", n)
	n = GP64()
	MOVL(accepted, n.As32())
	XORL(Imm(255), n.As32())
	POPCNTL(n.As32(), n.As32())
	count("rejected", n)
	ORL(culled, keep)
	NOTL(keep)
	ANDL(accepted, keep)
	n = GP64()
	POPCNTL(keep, n.As32())
	count("remaining", n)
	n = GP64()
	MOVL(U32(1), n.As32())
	count("done", n)

	// Every triangle is written; the next one overwrites it if it is not kept.
	for k := range 8 {
		order, by, v := GP64(), GP64(), XMM()
		MOVL(negative, order.As32())
		if k > 0 {
			SHRL(Imm(uint64(k)), order.As32())
		}
		ANDL(Imm(1), order.As32())
		SHLL(Imm(4), order.As32())
		VMOVUPS(Mem{Base: table, Index: order, Scale: 1}, v)
		VPERMILPS(v, loaded(Mem{Base: idx, Disp: 12 * k}), v)
		VPADDD(base.AsX(), v, v)
		VMOVUPS(v, Mem{Base: dst})
		MOVL(keep, by.As32())
		if k > 0 {
			SHRL(Imm(uint64(k)), by.As32())
		}
		ANDL(Imm(1), by.As32())
		LEAQ(Mem{Base: by, Index: by, Scale: 2}, by)
		LEAQ(Mem{Base: dst, Index: by, Scale: 4}, dst)
	}
	ADDQ(Imm(12*8), idx)
	DECQ(groups)
	JNZ(LabelRef("group"))
	Label("out")
	kit.Leave()
}

// loaded returns a register with 16 bytes of memory.
func loaded(m Mem) VecVirtual {
	return kit.In(XMM(), VMOVUPS, m)
}
