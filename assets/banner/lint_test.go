package banner

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Each rule finds its fault, and nothing else, in an otherwise clean banner.
func TestLintRules(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	tests := map[string]func(f *cgfx.File, m *cgfx.Model){
		"banner-size": func(f *cgfx.File, m *cgfx.Model) {
			f.Textures.Entries[0].Value.Images[0].Data = make([]byte, cgfx.BannerLimit)
		},
		"banner-no-common":      func(f *cgfx.File, m *cgfx.Model) { f.Models.Entries[0].Name = "Other" },
		"banner-node-name":      func(f *cgfx.File, m *cgfx.Model) { m.Meshes[1].NodeName = "" },
		"banner-smooth":         func(f *cgfx.File, m *cgfx.Model) { m.Shapes[0].Sets[0].Skinning = cgfx.Smooth },
		"banner-no-indices":     func(f *cgfx.File, m *cgfx.Model) { m.Shapes[0].Sets[0].Primitives = nil },
		"banner-unsigned-short": func(f *cgfx.File, m *cgfx.Model) { m.Shapes[0].Attributes[0].Streams[0].Format = cgfx.UnsignedShort },
		"banner-index-range": func(f *cgfx.File, m *cgfx.Model) {
			st := m.Shapes[0].Sets[0].Primitives[0].Streams[0]
			st.Data = append([]byte(nil), st.Data...)
			st.Data[1] = 250
		},
		"banner-texture-size": func(f *cgfx.File, m *cgfx.Model) { f.Textures.Entries[0].Value.Width = 24 },
		"banner-border-color": func(f *cgfx.File, m *cgfx.Model) {
			f.MaterialAnimations.Entries[0].Value.Members.Add("x", &cgfx.Member{Path: `Materials["sign"].TextureMappers[0].Sampler.BorderColor`, Type: cgfx.TargetColor, Flags: 0xF0})
		},
		"banner-animation": func(f *cgfx.File, m *cgfx.Model) {
			for _, d := range []*cgfx.Dict[cgfx.Animation]{&f.SkeletalAnimations, &f.MaterialAnimations, &f.VisibilityAnimations} {
				d.Entries[0].Value.Name = "walk"
			}
		},
	}
	clean := func() (*cgfx.File, *cgfx.Model) {
		f := testkit.Must(cgfx.Parse(data))(t)
		m := f.Models.Get(Common)
		for _, s := range m.Shapes { // the kit has a smooth skin
			for _, set := range s.Sets {
				set.Skinning = cgfx.Rigid
			}
		}
		return f, m
	}
	rules := func(f *cgfx.File) (out []string) {
		data := testkit.Must(f.Relayout())(t)
		list := testkit.Must(Lint(data))(t)
		for _, x := range list {
			out = append(out, x.Rule)
		}
		return out
	}
	f, _ := clean()
	require.Empty(t, rules(f))
	for _, r := range Rules() {
		harm := tests[r.ID]
		if r.ID == "banner-image-alignment" {
			continue // see below
		}
		require.NotNil(t, harm, r.ID)
		f, m := clean()
		harm(f, m)
		require.Equal(t, []string{r.ID}, rules(f), r.ID)
	}
	list := testkit.Must(Lint(data))(t)
	require.Len(t, list, 1)
	require.Equal(t, "banner-smooth", list[0].Rule)
	require.Positive(t, list[0].Offset)
}

// Texels at offset 64 modulo 128 are reported differently from offsets that froze.
func TestLintAlignment(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/arm.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	tex := &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureImage, Name: "T"}, Width: 8, Height: 8, Levels: 1, Format: pica.TextureFormatRGB565,
		Images: []*cgfx.Image{{Width: 8, Height: 8, Data: make([]byte, 128)}}}
	f.Textures.Add("T", tex)
	require.NoError(t, f.Textures.Build())
	data = testkit.Must(f.Relayout())(t)
	f = testkit.Must(cgfx.Parse(data))(t)
	im := f.Textures.Get("T").Images[0]
	require.Zero(t, f.OffsetOf(im.Data)%128)
	pointer := cgfx.OffsetOf(f, im) + 12
	for off, want := range map[int]string{0: "", 32: "froze", 48: "froze", 64: "held"} {
		moved := append([]byte(nil), data...)
		at := len(moved) + (128-len(moved)%128)%128 + off
		moved = append(moved, make([]byte, at-len(moved)+128)...)
		binary.LittleEndian.PutUint32(moved[pointer:], uint32(at-pointer))
		list := testkit.Must(Lint(moved))(t)
		if want == "" {
			require.Empty(t, list)
			continue
		}
		require.Len(t, list, 1)
		require.Equal(t, "banner-image-alignment", list[0].Rule)
		require.Contains(t, list[0].Message, want)
		require.EqualValues(t, at, list[0].Offset)
	}
}

// A file without models and textures has no findings for banners.
func TestLintIgnoresShaderFiles(t *testing.T) {
	data := testkit.Read(t, "../../explain/inspect/testdata/resource.bcsdr")
	list := testkit.Must(Lint(data))(t)
	require.Empty(t, list)
	_, err := Lint(data[:8])
	require.Error(t, err)
}

// In BCH files lint reports what the hardware refuses, and no rules of the HOME menu.
func TestLintSkipsMenuRulesForBCH(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/arm.bch")
	list := testkit.Must(Lint(data))(t)
	require.Empty(t, list)
	f := testkit.Must(bch.Parse(data))(t)
	f.Models[0].Name = "Other"
	f.Models[0].Meshes[0].Parts[0].Skinning = uint8(cgfx.Smooth)
	f.Models[0].Meshes[0].Parts[0].Indices[1] = 0xFF
	f.Textures = append(f.Textures, &bch.Texture{Name: "T", Format: uint8(pica.TextureFormatI8), Levels: 1, Width: 24, Height: 8, Faces: [][]byte{make([]byte, 192)}})
	list = lintBCH(f)
	var got []string
	for _, x := range list {
		got = append(got, x.Rule)
		require.EqualValues(t, -1, x.Offset)
	}
	require.Equal(t, []string{"banner-texture-size", "banner-index-range"}, got)
	_, err := Lint(data[:8])
	require.Error(t, err)
}

// Limits of texture sides, mesh nodes and shape parts are checked exactly; missing parts are skipped.
func TestLintLimits(t *testing.T) {
	found := func(look func(l *linter)) (list []string) {
		l := &linter{f: &cgfx.File{}, who: "who: "}
		look(l)
		for _, x := range l.list {
			require.EqualValues(t, -1, x.Offset)
			list = append(list, x.Rule+" "+x.Message)
		}
		return list
	}
	for _, size := range []uint32{0, 4, 7, 8, 16, 24, 512, 1000, 1024, 1025, 2048} {
		good := size == 8 || size == 16 || size == 512 || size == 1024
		for _, turned := range []bool{false, true} {
			for kind, found := range map[cgfx.Kind][]string{
				cgfx.KindTextureImage: found(func(l *linter) {
					x := &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureImage, Name: "T"}, Width: size, Height: 32, Images: []*cgfx.Image{nil, {Data: make([]byte, 8)}}}
					if turned {
						x.Width, x.Height = x.Height, x.Width
					}
					l.texture(x)
				}),
				cgfx.KindTextureRef: found(func(l *linter) {
					l.texture(&cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureRef, Name: "T"}, Width: size, Height: size})
				}),
			} {
				require.Equal(t, kind == cgfx.KindTextureImage && !good, len(found) == 1, "%d, %x: %v", size, kind, found)
			}
		}
	}
	model := func(node uint16, name string) *cgfx.Model {
		m := &cgfx.Model{Object: cgfx.Object{Name: "M"}, Meshes: []*cgfx.Mesh{nil, {Shape: 1, Node: node, NodeName: name}, {Shape: 2, NodeName: name}}, Shapes: []*cgfx.Shape{{}, nil}}
		m.NodeVisibilities.Add("a", &cgfx.NodeVisibility{Name: "a"})
		m.NodeVisibilities.Add("b", &cgfx.NodeVisibility{})
		m.NodeVisibilities.Entries[1].Name = ""
		return m
	}
	for want, m := range map[string]*cgfx.Model{
		"":                            model(0, "a"),
		"node 1, whose name is empty": model(1, "a"),
		" ":                           model(2, "a"),
		"mesh 1 names no node":        model(0, ""),
	} {
		list := found(func(l *linter) { l.model(m) })
		if strings.TrimSpace(want) == "" {
			require.Empty(t, list)
			continue
		}
		require.NotEmpty(t, list)
		require.Contains(t, list[0], want)
		require.True(t, strings.HasPrefix(list[0], "banner-node-name who: model M: mesh 1 "), list[0])
	}

	shape := func(indices ...byte) *cgfx.Shape {
		return &cgfx.Shape{
			Sets: []*cgfx.PrimitiveSet{nil, {Skinning: cgfx.Rigid, Primitives: []*cgfx.Primitive{nil, {Streams: []*cgfx.IndexStream{nil, {}, {Format: cgfx.UnsignedByte, Data: indices}}}}}},
			Attributes: []*cgfx.Attribute{nil, {Kind: cgfx.AttributeInterleaved, Stride: 4, Data: make([]byte, 12), Streams: []*cgfx.Attribute{nil, {Kind: cgfx.AttributeStream, Format: cgfx.UnsignedByte, Components: 4, Scale: 1}}},
				{Kind: cgfx.AttributeFixed, Format: cgfx.UnsignedShort}},
		}
	}
	look := func(s *cgfx.Shape) []string {
		return found(func(l *linter) { l.shape(&cgfx.Model{Object: cgfx.Object{Name: "M"}}, 7, s) })
	}
	require.Empty(t, look(shape(0, 1, 2)))
	require.Equal(t, []string{"banner-index-range who: model M: mesh 7: 2 indices count vertices that are not there; there are 3"}, look(shape(3, 2, 255)))
	require.Equal(t, []string{"banner-no-indices who: model M: mesh 7 has no index stream"}, look(shape()))
	damaged := shape(0, 9)
	damaged.Attributes[1].Stride = 0
	require.Empty(t, look(damaged), "lint does not repeat findings of the file's check")
	short := shape(0)
	short.Attributes[1].Streams[1].Format, short.Attributes[1].Streams[1].Components = cgfx.UnsignedShort, 2
	require.Equal(t, []string{"banner-unsigned-short who: model M: mesh 7: position is of unsigned shorts"}, look(short))
	require.Len(t, found(func(l *linter) {
		for range 1500 {
			l.add("rule", -1, "text")
		}
	}), 1000)
}
