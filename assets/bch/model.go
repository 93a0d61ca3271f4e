package bch

import (
	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/pica"
)

// Model is a model. Matrices are three rows of four.
type Model struct {
	Name         string
	Flags        uint8 // bit 0 drawn, 1 has a skeleton, 2 culls parts, 3 has silhouettes
	scaling      uint8 // 0 standard, 1 Maya, 2 Softimage
	silhouettes  uint16
	World        cgfx.Matrix
	Materials    []Material
	Meshes       []Mesh
	Bones        []Bone
	NodesVisible []bool
	Nodes        []string // names of mesh nodes
	userData     userData
}

func (m *Model) name() string { return m.Name }

func (m *Model) fields(c *codec) {
	c.u8(&m.Flags)
	c.u8(&m.scaling)
	c.u16(&m.silhouettes)
	c.floats(m.World[:])
	inlineDict(c, &m.Materials, 0x2C)
	list(c, &m.Meshes, 0x38)
	c.skip(32) // the meshes of each layer, from one position to another: they are sorted by layer
	if c.f.Version >= 7 {
		c.skip(8) // how parts are culled; described nowhere
	}
	inlineDict(c, &m.Bones, 0x64)
	c.bits(&m.NodesVisible)
	c.text(&m.Name)
	var n uint32
	c.u32(&n)
	at := c.at
	if m.Nodes = c.tree(nil); len(m.Nodes) != int(n) {
		c.f.note(at-4, "%d mesh nodes, the tree has the names of %d", n, len(m.Nodes))
	}
	c.skip(4) // the program's own
	m.userData.pointer(c)
}

// Bone flags.
const boneCompensates = 1 << 22 // undoes its parent's scale

// Bone is a joint.
type Bone struct {
	Name                         string
	Flags                        uint32 // bits 16 to 18: how it turns to the camera, as CGFX counts from 1 on, here from 2
	Parent                       int16  // -1 of a root
	Scale, Rotation, Translation mgl32.Vec3
	Inverse                      cgfx.Matrix // model space to the bone's
	userData                     userData
}

func (b *Bone) name() string { return b.Name }

func (b *Bone) fields(c *codec) {
	c.u32(&b.Flags)
	c.i16(&b.Parent)
	c.skip(2)
	c.floats(b.Scale[:])
	c.floats(b.Rotation[:])
	c.floats(b.Translation[:])
	c.floats(b.Inverse[:])
	c.text(&b.Name)
	b.userData.pointer(c)
}

// Attribute is a vertex attribute in the buffer of a mesh, in its order, or a value for all
// vertices.
type Attribute struct {
	Usage      uint8 // as in CGFX: position, normal, tangent, colour, coordinates 0 to 2, bones, weights, user's
	Type       pica.AttribType
	Components int
	Scale      float32
	Fixed      *mgl32.Vec4
}

// Mesh is vertices with the parts that are drawn of them.
type Mesh struct {
	Material   uint16
	flags      uint8 // bits 0 and 1: 1 a silhouette; 2 and 3 skinning: mixed, rigid, smooth
	Node       uint16
	Key        uint16 // bits 0-7 priority, 8 and 9 layer
	Parts      []Part
	center     mgl32.Vec3
	userData   userData
	Attributes []Attribute
	Stride     int
	Data       []byte // vertices
	Offset     mgl32.Vec4
}

func (m *Mesh) fields(c *codec) {
	c.u16(&m.Material)
	c.u8(&m.flags)
	c.skip(1)
	c.u16(&m.Node)
	c.u16(&m.Key)
	var enable, disable []uint32
	c.words(&enable)
	list(c, &m.Parts, 0x34)
	c.words(&disable)
	c.floats(m.center[:])
	c.skip(8) // the model, and the program's own
	m.userData.pointer(c)
	m.decode(c, enable)
}

// Part is a range of indices with the bones that its vertices refer to.
type Part struct {
	Skinning uint8    // 0 none, 1 smooth, 2 rigid
	Bones    []uint16 // at most 20
	bools    uint16   // of the vertex shader
	Mode     uint8    // 0 triangles, 1 strip, 2 fan
	Wide     bool     // indices have 16 bits
	Indices  []byte
}

// maxBones is the room for bones in a part.
const maxBones = 20

func (p *Part) fields(c *codec) {
	c.u8(&p.Skinning)
	c.skip(1)
	var n uint16
	c.u16(&n)
	var room [maxBones]uint16
	for i := range room {
		c.u16(&room[i])
	}
	var words []uint32
	at := c.at
	c.words(&words)
	if n > maxBones {
		c.f.note(at, "%d bones in a part; there is room for %d", n, maxBones)
		n = maxBones
	}
	p.Bones = append([]uint16(nil), room[:n]...)
	p.decode(c, words)
}
