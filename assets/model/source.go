package model

import (
	"errors"
	"fmt"
	"image"
	"io/fs"

	"pica200/assets/imagefile"
	"pica200/internal/files"
)

// cost is a kind of work that the files of a model ask for. A small file can ask for much of it, so each kind has a limit.
type cost uint8

const (
	costFiles     cost = iota // other files that are named
	costBytes                 // of these
	costPixels                // of images as files hold them
	costTexels                // of images at the sides of textures
	costMaterials             // also those that replace others
	costParts                 // primitives; of OBJ files, groups with one material
	costVertices
	costIndices
	costKeys // of animations
	costs
)

var limits = [costs]struct {
	most int
	what string
}{
	costFiles:     {1024, "other files"},
	costBytes:     {maxFile, "bytes in other files"},
	costPixels:    {4 * MaxPixels, "pixels in images"},
	costTexels:    {MaxPixels, "pixels in images at the sides of textures"},
	costMaterials: {4096, "materials"},
	costParts:     {8192, "primitives"},
	costVertices:  {MaxVertices, "vertices"},
	costIndices:   {16 << 20, "indices"},
	costKeys:      {4 << 20, "values in animations"},
}

// work counts what a model asked for so far.
type work [costs]int

// spend counts n more.
func (w *work) spend(c cost, n int) error {
	l := &limits[c]
	if n > l.most-w[c] {
		return excess(c)
	}
	w[c] += n
	return nil
}

// excess is the error for more work than a model may ask for. Unlike an unreadable file it ends the reading.
type excess cost

func (c excess) Error() string {
	return fmt.Sprintf("the model has more than %d %s", limits[c].most, limits[c].what)
}

// source reads the files that a model names, each once, and counts the work of the model.
type source struct {
	files.Named
	work
	seen  map[string]*named // by path
	paths []string          // that were read or are missing
}

// named is a file that a model names.
type named struct {
	data    []byte
	err     error
	picture *image.NRGBA // once it was decoded
}

func (s *source) file(name string) (*named, error) {
	at := s.Path(name)
	if f := s.seen[at]; f != nil {
		return f, f.err
	}
	if err := s.spend(costFiles, 1); err != nil {
		return nil, err
	}
	f := new(named)
	if f.data, f.err = s.Read(name, maxFile); f.err == nil || errors.Is(f.err, fs.ErrNotExist) {
		s.paths = append(s.paths, at)
	}
	if s.seen == nil {
		s.seen = map[string]*named{}
	}
	s.seen[at] = f
	if err := s.spend(costBytes, len(f.data)); err != nil {
		return nil, err
	}
	return f, f.err
}

func (s *source) read(name string) ([]byte, error) {
	f, err := s.file(name)
	if err != nil {
		return nil, err
	}
	return f.data, nil
}

// image reads an image, scaled down to the size of a texture if it is larger.
func (s *source) image(name string) (*image.NRGBA, error) {
	f, err := s.file(name)
	if err != nil {
		return nil, without(name, err, withoutImage)
	}
	if f.picture == nil {
		f.picture, err = s.decode(name, f.data)
	}
	return f.picture, err
}

// kept is a side of an image after reading: one that ToTexture enlarges stays.
func kept(n int) int {
	if n < 8 {
		return n
	}
	return textureSide(n)
}

// decode is image for an image in memory.
func (s *source) decode(name string, data []byte) (*image.NRGBA, error) {
	m, err := imagefile.DecodeCounted(data, MaxPixels, func(n int) error { return s.spend(costPixels, n) })
	if err != nil {
		return nil, without(name, err, withoutImage)
	}
	pix := imagefile.NRGBA(m)
	if w, h := pix.Rect.Dx(), pix.Rect.Dy(); max(w, h) > maxTexture {
		pix = Resample(pix, kept(w), kept(h))
	}
	return pix, s.spend(costTexels, pix.Rect.Dx()*pix.Rect.Dy())
}
