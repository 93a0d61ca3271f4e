package bch

import (
	"github.com/go-gl/mathgl/mgl32"

	"pica200/pica"
)

// Material is the appearance of a mesh.
type Material struct {
	Name     string
	Params   *Params
	commands []uint32 // which texture units are on
	Mappers  [3]Mapper
	Textures [3]string
}

func (m *Material) name() string { return m.Name }

func (m *Material) fields(c *codec) {
	ref(c, &m.Params)
	c.skip(12) // the textures themselves: programs find them by name
	c.words(&m.commands)
	if c.f.Version >= 0x21 {
		c.inside(c.pointer(), m.mappers)
	} else {
		m.mappers(c)
	}
	for i := range m.Textures {
		c.text(&m.Textures[i])
	}
	c.text(&m.Name)
}

func (m *Material) mappers(c *codec) {
	for i := range m.Mappers {
		m.Mappers[i].fields(c)
	}
}

// Mapper is how a texture unit samples.
type Mapper struct {
	kind         uint8
	WrapU, WrapV uint8
	Mag, Min     uint8 // Mag 0 nearest, 1 linear; Min of 6: nearest, and by level nearest, linear; linear and the same
	minLevel     uint8
	bias         float32
	Border       uint32 // red lowest
}

func (m *Mapper) fields(c *codec) {
	for _, p := range []*uint8{&m.kind, &m.WrapU, &m.WrapV, &m.Mag, &m.Min, &m.minLevel} {
		c.u8(p)
	}
	c.skip(2)
	c.f32(&m.bias)
	c.u32(&m.Border)
}

// TexCoord describes a unit's texture coordinates, as in CGFX.
type TexCoord struct {
	flags, Convention, Mapping uint8
	Camera                     int8
	Scale                      mgl32.Vec2
	Rotation                   float32
	Translation                mgl32.Vec2
}

func (t *TexCoord) fields(c *codec) {
	c.u8(&t.flags)
	c.u8(&t.Convention)
	c.u8(&t.Mapping)
	t.Camera = int8(c.take(1)[0])
	c.floats(t.Scale[:])
	c.f32(&t.Rotation)
	c.floats(t.Translation[:])
}

// Params is the state of a material. Colours are bytes, red lowest: emission, ambient,
// diffuse, specular 0 and 1, constants 0 to 5.
type Params struct {
	id          uint32
	Flags       uint16 // bits 0 to 5 as in CGFX
	fragment    uint8  // bit 0 renormalizes bumps, 1 clamps highlights, 2 and 3 distributions, 4 reflection, 5 and 6 geometry factors
	frameAccess uint8
	TexCoords   [3]TexCoord
	LightSet    uint16
	Fog         uint16
	Colors      [11]uint32
	BlendColor  uint32
	ColorScale  float32
	Layer       uint8 // bits 0-3 translucency, 4-7 which coordinates units take
	fresnel     uint8
	bumpMode    uint8
	bumpTexture uint8
	tableConfig [6]uint32 // commands: absolute, input, scale of tables
	Constants   uint32    // four bits a stage: which colour
	offsetUnits float32
	Commands    []uint32
	tableSets   [6]string // distribution 0 and 1, Fresnel, reflection red, green, blue
	tableNames  [6]string
	Shader      string // number@name
	Model       string // material@model
	userData    userData
}

func (p *Params) name() string { return p.Model }

func (p *Params) fields(c *codec) {
	c.u32(&p.id)
	c.u16(&p.Flags)
	c.u8(&p.fragment)
	c.u8(&p.frameAccess)
	c.skip(4) // the shader: programs find it by name
	for i := range p.TexCoords {
		p.TexCoords[i].fields(c)
	}
	c.u16(&p.LightSet)
	c.u16(&p.Fog)
	c.numbers(p.Colors[:])
	c.u32(&p.BlendColor)
	c.f32(&p.ColorScale)
	c.skip(24) // the tables: programs find them by name
	c.u8(&p.Layer)
	c.u8(&p.fresnel)
	c.u8(&p.bumpMode)
	c.u8(&p.bumpTexture)
	c.numbers(p.tableConfig[:])
	c.u32(&p.Constants)
	c.f32(&p.offsetUnits)
	c.words(&p.Commands)
	c.skip(4) // the pointer to the commands once more
	for i := range p.tableSets {
		c.text(&p.tableSets[i])
	}
	for i := range p.tableNames {
		c.text(&p.tableNames[i])
	}
	c.text(&p.Shader)
	c.text(&p.Model)
	if c.f.Version >= 7 {
		p.userData.pointer(c)
	}
}

// Texture is one image or the six of a cube: +x, -x, +y, -y, +z, -z.
type Texture struct {
	Name          string
	Format        uint8
	Levels        uint8
	Width, Height int
	Faces         [][]byte
}

func (t *Texture) name() string { return t.Name }

func (t *Texture) fields(c *codec) {
	var lists [3][]uint32
	for unit := range lists {
		c.words(&lists[unit])
	}
	c.u8(&t.Format)
	c.u8(&t.Levels)
	c.skip(2)
	c.text(&t.Name)
	t.decode(c, lists[0])
}

func (t *Texture) decode(c *codec, list []uint32) {
	w := read(list)
	t.Width, t.Height = int(w.regs[0x082]>>16&0x7FF), int(w.regs[0x082]&0x7FF)
	size := bytesOf(t)
	for i := range pica.Reg(6) {
		at := int64(w.regs[0x085+i])
		if at == 0 {
			break
		}
		if at > int64(len(c.data)) || int64(size) > int64(len(c.data))-at || size == 0 {
			c.f.note(c.at, "texture %q of %dx%d texels, format %d, at 0x%x does not fit into the file", t.Name, t.Width, t.Height, t.Format, at)
			return
		}
		t.Faces = append(t.Faces, c.data[at:at+int64(size):at+int64(size)])
	}
}
