package scenebuild

import (
	"image"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/tests/testkit"
)

// colors draws a stage and returns its colours.
func colors(t *testing.T, st *Stage) *image.NRGBA {
	g, _, err := st.Render(t.Context(), st.Scene.Time, Options{})
	require.NoError(t, err)
	defer g.Close()
	return testkit.Must(pipeline.ColorImage(testkit.Must(g.LastTarget())(t)))(t)
}

// An enlarged drawing shows the same in more pixels, whatever of the scene is in pixels, and the next one is as before.
func TestEnlarge(t *testing.T) {
	text := `
target: {width: 64, height: 32, viewport: [8, 4, 40, 20], clear: {color: [0, 0, 1, 1]}}
models: {q: {shape: quad}}
camera: {height: 1, eye: [0, 0, 4]}
draws:
  - {model: q, color: [1, 0, 0, 1], cull: none, scissor: [20, 8, 12, 10]}
`
	st := testkit.Must(Parse("x.yaml", []byte(text)))(t)
	small := colors(t, st)
	used, bound := st.Enlarge(3)
	require.Equal(t, 3.0, used)
	require.Empty(t, bound)
	large := colors(t, st)
	require.Equal(t, image.Rect(0, 0, 192, 96), large.Rect)
	for y := range 96 {
		for x := range 192 {
			require.Equal(t, small.NRGBAAt(x/3, y/3), large.NRGBAAt(x, y), "%d,%d", x, y)
		}
	}
	st.Enlarge(1.3)
	require.Equal(t, image.Rect(0, 0, 80, 40), colors(t, st).Rect, "the sides are multiples of 8")
	st.Enlarge(1)
	require.Equal(t, small.Pix, colors(t, st).Pix)

	for _, path := range testkit.Must(filepath.Glob("../../testdata/scenes/*.yaml"))(t) {
		st := testkit.Must(Load(path))(t)
		small := colors(t, st)
		used, bound := st.Enlarge(2)
		if used != 2 {
			require.NotEmpty(t, bound)
			t.Log(path, used, bound)
			continue
		}
		large, sum := colors(t, st), 0
		require.Equal(t, small.Rect.Size().Mul(2), large.Rect.Size(), path)
		require.Empty(t, st.Screens(), path)
		for i, v := range small.Pix {
			x, y := i%small.Stride, i/small.Stride
			at := large.PixOffset(x/4*2, y*2) + x%4
			mean := (int(large.Pix[at]) + int(large.Pix[at+4]) + int(large.Pix[at+large.Stride]) + int(large.Pix[at+large.Stride+4])) / 4
			sum += max(mean-int(v), int(v)-mean)
		}
		require.Less(t, float64(sum)/float64(len(small.Pix)), 4.0, path)
	}
}

// What bounds the size of an enlarged drawing is said.
func TestEnlargeBounds(t *testing.T) {
	const one = "models: {q: {shape: quad}}\ndraws: [{model: q, color: [1, 1, 1, 1]}]\n"
	for text, want := range map[string]struct {
		used  float64
		bound string
	}{
		"target: {width: 400, height: 240}\n" + one:                                                             {2.56, "1024"},
		"target: {width: 512, height: 512}\n" + one:                                                             {1.7320508, "video memory"},
		"target: {width: 512, height: 512, depth: none}\n" + one:                                                {2, "1024"},
		"target: {width: 240, height: 400}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 4}}\n" + one: {1, "both eyes"},
		"registers: [{reg: 0x41, value: 1}]\n" + one:                                                            {1, "registers"},
		"target: {width: 128, height: 128, share_depth: a}\ntextures: {r: {from: a}}\npasses: [{name: a, target: {width: 128, height: 128}, draws: [{model: q}]}]\n" + one: {4, "powers of two"},
		"target: {width: 128, height: 128}\npasses: [{name: a, target: {width: 128, height: 128}, draws: [{model: q}]}]\n" + one:                                           {6.5, ""},
	} {
		st, err := Parse("x.yaml", []byte(text))
		require.NoError(t, err, text)
		used, bound := st.Enlarge(7.5 + float64(len(want.bound)))
		if want.bound == "" {
			used, bound = st.Enlarge(want.used)
		}
		require.InDelta(t, want.used, used, 1e-6, text)
		require.Contains(t, bound, want.bound, text)
		if used > 1 {
			colors(t, st)
		}
	}
}
