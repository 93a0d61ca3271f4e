package shading

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Golden file: the uniforms of materials, as differences from the previous one.
func TestSettings(t *testing.T) {
	var b bytes.Buffer
	plain := Default
	plain.Name, plain.Cutoff, plain.Specular = "", 0, mgl32.Vec3{}
	texture := func(i int) model.Texture { r := model.NoTexture; r.Image = i; return r }
	partly := func(m *Material, image int, mean float32) {
		m.maskable = true
		m.MetalMap = texture(image)
		m.metal = &metal{metallic: mean, roughness: 0.5, metalRoughness: 0.3, restRoughness: 0.6, varies: true}
	}
	before := dmp.New(new(pica.Regs))
	for _, c := range []struct {
		name   string
		change func(m *Material)
	}{
		{"plain", func(*Material) {}},
		{"coloured", func(m *Material) { m.BaseColor = mgl32.Vec4{0.5, 0.25, 0.75, 0.5}; m.Alpha = model.Blend }},
		{"textured", func(m *Material) { m.Base = texture(1) }},
		{"textured and coloured", func(m *Material) { m.Base = texture(1); m.BaseColor[1] = 0.5 }},
		{"cut out", func(m *Material) { m.Base = texture(1); m.Alpha, m.Cutoff = model.Mask, 0.25 }},
		{"bumps", func(m *Material) { m.Normal = texture(2); m.Roughness = 0.1 }},
		{"glows", func(m *Material) { m.EmissiveMap = texture(3); m.Emissive = mgl32.Vec3{0.5, 1, 0.25} }},
		{"glows by itself", func(m *Material) { m.Emissive = mgl32.Vec3{0.5, 1, 0.25} }},
		{"metal", func(m *Material) {
			m.Metallic, m.Roughness, m.BaseColor = 0.75, 0.5, mgl32.Vec4{0.5, 0.25, 1, 1}
			m.Specular = mgl32.Vec3{0.04, 0.3, 0.2}
		}},
		{"textured metal", func(m *Material) { m.Metallic, m.Roughness, m.Base = 1, 0.25, texture(1) }},
		{"hardly metal", func(m *Material) { m.Metallic, m.Base = 0.25, texture(1) }},
		{"partly metal", func(m *Material) {
			m.Metallic, m.BaseColor, m.Specular = 0.5, mgl32.Vec4{0.5, 0.25, 1, 0.75}, mgl32.Vec3{0.04, 0.04, 0.04}
			partly(m, 4, 0.25)
		}},
		{"partly metal with bumps, glowing", func(m *Material) {
			m.Metallic, m.Normal, m.Base, m.Emissive = 1, texture(2), texture(1), mgl32.Vec3{0.5, 1, 0.25}
			partly(m, 4, 0.75)
		}},
		{"of the first image", func(m *Material) {
			m.Metallic, m.Base, m.Emissive, m.EmissiveMap = 0.5, texture(0), mgl32.Vec3{0.25, 0.5, 1}, texture(0)
			partly(m, 0, 0.25)
		}},
		{"bumps of the first image", func(m *Material) {
			m.Metallic, m.Normal, m.Base = 0.5, texture(0), texture(0)
			partly(m, 0, 0.25)
		}},
		{"other coordinates", func(m *Material) { partly(m, 1, 0.5); m.Metallic, m.maskable = 0.5, false }},
		{"unlit", func(m *Material) { m.Unlit = true; m.Base = texture(1) }},
	} {
		m := plain
		c.change(&m)
		for i := range 5 {
			if i == 4 && m.metal == nil {
				continue
			}
			on := Surface{Colors: i&1 != 0, Lit: i >= 2}
			if i == 4 {
				on.Unmasked = "the scene says no"
			}
			s := Of(&m, on)
			fmt.Fprintf(&b, "%s, {Colors:%v Lit:%v Unmasked:%s}: textures %d %d %d, metal %d * %.4g, masked %v %q", c.name, on.Colors, on.Lit, on.Unmasked, s.Units[0].Image, s.Units[1].Image, s.Units[2].Image,
				s.Units[1].Metal, s.Units[1].Factor, s.Masked, s.Mean)
			if s.Light != nil {
				fmt.Fprintf(&b, ", highlights %.4g", s.Light.Highlights)
			}
			fmt.Fprintln(&b)
			now := dmp.New(new(pica.Regs))
			require.NoError(t, s.Apply(now))
			for i := range dmp.Uniforms {
				name := dmp.Uniforms[i].Name
				if v := testkit.Must(now.Get(name))(t); fmt.Sprint(v) != fmt.Sprint(testkit.Must(before.Get(name))(t)) {
					fmt.Fprintf(&b, "  %s: %v\n", name, v)
				}
			}
			before = now
		}
	}
	testkit.Golden(t, "testdata/settings.txt", b.Bytes())
}

// The first texture's coordinates, transformed, become the first set of the parts of its material: a scale, a counter-clockwise
// rotation, an offset; those of others that differ become the sets of their units.
func TestFirstCoordinates(t *testing.T) {
	const missing = "a texture asks for coordinates that its mesh does not have; it is drawn with the first, or with those of one point"
	texture := func(uv int, x *model.Transform) model.Texture { return model.Texture{UV: uv, Transform: x} }
	moved := func(u, v, su, sv, turn float64) *model.Transform {
		return &model.Transform{Offset: [2]float64{u, v}, Scale: [2]float64{su, sv}, Rotation: turn}
	}
	for _, c := range []struct {
		name                         string
		base, normal, emissive, mean model.Texture
		u, v                         float32 // of the first vertex, from the top
		normalUV                     int
		notes                        []string
	}{
		{"none", texture(0, nil), model.NoTexture, model.NoTexture, model.NoTexture, 0.25, 0.5, 0, nil},
		{"moved", texture(0, moved(0.5, 0.125, 1, 1, 0)), model.NoTexture, model.NoTexture, model.NoTexture, 0.75, 0.625, 0, nil},
		{"scaled and moved", texture(0, moved(0.5, 0.125, 2, 4, 0)), model.NoTexture, model.NoTexture, model.NoTexture, 1, 2.125, 0, nil},
		{"turned", texture(0, moved(0, 0, 1, 1, math.Pi/2)), model.NoTexture, model.NoTexture, model.NoTexture, 0.5, -0.25, 0, nil},
		{"all", texture(0, moved(0.5, 0.25, 2, 4, math.Pi/2)), model.NoTexture, model.NoTexture, model.NoTexture, 2.5, -0.25, 0, nil},
		{"another set", texture(1, nil), texture(0, nil), model.NoTexture, model.NoTexture, 0.125, 0.75, 1, nil},
		{"another set, moved", texture(1, moved(1, 0, 1, 1, 0)), model.NoTexture, model.NoTexture, model.NoTexture, 1.125, 0.75, 0, nil},
		{"all textures alike", texture(0, moved(0, 0, 3, 1, 0)), texture(0, moved(0, 0, 3, 1, 0)), model.NoTexture, model.NoTexture, 0.75, 0.5, 0, nil},
		{"the other moved", texture(0, nil), texture(0, moved(0, 0, 3, 1, 0)), model.NoTexture, model.NoTexture, 0.25, 0.5, 1, nil},
		{"emissive alone", model.NoTexture, model.NoTexture, texture(1, nil), model.NoTexture, 0.125, 0.75, 0, nil},
		{"means have none", texture(0, nil), model.NoTexture, model.NoTexture, texture(1, nil), 0.25, 0.5, 0, nil},
		{"a set that is not there", texture(2, moved(1, 1, 1, 1, 0)), model.NoTexture, model.NoTexture, model.NoTexture, 0.25, 0.5, 0, []string{missing}},
	} {
		m := &model.Model{Images: []model.Image{{Pix: image.NewNRGBA(image.Rect(0, 0, 1, 1))}}, Materials: []model.Material{model.DefaultMaterial(), model.DefaultMaterial()}}
		of := &m.Materials[1]
		of.Base, of.Normal, of.EmissiveMap, of.MetalMap = c.base, c.normal, c.emissive, c.mean
		part := func(material int) model.Part {
			return model.Part{Material: material, UV: [3][]mgl32.Vec2{{{0.25, 0.5}}, {{0.125, 0.25}}}}
		}
		m.Meshes = []model.Mesh{{Parts: []model.Part{part(0), part(1)}}}
		for i := range 2 { // a second time changes nothing
			notes := Prepare(m).Notes
			if i == 0 {
				require.Equal(t, c.notes, notes, c.name)
			}
			require.Equal(t, part(0), m.Meshes[0].Parts[0], c.name)
			require.InDelta(t, c.u, m.Meshes[0].Parts[1].UV[0][0][0], 1e-6, c.name)
			require.InDelta(t, 1-c.v, m.Meshes[0].Parts[1].UV[0][0][1], 1e-6, c.name)
			require.Equal(t, c.normalUV, m.Materials[1].Normal.UV, c.name)
		}
	}
}

// The means of a metallic-roughness texture: over all texels, and weighted by metalness and its complement; with notes.
func TestMetalMeans(t *testing.T) {
	const rough = "roughness of metallic-roughness textures counts by its mean, one for what is metal and one for the rest; the PICA200 has no more tables for highlights"
	for _, c := range []struct {
		name             string
		metallic, factor float32
		texels           []uint8
		want             metal
		notes            []string
	}{
		{"two texels", 0.5, 0.5, []uint8{9, 51, 255, 255, 77, 153, 0, 255}, metal{0.25, 0.2, 0.1, 0.5 * (0.1 + 0.6) / 1.5, true}, []string{rough}},
		{"no metal", 0, 1, []uint8{9, 51, 255, 255, 77, 153, 0, 255}, metal{0, 0.4, 0.2, 0.4, false}, []string{rough}},
		{"all metal", 1, 1, []uint8{0, 51, 255, 255, 0, 51, 255, 255}, metal{1, 0.2, 0.2, 1, false}, nil},
		{"hardly different", 1, 1, []uint8{0, 51, 15, 255, 0, 67, 0, 255}, metal{7.5 / 255, 59. / 255, 0.2, (51*240 + 67*255) / 495. / 255, false}, nil},
		{"a little different", 1, 1, []uint8{0, 51, 15, 255, 0, 68, 0, 255}, metal{7.5 / 255, 59.5 / 255, 0.2, (51*240 + 68*255) / 495. / 255, false}, []string{rough}},
	} {
		pix := image.NewNRGBA(image.Rect(0, 0, len(c.texels)/4, 1))
		copy(pix.Pix, c.texels)
		m := &model.Model{Images: []model.Image{{Pix: pix}}, Materials: []model.Material{model.DefaultMaterial()}}
		m.Materials[0].Metallic, m.Materials[0].Roughness, m.Materials[0].MetalMap = c.metallic, c.factor, model.Texture{Image: 0}
		p := Prepare(m)
		got := p.At(0).metal
		for _, v := range [][2]float32{{c.want.metallic, got.metallic}, {c.want.roughness, got.roughness}, {c.want.metalRoughness, got.metalRoughness}, {c.want.restRoughness, got.restRoughness}} {
			require.InDelta(t, v[0], v[1], 1e-6, "%s: %+v", c.name, got)
		}
		require.Equal(t, c.want.varies, got.varies, c.name)
		require.Equal(t, c.notes, p.Notes, c.name)
		require.Same(t, &Default, p.At(-1))
	}
}

// A metal's reflected surroundings are added to its highlight table.
func TestHighlight(t *testing.T) {
	smooth := func(from, to, x float64) float64 {
		u := math.Max(0, math.Min(1, (x-from)/(to-from)))
		return u * u * (3 - 2*u)
	}
	for _, h := range []Highlight{{Shininess: 40}, {Shininess: 40, Mirror: 1}, {Shininess: 4, Mirror: 0.5, Blur: 1}} {
		table := h.Table()
		require.Len(t, table, 257)
		for i, v := range table {
			x := float64(i) / 256
			want := math.Pow(x, h.Shininess)
			if h.Mirror > 0 {
				edge := 0.02 + 0.2*h.Blur
				seen := 0.1 + 0.4*smooth(0, 1, x) + 0.3*(smooth(0.5-edge, 0.5+edge, x)-smooth(0.78-edge, 0.78+edge, x))
				want = math.Min(1, want*math.Sqrt(h.Shininess/64)+h.Mirror*seen)
			}
			require.InDelta(t, want, v, 1e-3, "%+v at %g", h, x)
		}
	}
}
