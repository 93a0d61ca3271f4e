package pipeline

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/tests/testkit"
)

// The functions below define transfers pixel by pixel; the tests compare the kernels with them.

func refDecode(f pica.ScreenFormat, p []byte) (c [4]int) {
	v := 0
	for i := f.Bytes() - 1; i >= 0; i-- {
		v = v<<8 | int(p[i])
	}
	widen := func(v, bits int) int {
		if bits == 4 {
			return v * 17
		}
		return v<<(8-bits) | v>>(2*bits-8)
	}
	switch f {
	case pica.ScreenFormatRGBA8:
		return [4]int{v >> 24 & 255, v >> 16 & 255, v >> 8 & 255, v & 255}
	case pica.ScreenFormatRGB8:
		return [4]int{v >> 16, v >> 8 & 255, v & 255, 255}
	case pica.ScreenFormatRGB565:
		return [4]int{widen(v>>11, 5), widen(v>>5&63, 6), widen(v&31, 5), 255}
	case pica.ScreenFormatRGB5A1:
		return [4]int{widen(v>>11, 5), widen(v>>6&31, 5), widen(v>>1&31, 5), v & 1 * 255}
	}
	return [4]int{widen(v>>12, 4), widen(v>>8&15, 4), widen(v>>4&15, 4), widen(v&15, 4)}
}

func refEncode(f pica.ScreenFormat, c [4]int, p []byte) {
	var v int
	switch f {
	case pica.ScreenFormatRGBA8:
		v = c[0]<<24 | c[1]<<16 | c[2]<<8 | c[3]
	case pica.ScreenFormatRGB8:
		v = c[0]<<16 | c[1]<<8 | c[2]
	case pica.ScreenFormatRGB565:
		v = c[0]>>3<<11 | c[1]>>2<<5 | c[2]>>3
	case pica.ScreenFormatRGB5A1:
		v = c[0]>>3<<11 | c[1]>>3<<6 | c[2]>>3<<1 | c[3]>>7
	case pica.ScreenFormatRGBA4:
		v = c[0]>>4<<12 | c[1]>>4<<8 | c[2]>>4<<4 | c[3]>>4
	}
	for i := range f.Bytes() {
		p[i] = byte(v >> (8 * i))
	}
}

func refIndex(t pica.Tiling, x, y, width int) int {
	if t == pica.Linear {
		return y*width + x
	}
	s := int(t)
	m := 0
	for b := range 5 {
		m |= x%s>>b&1<<(2*b) | y%s>>b&1<<(2*b+1)
	}
	return y/s*s*width + x/s*s*s + m
}

func refTransfer(t Transfer, src, dst []byte) {
	w, h := t.Size()
	line := int(t.InWidth)
	if t.Scaling == pica.TransferScaleNone && !t.Crop && t.OutWidth < t.InWidth {
		line = int(t.OutWidth)
	}
	sx, sy := 1, 1
	if t.Scaling != pica.TransferScaleNone {
		sx = 2
	}
	if t.Scaling == pica.TransferScale2x2 {
		sy = 2
	}
	for y := range int(h) {
		for x := range int(w) {
			var sum [4]int
			for j := range sy {
				for i := range sx {
					at := refIndex(t.Tiling(t.InTiled), x*sx+i, y*sy+j, line) * t.InFormat.Bytes()
					for ch, v := range refDecode(t.InFormat, src[at:]) {
						sum[ch] += v
					}
				}
			}
			for ch := range sum {
				sum[ch] /= sx * sy
			}
			oy := y
			if t.Flip {
				oy = int(h) - 1 - y
			}
			refEncode(t.OutFormat, sum, dst[refIndex(t.Tiling(t.OutTiled), x, oy, int(w))*t.OutFormat.Bytes():])
		}
	}
}

func randomBytes(b []byte, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

func TestTransferMatchesDefinition(t *testing.T) {
	const dstAddr = pica.VRAMBase + 1<<20
	mem := newMemory(pica.FCRAMSize)
	forms := []*transferrer{
		newTransferrer(simd.Best, newPool(1, new(helperSet), 0)), newTransferrer(simd.Plain, newPool(1, new(helperSet), 0)),
		newTransferrer(simd.Best, newPool(3, new(helperSet), 0)),
	}
	check := func(tr Transfer) {
		t.Helper()
		tr.Src, tr.Dst = pica.VRAMBase, dstAddr
		from, to, err := tr.spans()
		require.NoError(t, err)
		require.LessOrEqual(t, from.bytes, uint32(1<<20))
		require.LessOrEqual(t, to.addr+to.bytes, uint32(pica.VRAMBase+pica.VRAMSize))
		src, _ := mem.Slice(pica.VRAMBase, 1<<20)
		dst, _ := mem.Slice(dstAddr, 2<<20)
		randomBytes(src[:from.bytes], 1)
		mem.Touch(from.addr, from.bytes)
		want := make([]byte, len(dst))
		refTransfer(tr, src, want[tr.skew():])
		for i, b := range forms {
			clear(dst)
			mem.Touch(dstAddr, 2<<20)
			before := mem.Generation(to.addr, to.bytes)
			require.NoError(t, b.run(tr, mem), "%v", tr)
			require.True(t, string(want) == string(dst), "form %d: %v flip %v crop %v", i, tr, tr.Flip, tr.Crop)
			require.Greater(t, mem.Generation(to.addr, to.bytes), before)
		}
	}
	for in := pica.ScreenFormatRGBA8; in <= pica.ScreenFormatRGBA4; in++ {
		for out := pica.ScreenFormatRGBA8; out <= pica.ScreenFormatRGBA4; out++ {
			for mode := range 4 {
				check(Transfer{InWidth: 64, InHeight: 24, OutWidth: 64, OutHeight: 24,
					InFormat: in, OutFormat: out, InTiled: mode&1 != 0, OutTiled: mode&2 != 0})
			}
		}
	}
	for scale := pica.TransferScaleNone; scale <= pica.TransferScale2x2; scale++ {
		for mode := range 16 {
			check(Transfer{InWidth: 96, InHeight: 64, OutWidth: 64, OutHeight: 64, Scaling: scale, InFormat: pica.ScreenFormatRGBA8, OutFormat: pica.ScreenFormatRGB8,
				InTiled: mode&1 != 0, OutTiled: mode&2 != 0, Flip: mode&4 != 0, Block32: mode&8 != 0, Crop: mode&4 != 0})
			check(Transfer{InWidth: 240, InHeight: 40, OutWidth: 240, OutHeight: 40, Scaling: scale, InFormat: pica.ScreenFormatRGBA8, OutFormat: pica.ScreenFormatRGB565,
				InTiled: mode&1 != 0, OutTiled: mode&2 != 0, Flip: mode&4 != 0, Block32: mode&8 != 0})
		}
	}
	// Screen sizes, which are split among workers.
	check(Transfer{InWidth: 240, InHeight: 400, OutWidth: 240, OutHeight: 400, OutFormat: pica.ScreenFormatRGB8, InTiled: true, Flip: true})
	check(Transfer{InWidth: 256, InHeight: 256, OutWidth: 256, OutHeight: 256, InFormat: pica.ScreenFormatRGB5A1, OutTiled: true, Flip: true})
	check(Transfer{InWidth: 252, InHeight: 255, OutWidth: 252, OutHeight: 255, InFormat: pica.ScreenFormatRGB5A1, OutTiled: true, Flip: true})
	// Transfers done in one pass, and similar ones that are not: sizes near multiples of a tile, and cropped lines.
	for _, w := range []uint32{8, 16, 24, 31, 32, 64} {
		for _, h := range []uint32{7, 8, 9, 15, 16, 40} {
			for mode := range 8 {
				tr := Transfer{InWidth: w, InHeight: h, OutWidth: w, OutHeight: h, OutFormat: pica.ScreenFormatRGB8,
					InTiled: true, Flip: mode&1 != 0, Crop: mode&2 != 0}
				if tr.Crop {
					tr.InWidth += 16
				}
				if mode&4 != 0 {
					tr.InFormat = pica.ScreenFormatRGB8
				}
				check(tr)
			}
		}
	}
	// Sizes that are no multiples of a tile.
	check(Transfer{InWidth: 61, InHeight: 13, OutWidth: 59, OutHeight: 13, InTiled: true, Crop: true})
	// Narrower output without crop, in one pass and not.
	for mode := range 8 {
		check(Transfer{InWidth: 96, InHeight: 24, OutWidth: 64, OutHeight: 24, OutFormat: pica.ScreenFormatRGB8, InTiled: mode&1 != 0, OutTiled: mode&2 != 0, Flip: mode&4 != 0})
	}
	check(Transfer{InWidth: 61, InHeight: 13, OutWidth: 59, OutHeight: 11, OutTiled: true, Scaling: pica.TransferScale2x2})
}

// A transfer onto its own input reads its own output band by band; the result is the same with any kernels and worker count.
func TestTransferInPlace(t *testing.T) {
	for mode := range 8 {
		tr := Transfer{Src: pica.VRAMBase, Dst: pica.VRAMBase + 4096, InWidth: 128, InHeight: 136, OutWidth: 128, OutHeight: 136,
			InTiled: mode&1 != 0, OutTiled: mode&2 != 0, Flip: mode&4 != 0}
		var want []byte
		for i, b := range []*transferrer{
			newTransferrer(simd.Plain, newPool(1, new(helperSet), 0)), newTransferrer(simd.Best, newPool(1, new(helperSet), 0)), newTransferrer(simd.Best, newPool(3, new(helperSet), 0)),
		} {
			mem := newMemory(pica.FCRAMSize)
			all := testkit.Must(mem.Slice(pica.VRAMBase, 128*136*4+4096))(t)
			randomBytes(all, 5)
			require.NoError(t, b.run(tr, mem))
			if i == 0 {
				want = all
			}
			require.True(t, string(want) == string(all), "mode %d, form %d", mode, i)
		}
	}
}

// Bands are split among workers if there are enough and they share no memory.
func TestTransferSplitsAmongWorkers(t *testing.T) {
	mem := newMemory(pica.FCRAMSize)
	mem.Touch(pica.VRAMBase, pica.VRAMSize) // otherwise known to be 0
	for _, c := range []struct {
		name          string
		change        func(*Transfer)
		width, height uint32
		bands         int // bands per worker; 0 if the caller does all
	}{
		{"lines", func(*Transfer) {}, 136, 448, 56},
		{"tiles", func(t *Transfer) { t.OutTiled = true }, 136, 448, 56},
		{"tiles that end in the middle of one", func(t *Transfer) { t.OutTiled = true }, 137, 448, 0},
		{"tiles of 32", func(t *Transfer) { t.OutTiled, t.Block32 = true, true }, 136, 448, 0},
		{"turned", func(t *Transfer) { t.OutTiled, t.Flip = true, true }, 136, 448, 56},
		{"turned, from the middle of a tile", func(t *Transfer) { t.OutTiled, t.Flip = true, true }, 136, 449, 0},
		{"few pixels", func(*Transfer) {}, 120, 480, 0},
		{"onto itself", func(t *Transfer) { t.Dst = t.Src + 4096 }, 136, 448, 0},
	} {
		helpers := new(helperSet)
		b := newTransferrer(simd.Best, newPool(1, helpers, 0))
		bands := 0
		b.doBand = func(int, int) { bands++ }
		tr := Transfer{Src: pica.VRAMBase, Dst: pica.VRAMBase + 1<<20, InWidth: c.width, InHeight: c.height, OutWidth: c.width, OutHeight: c.height}
		c.change(&tr)
		require.NoError(t, b.run(tr, mem))
		require.Zero(t, bands, "%s: no helper is woken for it", c.name)
		helpers.awake.Store(1)
		require.NoError(t, b.run(tr, mem))
		require.Equal(t, c.bands, bands, c.name)
	}
}

// Helpers are woken for a large transfer.
func TestLargeTransfersWakeHelpers(t *testing.T) {
	mem := newMemory(pica.FCRAMSize)
	mem.Touch(pica.VRAMBase, pica.VRAMSize)
	b := newTransferrer(simd.Best, newPool(1, new(helperSet), 0))
	bands := 0
	b.doBand = func(int, int) { bands++ }
	tr := Transfer{Src: pica.VRAMBase, Dst: pica.FCRAMBase, InWidth: 512, InHeight: 400, OutWidth: 512, OutHeight: 400}
	require.NoError(t, b.run(tr, mem))
	require.Equal(t, 50, bands)
	tr.OutHeight -= 16
	bands = 0
	require.NoError(t, b.run(tr, mem))
	require.Zero(t, bands)
}

func TestTransferErrors(t *testing.T) {
	ok := Transfer{Src: pica.VRAMBase, Dst: pica.FCRAMBase, InWidth: 64, InHeight: 64, OutWidth: 64, OutHeight: 64, InTiled: true}
	for _, c := range []struct {
		name, want string
		change     func(*Transfer)
	}{
		{"no input", "a side of the image is 0", func(t *Transfer) { t.InWidth = 0 }},
		{"scaled to nothing", "a side of the image is 0", func(t *Transfer) { t.OutHeight = 1; t.Scaling = pica.TransferScale2x2 }},
		{"input format", "input format 5 does not exist", func(t *Transfer) { t.InFormat = 5 }},
		{"output format", "output format 7 does not exist", func(t *Transfer) { t.OutFormat = 7 }},
		{"scaling", "scaling must be", func(t *Transfer) { t.Scaling = 3 }},
		{"source", "input: no memory at 0x10000000", func(t *Transfer) { t.Src = 0x10000000 }},
		{"destination", "output: no memory at 0x185FFFF8", func(t *Transfer) { t.Dst = 0x185FFFF8 }},
		{"too large", "exceed memory", func(t *Transfer) { t.InWidth, t.OutWidth, t.OutHeight = 65535, 65535, 65535 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := ok
			c.change(&tr)
			b := newTransferrer(simd.Best, newPool(1, new(helperSet), 0))
			require.ErrorContains(t, b.run(tr, newMemory(pica.FCRAMSize)), c.want)
		})
	}
}

func TestFill(t *testing.T) {
	mem := newMemory(pica.FCRAMSize)
	for _, width := range []int{16, 24, 32} {
		for _, size := range []uint32{16, 32, 48, 12288, 12304, 50008} {
			const value = 0xA1B2C3D4
			all, _ := mem.Slice(pica.VRAMBase, 64<<10)
			clear(all)
			mem.Touch(pica.VRAMBase, 64<<10)
			control := 1 | uint32(width/8-2)<<8
			f := decodeFill([4]uint32{(pica.VRAMBase + 16) >> 3, (pica.VRAMBase + 16 + size) >> 3, value, control})
			require.NoError(t, f.run(simd.Best, mem))
			want := make([]byte, 64<<10)
			for i := range size &^ 15 {
				want[16+i] = byte(uint32(value) >> (8 * (int(i) % (width / 8))))
			}
			require.True(t, string(want) == string(all), "%v", f)
		}
	}
	require.Equal(t, uint8(24), decodeFill([4]uint32{0, 0, 0, 3 << 8}).Bits)
	require.ErrorContains(t, Fill{Start: pica.VRAMBase, End: pica.VRAMBase}.run(simd.Best, mem), "end must be greater")
	require.ErrorContains(t, Fill{Start: 0x1000, End: 0x2000, Bits: 16}.run(simd.Best, mem), "no memory at 0x00001000")
}

func TestTextureCopy(t *testing.T) {
	mem := newMemory(pica.FCRAMSize)
	src, _ := mem.Slice(pica.FCRAMBase, 64<<10)
	randomBytes(src, 3)
	for _, c := range []struct{ size, in, inGap, out, outGap uint32 }{
		{4096, 0, 0, 0, 0},
		{4096, 256, 64, 0, 0},
		{4096, 0, 0, 512, 32},
		{4096, 160, 16, 224, 48},
		{4112, 1024, 1024, 16, 16},
	} {
		regs := make(engineRegs, transferRegs)
		put := func(addr, v uint32) { regs[(addr-pica.ExtTransferInput)/4] = v }
		put(pica.ExtTransferInput, pica.FCRAMBase>>3)
		put(pica.ExtTransferOutput, pica.VRAMBase>>3)
		put(pica.ExtTextureCopySize, c.size+7) // the lowest four bits are ignored
		put(pica.ExtTextureCopyInput, c.in/16|c.inGap/16<<16)
		put(pica.ExtTextureCopyOutput, c.out/16|c.outGap/16<<16)
		dst, _ := mem.Slice(pica.VRAMBase, 64<<10)
		clear(dst)
		tc := decodeTextureCopy(regs)
		require.NoError(t, tc.run(mem))
		want := make([]byte, len(dst))
		at := func(i, line, gap uint32) uint32 {
			if gap == 0 {
				return i
			}
			return i/line*(line+gap) + i%line
		}
		for i := range c.size {
			want[at(i, c.out, c.outGap)] = src[at(i, c.in, c.inGap)]
		}
		require.True(t, string(want) == string(dst), "%v", tc)
	}
	require.ErrorContains(t, TextureCopy{Size: 0}.run(mem), "the console would hang")
	require.ErrorContains(t, TextureCopy{Size: 64, InLine: 0, InGap: 16, OutLine: 64}.run(mem), "the console would hang")
	require.ErrorContains(t, TextureCopy{Src: pica.FCRAMBase, Dst: 16, Size: 64, InLine: 64, OutLine: 64}.run(mem), "output: no memory")
	require.ErrorContains(t, TextureCopy{Src: pica.FCRAMBase, Dst: pica.VRAMBase, Size: 0xFFFFFFF0, InLine: 16, InGap: 0xFFFF0, OutLine: 16}.run(mem), "exceed memory")
}
