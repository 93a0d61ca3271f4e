package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"pica200/explain"
	"pica200/pipeline"
	"pica200/scene/source"
)

type explainCmd struct {
	File string `arg:"" help:"Recorded trace (.ctf, .picatrace), scene (.yaml), model (.gltf, .glb, .obj, .cgfx, .bnr) or shader (.shbin, .pica); - for standard input."`
	X    int    `arg:"" help:"Column of the pixel, from the left."`
	Y    int    `arg:"" help:"Row of the pixel, from the top."`

	Frame  int      `default:"-1" placeholder:"N" help:"Frame of a trace, from 0. Without it: the last."`
	Draw   *int     `placeholder:"N" help:"Explain the pixel of the target of draw N of the frame, from 0, as it is after that draw."`
	Screen string   `enum:"top,bottom,topright," default:"" help:"Explain a pixel of this screen: top, bottom or topright. It is traced back through transfers and copies to the render target."`
	Passes bool     `help:"Also explain pixels that were drawn earlier in the frame and that its fragments read as texels."`
	Time   *float64 `short:"t" placeholder:"T" help:"Time of a scene's animation, in seconds. Without it: the time in the scene."`
	JSON   bool     `name:"json" help:"Print the record as JSON."`
	HTML   string   `name:"html" ends:".html .htm" placeholder:"FILE" help:"Also write it as an HTML page; - for only that, on standard output."`
	rootFlags
	timeFlags
	strictFlags
}

func (explainCmd) Help() string {
	return `Explains the colour of a pixel: lists everything that touched it in one
frame, in order. For each fragment it shows the draw, the triangle and all
intermediate values: texture coordinates, level of detail, texels with addresses
and weights; vectors, table look-ups and the contribution of each light; the
active combiner stages as equations; fog, gas and shadow; the tests with both
operands; the blend equation; the value written. A click in the window of
"pica200 view" shows the same. docs/PIPELINE.md goes through three pixels.

The pixel is one of the last render target, not rotated, as in the file
frameN-color.png of "pica200 render". With --draw N it is one of the target of
that draw, as it is after the draw ("pica200 inspect --draws" lists draws). With
--screen it is one of a screen, as in frameN-top.png; the command then finds the
frame and the target that the pixel came from, and lists what touched it there
before it was transferred. With --passes it also explains pixels that were drawn
earlier and read as texels, if a texture is a render target.

Examples:

  pica200 explain game.ctf 120 200
  pica200 explain game.ctf 120 200 --frame 0 --json
  pica200 explain game.ctf 200 120 --screen top
  pica200 explain game.ctf 120 200 --draw 1 --passes
  pica200 explain scene.yaml 200 120 -t 1.5 --html pixel.html
  pica200 explain model.glb 200 120`
}

func (c explainCmd) Run(ctx context.Context, con *console) error {
	if c.Draw != nil && c.Screen != "" {
		return usagef("--draw and --screen exclude each other: a screen shows what is there at the end of a frame")
	}
	if c.HTML == "-" && c.JSON {
		return usagef("--html - and --json exclude each other: both go to standard output")
	}
	s, err := con.find(c.File, source.Options{Roots: c.Root, Strict: c.Strict})
	if err != nil {
		return err
	}
	if _, is := s.(*source.Recording); c.Frame >= 0 && !is {
		return usagef("--frame is for traces; --time is the moment of %s to look at", inputName(c.File))
	}
	e, err := c.replay(ctx, con, s)
	if err != nil {
		return err
	}
	return c.print(con, e)
}

// replay explains a pixel of a trace, or of a scene, model or shader, which it
// draws into one.
func (c explainCmd) replay(ctx context.Context, con *console, s source.Source) (*explain.History, error) {
	var times []float64
	if c.Time != nil {
		times = append(times, *c.Time)
	}
	r, err := con.replay(ctx, s, false, times...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	frame, err := r.FrameAt(c.Frame)
	if err != nil {
		return nil, err
	}
	var e *explain.History
	if c.Screen != "" {
		e, err = explain.Screen(ctx, r.Replayer, frame, screenOf(c.Screen), c.X, c.Y)
	} else {
		pos := pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}
		if c.Draw != nil {
			pos.Draw = *c.Draw
		}
		e, err = explain.Pixel(ctx, r.Replayer, pos, c.X, c.Y)
	}
	if err == nil && c.Passes {
		e.Passes, err = explain.Passes(ctx, r.Replayer, e)
	}
	warn(con, r.GPU.Warnings())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	e.SetNames(r.Name)
	return e, nil
}

// print writes the record as text or JSON, and as a page.
func (c explainCmd) print(con *console, e *explain.History) error {
	if c.HTML != "" {
		var page bytes.Buffer
		title := fmt.Sprintf("%s, pixel %d,%d", filepath.Base(inputName(c.File)), c.X, c.Y)
		if err := explain.WritePage(&page, title, e); err != nil {
			return err
		}
		if err := con.writeBytes(c.HTML, page.Bytes()); err != nil || c.HTML == "-" {
			return err
		}
	}
	if c.JSON {
		return printJSON(con.out, e)
	}
	if c.Screen != "" {
		fmt.Fprintf(con.out, "pixel %d,%d of the %s screen:\n", c.X, c.Y, c.Screen)
	}
	_, err := io.WriteString(con.out, e.Text())
	return err
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
