package sceneexport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// The example of docs/CITRO3D.md gives the recorded picture: exactly with the recorded shader, with two pixels off by one step with
// the library's.
func TestCitro3DExample(t *testing.T) {
	page := testkit.Read(t, "../../docs/CITRO3D.md")
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	trace := testkit.Must(picatrace.Parse(testkit.Recorded(t, "lenny")[0].Read(t)))(t)
	dir := filepath.Join(t.TempDir(), "lenny")
	_, err := Export(t.Context(), trace, dir, Options{Frame: -1})
	require.NoError(t, err)
	player := testkit.Must(pipeline.NewPlayer(trace, pipeline.Options{}))(t)
	for range player.Frames() {
		_, err := player.NextFrame(t.Context())
		require.NoError(t, err)
	}
	recorded := player.GPU.Screen(pipeline.ScreenTop)
	player.GPU.Close()

	draw := func(text string) Picture {
		path := filepath.Join(dir, "hand.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		st := testkit.Must(scenebuild.Load(path))(t)
		g, _, err := st.Render(t.Context(), 0, scenebuild.Options{})
		require.NoError(t, err)
		img := g.Screen(pipeline.ScreenTop)
		g.Close()
		return difference("top", recorded.Pix, img.Pix, recorded.Rect, img.Rect)
	}
	got := draw(text)
	require.Empty(t, got.Problem)
	require.LessOrEqual(t, got.Pixels, 2)
	require.LessOrEqual(t, got.Delta, 1)

	// The recorded shader, with matrices as uniforms again.
	sources := testkit.Must(filepath.Glob(filepath.Join(dir, "shaders", "*.pica")))(t)
	require.Len(t, sources, 1)
	source := testkit.Read(t, sources[0])
	own := ".fvec projection[4], modelView[4]\n"
	for _, line := range strings.Split(string(source), "\n") {
		line, _, _ = strings.Cut(line, ";")
		if strings.HasPrefix(line, ".setf c") {
			continue
		}
		for i, reg := range []string{" c0,", " c1,", " c2,", " c3,", " c4,", " c5,", " c6,", " c7,"} {
			line = strings.ReplaceAll(line, reg, " "+[]string{"projection", "modelView"}[i/4]+"["+string(rune('0'+i%4))+"],")
		}
		own += line + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "own.v.pica"), []byte(own), 0o644))
	got = draw(strings.Replace(text, "lenny: {library: lit}", "lenny: {sources: [own.v.pica], attributes: {v0: position, v1: normal}}", 1))
	require.Zero(t, got.Pixels)
}
