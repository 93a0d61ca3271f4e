package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"pica200/internal/film"
	"pica200/viewer"
	"pica200/viewer/app"
	"pica200/viewer/session"
)

type viewCmd struct {
	File string `arg:"" optional:"" piped:"no" help:"Model (.gltf, .glb, .obj, .cgfx, .bnr), scene (.yaml), trace (.ctf, .picatrace), shader (.shbin, .v.pica), texture (.t3x) or golden case (.case.yaml). The window asks for one without it."`

	View      string `default:"final" placeholder:"NAME" help:"What to show: final, depth, stencil, normal, wireframe, texture0 and so on; V goes through them."`
	Frame     int    `default:"0" placeholder:"N" help:"Frame of a trace to begin with, from 0."`
	Size      string `default:"1280x720" placeholder:"WxH" help:"Size of the window (default 1280x720)."`
	Panel     bool   `help:"Begin with the panel of uniforms open."`
	Timing    bool   `help:"Begin with the timing overlay."`
	Play      bool   `help:"Begin with the animation playing."`
	Turntable bool   `help:"Begin with the turntable on."`
	Format    string `default:"gif" enum:"gif,apng,png" placeholder:"FORMAT" help:"How F9 records: gif, apng, or png for a folder of pictures (default gif)."`
	Out       string `short:"o" placeholder:"DIR" help:"Where pictures and recordings go; the working directory without it."`
	rootFlags
	strictFlags
}

func (viewCmd) Help() string {
	return `Opens a window that shows what the software pipeline renders. Use it to
write a shader or to set up a material. When you save the scene, the model, a
texture or a shader, the window updates at once. If there is an error, it is
shown with its line, and the last good picture stays.

Drag to orbit, right drag to pan, wheel to zoom, click a pixel to see how its
colour was computed. F1 lists the keys, Tab opens the uniforms, V changes the
view, F12 saves a picture, F9 records. L lists the draws of a frame, E shows the
state of a recorded draw. A golden case shows expected, actual and difference;
Ctrl+Enter approves it. An invalid draw, fetch or copy that the console would skip is a
warning; the line at the bottom counts warnings.

It needs a display with OpenGL 4.1 and a build with cgo ("make viewer").

Examples:

  pica200 view scene.yaml
  pica200 view model.glb --turntable
  pica200 view my.v.pica --panel
  pica200 view game.ctf --frame 3
  pica200 view golden/lit.case.yaml`
}

func (c *viewCmd) Run(ctx context.Context, con *console) error {
	o := viewer.Options{}
	var err error
	if o.View, err = session.ParseView(c.View); err != nil {
		return usagef("--view: %v", err)
	}
	if o.Width, o.Height, err = app.ParseSize(c.Size); err != nil {
		return usagef("--size: %v", err)
	}
	if o.Format, err = film.ParseFormat(c.Format); err != nil {
		return usagef("--format: %v", err)
	}
	if c.File != "" {
		if err := session.Check(c.File); err != nil {
			return err
		}
	}
	o.Options = app.Options{View: o.View, Format: o.Format, Frame: c.Frame, Panel: c.Panel, Timing: c.Timing,
		Play: c.Play, Turntable: c.Turntable, OutDir: c.Out, First: c.File}
	read, unread := false, error(nil)
	o.Open = func(path string) (session.Source, error) {
		con.inputs.Again() // another document
		first := !read
		read = true
		s, err := session.OpenForRepair(path, session.Options{Roots: c.Root, Strict: c.Strict})
		if err != nil || !first {
			return s, err
		}
		unread = session.Unread(s)
		if n := s.Info().Frames; n > 0 && (c.Frame < 0 || c.Frame >= n) {
			s.Close()
			return nil, usagef("--frame %d: the trace has %d, counted from 0", c.Frame, n)
		}
		return s, nil
	}
	if dir, err := os.UserConfigDir(); err == nil {
		o.Recent = filepath.Join(dir, "pica200", "recent")
	}
	if !signal.Ignored(syscall.SIGHUP) { // unless ignored, as by nohup, the end of the terminal closes the window, so that a recording is written
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGHUP)
		defer stop()
	}
	err = viewer.Run(ctx, nil, o)
	if err != nil && !read && c.File != "" { // no window, which would have shown the error
		s, wrong := o.Open(c.File)
		if wrong != nil {
			return wrong
		}
		s.Close()
	}
	if err != nil && unread != nil {
		return unread // the window would have shown it
	}
	return err
}
