package main

import (
	"encoding/json"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/golden"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// pixels reads a picture.
func pixels(t *testing.T, path string) image.Image {
	t.Helper()
	img := testkit.Must(golden.ReadPNG(path))(t)
	return img
}

func sizeOf(t *testing.T, path string) image.Point {
	t.Helper()
	return pixels(t, path).Bounds().Size()
}

// Pictures after single draws: the last one equals the frame's, a pass equals its last draw, and one draw alone shows less.
func TestRenderSingleDraws(t *testing.T) {
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
	require.Equal(t, image.Pt(64, 64), sizeOf(t, at("depth.png")))

	text = ok(t, "inspect", "--draw", "2", trace)
	for _, want := range []string{"frame 0, draw 2:", "Changed since frame 0, draw 1:", "GPUREG_TEXUNIT_CONFIG", "dmp_", "Vertex shader, entry"} {
		require.Contains(t, text, want)
	}
	ok(t, "inspect", "--draw", "1", trace, "-o", at("draw/"))
	for _, name := range []string{"draw.txt", "draw.json", "inputs.csv", "outputs.csv", "vertex.pica", "color.png", "texture0.png"} {
		require.FileExists(t, at("draw/"+name))
	}
	require.Equal(t, 5, strings.Count(mustRead(t, at("draw/inputs.csv")), "\n"), "one row for each of the four vertices, and the heading")
	ok(t, "explain", trace, "100", "60", "--draw", "1")
}

// A page written to standard output is the only output.
func TestPageOnStandardOutput(t *testing.T) {
	trace, shot := "../../testdata/traces/shadow.ctf", "../../testdata/traces/shadow-color.png"
	for _, args := range [][]string{{"explain", trace, "100", "60"}, {"blame", trace, shot}} {
		stdout := ok(t, append(args, "--html", "-")...)
		require.True(t, strings.HasPrefix(stdout, "<!doctype html>"))
		require.True(t, strings.HasSuffix(stdout, "</html>\n"), "nothing follows the page")
		fails(t, exitUsage, "exclude each other", append(args, "--html", "-", "--json")...)
	}
}
