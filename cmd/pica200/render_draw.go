package main

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"pica200/internal/plural"
	"pica200/pipeline"
	"pica200/scene/source"
)

// passTarget is a value of --target for a pass of the frame.
type passTarget struct {
	pass   int // -1 for all
	buffer string
}

// parseTarget parses --target: a buffer, pass3, pass3-depth, or all.
func parseTarget(name string) (p passTarget, ofPass bool, err error) {
	if name == "" || slices.Contains(source.TargetNames(), name) {
		return p, false, nil
	}
	if name == "all" {
		return passTarget{-1, "color"}, true, nil
	}
	number, buffer, more := strings.Cut(strings.TrimPrefix(name, "pass"), "-")
	if !more {
		buffer = "color"
	}
	n, bad := strconv.ParseUint(number, 10, 31)
	if bad != nil || !strings.HasPrefix(name, "pass") || !slices.Contains(source.TargetNames(), buffer) {
		return p, false, usagef("--target %s: there are %s, the same of a pass (pass0, pass0-depth, ...), and all", name, strings.Join(source.TargetNames(), ", "))
	}
	return passTarget{int(n), buffer}, true, nil
}

// checkDraws checks the options for single draws.
func (c *renderCmd) checkDraws() error {
	target, ofPass, err := parseTarget(c.Target)
	if err != nil {
		return err
	}
	switch {
	case c.Draw != nil && c.Screen != "":
		return usagef("--draw and --screen exclude each other: a draw goes to a render target")
	case c.Draw != nil && ofPass:
		return usagef("--draw and --target %s exclude each other: the draw has a target", c.Target)
	case c.Only && c.Draw == nil:
		return usagef("--only is for --draw")
	case ofPass && target.pass < 0 && !c.folder():
		return usagef("--target all needs a folder: -o %s/", c.Out)
	}
	return nil
}

// stepwise reports whether the options need a state in the middle of a frame.
func (c *renderCmd) stepwise() bool {
	_, ofPass, _ := parseTarget(c.Target)
	return c.Draw != nil || ofPass
}

// renderStepwise writes a target as it is after a draw or a pass.
func (c *renderCmd) renderStepwise(ctx context.Context, con *console, s source.Source) error {
	var times []float64
	if c.count > 1 || c.Time != nil {
		start := 0.0
		if c.Time != nil {
			start = *c.Time
		}
		for i := range c.count {
			times = append(times, start+float64(i)*c.Step)
		}
	}
	r, err := s.Record(ctx, times...)
	if err == nil {
		err = r.Start()
	}
	if err != nil {
		return err
	}
	defer r.Close()
	frame, err := r.FrameAt(c.Frame)
	if err != nil {
		return err
	}
	bar := newBar(con, c.Quiet, frame+1, "frames")
	defer bar.done()
	r.Progress = func(done, total int) { bar.step(frame + 1 - total + done) }
	if c.folder() {
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
	}
	written := 0
	write := func(name, buffer string) error {
		bar.done()
		b, err := source.ParseBuffer(buffer)
		if err != nil {
			return err
		}
		written++
		return c.writeImage(con, frame, name+buffer, func() (image.Image, error) { return b.Of(r.GPU) })
	}
	if c.Draw != nil {
		err = c.renderDraw(ctx, r, frame, write)
	} else {
		err = c.renderPasses(ctx, r, frame, write)
	}
	bar.done()
	c.printWarnings(con, r.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %s of frame %d in %s\n", inputName(c.Trace), plural.Of(written, "picture"), frame, c.Out)
	}
	return nil
}

func (c *renderCmd) renderDraw(ctx context.Context, r *source.Recording, frame int, write func(name, buffer string) error) error {
	draws, err := r.Draws(ctx, frame)
	if err != nil && *c.Draw >= len(draws) {
		return err
	}
	if *c.Draw >= len(draws) {
		return &pipeline.NoDrawError{Position: pipeline.Position{Frame: frame, Draw: *c.Draw}, Draws: len(draws)}
	}
	if draws[*c.Draw].LeftOut {
		return fmt.Errorf("frame %d: draw %d is left out, as a warning says, and has no picture", frame, *c.Draw)
	}
	pos, name := pipeline.Position{Frame: frame, Draw: *c.Draw}, fmt.Sprintf("draw%d-", *c.Draw)
	if c.Only {
		name += "only-"
		err = r.Only(ctx, pos)
	} else {
		err = r.Seek(ctx, pos)
	}
	if err != nil {
		return err
	}
	buffer := c.Target
	if buffer == "" {
		buffer = "color"
	}
	return write(name, buffer)
}

// renderPasses writes targets as they are after the last draw of their pass.
func (c *renderCmd) renderPasses(ctx context.Context, r *source.Recording, frame int, write func(name, buffer string) error) error {
	target, _, err := parseTarget(c.Target)
	if err != nil {
		return err
	}
	draws, drawsErr := r.Draws(ctx, frame)
	last := map[int]int{} // draw of each pass
	passes := 0
	for _, d := range draws {
		passes = max(passes, d.Pass+1)
		if !d.LeftOut {
			last[d.Pass] = d.Draw
		}
	}
	first, end := target.pass, target.pass+1
	switch {
	case target.pass < 0:
		first, end = 0, passes
		if passes == 0 && drawsErr == nil {
			return fmt.Errorf("frame %d draws nothing, so there is no render target", frame)
		}
	case target.pass >= passes && drawsErr != nil:
		return drawsErr
	case target.pass >= passes:
		return fmt.Errorf("there is no pass %d; frame %d has %d, from 0 on (inspect --draws lists them)", target.pass, frame, passes)
	}
	for pass := first; pass < end; pass++ {
		draw, ok := last[pass]
		if !ok {
			if target.pass < 0 {
				continue
			}
			return fmt.Errorf("no draw of pass %d is drawn, so there is no target", pass)
		}
		if err := r.Seek(ctx, pipeline.Position{Frame: frame, Draw: draw}); err != nil {
			return err
		}
		buffer := target.buffer
		if target.pass < 0 {
			t, err := r.GPU.LastTarget()
			if err != nil {
				return err
			}
			if t.Color == nil { // a pass with only depth
				buffer = "depth"
			}
		}
		if err := write(fmt.Sprintf("pass%d-", pass), buffer); err != nil {
			return err
		}
	}
	if target.pass < 0 {
		return drawsErr
	}
	return nil
}
