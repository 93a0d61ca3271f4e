package scene

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

const wholeScene = `
name: "all: of it"
about: "two\nlines"
time: 1.5
target: {width: 240, height: 400, color: rgb565, depth: d16, viewport: [0, 8, 64, 64], share_color: smoke, screen: top, clear: {}}
camera: {eye: [0, 1, 2], fovy: {keys: [[0, 30], [1, 60]], loop: true}, turntable: 10, rotated: true}
lights:
  - {position: [1, 2, 3], diffuse: [1, 0.1, 0], spot: [0, 0, -1], uniforms: {geomFactor0: true}}
  - {direction: {keys: [[0, 0, 0, 1], [2, 1, 0, 0]]}}
ambient: [0.1, 0.2, 0.3]
tables:
  a: {values: [0, 0.5, 1]}
  b: {power: 12}
  c: {steps: [[0, 1], [0.5, 2]]}
  d: {points: [[0, 1], [0.5, 2]], signed: true}
  e: {fog: {density: 0.25}}
programs:
  p: {sources: [a.pica, "b c.pica"], vertex: main, geometry: none, attributes: {pos: position, uv: texcoord1}}
  q: textured
  r: {file: x.shbin}
textures:
  t: {file: a.png, format: etc1, wrap: [mirrored_repeat, clamp_to_border], mip: nearest, bias: -1.5, max_lod: 2, border: [0, 1, 0, 1]}
  u: {faces: [a, b, c, {pattern: checker, size: 16}, e, f]}
  v: {levels: [a.png, b.png], mag: nearest}
  w: {from: smoke, shadow: true}
  x: {pattern: bricks, colors: [[1, 0, 0]], mipmaps: true}
models:
  m: a.glb
  s: {shape: points, count: 12, size: 0.2, spread: [1, 2, 3], color: [1, 0, 0, 0.5]}
uniforms: {dmp_Fog.mode: GL_FOG, "dmp_TexEnv[0].srcRgb": [texture0, constant, 0x8576], dmp_Fog.sampler: "e", flag: true}
registers:
  - {reg: EARLYDEPTH_TEST1, value: 1, mask: 1}
  - {reg: GPUREG_LIGHTING_LUT_DATA0, data: [1, 2, 0xFFFFFFFF]}
passes:
  - name: smoke
    mode: gas
    camera: {height: 2}
    target: {name: fog, width: 64, height: 64, clear: {color: [0, 0, 0, 0], depth: 0.5, stencil: 3}}
    draws: []
  - {name: smoke, target: {share_depth: fog}, draws: [{model: m}]}
draws:
  - {name: d, model: m, mesh: x, program: p, textures: [t, none, u], at: [1, 2, 3], rotate: {keys: [[0, 0, 0, 1, 0]]}, scale: 2,
     spin: [90, 0, 1, 0], animation: run, material: false, lit: true, color: [1, 1, 1, 0.5], bump: true, cull: front,
     depth: {test: false}, blend: add, stencil: {func: equal, ref: 3, zpass: replace}, write: rg, logic: xor, scissor: [1, 2, 3, 4],
     primitive: strip, uniforms: {x: {keys: [[0, 1], [1, 2]]}}}
  - {model: s, scale: [1, 2, 3], matrix: [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], blend: {src: one, dst: src_alpha, color: [0.1, 0.2, 0.3, 1]}, write: "-", patches: loop, refine: 2}
`

// TestWrite reads, writes and reads again: the two scenes are the same.
func TestWrite(t *testing.T) {
	first, err := Parse("x/s.yaml", []byte(wholeScene))
	require.NoError(t, err)
	text := first.Write("made by\n\nhand")
	require.Contains(t, string(text), "# made by\n#\n# hand\n")
	second, err := Parse("x/s.yaml", text)
	require.NoError(t, err, string(text))
	strip(reflect.ValueOf(first))
	strip(reflect.ValueOf(second))
	require.Equal(t, first, second, string(text))
}

// strip forgets the places of things.
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
			if f := v.Field(i); f.Type() == reflect.TypeFor[Place]() {
				f.SetZero()
			} else {
				strip(f)
			}
		}
	}
}
