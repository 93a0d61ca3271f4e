package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"pica200/assets/citrace"
	"pica200/fragment"
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
	data, err := os.ReadFile(c.Trace)
	if err != nil {
		return err
	}
	trace, err := citrace.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Trace, err)
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
		printEvent(con.out, &events[i])
	}
	return nil
}

// printEvent prints one thing that touched a pixel.
func printEvent(w io.Writer, e *pipeline.Event) {
	f := e.Fragment
	if f == nil {
		fmt.Fprintf(w, "\n%s\n  pixel          %s -> %s\n", e.Other, pixelText(*e.Before), pixelText(*e.After))
		return
	}
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-14s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "\ndraw %d: %v\n", e.Draw, f.Outcome)
	for k := range f.Vertices {
		v := &f.Vertices[k]
		line(fmt.Sprintf("vertex %d", k), "share %.4f, at %.4f,%.4f (window, y up), z/w %.6g, w %.6g", f.Weights[k],
			float32(v.X)/16, float32(v.Y)/16, v.Z, 1/v.InvW)
	}
	line("depth", "%.7f", f.Depth)
	line("vertex colour", "%s", colorText(f.VertexColor))
	for u, c := range f.TexCoord {
		if c != [3]float32{} {
			line(fmt.Sprintf("texcoord %d", u), "%.6g", c)
		}
	}
	for u := range f.Units {
		unit := &f.Units[u]
		if !unit.Read {
			continue
		}
		line(fmt.Sprintf("texture %d", u), "%s", colorText(unit.Color))
		for _, t := range unit.Texels {
			where := fmt.Sprintf("level %d at %d,%d", t.Level, t.X, t.Y)
			if t.Border {
				where = fmt.Sprintf("level %d, border", t.Level)
			}
			line("", "  %-22s %s", where, colorText(t.Color))
		}
	}
	if f.Lit {
		line("lighting", "primary %s, secondary %s", colorText(f.Lighting[0]), colorText(f.Lighting[1]))
	}
	for i, c := range f.Stages {
		line(fmt.Sprintf("stage %d", i), "%s", colorText(c))
	}
	line("fragment", "%s", colorText(f.Color))
	line("pixel", "%s -> %s", pixelText(f.Before), pixelText(f.After))
}

func colorText(c [4]uint8) string { return fmt.Sprintf("%3d %3d %3d %3d", c[0], c[1], c[2], c[3]) }

func pixelText(p fragment.Pixel) string {
	return fmt.Sprintf("%s depth %06X stencil %02X", strings.TrimSpace(colorText(p.Color)), p.Depth, p.Stencil)
}
