package model

import (
	"fmt"
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"pica200/internal/mgl"
)

// Path is what a channel moves.
type Path uint8

// The paths of glTF.
const (
	Translation Path = iota
	Rotation
	Scaling
	MorphWeights
)

// Interpolation is how values between keys are found.
type Interpolation uint8

// The interpolations of glTF 2.0, appendix C.
const (
	Linear Interpolation = iota // spherical for rotations
	Step
	CubicSpline
)

// Animation moves nodes over time.
type Animation struct {
	Name     string
	Channels []Channel
	Duration float32 // seconds
}

// Channel is one property of one node over time. Values holds n numbers a key
// (3, 4, or the number of morph targets); for CubicSpline 3n: in-tangent,
// value, out-tangent.
type Channel struct {
	Node   int
	Path   Path
	Interp Interpolation
	Times  []float32 // ascending seconds
	Values []float32
}

func (d *document) readAnimations() error {
	for i, g := range d.Document.Animations {
		a := Animation{Name: g.Name}
		for k, c := range g.Channels {
			ch, ok, err := d.channel(g, c)
			if err != nil {
				return fmt.Errorf("animation %d (%s), channel %d: %w", i, g.Name, k, err)
			}
			if !ok {
				continue
			}
			a.Duration = max(a.Duration, ch.Times[len(ch.Times)-1])
			a.Channels = append(a.Channels, ch)
		}
		d.m.Animations = append(d.m.Animations, a)
	}
	return nil
}

func (d *document) channel(g *gltf.Animation, c *gltf.AnimationChannel) (ch Channel, ok bool, err error) {
	if c.Target.Node == nil {
		return ch, false, nil // glTF says to ignore it
	}
	if ch.Node = *c.Target.Node; ch.Node < 0 || ch.Node >= len(d.m.Nodes) {
		return ch, false, fmt.Errorf("node %d of %d", ch.Node, len(d.m.Nodes))
	}
	if c.Sampler < 0 || c.Sampler >= len(g.Samplers) {
		return ch, false, fmt.Errorf("sampler %d of %d", c.Sampler, len(g.Samplers))
	}
	s := g.Samplers[c.Sampler]
	var n int
	t := gltf.AccessorVec3
	switch c.Target.Path {
	case gltf.TRSTranslation:
		ch.Path, n = Translation, 3
	case gltf.TRSScale:
		ch.Path, n = Scaling, 3
	case gltf.TRSRotation:
		ch.Path, n, t = Rotation, 4, gltf.AccessorVec4
	case gltf.TRSWeights:
		ch.Path, t = MorphWeights, gltf.AccessorScalar
		if mesh := d.m.Nodes[ch.Node].Mesh; mesh >= 0 && len(d.m.Meshes[mesh].Parts) > 0 {
			n = len(d.m.Meshes[mesh].Parts[0].Morphs)
		}
		if n == 0 {
			d.note("an animation of morph weights without morph targets is left out")
			return ch, false, nil
		}
	default:
		d.note("an animation of something else than nodes is left out")
		return ch, false, nil
	}
	keys := 0
	if ch.Times, keys, err = d.floats(s.Input, gltf.AccessorScalar); err != nil {
		return ch, false, fmt.Errorf("times: %w", err)
	}
	if keys == 0 {
		return ch, false, fmt.Errorf("the channel has no keys")
	}
	for i := 1; i < keys; i++ {
		if !(ch.Times[i] > ch.Times[i-1]) {
			return ch, false, fmt.Errorf("key %d: times must ascend", i)
		}
	}
	if ch.Values, _, err = d.floats(s.Output, t); err != nil {
		return ch, false, fmt.Errorf("values: %w", err)
	}
	want := keys * n
	switch s.Interpolation {
	case gltf.InterpolationStep:
		ch.Interp = Step
	case gltf.InterpolationCubicSpline:
		ch.Interp = CubicSpline
		want *= 3
	}
	if len(ch.Values) != want {
		return ch, false, fmt.Errorf("%d values for %d keys; expected %d", len(ch.Values), keys, want)
	}
	if d.keys += len(ch.Values); d.keys > MaxKeys {
		return ch, false, fmt.Errorf("the animations have more than %d values", MaxKeys)
	}
	return ch, true, nil
}

// width is how many numbers a key has.
func (c *Channel) width() int {
	n := len(c.Values) / len(c.Times)
	if c.Interp == CubicSpline {
		n /= 3
	}
	return n
}

// Sample returns the channel's value at t seconds; before the first key and
// after the last the value stays.
func (c *Channel) Sample(t float32) []float32 {
	n := c.width()
	out := make([]float32, n)
	value := func(i, part int) []float32 {
		if c.Interp == CubicSpline {
			return c.Values[(3*i+part)*n : (3*i+part+1)*n]
		}
		return c.Values[i*n : (i+1)*n]
	}
	last := len(c.Times) - 1
	k := sort.Search(len(c.Times), func(i int) bool { return c.Times[i] > t }) - 1
	switch {
	case k < 0:
		copy(out, value(0, 1))
	case k >= last:
		copy(out, value(last, 1))
	default:
		dt := float64(c.Times[k+1]) - float64(c.Times[k])
		u := (float64(t) - float64(c.Times[k])) / dt
		a, b := value(k, 1), value(k+1, 1)
		switch {
		case c.Interp == Step:
			copy(out, a)
		case c.Interp == CubicSpline:
			u2, u3 := float64(u*u), float64(u*u*u)
			h00, h10 := float64(2*u3)-float64(3*u2)+1, u3-float64(2*u2)+u
			h01, h11 := float64(3*u2)-float64(2*u3), u3-u2
			m0, m1 := value(k, 2), value(k+1, 0)
			for i := range out {
				out[i] = float32(float64(h00*float64(a[i])) + float64(h10*dt*float64(m0[i])) + float64(h01*float64(b[i])) + float64(h11*dt*float64(m1[i])))
			}
		case c.Path == Rotation:
			slerp(out, a, b, u)
		default:
			for i := range out {
				out[i] = float32(float64(a[i]) + float64(u*(float64(b[i])-float64(a[i]))))
			}
		}
	}
	if c.Path == Rotation {
		unit4(out)
	}
	return out
}

func slerp(out, a, b []float32, u float64) {
	d := 0.0
	for i := range 4 {
		d += float64(float64(a[i]) * float64(b[i]))
	}
	sign := 1.0
	if d < 0 {
		d, sign = -d, -1
	}
	ka, kb := 1-u, u
	if d < 0.9995 {
		w := math.Acos(d)
		s := math.Sin(w)
		ka, kb = math.Sin(float64((1-u)*w))/s, math.Sin(float64(u*w))/s
	}
	for i := range 4 {
		out[i] = float32(float64(ka*float64(a[i])) + float64(sign*kb*float64(b[i])))
	}
}

func unit4(q []float32) {
	n := 0.0
	for _, v := range q {
		n += float64(float64(v) * float64(v))
	}
	if n = math.Sqrt(n); n > 0 {
		for i := range q {
			q[i] = float32(float64(q[i]) / n)
		}
	}
}

// Pose is a model at one moment.
type Pose struct {
	World   []mgl64.Mat4 // a node's space to the model's
	Weights [][]float32  // a node's morph weights, or nil
}

// Pose places all nodes at t seconds of animation anim (-1: as the file has
// them). Times past the end repeat.
func (m *Model) Pose(anim int, t float64) (*Pose, error) {
	if anim < -1 || anim >= len(m.Animations) {
		return nil, fmt.Errorf("animation %d; the model has %d", anim, len(m.Animations))
	}
	trs := make([]TRS, len(m.Nodes))
	p := &Pose{World: make([]mgl64.Mat4, len(m.Nodes)), Weights: make([][]float32, len(m.Nodes))}
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
			n := &trs[c.Node]
			if c.Path != MorphWeights && n.Matrix != nil {
				continue // glTF: a node with a matrix is not animated
			}
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
	done := make([]bool, len(m.Nodes))
	var place func(i int)
	place = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		p.World[i] = trs[i].Mat4()
		if up := m.Nodes[i].Parent; up >= 0 {
			place(up)
			p.World[i] = mgl.Mul(p.World[up], p.World[i])
		}
	}
	for i := range m.Nodes {
		place(i)
	}
	return p, nil
}

// Joints returns the matrices that take a skin's bound vertices to the model's
// space. The skinned node's own transformation does not count (glTF 2.0,
// 3.7.3.3).
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
	any := false
	for i := range min(len(weights), len(p.Morphs)) {
		any = any || weights[i] != 0
	}
	if !any {
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

// Bounds is the box around everything shown in the pose, and whether there is
// anything. Skinned parts count where their joints put them.
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
