package model

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Golden file: the settings of materials, as differences from the previous one.
func TestMaterialSettings(t *testing.T) {
	var b bytes.Buffer
	plain := Material{Base: NoTexture, Normal: NoTexture, EmissiveMap: NoTexture, BaseColor: mgl32.Vec4{1, 1, 1, 1}, Roughness: 1}
	texture := func(i int) Texture { r := NoTexture; r.Image = i; return r }
	before := map[string]string{}
	for _, c := range []struct {
		name   string
		change func(m *Material)
	}{
		{"plain", func(*Material) {}},
		{"coloured", func(m *Material) { m.BaseColor = mgl32.Vec4{0.5, 0.25, 0.75, 0.5}; m.Alpha = Blend }},
		{"textured", func(m *Material) { m.Base = texture(1) }},
		{"textured and coloured", func(m *Material) { m.Base = texture(1); m.BaseColor[1] = 0.5 }},
		{"cut out", func(m *Material) { m.Base = texture(1); m.Alpha, m.Cutoff = Mask, 0.25 }},
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
			m.MetalMap = &MetalMap{texture(4), 0.25, 0.5, 0.3, 0.6, true}
		}},
		{"partly metal with bumps, glowing", func(m *Material) {
			m.Metallic, m.Normal, m.Base, m.Emissive = 1, texture(2), texture(1), mgl32.Vec3{0.5, 1, 0.25}
			m.MetalMap = &MetalMap{texture(4), 0.75, 0.5, 0.3, 0.6, true}
		}},
		{"of the first image", func(m *Material) {
			m.Metallic, m.Base, m.Emissive, m.EmissiveMap = 0.5, texture(0), mgl32.Vec3{0.25, 0.5, 1}, texture(0)
			m.MetalMap = &MetalMap{texture(0), 0.25, 0.5, 0.3, 0.6, true}
		}},
		{"bumps of the first image", func(m *Material) {
			m.Metallic, m.Normal, m.Base = 0.5, texture(0), texture(0)
			m.MetalMap = &MetalMap{texture(0), 0.25, 0.5, 0.3, 0.6, true}
		}},
		{"unlit", func(m *Material) { m.Unlit = true; m.Base = texture(1) }},
	} {
		m := plain
		c.change(&m)
		for i := range 5 {
			s := m.Settings(i&1 != 0, i >= 2, i < 4)
			if i == 4 && !m.Mixed() {
				continue
			}
			fmt.Fprintf(&b, "%s, vertex colours %v, lit %v, masks %v: textures %d %d %d, metal %d * %.4g, shininess %.4g, mirror %.4g, blur %.4g\n", c.name, i&1 != 0, i >= 2, i < 4, s.Units[0].Image, s.Units[1].Image, s.Units[2].Image, s.Metal, s.MetalFactor, s.Shininess, s.Mirror, s.Blur)
			now := map[string]string{}
			for _, u := range s.Uniforms {
				text := fmt.Sprint(u.Value)
				if now[u.Name] = text; before[u.Name] != text {
					fmt.Fprintf(&b, "  %s: %s\n", u.Name, text)
				}
			}
			require.Len(t, now, len(s.Uniforms), "each uniform is set once")
			before = now
		}
	}
	testkit.Golden(t, "testdata/settings.txt", b.Bytes())
}

// Golden file: the vertices of generated shapes, and of an animated model.
func TestShapeVertices(t *testing.T) {
	var b bytes.Buffer
	part := func(name string, p Part, err error) {
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s: %d vertices, indices %v\n", name, len(p.Positions), p.Indices)
		for i := range p.Positions {
			fmt.Fprintf(&b, "  %.3f", p.Positions[i])
			if i < len(p.Normals) {
				fmt.Fprintf(&b, " normal %.3f", p.Normals[i])
			}
			if i < len(p.Tangents) {
				fmt.Fprintf(&b, " tangent %.3f", p.Tangents[i])
			}
			if i < len(p.Colors) {
				fmt.Fprintf(&b, " colour %.3f", p.Colors[i])
			}
			for _, uv := range p.UV {
				if i < len(uv) {
					fmt.Fprintf(&b, " at %.3f", uv[i])
				}
			}
			if i < len(p.Sizes) {
				fmt.Fprintf(&b, " size %.3f", p.Sizes[i])
			}
			fmt.Fprintln(&b)
		}
	}
	one := func(name string) func(p Part, err error) { return func(p Part, err error) { part(name, p, err) } }
	one("sphere")(Sphere(2, 4, 3))
	one("torus")(Torus(2, 0.5, 3, 4))
	one("knot")(Knot(1, 0.25, 5, 3))
	one("cylinder")(Cylinder(1, 0.5, 2, 3))
	one("plane")(Plane(2, 3, 2, 1))
	one("quad")(Quad(2, 3, 1, 2))
	one("terrain")(Terrain(2, 3, 1, 3, 3, 5))
	one("box")(Box(1, 2, 3, 2))
	one("points")(Points(3, mgl64.Vec3{1, 2, 3}, 0.5, mgl32.Vec4{1, 0.5, 0.25, 1}, 9))
	m := testkit.Must(Load("../../testdata/scenes/arm.gltf"))(t)
	for _, at := range []float64{0, 0.3, 0.75, 1.5, 99} {
		for anim := -1; anim < len(m.Animations); anim++ {
			p := testkit.Must(m.Pose(anim, at))(t)
			lo, hi, ok := m.Bounds(p)
			fmt.Fprintf(&b, "animation %d at %g: %.3f to %.3f, %v, weights %.3f\n", anim, at, lo, hi, ok, p.Weights)
			for i, n := range p.World {
				fmt.Fprintf(&b, "  %s %.3f\n", m.Nodes[i].Name, n)
			}
			for s := range m.Skins {
				fmt.Fprintf(&b, "  skin %d %.3f\n", s, m.Joints(p, s))
			}
		}
	}
	testkit.Golden(t, "testdata/shapes.txt", bytes.ReplaceAll(b.Bytes(), []byte("-0.000"), []byte("0.000")))
}
