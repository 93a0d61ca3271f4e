package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"pica200/assets/picatrace"
)

type traceConvertCmd struct {
	Trace string `arg:"" help:"Trace (.ctf, .picatrace)."`
	Out   string `short:"o" required:"" placeholder:"FILE" help:"Trace to write, - for standard output: a CiTrace if it ends in .ctf, otherwise a recording."`
	Raw   bool   `help:"Leave a .picatrace unpacked."`
	Quiet bool   `short:"q" help:"Print nothing but errors and what is lost."`
	timeFlags
}

func (traceConvertCmd) Help() string {
	return `Reads a trace and writes it as a recording (.picatrace), or as a CiTrace if -o
ends in .ctf. A recording is packed and has an index, also when the input is one that a
recorder wrote; a .ctf is for programs that read CiTraces. What a .ctf cannot
hold is named.

Examples:

  pica200 trace convert game.ctf -o game.picatrace
  pica200 trace convert game.picatrace -o game.ctf`
}

func (c traceConvertCmd) Run(ctx context.Context, con *console) error {
	toCiTrace := filepath.Ext(c.Out) == ".ctf"
	if c.Raw && toCiTrace {
		return usagef("--raw is for .picatrace; a .ctf is never packed")
	}
	ctx, cancel, err := c.limit(ctx, con)
	if err != nil {
		return err
	}
	defer cancel()
	con.reads(c.Trace)
	if err := con.mayWrite(c.Out); err != nil {
		return err
	}
	in, err := readInput(c.Trace)
	if err != nil {
		return err
	}
	t, err := picatrace.Parse(in)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Trace, err)
	}
	var out []byte
	if toCiTrace {
		out, err = c.toCiTrace(con, t)
	} else {
		out, err = c.toRecording(ctx, t)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Trace, err)
	}
	if err := con.writeBytes(c.Out, out); err != nil {
		return err
	}
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %d frames, %d bytes; %d bytes in %s\n", c.Trace, t.Frames(), len(in), len(out), c.Out)
	}
	return nil
}

func (c traceConvertCmd) toCiTrace(con *console, t *picatrace.Trace) ([]byte, error) {
	b, lost, err := t.CiTrace()
	if err != nil {
		return nil, err
	}
	for _, l := range lost {
		fmt.Fprintf(con.err, "lost: %s\n", l)
	}
	return b.Encode()
}

func (c traceConvertCmd) toRecording(ctx context.Context, t *picatrace.Trace) ([]byte, error) {
	var out bytes.Buffer
	w, err := picatrace.NewWriter(&out, t.Meta, t.Initial, picatrace.WriterOptions{Raw: c.Raw})
	if err != nil {
		return nil, err
	}
	for i := range t.Frames() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.CopyFrame(t, i); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
