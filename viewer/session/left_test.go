package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// A model's draw that the hardware rejects is left out with a warning, and the picture equals that of "pica200 render". In a scene
// with draws of its own it is an error. Reloading decides again which of both applies.
func TestRejectedModelDrawsAreLeftOut(t *testing.T) {
	f := testkit.Must(cgfx.Parse(testkit.Read(t, "../../testdata/models/kit.cgfx")))(t)
	f.Models.Get("COMMON").Materials.Get("skin").Fragment.Combiners[0].Command[3] = 12
	bad := testkit.Must(f.Encode())(t)
	path := filepath.Join(t.TempDir(), "kit.cgfx")
	require.NoError(t, os.WriteFile(path, bad, 0o644))

	s := open(t, path)
	p := render(t, s, request())
	require.Len(t, p.Warnings, 1)
	require.Contains(t, p.Warnings[0], "left out: combiner stage 0: function 12 does not exist")
	require.Equal(t, p.Warnings, render(t, s, request()).Warnings, "a second picture has the same warning once")
	st := testkit.Must(scenebuild.Load(path))(t)
	g, _, err := st.Render(t.Context(), 0, scenebuild.Options{})
	require.NoError(t, err)
	defer g.Close()
	target := testkit.Must(g.LastTarget())(t)
	q := &Picture{}
	require.NoError(t, q.readTarget(g, p.orientation))
	require.NotNil(t, target)
	same(t, q.Image.Pix, p.Image.Pix)
	historyOf(t, s, p, 200, 120)
	list := drawsOf(t, s, request())
	require.Len(t, list, p.Frame)
	names := map[string]bool{}
	for i := range list {
		names[list[i].Name] = true
		require.Equal(t, p.drawNames[i], list[i].Name)
		require.True(t, strings.HasPrefix(list[i].Name, "model: "), list[i].Name)
	}
	require.Greater(t, len(names), 4, "draws are named after their meshes")

	own := filepath.Join(filepath.Dir(path), "own.yaml")
	both := "models: {kit: {file: kit.cgfx}, box: {shape: box}}\ndraws: [{model: kit}, {model: box}]\n"
	require.NoError(t, os.WriteFile(own, []byte(both), 0o644))
	s = open(t, own)
	_, err = s.Render(t.Context(), request())
	require.ErrorContains(t, err, "function 12 does not exist")
	require.NoError(t, os.WriteFile(own, []byte(strings.Replace(both, ", {model: box}", "", 1)), 0o644))
	require.NoError(t, s.Reload())
	require.Equal(t, 1, strings.Count(strings.Join(render(t, s, request()).Warnings, "\n"), "left out: combiner stage 0"))
	require.NoError(t, os.WriteFile(own, []byte(both), 0o644))
	require.NoError(t, s.Reload())
	_, err = s.Render(t.Context(), request())
	require.ErrorContains(t, err, "function 12 does not exist")
}
