package modeldraw

import (
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/pica"
	"pica200/tests/testkit"
)

// later converts a CGFX file to BCH: models, textures and bone animations, as far as arm.cgfx and more.cgfx use them. It is the
// inverse of bch.Resources.
func later(t testing.TB, f *cgfx.File) *bch.File {
	out := &bch.File{Converter: 42607}
	for _, x := range f.Textures.Values() {
		y := &bch.Texture{Name: x.Name, Format: uint8(x.Format), Levels: uint8(x.Levels), Width: int(x.Width), Height: int(x.Height)}
		for _, im := range x.Images {
			y.Faces = append(y.Faces, im.Data)
		}
		out.Textures = append(out.Textures, y)
	}
	for _, m := range f.Models.Values() {
		y := &bch.Model{Name: m.Name, Flags: 1}
		// A node's matrix combines scale, rotation and translation.
		y.World = cgfx.MatrixOf((&Set{File: f}).transform(m, nil, 0))
		for _, b := range m.Skeleton.Bones.Values() {
			z := bch.Bone{Name: b.Name, Parent: int16(b.ParentID), Scale: b.Scale, Rotation: b.Rotation, Translation: b.Translation, Inverse: b.InverseBind}
			if b.Billboard != 0 {
				z.Flags = uint32(b.Billboard+1) << 16
			}
			y.Bones = append(y.Bones, z)
		}
		for _, v := range m.NodeVisibilities.Values() {
			y.Nodes, y.NodesVisible = append(y.Nodes, v.Name), append(y.NodesVisible, v.Visible != 0)
		}
		for _, x := range m.Materials.Values() {
			y.Materials = append(y.Materials, laterMaterial(t, m, x))
		}
		for _, h := range m.Meshes {
			s := m.Shapes[h.Shape]
			z := bch.Mesh{Material: uint16(h.Material), Node: h.Node, Key: uint16(h.Priority), Offset: mgl32.Vec4{s.Offset[0], s.Offset[1], s.Offset[2], 0}}
			for _, a := range s.Attributes {
				if a.Kind == cgfx.AttributeFixed {
					v := mgl32.Vec4{}
					copy(v[:], a.Values)
					z.Attributes = append(z.Attributes, bch.Attribute{Usage: uint8(a.Usage), Scale: scaleOf(a), Fixed: &v})
					continue
				}
				z.Data, z.Stride = a.Data, int(a.Stride)
				for _, e := range a.Streams {
					kind := map[cgfx.DataType]pica.AttribType{cgfx.Byte: pica.AttribByte, cgfx.UnsignedByte: pica.AttribUByte, cgfx.Short: pica.AttribShort, cgfx.Float: pica.AttribFloat}[e.Format]
					z.Attributes = append(z.Attributes, bch.Attribute{Usage: uint8(e.Usage), Type: kind, Components: int(e.Components), Scale: scaleOf(e)})
				}
			}
			for _, set := range s.Sets {
				for _, p := range set.Primitives {
					for _, st := range p.Streams {
						part := bch.Part{Skinning: [3]uint8{0, 2, 1}[set.Skinning], Mode: st.Mode, Wide: st.Format == cgfx.UnsignedShort, Indices: st.Data}
						for _, b := range set.Bones {
							part.Bones = append(part.Bones, uint16(b))
						}
						z.Parts = append(z.Parts, part)
					}
				}
			}
			y.Meshes = append(y.Meshes, z)
		}
		out.Models = append(out.Models, y)
	}
	for _, a := range f.SkeletalAnimations.Values() {
		y := &bch.Animation{Name: a.Name, Flags: uint8(a.Loops), Frames: a.Frames}
		for _, m := range a.Members.Values() {
			require.Equal(t, cgfx.TargetTransform, m.Type)
			e := &bch.Element{Name: m.Path, Type: 4}
			for i := range e.Slots {
				k := i
				if i >= 6 {
					k++
				}
				s := m.Slots[k]
				e.Slots[i] = bch.Slot{State: s.Is, Value: s.Constant}
				if s.Is == cgfx.Curved {
					require.Len(t, s.Curve.Segments, 1)
					g := s.Curve.Segments[0]
					e.Slots[i].Curve = &bch.Curve{Span: bch.Span{Start: s.Curve.Start, End: s.Curve.End, Pre: uint8(s.Curve.Pre), Post: uint8(s.Curve.Post)},
						Interpolation: uint8(g.Interpolation()), Packing: uint8(g.Quantization()), ValueScale: g.Scale, ValueOffset: g.Offset, FrameScale: g.FrameScale, Keys: g.Keys}
				}
			}
			y.Elements = append(y.Elements, e)
		}
		out.SkeletalAnimations = append(out.SkeletalAnimations, y)
	}
	for _, l := range f.Lights.Values() {
		y := &bch.Light{Enabled: uint8(l.Enabled), Direction: l.Direction}
		y.Name, y.Scale, y.Rotation, y.Translation = l.Name, l.Scale, l.Rotation, l.Translation
		switch l.Kind {
		case cgfx.KindFragmentLight:
			y.Type = 9 + uint8(l.Type)
			y.Colors = [4]uint32{rgba(l.Ambient), rgba(l.Diffuse), rgba(l.Specular[0]), rgba(l.Specular[1])}
		case cgfx.KindAmbientLight:
			y.Type, y.Color = 2, rgba(l.Color)
		}
		out.Lights = append(out.Lights, y)
	}
	for _, s := range f.Scenes.Values() {
		y := &bch.Scene{Name: s.Name}
		for _, l := range s.LightSets {
			set := bch.LightSet{ID: l.ID}
			for _, it := range l.Lights {
				set.Names = append(set.Names, it.Name)
			}
			y.LightSets = append(y.LightSets, set)
		}
		out.Scenes = append(out.Scenes, y)
	}
	return out
}

func laterMaterial(t testing.TB, m *cgfx.Model, x *cgfx.Material) bch.Material {
	p := &bch.Params{Flags: uint16(x.Flags), Layer: uint8(x.Translucency) | uint8(x.TexCoordConfig)<<4, LightSet: uint16(x.LightSet), Fog: uint16(x.Fog),
		ColorScale: x.Colors.Ambient[3], BlendColor: rgba(x.BlendColor), Model: x.Name + "@" + m.Name, Shader: "0@DefaultShader"}
	for i := range p.Colors {
		p.Colors[i] = rgba(*x.Colors.At(i))
	}
	for i, c := range x.TexCoords {
		p.TexCoords[i] = bch.TexCoord{Convention: uint8(c.Convention), Mapping: uint8(c.Mapping), Camera: int8(c.Camera), Scale: c.Scale, Rotation: c.Rotation, Translation: c.Translation}
	}
	depth := x.DepthCommand
	if x.DepthFlags&2 != 0 {
		depth[0] |= 1 << 12
	}
	depth[1] |= 2 << 16 // BCH uses the second byte
	depth[0] |= 0xF00
	lists := [][]uint32{x.CullCommand[:], depth[:], x.BlendCommand[:], x.StencilCommand[:]}
	for i := range x.Fragment.Combiners {
		c := x.Fragment.Combiners[i]
		p.Constants |= c.Constant << (4 * i)
		lists = append(lists, c.Command[:])
	}
	for _, l := range append(lists, x.Fragment.AlphaTest[:], x.Fragment.BufferCommand[:4]) {
		p.Commands = append(p.Commands, l...)
	}
	out := bch.Material{Name: x.Name, Params: p}
	for i, k := range x.Mappers {
		if k == nil {
			continue
		}
		param := k.Commands[5]
		out.Textures[i] = k.Texture.Path
		out.Mappers[i] = bch.Mapper{WrapV: uint8(param >> 8 & 7), WrapU: uint8(param >> 12 & 7), Mag: uint8(param >> 1 & 1), Min: uint8(param >> 2 & 1 * 3), Border: k.Commands[2]}
	}
	return out
}

// A BCH model draws the same picture as the CGFX file it was made from at any time of its animation, and is written back to the
// same bytes.
func TestBCHDrawsLikeCGFX(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/arm.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	once := testkit.Must(later(t, f).Write())(t)
	g := testkit.Must(bch.Parse(once))(t)
	require.Empty(t, g.Check().Problems())
	twice := testkit.Must(g.Write())(t)
	require.Equal(t, once, twice)
	testkit.Golden(t, "../../testdata/models/arm.bch", once)
	for _, frame := range []float64{0, 17, 60} {
		a, _ := shot(t, data, frame)
		b, notes := shot(t, once, frame)
		require.Empty(t, notes)
		for i, p := range a.(*image.NRGBA).Pix {
			// One format stores colours of lights as bytes.
			require.InDelta(t, p, b.(*image.NRGBA).Pix[i], 2, "frame %g, byte %d", frame, i)
		}
	}
}
