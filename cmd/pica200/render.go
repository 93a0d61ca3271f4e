package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pica200/internal/lazy"
	"pica200/internal/plural"
	"pica200/internal/quote"
	"pica200/internal/watch"
	"pica200/scene/source"
)

type renderCmd struct {
	Trace string `arg:"" name:"file" help:"Recorded trace (.ctf, .picatrace), scene (.yaml), model (.gltf, .glb, .obj, .cgfx, .bnr), shader (.shbin, .pica) or texture (.t3x); - for standard input."`
	Out   string `short:"o" required:"" ends:".png .gif .apng" placeholder:"OUT" help:"Folder (ends in a slash) for every picture of every frame, or a PNG file; with %d or %03d in its name, a file for every frame; or, of a scene or model, an animation (.gif, .apng); - for standard output."`

	Time   *float64 `placeholder:"SECONDS" help:"Of a scene or model: the time of its animation. Without it: the time in the scene."`
	Frames string   `placeholder:"N|A-B" help:"Of a scene or model: number of frames to draw, --step apart (default 1). Of any file: the first and last frame to write, from 0 (100-199)."`
	Step   float64  `default:"0.033333333" placeholder:"SECONDS" help:"Time between frames of a scene or model."`
	Frame  int      `default:"-1" placeholder:"N" help:"Frame to write, from 0. Without it: all frames to a folder, the last one to a file."`
	Screen string   `enum:"top,bottom,topright," default:"" help:"Write only this screen: top, bottom or topright."`
	Target string   `default:"" placeholder:"NAME" help:"Write this buffer of the last render target: color, depth or stencil; or the last gas buffer (gas) or shadow texture (shadow). Or the target of a pass: pass0, pass0-depth and so on; all for the targets of all passes."`
	Draw   *int     `placeholder:"N" help:"Write the render target as it is after draw N of the frame, from 0."`
	Only   bool     `help:"With --draw: execute only that draw, on a cleared target."`
	Scale  float64  `default:"1" placeholder:"N" help:"Of a scene, model or shader: draw it N times as large, 1 or more, for a picture with more detail than a console shows."`
	workerFlags
	Watch bool `help:"Draw again whenever the file, or a file that it refers to, changes, until Ctrl+C."`
	quietFlags
	stageFlags
	rootFlags
	timeFlags
	strictFlags

	first, count int  // the first frame to write, and the one after the last
	ranged       bool // they were given as a range
	padded       int  // least number of digits in names of frames in a folder
	unsent       bool // a picture is not the screen that it stands for
}

func (renderCmd) Help() string {
	return `Replays a recorded trace, or draws a scene or a model, and writes PNG
images, or an animation (GIF, APNG).

If OUT ends in a slash it is a folder. For each frame N, from 0, it gets
frameN-top.png and frameN-bottom.png (the two screens), frameN-topright.png if
the top screen is in stereo, and frameN-color.png (the last colour buffer, in
its own orientation). Otherwise OUT is a PNG file: the top screen of the last
frame, or what --screen, --target and --frame select. With %d in its name there
is a file for every frame; %03d gives numbers of three digits. If a recording
sends nothing to the top screen, the file shows the last render target, and a
note says so. Of a scene or model a single file is the screen that it draws
for, else the colour buffer, or both eyes side by side for a scene in stereo; a
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
  pica200 render knight.glb -o poster.png --scale 2.5
  pica200 render knight.glb -o walk/ --frames 24
  pica200 render knight.glb -o turn%02d.png --turntable 12
  pica200 render my.v.pica -o my.png
  pica200 demo -o - | pica200 render - -o demo.png
  pica200 asm my.v.pica -o - | pica200 render - -o my.png
  pica200 render knight.glb -o turn.gif --turntable 60
  pica200 render banner.cgfx -o banner.gif
  pica200 render banner.cgfx -o both.png --stereo`
}

// series reports whether OUT is for a picture of every frame: a folder, or a
// name with %d.
func (c *renderCmd) series() bool { return c.folder() || framePattern().MatchString(c.Out) }

// framePattern matches a name with one %d, or %04d with a width, and no other
// percent sign.
var framePattern = lazy.Regexp(`^[^%]*%(0[1-9])?d[^%]*$`)

func (c *renderCmd) folder() bool {
	return strings.HasSuffix(c.Out, "/") || strings.HasSuffix(c.Out, string(os.PathSeparator))
}

// checkFlags returns an error for flags that exclude each other or have no
// effect.
func (c *renderCmd) checkFlags() error {
	if c.Screen != "" && c.Target != "" {
		return usagef("--screen and --target exclude each other")
	}
	if !(c.Scale >= 1) || c.Scale > 1 && c.Screen != "" {
		return usagef("--scale must be 1 or more, and excludes --screen: nothing larger goes to a screen")
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
	if n, err := strconv.Atoi(cmp.Or(c.Frames, "1")); err == nil {
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
	s, err := con.find(c.Trace, source.Options{Roots: c.Root, Workers: c.Workers, Strict: c.Strict, CheckpointBytes: -1})
	if err != nil {
		return err
	}
	if _, movie := animated(c.Out); movie {
		if _, is := s.(*source.Scene); !is {
			return usagef("-o %s: animations are of scenes and models; name a .png, or a folder with a slash at its end", c.Out)
		}
	}
	if c.Watch {
		return c.renderAgain(ctx, con, s)
	}
	return c.draw(ctx, con, s)
}

// draw reads the input, and draws and writes all pictures.
func (c *renderCmd) draw(ctx context.Context, con *console, s source.Source) error {
	defer s.Close()
	if err := con.load(s, c.Quiet); err != nil {
		return err
	}
	if sc, ok := s.(*source.Scene); ok {
		var err error
		if c.count, err = c.apply(sc.Stage, c.count, c.Step); err != nil {
			return err
		}
		if used, bound := sc.Stage.Enlarge(c.Scale); used < c.Scale {
			return usagef("--scale %g: at most %.4g here, because %s", c.Scale, used, bound)
		}
	} else if c.Frames != "" && !c.ranged {
		return usagef("--frames %d is for scenes and models; of a recording, name the first and the last frame (--frames 0-%d), or one (--frame N)", c.count, c.count-1)
	} else if c.Scale > 1 || c.Time != nil || c.stageFlags != (stageFlags{}) {
		return usagef("--scale, --time, --animation, --camera, --turntable, --stereo and --size are for scenes, models and shaders; a recording has times, views and sizes of its own")
	}
	if c.stepwise() {
		return c.renderStepwise(ctx, con, s)
	}
	return c.renderFrames(ctx, con, s)
}

// renderAgain draws whenever a file of the picture changes, as the window does.
func (c *renderCmd) renderAgain(ctx context.Context, con *console, s source.Source) error {
	changed := make(chan struct{}, 1)
	_ = s.Reload() // draw reports the error; the files are known
	watcher, err := watch.Files(s.Info().Files, func() {
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
		if err := once.draw(ctx, con, s); ctx.Err() != nil {
			return nil
		} else if err != nil {
			con.fails(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		_ = s.Reload()
		if err := watcher.Set(s.Info().Files); err != nil {
			fmt.Fprintf(con.err, "warning: %v\n", err)
		}
	}
}

// frame is a frame to draw, with its number in names of files.
type frame struct {
	number int
	source.Request
}

// frames lists the frames to draw.
func (c *renderCmd) frames(s source.Source) (list []frame, err error) {
	first, last := 0, c.count-1
	var at func(i int) source.Request
	switch s := s.(type) {
	case *source.Recording:
		last = s.Info().Frames - 1
		if c.ranged {
			last = min(last, c.count-1)
		}
		if _, err := s.FrameAt(max(c.first, c.Frame, 0)); err != nil {
			return nil, err
		}
		at = func(i int) source.Request { return source.Request{Frame: i} }
	default:
		if err := c.checkFrames(); err != nil {
			return nil, err
		}
		start := s.Info().Time
		if c.Time != nil {
			start = *c.Time
		}
		c.padded = len(strconv.Itoa(last))
		at = func(i int) source.Request { return source.Request{Time: start + float64(float64(i)*c.Step)} }
	}
	switch {
	case c.Frame >= 0:
		first, last = c.Frame, c.Frame
	case c.series():
		first = c.first
	default:
		first = last
	}
	for i := first; i <= last; i++ {
		list = append(list, frame{i, at(i)})
	}
	return list, nil
}

// renderFrames draws whole frames.
func (c *renderCmd) renderFrames(ctx context.Context, con *console, s source.Source) error {
	frames, err := c.frames(s)
	if err != nil {
		return err
	}
	if c.folder() {
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
	}
	sc, isScene := s.(*source.Scene)
	if format, ok := animated(c.Out); ok && isScene && !c.folder() {
		return c.movie(ctx, con, sc, format, c.count, frames[0].Time)
	}
	frames[0].Watch = !c.Quiet
	last := frames[len(frames)-1].number
	bar := newBar(con, c.Quiet, last+1, "frames")
	defer bar.done()
	written := 0
	for _, f := range frames {
		f.Progress = func(done, total int) { bar.step(f.number + 1 - total + done) }
		p, err := s.Draw(ctx, &f.Request)
		if err != nil {
			bar.done()
			if rec, ok := s.(*source.Recording); ok {
				c.printWarnings(con, rec.Warnings())
				err = errors.Join(err, c.writeComplete(ctx, con, rec))
			}
			return err
		}
		n, err := c.write(con, p, f.number)
		if err != nil {
			return err
		}
		written += n
		bar.step(f.number + 1)
	}
	bar.done()
	of := ""
	if isScene {
		if err := c.printNotes(ctx, con, sc, frames[0].Time); err != nil {
			return err
		}
	} else {
		c.printWarnings(con, s.Warnings())
		c.printUnsent(con)
		of = " of " + plural.Of(last+1-c.first, "frame")
	}
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %s%s in %s\n", inputName(c.Trace), plural.Of(written, "picture"), of, c.Out)
	}
	return nil
}

// printWarnings prints warnings about invalid work that was skipped.
func (c *renderCmd) printWarnings(con *console, list []string) {
	if !c.Quiet {
		warn(con, list)
	}
}

// printUnsent prints that the picture is not what the screen shows.
func (c *renderCmd) printUnsent(con *console) {
	if c.unsent && !c.Quiet {
		fmt.Fprintf(con.err, "note: %s sends nothing to the top screen; the picture is the render target drawn to last (--screen top shows the screen)\n", inputName(c.Trace))
	}
}

// writeComplete writes the last complete frame, if the last frame was wanted
// and the trace ended in an error before it. A folder has it already.
func (c *renderCmd) writeComplete(ctx context.Context, con *console, rec *source.Recording) error {
	at, _ := rec.Position()
	if c.series() || c.Frame >= 0 || at.Frame < 0 || ctx.Err() != nil {
		return nil
	}
	p, err := rec.Draw(ctx, &source.Request{Frame: at.Frame})
	if err != nil {
		return err
	}
	if _, err := c.write(con, p, at.Frame); err != nil {
		return err
	}
	c.printUnsent(con)
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.err, "%s holds frame %d, the last that was complete\n", c.Out, at.Frame)
	}
	return nil
}

// write writes the pictures of a frame and returns their number: those that a
// flag names, all in a folder, otherwise the one that people look at.
func (c *renderCmd) write(con *console, p *source.Picture, frame int) (int, error) {
	switch name := c.Target + c.Screen; {
	case name != "":
		b, err := source.ParseBuffer(name)
		if err != nil {
			return 0, err
		}
		return 1, c.writeImage(con, frame, name, func() (image.Image, error) { return p.Image(b) })
	case c.folder():
		for n, b := range p.Buffers() {
			if err := c.writeImage(con, frame, b.String(), func() (image.Image, error) { return p.Image(b) }); err != nil {
				return n, err
			}
		}
		return len(p.Buffers()), nil
	}
	c.unsent = c.unsent || p.Unsent
	return 1, c.writeImage(con, frame, "", p.Shown)
}

// writeImage makes an image and writes it to its file; in a folder, to one with a name.
func (c *renderCmd) writeImage(con *console, frame int, name string, make func() (image.Image, error)) error {
	path := c.Out
	switch {
	case c.folder():
		path = filepath.Join(c.Out, fmt.Sprintf("frame%0*d-%s.png", c.padded, frame, name))
	case c.series():
		path = fmt.Sprintf(c.Out, frame)
	}
	img, err := make()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return con.writePNG(path, img)
}

// checkFrames returns an error for a frame that does not exist, and for one
// file with many frames.
func (c *renderCmd) checkFrames() error {
	if c.Frame >= c.count {
		return usagef("there is no frame %d; --frames is %d, and the first is 0", c.Frame, c.count)
	}
	if _, movie := animated(c.Out); c.count > 1 && c.Frame < 0 && !c.series() && !movie {
		return usagef("-o %s is one picture, and %d frames are drawn: put %%d or %%0%dd into its name, or name a folder (%s/) or a moving picture (.gif, .apng); --frame N is one of them",
			c.Out, c.count, len(strconv.Itoa(c.count-1)), strings.TrimSuffix(c.Out, filepath.Ext(c.Out)))
	}
	return nil
}

// printNotes prints what of a model could not be drawn exactly, and why draws
// of the first picture, at time t, leave nothing visible.
func (c *renderCmd) printNotes(ctx context.Context, con *console, s *source.Scene, t float64) error {
	if c.Quiet {
		return nil
	}
	remarks, err := s.Diagnose(ctx, t)
	if err != nil {
		return err
	}
	warn(con, s.Stage.Notes())
	for _, n := range remarks {
		fmt.Fprintf(con.err, "note: %s\n", n)
	}
	return nil
}

// checkOut returns an error for outputs that are probably mistakes: a picture
// over the trace, a folder without a slash.
func (c *renderCmd) checkOut(con *console) error {
	if c.folder() || c.Out == "-" {
		return nil
	}
	if info, err := os.Stat(c.Out); err == nil && info.IsDir() {
		return usagef("%s is a folder; -o %s puts every picture of every frame into it", c.Out, quote.Shell(c.Out+"/"))
	}
	return nil
}
