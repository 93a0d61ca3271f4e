package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

const (
	float16  = 0x477FFF00 // 65535
	float24  = 0x4B7FFFFF // 16777215
	depth24  = 0x00FFFFFF
	stencil8 = 0xFF000000
	none     = 0x80 // index of a byte that a shuffle clears
)

// depthFormat describes how eight depths are loaded as words and stored.
type depthFormat struct {
	name  string
	top   uint32 // depth 1, a float
	bytes int    // of eight pixels
	load  func(m Mem) VecVirtual
	// store writes eight words.
	store func(words VecVirtual, m Mem)
}

var depthFormats = []depthFormat{
	{"D16", float16, 16,
		func(m Mem) VecVirtual {
			y := YMM()
			VPMOVZXWD(m, y)
			return y
		},
		func(words VecVirtual, m Mem) {
			hi := XMM()
			VEXTRACTI128(Imm(1), words, hi)
			VPACKUSDW(hi, words.AsX(), hi)
			VMOVDQU(hi, m)
		}},
	{"D24", float24, 24,
		func(m Mem) VecVirtual { return load24(m, depthFrom24, "depthFrom24") },
		func(words VecVirtual, m Mem) { store24(words, m, depthTo24, "depthTo24") }},
	{"D24S8", float24, 32,
		func(m Mem) VecVirtual {
			y := YMM()
			VMOVDQU(m, y)
			VPAND(dwords(depth24), y, y)
			return y
		},
		func(words VecVirtual, m Mem) {
			stencil := YMM()
			VMOVDQU(m, stencil)
			VPAND(dwords(stencil8), stencil, stencil)
			VPOR(stencil, words, words)
			VMOVDQU(words, m)
		}},
}

// load24 loads eight 24-bit values. The second half is loaded from byte 8 on, so that nothing is read after the last value; its
// values start at byte 4.
func load24(m Mem, order []byte, name string) VecVirtual {
	lo, y := YMM(), YMM()
	VBROADCASTI128(m, lo)
	VBROADCASTI128(m.Offset(8), y)
	VPBLENDD(Imm(0x0F), lo, y, y)
	VPSHUFB(kit.Bytes(name, order), y, y)
	return y
}

// store24 stores eight 24-bit values: twelve bytes of each half of a register, joined.
func store24(words VecVirtual, m Mem, order []byte, name string) {
	join, hi := YMM(), XMM()
	VPSHUFB(kit.Bytes(name, order), words, words)
	VMOVDQU(kit.Dwords("join24", 0, 1, 2, 4, 5, 6, 7, 7), join)
	VPERMD(words, join, words)
	VEXTRACTI128(Imm(1), words, hi)
	VMOVDQU(words.AsX(), m)
	VMOVQ(hi, m.Offset(16))
}

// depthFrom24 and depthTo24 are the shuffles of a depth of three bytes.
var depthFrom24, depthTo24 = func() (from, to []byte) {
	from, to = make([]byte, 32), make([]byte, 32)
	for i := range from {
		from[i], to[i] = none, none
		if i%4 < 3 {
			from[i] = byte(i%16/4*3 + i%4 + i/16*4)
		}
		if k := i % 16; k < 12 {
			to[i] = byte(k/3*4 + k%3)
		}
	}
	return from, to
}()

// depthTests makes a kernel per depth format: it keeps the mask bits of pixels whose depth has the relation rule to the buffer's,
// and writes their depths if write is not 0.
func depthTests(bits Mem) {
	for _, f := range depthFormats {
		text("testDepth"+f.name+"Vector", "tests the depths of n blocks against a buffer: the pixels that pass stay in masks. If write is not 0, their depths are written. rule is a row of compareRules.",
			"func(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int)")
		depth := Load(Param("depth"), GP64())
		rule := Load(Param("rule"), GP64())
		write := Load(Param("write"), GP32())
		less, equal, invert := YMM(), YMM(), YMM()
		VPBROADCASTD(Mem{Base: rule}, less)
		VPBROADCASTD(Mem{Base: rule, Disp: 4}, equal)
		VPBROADCASTD(Mem{Base: rule, Disp: 8}, invert)
		buffer, index, masks := Load(Param("buffer"), GP64()), Load(Param("index"), GP64()), Load(Param("masks"), GP64())
		n := Load(Param("n"), GP64())
		Label("block")
		mask := GP32()
		MOVWLZX(Mem{Base: masks}, mask)
		TESTL(mask, mask)
		JZ(LabelRef("next"))
		at := GP64()
		MOVLQSX(Mem{Base: index}, at)
		if f.bytes == 24 {
			LEAQ(Mem{Base: at, Index: at, Scale: 2}, at)
			ADDQ(buffer, at)
		} else {
			LEAQ(Mem{Base: buffer, Index: at, Scale: uint8(f.bytes / 8)}, at)
		}
		var z, old, pass [2]VecVirtual
		var set [2]GPVirtual
		for k := range 2 {
			z[k] = YMM()
			VMOVUPS(Mem{Base: depth, Disp: 32 * k}, z[k])
			VMULPS(dwords(f.top), z[k], z[k])
			VCVTTPS2DQ(z[k], z[k])
			old[k] = f.load(Mem{Base: at, Disp: f.bytes * k})
			l, e := YMM(), YMM()
			VPCMPGTD(z[k], old[k], l)
			VPCMPEQD(z[k], old[k], e)
			VPAND(less, l, l)
			VPAND(equal, e, e)
			VPOR(e, l, l)
			VPXOR(invert, l, l)
			VPAND(blockMask(mask, k, bits), l, l)
			pass[k], set[k] = l, GP32()
			VMOVMSKPS(l, set[k])
		}
		SHLL(Imm(8), set[1])
		ORL(set[1], set[0])
		MOVW(set[0].As16(), Mem{Base: masks})
		TESTL(write, set[0])
		JZ(LabelRef("next"))
		for k := range 2 {
			VPBLENDVB(pass[k], z[k], old[k], z[k])
			f.store(z[k], Mem{Base: at, Disp: f.bytes * k})
		}
		Label("next")
		ADDQ(Imm(64), depth)
		ADDQ(Imm(4), index)
		ADDQ(Imm(2), masks)
		DECQ(n)
		JNZ(LabelRef("block"))
		VZEROUPPER()
		RET()
	}
}

// loadDepths makes the kernels that load the depths of a block as words.
func loadDepths() {
	for _, f := range depthFormats {
		text("loadDepth"+f.name+"Vector", "reads the 16 depths of a block.", "func(buffer *byte, dst *uint32)")
		buffer, dst := Load(Param("buffer"), GP64()), Load(Param("dst"), GP64())
		for k := range 2 {
			VMOVDQU(f.load(Mem{Base: buffer, Disp: f.bytes * k}), Mem{Base: dst, Disp: 32 * k})
		}
		VZEROUPPER()
		RET()
	}
}

// stencils makes the kernels that read and write the stencil bytes of D24S8.
func stencils(bits Mem) {
	text("loadStencilVector", "reads the stencil bytes of a block of a D24S8 buffer.", "func(buffer, dst *byte)")
	buffer, dst := Load(Param("buffer"), GP64()), Load(Param("dst"), GP64())
	var y [2]VecVirtual
	for k := range y {
		y[k] = YMM()
		VMOVDQU(Mem{Base: buffer, Disp: 32 * k}, y[k])
		VPSRLD(Imm(24), y[k], y[k])
	}
	VPACKUSDW(y[1], y[0], y[0])
	VPERMQ(Imm(0b11_01_10_00), y[0], y[0])
	narrow(y[0], Mem{Base: dst})
	VZEROUPPER()
	RET()

	text("storeStencilVector", "writes the stencil bytes of the pixels in mask to a block of a D24S8 buffer.", "func(buffer, src *byte, mask uint32)")
	buffer, src := Load(Param("buffer"), GP64()), Load(Param("src"), GP64())
	mask := Load(Param("mask"), GP32())
	for k := range 2 {
		s, old, at := YMM(), YMM(), Mem{Base: buffer, Disp: 32 * k}
		VPMOVZXBD(Mem{Base: src, Disp: 8 * k}, s)
		VPSLLD(Imm(24), s, s)
		m := blockMask(mask, k, bits)
		VPAND(dwords(stencil8), m, m)
		VMOVDQU(at, old)
		VPBLENDVB(m, s, old, old)
		VMOVDQU(old, at)
	}
	VZEROUPPER()
	RET()
}

// narrow writes the low bytes of 16 words of at most 255.
func narrow(y VecVirtual, m Mem) {
	hi := XMM()
	VEXTRACTI128(Imm(1), y, hi)
	VPACKUSWB(hi, y.AsX(), hi)
	VMOVDQU(hi, m)
}
