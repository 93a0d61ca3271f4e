package fragment

import (
	"fmt"

	"pica200/pica"
)

var unitEnable = [3]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2}

// slot adds a texture that the program reads: that of unit i, or a face of its
// cube.
func (c *compiler) slot(i, face int) (slot int) {
	slot = len(c.program.textures)
	c.program.textures = append(c.program.textures, textureSlot{i, face})
	return slot
}

// noTexel is the colour of a texture unit without a texture: it is disabled,
// has type "disabled" or address 0, or its texture cannot be read.
//
// NoTexture: the console gives the last texel that the unit fetched, and noise
// for a disabled unit 3. Games rely on a result that is not opaque black; like
// other implementations, this one uses transparent.
var noTexel = [4]uint8{}

// textureUnit adds the ops that compute colour register cTex0+i. A type that
// does not exist is a warning of the program. Other problems are found for each
// draw.
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

// unreadable is the warning about a texture that cannot be read.
func unreadable(err error) string {
	return fmt.Sprintf("%v; the unit reads as without a texture", err)
}

func (c *compiler) texture(i int) error {
	r := c.regs
	dst := cTex0 + i
	addr := textureAddr(r, i, 0) // in a key: not 0 if there is one
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
	slot := c.slot(i, 0)
	c.interpolate(u, 2)
	c.emit(op{name: "texture", index: uint8(i), run: func(m *machine) {
		m.bound(i, slot).sample(m, &m.f[u], &m.f[v], &m.c[dst])
	}, record: recordSampled(pica.Texture2D, i, slot, u, v)})
	return nil
}

// textureSlot identifies a texture that a program reads; the draw knows its
// address.
type textureSlot struct{ unit, face int }

// textureAddr returns the address of a unit's texture, or of a face of a cube
// (face 0 otherwise). The registers of the other faces hold the lower 22 bits
// of an address in units of 8 bytes; the upper 6 bits are those of the first
// face.
func textureAddr(r *pica.Regs, unit, face int) uint32 {
	addr := pica.TexunitAddr.At(pica.TexunitOffset(unit)).Addr(r)
	if face > 0 {
		low := pica.TexunitAddrFace.At(pica.Reg(face - 1))
		addr = addr&^(low.Max()<<3) | low.Addr(r)
	}
	return addr
}

// inUnit adds the unit of a slot to an error.
func (t *textureSlot) inUnit(err error) error { return fmt.Errorf("texture unit %d: %w", t.unit, err) }

// inFace adds the face of a slot to an error, if it is a face.
func (t *textureSlot) inFace(err error, kind0 pica.TextureType) error {
	if t.unit == 0 && (kind0 == pica.TextureCube || kind0 == pica.TextureShadowCube) {
		err = faceError(t.face, err)
	}
	return err
}
