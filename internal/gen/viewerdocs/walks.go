package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"pica200/internal/demo"
	"pica200/internal/film"
	"pica200/viewer/app"
	"pica200/viewer/session"
)

// walkIn records a walk in a temporary folder to docs/viewer/NAME.gif. prepare writes files there and returns the first to open.
func walkIn(name string, prepare func(dir string) (first string, err error), walk func(t *tourist)) error {
	dir, err := os.MkdirTemp("", "viewerdocs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	first, err := prepare(dir)
	if err != nil {
		return err
	}
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	// Paths are short and the same on every machine.
	if err := os.Chdir(dir); err != nil {
		return err
	}
	defer os.Chdir(back) //nolint:errcheck // it existed a moment ago
	return onScreen(first, 800, 480, app.Options{Open: func(path string) (session.Source, error) { return session.Open(path, session.Options{}) }}, func(h hand) error {
		t := &tourist{hand: h, rec: film.NewRecorder(film.GIF), mouse: image.Pt(240, 300)}
		walk(t)
		return errors.Join(t.err, t.rec.Finish(filepath.Join(back, out, name+".gif"), t.now()))
	})
}

// artist sets up materials: it changes two of them, draws a table, makes gas thinner, saves, and approves a golden case, which it
// opens.
func artist() error {
	return walkIn("artist", func(dir string) (string, error) {
		for _, name := range []string{"gas.yaml", "screen.v.pica"} {
			data, err := os.ReadFile(filepath.Join("testdata/scenes", name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
			}
			if err != nil {
				return "", err
			}
		}
		return "gas.yaml", nil
	}, func(t *tourist) {
		t.look(0.6)
		t.take("uniforms (Tab)")
		for _, m := range []struct{ draw, color string }{{"1 solid/pot", "0.35 1 1 1"}, {"2 solid/ring", "1 0.35 0.6 1"}} {
			t.edits(m.draw)
			t.set("material diffuse", m.color)
		}
		t.edits("6 main/smoke")
		t.set("gas.attenuation", "0.12")
		t.write("/fog.samp")
		t.Key(app.KeyEnter, 0)
		t.look(0.3)
		t.take("open the curve")
		c := t.point("draw with the mouse")
		t.moveTo(c.Add(image.Pt(-150, 40)))
		t.Press(app.ButtonLeft, 0, t.mouse)
		t.moveTo(c.Add(image.Pt(-40, 30)))
		t.moveTo(c.Add(image.Pt(60, -20)))
		t.moveTo(c.Add(image.Pt(150, -45)))
		t.Release(t.mouse)
		t.look(0.8)
		t.take("save into the scene file (Ctrl+S)")
		t.look(0.8)
		t.take("uniforms (Tab)")
		t.Key('G', app.Ctrl)
		t.look(0.8)
		t.Key(app.KeyEnter, 0)
		t.look(1)
		t.Key('O', app.Ctrl)
		t.write("golden/gas.case.yaml")
		t.Key(app.KeyEnter, 0)
		t.look(1.8)
	})
}

// edits selects the draw that changes apply to.
func (t *tourist) edits(draw string) {
	t.take("the draws that changes apply to")
	t.Key(app.KeyEnter, 0)
	t.look(0.2)
	t.take(draw)
}

// set searches a uniform and types a value.
func (t *tourist) set(uniform, value string) {
	t.write("/" + uniform)
	t.Key(app.KeyEnter, 0)
	t.look(0.2)
	t.Key(app.KeyEnter, 0)
	t.write(value)
	t.Key(app.KeyEnter, 0)
	t.look(0.6)
}

// author works on an emulator: in a recording of 1,000 frames it goes to one, lists and filters its draws, explains a pixel and
// finds the line of the recorded shader that wrote the wrong value.
func author() error {
	return walkIn("author", func(dir string) (string, error) {
		for i := range demo.Recordings {
			r := &demo.Recordings[i]
			if r.Name != "own_scene" {
				continue
			}
			data, err := r.Trace(context.Background(), 1000)
			if err != nil {
				return "", err
			}
			return "game.ctf", os.WriteFile(filepath.Join(dir, "game.ctf"), data, 0o644)
		}
		return "", fmt.Errorf("there is no recording own_scene")
	}, func(t *tourist) {
		t.look(0.6)
		t.Key('J', app.Shift)
		t.look(0.4)
		t.write("700")
		t.Key(app.KeyEnter, 0)
		t.look(0.8)
		for screens := session.BothScreens; screens != session.NoScreens; {
			t.Key('S', 0)
			t.rest()
			t.with(func(a *app.App) { screens = a.Picture().Request.Screens })
		}
		t.look(0.4)
		t.Key('L', 0)
		t.look(0.6)
		list := t.area().Min
		t.press(image.Pt(list.X-240, list.Y+62))
		t.write("pixels>9999")
		t.Key(app.KeyEnter, 0)
		t.look(0.4)
		t.press(image.Pt(list.X-200, list.Y+140))
		t.look(1)
		t.Key('L', 0)
		t.look(0.4)
		t.press(image.Pt(458, 190))
		t.look(1)
		t.take("show the line that writes color")
		t.look(2)
	})
}
