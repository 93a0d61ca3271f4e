package golden

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func solid(w, h int, c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return m
}

func TestCompare(t *testing.T) {
	base := solid(10, 10, color.NRGBA{100, 100, 100, 255})
	with := func(x, y int, c color.NRGBA) *image.NRGBA {
		m := solid(10, 10, color.NRGBA{100, 100, 100, 255})
		m.SetNRGBA(x, y, c)
		return m
	}
	why := "because"
	for _, tc := range []struct {
		name  string
		got   image.Image
		tol   Tolerance
		match bool
		msg   string
	}{
		{"equal", solid(10, 10, color.NRGBA{100, 100, 100, 255}), Tolerance{}, true, ""},
		{"one bit", with(3, 4, color.NRGBA{100, 101, 100, 255}), Tolerance{}, false, "1 of 100 pixels differ (1.000%), worst 1 at (3, 4)"},
		{"alpha counts", with(3, 4, color.NRGBA{100, 100, 100, 254}), Tolerance{}, false, "worst 1"},
		{"delta allows", with(3, 4, color.NRGBA{100, 102, 100, 255}), Tolerance{Delta: 2, Reason: why}, true, ""},
		{"delta is a limit", with(3, 4, color.NRGBA{100, 103, 100, 255}), Tolerance{Delta: 2, Reason: why}, false, "by more than 2"},
		{"share allows", with(3, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Share: 1, Reason: why}, true, ""},
		{"share is a limit", with(3, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Share: 0.5, Reason: why}, false, "allowed 0.5%"},
		{"border ignores", with(0, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, true, ""},
		{"border is inside", with(1, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, false, "1 of 64"},
		{"border at the far side", with(9, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, true, ""},
		{"border below", with(4, 9, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, true, ""},
		{"border leaves nothing for FLIP", base, Tolerance{Border: 5, FLIP: 0.5, Reason: why}, false, "no pixel is left"},
		{"border leaves nothing", base, Tolerance{Border: 5, Reason: why}, false, "no pixel is left"},
		{"perceptual allows", with(3, 4, color.NRGBA{100, 100, 108, 255}), Tolerance{Perceptual: 0.02, Reason: why}, true, ""},
		{"perceptual is a limit", with(3, 4, color.NRGBA{100, 108, 100, 255}), Tolerance{Perceptual: 0.02, Reason: why}, false, "worst 8"},
		{"size", solid(9, 10, color.NRGBA{}), Tolerance{Share: 100, Reason: why}, false, "the image is 9x10, expected 10x10"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Compare(base, tc.got, tc.tol)
			require.Equal(t, tc.match, c.Match, c.Message)
			require.Contains(t, c.Message, tc.msg)
			require.Equal(t, tc.match, c.severity() == 0)
		})
	}
}

// Mean is taken over all compared pixels; the other counts cover differing pixels only. WorstAt is the first worst pixel in reading
// order.
func TestCompareCounts(t *testing.T) {
	got := solid(10, 10, color.NRGBA{100, 100, 100, 255})
	for at, v := range map[image.Point]uint8{{8, 2}: 101, {3, 4}: 103, {7, 5}: 103, {2, 6}: 97, {1, 9}: 101} {
		got.SetNRGBA(at.X, at.Y, color.NRGBA{100, v, 100, 255})
	}
	c := Compare(solid(10, 10, color.NRGBA{100, 100, 100, 255}), got, Tolerance{Delta: 2, Border: 1, Reason: "because"})
	require.Equal(t, []any{64, 4, 3, 3, image.Pt(3, 4), image.Rect(2, 4, 8, 7), 10.0 / 64}, []any{c.Compared, c.Different, c.Exceeding, c.Worst, c.WorstAt, c.Bounds, c.Mean})
}

func TestCompare16Bit(t *testing.T) {
	a, b := image.NewGray16(image.Rect(0, 0, 2, 2)), image.NewGray16(image.Rect(0, 0, 2, 2))
	a.SetGray16(1, 1, color.Gray16{1000})
	b.SetGray16(1, 1, color.Gray16{1001})
	require.False(t, Compare(a, b, Tolerance{}).Match, "one step of 65535 is a mismatch")
	g := image.NewGray(image.Rect(0, 0, 2, 2))
	w := image.NewGray16(image.Rect(0, 0, 2, 2))
	g.SetGray(0, 0, color.Gray{7})
	w.SetGray16(0, 0, color.Gray16{7 * 257})
	require.True(t, Compare(g, w, Tolerance{}).Match)
	// A tolerance beyond the largest possible difference is refused.
	require.True(t, Compare(a, b, Tolerance{Delta: 300, Reason: "x"}).Match)
	// A step of 100 in 65535 is below the perceptual tolerance, in either order of the images.
	w.SetGray16(0, 0, color.Gray16{7*257 + 100})
	require.True(t, Compare(g, w, Tolerance{Perceptual: 0.01, Reason: "x"}).Match)
	require.True(t, Compare(w, g, Tolerance{Perceptual: 0.01, Reason: "x"}).Match)
	require.Contains(t, Compare(g, g, Tolerance{Delta: 256, Reason: "x"}).Message, "more than the 255")
}

func TestDifferenceImage(t *testing.T) {
	a := solid(4, 4, color.NRGBA{10, 10, 10, 255})
	b := solid(4, 4, color.NRGBA{10, 10, 10, 255})
	b.SetNRGBA(1, 1, color.NRGBA{11, 10, 10, 255})
	b.SetNRGBA(2, 2, color.NRGBA{255, 10, 10, 255})
	d := Difference(a, b, Tolerance{Delta: 1, Reason: "x"})
	require.Equal(t, color.NRGBA{90, 140, 255, 255}, d.NRGBAAt(1, 1))
	require.Equal(t, color.NRGBA{255, 3, 0, 255}, d.NRGBAAt(2, 2), "strong difference: red, its green falls with the root of the difference")
	// Images of different sizes: parts that only one image has get their own colour; the shared corner is compared as usual.
	d = Difference(a, solid(5, 3, color.NRGBA{10, 10, 10, 255}), Tolerance{Border: 1, Reason: "x"})
	require.Equal(t, image.Pt(5, 4), d.Rect.Size())
	require.Equal(t, color.NRGBA{182, 182, 182, 255}, d.NRGBAAt(0, 0), "equal pixels are light grey")
	require.Equal(t, color.NRGBA{0, 255, 255, 255}, d.NRGBAAt(4, 0), "pixels only in the second picture are cyan")
	require.Equal(t, color.NRGBA{255, 0, 255, 255}, d.NRGBAAt(0, 3), "pixels only in the first picture are magenta")
	require.Equal(t, color.NRGBA{}, d.NRGBAAt(4, 3), "pixels in neither picture are transparent")
	require.Equal(t, d.NRGBAAt(0, 0), d.NRGBAAt(3, 2))
	for _, at := range []image.Point{{0, 1}, {3, 1}, {1, 0}, {1, 3}} {
		edge := solid(4, 4, color.NRGBA{10, 10, 10, 255})
		edge.SetNRGBA(at.X, at.Y, color.NRGBA{255, 10, 10, 255})
		require.Equal(t, color.NRGBA{90, 140, 255, 255}, Difference(a, edge, Tolerance{Border: 1, Reason: "x"}).NRGBAAt(at.X, at.Y), "%v belongs to the border", at)
	}
	wide := solid(5, 4, color.NRGBA{10, 10, 10, 255})
	wide.SetNRGBA(0, 2, color.NRGBA{255, 10, 10, 255})
	require.Equal(t, uint8(255), Difference(a, wide, Tolerance{}).NRGBAAt(0, 2).R)
	require.Less(t, Difference(a, wide, Tolerance{}).NRGBAAt(0, 2).G, uint8(60), "a difference beyond the tolerance is red, not blue")
}

func TestReadPNGRefusesAbsurdSizes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.png")
	require.NoError(t, os.WriteFile(bad, []byte("no picture"), 0o644))
	_, err := ReadPNG(bad)
	require.ErrorContains(t, err, bad)
	data := testkit.Must(EncodePNG(solid(1, 1, color.NRGBA{}), "", ""))(t)
	copy(data[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0})
	path := filepath.Join(t.TempDir(), "a.png")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	_, err = ReadPNG(path)
	require.Error(t, err)
}
