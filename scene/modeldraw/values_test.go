package modeldraw

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	export "pica200/assets/model"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Sets with more bones than the program supports are drawn in pieces with the same triangles, positions and bones.
func TestBonesAboveProgramLimit(t *testing.T) {
	const vertices, boneCount = 120, 50
	make := func(skin cgfx.Skinning, scale float32) *primitives {
		p := &primitives{skin: skin, count: vertices}
		for i := range p.streams {
			p.streams[i] = stream{scale: 1, constant: absent[i]}
		}
		for i := range boneCount {
			p.bones = append(p.bones, uint32(3*i+7))
		}
		var place, ids, weights []byte
		for v := range vertices {
			for k := range 3 {
				place = binary.LittleEndian.AppendUint32(place, math.Float32bits(float32(10*v+k)))
			}
			// The third bone has no weight; one bone of the last vertex does not exist.
			for _, b := range []int{v * 7 % boneCount, (v + 1) % boneCount, (v + 25) % boneCount} {
				if v == vertices-1 {
					b = 60
				}
				ids = append(ids, byte(float32(b)/scale))
			}
			weights = append(weights, 100, 155, 0)
		}
		p.streams[cgfx.Position] = stream{data: place, typ: pica.AttribFloat, size: 3, stride: 12, scale: 1}
		p.streams[cgfx.BoneIndex] = stream{data: ids, typ: pica.AttribUByte, size: 3, stride: 3, scale: scale}
		p.streams[cgfx.BoneWeight] = stream{data: weights, typ: pica.AttribUByte, size: 3, stride: 3, scale: 1. / 255}
		p.has[cgfx.Position], p.has[cgfx.BoneIndex] = true, true
		var list []byte
		for i := range 99 {
			list = append(list, byte((37*i+i/3)%vertices))
		}
		list = append(list, 119, 118, 0, 5, 6) // two indices do not make a triangle
		p.draws = []indices{{pica.PrimitiveTriangles, pica.IndexByte, list[:60], 60}, {pica.PrimitiveTriangles, pica.IndexByte, list[60:], 44}}
		return p
	}
	for _, c := range []struct {
		skin  cgfx.Skinning
		scale float32
		bones int // bones per vertex
		least int // minimum number of pieces
	}{{cgfx.Rigid, 1, 1, 2}, {cgfx.Rigid, 0.5, 1, 2}, {cgfx.Smooth, 1, 2, 3}} {
		p := make(c.skin, c.scale)
		require.NoError(t, p.split())
		require.GreaterOrEqual(t, len(p.pieces), c.least)
		piece, at, corners := 0, 0, 0
		for _, d := range p.draws {
			for i := range d.n / 3 * 3 {
				if at == p.pieces[piece].draws[0].n {
					piece, at = piece+1, 0
				}
				q := p.pieces[piece]
				v, w := int(d.at(i)), int(q.draws[0].at(at))
				require.Less(t, w, q.count)
				require.Equal(t, p.streams[cgfx.Position].at(v), q.streams[cgfx.Position].at(w))
				for k := range c.bones {
					want := p.bones[p.number(p.streams[cgfx.BoneIndex].at(v)[k]*c.scale)]
					got := q.streams[cgfx.BoneIndex].at(w)[k] * q.streams[cgfx.BoneIndex].scale
					require.Equal(t, want, q.bones[int(got)], "vertex %d, bone %d", v, k)
				}
				at++
				corners++
			}
		}
		require.Equal(t, 102, corners, "the two leftover indices form no triangle")
		for i, q := range p.pieces {
			require.LessOrEqual(t, len(q.bones), maxBones)
			require.Equal(t, q.count*12, len(q.streams[cgfx.Position].data), "a piece holds only the vertices that it needs")
			require.Equal(t, p.has, q.has)
			require.Equal(t, p.skin, q.skin)
			if i > 0 { // as many triangles as the bones allow
				need := map[uint32]bool{}
				for _, b := range append(append([]uint32{}, p.pieces[i-1].bones...), q.bones...) {
					need[b] = true
				}
				require.Greater(t, len(need), maxBones)
			}
		}
	}
	strip := make(cgfx.Rigid, 1)
	strip.draws[0].mode = pica.PrimitiveTriangleStrip
	require.EqualError(t, strip.split(), "a strip or fan with 50 bones; at most 20 can be drawn")
	still := make(cgfx.Unskinned, 1)
	require.NoError(t, still.split())
	require.Nil(t, still.pieces, "vertices of one bone are not split")
	for x, want := range map[float32]int{-1: 0, 0: 0, 49: 49, 49.5: 49, 50: 0} {
		require.Equal(t, want, strip.number(x))
	}
}

// Texture coordinate matrices follow the conventions of three programs. Without an animation the file's matrix is used.
func TestTextureCoordinateMatrices(t *testing.T) {
	c := cgfx.TexCoord{Scale: mgl32.Vec2{2, 3}, Rotation: 0.5, Translation: mgl32.Vec2{0.25, 0.125}}
	sin, cos := math.Sincos(0.5)
	for way, want := range map[uint32][2]mgl32.Vec4{
		0: {{float32(2 * cos), float32(-2 * sin), 0, float32(2 * (0.5*sin - 0.5*cos + 0.5 - 0.25))}, {float32(3 * sin), float32(3 * cos), 0, float32(3 * (-0.5*sin - 0.5*cos + 0.5 - 0.125))}},
		1: {{float32(2 * cos), float32(-2 * sin), 0, float32(2 * (-cos*0.25 - sin*0.125))}, {float32(3 * sin), float32(3 * cos), 0, float32(3 * (sin*0.25 - cos*0.125))}},
		2: {{float32(2 * cos), float32(-2 * sin), 0, float32(2*cos*(-0.75) - 2*sin*(-0.375) + 0.5)}, {float32(3 * sin), float32(3 * cos), 0, float32(3*sin*(-0.75) + 3*cos*(-0.375) + 0.5)}},
	} {
		c.Convention = way
		for _, moved := range []bool{false, true} {
			got := coordMatrix(&c, moved)
			for r := range want {
				require.InDeltaSlice(t, want[r][:], got[r][:], 1e-6, "convention %d, row %d", way, r)
			}
			require.Equal(t, mgl32.Vec4{0, 0, 1, 0}, got[2])
		}
	}
	c.Matrix = cgfx.Matrix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	require.Equal(t, [3]mgl32.Vec4{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, coordMatrix(&c, false))
	require.InDelta(t, 2*cos, coordMatrix(&c, true)[0][0], 1e-6)
}

// Bones follow every kind of animation: curves, a transform per frame, a matrix per frame.
func TestBoneAnimationKinds(t *testing.T) {
	rest := bone{scale: mgl32.Vec3{1, 2, 3}, rotation: mgl32.Vec3{0.1, 0.2, 0.3}, translation: mgl32.Vec3{4, 5, 6}}
	span := cgfx.Span{Start: 0, End: 1}
	fixed := func(v float32) cgfx.Slot { return cgfx.Slot{Is: cgfx.Constant, Constant: v} }
	b := rest
	m := &cgfx.Member{Type: cgfx.TargetTransform}
	for i := range m.Slots {
		m.Slots[i] = fixed(float32(i) + 10)
	}
	m.Slots[1], m.Slots[5], m.Slots[8] = cgfx.Slot{}, cgfx.Slot{}, cgfx.Slot{}
	b.animate(m, 0)
	require.Equal(t, bone{scale: mgl32.Vec3{10, 2, 12}, rotation: mgl32.Vec3{13, 14, 0.3}, translation: mgl32.Vec3{17, 5, 19}}, b)

	b = rest
	m = &cgfx.Member{Type: cgfx.TargetBaked, Translations: &cgfx.Vectors{Baked: cgfx.Baked{Span: span, Values: []float32{1, 2, 3, 3, 6, 9}}}}
	b.animate(m, 0.25)
	require.Equal(t, bone{scale: rest.scale, rotation: rest.rotation, translation: mgl32.Vec3{1.5, 3, 4.5}}, b)
	s := float32(math.Sqrt(0.5))
	m.Scales = &cgfx.Vectors{Baked: cgfx.Baked{Span: span, Values: []float32{2, 2, 2, 4, 6, 10}}}
	m.Rotations = &cgfx.Rotations{Baked: cgfx.Baked{Span: span, Values: []float32{0, 0, 0, 1, 0, 0, s, s}}}
	m.Translations = &cgfx.Vectors{Baked: cgfx.Baked{Span: span}}
	b = rest
	b.animate(m, 0.5)
	require.Equal(t, mgl32.Vec3{3, 4, 6}, b.scale)
	require.Equal(t, rest.translation, b.translation, "an animation without frames keeps the rest position")
	got, want := b.rotationMatrix(), mgl64.HomogRotate3DZ(math.Pi/4)
	require.InDeltaSlice(t, want[:], got[:], 1e-6)
	m.Rotations.Values = nil
	b = rest
	b.animate(m, 0.5)
	require.Nil(t, b.quaternion)

	b = rest
	m = &cgfx.Member{Type: cgfx.TargetMatrix}
	b.animate(m, 0)
	require.Equal(t, rest, b)
	m.Matrices = &cgfx.Matrices{Baked: cgfx.Baked{Span: span, Values: []float32{1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 2, 0, 0, 8, 0, 2, 0, 9, 0, 0, 2, 10}}}
	b.animate(m, 1)
	require.Equal(t, mgl64.Mat4FromCols(mgl64.Vec4{2, 0, 0, 0}, mgl64.Vec4{0, 2, 0, 0}, mgl64.Vec4{0, 0, 2, 0}, mgl64.Vec4{8, 9, 10, 1}), *b.matrix)
	m.Matrices.Values = nil
	b = rest
	b.animate(m, 1)
	require.Nil(t, b.matrix)

	a := &cgfx.Animation{Frames: 10}
	for f, want := range map[float64]float32{-1: 0, 0: 0, 4: 4, 10: 10, 11: 10} {
		require.Equal(t, want, frame(a, f))
	}
	a.Loops = 1
	for f, want := range map[float64]float32{-1: 9, 0: 0, 4: 4, 10: 0, 23: 3} {
		require.Equal(t, want, frame(a, f))
	}
	for _, n := range []float32{0, -1, float32(math.NaN()), float32(math.Inf(1))} {
		a.Frames = n
		require.Zero(t, frame(a, 5))
	}
}

// Stored results for drawing, describing and exporting models with one odd value: what cannot be drawn is left out, and the rest is
// unchanged.
func TestModelsWithOddValues(t *testing.T) {
	type change struct {
		file, name string
		do         func(f *cgfx.File)
	}
	model := func(f *cgfx.File) *cgfx.Model { return f.Models.Values()[0] }
	material := func(do func(m *cgfx.Material)) func(*cgfx.File) {
		return func(f *cgfx.File) {
			for _, m := range model(f).Materials.Values() {
				do(m)
			}
		}
	}
	fragment := func(do func(s *cgfx.FragmentShader)) func(*cgfx.File) {
		return material(func(m *cgfx.Material) {
			if m.Fragment != nil {
				do(m.Fragment)
			}
		})
	}
	shape := func(do func(s *cgfx.Shape)) func(*cgfx.File) {
		return func(f *cgfx.File) { do(model(f).Shapes[0]) }
	}
	bones := func(do func(b *cgfx.Bone)) func(*cgfx.File) {
		return func(f *cgfx.File) {
			for _, b := range model(f).Skeleton.Bones.Values() {
				do(b)
			}
		}
	}
	lights := func(do func(l *cgfx.Light)) func(*cgfx.File) {
		return func(f *cgfx.File) {
			for _, l := range f.Lights.Values() {
				do(l)
			}
		}
	}
	// lit enables fragment lighting with all six tables for every material.
	lit := func(do func(s *cgfx.FragmentShader)) func(*cgfx.File) {
		return func(f *cgfx.File) {
			material(func(m *cgfx.Material) {
				m.Flags = m.Flags&^cgfx.MaterialVertexLit | cgfx.MaterialFragmentLit
				m.LightSet = 1
			})(f)
			fragment(func(s *cgfx.FragmentShader) {
				s.LightFlags, s.Layer, s.Tables = 0x3F, 8, &cgfx.FragmentTables{}
				for i := range s.Tables.Tables {
					s.Tables.Tables[i] = &cgfx.LightTable{Table: &cgfx.TableRef{Kind: 0x40000000, Set: "Tables", Name: "Falloff"}}
				}
				do(s)
			})(f)
		}
	}
	nan := float32(math.NaN())
	list := []change{
		{"kit", "as it is", func(*cgfx.File) {}}, {"more", "as it is", func(*cgfx.File) {}},
		{"kit", "no scenes", func(f *cgfx.File) { f.Scenes.Entries = nil }}, {"more", "no scenes", func(f *cgfx.File) { f.Scenes.Entries = nil }},
		{"more", "no scenes and fog 1", func(f *cgfx.File) {
			f.Scenes.Entries = nil
			material(func(m *cgfx.Material) { m.Fog = 1 })(f)
		}},
		{"more", "no lights", func(f *cgfx.File) { f.Lights.Entries = nil }},
		{"more", "light set 9", material(func(m *cgfx.Material) { m.LightSet = 9 })}, {"kit", "light set 9", material(func(m *cgfx.Material) { m.LightSet = 9 })},
		{"more", "nine lights", func(f *cgfx.File) {
			for _, s := range f.Scenes.Values()[0].LightSets {
				for len(s.Lights) > 0 && len(s.Lights) < 9 {
					s.Lights = append(s.Lights, s.Lights...)
				}
			}
		}},
		{"more", "empty items of scenes", func(f *cgfx.File) {
			s := f.Scenes.Values()[0]
			s.LightSets, s.Fogs = append([]*cgfx.LightSet{nil}, s.LightSets...), append([]*cgfx.SceneItem{nil}, s.Fogs...)
			for _, l := range s.LightSets[1:] {
				l.Lights = append([]*cgfx.SceneItem{nil}, l.Lights...)
			}
		}},
		{"more", "lights that are off", lights(func(l *cgfx.Light) { l.Enabled = 0 })},
		{"more", "lights at a point", lights(func(l *cgfx.Light) { l.Type = 1; l.LastFlags = 6 })},
		{"more", "spots", lights(func(l *cgfx.Light) { l.Type = 2; l.LastFlags = 8; l.Direction = mgl32.Vec3{1, 2, -3} })},
		{"more", "lights of no direction", lights(func(l *cgfx.Light) { l.Direction = mgl32.Vec3{} })},
		{"more", "lights far away", lights(func(l *cgfx.Light) { l.Type = 1; l.Translation = mgl32.Vec3{1e6, 0, 0} })},
		{"more", "lights nowhere", lights(func(l *cgfx.Light) { l.Type = 1; l.Translation[1] = nan })},
		{"more", "lights of odd colours", lights(func(l *cgfx.Light) { l.Diffuse = mgl32.Vec4{-1, 2, 0.5, nan}; l.Ambient = mgl32.Vec4{nan, 0.25, 3, 0} })},
		{"more", "lights that are named wrongly", func(f *cgfx.File) {
			for _, s := range f.Scenes.Values()[0].LightSets {
				for _, l := range s.Lights {
					l.Name += "?"
				}
			}
		}},
		{"kit", "bones of other numbers", bones(func(b *cgfx.Bone) { b.ID += 3 })},
		{"kit", "bones the other way round", func(f *cgfx.File) {
			n := uint32(len(model(f).Skeleton.Bones.Entries))
			bones(func(b *cgfx.Bone) { b.ID = n - 1 - b.ID })(f)
		}},
		{"kit", "parents by number", bones(func(b *cgfx.Bone) { b.Parent = nil })},
		{"kit", "parents that are none", bones(func(b *cgfx.Bone) { b.Parent = nil; b.ParentID = 99 })},
		{"kit", "roots", bones(func(b *cgfx.Bone) { b.Parent = nil; b.ParentID = -1 })},
		{"kit", "bones that are their own parents", bones(func(b *cgfx.Bone) { b.Parent = b })},
		{"kit", "bones without size", bones(func(b *cgfx.Bone) { b.Scale = mgl32.Vec3{} })},
		{"kit", "bones nowhere", bones(func(b *cgfx.Bone) { b.Translation[0] = nan })},
		{"kit", "no skeleton", func(f *cgfx.File) { model(f).Skeleton = nil }},
		{"kit", "a model nowhere", func(f *cgfx.File) { model(f).Transform.Scale[2] = nan }},
		{"kit", "a model that is moved", func(f *cgfx.File) {
			model(f).Transform.Translation = mgl32.Vec3{1, 2, 3}
			model(f).Transform.Rotation = mgl32.Vec3{0.1, 0.2, 0.3}
		}},
		{"kit", "hidden", func(f *cgfx.File) { model(f).Visible = 0 }},
		{"kit", "hidden meshes", func(f *cgfx.File) {
			for i, m := range model(f).Meshes {
				m.Visible = uint8(i & 1)
			}
		}},
		{"kit", "meshes that are drawn the other way round", func(f *cgfx.File) {
			for i, m := range model(f).Meshes {
				m.Priority = uint8(200 - i)
			}
		}},
		{"kit", "meshes of a node", func(f *cgfx.File) {
			model(f).NodeVisibilities.Add("off", &cgfx.NodeVisibility{Name: "off"})
			model(f).NodeVisibilities.Add("on", &cgfx.NodeVisibility{Name: "on", Visible: 1})
			for i, m := range model(f).Meshes {
				m.Node = uint16(i & 3)
			}
		}},
		{"kit", "meshes of no shape", func(f *cgfx.File) {
			model(f).Meshes[0].Shape = uint32(len(model(f).Shapes))
			model(f).Meshes[1] = nil
			model(f).Shapes[model(f).Meshes[2].Shape] = nil
		}},
		{"kit", "meshes of no material", func(f *cgfx.File) {
			model(f).Meshes[0].Material = uint32(len(model(f).Materials.Entries))
			model(f).Materials.Entries[model(f).Meshes[1].Material].Value = nil
		}},
		{"kit", "layers", func(f *cgfx.File) {
			for i, m := range model(f).Materials.Values() {
				m.Translucency = uint32(3 - i%5)
			}
		}},
		{"kit", "no textures", func(f *cgfx.File) { f.Textures.Entries = nil }},
		{"kit", "units without texture", material(func(m *cgfx.Material) {
			if m.Mappers[0] != nil {
				m.Mappers[0].Texture = nil
			}
		})},
		{"kit", "textures that refer to themselves", func(f *cgfx.File) {
			x := f.Textures.Values()[0]
			x.Kind, x.Path, x.Target = cgfx.KindTextureRef, x.Name, nil
		}},
		{"kit", "textures of no size", func(f *cgfx.File) {
			for _, x := range f.Textures.Values() {
				x.Width = 0
			}
		}},
		{"kit", "textures of odd sizes", func(f *cgfx.File) {
			for _, x := range f.Textures.Values() {
				x.Width, x.Height = x.Width-1, x.Height-3
			}
		}},
		{"kit", "too large textures", func(f *cgfx.File) {
			for _, x := range f.Textures.Values() {
				x.Width, x.Height = 2048, 2048
			}
		}},
		{"kit", "no fragment shaders", material(func(m *cgfx.Material) { m.Fragment = nil })},
		{"kit", "fragment lighting for all", material(func(m *cgfx.Material) { m.Flags |= cgfx.MaterialFragmentLit; m.Flags &^= cgfx.MaterialVertexLit })},
		{"kit", "vertex lighting for all", material(func(m *cgfx.Material) { m.Flags |= cgfx.MaterialVertexLit; m.Flags &^= cgfx.MaterialFragmentLit })},
		{"more", "vertex lighting for all", material(func(m *cgfx.Material) { m.Flags |= cgfx.MaterialVertexLit; m.Flags &^= cgfx.MaterialFragmentLit })},
		{"more", "a sky for all", material(func(m *cgfx.Material) { m.Flags |= cgfx.MaterialHemisphereLit })},
		{"more", "fog for all", material(func(m *cgfx.Material) { m.Flags |= cgfx.MaterialFogged })},
		{"more", "fogs of other kinds", func(f *cgfx.File) {
			for i, g := range f.Fogs.Values() {
				if g.Updater != nil {
					g.Updater.Type = uint32(i + 1)
				}
			}
		}},
		{"more", "fog without distance", func(f *cgfx.File) {
			for _, g := range f.Fogs.Values() {
				if g.Updater != nil {
					g.Updater.Near, g.Updater.Far = 5, 5
				}
			}
		}},
		{"more", "no fogs", func(f *cgfx.File) { f.Fogs.Entries = nil }},
		{"kit", "colours beyond 1", material(func(m *cgfx.Material) {
			m.Colors.Diffuse, m.Colors.Emission = mgl32.Vec4{2, -1, nan, 0.5}, mgl32.Vec4{0.25, 0.5, 0.75, 3}
			m.Colors.Constant[0] = mgl32.Vec4{-1, 2, nan, 0.5}
			m.BlendColor = mgl32.Vec4{0.1, 0.2, 2, 0.4}
		})},
		{"kit", "no depth", material(func(m *cgfx.Material) { m.DepthFlags = 0 })}, {"kit", "depth is tested alone", material(func(m *cgfx.Material) { m.DepthFlags = 1 })},
		{"kit", "coordinates of others", material(func(m *cgfx.Material) {
			for i := range m.TexCoords {
				m.TexCoords[i].Source = uint32(2 - i)
			}
		})},
		{"kit", "byte components", shape(func(s *cgfx.Shape) {
			for _, a := range s.Attributes {
				for _, e := range append(a.Streams, a) {
					if e.Kind == cgfx.AttributeStream && e.Format == cgfx.Float {
						e.Format = cgfx.Byte
					}
				}
			}
		})},
		{"kit", "fixed components", shape(func(s *cgfx.Shape) {
			for _, a := range s.Attributes {
				for _, e := range append(a.Streams, a) {
					if e.Kind == cgfx.AttributeStream && e.Format == cgfx.Float {
						e.Format = cgfx.Fixed
					}
				}
			}
		})},
		{"kit", "components of short", shape(func(s *cgfx.Shape) {
			for _, a := range s.Attributes {
				for _, e := range append(a.Streams, a) {
					if e.Kind == cgfx.AttributeStream && e.Format == cgfx.Float {
						e.Format, e.Components = cgfx.UnsignedShort, min(e.Components, 3)
					}
				}
			}
		})},
		{"kit", "an offset", shape(func(s *cgfx.Shape) { s.Offset = mgl32.Vec3{1, 2, 3} })},
		{"kit", "odd scales", shape(func(s *cgfx.Shape) {
			for i, a := range s.Attributes {
				a.Scale = []float32{0, nan, 2, 0.5}[i&3]
			}
		})},
		{"kit", "no attributes", shape(func(s *cgfx.Shape) { s.Attributes = append(s.Attributes[:1:1], nil) })},
		{"kit", "constant colours", shape(func(s *cgfx.Shape) {
			s.Attributes = append(s.Attributes, &cgfx.Attribute{Kind: cgfx.AttributeFixed, Usage: cgfx.Color, Components: 3, Scale: 0.5, Values: []float32{1, 0.5, 0.25, 0}},
				&cgfx.Attribute{Kind: cgfx.AttributeFixed, Usage: cgfx.Tangent, Scale: 2}, &cgfx.Attribute{Kind: cgfx.AttributeFixed, Usage: 99, Values: []float32{1}})
		})},
		{"kit", "empty sets", shape(func(s *cgfx.Shape) {
			p := s.Sets[0].Primitives[0]
			s.Sets = append(s.Sets, nil)
			p.Streams = append(p.Streams, nil, &cgfx.IndexStream{Format: cgfx.UnsignedByte})
			s.Sets[0].Primitives = append(s.Sets[0].Primitives, nil)
		})},
	}
	for mode := range uint8(4) {
		list = append(list, change{"kit", fmt.Sprintf("indices of mode %d", mode), shape(func(s *cgfx.Shape) { s.Sets[0].Primitives[0].Streams[0].Mode = mode })},
			change{"kit", fmt.Sprintf("indices one short, mode %d", mode), shape(func(s *cgfx.Shape) {
				x := s.Sets[0].Primitives[0].Streams[0]
				x.Mode, x.Data = mode, x.Data[:len(x.Data)-x.Format.Size()]
			})},
			change{"kit", fmt.Sprintf("indices that do not exist, mode %d", mode), shape(func(s *cgfx.Shape) {
				x := s.Sets[0].Primitives[0].Streams[0]
				x.Mode, x.Data = mode, append([]byte{}, x.Data...)
				x.Data[3*x.Format.Size()] = 0xFF
			})})
	}
	for _, f := range []cgfx.DataType{cgfx.Short, cgfx.Float} {
		list = append(list, change{"kit", fmt.Sprintf("indices of type %v", f), shape(func(s *cgfx.Shape) { s.Sets[0].Primitives[0].Streams[0].Format = f })})
	}
	for way := cgfx.BillboardOff; way <= cgfx.BillboardYAxialViewpoint+1; way++ {
		list = append(list, change{"kit", fmt.Sprintf("billboards: %v", way), bones(func(b *cgfx.Bone) { b.Billboard = way; b.Rotation[0] += 0.2 })})
	}
	for way := cgfx.ScalingStandard; way <= cgfx.ScalingSoftimage; way++ {
		list = append(list, change{"kit", fmt.Sprintf("scaling %d", way), func(f *cgfx.File) {
			model(f).Skeleton.Scaling = way
			bones(func(b *cgfx.Bone) { b.Scale = mgl32.Vec3{2, 1, 0.5}; b.Flags ^= cgfx.BoneCompensates })(f)
		}})
	}
	for _, skin := range []cgfx.Skinning{cgfx.Unskinned, cgfx.Rigid, cgfx.Smooth} {
		list = append(list, change{"kit", fmt.Sprintf("skin %d", skin), func(f *cgfx.File) {
			for _, s := range model(f).Shapes {
				s.Sets[0].Skinning = skin
			}
		}})
	}
	for mapping := range cgfx.Mapping(6) {
		list = append(list, change{"more", fmt.Sprintf("mapping %d", mapping), material(func(m *cgfx.Material) { m.TexCoords[0].Mapping = mapping; m.TexCoords[0].Camera = 1 })})
	}
	shapes := len(list)
	for bit := range 6 {
		list = append(list, change{"more", fmt.Sprintf("light flag %d", bit), lit(func(s *cgfx.FragmentShader) { s.LightFlags ^= 1 << bit })})
	}
	for layer := range uint32(10) {
		list = append(list, change{"more", fmt.Sprintf("lighting layer %d", layer), lit(func(s *cgfx.FragmentShader) { s.Layer = layer; s.Fresnel = layer })})
		list = append(list, change{"more", fmt.Sprintf("bumps %d", layer), lit(func(s *cgfx.FragmentShader) {
			s.BumpMode, s.BumpTexture, s.BumpRenormalize = layer%4, layer/3, layer&1
		})})
		list = append(list, change{"kit", fmt.Sprintf("constants %d", layer+2), fragment(func(s *cgfx.FragmentShader) {
			for i := range s.Combiners {
				s.Combiners[i].Constant = layer + 2
			}
		})})
		list = append(list, change{"more", fmt.Sprintf("tables by %d", layer), lit(func(s *cgfx.FragmentShader) {
			for i, x := range s.Tables.Tables {
				x.Input, x.Scale = (layer+uint32(i))%7, 9-layer
			}
		})})
	}
	for i := range 6 {
		list = append(list, change{"more", fmt.Sprintf("without table %d", i), lit(func(s *cgfx.FragmentShader) { s.Tables.Tables[i] = nil })},
			change{"more", fmt.Sprintf("table %d is not there", i), lit(func(s *cgfx.FragmentShader) { s.Tables.Tables[i].Table.Name = "what" })},
			change{"more", fmt.Sprintf("table %d is of another set", i), lit(func(s *cgfx.FragmentShader) { s.Tables.Tables[i].Table.Set = "what" })})
	}

	files := map[string][]byte{}
	for _, name := range []string{"kit", "more"} {
		data := testkit.Read(t, "../../testdata/models/"+name+".cgfx")
		files[name] = data
	}
	var b strings.Builder
	var usual []string
	for i, c := range list {
		f := testkit.Must(cgfx.Parse(files[c.file]))(t)
		c.do(f)
		set := &Set{File: f, Size: len(files[c.file]), parts: map[partKey]*primitives{}, noted: map[string]bool{}}
		text, err := given(t.Context(), set, "", 7.5)
		draws, _, _ := strings.Cut(text, ",")
		fmt.Fprintf(&b, "%s, %s: %s, %s", c.file, c.name, draws, text[strings.LastIndex(text, " ")+1:])
		if err != nil {
			fmt.Fprintf(&b, ", %v", err)
		}
		var notes []string
		if i < shapes { // the later changes affect colours only, and exporting is the slowest part
			var out *export.Model
			out, notes = set.Export(model(f))
			lo, hi, ok := set.Bounds()
			fmt.Fprintf(&b, "; exported %08x, bounds %.4g to %.4g %v", crc32.ChecksumIEEE([]byte(testkit.Dump(out))), lo, hi, ok)
		}
		textures := 0
		for range set.Textures() {
			textures++
		}
		fmt.Fprintf(&b, ", %d textures\n", textures)
		for _, n := range set.Notes {
			fmt.Fprintf(&b, "  %s\n", n)
		}
		for _, n := range notes {
			if c.name == "as it is" || !slices.Contains(usual, n) && !strings.Contains(n, "is a billboard") {
				fmt.Fprintf(&b, "  exported: %s\n", n)
			}
		}
		if c.name == "as it is" {
			usual = append(usual, notes...)
		}
	}
	testkit.Golden(t, "testdata/odd.txt", []byte(b.String()))
}
