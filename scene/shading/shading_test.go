package shading

import (
	"bytes"
	"fmt"
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
	plain := model.Material{Base: model.NoTexture, Normal: model.NoTexture, EmissiveMap: model.NoTexture, BaseColor: mgl32.Vec4{1, 1, 1, 1}, Roughness: 1}
	texture := func(i int) model.Texture { r := model.NoTexture; r.Image = i; return r }
	partly := func(of model.Texture, mean float32) *model.MetalMap {
		return &model.MetalMap{Texture: of, Metallic: mean, Roughness: 0.5, MetalRoughness: 0.3, RestRoughness: 0.6, Varies: true}
	}
	before := dmp.New(new(pica.Regs))
	for _, c := range []struct {
		name   string
		change func(m *model.Material)
	}{
		{"plain", func(*model.Material) {}},
		{"coloured", func(m *model.Material) { m.BaseColor = mgl32.Vec4{0.5, 0.25, 0.75, 0.5}; m.Alpha = model.Blend }},
		{"textured", func(m *model.Material) { m.Base = texture(1) }},
		{"textured and coloured", func(m *model.Material) { m.Base = texture(1); m.BaseColor[1] = 0.5 }},
		{"cut out", func(m *model.Material) { m.Base = texture(1); m.Alpha, m.Cutoff = model.Mask, 0.25 }},
		{"bumps", func(m *model.Material) { m.Normal = texture(2); m.Roughness = 0.1 }},
		{"glows", func(m *model.Material) { m.EmissiveMap = texture(3); m.Emissive = mgl32.Vec3{0.5, 1, 0.25} }},
		{"glows by itself", func(m *model.Material) { m.Emissive = mgl32.Vec3{0.5, 1, 0.25} }},
		{"metal", func(m *model.Material) {
			m.Metallic, m.Roughness, m.BaseColor = 0.75, 0.5, mgl32.Vec4{0.5, 0.25, 1, 1}
			m.Specular = mgl32.Vec3{0.04, 0.3, 0.2}
		}},
		{"textured metal", func(m *model.Material) { m.Metallic, m.Roughness, m.Base = 1, 0.25, texture(1) }},
		{"hardly metal", func(m *model.Material) { m.Metallic, m.Base = 0.25, texture(1) }},
		{"partly metal", func(m *model.Material) {
			m.Metallic, m.BaseColor, m.Specular = 0.5, mgl32.Vec4{0.5, 0.25, 1, 0.75}, mgl32.Vec3{0.04, 0.04, 0.04}
			m.MetalMap = partly(texture(4), 0.25)
		}},
		{"partly metal with bumps, glowing", func(m *model.Material) {
			m.Metallic, m.Normal, m.Base, m.Emissive = 1, texture(2), texture(1), mgl32.Vec3{0.5, 1, 0.25}
			m.MetalMap = partly(texture(4), 0.75)
		}},
		{"of the first image", func(m *model.Material) {
			m.Metallic, m.Base, m.Emissive, m.EmissiveMap = 0.5, texture(0), mgl32.Vec3{0.25, 0.5, 1}, texture(0)
			m.MetalMap = partly(texture(0), 0.25)
		}},
		{"bumps of the first image", func(m *model.Material) {
			m.Metallic, m.Normal, m.Base = 0.5, texture(0), texture(0)
			m.MetalMap = partly(texture(0), 0.25)
		}},
		{"unlit", func(m *model.Material) { m.Unlit = true; m.Base = texture(1) }},
	} {
		m := plain
		c.change(&m)
		for i := range 5 {
			if i == 4 && m.MetalMap == nil {
				continue
			}
			on := Surface{Colors: i&1 != 0, Lit: i >= 2, Masks: i < 4}
			s := Of(&m, on)
			fmt.Fprintf(&b, "%s, %+v: textures %d %d %d, metal %d * %.4g, masked %v, mean %v", c.name, on, s.Units[0].Image, s.Units[1].Image, s.Units[2].Image,
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
