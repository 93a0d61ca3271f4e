package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"pica200/assets/picatrace"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// isTrace tells a trace from a scene or model: by its first bytes, or by its
// name, so that what is wrong with it is said by who reads traces.
func isTrace(path string) bool {
	head, err := firstBytes(path)
	return err == nil && picatrace.IsTrace(head) || filepath.Ext(path) == ".ctf" || filepath.Ext(path) == ".picatrace"
}

// firstBytes reads enough of a file to tell its format.
func firstBytes(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return head[:n], nil
}

// openStage reads a scene or makes one for a model.
func openStage(con *console, path string, roots []string, quiet bool) (*scenebuild.Stage, error) {
	if head, err := firstBytes(path); err != nil {
		return nil, err
	} else if picatrace.IsTrace(head) {
		return nil, fmt.Errorf("%s is a trace already; a scene (.yaml) or a model (.gltf, .glb, .obj) is expected", path)
	} else if !scene.Is(path, head) && !scenebuild.IsModel(path) {
		return nil, fmt.Errorf("%s is neither a trace (.ctf, .picatrace) nor a scene (.yaml) nor a model (.gltf, .glb, .obj)", path)
	}
	st, err := scenebuild.Load(path, roots...)
	if err != nil {
		return nil, err
	}
	con.reads(st.Files()...)
	if !quiet {
		warn(con, st.Warnings)
	}
	return st, nil
}

// renderStage draws the frames of a scene or model.
func (c *renderCmd) renderStage(ctx context.Context, con *console) error {
	if c.Frame >= c.Frames {
		return usagef("there is no frame %d; --frames is %d, and the first is 0", c.Frame, c.Frames)
	}
	st, err := openStage(con, c.Trace, c.Root, c.Quiet)
	if err != nil {
		return err
	}
	if c.folder() {
		if err := os.MkdirAll(c.Out, 0o777); err != nil {
			return err
		}
	}
	start := st.Scene.Time
	if c.Time != nil {
		start = *c.Time
	}
	bar := newBar(con, c.Quiet, c.Frames, "frames")
	defer bar.done()
	written := 0
	for i := range c.Frames {
		if c.Frame >= 0 && i != c.Frame || c.Frame < 0 && !c.folder() && i != c.Frames-1 {
			continue
		}
		g, _, err := st.Render(ctx, start+float64(i)*c.Step, scenebuild.Options{Workers: c.Workers})
		if err != nil {
			return err
		}
		pictures := []picture{targetPicture("color")}
		if c.Target != "" || c.Screen != "" {
			pictures = c.pictures(g)
		}
		for _, p := range pictures {
			if err := c.write(con, p, g, i); err != nil {
				return err
			}
			written++
		}
		bar.step(i + 1)
	}
	bar.done()
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %d pictures in %s\n", c.Trace, written, c.Out)
	}
	return nil
}
