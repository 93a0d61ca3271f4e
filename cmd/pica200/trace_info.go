package main

import (
	"context"
	"fmt"
	"strings"

	"pica200/assets/tree"
	"pica200/pipeline/retrace"
)

type traceInfoCmd struct {
	traceFlags
	JSON bool `name:"json" help:"Print the answer as JSON."`
	workerFlags
}

func (traceInfoCmd) Help() string {
	return `Prints who recorded a trace. It then replays the trace and prints how
many frames, command lists and draws it has, how much memory it loads, which
screens it uses and what is missing or unusual. For a trace without draws a
warning says why, and what to do.

Examples:

  pica200 trace info game.picatrace
  pica200 trace info game.ctf --json`
}

// traceInfo is the output as JSON.
type traceInfo struct {
	File     string `json:"file"`
	Format   string `json:"format"` // "picatrace" or "ctf"
	Bytes    int64  `json:"bytes"`
	Producer string `json:"producer,omitempty"`
	Version  string `json:"version,omitempty"`
	Title    string `json:"title,omitempty"`
	Comment  string `json:"comment,omitempty"`
	FCRAM    uint32 `json:"fcram"` // bytes of main memory; 0 if the trace does not say

	Frames      int      `json:"frames"`
	Events      int      `json:"events"`
	Lists       int      `json:"lists"`
	Draws       int      `json:"draws"`
	Fills       int      `json:"fills"`
	Transfers   int      `json:"transfers"` // display transfers and texture copies
	Writes      int      `json:"writes"`    // register writes
	Loads       int      `json:"loads"`     // ranges of memory that changed
	LoadBytes   int      `json:"load_bytes"`
	MemoryBytes int      `json:"memory_bytes"` // pages that loads write to
	Pictures    int      `json:"pictures"`
	Screens     []string `json:"screens"`
	Notes       []string `json:"notes"`
	Warnings    []string `json:"warnings"`
}

func (c traceInfoCmd) Run(ctx context.Context, con *console) error {
	in, err := c.read(con, true)
	if err != nil {
		return err
	}
	found, err := retrace.Survey(ctx, in.Trace, c.Workers)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	info := c.info(in, found)
	if c.JSON {
		return printJSON(con.out, info)
	}
	info.print(con)
	return nil
}

func (c traceInfoCmd) info(in *inputTrace, found *retrace.Contents) *traceInfo {
	m := in.Meta
	info := &traceInfo{
		File: in.name, Format: "picatrace", Bytes: in.bytes,
		Producer: m.Producer, Version: m.Version, Title: m.Title, Comment: m.Comment, FCRAM: m.FCRAM,
		Frames: found.Frames, Events: found.Events, Lists: found.Lists, Draws: found.Draws, Fills: found.Fills,
		Transfers: found.Transfers, Writes: found.Writes, Loads: found.Loads, LoadBytes: found.LoadBytes,
		MemoryBytes: found.Memory, Pictures: found.Pictures, Screens: []string{}, Notes: []string{}, Warnings: []string{},
	}
	if in.IsCiTrace() {
		info.Format = "ctf"
	}
	for _, s := range found.Screens {
		info.Screens = append(info.Screens, s.String())
	}
	for _, f := range in.Findings {
		if f.Level == tree.Problem {
			info.Warnings = append(info.Warnings, f.String())
		} else {
			info.Notes = append(info.Notes, f.String())
		}
	}
	info.Warnings = append(info.Warnings, found.Warnings...)
	return info
}

func (i *traceInfo) print(con *console) {
	line := func(key, format string, args ...any) {
		fmt.Fprintf(con.out, "%-10s %s\n", key, fmt.Sprintf(format, args...))
	}
	format := "recording, version 2"
	if i.Format == "ctf" {
		format = "CiTrace"
	}
	fmt.Fprintf(con.out, "%s: %s, %d bytes\n", i.File, format, i.Bytes)
	for _, l := range []struct{ key, value string }{
		{"producer", strings.TrimSpace(i.Producer + " " + i.Version)}, {"title", i.Title}, {"comment", i.Comment},
	} {
		if l.value != "" {
			line(l.key, "%s", l.value)
		}
	}
	line("frames", "%d", i.Frames)
	line("commands", "%d command lists with %d draws, %d fills, %d transfers, %d register writes", i.Lists, i.Draws, i.Fills, i.Transfers, i.Writes)
	line("memory", "%d loads of %d bytes together, on pages of %d bytes", i.Loads, i.LoadBytes, i.MemoryBytes)
	shown := strings.Join(i.Screens, ", ")
	if shown == "" {
		shown = "none is set up"
	}
	line("screens", "%s; %d stored pictures", shown, i.Pictures)
	for _, n := range i.Notes {
		line("note", "%s", n)
	}
	for _, w := range i.Warnings {
		line("warning", "%s", w)
	}
}
