package pipeline_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// Fills, copies and transfers that a correct program never requests.

// Fills, transfers, copies and screens have addresses in 16 bytes; fills belong in video memory.
func TestExternalAddressesCountIn16Bytes(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	const at = pica.VRAMBase + 0x100
	fill := func(from, to uint32) {
		require.NoError(t, g.Load(t.Context(), from&^31, make([]byte, 32)))
		require.NoError(t, writes(t, g, pica.ExtMemfillStart, from>>3, pica.ExtMemfillEnd, to>>3, pica.ExtMemfillValue, 0x01010101, pica.ExtMemfillControl, 1|2<<8))
	}
	fill(at+8, at+0x28)
	require.Equal(t, append(bytes.Repeat([]byte{1}, 32), make([]byte, 32)...), testkit.Must(g.Read(at, 64))(t))
	require.Empty(t, g.Warnings())
	fill(pica.VRAMBase+pica.VRAMSize-32, pica.VRAMBase+pica.VRAMSize)
	require.Empty(t, g.Warnings())
	fill(pica.FCRAMBase, pica.FCRAMBase+32)
	require.Equal(t, append(bytes.Repeat([]byte{1}, 32), make([]byte, 32)...), testkit.Must(g.Read(pica.FCRAMBase, 64))(t))
	require.Len(t, g.Warnings(), 1)
	require.Contains(t, g.Warnings()[0].Text, "memory fill of 0x20000000-0x20000020 with the 32-bit value 0x01010101: fills belong in video memory")

	picture := make([]byte, 64*16*4)
	for i := range picture {
		picture[i] = byte(i / 4)
	}
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, picture))
	transfer := func(in, out uint32) []byte {
		require.NoError(t, writes(t, g, pica.ExtTransferInput, in>>3, pica.ExtTransferOutput, out>>3, pica.ExtTransferOutputDim, 16<<16|64,
			pica.ExtTransferInputDim, 16<<16|64, pica.ExtTransferFlags, 0, pica.ExtTransferStart, 1))
		return testkit.Must(g.Read(pica.FCRAMBase, uint32(len(picture))))(t)
	}
	want := transfer(pica.VRAMBase, pica.FCRAMBase)
	require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, make([]byte, len(picture))))
	require.Equal(t, want, transfer(pica.VRAMBase+8, pica.FCRAMBase+8))

	show := func(at, stride uint32) *image.RGBA {
		require.NoError(t, writes(t, g, pica.ExtPdcAddrA0, at, pica.ExtPdcStride, stride, pica.ExtPdcSelect, 0))
		return g.Screen(pipeline.ScreenTop)
	}
	screen := show(pica.VRAMBase, 720)
	require.Equal(t, screen, show(pica.VRAMBase+15, 720+15))
	require.NotEqual(t, screen, show(pica.VRAMBase+16, 720))
	require.NotEqual(t, screen, show(pica.VRAMBase, 720+16))

	require.Equal(t, uint32(0x00010002), g.ReadRegister(pica.ExtHardwareID))
	require.NoError(t, writes(t, g, pica.ExtHardwareID, 7))
	require.Equal(t, uint32(0x00010002), g.ReadRegister(pica.ExtHardwareID))
}

// writes writes external registers.
func writes(t *testing.T, g *pipeline.GPU, pairs ...uint32) error {
	t.Helper()
	var err error
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(t, err)
		err = g.WriteRegister(t.Context(), pairs[i], uint64(pairs[i+1]), 4)
	}
	return err
}

// A fill with start address 0 finishes at once without filling.
func TestFillWithAddressZeroFinishes(t *testing.T) {
	for _, end := range []uint32{0, pica.VRAMBase + 64} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
		require.NoError(t, writes(t, g, pica.ExtMemfillStart, 0, pica.ExtMemfillEnd, end>>3, pica.ExtMemfillControl, 0x201))
		require.Equal(t, uint32(0x202), g.ReadRegister(pica.ExtMemfillControl), "the fill is finished and not busy")
		require.Zero(t, g.TakeStats().Fills)
	}
}

// Impossible copies and fills are left out.
func TestImpossibleCopiesAreSkipped(t *testing.T) {
	for _, c := range []struct {
		name, want string
		write      []uint32
	}{
		{"fill", "memory fill left out", []uint32{pica.ExtMemfillStart, 0x30000000 >> 3, pica.ExtMemfillEnd, 0x30001000 >> 3, pica.ExtMemfillControl, 1}},
		{"fill backwards", "memory fill left out", []uint32{pica.ExtMemfillStart, 0x18001000 >> 3, pica.ExtMemfillEnd, 0x18000000 >> 3, pica.ExtMemfillControl, 1}},
		{"transfer of nothing", "display transfer left out", []uint32{pica.ExtTransferFlags, 0, pica.ExtTransferStart, 1}},
		{"copy to no memory", "texture copy left out", []uint32{pica.ExtTransferInput, pica.VRAMBase >> 3, pica.ExtTransferOutput, 0,
			pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 256, pica.ExtTransferStart, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
			require.NoError(t, writes(t, g, c.write...))
			w := g.Warnings()
			require.Len(t, w, 1)
			require.Equal(t, -1, w[0].Draw)
			require.Contains(t, w[0].Text, c.want)
			strict := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
			require.Error(t, writes(t, strict, c.write...))
		})
	}
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	require.ErrorIs(t, writes(t, g, pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 15, pica.ExtTransferStart, 1), pica.ErrHang)
	require.ErrorIs(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, pica.FCRAMBase>>3,
		pica.ExtTransferFlags, 0xC, pica.ExtTextureCopySize, 256, pica.ExtTextureCopyInput, 4<<16, pica.ExtTransferStart, 1), pica.ErrHang,
		"a copy of lines of 0 bytes with a gap hangs")
	require.ErrorIs(t, writes(t, g, pica.ExtTextureCopyInput, 0, pica.ExtTextureCopyOutput, 4<<16, pica.ExtTransferStart, 1), pica.ErrHang)
	require.ErrorIs(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, pica.FCRAMBase>>3,
		pica.ExtTransferOutputDim, 64<<16|64, pica.ExtTransferInputDim, 64<<16|64, pica.ExtTransferFlags, 1<<8, pica.ExtTransferStart, 1), pica.ErrHang,
		"a transfer from RGB8 to RGBA8 hangs")
	require.ErrorIs(t, writes(t, g, pica.ExtTransferOutputDim, 32<<16|32, pica.ExtTransferInputDim, 32<<16|32, pica.ExtTransferFlags, 1<<5, pica.ExtTransferStart, 1),
		pica.ErrHang, "32x32 from tiled to tiled")
}

// A texture copy reads from the 16-byte boundary below its source, and writes to that below its destination.
func TestTextureCopyAlignment(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	var data [64]byte
	for i := range data {
		data[i] = byte(i)
	}
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, data[:]))
	const dst = pica.VRAMBase + 0x1000
	require.NoError(t, writes(t, g, pica.ExtTransferInput, (pica.VRAMBase+24)>>3, pica.ExtTransferOutput, (dst+8)>>3,
		pica.ExtTransferFlags, 8, pica.ExtTextureCopySize, 32, pica.ExtTransferStart, 1))
	got := testkit.Must(g.Read(dst, 32))(t)
	require.Equal(t, data[16:48], got)
}

// Without bit 24 of GPUREG_FRAMEBUFFER_DIM the target is upside down, with viewport and scissor; culling does not change.
func TestTargetFlip(t *testing.T) {
	const size, stride = 32, 32 * 4
	pictureOf := func(t *testing.T, dim uint32, set func(w *pica.CommandWriter)) []byte {
		g := setUp(t, pipeline.Options{Workers: 2, Strict: true})
		require.NoError(t, drawWith(t, g, func(w *pica.CommandWriter) {
			w.Write(pica.RegFramebufferDim, dim)
			w.Write(pica.RegDepthColorMask, 0x1F71) // greater or equal, with a depth buffer of 0
			set(w)
			drawArrays(w)
		}))
		target := testkit.Must(g.LastTarget())(t)
		img := testkit.Must(pipeline.ColorImage(target))(t)
		return img.Pix
	}
	upsideDown := func(pix []byte) (out []byte) {
		for y := size - 1; y >= 0; y-- {
			out = append(out, pix[y*stride:(y+1)*stride]...)
		}
		return out
	}
	for name, set := range map[string]func(w *pica.CommandWriter){
		"plain": func(*pica.CommandWriter) {},
		"scissor": func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegScissortestMode, 3, 3<<16|2, 20<<16|30)
		},
		"scissor that leaves out": func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegScissortestMode, 1, 3<<16|2, 20<<16|30)
		},
		"viewport": func(w *pica.CommandWriter) {
			w.Write(pica.RegViewportXy, 5<<16|3)
			w.WriteRun(pica.RegViewportHeight, pica.Float24.Encode(9), pica.Float31.Encode(1.0/9)<<1)
		},
		"cull":          func(w *pica.CommandWriter) { w.Write(pica.RegFacecullingConfig, 1) },
		"cull, reverse": func(w *pica.CommandWriter) { w.Write(pica.RegFacecullingConfig, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			const dim = (size-1)<<12 | size
			right, flipped := pictureOf(t, 1<<24|dim, set), pictureOf(t, dim, set)
			want := upsideDown(right)
			if name != "cull" && name != "cull, reverse" {
				require.NotEqual(t, right, want, "the flipped picture must differ for the test to mean anything")
			}
			for i := range want { // colours are interpolated from the other end
				require.InDelta(t, want[i], flipped[i], 1, "byte %d", i)
				require.Equal(t, want[i|3] == 0, flipped[i|3] == 0, "byte %d", i)
			}
		})
	}
}

// A copy with width and gap 0 is one line; so is one with a width and no gap.
func TestTextureCopyWithZeroWidth(t *testing.T) {
	for _, width := range []uint32{0, 3} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
		data := bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 40)
		require.NoError(t, g.Load(t.Context(), pica.VRAMBase, data))
		require.NoError(t, writes(t, g, pica.ExtTransferInput, pica.VRAMBase>>3, pica.ExtTransferOutput, (pica.VRAMBase+0x1000)>>3, pica.ExtTransferFlags, 8,
			pica.ExtTextureCopySize, 319, pica.ExtTextureCopyInput, width, pica.ExtTextureCopyOutput, width, pica.ExtTransferStart, 1))
		got := testkit.Must(g.Read(pica.VRAMBase+0x1000, 320))(t)
		require.Equal(t, data[:304], got[:304])
		require.Equal(t, make([]byte, 16), got[304:], "the copied size is rounded down to a multiple of 16")
	}
}

// What citra-emu/hwtests expects of transfers on a console: all its 84 values, and the three conversions that froze it.
func TestTransferSuiteOfConsole(t *testing.T) {
	const src, dst, square, wide, narrow = pica.FCRAMBase, pica.FCRAMBase + 1<<20, 128<<16 | 128, 400<<16 | 512, 400<<16 | 240
	type at map[uint32]uint32 // word to value
	const z1, z2, z13 = 0xABCDE, 0xDEF00, 0xAAAAAA
	tiles, lines := at{1: z1, 2: z2, 13: z13}, at{1: z1, 128: z2, 2*128 + 3: z13}
	mark := func(first uint32) at { return at{0: first, 512*400 - 1: 0xFF00, 240*400 - 1: 0xFF0000} }
	done := 0
	check := func(flags, in, out uint32, input, want at) {
		t.Helper()
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		for word, v := range input {
			require.NoError(t, g.Load(t.Context(), src+4*word, binary.LittleEndian.AppendUint32(nil, v)))
		}
		require.NoError(t, writes(t, g, pica.ExtTransferInput, src>>3, pica.ExtTransferOutput, dst>>3, pica.ExtTransferInputDim, in,
			pica.ExtTransferOutputDim, out, pica.ExtTransferFlags, flags, pica.ExtTextureCopySize, 128*128*4, pica.ExtTransferStart, 1))
		require.Equal(t, in == wide, len(g.Warnings()) != 0, "flags %#x: %v", flags, g.Warnings())
		for word, v := range want {
			require.Equal(t, v, binary.LittleEndian.Uint32(testkit.Must(g.Read(dst+4*word, 4))(t)), "flags %#x, %v: word %#x", flags, input, word)
			done++
		}
	}
	for flags, pixels := range map[uint32][][2]uint32{
		0x0000: {{0xFF000000, 0xFF000000}, {0xFF0000, 0xFF0000}, {0xFF00, 0xFF00}, {0xFF, 0xFF}},
		0x1000: {{0xFF000000, 0xFF0000}, {0xFF0000, 0xFF00}, {0xFF00, 0xFF}, {0xFF, 0}},
		0x2000: {{0xFF000000, 0xF800}, {0xFF0000, 0x07E0}, {0xFF00, 0x001F}, {0xFF, 0}},
		0x3000: {{0xFF000000, 0xF800}, {0xFF0000, 0x07C0}, {0xFF00, 0x003E}, {0xFF, 1}, {0x64, 0}, {0x7F, 0}, {0x80, 1}, {0xFE, 1}},
		0x4000: {{0xFF000000, 0xF000}, {0xFF0000, 0x0F00}, {0xFF00, 0x00F0}, {0xFF, 15}, {0x64, 6}, {0x7F, 7}, {0x80, 8}, {0xFE, 15}},
		0x1100: {{0xFF0000, 0xFF0000}, {0xFF00, 0xFF00}, {0xFF, 0xFF}},
		0x2300: {{0xF800, 0xF800}, {0x07C0, 0x07E0}, {0x003E, 0x001F}, {1, 0}},
		0x3300: {{0xF800, 0xF800}, {0x07C0, 0x07C0}, {0x003E, 0x003E}, {1, 1}},
		0x4300: {{0xF800, 0xF000}, {0x07C0, 0x0F00}, {0x003E, 0x00F0}, {1, 15}},
		0x3400: {{0xF000, 0xF800}, {0x0F00, 0x07C0}, {0x00F0, 0x003E}, {15, 1}, {8, 1}, {7, 0}},
	} {
		for _, p := range pixels {
			check(flags, square, square, at{0: p[0]}, at{0: p[1]})
		}
	}
	for _, c := range []struct {
		flags, in, out uint32
		input, want    at
	}{
		{1 << 24, square, square, at{0: 0xFF000000}, at{0: 0x7F000000}},
		{0, square, square, at{0: 0xFF000000}, at{0: 0xFF000000}},
		{1 << 24, square, square, at{0: 0xFFFF0000}, at{0: 0x7F7F0000}},
		{1 << 24, square, square, at{0: 0xFFFF0000, 1: 0xFF000000}, at{0: 0xFF7F0000}},
		{1 << 24, square, square, at{0: 0xFFFF0000, 1: 0xFF0000FF}, at{0: 0xFF7F007F}},
		{1 << 24, square, square, at{0: 0xFFFF0000, 1: 0x00FF0000, 2: 0xFF000000}, at{0: 0x7FFF0000, 64: 0x7F000000}},
		{2 << 24, square, square, at{0: 0xFFFF0000, 1: 0xFF0000FF}, at{0: 0x7F3F003F}},
		{1 << 12, wide, narrow, mark(0xFF000000), at{0: 0xFF0000, 240*400 - 1: 0, 0x1193F: 0xFF0000}},
		{1 << 12, wide, narrow, mark(0xFF0000), at{0: 0xFF00}},
		{1 << 12, wide, narrow, mark(0xFF00), at{0: 0xFF}},
		{1 << 12, wide, narrow, mark(0xFF), at{0: 0}},
		{0, square, square, tiles, lines},
		{1 << 1, square, square, lines, tiles},
		{1 << 16, square, square, tiles, lines},
		{1 << 5, square, square, tiles, tiles},
		{1<<5 | 1<<1, square, square, tiles, tiles},
		{1<<3 | 1<<12, square, square, tiles, tiles},
		{1<<3 | 1<<12 | 1<<1, square, square, tiles, tiles},
	} {
		check(c.flags, c.in, c.out, c.input, c.want)
	}
	require.Equal(t, 84, done)
	for _, flags := range []uint32{0x2100, 0x3100, 0x4100} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		require.ErrorIs(t, writes(t, g, pica.ExtTransferInput, src>>3, pica.ExtTransferOutput, dst>>3, pica.ExtTransferInputDim, square,
			pica.ExtTransferOutputDim, square, pica.ExtTransferFlags, flags, pica.ExtTransferStart, 1), pica.ErrHang)
	}
}

// Transfers that 3dbrew advises against are done, with a warning.
func TestTransferLimits(t *testing.T) {
	const ok = uint32(64<<16 | 128)
	for _, c := range []struct {
		name           string
		flags, in, out uint32
		want           []string
	}{
		{name: "as asked", in: ok, out: ok},
		{name: "narrow", in: 64<<16 | 32, out: 64<<16 | 32, want: []string{"widths of 64 pixels"}},
		{name: "low", in: 8<<16 | 128, out: 8<<16 | 128, want: []string{"heights of 16 pixels"}},
		{name: "larger", in: ok, out: 64<<16 | 256, want: []string{"no larger than the input"}},
		{name: "lines of RGB8", flags: 1<<8 | 1<<12, in: 64<<16 | 72, out: 64<<16 | 72, want: []string{"multiple of 16 bytes"}},
		{name: "scaled", flags: 1 << 24, in: ok, out: 64<<16 | 96, want: []string{"input's size before scaling"}},
		{name: "scaled and cropped", flags: 1<<24 | 4, in: ok, out: 64<<16 | 96},
		{name: "tiled to tiled", flags: 1<<5 | 2<<24, in: ok, out: ok},
		{name: "tiled to tiled, unscaled", flags: 1<<5 | 4<<8 | 4<<12, in: 64<<16 | 64, out: 64<<16 | 64},
		{name: "tiled to tiled, half as wide", flags: 1<<5 | 1<<24, in: ok, out: ok, want: []string{"scaling by 2x2 or none"}},
		{name: "tiled to tiled, small", flags: 1 << 5, in: 32<<16 | 40, out: 32<<16 | 40, want: []string{"widths of 64 pixels", "multiple of 64 bytes"}},
		{name: "tiled to tiled, low", flags: 1<<5 | 2<<24, in: 16<<16 | 128, out: 16<<16 | 128, want: []string{"heights of 32 pixels"}},
		{name: "blocks", flags: 1 << 16, in: 64<<16 | 128, out: 40<<16 | 128, want: []string{"whole blocks"}},
		{name: "linear", flags: 2, in: 8<<16 | 8, out: 8<<16 | 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := []uint32{pica.ExtTransferInput, pica.VRAMBase >> 3, pica.ExtTransferOutput, pica.FCRAMBase >> 3, pica.ExtTransferFlags, c.flags,
				pica.ExtTransferInputDim, c.in, pica.ExtTransferOutputDim, c.out, pica.ExtTransferStart, 1}
			g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
			require.NoError(t, writes(t, g, list...))
			w := g.Warnings()
			require.Len(t, w, len(c.want), "%v", w)
			for i, want := range c.want {
				require.Contains(t, w[i].Text, want)
			}
			require.Equal(t, 1, g.TakeStats().Transfers)
			strict := pipeline.GPUFor(t, pipeline.Options{Workers: 1, Strict: true})
			require.Equal(t, len(c.want) != 0, writes(t, strict, list...) != nil)
		})
	}
	gaps := func(flags, size uint32) []uint32 {
		return []uint32{pica.ExtTransferInput, pica.VRAMBase >> 3, pica.ExtTransferOutput, pica.FCRAMBase >> 3, pica.ExtTransferFlags, flags,
			pica.ExtTextureCopySize, size, pica.ExtTextureCopyInput, 1<<16 | 2, pica.ExtTransferStart, 1}
	}
	for want, list := range map[string][]uint32{"bit 2 of the flags": gaps(8, 192), "less than 192 bytes": gaps(0xC, 176), "": gaps(0xC, 192)} {
		g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
		require.NoError(t, writes(t, g, list...))
		if want == "" {
			require.Empty(t, g.Warnings())
			continue
		}
		require.Len(t, g.Warnings(), 1)
		require.Contains(t, g.Warnings()[0].Text, want)
	}
}
