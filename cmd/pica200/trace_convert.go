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
	Trace string `arg:"" help:"Trace (.ctf, .picatrace), - for standard input."`
	Out   string `short:"o" required:"" ends:".picatrace .ctf" placeholder:"FILE" help:"Trace to write, - for standard output: a CiTrace if it ends in .ctf, otherwise a recording."`
	Raw   bool   `help:"Leave a .picatrace unpacked."`
	Quiet bool   `short:"q" help:"Print nothing but errors and what is lost."`
	timeFlags
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
	f := traceFiles{trace: c.Trace, out: c.Out, quiet: c.Quiet, timeFlags: c.timeFlags}
	return f.open(ctx, con, func(ctx context.Context, in *inputTrace) error {
		size, err := writeTrace(con, c.Out, func(w io.Writer) error {
			var err error
			if toCiTrace {
				err = c.toCiTrace(con, in.Trace, w)
			} else {
				err = retrace.Pack(ctx, in.Trace, w, retrace.PackOptions{Options: retrace.Options{Writer: picatrace.WriterOptions{Raw: c.Raw}}})
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", inputName(c.Trace), err)
			}
			return err
		})
		if err != nil {
			return err
		}
		if !c.Quiet && c.Out != "-" {
			fmt.Fprintf(con.out, "%s: %d frames, %d bytes; %d bytes in %s\n", inputName(c.Trace), in.Frames(), in.bytes, size, c.Out)
		}
		return nil
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
