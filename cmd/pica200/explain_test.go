package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/blame"
	"pica200/frontend/dmp"
	"pica200/tests/testkit"
)

// The procedural texture's colour table entry is shown in text, page and JSON.
func TestExplainShowsColorTableEntry(t *testing.T) {
	const scene = "../../testdata/scenes/wood.yaml"
	text := ok(t, "explain", scene, "200", "120")
	require.Regexp(t, `\n    colours      level 0: 128 from 0 on, linear\n      entry \d+ +(\d+ +){4}\+ \[.*\] x 0\.\d+ = \[.*\], at \d+\.\d+\n`, text)
	entry := regexp.MustCompile(`entry \d+`).FindString(text)
	_, page, _ := invoke(t, "explain", scene, "200", "120", "--html", "-")
	require.Contains(t, page, `<td class="n">      `+entry)
	_, record, _ := invoke(t, "explain", scene, "200", "120", "--json")
	require.Contains(t, record, `"index": `+strings.TrimPrefix(entry, "entry "))
}

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

func TestUniformsCommand(t *testing.T) {
	out := ok(t, "uniforms")
	require.Equal(t, dmp.NumUniforms, strings.Count(out, "\n"))
	require.Regexp(t, `(?m)^0x125 +GL_INT +dmp_Fog.mode +0x0E0 bit0-2$`, out)
	require.Regexp(t, `(?m)^0x000 +GL_BOOL +dmp_Texture\[0\].perspectiveShadow +0x08B bit0$`, out)

	out = ok(t, "uniforms", "texenv[0]")
	require.Equal(t, 10, strings.Count(out, "\n"))

	fails(t, exitFailed, "nearest name is dmp_Fog.color", "uniforms", "dmp_Fog.colour")
}

func TestUniformsJSON(t *testing.T) {
	out := ok(t, "uniforms", "--json")
	var list []uniformJSON
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list, dmp.NumUniforms)
	mode := list[0x125]
	require.Equal(t, "dmp_Fog.mode", mode.Name)
	require.Equal(t, []any{"GL_FALSE"}, mode.Default)
	require.Contains(t, mode.Values, symbolJSON{"gas", "", 0x6050, 7})
	require.Equal(t, "GPUREG_TEXENV_UPDATE_BUFFER", mode.Registers[0].Name)
	require.Equal(t, float32(1), *list[0x11A].Max)
	require.Equal(t, []float32{1, 2, 4}, list[0x10E].Steps)
	require.Equal(t, []any{true}, list[0].Default)
}
