package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// The numbers count pixels that one picture or both draw.
func TestMeasure(t *testing.T) {
	files := make([][]byte, 2)
	for i := range files {
		m := image.NewNRGBA(image.Rect(0, 0, 400, 240))
		for x := range 400 * 240 {
			m.SetNRGBA(x%400, x/400, color.NRGBA{41, 46, 56, 255})
		}
		m.SetNRGBA(1, 1, color.NRGBA{100, 100, 100, 255})
		m.SetNRGBA(2+i, 1, color.NRGBA{101, 106, 116, 255})
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, m))
		files[i] = b.Bytes()
	}
	var p pair
	require.NoError(t, p.measure(files...))
	require.InDelta(t, 1.0/3, p.Silhouette, 1e-9)
	require.InDelta(t, 40, p.Difference, 1e-9)
	require.Error(t, p.measure(files[0], nil))
}

// A model has the same silhouette in both, and the sheet three pictures of it.
func TestSheetOfAModel(t *testing.T) {
	testkit.Slow(t)
	testkit.Chromium(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	program, sheet := filepath.Join(dir, "pica200"), filepath.Join(dir, "sheet.html")
	said, err := exec.Command("go", "build", "-o", program, "../../cmd/pica200").CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.NoError(t, run(t.Context(), "../../testdata/scenes", sheet, program, "."))
	text := string(testkit.Must(os.ReadFile(sheet))(t))
	require.Regexp(t, `(?s)arm\.gltf: silhouette 0\.9[0-9]+, difference [0-9.]+ <br>(<img src="data:image/png;base64,[^"]{100}[^"]*"> ){3}`, text)
}
