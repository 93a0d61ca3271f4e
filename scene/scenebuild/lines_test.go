package scenebuild

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// For each output, OutputLines returns the last line that writes it, in the executable whose outputs reach the rasterizer. For
// binaries it returns nothing.
func TestLastLineOfEachOutput(t *testing.T) {
	const folder = "testdata/shaders/"
	for name, want := range map[string]struct {
		file string
		of   map[shbin.OutputType]string // text of the line
	}{
		"lambert.v.pica":         {"lambert.v.pica", nil},
		"fixed-triangles.v.pica": {"fixed-triangles.g.pica", map[shbin.OutputType]string{shbin.OutPosition: "dp4 outpos.w, projection[3], r0", shbin.OutColor: "mov outclr, r1"}},
	} {
		st := testkit.Must(openShader(folder+name, nil))(t)
		lines := st.OutputLines("main")
		p := st.programs["main"]
		e := p.file.Executables[p.vertex]
		if p.geometry >= 0 {
			e = p.file.Executables[p.geometry]
		}
		require.Len(t, lines, len(e.Outputs), name)
		text := testkit.Read(t, folder+want.file)
		all := strings.Split(string(text), "\n")
		for output, pos := range lines {
			require.Equal(t, want.file, filepath.Base(pos.File))
			if s := want.of[output]; s != "" {
				require.Equal(t, s, strings.TrimSpace(all[pos.Line-1]))
				require.NotContains(t, strings.Join(all[pos.Line:], "\n"), s, "no later line writes the output")
			}
		}
	}
	st := testkit.Must(openShader(folder+"lambert.v.pica", nil))(t)
	require.Empty(t, st.OutputLines("no such program"))

	// A geometry shader that is present but not used, and writes the same registers.
	dir := t.TempDir()
	text := testkit.Read(t, folder+"lambert.v.pica")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.v.pica"), text, 0o644))
	geometry := testkit.Read(t, folder+"fixed-triangles.g.pica")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.g.pica"), geometry, 0o644))
	scene := "programs: {main: {sources: [both.v.pica, both.g.pica], geometry: none, guess: all}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, program: main}]\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.yaml"), []byte(scene), 0o644))
	st = testkit.Must(Load(filepath.Join(dir, "both.yaml")))(t)
	require.NotEmpty(t, st.OutputLines("main"))
	for output, pos := range st.OutputLines("main") {
		require.Equal(t, "both.v.pica", pos.File, "%v", output)
	}

	out, found := asm.Assemble(asm.Options{}, asm.Source{Name: "lambert.v.pica", Text: text})
	require.Zero(t, found.Errors())
	data := testkit.Must(out.File.Write())(t)
	path := filepath.Join(dir, "lambert.shbin")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	st = testkit.Must(openShader(path, nil))(t)
	require.Empty(t, st.OutputLines("main"))
}
