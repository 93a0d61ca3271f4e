package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"pica200/assets/texture"
	"pica200/internal/files"
)

type texCmd struct {
	File   string `arg:"" help:"Description of the texture (.t3s), as for tex3ds."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"Texture to write (.t3x), - for standard output."`
	Header string `placeholder:"FILE" help:"C header to write, with the number of each picture."`
	rootFlags
}

func (texCmd) Help() string {
	return `Makes a texture from PNG pictures, for citro3d and citro2d. A .t3s file
contains options of tex3ds and the names of the pictures: -f with a format or
auto-etc1, auto-l8, auto-l4; -z with none, lz10, lz11, rle; -m for levels of
detail (always the mean of four texels, whatever filter is given); --atlas with
--border, --cubemap, --skybox. ETC1 blocks and the places in an atlas differ
from those of tex3ds.

Examples:

  pica200 tex gfx/kitten.t3s -o kitten.t3x
  pica200 tex gfx/sprites.t3s -o sprites.t3x --header sprites.h`
}

func (c *texCmd) Run(con *console) error {
	if err := notStdin("a list of pictures", c.File); err != nil {
		return err
	}
	text, err := files.Read(c.File, 1<<20)
	if err != nil {
		return err
	}
	t, err := texture.ParseT3S(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	named := files.Named{Dir: filepath.Dir(c.File), Roots: c.Root}
	var images []*texture.Image
	for i, name := range t.Images {
		place := fmt.Sprintf("%s:%d", c.File, t.Lines[i])
		data, err := named.Read(name, files.MaxStream)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		image, err := texture.ReadPNG(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", place, named.Path(name), err)
		}
		images = append(images, image)
	}
	x, err := t.Make(images)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	out, err := x.Encode()
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return con.write(output{c.Header, []byte(t.Header(c.Header))}, output{c.Out, out})
}
