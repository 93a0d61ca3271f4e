package modeldraw

import (
	"math"

	"pica200/assets/cgfx"
	"pica200/assets/model"
)

// pose is a skeleton at a moment.
type pose struct {
	bones []*cgfx.Bone
	world []model.Mat4 // bone to the model's space
	index map[*cgfx.Bone]int
}

// bone is what animations set.
type bone struct {
	scale, rotation, translation [3]float32
	quaternion                   *[4]float32 // instead of rotation
	matrix                       *model.Mat4 // instead of all, in the model's space
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
	p.world = make([]model.Mat4, len(p.bones))
	total := make([][3]float64, len(p.bones)) // scales of the bones above and of their own
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
func (p *pose) place(s *cgfx.Skeleton, local []bone, total [][3]float64, state []uint8, i int) {
	var chain []int
	for k := i; k >= 0 && state[k] == 0; k = p.parent(k) {
		state[k] = 1
		chain = append(chain, k)
	}
	for n := len(chain) - 1; n >= 0; n-- {
		k := chain[n]
		l := &local[k]
		up := model.Ident()
		above := [3]float64{1, 1, 1}
		var over *bone
		if q := p.parent(k); q >= 0 && state[q] == 2 {
			up, above, over = p.world[q], total[q], &local[q]
		}
		p.world[k], total[k] = l.matrixIn(s.Scaling, p.bones[k].Flags&cgfx.BoneCompensates != 0, up, above, over)
		if !finite(&p.world[k]) {
			p.world[k] = model.Ident()
		}
		state[k] = 2
	}
}

// matrixIn is the bone's matrix in the model's space, by the skeleton's scaling rule.
func (l *bone) matrixIn(rule cgfx.Scaling, compensates bool, up model.Mat4, above [3]float64, over *bone) (m model.Mat4, total [3]float64) {
	if l.matrix != nil {
		return *l.matrix, above
	}
	move := model.Translate(float64(l.translation[0]), float64(l.translation[1]), float64(l.translation[2]))
	r := turn(l.rotation)
	if l.quaternion != nil {
		r = model.TRS{R: *l.quaternion, S: [3]float32{1, 1, 1}}.Mat()
	}
	own := [3]float64{float64(l.scale[0]), float64(l.scale[1]), float64(l.scale[2])}
	for k := range total {
		total[k] = above[k] * own[k]
	}
	size := model.Scale(own[0], own[1], own[2])
	switch {
	case rule == cgfx.ScalingMaya && compensates && over != nil && over.scale[0] != 0 && over.scale[1] != 0 && over.scale[2] != 0:
		undo := model.Scale(1/float64(over.scale[0]), 1/float64(over.scale[1]), 1/float64(over.scale[2]))
		return up.Mul(move).Mul(undo).Mul(r).Mul(size), total
	case rule == cgfx.ScalingSoftimage && above[0] != 0 && above[1] != 0 && above[2] != 0:
		// The parents turn and move; their scales reach the bone's own space.
		undo := model.Scale(1/above[0], 1/above[1], 1/above[2])
		return up.Mul(move).Mul(undo).Mul(r).Mul(model.Scale(total[0], total[1], total[2])), total
	}
	return up.Mul(move).Mul(r).Mul(size), total
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
		mix := func(v *[3]float32, b *cgfx.Vectors) {
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
				q := slerp(from, to, u)
				l.quaternion = &q
			}
		}
	case cgfx.TargetMatrix:
		if m.Matrices == nil {
			return
		}
		if from, _, _ := m.Matrices.At(f, 12); from != nil {
			w := mat((*[12]float32)(from))
			l.matrix = &w
		}
	}
}

// slerp goes along the shorter arc between two quaternions.
func slerp(a, b []float32, u float32) (q [4]float32) {
	dot := 0.0
	for k := range q {
		dot += float64(float64(a[k]) * float64(b[k]))
	}
	sign := 1.0
	if dot < 0 {
		dot, sign = -dot, -1
	}
	wa, wb := 1-float64(u), float64(u)
	if dot < 0.9995 {
		angle := math.Acos(dot)
		s := math.Sin(angle)
		wa, wb = math.Sin(float64(wa*angle))/s, math.Sin(float64(wb*angle))/s
	}
	for k := range q {
		q[k] = float32(float64(wa*float64(a[k])) + float64(float64(wb*sign)*float64(b[k])))
	}
	return q
}

// angles are the rotations about x, then y, then z that are a quaternion's.
func angles(q [4]float32) [3]float32 {
	m := model.TRS{R: q, S: [3]float32{1, 1, 1}}.Mat()
	y := math.Asin(min(max(-m[8], -1), 1))
	x, z := math.Atan2(m[9], m[10]), math.Atan2(m[4], m[0])
	if math.Abs(m[8]) > 0.999999 { // x and z turn about the same axis
		x, z = math.Atan2(-m[6], m[5]), 0
	}
	return [3]float32{float32(x), float32(y), float32(z)}
}

// billboard turns a bone's matrix, which takes it to view space, to the eye. Lengths of the
// axes and the place stay.
func billboard(way cgfx.Billboard, m, view model.Mat4) model.Mat4 {
	if way == cgfx.BillboardOff || way > cgfx.BillboardYAxialViewpoint {
		return m
	}
	column := func(m *model.Mat4, c int) [3]float64 { return [3]float64{m[c], m[4+c], m[8+c]} }
	at := column(&m, 3)
	var size [3]float64
	for c := range 3 {
		size[c] = length(column(&m, c))
	}
	z := [3]float64{0, 0, 1}
	viewpoint := way == cgfx.BillboardWorldViewpoint || way == cgfx.BillboardScreenViewpoint || way == cgfx.BillboardYAxialViewpoint
	if viewpoint && length(at) > 0 {
		z = unit([3]float64{-at[0], -at[1], -at[2]})
	}
	y := [3]float64{0, 1, 0}
	switch way {
	case cgfx.BillboardWorld, cgfx.BillboardWorldViewpoint:
		y = column(&view, 1) // the world's up
	case cgfx.BillboardYAxial, cgfx.BillboardYAxialViewpoint:
		y = column(&m, 1)
	}
	if length(y) == 0 {
		y = [3]float64{0, 1, 0}
	}
	y = unit(y)
	x := cross3(y, z)
	if length(x) < 1e-6 { // up is along the line of sight
		x = [3]float64{1, 0, 0}
	}
	x = unit(x)
	if way == cgfx.BillboardYAxial || way == cgfx.BillboardYAxialViewpoint {
		z = cross3(x, y)
	} else {
		y = cross3(z, x)
	}
	out := model.Ident()
	for c, axis := range [3][3]float64{x, y, z} {
		for r := range 3 {
			out[4*r+c] = axis[r] * size[c]
		}
	}
	for r := range 3 {
		out[4*r+3] = at[r]
	}
	return out
}

func length(v [3]float64) float64 {
	return math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]))
}

func unit(v [3]float64) [3]float64 {
	n := length(v)
	if n == 0 {
		return v
	}
	return [3]float64{v[0] / n, v[1] / n, v[2] / n}
}

func cross3(a, b [3]float64) [3]float64 {
	return [3]float64{float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0])}
}
