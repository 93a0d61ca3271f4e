package session

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/golden"
	"pica200/internal/files"
	"pica200/tests/testkit"
)

// caseOf makes a golden case of the test scene.
func caseOf(t *testing.T) (path, picture string) {
	t.Helper()
	t.Cleanup(files.Begin().End) // as the command does
	s := open(t, copied(t))
	path = testkit.Must(GoldenCase(t.Context(), s, request(), "knot", false))(t)
	return path, strings.TrimSuffix(path, golden.Suffix) + "-color.png"
}

// spoil paints a square into a picture file.
func spoil(t *testing.T, path string) {
	t.Helper()
	m := testkit.Must(png.Decode(bytes.NewReader(testkit.Read(t, path))))(t)
	out := image.NewNRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	draw.Draw(out, image.Rect(10, 20, 30, 40), image.NewUniform(color.NRGBA{255, 0, 255, 255}), image.Point{}, draw.Src)
	f := testkit.Must(os.Create(path))(t)
	require.NoError(t, png.Encode(f, out))
	require.NoError(t, f.Close())
}

// A case shows the expected picture, the drawn one and the difference, and can be approved.
func TestGoldenCaseIsShownAndApproved(t *testing.T) {
	path, picture := caseOf(t)
	s := open(t, path)
	require.True(t, s.Info().Golden)
	for _, f := range []string{path, picture, filepath.Join(filepath.Dir(path), "../window.yaml"), filepath.Join(filepath.Dir(path), "../window.v.pica")} {
		require.Contains(t, s.Info().Files, f)
	}
	p := render(t, s, request())
	require.Equal(t, golden.Match, p.Golden.Status)
	require.Equal(t, []string{"color"}, p.Golden.Targets)
	_, err := s.(Approver).Approve(t.Context(), request(), false)
	require.ErrorContains(t, err, "matches what is approved already")

	spoil(t, picture)
	require.NoError(t, s.Reload())
	r := request()
	all := render(t, s, r)
	require.Equal(t, golden.Differs, all.Golden.Status)
	require.NotEmpty(t, all.Golden.Message)
	require.Contains(t, all.Note, "different")
	require.Equal(t, image.Pt(3*400+2*4, 240), all.Image.Rect.Size())
	var one [4]*Picture
	for show := GoldenExpected; show <= GoldenDifference; show++ {
		r.Golden.Show = show
		one[show] = render(t, s, r)
		part := all.Golden.Parts[show-1]
		require.Equal(t, image.Pt(400, 240), part.Size())
		for _, at := range []image.Point{{15, 25}, {200, 120}, {399, 239}} {
			require.Equal(t, all.Image.At(part.Min.X+at.X, part.Min.Y+at.Y), one[show].Image.At(at.X, at.Y), "%v", show)
		}
	}
	magenta := color.RGBA{255, 0, 255, 255}
	require.Equal(t, magenta, one[GoldenExpected].Image.RGBAAt(15, 25))
	require.NotEqual(t, magenta, one[GoldenActual].Image.RGBAAt(15, 25))
	red, grey := one[GoldenDifference].Image.RGBAAt(15, 25), one[GoldenDifference].Image.RGBAAt(200, 120)
	require.Greater(t, red.R, red.B)
	require.Equal(t, grey.R, grey.B)
	same(t, render(t, open(t, filepath.Join(filepath.Dir(path), "../window.yaml")), request()).Image.Pix, one[GoldenActual].Image.Pix)

	// A pixel of any part is explained as that of the drawn picture.
	e := historyOf(t, s, all, all.Golden.Parts[2].Min.X+200, 120)
	want := historyOf(t, s, one[GoldenActual], 200, 120)
	require.Equal(t, want.Text(), e.Text())
	require.Contains(t, e.Text(), `"knot": written`)
	_, err = s.ExplainPixel(t.Context(), all, 401, 10)
	require.ErrorContains(t, err, "no image at this place")
	list := drawsOf(t, s, r)
	require.Len(t, list, 2)

	approval := testkit.Must(s.(Approver).Approve(t.Context(), r, false))(t)
	require.Equal(t, picture, approval.Path)
	require.Equal(t, golden.Match, render(t, s, r).Golden.Status)
	m := testkit.Must(golden.ReadPNG(picture))(t)
	require.NotEqual(t, color.NRGBAModel.Convert(magenta), color.NRGBAModel.Convert(m.At(15, 25)))
}

// A case without an approved image shows the drawn one; one with a hash has no picture to compare; several images are approved one
// by one.
func TestGoldenCaseWithoutAPicture(t *testing.T) {
	path, picture := caseOf(t)
	text := "source: ../window.yaml\nimages:\n  - target: color\n    expected: [{file: knot-color.png, from: self}]\n" +
		"  - target: depth\n    expected: [{sha256: new, from: self}]\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	require.NoError(t, os.Remove(picture))
	s := open(t, path)
	r := request()
	p := render(t, s, r)
	require.Equal(t, golden.Differs, p.Golden.Status)
	require.Equal(t, []string{"color", "depth"}, p.Golden.Targets)
	require.Equal(t, image.Pt(400, 240), p.Image.Rect.Size(), "without an approved image only the drawn one is shown")
	r.Golden.Show = GoldenExpected
	_, err := s.Render(t.Context(), r)
	require.ErrorContains(t, err, "no approved image yet")
	r.Golden = GoldenRequest{Image: 1}
	approval := testkit.Must(s.(Approver).Approve(t.Context(), r, false))(t)
	require.Equal(t, path, approval.Path, "the approved hash is written to the case file")
	hashed := testkit.Read(t, path)
	require.NoError(t, s.(Approver).TakeBack(approval))
	require.Equal(t, text, string(testkit.Read(t, path)))
	require.Equal(t, golden.Differs, render(t, s, r).Golden.Status)
	testkit.Must(s.(Approver).Approve(t.Context(), r, false))(t)
	require.Equal(t, hashed, testkit.Read(t, path))
	require.Equal(t, golden.Match, render(t, s, r).Golden.Status)
	_, err = os.Stat(picture)
	require.ErrorIs(t, err, os.ErrNotExist, "only the selected image is approved")
	r.Golden.Image = 0
	testkit.Must(s.(Approver).Approve(t.Context(), r, false))(t)
	require.FileExists(t, picture)

	require.NoError(t, os.WriteFile(path, []byte("source: ../nowhere.yaml\n"), 0o644))
	require.NoError(t, s.Reload())
	_, err = s.Render(t.Context(), request())
	require.ErrorContains(t, err, "nowhere.yaml")
	_, err = s.List(t.Context(), request())
	require.ErrorContains(t, err, "cannot be opened")
	require.NoError(t, os.WriteFile(path, []byte("sauce: x\n"), 0o644))
	require.Error(t, s.Reload())
	_, err = Open(path, Options{})
	require.Error(t, err)
}

// A new case is named after its source, lies beside the others, and does not reuse a name.
func TestNewCaseNames(t *testing.T) {
	path := copied(t)
	s := open(t, path)
	r := request()
	require.Equal(t, "window", SuggestCase(s.Info(), r))
	file := testkit.Must(GoldenCase(t.Context(), s, r, "window", false))(t)
	require.Equal(t, filepath.Join(filepath.Dir(path), "golden/window.case.yaml"), file)
	require.Equal(t, "window-2", SuggestCase(s.Info(), r))
	_, err := GoldenCase(t.Context(), s, r, "window", false)
	require.ErrorContains(t, err, "exists already")
	r.Time = 1.5
	require.Equal(t, "window-t1.5", SuggestCase(s.Info(), r))
	r.Orbit.Yaw = 0.2
	require.Equal(t, "window-t1.5-edited", SuggestCase(s.Info(), r))
	file = testkit.Must(GoldenCase(t.Context(), s, r, "turned", false))(t)
	require.FileExists(t, filepath.Join(filepath.Dir(path), "turned.yaml"))
	require.Equal(t, golden.Match, golden.RunCase(t.Context(), load(t, file), golden.Options{}).Status)
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Remove(strings.TrimSuffix(file, golden.Suffix)+"-color.png"))
	_, err = GoldenCase(t.Context(), s, r, "turned", false)
	require.ErrorIs(t, err, os.ErrExist, "an existing scene is not overwritten")

	for _, bad := range []string{"", "a/b", `a\b`, ".hidden", "a\nb", "x:color"} {
		_, err := GoldenCase(t.Context(), s, request(), bad, false)
		require.ErrorContains(t, err, "not a name for a case", "%q", bad)
	}
	for name, want := range map[string]string{"a b.v.pica": "a-b", "Löwe.gltf": "Löwe", "...yaml": "case", "x.y.ctf": "x.y"} {
		require.Equal(t, want, SuggestCase(Info{Path: filepath.Join(t.TempDir(), name)}, request()))
	}
	trace := open(t, demoTrace(t, 2))
	one := request()
	one.Frame = 1
	require.Equal(t, "demo-frame1", SuggestCase(trace.Info(), one))
	file = testkit.Must(GoldenCase(t.Context(), trace, one, "demo", false))(t)
	shown := render(t, open(t, file), request())
	require.Equal(t, golden.Match, shown.Golden.Status)
	e := historyOf(t, open(t, file), shown, 100, 100)
	require.Equal(t, 1, e.Frame)
	require.Equal(t, fragment.ViewFinal, one.View)
}

func load(t *testing.T, file string) *golden.Case {
	c := testkit.Must(golden.LoadCase(filepath.Dir(file), file))(t)
	return c
}
