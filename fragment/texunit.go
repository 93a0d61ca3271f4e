package fragment

import (
	"fmt"
	"math/bits"
	"unsafe"

	"pica200/pica"
)

var unitEnable = [3]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2}

// compileSampler reads the state of texture unit i, for the face of a cube or,
// of other textures, face 0.
func (c *compiler) compileSampler(i, face int) (*sampler, error) {
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
	if !sideExists(w) || !sideExists(h) {
		return nil, fmt.Errorf("texture unit %d: size %dx%d, each side must be 1, 2, 4 or a multiple of 8 up to %d", i, w, h, maxTextureSize)
	}
	f := pica.TextureFormat(pica.TexunitFormat(i).Get(r))
	if !pica.TextureFormats.Has(uint32(f)) {
		return nil, fmt.Errorf("texture unit %d: format %d does not exist", i, f)
	}
	// Behind the level of one texel there is none.
	s.maxLevel = min(int32(pica.TexunitLodMax.At(at).Get(r)), int32(bits.Len32(max(w, h)))-1)
	s.minLevel = min(int32(pica.TexunitLodMin.At(at).Get(r)), s.maxLevel)

	s.slot = len(c.program.textures)
	c.program.textures = append(c.program.textures, textureSlot{i, face, textureKey{0, uint16(w), uint16(h), uint8(s.maxLevel) + 1, f}})
	c.hold(unsafe.Sizeof(*s) + unsafe.Sizeof(*s.lod) + unsafe.Sizeof(*s.vector))
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

// sideExists reports whether a side of a texture can have n texels: a whole
// number of tiles, or less than one (8x4 and 4x4 are seen in games).
func sideExists(n uint32) bool {
	return n > 0 && n <= maxTextureSize && (n%8 == 0 || n == 1 || n == 2 || n == 4)
}

// noTexel is the colour of a texture unit that has no texture: one that is off,
// of the type "disabled" or at address 0, or whose texture cannot be read.
//
// NoTexture: the console gives the last texel that the unit fetched, and noise
// for unit 3 when it is off. Games rely on its not being opaque black;
// transparent is the stand-in that other implementations settled on.
var noTexel = [4]uint8{}

// textureUnit adds the ops that make colour register cTex0+i. What keeps the
// unit from reading its texture is a warning of the program.
func (c *compiler) textureUnit(i int) {
	slots := len(c.program.textures)
	needed := c.needed.hasColor(uint8(cTex0 + i))
	c.program.needed[i] = needed
	if err := c.texture(i); err != nil {
		if needed {
			c.program.warnings = append(c.program.warnings, unreadable(err))
		}
		c.missing |= 1 << i
		c.program.textures = c.program.textures[:slots]
		c.constant(uint8(cTex0+i), noTexel)
	}
}

// unreadable is the warning of a texture that cannot be read.
func unreadable(err error) string {
	return fmt.Sprintf("%v; the unit reads as without a texture", err)
}

func (c *compiler) texture(i int) error {
	r := c.st.Regs
	dst := cTex0 + i
	addr := textureAddr(r, i, 0)
	kind := pica.Texture2D
	if i == 0 {
		kind = pica.TextureType(pica.TexunitType.Get(r))
	}
	if !unitEnable[i].Bool(r) || addr == 0 || kind == pica.TextureDisabled || c.missing>>i&1 != 0 {
		c.constant(uint8(dst), noTexel)
		return nil
	}
	if kind != pica.Texture2D {
		return c.specialTexture(kind)
	}
	u, v := fTex0U, fTex0V
	switch {
	case i == 0:
	case i == 1 || pica.TexunitTexcoord2.Bool(r):
		u, v = fTex1U, fTex1V
	default:
		u, v = fTex2U, fTex2V
	}
	s, err := c.compileSampler(i, 0)
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
		s.bind(m).sample(m, &m.f[u], &m.f[v], &m.c[dst])
	}})
	return nil
}

// textureSlot is a texture that a program reads: where from, a draw says.
type textureSlot struct {
	unit, face int
	key        textureKey // but for the address
}

// textureAddr is where the texture of a unit begins: that of a face, for face 0
// and textures that are no cubes the unit's own. The registers of the faces
// after the first hold the lower 22 bits of an address in units of 8 bytes; the
// upper 6 are those of the first.
func textureAddr(r *pica.Regs, unit, face int) uint32 {
	addr := pica.TexunitAddr.At(pica.TexunitOffset(unit)).Addr(r)
	if face > 0 {
		low := pica.TexunitAddrFace.At(pica.Reg(face - 1))
		addr = addr&^(low.Max()<<3) | low.Addr(r)
	}
	return addr
}

// place adds to an error of a slot where it is from.
func (t *textureSlot) place(err error, kind pica.TextureType) error {
	err = fmt.Errorf("texture unit %d: %w", t.unit, err)
	if t.unit == 0 && (kind == pica.TextureCube || kind == pica.TextureShadowCube) {
		err = faceError(t.face, err)
	}
	return err
}
