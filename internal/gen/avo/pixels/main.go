// Command pixels generates the AVX2 kernels of package pixels: conversions between pixel formats and words, and between tiles and
// rows, and means of neighbouring pixels. Run it through go generate there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	decoders()
	encoders()
	for _, swap := range []bool{false, true} {
		untile(swap)
		tile(swap)
	}
	untileRGB8()
	means()
	repeat()
	kit.GenerateForAll()
}

// dwords returns a memory operand with a value repeated eight times.
func dwords(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

// fill is a register with a value repeated eight times.
func fill(v uint32) VecVirtual {
	return kit.In(YMM(), VMOVDQU, dwords(v))
}

// reverse is the shuffle that reverses the bytes of each of four pixels.
func reverse() VecVirtual {
	return kit.In(YMM(), VMOVDQU, kit.Bytes("reverse", reversed[:]))
}

var reversed = func() (b [32]byte) {
	for i := range b {
		b[i] = byte(i&12 | 3 - i&3)
	}
	return b
}()

// pixels begins a kernel that converts n pixels, a multiple of 8, eight per step. body receives the pointers of both sides.
func pixels(name, doc, signature string, from, to string, fromBytes, toBytes uint64, setup func() func(src, dst Register)) {
	kit.Text(name, signature, doc)
	src, dst := Load(Param(from), GP64()), Load(Param(to), GP64())
	n := Load(Param("n"), GP64())
	body := setup()
	Label("loop")
	body(src, dst)
	ADDQ(Imm(8*fromBytes), src)
	ADDQ(Imm(8*toBytes), dst)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	kit.Leave()
}

// bits shifts x left (right if negative) and applies a mask.
func bits(x VecVirtual, shift int, mask VecVirtual) VecVirtual {
	y := YMM()
	switch {
	case shift > 0:
		VPSLLD(Imm(uint64(shift)), x, y)
	case shift < 0:
		VPSRLD(Imm(uint64(-shift)), x, y)
	default:
		VPAND(mask, x, y)
		return y
	}
	VPAND(mask, y, y)
	return y
}

func or(x VecVirtual, more ...VecVirtual) VecVirtual {
	for _, y := range more {
		VPOR(y, x, x)
	}
	return x
}

// shifted is x shifted left.
func shifted(x VecVirtual, by uint64) VecVirtual {
	return kit.In(YMM(), VPSLLD, Imm(by), x)
}

// decoders makes the kernels of pica.ColorFormat.Decode. The 16-bit ones are pica's UnpackRGB5A1, UnpackRGB565 and UnpackRGBA4 with
// one pixel per 32 bits.
func decoders() {
	decoder := func(format string, bytes uint64, setup func() func(src, dst Register)) {
		pixels("decode"+format+"Vector", "decodes n pixels, a multiple of 8.", "func(dst *uint32, src *byte, n int)", "src", "dst", bytes, 4, setup)
	}
	decoder("RGBA8", 4, func() func(src, dst Register) {
		r := reverse()
		return func(src, dst Register) {
			y := kit.In(YMM(), VMOVDQU, Mem{Base: src})
			VPSHUFB(r, y, y)
			VMOVDQU(y, Mem{Base: dst})
		}
	})
	decoder("RGB8", 3, func() func(src, dst Register) {
		// The second half is loaded from byte 8 on, so that nothing is read after the last pixel; its pixels start at byte 4.
		order := make([]byte, 32)
		for i := range order {
			order[i] = 0x80
			if i%4 != 3 {
				order[i] = byte(i%16/4*3 + 2 - i%4 + i/16*4)
			}
		}
		o, a := YMM(), fill(0xFF000000)
		VMOVDQU(kit.Bytes("fromRGB8", order), o)
		return func(src, dst Register) {
			y := YMM()
			VMOVDQU(Mem{Base: src}, y.AsX())
			VINSERTI128(Imm(1), Mem{Base: src, Disp: 8}, y, y)
			VPSHUFB(o, y, y)
			VPOR(a, y, y)
			VMOVDQU(y, Mem{Base: dst})
		}
	})
	words := func(format string, setup func() func(v VecVirtual) VecVirtual) {
		decoder(format, 2, func() func(src, dst Register) {
			convert := setup()
			return func(src, dst Register) {
				v := kit.In(YMM(), VPMOVZXWD, Mem{Base: src})
				VMOVDQU(convert(v), Mem{Base: dst})
			}
		})
	}
	words("RGB5A1", func() func(v VecVirtual) VecVirtual {
		r, g, b, low, one := fill(0x1F), fill(0x1F00), fill(0x1F0000), fill(0x070707), fill(1)
		return func(v VecVirtual) VecVirtual {
			rgb := or(bits(v, -11, r), bits(v, 2, g), bits(v, 15, b))
			a := bits(v, 0, one)
			VPSUBD(a, zero(), a) // all bits or none
			VPSLLD(Imm(24), a, a)
			return or(shifted(rgb, 3), bits(rgb, -2, low), a)
		}
	})
	words("RGB565", func() func(v VecVirtual) VecVirtual {
		r, g, b, low, lowG, a := fill(0x1F), fill(0x3F00), fill(0x1F0000), fill(0x070007), fill(0x0300), fill(0xFF000000)
		return func(v VecVirtual) VecVirtual {
			rb, gg := or(bits(v, -11, r), bits(v, 16, b)), bits(v, 3, g)
			return or(shifted(rb, 3), bits(rb, -2, low), shifted(gg, 2), bits(gg, -4, lowG), a)
		}
	})
	words("RGBA4", func() func(v VecVirtual) VecVirtual {
		r, g, b, a := fill(15), fill(0xF00), fill(0xF0000), fill(0xF000000)
		return func(v VecVirtual) VecVirtual {
			x := or(bits(v, -12, r), bits(v, 0, g), bits(v, 12, b), bits(v, 24, a))
			return or(x, shifted(x, 4))
		}
	})
}

func zero() VecVirtual {
	y := YMM()
	VPXOR(y, y, y)
	return y
}

// encoders makes the kernels of pica.ColorFormat.Encode.
func encoders() {
	encoder := func(format string, bytes uint64, setup func() func(src, dst Register)) {
		pixels("encode"+format+"Vector", "encodes n pixels, a multiple of 8.", "func(dst *byte, src *uint32, n int)", "src", "dst", 4, bytes, setup)
	}
	encoder("RGBA8", 4, func() func(src, dst Register) {
		r := reverse()
		return func(src, dst Register) {
			y := kit.In(YMM(), VMOVDQU, Mem{Base: src})
			VPSHUFB(r, y, y)
			VMOVDQU(y, Mem{Base: dst})
		}
	})
	encoder("RGB8", 3, func() func(src, dst Register) {
		// 12 bytes of each half, then joined.
		order := make([]byte, 32)
		for i := range order {
			order[i] = 0x80
			if k := i % 16; k < 12 {
				order[i] = byte(k/3*4 + 2 - k%3)
			}
		}
		o := kit.In(YMM(), VMOVDQU, kit.Bytes("toRGB8", order))
		join := kit.In(YMM(), VMOVDQU, kit.Dwords("joinRGB8", 0, 1, 2, 4, 5, 6, 7, 7))
		return func(src, dst Register) {
			y, hi := YMM(), XMM()
			VMOVDQU(Mem{Base: src}, y)
			VPSHUFB(o, y, y)
			VPERMD(y, join, y)
			VEXTRACTI128(Imm(1), y, hi)
			VMOVDQU(y.AsX(), Mem{Base: dst})
			VMOVQ(hi, Mem{Base: dst, Disp: 16})
		}
	})
	for _, f := range []struct {
		format string
		parts  [][2]int // shift and mask of each channel
	}{
		{"RGB5A1", [][2]int{{8, 0xF800}, {-5, 0x7C0}, {-18, 0x3E}, {-31, 1}}},
		{"RGB565", [][2]int{{8, 0xF800}, {-5, 0x7E0}, {-19, 0x1F}}},
		{"RGBA4", [][2]int{{8, 0xF000}, {-4, 0xF00}, {-16, 0xF0}, {-28, 0xF}}},
	} {
		encoder(f.format, 2, func() func(src, dst Register) {
			var masks []VecVirtual
			for _, p := range f.parts {
				masks = append(masks, fill(uint32(p[1])))
			}
			return func(src, dst Register) {
				c, hi := YMM(), XMM()
				VMOVDQU(Mem{Base: src}, c)
				var parts []VecVirtual
				for i, p := range f.parts {
					parts = append(parts, bits(c, p[0], masks[i]))
				}
				v := or(parts[0], parts[1:]...)
				VEXTRACTI128(Imm(1), v, hi)
				VPACKUSDW(hi, v.AsX(), hi)
				VMOVDQU(hi, Mem{Base: dst})
			}
		})
	}
}

// A tile's pixels are stored in groups of four: two of a row and the two below them. Rows 2k and 2k+1 consist of these groups.
var rowGroups = [4][4]int{{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}}

// tiles begins a kernel over adjacent tiles: memory holds 256 bytes per tile, rows points to the first row, step is the distance of
// rows in bytes and width the bytes of a tile's row.
func tiles(name, doc, signature, memory, rows string, width uint64, setup func(), body func(memory Register, row func(k int) Mem)) {
	kit.Text(name, signature, doc)
	m, first := Load(Param(memory), GP64()), Load(Param(rows), GP64())
	step := Load(Param("step"), GP64())
	n := Load(Param("tiles"), GP64())
	setup()
	at := GP64()
	Label("loop")
	MOVQ(first, at)
	last := 0
	body(m, func(k int) Mem {
		for ; last < k; last++ {
			ADDQ(step, at)
		}
		return Mem{Base: at}
	})
	ADDQ(U32(256), m)
	ADDQ(Imm(width), first)
	DECQ(n)
	JNZ(LabelRef("loop"))
	kit.Leave()
}

// reverseIf returns reverse of kernels that swap, once setup has run.
func reverseIf(swap bool) (r *VecVirtual, setup func()) {
	r = new(VecVirtual)
	return r, func() {
		if swap {
			*r = reverse()
		}
	}
}

func untile(swap bool) {
	name, doc, memory := "untileVector", "puts tiles of words, in memory order, into rows.", "uint32"
	if swap {
		name, doc, memory = "untileRGBA8Vector", "puts tiles of RGBA8, as they lie in memory, into rows of words.", "byte"
	}
	r, setup := reverseIf(swap)
	tiles(name, doc, "func(dst *uint32, step int, src *"+memory+", tiles int)", "src", "dst", 32, setup, func(src Register, row func(k int) Mem) {
		for k, g := range rowGroups {
			upper, lower := rowsOf(src, g)
			if swap {
				VPSHUFB(*r, upper, upper)
				VPSHUFB(*r, lower, lower)
			}
			VMOVDQU(upper, row(2*k))
			VMOVDQU(lower, row(2*k+1))
		}
	})
}

// rowsOf returns the two rows of a tile that consist of the given groups.
func rowsOf(src Register, g [4]int) (upper, lower VecVirtual) {
	a, b := YMM(), YMM()
	upper, lower = YMM(), YMM()
	VMOVDQU(Mem{Base: src, Disp: 16 * g[0]}, a.AsX())
	VINSERTI128(Imm(1), Mem{Base: src, Disp: 16 * g[2]}, a, a)
	VMOVDQU(Mem{Base: src, Disp: 16 * g[1]}, b.AsX())
	VINSERTI128(Imm(1), Mem{Base: src, Disp: 16 * g[3]}, b, b)
	VPUNPCKLQDQ(b, a, upper)
	VPUNPCKHQDQ(b, a, lower)
	return upper, lower
}

// untileRGB8 converts tiles to RGB8 rows in one pass, as each frame of each screen needs.
func untileRGB8() {
	const doc = "puts tiles of RGBA8, as they lie in memory, into rows of RGB8."
	var order, join VecVirtual
	setup := func() {
		// 12 bytes of each half, then joined.
		bytes := make([]byte, 32)
		for i := range bytes {
			bytes[i] = 0x80
			if k := i % 16; k < 12 {
				bytes[i] = byte(k/3*4 + 1 + k%3)
			}
		}
		order, join = YMM(), YMM()
		VMOVDQU(kit.Bytes("withoutAlpha", bytes), order)
		VMOVDQU(kit.Dwords("joinRGB8", 0, 1, 2, 4, 5, 6, 7, 7), join)
	}
	tiles("untileRGB8Vector", doc, "func(dst *byte, step int, src *byte, tiles int)", "src", "dst", 24, setup, func(src Register, row func(k int) Mem) {
		for k, g := range rowGroups {
			upper, lower := rowsOf(src, g)
			for i, y := range []VecVirtual{upper, lower} {
				hi := XMM()
				VPSHUFB(order, y, y)
				VPERMD(y, join, y)
				VEXTRACTI128(Imm(1), y, hi)
				at := row(2*k + i)
				VMOVDQU(y.AsX(), at)
				VMOVQ(hi, at.Offset(16))
			}
		}
	})
}

func tile(swap bool) {
	name, doc, memory := "tileVector", "puts rows of words into tiles in memory order.", "uint32"
	if swap {
		name, doc, memory = "tileRGBA8Vector", "puts rows of words into tiles of RGBA8 as they lie in memory.", "byte"
	}
	r, setup := reverseIf(swap)
	tiles(name, doc, "func(dst *"+memory+", src *uint32, step int, tiles int)", "dst", "src", 32, setup, func(dst Register, row func(k int) Mem) {
		for k, g := range rowGroups {
			upper, lower, a, b := YMM(), YMM(), YMM(), YMM()
			VMOVDQU(row(2*k), upper)
			VMOVDQU(row(2*k+1), lower)
			if swap {
				VPSHUFB(*r, upper, upper)
				VPSHUFB(*r, lower, lower)
			}
			VPUNPCKLQDQ(lower, upper, a)
			VPUNPCKHQDQ(lower, upper, b)
			VMOVDQU(a.AsX(), Mem{Base: dst, Disp: 16 * g[0]})
			VMOVDQU(b.AsX(), Mem{Base: dst, Disp: 16 * g[1]})
			VEXTRACTI128(Imm(1), a, Mem{Base: dst, Disp: 16 * g[2]})
			VEXTRACTI128(Imm(1), b, Mem{Base: dst, Disp: 16 * g[3]})
		}
	})
}

// means makes the kernels that scale down: an output pixel is the mean of two pixels, or of two in each of two rows, rounded down.
func means() {
	const low = 0x00FF00FF
	// pairs returns the sums of neighbours, of even and of odd channels, 16 bits each.
	pairs := func(m Register, at int, mask VecVirtual, join func(even, odd VecVirtual)) {
		x, y, a, b := YMM(), YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: m, Disp: at}, x)
		VMOVDQU(Mem{Base: m, Disp: at + 32}, y)
		// The first and the second pixel of each pair, in lanes 0 1 4 5 | 2 3 6 7.
		VSHUFPS(Imm(0b10001000), y, x, a)
		VSHUFPS(Imm(0b11011101), y, x, b)
		for _, v := range []VecVirtual{a, b} {
			even := kit.In(YMM(), VPAND, mask, v)
			odd := kit.In(YMM(), VPSRLW, Imm(8), v)
			join(even, odd)
		}
	}
	for _, rows := range []int{1, 2} {
		name, sig := "mean2Vector", "func(dst, a *uint32, n int)"
		if rows == 2 {
			name, sig = "mean4Vector", "func(dst, a, b *uint32, n int)"
		}
		kit.Text(name, sig, "makes n pixels, a multiple of 8, of twice as many in each row.")
		dst := Load(Param("dst"), GP64())
		src := []Register{Load(Param("a"), GP64())}
		if rows == 2 {
			src = append(src, Load(Param("b"), GP64()))
		}
		n := Load(Param("n"), GP64())
		mask := fill(low)
		Label("loop")
		even, odd := zero(), zero()
		for _, s := range src {
			pairs(s, 0, mask, func(e, o VecVirtual) {
				VPADDW(e, even, even)
				VPADDW(o, odd, odd)
			})
		}
		VPSRLW(Imm(uint64(rows)), even, even)
		VPSRLW(Imm(uint64(rows)), odd, odd)
		VPSLLW(Imm(8), odd, odd)
		VPOR(odd, even, even)
		VPERMQ(Imm(0b11_01_10_00), even, even)
		VMOVDQU(even, Mem{Base: dst})
		ADDQ(Imm(32), dst)
		for _, s := range src {
			ADDQ(Imm(64), s)
		}
		SUBQ(Imm(8), n)
		JNZ(LabelRef("loop"))
		kit.Leave()
	}
}

// repeat makes the kernel of Fill.
func repeat() {
	kit.Text("fillVector", "func(dst, pattern *byte, n int)", "repeats a pattern of 96 bytes all over dst, of n bytes, a multiple of those.")
	dst, pattern, n := Load(Param("dst"), GP64()), Load(Param("pattern"), GP64()), Load(Param("n"), GP64())
	var part [3]VecVirtual
	for k := range part {
		part[k] = kit.In(YMM(), VMOVDQU, Mem{Base: pattern, Disp: 32 * k})
	}
	Label("loop")
	for k, y := range part {
		VMOVDQU(y, Mem{Base: dst, Disp: 32 * k})
	}
	ADDQ(Imm(96), dst)
	SUBQ(Imm(96), n)
	JNZ(LabelRef("loop"))
	kit.Leave()
}
