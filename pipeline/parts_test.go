package pipeline

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// A copy writes its lines and not the gaps between them.
func TestCopiesWriteTheirLines(t *testing.T) {
	for _, c := range []TextureCopy{
		{Src: pica.VRAMBase, Dst: pica.VRAMBase + 256, Size: 64, InLine: 64, OutLine: 16, OutGap: 32},
		{Src: pica.VRAMBase, Dst: pica.VRAMBase + 256, Size: 48, InLine: 16, InGap: 16, OutLine: 48},
		{Src: pica.VRAMBase, Dst: pica.VRAMBase + 256, Size: 48, InLine: 48, OutLine: 32, OutGap: 16},
	} {
		mem := GPUFor(t, Options{Workers: 1})
		ones := make([]byte, 512)
		for i := range ones {
			ones[i] = 1
		}
		require.NoError(t, mem.Load(t.Context(), pica.VRAMBase, ones[:256]))
		require.NoError(t, mem.CopyTexture(t.Context(), c))
		data := testkit.Must(mem.Read(pica.VRAMBase+256, 256))(t)
		for i := range uint32(256) {
			require.Equal(t, data[i] == 1, c.writes(span{pica.VRAMBase + 256 + i, 1}), "%v, byte %d", c, i)
		}
		require.False(t, c.writes(span{pica.VRAMBase + 252, 4}))
		require.True(t, c.writes(span{pica.VRAMBase + 252, 5}))
		mem.Close()
	}
}

// Transfers at the console's limits.
func TestTransferSizeLimits(t *testing.T) {
	good := Transfer{InWidth: 128, InHeight: 64, OutWidth: 128, OutHeight: 64, InTiled: true}
	for _, c := range []struct {
		change func(t *Transfer)
		want   string // the requirement, without "the console asks for"
	}{
		{func(*Transfer) {}, ""},
		{func(t *Transfer) { t.InTiled, t.InWidth, t.OutWidth = false, 8, 8 }, ""},
		{func(t *Transfer) { t.InWidth, t.OutWidth = 64, 64 }, ""},
		{func(t *Transfer) { t.OutWidth = 56 }, "widths of 64 pixels or more"},
		{func(t *Transfer) { t.InWidth, t.OutWidth = 56, 56 }, "widths of 64 pixels or more"},
		{func(t *Transfer) { t.InHeight, t.OutHeight = 16, 16 }, ""},
		{func(t *Transfer) { t.OutHeight = 8 }, "heights of 16 pixels or more"},
		{func(t *Transfer) { t.OutWidth, t.OutHeight = 136, 64 }, "an output no larger than the input"},
		{func(t *Transfer) { t.OutHeight = 72 }, "an output no larger than the input"},
		{func(t *Transfer) { t.InWidth, t.OutWidth, t.InFormat, t.OutFormat = 65, 65, 2, 2 }, "lines of a multiple of 8 bytes"},
		{func(t *Transfer) { t.OutFormat, t.OutWidth = pica.ScreenFormatRGB8, 72 }, "lines of a multiple of 16 bytes"},
		{func(t *Transfer) { t.Scaling, t.OutWidth = pica.TransferScale2x1, 64 }, "an output of the input's size before scaling"},
		{func(t *Transfer) { t.Scaling, t.OutWidth, t.Crop = pica.TransferScale2x1, 64, true }, ""},
		{func(t *Transfer) { t.Scaling = pica.TransferScale2x2 }, ""},
		{func(t *Transfer) { t.OutTiled = true }, ""},
		{func(t *Transfer) { t.OutTiled, t.Scaling = true, pica.TransferScale2x1 }, "scaling by 2x2 or none from tiled to tiled"},
		{func(t *Transfer) { t.OutTiled, t.Scaling, t.OutHeight, t.Crop = true, pica.TransferScale2x2, 24, true }, "heights of 32 pixels or more"},
		{func(t *Transfer) { t.OutTiled, t.Scaling, t.InWidth, t.OutWidth = true, pica.TransferScale2x2, 72, 72 }, "lines of a multiple of 64 bytes"},
		{func(t *Transfer) {
			t.OutTiled, t.Scaling, t.InFormat, t.OutFormat, t.InWidth, t.OutWidth = true, pica.TransferScale2x2, 2, 2, 96, 96
		}, "lines of a multiple of 128 bytes"},
		{func(t *Transfer) { t.Block32 = true }, ""},
		{func(t *Transfer) { t.Block32, t.OutWidth = true, 72 }, "an output of whole blocks of 32x32"},
		{func(t *Transfer) { t.Block32, t.OutHeight = true, 40 }, "an output of whole blocks of 32x32"},
	} {
		one := good
		c.change(&one)
		got := strings.ReplaceAll(strings.Join(one.limits(), ", "), "the console asks for ", "")
		require.Equal(t, c.want, got, "%v", one)
	}
}

// decodeFill interprets the registers of a fill unit.
func TestDecodeFill(t *testing.T) {
	for control, want := range map[uint32]Fill{
		uint32(pica.Fill16) << 8: {Bits: 16, Value: 0xBEEF}, uint32(pica.Fill24)<<8 | 1: {Bits: 24, Value: 0xADBEEF},
		uint32(pica.Fill32)<<8 | 2: {Bits: 32, Value: 0xDEADBEEF}, 3 << 8: {Bits: 24, Value: 0xADBEEF},
	} {
		want.Start, want.End = pica.VRAMBase+16, pica.VRAMBase+0x1000
		got := decodeFill([4]uint32{(pica.VRAMBase + 24) >> 3, (pica.VRAMBase + 0x1008) >> 3, 0xDEADBEEF, control})
		if pica.FillWidth(control>>8) == 3 {
			want.Bits, want.Value = got.Bits, got.Value // 24 or 32 bits: unknown on hardware
		}
		require.Equal(t, want, got, "control 0x%X", control)
	}
}

// A list of a recording updates the maximum gas density if its event says so.
func TestCommandListUpdatesGasFeedback(t *testing.T) {
	var w pica.CommandWriter
	w.Finish()
	for flag, want := range map[uint32]float32{0: 0, picatrace.ListFlush: 0, picatrace.ListUpdateGas: 0.25, 3: 0.25} {
		g := GPUFor(t, Options{Workers: 1})
		require.NoError(t, g.Load(t.Context(), listAddr, w.Bytes()))
		pica.GasFeedback.SetFloat(&g.regs, 4)
		pica.GasAccmax.SetFloat(&g.regs, 0)
		for _, e := range []picatrace.Event{
			{Kind: picatrace.Fill, Words: [7]uint32{pica.VRAMBase, pica.VRAMBase + 64, 1}},
			{Kind: picatrace.List, Words: [7]uint32{listAddr, uint32(4 * len(w.Words)), flag}},
		} {
			require.Zero(t, pica.GasAccmax.Float(&g.regs), "only a command list updates the gas density")
			require.NoError(t, g.do(t.Context(), &e))
		}
		require.Equal(t, want, pica.GasAccmax.Float(&g.regs), "flags %d", flag)
		g.Close()
	}
}

// Watched memory is checked up to the last page of a range.
func TestWatchMemoryCoversLastPage(t *testing.T) {
	vram := make([]byte, pica.VRAMSize)
	g := testkit.Must(NewOn([]Region{{pica.VRAMBase, vram}}, Options{Workers: 1}))(t)
	defer g.Close()
	at := func(addr, n uint32) uint64 {
		require.NoError(t, g.WatchMemory(t.Context()))
		return g.mem.Generation(pica.VRAMBase+addr, n)
	}
	for _, c := range []struct{ addr, n, changes uint32 }{{pageSize - 1, 2, pageSize}, {0, pageSize + 1, pageSize}, {3 * pageSize, 1, 3 * pageSize}, {5*pageSize - 1, 1, 4 * pageSize}} {
		was := at(c.addr, c.n)
		require.Equal(t, was, at(c.addr, c.n), "an unchanged page keeps its generation")
		vram[c.changes]++
		require.Greater(t, at(c.addr, c.n), was, "%+v", c)
	}
	was := at(8*pageSize-1, 1)
	vram[8*pageSize]++
	require.Equal(t, was, at(8*pageSize-1, 1), "a change behind the range does not count")
}

// Seeking into a frame that fails returns the error, and the replayer has no position.
func TestSeekIntoAnError(t *testing.T) {
	var out bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&out, picatrace.Meta{}, picatrace.State{}, picatrace.WriterOptions{}))(t)
	fill := picatrace.Event{Kind: picatrace.Fill, Words: [7]uint32{pica.VRAMBase, pica.VRAMBase + 64, 1}}
	for range 2 {
		require.NoError(t, w.Add(fill))
		require.NoError(t, w.EndFrame())
	}
	require.NoError(t, w.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{pica.FCRAMBase, 16}}))
	require.NoError(t, w.Close())
	trace := states.Parse(t, out.Bytes())
	r := ReplayerFor(t, trace, ReplayerOptions{})
	require.NoError(t, r.Seek(t.Context(), Position{1, FrameEnd}))
	for _, draw := range []int{FrameEnd, 0} {
		require.ErrorIs(t, r.Seek(t.Context(), Position{2, draw}), pica.ErrHang)
		_, known := r.Position()
		require.False(t, known)
	}
	require.NoError(t, r.Seek(t.Context(), Position{0, FrameEnd}))
}
