package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

const (
	float16  = 0x477FFF00 // 65535
	float24  = 0x4B7FFFFF // 16777215
	depth24  = 0x00FFFFFF
	stencil8 = 0xFF000000
	none     = 0x80 // index of a byte that a shuffle clears
)

// depthFormat describes how the depths of a block are loaded as words and stored.
type depthFormat struct {
	name  string
	top   uint32 // depth 1, a float
	bytes int    // of eight pixels
	load  func(m Mem) VecVirtual
	// store writes the words of the pixels in mask, and what was there to the others. The form for AVX2 writes both.
	store func(words, old, mask VecVirtual, m Mem)
	// loadWide and storeWide are load and store of 16 pixels with AVX-512.
	loadWide  func(m Mem) VecVirtual
	storeWide func(words, old VecVirtual, mask Register, m Mem)
}

var depthFormats = []depthFormat{
	{"D16", float16, 16,
		func(m Mem) VecVirtual {
			return kit.In(YMM(), VPMOVZXWD, m)
		},
		func(words, old, mask VecVirtual, m Mem) {
			hi := XMM()
			VPBLENDVB(mask, words, old, words)
			VEXTRACTI128(Imm(1), words, hi)
			VPACKUSDW(hi, words.AsX(), hi)
			VMOVDQU(hi, m)
		},
		func(m Mem) VecVirtual {
			return kit.In(ZMM(), VPMOVZXWD, m)
		},
		func(words, old VecVirtual, mask Register, m Mem) { VPMOVDW(words, mask, m) }},
	{"D24", float24, 24,
		func(m Mem) VecVirtual { return load24(m, depthFrom24, "depthFrom24") },
		func(words, old, mask VecVirtual, m Mem) {
			VPBLENDVB(mask, words, old, words)
			store24(words, m, depthTo24, "depthTo24")
		},
		loadWide24, storeWide24},
	{"D24S8", float24, 32,
		func(m Mem) VecVirtual {
			y := kit.In(YMM(), VMOVDQU, m)
			VPAND(dwords(depth24), y, y)
			return y
		},
		func(words, old, mask VecVirtual, m Mem) {
			stencil := YMM()
			VPBLENDVB(mask, words, old, words)
			VMOVDQU(m, stencil)
			VPAND(dwords(stencil8), stencil, stencil)
			VPOR(stencil, words, words)
			VMOVDQU(words, m)
		},
		func(m Mem) VecVirtual {
			return kit.In(ZMM(), VPANDD, m, fill(dwords(depth24)))
		},
		func(words, old VecVirtual, mask Register, m Mem) {
			stencil := kit.In(ZMM(), VPANDD, m, fill(dwords(stencil8)))
			VPORD(stencil, words, words)
			VMOVDQU32(words, mask, m)
		}},
}

// words are depths as integers of the format.
func (f *depthFormat) words(depth pixels) pixels {
	top := constant(f.top)
	return eachPart(func(k, _ int) VecVirtual {
		z := kit.In(kit.NewVector(), VMULPS, top, depth[k])
		VCVTTPS2DQ(z, z)
		return z
	})
}

// loadBlock loads the depths of the block at an address.
func (f *depthFormat) loadBlock(at Register) pixels {
	if kit.Wide {
		return pixels{f.loadWide(Mem{Base: at})}
	}
	return pixels{f.load(Mem{Base: at}), f.load(Mem{Base: at, Disp: f.bytes})}
}

// load24 loads eight 24-bit values. The second half is loaded from byte 8 on, so that nothing is read after the last value; its
// values start at byte 4.
func load24(m Mem, order []byte, name string) VecVirtual {
	lo := kit.In(YMM(), VBROADCASTI128, m)
	y := kit.In(YMM(), VBROADCASTI128, m.Offset(8))
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

// twelve returns a mask of the first twelve dwords, which 16 values of 24 bits take.
func twelve() Register {
	g := kit.In(GP32(), MOVL, U32(0xFFF))
	k := kit.In(K(), KMOVW, g)
	return k
}

// quarter fills all quarters of a register with the first 16 bytes at m.
func quarter(m Mem) VecVirtual {
	return kit.In(ZMM(), VBROADCASTI32X4, m)
}

// loadWide24 loads 16 values of 24 bits and nothing after them, four to a quarter of the register.
func loadWide24(m Mem) VecVirtual {
	y := kit.In(ZMM(), VMOVDQU32, m, twelve())
	apart := kit.In(ZMM(), VMOVDQU32, kit.Dwords("apart24", 0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0))
	VPERMD(y, apart, y)
	VPSHUFB(quarter(kit.Bytes("depthFrom24", depthFrom24)), y, y)
	return y
}

// storeWide24 stores them. Values of pixels that are not in mask are written as they were.
func storeWide24(words, old VecVirtual, mask Register, m Mem) {
	join := ZMM()
	VMOVDQA32(words, mask, old)
	VPSHUFB(quarter(kit.Bytes("depthTo24", depthTo24)), old, old)
	VMOVDQU32(kit.Dwords("join24Wide", 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0), join)
	VPERMD(old, join, old)
	VMOVDQU32(old, twelve(), m)
}

// depthTests makes a kernel per depth format: it keeps the mask bits of pixels whose depth has the relation rule to the buffer's,
// and writes their depths if write is not 0.
func depthTests(bits Mem) {
	for _, f := range depthFormats {
		kit.Text("testDepth"+f.name+"Vector", "func(depth *float32, buffer *byte, index *int32, masks *uint16, rule *uint32, write uint32, n int)",
			"tests the depths of n blocks against a buffer: the pixels that pass stay in masks. If write is not 0, their depths are written. rule is a row of compareRules.")
		kit.BothWays(func() {
			depth := Load(Param("depth"), GP64())
			rule := Load(Param("rule"), GP64())
			write := Load(Param("write"), GP32())
			buffer, index, masks := Load(Param("buffer"), GP64()), Load(Param("index"), GP64()), Load(Param("masks"), GP64())
			n := Load(Param("n"), GP64())
			block, next := kit.Name("block"), kit.Name("next")
			Label(block)
			mask := kit.In(GP32(), MOVWLZX, Mem{Base: masks})
			TESTL(mask, mask)
			JZ(LabelRef(next))
			at := kit.In(GP64(), MOVLQSX, Mem{Base: index})
			if f.bytes == 24 {
				LEAQ(Mem{Base: at, Index: at, Scale: 2}, at)
				ADDQ(buffer, at)
			} else {
				LEAQ(Mem{Base: buffer, Index: at, Scale: uint8(f.bytes / 8)}, at)
			}
			z, old := f.words(loadPixels(Mem{Base: depth})), f.loadBlock(at)
			less, equal := compareDepths(z, old)
			ANDL(Mem{Base: rule}, less)
			ANDL(Mem{Base: rule, Disp: 4}, equal)
			ORL(equal, less)
			XORL(Mem{Base: rule, Disp: 8}, less)
			ANDL(less, mask)
			MOVW(mask.As16(), Mem{Base: masks})
			TESTL(write, mask)
			JZ(LabelRef(next))
			if kit.Wide {
				pass := kit.In(K(), KMOVW, mask)
				f.storeWide(z[0], old[0], pass, Mem{Base: at})
			} else {
				for k := range 2 {
					f.store(z[k], old[k], blockMask(mask, k, bits), Mem{Base: at, Disp: f.bytes * k})
				}
			}
			Label(next)
			ADDQ(Imm(64), depth)
			ADDQ(Imm(4), index)
			ADDQ(Imm(2), masks)
			DECQ(n)
			JNZ(LabelRef(block))
			kit.Leave()
		})
	}
}

// loadDepths makes the kernels that load the depths of a block as words.
func loadDepths() {
	for _, f := range depthFormats {
		kit.Text("loadDepth"+f.name+"Vector", "func(buffer *byte, dst *uint32)", "reads the 16 depths of a block.")
		buffer, dst := Load(Param("buffer"), GP64()), Load(Param("dst"), GP64())
		for k := range 2 {
			VMOVDQU(f.load(Mem{Base: buffer, Disp: f.bytes * k}), Mem{Base: dst, Disp: 32 * k})
		}
		kit.Leave()
	}
}

// stencils makes the kernels that read and write the stencil bytes of D24S8.
func stencils(bits Mem) {
	kit.Text("loadStencilVector", "func(buffer, dst *byte)", "reads the stencil bytes of a block of a D24S8 buffer.")
	buffer, dst := Load(Param("buffer"), GP64()), Load(Param("dst"), GP64())
	var y [2]VecVirtual
	for k := range y {
		y[k] = kit.In(YMM(), VMOVDQU, Mem{Base: buffer, Disp: 32 * k})
		VPSRLD(Imm(24), y[k], y[k])
	}
	VPACKUSDW(y[1], y[0], y[0])
	VPERMQ(Imm(0b11_01_10_00), y[0], y[0])
	narrow(y[0], Mem{Base: dst})
	kit.Leave()

	kit.Text("storeStencilVector", "func(buffer, src *byte, mask uint32)",
		"writes the stencil bytes of the pixels in mask to a block of a D24S8 buffer.")
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
	kit.Leave()
}

// narrow writes the low bytes of 16 words of at most 255.
func narrow(y VecVirtual, m Mem) {
	hi := kit.In(XMM(), VEXTRACTI128, Imm(1), y)
	VPACKUSWB(hi, y.AsX(), hi)
	VMOVDQU(hi, m)
}
