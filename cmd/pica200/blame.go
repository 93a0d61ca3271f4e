package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"pica200/assets/imagefile"
	"pica200/explain/blame"
	"pica200/scene/source"
)

type blameCmd struct {
	File       string `arg:"" help:"Recorded trace (.ctf, .picatrace), scene (.yaml), model (.gltf, .glb, .obj, .cgfx, .bnr) or shader (.shbin, .pica); - for standard input."`
	Screenshot string `arg:"" help:"Picture (PNG, JPEG, BMP, GIF, TGA) of a frame from another renderer or a console; - for standard input."`

	Frame     int    `default:"-1" placeholder:"N" help:"Frame of the screenshot, from 0. Without it: the last."`
	Screen    string `enum:"top,bottom,topright,target," default:"" help:"What the screenshot shows: top, bottom, topright, or target, which is the last colour buffer. Without it: detected."`
	Tolerance int    `default:"2" placeholder:"STEPS" help:"Difference that counts as equal, in 8-bit steps of a channel."`
	HTML      string `name:"html" ends:".html .htm" placeholder:"FILE" help:"Also write an HTML page with the pictures; - for only that, on standard output."`
	JSON      bool   `name:"json" help:"Print the report as JSON."`
	rootFlags
	timeFlags
	strictFlags
}

func (blameCmd) Help() string {
	return `Compares a screenshot of a frame with our picture and lists the draws
that may cause the differences. It detects which screen the screenshot shows,
and whether it is rotated, mirrored, cropped, enlarged by an integer factor, or
also contains the other screen.

The score of a draw says how well the pixels that it can have changed match
those that differ. These are the pixels that its triangles cover, whether or not
tests passed, and that no later draw wrote. A score of 1 is a perfect match.
Below each draw are the register values that few other draws of the frame have.

Examples:

  pica200 blame game.ctf console.png
  pica200 blame game.ctf console.png --frame 0 --html blame.html
  pica200 blame game.ctf console.png --screen top --json`
}

// maxShot bounds the file of a screenshot.
const maxShot = 256 << 20

func (c blameCmd) Run(ctx context.Context, con *console) error {
	if c.Tolerance > 255 {
		return usagef("--tolerance must be 0 to 255")
	}
	if c.HTML == "-" && c.JSON {
		return usagef("--html - and --json exclude each other: both go to standard output")
	}
	data, err := con.readUpTo(c.Screenshot, maxShot)
	if err != nil {
		return err
	}
	shot, err := imagefile.Decode(data, blame.MaxSide*blame.MaxSide)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Screenshot), err)
	}
	r, err := con.openReplay(ctx, c.File, false, source.Options{Roots: c.Root, Strict: c.Strict})
	if err != nil {
		return err
	}
	defer r.Close()
	frame, err := r.FrameAt(c.Frame)
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
		return printJSON(con.out, rep)
	}
	rep.WriteText(con.out)
	return nil
}
