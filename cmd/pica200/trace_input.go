package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"pica200/assets/picatrace"
	"pica200/assets/tree"
	"pica200/scene/source"
)

// inputTrace is an input trace.
type inputTrace struct {
	*picatrace.Trace
	name  string
	bytes int64 // of the file
}

// readTrace opens a trace, or reads it from standard input for "-".
func readTrace(con *console, name string) (*inputTrace, error) {
	if name != "-" {
		t, size, err := source.ReadTrace(name, false)
		return &inputTrace{t, name, size}, err
	}
	data, err := con.read(name)
	if err != nil {
		return nil, err
	}
	t, err := picatrace.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stdinName, err)
	}
	return &inputTrace{t, stdinName, int64(len(data))}, nil
}

// warn prints problems found while reading the trace, for example that it is
// cut off.
func (in *inputTrace) warn(con *console, quiet bool) {
	if quiet {
		return
	}
	for _, f := range in.Findings {
		if f.Level == tree.Problem {
			fmt.Fprintf(con.err, "warning: %s: %v\n", in.name, f)
		}
	}
}

// traceFiles is the common part of commands that read a trace.
type traceFiles struct {
	trace, out string // out is empty if nothing is written
	workers    int
	quiet      bool // do not print problems of reading
	timeFlags
}

// open checks the options, opens the trace and calls do with it.
func (f traceFiles) open(ctx context.Context, con *console, do func(context.Context, *inputTrace) error) error {
	if f.workers < 0 {
		return usagef("--workers must not be negative")
	}
	ctx, cancel, err := f.limit(ctx, con)
	if err != nil {
		return err
	}
	defer cancel()
	in, err := readTrace(con, f.trace)
	if err != nil {
		return err
	}
	in.warn(con, f.quiet)
	return do(ctx, in)
}

// writeTrace writes a trace to a file, completely or not at all, or to standard
// output, and returns its size.
func writeTrace(con *console, name string, write func(io.Writer) error) (int64, error) {
	if name == "-" {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			return 0, err
		}
		return int64(out.Len()), con.writeBytes(name, out.Bytes())
	}
	n := counter{}
	err := con.writeFile(name, func(w io.Writer) error {
		n = counter{w: w}
		return write(&n)
	})
	return n.n, err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
