package main

import (
	"context"

	"pica200/internal/demo"
)

type demoCmd struct {
	Out    string `short:"o" required:"" ends:".ctf" placeholder:"FILE" help:"Trace to write, - for standard output."`
	Frames int    `default:"1" placeholder:"N" help:"Number of frames to record; the scene turns once over all of them (default 1)."`
}

func (demoCmd) Help() string {
	return `Writes a trace (CiTrace) of a torus knot with fragment lighting, to try
the other commands on.

Examples:

  pica200 demo -o demo.ctf
  pica200 render demo.ctf -o out/
  pica200 inspect demo.ctf`
}

func (c *demoCmd) Run(ctx context.Context, con *console) error {
	const most = 3600
	if c.Frames < 1 || c.Frames > most {
		return usagef("--frames must be 1 to %d", most)
	}
	data, err := demo.Trace(ctx, c.Frames)
	if err != nil {
		return err
	}
	return con.writeBytes(c.Out, data)
}
