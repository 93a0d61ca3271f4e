package scenebuild

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"pica200/scene"
	"pica200/tests/testkit"
)

// twoParts are models of a mesh left in paint and a mesh right in paint and glass.
var twoParts = fstest.MapFS{
	"m.obj": {Data: []byte(`mtllib m.mtl
v -2 -1 0
v 0 -1 0
v 0 1 0.5
v -2 1 0
v 2 -1 0
v 2 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
o left
usemtl paint
f 1/1 2/2 3/3 4/4
o right
usemtl paint
f 2/1 5/2 6/3
usemtl glass
f 2/1 6/3 3/4
`)},
	"m.mtl": {Data: []byte("newmtl paint\nKd 0.9 0.6 0.2\nnewmtl glass\nKd 0.2 0.5 0.9\n")},
}

const partsHead = `
target: {width: 120, height: 80}
camera: {eye: [0.3, 0.2, 6], fovy: 40}
lights: [{direction: [0.4, 0.5, 1]}]
tables: {ramp: {power: 3}}
textures: {checks: {pattern: checker, size: 16}}
programs: {flat: textured}
models: {m: %s}
`

func shown(t *testing.T, files fstest.MapFS, text string) []byte {
	t.Helper()
	s := testkit.Must(scene.Parse("s.yaml", []byte(text)))(t, text)
	s.FS = files
	return pictureOf(t, testkit.Must(New(s))(t, text), 0.5).Pix
}

// A part that says something looks like a draw of its own that says it.
func TestPartsLookLikeDraws(t *testing.T) {
	head := fmt.Sprintf(partsHead, "m.obj")
	rest := shown(t, twoParts, head+"draws: [{model: m, depth: {func: less_equal}}]")
	for _, keys := range strings.Split(strings.TrimSpace(`
color: [1, 0, 0, 1], material: false
lit: false
cull: front
depth: {func: greater}
blend: multiply
logic: xor
write: rb
scissor: [0, 0, 40, 33]
stencil: {func: never}
at: [0.3, 0.1, 0]
scale: 0.5, rotate: [30, 0, 0, 1]
spin: [90, 0, 0, 1]
transform: [{rotate: [20, 1, 0, 0]}, {at: [0.1, 0, 0]}]
textures: [checks], uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]}
program: flat, lit: false, uniforms: {textureMatrix: [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0]}
uniforms: {dmp_FragmentMaterial.emission: [0, 0.4, 0.1, 1]}
registers: [{reg: 0x104, value: 1, mask: 1}]
primitive: strip
show: false`), "\n") {
		alone := "draws:\n  - {model: m, mesh: right, depth: {func: less_equal}}\n  - {model: m, mesh: left, depth: {func: less_equal}, " + keys + "}\n"
		if strings.Contains(keys, "depth") {
			alone = strings.Replace(alone, "mesh: left, depth: {func: less_equal}, ", "mesh: left, ", 1)
		}
		got := shown(t, twoParts, head+"draws:\n  - model: m\n    depth: {func: less_equal}\n    meshes:\n      left: {"+keys+"}\n")
		require.Equal(t, shown(t, twoParts, head+alone), got, keys)
		require.NotEqual(t, rest, got, keys)
	}
}

// What is said of a mesh counts before what is said of a material, and what is said of a material on a mesh before both. Transforms are
// multiplied; uniforms of a program that only a part has are no mistake.
func TestPartsOverrideEachOther(t *testing.T) {
	head := fmt.Sprintf(partsHead, "m.obj")
	same := func(a, b string) {
		t.Helper()
		require.Equal(t, shown(t, twoParts, head+"draws:\n  - "+b), shown(t, twoParts, head+"draws:\n  - "+a), a)
	}
	const red, green, blue, white = "{color: [1, 0, 0, 1]}", "{color: [0, 1, 0, 1]}", "{color: [0, 0, 1, 1]}", "{color: [1, 1, 1, 1]}"
	same("{model: m, lit: false, color: [1, 1, 1, 1], materials: {paint: "+red+"}, meshes: {right: {color: [0, 1, 0, 1], materials: {glass: "+blue+"}}}}",
		"{model: m, lit: false, meshes: {left: "+red+", right: {materials: {paint: "+green+", glass: "+blue+"}}}}")
	same("{model: m, lit: false, color: [1, 1, 1, 1], meshes: {right: "+green+"}, materials: {glass: "+red+"}}",
		"{model: m, lit: false, meshes: {left: "+white+", right: "+green+"}}")
	same("{model: m, at: [0.2, 0, 0], meshes: {left: {scale: 0.5, materials: {paint: {rotate: [20, 0, 0, 1]}}}}}",
		"{model: m, meshes: {right: {at: [0.2, 0, 0]}, left: {transform: [{at: [0.2, 0, 0]}, {scale: 0.5}, {rotate: [20, 0, 0, 1]}]}}}")
	same("{model: m, show: false, lit: false, meshes: {right: {show: true, program: flat, uniforms: {textureMatrix: [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0]}}}}", "{model: m, mesh: right, lit: false, program: flat}")
	for text, want := range map[string]string{
		"{model: m, meshes: {up: {lit: false}}}":                        `model m has no mesh "up"; it has [left, right]`,
		"{model: m, materials: {wood: {lit: false}}}":                   `model m has no material "wood"; it has [glass, paint]`,
		"{model: m, meshes: {left: {materials: {wood: {lit: false}}}}}": `model m has no material "wood"`,
		"{model: m, mesh: left, meshes: {right: {lit: false}}}":         `model m has no mesh "right"; it has [left]`,
		"{model: m, meshes: {left: {uniforms: {nothing: 1}}}}":          `the program has no uniform "nothing"`,
		"{model: m, materials: {glass: {animation: run}}}":              `has no animation "run"`,
	} {
		s, err := scene.Parse("s.yaml", []byte(head+"draws:\n  - "+text))
		require.NoError(t, err)
		s.FS = twoParts
		st, err := New(s)
		if err == nil {
			_, _, err = st.Render(t.Context(), 0, Options{})
		}
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "s.yaml:10", text)
	}
}

// The keys of a draw, of a mesh and of a material count for a CGFX or BCH file over what its materials say, and the other meshes stay.
func TestKeysOverMaterialsOfFiles(t *testing.T) {
	for file, mesh := range map[string][2]string{"kit.cgfx": {"knot_8", "mist"}, "more.cgfx": {"spotlit_4", "spotlit"}, "arm.bch": {"arm_0", "skin"}} {
		head := fmt.Sprintf("tables: {ramp: {power: 3}}\nprograms: {flat: textured, all: skinned}\ntextures: {checks: {pattern: checker, size: 16}}\ncamera: {eye: [0, 3, 30], fovy: 50, far: 200}\nmodels: {m: %s}\ndraws:\n  - ", file)
		shown := func(draw string) []byte {
			s := testkit.Must(scene.Parse("../../testdata/models/s.yaml", []byte(head+draw+"\n")))(t, draw)
			return pictureOf(t, testkit.Must(New(s))(t, draw), 0.5).Pix
		}
		one := "mesh: " + mesh[0]
		rest := shown("{model: m, " + one + "}")
		for _, keys := range strings.Split(strings.TrimSpace(`
color: [1, 0, 0, 1], material: false
uniforms: {"dmp_TexEnv[0].srcRgb": [GL_CONSTANT, GL_CONSTANT, GL_CONSTANT], "dmp_TexEnv[0].constRgba": [0, 1, 0.5, 1], "dmp_TexEnv[0].combineRgb": GL_REPLACE}
uniforms: {dmp_FragOperation.enableAlphaTest: true, dmp_FragOperation.alphaTestFunc: GL_NEVER}
cull: front
depth: {func: greater}
blend: multiply
logic: clear
write: r
scissor: [0, 0, 50, 33]
stencil: {func: never}
at: [1, 0.5, 0]
scale: 0.5, spin: [90, 0, 0, 1]
textures: [checks], uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0], "dmp_TexEnv[0].combineRgb": GL_REPLACE}
uniforms: {projection: [0.2, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.01, -0.5, 0, 0, 0, 1]}
program: flat
program: flat, uniforms: {projection: [0.2, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.01, -0.5, 0, 0, 0, 1]}
registers: [{reg: 0x104, value: 1, mask: 1}]`), "\n") {
			draw := shown("{model: m, " + one + ", " + keys + "}")
			require.NotEqual(t, rest, draw, "%s: %s", file, keys)
			require.Equal(t, draw, shown("{model: m, "+one+", meshes: {"+mesh[0]+": {"+keys+"}}}"), "%s: %s", file, keys)
			require.Equal(t, draw, shown("{model: m, "+one+", materials: {"+mesh[1]+": {"+keys+"}}}"), "%s: %s", file, keys)
		}
		if file == "more.cgfx" {
			others := "{model: m, uniforms: {dmp_FragOperation.enableAlphaTest: true, dmp_FragOperation.alphaTestFunc: GL_NEVER}, meshes: {" + mesh[0] + ": {uniforms: {dmp_FragOperation.enableAlphaTest: false}}}}"
			require.Equal(t, rest, shown(others), "only one mesh is left")
			require.Equal(t, rest, shown("{model: m, show: false, materials: {"+mesh[1]+": {show: true}}}"))
		}
	}
}

// A program of the scene gets the vertices of a CGFX or BCH file as numbers, with their bones: the library's shows the same as the file's own. A table
// of the scene replaces that of the file.
func TestProgramsAndTablesOverFiles(t *testing.T) {
	var notes []string
	shown := func(file, draw string) *image.NRGBA {
		s := testkit.Must(scene.Parse("../../testdata/models/s.yaml", []byte(fmt.Sprintf("tables: {none: {formula: '0'}}\nprograms: {all: skinned}\ncamera: {eye: [0, 3, 30], fovy: 50, far: 200}\nmodels: {m: %s}\ndraws: [{model: m%s}]\n", file, draw))))(t)
		st := testkit.Must(New(s))(t)
		defer func() { notes = st.Notes() }()
		return pictureOf(t, st, 0.5)
	}
	for _, c := range [][]string{{"arm.cgfx", ""}, {"arm.bch", ""}, {"shapes.cgfx", ""}, {"kit.cgfx", ", meshes: {ball_7: {show: false}}"}, {"more.cgfx", ", mesh: spotlit_4"},
		{"kit.cgfx", ", mesh: ball_7", "model m: material sky: the program in the scene gets no light by vertex"},
		{"more.cgfx", ", mesh: screen_1", "model m: material screen: the program in the scene gets no coordinates for texture 0, whose mapping is projection"}} {
		own, got := shown(c[0], c[1]), shown(c[0], c[1]+", program: all")
		if len(c) > 2 {
			require.Contains(t, notes, c[2])
			continue
		}
		require.NotContains(t, strings.Join(notes, ""), "gets no")
		for i := range own.Pix {
			require.InDelta(t, own.Pix[i], got.Pix[i], 2, "%v, byte %d", c, i)
		}
	}
	const spot = `, mesh: spotlit_4, uniforms: {"dmp_FragmentLightSource[1].`
	dark := shown("more.cgfx", spot+`diffuse": [0, 0, 0, 1]}`).Pix
	require.True(t, bytes.Equal(dark, shown("more.cgfx", spot+`samplerSP": none}`).Pix))
	require.False(t, bytes.Equal(dark, shown("more.cgfx", ", mesh: spotlit_4").Pix))
}
