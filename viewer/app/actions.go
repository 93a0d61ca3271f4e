package app

import (
	"image"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/fragment"
	"pica200/viewer/session"
)

// nextView goes to the next view that has something to show.
func (a *App) nextView(by int) {
	all := session.Views()
	for i := slices.Index(all, a.req.View); ; {
		i = (i + by + len(all)) % len(all)
		if v := all[i]; v == a.req.View || v == fragment.ViewFinal || a.picture == nil || a.picture.Use.Missing(v) == "" {
			a.req.View = v
			break
		}
	}
	a.render()
}

func (a *App) nextScreens() {
	if a.info.Screens == nil {
		a.say("there is one picture; a scene with camera.stereo has one for each eye")
		return
	}
	a.req.Screens = a.req.Screens.Next(a.info.Screens)
	a.req.Draw = -1
	a.say("%v", a.req.Screens)
	a.render()
}

func (a *App) setZoom(z int) {
	a.win.zoom, a.win.shift, a.dirty = z, image.Point{}, true
	a.inspector.docked = a.inspector.docked || z == 0 // the picture comes beside it
	a.layout()
}

func (a *App) camera() bool {
	if !a.info.Camera {
		a.say("a recorded trace has no camera that could be moved")
	}
	return a.info.Camera
}

// moveCamera moves the camera. This is a view, and no change of the file: "save the camera" makes it one.
func (a *App) moveCamera(move func(o *session.Orbit)) {
	if a.camera() {
		move(&a.req.Orbit)
		a.render()
	}
}

// orbit turns the camera by angles in radians.
func (a *App) orbit(yaw, pitch float64) {
	a.moveCamera(func(o *session.Orbit) {
		o.Yaw += yaw
		o.Pitch = min(max(o.Pitch+pitch, -3), 3)
	})
}

// pan moves the camera right and up, in fractions of its distance.
func (a *App) pan(x, y float64) {
	a.moveCamera(func(o *session.Orbit) { o.Pan = o.Pan.Add(mgl64.Vec2{x, y}) })
}

// zoomCamera moves the camera closer by a power of two.
func (a *App) zoomCamera(by float64) {
	a.moveCamera(func(o *session.Orbit) { o.Zoom = min(max(o.Zoom+by, -8), 8) })
}

// focus moves the inspected point to the centre of the picture, or the centre back to the scene's target point.
func (a *App) focus() {
	if !a.camera() {
		return
	}
	pan, ok := a.inspector.pan(a.picture)
	switch open := slices.Contains(a.docks, dockInspector); {
	case open && ok:
		a.closeDock(dockInspector)
	case open:
		a.say("no draw has written this pixel")
		return
	case a.req.Orbit.Pan == mgl64.Vec2{}:
		a.say("click a pixel first: F moves it to the middle")
		return
	default:
		ok = false
	}
	a.layout()
	a.moveCamera(func(o *session.Orbit) {
		if ok {
			o.Pan = o.Pan.Add(pan)
		} else {
			o.Pan = mgl64.Vec2{}
		}
	})
}

// reset restores the camera of the file, and fits the picture to the window.
func (a *App) reset() {
	a.stopTurntable()
	a.setZoom(0)
	if a.info.Camera {
		a.moveCamera(func(o *session.Orbit) { *o = session.Orbit{} })
	}
}

func (a *App) toggleTurntable() {
	switch {
	case !a.camera():
	case a.motion.turntable:
		a.stopTurntable()
	default:
		a.motion.turntable = true
	}
}

// stopTurntable ends turning.
func (a *App) stopTurntable() {
	if angle := a.motion.angle; angle != 0 {
		a.motion.angle = 0
		a.moveCamera(func(o *session.Orbit) { o.Yaw += angle })
	}
	a.motion.turntable = false
}

func (a *App) togglePlay() {
	if !a.info.Animated && a.info.Frames < 2 {
		a.say("nothing moves here; T turns it")
		return
	}
	a.motion.playing = !a.motion.playing
	a.req.Draw = -1
	a.render()
}

// frameTime is the step of "." and "," in seconds.
const frameTime = 1.0 / 30

func (a *App) stepFrame(by int) {
	a.motion.playing = false
	a.req.Draw = -1
	switch {
	case a.info.Frames > 0:
		a.req.Frame = (a.req.Frame + by + a.info.Frames) % a.info.Frames
	case a.info.Animated:
		a.req.Time = max(a.req.Time+float64(by)*frameTime, 0)
	default:
		a.say("nothing moves here; T turns it")
	}
	a.render()
}

// seek goes to a fraction of the running time, 0 to 1.
func (a *App) seek(share float64) {
	if a.info.Frames > 0 {
		a.req.Frame = int(share*float64(a.info.Frames-1) + 0.5)
	} else {
		a.req.Time = share * a.info.Duration
	}
	a.render()
}

// scrub goes to the time under the mouse.
func (a *App) scrub(p image.Point) {
	a.motion.playing = false
	pad := a.screen.Units(6)
	x, w := p.X-a.win.timeline.Min.X-pad, max(a.win.timeline.Dx()-2*pad, 1)
	a.seek(min(max(float64(x)/float64(w), 0), 1))
}

// share returns the picture's fraction of the running time, 0 to 1.
func (a *App) share() float64 {
	if a.info.Frames > 0 {
		return float64(a.req.Frame) / float64(max(a.info.Frames-1, 1))
	}
	return min(a.req.Time/max(a.info.Duration, 1e-9), 1)
}

// stepDraw shows one draw of the frame more or less.
func (a *App) stepDraw(by int) {
	if a.picture == nil {
		return
	}
	n := a.picture.Frame
	switch {
	case n == 0:
		a.say("nothing is drawn")
		return
	case a.req.Draw < 0 && by < 0:
		a.req.Draw = n - 1
	case a.req.Draw < 0:
		a.req.Draw = 0
	default:
		a.req.Draw += by
		if a.req.Draw < 0 || a.req.Draw >= n {
			a.req.Draw = -1 // all draws
		}
	}
	a.motion.playing = false
	a.render()
}

func (a *App) togglePanel() {
	if a.info.Frames > 0 {
		a.openState() // a recording has registers
		return
	}
	if a.dock == dockPanel {
		a.setDock(dockNone)
		return
	}
	a.openPanel()
}

func (a *App) openPanel() {
	a.setDock(dockPanel)
	a.render() // with the uniforms
}

// toggleInspector inspects the last inspected pixel, or the one in the centre.
func (a *App) toggleInspector() {
	if a.dock == dockInspector {
		a.setDock(dockNone)
		return
	}
	if a.picture == nil {
		return
	}
	s := a.pixels()
	p := a.inspector.pixel
	if p == (image.Point{}) || p.X >= s.X || p.Y >= s.Y {
		p = s.Div(2)
	}
	a.explain(p)
}

func (a *App) search() {
	a.openPanel()
	a.panel.BeginSearch()
}

func (a *App) escape() {
	if a.waiting() {
		a.interrupt()
		return
	}
	if a.recorder.film != nil {
		a.cancelFilm("")
		return
	}
	if a.dock == dockNone {
		a.drawList.open = false
	}
	a.setDock(dockNone)
	a.message.text = ""
}

// setDock opens a panel at the side, before the others, and gives it the focus; none closes the one that is there.
func (a *App) setDock(d dock) {
	if d == dockNone {
		a.closeDock(a.dock)
		return
	}
	if !slices.Contains(a.docks, d) {
		a.docks = append(a.docks, d)
	}
	a.toFront(d)
}

// closeDock closes a panel at the side.
func (a *App) closeDock(d dock) {
	a.docks = slices.DeleteFunc(a.docks, func(open dock) bool { return open == d })
	front := a.dock
	if n := len(a.docks); front == d && n > 0 {
		front = a.docks[n-1]
	} else if front == d {
		front = dockNone
	}
	a.toFront(front)
}

// toggle opens or closes a panel at the side; why is said if it cannot be opened.
func (a *App) toggle(d dock, can bool, why string) {
	switch {
	case a.dock == d:
		a.setDock(dockNone)
	case can:
		a.setDock(d)
	default:
		a.say("%s", why)
	}
}

// toFront shows an open panel before the others, and gives it the focus.
func (a *App) toFront(d dock) {
	a.dock, a.dirty = d, true
	if n := len(a.docks); a.prefer.Beside && slices.Contains(a.docks, dockParts) {
		a.split.Size = max(a.split.Size, (n-1)*320+treeUnits)
	} else if a.prefer.Beside {
		a.split.Size = max(a.split.Size, n*320)
	}
	switch d {
	case dockPanel:
		a.screen.Focus(a.panel)
	default:
		a.screen.Focus(nil)
		if v := a.side(d); v != nil {
			a.screen.Focus(v.keys())
		}
		a.follow()
	}
	a.layout()
}

// shows reports whether a panel is visible.
func (a *App) shows(d dock) bool {
	return a.dock == d || a.prefer.Beside && slices.Contains(a.docks, d)
}

// toggleBeside shows the open panels side by side, or as tabs.
func (a *App) toggleBeside() {
	a.prefer.Beside = !a.prefer.Beside
	a.toFront(a.dock)
	a.keep(map[bool]string{false: "panels are tabs", true: "panels are side by side"}[a.prefer.Beside])
}
