package main

import (
	"fmt"
	"strings"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/scene/modeldraw"
	"pica200/shaderunit/link"
)

type linkCmd struct {
	Objects []string `arg:"" placeholder:"FILE" help:"Unlinked objects (DVOJ), - for standard input, one for each executable in this order."`
	Out     string   `short:"o" required:"" ends:".shbin .bin" placeholder:"FILE" help:".shbin to write, - for standard output."`
	Labels  bool     `help:"Keep the objects' labels in the label tables."`
	Lines   bool     `help:"Keep the objects' line numbers and the names of their sources."`
}

func (linkCmd) Help() string {
	return `Links unlinked shader objects (DVOJ) to a shader binary (DVLB).

Examples:

  pica200 asm -c part.v.pica && pica200 asm -c lib.pica
  pica200 link part.dvoj lib.dvoj -o part.shbin`
}

func (c linkCmd) Run(con *console) error {
	var objects []link.Input
	for _, name := range c.Objects {
		data, err := con.read(name)
		if err != nil {
			return err
		}
		o, err := shbin.ParseObject(data)
		if err != nil {
			return fmt.Errorf("%s: %w", inputName(name), err)
		}
		objects = append(objects, link.Input{Name: inputName(name), Object: o})
	}
	f, err := link.Objects(link.Options{Labels: c.Labels, Lines: c.Lines}, objects...)
	if err != nil {
		return err
	}
	out, err := f.Write()
	if err != nil {
		return err
	}
	return con.writeBytes(c.Out, out)
}

type extractCmd struct {
	File   string `arg:"" help:".bcsdr (CGFX), .csdr, .3dsx, ELF, .a archive or C source, a model (.cgfx, .bcres, .bch), banner (.bnr) or texture (.t3x); - for standard input."`
	Out    string `short:"o" ends:".shbin .dvoj .bin .c .h .inc .png" placeholder:"OUT" help:"Folder (ends in a slash) for all contents, or a file for one shader or picture, - for standard output. Without it: only list the contents."`
	Number int    `default:"0" placeholder:"N" help:"Number of the shader or picture to write to a file, from 0."`
	Names  string `placeholder:"FILE" help:"C header or .t3s of a texture, for the names of its pictures."`
	CArray bool   `name:"c-array" help:"Write C arrays of bytes."`
}

func (extractCmd) Help() string {
	return `Lists or extracts the shader binaries in a file. From a model or banner
it also extracts textures as PNG files and models as binary glTF. A warning
names what glTF cannot represent. Of a texture it extracts every level and every
picture of an atlas, upright, as PNG files.

Examples:

  pica200 extract game.3dsx
  pica200 extract game.3dsx -o shaders/
  pica200 extract effect.bcsdr -o effect.shbin
  pica200 extract banner.bnr -o parts/
  pica200 extract sprites.t3x -o sprites/ --names sprites.h`
}

func (c extractCmd) Run(con *console) error {
	data, err := con.read(c.File)
	if err != nil {
		return err
	}
	format, found, err := container.Extract(data)
	if err != nil && texture.IsT3X(data) {
		return c.extractTexture(con, data)
	}
	if c.Names != "" {
		return usagef("--names is for a texture")
	}
	if modeldraw.Is(data) {
		// A file with only a shader is a .bcsdr; models seldom contain one.
		folder := c.Out == "" || strings.HasSuffix(c.Out, "/")
		set, openErr := modeldraw.Open(data)
		if openErr != nil && err != nil {
			return fmt.Errorf("%s: %w", c.File, openErr)
		}
		if openErr == nil && (err != nil || folder && len(set.File.Models.Entries)+len(set.File.Textures.Entries) > 0) {
			if modelErr := c.extractModels(con, set); modelErr != nil || err != nil {
				return modelErr
			}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	ending := func(s container.Shader) string {
		switch {
		case c.CArray:
			return ".c"
		case s.Object:
			return ".dvoj"
		}
		return ".shbin"
	}
	content := func(s container.Shader, name string) []byte {
		if c.CArray {
			return []byte(container.CArray(name, s.Data))
		}
		return s.Data
	}
	switch {
	case c.Out == "":
		fmt.Fprintf(con.out, "%s: %s, %d shader binar%s\n", inputName(c.File), format, len(found), map[bool]string{true: "y", false: "ies"}[len(found) == 1])
		for i, s := range found {
			offset := "decoded"
			if s.Offset >= 0 {
				offset = fmt.Sprintf("at 0x%X", s.Offset)
			}
			fmt.Fprintf(con.out, "%3d  %s  %6d bytes  %s, %s\n", i, s.Data[:4], len(s.Data), s.Where, offset)
		}
		return nil
	case c.Out[len(c.Out)-1] == '/':
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
		for i, s := range found {
			name := fmt.Sprintf("%s_%d", sourceBase(c.File), i)
			if err := con.writeBytes(c.Out+name+ending(s), content(s, name)); err != nil {
				return err
			}
		}
		return nil
	}
	if c.Number < 0 || c.Number >= len(found) {
		return fmt.Errorf("%s: no shader %d, the file holds %d", inputName(c.File), c.Number, len(found))
	}
	return con.writeBytes(c.Out, content(found[c.Number], sourceBase(c.Out)))
}
