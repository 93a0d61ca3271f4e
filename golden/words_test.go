package golden

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Error messages name the file or draw at fault.
func TestErrorsNameFileOrDraw(t *testing.T) {
	dir := writeSuite(t, "a", "b-broken")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a-color.png"), []byte("no picture"), 0o644))
	res := run(t, dir, Options{})
	require.Equal(t, []Status{Failed, Failed}, []Status{res.Cases[0].Images[0].Status, res.Cases[1].Status})
	require.Contains(t, res.Cases[0].Images[0].Message, "a-color.png")
	require.Equal(t, "draw 3: the shader never ends", res.Cases[1].Error)

	// So do errors of the project's own renderer.
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.ctf"), []byte("CiTr and nothing else"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad"+Suffix), []byte("source: bad.ctf\n"), 0o644))
	res = testkit.Must(RunDir(t.Context(), dir, Options{}))(t)
	require.Equal(t, Failed, res.Cases[0].Status)
	require.Contains(t, res.Cases[0].Error, filepath.Join(dir, "bad.ctf")+": ")

	_, err := HistoryOfRuns(filepath.Join(dir, "gone"))
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, name := range []string{":color", "a:depth"} {
		_, err := LoadCase(dir, filepath.Join(dir, name+Suffix))
		require.ErrorContains(t, err, "must not end in", name)
	}

	// The page lists each problem of a run once and omits empty ones.
	var page bytes.Buffer
	problem := func() int {
		page.Reset()
		require.NoError(t, res.WriteHTML(&page, t.TempDir()))
		return strings.Count(page.String(), "of the suite")
	}
	require.Zero(t, problem())
	none := page.Len()
	res.Problems = []string{""}
	require.Zero(t, problem())
	require.Equal(t, none, page.Len())
	res.Error, res.Problems = "an error of the suite", []string{"", "one of the suite", "two of the suite"}
	require.Equal(t, 3, problem())
}

// Each failing test has its own output folder.
func TestFailingTestsHaveOwnFolders(t *testing.T) {
	t.Setenv("GOLDEN_OUT", "some")
	require.Equal(t, filepath.Join("some", "TestFailingTestsHaveOwnFolders"), outDir(t))
	t.Run(`a:b\c`, func(t *testing.T) {
		t.Setenv("GOLDEN_OUT", "")
		require.Equal(t, "TestFailingTestsHaveOwnFolders_a_b_c", filepath.Base(outDir(t)))
		require.Equal(t, filepath.Clean(os.TempDir()), filepath.Dir(filepath.Dir(outDir(t))))
	})
}

// The perceptual difference of two pixels follows the paper's formula; transparent pixels are blended over white.
func TestPerceptualDifference(t *testing.T) {
	yiq := func(r, g, b float64) float64 {
		y, i, q := 0.29889531*r+0.58662247*g+0.11448223*b, 0.59597799*r-0.27417610*g-0.32180189*b, 0.21147017*r-0.52261711*g+0.31114694*b
		return math.Sqrt((0.5053*y*y + 0.299*i*i + 0.1957*q*q) / 0.5053)
	}
	at := func(c color.NRGBA) *planes { return newPlanes(solid(1, 1, c)) }
	black := at(color.NRGBA{A: 255})
	for c, want := range map[color.NRGBA]float64{
		{255, 255, 255, 255}: 1, {255, 0, 0, 255}: yiq(1, 0, 0), {0, 255, 0, 255}: yiq(0, 1, 0), {0, 0, 255, 255}: yiq(0, 0, 1), {51, 102, 204, 255}: yiq(0.2, 0.4, 0.8),
		{9, 9, 9, 0}: 1, {255, 0, 0, 51}: yiq(1, 0.8, 0.8),
	} {
		require.InDelta(t, want, perceptual(at(c), black, 0, 0), 1e-6, "%v", c)
		require.InDelta(t, want, perceptual(black, at(c), 0, 0), 1e-6, "%v", c)
	}
}
