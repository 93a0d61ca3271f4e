// Viewerdocs makes the pictures of docs/VIEWER.md and the animated picture of the README with the viewer's screenshots and
// recorder. It drives the viewer without a window, by keys, characters and mouse, with its own clock, so that the pictures are
// always the same.
//
// The films artist and author use the real window: keys and mouse come from an X server without a screen, and the pictures show its
// contents.
//
//	go run ./internal/gen/viewerdocs
//	go run ./internal/gen/viewerdocs artist author   # films by name: tour, artist, author, film
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pica200/internal/film"
	"pica200/viewer/app"
	"pica200/viewer/session"
)

const (
	out   = "docs/viewer"
	scene = "viewer/testdata/views.yaml"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "viewerdocs:", err)
		os.Exit(1)
	}
}

func run() error {
	films := map[string]func() error{"tour": tour, "artist": artist, "author": author, "film": readme}
	for _, name := range os.Args[1:] {
		make := films[name]
		if make == nil {
			return fmt.Errorf("there is no film %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(films)), ", "))
		}
		if err := make(); err != nil {
			return err
		}
	}
	if len(os.Args) > 1 {
		return nil
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	s, err := session.Open(scene, session.Options{})
	if err != nil {
		return err
	}
	for _, v := range session.Views() {
		p, err := s.Render(context.Background(), &session.Request{View: v, Draw: -1})
		if err == nil {
			err = write("view-"+session.ViewName(v), p.Image)
		}
		if err != nil {
			return err
		}
	}
	for _, make := range []func() error{windows, frames, tour, readme} {
		if err := make(); err != nil {
			return err
		}
	}
	return nil
}

func write(name string, img image.Image) error {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name+".png"), b.Bytes(), 0o666)
}

// hand operates a viewer, with its own clock.
type hand interface {
	Key(k app.Key, m app.Mods)
	Char(r rune)
	Press(b app.Button, m app.Mods, p image.Point)
	Release(p image.Point)
	Move(p image.Point)
	Scroll(by float64)

	wait(seconds float64)
	now() time.Time
	rest()                   // until everything requested is loaded
	picture() *image.RGBA    // of the window
	with(f func(a *app.App)) // calls f with the viewer
}

// user drives a viewer without its window.
type user struct {
	*app.App
	wake  chan bool
	clock time.Time
	seen  func() // called after each step of the clock
}

func (u *user) now() time.Time          { return u.clock }
func (u *user) picture() *image.RGBA    { return u.Window() }
func (u *user) with(f func(a *app.App)) { f(u.App) }

func start(path string, w, h int, o app.Options) (*user, error) {
	s, err := session.Open(path, session.Options{})
	if err != nil {
		return nil, err
	}
	u := &user{wake: make(chan bool, 1000), clock: time.Unix(0, 0)}
	o.Now = func() time.Time { return u.clock }
	o.Wake = func() { u.wake <- true }
	u.App = app.New(s, o)
	u.Resize(w, h, 1)
	u.rest()
	return u, nil
}

// rest waits until everything requested is loaded.
func (u *user) rest() {
	for {
		u.Update()
		u.Overlay()
		if u.Rests() {
			return
		}
		select {
		case <-u.wake:
		case <-time.After(10 * time.Millisecond): // idle sources do not wake the viewer
		}
	}
}

// reread waits until changed files have been read.
func (u *user) reread() error {
	for len(u.wake) > 0 {
		<-u.wake
	}
	select {
	case <-u.wake:
	case <-time.After(30 * time.Second):
		return errors.New("a changed file is not read")
	}
	u.rest()
	return nil
}

// wait advances the clock by a twentieth of a second at a time.
func (u *user) wait(seconds float64) {
	for range int(seconds * 20) {
		u.clock = u.clock.Add(50 * time.Millisecond)
		u.Update()
		u.rest()
		if u.seen != nil {
			u.seen()
		}
	}
}

func (u *user) typed(s string) {
	for _, c := range s {
		u.Char(c)
	}
}

func (u *user) click(x, y int) {
	u.Press(app.ButtonLeft, 0, image.Pt(x, y))
	u.Release(image.Pt(x, y))
	u.rest()
}

// windows makes the pictures of the whole window.
func windows() error {
	u, err := start(scene, 800, 480, app.Options{})
	if err != nil {
		return err
	}
	defer u.Close()
	shot := func(name string) error {
		u.rest()
		return write(name, u.Window())
	}
	u.Key(app.KeyTab, 0)
	u.rest()
	u.typed("/texenv[1]")
	u.Key(app.KeyEnter, 0)
	u.Key(app.KeyDown, 0)
	if err := shot("panel"); err != nil {
		return err
	}
	u.typed("/samplerD0")
	u.Key(app.KeyEnter, 0)
	u.Key(app.KeyEnter, 0)
	u.rest()
	p, ok := u.Screen().Where("draw with the mouse")
	if !ok {
		return errors.New("there is no curve in the panel")
	}
	u.Press(app.ButtonLeft, 0, p.Add(image.Pt(-120, 40)))
	u.Move(p.Add(image.Pt(-20, -30)))
	u.Move(p.Add(image.Pt(60, -30)))
	u.Release(p.Add(image.Pt(60, -30)))
	if err := shot("table"); err != nil {
		return err
	}
	u.Key('Z', app.Ctrl)
	u.Key(app.KeyEscape, 0)
	u.Key(app.KeyEscape, 0)
	u.rest()
	u.click(420, 225)
	u.Key(app.KeyPageDown, 0)
	u.Key(app.KeyPageDown, 0)
	if err := shot("inspector"); err != nil {
		return err
	}
	u.Key(app.KeyEscape, 0)
	u.Key(app.KeyF1, 0)
	return shot("keys")
}

// example copies files of the window's tests to a temporary folder, where they may be changed.
func example(names ...string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "viewerdocs"); err != nil {
		return "", err
	}
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join("viewer/testdata", n))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, n), data, 0o644)
		}
		if err != nil {
			os.RemoveAll(dir)
			return "", err
		}
	}
	return dir, nil
}

// readme records the README's picture: an orbit, a change in the panel, views, an edit of the shader while it is shown, and a mistake
// in it.
func readme() error {
	dir, err := example("window.yaml", "window.v.pica")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	shader := filepath.Join(dir, "window.v.pica")
	source, err := os.ReadFile(shader)
	if err != nil {
		return err
	}
	u, err := start(filepath.Join(dir, "window.yaml"), 640, 384, app.Options{})
	if err != nil {
		return err
	}
	defer u.Close()
	rec := film.NewRecorder(film.GIF)
	step := 0
	u.seen = func() {
		if step++; step%2 == 0 { // ten pictures a second
			rec.Add(u.Window(), u.now())
		}
	}
	// change edits the shader file and waits until the change is visible.
	change := func(old, new string, seconds float64) error {
		if !strings.Contains(string(source), old) {
			return fmt.Errorf("%s has no %q", shader, old)
		}
		u.rest()
		err := os.WriteFile(shader, []byte(strings.Replace(string(source), old, new, 1)), 0o644)
		if err == nil {
			err = u.reread()
		}
		u.wait(seconds)
		return err
	}
	until := func(view string) {
		for session.ViewName(u.Picture().Request.View) != view {
			u.Key('V', 0)
			u.rest()
		}
	}

	u.wait(0.4)
	u.Press(app.ButtonLeft, 0, image.Pt(300, 200))
	for i := 1; i <= 8; i++ {
		u.Move(image.Pt(300+15*i, 200+3*i))
		u.wait(0.1)
	}
	u.Release(image.Pt(420, 224))
	u.wait(0.4)
	u.Key(app.KeyTab, 0)
	u.rest()
	u.typed("/material diffuse")
	u.Key(app.KeyEnter, 0)
	u.wait(0.6)
	for range 8 {
		u.Key(app.KeyLeft, app.Shift)
		u.wait(0.1)
	}
	u.Key('N', 0)
	for range 4 {
		u.Key(app.KeyRight, app.Shift)
		u.wait(0.1)
	}
	u.wait(0.5)
	u.Key(app.KeyEscape, 0)
	u.Key(app.KeyEscape, 0)
	u.wait(0.4)
	for _, name := range []string{"normal", "wireframe", "overdraw"} {
		until(name)
		u.wait(0.8)
	}
	until("final")
	u.wait(0.3)
	for _, c := range []struct {
		old, new string
		seconds  float64
	}{{"mov outColor, color", "mov outColor, colour", 1.6}, {"mov r0.xyz, position", "mul r0.xyz, half, position", 1.2}, {"", "", 0.6}} {
		if err := change(c.old, c.new, c.seconds); err != nil {
			return err
		}
	}
	u.click(330, 260)
	u.wait(1.6)
	return rec.Finish("docs/viewer.gif", u.now())
}
