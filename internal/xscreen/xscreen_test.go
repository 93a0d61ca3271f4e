package xscreen

import (
	"image"
	"image/color"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A server has the requested size, accepts mouse movements, and Close removes its files.
func TestScreen(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := Start(96, 64)
	if err != nil {
		require.ErrorIs(t, err, ErrMissing)
		t.Skip(err)
	}
	require.Regexp(t, `^:\d+$`, s.Display)
	require.NoError(t, s.Do("mousemove", "90", "60"))
	require.ErrorContains(t, s.Do("no-such-command"), "xdotool [no-such-command]")
	img := testkit.Must(s.Shot())(t)
	require.Equal(t, image.Rect(0, 0, 96, 64), img.Rect)
	require.Equal(t, color.RGBA{A: 255}, img.RGBAAt(95, 63))
	require.DirExists(t, s.dir)
	s.Close()
	require.NoDirExists(t, s.dir)
	require.Error(t, s.Do("mousemove", "1", "1"))

	t.Setenv("PATH", t.TempDir())
	_, err = Start(96, 64)
	require.ErrorIs(t, err, ErrMissing)
	left := testkit.Must(os.ReadDir(os.Getenv("TMPDIR")))(t)
	require.Empty(t, left)
}
