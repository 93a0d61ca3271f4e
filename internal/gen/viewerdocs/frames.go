package main

import (
	"bytes"
	"os"
	"path/filepath"

	"pica200/viewer/app"
	"pica200/viewer/session"
)

// frames makes the pictures of recordings and golden cases: a list of draws, the inputs of a draw, its shader step by step, and a
// case that differs.
func frames() error {
	u, err := start("testdata/traces/lights.ctf", 800, 480, app.Options{})
	if err != nil {
		return err
	}
	defer u.Close()
	u.Key('L', 0)
	u.rest()
	for range 2 {
		u.Key(']', 0)
		u.rest()
	}
	if err := write("draws", u.Window()); err != nil {
		return err
	}
	u.Key('L', 0) // no room for both here
	u.Key('E', 0)
	u.rest()
	if at, ok := u.Screen().Where("only what this draw has changed"); ok {
		u.click(at.X, at.Y)
	}
	if err := write("state", u.Window()); err != nil {
		return err
	}
	for range 14 { // the first key only shows them
		u.Key('N', 0)
		u.rest()
	}
	if err := write("steps", u.Window()); err != nil {
		return err
	}
	return differs()
}

// differs makes a golden case of a scene, changes the scene and opens the case.
func differs() error {
	dir, err := example("window.yaml", "window.v.pica")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "window.yaml")
	u, err := start(path, 800, 480, app.Options{Open: func(path string) (session.Source, error) { return session.Open(path, session.Options{}) }})
	if err != nil {
		return err
	}
	defer u.Close()
	u.Key('G', app.Ctrl)
	u.rest()
	u.Key(app.KeyEnter, 0)
	u.rest()
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text = bytes.Replace(text, []byte("    model: knot\n"), []byte("    model: knot\n    at: [0.1, 0.05, 0]\n"), 1)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	u.OpenFile(filepath.Join(dir, "golden", "window.case.yaml"))
	u.rest()
	u.wait(5) // until the message disappears
	return write("golden", u.Window())
}
