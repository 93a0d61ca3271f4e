package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/golden"
	"pica200/tests/testkit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// A golden case is made from the picture, with an editable name. An opened case shows its images, alternates between them, and is
// approved with a key.
func TestGoldenCaseIsMadeAndApproved(t *testing.T) {
	scene, _ := copyScene(t)
	dir := filepath.Dir(scene)
	d := drive(t, open(t, scene), Options{Open: openFile})
	d.Key('G', 0)
	require.Contains(t, d.message.text, "is not a golden case")
	d.Key('G', Ctrl)
	d.Overlay()
	require.Equal(t, "window", d.screen.Popup().(*prompt).field.Text)
	d.chars("knot")
	d.keyJobs(KeyEnter)
	require.Equal(t, "golden case "+filepath.Join("golden", "knot.case.yaml"), d.message.text)
	path := filepath.Join(dir, "golden", "knot.case.yaml")
	d.Key('G', Ctrl)
	d.clickJobs("make it")
	require.FileExists(t, filepath.Join(dir, "golden", "window.case.yaml"))

	// A different picture is approved.
	old := testkit.Read(t, filepath.Join(dir, "golden", "knot-color.png"))
	rewrite(t, scene, "diffuse: [0.85, 0.35, 0.2, 1]", "diffuse: [0.2, 0.35, 0.9, 1]")
	d.load(path)
	d.settle()
	require.Equal(t, golden.Differs, d.Picture().Golden.Status)
	d.openPanel()
	d.settle()
	for asked, n := d.App.asked, 0; n < 3; n++ {
		d.Update()
		d.settle()
		require.Equal(t, asked, d.App.asked, "a case has no uniforms; it is not drawn again and again for them")
	}
	d.Key(KeyEscape, 0)
	d.Overlay()
	for _, tip := range []string{"show expected", "show actual", "show difference", "expected and actual in turn", "make what is drawn the approved image"} {
		_, ok := d.screen.Where(tip)
		require.True(t, ok, tip)
	}
	for _, show := range []session.GoldenShow{session.GoldenExpected, session.GoldenActual, session.GoldenDifference, session.GoldenAll} {
		d.key('G')
		require.Equal(t, show, d.Picture().Golden.Show)
	}
	d.clickJobs("show difference")
	d.settle()
	require.Equal(t, session.GoldenDifference, d.Picture().Golden.Show)

	d.key('B')
	require.Equal(t, session.GoldenExpected, d.Picture().Golden.Show)
	require.Positive(t, d.Wait())
	for _, show := range []session.GoldenShow{session.GoldenActual, session.GoldenExpected, session.GoldenActual} {
		d.now = d.now.Add(flickerTime)
		d.Update()
		d.settle()
		require.Equal(t, show, d.Picture().Golden.Show)
	}
	d.key('B')
	require.Equal(t, session.GoldenDifference, d.Picture().Golden.Show, "B returns to the difference picture")

	d.keyJobs(KeyEnter, Ctrl)
	d.settle()
	d.filesChanged()
	d.jobs()
	require.Contains(t, d.message.text, "approved: knot-color.png", "the file changed by the approval is not reported")
	require.Equal(t, golden.Match, d.Picture().Golden.Status)
	require.NotEqual(t, old, testkit.Read(t, filepath.Join(dir, "golden", "knot-color.png")))
	d.keyJobs(KeyEnter, Ctrl)
	require.Contains(t, d.message.text, "matches what is approved already")

	// Approving is undone, unless the file has changed since.
	require.Len(t, d.approvals, 1)
	d.keyJobs('Z', Ctrl)
	require.Contains(t, d.message.text, "taken back: knot-color.png")
	require.Equal(t, old, testkit.Read(t, filepath.Join(dir, "golden", "knot-color.png")))
	require.Equal(t, golden.Differs, d.Picture().Golden.Status)
	d.keyJobs('Z', Ctrl)
	require.Contains(t, d.message.text, "nothing was approved")
	d.keyJobs(KeyEnter, Ctrl)
	require.Regexp(t, `approved: knot-color.png \(before: .*differ.*\); Ctrl\+Z takes it back`, d.message.text)
	d.watcher.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "golden", "knot-color.png"), old, 0o644))
	require.NoError(t, os.WriteFile(path, append(testkit.Read(t, path), "# mine\n"...), 0o644))
	d.keyJobs('Z', Ctrl)
	require.Contains(t, d.message.text, "has changed since it was approved")
	require.Contains(t, string(testkit.Read(t, path)), "# mine")
}

// A blank picture is approved, or becomes a case, only after a question.
func TestBlankPictureIsApprovedAfterAQuestion(t *testing.T) {
	dir := t.TempDir()
	scene, path, picture := filepath.Join(dir, "nothing.yaml"), filepath.Join(dir, "golden", "nothing.case.yaml"), filepath.Join(dir, "golden", "nothing-color.png")
	write := func(clear string) {
		text := "target: {width: 64, height: 64, clear: {color: " + clear + ", depth: 1}}\nmodels: {q: {shape: box}}\ndraws: [{model: q, depth: {func: never}}]\n"
		require.NoError(t, os.WriteFile(scene, []byte(text), 0o644))
	}
	write("[0, 0, 1, 1]")
	d := drive(t, open(t, scene), Options{Open: openFile})
	answers := func(key ui.Key, before, after func()) {
		before()
		d.Overlay()
		q, asked := d.screen.Popup().(*question)
		require.True(t, asked, d.message.text)
		require.Contains(t, q.title, "Every pixel")
		d.keyJobs(key)
		after()
	}
	make := func() { d.Key('G', Ctrl); d.clickJobs("make it") }
	none, one := func() { require.NoFileExists(t, picture); require.NoFileExists(t, path) }, func() { require.FileExists(t, picture); require.FileExists(t, path) }
	answers(KeyEnter, make, none) // the answer that does nothing is the first choice
	answers('A', make, one)

	old := testkit.Read(t, picture)
	write("[1, 0, 0, 1]")
	d.load(path)
	d.settle()
	approve := func() { d.keyJobs(KeyEnter, Ctrl) }
	answers(KeyEscape, approve, func() { require.Equal(t, old, testkit.Read(t, picture)) })
	answers('A', approve, func() { require.NotEqual(t, old, testkit.Read(t, picture)) })
	approve()
	require.Contains(t, d.message.text, "matches what is approved already")
}

// Undoing the approval of a first image removes the image.
func TestUndoFirstApproval(t *testing.T) {
	scene, _ := copyScene(t)
	dir := filepath.Dir(scene)
	path, picture := filepath.Join(dir, "first.case.yaml"), filepath.Join(dir, "first-color.png")
	text := "source: window.yaml\nimages:\n  - target: color\n    expected: [{file: first-color.png, from: self}]\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	d := drive(t, open(t, path), Options{})
	d.keyJobs(KeyEnter, Ctrl)
	require.Contains(t, d.message.text, "approved: first-color.png (")
	require.FileExists(t, picture)
	d.keyJobs('Z', Ctrl)
	require.NoFileExists(t, picture)
	require.Equal(t, text, string(testkit.Read(t, path)))
	require.Equal(t, golden.Differs, d.Picture().Golden.Status)
}
