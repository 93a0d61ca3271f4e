package cgfx

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/tree"
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
