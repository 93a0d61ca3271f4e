package main

import (
	"encoding/json"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/tests/testkit"
)

// demoTrace writes the demo's trace with two frames to a file.
func demoTrace(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.ctf")
	ok(t, "demo", "-o", path, "--frames", "2")
	return path
}

// listFiles returns the names in a folder.
func listFiles(t *testing.T, dir string) []string {
	t.Helper()
	entries := testkit.Must(os.ReadDir(dir))(t)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRender(t *testing.T) {
	trace := demoTrace(t)
	t.Run("folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "new", "out")
		stdout := ok(t, "render", trace, "-o", dir+"/")
		require.Contains(t, stdout, "6 pictures of 2 frames")
		require.Equal(t, []string{
			"frame0-bottom.png", "frame0-color.png", "frame0-top.png",
			"frame1-bottom.png", "frame1-color.png", "frame1-top.png",
		}, listFiles(t, dir))
		require.Equal(t, image.Pt(400, 240), sizeOf(t, dir+"/frame0-top.png"))
		require.Equal(t, image.Pt(320, 240), sizeOf(t, dir+"/frame0-bottom.png"))
		require.Equal(t, image.Pt(480, 800), sizeOf(t, dir+"/frame1-color.png"))
	})
	t.Run("one frame", func(t *testing.T) {
		dir := t.TempDir()
		ok(t, "render", trace, "-q", "-o", dir+"/", "--frame", "1")
		require.Equal(t, []string{"frame1-bottom.png", "frame1-color.png", "frame1-top.png"}, listFiles(t, dir))
	})
	for _, c := range []struct {
		name string
		args []string
		size image.Point
	}{
		{"file", nil, image.Pt(400, 240)},
		{"bottom", []string{"--screen", "bottom"}, image.Pt(320, 240)},
		{"right eye", []string{"--screen", "topright"}, image.Pt(400, 240)},
		{"color", []string{"--target", "color", "--frame", "0"}, image.Pt(480, 800)},
		{"depth", []string{"--target", "depth"}, image.Pt(480, 800)},
		{"stencil", []string{"--target", "stencil"}, image.Pt(480, 800)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			stdout := ok(t, append([]string{"render", trace, "-q", "-o", dir + "/x.png"}, c.args...)...)
			require.Empty(t, stdout)
			require.Equal(t, []string{"x.png"}, listFiles(t, dir))
			require.Equal(t, c.size, sizeOf(t, dir+"/x.png"))
		})
	}
	t.Run("the last frame is the default", func(t *testing.T) {
		dir := t.TempDir()
		for name, args := range map[string][]string{"last": nil, "0": {"--frame", "0"}, "1": {"--frame", "1"}} {
			ok(t, append([]string{"render", trace, "-q", "-o", filepath.Join(dir, name)}, args...)...)
		}
		read := func(name string) string {
			return mustRead(t, filepath.Join(dir, name))
		}
		require.Equal(t, read("1"), read("last"))
		require.NotEqual(t, read("0"), read("last"))
	})
	t.Run("equal for any worker count", func(t *testing.T) {
		dir := t.TempDir()
		var first []byte
		for _, n := range []string{"1", "2", "7"} {
			path := filepath.Join(dir, n)
			ok(t, "render", trace, "-q", "-o", path, "--workers", n)
			b := testkit.Read(t, path)
			if first == nil {
				first = b
			}
			require.Equal(t, first, b)
		}
	})
}

func TestBench(t *testing.T) {
	trace := demoTrace(t)
	stdout := ok(t, "bench", trace, "--repeat", "2", "--workers", "1", "--json")
	var r benchResult
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.Equal(t, []int{1, 2, 2, 6}, []int{r.Workers, r.Repeat, r.Frames, r.Draws})
	require.Equal(t, []string{runtime.GOOS + "/" + runtime.GOARCH, simd.Best.String()}, []string{r.Processor, r.Kernels})
	require.Len(t, r.FrameMs, 2)
	require.Positive(t, r.MinSeconds)
	require.GreaterOrEqual(t, r.MedianSeconds, r.MinSeconds)
	require.Greater(t, r.Fragments, uint64(480*800))
	require.Greater(t, r.Vertices, 10000)
	require.Greater(t, r.Triangles, 1000)
	require.InDelta(t, r.MinSeconds*1e9/float64(r.Vertices), r.NsPerVertex, 1e-6)
	require.InDelta(t, r.MinSeconds*1e9/float64(r.Fragments), r.NsPerFragment, 1e-6)

	stdout = ok(t, "bench", trace, "--repeat", "1")
	require.Contains(t, stdout, "ns each")
	stdout = ok(t, "bench", trace, "--repeat", "1", "--json", "--forget", "values")
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.Zero(t, r.Compiled)
	stdout = ok(t, "bench", trace, "--repeat", "1", "--json", "--forget", "programs")
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.NotZero(t, r.Compiled)
	ends(t, exitUsage, "bench", trace, "--repeat", "0")
	ends(t, exitFailed, "bench", trace+"x")
}

// A recording without a transfer to a screen shows its last render target, with a note; the picture equals its scene's. A black
// screen is shown as such.
func TestRenderBareRecording(t *testing.T) {
	dir := t.TempDir()
	do := func(args ...string) string {
		t.Helper()
		_, stderr := ends(t, exitDone, args...)
		return stderr
	}
	read := func(name string) []byte {
		t.Helper()
		return testkit.Read(t, filepath.Join(dir, name))
	}
	const note = "l.ctf sends nothing to the top screen; the picture is the render target drawn to last"
	lit, trace := "../../testdata/scenes/lit.yaml", filepath.Join(dir, "l.ctf")
	do("render", lit, "-o", filepath.Join(dir, "scene.png"))
	do("trace", "save", lit, "-o", trace)
	require.Contains(t, do("render", trace, "-o", filepath.Join(dir, "l.png")), note)
	require.Equal(t, read("scene.png"), read("l.png"))
	require.NotContains(t, do("render", trace, "-q", "-o", filepath.Join(dir, "0%d.png")), "note")
	require.Equal(t, read("scene.png"), read("00.png"))
	require.NotContains(t, do("render", trace, "--screen", "top", "-o", filepath.Join(dir, "top.png")), note)
	require.NotEqual(t, read("scene.png"), read("top.png"))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "dark.yaml"), []byte(`camera: {eye: [0, 0, 5], at: [0, 0, 9]}
models: {m: {shape: plane, size: 1}}
passes:
  - name: a
    target: {width: 240, height: 400, screen: top, clear: {color: [0, 0, 0, 1]}}
    draws: [{model: m}]
target: {width: 64, height: 32, clear: {color: [1, 0, 0, 1]}}
draws: [{model: m}]
`), 0o666))
	do("trace", "save", filepath.Join(dir, "dark.yaml"), "-o", filepath.Join(dir, "dark.ctf"))
	require.NotContains(t, do("render", filepath.Join(dir, "dark.ctf"), "-o", filepath.Join(dir, "dark.png")), "note")
	require.Equal(t, read("top.png"), read("dark.png"))

	// Frame numbers in file names of recordings have no leading zeros, because scripts rely on that.
	do("trace", "save", filepath.Join(dir, "dark.yaml"), "--frames", "11", "-o", filepath.Join(dir, "long.ctf"))
	do("render", filepath.Join(dir, "long.ctf"), "--frame", "2", "--target", "color", "-o", filepath.Join(dir, "long")+"/")
	require.Equal(t, []string{"frame2-color.png"}, listFiles(t, filepath.Join(dir, "long")))
}
