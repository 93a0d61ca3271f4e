package cgfx

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

// corpus returns our own files and the real ones at hand, by name; banners are unpacked.
func corpus(t testing.TB) map[string][]byte {
	real, _ := filepath.Glob("../../../shared/corpus/cgfx/*.[cb]*")
	own, _ := filepath.Glob("../../testdata/models/*.[cb][gn]*")
	require.NotEmpty(t, own)
	paths := append(real, own...)
	out := map[string][]byte{}
	for _, path := range paths {
		data := testkit.Read(t, path)
		if IsBanner(data) {
			b := testkit.Must(ParseBanner(data))(t, path)
			data = b.Models[0].Data
		}
		out[filepath.Base(path)] = data
	}
	return out
}

// damaged is the file of the corpus that a line-ending conversion shortened.
const damaged = "CharlesAverill__SuperML__banner.cgfx"

// Every structure of every real file is read and written back with the same bytes. Gaps between structures contain only zeros.
func TestCorpusRoundTrip(t *testing.T) {
	for name, data := range corpus(t) {
		f := testkit.Must(Parse(data))(t, name)
		out := testkit.Must(f.Encode())(t, name)
		require.True(t, bytes.Equal(data, out), name)
		if name == damaged {
			continue
		}
		for _, g := range f.gaps {
			require.True(t, g.zero, "%s: 0x%x: %d bytes after %s", name, g.offset, len(g.data), g.after)
		}
	}
}

// A new layout of a file reads back to the same contents; a second one has the same bytes.
func TestCorpusRelayout(t *testing.T) {
	for name, data := range corpus(t) {
		f := testkit.Must(Parse(data))(t, name)
		once := testkit.Must(f.Relayout())(t, name)
		g := testkit.Must(Parse(once))(t, name)
		require.Empty(t, g.Findings.Problems(), name)
		twice := testkit.Must(g.Relayout())(t)
		require.True(t, bytes.Equal(once, twice), name)
		require.Equal(t, f.Models.Names(), g.Models.Names())
		require.Equal(t, f.Textures.Names(), g.Textures.Names())
		for i, m := range f.Models.Values() {
			n := g.Models.Values()[i]
			require.Equal(t, len(m.Meshes), len(n.Meshes))
			require.Equal(t, m.Materials.Names(), n.Materials.Names())
			for k, s := range m.Shapes {
				v := testkit.Must(s.Vertices())(t)
				w := testkit.Must(n.Shapes[k].Vertices())(t)
				require.Equal(t, v, w)
			}
		}
	}
}

// The search trees of real and of rebuilt dictionaries find every name.
func TestDictionariesFindEveryName(t *testing.T) {
	look := func(t *testing.T, d *Dict[GroupMember]) {
		for i, e := range d.Entries {
			require.Equal(t, i, d.Find(e.Name), e.Name)
		}
		require.Equal(t, -1, d.Find("no such name"))
	}
	for _, data := range corpus(t) {
		f := testkit.Must(Parse(data))(t)
		for _, m := range f.Models.Values() {
			for _, g := range m.AnimationGroups.Values() {
				look(t, &g.Dict)
				require.NoError(t, g.Dict.Build())
				look(t, &g.Dict)
			}
		}
	}
}

// Golden files: the inspection of our own files, with findings.
func TestInspectionTrees(t *testing.T) {
	for _, name := range []string{"kit", "more"} {
		data := testkit.Read(t, "../../testdata/models/"+name+".cgfx")
		f := testkit.Must(Parse(data))(t)
		root := &tree.Node{Name: name, Size: int64(len(data)), Children: func(yield func(*tree.Node) bool) {
			for _, n := range f.Tree() {
				if !yield(n) {
					return
				}
			}
		}}
		var b bytes.Buffer
		require.NoError(t, tree.WriteText(&b, tree.Document{Root: root}, f.Check(), tree.Options{}))
		testkit.Golden(t, "testdata/"+name+".txt", b.Bytes())
	}
}

// A texture has the levels that its data holds, with sides of at least 8 texels; without an image it has none.
func TestTextureLevels(t *testing.T) {
	of := func(w, h, levels uint32, bytes int) *Texture {
		return &Texture{Object: Object{Name: "t"}, Width: w, Height: h, Levels: levels, Format: pica.TextureFormatI8, Images: []*Image{{Data: make([]byte, bytes)}}}
	}
	for _, c := range []struct {
		t    *Texture
		want int
	}{
		{of(32, 16, 1, 512), 1}, {of(32, 16, 2, 512+128), 2}, {of(32, 16, 3, 4096), 2}, {of(32, 32, 3, 1024+256+64), 3}, {of(32, 32, 3, 1024+256+63), 2}, {of(32, 32, 3, 1023), 0},
		{of(32, 32, 0, 4096), 1}, {of(4, 4, 1, 64), 0}, {of(8, 8, 1, 64), 1},
		{&Texture{Width: 8, Height: 8, Levels: 1}, 0}, {&Texture{Width: 8, Height: 8, Levels: 1, Images: []*Image{nil}}, 0},
	} {
		require.Equal(t, c.want, c.t.MipLevels(), "%dx%d, %d levels", c.t.Width, c.t.Height, c.t.Levels)
	}
}

// Decode refuses missing images and empty ones.
func TestDecodeRefusesMissingImages(t *testing.T) {
	good := Texture{Object: Object{Name: "t"}, Width: 8, Height: 8, Levels: 1, Format: pica.TextureFormatI8, Images: []*Image{{Data: make([]byte, 64)}, nil}}
	_, err := good.Decode(0)
	require.NoError(t, err)
	for _, face := range []int{-1, 1, 2, 99} {
		_, err := good.Decode(face)
		require.ErrorContains(t, err, "has no image")
	}
	for name, change := range map[string]func(t *Texture){
		"0x8 texels": func(t *Texture) { t.Width = 0 }, "8x0 texels": func(t *Texture) { t.Height = 0 }, "8x1025 texels": func(t *Texture) { t.Height = 1025 }, "1025x8 texels": func(t *Texture) { t.Width = 1025 },
		"unknown format 15": func(t *Texture) { t.Format = 15 }, "64 bytes, expected 128": func(t *Texture) { t.Width = 16 },
	} {
		bad := good
		change(&bad)
		_, err := bad.Decode(0)
		require.ErrorContains(t, err, name)
	}
}
