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

	Frame  int      `default:"-1" placeholder:"N" help:"Frame of a trace to look at, from 0; the last one without it."`
	Draw   *int     `placeholder:"N" help:"Look at the target of draw N of the frame, from 0, and at nothing after it."`
	Screen string   `enum:"top,bottom,topright," default:"" help:"The pixel is one of this screen's picture: top, bottom or topright. It is followed back through transfers and copies to the render target."`
	Passes bool     `help:"Also explain pixels that were drawn earlier in the frame and that its fragments read as texels."`
	Time   *float64 `short:"t" placeholder:"T" help:"Time of a scene's animation, in seconds; what the scene says without it."`
	JSON   bool     `help:"Print the records as JSON."`
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
up to this one the console would get over is a warning, as there. --draw N takes
the target of a draw ("pica200 inspect --draws" lists them) as it stands after
it. --screen takes a pixel of a screen instead, as frameN-top.png shows it, goes
back to the frame and the target that it came from, and lists what touched it
there before it was transferred. With --passes, pixels follow that were drawn for
it: texels of textures that are render targets.

Examples:

  pica200 explain game.ctf 120 200
  pica200 explain game.ctf 120 200 --frame 0 --json
  pica200 explain game.ctf 200 120 --screen top
  pica200 explain game.ctf 120 200 --draw 1 --passes
  pica200 explain scene.yaml 200 120 -t 1.5
  pica200 explain model.glb 200 120`
}

func (c explainCmd) Run(ctx context.Context, con *console) error {
	ctx, cancel, err := c.limit(ctx, con)
	if err != nil {
		return err
	}
	defer cancel()
	if c.Frame < -1 {
		return usagef("--frame must not be negative")
	}
	if c.Draw != nil && c.Screen != "" {
		return usagef("--draw and --screen exclude each other: a screen shows what is there at the end of a frame")
	}
	if err := checkDraw(c.Draw); err != nil {
		return err
	}
	if isTrace(c.File) || c.Draw != nil || c.Screen != "" || c.Passes {
		return c.replay(ctx, con)
	}
	if c.Frame >= 0 {
		return usagef("--frame is for traces; --time is the moment of %s to look at", c.File)
	}
	s, err := session.Open(c.File, session.Options{Roots: c.Root, Strict: c.Strict})
	if err != nil {
		return err
	}
	r := session.Request{Frame: c.Frame, Draw: -1, Time: s.Info().Start}
	if c.Time != nil {
		r.Time = *c.Time
	}
	events := []pipeline.Event{}
	err = s.Explain(ctx, &r, c.X, c.Y, func(e pipeline.Event) { events = append(events, e) })
	warn(con, s.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if c.JSON {
		return c.encode(con, events)
	}
	fmt.Fprintf(con.out, "pixel %d,%d at %g s: touched %d times\n", c.X, c.Y, r.Time, len(events))
	writeEvents(con, events)
	return nil
}

// replay explains a pixel of a trace, or of a scene that is drawn into one.
func (c explainCmd) replay(ctx context.Context, con *console) error {
	src := &source{path: c.File, roots: c.Root, strict: c.Strict, flag: "explain with --draw, --screen or --passes"}
	if c.Time != nil {
		src.times = []float64{*c.Time}
	}
	r, err := openReplay(ctx, con, src)
	if err != nil {
		return err
	}
	frame, err := r.frame(c.Frame)
	if err != nil {
		return err
	}
	var pixel *pipeline.Explained
	var passes []*pipeline.Explained
	if c.Screen != "" {
		pixel, err = r.ExplainScreen(ctx, frame, screenOf(c.Screen), c.X, c.Y)
	} else {
		pos := pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}
		if c.Draw != nil {
			pos.Draw = *c.Draw
		}
		pixel, err = r.ExplainPixel(ctx, pos, c.X, c.Y)
	}
	if err == nil && c.Passes {
		passes, err = r.ExplainPasses(ctx, pixel)
	}
	warn(con, r.GPU.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	switch {
	case c.JSON && c.Screen == "" && !c.Passes:
		return c.encode(con, pixel.Events)
	case c.JSON:
		return c.encode(con, map[string]any{"pixel": pixel, "passes": append([]*pipeline.Explained{}, passes...)})
	}
	if c.Screen != "" {
		fmt.Fprintf(con.out, "pixel %d,%d of the %s screen at the end of frame %d:\n", c.X, c.Y, c.Screen, frame)
		fmt.Fprintf(con.out, "pixel %d,%d of the target %v\n", pixel.X, pixel.Y, pixel.Target)
		if pixel.Via != "" {
			fmt.Fprintf(con.out, "through a %s\n", pixel.Via)
		}
	}
	fmt.Fprintf(con.out, "pixel %d,%d in frame %d: touched %d times\n", pixel.X, pixel.Y, pixel.Frame, len(pixel.Events))
	writeEvents(con, pixel.Events)
	for _, p := range passes {
		fmt.Fprintf(con.out, "\n%s: pixel %d,%d of the target %v, touched %d times up to draw %d\n", p.Read, p.X, p.Y, p.Target, len(p.Events), p.Draw)
		writeEvents(con, p.Events)
	}
	return nil
}

func screenOf(name string) pipeline.Screen {
	switch name {
	case "bottom":
		return pipeline.ScreenBottom
	case "topright":
		return pipeline.ScreenTopRight
	}
	return pipeline.ScreenTop
}

func (explainCmd) encode(con *console, v any) error {
	enc := json.NewEncoder(con.out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func writeEvents(con *console, events []pipeline.Event) {
	for i := range events {
		fmt.Fprintf(con.out, "\n%s", events[i].Text())
	}
}
