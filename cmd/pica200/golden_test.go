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
