package cgfx

// AnimationGroup lists the parts of a node that animations can move.
type AnimationGroup struct {
	Kind    uint32
	Flags   uint32 // bit 0: transforms
	Name    string // SkeletalAnimation, ...
	Members uint32 // what kind of members: 1 bones, 2 materials, 3 models, 4 lights, 5 cameras, 6 fogs
	Dict    Dict[GroupMember]
	Blend   []uint32
	Timing  uint32
}

func (g *AnimationGroup) fields(c *codec) {
	word(c, "kind", &g.Kind)
	word(c, "flags", &g.Flags)
	c.text("name", &g.Name)
	word(c, "member type", &g.Members)
	dict(c, "members", &g.Dict)
	c.numbers("blend operations", &g.Blend)
	word(c, "timing", &g.Timing)
}

// Kinds of GroupMember.
const (
	memberNodeVisibility = 0x00080000
	MemberMesh           = 0x01000000
	memberSampler        = 0x02000000
	memberBlend          = 0x04000000
	memberColor          = 0x08000000
	MemberModel          = 0x10000000
	memberMapper         = 0x20000000
	MemberBone           = 0x40000000
	memberTexCoord       = 0x80000000
)

// GroupMember is one thing that can be moved. Source: pycgfx's pattern.
type GroupMember struct {
	Kind      uint32
	Path      string
	Object    string
	part      string
	Offset    uint32 // of the value in the part, bytes
	Size      uint32
	operation uint32 // index of the blend operation
	Field     uint32 // 0 bone, 1 colour, 2 sampler, 3 mapper, 4 blending, 5 texture coordinate, 6 model, 7 mesh, 8 node visibility
	Value     uint32
	runtime   uint32
	Parent    string // of fields 0 to 5 and 8
	Index     uint32 // of fields 2, 3, 5 and 7
	Again     uint32 // Field once more; not in every file
}

func (m *GroupMember) fields(c *codec) {
	word(c, "kind", &m.Kind)
	c.text("path", &m.Path)
	c.text("object", &m.Object)
	c.text("part", &m.part)
	word(c, "value offset", &m.Offset)
	word(c, "value size", &m.Size)
	word(c, "operation", &m.operation)
	word(c, "field", &m.Field)
	word(c, "value", &m.Value)
	word(c, "runtime", &m.runtime)
	switch {
	case m.Field <= 5 || m.Field == 8:
		c.text("parent", &m.Parent)
		if m.Field == 2 || m.Field == 3 || m.Field == 5 {
			word(c, "index", &m.Index)
		}
	case m.Field == 7:
		word(c, "index", &m.Index)
	}
	c.optional(4, func(c *codec) { word(c, "field again", &m.Again) })
}
