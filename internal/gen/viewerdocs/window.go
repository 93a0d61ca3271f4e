package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"pica200/internal/xscreen"
	"pica200/viewer"
	"pica200/viewer/app"
	"pica200/viewer/session"
)

// window is a hand on a real window: keys and mouse go through the X server, and pictures show its screen. Only the clock is
// simulated.
type window struct {
	screen *xscreen.Screen
	wake   func()
	calls  chan func(a *app.App)
	over   chan struct{} // closed with the window
	clock  atomic.Int64
	err    error // the first error of input or pictures
}

// onScreen opens a window that fills the screen and runs use on it.
func onScreen(path string, w, h int, o app.Options, use func(hand hand) error) error {
	screen, err := xscreen.Start(w, h)
	if err != nil {
		return err
	}
	defer screen.Close()
	for _, v := range screen.Env() {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	s, err := session.Open(path, session.Options{})
	if err != nil {
		return err
	}
	win := &window{screen: screen, calls: make(chan func(*app.App), 1), over: make(chan struct{})}
	o.Now = win.now
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	used := make(chan error, 1)
	err = viewer.Run(ctx, s, viewer.Options{Options: o, Width: w, Height: h, Each: func(a *app.App, wake func()) {
		if win.wake == nil {
			win.wake = wake
			go func() {
				win.do("search", "--sync", "--onlyvisible", "--name", "pica200", "windowfocus")
				used <- use(win)
				cancel()
			}()
		}
		for {
			select {
			case f := <-win.calls:
				f(a)
			default:
				return
			}
		}
	}})
	close(win.over)
	if win.wake == nil {
		return err
	}
	return errors.Join(err, <-used, win.err)
}

// do runs xdotool and waits until the server has processed it.
func (w *window) do(args ...string) {
	for _, args := range [][]string{args, {"getmouselocation"}} {
		if err := w.screen.Do(args...); err != nil && w.err == nil {
			w.err = err
		}
	}
}

// keysyms are the X server's names of keys.
var keysyms = map[app.Key]string{app.KeyEscape: "Escape", app.KeyEnter: "Return", app.KeyTab: "Tab", app.KeyDelete: "Delete", app.KeyBackspace: "BackSpace",
	app.KeyLeft: "Left", app.KeyRight: "Right", app.KeyUp: "Up", app.KeyDown: "Down", app.KeyPageUp: "Prior", app.KeyPageDown: "Next",
	app.KeyHome: "Home", app.KeyEnd: "End", ' ': "space", '[': "bracketleft", ']': "bracketright", '/': "slash", '.': "period", ',': "comma", '=': "equal", '-': "minus"}

func (w *window) Key(k app.Key, m app.Mods) {
	name, named := keysyms[k]
	if !named {
		name = strings.ToLower(k.String())
		if k > 'Z' {
			name = k.String() // F1
		}
	}
	w.do("key", strings.ToLower(m.String())+name)
}

func (w *window) Char(r rune) { w.do("type", "--delay", "0", string(r)) }

func (w *window) Press(b app.Button, _ app.Mods, p image.Point) {
	w.Move(p)
	w.do("mousedown", fmt.Sprint(map[app.Button]int{app.ButtonLeft: 1, app.ButtonMiddle: 2, app.ButtonRight: 3}[b]))
}

func (w *window) Release(p image.Point) {
	w.Move(p)
	w.do("mouseup", "1")
}

func (w *window) Move(p image.Point) { w.do("mousemove", fmt.Sprint(p.X), fmt.Sprint(p.Y)) }

func (w *window) Scroll(by float64) {
	button := "4"
	if by < 0 {
		button = "5"
	}
	w.do("click", button)
}

// with calls f on the goroutine of the window's events.
func (w *window) with(f func(a *app.App)) {
	done := make(chan struct{})
	select {
	case w.calls <- func(a *app.App) { f(a); close(done) }:
	case <-w.over:
		return
	}
	w.wake()
	select {
	case <-done:
	case <-w.over:
	}
}

func (w *window) rest() {
	for quiet := 0; quiet < 3; {
		select {
		case <-w.over:
			return
		case <-time.After(3 * time.Millisecond):
		}
		w.with(func(a *app.App) {
			if quiet++; !a.Rests() {
				quiet = 0
			}
		})
	}
}

func (w *window) now() time.Time { return time.Unix(0, w.clock.Load()) }

func (w *window) wait(seconds float64) {
	w.rest() // timers of the clock take no real time
	for range int(seconds * 20) {
		w.clock.Add(int64(50 * time.Millisecond))
		w.rest()
	}
}

// picture returns the screen when it no longer changes.
func (w *window) picture() *image.RGBA {
	var last *image.RGBA
	for {
		img, err := w.screen.Shot()
		if err != nil {
			if w.err == nil {
				w.err = err
			}
			return image.NewRGBA(image.Rect(0, 0, 1, 1))
		}
		if last != nil && bytes.Equal(img.Pix, last.Pix) {
			return img
		}
		last = img
		time.Sleep(20 * time.Millisecond)
	}
}
