package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
)

// Data that went through several copies originates where the first one read it, via the last one.
func TestOriginsThroughSeveralCopies(t *testing.T) {
	g := GPUFor(t, Options{})
	o := NewOrigins()
	o.Follow(g, 3)
	const a, b, c = pica.VRAMBase + 0x1000, pica.VRAMBase + 0x5000, pica.VRAMBase + 0x9000
	do := func(kind picatrace.Kind, words ...uint32) {
		e := picatrace.Event{Kind: kind}
		copy(e.Words[:], words)
		require.NoError(t, g.Do(t.Context(), &e))
	}
	do(picatrace.Fill, a, a+0x100, 0x11223344, 2<<8|1)
	do(picatrace.Copy, a, b, 0x80, 0, 0, 8)
	do(picatrace.Copy, b+0x10, c, 0x20, 0, 0, 8)
	do(picatrace.Fill, b, b+0x20, 0x55667788, 2<<8|1) // does not affect what was copied before
	require.NoError(t, g.Load(t.Context(), a+0x200, make([]byte, 8)))
	require.NoError(t, g.Finish(t.Context()))
	for _, want := range []struct {
		addr, at    uint32
		writer, via int // indices of operations; -1 for none
	}{
		{a + 4, a + 4, 0, -1}, {b + 0x24, a + 0x24, 0, 1}, {b + 4, b + 4, 3, -1},
		{c, a + 0x10, 0, 2}, {c + 0x1F, a + 0x2F, 0, 2}, {c + 0x20, c + 0x20, -1, -1}, {b + 0x80, b + 0x80, -1, -1},
		{a + 0x200, a + 0x200, 4, -1}, {a + 0x207, a + 0x207, 4, -1}, {a + 0x208, a + 0x208, -1, -1},
	} {
		got := o.Of(want.addr)
		work := func(n int) *Work {
			if n < 0 {
				return nil
			}
			return &o.works[n]
		}
		require.Equal(t, want.at, got.At, "0x%08X", want.addr)
		require.Equal(t, work(want.writer), got.Writer, "0x%08X", want.addr)
		require.Equal(t, work(want.via), got.Via, "0x%08X", want.addr)
	}
	for i := range o.works {
		require.Equal(t, -1, o.works[i].Draw, "no origin is a draw")
	}
}

// A texture copy skips gaps in source and destination; bytes in gaps are unchanged. A copy that leaves memory moves nothing.
func TestOriginsOfCopiesWithGaps(t *testing.T) {
	g := GPUFor(t, Options{})
	const src, dst = pica.VRAMBase + 0x100, pica.VRAMBase + 0x8000
	good := TextureCopy{Src: src, Dst: dst, Size: 0x60, InLine: 0x20, InGap: 0x10, OutLine: 0x30, OutGap: 0x50}
	o := NewOrigins()
	o.copy(g, good)
	want := map[uint32]uint32{}
	for i := range uint32(0x60) {
		want[dst+i/0x30*0x80+i%0x30] = src + i/0x20*0x30 + i%0x20
	}
	for at := uint32(dst - 0x40); at < dst+0x200; at++ {
		from := o.Of(at)
		if taken, ok := want[at]; ok {
			require.Equal(t, taken, from.At, "0x%X", at-dst)
			require.NotNil(t, from.Via)
		} else {
			require.Nil(t, from.Via, "0x%X", at-dst)
		}
	}
	for name, change := range map[string]func(*TextureCopy){
		"source outside": func(c *TextureCopy) { c.Src = 0x1000 }, "destination outside": func(c *TextureCopy) { c.Dst = pica.VRAMBase + pica.VRAMSize - 0x10 },
		"no line": func(c *TextureCopy) { c.InLine, c.OutLine = 0, 0 },
	} {
		o, bad := NewOrigins(), good
		change(&bad)
		o.copy(g, bad)
		require.Nil(t, o.Of(bad.Dst).Via, name)
	}
}

// A transfer that cannot run moves nothing, whichever image lies outside of memory.
func TestOriginsIgnoreImpossibleTransfers(t *testing.T) {
	g := GPUFor(t, Options{})
	good := Transfer{Src: pica.VRAMBase, Dst: pica.VRAMBase + 0x10000, InWidth: 32, InHeight: 32, OutWidth: 32, OutHeight: 32}
	for name, c := range map[string]struct {
		change func(*Transfer)
		moves  bool
	}{
		"possible":            {func(*Transfer) {}, true},
		"source outside":      {func(t *Transfer) { t.Src = 0x1000 }, false},
		"destination outside": {func(t *Transfer) { t.Dst = pica.VRAMBase + pica.VRAMSize - 0x400 }, false},
		"no size":             {func(t *Transfer) { t.OutHeight = 0 }, false},
	} {
		o, tr := NewOrigins(), good
		c.change(&tr)
		o.transfer(g, tr)
		require.Equal(t, c.moves, o.Of(tr.Dst).Via != nil, name)
		if c.moves {
			require.Equal(t, tr.Src+4, o.Of(tr.Dst+4).At)
		}
	}
}
