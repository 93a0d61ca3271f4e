package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/scene/shading"
)

type convertCmd struct {
	Model string `arg:"" help:"Model (.gltf, .glb, .obj), a banner (.bnr) to unpack, or a picture or texture (.t3x); - for standard input."`
	Out   string `short:"o" required:"" placeholder:"FILE" ends:".cgfx .bcres .bcmdl .bnr .cbmd .bin .png .t3x" help:"Banner to write: .cgfx or .bcres, or packed with LZ11 as .bnr, .cbmd or .bin; or of a picture, .png or .t3x; - for standard output."`

	Format     string  `default:"auto" placeholder:"FORMAT" help:"Format of textures: auto, etc1a4, etc1, rgba4, rgb565 and so on; auto is etc1a4, or a 16-bit format if etc1a4 would be visibly worse; of a .t3x, auto is the format of the input, or rgba8 (default auto)."`
	MaxTexture int     `default:"256" placeholder:"N" help:"Greatest side of a texture, a power of two from 8 to 1024 (default 256)."`
	Scale      float64 `placeholder:"N" help:"Size of the model in units of the menu, whose view is 24 high. Without it: the model fills the view."`
	Unlit      bool    `help:"Use no lighting."`
	Animation  string  `placeholder:"NAME|N" help:"Animation to use, by name or number, or none. Without it: the first."`
	Sound      string  `placeholder:"FILE" help:"Sound of a packed banner (.bcwav)."`
	Quiet      bool    `short:"q" help:"Print nothing but errors."`
	rootFlags
}

func (convertCmd) Help() string {
	return `Makes a banner for the HOME Menu from a model. Nodes become bones that
move whole meshes, skinned vertices follow the joint with the greatest weight,
animations become bone animations, and textures get a format and place that the
menu accepts. A warning names what a banner cannot contain. If the input is a
packed banner and the output ends in .cgfx, the banner is unpacked instead.

A picture (PNG, JPEG, BMP, GIF, TGA) or texture (.t3x) becomes a texture or a
PNG file. A texture keeps its levels, faces and pictures if it becomes one of
another format.

"pica200 lint" finds what is known to freeze or break the menu.

Examples:

  pica200 convert model.glb -o banner.cgfx
  pica200 convert model.glb -o banner.bnr --format rgba4
  pica200 convert model.glb -o banner.cgfx --animation none --unlit
  pica200 convert kitten.t3x -o kitten.png
  pica200 convert kitten.t3x -o small.t3x --format etc1a4`
}

func (c *convertCmd) Run(con *console) error {
	if c.MaxTexture < 8 || c.MaxTexture > 1024 || c.MaxTexture&(c.MaxTexture-1) != 0 {
		return usagef("--max-texture is a power of two from 8 to 1024")
	}
	var err error
	o := banner.Options{MaxTexture: c.MaxTexture, Scale: c.Scale, Unlit: c.Unlit}
	if c.Format == "auto" {
		o.Format, o.Choose = banner.UsualFormat, true
	} else if o.Format, err = texture.ParseFormat(c.Format); err != nil {
		return usagef("--format: %v", err)
	}
	packed := false
	switch ext := strings.ToLower(filepath.Ext(c.Out)); ext {
	case ".png", ".t3x":
		return c.picture(con, o.Format, ext)
	case ".bnr", ".cbmd", ".bin":
		packed = true
	}
	if c.Sound != "" && !packed {
		return usagef("--sound is for a packed banner: name the output .bnr")
	}
	data, err := c.resources(con, o)
	if err != nil {
		return err
	}
	if !c.Quiet && c.Out != "-" {
		fmt.Fprintf(con.out, "%s: 0x%x bytes of at most 0x%x\n", c.Out, len(data), cgfx.BannerLimit)
		if len(data) > cgfx.BannerLimit {
			fmt.Fprintf(con.err, "warning: the HOME Menu takes 0x%x bytes; --max-texture or --format make it smaller\n", cgfx.BannerLimit)
		}
	}
	if packed {
		var sound []byte
		if c.Sound != "" {
			if sound, err = con.readUpTo(c.Sound, files.MaxStream); err != nil {
				return err
			}
			if !bytes.HasPrefix(sound, []byte("CWAV")) {
				return fmt.Errorf("%s: a BCWAV file is expected, which begins with CWAV", c.Sound)
			}
		}
		if data, err = cgfx.BuildBanner(data, sound); err != nil {
			return err
		}
	}
	return con.writeBytes(c.Out, data)
}

// picture converts between pictures and textures.
func (c *convertCmd) picture(con *console, format texture.Format, ext string) error {
	data, err := con.readUpTo(c.Model, files.MaxStream)
	if err != nil {
		return err
	}
	if ext == ".t3x" && texture.IsT3X(data) {
		t, err := texture.ParseT3X(data)
		if err == nil && c.Format != "auto" {
			t, err = t.Converted(format)
		}
		var out []byte
		if err == nil {
			out, err = t.Encode()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", inputName(c.Model), err)
		}
		return con.writeBytes(c.Out, out)
	}
	m, err := decodePicture(data, maxTexels)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Model), err)
	}
	if ext == ".png" {
		return con.writePNG(c.Out, m)
	}
	job := texJob{con: con, T3S: texture.NewT3S()}
	job.add(c.Model)
	job.Out = c.Out
	if c.Format != "auto" {
		job.Format = format
	}
	return job.make([]*texture.Image{texture.FromImage(m)})
}

// resources returns the CGFX file for the input.
func (c *convertCmd) resources(con *console, o banner.Options) ([]byte, error) {
	var data []byte
	var err error
	head := data
	if c.Model == "-" {
		data, err = con.read(c.Model)
		head = data
	} else {
		head, err = files.Head(c.Model, 16)
	}
	if err != nil {
		return nil, err
	}
	if cgfx.IsBanner(head) || cgfx.Is(head) {
		if data == nil {
			data, err = files.Read(c.Model, files.MaxStream)
		}
		if err != nil || cgfx.Is(data) {
			return data, err
		}
		b, err := cgfx.ParseBanner(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", inputName(c.Model), err)
		}
		return b.Models[0].Data, nil
	}
	load := model.Load
	if c.Model == "-" {
		load = func(_ string, roots ...string) (*model.Model, error) {
			return model.Parse(stdinName, data, ".", roots...)
		}
	}
	m, err := load(c.Model, c.Root...)
	if err != nil {
		return nil, err
	}
	m.Notes = append(m.Notes, shading.Prepare(m).Notes...)
	if o.Animation, err = animationNumber(m, c.Animation); err != nil {
		return nil, err
	}
	f, notes, err := banner.Build(m, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(c.Model), err)
	}
	if !c.Quiet {
		for _, n := range notes {
			fmt.Fprintf(con.err, "warning: %s\n", n)
		}
	}
	return f.Relayout()
}

// animationNumber returns the index of an animation of a model by name or
// number; "" is the first, "none" none. The error for an unknown name lists the
// names.
func animationNumber(m *model.Model, name string) (int, error) {
	if name == "none" || name == "" && len(m.Animations) == 0 {
		return -1, nil
	}
	if name == "" {
		return 0, nil
	}
	var names []string
	for i := range m.Animations {
		if m.Animations[i].Name == name || fmt.Sprint(i) == name {
			return i, nil
		}
		names = append(names, m.Animations[i].Name)
	}
	if len(names) == 0 {
		return 0, usagef("--animation %s: the model has none", name)
	}
	slices.Sort(names)
	return 0, usagef("--animation: there is no %q; there are %s", name, strings.Join(names, ", "))
}
