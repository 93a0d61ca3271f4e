package scenebuild

import (
	"image"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/scene"
	"pica200/tests/testkit"
)

// picture draws a scene given as text.
func picture(t *testing.T, text string) *image.NRGBA {
	t.Helper()
	s := testkit.Must(scene.Parse("x.yaml", []byte(text)))(t)
	st := testkit.Must(New(s))(t)
	return lastPicture(t, st)
}

// lastPicture draws a stage at time 0.
func lastPicture(t *testing.T, st *Stage) *image.NRGBA {
	t.Helper()
	return pictureAt(t, st, 0)
}

// pictureAt draws a stage at a time and closes the GPU.
func pictureAt(t *testing.T, st *Stage, at float64) *image.NRGBA {
	t.Helper()
	g, _, err := st.Render(t.Context(), at, Options{Workers: 1})
	require.NoError(t, err)
	defer g.Close()
	target := testkit.Must(g.LastTarget())(t)
	img := testkit.Must(pipeline.ColorImage(target))(t)
	return img
}

// A gradient gives the same picture as four tables with its colours.
func TestProceduralColors(t *testing.T) {
	const head = `
target: {width: 64, height: 64}
camera: {eye: [0, 0, 1], height: 1}
models: {q: {shape: quad}}
gradients:
  g: [[0, 1, 0, 0.25, 0], [1, 0, 1, 0.25, 1]]
  other: [[0, 0, 0, 1]]
tables:
  ramp: {formula: x}
  up: {points: [[0, 0], [0.49609375, 1]]}
  down: {points: [[0, 1], [0.49609375, 0]]}
  quarter: {points: [[0, 0.25], [1, 0.25]]}
uniforms:
  dmp_Texture[3].samplerType: procedural
  dmp_Texture[3].texcoord: GL_TEXTURE0
  dmp_Texture[3].ptSamplerRgbMap: ramp
  dmp_TexEnv[0].srcRgb: [GL_TEXTURE3, GL_TEXTURE3, GL_TEXTURE3]
  dmp_TexEnv[0].srcAlpha: [GL_TEXTURE3, GL_TEXTURE3, GL_TEXTURE3]
`
	const tables = `"dmp_Texture[3].ptTexWidth": 128, "dmp_Texture[3].ptSamplerR": down, "dmp_Texture[3].ptSamplerG": up, "dmp_Texture[3].ptSamplerB": quarter, "dmp_Texture[3].ptSamplerA": up`
	want := picture(t, head+"draws: [{model: q, uniforms: {"+tables+"}}]")
	require.Greater(t, want.NRGBAAt(2, 32).R, uint8(200))
	require.Greater(t, want.NRGBAAt(60, 32).G, uint8(200))
	for _, text := range []string{
		"procedural_colors: g\ndraws: [{model: q}]",
		"procedural_colors: other\ndraws: [{model: q, procedural_colors: g}]",
		"draws: [{model: q, procedural_colors: g, uniforms: {\"dmp_Texture[3].ptTexWidth\": 128}}]",
		// A sampler's own table wins, unless a gradient is set at an inner level.
		"procedural_colors: g\ndraws: [{model: q, uniforms: {" + tables + "}}]",
		"draws: [{model: q, procedural_colors: other, uniforms: {" + tables + "}}]",
	} {
		require.Equal(t, want, picture(t, head+text), text)
	}
	require.NotEqual(t, want, picture(t, head+"draws: [{model: q, procedural_colors: other}]"))
}

// Every level of the colour table holds the whole gradient, at the offset that the hardware reads.
func TestProceduralColorTableLevels(t *testing.T) {
	at := proceduralPlaces(128, 0)
	for _, l := range []struct{ offset, width int }{{0, 128}, {0x80, 64}, {0xC0, 32}, {0xE0, 16}, {0xF0, 8}, {0xF8, 4}, {0xFC, 2}} {
		require.Equal(t, 0.0, at[l.offset])
		require.Equal(t, 1.0, at[l.offset+l.width-1])
		require.InDelta(t, 1/float64(l.width-1), at[l.offset+1], 1e-15)
	}
	wide := proceduralPlaces(255, 1) // the first level overwrites the others
	require.Equal(t, []float64{0, 0, 1. / 254, 1}, []float64{wide[0], wide[1], wide[2], wide[255]})
	require.NotPanics(t, func() { proceduralPlaces(255, 255) })
}

// Transforms of a list are multiplied in order, so the last one is applied first.
func TestTransformListOrder(t *testing.T) {
	text := `
models: {q: {shape: quad}}
draws:
  - {model: q, transform: [{rotate: [90, 0, 0, 1]}, {at: [1, 0, 0]}, {scale: [2, 1, 1]}, {spin: [90, 0, 0, 1]}, {matrix: [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]}
  - {model: q, at: [1, 2, 3], rotate: [30, 0, 1, 0], spin: [10, 1, 0, 0], scale: 2, matrix: [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
  - {model: q, transform: [{at: [1, 2, 3]}, {rotate: [30, 0, 1, 0]}, {spin: [10, 1, 0, 0]}, {scale: 2}, {matrix: [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]}
`
	s := testkit.Must(scene.Parse("x.yaml", []byte(text)))(t)
	// (0, 0): matrix (5, 0), spin by 180 degrees (-5, 0), scale (-10, 0), at (-9, 0), rotate (0, -9).
	got := modelMatrix(&s.Draws[0], 2).Col(3)
	require.InDeltaSlice(t, []float64{0, -9, 0, 1}, got[:], 1e-12)
	require.Equal(t, modelMatrix(&s.Draws[1], 2), modelMatrix(&s.Draws[2], 2))
	st := testkit.Must(New(s))(t)
	require.Equal(t, 36.0, st.Duration(), "the duration is one turn of the slowest spin")
	st.Turntable(5)
	require.Equal(t, modelMatrix(&s.Draws[1], 0), modelMatrix(&s.Draws[2], 7), "with a turntable, spins stop")
}

// The duration of a scene takes every curve into account: each is set alone in a scene with one of everything.
func TestDurationIsThatOfEveryCurve(t *testing.T) {
	found := 0
	var fill func(v reflect.Value, at string, set func(curve reflect.Value, at string))
	fill = func(v reflect.Value, at string, set func(curve reflect.Value, at string)) {
		switch {
		case !v.CanSet():
		case v.Type() == reflect.TypeFor[*scene.Curve]():
			set(v, at)
		case v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			fill(v.Elem(), at, set)
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			if v.Len() == 0 {
				v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			}
			fill(v.Index(0), at+"[0]", set)
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i), at+"."+v.Type().Field(i).Name, set)
			}
		}
	}
	st := &Stage{Scene: new(scene.Scene)}
	whole := reflect.ValueOf(st.Scene).Elem()
	fill(whole, "", func(reflect.Value, string) {})
	require.Zero(t, st.Duration())
	fill(whole, "scene", func(curve reflect.Value, at string) {
		found++
		curve.Set(reflect.ValueOf(&scene.Curve{Keys: []scene.Key{{T: 1, V: []float64{0}}, {T: 7, V: []float64{1}}}}))
		require.Equal(t, 7.0, st.Duration(), at)
		curve.SetZero()
	})
	require.Greater(t, found, 30)
}
