package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"pica200/assets/picatrace"
	"pica200/pipeline/retrace"
)

type traceConvertCmd struct {
	traceFlags
	Out   string `short:"o" required:"" ends:".picatrace .ctf" placeholder:"FILE" help:"Trace to write, - for standard output: a CiTrace if it ends in .ctf, otherwise a recording."`
	Raw   bool   `help:"Leave a .picatrace unpacked."`
	Quiet bool   `short:"q" help:"Print nothing but errors and what is lost."`
}

func (traceConvertCmd) Help() string {
	return `Writes a trace as a recording (.picatrace), or as a CiTrace if -o ends
in .ctf. A recording is always packed and indexed; a .ctf is for programs that
read CiTraces. What a .ctf cannot represent is printed.

Examples:

  pica200 trace convert game.ctf -o game.picatrace
  pica200 trace convert game.picatrace -o game.ctf`
}

func (c traceConvertCmd) Run(ctx context.Context, con *console) error {
	toCiTrace := filepath.Ext(c.Out) == ".ctf"
	if c.Raw && toCiTrace {
		return usagef("--raw is for .picatrace; a .ctf is never packed")
	}
	return c.rewrite(con, c.Out, c.Quiet, func(in *inputTrace, w io.Writer) error {
		if toCiTrace {
			return c.toCiTrace(con, in.Trace, w)
		}
		return retrace.Pack(ctx, in.Trace, w, retrace.PackOptions{Options: retrace.Options{Writer: picatrace.WriterOptions{Raw: c.Raw}}})
	}, func(in *inputTrace, size int64) string {
		return fmt.Sprintf("%d frames, %d bytes; %d bytes in %s", in.Frames(), in.bytes, size, c.Out)
	})
}

func (c traceConvertCmd) toCiTrace(con *console, t *picatrace.Trace, w io.Writer) error {
	b, lost, err := t.CiTrace()
	if err != nil {
		return err
	}
	for _, l := range lost {
		fmt.Fprintf(con.err, "lost: %s\n", l)
	}
	data, err := b.Encode()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
