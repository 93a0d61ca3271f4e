package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"pica200/internal/files"
	"pica200/pipeline"
	"pica200/replay/drawstate"
)

// listDraws prints a line for every draw, or for those of a frame.
func listDraws(ctx context.Context, con *console, c *inspectCmd) error {
	r, err := openReplay(ctx, con, &source{path: c.File, as: c.As, roots: c.Root, strict: c.Strict, flag: "--draws"})
	if err != nil {
		return err
	}
	first, end := 0, r.Frames()
	if c.Frame >= 0 {
		if first, err = r.frame(c.Frame); err != nil {
			return err
		}
		end = first + 1
	}
	out := bufio.NewWriterSize(con.out, 1<<16)
	w := drawWriter{w: out, json: c.JSON}
	for frame := first; frame < end && err == nil; frame++ {
		var list []pipeline.DrawRecord
		list, err = r.draws(ctx, frame)
		for i := range list {
			w.write(&list[i])
		}
	}
	w.end(err)
	warn(con, r.GPU.Warnings())
	if flushed := out.Flush(); err == nil && flushed != nil {
		return flushed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	return nil
}

// drawWriter prints draws as a table or as a JSON array.
type drawWriter struct {
	w    io.Writer
	json bool
	n    int
}

func (d *drawWriter) write(r *pipeline.DrawRecord) {
	d.n++
	if d.json {
		line, err := json.Marshal(r)
		if err != nil {
			line = []byte("null") // not with numbers and words
		}
		fmt.Fprintf(d.w, "%s\n  %s", map[bool]string{true: "[", false: ","}[d.n == 1], line)
		return
	}
	if d.n == 1 {
		fmt.Fprintln(d.w, "frame draw pass kind      primitive      vertices triangles    pixels entry target                        textures")
	}
	entry := fmt.Sprintf("%03X", r.VertexEntry)
	if r.GeometryEntry >= 0 {
		entry += fmt.Sprintf("+%03X", r.GeometryEntry)
	}
	target := fmt.Sprintf("%dx%d %s@%08X", r.Target.Width, r.Target.Height, r.Target.ColorFormat, r.Target.Color)
	var rest []string
	for _, t := range r.Textures {
		rest = append(rest, t.String())
	}
	if len(rest) == 0 {
		rest = []string{"-"}
	}
	line := fmt.Sprintf("%5d %4d %4d %-9s %-14s %8d %9d %9d %-5s %-29s %s", r.Frame, r.Draw, r.Pass, r.Kind, r.Primitive,
		r.Vertices, r.Geometry.Triangles, r.Fragments, entry, target, strings.Join(rest, ", "))
	if r.Mode != "default" {
		line += " [" + r.Mode + "]"
	}
	if r.Name != "" {
		line += fmt.Sprintf(" %q", r.Name)
	}
	if r.LeftOut {
		line += " LEFT OUT"
	}
	fmt.Fprintln(d.w, line)
}

func (d *drawWriter) end(err error) {
	switch {
	case d.json && d.n == 0:
		fmt.Fprintln(d.w, "[]")
	case d.json:
		fmt.Fprint(d.w, "\n]\n")
	case d.n == 0 && err == nil:
		fmt.Fprintln(d.w, "no draws")
	}
}

// showDraw prints everything of one draw, or writes it to a folder.
func showDraw(ctx context.Context, con *console, c *inspectCmd) error {
	r, err := openReplay(ctx, con, &source{path: c.File, as: c.As, roots: c.Root, strict: c.Strict, flag: "--draw"})
	if err != nil {
		return err
	}
	frame, err := r.frame(c.Frame)
	if err != nil {
		return err
	}
	s, err := drawstate.Take(ctx, r.Replayer, frame, *c.Draw)
	warn(con, r.GPU.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	s.Record.Name = r.name(frame, *c.Draw)
	if c.Out != "" {
		return writeDraw(ctx, con, c, s)
	}
	out := bufio.NewWriterSize(con.out, 1<<16)
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		err = enc.Encode(s.JSON())
	} else {
		s.WriteText(out)
	}
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return err
}

func writeDraw(ctx context.Context, con *console, c *inspectCmd, s *drawstate.State) error {
	out, err := files.NewFolder(c.Out)
	if err != nil {
		return err
	}
	defer out.Discard()
	n := 0
	err = s.Files(ctx, func(name string, data []byte) error {
		n++
		return out.Write(name, data)
	})
	if err == nil {
		err = out.Commit(false)
	}
	if occupied := (*files.Occupied)(nil); errors.As(err, &occupied) {
		return fmt.Errorf("%w; -o another folder, or move them away", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%s: %d files of frame %d, draw %d in %s\n", inputName(c.File), n, s.Record.Frame, s.Record.Draw, c.Out)
	return nil
}
