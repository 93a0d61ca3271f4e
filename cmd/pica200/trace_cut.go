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
	rewriteFlags
	Frames string `required:"" placeholder:"N-M" help:"Frames to keep, from 0: 100-110, or one number."`
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
	return c.cut(con, func(in *inputTrace, out io.Writer, o retrace.Options) (retrace.Report, error) {
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
	rewriteFlags
	Frame int `required:"" placeholder:"N" help:"Frame to keep, from 0."`
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
	return c.cut(con, func(in *inputTrace, out io.Writer, o retrace.Options) (retrace.Report, error) {
		return retrace.Strip(ctx, in.Trace, c.Frame, out, o)
	})
}

// cut is the common part of cut and strip.
func (f *rewriteFlags) cut(con *console, cut func(*inputTrace, io.Writer, retrace.Options) (retrace.Report, error)) error {
	var report retrace.Report
	return f.rewrite(con, f.Out, f.Quiet, func(in *inputTrace, w io.Writer) (err error) {
		report, err = cut(in, w, retrace.Options{Workers: f.Workers})
		return err
	}, func(in *inputTrace, size int64) string {
		return fmt.Sprintf("%d of %d frames, %d draws, %d bytes of memory; %d of %d bytes in %s",
			report.Frames, in.Frames(), report.Draws, report.Memory, size, in.bytes, f.Out)
	})
}
