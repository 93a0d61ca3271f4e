package banner

import (
	"fmt"
	"hash/crc32"
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/pica"
	"pica200/tests/testkit"
)

// What is said of banners that are damaged in one place.
func TestWhatIsSaidOfDamage(t *testing.T) {
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

// What banners of our own models are, with every option.
func TestWhatIsBuilt(t *testing.T) {
	text := ""
	m, err := model.Load("../../testdata/scenes/arm.gltf")
	require.NoError(t, err)
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
	testkit.Golden(t, "testdata/built.txt", []byte(text))
}

// textured is a model with textures that are wider than high and the other way round, each with filters, wraps and
// coordinates of its own, materials that are used twice, and a node that moves.
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
		{Image: 0, UV: 0, WrapU: model.ClampToEdge, MagLinear: true}, {Image: 1, UV: 1, WrapV: model.MirroredRepeat, MinLinear: true},
		{Image: 2, UV: 2, WrapU: model.MirroredRepeat, WrapV: model.ClampToEdge, MagLinear: true, MinLinear: true}, {Image: 0}, model.NoTexture,
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

// What a format does to a picture is said where it is more than may be, not where it is as much.
func TestLossThatIsSaid(t *testing.T) {
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
