package modeldraw

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/pica"
)

// run calls write for the register writes of command words. It skips an incomplete
// command, and writes to registers for which keep returns false; wrong then
// says what was skipped.
func run(words []uint32, keep func(pica.Reg) bool, write func(reg pica.Reg, mask uint8, value uint32) error) (wrong string, err error) {
	r := pica.ReadCommands(words)
	for cmd, ok := r.Next(); ok; cmd, ok = r.Next() {
		if cmd.Header.Mask() == 0 {
			continue // padding
		}
		for i := range cmd.Len() {
			reg := cmd.Reg(i)
			if !keep(reg) {
				wrong = fmt.Sprintf("register 0x%03X (%v) cannot be written by a material", uint16(reg), reg)
				continue
			}
			if err := write(reg, uint8(cmd.Header.Mask()), cmd.Param(i)); err != nil {
				return wrong, err
			}
		}
	}
	if err := r.Err(); err != nil {
		wrong = err.Error()
	}
	return wrong, nil
}

// ofMaterials reports whether a material's commands may write a register: the
// state of culling, depth, textures, combiners, lighting, tests and blending.
// Addresses of buffers and textures, the viewport and triggers are not allowed.
func ofMaterials(r pica.Reg) bool {
	switch {
	case r == pica.RegFacecullingConfig, r == pica.RegDepthmapScale, r == pica.RegDepthmapOffset, r == pica.RegDepthmapEnable:
		return true
	case r <= pica.RegTexunitConfig, r > pica.RegDepthbufferWrite && r < gasRegs, r >= pica.RegAttribbuffersLoc:
		return false
	}
	for _, t := range textureRegs {
		if r == t.dim || r >= t.addr && r < t.addr+t.addrs {
			return false
		}
	}
	return true
}

// gasRegs is the first register behind those of the render target.
const gasRegs = pica.Reg(0x120)

// materialState is a material at a moment, after animations.
type materialState struct {
	*cgfx.Material
	colors   [11]mgl32.Vec4
	coords   [3]cgfx.TexCoord
	moved    [3]bool          // the coordinate's matrix is to be computed
	textures [3]*cgfx.Texture // nil where the unit is off
	cubes    [3]bool          // they have six faces on the device
	border   [3]*mgl32.Vec4
	blend    *mgl32.Vec4
}

// stateOf applies an animation to a material.
func (s *Set) stateOf(m *cgfx.Material, a *cgfx.Animation, f float64) *materialState {
	l := &materialState{Material: m}
	for i := range l.colors {
		l.colors[i] = *m.Colors.At(i)
	}
	l.coords = m.TexCoords
	for i, t := range m.Mappers {
		if t != nil {
			l.textures[i] = s.texture(t.Texture, m.Name)
		}
	}
	if a == nil {
		return l
	}
	of := fmt.Sprintf("Materials[%q].", m.Name)
	for i, name := range cgfx.ColorNames {
		vector(l.colors[i][:], a, f, of+"MaterialColor."+name)
	}
	for i := range l.coords {
		c, path, mapper := &l.coords[i], fmt.Sprintf("%sTextureCoordinators[%d].", of, i), fmt.Sprintf("%sTextureMappers[%d].", of, i)
		scaled, shifted := vector(c.Scale[:], a, f, path+"Scale"), vector(c.Translation[:], a, f, path+"Translate")
		l.moved[i] = number(&c.Rotation, a, f, path+"Rotate") || scaled || shifted
		if x := member(a, mapper+"Texture"); x != nil && x.Type == cgfx.TargetTexture && m.Mappers[i] != nil {
			n := x.Slots[0].At(frame(a, f), 0)
			if n >= 0 && n < float32(len(x.Textures)) {
				if t := s.texture(x.Textures[int(n)], m.Name); t != nil {
					l.textures[i] = t
				}
			}
		}
		v := mgl32.Vec4{}
		if m.Mappers[i] != nil && m.Mappers[i].Sampler != nil {
			v = m.Mappers[i].Sampler.Border
		}
		if vector(v[:], a, f, mapper+"Sampler.BorderColor") {
			l.border[i] = &v
		}
	}
	v := m.BlendColor
	if vector(v[:], a, f, of+"FragmentOperation.BlendOperation.BlendColor") {
		l.blend = &v
	}
	return l
}

// texture follows a reference to the texture itself, by name if the file has no
// pointer.
func (s *Set) texture(t *cgfx.Texture, material string) *cgfx.Texture {
	for range 4 {
		switch {
		case t == nil:
			s.note("material %s: a texture unit without texture stays off", material)
			return nil
		case t.Kind != cgfx.KindTextureRef:
			return t
		case t.Target != nil && t.Target != t:
			t = t.Target
		default:
			to := s.File.Textures.Get(t.Path)
			if to == nil {
				s.note("material %s: texture %q is not in the file; white is used instead", material, t.Path)
				return &cgfx.Texture{}
			}
			t = to
		}
	}
	s.note("material %s: its texture refers to itself; white is used instead", material)
	return &cgfx.Texture{}
}

// rgba packs a colour, red lowest.
func rgba(v mgl32.Vec4) uint32 {
	out := uint32(0)
	for k, x := range v {
		if !(x >= 0) {
			x = 0
		}
		out |= uint32(float32(min(x, 1)*255)+0.5) << (8 * k)
	}
	return out
}

// commands makes the material's own commands the state of the next draw. Invalid
// ones are skipped with a note.
func (s *Set) commands(c *gl.Context, l *materialState) error {
	m := l.Material
	var writes []dmp.Write
	lists := [][]uint32{m.CullCommand[:], m.DepthCommand[:], m.BlendCommand[:], m.StencilCommand[:]}
	// The console sets depth writing separately, by the flags.
	depth := uint32(0xF)
	if m.DepthFlags&2 != 0 {
		depth |= 0x10
	}
	lists = append(lists, []uint32{depth << 8, uint32(pica.MakeCommandHeader(pica.RegDepthColorMask, 2, 0, false))})
	if l.blend != nil {
		lists = append(lists, []uint32{rgba(*l.blend), uint32(pica.MakeCommandHeader(pica.RegBlendColor, 0xF, 0, false))})
	}
	if f := m.Fragment; f != nil {
		for i := range f.Combiners {
			words := f.Combiners[i].Command // each with the colour that its constant names
			words[4] = rgba(l.constant(f.Combiners[i].Constant))
			lists = append(lists, words[:])
		}
		lists = append(lists, f.AlphaTest[:], f.BufferCommand[:])
	}
	for _, words := range append(lists, m.Commands) {
		wrong, _ := run(words, ofMaterials, func(reg pica.Reg, mask uint8, value uint32) error {
			writes = append(writes, dmp.Write{Reg: reg, Mask: mask, Value: value})
			return nil
		})
		if wrong != "" {
			s.note("material %s: its commands are damaged, and what makes no sense is left out: %s", m.Name, wrong)
		}
	}
	for i, t := range m.Mappers {
		if t == nil || l.textures[i] == nil {
			continue
		}
		if err := l.sampler(c, i, t); err != nil {
			return err
		}
	}
	return c.Take(writes)
}

// textureRegs are the registers of the units.
var textureRegs = [3]struct {
	border, dim, param, lod, addr, addrs, format pica.Reg
}{
	{0x081, 0x082, 0x083, 0x084, 0x085, 6, 0x08E},
	{0x091, 0x092, 0x093, 0x094, 0x095, 1, 0x096},
	{0x099, 0x09A, 0x09B, 0x09C, 0x09D, 1, 0x09E},
}

// sampler runs a texture unit's commands, without those that depend on the
// texture: size, address, format and levels.
func (l *materialState) sampler(c *gl.Context, unit int, t *cgfx.TextureMapper) error {
	regs := &textureRegs[unit]
	words := t.Commands[:]
	r := pica.ReadCommands(words)
	for cmd, ok := r.Next(); ok; cmd, ok = r.Next() { // the rest after the last command is padding
		for i := range cmd.Len() {
			reg, mask, v := cmd.Reg(i), uint8(cmd.Header.Mask()), cmd.Param(i)
			switch {
			case mask == 0:
				continue
			case reg == regs.border:
				if l.border[unit] != nil {
					v = rgba(*l.border[unit])
				}
			case reg == regs.param:
				// The kind of texture is the texture's own.
				v = v&0x0FFFFFFF | uint32(l.kindOf(unit))<<28
				if l.kindOf(unit) == pica.TextureCube {
					v |= uint32(pica.WrapClampToEdge)<<8 | uint32(pica.WrapClampToEdge)<<12
				}
			case reg == regs.lod:
				top := uint32(max(levels(l.textures[unit])-1, 0))
				v = v&^0x000F0000 | top<<16
			default:
				continue
			}
			if err := c.Override(reg, mask, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindOf returns the texture type of a unit. Only the first unit supports
// projection and cubes.
func (l *materialState) kindOf(unit int) pica.TextureType {
	switch {
	case unit > 0:
	case l.cubes[0]:
		return pica.TextureCube
	case l.coords[0].Mapping >= cgfx.MapProjection && l.coords[0].Mapping <= cgfx.MapShadowCube:
		return pica.TextureProjection
	}
	return pica.Texture2D
}

// constant returns a material colour by the combiners' number.
func (l *materialState) constant(n uint32) mgl32.Vec4 {
	switch {
	case n < 6:
		return l.colors[5+n]
	case n < 11:
		return l.colors[n-6]
	}
	return mgl32.Vec4{}
}

// coordMatrix returns the rows s, t and r of a texture coordinate's matrix. The
// file has the matrix if it is not animated. Source of the conventions: SPICA,
// TextureTransform.
func coordMatrix(t *cgfx.TexCoord, moved bool) (out [3]mgl32.Vec4) {
	if !moved && t.Matrix != (cgfx.Matrix{}) {
		for r := range out {
			copy(out[r][:], t.Matrix[4*r:4*r+4])
		}
		return out
	}
	sn, cs := math.Sincos(float64(t.Rotation))
	// Rounded, because the last bits may differ between processors.
	sin, cos := float64(float32(sn)), float64(float32(cs))
	sx, sy := float64(t.Scale[0]), float64(t.Scale[1])
	tx, ty := float64(t.Translation[0]), float64(t.Translation[1])
	m := [2]mgl64.Vec3{{float64(sx * cos), -float64(sx * sin), 0}, {float64(sy * sin), float64(sy * cos), 0}}
	switch t.Convention {
	case 1: // Softimage
		m[0][2] = float64(sx * (-float64(cos*tx) - float64(sin*ty)))
		m[1][2] = float64(sy * (float64(sin*tx) - float64(cos*ty)))
	case 2: // 3ds Max
		m[0][2] = float64(float64(sx*cos)*(-tx-0.5)) - float64(float64(sx*sin)*(ty-0.5)) + 0.5
		m[1][2] = float64(float64(sy*sin)*(-tx-0.5)) + float64(float64(sy*cos)*(ty-0.5)) + 0.5
	default: // Maya
		m[0][2] = float64(sx * (float64(0.5*sin) - float64(0.5*cos) + 0.5 - tx))
		m[1][2] = float64(sy * (-float64(0.5*sin) - float64(0.5*cos) + 0.5 - ty))
	}
	for r := range 2 {
		out[r] = mgl32.Vec4{float32(m[r][0]), float32(m[r][1]), 0, float32(m[r][2])}
	}
	out[2] = mgl32.Vec4{0, 0, 1, 0}
	return out
}
