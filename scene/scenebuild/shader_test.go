package scenebuild

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/scene"
	"pica200/tests/testkit"
)

// drawsSomething draws a stage and reports whether anything but the clear colour is visible. If nothing is, a remark must give the
// reason.
func drawsSomething(t *testing.T, st *Stage) bool {
	t.Helper()
	require.NoError(t, st.SetSize(104, 64))
	if differs(lastPicture(t, st)) > 20 {
		return true
	}
	require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
	require.Contains(t, strings.Join(st.Remarks(), "\n"), "nothing to see: ")
	return false
}

// differs counts the pixels whose colour differs from the first one's.
func differs(img *image.NRGBA) (n int) {
	for i := 0; i < len(img.Pix); i += 4 {
		if [4]byte(img.Pix[i:]) != [4]byte(img.Pix) {
			n++
		}
	}
	return n
}

// ownShaders returns sources in the styles of public homebrew, and the reasons of those that cannot draw.
func ownShaders(t *testing.T) (paths []string, cannot map[string]string) {
	paths = testkit.Must(filepath.Glob("testdata/shaders/*.v.pica"))(t)
	require.GreaterOrEqual(t, len(paths), 55)
	return paths, map[string]string{"no-position.v.pica": "the program writes no position", "no-input.v.pica": "no input reaches the position"}
}

// Shaders without annotations are drawn without settings.
func TestBareShadersDraw(t *testing.T) {
	paths, cannot := ownShaders(t)
	for _, path := range paths {
		name := filepath.Base(path)
		st := testkit.Must(Load(path))(t, path)
		require.Equal(t, cannot[name] == "", drawsSomething(t, st), "%s: %q", name, st.Remarks())
		require.Contains(t, strings.Join(st.Remarks(), "\n"), cannot[name], name)
		require.NotContains(t, strings.Join(st.Remarks(), "\n"), "is black", name)
	}
}

// They are also drawn in scenes that only give a model.
func TestBareShadersInScenesDraw(t *testing.T) {
	paths, cannot := ownShaders(t)
	for _, path := range paths {
		if _, err := os.Stat(strings.TrimSuffix(path, ".v.pica") + ".g.pica"); err == nil {
			continue
		}
		name := filepath.Base(path)
		if name == "menu.v.pica" {
			continue // drawn without depth, the ring fills the screen or misses it
		}
		s := testkit.Must(scene.Parse(filepath.Join(filepath.Dir(path), "test.yaml"), []byte("programs: {p: {sources: ["+name+"]}}\nmodels: {ring: {shape: torus}}\ndraws: [{model: ring, program: p, cull: none, depth: {func: less_equal}}]")))(t)
		st := testkit.Must(New(s))(t, path)
		something := drawsSomething(t, st)
		// A shader that writes no colour may be black on black, with a remark.
		if cannot[name] != "" || !colourless(t, path) {
			require.Equal(t, cannot[name] == "", something, "%s: %q", name, st.Remarks())
		}
	}
}

// colourless reports whether a shader has no colour output, so that a scene without textures and lights shows it black on black.
func colourless(t *testing.T, path string) bool {
	text := testkit.Read(t, path)
	return !strings.Contains(string(text), ".out outclr color")
}

// Binaries of public homebrew are drawn, or a remark says what is missing.
func TestPublicShaderBinariesDraw(t *testing.T) {
	drawn, all := 0, testkit.Corpus(t, "shbin/*.shbin")
	for _, path := range all {
		st := testkit.Must(Load(path))(t, path)
		if drawsSomething(t, st) {
			drawn++
		}
	}
	require.Equal(t, len(all), drawn, "of %d", len(all))
}

// Of public homebrew sources, if present, nine of ten are drawn; the others say what is missing.
func TestPublicShaderSourcesDraw(t *testing.T) {
	dir := os.Getenv("PICA200_PICA_CORPUS")
	if dir == "" {
		t.Skip("PICA200_PICA_CORPUS names no folder of .pica files")
	}
	drawn, all := 0, 0
	var rest []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".pica") || strings.HasSuffix(path, ".g.pica") {
			return err
		}
		st, err := Load(path)
		if err != nil { // does not assemble alone, or has no vertex shader
			rest = append(rest, fmt.Sprintf("%s: %v", path, err))
			return nil
		}
		if all++; drawsSomething(t, st) {
			drawn++
		} else {
			rest = append(rest, fmt.Sprintf("%s: %q", path, st.Remarks()))
		}
		return nil
	}))
	t.Logf("%d of %d are drawn; the rest:\n%s", drawn, all, strings.Join(rest, "\n"))
	require.GreaterOrEqual(t, 10*drawn, 9*all)
}

// Draws that leave nothing visible get a remark with the reason and counts.
func TestInvisibleDrawGetsReason(t *testing.T) {
	for _, c := range []struct{ draw, want string }{
		{"at: [0, 0, 9]", `of 4096 triangles 4096 are clipped`},
		{"depth: {func: never}", `\d+ triangles are in sight, but the depth test drops all of their pixels; without it there are \d+`},
		{"depth: false, stencil: {func: equal, ref: 7}", `but the stencil test drops all of their pixels; without it there are \d+`},
		{"scissor: [0, 0, 8, 8]", `but the scissor rectangle drops all of their pixels`},
		{"uniforms: {dmp_FragOperation.enableAlphaTest: true, dmp_FragOperation.alphaTestFunc: GL_NEVER}", `but the alpha test drops all of their pixels`},
		{"depth: {func: never}, scissor: [0, 0, 8, 8]", `the depth test and the scissor rectangle together drop`},
		{`write: "-", depth: false`, `\d+ pixels passed every test, and none changed: no channel of colour is written`},
		{"color: [1, 1, 1, 0], blend: alpha", `none changed: blending left what was there`},
		{"color: [1, 1, 1, 1]", ""},
	} {
		s := testkit.Must(scene.Parse("x.yaml", []byte("target: {width: 64, height: 64, clear: {color: [0.5, 0, 0, 1], depth: 1, stencil: 0}}\nmodels: {ring: {shape: torus}}\ndraws: [{model: ring, "+c.draw+"}]")))(t)
		st := testkit.Must(New(s))(t)
		require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
		if c.want == "" {
			require.Empty(t, st.Remarks(), c.draw)
			continue
		}
		require.Len(t, st.Remarks(), 1, c.draw)
		require.Regexp(t, c.want, st.Remarks()[0], c.draw)
	}
}

// A bare shader that outputs texture coordinates is shown with a texture on the first unit it has coordinates for, without the
// vertex colour if that is always black.
func TestBareShaderTextures(t *testing.T) {
	const head = ".fvec projection[4]\n.constf k(0.00392156862, 0.0, 1.0, 0.5)\n.out pos position\n.in place\n.in uv\n.in tint\n"
	const place = ".proc main\n\tdp4 pos.x, projection[0], place\n\tdp4 pos.y, projection[1], place\n\tdp4 pos.z, projection[2], place\n\tdp4 pos.w, projection[3], place\n"
	for name, c := range map[string]struct {
		outs, body, unit, combine string
		black                     bool
	}{
		"first":   {".out t0 texcoord0\n", "\tmov t0, uv\n", "[checker]", "GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0", false},
		"second":  {".out t1 texcoord1\n", "\tmov t1, uv\n", "[none, checker]", "GL_TEXTURE1, GL_TEXTURE1, GL_TEXTURE1", false},
		"third":   {".out t2 texcoord2\n.out clr color\n", "\tmov t2, uv\n\tmul clr, k.w, tint\n", "[none, none, checker]", "GL_TEXTURE2, GL_PRIMARY_COLOR", false},
		"of none": {".out t0 texcoord0\n.out clr color\n", "\tmov t0, uv\n\tmov clr, k.y\n", "[checker]", "GL_TEXTURE0, GL_TEXTURE0", true},
		"bytes":   {".out t0 texcoord0\n.out clr color\n", "\tmov t0, uv\n\tmul clr, k.x, uv\n", "[checker]", "GL_TEXTURE0, GL_TEXTURE0", true},
		"one way": {".bool lit\n.out t0 texcoord0\n.out clr color\n", "\tmov t0, uv\n\tifu lit\n\t\tmul clr, k.w, tint\n\t.else\n\t\tmov clr, k.y\n\t.end\n", "[checker]", "GL_TEXTURE0, GL_PRIMARY_COLOR", false},
	} {
		path := filepath.Join(t.TempDir(), "a.v.pica")
		require.NoError(t, os.WriteFile(path, []byte(head+c.outs+place+c.body+"\tend\n.end\n"), 0o644))
		st := testkit.Must(Load(path))(t, name)
		require.Contains(t, string(st.Text), "textures: "+c.unit, name)
		require.Contains(t, string(st.Text), c.combine, name)
		require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
		notes := strings.Join(st.Remarks(), "\n")
		require.Equal(t, c.black, strings.Contains(notes, "color: black without data that a mesh lacks"), "%s: %s", name, notes)
		require.Equal(t, name == "one way", strings.Contains(notes, "every pixel of it is black"), "%s: %s", name, notes)
	}
}
