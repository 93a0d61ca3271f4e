package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"pica200/assets/picatrace"
	"pica200/internal/plural"
	"pica200/pipeline/retrace"
	"pica200/scene/source"
)

type traceCmd struct {
	Save    traceSaveCmd    `cmd:"" help:"Record a scene or model as a trace."`
	Info    traceInfoCmd    `cmd:"" help:"Describe a trace."`
	Pack    tracePackCmd    `cmd:"" help:"Compress and index a trace."`
	Cut     traceCutCmd     `cmd:"" help:"Cut frames out of a trace."`
	Strip   traceStripCmd   `cmd:"" help:"Reduce a trace to what the draws of one frame need."`
	Verify  traceVerifyCmd  `cmd:"" help:"Compare a replay with the pictures that a trace holds."`
	Convert traceConvertCmd `cmd:"" help:"Write a trace in the other format, packed."`
}

type traceSaveCmd struct {
	Scene string `arg:"" help:"Scene (.yaml), model (.gltf, .glb, .obj, .cgfx, .bnr) or shader (.shbin, .pica); - for standard input."`
	Out   string `short:"o" required:"" ends:".ctf .picatrace" placeholder:"FILE" help:"Trace to write, - for standard output: a recording if it ends in .picatrace, otherwise a CiTrace."`

	Time   *float64 `placeholder:"SECONDS" help:"Time of the animation; without it the scene's own."`
	Frames int      `default:"1" placeholder:"N" help:"How many frames to record, --step apart."`
	Step   float64  `default:"0.033333333" placeholder:"SECONDS" help:"Time between frames."`
	Quiet  bool     `short:"q" help:"Print nothing but errors."`
	rootFlags
	timeFlags
}

func (traceSaveCmd) Help() string {
	return `Records everything that drawing a scene sends to the GPU (memory and
register writes) as a trace that replays to the same picture: a CiTrace, or a
recording if -o ends in .picatrace.

Examples:

  pica200 trace save scene.yaml -o scene.ctf
  pica200 trace save scene.yaml -o scene.picatrace
  pica200 trace save knight.glb -o turn.ctf --frames 60`
}

func (c traceSaveCmd) Run(ctx context.Context, con *console) error {
	if c.Frames < 1 {
		return usagef("--frames must be 1 or more")
	}
	s, err := con.find(c.Scene, source.Options{Roots: c.Root})
	if err != nil {
		return err
	}
	if _, is := s.(*source.Recording); is {
		return fmt.Errorf("%s is a trace already; a scene, a model or a shader is expected", inputName(c.Scene))
	}
	if err := con.load(s, c.Quiet); err != nil {
		return err
	}
	start := s.Info().Time
	if c.Time != nil {
		start = *c.Time
	}
	times := make([]float64, c.Frames)
	for i := range times {
		times[i] = start + float64(i)*c.Step
	}
	rec, err := s.Record(ctx, times...)
	if err != nil {
		return err
	}
	data := rec.Data
	if filepath.Ext(c.Out) == ".picatrace" {
		if data, err = asRecording(ctx, inputName(c.Scene), rec.Trace); err != nil {
			return err
		}
	}
	if err := con.writeBytes(c.Out, data); err != nil {
		return err
	}
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: %s, %d bytes in %s\n", inputName(c.Scene), plural.Of(c.Frames, "frame"), len(data), c.Out)
	}
	return nil
}

// asRecording converts a CiTrace that was recorded from a scene to a recording.
func asRecording(ctx context.Context, scene string, t *picatrace.Trace) ([]byte, error) {
	t.Meta.Producer, t.Meta.Title = "pica200 trace save", filepath.Base(scene)
	var out bytes.Buffer
	err := retrace.Pack(ctx, t, &out, retrace.PackOptions{})
	return out.Bytes(), err
}
