package scene

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

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
