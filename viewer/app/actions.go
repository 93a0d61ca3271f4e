package app

import (
	"image"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/viewer/session"
)

func (a *App) nextView(by int) {
	all := session.Views()
	i := slices.Index(all, a.req.View)
	a.req.View = all[(i+by+len(all))%len(all)]
	a.render()
}

func (a *App) nextScreens() {
	a.req.Screens = a.req.Screens.Next()
	a.req.Draw = -1
	a.say("%v", a.req.Screens)
	a.render()
}

func (a *App) setZoom(z int) {
	a.win.zoom, a.win.shift, a.dirty = z, image.Point{}, true
	a.layout()
}

func (a *App) camera() bool {
	if !a.info.Camera {
		a.say("a recorded trace has no camera that could be moved")
	}
	return a.info.Camera
}

func (a *App) orbit(yaw, pitch float64) {
	if a.camera() {
		a.req.Orbit.Yaw += yaw
		a.req.Orbit.Pitch = min(max(a.req.Orbit.Pitch+pitch, -3), 3)
		a.render()
	}
}

func (a *App) pan(x, y float64) {
	if a.camera() {
		a.req.Orbit.Pan[0] += x
		a.req.Orbit.Pan[1] += y
		a.render()
	}
}

func (a *App) zoomCamera(by float64) {
	if a.camera() {
		a.req.Orbit.Zoom = min(max(a.req.Orbit.Zoom+by, -8), 8)
		a.render()
	}
}

// focus moves the point that was inspected to the middle, or the middle back
// to where the scene looks.
func (a *App) focus() {
	if !a.camera() {
		return
	}
	if pan, ok := a.inspector.pan(a.picture); ok && a.dock == dockInspector {
		a.req.Orbit.Pan[0] += pan[0]
		a.req.Orbit.Pan[1] += pan[1]
		a.setDock(dockNone)
	} else {
		a.req.Orbit.Pan = mgl64.Vec2{}
	}
	a.layout()
	a.render()
}

func (a *App) reset() {
	a.req.Orbit = session.Orbit{}
	a.motion.turntable = false
	a.setZoom(0)
	a.render()
}

func (a *App) toggleTurntable() {
	if a.camera() {
		a.motion.turntable = !a.motion.turntable
	}
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

// seek goes to a share of the running time, 0 to 1.
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

// share is where in the running time the picture is, 0 to 1.
func (a *App) share() float64 {
	if a.info.Frames > 0 {
		return float64(a.req.Frame) / float64(max(a.info.Frames-1, 1))
	}
	return min(a.req.Time/max(a.info.Duration, 1e-9), 1)
}

// stepDraw shows one more or one less of the draws of the frame.
func (a *App) stepDraw(by int) {
	if a.picture == nil {
		return
	}
	n := a.draws()
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
			a.req.Draw = -1 // all of them
		}
	}
	a.motion.playing = false
	a.render()
}

// draws is the number of draws of the whole frame.
func (a *App) draws() int { return a.picture.Frame }

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

// toggleInspector asks for the pixel that was inspected last, or the one in the
// middle.
func (a *App) toggleInspector() {
	if a.dock == dockInspector {
		a.setDock(dockNone)
		return
	}
	if a.picture == nil {
		return
	}
	s := a.picture.Image.Rect.Size()
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
	a.setDock(dockNone)
	a.note.text = ""
}

// setDock shows a panel at the side, or none, and has keys go to it.
func (a *App) setDock(d dock) {
	a.dock, a.dirty = d, true
	switch d {
	case dockPanel:
		a.screen.Focus(a.panel)
	default:
		a.screen.Focus(nil)
		if v := a.side(); v != nil {
			a.screen.Focus(v.keys())
			v.follow(a)
		}
	}
	a.layout()
}
