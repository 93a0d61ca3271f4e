package app

import (
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// TestRandomInputChecksums presses every key and random mouse buttons, and compares requests, panels, messages and checksums of the overlay with a
// file.
func TestRandomInputChecksums(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the camera's place has other last digits where products and sums are fused")
	}
	scene, _ := copyScene(t)
	t.Chdir(filepath.Dir(scene))
	d := drive(t, open(t, "window.yaml"), Options{OutDir: t.TempDir()})
	d.Resize(300, 200, 1)
	d.settle()
	var b strings.Builder
	say := func(what string) {
		for d.jobs(); !d.moving() && !d.Rests(); {
			d.jobs()
		}
		img, _ := d.Overlay()
		note, _, _ := strings.Cut(d.message.text, string(filepath.Separator)) // folders differ
		_, _, dest, smooth := d.Scene()
		fmt.Fprintf(&b, "%s: %+v, panel %d, target %s, %q %q, at %v %v, %08x\n", what, d.req, d.dock, d.target, note, d.Problem(), dest, smooth, crc32.ChecksumIEEE(img.Pix))
		d.motion.playing, d.motion.turntable = false, false // which picture is shown during motion depends on timing
		d.now = d.now.Add(40 * time.Millisecond)
	}
	say("at first")
	left := map[string]bool{"Q": true, "O": true, "S": true, "F5": true, "E": true, "G": true, "F3": true, "F9": true, "F12": true, "P": true} // these end the program, write files, or depend on times
	for i := range bindings {
		if k := &bindings[i]; !left[k.key.String()] && k.mods&Ctrl == 0 {
			d.Key(k.key, k.mods)
			say(fmt.Sprintf("%v%v", k.mods, k.key))
			if d.Screen().Popup() != nil || i%6 == 0 {
				d.Key(KeyEscape, 0)
				say("Esc")
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		at, by := image.Pt(r.IntN(300), 20+r.IntN(170)), image.Pt(r.IntN(80)-40, r.IntN(60)-30)
		button := []Button{ButtonLeft, ButtonRight, ButtonMiddle}[r.IntN(3)]
		switch r.IntN(4) {
		case 0:
			d.Move(at)
			d.Scroll(float64(r.IntN(5) - 2))
			say(fmt.Sprintf("wheel at %v", at))
		case 1:
			d.Press(button, 0, at)
			d.Release(at)
			say(fmt.Sprintf("button %d at %v", button, at))
		default:
			d.Press(button, []Mods{0, Shift}[r.IntN(2)], at)
			d.Move(at.Add(by))
			d.Release(at.Add(by))
			say(fmt.Sprintf("button %d from %v by %v", button, at, by))
		}
	}
	testkit.Golden(t, filepath.Join(filepath.Dir(shots), "play.txt"), []byte(b.String()))
}

// Consecutive steps of one row are one change. Another row, a pause or an undo begins a new change, and a new change clears the
// redo list.
func TestUndoHistory(t *testing.T) {
	at := time.Unix(100, 0)
	now := edits{}
	var h history
	change := func(row string, value float64, done bool) {
		h.remember(now, row, at)
		h.stepped(done, at)
		now[row] = session.Edit{Name: row, Values: []any{value}}
	}
	value := func(row string) any {
		if e, ok := now[row]; ok {
			return e.Values[0]
		}
		return nil
	}
	move := func(redo, want bool) {
		t.Helper()
		var ok bool
		now, ok = h.step(now, redo)
		require.Equal(t, want, ok)
	}

	change("a", 1, false)
	at = at.Add(time.Hour) // the mouse button is still held
	change("a", 2, true)
	at = at.Add(gesturePause - 1)
	change("a", 2.5, false) // pressed again
	at = at.Add(time.Hour)
	change("a", 3, true)
	require.Len(t, h.past, 1)
	at = at.Add(gesturePause)
	change("a", 4, true)
	change("b", 5, true)
	change("", 6, true) // changes without a row are never merged
	change("", 7, true)
	require.Len(t, h.past, 5)

	move(false, true)
	require.Equal(t, 6.0, value(""))
	move(false, true)
	move(false, true)
	require.Nil(t, value("b"))
	require.Equal(t, 4.0, value("a"))
	move(false, true)
	require.Equal(t, 3.0, value("a"))
	move(true, true)
	require.Equal(t, 4.0, value("a"))
	change("a", 8, true) // the same row after an undo: a new change
	move(true, false)
	require.Equal(t, 8.0, value("a"))
	change("c", 1, true)
	n := len(h.past)
	move(false, true)
	change("c", 2, true) // the same row without a pause, but after an undo
	require.Len(t, h.past, n)
	move(false, true)
	for range 3 {
		now, _ = h.step(now, false)
	}
	require.Empty(t, now)
	move(false, false)

	for i := range maxPast + 7 {
		change("", float64(i), true)
	}
	require.Len(t, h.past, maxPast)
	require.Equal(t, 6.0, h.past[0][""].Values[0], "the oldest entry is dropped")
}

// When another program writes the file, all states become relative to it: what was saved is in it, and what was taken back since is
// an edit where that can be said.
func TestUndoHistoryOverAnotherFile(t *testing.T) {
	edit := func(list ...float64) edits {
		out := edits{}
		for i, v := range list {
			if name := string(rune('a' + i)); v != 0 {
				out[name] = session.Edit{Name: name, Values: []any{v}}
			}
		}
		return out
	}
	h := history{past: []edits{edit(), edit(1), edit(1, 2)}, future: []edits{edit(0, 4, 5)}, saved: edit(1, 2), back: edit(9)}
	require.Equal(t, edit(0, 4), h.rebase(edit(1, 4)))
	require.Equal(t, []edits{edit(9), edit()}, h.past)
	require.Equal(t, []edits{edit(9, 4, 5)}, h.future)
	require.Empty(t, h.saved)
	require.Equal(t, edit(3), h.rebase(edit(3)))
	require.Len(t, h.past, 2)
}

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
