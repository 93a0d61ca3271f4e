package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestExplainEndsInPixelColor explains pixels of traces: the last event must leave the colour in the picture.
func TestExplainEndsInPixelColor(t *testing.T) {
	if testkit.Race {
		t.Skip("explaining runs on one goroutine, and TestTracesReplay draws these traces with several")
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
				require.NoError(t, p.Explain(context.Background(), 0, at[0], at[1], func(e Event) {
					if e.Fragment != nil {
						drawn++
						require.GreaterOrEqual(t, e.Draw, 0)
					}
					last = &e
				}))
				require.NotNil(t, last)
				want := img.NRGBAAt(at[0], at[1])
				got := last.After
				if last.Fragment != nil {
					got = &last.Fragment.After
				}
				require.Equal(t, [4]uint8{want.R, want.G, want.B, want.A}, got.Color, "pixel %v", at)
			}
			require.NotZero(t, drawn, "none of the chosen pixels is drawn to: choose others")
		})
	}
	t.Run("outside", func(t *testing.T) {
		p := PlayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), Options{})
		require.ErrorContains(t, p.Explain(context.Background(), 0, 240, 0, func(Event) {}), "outside the render target of 240x400")
		require.ErrorContains(t, p.Explain(context.Background(), 9, 0, 0, func(Event) {}), "no frame 9")
	})
}

// Won returns the last event that wrote the pixel; refused fragments do not count.
func TestWonReturnsLastWrite(t *testing.T) {
	wrote := Event{Fragment: &fragment.Record{Outcome: fragment.Written}}
	refused := Event{Fragment: &fragment.Record{Outcome: fragment.Written + 1}}
	filled := Event{Other: "fill"}
	for want, events := range map[int][]Event{3: {wrote, refused, filled, wrote}, -1: {refused, refused}, 0: {wrote, refused}, 1: {refused, filled, refused}, 2: {filled, wrote, wrote, refused}} {
		require.Equal(t, want, (&Explained{Events: events}).Won())
	}
	require.Equal(t, -1, (&Explained{}).Won())
}

// Texels can be pixels of a target if they are in level 0, inside the texture and of a target's format; each is listed once.
func TestTexelsThatCanBeTargetPixels(t *testing.T) {
	var r pica.Regs
	for unit, format := range []pica.TextureFormat{pica.TextureFormatRGB565, pica.TextureFormatETC1, pica.TextureFormatRGBA8} {
		pica.TexunitHeight.At(pica.TexunitOffset(unit)).Set(&r, uint32(8<<unit))
		r[pica.TexunitFormat(unit).Reg] = pica.TexunitFormat(unit).Put(r[pica.TexunitFormat(unit).Reg], uint32(format))
	}
	texel := func(unit, level, y int, address uint32) rows.Row {
		return rows.Row{Label: "texel", Link: &rows.Link{To: rows.ToTexel, Unit: unit, Level: level, X: 3, Y: y, Address: address}}
	}
	other := texel(0, 0, 1, 99)
	other.Link.To = rows.ToDraw
	list := texelsOf(&r, &Event{Draw: 7, Fragment: &fragment.Record{Rows: []rows.Row{
		{Label: "no link"}, other, texel(0, 0, 7, 10), texel(0, 0, 7, 10), texel(0, 1, 7, 20), texel(0, 0, 8, 30), texel(1, 0, 1, 40),
		texel(2, 0, 31, 10), texel(2, 0, 32, 50), texel(0, 0, 0, 60),
	}}})
	require.Equal(t, []texelRead{
		{7, 10, "texel 3,7 of texture 0 of draw 7"}, {7, 10, "texel 3,31 of texture 2 of draw 7"}, {7, 60, "texel 3,0 of texture 0 of draw 7"},
	}, list)
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
