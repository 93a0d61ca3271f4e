package cgfx

import (
	"bytes"
	"fmt"
	"hash"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

// A texture with sides that are no multiples of 8 decodes to the top left part of the stored picture, whether its rows are padded
// to a power of two or to whole tiles.
func TestTexturesWithPaddedRows(t *testing.T) {
	for _, size := range []struct{ w, h, wide, tall int }{
		{20, 11, 32, 16}, {20, 11, 32, 32}, {20, 11, 24, 16}, {1, 1, 8, 8}, {24, 11, 24, 16}, {24, 8, 24, 8}, {500, 281, 512, 288}, {65, 8, 72, 8},
	} {
		stored := texture.NewImage(size.wide, size.tall)
		for i := range stored.Pix {
			x, y := i%size.wide, size.tall-1-i/size.wide // from the top
			stored.Pix[i] = 0xFF000000 | uint32(x&0xFF) | uint32(y&0xFF)<<8 | uint32(x>>8|y>>8<<4)<<16
		}
		data := make([]byte, texture.Size(pica.TextureFormatRGBA8, size.wide, size.tall))
		require.NoError(t, texture.Encode(data, stored.Pix, pica.TextureFormatRGBA8, size.wide, size.tall))
		x := &Texture{Width: uint32(size.w), Height: uint32(size.h), Format: pica.TextureFormatRGBA8, Images: []*Image{{Data: data}}}
		im := testkit.Must(x.Decode(0))(t, size)
		require.Equal(t, size.w, im.Width)
		require.Equal(t, size.h, im.Height)
		for i, v := range im.Pix {
			x, y := i%size.w, size.h-1-i/size.w
			require.Equal(t, 0xFF000000|uint32(x&0xFF)|uint32(y&0xFF)<<8|uint32(x>>8|y>>8<<4)<<16, v, "%v: %d, %d", size, x, y)
		}
		x.Images[0].Data = data[:texture.Size(pica.TextureFormatRGBA8, (size.w+7)&^7, (size.h+7)&^7)-1]
		_, err := x.Decode(0)
		require.Error(t, err, size)
	}
}

// A texture format is one byte; a greater number in the file is a problem.
func TestTextureFormatIsOneByte(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/textures.cgfx")
	f := testkit.Must(Parse(data))(t)
	x := f.Textures.Values()[0]
	said := 0
	for at := 0; at < len(data)-4; at += 4 {
		if le.Uint32(data[at:]) != uint32(x.Format) || said > 0 {
			continue
		}
		bad := bytes.Clone(data)
		bad[at+1] = 1
		if f, err := Parse(bad); err == nil && slices.Contains(f.Findings, tree.Finding{Offset: int64(at), Level: tree.Problem,
			Message: fmt.Sprintf("texture %q has the format %d", x.Name, 0x100+uint32(x.Format))}) {
			said++
		}
	}
	require.Equal(t, 1, said)
}

// A last section beyond the end is a note if the file has the length in its header; a truncated file has a problem.
func TestSectionBeyondFileEnd(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	f := testkit.Must(Parse(data))(t)
	require.Empty(t, f.Check().Problems())
	last := f.sections[len(f.sections)-1]
	le.PutUint32(data[last.offset+4:], last.size+0x40)
	f = testkit.Must(Parse(data))(t)
	require.Empty(t, f.Findings)
	require.Empty(t, f.Check().Problems())
	require.Contains(t, f.Check(), tree.Finding{Offset: int64(last.offset + 4), Level: tree.Note,
		Message: `section "IMAG" ends 0x40 bytes beyond the end of the file, which has the size of its header`})
	back := testkit.Must(f.Encode())(t)
	require.Equal(t, data, back)
	f = testkit.Must(Parse(data[:len(data)-8]))(t)
	require.NotEmpty(t, f.Check().Problems())
}

// rare is a file with structures that no real file at hand has: user data, transform and matrix animations, bool curves, views and
// projections, parameters and textures of every kind, and unknown kinds.
func rare(t testing.TB) *File {
	data := testkit.Read(t, "../../testdata/models/more.cgfx")
	f := testkit.Must(Parse(data))(t)
	m := f.Models.Values()[0]
	m.UserData.Entries = nil
	user := func(u *UserData) { m.UserData.Add(u.Name, u) }
	user(&UserData{Kind: 0x10000000, Name: "texts", Type: 2, Encoding: 1, Texts: []string{"one", "two words", ""}})
	user(&UserData{Kind: 0x10000000, Name: "wide", Type: 2, Encoding: 2, Texts: []string{"a\x00b\x00", "\x00\x01"}})
	user(&UserData{Kind: 0x10000000, Name: "wide, big end first", Type: 2, Encoding: 3, Texts: []string{"\x00a\x01\x00"}})
	user(&UserData{Kind: 0x20000000, Name: "integers", Type: 1, Integers: []uint32{7, 0xFFFFFFFF, 9}})
	user(&UserData{Kind: 0x40000000, Name: "colours", Type: 4, Floats: []float32{1, 0.5, 0.25, 1, 0, 0.1, 0.2, 0.3}})
	user(&UserData{Kind: 0x80000000, Name: "floats", Floats: []float32{1.5, -2}})
	user(&UserData{Kind: 0x12345678, Name: "unknown"})
	require.NoError(t, m.UserData.Build())

	a := f.SkeletalAnimations.Values()
	if len(a) == 0 {
		f.SkeletalAnimations.Add("rare", &Animation{Revision: 0x08000000, Name: "rare", Group: "SkeletalAnimation", Frames: 4})
		a = f.SkeletalAnimations.Values()
	}
	span := Span{Start: 0, End: 2}
	baked := func(width, frames int, flags uint32) Baked {
		b := Baked{Span: span}
		b.Flags = flags
		for i := range width * frames {
			b.Values = append(b.Values, float32(i)*0.25)
		}
		for i := range frames {
			if width != 12 {
				b.Words = append(b.Words, uint32(i))
			}
		}
		return b
	}
	member := func(path string, v *Member) { v.Path = path; a[0].Members.Add(path, v) }
	member("baked", &Member{Type: TargetBaked, Rotations: &Rotations{baked(4, 2, 0)}, Translations: &Vectors{baked(3, 2, 0)}, Scales: &Vectors{baked(3, 1, 1)}})
	member("no rotation", &Member{Type: TargetBaked, Flags: 1 << 4, Translations: &Vectors{baked(3, 2, 0)}, Scales: &Vectors{baked(3, 2, 0)}})
	member("no translation", &Member{Type: TargetBaked, Flags: 1 << 3, Rotations: &Rotations{baked(4, 2, 0)}, Scales: &Vectors{baked(3, 2, 0)}})
	member("no scale", &Member{Type: TargetBaked, Flags: 1 << 5, Rotations: &Rotations{baked(4, 2, 0)}, Translations: &Vectors{baked(3, 1, 1)}})
	member("matrices", &Member{Type: TargetMatrix, Matrices: &Matrices{baked(12, 2, 0)}})
	member("bits", &Member{Type: TargetBool, Bool: &BoolCurve{Span: Span{End: 17}, Bits: []byte{0x5A, 0xC3, 1}}})
	member("bits elsewhere", &Member{Type: TargetBool, Bool: &BoolCurve{Span: Span{End: 9, Flags: 99}, Bits: []byte{0x33, 1}, apart: true}})
	member("a vector", &Member{Type: TargetVector2, Flags: 1 << 3, Slots: [10]Slot{{Is: Curved, Curve: &Curve{Span: Span{Flags: curveConstant}, Value: 2}}, {Is: Missing, Constant: 3}}})
	member("two numbers", &Member{Type: TargetVector2, Flags: 3, Slots: [10]Slot{{Is: Constant, Constant: 5}, {Is: Constant, Constant: 6}}})
	member("unknown", &Member{Type: TargetMatrix + 1})
	require.NoError(t, a[0].Members.Build())
	require.NoError(t, f.SkeletalAnimations.Build())

	for i, v := range f.Cameras.Values() {
		v.View.Kind = []uint32{ViewRotation, ViewLookAt, 0x123}[i%3]
		v.View.Target, v.View.Up, v.View.Twist = mgl32.Vec3{1, 2, 3}, mgl32.Vec3{4, 5, 6}, 7
		v.Projection.Kind = []uint32{ProjectionParallel, ProjectionFrustum, 0x456}[i%3]
		v.Projection.Height, v.Projection.center = 8, mgl32.Vec2{0.5, -0.5}
	}
	for _, m := range m.Materials.Values() {
		if len(m.Parameters) > 0 {
			m.Parameters = append(m.Parameters, &ShaderParameter{Name: "truth", Bool: 1}, &ShaderParameter{Name: "one", Type: 1, Values: mgl32.Vec4{1}},
				&ShaderParameter{Name: "three", Type: 3, Values: mgl32.Vec4{1, 2, 3}}, &ShaderParameter{Name: "five", Type: 5, index: 3})
		}
	}
	texture := func(name string, x *Texture) {
		x.Name, x.Revision = name, 0x05000000
		f.Textures.Add(name, x)
	}
	im := func(n int) *Image { return &Image{Width: 8, Height: 8, Data: bytes.Repeat([]byte{byte(n), 2}, 64)} }
	texture("to itself", &Texture{Object: Object{Kind: KindTextureRef}, Path: "to itself"})
	texture("to nothing", &Texture{Object: Object{Kind: KindTextureRef}, Path: "gone"})
	texture("cube", &Texture{Object: Object{Kind: KindTextureCube}, Width: 8, Height: 8, Levels: 1, Format: pica.TextureFormatRGB565, Images: []*Image{im(1), im(2), im(3), im(4), im(5), nil}})
	texture("shadow", &Texture{Object: Object{Kind: KindTextureShadow}, Width: 16, Height: 16, Levels: 1, Format: pica.TextureFormatRGBA8})
	texture("unknown", &Texture{Object: Object{Kind: 0x20000077}})
	texture("odd sides", &Texture{Object: Object{Kind: KindTextureImage}, Width: 12, Height: 8, Levels: 1, Format: pica.TextureFormatRGB565, Images: []*Image{im(6)}})
	texture("of no format", &Texture{Object: Object{Kind: KindTextureImage}, Width: 8, Height: 8, Levels: 1, Format: 99, Images: []*Image{im(7)}})
	texture("levels that are not there", &Texture{Object: Object{Kind: KindTextureImage}, Width: 8, Height: 8, Levels: 3, Format: pica.TextureFormatRGB565, Images: []*Image{im(8)}})
	texture("an image of another size", &Texture{Object: Object{Kind: KindTextureImage}, Width: 8, Height: 8, Levels: 1, Format: pica.TextureFormatRGB565, Images: []*Image{{Width: 16, Height: 8, Data: im(9).Data}}})
	for i, n := range []uint32{8, 1024, 4, 2048} {
		texture(fmt.Sprintf("sides of %d", n), &Texture{Object: Object{Kind: KindTextureImage}, Width: n, Height: 8, Levels: 1, Format: pica.TextureFormatA4, Images: []*Image{{Width: n, Height: 8, Data: make([]byte, 4*n+uint32(i))}}})
	}
	require.NoError(t, f.Textures.Build())
	return f
}

// Rare structures are written, read back, shown and checked.
func TestRareStructures(t *testing.T) {
	f := rare(t)
	once := testkit.Must(f.Relayout())(t)
	g := testkit.Must(Parse(once))(t)
	same := testkit.Must(g.Encode())(t)
	require.True(t, bytes.Equal(once, same), "a file is written back with the same bytes")
	again := testkit.Must(g.Relayout())(t)
	h := testkit.Must(Parse(again))(t)
	twice := testkit.Must(h.Relayout())(t)
	require.True(t, bytes.Equal(again, twice), "a second new layout has the same bytes")
	require.Equal(t, testkit.Dump(f.Models.Values()[0].UserData.Values()), testkit.Dump(g.Models.Values()[0].UserData.Values()))
	var b strings.Builder
	for _, x := range g.Check() {
		fmt.Fprintf(&b, "%v\n", x)
	}
	var text bytes.Buffer
	root := &tree.Node{Name: "rare", Size: int64(len(once)), Children: func(yield func(*tree.Node) bool) {
		for _, n := range g.Tree() {
			if !yield(n) {
				return
			}
		}
	}}
	g.gaps = []gap{{offset: 8, data: make([]byte, 3), after: "one", zero: true}, {offset: 16, data: make([]byte, 5), after: "two"}}
	require.NoError(t, tree.WriteText(&text, tree.Document{Root: root}, nil, tree.Options{}))
	for _, part := range []string{"texts", "wide", "integers", "colours", "floats", "rotations", "translations", "scales", "matrices", "bits", "missing", "view", "projection", "value", "texture", "after"} {
		n := 0
		for line := range strings.Lines(text.String()) {
			if strings.Contains(line, part) {
				if n++; n <= 3 {
					b.WriteString(line)
				}
			}
		}
		fmt.Fprintf(&b, "%s: %d lines\n", part, n)
	}
	g.data, g.layout = nil, nil
	fmt.Fprintf(&b, "shown: CRC-32 %08x; read: CRC-32 %08x; written: %d bytes, CRC-32 %08x\n", crc32.ChecksumIEEE(text.Bytes()), crc32.ChecksumIEEE([]byte(testkit.Dump(g))), len(once), crc32.ChecksumIEEE(once))
	testkit.Golden(t, "testdata/rare.txt", []byte(b.String()))

	// User data that exceeds the file is not read.
	at := bytes.Index(once, []byte{7, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 9, 0, 0, 0}) - 4
	require.Positive(t, at)
	for n, fits := range map[uint32]bool{3: true, uint32(len(once)-at-4) / 4: true, uint32(len(once)-at-4)/4 + 1: false, 0xFFFFFFFF: false} {
		bad := bytes.Clone(once)
		le.PutUint32(bad[at:], n)
		h := testkit.Must(Parse(bad))(t)
		said := false
		for _, x := range h.Findings {
			said = said || strings.Contains(x.String(), fmt.Sprintf("user data: %d values do not fit into the file", n))
		}
		require.Equal(t, fits, !said, n)
	}
}

// Golden file: every other field of each structure is set to limits, to sizes of the file and to invalid values. What is read is
// written back the same.
func TestDamagedRareStructures(t *testing.T) {
	data := testkit.Must(rare(t).Relayout())(t)
	f := testkit.Must(Parse(data))(t)
	rng := rand.New(rand.NewPCG(1, 2))
	type field struct {
		of string
		at int
	}
	seen := map[field]bool{}
	sums := map[string]hash.Hash32{}
	said := map[string]int{}
	for _, it := range f.layout.items {
		name, _, _ := strings.Cut(it.name, " (")
		if _, number, ok := strings.Cut(name, "entry "); ok && number != "" {
			name = "entry"
		}
		size := min(it.size, 256)
		if slices.Contains([]string{"texels", "data", "binary", "commands", "indices", "bits"}, name) {
			size = 8 // their contents are not read
		}
		for at := 0; at+4 <= size; at += 4 {
			if seen[field{name, at}] {
				continue
			}
			if seen[field{name, at}] = true; len(seen)%2 != 0 {
				continue
			}
			place := it.at + at
			was := le.Uint32(data[place:])
			end := uint32(len(data) - place) // as a pointer, the end of the file
			values := []uint32{0, 1, 2, 3, was + 1, was - 1, was ^ 1<<31, 0xFFFFFFFF, 0x7FFFFFFF, end - 64, end - 28, end - 16, end - 12, end - 8, end - 4, end - 1, end, end / 4, end/4 + 1, end / 16, -uint32(place), 1 << rng.Uint32N(32)}
			bad := bytes.Clone(data)
			le.PutUint32(bad[place:], values[rng.IntN(len(values))])
			if sums[name] == nil {
				sums[name] = crc32.NewIEEE()
			}
			g, err := Parse(bad)
			if err != nil {
				fmt.Fprintln(sums[name], err)
				continue
			}
			out := testkit.Must(g.Encode())(t)
			require.True(t, bytes.Equal(bad, out), "%s, field at 0x%x of it, at 0x%x of the file", name, at, place)
			list := g.Check()
			said[name] += len(list)
			fmt.Fprintln(sums[name], list)
		}
	}
	text := ""
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		text += fmt.Sprintf("%s: %d findings, CRC-32 %08x\n", name, said[name], sums[name].Sum32())
	}
	testkit.Golden(t, "testdata/damaged.txt", []byte(text))
}

// Small accessors of files that other packages use.
func TestFileAccessors(t *testing.T) {
	f := rare(t)
	x := f.Textures.Get("cube")
	require.Nil(t, f.Textures.Get("what"))
	require.Equal(t, -1, f.OffsetOf(x.Images[0].Data), "data that was not read from a file has no offset")
	require.Equal(t, -1, f.OffsetOf(nil))
	once := testkit.Must(f.Relayout())(t)
	g := testkit.Must(Parse(once))(t)
	seen := map[int]bool{}
	for _, x := range g.Textures.Values() {
		for _, im := range x.Images {
			if im == nil || len(im.Data) == 0 {
				continue
			}
			at := g.OffsetOf(im.Data)
			require.Equal(t, im.Data, once[at:at+len(im.Data)])
			seen[at] = true
		}
	}
	require.Greater(t, len(seen), 5)
	require.Equal(t, -1, g.OffsetOf(once[:4]))

	meshes := g.Models.Values()[0].Meshes
	named := 0
	for _, m := range meshes {
		if g.NamesNode(m) {
			named++
		}
	}
	require.Equal(t, len(meshes), named)
	require.False(t, g.NamesNode(&Mesh{}))
	require.True(t, g.NamesNode(&Mesh{NodeName: "x"}))

	var c MaterialColors
	for i := range ColorNames {
		c.At(i)[1] = float32(i)
	}
	require.Equal(t, []float32{0, 1, 2, 3, 4, 5, 10}, []float32{c.Emission[1], c.Ambient[1], c.Diffuse[1], c.specular[0][1], c.specular[1][1], c.Constant[0][1], c.Constant[5][1]})
	m := Matrix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	require.Equal(t, mgl64.Vec4{5, 6, 7, 8}, m.Mat4().Row(1))
	require.Equal(t, mgl64.Vec4{0, 0, 0, 1}, m.Mat4().Row(3))
	require.Equal(t, m, MatrixOf(m.Mat4()))
	scale, bias := Attenuation(2, 10)
	require.Equal(t, []uint32{pica.Float20.Encode(0.125), pica.Float20.Encode(-0.25)}, []uint32{scale, bias})

	require.NoError(t, g.BuildTrees())
	require.Equal(t, 0, g.Models.Find(g.Models.Names()[0]))
	g.Textures.Add("cube", &Texture{})
	require.Error(t, g.BuildTrees(), "two textures with one name")

	data := testkit.Must(BuildBanner(once, []byte("CWAV...")))(t)
	b := testkit.Must(ParseBanner(data))(t)
	require.True(t, bytes.Equal(once, b.Models[0].Data))
	require.Equal(t, []byte("CWAV..."), b.Sound)
	require.Empty(t, b.Findings)
}
