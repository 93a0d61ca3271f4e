package modeldraw

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/internal/mgl"
)

// pose is a skeleton at a moment.
type pose struct {
	bones []*cgfx.Bone
	world []mgl64.Mat4 // bone to the model's space
	index map[*cgfx.Bone]int
}

// bone is what animations set.
type bone struct {
	scale, rotation, translation mgl32.Vec3
	quaternion                   *mgl32.Quat // instead of rotation
	matrix                       *mgl64.Mat4 // instead of all, in the model's space
}

// newPose poses a skeleton, which may be nil, after so many frames.
func newPose(s *cgfx.Skeleton, a *cgfx.Animation, f float64) *pose {
	p := &pose{index: map[*cgfx.Bone]int{}}
	if s == nil {
		return p
	}
	p.bones = s.Bones.Values()
	for i, b := range p.bones {
		p.index[b] = i
	}
	local := make([]bone, len(p.bones))
	for i, b := range p.bones {
		l := &local[i]
		l.scale, l.rotation, l.translation = b.Scale, b.Rotation, b.Translation
		if m := member(a, b.Name); m != nil {
			l.animate(m, frame(a, f))
		}
	}
	p.world = make([]mgl64.Mat4, len(p.bones))
	total := make([]mgl64.Vec3, len(p.bones)) // scales of the bones above and of their own
	state := make([]uint8, len(p.bones))      // 1 under way, 2 done
	for i := range p.bones {
		p.place(s, local, total, state, i)
	}
	return p
}

// parent is the number of a bone's parent, -1 of a root.
func (p *pose) parent(i int) int {
	b := p.bones[i]
	if b.Parent != nil {
		if k, ok := p.index[b.Parent]; ok && k != i {
			return k
		}
		return -1
	}
	if k := p.numbered(b.ParentID); b.ParentID >= 0 && k != i {
		return k
	}
	return -1
}

// numbered finds a bone by its number: the order of the file is that of the numbers in
// all known files, but nothing says so.
func (p *pose) numbered(id int32) int {
	if id >= 0 && int(id) < len(p.bones) && p.bones[id].ID == uint32(id) {
		return int(id)
	}
	for i, b := range p.bones {
		if b.ID == uint32(id) {
			return i
		}
	}
	return -1
}

// place computes a bone's matrix after its parents'. The chain is walked without
// recursion, and a circle of parents is cut.
func (p *pose) place(s *cgfx.Skeleton, local []bone, total []mgl64.Vec3, state []uint8, i int) {
	var chain []int
	for k := i; k >= 0 && state[k] == 0; k = p.parent(k) {
		state[k] = 1
		chain = append(chain, k)
	}
	for n := len(chain) - 1; n >= 0; n-- {
		k := chain[n]
		l := &local[k]
		up := mgl64.Ident4()
		above := mgl64.Vec3{1, 1, 1}
		var over *bone
		if q := p.parent(k); q >= 0 && state[q] == 2 {
			up, above, over = p.world[q], total[q], &local[q]
		}
		p.world[k], total[k] = l.matrixIn(s.Scaling, p.bones[k].Flags&cgfx.BoneCompensates != 0, up, above, over)
		if !mgl.Finite(p.world[k]) {
			p.world[k] = mgl64.Ident4()
		}
		state[k] = 2
	}
}

// matrixIn is the bone's matrix in the model's space, by the skeleton's scaling rule.
func (l *bone) matrixIn(rule cgfx.Scaling, compensates bool, up mgl64.Mat4, above mgl64.Vec3, over *bone) (m mgl64.Mat4, total mgl64.Vec3) {
	if l.matrix != nil {
		return *l.matrix, above
	}
	move := mgl.Translate(l.translation)
	r := mgl.Turn(l.rotation)
	if l.quaternion != nil {
		r = mgl.WideQuat(*l.quaternion).Normalize().Mat4()
	}
	own := mgl.Wide3(l.scale)
	for k := range total {
		total[k] = above[k] * own[k]
	}
	size := mgl.Scale(l.scale)
	switch {
	case rule == cgfx.ScalingMaya && compensates && over != nil && over.scale[0] != 0 && over.scale[1] != 0 && over.scale[2] != 0:
		undo := mgl64.Scale3D(1/float64(over.scale[0]), 1/float64(over.scale[1]), 1/float64(over.scale[2]))
		return mgl.Mul(up, move, undo, r, size), total
	case rule == cgfx.ScalingSoftimage && above[0] != 0 && above[1] != 0 && above[2] != 0:
		// The parents turn and move; their scales reach the bone's own space.
		undo := mgl64.Scale3D(1/above[0], 1/above[1], 1/above[2])
		return mgl.Mul(up, move, undo, r, mgl64.Scale3D(total[0], total[1], total[2])), total
	}
	return mgl.Mul(up, move, r, size), total
}

// animate sets what an animation's member says.
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
				q := mgl.Slerp(mgl32.Vec4(from).Quat(), mgl32.Vec4(to).Quat(), u)
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

// billboard turns a bone's matrix, which takes it to view space, to the eye. Lengths of the
// axes and the place stay.
func billboard(way cgfx.Billboard, m, view mgl64.Mat4) mgl64.Mat4 {
	if way == cgfx.BillboardOff || way > cgfx.BillboardYAxialViewpoint {
		return m
	}
	place := m.Col(3).Vec3()
	z := mgl64.Vec3{0, 0, 1}
	viewpoint := way == cgfx.BillboardWorldViewpoint || way == cgfx.BillboardScreenViewpoint || way == cgfx.BillboardYAxialViewpoint
	if viewpoint && place.Len() > 0 {
		z = mgl.Unit(place.Mul(-1))
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
