package scenebuild

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/tests/testkit"
)

// A model's draw that the hardware rejects is left out with a note; in a scene with draws of its own it is an error.
func TestRejectedModelDrawsAreSkipped(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	f.Models.Get("COMMON").Materials.Get("skin").Fragment.Combiners[0].Command[3] = 12
	data = testkit.Must(f.Encode())(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "kit.cgfx")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	st := testkit.Must(Load(path))(t)
	g, _, err := st.Render(t.Context(), 0, Options{Workers: 1})
	require.NoError(t, err)
	g.Close()
	require.Len(t, st.Notes(), 1)
	require.Contains(t, st.Notes()[0], "combiner stage 0: function 12 does not exist")
	g, _, err = st.Render(t.Context(), 1, Options{Workers: 1})
	require.NoError(t, err)
	g.Close()
	require.Len(t, st.Notes(), 1, "notes are those of the last picture only")
	require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
	_, err = st.Record(t.Context(), []float64{0}, Options{Workers: 1})
	require.NoError(t, err)

	scene := filepath.Join(dir, "own.yaml")
	require.NoError(t, os.WriteFile(scene, []byte("models: {kit: {file: kit.cgfx}, box: {shape: box}}\ndraws: [{model: kit}, {model: box}]\n"), 0o666))
	st = testkit.Must(Load(scene))(t)
	_, _, err = st.Render(t.Context(), 0, Options{Workers: 1})
	require.ErrorContains(t, err, "function 12 does not exist")
}

// A file in which no mesh has indices is refused with the names of the meshes.
func TestModelsWithoutIndices(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	for _, m := range f.Models.Values() {
		for _, s := range m.Shapes {
			for _, set := range s.Sets {
				for _, p := range set.Primitives {
					p.Streams = nil
				}
			}
		}
	}
	data = testkit.Must(f.Relayout())(t)
	path := filepath.Join(t.TempDir(), "kit.cgfx")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	st := testkit.Must(Load(path))(t)
	_, _, err := st.Render(t.Context(), 0, Options{Workers: 1})
	require.ErrorContains(t, err, "nothing is drawn: ")
	require.ErrorContains(t, err, " has no index stream: nothing says which vertices make its triangles")
}
