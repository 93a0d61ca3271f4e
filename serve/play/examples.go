package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	xdraw "golang.org/x/image/draw"

	"pica200/internal/files"
	"pica200/scene"
	"pica200/shaderunit/shaders"
)

// Example is a scene of the playground.
type Example struct {
	Name  string            `json:"name"`
	First string            `json:"first"` // the text that is shown first
	Files map[string]string `json:"files"`
}

// small returns the picture of an example in the gallery, a PNG file.
func (x *Example) small() ([]byte, error) {
	a, err := Scenes{}.Draw(context.Background(), x.Files, nil)
	if err != nil {
		return nil, err
	}
	size := a.Value.(Picture).Picture
	if a.Data == nil {
		return nil, errors.New("it has mistakes")
	}
	whole := &image.RGBA{Pix: bytes.Clone(a.Data), Stride: 4 * size.Width, Rect: image.Rect(0, 0, size.Width, size.Height)}
	for i := 3; i < len(whole.Pix); i += 4 {
		whole.Pix[i] = 255
	}
	out := image.NewRGBA(image.Rect(0, 0, 160, max(160*size.Height/size.Width, 1)))
	xdraw.CatmullRom.Scale(out, out.Rect, whole, whole.Rect, xdraw.Src, nil)
	var b bytes.Buffer
	err = png.Encode(&b, out)
	return b.Bytes(), err
}

// SiteFiles returns the files for serve.Site besides the page: the examples of
// folders, in order, with small pictures, and the shader library.
func SiteFiles(dirs ...string) (_ map[string][]byte, err error) {
	var examples []Example
	for _, dir := range dirs {
		list, err := Examples(dir)
		if err != nil {
			return nil, err
		}
		examples = append(examples, list...)
	}
	library := map[string]string{}
	for _, p := range shaders.Programs() {
		for _, name := range p.Sources {
			text, err := shaders.Source(name)
			if err != nil {
				return nil, err
			}
			library[name] = string(text)
		}
	}
	out := map[string][]byte{"scene.schema.json": scene.Schema()}
	for i := range examples {
		if out[fmt.Sprintf("example%d.png", i)], err = examples[i].small(); err != nil {
			return nil, fmt.Errorf("%s: %w", examples[i].Name, err)
		}
	}
	for name, value := range map[string]any{"examples.json": examples, "library.json": library} {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		out[name] = data
	}
	return out, nil
}

// Examples returns the scenes of a folder that need only text files, those with
// their own shaders first.
func Examples(dir string) ([]Example, error) {
	scenes, err := files.Glob(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	var own, rest []Example
next:
	for _, path := range scenes {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sc, err := scene.Parse(path, text)
		if err != nil {
			return nil, err
		}
		x := Example{Name: sc.Name, First: "scene.yaml", Files: map[string]string{"scene.yaml": string(text)}}
		for _, name := range sc.Files() {
			if filepath.Ext(name) != ".pica" {
				continue next
			}
			source, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			x.Files[filepath.Base(name)], x.First = string(source), filepath.Base(name)
		}
		if len(x.Files) > 1 {
			own = append(own, x)
		} else {
			rest = append(rest, x)
		}
	}
	return append(own, rest...), nil
}
