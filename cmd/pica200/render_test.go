package main

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/golden"
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/pipeline"
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

// TestSceneTraceReplay compares a scene's picture with that of its replayed recording: the files must be equal.
func TestSceneTraceReplay(t *testing.T) {
	testkit.Slow(t)
	scenes := testkit.Must(filepath.Glob("../../testdata/scenes/*.yaml"))(t)
	require.NotEmpty(t, scenes)
	for _, scene := range scenes {
		t.Run(filepath.Base(scene), func(t *testing.T) {
			dir := t.TempDir()
			direct, trace, replayed := filepath.Join(dir, "a.png"), filepath.Join(dir, "b.ctf"), filepath.Join(dir, "c.png")
			ok(t, "render", scene, "-o", direct, "--target", "color", "--quiet")
			ok(t, "trace", "save", scene, "-o", trace, "--quiet")
			ok(t, "render", trace, "-o", replayed, "--target", "color", "--quiet")
			require.True(t, bytes.Equal(testkit.Read(t, direct), testkit.Read(t, replayed)), "the trace of %s replays to another picture", scene)
		})
	}
}

// The note on why nothing is visible refers to the written frame, also for one of several frames and for animations.
func TestNotesBelongToWrittenFrame(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "leaves.yaml")
	require.NoError(t, os.WriteFile(file, []byte("target: {width: 64, height: 64}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, cull: none, color: [1, 0.5, 0, 1], at: {keys: [[0, 0, 0, 0], [1, 0, 0, 50]]}}]\n"), 0o644))
	for _, c := range []struct {
		args []string
		gone bool
	}{
		{[]string{"-o", "a.png"}, false},
		{[]string{"-o", "a.png", "--frames", "2", "--step", "1", "--frame", "0"}, false},
		{[]string{"-o", "a.png", "--frames", "2", "--step", "1", "--frame", "1"}, true},
		{[]string{"-o", "a.gif", "--frames", "2", "--time", "0"}, false},
		{[]string{"-o", "a.gif", "--frames", "2", "--time", "1"}, true},
	} {
		c.args[1] = filepath.Join(dir, c.args[1])
		_, stderr := ends(t, exitDone, append([]string{"render", file}, c.args...)...)
		if c.gone {
			require.Regexp(t, `nothing to see: of 2 triangles 2 are clipped: .*; all 4 vertices: they are behind the camera: the position's w is -\d+`, stderr, c.args)
		} else {
			require.NotContains(t, stderr, "nothing to see", c.args)
		}
	}
}

// between copies a trace and inserts a command list after its first frame.
func between(t *testing.T, path string, build func(w *pica.CommandWriter)) string {
	t.Helper()
	trace := testkit.Must(citrace.Parse(testkit.Read(t, path)))(t)
	b := citrace.Builder{Initial: trace.Initial}
	frames := 0
	for _, e := range trace.Elements {
		switch e.Type {
		case citrace.FrameMarker:
			b.EndFrame()
			if frames++; frames == 1 {
				var w pica.CommandWriter
				build(&w)
				const list = pica.FCRAMBase + pica.FCRAMSize - 0x1000
				b.Load(list, w.Bytes())
				b.Write(pica.ExtCommandListSize, uint32(4*len(w.Words))>>3)
				b.Write(pica.ExtCommandListAddr, list>>3)
				b.Write(pica.ExtCommandListStart, 1)
			}
		case citrace.MemoryLoad:
			b.Load(e.Address, trace.Payload(e))
		case citrace.RegisterWrite:
			b.Write(e.Address, uint32(e.Value))
		}
	}
	out := testkit.Must(b.Encode())(t)
	path = filepath.Join(t.TempDir(), "between.ctf")
	require.NoError(t, os.WriteFile(path, out, 0o644))
	return path
}

// TestRenderWarnings renders a trace that draws from unmapped memory, and one that hangs the console, both in the middle.
func TestRenderWarnings(t *testing.T) {
	whole := t.TempDir()
	demo := demoTrace(t)
	ok(t, "render", demo, "-o", whole+"/")
	frames := listFiles(t, whole)
	same := func(t *testing.T, a, b string) {
		t.Helper()
		require.True(t, mustRead(t, a) == mustRead(t, b), "%s and %s differ", a, b)
	}

	bad := between(t, demo, func(w *pica.CommandWriter) {
		w.Write(pica.RegAttribbuffersLoc, 0x78000000>>3)
		w.Write(pica.RegNumvertices, 3)
		w.Write(pica.RegGeostageConfig2, 1)
		w.Write(pica.RegDrawarrays, 1)
		w.Write(pica.RegGeostageConfig2, 0)
		w.Finish()
	})
	dir := t.TempDir()
	_, stderr := ends(t, exitDone, "render", bad, "-o", dir+"/")
	require.Regexp(t, `^warning: frame 1, draw 0: draw of 3 vertices \(arrays\) left out: vertex array 0, [^\n]*no memory at 0x78[^\n]*\n$`, stderr)
	require.Equal(t, frames, listFiles(t, dir))
	for _, name := range frames {
		same(t, filepath.Join(whole, name), filepath.Join(dir, name))
	}
	dir = t.TempDir()
	_, stderr = ends(t, exitFailed, "render", bad, "-o", dir+"/", "--strict")
	require.Contains(t, stderr, "frame 1, event")
	require.Contains(t, stderr, "draw 0 (arrays, 3 vertices): vertex array 0")
	require.NotContains(t, stderr, "warning")
	require.FileExists(t, filepath.Join(dir, "frame0-top.png"))
	require.NoFileExists(t, filepath.Join(dir, "frame1-top.png"))

	hangs := between(t, demo, func(w *pica.CommandWriter) { w.WriteAll(0x90, 2, 1, 1) })
	dir = t.TempDir()
	fails(t, exitFailed, "the console would hang", "render", hangs, "-o", dir+"/")
	same(t, filepath.Join(whole, "frame0-top.png"), filepath.Join(dir, "frame0-top.png"))
	out := filepath.Join(t.TempDir(), "out.png")
	fails(t, exitFailed, "out.png holds frame 0, the last that was complete", "render", hangs, "-o", out)
	same(t, filepath.Join(whole, "frame0-top.png"), out)
	out = filepath.Join(t.TempDir(), "out.png")
	ends(t, exitFailed, "render", hangs, "-o", out, "--frame", "1")
	require.NoFileExists(t, out, "only frame 1 is written")
}

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
