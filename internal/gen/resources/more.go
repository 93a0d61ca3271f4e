package main

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
	"pica200/shaderunit/asm"
)

// ownShader is a vertex shader in the file: its uniforms have the names of the system's shaders; it shows the coordinate as a
// colour.
const ownShader = `
.fvec ProjMtx[4]
.fvec ViewMtx[3]
.fvec UnivReg[60]
.fvec IrScale[2]
.fvec PosOffs
.fvec Tint
.constf const(0.0, 1.0, 0.5, 0.0)
.in aPosition v0
.in aTexCoord0 v4
.out outPosition position
.out outColor color
.out outTexture texcoord0.xy
.proc main
	mul r0.xyz, IrScale[0].x, aPosition
	add r0.xyz, PosOffs, r0
	mov r0.w, const.yyyy
	dp4 r1.x, UnivReg[0], r0
	dp4 r1.y, UnivReg[1], r0
	dp4 r1.z, UnivReg[2], r0
	mov r1.w, const.yyyy
	dp4 r2.x, ViewMtx[0], r1
	dp4 r2.y, ViewMtx[1], r1
	dp4 r2.z, ViewMtx[2], r1
	mov r2.w, const.yyyy
	dp4 outPosition.x, ProjMtx[0], r2
	dp4 outPosition.y, ProjMtx[1], r2
	dp4 outPosition.z, ProjMtx[2], r2
	dp4 outPosition.w, ProjMtx[3], r2
	mul r3.xyz, Tint, aTexCoord0.xyxx
	mov r3.w, const.yyyy
	mov outColor, r3
	mov outTexture.xy, aTexCoord0
	end
.end
`

// more is a model with features that kit.cgfx and known files lack: its own shader, projected coordinates, positional lights with
// tables, cameras of every kind, and animations of lights, cameras and fogs.
func more() ([]byte, error) {
	m := &model.Model{Name: "more"}
	for i, name := range []string{"own", "screen", "slide", "skylit", "spotlit"} {
		q, err := model.Quad(5, 5, 8, 8)
		if err != nil {
			return nil, err
		}
		q.Material = i
		t := model.Identity
		t.T = mgl32.Vec3{float32(i-2) * 5.4, 0, 0}
		m.Nodes = append(m.Nodes, model.Node{Name: name, Parent: -1, TRS: t, Mesh: i, Skin: -1, Shown: true})
		m.Meshes = append(m.Meshes, model.Mesh{Name: name, Parts: []model.Part{q}})
		x := model.DefaultMaterial()
		x.Name, x.Unlit, x.DoubleSided = name, i < 4, true
		if i == 1 || i == 2 {
			x.Base = model.Texture{Image: 0}
		}
		m.Materials = append(m.Materials, x)
	}
	pix := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range 256 {
		c := color.NRGBA{230, 60, 60, 255} // left; the right half is green, the bottom darker
		if i%16 >= 8 {
			c = color.NRGBA{60, 230, 60, 255}
		}
		if i >= 128 {
			c.R, c.G, c.B = c.R/2, c.G/2, c.B/2
		}
		pix.SetNRGBA(i%16, i/16, c)
	}
	m.Images = []model.Image{{Name: "halves", Pix: pix}}
	f, _, err := banner.Build(m, banner.Options{Format: pica.TextureFormatRGB565, Scale: 1, Animation: -1})
	if err != nil {
		return nil, err
	}
	common := f.Models.Get(banner.Common)
	if err := bring(f, common.Materials.Get("own")); err != nil {
		return nil, err
	}
	common.Materials.Get("screen").TexCoords[0].Mapping = cgfx.MapProjection
	slide := common.Materials.Get("slide")
	slide.TexCoords[1] = cgfx.TexCoord{Mapping: cgfx.MapProjection, Camera: 1, Scale: mgl32.Vec2{1, 1}, Matrix: cgfx.Identity}
	second := *slide.Mappers[0]
	second.Sampler = &cgfx.Sampler{Kind: 0x80000000, Owner: &second}
	second.Commands[1], second.Commands[3] = 0x00010096, uint32(pica.MakeCommandHeader(pica.RegTexunit1BorderColor, 0xF, 4, true))
	slide.Mappers = [3]*cgfx.TextureMapper{1: &second}
	slide.Fragment.Combiners[0].Command[0] = 4<<4 | 4<<20 // primary colour times texture 1
	noted(common)
	places(f, common)
	moving(f)
	if err := f.BuildTrees(); err != nil {
		return nil, err
	}
	return f.Relayout()
}

// bring gives a material the file's own shader.
func bring(f *cgfx.File, m *cgfx.Material) error {
	p, diagnostics := asm.Assemble(asm.Options{}, asm.Source{Name: "own.v.pica", Text: []byte(ownShader)})
	if err := diagnostics.Err(); err != nil {
		return err
	}
	binary, err := p.File.Write()
	if err != nil {
		return err
	}
	f.Shaders.Add("Own", &cgfx.Shader{Object: cgfx.Object{Kind: cgfx.KindShader, Revision: 0x05000000, Name: "Own"}, Binary: binary,
		Programs: []*cgfx.ShaderProgram{{Vertex: 0, Geometry: -1}}})
	m.Shader = &cgfx.Shader{Object: cgfx.Object{Kind: cgfx.KindShaderRef, Revision: 0x05000000}, Path: "Own"}
	m.Parameters = []*cgfx.ShaderParameter{{Name: "Tint", Type: 4, Values: mgl32.Vec4{1, 0.5, 1, 1}}}
	return nil
}

// noted adds user data of every kind to a model.
func noted(m *cgfx.Model) {
	for _, u := range []*cgfx.UserData{
		{Kind: 0x10000000, Name: "ascii", Type: 2, Texts: []string{"one", "two"}},
		{Kind: 0x10000000, Name: "utf8", Type: 2, Encoding: 1, Texts: []string{"drei, vier, fünf"}},
		{Kind: 0x10000000, Name: "utf16", Type: 2, Encoding: 2, Texts: []string{"s\x00e\x00c\x00h\x00s\x00"}},
		{Kind: 0x20000000, Name: "integers", Type: 1, Integers: []uint32{7, 8}},
		{Kind: 0x40000000, Name: "color", Type: 4, Floats: []float32{1, 0.5, 0.25, 1}},
		{Kind: 0x80000000, Name: "floats", Type: 0, Floats: []float32{9.5}},
	} {
		m.UserData.Add(u.Name, u)
	}
}

// places adds lights of every kind, fogs and cameras.
func places(f *cgfx.File, m *cgfx.Model) {
	at := func(x, y, z float32) cgfx.Transform {
		return cgfx.Transform{Flags: 1, BranchVisible: 1, Scale: mgl32.Vec3{1, 1, 1}, Translation: mgl32.Vec3{x, y, z}, Local: cgfx.Identity, World: cgfx.Identity}
	}
	var falloff []byte // 256 values, each with its fall of 8/2048 to the next, as commands
	for i := range 256 {
		v := uint32(4095 - 16*i)
		if i%128 == 0 {
			falloff = binary.LittleEndian.AppendUint32(falloff, v|0x808<<12)
			falloff = binary.LittleEndian.AppendUint32(falloff, uint32(pica.MakeCommandHeader(pica.RegLightingLutData0, 0xF, 127, false)))
			continue
		}
		falloff = binary.LittleEndian.AppendUint32(falloff, v|0x808<<12)
		if i == 127 || i == 255 {
			falloff = binary.LittleEndian.AppendUint32(falloff, 0)
		}
	}
	tables := &cgfx.LookupTable{Object: cgfx.Object{Kind: cgfx.KindLookupTable, Revision: 0x04000000, Name: "Tables"}}
	tables.Tables.Add("Falloff", &cgfx.Table{Kind: 0x80000000, Name: "Falloff", Absolute: 1, Commands: falloff})
	f.LookupTables.Add("Tables", tables)
	table := &cgfx.TableRef{Kind: 0x40000000, Set: "Tables", Name: "Falloff", Into: tables}
	white := mgl32.Vec4{1, 1, 1, 1}
	scale, bias := cgfx.Attenuation(2, 14)
	for _, l := range []*cgfx.Light{
		{Object: cgfx.Object{Kind: cgfx.KindFragmentLight, Name: "Lamp"}, Transform: at(10.8, 0, 4), Type: 1, Diffuse: white, LastFlags: 4,
			Distance: table, Start: 2, End: 14, Scale20: scale, Bias20: bias},
		{Object: cgfx.Object{Kind: cgfx.KindFragmentLight, Name: "Spot"}, Transform: at(10.8, 2, 6), Type: 2, Diffuse: mgl32.Vec4{0.2, 0.2, 1, 1},
			Direction: mgl32.Vec3{0, -0.3, -1}, Angle: &cgfx.LightTable{Input: 4, Table: table}},
		{Object: cgfx.Object{Kind: cgfx.KindVertexLight, Name: "Side"}, Transform: at(0, 0, 0), Diffuse: mgl32.Vec4{0.6, 0.3, 0, 1}, Direction: mgl32.Vec3{-1, 0, -1}},
		{Object: cgfx.Object{Kind: cgfx.KindHemisphereLight, Name: "Sky"}, Transform: at(0, 0, 0), Ground: mgl32.Vec4{0.1, 0.3, 0.1, 1},
			Sky: mgl32.Vec4{0.3, 0.4, 0.9, 1}, Direction: mgl32.Vec3{0, 1, 0}, Lerp: 0.5},
		{Object: cgfx.Object{Kind: cgfx.KindAmbientLight, Name: "Dim"}, Transform: at(0, 0, 0), Color: mgl32.Vec4{0.1, 0.1, 0.1, 1}},
	} {
		l.Revision, l.Enabled = 0x06000000, 1
		f.Lights.Add(l.Name, l)
	}
	scene := f.Scenes.Get("Scene")
	scene.LightSets = append(scene.LightSets, &cgfx.LightSet{ID: 1})
	for _, name := range []string{"Lamp", "Spot", "Side", "Sky", "Dim"} {
		scene.LightSets[1].Lights = append(scene.LightSets[1].Lights, &cgfx.SceneItem{Name: name})
	}
	sky := m.Materials.Get("skylit")
	sky.Flags |= cgfx.MaterialHemisphereLit | cgfx.MaterialVertexLit | cgfx.MaterialFogged
	sky.LightSet, sky.Fog = 1, 0
	m.Materials.Get("spotlit").LightSet = 1
	f.Fogs.Add("Mist", &cgfx.Fog{Object: cgfx.Object{Kind: cgfx.KindFog, Revision: 0x06000000, Name: "Mist"}, Transform: at(0, 0, 0),
		Color: mgl32.Vec4{0.6, 0.65, 0.7, 1}, Updater: &cgfx.FogUpdater{Type: 2, Density: 0.02}})
	scene.Fogs = []*cgfx.SceneItem{{Name: "Mist"}}
	lens := func() *cgfx.Projection {
		return &cgfx.Projection{Kind: cgfx.ProjectionPerspective, Near: 5, Far: 200, Aspect: 5.0 / 3, Fovy: 0.6}
	}
	for i, c := range []*cgfx.Camera{
		{View: &cgfx.View{Kind: cgfx.ViewAim, Twist: 0.2}, Projection: lens()},
		{View: &cgfx.View{Kind: cgfx.ViewLookAt, Up: mgl32.Vec3{0, 1, 0}}, Projection: &cgfx.Projection{Kind: cgfx.ProjectionParallel, Near: 1, Far: 100, Aspect: 1, Height: 5}},
		{View: &cgfx.View{Kind: cgfx.ViewRotation}, Projection: &cgfx.Projection{Kind: cgfx.ProjectionFrustum, Near: 5, Far: 200, Aspect: 5.0 / 3, Height: 3}},
	} {
		c.Object = cgfx.Object{Kind: cgfx.KindCamera, Revision: 0x07000000, Name: fmt.Sprintf("Camera%d", i)}
		c.Transform, c.ViewType, c.ProjectionType, c.WScale = at(0, 0, 40), uint32(i), []uint32{0, 2, 1}[i], 1
		f.Cameras.Add(c.Name, c)
		scene.Cameras = append(scene.Cameras, &cgfx.SceneItem{ID: uint32(i), Name: c.Name})
	}
}

// moving animates lights, a camera and a fog.
func moving(f *cgfx.File) {
	motion := func(d *cgfx.Dict[cgfx.Animation], name, group string) *cgfx.Animation {
		a := &cgfx.Animation{Revision: 0x07000001, Name: name, Group: group, Loops: 1, Frames: frames}
		d.Add(name, a)
		return a
	}
	add := func(a *cgfx.Animation, path string, kind cgfx.Target, curves ...*cgfx.Curve) {
		x := &cgfx.Member{Path: path, Type: kind}
		for i, c := range curves {
			x.Slots[i] = cgfx.Slot{Is: cgfx.Curved, Curve: c}
		}
		a.Members.Add(path, x)
	}
	l := motion(&f.LightAnimations, "Side", "LightAnimation")
	v := func(v ...float32) *cgfx.Curve { return curve(cgfx.StepLinear64, v...) }
	add(l, "Diffuse", cgfx.TargetColor, v(0, 1), v(1, 0), v(0, 0), v(1, 1))
	on := &cgfx.BoolCurve{Span: cgfx.Span{End: frames}, Bits: make([]byte, frames/8+1)}
	for i := range 60 {
		on.Bits[i/8] |= 1 << (i % 8)
	}
	s := motion(&f.LightAnimations, "Spot", "LightAnimation")
	s.Members.Add("IsLightEnabled", &cgfx.Member{Path: "IsLightEnabled", Type: cgfx.TargetBool, Bool: on})
	c := motion(&f.CameraAnimations, "Camera0", "CameraAnimation")
	add(c, "ViewUpdater.TargetPosition", cgfx.TargetVector3, v(0, 6, 0), v(0, 0), v(0, 0))
	add(c, "ProjectionUpdater.Fovy", cgfx.TargetFloat, v(0.6, 0.3, 0.6))
	path := &cgfx.Member{Path: "Transform", Type: cgfx.TargetTransform, Flags: 0x3F<<16 | 1<<22}
	for i, x := range []*cgfx.Curve{v(-20, 20, -20), v(4, 4), v(40, 40)} {
		path.Slots[7+i] = cgfx.Slot{Is: cgfx.Curved, Curve: x}
	}
	c.Members.Add("Transform", path)
	g := motion(&f.FogAnimations, "Mist", "FogAnimation")
	add(g, "Color", cgfx.TargetColor, v(1, 0), v(0, 1), v(0, 0), v(1, 1))
}
