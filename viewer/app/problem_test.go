package app

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// A file that is broken at the start shows its error beside an empty picture, links to the line, and shows its picture once
// corrected. The error panel does not cover the picture, folds, scrolls, can be copied, and receives its clicks alone.
func TestBrokenFirstFileIsCorrected(t *testing.T) {
	scene, shader := copyScene(t)
	rewrite(t, shader, "mov outColor, color", "mov outColor, colour")
	_, err := session.Open(scene, session.Options{})
	require.Error(t, err)
	s := testkit.Must(session.OpenForRepair(scene, session.Options{}))(t)
	require.ErrorContains(t, session.Unread(s), "colour")
	d := drive(t, s, Options{})
	require.Nil(t, d.Picture())
	require.Contains(t, d.Problem(), "window.v.pica:")
	d.explain(image.Pt(3, 3))
	require.Equal(t, dockNone, d.dock)
	d.keyJobs('L')
	d.Key('L', 0)

	opened := d.edits("gedit")
	d.clickJobs("open the place in the editor")
	require.Len(t, *opened, 3)
	require.Regexp(t, `^\+[0-9]+$`, (*opened)[1])
	require.Equal(t, shader, (*opened)[2])

	good := testkit.Read(t, "../testdata/window.v.pica")
	require.NoError(t, os.WriteFile(shader, good, 0o644))
	d.until("the corrected file is shown", func() bool { return d.Picture() != nil })
	require.Empty(t, d.Problem())
	require.NoError(t, session.Unread(s))
	require.Equal(t, d.info.Start, d.Picture().Request.Time)
	whole := d.win.body

	rewrite(t, shader, "mov outColor, color", "mov outColor, colour")
	d.until("the error of the broken file is shown", func() bool { return d.Problem() != "" })
	require.NotNil(t, d.Picture(), "the last good picture stays")
	d.Overlay()
	require.False(t, d.errors.rect.Overlaps(d.win.area))
	require.True(t, d.win.dest.In(d.win.area))
	require.Equal(t, whole, d.win.body.Union(d.errors.rect))

	mid := d.errors.rect.Min.Add(d.errors.rect.Max).Div(2)
	d.tap(mid)
	d.settle()
	require.Equal(t, dockNone, d.dock, "a click on the error panel does not reach the picture")
	d.clickJobs("copy the error")
	require.Equal(t, d.Problem(), d.screen.Paste())
	high := d.errors.rect.Dy()
	d.clickJobs("fold the error")
	d.Overlay()
	require.Less(t, d.errors.rect.Dy(), high)
	d.clickJobs("show the error")
	d.Overlay()
	require.Equal(t, high, d.errors.rect.Dy())

	// A long error scrolls and leaves most of the window to the picture.
	d.problem = strings.Repeat("a line of a long error\n", 200)
	d.dirty = true
	d.Overlay()
	require.LessOrEqual(t, d.errors.rect.Dy(), whole.Dy()*2/5)
	d.Move(d.errors.rect.Min.Add(d.errors.rect.Max).Div(2))
	d.Scroll(-3)
	require.Positive(t, d.errors.view.Scroll.Offset)
}

func TestMissingFileOpensWithError(t *testing.T) {
	dir := t.TempDir()
	_, err := session.OpenForRepair(filepath.Join(dir, "absent.yaml"), session.Options{})
	require.Error(t, err)
	path := filepath.Join(dir, "x.ctf")
	require.NoError(t, os.WriteFile(path, []byte("CiTrace but no more"), 0o644))
	_, err = session.OpenForRepair(path, session.Options{})
	require.Error(t, err, "a recording cannot be opened for correction")
	for _, name := range []string{"a.yaml", "a.v.pica", "a.gltf"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("what is this: ["), 0o644))
		s := testkit.Must(session.OpenForRepair(path, session.Options{}))(t, name)
		require.Error(t, session.Unread(s))
		require.Contains(t, s.Info().Files, path)
		_, err = s.Render(t.Context(), &session.Request{Draw: -1})
		require.Equal(t, session.Unread(s), err)
		_, err = s.List(t.Context(), &session.Request{})
		require.ErrorContains(t, err, "correct the file first")
		_, err = s.ExplainPixel(t.Context(), &session.Picture{}, 0, 0)
		require.ErrorContains(t, err, "correct the file first")
		require.Empty(t, s.Warnings())
	}
}

func TestErrorPlaces(t *testing.T) {
	for text, want := range map[string]session.Location{
		"a/b.v.pica:12:7: unknown register": {What: "error", Path: "a/b.v.pica", Line: 12},
		"scene.yaml:3: no such key":         {What: "error", Path: "scene.yaml", Line: 3},
		"first\n  x.yaml:9:1: second":       {What: "error", Path: "x.yaml", Line: 9},
	} {
		got, ok := session.ErrorLocation(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "no place here", "at 12:30 it failed", "trace: frame 3: hang"} {
		_, ok := session.ErrorLocation(text)
		require.False(t, ok, text)
	}
}
