package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"pica200/assets/picatrace"
	"pica200/explain/inspect"
	"pica200/internal/plural"
	"pica200/pipeline"
	"pica200/viewer/session"
)

type renderCmd struct {
	Trace string `arg:"" name:"file" help:"Recorded trace (.ctf, .picatrace), scene (.yaml), model (.gltf, .glb, .obj, .cgfx, .bnr) or shader (.shbin, .pica); - for standard input."`
	Out   string `short:"o" required:"" placeholder:"OUT" help:"Folder (ends in a slash) for every picture of every frame, or a PNG file; with %d or %03d in its name, a file for every frame; or, of a scene or model, an animation (.gif, .apng); - for standard output."`

	Time    *float64 `placeholder:"SECONDS" help:"Of a scene or model: the time of its animation. Without it: the time in the scene."`
	Frames  string   `default:"1" placeholder:"N|A-B" help:"Of a scene or model: number of frames to draw, --step apart. Of any file: the first and last frame to write, from 0 (100-199)."`
	Step    float64  `default:"0.033333333" placeholder:"SECONDS" help:"Time between frames of a scene or model."`
	Frame   int      `default:"-1" placeholder:"N" help:"Frame to write, from 0. Without it: all frames to a folder, the last one to a file."`
	Screen  string   `enum:"top,bottom,topright," default:"" help:"Write only this screen: top, bottom or topright."`
	Target  string   `default:"" placeholder:"NAME" help:"Write this buffer of the last render target: color, depth or stencil; or the last gas buffer (gas) or shadow texture (shadow). Or the target of a pass: pass0, pass0-depth and so on; all for the targets of all passes."`
	Draw    *int     `placeholder:"N" help:"Write the render target as it is after draw N of the frame, from 0."`
	Only    bool     `help:"With --draw: execute only that draw, on a cleared target."`
	Workers int      `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU. It does not change the pictures."`
	Watch   bool     `help:"Draw again whenever the file, or a file that it refers to, changes, until Ctrl+C."`
	Quiet   bool     `short:"q" help:"Print nothing but errors."`
	stageFlags
	rootFlags
	timeFlags
	strictFlags

	first, count int  // the first frame to write, and the one after the last
	ranged       bool // they were given as a range
	padded       int  // least number of digits in names of frames in a folder
	presented
	told bool // the note that a recording presents nothing was printed
}

func (renderCmd) Help() string {
	return `Replays a recorded trace, or draws a scene or a model, and writes PNG
images.

If OUT ends in a slash it is a folder. For each frame N, from 0, it gets
frameN-top.png and frameN-bottom.png (the two screens), frameN-topright.png if
the top screen is in stereo, and frameN-color.png (the last colour buffer, in
its own orientation). Otherwise OUT is a PNG file: the top screen of the last
frame, or what --screen, --target and --frame select. With %d in its name there
is a file for every frame; %03d gives numbers of three digits. If a recording
sends nothing to the top screen, the file shows the last render target, and a
note says so. A scene or model need not show its picture on a screen: a single
file is the colour buffer, or both eyes side by side for a scene in stereo; a
folder gets the colour buffer and the screens that the scene uses.

Depth is written as 16-bit grey (the highest bits), stencil as 8-bit grey. In
the picture of a gas buffer, red is the density and green the density weighted
by depth, scaled to the greatest density; in that of a shadow texture, red is
the depth and green the intensity.

A frame consists of passes; a pass is a sequence of draws to one target.
"pica200 inspect --draws" lists both. --draw shows a target between two draws,
and --draw with --only shows a single draw, on a target of colour 0 and a depth
that lets it pass. --target pass0 is the target after the first pass, and
--target all writes frameN-passM-color.png for each pass.

--frames 100-199 writes these frames of a recording or an animation with their
own numbers; the last may be past the end. Earlier frames of a recording are
drawn too, since later ones may need them, but not written.

--watch draws again whenever the file, or a file that it refers to, changes,
until Ctrl+C. If there is an error it is printed, the last picture stays, and
the command waits for the next change.

A trace continues after errors that the console survives: for example, a draw
from memory that does not exist is skipped, and a warning says which, where
first and how often. An error that would hang the console ends the trace with
status 1; the frames before it are still written.

Examples:

  pica200 render game.ctf -o out/
  pica200 render game.ctf -o title.png --frame 0
  pica200 render game.ctf -o depth.png --target depth --workers 1
  pica200 render game.ctf -o frame.png --draw 2
  pica200 render game.ctf -o alone.png --draw 2 --only
  pica200 render game.ctf -o passes/ --target all --frame 0
  pica200 render game.ctf -o part/ --frames 1-2
  pica200 render scene.yaml -o scene.png
  pica200 render knight.glb -o walk/ --frames 24
  pica200 render knight.glb -o turn%02d.png --turntable 12
  pica200 render my.v.pica -o my.png
  pica200 demo -o - | pica200 render - -o demo.png
  pica200 asm my.v.pica -o - | pica200 render - -o my.png
  pica200 render knight.glb -o turn.gif --turntable 60
  pica200 render banner.cgfx -o banner.gif
  pica200 render banner.cgfx -o both.png --stereo`
}

// picture is an image to write: its file name in a folder, and how to make it.
type picture struct {
	name string
	make func(*pipeline.GPU) (image.Image, error)
}

func screenPicture(s pipeline.Screen) picture {
	return picture{s.String(), func(g *pipeline.GPU) (image.Image, error) { return g.Screen(s), nil }}
}

// targetPicture is a buffer of the last render target.
func targetPicture(buffer string) picture {
	return picture{buffer, func(g *pipeline.GPU) (image.Image, error) {
		last := g.LastTarget
		switch buffer {
		case "gas":
			last = g.LastGas
		case "shadow":
			last = g.LastShadow
		}
		t, err := last()
		if err != nil {
			return nil, err
		}
		switch buffer {
		case "depth":
			return pipeline.DepthImage(t)
		case "stencil":
			return pipeline.StencilImage(t)
		case "gas":
			return pipeline.GasImage(t)
		case "shadow":
			return pipeline.ShadowImage(t)
		}
		return pipeline.ColorImage(t)
	}}
}

// pictures lists the pictures for a frame.
func (c *renderCmd) pictures(g *pipeline.GPU) []picture {
	switch {
	case c.Target != "":
		return []picture{targetPicture(c.Target)}
	case c.Screen == "bottom":
		return []picture{screenPicture(pipeline.ScreenBottom)}
	case c.Screen == "topright":
		return []picture{screenPicture(pipeline.ScreenTopRight)}
	case c.Screen == "" && !c.folder() && c.bare(g, pipeline.ScreenTop):
		c.told = true
		return []picture{targetPicture("color")}
	case c.Screen == "top" || !c.folder():
		return []picture{screenPicture(pipeline.ScreenTop)}
	}
	all := []picture{screenPicture(pipeline.ScreenTop), screenPicture(pipeline.ScreenBottom)}
	if g.Stereo() {
		all = append(all, screenPicture(pipeline.ScreenTopRight))
	}
	if _, err := g.LastTarget(); !errors.Is(err, pipeline.ErrNoTarget) {
		all = append(all, targetPicture("color"))
	}
	return all
}

// series reports whether OUT is for a picture of every frame: a folder, or a
// name with %d.
func (c *renderCmd) series() bool { return c.folder() || framePattern.MatchString(c.Out) }

// framePattern matches a name with one %d, or %04d with a width, and no other
// percent sign.
var framePattern = regexp.MustCompile(`^[^%]*%(0[1-9])?d[^%]*$`)

func (c *renderCmd) folder() bool {
	return strings.HasSuffix(c.Out, "/") || strings.HasSuffix(c.Out, string(os.PathSeparator))
}

// checkFlags returns an error for flags that exclude each other or have no
// effect.
func (c *renderCmd) checkFlags() error {
	if c.Screen != "" && c.Target != "" {
		return usagef("--screen and --target exclude each other")
	}
	if c.Frame < -1 || c.Workers < 0 {
		return usagef("--frame and --workers must not be negative")
	}
	if c.Step < 0 {
		return usagef("--step must not be negative")
	}
	if err := c.readFrames(); err != nil {
		return err
	}
	if c.Watch && (c.Trace == "-" || c.Out == "-") {
		return usagef("--watch is for files; standard input and output have no changes")
	}
	return c.checkDraws()
}

// readFrames parses --frames: a number of frames, or the first and the last.
func (c *renderCmd) readFrames() error {
	if n, err := strconv.Atoi(c.Frames); err == nil {
		if c.count = n; n < 1 {
			return usagef("--frames must be 1 or more, or the first and the last frame, from 0: 100-199")
		}
		return nil
	}
	first, last, err := frameRange(c.Frames)
	if err != nil {
		return err
	}
	switch {
	case c.Frame >= 0 || c.stepwise() || c.Turntable > 0:
		return usagef("--frames %s is a series of frames; --frame, --draw, --target of a pass and --turntable exclude it", c.Frames)
	case !c.series():
		return usagef("-o %s is one picture: put %%d into its name, or name a folder, for --frames %s", c.Out, c.Frames)
	}
	c.first, c.count, c.ranged = first, last+1, true
	return nil
}

func (c *renderCmd) Run(ctx context.Context, con *console) error {
	if err := c.checkFlags(); err != nil {
		return err
	}
	if err := c.checkOut(con); err != nil {
		return err
	}
	if c.Watch {
		return c.renderAgain(ctx, con)
	}
	return c.draw(ctx, con)
}

// draw draws and writes all pictures.
func (c *renderCmd) draw(ctx context.Context, con *console) error {
	if c.stepwise() {
		return c.renderStepwise(ctx, con)
	}
	if !con.isTrace(c.Trace) {
		return c.renderStage(ctx, con)
	}
	return c.renderTrace(ctx, con)
}

// renderAgain draws whenever a file of the picture changes, as the window does.
func (c *renderCmd) renderAgain(ctx context.Context, con *console) error {
	source, err := session.OpenToMend(c.Trace, session.Options{Roots: c.Root})
	if err != nil {
		return err
	}
	defer func() { source.Close() }()
	changed := make(chan struct{}, 1)
	watcher, err := session.Watch(source.Info().Files, func() {
		select {
		case changed <- struct{}{}:
		default: // one change is waiting already
		}
	})
	if err != nil {
		return err
	}
	defer watcher.Close()
	for {
		once := *c
		con.inputs.Again()
		clear(con.outputs)
		if err := once.draw(ctx, con); ctx.Err() != nil {
			return nil
		} else if err != nil {
			fmt.Fprintf(con.err, "pica200: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		if err := source.Reload(); err == nil || source.Info().Files != nil {
			if err := watcher.Set(source.Info().Files); err != nil {
				fmt.Fprintf(con.err, "warning: %v\n", err)
			}
		}
	}
}

// renderTrace draws the frames of a trace.
func (c *renderCmd) renderTrace(ctx context.Context, con *console) error {
	trace, err := openTrace(con, c.Trace)
	if err != nil {
		return err
	}
	player, err := pipeline.NewPlayer(trace, pipeline.Options{Workers: c.Workers, Strict: c.Strict})
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	defer player.GPU.Close()
	c.watch(player.GPU)
	last := player.Frames() - 1
	first := max(0, c.Frame)
	if c.ranged {
		first = c.first
	}
	if err := picatrace.CheckFrame(first, player.Frames()); err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	if c.ranged {
		last = min(last, c.count-1)
	}
	if c.Frame >= 0 {
		last = c.Frame
	}
	if c.folder() {
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
	}
	bar := newBar(con, c.Quiet, last+1, "frames")
	defer bar.done()
	written, complete := 0, -1
	for {
		f, err := player.NextFrame(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			bar.done()
			c.printWarnings(con, player.GPU)
			err = fmt.Errorf("%s: %w", inputName(c.Trace), err)
			return errors.Join(err, c.writeComplete(ctx, con, player, complete))
		}
		complete = f.Index
		if f.Index == c.Frame || c.Frame < 0 && (c.series() && f.Index >= c.first || f.Index == last) {
			for _, p := range c.pictures(player.GPU) {
				if err := c.write(con, p, player.GPU, f.Index); err != nil {
					return err
				}
				written++
			}
		}
		bar.step(f.Index + 1)
		if f.Index == last {
			break
		}
	}
	bar.done()
	c.printWarnings(con, player.GPU)
	c.printBare(con)
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %s of %s in %s\n", inputName(c.Trace), plural.Of(written, "picture"), plural.Of(last+1-c.first, "frame"), c.Out)
	}
	return nil
}

// printWarnings prints warnings about invalid work of the trace that was
// skipped.
func (c *renderCmd) printWarnings(con *console, g *pipeline.GPU) {
	if c.Quiet {
		return
	}
	warn(con, g.Warnings())
}

// printBare prints that the picture is not what the screen shows.
func (c *renderCmd) printBare(con *console) {
	if c.told && !c.Quiet {
		fmt.Fprintf(con.err, "note: %s sends nothing to the top screen; the picture is the render target drawn to last (--screen top shows the screen)\n", inputName(c.Trace))
	}
}

// writeComplete writes the last complete frame, if the last frame was wanted
// and the trace ended in an error before it. A folder has it already.
func (c *renderCmd) writeComplete(ctx context.Context, con *console, p *pipeline.Player, frame int) error {
	if c.series() || c.Frame >= 0 || frame < 0 || ctx.Err() != nil {
		return nil
	}
	if err := p.Rewind(); err != nil {
		return err
	}
	clear(c.to)
	for range frame + 1 {
		if _, err := p.NextFrame(ctx); err != nil {
			return err
		}
	}
	for _, pic := range c.pictures(p.GPU) {
		if err := c.write(con, pic, p.GPU, frame); err != nil {
			return err
		}
	}
	c.printBare(con)
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.err, "%s holds frame %d, the last that was complete\n", c.Out, frame)
	}
	return nil
}

// write makes a picture and writes it to its file.
func (c *renderCmd) write(con *console, p picture, g *pipeline.GPU, frame int) error {
	path := c.Out
	switch {
	case c.folder():
		path = filepath.Join(c.Out, fmt.Sprintf("frame%0*d-%s.png", c.padded, frame, p.name))
	case c.series():
		path = fmt.Sprintf(c.Out, frame)
	}
	img, err := p.make(g)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return con.writePNG(path, img)
}

// checkOut returns an error for outputs that are probably mistakes: a picture
// over the trace, an unknown format.
func (c *renderCmd) checkOut(con *console) error {
	if c.folder() || c.Out == "-" {
		return nil
	}
	if info, err := os.Stat(c.Out); err == nil && info.IsDir() {
		return usagef("%s is a folder; -o %s/ puts every picture of every frame into it", c.Out, c.Out)
	}
	if _, ok := animated(c.Out); ok && !con.isTrace(c.Trace) {
		return nil
	}
	switch ext := strings.ToLower(filepath.Ext(c.Out)); ext {
	case ".jpg", ".jpeg", ".gif", ".bmp", ".tga", ".tif", ".tiff", ".webp", ".ppm", ".ctf":
		return usagef("-o %s: pictures are PNG files; name one with .png, or a folder with a slash at its end", c.Out)
	}
	return nil
}

// openTrace reads a trace file, or standard input for "-".
func openTrace(con *console, path string) (*picatrace.Trace, error) {
	data, err := con.read(path)
	if err != nil {
		return nil, err
	}
	trace, err := picatrace.Parse(data)
	if err != nil {
		if f, known := inspect.Recognise(data); known == nil && f.Name != "ctf" {
			err = fmt.Errorf("%w (it looks like a %s; try pica200 inspect)", err, f.Doc)
		}
		return nil, fmt.Errorf("%s: %w", inputName(path), err)
	}
	return trace, nil
}
