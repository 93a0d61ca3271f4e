package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"pica200/internal/film"
	"pica200/viewer/app"
	"pica200/viewer/session"
)

// tourist is a hand with a visible mouse.
type tourist struct {
	hand
	rec   *film.Recorder
	mouse image.Point

	err error // the first item that was not found
}

// look advances the clock and records ten pictures a second.
func (t *tourist) look(seconds float64) {
	for range int(seconds*10 + 0.5) {
		t.wait(0.1)
		img := t.picture()
		arrow(img, t.mouse)
		t.rec.Add(img, t.now())
	}
}

// moveTo moves the mouse like a hand: first straight down out of the menu bar, which would open another menu.
func (t *tourist) moveTo(p image.Point) {
	if bar := t.area().Min.Y; t.mouse.Y < bar && p.Y >= bar {
		t.mouse.Y = bar + 4
		t.Move(t.mouse)
	}
	from := t.mouse
	for i := 1; i <= 4; i++ {
		k := float64(i) / 4
		k = float64(k*k) * (3 - float64(2*k))
		d := p.Sub(from)
		t.mouse = from.Add(image.Pt(int(float64(float64(d.X)*k)), int(float64(float64(d.Y)*k))))
		t.Move(t.mouse)
		t.look(0.1)
	}
}

// point returns the position of the item with a tip.
func (t *tourist) point(tip string) image.Point {
	t.rest()
	var p image.Point
	ok := false
	t.with(func(a *app.App) { p, ok = a.Screen().Where(tip) })
	if !ok && t.err == nil {
		t.err = fmt.Errorf("nothing in the window is called %q", tip)
	}
	return p
}

// area is the rectangle of the picture.
func (t *tourist) area() (r image.Rectangle) {
	t.with(func(a *app.App) { r = a.Area() })
	return r
}

// press moves to a point and clicks.
func (t *tourist) press(p image.Point) {
	t.moveTo(p)
	t.Press(app.ButtonLeft, 0, p)
	t.look(0.1)
	t.Release(p)
	t.look(0.3)
}

// take moves to the item with a tip and clicks.
func (t *tourist) take(tip string) {
	if p := t.point(tip); t.err == nil {
		t.press(p)
	}
}

// write types a text at reading speed.
func (t *tourist) write(s string) {
	for _, c := range s {
		t.Char(c)
		t.look(0.1)
	}
}

// tour records a walk through the window with the mouse.
func tour() error {
	dir, err := example("views.yaml", "window.yaml", "window.v.pica")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Paths are short and the same on every machine.
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	defer os.Chdir(back) //nolint:errcheck // it existed a moment ago
	if err := approved("views"); err != nil {
		return err
	}
	u, err := start("window.yaml", 800, 480, app.Options{Open: func(path string) (session.Source, error) { return session.Open(path, session.Options{}) }})
	if err != nil {
		return err
	}
	defer u.Close()
	t := &tourist{hand: u, rec: film.NewRecorder(film.GIF), mouse: image.Pt(400, 400)}
	t.walk()
	if t.err != nil {
		return t.err
	}
	return t.rec.Finish(filepath.Join(back, out, "tour.gif"), t.now())
}

// approved writes a golden case of the current scene.
func approved(name string) error {
	s, err := session.Open(name+".yaml", session.Options{})
	if err != nil {
		return err
	}
	p, err := s.Render(context.Background(), &session.Request{Draw: -1, Alpha: true})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p.Raw); err != nil {
		return err
	}
	if err := os.WriteFile(name+"-color.png", b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(name+".case.yaml", []byte("source: "+name+".yaml\nimages:\n  - target: color\n"), 0o644)
}

// walk opens a file, searches a uniform, draws a table, undoes and saves, steps through draws, explains a pixel and approves the
// result.
func (t *tourist) walk() {
	t.look(0.5)
	t.take("File")
	t.take("open a file")
	t.look(0.4)
	t.take("views.yaml")
	t.look(0.8)

	t.take("uniforms (Tab)")
	t.look(0.3)
	t.write("/samplerD0")
	t.Key(app.KeyEnter, 0)
	t.look(0.3)
	t.take("open the curve")
	c := t.point("draw with the mouse")
	t.moveTo(c.Add(image.Pt(-100, 30)))
	t.Press(app.ButtonLeft, 0, t.mouse)
	t.moveTo(c.Add(image.Pt(-30, -35)))
	t.moveTo(c.Add(image.Pt(40, 10)))
	t.moveTo(c.Add(image.Pt(90, -50)))
	t.Release(t.mouse)
	t.look(0.8)
	t.take("undo (Ctrl+Z)")
	t.look(0.6)
	t.take("redo (Ctrl+Y)")
	t.look(0.4)
	t.take("save into the scene file (Ctrl+S)")
	t.look(0.8)
	t.take("uniforms (Tab)")

	t.take("Frame")
	t.take("next draw")
	t.look(0.6)
	t.Key(']', 0)
	t.look(0.8)
	t.Key(']', 0)
	t.look(0.6)

	t.press(t.area().Min.Add(image.Pt(420, 225)))
	t.look(1)
	t.moveTo(image.Pt(190, 320))
	for range 3 {
		t.Scroll(-1)
		t.look(0.2)
	}
	t.look(0.8)
	t.Key(app.KeyEscape, 0)
	t.look(0.4)

	t.take("File")
	t.take("open a file")
	t.take("views.case.yaml")
	title := ""
	t.with(func(a *app.App) { title = a.Title() })
	if strings.HasPrefix(title, "*") { // asks about unsaved changes
		t.Key('D', 0)
	}
	t.look(1.2)
	t.Key('B', 0)
	t.look(2)
	t.Key('B', 0)
	t.look(0.4)
	t.Key(app.KeyEnter, app.Ctrl)
	t.look(1.6)
}

// arrow draws the mouse.
func arrow(img *image.RGBA, at image.Point) {
	const rows = 16
	for y := range rows {
		w := y*3/4 + 1
		if y > 11 {
			w = 5 - (y-11)/2
		}
		for x := range w {
			c := color.RGBA{255, 255, 255, 255}
			if x == 0 || x == w-1 || y == rows-1 || y == 11 && x > 4 {
				c = color.RGBA{0, 0, 0, 255}
			}
			if p := at.Add(image.Pt(x, y)); p.In(img.Rect) {
				img.SetRGBA(p.X, p.Y, c)
			}
		}
	}
}
