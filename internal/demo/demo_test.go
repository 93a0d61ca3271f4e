package demo

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// TestPictureEqualsReadme replays the scene with several worker counts; every pixel equals the picture in the README.
func TestPictureEqualsReadme(t *testing.T) {
	data, err := Trace(t.Context(), 1)
	require.NoError(t, err)
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	const picture = "../../docs/demo.png"
	if testkit.Updating() {
		g, err := pipeline.Replay(t.Context(), trace, pipeline.Options{Workers: 1}, nil)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, g.Screen(pipeline.ScreenTop)))
		testkit.Golden(t, picture, b.Bytes())
	}
	f, err := os.Open(picture)
	require.NoError(t, err)
	defer f.Close()
	want, _, err := image.Decode(f)
	require.NoError(t, err)
	for _, workers := range []int{1, 2, 7} {
		g, err := pipeline.Replay(context.Background(), trace, pipeline.Options{Workers: workers}, nil)
		require.NoError(t, err)
		require.Empty(t, g.Warnings())
		got := g.Screen(pipeline.ScreenTop)
		require.Equal(t, want.Bounds(), got.Bounds())
		different := 0
		for y := range 240 {
			for x := range 400 {
				r, g, b, _ := want.At(x, y).RGBA()
				p := got.RGBAAt(x, y)
				if r>>8 != uint32(p.R) || g>>8 != uint32(p.G) || b>>8 != uint32(p.B) {
					different++
				}
			}
		}
		require.Zero(t, different, "pixels differ from docs/demo.png with %d workers; -update writes it", workers)
		g.Close()
	}
}

func TestFramesDiffer(t *testing.T) {
	data, err := Trace(t.Context(), 3)
	require.NoError(t, err)
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	var seen []string
	g, err := pipeline.Replay(context.Background(), trace, pipeline.Options{}, func(g *pipeline.GPU, f pipeline.Frame) error {
		require.Equal(t, 3, f.Stats.Draws)
		seen = append(seen, string(g.Screen(pipeline.ScreenTop).Pix))
		return nil
	})
	require.NoError(t, err)
	g.Close()
	require.Len(t, seen, 3)
	require.NotEqual(t, seen[0], seen[1])
	require.NotEqual(t, seen[1], seen[2])
}
