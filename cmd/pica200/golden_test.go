package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"pica200/console/hardware"
	"pica200/golden"
	"pica200/tests/testkit"
)

const suite = "../../testdata/golden"

// TestGoldenSuite compares every scene with its approved images. After an intended change run it with -update and review the diff.
func TestGoldenSuite(t *testing.T) {
	golden.Run(t, suite, golden.Options{})
}

// Every scene has a case, and every case a scene.
func TestGoldenSuiteCoversEveryScene(t *testing.T) {
	scenes := testkit.Must(filepath.Glob("../../testdata/scenes/*.yaml"))(t)
	cases := testkit.Must(golden.LoadDir(suite))(t)
	sources := map[string]bool{}
	for _, c := range cases {
		sources[filepath.Clean(c.SourcePath())] = true
		require.FileExists(t, c.SourcePath())
		for _, img := range c.Images {
			require.NotEmpty(t, img.Approved)
			require.Zero(t, img.Tolerance, "%s: our own scenes match exactly", c.Name)
		}
	}
	for _, s := range scenes {
		require.True(t, sources[filepath.Clean(s)], "%s is in no golden case", s)
	}
}

// smallSuite is a suite of one case, the lit knot, with its approved image.
func smallSuite(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit.yaml"), testkit.Read(t, "../../testdata/scenes/lit.yaml"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit.case.yaml"), []byte("source: lit.yaml\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit-color.png"), testkit.Read(t, filepath.Join(suite, "lit-color.png")), 0o644))
	return dir
}

// TestGoldenExitStatus checks the status for a matching suite, an image with one changed bit, wrong usage, and a scene that cannot
// be drawn.
func TestGoldenExitStatus(t *testing.T) {
	dir := smallSuite(t)
	out := ok(t, "golden", "run", dir)
	require.Contains(t, out, "1 case: 1 match")

	// The lowest bit of one channel of one pixel.
	path := filepath.Join(dir, "lit-color.png")
	img := testkit.Must(golden.ReadPNG(path))(t)
	m := image.NewNRGBA(img.Bounds())
	draw.Draw(m, m.Rect, img, image.Point{}, draw.Src)
	c := m.NRGBAAt(123, 45)
	m.SetNRGBA(123, 45, color.NRGBA{c.R, c.G ^ 1, c.B, c.A})
	data := testkit.Must(golden.EncodePNG(m, "lit.yaml", ""))(t)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	report := t.TempDir()
	out, _ = ends(t, 1, "golden", "run", dir, "--out", report)
	require.Contains(t, out, "different lit")
	require.Contains(t, out, "(123, 45)", "the message names the worst pixel")
	page := testkit.Read(t, filepath.Join(report, "index.html"))
	require.Contains(t, string(page), "lit")
	require.NotContains(t, string(page), "src=\"http")
	require.Contains(t, mustRead(t, filepath.Join(report, "junit.xml")), "<failure")
	var res golden.Results
	require.NoError(t, json.Unmarshal(testkit.Read(t, filepath.Join(report, "results.json")), &res))
	require.Equal(t, golden.Differs, res.Cases[0].Status)
	require.Equal(t, 1, res.Cases[0].Images[0].Comparison.Different)
	require.Equal(t, 1, res.Cases[0].Images[0].Comparison.Worst)
	for _, f := range []string{res.Cases[0].Images[0].Expected, res.Cases[0].Images[0].Actual, res.Cases[0].Images[0].Difference} {
		require.FileExists(t, filepath.Join(report, f))
	}

	for _, args := range [][]string{{"run"}, {"run", dir, "--jobs", "many"}, {"run", dir, "--shard", "3/2"}, {"run", dir, "--bisect", "prayer"}, {"update", dir, "--jobs", "-1"}} {
		ends(t, 2, append([]string{"golden"}, args...)...)
	}

	require.NoError(t, os.WriteFile(filepath.Join(dir, "gone.case.yaml"), []byte("source: gone.yaml\n"), 0o644))
	out, _ = ends(t, 1, "golden", "run", dir)
	require.Contains(t, out, "gone.yaml")
	require.Contains(t, out, "1 differ, 0 updated, 1 could not render")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "gone.case.yaml"), []byte("sauce: gone.yaml\n"), 0o644))
	out, _ = ends(t, 1, "golden", "run", dir)
	require.Contains(t, out, "sauce")
	require.Contains(t, out, "1 differ, 0 updated, 1 could not render", "the other cases are still run")

	// Updating fixes the case that differs.
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.case.yaml")))
	out = ok(t, "golden", "update", dir)
	require.Contains(t, out, "1 updated")
	ok(t, "golden", "run", dir, "-q")
}

// TestGoldenShardsJoin runs the suite in three shards and joins the reports.
func TestGoldenShardsJoin(t *testing.T) {
	all, dirs := t.TempDir(), []string{}
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		dir := t.TempDir()
		ok(t, "golden", "run", suite, "-q", "--only", "geometry-*", "--shard", shard, "--out", dir)
		dirs = append(dirs, dir)
	}
	out := ok(t, append([]string{"golden", "report", "--out", all}, dirs...)...)
	require.Contains(t, out, "7 cases: 7 match")
	require.FileExists(t, filepath.Join(all, "index.html"))
}

// TestGoldenBisect searches for the first draw that differs from plain Go kernels, another number of workers, and a second program
// (this one): none differs.
func TestGoldenBisect(t *testing.T) {
	dir := smallSuite(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit-color.png"), testkit.Read(t, filepath.Join(suite, "cel-color.png")), 0o644))
	self := testkit.Must(os.Executable())(t)
	t.Setenv(asProgram, "1")
	for _, how := range []string{"workers=3", "kernels=go", "binary=" + self} {
		out, _ := ends(t, 1, "golden", "run", dir, "--bisect", how)
		require.Contains(t, out, "the targets are equal after each of the 2 draws", how)
	}
	out := ok(t, "golden", "draws", filepath.Join(filepath.Dir(suite), "scenes", "lit.yaml"))
	require.Contains(t, out, `"floor (line `, "draws have the scene's names")
}

// TestGoldenConsole compares console results that match ours, one that does not, and invalid files.
func TestGoldenConsole(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return path
	}
	for _, name := range []string{"modulate", "alpha-stencil"} {
		p := hardware.Find(name)
		buffer := testkit.Must(p.Run(t.Context()))(t)
		put(name+".bin", append(p.Header(), buffer...))
	}
	out := ok(t, "golden", "console", dir)
	require.Contains(t, out, "confirmed  rounded to nearest [the rule here]")
	require.Contains(t, out, "2 questions: 2 answered as here, 0 otherwise")

	// A result as if the console dropped fractions.
	p := hardware.Find("modulate")
	buffer := make([]byte, p.ColorBytes())
	own := testkit.Must(p.Run(t.Context()))(t)
	copy(buffer, own)
	for i := 0; i < len(buffer); i += 4 { // a darker picture matches no known answer
		for k := 1; k < 4; k++ {
			buffer[i+k] /= 2
		}
	}
	dark := put("dark.bin", append(p.Header(), buffer...))
	out, _ = ends(t, 1, "golden", "console", dark)
	require.Contains(t, out, "None of the known answers")
	require.Contains(t, out, "1 questions: 0 answered as here, 1 otherwise")

	// Unreadable results are reported; the others are compared.
	short := put("short.bin", p.Header())
	out, errOut := ends(t, 1, "golden", "console", short, filepath.Join(dir, "modulate.bin"))
	require.Contains(t, errOut, fmt.Sprintf("0 bytes behind the header, expected %d", p.ColorBytes()))
	require.Contains(t, out, "1 questions: 1 answered as here, 0 otherwise")
	ends(t, 1, "golden", "console", put("large.bin", make([]byte, hardware.MaxDump+1)))

	ends(t, 1, "golden", "console", t.TempDir())
}

// TestGoldenHomebrew writes the sources twice and keeps other files.
func TestGoldenHomebrew(t *testing.T) {
	testkit.Slow(t)
	dir := filepath.Join(t.TempDir(), "console")
	for range 2 {
		out := ok(t, "golden", "homebrew", "-o", dir)
		require.Contains(t, out, fmt.Sprintf("%d programs", len(hardware.Programs)))
	}
	want := testkit.Must(hardware.Files(t.Context()))(t)
	for name, data := range want {
		require.Equal(t, string(data), mustRead(t, filepath.Join(dir, name)), name)
	}
	mine := filepath.Join(dir, "source", "main.c")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o644))
	fails(t, 1, "main.c", "golden", "homebrew", "-o", dir)
	require.Equal(t, "mine", mustRead(t, mine))
}

// Notes of render are repeated, a blank picture needs --blank, and each of many sources gets a case.
func TestGoldenNewNotes(t *testing.T) {
	dir := t.TempDir()
	suite := filepath.Join(dir, "suite")
	path := func(name, text string) string {
		p := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(p, []byte(text), 0o666))
		return p
	}
	const box = "models: {b: {shape: box}}\n"
	seen := path("seen.yaml", box+"draws: [{model: b}]\n")
	blank := path("blank.yaml", box+"target: {clear: {color: [0.1, 0.1, 0.2, 1]}}\ndraws: [{model: b}]\n")
	other := path("other.yaml", box+"draws: [{model: b}]\n")
	const names = "names no depth"
	_, stderr := ends(t, exitFailed, "golden", "new", suite, seen, blank, other)
	require.Contains(t, stderr, names)
	require.Contains(t, stderr, "--blank approves it")
	require.FileExists(t, filepath.Join(suite, "seen.case.yaml"))
	require.FileExists(t, filepath.Join(suite, "other.case.yaml"))
	require.NoFileExists(t, filepath.Join(suite, "blank.case.yaml"))
	fails(t, exitUsage, "--name is for one source", "golden", "new", suite, seen, other, "--name", "x")
	_, stderr = ends(t, exitDone, "golden", "new", suite, blank, "--blank")
	require.Contains(t, stderr, names)
	out, stderr := ends(t, exitDone, "golden", "run", suite)
	require.Contains(t, out, "3 match")
	require.Contains(t, stderr, "note: blank: ")
	require.Contains(t, stderr, names)
	require.NoError(t, os.Remove(filepath.Join(suite, "blank-color.png")))
	_, _ = ends(t, 1, "golden", "update", suite)
	require.NoFileExists(t, filepath.Join(suite, "blank-color.png"))
	ok(t, "golden", "update", suite, "--blank")
	require.FileExists(t, filepath.Join(suite, "blank-color.png"))

	const far = "golden run needs --root"
	require.NotContains(t, stderr, far)
	away := filepath.Join(t.TempDir(), "away.yaml")
	require.NoError(t, os.WriteFile(away, []byte(mustRead(t, seen)), 0o666))
	_, stderr = ends(t, exitDone, "golden", "new", suite, away)
	require.Contains(t, stderr, far+" "+filepath.Dir(away))
	out, _ = ends(t, exitFailed, "golden", "run", suite)
	require.Contains(t, out, "lies outside")
	_, stderr = ends(t, exitDone, "golden", "new", suite, away, "--name", "again", "--root", filepath.Dir(away))
	require.NotContains(t, stderr, far)
	ok(t, "golden", "run", suite, "--root", filepath.Dir(away))
}

// A new case is written with a picture that later runs match; a source that cannot be drawn leaves no files.
func TestGoldenNew(t *testing.T) {
	dir := t.TempDir()
	suite := filepath.Join(dir, "suite")
	scene := filepath.Join(dir, "scenes", "lit.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(scene), 0o777))
	require.NoError(t, os.WriteFile(scene, []byte(mustRead(t, "../../testdata/scenes/lit.yaml")), 0o666))
	listed := func() []string { return slices.Sorted(maps.Keys(snapshot(t, suite))) }

	out := ok(t, "golden", "new", suite, scene)
	require.Equal(t, filepath.Join(suite, "lit.case.yaml")+"\n  color: look at "+filepath.Join(suite, "lit-color.png")+"\n", out)
	require.Equal(t, []string{filepath.Join(suite, "lit-color.png"), filepath.Join(suite, "lit.case.yaml")}, listed())
	out = ok(t, "golden", "new", suite, scene, "--name", "deep/still", "--target", "depth", "--target", "color", "--time", "0.5")
	require.Contains(t, out, "  depth: look at "+filepath.Join(suite, "deep", "still-depth.png"))
	require.Equal(t, "source: \"../../scenes/lit.yaml\"\nt: 0.5\nimages:\n  - target: depth\n  - target: color\n", mustRead(t, filepath.Join(suite, "deep", "still.case.yaml")))
	require.Contains(t, ok(t, "golden", "run", suite), "2 match")

	exported := filepath.Join(dir, "game", "scene.yaml") // of two screens; named by its folder
	require.NoError(t, os.MkdirAll(filepath.Dir(exported), 0o777))
	require.NoError(t, os.WriteFile(exported, []byte(`target: {width: 240, height: 400, screen: top}
models: {b: {shape: box}}
passes: [{name: low, target: {width: 240, height: 320, screen: bottom}, draws: [{model: b}]}]
draws: [{model: b}]
`), 0o666))
	ok(t, "golden", "new", suite, exported)
	require.Equal(t, "source: \"../game/scene.yaml\"\nimages:\n  - target: top\n  - target: bottom\n", mustRead(t, filepath.Join(suite, "game.case.yaml")))

	before, odd := listed(), filepath.Join(t.TempDir(), "a\nb.yaml")
	require.NoError(t, os.WriteFile(odd, nil, 0o666))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{scene}, 2, "exists already; --name gives the case another name"},
		{[]string{scene, "--name", "../out"}, 2, "is not a name for a file below the suite"},
		{[]string{filepath.Join(dir, "none.yaml")}, 1, "none.yaml"},
		{[]string{odd}, 1, `: "a\nb" is not a name for a case; --name gives another`},
		{[]string{scene, "--name", "x", "--target", "what"}, 1, "what"},
		{[]string{scene, "--name", "x", "--target", "gas"}, 1, "gas"},
	} {
		fails(t, c.status, c.want, append([]string{"golden", "new", suite}, c.args...)...)
		require.Equal(t, before, listed(), "%q left something", c.args)
	}

	// A picture that is there is kept, and a link is not followed out of the suite.
	picture, gone, out2 := filepath.Join(suite, "holiday-color.png"), filepath.Join(suite, "gone-depth.png"), filepath.Join(suite, "out")
	require.NoError(t, os.WriteFile(picture, []byte("mine"), 0o666))
	fails(t, 2, picture+" exists already", "golden", "new", suite, scene, "--name", "holiday")
	require.NoError(t, os.Symlink(filepath.Join(dir, "new.png"), gone))
	fails(t, 2, gone+" exists already", "golden", "new", suite, scene, "--name", "gone", "--target", "color", "--target", "depth")
	require.NoError(t, os.Symlink(dir, out2))
	fails(t, 1, "leads out of the folder", "golden", "new", suite, scene, "--name", "out/a")
	require.Equal(t, "mine", mustRead(t, picture))
	require.Equal(t, []string{"game", "scenes", "suite"}, listFiles(t, dir))
	for _, path := range []string{picture, gone, out2} {
		require.NoError(t, os.Remove(path))
	}
	require.Equal(t, before, listed())

	// A missing picture gives the command that approves it, which works unchanged.
	require.NoError(t, os.Remove(filepath.Join(suite, "deep", "still-depth.png")))
	spaced := filepath.Join(dir, "the suite")
	require.NoError(t, os.Rename(suite, spaced))
	out, _ = ends(t, 1, "golden", "run", spaced)
	_, command, found := strings.Cut(out, "then: pica200 golden ")
	require.True(t, found, out)
	command, _, _ = strings.Cut(command, "\n")
	require.Contains(t, command, "'"+spaced+"'")
	ok(t, append([]string{"golden"}, testkit.Must(shell.Fields(command, nil))(t)...)...)
	require.NoError(t, os.Rename(spaced, suite))
	require.Equal(t, before, listed())
}
