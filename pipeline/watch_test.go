package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

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
