package golden

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func solid(w, h int, c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return m
}

func TestCompare(t *testing.T) {
	base := solid(10, 10, color.NRGBA{100, 100, 100, 255})
	with := func(x, y int, c color.NRGBA) *image.NRGBA {
		m := solid(10, 10, color.NRGBA{100, 100, 100, 255})
		m.SetNRGBA(x, y, c)
		return m
	}
	why := "because"
	for _, tc := range []struct {
		name  string
		got   image.Image
		tol   Tolerance
		match bool
		msg   string
	}{
		{"equal", solid(10, 10, color.NRGBA{100, 100, 100, 255}), Tolerance{}, true, ""},
		{"one bit", with(3, 4, color.NRGBA{100, 101, 100, 255}), Tolerance{}, false, "1 of 100 pixels differ (1.000%), worst 1 at (3, 4)"},
		{"alpha counts", with(3, 4, color.NRGBA{100, 100, 100, 254}), Tolerance{}, false, "worst 1"},
		{"delta allows", with(3, 4, color.NRGBA{100, 102, 100, 255}), Tolerance{Delta: 2, Reason: why}, true, ""},
		{"delta is a limit", with(3, 4, color.NRGBA{100, 103, 100, 255}), Tolerance{Delta: 2, Reason: why}, false, "by more than 2"},
		{"share allows", with(3, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Share: 1, Reason: why}, true, ""},
		{"share is a limit", with(3, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Share: 0.5, Reason: why}, false, "allowed 0.5%"},
		{"border ignores", with(0, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, true, ""},
		{"border is inside", with(1, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, false, "1 of 64"},
		{"border at the far side", with(9, 4, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, true, ""},
		{"border below", with(4, 9, color.NRGBA{0, 0, 0, 255}), Tolerance{Border: 1, Reason: why}, true, ""},
		{"border leaves nothing for FLIP", base, Tolerance{Border: 5, FLIP: 0.5, Reason: why}, false, "no pixel is left"},
		{"border leaves nothing", base, Tolerance{Border: 5, Reason: why}, false, "no pixel is left"},
		{"perceptual allows", with(3, 4, color.NRGBA{100, 100, 108, 255}), Tolerance{Perceptual: 0.02, Reason: why}, true, ""},
		{"perceptual is a limit", with(3, 4, color.NRGBA{100, 108, 100, 255}), Tolerance{Perceptual: 0.02, Reason: why}, false, "worst 8"},
		{"size", solid(9, 10, color.NRGBA{}), Tolerance{Share: 100, Reason: why}, false, "the image is 9x10, expected 10x10"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Compare(base, tc.got, tc.tol)
			require.Equal(t, tc.match, c.Match, c.Message)
			require.Contains(t, c.Message, tc.msg)
			require.Equal(t, tc.match, c.severity() == 0)
		})
	}
}

// Mean is taken over all compared pixels; the other counts cover differing pixels only. WorstAt is the first worst pixel in reading
// order.
func TestCompareCounts(t *testing.T) {
	got := solid(10, 10, color.NRGBA{100, 100, 100, 255})
	for at, v := range map[image.Point]uint8{{8, 2}: 101, {3, 4}: 103, {7, 5}: 103, {2, 6}: 97, {1, 9}: 101} {
		got.SetNRGBA(at.X, at.Y, color.NRGBA{100, v, 100, 255})
	}
	c := Compare(solid(10, 10, color.NRGBA{100, 100, 100, 255}), got, Tolerance{Delta: 2, Border: 1, Reason: "because"})
	require.Equal(t, []any{64, 4, 3, 3, image.Pt(3, 4), image.Rect(2, 4, 8, 7), 10.0 / 64}, []any{c.Compared, c.Different, c.Exceeding, c.Worst, c.WorstAt, c.Bounds, c.Mean})
}

func TestCompare16Bit(t *testing.T) {
	a, b := image.NewGray16(image.Rect(0, 0, 2, 2)), image.NewGray16(image.Rect(0, 0, 2, 2))
	a.SetGray16(1, 1, color.Gray16{1000})
	b.SetGray16(1, 1, color.Gray16{1001})
	require.False(t, Compare(a, b, Tolerance{}).Match, "one step of 65535 is a mismatch")
	g := image.NewGray(image.Rect(0, 0, 2, 2))
	w := image.NewGray16(image.Rect(0, 0, 2, 2))
	g.SetGray(0, 0, color.Gray{7})
	w.SetGray16(0, 0, color.Gray16{7 * 257})
	require.True(t, Compare(g, w, Tolerance{}).Match)
	// A tolerance beyond the largest possible difference is refused.
	require.True(t, Compare(a, b, Tolerance{Delta: 300, Reason: "x"}).Match)
	// A step of 100 in 65535 is below the perceptual tolerance, in either order of the images.
	w.SetGray16(0, 0, color.Gray16{7*257 + 100})
	require.True(t, Compare(g, w, Tolerance{Perceptual: 0.01, Reason: "x"}).Match)
	require.True(t, Compare(w, g, Tolerance{Perceptual: 0.01, Reason: "x"}).Match)
	require.Contains(t, Compare(g, g, Tolerance{Delta: 256, Reason: "x"}).Message, "more than the 255")
}

func TestDifferenceImage(t *testing.T) {
	a := solid(4, 4, color.NRGBA{10, 10, 10, 255})
	b := solid(4, 4, color.NRGBA{10, 10, 10, 255})
	b.SetNRGBA(1, 1, color.NRGBA{11, 10, 10, 255})
	b.SetNRGBA(2, 2, color.NRGBA{255, 10, 10, 255})
	d := Difference(a, b, Tolerance{Delta: 1, Reason: "x"})
	require.Equal(t, color.NRGBA{90, 140, 255, 255}, d.NRGBAAt(1, 1))
	require.Equal(t, color.NRGBA{255, 3, 0, 255}, d.NRGBAAt(2, 2), "strong difference: red, its green falls with the root of the difference")
	// Images of different sizes: parts that only one image has get their own colour; the shared corner is compared as usual.
	d = Difference(a, solid(5, 3, color.NRGBA{10, 10, 10, 255}), Tolerance{Border: 1, Reason: "x"})
	require.Equal(t, image.Pt(5, 4), d.Rect.Size())
	require.Equal(t, color.NRGBA{182, 182, 182, 255}, d.NRGBAAt(0, 0), "equal pixels are light grey")
	require.Equal(t, color.NRGBA{0, 255, 255, 255}, d.NRGBAAt(4, 0), "pixels only in the second picture are cyan")
	require.Equal(t, color.NRGBA{255, 0, 255, 255}, d.NRGBAAt(0, 3), "pixels only in the first picture are magenta")
	require.Equal(t, color.NRGBA{}, d.NRGBAAt(4, 3), "pixels in neither picture are transparent")
	require.Equal(t, d.NRGBAAt(0, 0), d.NRGBAAt(3, 2))
	for _, at := range []image.Point{{0, 1}, {3, 1}, {1, 0}, {1, 3}} {
		edge := solid(4, 4, color.NRGBA{10, 10, 10, 255})
		edge.SetNRGBA(at.X, at.Y, color.NRGBA{255, 10, 10, 255})
		require.Equal(t, color.NRGBA{90, 140, 255, 255}, Difference(a, edge, Tolerance{Border: 1, Reason: "x"}).NRGBAAt(at.X, at.Y), "%v belongs to the border", at)
	}
	wide := solid(5, 4, color.NRGBA{10, 10, 10, 255})
	wide.SetNRGBA(0, 2, color.NRGBA{255, 10, 10, 255})
	require.Equal(t, uint8(255), Difference(a, wide, Tolerance{}).NRGBAAt(0, 2).R)
	require.Less(t, Difference(a, wide, Tolerance{}).NRGBAAt(0, 2).G, uint8(60), "a difference beyond the tolerance is red, not blue")
}

func TestReadPNGRefusesAbsurdSizes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.png")
	require.NoError(t, os.WriteFile(bad, []byte("no picture"), 0o644))
	_, err := ReadPNG(bad)
	require.ErrorContains(t, err, bad)
	data := testkit.Must(EncodePNG(solid(1, 1, color.NRGBA{}), "", ""))(t)
	copy(data[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0})
	path := filepath.Join(t.TempDir(), "a.png")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	_, err = ReadPNG(path)
	require.Error(t, err)
}

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

// FuzzResults reports arbitrary bytes as results: nothing is written outside the report's folder, and no picture from outside the
// results' folder gets into it.
func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"dir": "suite", "cases": [{"name": "a", "status": "different", "images": [{"target": "color", "status": "different",
		"actualImage": "a-actual.png", "expectedImage": "a-expected.png", "comparison": {"pixels": 3}}]}]}`))
	f.Add([]byte(`{"cases": [{"name": "\u0000<script>", "error": "\u001b[2J]]>", "images": [{"actualImage": "../secret.png"}]}]}`))
	f.Add([]byte(`{"cases": [{"images": [{"actualImage": "a-actual.png/../../secret.png"}]}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "part"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "part", ResultsFile), data, 0o666))
		const secret = "c2VjcmV0IHNlY3JldA=="
		require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.png"), []byte("secret secret"), 0o666))
		out := filepath.Join(dir, "out")
		res, err := Join(out, filepath.Join(dir, "part"))
		if err != nil {
			require.NoDirExists(t, out)
			return
		}
		if err := res.WriteReports(out); err != nil {
			return
		}
		entries := testkit.Must(os.ReadDir(out))(t)
		require.Len(t, entries, 3)
		page := testkit.Read(t, filepath.Join(out, HTMLFile))
		require.NotContains(t, string(page), secret)
		// The second report does not follow paths that lie outside its folder.
		if again, err := ReadResults(out); err != nil {
			require.ErrorContains(t, err, "lies outside")
		} else {
			require.Len(t, again.Cases, len(res.Cases))
		}
		entries = testkit.Must(os.ReadDir(dir))(t)
		require.Len(t, entries, 3)
	})
}
