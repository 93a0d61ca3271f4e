package app

import (
	"bytes"
	"image"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/viewer/session"
)

// Keys cycle through the animations and cameras of a model.
func TestAnimationAndCameraKeys(t *testing.T) {
	d := drive(t, open(t, "../../testdata/models/more.cgfx"), Options{})
	press := func(k Key, m Mods) (string, []byte) {
		d.keyJobs(k, m)
		out := image.NewRGBA(d.Picture().Image.Bounds())
		draw.Draw(out, out.Rect, d.Picture().Image, image.Point{}, draw.Src)
		return d.message.text, out.Pix
	}
	d.Key(KeyRight, 0) // an orbit, which choosing a camera resets
	d.settle()
	require.NotZero(t, d.req.Orbit)
	seen := map[string]string{}
	for _, want := range []string{"menu", "whole", "Camera0", "Camera1", "Camera2"} {
		_, pix := press('C', 0) // warnings of the new view may replace the note
		require.Equal(t, want, d.choice.camera)
		require.Zero(t, d.req.Orbit)
		require.Empty(t, seen[string(pix)], want)
		seen[string(pix)] = want
	}
	text, first := press('C', 0)
	require.Equal(t, "camera: as the file says", text)
	_, back := press('C', Shift)
	require.Equal(t, "Camera2", d.choice.camera)
	require.False(t, bytes.Equal(first, back))

	require.NoError(t, d.Close())
	d = drive(t, open(t, "../../testdata/models/kit.cgfx"), Options{})
	d.req.Time = 0.5
	text, still := press('A', Shift)
	require.Equal(t, "animation: none", text)
	require.Equal(t, 10.0, d.info.Duration, "the turntable's duration")
	text, moved := press('A', Shift)
	require.Equal(t, "animation: COMMON", text)
	require.False(t, bytes.Equal(still, moved))
	d.filesChanged()
	d.jobs()
	_, again := press('A', 0)
	require.True(t, bytes.Equal(still, again), "after a reload \"none\" shows the same picture")

	require.NoError(t, d.Close())
	d = drive(t, open(t, window), Options{})
	text, _ = press('A', 0)
	require.Equal(t, "there is no animation to choose", text)
	text, _ = press('C', 0)
	require.Equal(t, "there is no camera to choose", text)
	d = drive(t, &slow{}, Options{})
	d.keyJobs('A')
	require.Equal(t, "there is no animation to choose", d.message.text)
}

// Choosing an unknown name is an error and changes nothing.
func TestUnknownAnimationOrCamera(t *testing.T) {
	s := open(t, "../../testdata/models/kit.cgfx")
	c, ok := s.(session.Chooser)
	require.True(t, ok)
	require.NoError(t, c.Choose("none", "Side"))
	require.Equal(t, []string{"COMMON", "none"}, s.Info().Animations)
	require.Equal(t, []string{"menu", "whole", "Side"}, s.Info().Cameras)
	require.Zero(t, s.Info().Duration, "a camera of the file has no turntable")
	require.ErrorContains(t, c.Choose("walk", ""), `has no animation "walk"`)
	require.Zero(t, s.Info().Duration)
	require.Error(t, c.Choose("", "Front"))
	require.NoError(t, c.Choose("", ""))
	require.Equal(t, 10.0, s.Info().Duration)
}
