package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"pica200/assets/tree"
	"pica200/inspect"
	"pica200/internal/files"
)

type inspectCmd struct {
	File  string `arg:"" help:"File of any known format, told by its contents; - for standard input."`
	As    string `help:"Read the file as this format instead of looking." placeholder:"FORMAT"`
	JSON  bool   `name:"json" help:"Print the tree as JSON (docs/inspect.schema.json)."`
	Hex   bool   `help:"Show the bytes beside the fields."`
	Stats bool   `help:"Draw a trace, scene or model and print for every draw what became of its vertices and triangles, and of the geometry shader."`
	Check bool   `help:"Run every consistency check; print the findings only, and end with status 1 if any is a problem."`
	rootFlags
	strictFlags
}

func (inspectCmd) Help() string {
	var b strings.Builder
	b.WriteString("Shows what a file holds as a tree: offset and size in hexadecimal, name, value.\n\nFormats:\n\n")
	for _, f := range inspect.Formats {
		fmt.Fprintf(&b, "  %-8s %s\n", f.Name, f.Doc)
	}
	b.WriteString(`
Examples:

  pica200 inspect recording.ctf
  pica200 inspect --json shader.shbin
  pica200 inspect --check --as cmdlist list.bin
  pica200 inspect --stats recording.ctf`)
	return b.String()
}

func (c inspectCmd) Run(ctx context.Context, con *console) error {
	if names := inspect.Names(); c.As != "" && !slices.Contains(names, c.As) {
		return usagef("there is no format %q; known are %s", c.As, strings.Join(names, ", "))
	}
	if c.Strict && !c.Stats {
		return usagef("--strict is for --stats, which replays the trace")
	}
	if c.Stats {
		return drawStats(ctx, con, &c)
	}
	data, err := readInput(c.File)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(inspect.Memory + 4*int64(len(data)))
	doc, err := inspect.Open(data, c.As)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	var findings tree.Findings
	if c.Check {
		findings = doc.Check()
		doc.Root.Children = nil
	}
	out := bufio.NewWriterSize(con.out, 1<<16)
	opts := tree.Options{Hex: c.Hex && !c.Check, Data: data}
	switch {
	case c.JSON:
		err = tree.WriteJSON(out, doc.Document, findings, opts)
	case c.Check:
		tree.WriteFindings(out, findings)
	default:
		err = tree.WriteText(out, doc.Document, nil, opts)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return err
	}
	if findings.Problems() > 0 {
		return &exitError{status: exitFailed}
	}
	return nil
}

// readInput reads a file, or standard input for "-".
func readInput(name string) ([]byte, error) {
	if name == "-" {
		return files.ReadAll(os.Stdin, files.MaxStream)
	}
	return files.Read(name, files.Max)
}
