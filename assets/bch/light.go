package bch

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/texture"
	"pica200/pica"
)

// bytesOf returns the size of a texture's face with its levels, 0 if it is
// invalid.
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

// userData is a list of values under names; of each type one field counts.
type userData struct{ values []userValue }

func (u *userData) pointer(c *codec) {
	c.inside(c.pointer(), u.fields)
}

func (u *userData) fields(c *codec) { inlineDict(c, &u.values, 12) }

// userValue is a list of values. Types: 0 integers, 1 floats, 2 texts; others are not read.
type userValue struct {
	Name  string
	kind  uint16
	words []uint32
	texts []string
}

func (u *userValue) name() string { return u.Name }

func (u *userValue) fields(c *codec) {
	c.text(&u.Name)
	c.u16(&u.kind)
	var n uint16
	c.u16(&n)
	at := c.pointer()
	if !c.fits(at, uint32(n), 32, "values") {
		return
	}
	switch u.kind {
	case 0, 1:
		u.words = make([]uint32, n)
	case 2:
		u.texts = make([]string, n)
	}
	c.inside(at, func(c *codec) {
		c.numbers(u.words)
		for i := range u.texts {
			c.text(&u.texts[i])
		}
	})
}

// lookupTable is a set of tables.
type lookupTable struct {
	Name   string
	tables []table
}

func (l *lookupTable) name() string { return l.Name }

func (l *lookupTable) fields(c *codec) {
	list(c, &l.tables, 0x10)
	c.text(&l.Name)
}

// table is the commands that upload a table.
type table struct {
	Name     string
	flags    uint8 // bit 0: the input runs from 0 to 1
	commands []uint32
}

func (t *table) fields(c *codec) {
	c.u8(&t.flags)
	c.skip(3)
	c.words(&t.commands)
	c.text(&t.Name)
}

// placement is the common start of lights, cameras and fogs.
type placement struct {
	Name                         string
	Scale, Rotation, Translation mgl32.Vec3
}

func (p *placement) name() string { return p.Name }

func (p *placement) start(c *codec) {
	c.text(&p.Name)
	c.floats(p.Scale[:])
	c.floats(p.Rotation[:])
	c.floats(p.Translation[:])
}

// Light is a light. Type: 1 hemisphere, 2 ambient, 4 by vertex, 8 by fragment; with the last
// two 1 from a direction, 2 a point, 3 a spot.
type Light struct {
	placement
	Type, Enabled, flags uint8 // flags: bit 0 two-sided diffuse, 1 attenuates with distance
	table                uint8 // bits 0-3 input, 4-7 scale of a spot's table
	userData             userData
	Color                uint32 // of ambient lights
	Colors               [4]uint32
	vectors              [2]mgl32.Vec4 // ground and sky, or ambient and diffuse
	Direction            mgl32.Vec3
	numbers              [5]float32 // hemisphere: lerp; by vertex: constant, linear, quadratic, exponent, cut-off; by fragment: start, end
	tables               [4]string  // set and name of the distance's, of the angle's
}

func (l *Light) fields(c *codec) {
	l.start(c)
	for _, p := range []*uint8{&l.Type, &l.Enabled, &l.flags, &l.table} {
		c.u8(p)
	}
	l.userData.pointer(c)
	switch {
	case l.Type&8 != 0:
		c.numbers(l.Colors[:])
		c.floats(l.Direction[:])
		c.skip(8)
		c.floats(l.numbers[:2])
		for i := range l.tables {
			c.text(&l.tables[i])
		}
	case l.Type&4 != 0:
		c.floats(l.vectors[0][:])
		c.floats(l.vectors[1][:])
		c.floats(l.Direction[:])
		c.floats(l.numbers[:])
	case l.Type == 2:
		c.u32(&l.Color)
	case l.Type == 1:
		c.floats(l.vectors[0][:])
		c.floats(l.vectors[1][:])
		c.floats(l.Direction[:])
		c.floats(l.numbers[:1])
	}
}

// Camera is a camera. View: 0 aim (target, twist), 1 look at (target, up), 2 rotation.
type camera struct {
	placement
	view, projection, flags uint8 // Projection: 0 perspective, 1 parallel
	wScale                  float32
	target, up              mgl32.Vec3
	twist                   float32
	lens                    mgl32.Vec4 // near, far, aspect, field of view in radians or height
	userData                userData
}

func (a *camera) fields(c *codec) {
	a.start(c)
	c.u8(&a.view)
	c.u8(&a.projection)
	c.u8(&a.flags)
	c.skip(1)
	c.f32(&a.wScale)
	view := func(c *codec) {
		c.floats(a.target[:])
		switch a.view {
		case 0:
			c.f32(&a.twist)
		case 1:
			c.floats(a.up[:])
		}
	}
	c.inside(c.pointer(), view)
	c.inside(c.pointer(), func(c *codec) { c.floats(a.lens[:]) })
	a.userData.pointer(c)
}

// Fog is a fog. Source: KillzXGaming's SPICA, H3DFog.
type fog struct {
	placement
	kind, flags uint8 // kind: 1 linear, 2 exponential, 3 exponential squared
	color       uint32
	near, far   float32
	density     float32
	userData    userData
}

func (g *fog) fields(c *codec) {
	g.start(c)
	c.u8(&g.kind)
	c.u8(&g.flags)
	c.skip(2)
	c.u32(&g.color)
	c.f32(&g.near, &g.far, &g.density)
	g.userData.pointer(c)
}

// Scene says which cameras, lights and fogs belong together. Source: KillzXGaming's SPICA,
// H3DScene.
type Scene struct {
	Name      string
	cameras   []sceneItem
	LightSets []LightSet
	fogs      []sceneItem
	userData  userData
}

func (s *Scene) name() string { return s.Name }

func (s *Scene) fields(c *codec) {
	c.text(&s.Name)
	list(c, &s.cameras, 8)
	list(c, &s.LightSets, 12)
	list(c, &s.fogs, 8)
	s.userData.pointer(c)
}

// sceneItem is the number of a thing of the file.
type sceneItem struct {
	id   uint32
	Name string
}

func (s *sceneItem) fields(c *codec) {
	c.u32(&s.id)
	c.text(&s.Name)
}

// LightSet names the lights of a number, by which materials refer to them.
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
	vertex, Geometry int16 // numbers of executables
}

func (s *Shader) name() string { return s.Name }

func (s *Shader) fields(c *codec) {
	at := c.pointer()
	var n uint32
	c.u32(&n)
	if at >= 0 {
		if int64(n) <= int64(len(c.data)-at) {
			s.Binary = c.data[at : at+int(n) : at+int(n)]
			c.f.budget -= int(n) / 4
		} else {
			c.f.note(at, "a shader binary of %d bytes does not fit into the file", n)
		}
	}
	c.skip(24) // lists of commands that no known file has
	c.i16(&s.vertex)
	c.i16(&s.Geometry)
	c.skip(4)
	c.text(&s.Name)
	c.skip(4)
}

func finite(v ...float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) })
}
