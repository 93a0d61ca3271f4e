package app

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// driver runs an App as the window does, with its own clock.
type driver struct {
	*App
	t    *testing.T
	wake chan bool
	now  time.Time
}

func drive(t *testing.T, s session.Source, o Options) *driver {
	d := &driver{t: t, wake: make(chan bool, 1000), now: time.Unix(1000, 0)}
	o.Wake = func() {
		select {
		case d.wake <- true:
		default: // enough of them wait already
		}
	}
	o.Now = func() time.Time { return d.now }
	d.App = New(s, o)
	d.console = true
	t.Cleanup(func() { _ = d.Close() })
	d.Resize(800, 480, 1)
	d.settle()
	return d
}

// settle waits until all requested pictures and inspections have arrived.
func (d *driver) settle() {
	d.t.Helper()
	seen := d.version
	for d.inFlight > 0 || d.inspector.busy {
		if d.moving() && d.version != seen {
			break // the next picture is already requested
		}
		select {
		case <-d.wake:
		case <-time.After(20 * time.Second):
			d.t.Fatal("nothing comes")
		}
		d.Update()
	}
	d.Overlay()
}

// jobs waits for the worker's other jobs and what they request, such as the state of a draw that is no longer shown.
func (d *driver) jobs() {
	for again := true; again; again = !d.moving() && !d.worker.rests() {
		done := make(chan bool)
		d.worker.do(func(context.Context, session.Source) func() { close(done); return nil })
		<-done
		d.recorder.writing.group.Wait()
		d.Update()
		d.settle()
	}
}

// key presses a key and waits for the pictures.
func (d *driver) key(k Key, mods ...Mods) {
	d.t.Helper()
	var all Mods
	for _, m := range mods {
		all |= m
	}
	d.Key(k, all)
	d.settle()
}

// keyJobs presses a key and waits for the pictures and the worker's other jobs.
func (d *driver) keyJobs(k Key, mods ...Mods) {
	d.t.Helper()
	d.key(k, mods...)
	d.jobs()
}

// show selects a draw and waits for the pictures and the worker's other jobs.
func (d *driver) show(draw int) {
	d.t.Helper()
	d.showDraw(draw)
	d.settle()
	d.jobs()
}

// load opens a file and waits for it.
func (d *driver) load(path string) {
	d.t.Helper()
	d.OpenFile(path)
	d.jobs()
}

// find searches in the panel.
func (d *driver) find(words string) {
	d.t.Helper()
	d.Char('/')
	d.typed(words)
	d.Key(KeyEnter, 0)
	if m, ok := d.screen.Popup().(*ui.Menu); ok {
		d.screen.Close(m)
	}
	d.panel.Cancel()
}

// drag moves the mouse from one position to another with a button pressed, and waits for the pictures.
func (d *driver) drag(b Button, from, to image.Point) {
	d.t.Helper()
	d.Press(b, 0, from)
	d.Move(from.Add(to).Div(2))
	d.Move(to)
	d.Release(to)
	d.settle()
}

// edits sets the editor that positions are opened in, and returns the command of the last one.
func (d *driver) edits(command string) *[]string {
	opened := new([]string)
	d.editor.run = func(name string, args ...string) error { *opened = append([]string{name}, args...); return nil }
	d.t.Setenv("VISUAL", command)
	return opened
}

// until waits for a condition that the file watcher or the worker causes.
func (d *driver) until(what string, is func() bool) {
	d.t.Helper()
	require.Eventually(d.t, func() bool {
		d.Update()
		return is()
	}, 20*time.Second, 5*time.Millisecond, what)
	d.settle()
}

// tap presses and releases the left button.
func (d *driver) tap(p image.Point) {
	d.Press(ButtonLeft, 0, p)
	d.Release(p)
}

// control is the position of the control with the given tip.
func (d *driver) control(tip string) image.Point {
	d.t.Helper()
	d.Overlay()
	p, ok := d.screen.Where(tip)
	require.True(d.t, ok, "no button has the tip %q", tip)
	return p
}

// click presses the control with the given tip and waits for the pictures.
func (d *driver) click(tip string) {
	d.t.Helper()
	d.tap(d.control(tip))
	d.settle()
}

// clickJobs also waits for the worker's other jobs.
func (d *driver) clickJobs(tip string) {
	d.t.Helper()
	d.click(tip)
	d.jobs()
}

// typed types a text as key and character events.
func (d *driver) typed(text string) {
	for _, r := range text {
		d.Key(Key(strings.ToUpper(string(r))[0]), 0)
		d.Char(r)
	}
}

// chars types a text as characters alone, and draws.
func (d *driver) chars(text string) {
	for _, r := range text {
		d.Char(r)
	}
	d.Overlay()
}

// inspect explains a pixel and waits for the text.
func (d *driver) inspect(p image.Point) {
	d.t.Helper()
	d.explain(p)
	d.settle()
}

// openFile is the Open option of the tests.
func openFile(path string) (session.Source, error) { return session.Open(path, session.Options{}) }

// written requires files of more than a few bytes in a folder.
func written(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		require.Greater(t, len(testkit.Read(t, filepath.Join(dir, name))), 1000, name)
	}
}

// copyScene copies the test scene and its shader to a folder of their own.
func copyScene(t *testing.T) (scene, shader string) {
	t.Helper()
	dir := t.TempDir()
	scene, shader = filepath.Join(dir, "window.yaml"), filepath.Join(dir, "window.v.pica")
	for _, path := range []string{scene, shader} {
		require.NoError(t, os.WriteFile(path, testkit.Read(t, filepath.Join("../testdata", filepath.Base(path))), 0o644))
	}
	return scene, shader
}

// rewrite replaces a text in a file.
func rewrite(t *testing.T, path, from, to string) {
	t.Helper()
	text := string(testkit.Read(t, path))
	require.Contains(t, text, from)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, from, to, 1)), 0o644))
}

func open(t *testing.T, path string) session.Source {
	s := testkit.Must(openFile(path))(t)
	t.Cleanup(s.Close)
	return s
}

const window = "../testdata/window.yaml"
