package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/internal/lazy"
	"pica200/scene/source"
)

// extractTexture lists or extracts the levels and pictures of a texture.
func (c extractCmd) extractTexture(con *console, data []byte) error {
	t, err := texture.ParseT3X(data)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	names, err := c.pictureNames(len(t.SubTextures))
	if err != nil {
		return err
	}
	whole, err := t.Image(0, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	cut := func(i int) (*texture.Image, error) {
		im, err := t.SubTextures[i].Cut(whole)
		if err != nil {
			return nil, fmt.Errorf("%s: picture %d: %w", inputName(c.File), i, err)
		}
		return im, nil
	}
	switch {
	case c.Out == "":
		fmt.Fprintf(con.out, "%s: %v, %dx%d texels, %d levels, %d pictures\n", inputName(c.File), t.Format, t.Width, t.Height, t.Levels, len(t.SubTextures))
		for i, s := range t.SubTextures {
			name := ""
			if c.Names != "" {
				name = "  " + names[i]
			}
			fmt.Fprintf(con.out, "picture  %d%s  %dx%d\n", i, name, s.Width, s.Height)
		}
		return nil
	case !strings.HasSuffix(c.Out, "/"):
		if c.Number < 0 || c.Number >= len(t.SubTextures) {
			return usagef("--number %d: the texture has %d pictures", c.Number, len(t.SubTextures))
		}
		im, err := cut(c.Number)
		if err != nil {
			return err
		}
		return con.writePNG(c.Out, im.NRGBA())
	}
	if err := con.makeFolder(c.Out); err != nil {
		return err
	}
	place, base := newFileNames(c.Out), sourceBase(c.File)
	for face := range t.Faces() {
		for level := range t.Levels {
			im, err := t.Image(face, level)
			if err != nil {
				return fmt.Errorf("%s: %w", inputName(c.File), err)
			}
			name := base
			if t.Cube {
				name += texture.CubeFaces[face]
			}
			if level > 0 {
				name += fmt.Sprintf("_level%d", level)
			}
			if err := con.writePNG(place.place(name, ".png"), source.Texels(im)); err != nil {
				return err
			}
		}
	}
	left := maxTexels // pictures may overlap, so a small file can have any number of large ones
	for i := range t.SubTextures {
		im, err := cut(i)
		if err != nil {
			fmt.Fprintf(con.err, "warning: %v\n", err)
			continue
		}
		if left -= len(im.Pix); left < 0 {
			fmt.Fprintf(con.err, "warning: %d pictures are left out; at most %d texels are written\n", len(t.SubTextures)-i, maxTexels)
			break
		}
		if err := con.writePNG(place.place(names[i], ".png"), im.NRGBA()); err != nil {
			return err
		}
	}
	return nil
}

var pictureIndex = lazy.Regexp(`(?m)^\s*#\s*define\s+(\w+?)_idx\s+(\d+)\s*$`)

// pictureNames returns the names of the pictures of a texture: those of a C
// header or .t3s, or the texture's with a number.
func (c extractCmd) pictureNames(n int) (names []string, err error) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s_%d", sourceBase(c.File), i))
	}
	if c.Names == "" {
		return names, nil
	}
	text, err := files.Read(c.Names, 1<<20)
	if err != nil {
		return nil, err
	}
	found := 0
	set := func(i int, name string) {
		if found++; i < n {
			names[i] = name
		}
	}
	if strings.EqualFold(filepath.Ext(c.Names), ".t3s") {
		t, err := texture.ParseT3S(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Names, err)
		}
		for i, image := range t.Images {
			base := filepath.Base(strings.ReplaceAll(image, `\`, "/"))
			set(i, strings.TrimSuffix(base, filepath.Ext(base)))
		}
	} else {
		for _, m := range pictureIndex().FindAllStringSubmatch(string(text), -1) {
			if i, err := strconv.Atoi(m[2]); err == nil {
				set(i, m[1])
			}
		}
	}
	if found != n {
		return nil, fmt.Errorf("%s has names of %d pictures, the texture has %d", c.Names, found, n)
	}
	return names, nil
}
