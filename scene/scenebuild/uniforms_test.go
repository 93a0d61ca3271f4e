package scenebuild

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/tests/testkit"
)

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
