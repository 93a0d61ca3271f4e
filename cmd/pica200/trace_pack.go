package main

import (
	"context"
	"fmt"
	"io"

	"pica200/pipeline/retrace"
)

type tracePackCmd struct {
	Trace   string `arg:"" help:"Trace (.ctf, .picatrace), - for standard input."`
	Out     string `short:"o" required:"" ends:".picatrace" placeholder:"FILE" help:"Recording to write (.picatrace), - for standard output."`
	Whole   bool   `help:"Keep memory that nothing reads, too, and do not replay the trace for that."`
	Screens bool   `help:"Keep what the screens show at the end of each frame of a replay, for trace verify."`
	Workers int    `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU. The file does not depend on it."`
	Quiet   bool   `short:"q" help:"Print nothing but errors."`
	timeFlags
}

func (tracePackCmd) Help() string {
	return `Writes a trace as a recording that is compressed and has an index, so
that programs can go to any frame at once. Recorders in emulators write neither.
The trace is replayed, and memory that the replay does not read is left out of
the file, since it can be code or data of a game. Frames and draws do not
change.

Examples:

  pica200 trace pack game.picatrace -o packed.picatrace
  pica200 trace pack game.ctf -o game.picatrace --screens`
}

func (c tracePackCmd) Run(ctx context.Context, con *console) error {
	f := traceFiles{trace: c.Trace, out: c.Out, workers: c.Workers, quiet: c.Quiet, timeFlags: c.timeFlags}
	return f.open(ctx, con, func(ctx context.Context, in *inputTrace) error {
		bar := newBar(con, c.Quiet, in.Frames(), "frames")
		defer bar.done()
		size, err := writeTrace(con, c.Out, func(w io.Writer) error {
			o := retrace.PackOptions{Options: retrace.Options{Workers: c.Workers}, Read: !c.Whole, Screens: c.Screens, Frame: func(i int) { bar.step(i + 1) }}
			if err := retrace.Pack(ctx, in.Trace, w, o); err != nil {
				return fmt.Errorf("%s: %w", inputName(c.Trace), err)
			}
			return nil
		})
		bar.done()
		if err != nil {
			return err
		}
		if !c.Quiet && c.Out != "-" {
			fmt.Fprintf(con.out, "%s: %d frames, %d bytes; %d bytes in %s (%.1f%%)\n", inputName(c.Trace), in.Frames(), in.bytes, size, c.Out, 100*float64(size)/float64(max(in.bytes, 1)))
		}
		return nil
	})
}
