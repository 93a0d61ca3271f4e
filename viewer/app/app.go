// Package app is the viewer behind its window. It takes keys, characters, the mouse and
// sizes, has the picture rendered on another goroutine, and returns what the window
// shows: the picture, where it lies, and an overlay of panels and text. It uses no
// window and no OpenGL, so it is tested without a display.
//
// The package is our own and may change at any time.
package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"time"

	"pica200/fragment"
	"pica200/scene"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// Options say how the viewer begins.
type Options struct {
	View      fragment.View
	Frame     int  // of a trace
	Panel     bool // the panel is open
	Timing    bool // the timing overlay is shown
	Play      bool
	Turntable bool
	Format    Format // of recordings
	OutDir    string // where pictures and recordings go; "" is the working directory
	// Wake is called, by other goroutines, when Update has something to do.
	Wake func()
	// Now gives the time, to any goroutine; nil is time.Now.
	Now func() time.Time
	// Open reads another file; nil opens none.
	Open func(path string) (session.Source, error)
	// First is the file to begin with where New is given no source; "" asks for one. It
	// is read while the window is there; where that fails the viewer ends, and Close
	// returns why.
	First string
	// Recent is the file that keeps the paths opened lately; "" keeps none. How large
	// letters are is kept beside it.
	Recent string
	// KeyLabel is what the keyboard has on a key; nil, or "", is what a US one has.
	KeyLabel func(k Key) string
}

// App is the viewer. Its methods are called by one goroutine.
type App struct {
	o       Options
	info    session.Info     // of the source, as it was read last
	worker  *worker          // owns the source: renders, reads and writes elsewhere
	watcher *session.Watcher // of the source's files
	screen  *ui.Screen       // the overlay, with what can be pointed at
	quit    bool             // the window is to be closed
	none    bool             // no file is open
	fatal   error            // what was wrong with Options.First

	// The picture. Panels and keys change req and call render; rendered takes what
	// comes of it.

	req      session.Request  // what is wanted
	picture  *session.Picture // the newest that came, nil before the first
	version  int              // of picture
	asked    int              // pictures asked for
	answered int              // the newest of them that came, or was given up
	inFlight int              // pictures asked for that did not come yet
	failed   bool             // the last picture did not come out
	reloads  int              // how often the source was read

	// The window.

	win       windowLayout
	dirty     bool      // the overlay is to be drawn anew
	overlay   int       // version of the overlay
	statusDue time.Time // when the status line is to follow pictures that move

	// What the user does.

	drag    drag    // with the mouse, on the picture
	key     Key     // that went down last
	motion  motion  // playing and turning
	history history // of edits

	// Panels and what lies over the picture.

	dock       dock         // the panel that is shown
	split      ui.Split     // between picture and panel
	panel      *ui.List     // uniforms
	target     int          // 0: edits are for all draws, else for draw target-1
	inspector  inspector    // of a pixel
	drawList   drawList     // of a frame
	state      statePanel   // of a draw
	warnings   warnings     // of the picture
	choice     choice       // of animations and cameras
	flicker    flicker      // between a golden case's pictures
	approvals  approvals    // of this golden case, newest last
	progress   progress     // of a picture that takes long; the worker writes it
	note       note         // shown for some seconds
	problem    string       // error that stays until it is mended
	errors     problemPanel // that shows it
	editor     editor       // where a link to a line of a file opens
	showTiming bool         // the timing overlay is shown
	noOutline  bool         // the draw that is shown is not outlined

	recorder recorder
}

// windowLayout is the size of the window and what layout divides it into, in pixels.
type windowLayout struct {
	w, h  int
	scale float64         // pixels in a unit
	dense float64         // of these, those that the display has
	user  int             // which of scales the user chose
	zoom  int             // 0 fits the window, else window pixels for each of the picture
	shift image.Point     // of the picture, away from the middle
	dest  image.Rectangle // where the picture lies
	list  image.Rectangle // of draws; empty if it is closed
	body  image.Rectangle // the picture and the dock
	area  image.Rectangle // what is left for the picture

	timeline image.Rectangle   // empty if there is none
	bar      image.Rectangle   // of menus
	menus    []image.Rectangle // in the bar, as they were drawn
}

// motion is what goes on by itself.
type motion struct {
	playing   bool      // time goes on
	turntable bool      // the camera goes round
	turned    float64   // by the turntable since it was begun, radians
	last      time.Time // that time was moved on to
	rate      rate      // of pictures
}

// note is a line that is shown for some seconds.
type note struct {
	text  string // "" if there is none
	until time.Time
}

type dock uint8

const (
	dockNone dock = iota
	dockPanel
	dockInspector
	dockState
	dockWarnings
)

// New starts to show a source; nil begins without one, as Options.First says. Close
// ends it.
func New(s session.Source, o Options) *App {
	if o.Wake == nil {
		o.Wake = func() {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	none := s == nil
	if none {
		s = session.Nothing()
	}
	a := &App{o: o, info: s.Info(), none: none, win: windowLayout{scale: 1, dense: 1, user: o.readScale(), w: 960, h: 600}, screen: ui.NewScreen(), dirty: true}
	a.panel = ui.NewList(a.screen)
	a.panel.OnEdit, a.panel.OnRevert = a.edit, a.revert
	a.panel.Reads = a.reads
	a.panel.Parse, a.panel.OnBad = scene.Number, func(problem string) { a.say("%s", problem) }
	a.split = ui.Split{Size: dockUnits, Least: 160}
	a.drawList.split = ui.Split{Size: listUnits, First: true, Least: 160}
	a.motion.last = o.Now()
	a.progress.wake = o.Wake
	a.worker = startWorker(s, o.Wake, a.progress.clear, a.rendered)
	a.begin()
	var err error
	if a.watcher, err = session.Watch(a.info.Files, a.filesChanged); err != nil {
		a.say("changes of the files are not seen: %v", err)
	}
	switch {
	case o.First != "":
		a.openFile(o.First, func(err error) { a.fatal, a.quit = err, true })
	case none:
		a.openDialog()
	}
	a.render()
	return a
}

// begin sets what the options say of the file to begin with.
func (a *App) begin() {
	o := &a.o
	a.req = session.Request{View: o.View, Frame: min(o.Frame, max(a.info.Frames-1, 0)), Draw: -1, Time: a.info.Start, Edits: edits{}}
	if a.info.Frames > 0 && o.View == fragment.ViewFinal {
		a.req.Screens = session.BothScreens
	}
	a.showTiming, a.motion.playing, a.motion.turntable = o.Timing, o.Play && !a.none, o.Turntable && a.info.Camera
	if !o.Panel || a.none {
		return
	}
	if a.info.Frames > 0 {
		a.setDock(dockState) // a recording has registers, no uniforms
	} else {
		a.setDock(dockPanel)
	}
}

// Close writes what was asked for (a scene, pictures, the recording that runs), ends
// rendering and watching, and closes the source. It returns the error of a recording
// that could not be written, and of Options.First.
func (a *App) Close() error {
	if a.watcher != nil {
		a.watcher.Close()
	}
	err := a.finishRecordings()
	a.worker.close()
	return errors.Join(a.fatal, err)
}

// Quit reports whether the viewer is to be closed.
func (a *App) Quit() bool { return a.quit }

// Title is what the window's title says; a star before it, that there are changes that
// are not saved.
func (a *App) Title() string {
	mark := ""
	if a.unsavedText() != "" {
		mark = "*"
	}
	return mark + a.info.Name + " - pica200"
}

// Rests reports whether all that was asked for is there: pictures, files that were read or
// written, and what panels show.
func (a *App) Rests() bool { return a.worker.rests() && !a.dirty }

// Problem is the error that is shown, or "".
func (a *App) Problem() string { return a.problem }

// Rate is the number of pictures a second that were shown lately, as the timing
// overlay has it; 0 at rest.
func (a *App) Rate() float64 { return a.motion.rate.perSecond(a.o.Now()) }

// Picture returns the picture that is shown, nil before the first one.
func (a *App) Picture() *session.Picture { return a.picture }

// say shows a note for some seconds.
func (a *App) say(format string, args ...any) {
	a.note.text = fmt.Sprintf(format, args...)
	a.note.until = a.o.Now().Add(4 * time.Second)
	a.dirty = true
}

// render asks for a picture of what is wanted now.
func (a *App) render() {
	if a.none {
		a.dirty = true
		return
	}
	if a.waiting() && a.picture != nil { // a replay that nobody waits for any more
		a.worker.interrupt(false)
	}
	r := a.wanted()
	r.Rows, r.Target = a.dock == dockPanel, a.target
	a.asked++
	a.inFlight++
	r.Serial, r.Progress = a.asked, a.progress.report
	a.worker.render(r)
	a.dirty = true
}

// rendered runs on the worker; what it returns on the window's goroutine.
func (a *App) rendered(serial int, p *session.Picture, err error) func() {
	return func() {
		a.answered = max(a.answered, serial)
		a.inFlight = a.asked - a.answered
		if errors.Is(err, context.Canceled) {
			if serial == a.asked { // else a newer one took its place
				a.interrupted()
			}
			return
		}
		if err != nil {
			a.problem, a.failed, a.dirty = err.Error(), true, true
			return
		}
		if a.failed {
			a.problem, a.failed = "", false
		}
		if n := len(p.Warnings); n > 0 && (a.picture == nil || len(a.picture.Warnings) != n) {
			a.warn(p.Warnings)
		}
		resized := a.picture == nil || a.picture.Image.Rect.Size() != p.Image.Rect.Size()
		a.picture = p
		a.version++
		a.motion.rate.add(a.o.Now())
		if resized {
			a.layout()
		}
		if a.dock == dockPanel && !a.panel.Typing() && !a.screen.Holding() && a.inFlight == 0 {
			a.fillPanel()
		}
		a.follow()
		a.record()
		if !a.moving() || a.statusDue.Before(a.o.Now()) {
			a.dirty = true
			a.statusDue = a.o.Now().Add(100 * time.Millisecond)
		}
	}
}

// filesChanged is called by the watcher's goroutine.
func (a *App) filesChanged() {
	a.worker.do(func(_ context.Context, s session.Source) func() {
		err := s.Reload()
		info := s.Info()
		return func() { a.reloaded(info, err) }
	})
}

func (a *App) reloaded(info session.Info, err error) {
	a.dirty = true
	if werr := a.watcher.Set(info.Files); werr != nil {
		a.say("changes of the files are not seen: %v", werr)
	}
	a.info = info
	if err != nil {
		a.problem, a.note.text = err.Error(), ""
		return
	}
	a.problem, a.failed = "", false
	a.reloads++
	if a.picture == nil { // it was broken when it was opened
		a.req.Time = info.Start
	}
	if !a.o.Now().Before(a.history.savedUntil) { // what was saved here is not news
		a.say("reloaded")
	}
	a.render()
}

// moving reports whether pictures follow each other without being asked for.
func (a *App) moving() bool { return a.motion.playing || a.motion.turntable }

// Update does what there is to do: takes new pictures, moves time on. It
// reports whether the window is to be drawn.
func (a *App) Update() bool {
	before := a.version
	for _, f := range a.worker.take() {
		f()
	}
	now := a.o.Now()
	if a.note.text != "" && now.After(a.note.until) {
		a.note.text, a.dirty = "", true
	}
	if a.moving() && a.inFlight == 0 && !a.failed {
		was := a.dirty // the status line follows at its own pace
		a.advance(min(now.Sub(a.motion.last).Seconds(), 0.25))
		a.motion.last = now
		a.render()
		a.dirty = was
	}
	if !a.moving() {
		a.motion.last = now
	}
	a.flick(now)
	if len(a.recorder.writing.to) > 0 || a.waiting() {
		a.dirty = true // their progress
	}
	return a.dirty || a.version != before
}

// advance moves the animation and the turntable on.
func (a *App) advance(dt float64) {
	if a.motion.turntable {
		a.motion.turned += dt * 0.6
	}
	if !a.motion.playing {
		return
	}
	if a.info.Frames > 0 {
		a.req.Frame = (a.req.Frame + 1) % a.info.Frames
		return
	}
	a.req.Time += dt
	if d := a.info.Duration; d > 0 && a.req.Time >= d {
		a.req.Time -= d
	}
}

// Wait is how long the window may wait for events: forever if less than 0.
func (a *App) Wait() time.Duration {
	if a.dirty || a.moving() && a.inFlight == 0 && !a.failed {
		return 0
	}
	wait := a.recordingWait()
	if f := a.flickerWait(); f >= 0 && (wait < 0 || f < wait) {
		wait = f
	}
	if a.note.text != "" {
		if m := max(a.note.until.Sub(a.o.Now()), time.Millisecond); wait < 0 || m < wait {
			wait = m
		}
	}
	return wait
}

// Scene is the picture to be shown with its version, and where it lies in the
// window, in pixels from the top left, which may be outside of it. Smooth is
// whether it is to be interpolated.
func (a *App) Scene() (img *image.RGBA, version int, dest image.Rectangle, smooth bool) {
	if a.picture == nil {
		return nil, 0, image.Rectangle{}, false
	}
	s := a.picture.Image.Rect.Size()
	return a.picture.Image, a.version, a.win.dest, a.win.dest.Dx()%s.X != 0
}

// Area is the part of the window that the picture may cover.
func (a *App) Area() image.Rectangle { return a.win.area }

// Overlay is what lies over the picture, of the size of the window, with its
// version.
func (a *App) Overlay() (*image.RGBA, int) {
	if a.dirty {
		a.layout()
		if a.drawOverlay() {
			a.drawOverlay() // what lies under the mouse now is highlighted
		}
		a.dirty = false
		a.overlay++
	}
	return a.screen.Img, a.overlay
}

// Resize tells the size of the window in pixels and how many of them make a
// unit.
func (a *App) Resize(w, h int, scale float64) {
	w, h = max(w, 1), max(h, 1)
	if scale <= 0 {
		scale = 1
	}
	a.win.dense = scale
	scale *= scales[a.win.user]
	if w == a.win.w && h == a.win.h && scale == a.win.scale && !a.dirty {
		return
	}
	a.win.w, a.win.h, a.win.scale, a.dirty = w, h, scale, true
	a.layout()
}

// rate measures pictures a second over the last of them.
type rate struct {
	times [128]time.Time
	n     int
}

func (r *rate) add(t time.Time) {
	r.times[r.n%len(r.times)] = t
	r.n++
}

// perSecond is 0 if pictures do not come in a row.
func (r *rate) perSecond(now time.Time) float64 {
	n := min(r.n, len(r.times))
	if n < 2 {
		return 0
	}
	newest, oldest := r.times[(r.n-1)%len(r.times)], r.times[(r.n-n)%len(r.times)]
	if now.Sub(newest) > time.Second || !newest.After(oldest) {
		return 0
	}
	return float64(n-1) / newest.Sub(oldest).Seconds()
}

// outBase is how the names of files that are written begin: with the source's
// name.
func (a *App) outBase(what string) string {
	base := cleanName(a.info.Name)
	if what != "" {
		base += "-" + what
	}
	return filepath.Join(a.o.OutDir, base)
}

// Screen is what is drawn over the picture, with what can be pointed at.
func (a *App) Screen() *ui.Screen { return a.screen }
