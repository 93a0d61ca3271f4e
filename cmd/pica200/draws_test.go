package main

import (
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
)

func pixels(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(t, err)
	return img
}

// Pictures after single draws: the last one equals the frame's, a pass equals its last draw, and one draw alone shows less.
func TestDrawByDraw(t *testing.T) {
	trace, dir := "../../testdata/traces/shadow.ctf", t.TempDir()
	at := func(name string) string { return dir + "/" + name }
	var draws []pipeline.DrawRecord
	require.NoError(t, json.Unmarshal([]byte(ok(t, "inspect", "--draws", "--json", trace)), &draws))
	require.Len(t, draws, 3)
	text := ok(t, "inspect", "--draws", trace)
	require.Equal(t, 4, strings.Count(text, "\n"))
	require.Contains(t, text, "[shadow]")

	ok(t, "render", trace, "-o", at("end.png"), "--target", "color")
	ok(t, "render", trace, "-o", at("last.png"), "--draw", "2")
	ok(t, "render", trace, "-o", at("middle.png"), "--draw", "1")
	ok(t, "render", trace, "-o", at("only.png"), "--draw", "2", "--only")
	ok(t, "render", trace, "-o", at("all/"), "--target", "all")
	ok(t, "render", trace, "-o", at("depth.png"), "--target", "pass0-shadow")
	require.Equal(t, pixels(t, at("end.png")), pixels(t, at("last.png")))
	require.Equal(t, pixels(t, at("end.png")), pixels(t, at("all/frame0-pass1-color.png")))
	require.NotEqual(t, pixels(t, at("end.png")), pixels(t, at("middle.png")))
	require.NotEqual(t, pixels(t, at("end.png")), pixels(t, at("only.png")))
	require.Equal(t, image.Pt(64, 64), pixels(t, at("depth.png")).Bounds().Size())

	text = ok(t, "inspect", "--draw", "2", trace)
	for _, want := range []string{"frame 0, draw 2:", "Changed since frame 0, draw 1:", "GPUREG_TEXUNIT_CONFIG", "dmp_", "Vertex shader, entry"} {
		require.Contains(t, text, want)
	}
	ok(t, "inspect", "--draw", "1", trace, "-o", at("draw/"))
	for _, name := range []string{"draw.txt", "draw.json", "inputs.csv", "outputs.csv", "vertex.pica", "color.png", "texture0.png"} {
		require.FileExists(t, at("draw/"+name))
	}
	require.Equal(t, 5, strings.Count(mustRead(t, at("draw/inputs.csv")), "\n"), "four vertices, each once")
	ok(t, "explain", trace, "100", "60", "--draw", "1")
}

// A draw or frame that does not exist gives an error with its status.
func TestDrawsThatAreNotThere(t *testing.T) {
	trace, out := "../../testdata/traces/shadow.ctf", filepath.Join(t.TempDir(), "o.png")
	for _, c := range []struct {
		line   string
		status int
		says   string
	}{
		{"inspect T --draw 3", 1, "there is no draw 3: frame 0 has 3, 0 to 2"},
		{"inspect T --draw=-1", 2, "must not be negative"},
		{"inspect T --draw NaN", 2, "--draw"},
		{"inspect T --draw 99999999999999999999", 2, "--draw"},
		{"inspect T --draw 0 --frame 7", 1, "there is no frame 7"},
		{"inspect T --draws --frame 7", 1, "there is no frame 7"},
		{"inspect T --draws --draw 0", 2, "exclude each other"},
		{"inspect T -o O", 2, "-o is for --draw"},
		{"inspect ../../inspect/testdata/mali.mbs --draws", 2, "--draws is for the draws of traces, scenes, models and shaders"},
		{"render T -o O --draw 3", 1, "there is no draw 3"},
		{"render T -o O --draw=-2", 2, "must not be negative"},
		{"render T -o O --only", 2, "--only is for --draw"},
		{"render T -o O --draw 0 --screen top", 2, "exclude each other"},
		{"render T -o O --draw 0 --target pass0", 2, "exclude each other"},
		{"render T -o O --target pass9", 1, "there is no pass 9; frame 0 has 2"},
		{"render T -o O --target pass-1", 2, "--target pass-1: there are"},
		{"render T -o O --target passNaN", 2, "--target passNaN: there are"},
		{"render T -o O --target pass99999999999", 2, "there are"},
		{"render T -o O --target 0", 2, "there are"},
		{"render T -o O --target all", 2, "needs a folder"},
		{"render T -o O --target pass0-alpha", 2, "there are"},
		{"explain T 0 0 --draw 3", 1, "there is no draw 3"},
		{"explain T 0 0 --draw=-3", 2, "must not be negative"},
		{"explain T 400 0 --screen top", 1, "lies outside the top screen"},
		{"explain T 0 0 --screen left", 2, "--screen"},
		{"explain T 200 0 --draw 1", 1, "outside the render target of 200x120"},
	} {
		args := strings.Fields(strings.NewReplacer(" T", " "+trace, " O", " "+out).Replace(c.line))
		fails(t, c.status, c.says, args...)
		require.NoFileExists(t, out)
	}
}

// A page written to standard output is the only output.
func TestPageOnStandardOutput(t *testing.T) {
	trace, shot := "../../testdata/traces/shadow.ctf", "../../testdata/traces/shadow-color.png"
	for _, args := range [][]string{{"explain", trace, "100", "60"}, {"blame", trace, shot}} {
		stdout := ok(t, append(args, "--html", "-")...)
		require.True(t, strings.HasPrefix(stdout, "<!doctype html>"))
		require.True(t, strings.HasSuffix(stdout, "</html>\n"), "nothing behind the page")
		fails(t, exitUsage, "exclude each other", append(args, "--html", "-", "--json")...)
	}
}
