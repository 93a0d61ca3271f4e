package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"path/filepath"

	"pica200/replay/blame"
)

type blameCmd struct {
	File       string `arg:"" help:"Recorded trace (.ctf, .picatrace), scene (.yaml), model (.gltf, .glb, .obj, .cgfx, .bnr) or shader (.shbin, .pica); - for standard input."`
	Screenshot string `arg:"" help:"Picture (.png) that another renderer or a console made of a frame; - for standard input."`

	Frame     int    `default:"-1" placeholder:"N" help:"Frame that the screenshot is of, from 0; the last one without it."`
	Screen    string `enum:"top,bottom,topright,target," default:"" help:"What it shows: top, bottom, topright, or target, the colour buffer drawn to last. Found out without it."`
	Tolerance int    `default:"2" placeholder:"STEPS" help:"Steps of 8 bits by which channels may differ."`
	HTML      string `name:"html" placeholder:"FILE" help:"Also write a page with the pictures; - for standard output, and nothing else."`
	JSON      bool   `name:"json" help:"Print the report as JSON."`
	rootFlags
	timeFlags
	strictFlags
}

func (blameCmd) Help() string {
	return `Compares a screenshot of a frame with our picture and lists the draws that may cause the
differences. It detects which screen the screenshot shows, and whether it is turned,
mirrored, cropped, larger by a whole number, or has the other screen beside it.

Draws are scored by how well the pixels that they can have changed fit those that
differ: those that their triangles lie on, whatever the tests say, and that no
later draw wrote. 1 is all of them and no other. What few other draws of the frame
have in their registers stands below each.

Examples:

  pica200 blame game.ctf console.png
  pica200 blame game.ctf console.png --frame 0 --html blame.html
  pica200 blame game.ctf console.png --screen top --json`
}

// maxShot bounds the file of a screenshot.
const maxShot = 256 << 20

func (c blameCmd) Run(ctx context.Context, con *console) error {
	if c.Frame < -1 || c.Tolerance < 0 || c.Tolerance > 255 {
		return usagef("--frame must not be negative, --tolerance be 0 to 255")
	}
	con.reads(c.File, c.Screenshot)
	if c.HTML == "-" && c.JSON {
		return usagef("--html - and --json exclude each other: both go to standard output")
	}
	if c.HTML != "" {
		if err := con.mayWrite(c.HTML); err != nil {
			return err
		}
	}
	data, err := con.readUpTo(c.Screenshot, maxShot)
	if err != nil {
		return err
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err == nil && (size.Width > blame.MaxSide || size.Height > blame.MaxSide) {
		err = fmt.Errorf("%dx%d pixels; at most %d to a side", size.Width, size.Height, blame.MaxSide)
	}
	if err != nil {
		return fmt.Errorf("%s: %w (a PNG file is expected)", inputName(c.Screenshot), err)
	}
	shot, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Screenshot), err)
	}
	r, err := openReplay(ctx, con, &source{path: c.File, roots: c.Root, strict: c.Strict, flag: "blame"})
	if err != nil {
		return err
	}
	defer r.GPU.Close()
	frame, err := r.frame(c.Frame)
	if err != nil {
		return err
	}
	rep, err := blame.Run(ctx, r.Replayer, shot, blame.Options{Frame: frame, Screen: c.Screen, Tolerance: c.Tolerance})
	warn(con, r.GPU.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	if c.HTML != "" {
		var page bytes.Buffer
		if err := rep.WriteHTML(&page, filepath.Base(inputName(c.File))+" and "+filepath.Base(inputName(c.Screenshot))); err != nil {
			return err
		}
		if err := con.writeBytes(c.HTML, page.Bytes()); err != nil || c.HTML == "-" {
			return err
		}
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		enc.SetIndent("", "  ")
		return enc.Encode(rep)
	}
	rep.WriteText(con.out)
	return nil
}
