package banner

import (
	"fmt"
	"hash/crc32"
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Golden file: findings in banners with one damaged position.
func TestDamagedBannerFindings(t *testing.T) {
	text := ""
	for _, c := range []struct {
		name           string
		from, to, step int
	}{{"kit.cgfx", 0x94, 0x5500, 404}, {"arm.bnr", 0, 0xA0, 12}} {
		data := testkit.Read(t, "../../testdata/models/"+c.name)
		text += c.name + "\n" + testkit.Damage(data, c.from, c.to, c.step, func(data []byte) (sentences []string, _ string) {
			list, err := Lint(data)
			if err != nil {
				return []string{err.Error()}, ""
			}
			for _, x := range list {
				sentences = append(sentences, fmt.Sprintf("%+v", x))
			}
			return sentences, ""
		})
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// Golden file: banners built from our own models, with every option.
func TestBuiltBanners(t *testing.T) {
	text := ""
	m := testkit.Must(model.Load("../../testdata/scenes/arm.gltf"))(t)
	for _, o := range []Options{{Animation: -1}, {Format: pica.TextureFormatRGBA8, Scale: 2}, {Format: pica.TextureFormatETC1, Unlit: true, MaxTexture: 8}, {Animation: 5}, {Format: pica.TextureFormatA4, Animation: -1}} {
		f, notes, err := Build(m, o)
		if err != nil {
			text += fmt.Sprintf("%+v: %v\n", o, err)
			continue
		}
		data, err := f.Relayout()
		text += fmt.Sprintf("%+v: %d bytes, CRC-32 %08x %v %q\n", o, len(data), crc32.ChecksumIEEE(data), err, notes)
	}
	for _, o := range []Options{{Format: pica.TextureFormatRGBA8, Animation: 0}, {Format: UsualFormat, Choose: true, MaxTexture: 16, Animation: -1}, {Format: pica.TextureFormatRGB565, MaxTexture: 7, Animation: -1}} {
		f, notes, err := Build(textured(), o)
		if err != nil {
			text += fmt.Sprintf("textured, %+v: %v\n", o, err)
			continue
		}
		data, err := f.Relayout()
		text += fmt.Sprintf("textured, %+v: %d bytes, CRC-32 %08x %v %q\n", o, len(data), crc32.ChecksumIEEE(data), err, notes)
		m := f.Models.Entries[0].Value
		for i, e := range m.Materials.Entries {
			x := e.Value
			text += fmt.Sprintf("  material %d %s: ", i, e.Name)
			if x.Mappers[0] != nil {
				text += fmt.Sprintf("%s, coordinates %d, commands %08x, ", x.Mappers[0].Texture.Path, x.TexCoords[0].Source, x.Mappers[0].Commands)
			}
			text += fmt.Sprintf("depth %08x, blend %08x, test %08x\n", x.DepthCommand, x.BlendCommand, x.Fragment.AlphaTest)
		}
		for _, e := range f.Textures.Entries {
			x := e.Value
			text += fmt.Sprintf("  texture %s: %dx%d %v, CRC-32 %08x\n", x.Name, x.Width, x.Height, x.Format, crc32.ChecksumIEEE(x.Images[0].Data))
		}
	}
	for animation := range 4 {
		m := jointed()
		f, notes, err := Build(m, Options{Format: pica.TextureFormatRGBA8, Animation: animation - 1, Unlit: animation == 2})
		require.NoError(t, err)
		data, err := f.Relayout()
		text += fmt.Sprintf("jointed, animation %d: %d bytes, CRC-32 %08x %v\n", animation-1, len(data), crc32.ChecksumIEEE(data), err)
		for _, n := range notes {
			text += "  " + n + "\n"
		}
		for _, e := range f.Models.Entries[0].Value.Skeleton.Bones.Entries {
			b := e.Value
			if b.ID > 20 {
				break
			}
			text += fmt.Sprintf("  bone %s of %d: flags %x, scale %v, rotation %v, translation %v\n", b.Name, b.ParentID, b.Flags, b.Scale, b.Rotation, b.Translation)
		}
	}
	for _, change := range []func(*model.Model){
		func(m *model.Model) { m.Nodes = nil },
		func(m *model.Model) { m.Nodes[0].Shown, m.Nodes[2].Shown = false, false },
		func(m *model.Model) { m.Meshes[0].Parts, m.Meshes[1].Parts = m.Meshes[0].Parts[1:3], nil },
	} {
		m := jointed()
		change(m)
		_, _, err := Build(m, Options{Format: pica.TextureFormatRGBA8, Animation: -1})
		text += fmt.Sprintf("less of it: %v\n", err)
	}
	point := textured()
	point.Nodes = point.Nodes[:1]
	point.Meshes[0].Parts = point.Meshes[0].Parts[:1]
	clear(point.Meshes[0].Parts[0].Positions)
	f, _, err := Build(point, Options{Format: pica.TextureFormatRGBA8, Animation: -1})
	require.NoError(t, err)
	text += fmt.Sprintf("a point: scale %v\n", f.Models.Entries[0].Value.Transform.Scale)
	testkit.Golden(t, "testdata/built.txt", []byte(text))
}

// jointed is a model with what a banner cannot hold as it is: matrices with rotation, mirroring and shear, repeated and missing
// names, more joints than a primitive set allows, points, morph targets, unused maps, animations of every kind.
func jointed() *model.Model {
	m := textured()
	m.Notes = []string{"a note of the file"}
	m.Images[1].Name = "image0"
	// Literals only: every processor rounds them the same way.
	turned := mgl64.Mat4{1.25, 1.5, 0, 0, -3, 2.5, 0, 0, 0, 0, 0.5, 0, 1, -2, 3, 1}
	mirrored := mgl64.Mat4{-1.25, -1.5, 0, 0, -3, 2.5, 0, 0, 0, 0, 0.5, 0, 1, -2, 3, 1}
	sheared := mgl64.Mat4{1.25, 1.5, 0, 0, -3, 2.5, 0, 0, 1, 2, 0.5, 0, 4, 5, -6, 1}
	flat := mgl64.Mat4{2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	for i, matrix := range []*mgl64.Mat4{&turned, &mirrored, &sheared, &flat, nil, nil} {
		n := model.Node{Name: []string{"second", "", "", "root", "joint", "joint"}[i], Parent: []int{0, 2, 0, 1, 0, 6}[i], TRS: model.Identity, Mesh: -1, Skin: -1, Shown: true}
		n.TRS.Matrix = matrix
		n.TRS.T[0], n.TRS.S[1] = float32(i%5), 1+float32(i%5)/4
		m.Nodes = append(m.Nodes, n)
	}
	skin := model.Skin{Name: "skin"}
	for j := range 2*maxBones + 3 {
		n := model.Node{Name: fmt.Sprint("bone", j), Parent: 6, TRS: model.Identity, Mesh: -1, Skin: -1, Shown: true}
		n.TRS.T = mgl32.Vec3{float32(j), float32(j % 3), 1}
		skin.Joints = append(skin.Joints, len(m.Nodes))
		skin.InverseBind = append(skin.InverseBind, mgl64.Mat4{0, 0, float64(1 - j%2*2), 0, 0, 1, 0, 0, -1, 0, 0.5, 0, float64(-j), 0.5, float64(j % 5), 1})
		m.Nodes = append(m.Nodes, n)
	}
	m.Skins = []model.Skin{skin}
	m.Nodes[2].Mesh, m.Nodes[2].Skin, m.Nodes[2].Weights = 1, 0, []float32{0.5, 2}
	skinned := &m.Meshes[1].Parts[0]
	*skinned = model.Part{Material: 5}
	for v := range 3 * (len(skin.Joints) - 2) {
		x := float32(v)
		skinned.Positions = append(skinned.Positions, mgl32.Vec3{x, 1 - x/8, x / 3})
		skinned.Normals = append(skinned.Normals, mgl32.Vec3{0.6, 0, -0.8})
		skinned.UV[1] = append(skinned.UV[1], mgl32.Vec2{x, -x})
		a := v/3 + v%3 // each triangle has a joint that the previous one lacks
		skinned.Joints = append(skinned.Joints, [4]uint16{0, uint16(a), 7, uint16(a)})
		skinned.Weights = append(skinned.Weights, mgl32.Vec4{0.2, 0.3 + float32(v%2)/10, 0.1, 0.35})
		skinned.Indices = append(skinned.Indices, uint16(v))
	}
	skinned.Morphs = []model.Morph{{Positions: make([]mgl32.Vec3, len(skinned.Positions))}, {Normals: make([]mgl32.Vec3, len(skinned.Positions))}}
	for v := range skinned.Positions {
		skinned.Morphs[0].Positions[v] = mgl32.Vec3{1, float32(v % 4), 2}
	}
	plain := &m.Meshes[1].Parts[1]
	plain.Joints, plain.Weights = make([][4]uint16, 4), make([]mgl32.Vec4, 4) // weights without a skin
	plain.Normals = nil
	m.Meshes[1].Parts[2].Morphs = []model.Morph{{Positions: []mgl32.Vec3{{1}, {2}, {3}, {0, 4}}}}
	m.Meshes[1].Weights = []float32{1}
	points := m.Meshes[0].Parts[1]
	points.Sizes = make([]mgl32.Vec4, 4)
	loose := m.Meshes[0].Parts[2]
	loose.Loose = true
	unlit, uncolored, neither := m.Meshes[0].Parts[0], m.Meshes[0].Parts[0], m.Meshes[0].Parts[0]
	unlit.Normals, uncolored.Colors = nil, nil
	neither.Normals, neither.Colors, neither.UV[1] = nil, nil, nil
	m.Meshes[0].Parts = []model.Part{m.Meshes[0].Parts[0], points, loose, {}, m.Meshes[0].Parts[3], unlit, uncolored, neither, unlit, uncolored, neither}
	m.Meshes[0].Parts[9].Material = -1
	for i := range m.Materials {
		x := &m.Materials[i]
		x.Name = []string{"", "", "m", "m", "m_2"}[i]
		x.DoubleSided, x.Unlit = i&1 == 0, i == 3
		x.Emissive, x.Cutoff = mgl32.Vec3{0.1 * float32(i), 0.5, 0.25}, float32(i)-1.5
		if i == 1 {
			x.Normal.Image = 0
		}
		if i == 2 {
			x.EmissiveMap.Image = 1
		}
	}
	last := model.DefaultMaterial()
	last.Name, last.Base = "fourth coordinates", model.Texture{Image: 2, UV: 3}
	m.Materials = append(m.Materials, last)
	m.Animations = append(m.Animations, model.Animation{Name: "none", Duration: 0.001, Channels: m.Animations[0].Channels},
		model.Animation{Name: "all", Duration: 0.5, Channels: []model.Channel{
			{Node: 0, Path: model.MorphWeights, Times: []float32{0, 0.5}, Values: []float32{0, 0, 1, 1}},
			{Node: 1, Path: model.Scaling, Times: []float32{0, 0.25, 0.5}, Values: []float32{1, 2, 3, 3, 1, 2, 2, 3, 1}},
			{Node: 1, Path: model.Rotation, Times: []float32{0, 0.5}, Values: []float32{0, 0, 0, 1, 0.6, 0, 0, 0.8}},
			{Node: 2, Path: model.Translation, Times: []float32{0, 0.5}, Values: []float32{0, 0, 0, 1, 1, 1}},
			{Node: 6, Path: model.Translation, Times: []float32{0, 0.5}, Values: []float32{5, 5, 5, 5, 5, 5}},
		}})
	return m
}

// textured is a model with wide and tall textures, each with its own filters, wraps and coordinates, shared materials and a moving
// node.
func textured() *model.Model {
	m := &model.Model{Nodes: []model.Node{{Name: "root", Parent: -1, TRS: model.Identity, Mesh: 0, Skin: -1, Shown: true}, {Name: "second", Parent: 0, TRS: model.Identity, Mesh: 1, Skin: -1, Shown: true}}}
	m.Nodes[1].TRS.T = mgl32.Vec3{1, 2, -3}
	for i, size := range []image.Point{{32, 8}, {8, 32}, {16, 16}} {
		pix := image.NewNRGBA(image.Rectangle{Max: size})
		for k := range pix.Pix {
			pix.Pix[k] = uint8(k*7 + k/size.X*3 + i*50)
			if k%4 == 3 && i != 1 {
				pix.Pix[k] = 255
			}
		}
		m.Images = append(m.Images, model.Image{Name: fmt.Sprint("image", i), Pix: pix})
	}
	part := func(material int) model.Part {
		p := model.Part{Material: material, Indices: []uint16{0, 1, 2, 2, 1, 3}}
		for n := range 4 {
			v := float32(n)
			p.Positions = append(p.Positions, mgl32.Vec3{v, v * v, float32(material) - v})
			p.Normals = append(p.Normals, mgl32.Vec3{0, 0.6, 0.8})
			p.Colors = append(p.Colors, mgl32.Vec4{v / 4, 0.5, 1 - v/4, 1})
			for i := range p.UV {
				p.UV[i] = append(p.UV[i], mgl32.Vec2{v / 3, float32(i) / 8})
			}
		}
		return p
	}
	for i, tex := range []model.Texture{
		{Image: 0, UV: 0, Sampler: model.Sampler{WrapU: model.ClampToEdge, MagLinear: true}}, {Image: 1, UV: 1, Sampler: model.Sampler{WrapV: model.MirroredRepeat, MinLinear: true}},
		{Image: 2, UV: 2, Sampler: model.Sampler{WrapU: model.MirroredRepeat, WrapV: model.ClampToEdge, MagLinear: true, MinLinear: true}}, {Image: 0}, model.NoTexture,
	} {
		x := model.DefaultMaterial()
		x.Name, x.Base, x.Alpha, x.Cutoff, x.BaseColor = fmt.Sprint("m", i), tex, model.AlphaMode(i%3), 0.3, mgl32.Vec4{0.25, 0.5, 0.75, 1}
		m.Materials = append(m.Materials, x)
	}
	m.Meshes = []model.Mesh{{Name: "a", Parts: []model.Part{part(0), part(1), part(2), part(0)}}, {Name: "b", Parts: []model.Part{part(3), part(4), part(1)}}}
	m.Animations = []model.Animation{{Name: "swing", Duration: 1.5, Channels: []model.Channel{
		{Node: 1, Path: model.Translation, Times: []float32{0, 0.5, 1.5}, Values: []float32{1, 2, -3, 4, 2, -3, 1, 0, -3}}, {Node: 0, Path: model.Rotation, Times: []float32{0, 1.5}, Values: []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}},
	}}}
	return m
}

// A format's loss is reported only above the limit.
func TestFormatLossLimit(t *testing.T) {
	for _, c := range []struct {
		e     encoded
		notes int
	}{{encoded{alpha: alphaLoss, color: colorLoss}, 0}, {encoded{alpha: alphaLoss + 1}, 1}, {encoded{color: colorLoss + 0.5}, 1}, {encoded{alpha: 255, color: 255}, 2}, {encoded{format: pica.TextureFormatA8, alpha: 99}, 2}} {
		b := builder{noted: map[string]bool{}}
		b.say("picture", &c.e)
		require.Len(t, b.notes, c.notes, "%+v", c.e)
		require.Equal(t, c.e.alpha > alphaLoss || c.e.color > colorLoss, c.e.shows())
	}
}
