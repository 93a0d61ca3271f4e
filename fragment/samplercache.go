package fragment

import (
	"fmt"
	"math/bits"

	"pica200/pica"
)

// samplerKey is what a sampler depends on: the registers of a texture unit
// except its address and type. Errors name the unit's number.
type samplerKey struct {
	border, dim, param, lod uint32
	unit, format            uint8
	shadow                  bool // samples a shadow texture
}

// samplerCache caches at most maxSamplers samplers.
type samplerCache struct {
	entries map[samplerKey]*sampler
	old     recycled[sampler]
}

const maxSamplers = 512

// keyOfSampler reads the registers of texture unit i.
func keyOfSampler(r *pica.Regs, i int, shadow bool) samplerKey {
	at := pica.TexunitOffset(i)
	types := pica.TexunitType.Mask() | pica.TexunitShadow.Mask()
	return samplerKey{
		border: r[pica.RegTexunit0BorderColor+at], dim: r[pica.RegTexunit0Dim+at],
		param: r[pica.RegTexunit0Param+at] &^ types, lod: r[pica.RegTexunit0Lod+at],
		unit: uint8(i), format: uint8(pica.TexunitFormat(i).Get(r)), shadow: shadow,
	}
}

// get returns the sampler of texture unit i for draw t.serial. If anew is set,
// a cached one is not reused.
func (c *samplerCache) get(r *pica.Regs, i int, shadow bool, t *drawSerials, anew bool) (*sampler, error) {
	k := keyOfSampler(r, i, shadow)
	if s := c.entries[k]; s != nil {
		if !anew {
			return s, s.wrong
		}
		c.old.retire(s, t)
		delete(c.entries, k) // so that clear does not retire it again
	}
	s := c.old.take(t)
	s.make(r, i, shadow)
	if len(c.entries) >= maxSamplers {
		c.clear(t)
	}
	if c.entries == nil {
		c.entries = make(map[samplerKey]*sampler, maxSamplers)
	}
	c.entries[k] = s
	return s, s.wrong
}

// make reads the state of texture unit i into a sampler with undefined
// contents.
func (s *sampler) make(r *pica.Regs, i int, shadow bool) {
	s.lod, s.vector, s.shadow = nil, nil, nil
	if s.wrong = s.read(r, i); s.wrong != nil {
		return
	}
	s.vectorize()
	if s.needLevel {
		s.lod = s.newLodParams()
	}
	if shadow {
		s.vectorizeShadow()
	}
}

// clear empties the cache.
func (c *samplerCache) clear(t *drawSerials) {
	for _, s := range c.entries {
		c.old.retire(s, t)
	}
	clear(c.entries)
}

// read reads the state of texture unit i. It writes only the levels that exist.
func (s *sampler) read(r *pica.Regs, i int) error {
	at := pica.TexunitOffset(i)
	w, h := pica.TexunitWidth.At(at).Get(r), pica.TexunitHeight.At(at).Get(r)
	if !sideExists(w) || !sideExists(h) {
		return fmt.Errorf("texture unit %d: size %dx%d, each side must be 1, 2, 4 or a multiple of 8 up to %d", i, w, h, maxTextureSize)
	}
	f := pica.TextureFormat(pica.TexunitFormat(i).Get(r))
	if !pica.TextureFormats.Has(uint32(f)) {
		return fmt.Errorf("texture unit %d: format %d does not exist", i, f)
	}
	s.format = f
	s.border = r[pica.RegTexunit0BorderColor+at]
	s.wrapS, s.wrapT = pica.Wrap(pica.TexunitWrapS.At(at).Get(r)), pica.Wrap(pica.TexunitWrapT.At(at).Get(r))
	s.magLinear = pica.TexunitMagFilter.At(at).Bool(r)
	s.minLinear = pica.TexunitMinFilter.At(at).Bool(r)
	s.mipLinear = pica.TexunitMipFilter.At(at).Bool(r)
	s.bias = pica.TexunitLodBias.At(at).Float(r)
	// A level of one texel is the last.
	s.maxLevel = min(int32(pica.TexunitLodMax.At(at).Get(r)), int32(bits.Len32(max(w, h)))-1)
	s.minLevel = min(int32(pica.TexunitLodMin.At(at).Get(r)), s.maxLevel)
	offset := int32(0)
	for l := range int(s.maxLevel) + 1 {
		lw, lh := levelSize(uint16(w), l), levelSize(uint16(h), l)
		s.level[l] = textureLevel{float32(lw), float32(lh), int32(lw), int32(lh), offset}
		offset += int32(lw * lh)
	}
	s.powerOfTwo = w&(w-1) == 0 && h&(h-1) == 0
	s.needLevel = s.maxLevel > 0 || s.magLinear != s.minLinear
	return nil
}

// maxTextureSize is the greatest width and height of a texture.
const maxTextureSize = 1024

// sideExists reports whether a texture can have a side of n texels: a whole
// number of tiles, or less than one (games use 8x4 and 4x4).
func sideExists(n uint32) bool {
	return n > 0 && n <= maxTextureSize && (n%8 == 0 || n == 1 || n == 2 || n == 4)
}

// texture is the key of the texture at addr.
func (s *sampler) texture(addr uint32) textureKey {
	return textureKey{addr, uint16(s.level[0].w), uint16(s.level[0].h), uint8(s.maxLevel) + 1, s.format}
}
