package bch

import (
	"bytes"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/pica"
)

// whole is a file with something of everything.
func whole() *File {
	place := func(name string) place {
		return place{Name: name, Scale: mgl32.Vec3{1, 1, 1}, Rotation: mgl32.Vec3{0.1, 0.2, 0.3}, Translation: mgl32.Vec3{1, 2, 3}}
	}
	data := userData{values: []userValue{{Name: "integers", words: []uint32{1, 2}}, {Name: "texts", kind: 2, texts: []string{"a", "b"}}}}
	curve := func(q uint8) *Curve {
		return &Curve{Span: Span{End: 30, Post: 1}, Interpolation: 2, Packing: q, ValueScale: 1, FrameScale: 1, inverseDuration: 1.0 / 30, Keys: make([]byte, 2*keyBytes[q])}
	}
	slots := func(n int, q uint8) (out [9]Slot) {
		for i := range n {
			out[i] = [3]Slot{{State: cgfx.Missing}, {State: cgfx.Constant, Value: float32(i)}, {State: cgfx.Curved, Curve: curve(q)}}[i%3]
		}
		return out
	}
	fixed := mgl32.Vec4{1, 0.5, 0.25, 1}
	mesh := Mesh{Node: 1, Key: 0x105, center: mgl32.Vec3{1, 2, 3}, Stride: 16, Data: make([]byte, 48), Offset: mgl32.Vec4{0, 1, 0, 0}, userData: data,
		Attributes: []Attribute{{Usage: 0, Type: pica.AttribFloat, Components: 3, Scale: 1}, {Usage: 4, Type: pica.AttribUByte, Components: 2, Scale: 0.5},
			{Usage: 7, Type: pica.AttribUByte, Components: 2, Scale: 1}, {Usage: 3, Scale: 1, Fixed: &fixed}},
		Parts: []Part{{Skinning: 2, Bones: []uint16{0, 1}, bools: 6, Indices: []byte{0, 1, 2}}, {Mode: 1, Bones: []uint16{1}, Wide: true, Indices: []byte{2, 0, 1, 0, 0, 0}}}}
	params := &Params{Flags: 1, fragment: 6, LightSet: 2, Colors: [11]uint32{0xFF0000FF, 5: 0x80402010}, ColorScale: 1, Layer: 0x21, Commands: commands(nil).add(pica.RegFacecullingConfig, 1, false, 2),
		tableSets: [6]string{"Tables"}, tableNames: [6]string{"Table"}, Shader: "1@Own", Model: "m@Model", userData: data,
		TexCoords: [3]TexCoord{{Scale: mgl32.Vec2{1, 1}, Camera: -1}, {Mapping: 3, Camera: 2}}}
	f := &File{Version: 0x21, Forward: 0x21, Converter: 42607, Flags: 1}
	f.Models = []*Model{{Name: "Model", Flags: 3, World: cgfx.Identity, Meshes: []Mesh{mesh}, userData: data, Nodes: []string{"one", "two"}, NodesVisible: []bool{true, false},
		Bones:     []Bone{{Name: "root", Parent: -1, Scale: mgl32.Vec3{1, 1, 1}, Inverse: cgfx.Identity}, {Name: "tip", Flags: 3<<16 | boneCompensates, Scale: mgl32.Vec3{1, 1, 1}, Inverse: cgfx.Identity}},
		Materials: []Material{{Name: "m", Params: params, commands: commands(nil).add(pica.RegTexunitConfig, 0xF, false, 3), Textures: [3]string{"Texture", "Cube"}, Mappers: [3]Mapper{{WrapU: 2, Min: 5, bias: -1, Border: 7}}}}}}
	f.materials = []*Params{params}
	f.Textures = []*Texture{{Name: "Texture", Format: uint8(pica.TextureFormatRGB565), Levels: 2, Width: 16, Height: 16, Faces: [][]byte{make([]byte, 640)}},
		{Name: "Cube", Format: uint8(pica.TextureFormatI8), Levels: 1, Width: 8, Height: 8, Faces: [][]byte{make([]byte, 64), bytes.Repeat([]byte{1}, 64), make([]byte, 64), make([]byte, 64), make([]byte, 64), make([]byte, 64)}}}
	f.lookupTables = []*lookupTable{{Name: "Tables", tables: []table{{Name: "Table", flags: 1, commands: []uint32{1, 2, 3, 4}}}}}
	f.Lights = []*Light{{place: place("Lamp"), Type: 10, Enabled: 1, flags: 2, Colors: [4]uint32{1, 2, 3, 4}, numbers: [5]float32{1, 9}, tables: [4]string{"Tables", "Table", "Tables", "Table"}},
		{place: place("Side"), Type: 5, Enabled: 1, vectors: [2]mgl32.Vec4{{1}, {2}}, numbers: [5]float32{1, 2, 3, 4, 5}}, {place: place("Dim"), Type: 2, Color: 9},
		{place: place("Sky"), Type: 1, vectors: [2]mgl32.Vec4{{1}, {2}}, numbers: [5]float32{0.5}, userData: data}}
	f.cameras = []*camera{{place: place("Aim"), twist: 0.5, lens: mgl32.Vec4{1, 100, 1.5, 0.6}}, {place: place("Look"), view: 1, projection: 1, up: mgl32.Vec3{0, 1, 0}, lens: mgl32.Vec4{1, 100, 1, 20}},
		{place: place("Turn"), view: 2, lens: mgl32.Vec4{1, 100, 1.5, 0.6}}}
	f.fogs = []*fog{{place: place("Mist"), kind: 2, color: 0xFF804020, near: 1, far: 50, density: 0.1}}
	f.Scenes = []*Scene{{Name: "Scene", cameras: []sceneItem{{1, "Aim"}}, fogs: []sceneItem{{0, "Mist"}}, LightSets: []LightSet{{2, []string{"Lamp", "Side"}}}}}
	f.Shaders = []*Shader{{Name: "Own", Binary: []byte("DVLB and more"), vertex: 0, Geometry: -1}}
	var bones, materials []*Element
	for i, q := range []uint8{0, 1, 2, 3} {
		bones = append(bones, &Element{Name: [4]string{"root", "tip", "a", "b"}[i], Type: typeTransform, Slots: slots(9, q)})
	}
	bones = append(bones, &Element{Name: "c", Type: typeQuaternions, baked: [3]baked{{}, {width: 4, Values: []float32{0, 0, 0, 1}}, {Span: Span{End: 2}, width: 3, Values: make([]float32, 6)}}},
		&Element{Name: "d", Type: typeMatrices, baked: [3]baked{{Span: Span{End: 1}, width: 12, Values: make([]float32, 12)}}})
	for i, typ := range []uint16{typeColor, typeTexture, typeVector2, typeFloat, typeVector3} {
		n, _, _ := counts(typ)
		materials = append(materials, &Element{Name: "m", target: []uint16{1, 13, 19, 20, 21}[i], Type: typ, Slots: slots(n, uint8(4+i%4))})
	}
	f.SkeletalAnimations = []*Animation{{Name: "Walk", Flags: 1, Frames: 30, Elements: bones}}
	f.materialAnimations = []*Animation{{Name: "Shine", kind: kindMaterial, Frames: 30, Elements: materials, textures: []string{"Texture"}}}
	f.visibilityAnimations = []*Animation{{Name: "Blink", kind: 2, Frames: 9, Elements: []*Element{{Name: "one", target: 49, Type: typeBool, bools: &bools{Span: Span{End: 9}, values: []bool{true, false, true, true, false, false, false, true, true}}}}}}
	return f
}

// Everything that is written reads back, and into the structures by which it is drawn.
func TestWholeFilesComeBack(t *testing.T) {
	f := whole()
	once, err := f.Write()
	require.NoError(t, err)
	g, err := Parse(once)
	require.NoError(t, err)
	require.Empty(t, g.Findings)
	require.Len(t, g.Sections, 6)
	twice, err := g.Write()
	require.NoError(t, err)
	require.True(t, bytes.Equal(once, twice))
	clean := func(f *File) *File {
		f.Sections, f.budget, f.Findings = nil, 0, nil
		for _, a := range append(f.SkeletalAnimations, f.materialAnimations...) {
			for _, e := range a.Elements {
				e.flags = 0
				for i := range e.baked {
					if e.baked[i].width == 0 {
						e.baked[i] = baked{}
					}
				}
			}
		}
		return f
	}
	require.Equal(t, clean(whole()), clean(g))

	r, notes := g.Resources()
	require.Empty(t, notes)
	m := r.Models.Get("Model")
	require.Equal(t, []string{"m"}, m.Materials.Names())
	require.Equal(t, cgfx.BillboardWorldViewpoint, m.Skeleton.Bones.Get("tip").Billboard)
	require.Equal(t, cgfx.Rigid, m.Shapes[0].Sets[0].Skinning)
	require.EqualValues(t, 14, m.Shapes[0].Attributes[0].Streams[2].Offset)
	x := m.Materials.Get("m")
	require.EqualValues(t, 1, x.ShaderProgram)
	require.Equal(t, []uint32{2, 0x00010040}, x.Commands)
	require.Equal(t, cgfx.MapProjection, x.TexCoords[1].Mapping)
	require.NotNil(t, x.Mappers[1])
	require.Equal(t, "Tables", x.Fragment.Tables.Tables[3].Table.Set)
	require.Equal(t, cgfx.KindTextureCube, r.Textures.Get("Cube").Kind)
	require.EqualValues(t, 1, r.Lights.Get("Lamp").Type)
	require.NotNil(t, r.MaterialAnimations.Get("Shine").Members.Get(`Materials["m"].TextureCoordinators[0].Rotate`))
	b := r.VisibilityAnimations.Get("Blink").Members.Get(`MeshNodeVisibilities["one"].IsVisible`).Bool
	require.Equal(t, []byte{0x8D, 0x01}, b.Bits)
}

// Whatever is cut off or changed, reading ends, and what was read can be checked and shown.
func TestDamagedFiles(t *testing.T) {
	data, err := whole().Write()
	require.NoError(t, err)
	try := func(data []byte) {
		f, err := Parse(data)
		if err == nil {
			f.Check()
		}
	}
	for n := 0; n < len(data); n += 1 + n/31 {
		try(data[:n])
	}
	contents, relocations := int(le.Uint32(data[8:])), int(le.Uint32(data[8+20:]))
	for _, span := range [][2]int{{4, contents + 0x400}, {relocations, relocations + 64}} {
		for at := span[0]; at < span[1]; at += 3 {
			for _, v := range []byte{0, 0xFF, data[at] + 4} {
				bad := bytes.Clone(data)
				bad[at] = v
				try(bad)
			}
		}
	}
	// Lists that all lead to the same long one are refused.
	_, err = Parse([]byte("BCH\x00"))
	require.ErrorContains(t, err, "header")
}

// What can be read can be checked; written it reads back to the same bytes.
func FuzzBCH(f *testing.F) {
	data, err := whole().Write()
	require.NoError(f, err)
	f.Add(data)
	for _, v := range []byte{0x20, 7, 5} {
		old := bytes.Clone(data)
		old[4] = v
		f.Add(old)
	}
	if data, err := os.ReadFile("../../testdata/models/arm.bch"); err == nil {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Parse(data)
		if err != nil {
			return
		}
		g.Check()
		once, err := g.Write()
		if err != nil {
			return // two things of one name
		}
		h, err := Parse(once)
		if err != nil {
			return // shared parts are written as often as they are named
		}
		twice, err := h.Write()
		if err != nil {
			t.Fatal(err)
		}
		k, err := Parse(twice)
		if err != nil {
			return
		}
		thrice, err := k.Write()
		if err != nil || !bytes.Equal(twice, thrice) {
			t.Fatalf("what was written twice differs: %v", err)
		}
	})
}
