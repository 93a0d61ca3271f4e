package scenebuild

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/tests/testkit"
)

// tinted is the shader used by an example of docs/SCENES.md.
const tinted = `
.fvec projection[4]
.fvec modelView[4]
.fvec tint
.in inPos v0
.in inTex v1
.out p position
.out c color
.proc main
	dp4 r1.x, modelView[0], inPos
	dp4 r1.y, modelView[1], inPos
	dp4 r1.z, modelView[2], inPos
	dp4 r1.w, modelView[3], inPos
	dp4 p.x, projection[0], r1
	dp4 p.y, projection[1], r1
	dp4 p.z, projection[2], r1
	dp4 p.w, projection[3], r1
	mov c, tint
	mov r2, inTex
	end
.end
`

// TestDocumentedExamplesDraw draws every example of docs/SCENES.md and checks one pixel of each.
func TestDocumentedExamplesDraw(t *testing.T) {
	page := testkit.Read(t, "../../docs/SCENES.md")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my.v.pica"), []byte(tinted), 0o644))
	white := color.NRGBA{255, 255, 255, 255}
	looks := []struct {
		x, y int
		want color.NRGBA
	}{
		{200, 120, white},
		{200, 20, color.NRGBA{26, 31, 41, 255}}, // the clear colour
		{356, 120, white},                       // the moon, placed by a list of transforms
		{200, 120, color.NRGBA{136, 94, 40, 255}},
		{200, 120, color.NRGBA{237, 84, 0, 255}}, // between two stops of a gradient
		{200, 120, color.NRGBA{255, 0, 0, 255}},  // the curve's first key
		{220, 150, color.NRGBA{255, 204, 51, 255}},
		{120, 130, white}, // rotated to lie on its side
		{200, 120, color.NRGBA{255, 128, 128, 255}},
		{200, 120, white},
	}
	for i, b := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(b, "```")
		path := filepath.Join(dir, "example.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		st := testkit.Must(Load(path))(t)
		g, names, err := st.Render(t.Context(), 0, Options{Workers: 1})
		require.NoError(t, err, "example %d", i)
		require.NotEmpty(t, names)
		target := testkit.Must(g.LastTarget())(t)
		img := testkit.Must(pipeline.ColorImage(target))(t)
		g.Close()
		require.Equal(t, looks[i].want, img.NRGBAAt(looks[i].x, looks[i].y), "example %d", i)
	}
}
