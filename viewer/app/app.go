// Package app is the viewer behind its window. It takes keys, characters, the mouse and sizes, has the picture rendered on
// another goroutine, and returns what the window shows: the picture, where it lies, and an overlay of panels and text. It uses no
// window and no OpenGL, so it is tested without a display.
//
// The package is our own and may change at any time.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"time"

	"pica200/fragment"
	"pica200/internal/watch"
	"pica200/scene"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// Options are the initial settings of the viewer.
type Options struct {
	View      fragment.View
	Frame     int  // first frame of a trace
	Panel     bool // the panel is open
	Timing    bool // the timing overlay is shown
	Play      bool
	Turntable bool
	Format    Format // of recordings
	OutDir    string // folder of pictures and recordings; "" is the working directory
	// Wake is called by other goroutines when Update has work to do.
	Wake func()
	// Now returns the time, on any goroutine; nil is time.Now.
	Now func() time.Time
	// Open reads another file; nil disables opening.
	Open func(path string) (session.Source, error)
	// First is the file to start with if New gets no source; "" shows the dialog for one. It is read after the window is open; if
	// that fails, the viewer quits and Close returns the error.
	First string
	// Recent is the file that keeps the list of recent files; "" keeps none. Preferences are kept next to it.
	Recent string
	// DisplayHeight is the height of the display in pixels, 0 if it is unknown.
	DisplayHeight int
	// KeyLabel returns the label of a key on the user's keyboard; nil or "" stands for the label of a US keyboard.
	KeyLabel func(k Key) string
}

// App is the viewer. Only one goroutine may call its methods.
type App struct {
	o        Options
	info     session.Info   // of the source, when it was last read
	worker   *worker        // owns the source; renders, reads and writes on its goroutine
	watcher  *watch.Watcher // watches the source's files
	screen   *ui.Screen     // the overlay with its zones
	quit     bool           // the window must close
	kept     keeper         // of changes that are not saved
	none     bool           // no file is open
	namesake bool           // a recent file has the name of the open one
	fatal    error          // error of opening Options.First
	posted   func()         // called after each function that the worker posts; for tests

	// The picture. Panels and keys change req and call render; rendered handles the result.

	req      session.Request  // the current settings
	picture  *session.Picture // the newest picture, nil before the first
	version  int              // of picture
	asked    int              // number of pictures requested
	since    int              // number of the first request since the files were read or written
	sent     wants            // of the newest request
	answered int              // number of the newest request that was answered or given up
	inFlight int              // requests not answered yet
	failed   bool             // the last picture ended in an error
	console  bool             // scenes are drawn in the size that they have on the console
	took     time.Duration    // time of the last picture of the whole size
	reloads  int              // how often the source was read

	// The window.

	win       windowLayout
	dirty     bool      // the overlay must be drawn again
	overlay   int       // version of the overlay
	statusDue time.Time // when to update the status line while pictures move

	// User actions.

	drag    drag    // mouse drag on the picture
	key     Key     // last key pressed
	used    bool    // it was a command
	motion  motion  // playing and turning
	history history // of edits

	// Panels and other parts over the picture.

	dock       dock               // the panel at the side that is shown, or in front
	docks      []dock             // those that are open
	split      ui.Split           // between picture and panel
	beside     [numDocks]ui.Split // between open panels
	panel      *ui.List           // uniforms
	target     string             // the draw that the panel edits; "" for all
	inspector  inspector          // of a pixel
	drawList   drawList           // of a frame
	state      statePanel         // of a draw
	warnings   warnings           // of the picture
	parts      partsPanel         // of the scene
	choice     choice             // of animations and cameras
	flicker    flicker            // between a golden case's pictures
	approvals  approvals          // approvals in this golden case, newest last
	progress   progress           // of a slow picture; written by the worker
	message    message            // message shown for some seconds
	problem    string             // error shown until it is fixed
	errors     problemPanel       // panel that shows problem
	editor     editor             // opens links to lines of files
	showTiming bool               // the timing overlay is shown
	noOutline  bool               // do not outline the draw that is shown

	recorder recorder
	prefer   preferences
}

// windowLayout is the size of the window and its parts, in pixels.
type windowLayout struct {
	w, h  int
	scale float64         // pixels per unit
	dense float64         // the part of scale that comes from the display
	zoom  int             // 0 fits the window, else window pixels per pixel of the picture
	shift image.Point     // offset of the picture from the centre
	dest  image.Rectangle // rectangle of the picture
	list  image.Rectangle // list of draws; empty if closed
	body  image.Rectangle // picture and dock
	area  image.Rectangle // the room left for the picture

	timeline image.Rectangle            // empty if the source has no running time
	bar      image.Rectangle            // of menus
	menus    map[string]image.Rectangle // in the bar, by group, as they were drawn
}

// motion is the state of animations.
type motion struct {
	playing   bool      // the time advances
	turntable bool      // the camera turns around the scene
	angle     float64   // angle turned since the turntable started, radians
	last      time.Time // when the time was last advanced
	rate      rate      // of pictures
}

// message is a message that is shown for some seconds.
type message struct {
	text  string // "" if there is none
	bad   bool   // it tells of a failure
	until time.Time
}

type dock uint8

const (
	dockNone dock = iota
	dockPanel
	dockInspector
	dockState
	dockWarnings
	dockParts
	numDocks
)

// New creates a viewer that shows a source; nil starts without one, as described at Options.First. Close ends it.
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
	a := &App{o: o, info: s.Info(), none: none, win: windowLayout{scale: 1, dense: 1, w: 960, h: 600}, screen: ui.NewScreen(), dirty: true, posted: func() {}}
	a.prefer.read(&a.o)
	a.screen.Light = a.prefer.Light
	a.screen.Now = o.Now
	a.panel = ui.NewList(a.screen)
	a.panel.OnEdit, a.panel.OnRevert = a.edit, a.revert
	a.panel.Reads = a.reads
	a.panel.Parse, a.panel.OnBad = scene.Number, func(err error) { a.say("%v", err) }
	a.split = ui.Split{Size: cmp.Or(a.prefer.Dock, dockUnits), Least: 160}
	for d := range a.beside {
		a.beside[d] = ui.Split{First: true, Least: 160, Tip: "drag to divide the panels"}
		if d < len(a.prefer.Panels) {
			a.beside[d].Size = min(max(a.prefer.Panels[d], 0), 4000)
		}
	}
	a.drawList.split = ui.Split{Size: cmp.Or(a.prefer.List, listUnits), First: true, Least: 160}
	a.motion.last = o.Now()
	a.progress.wake = o.Wake
	a.worker = startWorker(s, o.Wake, a.progress.clear, a.rendered)
	a.begin()
	var err error
	if a.watcher, err = watch.Files(a.info.Files, a.filesChanged); err != nil {
		a.say("changes of the files will not be noticed: %v", err)
	}
	switch {
	case o.First != "":
		a.openFile(o.First, func(err error) { a.fatal, a.quit = err, true }, a.offerRecovery)
	case none:
		a.openDialog()
	}
	if o.First == "" {
		a.offerRecovery()
	}
	a.render()
	return a
}

// begin applies the options about the first file.
func (a *App) begin() {
	o := &a.o
	a.req = session.Request{View: o.View, Frame: min(o.Frame, max(a.info.Frames-1, 0)), Draw: -1, Time: a.info.Start, Edits: edits{}}
	if a.info.Frames > 0 && o.View == fragment.ViewFinal {
		a.req.Screens = session.BothScreens
	}
	a.showTiming, a.motion.playing, a.motion.turntable = o.Timing, o.Play && !a.none, o.Turntable && a.info.Camera
	if a.prefer.Draws && !a.none && !a.drawList.open {
		a.openDraws()
	}
	list := a.prefer.Docks
	if o.Panel && !slices.Contains(list, dockPanel) {
		list = append(list, dockPanel)
	}
	for _, d := range list {
		switch {
		case d == dockPanel && a.info.Frames > 0:
			d = dockState // recordings have registers, not uniforms
		case d == dockParts && !a.info.Camera:
			continue
		}
		if !a.none && !slices.Contains(a.docks, d) {
			a.setDock(d)
		}
	}
}

// Close finishes pending writes (scenes, pictures, the current recording), stops rendering and watching, and closes the source.
// It returns the error of a recording that could not be written, and that of Options.First.
func (a *App) Close() error {
	a.forgetKept()
	if a.watcher != nil {
		a.watcher.Close()
	}
	a.prefer.take(a)
	_ = a.prefer.write(&a.o) // only a convenience is lost
	err := a.finishRecordings()
	a.worker.close()
	return errors.Join(a.fatal, err)
}

// Quit reports whether the viewer must close.
func (a *App) Quit() bool { return a.quit }

// Title returns the window's title. It starts with a star if there are unsaved changes, tells of an error, and has the folder if
// the recent files have another file of this name.
func (a *App) Title() string {
	title := a.info.Name
	if a.unsaved() > 0 {
		title = "*" + title
	}
	if a.namesake {
		title += " in " + filepath.Base(filepath.Dir(absolute(a.info.Path)))
	}
	if a.problem != "" {
		title += " (error)"
	}
	return title + " - pica200"
}

// Rests reports whether nothing is pending: pictures, files to read or write, and contents of panels.
func (a *App) Rests() bool { return a.worker.rests() && !a.dirty }

// Problem returns the error that is shown, or "".
func (a *App) Problem() string { return a.problem }

// Rate returns the recent number of pictures per second, as in the timing overlay; 0 at rest.
func (a *App) Rate() float64 { return a.motion.rate.perSecond(a.o.Now()) }

// Picture returns the picture that is shown, nil before the first one.
func (a *App) Picture() *session.Picture { return a.picture }

// say shows a note for some seconds; one of an error has the colour of failures.
func (a *App) say(format string, args ...any) {
	a.message.text = fmt.Sprintf(format, args...)
	a.message.bad = slices.ContainsFunc(args, func(x any) bool { _, failed := x.(error); return failed })
	a.message.until = a.o.Now().Add(4 * time.Second)
	a.dirty = true
}

// render requests a picture for the current settings.
func (a *App) render() {
	if a.none {
		a.dirty = true
		return
	}
	if a.waiting() && a.picture != nil { // cancel a replay that is no longer needed
		a.worker.interrupt(false)
	}
	r := a.wanted()
	a.sent = a.wants()
	r.Rows, r.Outline, r.Target, r.Room = a.sent.rows, a.sent.outline && !a.moving(), a.target, a.sent.room
	a.asked++
	a.inFlight++
	r.Serial, r.Progress = a.asked, a.progress.report
	a.worker.render(r)
	a.dirty = true
}

// wants is what panels and the size of the window ask of a picture.
type wants struct {
	rows, outline bool
	room          image.Point
}

func (a *App) wants() wants {
	return wants{a.shows(dockPanel), a.shows(dockParts) && a.target != "", a.room()}
}

// rendered runs on the worker; the function it returns runs on the window's goroutine.
func (a *App) rendered(serial int, p *session.Picture, err error) func() {
	return func() {
		a.answered = max(a.answered, serial)
		a.inFlight = a.asked - a.answered
		if errors.Is(err, context.Canceled) {
			if serial == a.asked { // otherwise a newer request replaced it
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
		if a.slower() == 1 {
			a.took = p.Took
		}
		resized := a.picture == nil || a.picture.Image.Rect.Size() != p.Image.Rect.Size()
		was := a.picture
		a.picture = p
		a.version++
		a.motion.rate.add(a.o.Now())
		if resized {
			a.layout()
		}
		if a.shows(dockPanel) && !a.panel.Typing() && (a.drag.handle || !a.screen.Holding() && a.inFlight == 0) {
			a.fillPanel()
		}
		a.along(was)
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
	a.watch(info)
	a.have(info)
	if err != nil {
		a.problem, a.message.text = err.Error(), ""
		return
	}
	a.problem, a.failed = "", false
	a.reloads++
	a.since = a.asked + 1
	if a.picture == nil { // it could not be read when it was opened
		a.req.Time = info.Start
	}
	if !a.o.Now().Before(a.history.savedUntil) { // do not report files saved by the viewer itself
		a.say("reloaded")
	}
	a.render()
}

// have takes over what a job returned of the source. If it has read another text, the changes become relative to that.
func (a *App) have(info session.Info) {
	if info.Base != a.info.Base {
		a.req.Edits = a.history.rebase(a.req.Edits)
	}
	a.info = info
}

// watch watches the files of a source.
func (a *App) watch(info session.Info) {
	if a.watcher == nil {
		return
	}
	if err := a.watcher.Set(info.Files); err != nil {
		a.say("changes of the files will not be noticed: %v", err)
	}
}

// moving reports whether pictures follow each other without user actions.
func (a *App) moving() bool { return a.motion.playing || a.motion.turntable }

// Update handles new pictures and advances the time. It reports whether the window must be drawn again.
func (a *App) Update() bool {
	before := a.version
	for _, f := range a.worker.take() {
		f()
		a.posted()
	}
	now := a.o.Now()
	a.keepUnsaved(now)
	if a.message.text != "" && now.After(a.message.until) {
		a.message.text, a.dirty = "", true
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
	if w := a.wants(); a.picture != nil && a.inFlight == 0 && !a.failed && (w.room != a.sent.room || w.rows && !a.sent.rows || w.outline && !a.sent.outline) {
		a.render() // panels or the size of the window changed
	}
	if a.screen.TipDue() == 0 && !a.screen.Tipped() {
		a.dirty = true
	}
	if p, ok := a.screen.Popup().(*reading); ok && !p.said && now.Sub(p.since) >= readingTime {
		p.said, a.dirty = true, true
	}
	if len(a.recorder.writing.to) > 0 || a.waiting() {
		a.dirty = true // their progress
	}
	return a.dirty || a.version != before
}

// advance advances the animation and the turntable.
func (a *App) advance(dt float64) {
	if a.motion.turntable {
		a.motion.angle += dt * 0.6
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

// Wait returns how long the window may wait for events; negative means forever.
func (a *App) Wait() time.Duration {
	if a.dirty || a.moving() && a.inFlight == 0 && !a.failed {
		return 0
	}
	wait := a.recordingWait()
	if p, ok := a.screen.Popup().(*reading); ok && a.o.Now().Sub(p.since) < readingTime {
		wait = readingTime - a.o.Now().Sub(p.since)
	}
	for _, other := range []time.Duration{a.flickerWait(), a.screen.TipDue(), a.keepWait()} {
		if other >= 0 && !(other == 0 && a.screen.Tipped()) && (wait < 0 || other < wait) {
			wait = other
		}
	}
	if a.message.text != "" {
		if m := max(a.message.until.Sub(a.o.Now()), time.Millisecond); wait < 0 || m < wait {
			wait = m
		}
	}
	return wait
}

// Scene returns the picture to show, its version, and its rectangle in the window in pixels from the top left, which may exceed
// the window. smooth asks for interpolation.
func (a *App) Scene() (img *image.RGBA, version int, dest image.Rectangle, smooth bool) {
	if a.picture == nil {
		return nil, 0, image.Rectangle{}, false
	}
	s := a.picture.Image.Rect.Size()
	return a.picture.Image, a.version, a.win.dest, a.win.dest.Dx()%s.X != 0
}

// Area returns the part of the window that the picture may cover.
func (a *App) Area() image.Rectangle { return a.win.area }

// Overlay returns the overlay, of the size of the window, and its version.
func (a *App) Overlay() (*image.RGBA, int) {
	if a.dirty {
		a.layout()
		if a.drawOverlay() {
			a.drawOverlay() // highlight what is under the mouse now
		}
		a.dirty = false
		a.overlay++
	}
	return a.screen.Img, a.overlay
}

// Resize sets the size of the window in pixels and the pixels per unit.
func (a *App) Resize(w, h int, scale float64) {
	w, h = max(w, 1), max(h, 1)
	if scale <= 0 {
		scale = 1
	}
	a.win.dense = scale
	scale *= a.textScale()
	if w == a.win.w && h == a.win.h && scale == a.win.scale && !a.dirty {
		return
	}
	a.win.w, a.win.h, a.win.scale, a.dirty = w, h, scale, true
	a.layout()
}

// rate measures the recent pictures per second.
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

// outBase returns the start of names of written files: the source's name.
func (a *App) outBase(what string) string {
	base := cleanName(a.info.Name)
	if what != "" {
		base += "-" + what
	}
	return filepath.Join(a.o.OutDir, base)
}

// Screen returns the overlay with its zones.
func (a *App) Screen() *ui.Screen { return a.screen }
