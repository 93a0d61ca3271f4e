package fragment

import (
	"fmt"

	"pica200/pica"
)

var unitEnable = [3]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2}

// compileSampler reads the state of texture unit i and decodes its texture,
// which begins at addr (a face of a cube may, other than the register says).
func (c *compiler) compileSampler(i int, addr uint32) (*sampler, error) {
	r := c.st.Regs
	at := pica.TexunitOffset(i)
	s := &sampler{
		border:    r[pica.RegTexunit0BorderColor+at],
		wrapS:     pica.Wrap(pica.TexunitWrapS.At(at).Get(r)),
		wrapT:     pica.Wrap(pica.TexunitWrapT.At(at).Get(r)),
		magLinear: pica.TexunitMagFilter.At(at).Bool(r),
		minLinear: pica.TexunitMinFilter.At(at).Bool(r),
		mipLinear: pica.TexunitMipFilter.At(at).Bool(r),
		bias:      pica.TexunitLodBias.At(at).Float(r),
	}
	w, h := pica.TexunitWidth.At(at).Get(r), pica.TexunitHeight.At(at).Get(r)
	if w == 0 || h == 0 || w > maxTextureSize || h > maxTextureSize || w%8 != 0 || h%8 != 0 {
		return nil, fmt.Errorf("texture unit %d: size %dx%d, each side must be a multiple of 8 from 8 to %d", i, w, h, maxTextureSize)
	}
	f := pica.TextureFormat(pica.TexunitFormat(i).Get(r))
	if f > pica.TextureFormatETC1A4 {
		return nil, fmt.Errorf("texture unit %d: format %d does not exist", i, f)
	}
	// No level is smaller than a tile, whatever the register asks for.
	s.maxLevel = int32(pica.TexunitLodMax.At(at).Get(r))
	for s.maxLevel > 0 && (w>>s.maxLevel < 8 || h>>s.maxLevel < 8) {
		s.maxLevel--
	}
	s.minLevel = min(int32(pica.TexunitLodMin.At(at).Get(r)), s.maxLevel)

	key := textureKey{addr, uint16(w), uint16(h), uint8(s.maxLevel) + 1, f}
	t, err := c.engine.textures.get(key, c.st.Memory)
	if err != nil {
		return nil, fmt.Errorf("texture unit %d: %w", i, err)
	}
	c.program.texels = append(c.program.texels, boundTexels{key, t})
	c.program.Textures = append(c.program.Textures, Range{addr, t.bytes})
	s.texels = t.data
	offset := int32(0)
	for l := range int(s.maxLevel) + 1 {
		lw, lh := levelSize(uint16(w), l), levelSize(uint16(h), l)
		s.level[l] = textureLevel{float32(lw), float32(lh), int32(lw), int32(lh), offset}
		offset += int32(lw * lh)
	}
	s.powerOfTwo = w&(w-1) == 0 && h&(h-1) == 0
	s.vectorize()
	s.lod = s.newLodParams()
	s.needLevel = s.maxLevel > 0 || s.magLinear != s.minLinear
	return s, nil
}

// maxTextureSize is the greatest width and height of a texture.
const maxTextureSize = 1024

// textureUnit adds the ops that make colour register cTex0+i.
func (c *compiler) textureUnit(i int) error {
	r := c.st.Regs
	dst := cTex0 + i
	if !unitEnable[i].Bool(r) {
		// A unit that is off reads black with alpha 0, as in the one software
		// implementation.
		c.constant(uint8(dst), [4]uint8{})
		return nil
	}
	addr := pica.TexunitAddr.At(pica.TexunitOffset(i)).Addr(r)
	if addr == 0 {
		// Nothing is mapped there; others read opaque black.
		c.constant(uint8(dst), [4]uint8{0, 0, 0, 255})
		return nil
	}
	u, v := fTex0U, fTex0V
	switch {
	case i == 0:
		switch kind := pica.TextureType(pica.TexunitType.Get(r)); kind {
		case pica.Texture2D:
		case pica.TextureDisabled:
			c.constant(uint8(dst), [4]uint8{})
			return nil
		default:
			return c.specialTexture(kind, addr)
		}
	case i == 1 || pica.TexunitTexcoord2.Bool(r):
		u, v = fTex1U, fTex1V
	default:
		u, v = fTex2U, fTex2V
	}
	s, err := c.compileSampler(i, addr)
	if err != nil {
		return err
	}
	s.coord = [2]int{u, v}
	if in := c.program.insight; in != nil {
		in.samplers[i] = s
	}
	c.interpolate(u)
	c.interpolate(v)
	c.emit(op{name: "texture", index: uint8(i), run: func(m *machine) {
		s.sample(m, &m.f[u], &m.f[v], &m.c[dst])
	}})
	return nil
}
