package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"pica200/assets/tree"
	"pica200/explain/inspect"
)

type inspectCmd struct {
	File  string `arg:"" help:"File of any known format, detected by its contents; - for standard input."`
	As    string `help:"Format of the file, if detection is not wanted." placeholder:"FORMAT"`
	JSON  bool   `name:"json" help:"Print the tree as JSON (docs/inspect.schema.json)."`
	Hex   bool   `help:"Show the bytes beside the fields."`
	Only  string `placeholder:"PATH" help:"Print only the part of the tree at this path: names joined by /."`
	Brief bool   `help:"Print only a summary: the two topmost levels."`
	Stats bool   `help:"Replay and print for every draw how many vertices and triangles it had and how many were drawn, and what the geometry shader did."`
	Draws bool   `help:"Replay and print a line for every draw: its size, target and textures."`
	Draw  *int   `placeholder:"N" help:"Print the complete state of draw N, and what changed since the draw before."`
	Frame int    `default:"-1" placeholder:"N" help:"With --draws: only this frame. With --draw: the frame, from 0. Without it: the last."`
	Out   string `short:"o" placeholder:"DIR" help:"With --draw: write the state to this folder: vertices as CSV, programs as source, textures, tables and target as PNG."`
	Check bool   `help:"Run all consistency checks; print only the findings, and exit with status 1 if there is a problem."`
	rootFlags
	strictFlags
}

func (inspectCmd) Help() string {
	var b strings.Builder
	b.WriteString("Shows the contents of a file as a tree: offset and size in hexadecimal, name, value.\n\nFormats:\n\n")
	for _, f := range inspect.Formats {
		fmt.Fprintf(&b, "  %-8s %s\n", f.Name, f.Doc)
	}
	b.WriteString(`
For files of more than 256 KiB the text begins with a summary. For the draws of
a trace use --draws and --draw.

Examples:

  pica200 inspect recording.ctf
  pica200 inspect --brief recording.ctf
  pica200 inspect --only header/magic recording.ctf
  pica200 inspect --json shader.shbin
  pica200 inspect --check --as cmdlist list.bin
  pica200 inspect --stats recording.ctf
  pica200 inspect --draws recording.ctf
  pica200 inspect --draw 2 --frame 0 recording.ctf
  pica200 inspect --draw 2 recording.ctf -o draw2/`)
	return b.String()
}

// largeFile is the size above which text begins with a summary.
const largeFile = 256 << 10

func (c inspectCmd) Run(ctx context.Context, con *console) error {
	if names := inspect.Names(); c.As != "" && !slices.Contains(names, c.As) {
		return usagef("there is no format %q; known are %s", c.As, strings.Join(names, ", "))
	}
	if err := c.checkReplay(); err != nil {
		return err
	}
	switch {
	case c.Draws:
		return listDraws(ctx, con, &c)
	case c.Draw != nil:
		return showDraw(ctx, con, &c)
	}
	if c.Stats {
		return drawStats(ctx, con, &c)
	}
	data, err := con.read(c.File)
	if err != nil {
		return err
	}
	if con.setMemoryLimit != nil {
		con.setMemoryLimit(inspect.Memory + 4*int64(len(data)))
	}
	doc, err := inspect.OpenNamed(c.File, data, c.As)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	if c.Only != "" {
		if doc.Root, err = tree.Find(doc.Root, c.Only); err != nil {
			return fmt.Errorf("%s: --only: %w", inputName(c.File), err)
		}
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
	case c.Brief:
		err = tree.WriteSummary(out, doc.Document)
	default:
		if c.Only == "" && len(data) > largeFile {
			if err = tree.WriteSummary(out, doc.Document); err == nil {
				_, err = fmt.Fprintln(out)
			}
		}
		if err == nil {
			err = tree.WriteText(out, doc.Document, nil, opts)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return err
	}
	if findings.Problems() > 0 {
		return errFound
	}
	return nil
}

// checkReplay checks the options for what a file draws.
func (c *inspectCmd) checkReplay() error {
	replays := 0
	for _, on := range []bool{c.Stats, c.Draws, c.Draw != nil} {
		if on {
			replays++
		}
	}
	switch {
	case replays > 1:
		return usagef("--stats, --draws and --draw exclude each other")
	case replays == 1 && (c.Check || c.Hex || c.Brief || c.Only != "" || c.As != ""):
		return usagef("--as, --check, --hex, --brief and --only are for the file's own tree, not for its draws")
	case c.Check && (c.Brief || c.Only != ""):
		return usagef("--check checks the whole file; --brief and --only are for its tree")
	case c.Brief && (c.JSON || c.Hex):
		return usagef("--brief is text without bytes; --json and --hex exclude it")
	case c.Strict && replays == 0:
		return usagef("--strict is for --stats, --draws and --draw, which replay the trace")
	case c.Frame >= 0 && !c.Draws && c.Draw == nil:
		return usagef("--frame is for --draws and --draw")
	case c.Out != "" && c.Draw == nil:
		return usagef("-o is for --draw")
	case c.Out != "" && c.JSON:
		return usagef("-o and --json exclude each other; the folder gets draw.json")
	}
	return nil
}
