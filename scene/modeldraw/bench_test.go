package modeldraw

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
	"pica200/tests/testkit"
)

// BenchmarkBanner opens banners of the largest size that the menu accepts and draws the first picture on a new GPU: reading,
// decompression, uploads, programs, texture decoding, drawing. One banner is mostly geometry, one mostly visible textures.
func BenchmarkBanner(b *testing.B) {
	for _, kind := range []struct {
		name string
		make func(testing.TB) []byte
	}{{"geometry", largest}, {"textures", largestTextured}} {
		data := kind.make(b)
		packed := testkit.Must(cgfx.BuildBanner(data, nil))(b)
		for _, form := range []struct {
			name string
			data []byte
		}{{"cgfx", data}, {"bnr", packed}} {
			b.Run(kind.name+"."+form.name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					g, _, _, err := picture(b.Context(), form.data, 400, 240, 0)
					if err != nil {
						b.Fatal(err)
					}
					g.Close()
				}
			})
		}
	}
}

// largest makes a banner of nearly 0x80000 bytes: as many copies of the arm's geometry as fit.
func largest(tb testing.TB) []byte {
	data := testkit.Must(os.ReadFile("../../testdata/models/arm.cgfx"))(tb)
	f := testkit.Must(cgfx.Parse(data))(tb)
	m := f.Models.Get(Common)
	for {
		s := *m.Shapes[0]
		in := *s.Attributes[0]
		in.Data = append([]byte(nil), in.Data...)
		s.Attributes = append([]*cgfx.Attribute{&in}, s.Attributes[1:]...)
		mesh := *m.Meshes[0]
		mesh.Shape = uint32(len(m.Shapes))
		m.Shapes, m.Meshes = append(m.Shapes, &s), append(m.Meshes, &mesh)
		out := testkit.Must(f.Relayout())(tb)
		if len(out) > cgfx.BannerLimit {
			return data
		}
		data = out
	}
}

// largestTextured makes a banner of nearly 0x80000 bytes: seven ETC1A4 textures of 256x256 texels on translucent squares behind
// each other, so that all are read.
func largestTextured(tb testing.TB) []byte {
	m := &model.Model{}
	for i := range 7 {
		mat := model.DefaultMaterial()
		mat.Name, mat.Unlit, mat.Alpha = fmt.Sprint("sheet", i), true, model.Blend
		mat.Base = model.Texture{Image: i}
		m.Images = append(m.Images, model.Image{Name: fmt.Sprint("noise", i), Pix: image.NewNRGBA(image.Rect(0, 0, 8, 8))})
		m.Materials = append(m.Materials, mat)
		z := float32(i)
		m.Meshes = append(m.Meshes, model.Mesh{Parts: []model.Part{{Material: i, Indices: []uint16{0, 1, 2, 2, 1, 3},
			Positions: []mgl32.Vec3{{-8, -8, z}, {8, -8, z}, {-8, 8, z}, {8, 8, z}},
			UV:        [3][]mgl32.Vec2{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}}}}})
		m.Nodes = append(m.Nodes, model.Node{Name: fmt.Sprint("sheet", i), Parent: -1, TRS: model.Identity, Mesh: i, Skin: -1, Shown: true})
	}
	f, _, err := banner.Build(m, banner.Options{Format: pica.TextureFormatETC1A4, Animation: -1, Unlit: true})
	require.NoError(tb, err)
	r := rand.New(rand.NewPCG(1, 2))
	require.Len(tb, f.Textures.Entries, 7)
	for _, t := range f.Textures.Values() {
		t.Width, t.Height = 256, 256
		im := t.Images[0]
		im.Width, im.Height, im.Data = 256, 256, make([]byte, 256*256)
		for i := range im.Data {
			im.Data[i] = byte(r.Uint32())
		}
	}
	out := testkit.Must(f.Relayout())(tb)
	require.Less(tb, len(out), cgfx.BannerLimit)
	return out
}
