package golden

import (
	"image"
	"image/color"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// The expected values are the output of the authors' program (FLIP.h of NVlabs/flip 1.5, CPU build) for pairs of our pictures at 67
// pixels per degree, its default. The last bits of the pictures have changed since; the values were updated by the same amount as
// that program's.
func TestFLIPEqualsAuthorsProgram(t *testing.T) {
	read := func(name string) image.Image {
		m := testkit.Must(ReadPNG(filepath.Join("..", "testdata", "golden", name+"-color.png")))(t)
		return m
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{{"lit", "cel", 0.874238}, {"lit", "bump", 0.611801}, {"lit", "shadow", 0.773521}, {"lit", "lit", 0}} {
		got := testkit.Must(meanFLIP(read(c.a), read(c.b)))(t)
		require.InDelta(t, c.want, got, 1e-5, "%s against %s", c.a, c.b)
	}
}

func TestFLIP(t *testing.T) {
	black, white := solid(16, 9, color.NRGBA{0, 0, 0, 255}), solid(16, 9, color.NRGBA{255, 255, 255, 255})
	e := testkit.Must(meanFLIP(black, white))(t)
	require.Greater(t, e, 0.9)
	// Transparent pixels are blended over white.
	e = testkit.Must(meanFLIP(white, solid(16, 9, color.NRGBA{10, 20, 30, 0})))(t)
	require.Zero(t, e)
	for want, pair := range map[string][2]image.Image{
		"of one size": {black, solid(15, 9, color.NRGBA{})},
		"no pixels":   {solid(0, 4, color.NRGBA{}), solid(0, 4, color.NRGBA{})},
		"more than":   {image.NewGray(image.Rect(0, 0, 1<<12, 1<<10+1)), image.NewGray(image.Rect(0, 0, 1<<12, 1<<10+1))},
	} {
		_, err := meanFLIP(pair[0], pair[1])
		require.ErrorContains(t, err, want)
	}
	// A FLIP tolerance applies to the whole picture and needs a reason.
	near := solid(16, 9, color.NRGBA{0, 0, 2, 255})
	c := Compare(black, near, Tolerance{FLIP: 0.05, Reason: "another rounding"})
	require.True(t, c.Match, c.Message)
	require.Greater(t, c.FLIP, 0.0)
	c = Compare(black, white, Tolerance{FLIP: 0.05, Reason: "another rounding"})
	require.False(t, c.Match)
	require.Contains(t, c.Message, "FLIP 0.9")
	require.ErrorContains(t, Tolerance{FLIP: 0.05}.Check(), "reason")
	require.ErrorContains(t, Tolerance{FLIP: 1.5, Reason: "x"}.Check(), "out of range")
}
