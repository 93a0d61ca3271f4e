package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// colors makes the kernels that read and write the colours of blocks.
func colors(bits Mem) {
	loadRGBA8()
	storeRGBA8(bits)
	blendRGBA8(bits)
	loadRGB8()
	storeRGB8()
	for _, f := range colors16 {
		load16(f)
		store16(f)
	}
}

const (
	loadDoc  = "splits the 16 pixels of n blocks into planes, but of those whose mask is 0."
	storeDoc = "writes the pixels in masks to n blocks."
	colorSig = "func(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha *uint8, n int)"
)

var planes = [4]string{"red", "green", "blue", "alpha"}

// eachBlock runs body for the blocks whose mask is not 0. at is the block's address in a buffer of pixel bytes per pixel, lane its
// first lane.
func eachBlock(pixel int, body func(at Mem, lane, mask Register)) {
	buffer, index, masks := Load(Param("buffer"), GP64()), Load(Param("index"), GP64()), Load(Param("masks"), GP64())
	n := Load(Param("n"), GP64())
	lane := GP64()
	XORQ(lane, lane)
	Label("block")
	mask := kit.In(GP32(), MOVWLZX, Mem{Base: masks})
	TESTL(mask, mask)
	JZ(LabelRef("next"))
	at := kit.In(GP64(), MOVLQSX, Mem{Base: index})
	m := Mem{Base: buffer, Index: at, Scale: uint8(pixel)}
	if pixel == 3 {
		LEAQ(Mem{Base: at, Index: at, Scale: 2}, at)
		m.Scale = 1
	}
	LEAQ(m, at)
	body(Mem{Base: at}, lane, mask)
	Label("next")
	ADDQ(Imm(16), lane)
	ADDQ(Imm(4), index)
	ADDQ(Imm(2), masks)
	DECQ(n)
	JNZ(LabelRef("block"))
	kit.Leave()
}

// colorPlanes loads the pointers to the planes and returns a function for the block of one that starts at a lane.
func colorPlanes() func(name string, lane Register) Mem {
	p := map[string]Register{}
	for _, name := range planes {
		p[name] = Load(Param(name), GP64())
	}
	return func(name string, lane Register) Mem { return Mem{Base: p[name], Index: lane, Scale: 1} }
}

func loadRGBA8() {
	channels := make([]byte, 32)
	for i := range channels {
		channels[i] = uint8(i%4*4 + i%16/4)
	}
	order := kit.Bytes("channelOrder", channels)
	kit.Text("loadRGBA8Vector", colorSig, loadDoc)
	plane := colorPlanes()
	o := kit.In(YMM(), VMOVDQU, order)
	h := kit.In(YMM(), VMOVDQU, kit.Dwords("joinHalves", 0, 4, 1, 5, 2, 6, 3, 7))
	eachBlock(4, func(at Mem, lane, mask Register) {
		var x [2]VecVirtual
		for k := range x {
			x[k] = kit.In(YMM(), VMOVDQU, at.Offset(32*k))
			VPSHUFB(o, x[k], x[k])
			VPERMD(x[k], h, x[k])
		}
		// Each register now has eight bytes of a, b, g, r.
		lo := kit.In(YMM(), VPUNPCKLQDQ, x[1], x[0]) // a | g
		hi := kit.In(YMM(), VPUNPCKHQDQ, x[1], x[0]) // b | r
		for _, c := range []struct {
			y    VecVirtual
			half uint64
			to   string
		}{{lo, 0, "alpha"}, {lo, 1, "green"}, {hi, 0, "blue"}, {hi, 1, "red"}} {
			VEXTRACTI128(Imm(c.half), c.y, plane(c.to, lane))
		}
	})
}

func storeRGBA8(bits Mem) {
	kit.Text("storeRGBA8Vector", colorSig, storeDoc)
	plane := colorPlanes()
	eachBlock(4, func(at Mem, lane, mask Register) {
		for k, x := range joinRGBA8(plane, lane) {
			m := blockMask(mask, k, bits)
			old := kit.In(YMM(), VMOVDQU, at.Offset(32*k))
			VPBLENDVB(m, x, old, old)
			VMOVDQU(old, at.Offset(32*k))
		}
	})
}

// joinRGBA8 packs a block's planes to pixels, eight per register.
func joinRGBA8(plane func(name string, lane Register) Mem, lane Register) (out [2]VecVirtual) {
	var p [4]VecVirtual
	for i, name := range planes {
		p[i] = kit.In(XMM(), VMOVDQU, plane(name, lane))
	}
	abLo := kit.In(XMM(), VPUNPCKLBW, p[2], p[3])
	abHi := kit.In(XMM(), VPUNPCKHBW, p[2], p[3])
	grLo := kit.In(XMM(), VPUNPCKLBW, p[0], p[1])
	grHi := kit.In(XMM(), VPUNPCKHBW, p[0], p[1])
	for k, half := range [][2]VecVirtual{{abLo, grLo}, {abHi, grHi}} {
		x, y := YMM(), XMM()
		VPUNPCKLWD(half[1], half[0], x.AsX())
		VPUNPCKHWD(half[1], half[0], y)
		VINSERTI128(Imm(1), y, x, x)
		out[k] = x
	}
	return out
}

// blendRGBA8 makes the kernel of blending by alpha. It reads its factors from a struct AlphaBlend of package raster.
func blendRGBA8(bits Mem) {
	kit.Text("blendRGBA8Vector", "func(buffer *uint8, index *int32, masks *uint16, red, green, blue, alpha, factors *uint8, n int)",
		"blends the pixels in masks with those of n blocks.")
	plane := colorPlanes()
	factors := Load(Param("factors"), GP64())
	var f [4]VecVirtual // and and xor for the source, then for the target
	for i := range f {
		f[i] = kit.In(YMM(), VPBROADCASTD, Mem{Base: factors, Disp: 4 * i})
	}
	zero, magic := YMM(), YMM()
	VPXOR(zero, zero, zero)
	VMOVDQU(words(0x8081), magic)
	spread := make([]byte, 32)
	for i := range spread {
		spread[i] = byte(i % 16 &^ 3)
	}
	toAll := kit.Bytes("alphaToAll", spread)
	eachBlock(4, func(at Mem, lane, mask Register) {
		for k, x := range joinRGBA8(plane, lane) {
			a := kit.In(YMM(), VPSHUFB, toAll, x)
			old := kit.In(YMM(), VMOVDQU, at.Offset(32*k))
			factor := func(i int) VecVirtual {
				y := kit.In(YMM(), VPAND, f[i], a)
				VPXOR(f[i+1], y, y)
				return y
			}
			sf, tf := factor(0), factor(2)
			// Sums beyond 65535 saturate, also after adding the rounding; divided by 255 these are above 255 too.
			half := func(unpack func(ops ...Op)) VecVirtual {
				wide := func(v VecVirtual) VecVirtual {
					y := YMM()
					unpack(zero, v, y)
					return y
				}
				s, t := wide(x), wide(old)
				VPMULLW(wide(sf), s, s)
				VPMULLW(wide(tf), t, t)
				VPADDUSW(t, s, s)
				VPADDUSW(words(127), s, s)
				VPMULHUW(magic, s, s) // divides by 255
				VPSRLW(Imm(7), s, s)
				return s
			}
			lo, hi := half(VPUNPCKLBW), half(VPUNPCKHBW)
			VPACKUSWB(hi, lo, lo)
			VPBLENDVB(blockMask(mask, k, bits), lo, old, old)
			VMOVDQU(old, at.Offset(32*k))
		}
	})
}

// An RGB8 block has 48 bytes, blue first: three registers of 16.

func loadRGB8() {
	kit.Text("loadRGB8Vector", colorSig, loadDoc)
	plane := colorPlanes()
	eachBlock(3, func(at Mem, lane, mask Register) {
		var part [3]VecVirtual
		for k := range part {
			part[k] = kit.In(XMM(), VMOVDQU, at.Offset(16*k))
		}
		for ch := range 3 {
			sum := XMM()
			for k := range part {
				order := make([]byte, 16)
				for i := range order {
					order[i] = none
					if at := 3*i + 2 - ch; at/16 == k {
						order[i] = byte(at % 16)
					}
				}
				x := sum
				if k > 0 {
					x = XMM()
				}
				VPSHUFB(kit.Bytes("fromRGB8"+planes[ch]+string(rune('0'+k)), order), part[k], x)
				if k > 0 {
					VPOR(x, sum, sum)
				}
			}
			VMOVDQU(sum, plane(planes[ch], lane))
		}
		ones := XMM()
		VPCMPEQD(ones, ones, ones)
		VMOVDQU(ones, plane("alpha", lane))
	})
}

func storeRGB8() {
	kit.Text("storeRGB8Vector", colorSig, storeDoc)
	plane := colorPlanes()
	eachBlock(3, func(at Mem, lane, mask Register) {
		var p [3]VecVirtual
		for ch := range p {
			p[ch] = kit.In(XMM(), VMOVDQU, plane(planes[ch], lane))
		}
		// A byte for each pixel of the mask.
		m, one := XMM(), XMM()
		halves, each := make([]byte, 16), make([]byte, 16)
		for i := range halves {
			halves[i], each[i] = byte(i/8), 1<<(i%8)
		}
		VMOVD(mask, m)
		VPSHUFB(kit.Bytes("maskBytes", halves), m, m)
		VMOVDQU(kit.Bytes("maskBits", each), one)
		VPAND(one, m, m)
		VPCMPEQB(one, m, m)
		for k := range 3 {
			sum, wide, old := XMM(), XMM(), XMM()
			spread := make([]byte, 16)
			for i := range spread {
				spread[i] = byte((16*k + i) / 3)
			}
			VPSHUFB(kit.Bytes("maskRGB8"+string(rune('0'+k)), spread), m, wide)
			for ch := range p {
				order := make([]byte, 16)
				for i := range order {
					order[i] = none
					if at := 16*k + i; at%3 == 2-ch {
						order[i] = byte(at / 3)
					}
				}
				x := sum
				if ch > 0 {
					x = XMM()
				}
				VPSHUFB(kit.Bytes("toRGB8"+planes[ch]+string(rune('0'+k)), order), p[ch], x)
				if ch > 0 {
					VPOR(x, sum, sum)
				}
			}
			VMOVDQU(at.Offset(16*k), old)
			VPBLENDVB(wide, sum, old, old)
			VMOVDQU(old, at.Offset(16*k))
		}
	})
}

// color16 is a 16-bit colour format: lowest bit and width of each channel; width 0 if it is absent.
type color16 struct {
	name        string
	shift, bits [4]uint64
}

var colors16 = []color16{
	{"RGB5A1", [4]uint64{11, 6, 1, 0}, [4]uint64{5, 5, 5, 1}},
	{"RGB565", [4]uint64{11, 5, 0, 0}, [4]uint64{5, 6, 5, 0}},
	{"RGBA4", [4]uint64{12, 8, 4, 0}, [4]uint64{4, 4, 4, 4}},
}

func words(v uint16) Mem { return kit.Repeat("words", 2, uint32(v)) }

func load16(f color16) {
	kit.Text("load"+f.name+"Vector", colorSig, loadDoc)
	plane := colorPlanes()
	eachBlock(2, func(at Mem, lane, mask Register) {
		v := kit.In(YMM(), VMOVDQU, at)
		for ch, name := range planes {
			x := YMM()
			switch bits := f.bits[ch]; bits {
			case 0:
				VPCMPEQD(x, x, x)
				VPSRLW(Imm(8), x, x)
			case 1:
				VPSLLW(Imm(15-f.shift[ch]), v, x)
				VPSRAW(Imm(15), x, x)
				VPSRLW(Imm(8), x, x)
			default:
				// Shifts the channel to the top of the word, then repeats it from the top of the byte down.
				low := YMM()
				VPSLLW(Imm(16-bits-f.shift[ch]), v, x)
				VPSRLW(Imm(16-bits), x, x)
				VPSRLW(Imm(2*bits-8), x, low)
				VPSLLW(Imm(8-bits), x, x)
				VPOR(low, x, x)
			}
			narrow(x, plane(name, lane))
		}
	})
}

func store16(f color16) {
	kit.Text("store"+f.name+"Vector", colorSig, storeDoc)
	plane := colorPlanes()
	each := make([]byte, 32)
	for i := range 16 {
		each[2*i+i/8] = 1 << (i % 8)
	}
	one := kit.In(YMM(), VMOVDQU, kit.Bytes("maskWords", each))
	eachBlock(2, func(at Mem, lane, mask Register) {
		sum := YMM()
		VPXOR(sum, sum, sum)
		for ch, name := range planes {
			if f.bits[ch] == 0 {
				continue
			}
			x := kit.In(YMM(), VPMOVZXBW, plane(name, lane))
			VPSRLW(Imm(8-f.bits[ch]), x, x)
			VPSLLW(Imm(f.shift[ch]), x, x)
			VPOR(x, sum, sum)
		}
		m, old := YMM(), YMM()
		VMOVD(mask, m.AsX())
		VPBROADCASTW(m.AsX(), m)
		VPAND(one, m, m)
		VPCMPEQW(one, m, m)
		VMOVDQU(at, old)
		VPBLENDVB(m, sum, old, old)
		VMOVDQU(old, at)
	})
}
