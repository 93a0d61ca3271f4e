package cgfx

import "github.com/go-gl/mathgl/mgl32"

// Model is CMDL: meshes, each a shape and a material, and a skeleton.
type Model struct {
	Object
	Transform
	Meshes           []*Mesh
	Materials        Dict[Material]
	Shapes           []*Shape
	NodeVisibilities Dict[NodeVisibility]
	Visible          uint32 // bit 0 visible, bit 8 scales by axes
	cull             uint32
	layer            uint32
	Skeleton         *Skeleton // of KindSkeletalModel
}

func (*Model) signature() (int, string) { return 4, "CMDL" }

func (m *Model) fields(c *codec) {
	m.Object.header(c, "CMDL")
	m.Transform.fields(c)
	refs(c, "meshes", &m.Meshes)
	dict(c, "materials", &m.Materials)
	refs(c, "shapes", &m.Shapes)
	dict(c, "node visibilities", &m.NodeVisibilities)
	word(c, "visible", &m.Visible)
	word(c, "cull", &m.cull)
	word(c, "layer", &m.layer)
	if m.Kind&0x80 != 0 {
		ref(c, "skeleton", &m.Skeleton)
	}
}

// NodeVisibility says whether the meshes that refer to it are drawn.
type NodeVisibility struct {
	Name    string
	Visible uint32
}

func (v *NodeVisibility) fields(c *codec) {
	c.text("name", &v.Name)
	word(c, "visible", &v.Visible)
}

// Mesh is a shape with a material.
type Mesh struct {
	Object
	Shape    uint32 // indices in the model's lists
	Material uint32
	Owner    *Model
	Visible  uint8
	Priority uint8  // of its layer: lower ones are drawn first
	Node     uint16 // number of its node visibility, 0xFFFF none
	// runtime is filled in by the console: the primitive, flags, scales of attributes,
	// command lists.
	runtime  [18]uint32
	NodeName string
	tail     [4]uint32 // room for the console: padding, the key of sorting, commands; not in every file
}

func (*Mesh) signature() (int, string) { return 4, "SOBJ" }

func (m *Mesh) fields(c *codec) {
	m.Object.header(c, "SOBJ")
	word(c, "shape", &m.Shape)
	word(c, "material", &m.Material)
	back(c, "owner", &m.Owner)
	octet(c, "visible", &m.Visible)
	octet(c, "priority", &m.Priority)
	half(c, "node", &m.Node)
	c.words("runtime", m.runtime[:])
	c.text("node name", &m.NodeName)
	c.optional(4, func(c *codec) {
		word(c, "runtime", &m.tail[0])
		c.optional(12, func(c *codec) { c.words("runtime", m.tail[1:]) })
	})
}

// Shape is the geometry of a mesh.
type Shape struct {
	Object
	flags      uint32
	Bounds     *Bounds
	Offset     mgl32.Vec3 // added to every position
	Sets       []*PrimitiveSet
	base       uint32 // filled in by the console
	Attributes []*Attribute
	blend      *blendShape
}

func (*Shape) signature() (int, string) { return 4, "SOBJ" }

func (s *Shape) fields(c *codec) {
	s.Object.header(c, "SOBJ")
	word(c, "flags", &s.flags)
	ref(c, "bounds", &s.Bounds)
	c.floats("position offset", s.Offset[:])
	refs(c, "primitive sets", &s.Sets)
	word(c, "base address", &s.base)
	refs(c, "attributes", &s.Attributes)
	ref(c, "blend shape", &s.blend)
}

// blendShape is a set of shapes that are blended. No public file has targets,
// so their contents are not read. Source: SPICA, GfxBlendShape.
type blendShape struct {
	kind    uint32
	targets []*opaque
	usages  []uint32
}

func (b *blendShape) fields(c *codec) {
	word(c, "kind", &b.kind)
	refs(c, "targets", &b.targets)
	c.numbers("usages", &b.usages)
}

// Bounds is a bounding box of a shape.
type Bounds struct {
	Kind   uint32
	Center mgl32.Vec3
	Axes   [9]float32
	Size   mgl32.Vec3
}

func (b *Bounds) fields(c *codec) {
	word(c, "kind", &b.Kind)
	c.floats("center", b.Center[:])
	c.floats("axes", b.Axes[:])
	c.floats("size", b.Size[:])
}

// Skinning says how bones move the vertices of a primitive set.
type Skinning uint32

// The ways of skinning.
const (
	Unskinned Skinning = iota // the set's one bone moves them
	Rigid                     // each vertex has one bone; positions are in its space
	Smooth                    // up to four bones and weights; positions are in the model's space
)

// String names the way.
func (s Skinning) String() string {
	return enumText(uint32(s), "none", "rigid", "smooth")
}

// PrimitiveSet is a part of a shape with its bones; bone numbers of vertices
// are indices into Bones.
type PrimitiveSet struct {
	Bones      []uint32
	Skinning   Skinning
	Primitives []*Primitive
}

func (p *PrimitiveSet) fields(c *codec) {
	c.numbers("bones", &p.Bones)
	word(c, "skinning", &p.Skinning)
	refs(c, "primitives", &p.Primitives)
}

// Primitive is a list of index streams.
type Primitive struct {
	Streams   []*IndexStream
	Objects   []uint32 // filled in by the console, one a stream
	flags     uint32
	allocator uint32 // filled in by the console
}

func (p *Primitive) fields(c *codec) {
	refs(c, "index streams", &p.Streams)
	c.numbers("buffer objects", &p.Objects)
	word(c, "flags", &p.flags)
	word(c, "command allocator", &p.allocator)
}

// IndexStream is the indices of one draw.
type IndexStream struct {
	Format    DataType // UnsignedByte or UnsignedShort
	Mode      uint8    // 0 triangles, 1 strip, 2 fan
	Visible   uint8
	padding   uint16
	Data      []byte
	runtime   [6]uint32
	boundsPtr uint32
}

func (s *IndexStream) fields(c *codec) {
	word(c, "format", &s.Format)
	octet(c, "mode", &s.Mode)
	octet(c, "visible", &s.Visible)
	half(c, "padding", &s.padding)
	c.blob("indices", &s.Data, true)
	c.words("runtime", s.runtime[:])
	word(c, "bounding volume", &s.boundsPtr)
}

// Len returns the number of indices.
func (s *IndexStream) Len() int { return len(s.Data) / max(s.Format.Size(), 1) }

// Index returns an index of the stream.
func (s *IndexStream) Index(i int) int {
	if s.Format.Size() == 2 {
		return int(le.Uint16(s.Data[2*i:]))
	}
	return int(s.Data[i])
}

// DataType is the type of a vertex component or index, numbered as in OpenGL.
type DataType uint32

// The types.
const (
	Byte          DataType = 0x1400
	UnsignedByte  DataType = 0x1401
	Short         DataType = 0x1402
	UnsignedShort DataType = 0x1403
	Float         DataType = 0x1406
	Fixed         DataType = 0x140C
)

// String names the type.
func (t DataType) String() string {
	switch t {
	case Byte:
		return "byte"
	case UnsignedByte:
		return "unsigned byte"
	case Short:
		return "short"
	case UnsignedShort:
		return "unsigned short"
	case Float:
		return "float"
	case Fixed:
		return "fixed"
	}
	return enumText(uint32(t))
}

// Size returns the size of a component in bytes, 0 for a type that does not
// exist.
func (t DataType) Size() int {
	switch t {
	case Byte, UnsignedByte:
		return 1
	case Short, UnsignedShort:
		return 2
	case Float, Fixed:
		return 4
	}
	return 0
}

// Usage is the meaning of a vertex attribute.
type Usage uint32

// The usages.
const (
	Position Usage = iota
	Normal
	Tangent
	Color
	TexCoord0
	TexCoord1
	TexCoord2
	BoneIndex
	BoneWeight
	UserAttribute0
	Interleaved Usage = 21
)

// String names the usage.
func (u Usage) String() string {
	return enumText(uint32(u), "position", "normal", "tangent", "color", "texcoord0", "texcoord1", "texcoord2", "bone index", "bone weight",
		"user 0", "user 1", "user 2", "user 3", "user 4", "user 5", "user 6", "user 7", "user 8", "user 9", "user 10", "user 11", "interleaved")
}

// Kinds of Attribute.
const (
	AttributeStream      = 0x40000001 // one attribute, with data of its own or in an interleaved stream
	AttributeInterleaved = 0x40000002 // data of several
	AttributeFixed       = 0x80000000 // the same for all vertices
)

// Attribute is a vertex attribute, or several in one buffer. The shader gets
// the values times Scale.
type Attribute struct {
	Kind       uint32
	Usage      Usage
	Flags      uint32
	object     uint32 // the words beginning with this are filled in by the console
	location   uint32
	Data       []byte
	locationAt uint32
	area       uint32
	Stride     uint32       // of an interleaved stream, bytes
	Streams    []*Attribute // in it
	Format     DataType
	Components uint32 // 1 to 4; 0 of fixed values written by one tool: count Values
	Scale      float32
	Offset     uint32 // in the interleaved stream, bytes
	Values     []float32
}

func (a *Attribute) fields(c *codec) {
	word(c, "kind", &a.Kind)
	word(c, "usage", &a.Usage)
	word(c, "flags", &a.Flags)
	if a.Kind == AttributeStream || a.Kind == AttributeInterleaved {
		word(c, "buffer object", &a.object)
		word(c, "location flag", &a.location)
		c.blob("data", &a.Data, true)
		word(c, "location address", &a.locationAt)
		word(c, "memory area", &a.area)
	}
	switch a.Kind {
	case AttributeInterleaved:
		word(c, "stride", &a.Stride)
		refs(c, "streams", &a.Streams)
	case AttributeStream, AttributeFixed:
		word(c, "format", &a.Format)
		word(c, "components", &a.Components)
		c.float("scale", &a.Scale)
		if a.Kind == AttributeFixed {
			c.reals("values", &a.Values)
			return
		}
		word(c, "offset", &a.Offset)
	default:
		if c.mode == reading {
			c.problem(c.at-12, "a vertex attribute of the unknown kind 0x%08x", a.Kind)
		}
	}
}
