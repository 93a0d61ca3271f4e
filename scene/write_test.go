package scene

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

const wholeScene = `
name: "all: of it"
about: "two\nlines"
time: 1.5
target: {width: 240, height: 400, color: rgb565, depth: d16, viewport: [0, 8, 64, 64], screen: top, clear: {}}
camera: {eye: [0, 1, 2], at: [1, 0, 0], up: [0, 0, 1], near: 0.25, far: 99, fovy: {keys: [[0, 30], [1, 60]], loop: true}, turntable: 10, rotated: true, stereo: {eyes: {keys: [[0, 0], [1, 0.5]]}, convergence: 3}}
lights:
  - {position: [1, 2, 3], diffuse: [1, 0.1, 0], spot: [0, 0, -1], uniforms: {geomFactor0: true}}
  - {direction: {keys: [[0, 0, 0, 1], [2, 1, 0, 0]]}, ambient: [0.1, 0, 0], specular0: [0, 0.2, 0], specular1: [0, 0, 0.3]}
ambient: [0.1, 0.2, 0.3]
tables:
  a: {values: [0, 0.5, 1]}
  b: {power: 12}
  c: {steps: [[0, 1], [0.5, 2]]}
  d: {points: [[0, 1], [0.5, 2]], signed: true}
  e: {fog: {density: 0.25}}
  f: {fog: {start: 2, end: 30}}
  g: {fog: {density: 0.5, exponent: 2}}
  h: {spot: {inner: 10, outer: 30, exponent: 2}, signed: true}
  i: {fresnel: {f0: 0.1, power: 4}}
  j: {exp: 2}
  k: {exp2: 3}
  l: {toon: {steps: 4, low: 0.1, high: 0.9, soft: 0.25}}
  l2: {toon: 5}
  m: {formula: "1 - x*0.5"}
gradients:
  bark: [[0, 0.1, 0.2, 0.3], [0.5, 1, 1, 1, 0.5]]
  bands: {steps: [[0, 0, 0, 0], [0.25, 1, 0, 0]]}
programs:
  p: {sources: [a.pica, "b c.pica"], vertex: main, geometry: none, attributes: {pos: position, uv: texcoord1}}
  q: textured
  r: {file: x.shbin, guess: all, per_run: 3}
textures:
  t: {file: a.png, format: etc1, wrap: [mirrored_repeat, clamp_to_border], mip: nearest, bias: -1.5, max_lod: 2, border: [0, 1, 0, 1]}
  u: {faces: [a, b, {pattern: disc, colors: [[1, 0, 0]]}, {pattern: checker, size: 16, seed: 3, scale: 4}, {pattern: bump_normals, relief: 2}, {pattern: noise, gradient: bark}]}
  v: {levels: [a.png, b.png], mag: nearest}
  w: {from: smoke, shadow: true}
  x: {pattern: bump_normals, scale: 3, seed: 9, relief: 0.5, min: nearest, colors: [[1, 0, 0]], mipmaps: true}
  y: {pattern: wood, gradient: bark}
  z: {raw: {file: z.bin, size: [64, 32], offset: 16, levels: 2, cube: true}, format: i4}
  z2: z.t3x
models:
  m: a.glb
  knot: {shape: knot, detail: [12, 6]}
  v: {vertices: {file: v.bin, layout: [position, {stream: color, type: ubyte, size: 3, scale: 0.5}, {skip: 2}], offset: 8, stride: 64, count: 9}, indices: [0, 1, 2], normals: smooth}
  w: {vertices: {file: w.x, format: csv}, indices: {file: i.y, format: binary, type: ubyte, offset: 4, count: 6}}
  s: {shape: points, count: 12, size: 0.2, seed: 7, spread: [1, 2, 3], color: [1, 0, 0, 0.5]}
uniforms: {dmp_Fog.mode: GL_FOG, "dmp_TexEnv[0].srcRgb": [texture0, constant, 0x8576], dmp_Fog.sampler: "e", flag: true}
procedural_colors: bark
gas_colors: bark
registers:
  - {reg: EARLYDEPTH_TEST1, value: 1, mask: 1}
  - {reg: GPUREG_LIGHTING_LUT_DATA0, data: [1, 2, 0xFFFFFFFF]}
passes:
  - name: smoke
    mode: gas
    camera: {height: 2}
    uniforms: {dmp_Gas.deltaZ: 20}
    gas_colors: bands
    procedural_colors: bands
    registers: [{reg: 0x2FE, value: 7}, {reg: 0x2FE, value: 8}]
    target: {name: fog, width: 64, height: 64, clear: {color: [0, 0, 0, 0], depth: 0.5, stencil: 3}}
    draws: []
  - {name: smoke, target: {share_depth: fog, share_color: fog}, camera: {projection: [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}, draws: [{model: m, depth: {test: true, func: greater, write: false}}]}
draws:
  - {name: d, model: m, mesh: x, program: p, textures: [t, none, u], at: [1, 2, 3], rotate: {keys: [[0, 0, 0, 1, 0]]}, scale: 2,
     spin: [90, 0, 1, 0], animation: run, material: false, lit: true, color: [1, 1, 1, 0.5], flat: true, bump: true, cull: front,
     depth: {test: false, range: [1, 0.25]}, blend: add, stencil: {func: equal, ref: 3, mask: 15, write: 7, fail: zero, zfail: invert, zpass: replace}, write: rg, logic: xor, scissor: [1, 2, 3, 4],
     primitive: strip, uniforms: {x: {keys: [[0, 1], [1, 2]]}}, show: false,
     materials: {glass: {blend: alpha, depth: false, uniforms: {dmp_Fog.mode: GL_FOG}}, "red paint": {color: [1, 0, 0, 1]}},
     meshes: {wheel: {material: false, spin: [9, 1, 0, 0], materials: {glass: {show: true, program: q}}}}}
  - {model: s, scale: [1, 2, 3], matrix: [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], blend: {equation: subtract, equation_alpha: max, src: dst_color, dst: src_alpha, src_alpha: const_alpha, dst_alpha: src_color, color: [0.1, 0.2, 0.3, 1]}, write: "-", patches: loop, refine: 2,
     procedural_colors: bands, gas_colors: bark, registers: [{reg: 0x2FE, value: 9}]}
  - model: m
    transform: [{at: [1, 2, 3]}, {rotate: {keys: [[0, 0, 0, 1, 0], [1, 90, 0, 1, 0]], loop: true}}, {scale: 2}, {scale: [1, 2, 3]}, {spin: [5, 0, 1, 0]}, {matrix: [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]
`

// TestWriteRoundTrip reads, writes and reads again: both scenes are equal.
func TestWriteRoundTrip(t *testing.T) {
	first := testkit.Must(Parse("x/s.yaml", []byte(wholeScene)))(t)
	text := first.Write("made by\n\nhand")
	require.Contains(t, string(text), "# made by\n#\n# hand\n")
	second := testkit.Must(Parse("x/s.yaml", text))(t, string(text))
	strip(reflect.ValueOf(first))
	strip(reflect.ValueOf(second))
	require.Equal(t, first, second, string(text))
}

// bareScene has one of everything, with default values.
const bareScene = `
lights: [{position: [0, 0, 1]}]
tables: {a: {power: 1}, e: {fog: {density: 1}}}
programs: {p: {library: lit}}
textures: {x: {pattern: bricks}}
models: {s: {shape: points}}
passes: [{name: one, draws: [{model: s}]}]
draws: [{model: s, blend: add, stencil: {}, depth: {}}]
`

// The whole scene must set every key to a value other than its default; otherwise no test would notice the loss of a key.
func TestWholeSceneHasEveryKey(t *testing.T) {
	s := testkit.Must(Parse("x/s.yaml", []byte(wholeScene)))(t)
	count := func(text, pattern string) map[string]int {
		n := map[string]int{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			n[m[1]]++
		}
		return n
	}
	written := count(string(s.Write("")), `(\w+):(?:\s|$)`)
	keys := "" // the first cells of the tables
	for line := range strings.Lines(published().Tables()) {
		if cell, _, ok := strings.Cut(line, " | "); ok {
			keys += cell
		}
	}
	for key, structures := range count(keys, "`(\\w+)`") {
		assert.GreaterOrEqual(t, written[key], structures, "wholeScene does not set every %s", key)
	}
	// Names that many structures have count often: each structure has all fields somewhere in the scene.
	set := map[string]bool{}
	fieldsOf(reflect.ValueOf(s), set)
	for field, isSet := range set {
		ours := field == "Scene.FS" || field == "Scene.Roots" || field == "Scene.Inline" // set by who reads the file
		assert.Equal(t, !ours, isSet, "wholeScene and %s", field)
	}
	assert.Greater(t, len(set), 200)
}

// fieldsOf notes, for each field of the package's structures in v, whether one of them sets it.
func fieldsOf(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			fieldsOf(v.Elem(), set)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fieldsOf(v.Index(i), set)
		}
	case reflect.Map:
		for _, x := range v.Seq2() {
			fieldsOf(x, set)
		}
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[Scene]().PkgPath() {
			return
		}
		for f, x := range v.Fields() {
			name := v.Type().Name() + "." + f.Name
			set[name] = set[name] || !x.IsZero()
			fieldsOf(x, set)
		}
	}
}

// strip removes positions.
func strip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			strip(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() == reflect.TypeFor[Location]() {
				f.SetZero()
			} else {
				strip(f)
			}
		}
	}
}

// TestTableFunctions compares tables by function with their formulas at significant inputs.
func TestTableFunctions(t *testing.T) {
	k := 2.0
	at := func(table *Table, x float64) float64 {
		v := table.Make(257)
		return float64(v[int(x*256)])
	}
	for _, c := range []struct {
		table   Table
		x, want float64
	}{
		{Table{Exp: &k}, 0.5, math.Exp(-1)},
		{Table{Exp2: &k}, 0.25, math.Exp(-0.25)},
		{Table{Fresnel: &Fresnel{0.04, 5}}, 0, 1},
		{Table{Fresnel: &Fresnel{0.04, 5}}, 1, 0.04},
		{Table{Fresnel: &Fresnel{0.5, 2}}, 0.5, 0.5 + 0.5*0.25},
		{Table{Spot: &Spot{Inner: 30, Outer: 60}}, 0.875, 1}, // 29 degrees
		{Table{Spot: &Spot{Inner: 30, Outer: 60}}, 0.5, 0},   // 60 degrees
		{Table{Spot: &Spot{Outer: 90, Exponent: 2}}, 1, 1},
		{Table{Spot: &Spot{Inner: 90, Outer: 90, Exponent: 2}}, 0.5, 0.25},
		{Table{Toon: &Toon{Steps: 4, High: 1}}, 0.2, 0},
		{Table{Toon: &Toon{Steps: 4, High: 1}}, 0.25, 1. / 3},
		{Table{Toon: &Toon{Steps: 4, High: 1}}, 1, 1},
		{Table{Toon: &Toon{Steps: 2, Low: 0.2, High: 0.6, Soft: 0.5}}, 0.625, 0.4}, // half of the rise
		{Table{Formula: "x^2 + 0.25"}, 0.5, 0.5},
	} {
		require.InDelta(t, c.want, at(&c.table, c.x), 1e-6, "%+v at %v", c.table, c.x)
	}
	mid := at(&Table{Spot: &Spot{Inner: 30, Outer: 60}}, 0.75) // 41.4 degrees
	require.InDelta(t, smooth((60-41.40962)/30), mid, 1e-6)

	// A signed table holds inputs 0 to 1 first, then -1 to 0.
	signed := (&Table{Formula: "x", Signed: true}).Make(256)
	require.Equal(t, float32(-1), signed[128])
	require.Equal(t, float32(0.5), signed[64])
	require.InDelta(t, 0.5, (&Table{Toon: &Toon{Steps: 3, High: 1}, Signed: true}).Make(256)[0], 1e-6, "signed toon table: entry 0 is x = 0, in the middle step")

	require.True(t, math.IsNaN(float64((&Table{Formula: "("}).Make(8)[0])), "an invalid formula gives NaN")
}

func TestTableFormulas(t *testing.T) {
	for _, c := range []struct {
		text    string
		x, want float64
	}{
		{"1 + 2*3", 0, 7}, {"(1 + 2)*3", 0, 9}, {"-x^2", 3, -9}, {"2^-1", 0, 0.5}, {"2^3^2", 0, 512}, {"8/4/2", 0, 1},
		{"1 - 2 - 3", 0, -4}, {"+x - -x", 2, 4}, {"1e2 + 1.5E-1 + .5", 0, 100.65}, {"min(1, max(x, 0))", -3, 0}, {"clamp(x, 0.2, 0.8)", 0.9, 0.8},
		{"mix(1, 3, x)", 0.5, 2}, {"smoothstep(0, 2, x)", 1, 0.5}, {"step(0.5, x)", 0.5, 1}, {"step(0.5, x)", 0.49, 0}, {"fract(x)", -0.25, 0.75},
		{"sin(pi/2) + cos(0)", 0, 2}, {"sqrt(x) * abs(-2)", 9, 6}, {"exp2(3) + log2(8) + exp(0) + log(1)", 0, 12}, {"pow(x, 2)", 3, 9},
		{"floor(1.5) + ceil(1.5)", 0, 3}, {"asin(1) + acos(1) + atan(0) + tan(0)", 0, math.Pi / 2},
		{strings.Repeat("(1) + abs(-1) - -", 50) + "1", 0, 101}, // side by side, not nested
	} {
		f := testkit.Must(parseFormula(c.text))(t, c.text)
		require.InDelta(t, c.want, f.at(c.x), 1e-12, c.text)
	}
	for text, want := range map[string]string{
		"":                                  "character 1: the formula ends where",
		"1 +":                               "character 4: the formula ends where",
		"1 + * 2":                           `character 5: expected a number, x, a function or a bracket, found "* 2"`,
		"(x":                                "character 1: the bracket is not closed",
		"x)":                                `character 2: expected an operator (+ - * / ^) or the end, found ")"`,
		"2x":                                `character 1: "2x" is not a number`,
		"1_000":                             `is not a number`,
		"1.2.3":                             `is not a number`,
		"0x10":                              `is not a number`,
		"1e999":                             `is not a number`,
		"y + 1":                             `character 1: there is no "y"; there are x, pi and the functions abs, acos`,
		"sin":                               "expected ( after sin",
		"sin()":                             "character 5: expected a number",
		"min(1)":                            "character 1: min takes 2 numbers, found 1",
		"min(1, 2":                          "expected , or ) in the call of min",
		"é":                                 "expected a number",
		strings.Repeat("(", 100):            "nested deeper than 64 levels",
		strings.Repeat("-", 100):            "nested deeper than 64 levels",
		strings.Repeat("x^", 100):           "nested deeper than 64 levels",
		strings.Repeat("abs(", 100):         "nested deeper than 64 levels",
		"x" + strings.Repeat("+x", 600):     "at most 1000 are read",
		"min(" + strings.Repeat("1, ", 100): "character",
	} {
		_, err := parseFormula(text)
		require.ErrorContains(t, err, want, "%q", text)
	}
}

func TestGradients(t *testing.T) {
	g := Gradient{Stops: []Stop{{0.25, mgl64.Vec4{1, 0, 0, 1}}, {0.75, mgl64.Vec4{0, 1, 0, 0}}}}
	require.Equal(t, mgl64.Vec4{1, 0, 0, 1}, g.Color(0))
	require.Equal(t, mgl64.Vec4{0.5, 0.5, 0, 0.5}, g.Color(0.5))
	require.Equal(t, mgl64.Vec4{0, 1, 0, 0}, g.Color(0.75))
	require.Equal(t, mgl64.Vec4{0, 1, 0, 0}, g.Color(1))
	g.Hard = true
	require.Equal(t, mgl64.Vec4{1, 0, 0, 1}, g.Color(0.7))
	require.Equal(t, mgl64.Vec4{0, 1, 0, 0}, g.Color(0.8))
	require.Equal(t, []float32{0, 0, 1}, g.Channel(1, 3))
}

// TestTableAndGradientErrors checks position and expectation in each error.
func TestTableAndGradientErrors(t *testing.T) {
	for text, want := range map[string]string{
		"tables: {a: {}}":                                     "x.yaml:1:10: a table has exactly one of values, power",
		"tables: {a: {power: 1, exp: 2}}":                     "found 2",
		"tables: {a: {toon: 1}}":                              "1 is out of range; expected 2 to 64",
		"tables: {a: {toon: {steps: 3, soft: 2}}}":            "2 is out of range; expected 0 to 1",
		"tables: {a: {toon: {step: 3}}}":                      `unknown key "step" in toon; the nearest valid name is "steps"`,
		"tables: {a: {spot: {inner: 40, outer: 20}}}":         "inner (40) must not be more than outer (20)",
		"tables: {a: {spot: {outer: 200}}}":                   "200 is out of range; expected 0 to 180",
		"tables: {a: {fresnel: {f0: -1}}}":                    "-1 is out of range",
		"tables: {a: {exp: -1}}":                              "-1 is out of range",
		"tables: {a: {exp2: .nan}}":                           "out of range",
		"tables: {a: {fog: {start: 1, end: 2, exponent: 2}}}": "exponent goes with density",
		"tables: {a: {formula: x +}}":                         `x.yaml:1:23: formula "x +", character 4: the formula ends where`,
		"tables: {a: {formula: 1/x}}":                         `formula "1/x" is +Inf at x = 0; expected a finite number for x from 0 to 1`,
		"tables: {a: {formula: sqrt(x), signed: true}}":       `is NaN at x = -1; expected a finite number for x from -1 to 1`,
		"tables: {a: {formula: x*1e200}}":                     `+Inf`,
		"gradients: {a: []}":                                  "x.yaml:1:16: expected a list of 1 to 256 lists [place, colour of 3 or 4 numbers], found 0",
		"gradients: {a: [[0, 1, 1]]}":                         "expected a list of 4 or 5 numbers (place, colour of 3 or 4 numbers), found 3",
		"gradients: {a: [[2, 1, 1, 1]]}":                      "2 is out of range; expected 0 to 1",
		"gradients: {a: [[0, 1, 1, 1], [0, 0, 0, 0]]}":        "places must ascend: 0 after 0",
		"gradients: {a: {stops: [[0, 1, 1, 1]], steps: []}}":  "a gradient has exactly one of stops and steps, found 2",
		"gradients: {a: {}}":                                  "a gradient has exactly one of stops and steps, found 0",
		"gradients: {a: 3}":                                   "expected a mapping",
		"procedural_colors: b":                                `unknown gradient "b" in the scene`,
		"gas_colors: b":                                       `unknown gradient "b" in the scene`,
		"textures: {t: {pattern: wood, gradient: b}}":         `unknown gradient "b" in the scene`,
		"gradients: {b: [[0, 1, 1, 1]]}\ntextures: {t: {pattern: bump_normals, gradient: b}}":              "has no colours to be taken from a gradient",
		"gradients: {b: [[0, 1, 1, 1]]}\ntextures: {t: {pattern: wood, gradient: b, colors: [[1, 1, 1]]}}": "either colors or a gradient",
		"draws: [{model: m, transform: []}]":                                                   "expected a list of 1 to 64 transforms, found 0",
		"draws: [{model: m, transform: [{at: [1, 2, 3], scale: 2}]}]":                          "exactly one of at, rotate, scale, spin and matrix, found 2",
		"draws: [{model: m, transform: [{}]}]":                                                 "found 0",
		"draws: [{model: m, transform: [{shear: 2}]}]":                                         `unknown key "shear" in a transform`,
		"draws: [{model: m, transform: [{at: [1, 2]}]}]":                                       "expected a list of 3 numbers, found 2",
		"draws: [{model: m, transform: [{scale: [1, 2]}]}]":                                    "a scale has one factor or three, found 2",
		"draws: [{model: m, transform: [{scale: {keys: [[0, 1, 1]]}}]}]":                       "a scale has one factor or three, found 2",
		"draws: [{model: m, transform: [{spin: {keys: [[0, 1, 0, 0, 1], [1, 1, 0, 0, 1]]}}]}]": "rotate takes a curve",
		"draws: [{model: m, at: [0, 0, 0], transform: [{scale: 2}]}]":                          "a draw has either a list transform, or at",
		"draws: [{modle: m}]":                             `unknown key "modle" in a draw; the nearest valid name is "model"`,
		"camera: {near: 5, far: 1}\ndraws: [{modle: m}]":  "x.yaml:2:10: unknown key", // reported before the mistake above it
		"draws: [{model: m, transform: {at: [0, 0, 0]}}]": "expected a list",
	} {
		src := text
		if !strings.Contains(src, "draws:") {
			src += "\ndraws: []"
		}
		if strings.Contains(src, "model: m") {
			src += "\nmodels: {m: {shape: box}}"
		}
		_, err := Parse("x.yaml", []byte(src))
		require.ErrorContains(t, err, want, text)
		require.Regexp(t, `^x\.yaml:\d+:\d+: `, err.Error(), text)
	}
}

// TestStereoErrors checks position and expectation in each error.
func TestStereoErrors(t *testing.T) {
	const camera = "target: {width: 240, height: 400}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 2}}\n"
	for text, want := range map[string]string{
		"camera: {rotated: true, stereo: {eyes: 1}}":                                                                      "a stereo camera has eyes (how far apart they are) and convergence",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: 0}}":                                                      "0 is out of range; expected more than 0",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: {keys: [[0, 1], [1, -1]]}}}":                              "-1 is out of range; expected more than 0",
		"camera: {rotated: true, stereo: {eyes: [1, 2], convergence: 1}}":                                                 "expected a number, found a list",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: 1, focus: 2}}":                                            `unknown key "focus" in a stereo camera`,
		"camera: {height: 2, stereo: {eyes: 1, convergence: 1}}":                                                          "neither height nor projection",
		"camera: {stereo: {eyes: 1, convergence: 1}}":                                                                     "so it is rotated (rotated: true)",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: 1}}":                                                      "the target has 240x400 pixels, or 480x800; it has 400x240",
		"target: {width: 240, height: 400, screen: topright}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 1}}": "the target says screen: topright",
		camera + "passes: [{name: a, target: {width: 240, height: 400, screen: topright}, draws: []}]":                    "pass a has the screen topright, on which a stereo camera shows its pictures",
		camera + "passes: [{name: a, camera: {rotated: true, stereo: {eyes: 1, convergence: 2}}, draws: []}]":             "the camera of a pass has one eye",
		"passes: [{name: a, target: {width: 240, height: 400}, draws: []}]\ntarget: {width: 240, height: 400, share_depth: a}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 2}}": "each eye has a target of its own",
	} {
		_, err := Parse("x.yaml", []byte(text+"\ndraws: []"))
		require.ErrorContains(t, err, want, text)
		require.Regexp(t, `^x\.yaml:\d+:\d+: `, err.Error(), text)
	}
}

func FuzzFormula(f *testing.F) {
	for _, s := range []string{"0.5 + 0.5*x^2", "smoothstep(0, 1, -x)", "mix(sin(x), cos(pi*x), min(1, 2))", "((x))", "1e-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := parseFormula(text)
		if err != nil {
			var bad *formulaError
			require.ErrorAs(t, err, &bad)
			require.True(t, bad.Column >= 1 && bad.Column <= len(text)+1, "%d of %q", bad.Column, text)
			return
		}
		again := testkit.Must(parseFormula(fn.Text))(t)
		for _, x := range []float64{-1, 0, 0.3, 1} {
			a, b := fn.at(x), again.at(x)
			require.True(t, a == b || math.IsNaN(a) && math.IsNaN(b))
		}
	})
}
