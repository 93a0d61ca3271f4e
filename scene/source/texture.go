package source

import (
	"context"
	"fmt"
	"image"

	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/scene/scenebuild"
)

// textureFile is a texture file, whose picture is its largest level.
type textureFile struct {
	path    string
	options Options
	picture *image.NRGBA
	about   string
}

func newTexture(path string, _ *Kind, o Options) Source { return &textureFile{path: path, options: o} }

// InScene returns a scene that shows a texture file; nil for other sources.
func InScene(s Source) *Scene {
	t, ok := s.(*textureFile)
	if !ok {
		return nil
	}
	return &Scene{path: t.path, kind: &Kind{scenebuild.TextureKind, newScene}, options: t.options}
}

// Reload implements Source.
func (s *textureFile) Reload() error {
	data, err := s.options.Data, error(nil)
	if data == nil {
		if data, err = files.ReadRegular(s.path, files.Max); err != nil {
			return err
		}
	}
	t, err := texture.ParseT3X(data)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	if s.picture, err = TextureImage(t); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.about = fmt.Sprintf("%v, %dx%d texels, %d levels, %d subtextures", t.Format, t.Width, t.Height, t.Levels, len(t.SubTextures))
	return nil
}

// Info implements Source.
func (s *textureFile) Info() Info {
	return Info{Kind: "texture", Path: s.path, Files: []string{s.path}, About: s.about}
}

// Draw implements Source.
func (s *textureFile) Draw(context.Context, *Request) (*Picture, error) {
	return &Picture{texture: s.picture, screens: []Buffer{Color}}, nil
}

// Record implements Source.
func (s *textureFile) Record(context.Context, ...float64) (*Recording, error) {
	return nil, fmt.Errorf("%s is a texture, which has no draws", s.path)
}

// Warnings implements Source.
func (s *textureFile) Warnings() []string { return nil }

// Close implements Source.
func (s *textureFile) Close() {}

// TextureImage decodes the largest level of a texture, of a cube map all faces
// side by side.
func TextureImage(t *texture.T3X) (*image.NRGBA, error) {
	var faces []*texture.Image
	for i := range t.Faces() {
		im, err := t.Image(i, 0)
		if err != nil {
			return nil, err
		}
		faces = append(faces, im)
	}
	return Texels(faces...), nil
}

// Texels makes one picture from texels, the top row first, several side by side.
func Texels(list ...*texture.Image) *image.NRGBA {
	width, height := 0, 0
	for _, im := range list {
		width, height = width+im.Width, max(height, im.Height)
	}
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	left := 0
	for _, im := range list {
		for i, v := range im.Pix {
			at := out.PixOffset(left+i%im.Width, im.Height-1-i/im.Width)
			out.Pix[at], out.Pix[at+1], out.Pix[at+2], out.Pix[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
		}
		left += im.Width
	}
	return out
}
