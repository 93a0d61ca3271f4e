package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/scene/modeldraw"
	"pica200/scene/source"
)

// extractModels lists or extracts the contents of a resource file or banner
// besides shaders: textures as PNG files, models as glTF.
func (c extractCmd) extractModels(con *console, set *modeldraw.Set) error {
	if c.Out == "" {
		c.listModels(con, set)
		return nil
	}
	if !strings.HasSuffix(c.Out, "/") {
		return usagef("-o %s: textures and models go into a folder; name one with a slash at its end", c.Out)
	}
	if err := con.makeFolder(c.Out); err != nil {
		return err
	}
	shown := len(set.Notes)
	names := newFileNames(c.Out)
	for t := range set.Textures() {
		for i := range t.Images {
			im, err := t.Decode(i)
			if err != nil {
				fmt.Fprintf(con.err, "warning: %v\n", err)
				continue
			}
			name := t.Name
			if len(t.Images) > 1 {
				name += texture.CubeFaces[i]
			}
			if err := con.writePNG(names.place(name, ".png"), source.Texels(im)); err != nil {
				return err
			}
		}
	}

	seen := map[*cgfx.Model]bool{}
	for i, m := range set.Models() {
		if seen[m] {
			continue // under another name
		}
		if seen[m] = true; len(seen) > maxModels {
			fmt.Fprintf(con.err, "warning: %d models are left out; at most %d are written\n", len(set.Models())-i, maxModels)
			break
		}
		g, notes := set.Export(m)
		for _, n := range notes {
			fmt.Fprintf(con.err, "warning: model %s: %s\n", m.Name, n)
		}
		out, err := model.EncodeGLB(g)
		if err != nil {
			return err
		}
		if err := con.writeBytes(names.place(m.Name, ".glb"), out); err != nil {
			return err
		}
	}
	for _, n := range set.Notes[min(shown, len(set.Notes)):] {
		fmt.Fprintf(con.err, "warning: %s\n", n)
	}
	return nil
}

// maxModels bounds how many models of a file are written.
const maxModels = 1000

func (c extractCmd) listModels(con *console, set *modeldraw.Set) {
	fmt.Fprintf(con.out, "%s: %d textures, %d models\n", inputName(c.File), len(set.File.Textures.Entries), len(set.Models()))
	for _, t := range set.File.Textures.Values() {
		if t.Kind != cgfx.KindTextureRef {
			fmt.Fprintf(con.out, "texture  %s  %dx%d  %v\n", t.Name, t.Width, t.Height, t.Format)
		}
	}
	for _, m := range set.Models() {
		fmt.Fprintf(con.out, "model  %s  %d meshes, %d materials\n", m.Name, len(m.Meshes), len(m.Materials.Entries))
	}
}

// fileNames makes names of files in a folder, each once.
type fileNames struct {
	folder string
	used   map[string]int // how often a name was used
}

func newFileNames(folder string) *fileNames { return &fileNames{folder, map[string]int{}} }

func (f *fileNames) place(name, ending string) string {
	name = fileName(name)
	for base := name; f.used[name+ending] > 0; {
		f.used[base+ending]++
		name = fmt.Sprintf("%s_%d", base, f.used[base+ending])
	}
	f.used[name+ending]++
	return filepath.Join(f.folder, name+ending)
}

// fileName makes a valid file name from a name in a file.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || unicode.IsControl(r) || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	if name = strings.TrimLeft(name, "."); name == "" {
		return "unnamed"
	}
	return name[:min(len(name), 100)]
}
