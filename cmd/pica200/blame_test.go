package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/blame"
	"pica200/tests/testkit"
)

// A screenshot with an overpainted part: the page is self-contained, names are escaped, and numbers equal the report's.
func TestBlame(t *testing.T) {
	trace, dir := "../../testdata/traces/shadow.ctf", t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ok(t, "render", trace, "-o", at("ours.png"), "--target", "color")
	shot := image.NewNRGBA(image.Rect(0, 0, 200, 120))
	draw.Draw(shot, shot.Rect, pixels(t, at("ours.png")), image.Point{}, draw.Src)
	draw.Draw(shot, image.Rect(90, 50, 110, 60), image.NewUniform(color.NRGBA{255, 0, 255, 255}), image.Point{}, draw.Src)
	name := at("<b>&.png")
	require.NoError(t, newConsole(os.Stdout, os.Stderr).writePNG(name, shot))
	status, stdout, stderr := invoke(t, "blame", trace, name, "--json", "--html", at("page.html"))
	require.Zero(t, status, stdout+stderr)
	var rep blame.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &rep))
	require.Equal(t, "target", rep.Screen)
	require.Equal(t, 200, rep.Differing)
	require.NotEmpty(t, rep.Suspects)
	page := testkit.Read(t, at("page.html"))
	require.Contains(t, string(page), "&lt;b&gt;&amp;.png")
	require.NotContains(t, string(page), "<b>")
	require.NotContains(t, string(page), "://")
	require.Contains(t, string(page), "data:image/png;base64,")

	require.NoError(t, os.WriteFile(at("bad.png"), []byte("\x89PNG\r\n\x1a\nno"), 0o666))
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{trace, at("bad.png")}, 1, "PNG, read up to offset"},
		{[]string{trace, trace}, 1, "not a PNG, JPEG, BMP, GIF or TGA picture"},
		{[]string{trace, at("none.png")}, 1, "none.png"},
		{[]string{trace, name, "--frame", "5"}, 1, "there is no frame 5"},
		{[]string{trace, name, "--frame=-2"}, 2, "must not be negative"},
		{[]string{trace, name, "--tolerance", "NaN"}, 2, "--tolerance"},
	} {
		fails(t, c.status, c.says, append([]string{"blame"}, c.args...)...)
	}
}

// A screenshot of both eyes is compared with both: a fault visible to the left eye only counts.
func TestBlameOfStereoScreenshot(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ok(t, "trace", "save", "../../testdata/scenes/stereo.yaml", "-o", at("s.ctf"))
	ok(t, "render", at("s.ctf"), "-o", at("s")+"/")
	left, right := pixels(t, at("s/frame0-top.png")), pixels(t, at("s/frame0-topright.png"))
	for _, fault := range []image.Rectangle{image.Rect(180, 100, 200, 110), image.Rect(580, 100, 590, 130), {}} {
		shot := image.NewNRGBA(image.Rect(0, 0, 800, 240))
		draw.Draw(shot, shot.Rect, left, image.Point{}, draw.Src)
		draw.Draw(shot, image.Rect(400, 0, 800, 240), right, image.Point{}, draw.Src)
		draw.Draw(shot, fault, image.NewUniform(color.NRGBA{255, 0, 255, 255}), image.Point{}, draw.Src)
		require.NoError(t, newConsole(os.Stdout, os.Stderr).writePNG(at("shot.png"), shot))
		var rep blame.Report
		require.NoError(t, json.Unmarshal([]byte(ok(t, "blame", at("s.ctf"), at("shot.png"), "--json")), &rep))
		require.Equal(t, "both eyes", rep.Screen)
		require.Equal(t, 800*240, rep.Compared)
		require.Equal(t, fault.Dx()*fault.Dy(), rep.Differing)
		require.Equal(t, rep.Differing > 0, len(rep.Suspects) > 0)
	}
}
