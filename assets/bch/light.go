package bch

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/texture"
	"pica200/pica"
)

// bytesOf is the size of a texture's face with its levels, 0 if it makes no sense.
func bytesOf(t *Texture) int {
	f := pica.TextureFormat(t.Format)
	if texture.Bits(f) == 0 || t.Width < 8 || t.Height < 8 || t.Width%8 != 0 || t.Height%8 != 0 {
		return 0
	}
	n := 0
	for i := range max(int(min(t.Levels, 8)), 1) {
		if t.Width>>i < 8 || t.Height>>i < 8 {
			break
		}
		n += texture.Size(f, t.Width>>i, t.Height>>i)
	}
	return n
}

// UserData is a list of values under names; of each type one field counts.
type UserData struct{ Values []UserValue }

func (u *UserData) pointer(c *codec) {
	at := c.pointer(len(u.Values) > 0, u.fields)
	c.inside(at, u.fields)
}

func (u *UserData) fields(c *codec) { inlineDict(c, &u.Values, 12) }

// UserValue is a list of values. Types: 0 integers, 1 floats, 2 texts; others are not read.
type UserValue struct {
	Name  string
	Type  uint16
	Words []uint32
	Texts []string
}

func (u *UserValue) name() string { return u.Name }

func (u *UserValue) fields(c *codec) {
	c.text(&u.Name)
	c.u16(&u.Type)
	n := uint16(len(u.Words) + len(u.Texts))
	c.u16(&n)
	run := func(c *codec) {
		for i := range u.Words {
			c.u32(&u.Words[i])
		}
		for i := range u.Texts {
			c.text(&u.Texts[i])
		}
	}
	at := c.pointer(n > 0, run)
	if at < 0 || !c.reading() {
		return
	}
	if int(n) > (len(c.data)-at)/4 {
		c.f.note(at, "%d values do not fit into the file", n)
		return
	}
	switch u.Type {
	case 0, 1:
		u.Words = make([]uint32, n)
	case 2:
		u.Texts = make([]string, n)
	}
	c.inside(at, run)
}

// LookupTable is a set of tables.
type LookupTable struct {
	Name   string
	Tables []Table
}

func (l *LookupTable) name() string { return l.Name }

func (l *LookupTable) fields(c *codec) {
	list(c, &l.Tables, 0x10)
	c.text(&l.Name)
}

// Table is the commands that upload a table.
type Table struct {
	Name     string
	Flags    uint8 // bit 0: the input runs from 0 to 1
	Commands []uint32
}

func (t *Table) fields(c *codec) {
	c.u8(&t.Flags)
	c.skip(3)
	c.words(&t.Commands)
	c.text(&t.Name)
}

// place is what lights, cameras and fogs begin with.
type place struct {
	Name                         string
	Scale, Rotation, Translation mgl32.Vec3
}

func (p *place) name() string { return p.Name }

func (p *place) start(c *codec) {
	c.text(&p.Name)
	c.floats(p.Scale[:])
	c.floats(p.Rotation[:])
	c.floats(p.Translation[:])
}

// Light is a light. Type: 1 hemisphere, 2 ambient, 4 by vertex, 8 by fragment; with the last
// two 1 from a direction, 2 a point, 3 a spot.
type Light struct {
	place
	Type, Enabled, Flags uint8 // Flags: bit 0 two-sided diffuse, 1 attenuates with distance
	Table                uint8 // bits 0-3 input, 4-7 scale of a spot's table
	UserData             UserData
	Color                uint32 // of ambient lights
	Colors               [4]uint32
	Vectors              [2]mgl32.Vec4 // ground and sky, or ambient and diffuse
	Direction            mgl32.Vec3
	Numbers              [5]float32 // hemisphere: lerp; by vertex: constant, linear, quadratic, exponent, cut-off; by fragment: start, end
	Tables               [4]string  // set and name of the distance's, of the angle's
}

func (l *Light) fields(c *codec) {
	l.start(c)
	for _, p := range []*uint8{&l.Type, &l.Enabled, &l.Flags, &l.Table} {
		c.u8(p)
	}
	l.UserData.pointer(c)
	switch {
	case l.Type&8 != 0:
		for i := range l.Colors {
			c.u32(&l.Colors[i])
		}
		c.floats(l.Direction[:])
		c.skip(8)
		c.floats(l.Numbers[:2])
		for i := range l.Tables {
			c.text(&l.Tables[i])
		}
	case l.Type&4 != 0:
		c.floats(l.Vectors[0][:])
		c.floats(l.Vectors[1][:])
		c.floats(l.Direction[:])
		c.floats(l.Numbers[:])
	case l.Type == 2:
		c.u32(&l.Color)
	case l.Type == 1:
		c.floats(l.Vectors[0][:])
		c.floats(l.Vectors[1][:])
		c.floats(l.Direction[:])
		c.floats(l.Numbers[:1])
	}
}

// Camera is a camera. View: 0 aim (target, twist), 1 look at (target, up), 2 rotation.
type Camera struct {
	place
	View, Projection, Flags uint8 // Projection: 0 perspective, 1 parallel
	WScale                  float32
	Target, Up              mgl32.Vec3
	Twist                   float32
	Lens                    mgl32.Vec4 // near, far, aspect, field of view in radians or height
	UserData                UserData
}

func (a *Camera) fields(c *codec) {
	a.start(c)
	c.u8(&a.View)
	c.u8(&a.Projection)
	c.u8(&a.Flags)
	c.skip(1)
	c.f32(&a.WScale)
	view := func(c *codec) {
		c.floats(a.Target[:])
		switch a.View {
		case 0:
			c.f32(&a.Twist)
		case 1:
			c.floats(a.Up[:])
		}
	}
	c.inside(c.pointer(true, view), view)
	lens := func(c *codec) { c.floats(a.Lens[:]) }
	c.inside(c.pointer(true, lens), lens)
	a.UserData.pointer(c)
}

// Fog is a fog. Source: KillzXGaming's SPICA, H3DFog.
type Fog struct {
	place
	Type, Flags uint8 // Type: 1 linear, 2 exponential, 3 exponential squared
	Color       uint32
	Near, Far   float32
	Density     float32
	UserData    UserData
}

func (g *Fog) fields(c *codec) {
	g.start(c)
	c.u8(&g.Type)
	c.u8(&g.Flags)
	c.skip(2)
	c.u32(&g.Color)
	c.f32(&g.Near, &g.Far, &g.Density)
	g.UserData.pointer(c)
}

// Scene says which cameras, lights and fogs belong together. Source: KillzXGaming's SPICA,
// H3DScene.
type Scene struct {
	Name      string
	Cameras   []SceneItem
	LightSets []LightSet
	Fogs      []SceneItem
	UserData  UserData
}

func (s *Scene) name() string { return s.Name }

func (s *Scene) fields(c *codec) {
	c.text(&s.Name)
	list(c, &s.Cameras, 8)
	list(c, &s.LightSets, 12)
	list(c, &s.Fogs, 8)
	s.UserData.pointer(c)
}

// SceneItem is the number of a thing of the file.
type SceneItem struct {
	ID   uint32
	Name string
}

func (s *SceneItem) fields(c *codec) {
	c.u32(&s.ID)
	c.text(&s.Name)
}

// LightSet is lights under the number by which materials name them.
type LightSet struct {
	ID    uint32
	Names []string
}

func (l *LightSet) fields(c *codec) {
	c.u32(&l.ID)
	texts(c, &l.Names)
}

// Shader is a shader binary.
type Shader struct {
	Name             string
	Binary           []byte
	Vertex, Geometry int16 // numbers of executables
}

func (s *Shader) name() string { return s.Name }

func (s *Shader) fields(c *codec) {
	run := func(c *codec) { copy(c.take(len(s.Binary)), s.Binary) }
	at := c.pointer(len(s.Binary) > 0, run)
	n := uint32(len(s.Binary))
	c.u32(&n)
	if at >= 0 && c.reading() {
		if int64(n) <= int64(len(c.data)-at) {
			s.Binary = c.data[at : at+int(n) : at+int(n)]
			c.f.budget -= int(n) / 4
		} else {
			c.f.note(at, "a shader binary of %d bytes does not fit into the file", n)
		}
	}
	c.skip(24) // lists of commands that no known file has
	number(c, &s.Vertex, 2)
	number(c, &s.Geometry, 2)
	c.skip(4)
	c.text(&s.Name)
	c.skip(4)
}

func finite(v ...float32) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}
