package banner

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/mgl"
)

// frameRate is the number of animation frames in a second.
const frameRate = 60

// lights makes the light set for lit materials: the same lights as in the
// preview of a model.
func (b *builder) lights() {
	colors := func(r, g, b float32) mgl32.Vec4 { return mgl32.Vec4{r, g, b, 1} }
	set := &cgfx.LightSet{}
	add := func(name string, l *cgfx.Light) {
		l.Object = cgfx.Object{Kind: l.Kind, Revision: lightRevision, Name: name}
		l.Transform = cgfx.Transform{Flags: 1, BranchVisible: 1, Scale: mgl32.Vec3{1, 1, 1}, Local: cgfx.Identity, World: cgfx.Identity}
		l.Enabled = 1
		for i, c := range [4]mgl32.Vec4{l.Ambient, l.Diffuse, l.Specular[0], l.Specular[1]} {
			l.Bytes[i] = rgba(c)
		}
		l.ColorByte = rgba(l.Color)
		b.f.Lights.Add(name, l)
		set.Lights = append(set.Lights, &cgfx.SceneItem{Name: name})
	}
	unit := func(x, y, z float64) mgl32.Vec3 { return mgl.Narrow3(mgl64.Vec3{-x, -y, -z}.Normalize()) }
	black := colors(0, 0, 0)
	add("Key", &cgfx.Light{Object: cgfx.Object{Kind: cgfx.KindFragmentLight}, Ambient: black, Diffuse: colors(0.85, 0.83, 0.8), Specular: [2]mgl32.Vec4{black, black}, Direction: unit(0.5, 0.8, 0.9)})
	add("Fill", &cgfx.Light{Object: cgfx.Object{Kind: cgfx.KindFragmentLight}, Ambient: black, Diffuse: colors(0.16, 0.18, 0.25), Specular: [2]mgl32.Vec4{black, black}, Direction: unit(-0.8, 0.1, 0.3)})
	add("Ambient", &cgfx.Light{Object: cgfx.Object{Kind: cgfx.KindAmbientLight}, Color: colors(0.22, 0.24, 0.28)})
	b.f.Scenes.Add("Scene", &cgfx.Scene{Object: cgfx.Object{Kind: cgfx.KindScene, Revision: sceneRevision, Name: "Scene"}, LightSets: []*cgfx.LightSet{set}})
}

// motion converts the channels of an animation to curves of bones. Rotations
// become angles, so it samples every frame and keeps the keys that linear
// interpolation needs.
func (b *builder) motion(a *model.Animation) {
	frames := int(math.Round(float64(a.Duration) * frameRate))
	if frames < 1 {
		b.note("animation %s has no length; it is left out", a.Name)
		return
	}
	out := &cgfx.Animation{Revision: motionRevision, Name: Common, Group: "SkeletalAnimation", Loops: 1, Frames: float32(frames)}
	channels := map[int][]*model.Channel{}
	for i := range a.Channels {
		c := &a.Channels[i]
		switch {
		case c.Path == model.MorphWeights:
			b.note("animation %s: morph weights are left out", a.Name)
		case b.m.Nodes[c.Node].TRS.Matrix == nil:
			channels[c.Node] = append(channels[c.Node], c)
		}
	}
	for node := range b.m.Nodes {
		list := channels[node]
		if list == nil {
			continue
		}
		var track [10][]float32
		var last mgl32.Vec3
		for f := 0; f <= frames; f++ {
			t := b.m.Nodes[node].TRS
			for _, c := range list {
				v := c.Sample(float32(float64(f) / frameRate))
				switch c.Path {
				case model.Translation:
					copy(t.T[:], v)
				case model.Rotation:
					t.R = mgl32.Vec4(v).Quat()
				case model.Scaling:
					copy(t.S[:], v)
				}
			}
			p := parts(t)
			if f > 0 {
				p.rotation = nearest(p.rotation, last)
			}
			last = p.rotation
			for k := range 3 {
				track[k] = append(track[k], p.scale[k])
				track[3+k] = append(track[3+k], p.rotation[k])
				track[7+k] = append(track[7+k], p.translation[k])
			}
		}
		bone := b.bones[node]
		m := &cgfx.Member{Path: bone.Name, Object: bone.Name, Type: cgfx.TargetTransform, Old: true}
		m.Flags = 1 << 22 // the unused slot
		for k := range track {
			if k == 6 {
				continue
			}
			curve, constant := reduce(track[k], tolerance[k])
			if curve == nil {
				m.Slots[k] = cgfx.Slot{Is: cgfx.Constant, Constant: constant}
				m.Flags |= 1 << (6 + k)
				continue
			}
			m.Slots[k] = cgfx.Slot{Is: cgfx.Curved, Curve: curve}
		}
		out.Members.Add(bone.Name, m)
	}
	if len(out.Members.Entries) > 0 {
		b.f.SkeletalAnimations.Add(Common, out)
	}
}

// tolerance is how far a curve may be from the animation: scale, radians, units.
var tolerance = [10]float32{1e-4, 1e-4, 1e-4, 5e-4, 5e-4, 5e-4, 0, 1e-4, 1e-4, 1e-4}

// nearest returns angles of the same rotation that are nearest to the given
// ones.
func nearest(a, to mgl32.Vec3) mgl32.Vec3 {
	// The same rotation is also (x + half, half - y, z + half a turn).
	alt := mgl32.Vec3{a[0] + math.Pi, math.Pi - a[1], a[2] + math.Pi}
	wrap := func(v mgl32.Vec3) (out mgl32.Vec3, d float64) {
		for k := range v {
			x := float64(v[k]) - float64(to[k])
			x -= float64(2 * math.Pi * math.Round(x/(2*math.Pi)))
			out[k] = to[k] + float32(x)
			d += math.Abs(x)
		}
		return out, d
	}
	p, dp := wrap(a)
	q, dq := wrap(alt)
	if dq < dp {
		return q
	}
	return p
}

// reduce makes a curve from one value for each frame. If the value is constant
// it returns nil and the value.
func reduce(v []float32, tolerance float32) (*cgfx.Curve, float32) {
	if !slices.ContainsFunc(v, func(x float32) bool { return !(abs(x-v[0]) <= tolerance) }) {
		return nil, v[0]
	}
	keys := []int{0}
	for at := 0; at < len(v)-1; {
		// Extend the line as far as it fits.
		to := at + 1
		for to+1 < len(v) && straight(v, at, to+1, tolerance) {
			to++
		}
		keys = append(keys, to)
		at = to
	}
	end := float32(len(v) - 1)
	span := cgfx.Span{Start: 0, End: end, Pre: cgfx.Clamp, Post: cgfx.Clamp}
	// Step or linear keys of 64 bits, straight lines.
	s := &cgfx.Segment{End: end, Flags: 1<<2 | uint32(cgfx.StepLinear64)<<5, Speed: 1 / end}
	for _, k := range keys {
		s.Keys = binary.LittleEndian.AppendUint32(s.Keys, math.Float32bits(float32(k)))
		s.Keys = binary.LittleEndian.AppendUint32(s.Keys, math.Float32bits(v[k]))
	}
	return &cgfx.Curve{Span: span, Segments: []*cgfx.Segment{s}}, 0
}

func straight(v []float32, from, to int, tolerance float32) bool {
	for k := from + 1; k < to; k++ {
		u := float32(k-from) / float32(to-from)
		if abs(v[from]+float32(u*(v[to]-v[from]))-v[k]) > tolerance {
			return false
		}
	}
	return true
}

func abs(x float32) float32 { return max(x, -x) }

// groups says what animations can move: bones and visibility, as in files of
// the console's tools.
func (b *builder) groups() {
	skeletal := &cgfx.AnimationGroup{Kind: 0x80000000, Flags: 1, Name: "SkeletalAnimation", Members: 1, Blend: []uint32{8}, Timing: 1}
	for _, x := range b.out.Skeleton.Bones.Values() {
		skeletal.Dict.Add(x.Name, &cgfx.GroupMember{Kind: cgfx.MemberBone, Path: x.Name, Object: x.Name, Parent: x.Name})
	}
	visible := &cgfx.AnimationGroup{Kind: 0x80000000, Name: "VisibilityAnimation", Members: 3, Blend: []uint32{0}}
	visible.Dict.Add("IsVisible", &cgfx.GroupMember{Kind: cgfx.MemberModel, Path: "IsVisible", Offset: 0xD4, Size: 1, Field: 6, Value: 1, Again: 6})
	for i := range b.out.Meshes {
		path := fmt.Sprintf("Meshes[%d].IsVisible", i)
		visible.Dict.Add(path, &cgfx.GroupMember{Kind: cgfx.MemberMesh, Path: path, Object: fmt.Sprint(i), Offset: 0x24, Size: 1, Field: 7, Index: uint32(i), Again: 7})
	}
	b.out.AnimationGroups.Add(skeletal.Name, skeletal)
	b.out.AnimationGroups.Add(visible.Name, visible)
}
