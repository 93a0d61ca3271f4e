package bch

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

// numbered returns bytes that differ from their neighbours.
func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(7 * i)
	}
	return b
}

// whole is a file with every structure.
func whole() *File {
	place := func(name string) place {
		return place{Name: name, Scale: mgl32.Vec3{1, 1, 1}, Rotation: mgl32.Vec3{0.1, 0.2, 0.3}, Translation: mgl32.Vec3{1, 2, 3}}
	}
	data := userData{values: []userValue{{Name: "integers", words: []uint32{1, 2}}, {Name: "floats", kind: 1, words: []uint32{0x3F800000}}, {Name: "texts", kind: 2, texts: []string{"a", "b"}}}}
	curve := func(q uint8) *Curve {
		keys := make([]byte, 2*keyBytes[q])
		for i := range keys {
			keys[i] = byte(3*i + int(q))
		}
		return &Curve{Span: Span{Start: 2, End: 30, Pre: 2, Post: 1, number: 3}, Interpolation: q % 3, Packing: q, ValueScale: 1.5, ValueOffset: 0.25, FrameScale: 2,
			inverseDuration: 1.0 / 28, Keys: keys}
	}
	slots := func(n int, q uint8) (out [9]Slot) {
		for i := range n {
			out[i] = [3]Slot{{State: cgfx.Missing}, {State: cgfx.Constant, Value: float32(i)}, {State: cgfx.Curved, Curve: curve(q)}}[i%3]
		}
		return out
	}
	fixed := mgl32.Vec4{1, 0.5, 0.25, 1}
	mesh := Mesh{Node: 1, Key: 0x105, flags: 0xC, center: mgl32.Vec3{1, 2, 3}, Stride: 16, Data: numbered(48), Offset: mgl32.Vec4{4, 1, 2, 3}, userData: data,
		Attributes: []Attribute{{Usage: 0, Type: pica.AttribFloat, Components: 3, Scale: 1}, {Usage: 4, Type: pica.AttribUByte, Components: 2, Scale: 0.5},
			{Usage: 7, Type: pica.AttribShort, Components: 1, Scale: 1}, {Usage: 3, Scale: 1, Fixed: &fixed}},
		Parts: []Part{{Skinning: 2, Bones: []uint16{0, 1}, bools: 6, Indices: []byte{0, 1, 2}}, {Mode: 1, Bones: []uint16{1}, Wide: true, Indices: []byte{2, 0, 1, 0, 0, 0}}, {Mode: 3, Skinning: 1, bools: 9, Indices: []byte{2, 1, 0}}}}
	list := commands(nil).add(pica.RegFacecullingConfig, 1, false, 2).add(pica.RegTexenv0Source, 0xF, true, 1, 2, 3, 4, 5).add(pica.RegTexenv4Source, 0xF, true, 6, 7, 8, 9, 10).
		add(pica.RegTexenvUpdateBuffer, 2, false, 0xF00).add(pica.RegTexenvBufferColor, 0xF, false, 11).add(pica.RegColorOperation, 3, true, 12, 13, 14, 15, 16, 17, 18, 19, 20).
		add(0x111, 0xF, true, 21, 22, 23, 24, 25, 26).add(pica.RegDepthColorMask, 0xF, false, 0x0F41)
	config := commands(nil).add(pica.RegLightingLutinputAbs, 0xF, true, 1, 0x12345, 0x221061)
	params := &Params{id: 77, Flags: 0x45, fragment: 6, frameAccess: 8, LightSet: 2, Fog: 1, Colors: [11]uint32{0xFF0000FF, 1, 2, 3, 4, 0x80402010, 6, 7, 8, 9, 10}, BlendColor: 0x10203040, ColorScale: 0.75, Layer: 0x21,
		fresnel: 3, bumpMode: 1, bumpTexture: 2, tableConfig: [6]uint32(config[:6]), Constants: 0x654321, offsetUnits: 0.5, Commands: list,
		tableSets: [6]string{"Tables", "", "Tables", "", "", "More"}, tableNames: [6]string{"Table", "", "Blue", "", "", "Other"}, Shader: "1@Own", Model: "m@Model", userData: data,
		TexCoords: [3]TexCoord{{Scale: mgl32.Vec2{1, 2}, Camera: -1, Convention: 1}, {flags: 4, Mapping: 3, Camera: 2, Rotation: 0.5, Translation: mgl32.Vec2{3, 4}}}}
	f := &File{Version: 0x21, Forward: 0x21, Converter: 42607, Flags: 1}
	f.Models = []*Model{{Name: "Model", Flags: 3, scaling: 1, silhouettes: 2, World: cgfx.Matrix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
		Meshes: []Mesh{mesh, {flags: 1, Attributes: mesh.Attributes[:1], Stride: 12, Material: 1, Node: 9}, {Node: 9, Material: 1, Stride: 12, Attributes: mesh.Attributes[:1]}}, userData: data, Nodes: []string{"one", "two", "three"}, NodesVisible: []bool{true, false},
		Bones: []Bone{{Name: "root", Parent: -1, Scale: mgl32.Vec3{1, 2, 3}, Rotation: mgl32.Vec3{0.1, 0.2, 0.3}, Translation: mgl32.Vec3{4, 5, 6}, Inverse: cgfx.Matrix{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, userData: data}, {Name: "tip", Flags: 3<<16 | boneCompensates, Scale: mgl32.Vec3{1, 1, 1}, Inverse: cgfx.Identity}},
		Materials: []Material{{Name: "m", Params: params, commands: commands(nil).add(pica.RegTexunitConfig, 0xF, false, 3), Textures: [3]string{"Texture", "Cube"}, Mappers: [3]Mapper{{kind: 1, WrapU: 2, WrapV: 3, Mag: 1, Min: 5, minLevel: 2, bias: -1, Border: 0x40302010}, {WrapU: 1, Min: 3, bias: 1.5}, {Min: 2}}},
			{Name: "bare", commands: commands(nil).add(pica.RegTexunitConfig, 0xF, false, 2), Textures: [3]string{"Texture", "Texture", ""}, Mappers: [3]Mapper{1: {Min: 4, bias: 20}}}}}}
	f.materials = []*Params{params}
	f.Textures = []*Texture{{Name: "Texture", Format: uint8(pica.TextureFormatRGB565), Levels: 2, Width: 16, Height: 16, Faces: [][]byte{numbered(640)}},
		{Name: "Cube", Format: uint8(pica.TextureFormatI8), Levels: 1, Width: 8, Height: 8, Faces: [][]byte{make([]byte, 64), bytes.Repeat([]byte{1}, 64), numbered(64), make([]byte, 64), make([]byte, 64), make([]byte, 64)}},
		{Name: "None", Format: 5, Levels: 1, Width: 8, Height: 16}, {Name: "Two", Format: uint8(pica.TextureFormatI8), Width: 8, Height: 8, Faces: [][]byte{numbered(64), make([]byte, 64)}}}
	f.lookupTables = []*lookupTable{{Name: "Tables", tables: []table{{Name: "Table", flags: 1, commands: []uint32{1, 2, 3, 4}}, {Name: "Blue", flags: 2, commands: []uint32{5, 6}}}}, {Name: "More"}}
	f.Lights = []*Light{{place: place("Lamp"), Type: 10, Enabled: 1, flags: 2, table: 0x53, Colors: [4]uint32{0x04030201, 2, 3, 4}, Direction: mgl32.Vec3{5, 6, 7}, numbers: [5]float32{1, 9}, tables: [4]string{"Tables", "Table", "More", "Blue"}},
		{place: place("Side"), Type: 5, Enabled: 1, Direction: mgl32.Vec3{5, 6, 7}, vectors: [2]mgl32.Vec4{{1, 2, 3, 4}, {5, 6, 7, 8}}, numbers: [5]float32{1, 2, 3, 4, 5}}, {place: place("Dim"), Type: 2, Color: 9},
		{place: place("Sky"), Type: 1, Direction: mgl32.Vec3{5, 6, 7}, vectors: [2]mgl32.Vec4{{1, 2, 3, 4}, {5, 6, 7, 8}}, numbers: [5]float32{0.5}, userData: data}}
	f.cameras = []*camera{{place: place("Aim"), flags: 3, wScale: 0.125, target: mgl32.Vec3{7, 8, 9}, userData: data, twist: 0.5, lens: mgl32.Vec4{1, 100, 1.5, 0.6}}, {place: place("Look"), view: 1, projection: 1, target: mgl32.Vec3{7, 8, 9}, up: mgl32.Vec3{0, 1, 0}, lens: mgl32.Vec4{1, 100, 1, 20}},
		{place: place("Turn"), view: 2, lens: mgl32.Vec4{1, 100, 1.5, 0.6}}}
	f.fogs = []*fog{{place: place("Mist"), kind: 2, flags: 5, userData: data, color: 0xFF804020, near: 1, far: 50, density: 0.1}}
	f.Scenes = []*Scene{{Name: "Scene", cameras: []sceneItem{{1, "Aim"}, {2, "Look"}}, fogs: []sceneItem{{3, "Mist"}}, LightSets: []LightSet{{2, []string{"Lamp", "Side"}}, {4, []string{"Dim"}}}, userData: data}}
	f.Shaders = []*Shader{{Name: "Own", Binary: []byte("DVLB and more"), vertex: 2, Geometry: -1}}
	var bones, materials []*Element
	for i, q := range []uint8{0, 1, 2, 3} {
		bones = append(bones, &Element{Name: [4]string{"root", "tip", "a", "b"}[i], Type: typeTransform, target: uint16(28 * (i & 1)), Slots: slots(9, q)})
	}
	bones = append(bones, &Element{Name: "c", Type: typeQuaternions, baked: [3]baked{{}, {width: 4, Values: []float32{0.5, 0.25, 0, 1}}, {Span: Span{Start: 1, End: 2, Pre: 1, number: 4}, width: 3, Values: []float32{1, 2, 3, 4, 5, 6}}}},
		&Element{Name: "d", Type: typeMatrices, baked: [3]baked{{Span: Span{End: 1}, width: 12, Values: []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}}},
		&Element{Name: "e", Type: typeMatrices, baked: [3]baked{{Span: Span{Start: 3, End: 3}, width: 12, Values: make([]float32, 24)}}}, &Element{Name: "f", Type: 10}, &Element{Name: "g", target: 99})
	for i, typ := range []uint16{typeColor, typeTexture, typeVector2, typeFloat, typeVector3} {
		n, _, _ := counts(typ)
		materials = append(materials, &Element{Name: "m", target: []uint16{1, 13, 19, 20, 21}[i], Type: typ, Slots: slots(n, uint8(4+i%4))})
	}
	f.SkeletalAnimations = []*Animation{{Name: "Walk", Flags: 1, curves: 5, Frames: 30, userData: data, Elements: bones}}
	f.materialAnimations = []*Animation{{Name: "Shine", kind: kindMaterial, Frames: 30, Elements: materials, textures: []string{"Texture"}}}
	f.visibilityAnimations = []*Animation{{Name: "Blink", kind: 2, Frames: 9, Elements: []*Element{{Name: "one", target: 49, Type: typeBool, bools: &bools{Span: Span{End: 9}, values: []bool{true, false, true, true, false, false, false, true, true}}}}}}
	return f
}

// Golden files: the bytes of a written file, its parsed structures, and the CGFX structures for drawing.
func TestFileBytesAndStructures(t *testing.T) {
	data := testkit.Must(whole().Write())(t)
	testkit.Golden(t, "testdata/whole.bch", data)
	f := testkit.Must(Parse(data))(t)
	require.Empty(t, f.Findings)
	r, notes := f.Resources()
	testkit.Golden(t, "testdata/whole.txt", fmt.Appendf(nil, "%s\nas CGFX, %q%s\n", testkit.Dump(f), notes, testkit.Dump(r)))
}

// Golden file: findings and contents of damaged files, and of older versions.
func TestDamagedFileFindings(t *testing.T) {
	data := testkit.Must(whole().Write())(t)
	look := testkit.Look(Parse, func(f *File) ([]string, string) { return testkit.Sentences(f.Check()), "" })
	text := ""
	contents := int(le.Uint32(data[8:]))
	for _, v := range []byte{0x20, 7, 6} {
		old := bytes.Clone(data)
		old[4] = v
		f, err := Parse(old)
		text += fmt.Sprintf("version 0x%x: %v, CRC-32 %08x\n", v, err, crc32.ChecksumIEEE([]byte(testkit.Dump(f))))
	}
	text += testkit.Damage(data, 0, 0x44, 4, look) + testkit.Damage(data, contents, contents+0x1000, 84, look)
	relocations := int(le.Uint32(data[8+20:]))
	text += testkit.Damage(data, relocations, relocations+64, 8, look)
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// A written file reads back the same, and converts to the structures for drawing.
func TestFileRoundTrip(t *testing.T) {
	f := whole()
	once := testkit.Must(f.Write())(t)
	g := testkit.Must(Parse(once))(t)
	require.Empty(t, g.Findings)
	require.Len(t, g.Sections, 6)
	twice := testkit.Must(g.Write())(t)
	require.True(t, bytes.Equal(once, twice))
	clean := func(f *File) *File {
		for i := range f.Models[0].Meshes {
			if m := &f.Models[0].Meshes[i]; len(m.Data) == 0 {
				m.Data, m.Parts = nil, nil
			}
		}
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
}

// A parsed file can be checked, and its written form reads back to the same bytes.
func FuzzBCH(f *testing.F) {
	data := testkit.Must(whole().Write())(f)
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
			return // two things with one name
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
			t.Fatalf("the file written again differs: %v", err)
		}
	})
}

// The header depends on the version: flags since 8, a sixth section since 0x21.
func TestHeaderDependsOnVersion(t *testing.T) {
	data := testkit.Must(whole().Write())(t)
	for version, want := range map[byte]struct{ sections, flags, need int }{7: {5, 0, 0x38}, 8: {5, 0x38, 0x3C}, 0x20: {5, 0x38, 0x3C}, 0x21: {6, 0x40, 0x44}, 0x22: {6, 0x40, 0x44}} {
		old := bytes.Clone(data)
		old[4] = version
		if want.flags > 0 {
			le.PutUint16(old[want.flags:], 0xABCD)
		}
		f, _ := Parse(old)
		require.NotNil(t, f)
		require.Len(t, f.Sections, want.sections)
		require.Equal(t, want.flags > 0, f.Flags == 0xABCD, "version 0x%x", version)
		_, err := Parse(old[:want.need-1])
		require.ErrorContains(t, err, fmt.Sprintf("a header of 0x%x bytes expected", want.need))
	}
}

// The lighting configuration is the first that reads all tables of a material, by 3dbrew's list.
func TestLightingConfigurationReadsAllTables(t *testing.T) {
	reads := []string{"d0 rr", "fr rr", "d0 d1 rr", "d0 d1 fr", "d0 d1 rr rg rb", "d0 fr rr rg rb", "d0 d1 fr rr", "", "d0 d1 fr rr rg rb"}
	names := []string{"rr", "rg", "rb", "d0", "d1", "fr"}
	for set := range 1 << len(names) {
		var tables cgfx.FragmentTables
		for i := range names {
			if set>>i&1 != 0 {
				tables.Tables[i] = &cgfx.LightTable{}
			}
		}
		want := slices.IndexFunc(reads, func(list string) bool {
			for i, n := range names {
				if set>>i&1 != 0 && !slices.Contains(strings.Fields(list), n) {
					return false
				}
			}
			return true
		})
		require.Equal(t, uint32(want), layer(&tables), "%06b", set)
	}
}

// An element of an animation becomes a member of the type of its target. Of a baked transform only existing parts are taken; flags
// mark constant and missing values.
func TestAnimationElementsBecomeMembers(t *testing.T) {
	for typ, c := range map[uint16]struct {
		is                cgfx.Target
		constant, missing uint32 // flags of the first value
	}{
		typeFloat: {cgfx.TargetFloat, 1, 0x100}, typeInteger: {cgfx.TargetInt, 1, 0x100}, typeTexture: {cgfx.TargetTexture, 1, 0x100},
		typeVector2: {cgfx.TargetVector2, 1, 0x100}, typeVector3: {cgfx.TargetVector3, 1, 0x100}, typeColor: {cgfx.TargetColor, 1, 0x100},
		typeTransform: {cgfx.TargetTransform, 1 << 6, 1 << 16}, typeQuaternions: {cgfx.TargetBaked, 0, 0}, typeMatrices: {cgfx.TargetMatrix, 0, 0}, typeBool: {cgfx.TargetBool, 0, 0},
	} {
		m := &cgfx.Member{Type: 99}
		require.True(t, new(resources).member(&Animation{}, &Element{Type: typ}, m))
		require.Equal(t, c.is, m.Type)
		require.True(t, m.Scales == nil && m.Rotations == nil && m.Translations == nil && m.Matrices == nil && m.Bool == nil)
		if c.constant == 0 {
			continue
		}
		n, constant, missing := counts(typ)
		for state, flag := range map[cgfx.SlotState]uint32{cgfx.Constant: c.constant, cgfx.Missing: c.missing, cgfx.Curved: 0} {
			e := &Element{Type: typ}
			for i := range e.Slots {
				e.Slots[i].State = cgfx.Curved
			}
			e.Slots[0].State = state
			e.flag(n, constant, missing)
			require.Equal(t, flag, e.flags, "type %d", typ)
		}
	}
	for target, path := range map[uint16]string{0: "it", 1: `Materials["it"].MaterialColor.Constant0`, 27: `Materials["it"].TextureCoordinators[2].Translate`, 28: "Transform"} {
		x := (&resources{}).animation(&Animation{Elements: []*Element{{Name: "it", target: target}}})
		require.Equal(t, path, x.Members.Entries[0].Name)
	}
	for bit, flag := range []uint32{0, 1, 2, 4, 32, 8, 16} { // the first is of bump mapping
		p, x := &Params{fragment: 1 << bit}, &cgfx.Material{Fragment: &cgfx.FragmentShader{}}
		(&resources{f: &File{}}).fragment(p, x)
		require.Equal(t, flag, x.Fragment.LightFlags, "bit %d", bit)
	}
}

// Findings about the converted structures have no offset in the file.
func TestFindingsWithoutOffset(t *testing.T) {
	f := whole()
	f.Textures[0].Width = 0
	found := f.Check()
	require.NotEmpty(t, found)
	for _, x := range found {
		require.Equal(t, int64(tree.NoOffset), x.Offset, "%v", x)
	}
}

// Limits: a relocation up to the last word; command lists with unknown uniforms; two things with one name cannot be written; counts
// beyond the file are refused.
func TestFileLimits(t *testing.T) {
	data := testkit.Must(whole().Write())(t)
	contents, relocations := le.Uint32(data[8:]), le.Uint32(data[8+20:])
	for at, lost := range map[uint32]string{uint32(len(data)) - 4: "", uint32(len(data)): "1 relocations point to nothing in the file"} {
		bad := bytes.Clone(data)
		le.PutUint32(bad[relocations:], (at-contents)/4|atBase<<25)
		require.Zero(t, (at-contents)%4)
		f, err := Parse(bad)
		said := ""
		if err == nil {
			for _, x := range f.Findings {
				if x.Offset == int64(relocations) {
					said = x.Message
				}
			}
		}
		require.Equal(t, lost, said)
	}

	w := read(commands(nil).floatUniforms(95, mgl32.Vec4{1, 2, 3, 4}, mgl32.Vec4{5, 6, 7, 8}))
	require.Equal(t, mgl32.Vec4{1, 2, 3, 4}, w.floats[95])

	f := whole()
	f.Textures[1].Name, f.Textures[2].Name = f.Textures[0].Name, f.Textures[0].Name
	_, err := f.Write()
	require.ErrorContains(t, err, "Texture")

	f = &File{Models: []*Model{{Name: "m", userData: userData{values: []userValue{{Name: "v", words: []uint32{0x11223344}}}}}}}
	data = testkit.Must(f.Write())(t)
	place := bytes.Index(data, []byte{0x44, 0x33, 0x22, 0x11})
	for n, fits := range map[int]bool{1: true, (len(data) - place) / 4: true, (len(data)-place)/4 + 1: false, 0xFFFF: false} {
		bad := bytes.Clone(data)
		at := bytes.Index(bad, []byte{0, 0, 1, 0, byte(place - int(le.Uint32(data[8:])))}) // kind, number, pointer
		require.Positive(t, at)
		le.PutUint16(bad[at+2:], uint16(n))
		g := testkit.Must(Parse(bad))(t)
		if fits {
			require.Empty(t, g.Findings)
			require.Len(t, g.Models[0].userData.values[0].words, n)
		} else {
			require.Contains(t, fmt.Sprint(g.Findings), fmt.Sprintf("%d values do not fit into the file", n))
		}
	}
}

// Slots keep their state; a curve without data is missing. CGFX has a fourth rotation slot.
func TestElementSlots(t *testing.T) {
	curve := &Curve{Keys: []byte{1}}
	e := &Element{Type: typeTransform}
	for i := range e.Slots {
		e.Slots[i] = Slot{State: []cgfx.SlotState{cgfx.Constant, cgfx.Curved, cgfx.Curved, cgfx.Missing}[i%4], Value: float32(i) + 0.5}
		if i%4 == 1 {
			e.Slots[i].Curve = curve
		}
	}
	m := &cgfx.Member{}
	require.True(t, (&resources{}).member(&Animation{}, e, m))
	require.Equal(t, cgfx.TargetTransform, m.Type)
	for k, want := range []int{0, 1, 2, 3, 4, 5, -1, 6, 7, 8} {
		if want < 0 {
			require.Equal(t, cgfx.Slot{}, m.Slots[k])
			continue
		}
		require.Equal(t, float32(want)+0.5, m.Slots[k].Constant)
		require.Equal(t, want%4 == 1, m.Slots[k].Curve != nil)
		is := []cgfx.SlotState{cgfx.Constant, cgfx.Curved, cgfx.Missing, cgfx.Missing}[want%4]
		require.Equal(t, is, m.Slots[k].Is)
	}
	require.False(t, (&resources{}).member(&Animation{}, &Element{Type: 99}, m))
}
