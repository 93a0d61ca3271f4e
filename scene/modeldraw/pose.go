package modeldraw

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/mgl"
)

// pose is a skeleton at a moment.
type pose struct {
	bones []*cgfx.Bone
	nodes []model.Local
	world []mgl64.Mat4 // bone to the model's space
}

// bone is the animated state of a bone.
type bone struct {
	scale, rotation, translation mgl32.Vec3
	quaternion                   *mgl32.Quat // instead of rotation
	matrix                       *mgl64.Mat4 // instead of all, in the model's space
}

// newPose poses a skeleton, which may be nil, after that many frames.
func newPose(s *cgfx.Skeleton, a *cgfx.Animation, f float64) *pose {
	p := &pose{}
	if s == nil {
		return p
	}
	p.bones = s.Bones.Values()
	index := map[*cgfx.Bone]int{}
	for i, b := range p.bones {
		index[b] = i
	}
	for i, b := range p.bones {
		l := bone{scale: b.Scale, rotation: b.Rotation, translation: b.Translation}
		if m := member(a, b.Name); m != nil {
			l.animate(m, frame(a, f))
		}
		n := model.Local{Parent: p.parent(i, index), Move: mgl.Wide3(l.translation), Rotation: l.rotationMatrix(), Size: mgl.Wide3(l.scale), World: l.matrix}
		switch {
		case s.Scaling == cgfx.ScalingMaya && b.Flags&cgfx.BoneCompensates != 0:
			n.Scales = model.NotParent
		case s.Scaling == cgfx.ScalingSoftimage:
			n.Scales = model.NoShear
		}
		p.nodes = append(p.nodes, n)
	}
	p.world = model.WorldMatrices(p.nodes)
	return p
}

// parent is the number of a bone's parent, -1 of a root.
func (p *pose) parent(i int, index map[*cgfx.Bone]int) int {
	b := p.bones[i]
	k, ok := -1, true
	if b.Parent != nil {
		k, ok = index[b.Parent]
	} else if b.ParentID >= 0 {
		k = p.numbered(b.ParentID)
	}
	if !ok || k == i {
		return -1
	}
	return k
}

// numbered finds a bone by its number. In all known files the numbers are in
// file order, but that is not guaranteed.
func (p *pose) numbered(id int32) int {
	if id >= 0 && int(id) < len(p.bones) && p.bones[id].ID == uint32(id) {
		return int(id)
	}
	return slices.IndexFunc(p.bones, func(b *cgfx.Bone) bool { return b.ID == uint32(id) })
}

// rotationMatrix is the bone's rotation.
func (l *bone) rotationMatrix() mgl64.Mat4 {
	if l.quaternion != nil {
		return mgl.WideQuat(*l.quaternion).Normalize().Mat4()
	}
	return mgl.RotateXYZ(l.rotation)
}

// animate applies an animation's member.
func (l *bone) animate(m *cgfx.Member, f float32) {
	switch m.Type {
	case cgfx.TargetTransform:
		for k := range 3 {
			l.scale[k] = m.Slots[k].At(f, l.scale[k])
			l.rotation[k] = m.Slots[3+k].At(f, l.rotation[k])
			l.translation[k] = m.Slots[7+k].At(f, l.translation[k])
		}
	case cgfx.TargetBaked:
		mix := func(v *mgl32.Vec3, b *cgfx.Vectors) {
			if b == nil {
				return
			}
			if from, to, u := b.At(f, 3); from != nil {
				for k := range v {
					v[k] = from[k] + float32(u*(to[k]-from[k]))
				}
			}
		}
		mix(&l.translation, m.Translations)
		mix(&l.scale, m.Scales)
		if m.Rotations != nil {
			if from, to, u := m.Rotations.At(f, 4); from != nil {
				q := mgl.Slerp(mgl32.Vec4(from).Quat(), mgl32.Vec4(to).Quat(), float64(u))
				l.quaternion = &q
			}
		}
	case cgfx.TargetMatrix:
		if m.Matrices == nil {
			return
		}
		if from, _, _ := m.Matrices.At(f, 12); from != nil {
			w := (*cgfx.Matrix)(from).Mat4()
			l.matrix = &w
		}
	}
}

// billboard turns the axes of a bone's matrix to the eye. m is to view space.
// Lengths of the axes and the position do not change.
func billboard(way cgfx.Billboard, m, view mgl64.Mat4) mgl64.Mat4 {
	if way == cgfx.BillboardOff || way > cgfx.BillboardYAxialViewpoint {
		return m
	}
	position := m.Col(3).Vec3()
	z := mgl64.Vec3{0, 0, 1}
	viewpoint := way == cgfx.BillboardWorldViewpoint || way == cgfx.BillboardScreenViewpoint || way == cgfx.BillboardYAxialViewpoint
	if viewpoint && position.Len() > 0 {
		z = mgl.Unit(position.Mul(-1))
	}
	y := mgl64.Vec3{0, 1, 0}
	switch way {
	case cgfx.BillboardWorld, cgfx.BillboardWorldViewpoint:
		y = view.Col(1).Vec3() // the world's up
	case cgfx.BillboardYAxial, cgfx.BillboardYAxialViewpoint:
		y = m.Col(1).Vec3()
	}
	if y.Len() == 0 {
		y = mgl64.Vec3{0, 1, 0}
	}
	y = mgl.Unit(y)
	x := y.Cross(z)
	if x.Len() < 1e-6 { // up is along the line of sight
		x = mgl64.Vec3{1, 0, 0}
	}
	x = mgl.Unit(x)
	if way == cgfx.BillboardYAxial || way == cgfx.BillboardYAxialViewpoint {
		z = x.Cross(y)
	} else {
		y = z.Cross(x)
	}
	for c, axis := range [3]mgl64.Vec3{x, y, z} {
		m.SetCol(c, axis.Mul(m.Col(c).Vec3().Len()).Vec4(0))
	}
	m.SetRow(3, mgl64.Vec4{0, 0, 0, 1})
	return m
}
