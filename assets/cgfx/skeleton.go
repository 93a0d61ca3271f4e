package cgfx

import "github.com/go-gl/mathgl/mgl32"

// Skeleton is the bones of a model.
type Skeleton struct {
	Object
	Bones   Dict[Bone]
	Root    *Bone
	Scaling Scaling
	flags   uint32 // bit 0: transforms are in the model's space; bit 1: translations are animated
}

func (*Skeleton) signature() (int, string) { return 4, "SOBJ" }

func (s *Skeleton) fields(c *codec) {
	s.Object.header(c, "SOBJ")
	dict(c, "bones", &s.Bones)
	back(c, "root", &s.Root)
	word(c, "scaling", &s.Scaling)
	word(c, "flags", &s.flags)
}

// Scaling says how the scale of a bone affects its children.
type Scaling uint32

// The rules.
const (
	ScalingStandard  Scaling = iota // like any matrix
	ScalingMaya                     // a bone may cancel its parent's scale
	ScalingSoftimage                // scales do not shear: a child uses the product of all scales above
)

// String names the rule.
func (s Scaling) String() string { return enumText(uint32(s), "standard", "Maya", "Softimage") }

// Bone flags.
const (
	BoneIdentity        = 1 << 0
	BoneTranslationZero = 1 << 1
	BoneRotationZero    = 1 << 2
	BoneScaleOne        = 1 << 3
	BoneUniformScale    = 1 << 4
	BoneCompensates     = 1 << 5 // undoes its parent's scale
	BoneRendered        = 1 << 6
	BoneLocalMatrix     = 1 << 7 // the console computes the matrix
	BoneWorldMatrix     = 1 << 8
	BoneSkinned         = 1 << 9 // it has a skinning matrix
)

// Billboard says how a bone turns to the camera.
type Billboard uint32

// The ways. The numbers are those of files that show on the console (pycgfx); SPICA
// counts from 2 on.
const (
	BillboardOff             Billboard = iota
	BillboardWorld                     // faces the camera's plane; up is the world's
	BillboardWorldViewpoint            // faces the camera's position
	BillboardScreen                    // faces the camera's plane; up is the screen's
	BillboardScreenViewpoint           // faces the camera's position
	BillboardYAxial                    // turns about y alone
	BillboardYAxialViewpoint
)

// String names the way.
func (b Billboard) String() string {
	return enumText(uint32(b), "off", "world", "world viewpoint", "screen", "screen viewpoint", "y-axial", "y-axial viewpoint")
}

// Bone is a joint of the skeleton. Matrices are three rows of four.
type Bone struct {
	Name         string
	Flags        uint32
	ID           uint32
	ParentID     int32 // -1 of a root
	Parent       *Bone
	Child        *Bone
	Previous     *Bone
	Next         *Bone
	Scale        mgl32.Vec3
	Rotation     mgl32.Vec3 // radians about x, then y, then z
	Translation  mgl32.Vec3
	Local, World Matrix
	InverseBind  Matrix // model space to the bone's, in the pose of the skin
	Billboard    Billboard
	userData     Dict[UserData]
}

func (b *Bone) fields(c *codec) {
	c.text("name", &b.Name)
	word(c, "flags", &b.Flags)
	word(c, "number", &b.ID)
	word(c, "parent number", &b.ParentID)
	back(c, "parent", &b.Parent)
	back(c, "child", &b.Child)
	back(c, "previous sibling", &b.Previous)
	back(c, "next sibling", &b.Next)
	c.floats("scale", b.Scale[:])
	c.floats("rotation", b.Rotation[:])
	c.floats("translation", b.Translation[:])
	c.floats("local matrix", b.Local[:])
	c.floats("world matrix", b.World[:])
	c.floats("inverse bind matrix", b.InverseBind[:])
	word(c, "billboard", &b.Billboard)
	dict(c, "user data", &b.userData)
}
