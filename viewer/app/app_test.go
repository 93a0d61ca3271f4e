package app

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/internal/film"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

func TestKeysThatChangeThePicture(t *testing.T) {
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
		{'V', Shift, func(r session.Request) bool { return r.View == fragment.ViewCoverage }}, // the scene has no stencil to show
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

func TestIdleAppWaits(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	require.Equal(t, time.Duration(-1), d.Wait())
	require.False(t, d.Update())
	d.say("a note")
	d.Overlay()
	require.Positive(t, d.Wait())
	d.now = d.now.Add(time.Minute)
	require.True(t, d.Update(), "the note expires")
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
	require.Positive(t, d.Rate(), "one or two pictures come in each step, as the worker is fast")
	d.Key(' ', 0)
	d.key('T')
	require.Equal(t, time.Duration(-1), d.Wait())
}

func TestRate(t *testing.T) {
	var r rate
	at := time.Unix(100, 0)
	require.Zero(t, r.perSecond(at))
	for i := range 300 { // more than are remembered: the first hundred come ten times as fast
		step := 100 * time.Millisecond
		if i < 100 {
			step = 10 * time.Millisecond
		}
		at = at.Add(step)
		r.add(at)
		if i == 1 {
			require.InDelta(t, 100, r.perSecond(at), 1e-9)
		}
	}
	require.InDelta(t, 10, r.perSecond(at), 1e-9)
	require.InDelta(t, 10, r.perSecond(at.Add(time.Second)), 1e-9)
	require.Zero(t, r.perSecond(at.Add(time.Second+time.Millisecond)), "no picture for a second")
}

// The mouse orbits, pans, scrubs and inspects.
func TestMouseControls(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.Press(ButtonLeft, 0, image.Pt(300, 200))
	d.Move(image.Pt(302, 201))
	require.Zero(t, d.req.Orbit.Yaw, "a movement of two pixels does not orbit")
	d.Move(image.Pt(360, 200))
	d.Release(image.Pt(360, 200))
	d.settle()
	require.Negative(t, d.Picture().Request.Orbit.Yaw)
	d.drag(ButtonRight, image.Pt(300, 200), image.Pt(360, 230))
	require.Negative(t, d.Picture().Request.Orbit.Pan[0])
	require.Positive(t, d.Picture().Request.Orbit.Pan[1])
	d.Scroll(1)
	require.Positive(t, d.req.Orbit.Zoom)
	d.key('R')

	require.False(t, d.win.timeline.Empty())
	mid := d.win.timeline.Min.Add(d.win.timeline.Max).Div(2)
	d.tap(mid)
	d.settle()
	require.InDelta(t, 6, d.Picture().Request.Time, 0.1)

	d.tap(image.Pt(420, 240))
	d.settle()
	require.Equal(t, dockInspector, d.dock)
	require.Greater(t, len(d.inspector.view.Lines), 20)
	require.Contains(t, d.inspector.view.String(), `draw 1 "knot": written`)
	d.Key(KeyPageDown, 0)
	d.Overlay()
	require.Positive(t, d.inspector.view.Scroll.Offset)
	d.key('F')
	require.NotZero(t, d.Picture().Request.Orbit.Pan, "F centres the camera on the point")
	require.Equal(t, dockNone, d.dock)
}

func TestPanelEditsChangePicture(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	plain := d.Picture().Image.Pix
	d.find("material diffuse")
	require.Equal(t, "diffuse = mixed mixed mixed 1", d.panel.String())
	d.Key(KeyEnter, 0)
	d.chars("0 0 1 1")
	d.key(KeyEnter)
	require.False(t, bytes.Equal(plain, d.Picture().Image.Pix))
	require.Equal(t, []any{0.0, 0.0, 1.0, nil}, d.Picture().Request.Edits["/dmp_FragmentMaterial.diffuse"].Values)
	require.True(t, d.panel.Selected().Changed)

	// A value is changed for one draw only.
	d.panel.Search.Set("")
	d.panel.Select(targetKey)
	require.Equal(t, "edit = all draws", d.panel.String())
	d.Key(KeyRight, 0)
	d.key(KeyRight)
	require.Equal(t, "knot", d.target)
	d.panel.Select("dmp_FragmentMaterial.diffuse")
	require.Equal(t, "diffuse = 0 0 1 1", d.panel.String())
	d.key(KeyRight, Shift)
	require.Contains(t, d.Picture().Request.Edits, "knot/dmp_FragmentMaterial.diffuse")
}

// No parts of the window overlap, in any size and with any panel open, except the inspector, which covers part of the picture.
func TestLayoutWithoutOverlaps(t *testing.T) {
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
			case d.floats(): // the inspector lies over the picture, which does not move
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
	require.False(t, smooth, "whole scales are not smoothed")
	d.Key('0', 0)
	require.Greater(t, d.win.dest.Dx(), 800)
}

func TestScreenshotAndRecordingFiles(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	d.keyJobs(KeyF12)
	d.keyJobs(KeyF12)
	d.Key(KeyF12, Shift)
	d.Key(KeyF9, 0)
	for range 4 {
		d.now = d.now.Add(50 * time.Millisecond)
		d.key(KeyRight)
	}
	d.now = d.now.Add(50 * time.Millisecond)
	d.render() // the same picture is shown longer
	d.settle()
	d.keyJobs(KeyF9)
	written(t, dir, "window-001.png", "window-002.png", "window-window-001.png", "window-recording-001.gif")
	require.Contains(t, d.message.text, "recorded 5 pictures")
}

// Screenshots and recordings are written completely even if the window closes at once.
func TestCloseFinishesScreenshotsAndRecordings(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	block := make(chan struct{})
	d.worker.do(func(context.Context, session.Source) func() { <-block; return nil })
	d.Key(KeyF12, 0)
	d.Key(KeyF12, 0)
	d.Key(KeyF9, 0)
	close(block)
	require.NoError(t, d.Close())
	written(t, dir, "window-001.png", "window-002.png", "window-recording-001.gif")
}

// A recording is encoded in parallel to drawing: drawing does not wait, the status line shows the progress, and the file is written
// in the background. Each format can be chosen in the window.
func TestRecordingInEachFormat(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	for i, format := range []string{"gif", "apng", "png"} {
		require.Equal(t, format, d.o.Format.String())
		require.Empty(t, d.recordingNote())
		d.Key(KeyF9, 0)
		for range 3 {
			d.now = d.now.Add(50 * time.Millisecond)
			d.key(KeyRight)
			require.Contains(t, d.recordingNote(), "recording")
		}
		d.Key(KeyF9, 0)
		require.Contains(t, d.recordingNote(), "of 4", "the status line shows the writing progress")
		require.Positive(t, d.Wait()+1, "the window waits no longer than until the next update")
		d.jobs()
		require.Empty(t, d.recordingNote())
		require.Contains(t, d.message.text, "recorded 4 pictures", "%d", i)
		d.Key(KeyF9, Ctrl)
	}
	require.Equal(t, film.GIF, d.o.Format)
	written(t, dir, "window-recording-001.gif", "window-recording-001.png", "window-recording-001/frame-00003.png")
	d.o.OutDir = filepath.Join(dir, "absent")
	d.Key(KeyF9, 0)
	require.Contains(t, d.message.text, "no recording: ", "a missing folder is reported at once")
	require.Nil(t, d.recorder.now)
}

// A scene fills the window, with more pixels than the console has; what is about single pixels shows those of the console.
func TestPreview(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, open(t, window), Options{OutDir: dir})
	own := d.Picture().Image
	d.key('P')
	d.until("the picture fills the window", func() bool { return d.Picture().Own != image.Point{} })
	size := func() image.Point { return d.Picture().Image.Rect.Size() }
	require.Equal(t, image.Pt(400, 240), d.Picture().Own)
	room := d.win.area.Size()
	require.True(t, size().X <= room.X && size().Y <= room.Y && size().Y > room.Y-8, "%v in %v", size(), room)
	require.Equal(t, size(), d.win.dest.Size(), "pixel for pixel")
	require.Contains(t, d.status()[1], "400x240 drawn as ")
	d.Resize(3000, 2000, 2)
	d.until("the picture is as large as a target can be", func() bool { return size().X == 1024 })
	require.Greater(t, d.win.dest.Dx(), 2900)
	d.Resize(1000, 640, 1)
	d.until("the picture is smaller again", func() bool { return size().X < 1024 })

	// A pixel is inspected as the console draws it.
	at := image.Pt(d.win.dest.Min.X+d.win.dest.Dx()*3/5, d.win.dest.Min.Y+d.win.dest.Dy()/2)
	d.tap(at)
	d.until("the pixel is explained", func() bool { return d.inspector.history != nil })
	require.Equal(t, image.Pt(240, 120), d.inspector.pixel)
	require.Equal(t, own.Pix, d.Picture().Image.Pix)
	require.Contains(t, d.inspector.view.String(), "it was written by")
	d.Key(KeyEscape, 0)
	d.until("the picture is large", func() bool { return size().X > 400 })

	// So are the draws, magnified pixels, and golden cases.
	for _, keys := range [][2]Key{{']', '['}, {'1', '0'}, {'P', 'P'}} {
		d.key(keys[0])
		d.until("the console's picture is shown", func() bool { return size() == image.Pt(400, 240) })
		d.key(keys[1])
		d.until("the large picture is shown", func() bool { return size().X > 400 })
	}
	d.keyJobs(KeyF12)
	require.Equal(t, d.Picture().Image.Pix, testkit.Must(png.Decode(bytes.NewReader(testkit.Read(t, filepath.Join(dir, "window-001.png")))))(t).(*image.RGBA).Pix)

	// A slow picture is smaller while it moves.
	full := size()
	d.took = 100 * time.Millisecond
	d.Press(ButtonLeft, 0, at)
	d.Move(at.Add(image.Pt(20, 0)))
	d.settle()
	require.InDelta(t, full.X/2, size().X, 16)
	d.toggleRecording(false)
	d.Move(at.Add(image.Pt(30, 0)))
	d.settle()
	require.Equal(t, full, size(), "a recording has one size")
	d.toggleRecording(false)
	d.Release(at.Add(image.Pt(20, 0)))
	d.until("it is large at rest", func() bool { return size() == full })
}

// A film has all pictures at its rate, although the clock of the window stands still; cancelled, it leaves nothing.
func TestFilm(t *testing.T) {
	dir := t.TempDir()
	s := open(t, window)
	d := drive(t, s, Options{OutDir: dir})
	ask := func(text string, mods ...Mods) {
		d.key('M', mods...)
		p, asked := d.screen.Popup().(*prompt)
		require.True(t, asked)
		p.field.Set(text)
		d.Key(KeyEnter, 0)
	}
	d.o.Format = film.PNGs
	d.motion.angle = 0.25
	ask("4, 1.5", Shift)
	for d.recorder.film != nil {
		<-d.wake
		d.Update()
	}
	d.jobs()
	require.Contains(t, d.message.text, "recorded 6 pictures")
	other := open(t, window)
	for i := range 6 {
		r := &session.Request{Draw: -1, Orbit: session.Orbit{Yaw: 0.25 + 2*math.Pi*float64(i)/6}}
		want := testkit.Must(other.Render(t.Context(), r))(t).Image
		got := testkit.Must(png.Decode(bytes.NewReader(testkit.Read(t, filepath.Join(dir, fmt.Sprintf("window-film-001/frame-%05d.png", i))))))(t)
		require.Equal(t, want.Pix, got.(*image.RGBA).Pix, "%d", i)
	}

	d.o.Format = film.APNG
	ask("60")
	require.Contains(t, d.recordingNote(), "filming 0 of 720 as apng")
	for d.recorder.film.frames < 30 {
		<-d.wake
		d.Update()
	}
	list := testkit.Must(filepath.Glob(filepath.Join(dir, "*.png")))(t)
	require.Len(t, list, 1)
	d.Leave() // it would be lost
	require.Equal(t, []string{"end the film", "stay"}, d.labels())
	d.Key(KeyEscape, 0)
	require.False(t, d.Quit())
	d.Leave()
	d.Key('E', 0)
	require.True(t, d.Quit())
	d.quit = false
	require.Nil(t, d.recorder.film)
	require.Contains(t, d.message.text, "cancelled")
	require.NoFileExists(t, list[0])
	ask("60")
	d.Key(KeyEscape, 0)
	d.jobs()
	require.Nil(t, d.recorder.film)
	require.NoFileExists(t, list[0])
	ask("2")
	d.OpenFile("other.yaml")
	require.Equal(t, []string{"end the film", "stay"}, d.labels())
	d.Key(KeyEscape, 0)
	for d.recorder.film != nil {
		<-d.wake
		d.Update()
	}
	d.jobs()
	data := testkit.Read(t, list[0])
	require.Equal(t, 24, bytes.Count(data, []byte("fcTL")))
	at := bytes.Index(data, []byte("fcTL"))
	require.Equal(t, []byte{0, 1, 0, 2}, data[at+24:at+28], "half a second")

	d.o.Format = film.GIF
	for text, bad := range map[string]string{"60 1": "Ctrl+F9", "0 1": "1 to 120", "121 1": "1 to 120", "x 1": "1 to 120", "30": "expected", "30 0": "more than 0", "30 1 1": "expected", "30 9999": "at most 36000"} {
		ask(text, Shift)
		again := d.screen.Popup().(*prompt)
		require.Contains(t, again.problem, bad)
		require.Equal(t, text, again.field.Text, "to be corrected")
		require.Nil(t, d.recorder.film, text)
		d.Overlay()
		d.Key(KeyEscape, 0)
	}
	ask("10 1", Shift)
	d.filesChanged()
	d.jobs()
	require.Nil(t, d.recorder.film)
	require.Contains(t, d.message.text, "the file is another now")
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

func TestParseSize(t *testing.T) {
	w, h, err := ParseSize("800x480")
	require.NoError(t, err)
	require.Equal(t, [2]int{800, 480}, [2]int{w, h})
	for _, s := range []string{"", "800", "x480", "800x480x2", "10x10", "99999x480", "800x480 "} {
		_, _, err := ParseSize(s)
		require.Error(t, err, "%q", s)
	}
}

// While the picture moves, the next one is requested as soon as one arrives.
func TestNextPictureIsRequestedEarly(t *testing.T) {
	d := drive(t, open(t, window), Options{Turntable: true})
	for range 3 {
		before := d.version
		d.now = d.now.Add(16 * time.Millisecond)
		for d.version == before {
			<-d.wake
			d.Update()
		}
		require.Equal(t, 1, d.inFlight, "the next picture is in work before this one is shown")
		require.Greater(t, d.wanted().Orbit.Yaw, d.Picture().Request.Orbit.Yaw)
	}
}
