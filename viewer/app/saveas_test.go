package app

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// A scene is saved as another, which is open from then on with everything that can be undone. One that exists is asked about.
func TestSaveAs(t *testing.T) {
	d, path, other := editing(t)
	text := string(testkit.Read(t, path))
	d.set(specular, "0.125")
	name := func(s string) {
		d.Key('S', Ctrl|Shift)
		d.typed(s)
		d.keyJobs(KeyEnter)
	}
	name("mine")
	mine := filepath.Join(filepath.Dir(path), "mine.yaml")
	require.Equal(t, "mine.yaml - pica200", d.Title())
	require.Equal(t, mine, d.info.Path)
	require.Equal(t, text, string(testkit.Read(t, path)))
	require.Contains(t, string(testkit.Read(t, mine)), "[0.125, 0.6, 0.6, 1]")
	d.key('Z', Ctrl)
	d.keyJobs('S', Ctrl)
	require.Equal(t, text, string(testkit.Read(t, mine)))
	rewrite(t, mine, "fovy: 40", "fovy: 44")
	d.until("the new file is watched", func() bool { return d.picture.Slope > math.Tan(21*math.Pi/180) })

	before := string(testkit.Read(t, other))
	name("other.yaml")
	require.Equal(t, "replace it another name stay", strings.Join(d.labels(), " "))
	d.Key(KeyEscape, 0)
	require.Equal(t, before, string(testkit.Read(t, other)))
	name("other.yaml")
	d.keyJobs('R')
	require.Equal(t, other, d.info.Path)
	require.Contains(t, string(testkit.Read(t, other)), "fovy: 44")
	refused := func(text, why string) {
		name(text)
		again := d.screen.Popup().(*prompt)
		require.Contains(t, again.problem, why)
		require.Equal(t, text, again.field.Text, "to be corrected")
		require.Equal(t, other, d.info.Path)
		d.Overlay()
		d.Key(KeyEscape, 0)
	}
	refused("none/x.yaml", "there is no folder "+filepath.Join(filepath.Dir(path), "none"))
	refused("x.txt", "the name of a scene ends in .yaml")

	// In another folder it has copies of its files. They replace nothing that is different.
	folder := filepath.Join(filepath.Dir(path), "taken")
	require.NoError(t, os.Mkdir(folder, 0o755))
	shader := filepath.Join(folder, "window.v.pica")
	require.NoError(t, os.WriteFile(shader, []byte("another"), 0o644))
	refused("taken/x.yaml", "the scene's window.v.pica is copied beside it: ")
	require.Equal(t, "another", string(testkit.Read(t, shader)))
	require.NoError(t, os.Remove(shader))
	name("taken/x.yaml")
	require.Equal(t, filepath.Join(folder, "x.yaml"), d.info.Path)
	require.Equal(t, testkit.Read(t, filepath.Join(filepath.Dir(path), "window.v.pica")), testkit.Read(t, shader))
	require.Equal(t, render(t, open(t, filepath.Join(folder, "x.yaml"))).Pix, d.Picture().Image.Pix)
}

// Changes of a model are saved as a scene, which is asked for once and updated from then on. Its camera is a view.
func TestLeavingModelWithChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "quad.obj")
	require.NoError(t, os.WriteFile(path, []byte("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n"), 0o644))
	d := drive(t, open(t, path), Options{Panel: true})
	d.Key(KeyEscape, 0)
	d.Key(KeyRight, 0)
	require.Equal(t, "quad.obj - pica200", d.Title())
	d.set(diffuse, "1 0 0 1")
	require.Equal(t, "*quad.obj - pica200", d.Title())
	d.Leave()
	require.Equal(t, "save as discard stay", strings.Join(d.labels(), " "))
	d.Key(KeyEscape, 0)
	d.Key('S', Ctrl)
	d.keyJobs(KeyEnter)
	require.Equal(t, "quad-edited.yaml - pica200", d.Title())
	red := testkit.Read(t, filepath.Join(dir, "quad-edited.yaml"))
	want := d.Picture().Image
	d.req.Orbit = session.Orbit{}
	d.render()
	d.settle()
	require.Equal(t, d.Picture().Image.Pix, render(t, open(t, d.info.Path)).Pix)
	require.NotEqual(t, want.Pix, d.Picture().Image.Pix)
	d.set(diffuse, "0 1 0 1")
	require.Equal(t, "*quad-edited.yaml - pica200", d.Title())
	d.keyJobs('S', Ctrl)
	require.NotEqual(t, red, testkit.Read(t, d.info.Path))
	d.key('Z', Ctrl)
	require.Equal(t, "*quad-edited.yaml - pica200", d.Title())
	d.keyJobs('S', Ctrl)
	require.Equal(t, red, testkit.Read(t, d.info.Path))
	require.Len(t, testkit.Must(os.ReadDir(dir))(t), 2)
	d.Leave()
	require.True(t, d.Quit())
}

// render draws a source as it is.
func render(t *testing.T, s session.Source) *image.RGBA {
	t.Helper()
	return testkit.Must(s.Render(t.Context(), &session.Request{Draw: -1, Time: s.Info().Start}))(t).Image
}

// The camera is a view: moving it is no change, and Ctrl+Z takes back values alone. "save the camera" makes it a change of the file,
// without the values.
func TestCameraIsAView(t *testing.T) {
	d, path, _ := editing(t)
	text := testkit.Read(t, path)
	d.drag(ButtonLeft, image.Pt(200, 200), image.Pt(300, 220))
	angle := d.req.Orbit
	require.NotZero(t, angle.Yaw)
	d.drag(ButtonRight, image.Pt(200, 200), image.Pt(250, 215))
	d.Move(image.Pt(200, 200))
	d.Scroll(2)
	d.settle()
	require.NotEqual(t, angle, d.req.Orbit)
	require.Empty(t, d.history.past)
	require.Equal(t, "window.yaml - pica200", d.Title())
	require.Contains(t, d.status(), "camera moved")
	d.keyJobs('S', Ctrl)
	require.Contains(t, d.message.text, "nothing was changed")
	d.set(specular, "0.125")
	d.keyJobs('S', Ctrl)
	want := strings.Replace(string(text), "specular0: [0.6, 0.6, 0.6, 1]", "specular0: [0.125, 0.6, 0.6, 1]", 1)
	require.Equal(t, want, string(testkit.Read(t, path)))
	d.key('Z', Ctrl)
	require.NotZero(t, d.req.Orbit)
	d.key('Y', Ctrl)

	// The rows of the camera show and reset it.
	d.panel.Select(cameraKey + "eye")
	require.Equal(t, fmt.Sprintf("%.4g %.4g %.4g", d.picture.Eye[0], d.picture.Eye[1], d.picture.Eye[2]), d.panel.Selected().Text)
	moved := d.req.Orbit
	d.key(KeyDelete)
	require.Zero(t, d.req.Orbit)
	d.panel.Select(cameraKey + "eye")
	require.Equal(t, "eye = 0 1.4 4.2", d.panel.String())
	require.False(t, d.panel.Selected().Changed)
	d.req.Orbit = moved

	// The turntable turns the view.
	d.Key(KeyEscape, 0)
	d.Key('T', 0)
	for range 4 {
		d.now = d.now.Add(100e6)
		d.Update()
		d.settle()
	}
	d.Key('T', 0)
	require.NotEqual(t, moved, d.req.Orbit)
	require.Equal(t, "window.yaml - pica200", d.Title())
	d.settle()

	d.set(diffuse, "0.5 0.5 0.5 1")
	place := d.picture.Eye
	d.keyJobs('S', Ctrl|Alt)
	require.Contains(t, d.message.text, "saved the camera in window.yaml")
	saved := string(testkit.Read(t, path))
	require.NotContains(t, saved, "0.5, 0.5, 0.5, 1]")
	require.Contains(t, saved, "[0.125, 0.6, 0.6, 1]")
	require.NotContains(t, saved, "eye: [0, 1.4, 4.2]")
	require.Zero(t, d.req.Orbit)
	require.Equal(t, 1, d.unsaved())
	require.InDeltaSlice(t, place[:], d.picture.Eye[:], 1e-5, "the saved camera equals the shown one")
	d.key('Z', Ctrl)
	require.InDeltaSlice(t, []float64{0, 1.4, 4.2}, d.picture.Eye[:], 1e-9, "which can be taken back")
	d.key('Z', Ctrl)
	d.keyJobs('S', Ctrl)
	require.Equal(t, want, string(testkit.Read(t, path)))

	// An animated camera is not overwritten.
	moving := strings.Replace(string(text), "eye: [0, 1.4, 4.2]", "eye: {keys: [[0, 0, 1.4, 4.2], [2, 0, 1, 4]]}", 1)
	require.NoError(t, os.WriteFile(path, []byte(moving), 0o644))
	s := testkit.Must(session.Open(path, session.Options{}))(t)
	defer s.Close()
	_, err := s.(session.Writer).WriteBack(t.Context(), &session.Request{Draw: -1, Orbit: session.Orbit{Yaw: 1}})
	require.ErrorContains(t, err, "moves with the time")
	require.Equal(t, moving, string(testkit.Read(t, path)))
}
