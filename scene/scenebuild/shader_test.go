package scenebuild

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
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

// twoGeometries is a vertex shader for two geometry shaders that paint triangles red and green.
const twoGeometries = `
.fvec projection[4]
.out pos dummy
.out shade dummy
.entry vmain
.proc vmain
	mov pos, v0
	mov shade, v1
	end
.end
`

func geometrySource(entry, colour string) string {
	return fmt.Sprintf(`
.gsh fixed c20 c0 3
.fvec modelViewProjection[4]
.constf paint(%s)
.out outpos position
.out outclr color
.entry %s
.proc %s
	setemit 0
	mov r0, c0
	dp4 outpos.x, modelViewProjection[0], r0
	dp4 outpos.y, modelViewProjection[1], r0
	dp4 outpos.z, modelViewProjection[2], r0
	dp4 outpos.w, modelViewProjection[3], r0
	mov outclr, paint
	emit
	setemit 1
	mov r0, c2
	dp4 outpos.x, modelViewProjection[0], r0
	dp4 outpos.y, modelViewProjection[1], r0
	dp4 outpos.z, modelViewProjection[2], r0
	dp4 outpos.w, modelViewProjection[3], r0
	mov outclr, paint
	emit
	setemit 2, prim
	mov r0, c4
	dp4 outpos.x, modelViewProjection[0], r0
	dp4 outpos.y, modelViewProjection[1], r0
	dp4 outpos.z, modelViewProjection[2], r0
	dp4 outpos.w, modelViewProjection[3], r0
	mov outclr, paint
	emit
	end
.end
`, colour, entry, entry)
}

// drawText writes files to a folder and draws a scene there.
func drawText(t *testing.T, files map[string]string, text string) (*image.NRGBA, error) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666))
	}
	path := filepath.Join(dir, "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	st, err := Load(path)
	if err != nil {
		return nil, err
	}
	g, _, err := st.Render(t.Context(), 0, Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	g.Close()
	return lastPicture(t, st), nil
}

// A geometry shader is selected by its entry point or its number among the executables.
func TestGeometryShaderIsChosen(t *testing.T) {
	files := map[string]string{"a.v.pica": twoGeometries, "red.g.pica": geometrySource("redmain", "1.0, 0.0, 0.0, 1.0"), "green.g.pica": geometrySource("greenmain", "0.0, 1.0, 0.0, 1.0")}
	red, green := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}
	for choice, want := range map[string]color.NRGBA{"": red, ", geometry: redmain": red, ", geometry: greenmain": green, ", geometry: 1": red, ", geometry: 2": green, `, geometry: "2", vertex: 0`: green} {
		img := testkit.Must(drawText(t, files, `
target: {width: 64, height: 64}
camera: {eye: [0, 0, 1], height: 1}
programs: {p: {sources: [a.v.pica, red.g.pica, green.g.pica]`+choice+`}}
models: {q: {shape: quad}}
draws: [{model: q, program: p, primitive: elements, lit: false, cull: none}]
`))(t, choice)
		require.Equal(t, want, img.NRGBAAt(32, 40), choice)
	}
	for choice, want := range map[string]string{
		"geometry: bluemain": `no executable "bluemain": there are 3, with the entry points [vmain redmain greenmain]`,
		"geometry: 3":        `no executable "3"`,
		"geometry: vmain":    "executable 0 is a vertex shader; expected a geometry shader",
		"vertex: redmain":    "executable 1 is a geometry shader; expected a vertex shader",
	} {
		_, err := drawText(t, files, "programs: {p: {sources: [a.v.pica, red.g.pica, green.g.pica], "+choice+"}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, program: p}]\n")
		require.ErrorContains(t, err, want)
	}
}

// barShader paints the element of its array of four registers that an int counter and a bool select.
const barShader = `
.fvec bars[4]
.bool second
.out outpos position
.out outclr color
.proc main
	mov outpos, v0
	ifu second
		mov outclr, bars[2]
	.else
		mov outclr, bars[1]
	.end
	end
.end
`

// An array of registers is set as a whole, from one element on, or by register number; too many values and unknown registers are
// refused.
func TestRegisterArraysInUniforms(t *testing.T) {
	const scene = `
target: {width: 16, height: 16}
programs: {p: {sources: [bars.v.pica], attributes: {v0: ndc}, guess: none}}
models: {q: {shape: quad, size: 4}}
draws: [{model: q, program: p, lit: false, uniforms: {%s}}]
`
	files := map[string]string{"bars.v.pica": barShader}
	red, green, none := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{}
	for uniforms, want := range map[string]color.NRGBA{
		"bars: [0, 0, 0, 0, 1, 0, 0, 1]":                           red,
		"bars: [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1], second: true": green,
		`"bars[1]": [1, 0, 0, 1]`:                                  red,
		`"bars[1]": [1, 0, 0, 1, 0, 1, 0, 1], second: true`:        green,
		`"bars[2]": [0, 1, 0, 1], second: true`:                    green,
		`"bars[2]": [0, 1, 0, 1]`:                                  none,
		"c1: [1, 0, 0, 1]":                                         red,
		"c2: [0, 1, 0, 1], b0: true":                               green,
		`"bars[1]": {keys: [[0, 1, 0, 0, 1], [1, 0, 0, 0, 0]]}`:    red,
		`bars: [0, 0, 0, 0, 0, 0, 0, 1], "bars[1]": [1, 0, 0, 1]`:  red, // the last setting wins
	} {
		img := testkit.Must(drawText(t, files, fmt.Sprintf(scene, uniforms)))(t, uniforms)
		require.Equal(t, want, img.NRGBAAt(8, 8), uniforms)
	}
	for uniforms, want := range map[string]string{
		"bars: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]": "bars",
		`"bars[3]": [1, 0, 0, 1, 1, 0, 0, 1]`:                                `bars`,
		`"bars[4]": [1, 0, 0, 1]`:                                            `no uniform "bars[4]"`,
		`"bars[-1]": [1, 0, 0, 1]`:                                           `no uniform "bars[-1]"`,
		"c96: [1, 0, 0, 1]":                                                  `no uniform "c96"`,
		"second: [1, 0, 0, 1]":                                               "second",
		"bars: [true, 1]":                                                    "mixes numbers with true and false",
	} {
		_, err := drawText(t, files, fmt.Sprintf(scene, uniforms))
		require.ErrorContains(t, err, want, uniforms)
	}
}

// recordText records a scene given as text.
func recordText(t *testing.T, text string) ([]byte, error) {
	s := testkit.Must(scene.Parse("test.yaml", []byte(text)))(t)
	st := testkit.Must(New(s))(t)
	return st.Record(t.Context(), []float64{0}, Options{Workers: 1})
}

// A shader uniform that no program has is an error at each level; one that some program of the scene or pass has is accepted.
func TestUnknownShaderUniforms(t *testing.T) {
	for _, c := range []struct{ scene, pass, draw, want string }{
		{"bogus: [1, 0, 0, 0]", "", "", `no program that the scene draws with has a uniform "bogus"; there are [`},
		{"", "bogus: [1, 0, 0, 0]", "", `no program that pass first draws with has a uniform "bogus"`},
		{"", "", "bogus: [1, 0, 0, 0]", `the program has no uniform "bogus"`},
		{"", "dmp_Point.viewport: [1, 1, 0, 0]", "", `no program that pass first draws with has a uniform "dmp_Point.viewport"`},
		{"dmp_Point.viewport: [1, 1, 0, 0]", "", "", ""},
		{"dmp_Point.viewport.xy: [1, 1, 0, 0]", "", "", ""},
		{"dmp_Point.distanceAttenuation: true", "", "", ""},
		{"textureMatrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]", "", "", ""},
		{"dmp_Point.Position: [1, 1, 0, 0]", "", "", "dmp_Point.Position is an input of point shaders, not a uniform: a mesh gives it as its position"},
		{"", "", "dmp_Point.PointSize: [1, 1, 0, 0]", "dmp_Point.PointSize is an input of point shaders, not a uniform: a mesh gives it as its size"},
		{"dmp_Point.Bogus: [1, 1, 0, 0]", "", "", `"dmp_Point.Bogus"`},
		{"dmp_Bogus: [1]", "", "", "dmp_Bogus"},
	} {
		_, err := recordText(t, `name: test
target: {width: 64, height: 64}
camera: {eye: [0, 0, 4], at: [0, 0, 0], fovy: 40, near: 1, far: 30}
programs:
  points: {library: point}
models:
  box: {shape: box, size: 1}
  dots: {shape: points, count: 5}
uniforms: {`+c.scene+`}
passes:
  - name: first
    target: {width: 64, height: 64}
    uniforms: {`+c.pass+`}
    draws:
      - {model: box}
draws:
  - {model: box, uniforms: {`+c.draw+`}}
  - {model: dots, program: points}
`)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
}

// Only the direction of a spot counts, not its length.
func TestSpotDirectionIsNormalised(t *testing.T) {
	spot := func(direction string) string {
		return `name: test
target: {width: 64, height: 64}
camera: {eye: [0, 0, 4], at: [0, 0, 0], fovy: 40, near: 1, far: 30}
models:
  box: {shape: plane, size: 3}
lights:
  - {position: [0, 2, 2], diffuse: [1, 1, 1], spot: ` + direction + `}
draws:
  - {model: box, rotate: [90, 1, 0, 0]}
`
	}
	want := testkit.Must(recordText(t, spot("[0, -0.70710678, -0.70710678]")))(t)
	for _, direction := range []string{"[0, -1, -1]", "[0, -0.1, -0.1]", "[0, -20, -20]"} {
		got := testkit.Must(recordText(t, spot(direction)))(t, direction)
		require.Equal(t, want, got, direction)
	}
	other := testkit.Must(recordText(t, spot("[0, 0, -1]")))(t)
	require.NotEqual(t, want, other)
	_, err := recordText(t, spot("[0, 0, 0]"))
	require.ErrorContains(t, err, "light 0: spot is [0 0 0], which is not a direction")
}

// A range of depths becomes scale and offset of its draw alone.
func TestDepthRange(t *testing.T) {
	s := testkit.Must(scene.Parse("x.yaml", []byte(`
models: {b: {shape: box}}
draws: [{model: b, depth: {range: [1, 0.25]}}, {model: b, depth: {write: false}}]
`)))(t)
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	var got []float32
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		got = append(got, pica.DepthmapScale.Float(d.Regs), pica.DepthmapOffset.Float(d.Regs))
		return nil
	}
	testkit.Must(testkit.Must(New(s))(t).Draw(t.Context(), g, 0))(t)
	require.Equal(t, []float32{-0.75, 0.25, 1, 1}, got)
}
