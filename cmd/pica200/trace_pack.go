package main

import (
	"context"
	"fmt"
	"io"

	"pica200/pipeline/retrace"
)

type tracePackCmd struct {
	rewriteFlags
	Whole   bool `help:"Keep memory that nothing reads, too, and do not replay the trace for that."`
	Screens bool `help:"Keep what the screens show at the end of each frame of a replay, for trace verify."`
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
	var bar bar
	defer func() { bar.done() }()
	return c.rewrite(con, c.Out, c.Quiet, func(in *inputTrace, w io.Writer) error {
		bar = newBar(con, c.Quiet, in.Frames(), "frames")
		err := retrace.Pack(ctx, in.Trace, w, retrace.PackOptions{Options: retrace.Options{Workers: c.Workers}, Read: !c.Whole, Screens: c.Screens, Frame: func(i int) { bar.step(i + 1) }})
		bar.done()
		return err
	}, func(in *inputTrace, size int64) string {
		return fmt.Sprintf("%d frames, %d bytes; %d bytes in %s (%.1f%%)", in.Frames(), in.bytes, size, c.Out, 100*float64(size)/float64(max(in.bytes, 1)))
	})
}
