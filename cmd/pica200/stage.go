package main

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"strconv"
	"strings"

	"pica200/assets/picatrace"
	"pica200/internal/files"
	"pica200/internal/plural"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// isTrace reports whether a file is a trace: by its first bytes, or by its
// name, so that the reader of traces reports errors in it.
func isTrace(path string) bool {
	head, err := firstBytes(path)
	return err == nil && picatrace.IsTrace(head) || filepath.Ext(path) == ".ctf" || filepath.Ext(path) == ".picatrace"
}

// firstBytes reads enough of a file to detect its format.
func firstBytes(path string) ([]byte, error) { return files.Head(path, 4096) }

// openStage reads a scene, or makes one for a model or a shader, also from
// standard input.
func openStage(con *console, path string, roots []string, quiet bool) (*scenebuild.Stage, error) {
	st, err := loadStage(con, path, roots)
	if err != nil {
		return nil, err
	}
	con.named(st.Files()...)
	if !quiet {
		warn(con, st.Warnings)
	}
	return st, nil
}

func loadStage(con *console, path string, roots []string) (*scenebuild.Stage, error) {
	if path == "-" {
		data, err := con.read(path)
		if err != nil {
			return nil, err
		}
		if picatrace.IsTrace(data) {
			return nil, fmt.Errorf("%s is a trace already; a scene, a model or a shader is expected", stdinName)
		}
		return scenebuild.Parse(stdinName, data, roots...)
	}
	if head, err := firstBytes(path); err != nil {
		return nil, err
	} else if picatrace.IsTrace(head) {
		return nil, fmt.Errorf("%s is a trace already; a scene (.yaml), a model (.gltf, .glb, .obj, .cgfx, .bnr) or a shader (.shbin, .pica) is expected", path)
	} else if !scene.Is(path, head) && !scenebuild.IsModel(path) && !scenebuild.IsShader(path) && !looksLikeScene(con, path) {
		return nil, fmt.Errorf("%s is neither a trace (.ctf, .picatrace) nor a scene (.yaml) nor a model (.gltf, .glb, .obj, .cgfx, .bnr) nor a shader (.shbin, .pica)", path)
	}
	return scenebuild.Load(path, roots...)
}

// looksLikeScene recognises a scene by its contents.
func looksLikeScene(con *console, path string) bool {
	data, err := con.read(path)
	return err == nil && scene.Looks(data)
}

// renderStage draws the frames of a scene or model.
func (c *renderCmd) renderStage(ctx context.Context, con *console) error {
	st, err := openStage(con, c.Trace, c.Root, c.Quiet)
	if err != nil {
		return err
	}
	if c.count, err = c.apply(st, c.count, c.Step); err != nil {
		return err
	}
	if err := c.checkFrames(); err != nil {
		return err
	}
	c.padded = len(strconv.Itoa(c.count - 1))
	if c.folder() {
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
	}
	start := st.Scene.Time
	if c.Time != nil {
		start = *c.Time
	}
	if format, ok := animated(c.Out); ok && !c.folder() {
		return c.movie(ctx, con, st, format, c.count, start)
	}
	bar := newBar(con, c.Quiet, c.count, "frames")
	defer bar.done()
	written, first := 0, start
	for i := range c.count {
		if i < c.first || c.Frame >= 0 && i != c.Frame || c.Frame < 0 && !c.series() && i != c.count-1 {
			continue
		}
		at := start + float64(float64(i)*c.Step)
		if written == 0 {
			first = at
		}
		g, _, err := st.Render(ctx, at, scenebuild.Options{Workers: c.Workers})
		if err != nil {
			return err
		}
		for _, p := range c.stagePictures(st, g) {
			if err := c.write(con, p, g, i); err != nil {
				return err
			}
			written++
		}
		g.Close()
		bar.step(i + 1)
	}
	bar.done()
	if err := c.printNotes(ctx, con, st, first); err != nil {
		return err
	}
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %s in %s\n", inputName(c.Trace), plural.Of(written, "picture"), c.Out)
	}
	return nil
}

// stagePictures lists the pictures for a frame of a scene or model.
func (c *renderCmd) stagePictures(st *scenebuild.Stage, g *pipeline.GPU) []picture {
	pictures := []picture{targetPicture("color")}
	switch {
	case c.Target != "" || c.Screen != "":
		return c.pictures(g)
	case c.folder():
		for _, s := range st.Screens() {
			pictures = append(pictures, screenPicture(s))
		}
	case st.Scene.Camera.Stereo != nil:
		return []picture{{"stereo", func(g *pipeline.GPU) (image.Image, error) { return beside(g), nil }}}
	}
	return pictures
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
func (c *renderCmd) printNotes(ctx context.Context, con *console, st *scenebuild.Stage, t float64) error {
	if c.Quiet {
		return nil
	}
	if err := st.Diagnose(ctx, t, scenebuild.Options{Workers: c.Workers}); err != nil {
		return err
	}
	for _, n := range st.Notes() {
		fmt.Fprintf(con.err, "warning: %s\n", n)
	}
	for _, n := range st.Remarks() {
		fmt.Fprintf(con.err, "note: %s\n", n)
	}
	return nil
}
