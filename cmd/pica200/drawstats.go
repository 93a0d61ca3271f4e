package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"pica200/pipeline"
)

// drawStats prints what happened in every draw of a trace, a scene or a model.
func drawStats(ctx context.Context, con *console, c *inspectCmd) error {
	trace, _, err := traceOf(ctx, con, &source{path: c.File, as: c.As, roots: c.Root, flag: "--stats"})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(con.out, 1<<16)
	write := drawStatsText(out)
	if c.JSON {
		write = drawStatsJSON(out)
	}
	warnings, err := pipeline.CountDraws(ctx, trace, pipeline.Options{Strict: c.Strict}, write)
	warn(con, warnings)
	if err == nil {
		err = write(nil)
	}
	// What was counted before an error is shown.
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	return nil
}

// drawStatsText prints a line a draw. nil ends the table.
func drawStatsText(w io.Writer) func(*pipeline.DrawStats) error {
	first := true
	return func(s *pipeline.DrawStats) error {
		if s == nil {
			if first {
				fmt.Fprintln(w, "no draws")
			}
			return nil
		}
		if first {
			fmt.Fprintln(w, "frame draw kind      primitive      vertices   shaded   reused geometry     runs  emitted triangles   culled rejected  clipped   dropped     drawn fragments")
			first = false
		}
		g := &s.Geometry
		mode := s.GeometryMode
		if mode == "" {
			mode = "-"
		}
		_, err := fmt.Fprintf(w, "%5d %4d %-9s %-14s %8d %8d %8d %-8s %8d %8d %9d %8d %8d %8d %9d %9d %9d\n",
			s.Frame, s.Draw, s.Kind, s.Primitive, g.Indices, g.Shaded, g.CacheHits, mode, g.Invocations, g.Emitted,
			g.Primitives, g.Culled, g.Rejected, g.Clipped, g.Incomplete, g.Triangles, s.Fragments)
		return err
	}
}

// drawStatsJSON prints an array of draws. nil ends it.
func drawStatsJSON(w io.Writer) func(*pipeline.DrawStats) error {
	sep := "["
	return func(s *pipeline.DrawStats) error {
		if s == nil {
			if sep == "[" {
				fmt.Fprint(w, sep)
			}
			_, err := fmt.Fprint(w, "\n]\n")
			return err
		}
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n  %s", sep, line)
		sep = ","
		return err
	}
}
