package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/internal/files"
	"pica200/pipeline"
	"pica200/scene/source"
)

// listDraws prints a line for every draw of the file or of a frame.
func listDraws(ctx context.Context, con *console, c *inspectCmd) error {
	r, err := con.openReplay(ctx, c.File, false, source.Options{Roots: c.Root, Strict: c.Strict})
	if err != nil {
		return err
	}
	defer r.Close()
	first, end := 0, r.Frames()
	if c.Frame >= 0 {
		if first, err = r.FrameAt(c.Frame); err != nil {
			return err
		}
		end = first + 1
	}
	w := newDrawWriter(con, c.JSON, "%5[frame]d %4[draw]d %4[pass]d %-9[kind]s %-14[primitive]s %8[vertices]d %9[triangles]d %9[drawn]d %9[pixels]d %-5[entry]s %-29[target]s %[textures]s")
	for frame := first; frame < end && err == nil; frame++ {
		var list []pipeline.DrawRecord
		list, err = r.NamedDraws(ctx, frame)
		for i := range list {
			row := explain.DrawRow(&list[i])
			more := ""
			if list[i].Mode != "default" {
				more += " [" + list[i].Mode + "]"
			}
			if list[i].Name != "" {
				more += fmt.Sprintf(" %q", list[i].Name)
			}
			if row.Mark == rows.Failed {
				more += " LEFT OUT"
			}
			w.write(&list[i], row, more)
		}
	}
	warn(con, r.GPU.Warnings())
	return w.end(c.File, err)
}

// drawStats prints the counts of every draw of a trace, a scene or a model.
func drawStats(ctx context.Context, con *console, c *inspectCmd) error {
	s, err := con.open(c.File, false, source.Options{Roots: c.Root})
	if err != nil {
		return err
	}
	r, err := s.Record(ctx)
	if err != nil {
		return err
	}
	w := newDrawWriter(con, c.JSON, "%5[frame]d %4[draw]d %-9[kind]s %-14[primitive]s %8[vertices]d %8[shaded]d %8[reused]d %-8[geometry]s %8[runs]d %8[emitted]d %9[triangles]d %8[culled]d %8[rejected]d %8[clipped]d %9[dropped]d %9[drawn]d %9[fragments]d")
	warnings, err := pipeline.CountDraws(ctx, r.Trace, pipeline.Options{Strict: c.Strict}, func(s *pipeline.DrawStats) error {
		w.write(s, explain.CountsRow(s), "")
		return nil
	})
	warn(con, warnings)
	return w.end(c.File, err)
}

// drawWriter prints draws as a table or as a JSON array.
type drawWriter struct {
	w    *bufio.Writer
	json bool
	n    int
	// columns of the table, and their heads.
	columns []column
}

// column is a value of rows in a format.
type column struct{ name, format string }

// newDrawWriter makes one. columns are formats, each with the name of its value
// in brackets.
func newDrawWriter(con *console, asJSON bool, columns string) *drawWriter {
	d := &drawWriter{w: bufio.NewWriterSize(con.out, 1<<16), json: asJSON}
	for _, c := range strings.Fields(columns) {
		format, rest, _ := strings.Cut(c, "[")
		name, verb, _ := strings.Cut(rest, "]")
		d.columns = append(d.columns, column{name, format + verb})
	}
	return d
}

func (d *drawWriter) write(v any, row rows.Row, more string) {
	d.n++
	if d.json {
		line, err := json.Marshal(v)
		if err != nil {
			line = []byte("null") // not with numbers and words
		}
		fmt.Fprintf(d.w, "%s\n  %s", map[bool]string{true: "[", false: ","}[d.n == 1], line)
		return
	}
	var head, cells []string
	for _, c := range d.columns {
		head = append(head, fmt.Sprintf(strings.Replace(c.format, "d", "s", 1), c.name))
		is := row.Get(c.name)
		if is == "" {
			is = "-"
		}
		cells = append(cells, fmt.Sprintf(c.format, is))
	}
	if d.n == 1 {
		fmt.Fprintln(d.w, strings.Join(head, " "))
	}
	fmt.Fprintln(d.w, strings.Join(cells, " ")+more)
}

// end ends the list. What was listed before an error is still printed.
func (d *drawWriter) end(file string, err error) error {
	switch {
	case d.json && d.n == 0:
		fmt.Fprintln(d.w, "[]")
	case d.json:
		fmt.Fprint(d.w, "\n]\n")
	case d.n == 0 && err == nil:
		fmt.Fprintln(d.w, "no draws")
	}
	if flushed := d.w.Flush(); err == nil && flushed != nil {
		return flushed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(file), err)
	}
	return nil
}

// showDraw prints everything of one draw, or writes it to a folder.
func showDraw(ctx context.Context, con *console, c *inspectCmd) error {
	r, err := con.openReplay(ctx, c.File, false, source.Options{Roots: c.Root, Strict: c.Strict})
	if err != nil {
		return err
	}
	defer r.Close()
	frame, err := r.FrameAt(c.Frame)
	if err != nil {
		return err
	}
	s, err := drawstate.Take(ctx, r.Replayer, frame, *c.Draw)
	warn(con, r.GPU.Warnings())
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	s.Record.Name = r.Name(frame, *c.Draw)
	if c.Out != "" {
		return writeDraw(ctx, con, c, s)
	}
	out := bufio.NewWriterSize(con.out, 1<<16)
	if c.JSON {
		err = printJSON(out, s.JSON())
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
