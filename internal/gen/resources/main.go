// Command resources writes the model files that tests draw. The first has billboards of every kind, a smooth skin, fog, vertex and
// fragment lights, a camera, and animations of everything in a model, with keys of every packing; the second its own shader,
// projected coordinates, lights with tables, and animations of lights, cameras and fogs; the third textures of every format and
// mapping; the fourth vertices of every type, primitives, bones, tests, blending and layers.
//
// Usage: go run ./internal/gen/resources FILE FILE FILE FILE
package main

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/files"
	"pica200/pica"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: resources FILE FILE FILE FILE")
		os.Exit(2)
	}
	for i, make := range []func() ([]byte, error){build, more, textures, shapes} {
		data, err := make()
		if err == nil {
			err = files.Write(os.Args[1+i], func(w io.Writer) error { _, err := w.Write(data); return err })
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "resources:", err)
			os.Exit(1)
		}
	}
}

func build() ([]byte, error) {
	m, err := source()
	if err != nil {
		return nil, err
	}
	f, _, err := banner.Build(m, banner.Options{Format: pica.TextureFormatRGB565, Scale: 1, Animation: -1})
	if err != nil {
		return nil, err
	}
	common := f.Models.Get(banner.Common)
	common.Transform.Translation = mgl32.Vec3{}
	bones := common.Skeleton.Bones.Values()
	for i := range 6 { // the quads
		bones[1+i].Billboard = cgfx.Billboard(i + 1)
		bones[1+i].Rotation = mgl32.Vec3{0.5, 0.6, 0.3}
	}
	if err := smooth(common); err != nil {
		return nil, err
	}
	lightsAndFog(f, common)
	animate(f, common)
	camera(f)
	if err := f.BuildTrees(); err != nil {
		return nil, err
	}
	return f.Relayout()
}

// source is the model before its conversion to a banner: six quads, a skinned band, a ball, a knot in the fog.
func source() (*model.Model, error) {
	m := &model.Model{Name: "kit"}
	add := func(name string, p model.Part, err error, x, y, z float32, material int) error {
		if err != nil {
			return err
		}
		p.Material = material
		t := model.Identity
		t.T = mgl32.Vec3{x, y, z}
		m.Nodes = append(m.Nodes, model.Node{Name: name, Parent: -1, TRS: t, Mesh: len(m.Meshes), Skin: -1, Shown: true})
		m.Meshes = append(m.Meshes, model.Mesh{Name: name, Parts: []model.Part{p}})
		return nil
	}
	for i := range 6 {
		q, err := model.Quad(3, 3, 1, 1)
		if err := add(fmt.Sprintf("quad%d", i+1), q, err, float32(i-3)*4+2, 6, 0, 0); err != nil {
			return nil, err
		}
	}
	band, err := model.Box(1.6, 8, 1.6, 8)
	if err := add("band", band, err, 0, 0, 0, 1); err != nil {
		return nil, err
	}
	ball, err := model.Sphere(2.4, 20, 12)
	if err := add("ball", ball, err, -7, -2, 0, 2); err != nil {
		return nil, err
	}
	knot, err := model.Knot(1.8, 0.6, 64, 8)
	if err := add("knot", knot, err, 7, -2, -6, 3); err != nil {
		return nil, err
	}
	for i, c := range [4]mgl32.Vec4{{1, 1, 1, 1}, {1, 0.7, 0.3, 1}, {0.5, 0.8, 1, 1}, {0.9, 0.4, 0.6, 1}} {
		x := model.DefaultMaterial()
		x.Name, x.BaseColor, x.Unlit, x.DoubleSided = [4]string{"sign", "skin", "sky", "mist"}[i], c, i == 0 || i == 2, i == 0
		if i == 0 {
			x.Base = model.Texture{Image: 0, Sampler: model.Sampler{MagLinear: true, MinLinear: true}}
		}
		m.Materials = append(m.Materials, x)
	}
	pix := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for y := range 16 {
		for x := range 16 {
			c := color.NRGBA{40, 60, 120, 255}
			if x+y < 12 {
				c = color.NRGBA{240, 200, 60, 255}
			}
			if x < 2 || y < 2 {
				c = color.NRGBA{220, 60, 60, 255}
			}
			pix.SetNRGBA(x, y, c)
		}
	}
	m.Images = []model.Image{{Name: "sign", Pix: pix}}
	return m, nil
}

// smooth attaches the band to two bones, with weights that change from one to the other.
func smooth(m *cgfx.Model) error {
	sk := m.Skeleton
	band := sk.Bones.Get("band")
	tip := &cgfx.Bone{Name: "tip", ID: uint32(len(sk.Bones.Entries)), Parent: band, ParentID: int32(band.ID), Scale: mgl32.Vec3{1, 1, 1},
		Translation: mgl32.Vec3{0, 2, 0}, Local: cgfx.Identity, World: cgfx.Identity, InverseBind: cgfx.Identity, Flags: cgfx.BoneSkinned | cgfx.BoneRendered}
	tip.InverseBind[7] = -2
	band.Child, band.InverseBind = tip, cgfx.Identity
	sk.Bones.Add(tip.Name, tip)
	if err := sk.Bones.Build(); err != nil {
		return err
	}
	for i, mesh := range m.Meshes {
		if mesh.NodeName != "band_6" {
			continue
		}
		s := m.Shapes[i]
		in := s.Attributes[0]
		n := len(in.Data) / int(in.Stride)
		var index, weight []byte
		for v := range n {
			y := math.Float32frombits(binary.LittleEndian.Uint32(in.Data[v*int(in.Stride)+4:]))
			w := byte(min(max((y+4)/8, 0), 1)*100 + 0.5)
			index = append(index, 0, 1)
			weight = append(weight, 100-w, w)
		}
		s.Sets[0].Skinning, s.Sets[0].Bones = cgfx.Smooth, []uint32{band.ID, tip.ID}
		s.Attributes = append(s.Attributes,
			&cgfx.Attribute{Kind: cgfx.AttributeStream, Usage: cgfx.BoneIndex, Format: cgfx.UnsignedByte, Components: 2, Scale: 1, Data: index},
			&cgfx.Attribute{Kind: cgfx.AttributeStream, Usage: cgfx.BoneWeight, Format: cgfx.UnsignedByte, Components: 2, Scale: 0.01, Data: weight})
	}
	return nil
}

// lightsAndFog adds a sky to the ball and fog to the knot.
func lightsAndFog(f *cgfx.File, m *cgfx.Model) {
	sky := m.Materials.Get("sky")
	sky.Flags |= cgfx.MaterialHemisphereLit
	place := func() cgfx.Transform {
		return cgfx.Transform{Flags: 1, BranchVisible: 1, Scale: mgl32.Vec3{1, 1, 1}, Local: cgfx.Identity, World: cgfx.Identity}
	}
	hemi := &cgfx.Light{Object: cgfx.Object{Kind: cgfx.KindHemisphereLight, Name: "Sky"}, Transform: place(), Enabled: 1,
		Ground: mgl32.Vec4{0.1, 0.15, 0.1, 1}, Sky: mgl32.Vec4{0.7, 0.8, 1, 1}, Direction: mgl32.Vec3{0, 1, 0}, Lerp: 0.5}
	f.Lights.Add("Sky", hemi)
	scene := f.Scenes.Get("Scene")
	scene.LightSets[0].Lights = append(scene.LightSets[0].Lights, &cgfx.SceneItem{Name: "Sky"})
	mist := m.Materials.Get("mist")
	mist.Flags |= cgfx.MaterialFogged
	f.Fogs.Add("Mist", &cgfx.Fog{Object: cgfx.Object{Kind: cgfx.KindFog, Name: "Mist"}, Transform: place(), Color: mgl32.Vec4{0.6, 0.65, 0.7, 1},
		Updater: &cgfx.FogUpdater{Type: 1, Near: 44, Far: 58}})
	scene.Fogs = []*cgfx.SceneItem{{Name: "Mist"}}
}

func camera(f *cgfx.File) {
	f.Cameras.Add("Side", &cgfx.Camera{Object: cgfx.Object{Kind: cgfx.KindCamera, Name: "Side"},
		Transform: cgfx.Transform{Flags: 1, Scale: mgl32.Vec3{1, 1, 1}, Translation: mgl32.Vec3{18, 10, 30}, Local: cgfx.Identity, World: cgfx.Identity},
		ViewType:  1, View: &cgfx.View{Kind: cgfx.ViewLookAt, Up: mgl32.Vec3{0, 1, 0}},
		Projection: &cgfx.Projection{Kind: cgfx.ProjectionPerspective, Near: 5, Far: 200, Aspect: 400.0 / 240, Fovy: math.Pi / 5}, WScale: 1})
}

// frames is the length of the animations.
const frames = 120

// curve packs values at even distances over the frames.
func curve(q cgfx.Quantization, v ...float32) *cgfx.Curve {
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	step := float32(frames) / float32(len(v)-1)
	s := &cgfx.Segment{End: frames, Speed: 1.0 / frames, FrameScale: 1, Scale: 1, Flags: 2<<2 | uint32(q)<<5}
	if q >= cgfx.StepLinear64 {
		s.Flags = 1<<2 | uint32(q)<<5
	}
	top := map[cgfx.Quantization]float32{cgfx.Hermite64: 1<<20 - 1, cgfx.Hermite48: 1<<16 - 1, cgfx.UnifiedHermite48: 1<<16 - 1, cgfx.UnifiedHermite32: 1<<12 - 1, cgfx.StepLinear32: 1<<20 - 1}[q]
	if top > 0 {
		s.Scale, s.Offset = (hi-lo)/top, lo
	}
	le := binary.LittleEndian
	float := func(x float32) { s.Keys = le.AppendUint32(s.Keys, math.Float32bits(x)) }
	u24 := func(x uint32) { s.Keys = append(s.Keys, byte(x), byte(x>>8), byte(x>>16)) }
	for i, x := range v {
		frame := float32(i) * step
		raw := x
		if top > 0 {
			raw = float32((x - lo) / s.Scale)
		}
		whole := uint32(min(raw, top) + 0.5)
		switch q {
		case cgfx.Hermite128:
			float(frame)
			float(x)
			float(0)
			float(0)
		case cgfx.UnifiedHermite96:
			float(frame)
			float(x)
			float(0)
		case cgfx.StepLinear64:
			float(frame)
			float(x)
		case cgfx.Hermite64:
			s.Keys = le.AppendUint32(s.Keys, uint32(frame)|whole<<12)
			s.Keys = le.AppendUint32(s.Keys, 0)
		case cgfx.StepLinear32:
			s.Keys = le.AppendUint32(s.Keys, uint32(frame)|whole<<12)
		case cgfx.Hermite48:
			s.Keys = append(s.Keys, byte(frame), byte(whole), byte(whole>>8))
			u24(0)
		case cgfx.UnifiedHermite48:
			s.Keys = le.AppendUint16(s.Keys, uint16(frame*32))
			s.Keys = le.AppendUint16(s.Keys, uint16(whole))
			s.Keys = le.AppendUint16(s.Keys, 0)
		case cgfx.UnifiedHermite32:
			s.Keys = append(s.Keys, byte(frame))
			u24(whole)
		}
	}
	return &cgfx.Curve{Span: cgfx.Span{End: frames}, Segments: []*cgfx.Segment{s}}
}

// animate moves bones, colours, coordinates, textures and visibility.
func animate(f *cgfx.File, m *cgfx.Model) {
	motion := func(d *cgfx.Dict[cgfx.Animation], group string) *cgfx.Animation {
		a := &cgfx.Animation{Revision: 0x05000000, Name: banner.Common, Group: group, Loops: 1, Frames: frames}
		d.Add(a.Name, a)
		return a
	}
	add := func(a *cgfx.Animation, path string, x *cgfx.Member) {
		x.Path, x.Object, x.Old = path, path, true
		a.Members.Add(path, x)
	}
	slots := func(kind cgfx.Target, curves ...*cgfx.Curve) *cgfx.Member {
		x := &cgfx.Member{Type: kind}
		missing := map[cgfx.Target]int{cgfx.TargetTransform: 16, cgfx.TargetVector2: 2, cgfx.TargetColor: 4, cgfx.TargetFloat: 1, cgfx.TargetTexture: 1}[kind]
		for i, c := range curves {
			if c == nil {
				x.Flags |= 1 << (missing + i)
				continue
			}
			x.Slots[i] = cgfx.Slot{Is: cgfx.Curved, Curve: c}
		}
		return x
	}
	bones := motion(&f.SkeletalAnimations, "SkeletalAnimation")
	add(bones, "tip", slots(cgfx.TargetTransform, nil, nil, nil, nil, nil, curve(cgfx.Hermite128, -0.7, 0.7, -0.7), nil, nil, nil, nil))
	add(bones, "ball", slots(cgfx.TargetTransform, curve(cgfx.Hermite64, 1, 1.3, 1), nil, nil, nil, nil, nil, nil, nil, curve(cgfx.Hermite48, -2, 1, -2), curve(cgfx.UnifiedHermite48, 0, 3, 0)))
	baked := &cgfx.Member{Type: cgfx.TargetBaked, Flags: 1<<3 | 1<<5, Rotations: &cgfx.Rotations{Baked: cgfx.Baked{Span: cgfx.Span{End: frames}}}}
	for i := range frames {
		s, c := math.Sincos(float64(i) * math.Pi / frames)
		baked.Rotations.Values = append(baked.Rotations.Values, 0, float32(s), 0, float32(c))
		baked.Rotations.Words = append(baked.Rotations.Words, 0)
	}
	add(bones, "knot", baked)

	materials := motion(&f.MaterialAnimations, "MaterialAnimation")
	add(materials, `Materials["sign"].TextureCoordinators[0].Translate`, slots(cgfx.TargetVector2, curve(cgfx.StepLinear64, 0, 1), curve(cgfx.UnifiedHermite32, 0, 0.5, 0)))
	add(materials, `Materials["sign"].TextureCoordinators[0].Rotate`, slots(cgfx.TargetFloat, curve(cgfx.UnifiedHermite96, 0, 0.6, 0)))
	add(materials, `Materials["sky"].MaterialColor.Constant0`, slots(cgfx.TargetColor, curve(cgfx.StepLinear32, 0.2, 1, 0.2), nil, nil, nil))
	other := *f.Textures.Values()[0]
	other.Name = "COMMON2"
	im := *other.Images[0]
	im.Data = make([]byte, len(im.Data))
	for i := 0; i < len(im.Data); i += 2 {
		im.Data[i], im.Data[i+1] = 0xE0, 0x07 // green
	}
	other.Images = []*cgfx.Image{&im}
	f.Textures.Add(other.Name, &other)
	ref := func(t *cgfx.Texture) *cgfx.Texture {
		return &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureRef, Revision: t.Revision}, Path: t.Name, Target: t}
	}
	palette := slots(cgfx.TargetTexture, curve(cgfx.StepLinear64, 0, 1, 1))
	palette.Slots[0].Curve.Segments[0].Flags &^= 1 << 2 // steps
	palette.Textures = []*cgfx.Texture{ref(f.Textures.Values()[0]), ref(&other)}
	add(materials, `Materials["sign"].TextureMappers[0].Texture`, palette)

	shown := motion(&f.VisibilityAnimations, "VisibilityAnimation")
	blink := &cgfx.BoolCurve{Span: cgfx.Span{End: frames}, Bits: make([]byte, frames/8+1)}
	for i := range 60 {
		blink.Bits[i/8] |= 1 << (i % 8)
	}
	add(shown, "Meshes[0].IsVisible", &cgfx.Member{Type: cgfx.TargetBool, Bool: blink})
}
