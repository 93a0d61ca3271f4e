package app

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/pipeline"
	"pica200/replay/drawstate"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// driver runs an App as the window does, with a clock of its own.
type driver struct {
	*App
	t    *testing.T
	wake chan bool
	now  time.Time
}

func drive(t *testing.T, s session.Source, o Options) *driver {
	d := &driver{t: t, wake: make(chan bool, 1000), now: time.Unix(1000, 0)}
	o.Wake = func() { d.wake <- true }
	o.Now = func() time.Time { return d.now }
	d.App = New(s, o)
	t.Cleanup(func() { _ = d.Close() })
	d.Resize(800, 480, 1)
	d.settle()
	return d
}

// settle waits until all that was asked for is there.
func (d *driver) settle() {
	d.t.Helper()
	seen := d.version
	for d.inFlight > 0 || d.inspector.busy {
		if d.moving() && d.version != seen {
			break // the next one is under way already
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

// jobs waits for what was given to the worker besides pictures, and for what that asks
// for: a panel may have asked for the state of a draw that is no longer shown.
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

func open(t *testing.T, path string) session.Source {
	s, err := session.Open(path, session.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

const window = "../testdata/window.yaml"

func TestKeysThatRender(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	first := d.Picture()
	require.Equal(t, fragment.ViewFinal, first.Request.View)
	for _, tt := range []struct {
		key  Key
		mods Mods
		want func(r session.Request) bool
	}{
		{'V', 0, func(r session.Request) bool { return r.View == fragment.ViewVertexColor }},
		{'V', Shift, func(r session.Request) bool { return r.View == fragment.ViewFinal }},
		{'V', Shift, func(r session.Request) bool { return r.View == fragment.ViewCoverage }}, // there is no stencil to be shown
		{'V', 0, func(r session.Request) bool { return r.View == fragment.ViewFinal }},
		{KeyRight, 0, func(r session.Request) bool { return r.Orbit.Yaw > 0 }},
		{KeyUp, 0, func(r session.Request) bool { return r.Orbit.Pitch > 0 }},
		{KeyUp, Shift, func(r session.Request) bool { return r.Orbit.Pan[1] > 0 }},
		{'=', 0, func(r session.Request) bool { return r.Orbit.Zoom > 0 }},
		{'R', 0, func(r session.Request) bool { return r.Orbit == session.Orbit{} }},
		{']', 0, func(r session.Request) bool { return r.Draw == 0 }},
		{']', 0, func(r session.Request) bool { return r.Draw == 1 }},
		{']', 0, func(r session.Request) bool { return r.Draw == -1 }},
		{'[', 0, func(r session.Request) bool { return r.Draw == 1 }},
		{'.', 0, func(r session.Request) bool { return r.Time > 0 && r.Draw == -1 }},
		{',', 0, func(r session.Request) bool { return r.Time == 0 }},
		{KeyEnd, 0, func(r session.Request) bool { return r.Time == 12 }},
		{KeyHome, 0, func(r session.Request) bool { return r.Time == 0 }},
	} {
		d.Key(tt.key, tt.mods)
		d.settle()
		require.True(t, tt.want(d.Picture().Request), "%v%v: %+v", tt.mods, tt.key, d.Picture().Request)
	}
	require.False(t, d.Quit())
	d.Key('Q', Ctrl)
	require.True(t, d.Quit())
}

func TestAtRestItWaits(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	require.Equal(t, time.Duration(-1), d.Wait())
	require.False(t, d.Update())
	d.say("a note")
	d.Overlay()
	require.Positive(t, d.Wait())
	d.now = d.now.Add(time.Minute)
	require.True(t, d.Update(), "the note goes away")
	d.Overlay()
	require.Equal(t, time.Duration(-1), d.Wait())
}

func TestPlayAndTurntable(t *testing.T) {
	d := drive(t, open(t, window), Options{Play: true, Turntable: true})
	for range 5 {
		d.now = d.now.Add(100 * time.Millisecond)
		d.Update()
		d.settle()
	}
	r := d.Picture().Request
	require.InDelta(t, 0.5, r.Time, 0.11)
	require.InDelta(t, 0.3, r.Orbit.Yaw, 0.07)
	require.InDelta(t, 10, d.Rate(), 3, "a picture that was under way may come before the clock goes on, or after")
	d.Key(' ', 0)
	d.Key('T', 0)
	d.settle()
	require.Equal(t, time.Duration(-1), d.Wait())
}

// The mouse orbits, pans, scrubs and inspects.
func TestMouse(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.Press(ButtonLeft, 0, image.Pt(300, 200))
	d.Move(image.Pt(302, 201))
	require.Zero(t, d.req.Orbit.Yaw, "a click is no drag")
	d.Move(image.Pt(360, 200))
	d.Release(image.Pt(360, 200))
	d.settle()
	require.Negative(t, d.Picture().Request.Orbit.Yaw)
	d.Press(ButtonRight, 0, image.Pt(300, 200))
	d.Move(image.Pt(360, 230))
	d.Release(image.Pt(360, 230))
	d.settle()
	require.Negative(t, d.Picture().Request.Orbit.Pan[0])
	require.Positive(t, d.Picture().Request.Orbit.Pan[1])
	d.Scroll(1)
	require.Positive(t, d.req.Orbit.Zoom)
	d.Key('R', 0)
	d.settle()

	require.False(t, d.win.timeline.Empty())
	mid := d.win.timeline.Min.Add(d.win.timeline.Max).Div(2)
	d.Press(ButtonLeft, 0, mid)
	d.Release(mid)
	d.settle()
	require.InDelta(t, 6, d.Picture().Request.Time, 0.1)

	d.Press(ButtonLeft, 0, image.Pt(420, 240))
	d.Release(image.Pt(420, 240))
	d.settle()
	require.Equal(t, dockInspector, d.dock)
	require.Greater(t, len(d.inspector.view.Lines), 20)
	require.Contains(t, d.inspector.view.String(), `draw 1 "knot": written`)
	d.Key(KeyPageDown, 0)
	d.Overlay()
	require.Positive(t, d.inspector.view.Scroll.Offset)
	d.Key('F', 0)
	d.settle()
	require.NotZero(t, d.Picture().Request.Orbit.Pan, "the camera looks at the point")
	require.Equal(t, dockNone, d.dock)
}

func TestPanelEdits(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	plain := d.Picture().Image.Pix
	d.Char('/')
	for _, c := range "material diffuse" {
		d.Char(c)
	}
	d.Key(KeyEnter, 0)
	require.Equal(t, "diffuse = 0.85 0.35 0.2 1", d.panel.String())
	d.Key(KeyEnter, 0)
	for _, c := range "0 0 1 1" {
		d.Char(c)
	}
	d.Key(KeyEnter, 0)
	d.settle()
	require.False(t, bytes.Equal(plain, d.Picture().Image.Pix))
	require.Equal(t, []any{0.0, 0.0, 1.0, 1.0}, d.Picture().Request.Edits["-1/dmp_FragmentMaterial.diffuse"].Values)
	require.True(t, d.panel.Selected().Changed)

	// For one draw alone.
	d.panel.Search.Set("")
	d.panel.Select(targetKey)
	require.Equal(t, "edit = all draws", d.panel.String())
	d.Key(KeyRight, 0)
	d.Key(KeyRight, 0)
	d.settle()
	require.Equal(t, 2, d.target)
	d.panel.Select("dmp_FragmentMaterial.diffuse")
	require.Equal(t, "diffuse = 0 0 1 1", d.panel.String())
	d.Key(KeyRight, Shift)
	d.settle()
	require.Contains(t, d.Picture().Request.Edits, "1/dmp_FragmentMaterial.diffuse")
}

// Whatever is open, no part of the window lies over another, in any size, but for
// the inspector, which lies over the picture.
func TestLayout(t *testing.T) {
	d := drive(t, open(t, window), Options{Timing: true})
	for _, size := range [][3]int{{800, 480, 1}, {1280, 720, 1}, {1600, 960, 2}, {320, 200, 1}, {200, 900, 1}} {
		for _, dock := range []dock{dockNone, dockPanel, dockInspector} {
			d.setDock(dock)
			d.Resize(size[0], size[1], float64(size[2]))
			over, _ := d.Overlay()
			require.Equal(t, image.Rect(0, 0, size[0], size[1]), over.Rect)
			status := image.Rect(0, size[1]-d.statusHeight(), size[0], size[1])
			parts := []image.Rectangle{d.win.area, d.win.timeline, status}
			switch {
			case d.floats(): // over the picture, which stays where it was
				parts[0] = d.dockRect()
				require.True(t, parts[0].In(d.win.body))
			case dock != dockNone:
				parts = append(parts, d.dockRect())
			}
			for i := range parts {
				require.False(t, parts[i].Empty(), "%v part %d", size, i)
				require.True(t, parts[i].In(over.Rect))
				for _, other := range parts[i+1:] {
					require.False(t, parts[i].Overlaps(other), "%v: %v and %v", size, parts[i], other)
				}
			}
			require.True(t, d.win.dest.In(d.win.area))
			s := d.Picture().Image.Rect.Size()
			require.InDelta(t, float64(s.X)/float64(s.Y), float64(d.win.dest.Dx())/float64(d.win.dest.Dy()), 0.03)
		}
	}
	d.setDock(dockNone)
	d.Resize(1280, 720, 1)
	d.Key('2', 0)
	require.Equal(t, image.Pt(800, 480), d.win.dest.Size())
	_, _, _, smooth := d.Scene()
	require.False(t, smooth, "whole pixels stay sharp")
	d.Key('0', 0)
	require.Greater(t, d.win.dest.Dx(), 800)
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	d.Key(KeyF12, 0)
	d.jobs()
	d.Key(KeyF12, 0)
	d.jobs()
	d.Key(KeyF12, Shift)
	d.Key(KeyF9, 0)
	for range 4 {
		d.now = d.now.Add(50 * time.Millisecond)
		d.Key(KeyRight, 0)
		d.settle()
	}
	d.Key(KeyF9, 0)
	d.jobs()
	for _, name := range []string{"window-001.png", "window-002.png", "window-window-001.png", "window-recording-001.gif"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000))
	}
	require.Contains(t, d.note.text, "recorded 5 frames")
}

// What was asked for is written, all of it, though the window closes at once.
func TestNothingIsLostAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	block := make(chan struct{})
	d.worker.do(func(context.Context, session.Source) func() { <-block; return nil })
	d.Key(KeyF12, 0)
	d.Key(KeyF12, 0)
	d.Key(KeyF9, 0)
	close(block)
	require.NoError(t, d.Close())
	for _, name := range []string{"window-001.png", "window-002.png", "window-recording-001.gif"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000))
	}
}

// A recording is encoded beside the drawing: what is drawn next does not wait for
// it, the status line says how far it is, and it is written though nobody asks for
// it any more. Each format can be chosen in the window.
func TestRecordingInEachFormat(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	for i, format := range []string{"gif", "apng", "png"} {
		require.Equal(t, format, d.o.Format.String())
		require.Empty(t, d.recordingNote())
		d.Key(KeyF9, 0)
		for range 3 {
			d.now = d.now.Add(50 * time.Millisecond)
			d.Key(KeyRight, 0)
			d.settle()
			require.Contains(t, d.recordingNote(), "recording")
		}
		d.Key(KeyF9, 0)
		require.Contains(t, d.recordingNote(), "of 4", "it is being written")
		require.Positive(t, d.Wait()+1, "the window looks again")
		d.jobs()
		require.Empty(t, d.recordingNote())
		require.Contains(t, d.note.text, "recorded 4 frames", "%d", i)
		d.Key(KeyF9, Ctrl)
	}
	require.Equal(t, session.GIF, d.o.Format)
	for _, name := range []string{"window-recording-001.gif", "window-recording-001.png", "window-recording-001/frame-00003.png"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000), name)
	}
	d.o.OutDir = filepath.Join(dir, "absent")
	d.Key(KeyF9, 0)
	require.Contains(t, d.note.text, "no recording: ", "it is said at once")
	require.Nil(t, d.recorder.now)
}

func TestKeyListNamesEveryKey(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range bindings {
		name := b.mods.String() + b.key.String()
		require.False(t, seen[name], "%s is bound twice", name)
		seen[name] = true
		require.NotContains(t, name, "key ")
	}
	d := drive(t, open(t, window), Options{})
	plain, _ := d.Overlay()
	before := bytes.Clone(plain.Pix)
	d.Key(KeyF1, 0)
	with, _ := d.Overlay()
	require.False(t, bytes.Equal(before, with.Pix))
	d.Key(KeyEscape, 0)
	gone, _ := d.Overlay()
	require.True(t, bytes.Equal(before, gone.Pix))
}

// slow is a source that takes its time.
type slow struct {
	rendered atomic.Int32
	warnings []string
	closed   atomic.Int32
}

func (s *slow) Info() session.Info { return session.Info{Name: "slow", Camera: true} }
func (s *slow) Warnings() []string { return s.warnings }
func (s *slow) Reload() error      { return fmt.Errorf("nothing to reload") }
func (s *slow) Render(_ context.Context, r *session.Request) (*session.Picture, error) {
	time.Sleep(30 * time.Millisecond)
	s.rendered.Add(1)
	return &session.Picture{Image: image.NewRGBA(image.Rect(0, 0, 40, 24)), Request: *r, Warnings: s.warnings}, nil
}
func (s *slow) ExplainPixel(context.Context, *session.Picture, int, int) (*pipeline.Explained, error) {
	return nil, context.Canceled
}

func (s *slow) List(context.Context, *session.Request) (*drawstate.List, error) {
	return nil, nil
}
func (s *slow) Close()                                                 { s.closed.Add(1) }
func (s *slow) Save(context.Context, *session.Request) (string, error) { return "", nil }

// Warnings are shown when there are new ones, and counted while there are any.
func TestWarningsAreShown(t *testing.T) {
	s := &slow{}
	d := drive(t, s, Options{})
	require.Empty(t, d.note.text)
	quiet := d.status()
	s.warnings = []string{"frame 0: one"}
	d.render()
	d.settle()
	require.Equal(t, "warning: frame 0: one", d.note.text)
	require.Equal(t, append(quiet, "1 warning"), d.status())
	d.now = d.now.Add(time.Minute)
	d.render()
	d.Update()
	d.settle()
	require.Empty(t, d.note.text, "it was shown")
	s.warnings = append(s.warnings, "frame 0: two")
	d.render()
	d.settle()
	require.Equal(t, "warning: frame 0: two (and 1 more: W lists them)", d.note.text)
	require.Equal(t, append(quiet, "2 warnings"), d.status())
	s.warnings = nil
	d.render()
	d.settle()
	require.Equal(t, quiet, d.status())
}

// Input never waits for pictures, and of many requests the last one wins.
func TestSlowPictures(t *testing.T) {
	s := &slow{}
	d := drive(t, s, Options{})
	start := time.Now()
	for range 200 {
		d.Key(KeyRight, 0)
		d.Update()
		d.Overlay()
	}
	require.Less(t, time.Since(start), 6*time.Second, "200 keys while pictures take 30 ms each")
	for d.Picture().Request.Orbit.Yaw < 19.99 {
		<-d.wake
		d.Update()
	}
	require.Less(t, s.rendered.Load(), int32(201))
}

func TestErrorsKeepThePicture(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"window.yaml", "window.v.pica"} {
		data := testkit.Read(t, filepath.Join("../testdata", n))
		require.NoError(t, os.WriteFile(filepath.Join(dir, n), data, 0o644))
	}
	path := filepath.Join(dir, "window.yaml")
	d := drive(t, open(t, path), Options{})
	before := d.Picture()
	good := testkit.Read(t, path)
	wait := func(what func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !what(); {
			require.True(t, time.Now().Before(end), "nothing happened")
			select {
			case <-d.wake:
			case <-time.After(100 * time.Millisecond):
			}
			d.Update()
		}
	}
	require.NoError(t, os.WriteFile(path, []byte("draws: nonsense\n"), 0o644))
	wait(func() bool { return d.Problem() != "" })
	require.Contains(t, d.Problem(), "window.yaml:1:")
	require.Same(t, before, d.Picture())
	require.NoError(t, os.Remove(path))
	wait(func() bool { return !bytes.Contains([]byte(d.Problem()), []byte("nonsense")) })
	require.Same(t, before, d.Picture())
	require.NoError(t, os.WriteFile(path, good, 0o644))
	wait(func() bool { return d.Problem() == "" && d.Picture() != before })

	// An edit that cannot be applied is told of, and mended by another.
	d.req.Edits["x"] = session.Edit{Name: "dmp_Nothing", Draw: -1, Values: []any{1.0}}
	d.render()
	wait(func() bool { return d.Problem() != "" })
	delete(d.req.Edits, "x")
	d.render()
	wait(func() bool { return d.Problem() == "" })
}

func TestParseSize(t *testing.T) {
	w, h, err := ParseSize("800x480")
	require.NoError(t, err)
	require.Equal(t, [2]int{800, 480}, [2]int{w, h})
	for _, s := range []string{"", "800", "x480", "800x480x2", "10x10", "99999x480", "800x480 "} {
		_, _, err := ParseSize(s)
		require.Error(t, err, "%q", s)
	}
}

// What another file takes the place of is closed; what cannot be opened closes nothing.
func TestOpeningClosesWhatWasShown(t *testing.T) {
	first, second := &slow{}, &slow{}
	d := drive(t, first, Options{Open: func(path string) (session.Source, error) {
		if path == "bad" {
			return nil, fmt.Errorf("bad")
		}
		return second, nil
	}})
	d.OpenFile("bad")
	d.jobs()
	require.Zero(t, first.closed.Load())
	d.OpenFile("good")
	d.jobs()
	require.Equal(t, int32(1), first.closed.Load())
	require.Zero(t, second.closed.Load())
	require.Positive(t, second.rendered.Load())
	require.NoError(t, d.Close())
	require.Equal(t, int32(1), second.closed.Load())
}

// The warnings are listed in a panel that the line at the bottom opens, and those about a
// place lead there. It follows what there is.
func TestWarningsAreListed(t *testing.T) {
	s := &slow{}
	d := drive(t, s, Options{})
	d.Key('W', 0)
	require.Equal(t, dockNone, d.dock)
	s.warnings = []string{"frame 0: one that goes on", "a.yaml:7:2: two", "three"}
	d.render()
	d.settle()
	d.click("show the warnings (W)")
	require.Equal(t, dockWarnings, d.dock)
	text := d.warnings.view.String()
	for _, w := range s.warnings {
		require.Contains(t, text, w)
	}
	var opened []string
	d.editor.run = func(name string, args ...string) error { opened = args; return nil }
	t.Setenv("VISUAL", "gedit")
	d.click("open a.yaml:7")
	require.Equal(t, []string{"+7", "a.yaml"}, opened)
	s.warnings = []string{"another"}
	d.render()
	d.settle()
	require.Contains(t, d.warnings.view.String(), "another")
	require.NotContains(t, d.warnings.view.String(), "three")
	d.Key('W', 0)
	require.Equal(t, dockNone, d.dock)
	d.now = d.now.Add(time.Minute)
	for _, size := range []image.Point{{1, 1}, {390, 300}} {
		d.Resize(size.X, size.Y, 1)
		d.Overlay()
	}
}

// Nothing of a file is left when another one takes its place: no view, camera, search,
// or picture under what is wrong with the other.
func TestNothingIsLeftOfAnotherFile(t *testing.T) {
	dir := copyScene(t)
	broken, trace := filepath.Join(dir, "broken.yaml"), filepath.Join(dir, "broken.ctf")
	require.NoError(t, os.WriteFile(broken, []byte("draws: 3\n"), 0o644))
	require.NoError(t, os.WriteFile(trace, []byte("CiTrace but no more"), 0o644))
	d := drive(t, open(t, "../../testdata/models/more.cgfx"), Options{Open: func(path string) (session.Source, error) {
		return session.OpenToMend(path, session.Options{})
	}})
	d.Key('C', 0)
	d.jobs()
	require.NotEmpty(t, d.choice.camera)
	d.Key('V', 0)
	d.Key('D', 0)
	d.Char('/')
	d.typed("fog")
	d.settle()
	d.panel.ChangedOnly = true
	// What cannot be opened leaves all as it is, and says why until that is read.
	shown, req := d.Picture(), d.req
	d.OpenFile(trace)
	d.jobs()
	require.NotNil(t, d.asked())
	require.Contains(t, d.asked().problem, "broken.ctf")
	require.Same(t, shown, d.Picture())
	require.Equal(t, req, d.req)
	d.Key(KeyEscape, 0)
	require.Nil(t, d.asked())

	d.OpenFile(broken)
	d.jobs()
	require.Contains(t, d.Problem(), "broken.yaml:1")
	require.Nil(t, d.Picture(), "no picture of another file")
	require.Equal(t, choice{}, d.choice)
	require.Equal(t, session.Request{Draw: -1, Edits: edits{}}, d.req)
	require.Empty(t, d.panel.Search.Text)
	require.False(t, d.panel.ChangedOnly)
	require.Equal(t, "broken.yaml", d.status()[0])
	require.Len(t, d.status(), 1)
	d.OpenFile(filepath.Join(dir, "window.yaml"))
	d.jobs()
	require.Empty(t, d.Problem())
	require.Equal(t, fragment.ViewFinal, d.Picture().Request.View)
	require.Zero(t, d.Picture().Request.Depth)

	// V goes through what has something to show.
	d.setDock(dockNone)
	seen := map[string]bool{}
	for range 40 {
		d.Key('V', 0)
		d.settle()
		v := d.Picture().Request.View
		seen[session.ViewName(v)] = true
		require.Empty(t, d.Picture().Use.Missing(v), session.ViewName(v))
	}
	for name, want := range map[string]bool{"final": true, "depth": true, "texture0": true, "texture1": false, "texture3": false, "stencil": false, "stage0": true, "stage5": false, "coverage": true} {
		require.Equal(t, want, seen[name], name)
	}
}

// While a picture that moves is shown, the next one is drawn already: it is asked for as soon
// as the one before is there.
func TestDrawingOverlapsShowing(t *testing.T) {
	d := drive(t, open(t, window), Options{Turntable: true})
	for range 3 {
		before := d.version
		d.now = d.now.Add(16 * time.Millisecond)
		for d.version == before {
			<-d.wake
			d.Update()
		}
		require.Equal(t, 1, d.inFlight, "the window has yet to show the picture")
		require.Greater(t, d.wanted().Orbit.Yaw, d.Picture().Request.Orbit.Yaw)
	}
}
