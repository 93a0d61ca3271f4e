package model

import (
	"fmt"
	"sort"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"pica200/internal/mgl"
)

// Path is the property that a channel animates.
type Path uint8

// The paths of glTF.
const (
	Translation Path = iota
	Rotation
	Scaling
	MorphWeights
)

// Interpolation is how values between keys are computed.
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

// Channel animates one property of one node. Values holds n numbers for each
// key (3, 4, or the number of morph targets); for CubicSpline 3n: in-tangent,
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
	var keys int
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
	return ch, true, d.from.spend(costKeys, len(ch.Values))
}

// width returns the number of values for each key.
func (c *Channel) width() int {
	n := len(c.Values) / len(c.Times)
	if c.Interp == CubicSpline {
		n /= 3
	}
	return n
}

// Sample returns the channel's value at t seconds. Before the first key and
// after the last the value is constant.
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
			q := mgl.Slerp(mgl32.Vec4(a).Quat(), mgl32.Vec4(b).Quat(), u)
			out = append(q.V[:], q.W)
		default:
			for i := range out {
				out[i] = float32(float64(a[i]) + float64(u*(float64(b[i])-float64(a[i]))))
			}
		}
	}
	if c.Path == Rotation {
		q := mgl.NarrowQuat(mgl.WideQuat(mgl32.Vec4(out).Quat()).Normalize())
		return append(q.V[:], q.W)
	}
	return out
}
