package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// Local is a node's transformation at a moment, in its parent's space: scaled,
// rotated, then translated.
type Local struct {
	Parent   int // index in the list; -1 for a root
	Move     mgl64.Vec3
	Rotation mgl64.Mat4 // rotation, or any affine matrix
	Size     mgl64.Vec3
	Scales   Scales
	// World, if not nil, is the transformation to the model's space and replaces
	// the fields above.
	World *mgl64.Mat4
}

// Scales says which scales of the nodes above apply to a node.
type Scales uint8

// The rules of modelling programs.
const (
	AllScales Scales = iota // as matrices multiply
	NotParent               // not its parent's (Maya's segment scale compensation)
	NoShear                 // all, but in its own space: they do not shear it (Softimage)
)

// Local is the position of a node for WorldMatrices.
func (t TRS) local(parent int) Local {
	return Local{Parent: parent, Rotation: t.Mat4(), Size: mgl64.Vec3{1, 1, 1}}
}

// matrix returns the transformation to the parent's space. above is the product
// of the scales above, up is the parent, nil for a root.
func (l *Local) matrix(above mgl64.Vec3, up *Local) mgl64.Mat4 {
	undo, size := mgl64.Vec3{1, 1, 1}, l.Size
	switch {
	case l.Scales == NotParent && up != nil && !anyZero(up.Size):
		undo = reciprocal(up.Size)
	case l.Scales == NoShear && !anyZero(above):
		undo, size = reciprocal(above), product(above, l.Size)
	}
	m := l.Rotation
	for c, s := range size {
		m.SetCol(c, m.Col(c).Mul(s))
	}
	for r, s := range undo {
		m.SetRow(r, m.Row(r).Mul(s))
	}
	m.SetCol(3, m.Col(3).Add(l.Move.Vec4(0)))
	return m
}

func anyZero(v mgl64.Vec3) bool { return v[0] == 0 || v[1] == 0 || v[2] == 0 }

func reciprocal(v mgl64.Vec3) mgl64.Vec3 { return mgl64.Vec3{1 / v[0], 1 / v[1], 1 / v[2]} }

func product(a, b mgl64.Vec3) mgl64.Vec3 { return mgl64.Vec3{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }

// WorldMatrices returns the transformations of nodes to the model's space. It breaks
// cycles of parents, and uses the identity for a node whose matrix overflows.
func WorldMatrices(nodes []Local) []mgl64.Mat4 {
	const (
		waiting = iota
		underWay
		done
	)
	world := make([]mgl64.Mat4, len(nodes))
	scales := make([]mgl64.Vec3, len(nodes)) // of a node and all above
	state := make([]uint8, len(nodes))
	var chain []int
	for i := range nodes {
		chain = chain[:0]
		for k := i; k >= 0 && state[k] == waiting; k = nodes[k].Parent {
			state[k] = underWay
			chain = append(chain, k)
		}
		for _, k := range slices.Backward(chain) {
			l := &nodes[k]
			to, above := mgl64.Ident4(), mgl64.Vec3{1, 1, 1}
			var up *Local
			if p := l.Parent; p >= 0 && state[p] == done {
				to, above, up = world[p], scales[p], &nodes[p]
			}
			if l.World != nil {
				world[k], scales[k] = *l.World, above
			} else {
				world[k], scales[k] = mgl.Mul(to, l.matrix(above, up)), product(above, l.Size)
			}
			if !mgl.Finite(world[k]) {
				world[k] = mgl64.Ident4()
			}
			state[k] = done
		}
	}
	return world
}

// Pose is a model at a moment.
type Pose struct {
	World   []mgl64.Mat4 // a node's space to the model's
	Weights [][]float32  // a node's morph weights, or nil
}

// Pose computes all nodes at t seconds of animation anim (-1: as in the file).
// Times past the end repeat the animation.
func (m *Model) Pose(anim int, t float64) (*Pose, error) {
	if anim < -1 || anim >= len(m.Animations) {
		return nil, fmt.Errorf("animation %d; the model has %d", anim, len(m.Animations))
	}
	trs := make([]TRS, len(m.Nodes))
	p := &Pose{Weights: make([][]float32, len(m.Nodes))}
	for i, n := range m.Nodes {
		trs[i] = n.TRS
		p.Weights[i] = n.Weights
		if n.Weights == nil && n.Mesh >= 0 {
			p.Weights[i] = m.Meshes[n.Mesh].Weights
		}
	}
	if anim >= 0 {
		a := &m.Animations[anim]
		at := float32(t)
		if a.Duration > 0 && (at > a.Duration || at < 0) {
			at = float32(math.Mod(t, float64(a.Duration)))
			if at < 0 {
				at += a.Duration
			}
		}
		for i := range a.Channels {
			c := &a.Channels[i]
			v := c.Sample(at)
			n := &trs[c.Node] // ignored if the node has a matrix, as glTF says
			switch c.Path {
			case Translation:
				copy(n.T[:], v)
			case Rotation:
				n.R = mgl32.Vec4(v).Quat()
			case Scaling:
				copy(n.S[:], v)
			case MorphWeights:
				p.Weights[c.Node] = v
			}
		}
	}
	local := make([]Local, len(m.Nodes))
	for i := range local {
		local[i] = trs[i].local(m.Nodes[i].Parent)
	}
	p.World = WorldMatrices(local)
	return p, nil
}

// Joints returns the matrices from a skin's bind pose to the model's space. The
// skinned node's own transformation is not used (glTF 2.0, 3.7.3.3).
func (m *Model) Joints(p *Pose, skin int) []mgl64.Mat4 {
	s := &m.Skins[skin]
	out := make([]mgl64.Mat4, len(s.Joints))
	for i, j := range s.Joints {
		out[i] = mgl.Mul(p.World[j], s.InverseBind[i])
	}
	return out
}

// Morphed returns the part with its morph targets added at the given weights;
// the part itself if there are none.
func (p *Part) Morphed(weights []float32) *Part {
	if !slices.ContainsFunc(weights[:min(len(weights), len(p.Morphs))], func(w float32) bool { return w != 0 }) {
		return p
	}
	out := *p
	out.Positions = append([]mgl32.Vec3(nil), p.Positions...)
	out.Normals = append([]mgl32.Vec3(nil), p.Normals...)
	for i, w := range weights {
		if i >= len(p.Morphs) || w == 0 {
			continue
		}
		add(out.Positions, p.Morphs[i].Positions, w)
		add(out.Normals, p.Morphs[i].Normals, w)
	}
	unit(out.Normals)
	return &out
}

func add(to, delta []mgl32.Vec3, w float32) {
	if len(delta) != len(to) {
		return
	}
	for v, d := range delta {
		for k := range d {
			to[v][k] += float32(d[k] * w)
		}
	}
}

// Bounds returns the box around everything shown in the pose; ok is false if
// there is nothing. Skinned parts are measured in their pose.
func (m *Model) Bounds(p *Pose) (lo, hi mgl32.Vec3, ok bool) {
	lo = mgl32.Vec3{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi = mgl32.Vec3{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	grow := func(v mgl32.Vec3) {
		for k := range v {
			lo[k], hi[k] = min(lo[k], v[k]), max(hi[k], v[k])
		}
		ok = true
	}
	for i, n := range m.Nodes {
		if n.Mesh < 0 || !n.Shown {
			continue
		}
		var joints []mgl64.Mat4
		if n.Skin >= 0 {
			joints = m.Joints(p, n.Skin)
		}
		for k := range m.Meshes[n.Mesh].Parts {
			part := m.Meshes[n.Mesh].Parts[k].Morphed(p.Weights[i])
			for v, pos := range part.Positions {
				if joints == nil || part.Joints == nil {
					grow(mgl.Point(p.World[i], pos))
					continue
				}
				var sum mgl32.Vec3
				for q := range 4 {
					j, w := part.Joints[v][q], part.Weights[v][q]
					if w == 0 || int(j) >= len(joints) {
						continue
					}
					s := mgl.Point(joints[j], pos)
					for c := range sum {
						sum[c] += float32(s[c] * w)
					}
				}
				grow(sum)
			}
		}
	}
	return lo, hi, ok
}
