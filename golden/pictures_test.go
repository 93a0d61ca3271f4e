package golden

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/files"
	"pica200/tests/testkit"
)

// A new report removes only picture files of the earlier one that lie in its folder and have a name that a report gives.
func TestReportRemovesOldPictures(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{"a-color-actual.png", "a-stencil-difference.png", "a-color-expected.png", "notes.png", "a-color-actual.png.txt", "a-sound-actual.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte(name), 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(out, "b-color-actual.png"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(out, "below"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(out, "below", "c-color-actual.png"), nil, 0o644))
	require.NoError(t, os.Symlink("notes.png", filepath.Join(out, "d-color-actual.png")))
	res := &Results{Dir: "suite", Cases: []CaseResult{
		{Name: "a", Images: []ImageResult{{Actual: "a-color-actual.png", Expected: "notes.png", Difference: "a-stencil-difference.png"}, {Actual: "a-color-actual.png.txt", Expected: "a-sound-actual.png"}}},
		{Name: "b", Images: []ImageResult{{Actual: "b-color-actual.png", Expected: "below/c-color-actual.png", Difference: "d-color-actual.png"}, {Actual: "gone-color-actual.png", Expected: "a-color-expected.png"}}},
	}}
	require.NoError(t, res.WriteReports(out))
	root := testkit.Must(files.OpenRoot(out))(t)
	defer root.Close()
	got := picturesOf(root)
	slices.Sort(got)
	require.Equal(t, []string{"a-color-actual.png", "a-color-expected.png", "a-stencil-difference.png"}, got)
	require.True(t, res.shows("d-color-actual.png"))
	require.False(t, res.shows("gone"))
	require.NoError(t, os.Remove(filepath.Join(out, ResultsFile)))
	require.Empty(t, picturesOf(root))
}

// Pictures of parts with the same name get numbers. A missing picture is a problem and is removed from the results.
func TestJoinedPicturesGetUniqueNames(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	data := picture(t, filepath.Join(dir, "x.png"), solid(2, 1, color.NRGBA{1, 2, 3, 255}))
	one := ImageResult{Target: "color", Actual: "x.png", Difference: "gone.png"}
	p := loaded{&Results{Cases: []CaseResult{{Name: "c", Images: []ImageResult{one, one, one}}}}, filepath.Join(dir, ResultsFile)}
	problems := testkit.Must(p.copyPictures(out, map[string]bool{}))(t)
	require.Len(t, problems, 3)
	require.Contains(t, problems[0], "case c: ")
	var names []string
	for _, i := range p.Cases[0].Images {
		names = append(names, i.Actual+i.Expected+i.Difference)
	}
	require.Equal(t, []string{"c-color-actual.png", "2-c-color-actual.png", "3-2-c-color-actual.png"}, names)
	for _, name := range names {
		require.Equal(t, data, testkit.Read(t, filepath.Join(out, name)))
	}
	// A report written to the folder of its part leaves the pictures in place.
	same := loaded{&Results{Cases: []CaseResult{{Name: "c", Images: []ImageResult{{Target: "color", Actual: "x.png"}}}}}, dir}
	taken := map[string]bool{}
	problems = testkit.Must(same.copyPictures(dir, taken))(t)
	require.Empty(t, problems)
	require.Equal(t, "x.png", same.Cases[0].Images[0].Actual)
	require.Equal(t, map[string]bool{"x.png": true}, taken)
}

// If no approved image exists, the message lists all names that were tried.
func TestMissingApprovedImagesAreListed(t *testing.T) {
	dir := t.TempDir()
	c := &Case{Name: "c", File: filepath.Join(dir, "c"+Suffix)}
	r := judge(c, Image{Target: "color", Approved: []Approved{{File: "a.png"}, {SHA256: newHash}, {File: "b.png"}}}, solid(2, 1, color.NRGBA{}), Options{})
	require.Equal(t, Differs, r.Status)
	require.Contains(t, r.Message, "there is no approved image yet (a.png, sha256: new, b.png); look at the picture")
	require.Contains(t, r.Message, "--only c:color")
}

// The traces of the repository match their pictures.
func TestTracesEqualTheirPictures(t *testing.T) { Run(t, "../testdata/traces", Options{}) }

// The expected values are the output of the authors' program (FLIP.h of NVlabs/flip 1.5, CPU build) for pairs of our pictures at 67
// pixels per degree, its default. The last bits of the pictures have changed since; the values were updated by the same amount as
// that program's.
func TestFLIPEqualsAuthorsProgram(t *testing.T) {
	read := func(name string) image.Image {
		m := testkit.Must(ReadPNG(filepath.Join("..", "testdata", "golden", name+"-color.png")))(t)
		return m
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{{"lit", "cel", 0.874238}, {"lit", "bump", 0.611801}, {"lit", "shadow", 0.773521}, {"lit", "lit", 0}} {
		got := testkit.Must(meanFLIP(read(c.a), read(c.b)))(t)
		require.InDelta(t, c.want, got, 1e-5, "%s against %s", c.a, c.b)
	}
}

func TestFLIP(t *testing.T) {
	black, white := solid(16, 9, color.NRGBA{0, 0, 0, 255}), solid(16, 9, color.NRGBA{255, 255, 255, 255})
	e := testkit.Must(meanFLIP(black, white))(t)
	require.Greater(t, e, 0.9)
	// Transparent pixels are blended over white.
	e = testkit.Must(meanFLIP(white, solid(16, 9, color.NRGBA{10, 20, 30, 0})))(t)
	require.Zero(t, e)
	for want, pair := range map[string][2]image.Image{
		"of one size": {black, solid(15, 9, color.NRGBA{})},
		"no pixels":   {solid(0, 4, color.NRGBA{}), solid(0, 4, color.NRGBA{})},
		"more than":   {image.NewGray(image.Rect(0, 0, 1<<12, 1<<10+1)), image.NewGray(image.Rect(0, 0, 1<<12, 1<<10+1))},
	} {
		_, err := meanFLIP(pair[0], pair[1])
		require.ErrorContains(t, err, want)
	}
	// A FLIP tolerance applies to the whole picture and needs a reason.
	near := solid(16, 9, color.NRGBA{0, 0, 2, 255})
	c := Compare(black, near, Tolerance{FLIP: 0.05, Reason: "another rounding"})
	require.True(t, c.Match, c.Message)
	require.Greater(t, c.FLIP, 0.0)
	c = Compare(black, white, Tolerance{FLIP: 0.05, Reason: "another rounding"})
	require.False(t, c.Match)
	require.Contains(t, c.Message, "FLIP 0.9")
	require.ErrorContains(t, Tolerance{FLIP: 0.05}.Check(), "reason")
	require.ErrorContains(t, Tolerance{FLIP: 1.5, Reason: "x"}.Check(), "out of range")
}
