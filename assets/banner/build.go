package banner

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/pica"
)

// Common is the name that the menu looks for.
const Common = "COMMON"

// Options configure how a banner is made.
type Options struct {
	// Format of textures.
	Format pica.TextureFormat
	// Choose allows 16 bits a texel for a picture that Format would change visibly,
	// as long as all textures fit the menu's limit.
	Choose bool
	// MaxTexture is the greatest side of a texture; larger pictures are scaled
	// down. 0 means 256.
	MaxTexture int
	// Scale is the size of the model in units of the menu. 0 fits it to the view.
	Scale float64
	// Unlit disables lighting: materials show their colours directly.
	Unlit bool
	// Animation is the number of the model's animation, -1 for none.
	Animation int
}

// UsualFormat is the format of most textures of banners.
const UsualFormat = pica.TextureFormatETC1A4

// Revisions of structures, those of files that the menu shows.
const (
	modelRevision    = 0x07000000
	materialRevision = 0x06000000
	textureRevision  = 0x05000000
	shaderRevision   = 0x05000000
	lightRevision    = 0x06000000
	sceneRevision    = 0x06000000
	motionRevision   = 0x05000000
)

// builder holds the state of building a banner.
type builder struct {
	texels int // bytes of all textures
	Options
	m         *model.Model
	f         *cgfx.File
	out       *cgfx.Model
	notes     []string
	noted     map[string]bool
	bones     []*cgfx.Bone // one for each node
	root      *cgfx.Bone
	textures  map[int]*cgfx.Texture
	materials map[materialKey]uint32 // index in the banner's materials
	turns     []turn                 // of each node
	scale     float64
	center    mgl64.Vec3
}

// Build makes a banner from a model. The notes say which parts of the model are
// not in it.
func Build(m *model.Model, o Options) (*cgfx.File, []string, error) {
	if o.MaxTexture == 0 {
		o.MaxTexture = 256
	}
	if o.Animation >= len(m.Animations) {
		return nil, nil, fmt.Errorf("banner: there is no animation %d; the model has %d", o.Animation, len(m.Animations))
	}
	b := &builder{Options: o, m: m, f: &cgfx.File{Revision: cgfx.Revision, Slots: cgfx.MaxSlots}, noted: map[string]bool{},
		textures: map[int]*cgfx.Texture{}, materials: map[materialKey]uint32{}}
	for _, n := range m.Notes {
		b.note("%s", n)
	}
	if err := b.fit(); err != nil {
		return nil, nil, err
	}
	b.out = &cgfx.Model{Object: cgfx.Object{Kind: cgfx.KindSkeletalModel, Revision: modelRevision, Name: Common}, Visible: 1}
	t := &b.out.Transform
	s := float32(b.scale)
	t.Flags, t.Scale, t.Local, t.World = 1, mgl32.Vec3{s, s, s}, cgfx.Identity, cgfx.Identity
	for k := range 3 {
		t.Translation[k] = float32(float64(b.scale * -b.center[k]))
	}
	t.Translation[1]++ // the menu looks at y = 1
	b.f.Models.Add(Common, b.out)
	if err := b.skeleton(); err != nil {
		return nil, nil, err
	}
	if err := b.mirrored(); err != nil {
		return nil, nil, err
	}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Mesh >= 0 && n.Shown {
			if err := b.mesh(i); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(b.out.Meshes) == 0 {
		return nil, nil, fmt.Errorf("banner: the model has nothing to show")
	}
	if !o.Unlit {
		b.lights()
	}
	if o.Animation >= 0 {
		b.motion(&m.Animations[o.Animation])
	}
	b.groups()
	return b.f, b.notes, b.f.BuildTrees()
}

func (b *builder) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !b.noted[text] {
		b.noted[text] = true
		b.notes = append(b.notes, text)
	}
}

// fit computes scale and centre. The menu shows 24 units of height around y =
// 1, where the model stands, and nothing nearer than 18 units to it
// (docs/MODELS.md). The model rotates, so its circle around y must fit.
func (b *builder) fit() error {
	anim := -1
	pose, err := b.m.Pose(anim, 0)
	if err != nil {
		return fmt.Errorf("banner: %w", err)
	}
	lo, hi, ok := b.m.Bounds(pose)
	if !ok {
		return fmt.Errorf("banner: the model has nothing to show")
	}
	for k := range 3 {
		b.center[k] = (float64(lo[k]) + float64(hi[k])) / 2
	}
	if b.scale = b.Scale; b.scale != 0 {
		return nil
	}
	x, y, z := float64(hi[0])-float64(lo[0]), float64(hi[1])-float64(lo[1]), float64(hi[2])-float64(lo[2])
	round := math.Sqrt(float64(x*x)+float64(z*z)) / 2
	if size := max(round, y/2); size > 0 {
		b.scale = 8 / size
	} else {
		b.scale = 1
	}
	// A power of two changes no digits of the positions.
	b.scale = float64(float32(b.scale))
	return nil
}

// skeleton makes a bone for each node, below a root bone.
func (b *builder) skeleton() error {
	s := &cgfx.Skeleton{Object: cgfx.Object{Kind: cgfx.KindSkeleton}}
	b.out.Skeleton = s
	names := map[string]bool{}
	unique := func(name, fallback string) string {
		if name == "" {
			name = fallback
		}
		for n, base := 2, name; names[name]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		names[name] = true
		return name
	}
	b.root = &cgfx.Bone{Name: unique("", "Root"), Flags: boneFlags | cgfx.BoneIdentity | cgfx.BoneTranslationZero | cgfx.BoneRotationZero | cgfx.BoneScaleOne | cgfx.BoneUniformScale,
		ParentID: -1, Scale: mgl32.Vec3{1, 1, 1}, Local: cgfx.Identity, World: cgfx.Identity, InverseBind: cgfx.Identity}
	s.Root = b.root
	s.Bones.Add(b.root.Name, b.root)
	pose, err := b.m.Pose(-1, 0)
	if err != nil {
		return fmt.Errorf("banner: %w", err)
	}
	b.bones = make([]*cgfx.Bone, len(b.m.Nodes))
	// Parents come before their children.
	var add func(i int)
	add = func(i int) {
		if b.bones[i] != nil {
			return
		}
		n := &b.m.Nodes[i]
		up := b.root
		if n.Parent >= 0 {
			add(n.Parent)
			up = b.bones[n.Parent]
		}
		x := &cgfx.Bone{Name: unique(n.Name, fmt.Sprintf("Node%d", i)), ID: uint32(len(s.Bones.Entries)), Parent: up, ParentID: int32(up.ID)}
		b.bones[i] = x
		t := parts(n.TRS)
		if n.TRS.Matrix != nil && !t.exact {
			b.note("node %s has a matrix that shears; it is made of scale, rotation and translation", x.Name)
		}
		x.Scale, x.Rotation, x.Translation = t.scale, t.rotation, t.translation
		x.Local, x.World = cgfx.MatrixOf(t.trs().Mat4()), cgfx.MatrixOf(pose.World[i])
		inverse, _ := mgl.Inverse(pose.World[i])
		x.InverseBind = cgfx.MatrixOf(inverse)
		x.Flags = boneFlags | flagsOf(t)
		// Add it to the chain of siblings.
		if up.Child == nil {
			up.Child = x
		} else {
			last := up.Child
			for last.Next != nil {
				last = last.Next
			}
			last.Next, x.Previous = x, last
		}
		s.Bones.Add(x.Name, x)
	}
	for i := range b.m.Nodes {
		add(i)
	}
	return nil
}

const boneFlags = cgfx.BoneRendered | cgfx.BoneLocalMatrix | cgfx.BoneWorldMatrix

func flagsOf(t srt) (f uint32) {
	if t.translation == (mgl32.Vec3{}) {
		f |= cgfx.BoneTranslationZero
	}
	if t.rotation == (mgl32.Vec3{}) {
		f |= cgfx.BoneRotationZero
	}
	if t.scale == (mgl32.Vec3{1, 1, 1}) {
		f |= cgfx.BoneScaleOne
	}
	if t.scale[0] == t.scale[1] && t.scale[1] == t.scale[2] {
		f |= cgfx.BoneUniformScale
	}
	if f&(cgfx.BoneTranslationZero|cgfx.BoneRotationZero|cgfx.BoneScaleOne) == cgfx.BoneTranslationZero|cgfx.BoneRotationZero|cgfx.BoneScaleOne {
		f |= cgfx.BoneIdentity
	}
	return f
}

// srt is a transformation as bones store it: scale, rotation, translation.
type srt struct {
	scale, rotation, translation mgl32.Vec3
	quaternion                   mgl32.Quat
	exact                        bool // the matrix is exactly these
}

func (s srt) trs() model.TRS { return model.TRS{T: s.translation, R: s.quaternion, S: s.scale} }

// parts decomposes a node's transformation.
func parts(t model.TRS) srt {
	out := srt{scale: t.S, translation: t.T, quaternion: t.R, exact: true}
	m := t.Mat4()
	if t.Matrix != nil {
		out.translation = mgl.Narrow3(m.Col(3).Vec3())
		for c := range 3 {
			out.scale[c] = float32(m.Col(c).Vec3().Len())
		}
		if m.Mat3().Det() < 0 { // a mirror
			out.scale[0] = -out.scale[0]
		}
	}
	rotation := mgl64.Ident4()
	for c, s := range out.scale {
		if s != 0 {
			rotation.SetCol(c, m.Col(c).Mul(1/float64(s)))
		}
	}
	if t.Matrix != nil {
		out.quaternion = mgl.NarrowQuat(mgl64.Mat4ToQuat(rotation))
		back := out.trs().Mat4()
		for i := range back {
			out.exact = out.exact && math.Abs(back[i]-m[i]) < 1e-4*(1+math.Abs(m[i]))
		}
	}
	out.rotation = mgl.Angles(rotation)
	return out
}

// hash identifies a state: the console treats materials with the same number as
// equal.
func hash(parts ...any) uint32 {
	h := fnv.New32a()
	for _, p := range parts {
		fmt.Fprintf(h, "%v;", p)
	}
	return max(h.Sum32(), 1)
}
