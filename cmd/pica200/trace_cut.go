package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pica200/pipeline/retrace"
)

type traceCutCmd struct {
	Trace   string `arg:"" help:"Trace (.ctf, .picatrace), - for standard input."`
	Frames  string `required:"" placeholder:"N-M" help:"Frames to keep, from 0: 100-110, or one number."`
	Out     string `short:"o" required:"" ends:".picatrace" placeholder:"FILE" help:"Recording to write (.picatrace), - for standard output."`
	Workers int    `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU. The file does not depend on it."`
	Quiet   bool   `short:"q" help:"Print nothing but errors."`
	timeFlags
}

func (traceCutCmd) Help() string {
	return `Writes some frames of a trace as a recording of its own. It begins with
the complete state of the GPU at that point, and its frames count from 0. It
contains only the memory that these frames read; everything else is 0. A replay
finds this memory byte by byte: command lists, vertices, indices, textures, old
contents of render targets that blending or tests need, input of transfers, and
what the screens show.

Examples:

  pica200 trace cut game.picatrace --frames 1-2 -o part.picatrace
  pica200 trace cut game.ctf --frames 3 -o frame.picatrace`
}

func (c traceCutCmd) Run(ctx context.Context, con *console) error {
	first, last, err := frameRange(c.Frames)
	if err != nil {
		return err
	}
	j := cutJob{trace: c.Trace, out: c.Out, workers: c.Workers, quiet: c.Quiet, timeFlags: c.timeFlags}
	return j.run(ctx, con, func(ctx context.Context, in *inputTrace, out io.Writer, o retrace.Options) (retrace.Report, error) {
		return retrace.Cut(ctx, in.Trace, first, last, out, o)
	})
}

// frameRange parses "100-110" or "100".
func frameRange(text string) (first, last int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || first < 0 || last < first {
		return 0, 0, usagef("--frames %s: want the first and the last frame, 100-110 say, or one number", text)
	}
	return first, last, nil
}

type traceStripCmd struct {
	Trace   string `arg:"" help:"Trace (.ctf, .picatrace), - for standard input."`
	Frame   int    `required:"" placeholder:"N" help:"Frame to keep, from 0."`
	Out     string `short:"o" required:"" ends:".picatrace" placeholder:"FILE" help:"Recording to write (.picatrace), - for standard output."`
	Workers int    `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU. The file does not depend on it."`
	Quiet   bool   `short:"q" help:"Print nothing but errors."`
	timeFlags
}

func (traceStripCmd) Help() string {
	return `Writes one frame of a trace with little more than its draws need, so
that a bug report contains as little of a game as possible. Command lists are
kept whole, and every draw draws the same. Left out are memory that only screens
show, title, comment, stored pictures, and shader code and tables that no draw
uses. A screen whose picture was not drawn in the frame becomes black.

Examples:

  pica200 trace strip game.picatrace --frame 2 -o bug.picatrace`
}

func (c traceStripCmd) Run(ctx context.Context, con *console) error {
	if c.Frame < 0 {
		return usagef("--frame must not be negative")
	}
	j := cutJob{trace: c.Trace, out: c.Out, workers: c.Workers, quiet: c.Quiet, timeFlags: c.timeFlags}
	return j.run(ctx, con, func(ctx context.Context, in *inputTrace, out io.Writer, o retrace.Options) (retrace.Report, error) {
		return retrace.Strip(ctx, in.Trace, c.Frame, out, o)
	})
}

// cutJob is the common part of cut and strip.
type cutJob struct {
	trace, out string
	workers    int
	quiet      bool
	timeFlags
}

func (j *cutJob) run(ctx context.Context, con *console, cut func(context.Context, *inputTrace, io.Writer, retrace.Options) (retrace.Report, error)) error {
	f := traceFiles{trace: j.trace, out: j.out, workers: j.workers, quiet: j.quiet, timeFlags: j.timeFlags}
	return f.open(ctx, con, func(ctx context.Context, in *inputTrace) error {
		var report retrace.Report
		size, err := writeTrace(con, j.out, func(w io.Writer) error {
			var err error
			if report, err = cut(ctx, in, w, retrace.Options{Workers: j.workers}); err != nil {
				return fmt.Errorf("%s: %w", inputName(j.trace), err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if !j.quiet && j.out != "-" {
			fmt.Fprintf(con.out, "%s: %d of %d frames, %d draws, %d bytes of memory; %d of %d bytes in %s\n",
				inputName(j.trace), report.Frames, in.Frames(), report.Draws, report.Memory, size, in.bytes, j.out)
		}
		return nil
	})
}
