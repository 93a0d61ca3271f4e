package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestWatchEndsInPixelColor watches pixels of traces: the last event must leave the colour in the picture.
func TestWatchEndsInPixelColor(t *testing.T) {
	if testkit.Race {
		t.Skip("watching runs on one goroutine, and TestTracesReplay draws these traces with several")
	}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs", "b_game", "x_tests", "x_texenv", "x_shadow", "b_light") {
		t.Run(file.Name, func(t *testing.T) {
			p := PlayerFor(t, states.Parse(t, file.Read(t)), Options{Workers: 2})
			testkit.Must(p.NextFrame(context.Background()))(t)
			target := testkit.Must(p.GPU.LastTarget())(t)
			img := testkit.Must(ColorImage(target))(t)
			drawn := 0
			w, h := img.Bounds().Dx(), img.Bounds().Dy()
			for _, at := range [][2]int{{w / 2, h / 2}, {w / 4, h / 4}, {w * 5 / 6, h * 7 / 8}, {w / 24, h / 40}, {w * 3 / 5, h * 3 / 5}} {
				var last *Event
				require.NoError(t, p.Watch(context.Background(), 0, at[0], at[1], func(e Event) {
					if e.Fragment != nil {
						drawn++
						require.GreaterOrEqual(t, e.Draw, 0)
					}
					last = &e
				}))
				require.NotNil(t, last)
				want := img.NRGBAAt(at[0], at[1])
				require.Equal(t, [4]uint8{want.R, want.G, want.B, want.A}, last.After.Color, "pixel %v", at)
			}
			require.NotZero(t, drawn, "none of the chosen pixels is drawn to: choose others")
		})
	}
	t.Run("outside", func(t *testing.T) {
		p := PlayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), Options{})
		require.ErrorContains(t, p.Watch(context.Background(), 0, 240, 0, func(Event) {}), "outside the render target of 240x400")
		require.ErrorContains(t, p.Watch(context.Background(), 9, 0, 0, func(Event) {}), "no frame 9")
	})
}

// A display transfer writes its pixels, not the gaps between lines; an impossible one writes nothing.
func TestTransferWrites(t *testing.T) {
	transfer := Transfer{Src: pica.VRAMBase, Dst: pica.VRAMBase + 0x10000, InWidth: 32, InHeight: 32, OutWidth: 32, OutHeight: 16,
		InFormat: pica.ScreenFormatRGBA8, OutFormat: pica.ScreenFormatRGB565, InTiled: true}
	require.True(t, transfer.writes(span{transfer.Dst, 1}))
	require.True(t, transfer.writes(span{transfer.Dst + 2*32*16 - 1, 4}))
	require.False(t, transfer.writes(span{transfer.Dst + 2*32*16, 4}))
	require.False(t, transfer.writes(span{transfer.Dst - 4, 4}))
	// Tiles beyond the width are gaps too.
	partly := transfer
	partly.OutTiled, partly.InTiled, partly.OutWidth, partly.OutHeight = true, false, 20, 12
	written := map[uint32]bool{}
	for y := range partly.OutHeight {
		for x := range partly.OutWidth {
			_, at := partly.pixel(x, y)
			written[at], written[at+1] = true, true
		}
	}
	_, dst, err := partly.spans()
	require.NoError(t, err)
	require.Less(t, len(written), int(dst.bytes))
	for at := dst.addr; at < dst.addr+dst.bytes; at++ {
		require.Equal(t, written[at], partly.writes(span{at, 1}), "0x%X", at-dst.addr)
	}
	for _, change := range []func(*Transfer){
		func(t *Transfer) { t.InFormat = 5 }, func(t *Transfer) { t.OutFormat = 5 }, func(t *Transfer) { t.Scaling = pica.TransferScaleInvalid },
	} {
		bad := transfer
		change(&bad)
		_, _, err := bad.spans()
		require.Error(t, err)
	}
	for _, side := range []*uint32{&transfer.InWidth, &transfer.InHeight, &transfer.OutWidth, &transfer.OutHeight} {
		was := *side
		*side = 0
		_, _, err := transfer.spans()
		require.ErrorContains(t, err, "a side of the image is 0")
		require.False(t, transfer.writes(span{transfer.Dst, 1 << 20}))
		*side = was
	}
}

// A draw replayed alone changes only its own pixels, and later positions are not affected.
func TestOnlyDrawsOneDraw(t *testing.T) {
	r := ReplayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), ReplayerOptions{})
	ctx := context.Background()
	draws := testkit.Must(r.Draws(ctx, 0))(t)
	for _, d := range draws {
		pos := Position{0, d.Draw}
		require.NoError(t, r.Seek(ctx, pos))
		before := wholeOf(r.GPU)
		require.NoError(t, r.Only(ctx, pos))
		_, ok := r.Position()
		require.False(t, ok)
		target := testkit.Must(r.GPU.LastTarget())(t)
		img := testkit.Must(ColorImage(target))(t)
		drawn := uint64(0)
		for i := 0; i < len(img.Pix); i += 4 {
			if [4]byte(img.Pix[i:i+4]) != [4]byte{} {
				drawn++
			}
		}
		require.NotZero(t, drawn)
		require.Less(t, drawn, uint64(len(img.Pix)/4), "the other draws' pixels are not drawn")
		require.NoError(t, r.Seek(ctx, pos))
		now := wholeOf(r.GPU)
		require.Empty(t, now.difference(&before))
	}
	require.ErrorContains(t, r.Only(ctx, Position{0, 99}), "there is no draw 99")
}

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
