package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// The window opens while its first file is read, and then applies the options.
func TestWindowOpensBeforeFirstFile(t *testing.T) {
	dir := t.TempDir()
	scene, _ := copyScene(t)
	ready := make(chan bool)
	o := Options{First: scene, View: fragment.ViewNormal, Panel: true, Turntable: true, OutDir: dir, Recent: filepath.Join(dir, "kept", "recent")}
	o.Open = func(path string) (session.Source, error) {
		<-ready
		return session.Open(path, session.Options{})
	}
	d := drive(t, nil, o)
	require.Equal(t, "no file - pica200", d.Title())
	require.Nil(t, d.Picture())
	require.Empty(t, d.Problem())
	everyKey(d)
	close(ready)
	d.until("the first file is read", func() bool { return d.Picture() != nil || d.Quit() })
	for d.screen.Popup() != nil {
		d.screen.Close(d.screen.Popup())
	}
	require.Equal(t, "window.yaml - pica200", d.Title())
	require.Equal(t, fragment.ViewNormal, d.Picture().Request.View)
	require.Equal(t, dockPanel, d.dock)
	require.True(t, d.motion.turntable)
	recent := testkit.Read(t, o.Recent)
	require.Contains(t, string(recent), "window.yaml")
	left := testkit.Must(os.ReadDir(dir))(t)
	require.Len(t, left, 1, "keys pressed before the first file wrote no file")
	beside := testkit.Must(os.ReadDir(filepath.Dir(scene)))(t)
	require.Len(t, beside, 2, "no file is written beside the scene")
	d.Key('T', 0)
	require.False(t, d.moving())
	d.settle()
	d.load("../testdata/window.yaml")
	require.Equal(t, fragment.ViewFinal, d.Picture().Request.View, "options apply to the first file only")
}

// everyKey presses every key while no file is open; only Ctrl+Q ends the viewer.
func everyKey(d *driver) {
	d.t.Helper()
	for k := Key(' '); k <= KeyPadEnter; k++ {
		for _, m := range []Mods{0, Shift, Ctrl} {
			d.Key(k, m)
			d.Update()
			d.Overlay()
			require.Equal(d.t, k == 'Q' && m == Ctrl, d.Quit(), "%v%v", m, k)
			d.quit = false
			if p := d.screen.Popup(); p != nil {
				d.screen.Close(p)
			}
		}
	}
	require.False(d.t, d.moving())
}

func TestFirstFileError(t *testing.T) {
	wrong := errors.New("wrong")
	d := &driver{t: t, wake: make(chan bool, 1000)}
	d.App = New(nil, Options{First: "a.yaml", Wake: func() { d.wake <- true }, Open: func(string) (session.Source, error) { return nil, wrong }})
	d.until("the first file is read", func() bool { return d.Picture() != nil || d.Quit() })
	require.True(t, d.Quit())
	require.ErrorIs(t, d.Close(), wrong)
}

// Without a file the viewer shows the open dialog.
func TestOpenDialogWithoutFile(t *testing.T) {
	d := drive(t, nil, Options{Frame: 7, Open: openFile})
	require.IsType(t, &openDialog{}, d.Screen().Popup())
	d.Key(KeyEscape, 0)
	require.Nil(t, d.Screen().Popup())
	everyKey(d)
	for _, do := range []func() error{
		func() error { _, err := d.worker.source.List(t.Context(), nil); return err },
		func() error { _, err := d.worker.source.ExplainPixel(t.Context(), nil, 0, 0); return err },
		func() error { _, err := d.worker.source.Render(t.Context(), nil); return err },
		d.worker.source.Reload,
	} {
		require.EqualError(t, do(), "no file is open")
	}
	d.Key('O', Ctrl)
	dialog := d.Screen().Popup().(*openDialog)
	dialog.field.Set("absent.ctf")
	d.keyJobs(KeyEnter)
	require.True(t, d.none)
	dialog = d.Screen().Popup().(*openDialog)
	require.Contains(t, dialog.problem, "absent.ctf")
	dialog.field.Set("../testdata/window.yaml")
	d.keyJobs(KeyEnter)
	require.False(t, d.none)
	require.NotNil(t, d.Picture())
	require.Zero(t, d.Picture().Request.Frame, "the frame is limited to the file's one frame")
	draws := testkit.Must(d.worker.source.List(t.Context(), &d.Picture().Request))(t)
	require.NotEmpty(t, draws)
}
