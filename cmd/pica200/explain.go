package main

import (
	"context"
	"encoding/json"
	"fmt"

	"pica200/pipeline"
)

type explainCmd struct {
	Trace string `arg:"" help:"Recorded trace (.ctf)."`
	X     int    `arg:"" help:"Column of the pixel, from the left."`
	Y     int    `arg:"" help:"Row of the pixel, from the top."`

	Frame int  `default:"-1" placeholder:"N" help:"Frame to look at, from 0; the last one without it."`
	JSON  bool `help:"Print the records as JSON."`
}

func (explainCmd) Help() string {
	return `Says why a pixel has its colour: lists everything that touched it in one
frame, in order. For each fragment that is the draw and the triangle, the
interpolated inputs, the texels read, the result of lighting and of each
combiner stage, the test that dropped it or the value written.

The pixel is that of frameN-color.png as "pica200 render" writes it: the render
target that the frame draws to last, not rotated.

Examples:

  pica200 explain game.ctf 120 200
  pica200 explain game.ctf 120 200 --frame 0 --json`
}

func (c explainCmd) Run(ctx context.Context, con *console) error {
	trace, err := openTrace(c.Trace)
	if err != nil {
		return err
	}
	player, err := pipeline.NewPlayer(trace, pipeline.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", c.Trace, err)
	}
	frame := c.Frame
	if frame < 0 {
		frame = player.Frames() - 1
	}
	events := []pipeline.Event{}
	if err := player.Explain(ctx, frame, c.X, c.Y, func(e pipeline.Event) { events = append(events, e) }); err != nil {
		return fmt.Errorf("%s: %w", c.Trace, err)
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		enc.SetIndent("", "  ")
		return enc.Encode(events)
	}
	fmt.Fprintf(con.out, "pixel %d,%d in frame %d: touched %d times\n", c.X, c.Y, frame, len(events))
	for i := range events {
		fmt.Fprintf(con.out, "\n%s", events[i].Text())
	}
	return nil
}
