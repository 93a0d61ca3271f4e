package main

import (
	"context"
	"encoding/json"
	"fmt"

	"pica200/pipeline"
	"pica200/viewer/session"
)

type explainCmd struct {
	File string `arg:"" help:"Recorded trace (.ctf, .picatrace), scene (.yaml), model (.gltf, .glb, .obj) or shader (.shbin, .pica)."`
	X    int    `arg:"" help:"Column of the pixel, from the left."`
	Y    int    `arg:"" help:"Row of the pixel, from the top."`

	Frame int      `default:"-1" placeholder:"N" help:"Frame of a trace to look at, from 0; the last one without it."`
	Time  *float64 `short:"t" placeholder:"T" help:"Time of a scene's animation, in seconds; what the scene says without it."`
	JSON  bool     `help:"Print the records as JSON."`
	rootFlags
	timeFlags
	strictFlags
}

func (explainCmd) Help() string {
	return `Says why a pixel has its colour: lists everything that touched it in one
frame, in order. For each fragment that is the draw and the triangle, the
interpolated inputs, the texels read, the result of lighting and of each
combiner stage, the test that dropped it or the value written. A click in the
window of "pica200 view" shows the same.

The pixel is that of the render target that is drawn to last, not rotated:
frameN-color.png as "pica200 render" writes it for a trace. What of the frames
up to this one the console would get over is a warning, as there.

Examples:

  pica200 explain game.ctf 120 200
  pica200 explain game.ctf 120 200 --frame 0 --json
  pica200 explain scene.yaml 200 120 -t 1.5
  pica200 explain model.glb 200 120`
}

func (c explainCmd) Run(ctx context.Context, con *console) error {
	ctx, cancel, err := c.limit(ctx, con)
	if err != nil {
		return err
	}
	defer cancel()
	s, err := session.Open(c.File, session.Options{Roots: c.Root, Strict: c.Strict})
	if err != nil {
		return err
	}
	info := s.Info()
	r := session.Request{Frame: c.Frame, Draw: -1, Time: info.Start}
	if c.Time != nil {
		r.Time = *c.Time
	}
	where := fmt.Sprintf("at %g s", r.Time)
	if info.Frames > 0 {
		if c.Frame < 0 {
			r.Frame = info.Frames - 1
		}
		if r.Frame >= info.Frames {
			return fmt.Errorf("%s: there is no frame %d; the last one is %d", c.File, r.Frame, info.Frames-1)
		}
		where = fmt.Sprintf("in frame %d", r.Frame)
	} else if c.Frame >= 0 {
		return usagef("--frame is for traces; --time is the moment of %s to look at", c.File)
	}
	events := []pipeline.Event{}
	err = s.Explain(ctx, &r, c.X, c.Y, func(e pipeline.Event) { events = append(events, e) })
	warn(con, s.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		enc.SetIndent("", "  ")
		return enc.Encode(events)
	}
	fmt.Fprintf(con.out, "pixel %d,%d %s: touched %d times\n", c.X, c.Y, where, len(events))
	for i := range events {
		fmt.Fprintf(con.out, "\n%s", events[i].Text())
	}
	return nil
}
