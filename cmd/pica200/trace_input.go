package main

import (
	"bytes"
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

// traceFlags are the options of commands that read a trace.
type traceFlags struct {
	Trace string `arg:"" help:"Trace (.ctf, .picatrace), - for standard input."`
	timeFlags
}

// workerFlags are the options of commands that draw.
type workerFlags struct {
	Workers int `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU. The output does not depend on it."`
}

// quietFlags are the options of commands that say what they did.
type quietFlags struct {
	Quiet bool `short:"q" help:"Print nothing but errors."`
}

// read opens the trace, and prints problems found while reading it, for example that it is cut off.
func (f *traceFlags) read(con *console, quiet bool) (*inputTrace, error) {
	in, err := readTrace(con, f.Trace)
	if err != nil || quiet {
		return in, err
	}
	for _, f := range in.Findings {
		if f.Level == tree.Problem {
			fmt.Fprintf(con.err, "warning: %s: %v\n", in.name, f)
		}
	}
	return in, nil
}

// rewriteFlags are the options of commands that make a recording of a trace.
type rewriteFlags struct {
	traceFlags
	Out string `short:"o" required:"" ends:".picatrace" placeholder:"FILE" help:"Recording to write (.picatrace), - for standard output."`
	workerFlags
	quietFlags
}

// rewrite reads the trace and writes to out what make makes of it; say formats the line that is printed then, for the size of the output.
func (f *traceFlags) rewrite(con *console, out string, quiet bool, make func(in *inputTrace, w io.Writer) error, say func(in *inputTrace, size int64) string) error {
	in, err := f.read(con, quiet)
	if err != nil {
		return err
	}
	size, err := writeTrace(con, out, func(w io.Writer) error {
		if err := make(in, w); err != nil {
			return fmt.Errorf("%s: %w", inputName(f.Trace), err)
		}
		return nil
	})
	if err == nil && !quiet && out != "-" {
		fmt.Fprintf(con.out, "%s: %s\n", inputName(f.Trace), say(in, size))
	}
	return err
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
