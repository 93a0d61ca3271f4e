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
	if p == nil || a.target == "" || !a.shows(dockPanel) || p.Request.Target != a.target || !p.Target || p.Placement == nil || p.Placement.Values == nil {
		return nil
	}
	return p.Placement
}

// lightColor is the colour of the handles of lights.
var lightColor = color.RGBA{0xFF, 0xD0, 0x40, 255}

// inWindow is how the picture in the window shows the world. A drag keeps that of its start, as later pictures may have another size.
type inWindow struct {
	*session.Projection
	size image.Point // of the picture
	dest image.Rectangle
}

func (a *App) inWindow(p *session.Projection) inWindow {
	return inWindow{p, a.picture.Image.Rect.Size(), a.win.dest}
}

// at returns where a point of the world is in the window; false behind the camera.
func (w inWindow) at(of mgl64.Vec3) (mgl64.Vec2, bool) {
	x, y, ok := w.On(of)
	return mgl64.Vec2{float64(w.dest.Min.X) + x*float64(w.dest.Dx())/float64(w.size.X), float64(w.dest.Min.Y) + y*float64(w.dest.Dy())/float64(w.size.Y)}, ok
}

// way returns the window movement of one unit from a point in a direction of the world.
func (w inWindow) way(from, dir mgl64.Vec3) mgl64.Vec2 {
	const step = 1.0 / 64
	at, _ := w.at(from)
	to, _ := w.at(from.Add(dir.Mul(step)))
	return to.Sub(at).Mul(1 / step)
}

// slide returns a movement in the plane of the picture.
func (w inWindow) slide(from mgl64.Vec3) func(v []float64, by mgl64.Vec2) {
	right, up := w.way(from, w.Right), w.way(from, w.Up)
	return func(v []float64, by mgl64.Vec2) {
		x, y := by.Dot(right)/right.Dot(right), by.Dot(up)/up.Dot(up)
		for k := range v {
			v[k] += x*w.Right[k] + y*w.Up[k]
		}
	}
}

// lightHandles returns a handle for each light: at its place, or where it comes from around the point that the camera looks at.
// What lies outside of the picture is at its edge.
func (a *App) lightHandles() (list []lightHandle) {
	p := a.picture
	if p == nil || !a.shows(dockPanel) || p.World == nil || !p.Target {
		return nil
	}
	margin := float64(a.screen.Units(10))
	inside := func(v mgl64.Vec2) mgl64.Vec2 {
		r := a.win.dest.Intersect(a.win.area)
		return mgl64.Vec2{min(max(v[0], float64(r.Min.X)+margin), float64(r.Max.X)-margin), min(max(v[1], float64(r.Min.Y)+margin), float64(r.Max.Y)-margin)}
	}
	world := a.inWindow(p.World)
	middle, _ := world.at(p.LookAt)
	for _, l := range p.Lights {
		v := mgl64.Vec3(l.Values)
		h := lightHandle{handle{tip: "drag to move " + l.Name, part: l.Edit, color: lightColor}, l.Name, l.Values, middle}
		if !l.Far {
			at, ok := world.at(v)
			depth := v
			if !ok { // behind the camera: at the edge that it is beyond
				to := v.Sub(p.Eye)
				at = middle.Add(mgl64.Vec2{to.Dot(world.Right), -to.Dot(world.Up)}.Mul(1e4))
				depth = p.LookAt
			}
			h.at, h.move = inside(at), world.slide(depth)
			if slide, jump := h.move, h.at.Sub(at); ok { // from the edge it comes to the mouse
				h.move = func(v []float64, by mgl64.Vec2) { slide(v, by.Add(jump)) }
			}
			h.from = h.at
		} else {
			reach := p.Eye.Sub(p.LookAt).Len() / 4
			if v.Len() == 0 || reach == 0 {
				continue
			}
			at, ok := world.at(p.LookAt.Add(v.Normalize().Mul(reach)))
			if !ok {
				continue
			}
			long := max(world.way(p.LookAt, world.Right).Len()*reach, 1)
			h.tip, h.at = "drag to turn "+l.Name, inside(at)
			start := h.at
			h.move = func(v []float64, by mgl64.Vec2) {
				to := start.Add(by)
				turned := world.Turned(mgl64.Vec3(v), to.Sub(middle).Mul(1/long), func(dir mgl64.Vec3) mgl64.Vec2 {
					at, _ := world.at(p.LookAt.Add(dir.Mul(reach)))
					return to.Sub(at).Mul(1 / long)
				})
				copy(v, turned[:])
			}
		}
		list = append(list, h)
	}
	return list
}

// lightHandle is a handle of a light.
type lightHandle struct {
	handle
	name string
	was  []float64
	from mgl64.Vec2 // the other end of its line
}

// handles returns the handles of the draw, and its centre in the window.
func (a *App) handles(p *session.Placement) (list []handle, middle mgl64.Vec2) {
	origin := mgl64.Vec3(p.Values[session.PlacementAt])
	world := a.inWindow(p.Projection)
	middle, ok := world.at(origin)
	if !ok {
		return nil, middle
	}
	length := float64(a.screen.Units(arm))
	for k := range axisColors {
		dir := mgl64.Vec3{}
		dir[k] = 1
		if to := world.way(origin, dir); to.Len() > 1 { // otherwise it points at the camera
			list = append(list, handle{"drag to move " + p.Name + " along " + string("xyz"[k]), session.PlacementAt, axisColors[k], middle.Add(to.Normalize().Mul(length)),
				func(v []float64, by mgl64.Vec2) { v[k] += by.Dot(to) / to.Dot(to) }})
		}
	}
	corner := mgl64.Vec2{length, length}.Mul(0.6)
	return append(list, handle{"drag to move " + p.Name, session.PlacementAt, ui.Text, middle, world.slide(origin)},
		handle{"drag to turn " + p.Name, session.PlacementRotate, ui.Changed, middle.Add(mgl64.Vec2{corner[0], -corner[1]}), func(v []float64, by mgl64.Vec2) {
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

// drawHandles draws the handles of the lights and of the edited draw.
func (a *App) drawHandles() {
	s := a.screen
	undo := s.Clip(a.win.area)
	defer undo()
	for _, h := range a.lightHandles() {
		s.Stroke(pointOf(h.from), pointOf(h.at), h.color)
		a.drawHandle(&h.handle, "", h.was)
		s.Text(min(int(h.at[0])-s.Width(h.name)/2, a.win.area.Max.X-s.Width(h.name)), int(h.at[1])+s.Units(8), h.name, h.color)
	}
	p := a.placement()
	if p == nil {
		return
	}
	list, middle := a.handles(p)
	for _, h := range list {
		if h.part == session.PlacementAt && h.at != middle {
			s.Stroke(pointOf(middle), pointOf(h.at), h.color)
		}
	}
	for i := range list {
		a.drawHandle(&list[i], a.target, p.Values[list[i].part])
	}
}

func pointOf(v mgl64.Vec2) image.Point {
	return image.Pt(int(math.Round(v[0])), int(math.Round(v[1])))
}

// drawHandle draws a handle that changes a vector of a draw, or of the scene.
func (a *App) drawHandle(h *handle, draw string, was []float64) {
	s, at := a.screen, pointOf(h.at)
	half := s.Units(6)
	r := image.Rect(at.X-half, at.Y-half, at.X+half, at.Y+half)
	grip := r.Inset(-half)
	s.Fill(r, color.RGBA{0, 0, 0, 255})
	s.Fill(r.Inset(s.Units(2)), h.color)
	if s.Hot(grip) {
		s.Fill(r.Inset(s.Units(1)), h.color)
	}
	part, move := h.part, h.move
	s.Add(ui.Zone{Rect: grip, Tip: h.tip, Shape: ui.Hand, Press: func(ui.Mouse) { a.drag.handle = true; a.panel.Commit() }, Drag: func(m ui.Mouse) {
		d, v := m.At.Sub(m.From), slices.Clone(was)
		move(v, mgl64.Vec2{float64(d.X), float64(d.Y)})
		e := session.Edit{Name: part, Draw: draw}
		for _, x := range v {
			e.Values = append(e.Values, math.Round(x*1e4)/1e4)
		}
		a.remember(e.Name)
		a.history.stepped(false, a.o.Now())
		a.req.Edits[e.Key()] = e
		a.render()
	}, Release: func(ui.Mouse) { a.history.stepped(true, a.o.Now()) }})
}
