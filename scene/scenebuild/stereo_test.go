package scenebuild

import (
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/scene"
	"pica200/tests/testkit"
)

// centre returns the mean column of the red pixels.
func centre(t *testing.T, img *image.RGBA) float64 {
	t.Helper()
	sum, n := 0, 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if c := img.RGBAAt(x, y); c.R > 200 && c.G < 50 {
				sum, n = sum+x, n+1
			}
		}
	}
	require.NotZero(t, n)
	return float64(sum) / float64(n)
}

func stereoScene(depth float64, more string) string {
	return fmt.Sprintf(`
target: {width: 240, height: 400}
camera: {eye: [0, 0, 5], fovy: 40, rotated: true, stereo: {eyes: 0.5, convergence: 5}}
models: {ball: {shape: sphere, size: 0.2}}
draws: [{model: ball, at: [0, 0, %g], lit: false, color: [1, 0, 0, 1]}]
%s`, depth, more)
}

// eyes draws a scene and returns the centre seen by each eye.
func eyes(t *testing.T, text string) (left, right float64, g *pipeline.GPU) {
	t.Helper()
	s := testkit.Must(scene.Parse("x.yaml", []byte(text)))(t)
	st := testkit.Must(New(s))(t)
	g, names, err := st.Render(t.Context(), 0, Options{Workers: 1})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	require.Equal(t, []string{"ball (line 5), right eye", "ball (line 5)"}, names[len(names)-2:])
	require.True(t, g.Stereo())
	return centre(t, g.Screen(pipeline.ScreenTop)), centre(t, g.Screen(pipeline.ScreenTopRight)), g
}

// A point at the convergence has the same position for both eyes. A nearer point is shifted right for the left eye, a farther one
// left, according to the eye distance.
func TestStereoPointShifts(t *testing.T) {
	left, right, g := eyes(t, stereoScene(0, ""))
	g.Close()
	require.InDelta(t, 199.5, left, 0.5)
	require.InDelta(t, left, right, 0.5)
	// At depth z a shift of e/2 is (e/2)(1/z - 1/convergence), in units of the view's width at depth 1.
	const pixels = 240 / (2 * 0.36397) // at depth 1: height / (2 tan 20 degrees)
	for _, at := range []float64{2, -8} {
		z := 5 - at
		want := 0.25 * (1/z - 0.2) * pixels
		left, right, g = eyes(t, stereoScene(at, ""))
		g.Close()
		require.InDelta(t, 199.5+want, left, 0.7, "depth %g", z)
		require.InDelta(t, 199.5-want, right, 0.7, "depth %g", z)
	}
}

// A pass is drawn once, from between the eyes; the bottom screen is drawn once too.
func TestStereoPassIsDrawnOnce(t *testing.T) {
	_, _, g := eyes(t, stereoScene(2, `
passes: [{name: below, target: {width: 240, height: 320, screen: bottom}, draws: [{model: ball, at: [0, 0, 2], lit: false, color: [1, 0, 0, 1]}]}]
`))
	require.InDelta(t, 159.5, centre(t, g.Screen(pipeline.ScreenBottom)), 0.5)
	s := testkit.Must(scene.Parse("x.yaml", []byte(stereoScene(0, ""))))(t)
	st := testkit.Must(New(s))(t)
	require.Equal(t, []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenTopRight}, st.Screens())
	require.NoError(t, st.Stereo(9, 9))
	require.Equal(t, scene.Const(0.5).Keys, s.Camera.Stereo.Eyes.Keys, "the scene's own stereo settings are kept")
}

// A scene without stereo settings can be drawn in stereo; one whose top screen is used by a pass is refused.
func TestStereoOfScenesWithoutSettings(t *testing.T) {
	stage := func(text string) *Stage {
		s := testkit.Must(scene.Parse("x.yaml", []byte(text)))(t)
		st := testkit.Must(New(s))(t)
		return st
	}
	st := stage("camera: {turntable: 20}\nmodels: {ball: {shape: sphere}}\npasses: [{name: a, draws: [{model: ball}]}]\ndraws: [{model: ball, lit: false, color: [1, 0, 0, 1]}]")
	require.NoError(t, st.Stereo(0.2, 4))
	g, _, err := st.Render(t.Context(), 1, Options{Workers: 1})
	require.NoError(t, err)
	defer g.Close()
	require.InDelta(t, centre(t, g.Screen(pipeline.ScreenTop)), centre(t, g.Screen(pipeline.ScreenTopRight)), 1.5)
	for _, text := range []string{
		"camera: {height: 2}", "target: {viewport: [0, 0, 8, 8]}", "passes: [{name: a, target: {width: 240, height: 400, screen: top}, draws: []}]",
		"target: {width: 240, height: 320, screen: bottom}", "passes: [{name: a, draws: []}]\ntarget: {share_color: a}",
	} {
		require.Error(t, stage(text+"\nmodels: {ball: {shape: sphere}}\ndraws: [{model: ball}]").Stereo(0.2, 4), text)
	}
	require.ErrorContains(t, stage("models: {ball: {shape: sphere}}\ndraws: [{model: ball}]").Stereo(0.2, 0), "converge at 0")
}
