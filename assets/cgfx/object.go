package cgfx

import (
	"fmt"
	"iter"

	"github.com/go-gl/mathgl/mgl32"
)

// Object is the start of most structures: kind, signature, revision, name, and
// user data.
type Object struct {
	Kind     Kind
	letters  string
	Revision uint32
	Name     string
	UserData Dict[UserData]
}

// Kind is the type of a structure, as stored in the file.
type Kind uint32

// The kinds.
const (
	KindMesh            Kind = 0x01000000
	KindSkeleton        Kind = 0x02000000
	KindLookupTable     Kind = 0x04000000
	KindMaterial        Kind = 0x08000000
	KindShape           Kind = 0x10000001
	KindTextureRef      Kind = 0x20000004
	KindTextureCube     Kind = 0x20000009
	KindTextureImage    Kind = 0x20000011
	KindTextureShadow   Kind = 0x20000021
	KindCamera          Kind = 0x4000000A
	KindModel           Kind = 0x40000012
	KindSkeletalModel   Kind = 0x40000092
	KindFog             Kind = 0x40000042
	KindFragmentLight   Kind = 0x400000A2
	KindHemisphereLight Kind = 0x40000122
	KindVertexLight     Kind = 0x40000222
	KindAmbientLight    Kind = 0x40000422
	KindShaderRef       Kind = 0x80000001
	KindShader          Kind = 0x80000002
	KindScene           Kind = 0x00800000
)

var kindNames = map[Kind]string{
	KindMesh: "mesh", KindSkeleton: "skeleton", KindLookupTable: "lookup table", KindMaterial: "material", KindShape: "shape",
	KindTextureRef: "texture reference", KindTextureCube: "cube texture", KindTextureImage: "texture", KindTextureShadow: "shadow texture",
	KindCamera: "camera", KindModel: "model", KindSkeletalModel: "skeletal model", KindFog: "fog", KindFragmentLight: "fragment light",
	KindHemisphereLight: "hemisphere light", KindVertexLight: "vertex light", KindAmbientLight: "ambient light",
	KindShaderRef: "shader reference", KindShader: "shader", KindScene: "scene",
}

// String names the kind.
func (k Kind) String() string {
	if s, ok := kindNames[k]; ok {
		return fmt.Sprintf("%s (0x%08x)", s, uint32(k))
	}
	return fmt.Sprintf("unknown (0x%08x)", uint32(k))
}

func (o *Object) header(c *codec, letters string) {
	o.letters = letters
	word(c, "kind", &o.Kind)
	c.magic(letters)
	word(c, "revision", &o.Revision)
	c.text("name", &o.Name)
	dict(c, "user data", &o.UserData)
}

// UserData is a named list of values.
type UserData struct {
	Kind     uint32 // 0x10000000 texts, 0x20000000 integers, 0x40000000 colours, 0x80000000 floats
	Name     string
	Type     uint32 // 0 float, 1 integer, 2 text, 3 vector, 4 colour
	Encoding uint32 // of texts: 0 ASCII, 1 UTF-8, 2 UTF-16, 3 UTF-16 big endian
	Floats   []float32
	Integers []uint32
	Texts    []string // as the bytes that the file has
}

// Source: SPICA, GfxMetaData. No real file with texts in UTF-16 is known.
func (u *UserData) fields(c *codec) {
	word(c, "kind", &u.Kind)
	c.text("name", &u.Name)
	word(c, "type", &u.Type)
	room := func(n, each int) int {
		if c.mode != reading {
			return n
		}
		if n < 0 || n > (len(c.data)-c.at)/max(each, 1) {
			c.problem(c.at-4, "user data: %d values do not fit into the file", uint32(n))
			c.short = true
			return 0
		}
		return n
	}
	switch u.Kind {
	case 0x10000000:
		word(c, "encoding", &u.Encoding)
		n := room(c.count("texts", len(u.Texts)), 4)
		if c.mode == reading {
			u.Texts = make([]string, n)
		}
		unit := 1
		if u.Encoding == 2 || u.Encoding == 3 {
			unit = 2
		}
		for i := range u.Texts {
			c.string("text", &u.Texts[i], unit)
		}
	case 0x20000000:
		n := room(c.count("integers", len(u.Integers)), 4)
		if c.mode == reading {
			u.Integers = make([]uint32, n)
		}
		c.words("integers", u.Integers)
	case 0x40000000, 0x80000000:
		each := 1
		if u.Kind == 0x40000000 {
			each = 4
		}
		n := room(c.count("floats", len(u.Floats)/each), 4*each)
		if c.mode == reading {
			u.Floats = make([]float32, n*each)
		}
		c.floats("floats", u.Floats)
	default:
		if c.mode == reading {
			c.note(c.at, "user data %q is of the unknown kind 0x%08x", u.Name, u.Kind)
		}
	}
}

// opaque is a structure without any public description: its position is kept, and
// its bytes are part of the gaps.
type opaque struct{}

func (*opaque) fields(c *codec) {
	if c.mode == reading {
		c.note(c.at, "%s: a structure without public documentation", c.items[c.item].name)
	}
}

// Transform is the transformation of a node: models, lights, cameras and fogs
// have one. Matrices have three rows of four; rotations are angles in radians
// about x, then y, then z.
type Transform struct {
	Flags           uint32 // bit 0: it has a transform of its own
	BranchVisible   uint32
	children        []*opaque
	AnimationGroups Dict[AnimationGroup]
	Scale           mgl32.Vec3
	Rotation        mgl32.Vec3
	Translation     mgl32.Vec3
	Local, World    Matrix
}

func (t *Transform) fields(c *codec) {
	word(c, "flags", &t.Flags)
	word(c, "branch visible", &t.BranchVisible)
	refs(c, "children", &t.children)
	dict(c, "animation groups", &t.AnimationGroups)
	c.floats("scale", t.Scale[:])
	c.floats("rotation", t.Rotation[:])
	c.floats("translation", t.Translation[:])
	c.floats("local matrix", t.Local[:])
	c.floats("world matrix", t.World[:])
}

// Each goes through the elements of a list that are not nil. A file may leave out any.
func Each[T any](list []*T) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i, v := range list {
			if v != nil && !yield(i, v) {
				return
			}
		}
	}
}
