package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"pica200/internal/film"
	"pica200/internal/plural"
	"pica200/scene/scenebuild"
	"pica200/scene/source"
)

// stageFlags are the options for how a scene or model is shown.
type stageFlags struct {
	Animation string `placeholder:"NAME|N" help:"Of a scene or model: the animation to play, by name or number, or none."`
	Camera    string `placeholder:"NAME|N" help:"Of a CGFX model: a camera of the file, menu (the view of the HOME Menu) or whole (everything in view)."`
	Turntable int    `placeholder:"N" help:"Of a scene or model: N frames in which the camera goes around once."`
	Stereo    bool   `help:"Of a scene or model: draw for both eyes, as on the top screen; a single file has them side by side. Not needed for a scene whose camera is in stereo."`
	Size      string `placeholder:"WxH" help:"Of a scene or model: size of the picture, multiples of 8."`
}

// apply applies the flags to a stage. It returns the number of frames.
func (f *stageFlags) apply(st *scenebuild.Stage, frames int, step float64) (int, error) {
	if f.Animation != "" {
		if err := st.SetAnimation(f.Animation); err != nil {
			return 0, usagef("--animation: %v", err)
		}
	}
	if f.Camera != "" {
		if err := st.SetCamera(f.Camera); err != nil {
			return 0, usagef("--camera: %v", err)
		}
	}
	if f.Size != "" {
		var w, h int
		_, err := fmt.Sscanf(f.Size, "%dx%d", &w, &h)
		if err != nil || fmt.Sprintf("%dx%d", w, h) != f.Size {
			return 0, usagef("--size: %q is not a size: expected WIDTHxHEIGHT", f.Size)
		}
		err = st.SetSize(w, h)
		if err != nil {
			return 0, usagef("--size: %v", err)
		}
	}
	if f.Turntable > 0 {
		frames = f.Turntable
		st.Turntable(float64(float64(frames) * step))
	}
	if f.Stereo {
		if err := st.Stereo(scenebuild.EyeDistance, scenebuild.MenuDistance); err != nil {
			return 0, usagef("--stereo: %v", err)
		}
	}
	return frames, nil
}

// animated reports whether a file name has an extension of an animation format.
func animated(path string) (film.Format, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gif":
		return film.GIF, true
	case ".apng":
		return film.APNG, true
	}
	return 0, false
}

// movie draws the frames of a stage into one animation. Without a number of
// frames it is the whole animation, at 25 frames a second or by --step.
func (c *renderCmd) movie(ctx context.Context, con *console, s *source.Scene, format film.Format, frames int, start float64) error {
	step := c.Step
	if frames == 1 {
		if step == defaultStep {
			step = 0.04
		}
		if frames = int(s.Stage.Duration()/step + 0.5); frames < 1 {
			frames = 1
		}
		frames = min(frames, maxMovie)
	}
	if frames > maxMovie {
		return usagef("--frames: a moving picture has at most %d", maxMovie)
	}
	r := film.NewRecorder(format)
	bar := newBar(con, c.Quiet, frames, "frames")
	defer bar.done()
	var zero time.Time
	at := func(i int) time.Time { return zero.Add(time.Duration(float64(i) * step * float64(time.Second))) }
	for i := range frames {
		p, err := s.Draw(ctx, &source.Request{Time: start + float64(float64(i)*step), Watch: i == 0 && !c.Quiet})
		if err != nil {
			return err
		}
		img, err := p.Shown()
		if err != nil {
			return err
		}
		r.Add(source.Opaque(img), at(i))
		bar.step(i + 1)
	}
	bar.done()
	if err := c.printNotes(ctx, con, s, start); err != nil {
		return err
	}
	if err := r.Finish(c.Out, at(frames)); err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.out, "%s: %s in %s\n", inputName(c.Trace), plural.Of(frames, "frame"), c.Out)
	}
	return nil
}

const (
	defaultStep = 0.033333333
	maxMovie    = 1000
)
