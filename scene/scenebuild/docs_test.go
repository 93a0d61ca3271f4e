package scenebuild

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// tinted is the shader used by an example of docs/SCENES.md.
const tinted = `
.fvec projection[4]
.fvec modelView[4]
.fvec tint
.in inPos v0
.in inTex v1
.out p position
.out c color
.proc main
	dp4 r1.x, modelView[0], inPos
	dp4 r1.y, modelView[1], inPos
	dp4 r1.z, modelView[2], inPos
	dp4 r1.w, modelView[3], inPos
	dp4 p.x, projection[0], r1
	dp4 p.y, projection[1], r1
	dp4 p.z, projection[2], r1
	dp4 p.w, projection[3], r1
	mov c, tint
	mov r2, inTex
	end
.end
`

// TestDocumentedExamplesDraw draws every example of docs/SCENES.md and checks one pixel of each.
func TestDocumentedExamplesDraw(t *testing.T) {
	page := testkit.Read(t, "../../docs/SCENES.md")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my.v.pica"), []byte(tinted), 0o644))
	white := color.NRGBA{255, 255, 255, 255}
	looks := []struct {
		x, y int
		want color.NRGBA
	}{
		{200, 120, white},
		{200, 20, color.NRGBA{26, 31, 41, 255}}, // the clear colour
		{356, 120, white},                       // the moon, placed by a list of transforms
		{200, 120, color.NRGBA{136, 94, 40, 255}},
		{200, 120, color.NRGBA{237, 84, 0, 255}}, // between two stops of a gradient
		{200, 120, color.NRGBA{255, 0, 0, 255}},  // the curve's first key
		{220, 150, color.NRGBA{255, 204, 51, 255}},
		{120, 130, white}, // rotated to lie on its side
		{200, 120, color.NRGBA{255, 128, 128, 255}},
		{200, 120, white},
	}
	for i, b := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(b, "```")
		path := filepath.Join(dir, "example.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		st := testkit.Must(Load(path))(t)
		g, names, err := st.Render(t.Context(), 0, Options{Workers: 1})
		require.NoError(t, err, "example %d", i)
		require.NotEmpty(t, names)
		target := testkit.Must(g.LastTarget())(t)
		img := testkit.Must(pipeline.ColorImage(target))(t)
		g.Close()
		require.Equal(t, looks[i].want, img.NRGBAAt(looks[i].x, looks[i].y), "example %d", i)
	}
}

// Black, blank or invisible draws are explained, with the shader line that causes it.
func TestInvisibleDrawNamesShaderLine(t *testing.T) {
	const declared = ".out pos position\n.out clr color\n.constf k(0.0, 1.0, 0.00392156862, -3.0)\n.constf half(0.5, 0.5, 0.5, 0.5)\n.in place\n.in tint\n"
	const seen = "\tmov pos.xyw, place\n\tmov pos.z, -half.x\n"
	body := func(lines string) string { return declared + ".proc main\n" + lines + "\tend\n.end\n" }
	for name, c := range map[string]struct{ source, draw, want string }{
		"a visible one":        {body(seen + "\tmov clr, k.y\n"), "", ""},
		"a constant colour":    {body(seen + "\tmov clr.xyz, k.x ; black\n\tmov clr.w, k.y\n"), "", "every pixel of it is black: the vertex colour is black; color of all 4 vertices is 0 0 0 (a.v.pica:10: mov clr.xyz, k.x)"},
		"a colour as of bytes": {body(seen + "\tmul clr, k.z, tint\n"), "", "every pixel of it is black: the vertex colour is black; color of all 4 vertices is 0.003922 0.003922 0.003922: the shader scales numbers of 0 to 255, and was given 0 to 1 (a.v.pica:10: mul clr, k.z, tint)"},
		"no colour":            {body(seen), "", "every pixel of it is black: the vertex colour is black; the shader writes no color, which is 0 in the registers as they start"},
		"an alpha of 0":        {body(seen + "\tmov clr.xyz, k.y\n\tmov clr.w, k.x\n"), "", "every pixel of it has an alpha of 0, so that pictures that are laid over others show nothing of it; the alpha of color is 0 of all 4 vertices (a.v.pica:11: mov clr.w, k.x)"},
		"blended away":         {body(seen + "\tmov clr.xyz, k.y\n\tmov clr.w, k.x\n"), ", blend: alpha", "nothing to see: 2704 pixels passed every test, and none changed: blending left what was there, or they have its colour; the alpha of color is 0 of all 4 vertices (a.v.pica:11: mov clr.w, k.x)"},
		"dropped for alpha":    {body(seen + "\tmov clr.xyz, k.y\n\tmov clr.w, k.x\n"), ", uniforms: {dmp_FragOperation.enableAlphaTest: true, dmp_FragOperation.alphaTestFunc: GL_GREATER}", "nothing to see: 2 triangles are in sight, but the alpha test drops all of their pixels; without it there are 2704; the alpha of color is 0 of all 4 vertices (a.v.pica:11: mov clr.w, k.x)"},
		"behind the camera":    {body("\tmov pos.xyz, place\n\tmov pos.w, k.w\n\tmov clr, k.y\n"), "", "all 4 vertices: they are behind the camera: the position's w is -3, not above 0 (a.v.pica:9: mov pos.w, k.w)"},
		"too near":             {body("\tmov pos, place\n\tmov pos.z, k.w\n\tmov clr, k.y\n"), "", "they are nearer than the near plane: z -3 is less than -w, with w 1 (a.v.pica:9: mov pos.z, k.w)"},
		"too far":              {body("\tmov pos, place\n\tmov pos.z, k.y\n\tmov clr, k.y\n"), "", "they are further than the far plane: z 1 is above 0 (a.v.pica:9: mov pos.z, k.y)"},
		"beside it":            {body("\tmov pos.yzw, place\n\tadd pos.x, k.w, place.x\n\tmov clr, k.y\n"), "", "they are left of the picture: x -3.8 to -2.2, w 1 (a.v.pica:9: add pos.x, k.w, place.x)"},
		"no number":            {body("\tmov r0, k.x\n\trcp r0.x, r0.x\n\tmov r1.x, r0.x\n\tmad r1.x, r0.x, k.w, r0.x\n\tmov pos, r1.x\n\tmov clr, k.y\n"), "", "the position of all 4 vertices is not a number (a.v.pica:12: mov pos, r1.x)"},
		"one place":            {body("\tmov pos, k.xxxy\n\tmov clr, k.y\n"), "", "the position of all 4 vertices is 0 0 0 1 (a.v.pica:8: mov pos, k.xxxy)"},
		"a black texture": {body(seen + "\tmov clr, k.y\n"), `, textures: [night], uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_PRIMARY_COLOR, GL_PRIMARY_COLOR], "dmp_TexEnv[0].combineRgb": GL_MODULATE}`,
			"every pixel of it is black: texture 0 is black, the vertex colour is not; texcoord0 is not an output of the shader, so it is 1"},
		"no light":       {body(seen + "\tmov clr, k.y\n"), `, lit: true`, "every pixel of it is black: the diffuse light and the specular light are black, the vertex colour is not; normquat is not an output of the shader, so it is 1"},
		"a mask":         {body(seen + "\tmov clr, k.y\n"), `, uniforms: {"dmp_TexEnv[0].combineRgb": GL_SUBTRACT, "dmp_TexEnv[0].srcRgb": [GL_PRIMARY_COLOR, GL_PRIMARY_COLOR, GL_PRIMARY_COLOR]}`, "every pixel of it is black: the combiner stages make it so of the vertex colour"},
		"a logic":        {body(seen + "\tmov clr, k.y\n"), `, blend: {src: zero, dst: zero}`, "every pixel of it is black, with an alpha of 0; what the combiner stages give is not: blending, a logic operation or fog makes it so"},
		"black on black": {body(seen + "\tmov clr.xyz, k.x\n\tmov clr.w, k.y\n"), "", "every pixel of it is black, on black: the vertex colour is black; color of all 4 vertices is 0 0 0 (a.v.pica:10: mov clr.xyz, k.x)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clear := "[0.5, 0, 0, 1]"
			if name == "black on black" {
				clear = "[0, 0, 0, 1]"
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.v.pica"), []byte(c.source), 0o644))
			text := "target: {width: 64, height: 64, clear: {color: " + clear + ", depth: 1, stencil: 0}}\n" +
				"programs: {main: {sources: [a.v.pica], guess: none, attributes: {place: position, tint: color}}}\nmodels: {q: {shape: quad, size: 1.6}}\n" +
				"textures: {night: {pattern: checker, size: 8, colors: [[0, 0, 0, 1], [0, 0, 0, 1]]}}\n" +
				"draws: [{model: q, program: main, cull: none, lit: false" + c.draw + "}]\n"
			if name == "no light" {
				text = "ambient: [0, 0, 0]\nlights: [{direction: [0, 0, 1], diffuse: [0, 0, 0], specular0: [0, 0, 0]}]\n" + text[:len(text)-len("lit: false, lit: true}]\n")] + "lit: true}]\n"
			}
			path := filepath.Join(dir, "s.yaml")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			st := testkit.Must(Load(path))(t)
			require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
			watched := testkit.Must(Load(path))(t)
			g := watched.NewGPU(Options{Workers: 1})
			defer g.Close()
			seen := watched.Watch(t.Context(), g)
			seen.Names = testkit.Must(watched.RenderOn(t.Context(), g, 0))(t)
			require.NoError(t, watched.DiagnoseSeen(t.Context(), 0, Options{Workers: 1}, seen))
			require.Equal(t, st.Remarks(), watched.Remarks())
			if c.want == "" {
				require.Empty(t, st.Remarks())
				return
			}
			remarks := st.Remarks()
			if name == "no light" { // that the shader gives no normal is said before anything is drawn
				require.Contains(t, remarks[0], "no output normalquat")
				remarks = remarks[1:]
			}
			require.Len(t, remarks, 1)
			require.Contains(t, remarks[0], c.want)
		})
	}
}

// With a geometry shader, its emitted vertices are explained; programs without source give the instruction number.
func TestInvisibleDrawOfGeometryAndBinaryPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	vertex := write("dots.v.pica", ".out pos position\n.fvec projection[4]\n.in place\n.proc main\n\tdp4 pos.x, projection[0], place\n\tdp4 pos.y, projection[1], place\n\tdp4 pos.z, projection[2], place\n\tdp4 pos.w, projection[3], place\n\tend\n.end\n")
	geometry := ".gsh point c0\n.out pos position\n.out clr color\n.constf k(0.0, 0.3, 1.0, 0.001)\n.entry points\n.proc points\n\tmov r1, k.x\n"
	for i, corner := range []string{"k.xxxx", "k.yxxx", "k.xyxx"} {
		prim := ""
		if i == 2 {
			prim = ", prim"
		}
		geometry += "\tsetemit " + string(rune('0'+i)) + prim + "\n\tmov r0, v0\n\tadd pos, " + corner + ", r0\n\tmov clr, k.wwwz\n\temit\n"
	}
	write("dots.g.pica", geometry+"\tend\n.end\n")
	st := testkit.Must(Load(vertex))(t)
	require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
	require.Contains(t, st.Remarks()[len(st.Remarks())-1], "color of all 600 vertices is 0.001 0.001 0.001 (dots.g.pica:21: mov clr, k.wwwz)")

	source := ".out pos position\n.out clr color\n.fvec projection[4]\n.constf k(0.0, 0.0, 0.0, 1.0)\n.in place\n.proc main\n\tdp4 pos.x, projection[0], place\n\tdp4 pos.y, projection[1], place\n\tdp4 pos.z, projection[2], place\n\tdp4 pos.w, projection[3], place\n\tmov clr, k\n\tend\n.end\n"
	out, found := asm.Assemble(asm.Options{}, asm.Source{Name: "x.v.pica", Text: []byte(source)})
	require.NoError(t, found.Err())
	data := testkit.Must(out.Bytes())(t)
	st = testkit.Must(Load(write("x.shbin", string(data))))(t)
	require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
	require.Contains(t, st.Remarks()[len(st.Remarks())-1], "vertices is 0 0 0 (instruction 4 of its program)")
}

// An invisible part of a bare model is not reported while another part is visible. It is reported in a scene, and if the whole
// model is invisible.
func TestInvisibleModelParts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	const seen, thin = "usemtl a\nf 1 2 3\n", "usemtl b\nf 4 4 5\n"
	write("m.mtl", "newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 1 0\n")
	const head = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.1 0.1 0\nv 0.2 0.1 0\n"
	for _, c := range []struct {
		path string
		told bool
	}{
		{write("both.obj", head+seen+thin), false},
		{write("thin.obj", head+thin), true},
		{write("s.yaml", "target: {width: 64, height: 64, clear: {color: [0.5, 0, 0, 1], depth: 1}}\nmodels: {m: {file: both.obj}}\ndraws: [{model: m, cull: none}]"), true},
	} {
		st := testkit.Must(Load(c.path))(t)
		require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
		require.Equal(t, c.told, strings.Contains(strings.Join(st.Remarks(), "\n"), "nothing to see"), "%s: %q", c.path, st.Remarks())
	}
	_, err := Load(write("dot.gltf", `{"asset":{"version":"2.0"},"buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}],"bufferViews":[{"buffer":0,"byteLength":12}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}`))
	require.ErrorContains(t, err, "dot.gltf: the model has nothing to show (points and lines are left out)")
}
