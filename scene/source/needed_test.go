package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPartsOfModels(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	for name, text := range map[string]string{
		"a.obj":    "mtllib a.mtl\nv 0 0 0\n",
		"a.mtl":    "newmtl m\nmap_Kd a.png\nmtllib a.mtl\n", // names itself
		"self.obj": "mtllib self.obj\n",
		"data.obj": "mtllib data:x\n",
		"a.gltf":   `{"buffers": [{"uri": "a.bin"}], "images": [{"uri": "data:image/png;base64,"}, {"uri": "b.png"}]}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for name, want := range map[string][]string{
		"a.obj": in("a.mtl", "a.png"), "a.mtl": in("a.png"), "self.obj": in("self.obj"), "data.obj": nil,
		"a.gltf": in("a.bin", "b.png"), "none.obj": nil, "a.png": nil,
	} {
		require.Equal(t, want, parts(filepath.Join(dir, name)), name)
	}
}
