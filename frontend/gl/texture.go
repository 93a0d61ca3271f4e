package gl

import (
	"context"
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/texture"
	"pica200/pica"
)

// Texture is an image, or the six images of a cube, in memory, with its
// sampling state. The fields may be changed at any time; they take effect at
// the next draw. NewTexture makes a texture, Target.ColorTexture one of a
// render target.
type Texture struct {
	Mag, Min, Mip      pica.Filter
	WrapS, WrapT       pica.Wrap
	Border             mgl32.Vec4 // colour outside with clamp_to_border
	LODBias            float32
	MinLevel, MaxLevel int // of detail; NewTexture sets all levels

	c             *Context
	mem           block // of its own; empty for a target's
	addr          uint32
	format        pica.TextureFormat
	width, height int
	face          uint32 // bytes from a face to the next; 0 if it is no cube
}

// NewTexture makes a texture from an image with the given number of levels,
// each half as large as the one before. 0 means all levels down to 8 pixels.
func (c *Context) NewTexture(ctx context.Context, img image.Image, format pica.TextureFormat, levels int) (*Texture, error) {
	return c.newFromImages(ctx, format, levels, texture.FromImage(img))
}

// NewCubeTexture makes a cube map from images in the order +x, -x, +y, -y, +z,
// -z.
func (c *Context) NewCubeTexture(ctx context.Context, faces [6]image.Image, format pica.TextureFormat, levels int) (*Texture, error) {
	var images []*texture.Image
	for _, f := range faces {
		images = append(images, texture.FromImage(f))
	}
	return c.newFromImages(ctx, format, levels, images...)
}

func (c *Context) newFromImages(ctx context.Context, format pica.TextureFormat, levels int, images ...*texture.Image) (*Texture, error) {
	if levels == 0 {
		levels = texture.MaxLevels(images[0].Width, images[0].Height)
	}
	t3x, err := texture.NewT3X(format, levels, images...)
	if err != nil {
		return nil, err
	}
	return c.NewTextureData(ctx, format, t3x.Width, t3x.Height, levels, len(images) == 6, t3x.Data)
}

// NewTextureData makes a texture from texels in the hardware's format: the
// levels of the first face from the largest to the smallest, then the other
// faces of a cube.
func (c *Context) NewTextureData(ctx context.Context, format pica.TextureFormat, width, height, levels int, cube bool, data []byte) (*Texture, error) {
	if width < 8 || height < 8 || width > texture.MaxSize || height > texture.MaxSize || width&(width-1) != 0 || height&(height-1) != 0 {
		return nil, fmt.Errorf("texture of %dx%d texels: each side must be a power of two from 8 to %d", width, height, texture.MaxSize)
	}
	if top := texture.MaxLevels(width, height); levels < 1 || levels > top {
		return nil, fmt.Errorf("texture of %dx%d texels with %d levels: expected 1 to %d", width, height, levels, top)
	}
	face := texture.SizeLevels(format, width, height, levels)
	want := face
	if cube {
		want *= 6
	}
	if face <= 0 || len(data) != want {
		return nil, fmt.Errorf("texture of %dx%d texels, %v, %d levels: got %d bytes, expected %d", width, height, format, levels, len(data), want)
	}
	mem, err := c.main.alloc(uint32(want), "texture")
	if err != nil {
		return nil, err
	}
	t := c.textureAt(mem.addr, format, width, height)
	t.mem, t.MaxLevel = mem, levels-1
	if cube {
		t.face = uint32(face)
	}
	return t, c.dev.Load(ctx, mem.addr, data)
}

// textureAt describes a texture that is in memory already.
func (c *Context) textureAt(addr uint32, format pica.TextureFormat, width, height int) *Texture {
	return &Texture{
		Mag: pica.FilterLinear, Min: pica.FilterLinear, Mip: pica.FilterLinear,
		WrapS: pica.WrapClampToEdge, WrapT: pica.WrapClampToEdge,
		c: c, addr: addr, format: format, width: width, height: height,
	}
}

// Size returns width and height of level 0.
func (t *Texture) Size() (width, height int) { return t.width, t.height }

// Format returns the texel format.
func (t *Texture) Format() pica.TextureFormat { return t.format }

// Delete frees the memory of the texture, which must not be used afterwards.
func (t *Texture) Delete(ctx context.Context) error {
	if err := t.c.Flush(ctx); err != nil {
		return err
	}
	t.c.main.release(t.mem)
	t.mem = block{}
	for i := range t.c.units {
		if t.c.units[i] == t {
			t.c.units[i] = nil
		}
	}
	return nil
}

// BindTexture binds a texture to unit 0, 1 or 2. The uniform
// dmp_Texture[i].samplerType enables the unit and sets the type of unit 0.
func (c *Context) BindTexture(unit int, t *Texture) error {
	if unit < 0 || unit >= len(c.units) {
		return fmt.Errorf("texture unit %d: expected 0 to 2; unit 3 is the procedural texture", unit)
	}
	c.units[unit] = t
	return nil
}

// isCube reports whether a type of unit 0 samples a cube.
func isCube(kind pica.TextureType) bool {
	return kind == pica.TextureCube || kind == pica.TextureShadowCube
}

// setTextures writes the registers of the units in use.
func (c *Context) setTextures() error {
	for i, enable := range []pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2} {
		if !enable.Bool(&c.regs) {
			continue
		}
		t := c.units[i]
		if t == nil {
			return fmt.Errorf("texture unit %d is on (dmp_Texture[%d].samplerType), but no texture is bound to it", i, i)
		}
		if t.addr == 0 || t.mem == (block{}) && t.addr < allocAlign {
			return fmt.Errorf("texture unit %d: the texture was deleted", i)
		}
		if i == 0 {
			kind := pica.TextureType(pica.TexunitType.Get(&c.regs))
			if isCube(kind) != (t.face != 0) {
				return fmt.Errorf("texture unit 0: dmp_Texture[0].samplerType is %v, but the texture bound to it has %d faces", kind, map[bool]int{false: 1, true: 6}[t.face != 0])
			}
		}
		c.setTexture(i, t)
	}
	return nil
}

func (c *Context) setTexture(i int, t *Texture) {
	at := pica.TexunitOffset(i)
	for k, f := range []pica.Field{pica.TexunitBorderR, pica.TexunitBorderG, pica.TexunitBorderB, pica.TexunitBorderA} {
		c.putFloat(f.At(at), t.Border[k])
	}
	c.put(pica.TexunitWidth.At(at), uint32(t.width))
	c.put(pica.TexunitHeight.At(at), uint32(t.height))
	c.put(pica.TexunitMagFilter.At(at), uint32(t.Mag))
	c.put(pica.TexunitMinFilter.At(at), uint32(t.Min))
	c.put(pica.TexunitMipFilter.At(at), uint32(t.Mip))
	c.put(pica.TexunitWrapS.At(at), uint32(t.WrapS))
	c.put(pica.TexunitWrapT.At(at), uint32(t.WrapT))
	etc1 := uint32(0)
	if t.format == pica.TextureFormatETC1 {
		etc1 = 2
	}
	c.put(pica.TexunitEtc1.At(at), etc1)
	c.putFloat(pica.TexunitLodBias.At(at), t.LODBias)
	c.putFloat(pica.TexunitLodMax.At(at), float32(t.MaxLevel))
	c.putFloat(pica.TexunitLodMin.At(at), float32(t.MinLevel))
	c.put(pica.TexunitAddr.At(at), t.addr>>3)
	c.put(pica.TexunitFormat(i), uint32(t.format))
	if t.face != 0 {
		for face := range pica.Reg(5) {
			c.put(pica.TexunitAddrFace.At(face), (t.addr+uint32(face+1)*t.face)>>3)
		}
	}
}
