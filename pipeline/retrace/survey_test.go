package retrace

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// built returns a recording made by do.
func built(t *testing.T, do func(b *citrace.Builder)) *picatrace.Trace {
	var b citrace.Builder
	do(&b)
	return states.Built(t, &b)
}

// list submits a command list of the given words.
func list(b *citrace.Builder, words ...uint32) {
	var data []byte
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	b.Load(0x20001000, data)
	b.Write(0x104018E0, uint32(len(data)/8))
	b.Write(0x104018E8, 0x20001000/8)
	b.Write(0x104018F0, 1)
}

// Survey counts contents and explains why a recording draws nothing.
func TestSurveyTexts(t *testing.T) {
	nop := []uint32{0, uint32(pica.MakeCommandHeader(pica.RegTexunitConfig, 0, 0, false)), 0x12345678, uint32(pica.MakeCommandHeader(pica.RegFinalize, 0xF, 0, false))}
	fill := func(b *citrace.Builder) {
		b.Write(0x10400010, 0x18000000/8)
		b.Write(0x10400014, 0x18001000/8)
		b.Write(0x10400018, 0x11223344)
		b.Write(0x1040001C, 0x201)
	}
	for name, c := range map[string]struct {
		do   func(b *citrace.Builder)
		want Contents // its warning may be a substring
	}{
		"nothing": {func(b *citrace.Builder) { b.EndFrame(); b.EndFrame() }, Contents{Frames: 2, Replayable: true, Warnings: []string{"no draw: the stream is empty"}}},
		"loads": {func(b *citrace.Builder) {
			b.Load(0x20000FFC, make([]byte, 8)) // on two pages
			b.Load(0x20000000, make([]byte, 4))
			b.EndFrame()
		}, Contents{Frames: 1, Events: 2, Loads: 2, LoadBytes: 12, Memory: 8192, Replayable: true, Warnings: []string{"no draw: memory changed, but no command is recorded"}}},
		"a register": {func(b *citrace.Builder) {
			b.Load(0x20000000, make([]byte, 4))
			b.Write(0x10400468, 0x18000000)
			b.EndFrame()
		},
			Contents{Frames: 1, Events: 2, Loads: 1, LoadBytes: 4, Memory: 4096, Writes: 1, Replayable: true, Screens: []pipeline.Screen{pipeline.ScreenTop}, Warnings: []string{"no draw: no command list was submitted"}}},
		"a fill": {func(b *citrace.Builder) { fill(b); b.EndFrame() }, Contents{Frames: 1, Fills: 1, Replayable: true, Warnings: []string{"no draw: no command list was submitted"}}},
		"lists that draw nothing": {func(b *citrace.Builder) {
			list(b, nop...)
			b.EndFrame()
			list(b, nop...)
			list(b, nop...)
			b.EndFrame()
		},
			Contents{Frames: 2, Lists: 3, Replayable: true, Warnings: []string{"no draw: 3 command lists ran, and none of them writes"}}},
		"a list that is nowhere": {func(b *citrace.Builder) {
			b.Write(0x104018E0, 8)
			b.Write(0x104018E8, 0x50000000/8)
			b.Write(0x104018F0, 1)
			b.EndFrame()
			b.EndFrame()
		}, Contents{Frames: 2, Warnings: []string{"no memory at 0x50000000", "no draw: the replay ended before a command list ran"}}},
	} {
		tr := built(t, c.do)
		got := testkit.Must(Survey(t.Context(), tr, 1))(t, name)
		require.Len(t, got.Warnings, len(c.want.Warnings), "%s: %q", name, got.Warnings)
		for i := range got.Warnings {
			require.Contains(t, got.Warnings[i], c.want.Warnings[i], name)
		}
		if c.want.Events == 0 && c.want.Loads == 0 {
			c.want.Events, c.want.Writes, c.want.Loads, c.want.LoadBytes, c.want.Memory = got.Events, got.Writes, got.Loads, got.LoadBytes, got.Memory
		}
		c.want.Warnings = got.Warnings
		require.Equal(t, &c.want, got, name)
	}
	data := testkit.Read(t, "../../testdata/traces/lights.ctf")
	tr := states.Parse(t, data)
	got := testkit.Must(Survey(t.Context(), tr, 1))(t)
	require.Empty(t, got.Warnings)
	require.Positive(t, got.Draws)
	require.Positive(t, got.Lists)
	require.Positive(t, got.Transfers)
	require.NotEmpty(t, got.Screens)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Survey(ctx, tr, 1)
	require.ErrorIs(t, err, context.Canceled)

	// Stored pictures equal those of a replay; a different one is named.
	require.ErrorIs(t, Pictures(t.Context(), tr, 1, func([]Stored) error { return nil }), ErrNoPictures)
	var out bytes.Buffer
	require.NoError(t, Pack(t.Context(), tr, &out, PackOptions{Screens: true}))
	packed := parse(t, out.Bytes())
	n := testkit.Must(Verify(t.Context(), packed, 1))(t)
	require.Equal(t, 2*packed.Frames(), n)
	got = testkit.Must(Survey(t.Context(), packed, 1))(t)
	require.Equal(t, n, got.Pictures)
	out.Reset()
	w := testkit.Must(picatrace.NewWriter(&out, packed.Meta, packed.Initial, picatrace.WriterOptions{}))(t)
	f := testkit.Must(packed.Frame(0))(t)
	for _, e := range f.Events {
		require.NoError(t, w.Add(e))
	}
	require.NoError(t, w.EndFrame())
	shown := testkit.Must(packed.Shown(0))(t)
	shown[1].RGB = bytes.Clone(shown[1].RGB)
	shown[1].RGB[3*(shown[1].Width+2)] ^= 0x55
	require.NoError(t, w.Shown(shown[1]))
	require.NoError(t, w.Close())
	_, err = Verify(t.Context(), parse(t, out.Bytes()), 1)
	require.ErrorContains(t, err, "frame 0, bottom screen: 1 of")
	require.ErrorContains(t, err, "first at (2, 1)")
}

// The text of a difference gives sizes, or the number of pixels and the first one.
func TestPictureDifferenceText(t *testing.T) {
	picture := func(w, h int, change ...int) picatrace.Shown {
		p := picatrace.Shown{Width: w, Height: h, RGB: make([]byte, 3*w*h)}
		for i := range p.RGB {
			p.RGB[i] = byte(i)
		}
		for _, i := range change {
			p.RGB[i]++
		}
		return p
	}
	for _, c := range []struct {
		got  picatrace.Shown
		want string
	}{
		{picture(4, 3), ""},
		{picture(4, 2), "frame 7, top screen: it has 4x2 pixels, the stored picture 4x3"},
		{picture(3, 3), "frame 7, top screen: it has 3x3 pixels, the stored picture 4x3"},
		{picture(4, 3, 0), "frame 7, top screen: 1 of 12 pixels differ, first at (0, 0): #010102 is shown, #000102 is stored"},
		{picture(4, 3, 20, 18, 35), "frame 7, top screen: 2 of 12 pixels differ, first at (2, 1): #131315 is shown, #121314 is stored"},
		{picture(4, 3, 35), "frame 7, top screen: 1 of 12 pixels differ, first at (3, 2): #212224 is shown, #212223 is stored"},
	} {
		require.Equal(t, c.want, (&Stored{7, pipeline.ScreenTop, picture(4, 3), c.got}).Differs())
	}
}
