package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Small files that ask for much work are refused at the limit, and each file is read once.
func TestWorkIsLimited(t *testing.T) {
	face := "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	primitives := func(n int) string {
		return strings.Replace(triangle(""), `{"attributes":{"POSITION":0}}`, strings.TrimSuffix(strings.Repeat(`{"attributes":{"POSITION":0}},`, n), ","), 1)
	}
	library := "mtllib a.mtl\nmtllib ./a.mtl\n"
	for _, c := range []struct {
		name, file string
		others     map[string]string
		want       string
	}{
		{"a library that is named often", "a.obj", map[string]string{"a.obj": strings.Repeat(library, 10000) + face + "f 1 2 3\n", "a.mtl": numbered(3000, "newmtl m%d\n")}, ""},
		{"libraries", "a.obj", map[string]string{"a.obj": numbered(1025, "mtllib %d.mtl\n") + face}, "a.obj: line 1025: the model has more than 1024 other files"},
		{"materials", "a.obj", map[string]string{"a.obj": face + "f 1 2 3\n" + numbered(4097, "usemtl m%d\n")}, "a.obj: line 4101: the model has more than 4096 materials"},
		{"materials of a library", "a.obj", map[string]string{"a.obj": "mtllib a.mtl\n", "a.mtl": numbered(4097, "newmtl m%d\n")}, "a.obj: line 1: a.mtl: line 4097: the model has more than 4096 materials"},
		{"groups", "a.obj", map[string]string{"a.obj": face + numbered(4096, "usemtl m%d\ns 1\nf 1 2 3\ns 0\nf 1 2 3\n")}, ""},
		{"primitives", "a.gltf", map[string]string{"a.gltf": primitives(8193)}, "a.gltf: mesh 0 (), primitive 8192: the model has more than 8192 primitives"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(t, c.others, c.file)
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
	w := work{}
	for c := range costs {
		require.NoError(t, w.spend(c, limits[c].most-1))
		require.NoError(t, w.spend(c, 1))
		require.ErrorContains(t, w.spend(c, 1), limits[c].what)
		require.Equal(t, limits[c].most, w[c])
	}
}

// A picture that is named in several ways is one image.
func TestPicturesAreOneImage(t *testing.T) {
	base := `"pbrMetallicRoughness":{"baseColorTexture":{"index":%d}}`
	all := map[string]string{
		"a.png": richFiles(t)["a.png"],
		"a.gltf": triangle(`,"images":[{"uri":"a.png"},{"uri":"./a.png"}],"textures":[{"source":0},{"source":1}],"materials":[{`+fmt.Sprintf(base, 0)+`},{`+fmt.Sprintf(base, 1)+`}]`,
			`[{"attributes":{"POSITION":0}}]`, `[{"attributes":{"POSITION":0},"material":0},{"attributes":{"POSITION":0},"material":1}]`),
		"a.obj": "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n",
		"a.mtl": "newmtl a\nmap_Kd a.png\nnewmtl b\nmap_Kd ./a.png\n",
	}
	for _, name := range []string{"a.gltf", "a.obj"} {
		m := testkit.Must(read(t, all, name))(t)
		require.Len(t, m.Images, 1, name)
		for _, k := range []int{0, 1} {
			require.Zero(t, m.Materials[k].Base.Image, name)
		}
	}
}
