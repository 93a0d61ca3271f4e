package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"pica200/internal/files"
	"pica200/scene"
	"pica200/scene/sceneexport"
	"pica200/scene/source"
)

type sceneCmd struct {
	From   sceneFromCmd   `cmd:"" help:"Make a scene, with its files, from a frame of a trace."`
	Schema sceneSchemaCmd `cmd:"" help:"Print the JSON schema of scene files, for editors."`
}

type sceneSchemaCmd struct{}

func (sceneSchemaCmd) Help() string {
	return `This line at the top of a scene tells an editor with a YAML language
server which schema to use: # yaml-language-server: $schema=scene.schema.json

Examples:

  pica200 scene schema > scene.schema.json`
}

func (sceneSchemaCmd) Run(con *console) error {
	_, err := con.out.Write(scene.Schema())
	return err
}

type sceneFromCmd struct {
	Trace string `arg:"" help:"Recorded trace (.ctf, .picatrace), - for standard input."`
	Out   string `short:"o" required:"" placeholder:"DIR" help:"Folder to write to. An earlier export in it is replaced; other files are kept."`

	Frame  int  `default:"-1" placeholder:"N" help:"Frame to export, from 0. Without it: the last."`
	Strict bool `help:"Exit with status 1 if the scene's picture differs from the trace's by more than one 8-bit step."`
	Force  bool `help:"Also replace files in DIR that no earlier export wrote, or that were changed since."`
	Quiet  bool `short:"q" help:"Print nothing but errors."`
	timeFlags
}

func (sceneFromCmd) Help() string {
	return `Writes scene.yaml, the shaders disassembled to .pica, the textures as
PNG and the meshes as glTF, so that the scene draws the same as the frame of the
trace. The scene is drawn once and compared with it. What it cannot express is
printed, and listed at the top of scene.yaml.

DIR/files.sha256 lists the written files. The next export into the folder
replaces these files if they were not changed. If it would replace any other
file it stops and names it, unless --force is given.

Examples:

  pica200 scene from game.ctf -o game/
  pica200 scene from game.ctf -o title/ --frame 0
  pica200 render title/scene.yaml -o title.png`
}

func (c sceneFromCmd) Run(ctx context.Context, con *console) error {
	rec, err := con.openRecording(c.Trace, source.Options{})
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(inputName(c.Trace)), filepath.Ext(c.Trace))
	report, err := sceneexport.Export(ctx, rec.Trace, c.Out, sceneexport.Options{Frame: c.Frame, Name: name, Force: c.Force})
	if occupied := (*files.Occupied)(nil); errors.As(err, &occupied) {
		return fmt.Errorf("%w; --force replaces them", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	if !c.Quiet {
		fmt.Fprintf(con.out, "%s: %s", c.Out, report)
	}
	if c.Strict && !report.Same(1) {
		return fmt.Errorf("%s: the scene does not draw the same picture", inputName(c.Trace))
	}
	return nil
}
