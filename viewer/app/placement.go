package app

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// handle is a mark in the picture for placing the edited draw with the mouse.
type handle struct {
	tip   string
	part  string // the value it changes
	color color.RGBA
	at    mgl64.Vec2 // in the window
	// move changes the values by a mouse movement in window pixels.
	move func(v []float64, by mgl64.Vec2)
}

// arm is the distance of handles from the centre of the draw, in units.
const arm = 56

// axisColors are the colours of x, y and z.
var axisColors = [3]color.RGBA{{0xFF, 0x60, 0x60, 255}, {0x60, 0xE0, 0x60, 255}, {0x70, 0xA0, 0xFF, 255}}

// placement returns the placement of the edited draw; nil without one, or if it is animated.
func (a *App) placement() *session.Placement {
	p := a.picture
	if p == nil || a.target == "" || a.dock != dockPanel || p.Request.Target != a.target || !p.Target || p.Placement == nil || p.Placement.Values == nil {
		return nil
	}
	return p.Placement
}

// handles returns the handles of the draw, and its centre in the window.
func (a *App) handles(p *session.Placement) (list []handle, middle mgl64.Vec2) {
	size := a.picture.Image.Rect.Size()
	window := func(at mgl64.Vec3) (mgl64.Vec2, bool) {
		x, y, ok := p.On(at)
		return mgl64.Vec2{float64(a.win.dest.Min.X) + x*float64(a.win.dest.Dx())/float64(size.X), float64(a.win.dest.Min.Y) + y*float64(a.win.dest.Dy())/float64(size.Y)}, ok
	}
	origin := mgl64.Vec3(p.Values[session.PlacementAt])
	middle, ok := window(origin)
	if !ok {
		return nil, middle
	}
	// way returns the window movement of one unit in a world direction.
	way := func(dir mgl64.Vec3) mgl64.Vec2 {
		const step = 1.0 / 64
		to, _ := window(origin.Add(dir.Mul(step)))
		return to.Sub(middle).Mul(1 / step)
	}
	length := float64(a.screen.Units(arm))
	for k := range axisColors {
		dir := mgl64.Vec3{}
		dir[k] = 1
		if to := way(dir); to.Len() > 1 { // otherwise it points at the camera
			list = append(list, handle{"drag to move " + p.Name + " along " + string("xyz"[k]), session.PlacementAt, axisColors[k], middle.Add(to.Normalize().Mul(length)),
				func(v []float64, by mgl64.Vec2) { v[k] += by.Dot(to) / to.Dot(to) }})
		}
	}
	right, up := way(p.Right), way(p.Up)
	corner := mgl64.Vec2{length, length}.Mul(0.6)
	return append(list, handle{"drag to move " + p.Name, session.PlacementAt, ui.Text, middle, func(v []float64, by mgl64.Vec2) {
		x, y := by.Dot(right)/right.Dot(right), by.Dot(up)/up.Dot(up)
		for k := range v {
			v[k] += x*p.Right[k] + y*p.Up[k]
		}
	}}, handle{"drag to turn " + p.Name, session.PlacementRotate, ui.Changed, middle.Add(mgl64.Vec2{corner[0], -corner[1]}), func(v []float64, by mgl64.Vec2) {
		by = by.Mul(1 / (2 * length))
		q := mgl64.QuatRotate(v[0]*math.Pi/180, mgl64.Vec3(v[1:4]).Normalize())
		q = mgl64.QuatRotate(by[0], p.Up).Mul(mgl64.QuatRotate(by[1], p.Right)).Mul(q).Normalize()
		if s := q.V.Len(); s > 1e-9 {
			axis := q.V.Mul(1 / s)
			v[0], v[1], v[2], v[3] = 2*math.Atan2(s, q.W)*180/math.Pi, axis[0], axis[1], axis[2]
		}
	}}, handle{"drag to scale " + p.Name, session.PlacementScale, ui.Accent, middle.Add(corner), func(v []float64, by mgl64.Vec2) {
		for k := range v {
			v[k] *= math.Exp2((by[0] + by[1]) / length)
		}
	}}), middle
}

// drawHandles draws the handles of the edited draw.
func (a *App) drawHandles() {
	p := a.placement()
	if p == nil {
		return
	}
	s := a.screen
	list, middle := a.handles(p)
	undo := s.Clip(a.win.area)
	defer undo()
	point := func(v mgl64.Vec2) image.Point { return image.Pt(int(math.Round(v[0])), int(math.Round(v[1]))) }
	for _, h := range list {
		if h.part == session.PlacementAt && h.at != middle {
			s.Stroke(point(middle), point(h.at), h.color)
		}
	}
	half := s.Units(6)
	for _, h := range list {
		at := point(h.at)
		r := image.Rect(at.X-half, at.Y-half, at.X+half, at.Y+half)
		grip := r.Inset(-half)
		s.Fill(r, color.RGBA{0, 0, 0, 255})
		s.Fill(r.Inset(s.Units(2)), h.color)
		if s.Hot(grip) {
			s.Fill(r.Inset(s.Units(1)), h.color)
		}
		was, draw := p.Values[h.part], a.target
		s.Add(ui.Zone{Rect: grip, Tip: h.tip, Press: func(ui.Mouse) { a.panel.Commit() }, Drag: func(m ui.Mouse) {
			d, v := m.At.Sub(m.From), slices.Clone(was)
			h.move(v, mgl64.Vec2{float64(d.X), float64(d.Y)})
			for k := range v {
				v[k] = math.Round(v[k]*1e4) / 1e4
			}
			e := session.Edit{Name: h.part, Draw: draw}
			for _, x := range v {
				e.Values = append(e.Values, x)
			}
			a.remember(e.Name)
			a.history.stepped(false, a.o.Now())
			a.req.Edits[e.Key()] = e
			a.render()
		}, Release: func(ui.Mouse) { a.history.stepped(true, a.o.Now()) }})
	}
}
