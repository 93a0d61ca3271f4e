package cgfx

import (
	"fmt"
	"math/bits"

	"pica200/assets/texture"
	"pica200/pica"
)

// Texture is TXOB: a reference by name, an image, or the six images of a cube.
type Texture struct {
	Object
	Path     string   // of KindTextureRef: name of a texture of the file
	Target   *Texture // the same texture; not in every file
	Height   uint32
	Width    uint32
	glFormat uint32
	glType   uint32
	Levels   uint32
	texObj   uint32
	location uint32
	Format   pica.TextureFormat
	Images   []*Image // one, or six: +x, -x, +y, -y, +z, -z
}

func (*Texture) signature() (int, string) { return 4, "TXOB" }

func (t *Texture) fields(c *codec) {
	t.Object.header(c, "TXOB")
	n := 0
	switch t.Kind {
	case KindTextureRef:
		c.text("path", &t.Path)
		back(c, "texture", &t.Target)
		return
	case KindTextureImage:
		n = 1
	case KindTextureCube:
		n = 6
	case KindTextureShadow:
	default:
		if c.mode == reading {
			c.note(c.at, "texture %q is of the unknown kind 0x%08x", t.Name, uint32(t.Kind))
		}
		return
	}
	word(c, "height", &t.Height)
	word(c, "width", &t.Width)
	word(c, "gl format", &t.glFormat)
	word(c, "gl type", &t.glType)
	word(c, "levels", &t.Levels)
	word(c, "texture object", &t.texObj)
	word(c, "location flags", &t.location)
	format := uint32(t.Format)
	if c.mode == reading {
		word(c, "format", &format)
		if t.Format = pica.TextureFormat(format); uint32(t.Format) != format {
			c.problem(c.at-4, "texture %q has the format %d", t.Name, format)
		}
	} else {
		word(c, "format", &format)
	}
	if c.mode == showing {
		c.nodes[len(c.nodes)-1].Text = t.Format.String()
	}
	if c.mode == reading {
		t.Images = make([]*Image, n)
	}
	for i := range t.Images {
		ref(c, "image", &t.Images[i])
	}
}

// Image is the texels of a texture, all levels, the largest first.
type Image struct {
	Height    uint32
	Width     uint32
	Data      []byte
	allocator uint32
	Bits      uint32 // a texel
	location  uint32
	area      uint32
}

func (i *Image) fields(c *codec) {
	word(c, "height", &i.Height)
	word(c, "width", &i.Width)
	c.blob("texels", &i.Data, true)
	word(c, "allocator", &i.allocator)
	word(c, "bits a texel", &i.Bits)
	word(c, "location address", &i.location)
	word(c, "memory area", &i.area)
}

// MipLevels returns how many levels the bytes of the image contain, at most the
// number that it claims.
func (t *Texture) MipLevels() int {
	if len(t.Images) == 0 || t.Images[0] == nil {
		return 0
	}
	n := 0
	for n < max(int(min(t.Levels, 16)), 1) {
		size := 0
		for i := 0; i <= n; i++ {
			w, h := int(t.Width)>>i, int(t.Height)>>i
			if w < 8 || h < 8 {
				return n
			}
			size += texture.Size(t.Format, w, h)
		}
		if size == 0 || size > len(t.Images[0].Data) {
			return n
		}
		n++
	}
	return n
}

// Decode decodes the largest level of an image of the texture. The hardware has
// only sides that are multiples of 8; other sizes are those of the converted
// picture. Rows are then as far apart as in the next power of two, as in two
// public files of one converter (25 and 500 texels wide), or in whole tiles if
// there are not enough bytes. The error says what is invalid.
func (t *Texture) Decode(face int) (*texture.Image, error) {
	switch {
	case face < 0 || face >= len(t.Images) || t.Images[face] == nil:
		return nil, fmt.Errorf("texture %q has no image %d", t.Name, face)
	case t.Width > texture.MaxSize || t.Height > texture.MaxSize || t.Width == 0 || t.Height == 0:
		return nil, fmt.Errorf("texture %q has %dx%d texels; expected 1 to %d", t.Name, t.Width, t.Height, texture.MaxSize)
	case texture.Bits(t.Format) == 0:
		return nil, fmt.Errorf("texture %q has the unknown format %d", t.Name, uint32(t.Format))
	}
	w, h := int(t.Width), int(t.Height)
	tw, th := (w+7)&^7, (h+7)&^7
	if wide := 1 << bits.Len(uint(w)); tw != w && texture.Size(t.Format, wide, th) <= len(t.Images[face].Data) {
		tw = max(wide, 8)
	}
	n := texture.Size(t.Format, tw, th)
	if n > len(t.Images[face].Data) {
		return nil, fmt.Errorf("texture %q of %dx%d texels, %v: %d bytes, expected %d", t.Name, w, h, t.Format, len(t.Images[face].Data), n)
	}
	im := texture.NewImage(tw, th)
	if err := texture.Decode(im.Pix, t.Images[face].Data[:n], t.Format, tw, th); err != nil || tw == w && th == h {
		return im, err
	}
	out := texture.NewImage(w, h)
	for y := range h { // image rows run upwards; memory begins with the top
		copy(out.Pix[y*w:(y+1)*w], im.Pix[(y+th-h)*tw:])
	}
	return out, nil
}
